/* Cells of typed tables: read exactly or not at all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "lib/tab_cell.h"

struct cell_case {
	const char *text;
	unsigned style;
	enum tab_cell_kind kind;
	const char *value, *unit;       /* value as printed in the unit of the record; NULL: none */
};

static const struct cell_case cells[] = {
	{ "13us", 0, TAB_VALUE, "13000", "ns" },
	{ "5749 µs", 0, TAB_VALUE, "5749000", "ns" },
	{ "228 μs", 0, TAB_VALUE, "228000", "ns" },
	{ "3.1 탎", 0, TAB_VALUE, "3100", "ns" },
	{ "3.1 Âµs", 0, TAB_VALUE, "3100", "ns" },
	{ "3.1 \xef\xbf\xbds", 0, TAB_VALUE, "3.1", NULL },
	{ "174  s", 0, TAB_VALUE, "174", "s" },
	{ "1.2 ms", 0, TAB_VALUE, "1200000", "ns" },
	{ "45%", 0, TAB_VALUE, "45", "%" },
	{ "1688.1 /sec", 0, TAB_VALUE, "1688.1", "/sec" },
	{ "91us (-6%)", 0, TAB_VALUE, "91000", "ns" },
	{ "2.4us (~)", 0, TAB_VALUE, "2400", "ns" },
	{ "69.16*", 0, TAB_VALUE, "69.16", NULL },
	{ "65 *", 0, TAB_VALUE, "65", NULL },
	{ "1291 [1]", 0, TAB_VALUE, "1291", NULL },
	{ "**228 µs**", 0, TAB_VALUE, "228000", "ns" },
	{ "`12`", 0, TAB_VALUE, "12", NULL },
	{ "(    5)", 0, TAB_VALUE, "5", NULL },
	{ "0.015295.", 0, TAB_VALUE, "0.015295", NULL },
	{ "+3.4", 0, TAB_VALUE, "3.4", NULL },
	{ "−2.1", 0, TAB_VALUE, "-2.1", NULL },
	{ "1,234,567", 0, TAB_VALUE, "1234567", NULL },
	{ "1,230.5", 0, TAB_VALUE, "1230.5", NULL },
	{ "1.234,5 µs", 0, TAB_VALUE, "1234500", "ns" },
	{ "3,1", 0, TAB_VALUE, "3.1", NULL },
	{ "1,234", 0, TAB_VAGUE, NULL, NULL },
	{ "1,234", STYLE_GROUPS, TAB_VALUE, "1234", NULL },
	{ "1,234", STYLE_POINT, TAB_VALUE, "1234", NULL },
	{ "1,234", STYLE_COMMA, TAB_VALUE, "1.234", NULL },
	{ "1.234", STYLE_COMMA, TAB_VAGUE, NULL, NULL },
	{ "1 234 567", STYLE_CELLS, TAB_VALUE, "1234567", NULL },
	{ "1 234 567", 0, TAB_TEXT, NULL, NULL },
	{ "1'234", 0, TAB_VALUE, "1234", NULL },
	{ "12345678901234567890", 0, TAB_VALUE, "", NULL },
	{ "", 0, TAB_EMPTY, NULL, NULL },
	{ "  ", 0, TAB_EMPTY, NULL, NULL },
	{ "-", 0, TAB_NONE, NULL, NULL },
	{ "~", 0, TAB_NONE, NULL, NULL },
	{ "n/a", 0, TAB_NONE, NULL, NULL },
	{ "N/A", 0, TAB_NONE, NULL, NULL },
	{ "—", 0, TAB_NONE, NULL, NULL },
	{ "< 5 µs", 0, TAB_VAGUE, NULL, NULL },
	{ "~45 us", 0, TAB_VAGUE, NULL, NULL },
	{ "5-10", 0, TAB_VAGUE, NULL, NULL },
	{ "9 - 10", 0, TAB_VAGUE, NULL, NULL },
	{ "2.6.13", 0, TAB_TEXT, NULL, NULL },
	{ "select 500fd", 0, TAB_TEXT, NULL, NULL },
	{ "-p80 -i1000", 0, TAB_TEXT, NULL, NULL },
	{ "(>1000 usecs)", 0, TAB_VAGUE, NULL, NULL },
	{ "X.XXX µs", 0, TAB_TEXT, NULL, NULL },
	{ "11×", 0, TAB_TEXT, NULL, NULL },
	{ "[test details](run-4.4.176-039)", 0, TAB_TEXT, NULL, NULL },
	{ "Cortex-A53", 0, TAB_TEXT, NULL, NULL },
};

static void reads_cells(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cells); i++) {
		const struct cell_case *want = &cells[i];
		struct tab_cell c;
		char text[NUMBER_TEXT];

		tab_cell_read(want->text, want->style, &c);
		if (c.kind != want->kind)
			fail_msg("\"%s\": kind %d instead of %d", want->text, c.kind, want->kind);
		if (!want->value)
			continue;
		assert_string_equal(number_print(number_scale(c.number, c.unit_stated ? c.unit.exponent : 0), text), want->value);
		assert_int_equal(c.unit_stated, want->unit != NULL);
		if (want->unit)
			assert_string_equal(c.unit.name, want->unit);
	}
}

static void reads_lists(void **state)
{
	static const struct { const char *text; unsigned n; const char *last; } lists[] = {
		{ "55,62,71", 3, "71" }, { "55, 62, 71 us", 3, "71" }, { "0.100 / 0.176 /   1.009 / 0.053", 4, "0.053" }, { "1/2", 2, "2" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(lists); i++) {
		struct tab_cell c;
		char text[NUMBER_TEXT];

		tab_cell_read(lists[i].text, 0, &c);
		assert_int_equal(c.kind, TAB_LISTED);
		assert_int_equal(c.listed, lists[i].n);
		assert_string_equal(number_print(c.list[c.listed - 1], text), lists[i].last);
	}
}

static void plain_text(void **state)
{
	static const char *const pairs[][2] = {
		{ " **RPi Zero 2 W** ", "RPi Zero 2 W" }, { "[horse](horse/report.md)", "horse" }, { "❌ Soft RT", "Soft RT" },
		{ "''' Kernel '''", "Kernel" }, { "a<br/>b", "a b" }, { "latency ($\\mu$s)", "latency (µs)" }, { "[[page|text]]", "text" },
		{ "< 5", "< 5" }, { "69.16*", "69.16*" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(pairs); i++) {
		g_autofree char *plain = tab_cell_plain(pairs[i][0]);

		assert_string_equal(g_strstrip(plain), pairs[i][1]);
	}
}

static void headings(void **state)
{
	static const struct { const char *text; enum tab_heading_kind kind; int field; const char *percentile, *unit; } want[] = {
		{ "Min", HEADING_FIELD, FIELD_MIN, NULL, NULL }, { "Aver", HEADING_FIELD, FIELD_AVG, NULL, NULL },
		{ "StdDev", HEADING_FIELD, FIELD_STDDEV, NULL, NULL }, { "worst case", HEADING_FIELD, FIELD_MAX, NULL, NULL },
		{ "avg (us)", HEADING_FIELD, FIELD_AVG, NULL, "ns" }, { "max [µs]", HEADING_FIELD, FIELD_MAX, NULL, "ns" },
		{ "mean jitter", HEADING_FIELD, FIELD_AVG, NULL, NULL }, { "最大延迟", HEADING_FIELD, FIELD_MAX, NULL, NULL },
		{ "Mittelwert", HEADING_FIELD, FIELD_AVG, NULL, NULL }, { "Max latency, us", HEADING_FIELD, FIELD_MAX, NULL, "ns" },
		{ "99.9%", HEADING_PERCENTILE, 0, "99.9", NULL }, { "p99", HEADING_PERCENTILE, 0, "99", NULL },
		{ "Median", HEADING_PERCENTILE, 0, "50", NULL }, { "99th percentile", HEADING_PERCENTILE, 0, "99", NULL },
		{ ">100 µs(%)", HEADING_OTHER, 0, NULL, "%" }, { "within 100 usec", HEADING_OTHER, 0, NULL, NULL },
		{ "% Deadlines Met", HEADING_OTHER, 0, NULL, "%" }, { "Elapsed Time (sec)", HEADING_OTHER, 0, NULL, "s" },
		{ "min/avg/max", HEADING_OTHER, 0, NULL, NULL }, { "2.6.12", HEADING_OTHER, 0, NULL, NULL }, { "maxcpus", HEADING_OTHER, 0, NULL, NULL },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(want); i++) {
		struct tab_heading h;

		tab_heading_read(want[i].text, &h);
		if (h.kind != want[i].kind || h.unit_stated != (want[i].unit != NULL))
			fail_msg("\"%s\": kind %d, unit stated %d", want[i].text, h.kind, h.unit_stated);
		if (h.kind == HEADING_FIELD)
			assert_int_equal(h.field, want[i].field);
		if (h.kind == HEADING_PERCENTILE)
			assert_string_equal(h.percentile, want[i].percentile);
		if (want[i].unit)
			assert_string_equal(h.unit.name, want[i].unit);
	}
}

static void stated_units(void **state)
{
	static const struct { const char *text; bool stated; int exponent; bool general; } want[] = {
		{ "Interrupt response times (all in micro-seconds):", true, 3, true },
		{ "Time in micro-seconds:", true, 3, false },
		{ "Note: wherever a latency is given, microseconds are meant.", true, 3, true },
		{ "the tables give mean, standard deviation and maximum, all in nanoseconds.", true, 0, true },
		{ "cyclictest results (in us):", true, 3, true },
		{ "kern/latency run of 1983 seconds.", false, 0, false },
		{ "it took 5 microseconds in all", false, 0, true },
		{ "some in microseconds, some in milliseconds", false, 0, false },
		{ "tell us what you think", false, 0, false },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(want); i++) {
		struct tab_unit unit = { NULL, 0 };
		bool general, stated = tab_unit_stated(want[i].text, &unit, &general);

		if (stated != want[i].stated || (stated && unit.exponent != want[i].exponent))
			fail_msg("\"%s\": stated %d", want[i].text, stated);
		if (stated)
			assert_int_equal(general, want[i].general);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_cells), cmocka_unit_test(reads_lists), cmocka_unit_test(plain_text),
		cmocka_unit_test(headings), cmocka_unit_test(stated_units),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
