/*
 * Merged records as the table that people post: one key across, tests down.
 */
#ifndef RTREPORT_PIVOT_H
#define RTREPORT_PIVOT_H

#include "lib/compare.h"
#include "lib/table.h"

struct pivot_options {
	const GPtrArray *table, *row, *col;     /* struct key * */
	const GArray *statistics;               /* struct statistic */
	const char *unit;                       /* of times: "us" (NULL), "ns", "ms", "s", "auto" */
};

/*
 * records: merged by the keys of table, row and col; they stay the caller's. A table for each value of `table` and unit, in
 * which the best and the worst of each row are marked and what varies inside a cell has a footnote. Free with document_free.
 */
struct document *pivot_report(const GPtrArray *records, const struct pivot_options *o);

#endif
