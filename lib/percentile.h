/*
 * Percentiles from a histogram, by nearest rank: the p-th percentile of n samples is in the first bin at which at
 * least ceil(p/100 * n) samples have been counted, underflow included. Its value is that bin's lower edge, so the
 * exact value lies between it and the bin's upper edge.
 */
#ifndef RTREPORT_PERCENTILE_H
#define RTREPORT_PERCENTILE_H

#include "lib/record.h"

enum percentile_status {
	PERCENTILE_OK,
	PERCENTILE_BELOW,       /* the rank falls into the underflow: less than the first bin */
	PERCENTILE_ABOVE,       /* into the overflow: at or above the end of the bins */
	PERCENTILE_FEW,         /* fewer than 1 / (1 - p/100) samples: it would only repeat the maximum */
	PERCENTILE_NONE         /* no samples, counts that are no whole numbers, or a percent outside 0..100 */
};

/* *lower (and *upper, where the width is known; upper may be NULL) of the bin; absent unless PERCENTILE_OK. */
enum percentile_status histogram_percentile(const struct histogram *h, struct number percent,
                                            struct number *lower, struct number *upper);

#endif
