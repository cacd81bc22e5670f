/*
 * A run of one series whose rows are lines of their own ("*** min: …, max: … ***"): what the
 * parsers of such lines share. One row stands for itself; several in succession are samples over
 * time.
 */
#ifndef RTREPORT_PARSERS_SAMPLE_RUN_H
#define RTREPORT_PARSERS_SAMPLE_RUN_H

#include "lib/parser.h"

struct sample_run {
	struct record *record;          /* NULL: none is open */
	struct series *series;
	unsigned rows, commands;
	unsigned columns;
	enum field column[SERIES_MAX_COLUMNS];
	struct number first[SERIES_MAX_COLUMNS];
	unsigned first_line;
	struct number overruns;         /* of the last row that had them */
	bool adjacent;                  /* the line before was the run's, or blank */
};

/* Adds a row; begins a run of `tool` if none is open, or if text or a command stands between. */
void sample_run_add(struct parse *p, struct sample_run *run, const char *tool, const char *mode,
                    const struct line *l, unsigned n, const enum field *columns,
                    const struct number *values);
/* A line of another kind. */
void sample_run_pass(struct sample_run *run, const struct line *l);
/* Ends the run and emits its record; nothing if none is open. */
void sample_run_close(struct parse *p, struct sample_run *run);

#endif
