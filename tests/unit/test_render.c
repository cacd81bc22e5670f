/* Renderers: the table of formats, each format's own escapes, layout within a width, CSV dialects; reports of records. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>
#include <string.h>
#include "lib/delimited.h"
#include "lib/layout.h"
#include "lib/plain.h"
#include "lib/report.h"
#include "lib/renderer.h"
#include "lib/row_spool.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static struct number num(const char *text)
{
	struct number n;

	number_parse(text, strlen(text), 0, &n);
	return n;
}

/* The whole output of a renderer; caller frees with free. */
static char *render(const char *format, const struct document *d, const struct render_options *options)
{
	const struct render_options none = { 0 };
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	assert_int_equal(renderer_find(format)->write(d, options ? options : &none, out), 0);
	fclose(out);
	return text;
}

static struct document *one_cell(const char *text, const char *number)
{
	struct document *d = document_new(NULL);
	struct table *t = document_add(d, NULL);
	struct cell *row;

	table_column(t, "name", NULL, NULL, COLUMN_TEXT, -1);
	table_column(t, "max", NULL, "us", COLUMN_NUMBER, -1);
	row = table_row(t);
	cell_text(&row[0], text);
	cell_number(&row[1], num(number));
	return d;
}

static void test_formats(void **state)
{
	(void)state;
	for (size_t i = 0; renderers[i]; i++) {
		const struct renderer *r = renderers[i];

		assert_true(r->name && *r->name && r->summary && *r->summary && r->write);
		assert_ptr_equal(renderer_find(r->name), r);
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(renderers[k]->name, r->name);
		if (r->suffix) {
			g_autofree char *path = g_strconcat("dir.x/file", r->suffix, NULL);
			assert_ptr_equal(renderer_for_file(path), r);
		}
	}
	assert_null(renderer_find("nonsense"));
	assert_null(renderer_for_file("dir.csv/file"));
	assert_ptr_equal(renderer_for_file("A.CSV"), renderer_find("csv"));
}

/* A part that the output must have, for a text in a cell. */
static void test_escapes(void **state)
{
	static const struct { const char *format, *text, *want; } rows[] = {
		{ "csv", "=1+2()", "\n'=1+2(),5\r\n" }, { "csv", "-3", "\n-3,5\r\n" }, { "csv", "a,\"b\"", "\n\"a,\"\"b\"\"\",5\r\n" },
		{ "csv", "@x", "\n'@x,5" }, { "csv", "\357\274\235x", "\n'\357\274\235x,5" }, { "csv", "a\nb", "\na b,5" },
		{ "tsv", "a\tb", "\na b\t5\n" }, { "tsv", "say \"x\"", "\nsay \"x\"\t5\n" }, { "tsv", "\"x", "\n\"\"\"x\"\t5\n" },
		{ "markdown", "a|b", "| a\\|b" }, { "markdown", "*x* _y_ a_b", "\\*x\\* \\_y\\_ a_b" }, { "markdown", "<b>&", "&lt;b&gt;&amp;" },
		{ "markdown", "@name", "&#64;name" }, { "mediawiki", "-2", "| -2 ||" }, { "mediawiki", "a||b", "a&#124;&#124;b" },
		{ "mediawiki", "''x''", "&#39;'x&#39;'" }, { "mediawiki", "{{t}}[[l]]", "&#123;&#123;t&#125;&#125;&#91;&#91;l&#93;&#93;" },
		{ "mediawiki", "http://x", "http&#58;//x" }, { "dokuwiki", "a|b", "| %%a|b%%" }, { "dokuwiki", "50%%x", "50<nowiki>%%</nowiki>x" },
		{ "dokuwiki", "plain-1.5", "| plain-1.5" }, { "dokuwiki", "FIXME", "%%FIXME%%" }, { "moinmoin", "a||b", "{{{a||b}}}" },
		{ "moinmoin", "}}}", "{{{}}}}}{{{}}}}" }, { "moinmoin", "WikiName", "{{{WikiName}}}" }, { "trac", "#12", "{{{#12}}}" },
		{ "jira", "a|b{c}", "a&#124;b\\{c\\}" }, { "jira", "", "| | 5 |" }, { "rst", "*x* |y|", "\\*x\\* \\|y\\|" }, { "rst", "- item", "\\ - item" },
		{ "asciidoc", "a|*b*", "a&#124;&#42;b&#42;" }, { "org", "a|b", "a\\vert{}b" }, { "latex", "a_b & 50%", "a\\_b \\& 50\\%" },
		{ "latex", "\\x--y", "\\textbackslash{}x-{}-y" }, { "html", "<script>\"&", "&lt;script&gt;&quot;&amp;" },
		{ "text", "\033]0;x\a", "<U+001B>]0;x<U+0007>" }, { "json", "\"x\\", "\"\\\"x\\\\\"" },
	};
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct document *d = one_cell(rows[i].text, "5");
		char *got = render(rows[i].format, d, NULL);

		if (!strstr(got, rows[i].want))
			fail_msg("%s of '%s': no '%s' in:\n%s", rows[i].format, rows[i].text, rows[i].want, got);
		free(got);
		document_free(d);
	}
}

static void test_formula(void **state)
{
	static const struct { const char *text; bool formula; } rows[] = {
		{ "=1", true }, { "+x", true }, { "-x", true }, { "@x", true }, { "-5", false }, { "+5.25", false }, { "-1e3", false },
		{ "-", true }, { "", false }, { "x=1", false }, { "-5%", true }, { "-5-3", true }, { "\357\274\213x", true },
	};
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		assert_int_equal(text_is_formula(rows[i].text), rows[i].formula);
}

static void test_dialects(void **state)
{
	static const struct { const char *dialect, *want; } rows[] = {
		{ "rfc", "name,max [us]\r\na;b,-1.5\r\n" }, { "excel", "\357\273\277name,max [us]\r\na;b,-1.5\r\n" },
		{ "excel-eu", "\357\273\277name;max [us]\r\n\"a;b\";-1,5\r\n" },
	};
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct render_options o = { .csv_dialect = rows[i].dialect };
		struct document *d = one_cell("a;b", "-1.5");
		char *got = render("csv", d, &o);

		assert_string_equal(got, rows[i].want);
		free(got);
		document_free(d);
	}
}

/* Tables with unlike columns become one of constant width; footnotes keep their text; "-" for null is empty. */
static void test_csv_union(void **state)
{
	struct document *d = one_cell("a", "1");
	struct table *t = document_add(d, "second");
	struct cell *row;
	char *got;

	(void)state;
	table_column(t, "max", NULL, "us", COLUMN_NUMBER, -1);
	table_column(t, "max", NULL, "%", COLUMN_NUMBER, -1);
	row = table_row(t);
	cell_text(&row[0], "-");
	cell_number(&row[1], num("7"));
	row[1].footnote = (int)table_note(t, "seen");
	got = render("csv", d, NULL);
	assert_string_equal(got, "table,name,max [us],max [%],notes\r\n,a,1,,\r\nsecond,,,7,seen\r\n");
	free(got);
	document_free(d);
}

/* No line is wider than asked for, whatever the table; every cell is there. */
static void test_layout_width(void **state)
{
	struct document *d = document_new("A title that is so long that it has to be broken in order to fit");
	struct table *t = document_add(d, "wide");

	(void)state;
	table_column(t, "name", NULL, NULL, COLUMN_TEXT, -1);
	for (int i = 0; i < 20; i++) {
		g_autofree char *heading = g_strdup_printf("column %d", i);
		table_column(t, heading, i < 10 ? "first ten columns" : "others", "us", COLUMN_NUMBER, -1);
	}
	for (int r = 0; r < 3; r++) {
		struct cell *row = table_row(t);

		cell_text(&row[0], r ? "a name with several words that wraps" : "withoutanyblankinitwhichmustbebrokensomewhere");
		for (int i = 0; i < 20; i++)
			cell_number(&row[1 + i], number_int(1000000 + r * 100 + i));
	}
	for (unsigned width = 30; width <= 200; width += 7) {
		const struct layout l = { .width = width, .cell_lines = 100 };
		char *text = NULL;
		size_t len;
		FILE *out = open_memstream(&text, &len);

		layout_document(d, &l, out);
		fclose(out);
		g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
		for (char **line = lines; *line; line++) {
			if (plain_width(*line) > width)
				fail_msg("%zu columns instead of %u: %s", plain_width(*line), width, *line);
			assert_false(g_str_has_suffix(*line, " "));
		}
		for (int r = 0; r < 3; r++)
			for (int i = 0; i < 20; i++) {
				g_autofree char *want = g_strdup_printf("%d", 1000000 + r * 100 + i);
				assert_non_null(strstr(text, want));
			}
		free(text);
	}
	document_free(d);
}

/* In a block of its own a text is as wide as the line allows; headings of several columns are seen whole or end in an ellipsis. */
static void test_layout_room(void **state)
{
	const struct layout l = { .width = 80, .cell_lines = 100 };
	struct document *d = document_new(NULL);
	struct table *t = document_add(d, NULL);
	struct cell *row;
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	(void)state;
	table_column(t, "name", NULL, NULL, COLUMN_TEXT, -1);
	table_column(t, "a number under a long heading", NULL, "us", COLUMN_NUMBER, -1);
	table_column(t, "max", "kernel 6.4.12-tkg-eevdf-llvm", "us", COLUMN_NUMBER, -1);
	table_column(t, "max", "a board whose name is longer than any heading should be", "us", COLUMN_NUMBER, -1);
	table_column(t, "verdict", NULL, NULL, COLUMN_TEXT, -1);
	t->keys = 1;
	row = table_row(t);
	cell_text(&row[0], "test");
	for (int i = 1; i < 4; i++)
		cell_number(&row[i], number_int(123456789));
	cell_text(&row[4], "worse (one run each, more than 10 per cent) and more");
	layout_document(d, &l, out);
	fclose(out);
	assert_non_null(strstr(text, "kernel 6.4.12-tkg-eevdf-llvm"));
	assert_non_null(strstr(text, "a board whose name is longer th…"));
	assert_non_null(strstr(text, "test  worse (one run each, more than 10 per cent) and more\n"));
	free(text);
	document_free(d);
}

static void test_colour(void **state)
{
	struct document *d = one_cell("a", "1");
	const struct render_options on = { .colour = true }, off = { 0 };
	char *with, *without;

	(void)state;
	((struct cell *)((struct table *)d->tables->pdata[0])->rows->pdata[0])[1].mark = MARK_WORST;
	with = render("terminal", d, &on);
	without = render("terminal", d, &off);
	assert_non_null(strstr(with, "\033[31m1\033[0m"));
	assert_null(strchr(without, '\033'));
	free(with);
	free(without);
	document_free(d);
}

/* ---- reports of records ---- */

static struct record *cyclictest(void)
{
	struct record *r = record_new("cyclictest");

	for (int i = 0; i < 2; i++) {
		struct series *s = record_add_series(r, NULL);

		s->unit = "ns";
		s->resolution = num("1000");
		series_label_number(s, "thread", number_int(i));
		s->field[FIELD_MIN] = num("2000");
		s->field[FIELD_AVG] = num("5666.66666666667");
		s->field[FIELD_MAX] = i ? number_null() : num("21000");
		s->field[FIELD_COUNT] = num("182450");
	}
	return r;
}

static char *report(struct record *r, const struct report_options *o, const char *format)
{
	g_autoptr(GPtrArray) records = g_ptr_array_new();
	char *error = NULL, *text;

	g_ptr_array_add(records, r);
	struct document *d = document_from_records(records, o, &error);
	assert_null(error);
	text = render(format, d, NULL);
	document_free(d);
	return text;
}

/* Only columns that a series fills; null is "-"; scaled exactly; a derived mean is rounded only where asked for. */
static void test_report(void **state)
{
	static const struct { const char *unit; bool digits; const char *want; } rows[] = {
		{ NULL, false, "thread,count,min [us],avg [us],max [us]\r\n0,182450,2,5.66666666666667,21\r\n1,182450,2,5.66666666666667,\r\n" },
		{ "ns", false, "thread,count,min [ns],avg [ns],max [ns]\r\n0,182450,2000,5666.66666666667,21000\r\n1,182450,2000,5666.66666666667,\r\n" },
		{ "ms", true, "thread,count,min [ms],avg [ms],max [ms]\r\n0,182450,0.00,0.01,0.02\r\n1,182450,0.00,0.01,\r\n" },
	};
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct report_options o = { .unit = rows[i].unit, .has_digits = rows[i].digits, .digits = 2 };
		struct record *r = cyclictest();
		char *got = report(r, &o, "csv");

		assert_string_equal(got, rows[i].want);
		free(got);
		record_free(r);
	}
}

static void test_report_rounds_derived(void **state)
{
	const struct report_options o = { .brief = true, .unit = "auto" };
	struct record *r = cyclictest();
	char *got;

	(void)state;
	record_flag(r, FLAG_DERIVED, "/series/0/avg", "the mean of the rows");
	record_flag(r, FLAG_DERIVED, "/series/1/avg", "the mean of the rows");
	got = report(r, &o, "markdown");
	assert_non_null(strstr(got, "5.7 |"));
	assert_null(strstr(got, "5.66"));
	assert_non_null(strstr(got, "\nthe mean of the rows\n"));       /* for all rows: no mark in the cells */
	free(got);
	record_free(r);
}

static void test_report_marks_cells(void **state)
{
	const struct report_options o = { 0 };
	struct record *r = cyclictest();
	char *got;

	(void)state;
	record_flag(r, FLAG_ROW_TRUNCATED, "/series/1/max", "the row was cut");
	got = report(r, &o, "markdown");
	assert_non_null(strstr(got, " - (1) |"));
	assert_non_null(strstr(got, "(1) thread 1: the row was cut"));
	free(got);
	record_free(r);
}

/* Nearest rank: of 1000 samples the 990th is p99; p99.9 is the 999th; p99.99 would only repeat the maximum. */
static void test_percentiles(void **state)
{
	const struct report_options o = { 0 }, none = { .no_percentiles = true };
	struct record *r = record_new("cyclictest");
	struct series *s = record_add_series(r, NULL);
	char *got;

	(void)state;
	s->unit = "ns";
	s->histogram = histogram_new();
	s->histogram->bin_width = num("1000");
	histogram_add(s->histogram, num("1000"), number_absent(), num("989"));
	histogram_add(s->histogram, num("2000"), number_absent(), num("9"));
	histogram_add(s->histogram, num("50000"), number_absent(), num("2"));
	got = report(r, &o, "csv");
	assert_string_equal(got, "p50 [us],p90 [us],p99 [us],p99.9 [us]\r\n1,1,2,50\r\n");
	free(got);
	/* Samples beyond the bins: the rank may lie there, and then nothing is said. */
	s->histogram->overflow = num("5");
	got = report(r, &o, "csv");
	assert_string_equal(got, "p50 [us],p90 [us],p99 [us]\r\n1,1,2\r\n");
	free(got);
	got = report(r, &none, "text");
	assert_null(strstr(got, "p99"));
	assert_non_null(strstr(got, "1005 samples"));
	free(got);
	record_free(r);
}

static void test_units(void **state)
{
	static const struct { const char *greatest, *want; } rows[] = {
		{ "9999", "ns" }, { "10000", "us" }, { "21000", "us" }, { "9999999", "us" }, { "10000000", "ms" }, { "1e10", "s" }, { "", "ns" },
	};
	int exp10;

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		assert_string_equal(unit_fitting(num(rows[i].greatest), "ns"), rows[i].want);
	assert_string_equal(unit_fitting(num("5"), "%"), "%");
	assert_true(unit_scale("ns", "us", &exp10) && exp10 == -3);
	assert_true(unit_scale("s", "ns", &exp10) && exp10 == 9);
	assert_false(unit_scale("%", "us", &exp10) || exp10);
	assert_true(report_unit_known("auto") && !report_unit_known("min"));
}

/* The long table has the same columns for any records, and other units never stand under a time. */
static void test_long(void **state)
{
	const struct report_options o = { .form = REPORT_LONG, .keep_empty = true };
	const struct report_options few = { .form = REPORT_LONG, .columns = "tool,value,other.value,other.unit" };
	struct record *r = record_new("hackbench"), *empty = cyclictest();
	struct series *s = record_add_series(r, NULL);
	char *a, *b, *got;

	(void)state;
	s->unit = "s";
	s->field[FIELD_VALUE] = num("12.345");
	s = record_add_series(r, "load");
	s->unit = "%";
	s->field[FIELD_VALUE] = num("99.5");
	a = report(r, &o, "csv");
	b = report(empty, &o, "csv");
	assert_int_equal(strcspn(a, "\r"), strcspn(b, "\r"));
	assert_memory_equal(a, b, strcspn(a, "\r"));
	got = report(r, &few, "csv");
	assert_string_equal(got, "tool,value [us],other.value,other.unit\r\nhackbench,,12.345,s\r\nhackbench,,99.5,%\r\n");
	free(a);
	free(b);
	free(got);
	record_free(r);
	record_free(empty);
}

struct spooled { unsigned rows; bool same; };

static void row_text(unsigned i, char *text, size_t len)
{
	/* Longer and shorter rows in turn; one is longer than any buffer. */
	memset(text, 'a' + i % 26, len - 1);
	text[i == 700 ? len - 1 : i % 50] = '\0';
}

static void compare_row(const struct cell *row, void *data)
{
	static char text[200000];
	struct spooled *s = data;

	row_text(s->rows, text, sizeof(text));
	s->same &= number_cmp(row[0].number, num("-1.5")) == 0 && !row[0].text;
	s->same &= !number_is_set(row[1].number) && (*text ? row[1].text && !strcmp(row[1].text, text) : !row[1].text);
	s->same &= !row[2].text && !number_is_set(row[2].number);
	s->same &= number_cmp(row[3].number, number_int(s->rows)) == 0 && row[3].text && !strcmp(row[3].text, "both");
	s->rows++;
}

/* Rows come back as they went, as often as they are asked for. */
static void test_row_spool(void **state)
{
	static char text[200000];
	struct row_spool *spool = row_spool_new(4), *empty = row_spool_new(4);
	struct spooled s = { 0, true };

	(void)state;
	for (unsigned i = 0; i < 2000; i++) {
		struct cell row[4] = { { .number = num("-1.5") }, { .text = text }, { .number = number_absent() },
		                       { .number = number_int(i), .text = (char *)"both" } };

		row_text(i, text, sizeof(text));
		row_spool_add(spool, row);
	}
	for (unsigned turn = 1; turn <= 2; turn++, s.rows = 0) {
		assert_int_equal(row_spool_each(spool, compare_row, &s), 0);
		assert_true(s.same);
		assert_int_equal(s.rows, 2000);
	}
	assert_int_equal(row_spool_each(empty, compare_row, &s), 0);
	assert_int_equal(s.rows, 0);
	row_spool_free(spool);
	row_spool_free(empty);
	row_spool_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_formats), cmocka_unit_test(test_escapes), cmocka_unit_test(test_formula),
		cmocka_unit_test(test_dialects), cmocka_unit_test(test_csv_union), cmocka_unit_test(test_layout_width),
		cmocka_unit_test(test_layout_room),
		cmocka_unit_test(test_colour), cmocka_unit_test(test_report), cmocka_unit_test(test_report_rounds_derived),
		cmocka_unit_test(test_report_marks_cells), cmocka_unit_test(test_percentiles), cmocka_unit_test(test_units),
		cmocka_unit_test(test_long), cmocka_unit_test(test_row_spool),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
