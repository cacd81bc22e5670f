/*
 * Comparing: sides (one an input, the first is the base), their series paired by identity, and verdicts with reasons.
 *
 * How a statistic is judged, the first rule that decides:
 *   1. one side lacks it, or its unit is not known: incomparable
 *   2. equal, or apart by no more than the coarser resolution: same
 *   3. the quantity is none of which less is better: different
 *   4. a maximum: lower only counts if the new run's exposure (count, else duration, else rows) is at least the base's, higher
 *      only if it is at most; else inconclusive
 *   5. two or more runs on both sides: Mann-Whitney on the runs' values, where so many runs can give p <= 0.05
 *   6. histograms on both sides: a maximum by the samples above the other side's maximum (Rosenbaum's run of extremes), a
 *      percentile by confidence intervals that do not meet
 *   7. counts (overruns) with exposure: the exact comparison of two Poisson rates
 *   8. else the change must exceed --min-effect (and with more runs than one, all values of one side must lie below the other's)
 */
#ifndef RTREPORT_COMPARE_H
#define RTREPORT_COMPARE_H

#include "lib/merge.h"
#include "lib/select.h"
#include "lib/stats.h"

enum judgement { JUDGED_BETTER, JUDGED_WORSE, JUDGED_DIFFERENT, JUDGED_SAME, JUDGED_INCONCLUSIVE, JUDGED_INCOMPARABLE, JUDGEMENTS };
const char *judgement_name(enum judgement j);           /* "better", … */
bool judgement_parse(const char *name, enum judgement *out);

enum exposure_kind { EXPOSURE_NONE, EXPOSURE_COUNT, EXPOSURE_SECONDS, EXPOSURE_ROWS };
struct exposure { enum exposure_kind kind; struct number amount; };

/* One run's values of a series, its threads folded. */
struct run_values { struct number field[FIELD_SERIES_END]; };

struct side_series {
	const struct record *record;    /* merged over the side's runs; owned by the side */
	const struct series *series;
	GArray *runs;                   /* struct run_values: of the runs that are known one by one */
	unsigned run_count;             /* all runs, those inside merged records too */
	struct exposure exposure;
	bool exposure_mixed;            /* the runs state it in different ways, or some not at all */
	GArray *percentiles;            /* struct printed: as printed by the only run, or NULL */
	char *label_text;               /* "cyclictest (user-task)" */
	guint order;                    /* of first appearance */
};
struct printed { char *key; struct number value; };

struct side {
	char *label;
	uint64_t records;
	GPtrArray *merged;              /* struct record *, after comparison_finish */
	GHashTable *series;             /* GBytes -> struct side_series * */
	GPtrArray *keys;                /* GBytes *, in order of appearance */
	GHashTable *facts;              /* char * -> GPtrArray of char *: distinct values of each fact, at most FACT_VALUES + 1 */
	struct merge *total;
};
#define FACT_VALUES 4u

struct comparison {
	const struct identity *id;
	GPtrArray *sides;               /* struct side * */
};

struct pair {
	GBytes *key;
	const struct side_series **side;        /* as many as sides; NULL: not measured there */
};

struct comparison *comparison_new(const struct identity *id);
void comparison_free(struct comparison *c);
struct side *comparison_side(struct comparison *c, const char *label);
/* The side of this label, made if need be. */
struct side *comparison_find(struct comparison *c, const char *label);
/* r stays the caller's. */
void comparison_add(struct comparison *c, struct side *side, const struct record *r);
/* After the last record: the pairs, in order of appearance; free with g_ptr_array_unref. */
GPtrArray *comparison_finish(struct comparison *c);

/* A statistic of a series: a field, or a percentile. */
struct statistic { enum field field; const char *percentile; }; /* percentile: "99.9", then field does not count */
bool statistic_parse(const char *text, size_t len, struct statistic *out);      /* percentile points to an interned string */
char *statistic_name(const struct statistic *s);        /* caller frees */

/*
 * A value with its doubt. bounds only for percentiles from bins: both ends set and no further apart than the bin's width
 * leave `value` set to the lower edge, as tools print such values.
 */
struct measured {
	struct number value;
	struct bounds bounds;
	struct number step;             /* the resolution of value, or absent */
	bool known;                     /* the side has it, if only as bounds */
};
void side_measure(const struct side_series *s, const struct statistic *what, struct measured *out);

struct judge_options {
	struct quantity min_effect;     /* number not set: 10 % */
};

struct verdict_text {
	enum judgement judgement;
	char *reason;                   /* short: "one run each"; NULL: none needed */
	char *advice;                   /* how it could be settled, or what stands behind it; or NULL */
	struct number change;           /* new - base, in the series' unit; absent when there is none */
	struct number percent;          /* of base, not rounded; absent when base is not positive */
};
void judge(const struct side_series *base, const struct side_series *new, const struct statistic *what,
           const struct judge_options *o, struct verdict_text *out);
void verdict_clear(struct verdict_text *v);

/* Is less better for this series? Latency, jitter, noise, overruns, elapsed time. */
bool lower_is_better(const struct series *s, const struct statistic *what);

#endif
