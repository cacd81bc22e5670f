#include "lib/pivot.h"

#include <string.h>
#include "lib/group_report.h"
#include "lib/report.h"

/* One merged series, and where it stands. */
struct place {
	const struct record *record;
	const struct series *series;
	char *table, *row, *col;        /* texts of the keys, "" for those that are not stated */
	char *row_key;                  /* of the identity too */
	const char *unit;
	int exp10;
	guint seen;
};

struct heads { GPtrArray *places; };    /* struct place *, the first of each row or column; borrowed */

struct builder {
	const struct pivot_options *o;
	GPtrArray *places;              /* struct place *, in the order of the records */
	struct document *d;
};

#define BETWEEN "\x1f"                  /* between the parts of a text that is only compared */

static void place_free(void *p)
{
	struct place *place = p;

	g_free(place->table);
	g_free(place->row);
	g_free(place->col);
	g_free(place->row_key);
	g_free(place);
}

/* The values of the keys, one after another. */
static char *texts_of(const GPtrArray *keys, const struct subject *s, const char *between)
{
	g_autoptr(GString) one = g_string_new(NULL);
	GString *all = g_string_new(NULL);

	for (guint i = 0; i < keys->len; i++) {
		key_text(keys->pdata[i], s, one);
		g_string_append_printf(all, "%s%s", i ? between : "", one->str);
	}
	return g_string_free(all, FALSE);
}

static char *fold_board(const GPtrArray *keys, char *text)
{
	const struct key *k = keys->len == 1 ? keys->pdata[0] : NULL;
	char *folded;

	if (!k || k->id != KEY_ENVIRONMENT || strcmp(k->argument, "board") || !*text)
		return text;
	folded = identity_board(text);
	g_free(text);
	return folded;
}

/* Is the load told by a key of the table? */
static bool load_is_key(const struct pivot_options *o)
{
	return keys_contain(o->col, KEY_ENVIRONMENT, "load") || keys_contain(o->row, KEY_ENVIRONMENT, "load") ||
	       keys_contain(o->table, KEY_ENVIRONMENT, "load");
}

static char *series_text(const struct pivot_options *o, const struct record *r, const struct series *s)
{
	return group_series_text(r, s, !load_is_key(o), false);
}

/* All that keeps rows apart, so that no two results fall into one cell; what stands across does not. */
static char *identity_text(const struct pivot_options *o, const struct record *r, const struct series *s)
{
	const struct fact *load = keys_contain(o->col, KEY_ENVIRONMENT, "load") ? NULL : facts_get(r->environment, "load");
	g_autofree char *folded = load && load->text ? identity_fold(load->text) : NULL;
	GString *out = g_string_new(keys_contain(o->col, KEY_TOOL, NULL) ? "" : r->tool);
	char digits[NUMBER_TEXT];

	g_string_append_printf(out, BETWEEN "%s" BETWEEN "%s" BETWEEN "%s" BETWEEN "%s",
	                       r->mode && !keys_contain(o->col, KEY_MODE, NULL) ? r->mode : "", folded ? folded : "",
	                       s->quantity && !keys_contain(o->col, KEY_QUANTITY, NULL) ? s->quantity : "latency",
	                       s->name && !keys_contain(o->col, KEY_NAME, NULL) ? s->name : "");
	for (guint i = 0; i < s->labels->len; i++) {
		const struct fact *f = &g_array_index(s->labels, struct fact, i);

		if (keys_contain(o->col, KEY_SERIES_LABEL, f->key) || (!strcmp(f->key, "priority") && keys_contain(o->col, KEY_PRIORITY, NULL)))
			continue;
		g_string_append_printf(out, BETWEEN "%s=%s", f->key, f->text ? f->text : number_print(f->number, digits));
	}
	return g_string_free(out, FALSE);
}

static void add_place(struct builder *b, const struct record *r, const struct series *s)
{
	struct place *p = g_new0(struct place, 1);
	struct subject subject = { r, s, NULL };
	g_autofree char *identity = identity_text(b->o, r, s);

	p->record = r;
	p->series = s;
	p->table = texts_of(b->o->table, &subject, ", ");
	p->row = texts_of(b->o->row, &subject, BETWEEN);
	p->col = fold_board(b->o->col, texts_of(b->o->col, &subject, BETWEEN));
	p->unit = shown_unit(b->o->unit, s->unit, s->field[FIELD_MAX], &p->exp10);
	p->row_key = g_strjoin(BETWEEN, p->row, identity, NULL);
	p->seen = b->places->len;
	g_ptr_array_add(b->places, p);
}

/* Orders by each key in turn. */
static int compare_texts(const GPtrArray *keys, const struct place *a, const struct place *b)
{
	g_autoptr(GString) x = g_string_new(NULL), y = g_string_new(NULL);
	int c = 0;

	for (guint i = 0; i < keys->len && !c; i++) {
		key_text(keys->pdata[i], &(struct subject){ a->record, a->series, NULL }, x);
		key_text(keys->pdata[i], &(struct subject){ b->record, b->series, NULL }, y);
		c = key_compare(keys->pdata[i], x->str, y->str, a->seen, b->seen);
	}
	return c ? c : (a->seen > b->seen) - (a->seen < b->seen);
}

static gint compare_heads(gconstpointer a, gconstpointer b, gpointer keys)
{
	return compare_texts(keys, *(struct place *const *)a, *(struct place *const *)b);
}

static bool in_table(const struct place *p, const struct place *first)
{
	return !strcmp(p->table, first->table) && !strcmp(p->unit, first->unit);
}

static const char *col_of(const struct place *p)
{
	return p->col;
}

static const char *row_of(const struct place *p)
{
	return p->row_key;
}

/* The first place of each different row or column of first's table, ordered by keys. */
static GPtrArray *heads(const struct builder *b, const struct place *first, const char *(*text)(const struct place *p), const GPtrArray *keys)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	GPtrArray *out = g_ptr_array_new();

	for (guint i = 0; i < b->places->len; i++) {
		struct place *p = b->places->pdata[i];

		if (in_table(p, first) && g_hash_table_add(seen, (void *)text(p)))
			g_ptr_array_add(out, p);
	}
	g_ptr_array_sort_with_data(out, compare_heads, (void *)keys);
	return out;
}

static char *head_text(const GPtrArray *keys, const struct place *p)
{
	g_autoptr(GString) one = g_string_new(NULL);
	GString *all = g_string_new(NULL);

	for (guint i = 0; i < keys->len; i++) {
		key_text(keys->pdata[i], &(struct subject){ p->record, p->series, NULL }, one);
		g_string_append_printf(all, "%s%s", i ? ", " : "", one->len ? one->str : "not stated");
	}
	return g_string_free(all, FALSE);
}

struct grid {
	const struct builder *b;
	struct table *table;
	GPtrArray *rows, *cols;         /* struct place *: heads */
	GHashTable *cells;              /* "row, col" -> struct place * */
	bool test, series;              /* columns that tell rows apart */
	guint lead;                     /* columns left of the first value */
};

static char *cell_key(const struct place *row, const struct place *col)
{
	return g_strjoin("\x1e", row->row_key, col->col, NULL);
}

static void fill_cells(struct grid *g, const struct place *first)
{
	g->cells = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (guint i = 0; i < g->b->places->len; i++) {
		struct place *p = g->b->places->pdata[i];

		if (in_table(p, first))
			g_hash_table_insert(g->cells, cell_key(p, p), p);
	}
}

static void look_at_rows(struct grid *g)
{
	const struct place *first = g->rows->pdata[0];
	g_autofree char *first_label = record_label(first->record);

	for (guint i = 0; i < g->rows->len; i++) {
		const struct place *p = g->rows->pdata[i];
		g_autofree char *label = record_label(p->record), *series = series_text(g->b->o, p->record, p->series);

		g->test |= strcmp(label, first_label) != 0;
		g->series |= *series != '\0';
	}
	/* Something must name a row. */
	g->test |= !g->series && !g->b->o->row->len;
	if (!g->test)
		table_before(g->table, "%s", first_label);
}

static void make_columns(struct grid *g, const char *unit)
{
	const struct pivot_options *o = g->b->o;

	for (guint i = 0; i < o->row->len; i++)
		table_column(g->table, ((struct key *)o->row->pdata[i])->name, NULL, NULL, COLUMN_TEXT, -1);
	if (g->test)
		table_column(g->table, "test", NULL, NULL, COLUMN_TEXT, -1);
	if (g->series)
		table_column(g->table, "series", NULL, NULL, COLUMN_TEXT, -1);
	g->lead = o->row->len + g->test + g->series;
	if (o->statistics->len == 1) {
		g_autofree char *name = statistic_name(&g_array_index(o->statistics, struct statistic, 0));

		table_before(g->table, "shown: %s", name);
	}
	for (guint i = 0; i < g->cols->len; i++) {
		g_autofree char *head = o->col->len ? head_text(o->col, g->cols->pdata[i]) : g_strdup("all");

		for (guint k = 0; k < o->statistics->len; k++) {
			const struct statistic *what = &g_array_index(o->statistics, struct statistic, k);
			bool count = !what->percentile && field_is_count(what->field);
			g_autofree char *name = statistic_name(what);

			if (o->statistics->len == 1)
				table_column(g->table, head, NULL, *unit && !count ? unit : NULL, COLUMN_NUMBER, -1);
			else
				table_column(g->table, name, head, *unit && !count ? unit : NULL, COLUMN_NUMBER, -1);
		}
	}
}

/* What varies inside the cell; keys that are shown cannot. */
static void put_footnote(struct grid *g, struct cell *cell, const struct place *p)
{
	g_autoptr(GString) text = g_string_new(NULL);
	const GPtrArray *varies = p->record->varies;
	guint n = 0, options = 0;

	/* Titles name a post, they tell nothing of the system; kernel options are many. */
	for (guint i = 0; varies && i < varies->len; i++) {
		const char *name = varies->pdata[i];

		if (g_str_has_prefix(name, "config."))
			options++;
		else if (strcmp(name, "title"))
			g_string_append_printf(text, "%s%s", n++ ? ", " : "", name);
	}
	if (options)
		g_string_append_printf(text, "%s%u further fact%s (config)", n++ ? ", " : "", options, options > 1 ? "s" : "");
	if (!n)
		return;
	g_string_append(text, n > 1 ? " differ inside the cell." : " differs inside the cell.");
	for (guint i = 0; i < g->table->notes->len; i++)
		if (!strcmp(g->table->notes->pdata[i], text->str)) {
			cell->footnote = (int)i + 1;
			return;
		}
	cell->footnote = (int)table_note(g->table, "%s", text->str);
}

static void put_value(struct cell *cell, const struct place *p, const struct statistic *what)
{
	if (what->percentile) {
		put_percentile(cell, p->series, p->record->runs > 1, what->percentile, p->exp10);
		return;
	}
	if (field_is_count(what->field))
		cell_number(cell, p->series->field[what->field]);
	else
		cell_number(cell, number_round(number_scale(p->series->field[what->field], p->exp10), 3));
}

/* Marks least and greatest of one statistic in a row, where they differ. */
static void mark(struct grid *g, struct cell *row, guint statistic, const struct series *s)
{
	const GArray *statistics = g->b->o->statistics;
	struct cell *best = NULL, *worst = NULL;

	if (!lower_is_better(s, &g_array_index(statistics, struct statistic, statistic)))
		return;
	for (guint i = 0; i < g->cols->len; i++) {
		struct cell *c = row + g->lead + i * statistics->len + statistic;

		if (!number_is_set(c->number))
			continue;
		if (!best || number_cmp(c->number, best->number) < 0)
			best = c;
		if (!worst || number_cmp(c->number, worst->number) > 0)
			worst = c;
	}
	if (!best || !number_cmp(best->number, worst->number))
		return;
	for (guint i = 0; i < g->cols->len; i++) {
		struct cell *c = row + g->lead + i * statistics->len + statistic;

		if (number_is_set(c->number) && !number_cmp(c->number, best->number))
			c->mark = MARK_BEST;
		else if (number_is_set(c->number) && !number_cmp(c->number, worst->number))
			c->mark = MARK_WORST;
	}
}

static void put_row(struct grid *g, const struct place *head)
{
	const struct pivot_options *o = g->b->o;
	struct cell *row = table_row(g->table), *cell = row;
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < o->row->len; i++) {
		key_text(o->row->pdata[i], &(struct subject){ head->record, head->series, NULL }, text);
		cell_text(cell++, text->len ? text->str : "not stated");
	}
	if (g->test) {
		g_autofree char *label = record_label(head->record);

		cell_text(cell++, label);
	}
	if (g->series) {
		g_autofree char *series = series_text(o, head->record, head->series);

		cell_text(cell++, series);
	}
	for (guint i = 0; i < g->cols->len; i++) {
		g_autofree char *key = cell_key(head, g->cols->pdata[i]);
		const struct place *p = g_hash_table_lookup(g->cells, key);

		for (guint k = 0; k < o->statistics->len; k++, cell++) {
			if (!p)
				continue;
			put_value(cell, p, &g_array_index(o->statistics, struct statistic, k));
			if (k == o->statistics->len - 1 && (number_is_set(cell->number) || cell->text))
				put_footnote(g, cell, p);
		}
	}
	for (guint k = 0; k < o->statistics->len; k++)
		mark(g, row, k, head->series);
}

static void add_table(struct builder *b, const struct place *first)
{
	struct grid g = { .b = b };

	g.rows = heads(b, first, row_of, b->o->row);
	g.cols = heads(b, first, col_of, b->o->col);
	g.table = document_add(b->d, *first->table ? first->table : NULL);
	fill_cells(&g, first);
	look_at_rows(&g);
	make_columns(&g, first->unit);
	for (guint i = 0; i < g.rows->len; i++)
		put_row(&g, g.rows->pdata[i]);
	g_ptr_array_unref(g.rows);
	g_ptr_array_unref(g.cols);
	g_hash_table_unref(g.cells);
}

struct document *pivot_report(const GPtrArray *records, const struct pivot_options *o)
{
	g_autoptr(GPtrArray) places = g_ptr_array_new_with_free_func(place_free);
	g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	struct builder b = { o, places, document_new(NULL) };

	for (guint i = 0; i < records->len; i++) {
		const struct record *r = records->pdata[i];

		for (guint k = 0; k < r->series->len; k++)
			add_place(&b, r, r->series->pdata[k]);
	}
	for (guint i = 0; i < places->len; i++) {
		const struct place *p = places->pdata[i];

		if (g_hash_table_add(seen, g_strjoin(BETWEEN, p->table, p->unit, NULL)))
			add_table(&b, p);
	}
	return b.d;
}
