/*
 * Diagnostics and the exit status. Form: "rtreport: FILE:LINE: what is wrong; what to do".
 */
#ifndef RTREPORT_DIAG_H
#define RTREPORT_DIAG_H

#include <glib.h>

enum exit_status {
	EXIT_DONE = 0,
	EXIT_GATE = 1,          /* --fail-on, --limits, validate */
	EXIT_USAGE = 2,         /* usage, or an input that cannot be read */
	EXIT_NOTHING = 3,       /* nothing recognized, or nothing matched in a gated diff */
	EXIT_DAMAGED = 4        /* something recognized is damaged or contradictory, with --strict */
};

/* Prints to standard error and raises the status (EXIT_DONE: a note that changes nothing). file NULL, line 0: left out. */
void diag(enum exit_status status, const char *file, unsigned line, const char *format, ...) G_GNUC_PRINTF(4, 5);
/* Raises the exit status without a message: the highest that applies is kept. Thread-safe. */
void diag_raise(enum exit_status status);
int diag_status(void);

/*
 * From now on messages are kept (char *, without "rtreport: ") instead of printed, for who shows them elsewhere; beyond DIAG_KEPT
 * only that there were more. diag_kept: NULL when none are kept; not while other threads may speak.
 */
#define DIAG_KEPT 100u
void diag_keep(void);
const GPtrArray *diag_kept(void);

#endif
