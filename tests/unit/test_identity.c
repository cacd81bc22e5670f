/* Which series are the same measurement. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "lib/identity.h"
#include "lib/record_json.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static struct record *read_record(const char *environment, const char *head, const char *series)
{
	g_autofree char *json = g_strdup_printf("{\"schema\":\"rtreport/1\",\"kind\":\"run\",\"id\":\"0000000000000000\",%s,"
		"\"settings\":{},\"environment\":{%s},\"series\":[%s],\"source\":{\"file\":\"a\"},\"flags\":[]}",
		head, environment, series);
	char *error = NULL;
	struct record *r = record_from_json(json, strlen(json), &error);

	if (!r)
		fail_msg("%s: %s", error, json);
	return r;
}

static char *key_of(const struct identity *id, const char *environment, const char *head, const char *series)
{
	struct record *r = read_record(environment, head, series);
	struct subject s = { r, NULL, NULL };
	GString *key = g_string_new(NULL);
	GString *hex = g_string_new(NULL);
	g_autoptr(GArray) labels = g_array_new(FALSE, FALSE, sizeof(struct fact));

	identity_record_key(id, &s, key);
	identity_series_key(id, r->series->pdata[r->series->len - 1], identity_first_thread(id, r), labels, key);
	for (gsize i = 0; i < key->len; i++)
		g_string_append_printf(hex, "%02x", (unsigned char)key->str[i]);
	g_string_free(key, TRUE);
	record_free(r);
	return g_string_free(hex, FALSE);
}

#define CYCLIC "\"tool\":\"cyclictest\",\"mode\":null"
#define THREAD(t, tid, p, i) "{\"name\":null,\"labels\":{\"thread\":" #t ",\"tid\":" #tid ",\"priority\":" #p ",\"interval_ns\":" #i "},\"unit\":\"ns\",\"max\":1}"
#define NAMED(n) "{\"name\":\"" n "\",\"labels\":{},\"unit\":\"ns\",\"max\":1}"

static void test_same_and_different(void **state)
{
	static const struct { const char *what, *by, *ignore; bool same; const char *env_a, *head_a, *series_a, *env_b, *head_b, *series_b; } rows[] = {
		{ "thread ids do not count", NULL, NULL, true,
		  "", CYCLIC, THREAD(0, 11, 80, 1000), "", CYCLIC, THREAD(0, 99, 80, 1000) },
		{ "threads fold, though priority counts down", NULL, NULL, true,
		  "", CYCLIC, THREAD(0, 1, 80, 1000), "", CYCLIC, THREAD(0, 1, 80, 1000) "," THREAD(1, 2, 79, 1500) },
		{ "the first thread may be printed last", NULL, NULL, true,
		  "", CYCLIC, THREAD(0, 1, 80, 1000), "", CYCLIC, THREAD(1, 2, 79, 1500) "," THREAD(0, 1, 80, 1000) },
		{ "--by thread unfolds", "thread", NULL, false,
		  "", CYCLIC, THREAD(0, 1, 80, 1000), "", CYCLIC, THREAD(1, 2, 80, 1000) },
		{ "another interval", NULL, NULL, false,
		  "", CYCLIC, THREAD(0, 1, 80, 1000), "", CYCLIC, THREAD(0, 1, 80, 10000) },
		{ "another interval, left out", NULL, "interval_ns", true,
		  "", CYCLIC, THREAD(0, 1, 80, 1000), "", CYCLIC, THREAD(0, 1, 80, 10000) },
		{ "another priority, left out", NULL, "priority", true,
		  "", CYCLIC, THREAD(0, 1, 80, 1000), "", CYCLIC, THREAD(0, 1, 99, 1000) },
		{ "another name", NULL, NULL, false, "", CYCLIC, NAMED("a"), "", CYCLIC, NAMED("b") },
		{ "another tool", NULL, NULL, false, "", CYCLIC, NAMED("a"), "", "\"tool\":\"table\",\"mode\":null", NAMED("a") },
		{ "another mode", NULL, NULL, false, "", CYCLIC, NAMED("a"), "", "\"tool\":\"cyclictest\",\"mode\":\"user-task\"", NAMED("a") },
		{ "another mode, left out", NULL, "mode", true, "", CYCLIC, NAMED("a"), "", "\"tool\":\"cyclictest\",\"mode\":\"user-task\"", NAMED("a") },
		{ "another load", NULL, NULL, false, "\"load\":\"idle\"", CYCLIC, NAMED("a"), "\"load\":\"hackbench\"", CYCLIC, NAMED("a") },
		{ "the same load in other spelling", NULL, NULL, true, "\"load\":\"Ping flood\"", CYCLIC, NAMED("a"), "\"load\":\"ping  flood\"", CYCLIC, NAMED("a") },
		{ "another load, left out", NULL, "load", true, "\"load\":\"idle\"", CYCLIC, NAMED("a"), "", CYCLIC, NAMED("a") },
		{ "boards do not count by themselves", NULL, NULL, true, "\"board\":\"x\"", CYCLIC, NAMED("a"), "\"board\":\"y\"", CYCLIC, NAMED("a") },
		{ "--by board", "board", NULL, false, "\"board\":\"x\"", CYCLIC, NAMED("a"), "\"board\":\"y\"", CYCLIC, NAMED("a") },
		{ "a board's case and blanks fold", "board", NULL, true, "\"board\":\"My  Own Board\"", CYCLIC, NAMED("a"), "\"board\":\"my own board\"", CYCLIC, NAMED("a") },
		{ "a board without a name", "board", NULL, false, "\"board\":\"\"", CYCLIC, NAMED("a"), "", CYCLIC, NAMED("a") },
		{ "parts do not run into each other", "kernel,rt", NULL, false,
		  "\"kernel\":\"ab\",\"rt\":\"c\"", CYCLIC, NAMED("a"), "\"kernel\":\"a\",\"rt\":\"bc\"", CYCLIC, NAMED("a") },
		{ "latency is the usual quantity", NULL, NULL, true, "", CYCLIC, NAMED("a"), "", CYCLIC,
		  "{\"name\":\"a\",\"labels\":{},\"quantity\":\"latency\",\"unit\":\"ns\",\"max\":1}" },
		{ "another unit", NULL, NULL, false, "", CYCLIC, NAMED("a"), "", CYCLIC, "{\"name\":\"a\",\"labels\":{},\"unit\":\"%\",\"max\":1}" },
		{ "labels in another order", NULL, NULL, true,
		  "", CYCLIC, "{\"name\":null,\"labels\":{\"column\":\"x\",\"group\":\"y\"},\"unit\":\"ns\",\"max\":1}",
		  "", CYCLIC, "{\"name\":null,\"labels\":{\"group\":\"y\",\"column\":\"x\"},\"unit\":\"ns\",\"max\":1}" },
		{ "CPUs fold, contexts do not", NULL, NULL, false,
		  "", CYCLIC, "{\"name\":null,\"labels\":{\"cpu\":0,\"context\":\"irq\"},\"unit\":\"ns\",\"max\":1}",
		  "", CYCLIC, "{\"name\":null,\"labels\":{\"cpu\":1,\"context\":\"thread\"},\"unit\":\"ns\",\"max\":1}" },
		{ "CPUs fold", NULL, NULL, true,
		  "", CYCLIC, "{\"name\":null,\"labels\":{\"cpu\":0,\"context\":\"irq\"},\"unit\":\"ns\",\"max\":1}",
		  "", CYCLIC, "{\"name\":null,\"labels\":{\"cpu\":1,\"context\":\"irq\"},\"unit\":\"ns\",\"max\":1}" },
		{ "--by core unfolds CPUs", "core", NULL, false,
		  "", CYCLIC, "{\"name\":null,\"labels\":{\"cpu\":0,\"context\":\"irq\"},\"unit\":\"ns\",\"max\":1}",
		  "", CYCLIC, "{\"name\":null,\"labels\":{\"cpu\":1,\"context\":\"irq\"},\"unit\":\"ns\",\"max\":1}" },
	};
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		char *error = NULL;
		struct identity *id = identity_new(rows[i].by, rows[i].ignore, &error);
		char *a, *b;

		assert_non_null(id);
		a = key_of(id, rows[i].env_a, rows[i].head_a, rows[i].series_a);
		b = key_of(id, rows[i].env_b, rows[i].head_b, rows[i].series_b);
		if (!strcmp(a, b) != rows[i].same)
			fail_msg("%s: expected %s", rows[i].what, rows[i].same ? "the same" : "different");
		g_free(a);
		g_free(b);
		identity_free(id);
	}
}

static void test_known_boards(void **state)
{
	g_autofree char *a = identity_board("Raspberry Pi 3 Model B"), *b = identity_board("raspberry pi 3");
	g_autofree char *c = identity_board("Some Board\xc2\xa0 X1"), *d = identity_board("someboardx1");
	(void)state;

	assert_string_equal(a, b);
	assert_string_equal(c, d);
}

static void test_errors(void **state)
{
	static const char *const wrong[] = { "max", "bord", "board@(a b", "kernel@upside" };
	(void)state;
	for (size_t i = 0; i < COUNT(wrong); i++) {
		char *error = NULL;

		assert_null(identity_new(wrong[i], NULL, &error));
		assert_non_null(error);
		g_free(error);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_and_different), cmocka_unit_test(test_known_boards), cmocka_unit_test(test_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
