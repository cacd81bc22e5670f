/*
 * gpiobench of Xenomai (3.2 and later): a pulse from one GPIO pin to another, seen in the interrupt
 * handler (inner loop) and by the task (outer loop), in whole microseconds.
 *
 *   index: 12, inner_diff:        7, outer_diff:       19      two of each index
 *   # Inner Loop Histogram
 *   000007 000123                                              all buckets, also empty ones
 *   # Total: 000000999                                         cycles: half the number of
 * measurements # Min Latencies: 00006 # Avg Latencies: 7.123400 # Max Latencies: 00031
 *
 * How many values lie beyond the last bucket is not printed.
 */
#include <string.h>

#include "lib/parser.h"

enum { INNER, OUTER, LOOPS };

struct gpio_state {
	struct record *record;
	struct series *series[LOOPS];
	int block; /* whose histogram comes, from its title to its maximum; -1: none */
	bool rows, blocks[LOOPS];
	unsigned commands;
};

static void close_run(struct parse *p, struct gpio_state *s)
{
	/* A title whose bins did not come. */
	for (int i = 0; s->record && i < LOOPS; i++)
		if (s->series[i]->histogram && !s->series[i]->histogram->bins->len) {
			histogram_free(s->series[i]->histogram);
			s->series[i]->histogram = NULL;
		}
	if (s->record && (s->rows || s->blocks[INNER] || s->blocks[OUTER]))
		parse_emit(p, s->record);
	else if (s->record)
		parse_drop(p, s->record, "a run without any result");
	*s = (struct gpio_state){ .block = -1 };
}

static void open_run(struct parse *p, struct gpio_state *s, const struct line *l)
{
	static const char *const names[LOOPS] = { "inner loop", "outer loop" };

	if (s->record) {
		parse_extend(p, s->record, l);
		return;
	}
	*s = (struct gpio_state){ .block = -1, .commands = parse_command_count(p) };
	s->record = parse_begin(p, "gpiobench", l);
	for (int i = 0; i < LOOPS; i++) {
		s->series[i] = record_add_series(s->record, names[i]);
		s->series[i]->unit = "ns";
		s->series[i]->resolution = number_int(1000);
		s->series[i]->line = l->first;
	}
}

static struct number group_number(const struct match *m, int g, int scale)
{
	struct number n = number_absent();

	number_parse(m->group[g].p, m->group[g].len, scale, &n);
	return n;
}

static bool take_start(struct parse *p, struct gpio_state *s, const struct line *l)
{
	static struct pattern start = PATTERN("^----rt task, gpio (?:loop|react), test run----");
	static struct pattern title = PATTERN("^# (Inner|Outer) Loop Histogram");
	static struct pattern about = PATTERN(
		"^# (?:(?:Inner|Outer) Loop latency is|between (?:gpio_set_value|write)"
		"|Technically, outer loop|plus overhead)");
	static struct pattern broken = PATTERN("^Test is interrupted and exit exceptionally");
	struct match m;

	if (pattern_match(&start, l->row, l->row_len, 0, NULL)) {
		close_run(p, s);
		open_run(p, s, l);
		return true;
	}
	if (s->record && pattern_match(&broken, l->row, l->row_len, 0, NULL)) {
		record_flag(
			s->record, FLAG_INTERRUPTED, "",
			"the run was interrupted; the program itself calls its figures unusable");
		parse_extend(p, s->record, l);
		return true;
	}
	if (pattern_match(&title, l->row, l->row_len, 0, &m)) {
		int block = *m.group[1].p == 'I' ? INNER : OUTER;

		if (s->blocks[block] || (s->record && s->commands != parse_command_count(p)))
			close_run(p, s);
		open_run(p, s, l);
		s->block = block;
		s->blocks[block] = true;
		s->series[block]->histogram = histogram_new();
		s->series[block]->histogram->bin_width = number_int(1000);
		return true;
	}
	return s->block >= 0 && pattern_match(&about, l->row, l->row_len, 0, NULL);
}

/* A line of the histogram that is open. */
static bool take_block(struct parse *p, struct gpio_state *s, const struct line *l)
{
	static struct pattern bin = PATTERN("^(\\d{6,})\\s+(\\d{6,})$");
	static struct pattern foot = PATTERN(
		"^# (Total|Min Latencies|Avg Latencies|Max Latencies):\\s*(\\d+(?:\\.\\d+)?)$");
	struct series *series;
	struct match m;

	if (s->block < 0)
		return false;
	series = s->series[s->block];
	if (pattern_match(&bin, l->row, l->row_len, 0, &m)) {
		struct number lower = group_number(&m, 1, 3);

		histogram_add(series->histogram, lower, number_add(lower, number_int(1000)),
		              group_number(&m, 2, 0));
	} else if (!pattern_match(&foot, l->row, l->row_len, 0, &m)) {
		return false;
	} else if (m.group[1].p[1] == 'o') {
		facts_set_number(s->record->settings, "loops", group_number(&m, 2, 0), l->first);
	} else if (m.group[1].p[1] == 'i') {
		series->field[FIELD_MIN] = group_number(&m, 2, 3);
	} else if (m.group[1].p[1] == 'v') {
		series->field[FIELD_AVG] = group_number(&m, 2, 3);
	} else {
		series->field[FIELD_MAX] = group_number(&m, 2, 3);
		s->block = -1;
	}
	parse_extend(p, s->record, l);
	return true;
}

static bool take_row(struct parse *p, struct gpio_state *s, const struct line *l)
{
	static struct pattern row = PATTERN(
		"^index:\\s*(\\d+),\\s*inner_diff:\\s*(-?\\d+),\\s*outer_diff:\\s*(-?\\d+)$");
	static const enum field column[] = { FIELD_VALUE };
	struct match m;

	if (!pattern_match(&row, l->row, l->row_len, 0, &m))
		return false;
	if (s->record && (s->blocks[INNER] || s->commands != parse_command_count(p)))
		close_run(p, s);
	open_run(p, s, l);
	for (int i = 0; i < LOOPS; i++) {
		struct number n = group_number(&m, i + 2, 3);

		if (!s->rows)
			series_columns(s->series[i], 1, column);
		series_add_row(s->series[i], l->first, &n);
	}
	s->rows = true;
	return true;
}

static enum verdict gpio_line(struct parse *p, const struct line *l)
{
	struct gpio_state *s = p->state;

	if (!s->record)
		s->block = -1;
	if (l->rejected || !l->row_len)
		return VERDICT_PASS;
	if (take_start(p, s, l))
		return VERDICT_FRAME;
	return take_block(p, s, l) || take_row(p, s, l) ? VERDICT_DATA : VERDICT_PASS;
}

static void gpio_end(struct parse *p)
{
	close_run(p, p->state);
}

static const struct row_shape shapes[] = {
	{ "index: *\\d+, inner_diff: *-?\\d",
	  "index:\\s*\\d+,\\s*inner_diff:\\s*-?\\d+,\\s*outer_diff:\\s*-?\\d+", "[-\\s,:\\d_a-z]+$",
	  SHAPE_INNER },
	{ "----rt task, gpio ", "----rt task, gpio (?:loop|react), test run----", NULL,
	  SHAPE_INNER },
	{ "# Inner Loop Histogram", NULL, NULL, SHAPE_COMMENT },
	{ "# Outer Loop Histogram", NULL, NULL, SHAPE_COMMENT },
	/* cyclictest ends its histograms in the same words: these are gpiobench's only below its
	   own titles. */
	{ "# Total: *\\d", "# Total:\\s*\\d+(?![\\d.,'])", NULL, SHAPE_COMMENT },
	{ "# M[ia][nx] Latencies: *\\d", "# M[ia][nx] Latencies:\\s*\\d+(?![ \\d.,'])", NULL,
	  SHAPE_COMMENT },
	{ "# Avg Latencies: *\\d", "# Avg Latencies:\\s*\\d+\\.\\d{6}", NULL, SHAPE_COMMENT },
	{ "\\d\\d\\d\\d\\d\\d+ \\d\\d\\d\\d\\d\\d+$", NULL, NULL, SHAPE_QUIET },
	{ NULL, NULL, NULL, 0 }
};

static const char *const tools[] = { "gpiobench", NULL };
static const char *const literals[] = { "inner_diff:", "Loop Histogram", NULL };
static const char *const programs[] = { "gpiobench", NULL };

static const struct tool_option options[] = {
	{ "-l", "--loops", "loops", OPTION_INTEGER },
	{ "-p", "--prio", "priority", OPTION_INTEGER },
	{ "-h", "--histogram", NULL, OPTION_INTEGER },
	{ "-b", "--bracetrace", NULL, OPTION_INTEGER },
	{ "-o", "--output", NULL, OPTION_INTEGER },
	{ "-i", "--intr", NULL, OPTION_INTEGER },
	{ "-c", "--pinctrl", NULL, OPTION_TEXT },
	{ "-m", "--testmode", NULL, OPTION_INTEGER },
	{ "-q", "--quiet", NULL, OPTION_FLAG },
	{ NULL, NULL, NULL, OPTION_FLAG }
};
static const struct tool_options commands[] = {
	{ programs, "gpiobench", options },
	{ NULL, NULL, NULL }
};

const struct parser parser_gpiobench = {
	.name = "gpiobench",
	.summary = "Xenomai gpiobench: response to a pulse on a GPIO pin",
	.versions = "Xenomai 3.2 and 3.3",
	.sample = "index: 12, inner_diff:        7, outer_diff:       19",
	.tools = tools,
	.literals = literals,
	.shapes = shapes,
	.commands = commands,
	.state_size = sizeof(struct gpio_state),
	.line = gpio_line,
	.end = gpio_end
};
