/* Verdicts: the rules are in lib/compare.h, in their order. */
#include "lib/compare.h"

#include <math.h>
#include <string.h>

#define MIN_EFFECT_PERCENT 10           /* the contract's default */

static const char *const names[] = { "better", "worse", "different", "same", "inconclusive", "incomparable" };

const char *judgement_name(enum judgement j)
{
	return names[j];
}

bool judgement_parse(const char *name, enum judgement *out)
{
	for (unsigned i = 0; i < JUDGEMENTS; i++)
		if (!strcmp(names[i], name)) {
			*out = i;
			return true;
		}
	return false;
}

bool statistic_parse(const char *text, size_t len, struct statistic *out)
{
	g_autofree char *name = g_strndup(text, len);
	struct number p;

	*out = (struct statistic){ FIELD_SERIES_END, NULL };
	if (!strcmp(name, "median")) {
		out->percentile = "50";
		return true;
	}
	if (name[0] == 'p' && number_parse(name + 1, strlen(name + 1), 0, &p) == NUMBER_OK && p.coefficient > 0 &&
	    number_cmp(p, number_int(100)) <= 0) {
		char plain[NUMBER_TEXT];

		out->percentile = g_intern_string(number_print(p, plain));
		return true;
	}
	out->field = field_from_name(name);
	return out->field < FIELD_SERIES_END;
}

char *statistic_name(const struct statistic *s)
{
	return s->percentile ? g_strconcat("p", s->percentile, NULL) : g_strdelimit(g_strdup(field_name(s->field)), "_", ' ');
}

bool lower_is_better(const struct series *s, const struct statistic *what)
{
	static const char *const words[] = { "latency", "jitter", "noise", "overrun", "elapsed time" };

	if (!what->percentile && what->field == FIELD_OVERRUNS)
		return true;
	if (!what->percentile && field_is_count(what->field))
		return false;
	if (!s->quantity)
		return true;
	for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
		if (strstr(s->quantity, words[i]))
			return true;
	return false;
}

static const struct printed *find_printed(const struct side_series *s, const char *percentile)
{
	for (guint i = 0; s->percentiles && i < s->percentiles->len; i++) {
		const struct printed *p = &g_array_index(s->percentiles, struct printed, i);

		if (!strcmp(p->key, percentile))
			return p;
	}
	return NULL;
}

/* Histograms of one run are cut at one place, merged ones at several (lib/stats.h). */
static bool many_parts(const struct side_series *s)
{
	return s->run_count > 1;
}

static struct number percent_number(const struct statistic *what)
{
	struct number p;

	number_parse(what->percentile, strlen(what->percentile), 0, &p);
	return p;
}

static void measure_percentile(const struct side_series *s, const struct statistic *what, struct measured *out)
{
	const struct printed *printed = find_printed(s, what->percentile);
	const struct histogram *h = s->series->histogram;
	struct number width;

	if (printed) {
		out->value = printed->value;
		out->step = s->series->resolution;
		out->known = true;
		return;
	}
	if (!h || !stats_percentile(h, percent_number(what), many_parts(s), s->series->field[FIELD_MIN],
	                            s->series->field[FIELD_MAX], &out->bounds))
		return;
	out->known = true;
	width = number_sub(out->bounds.upper, out->bounds.lower);
	if (number_is_set(width) && number_is_set(h->bin_width) && number_cmp(width, h->bin_width) <= 0) {
		out->value = out->bounds.lower;
		out->step = h->bin_width;
	}
}

void side_measure(const struct side_series *s, const struct statistic *what, struct measured *out)
{
	*out = (struct measured){ .known = false };
	if (!s || !s->series)
		return;
	if (what->percentile) {
		measure_percentile(s, what, out);
		return;
	}
	out->value = s->series->field[what->field];
	out->known = number_is_set(out->value);
	if (!field_is_count(what->field))
		out->step = s->series->resolution;
}

/* format NULL: the verdict needs no reason. */
static void decide(struct verdict_text *v, enum judgement j, const char *format, ...) G_GNUC_PRINTF(3, 4);
static void decide(struct verdict_text *v, enum judgement j, const char *format, ...)
{
	va_list ap;

	v->judgement = j;
	va_start(ap, format);
	g_free(v->reason);
	v->reason = format ? g_strdup_vprintf(format, ap) : NULL;
	va_end(ap);
}

static void advise(struct verdict_text *v, const char *format, ...) G_GNUC_PRINTF(2, 3);
static void advise(struct verdict_text *v, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	g_free(v->advice);
	v->advice = g_strdup_vprintf(format, ap);
	va_end(ap);
}

void verdict_clear(struct verdict_text *v)
{
	g_clear_pointer(&v->reason, g_free);
	g_clear_pointer(&v->advice, g_free);
}

struct trial {
	const struct side_series *base, *new;
	const struct statistic *what;
	const struct judge_options *options;
	struct measured a, b;           /* base, new */
	struct verdict_text *out;
};

static bool is_max(const struct trial *t)
{
	return !t->what->percentile && t->what->field == FIELD_MAX;
}

static enum judgement direction(const struct trial *t)
{
	return t->out->change.coefficient < 0 ? JUDGED_BETTER : JUDGED_WORSE;
}

static char *exposure_text(struct exposure e)
{
	static const char *const units[] = { "", "samples", "s", "rows" };
	char digits[NUMBER_TEXT];

	return g_strdup_printf("%s %s", number_print(e.amount, digits), units[e.kind]);
}

/* Rule 4. True when it forbids a verdict. */
static bool exposure_forbids(const struct trial *t)
{
	const struct side_series *shorter;
	g_autofree char *base = NULL, *new = NULL;
	int c;

	if (t->base->exposure_mixed || t->new->exposure_mixed || t->base->exposure.kind == EXPOSURE_NONE ||
	    t->base->exposure.kind != t->new->exposure.kind || !number_is_set(t->base->exposure.amount) ||
	    !number_is_set(t->new->exposure.amount)) {
		decide(t->out, JUDGED_INCONCLUSIVE, "run lengths not known");
		advise(t->out, "A maximum grows with the length of a run, so both must state it: as a count, a duration or rows.");
		return true;
	}
	/* Repeated runs are compared run by run: what counts is how long each of them is. */
	c = t->base->run_count > 1 && t->new->run_count > 1
	    ? number_cmp(number_mul(t->new->exposure.amount, number_int(t->base->run_count)),
	                 number_mul(t->base->exposure.amount, number_int(t->new->run_count)))
	    : number_cmp(t->new->exposure.amount, t->base->exposure.amount);
	if (direction(t) == JUDGED_BETTER ? c >= 0 : c <= 0)
		return false;
	shorter = c < 0 ? t->new : t->base;
	base = exposure_text(t->base->exposure);
	new = exposure_text(t->new->exposure);
	decide(t->out, JUDGED_INCONCLUSIVE, c < 0 ? "the new run is shorter" : "the new run is longer");
	advise(t->out, "A longer run finds rarer peaks: base %s, new %s. To settle it, run the %s at least %s.", base, new,
	       shorter == t->new ? "new side" : "base", shorter == t->new ? base : new);
	return true;
}

static double *run_values(const struct side_series *s, enum field f, unsigned *n)
{
	double *values = g_new(double, s->runs->len);

	*n = 0;
	for (guint i = 0; i < s->runs->len; i++) {
		struct number v = g_array_index(s->runs, struct run_values, i).field[f];

		if (number_is_set(v))
			values[(*n)++] = number_to_double(v);
	}
	return values;
}

static void ends(const double *values, unsigned n, double *least, double *greatest)
{
	*least = INFINITY;
	*greatest = -INFINITY;
	for (unsigned i = 0; i < n; i++) {
		*least = fmin(*least, values[i]);
		*greatest = fmax(*greatest, values[i]);
	}
}

/* Rule 5. True when it decided. *apart: no value of one side reaches the other's. */
static bool judge_runs(const struct trial *t, bool *apart)
{
	unsigned n = 0, m = 0;
	g_autofree double *a = NULL, *b = NULL;
	double a_least, a_greatest, b_least, b_greatest;
	struct rank_test test;
	bool up;

	*apart = true;
	if (t->what->percentile)
		return false;
	a = run_values(t->base, t->what->field, &n);
	b = run_values(t->new, t->what->field, &m);
	ends(a, n, &a_least, &a_greatest);
	ends(b, m, &b_least, &b_greatest);
	*apart = n == t->base->run_count && m == t->new->run_count && (a_greatest < b_least || b_greatest < a_least);
	if (n < 2 || m < 2)
		return false;
	test = stats_mann_whitney(b, m, a, n);
	if (test.least_p > STATS_ALPHA) {
		advise(t->out, "%u and %u runs are too few for a rank test (Mann-Whitney); four on each side can tell.", n, m);
		return false;
	}
	up = test.u > (double)n * m / 2;
	if (test.p > STATS_ALPHA) {
		decide(t->out, JUDGED_INCONCLUSIVE, "p=%.2g, %u and %u runs", test.p, n, m);
		advise(t->out, "Mann-Whitney on the runs' values, %s: the difference may be chance; more runs can settle it.",
		       test.exact ? "exact" : "normal approximation");
	} else if (up != (direction(t) == JUDGED_WORSE)) {
		decide(t->out, JUDGED_INCONCLUSIVE, "the runs point the other way, p=%.2g", test.p);
	} else {
		decide(t->out, direction(t), "p=%.2g, %u and %u runs", test.p, n, m);
	}
	return true;
}

/* Rule 6 for a maximum: how many samples of the higher side lie above the lower side's maximum. */
static bool judge_extremes(const struct trial *t)
{
	bool worse = direction(t) == JUDGED_WORSE;
	const struct side_series *high = worse ? t->new : t->base, *low = worse ? t->base : t->new;
	const struct histogram *h = high->series->histogram;
	double least, most, size, other, p, needed, lower, upper;

	if (!h || !low->series->histogram)
		return false;
	stats_exceedances(h, many_parts(high), low->series->field[FIELD_MAX], &least, &most);
	size = number_to_double(histogram_total(h));
	other = number_to_double(histogram_total(low->series->histogram));
	/* The maximum itself is one, though its bin may be cut or beyond the histogram. */
	least = fmax(least, 1);
	p = stats_extreme_run(least, size, other);
	stats_poisson_interval(least, 0.95, &lower, &upper);
	if (p <= STATS_ALPHA) {
		decide(t->out, direction(t), "%.0f samples above the other maximum, p=%.2g", least, p);
		advise(t->out, "At least %.0f of %.0f samples lie above all %.0f of the other side (Rosenbaum's test): "
		       "%.3g to %.3g in a million (95 %%).", least, size, other, lower / size * 1e6, upper / size * 1e6);
		return true;
	}
	decide(t->out, JUDGED_INCONCLUSIVE, "%.0f sample%s above the other maximum may be chance", least, least == 1 ? "" : "s");
	needed = stats_extreme_run_needed(size, other, STATS_ALPHA);
	if (isfinite(needed))
		advise(t->out, "Peaks above the other side's maximum: %.0f in %.0f samples, which is %.3g to %.3g in a million (95 %%, "
		       "Garwood). %.0f of them would settle it: runs of about %.2g samples on both sides.",
		       least, size, lower / size * 1e6, upper / size * 1e6, needed, needed * size / least);
	return true;
}

static bool interval_of(const struct side_series *s, const struct statistic *what, struct bounds *out)
{
	const struct histogram *h = s->series->histogram;

	return h && stats_percentile_interval(h, percent_number(what), many_parts(s), s->series->field[FIELD_MIN],
	                                      s->series->field[FIELD_MAX], out);
}

static bool below(struct number a, struct number b)
{
	return number_is_set(a) && number_is_set(b) && number_cmp(a, b) <= 0;
}

/* Rule 6 for a percentile. */
static bool judge_percentile(const struct trial *t)
{
	struct bounds a, b;

	if (!t->base->series->histogram || !t->new->series->histogram)
		return false;
	if (!interval_of(t->base, t->what, &a) || !interval_of(t->new, t->what, &b)) {
		decide(t->out, JUDGED_INCONCLUSIVE, "too few samples beyond it");
		return true;
	}
	if (below(b.upper, a.lower))
		decide(t->out, JUDGED_BETTER, "95 %% intervals do not meet");
	else if (below(a.upper, b.lower))
		decide(t->out, JUDGED_WORSE, "95 %% intervals do not meet");
	else
		decide(t->out, JUDGED_INCONCLUSIVE, "95 %% intervals overlap");
	return true;
}

/* Rule 7. */
static bool judge_counts(const struct trial *t)
{
	double a = number_to_double(t->a.value), b = number_to_double(t->b.value), p;

	if (t->what->percentile || t->what->field != FIELD_OVERRUNS)
		return false;
	if (t->base->exposure_mixed || t->new->exposure_mixed || t->base->exposure.kind == EXPOSURE_NONE ||
	    t->base->exposure.kind != t->new->exposure.kind)
		return false;
	p = stats_poisson_compare(b, number_to_double(t->new->exposure.amount), a, number_to_double(t->base->exposure.amount));
	if (p <= STATS_ALPHA) {
		double rate_a = a / number_to_double(t->base->exposure.amount), rate_b = b / number_to_double(t->new->exposure.amount);

		decide(t->out, rate_b < rate_a ? JUDGED_BETTER : JUDGED_WORSE, "exact test of rates, p=%.2g", p);
	} else {
		decide(t->out, JUDGED_INCONCLUSIVE, "so few may be chance, p=%.2g", p);
	}
	return true;
}

/* Does the change exceed --min-effect? Then *text says what it exceeds. */
static bool exceeds(const struct trial *t, char **text)
{
	struct quantity least = t->options ? t->options->min_effect : (struct quantity){ number_absent(), NULL };
	struct number size = t->out->change, floor;
	char digits[NUMBER_TEXT];

	if (!number_is_set(least.number))
		least = (struct quantity){ number_int(MIN_EFFECT_PERCENT), "%" };
	*text = g_strdup_printf("%s%s%s", number_print(least.number, digits), least.unit && *least.unit != '%' ? " " : " ",
	                        least.unit ? least.unit : "");
	size.coefficient = llabs(size.coefficient);
	if (least.unit && *least.unit == '%') {
		struct number base = t->a.value;

		base.coefficient = llabs(base.coefficient);
		floor = number_div(number_mul(base, least.number), number_int(100));
	} else if (!unit_convert(least.number, least.unit, t->base->series->unit, &floor)) {
		return false;
	}
	return number_cmp(size, floor) > 0;
}

/* Rule 8. */
static void judge_size(const struct trial *t, bool apart)
{
	bool single = t->base->run_count == 1 && t->new->run_count == 1;
	g_autofree char *runs = single ? g_strdup("one run each") : g_strdup_printf("%u and %u runs", t->base->run_count,
	                                                                            t->new->run_count);
	g_autofree char *effect = NULL;

	if (!exceeds(t, &effect))
		decide(t->out, JUDGED_INCONCLUSIVE, "%s", runs);
	else if (!single && !apart)
		decide(t->out, JUDGED_INCONCLUSIVE, "%s%s", runs, t->base->runs->len == t->base->run_count &&
		       t->new->runs->len == t->new->run_count ? ", values overlap" : ", merged");
	else
		decide(t->out, direction(t), "%s, more than %s", runs, effect);
	if (!t->out->advice && t->out->judgement == JUDGED_INCONCLUSIVE)
		advise(t->out, "Repeated runs on both sides (four or more) would show what is chance.");
}

/* Rules 1 to 3. True when one decided. */
static bool judge_plainly(const struct trial *t)
{
	struct number step = t->a.step, size = t->out->change;
	char digits[NUMBER_TEXT];

	if (!t->a.known || !t->b.known) {
		decide(t->out, JUDGED_INCOMPARABLE, t->a.known ? "not in the new side" : "not in the base");
		return true;
	}
	if (!t->base->series->unit && !(!t->what->percentile && field_is_count(t->what->field))) {
		decide(t->out, JUDGED_INCOMPARABLE, "unit not known");
		return true;
	}
	if (!number_is_set(t->out->change))
		return false;
	if (!size.coefficient) {
		decide(t->out, JUDGED_SAME, NULL);
		return true;
	}
	if (number_is_set(t->b.step) && (!number_is_set(step) || number_cmp(t->b.step, step) > 0))
		step = t->b.step;
	size.coefficient = llabs(size.coefficient);
	if (number_is_set(step) && number_cmp(size, step) <= 0) {
		const char *unit = t->base->series->unit;

		if (!g_strcmp0(unit, "ns") && step.exponent >= 3 && unit_convert(step, "ns", "us", &step))
			unit = "us";
		decide(t->out, JUDGED_SAME, "within the resolution of %s%s%s", number_print(step, digits), unit ? " " : "", unit ? unit : "");
		return true;
	}
	if (lower_is_better(t->base->series, t->what))
		return false;
	decide(t->out, JUDGED_DIFFERENT, NULL);
	return true;
}

/* A percentile known only between bounds, on one side or both. */
static void judge_bounds(const struct trial *t)
{
	struct bounds a = t->a.bounds, b = t->b.bounds;

	if (number_is_set(t->a.value))
		a = (struct bounds){ t->a.value, number_add(t->a.value, number_is_set(t->a.step) ? t->a.step : number_int(0)) };
	if (number_is_set(t->b.value))
		b = (struct bounds){ t->b.value, number_add(t->b.value, number_is_set(t->b.step) ? t->b.step : number_int(0)) };
	if (below(b.upper, a.lower) || below(a.upper, b.lower))
		decide(t->out, below(b.upper, a.lower) ? JUDGED_BETTER : JUDGED_WORSE, "the bounds do not meet");
	else
		decide(t->out, JUDGED_INCONCLUSIVE, "known as bounds only");
}

void judge(const struct side_series *base, const struct side_series *new, const struct statistic *what,
           const struct judge_options *o, struct verdict_text *out)
{
	struct trial t = { .base = base, .new = new, .what = what, .options = o, .out = out };
	struct number magnitude;
	bool apart = false;

	*out = (struct verdict_text){ .judgement = JUDGED_INCOMPARABLE };
	side_measure(base, what, &t.a);
	side_measure(new, what, &t.b);
	out->change = number_sub(t.b.value, t.a.value);
	magnitude = t.a.value;
	if (number_is_set(magnitude) && magnitude.coefficient > 0)
		out->percent = number_mul(number_div(out->change, magnitude), number_int(100));
	if (judge_plainly(&t))
		return;
	if (!number_is_set(out->change)) {
		judge_bounds(&t);
		return;
	}
	if (is_max(&t) && exposure_forbids(&t))
		return;
	if (judge_runs(&t, &apart))
		return;
	if ((is_max(&t) && judge_extremes(&t)) || (what->percentile && judge_percentile(&t)) || judge_counts(&t)) {
		return;
	}
	judge_size(&t, apart);
}
