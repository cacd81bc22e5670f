/* The table model: cells, shaping; plain text, grids and figures that the renderers build on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>
#include "lib/figure.h"
#include "lib/grid.h"
#include "lib/plain.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static struct number num(const char *text)
{
	struct number n;

	number_parse(text, strlen(text), 0, &n);
	return n;
}

/* Three rows of a name and a maximum; the second has none. */
static struct document *sample(void)
{
	static const struct { const char *name, *max; } rows[] = { { "run 10", "21.565" }, { "run 9", "" }, { "Run 2", "3.5" } };
	struct document *d = document_new("doc");
	struct table *t = document_add(d, "one");

	table_column(t, "name", NULL, NULL, COLUMN_TEXT, -1);
	table_column(t, "max", "board", "us", COLUMN_NUMBER, 3);
	table_column(t, "mode switches", NULL, NULL, COLUMN_NUMBER, 0);
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct cell *row = table_row(t);

		cell_text(&row[0], rows[i].name);
		cell_number(&row[1], num(rows[i].max));
		cell_number(&row[2], number_int((int64_t)i));
	}
	return d;
}

static const struct table *first(const struct document *d)
{
	return d->tables->pdata[0];
}

static void assert_cell(const struct document *d, guint row, guint column, const char *want)
{
	g_autofree char *got = cell_show(first(d), column, (const struct cell *)first(d)->rows->pdata[row] + column);

	assert_string_equal(got, want);
}

static void test_show(void **state)
{
	static const struct { const char *number; int decimals; const char *want; } rows[] = {
		{ "128.333", -1, "128.333" }, { "128.333", 3, "128.333" }, { "128.333", 1, "128.3" }, { "128.35", 1, "128.4" },
		{ "128.25", 1, "128.2" }, { "167", 3, "167.000" }, { "-0.5", 0, "0" }, { "-1.5", 0, "-2" },
		{ "-0.5", 2, "-0.50" }, { "0", 2, "0.00" }, { "123456789012345", 0, "123456789012345" },
		{ "0.000000001", 2, "0.00" }, { "", 3, "" }, { "1e3", -1, "1000" },
	};
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct document *d = document_new(NULL);
		struct table *t = document_add(d, NULL);

		table_column(t, "x", NULL, "us", COLUMN_NUMBER, rows[i].decimals);
		cell_number(&table_row(t)[0], num(rows[i].number));
		assert_cell(d, 0, 0, rows[i].want);
		document_free(d);
	}
}

static void test_labels(void **state)
{
	struct document *d = sample();
	const struct column *c = &g_array_index(first(d)->columns, struct column, 1);
	g_autofree char *with = column_label(c), *without = column_label(c - 1);

	(void)state;
	assert_string_equal(with, "max [us]");
	assert_string_equal(without, "name");
	document_free(d);
}

static void test_select(void **state)
{
	struct document *d = sample();
	char *bad;

	(void)state;
	assert_null(document_select(d, "Mode_Switches, board/max"));
	assert_int_equal(first(d)->columns->len, 2);
	assert_cell(d, 0, 0, "0");
	assert_cell(d, 0, 1, "21.565");
	bad = document_select(d, "max,nonsense");
	assert_string_equal(bad, "nonsense");
	assert_int_equal(first(d)->columns->len, 2);
	g_free(bad);
	document_free(d);
}

/* Numbers by value, text with its digits by value, empty cells last in both directions; equal rows keep their order. */
static void test_sort(void **state)
{
	static const struct { const char *names, *want[3]; } rows[] = {
		{ "max", { "Run 2", "run 10", "run 9" } }, { "-max", { "run 10", "Run 2", "run 9" } },
		{ "name", { "Run 2", "run 9", "run 10" } }, { "-name", { "run 10", "run 9", "Run 2" } },
		{ "-mode switches", { "Run 2", "run 9", "run 10" } }, { "", { "run 10", "run 9", "Run 2" } },
	};
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct document *d = sample();

		assert_null(document_sort(d, rows[i].names));
		for (guint r = 0; r < 3; r++)
			assert_cell(d, r, 0, rows[i].want[r]);
		document_free(d);
	}
	struct document *d = sample();
	char *bad = document_sort(d, "max,-worse");
	assert_string_equal(bad, "worse");
	assert_cell(d, 0, 0, "run 10");
	g_free(bad);
	document_free(d);
}

/* Only columns with a unit are rounded: a count has no digits after the point. */
static void test_digits(void **state)
{
	struct document *d = sample();

	(void)state;
	document_digits(d, 1);
	assert_cell(d, 0, 1, "21.6");
	assert_cell(d, 2, 2, "2");
	document_free(d);
}

static void test_plain(void **state)
{
	static const struct { const char *text, *want; } rows[] = {
		{ NULL, "" }, { "", "" }, { "plain", "plain" }, { "  a \t b\r\n c ", "a b c" },
		{ "a\033[31mb\a", "a<U+001B>[31mb<U+0007>" }, { "x\342\200\256y", "x<U+202E>y" },
		{ "\342\201\246i\342\201\251", "<U+2066>i<U+2069>" }, { "bad\377byte", "bad\357\277\275byte" },
		{ "no\302\240break", "no break" }, { "\302\265s", "\302\265s" }, { "\357\273\277bom", "<U+FEFF>bom" },
		{ "\342\200\250line", "line" }, { "del\177", "del<U+007F>" }, { "c1\302\205\302\220", "c1 <U+0090>" },
		{ "tag\363\240\201\201", "tag<U+E0041>" },
	};
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		g_autofree char *got = plain_line(rows[i].text);

		assert_string_equal(got, rows[i].want);
	}
}

static void test_width(void **state)
{
	static const struct { const char *text; size_t width, fit_in, fit; } rows[] = {
		{ "", 0, 5, 0 }, { "abc", 3, 2, 2 }, { "\302\265s", 2, 1, 2 }, { "\345\271\263\345\235\207", 4, 3, 3 },
		{ "e\314\201x", 2, 1, 3 }, { "abc", 3, 0, 0 },
	};
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		assert_int_equal(plain_width(rows[i].text), rows[i].width);
		assert_int_equal(plain_fit(rows[i].text, rows[i].fit_in), rows[i].fit);
	}
}

static char *brackets(const char *text)
{
	return g_strdup_printf("<%s>", text);
}

/* Text is escaped, numbers are not; a note has its number only where a cell refers to it. */
static void test_grid(void **state)
{
	struct document *d = sample();
	struct table *t = d->tables->pdata[0];
	struct grid *g;

	(void)state;
	table_before(t, "board: a%sb", "\n");
	table_note(t, "unused");
	((struct cell *)t->rows->pdata[0])[1].footnote = (int)table_note(t, "used");
	g = grid_new(t, brackets, true);
	assert_string_equal(g->title, "<one>");
	assert_string_equal(g->before[0], "board: <a b>");
	assert_string_equal(g->heading[1], "<board: max [us]>");
	assert_string_equal(g->cell[0][0], "<run 10>");
	assert_string_equal(g->cell[0][1], "21.565 (2)");
	assert_string_equal(g->cell[1][1], "<>");
	assert_string_equal(g->notes[0], "<unused>");
	assert_string_equal(g->notes[1], "(2) <used>");
	assert_true(g->right[1] && !g->right[0] && !g->grouped);
	grid_free(g);
	g = grid_new(t, NULL, false);
	assert_true(g->grouped);
	assert_int_equal(grid_span(g, 0), 1);
	assert_int_equal(g->width[1], strlen("21.565 (2)"));
	grid_free(g);
	document_free(d);
}

static void test_unit_brackets(void **state)
{
	static const struct { const char *text; size_t len; } rows[] = {
		{ "[us]", 4 }, { "[MB/s] x", 6 }, { "[%]", 3 }, { "[us](x)", 0 }, { "[]", 0 }, { "[/x]", 0 }, { "[[us]]", 0 },
		{ "[us]:", 0 }, { "us", 0 }, { "[toolongunit]", 0 }, { "[us", 0 },
	};
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		assert_int_equal(grid_unit_len(rows[i].text), rows[i].len);
}

/* Bins are gathered into rows of round width, and no sample is lost on the way. */
static void test_figure(void **state)
{
	static const struct { int64_t from, to, step; unsigned max, want; const char *lower, *width; } rows[] = {
		{ 2, 9, 1, 16, 8, "2", "1" },           /* few bins: one a row */
		{ 2, 39, 1, 16, 8, "0", "5" },
		{ -7, 7, 1, 4, 4, "-10", "5" },
		{ 0, 0, 1, 16, 1, "0", "1" },
		{ 1000, 100000, 1000, 16, 11, "0", "10000" },
	};
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct document *d = document_new(NULL);
		struct figure *f = table_figure(document_add(d, NULL), NULL, "us");
		struct number sum = number_int(0);

		for (int64_t v = rows[i].from; v <= rows[i].to; v += rows[i].step)
			figure_bar(f, number_int(v), number_int(v + rows[i].step), number_int(2));
		GArray *got = figure_rows(f, rows[i].max);
		assert_non_null(got);
		assert_int_equal(got->len, rows[i].want);
		struct figure_row *r = &g_array_index(got, struct figure_row, 0);
		assert_true(number_equal(r->lower, num(rows[i].lower)));
		assert_true(number_equal(number_sub(r->upper, r->lower), num(rows[i].width)));
		for (guint k = 0; k < got->len; k++)
			sum = number_add(sum, g_array_index(got, struct figure_row, k).count);
		assert_true(number_equal(sum, figure_total(f)));
		g_array_unref(got);
		document_free(d);
	}
}

/* Values too far apart to count with are not drawn, instead of drawn wrongly or without end. */
static void test_figure_extremes(void **state)
{
	struct document *d = document_new(NULL);
	struct figure *f = table_figure(document_add(d, NULL), NULL, NULL);

	(void)state;
	assert_null(figure_rows(f, 16));
	figure_bar(f, num("1e-14"), number_absent(), number_int(1));
	figure_bar(f, num("123456789012345"), number_absent(), number_int(1));
	assert_null(figure_rows(f, 16));
	document_free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_show), cmocka_unit_test(test_labels), cmocka_unit_test(test_select),
		cmocka_unit_test(test_sort), cmocka_unit_test(test_digits), cmocka_unit_test(test_plain),
		cmocka_unit_test(test_width), cmocka_unit_test(test_grid), cmocka_unit_test(test_unit_brackets),
		cmocka_unit_test(test_figure), cmocka_unit_test(test_figure_extremes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
