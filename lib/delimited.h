/*
 * Delimited text (CSV, TSV) of documents and records, after RFC 4180: a header line and the same number of fields in each
 * record; fields are quoted (by libcsv) only when they need it.
 *
 * Text that a spreadsheet would run as a formula gets an apostrophe in front; numbers never do.
 */
#ifndef RTREPORT_DELIMITED_H
#define RTREPORT_DELIMITED_H

#include "lib/renderer.h"

struct dialect {
	char delimiter;
	char point;                     /* decimal sign */
	bool bom;                       /* UTF-8 byte order mark, by which Excel knows the encoding */
	const char *newline;
};

/* Several tables become one, with their title in the first column "table" and the union of their columns. */
int delimited_document(const struct document *d, const struct dialect *dialect, FILE *out);

/* The long table of the results, row by row. */
int delimited_records(GPtrArray *records, const struct render_options *o, const struct dialect *dialect, FILE *out);

/* The same as records come, so that none is kept. `o` and what it points to outlive the stream. NULL when a column is none. */
struct delimited;
struct delimited *delimited_begin(const struct render_options *o, const struct dialect *dialect, FILE *out);
void delimited_record(struct delimited *s, const struct record *r);
int delimited_end(struct delimited *s);

/* True when a spreadsheet would take the (plain) text for a formula. */
bool text_is_formula(const char *text);

#endif
