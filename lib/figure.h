/*
 * Figures made ready for drawing: the filled bins of a distribution, gathered into few rows of equal width.
 */
#ifndef RTREPORT_FIGURE_H
#define RTREPORT_FIGURE_H

#include "lib/table.h"

struct figure_row {
	struct number lower, upper;     /* upper is exclusive; absent when there is one value a row */
	struct number count;            /* exact unless beyond 15 digits */
	double fraction;                /* 0..1: length of the bar, see figure_fraction */
};

/*
 * Where a count lies on a logarithmic axis that begins at half a sample, so that one sample is seen, and ends at `most`: 0..1.
 * Each power of ten has the same length.
 */
double figure_fraction(double count, double most);

/*
 * At most max_rows rows (struct figure_row) from the first filled bin to the last, empty ones between included. Their
 * width is a round number (1, 2 or 5 times a power of ten), or that of the bins when they are few. NULL when there is nothing to draw: no
 * bars, or values too far apart to count with. Caller unrefs.
 */
GArray *figure_rows(const struct figure *f, unsigned max_rows);

/* The sum of all bars, underflow and overflow. */
struct number figure_total(const struct figure *f);

#endif
