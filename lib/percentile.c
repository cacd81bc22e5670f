/* Percentiles from a histogram, by nearest rank. */
#include "lib/percentile.h"

__extension__ typedef unsigned __int128 wide;

/* A count as a whole number; false when it is none or is not set. */
static bool whole(struct number n, uint64_t *out)
{
	if (!number_is_set(n) || n.coefficient < 0 || n.exponent < 0)
		return false;
	uint64_t v = (uint64_t)n.coefficient;
	for (int e = n.exponent; e > 0; e--)
		if (__builtin_mul_overflow(v, 10, &v))
			return false;
	*out = v;
	return true;
}

static bool whole_or_absent(struct number n, uint64_t *out)
{
	*out = 0;
	return !number_is_set(n) || whole(n, out);
}

/* percent/100 as part / 10^digits, with digits <= 15. */
static bool fraction(struct number percent, uint64_t *part, uint64_t *whole_of)
{
	if (!number_is_set(percent) || percent.coefficient < 0 || percent.exponent < -13 || percent.exponent > 2)
		return false;
	*part = (uint64_t)percent.coefficient;
	*whole_of = 1;
	for (int e = percent.exponent - 2; e < 0; e++)
		*whole_of *= 10;
	return *part <= *whole_of;
}

static bool add_up(const struct histogram *h, uint64_t *under, uint64_t *total)
{
	uint64_t over;

	if (!whole_or_absent(h->underflow, under) || !whole_or_absent(h->overflow, &over) ||
	    __builtin_add_overflow(*under, over, total))
		return false;
	for (guint i = 0; i < h->bins->len; i++) {
		uint64_t n;

		if (!whole(g_array_index(h->bins, struct bin, i).count, &n) || __builtin_add_overflow(*total, n, total))
			return false;
	}
	return *total > 0;
}

static enum percentile_status locate(const struct histogram *h, uint64_t seen, uint64_t rank,
                                     struct number *lower, struct number *upper)
{
	if (rank <= seen)
		return seen ? PERCENTILE_BELOW : PERCENTILE_NONE;
	for (guint i = 0; i < h->bins->len; i++) {
		const struct bin *b = &g_array_index(h->bins, struct bin, i);
		uint64_t n = 0;

		whole(b->count, &n);
		seen += n;
		if (seen < rank)
			continue;
		*lower = b->lower;
		if (upper && number_is_set(b->upper))
			*upper = b->upper;
		else if (upper)
			*upper = number_add(b->lower, h->bin_width);
		return PERCENTILE_OK;
	}
	return PERCENTILE_ABOVE;
}

enum percentile_status histogram_percentile(const struct histogram *h, struct number percent,
                                            struct number *lower, struct number *upper)
{
	uint64_t part, of, under, total;

	*lower = number_absent();
	if (upper)
		*upper = number_absent();
	if (!fraction(percent, &part, &of) || !add_up(h, &under, &total))
		return PERCENTILE_NONE;
	/* Fewer than one sample beyond the rank: n * (1 - p) < 1. */
	if ((wide)total * (of - part) < of)
		return PERCENTILE_FEW;

	uint64_t rank = (uint64_t)(((wide)total * part + of - 1) / of);
	return locate(h, under, rank ? rank : 1, lower, upper);
}
