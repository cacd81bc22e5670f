/*
 * stress-ng --cyclic: percentiles of the first samples of a run, always in nanoseconds.
 *
 *     stress-ng: info:  [18747] cyclic: sched SCHED_FIFO: 100000 ns delay, 10000 samples
 *     stress-ng: info:  [18747] cyclic:   mean: 44111.39 ns, mode: 43893 ns
 *     stress-ng: info:  [18747] cyclic:   min: 19575 ns, max: 711465 ns, std.dev. 12800.26
 *     stress-ng: info:  [18747] cyclic:   99.99%:     711465 ns
 *
 * In 2017 the name was "stress-ng-cyclic" and the percentiles were marked "us" although they were
 * nanoseconds too.
 */
#include <string.h>

#include "lib/parser.h"

struct stress_ng {
	struct record *record;          /* NULL: no run is open */
	struct series *series;
	char pid[24];                   /* of the process that reports; "" when none was printed */
	struct number width;            /* of the distribution's intervals */
	bool distribution;
};

static struct pattern prefix = PATTERN(
	"^(?:\\^C)?(?:stress-ng: *)?(?:info: *)?(?:\\[(\\d+)\\] *)?(?:stress-ng-)?cyclic: *");
static struct pattern start_row =
	PATTERN("^sched (SCHED_\\w+)(?: \\([^)]*\\))?: (\\d+) ns delay, (\\d+) samples");
static struct pattern mean_row = PATTERN("^mean: (\\d+(?:\\.\\d+)?) ns, mode: \\d+ ns");
static struct pattern range_row =
	PATTERN("^min: (\\d+) ns, max: (\\d+) ns, std\\.dev\\. (\\d+(?:\\.\\d+)?)(?![\\d.])");
static struct pattern percentile_row = PATTERN("^(\\d{1,3}\\.\\d\\d)%: *(\\d+) (?:ns|us)\\b");
static struct pattern distribution_row = PATTERN("^latency distribution \\((\\d+) ns intervals\\)");
static struct pattern bin_row = PATTERN("^(\\d+) +(\\d+)$");
static struct pattern frame_row = PATTERN(
	"^(?:latency percentiles:|\\(for the first \\d+ buckets of \\d+\\)|latency \\(ns\\) +frequency"
	"|\\.\\. +\\.\\. \\(all zeros|Note: --cyclic-samples)");

static struct number group_number(const struct match *m, int i)
{
	struct number n;

	number_parse(m->group[i].p, m->group[i].len, 0, &n);
	return n;
}

static void finish(struct parse *p)
{
	struct stress_ng *s = p->state;

	if (!s->record)
		return;
	if (number_is_set(s->series->field[FIELD_AVG]) ||
	    number_is_set(s->series->field[FIELD_MAX]) || s->series->percentiles)
		parse_emit(p, s->record);
	else
		parse_drop(p, s->record, "cut before its figures");
	memset(s, 0, sizeof(*s));
}

static void begin(struct parse *p, const struct line *l, const char *pid)
{
	struct stress_ng *s = p->state;

	finish(p);
	s->record = parse_begin(p, "stress-ng-cyclic", l);
	s->series = record_add_series(s->record, NULL);
	s->series->unit = "ns";
	s->series->line = l->first;
	s->series->resolution = number_int(1);
	g_strlcpy(s->pid, pid, sizeof s->pid);
}

/* "95.40" is the 95.4th percentile. */
static void take_percentile(struct stress_ng *s, const struct match *m)
{
	char key[NUMBER_TEXT];

	series_percentile(s->record, s->series, number_print(group_number(m, 1), key),
	                  group_number(m, 2));
}

static void take_bin(struct stress_ng *s, const struct match *m)
{
	if (!s->series->histogram) {
		s->series->histogram = histogram_new();
		s->series->histogram->bin_width = s->width;
	}
	histogram_add(s->series->histogram, group_number(m, 1), number_absent(),
	              group_number(m, 2));
}

static enum verdict take_start(struct parse *p, const struct line *l, const struct match *m,
                               const char *pid)
{
	struct stress_ng *s = p->state;

	begin(p, l, pid);
	s->series->field[FIELD_COUNT] = group_number(m, 3);
	facts_set_text(s->record, s->record->settings, "policy",
	               record_text(s->record, m->group[1].p, (gssize)m->group[1].len), l->first);
	facts_set_number(s->record->settings, "period_ns", group_number(m, 2), l->first);
	return VERDICT_DATA;
}

/* A row of figures that are not as the tool prints them (digit groups, another unit): all of it is null. */
static enum verdict take_unread(struct stress_ng *s, const struct match *m)
{
	static const enum field range[] = { FIELD_MIN, FIELD_MAX, FIELD_STDDEV };
	bool mean = m->group[1].len == strlen("mean");

	if (mean)
		s->series->field[FIELD_AVG] = number_null();
	for (size_t i = 0; !mean && i < G_N_ELEMENTS(range); i++)
		s->series->field[range[i]] = number_null();
	record_flag(s->record, FLAG_ROW_TRUNCATED, "/series/0",
	            "the figures of a row are not as the tool prints them: null");
	return VERDICT_DATA;
}

/* What follows "cyclic:" on a line of the open run. */
static enum verdict take_rest(struct stress_ng *s, const char *text, size_t len)
{
	static struct pattern unread_row = PATTERN("^(min|mean): *\\S*\\d");
	struct match m;

	if (pattern_match(&mean_row, text, len, 0, &m)) {
		s->series->field[FIELD_AVG] = group_number(&m, 1);
	} else if (pattern_match(&range_row, text, len, 0, &m)) {
		s->series->field[FIELD_MIN] = group_number(&m, 1);
		s->series->field[FIELD_MAX] = group_number(&m, 2);
		s->series->field[FIELD_STDDEV] = group_number(&m, 3);
	} else if (pattern_match(&percentile_row, text, len, 0, &m)) {
		take_percentile(s, &m);
	} else if (pattern_match(&distribution_row, text, len, 0, &m)) {
		s->width = group_number(&m, 1);
		s->distribution = true;
		return VERDICT_FRAME;
	} else if (s->distribution && pattern_match(&bin_row, text, len, 0, &m)) {
		take_bin(s, &m);
	} else if (pattern_match(&unread_row, text, len, 0, &m)) {
		return take_unread(s, &m);
	} else {
		return pattern_match(&frame_row, text, len, 0, NULL) ? VERDICT_FRAME : VERDICT_PASS;
	}
	return VERDICT_DATA;
}

/* Other stressors' reports, and stress-ng's own. */
static struct pattern other_row = PATTERN("^(?:\\^C)?stress-ng: *[a-z]+: *\\[\\d+\\]");

static enum verdict stress_ng_line(struct parse *p, const struct line *l)
{
	struct stress_ng *s = p->state;
	char pid[24] = "";
	struct match m, rest;
	const char *text;
	size_t len;
	enum verdict v;

	/* A part of the prefix may have been taken for the log's. */
	if (l->rejected || (!pattern_match(&prefix, l->row, l->row_len, 0, &m) &&
	                    !pattern_match(&prefix, l->text, l->len, 0, &m)))
		return !l->rejected && pattern_match(&other_row, l->row, l->row_len, 0, NULL)
		               ? VERDICT_FRAME
		               : VERDICT_PASS;
	if (m.group[1].p)
		g_strlcpy(pid, m.group[1].p, MIN(sizeof pid, m.group[1].len + 1));
	text = m.end;
	len = strlen(text);
	if (pattern_match(&start_row, text, len, 0, &rest))
		return take_start(p, l, &rest, pid);
	/* Without its first line a run begins with its mean. */
	if ((!s->record || strcmp(s->pid, pid)) && pattern_match(&mean_row, text, len, 0, NULL))
		begin(p, l, pid);
	if (!s->record || strcmp(s->pid, pid))
		return VERDICT_PASS;
	v = take_rest(s, text, len);
	if (v != VERDICT_PASS)
		parse_extend(p, s->record, l);
	return v;
}

/*
 * Wrapped by a mailer, the rows with several figures are joined; a percentile's unit may be on the
 * next line too.
 */
#define FIGURES "[\\w\\d.:,() ]+$"
#define LATENCY "latency (?:percentiles:|distribution \\(\\d+ ns intervals\\)|\\(ns\\) +frequency)"
#define SHAPE(literal) \
	{ literal "cyclic: +sched SCHED_", "[^%]*? ns delay, \\d+ samples", NULL, SHAPE_INNER }, \
	{ literal "cyclic: +mean: ", "[^%]*?mode: \\d+ ns", FIGURES, SHAPE_INNER }, \
	{ literal "cyclic: +min: ", "[^%]*?std\\.dev\\. \\d++(?:\\.\\d++)?", FIGURES, SHAPE_INNER }, \
	{ literal "cyclic: +\\d+\\.\\d\\d%: ", "[^%]*?%: *\\d+ [nu]s", "[\\dnus ]+$", SHAPE_INNER }, \
	{ literal "cyclic: +latency ", "[^%]*?" LATENCY, FIGURES, SHAPE_INNER }, \
	{ literal "cyclic: +\\d+ +\\d+$", NULL, NULL, 0 }

static const struct row_shape shapes[] = {
	SHAPE("stress-ng: *info: *\\[\\d+\\] *"),
	SHAPE("stress-ng: *info: *\\[\\d+\\] *stress-ng-"),
	{ "stress-ng: *[a-z]+: *\\[\\d+\\] *[a-z]", NULL, NULL, 0 },
	{ "cyclic: +sched SCHED_", NULL, NULL, 0 },
	{ "cyclic: +mean: ", NULL, NULL, 0 },
	{ NULL, NULL, NULL, 0 }
};

static const struct tool_option options[] = {
	{ NULL, "--cyclic", NULL, OPTION_INTEGER },
	{ NULL, "--cyclic-dist", NULL, OPTION_INTEGER },
	{ NULL, "--cyclic-method", NULL, OPTION_TEXT },
	{ NULL, "--cyclic-policy", "policy", OPTION_TEXT },
	{ NULL, "--cyclic-prio", "priority", OPTION_INTEGER },
	{ NULL, "--cyclic-samples", NULL, OPTION_INTEGER },
	{ NULL, "--cyclic-sleep", "period_ns", OPTION_NS },
	{ "-t", "--timeout", "duration_s", OPTION_DURATION },
	{ NULL, NULL, NULL, OPTION_FLAG }
};
static const struct tool_options commands[] = {
	{ (const char *const[]){ "stress-ng", NULL }, "stress-ng-cyclic", options },
	{ NULL, NULL, NULL }
};
static const char *const tools[] = { "stress-ng-cyclic", NULL };
static const char *const literals[] = { "cyclic: ", NULL };

const struct parser parser_stress_ng = {
	.name = "stress-ng-cyclic",
	.summary = "stress-ng --cyclic: wake-up latency with percentiles",
	.versions = "2017 to 2025",
	.sample = "stress-ng: info:  [18747] cyclic:   mean: 44111.39 ns, mode: 43893 ns",
	.tools = tools,
	.literals = literals,
	.shapes = shapes,
	.commands = commands,
	.command_word = "--cyclic",
	.state_size = sizeof(struct stress_ng),
	.line = stress_ng_line,
	.end = finish,
};
