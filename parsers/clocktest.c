/*
 * clocktest of Xenomai (2.4 and later): per CPU how far a clock is from the time of day. The block
 * is redrawn four times a second; all values are of the whole run, so the last one counts.
 *
 *   == Testing built-in CLOCK_REALTIME (0)
 *   CPU      ToD offset [us] ToD drift [us/s]      warps max delta [us]
 *   --- -------------------- ---------------- ---------- --------------
 *     0                 -2.1            0.131          0            0.0
 */
#include <string.h>

#include "lib/parser.h"

#define MAX_CPUS 1024u
#define QUANTITIES 4u

static const struct { const char *quantity, *unit; } columns[QUANTITIES] = {
	{ "ToD offset", "us" }, { "ToD drift", "us/s" }, { "warps", "1" }, { "max delta", "us" }
};

struct clock_state {
	struct record *record;
	bool header;
	unsigned begin;                 /* line of the start line; 0: none */
	char clock[40];
};

static void close_run(struct parse *p, struct clock_state *s)
{
	if (s->record)
		parse_emit(p, s->record);
	*s = (struct clock_state){ 0 };
}

/* Index of the first series of this CPU; the number of series when it has none. */
static guint find_cpu(const struct clock_state *s, struct number cpu)
{
	guint i = 0;

	for (; i < s->record->series->len; i += QUANTITIES) {
		const struct series *series = g_ptr_array_index(s->record->series, i);

		if (number_equal(g_array_index(series->labels, struct fact, 0).number, cpu))
			break;
	}
	return i;
}

static void add_cpu(struct clock_state *s, struct number cpu, const struct line *l)
{
	for (unsigned i = 0; i < QUANTITIES; i++) {
		struct series *series = record_add_series(s->record, NULL);

		series->quantity = columns[i].quantity;
		series->unit = columns[i].unit;
		series->line = l->first;
		series_label_number(series, "cpu", cpu);
		if (*s->clock)
			series_label(s->record, series, "context",
			             record_text(s->record, s->clock, -1));
	}
}

static bool take_row(struct parse *p, struct clock_state *s, const struct line *l)
{
	static struct pattern row = PATTERN("^\\s*(\\d{1,4})\\s+(-?\\d+\\.\\d)\\s+(-?\\d+\\.\\d{3})"
	                                    "\\s+(\\d+)\\s+(-?\\d+\\.\\d)\\s*$");
	struct match m;
	struct number cpu;
	guint at;

	if (!s->header || !pattern_match(&row, l->row, l->row_len, 0, &m))
		return false;
	number_parse(m.group[1].p, m.group[1].len, 0, &cpu);
	if (!s->record) {
		s->record = parse_begin(p, "xenomai-clocktest", l);
		if (s->begin)
			s->record->source.first = s->begin;
	}
	parse_extend(p, s->record, l);
	at = find_cpu(s, cpu);
	if (at >= MAX_CPUS * QUANTITIES)
		return true;
	if (at == s->record->series->len)
		add_cpu(s, cpu, l);
	for (unsigned i = 0; i < QUANTITIES; i++) {
		struct series *series = g_ptr_array_index(s->record->series, at + i);

		number_parse(m.group[i + 2].p, m.group[i + 2].len, 0, &series->field[FIELD_VALUE]);
	}
	return true;
}

static enum verdict clock_line(struct parse *p, const struct line *l)
{
	static struct pattern start = PATTERN(
		"^==\\s*(?:Tested clock:\\s*-?\\d+\\s*\\((.{1,39})\\)|Testing (?:built-in"
		"|extension) (\\S{1,39}))");
	static struct pattern header = PATTERN("^CPU\\s+ToD offset \\[us\\]\\s+ToD drift");
	static struct pattern rule = PATTERN("^-{3}\\s+-{10,}");
	struct clock_state *s = p->state;
	struct match m;

	if (l->rejected || !l->row_len)
		return VERDICT_PASS;
	if (pattern_match(&start, l->row, l->row_len, 0, &m)) {
		int g = m.group[1].p ? 1 : 2;

		close_run(p, s);
		s->begin = l->first;
		memcpy(s->clock, m.group[g].p, m.group[g].len);
		return VERDICT_FRAME;
	}
	if (pattern_match(&header, l->row, l->row_len, 0, NULL)) {
		if (s->record)
			close_run(p, s);
		s->header = true;
		return VERDICT_FRAME;
	}
	if (s->header && pattern_match(&rule, l->row, l->row_len, 0, NULL))
		return VERDICT_FRAME;
	return take_row(p, s, l) ? VERDICT_DATA : VERDICT_PASS;
}

static void clock_end(struct parse *p)
{
	close_run(p, p->state);
}

static const struct row_shape shapes[] = {
	{ "CPU +ToD offset \\[us\\]",
	  "CPU\\s+ToD offset \\[us\\]\\s+ToD drift \\[us/s\\]\\s+warps\\s+max delta \\[us\\]", NULL,
	  SHAPE_INNER },
	{ "== Testing built-in ", NULL, NULL, 0 },
	{ "== Testing extension ", NULL, NULL, 0 },
	{ "== Tested clock: ", NULL, NULL, 0 },
	{ NULL, NULL, NULL, 0 }
};

static const char *const tools[] = { "xenomai-clocktest", NULL };
static const char *const literals[] = { "ToD offset [us]", NULL };
static const char *const programs[] = { "clocktest", NULL };

static const struct tool_option options[] = {
	{ "-C", NULL, NULL, OPTION_INTEGER },
	{ "-T", NULL, "duration_s", OPTION_INTEGER },
	{ "-D", NULL, NULL, OPTION_FLAG },
	{ NULL, NULL, NULL, OPTION_FLAG }
};
static const struct tool_options commands[] = {
	{ programs, "xenomai-clocktest", options },
	{ NULL, NULL, NULL }
};

const struct parser parser_clocktest = {
	.name = "clocktest",
	.summary = "Xenomai clocktest: offset, drift and warps of a clock per CPU",
	.versions = "Xenomai 2.4 to 3.3",
	.sample = "  0                 -2.1            0.131          0            0.0",
	.tools = tools,
	.literals = literals,
	.shapes = shapes,
	.commands = commands,
	.state_size = sizeof(struct clock_state),
	.line = clock_line,
	.end = clock_end
};
