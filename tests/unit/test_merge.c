/* Merged records: exact, and the same bytes whatever the order and the parts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "lib/merge.h"
#include "lib/record_json.h"

#define RUNS 24
#define ROUNDS 1000

static struct record *read_json(const char *json)
{
	char *error = NULL;
	struct record *r = record_from_json(json, strlen(json), &error);

	if (!r)
		fail_msg("%s: %s", error, json);
	return r;
}

/* One run; series is JSON. */
static struct record *run_of(const char *source, const char *environment, const char *series)
{
	g_autofree char *json = g_strdup_printf("{\"schema\":\"rtreport/1\",\"kind\":\"run\",\"id\":\"0000000000000000\","
		"\"tool\":\"cyclictest\",\"mode\":null,\"title\":null,\"command\":null,\"settings\":{\"period_ns\":1000000},"
		"\"environment\":{%s},\"series\":[%s],\"source\":{\"file\":\"%s\",\"quote_depth\":0,\"copies\":1},\"flags\":[]}",
		environment, series, source);

	return read_json(json);
}

static void free_record(void *r)
{
	record_free(r);
}

static GPtrArray *record_list(void)
{
	return g_ptr_array_new_with_free_func(free_record);
}

/* Merges the records, and passes the result through JSON, as a file between two commands would. */
static GPtrArray *merge_all(const struct identity *id, const GPtrArray *records)
{
	struct merge *m = merge_new(id);
	GPtrArray *merged, *again = record_list();

	for (guint i = 0; i < records->len; i++)
		merge_add(m, &(struct subject){ records->pdata[i], NULL, NULL });
	merged = merge_records(m);
	for (guint i = 0; i < merged->len; i++) {
		char *text = record_to_json(merged->pdata[i], NULL);

		g_ptr_array_add(again, read_json(text));
		g_free(text);
	}
	g_ptr_array_unref(merged);
	merge_free(m);
	return again;
}

static char *text_of(const GPtrArray *records)
{
	GString *out = g_string_new(NULL);

	for (guint i = 0; i < records->len; i++) {
		char *text = record_to_json(records->pdata[i], NULL);

		g_string_append_printf(out, "%s\n", text);
		g_free(text);
	}
	return g_string_free(out, FALSE);
}

static const char *pick(GRand *rand, const char *const *words)
{
	return words[g_rand_int_range(rand, 0, (gint)g_strv_length((char **)words))];
}

/* Bins of one of several widths and offsets, sometimes of unequal width, sometimes none at all. */
static void random_histogram(GRand *rand, GString *out)
{
	int kind = g_rand_int_range(rand, 0, 12), width = (int[]){ 1000, 1000, 1000, 2000, 3000, 500 }[g_rand_int_range(rand, 0, 6)];
	int offset = g_rand_int_range(rand, 0, 10) ? 0 : 250, lower = offset;

	if (!kind)
		return;
	g_string_append_printf(out, ",\"histogram\":{\"bin_width\":%s,\"bins\":[", kind == 1 ? "null" : (char[][8]){ "500", "1000", "2000", "3000" }
		[width == 500 ? 0 : width / 1000]);
	for (int i = 0, n = g_rand_int_range(rand, 0, 6); i < n; i++) {
		lower += width * g_rand_int_range(rand, 1, 4);
		g_string_append_printf(out, kind == 1 ? "%s[%d,%d,%d]" : "%s[%d,%d]", i ? "," : "", lower,
			g_rand_int_range(rand, 1, 100), lower + width);
	}
	g_string_append_printf(out, "]%s}", pick(rand, (const char *[]){ "", ",\"overflow\":3", ",\"underflow\":1,\"overflow\":0", NULL }));
}

static void random_series(GRand *rand, GString *out, int thread)
{
	int min = g_rand_int_range(rand, 0, 4) * 1000, avg = min + g_rand_int_range(rand, 0, 9999);

	g_string_append_printf(out, "{\"name\":%s,\"labels\":{\"thread\":%d,\"tid\":%d,\"priority\":%d},\"unit\":\"ns\",\"resolution\":%d",
		pick(rand, (const char *[]){ "null", "null", "\"irq\"", NULL }), thread, g_rand_int_range(rand, 1, 9999), 80 - thread,
		g_rand_int_range(rand, 0, 2) ? 1000 : 1);
	if (!g_rand_int_range(rand, 0, 10)) {
		g_string_append_printf(out, ",\"value\":%d.25}", avg);
		return;
	}
	if (g_rand_int_range(rand, 0, 10))
		g_string_append_printf(out, ",\"min\":%d", min);
	if (g_rand_int_range(rand, 0, 10))
		g_string_append_printf(out, ",\"avg\":%d.%03d", avg, g_rand_int_range(rand, 0, 1000));
	g_string_append_printf(out, ",\"max\":%s", g_rand_int_range(rand, 0, 20) ? pick(rand, (const char *[]){ "20000", "30000", "30000.5", NULL }) : "null");
	if (g_rand_int_range(rand, 0, 20))
		g_string_append_printf(out, ",\"count\":%d", g_rand_int_range(rand, 0, 100000));
	if (g_rand_int_range(rand, 0, 4))
		g_string_append_printf(out, ",\"overruns\":%d", g_rand_int_range(rand, 0, 3));
	if (g_rand_int_range(rand, 0, 4))
		random_histogram(rand, out);
	if (!g_rand_int_range(rand, 0, 8))
		g_string_append(out, ",\"interval_maxima\":{\"count\":5,\"avg\":3.5,\"histogram\":{\"bin_width\":1000,\"bins\":[[0,5]]}}");
	g_string_append_printf(out, "%s}", pick(rand, (const char *[]){ "", ",\"x_note\":1", ",\"x_note\":2", NULL }));
}

static char *random_facts(GRand *rand)
{
	GString *out = g_string_new(NULL);

	g_string_append_printf(out, "\"board\":\"%s\"", pick(rand, (const char *[]){ "My Board", "my  board", "MyBoard", "Other", NULL }));
	g_string_append_printf(out, ",\"load\":\"%s\"", pick(rand, (const char *[]){ "idle", "Idle", "ping flood", NULL }));
	if (g_rand_int_range(rand, 0, 3))
		g_string_append_printf(out, ",\"kernel\":\"%s\"", pick(rand, (const char *[]){ "4.4", "4.9", NULL }));
	g_string_append_printf(out, ",\"compiler\":\"%s\"", g_rand_int_range(rand, 0, 40) ? "gcc 4" : "gcc 5");
	if (g_rand_int_range(rand, 0, 3))
		g_string_append_printf(out, ",\"config\":{\"CONFIG_HZ\":\"%d\",\"x\":\"y\"}", g_rand_int_range(rand, 0, 2) ? 100 : 1000);
	return g_string_free(out, FALSE);
}

static struct record *random_run(GRand *rand, int number)
{
	static const char *const sources[] = { "a.txt", "b.txt", "c.txt", NULL };
	g_autoptr(GString) series = g_string_new(NULL);
	g_autofree char *facts = random_facts(rand);
	struct record *r;
	(void)number;

	for (int i = 0, n = g_rand_int_range(rand, 1, 4); i < n; i++) {
		if (i)
			g_string_append_c(series, ',');
		random_series(rand, series, i);
	}
	r = run_of(pick(rand, sources), facts, series->str);
	if (!g_rand_int_range(rand, 0, 6))
		record_flag(r, FLAG_ROW_REPAIRED, "/series/0", "repaired");
	if (!g_rand_int_range(rand, 0, 6))
		record_flag(r, FLAG_DERIVED, "/series/0/avg", "derived");
	facts_set_number(r->settings, "priority", number_int(g_rand_int_range(rand, 0, 30) ? 80 : 90), 0);
	r->source.date = record_text(r, g_rand_int_range(rand, 0, 2) ? "2013-01-05T10:00:00Z" : "2013-02-05T10:00:00Z", -1);
	return r;
}

static void shuffle(GRand *rand, GPtrArray *a)
{
	for (guint i = a->len; i > 1; i--) {
		guint j = (guint)g_rand_int_range(rand, 0, (gint)i);
		void *t = a->pdata[i - 1];

		a->pdata[i - 1] = a->pdata[j];
		a->pdata[j] = t;
	}
}

/* Splits at random, merges the parts, and then parts with parts, until one is left. */
static GPtrArray *merge_in_parts(const struct identity *id, GRand *rand, GPtrArray *runs)
{
	GPtrArray *parts = g_ptr_array_new();
	guint n = (guint)g_rand_int_range(rand, 1, 6);
	GPtrArray *last;

	shuffle(rand, runs);
	for (guint p = 0; p < n; p++) {
		GPtrArray *part = g_ptr_array_new();

		for (guint i = p; i < runs->len; i += n)
			g_ptr_array_add(part, runs->pdata[i]);
		g_ptr_array_add(parts, merge_all(id, part));
		g_ptr_array_unref(part);
	}
	while (parts->len > 1) {
		GPtrArray *a = g_ptr_array_remove_index(parts, (guint)g_rand_int_range(rand, 0, (gint)parts->len));
		GPtrArray *b = g_ptr_array_remove_index(parts, (guint)g_rand_int_range(rand, 0, (gint)parts->len));

		g_ptr_array_extend_and_steal(a, b);
		shuffle(rand, a);
		g_ptr_array_add(parts, merge_all(id, a));
		g_ptr_array_unref(a);
	}
	last = parts->pdata[0];
	g_ptr_array_unref(parts);
	return last;
}

static void test_any_order_any_parts(void **state)
{
	static const char *const by[] = { "board", "board,kernel", "", "board,date@month", "kernel,thread" };
	GRand *rand = g_rand_new_with_seed(6);
	(void)state;

	for (int round = 0; round < ROUNDS; round++) {
		char *error = NULL;
		struct identity *id = identity_new(by[round % 5], round % 7 ? NULL : "load,name", &error);
		GPtrArray *runs = record_list(), *whole, *parts;
		char *expected, *got;

		for (int i = 0; i < RUNS; i++)
			g_ptr_array_add(runs, random_run(rand, i));
		whole = merge_all(id, runs);
		expected = text_of(whole);
		parts = merge_in_parts(id, rand, runs);
		got = text_of(parts);
		if (strcmp(expected, got))
			fail_msg("round %d (by %s)\n%s\n%s", round, by[round % 5], expected, got);
		g_free(expected);
		g_free(got);
		g_ptr_array_unref(whole);
		g_ptr_array_unref(parts);
		g_ptr_array_unref(runs);
		identity_free(id);
	}
	g_rand_free(rand);
}

/* --- what comes out --- */

static GPtrArray *merge_of(const char *by, struct record **runs, size_t n)
{
	char *error = NULL;
	struct identity *id = identity_new(by, NULL, &error);
	GPtrArray *list = record_list(), *merged;

	for (size_t i = 0; i < n; i++)
		g_ptr_array_add(list, runs[i]);
	merged = merge_all(id, list);
	g_ptr_array_unref(list);
	identity_free(id);
	return merged;
}

static const struct series *only_series(const GPtrArray *merged)
{
	const struct record *r = merged->pdata[0];

	assert_int_equal(merged->len, 1);
	assert_int_equal(r->series->len, 1);
	return r->series->pdata[0];
}

static void assert_number(struct number got, const char *want)
{
	char text[NUMBER_TEXT];

	assert_string_equal(number_print(got, text), want);
}

#define SERIES(text) "{\"name\":null,\"labels\":{},\"unit\":\"ns\"," text "}"

static void test_exact_mean(void **state)
{
	struct record *runs[] = {
		run_of("a", "", SERIES("\"min\":1,\"avg\":0.1,\"max\":5,\"count\":1")),
		run_of("b", "", SERIES("\"min\":0,\"avg\":0.2,\"max\":7,\"count\":2")),
	};
	GPtrArray *merged = merge_of("", runs, 2);
	const struct series *s = only_series(merged);
	g_autofree char *sum = number_sum_text(s->sum), *weight = number_sum_text(s->weight);
	(void)state;

	assert_string_equal(sum, "0.5");
	assert_string_equal(weight, "3");
	assert_number(s->field[FIELD_AVG], "0.166666666666667");
	assert_number(s->field[FIELD_MIN], "0");
	assert_number(s->field[FIELD_MAX], "7");
	assert_number(s->field[FIELD_COUNT], "3");
	assert_string_equal(s->min_source, "b");
	assert_string_equal(s->max_source, "b");
	assert_int_equal(merged_weights(s), WEIGHTS_COUNT);
	assert_int_equal(((struct record *)merged->pdata[0])->runs, 2);
	g_ptr_array_unref(merged);
}

/* Where one run says its count and the other does not, no weighting is right. */
static void test_weights(void **state)
{
	struct record *mixed[] = {
		run_of("a", "", SERIES("\"avg\":10,\"count\":100")), run_of("b", "", SERIES("\"avg\":20")),
	};
	struct record *uncounted[] = { run_of("a", "", SERIES("\"avg\":10")), run_of("b", "", SERIES("\"avg\":20")) };
	GPtrArray *merged = merge_of("", mixed, 2);
	const struct series *s = only_series(merged);
	(void)state;

	assert_int_equal(merged_weights(s), WEIGHTS_MIXED);
	assert_false(number_is_set(s->field[FIELD_AVG]));
	assert_int_equal(s->field[FIELD_COUNT].state, NUMBER_NULL);
	g_ptr_array_unref(merged);
	merged = merge_of("", uncounted, 2);
	s = only_series(merged);
	assert_int_equal(merged_weights(s), WEIGHTS_RUNS);
	assert_number(s->field[FIELD_AVG], "15");
	g_ptr_array_unref(merged);
}

static void test_varies(void **state)
{
	struct record *runs[] = {
		run_of("a", "\"board\":\"X 1\",\"kernel\":\"4.4\",\"arch\":\"arm\"", SERIES("\"max\":5")),
		run_of("b", "\"board\":\"x1\",\"kernel\":\"4.9\",\"memory\":\"1G\",\"arch\":\"arm\"", SERIES("\"max\":5")),
	};
	GPtrArray *merged = merge_of("board", runs, 2);
	const struct record *r = merged->pdata[0];
	const struct series *s = only_series(merged);
	(void)state;

	assert_int_equal(r->varies->len, 2);
	assert_string_equal(r->varies->pdata[0], "kernel");
	assert_string_equal(r->varies->pdata[1], "memory");
	assert_string_equal(facts_get(r->environment, "board")->text, "X 1");
	assert_string_equal(facts_get(r->environment, "arch")->text, "arm");
	assert_null(facts_get(r->environment, "kernel"));
	assert_null(r->source.file);
	assert_string_equal(s->max_source, "a");
	g_ptr_array_unref(merged);
}

static void test_threads_fold(void **state)
{
	struct record *runs[] = { run_of("a", "",
		"{\"name\":null,\"labels\":{\"thread\":0,\"priority\":80},\"unit\":\"ns\",\"min\":3,\"avg\":4,\"max\":9,\"count\":10},"
		"{\"name\":null,\"labels\":{\"thread\":1,\"priority\":79},\"unit\":\"ns\",\"min\":2,\"avg\":7,\"max\":8,\"count\":20}") };
	GPtrArray *merged = merge_of("", runs, 1);
	const struct series *s = only_series(merged);
	(void)state;

	assert_number(s->field[FIELD_MIN], "2");
	assert_number(s->field[FIELD_AVG], "6");
	assert_number(s->field[FIELD_MAX], "9");
	assert_number(s->field[FIELD_COUNT], "30");
	assert_number(merged_threads(s), "2");
	assert_number(facts_get(s->labels, "priority")->number, "80");
	assert_int_equal(((struct record *)merged->pdata[0])->runs, 1);
	g_ptr_array_unref(merged);
}

static const char *histogram_text(const struct histogram *h)
{
	static char text[512];
	char a[NUMBER_TEXT], b[NUMBER_TEXT];
	int n;

	if (!h)
		return "none";
	n = g_snprintf(text, sizeof(text), "%s:", number_print(h->bin_width, a));
	for (guint i = 0; i < h->bins->len; i++) {
		const struct bin *bin = &g_array_index(h->bins, struct bin, i);

		n += g_snprintf(text + n, sizeof(text) - (gulong)n, " %s=%s", number_print(bin->lower, a), number_print(bin->count, b));
	}
	if (number_is_set(h->overflow))
		g_snprintf(text + n, sizeof(text) - (gulong)n, " over=%s", number_print(h->overflow, a));
	return text;
}

static void test_histograms(void **state)
{
	static const struct { const char *a, *b, *want; } rows[] = {
		{ "{\"bin_width\":1000,\"bins\":[[1000,5],[2000,1]],\"overflow\":1}", "{\"bin_width\":1000,\"bins\":[[0,1],[2000,2]],\"overflow\":2}",
		  "1000: 0=1 1000=5 2000=3 over=3" },
		{ "{\"bin_width\":1,\"bins\":[[3,1],[4,1],[10,1]]}", "{\"bin_width\":10,\"bins\":[[0,7],[20,1]]}", "10: 0=9 10=1 20=1" },
		{ "{\"bin_width\":2,\"bins\":[[4,1]]}", "{\"bin_width\":3,\"bins\":[[3,1]]}", "6: 0=2" },
		{ "{\"bin_width\":2,\"bins\":[[1,1]]}", "{\"bin_width\":4,\"bins\":[[0,1]]}", "none" },
		{ "{\"bin_width\":2,\"bins\":[[1,1]]}", "{\"bin_width\":4,\"bins\":[[3,1]]}", "4: -1=1 3=1" },
		{ "{\"bin_width\":2,\"bins\":[[-3,1]]}", "{\"bin_width\":4,\"bins\":[[3,1]]}", "4: -5=1 3=1" },
		{ "{\"bin_width\":0.5,\"bins\":[[0.5,1]]}", "{\"bin_width\":1,\"bins\":[[1,2]]}", "1: 0=1 1=2" },
		{ "{\"bin_width\":null,\"bins\":[[0,1,10],[10,1,20]]}", "{\"bin_width\":null,\"bins\":[[10,4,20],[30,1,50]]}", ": 0=1 10=5 30=1" },
		{ "{\"bin_width\":null,\"bins\":[[0,1,10],[10,1,20]]}", "{\"bin_width\":null,\"bins\":[[5,4,20]]}", "none" },
		{ "{\"bin_width\":1000,\"bins\":[]}", "{\"bin_width\":2000,\"bins\":[[1000,1]]}", "2000: 1000=1" },
		{ "{\"bin_width\":1000,\"bins\":[[1,1],[1000,1]]}", "{\"bin_width\":1000,\"bins\":[[1000,1]]}", "none" },
		{ "{\"bin_width\":1000,\"bins\":[[1000,1]]}", NULL, "none" },
	};
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
		for (int swap = 0; swap < 2; swap++) {
			g_autofree char *a = g_strdup_printf(SERIES("\"max\":1,\"histogram\":%s"), rows[i].a);
			g_autofree char *b = rows[i].b ? g_strdup_printf(SERIES("\"max\":1,\"histogram\":%s"), rows[i].b) : g_strdup(SERIES("\"max\":1"));
			struct record *runs[] = { run_of("a", "", swap ? b : a), run_of("b", "", swap ? a : b) };
			GPtrArray *merged = merge_of("", runs, 2);

			if (strcmp(histogram_text(only_series(merged)->histogram), rows[i].want))
				fail_msg("row %zu: %s", i, histogram_text(only_series(merged)->histogram));
			g_ptr_array_unref(merged);
		}
}

/* Never an average of percentiles, samples or deviations. */
static void test_what_cannot_merge(void **state)
{
	struct record *runs[] = { run_of("a", "", SERIES("\"min\":1,\"max\":2,\"stddev\":3,\"last\":1,\"percentiles\":{\"99\":2},"
		"\"samples\":[{\"line\":1,\"min\":1,\"max\":2}]")) };
	GPtrArray *merged = merge_of("", runs, 1);
	const struct series *s = only_series(merged);
	(void)state;

	assert_int_equal(s->field[FIELD_STDDEV].state, NUMBER_ABSENT);
	assert_int_equal(s->field[FIELD_LAST].state, NUMBER_ABSENT);
	assert_null(s->percentiles);
	assert_null(s->samples);
	g_ptr_array_unref(merged);
}

/* Single values, as of tables and elapsed times: least, greatest, mean. */
static void test_values(void **state)
{
	struct record *runs[] = { run_of("a", "", SERIES("\"value\":1.5")), run_of("b", "", SERIES("\"value\":2")) };
	GPtrArray *merged = merge_of("", runs, 2);
	const struct series *s = only_series(merged);
	(void)state;

	assert_number(s->field[FIELD_MIN], "1.5");
	assert_number(s->field[FIELD_AVG], "1.75");
	assert_number(s->field[FIELD_MAX], "2");
	assert_number(s->field[FIELD_VALUE], "");
	g_ptr_array_unref(merged);
}

static void test_groups(void **state)
{
	struct record *runs[] = {
		run_of("a", "\"board\":\"b10\"", SERIES("\"max\":1")), run_of("a", "\"board\":\"b9\"", SERIES("\"max\":1")),
		run_of("a", "", SERIES("\"max\":1")),
	};
	GPtrArray *merged = merge_of("board", runs, 3);
	const struct record *first = merged->pdata[0], *last = merged->pdata[2];
	(void)state;

	assert_int_equal(merged->len, 3);
	assert_string_equal(facts_get(first->environment, "board")->text, "b9");
	assert_null(facts_get(last->environment, "board"));
	g_ptr_array_unref(merged);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exact_mean), cmocka_unit_test(test_weights), cmocka_unit_test(test_varies),
		cmocka_unit_test(test_threads_fold), cmocka_unit_test(test_histograms), cmocka_unit_test(test_what_cannot_merge),
		cmocka_unit_test(test_values), cmocka_unit_test(test_groups), cmocka_unit_test(test_any_order_any_parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
