/*
 * Context: what the lines around results are (headings, commands, rules), per quote depth.
 */
#ifndef RTREPORT_CONTEXT_H
#define RTREPORT_CONTEXT_H

#include "lib/environment.h"
#include "lib/parser.h"

struct context;
struct context *context_new(void);
void context_free(struct context *c);
/* Notes line l (taken: a parser took it) and says what it is. */
enum line_role context_line(struct context *c, const struct line *l, bool taken);
/* The command that the last line noted was (without prompt), or NULL. */
const char *context_line_command(const struct context *c);
/* The title that holds for what comes now, or NULL; the last command of any program; how many there
 * were. */
const char *context_title(const struct context *c);
const char *context_command(const struct context *c);
unsigned context_command_count(const struct context *c);
/* The command line that ran a program of this parser (index in the table), the last one above, or
 * NULL. */
const char *context_tool_command(struct context *c, unsigned parser);

#endif
