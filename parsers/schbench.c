/*
 * schbench: wake-up and request latencies as percentiles. It reports every ten seconds or so, and at
 * the end; each report counts from the start, so the last one is the run's.
 *
 *     Wakeup Latencies percentiles (usec) runtime 30 (s) (403403 total samples)
 *               50.0th: 7          (106566 samples)
 *             * 99.0th: 14         (26841 samples)
 *               min=1, max=45003
 *
 * and before 2023, at the end only:
 *
 *     Latency percentiles (usec)
 *             50.0000th: 38
 *             *99.0000th: 1786
 *             min=0, max=24754
 */
#include "lib/parser.h"

struct schbench {
	struct record *record;
	struct series *series;          /* whose rows come next; NULL: rows of requests per second, or none */
	unsigned commands;
	uint64_t runtime;               /* of the report being read; 0: not stated */
	bool rows;                      /* below a heading */
};

static struct pattern heading = PATTERN(
	"^(?:((?:Wakeup|Request) Latencies)|Latency) percentiles \\(usec\\)"
	"(?: runtime (\\d+) \\(s\\)(?: \\((\\d+) total samples\\))?)?$");
static struct pattern requests = PATTERN(
	"^RPS percentiles \\(requests\\)|^(?:current|average) rps: [\\d.]+$|^sched delay: message \\d+ ");
static struct pattern row = PATTERN("^\\*? *(\\d+\\.\\d+)th: *(\\d+)(?: +\\(\\d+ samples\\))?$");
static struct pattern extremes = PATTERN("^min=(\\d+), max=(\\d+)$");

static void emit(struct parse *p, struct schbench *s)
{
	if (s->record)
		parse_emit(p, s->record);
	s->record = NULL;
	s->series = NULL;
	s->rows = false;
}

static struct number microseconds(const struct slice *text)
{
	struct number n;

	return number_parse(text->p, text->len, 3, &n) == NUMBER_OK ? n : number_null();
}

static bool has_series(const struct record *r, const char *name)
{
	for (guint i = 0; i < r->series->len; i++) {
		const struct series *s = g_ptr_array_index(r->series, i);

		if (!g_strcmp0(s->name, name))
			return true;
	}
	return false;
}

static enum verdict take_heading(struct parse *p, struct schbench *s, const struct line *l, const struct match *m)
{
	g_autofree char *name = m->group[1].p ? g_strndup(m->group[1].p, m->group[1].len) : NULL;
	uint64_t runtime = m->group[2].p ? g_ascii_strtoull(m->group[2].p, NULL, 10) : 0;
	struct number count;

	if (s->record && (has_series(s->record, name) || runtime != s->runtime || parse_command_count(p) != s->commands)) {
		if (parse_command_count(p) == s->commands && runtime > s->runtime && s->runtime) {
			parse_drop(p, s->record, "a report while the run below went on");
			s->record = NULL;
		}
		emit(p, s);
	}
	if (!s->record)
		s->record = parse_begin(p, "schbench", l);
	parse_extend(p, s->record, l);
	s->commands = parse_command_count(p);
	s->runtime = runtime;
	s->series = record_add_series(s->record, name ? record_text(s->record, name, -1) : NULL);
	s->series->line = l->first;
	s->series->unit = "ns";
	s->series->resolution = number_int(1000);
	if (m->group[3].p && number_parse(m->group[3].p, m->group[3].len, 0, &count) == NUMBER_OK)
		s->series->field[FIELD_COUNT] = count;
	s->rows = true;
	return VERDICT_FRAME;
}

static enum verdict schbench_line(struct parse *p, const struct line *l)
{
	struct schbench *s = p->state;
	struct match m;

	if (l->rejected)
		return VERDICT_PASS;
	if (pattern_match(&heading, l->row, l->row_len, 0, &m))
		return take_heading(p, s, l, &m);
	if (!s->record)
		return VERDICT_PASS;
	if (pattern_match(&requests, l->row, l->row_len, 0, NULL)) {
		s->series = NULL;
		s->rows = true;
		return VERDICT_FRAME;
	}
	if (s->rows && pattern_match(&row, l->row, l->row_len, 0, &m)) {
		if (s->series) {
			char key[NUMBER_TEXT];
			struct number percent = number_null();

			number_parse(m.group[1].p, m.group[1].len, 0, &percent);
			series_percentile(s->record, s->series, number_print(percent, key), microseconds(&m.group[2]));
			parse_extend(p, s->record, l);
		}
		return s->series ? VERDICT_DATA : VERDICT_FRAME;
	}
	if (s->rows && pattern_match(&extremes, l->row, l->row_len, 0, &m)) {
		enum verdict v = s->series ? VERDICT_DATA : VERDICT_FRAME;

		if (s->series) {
			s->series->field[FIELD_MIN] = microseconds(&m.group[1]);
			s->series->field[FIELD_MAX] = microseconds(&m.group[2]);
			parse_extend(p, s->record, l);
		}
		s->rows = false;
		return v;
	}
	return VERDICT_PASS;
}

static void schbench_end(struct parse *p)
{
	emit(p, p->state);
}

static const struct row_shape shapes[] = {
	{ "(?:(?:Wakeup|Request) Latencies|Latency) percentiles \\(usec\\)", NULL, NULL, 0 },
	{ "RPS percentiles \\(requests\\)", NULL, NULL, 0 },
	{ "(?:current|average) rps: \\d", NULL, NULL, 0 },
	{ "sched delay: message \\d", NULL, NULL, 0 },
	{ "\\*? *\\d+\\.\\d+th: *\\d", NULL, NULL, 0 },
	{ "min=\\d+, max=\\d+$", NULL, NULL, 0 },
	{ NULL, NULL, NULL, 0 }
};

static const struct tool_option options[] = {
	{ "-m", "--message-threads", NULL, OPTION_INTEGER },
	{ "-t", "--threads", NULL, OPTION_INTEGER },
	{ "-r", "--runtime", "duration_s", OPTION_INTEGER },
	{ "-F", "--cache_footprint", NULL, OPTION_INTEGER },
	{ "-n", "--operations", NULL, OPTION_INTEGER },
	{ NULL, NULL, NULL, OPTION_FLAG }
};
static const struct tool_options commands[] = {
	{ (const char *const[]){ "schbench", NULL }, "schbench", options },
	{ NULL, NULL, NULL }
};
static const char *const tools[] = { "schbench", NULL };
static const char *const literals[] = { "percentiles (usec)", NULL };

const struct parser parser_schbench = {
	.name = "schbench",
	.summary = "schbench: wake-up and request latencies as percentiles",
	.versions = "2016 to 2025",
	.sample = "Wakeup Latencies percentiles (usec) runtime 30 (s) (403403 total samples)",
	.tools = tools,
	.literals = literals,
	.shapes = shapes,
	.commands = commands,
	.state_size = sizeof(struct schbench),
	.line = schbench_line,
	.end = schbench_end,
};
