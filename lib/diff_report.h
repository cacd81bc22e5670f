/*
 * A comparison as a document: what the environments differ in, a table of values and one of counts for each new side, and
 * what found no partner.
 */
#ifndef RTREPORT_DIFF_REPORT_H
#define RTREPORT_DIFF_REPORT_H

#include "lib/compare.h"
#include "lib/table.h"

struct diff_options {
	struct judge_options judge;
	const char *unit;               /* of times: "us" (NULL), "ns", "ms", "s", "auto" */
	GArray *percentiles;            /* const char *: those to show beside what was printed; NULL: the usual ones */
	unsigned only;                  /* bits of enum judgement to show; 0: all */
};

/* Called for every statistic that is judged, whether it is shown or not. */
struct judged {
	const struct pair *pair;
	guint side;                     /* index of the new side */
	const struct statistic *what;
	const struct verdict_text *verdict;
};

/* Free with document_free. each may be NULL. */
struct document *diff_report(const struct comparison *c, const GPtrArray *pairs, const struct diff_options *o,
                             void (*each)(const struct judged *j, void *data), void *data);

/* "nanosleep jitter, priority 80, 4 threads": what tells a series apart; "" when nothing does. Caller g_frees. */
char *side_series_text(const struct side_series *s);

#endif
