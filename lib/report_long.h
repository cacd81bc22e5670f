/*
 * The long tables, row by row: columns that are the same for any records, so that rows can be written as they come,
 * and scripts can rely on them. Times are all in one unit; what is in another unit stands in the columns "other.…", beside its unit.
 */
#ifndef RTREPORT_REPORT_LONG_H
#define RTREPORT_REPORT_LONG_H

#include "lib/report.h"

struct long_table;

/* form is not REPORT_RESULTS. "auto" as unit is settled over the records. */
struct long_table *long_table_new(enum report_form form, const GPtrArray *records, const struct report_options *o);
void long_table_free(struct long_table *l);

/* A table without rows that has the columns; owned by l. */
struct table *long_table_header(struct long_table *l);

/* Keeps only the named columns, in the order given, as document_select does. NULL, or the first name that is none (caller frees). */
char *long_table_select(struct long_table *l, const char *names);

/* Shows each row of all records in order; cells live until `each` returns. */
void long_table_rows(struct long_table *l, void (*each)(const struct cell *row, void *data), void *data);

/* The same one record at a time: all rows of r. */
void long_table_record(struct long_table *l, const struct record *r, void (*each)(const struct cell *row, void *data), void *data);

/* The unit that its times are in. */
const char *long_table_unit(const struct long_table *l);

/* "Results", "Samples", …: what the form is called. */
const char *report_form_title(enum report_form form);

#endif
