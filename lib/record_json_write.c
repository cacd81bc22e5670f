/* Records to JSON. Numbers are raw text, so that no digit passes through a double. */
#include "lib/record_json.h"
#include "lib/json_text.h"

#include <string.h>
#include <cjson/cJSON.h>

/* Depth of the rows in a pretty record: record, series, one series, samples. */
#define ROW_INDENT "\n\t\t\t\t"

static bool plain_ascii(const char *text)
{
	for (const unsigned char *p = (const unsigned char *)text; *p; p++)
		if (*p < 0x20 || *p >= 0x7f)
			return false;
	return true;
}

/* Valid UTF-8 without control characters, which a terminal would execute; line ends and tabs stay. */
static char *clean(const char *text)
{
	g_autofree char *valid = g_utf8_make_valid(text, -1);
	GString *out = g_string_sized_new(strlen(valid));

	for (const char *p = valid; *p; p = g_utf8_next_char(p)) {
		gunichar c = g_utf8_get_char(p);

		g_string_append_unichar(out, g_unichar_iscntrl(c) && c != '\n' && c != '\t' ? 0xfffd : c);
	}
	return g_string_free(out, FALSE);
}

static cJSON *text_item(const char *text)
{
	g_autofree char *cleaned = NULL;

	if (!text)
		return cJSON_CreateNull();
	if (plain_ascii(text))
		return cJSON_CreateString(text);
	cleaned = clean(text);
	return cJSON_CreateString(cleaned);
}

static cJSON *number_item(struct number n)
{
	char text[NUMBER_TEXT];

	return number_is_set(n) ? cJSON_CreateRaw(number_print(n, text)) : cJSON_CreateNull();
}

/* Keys live as long as the record: cJSON need not copy them. */
static void add(cJSON *object, const char *key, cJSON *item)
{
	cJSON_AddItemToObjectCS(object, key, item);
}

static void add_text(cJSON *object, const char *key, const char *text)
{
	if (text)
		add(object, key, text_item(text));
}

static void add_number(cJSON *object, const char *key, struct number n)
{
	if (n.state != NUMBER_ABSENT)
		add(object, key, number_item(n));
}

static void add_count(cJSON *object, const char *key, unsigned n)
{
	add(object, key, number_item(number_int(n)));
}

static void add_facts(cJSON *object, const GArray *facts)
{
	for (guint i = 0; i < facts->len; i++) {
		const struct fact *f = &g_array_index(facts, struct fact, i);
		cJSON *value = f->text ? text_item(f->text) : number_item(f->number);

		if (plain_ascii(f->key)) {
			add(object, f->key, value);
		} else {
			g_autofree char *key = clean(f->key);

			cJSON_AddItemToObject(object, key, value);
		}
	}
}

/* The next token of a pointer, unescaped; *rest moves on, and is NULL after the last. Caller frees. */
static char *next_token(const char **rest)
{
	const char *slash = strchr(*rest, '/');
	char *token = slash ? g_strndup(*rest, (gsize)(slash - *rest)) : g_strdup(*rest);
	char *out = token;

	for (const char *p = token; *p; p++) {
		bool escape = *p == '~' && p[1];

		*out++ = escape && p[1] == '1' ? '/' : *p;
		p += escape;
	}
	*out = '\0';
	*rest = slash ? slash + 1 : NULL;
	return token;
}

/* Puts an unknown key back at its place; nothing happens where that place is no more. */
static void add_extra(cJSON *at, const struct extra *e)
{
	const char *rest = e->key;

	while (at && rest) {
		g_autofree char *token = next_token(&rest);

		if (!rest) {
			if (cJSON_IsObject(at) && !cJSON_GetObjectItemCaseSensitive(at, token))
				cJSON_AddItemToObject(at, token, cJSON_CreateRaw(e->json));
		} else if (cJSON_IsArray(at)) {
			at = cJSON_GetArrayItem(at, (int)MIN(g_ascii_strtoull(token, NULL, 10), G_MAXINT));
		} else {
			at = cJSON_GetObjectItemCaseSensitive(at, token);
		}
	}
}

static void add_extras(cJSON *object, const GArray *extras)
{
	for (guint i = 0; extras && i < extras->len; i++)
		add_extra(object, &g_array_index(extras, struct extra, i));
}

/* Appends the unknown keys of row `row`; *next runs through the extras, which are in the order of the rows. */
static void append_row_extras(GString *out, const GArray *extras, guint row, guint *next)
{
	g_autofree char *prefix = NULL;

	for (; extras && *next < extras->len; (*next)++) {
		const struct extra *e = &g_array_index(extras, struct extra, *next);
		const char *rest = e->key;
		g_autofree char *token = NULL;
		char *quoted;
		cJSON *key;

		if (!g_str_has_prefix(e->key, "samples/"))
			continue;
		if (!prefix)
			prefix = g_strdup_printf("samples/%u/", row);
		if (!g_str_has_prefix(e->key, prefix))
			return;
		rest += strlen(prefix);
		token = next_token(&rest);
		key = cJSON_CreateString(token);
		quoted = cJSON_PrintUnformatted(key);
		g_string_append_printf(out, "%s%s:%s", out->str[out->len - 1] == '{' ? "" : ",", quoted, e->json);
		cJSON_free(quoted);
		cJSON_Delete(key);
	}
}

/* Rows are written in one order of keys, whatever order the columns were added in. */
static unsigned sorted_columns(const struct samples *s, unsigned order[SERIES_MAX_COLUMNS])
{
	unsigned n = 0;

	for (enum field f = 0; f < FIELD_END; f++)
		for (unsigned i = 0; i < s->columns; i++)
			if (s->column[i] == f)
				order[n++] = i;
	return n;
}

static void append_row(GString *out, const struct samples *s, guint row, const unsigned *order, unsigned n)
{
	unsigned line = g_array_index(s->lines, unsigned, row);
	const char *comma = "";

	g_string_append_c(out, '{');
	if (line) {
		g_string_append_printf(out, "\"line\":%u", line);
		comma = ",";
	}
	for (unsigned i = 0; i < n; i++) {
		struct number v = g_array_index(s->values, struct number, row * s->columns + order[i]);
		char text[NUMBER_TEXT];

		if (v.state == NUMBER_ABSENT)
			continue;
		number_print(v, text);
		g_string_append_printf(out, "%s\"%s\":%s", comma, field_name(s->column[order[i]]), *text ? text : "null");
		comma = ",";
	}
}

/* The rows as raw text: a tree of their numbers would be ten times the size. */
static cJSON *samples_item(const struct series *s, const struct json_options *o)
{
	const struct samples *rows = s->samples;
	unsigned order[SERIES_MAX_COLUMNS], n = sorted_columns(rows, order);
	g_autoptr(GString) out = g_string_new("[");
	guint next = 0;

	for (guint i = 0; i < rows->lines->len; i++) {
		if (i)
			g_string_append_c(out, ',');
		if (o->pretty)
			g_string_append(out, ROW_INDENT);
		append_row(out, rows, i, order, n);
		append_row_extras(out, s->extras, i, &next);
		g_string_append_c(out, '}');
	}
	g_string_append_c(out, ']');
	return cJSON_CreateRaw(out->str);
}

static void append_number(GString *out, struct number n)
{
	char text[NUMBER_TEXT];

	g_string_append(out, *number_print(n, text) ? text : "null");
}

static cJSON *histogram_item(const struct histogram *h)
{
	cJSON *item = cJSON_CreateObject();
	g_autoptr(GString) out = g_string_new("[");

	for (guint i = 0; i < h->bins->len; i++) {
		const struct bin *b = &g_array_index(h->bins, struct bin, i);

		g_string_append(out, i ? ",[" : "[");
		append_number(out, b->lower);
		g_string_append_c(out, ',');
		append_number(out, b->count);
		if (!number_is_set(h->bin_width)) {
			g_string_append_c(out, ',');
			append_number(out, b->upper);
		}
		g_string_append_c(out, ']');
	}
	g_string_append_c(out, ']');
	add(item, "bin_width", number_item(h->bin_width));
	add(item, "bins", cJSON_CreateRaw(out->str));
	add_number(item, "underflow", h->underflow);
	add_number(item, "overflow", h->overflow);
	return item;
}

static void add_interval(cJSON *object, const char *key, const struct interval_stats *s)
{
	cJSON *item;

	if (!s)
		return;
	item = cJSON_CreateObject();
	add_number(item, "count", s->count);
	add_number(item, "avg", s->avg);
	add_number(item, "stddev", s->stddev);
	if (s->histogram)
		add(item, "histogram", histogram_item(s->histogram));
	add(object, key, item);
}

static void add_percentiles(cJSON *object, const GArray *percentiles)
{
	cJSON *item;

	if (!percentiles)
		return;
	item = cJSON_CreateObject();
	for (guint i = 0; i < percentiles->len; i++) {
		const struct percentile *p = &g_array_index(percentiles, struct percentile, i);

		add(item, p->key, number_item(p->value));
	}
	add(object, "percentiles", item);
}

static void add_sum(cJSON *object, const char *key, const struct number_sum *sum)
{
	g_autofree char *text = sum ? number_sum_text(sum) : NULL;

	add_text(object, key, text);
}

static cJSON *series_item(const struct series *s, const struct json_options *o)
{
	cJSON *item = cJSON_CreateObject(), *labels = cJSON_CreateObject();

	add(item, "name", text_item(s->name));
	if (s->line)
		add_count(item, "line", s->line);
	add_facts(labels, s->labels);
	add(item, "labels", labels);
	add_text(item, "quantity", s->quantity ? s->quantity : "latency");
	add(item, "unit", text_item(s->unit));
	add_number(item, "resolution", s->resolution);
	for (enum field f = 0; f < FIELD_SERIES_END; f++)
		add_number(item, field_name(f), s->field[f]);
	add_sum(item, "sum", s->sum);
	add_sum(item, "weight", s->weight);
	add_text(item, "min_source", s->min_source);
	add_text(item, "max_source", s->max_source);
	if (s->samples && s->samples->lines->len && !o->no_samples)
		add(item, "samples", samples_item(s, o));
	if (s->histogram)
		add(item, "histogram", histogram_item(s->histogram));
	add_interval(item, "interval_minima", s->minima);
	add_interval(item, "interval_maxima", s->maxima);
	add_percentiles(item, s->percentiles);
	add_extras(item, s->extras);
	return item;
}

static cJSON *source_item(const struct source *s)
{
	cJSON *item = cJSON_CreateObject();

	add_text(item, "file", s->file);
	add_text(item, "part", s->part);
	if (s->first) {
		cJSON *lines = cJSON_CreateArray();

		cJSON_AddItemToArray(lines, number_item(number_int(s->first)));
		cJSON_AddItemToArray(lines, number_item(number_int(s->last)));
		add(item, "lines", lines);
	}
	add_text(item, "message_id", s->message_id);
	add_text(item, "from", s->from);
	add_text(item, "date", s->date);
	add_text(item, "subject", s->subject);
	add_text(item, "list", s->list);
	add_count(item, "quote_depth", s->quote_depth);
	add_count(item, "copies", s->copies);
	add_extras(item, s->extras);
	return item;
}

static cJSON *flags_item(const GArray *flags)
{
	cJSON *list = cJSON_CreateArray();

	for (guint i = 0; i < flags->len; i++) {
		const struct flag *f = &g_array_index(flags, struct flag, i);
		cJSON *item = cJSON_CreateObject();

		add(item, "code", text_item(f->code));
		add(item, "where", text_item(f->where));
		add(item, "text", text_item(f->text));
		cJSON_AddItemToArray(list, item);
	}
	return list;
}

static cJSON *environment_item(const struct record *r)
{
	cJSON *item = cJSON_CreateObject();

	add_facts(item, r->environment);
	if (r->config->len) {
		cJSON *config = cJSON_CreateObject();

		add_facts(config, r->config);
		add(item, "config", config);
	}
	return item;
}

static void add_merged(cJSON *item, const struct record *r)
{
	cJSON *varies = cJSON_CreateArray();

	for (guint i = 0; r->varies && i < r->varies->len; i++)
		cJSON_AddItemToArray(varies, text_item(g_ptr_array_index(r->varies, i)));
	add_count(item, "runs", r->runs);
	add(item, "varies", varies);
}

char *record_to_json(const struct record *r, const struct json_options *options)
{
	static const struct json_options plain = { 0 };
	const struct json_options *o = options ? options : &plain;
	cJSON *item = cJSON_CreateObject(), *settings = cJSON_CreateObject(), *series = cJSON_CreateArray();
	char *text;

	add_text(item, "schema", RECORD_SCHEMA);
	add_text(item, "kind", r->kind == RECORD_MERGED ? "merged" : "run");
	add_text(item, "id", r->id);
	add_text(item, "tool", r->tool);
	add(item, "mode", text_item(r->mode));
	add(item, "title", text_item(r->title));
	add(item, "command", text_item(r->command));
	if (r->kind == RECORD_MERGED)
		add_merged(item, r);
	add_facts(settings, r->settings);
	add(item, "settings", settings);
	add(item, "environment", environment_item(r));
	for (guint i = 0; i < r->series->len; i++)
		cJSON_AddItemToArray(series, series_item(g_ptr_array_index(r->series, i), o));
	add(item, "series", series);
	add(item, "source", source_item(&r->source));
	add(item, "flags", flags_item(r->flags));
	add_extras(item, r->extras);
	text = o->pretty ? cJSON_Print(item) : cJSON_PrintUnformatted(item);
	cJSON_Delete(item);
	return text;
}
