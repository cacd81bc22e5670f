/*
 * The laws of the formats, checked when a run is complete. Nothing is repaired here: what breaks a law stands as printed
 * and is flagged, and a law is only applied where it must hold.
 */
#include "lib/record.h"

#include <string.h>

#define ID_BYTES 8

/* Adds a number to the digest; "-" for none. */
static void digest_number(GChecksum *sum, struct number n)
{
	char text[NUMBER_TEXT];

	number_print(n, text);
	g_checksum_update(sum, (const guchar *)(*text ? text : "-"), -1);
	g_checksum_update(sum, (const guchar *)" ", 1);
}

static void digest_text(GChecksum *sum, const char *text)
{
	g_checksum_update(sum, (const guchar *)(text ? text : "-"), -1);
	g_checksum_update(sum, (const guchar *)"\n", 1);
}

/* True when a flag says that values of series i were computed from its rows. */
static bool is_derived(const struct record *r, unsigned i)
{
	g_autofree char *place = g_strdup_printf("/series/%u/", i);

	for (guint k = 0; k < r->flags->len; k++) {
		const struct flag *f = &g_array_index(r->flags, struct flag, k);

		if (!strcmp(f->code, flag_code_name(FLAG_DERIVED)) && g_str_has_prefix(f->where, place))
			return true;
	}
	return false;
}

static void digest_histogram(GChecksum *sum, const struct histogram *h)
{
	if (!h)
		return;
	digest_text(sum, "histogram");
	digest_number(sum, h->bin_width);
	digest_number(sum, h->underflow);
	digest_number(sum, h->overflow);
	for (guint i = 0; i < h->bins->len; i++) {
		const struct bin *b = &g_array_index(h->bins, struct bin, i);

		digest_number(sum, b->lower);
		digest_number(sum, b->upper);
		digest_number(sum, b->count);
	}
}

static void digest_interval(GChecksum *sum, const struct interval_stats *s)
{
	if (!s)
		return;
	digest_number(sum, s->count);
	digest_number(sum, s->avg);
	digest_number(sum, s->stddev);
	digest_histogram(sum, s->histogram);
}

/* Rows beyond RECORD_MAX_SAMPLES stay out, so that the id is the same whatever --samples says. */
static void digest_samples(GChecksum *sum, const struct samples *rows)
{
	guint n = rows ? MIN(rows->lines->len, RECORD_MAX_SAMPLES) : 0;

	for (guint i = 0; i < n * (rows ? rows->columns : 0); i++)
		digest_number(sum, g_array_index(rows->values, struct number, i));
}

static void digest_series(GChecksum *sum, const struct series *s, bool derived)
{
	digest_text(sum, "series");
	digest_text(sum, s->quantity ? s->quantity : "latency");
	digest_text(sum, s->unit);
	for (enum field f = 0; f < FIELD_SERIES_END; f++)
		if (!derived || (f != FIELD_MIN && f != FIELD_AVG && f != FIELD_MAX))
			digest_number(sum, s->field[f]);
	digest_samples(sum, s->samples);
	digest_histogram(sum, s->histogram);
	digest_interval(sum, s->minima);
	digest_interval(sum, s->maxima);
	for (guint i = 0; s->percentiles && i < s->percentiles->len; i++) {
		const struct percentile *p = &g_array_index(s->percentiles, struct percentile, i);

		digest_text(sum, p->key);
		digest_number(sum, p->value);
	}
}

void record_compute_id(struct record *r)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);

	digest_text(sum, r->tool);
	digest_text(sum, r->mode);
	for (guint i = 0; i < r->series->len; i++)
		digest_series(sum, g_ptr_array_index(r->series, i), is_derived(r, i));
	g_strlcpy(r->id, g_checksum_get_string(sum), 2 * ID_BYTES + 1);
}

/* Both set, and a > b. */
static bool above(struct number a, struct number b)
{
	return number_is_set(a) && number_is_set(b) && number_cmp(a, b) > 0;
}

/*
 * How far an average may lie outside the extremes only because these are printed in coarser steps: some tools cut
 * minimum and maximum to whole microseconds and print the average with decimals.
 */
static struct number slack(const struct series *s, struct number avg)
{
	struct number steps = number_div(avg, s->resolution);

	return number_is_set(steps) && steps.exponent < 0 ? s->resolution : number_int(0);
}

/* Says which of the order min <= avg <= max is broken, or NULL. */
static const char *order_breach(const struct series *s, struct number min, struct number avg, struct number max)
{
	if (above(min, max))
		return "the minimum is above the maximum";
	if (!above(min, avg) && !above(avg, max))
		return NULL;
	if (above(min, number_add(avg, slack(s, avg))))
		return "the average is below the minimum";
	if (above(number_sub(avg, slack(s, avg)), max))
		return "the average is above the maximum";
	return NULL;
}

/* Start values of a series without any measurement: minimum above maximum while the tool counted none. */
static void check_start_values(struct record *r, struct series *s, unsigned i)
{
	struct number count = s->field[FIELD_COUNT];

	if (!number_is_set(count) || count.coefficient || !above(s->field[FIELD_MIN], s->field[FIELD_MAX]))
		return;
	for (enum field f = FIELD_MIN; f <= FIELD_LAST; f++)
		if (number_is_set(s->field[f]))
			s->field[f] = number_null();
	record_flag(r, FLAG_NO_SAMPLES, "/series/%u", "nothing was measured: the start values of the tool", i);
}

static void check_own_order(struct record *r, const struct series *s, unsigned i)
{
	const char *breach = order_breach(s, s->field[FIELD_MIN], s->field[FIELD_AVG], s->field[FIELD_MAX]);

	if (breach)
		record_flag(r, FLAG_AVG_OUT_OF_RANGE, "/series/%u", breach, i);
}

static void check_order(struct record *r, const struct series *s, unsigned i)
{
	const char *breach;

	check_own_order(r, s, i);
	for (guint k = 0; k < series_sample_rows(s); k++) {
		breach = order_breach(s, series_sample(s, k, FIELD_MIN), series_sample(s, k, FIELD_AVG),
				      series_sample(s, k, FIELD_MAX));
		if (breach)
			record_flag(r, FLAG_AVG_OUT_OF_RANGE, "/series/%u/samples/%u", breach, i, k);
	}
}

/* What the rows have shown so far. */
struct so_far {
	struct number least, greatest, best, worst, overruns, switches;
};

static void take(struct number *kept, struct number n)
{
	if (number_is_set(n))
		*kept = n;
}

/* best: the least of all minima so far; worst: the greatest of all maxima so far. Both count from the start. */
static void check_so_far(struct record *r, const struct series *s, unsigned i, guint k, struct so_far *far)
{
	struct number min = series_sample(s, k, FIELD_MIN), max = series_sample(s, k, FIELD_MAX);
	struct number best = series_sample(s, k, FIELD_BEST), worst = series_sample(s, k, FIELD_WORST);

	if (number_is_set(min) && (!number_is_set(far->least) || above(far->least, min)))
		far->least = min;
	if (number_is_set(max) && (!number_is_set(far->greatest) || above(max, far->greatest)))
		far->greatest = max;
	if (above(far->worst, worst))
		record_flag(r, FLAG_WORST_MISMATCH, "/series/%u/samples/%u/worst",
			    "the worst value so far falls", i, k);
	else if (above(far->greatest, worst))
		record_flag(r, FLAG_WORST_MISMATCH, "/series/%u/samples/%u/worst",
			    "the worst value so far is below a maximum so far", i, k);
	if (above(best, far->best))
		record_flag(r, FLAG_WORST_MISMATCH, "/series/%u/samples/%u/best",
			    "the best value so far rises", i, k);
	else if (above(best, far->least))
		record_flag(r, FLAG_WORST_MISMATCH, "/series/%u/samples/%u/best",
			    "the best value so far is above a minimum so far", i, k);
	take(&far->best, best);
	take(&far->worst, worst);
	/* One breach is told once: from here on the rows are held to what was printed here. */
	if (above(far->greatest, worst))
		far->greatest = worst;
	if (above(best, far->least))
		far->least = best;
}

/* Overruns and mode switches count from the start in all versions that print best and worst. */
static void check_counters(struct record *r, const struct series *s, unsigned i, guint k, struct so_far *far)
{
	struct number overruns = series_sample(s, k, FIELD_OVERRUNS);
	struct number switches = series_sample(s, k, FIELD_MODE_SWITCHES);

	if (above(far->overruns, overruns))
		record_flag(r, FLAG_WORST_MISMATCH, "/series/%u/samples/%u/overruns",
			    "the number of overruns so far falls", i, k);
	if (above(far->switches, switches))
		record_flag(r, FLAG_WORST_MISMATCH, "/series/%u/samples/%u/mode_switches",
			    "the number of mode switches so far falls", i, k);
	take(&far->overruns, overruns);
	take(&far->switches, switches);
}

static bool has_column(const struct series *s, enum field f)
{
	for (unsigned i = 0; s->samples && i < s->samples->columns; i++)
		if (s->samples->column[i] == f)
			return true;
	return false;
}

/* True when summary and rows are printed by one format, so that rounding cannot set them apart. */
static bool same_format(const struct record *r)
{
	return g_str_has_prefix(r->tool, "xenomai-") || !strcmp(r->tool, "latmus") || !strcmp(r->tool, "cyclictest");
}

/*
 * The summary covers the rows, and possibly more: rows may be missing, and the last, unfinished interval is in no row. So
 * only a row beyond the summary is a contradiction.
 */
static void check_summary(struct record *r, const struct series *s, unsigned i, const struct so_far *far)
{
	if (above(s->field[FIELD_MIN], s->samples->least) || above(s->field[FIELD_MIN], far->best))
		record_flag(r, FLAG_SUMMARY_MISMATCH, "/series/%u/min", "a row goes below the summary's minimum", i);
	if (above(s->samples->greatest, s->field[FIELD_MAX]) || above(far->worst, s->field[FIELD_MAX]))
		record_flag(r, FLAG_SUMMARY_MISMATCH, "/series/%u/max", "a row goes above the summary's maximum", i);
	if (above(far->overruns, s->field[FIELD_OVERRUNS]))
		record_flag(r, FLAG_SUMMARY_MISMATCH, "/series/%u/overruns",
			    "the summary has fewer overruns than the rows", i);
}

static void check_rows(struct record *r, struct series *s, unsigned i)
{
	struct so_far far = { 0 };
	bool cumulative = has_column(s, FIELD_BEST) || has_column(s, FIELD_WORST);

	if (!s->samples)
		return;
	for (guint k = 0; cumulative && k < series_sample_rows(s); k++) {
		check_so_far(r, s, i, k, &far);
		check_counters(r, s, i, k, &far);
	}
	if (same_format(r) && !is_derived(r, i))
		check_summary(r, s, i, &far);
	if (s->samples->rows > series_sample_rows(s)) {
		g_autofree char *text = g_strdup_printf(
			"%" G_GUINT64_FORMAT " rows, of which the first %u are kept; the extremes are of all",
			s->samples->rows, series_sample_rows(s));

		record_flag(r, FLAG_SAMPLES_OMITTED, "/series/%u/samples", text, i);
	}
}

/* min, avg and max of rows over time where the tool printed none of them. */
static void derive(struct record *r, struct series *s, unsigned i)
{
	struct samples *rows = s->samples;

	if (!rows)
		return;
	for (enum field f = FIELD_MIN; f <= FIELD_MAX; f++)
		if (s->field[f].state != NUMBER_ABSENT)
			return;
	s->field[FIELD_MIN] = rows->least;
	s->field[FIELD_MAX] = rows->greatest;
	if (rows->avg_rows) {
		struct number_sum *n = number_sum_new();

		number_sum_add(n, number_int((int64_t)rows->avg_rows), number_int(1));
		s->field[FIELD_AVG] = number_sum_mean(rows->avg_sum, n);
		number_sum_free(n);
		record_flag(r, FLAG_DERIVED, "/series/%u/avg",
			    "minimum and maximum are the extremes of the rows, the average is the mean of the rows", i);
	} else if (number_is_set(rows->least) || number_is_set(rows->greatest)) {
		record_flag(r, FLAG_DERIVED, number_is_set(rows->greatest) ? "/series/%u/max" : "/series/%u/min",
			    "the extremes of the rows", i);
	}
}

/*
 * cyclictest prints the count with live rows and the histogram at the end, so the histogram may have more; where
 * it keeps values beyond the last bin out of sight (no overflow stated), it may have less.
 */
static void check_bins(struct record *r, const char *where, const struct histogram *h, struct number count,
		       unsigned i)
{
	bool live = g_str_has_prefix(r->tool, "cyclic");
	bool closed = number_is_set(h->overflow) || g_str_has_prefix(r->tool, "xenomai-");
	struct number total = histogram_total(h);

	/* Posts often leave all bins out and keep the footer. */
	closed = closed && h->bins->len;
	if ((!live && above(total, count)) || (closed && above(count, total))) {
		char bins[NUMBER_TEXT], stated[NUMBER_TEXT];
		g_autofree char *text = g_strdup_printf("the bins hold %s values, the stated count is %s",
							number_print(total, bins), number_print(count, stated));

		record_flag(r, FLAG_BINS_MISMATCH, where, text, i);
	}
}

static void check_histograms(struct record *r, struct series *s, unsigned i)
{
	if (s->histogram) {
		histogram_sort(s->histogram);
		check_bins(r, "/series/%u/histogram", s->histogram, s->field[FIELD_COUNT], i);
	}
	if (s->minima && s->minima->histogram) {
		histogram_sort(s->minima->histogram);
		check_bins(r, "/series/%u/interval_minima/histogram", s->minima->histogram, s->minima->count, i);
	}
	if (s->maxima && s->maxima->histogram) {
		histogram_sort(s->maxima->histogram);
		check_bins(r, "/series/%u/interval_maxima/histogram", s->maxima->histogram, s->maxima->count, i);
	}
}

void record_check_laws(struct record *r)
{
	for (guint i = 0; i < r->series->len; i++) {
		struct series *s = g_ptr_array_index(r->series, i);

		check_order(r, s, i);
		check_rows(r, s, i);
		check_histograms(r, s, i);
	}
}

void record_seal(struct record *r)
{
	for (guint i = 0; i < r->series->len; i++)
		check_start_values(r, g_ptr_array_index(r->series, i), i);
	record_check_laws(r);
	for (guint i = 0; i < r->series->len; i++) {
		derive(r, g_ptr_array_index(r->series, i), i);
		/* What is derived from damaged rows may break the law as they do. */
		check_own_order(r, g_ptr_array_index(r->series, i), i);
	}
	record_compute_id(r);
}
