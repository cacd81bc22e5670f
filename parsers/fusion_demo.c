/*
 * The demos of RTAI/fusion and of the skins derived from it (2004 to Xenomai 2.0): a line per thing
 * measured, each value with its own unit.
 *
 *   nanosleep jitter: min = 8382 ns, max = 56289 ns, avg = 29422 ns
 *   sema4 handshake: min = 3847 ns, max = 26440 ns, avg = 12046 ns
 *   Execution jitter: min = -12 us (0%), max = 231 us (2%), avg = 5 us (0%) cruncher nanosleep
 * accuracy: jitter min = 1 us, jitter max = 42 us                                  accuracy
 *   semaphore wakeup: switch min = 2 us, switch max = 17 us accuracy
 *
 * Only these labels are read: lines of this form from programs nobody knows are no results.
 */
#include <string.h>

#include "lib/parser.h"

static const char tool[] = "fusion-demo";

struct head {
	unsigned line; /* of the first line of the present program's head; 0: none */
	struct number period, priority, duration;
	char policy[24];
};

struct demo_state {
	struct record *record;
	const char *mode;               /* that a heading states; it holds until the next one */
	unsigned titles, commands;
	struct head head;
};

static void close_run(struct parse *p, struct demo_state *s)
{
	if (s->record)
		parse_emit(p, s->record);
	s->record = NULL;
}

/* "…from userspace", "kernel-space": what a heading says of the mode, or NULL. */
static const char *mode_in(const char *text, size_t len)
{
	static struct pattern kernel = PATTERN("(?i)kernel[- ]?space|in[- ]kernel|kernel[- ]?mode");
	static struct pattern user = PATTERN("(?i)user[- ]?space|user[- ]?mode|user[- ]?land");
	bool k = pattern_match(&kernel, text, len, 0, NULL),
	     u = pattern_match(&user, text, len, 0, NULL);

	return k == u ? NULL : k ? "kernel-task" : "user-task";
}

/* Each value with its own unit; false when one of those that are there is none. */
static bool take_values(struct series *s, const char *text, size_t len)
{
	static struct pattern value = PATTERN("\\b(min|max|avg)\\s*=\\s*(-?\\d+(?:\\.\\d+)?)\\s*("
	                                      "ns|us|\\xc2\\xb5s|ms)?(?![\\w.])");
	static const enum field fields[] = {
		['i'] = FIELD_MIN, ['a'] = FIELD_MAX, ['v'] = FIELD_AVG
	};
	size_t from = 0;
	struct match m;

	while (pattern_match(&value, text, len, from, &m)) {
		enum field f = fields[(unsigned char)m.group[1].p[1]];
		int scale = !m.group[3].p          ? -1
		            : *m.group[3].p == 'n' ? 0
		            : *m.group[3].p == 'm' ? 6
		                                   : 3;

		from = (size_t)(m.end - text);
		if (s->field[f].state != NUMBER_ABSENT)
			continue;
		/* A value whose unit is lost may be cut: it is null. */
		if (scale < 0 || number_parse(m.group[2].p, m.group[2].len, scale, &s->field[f]) ==
		                         NUMBER_NONE) {
			s->field[f] = number_null();
			continue;
		}
		if (!memchr(m.group[2].p, '.', m.group[2].len))
			s->resolution = number_scale(number_int(1), scale);
	}
	return number_is_set(s->field[FIELD_MIN]) || number_is_set(s->field[FIELD_MAX]);
}

static bool has_name(const struct record *r, struct slice name)
{
	for (guint i = 0; i < r->series->len; i++) {
		const struct series *s = g_ptr_array_index(r->series, i);

		if (strlen(s->name) == name.len && !g_ascii_strncasecmp(s->name, name.p, name.len))
			return true;
	}
	return false;
}

static void open_run(struct parse *p, struct demo_state *s, const struct line *l)
{
	const char *title = parse_title(p), *of_title;
	struct record *r = s->record = parse_begin(p, tool, l);

	s->commands = parse_command_count(p);
	of_title = title ? mode_in(title, strlen(title)) : NULL;
	if (of_title)
		s->mode = of_title;
	r->mode = s->mode;
	if (s->head.line)
		r->source.first = s->head.line;
	if (number_is_set(s->head.period))
		facts_set_number(r->settings, "period_ns", s->head.period, s->head.line);
	if (number_is_set(s->head.priority))
		facts_set_number(r->settings, "priority", s->head.priority, s->head.line);
	if (number_is_set(s->head.duration))
		facts_set_number(r->settings, "duration_s", s->head.duration, s->head.line);
	if (*s->head.policy)
		facts_set_text(r, r->settings, "policy", s->head.policy, s->head.line);
	s->head = (struct head){ 0 };
}

static enum verdict take_row(struct parse *p, struct demo_state *s, const struct line *l)
{
	static struct pattern row = PATTERN(
		"^((?i:nanosleep jitter|execution jitter|sema4 handshake|nanosleep accuracy"
		"|semaphore wakeup))\\s*:\\s*(?:jitter\\s+|switch\\s+)?(min)\\s*=");
	struct series *series;
	struct match m;

	if (!pattern_match(&row, l->row, l->row_len, 0, &m))
		return VERDICT_PASS;
	if (s->record && (has_name(s->record, m.group[1]) || parse_command_count(p) != s->commands))
		close_run(p, s);
	if (!s->record)
		open_run(p, s, l);
	else
		parse_extend(p, s->record, l);
	series = record_add_series(s->record,
	                           record_text(s->record, m.group[1].p, (gssize)m.group[1].len));
	series->unit = "ns";
	series->line = l->first;
	if (!take_values(series, m.group[2].p, (size_t)(l->row + l->row_len - m.group[2].p))) {
		record_drop_series(s->record);
		if (!s->record->series->len) {
			parse_drop(p, s->record, "a row without any value");
			s->record = NULL;
		}
		return VERDICT_REJECT;
	}
	/* The accuracy demo has no average. */
	if (series->field[FIELD_AVG].state == NUMBER_ABSENT &&
	    !g_str_has_prefix(series->name, "semaphore") &&
	    !memmem(m.group[1].p, m.group[1].len, "accuracy", 8)) {
		series->field[FIELD_AVG] = number_null();
		record_flag(s->record, FLAG_ROW_TRUNCATED, "/series/%u",
		            "the row is cut; what is lost of it is null",
		            s->record->series->len - 1);
	}
	return VERDICT_DATA;
}

static void begin_head(struct demo_state *s, const struct line *l)
{
	if (!s->head.line)
		s->head = (struct head){ .line = l->first };
}

/* Lines around the results that say how the run was made. */
static bool take_frame(struct parse *p, struct demo_state *s, const struct line *l)
{
	static struct pattern start = PATTERN(
		"^(?:Calibrating cruncher\\.\\.\\.|Starting latency measurements at "
		"|RTAI/fusion (?:\\*not\\* )?detected)");
	static struct pattern cruncher = PATTERN(
		"^\\d+ samples, \\d+ hz freq \\(pid=\\d+, policy=(\\w{1,23}), prio=(\\d+)\\)");
	static struct pattern period = PATTERN("^Sampling period = (\\d+) us");
	static struct pattern duration = PATTERN("^test duration: (\\d\\d):(\\d\\d):(\\d\\d)");
	static struct pattern other = PATTERN(
		"^(?:Clock resolution = \\d+ ns|Hit \\^C to get the results|-{8,}$)");
	struct match m;

	if (pattern_match(&start, l->row, l->row_len, 0, NULL)) {
		close_run(p, s);
		s->head = (struct head){ .line = l->first };
		return true;
	}
	if (pattern_match(&cruncher, l->row, l->row_len, 0, &m)) {
		begin_head(s, l);
		memcpy(s->head.policy, m.group[1].p, m.group[1].len);
		s->head.policy[m.group[1].len] = '\0';
		number_parse(m.group[2].p, m.group[2].len, 0, &s->head.priority);
		return true;
	}
	if (pattern_match(&period, l->row, l->row_len, 0, &m)) {
		begin_head(s, l);
		number_parse(m.group[1].p, m.group[1].len, 3, &s->head.period);
		return true;
	}
	if (s->head.line && pattern_match(&duration, l->row, l->row_len, 0, &m)) {
		s->head.duration = number_int(strtol(m.group[1].p, NULL, 10) * 3600 +
		                              strtol(m.group[2].p, NULL, 10) * 60 +
		                              strtol(m.group[3].p, NULL, 10));
		return true;
	}
	return (s->head.line || s->record) && pattern_match(&other, l->row, l->row_len, 0, NULL);
}

static enum verdict demo_line(struct parse *p, const struct line *l)
{
	struct demo_state *s = p->state;
	const char *mode;
	enum verdict v;

	if (l->rejected || !l->row_len)
		return VERDICT_PASS;
	v = take_row(p, s, l);
	if (v != VERDICT_PASS)
		return v;
	if (take_frame(p, s, l))
		return VERDICT_FRAME;
	close_run(p, s);
	mode = l->len < 100 ? mode_in(l->text, l->len) : NULL;
	if (mode)
		s->mode = mode;
	return VERDICT_PASS;
}

static void demo_end(struct parse *p)
{
	close_run(p, p->state);
}

#define VALUE "-?\\d+\\s*[nu]s(?:\\s*\\(-?\\d+%\\))?"
#define THREE "\\s*min\\s*=\\s*" VALUE ",\\s*max\\s*=\\s*" VALUE ",\\s*avg\\s*=\\s*" VALUE
#define MORE "(?:[-\\s=,\\d()%]|min|max|avg|ns|us|jitter|switch)+$"

static const struct row_shape shapes[] = {
	{ "[Nn]anosleep jitter: *min *= *-?\\d", "[Nn]anosleep jitter:" THREE, MORE, SHAPE_INNER },
	{ "[Ee]xecution jitter: *min *= *-?\\d", "[Ee]xecution jitter:" THREE, MORE, SHAPE_INNER },
	{ "[Ss]ema4 handshake: *min *= *-?\\d", "[Ss]ema4 handshake:" THREE, MORE, SHAPE_INNER },
	{ "nanosleep accuracy: *jitter min *= *-?\\d",
	  "nanosleep accuracy:\\s*jitter\\s+min\\s*=\\s*" VALUE ",\\s*jitter\\s+max\\s*=\\s*" VALUE,
	  MORE, SHAPE_INNER },
	{ "semaphore wakeup: *switch min *= *-?\\d",
	  "semaphore wakeup:\\s*switch\\s+min\\s*=\\s*" VALUE ",\\s*switch\\s+max\\s*=\\s*" VALUE,
	  MORE, SHAPE_INNER },
	{ "Calibrating cruncher\\.\\.\\.", NULL, NULL, 0 },
	{ "Starting latency measurements at ", NULL, NULL, 0 },
	{ "RTAI/fusion \\*?[nd]o?e?t\\*?", NULL, NULL, 0 },
	{ NULL, NULL, NULL, 0 }
};

static const char *const tools[] = { "fusion-demo", NULL };
static const char *const literals[] = { "anosleep jitter: min",  "xecution jitter: min",
	                                "ema4 handshake: min", "nanosleep accuracy: jitter min",
	                                "semaphore wakeup: switch min", NULL };
static const char *const programs[] = { "cruncher", "accuracy", "accuracy_rt", NULL };

static const struct tool_option options[] = {
	{ "-h", NULL, NULL, OPTION_FLAG },
	{ NULL, NULL, NULL, OPTION_FLAG }
};
static const struct tool_options commands[] = {
	{ programs, "fusion-demo", options },
	{ NULL, NULL, NULL }
};

const struct parser parser_fusion_demo = {
	.name = "fusion-demo",
	.summary = "RTAI/fusion demos: nanosleep jitter, sema4 handshake, cruncher, accuracy",
	.versions = "RTAI/fusion 2004 to Xenomai 2.0",
	.sample = "nanosleep jitter: min = 8382 ns, max = 56289 ns, avg = 29422 ns",
	.tools = tools,
	.literals = literals,
	.shapes = shapes,
	.commands = commands,
	.state_size = sizeof(struct demo_state),
	.line = demo_line,
	.end = demo_end
};
