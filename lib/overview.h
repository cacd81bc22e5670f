/*
 * What a report of many records shows beside them: the pivot of what differs among them. Records are told one by one and none is kept.
 */
#ifndef RTREPORT_OVERVIEW_H
#define RTREPORT_OVERVIEW_H

#include "lib/pivot.h"

/* Beyond these no one would read it, and it would cost more than the report itself. */
#define OVERVIEW_MAX_RECORDS 20000u
#define OVERVIEW_MAX_COLUMNS 64u
#define OVERVIEW_MAX_SERIES 4000u

struct overview;
struct overview *overview_new(void);
/* NULL is fine. */
void overview_free(struct overview *o);
/* r stays the caller's and may be freed at once. */
void overview_add(struct overview *o, const struct record *r);

/*
 * Boards across, or, when there are no two of them, kernels or loads; tests down; minimum, average
 * and maximum of each. NULL when the records have nothing of that in two values or more, or too
 * many. unit as in struct pivot_options. Free with document_free.
 */
struct document *overview_document(const struct overview *o, const char *unit);

#endif
