/*
 * rt-migrate-test of rt-tests (0.51 and later): scheduling latency of tasks of rising priority, in
 * microseconds.
 *
 *     Iter:      0       1       2
 *        0:    20050      70      38
 *      len:    40050   20070   20038
 *     Parent pid: 18284
 *      Task 0 (prio 2) (pid 18287):
 *        Max: 20050 us
 *        Min: 39 us
 *        Tot: 40138 us
 *        Avg: 13379 us
 *
 * That the task of lowest priority waits for a whole run is how the test works, no anomaly.
 */
#include <string.h>

#include "lib/parser.h"

#define MAX_TASKS 1024u
#define MAX_ITERATIONS 100000u

struct iteration { struct number value; struct number iteration; guint task; unsigned line; };

struct rt_migrate_test {
	struct record *record;          /* NULL: no run is open */
	struct series *task;            /* of the block that is read; NULL: none */
	GArray *rows;                   /* struct iteration */
	guint tasks;                    /* that the heading names; 0: it is not there */
	bool failed;
};

static struct pattern header = PATTERN("^Iter:((?: +\\d+)+)$");
static struct pattern iteration_row = PATTERN("^(\\d+):((?: +\\d+)+)$");
static struct pattern frame =
	PATTERN("^(?:len:(?: +\\d+)+$|loops:(?: +\\d+)+$|Parent pid: \\d+$|Passed!$)");
static struct pattern failed_row = PATTERN("^Failed!$");
static struct pattern task_row = PATTERN("^Task (\\d+) \\(prio (\\d+)\\) \\(pid (\\d+)\\):");
static struct pattern figure_row = PATTERN("^(?:(Max)|(Min)|(Avg)|(Tot)): (-?\\d+) us$");

static struct number slice_number(struct slice s, int scale)
{
	struct number n;

	number_parse(s.p, s.len, scale, &n);
	return n;
}

static void begin(struct parse *p, const struct line *l)
{
	struct rt_migrate_test *t = p->state;

	if (t->record) {
		parse_extend(p, t->record, l);
		return;
	}
	t->record = parse_begin(p, "rt-migrate-test", l);
	t->rows = g_array_new(FALSE, FALSE, sizeof(struct iteration));
}

static struct series *add_task(struct rt_migrate_test *t, struct number index, unsigned line)
{
	struct series *s = record_add_series(t->record, NULL);

	s->unit = "ns";
	s->resolution = number_int(1000);
	s->line = line;
	series_label_number(s, "thread", index);
	return s;
}

static void fill_samples(struct rt_migrate_test *t)
{
	static const enum field columns[] = { FIELD_CYCLE, FIELD_VALUE };

	for (guint i = 0; i < t->rows->len; i++) {
		const struct iteration *row = &g_array_index(t->rows, struct iteration, i);
		struct number values[] = { row->iteration, row->value };
		struct series *s;

		while (t->record->series->len <= row->task)
			add_task(t, number_int(t->record->series->len), row->line);
		s = g_ptr_array_index(t->record->series, row->task);
		series_columns(s, G_N_ELEMENTS(columns), columns);
		series_add_row(s, row->line, values);
	}
}

static void finish(struct parse *p)
{
	struct rt_migrate_test *t = p->state;

	if (!t->record)
		return;
	fill_samples(t);
	if (t->failed)
		record_flag(t->record, FLAG_INTERRUPTED, "", "the test reports a failure");
	if (t->record->series->len)
		parse_emit(p, t->record);
	else
		parse_drop(p, t->record, "cut before its figures");
	g_array_unref(t->rows);
	memset(t, 0, sizeof(*t));
}

static guint count_words(const char *s, const char *end)
{
	guint n = 0;

	for (; s < end; s++)
		n += *s != ' ' && (s + 1 == end || s[1] == ' ');
	return n;
}

/* A value a task, as the heading has them: of a row with more or fewer none is certain to be its task's. */
static void take_iteration(struct rt_migrate_test *t, const struct match *m, unsigned line)
{
	struct iteration row = { .iteration = slice_number(m->group[1], 0), .line = line };
	const char *s = m->group[2].p, *end = s + m->group[2].len;
	guint words = count_words(s, end), tasks = t->tasks ? t->tasks : words;

	if (words != tasks)
		record_flag(t->record, FLAG_ROW_TRUNCATED, "", "a row has more or fewer values than there are tasks");
	for (row.task = 0; row.task < MIN(tasks, MAX_TASKS) && t->rows->len < MAX_ITERATIONS; row.task++) {
		const char *word;

		while (s < end && *s == ' ')
			s++;
		for (word = s; s < end && *s != ' '; s++)
			;
		row.value = number_null();
		if (words == tasks)
			number_parse(word, (size_t)(s - word), 3, &row.value);
		g_array_append_val(t->rows, row);
	}
}

static enum verdict take_task(struct parse *p, const struct line *l, const struct match *m)
{
	struct rt_migrate_test *t = p->state;
	struct number index = slice_number(m->group[1], 0);

	/* Tasks are numbered from 0: a lower number is another run's. */
	if (t->record && t->record->series->len &&
	    number_cmp(index, number_int(t->record->series->len)) < 0)
		finish(p);
	begin(p, l);
	if (t->record->series->len >= MAX_TASKS)
		return VERDICT_PASS;
	t->task = add_task(t, index, l->first);
	series_label_number(t->task, "tid", slice_number(m->group[3], 0));
	series_label_number(t->task, "priority", slice_number(m->group[2], 0));
	return VERDICT_DATA;
}

static enum verdict take_figure(struct parse *p, const struct line *l, const struct match *m)
{
	static const enum field fields[] = { FIELD_MAX, FIELD_MIN, FIELD_AVG };
	struct rt_migrate_test *t = p->state;

	for (int i = 0; i < 3; i++)
		if (m->group[i + 1].p)
			t->task->field[fields[i]] = slice_number(m->group[5], 3);
	parse_extend(p, t->record, l);
	return VERDICT_DATA;
}

static enum verdict rt_migrate_test_line(struct parse *p, const struct line *l)
{
	struct rt_migrate_test *t = p->state;
	struct match m;

	if (l->rejected)
		return VERDICT_PASS;
	if (pattern_match(&header, l->row, l->row_len, 0, &m)) {
		finish(p);
		begin(p, l);
		t->tasks = count_words(m.group[1].p, m.group[1].p + m.group[1].len);
		return VERDICT_FRAME;
	}
	if (pattern_match(&task_row, l->row, l->row_len, 0, &m))
		return take_task(p, l, &m);
	if (!t->record)
		return VERDICT_PASS;
	if (t->task && pattern_match(&figure_row, l->row, l->row_len, 0, &m))
		return take_figure(p, l, &m);
	if (!t->task && (pattern_match(&iteration_row, l->row, l->row_len, 0, &m) ||
	                 pattern_match(&iteration_row, l->text + strspn(l->text, " "),
	                               l->len - strspn(l->text, " "), 0, &m))) {
		take_iteration(t, &m, l->first);
		parse_extend(p, t->record, l);
		return VERDICT_DATA;
	}
	if (pattern_match(&failed_row, l->row, l->row_len, 0, NULL))
		t->failed = true;
	else if (!pattern_match(&frame, l->row, l->row_len, 0, NULL))
		return VERDICT_PASS;
	parse_extend(p, t->record, l);
	return VERDICT_FRAME;
}

static const struct row_shape shapes[] = {
	{ "Iter: +0 ", NULL, NULL, SHAPE_INNER },
	{ "Iter: +0$", NULL, NULL, SHAPE_INNER },
	{ "Task \\d+ \\(prio \\d+\\) \\(pid \\d+\\):", NULL, NULL, SHAPE_INNER },
	{ NULL, NULL, NULL, 0 }
};

static const struct tool_option options[] = {
	{ "-c", "--check", NULL, OPTION_FLAG },
	{ "-D", "--duration", "duration_s", OPTION_DURATION },
	{ "-e", "--equal", NULL, OPTION_FLAG },
	{ NULL, "--json", NULL, OPTION_TEXT },
	{ "-l", "--loops", "loops", OPTION_INTEGER },
	{ "-m", "--maxerr", NULL, OPTION_INTEGER },
	{ "-p", "--prio", "priority", OPTION_INTEGER },
	{ "-q", "--quiet", NULL, OPTION_FLAG },
	{ "-r", "--run-time", NULL, OPTION_INTEGER },
	{ "-s", "--sleep-time", NULL, OPTION_INTEGER },
	{ NULL, NULL, NULL, OPTION_FLAG }
};
static const struct tool_options commands[] = {
	{ (const char *const[]){ "rt-migrate-test", NULL }, "rt-migrate-test", options },
	{ NULL, NULL, NULL }
};
static const char *const tools[] = { "rt-migrate-test", NULL };
static const char *const literals[] = { "Iter: %", ") (pid %", NULL };

const struct parser parser_rt_migrate_test = {
	.name = "rt-migrate-test",
	.summary = "scheduling latency of tasks of rising priority",
	.versions = "rt-tests 0.51 to 2.10",
	.sample = " Task 0 (prio 2) (pid 18287):",
	.tools = tools,
	.literals = literals,
	.shapes = shapes,
	.commands = commands,
	.state_size = sizeof(struct rt_migrate_test),
	.line = rt_migrate_test_line,
	.end = finish,
};
