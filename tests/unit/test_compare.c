/* Pairing, verdicts and gates. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "lib/diff_report.h"
#include "lib/gate.h"
#include "lib/pivot.h"
#include "lib/record_json.h"

/* One run: facts of environment, settings, and the series as JSON. */
static struct record *run_of(const char *tool, const char *environment, const char *series)
{
	g_autofree char *json = g_strdup_printf("{\"schema\":\"rtreport/1\",\"kind\":\"run\",\"id\":\"0000000000000000\",\"tool\":\"%s\",\"mode\":null,"
		"\"settings\":{},\"environment\":{%s},\"series\":[%s],\"source\":{\"file\":\"f\"},\"flags\":[]}", tool, environment, series);
	char *error = NULL;
	struct record *r = record_from_json(json, strlen(json), &error);

	if (!r)
		fail_msg("%s: %s", error, json);
	return r;
}

struct world {
	struct identity *id;
	struct comparison *c;
	GPtrArray *pairs;
};

static void world_new(struct world *w, const char *ignore)
{
	char *error = NULL;

	w->id = identity_new(NULL, ignore, &error);
	w->c = comparison_new(w->id);
	w->pairs = NULL;
	comparison_side(w->c, "base");
	comparison_side(w->c, "new");
}

static void add(struct world *w, guint side, struct record *r)
{
	comparison_add(w->c, w->c->sides->pdata[side], r);
	record_free(r);
}

static void world_free(struct world *w)
{
	if (w->pairs)
		g_ptr_array_unref(w->pairs);
	comparison_free(w->c);
	identity_free(w->id);
}

/* Several runs of one series a side, as JSON of the series, NULL-terminated. */
static void fill(struct world *w, const char *const *base, const char *const *new)
{
	world_new(w, NULL);
	for (; *base; base++)
		add(w, 0, run_of("t", "", *base));
	for (; *new; new++)
		add(w, 1, run_of("t", "", *new));
	w->pairs = comparison_finish(w->c);
}

#define S(text) "{\"name\":\"x\",\"labels\":{},\"unit\":\"ns\",\"resolution\":1," text "}"
#define US(text) "{\"name\":\"x\",\"labels\":{},\"unit\":\"ns\",\"resolution\":1000," text "}"
#define RUNS 9

static const struct verdict_row {
	const char *what, *statistic, *base[RUNS], *new[RUNS];
	enum judgement want;
	const char *reason;             /* a part of it */
} verdicts[] = {
	{ "equal", "max", { S("\"max\":50000,\"count\":100") }, { S("\"max\":50000,\"count\":100") }, JUDGED_SAME, NULL },
	{ "within the resolution", "max", { US("\"max\":50000,\"count\":100") }, { US("\"max\":51000,\"count\":100") }, JUDGED_SAME, "resolution of 1 us" },
	{ "the coarser resolution counts", "avg", { S("\"avg\":50000") }, { US("\"avg\":50900") }, JUDGED_SAME, "resolution" },
	{ "one run each, beyond the least effect", "max", { US("\"max\":50000,\"count\":100") }, { US("\"max\":60000,\"count\":100") }, JUDGED_WORSE, "one run each" },
	{ "one run each, below it", "max", { US("\"max\":50000,\"count\":100") }, { US("\"max\":55000,\"count\":100") }, JUDGED_INCONCLUSIVE, "one run each" },
	{ "exactly 10 % is not beyond", "avg", { US("\"avg\":50000") }, { US("\"avg\":55000") }, JUDGED_INCONCLUSIVE, "one run each" },
	{ "lower maximum of a longer run", "max", { US("\"max\":50000,\"count\":100") }, { US("\"max\":30000,\"count\":101") }, JUDGED_BETTER, "one run each" },
	{ "lower maximum of a shorter run", "max", { US("\"max\":50000,\"count\":100") }, { US("\"max\":30000,\"count\":99") }, JUDGED_INCONCLUSIVE, "shorter" },
	{ "higher maximum of a longer run", "max", { US("\"max\":30000,\"count\":100") }, { US("\"max\":50000,\"count\":101") }, JUDGED_INCONCLUSIVE, "longer" },
	{ "higher maximum of a shorter run", "max", { US("\"max\":30000,\"count\":100") }, { US("\"max\":50000,\"count\":99") }, JUDGED_WORSE, "one run each" },
	{ "length not known", "max", { US("\"max\":30000") }, { US("\"max\":50000,\"count\":99") }, JUDGED_INCONCLUSIVE, "not known" },
	{ "rows tell the length", "max", { S("\"max\":30000,\"samples\":[{\"max\":1},{\"max\":30000}]") },
	  { S("\"max\":50000,\"samples\":[{\"max\":50000}]") }, JUDGED_WORSE, "one run each" },
	{ "an average needs no length", "avg", { US("\"avg\":30000") }, { US("\"avg\":20000") }, JUDGED_BETTER, "one run each" },
	{ "missing on one side", "avg", { US("\"max\":1") }, { US("\"avg\":1") }, JUDGED_INCOMPARABLE, "not in the base" },
	{ "null is not there", "avg", { US("\"avg\":1") }, { US("\"avg\":null") }, JUDGED_INCOMPARABLE, "not in the new" },
	{ "below zero", "min", { S("\"min\":-2000") }, { S("\"min\":-1000") }, JUDGED_WORSE, "one run each" },
	{ "four runs each, apart", "max",
	  { US("\"max\":50000,\"count\":9"), US("\"max\":51000,\"count\":9"), US("\"max\":52000,\"count\":9"), US("\"max\":53000,\"count\":9") },
	  { US("\"max\":56000,\"count\":9"), US("\"max\":57000,\"count\":9"), US("\"max\":58000,\"count\":9"), US("\"max\":59000,\"count\":9") },
	  JUDGED_WORSE, "p=0.029, 4 and 4 runs" },
	{ "four runs each, mixed", "max",
	  { US("\"max\":50000,\"count\":9"), US("\"max\":57000,\"count\":9"), US("\"max\":52000,\"count\":9"), US("\"max\":58000,\"count\":9") },
	  { US("\"max\":56000,\"count\":9"), US("\"max\":51000,\"count\":9"), US("\"max\":70000,\"count\":9"), US("\"max\":53000,\"count\":9") },
	  JUDGED_INCONCLUSIVE, "4 and 4 runs" },
	{ "three runs each are too few for a test", "avg",
	  { US("\"avg\":50000"), US("\"avg\":51000"), US("\"avg\":52000") }, { US("\"avg\":53000"), US("\"avg\":54000"), US("\"avg\":55000") },
	  JUDGED_INCONCLUSIVE, "3 and 3 runs" },
	{ "but all of them far away say something", "avg",
	  { US("\"avg\":50000"), US("\"avg\":51000"), US("\"avg\":52000") }, { US("\"avg\":73000"), US("\"avg\":74000"), US("\"avg\":75000") },
	  JUDGED_WORSE, "3 and 3 runs" },
	{ "one peak of a histogram may be chance", "max",
	  { US("\"max\":5000,\"count\":1000,\"histogram\":{\"bin_width\":1000,\"bins\":[[1000,990],[5000,10]]}") },
	  { US("\"max\":90000,\"count\":1000,\"histogram\":{\"bin_width\":1000,\"bins\":[[1000,999],[90000,1]]}") }, JUDGED_INCONCLUSIVE, "1 sample above" },
	{ "eight are not", "max",
	  { US("\"max\":5000,\"count\":1000,\"histogram\":{\"bin_width\":1000,\"bins\":[[1000,990],[5000,10]]}") },
	  { US("\"max\":90000,\"count\":1000,\"histogram\":{\"bin_width\":1000,\"bins\":[[1000,992],[90000,8]]}") }, JUDGED_WORSE, "8 samples above" },
	{ "percentiles by their intervals", "p90",
	  { US("\"max\":5000,\"count\":1000,\"histogram\":{\"bin_width\":1000,\"bins\":[[1000,950],[5000,50]]}") },
	  { US("\"max\":5000,\"count\":1000,\"histogram\":{\"bin_width\":1000,\"bins\":[[1000,500],[5000,500]]}") }, JUDGED_WORSE, "intervals do not meet" },
	{ "and where they overlap", "p95",
	  { US("\"max\":5000,\"count\":1000,\"histogram\":{\"bin_width\":1000,\"bins\":[[1000,955],[5000,45]]}") },
	  { US("\"max\":5000,\"count\":1000,\"histogram\":{\"bin_width\":1000,\"bins\":[[1000,945],[5000,55]]}") }, JUDGED_INCONCLUSIVE, "overlap" },
	{ "overruns by their rates", "overruns", { US("\"max\":1,\"count\":1000,\"overruns\":0") }, { US("\"max\":1,\"count\":1000,\"overruns\":9") }, JUDGED_WORSE, "p=0.0039" },
	{ "a few may be chance", "overruns", { US("\"max\":1,\"count\":1000,\"overruns\":0") }, { US("\"max\":1,\"count\":1000,\"overruns\":2") }, JUDGED_INCONCLUSIVE, "chance" },
	{ "no direction", "max", { "{\"name\":\"x\",\"labels\":{},\"quantity\":\"cpu loop\",\"unit\":\"%\",\"max\":1}" },
	  { "{\"name\":\"x\",\"labels\":{},\"quantity\":\"cpu loop\",\"unit\":\"%\",\"max\":2}" }, JUDGED_DIFFERENT, NULL },
	{ "elapsed time is better when less", "value", { "{\"name\":\"x\",\"labels\":{},\"quantity\":\"elapsed time\",\"unit\":\"s\",\"value\":90}" },
	  { "{\"name\":\"x\",\"labels\":{},\"quantity\":\"elapsed time\",\"unit\":\"s\",\"value\":70}" }, JUDGED_BETTER, "one run each" },
	{ "unit not known", "max", { "{\"name\":\"x\",\"labels\":{},\"unit\":null,\"max\":1}" }, { "{\"name\":\"x\",\"labels\":{},\"unit\":null,\"max\":2}" },
	  JUDGED_INCOMPARABLE, "unit not known" },
};

static void test_verdicts(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(verdicts); i++) {
		const struct verdict_row *row = &verdicts[i];
		struct judge_options options = { { { 0 }, NULL } };
		struct verdict_text v;
		struct statistic what;
		const struct pair *p;
		struct world w;

		fill(&w, row->base, row->new);
		assert_int_equal(w.pairs->len, 1);
		p = w.pairs->pdata[0];
		assert_true(statistic_parse(row->statistic, strlen(row->statistic), &what));
		judge(p->side[0], p->side[1], &what, &options, &v);
		if (v.judgement != row->want || (row->reason && !(v.reason && strstr(v.reason, row->reason))) || (!row->reason && v.reason))
			fail_msg("%s: %s (%s)", row->what, judgement_name(v.judgement), v.reason ? v.reason : "");
		/* Every verdict that is no verdict says how to get one. */
		if (v.judgement == JUDGED_INCONCLUSIVE && !v.advice && !strstr(v.reason, "p=") && what.percentile == NULL)
			fail_msg("%s: no advice", row->what);
		verdict_clear(&v);
		world_free(&w);
	}
}

/* The same two sides the other way round give the opposite. */
static void test_symmetry(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(verdicts); i++) {
		const struct verdict_row *row = &verdicts[i];
		struct verdict_text v;
		struct statistic what;
		const struct pair *p;
		struct world w;
		enum judgement want = row->want == JUDGED_WORSE ? JUDGED_BETTER : row->want == JUDGED_BETTER ? JUDGED_WORSE : row->want;

		fill(&w, row->new, row->base);
		p = w.pairs->pdata[0];
		statistic_parse(row->statistic, strlen(row->statistic), &what);
		judge(p->side[0], p->side[1], &what, NULL, &v);
		/* 10 % of one side is not 10 % of the other; a longer run is a shorter one's opposite. */
		if (v.judgement != want && !strstr(row->what, "10 %") && !strstr(row->what, "below it"))
			fail_msg("%s: %s (%s)", row->what, judgement_name(v.judgement), v.reason ? v.reason : "");
		verdict_clear(&v);
		world_free(&w);
	}
}

/* Never by position: the rows come in another order, one is only here, one only there. */
static void test_pairs(void **state)
{
	struct world w;
	unsigned both = 0;
	(void)state;

	world_new(&w, NULL);
	add(&w, 0, run_of("t", "", "{\"name\":\"a\",\"unit\":\"ns\",\"max\":1},{\"name\":\"b\",\"unit\":\"ns\",\"max\":2},{\"name\":\"gone\",\"unit\":\"ns\",\"max\":3}"));
	add(&w, 1, run_of("t", "", "{\"name\":\"new\",\"unit\":\"ns\",\"max\":9},{\"name\":\"b\",\"unit\":\"ns\",\"max\":2},{\"name\":\"a\",\"unit\":\"ns\",\"max\":1}"));
	w.pairs = comparison_finish(w.c);
	assert_int_equal(w.pairs->len, 4);
	for (guint i = 0; i < w.pairs->len; i++) {
		const struct pair *p = w.pairs->pdata[i];

		if (!p->side[0] || !p->side[1])
			continue;
		both++;
		assert_string_equal(p->side[0]->series->name, p->side[1]->series->name);
		assert_true(number_equal(p->side[0]->series->field[FIELD_MAX], p->side[1]->series->field[FIELD_MAX]));
	}
	assert_int_equal(both, 2);
	world_free(&w);
}

static const struct table *find_table(const struct document *d, const char *title)
{
	for (guint i = 0; i < d->tables->len; i++) {
		const struct table *t = d->tables->pdata[i];

		if (t->title && strstr(t->title, title))
			return t;
	}
	return NULL;
}

static char *cell_at(const struct table *t, guint row, guint column)
{
	return cell_show(t, column, (struct cell *)t->rows->pdata[row] + column);
}

/* Loads keep series apart; the report says what would pair them. */
static void test_unmatched_hint(void **state)
{
	struct diff_options o = { .unit = NULL };
	struct document *d;
	const struct table *t;
	g_autofree char *why = NULL;
	struct world w;
	(void)state;

	world_new(&w, NULL);
	add(&w, 0, run_of("t", "\"load\":\"idle\"", US("\"max\":1000")));
	add(&w, 1, run_of("t", "\"load\":\"hackbench\"", US("\"max\":2000")));
	w.pairs = comparison_finish(w.c);
	d = diff_report(w.c, w.pairs, &o, NULL, NULL);
	t = find_table(d, "Not matched");
	assert_non_null(t);
	assert_int_equal(t->rows->len, 2);
	why = cell_at(t, 0, 4);
	assert_non_null(strstr(why, "--ignore load"));
	document_free(d);
	world_free(&w);
	world_new(&w, "load");
	add(&w, 0, run_of("t", "\"load\":\"idle\"", US("\"max\":1000")));
	add(&w, 1, run_of("t", "\"load\":\"hackbench\"", US("\"max\":2000")));
	w.pairs = comparison_finish(w.c);
	assert_int_equal(w.pairs->len, 1);
	world_free(&w);
}

/* 1.5 ms against 900 us: compared after normalising, shown in one unit, with the difference of the systems beside it. */
static void test_report(void **state)
{
	struct diff_options o = { .unit = "ms" };
	struct document *d;
	const struct table *t;
	struct world w;
	g_autofree char *base = NULL, *new = NULL, *percent = NULL, *kernel = NULL;
	(void)state;

	world_new(&w, NULL);
	add(&w, 0, run_of("t", "\"board\":\"b\",\"kernel\":\"4.4\"", US("\"max\":900000,\"count\":5")));
	add(&w, 1, run_of("t", "\"board\":\"b\",\"kernel\":\"4.9\"", US("\"max\":1500000,\"count\":5")));
	w.pairs = comparison_finish(w.c);
	d = diff_report(w.c, w.pairs, &o, NULL, NULL);
	t = find_table(d, "base → new");
	assert_non_null(t);
	assert_string_equal(g_array_index(t->columns, struct column, 3).unit, "ms");
	base = cell_at(t, 0, 3);
	new = cell_at(t, 0, 4);
	percent = cell_at(t, 0, 6);
	assert_string_equal(base, "0.9");
	assert_string_equal(new, "1.5");
	assert_string_equal(percent, "66.7");
	t = find_table(d, "Environment");
	assert_int_equal(t->rows->len, 1);
	kernel = cell_at(t, 0, 2);
	assert_string_equal(kernel, "4.9");
	document_free(d);
	world_free(&w);
}

static void test_conditions(void **state)
{
	static const struct { const char *text; enum outcome want; } rows[] = {
		{ "max>+10%", OUTCOME_TRUE }, { "max>+20%", OUTCOME_FALSE }, { "max>+19%", OUTCOME_TRUE }, { "max>+9us", OUTCOME_TRUE },
		{ "max>+10us", OUTCOME_FALSE }, { "max>=+10us", OUTCOME_TRUE }, { "max>59us", OUTCOME_TRUE }, { "max<=60us", OUTCOME_TRUE },
		{ "max<0.06ms", OUTCOME_FALSE }, { "max>10%", OUTCOME_UNKNOWN }, { "max>5", OUTCOME_UNKNOWN }, { "p99>1us", OUTCOME_UNKNOWN },
		{ "avg<-10%", OUTCOME_TRUE }, { "count>=100", OUTCOME_TRUE }, { "overruns>0", OUTCOME_UNKNOWN },
	};
	static const char *const wrong[] = { "", "max", "max>", "max>fast", "maximum>5us", "worst", "max:worst", "foo:worse", "max>+5parsec" };
	static const char *const base[] = { US("\"max\":50000,\"avg\":20000,\"count\":100"), NULL };
	static const char *const new[] = { US("\"max\":60000,\"avg\":10000,\"count\":100"), NULL };
	const struct pair *p;
	struct world w;
	char *error = NULL;
	(void)state;

	fill(&w, base, new);
	p = w.pairs->pdata[0];
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		GPtrArray *c = conditions_parse(rows[i].text, &error);

		if (!c)
			fail_msg("%s", error);
		if (condition_try(c->pdata[0], p->side[0], p->side[1]) != rows[i].want)
			fail_msg("%s", rows[i].text);
		g_ptr_array_unref(c);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
		GPtrArray *c = conditions_parse(wrong[i], &error);

		if (c)
			fail_msg("accepted: %s", wrong[i]);
		assert_non_null(error);
		g_clear_pointer(&error, g_free);
	}
	world_free(&w);
}

static void test_judged_conditions(void **state)
{
	const struct statistic max = { FIELD_MAX, NULL }, avg = { FIELD_AVG, NULL };
	char *error = NULL;
	GPtrArray *c = conditions_parse("worse, max:worse,changed,inconclusive", &error);
	(void)state;

	assert_int_equal(condition_judged(c->pdata[0], &avg, JUDGED_WORSE), OUTCOME_TRUE);
	assert_int_equal(condition_judged(c->pdata[1], &avg, JUDGED_WORSE), OUTCOME_UNKNOWN);
	assert_int_equal(condition_judged(c->pdata[1], &max, JUDGED_WORSE), OUTCOME_TRUE);
	assert_int_equal(condition_judged(c->pdata[2], &max, JUDGED_BETTER), OUTCOME_TRUE);
	assert_int_equal(condition_judged(c->pdata[2], &max, JUDGED_SAME), OUTCOME_FALSE);
	assert_int_equal(condition_judged(c->pdata[3], &max, JUDGED_INCONCLUSIVE), OUTCOME_TRUE);
	g_ptr_array_unref(c);
}

static void count_bad(unsigned line, const char *message, void *data)
{
	(void)message;
	*(unsigned *)data = *(unsigned *)data * 10 + line;
}

static void test_limits(void **state)
{
	static const char text[] = "# limits of the lab\n\ncyclictest - \"My Board\": max<=50us, avg<=10us\ntool=ping load~idle: max<=1ms\n*: max<=1s\n";
	static const char wrong[] = "cyclictest\ncyclictest: max\nfoo=: max<=1us\na b c d: max<=1us\nt: worse\n";
	struct record *cyclic = run_of("cyclictest", "\"board\":\"myboard\"", US("\"max\":60000"));
	struct record *ping = run_of("ping", "\"load\":\"Idle\"", US("\"max\":60000"));
	struct subject a = { cyclic, cyclic->series->pdata[0], NULL }, b = { ping, ping->series->pdata[0], NULL };
	unsigned bad = 0;
	GPtrArray *limits = limits_parse(text, count_bad, &bad);
	(void)state;

	assert_non_null(limits);
	assert_int_equal(limits->len, 3);
	assert_true(limit_applies(limits->pdata[0], &a));
	assert_false(limit_applies(limits->pdata[0], &b));
	assert_false(limit_applies(limits->pdata[1], &a));
	assert_true(limit_applies(limits->pdata[1], &b));
	assert_true(limit_applies(limits->pdata[2], &a));
	assert_int_equal(((struct limit *)limits->pdata[0])->conditions->len, 2);
	g_ptr_array_unref(limits);
	assert_null(limits_parse(wrong, count_bad, &bad));
	assert_int_equal(bad, 12345);
	record_free(cyclic);
	record_free(ping);
}

/* A missing result leaves its cell empty and shifts nothing; best and worst are marked; what varies has a footnote. */
static void test_pivot(void **state)
{
	char *error = NULL;
	struct identity *id = identity_new("board", NULL, &error);
	struct merge *m = merge_new(id);
	struct record *runs[] = {
		run_of("t", "\"board\":\"B2\",\"kernel\":\"4.4\"", "{\"name\":\"one\",\"unit\":\"ns\",\"max\":7000},{\"name\":\"two\",\"unit\":\"ns\",\"max\":9000}"),
		run_of("t", "\"board\":\"B10\",\"kernel\":\"4.4\"", "{\"name\":\"two\",\"unit\":\"ns\",\"max\":5000}"),
		run_of("t", "\"board\":\"b10\",\"kernel\":\"4.9\"", "{\"name\":\"two\",\"unit\":\"ns\",\"max\":6000}"),
		run_of("t", "", "{\"name\":\"two\",\"unit\":\"ns\",\"max\":8000}"),
	};
	g_autoptr(GPtrArray) none = keys_parse("", &error), col = keys_parse("board", &error), records = NULL;
	g_autoptr(GArray) statistics = g_array_new(FALSE, FALSE, sizeof(struct statistic));
	struct statistic max = { FIELD_MAX, NULL };
	struct pivot_options o = { none, none, col, statistics, NULL };
	struct document *d;
	const struct table *t;
	const struct cell *row;
	(void)state;

	g_array_append_val(statistics, max);
	for (size_t i = 0; i < G_N_ELEMENTS(runs); i++) {
		merge_add(m, &(struct subject){ runs[i], NULL, NULL });
		record_free(runs[i]);
	}
	records = merge_records(m);
	d = pivot_report(records, &o);
	assert_int_equal(d->tables->len, 1);
	t = d->tables->pdata[0];
	assert_int_equal(t->columns->len, 4);
	assert_string_equal(g_array_index(t->columns, struct column, 1).heading, "B2");
	assert_string_equal(g_array_index(t->columns, struct column, 2).heading, "B10");
	assert_string_equal(g_array_index(t->columns, struct column, 3).heading, "not stated");
	assert_string_equal(g_array_index(t->columns, struct column, 1).unit, "us");
	assert_int_equal(t->rows->len, 2);
	row = t->rows->pdata[0];
	assert_string_equal(row[0].text, "one");
	assert_true(number_equal(row[1].number, number_int(7)));
	assert_false(number_is_set(row[2].number) || row[2].text);
	row = t->rows->pdata[1];
	assert_int_equal(row[1].mark, MARK_WORST);
	assert_int_equal(row[2].mark, MARK_BEST);
	assert_int_equal(row[3].mark, MARK_NONE);
	assert_true(number_equal(row[2].number, number_int(6)));
	assert_int_equal(row[2].footnote, 1);
	assert_string_equal(t->notes->pdata[0], "kernel differs inside the cell.");
	document_free(d);
	merge_free(m);
	identity_free(id);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_verdicts), cmocka_unit_test(test_symmetry), cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_unmatched_hint), cmocka_unit_test(test_report), cmocka_unit_test(test_conditions),
		cmocka_unit_test(test_judged_conditions), cmocka_unit_test(test_limits), cmocka_unit_test(test_pivot),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
