/* Figures made ready for drawing. */
#include <math.h>
#include "lib/figure.h"

/* The bars' lower edges as integers in units of 10^exponent, and where they begin and end. */
struct scaled { int exponent; int64_t first, last; int64_t *lower; };

static bool to_integer(struct number n, int exponent, int64_t *out)
{
	int64_t v = n.coefficient;

	for (int e = n.exponent; e > exponent; e--)
		if (__builtin_mul_overflow(v, 10, &v) || v > INT64_MAX / 8 || v < INT64_MIN / 8)
			return false;
	*out = v;
	return true;
}

static bool scale_bars(const struct figure *f, struct scaled *s)
{
	s->exponent = 0;
	for (guint i = 0; i < f->bars->len; i++) {
		struct number n = g_array_index(f->bars, struct bar, i).lower;

		if (!number_is_set(n))
			return false;
		s->exponent = i ? MIN(s->exponent, n.exponent) : n.exponent;
	}
	s->lower = g_new(int64_t, f->bars->len);
	for (guint i = 0; i < f->bars->len; i++) {
		if (!to_integer(g_array_index(f->bars, struct bar, i).lower, s->exponent, &s->lower[i])) {
			g_free(s->lower);
			return false;
		}
	}
	s->first = s->lower[0];
	s->last = s->lower[f->bars->len - 1];
	return s->first <= s->last;
}

static int64_t floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

/* The least of 1, 2, 5 times a power of ten with which the span takes at most max_rows rows. */
static int64_t round_step(const struct scaled *s, unsigned max_rows)
{
	static const int mantissa[] = { 1, 2, 5 };

	for (int64_t power = 1; power < INT64_MAX / 100; power *= 10) {
		for (int i = 0; i < 3; i++) {
			int64_t step = power * mantissa[i];

			if (floor_div(s->last, step) - floor_div(s->first, step) < max_rows)
				return step;
		}
	}
	return 0;
}

static struct number from_integer(int64_t v, int exponent)
{
	return number_scale(number_int(v), exponent);
}

/* Few bins of one width are shown one a row, else rows are round steps. */
static int64_t row_step(const struct figure *f, const struct scaled *s, unsigned max_rows)
{
	int64_t step = 0, width;
	const struct bar *b = &g_array_index(f->bars, struct bar, 0);

	if (number_is_set(b->upper) &&
	    to_integer(number_sub(b->upper, b->lower), s->exponent, &width) && width > 0 &&
	    (s->last - s->first) % width == 0 && s->first % width == 0 && (s->last - s->first) / width < max_rows)
		step = width;
	return step ? step : round_step(s, max_rows);
}

double figure_fraction(double count, double most)
{
	return count > 0 && most > 0 ? CLAMP(log(2 * count) / log(2 * MAX(most, 1)), 0, 1) : 0;
}

static void set_fractions(GArray *rows)
{
	double most = 0;

	for (guint i = 0; i < rows->len; i++)
		most = MAX(most, number_to_double(g_array_index(rows, struct figure_row, i).count));
	for (guint i = 0; i < rows->len; i++) {
		struct figure_row *r = &g_array_index(rows, struct figure_row, i);

		r->fraction = figure_fraction(number_to_double(r->count), most);
	}
}

GArray *figure_rows(const struct figure *f, unsigned max_rows)
{
	struct scaled s;

	if (!f->bars->len || !max_rows || !scale_bars(f, &s))
		return NULL;

	int64_t step = row_step(f, &s, max_rows);
	GArray *rows = NULL;

	if (step) {
		int64_t base = floor_div(s.first, step);
		unsigned n = floor_div(s.last, step) - base + 1;

		rows = g_array_sized_new(FALSE, TRUE, sizeof(struct figure_row), n);
		g_array_set_size(rows, n);
		for (unsigned i = 0; i < n; i++) {
			struct figure_row *r = &g_array_index(rows, struct figure_row, i);

			r->lower = from_integer((base + i) * step, s.exponent);
			r->upper = from_integer((base + i + 1) * step, s.exponent);
			r->count = number_int(0);
		}
		for (guint i = 0; i < f->bars->len; i++) {
			int64_t at = floor_div(s.lower[i], step) - base;

			if (at >= 0 && at < n) {        /* always, when bars ascend */
				struct figure_row *r = &g_array_index(rows, struct figure_row, at);

				r->count = number_add(r->count, g_array_index(f->bars, struct bar, i).count);
			}
		}
		set_fractions(rows);
	}
	g_free(s.lower);
	return rows;
}

struct number figure_total(const struct figure *f)
{
	struct number total = number_int(0);

	for (guint i = 0; i < f->bars->len; i++) {
		struct number n = g_array_index(f->bars, struct bar, i).count;

		if (number_is_set(n))
			total = number_add(total, n);
	}
	if (number_is_set(f->underflow))
		total = number_add(total, f->underflow);
	if (number_is_set(f->overflow))
		total = number_add(total, f->overflow);
	return total;
}
