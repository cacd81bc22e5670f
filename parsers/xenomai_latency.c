/*
 * latency, altency and klatency of Xenomai and of RTAI/fusion before it, since 2005.
 *
 *   RTD|      1.615|      1.923|      9.846|       0|     0|      1.615|      9.846      2.5.1 and
 * later, µs RTD|       3.807|      12.825|      21.565|       0|       3.807|      21.565       2.1
 * to 2.5.0, klatency to 2.6, µs RTD|        -731|        1462|       11733|       0|        -731|
 * 11733       2005-04 to 2.0, ns RTD|        1002|        3109|       21098|           0 2005-01 to
 * 2005-04, ns
 *
 * min, avg and max of a row are of its second, overruns, mode switches (msw), best and worst of the
 * run so far. The average of RTS is the mean of the seconds' averages.
 */
#include <string.h>

#include "parsers/rt_latency.h"

static const char tool[] = "xenomai-latency";

/* Modes in the program's words. */
static const char *mode_of(const char *words, size_t len)
{
	if (memmem(words, len, "user", 4))
		return "user-task";
	return memmem(words, len, "timer", 5) ? "timer-irq" : "kernel-task";
}

#define MODES \
	"(periodic\\s+user-mode\\s+task|in-kernel\\s+periodic\\s+task|in-kernel\\s+timer\\s+" \
	"handler)"

/* Of a file for gnuplot: what its first line says, until its values come. */
struct head {
	unsigned line;          /* 0: none */
	const char *mode;
	struct number period, priority;
	long elapsed;
};

struct latency_state {
	struct rt_latency run;
	struct head head;
};

/* "== Sampling period: 100 us" and what follows it at the start. */
static bool take_banner(struct parse *p, struct rt_latency *run, const struct line *l)
{
	static struct pattern period = PATTERN("^=*\\s*Sampling period:\\s*(\\d+)\\s*us\\b");
	static struct pattern mode = PATTERN("^==\\s*Test mode:\\s*" MODES);
	static struct pattern unit = PATTERN("^==\\s*All results in microseconds");
	bool begins, is_mode = false;
	struct match m;

	begins = pattern_match(&period, l->row, l->row_len, 0, &m);
	if (!begins)
		is_mode = pattern_match(&mode, l->row, l->row_len, 0, &m);
	if (!begins && !is_mode && !pattern_match(&unit, l->row, l->row_len, 0, &m))
		return false;
	if (rt_has_values(run) || (begins && run->banner))
		rt_close(p, run);
	rt_open(p, run, tool, l);
	run->other = false;
	run->banner = true;
	if (is_mode)
		run->banner_mode = mode_of(m.group[1].p, m.group[1].len);
	else if (!begins)
		run->microseconds = true;
	else
		facts_set_number(run->record->settings, "period_ns", rt_number(m.group[1], 3),
		                 l->first);
	return true;
}

/* False for the RTT rows of other programs, which end the run. */
static bool take_time(struct parse *p, struct rt_latency *run, const struct line *l)
{
	static struct pattern row = PATTERN(
		"RTT\\** *" RT_BAR "\\s*(\\d+):(\\d\\d):(\\d\\d)\\s*(\\(\\s*(?:" MODES ")?"
		"(?:[\\s,]*(\\d+)\\s*us\\s+period)?(?:\\s*,\\s*priority\\s+(\\d+))?)?");
	struct match m;

	if (!pattern_match(&row, l->row, l->row_len, 0, &m))
		return false;
	/* Titles in parentheses that are none of ours: latmus. */
	if (m.group[4].p && !m.group[5].p && !m.group[6].p) {
		rt_close(p, run);
		return false;
	}
	/* The bare time is also printed by other programs of the family: no evidence. */
	if (!m.group[4].p && !run->record)
		return true;
	rt_take_time(p, run, tool, l, rt_clock(m.group[1], m.group[2], m.group[3]),
	             m.group[5].p ? mode_of(m.group[5].p, m.group[5].len) : NULL,
	             rt_number(m.group[6], 0), rt_number(m.group[7], 0));
	return true;
}

/* Rows of the table. */
static enum verdict take_row(struct parse *p, struct rt_latency *run, const struct line *l)
{
	struct rt_row row;
	bool mine;

	if (!rt_row_read(l->row, l->row_len, &row))
		return VERDICT_PASS;
	switch (row.kind) {
	case RT_TIME:
		return take_time(p, run, l) ? VERDICT_FRAME : VERDICT_PASS;
	case RT_HEADER:
		return rt_take_header(p, run, tool, l, &row) ? VERDICT_FRAME : VERDICT_PASS;
	case RT_DATA:
		mine = rt_take_data(p, run, tool, l, &row);
		break;
	case RT_SUMMARY:
		mine = rt_take_summary(p, run, tool, l, &row);
		break;
	case RT_BIN:
		mine = rt_take_bin(p, run, tool, l, &row);
		break;
	case RT_STATS:
		mine = rt_take_stats(p, run, tool, l, &row);
		break;
	case RT_STATS_HEADER:
		run->listing = false;
		if (run->record && run->spread[RT_SPREAD_AVG].stats)
			rt_close(p, run);
		rt_open(p, run, tool, l);
		return VERDICT_FRAME;
	default:
		return run->record && row.cells >= 2 ? VERDICT_FRAME : VERDICT_PASS;
	}
	if (!mine && (row.kind == RT_DATA || row.kind == RT_SUMMARY) && run->record && !run->other) {
		parse_reason(p, "no row of the table above");
		return VERDICT_REJECT;
	}
	return mine ? VERDICT_DATA : VERDICT_PASS;
}

/* Tables that were converted to markup: the header and the bins have no prefix of their own. */
static enum verdict take_converted(struct parse *p, struct rt_latency *run, const struct line *l)
{
	struct rt_row row;
	struct rt_titles titles;

	if (!run->record || !rt_cells_read(l->text, l->len, &row))
		return VERDICT_PASS;
	if (run->listing && rt_take_bin(p, run, tool, l, &row))
		return VERDICT_DATA;
	/* |-----|-----| */
	if (run->adjacent && row.cells && strspn(row.cell[0].p, "-|: ") >= row.cell[0].len)
		return VERDICT_FRAME;
	if (row.cells > 3 && !row.cell[0].len) {
		memmove(row.cell, row.cell + 1, --row.cells * sizeof row.cell[0]);
		rt_titles_read(&row, &titles);
		if ((titles.has & RT_HAS(RT_MIN)) && rt_take_header(p, run, tool, l, &row))
			return VERDICT_FRAME;
	}
	return VERDICT_PASS;
}

/*
 * "# 00:00:03 (periodic user-mode task, 1000 us period, priority 99)" and the three lines after it
 * (-g).
 */
static enum verdict take_plot_head(struct parse *p, struct latency_state *s, const struct line *l)
{
	static struct pattern first = PATTERN(
		"^#\\s*(\\d+):(\\d\\d):(\\d\\d)\\s+\\(" MODES
		",\\s*(\\d+)\\s*us\\s+period(?:,\\s*priority\\s+(\\d+))?\\)");
	static struct pattern titles = PATTERN("^#\\s*-+lat min\\|-+lat avg\\|-+lat max\\|");
	static struct pattern values = PATTERN(
		"^#\\s*(-?\\d+\\.\\d{3})\\|\\s*(-?\\d+\\.\\d{3})\\|\\s*(-?\\d+\\.\\d{3})\\"
		"|\\s*(\\d+)\\|\\s*(\\d+)\\|");
	struct rt_latency *run = &s->run;
	struct number v[5];
	struct match m;

	if (pattern_match(&first, l->row, l->row_len, 0, &m)) {
		s->head = (struct head){ l->first, mode_of(m.group[4].p, m.group[4].len),
			                 rt_number(m.group[5], 0), rt_number(m.group[6], 0),
			                 rt_clock(m.group[1], m.group[2], m.group[3]) };
		return VERDICT_FRAME;
	}
	if (pattern_match(&titles, l->row, l->row_len, 0, NULL))
		return VERDICT_FRAME;
	if (!s->head.line || !pattern_match(&values, l->row, l->row_len, 0, &m))
		return VERDICT_PASS;
	for (int i = 0; i < 5; i++)
		v[i] = rt_number(m.group[i + 1], i < 3 ? 3 : 0);
	if (run->record && (run->plot.at != RT_PLOT_NONE || !rt_is_summary_of(run, v[0], v[2])))
		rt_close(p, run);
	if (!run->record) {
		rt_open(p, run, tool, l);
		run->record->source.first = s->head.line;
		run->microseconds = true;
		run->unit = RT_UNIT_US;
		run->row_mode = s->head.mode;
		facts_set_number(run->record->settings, "period_ns",
		                 number_scale(s->head.period, 3), s->head.line);
		if (number_is_set(s->head.priority))
			facts_set_number(run->record->settings, "priority", s->head.priority,
			                 s->head.line);
	}
	parse_extend(p, run->record, l);
	if (!run->summary)
		rt_set_summary(run, v);
	run->plot.at = RT_PLOT_HEAD;
	s->head.line = 0;
	return VERDICT_DATA;
}

/* The summary of 2005-04-02, when it was not yet a row. */
static bool take_old_summary(struct parse *p, struct rt_latency *run, const struct line *l)
{
	static struct pattern row = PATTERN(
		"^RTSummary\\|\\s*(requested test duration|actual test duration|minimum jitter"
		"|average jitter|maximum jitter|overruns):\\s*(-?\\d+)");
	static const struct { const char *word; enum field field;
	} fields[] = { { "minimum", FIELD_MIN },
		       { "average", FIELD_AVG },
		       { "maximum", FIELD_MAX },
		       { "overruns", FIELD_OVERRUNS } };
	struct match m;

	if (!pattern_match(&row, l->row, l->row_len, 0, &m))
		return false;
	rt_open(p, run, tool, l);
	if (*m.group[1].p == 'r')
		facts_set_number(run->record->settings, "duration_s", rt_number(m.group[2], 0),
		                 l->first);
	for (size_t i = 0; i < G_N_ELEMENTS(fields); i++)
		if (g_str_has_prefix(m.group[1].p, fields[i].word)) {
			run->series->field[fields[i].field] = run->rts[i] = rt_number(m.group[2],
			                                                              0);
			run->summary = true;
		}
	return true;
}

/* What the program says besides its tables. */
static bool take_message(struct rt_latency *run, const struct line *l)
{
	static struct pattern quiet = PATTERN("^running quietly for (\\d+) seconds");
	static struct pattern other = PATTERN(
		"^(?:warming up\\.\\.\\.$|Warning! some latency (?:maxima|peaks) may"
		"|Please contact xenomai|Maximum latency exceeded:|latency: (?:-q only|watchdog"
		"|process memory|wait period|failed)|.{0,40}-q requires -T, ignoring)");
	struct match m;

	if (!run->record)
		return false;
	if (pattern_match(&quiet, l->row, l->row_len, 0, &m)) {
		facts_set_number(run->record->settings, "duration_s", rt_number(m.group[1], 0),
		                 l->first);
		return true;
	}
	return pattern_match(&other, l->row, l->row_len, 0, NULL);
}

static enum verdict latency_line(struct parse *p, const struct line *l)
{
	struct latency_state *s = p->state;
	struct rt_latency *run = &s->run;
	enum verdict v = VERDICT_PASS;

	if (!l->rejected && !(l->flags & LINE_BLANK)) {
		if (rt_plot_row(p, run, l))
			return VERDICT_DATA;
		if (take_banner(p, run, l))
			return VERDICT_FRAME;
		v = take_row(p, run, l);
		if (v == VERDICT_PASS)
			v = take_plot_head(p, s, l);
		if (v == VERDICT_PASS && take_old_summary(p, run, l))
			v = VERDICT_DATA;
		if (v == VERDICT_PASS)
			v = take_converted(p, run, l);
		if (v == VERDICT_PASS && take_message(run, l))
			return VERDICT_FRAME;
		if (v == VERDICT_PASS && rt_is_ellipsis(l->row, l->row_len) &&
		    rt_take_ellipsis(run))
			return VERDICT_FRAME;
	}
	if (v == VERDICT_PASS)
		rt_pass_line(run, l);
	return v;
}

static void latency_end(struct parse *p)
{
	rt_close(p, &((struct latency_state *)p->state)->run);
}

static const struct row_shape shapes[] = {
	{ RT_START("RTD"), RT_FULL_DATA, RT_MORE_NUMBERS, SHAPE_INNER },
	{ "TD\\|\\s*-?\\d", RT_FULL_DATA, RT_MORE_NUMBERS, 0 },
	{ RT_START("RTS"), RT_FULL_SUMMARY, RT_MORE_NUMBERS, SHAPE_INNER },
	{ "RTH\\** *" RT_BAR "[- ]+k?lat ?", RT_FULL_HEADER, RT_MORE_TITLES, SHAPE_INNER },
	{ "RTT\\** *" RT_BAR "\\s*\\d+:\\d\\d:\\d\\d",
	  "RTT\\** *" RT_BAR
	  "\\s*\\d+:\\d\\d:\\d\\d(?:\\s*\\([^()|]{1,120}\\)|(?!\\s*\\())" RT_TAIL,
	  NULL, SHAPE_INNER },
	{ "={0,2} ?Sampling period: *\\d+ *us", "=*\\s*Sampling period:\\s*\\d+\\s*us\\b", NULL,
	  SHAPE_INNER },
	{ "== *Test mode: *[pi]", "==\\s*Test mode:\\s*" MODES, NULL, SHAPE_INNER },
	{ "== *All results in micro", "==\\s*All results in microseconds", NULL, SHAPE_INNER },
	{ "---\\|-+param\\|", "---\\|-+param\\|-+range-*\\|-+samples-*", NULL, SHAPE_INNER },
	{ "HSH\\** *" RT_BAR "-*param",
	  "HSH\\** *" RT_BAR "-*param[-\\s\\w|]{0,60}?(?:stddev-*|samples-*+(?!\\|))", NULL,
	  SHAPE_INNER },
	{ "HSD\\** *" RT_BAR "\\s*[mM]?[ai][nvx]",
	  "HSD\\** *" RT_BAR "\\s*(?:min|avg|max)\\s*" RT_BAR "(?:\\s*\\d+\\s*-\\s*\\d+\\s*" RT_BAR
	  "\\s*\\d+|\\s*" RT_BAR ")" RT_TAIL,
	  RT_MORE_NUMBERS, SHAPE_INNER },
	{ "HSS\\** *" RT_BAR "\\s*[mM]?[ai][nvx]",
	  "HSS\\** *" RT_BAR "\\s*(?:min|avg|max)(?:\\s*" RT_BAR
	  "\\s*(?:-?(?:nan|inf)|[\\d.]+)){3}" RT_TAIL,
	  RT_MORE_NUMBERS, SHAPE_INNER },
	{ "# ?\\d+:\\d\\d:\\d\\d +\\([pi][^,]*, *\\d+ us period",
	  "# ?\\d+:\\d\\d:\\d\\d +\\(" MODES ", *\\d+ us\\s+period[^()]{0,30}\\)", NULL,
	  SHAPE_COMMENT },
	{ "# -+lat min\\|-+lat avg", NULL, NULL, SHAPE_COMMENT },
	{ "RTSummary\\| *[a-z]", "RTSummary\\|[a-z\\s]+:\\s*-?\\d+", NULL, SHAPE_INNER },
	{ NULL, NULL, NULL, 0 }
};

static const char *const tools[] = { "xenomai-latency", "xenomai-klatency", NULL };
static const char *const literals[] = {
	"RTD |%", "TD|%", "RTS |%", "HSS |", "HSD |", "RTSummary|", NULL
};
static const char *const programs[] = { "latency", "altency", "klatency", NULL };

static const struct tool_option options[] = {
	{ "-p", NULL, "period_ns", OPTION_US },
	{ "-P", NULL, "priority", OPTION_INTEGER },
	{ "-T", NULL, "duration_s", OPTION_INTEGER },
	{ "-g", NULL, NULL, OPTION_TEXT },
	{ "-H", NULL, NULL, OPTION_INTEGER },
	{ "-B", NULL, NULL, OPTION_INTEGER },
	{ "-l", NULL, NULL, OPTION_INTEGER },
	{ "-D", NULL, NULL, OPTION_INTEGER },
	{ "-t", NULL, NULL, OPTION_INTEGER },
	{ "-c", NULL, NULL, OPTION_INTEGER },
	{ "-m", NULL, NULL, OPTION_INTEGER },
	{ "-h", NULL, NULL, OPTION_FLAG },
	{ "-s", NULL, NULL, OPTION_FLAG },
	{ "-q", NULL, NULL, OPTION_FLAG },
	{ "-f", NULL, NULL, OPTION_FLAG },
	{ "-b", NULL, NULL, OPTION_FLAG },
	{ NULL, NULL, NULL, OPTION_FLAG }
};
static const struct tool_options commands[] = {
	{ programs, "xenomai-latency", options },
	{ NULL, NULL, NULL }
};

const struct parser parser_xenomai_latency = {
	.name = "xenomai-latency",
	.summary = "Xenomai latency and klatency: RTD rows, RTS summary, HSD histograms, files for "
	           "gnuplot",
	.versions = "RTAI/fusion 2005-01 to Xenomai 2.0 (ns), 2.1 to 3.3 (us)",
	.sample = "RTD|      1.615|      1.923|      9.846|       0|     0|      1.615|      9.846",
	.tools = tools,
	.literals = literals,
	.shapes = shapes,
	.commands = commands,
	.state_size = sizeof(struct latency_state),
	.line = latency_line,
	.end = latency_end
};
