/*
 * The T: rows that cyclictest, signaltest, cyclicdeadline and jitterdebugger print, and runs of
 * them: a row per thread, redrawn again and again with figures that are cumulative since the start.
 *
 *     T: 0 ( 1853) P:80 I:1000 C:  10000 Min:     36 Act:  156 Avg:  154 Max:     244
 *
 * Which labels stand between thread id and C: tells the tools apart; they are read by name, since
 * their order has changed (jitterdebugger) and blanks after a colon are lost when values are big.
 */
#ifndef RTREPORT_THREAD_ROWS_H
#define RTREPORT_THREAD_ROWS_H

#include "lib/parser.h"

enum thread_label {
	THREAD_P, THREAD_Y, THREAD_I, THREAD_A, THREAD_C, THREAD_MIN, THREAD_ACT, THREAD_AVG,
	THREAD_MAX, THREAD_SMI, THREAD_LABELS
};

struct thread_row {
	struct number thread, tid;
	struct number value[THREAD_LABELS];     /* as printed; null: its number is lost */
	unsigned width[THREAD_LABELS];          /* from the colon to the number's end; 0: no label */
	bool padded[THREAD_LABELS];             /* a blank stood after the colon */
	bool cut;                               /* the row ends before its figures do */
	bool narrow;                            /* Max has fewer columns than newer versions give it */
	unsigned line;
};

/* Reads a row that begins at text. cut: the text layer found it incomplete. False: it is none. */
bool thread_row_read(const char *text, size_t len, bool cut, struct thread_row *row);
/* Shorthand for l->row. */
bool thread_row_of(const struct line *l, struct thread_row *row);
/* Whether the label was printed, with or without its number. */
static inline bool thread_row_has(const struct thread_row *row, enum thread_label label)
{
	return row->width[label] != 0;
}
/* No sample was taken yet: the figures are start values. */
bool thread_row_empty(const struct thread_row *row);

/* The rows of one run, the last complete one of each thread. */
struct thread_run {
	struct record *record;                  /* NULL: no run is open */
	GArray *rows;                           /* struct thread_row */
	guint next;                             /* where the next row is looked for first */
	unsigned commands;                      /* command lines seen before its last row */
	bool foreign;                           /* other text stood after its last row */
};

/*
 * A line that is not the tool's: other text between two rows of one thread begins a new run. Log
 * noise of a console does not.
 */
void thread_run_other(struct thread_run *run, const struct line *l);
/*
 * Whether the row goes on with the open run: no command between, the thread new to the run and in
 * order, or the same thread id with a count that has not fallen and nothing else between.
 */
bool thread_run_follows(struct parse *p, const struct thread_run *run,
                        const struct thread_row *row);
/* Adds the row, which begins a record of `tool` when no run is open. */
void thread_run_add(struct parse *p, struct thread_run *run, const char *tool, const struct line *l,
                    const struct thread_row *row);
/* The series of a thread (by its number), made when it is missing. */
struct series *thread_series(struct record *r, struct number thread);
/*
 * Makes the series from the rows: values * 10^scale, in unit "ns". resolution is in ns. The run
 * keeps its record, which the caller emits.
 */
void thread_run_fill(struct thread_run *run, int scale);
/* Forgets the run; the record must have been passed on. */
void thread_run_reset(struct thread_run *run);
void thread_run_free(struct thread_run *run);

#endif
