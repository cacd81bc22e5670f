#include "lib/group_report.h"

#include <string.h>
#include "lib/merge.h"
#include "lib/report.h"
#include "lib/stats.h"

#define SHOWN_DECIMALS 3                /* of averages, in the shown unit */

static const char *const usual_percentiles[] = { "50", "99", "99.9", NULL };

struct plan {
	const GPtrArray *by;
	const struct group_options *o;
	struct table *table;
	bool *by_used;                  /* of each key: does any group state it? */
	bool series, runs, threads, samples, overruns, percentiles, varies;
	const char *const *ranks;
	guint rank_count;
};

const char *shown_unit(const char *wanted, const char *unit, struct number greatest, int *exp10)
{
	/* Elapsed times are in seconds, and stay so unless the user wants them otherwise. */
	const char *to = wanted ? wanted : unit && !strcmp(unit, "s") ? "s" : "us";

	*exp10 = 0;
	if (unit && !strcmp(to, "auto"))
		to = unit_fitting(greatest, unit);
	if (unit && unit_scale(unit, to, exp10))
		return to;
	*exp10 = 0;
	return unit && strcmp(unit, "1") ? unit : "";
}

void put_percentile(struct cell *cell, const struct series *s, bool merged, const char *percentile, int exp10)
{
	struct bounds b;
	struct number p, width;
	char low[NUMBER_TEXT], high[NUMBER_TEXT];
	g_autofree char *text = NULL;

	number_parse(percentile, strlen(percentile), 0, &p);
	if (!s->histogram || !stats_percentile(s->histogram, p, merged, s->field[FIELD_MIN], s->field[FIELD_MAX], &b))
		return;
	width = number_sub(b.upper, b.lower);
	if (number_is_set(width) && number_is_set(s->histogram->bin_width) && number_cmp(width, s->histogram->bin_width) <= 0) {
		cell_number(cell, number_scale(b.lower, exp10));
		return;
	}
	number_print(number_scale(b.lower, exp10), low);
	number_print(number_scale(b.upper, exp10), high);
	if (*low && *high)
		text = g_strdup_printf("%s to %s", low, high);
	else if (*low || *high)
		text = g_strdup_printf("%s %s", *low ? "≥" : "≤", *low ? low : high);
	if (text)
		cell_text(cell, text);
}

static void append_label(GString *out, const struct series *s, const char *key, const char *name, int exp10, const char *unit)
{
	const struct fact *f = facts_get(s->labels, key);
	char digits[NUMBER_TEXT];

	if (f && number_is_set(f->number))
		g_string_append_printf(out, "%s%s %s%s", out->len ? ", " : "", name, number_print(number_scale(f->number, exp10), digits), unit);
}

char *group_series_text(const struct record *r, const struct series *s, bool load, bool threads)
{
	const struct fact *f = load ? facts_get(r->environment, "load") : NULL;
	g_autofree char *label = series_label_text(s);
	struct number n = threads ? merged_threads(s) : number_absent();
	GString *out = g_string_new(label);
	char digits[NUMBER_TEXT];

	append_label(out, s, "priority", "priority", 0, "");
	append_label(out, s, "interval_ns", "interval", -3, " us");
	if (f && f->text)
		g_string_append_printf(out, "%sload %s", out->len ? ", " : "", f->text);
	if (number_is_set(n))
		g_string_append_printf(out, "%s%s threads", out->len ? ", " : "", number_print(n, digits));
	return g_string_free(out, FALSE);
}

/* A group's load is told in its own column when it is among the keys. */
static bool load_in_label(const struct plan *p)
{
	return !keys_contain(p->by, KEY_ENVIRONMENT, "load");
}

static bool fits(const struct series *s, const struct group_options *o, const char *unit, int *exp10)
{
	return !strcmp(shown_unit(o->unit, s->unit, s->field[FIELD_MAX], exp10), unit);
}

static void look_at(struct plan *p, const struct record *r, const struct series *s)
{
	g_autofree char *label = group_series_text(r, s, load_in_label(p), false);
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < p->by->len; i++) {
		key_text(p->by->pdata[i], &(struct subject){ r, s, NULL }, text);
		p->by_used[i] |= text->len > 0;
	}
	p->series |= *label != '\0';
	p->runs |= r->runs > 1;
	p->threads |= number_is_set(merged_threads(s));
	p->samples |= number_is_set(s->field[FIELD_COUNT]);
	p->overruns |= number_is_set(s->field[FIELD_OVERRUNS]);
	p->percentiles |= s->histogram != NULL;
	p->varies |= r->varies && r->varies->len;
}

static void make_columns(struct plan *p, const char *unit)
{
	const char *shown = *unit ? unit : NULL;

	for (guint i = 0; i < p->by->len; i++)
		if (p->by_used[i])
			table_column(p->table, ((struct key *)p->by->pdata[i])->name, NULL, NULL, COLUMN_TEXT, -1);
	table_column(p->table, "test", NULL, NULL, COLUMN_TEXT, -1);
	if (p->series)
		table_column(p->table, "series", NULL, NULL, COLUMN_TEXT, -1);
	if (p->runs)
		table_column(p->table, "runs", NULL, NULL, COLUMN_NUMBER, -1);
	if (p->threads)
		table_column(p->table, "threads", NULL, NULL, COLUMN_NUMBER, -1);
	if (p->samples)
		table_column(p->table, "samples", NULL, NULL, COLUMN_NUMBER, -1);
	table_column(p->table, "min", NULL, shown, COLUMN_NUMBER, -1);
	table_column(p->table, "avg", NULL, shown, COLUMN_NUMBER, -1);
	for (guint i = 0; p->percentiles && i < p->rank_count; i++) {
		g_autofree char *heading = g_strconcat("p", p->ranks[i], NULL);

		table_column(p->table, heading, NULL, shown, COLUMN_NUMBER, -1);
	}
	table_column(p->table, "max", NULL, shown, COLUMN_NUMBER, -1);
	if (p->overruns)
		table_column(p->table, "overruns", NULL, NULL, COLUMN_NUMBER, -1);
	table_column(p->table, "max from", NULL, NULL, COLUMN_TEXT, -1);
	if (p->varies)
		table_column(p->table, "varies", NULL, NULL, COLUMN_TEXT, -1);
}

static void put_average(const struct plan *p, struct cell *cell, const struct series *s, int exp10)
{
	enum merge_weights weights = merged_weights(s);

	cell_number(cell, number_round(number_scale(s->field[FIELD_AVG], exp10), SHOWN_DECIMALS));
	if (weights == WEIGHTS_RUNS)
		cell->footnote = (int)table_note(p->table, "The mean of the runs' averages: they do not state how many values they average.");
	else if (weights == WEIGHTS_MIXED)
		cell->footnote = (int)table_note(p->table, "No mean: some runs state how many values they average, others do not.");
}

static void put_row(const struct plan *p, const struct record *r, const struct series *s, int exp10)
{
	struct cell *cell = table_row(p->table);
	g_autofree char *label = group_series_text(r, s, load_in_label(p), false), *test = record_label(r);
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < p->by->len; i++) {
		if (!p->by_used[i])
			continue;
		key_text(p->by->pdata[i], &(struct subject){ r, s, NULL }, text);
		cell_text(cell++, text->len ? text->str : NULL);
	}
	cell_text(cell++, test);
	if (p->series)
		cell_text(cell++, label);
	if (p->runs)
		cell_number(cell++, number_int(r->runs));
	if (p->threads)
		cell_number(cell++, merged_threads(s));
	if (p->samples)
		cell_number(cell++, s->field[FIELD_COUNT]);
	cell_number(cell++, number_scale(s->field[FIELD_MIN], exp10));
	put_average(p, cell++, s, exp10);
	for (guint i = 0; p->percentiles && i < p->rank_count; i++)
		put_percentile(cell++, s, r->runs > 1, p->ranks[i], exp10);
	cell_number(cell++, number_scale(s->field[FIELD_MAX], exp10));
	if (p->overruns)
		cell_number(cell++, s->field[FIELD_OVERRUNS]);
	cell_text(cell++, s->max_source);
	if (p->varies && r->varies) {
		g_string_truncate(text, 0);
		for (guint i = 0; i < r->varies->len; i++)
			g_string_append_printf(text, "%s%s", i ? ", " : "", (char *)r->varies->pdata[i]);
		cell_text(cell, text->str);
	}
}

static void add_unit(struct document *d, const GPtrArray *records, struct plan *p, const char *unit)
{
	int exp10;

	for (int pass = 0; pass < 2; pass++) {
		for (guint i = 0; i < records->len; i++) {
			const struct record *r = records->pdata[i];

			for (guint k = 0; k < r->series->len; k++) {
				if (!fits(r->series->pdata[k], p->o, unit, &exp10))
					continue;
				if (pass)
					put_row(p, r, r->series->pdata[k], exp10);
				else
					look_at(p, r, r->series->pdata[k]);
			}
		}
		if (!pass) {
			p->table = document_add(d, NULL);
			make_columns(p, unit);
		}
	}
}

struct document *group_report(const GPtrArray *records, const GPtrArray *by, const struct group_options *o)
{
	struct document *d = document_new(NULL);
	g_autoptr(GPtrArray) units = g_ptr_array_new();
	int exp10;

	for (guint i = 0; i < records->len; i++) {
		const struct record *r = records->pdata[i];

		for (guint k = 0; k < r->series->len; k++) {
			const struct series *s = r->series->pdata[k];
			const char *unit = shown_unit(o->unit, s->unit, s->field[FIELD_MAX], &exp10);

			if (!g_ptr_array_find_with_equal_func(units, unit, g_str_equal, NULL))
				g_ptr_array_add(units, (char *)unit);
		}
	}
	for (guint i = 0; i < units->len; i++) {
		struct plan p = { .by = by, .o = o };

		p.ranks = o->percentiles ? (const char *const *)(void *)o->percentiles->data : usual_percentiles;
		p.rank_count = o->percentiles ? o->percentiles->len : g_strv_length((char **)usual_percentiles);
		p.by_used = g_new0(bool, by->len + 1);
		add_unit(d, records, &p, units->pdata[i]);
		g_free(p.by_used);
	}
	return d;
}
