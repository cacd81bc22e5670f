/* The registries in the code against formats/result.schema.json (tests run in the top directory), and record_check. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include <cjson/cJSON.h>

#include "lib/check.h"
#include "lib/parser.h"
#include "lib/record_json.h"

static int load(void **state)
{
	g_autofree char *text = NULL;

	if (!g_file_get_contents("formats/result.schema.json", &text, NULL, NULL))
		return -1;
	*state = cJSON_Parse(text);
	return *state ? 0 : -1;
}

static int unload(void **state)
{
	cJSON_Delete(*state);
	return 0;
}

/* The object at a path of keys and array indices, separated by '/'. */
static const cJSON *at(const cJSON *item, const char *path)
{
	g_auto(GStrv) keys = g_strsplit(path, "/", -1);

	for (char **k = keys; *k; k++) {
		item = cJSON_IsArray(item) ? cJSON_GetArrayItem(item, atoi(*k)) :
		       cJSON_GetObjectItemCaseSensitive(item, *k);
		if (!item)
			fail_msg("no %s in the schema (%s)", *k, path);
	}
	return item;
}

/* True when a list of {"const": …} rows holds the name. */
static bool listed(const cJSON *rows, const char *name)
{
	const cJSON *row;

	cJSON_ArrayForEach(row, rows)
		if (!strcmp(cJSON_GetObjectItem(row, "const")->valuestring, name))
			return true;
	return false;
}

static void test_flag_codes(void **state)
{
	const cJSON *rows = at(*state, "$defs/flag/properties/code/anyOf/0/oneOf");

	assert_int_equal(cJSON_GetArraySize(rows), FLAG_CODES);
	for (enum flag_code c = 0; c < FLAG_CODES; c++) {
		const cJSON *row = cJSON_GetArrayItem(rows, (int)c);

		assert_string_equal(cJSON_GetObjectItem(row, "const")->valuestring, flag_code_name(c));
		assert_string_equal(cJSON_GetObjectItem(row, "description")->valuestring, flag_code_meaning(c));
	}
}

static void test_tools(void **state)
{
	const cJSON *rows = at(*state, "properties/tool/anyOf/0/oneOf");

	assert_int_equal(cJSON_GetArraySize(rows), g_strv_length((char **)record_tools));
	for (size_t i = 0; record_tools[i]; i++)
		if (!listed(rows, record_tools[i]))
			fail_msg("%s is not in the schema", record_tools[i]);
}

/* What a parser may give is registered. */
static void test_parsers(void **state)
{
	(void)state;
	for (size_t i = 0; parsers[i]; i++)
		for (const char *const *t = parsers[i]->tools; t && *t; t++)
			if (!g_strv_contains(record_tools, *t))
				fail_msg("tool %s of parser %s is in no registry", *t, parsers[i]->name);
}

static void test_modes(void **state)
{
	const cJSON *modes = at(*state, "properties/mode/enum");

	for (size_t i = 0; record_modes[i]; i++)
		assert_string_equal(cJSON_GetArrayItem(modes, (int)i)->valuestring, record_modes[i]);
	assert_int_equal(cJSON_GetArraySize(modes), g_strv_length((char **)record_modes) + 1);
}

static void test_fields(void **state)
{
	for (enum field f = 0; f < FIELD_END; f++) {
		g_autofree char *row = g_strdup_printf("$defs/sample/properties/%s/$ref", field_name(f));
		g_autofree char *series = g_strdup_printf("$defs/series/properties/%s/$ref", field_name(f));
		const char *type = field_is_count(f) ? "#/$defs/count" : "#/$defs/number";

		assert_string_equal(at(*state, row)->valuestring, type);
		if (f < FIELD_SERIES_END)
			assert_string_equal(at(*state, series)->valuestring, type);
	}
}

static void note(const char *where, const char *what, void *data)
{
	assert_true(strlen(what) > 5);
	g_string_append_printf(data, "%s ", where);
}

#define RECORD(kind, more, series) \
	"{\"schema\":\"rtreport/1\",\"kind\":\"" kind "\",\"id\":\"0123456789abcdef\",\"tool\":\"cyclictest\"," more \
	"\"series\":[" series "],\"source\":{}}"

static void test_check(void **state)
{
	static const struct { const char *text, *places; } rows[] = {
		{ RECORD("run", "", "{\"min\":1,\"avg\":2,\"max\":3,\"count\":5}"), "" },
		{ RECORD("run", "\"settings\":{\"period_ns\":\"1 ms\",\"x_a\":\"b\"},", "{}"), "/settings/period_ns " },
		{ RECORD("run", "\"settings\":{\"policy\":1},", "{}"), "/settings/policy " },
		{ RECORD("run", "", "{\"labels\":{\"cpu\":\"0\",\"column\":7}}"), "/series/0/labels/cpu /series/0/labels/column " },
		{ RECORD("run", "", "{\"count\":1.5,\"overruns\":-1}"), "/series/0/count /series/0/overruns " },
		{ RECORD("run", "", "{\"min\":1,\"avg\":4,\"max\":3}"), "/series/0 " },
		{ RECORD("run", "\"flags\":[{\"code\":\"avg-out-of-range\",\"where\":\"/series/0\",\"text\":\"so it is\"}],",
			 "{\"min\":1,\"avg\":4,\"max\":3}"), "" },
		{ RECORD("run", "\"flags\":[{\"code\":\"nonsense\"}],", "{}"), "/flags/0/code " },
		{ RECORD("run", "\"flags\":[{\"code\":\"derived\",\"where\":\"series\"}],", "{}"), "/flags/0/where " },
		{ RECORD("run", "\"flags\":[{\"code\":\"derived\",\"where\":\"/series/1\"}],", "{}"), "/flags/0/where " },
		{ RECORD("run", "\"mode\":\"asleep\",", "{}"), "/mode " },
		{ RECORD("merged", "\"runs\":2,", "{\"avg\":2,\"sum\":\"4\",\"weight\":\"2\"}"), "" },
		{ RECORD("merged", "\"runs\":2,", "{\"avg\":2,\"sum\":\"5\",\"weight\":\"2\"}"), "/series/0/avg " },
		{ RECORD("merged", "\"runs\":2,", "{\"avg\":2,\"sum\":\"5\"}"), "/series/0 " },
		{ RECORD("merged", "\"runs\":2,", "{\"avg\":null,\"sum\":\"5\",\"weight\":\"2\"}"), "" },
		{ RECORD("merged", "\"runs\":2,", "{\"percentiles\":{}}"), "/series/0 " },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *error = NULL;
		struct record *r = record_from_json(rows[i].text, strlen(rows[i].text), &error);
		GString *places = g_string_new(NULL);

		assert_non_null(r);
		record_check(r, note, places);
		assert_string_equal(places->str, rows[i].places);
		g_string_free(places, TRUE);
		record_free(r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_flag_codes, load, unload),
		cmocka_unit_test_setup_teardown(test_tools, load, unload),
		cmocka_unit_test_setup_teardown(test_modes, load, unload),
		cmocka_unit_test_setup_teardown(test_fields, load, unload),
		cmocka_unit_test(test_parsers),
		cmocka_unit_test(test_check),
	};

	return cmocka_run_group_tests_name("check", tests, NULL, NULL);
}
