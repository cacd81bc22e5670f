/*
 * Zephyr latency_measure: a mean a line.
 *
 *     thread.yield.preemptive.ctx.k_to_k - Context switch via k_yield     :     123 cycles ,     1230 ns :
 *
 * and before 2021, in a box, the test's name on the line above its figure:
 *
 *     | 1 - Measure time to switch from ISR to back to interrupted thread           |
 *     | switching time is 2400 tcs = 50000 nsec                                      |
 */
#include <string.h>

#include "lib/parser.h"

struct zephyr {
	struct record *record;
	char *test;                     /* of the old form: its number and name */
	unsigned commands;
};

static struct pattern row = PATTERN("^(\\S+) +- (\\S.*?) *: *(\\d+) cycles *, *(\\d+) ns *:?$");
/* Early in 2024 without a description: what it is stands in capitals before the tag. */
static struct pattern bare_row = PATTERN("^([A-Z]+ \\S.*?) *: *(\\d+) cycles *, *(\\d+) ns *:$");
static struct pattern statistic = PATTERN("\\.(min|max|p\\d+(?:\\.\\d+)?)$");
static struct pattern old_test = PATTERN("^\\|? *\\d+ - (Measure \\S.*?) *\\|?$");
static struct pattern old_row = PATTERN("^\\|? *(\\S.*?) (?:is|=|:) *(\\d+) tcs = (\\d+) nsec *\\|?$");
static struct pattern last_line = PATTERN("^PROJECT EXECUTION (?:SUCCESSFUL|FAILED)|^\\|? +E N D +\\|?$");

static void emit(struct parse *p, struct zephyr *t)
{
	if (t->record)
		parse_emit(p, t->record);
	t->record = NULL;
	g_clear_pointer(&t->test, g_free);
}

static struct record *record_of(struct parse *p, struct zephyr *t, const struct line *l)
{
	if (t->record && t->commands != parse_command_count(p))
		emit(p, t);
	if (!t->record)
		t->record = parse_begin(p, "zephyr-latency-measure", l);
	t->commands = parse_command_count(p);
	parse_extend(p, t->record, l);
	return t->record;
}

/* The series of that name, so that .min and .max of one test meet in it. */
static struct series *series_of(struct record *r, const char *name, const struct line *l)
{
	struct series *s;

	for (guint i = 0; i < r->series->len; i++) {
		s = g_ptr_array_index(r->series, i);
		if (!strcmp(s->name, name))
			return s;
	}
	s = record_add_series(r, record_text(r, name, -1));
	s->line = l->first;
	s->unit = "ns";
	s->resolution = number_int(1);
	return s;
}

static enum verdict new_row(struct parse *p, struct zephyr *t, const struct line *l, const struct match *m)
{
	struct record *r = record_of(p, t, l);
	const char *tag = m->group[1].p;
	size_t len = m->group[1].len;
	g_autofree char *name = NULL;
	struct number n;
	struct series *s;
	struct match stat;
	bool has = pattern_match(&statistic, tag, len, 0, &stat);

	name = g_strdup_printf("%.*s - %.*s", (int)(has ? stat.begin - tag : (ptrdiff_t)len), tag, (int)m->group[2].len, m->group[2].p);
	s = series_of(r, name, l);
	number_parse(m->group[4].p, m->group[4].len, 0, &n);
	if (!has)
		s->field[FIELD_AVG] = n;
	else if (stat.group[1].p[0] == 'p')
		series_percentile(r, s, record_text(r, stat.group[1].p + 1, (gssize)stat.group[1].len - 1), n);
	else
		s->field[stat.group[1].p[1] == 'i' ? FIELD_MIN : FIELD_MAX] = n;
	return VERDICT_DATA;
}

static enum verdict zephyr_line(struct parse *p, const struct line *l)
{
	struct zephyr *t = p->state;
	struct match m;

	if (pattern_match(&row, l->row, l->row_len, 0, &m))
		return new_row(p, t, l, &m);
	if (pattern_match(&bare_row, l->row, l->row_len, 0, &m)) {
		g_autofree char *name = g_strndup(m.group[1].p, m.group[1].len);

		number_parse(m.group[3].p, m.group[3].len, 0, &series_of(record_of(p, t, l), name, l)->field[FIELD_AVG]);
		return VERDICT_DATA;
	}
	if (pattern_match(&old_test, l->row, l->row_len, 0, &m)) {
		g_free(t->test);
		t->test = g_strndup(m.group[1].p, m.group[1].len);
		return VERDICT_FRAME;
	}
	if (pattern_match(&old_row, l->row, l->row_len, 0, &m)) {
		struct record *r = record_of(p, t, l);
		struct series *s;
		g_autofree char *what = g_strndup(m.group[1].p, m.group[1].len);

		s = series_of(r, t->test ? t->test : what, l);
		number_parse(m.group[3].p, m.group[3].len, 0, &s->field[FIELD_AVG]);
		return VERDICT_DATA;
	}
	if (pattern_match(&last_line, l->row, l->row_len, 0, NULL) && t->record) {
		emit(p, t);
		return VERDICT_FRAME;
	}
	return VERDICT_PASS;
}

static void zephyr_end(struct parse *p)
{
	emit(p, p->state);
}

static const struct row_shape shapes[] = {
	{ "[\\w.]+\\.[\\w.]+ +- \\S[^:|]* *: *\\d+ cycles *,", "[\\w.]+ +- \\S[^:|]* *: *\\d+ cycles *, *\\d+ ns", NULL, 0 },
	{ "[A-Z]+ [\\w.]+[ .][^:|]* : *\\d+ cycles *,", "[A-Z]+ [\\w.]+[ .][^:|]* : *\\d+ cycles *, *\\d+ ns *:", NULL, 0 },
	{ "\\|? *\\d+ - Measure ", NULL, NULL, 0 },
	{ "\\|? *\\S[^|=]* \\d+ tcs = \\d+ nsec", NULL, NULL, 0 },
	{ NULL, NULL, NULL, 0 }
};
static const char *const tools[] = { "zephyr-latency-measure", NULL };
static const char *const literals[] = { " cycles ,", " tcs = ", NULL };

const struct parser parser_zephyr = {
	.name = "zephyr-latency-measure",
	.summary = "Zephyr latency_measure: mean times of kernel operations",
	.versions = "Zephyr 1.0 (2015) and later",
	.sample = "semaphore.give.immediate.user - Give a semaphore    :     123 cycles ,     1230 ns :",
	.tools = tools,
	.literals = literals,
	.shapes = shapes,
	.state_size = sizeof(struct zephyr),
	.line = zephyr_line,
	.end = zephyr_end
};
