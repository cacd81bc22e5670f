#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include <glib.h>

#include "lib/number.h"

static struct number num(const char *text)
{
	struct number n;

	assert_int_equal(number_parse(text, strlen(text), 0, &n), NUMBER_OK);
	return n;
}

static void assert_shows(struct number n, const char *text)
{
	char buf[NUMBER_TEXT];

	assert_string_equal(number_print(n, buf), text);
}

static void test_parse(void **state)
{
	static const struct { const char *text; int scale; enum number_status status; const char *shown; } rows[] = {
		{ "128.333", 3, NUMBER_OK, "128333" },
		{ "125.83325", 3, NUMBER_OK, "125833.25" },
		{ "-1.585", 3, NUMBER_OK, "-1585" },
		{ "0.041", 6, NUMBER_OK, "41000" },
		{ "00089", 3, NUMBER_OK, "89000" },
		{ "1.500", 0, NUMBER_OK, "1.5" },
		{ ".5", 0, NUMBER_OK, "0.5" },
		{ "5.", 0, NUMBER_OK, "5" },
		{ "-0", 0, NUMBER_OK, "0" },
		{ "-0.000", 3, NUMBER_OK, "0" },
		{ "+7", 0, NUMBER_OK, "7" },
		{ "1e-3", 0, NUMBER_OK, "0.001" },
		{ "1.25E+2", 0, NUMBER_OK, "125" },
		{ "0e999999999999999999", 0, NUMBER_OK, "0" },
		{ "999999999999999", 0, NUMBER_OK, "999999999999999" },
		{ "123456789012345", 0, NUMBER_OK, "123456789012345" },
		{ "12345678901234.5", 0, NUMBER_OK, "12345678901234.5" },
		{ "1234567890123450", 0, NUMBER_OK, "1234567890123450" },
		{ "0.00000000000000000123456789012345", 0, NUMBER_TOO_LONG, "" },
		{ "1234567890123456", 0, NUMBER_TOO_LONG, "" },
		{ "18446744073709551615", 0, NUMBER_TOO_LONG, "" },
		{ "1.000000000000001", 0, NUMBER_TOO_LONG, "" },
		{ "100000000000000000000000000000000000000000", 0, NUMBER_TOO_LONG, "" },
		{ "1e31", 0, NUMBER_TOO_LONG, "" },
		{ "1e-31", 0, NUMBER_TOO_LONG, "" },
		{ "1e999999999999999999999999", 0, NUMBER_TOO_LONG, "" },
		{ "", 0, NUMBER_NONE, "" },
		{ "-", 0, NUMBER_NONE, "" },
		{ ".", 0, NUMBER_NONE, "" },
		{ "1.2.3", 0, NUMBER_NONE, "" },
		{ "1e", 0, NUMBER_NONE, "" },
		{ "1e+", 0, NUMBER_NONE, "" },
		{ "1e5x", 0, NUMBER_NONE, "" },
		{ "e5", 0, NUMBER_NONE, "" },
		{ "--1", 0, NUMBER_NONE, "" },
		{ " 1", 0, NUMBER_NONE, "" },
		{ "1 ", 0, NUMBER_NONE, "" },
		{ "1,234", 0, NUMBER_NONE, "" },
		{ "0x10", 0, NUMBER_NONE, "" },
		{ "nan", 0, NUMBER_NONE, "" },
		{ "inf", 0, NUMBER_NONE, "" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct number n;
		char buf[NUMBER_TEXT];
		enum number_status status = number_parse(rows[i].text, strlen(rows[i].text), rows[i].scale, &n);

		if (status != rows[i].status || strcmp(number_print(n, buf), rows[i].shown))
			fail_msg("\"%s\" gives %d \"%s\"", rows[i].text, (int)status, buf);
		assert_int_equal(n.state, status == NUMBER_OK ? NUMBER_SET :
				 status == NUMBER_NONE ? NUMBER_ABSENT : NUMBER_NULL);
	}
}

/* The length counts, not a NUL: what stands behind is not read. */
static void test_parse_length(void **state)
{
	struct number n;

	(void)state;
	assert_int_equal(number_parse("12345", 3, 0, &n), NUMBER_OK);
	assert_shows(n, "123");
	assert_int_equal(number_parse("1\0002", 3, 0, &n), NUMBER_NONE);
}

/* A text of a million digits costs its length, and is refused unless its digits are zeros. */
static void test_parse_hostile(void **state)
{
	size_t len = 1000000;
	g_autofree char *text = g_malloc(len);
	struct number n;

	(void)state;
	memset(text, '9', len);
	assert_int_equal(number_parse(text, len, 0, &n), NUMBER_TOO_LONG);
	memset(text, '0', len);
	assert_int_equal(number_parse(text, len, 0, &n), NUMBER_OK);
	assert_shows(n, "0");
	text[0] = '1';
	text[1] = '.';
	assert_int_equal(number_parse(text, len, 0, &n), NUMBER_OK);
	assert_shows(n, "1");
	text[len - 1] = '1';
	assert_int_equal(number_parse(text, len, 0, &n), NUMBER_TOO_LONG);
}

static void test_print_extremes(void **state)
{
	(void)state;
	assert_shows(num("-999999999999999e30"), "-999999999999999000000000000000000000000000000");
	assert_shows(num("-999999999999999e-30"), "-0.000000000000000999999999999999");
	assert_shows(num("1e-30"), "0.000000000000000000000000000001");
	assert_shows(num("100.25"), "100.25");
	assert_shows(number_null(), "");
	assert_shows(number_absent(), "");
}

static void test_int_double(void **state)
{
	(void)state;
	assert_shows(number_int(-1000), "-1000");
	assert_shows(number_int(999999999999999), "999999999999999");
	assert_int_equal(number_int(1000000000000000).state, NUMBER_NULL);
	assert_int_equal(number_int(INT64_MIN).state, NUMBER_NULL);
	assert_shows(number_from_double(0.1), "0.1");
	assert_shows(number_from_double(128.333), "128.333");
	assert_shows(number_from_double(-2.5e-7), "-0.00000025");
	assert_int_equal(number_from_double((double)NAN).state, NUMBER_NULL);
	assert_int_equal(number_from_double((double)INFINITY).state, NUMBER_NULL);
	assert_int_equal(number_from_double(1e300).state, NUMBER_NULL);
	assert_true(number_to_double(num("128.333")) == 128.333);
	assert_true(isnan(number_to_double(number_absent())));
}

static void test_cmp(void **state)
{
	static const char *const ascending[] = {
		"-999999999999999e30", "-1000", "-999.999", "-0.1", "-1e-30", "0", "1e-30", "0.1", "0.11", "1",
		"999999999999999", "1e15", "999999999999999e30"
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(ascending); i++)
		for (size_t k = 0; k < G_N_ELEMENTS(ascending); k++) {
			int c = number_cmp(num(ascending[i]), num(ascending[k]));

			assert_int_equal((c > 0) - (c < 0), (i > k) - (i < k));
		}
	assert_true(number_equal(num("1.50"), num("15e-1")));
	assert_false(number_equal(num("0"), number_null()));
	assert_true(number_equal(number_null(), number_null()));
	assert_false(number_equal(number_absent(), number_null()));
}

static void test_arithmetic(void **state)
{
	static const struct { const char *a; char op; const char *b, *shown; } rows[] = {
		{ "0.1", '+', "0.2", "0.3" },
		{ "999999999999999", '+', "1", "1000000000000000" },
		{ "999999999999999e30", '+', "1e-30", "999999999999999000000000000000000000000000000" },
		{ "100000000000000", '+', "0.5", "100000000000000" },            /* half to even: down */
		{ "100000000000001", '+', "0.5", "100000000000002" },            /* half to even: up */
		{ "100000000000000", '+', "0.50000000000001", "100000000000001" },
		{ "-100000000000001", '-', "0.5", "-100000000000002" },
		{ "5", '-', "5", "0" },
		{ "0", '-', "5", "-5" },
		{ "0", '+', "1e-20", "0.00000000000000000001" },
		{ "123456789", '*', "1000", "123456789000" },
		{ "999999999999999", '*', "999999999999999", "999999999999998000000000000000" },
		{ "-0.5", '*', "0.5", "-0.25" },
		{ "1e-20", '*', "1e-20", "0" },                                  /* below the least */
		{ "1", '/', "3", "0.333333333333333" },
		{ "2", '/', "3", "0.666666666666667" },
		{ "-2", '/', "3", "-0.666666666666667" },
		{ "1", '/', "8", "0.125" },
		{ "999999999999999", '/', "1000", "999999999999.999" },
		{ "0", '/', "7", "0" },
		{ "1", '/', "-4", "-0.25" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct number a = num(rows[i].a), b = num(rows[i].b);

		assert_shows(rows[i].op == '+' ? number_add(a, b) : rows[i].op == '-' ? number_sub(a, b) :
			     rows[i].op == '*' ? number_mul(a, b) : number_div(a, b), rows[i].shown);
	}
	assert_int_equal(number_div(num("1"), num("0")).state, NUMBER_ABSENT);
	assert_int_equal(number_add(num("1"), number_null()).state, NUMBER_ABSENT);
	assert_int_equal(number_mul(num("1e20"), num("1e20")).state, NUMBER_NULL);
	assert_int_equal(number_scale(num("5"), 26).state, NUMBER_SET);
	assert_int_equal(number_scale(num("5"), 31).state, NUMBER_NULL);
	assert_int_equal(number_scale(number_null(), 3).state, NUMBER_NULL);
	assert_shows(number_scale(num("1234"), -3), "1.234");
	assert_shows(number_scale(num("0"), 100), "0");
}

static void test_round(void **state)
{
	static const struct { const char *text; int decimals; const char *shown; } rows[] = {
		{ "2.5", 0, "2" }, { "3.5", 0, "4" }, { "-2.5", 0, "-2" }, { "-3.5", 0, "-4" },
		{ "2.51", 0, "3" }, { "0.125", 2, "0.12" }, { "0.375", 2, "0.38" }, { "1.005", 2, "1" },
		{ "1250", -2, "1200" }, { "1350", -2, "1400" }, { "49", -2, "0" }, { "51", -2, "100" },
		{ "7", 3, "7" }, { "999.995", 2, "1000" }, { "1e-30", 0, "0" }, { "999999999999999", -30, "0" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
		assert_shows(number_round(num(rows[i].text), rows[i].decimals), rows[i].shown);
	assert_int_equal(number_round(number_null(), 2).state, NUMBER_NULL);
}

/* The same terms in any order and any grouping give the same text. */
static void test_sum_any_order(void **state)
{
	static const char *const terms[][2] = {
		{ "128.333", "1" }, { "-1585", "100000" }, { "999999999999999e30", "1" }, { "1e-30", "7" },
		{ "-999999999999999e30", "1" }, { "0.5", "999999999999999" }, { "12345678.9", "3" }, { "0", "5" },
	};
	const size_t n = G_N_ELEMENTS(terms);
	g_autofree char *first = NULL;

	(void)state;
	for (size_t turn = 0; turn < n; turn++) {
		struct number_sum *left = number_sum_new(), *right = number_sum_new();
		g_autofree char *text = NULL;

		for (size_t i = 0; i < n; i++) {
			const char *const *t = terms[(i * 3 + turn) % n];       /* 3 and 8 have no common factor */

			number_sum_add(i < turn ? left : right, num(t[0]), num(t[1]));
		}
		number_sum_merge(left, right);
		text = number_sum_text(left);
		if (!first)
			first = g_strdup(text);
		assert_string_equal(text, first);
		number_sum_free(left);
		number_sum_free(right);
	}
	assert_string_equal(first, "499999878537164.533000000000000000000000000007");
}

static void test_sum_mean(void **state)
{
	struct number_sum *sum = number_sum_new(), *weight = number_sum_new(), *none = number_sum_new();

	(void)state;
	number_sum_add(sum, num("1"), num("1"));
	number_sum_add(sum, num("1"), num("1"));
	number_sum_add(sum, num("3"), num("1"));
	number_sum_add(sum, number_null(), num("1"));
	number_sum_add(sum, num("3"), number_absent());
	number_sum_add(weight, num("3"), num("1"));
	assert_shows(number_sum_mean(sum, weight), "1.66666666666667");
	assert_shows(number_sum_value(sum), "5");
	assert_int_equal(number_sum_mean(sum, none).state, NUMBER_ABSENT);
	number_sum_add(none, num("100000000000000"), num("1"));
	number_sum_add(none, num("0.5"), num("1"));
	assert_shows(number_sum_value(none), "100000000000000");
	number_sum_free(sum);
	number_sum_free(weight);
	number_sum_free(none);
}

static void test_sum_text(void **state)
{
	static const char *const good[] = {
		"0", "1", "-1", "100", "0.5", "-0.25", "123456789012345678901234567890.000000000000000000000000000001"
	};
	static const char *const bad[] = {
		"", "-", ".", "1.", ".5", "1e3", "+1", "1 ", " 1", "1.2.3", "--1", "0x1", "1-", "nan"
	};
	g_autofree char *hostile = g_strnfill(100000, '9');
	struct number_sum *sum = number_sum_new();

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(good); i++) {
		g_autofree char *text = NULL;

		assert_true(number_sum_parse(sum, good[i]));
		text = number_sum_text(sum);
		assert_string_equal(text, good[i]);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
		g_autofree char *text = NULL;

		assert_false(number_sum_parse(sum, bad[i]));
		text = number_sum_text(sum);
		assert_string_equal(text, good[G_N_ELEMENTS(good) - 1]);
	}
	assert_false(number_sum_parse(sum, hostile));
	number_sum_free(sum);
}

/* Every number of 15 digits survives a double, as JSON readers and spreadsheets hold it. */
static void test_double_round_trip(void **state)
{
	uint64_t x = 88172645463325252u;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		struct number n;

		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		n = number_scale(number_int((int64_t)(x % 1000000000000000u)), (int)(x >> 59) - 16);
		assert_true(number_equal(number_from_double(number_to_double(n)), n));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parse),
		cmocka_unit_test(test_parse_length),
		cmocka_unit_test(test_parse_hostile),
		cmocka_unit_test(test_print_extremes),
		cmocka_unit_test(test_int_double),
		cmocka_unit_test(test_cmp),
		cmocka_unit_test(test_arithmetic),
		cmocka_unit_test(test_round),
		cmocka_unit_test(test_sum_any_order),
		cmocka_unit_test(test_sum_mean),
		cmocka_unit_test(test_sum_text),
		cmocka_unit_test(test_double_round_trip),
	};

	return cmocka_run_group_tests_name("number", tests, NULL, NULL);
}
