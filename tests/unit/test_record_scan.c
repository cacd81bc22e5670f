/* The fast reader of plain records agrees with the thorough one, or stands aside. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "lib/record_ahead.h"
#include "lib/record_json.h"
#include "lib/record_scan.h"

#define HEAD "{\"schema\":\"rtreport/1\",\"kind\":\"run\",\"id\":\"0123456789abcdef\",\"tool\":\"t\","
#define TAIL "\"source\":{\"file\":\"f\",\"lines\":[1,2],\"quote_depth\":0,\"copies\":0},\"flags\":[]}"
#define SERIES(text) HEAD "\"mode\":null,\"series\":[{\"name\":null,\"labels\":{}," text "}]," TAIL

/* Taken: the fast reader must read them, and like the thorough one. */
static const char *const plain[] = {
	SERIES("\"unit\":\"ns\",\"min\":1,\"max\":2000000"),
	SERIES("\"unit\":null,\"min\":-1.5,\"avg\":0.25,\"max\":null,\"count\":0"),
	SERIES("\"unit\":\"ns\",\"max\":123456789012345"), SERIES("\"unit\":\"ns\",\"max\":100000000000000"),
	SERIES("\"max\":-0"), SERIES("\"quantity\":\"latency\",\"max\":1"), SERIES("\"quantity\":\"noise\",\"max\":1"),
	SERIES("\"max\":1,\"histogram\":{\"bin_width\":1000,\"bins\":[[0,3],[1000,1]],\"overflow\":2,\"underflow\":0}"),
	SERIES("\"max\":1,\"histogram\":{\"bin_width\":1,\"bins\":[]}"),
	SERIES("\"max\":1,\"percentiles\":{\"50\":1,\"99.9\":2}"), SERIES("\"line\":7,\"resolution\":1000,\"value\":1"),
	SERIES("\"max\":1,\"samples\":[{\"line\":1,\"min\":1,\"max\":[]},{},[{\"a\":{\"b\":[1,2,true,false,null]}}]]"),
	HEAD "\"title\":\"a \\\"b\\\" \\\\ \\/ \\t c\",\"command\":\"\xc3\xa4 \xc2\xb5s x\",\"series\":[{\"name\":\"a name of more than eight bytes\"}]," TAIL,
	HEAD "\"settings\":{\"period_ns\":1000000,\"policy\":\"fifo\",\"x\":null},\"environment\":{\"board\":\"b\",\"config\":{\"CONFIG_HZ\":\"100\"}},"
	     "\"series\":[{\"labels\":{\"thread\":0,\"tid\":12,\"context\":\"irq\"}},{\"name\":\"second\"}]," TAIL,
	HEAD " \"series\" : [ { \"name\" : \"n\" , \"max\" : 5 } ] , \"source\" : { \"message_id\":\"1@x\",\"from\":\"A\",\"date\":\"2013-01-01T00:00:00Z\","
	     "\"subject\":\"s\",\"list\":\"l\",\"part\":\"1\" } , \"flags\" : [ { \"code\":\"derived\",\"where\":\"/series/0\",\"text\":\"t\" } ] }",
};

/* Left to the thorough reader, which reads them or says what is wrong. */
static const char *const others[] = {
	SERIES("\"max\":1e3"), SERIES("\"max\":1234567890123456"), SERIES("\"max\":0.1234567890123456"), SERIES("\"max\":01"),
	SERIES("\"max\":1,\"max\":2"), SERIES("\"max\":\"1\""), SERIES("\"x_note\":1"), SERIES("\"max\":+1"), SERIES("\"max\":1."), SERIES("\"max\":.5"),
	SERIES("\"max\":1,\"histogram\":{\"bins\":[[0,1]],\"bin_width\":1}"),
	SERIES("\"max\":1,\"histogram\":{\"bin_width\":1,\"bins\":[[1,1],[0,1]]}"), SERIES("\"max\":1,\"histogram\":{\"bin_width\":1,\"bins\":[[1,0]]}"),
	SERIES("\"max\":1,\"histogram\":{\"bin_width\":null,\"bins\":[[1,1,2]]}"), SERIES("\"max\":1,\"histogram\":{\"bin_width\":1}"),
	SERIES("\"max\":1,\"samples\":[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]"), SERIES("\"max\":1,\"samples\":[1,]"), SERIES("\"max\":1,\"samples\":{\"a\"}"),
	HEAD "\"title\":\"\\u0041\",\"series\":[{}]," TAIL, HEAD "\"title\":\"a\x01\",\"series\":[{}]," TAIL, HEAD "\"title\":\"\xff\",\"series\":[{}]," TAIL,
	HEAD "\"series\":[]," TAIL, HEAD TAIL, HEAD "\"series\":[{}],\"source\":{\"file\":1}}", HEAD "\"series\":[{}],", "{}", "{", "", "[]",
	"{\"schema\":\"rtreport/2\",\"kind\":\"run\"}", HEAD "\"environment\":{\"board\":\"a\",\"board\":\"b\"},\"series\":[{}]," TAIL,
	HEAD "\"environment\":{\"board\":1},\"series\":[{}]," TAIL, HEAD "\"series\":[{}],\"source\":{\"lines\":[1.5,2]}}",
	HEAD "\"series\":[{}],\"source\":{\"lines\":[1,99999999999]}}", HEAD "\"series\":[{}],\"source\":{},\"flags\":[{\"text\":\"no code\"}]}",
	"{\"schema\":\"rtreport/1\",\"kind\":\"merged\",\"id\":\"0123456789abcdef\",\"tool\":\"t\",\"runs\":2,\"series\":[{}],\"source\":{}}",
};

static char *text_of(const struct record *r)
{
	return record_to_json(r, &(struct json_options){ .no_samples = true });
}

static void assert_agrees(struct record *fast, const char *json)
{
	char *error = NULL, *a, *b;
	struct record *r = record_from_json(json, strlen(json), &error);

	if (!r)
		fail_msg("%s: %s", error, json);
	a = text_of(r);
	b = text_of(fast);
	assert_string_equal(a, b);
	g_free(a);
	g_free(b);
	record_free(r);
}

/* One scanner reads all, so what one record leaves behind would show in the next. */
static void test_plain(void **state)
{
	struct record_scan *s = record_scan_new(false);
	(void)state;

	for (int round = 0; round < 2; round++)
		for (size_t i = 0; i < G_N_ELEMENTS(plain); i++) {
			size_t used = 0;
			struct record *r = record_scan_read(s, plain[i], strlen(plain[i]), &used);

			if (!r)
				fail_msg("not read: %s", plain[i]);
			assert_int_equal(used, strlen(plain[i]));
			/* The samples of some rows above are no samples: only the syntax is looked at. */
			if (!strstr(plain[i], "\"samples\""))
				assert_agrees(r, plain[i]);
		}
	record_scan_free(s);
}

static void test_others(void **state)
{
	struct record_scan *s = record_scan_new(false);
	(void)state;

	for (size_t i = 0; i < G_N_ELEMENTS(others); i++) {
		size_t used = 0;

		if (record_scan_read(s, others[i], strlen(others[i]), &used))
			fail_msg("read: %s", others[i]);
	}
	record_scan_free(s);
}

/* Who needs the samples gets their record from the other reader; others are read as ever. */
static void test_samples_needed(void **state)
{
	struct record_scan *s = record_scan_new(true);
	unsigned refused = 0;
	(void)state;

	for (size_t i = 0; i < G_N_ELEMENTS(plain); i++) {
		bool samples = strstr(plain[i], "\"samples\"") != NULL;
		size_t used;

		assert_int_equal(record_scan_read(s, plain[i], strlen(plain[i]), &used) == NULL, samples);
		refused += samples;
	}
	assert_true(refused > 0 && refused < G_N_ELEMENTS(plain));
	record_scan_free(s);
}

/* Cut anywhere, or with any byte changed: what is read is what the thorough reader reads. */
static void test_damaged(void **state)
{
	struct record_scan *s = record_scan_new(false);
	GRand *rand = g_rand_new_with_seed(1);
	(void)state;

	for (size_t i = 0; i < G_N_ELEMENTS(plain); i++) {
		size_t len = strlen(plain[i]), used;

		if (strstr(plain[i], "\"samples\""))
			continue;
		for (size_t cut = 0; cut < len; cut++)
			assert_null(record_scan_read(s, plain[i], cut, &used));
		for (int round = 0; round < 2000; round++) {
			g_autofree char *copy = g_strdup(plain[i]);
			struct record *r;

			copy[g_rand_int_range(rand, 0, (gint)len)] = (char)g_rand_int_range(rand, 1, 256);
			r = record_scan_read(s, copy, len, &used);
			if (r && used == len)
				assert_agrees(r, copy);
		}
	}
	g_rand_free(rand);
	record_scan_free(s);
}

/* The thread that reads ahead gives the same records, in order, and skips what is none. */
static void test_ahead(void **state)
{
	GString *text = g_string_new(NULL);
	struct record_ahead *a;
	guint plain_lines = 0, taken = 0;
	(void)state;

	for (int round = 0; round < 400; round++) {
		const char *line = round % 3 ? plain[round % 7] : others[round % G_N_ELEMENTS(others)];

		g_string_append_printf(text, "%s\n", line);
		plain_lines += round % 3 != 0;
	}
	a = record_ahead_new(text->str, text->len, false);
	for (const char *p = text->str; *p; p = strchr(p, '\n') + 1) {
		size_t used = 0;
		struct record *r = record_ahead_take(a, p, &used);

		taken += r != NULL;
		if (r) {
			assert_int_equal(p[used], '\n');
			if (taken % 50 == 0) {
				g_autofree char *line = g_strndup(p, used);

				assert_agrees(r, line);
			}
		}
	}
	assert_int_equal(taken, plain_lines);
	record_ahead_free(a);
	/* Given up early. */
	a = record_ahead_new(text->str, text->len, false);
	record_ahead_free(a);
	g_string_free(text, TRUE);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain), cmocka_unit_test(test_samples_needed), cmocka_unit_test(test_others), cmocka_unit_test(test_damaged), cmocka_unit_test(test_ahead),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
