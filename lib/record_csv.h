/*
 * Records from the long table that rtreport writes as CSV or TSV (formats/csv.c): one row per series. Values, units, labels and context
 * come back as they were; samples and histograms are not in such a table.
 */
#ifndef RTREPORT_RECORD_CSV_H
#define RTREPORT_RECORD_CSV_H

#include "lib/record.h"

/* True when the first line is the heading of such a table, in any dialect. */
bool record_csv_probe(const char *text, size_t len);

/* Calls each(record), which then owns it, and bad(line, message) for rows that hold no result. Both get `data`. */
void record_csv_walk(const char *text, size_t len, void (*each)(struct record *r, void *data),
                     void (*bad)(unsigned line, const char *message, void *data), void *data);

/* environment.config from "key=value", parted by `separator`. A part without '=' goes on with the value before it. */
void record_read_config(struct record *r, const char *text, const char *separator);

#endif
