#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "lib/record.h"

static struct number num(const char *text)
{
	struct number n;

	number_parse(text, strlen(text), 0, &n);
	return n;
}

static void assert_shows(struct number n, const char *text)
{
	char buf[NUMBER_TEXT];

	assert_string_equal(number_print(n, buf), text);
}

/* The places of a flag code, joined by blanks. */
static char *places(const struct record *r, enum flag_code code)
{
	GString *out = g_string_new(NULL);

	for (guint i = 0; i < r->flags->len; i++) {
		const struct flag *f = &g_array_index(r->flags, struct flag, i);

		if (!strcmp(f->code, flag_code_name(code)))
			g_string_append_printf(out, "%s%s", out->len ? " " : "", f->where);
	}
	return g_string_free(out, FALSE);
}

static void assert_places(const struct record *r, enum flag_code code, const char *expected)
{
	g_autofree char *found = places(r, code);

	assert_string_equal(found, expected);
}

static void set(struct series *s, enum field f, const char *text)
{
	s->field[f] = num(text);
}

/* Rows as the latency tools print them: "min avg max overruns best worst", "-" for what is lost. */
static struct record *latency(const char *tool, const char *const *rows, size_t n)
{
	static const enum field columns[] = {
		FIELD_MIN, FIELD_AVG, FIELD_MAX, FIELD_OVERRUNS, FIELD_BEST, FIELD_WORST
	};
	struct record *r = record_new(tool);
	struct series *s = record_add_series(r, NULL);

	series_columns(s, G_N_ELEMENTS(columns), columns);
	for (size_t i = 0; i < n; i++) {
		g_auto(GStrv) cells = g_strsplit(rows[i], " ", -1);
		struct number values[G_N_ELEMENTS(columns)];

		for (size_t k = 0; k < G_N_ELEMENTS(columns); k++)
			values[k] = strcmp(cells[k], "-") ? num(cells[k]) : number_null();
		series_add_row(s, (unsigned)i + 1, values);
	}
	return r;
}

static void test_names(void **state)
{
	(void)state;
	for (enum field f = 0; f < FIELD_END; f++)
		assert_int_equal(field_from_name(field_name(f)), f);
	assert_int_equal(field_from_name("minimum"), FIELD_END);
	assert_true(field_is_count(FIELD_OVERRUNS));
	assert_false(field_is_count(FIELD_MAX));
	for (enum flag_code c = 0; c < FLAG_CODES; c++) {
		assert_non_null(flag_code_name(c));
		assert_true(strlen(flag_code_meaning(c)) > 20);
	}
}

static void test_facts(void **state)
{
	struct record *r = record_new("cyclictest");

	(void)state;
	facts_set_text(r, r->environment, "board", "old", 1);
	facts_set_text(r, r->environment, "cpu", "x", 2);
	facts_set_text(r, r->environment, "board", "new", 3);
	facts_set_number(r->settings, "priority", num("99"), 4);
	assert_int_equal(r->environment->len, 2);
	assert_string_equal(facts_get(r->environment, "board")->text, "new");
	assert_int_equal(facts_get(r->environment, "board")->line, 3);
	assert_shows(facts_get(r->settings, "priority")->number, "99");
	assert_null(facts_get(r->settings, "policy"));
	record_free(r);
	record_free(NULL);
}

static void test_flags(void **state)
{
	struct record *r = record_new("cyclictest");

	(void)state;
	record_flag(r, FLAG_ROW_REPAIRED, "/series/%u", "joined: 100%", 3u);
	record_flag(r, FLAG_ROW_REPAIRED, "/series/%u", "joined: 100%", 3u);
	record_flag(r, FLAG_ROW_REPAIRED, "/series/%u", "joined: 100%", 4u);
	assert_places(r, FLAG_ROW_REPAIRED, "/series/3 /series/4");
	assert_true(record_has_flag(r, FLAG_ROW_REPAIRED));
	assert_false(record_has_flag(r, FLAG_DERIVED));
	for (unsigned i = 0; i < 100000; i++)
		record_flag(r, FLAG_OUT_OF_RANGE, "/series/%u", "too long", i);
	assert_true(r->flags->len < 200);
	record_free(r);
}

static void test_derived(void **state)
{
	static const char *const rows[] = { "1 2 3 0 1 3", "0 2 9 0 0 9", "5 5 5 0 0 9", "- - - 0 0 9" };
	struct record *r = latency("xenomai-latency", rows, G_N_ELEMENTS(rows));
	struct series *s = g_ptr_array_index(r->series, 0);

	(void)state;
	record_seal(r);
	assert_shows(s->field[FIELD_MIN], "0");
	assert_shows(s->field[FIELD_AVG], "3");
	assert_shows(s->field[FIELD_MAX], "9");
	assert_places(r, FLAG_DERIVED, "/series/0/avg");
	assert_int_equal(r->flags->len, 1);
	record_free(r);
}

/* Exact mean of 0.1 + 0.2 + 0.2, rounded half-even to 15 digits. */
static void test_derived_exact(void **state)
{
	static const char *const rows[] = { "0 0.1 1 0 0 1", "0 0.2 1 0 0 1", "0 0.2 1 0 0 1" };
	struct record *r = latency("latmus", rows, G_N_ELEMENTS(rows));
	struct series *s = g_ptr_array_index(r->series, 0);

	(void)state;
	record_seal(r);
	assert_shows(s->field[FIELD_AVG], "0.166666666666667");
	record_free(r);
}

static void test_summary_is_kept(void **state)
{
	static const char *const rows[] = { "1 2 3 0 1 3", "0 2 9 4 0 9" };
	struct record *r = latency("xenomai-latency", rows, G_N_ELEMENTS(rows));
	struct series *s = g_ptr_array_index(r->series, 0);

	(void)state;
	/* Beyond the rows: the last, unfinished interval is in no row. */
	set(s, FIELD_MIN, "-1");
	set(s, FIELD_AVG, "2");
	set(s, FIELD_MAX, "11");
	set(s, FIELD_OVERRUNS, "5");
	record_seal(r);
	assert_shows(s->field[FIELD_MAX], "11");
	assert_int_equal(r->flags->len, 0);
	record_free(r);
}

static void test_summary_mismatch(void **state)
{
	static const char *const rows[] = { "1 2 3 0 1 3", "0 2 9 4 0 9" };
	struct record *r = latency("xenomai-latency", rows, G_N_ELEMENTS(rows));
	struct series *s = g_ptr_array_index(r->series, 0);

	(void)state;
	set(s, FIELD_MIN, "1");
	set(s, FIELD_AVG, "2");
	set(s, FIELD_MAX, "8");
	set(s, FIELD_OVERRUNS, "3");
	record_seal(r);
	assert_shows(s->field[FIELD_MIN], "1");
	assert_shows(s->field[FIELD_MAX], "8");
	assert_places(r, FLAG_SUMMARY_MISMATCH, "/series/0/min /series/0/max /series/0/overruns");
	record_free(r);
}

/* A summary of which a part was lost is no reason to compute that part. */
static void test_lost_summary(void **state)
{
	static const char *const rows[] = { "1 2 3 0 1 3" };
	struct record *r = latency("xenomai-latency", rows, G_N_ELEMENTS(rows));
	struct series *s = g_ptr_array_index(r->series, 0);

	(void)state;
	set(s, FIELD_MIN, "1");
	s->field[FIELD_MAX] = number_null();
	record_seal(r);
	assert_int_equal(s->field[FIELD_MAX].state, NUMBER_NULL);
	assert_false(record_has_flag(r, FLAG_DERIVED));
	record_free(r);
}

static void test_so_far(void **state)
{
	static const struct { const char *rows[4]; const char *expected; } cases[] = {
		{ { "1 2 3 0 1 3", "1 2 2 0 1 3", "0 2 9 1 0 9", "5 6 7 1 0 9" }, "" },
		{ { "-5 2 3 0 -5 3", "- - - 0 -5 3", "1 2 3 - - -", "1 2 3 0 -6 4" }, "" },
		{ { "1 2 3 0 1 9", "1 2 3 0 1 8", "1 2 3 0 1 8", "1 2 3 0 1 8" }, "/series/0/samples/1/worst" },
		{ { "1 2 3 0 1 3", "1 2 9 0 1 3", "1 2 3 0 1 3", "1 2 3 0 1 3" }, "/series/0/samples/1/worst" },
		{ { "1 2 3 0 1 3", "1 2 3 0 2 3", "2 2 3 0 2 3", "2 2 3 0 2 3" }, "/series/0/samples/1/best" },
		{ { "1 2 3 0 1 3", "0 2 3 0 1 3", "1 2 3 0 1 3", "1 2 3 0 1 3" }, "/series/0/samples/1/best" },
		{ { "1 2 3 5 1 3", "1 2 3 4 1 3", "1 2 3 4 1 3", "1 2 3 9 1 3" }, "/series/0/samples/1/overruns" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct record *r = latency("rtai-latency", cases[i].rows, 4);

		record_seal(r);
		assert_places(r, FLAG_WORST_MISMATCH, cases[i].expected);
		assert_false(record_has_flag(r, FLAG_AVG_OUT_OF_RANGE));
		record_free(r);
	}
}

static void test_order(void **state)
{
	static const struct { const char *min, *avg, *max, *resolution; bool flagged; } cases[] = {
		{ "1", "2", "3", NULL, false },
		{ "2", "2", "2", NULL, false },
		{ "9426", "19675040398", "52252", "1", true },
		{ "3", "2", "4", "1", true },
		{ "100000000", "473000", "0", "1000", true },
		{ "5000", "5430", "5000", "1000", false },      /* extremes cut to whole microseconds */
		{ "5000", "6430", "5000", "1000", true },
		{ "5000", "6000", "5000", "1000", true },
		{ "5", "5.4", "5", NULL, true },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct record *r = record_new("table");
		struct series *s = record_add_series(r, NULL);

		set(s, FIELD_MIN, cases[i].min);
		set(s, FIELD_AVG, cases[i].avg);
		set(s, FIELD_MAX, cases[i].max);
		if (cases[i].resolution)
			s->resolution = num(cases[i].resolution);
		record_seal(r);
		assert_places(r, FLAG_AVG_OUT_OF_RANGE, cases[i].flagged ? "/series/0" : "");
		assert_shows(s->field[FIELD_AVG], cases[i].avg);
		record_free(r);
	}
}

static void test_start_values(void **state)
{
	static const struct { const char *min, *max, *count; bool none; } cases[] = {
		{ "1000000000", "-1000000000", "0", true },
		{ "1000000000", "0", "0", true },
		{ "1000000000", "-1000000000", "5", false },
		{ "0", "0", "0", false },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct record *r = record_new("cyclictest");
		struct series *s = record_add_series(r, NULL);

		set(s, FIELD_MIN, cases[i].min);
		set(s, FIELD_AVG, "0");
		set(s, FIELD_MAX, cases[i].max);
		set(s, FIELD_COUNT, cases[i].count);
		record_seal(r);
		assert_int_equal(s->field[FIELD_MIN].state, cases[i].none ? NUMBER_NULL : NUMBER_SET);
		assert_int_equal(s->field[FIELD_MAX].state, cases[i].none ? NUMBER_NULL : NUMBER_SET);
		assert_int_equal(record_has_flag(r, FLAG_NO_SAMPLES), cases[i].none);
		assert_shows(s->field[FIELD_COUNT], cases[i].count);
		record_free(r);
	}
}

static void test_bins(void **state)
{
	static const struct { const char *tool, *count, *overflow; bool flagged; } cases[] = {
		{ "xenomai-latency", "30", NULL, false },
		{ "xenomai-latency", "31", NULL, true },
		{ "xenomai-latency", "29", NULL, true },
		{ "cyclictest", "35", "5", false },
		{ "cyclictest", "20", "5", false },      /* live rows count less than the final histogram */
		{ "cyclictest", "99", NULL, false },     /* values beyond the last bin are not stated */
		{ "cyclictest", "36", "5", true },
		{ "jitterdebugger", "31", NULL, false },
		{ "jitterdebugger", "29", NULL, true },
		{ "rtla-timerlat", "30", "0", false },
		{ "rtla-timerlat", NULL, "0", false },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct record *r = record_new(cases[i].tool);
		struct series *s = record_add_series(r, NULL);

		s->histogram = histogram_new();
		s->histogram->bin_width = num("1000");
		histogram_add(s->histogram, num("1000"), number_absent(), num("10"));
		histogram_add(s->histogram, num("0"), number_absent(), num("20"));
		if (cases[i].overflow)
			s->histogram->overflow = num(cases[i].overflow);
		if (cases[i].count)
			set(s, FIELD_COUNT, cases[i].count);
		record_seal(r);
		assert_places(r, FLAG_BINS_MISMATCH, cases[i].flagged ? "/series/0/histogram" : "");
		record_free(r);
	}
}

/* A histogram of which only the footer was posted contradicts nothing, unless that alone is too much. */
static void test_no_bins(void **state)
{
	static const struct { const char *count, *overflow; bool flagged; } cases[] = {
		{ "297214", "0", false }, { "100", "100", false }, { "100", "101", true },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct record *r = record_new("rtla-timerlat");
		struct series *s = record_add_series(r, NULL);

		s->histogram = histogram_new();
		s->histogram->overflow = num(cases[i].overflow);
		set(s, FIELD_COUNT, cases[i].count);
		record_seal(r);
		assert_int_equal(record_has_flag(r, FLAG_BINS_MISMATCH), cases[i].flagged);
		record_free(r);
	}
}

static void test_histogram(void **state)
{
	struct histogram *h = histogram_new();

	(void)state;
	for (int i = 0; i < 30; i++)
		histogram_add(h, number_int((i * 7) % 10), number_absent(), number_int(i < 10 ? 1 : 2));
	histogram_add(h, num("3"), number_absent(), num("0"));
	histogram_add(h, number_null(), number_absent(), num("1"));
	assert_int_equal(h->bins->len, 10);
	for (guint i = 0; i < h->bins->len; i++) {
		assert_shows(g_array_index(h->bins, struct bin, i).lower, (char[]){ (char)('0' + i), 0 });
		assert_shows(g_array_index(h->bins, struct bin, i).count, "5");
	}
	h->overflow = num("2");
	h->underflow = num("3");
	assert_shows(histogram_total(h), "55");
	histogram_free(h);
}

/* Falling bins must not cost quadratic time, nor lose their order. */
static void test_histogram_hostile(void **state)
{
	struct histogram *h = histogram_new();
	const int n = 300000;

	(void)state;
	for (int i = n; i > 0; i--) {
		histogram_add(h, number_int(i), number_absent(), num("1"));
		histogram_add(h, number_int(i), number_absent(), num("1"));
	}
	histogram_sort(h);
	assert_int_equal(h->bins->len, n);
	for (int i = 0; i < n; i++) {
		assert_true(number_equal(g_array_index(h->bins, struct bin, i).lower, number_int(i + 1)));
		assert_true(number_equal(g_array_index(h->bins, struct bin, i).count, number_int(2)));
	}
	histogram_free(h);
}

static void test_sample_limit(void **state)
{
	static const char *const rows[] = { "1 2 3 0 1 3", "0 2 3 0 0 3", "1 5 9 0 0 9" };
	struct record *r;
	struct series *s;

	(void)state;
	record_sample_limit(2);
	r = latency("xenomai-latency", rows, G_N_ELEMENTS(rows));
	record_sample_limit(RECORD_MAX_SAMPLES);
	s = g_ptr_array_index(r->series, 0);
	record_seal(r);
	assert_int_equal(series_sample_rows(s), 2);
	assert_shows(s->field[FIELD_MAX], "9");
	assert_shows(s->field[FIELD_AVG], "3");
	assert_places(r, FLAG_SAMPLES_OMITTED, "/series/0/samples");
	record_free(r);
}

static char *id_of(const char *tool, const char *mode, const char *max, const char *tid)
{
	struct record *r = record_new(tool);
	struct series *s = record_add_series(r, NULL);
	char *id;

	r->mode = record_text(r, mode, -1);
	set(s, FIELD_MAX, max);
	series_label_number(s, "tid", num(tid));
	record_seal(r);
	id = g_strdup(r->id);
	record_free(r);
	return id;
}

static void test_id(void **state)
{
	g_autofree char *id = id_of("cyclictest", NULL, "12", "1"), *same = id_of("cyclictest", NULL, "12", "2");
	g_autofree char *tool = id_of("signaltest", NULL, "12", "1"), *mode = id_of("cyclictest", "user-task", "12", "1");
	g_autofree char *value = id_of("cyclictest", NULL, "1.2", "1");

	(void)state;
	assert_int_equal(strlen(id), 16);
	assert_int_equal(strspn(id, "0123456789abcdef"), 16);
	assert_string_equal(id, same);
	assert_string_not_equal(id, tool);
	assert_string_not_equal(id, mode);
	assert_string_not_equal(id, value);
}

/* What was derived does not count: computing the id again gives the same. */
static void test_id_again(void **state)
{
	static const char *const rows[] = { "1 2 3 0 -5 10", "0 2 9 0 -5 10" };
	struct record *r = latency("xenomai-latency", rows, G_N_ELEMENTS(rows));
	char first[17];

	(void)state;
	record_seal(r);
	g_strlcpy(first, r->id, sizeof(first));
	record_compute_id(r);
	assert_string_equal(r->id, first);
	/* Nor do the laws of a summary apply to it. */
	record_check_laws(r);
	assert_int_equal(r->flags->len, 1);
	record_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_facts),
		cmocka_unit_test(test_flags),
		cmocka_unit_test(test_derived),
		cmocka_unit_test(test_derived_exact),
		cmocka_unit_test(test_summary_is_kept),
		cmocka_unit_test(test_summary_mismatch),
		cmocka_unit_test(test_lost_summary),
		cmocka_unit_test(test_so_far),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_start_values),
		cmocka_unit_test(test_bins),
		cmocka_unit_test(test_no_bins),
		cmocka_unit_test(test_histogram),
		cmocka_unit_test(test_histogram_hostile),
		cmocka_unit_test(test_sample_limit),
		cmocka_unit_test(test_id),
		cmocka_unit_test(test_id_again),
	};

	return cmocka_run_group_tests_name("record", tests, NULL, NULL);
}
