/* Words and units that the report's files share. */
#include <string.h>
#include "lib/report_internal.h"
#include "lib/stats.h"

static const struct { const char *name; int exponent; } times[] = {
	{ "ns", -9 }, { "us", -6 }, { "ms", -3 }, { "s", 0 },
};

static int time_index(const char *unit)
{
	for (guint i = 0; unit && i < G_N_ELEMENTS(times); i++)
		if (!strcmp(times[i].name, unit))
			return (int)i;
	return -1;
}

bool report_unit_known(const char *unit)
{
	return !strcmp(unit, "auto") || time_index(unit) >= 0;
}

bool unit_scale(const char *from, const char *to, int *exp10)
{
	int a = time_index(from), b = time_index(to);

	*exp10 = 0;
	if (a < 0 || b < 0)
		return false;
	*exp10 = times[a].exponent - times[b].exponent;
	return true;
}

const char *unit_fitting(struct number greatest, const char *from)
{
	int a = time_index(from);

	if (a < 0)
		return from;
	if (!number_is_set(greatest))
		return times[a].name;
	for (int i = G_N_ELEMENTS(times) - 1; i >= 0; i--) {
		struct number n = number_scale(greatest, times[a].exponent - times[i].exponent);

		if (i == 0 || number_cmp(n, number_int(10)) >= 0)
			return times[i].name;
	}
	return times[a].name;
}

static struct number series_greatest(const struct series *s)
{
	struct number most = number_absent();
	static const enum field from[] = { FIELD_MAX, FIELD_AVG, FIELD_VALUE, FIELD_MIN };

	for (guint i = 0; i < G_N_ELEMENTS(from); i++)
		if (number_is_set(s->field[from[i]]) &&
		    (!number_is_set(most) || number_cmp(s->field[from[i]], most) > 0))
			most = s->field[from[i]];
	return most;
}

const char *report_time_unit(struct record *const *records, guint n, const struct report_options *o)
{
	struct number most = number_absent();

	if (!o->unit)
		return "us";
	if (strcmp(o->unit, "auto")) {
		int i = time_index(o->unit);
		return i < 0 ? "us" : times[i].name;
	}
	for (guint r = 0; r < n; r++) {
		for (guint i = 0; i < records[r]->series->len; i++) {
			const struct series *s = records[r]->series->pdata[i];
			struct number g = series_greatest(s);

			if (g_strcmp0(s->unit, "ns") || !number_is_set(g))
				continue;
			if (!number_is_set(most) || number_cmp(g, most) > 0)
				most = g;
		}
	}
	return number_is_set(most) ? unit_fitting(most, "ns") : "us";
}

void series_scale(const struct series *s, const char *time_unit, const char **unit, int *exp10)
{
	*unit = s->unit;
	*exp10 = 0;
	if (s->unit && strcmp(s->unit, "s") && unit_scale(s->unit, time_unit, exp10))
		*unit = time_unit;
}

int resolution_decimals(const struct series *s, int exp10)
{
	struct number n = s->resolution;

	if (!number_is_set(n))
		return 0;
	return MAX(0, -(n.exponent + exp10));
}

bool average_is_derived(const struct record *r, unsigned series)
{
	g_autofree char *all = g_strdup_printf("/series/%u", series);
	g_autofree char *avg = g_strdup_printf("/series/%u/avg", series);

	if (r->kind == RECORD_MERGED)
		return true;
	for (guint i = 0; i < r->flags->len; i++) {
		const struct flag *f = &g_array_index(r->flags, struct flag, i);

		if (!strcmp(f->code, flag_code_name(FLAG_DERIVED)) && f->where &&
		    (!*f->where || !strcmp(f->where, all) || !strcmp(f->where, avg)))
			return true;
	}
	return false;
}

int rank_key_cmp(const char *a, const char *b)
{
	struct number x, y;

	if (number_parse(a, strlen(a), 0, &x) != NUMBER_OK || number_parse(b, strlen(b), 0, &y) != NUMBER_OK)
		return strcmp(a, b);
	return number_cmp(x, y);
}

static gint rank_cmp(gconstpointer a, gconstpointer b)
{
	return rank_key_cmp(((const struct rank *)a)->key, ((const struct rank *)b)->key);
}

static bool rank_known(const GArray *ranks, const char *key)
{
	for (guint i = 0; i < ranks->len; i++)
		if (!rank_key_cmp(g_array_index(ranks, struct rank, i).key, key))
			return true;
	return false;
}

/* Fewer than one sample beyond the rank: n * (1 - p/100) < 1. The percentile would only repeat the maximum. */
static bool is_beyond(const struct histogram *h, struct number percent)
{
	struct number beyond = number_mul(histogram_total(h), number_sub(number_int(100), percent));

	return !number_is_set(beyond) || number_cmp(beyond, number_int(100)) < 0;
}

/*
 * The lower edge of the bin that holds the percentile; absent when it lies outside the bins, or, in histograms that
 * were merged, not surely in one bin.
 */
static struct number histogram_rank(const struct record *r, const struct series *s, struct number percent)
{
	const struct number none = number_absent();
	const struct histogram *h = s->histogram;
	struct bounds b;

	if (is_beyond(h, percent) || !stats_percentile(h, percent, r->kind == RECORD_MERGED, none, none, &b) ||
	    !number_is_set(b.lower) || !number_is_set(b.upper))
		return none;
	if (number_is_set(h->bin_width) && number_cmp(number_sub(b.upper, b.lower), h->bin_width) > 0)
		return none;
	return b.lower;
}

GArray *series_ranks(const struct record *record, const struct series *s, bool compute)
{
	static const char *const usual[] = { "50", "90", "99", "99.9", "99.99", "99.999" };
	GArray *ranks = g_array_new(FALSE, TRUE, sizeof(struct rank));

	for (guint i = 0; s->percentiles && i < s->percentiles->len; i++) {
		const struct percentile *p = &g_array_index(s->percentiles, struct percentile, i);
		struct rank r = { p->key, p->value, false };

		g_array_append_val(ranks, r);
	}
	for (guint i = 0; compute && s->histogram && i < G_N_ELEMENTS(usual); i++) {
		struct rank r = { usual[i], { 0 }, true };
		struct number percent;

		number_parse(usual[i], strlen(usual[i]), 0, &percent);
		if (rank_known(ranks, usual[i]))
			continue;
		r.value = histogram_rank(record, s, percent);
		if (number_is_set(r.value))
			g_array_append_val(ranks, r);
	}
	g_array_sort(ranks, rank_cmp);
	return ranks;
}

char *fact_text(const struct fact *f)
{
	char buf[NUMBER_TEXT];

	return g_strdup(f->text ? f->text : number_print(f->number, buf));
}

char *fact_phrase(const struct fact *f, const char *time_unit)
{
	g_autofree char *key = g_strdelimit(g_strdup(f->key), "_", ' ');
	char buf[NUMBER_TEXT];
	int exp10;

	if (!f->text && g_str_has_suffix(key, " ns") && unit_scale("ns", time_unit, &exp10)) {
		key[strlen(key) - 3] = '\0';
		return g_strdup_printf("%s %s %s", key, number_print(number_scale(f->number, exp10), buf), time_unit);
	}
	if (!f->text && g_str_has_suffix(key, " s")) {
		key[strlen(key) - 2] = '\0';
		return g_strdup_printf("%s %s s", key, number_print(f->number, buf));
	}
	g_autofree char *value = fact_text(f);
	return g_strdup_printf("%s %s", key, value);
}

char *settings_text(const struct record *r, const char *time_unit)
{
	GString *s = g_string_new(NULL);

	for (guint i = 0; i < r->settings->len; i++) {
		g_autofree char *one = fact_phrase(&g_array_index(r->settings, struct fact, i), time_unit);

		g_string_append_printf(s, "%s%s", s->len ? ", " : "", one);
	}
	return g_string_free(s, FALSE);
}

char *record_label(const struct record *r)
{
	const char *tool = r->tool ? r->tool : "unknown tool";

	return r->mode ? g_strdup_printf("%s (%s)", tool, r->mode) : g_strdup(tool);
}

char *record_origin(const struct record *r)
{
	const struct source *s = &r->source;
	GString *out = g_string_new(s->file ? s->file : "");

	if (s->part && *s->part)
		g_string_append_printf(out, "%s%s", out->len ? ", part " : "part ", s->part);
	if (s->first)
		g_string_append_printf(out, ":%u", s->first);
	if (s->last > s->first && s->first)
		g_string_append_printf(out, "-%u", s->last);
	return g_string_free(out, FALSE);
}

char *series_label_text(const struct series *s)
{
	GString *out = g_string_new(s->name);

	for (guint i = 0; i < s->labels->len; i++) {
		const struct fact *f = &g_array_index(s->labels, struct fact, i);
		g_autofree char *value = NULL;

		if (!strcmp(f->key, "tid") || !strcmp(f->key, "priority") || !strcmp(f->key, "interval_ns"))
			continue;       /* these tell nothing apart that the others do not */
		value = fact_text(f);
		g_string_append_printf(out, "%s%s %s", out->len ? ", " : "", f->key, value);
	}
	return g_string_free(out, FALSE);
}

/* Digits after the point that show n whole. */
static int decimals_of(struct number n)
{
	return n.exponent < 0 ? -n.exponent : 0;
}

void settle_decimals(struct table *t, const int *least)
{
	for (guint c = 0; c < t->columns->len; c++) {
		struct column *col = &g_array_index(t->columns, struct column, c);
		int need = 0;

		if (col->kind != COLUMN_NUMBER)
			continue;
		for (guint r = 0; r < t->rows->len; r++) {
			const struct cell *cell = (const struct cell *)t->rows->pdata[r] + c;

			if (number_is_set(cell->number))
				need = MAX(need, decimals_of(cell->number));
		}
		/* One mean with all its digits would fill the whole column with zeros. */
		col->decimals = need <= MAX(least[c], 4) ? MAX(need, least[c]) : -1;
	}
}
