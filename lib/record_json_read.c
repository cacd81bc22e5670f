/*
 * JSON to records. Strict about what the schema says of known keys, since a value that is silently dropped is a wrong
 * record; what the schema leaves open is kept as an extra.
 */
#include "lib/record_json.h"
#include "lib/json_text.h"
#include "lib/record_json_quick.h"

#include <string.h>
#include <cjson/cJSON.h>

#define PROBE_BYTES 65536u
#define FEW_KEYS 20             /* up to here comparing keys in place is faster than hashing */

struct reading {
	struct record *r;
	GString *path;          /* JSON Pointer of the present value */
	char *error;            /* the first fault; nothing is read after it */
};

/* Extras of one owner, and where its relative pointers begin in the path. */
struct owner {
	GArray **extras;
	size_t base;
};

static bool fail(struct reading *c, const char *what)
{
	if (!c->error)
		c->error = g_strdup_printf("%s: %s", c->path->len ? c->path->str : "/", what);
	return false;
}

static size_t enter(struct reading *c, const char *key)
{
	size_t old = c->path->len;

	json_pointer_append(c->path, key);
	return old;
}

static size_t enter_index(struct reading *c, unsigned i)
{
	size_t old = c->path->len;

	g_string_append_printf(c->path, "/%u", i);
	return old;
}

static void leave(struct reading *c, size_t old)
{
	g_string_truncate(c->path, old);
}

static bool is_number(const cJSON *item)
{
	return cJSON_IsString(item) && item->valuestring[0] == JSON_NUMBER;
}

static bool is_text(const cJSON *item)
{
	return cJSON_IsString(item) && item->valuestring[0] != JSON_NUMBER;
}

/* Undoes json_protect in a tree (of at most JSON_MAX_DEPTH levels): numbers become raw text. */
static void unprotect(cJSON *item)
{
	cJSON *child;

	if (is_number(item)) {
		memmove(item->valuestring, item->valuestring + 1, strlen(item->valuestring));
		item->type = (item->type & cJSON_StringIsConst) | cJSON_Raw;
	}
	cJSON_ArrayForEach(child, item)
		unprotect(child);
}

/* Keeps the present value (its path is c->path) with its owner. */
static void keep(struct reading *c, const struct owner *o, cJSON *item)
{
	struct extra e;
	char *json;

	unprotect(item);
	json = cJSON_PrintUnformatted(item);
	if (!*o->extras)
		*o->extras = g_array_new(FALSE, FALSE, sizeof(struct extra));
	e.key = record_text(c->r, c->path->str + o->base + 1, -1);
	e.json = record_text(c->r, json, -1);
	cJSON_free(json);
	g_array_append_val(*o->extras, e);
}

static bool read_text(struct reading *c, const cJSON *item, const char **out)
{
	if (!is_text(item))
		return fail(c, "must be a text");
	*out = record_text(c->r, item->valuestring, -1);
	return true;
}

static bool read_text_or_null(struct reading *c, const cJSON *item, const char **out)
{
	*out = NULL;
	if (cJSON_IsNull(item))
		return true;
	if (!is_text(item))
		return fail(c, "must be a text or null");
	return read_text(c, item, out);
}

static bool read_number(struct reading *c, const cJSON *item, struct number *out)
{
	*out = number_null();
	if (cJSON_IsNull(item))
		return true;
	if (!is_number(item))
		return fail(c, "must be a number or null");
	if (number_parse(item->valuestring + 1, strlen(item->valuestring + 1), 0, out) != NUMBER_OK)
		return fail(c, "has more than 15 significant digits or is out of range");
	return true;
}

/* A whole number from 0 to G_MAXINT. */
static bool read_count(struct reading *c, const cJSON *item, unsigned *out)
{
	struct number n;

	*out = 0;
	if (!is_number(item) || number_parse(item->valuestring + 1, strlen(item->valuestring + 1), 0, &n) != NUMBER_OK ||
	    n.exponent < 0 || n.coefficient < 0 || number_cmp(n, number_int(G_MAXINT)) > 0)
		return fail(c, "must be a whole number, 0 or more");
	*out = (unsigned)number_to_double(n);
	return true;
}

static bool read_sum(struct reading *c, const cJSON *item, struct number_sum **out)
{
	struct number_sum *sum = number_sum_new();

	if (!is_text(item) || !number_sum_parse(sum, item->valuestring)) {
		number_sum_free(sum);
		return fail(c, "must be a decimal number as a text");
	}
	*out = sum;
	return true;
}

/* Names the key that is there twice. */
static bool fail_twice(struct reading *c, const cJSON *item)
{
	enter(c, item->string);
	return fail(c, "is there twice");
}

/* An object without repeated keys: readers differ in which of two they take. */
static bool check_object(struct reading *c, const cJSON *object)
{
	g_autoptr(GHashTable) seen = NULL;
	const cJSON *a, *b;

	if (!cJSON_IsObject(object))
		return fail(c, "must be an object");
	if (cJSON_GetArraySize(object) <= FEW_KEYS) {
		for (a = object->child; a; a = a->next)
			for (b = object->child; b != a; b = b->next)
				if (!strcmp(a->string, b->string))
					return fail_twice(c, a);
		return true;
	}
	seen = g_hash_table_new(g_str_hash, g_str_equal);
	cJSON_ArrayForEach(a, object)
		if (!g_hash_table_add(seen, a->string))
			return fail_twice(c, a);
	return true;
}

/* Texts and numbers become facts; anything else is kept. */
static bool read_facts(struct reading *c, cJSON *object, GArray *facts, bool numbers, const struct owner *o)
{
	cJSON *item;

	if (!check_object(c, object))
		return false;
	cJSON_ArrayForEach(item, object) {
		struct fact f = { .key = record_text(c->r, item->string, -1) };
		size_t old = enter(c, item->string);

		if (is_text(item) && read_text(c, item, &f.text))
			g_array_append_val(facts, f);
		else if (numbers && (is_number(item) || cJSON_IsNull(item)) && read_number(c, item, &f.number))
			g_array_append_val(facts, f);
		else if (!c->error)
			keep(c, o, item);
		if (c->error)
			return false;
		leave(c, old);
	}
	return true;
}

static bool read_environment(struct reading *c, cJSON *object, const struct owner *o)
{
	cJSON *config;
	bool ok;

	if (!check_object(c, object))
		return false;
	config = cJSON_DetachItemFromObjectCaseSensitive(object, "config");
	ok = read_facts(c, object, c->r->environment, false, o);
	if (config && ok) {
		size_t old = enter(c, "config");

		ok = read_facts(c, config, c->r->config, false, o);
		if (ok)
			leave(c, old);
	}
	cJSON_Delete(config);
	return ok;
}

/* One bin: [lower, count], or [lower, count, upper] where the width is null. */
static bool read_bin(struct reading *c, const cJSON *item, bool unequal, struct bin *bin)
{
	const cJSON *value = item->child;

	if (!cJSON_IsArray(item) || cJSON_GetArraySize(item) != (unequal ? 3 : 2))
		return fail(c, unequal ? "must be [lower, count, upper]" : "must be [lower, count]");
	if (!is_number(value) || !is_number(value->next))
		return fail(c, "must hold numbers");
	if (!read_number(c, value, &bin->lower) || !read_number(c, value->next, &bin->count))
		return false;
	if (bin->count.coefficient <= 0)
		return fail(c, "an empty bin is not written");
	return !unequal || read_number(c, value->next->next, &bin->upper);
}

static bool read_bins(struct reading *c, const cJSON *bins, struct histogram *h)
{
	const struct bin *last = NULL;
	const cJSON *item;
	unsigned i = 0;

	if (!cJSON_IsArray(bins))
		return fail(c, "must be an array");
	cJSON_ArrayForEach(item, bins) {
		struct bin bin = { 0 };
		size_t old = enter_index(c, i++);

		if (!read_bin(c, item, !number_is_set(h->bin_width), &bin))
			return false;
		if (last && number_cmp(bin.lower, last->lower) <= 0)
			return fail(c, "bins must ascend");
		leave(c, old);
		g_array_append_val(h->bins, bin);
		last = &g_array_index(h->bins, struct bin, h->bins->len - 1);
	}
	return true;
}

static bool read_histogram_key(struct reading *c, cJSON *item, struct histogram *h, const struct owner *o)
{
	if (!strcmp(item->string, "bin_width"))
		return true;            /* read before the bins */
	if (!strcmp(item->string, "bins"))
		return read_bins(c, item, h);
	if (!strcmp(item->string, "underflow"))
		return read_number(c, item, &h->underflow);
	if (!strcmp(item->string, "overflow"))
		return read_number(c, item, &h->overflow);
	keep(c, o, item);
	return true;
}

static bool read_histogram(struct reading *c, cJSON *object, struct histogram **out, const struct owner *o)
{
	cJSON *item, *width;
	struct histogram *h;

	if (!check_object(c, object))
		return false;
	*out = h = histogram_new();
	width = cJSON_GetObjectItemCaseSensitive(object, "bin_width");
	if (!width || !cJSON_GetObjectItemCaseSensitive(object, "bins"))
		return fail(c, "must have bin_width and bins");
	if (!read_number(c, width, &h->bin_width))
		return false;
	cJSON_ArrayForEach(item, object) {
		size_t old = enter(c, item->string);

		if (!read_histogram_key(c, item, h, o))
			return false;
		leave(c, old);
	}
	return true;
}

static bool read_interval(struct reading *c, cJSON *object, struct interval_stats **out, const struct owner *o)
{
	struct interval_stats *s;
	cJSON *item;

	if (!check_object(c, object))
		return false;
	*out = s = g_new0(struct interval_stats, 1);
	cJSON_ArrayForEach(item, object) {
		size_t old = enter(c, item->string);

		if (!strcmp(item->string, "count"))
			read_number(c, item, &s->count);
		else if (!strcmp(item->string, "avg"))
			read_number(c, item, &s->avg);
		else if (!strcmp(item->string, "stddev"))
			read_number(c, item, &s->stddev);
		else if (!strcmp(item->string, "histogram"))
			read_histogram(c, item, &s->histogram, o);
		else
			keep(c, o, item);
		if (c->error)
			return false;
		leave(c, old);
	}
	return true;
}

/* Which columns the rows have, in the order of enum field. */
static unsigned find_columns(const cJSON *rows, enum field columns[FIELD_END])
{
	bool seen[FIELD_END] = { false };
	const cJSON *row, *item;
	unsigned n = 0;

	cJSON_ArrayForEach(row, rows)
		cJSON_ArrayForEach(item, row) {
			enum field f = item->string ? field_from_name(item->string) : FIELD_END;

			if (f != FIELD_END)
				seen[f] = true;
		}
	for (enum field f = 0; f < FIELD_END; f++)
		if (seen[f])
			columns[n++] = f;
	return n;
}

static bool read_row(struct reading *c, cJSON *row, struct series *s, const struct owner *o)
{
	struct number values[SERIES_MAX_COLUMNS] = { { 0 } };
	unsigned line = 0;
	cJSON *item;

	if (!check_object(c, row))
		return false;
	cJSON_ArrayForEach(item, row) {
		enum field f = field_from_name(item->string);
		size_t old = enter(c, item->string);

		if (!strcmp(item->string, "line"))
			read_count(c, item, &line);
		else if (f == FIELD_END)
			keep(c, o, item);
		for (unsigned i = 0; f != FIELD_END && i < s->samples->columns; i++)
			if (s->samples->column[i] == f)
				read_number(c, item, &values[i]);
		if (c->error)
			return false;
		leave(c, old);
	}
	series_add_row(s, line, values);
	return true;
}

static bool read_samples(struct reading *c, cJSON *rows, struct series *s, const struct owner *o)
{
	enum field columns[FIELD_END];
	unsigned n, i = 0;
	cJSON *row;

	if (!cJSON_IsArray(rows))
		return fail(c, "must be an array");
	n = find_columns(rows, columns);
	series_columns(s, n, columns);
	cJSON_ArrayForEach(row, rows) {
		size_t old = enter_index(c, i++);

		if (!read_row(c, row, s, o))
			return false;
		leave(c, old);
	}
	if (i > series_sample_rows(s)) {
		g_autofree char *text = g_strdup_printf("%u rows, of which the first %u are kept", i,
							series_sample_rows(s));
		g_autofree char *where = g_strdup(c->path->str);

		record_flag(c->r, FLAG_SAMPLES_OMITTED, "%s", text, where);
	}
	return true;
}

static bool read_percentiles(struct reading *c, const cJSON *object, struct series *s)
{
	const cJSON *item;

	if (!check_object(c, object))
		return false;
	if (!s->percentiles)
		s->percentiles = g_array_new(FALSE, FALSE, sizeof(struct percentile));
	cJSON_ArrayForEach(item, object) {
		struct percentile p = { record_text(c->r, item->string, -1), { 0 } };
		size_t old = enter(c, item->string);

		if (!read_number(c, item, &p.value))
			return false;
		leave(c, old);
		g_array_append_val(s->percentiles, p);
	}
	return true;
}

static bool read_quantity(struct reading *c, const cJSON *item, struct series *s)
{
	if (!read_text(c, item, &s->quantity))
		return false;
	if (!strcmp(s->quantity, "latency"))
		s->quantity = NULL;
	return true;
}

static bool read_series_key(struct reading *c, cJSON *item, struct series *s, const struct owner *o)
{
	const char *key = item->string;
	enum field f = field_from_name(key);

	if (f < FIELD_SERIES_END)
		return read_number(c, item, &s->field[f]);
	if (!strcmp(key, "name"))
		return read_text_or_null(c, item, &s->name);
	if (!strcmp(key, "line"))
		return read_count(c, item, &s->line);
	if (!strcmp(key, "labels"))
		return read_facts(c, item, s->labels, true, o);
	if (!strcmp(key, "quantity"))
		return read_quantity(c, item, s);
	if (!strcmp(key, "unit"))
		return read_text_or_null(c, item, &s->unit);
	if (!strcmp(key, "resolution"))
		return read_number(c, item, &s->resolution);
	if (!strcmp(key, "sum"))
		return read_sum(c, item, &s->sum);
	if (!strcmp(key, "weight"))
		return read_sum(c, item, &s->weight);
	if (!strcmp(key, "min_source"))
		return read_text(c, item, &s->min_source);
	if (!strcmp(key, "max_source"))
		return read_text(c, item, &s->max_source);
	if (!strcmp(key, "samples"))
		return read_samples(c, item, s, o);
	if (!strcmp(key, "histogram"))
		return read_histogram(c, item, &s->histogram, o);
	if (!strcmp(key, "interval_minima"))
		return read_interval(c, item, &s->minima, o);
	if (!strcmp(key, "interval_maxima"))
		return read_interval(c, item, &s->maxima, o);
	if (!strcmp(key, "percentiles"))
		return read_percentiles(c, item, s);
	keep(c, o, item);
	return true;
}

static bool read_one_series(struct reading *c, cJSON *object)
{
	struct series *s = record_add_series(c->r, NULL);
	struct owner o = { &s->extras, c->path->len };
	cJSON *item;

	if (!check_object(c, object))
		return false;
	cJSON_ArrayForEach(item, object) {
		size_t old = enter(c, item->string);

		if (!read_series_key(c, item, s, &o))
			return false;
		if (c->error)
			return false;
		leave(c, old);
	}
	return true;
}

static bool read_series(struct reading *c, cJSON *list)
{
	unsigned i = 0;
	cJSON *item;

	if (!cJSON_IsArray(list) || !list->child)
		return fail(c, "must be an array with at least one series");
	cJSON_ArrayForEach(item, list) {
		size_t old = enter_index(c, i++);

		if (!read_one_series(c, item))
			return false;
		leave(c, old);
	}
	return true;
}

static bool read_lines(struct reading *c, const cJSON *list, struct source *s)
{
	if (!cJSON_IsArray(list) || cJSON_GetArraySize(list) != 2)
		return fail(c, "must be [first, last]");
	return read_count(c, list->child, &s->first) && read_count(c, list->child->next, &s->last);
}

static bool read_source_key(struct reading *c, cJSON *item, struct source *s, const struct owner *o)
{
	const struct { const char *key; const char **text; } texts[] = {
		{ "file", &s->file }, { "part", &s->part }, { "message_id", &s->message_id }, { "from", &s->from },
		{ "date", &s->date }, { "subject", &s->subject }, { "list", &s->list },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
		if (!strcmp(item->string, texts[i].key))
			return read_text(c, item, texts[i].text);
	if (!strcmp(item->string, "lines"))
		return read_lines(c, item, s);
	if (!strcmp(item->string, "quote_depth"))
		return read_count(c, item, &s->quote_depth);
	if (!strcmp(item->string, "copies"))
		return read_count(c, item, &s->copies);
	keep(c, o, item);
	return true;
}

static bool read_source(struct reading *c, cJSON *object)
{
	struct owner o = { &c->r->source.extras, c->path->len };
	cJSON *item;

	if (!check_object(c, object))
		return false;
	cJSON_ArrayForEach(item, object) {
		size_t old = enter(c, item->string);

		if (!read_source_key(c, item, &c->r->source, &o))
			return false;
		leave(c, old);
	}
	return true;
}

static bool read_flag(struct reading *c, cJSON *object, const struct owner *o)
{
	struct flag f = { NULL, "", "" };
	cJSON *item;

	if (!check_object(c, object))
		return false;
	cJSON_ArrayForEach(item, object) {
		size_t old = enter(c, item->string);

		if (!strcmp(item->string, "code"))
			read_text(c, item, &f.code);
		else if (!strcmp(item->string, "where"))
			read_text(c, item, &f.where);
		else if (!strcmp(item->string, "text"))
			read_text(c, item, &f.text);
		else
			keep(c, o, item);
		if (c->error)
			return false;
		leave(c, old);
	}
	if (!f.code)
		return fail(c, "must have a code");
	g_array_append_val(c->r->flags, f);
	return true;
}

static bool read_flags(struct reading *c, cJSON *list, const struct owner *o)
{
	unsigned i = 0;
	cJSON *item;

	if (!cJSON_IsArray(list))
		return fail(c, "must be an array");
	cJSON_ArrayForEach(item, list) {
		size_t old = enter_index(c, i++);

		if (!read_flag(c, item, o))
			return false;
		leave(c, old);
	}
	return true;
}

static bool read_varies(struct reading *c, const cJSON *list)
{
	const cJSON *item;

	if (!cJSON_IsArray(list))
		return fail(c, "must be an array of texts");
	if (!c->r->varies)
		c->r->varies = g_ptr_array_new_with_free_func(g_free);
	cJSON_ArrayForEach(item, list) {
		if (!is_text(item))
			return fail(c, "must be an array of texts");
		g_ptr_array_add(c->r->varies, g_strdup(item->valuestring));
	}
	return true;
}

static bool read_schema(struct reading *c, const cJSON *item)
{
	if (!is_text(item))
		return fail(c, "must be a text");
	if (!strcmp(item->valuestring, RECORD_SCHEMA))
		return true;
	return fail(c, g_str_has_prefix(item->valuestring, "rtreport/") ?
		    "a version of the schema that this program does not know; a newer rtreport reads it" :
		    "must be " RECORD_SCHEMA);
}

static bool read_kind(struct reading *c, const cJSON *item)
{
	if (is_text(item) && !strcmp(item->valuestring, "merged"))
		c->r->kind = RECORD_MERGED;
	else if (!is_text(item) || strcmp(item->valuestring, "run"))
		return fail(c, "must be run or merged");
	return true;
}

static bool read_id(struct reading *c, const cJSON *item)
{
	if (!is_text(item) || strlen(item->valuestring) != 16 ||
	    strspn(item->valuestring, "0123456789abcdef") != 16)
		return fail(c, "must be 16 hexadecimal digits");
	g_strlcpy(c->r->id, item->valuestring, sizeof(c->r->id));
	return true;
}

static bool read_record_key(struct reading *c, cJSON *item, const struct owner *o)
{
	const char *key = item->string;
	struct record *r = c->r;

	if (!strcmp(key, "schema"))
		return read_schema(c, item);
	if (!strcmp(key, "kind"))
		return read_kind(c, item);
	if (!strcmp(key, "id"))
		return read_id(c, item);
	if (!strcmp(key, "tool"))
		return read_text(c, item, &r->tool) && (*r->tool || fail(c, "must not be empty"));
	if (!strcmp(key, "mode"))
		return read_text_or_null(c, item, &r->mode);
	if (!strcmp(key, "title"))
		return read_text_or_null(c, item, &r->title);
	if (!strcmp(key, "command"))
		return read_text_or_null(c, item, &r->command);
	if (!strcmp(key, "settings"))
		return read_facts(c, item, r->settings, true, o);
	if (!strcmp(key, "environment"))
		return read_environment(c, item, o);
	if (!strcmp(key, "series"))
		return read_series(c, item);
	if (!strcmp(key, "source"))
		return read_source(c, item);
	if (!strcmp(key, "flags"))
		return read_flags(c, item, o);
	if (!strcmp(key, "runs"))
		return read_count(c, item, &r->runs);
	if (!strcmp(key, "varies"))
		return read_varies(c, item);
	keep(c, o, item);
	return true;
}

static bool check_required(struct reading *c, const cJSON *object)
{
	static const char *const required[] = { "schema", "kind", "id", "tool", "series", "source" };

	for (size_t i = 0; i < G_N_ELEMENTS(required); i++)
		if (!cJSON_GetObjectItemCaseSensitive(object, required[i])) {
			enter(c, required[i]);
			return fail(c, "is missing");
		}
	if (c->r->kind == RECORD_MERGED && !c->r->runs) {
		enter(c, "runs");
		return fail(c, "is missing");
	}
	return true;
}

static bool read_record(struct reading *c, cJSON *object)
{
	struct owner o = { &c->r->extras, 0 };
	cJSON *item;

	if (!check_object(c, object))
		return false;
	cJSON_ArrayForEach(item, object) {
		size_t old = enter(c, item->string);

		if (!read_record_key(c, item, &o) || c->error)
			return false;
		leave(c, old);
	}
	return check_required(c, object);
}

/* The parsed tree of text[0..len), or NULL and a message. */
static cJSON *parse_tree(const char *text, size_t len, char **error)
{
	size_t protected_len;
	g_autofree char *protected = json_protect(text, len, &protected_len, error);
	const char *end = NULL;
	cJSON *tree;

	if (!protected)
		return NULL;
	tree = cJSON_ParseWithLengthOpts(protected, protected_len + 1, &end, 0);
	if (!tree) {
		*error = g_strdup("no valid JSON");
		return NULL;
	}
	if (end && strspn(end, " \t\r\n") != strlen(end)) {
		*error = g_strdup("text after the JSON value");
		cJSON_Delete(tree);
		return NULL;
	}
	return tree;
}

struct record *record_json_thorough(const char *text, size_t len, char **error)
{
	struct reading c = { 0 };
	cJSON *tree;

	*error = NULL;
	tree = parse_tree(text, len, error);
	if (!tree)
		return NULL;
	c.r = record_new("");
	c.path = g_string_new(NULL);
	if (!read_record(&c, tree)) {
		record_free(c.r);
		c.r = NULL;
		*error = c.error;
	}
	g_string_free(c.path, TRUE);
	cJSON_Delete(tree);
	return c.r;
}

/* Only blanks up to end. */
static bool is_rest_blank(const char *p, const char *end)
{
	while (p < end && g_ascii_isspace(*p))
		p++;
	return p == end;
}

struct record *record_from_json(const char *text, size_t len, char **error)
{
	size_t used;
	struct record *r = record_json_quick(text, len, &used);

	*error = NULL;
	if (r && is_rest_blank(text + used, text + len))
		return r;
	record_free(r);
	return record_json_thorough(text, len, error);
}

bool record_json_probe(const char *text, size_t len)
{
	static const char key[] = "\"schema\"", value[] = "\"rtreport/";
	const char *end = text + MIN(len, PROBE_BYTES), *p = text;

	if (end - p >= 3 && !memcmp(p, "\xef\xbb\xbf", 3))
		p += 3;
	while (p < end && (g_ascii_isspace(*p) || *p == '['))
		p++;
	if (p == end || *p != '{')
		return false;
	while ((p = memmem(p, (size_t)(end - p), key, sizeof(key) - 1))) {
		p += sizeof(key) - 1;
		while (p < end && (g_ascii_isspace(*p) || *p == ':'))
			p++;
		if ((size_t)(end - p) >= sizeof(value) - 1 && !memcmp(p, value, sizeof(value) - 1))
			return true;
	}
	return false;
}

struct walk {
	const char *p, *end;
	unsigned line;
	bool array;             /* inside [ … ] */
	size_t (*quick)(const char *text, size_t len, void *data);      /* or NULL */
	void (*each)(struct record *r, void *data);
	void (*bad)(unsigned line, const char *message, void *data);
	void *data;
};

static void walk_over(struct walk *w, size_t n)
{
	const char *to = w->p + n, *newline;

	while ((newline = memchr(w->p, '\n', (size_t)(to - w->p)))) {
		w->line++;
		w->p = newline + 1;
	}
	w->p = to;
}

/* The rest of this line, its end included. */
static size_t line_rest(const struct walk *w)
{
	const char *newline = memchr(w->p, '\n', (size_t)(w->end - w->p));

	return newline ? (size_t)(newline + 1 - w->p) : (size_t)(w->end - w->p);
}

/* One object. A record that breaks off costs its own line only, so that one bad line does not take the others with it. */
static void walk_object(struct walk *w)
{
	size_t n, rest;
	g_autofree char *error = NULL;
	struct record *r;

	if (w->quick) {
		rest = line_rest(w);
		n = w->quick(w->p, rest, w->data);
		if (n) {
			w->p += n;
			return;
		}
	}
	r = record_json_quick(w->p, (size_t)(w->end - w->p), &n);
	if (r) {
		w->each(r, w->data);
		walk_over(w, n);
		return;
	}
	rest = line_rest(w);
	n = json_value_length(w->p, rest);
	if (!n)
		n = json_value_length(w->p, (size_t)(w->end - w->p));
	if (!n) {
		w->bad(w->line, "the JSON breaks off here", w->data);
		walk_over(w, rest);
		return;
	}
	r = record_from_json(w->p, n, &error);
	if (r)
		w->each(r, w->data);
	else
		w->bad(w->line, error, w->data);
	walk_over(w, n);
}

void record_json_walk(const char *text, size_t len,
		      void (*each)(struct record *r, void *data),
		      void (*bad)(unsigned line, const char *message, void *data), void *data)
{
	record_json_walk_quick(text, len, NULL, each, bad, data);
}

void record_json_walk_quick(const char *text, size_t len, size_t (*quick)(const char *text, size_t len, void *data),
			    void (*each)(struct record *r, void *data),
			    void (*bad)(unsigned line, const char *message, void *data), void *data)
{
	struct walk w = { text, text + len, 1, false, quick, each, bad, data };

	if (len >= 3 && !memcmp(text, "\xef\xbb\xbf", 3))
		w.p += 3;
	while (w.p < w.end) {
		if (*w.p == '{') {
			walk_object(&w);
		} else if (*w.p == '[' && !w.array) {
			w.array = true;
			walk_over(&w, 1);
		} else if (*w.p == ']' && w.array) {
			w.array = false;
			walk_over(&w, 1);
		} else if (g_ascii_isspace(*w.p) || (*w.p == ',' && w.array)) {
			walk_over(&w, 1);
		} else {
			w.bad(w.line, "no JSON object", w.data);
			walk_over(&w, line_rest(&w));
		}
	}
}
