/*
 * latmus of EVL (Xenomai 4), since 2018-12.
 *
 *   RTT|  00:00:01  (user, 1000 us period, priority 98, CPU1)
 *   RTD|      0.846|      1.232|      3.941|       0|     0|      0.846|      3.941
 *
 * The rows are those of Xenomai's latency; what tells them apart are the bare words in the RTT row
 * (user, kernel, irq, sirq, oob-gpio, inband-gpio) and the line "warming up on CPU1...". All values
 * are microseconds. The average of RTS is the true mean. The hours of the second time in RTS repeat
 * those of the first one.
 */
#include <string.h>

#include "parsers/rt_latency.h"

static const char tool[] = "latmus";

#define CONTEXTS "(irq|sirq|kernel|user|oob-gpio|inband-gpio)"

/* What the head of a file for gnuplot has said, until its values come. */
struct head {
	unsigned first;         /* line; 0: none */
	struct slice context;   /* points into words */
	char words[16];
	struct number period, priority, cpu, duration;
	struct number v[5];     /* min, avg, max, overruns, switches */
};

struct latmus_state {
	struct rt_latency run;
	unsigned other_commands; /* command lines seen when another program's output began, plus
	                            one; 0: none */
	struct head head;
};

static const char *mode_of(struct slice context)
{
	if (context.len == 4 && !memcmp(context.p, "user", 4))
		return "user-task";
	if (context.len == 6 && !memcmp(context.p, "kernel", 6))
		return "kernel-task";
	return context.len == 3 ? "timer-irq" : NULL;
}

/*
 * What is measured by other means than the timer (responses to GPIO events, synthetic interrupts)
 * is told apart by a label.
 */
static void set_context(struct rt_latency *run, struct slice context, struct number cpu)
{
	if (!mode_of(context) && context.len)
		series_label(run->record, run->series, "context",
		             record_text(run->record, context.p, (gssize)context.len));
	if (number_is_set(cpu))
		series_label_number(run->series, "cpu", cpu);
}

/* Another program's output begins: what follows is its own. */
static void leave(struct parse *p)
{
	struct latmus_state *s = p->state;

	rt_close(p, &s->run);
	s->other_commands = parse_command_count(p) + 1;
}

/* False for the RTT rows of other programs: they end the run. */
static bool take_time(struct parse *p, struct rt_latency *run, const struct line *l)
{
	static struct pattern row = PATTERN(
		"^RTT\\** *" RT_BAR "\\s*(\\d+):(\\d\\d):(\\d\\d)\\s*\\(\\s*" CONTEXTS
		"\\s*,\\s*(\\d+)\\s*us\\s+period"
		"(?:\\s*,\\s*priority\\s+(\\d+))?(?:\\s*,\\s*CPU\\s*(\\d+))?");
	struct match m;
	bool labelled;

	if (!pattern_match(&row, l->row, l->row_len, 0, &m)) {
		leave(p);
		return false;
	}
	rt_take_time(p, run, tool, l, rt_clock(m.group[1], m.group[2], m.group[3]),
	             mode_of(m.group[4]), rt_number(m.group[5], 0), rt_number(m.group[6], 0));
	labelled = run->series->labels->len > 0;
	if (!labelled)
		set_context(run, m.group[4], rt_number(m.group[7], 0));
	return true;
}

/*
 * Whether the command line above is one of latmus: rows without their RTT row are its own then,
 * unless another program's output has begun since.
 */
static bool is_commanded(struct parse *p)
{
	static struct pattern name = PATTERN("(?:^|[\\s/])latmus(?:\\s|$)");
	const struct latmus_state *s = p->state;
	const char *command = parse_command(p);

	return command && s->other_commands != parse_command_count(p) + 1 &&
	       pattern_match(&name, command, strlen(command), 0, NULL);
}

static enum verdict take_row(struct parse *p, struct rt_latency *run, const struct line *l)
{
	struct rt_row row;
	bool mine;

	if (!rt_row_read(l->row, l->row_len, &row))
		return VERDICT_PASS;
	if (row.kind == RT_TIME)
		return take_time(p, run, l) ? VERDICT_FRAME : VERDICT_PASS;
	if (!run->record && !(row.kind <= RT_SUMMARY && is_commanded(p)))
		return VERDICT_PASS;
	switch (row.kind) {
	case RT_HEADER:
		return rt_take_header(p, run, tool, l, &row) ? VERDICT_FRAME : VERDICT_PASS;
	case RT_DATA:
		mine = rt_take_data(p, run, tool, l, &row);
		break;
	case RT_SUMMARY:
		mine = rt_take_summary(p, run, tool, l, &row);
		break;
	case RT_RULE:
		return run->record && row.cells >= 4 ? VERDICT_FRAME : VERDICT_PASS;
	default:
		/* No histogram rows: they are of Xenomai's latency. */
		rt_close(p, run);
		return VERDICT_PASS;
	}
	return mine ? VERDICT_DATA : VERDICT_PASS;
}

/* Values of the head of a file for gnuplot; the last of them is the maximum or the sample count. */
static void head_values(struct parse *p, struct latmus_state *s, const struct line *l)
{
	struct rt_latency *run = &s->run;
	struct head *h = &s->head;

	if (run->record &&
	    (run->plot.at != RT_PLOT_NONE || !rt_is_summary_of(run, h->v[0], h->v[2])))
		rt_close(p, run);
	if (!run->record) {
		rt_open(p, run, tool, l);
		run->record->source.first = MIN(run->record->source.first, h->first);
		run->unit = RT_UNIT_US;
		run->microseconds = true;
		run->row_mode = mode_of(h->context);
		set_context(run, h->context, h->cpu);
		if (number_is_set(h->period))
			facts_set_number(run->record->settings, "period_ns",
			                 number_scale(h->period, 3), h->first);
		if (number_is_set(h->priority))
			facts_set_number(run->record->settings, "priority", h->priority, h->first);
		if (number_is_set(h->duration))
			facts_set_number(run->record->settings, "duration_s", h->duration,
			                 h->first);
	}
	parse_extend(p, run->record, l);
	/* Overruns and switches are printed only if there were some. */
	for (int i = 3; i < 5; i++)
		if (!number_is_set(h->v[i]))
			h->v[i] = number_int(0);
	if (!run->summary)
		rt_set_summary(run, h->v);
	run->plot.at = RT_PLOT_HEAD;
	*h = (struct head){ 0 };
}

/* Where "min", "avg" and "max" stand in a summary. */
static int value_index(struct slice word)
{
	return word.p[1] == 'i' ? 0 : word.p[1] == 'v' ? 1 : 2;
}

/* "# context: user" and its like. */
static enum verdict take_head(struct parse *p, struct latmus_state *s, const struct line *l)
{
	static struct pattern line = PATTERN(
		"^#\\s*(?:"
		"(test started on|libevl version|clock gravity|clocksource|vDSO access)\\s*:"
		"|(sampling period):\\s*(\\d+)\\s*(?:microseconds|\\xc2\\xb5s|us)"
		"|(context):\\s*" CONTEXTS "\\s*$"
		"|(thread priority):\\s*(\\d+)"
		"|(thread affinity):\\s*CPU(\\d+)"
		"|(C-state restricted|peak \\(hhmmss\\))"
		"|(duration \\(hhmmss\\)):\\s*(\\d+):(\\d\\d):(\\d\\d)"
		"|(OVERRUNS|IN-BAND SWITCHES):\\s*(\\d+)"
		"|(min|avg|max) latency:\\s*(-?\\d+\\.\\d+)"
		"|(sample count):\\s*(\\d+))");
	struct head *h = &s->head;
	struct match m;

	if (!pattern_match(&line, l->row, l->row_len, 0, &m))
		return VERDICT_PASS;
	if (m.group[1].p && *m.group[1].p == 't')
		*h = (struct head){ 0 };
	if (!h->first)
		h->first = l->first;
	if (m.group[2].p)
		h->period = rt_number(m.group[3], 0);
	else if (m.group[4].p)
		h->context = (struct slice){ strncpy(h->words, m.group[5].p, sizeof h->words - 1),
			                     m.group[5].len };
	else if (m.group[6].p)
		h->priority = rt_number(m.group[7], 0);
	else if (m.group[8].p)
		h->cpu = rt_number(m.group[9], 0);
	else if (m.group[11].p)
		h->duration = number_int(rt_clock(m.group[12], m.group[13], m.group[14]));
	else if (m.group[15].p)
		h->v[*m.group[15].p == 'O' ? 3 : 4] = rt_number(m.group[16], 0);
	else if (m.group[17].p)
		h->v[value_index(m.group[17])] = rt_number(m.group[18], 3);
	if (m.group[19].p && s->run.record && s->run.plot.at == RT_PLOT_HEAD) {
		s->run.series->field[FIELD_COUNT] = rt_number(m.group[20], 0);
		return VERDICT_DATA;
	}
	if (m.group[17].p && m.group[17].p[1] == 'a' && number_is_set(h->v[2]) &&
	    number_is_set(h->v[0])) {
		head_values(p, s, l);
		return VERDICT_DATA;
	}
	return VERDICT_FRAME;
}

/* What the program says besides its rows. */
static enum verdict take_message(struct parse *p, struct rt_latency *run, const struct line *l)
{
	static struct pattern start = PATTERN(
		"^(?:warming up|running quietly for (\\d+) seconds) on CPU(\\d+)");
	static struct pattern abort = PATTERN(
		"^(?:latency threshold is exceeded \\(|results look weird, aborting"
		"|\\*\\*\\* OOPS: aborting upon spurious switch)");
	static struct pattern other = PATTERN(
		"^(?:connecting to latmon at |CAUTION: measuring in-band response time"
		"|\\*\\*\\* WARNING: unexpected switches to in-band"
		"|latency figures displayed are NOT reliable|Please submit a bug report upstream"
		"|warming up\\.\\.\\.$)");
	struct match m;

	if (pattern_match(&start, l->row, l->row_len, 0, &m)) {
		if (rt_has_values(run))
			rt_close(p, run);
		rt_open(p, run, tool, l);
		run->other = false;
		if (m.group[1].p)
			facts_set_number(run->record->settings, "duration_s",
			                 rt_number(m.group[1], 0), l->first);
		return VERDICT_FRAME;
	}
	if (!run->record)
		return VERDICT_PASS;
	if (pattern_match(&abort, l->row, l->row_len, 0, NULL)) {
		record_flag(run->record, FLAG_INTERRUPTED, "", "the program ended the run itself");
		return VERDICT_FRAME;
	}
	return pattern_match(&other, l->row, l->row_len, 0, NULL) ? VERDICT_FRAME : VERDICT_PASS;
}

static enum verdict latmus_line(struct parse *p, const struct line *l)
{
	static struct pattern banner = PATTERN("^==\\s*(?:Sampling period|Test mode|All results)");
	struct latmus_state *s = p->state;
	struct rt_latency *run = &s->run;
	enum verdict v = VERDICT_PASS;

	if (!l->rejected && !(l->flags & LINE_BLANK)) {
		if (rt_plot_row(p, run, l))
			return VERDICT_DATA;
		if (pattern_match(&banner, l->row, l->row_len, 0, NULL)) {
			leave(p);
			return VERDICT_PASS;
		}
		v = take_row(p, run, l);
		if (v == VERDICT_PASS)
			v = take_head(p, s, l);
		if (v == VERDICT_PASS)
			v = take_message(p, run, l);
		if (v == VERDICT_PASS && rt_is_ellipsis(l->row, l->row_len) &&
		    rt_take_ellipsis(run))
			v = VERDICT_FRAME;
	}
	if (v == VERDICT_PASS)
		rt_pass_line(run, l);
	return v;
}

static void latmus_end(struct parse *p)
{
	rt_close(p, &((struct latmus_state *)p->state)->run);
}

static const struct row_shape shapes[] = {
	{ "RTT\\** *" RT_BAR "\\s*\\d+:\\d\\d:\\d\\d *\\( *[a-z-]+,",
	  "RTT\\** *" RT_BAR "\\s*\\d+:\\d\\d:\\d\\d\\s*\\([^()|]{1,120}\\)" RT_TAIL, NULL,
	  SHAPE_INNER },
	{ "warming up on CPU\\d", "warming up on CPU\\d+(?: \\(not isolated\\))?(?:\\.\\.\\.)?",
	  NULL, SHAPE_INNER },
	{ "running quietly for \\d+ seconds on CPU\\d",
	  "running quietly for \\d+ seconds on CPU\\d+(?: \\(not isolated\\))?", NULL,
	  SHAPE_INNER },
	{ RT_START("RTD"), RT_FULL_DATA, RT_MORE_NUMBERS, SHAPE_INNER },
	{ RT_START("RTS"), RT_FULL_SUMMARY, RT_MORE_NUMBERS, SHAPE_INNER },
	{ "RTH\\** *" RT_BAR "-+lat ?", RT_FULL_HEADER, RT_MORE_TITLES, SHAPE_INNER },
	{ "== *Sampling period: *\\d", "==\\s*Sampling period:\\s*\\d+\\s*us\\b", NULL,
	  SHAPE_INNER },
	{ "# ?test started on: ", NULL, NULL, SHAPE_COMMENT },
	{ "# ?libevl version: ", NULL, NULL, SHAPE_COMMENT },
	{ "# ?sampling period: \\d+ ?[m\\xc2u]", NULL, NULL, SHAPE_COMMENT },
	{ "# ?clock gravity: ", NULL, NULL, SHAPE_COMMENT },
	{ "# ?min latency: -?\\d", NULL, NULL, SHAPE_COMMENT },
	{ NULL, NULL, NULL, 0 }
};

static const char *const tools[] = { "latmus", NULL };
static const char *const literals[] = { "RTD |%", "RTS |%", "# max latency:%", NULL };
static const char *const programs[] = { "latmus", NULL };

static const struct tool_option options[] = {
	{ "-p", "--period", "period_ns", OPTION_US },
	{ "-P", "--priority", "priority", OPTION_INTEGER },
	{ "-T", "--timeout", "duration_s", OPTION_DURATION },
	{ "-A", "--maxlat-abort", NULL, OPTION_INTEGER },
	{ "-c", "--cpu", NULL, OPTION_INTEGER },
	{ "-C", "--force-cpu", NULL, OPTION_INTEGER },
	{ "-l", "--lines", NULL, OPTION_INTEGER },
	{ "-H", "--histogram", NULL, OPTION_INTEGER },
	{ "-Z", "--oob-gpio", NULL, OPTION_TEXT },
	{ "-z", "--inband-gpio", NULL, OPTION_TEXT },
	{ "-I", "--gpio-in", NULL, OPTION_TEXT },
	{ "-O", "--gpio-out", NULL, OPTION_TEXT },
	{ "-g", "--plot", NULL, OPTION_FLAG },
	{ "-v", "--verbose", NULL, OPTION_FLAG },
	{ "-i", "--irq", NULL, OPTION_FLAG },
	{ "-k", "--kernel", NULL, OPTION_FLAG },
	{ "-u", "--user", NULL, OPTION_FLAG },
	{ "-s", "--sirq", NULL, OPTION_FLAG },
	{ "-r", "--reset", NULL, OPTION_FLAG },
	{ "-q", "--quiet", NULL, OPTION_FLAG },
	{ "-b", "--background", NULL, OPTION_FLAG },
	{ "-K", "--keep-going", NULL, OPTION_FLAG },
	{ "-m", "--measure", NULL, OPTION_FLAG },
	{ "-t", "--tune", NULL, OPTION_FLAG },
	{ NULL, NULL, NULL, OPTION_FLAG }
};
static const struct tool_options commands[] = {
	{ programs, "latmus", options },
	{ NULL, NULL, NULL }
};

const struct parser parser_latmus = {
	.name = "latmus",
	.summary = "EVL latmus: RTD rows, RTS summary, histograms for gnuplot",
	.versions = "libevl 2018-12 to 2024",
	.sample = "RTT|  00:00:01  (user, 1000 us period, priority 98, CPU1)",
	.tools = tools,
	.literals = literals,
	.shapes = shapes,
	.commands = commands,
	.state_size = sizeof(struct latmus_state),
	.line = latmus_line,
	.end = latmus_end
};
