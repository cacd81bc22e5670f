/*
 * cyclicdeadline and deadline_test of rt-tests (1.2 and later).
 *
 *     T: 0 (12717) I:10000 C:    101 Min:      2 Act:   47 Avg:   40 Max:     175
 *
 * cyclicdeadline: rows without a priority, I: is the deadline, microseconds. Its Min may rise
 * between two snapshots, since it takes a minimum of 0 for none yet. With --histogram (2.7) the
 * block of cyclictest follows.
 *
 *     [1234]
 *     missed deadlines  = 0
 *     max_time: 58us	min_time: 12us	avg_time: 14us
 *
 * deadline_test: a block per thread, of times that a thread ran, not of latencies.
 */
#include <string.h>

#include "parsers/cyclic_histogram.h"
#include "parsers/thread_rows.h"

struct cyclicdeadline {
	struct thread_run run;
	struct cyclic_histogram histogram;
	bool broken;
	char *break_text;
	struct record *test;            /* of deadline_test; NULL: none is open */
	struct series *thread;          /* its present block */
	struct number tid;              /* of a line "[1234]" right above */
	unsigned tid_line;
	unsigned test_commands;
};

static struct pattern frame = PATTERN(
	"^(?:Using all CPUS|interval: \\d+:\\d+$|Tested at \\d+us of \\d+us|deadline thread \\d+$|thread\\[\\d+\\] runtime=\\d+us deadline=\\d+us"
	"|main thread \\d+$)");
static struct pattern break_thread = PATTERN("^# Break thread: *(\\d+)$");
static struct pattern break_value = PATTERN("^# Break value: *(\\d+)$");
static struct pattern missed_row = PATTERN("^missed (deadlines|periods) += (\\d+)$");
static struct pattern tid_row = PATTERN("^\\[(\\d+)\\]$");
static struct pattern periods_row = PATTERN("^nr_periods *: (\\d+)$");
static struct pattern times_row =
	PATTERN("^max_time: (\\d+)us +min_time: (\\d+)us +avg_time: (\\d+)us");
static struct pattern test_frame = PATTERN(
	"^(?:Total adjustments = -?\\d+ us|# adjustments = \\d+ avg: -?\\d+ us|deadline *: \\d+ us|runtime *: \\d+ us"
	"|ctx switches vol:\\d+ nonvol:\\d+ migration:\\d+|highes?t? prime: \\d+)");

static struct number group_number(const struct match *m, int i, int scale)
{
	struct number n;

	number_parse(m->group[i].p, m->group[i].len, scale, &n);
	return n;
}

static void finish(struct parse *p)
{
	struct cyclicdeadline *c = p->state;
	struct record *r = c->run.record;

	if (r) {
		thread_run_fill(&c->run, 3);
		if (c->histogram.record) {
			/* The block of the run above: this parser takes no other. */
			r->source.last = MAX(r->source.last, c->histogram.record->source.last);
			cyclic_histogram_fill(&c->histogram, r, 3);
			parse_drop(p, c->histogram.record, "the histogram of the run above");
		}
		if (c->broken)
			record_flag(r, FLAG_INTERRUPTED, "%s", c->break_text, "");
		parse_emit(p, r);
	} else if (c->histogram.record) {
		if (cyclic_histogram_fill(&c->histogram, c->histogram.record, 3))
			parse_emit(p, c->histogram.record);
		else
			parse_drop(p, c->histogram.record, "a heading without figures");
	}
	thread_run_reset(&c->run);
	cyclic_histogram_reset(&c->histogram);
	g_clear_pointer(&c->break_text, g_free);
	c->broken = false;
}

/* The block belongs here only when this tool's rows or banner stand above it, or its command. */
static enum verdict take_histogram(struct parse *p, const struct line *l)
{
	struct cyclicdeadline *c = p->state;
	const char *command = parse_command(p);
	bool ended;
	enum verdict v;

	if (parse_command_count(p) != c->run.commands)
		finish(p);      /* of another run */
	if (!c->run.record && !c->histogram.record &&
	    !(command && strstr(command, "cyclicdeadline")))
		return VERDICT_PASS;
	c->run.commands = parse_command_count(p);
	v = cyclic_histogram_line(p, &c->histogram, "cyclicdeadline", l, &ended);
	if (ended)
		finish(p);
	return v;
}

static enum verdict take_break(struct cyclicdeadline *c, const struct line *l)
{
	struct match m;

	if (!c->run.record)
		return VERDICT_PASS;
	if (pattern_match(&break_thread, l->row, l->row_len, 0, &m)) {
		g_free(c->break_text);
		c->broken = true;
		c->break_text = g_strdup_printf("stopped by --breaktrace in thread %.*s",
		                                (int)m.group[1].len, m.group[1].p);
		return VERDICT_FRAME;
	}
	if (c->broken && pattern_match(&break_value, l->row, l->row_len, 0, &m)) {
		char *text = g_strdup_printf("%s, which saw %.*s us", c->break_text,
		                             (int)m.group[1].len, m.group[1].p);

		g_free(c->break_text);
		c->break_text = text;
		return VERDICT_FRAME;
	}
	return VERDICT_PASS;
}

/* deadline_test */

static void finish_test(struct parse *p)
{
	struct cyclicdeadline *c = p->state;
	bool any = false;

	if (!c->test)
		return;
	for (guint i = 0; i < c->test->series->len; i++) {
		const struct series *s = g_ptr_array_index(c->test->series, i);

		any |= number_is_set(s->field[FIELD_MAX]) ||
		       number_is_set(s->field[FIELD_OVERRUNS]);
	}
	if (any)
		parse_emit(p, c->test);
	else
		parse_drop(p, c->test, "cut before its figures");
	c->test = NULL;
	c->thread = NULL;
}

/* A thread's block: "[1234]" may be anything, what follows it is this program's. */
static void begin_thread(struct parse *p, const struct line *l)
{
	struct cyclicdeadline *c = p->state;

	if (c->test && (parse_command_count(p) != c->test_commands || c->test->series->len >= 4096))
		finish_test(p);
	if (!c->test) {
		c->test = parse_begin(p, "deadline_test", l);
		c->test_commands = parse_command_count(p);
	}
	c->thread = record_add_series(c->test, NULL);
	c->thread->quantity = "execution time";
	c->thread->unit = "ns";
	c->thread->resolution = number_int(1000);
	c->thread->line = l->first;
	if (number_is_set(c->tid)) {
		series_label_number(c->thread, "tid", c->tid);
		c->test->source.first = MIN(c->test->source.first, c->tid_line);
	}
	c->tid = number_absent();
}

static enum verdict take_missed(struct parse *p, const struct line *l, const struct match *m)
{
	struct cyclicdeadline *c = p->state;

	if (*m->group[1].p == 'd') {
		begin_thread(p, l);
		c->thread->field[FIELD_OVERRUNS] = group_number(m, 2, 0);
	}
	return c->thread ? VERDICT_DATA : VERDICT_PASS;
}

static enum verdict test_line(struct parse *p, const struct line *l)
{
	struct cyclicdeadline *c = p->state;
	enum verdict v = VERDICT_DATA;
	struct match m;

	if (pattern_match(&tid_row, l->row, l->row_len, 0, &m) ||
	    pattern_match(&tid_row, l->text, l->len, 0, &m)) {
		c->tid = group_number(&m, 1, 0);
		c->tid_line = l->first;
		return VERDICT_PASS;
	}
	if (pattern_match(&missed_row, l->row, l->row_len, 0, &m)) {
		v = take_missed(p, l, &m);
	} else if (!c->thread) {
		v = VERDICT_PASS;
	} else if (pattern_match(&periods_row, l->row, l->row_len, 0, &m)) {
		c->thread->field[FIELD_COUNT] = group_number(&m, 1, 0);
	} else if (pattern_match(&times_row, l->row, l->row_len, 0, &m)) {
		c->thread->field[FIELD_MAX] = group_number(&m, 1, 3);
		c->thread->field[FIELD_MIN] = group_number(&m, 2, 3);
		c->thread->field[FIELD_AVG] = group_number(&m, 3, 3);
	} else {
		v = pattern_match(&test_frame, l->row, l->row_len, 0, NULL) ? VERDICT_FRAME
		                                                            : VERDICT_PASS;
	}
	if (!(l->flags & LINE_BLANK) && v == VERDICT_PASS)
		c->tid = number_absent();
	if (v != VERDICT_PASS)
		parse_extend(p, c->test, l);
	return v;
}

static enum verdict cyclicdeadline_line(struct parse *p, const struct line *l)
{
	struct cyclicdeadline *c = p->state;
	struct thread_row row;
	enum verdict v;

	if (l->rejected)
		return VERDICT_PASS;
	if (thread_row_of(l, &row)) {
		if (thread_row_has(&row, THREAD_P) || !thread_row_has(&row, THREAD_I) ||
		    thread_row_has(&row, THREAD_A))
			return VERDICT_PASS;
		if (c->broken || c->histogram.record ||
		    (c->run.record && !thread_run_follows(p, &c->run, &row)))
			finish(p);
		thread_run_add(p, &c->run, "cyclicdeadline", l, &row);
		return VERDICT_DATA;
	}
	if (pattern_match(&frame, l->row, l->row_len, 0, NULL)) {
		if (g_str_has_prefix(l->row, "Using all CPUS"))
			finish(p);
		return VERDICT_FRAME;
	}
	v = take_break(c, l);
	if (v == VERDICT_PASS)
		v = take_histogram(p, l);
	if (v == VERDICT_PASS)
		v = test_line(p, l);
	if (v == VERDICT_PASS)
		thread_run_other(&c->run, l);
	return v;
}

static void cyclicdeadline_end(struct parse *p)
{
	struct cyclicdeadline *c = p->state;

	finish(p);
	finish_test(p);
	thread_run_free(&c->run);
	cyclic_histogram_free(&c->histogram);
}

static const struct row_shape shapes[] = {
	{ "T: ?\\d+ *\\( *\\d+ *\\) *I: *\\d+ *C:",
	  "T: ?\\d+ *\\( *\\d+ *\\) *I: *\\d+ *C: *\\d+ *Min: *-?\\d+ *Act: *-?\\d+ *Avg: *-?\\d+ *Max: *-?\\d++(?! ?\\.\\.| ?\xe2\x80\xa6|[.,']\\d|[a-tv-z])",
	  "(?:(?:[IC]:|Min:|Act:|Avg:|Max:|-?\\d++|\\))\\s*+)++$", SHAPE_INNER },
	{ "Using all CPUS$", NULL, NULL, 0 },
	{ "interval: \\d+:\\d+$", NULL, NULL, 0 },
	{ "Tested at \\d+us of \\d+us$", NULL, NULL, 0 },
	{ "deadline thread \\d+$", NULL, NULL, 0 },
	{ "thread\\[\\d+\\] runtime=\\d+us deadline=\\d+us", NULL, NULL, 0 },
	{ "main thread \\d+$", NULL, NULL, 0 },
	{ "missed deadlines += \\d", NULL, NULL, 0 },
	{ "\\[\\d+\\]$", NULL, NULL, 0 },
	{ "# Break thread: \\d", NULL, NULL, SHAPE_INNER | SHAPE_COMMENT },
	CYCLIC_HISTOGRAM_SHAPES,
	{ NULL, NULL, NULL, 0 }
};

static const struct tool_option options[] = {
	{ "-a", "--affinity", NULL, OPTION_TEXT },
	{ "-b", "--breaktrace", NULL, OPTION_INTEGER },
	{ "-D", "--duration", "duration_s", OPTION_DURATION },
	{ NULL, "--histogram", NULL, OPTION_INTEGER },
	{ NULL, "--histfile", NULL, OPTION_TEXT },
	{ "-i", "--interval", "period_ns", OPTION_US },
	{ NULL, "--json", NULL, OPTION_TEXT },
	{ "-q", "--quiet", NULL, OPTION_FLAG },
	{ "-s", "--step", NULL, OPTION_INTEGER },
	{ "-t", "--threads", "threads", OPTION_INTEGER },
	{ NULL, NULL, NULL, OPTION_FLAG }
};
static const struct tool_option test_options[] = {
	{ "-b", NULL, NULL, OPTION_FLAG },
	{ "-i", NULL, "period_ns", OPTION_US },
	{ "-r", NULL, NULL, OPTION_INTEGER },
	{ "-t", NULL, "threads", OPTION_INTEGER },
	{ NULL, NULL, NULL, OPTION_FLAG }
};
static const struct tool_options commands[] = {
	{ (const char *const[]){ "cyclicdeadline", NULL }, "cyclicdeadline", options },
	{ (const char *const[]){ "deadline_test", NULL }, "deadline_test", test_options },
	{ NULL, NULL, NULL }
};
static const char *const tools[] = { "cyclicdeadline", "deadline_test", NULL };
static const char *const literals[] = { "I:% C:%", "missed deadlines", NULL };

const struct parser parser_cyclicdeadline = {
	.name = "cyclicdeadline",
	.summary = "wake-up latency of SCHED_DEADLINE threads; deadline_test's execution times",
	.versions = "rt-tests 1.2 to 2.10",
	.sample = "T: 0 (12717) I:10000 C:    101 Min:      2 Act:   47 Avg:   40 Max:     175",
	.tools = tools,
	.literals = literals,
	.shapes = shapes,
	.commands = commands,
	.state_size = sizeof(struct cyclicdeadline),
	.line = cyclicdeadline_line,
	.end = cyclicdeadline_end,
};
