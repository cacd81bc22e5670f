/*
 * The user-space (LXRT) latency display of RTAI to 3.2: a line per averaging period, nanoseconds.
 *
 *   *** min: 1002, max: 21098 average: 3109  <Hit [RETURN] to stop> ***
 *
 * In parentheses behind the average: overruns (2005-04-26 only). The "<Hit …>" is often lost to
 * HTML.
 */
#include "parsers/sample_run.h"

struct lxrt_state {
	struct sample_run run;
	struct number period;           /* ns, of the last lines of the calibration tool */
};

static enum verdict lxrt_line(struct parse *p, const struct line *l)
{
	static struct pattern row = PATTERN(
		"^\\*\\*\\*\\s*min:\\s*(-?\\d+),\\s*max:\\s*(-?\\d+),?\\s*average:\\s*(-?\\d+)(?:"
	        "\\s*\\((\\d+)\\))?(?=\\s|$)");
	static struct pattern tool = PATTERN("^##\\s*RTAI latency calibration tool");
	static struct pattern period = PATTERN("^#\\s*period = (\\d+) \\(ns\\)");
	static const enum field columns[] = { FIELD_MIN, FIELD_MAX, FIELD_AVG, FIELD_OVERRUNS };
	struct lxrt_state *s = p->state;
	struct sample_run *run = &s->run;
	struct number v[4] = { { 0 } };
	struct match m;

	if (l->rejected || !pattern_match(&row, l->row, l->row_len, 0, &m)) {
		/* The later displays of RTAI begin in the same way: these lines are theirs too. */
		if (!l->rejected && pattern_match(&tool, l->row, l->row_len, 0, NULL))
			s->period = number_absent();
		if (!l->rejected && pattern_match(&period, l->row, l->row_len, 0, &m))
			number_parse(m.group[1].p, m.group[1].len, 0, &s->period);
		sample_run_pass(run, l);
		return VERDICT_PASS;
	}
	/* Where the text ends behind a digit, the average may be cut. */
	if ((l->flags & LINE_CUT) && !m.group[4].p && m.end == l->row + l->row_len)
		m.group[3].len = 0;
	for (int i = 0; i < 4; i++) {
		if (m.group[i + 1].p && m.group[i + 1].len)
			number_parse(m.group[i + 1].p, m.group[i + 1].len, 0, &v[i]);
		else if (m.group[i + 1].p)
			v[i] = number_null();
	}
	sample_run_add(p, run, "lxrt-latency", "user-task", l, 4, columns, v);
	if (number_is_set(s->period))
		facts_set_number(run->record->settings, "period_ns", s->period, l->first);
	record_flag(run->record, FLAG_UNIT_ASSUMED, "/series/0/unit",
	            "the line has no unit; this display prints nanoseconds in all versions");
	return VERDICT_DATA;
}

static void lxrt_end(struct parse *p)
{
	sample_run_close(p, &((struct lxrt_state *)p->state)->run);
}

static const struct row_shape shapes[] = {
	{ "\\*\\*\\* *min: *-?\\d",
	  "\\*\\*\\*\\s*min:\\s*-?\\d+,\\s*max:\\s*-?\\d+,?\\s*average:\\s*-?\\d+(?:\\s*\\(\\d+\\))"
	  "?\\s*(?:<\\s*Hit\\s*\\[RETURN\\]\\s*to\\s*stop\\s*>\\s*)?\\*\\*\\*",
	  "(?:[-\\s,\\d()<>*:]|max|average|Hit|\\[RETURN\\]|to|stop)+$", SHAPE_INNER },
	{ "## RTAI latency calibration tool", "## RTAI latency calibration tool(?:\\s*##)?", NULL,
	  SHAPE_COMMENT | SHAPE_INNER },
	{ "# period = +\\d+ \\(ns\\)", "# period =\\s+\\d+ \\(ns\\)", NULL,
	  SHAPE_COMMENT | SHAPE_INNER },
	{ NULL, NULL, NULL, 0 }
};

static const char *const tools[] = { "lxrt-latency", NULL };
static const char *const literals[] = { "*** min:", NULL };

const struct parser parser_lxrt_latency = {
	.name = "lxrt-latency",
	.summary = "RTAI user-space (LXRT) latency display of old versions",
	.versions = "RTAI 24.1 to 3.2",
	.sample = "*** min: 1002, max: 21098 average: 3109  <Hit [RETURN] to stop> ***",
	.tools = tools,
	.literals = literals,
	.shapes = shapes,
	.state_size = sizeof(struct lxrt_state),
	.line = lxrt_line,
	.end = lxrt_end
};
