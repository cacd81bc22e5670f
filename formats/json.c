/* JSON: the records themselves as one array; a document as its tables. */
#include <cJSON.h>
#include <string.h>
#include "lib/plain.h"
#include "lib/record_json.h"
#include "lib/renderer.h"

/* The array while records come one by one. */
struct array { FILE *out; bool any; };

static void *begin_json(const struct render_options *o, FILE *out)
{
	struct array *a = g_new0(struct array, 1);

	(void)o;
	a->out = out;
	fputs("[", out);
	return a;
}

static void put_record(void *stream, const struct record *r)
{
	const struct json_options options = { .pretty = true };
	struct array *a = stream;
	g_autofree char *text = record_to_json(r, &options);

	fprintf(a->out, "%s\n%s", a->any ? "," : "", text);
	a->any = true;
}

static int end_json(void *stream)
{
	struct array *a = stream;
	FILE *out = a->out;

	g_free(a);
	fputs("\n]\n", out);
	return ferror(out) ? -1 : 0;
}

static int write_json_records(GPtrArray *records, const struct render_options *o, FILE *out)
{
	void *stream = begin_json(o, out);

	for (guint i = 0; i < records->len; i++)
		put_record(stream, records->pdata[i]);
	return end_json(stream);
}

static void add_text(cJSON *object, const char *key, const char *text)
{
	g_autofree char *valid = text ? g_utf8_make_valid(text, -1) : NULL;

	if (valid && *valid)
		cJSON_AddStringToObject(object, key, valid);
}

static cJSON *strings(const GPtrArray *lines)
{
	cJSON *list = cJSON_CreateArray();

	for (guint i = 0; i < lines->len; i++) {
		g_autofree char *valid = g_utf8_make_valid(lines->pdata[i], -1);

		cJSON_AddItemToArray(list, cJSON_CreateString(valid));
	}
	return list;
}

static cJSON *columns(const struct table *t)
{
	cJSON *list = cJSON_CreateArray();

	for (guint i = 0; i < t->columns->len; i++) {
		const struct column *c = &g_array_index(t->columns, struct column, i);
		cJSON *o = cJSON_CreateObject();

		add_text(o, "heading", c->heading);
		add_text(o, "group", c->group);
		add_text(o, "unit", c->unit);
		cJSON_AddItemToArray(list, o);
	}
	return list;
}

/* Numbers as their own digits: never through a double. */
static cJSON *value(const struct table *t, unsigned column, const struct cell *c)
{
	if (number_is_set(c->number)) {
		g_autofree char *digits = cell_show(t, column, c);

		return cJSON_CreateRaw(digits);
	}
	if (!c->text || !*c->text)
		return cJSON_CreateNull();
	g_autofree char *valid = g_utf8_make_valid(c->text, -1);
	return cJSON_CreateString(valid);
}

static cJSON *table_object(const struct table *t)
{
	cJSON *o = cJSON_CreateObject(), *rows = cJSON_CreateArray();

	add_text(o, "title", t->title);
	cJSON_AddItemToObject(o, "facts", strings(t->before));
	cJSON_AddItemToObject(o, "columns", columns(t));
	for (guint r = 0; r < t->rows->len; r++) {
		cJSON *row = cJSON_CreateArray();

		for (guint i = 0; i < t->columns->len; i++)
			cJSON_AddItemToArray(row, value(t, i, (const struct cell *)t->rows->pdata[r] + i));
		cJSON_AddItemToArray(rows, row);
	}
	cJSON_AddItemToObject(o, "rows", rows);
	cJSON_AddItemToObject(o, "notes", strings(t->notes));
	return o;
}

static int write_json(const struct document *d, const struct render_options *o, FILE *out)
{
	cJSON *root = cJSON_CreateObject(), *tables = cJSON_AddArrayToObject(root, "tables");
	char *text;

	(void)o;
	add_text(root, "title", d->title);
	for (guint i = 0; i < d->tables->len; i++)
		cJSON_AddItemToArray(tables, table_object(d->tables->pdata[i]));
	text = cJSON_Print(root);
	if (text)
		fprintf(out, "%s\n", text);
	cJSON_free(text);
	cJSON_Delete(root);
	return !text || ferror(out) ? -1 : 0;
}

const struct renderer renderer_json = {
	.name = "json", .suffix = ".json", .summary = "JSON: an array of records, or a document's tables",
	.media = "application/json",
	.write = write_json, .write_records = write_json_records, .shows_samples = true,
	.begin = begin_json, .record = put_record, .end = end_json,
};
