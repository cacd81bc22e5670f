/*
 * Adding an input format, as README describes it: one file with one struct parser, one row in the
 * table. Here both stand in the test, instead of parsers/: the toy tool prints a banner, rows and a
 * footer, and its results go all the way through the reader.
 *
 *     toybench 1.2, period 500 us
 *     toy 0: min 3.125 max 88.5 us
 *     toy done
 */
#include "tests/unit/reading.h"

/* The parser: what a contributor writes. */

struct toy { struct record *record; };

static struct pattern banner = PATTERN("^toybench [\\d.]+, period (\\d+) us$");
static struct pattern row = PATTERN("^toy (\\d+): min (-?[\\d.]+) max (-?[\\d.]+) us$");

static void toy_end(struct parse *p)
{
	struct toy *t = p->state;

	if (t->record && t->record->series->len)
		parse_emit(p, t->record);
	else if (t->record)
		parse_drop(p, t->record, "no row");
	t->record = NULL;
}

static enum verdict toy_row(struct parse *p, const struct line *l, const struct match *m)
{
	struct toy *t = p->state;
	struct series *s;
	struct number thread;

	if (!t->record)
		t->record = parse_begin(p, "x_toybench", l);
	parse_extend(p, t->record, l);
	s = record_add_series(t->record, NULL);
	s->line = l->first;
	s->unit = "ns";
	number_parse(m->group[1].p, m->group[1].len, 0, &thread);
	series_label_number(s, "thread", thread);
	number_parse(m->group[2].p, m->group[2].len, 3, &s->field[FIELD_MIN]);
	number_parse(m->group[3].p, m->group[3].len, 3, &s->field[FIELD_MAX]);
	return VERDICT_DATA;
}

static enum verdict toy_line(struct parse *p, const struct line *l)
{
	struct toy *t = p->state;
	struct number period;
	struct match m;

	if (l->rejected)
		return VERDICT_PASS;
	if (pattern_match(&banner, l->row, l->row_len, 0, &m)) {
		toy_end(p);
		t->record = parse_begin(p, "x_toybench", l);
		number_parse(m.group[1].p, m.group[1].len, 3, &period);
		facts_set_number(t->record->settings, "period_ns", period, l->first);
		return VERDICT_FRAME;
	}
	if (pattern_match(&row, l->row, l->row_len, 0, &m))
		return toy_row(p, l, &m);
	if (l->row_len != 8 || strncmp(l->row, "toy done", 8))
		return VERDICT_PASS;
	toy_end(p);
	return VERDICT_FRAME;
}

static const struct row_shape shapes[] = {
	{ "toybench \\d", NULL, NULL, 0 },
	{ "toy \\d+: min ", "toy \\d+: min -?[\\d.]+ max -?[\\d.]+ us", "[\\d.a-z -]+$", 0 },
	{ NULL, NULL, NULL, 0 }
};
static const char *const tools[] = { "x_toybench", NULL };
static const char *const literals[] = { "toy ", NULL };
static const struct parser parser_toy = {
	.name = "toy",
	.summary = "latency of a toy",
	.versions = "1.x",
	.sample = "toy 0: min 3.125 max 88.5 us",
	.tools = tools,
	.literals = literals,
	.shapes = shapes,
	.state_size = sizeof(struct toy),
	.line = toy_line,
	.end = toy_end
};

/* The table, instead of parsers/table.c: the toy is the only format of this program. */
const struct parser *const parsers[] = { &parser_toy, NULL };

const struct parser *parser_find(const char *name)
{
	return strcmp(name, "toy") && strcmp(name, "x_toybench") ? NULL : &parser_toy;
}

/* The cases: what the parser need not care about comes with the text layer and the reader. */

static void plain(void **state)
{
	(void)state;
	reads("toybench 1.2, period 500 us\n"
	      "toy 0: min 3.125 max 88.5 us\ntoy 1: min -1 max 9 us\ntoy done\n",
	      "x_toybench { period_ns=500000 } thread=0 ns min=3125 max=88500;"
	      " thread=1 ns min=-1000 max=9000\n");
	/* Two runs, and rows alone. */
	reads("toy 0: min 1 max 2 us\ntoy done\ntoy 0: min 3 max 4 us\n",
	      "x_toybench thread=0 ns min=1000 max=2000\n"
	      "x_toybench thread=0 ns min=3000 max=4000\n");
}

static void damaged(void **state)
{
	(void)state;
	/* Quoted, and wrapped by a mailer. */
	reads("> toybench 1.2, period 500 us\n> toy 0: min 3.125\n> max 88.5 us\n",
	      "x_toybench { period_ns=500000 } thread=0 ns min=3125 max=88500 | row-repaired\n");
	/* Behind a log's prefix, with line ends of DOS. */
	reads("[  12.5] toy 0: min 1 max 2 us\r\n", "x_toybench thread=0 ns min=1000 max=2000\n");
}

static void nothing(void **state)
{
	(void)state;
	reads("Play with a toy 0: it is nice.\n", "");
	reads("# toy 0: min 1 max 2 us\n", "");
	reads("toybench 1.2, period 500 us\n", "");
	reads("T: 0 ( 1853) P:80 I:1000 C:  10000 Min:     36 Act:  156 Avg:  154 Max:  244\n", "");
}

static unsigned data_lines;

static void count_data(const struct reader_note *n, void *data)
{
	(void)data;
	if (n->verdict == VERDICT_DATA && n->parser == &parser_toy)
		data_lines++;
}

/* --from=toy, and explain names the parser of each line. */
static void explained(void **state)
{
	static const char text[] = "toy 0: min 1 max 2 us\n";
	struct reader_options options = { .only = parser_find("toy"), .note = count_data };
	struct reader_text in = { .text = { .bytes = text, .len = strlen(text), .file = "-" },
	                          .source = { .file = "-" } };
	GString *got = g_string_new(NULL);

	(void)state;
	reader_message(&in, 1, &options, reading_record, got);
	assert_string_equal(got->str, "x_toybench thread=0 ns min=1000 max=2000\n");
	assert_int_equal(data_lines, 1);
	g_string_free(got, TRUE);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain),
		cmocka_unit_test(damaged),
		cmocka_unit_test(nothing),
		cmocka_unit_test(explained),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
