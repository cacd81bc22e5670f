#include "lib/merge.h"

#include <string.h>

/* A fact of the group: the value that all runs so far share, or that they differ. */
struct shared {
	char *key;
	char *text;                     /* NULL: number */
	struct number number;
	bool varies;
	guint64 seen;                   /* the last record that stated it */
};

enum fact_kind { FACTS_ENVIRONMENT, FACTS_CONFIG, FACTS_SETTINGS, FACT_KINDS };
static const char *const fact_prefixes[] = { "environment.", "config.", "settings." };

struct shared_list {
	GArray *facts;                  /* struct shared */
	enum fact_kind kind;
	guint agreed;                   /* those that do not vary */
};

enum source_text { SOURCE_FILE, SOURCE_PART, SOURCE_MESSAGE_ID, SOURCE_FROM, SOURCE_DATE, SOURCE_SUBJECT, SOURCE_LIST, SOURCE_TEXTS };
enum scalar { SCALAR_MODE, SCALAR_TITLE, SCALAR_COMMAND, SCALARS };
static const char *const scalar_names[] = { "mode", "title", "command" };

struct extreme { struct number value; GString *source; };

struct merged_series {
	GByteArray *key;
	char *name, *quantity, *unit;
	GArray *labels;                 /* struct fact with own strings */
	struct extreme min, max;
	struct number_sum *sum, *weight;
	enum merge_weights weights;
	struct number count, overruns, mode_switches, resolution, value;
	struct histogram *histogram;    /* NULL: not every run has one that fits */
	struct histogram *minima, *maxima;
	struct number minima_count, maxima_count;
	GArray *extras;
	guint64 threads, threads_now, serial;
};

struct group {
	GByteArray *key;
	GPtrArray *by_texts;            /* char *: for the order and for "by" */
	char *tool;
	struct shared_list facts[FACT_KINDS];
	char *scalar[SCALARS];
	bool scalar_varies[SCALARS];
	char *source[SOURCE_TEXTS];
	guint64 first_line, last_line, depth, copies, runs;
	guint32 flags;                  /* bits of enum flag_code */
	GHashTable *other_flags;        /* codes that this version does not know; NULL: none */
	GArray *extras;
	GPtrArray *series;              /* struct merged_series * */
	GHashTable *series_by_key;      /* once there are many; else NULL */
};

struct merge {
	const struct identity *id;
	GHashTable *groups;             /* GByteArray * -> struct group * */
	GHashTable *spellings;          /* raw key (GByteArray *) -> struct group *: spares folding what was folded before */
	GString *key;
	GArray *labels;
	guint64 serial;                 /* of the record that is being added */
};

/* GCC and Clang have it on every 64-bit target; -Wpedantic wants to be told. */
__extension__ typedef __int128 wide;

#define SPELLINGS_A_GROUP 4u            /* kept on average */
#define SERIES_LINEAR 16u               /* up to so many series a group are looked up one by one */

static guint hash_bytes(gconstpointer p)
{
	const GByteArray *b = p;
	guint64 h = 14695981039346656037u ^ b->len, word;
	guint i = 0;

	for (; i + sizeof(word) <= b->len; i += sizeof(word)) {
		memcpy(&word, b->data + i, sizeof(word));
		h = (h ^ word) * 1099511628211u;
		h ^= h >> 29;
	}
	for (; i < b->len; i++)
		h = (h ^ b->data[i]) * 1099511628211u;
	return (guint)(h ^ h >> 32);
}

static gboolean equal_bytes(gconstpointer p, gconstpointer q)
{
	const GByteArray *a = p, *b = q;

	return a->len == b->len && !memcmp(a->data, b->data, a->len);
}

static GByteArray *bytes_of(const GString *s)
{
	return g_byte_array_append(g_byte_array_sized_new((guint)s->len), (const guint8 *)s->str, (guint)s->len);
}

/* A view of s as the hash table's key type; lives as long as s is not changed. */
static GByteArray view_of(const GString *s)
{
	return (GByteArray){ (guint8 *)s->str, (guint)s->len };
}

static void shared_clear(void *p)
{
	struct shared *f = p;

	g_free(f->key);
	g_free(f->text);
}

static struct shared_list shared_new(enum fact_kind kind)
{
	struct shared_list l = { g_array_new(FALSE, TRUE, sizeof(struct shared)), kind, 0 };

	g_array_set_clear_func(l.facts, shared_clear);
	return l;
}

static void extra_clear(void *p)
{
	struct extra *e = p;

	g_free((char *)e->key);
	g_free((char *)e->json);
}

static void fact_clear(void *p)
{
	struct fact *f = p;

	g_free((char *)f->key);
	g_free((char *)f->text);
}

static void extreme_clear(struct extreme *e)
{
	if (e->source)
		g_string_free(e->source, TRUE);
}

static void merged_series_free(void *p)
{
	struct merged_series *s = p;

	g_byte_array_unref(s->key);
	g_free(s->name);
	g_free(s->quantity);
	g_free(s->unit);
	g_array_unref(s->labels);
	extreme_clear(&s->min);
	extreme_clear(&s->max);
	number_sum_free(s->sum);
	number_sum_free(s->weight);
	histogram_free(s->histogram);
	histogram_free(s->minima);
	histogram_free(s->maxima);
	g_array_unref(s->extras);
	g_free(s);
}

static void group_free(void *p)
{
	struct group *g = p;

	g_ptr_array_unref(g->by_texts);
	g_free(g->tool);
	for (int i = 0; i < FACT_KINDS; i++)
		g_array_unref(g->facts[i].facts);
	for (int i = 0; i < SCALARS; i++)
		g_free(g->scalar[i]);
	for (int i = 0; i < SOURCE_TEXTS; i++)
		g_free(g->source[i]);
	if (g->other_flags)
		g_hash_table_unref(g->other_flags);
	if (g->series_by_key)
		g_hash_table_unref(g->series_by_key);
	g_array_unref(g->extras);
	g_ptr_array_unref(g->series);
	g_byte_array_unref(g->key);
	g_free(g);
}

static void free_bytes(void *p)
{
	g_byte_array_unref(p);
}

struct merge *merge_new(const struct identity *id)
{
	struct merge *m = g_new0(struct merge, 1);

	m->id = id;
	m->groups = g_hash_table_new_full(hash_bytes, equal_bytes, NULL, group_free);
	m->spellings = g_hash_table_new_full(hash_bytes, equal_bytes, free_bytes, NULL);
	m->key = g_string_new(NULL);
	m->labels = g_array_new(FALSE, FALSE, sizeof(struct fact));
	return m;
}

void merge_free(struct merge *m)
{
	if (!m)
		return;
	g_hash_table_unref(m->spellings);
	g_hash_table_unref(m->groups);
	g_string_free(m->key, TRUE);
	g_array_unref(m->labels);
	g_free(m);
}

uint64_t merge_groups(const struct merge *m)
{
	return g_hash_table_size(m->groups);
}

/* --- facts --- */

static bool is_folded_fact(const struct shared_list *l, const char *key)
{
	return l->kind == FACTS_ENVIRONMENT && (!strcmp(key, "board") || !strcmp(key, "load"));
}

/*
 * Boards and loads that differ in case, blanks or a known other spelling are the same: of the spellings the first in byte order
 * stays.
 */
static bool same_folded(const struct identity *id, struct shared *have, const char *text)
{
	bool same;

	if (!strcmp(have->key, "board")) {
		same = !strcmp(identity_board_cached(id, have->text), identity_board_cached(id, text));
	} else {
		g_autofree char *a = identity_fold(have->text);
		g_autofree char *b = identity_fold(text);

		same = !strcmp(a, b);
	}
	if (same && strcmp(text, have->text) < 0) {
		g_free(have->text);
		have->text = g_strdup(text);
	}
	return same;
}

static void shared_vary(struct shared_list *l, struct shared *f)
{
	l->agreed -= !f->varies;
	f->varies = true;
	g_clear_pointer(&f->text, g_free);
	f->number = number_absent();
}

static bool has_key(const struct shared *f, const char *key)
{
	return *f->key == *key && !strcmp(f->key, key);
}

static struct shared *shared_find(const struct shared_list *l, const char *key, guint hint)
{
	if (hint < l->facts->len && has_key(&g_array_index(l->facts, struct shared, hint), key))
		return &g_array_index(l->facts, struct shared, hint);
	for (guint i = 0; i < l->facts->len; i++)
		if (has_key(&g_array_index(l->facts, struct shared, i), key))
			return &g_array_index(l->facts, struct shared, i);
	return NULL;
}

static void shared_append(struct shared_list *l, const char *key, const struct fact *value, guint64 serial)
{
	struct shared f = { .key = g_strdup(key), .varies = !value, .seen = serial };

	if (value) {
		f.text = g_strdup(value->text);
		f.number = value->number;
	}
	g_array_append_val(l->facts, f);
	l->agreed += !f.varies;
}

/* A record's facts meet the group's: what is not in both, or not equal, varies. */
static void shared_meet(const struct identity *id, struct shared_list *l, const GArray *facts, guint64 serial, bool first)
{
	guint agreeing = 0;

	for (guint i = 0; i < facts->len; i++) {
		const struct fact *f = &g_array_index(facts, struct fact, i);
		struct shared *have;

		if (!f->text && !number_is_set(f->number))
			continue;
		have = shared_find(l, f->key, i);
		if (!have) {
			shared_append(l, f->key, first ? f : NULL, serial);
			agreeing += first;
			continue;
		}
		have->seen = serial;
		if (have->varies)
			continue;
		if (f->text ? have->text && (!strcmp(f->text, have->text) ||
		                             (is_folded_fact(l, f->key) && same_folded(id, have, f->text)))
		            : !have->text && number_equal(f->number, have->number))
			agreeing++;
		else
			shared_vary(l, have);
	}
	/* What the record does not state. */
	for (guint i = 0; agreeing < l->agreed && i < l->facts->len; i++) {
		struct shared *have = &g_array_index(l->facts, struct shared, i);

		if (have->seen != serial && !have->varies)
			shared_vary(l, have);
	}
}

static void shared_must_vary(struct shared_list *l, const char *key, guint64 serial)
{
	struct shared *have = shared_find(l, key, 0);

	if (have)
		shared_vary(l, have);
	else
		shared_append(l, key, NULL, serial);
}

static const GArray *facts_of(const struct record *r, enum fact_kind kind)
{
	return kind == FACTS_ENVIRONMENT ? r->environment : kind == FACTS_CONFIG ? r->config : r->settings;
}

/*
 * A fact's name in varies: plain where everybody knows what it means ("kernel", "period_ns"), else with its place
 * ("config.CONFIG_HZ", "environment.room").
 */
static bool plain_name(enum fact_kind kind, const char *key)
{
	static const char *const environment[] = { "board", "cpu", "arch", "memory", "kernel", "rt", "distribution", "compiler",
		"load", NULL };
	static const char *const settings[] = { "period_ns", "priority", "policy", "duration_s", "loops", "threads", NULL };

	return kind != FACTS_CONFIG && g_strv_contains(kind == FACTS_SETTINGS ? settings : environment, key);
}

static enum fact_kind kind_of_name(const char **name)
{
	for (enum fact_kind kind = 0; kind < FACT_KINDS; kind++)
		if (g_str_has_prefix(*name, fact_prefixes[kind])) {
			*name += strlen(fact_prefixes[kind]);
			return kind;
		}
	return plain_name(FACTS_SETTINGS, *name) ? FACTS_SETTINGS : FACTS_ENVIRONMENT;
}

/* What varied inside a merged part varies in the whole. */
static void meet_varies(struct group *g, const struct record *r, guint64 serial)
{
	for (guint i = 0; r->varies && i < r->varies->len; i++) {
		const char *name = r->varies->pdata[i];
		int scalar = 0;
		enum fact_kind kind;

		while (scalar < SCALARS && strcmp(scalar_names[scalar], name))
			scalar++;
		if (scalar < SCALARS) {
			g->scalar_varies[scalar] = true;
			continue;
		}
		kind = kind_of_name(&name);
		shared_must_vary(&g->facts[kind], name, serial);
	}
}

static void meet_text(char **have, const char *text, bool first)
{
	if (first)
		*have = g_strdup(text);
	else if (*have && (!text || strcmp(*have, text)))
		g_clear_pointer(have, g_free);
}

static void meet_scalars(struct group *g, const struct record *r, bool first)
{
	const char *texts[SCALARS] = { r->mode, r->title, r->command };

	for (int i = 0; i < SCALARS; i++) {
		if (first) {
			g->scalar[i] = g_strdup(texts[i]);
		} else if (!g->scalar_varies[i] && g_strcmp0(g->scalar[i], texts[i])) {
			g->scalar_varies[i] = true;
			g_clear_pointer(&g->scalar[i], g_free);
		}
	}
}

static void meet_source(struct group *g, const struct record *r, bool first)
{
	const struct source *s = &r->source;
	const char *texts[SOURCE_TEXTS] = { s->file, s->part, s->message_id, s->from, s->date, s->subject, s->list };

	for (int i = 0; i < SOURCE_TEXTS; i++)
		meet_text(&g->source[i], texts[i], first);
	if (first) {
		g->first_line = s->first;
		g->last_line = s->last;
		g->depth = s->quote_depth;
	}
	if (g->first_line != s->first || g->last_line != s->last)
		g->first_line = g->last_line = 0;
	g->depth = MIN(g->depth, s->quote_depth);
	g->copies = MIN(g->copies + s->copies, G_MAXUINT32);
}

static void meet_flags(struct group *g, const struct record *r)
{
	for (guint i = 0; i < r->flags->len; i++) {
		const char *code = g_array_index(r->flags, struct flag, i).code;
		unsigned known = 0;

		while (known < FLAG_CODES && strcmp(flag_code_name(known), code))
			known++;
		if (known < FLAG_CODES) {
			g->flags |= 1u << known;
			continue;
		}
		if (!g->other_flags)
			g->other_flags = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
		g_hash_table_add(g->other_flags, g_strdup(code));
	}
}

/* Keys of the merged record that this file makes itself. */
static bool own_extra(const char *key)
{
	return !strcmp(key, "by") || !strcmp(key, "threads") || !strcmp(key, "weights");
}

static const struct extra *find_extra(const GArray *extras, const char *key)
{
	for (guint i = 0; extras && i < extras->len; i++)
		if (!strcmp(g_array_index(extras, struct extra, i).key, key))
			return &g_array_index(extras, struct extra, i);
	return NULL;
}

/* Unknown keys stay where all parts have them with the same text. */
static void meet_extras(GArray *have, const GArray *extras, bool first)
{
	if (first) {
		for (guint i = 0; extras && i < extras->len; i++) {
			const struct extra *e = &g_array_index(extras, struct extra, i);
			struct extra copy = { g_strdup(e->key), g_strdup(e->json) };

			/* What belongs to samples or histograms of one run does not belong to the group. */
			if (own_extra(e->key) || strchr(e->key, '/'))
				extra_clear(&copy);
			else
				g_array_append_val(have, copy);
		}
		return;
	}
	for (guint i = 0; i < have->len;) {
		const struct extra *e = find_extra(extras, g_array_index(have, struct extra, i).key);

		if (e && !strcmp(e->json, g_array_index(have, struct extra, i).json))
			i++;
		else
			g_array_remove_index(have, i);
	}
}

/* --- numbers --- */

/* A sum of counts: null as soon as one part does not state it. */
static struct number meet_count(struct number have, struct number n, bool first)
{
	struct number sum;

	if (number_is_set(n) && (n.coefficient < 0 || n.exponent < 0))
		n = number_null();
	if (first)
		return n;
	if (have.state == NUMBER_ABSENT && n.state == NUMBER_ABSENT)
		return have;
	if (!number_is_set(have) || !number_is_set(n))
		return number_null();
	sum = number_add(have, n);
	/* 15 digits: beyond them the sum would be rounded, and the order of the parts would tell. */
	return number_is_set(sum) && number_cmp(sum, (struct number){ 1, NUMBER_DIGITS, NUMBER_SET }) < 0 ? sum : number_null();
}

/* Counts outside the bins: not printed means none. */
static struct number add_outside(struct number a, struct number b)
{
	if (a.state == NUMBER_ABSENT)
		return b;
	return b.state == NUMBER_ABSENT ? a : meet_count(a, b, false);
}

static const char *origin(const struct record *r)
{
	return r->source.message_id ? r->source.message_id : r->source.file ? r->source.file : "";
}

/* sign 1: the greatest counts, -1: the least. */
static void meet_extreme(struct extreme *e, struct number n, const char *source, int sign)
{
	int c;

	if (!number_is_set(n))
		return;
	c = number_is_set(e->value) ? number_cmp(n, e->value) * sign : 1;
	if (c < 0 || (c == 0 && strcmp(source, e->source->str) >= 0))
		return;
	e->value = n;
	if (!e->source)
		e->source = g_string_new(source);
	else
		g_string_assign(e->source, source);
}

static void meet_weights(struct merged_series *m, enum merge_weights w)
{
	if (m->weights == WEIGHTS_NONE || m->weights == w)
		m->weights = w;
	else if (w != WEIGHTS_NONE)
		m->weights = WEIGHTS_MIXED;
}

struct number merged_threads(const struct series *s)
{
	const struct extra *e = find_extra(s->extras, "threads");
	struct number n = number_absent();

	if (e)
		number_parse(e->json, strlen(e->json), 0, &n);
	return n;
}

enum merge_weights merged_weights(const struct series *s)
{
	const struct extra *e = find_extra(s->extras, "weights");

	if (!s->sum || !s->weight)
		return WEIGHTS_NONE;
	if (!e)
		return WEIGHTS_COUNT;
	return !strcmp(e->json, "\"runs\"") ? WEIGHTS_RUNS : WEIGHTS_MIXED;
}

static bool positive(struct number n)
{
	return number_is_set(n) && n.coefficient > 0;
}

static void meet_mean(struct merged_series *m, const struct record *r, const struct series *s)
{
	struct number avg = s->field[FIELD_AVG], weight = s->field[FIELD_COUNT];

	if (r->kind == RECORD_MERGED) {
		if (s->sum && s->weight) {
			number_sum_merge(m->sum, s->sum);
			number_sum_merge(m->weight, s->weight);
			meet_weights(m, merged_weights(s));
		}
		return;
	}
	if (avg.state == NUMBER_ABSENT && s->field[FIELD_MIN].state == NUMBER_ABSENT && s->field[FIELD_MAX].state == NUMBER_ABSENT) {
		avg = s->field[FIELD_VALUE];
		weight = number_absent();
	}
	if (!number_is_set(avg))
		return;
	meet_weights(m, positive(weight) ? WEIGHTS_COUNT : WEIGHTS_RUNS);
	if (!positive(weight))
		weight = number_int(1);
	number_sum_add(m->sum, avg, weight);
	number_sum_add(m->weight, weight, number_int(1));
}

static void meet_extremes(struct merged_series *m, const struct record *r, const struct series *s)
{
	struct number min = s->field[FIELD_MIN], max = s->field[FIELD_MAX];
	const char *from = origin(r);

	if (min.state == NUMBER_ABSENT && max.state == NUMBER_ABSENT && s->field[FIELD_AVG].state == NUMBER_ABSENT)
		min = max = s->field[FIELD_VALUE];
	meet_extreme(&m->min, min, s->min_source ? s->min_source : from, -1);
	meet_extreme(&m->max, max, s->max_source ? s->max_source : from, 1);
}

/* --- histograms --- */

/* Edges at offset + k * width, in units of 10^exponent. width 0: of unequal width. */
struct grid { int64_t width, offset; int exponent; bool valid; };

#define UNITS_LIMIT INT64_C(1000000000000000)          /* 10^NUMBER_DIGITS */

/* n in units of 10^exponent; false when that is no whole number of at most 15 digits. */
static bool in_units(struct number n, int exponent, int64_t *out)
{
	int64_t v = n.coefficient;

	if (!number_is_set(n) || (v && n.exponent < exponent))
		return false;
	for (int i = n.exponent; i > exponent && v; i--) {
		v *= 10;
		if (v >= UNITS_LIMIT || v <= -UNITS_LIMIT)
			return false;
	}
	*out = v;
	return true;
}

static int64_t modulo(int64_t a, int64_t b)
{
	int64_t r = a % b;

	return r < 0 ? r + b : r;
}

static int finest_exponent(const struct histogram *h, int exponent)
{
	if (number_is_set(h->bin_width))
		exponent = MIN(exponent, h->bin_width.exponent);
	for (guint i = 0; i < h->bins->len; i++)
		exponent = MIN(exponent, g_array_index(h->bins, struct bin, i).lower.exponent);
	return exponent;
}

static struct grid grid_of(const struct histogram *h, int exponent)
{
	struct grid g = { .exponent = exponent };
	int64_t lower;

	if (!in_units(h->bin_width, exponent, &g.width) || g.width <= 0)
		return g;
	for (guint i = 0; i < h->bins->len; i++) {
		if (!in_units(g_array_index(h->bins, struct bin, i).lower, exponent, &lower))
			return g;
		if (!i)
			g.offset = modulo(lower, g.width);
		else if (modulo(lower, g.width) != g.offset)
			return g;
	}
	g.valid = true;
	return g;
}

/* The greatest common divisor of a and b, and *inverse with a * *inverse = divisor modulo b (extended Euclid). */
static int64_t common_divisor(int64_t a, int64_t b, int64_t *inverse)
{
	int64_t x = 1, next_x = 0;

	while (b) {
		int64_t quotient = a / b, t = a % b;

		a = b;
		b = t;
		t = x - quotient * next_x;
		x = next_x;
		next_x = t;
	}
	*inverse = x;
	return a;
}

/*
 * The edges that both have: where there are any, they lie at the least common multiple of the widths (Chinese remainder
 * theorem), else valid is false.
 */
static struct grid grid_meet(struct grid a, struct grid b)
{
	struct grid g = { .exponent = a.exponent };
	int64_t divisor, inverse, gap, steps;

	if (!a.valid || !b.valid)
		return g;
	divisor = common_divisor(a.width, b.width, &inverse);
	gap = b.offset - a.offset;
	steps = b.width / divisor;
	if (gap % divisor || a.width >= UNITS_LIMIT / steps)
		return g;
	g.width = a.width * steps;
	g.offset = modulo(a.offset + a.width * (int64_t)((wide)modulo(gap / divisor, steps) * modulo(inverse, steps) % steps), g.width);
	g.valid = true;
	return g;
}

static GArray *bins_new(guint n)
{
	return g_array_sized_new(FALSE, FALSE, sizeof(struct bin), n);
}

static void append_bin(GArray *out, const struct bin *b)
{
	struct bin *last = out->len ? &g_array_index(out, struct bin, out->len - 1) : NULL;

	if (last && number_equal(last->lower, b->lower) && number_equal(last->upper, b->upper))
		last->count = meet_count(last->count, b->count, false);
	else
		g_array_append_val(out, *b);
}

static int compare_bins(const struct bin *a, const struct bin *b)
{
	int c = number_cmp(a->lower, b->lower);

	if (!c && number_is_set(a->upper) && number_is_set(b->upper))
		c = number_cmp(a->upper, b->upper);
	return c;
}

/* Two ascending lists as one; equal bins add up. */
static GArray *interleave(const GArray *a, const GArray *b)
{
	GArray *out = bins_new(a->len + b->len);
	guint i = 0, j = 0;

	while (i < a->len || j < b->len) {
		const struct bin *x = i < a->len ? &g_array_index(a, struct bin, i) : NULL;
		const struct bin *y = j < b->len ? &g_array_index(b, struct bin, j) : NULL;

		if (!y || (x && compare_bins(x, y) <= 0)) {
			append_bin(out, x);
			i++;
		} else {
			append_bin(out, y);
			j++;
		}
	}
	return out;
}

/* The bins on the edges of grid g, of which theirs are a part. */
static GArray *coarsen(const struct histogram *h, struct grid g)
{
	GArray *out = bins_new(h->bins->len);

	for (guint i = 0; i < h->bins->len; i++) {
		struct bin b = g_array_index(h->bins, struct bin, i);
		int64_t lower;

		if (!in_units(b.lower, g.exponent, &lower))
			continue;
		lower -= modulo(lower - g.offset, g.width);
		b.lower = number_scale(number_int(lower), g.exponent);
		b.upper = number_absent();
		append_bin(out, &b);
	}
	return out;
}

/* A count of more than 15 digits cannot be kept. */
static bool countable(const GArray *bins)
{
	for (guint i = 0; i < bins->len; i++)
		if (!number_is_set(g_array_index(bins, struct bin, i).count))
			return false;
	return true;
}

static bool overlapping(const GArray *bins)
{
	for (guint i = 1; i < bins->len; i++) {
		const struct bin *a = &g_array_index(bins, struct bin, i - 1), *b = &g_array_index(bins, struct bin, i);

		if (!number_is_set(a->upper) || number_cmp(b->lower, a->upper) < 0)
			return true;
	}
	return bins->len && !number_is_set(g_array_index(bins, struct bin, bins->len - 1).upper);
}

static void replace_bins(struct histogram *h, GArray *bins)
{
	g_array_unref(h->bins);
	h->bins = bins;
}

static bool merge_even(struct histogram *into, const struct histogram *from)
{
	int exponent = finest_exponent(from, finest_exponent(into, 0));
	struct grid a = grid_of(into, exponent), b = grid_of(from, exponent), g;
	GArray *x, *y;

	/* Without bins any edges will do. */
	if (a.valid && b.valid && into->bins->len && !from->bins->len)
		b = a;
	if (a.valid && b.valid && !into->bins->len && from->bins->len)
		a = b;
	g = grid_meet(a, b);
	if (!g.valid)
		return false;
	into->bin_width = number_scale(number_int(g.width), exponent);
	if (g.width == a.width && g.width == b.width) {
		replace_bins(into, interleave(into->bins, from->bins));
		return true;
	}
	x = coarsen(into, g);
	y = coarsen(from, g);
	replace_bins(into, interleave(x, y));
	g_array_unref(x);
	g_array_unref(y);
	return true;
}

bool histogram_merge(struct histogram *into, const struct histogram *from)
{
	if (number_is_set(into->bin_width) != number_is_set(from->bin_width))
		return false;
	if (number_is_set(into->bin_width)) {
		if (!merge_even(into, from))
			return false;
	} else {
		replace_bins(into, interleave(into->bins, from->bins));
		if (overlapping(into->bins))
			return false;
	}
	into->underflow = add_outside(into->underflow, from->underflow);
	into->overflow = add_outside(into->overflow, from->overflow);
	return countable(into->bins);
}

struct histogram *histogram_copy(const struct histogram *h)
{
	struct histogram *copy = histogram_new();

	copy->bin_width = h->bin_width;
	copy->underflow = h->underflow;
	copy->overflow = h->overflow;
	g_array_append_vals(copy->bins, h->bins->data, h->bins->len);
	return copy;
}

/* Only if every run has one, and all fit: a part must not pass for the whole. */
static void meet_histogram(struct histogram **have, const struct histogram *h, bool first)
{
	if (first) {
		*have = h ? histogram_copy(h) : NULL;
		/* A histogram that contradicts itself fits no other; find out now, whatever comes first. */
		if (*have && (number_is_set(h->bin_width) ? !grid_of(h, finest_exponent(h, 0)).valid : overlapping(h->bins)))
			g_clear_pointer(have, histogram_free);
	} else if (*have && (!h || !histogram_merge(*have, h))) {
		g_clear_pointer(have, histogram_free);
	}
}

static void meet_interval(struct histogram **have, struct number *count, const struct interval_stats *s, bool first)
{
	meet_histogram(have, s ? s->histogram : NULL, first);
	*count = meet_count(*count, s ? s->count : number_absent(), first);
}

/* --- series --- */

static struct merged_series *series_new(struct merge *m, const struct series *s, const struct series *first_thread)
{
	struct merged_series *n = g_new0(struct merged_series, 1);

	n->key = bytes_of(m->key);
	n->name = g_strdup(s->name);
	n->quantity = g_strdup(s->quantity);
	n->unit = g_strdup(s->unit);
	n->labels = g_array_new(FALSE, FALSE, sizeof(struct fact));
	g_array_set_clear_func(n->labels, fact_clear);
	n->extras = g_array_new(FALSE, FALSE, sizeof(struct extra));
	g_array_set_clear_func(n->extras, extra_clear);
	n->sum = number_sum_new();
	n->weight = number_sum_new();
	identity_labels(m->id, s, first_thread, m->labels);
	for (guint i = 0; i < m->labels->len; i++) {
		struct fact f = g_array_index(m->labels, struct fact, i);

		f.key = g_strdup(f.key);
		f.text = g_strdup(f.text);
		g_array_append_val(n->labels, f);
	}
	return n;
}

static struct merged_series *find_series(struct merge *m, struct group *g)
{
	GByteArray view = view_of(m->key);

	if (g->series_by_key)
		return g_hash_table_lookup(g->series_by_key, &view);
	for (guint i = 0; i < g->series->len; i++) {
		struct merged_series *s = g->series->pdata[i];

		if (equal_bytes(s->key, &view))
			return s;
	}
	return NULL;
}

static void append_series(struct group *g, struct merged_series *s)
{
	g_ptr_array_add(g->series, s);
	if (g->series_by_key) {
		g_hash_table_insert(g->series_by_key, s->key, s);
	} else if (g->series->len > SERIES_LINEAR) {
		g->series_by_key = g_hash_table_new(hash_bytes, equal_bytes);
		for (guint i = 0; i < g->series->len; i++)
			g_hash_table_insert(g->series_by_key, ((struct merged_series *)g->series->pdata[i])->key, g->series->pdata[i]);
	}
}

static void count_threads(struct merged_series *n, const struct series *s, guint64 serial)
{
	struct number stated = merged_threads(s);

	if (n->serial != serial) {
		n->serial = serial;
		n->threads_now = 0;
	}
	n->threads_now += positive(stated) && stated.exponent <= 9 ? (guint64)MIN(number_to_double(stated), 1e9) : 1;
	n->threads = MAX(n->threads, n->threads_now);
}

static void meet_series(struct merge *m, struct group *g, const struct record *r, const struct series *s,
                        const struct series *first_thread)
{
	struct merged_series *n;
	bool first;

	g_string_truncate(m->key, 0);
	identity_series_key(m->id, s, first_thread, m->labels, m->key);
	n = find_series(m, g);
	first = !n;
	if (first) {
		n = series_new(m, s, first_thread);
		append_series(g, n);
	}
	if (m->id->ignore_name && !first)
		meet_text(&n->name, s->name, false);
	if (m->id->ignore_quantity && !first)
		meet_text(&n->quantity, s->quantity, false);
	meet_extremes(n, r, s);
	meet_mean(n, r, s);
	n->count = meet_count(n->count, s->field[FIELD_COUNT], first);
	n->overruns = meet_count(n->overruns, s->field[FIELD_OVERRUNS], first);
	n->mode_switches = meet_count(n->mode_switches, s->field[FIELD_MODE_SWITCHES], first);
	if (first)
		n->value = s->field[FIELD_VALUE];
	else if (!number_equal(n->value, s->field[FIELD_VALUE]))
		n->value = number_absent();
	if (number_is_set(s->resolution) && (!number_is_set(n->resolution) || number_cmp(s->resolution, n->resolution) > 0))
		n->resolution = s->resolution;
	if (first || n->histogram)
		meet_histogram(&n->histogram, s->histogram, first);
	meet_interval(&n->minima, &n->minima_count, s->minima, first);
	meet_interval(&n->maxima, &n->maxima_count, s->maxima, first);
	if (n->extras->len || (first && s->extras))
		meet_extras(n->extras, s->extras, first);
	count_threads(n, s, m->serial);
}

static struct group *group_new(struct merge *m, const struct subject *s)
{
	struct group *g = g_new0(struct group, 1);
	g_autoptr(GString) text = g_string_new(NULL);

	g->key = bytes_of(m->key);
	g->tool = g_strdup(s->record->tool);
	for (enum fact_kind kind = 0; kind < FACT_KINDS; kind++)
		g->facts[kind] = shared_new(kind);
	g->extras = g_array_new(FALSE, FALSE, sizeof(struct extra));
	g_array_set_clear_func(g->extras, extra_clear);
	g->series = g_ptr_array_new_with_free_func(merged_series_free);
	g->by_texts = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; i < m->id->by->len; i++) {
		const struct key *k = m->id->by->pdata[i];

		key_text(k, s, text);
		/* Spellings of a board fall into one group, and the order must not depend on which came first. */
		g_ptr_array_add(g->by_texts, k->id == KEY_ENVIRONMENT && !strcmp(k->argument, "board") && text->len
		                ? g_strdup(identity_board_cached(m->id, text->str)) : g_strdup(text->str));
	}
	g_hash_table_insert(m->groups, g->key, g);
	return g;
}

/* The group of the record; *first: it is new. */
static struct group *find_group(struct merge *m, const struct subject *s, bool *first)
{
	GByteArray *spelling = NULL, view;
	struct group *g;

	*first = false;
	g_string_truncate(m->key, 0);
	if (identity_raw_key(m->id, s, m->key)) {
		view = view_of(m->key);
		g = g_hash_table_lookup(m->spellings, &view);
		if (g)
			return g;
		spelling = bytes_of(m->key);
		g_string_truncate(m->key, 0);
	}
	identity_record_key(m->id, s, m->key);
	view = view_of(m->key);
	g = g_hash_table_lookup(m->groups, &view);
	*first = !g;
	if (!g)
		g = group_new(m, s);
	if (spelling) {
		if (g_hash_table_size(m->spellings) >= SPELLINGS_A_GROUP * g_hash_table_size(m->groups))
			g_hash_table_remove_all(m->spellings);
		g_hash_table_insert(m->spellings, spelling, g);
	}
	return g;
}

void merge_add(struct merge *m, const struct subject *s)
{
	const struct record *r = s->record;
	const struct series *first_thread;
	struct group *g;
	bool first;

	m->serial++;
	g = find_group(m, s, &first);
	g->runs = MIN(g->runs + (r->kind == RECORD_MERGED ? r->runs : 1), G_MAXUINT32);
	for (enum fact_kind kind = 0; kind < FACT_KINDS; kind++)
		if (g->facts[kind].agreed || facts_of(r, kind)->len)
			shared_meet(m->id, &g->facts[kind], facts_of(r, kind), m->serial, first);
	meet_scalars(g, r, first);
	meet_varies(g, r, m->serial);
	meet_source(g, r, first);
	meet_flags(g, r);
	if (g->extras->len || (first && r->extras))
		meet_extras(g->extras, r->extras, first);
	first_thread = identity_first_thread(m->id, r);
	for (guint i = 0; i < r->series->len; i++)
		meet_series(m, g, r, r->series->pdata[i], first_thread);
}

/* --- results --- */

static gint by_fact_key(gconstpointer a, gconstpointer b)
{
	return strcmp(((const struct fact *)a)->key, ((const struct fact *)b)->key);
}

static void put_facts(struct record *r, GArray *out, const struct shared_list *l)
{
	for (guint i = 0; i < l->facts->len; i++) {
		const struct shared *f = &g_array_index(l->facts, struct shared, i);
		const char *key;

		if (f->varies) {
			g_ptr_array_add(r->varies, g_strconcat(plain_name(l->kind, f->key) ? "" : fact_prefixes[l->kind], f->key, NULL));
			continue;
		}
		key = record_text(r, f->key, -1);
		if (f->text)
			facts_set_text(r, out, key, f->text, 0);
		else
			facts_set_number(out, key, f->number, 0);
	}
	g_array_sort(out, by_fact_key);
}

static gint by_text(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void put_extra(struct record *r, GArray **extras, const char *key, const char *json)
{
	struct extra e = { record_text(r, key, -1), record_text(r, json, -1) };

	if (!*extras)
		*extras = g_array_new(FALSE, FALSE, sizeof(struct extra));
	g_array_append_val(*extras, e);
}

static gint by_extra_key(gconstpointer a, gconstpointer b)
{
	return strcmp(((const struct extra *)a)->key, ((const struct extra *)b)->key);
}

static void put_extras(struct record *r, GArray **extras, const GArray *have)
{
	for (guint i = 0; i < have->len; i++) {
		const struct extra *e = &g_array_index(have, struct extra, i);

		put_extra(r, extras, e->key, e->json);
	}
	if (*extras)
		g_array_sort(*extras, by_extra_key);
}

static struct interval_stats *put_interval(const struct histogram *h, struct number count)
{
	struct interval_stats *s;

	if (!h && !number_is_set(count))
		return NULL;
	s = g_new0(struct interval_stats, 1);
	s->count = count;
	s->histogram = h ? histogram_copy(h) : NULL;
	return s;
}

static void put_mean(struct record *r, struct series *s, const struct merged_series *n)
{
	if (n->weights == WEIGHTS_NONE)
		return;
	s->sum = number_sum_new();
	s->weight = number_sum_new();
	number_sum_merge(s->sum, n->sum);
	number_sum_merge(s->weight, n->weight);
	s->field[FIELD_AVG] = n->weights == WEIGHTS_MIXED ? number_null() : number_sum_mean(n->sum, n->weight);
	if (n->weights != WEIGHTS_COUNT)
		put_extra(r, &s->extras, "weights", n->weights == WEIGHTS_RUNS ? "\"runs\"" : "\"mixed\"");
}

static void put_series(struct record *r, const struct merged_series *n)
{
	struct series *s = record_add_series(r, n->name);
	char text[NUMBER_TEXT];

	s->quantity = record_text(r, n->quantity, -1);
	s->unit = record_text(r, n->unit, -1);
	for (guint i = 0; i < n->labels->len; i++) {
		const struct fact *f = &g_array_index(n->labels, struct fact, i);
		const char *key = record_text(r, f->key, -1);

		if (f->text)
			series_label(r, s, key, f->text);
		else
			series_label_number(s, key, f->number);
	}
	s->resolution = n->resolution;
	s->field[FIELD_MIN] = n->min.value;
	s->field[FIELD_MAX] = n->max.value;
	s->field[FIELD_VALUE] = n->value;
	s->field[FIELD_COUNT] = n->count;
	s->field[FIELD_OVERRUNS] = n->overruns;
	s->field[FIELD_MODE_SWITCHES] = n->mode_switches;
	s->min_source = n->min.source && n->min.source->len ? record_text(r, n->min.source->str, -1) : NULL;
	s->max_source = n->max.source && n->max.source->len ? record_text(r, n->max.source->str, -1) : NULL;
	s->histogram = n->histogram ? histogram_copy(n->histogram) : NULL;
	s->minima = put_interval(n->minima, n->minima_count);
	s->maxima = put_interval(n->maxima, n->maxima_count);
	put_mean(r, s, n);
	if (n->threads > 1)
		put_extra(r, &s->extras, "threads", number_print(number_int((int64_t)MIN(n->threads, G_MAXUINT32)), text));
	put_extras(r, &s->extras, n->extras);
}

/* Text that needs no escapes in JSON. */
static bool plain(const char *text)
{
	for (const char *p = text; *p; p++)
		if ((unsigned char)*p < 32 || *p == '"' || *p == '\\')
			return false;
	return g_utf8_validate(text, -1, NULL);
}

/* The group's keys that the merged record itself cannot tell any more. */
static void put_by(const struct merge *m, struct record *r, const struct group *g)
{
	g_autoptr(GString) json = g_string_new(NULL);

	for (guint i = 0; i < m->id->by->len; i++) {
		const struct key *k = m->id->by->pdata[i];
		const char *text = g->by_texts->pdata[i];

		if ((k->part == KEY_WHOLE && k->id != KEY_LABEL) || !*text || !plain(text))
			continue;
		g_string_append_printf(json, "%s\"%s\":\"%s\"", json->len ? "," : "{", k->name, text);
	}
	if (!json->len)
		return;
	g_string_append_c(json, '}');
	put_extra(r, &r->extras, "by", json->str);
}

static void put_flags(struct record *r, const struct group *g)
{
	g_autofree const char **codes = NULL;
	guint n = 0;

	for (unsigned i = 0; i < FLAG_CODES; i++)
		if (g->flags & 1u << i)
			record_flag(r, i, "%s", flag_code_meaning(i), "");
	if (!g->other_flags)
		return;
	codes = (const char **)g_hash_table_get_keys_as_array(g->other_flags, &n);
	qsort(codes, n, sizeof(*codes), by_text);
	for (guint i = 0; i < n; i++) {
		struct flag f = { record_text(r, codes[i], -1), "", "some of the merged results have this flag" };

		g_array_append_val(r->flags, f);
	}
}

static gint by_series_key(gconstpointer a, gconstpointer b)
{
	const GByteArray *x = (*(struct merged_series *const *)a)->key, *y = (*(struct merged_series *const *)b)->key;
	int c = memcmp(x->data, y->data, MIN(x->len, y->len));

	return c ? c : (x->len > y->len) - (x->len < y->len);
}

static void put_source(struct record *r, const struct group *g)
{
	const char **texts[SOURCE_TEXTS] = { &r->source.file, &r->source.part, &r->source.message_id, &r->source.from,
		&r->source.date, &r->source.subject, &r->source.list };

	for (int i = 0; i < SOURCE_TEXTS; i++)
		*texts[i] = record_text(r, g->source[i], -1);
	if (r->source.file) {
		r->source.first = (unsigned)g->first_line;
		r->source.last = (unsigned)g->last_line;
	}
	r->source.quote_depth = (unsigned)g->depth;
	r->source.copies = (unsigned)g->copies;
}

static struct record *group_record(const struct merge *m, const struct group *g)
{
	struct record *r = record_new(g->tool);
	const char **scalars[SCALARS] = { &r->mode, &r->title, &r->command };
	g_autoptr(GPtrArray) series = g_ptr_array_sized_new(g->series->len);

	r->kind = RECORD_MERGED;
	r->runs = (unsigned)g->runs;
	r->varies = g_ptr_array_new_with_free_func(g_free);
	for (int i = 0; i < SCALARS; i++) {
		*scalars[i] = g->scalar_varies[i] ? NULL : record_text(r, g->scalar[i], -1);
		if (g->scalar_varies[i])
			g_ptr_array_add(r->varies, g_strdup(scalar_names[i]));
	}
	put_facts(r, r->environment, &g->facts[FACTS_ENVIRONMENT]);
	put_facts(r, r->config, &g->facts[FACTS_CONFIG]);
	put_facts(r, r->settings, &g->facts[FACTS_SETTINGS]);
	g_ptr_array_sort(r->varies, by_text);
	put_source(r, g);
	put_flags(r, g);
	put_by(m, r, g);
	put_extras(r, &r->extras, g->extras);
	for (guint i = 0; i < g->series->len; i++)
		g_ptr_array_add(series, g->series->pdata[i]);
	g_ptr_array_sort(series, by_series_key);
	for (guint i = 0; i < series->len; i++)
		put_series(r, series->pdata[i]);
	record_compute_id(r);
	return r;
}

static gint compare_groups(gconstpointer x, gconstpointer y, gpointer data)
{
	const struct group *a = *(struct group *const *)x, *b = *(struct group *const *)y;
	const struct merge *m = data;
	int c = 0;

	for (guint i = 0; i < m->id->by->len && !c; i++)
		c = key_compare(m->id->by->pdata[i], a->by_texts->pdata[i], b->by_texts->pdata[i], 0, 0);
	if (!c)
		c = memcmp(a->key->data, b->key->data, MIN(a->key->len, b->key->len));
	return c ? c : (a->key->len > b->key->len) - (a->key->len < b->key->len);
}

void merge_each(const struct merge *m, void (*each)(struct record *r, void *data), void *data)
{
	g_autoptr(GPtrArray) groups = g_ptr_array_sized_new(g_hash_table_size(m->groups));
	GHashTableIter iter;
	void *g;

	g_hash_table_iter_init(&iter, m->groups);
	while (g_hash_table_iter_next(&iter, NULL, &g))
		g_ptr_array_add(groups, g);
	g_ptr_array_sort_with_data(groups, compare_groups, (void *)m);
	for (guint i = 0; i < groups->len; i++)
		each(group_record(m, groups->pdata[i]), data);
}

static void append(struct record *r, void *data)
{
	g_ptr_array_add(data, r);
}

GPtrArray *merge_records(const struct merge *m)
{
	GPtrArray *records = g_ptr_array_new_with_free_func((GDestroyNotify)record_free);

	merge_each(m, append, records);
	return records;
}
