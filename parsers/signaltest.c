/*
 * signaltest of rt-tests (0.11 and later): how long a signal takes round a ring of threads, in
 * microseconds.
 *
 *     T: 0 (16714) P:80 C:    200 Min:     37 Act:   48 Avg:   53 Max:     207
 *
 * The live screen shows thread 0 only, the end all of them. With -v sample lines
 * "thread:cycle:value" come first.
 */
#include <string.h>

#include "parsers/thread_rows.h"

#define MAX_SAMPLES_WAITING 1000000u    /* sample lines before the rows that tell whose they are */
#define MAX_THREADS 4096

struct sample { struct number thread, cycle, value; unsigned line; };

struct signaltest {
	struct thread_run run;
	GArray *samples;                /* struct sample: they stand above the rows */
};

static struct pattern sample_line = PATTERN("^(\\d+): *(\\d+): *(-?\\d+)$");

static struct number group_number(const struct match *m, int i, int scale)
{
	struct number n;

	number_parse(m->group[i].p, m->group[i].len, scale, &n);
	return n;
}

static void fill_samples(struct signaltest *t)
{
	static const enum field columns[] = { FIELD_CYCLE, FIELD_VALUE };

	for (guint i = 0; t->samples && i < t->samples->len; i++) {
		const struct sample *sample = &g_array_index(t->samples, struct sample, i);
		struct series *s = thread_series(t->run.record, sample->thread);
		struct number row[] = { sample->cycle, sample->value };

		series_columns(s, G_N_ELEMENTS(columns), columns);
		series_add_row(s, sample->line, row);
		t->run.record->source.first = MIN(t->run.record->source.first, sample->line);
	}
}

static void finish(struct parse *p)
{
	struct signaltest *t = p->state;

	if (t->run.record) {
		thread_run_fill(&t->run, 3);
		fill_samples(t);
		parse_emit(p, t->run.record);
	}
	thread_run_reset(&t->run);
	g_clear_pointer(&t->samples, g_array_unref);
}

/* Sample lines are the tool's only if its rows follow: until then they wait. */
static enum verdict take_sample(struct parse *p, const struct line *l, const struct match *m)
{
	struct signaltest *t = p->state;
	struct sample sample = {
		.thread = group_number(m, 1, 0),
		.cycle = group_number(m, 2, 0),
		.value = group_number(m, 3, 3),
		.line = l->first,
	};

	if (t->run.record)
		finish(p);
	if (number_cmp(sample.thread, number_int(MAX_THREADS)) >= 0)
		return VERDICT_PASS;
	if (!t->samples)
		t->samples = g_array_new(FALSE, FALSE, sizeof(struct sample));
	if (t->samples->len < MAX_SAMPLES_WAITING)
		g_array_append_val(t->samples, sample);
	return VERDICT_DATA;
}

static enum verdict signaltest_line(struct parse *p, const struct line *l)
{
	struct signaltest *t = p->state;
	struct thread_row row;
	struct match m;

	if (l->rejected)
		return VERDICT_PASS;
	if (thread_row_of(l, &row)) {
		if (!thread_row_has(&row, THREAD_P) || thread_row_has(&row, THREAD_I) ||
		    thread_row_has(&row, THREAD_Y) || !thread_row_has(&row, THREAD_C))
			return VERDICT_PASS;
		if (t->run.record && !thread_run_follows(p, &t->run, &row))
			finish(p);
		thread_run_add(p, &t->run, "signaltest", l, &row);
		return VERDICT_DATA;
	}
	/* Eight wide each: not a time of day. */
	if (pattern_match(&sample_line, l->row, l->row_len, 0, &m) && strstr(l->row, ":  "))
		return take_sample(p, l, &m);
	thread_run_other(&t->run, l);
	return VERDICT_PASS;
}

static void signaltest_end(struct parse *p)
{
	struct signaltest *t = p->state;

	finish(p);
	thread_run_free(&t->run);
}

static const struct row_shape shapes[] = {
	{ "T: ?\\d+ *\\( *\\d+ *\\) *P: *\\d+ *C:",
	  "T: ?\\d+ *\\( *\\d+ *\\) *P: *\\d+ *C: *\\d+ *Min: *-?\\d+ *Act: *-?\\d+ *(?:Avg: *-?\\d+ *)?Max: *-?\\d++(?! ?\\.\\.| ?\xe2\x80\xa6|[.,']\\d|[a-tv-z])",
	  "(?:(?:[PC]:|Min:|Act:|Avg:|Max:|-?\\d++|\\))\\s*+)++$", SHAPE_INNER },
	{ "0:       0:       0$", NULL, NULL, 0 },
	{ NULL, NULL, NULL, 0 }
};

static const struct tool_option options[] = {
	{ "-a", "--affinity", NULL, OPTION_TEXT },
	{ "-b", "--breaktrace", NULL, OPTION_INTEGER },
	{ "-D", "--duration", "duration_s", OPTION_DURATION },
	{ NULL, "--json", NULL, OPTION_TEXT },
	{ "-l", "--loops", "loops", OPTION_INTEGER },
	{ "-m", "--mlockall", NULL, OPTION_FLAG },
	{ "-p", "--prio", "priority", OPTION_INTEGER },
	{ "-q", "--quiet", NULL, OPTION_FLAG },
	{ "-t", "--threads", "threads", OPTION_INTEGER },
	{ "-v", "--verbose", NULL, OPTION_FLAG },
	{ NULL, NULL, NULL, OPTION_FLAG }
};
static const struct tool_options commands[] = {
	{ (const char *const[]){ "signaltest", NULL }, "signaltest", options },
	{ NULL, NULL, NULL }
};
static const char *const tools[] = { "signaltest", NULL };
static const char *const literals[] = { "P:% C:%", NULL };

const struct parser parser_signaltest = {
	.name = "signaltest",
	.summary = "signal round trip per thread",
	.versions = "rt-tests 0.11 to 2.10",
	.sample = "T: 0 (16714) P:80 C:    200 Min:     37 Act:   48 Avg:   53 Max:     207",
	.tools = tools,
	.literals = literals,
	.shapes = shapes,
	.commands = commands,
	.state_size = sizeof(struct signaltest),
	.line = signaltest_line,
	.end = signaltest_end,
};
