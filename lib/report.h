/*
 * Records as documents: what a person reads of them, and the long tables that spreadsheets and scripts read.
 */
#ifndef RTREPORT_REPORT_H
#define RTREPORT_REPORT_H

#include "lib/record.h"
#include "lib/table.h"

enum report_form {
	REPORT_RESULTS,         /* a table per result, with its facts, notes and figures */
	REPORT_LONG,            /* one table: a row per series over all records */
	REPORT_SAMPLES,         /* one table: a row per sample */
	REPORT_HISTOGRAMS,      /* one table: a row per filled bin */
	REPORT_ENVIRONMENT,     /* one table: a row per fact */
	REPORT_SOURCES          /* one table: a row per record */
};

/* A zeroed struct is the default of each. */
struct report_options {
	enum report_form form;
	const char *unit;               /* of times: "us" (NULL), "ns", "ms", "s", "auto" */
	const char *title;              /* of the document */
	const char *columns, *sort;     /* see document_select, document_sort */
	bool has_digits;
	int digits;                     /* see document_digits */
	bool brief;                     /* for a person at a terminal: means that were derived are shown at the resolution,
					   not with all digits; labels that all series share stand above the table */
	bool no_percentiles;            /* only those that were printed */
	bool no_figures;
	const GPtrArray *messages;      /* char *: what could not be read, said first in documents of REPORT_RESULTS; or NULL */
	bool keep_empty;                /* long tables: keep columns that no row fills (stable columns for scripts) */
};

bool report_unit_known(const char *unit);

/*
 * A time's scale: a number in `from` ("ns", "us", "ms", "s") times 10^*exp10 is in `to`. False when either is no
 * time, and then *exp10 is 0.
 */
bool unit_scale(const char *from, const char *to, int *exp10);

/*
 * The unit that fits numbers of up to `greatest` in `from`, for "auto": the largest in which it is at least 10.
 * Returns a constant; `from` itself when it is no time.
 */
const char *unit_fitting(struct number greatest, const char *from);

/*
 * The document, shaped as the options say (columns, sort, digits). `records` holds struct record *, which stay the
 * caller's. NULL after *error was set (caller frees) when a column is named that is not there.
 */
struct document *document_from_records(const GPtrArray *records, const struct report_options *o, char **error);

/* "cyclictest (user-task)": what is measured. Caller frees. */
char *record_label(const struct record *r);
/* "post.txt:20-33": where a record is from. Caller frees. */
char *record_origin(const struct record *r);
/* "nanosleep jitter", "thread 0, cpu 1": what tells a series apart in its record; "" when nothing does. Caller frees. */
char *series_label_text(const struct series *s);

#endif
