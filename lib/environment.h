/*
 * Environment: where a result ran (board, cpu, kernel, load, …), read from the text around it, with
 * scope: a section's facts hold for the results below it until the next section says otherwise; a
 * message's facts hold for all its results; a quoted section's facts for the quoted results; a
 * later, nearer statement wins.
 *
 * The reader shows an environment every line of one message in order, tells it where each result
 * begins, and asks for the facts when the message has ended. Memory: bounded number of facts, no
 * lines.
 */
#ifndef RTREPORT_ENVIRONMENT_H
#define RTREPORT_ENVIRONMENT_H

#include "lib/record.h"
#include "lib/text.h"

struct environment;

/* What the reader already knows of a line. */
enum line_role {
	ROLE_PROSE,             /* sentences, list items, anything else */
	ROLE_BLANK,
	ROLE_DATA,              /* taken by a parser */
	ROLE_COMMAND,           /* a prompt or a command line */
	ROLE_HEADING,           /* a short line that names what follows */
	ROLE_RULE,              /* ----, ==== */
	ROLE_SIGNATURE          /* after "-- " */
};

struct environment *environment_new(void);
void environment_free(struct environment *e);
/* subject of the message, or NULL; facts in it hold for all its results, weakest */
void environment_subject(struct environment *e, const char *subject);
/* Returns what was read from the line as a short text for explain ("board: …"), or NULL; valid
 * until the next call. */
const char *environment_line(struct environment *e, const struct line *l, enum line_role role,
                             const char *command);
/*
 * A result of quote depth `depth` begins at physical line `line`, at this point of the stream. The
 * returned mark identifies the scope.
 */
unsigned environment_mark(struct environment *e, unsigned depth, unsigned line);
/* After the last line, before the first environment_apply: what stands in the lines first to last
 * of a result is its data. */
void environment_range(struct environment *e, unsigned mark, unsigned first, unsigned last);
/* After the last line: fills r->environment and r->config with what holds at the mark; keys that r
 * has already stay. */
void environment_apply(struct environment *e, unsigned mark, struct record *r);

#endif
