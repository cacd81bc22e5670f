/*
 * Statistics: percentiles from histograms, and the tests on which verdicts rest. Published methods only; each
 * function names its source. Binary floating point is fine here: probabilities are judged, never printed as measured.
 */
#ifndef RTREPORT_STATS_H
#define RTREPORT_STATS_H

#include <glib.h>
#include "lib/record.h"

#define STATS_ALPHA 0.05                /* two-sided error that a verdict accepts */
#define STATS_EXACT_RUNS 50u            /* Mann-Whitney is exact up to this many runs on both sides together */

/* Where a percentile lies: lower <= value <= upper, in the series' unit. An absent end: no bound is known. */
struct bounds { struct number lower, upper; };

/*
 * The percentile p (0 < p <= 100) of the samples in h, by the nearest-rank rule: the least value that at least
 * p % of the samples do not exceed (Hyndman and Fan 1996, definition 1). A bin holds values from its lower
 * edge up to, but without, its upper edge. Samples in overflow lie above all bins of a run; in a merged histogram, whose
 * parts may have ended at different bins, they may lie anywhere, and the bounds allow for it.
 * min and max (may be absent) are the known extremes and tighten the bounds. False: no samples, or p out of range.
 */
bool stats_percentile(const struct histogram *h, struct number p, bool merged,
                      struct number min, struct number max, struct bounds *out);

/*
 * Where the percentile p of the process behind the samples lies with about 95 % confidence: the bounds of the samples whose
 * ranks are n p -+ 1.96 sqrt(n p (1 - p)) (order statistics: David and Nagaraja 2003, 7.1). False where fewer than five samples
 * are expected beyond the percentile on either side, since then those ranks say nothing.
 */
bool stats_percentile_interval(const struct histogram *h, struct number p, bool merged,
                               struct number min, struct number max, struct bounds *out);

/* The samples in h above `limit`: at least *least, at most *most (a bin that limit cuts counts for most only). */
void stats_exceedances(const struct histogram *h, bool merged, struct number limit, double *least, double *most);

/* Regularized incomplete gamma function P(a, x), a > 0, x >= 0 (DLMF 8.11.4 and 8.9.2). */
double stats_gamma_p(double a, double x);

/*
 * Exact confidence interval of a Poisson mean from `count` events, at `confidence` (0.95), equal tails
 * (Garwood 1936). No event: the interval begins at 0.
 */
void stats_poisson_interval(double count, double confidence, double *lower, double *upper);

/* The largest rate per sample that `samples` samples without an event leave possible, one-sided (Hanley and Lippman-Hand 1983). */
double stats_rate_limit(double samples, double confidence);

/*
 * Two counts of rare events with unlike exposure: two-sided p that their rates are equal, from the binomial
 * distribution of one count given both (Przyborowski and Wilenski 1940); the smaller tail doubled.
 */
double stats_poisson_compare(double count_a, double exposure_a, double count_b, double exposure_b);

/*
 * The chance, two-sided, that the `above` greatest of a_size + b_size values all come from side a when both
 * sides are alike: Rosenbaum 1954. 1 when above is 0.
 */
double stats_extreme_run(double above, double a_size, double b_size);
/* How many greatest values side a must hold for that chance to fall to alpha. */
double stats_extreme_run_needed(double a_size, double b_size, double alpha);

struct rank_test {
	double u;               /* Mann-Whitney U of side a: pairs where a is greater, ties count half */
	double p;               /* two-sided */
	double least_p;         /* the smallest p that so many runs can give */
	bool exact;             /* else normal approximation with ties and continuity corrected */
};
/*
 * Mann and Whitney 1947. Exact, ties included, while a_size + b_size <= STATS_EXACT_RUNS: the permutation
 * distribution of the midranks (Streitberg and Roehmel 1986). Sizes 0: p is 1.
 */
struct rank_test stats_mann_whitney(const double *a, unsigned a_size, const double *b, unsigned b_size);

/* The middle value, or the mean of the two middle ones, exactly. Sorts values. Absent when there is none. */
struct number stats_median(GArray *values);

#endif
