/* A document for a person: a table per result. */
#include <string.h>
#include "lib/report_internal.h"

#define MAX_FIGURES 4u          /* a record with more histograms shows their sum */

/* What the table of one record has: worked out from all its series before the first row. */
struct plan {
	const struct record *r;
	const struct report_options *o;
	const char *time_unit;
	GPtrArray *labels;              /* const char *: keys, in the order of their appearance */
	GPtrArray *units;               /* const char *: shown units, "" for none */
	GPtrArray **ranks;              /* of each unit: const char * keys of percentiles, ascending */
	GArray **series_ranks;          /* of each series */
	bool name, quantity, sources, computed, intervals;
	GArray *least;                  /* int: least decimals of each column of the table */
	GHashTable *column;             /* name of a value's place ("unit/field", …) to column index + 1 */
	struct table *table;
};

/* The order in which a person reads the values of one unit. */
static const enum field value_order[] = {
	FIELD_MIN, FIELD_AVG, FIELD_MAX, FIELD_LAST, FIELD_STDDEV, FIELD_MDEV, FIELD_VALUE,
};

static bool is_present(struct number n)
{
	return n.state != NUMBER_ABSENT;
}

static guint add_key(GPtrArray *keys, const char *key)
{
	guint at;

	if (g_ptr_array_find_with_equal_func(keys, key, g_str_equal, &at))
		return at;
	g_ptr_array_add(keys, (char *)key);
	return keys->len - 1;
}

static const struct series *series_at(const struct record *r, guint i)
{
	return r->series->pdata[i];
}

static guint unit_of(struct plan *p, const struct series *s, int *exp10)
{
	const char *unit;

	series_scale(s, p->time_unit, &unit, exp10);
	return add_key(p->units, unit ? unit : "");
}

static gint key_cmp(gconstpointer a, gconstpointer b)
{
	return rank_key_cmp(*(const char *const *)a, *(const char *const *)b);
}

static void plan_series(struct plan *p, guint i)
{
	const struct series *s = series_at(p->r, i);
	int exp10;
	guint before = p->units->len, unit = unit_of(p, s, &exp10);

	if (p->units->len > before)
		p->ranks[unit] = g_ptr_array_new();
	for (guint l = 0; l < s->labels->len; l++)
		add_key(p->labels, g_array_index(s->labels, struct fact, l).key);
	p->name |= s->name != NULL;
	p->quantity |= g_strcmp0(s->quantity, series_at(p->r, 0)->quantity) != 0;
	p->sources |= s->min_source || s->max_source;
	p->intervals |= s->minima || s->maxima;
	p->series_ranks[i] = series_ranks(p->r, s, !p->o->no_percentiles);
	for (guint k = 0; k < p->series_ranks[i]->len; k++) {
		const struct rank *rank = &g_array_index(p->series_ranks[i], struct rank, k);

		add_key(p->ranks[unit], rank->key);
		p->computed |= rank->computed;
	}
}

static void plan_init(struct plan *p, const struct record *r, const struct report_options *o, struct table *t)
{
	guint n = r->series->len;
	struct record *const self = (struct record *)r;

	*p = (struct plan){ .r = r, .o = o, .table = t };
	p->time_unit = report_time_unit(&self, 1, o);
	p->labels = g_ptr_array_new();
	p->units = g_ptr_array_new();
	p->ranks = g_new0(GPtrArray *, n + 1);
	p->series_ranks = g_new0(GArray *, n + 1);
	p->least = g_array_new(FALSE, TRUE, sizeof(int));
	p->column = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (guint i = 0; i < n; i++)
		plan_series(p, i);
	for (guint u = 0; u < p->units->len; u++)
		g_ptr_array_sort(p->ranks[u], key_cmp);
	p->name |= p->intervals;
}

static void plan_free(struct plan *p)
{
	for (guint u = 0; u < p->units->len; u++)
		g_ptr_array_unref(p->ranks[u]);
	for (guint i = 0; i < p->r->series->len; i++)
		g_array_unref(p->series_ranks[i]);
	g_free(p->ranks);
	g_free(p->series_ranks);
	g_ptr_array_unref(p->labels);
	g_ptr_array_unref(p->units);
	g_array_unref(p->least);
	g_hash_table_unref(p->column);
}

/* A column under the name of its place. */
static void add_column(struct plan *p, char *place, const char *heading, const char *unit, enum column_kind kind)
{
	int none = 0;
	/* For a person in a hurry a count needs no "[1]". */
	bool none_shown = !unit || !*unit || (p->o->brief && !strcmp(unit, "1"));
	unsigned c = table_column(p->table, heading, NULL, none_shown ? NULL : unit, kind, -1);

	g_array_append_val(p->least, none);
	g_hash_table_insert(p->column, place, GUINT_TO_POINTER(c + 1));
}

static bool any_field(const struct plan *p, enum field f, const char *unit)
{
	for (guint i = 0; i < p->r->series->len; i++) {
		const struct series *s = series_at(p->r, i);
		const char *shown;
		int exp10;

		series_scale(s, p->time_unit, &shown, &exp10);
		if (is_present(s->field[f]) && (!unit || !strcmp(shown ? shown : "", unit)))
			return true;
		if (p->intervals && (f == FIELD_COUNT || ((f == FIELD_AVG || f == FIELD_STDDEV) &&
		    !g_strcmp0(shown ? shown : "", unit))))
			return true;
	}
	return false;
}

static char *field_heading(enum field f)
{
	return g_strdelimit(g_strdup(field_name(f)), "_", ' ');
}

static void add_count_column(struct plan *p, enum field f)
{
	g_autofree char *heading = field_heading(f);

	if (any_field(p, f, NULL))
		add_column(p, g_strdup(field_name(f)), heading, NULL, COLUMN_NUMBER);
}

/* All labels of a key are numbers: the column is one of numbers. */
static enum column_kind label_kind(const struct plan *p, const char *key)
{
	for (guint i = 0; i < p->r->series->len; i++) {
		const struct fact *f = facts_get(series_at(p->r, i)->labels, key);

		if (f && f->text)
			return COLUMN_TEXT;
	}
	return COLUMN_NUMBER;
}

static bool same_fact(const struct fact *a, const struct fact *b)
{
	return a && b && !g_strcmp0(a->text, b->text) && (a->text || number_equal(a->number, b->number));
}

/* A label with one value for all of several series is said once, above the table. */
static bool is_shared(const struct plan *p, const char *key)
{
	const struct fact *first = facts_get(series_at(p->r, 0)->labels, key);

	if (!p->o->brief || p->r->series->len < 2)
		return false;
	for (guint i = 1; i < p->r->series->len; i++)
		if (!same_fact(first, facts_get(series_at(p->r, i)->labels, key)))
			return false;
	return true;
}

static void add_label_columns(struct plan *p)
{
	if (p->name)
		add_column(p, g_strdup("name"), "name", NULL, COLUMN_TEXT);
	for (guint i = 0; i < p->labels->len; i++) {
		const char *key = p->labels->pdata[i];
		bool interval = !strcmp(key, "interval_ns");

		if (is_shared(p, key))
			continue;
		g_autofree char *heading = g_strdelimit(g_strdup(interval ? "interval" : key), "_", ' ');

		add_column(p, g_strconcat("label/", key, NULL), heading, interval ? p->time_unit : NULL,
		           label_kind(p, key));
	}
	if (p->quantity)
		add_column(p, g_strdup("quantity"), "quantity", NULL, COLUMN_TEXT);
	p->table->keys = p->table->columns->len;
}

static void add_columns(struct plan *p)
{
	add_label_columns(p);
	add_count_column(p, FIELD_COUNT);
	for (guint u = 0; u < p->units->len; u++) {
		const char *unit = p->units->pdata[u];

		for (guint f = 0; f < G_N_ELEMENTS(value_order); f++)
			if (any_field(p, value_order[f], unit))
				add_column(p, g_strdup_printf("%s/%s", field_name(value_order[f]), unit),
				           field_name(value_order[f]), unit, COLUMN_NUMBER);
		for (guint k = 0; k < p->ranks[u]->len; k++) {
			const char *key = p->ranks[u]->pdata[k];
			g_autofree char *heading = g_strconcat("p", key, NULL);

			add_column(p, g_strdup_printf("p%s/%s", key, unit), heading, unit, COLUMN_NUMBER);
		}
	}
	add_count_column(p, FIELD_OVERRUNS);
	add_count_column(p, FIELD_MODE_SWITCHES);
	if (p->sources) {
		add_column(p, g_strdup("min_source"), "min from", NULL, COLUMN_TEXT);
		add_column(p, g_strdup("max_source"), "max from", NULL, COLUMN_TEXT);
	}
}

static struct cell *cell_at(const struct plan *p, struct cell *row, const char *place)
{
	guint c = GPOINTER_TO_UINT(g_hash_table_lookup(p->column, place));

	return c ? &row[c - 1] : NULL;
}

/* A number at its place; one that is null is shown as "-". */
static void put_number(struct plan *p, struct cell *row, struct number n, int exp10, int decimals,
                       const char *format, ...) G_GNUC_PRINTF(6, 7);
static void put_number(struct plan *p, struct cell *row, struct number n, int exp10, int decimals,
                       const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_autofree char *place = g_strdup_vprintf(format, args);
	va_end(args);

	struct cell *c = cell_at(p, row, place);
	if (!c || !is_present(n))
		return;
	if (!number_is_set(n)) {
		cell_text(c, "-");
		return;
	}
	cell_number(c, number_scale(n, exp10));
	int *least = &g_array_index(p->least, int, c - row);
	*least = MAX(*least, decimals);
}

static void put_text(struct plan *p, struct cell *row, const char *place, const char *text)
{
	struct cell *c = cell_at(p, row, place);

	if (c && text)
		cell_text(c, text);
}

static void put_labels(struct plan *p, struct cell *row, const struct series *s)
{
	for (guint i = 0; i < s->labels->len; i++) {
		const struct fact *f = &g_array_index(s->labels, struct fact, i);
		g_autofree char *place = g_strconcat("label/", f->key, NULL);
		struct cell *c = cell_at(p, row, place);
		int exp10 = 0;

		if (!strcmp(f->key, "interval_ns"))
			unit_scale("ns", p->time_unit, &exp10);
		if (c && f->text)
			cell_text(c, f->text);
		else if (c && g_array_index(p->table->columns, struct column, c - row).kind == COLUMN_NUMBER)
			cell_number(c, number_scale(f->number, exp10));
		else if (c)
			c->text = fact_text(f);
	}
	if (p->quantity)
		put_text(p, row, "quantity", s->quantity ? s->quantity : "latency");
}

static struct number shown_average(const struct plan *p, guint i, int exp10, int decimals)
{
	struct number avg = series_at(p->r, i)->field[FIELD_AVG];

	if (!p->o->brief || !number_is_set(avg) || !average_is_derived(p->r, i))
		return avg;
	return number_scale(number_round(number_scale(avg, exp10), MAX(decimals, 1)), -exp10);
}

static void put_series(struct plan *p, guint i)
{
	const struct series *s = series_at(p->r, i);
	struct cell *row = table_row(p->table);
	int exp10, decimals;
	const char *unit = p->units->pdata[unit_of(p, s, &exp10)];

	decimals = resolution_decimals(s, exp10);
	put_text(p, row, "name", s->name);
	put_labels(p, row, s);
	for (guint f = 0; f < G_N_ELEMENTS(value_order); f++) {
		struct number n = value_order[f] == FIELD_AVG ? shown_average(p, i, exp10, decimals) :
			s->field[value_order[f]];

		put_number(p, row, n, exp10, decimals, "%s/%s", field_name(value_order[f]), unit);
	}
	for (guint k = 0; k < p->series_ranks[i]->len; k++) {
		const struct rank *r = &g_array_index(p->series_ranks[i], struct rank, k);

		put_number(p, row, r->value, exp10, decimals, "p%s/%s", r->key, unit);
	}
	put_number(p, row, s->field[FIELD_COUNT], 0, 0, "count");
	put_number(p, row, s->field[FIELD_OVERRUNS], 0, 0, "overruns");
	put_number(p, row, s->field[FIELD_MODE_SWITCHES], 0, 0, "mode_switches");
	put_text(p, row, "min_source", s->min_source);
	put_text(p, row, "max_source", s->max_source);
}

/* Xenomai prints statistics of the extremes of each interval too: a row of their own. */
static void put_interval(struct plan *p, const struct series *s, const struct interval_stats *stats, const char *what)
{
	int exp10;

	if (!stats)
		return;
	struct cell *row = table_row(p->table);
	const char *unit = p->units->pdata[unit_of(p, s, &exp10)];
	g_autofree char *name = g_strdup_printf("%s%s%s", s->name ? s->name : "", s->name ? ", " : "", what);

	put_text(p, row, "name", name);
	put_labels(p, row, s);
	put_number(p, row, stats->count, 0, 0, "count");
	put_number(p, row, stats->avg, exp10, 0, "avg/%s", unit);
	put_number(p, row, stats->stddev, exp10, 0, "stddev/%s", unit);
}

static void put_fact(struct table *t, const GArray *facts, const char *key)
{
	const struct fact *f = facts_get(facts, key);
	g_autofree char *value = f ? fact_text(f) : NULL;

	if (value && *value)
		table_before(t, "%s: %s", key, value);
}

static bool is_usual_fact(const char *key)
{
	static const char *const usual[] = {
		"board", "cpu", "arch", "memory", "kernel", "rt", "distribution", "compiler", "load", NULL
	};

	return g_strv_contains(usual, key);
}

static void put_environment(struct table *t, const struct record *r)
{
	static const char *const order[] = {
		"board", "cpu", "arch", "memory", "kernel", "rt", "distribution", "compiler", "load"
	};
	g_autoptr(GString) config = g_string_new(NULL);

	for (guint i = 0; i < G_N_ELEMENTS(order); i++)
		put_fact(t, r->environment, order[i]);
	for (guint i = 0; i < r->environment->len; i++)
		if (!is_usual_fact(g_array_index(r->environment, struct fact, i).key))
			put_fact(t, r->environment, g_array_index(r->environment, struct fact, i).key);
	for (guint i = 0; i < r->config->len; i++) {
		const struct fact *f = &g_array_index(r->config, struct fact, i);
		g_autofree char *value = fact_text(f);

		g_string_append_printf(config, "%s%s=%s", i ? ", " : "", f->key, value);
	}
	if (config->len)
		table_before(t, "config: %s", config->str);
}

static void put_source(struct table *t, const struct record *r)
{
	const struct source *s = &r->source;
	g_autofree char *origin = record_origin(r);
	g_autoptr(GString) text = g_string_new(origin);

	if (s->message_id)
		g_string_append_printf(text, "%smessage %s", text->len ? ", " : "", s->message_id);
	if (s->from)
		g_string_append_printf(text, "%sfrom %s", text->len ? ", " : "", s->from);
	if (s->date)
		g_string_append_printf(text, "%s%s", text->len ? ", " : "", s->date);
	if (s->quote_depth)
		g_string_append_printf(text, ", quoted (depth %u)", s->quote_depth);
	if (s->copies)
		g_string_append_printf(text, ", and %u more cop%s", s->copies, s->copies == 1 ? "y" : "ies");
	if (text->len)
		table_before(t, "source: %s", text->str);
	if (s->subject)
		table_before(t, "subject: %s", s->subject);
	if (s->list)
		table_before(t, "list: %s", s->list);
}

static void put_merged(struct table *t, const struct record *r)
{
	g_autoptr(GString) varies = g_string_new(NULL);

	if (r->kind != RECORD_MERGED)
		return;
	table_before(t, "runs: %u", r->runs);
	for (guint i = 0; r->varies && i < r->varies->len; i++)
		g_string_append_printf(varies, "%s%s", i ? ", " : "", (const char *)r->varies->pdata[i]);
	if (varies->len)
		table_before(t, "differs between the runs: %s", varies->str);
}

static void put_shared_labels(struct plan *p)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < p->labels->len; i++) {
		const char *key = p->labels->pdata[i];
		g_autofree char *one = NULL;

		if (!is_shared(p, key))
			continue;
		one = fact_phrase(facts_get(series_at(p->r, 0)->labels, key), p->time_unit);
		g_string_append_printf(text, "%s%s", text->len ? ", " : "", one);
	}
	if (text->len)
		table_before(p->table, "all series: %s", text->str);
}

static void put_facts(struct plan *p)
{
	const struct record *r = p->r;
	struct table *t = p->table;
	g_autofree char *label = record_label(r);
	g_autofree char *settings = settings_text(r, p->time_unit);
	const struct series *first = r->series->len ? series_at(r, 0) : NULL;

	table_before(t, "tool: %s", label);
	if (first && first->quantity && !p->quantity && strcmp(first->quantity, "latency"))
		table_before(t, "quantity: %s", first->quantity);
	put_environment(t, r);
	if (r->command)
		table_before(t, "command: %s", r->command);
	if (*settings)
		table_before(t, "settings: %s", settings);
	put_shared_labels(p);
	put_merged(t, r);
	put_source(t, r);
	for (guint i = 0; i < r->series->len; i++) {
		const struct series *s = series_at(r, i);
		guint rows = s->samples ? series_sample_rows(s) : 0;

		if (rows && r->series->len == 1)
			table_before(t, "rows over time: %u", rows);
	}
}

/* "/series/3/avg" gives 3 and "avg"; -1 when the flag is about no series. */
static int flag_series(const struct record *r, const struct flag *f, const char **field)
{
	char *end;

	*field = NULL;
	if (!f->where || !g_str_has_prefix(f->where, "/series/") || !g_ascii_isdigit(f->where[8]))
		return -1;
	guint64 i = g_ascii_strtoull(f->where + 8, &end, 10);
	if (i >= r->series->len || (*end && *end != '/'))
		return -1;
	*field = *end ? end + 1 : NULL;
	return (int)i;
}

static bool same_note(const struct flag *a, const struct flag *b)
{
	return !strcmp(a->code, b->code) && !g_strcmp0(a->text, b->text);
}

static const char *flag_words(const struct flag *f)
{
	if (f->text && *f->text)
		return f->text;
	for (enum flag_code c = 0; c < FLAG_CODES; c++)
		if (!strcmp(flag_code_name(c), f->code))
			return flag_code_meaning(c);
	return f->code;
}

/* Which series the flags like `f` are about: "" when all are or none is told apart. */
static char *note_scope(const struct record *r, guint from, unsigned *count)
{
	const struct flag *f = &g_array_index(r->flags, struct flag, from);
	GString *names = g_string_new(NULL);
	int last = -1;

	*count = 0;
	for (guint i = from; i < r->flags->len; i++) {
		const struct flag *other = &g_array_index(r->flags, struct flag, i);
		const char *field;
		int s = flag_series(r, other, &field);

		if (!same_note(f, other) || s < 0 || s == last)
			continue;
		g_autofree char *name = series_label_text(series_at(r, (guint)s));
		if (++*count <= 4 && *name)
			g_string_append_printf(names, "%s%s", names->len ? "; " : "", name);
		last = s;
	}
	if (*count > 4)
		g_string_append_printf(names, " and %u more", *count - 4);
	if (*count == r->series->len)
		g_string_truncate(names, 0);
	return g_string_free(names, FALSE);
}

/* Marks the cells that a flag is about with the note's number, unless all rows have it. */
static void mark_cells(struct plan *p, guint from, unsigned note)
{
	const struct flag *f = &g_array_index(p->r->flags, struct flag, from);

	for (guint i = from; i < p->r->flags->len; i++) {
		const struct flag *other = &g_array_index(p->r->flags, struct flag, i);
		const char *field;
		int s = flag_series(p->r, other, &field), exp10;

		if (!same_note(f, other) || s < 0 || !field)
			continue;
		const char *unit = p->units->pdata[unit_of(p, series_at(p->r, (guint)s), &exp10)];
		g_autofree char *place = g_strdup_printf("%s/%s", field, unit);
		struct cell *c = cell_at(p, p->table->rows->pdata[s], place);

		if (!c)
			c = cell_at(p, p->table->rows->pdata[s], field);
		if (c && !c->footnote)
			c->footnote = (int)note;
	}
}

static void put_flags(struct plan *p)
{
	const GArray *flags = p->r->flags;

	for (guint i = 0; i < flags->len; i++) {
		const struct flag *f = &g_array_index(flags, struct flag, i);
		bool seen = false;
		unsigned count;

		for (guint k = 0; k < i && !seen; k++)
			seen = same_note(&g_array_index(flags, struct flag, k), f);
		if (seen)
			continue;
		g_autofree char *scope = note_scope(p->r, i, &count);
		unsigned note = table_note(p->table, "%s%s%s", scope, *scope ? ": " : "", flag_words(f));
		if (count && count < p->r->series->len)
			mark_cells(p, i, note);
	}
	if (p->computed)
		table_note(p->table, "Percentiles are computed from the histogram by nearest rank: the lower edge of the first "
		           "bin by which p/100 of all samples have been counted.");
}

/* s: the series, or one of those that h is the sum of. */
static void draw(struct plan *p, const struct series *s, const struct histogram *h, const char *title)
{
	const char *unit;
	int exp10;

	series_scale(s, p->time_unit, &unit, &exp10);
	struct figure *f = table_figure(p->table, title, unit);

	f->quantity = g_strdup(s->quantity ? s->quantity : "latency");
	for (guint i = 0; i < h->bins->len; i++) {
		const struct bin *b = &g_array_index(h->bins, struct bin, i);
		struct number upper = number_is_set(b->upper) ? b->upper : number_add(b->lower, h->bin_width);

		figure_bar(f, number_scale(b->lower, exp10), number_scale(upper, exp10), b->count);
	}
	f->underflow = h->underflow;
	f->overflow = h->overflow;
}

/* Many histograms of one unit and bin width as one. Caller frees. NULL when they do not go together. */
static struct histogram *histogram_sum(const struct record *r)
{
	struct histogram *sum = NULL;
	const char *unit = NULL;

	for (guint i = 0; i < r->series->len; i++) {
		const struct series *s = series_at(r, i);

		if (!s->histogram)
			continue;
		if (!sum) {
			sum = histogram_new();
			sum->bin_width = s->histogram->bin_width;
			unit = s->unit;
		} else if (g_strcmp0(unit, s->unit) || !number_equal(sum->bin_width, s->histogram->bin_width)) {
			histogram_free(sum);
			return NULL;
		}
		for (guint b = 0; b < s->histogram->bins->len; b++) {
			const struct bin *bin = &g_array_index(s->histogram->bins, struct bin, b);

			histogram_add(sum, bin->lower, bin->upper, bin->count);
		}
		if (number_is_set(s->histogram->underflow))
			sum->underflow = number_is_set(sum->underflow) ?
				number_add(sum->underflow, s->histogram->underflow) : s->histogram->underflow;
		if (number_is_set(s->histogram->overflow))
			sum->overflow = number_is_set(sum->overflow) ?
				number_add(sum->overflow, s->histogram->overflow) : s->histogram->overflow;
	}
	return sum;
}

static void put_figures(struct plan *p)
{
	guint have = 0, first = 0;

	for (guint i = p->r->series->len; i > 0; i--) {
		if (series_at(p->r, i - 1)->histogram) {
			have++;
			first = i - 1;
		}
	}
	if (have > MAX_FIGURES) {
		struct histogram *sum = histogram_sum(p->r);
		g_autofree char *title = g_strdup_printf("all %u series together", have);

		if (sum) {
			draw(p, series_at(p->r, first), sum, title);
			histogram_free(sum);
		}
		return;
	}
	for (guint i = 0; i < p->r->series->len && have; i++) {
		const struct series *s = series_at(p->r, i);
		g_autofree char *title = series_label_text(s);

		if (!s->histogram)
			continue;
		draw(p, s, s->histogram, title);
	}
}

static void add_result(struct document *d, const struct record *r, const struct report_options *o)
{
	g_autofree char *label = record_label(r);
	struct plan p;

	plan_init(&p, r, o, document_add(d, r->title && *r->title ? r->title : label));
	add_columns(&p);
	put_facts(&p);
	for (guint i = 0; i < r->series->len; i++)
		put_series(&p, i);
	/* After all series, so that row i is series i. */
	for (guint i = 0; i < r->series->len; i++) {
		put_interval(&p, series_at(r, i), series_at(r, i)->minima, "minima per interval");
		put_interval(&p, series_at(r, i), series_at(r, i)->maxima, "maxima per interval");
	}
	settle_decimals(p.table, (const int *)(void *)p.least->data);
	put_flags(&p);
	if (!o->no_figures)
		put_figures(&p);
	plan_free(&p);
}

static char *shape(struct document *d, const struct report_options *o)
{
	char *bad = NULL;

	if (o->has_digits)
		document_digits(d, o->digits);
	if (o->sort)
		bad = document_sort(d, o->sort);
	if (!bad && o->columns)
		bad = document_select(d, o->columns);
	return bad;
}

static void add_messages(struct document *d, const GPtrArray *messages)
{
	struct table *t = messages && messages->len ? document_add(d, "Not all could be read") : NULL;

	for (guint i = 0; t && i < messages->len; i++)
		table_note(t, "%s", (const char *)messages->pdata[i]);
}

struct document *document_from_records(const GPtrArray *records, const struct report_options *o, char **error)
{
	static const struct report_options defaults;
	struct document *d;

	if (!o)
		o = &defaults;
	if (o->form == REPORT_RESULTS) {
		d = document_new(o->title);
		add_messages(d, o->messages);
		for (guint i = 0; i < records->len; i++)
			add_result(d, records->pdata[i], o);
	} else {
		d = report_long(records, o);
	}

	g_autofree char *bad = shape(d, o);
	if (bad) {
		*error = document_no_column(d, bad);
		g_clear_pointer(&d, document_free);
	}
	return d;
}
