/*
 * The test suite of RTAI: latency and preempt of kernel, user and kernel-thread tests, switches.
 * Nanoseconds unless the line says otherwise.
 *
 *   RTAI Testsuite - KERNEL latency (all data in nanoseconds)
 *   RTH|    lat min|    ovl min|    lat avg|    lat max|    ovl max|   overruns
 *   RTD|      -1571|      -1571|       1622|       8446|       8446|          0
 *
 *   RTH|     lat min|     lat avg|     lat max|    jit fast|    jit slow preempt
 *
 * At least eight tables of 3 to 6 columns were printed, two of six columns in another order: only
 * the header tells. lat min, avg and max are of one averaging period, ovl min and ovl max since the
 * display started, overruns since the test started. Before 2005-04-27 there were lines:
 *
 *   2004/12/3 14:02:11   min:     -1571    max:      8446    average:     1622 kernel latency
 *   * min: -512/-1024, max: 2211/4096 average: 87 (0) <Hit [RETURN] to stop> * showroom, 2012
 *   * latency: min: -3, max: 12, average: 1; fastjit: 10, slowjit: 15 * (all us) * preempt
 */
#include <string.h>

#include "parsers/rt_rows.h"
#include "parsers/sample_run.h"

static const char latency_tool[] = "rtai-latency";
static const char preempt_tool[] = "rtai-preempt";

enum { AT_MIN, AT_AVG, AT_MAX, AT_OVERRUNS, AT_BEST, AT_WORST, AT_LATENCY };
static const enum field latency_columns[AT_LATENCY] = {
	FIELD_MIN, FIELD_AVG, FIELD_MAX, FIELD_OVERRUNS, FIELD_BEST, FIELD_WORST
};
enum { AT_FAST = 3, AT_SLOW, AT_PREEMPT };
static const enum field preempt_columns[AT_PREEMPT] = {
	FIELD_MIN, FIELD_AVG, FIELD_MAX, FIELD_JITTER_FAST, FIELD_JITTER_SLOW
};

struct rtai_state {
	struct record *record;          /* of a table */
	struct series *series;
	const char *tool, *mode;        /* as the title line says, or NULL */
	bool titled;                    /* the title line was seen: the table below it is RTAI's */
	struct rt_titles titles;        /* n 0: no header of ours */
	unsigned rows, commands;
	bool header, foreign, blank, adjacent;
	unsigned header_line;
	struct number last[AT_LATENCY]; /* of the row before; of preempt the first three */
	struct number period;           /* ns, of the last calibration lines */
	struct sample_run lines;        /* the older displays */
	struct record *switches;
};

/* Tables */

static void close_table(struct parse *p, struct rtai_state *s)
{
	if (s->record && s->rows) {
		if (s->record->tool == latency_tool)
			s->series->field[FIELD_OVERRUNS] = s->last[AT_OVERRUNS];
		parse_emit(p, s->record);
	} else if (s->record) {
		parse_drop(p, s->record, "a run without any result");
	}
	s->record = NULL;
	s->series = NULL;
	s->rows = 0;
	s->mode = s->tool = NULL;
	s->titled = false;
	for (int i = 0; i < AT_LATENCY; i++)
		s->last[i] = number_absent();
}

/* What command and heading say of where the test runs: they name its directory. */
static const char *mode_around(struct parse *p)
{
	static struct pattern kernel = PATTERN("\\b(?:kern|kthreads|kernel)/");
	static struct pattern user = PATTERN("\\buser/");
	const char *text[] = { parse_command(p), parse_title(p) };

	for (size_t i = 0; i < G_N_ELEMENTS(text); i++) {
		if (text[i] && pattern_match(&kernel, text[i], strlen(text[i]), 0, NULL))
			return "kernel-task";
		if (text[i] && pattern_match(&user, text[i], strlen(text[i]), 0, NULL))
			return "user-task";
	}
	return NULL;
}

static void open_table(struct parse *p, struct rtai_state *s, const struct line *l)
{
	if (s->record) {
		parse_extend(p, s->record, l);
		return;
	}
	s->record = parse_begin(p, s->tool ? s->tool : latency_tool, l);
	s->series = record_add_series(s->record, NULL);
	s->series->unit = "ns";
	s->series->resolution = number_int(1);
	s->series->line = l->first;
	s->commands = parse_command_count(p);
}

/*
 * "RTAI Testsuite - USER latency (all data in nanoseconds)", "## RTAI latency calibration tool ##",
 * "# period = …".
 */
static bool take_title(struct parse *p, struct rtai_state *s, const struct line *l)
{
	static struct pattern title = PATTERN(
		"^RTAI Testsuite - (.{1,60}?)\\s*(latency|preempt)\\b");
	static struct pattern user = PATTERN("^(?:USER|LXRT)(?!.*SCHED)");
	static struct pattern calibration = PATTERN("^##\\s*RTAI latency calibration tool\\s*##");
	static struct pattern period = PATTERN(
		"^(?:#|\\*{3})\\s*period\\s*=\\s*(\\d+)\\s*\\(ns\\)");
	static struct pattern other = PATTERN(
		"^(?:#\\s+(?:avrgtime|average time) = \\d+ \\(s\\)|# (?:do not )?use the FPU"
		"|#\\s+(?:do not )?start the timer|# timer_mode is |# check (?:overall"
		"|each average) worst case|\\*{3} latency verification tool with )");
	struct match m;

	if (pattern_match(&title, l->row, l->row_len, 0, &m)) {
		if (s->rows)
			close_table(p, s);
		s->tool = *m.group[2].p == 'p' ? preempt_tool : latency_tool;
		s->mode = pattern_match(&user, m.group[1].p, m.group[1].len, 0, NULL)
		                  ? "user-task"
		                  : "kernel-task";
		s->titled = true;
		s->titles.n = 0;
		open_table(p, s, l);
		s->record->tool = s->tool;
		return true;
	}
	if (pattern_match(&calibration, l->row, l->row_len, 0, NULL)) {
		close_table(p, s);
		s->period = number_absent();
		open_table(p, s, l);
		return true;
	}
	if (!s->record || s->rows)
		return false;
	if (pattern_match(&period, l->row, l->row_len, 0, &m)) {
		struct number n;

		if (number_parse(m.group[1].p, m.group[1].len, 0, &n) == NUMBER_OK) {
			facts_set_number(s->record->settings, "period_ns", n, l->first);
			s->period = n;
		}
		parse_extend(p, s->record, l);
		return true;
	}
	return pattern_match(&other, l->row, l->row_len, 0, NULL);
}

static bool is_rtai_header(const struct rtai_state *s, const struct rt_titles *t)
{
	const unsigned own = RT_HAS(RT_OVL_MIN) | RT_HAS(RT_OVL_MAX) | RT_HAS(RT_FREQUENCY) |
	                     RT_HAS(RT_JITTER_FAST);
	const unsigned others = RT_HAS(RT_BEST) | RT_HAS(RT_WORST) | RT_HAS(RT_MSW) |
	                        RT_HAS(RT_LOST) | RT_HAS(RT_SWITCHES);

	return (t->has & RT_HAS(RT_MIN)) && !(t->has & others) && ((t->has & own) || s->titled);
}

static bool take_header(struct parse *p, struct rtai_state *s, const struct line *l,
                        const struct rt_row *row)
{
	struct rt_titles titles;
	const char *tool;

	rt_titles_read(row, &titles);
	if (!is_rtai_header(s, &titles)) {
		close_table(p, s);
		s->titles.n = 0;
		return false;
	}
	tool = titles.has & RT_HAS(RT_JITTER_FAST) ? preempt_tool : latency_tool;
	if (s->rows && (s->record->tool != tool || parse_command_count(p) != s->commands))
		close_table(p, s);
	if (!s->record) {
		/* A header that is cut is no cut result. */
		struct line whole = *l;

		whole.flags &= ~(unsigned)LINE_CUT;
		s->tool = tool;
		open_table(p, s, &whole);
	}
	s->record->tool = tool;
	s->titles = titles;
	s->header = s->adjacent = true;
	s->header_line = l->first;
	return true;
}

/* Which column of the record a title is; -1: none. */
static int column_of(enum rt_title t, bool preempt)
{
	switch (t) {
	case RT_MIN:
		return AT_MIN;
	case RT_AVG:
		return AT_AVG;
	case RT_MAX:
		return AT_MAX;
	case RT_OVERRUNS:
		return preempt ? -1 : AT_OVERRUNS;
	case RT_OVL_MIN:
		return preempt ? -1 : AT_BEST;
	case RT_OVL_MAX:
		return preempt ? -1 : AT_WORST;
	case RT_JITTER_FAST:
		return preempt ? AT_FAST : -1;
	case RT_JITTER_SLOW:
		return preempt ? AT_SLOW : -1;
	default:
		return -1;
	}
}

/*
 * Whether `now`, which nothing closes, is the beginning of `before` only: a count so far cannot
 * have fallen.
 */
static bool is_beginning(struct number now, struct number before)
{
	char a[NUMBER_TEXT], b[NUMBER_TEXT];

	if (!number_is_set(now) || !number_is_set(before) || number_cmp(now, before) >= 0)
		return false;
	return g_str_has_prefix(number_print(before, b), number_print(now, a));
}

/* Reads the cells by the header; false when none is a value. *whole: none is lost. */
static bool row_values(const struct rtai_state *s, const struct rt_row *row,
                       struct number v[AT_LATENCY], bool *whole)
{
	bool preempt = s->record->tool == preempt_tool, any = false;

	*whole = true;
	for (int i = 0; i < AT_LATENCY; i++)
		v[i] = number_absent();
	for (unsigned i = 0; i < s->titles.n; i++) {
		int at = column_of(s->titles.title[i], preempt);
		bool last = i + 1 >= row->cells, cut = row->cells < s->titles.n;
		struct number n = number_null();

		if (i < row->cells) {
			struct rt_value value = rt_value_read(row->cell[i], 0);

			if (number_is_set(value.number) && !value.decimals && (value.clean || last))
				n = value.number;
			/* What ends a cut row may itself be cut. */
			if (last && !row->closed && value.clean &&
			    (cut || (at == AT_OVERRUNS && !preempt &&
			             is_beginning(n, s->last[AT_OVERRUNS]))))
				n = number_null();
		}
		if (at < 0)
			continue;
		v[at] = n;
		*whole = *whole && number_is_set(n);
		any |= number_is_set(n);
	}
	return any;
}

static bool exceeds(struct number a, struct number b)
{
	return number_is_set(a) && number_is_set(b) && number_cmp(a, b) > 0;
}

/* Whether this row cannot belong to the open run, or is the first of another one. */
static bool begins_run(struct parse *p, const struct rtai_state *s,
                       const struct number v[AT_LATENCY])
{
	bool falls, fresh;

	if (!s->rows)
		return false;
	if (parse_command_count(p) != s->commands)
		return true;
	if (s->record->tool == preempt_tool)
		return false;
	falls = exceeds(v[AT_BEST], s->last[AT_BEST]) || exceeds(s->last[AT_WORST], v[AT_WORST]) ||
	        exceeds(s->last[AT_OVERRUNS], v[AT_OVERRUNS]);
	fresh = number_is_set(v[AT_BEST]) && number_equal(v[AT_BEST], v[AT_MIN]) &&
	        number_equal(v[AT_WORST], v[AT_MAX]);
	return (falls && (s->header || s->foreign)) ||
	       (fresh && s->foreign && (s->header || s->blank));
}

static bool take_data(struct parse *p, struct rtai_state *s, const struct line *l,
                      const struct rt_row *row)
{
	struct number v[AT_LATENCY];
	bool whole, preempt;

	if (!s->titles.n || !row->cells || row->cells > s->titles.n)
		return false;
	if (s->record && row_values(s, row, v, &whole) && begins_run(p, s, v)) {
		unsigned header = s->header ? s->header_line : l->first;

		close_table(p, s);
		s->tool = s->titles.has & RT_HAS(RT_JITTER_FAST) ? preempt_tool : latency_tool;
		open_table(p, s, l);
		s->record->source.first = header;
	} else {
		open_table(p, s, l);
	}
	if (!row_values(s, row, v, &whole))
		return false;
	if (!s->mode)
		s->mode = mode_around(p);
	s->record->mode = s->mode;
	preempt = s->record->tool == preempt_tool;
	if (!whole)
		record_flag(s->record, FLAG_ROW_TRUNCATED, "/series/0/samples/%u",
		            "a row is cut; what is lost of it is null", s->rows);
	if (!s->rows++) {
		series_columns(s->series, preempt ? AT_PREEMPT : AT_LATENCY,
		               preempt ? preempt_columns : latency_columns);
		if (!s->titled)
			record_flag(s->record, FLAG_UNIT_ASSUMED, "/series/0/unit",
			            "the text does not say the unit; this table is in nanoseconds "
			            "in all versions");
	}
	series_add_row(s->series, l->first, v);
	for (int i = 0; i < AT_LATENCY; i++)
		if (number_is_set(v[i]))
			s->last[i] = v[i];
	s->header = s->foreign = s->blank = false;
	s->adjacent = true;
	s->commands = parse_command_count(p);
	return true;
}

/* Lines of older and other displays */

static struct number group_number(const struct match *m, int g)
{
	struct number n = number_absent();

	if (m->group[g].p)
		number_parse(m->group[g].p, m->group[g].len, 0, &n);
	return n;
}

/* A row of a display without a table. */
static void add_line(struct parse *p, struct rtai_state *s, const char *tool, const char *mode,
                     const struct line *l, unsigned n, const enum field *columns,
                     const struct number *values)
{
	sample_run_add(p, &s->lines, tool, mode, l, n, columns, values);
	if (number_is_set(s->period))
		facts_set_number(s->lines.record->settings, "period_ns", s->period, l->first);
}

static bool take_dated(struct parse *p, struct rtai_state *s, const struct line *l)
{
	static struct pattern row = PATTERN(
		"^\\d{4}/\\d\\d/\\d{1,2} \\d\\d:\\d\\d:\\d\\d"
		"\\s+min:\\s*(-?\\d+)\\s+max:\\s*(-?\\d+)\\s+average:\\s*(-?"
	        "\\d+)(?:\\s*\\((\\d+)\\))?\\s*$");
	static const enum field columns[] = { FIELD_MIN, FIELD_MAX, FIELD_AVG, FIELD_OVERRUNS };
	struct number v[4];
	struct match m;

	if (!pattern_match(&row, l->row, l->row_len, 0, &m))
		return false;
	for (int i = 0; i < 4; i++)
		v[i] = group_number(&m, i + 1);
	add_line(p, s, latency_tool, "kernel-task", l, 4, columns, v);
	record_flag(s->lines.record, FLAG_UNIT_ASSUMED, "/series/0/unit",
	            "the line has no unit; this display prints nanoseconds in all versions");
	return true;
}

static bool take_showroom(struct parse *p, struct rtai_state *s, const struct line *l)
{
	static struct pattern row = PATTERN(
		"^(?:SOLO )?"
		"\\*\\s*min:\\s*(-?\\d+)\\s*/\\s*(-?\\d+),?\\s*max:\\s*(-?\\d+)\\s*/"
	        "\\s*(-?\\d+)\\s*average:\\s*(-?\\d+)\\s*\\(\\s*(\\d+)\\s*\\)");
	static const enum field columns[] = { FIELD_MIN,   FIELD_BEST, FIELD_MAX,
		                              FIELD_WORST, FIELD_AVG,  FIELD_OVERRUNS };
	struct number v[6];
	struct match m;

	if (!pattern_match(&row, l->row, l->row_len, 0, &m))
		return false;
	for (int i = 0; i < 6; i++)
		v[i] = group_number(&m, i + 1);
	add_line(p, s, latency_tool, mode_around(p), l, 6, columns, v);
	record_flag(s->lines.record, FLAG_UNIT_ASSUMED, "/series/0/unit",
	            "the line has no unit; this display prints nanoseconds in all versions");
	return true;
}

static bool take_old_preempt(struct parse *p, struct rtai_state *s, const struct line *l)
{
	static struct pattern row = PATTERN(
		"^\\*\\s*latency:\\s*min:\\s*(-?\\d+),\\s*max:\\s*(-?\\d+),\\s*average:\\s*(-?\\d+)"
	        ";\\s*fastjit:\\s*(-?\\d+),\\s*slowjit:\\s*(-?\\d+)\\s*\\*\\s*\\(all us\\)");
	static const enum field columns[] = { FIELD_MIN, FIELD_MAX, FIELD_AVG, FIELD_JITTER_FAST,
		                              FIELD_JITTER_SLOW };
	struct number v[5];
	struct match m;

	if (!pattern_match(&row, l->row, l->row_len, 0, &m))
		return false;
	for (int i = 0; i < 5; i++)
		v[i] = number_scale(group_number(&m, i + 1), 3);
	add_line(p, s, preempt_tool, mode_around(p), l, 5, columns, v);
	s->lines.series->resolution = number_int(1000);
	return true;
}

/* switches */

static void close_switches(struct parse *p, struct rtai_state *s)
{
	if (s->switches)
		parse_emit(p, s->switches);
	s->switches = NULL;
}

static bool take_switches(struct parse *p, struct rtai_state *s, const struct line *l)
{
	static struct pattern row = PATTERN(
		"^FOR\\s+(\\d+)\\s+TASKS:\\s+TIME\\s+\\d+\\s+\\(ms\\),\\s+([A-Z][A-Z/ "
	        "-]*?)\\s+SWITCHES\\s+(\\d+),\\s+SWITCH TIME\\s*"
		"(?:\\(INCLUDING FULL FP SUPPORT\\)\\s*)?(\\d+)\\s+\\(ns\\)");
	struct series *series;
	struct match m;

	if (!pattern_match(&row, l->row, l->row_len, 0, &m))
		return false;
	for (guint i = 0; s->switches && i < s->switches->series->len; i++) {
		series = g_ptr_array_index(s->switches->series, i);
		if (strlen(series->name) == m.group[2].len &&
		    !memcmp(series->name, m.group[2].p, m.group[2].len)) {
			close_switches(p, s);
			break;
		}
	}
	if (s->switches) {
		parse_extend(p, s->switches, l);
	} else {
		s->switches = parse_begin(p, "rtai-switches", l);
		s->switches->mode = mode_around(p);
		facts_set_number(s->switches->settings, "threads", group_number(&m, 1), l->first);
	}
	series = record_add_series(s->switches,
	                           record_text(s->switches, m.group[2].p, (gssize)m.group[2].len));
	series->quantity = "switch time";
	series->unit = "ns";
	series->resolution = number_int(1);
	series->line = l->first;
	series->field[FIELD_COUNT] = group_number(&m, 3);
	series->field[FIELD_VALUE] = group_number(&m, 4);
	return true;
}

/* Lines that stand between rows: dates, messages of the display. */
static bool is_frame(const struct rtai_state *s, const struct line *l)
{
	static struct pattern frame = PATTERN(
		"^(?:\\d{4}/\\d\\d/\\d{1,2} \\d\\d:\\d\\d:\\d\\d\\s*$"
		"|Warning: Error opening /proc/rtai/latency_calibrate"
		"|Couldn't get infos about the module's state)");
	static struct pattern wait = PATTERN("^Wait for it \\.\\.\\.");

	if (pattern_match(&wait, l->row, l->row_len, 0, NULL))
		return true;
	return (s->record || s->switches) && pattern_match(&frame, l->row, l->row_len, 0, NULL);
}

static enum verdict take_row(struct parse *p, struct rtai_state *s, const struct line *l)
{
	struct rt_row row;

	if (!rt_row_read(l->row, l->row_len, &row))
		return VERDICT_PASS;
	if (row.kind == RT_HEADER)
		return take_header(p, s, l, &row) ? VERDICT_FRAME : VERDICT_PASS;
	if (row.kind == RT_DATA)
		return take_data(p, s, l, &row) ? VERDICT_DATA : VERDICT_PASS;
	return VERDICT_PASS;
}

static enum verdict rtai_line(struct parse *p, const struct line *l)
{
	struct rtai_state *s = p->state;
	enum verdict v;

	if (l->rejected || !l->row_len) {
		s->adjacent = false;
		s->blank |= !l->row_len;
		return VERDICT_PASS;
	}
	if (take_dated(p, s, l) || take_showroom(p, s, l) || take_old_preempt(p, s, l))
		return VERDICT_DATA;
	sample_run_pass(&s->lines, l);
	if (take_switches(p, s, l))
		return VERDICT_DATA;
	if (take_title(p, s, l))
		return VERDICT_FRAME;
	v = take_row(p, s, l);
	if (v != VERDICT_PASS)
		return v;
	if (is_frame(s, l))
		return VERDICT_FRAME;
	if (s->rows && s->adjacent && rt_is_ellipsis(l->row, l->row_len)) {
		record_flag(s->record, FLAG_ROWS_MISSING, "/series/0/samples",
		            "the text leaves rows out");
		return VERDICT_FRAME;
	}
	close_switches(p, s);
	s->adjacent = false;
	s->foreign = true;
	return VERDICT_PASS;
}

static void rtai_end(struct parse *p)
{
	struct rtai_state *s = p->state;

	close_table(p, s);
	sample_run_close(p, &s->lines);
	close_switches(p, s);
}

#define MORE_LINE \
	"(?:[-\\s,;:/*()<>\\d]|max|average|fastjit|slowjit|Hit|\\[RETURN\\]|to|stop|all|us)+$"

static const struct row_shape shapes[] = {
	{ "RTAI Testsuite - [A-Z]",
	  "RTAI Testsuite - [A-Za-z ]{1,60}?(?:latency|preempt)(?: test)?(?:\\s*\\([a-z ]+\\))?",
	  NULL, SHAPE_INNER },
	{ "RTH *" RT_BAR " *lat min *" RT_BAR,
	  "RTH\\s*" RT_BAR
	  "[\\s\\w|.]{0,90}?(?:overruns|freq\\.cntr|jit ?slow|(?:lat|ovl) ?max)(?!\\s*" RT_BAR ")",
	  RT_MORE_TITLES, SHAPE_INNER },
	{ RT_START("RTD"),
	  "RTD\\** *" RT_BAR "\\s*" RT_INTEGER "(?:" RT_NEXT RT_INTEGER "){2,5}" RT_STOP,
	  RT_MORE_NUMBERS, SHAPE_INNER },
	{ "## RTAI latency calibration tool", "## RTAI latency calibration tool(?:\\s*##)?", NULL,
	  SHAPE_COMMENT | SHAPE_INNER },
	{ "# period = +\\d+ \\(ns\\)", "# period =\\s+\\d+ \\(ns\\)", NULL,
	  SHAPE_COMMENT | SHAPE_INNER },
	{ "\\d\\d\\d\\d/\\d\\d/\\d+ \\d\\d:\\d\\d:\\d\\d +min: *-?\\d",
	  "\\d{4}/\\d\\d/\\d+ \\d\\d:\\d\\d:\\d\\d"
	  "\\s+min:\\s*-?\\d+\\s+max:\\s*-?\\d+\\s+average:\\s*-?\\d+(?:\\s*\\(\\d+\\))?",
	  MORE_LINE, SHAPE_INNER },
	{ "\\* min: *-?\\d+ */ *-?\\d",
	  "\\*\\s*min:\\s*-?\\d+\\s*/\\s*-?\\d+,?\\s*max:\\s*-?\\d+\\s*/"
	  "\\s*-?\\d+\\s*average:\\s*-?\\d+\\s*\\(\\s*\\d+\\s*\\)"
	  "(?:\\s*<Hit\\s*\\[RETURN\\]\\s*to\\s*stop>)?\\s*\\*",
	  MORE_LINE, SHAPE_INNER },
	{ "\\* latency: min: *-?\\d",
	  "\\*\\s*latency:\\s*min:\\s*-?\\d+,\\s*max:\\s*-?\\d+,\\s*average:\\s*-?\\d+;\\s*fastjit:"
	  "\\s*-?\\d+,\\s*slowjit:\\s*-?\\d+\\s*\\*\\s*\\(all\\s+us\\)(?:\\s*\\*)?",
	  MORE_LINE, SHAPE_INNER },
	{ "Wait for it \\.\\.\\.$", NULL, NULL, 0 },
	{ "FOR \\d+ TASKS: TIME \\d",
	  "FOR\\s+\\d+\\s+TASKS:\\s+TIME\\s+\\d+\\s+\\(ms\\),\\s+[A-Z][A-Z/ -]*?"
	  "\\s+SWITCHES\\s+\\d+,\\s+SWITCH TIME\\s*(?:\\(INCLUDING FULL FP SUPPORT\\)\\s*)?"
	  "\\d+\\s+\\(ns\\)",
	  "[A-Z\\d/ ,()-]*(?:SWITCH|ms|ns)[A-Z\\d/ ,()ns-]*$", SHAPE_INNER },
	{ NULL, NULL, NULL, 0 }
};

static const char *const tools[] = { "rtai-latency", "rtai-preempt", "rtai-switches", NULL };
static const char *const literals[] = { "RTD |%", "average:%", " TASKS: TIME ", NULL };

const struct parser parser_rtai = {
	.name = "rtai",
	.summary = "RTAI test suite: latency, preempt, switches",
	.versions = "RTAI 3.0 to 5.2",
	.sample = "RTD|      -1571|      -1571|       1622|       8446|       8446|          0",
	.tools = tools,
	.literals = literals,
	.shapes = shapes,
	.state_size = sizeof(struct rtai_state),
	.line = rtai_line,
	.end = rtai_end
};
