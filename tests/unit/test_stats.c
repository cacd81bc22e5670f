/* Statistics against published values; each table names its source. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <cmocka.h>
#include "lib/stats.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void near_to(double got, double want, double tolerance)
{
	if (!(fabs(got - want) <= tolerance))
		fail_msg("%.9g is not within %g of %.9g", got, tolerance, want);
}

static struct number num(const char *text)
{
	struct number n;

	number_parse(text, strlen(text), 0, &n);
	return n;
}

static void assert_number(struct number got, const char *want)
{
	char text[NUMBER_TEXT];

	assert_string_equal(number_print(got, text), want);
}

/* Exact limits of a Poisson mean: Garwood 1936; Pearson and Hartley, Biometrika Tables for Statisticians I, table 40. */
static void test_poisson_interval(void **state)
{
	static const struct { double count, confidence, lower, upper; } rows[] = {
		{ 0, 0.95, 0, 3.69 }, { 1, 0.95, 0.0253, 5.57 }, { 2, 0.95, 0.242, 7.22 }, { 3, 0.95, 0.619, 8.77 },
		{ 5, 0.95, 1.62, 11.67 }, { 10, 0.95, 4.80, 18.39 }, { 20, 0.95, 12.22, 30.89 },
		{ 50, 0.95, 37.11, 65.92 }, { 0, 0.99, 0, 5.30 }, { 1, 0.99, 0.00501, 7.43 }, { 10, 0.99, 3.72, 21.40 },
	};
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		double lower, upper;

		stats_poisson_interval(rows[i].count, rows[i].confidence, &lower, &upper);
		near_to(lower, rows[i].lower, 0.0051);
		near_to(upper, rows[i].upper, 0.0051);
	}
}

/* Percentage points of chi-squared (P(df/2, x/2)): Abramowitz and Stegun, table 26.8. */
static void test_gamma(void **state)
{
	static const struct { double df, x, p; } rows[] = {
		{ 1, 3.84146, 0.95 }, { 2, 5.99146, 0.95 }, { 5, 11.0705, 0.95 }, { 10, 18.3070, 0.95 },
		{ 30, 43.7730, 0.95 }, { 100, 124.342, 0.95 }, { 10, 3.24697, 0.025 }, { 4, 13.2767, 0.99 },
	};
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		near_to(stats_gamma_p(rows[i].df / 2, rows[i].x / 2), rows[i].p, 1e-5);
	near_to(stats_gamma_p(3, 0), 0, 0);
}

/* The rule of three: Hanley and Lippman-Hand, JAMA 249 (1983): none of n leaves 3/n possible. */
static void test_rate_limit(void **state)
{
	(void)state;
	near_to(stats_rate_limit(100, 0.95) * 100, 2.9957, 1e-4);
	assert_true(isinf(stats_rate_limit(0, 0.95)));
}

/* By hand from the binomial: 5 of 5 events in one half is 2 / 2^5; 8 of 10 is 2 * 56 / 1024. */
static void test_poisson_compare(void **state)
{
	(void)state;
	near_to(stats_poisson_compare(0, 1000, 5, 1000), 0.0625, 1e-12);
	near_to(stats_poisson_compare(8, 10, 2, 10), 0.109375, 1e-12);
	near_to(stats_poisson_compare(3, 100, 3, 100), 1, 0);
	near_to(stats_poisson_compare(0, 100, 0, 100), 1, 0);
	/* one event in a fourth of the exposure: 2 * 1/4 */
	near_to(stats_poisson_compare(1, 100, 0, 300), 0.5, 1e-12);
	assert_true(stats_poisson_compare(200000, 1e6, 201000, 1e6) > 0.1);
	assert_true(stats_poisson_compare(200000, 1e6, 204000, 1e6) < 1e-6);
}

/* Rosenbaum, Ann. Math. Stat. 25 (1954): C(n, r) / C(n + m, r), one-sided. */
static void test_extreme_run(void **state)
{
	(void)state;
	near_to(stats_extreme_run(1, 10, 10), 1, 1e-12);
	near_to(stats_extreme_run(4, 5, 5), 2 * 5.0 / 210, 1e-12);       /* C(5,4) / C(10,4) */
	near_to(stats_extreme_run(5, 10, 10), 2 * 252.0 / 15504, 1e-12);
	near_to(stats_extreme_run(6, 1e9, 1e9), 2 / 64.0, 1e-6);
	near_to(stats_extreme_run(0, 10, 10), 1, 0);
	near_to(stats_extreme_run_needed(1e9, 1e9, 0.05), 6, 0);
	assert_true(isinf(stats_extreme_run_needed(2, 2, 0.05)));
}

/* Hollander and Wolfe, Nonparametric Statistical Methods (1973), 69: tritiated water, one-sided p 0.1272. */
static void test_mann_whitney_published(void **state)
{
	static const double term[] = { .80, .83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, .73, 1.46 };
	static const double early[] = { 1.15, .88, .90, .74, 1.21 };
	struct rank_test t = stats_mann_whitney(term, COUNT(term), early, COUNT(early));
	(void)state;

	near_to(t.u, 35, 0);
	near_to(t.p, 0.2544, 0.00006);
	assert_true(t.exact);
}

/* One-sided critical probabilities: Mann and Whitney, Ann. Math. Stat. 18 (1947), table I. */
static void test_mann_whitney_table(void **state)
{
	static const double two_of_three[] = { 1, 2, 4 };       /* n = m = 3, U = 1: 0.100 */
	static const double rest_three[] = { 3, 5, 6 };
	static const double low[] = { 1, 2, 3, 4 }, high[] = { 5, 6, 7, 8 };   /* n = m = 4, U = 0: 0.014 */
	struct rank_test t = stats_mann_whitney(two_of_three, 3, rest_three, 3);
	(void)state;

	near_to(t.u, 1, 0);
	near_to(t.p / 2, 0.100, 0.0005);
	near_to(t.least_p, 0.1, 1e-12);
	t = stats_mann_whitney(low, 4, high, 4);
	near_to(t.u, 0, 0);
	near_to(t.p / 2, 0.014, 0.0005);
	t = stats_mann_whitney(high, 4, low, 4);
	near_to(t.u, 16, 0);
	near_to(t.p / 2, 0.014, 0.0005);
}

static void test_mann_whitney_edges(void **state)
{
	static const double same[] = { 7, 7, 7, 7, 7 };
	double many[2][60];
	struct rank_test t = stats_mann_whitney(same, 5, same, 5);
	(void)state;

	near_to(t.p, 1, 0);
	near_to(t.least_p, 1, 0);
	t = stats_mann_whitney(same, 0, same, 5);
	near_to(t.p, 1, 0);
	for (int i = 0; i < 60; i++) {
		many[0][i] = i;
		many[1][i] = i + 30;
	}
	t = stats_mann_whitney(many[0], 60, many[1], 60);
	assert_false(t.exact);
	assert_true(t.p < 1e-6);
}

/* Exact and approximate p agree where both can be had. */
static void test_mann_whitney_agreement(void **state)
{
	double a[25], b[25], big_a[26], big_b[26];
	struct rank_test exact, normal;
	(void)state;

	for (int i = 0; i < 26; i++) {
		big_a[i] = (i * 7 % 26) * 2;
		big_b[i] = (i * 5 % 26) * 2 + 7;
		if (i < 25) {
			a[i] = big_a[i];
			b[i] = big_b[i];
		}
	}
	exact = stats_mann_whitney(a, 25, b, 25);
	normal = stats_mann_whitney(big_a, 26, big_b, 26);
	assert_true(exact.exact && !normal.exact);
	near_to(exact.p, normal.p, 0.06);
}

static struct histogram *histogram_of(const char *const *bins, const char *under, const char *over)
{
	struct histogram *h = histogram_new();

	h->bin_width = num("1000");
	for (; bins[0]; bins += 2)
		histogram_add(h, num(bins[0]), number_absent(), num(bins[1]));
	if (under)
		h->underflow = num(under);
	if (over)
		h->overflow = num(over);
	return h;
}

static void test_percentile(void **state)
{
	static const char *const bins[] = { "1000", "90", "2000", "9", "7000", "1", NULL };
	static const struct { const char *p, *lower, *upper; } rows[] = {
		{ "50", "1000", "2000" }, { "90", "1000", "2000" }, { "90.1", "2000", "3000" },
		{ "99", "2000", "3000" }, { "99.01", "7000", "7500" }, { "100", "7000", "7500" }, { "0.001", "1200", "2000" },
	};
	struct histogram *h = histogram_of(bins, NULL, NULL);
	struct bounds b;
	(void)state;

	for (size_t i = 0; i < COUNT(rows); i++) {
		assert_true(stats_percentile(h, num(rows[i].p), false, num("1200"), num("7500"), &b));
		assert_number(b.upper, rows[i].upper);
		assert_number(b.lower, i == COUNT(rows) - 1 || rows[i].lower[0] == '1' ? "1200" : rows[i].lower);
	}
	assert_false(stats_percentile(h, num("0"), false, num(""), num(""), &b));
	assert_false(stats_percentile(h, num("100.1"), false, num(""), num(""), &b));
	assert_false(stats_percentile(h, num("-1"), false, num(""), num(""), &b));
	histogram_free(h);
}

/* The p99 of 1001 values is not the largest: nearest rank 991. */
static void test_percentile_rank_rule(void **state)
{
	static const char *const bins[] = { "0", "990", "1000", "10", "9000", "1", NULL };
	struct histogram *h = histogram_of(bins, NULL, NULL);
	struct bounds b;
	(void)state;

	assert_true(stats_percentile(h, num("99"), false, num(""), num(""), &b));
	assert_number(b.lower, "1000");
	histogram_free(h);
}

static void test_percentile_overflow(void **state)
{
	static const char *const bins[] = { "1000", "90", "2000", "5", NULL };
	struct histogram *h = histogram_of(bins, NULL, "5");
	struct bounds b;
	double least, most;
	(void)state;

	assert_true(stats_percentile(h, num("99"), false, num(""), num(""), &b));
	assert_number(b.lower, "3000");
	assert_number(b.upper, "");
	assert_true(stats_percentile(h, num("99"), false, num(""), num("8500"), &b));
	assert_number(b.upper, "8500");
	/* merged: the five may lie among the bins */
	assert_true(stats_percentile(h, num("93"), true, num(""), num(""), &b));
	assert_number(b.lower, "1000");
	assert_number(b.upper, "3000");
	assert_true(stats_percentile(h, num("3"), true, num(""), num(""), &b));
	assert_number(b.lower, "");
	stats_exceedances(h, false, num("2000"), &least, &most);
	near_to(least, 5, 0);
	near_to(most, 10, 0);
	stats_exceedances(h, true, num("1500"), &least, &most);
	near_to(least, 5, 0);
	near_to(most, 100, 0);
	histogram_free(h);
}

static void test_percentile_underflow(void **state)
{
	static const char *const bins[] = { "1000", "5", "2000", "5", NULL };
	struct histogram *h = histogram_of(bins, "10", NULL);
	struct bounds b;
	(void)state;

	assert_true(stats_percentile(h, num("50"), false, num("400"), num(""), &b));
	assert_number(b.lower, "400");
	assert_number(b.upper, "1000");
	assert_true(stats_percentile(h, num("51"), false, num(""), num(""), &b));
	assert_number(b.lower, "1000");
	histogram_free(h);
	h = histogram_of((const char *const[]) { NULL }, NULL, NULL);
	assert_false(stats_percentile(h, num("50"), false, num(""), num(""), &b));
	histogram_free(h);
}

/* The defects of others: {1,3} has the median 2, {1,3,9} has 3. */
static void test_median(void **state)
{
	static const struct { const char *in[5]; const char *want; } rows[] = {
		{ { "3", "1" }, "2" }, { { "9", "1", "3" }, "3" }, { { "30", "2", "1" }, "2" }, { { "0.5" }, "0.5" }, { { NULL }, "" },
		{ { "1.5", "1", "2", "1.6" }, "1.55" },
	};
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		GArray *v = g_array_new(FALSE, FALSE, sizeof(struct number));

		for (int j = 0; j < 5 && rows[i].in[j]; j++) {
			struct number n = num(rows[i].in[j]);

			g_array_append_val(v, n);
		}
		assert_number(stats_median(v), rows[i].want);
		g_array_unref(v);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_poisson_interval), cmocka_unit_test(test_gamma), cmocka_unit_test(test_rate_limit),
		cmocka_unit_test(test_poisson_compare), cmocka_unit_test(test_extreme_run),
		cmocka_unit_test(test_mann_whitney_published), cmocka_unit_test(test_mann_whitney_table),
		cmocka_unit_test(test_mann_whitney_edges), cmocka_unit_test(test_mann_whitney_agreement),
		cmocka_unit_test(test_percentile), cmocka_unit_test(test_percentile_rank_rule),
		cmocka_unit_test(test_percentile_overflow), cmocka_unit_test(test_percentile_underflow),
		cmocka_unit_test(test_median),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
