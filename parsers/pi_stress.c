/*
 * pi_stress of rt-tests (0.19 and later): how many priority inversions were resolved. No latency is
 * measured.
 *
 *     Total inversion performed: 237018
 *     Test Duration: 0 days, 0 hours, 0 minutes, 3 seconds
 *
 * pip_stress says only whether an inversion was resolved: there is nothing to read.
 */
#include "lib/parser.h"

struct pi_stress {
	struct record *record;          /* NULL: no run is open */
	struct number current;          /* of the last "Current Inversions:" */
	unsigned line;
	bool done, deadlock;
};

static struct pattern banner = PATTERN("^Starting PI Stress Test$");
static struct pattern current_row = PATTERN("^Current Inversions: *(\\d+)$");
static struct pattern total_row = PATTERN("^Total inversions? performed: *(\\d+)$");
static struct pattern duration_row =
	PATTERN("^Test Duration: *\\d+ days, \\d+ hours, \\d+ minutes, \\d+ seconds");
static struct pattern asked_row = PATTERN("^Duration of test run: *(\\d+) seconds");
static struct pattern deadlock_row =
	PATTERN("^ERROR: WATCHDOG triggered: group \\d+ is deadlocked!");
static struct pattern frame = PATTERN(
	"^(?:Number of thread groups: \\d|Duration of test run: |Number of inversions per group: "
	"|(?:Admin|High|Med|Low) thread (?:SCHED_\\w+ priority \\d|priority: *\\d)|\\d+ groups of 3 threads will be created"
	"|Test threads using scheduler policy: |Stopping test$|INFO: |Current Inversions:$)");

static struct number group_number(const struct match *m)
{
	struct number n;

	number_parse(m->group[1].p, m->group[1].len, 0, &n);
	return n;
}

static void finish(struct parse *p)
{
	struct pi_stress *s = p->state;
	struct series *series;

	if (!s->record)
		return;
	if (!number_is_set(s->current)) {
		parse_drop(p, s->record, "cut before its result");
	} else {
		series = record_add_series(s->record, NULL);
		series->quantity = "inversions";
		series->unit = "1";
		series->line = s->line;
		series->field[FIELD_VALUE] = s->current;
		if (s->deadlock)
			record_flag(s->record, FLAG_INTERRUPTED, "",
			            "the watchdog found a deadlocked group");
		else if (!s->done)
			record_flag(s->record, FLAG_INTERRUPTED, "",
			            "no total was printed; this is the last count");
		parse_emit(p, s->record);
	}
	*s = (struct pi_stress){ 0 };
}

static enum verdict take_count(struct parse *p, const struct line *l, const struct match *m,
                               bool total)
{
	struct pi_stress *s = p->state;

	if (s->done)
		finish(p);
	if (!s->record)
		s->record = parse_begin(p, "pi_stress", l);
	else
		parse_extend(p, s->record, l);
	s->current = group_number(m);
	s->line = l->first;
	s->done = total;
	return VERDICT_DATA;
}

static enum verdict pi_stress_line(struct parse *p, const struct line *l)
{
	struct pi_stress *s = p->state;
	struct match m;

	if (l->rejected)
		return VERDICT_PASS;
	if (pattern_match(&banner, l->row, l->row_len, 0, NULL)) {
		finish(p);
		s->record = parse_begin(p, "pi_stress", l);
		return VERDICT_FRAME;
	}
	if (pattern_match(&total_row, l->row, l->row_len, 0, &m))
		return take_count(p, l, &m, true);
	if (pattern_match(&current_row, l->row, l->row_len, 0, &m))
		return take_count(p, l, &m, false);
	if (!s->record)
		return VERDICT_PASS;
	if (pattern_match(&asked_row, l->row, l->row_len, 0, &m))
		facts_set_number(s->record->settings, "duration_s", group_number(&m), l->first);
	else if (pattern_match(&deadlock_row, l->row, l->row_len, 0, NULL))
		s->deadlock = true;
	else if (!pattern_match(&frame, l->row, l->row_len, 0, NULL) &&
	         !pattern_match(&duration_row, l->row, l->row_len, 0, NULL))
		return VERDICT_PASS;
	parse_extend(p, s->record, l);
	return VERDICT_FRAME;
}

static const struct row_shape shapes[] = {
	{ "Starting PI Stress Test$", NULL, NULL, 0 },
	{ "Total inversion performed: *\\d", NULL, NULL, SHAPE_INNER },
	{ "Current Inversions: *\\d", NULL, NULL, SHAPE_INNER },
	{ NULL, NULL, NULL, 0 }
};

static const struct tool_option options[] = {
	{ NULL, "--duration", "duration_s", OPTION_DURATION },
	{ NULL, "--groups", NULL, OPTION_INTEGER },
	{ NULL, "--inversions", NULL, OPTION_INTEGER },
	{ NULL, "--sched", NULL, OPTION_TEXT },
	{ NULL, "--json", NULL, OPTION_TEXT },
	{ "-q", "--quiet", NULL, OPTION_FLAG },
	{ "-v", "--verbose", NULL, OPTION_FLAG },
	{ NULL, NULL, NULL, OPTION_FLAG }
};
static const struct tool_options commands[] = {
	{ (const char *const[]){ "pi_stress", NULL }, "pi_stress", options },
	{ NULL, NULL, NULL }
};
static const char *const tools[] = { "pi_stress", NULL };
static const char *const literals[] = { "Total inversion performed", "Current Inversions", NULL };

const struct parser parser_pi_stress = {
	.name = "pi_stress",
	.summary = "priority inversions resolved",
	.versions = "rt-tests 0.19 to 2.10",
	.sample = "Total inversion performed: 237018",
	.tools = tools,
	.literals = literals,
	.shapes = shapes,
	.commands = commands,
	.state_size = sizeof(struct pi_stress),
	.line = pi_stress_line,
	.end = finish,
};
