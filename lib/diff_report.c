#include "lib/diff_report.h"

#include <stdlib.h>
#include <string.h>
#include "lib/group_report.h"
#include "lib/report.h"

#define SHOWN_DECIMALS 3                /* of averages that were computed, in the shown unit */
#define HINTS_LOOKED_UP 200u            /* unmatched series of a side among which the nearest is sought */

static const char *const usual_percentiles[] = { "50", "90", "99", "99.9", "99.99" };

struct builder {
	const struct comparison *c;
	const GPtrArray *pairs;
	const struct diff_options *o;
	struct document *d;
	GPtrArray *remarks;             /* char *: on the environments, to stand above the first table of values */
	void (*each)(const struct judged *j, void *data);
	void *data;
};

static const struct side *side_at(const struct builder *b, guint i)
{
	return b->c->sides->pdata[i];
}

char *side_series_text(const struct side_series *s)
{
	return group_series_text(s->record, s->series, true, true);
}

/* --- environment --- */

static char *fact_text(const struct side *side, const char *name)
{
	const GPtrArray *values = g_hash_table_lookup(side->facts, name);
	GString *out = g_string_new(NULL);

	for (guint i = 0; values && i < values->len; i++)
		g_string_append_printf(out, "%s%s", i ? "; " : "", i < FACT_VALUES ? (char *)values->pdata[i] : "…");
	return g_string_free(out, FALSE);
}

static gint by_fact_rank(gconstpointer a, gconstpointer b)
{
	static const char *const order[] = { "board", "cpu", "arch", "memory", "kernel", "rt", "distribution", "compiler", "load" };
	const char *x = *(char *const *)a, *y = *(char *const *)b;
	size_t i = 0, j = 0;

	while (i < G_N_ELEMENTS(order) && strcmp(order[i], x))
		i++;
	while (j < G_N_ELEMENTS(order) && strcmp(order[j], y))
		j++;
	return i != j ? (i < j ? -1 : 1) : strcmp(x, y);
}

static GPtrArray *fact_names(const struct builder *b)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	GPtrArray *names = g_ptr_array_new();

	for (guint i = 0; i < b->c->sides->len; i++) {
		GHashTableIter iter;
		void *name;

		g_hash_table_iter_init(&iter, side_at(b, i)->facts);
		while (g_hash_table_iter_next(&iter, &name, NULL))
			if (g_hash_table_add(seen, name))
				g_ptr_array_add(names, name);
	}
	g_ptr_array_sort(names, by_fact_rank);
	return names;
}

static bool differs(const struct builder *b, const char *name)
{
	g_autofree char *base = fact_text(side_at(b, 0), name);

	for (guint i = 1; i < b->c->sides->len; i++) {
		g_autofree char *other = fact_text(side_at(b, i), name);

		if (strcmp(base, other))
			return true;
	}
	return false;
}

static struct table *environment_table(const struct builder *b)
{
	struct table *t = document_add(b->d, "Environment");

	table_column(t, "fact", NULL, NULL, COLUMN_TEXT, -1);
	for (guint i = 0; i < b->c->sides->len; i++)
		table_column(t, side_at(b, i)->label, NULL, NULL, COLUMN_TEXT, -1);
	return t;
}

static void add_environment(const struct builder *b)
{
	g_autoptr(GPtrArray) names = fact_names(b);
	g_autoptr(GString) same = g_string_new(NULL), unlike = g_string_new(NULL);
	struct table *t = NULL;

	for (guint k = 0; k < names->len; k++) {
		const char *name = names->pdata[k];
		struct cell *row;

		if (!differs(b, name)) {
			g_autofree char *text = fact_text(side_at(b, 0), name);

			g_string_append_printf(same, "%s%s %s", same->len ? ", " : "", name, text);
			continue;
		}
		g_string_append_printf(unlike, "%s%s", unlike->len ? ", " : "", name);
		t = t ? t : environment_table(b);
		row = table_row(t);
		cell_text(row, name);
		for (guint i = 0; i < b->c->sides->len; i++) {
			g_autofree char *text = fact_text(side_at(b, i), name);

			cell_text(row + 1 + i, *text ? text : "not stated");
		}
	}
	if (!names->len)
		g_ptr_array_add(b->remarks, g_strdup("No side states where it ran."));
	if (unlike->len)
		g_ptr_array_add(b->remarks, g_strdup_printf("The sides differ in %s: a change may come from any of these.", unlike->str));
	if (same->len)
		g_ptr_array_add(b->remarks, g_strdup_printf("The same on all sides: %s.", same->str));
}

/* --- statistics of a pair --- */

static bool known(const struct pair *p, guint side, struct statistic what)
{
	struct measured a, b;

	side_measure(p->side[0], &what, &a);
	side_measure(p->side[side], &what, &b);
	return a.known || b.known;
}

static void add_statistic(GArray *out, const struct pair *p, guint side, struct statistic what)
{
	for (guint i = 0; what.percentile && i < out->len; i++)
		if (!g_strcmp0(g_array_index(out, struct statistic, i).percentile, what.percentile))
			return;
	if (known(p, side, what))
		g_array_append_val(out, what);
}

/* A percentile of fewer samples than 1 / (1 - p) would only repeat the maximum. */
static bool enough_samples(const struct side_series *s, const char *percentile)
{
	double n = number_to_double(histogram_total(s->series->histogram));

	return n * (100 - g_ascii_strtod(percentile, NULL)) >= 100;
}

static gint by_percentile(gconstpointer a, gconstpointer b)
{
	double x = g_ascii_strtod(((const struct statistic *)a)->percentile, NULL);
	double y = g_ascii_strtod(((const struct statistic *)b)->percentile, NULL);

	return (x > y) - (x < y);
}

static void add_percentiles(const struct builder *b, const struct pair *p, guint side, GArray *out)
{
	const struct side_series *ends[] = { p->side[0], p->side[side] };
	GArray *found = g_array_new(FALSE, FALSE, sizeof(struct statistic));

	for (size_t e = 0; e < 2; e++)
		for (guint i = 0; ends[e]->percentiles && i < ends[e]->percentiles->len; i++)
			add_statistic(found, p, side, (struct statistic){ FIELD_SERIES_END,
				g_intern_string(g_array_index(ends[e]->percentiles, struct printed, i).key) });
	for (guint i = 0; b->o->percentiles && i < b->o->percentiles->len; i++)
		add_statistic(found, p, side, (struct statistic){ FIELD_SERIES_END, g_array_index(b->o->percentiles, char *, i) });
	if (!b->o->percentiles && ends[0]->series->histogram && ends[1]->series->histogram)
		for (size_t i = 0; i < G_N_ELEMENTS(usual_percentiles); i++)
			if (enough_samples(ends[0], usual_percentiles[i]) && enough_samples(ends[1], usual_percentiles[i]))
				add_statistic(found, p, side, (struct statistic){ FIELD_SERIES_END, usual_percentiles[i] });
	g_array_sort(found, by_percentile);
	g_array_append_vals(out, found->data, found->len);
	g_array_unref(found);
}

/* A single value (a table's cell, an elapsed time) is shown as such, not as its own minimum, mean and maximum. */
static bool single_value(const struct pair *p, guint side)
{
	return number_is_set(p->side[0]->series->field[FIELD_VALUE]) && number_is_set(p->side[side]->series->field[FIELD_VALUE]) &&
	       p->side[0]->run_count == 1 && p->side[side]->run_count == 1;
}

static GArray *value_statistics(const struct builder *b, const struct pair *p, guint side)
{
	static const enum field fields[] = { FIELD_MIN, FIELD_AVG, FIELD_MAX };
	GArray *out = g_array_new(FALSE, FALSE, sizeof(struct statistic));

	if (single_value(p, side)) {
		add_statistic(out, p, side, (struct statistic){ FIELD_VALUE, NULL });
		return out;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(fields); i++)
		add_statistic(out, p, side, (struct statistic){ fields[i], NULL });
	add_percentiles(b, p, side, out);
	return out;
}

/* --- tables --- */

enum value_column { COL_TEST, COL_SERIES, COL_STATISTIC, COL_BASE, COL_NEW, COL_CHANGE, COL_PERCENT, COL_VERDICT };

static struct table *values_table(const struct builder *b, guint side, const char *unit, const char *what)
{
	g_autofree char *title = g_strdup_printf("%s%s → %s", what, side_at(b, 0)->label, side_at(b, side)->label);
	struct table *t = document_add(b->d, title);

	table_column(t, "test", NULL, NULL, COLUMN_TEXT, -1);
	table_column(t, "series", NULL, NULL, COLUMN_TEXT, -1);
	table_column(t, "statistic", NULL, NULL, COLUMN_TEXT, -1);
	table_column(t, side_at(b, 0)->label, NULL, unit, COLUMN_NUMBER, -1);
	table_column(t, side_at(b, side)->label, NULL, unit, COLUMN_NUMBER, -1);
	table_column(t, "change", NULL, unit, COLUMN_NUMBER, -1);
	table_column(t, "change", NULL, "%", COLUMN_NUMBER, 1);
	table_column(t, "verdict", NULL, NULL, COLUMN_TEXT, -1);
	for (guint i = 0; i < b->remarks->len; i++)
		table_before(t, "%s", (char *)b->remarks->pdata[i]);
	g_ptr_array_set_size(b->remarks, 0);
	return t;
}

static char *bound_text(struct number n, int exp10)
{
	char digits[NUMBER_TEXT];

	return number_is_set(n) ? g_strdup(number_print(number_scale(n, exp10), digits)) : NULL;
}

/* A value in the shown unit; a percentile that is known as bounds only as text. */
static void put_measured(struct cell *cell, const struct side_series *s, const struct statistic *what, int exp10)
{
	struct measured m;
	g_autofree char *low = NULL, *high = NULL, *text = NULL;

	side_measure(s, what, &m);
	if (number_is_set(m.value)) {
		struct number shown = number_scale(m.value, exp10);

		/* An average that was computed has as many digits as fit: as many as can mean something are shown. */
		cell_number(cell, !what->percentile && what->field == FIELD_AVG ? number_round(shown, SHOWN_DECIMALS) : shown);
		return;
	}
	low = bound_text(m.bounds.lower, exp10);
	high = bound_text(m.bounds.upper, exp10);
	if (low && high)
		text = g_strdup_printf("%s to %s", low, high);
	else if (low || high)
		text = g_strdup_printf("%s %s", low ? "≥" : "≤", low ? low : high);
	cell_text(cell, text ? text : "-");
}

static enum cell_mark mark_of(enum judgement j)
{
	return j == JUDGED_BETTER ? MARK_BETTER : j == JUDGED_WORSE ? MARK_WORSE :
	       j == JUDGED_INCONCLUSIVE || j == JUDGED_INCOMPARABLE ? MARK_WARN : MARK_NONE;
}

/* The same advice is given once. */
static int note_once(struct table *t, const char *text)
{
	for (guint i = 0; i < t->notes->len; i++)
		if (!strcmp(t->notes->pdata[i], text))
			return (int)i + 1;
	return (int)table_note(t, "%s", text);
}

static void put_verdict(struct table *t, struct cell *cell, const struct verdict_text *v)
{
	g_autofree char *text = v->reason ? g_strdup_printf("%s (%s)", judgement_name(v->judgement), v->reason)
	                                  : g_strdup(judgement_name(v->judgement));

	cell_text(cell, text);
	cell->mark = mark_of(v->judgement);
	if (v->advice)
		cell->footnote = note_once(t, v->advice);
}

static void put_row(const struct builder *b, struct table *t, const struct pair *p, guint side, const struct statistic *what, int exp10)
{
	struct verdict_text v;
	g_autofree char *series = side_series_text(p->side[0]), *name = statistic_name(what);
	struct cell *row;

	judge(p->side[0], p->side[side], what, &b->o->judge, &v);
	if (b->each)
		b->each(&(struct judged){ p, side, what, &v }, b->data);
	if (!b->o->only || b->o->only & 1u << v.judgement) {
		row = table_row(t);
		cell_text(row + COL_TEST, p->side[0]->label_text);
		cell_text(row + COL_SERIES, series);
		cell_text(row + COL_STATISTIC, name);
		put_measured(row + COL_BASE, p->side[0], what, exp10);
		put_measured(row + COL_NEW, p->side[side], what, exp10);
		if (number_is_set(v.change))
			cell_number(row + COL_CHANGE, number_round(number_scale(v.change, exp10), SHOWN_DECIMALS));
		if (number_is_set(v.percent))
			cell_number(row + COL_PERCENT, number_round(v.percent, 1));
		put_verdict(t, row + COL_VERDICT, &v);
	}
	verdict_clear(&v);
}

static bool matched(const struct pair *p, guint side)
{
	return p->side[0] && p->side[side];
}

/* One table a unit: a column has one unit, which its heading says. */
static void add_values(const struct builder *b, guint side)
{
	g_autoptr(GPtrArray) units = g_ptr_array_new();
	g_autoptr(GPtrArray) tables = g_ptr_array_new();

	for (guint i = 0; i < b->pairs->len; i++) {
		const struct pair *p = b->pairs->pdata[i];
		const char *unit;
		guint at;
		int exp10;
		GArray *all;

		if (!matched(p, side))
			continue;
		unit = shown_unit(b->o->unit, p->side[0]->series->unit, p->side[0]->series->field[FIELD_MAX], &exp10);
		if (!g_ptr_array_find_with_equal_func(units, unit, g_str_equal, &at)) {
			at = units->len;
			g_ptr_array_add(units, (char *)unit);
			g_ptr_array_add(tables, values_table(b, side, *unit ? unit : NULL, ""));
		}
		all = value_statistics(b, p, side);
		for (guint k = 0; k < all->len; k++)
			put_row(b, tables->pdata[at], p, side, &g_array_index(all, struct statistic, k), exp10);
		g_array_unref(all);
	}
}

static void put_plain_row(struct table *t, const struct pair *p, guint side, const char *name, struct number base, struct number new)
{
	g_autofree char *series = side_series_text(p->side[0]);
	struct cell *row = table_row(t);

	cell_text(row + COL_TEST, p->side[0]->label_text);
	cell_text(row + COL_SERIES, series);
	cell_text(row + COL_STATISTIC, name);
	cell_number(row + COL_BASE, base);
	cell_number(row + COL_NEW, new);
	cell_number(row + COL_CHANGE, number_sub(new, base));
	(void)side;
}

/* Runs and samples stand beside every maximum, since it grows with them; overruns and mode switches are judged. */
static void add_counts(const struct builder *b, guint side)
{
	static const enum field judged[] = { FIELD_OVERRUNS, FIELD_MODE_SWITCHES };
	struct table *t = NULL;

	for (guint i = 0; i < b->pairs->len; i++) {
		const struct pair *p = b->pairs->pdata[i];
		struct statistic samples = { FIELD_COUNT, NULL };

		if (!matched(p, side))
			continue;
		if (!t)
			t = values_table(b, side, NULL, "Counts: ");
		if (!b->o->only && (p->side[0]->run_count > 1 || p->side[side]->run_count > 1))
			put_plain_row(t, p, side, "runs", number_int(p->side[0]->run_count), number_int(p->side[side]->run_count));
		if (!b->o->only && known(p, side, samples))
			put_plain_row(t, p, side, "samples", p->side[0]->series->field[FIELD_COUNT], p->side[side]->series->field[FIELD_COUNT]);
		for (size_t k = 0; k < G_N_ELEMENTS(judged); k++) {
			struct statistic what = { judged[k], NULL };

			if (known(p, side, what))
				put_row(b, t, p, side, &what, 0);
		}
	}
	if (t && !t->rows->len)
		g_ptr_array_remove(b->d->tables, t);
}

/* --- without a partner --- */

static void note_difference(GString *keys, GString *text, const char *key, const char *a, const char *b)
{
	if (!g_strcmp0(a, b))
		return;
	g_string_append_printf(keys, "%s%s", keys->len ? "," : "", key);
	g_string_append_printf(text, "%s%s (%s, here %s)", text->len ? " and " : "", key, b ? b : "none", a ? a : "none");
}

static char *label_value(const struct series *s, const char *key)
{
	const struct fact *f = facts_get(s->labels, key);
	char digits[NUMBER_TEXT];

	return f ? g_strdup(f->text ? f->text : number_print(f->number, digits)) : NULL;
}

/* What keeps two series from being a pair, as a list for --ignore; NULL when more does than can be left out. */
static char *what_differs(const struct side_series *x, const struct side_series *y, GString *text)
{
	static const char *const labels[] = { "priority", "interval_ns", "context", "column", "group", "index" };
	const struct fact *a = facts_get(x->record->environment, "load"), *b = facts_get(y->record->environment, "load");
	g_autoptr(GString) keys = g_string_new(NULL);

	g_string_truncate(text, 0);
	if (strcmp(x->record->tool, y->record->tool) || g_strcmp0(x->series->unit, y->series->unit) ||
	    g_strcmp0(x->series->quantity, y->series->quantity) || g_strcmp0(x->series->name, y->series->name))
		return NULL;
	note_difference(keys, text, "mode", x->record->mode, y->record->mode);
	note_difference(keys, text, "load", a ? a->text : NULL, b ? b->text : NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(labels); i++) {
		g_autofree char *p = label_value(x->series, labels[i]), *q = label_value(y->series, labels[i]);

		note_difference(keys, text, labels[i], p, q);
	}
	return keys->len ? g_strdup(keys->str) : NULL;
}

static guint commas(const char *s)
{
	guint n = 0;

	for (; *s; s++)
		n += *s == ',';
	return n;
}

/* The nearest unmatched series of the other side, and what to leave out to pair them. Caller frees; NULL: none is near. */
static char *hint(const struct builder *b, const struct side_series *s, guint own, guint other)
{
	g_autofree char *best = NULL, *best_text = NULL;
	g_autoptr(GString) text = g_string_new(NULL);
	guint seen = 0;

	for (guint i = 0; i < b->pairs->len && seen < HINTS_LOOKED_UP; i++) {
		const struct pair *p = b->pairs->pdata[i];
		g_autofree char *keys = NULL;

		if (!p->side[other] || p->side[own])
			continue;
		seen++;
		keys = what_differs(s, p->side[other], text);
		if (keys && (!best || commas(keys) < commas(best))) {
			g_free(best);
			g_free(best_text);
			best = g_steal_pointer(&keys);
			best_text = g_strdup(text->str);
		}
	}
	return best ? g_strdup_printf("the other side's differs in %s; --ignore %s pairs them", best_text, best) : NULL;
}

static void add_unmatched(const struct builder *b)
{
	struct table *t = NULL;

	for (guint i = 0; i < b->pairs->len; i++) {
		const struct pair *p = b->pairs->pdata[i];

		for (guint k = 1; k < b->c->sides->len; k++) {
			guint have = p->side[0] ? 0 : k;
			const struct side_series *s = p->side[have];
			g_autofree char *series = NULL, *near = NULL;
			struct cell *row;

			if (!s || matched(p, k))
				continue;
			if (!t) {
				t = document_add(b->d, "Not matched");
				for (size_t c = 0; c < 5; c++)
					table_column(t, (const char *[]){ "test", "series", "only in", "not in", "why" }[c], NULL, NULL,
					             COLUMN_TEXT, -1);
			}
			series = side_series_text(s);
			near = hint(b, s, have, have ? 0 : k);
			row = table_row(t);
			cell_text(row, s->label_text);
			cell_text(row + 1, series);
			cell_text(row + 2, side_at(b, have)->label);
			cell_text(row + 3, side_at(b, have ? 0 : k)->label);
			cell_text(row + 4, near ? near : "no such series there");
		}
	}
}

struct document *diff_report(const struct comparison *c, const GPtrArray *pairs, const struct diff_options *o,
                             void (*each)(const struct judged *j, void *data), void *data)
{
	g_autoptr(GPtrArray) remarks = g_ptr_array_new_with_free_func(g_free);
	struct builder b = { c, pairs, o, document_new(NULL), remarks, each, data };

	add_environment(&b);
	for (guint i = 1; i < c->sides->len; i++) {
		add_values(&b, i);
		add_counts(&b, i);
	}
	add_unmatched(&b);
	return b.d;
}
