/* Sides and pairs; lib/judge.c judges them. */
#include "lib/compare.h"

#include <string.h>
#include "lib/report.h"

static void printed_clear(void *p)
{
	g_free(((struct printed *)p)->key);
}

static void side_series_free(void *p)
{
	struct side_series *s = p;

	g_array_unref(s->runs);
	if (s->percentiles)
		g_array_unref(s->percentiles);
	g_free(s->label_text);
	g_free(s);
}

static void side_free(void *p)
{
	struct side *side = p;

	if (side->merged)
		g_ptr_array_unref(side->merged);
	g_hash_table_unref(side->series);
	g_ptr_array_unref(side->keys);
	g_hash_table_unref(side->facts);
	merge_free(side->total);
	g_free(side->label);
	g_free(side);
}

struct comparison *comparison_new(const struct identity *id)
{
	struct comparison *c = g_new0(struct comparison, 1);

	c->id = id;
	c->sides = g_ptr_array_new_with_free_func(side_free);
	return c;
}

void comparison_free(struct comparison *c)
{
	if (!c)
		return;
	g_ptr_array_unref(c->sides);
	g_free(c);
}

static void unref_strings(void *p)
{
	g_ptr_array_unref(p);
}

struct side *comparison_side(struct comparison *c, const char *label)
{
	struct side *side = g_new0(struct side, 1);

	side->label = g_strdup(label);
	side->total = merge_new(c->id);
	side->series = g_hash_table_new_full(g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, side_series_free);
	side->keys = g_ptr_array_new();
	side->facts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, unref_strings);
	g_ptr_array_add(c->sides, side);
	return side;
}

struct side *comparison_find(struct comparison *c, const char *label)
{
	for (guint i = 0; i < c->sides->len; i++) {
		struct side *side = c->sides->pdata[i];

		if (!strcmp(side->label, label))
			return side;
	}
	return comparison_side(c, label);
}

static GBytes *key_of(const struct comparison *c, const struct side *side, const struct record *r, const struct series *s)
{
	g_autoptr(GArray) labels = g_array_new(FALSE, FALSE, sizeof(struct fact));
	GString *key = g_string_new(NULL);

	identity_record_key(c->id, &(struct subject){ r, NULL, side->label }, key);
	identity_series_key(c->id, s, NULL, labels, key);
	return g_string_free_to_bytes(key);
}

static void note_fact(struct side *side, const char *name, const char *value)
{
	GPtrArray *values = g_hash_table_lookup(side->facts, name);

	if (!values) {
		values = g_ptr_array_new_with_free_func(g_free);
		g_hash_table_insert(side->facts, g_strdup(name), values);
	}
	if (values->len > FACT_VALUES || g_ptr_array_find_with_equal_func(values, value, g_str_equal, NULL))
		return;
	g_ptr_array_add(values, g_strdup(value));
}

static void note_facts(struct side *side, const GArray *facts, const char *prefix)
{
	char digits[NUMBER_TEXT];

	for (guint i = 0; i < facts->len; i++) {
		const struct fact *f = &g_array_index(facts, struct fact, i);
		g_autofree char *name = g_strconcat(prefix, f->key, NULL);

		if (f->text || number_is_set(f->number))
			note_fact(side, name, f->text ? f->text : number_print(f->number, digits));
	}
}

/* How long the run measured, of which s is a series with all its threads folded. rows: of the unfolded one. */
static struct exposure exposure_of(const struct record *r, const struct series *s, uint64_t rows)
{
	const struct fact *duration = facts_get(r->settings, "duration_s");

	if (number_is_set(s->field[FIELD_COUNT]) && s->field[FIELD_COUNT].coefficient > 0)
		return (struct exposure){ EXPOSURE_COUNT, s->field[FIELD_COUNT] };
	if (duration && number_is_set(duration->number) && duration->number.coefficient > 0)
		return (struct exposure){ EXPOSURE_SECONDS, number_mul(duration->number, number_int(MAX(r->runs, 1))) };
	if (rows > 0)
		return (struct exposure){ EXPOSURE_ROWS, number_int((int64_t)MIN(rows, G_MAXUINT32)) };
	return (struct exposure){ EXPOSURE_NONE, number_absent() };
}

static void add_exposure(struct side_series *to, struct exposure e, bool first)
{
	if (first) {
		to->exposure = e;
		return;
	}
	if (to->exposure.kind != e.kind || e.kind == EXPOSURE_NONE) {
		to->exposure_mixed = true;
		return;
	}
	to->exposure.amount = number_add(to->exposure.amount, e.amount);
}

static void take_percentiles(struct side_series *to, const struct series *s)
{
	to->percentiles = g_array_new(FALSE, FALSE, sizeof(struct printed));
	g_array_set_clear_func(to->percentiles, printed_clear);
	for (guint i = 0; i < s->percentiles->len; i++) {
		const struct percentile *p = &g_array_index(s->percentiles, struct percentile, i);
		struct printed copy = { g_strdup(p->key), p->value };

		if (number_is_set(p->value))
			g_array_append_val(to->percentiles, copy);
		else
			g_free(copy.key);
	}
}

static struct side_series *series_for(struct side *side, GBytes *key)
{
	struct side_series *s = g_hash_table_lookup(side->series, key);

	if (s)
		return s;
	s = g_new0(struct side_series, 1);
	s->runs = g_array_new(FALSE, FALSE, sizeof(struct run_values));
	s->order = side->keys->len;
	g_hash_table_insert(side->series, g_bytes_ref(key), s);
	g_ptr_array_add(side->keys, key);
	return s;
}

/* The series of r that folded into a series of this key, if it is one only (percentiles, rows of several cannot be joined). */
static const struct series *only_source(const struct comparison *c, const struct side *side, const struct record *r, GBytes *key,
                                        const struct series *first)
{
	g_autoptr(GArray) labels = g_array_new(FALSE, FALSE, sizeof(struct fact));
	const struct series *found = NULL;

	for (guint i = 0; i < r->series->len; i++) {
		const struct series *s = r->series->pdata[i];
		GString *text = g_string_new(NULL);
		GBytes *own;
		bool same;

		identity_record_key(c->id, &(struct subject){ r, NULL, side->label }, text);
		identity_series_key(c->id, s, first, labels, text);
		own = g_string_free_to_bytes(text);
		same = g_bytes_equal(own, key);
		g_bytes_unref(own);
		if (same && found)
			return NULL;
		if (same)
			found = s;
	}
	return found;
}

static bool has_rows(const struct record *r)
{
	for (guint i = 0; i < r->series->len; i++) {
		const struct series *s = r->series->pdata[i];

		if (s->percentiles || s->samples)
			return true;
	}
	return false;
}

#define SOURCES_LOOKED_UP 256u          /* records of more series have no percentiles or rows that would be worth the search */

/* One series of a run, its threads folded. */
static void add_run_series(struct comparison *c, struct side *side, const struct record *r, const struct record *folded,
                           const struct series *s)
{
	GBytes *key = key_of(c, side, folded, s);
	struct side_series *to = series_for(side, key);
	const struct series *source = NULL;
	struct run_values values;

	if (r->series->len <= SOURCES_LOOKED_UP && has_rows(r))
		source = only_source(c, side, r, key, identity_first_thread(c->id, r));
	memcpy(values.field, s->field, sizeof(values.field));
	add_exposure(to, exposure_of(r, s, source && source->samples ? source->samples->rows : 0), to->run_count == 0);
	if (r->kind == RECORD_RUN)
		g_array_append_val(to->runs, values);
	to->run_count += folded->runs;
	if (to->run_count == 1 && source && source->percentiles)
		take_percentiles(to, source);
	else if (to->run_count > 1)
		g_clear_pointer(&to->percentiles, g_array_unref);
	if (!to->label_text)
		to->label_text = record_label(r);
	g_bytes_unref(key);
}

void comparison_add(struct comparison *c, struct side *side, const struct record *r)
{
	struct subject subject = { r, NULL, side->label };
	struct merge *one = merge_new(c->id);
	GPtrArray *folded;

	merge_add(one, &subject);
	folded = merge_records(one);
	for (guint i = 0; i < folded->len; i++) {
		const struct record *f = folded->pdata[i];

		for (guint k = 0; k < f->series->len; k++)
			add_run_series(c, side, r, f, f->series->pdata[k]);
	}
	g_ptr_array_unref(folded);
	merge_free(one);
	merge_add(side->total, &subject);
	side->records++;
	note_facts(side, r->environment, "");
	note_facts(side, r->config, "config.");
	note_facts(side, r->settings, "");
}

static void attach_totals(struct comparison *c, struct side *side)
{
	side->merged = merge_records(side->total);
	for (guint i = 0; i < side->merged->len; i++) {
		const struct record *r = side->merged->pdata[i];

		for (guint k = 0; k < r->series->len; k++) {
			GBytes *key = key_of(c, side, r, r->series->pdata[k]);
			struct side_series *s = g_hash_table_lookup(side->series, key);

			if (s) {
				s->record = r;
				s->series = r->series->pdata[k];
			}
			g_bytes_unref(key);
		}
	}
}

static void pair_free(void *p)
{
	struct pair *pair = p;

	g_bytes_unref(pair->key);
	g_free(pair->side);
	g_free(pair);
}

GPtrArray *comparison_finish(struct comparison *c)
{
	GPtrArray *pairs = g_ptr_array_new_with_free_func(pair_free);
	g_autoptr(GHashTable) seen = g_hash_table_new(g_bytes_hash, g_bytes_equal);

	for (guint i = 0; i < c->sides->len; i++)
		attach_totals(c, c->sides->pdata[i]);
	for (guint i = 0; i < c->sides->len; i++) {
		struct side *side = c->sides->pdata[i];

		for (guint k = 0; k < side->keys->len; k++) {
			GBytes *key = side->keys->pdata[k];
			struct pair *pair;

			if (!g_hash_table_add(seen, key))
				continue;
			pair = g_new0(struct pair, 1);
			pair->key = g_bytes_ref(key);
			pair->side = g_new0(const struct side_series *, c->sides->len);
			for (guint j = 0; j < c->sides->len; j++)
				pair->side[j] = g_hash_table_lookup(((struct side *)c->sides->pdata[j])->series, key);
			g_ptr_array_add(pairs, pair);
		}
	}
	return pairs;
}
