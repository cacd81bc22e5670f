/*
 * Merged records as a table: a row per series of a group.
 */
#ifndef RTREPORT_GROUP_REPORT_H
#define RTREPORT_GROUP_REPORT_H

#include "lib/identity.h"
#include "lib/table.h"

struct group_options {
	const char *unit;               /* of times: "us" (NULL), "ns", "ms", "s", "auto" */
	GArray *percentiles;            /* const char *; NULL: the usual ones */
};

/* records: merged ones, which stay the caller's. Free with document_free. */
struct document *group_report(const GPtrArray *records, const GPtrArray *by, const struct group_options *o);

/*
 * What tells a merged series apart, for people: "nanosleep jitter, priority 80, interval 1000 us, load idle, 4 threads"; "" when
 * nothing does. Caller g_frees.
 */
char *group_series_text(const struct record *r, const struct series *s, bool load, bool threads);

/* The unit in which a series of this unit and greatest value is shown, and the scale to it. "" for none. */
const char *shown_unit(const char *wanted, const char *unit, struct number greatest, int *exp10);
/* A percentile for people: one value, "a to b", or ">= a"; in the shown unit. */
struct cell;
void put_percentile(struct cell *cell, const struct series *s, bool merged, const char *percentile, int exp10);

#endif
