/*
 * latency of RTAI/fusion in its first half year (2004-06 to 2004-12), before it printed a table: a
 * line per sampling loop, nanoseconds. Other programs print such lines too, so they count only
 * below the start line or the command.
 *
 *   Go for 10000 samples...
 *   min = 1204 ns, max = 20644 ns, avg = 2987 ns
 *   min = 1204 ns, max = 20644 ns, avg = 2987 ns, overrun = 2
 */
#include <string.h>

#include "parsers/sample_run.h"

struct fusion_state {
	struct sample_run run;
	bool started;                   /* its start line was seen */
};

static bool is_commanded(struct parse *p)
{
	static struct pattern name = PATTERN("(?:^|[\\s/])latency(?:\\s|$)");
	const char *command = parse_command(p);

	return command && pattern_match(&name, command, strlen(command), 0, NULL);
}

static enum verdict fusion_line(struct parse *p, const struct line *l)
{
	static struct pattern row = PATTERN(
		"^min\\s*=\\s*(-?\\d+)\\s*ns,\\s*max\\s*=\\s*(-?\\d+)\\s*ns,\\s*avg\\s*=\\s*(-?\\d+"
	        ")\\s*ns(?:,\\s*overrun\\s*=\\s*(\\d+))?(?![\\w.])");
	static struct pattern start = PATTERN("^Go for \\d+ samples\\.\\.\\.");
	static const enum field columns[] = { FIELD_MIN, FIELD_MAX, FIELD_AVG, FIELD_OVERRUNS };
	struct fusion_state *s = p->state;
	struct sample_run *run = &s->run;
	struct number v[4] = { { 0 } };
	struct match m;

	if (!l->rejected && pattern_match(&start, l->row, l->row_len, 0, NULL)) {
		sample_run_close(p, run);
		s->started = true;
		return VERDICT_FRAME;
	}
	if (l->rejected || !pattern_match(&row, l->row, l->row_len, 0, &m) ||
	    !(s->started || is_commanded(p))) {
		sample_run_pass(run, l);
		return VERDICT_PASS;
	}
	for (int i = 0; i < 4; i++)
		if (m.group[i + 1].p)
			number_parse(m.group[i + 1].p, m.group[i + 1].len, 0, &v[i]);
	sample_run_add(p, run, "xenomai-latency", "user-task", l, 4, columns, v);
	return VERDICT_DATA;
}

static void fusion_end(struct parse *p)
{
	sample_run_close(p, &((struct fusion_state *)p->state)->run);
}

static const struct row_shape shapes[] = {
	{ "min = -?\\d+ ns, max = ",
	  "min\\s*=\\s*-?\\d+\\s*ns,\\s*max\\s*=\\s*-?\\d+\\s*ns,\\s*avg\\s*=\\s*-?\\d+\\s*ns(?:,"
	  "\\s*overrun\\s*=\\s*\\d+)?",
	  "(?:[-\\s,\\d=]|max|avg|ns|overrun)+$", SHAPE_INNER },
	{ "Go for \\d+ samples\\.\\.\\.", "Go for \\d+ samples\\.\\.\\.", NULL, SHAPE_INNER },
	{ NULL, NULL, NULL, 0 }
};

static const char *const tools[] = { "xenomai-latency", NULL };
static const char *const literals[] = { " ns, max = ", NULL };

const struct parser parser_fusion_latency = {
	.name = "fusion-latency",
	.summary = "RTAI/fusion latency before it printed a table: lines of minimum, maximum, average",
	.versions = "RTAI/fusion 2004-06 to 2004-12",
	.sample = "min = 1204 ns, max = 20644 ns, avg = 2987 ns",
	.tools = tools,
	.literals = literals,
	.shapes = shapes,
	.state_size = sizeof(struct fusion_state),
	.line = fusion_line,
	.end = fusion_end
};
