/* The numbers of a plot, as gnuplot reads them: exact decimals, "?" where there is none. */
#include "lib/plot_internal.h"

#define MAX_POINTS 2000u        /* rows over time that a picture can tell apart */
#define MAX_STEPS 1500          /* bins from the first to the last of which the same is true, */
#define STEPS 400u              /* and into how many they are gathered then */

static void put(GString *out, struct number n, int exp10)
{
	char text[NUMBER_TEXT];

	if (number_is_set(n))
		n = number_scale(n, exp10);
	g_string_append_printf(out, " %s", number_is_set(n) ? number_print(n, text) : "?");
}

static struct number upper_of(const struct histogram *h, const struct bin *b)
{
	return number_is_set(h->bin_width) ? number_add(b->lower, h->bin_width) : b->upper;
}

static const struct bin *bin_at(const struct histogram *h, guint i)
{
	return i < h->bins->len ? &g_array_index(h->bins, struct bin, i) : NULL;
}

static void take_extreme(struct number *extreme, struct number n, int sign)
{
	if (number_is_set(n) && (!number_is_set(*extreme) || number_cmp(n, *extreme) * sign > 0))
		*extreme = n;
}

/* The least of 1, 2, 5 times a power of ten that is at least n, which is above 0. */
static struct number round_up(struct number n)
{
	static const int mantissa[] = { 1, 2, 5 };

	for (int power = -NUMBER_DIGITS; power < NUMBER_DIGITS; power++) {
		for (guint i = 0; i < G_N_ELEMENTS(mantissa); i++) {
			struct number step = number_scale(number_int(mantissa[i]), power);

			if (number_cmp(step, n) >= 0)
				return step;
		}
	}
	return number_absent();
}

struct number plot_step(const struct plot *p)
{
	struct number first = number_absent(), last = number_absent();
	bool fine = false;

	for (guint i = 0; i < p->curves->len; i++) {
		const struct curve *c = plot_curve(p, i);
		const struct histogram *h = c->series->histogram;
		struct number a = bin_at(h, 0)->lower, b = bin_at(h, h->bins->len - 1)->lower,
			      span = number_sub(b, a);

		fine |= number_is_set(h->bin_width) && number_is_set(span) &&
		        number_cmp(span, number_mul(h->bin_width, number_int(MAX_STEPS))) > 0;
		take_extreme(&first, number_scale(a, c->exp10), -1);
		take_extreme(&last, number_scale(b, c->exp10), 1);
	}
	return fine ? round_up(number_div(number_sub(last, first), number_int(STEPS)))
	            : number_absent();
}

/* The greatest multiple of step that is not above n. */
static struct number round_down(struct number n, struct number step)
{
	struct number times = number_round(number_div(n, step), 0), at = number_mul(times, step);

	return number_cmp(at, n) > 0 ? number_sub(at, step) : at;
}

/* Does each bin lie in one step? */
static bool fits_steps(const struct plot *p, const struct curve *c)
{
	struct number width = c->series->histogram->bin_width, times;

	if (p->kind != PLOT_HISTOGRAM || !number_is_set(p->step) || !number_is_set(width))
		return false;
	times = number_div(p->step, number_scale(width, c->exp10));
	return number_is_set(times) && number_cmp(times, number_int(0)) > 0 &&
	       number_equal(times, number_round(times, 0));
}

/* The bins gathered into steps of the plot, as a histogram in its unit. Caller frees. */
static struct histogram *gathered(const struct plot *p, const struct curve *c)
{
	struct histogram *h = histogram_new();
	const struct histogram *from = c->series->histogram;

	h->bin_width = p->step;
	for (guint i = 0; i < from->bins->len; i++)
		histogram_add(h,
		              round_down(number_scale(bin_at(from, i)->lower, c->exp10), p->step),
		              number_absent(), bin_at(from, i)->count);
	return h;
}

/* What is drawn of a histogram and the scale of its edges. *own: to be freed, or NULL. */
static const struct histogram *drawn_bins(const struct plot *p, const struct curve *c, struct histogram **own, int *exp10)
{
	*own = fits_steps(p, c) ? gathered(p, c) : NULL;
	*exp10 = *own ? 0 : c->exp10;
	return *own ? *own : c->series->histogram;
}

double plot_greatest_count(const struct plot *p)
{
	struct number most = number_int(0);

	for (guint i = 0; i < p->curves->len; i++) {
		struct histogram *own;
		int exp10;
		const struct histogram *h = drawn_bins(p, plot_curve(p, i), &own, &exp10);

		for (guint k = 0; k < h->bins->len; k++)
			take_extreme(&most, bin_at(h, k)->count, 1);
		histogram_free(own);
	}
	return number_to_double(most);
}

bool plot_span(const struct plot *p, struct span *out)
{
	*out = (struct span){ number_absent(), number_absent(), number_absent() };
	for (guint i = 0; i < p->curves->len; i++) {
		struct histogram *own;
		int exp10;
		const struct histogram *h = drawn_bins(p, plot_curve(p, i), &own, &exp10);
		const struct bin *last = bin_at(h, h->bins->len - 1);

		take_extreme(&out->first, number_scale(bin_at(h, 0)->lower, exp10), -1);
		take_extreme(&out->last, number_scale(last->lower, exp10), 1);
		take_extreme(&out->last, number_scale(upper_of(h, last), exp10), 1);
		take_extreme(&out->width, number_scale(number_sub(upper_of(h, last), last->lower), exp10), -1);
		histogram_free(own);
	}
	return number_is_set(out->first) && number_is_set(out->width) && number_cmp(out->width, number_int(0)) > 0;
}

/*
 * "lower count" a bin, and "upper 0" where no bin follows at once. The outline begins on the axis:
 * "lower 0".
 */
static void put_bins(const struct histogram *h, int exp10, GString *out)
{
	put(out, bin_at(h, 0)->lower, exp10);
	g_string_append(out, " 0\n");
	for (guint i = 0; i < h->bins->len; i++) {
		const struct bin *b = bin_at(h, i), *next = bin_at(h, i + 1);
		struct number upper = upper_of(h, b);

		put(out, b->lower, exp10);
		put(out, b->count, 0);
		g_string_append_c(out, '\n');
		if (number_is_set(upper) && (!next || number_cmp(upper, next->lower) < 0)) {
			put(out, upper, exp10);
			g_string_append(out, " 0\n");
		}
	}
}

static void put_histogram(const struct plot *p, const struct curve *c, GString *out)
{
	struct histogram *own;
	int exp10;
	const struct histogram *h = drawn_bins(p, c, &own, &exp10);

	put_bins(h, exp10, out);
	histogram_free(own);
}

static void put_tail_row(GString *out, struct number x, int exp10, struct number above,
                         struct number total)
{
	put(out, x, exp10);
	put(out, above, 0);
	put(out, number_div(above, total), 0);
	g_string_append_c(out, '\n');
}

/*
 * "edge samples share": how many samples lie at or above each edge of a bin. Those in overflow
 * count as above all edges, so that of merged histograms, where they may lie lower, it is the most
 * there can be.
 */
static void put_tail(const struct curve *c, GString *out)
{
	const struct histogram *h = c->series->histogram;
	struct number total = histogram_total(h), above = total;

	if (number_is_set(h->underflow))
		above = number_sub(above, h->underflow);
	for (guint i = 0; i < h->bins->len; i++) {
		const struct bin *b = bin_at(h, i), *next = bin_at(h, i + 1);
		struct number upper = upper_of(h, b);

		put_tail_row(out, b->lower, c->exp10, above, total);
		above = number_sub(above, b->count);
		if (number_is_set(upper) && (!next || number_cmp(upper, next->lower) < 0))
			put_tail_row(out, upper, c->exp10, above, total);
	}
}

static bool has_column(const struct series *s, enum field f)
{
	for (unsigned c = 0; s->samples && c < s->samples->columns; c++)
		if (s->samples->column[c] == f)
			return true;
	return false;
}

static enum field first_column(const struct series *s, enum field a, enum field b, enum field c)
{
	if (has_column(s, a))
		return a;
	if (b != FIELD_END && has_column(s, b))
		return b;
	return c != FIELD_END && has_column(s, c) ? c : FIELD_END;
}

struct sample_columns plot_sample_columns(const struct series *s)
{
	return (struct sample_columns){
		first_column(s, FIELD_MIN, FIELD_END, FIELD_END),
		first_column(s, FIELD_AVG, FIELD_VALUE, FIELD_INNER),
		first_column(s, FIELD_MAX, FIELD_OUTER, FIELD_END),
	};
}

guint plot_rows_a_point(const struct series *s)
{
	return (series_sample_rows(s) + MAX_POINTS - 1) / MAX_POINTS;
}

/* The least, the mean and the greatest of rows [from, to). */
static void put_sample_row(const struct curve *c, struct sample_columns k, guint from, guint to,
                           GString *out)
{
	struct number low = number_absent(), middle = number_absent(), high = number_absent();
	struct number_sum *sum = number_sum_new(), *n = number_sum_new();

	for (guint i = from; i < to; i++) {
		struct number m = series_sample(c->series, i, k.middle);

		take_extreme(&low, series_sample(c->series, i, k.low), -1);
		take_extreme(&high, series_sample(c->series, i, k.high), 1);
		if (!number_is_set(m))
			continue;
		number_sum_add(sum, m, number_int(1));
		number_sum_add(n, number_int(1), number_int(1));
		middle = m;
	}
	/* Of one row the value itself: nothing is computed. */
	if (to - from > 1)
		middle = number_sum_mean(sum, n);
	g_string_append_printf(out, " %u", from + 1);
	put(out, low, c->exp10);
	put(out, middle, c->exp10);
	put(out, high, c->exp10);
	g_string_append_c(out, '\n');
	number_sum_free(sum);
	number_sum_free(n);
}

static void put_samples(const struct curve *c, GString *out)
{
	struct sample_columns k = plot_sample_columns(c->series);
	guint rows = series_sample_rows(c->series), per = plot_rows_a_point(c->series);

	for (guint i = 0; i < rows; i += per)
		put_sample_row(c, k, i, MIN(i + per, rows), out);
}

/* "min avg max value". */
static void put_bar(const struct curve *c, GString *out)
{
	static const enum field fields[] = { FIELD_MIN, FIELD_AVG, FIELD_MAX, FIELD_VALUE };

	for (guint i = 0; i < G_N_ELEMENTS(fields); i++)
		put(out, c->series->field[fields[i]], c->exp10);
	g_string_append_c(out, '\n');
}

void plot_data(const struct plot *p, const struct curve *c, GString *out)
{
	switch (p->kind) {
	case PLOT_HISTOGRAM:
		put_histogram(p, c, out);
		break;
	case PLOT_TAIL:
		put_tail(c, out);
		break;
	case PLOT_SAMPLES:
		put_samples(c, out);
		break;
	default:
		put_bar(c, out);
	}
}
