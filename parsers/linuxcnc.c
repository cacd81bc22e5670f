/*
 * LinuxCNC latency-histogram without its window (--nox).
 *
 *        12 s   base min:  -8.300 us max:  11.200 us sdev:   0.700 us
 *        12 s  servo min:  -9.100 us max:  10.400 us sdev:   0.800 us
 *
 * Figures are cumulative, deviations of the interval, rounded to a tenth of a microsecond before they are printed:
 * the last line of a thread is its result. The panel of latency-test is a window: copies of it are typed tables.
 */
#include <string.h>

#include "lib/parser.h"

struct linuxcnc {
	struct record *record;
	struct number seconds;
	unsigned commands;
};

static struct pattern row = PATTERN("^(\\d+) +s +(base|servo) +min: *(-?\\d+\\.\\d+) +us +max: *(-?\\d+\\.\\d+) +us +sdev: *(\\d+\\.\\d+) +us");

static void emit(struct parse *p, struct linuxcnc *t)
{
	if (t->record) {
		if (number_is_set(t->seconds))
			facts_set_number(t->record->settings, "duration_s", t->seconds, t->record->source.last);
		parse_emit(p, t->record);
	}
	t->record = NULL;
}

static struct series *series_of(struct linuxcnc *t, struct slice thread)
{
	for (guint i = 0; i < t->record->series->len; i++) {
		struct series *s = g_ptr_array_index(t->record->series, i);

		if (strlen(s->name) == thread.len && !memcmp(s->name, thread.p, thread.len))
			return s;
	}
	return record_add_series(t->record, record_text(t->record, thread.p, (gssize)thread.len));
}

static enum verdict linuxcnc_line(struct parse *p, const struct line *l)
{
	struct linuxcnc *t = p->state;
	struct number seconds;
	struct series *s;
	struct match m;

	if (!pattern_match(&row, l->row, l->row_len, 0, &m))
		return VERDICT_PASS;
	number_parse(m.group[1].p, m.group[1].len, 0, &seconds);
	/* Time that goes back, or a command between, is another run. */
	if (t->record && (t->commands != parse_command_count(p) ||
	                  (number_is_set(seconds) && number_is_set(t->seconds) && number_cmp(seconds, t->seconds) < 0)))
		emit(p, t);
	if (!t->record)
		t->record = parse_begin(p, "linuxcnc-latency-histogram", l);
	t->commands = parse_command_count(p);
	t->seconds = seconds;
	s = series_of(t, m.group[2]);
	s->line = l->first;
	s->quantity = "jitter";
	s->unit = "ns";
	s->resolution = number_int(100);
	number_parse(m.group[3].p, m.group[3].len, 3, &s->field[FIELD_MIN]);
	number_parse(m.group[4].p, m.group[4].len, 3, &s->field[FIELD_MAX]);
	number_parse(m.group[5].p, m.group[5].len, 3, &s->field[FIELD_STDDEV]);
	parse_extend(p, t->record, l);
	return VERDICT_DATA;
}

static void linuxcnc_end(struct parse *p)
{
	emit(p, p->state);
}

static const struct row_shape shapes[] = {
	{ "\\d+ +s +(?:base|servo) +min:", "\\d+ +s +(?:base|servo) +min: *-?[\\d.]+ +us +max: *-?[\\d.]+ +us +sdev: *[\\d.]+ +us", NULL, 0 },
	{ NULL, NULL, NULL, 0 }
};
static const char *const programs[] = { "latency-histogram", NULL };
static const struct tool_option options[] = {
	{ NULL, "--base", NULL, OPTION_SKIP },
	{ NULL, "--servo", NULL, OPTION_SKIP },
	{ NULL, NULL, NULL, OPTION_FLAG }
};
static const struct tool_options commands[] = {
	{ programs, "linuxcnc-latency-histogram", options },
	{ NULL, NULL, NULL }
};
static const char *const tools[] = { "linuxcnc-latency-histogram", NULL };
static const char *const literals[] = { "us sdev:", NULL };

const struct parser parser_linuxcnc = {
	.name = "linuxcnc-latency-histogram",
	.summary = "LinuxCNC latency-histogram --nox: base and servo threads",
	.versions = "LinuxCNC 2.6 and later",
	.sample = "   12 s   base min:  -8.300 us max:  11.200 us sdev:   0.700 us",
	.tools = tools,
	.literals = literals,
	.shapes = shapes,
	.commands = commands,
	.state_size = sizeof(struct linuxcnc),
	.line = linuxcnc_line,
	.end = linuxcnc_end
};
