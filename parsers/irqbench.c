/*
 * irqbench of Xenomai 2.2 to 2.6, on the host that measures: round trips to the target, µs.
 *
 *   9897: 9.112 / 11.420 / 25.761 us          one a second: signals so far, min so far / avg of the
 * second / max so far
 *   ---
 *   19794: 9.007 / 11.404 / 31.042 us         final; the average is that of the seconds
 *
 * 2.2 prints no count. The tables that people type from such runs are read by the rule for tables.
 */
#include <string.h>

#include "lib/parser.h"

enum { AT_COUNT, AT_MIN, AT_AVG, AT_MAX, AT_END };
static const enum field columns[AT_END] = { FIELD_COUNT, FIELD_MIN, FIELD_AVG, FIELD_MAX };

struct irq_state {
	unsigned head;                  /* line where its start lines began; 0: none seen */
	struct record *record;
	struct series *series;
	unsigned rows, commands;
	bool rule, final;
	struct number last[AT_END];
};

static void close_run(struct parse *p, struct irq_state *s)
{
	if (s->record) {
		/* The count so far is of the whole run, the extremes are those of the last row. */
		if (!s->final)
			s->series->field[FIELD_COUNT] = s->last[AT_COUNT];
		parse_emit(p, s->record);
	}
	*s = (struct irq_state){ 0 };
}

/*
 * Whether the text says that rows are of this program: by its start lines, its command or its
 * heading.
 */
static bool is_named(struct parse *p, const struct irq_state *s)
{
	const char *command = parse_command(p), *title = parse_title(p);

	return s->head || s->record || (command && strstr(command, "irqbench")) ||
	       (title && strstr(title, "irqbench"));
}

static void take_row(struct parse *p, struct irq_state *s, const struct line *l,
                     const struct number v[AT_END])
{
	if (s->record && (s->final || (s->commands != parse_command_count(p))))
		close_run(p, s);
	if (!s->record) {
		s->record = parse_begin(p, "irqbench", l);
		if (s->head)
			s->record->source.first = s->head;
		s->series = record_add_series(s->record, NULL);
		s->series->unit = "ns";
		s->series->resolution = number_int(1);
		s->series->line = l->first;
		s->commands = parse_command_count(p);
	} else {
		parse_extend(p, s->record, l);
	}
	if (s->rule) {
		for (int i = 0; i < AT_END; i++)
			s->series->field[columns[i]] = v[i];
		s->final = true;
		return;
	}
	if (!s->rows++)
		series_columns(s->series, AT_END, columns);
	series_add_row(s->series, l->first, v);
	memcpy(s->last, v, sizeof s->last);
}

static enum verdict irq_line(struct parse *p, const struct line *l)
{
	static struct pattern row = PATTERN(
		"^(?:(\\d+):\\s+)?(-?\\d+\\.\\d{3})\\s*/\\s*(-?\\d+\\.\\d{3})\\s*/"
	        "\\s*(-?\\d+\\.\\d{3})\\s+us$");
	static struct pattern head = PATTERN("^(?:Port type:\\s+(?:serial|parallel)|Port "
	                                     "address:\\s+0x|Waiting on target\\.\\.\\.)");
	static struct pattern frame = PATTERN("^(?:Warming up\\.\\.\\.|irqbench: overflow \\()");
	struct irq_state *s = p->state;
	struct number v[AT_END] = { { 0 } };
	struct match m;

	if (l->rejected || !l->row_len)
		return VERDICT_PASS;
	if (pattern_match(&head, l->row, l->row_len, 0, NULL)) {
		if (s->record)
			close_run(p, s);
		if (!s->head)
			s->head = l->first;
		return VERDICT_FRAME;
	}
	if (is_named(p, s) && pattern_match(&row, l->row, l->row_len, 0, &m)) {
		for (int i = 0; i < AT_END; i++)
			if (m.group[i + 1].p)
				number_parse(m.group[i + 1].p, m.group[i + 1].len,
				             i == AT_COUNT ? 0 : 3, &v[i]);
		take_row(p, s, l, v);
		return VERDICT_DATA;
	}
	if ((s->head || s->record) && pattern_match(&frame, l->row, l->row_len, 0, NULL)) {
		if (s->record && *l->row == 'i')
			record_flag(s->record, FLAG_INTERRUPTED, "",
			            "a reply took too long; the program ended the run itself");
		return VERDICT_FRAME;
	}
	if (s->record && l->row_len == 3 && !memcmp(l->row, "---", 3)) {
		s->rule = true;
		return VERDICT_FRAME;
	}
	return VERDICT_PASS;
}

static void irq_end(struct parse *p)
{
	close_run(p, p->state);
}

#define TRIPLE "-?\\d+\\.\\d{3}\\s*/\\s*-?\\d+\\.\\d{3}\\s*/\\s*-?\\d+\\.\\d{3}\\s+us(?!\\w)"

static const struct row_shape shapes[] = {
	{ "\\d+: +-?\\d+\\.\\d\\d\\d / ", "\\d+:\\s+" TRIPLE, NULL, SHAPE_INNER },
	{ "-?\\d+\\.\\d\\d\\d / -?\\d", TRIPLE, NULL, SHAPE_QUIET },
	{ "Port type: +[sp]", "Port type:\\s+(?:serial|parallel)", NULL, SHAPE_INNER },
	{ "Port address: +0x", "Port address:\\s+0x[0-9a-fA-F]+", NULL, SHAPE_INNER },
	{ "Waiting on target\\.\\.\\.", "Waiting on target\\.\\.\\.", NULL, SHAPE_INNER },
	{ NULL, NULL, NULL, 0 }
};

static const char *const tools[] = { "irqbench", NULL };
static const char *const literals[] = { "irqbench", "Waiting on target...", "Port type:", NULL };
static const char *const programs[] = { "irqbench", NULL };

static const struct tool_option options[] = {
	{ "-p", NULL, "period_ns", OPTION_US },
	{ "-P", NULL, NULL, OPTION_INTEGER },
	{ "-o", NULL, NULL, OPTION_TEXT },
	{ "-a", NULL, NULL, OPTION_TEXT },
	{ "-f", NULL, NULL, OPTION_FLAG },
	{ NULL, NULL, NULL, OPTION_FLAG }
};
static const struct tool_options commands[] = {
	{ programs, "irqbench", options },
	{ NULL, NULL, NULL }
};

const struct parser parser_irqbench = {
	.name = "irqbench",
	.summary = "Xenomai irqbench: round trips of external interrupts",
	.versions = "Xenomai 2.2 to 2.6",
	.sample = "19794: 9.007 / 11.404 / 31.042 us",
	.tools = tools,
	.literals = literals,
	.shapes = shapes,
	.commands = commands,
	.state_size = sizeof(struct irq_state),
	.line = irq_line,
	.end = irq_end
};
