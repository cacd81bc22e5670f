/*
 * The text layer, with toy formats of its own: it must know no real one. A row is
 * "ROW|a|b|c" and may begin inside a line; a banner is "== name"; a weak row is digits.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include <glib.h>

#include "lib/parser.h"
#include "lib/text.h"

static enum verdict no_line(struct parse *p, const struct line *l)
{
	(void)p;
	(void)l;
	return VERDICT_PASS;
}

static const struct row_shape shapes[] = {
	{ "ROW\\|", "ROW(?:\\|\\s*-?[\\d.]+){3}", "[\\s\\d.|-]+$", SHAPE_INNER },
	{ "== \\w", NULL, NULL, 0 },
	{ "n{1,2}[a-z]x+#?y \\| ", NULL, NULL, 0 },
	{ "\\d{6} ", NULL, NULL, SHAPE_QUIET },
	{ NULL, NULL, NULL, 0 }
};
static const struct row_shape other_shapes[] = {
	{ "ROW\\|", "ROW(?:\\|\\s*-?[\\d.]+){3}", NULL, 0 },
	{ NULL, NULL, NULL, 0 }
};
static const struct parser toy = { .name = "toy", .shapes = shapes, .line = no_line };
static const struct parser other = { .name = "other", .shapes = other_shapes, .line = no_line };
const struct parser *const parsers[] = { &toy, &other, NULL };

const struct parser *parser_find(const char *name)
{
	return strcmp(name, "toy") ? NULL : &toy;
}

/* Each logical line as "first-last depth flags<row>". */
static void write_line(const struct line *l, void *data)
{
	GString *out = data;

	g_string_append_printf(out, "%u-%u d%u ", l->first, l->last, l->depth);
	if (l->rejected)
		g_string_append(out, "rejected ");
	if (l->shape.parser >= 0)
		g_string_append_printf(out, "%s%d ", l->candidates ? "shape" : "quiet", l->shape.shape);
	if (l->flags & LINE_JOINED)
		g_string_append(out, "joined ");
	if (l->flags & LINE_CUT)
		g_string_append(out, "cut ");
	if (l->flags & LINE_FENCED)
		g_string_append(out, "fenced ");
	if (l->flags & LINE_CHARSET)
		g_string_append(out, "charset ");
	g_string_append_printf(out, "<%.*s>\n", (int)l->row_len, l->row);
	assert_int_equal(strlen(l->text), l->len);
	assert_true(g_utf8_validate(l->text, -1, NULL));
	assert_true(l->row >= l->text && l->row + l->row_len == l->text + l->len);
}

static void check(const char *text, const char *want)
{
	GString *got = g_string_new(NULL);
	struct text_input in = { .bytes = text, .len = strlen(text), .file = "test" };

	text_lines(&in, write_line, got);
	assert_string_equal(got->str, want);
	g_string_free(got, TRUE);
}

static void plain_lines(void **state)
{
	(void)state;
	check("", "");
	check("\n", "1-1 d0 <>\n");
	check("one\n  two\r\n\n", "1-1 d0 <one>\n2-2 d0 <two>\n3-3 d0 <>\n");
	check("no end", "1-1 d0 <no end>\n");
	check("a\tb", "1-1 d0 <a       b>\n");
}

static void cleaning(void **state)
{
	(void)state;
	check("\033[31mred\033[0m \033]0;title\aend\n", "1-1 d0 <red end>\n");
	check("\033[4Arow [4Atop [0;37mx^[[K\n", "1-1 d0 <row [4Atop x>\n");
	check("[4Atop\n", "1-1 d0 <top>\n");
	check("27\b7\n", "1-1 d0 <27>\n");
	check("a\302\240\302\240b\342\200\213c\n", "1-1 d0 <a  bc>\n");
	check("\342\210\2221.5\n", "1-1 d0 <-1.5>\n");
	check("5 \265s\n", "1-1 d0 charset <5 \302\265s>\n");
	check("&gt; a &lt;b&gt; &amp;c;\n", "1-1 d1 <a <b> &c;>\n");
	/* All bars of a page, or one inside a cell. */
	check("RTD&#124; 1.5&#x7c; &#181;s\n", "1-1 d0 <RTD| 1.5| \302\265s>\n");
	check("| a&#124;&#124;b | 1.5 |\n", "1-1 d0 <| a&#124;&#124;b | 1.5 |>\n");
	check("\200\201\202\n", "1-1 d0 charset <\342\202\254\342\200\232>\n");
}

static void quotes(void **state)
{
	(void)state;
	check("> a\n>> b\n> > c\n>d\n", "1-1 d1 <a>\n2-2 d2 <b>\n3-3 d2 <c>\n4-4 d1 <d>\n");
	check("      > far in\n", "1-1 d0 <> far in>\n");
}

static void whole_rows(void **state)
{
	(void)state;
	check("ROW|1|2|3\n", "1-1 d0 shape0 <ROW|1|2|3>\n");
	check("  host: ROW|1|2|3 and so on\n", "1-1 d0 shape0 <ROW|1|2|3>\n1-1 d0 <and so on>\n");
	check("nnax#y | 1\n", "1-1 d0 shape2 <nnax#y | 1>\n");
	check("000001 5\n", "1-1 d0 quiet3 <000001 5>\n");
	check("[VM 1] ROW|1|2|3\n[VM 22] 000001 5\n", "1-1 d0 shape0 <ROW|1|2|3>\n2-2 d0 <000001 5>\n");
	check("12. ROW|1|2|3\n^CROW|4|5|6\nu@h:~# ROW|7|8|9\n",
	      "1-1 d0 shape0 <ROW|1|2|3>\n2-2 d0 shape0 <ROW|4|5|6>\n3-3 d0 shape0 <ROW|7|8|9>\n");
}

static void wrapped_rows(void **state)
{
	(void)state;
	check("ROW|1|2|\n3\nend\n", "1-2 d0 shape0 joined <ROW|1|2| 3>\n3-3 d0 <end>\n");
	check("> ROW|1|2|\n> 3\n", "1-2 d1 shape0 joined <ROW|1|2| 3>\n");
	check("> ROW|1|2|\n3\n", "1-2 d1 shape0 joined <ROW|1|2| 3>\n");
	check(">> ROW|1|\n> 2|\n> 3 then prose\n", "1-3 d2 shape0 joined <ROW|1| 2| 3>\n3-3 d1 <then prose>\n");
	check("| ROW|1|2|\n| 3\n", "1-2 d0 shape0 joined <ROW|1|2| 3>\n");
	check("> >> ROW|1|\n>  \n> > 2|\n> >> 3\n", "1-4 d3 shape0 joined <ROW|1| 2| 3>\n");
	/* Cut: cells only stay with the row, anything else does not. */
	check("ROW|1|\n2|\n\n", "1-2 d0 shape0 joined cut <ROW|1| 2|>\n3-3 d0 <>\n");
	check("ROW|1|\nprose\n", "1-1 d0 shape0 cut <ROW|1|>\n2-2 d0 <prose>\n");
	check("ROW|1|\nROW|1|2|3\n", "1-1 d0 shape0 cut <ROW|1|>\n2-2 d0 shape0 <ROW|1|2|3>\n");
	check("ROW|1|\n\n2|3\n", "1-1 d0 shape0 cut <ROW|1|>\n2-2 d0 <>\n3-3 d0 <2|3>\n");
}

static void split_rows(void **state)
{
	(void)state;
	check("ROW|1|2|3 ROW|4|5|6 the end\n",
	      "1-1 d0 shape0 <ROW|1|2|3>\n1-1 d0 shape0 <ROW|4|5|6>\n1-1 d0 <the end>\n");
	check("A board ROW|1|2|3\n", "1-1 d0 <A board>\n1-1 d0 shape0 <ROW|1|2|3>\n");
	check("we saw ROW|1| there\n", "1-1 d0 <we saw ROW|1| there>\n");
	/* Flattened and then wrapped again: rows begin and end anywhere. */
	check("ROW|1|2|3 ROW|4|\n5|6 ROW|7|8|9\n",
	      "1-1 d0 shape0 <ROW|1|2|3>\n1-2 d0 shape0 joined <ROW|4| 5|6>\n2-2 d0 shape0 <ROW|7|8|9>\n");
	check("Some words that fill a line before ROW|1|2|3 ROW|4|5|\n6 and others that fill the one after it, then ROW|\n7|8|9\n",
	      "1-1 d0 <Some words that fill a line before>\n1-1 d0 shape0 <ROW|1|2|3>\n1-2 d0 shape0 joined <ROW|4|5| 6>\n"
	      "2-2 d0 <and others that fill the one after it, then>\n2-3 d0 shape0 joined <ROW| 7|8|9>\n");
}

static void false_friends(void **state)
{
	(void)state;
	check("# ROW|1|2|3\n", "1-1 d0 rejected <# ROW|1|2|3>\n");
	check(" * ROW|1|2|3\n", "1-1 d0 rejected <* ROW|1|2|3>\n");
	check("x(); // ROW|1|2|3\n", "1-1 d0 rejected <x(); // ROW|1|2|3>\n");
	check("row=\"ROW|1|2|3\"\n", "1-1 d0 rejected <row=\"ROW|1|2|3\">\n");
	/* A long line is several that lost their ends: a sign far before the row says nothing of it. */
	{
		g_autofree char *fill = g_strnfill(300, 'x');
		g_autofree char *prompt = g_strdup_printf("# it's %s ROW|1|2|3\n", fill);
		g_autofree char *lines = g_strdup_printf("1-1 d0 <# it's %s>\n1-1 d0 shape0 <ROW|1|2|3>\n", fill);
		g_autofree char *comment = g_strdup_printf("%s # ROW|1|2|3\n", fill);
		g_autofree char *rejected = g_strdup_printf("1-1 d0 rejected <%s # ROW|1|2|3>\n", fill);

		check(prompt, lines);
		check(comment, rejected);
	}
	check("text = '''ROW|1|2|3\n", "1-1 d0 <text = '''>\n1-1 d0 shape0 <ROW|1|2|3>\n");
	check("see http://host/x ROW|1|2|3\n", "1-1 d0 <see http://host/x>\n1-1 d0 shape0 <ROW|1|2|3>\n");
}

static void quoted_printable(void **state)
{
	(void)state;
	check("ROW|1|2|=\n3\n=20=20x\n", "1-2 d0 shape0 <ROW|1|2|3>\n3-3 d0 <x>\n");
	check("a=3Db=0AROW|1=\n|2|3=0A\n", "1-2 d0 <a=b>\n1-2 d0 shape0 <ROW|1|2|3>\n");
	/* An assignment is none. */
	check("A=20\nB=y\nC=z\n", "1-1 d0 <A=20>\n2-2 d0 <B=y>\n3-3 d0 <C=z>\n");
}

static void fences(void **state)
{
	(void)state;
	check("```c\nx\n```\ny\n", "1-1 d0 <```c>\n2-2 d0 fenced <x>\n3-3 d0 <```>\n4-4 d0 <y>\n");
}

/* Whatever the bytes, lines come in order, and every physical line is in one. */
static void count_line(const struct line *l, void *data)
{
	unsigned *last = data;

	assert_true(l->first <= *last + 1 && l->last >= l->first);
	*last = MAX(*last, l->last);
}

static void hostile(void **state)
{
	GRand *rand = g_rand_new_with_seed(7);
	static const char alphabet[] = "ROW|1 2|3.\n\r>=0A\"#'*/\t\033[\0&g\200\342\240 - `~";
	char bytes[4096];

	(void)state;
	for (int round = 0; round < 300; round++) {
		struct text_input in = { .bytes = bytes, .file = "test", .mail_body = true };
		unsigned last = 0, want = 0;

		in.len = (size_t)g_rand_int_range(rand, 0, sizeof bytes);
		for (size_t i = 0; i < in.len; i++)
			bytes[i] = alphabet[g_rand_int_range(rand, 0, sizeof alphabet - 1)];
		for (size_t i = 0; i < in.len; i++)
			want += bytes[i] == '\n' || i + 1 == in.len;
		text_lines(&in, count_line, &last);
		assert_int_equal(last, want);
		in.mail_body = false;
		last = 0;
		text_lines(&in, count_line, &last);
	}
	g_rand_free(rand);
}

static void long_line(void **state)
{
	size_t len = 5u * TEXT_MAX_LINE;
	g_autofree char *text = g_strnfill(len, 'x');
	struct text_input in = { .bytes = text, .len = len, .file = "test" };
	unsigned last = 0;

	(void)state;
	text_lines(&in, count_line, &last);
	assert_int_equal(last, 1);
	for (size_t i = 0; i + 8 < len; i += 8)
		memcpy(text + i, "ROW|1 [0", 8);
	last = 0;
	text_lines(&in, count_line, &last);
	assert_int_equal(last, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_lines), cmocka_unit_test(cleaning), cmocka_unit_test(quotes),
		cmocka_unit_test(whole_rows), cmocka_unit_test(wrapped_rows), cmocka_unit_test(split_rows),
		cmocka_unit_test(false_friends), cmocka_unit_test(quoted_printable),
		cmocka_unit_test(fences), cmocka_unit_test(hostile), cmocka_unit_test(long_line)
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
