/* Percentiles, exact intervals and rank tests: see the header for the sources. */
#include <math.h>
#include <string.h>
#include "lib/stats.h"

#define GAMMA_ROUNDS 100000
#define BISECTIONS 200

/* GCC and Clang have it on every 64-bit target; -Wpedantic wants to be told. */
__extension__ typedef __int128 wide;

static const struct number absent;

/* Counts are below 10^15, so their products with a percentile stay in 128 bits. */
static wide whole(struct number n)
{
	wide v = n.coefficient;

	if (!number_is_set(n) || n.exponent < 0 || n.exponent > 15)
		return 0;
	for (int i = 0; i < n.exponent; i++)
		v *= 10;
	return v;
}

static struct number bin_upper(const struct histogram *h, const struct bin *b)
{
	return number_is_set(h->bin_width) ? number_add(b->lower, h->bin_width) : b->upper;
}

/* ceil(p * total / 100), or 0 when p is no percentile. */
static wide percentile_rank(struct number p, wide total)
{
	wide numerator, divisor = 100;

	if (!number_is_set(p) || p.coefficient <= 0 || p.exponent < -9 || p.exponent > 2)
		return 0;
	numerator = p.coefficient;
	for (int i = 0; i < p.exponent; i++)
		numerator *= 10;
	for (int i = 0; i > p.exponent; i--)
		divisor *= 10;
	if (numerator > divisor)
		return 0;
	numerator *= total;
	return (numerator + divisor - 1) / divisor;
}

static struct number tighter_lower(struct number bound, struct number min)
{
	if (!number_is_set(bound))
		return min;
	return number_is_set(min) && number_cmp(min, bound) > 0 ? min : bound;
}

static struct number tighter_upper(struct number bound, struct number max)
{
	if (!number_is_set(bound))
		return max;
	return number_is_set(max) && number_cmp(max, bound) < 0 ? max : bound;
}

/* The place of the sample of this rank among underflow, bins and overflow, overflow being above all bins. */
static struct bounds place_of_rank(const struct histogram *h, wide rank)
{
	struct bounds place = { absent, absent };
	wide seen = whole(h->underflow);

	if (rank <= seen) {
		if (h->bins->len)
			place.upper = g_array_index(h->bins, struct bin, 0).lower;
		return place;
	}
	for (guint i = 0; i < h->bins->len; i++) {
		const struct bin *b = &g_array_index(h->bins, struct bin, i);

		seen += whole(b->count);
		place.lower = b->lower;
		place.upper = bin_upper(h, b);
		if (rank <= seen)
			return place;
	}
	place.lower = place.upper;
	place.upper = absent;
	return place;
}

static wide total_of(const struct histogram *h)
{
	wide total = whole(h->underflow) + whole(h->overflow);

	for (guint i = 0; i < h->bins->len; i++)
		total += whole(g_array_index(h->bins, struct bin, i).count);
	return total;
}

static struct bounds bounds_of_rank(const struct histogram *h, wide rank, bool merged, struct number min, struct number max)
{
	struct bounds b = place_of_rank(h, rank);

	if (merged && whole(h->overflow) > 0) {
		wide low_rank = rank - whole(h->overflow);

		/* All of the overflow below the rank: the sample may lie as low as this. */
		b.lower = low_rank > 0 ? place_of_rank(h, low_rank).lower : absent;
	}
	if (merged && whole(h->underflow) > 0) {
		/* Values below the first bin of one part may lie among the bins of another. */
		b.upper = place_of_rank(h, rank + whole(h->underflow)).upper;
	}
	b.lower = tighter_lower(b.lower, min);
	b.upper = tighter_upper(b.upper, max);
	return b;
}

bool stats_percentile(const struct histogram *h, struct number p, bool merged,
                      struct number min, struct number max, struct bounds *out)
{
	wide total = total_of(h), rank = percentile_rank(p, total);

	if (total <= 0 || rank <= 0)
		return false;
	*out = bounds_of_rank(h, rank, merged, min, max);
	return true;
}

bool stats_percentile_interval(const struct histogram *h, struct number p, bool merged,
                               struct number min, struct number max, struct bounds *out)
{
	wide total = total_of(h), rank = percentile_rank(p, total), reach;
	double n = (double)total, share = number_to_double(p) / 100;

	if (total <= 0 || rank <= 0 || n * share < 5 || n * (1 - share) < 5)
		return false;
	reach = (wide)ceil(1.959964 * sqrt(n * share * (1 - share)));
	out->lower = bounds_of_rank(h, MAX(rank - reach, 1), merged, min, max).lower;
	out->upper = bounds_of_rank(h, MIN(rank + reach, total), merged, min, max).upper;
	return true;
}

void stats_exceedances(const struct histogram *h, bool merged, struct number limit, double *least, double *most)
{
	*least = *most = 0;
	for (guint i = 0; i < h->bins->len; i++) {
		const struct bin *b = &g_array_index(h->bins, struct bin, i);
		struct number upper = bin_upper(h, b);
		double count = number_to_double(b->count);

		if (number_cmp(b->lower, limit) > 0)
			*least += count;
		if (!number_is_set(upper) || number_cmp(upper, limit) > 0)
			*most += count;
	}
	if (number_is_set(h->overflow)) {
		const struct bin *last = h->bins->len ? &g_array_index(h->bins, struct bin, h->bins->len - 1) : NULL;
		struct number end = last ? bin_upper(h, last) : absent;
		double count = number_to_double(h->overflow);

		*most += count;
		if (!merged && number_is_set(end) && number_cmp(end, limit) > 0)
			*least += count;
	}
	if (merged && number_is_set(h->underflow))
		*most += number_to_double(h->underflow);
}

/* DLMF 8.11.4: converges fast below x = a + 1. */
static double gamma_series(double a, double x)
{
	double term = 1 / a, sum = term;

	for (int i = 1; i < GAMMA_ROUNDS; i++) {
		term *= x / (a + i);
		sum += term;
		if (term < sum * 1e-16)
			break;
	}
	return sum * exp(a * log(x) - x - lgamma(a));
}

/* DLMF 8.9.2, evaluated by the modified Lentz method (Thompson and Barnett 1986). */
static double gamma_fraction(double a, double x)
{
	const double tiny = 1e-300;
	double b = x + 1 - a, c = 1 / tiny, d = 1 / b, value = d;

	for (int i = 1; i < GAMMA_ROUNDS; i++) {
		double an = -i * (i - a), step;

		b += 2;
		d = an * d + b;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = b + an / c;
		c = fabs(c) < tiny ? tiny : c;
		step = c * d;
		value *= step;
		if (fabs(step - 1) < 1e-15)
			break;
	}
	return value * exp(a * log(x) - x - lgamma(a));
}

double stats_gamma_p(double a, double x)
{
	if (!(x > 0) || !(a > 0))
		return 0;
	return x < a + 1 ? gamma_series(a, x) : 1 - gamma_fraction(a, x);
}

/* The x at which P(a, x) = p. */
static double gamma_p_inverse(double a, double p)
{
	double low = 0, high = a + 1;

	for (int i = 0; i < BISECTIONS && stats_gamma_p(a, high) < p; i++)
		high *= 2;
	for (int i = 0; i < BISECTIONS && high - low > 1e-12 * high; i++) {
		double middle = (low + high) / 2;

		if (stats_gamma_p(a, middle) < p)
			low = middle;
		else
			high = middle;
	}
	return (low + high) / 2;
}

void stats_poisson_interval(double count, double confidence, double *lower, double *upper)
{
	double tail = (1 - confidence) / 2;

	*lower = count > 0 ? gamma_p_inverse(count, tail) : 0;
	*upper = gamma_p_inverse(count + 1, 1 - tail);
}

double stats_rate_limit(double samples, double confidence)
{
	return samples > 0 ? -log(1 - confidence) / samples : INFINITY;
}

/* P(X <= k) for X binomial(n, q), summed in logarithms from the largest term's side. */
static double binomial_cdf(double k, double n, double q)
{
	double sum = 0;

	if (k < 0)
		return 0;
	if (k >= n)
		return 1;
	for (double i = k; i >= 0; i--) {
		double term = exp(lgamma(n + 1) - lgamma(i + 1) - lgamma(n - i + 1) + i * log(q) + (n - i) * log1p(-q));

		sum += term;
		if (i < n * q && term < sum * 1e-17)
			break;
	}
	return MIN(sum, 1.0);
}

double stats_poisson_compare(double count_a, double exposure_a, double count_b, double exposure_b)
{
	double n = count_a + count_b, q, low, high;

	if (!(exposure_a > 0) || !(exposure_b > 0) || n <= 0)
		return 1;
	q = exposure_a / (exposure_a + exposure_b);
	if (n > 100000) {
		/* So many events are near enough normal: the sum above would take long. */
		double z = (fabs(count_a - n * q) - 0.5) / sqrt(n * q * (1 - q));

		return z > 0 ? erfc(z / sqrt(2)) : 1;
	}
	low = binomial_cdf(count_a, n, q);
	high = binomial_cdf(count_b, n, 1 - q);
	return MIN(1.0, 2 * MIN(low, high));
}

double stats_extreme_run(double above, double a_size, double b_size)
{
	double p = 1, total = a_size + b_size;

	if (above > a_size)
		return 1;
	for (double i = 0; i < above; i++) {
		p *= (a_size - i) / (total - i);
		if (p < 1e-12)
			break;
	}
	return MIN(1.0, 2 * p);
}

double stats_extreme_run_needed(double a_size, double b_size, double alpha)
{
	double p = 2, total = a_size + b_size, n = 0;

	while (p > alpha && n < a_size && n < 1e6) {
		p *= (a_size - n) / (total - n);
		n++;
	}
	return p > alpha ? INFINITY : n;
}

struct ranked { double value; unsigned twice_rank; bool from_a; };

static int by_value(const void *x, const void *y)
{
	const struct ranked *a = x, *b = y;

	return (a->value > b->value) - (a->value < b->value);
}

/* Midranks, doubled so that they are whole. Returns the sum over ties of t^3 - t. */
static double rank_all(struct ranked *all, unsigned n)
{
	double ties = 0;

	qsort(all, n, sizeof(*all), by_value);
	for (unsigned i = 0, end; i < n; i = end) {
		double t;

		for (end = i + 1; end < n && all[end].value == all[i].value; end++)
			;
		t = end - i;
		ties += t * t * t - t;
		for (unsigned j = i; j < end; j++)
			all[j].twice_rank = i + 1 + end;
	}
	return ties;
}

/*
 * Of all ways to pick `pick` of the n ranks, the share whose sum lies at least as far from the mean as `sum` does,
 * and the share at the farthest sum. ways[k][s]: how many subsets of k ranks have the sum s.
 */
static void permutation_p(const struct ranked *all, unsigned n, unsigned pick, unsigned sum, double *p, double *least)
{
	unsigned top = n * (n + 1), mean = pick * (n + 1);     /* doubled ranks: their sum and the mean of a subset */
	double *ways = g_new0(double, (size_t)(pick + 1) * (top + 1));
	double total = 0, far = 0, farthest = 0;
	unsigned distance = sum > mean ? sum - mean : mean - sum, widest = 0;

	ways[0] = 1;
	for (unsigned i = 0; i < n; i++) {
		unsigned r = all[i].twice_rank;

		for (unsigned k = MIN(pick, i + 1); k > 0; k--) {
			double *to = ways + (size_t)k * (top + 1);
			const double *from = ways + (size_t)(k - 1) * (top + 1);

			for (unsigned s = top; s >= r; s--)
				to[s] += from[s - r];
		}
	}
	for (unsigned s = 0; s <= top; s++) {
		double w = ways[(size_t)pick * (top + 1) + s];
		unsigned d = s > mean ? s - mean : mean - s;

		total += w;
		if (d >= distance)
			far += w;
		if (w > 0 && d > widest) {
			widest = d;
			farthest = 0;
		}
		if (d == widest)
			farthest += w;
	}
	*p = far / total;
	*least = farthest / total;
	g_free(ways);
}

struct rank_test stats_mann_whitney(const double *a, unsigned a_size, const double *b, unsigned b_size)
{
	struct rank_test t = { .p = 1, .least_p = 1 };
	unsigned n = a_size + b_size, sum = 0;
	struct ranked *all;
	double ties, product = (double)a_size * b_size;

	if (!a_size || !b_size)
		return t;
	all = g_new0(struct ranked, n);
	for (unsigned i = 0; i < n; i++)
		all[i] = (struct ranked) { .value = i < a_size ? a[i] : b[i - a_size], .from_a = i < a_size };
	ties = rank_all(all, n);
	for (unsigned i = 0; i < n; i++)
		if (all[i].from_a)
			sum += all[i].twice_rank;
	t.u = sum / 2.0 - a_size * (a_size + 1.0) / 2;
	t.exact = n <= STATS_EXACT_RUNS;
	if (t.exact) {
		permutation_p(all, n, a_size, sum, &t.p, &t.least_p);
	} else {
		double variance = product / 12 * (n + 1 - ties / ((double)n * (n - 1)));
		double z = fabs(t.u - product / 2) - 0.5;

		t.p = variance > 0 && z > 0 ? erfc(z / sqrt(variance) / sqrt(2)) : 1;
		t.least_p = 0;
	}
	g_free(all);
	return t;
}

static gint compare_numbers(gconstpointer a, gconstpointer b)
{
	return number_cmp(*(const struct number *)a, *(const struct number *)b);
}

struct number stats_median(GArray *values)
{
	const struct number *v = (const struct number *)(void *)values->data;
	guint n = values->len;

	if (!n)
		return absent;
	g_array_sort(values, compare_numbers);
	if (n % 2)
		return v[n / 2];
	return number_div(number_add(v[n / 2 - 1], v[n / 2]), number_int(2));
}
