/*
 * Command lines as posted, and what they say about a run.
 */
#ifndef RTREPORT_COMMAND_LINE_H
#define RTREPORT_COMMAND_LINE_H

#include <stdbool.h>
#include <glib.h>
#include "lib/parser.h"

#define COMMAND_LINE_MAX 8192u          /* longer commands are read up to here */

/* One program of a command line, wrappers (sudo, env, taskset, chrt, …) taken off. */
struct command_part {
	char *program;                  /* basename; "" when there was none */
	GPtrArray *words; /* char *: program as written, then its arguments, quotes resolved */
	bool background;                /* ends with & */
	char *priority, *policy;        /* of a chrt in front, or NULL */
};

/*
 * Cuts a command line into its programs at ; && || | & and line ends. Redirections and comments are
 * dropped. Returns an array of struct command_part *, freed with g_ptr_array_unref; never NULL.
 */
GPtrArray *command_line_cut(const char *command);

/*
 * Fills r->settings from the options of the program that made r: the first one in `command` that an
 * option table of the parsers in `table` (NULL-terminated) names for r->tool. Units are exact; what
 * is missing, contradictory or no number sets nothing. Keys that are set already stay.
 */
void command_settings(const char *command, const struct parser *const *table, struct record *r);

#endif
