#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "lib/record_json.h"
#include "lib/record_json_quick.h"

/* All that a record can hold, in the order in which it is written. */
static const char full[] =
	"{\"schema\":\"rtreport/1\",\"kind\":\"run\",\"id\":\"0123456789abcdef\",\"tool\":\"xenomai-latency\","
	"\"mode\":\"user-task\",\"title\":\"a \\\"title\\\"\",\"command\":null,"
	"\"settings\":{\"period_ns\":100000,\"policy\":\"fifo\",\"x_obj\":{\"a\":[1,2.50,true,null]}},"
	"\"environment\":{\"board\":\"m68k \xc3\xa9\",\"config\":{\"CONFIG_HZ\":\"1000\"},\"x_rooms\":[1]},"
	"\"series\":[{\"name\":null,\"line\":12,\"labels\":{\"thread\":0,\"column\":\"6.1\",\"x_l\":{\"q\":1}},"
	"\"quantity\":\"latency\",\"unit\":\"ns\",\"resolution\":1,\"min\":-1585,\"avg\":125833.25,\"max\":null,"
	"\"last\":1,\"stddev\":0.5,\"mdev\":2,\"value\":3,\"count\":100,\"overruns\":0,\"mode_switches\":1,"
	"\"samples\":[{\"line\":3,\"min\":1,\"avg\":2,\"max\":3,\"overruns\":0,\"best\":1,\"worst\":3,\"x_t\":36.60},"
	"{\"line\":4,\"min\":null,\"max\":5,\"x_a\":{\"b\":[]},\"x/b~\":1},{\"min\":7}],"
	"\"histogram\":{\"bin_width\":1000,\"bins\":[[-1000,5],[2000,1]],\"underflow\":0,\"overflow\":4,\"x_h\":1},"
	"\"interval_minima\":{\"count\":5,\"avg\":1.5,\"stddev\":null,"
	"\"histogram\":{\"bin_width\":null,\"bins\":[[0,5,10],[10,6,100]]}},"
	"\"interval_maxima\":{\"count\":5},\"percentiles\":{\"50\":1,\"99.9\":2.5},"
	"\"x_big\":1234567890123456789012345678901234567890,\"x_e\":1E+400}],"
	"\"source\":{\"file\":\"a.mbox\",\"part\":\"1.2\",\"lines\":[1,20],\"message_id\":\"m@x\",\"from\":\"A\","
	"\"date\":\"2006-01-08T14:02:11+01:00\",\"subject\":\"s\",\"list\":\"l\",\"quote_depth\":2,\"copies\":5,"
	"\"x_s\":false},"
	"\"flags\":[{\"code\":\"derived\",\"where\":\"/series/0/avg\",\"text\":\"t\"},"
	"{\"code\":\"new-code\",\"where\":\"\",\"text\":\"\",\"x_f\":\"\\u0041\"}],"
	"\"x_top\":[[],{}],\"later_key\":0.1000}";

static const char merged[] =
	"{\"schema\":\"rtreport/1\",\"kind\":\"merged\",\"id\":\"0123456789abcdef\",\"tool\":\"cyclictest\","
	"\"mode\":null,\"title\":null,\"command\":null,\"runs\":3,\"varies\":[\"kernel\",\"load\"],"
	"\"settings\":{},\"environment\":{},"
	"\"series\":[{\"name\":null,\"labels\":{},\"quantity\":\"elapsed time\",\"unit\":null,\"min\":1,\"avg\":2,\"max\":3,"
	"\"sum\":\"123456789012345678901234567890.5\",\"weight\":\"3\",\"min_source\":\"m1\",\"max_source\":\"m2\"}],"
	"\"source\":{\"quote_depth\":0,\"copies\":0},\"flags\":[]}";

/* The least that is a record, with a place for one more key and for a series. */
#define MINIMAL(extra, series) \
	"{\"schema\":\"rtreport/1\",\"kind\":\"run\",\"id\":\"0123456789abcdef\",\"tool\":\"t\"," extra \
	"\"series\":[" series "],\"source\":{}}"

/* What the quick reader must take: all that record_to_json writes of known keys. */
static const char ordinary[] =
	"{\"schema\":\"rtreport/1\",\"kind\":\"run\",\"id\":\"0123456789abcdef\",\"tool\":\"xenomai-latency\","
	"\"mode\":\"user-task\",\"title\":\"a \\\"title\\\" \\\\ \\n \xc3\xa9\",\"command\":null,"
	"\"settings\":{\"period_ns\":100000,\"policy\":\"fifo\"},"
	"\"environment\":{\"board\":\"m68k\",\"config\":{\"CONFIG_HZ\":\"1000\"}},"
	"\"series\":[{\"name\":null,\"line\":12,\"labels\":{\"thread\":0,\"column\":\"6.1\"},"
	"\"quantity\":\"latency\",\"unit\":\"ns\",\"resolution\":1,\"min\":-1585,\"avg\":125833.25,\"max\":null,"
	"\"last\":1,\"stddev\":0.5,\"mdev\":2,\"value\":3,\"count\":100,\"overruns\":0,\"mode_switches\":1,"
	"\"samples\":[{\"line\":3,\"min\":1,\"avg\":2,\"best\":1},{\"line\":4,\"min\":null,\"best\":5},{\"min\":7}],"
	"\"histogram\":{\"bin_width\":1000,\"bins\":[[-1000,5],[2000,1]],\"underflow\":0,\"overflow\":4},"
	"\"percentiles\":{\"50\":1,\"99.9\":2.5}},"
	"{\"name\":\"b\",\"labels\":{},\"quantity\":\"noise\",\"unit\":null,"
	"\"histogram\":{\"bin_width\":null,\"bins\":[[0,5,10],[10,6,100]]}}],"
	"\"source\":{\"file\":\"a.mbox\",\"part\":\"1.2\",\"lines\":[1,20],\"message_id\":\"m@x\",\"from\":\"A\","
	"\"date\":\"2006-01-08T14:02:11+01:00\",\"subject\":\"s\",\"list\":\"l\",\"quote_depth\":2,\"copies\":50},"
	"\"flags\":[{\"code\":\"derived\",\"where\":\"/series/0/avg\",\"text\":\"t\"}]}";

static struct record *read_ok(const char *text)
{
	char *error;
	struct record *r = record_from_json(text, strlen(text), &error);

	if (!r)
		fail_msg("%s", error);
	return r;
}

static char *rewrite(const char *text, const struct json_options *o)
{
	struct record *r = read_ok(text);
	char *out = record_to_json(r, o);

	record_free(r);
	return out;
}

/* Reading and writing changes only how extras' text escapes and unescapes. */
static void test_round_trip(void **state)
{
	g_autofree char *once = rewrite(full, NULL), *twice = rewrite(once, NULL), *m = rewrite(merged, NULL);
	g_autoptr(GString) expected = g_string_new(full);

	(void)state;
	g_string_replace(expected, "\\u0041", "A", 0);
	assert_string_equal(once, expected->str);
	assert_string_equal(twice, once);
	assert_string_equal(m, merged);
}

static void assert_quick(const char *text)
{
	size_t used = 0;
	struct record *r = record_json_quick(text, strlen(text), &used);
	g_autofree char *again = r ? record_to_json(r, NULL) : NULL;

	assert_non_null(r);
	assert_int_equal(used, strlen(text));
	assert_string_equal(again, text);
	record_free(r);
}

static void test_quick(void **state)
{
	static const struct json_options pretty = { .pretty = true };
	g_autofree char *indented = rewrite(ordinary, &pretty), *plain = rewrite(indented, NULL);

	(void)state;
	assert_quick(ordinary);
	assert_quick(merged);
	assert_string_equal(plain, ordinary);
}

/*
 * The two readers agree: a text changed anywhere, which the quick one takes, the thorough one takes too, and both make the
 * same record of it.
 */
static void test_readers_agree(void **state)
{
	static const char changes[] = "\"{}[],:0-9.eE\\ux \n\t\1\xc3";
	static const char *const texts[] = { ordinary, merged, full };
	unsigned taken = 0;

	(void)state;
	for (size_t t = 0; t < G_N_ELEMENTS(texts); t++) {
		size_t len = strlen(texts[t]);
		g_autofree char *text = g_strdup(texts[t]);

		for (size_t i = 0; i < len; i++)
			for (const char *change = changes; *change; change++) {
				g_autofree char *error = NULL, *a = NULL, *b = NULL;
				struct record *quick, *thorough;
				size_t used;

				text[i] = *change;
				quick = record_json_quick(text, len, &used);
				if (quick) {
					thorough = record_json_thorough(text, used, &error);
					if (!thorough)
						fail_msg("%s: %s", error, text);
					a = record_to_json(quick, NULL);
					b = record_to_json(thorough, NULL);
					assert_string_equal(a, b);
					record_free(thorough);
					record_free(quick);
					taken++;
				}
				text[i] = texts[t][i];
			}
	}
	assert_true(taken > 1000);
}

static void test_pretty(void **state)
{
	static const struct json_options pretty = { .pretty = true };
	g_autofree char *text = rewrite(full, &pretty), *again = rewrite(text, &pretty), *plain = rewrite(text, NULL);
	g_autofree char *direct = rewrite(full, NULL);

	(void)state;
	assert_string_equal(again, text);
	assert_string_equal(plain, direct);
	assert_non_null(strstr(text, "\n        {\"line\":4,"));
}

static void test_no_samples(void **state)
{
	static const struct json_options options = { .no_samples = true };
	g_autofree char *text = rewrite(full, &options);

	(void)state;
	assert_null(strstr(text, "samples"));
	assert_non_null(strstr(text, "histogram"));
}

static void test_values(void **state)
{
	struct record *r = read_ok(full);
	struct series *s = g_ptr_array_index(r->series, 0);

	(void)state;
	assert_true(number_equal(s->field[FIELD_AVG], number_scale(number_int(12583325), -2)));
	assert_int_equal(s->field[FIELD_MAX].state, NUMBER_NULL);
	assert_int_equal(series_sample_rows(s), 3);
	assert_int_equal(series_sample(s, 1, FIELD_MIN).state, NUMBER_NULL);
	assert_int_equal(series_sample(s, 1, FIELD_AVG).state, NUMBER_ABSENT);
	assert_true(number_equal(series_sample(s, 1, FIELD_MAX), number_int(5)));
	assert_int_equal(s->line, 12);
	assert_true(number_equal(histogram_total(s->histogram), number_int(10)));
	assert_string_equal(facts_get(r->environment, "board")->text, "m68k \xc3\xa9");
	assert_string_equal(facts_get(r->config, "CONFIG_HZ")->text, "1000");
	assert_true(number_equal(facts_get(s->labels, "thread")->number, number_int(0)));
	assert_int_equal(r->source.last, 20);
	record_free(r);
}

static void test_minimal(void **state)
{
	g_autofree char *text = rewrite(MINIMAL("", "{}"), NULL);

	(void)state;
	assert_string_equal(text,
		"{\"schema\":\"rtreport/1\",\"kind\":\"run\",\"id\":\"0123456789abcdef\",\"tool\":\"t\",\"mode\":null,"
		"\"title\":null,\"command\":null,\"settings\":{},\"environment\":{},\"series\":[{\"name\":null,\"labels\":{},"
		"\"quantity\":\"latency\",\"unit\":null}],\"source\":{\"quote_depth\":0,\"copies\":0},\"flags\":[]}");
}

static void test_refused(void **state)
{
	static const struct { const char *text, *message; } rows[] = {
		{ "", "JSON" },
		{ "{", "JSON" },
		{ "[]", "/: must be an object" },
		{ "{}", "/schema: is missing" },
		{ MINIMAL("", ""), "/series: must be an array with at least one series" },
		{ MINIMAL("", "{}") "x", "text after" },
		{ MINIMAL("", "{\"max\":\"1\"}"), "/series/0/max: must be a number or null" },
		{ MINIMAL("", "{\"max\":true}"), "/series/0/max: must be a number or null" },
		{ MINIMAL("", "{\"max\":{}}"), "/series/0/max: must be a number or null" },
		{ MINIMAL("", "{\"max\":1234567890123456}"), "/series/0/max: has more than 15" },
		{ MINIMAL("", "{\"max\":1e400}"), "/series/0/max: has more than 15" },
		{ MINIMAL("", "{\"max\":01}"), "malformed number" },
		{ MINIMAL("", "{\"max\":1.}"), "malformed number" },
		{ MINIMAL("", "{\"max\":-}"), "malformed number" },
		{ MINIMAL("", "{\"max\":1x}"), "malformed number" },
		{ MINIMAL("", "{\"max\":+1}"), "JSON" },
		{ MINIMAL("", "{\"max\":NaN}"), "JSON" },
		{ MINIMAL("", "{\"max\":1,\"max\":2}"), "/series/0/max: is there twice" },
		{ MINIMAL("\"tool\":\"u\",", "{}"), "/tool: is there twice" },
		{ MINIMAL("\"mode\":5,", "{}"), "/mode: must be a text or null" },
		{ MINIMAL("\"settings\":[],", "{}"), "/settings: must be an object" },
		{ MINIMAL("\"flags\":[{}],", "{}"), "/flags/0: must have a code" },
		{ MINIMAL("\"flags\":{},", "{}"), "/flags: must be an array" },
		{ MINIMAL("", "{\"samples\":{}}"), "/series/0/samples: must be an array" },
		{ MINIMAL("", "{\"samples\":[1]}"), "/series/0/samples/0: must be an object" },
		{ MINIMAL("", "{\"samples\":[{},{\"min\":\"a\"}]}"), "/series/0/samples/1/min: must be a number" },
		{ MINIMAL("", "{\"samples\":[{\"line\":-1}]}"), "/series/0/samples/0/line: must be a whole" },
		{ MINIMAL("", "{\"histogram\":{}}"), "/series/0/histogram: must have" },
		{ MINIMAL("", "{\"histogram\":{\"bin_width\":1,\"bins\":[[1,2,3]]}}"), "/bins/0: must be [lower, count]" },
		{ MINIMAL("", "{\"histogram\":{\"bin_width\":null,\"bins\":[[1,2]]}}"), "/bins/0: must be [lower, count, upper]" },
		{ MINIMAL("", "{\"histogram\":{\"bin_width\":1,\"bins\":[[2,1],[1,1]]}}"), "/bins/1: bins must ascend" },
		{ MINIMAL("", "{\"histogram\":{\"bin_width\":1,\"bins\":[[2,0]]}}"), "/bins/0: an empty bin" },
		{ MINIMAL("", "{\"sum\":5}"), "/series/0/sum: must be a decimal" },
		{ MINIMAL("", "{\"sum\":\"1e9\"}"), "/series/0/sum: must be a decimal" },
		{ MINIMAL("\"x_a~/b\":{},\"x_a~/b\":{},", "{}"), "/x_a~0~1b: is there twice" },
		{ MINIMAL("\"title\":\"a\\u0000b\",", "{}"), "NUL" },
		{ MINIMAL("\"title\":\"\\u00015\",", "{}"), "U+0001" },
		{ MINIMAL("\"title\":\"a\tb\",", "{}"), "control character" },
		{ MINIMAL("\"title\":\"\xff\",", "{}"), "UTF-8" },
		{ MINIMAL("\"title\":\"\\ud800\",", "{}"), "JSON" },
		{ "{\"schema\":\"rtreport/2\"}", "a version of the schema" },
		{ "{\"schema\":\"other/1\"}", "/schema: must be rtreport/1" },
		{ "{\"id\":\"0123456789ABCDEF\"}", "/id: must be 16" },
		{ "{\"kind\":\"both\"}", "/kind: must be run or merged" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *error = NULL;
		struct record *r = record_from_json(rows[i].text, strlen(rows[i].text), &error);

		if (r || !strstr(error, rows[i].message))
			fail_msg("row %zu: \"%s\" instead of \"%s\"", i, error ? error : "(read)", rows[i].message);
	}
}

/* Any beginning of a record is refused with a message, never read. */
static void test_cut(void **state)
{
	(void)state;
	for (size_t len = 0; len < sizeof(full) - 1; len++) {
		g_autofree char *error = NULL;

		assert_null(record_from_json(full, len, &error));
		assert_non_null(error);
	}
}

static void test_deep(void **state)
{
	GString *text = g_string_new("{\"x\":");
	g_autofree char *error = NULL;

	(void)state;
	for (int i = 0; i < 1000000; i++)
		g_string_append_c(text, '[');
	assert_null(record_from_json(text->str, text->len, &error));
	assert_non_null(strstr(error, "nested too deeply"));
	g_string_free(text, TRUE);
}

/* Strings out of hostile mail come out as valid UTF-8 without control characters. */
static void test_clean(void **state)
{
	struct record *r = record_new("cyclictest");
	struct record *again;
	g_autofree char *text = NULL;

	(void)state;
	record_add_series(r, "\xff\xfe name");
	r->title = record_text(r, "\001\033[31mred\xc2\x9b 2\x7f\ttab\nline", -1);
	facts_set_text(r, r->config, record_text(r, "key\x1b\xff", -1), "v", 0);
	record_compute_id(r);
	text = record_to_json(r, NULL);
	assert_true(g_utf8_validate(text, -1, NULL));
	for (const char *p = text; *p; p++)
		assert_true((unsigned char)*p >= 0x20 && *p != 0x7f);
	assert_null(strstr(text, "\xc2\x9b"));
	assert_null(strstr(text, "\\u0001"));
	again = read_ok(text);
	assert_string_equal(again->title, "\xef\xbf\xbd\xef\xbf\xbd[31mred\xef\xbf\xbd 2\xef\xbf\xbd\ttab\nline");
	record_free(again);
	record_free(r);
}

static void test_column_order(void **state)
{
	static const enum field columns[] = { FIELD_WORST, FIELD_MIN };
	struct number values[] = { number_int(9), number_int(1) };
	struct record *r = record_new("rtai-latency");
	struct series *s = record_add_series(r, NULL);
	g_autofree char *text = NULL;

	(void)state;
	series_columns(s, 2, columns);
	series_add_row(s, 7, values);
	text = record_to_json(r, NULL);
	assert_non_null(strstr(text, "\"samples\":[{\"line\":7,\"min\":1,\"worst\":9}]"));
	record_free(r);
}

static void test_probe(void **state)
{
	static const struct { const char *text; bool ours; } rows[] = {
		{ full, true },
		{ "[\n\t{\n\t\t\"schema\":\t\"rtreport/1\"", true },
		{ "\xef\xbb\xbf {\"tool\":\"t\",\"schema\" : \"rtreport/7\"}", true },
		{ "{\"schema\":\"other\"}", false },
		{ "{\"file_version\":1}", false },
		{ "T: 0 (1) P:80 \"schema\":\"rtreport/1\"", false },
		{ "", false },
		{ "[[[[", false },
		{ "{\"schema\":\"rtrep", false },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
		assert_int_equal(record_json_probe(rows[i].text, strlen(rows[i].text)), rows[i].ours);
}

static void count_record(struct record *r, void *data)
{
	g_string_append_printf(data, "%s ", r->tool);
	record_free(r);
}

static void count_bad(unsigned line, const char *message, void *data)
{
	assert_true(strlen(message) > 5);
	g_string_append_printf(data, "bad:%u ", line);
}

static void test_walk(void **state)
{
	static const char good[] = MINIMAL("", "{}");
	static const struct { const char *before, *between, *after, *seen; } rows[] = {
		{ "", "\n", "\n", "t t " },
		{ "[", ",\n", "]\n", "t t " },
		{ "\n[\n\t", ",\n\n", "\n]", "t t " },
		{ "\xef\xbb\xbf", "\r\n", "", "t t " },
		{ "not json\n", "\n", "", "bad:1 t t " },
		{ "", "\n{\"schema\":\"rtreport/1\"\n", "\n{", "t bad:2 t bad:4 " },
		{ "{\"schema\":\"rtrep\n", "\n{\"a\":1}\n", "\n", "bad:1 t bad:3 t " },
		{ "", "\n\n1\n", "\n]", "t bad:3 t bad:5 " },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *text = g_strconcat(rows[i].before, good, rows[i].between, good, rows[i].after, NULL);
		GString *seen = g_string_new(NULL);

		record_json_walk(text, strlen(text), count_record, count_bad, seen);
		assert_string_equal(seen->str, rows[i].seen);
		g_string_free(seen, TRUE);
	}
}

static void test_sample_limit(void **state)
{
	static const char text[] = MINIMAL("", "{\"samples\":[{\"min\":1},{\"min\":2},{\"min\":3}]}");
	struct record *r;

	(void)state;
	record_sample_limit(2);
	r = read_ok(text);
	record_sample_limit(RECORD_MAX_SAMPLES);
	assert_int_equal(series_sample_rows(g_ptr_array_index(r->series, 0)), 2);
	assert_true(record_has_flag(r, FLAG_SAMPLES_OMITTED));
	assert_string_equal(g_array_index(r->flags, struct flag, 0).where, "/series/0/samples");
	record_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_quick),
		cmocka_unit_test(test_readers_agree),
		cmocka_unit_test(test_pretty),
		cmocka_unit_test(test_no_samples),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_minimal),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_deep),
		cmocka_unit_test(test_clean),
		cmocka_unit_test(test_column_order),
		cmocka_unit_test(test_probe),
		cmocka_unit_test(test_walk),
		cmocka_unit_test(test_sample_limit),
	};

	return cmocka_run_group_tests_name("record_json", tests, NULL, NULL);
}
