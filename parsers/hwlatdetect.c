/*
 * hwlatdetect (rt-tests 0.42 and later) and the trace of the kernel's hwlat tracer.
 *
 *     hwlatdetect:  test duration 4 seconds
 *     Max Latency: 5684us
 *     ts: 1796045869.201197966, inner:4781, outer:5684[, cpu:1[, count:2824]]
 *
 *     <...>-8795 [001] dn... 613.749741: #1 inner/outer(us): 41/41 ts:1702045267.016266287 count:9976
 *
 * inner is the longest gap inside one loop of the sampling thread, outer that between two loops;
 * all are microseconds. What did not reach the threshold is no number: the maximum is then null. A
 * run that printed only rows has their largest.
 */
#include <string.h>

#include "lib/parser.h"

enum detector { SOURCE_DETECT, SOURCE_TRACER };

/* An open record. hwlatdetect and the tracer do not mix, but each has its own. */
struct detection {
	struct record *record;          /* NULL: none is open */
	struct number max;              /* of "Max Latency:" */
	bool below, has_max;            /* it was printed, as "Below threshold" or as a number */
	bool banner;                    /* "test duration" was printed */
	struct number largest;          /* of the rows */
	uint64_t rows;
	struct number recorded;         /* "Samples recorded:" */
	unsigned commands;
	double last;                    /* time of the last row, for order only */
};

struct hwlat { struct detection of[2]; };

static struct pattern banner = PATTERN("^(?:hwlatdetect|smidetect): *test duration (\\d+) seconds");
static struct pattern max_row = PATTERN("^Max Latency: *(?:(\\d+) *us|(Below threshold))");
static struct pattern recorded_row = PATTERN("^Samples recorded: *(\\d+)$");
static struct pattern summary_row = PATTERN(
	"^(?:Samples exceeding threshold: *\\d+|MTBF: *[\\d.]+ seconds|SMIs during run: *\\d+|\\d+ SMIs occured on cpu \\d+"
	"|report saved to \\S+ \\(\\d+ samples\\)|test finished)");
static struct pattern parameter_row = PATTERN(
	"^(?:detector: *\\w+|parameters:|CPU list: *\\S|Latency threshold: *\\d+us|Sample window: *\\d+us|Sample width: *\\d+us"
	"|Non-sampling period: *\\d+us|Output File: *\\S|Starting test)");
static struct pattern sample_row = PATTERN(
	"ts: *(\\d+\\.\\d+), *inner: *(\\d+), *outer: *(\\d+)(?:, *cpu: *\\d+)?(?:, *count: *(\\d+))?(?![\\d.])");
static struct pattern old_sample_row = PATTERN("^(\\d{9,}\\.\\d{9}) +(\\d+)(?: +(\\d+))?$");
static struct pattern tracer_head = PATTERN("^# tracer: hwlat$");
static struct pattern tracer_frame =
	PATTERN("^#(?:$| entries-in-buffer/entries-written: | {3,}[_|/]| {3,}TASK(?:-PID)?)");
static struct pattern trace_row = PATTERN(
	"#(\\d+) +inner/outer\\(us\\): *(\\d+)/(\\d+) +ts:(\\d+\\.\\d+)(?: +(?:nmi-total:\\d+ +nmi-count:\\d+|count:(\\d+)))*");

static struct number group_number(const struct match *m, int i, int scale)
{
	struct number n;

	if (i >= m->count || !m->group[i].p)
		return number_absent();
	number_parse(m->group[i].p, m->group[i].len, scale, &n);
	return n;
}

static struct series *series_of(struct detection *d)
{
	return g_ptr_array_index(d->record->series, 0);
}

static void begin(struct parse *p, struct detection *d, const char *tool, const struct line *l)
{
	struct series *s;

	memset(d, 0, sizeof(*d));
	d->record = parse_begin(p, tool, l);
	d->commands = parse_command_count(p);
	s = record_add_series(d->record, NULL);
	s->unit = "ns";
	s->line = l->first;
	s->resolution = number_int(1000);
}

/*
 * Fewer rows than were recorded: some are not in the text. The report file's rows may all be
 * elsewhere.
 */
static void check_rows(struct detection *d)
{
	struct number rows = number_int((int64_t)d->rows);

	if (d->rows && number_is_set(d->recorded) && number_cmp(rows, d->recorded) < 0)
		record_flag(d->record, FLAG_ROWS_MISSING, "/series/0/samples",
		            "fewer rows than \"Samples recorded\" says");
	if (d->has_max && number_is_set(d->largest) && number_cmp(d->largest, d->max) > 0)
		record_flag(d->record, FLAG_SUMMARY_MISMATCH, "/series/0/max",
		            "a row goes above \"Max Latency\"");
}

/*
 * Ends the record. A banner with neither rows nor a summary is a run cut before its result, unless
 * it is a tracer's, whose rows are all.
 */
static void finish(struct parse *p, struct detection *d, bool empty_counts)
{
	struct series *s;

	if (!d->record)
		return;
	if (!d->rows && !empty_counts &&
	    (d->banner ? !d->has_max && !d->below && !number_is_set(d->recorded)
	               : !number_is_set(d->recorded))) {
		parse_drop(p, d->record,
		           d->banner ? "cut before its result"
		                     : "a maximum without what belongs to it");
		d->record = NULL;
		return;
	}
	s = series_of(d);
	s->field[FIELD_MAX] = d->has_max ? d->max : d->largest;
	if (!number_is_set(s->field[FIELD_MAX]))
		s->field[FIELD_MAX] = number_null();
	else if (!d->has_max)
		record_flag(d->record, FLAG_DERIVED, "/series/0/max",
		            "the largest inner or outer value of the rows");
	check_rows(d);
	parse_emit(p, d->record);
	d->record = NULL;
}

static void add_row(struct detection *d, struct number inner, struct number outer,
                    struct number count, unsigned line)
{
	static const enum field columns[] = { FIELD_INNER, FIELD_OUTER, FIELD_COUNT };
	struct series *s = series_of(d);
	struct number row[] = { inner, outer, count };

	series_columns(s, number_is_set(count) ? 3 : 2, columns);
	series_add_row(s, line, row);
	d->rows++;
	for (unsigned i = 0; i < 2; i++)
		if (number_is_set(row[i]) &&
		    (!number_is_set(d->largest) || number_cmp(row[i], d->largest) > 0))
			d->largest = row[i];
}

/* hwlatdetect */

static enum verdict take_banner(struct parse *p, struct detection *d, const struct line *l,
                                const struct match *m)
{
	finish(p, d, false);
	begin(p, d, "hwlatdetect", l);
	d->banner = true;
	facts_set_number(d->record->settings, "duration_s", group_number(m, 1, 0), l->first);
	return VERDICT_FRAME;
}

/* A summary without the banner begins a record of its own. */
static enum verdict take_max(struct parse *p, struct detection *d, const struct line *l,
                             const struct match *m)
{
	if (d->record && (d->has_max || d->below))
		finish(p, d, false);
	if (!d->record)
		begin(p, d, "hwlatdetect", l);
	else
		parse_extend(p, d->record, l);
	d->below = m->group[2].p != NULL;
	d->has_max = !d->below;
	d->max = group_number(m, 1, 3);
	if (d->has_max)
		series_of(d)->line = l->first;
	return VERDICT_DATA;
}

/*
 * Whether a row of this time belongs to the open record: not after another command, and not before
 * the row above it.
 */
static bool row_follows(struct parse *p, const struct detection *d, double time)
{
	return d->record && parse_command_count(p) == d->commands && time >= d->last;
}

static enum verdict take_row(struct parse *p, struct detection *d, const struct line *l,
                             const struct match *m)
{
	double time = g_ascii_strtod(m->group[1].p, NULL);

	if (!row_follows(p, d, time)) {
		finish(p, d, false);
		begin(p, d, "hwlatdetect", l);
	} else {
		parse_extend(p, d->record, l);
	}
	d->last = time;
	add_row(d, group_number(m, 2, 3), group_number(m, 3, 3), group_number(m, 4, 0), l->first);
	return VERDICT_DATA;
}

static enum verdict detect_line(struct parse *p, struct detection *d, const struct line *l)
{
	struct match m;

	if (pattern_match(&banner, l->row, l->row_len, 0, &m))
		return take_banner(p, d, l, &m);
	/*
	 * The row may be glued to what was printed before it: "Starting tests:1610542421.27,
	 * inner:78, outer:81".
	 */
	if (pattern_match(&sample_row, l->row, l->row_len, 0, &m))
		return take_row(p, d, l, &m);
	if (pattern_match(&max_row, l->row, l->row_len, 0, &m))
		return take_max(p, d, l, &m);
	if (!d->record)
		return VERDICT_PASS;
	if (pattern_match(&recorded_row, l->row, l->row_len, 0, &m)) {
		d->recorded = group_number(&m, 1, 0);
		parse_extend(p, d->record, l);
		return VERDICT_FRAME;
	}
	if (pattern_match(&parameter_row, l->row, l->row_len, 0, NULL) ||
	    pattern_match(&summary_row, l->row, l->row_len, 0, NULL)) {
		parse_extend(p, d->record, l);
		return VERDICT_FRAME;
	}
	if (pattern_match(&old_sample_row, l->row, l->row_len, 0, &m))
		return take_row(p, d, l, &m);
	return VERDICT_PASS;
}

/* The hwlat tracer */

static enum verdict trace_line(struct parse *p, struct detection *d, const struct line *l)
{
	struct match m;

	if (pattern_match(&tracer_head, l->row, l->row_len, 0, NULL)) {
		finish(p, d, true);
		begin(p, d, "hwlat", l);
		return VERDICT_FRAME;
	}
	if (pattern_match(&trace_row, l->text, l->len, 0, &m)) {
		struct number index = group_number(&m, 1, 0);

		/* Rows are numbered from 1: a lower number begins another trace. */
		if (d->record && d->rows && number_cmp(index, d->recorded) <= 0)
			finish(p, d, true);
		if (!d->record)
			begin(p, d, "hwlat", l);
		else
			parse_extend(p, d->record, l);
		d->recorded = index;
		add_row(d, group_number(&m, 2, 3), group_number(&m, 3, 3), group_number(&m, 5, 0),
		        l->first);
		return VERDICT_DATA;
	}
	if (d->record && pattern_match(&tracer_frame, l->row, l->row_len, 0, NULL)) {
		parse_extend(p, d->record, l);
		return VERDICT_FRAME;
	}
	return VERDICT_PASS;
}

static enum verdict hwlat_line(struct parse *p, const struct line *l)
{
	struct hwlat *h = p->state;
	enum verdict v;

	if (l->rejected)
		return VERDICT_PASS;
	v = trace_line(p, &h->of[SOURCE_TRACER], l);
	return v == VERDICT_PASS ? detect_line(p, &h->of[SOURCE_DETECT], l) : v;
}

static void hwlat_end(struct parse *p)
{
	struct hwlat *h = p->state;

	h->of[SOURCE_TRACER].recorded = number_absent();
	finish(p, &h->of[SOURCE_TRACER], true);
	finish(p, &h->of[SOURCE_DETECT], false);
}

#define TRACE_START "#\\d+ +inner/outer\\(us\\):"
#define TRACE_ROW \
	TRACE_START \
		" *\\d+/\\d+ +ts:\\d+\\.\\d+(?: +(?:nmi-total:\\d+ +nmi-count:\\d+|count:\\d++))*"
#define TRACE_MORE "[\\d/ .:tscounmial-]+$"

static const struct row_shape shapes[] = {
	{ "hwlatdetect: *test duration \\d", NULL, NULL, SHAPE_INNER },
	{ "smidetect: *test duration \\d", NULL, NULL, SHAPE_INNER },
	{ "ts: *\\d+\\.\\d+, *inner:",
	  "ts: *\\d+\\.\\d+, *inner: *\\d+, *outer: *\\d+(?:, *cpu: *\\d+)?(?:, *count: *\\d++)?",
	  "[\\d.,: innerouctp]+$", SHAPE_INNER },
	{ "Starting tests: *\\d+\\.\\d+, *inner:", NULL, NULL, 0 },
	{ "Max Latency: *Below threshold", NULL, NULL, SHAPE_INNER },
	{ "Max Latency: *\\d+us$", NULL, NULL, SHAPE_INNER },
	{ "# tracer: hwlat$", NULL, NULL, SHAPE_COMMENT },
	{ "[^ -]{1,32}-\\d+ +\\[\\d+\\] +[^ ]+ +\\d+\\.\\d+: +" TRACE_START, "[^#]*+" TRACE_ROW,
	  TRACE_MORE, SHAPE_INNER },
	/* Wrapped before the figures. */
	{ "[^ -]{1,32}-\\d+ +\\[\\d+\\] +[^ ]+ +\\d+\\.\\d+: +#\\d+$", "[^#]*+" TRACE_ROW, TRACE_MORE,
	  SHAPE_INNER },
	{ TRACE_START, TRACE_ROW, TRACE_MORE, SHAPE_INNER | SHAPE_COMMENT },
	{ NULL, NULL, NULL, 0 }
};

static const struct tool_option options[] = {
	{ NULL, "--duration", "duration_s", OPTION_DURATION },
	{ NULL, "--threshold", NULL, OPTION_TEXT },
	{ NULL, "--hardlimit", NULL, OPTION_TEXT },
	{ NULL, "--window", NULL, OPTION_TEXT },
	{ NULL, "--width", NULL, OPTION_TEXT },
	{ NULL, "--report", NULL, OPTION_TEXT },
	{ NULL, "--cpu-list", NULL, OPTION_TEXT },
	{ NULL, "--watch", NULL, OPTION_FLAG },
	{ NULL, "--quiet", NULL, OPTION_FLAG },
	{ NULL, NULL, NULL, OPTION_FLAG }
};
static const struct tool_options commands[] = {
	{ (const char *const[]){ "hwlatdetect", NULL }, "hwlatdetect", options },
	{ NULL, NULL, NULL }
};
static const char *const tools[] = { "hwlatdetect", "hwlat", NULL };
static const char *const literals[] = { "hwlatdetect:",    "smidetect:",      ", inner:",
	                                "inner/outer(us)", "# tracer: hwlat", NULL };

const struct parser parser_hwlatdetect = {
	.name = "hwlatdetect",
	.summary = "gaps caused by hardware: hwlatdetect and the hwlat tracer",
	.versions = "rt-tests 0.41 to 2.10; Linux 4.9 and later",
	.sample = "ts: 1796045869.201197966, inner:4781, outer:5684",
	.tools = tools,
	.literals = literals,
	.shapes = shapes,
	.commands = commands,
	.state_size = sizeof(struct hwlat),
	.line = hwlat_line,
	.end = hwlat_end,
};
