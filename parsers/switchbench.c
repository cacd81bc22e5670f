/*
 * switch and switchbench of fusion and Xenomai to 2.4: the time of a context switch, one result per
 * run.
 *
 *   RTH|     lat min|     lat avg|     lat max|        lost
 *   RTD|      13.060|      15.092|      23.864|           0        µs since 2.3; integers before:
 * ns HSS|     99996|     14.279|      1.267                         samples, mean and deviation in
 * buckets (-h)
 */
#include <string.h>

#include "lib/parser.h"
#include "parsers/rt_rows.h"

static const char tool[] = "xenomai-switchbench";

struct bench_state {
	struct record *record;
	struct series *series;
	bool known;                     /* its header stands above */
	bool row, stats;
	GArray *bins;                   /* struct bin, in buckets */
	struct number period;           /* ns, of a banner that may be ours */
	unsigned banner;                /* its line; 0: none */
};

/* Buckets are 1 µs wide in all versions, but the program does not say so. */
static void finish_bins(struct bench_state *s)
{
	struct histogram *h;

	if (!s->bins && !s->stats)
		return;
	record_flag(s->record, FLAG_UNIT_ASSUMED, "/series/0/histogram",
	            "the bucket size is not printed; 1 microsecond, the default, was assumed");
	if (!s->bins)
		return;
	h = s->series->histogram = histogram_new();
	h->bin_width = number_int(1000);
	for (guint i = 0; i < s->bins->len; i++) {
		const struct bin *b = &g_array_index(s->bins, struct bin, i);

		histogram_add(h, number_scale(b->lower, 3), number_scale(b->upper, 3), b->count);
	}
}

static void close_run(struct parse *p, struct bench_state *s)
{
	if (s->record && s->row) {
		finish_bins(s);
		parse_emit(p, s->record);
	} else if (s->record) {
		parse_drop(p, s->record, "a header without any result");
	}
	if (s->bins)
		g_array_unref(s->bins);
	*s = (struct bench_state){ 0 };
}

static void open_run(struct parse *p, struct bench_state *s, const struct line *l)
{
	s->record = parse_begin(p, tool, l);
	s->series = record_add_series(s->record, NULL);
	s->series->unit = "ns";
	s->series->resolution = number_int(1);
	s->series->line = l->first;
	if (s->banner) {
		s->record->source.first = s->banner;
		facts_set_number(s->record->settings, "period_ns", s->period, s->banner);
	}
}

static enum verdict take_header(struct parse *p, struct bench_state *s, const struct line *l,
                                const struct rt_row *row)
{
	struct rt_titles titles;
	struct bench_state banner = { .period = s->period, .banner = s->banner };

	rt_titles_read(row, &titles);
	if (!(titles.has & RT_HAS(RT_LOST)) || !(titles.has & RT_HAS(RT_MIN))) {
		close_run(p, s);
		return VERDICT_PASS;
	}
	/* The histogram may come first. */
	if (!s->record || s->row) {
		close_run(p, s);
		*s = banner;
		open_run(p, s, l);
	}
	s->known = true;
	return VERDICT_FRAME;
}

static enum verdict take_data(struct parse *p, struct bench_state *s, const struct line *l,
                              const struct rt_row *row)
{
	static const enum field fields[] = { FIELD_MIN, FIELD_AVG, FIELD_MAX };
	bool point = false, whole = row->cells >= 4;

	if (!s->known || s->row || row->cells > 4)
		return VERDICT_PASS;
	for (unsigned i = 0; i < MIN(row->cells, 3u); i++)
		point |= rt_value_read(row->cell[i], 0).decimals > 0;
	for (unsigned i = 0; i < 3; i++) {
		struct number n = number_null();

		/* What ends a cut row may be cut itself. */
		if (i < row->cells && (i + 1 < row->cells || row->closed))
			n = rt_value_read(row->cell[i], point ? 3 : 0).number;
		s->series->field[fields[i]] = number_is_set(n) ? n : number_null();
	}
	/* A lost switch is one whose period had passed. */
	s->series->field[FIELD_OVERRUNS] = whole ? rt_count_read(row->cell[3]) : number_null();
	if (!whole)
		record_flag(s->record, FLAG_ROW_TRUNCATED, "/series/0",
		            "the row is cut; what is lost of it is null");
	record_flag(
		s->record, FLAG_UNIT_ASSUMED, "/series/0/unit",
		point ? "the program does not print the unit; values with decimals are "
	                "microseconds (2.3 and later)"
		      : "the program does not print the unit; integers are nanoseconds (to 2.2)");
	s->row = true;
	parse_extend(p, s->record, l);
	return VERDICT_DATA;
}

static bool take_stats(struct bench_state *s, const struct rt_row *row)
{
	struct number stddev;

	if (!s->record || row->cells != 3 || s->stats)
		return false;
	s->stats = true;
	s->series->field[FIELD_COUNT] = rt_count_read(row->cell[0]);
	stddev = rt_value_read(row->cell[2], 3).number;
	s->series->field[FIELD_STDDEV] = number_is_set(stddev) ? stddev : number_null();
	return true;
}

/* "HSD| 14 - 15 |  123", and before 2.3 "14 - 15 us: 123". */
static bool take_bin(struct parse *p, struct bench_state *s, const struct line *l)
{
	static struct pattern bin = PATTERN("^(?:HSD\\s*\\|\\s*(\\d+)\\s*-\\s*(\\d+)\\s*\\|\\s*("
	                                    "\\d+)|(\\d+)\\s*-\\s*(\\d+)\\s*us:\\s*(\\d+))\\s*$");
	struct bin b;
	struct match m;
	int g;

	if (!pattern_match(&bin, l->row, l->row_len, 0, &m) || (!s->record && !m.group[1].p))
		return false;
	g = m.group[1].p ? 1 : 4;
	if (number_parse(m.group[g].p, m.group[g].len, 0, &b.lower) != NUMBER_OK ||
	    number_parse(m.group[g + 1].p, m.group[g + 1].len, 0, &b.upper) != NUMBER_OK ||
	    number_parse(m.group[g + 2].p, m.group[g + 2].len, 0, &b.count) != NUMBER_OK)
		return false;
	if (!s->record)
		open_run(p, s, l);
	if (!s->bins)
		s->bins = g_array_new(FALSE, FALSE, sizeof b);
	g_array_append_val(s->bins, b);
	parse_extend(p, s->record, l);
	return true;
}

static enum verdict bench_line(struct parse *p, const struct line *l)
{
	static struct pattern period = PATTERN("^==\\s*Sampling period:\\s*(\\d+)\\s*us");
	static struct pattern frame = PATTERN(
		"^(?:==\\s*Do not interrupt this program|---\\|---range-\\|---samples)");
	struct bench_state *s = p->state;
	struct rt_row row;
	struct match m;

	if (l->rejected || !l->row_len)
		return VERDICT_PASS;
	/* latency begins with the same line: it may have it too. */
	if (pattern_match(&period, l->row, l->row_len, 0, &m)) {
		close_run(p, s);
		number_parse(m.group[1].p, m.group[1].len, 3, &s->period);
		s->banner = l->first;
		return VERDICT_PASS;
	}
	if (pattern_match(&frame, l->row, l->row_len, 0, NULL))
		return VERDICT_FRAME;
	if (take_bin(p, s, l))
		return VERDICT_DATA;
	if (!rt_row_read(l->row, l->row_len, &row))
		return VERDICT_PASS;
	switch (row.kind) {
	case RT_HEADER:
		return take_header(p, s, l, &row);
	case RT_DATA:
		return take_data(p, s, l, &row);
	case RT_STATS:
		if (!take_stats(s, &row))
			return VERDICT_PASS;
		parse_extend(p, s->record, l);
		return VERDICT_DATA;
	default:
		return VERDICT_PASS;
	}
}

static void bench_end(struct parse *p)
{
	close_run(p, p->state);
}

static const struct row_shape shapes[] = {
	{ "RTH\\** *" RT_BAR "[- ]*lat min", "RTH\\** *" RT_BAR "[-\\s\\w|]{0,70}?lost",
	  RT_MORE_TITLES, SHAPE_INNER },
	{ RT_START("RTD"), "RTD\\** *" RT_BAR "\\s*(?:" RT_VALUE RT_NEXT "){3}" RT_INTEGER RT_STOP,
	  RT_MORE_NUMBERS, SHAPE_INNER },
	{ "HSS *" RT_BAR " *\\d+ *" RT_BAR,
	  "HSS\\s*" RT_BAR "\\s*\\d+\\s*" RT_BAR "\\s*[\\d.]+\\s*" RT_BAR "\\s*[\\d.]+",
	  RT_MORE_NUMBERS, SHAPE_INNER },
	{ "HSD *" RT_BAR " *\\d+ *-",
	  "HSD\\s*" RT_BAR "\\s*\\d+\\s*-\\s*\\d+\\s*" RT_BAR "\\s*\\d+", RT_MORE_NUMBERS,
	  SHAPE_INNER },
	{ "== *Sampling period: *\\d", "==\\s*Sampling period:\\s*\\d+\\s*us\\b", NULL,
	  SHAPE_INNER },
	{ "== Do not interrupt this program", "== Do not interrupt this program", NULL,
	  SHAPE_INNER },
	{ NULL, NULL, NULL, 0 }
};

static const char *const tools[] = { "xenomai-switchbench", NULL };
static const char *const literals[] = { "RTD |%", NULL };
static const char *const programs[] = { "switchbench", "switch", NULL };

static const struct tool_option options[] = {
	{ "-p", NULL, "period_ns", OPTION_US },
	{ "-l", NULL, "loops", OPTION_INTEGER },
	{ "-H", NULL, NULL, OPTION_INTEGER },
	{ "-h", NULL, NULL, OPTION_FLAG },
	{ "-n", NULL, NULL, OPTION_FLAG },
	{ NULL, NULL, NULL, OPTION_FLAG }
};
static const struct tool_options commands[] = {
	{ programs, "xenomai-switchbench", options },
	{ NULL, NULL, NULL }
};

const struct parser parser_switchbench = {
	.name = "switchbench",
	.summary = "Xenomai switchbench and fusion switch: the time of a context switch",
	.versions = "fusion 2005-01 to Xenomai 2.2 (ns), 2.3 and 2.4 (us)",
	.sample = "RTD|      13.060|      15.092|      23.864|           0",
	.tools = tools,
	.literals = literals,
	.shapes = shapes,
	.commands = commands,
	.state_size = sizeof(struct bench_state),
	.line = bench_line,
	.end = bench_end
};
