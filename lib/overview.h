/*
 * What a report of many records shows beside them: the pivot of what differs among them.
 */
#ifndef RTREPORT_OVERVIEW_H
#define RTREPORT_OVERVIEW_H

#include "lib/pivot.h"

/* Beyond these no one would read it, and it would cost more than the report itself. */
#define OVERVIEW_MAX_RECORDS 20000u
#define OVERVIEW_MAX_COLUMNS 64u
#define OVERVIEW_MAX_SERIES 4000u

/*
 * Boards across, or, when there are no two of them, kernels or loads; tests down; minimum, average
 * and maximum of each. NULL when the records have nothing of that in two values or more, or too
 * many. unit as in struct pivot_options. The records stay the caller's. Free with document_free.
 */
struct document *overview_new(const GPtrArray *records, const char *unit);

#endif
