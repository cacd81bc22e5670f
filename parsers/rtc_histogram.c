/*
 * Histograms of the rtc device in the PREEMPT_RT patches of 2004 to 2006, printed to the kernel log when a program
 * closes it.
 *
 *     rtc latency histogram of {rtc_wakeup/7095, 17528666 samples}:
 *     0 85
 *     1 169
 *
 * A bin and its count a line; bins of 9999 hold all that is longer. No unit is printed.
 */
#include "lib/parser.h"

#define OVERFLOW_BIN 9999

struct rtc {
	struct record *record;
	struct series *series;
	struct number last;             /* lower end of the last bin */
};

static struct pattern title = PATTERN("^rtc latency histogram of \\{([^{}/]{1,64}(?:/\\d+)?), *(\\d+) samples\\}:?");
static struct pattern bin = PATTERN("^(\\d+) +(\\d+)$");

static void emit(struct parse *p, struct rtc *t)
{
	if (t->record && t->series->histogram->bins->len)
		parse_emit(p, t->record);
	else if (t->record)
		parse_drop(p, t->record, "a histogram without bins");
	t->record = NULL;
}

static void begin(struct parse *p, struct rtc *t, const struct line *l, const struct match *m)
{
	emit(p, t);
	t->record = parse_begin(p, "rtc-histogram", l);
	t->series = record_add_series(t->record, record_text(t->record, m->group[1].p, (gssize)m->group[1].len));
	t->series->line = l->first;
	t->series->histogram = histogram_new();
	t->series->histogram->bin_width = number_int(1);
	number_parse(m->group[2].p, m->group[2].len, 0, &t->series->field[FIELD_COUNT]);
	t->last = number_absent();
}

static enum verdict add_bin(struct parse *p, struct rtc *t, const struct line *l, const struct match *m)
{
	struct number lower, count;

	if (number_parse(m->group[1].p, m->group[1].len, 0, &lower) != NUMBER_OK ||
	    number_parse(m->group[2].p, m->group[2].len, 0, &count) != NUMBER_OK)
		return VERDICT_PASS;
	/* Bins ascend; anything else is another list. */
	if (number_is_set(t->last) && number_cmp(lower, t->last) <= 0)
		return VERDICT_PASS;
	if (number_equal(lower, number_int(OVERFLOW_BIN)))
		t->series->histogram->overflow = count;
	else
		histogram_add(t->series->histogram, lower, number_absent(), count);
	t->last = lower;
	parse_extend(p, t->record, l);
	return VERDICT_DATA;
}

static enum verdict rtc_line(struct parse *p, const struct line *l)
{
	struct rtc *t = p->state;
	struct match m;

	if (pattern_match(&title, l->row, l->row_len, 0, &m)) {
		begin(p, t, l, &m);
		return VERDICT_FRAME;
	}
	if (!t->record)
		return VERDICT_PASS;
	if (pattern_match(&bin, l->row, l->row_len, 0, &m))
		return add_bin(p, t, l, &m);
	if (!(l->flags & LINE_BLANK))
		emit(p, t);
	return VERDICT_PASS;
}

static void rtc_end(struct parse *p)
{
	emit(p, p->state);
}

static const struct row_shape shapes[] = {
	{ "rtc latency histogram of \\{", "rtc latency histogram of \\{[^{}]{1,80}\\d+ samples\\}:?", NULL, 0 },
	{ NULL, NULL, NULL, 0 }
};
static const char *const tools[] = { "rtc-histogram", NULL };
static const char *const literals[] = { "rtc latency histogram", NULL };

const struct parser parser_rtc_histogram = {
	.name = "rtc-histogram",
	.summary = "histograms of the rtc device in the kernel log",
	.versions = "PREEMPT_RT patches of 2004 to 2006",
	.sample = "rtc latency histogram of {rtc_wakeup/7095, 17528666 samples}:",
	.tools = tools,
	.literals = literals,
	.shapes = shapes,
	.state_size = sizeof(struct rtc),
	.line = rtc_line,
	.end = rtc_end
};
