/* Keys and the selection language. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "lib/record_json.h"
#include "lib/select.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const char json[] =
	"{\"schema\":\"rtreport/1\",\"kind\":\"run\",\"id\":\"0123456789abcdef\",\"tool\":\"cyclictest\",\"mode\":null,"
	"\"title\":\"After (tuned)\",\"command\":\"cyclictest -p 80\","
	"\"settings\":{\"period_ns\":1000000,\"priority\":80,\"policy\":\"fifo\",\"duration_s\":600},"
	"\"environment\":{\"board\":\"OMAP3 EVM\",\"cpu\":\"Cortex-A8\",\"kernel\":\"3.14.28-rt25\",\"load\":\"hackbench\","
	"\"config\":{\"CONFIG_HZ\":\"1000\"}},"
	"\"series\":[{\"name\":null,\"labels\":{\"thread\":0,\"tid\":7,\"priority\":80},\"unit\":\"ns\",\"resolution\":1000,"
	"\"min\":4000,\"avg\":9000,\"max\":42000,\"count\":100000},"
	"{\"name\":null,\"labels\":{\"thread\":1,\"tid\":8,\"priority\":79},\"unit\":\"ns\",\"resolution\":1000,"
	"\"min\":5000,\"avg\":9500,\"max\":142000,\"count\":100000,\"percentiles\":{\"99.9\":61000}},"
	"{\"name\":\"share\",\"labels\":{},\"unit\":\"%\",\"value\":12.5}],"
	"\"source\":{\"file\":\"a.mbox\",\"message_id\":\"1@x\",\"date\":\"2013-01-31T23:30:00-05:00\",\"list\":\"rt\"},"
	"\"flags\":[{\"code\":\"derived\",\"where\":\"/series/1/avg\",\"text\":\"t\"},{\"code\":\"row-repaired\",\"where\":\"/series/0\",\"text\":\"u\"}]}";

static struct record *sample(void)
{
	char *error = NULL;
	struct record *r = record_from_json(json, strlen(json), &error);

	if (!r)
		fail_msg("%s", error);
	return r;
}

/* Which of the three series an expression leaves, as bits. */
static unsigned matches(const char *expression)
{
	char *error = NULL;
	struct select *s = select_parse(expression, &error);
	struct record *r = sample();
	unsigned bits = 0;

	if (!s)
		fail_msg("%s: %s", expression, error);
	for (unsigned i = 0; i < 3; i++) {
		struct subject subject = { r, r->series->pdata[i], "before" };

		bits |= (unsigned)select_match(s, &subject) << i;
	}
	select_free(s);
	record_free(r);
	return bits;
}

static void test_expressions(void **state)
{
	static const struct { const char *expression; unsigned bits; } rows[] = {
		{ "", 7 }, { "   ", 7 },
		{ "tool=cyclictest", 7 }, { "tool=cyclic", 0 }, { "tool~cyclic", 7 }, { "tool!=ping", 7 }, { "-tool=ping", 7 },
		{ "board=\"omap3 evm\"", 7 }, { "board=OMAP3EVM", 7 }, { "board~omap", 7 }, { "board~/^OMAP[34]/", 7 },
		{ "board~/^omap/", 0 }, { "board~/^omap/i", 7 }, { "board=/3 E/", 7 }, { "board!~omap", 0 },
		{ "max>100us", 2 }, { "max<=42us", 1 }, { "max=42us", 1 }, { "max=42000ns", 1 }, { "max>=0.042ms", 3 },
		{ "max<1s", 3 }, { "max!=42us", 6 }, { "-max>100us", 5 }, { "value>10%", 4 }, { "value=12.5", 4 }, { "value>5us", 0 },
		{ "count>=100000", 3 }, { "thread=1", 2 }, { "thread>0", 2 }, { "priority=80", 5 }, { "p99.9<62us", 2 },
		{ "p50<62us", 0 }, { "name=share", 4 }, { "name=\"\"", 3 }, { "unit=ns", 3 },
		{ "date>=2013-01", 7 }, { "date=2013-01", 7 }, { "date<2013-02", 7 }, { "date>2013", 0 }, { "date=2013-01-31", 7 },
		{ "date@month=2013-01", 7 }, { "date>2013-02-01T04:00:00Z", 7 }, { "date>2013-02-01T05:00:00Z", 0 },
		{ "kernel>=3.4", 7 }, { "kernel>3.14.28-rt9", 7 }, { "kernel<3.18", 7 },
		{ "period_ns=1ms", 7 }, { "period=1000us", 7 }, { "period_ns=1000000", 7 }, { "duration>5min", 7 }, { "duration_s>=0.2h", 0 },
		{ "config.CONFIG_HZ=1000", 7 }, { "config~CONFIG_HZ=1000", 7 }, { "config.CONFIG_NO=y", 0 },
		{ "label=before", 7 }, { "flag=derived", 7 }, { "-flag=no-samples", 7 }, { "flag=deriv", 0 },
		{ "memory=\"\"", 7 }, { "memory=1G", 0 }, { "-memory=1G", 7 },
		{ "tool=(ping OR cyclictest)", 7 }, { "thread=(0 OR 1)", 3 }, { "thread=(0 1)", 3 },
		/* precedence: AND before OR, '-' before both */
		{ "thread=0 OR thread=1 max>100us", 3 }, { "(thread=0 OR thread=1) max>100us", 2 },
		{ "thread=0 AND max<50us OR name=share", 5 }, { "-(thread=0 OR name=share)", 2 }, { "--thread=0", 1 },
		{ "-thread=0 -name=share", 2 }, { "((((thread=1))))", 2 }, { "title=\"After (tuned)\"", 7 }, { "title~(tuned)", 7 },
		{ "title~'(tuned)'", 7 }, { "id=0123456789abcdef", 7 }, { "runs=1", 7 }, { "kind=run", 7 },
	};
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		if (matches(rows[i].expression) != rows[i].bits)
			fail_msg("%s: got %u, expected %u", rows[i].expression, matches(rows[i].expression), rows[i].bits);
}

/* Every error has its caret under the place. */
static void test_errors(void **state)
{
	static const struct { const char *expression; unsigned column; } rows[] = {
		{ "bord=x", 0 }, { "board", 5 }, { "board x", 5 }, { "tool=a )", 7 }, { "(tool=a", 0 }, { "tool=a OR", 9 }, { "OR tool=a", 0 },
		{ "tool=a OR OR tool=b", 10 }, { "board=\"x", 6 }, { "board~/[/", 6 }, { "board~/x", 6 }, { "max>fast", 4 },
		{ "tool=", 5 }, { "()", 1 }, { "=5", 0 }, { "-", 1 }, { "kernel</x/", 7 }, { "tool=(a OR b", 5 }, { "p101>1us", 0 },
		{ "date@week=3", 0 },
	};
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		char *error = NULL;
		struct select *s = select_parse(rows[i].expression, &error);
		const char *last;

		if (s)
			fail_msg("%s was accepted", rows[i].expression);
		last = strrchr(error, '\n');
		assert_non_null(last);
		if (strcspn(last + 1, "^") != rows[i].column + 4)
			fail_msg("%s: caret at %zu, expected %u:\n%s", rows[i].expression, strcspn(last + 1, "^") - 4,
			         rows[i].column, error);
		g_free(error);
	}
}

/* Depth and size are bounded, and parentheses cost no stack. */
static void test_hostile(void **state)
{
	g_autoptr(GString) deep = g_string_new(NULL);
	char *error = NULL;
	(void)state;

	for (int i = 0; i < 100000; i++)
		g_string_append_c(deep, '(');
	assert_null(select_parse(deep->str, &error));
	g_free(error);
	g_string_truncate(deep, 0);
	for (int i = 0; i < 2000; i++)
		g_string_append(deep, "tool=a ");
	assert_null(select_parse(deep->str, &error));
	g_free(error);
	g_string_truncate(deep, 0);
	for (int i = 0; i < 500; i++)
		g_string_append_c(deep, '(');
	g_string_append(deep, "thread=1");
	for (int i = 0; i < 500; i++)
		g_string_append_c(deep, ')');
	assert_int_equal(matches(deep->str), 2);
}

/* A time against a bare number is an error, not a guess. */
static void test_bare_number(void **state)
{
	char *error = NULL;
	struct select *s = select_parse("max>100", &error);
	struct record *r = sample();
	(void)state;

	assert_false(select_record(s, r, NULL));
	assert_non_null(strstr(select_problem(s), "needs a unit"));
	select_free(s);
	record_free(r);
}

/* Series that go take their flags along, and those behind them move up. */
static void test_select_record(void **state)
{
	char *error = NULL;
	struct select *s = select_parse("max>100us", &error);
	struct record *r = sample();
	const struct flag *f;
	(void)state;

	assert_true(select_record(s, r, NULL));
	assert_int_equal(r->series->len, 1);
	assert_int_equal(r->flags->len, 1);
	f = &g_array_index(r->flags, struct flag, 0);
	assert_string_equal(f->where, "/series/0/avg");
	assert_true(select_record(NULL, r, NULL));
	select_free(s);
	record_free(r);
}

static void test_natural_order(void **state)
{
	static const struct { const char *less, *greater; } rows[] = {
		{ "4.4", "4.19" }, { "4.19.2", "4.19.10" }, { "a", "b" }, { "Board 2", "board 10" }, { "x", "x1" }, { "007", "8" },
		{ "", "a" }, { "3.14-rt9", "3.14-rt10" },
	};
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		assert_true(natural_compare(rows[i].less, rows[i].greater) < 0);
		assert_true(natural_compare(rows[i].greater, rows[i].less) > 0);
		assert_int_equal(natural_compare(rows[i].less, rows[i].less), 0);
	}
}

static void test_key_orders(void **state)
{
	char *error = NULL;
	GPtrArray *keys = keys_parse("kernel@num, load@(idle hackbench) board@alpha,date@month,mode@first", &error);
	(void)state;

	assert_non_null(keys);
	assert_int_equal(keys->len, 5);
	assert_true(key_compare(keys->pdata[0], "9", "10.5", 0, 0) < 0);
	assert_true(key_compare(keys->pdata[0], "9", "new", 0, 0) < 0);
	assert_true(key_compare(keys->pdata[1], "idle", "hackbench", 0, 0) < 0);
	assert_true(key_compare(keys->pdata[1], "hackbench", "another", 0, 0) < 0);
	assert_true(key_compare(keys->pdata[2], "B10", "B2", 0, 0) < 0);
	assert_true(key_compare(keys->pdata[2], "", "B2", 0, 0) > 0);
	assert_true(key_compare(keys->pdata[4], "z", "a", 1, 2) < 0);
	assert_string_equal(((struct key *)keys->pdata[3])->name, "date@month");
	g_ptr_array_unref(keys);
}

static void test_quantities(void **state)
{
	static const struct { const char *text; bool ok; const char *number, *unit; } rows[] = {
		{ "100us", true, "100", "us" }, { "1.5ms", true, "1.5", "ms" }, { "-2", true, "-2", NULL }, { "10%", true, "10", "%" },
		{ "2min", true, "120", "s" }, { "3\xc2\xb5s", true, "3", "us" }, { "us", false, "", NULL }, { "1 us", false, "", NULL },
		{ "1usx", false, "", NULL }, { "+5us", true, "5", "us" }, { "1e3", false, "", NULL },
	};
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct quantity q;
		char text[NUMBER_TEXT];

		assert_int_equal(quantity_parse(rows[i].text, strlen(rows[i].text), &q), rows[i].ok);
		if (!rows[i].ok)
			continue;
		assert_string_equal(number_print(q.number, text), rows[i].number);
		assert_int_equal(g_strcmp0(q.unit, rows[i].unit), 0);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_expressions), cmocka_unit_test(test_errors), cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_bare_number), cmocka_unit_test(test_select_record), cmocka_unit_test(test_natural_order),
		cmocka_unit_test(test_key_orders), cmocka_unit_test(test_quantities),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
