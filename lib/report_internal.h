/* What the files of the report share; not for others. */
#ifndef RTREPORT_REPORT_INTERNAL_H
#define RTREPORT_REPORT_INTERNAL_H

#include "lib/report.h"

/* A percentile of a series, printed or computed from its histogram. */
struct rank { const char *key; struct number value; bool computed; };

/* Of a series, ascending by key (struct rank); empty when there are none. Caller unrefs. */
GArray *series_ranks(const struct record *record, const struct series *s, bool compute);
int rank_key_cmp(const char *a, const char *b);

/* The unit for times that --unit asks for, "auto" settled over these records. A constant. */
const char *report_time_unit(struct record *const *records, guint n, const struct report_options *o);

/*
 * How the numbers of a series are shown: *unit its heading's unit (NULL: none), *exp10 the power of ten to scale by. Seconds stay
 * seconds: elapsed times are no latencies. A count has the unit "1", so that it is told from a number whose unit is not known.
 */
void series_scale(const struct series *s, const char *time_unit, const char **unit, int *exp10);

/* Digits after the point in which a series was printed, scaled; 0 when not known. */
int resolution_decimals(const struct series *s, int exp10);

/* Is the average derived (flag at it, or merged)? */
bool average_is_derived(const struct record *r, unsigned series);

/* Sets each number column's decimals: enough for all its numbers and for `least[column]`, or -1 when few need very many. */
void settle_decimals(struct table *t, const int *least);

/* "fifo", "100000": a fact's value; caller frees. */
char *fact_text(const struct fact *f);

/* "period_ns" 100000 as "period 100 us"; other keys as they are, with blanks. Caller frees. */
char *fact_phrase(const struct fact *f, const char *time_unit);

/* All settings as such phrases, joined by commas. Caller frees. */
char *settings_text(const struct record *r, const char *time_unit);

/* The long tables, one of each form (report_long.c). */
struct document *report_long(const GPtrArray *records, const struct report_options *o);

#endif
