/* Runs of latency programs with RTD rows: where one begins and ends, and what its record is. */
#include <string.h>

#include "parsers/rt_latency.h"

/* Fields of a sample, in this order; what a version does not print stays absent. */
static const enum field columns[] = { FIELD_MIN,           FIELD_AVG,  FIELD_MAX,  FIELD_OVERRUNS,
	                              FIELD_MODE_SWITCHES, FIELD_BEST, FIELD_WORST };
enum { AT_MIN, AT_AVG, AT_MAX, AT_OVERRUNS, AT_MSW, AT_BEST, AT_WORST, AT_END };

#define US 3                            /* scale from microseconds to the record's nanoseconds */
#define DECIMALS 3                      /* that all versions with microseconds print */
#define DEFAULT_BUCKET 1000             /* ns, of histograms (-B) */

long rt_clock(struct slice hours, struct slice minutes, struct slice seconds)
{
	long t = 0;

	if (hours.len > 6)
		return -1;
	for (size_t i = 0; i < hours.len; i++)
		t = t * 10 + (hours.p[i] - '0');
	t = t * 60 + strtol(minutes.p, NULL, 10);
	return t * 60 + strtol(seconds.p, NULL, 10);
}

struct number rt_number(struct slice s, int scale)
{
	struct number n = number_absent();

	if (s.p)
		number_parse(s.p, s.len, scale, &n);
	return n;
}

/* The run */

bool rt_has_values(const struct rt_latency *run)
{
	if (run->rows || run->summary || run->plot.at > RT_PLOT_HEAD)
		return true;
	for (int i = 0; i < RT_SPREADS; i++)
		if (run->spread[i].bins || run->spread[i].stats)
			return true;
	return false;
}

void rt_open(struct parse *p, struct rt_latency *run, const char *tool, const struct line *l)
{
	if (run->record) {
		parse_extend(p, run->record, l);
		return;
	}
	*run = (struct rt_latency){ .tool = tool, .clock = -1, .elapsed = -1 };
	run->record = parse_begin(p, tool, l);
	run->series = record_add_series(run->record, NULL);
	run->series->unit = "ns";
	run->series->resolution = number_int(1);
	run->series->line = l->first;
	run->commands = parse_command_count(p);
}

/* This line is the run's: what stood between it and the row before does not matter any more. */
static void taken(struct parse *p, struct rt_latency *run, const struct line *l)
{
	run->adjacent = true;
	run->foreign = run->blank = false;
	run->row_line = l->last;
	run->commands = parse_command_count(p);
}

void rt_pass_line(struct rt_latency *run, const struct line *l)
{
	/* The rest of a line whose row was taken is a remark on it. */
	if ((l->flags & LINE_SPLIT) && l->first == run->row_line)
		return;
	run->adjacent = false;
	if (l->row_len)
		run->foreign = true;
	else
		run->blank = true;
}

bool rt_take_ellipsis(struct rt_latency *run)
{
	bool tells = run->record && run->adjacent && !run->summary &&
	             !run->spread[RT_SPREAD_AVG].stats;

	if (run->record && run->adjacent && run->listing) {
		run->spread[run->listed].cut = true;
		return true;
	}
	if (tells)
		record_flag(run->record, FLAG_ROWS_MISSING, "/series/0/samples",
		            "the text leaves rows out");
	return tells;
}

void rt_take_time(struct parse *p, struct rt_latency *run, const char *tool, const struct line *l,
                  long clock, const char *mode, struct number period_us, struct number priority)
{
	bool differs = (mode && run->row_mode && strcmp(mode, run->row_mode)) ||
	               (number_is_set(run->period) && number_is_set(period_us) &&
	                !number_equal(run->period, period_us));

	if (rt_has_values(run) &&
	    (run->summary || differs || (run->clock >= 0 && clock <= run->clock) ||
	     (run->rows && parse_command_count(p) != run->commands)))
		rt_close(p, run);
	rt_open(p, run, tool, l);
	run->tool = tool;
	run->other = false;
	run->clock = clock;
	run->header = true;
	run->header_line = l->first;
	if (mode)
		run->row_mode = mode;
	if (number_is_set(period_us)) {
		run->period = period_us;
		facts_set_number(run->record->settings, "period_ns", number_scale(period_us, US),
		                 l->first);
	}
	if (number_is_set(priority))
		facts_set_number(run->record->settings, "priority", priority, l->first);
	taken(p, run, l);
}

/*
 * Whether these titles are of a table of this family. Four columns without best and worst: 2005-01
 * to 2005-04.
 */
static bool is_latency_header(const struct rt_titles *t)
{
	const unsigned others = RT_HAS(RT_OVL_MIN) | RT_HAS(RT_OVL_MAX) | RT_HAS(RT_FREQUENCY) |
	                        RT_HAS(RT_JITTER_FAST) | RT_HAS(RT_JITTER_SLOW) | RT_HAS(RT_LOST) |
	                        RT_HAS(RT_SWITCHES) | RT_HAS(RT_TOTAL);

	if ((t->has & others) || !(t->has & RT_HAS(RT_MIN)))
		return false;
	return t->has & (RT_HAS(RT_BEST) | RT_HAS(RT_WORST) | RT_HAS(RT_MSW) | RT_HAS(RT_OVERRUNS));
}

bool rt_take_header(struct parse *p, struct rt_latency *run, const char *tool, const struct line *l,
                    const struct rt_row *row)
{
	struct rt_titles titles;

	rt_titles_read(row, &titles);
	if (!is_latency_header(&titles)) {
		rt_close(p, run);
		run->other = true;
		return false;
	}
	if (run->summary || (rt_has_values(run) && parse_command_count(p) != run->commands))
		rt_close(p, run);
	if (!run->record) {
		/* A header that is cut is no cut result. */
		struct line whole = *l;

		whole.flags &= ~(unsigned)LINE_CUT;
		rt_open(p, run, tool, &whole);
	}
	run->other = false;
	run->titles = titles;
	run->klat |= titles.klat;
	run->header = true;
	run->header_line = l->first;
	run->adjacent = true;
	return true;
}

/* Rows */

/*
 * How the cells are laid out: the header says, else their number and form (mode switches are whole,
 * best is not).
 */
static unsigned layout(const struct rt_latency *run, const struct rt_row *row,
                       unsigned at[RT_MAX_CELLS])
{
	static const unsigned with[] = { AT_MIN, AT_AVG,  AT_MAX,  AT_OVERRUNS,
		                         AT_MSW, AT_BEST, AT_WORST };
	static const unsigned without[] = {
		AT_MIN, AT_AVG, AT_MAX, AT_OVERRUNS, AT_BEST, AT_WORST
	};
	static const unsigned of_title[] = {
		[RT_MIN] = AT_MIN,           [RT_AVG] = AT_AVG, [RT_MAX] = AT_MAX,
		[RT_OVERRUNS] = AT_OVERRUNS, [RT_MSW] = AT_MSW, [RT_BEST] = AT_BEST,
		[RT_WORST] = AT_WORST
	};
	struct rt_value fifth = row->cells > 4 ? rt_value_read(row->cell[4], 0)
	                                       : (struct rt_value){ 0 };
	bool msw = fifth.decimals                                  ? false
	           : row->cells > 4 && number_is_set(fifth.number) ? true
	                                                           : row->cells >= 7;

	if (row->cells <= run->titles.n && !(run->unit == RT_UNIT_US && row->cells > 4 &&
	                                     msw != !!(run->titles.has & RT_HAS(RT_MSW)))) {
		for (unsigned i = 0; i < run->titles.n; i++) {
			enum rt_title t = run->titles.title[i];

			at[i] = t > RT_UNKNOWN && t <= RT_WORST ? of_title[t] : AT_END;
		}
		return run->titles.n;
	}
	/* Integers are nanoseconds, of versions that had no mode switches. */
	if (msw && run->unit == RT_UNIT_US) {
		memcpy(at, with, sizeof with);
		return AT_END;
	}
	memcpy(at, without, sizeof without);
	return AT_END - 1;
}

/* The unit shows in the form of the values: only versions that print microseconds print a point. */
static void find_unit(struct rt_latency *run, const struct rt_row *row)
{
	bool point = false;

	if (run->unit != RT_UNIT_UNKNOWN)
		return;
	for (unsigned i = 0; i < MIN(row->cells, 3u); i++)
		point |= rt_value_read(row->cell[i], 0).decimals > 0;
	run->unit = point || run->microseconds ? RT_UNIT_US : RT_UNIT_NS;
	if (run->microseconds)
		return;
	record_flag(run->record, FLAG_UNIT_ASSUMED, "/series/0/unit",
	            run->unit == RT_UNIT_US
	                    ? "the text does not say the unit; values with three decimals are "
	                      "microseconds in all versions"
	                    : "the text does not say the unit; values without decimals are "
	                      "nanoseconds, as versions before 2.1 print");
}

/*
 * The last cell of a row that no bar closes may have been cut inside the number: then it has
 * fewer decimals than all versions print, or is the beginning of the worst value that must stand
 * there.
 */
static bool is_cut_short(const struct rt_latency *run, struct slice cell, unsigned at,
                         struct number max)
{
	struct rt_value v = rt_value_read(cell, 0);
	struct number must = max;
	char is[NUMBER_TEXT], should[NUMBER_TEXT];

	if (at == AT_OVERRUNS || at == AT_MSW)
		return false;
	if (run->unit == RT_UNIT_US)
		return !run->loose && v.decimals < DECIMALS;
	if (at != AT_WORST)
		return false;
	if (number_is_set(run->worst) && (!number_is_set(must) || number_cmp(run->worst, must) > 0))
		must = run->worst;
	number_print(v.number, is);
	number_print(must, should);
	return *is && *should && strcmp(is, should) && g_str_has_prefix(should, is);
}

/*
 * One value of a row. What ends a row that is cut (`cut`) may itself be cut, unless all its
 * decimals are there.
 */
static struct number cell_value(const struct rt_latency *run, const struct rt_row *row, unsigned i,
                                unsigned at, bool cut, struct number max)
{
	bool last = i + 1 == row->cells, open = last && !row->closed;
	struct rt_value v;

	if (cut && open && (at == AT_OVERRUNS || at == AT_MSW || run->unit == RT_UNIT_NS))
		return number_null();
	if (at == AT_OVERRUNS || at == AT_MSW) {
		struct number n = rt_count_read(row->cell[i]);

		return number_is_set(n) ? n : number_null();
	}
	v = rt_value_read(row->cell[i], run->unit == RT_UNIT_US ? US : 0);
	if (v.number.state != NUMBER_SET || (!v.clean && !last))
		return number_null();
	if (open && v.clean && is_cut_short(run, row->cell[i], at, max))
		return number_null();
	return v.number;
}

/* Reads the cells; false when none of them is a value. *whole: none is lost. */
static bool row_values(struct rt_latency *run, const struct rt_row *row,
                       struct number values[AT_END], bool *whole)
{
	unsigned at[RT_MAX_CELLS], n;
	bool any = false;

	find_unit(run, row);
	n = layout(run, row, at);
	*whole = true;
	for (unsigned i = 0; i < AT_END; i++)
		values[i] = number_absent();
	for (unsigned i = 0; i < n; i++) {
		struct rt_value v;

		if (at[i] == AT_END)
			continue;
		values[at[i]] = i < row->cells ? cell_value(run, row, i, at[i], row->cells < n,
		                                            values[AT_MAX])
		                               : number_null();
		*whole = *whole && number_is_set(values[at[i]]);
		any |= number_is_set(values[at[i]]);
		if (i + 1 < row->cells && run->unit == RT_UNIT_US && at[i] != AT_OVERRUNS &&
		    at[i] != AT_MSW) {
			v = rt_value_read(row->cell[i], 0);
			run->loose |= number_is_set(v.number) && v.decimals != DECIMALS;
		}
	}
	return any;
}

static bool exceeds(struct number a, struct number b)
{
	return number_is_set(a) && number_is_set(b) && number_cmp(a, b) > 0;
}

/*
 * Whether a row cannot be of the open run, or is the first of another: what counts from the start
 * of the run (best, worst, overruns) only gets worse, and in a first row best and worst are its own
 * extremes. Kernel messages and the noise of a load also stand between rows, so text alone is no
 * sign: a header or a blank line must have come with it.
 */
static bool begins_run(struct parse *p, const struct rt_latency *run,
                       const struct number values[AT_END])
{
	bool falls = exceeds(values[AT_BEST], run->best) || exceeds(run->worst, values[AT_WORST]) ||
	             exceeds(run->overruns, values[AT_OVERRUNS]);
	bool fresh = number_is_set(values[AT_BEST]) &&
	             number_equal(values[AT_BEST], values[AT_MIN]) &&
	             number_equal(values[AT_WORST], values[AT_MAX]);

	if (!run->rows)
		return run->summary;
	if (run->summary || parse_command_count(p) != run->commands)
		return true;
	return (falls && (run->header || run->foreign)) ||
	       (fresh && run->foreign && (run->header || run->blank));
}

/* Cells that are clean numbers, from the first on. */
static unsigned numeric_cells(const struct rt_row *row, bool *point)
{
	unsigned n = 0;

	*point = false;
	for (; n < row->cells; n++) {
		struct rt_value v = rt_value_read(row->cell[n], 0);

		if (v.number.state == NUMBER_ABSENT || (!v.clean && n + 1 < row->cells))
			break;
		*point |= v.decimals > 0;
	}
	return n;
}

/* Whether the row can be one of these tables, with or without a header above it. */
static bool is_latency_row(const struct rt_latency *run, const struct rt_row *row)
{
	bool point;
	unsigned n = numeric_cells(row, &point);

	if (run->other || !n || row->cells > AT_END)
		return false;
	/* Of a header, at most one column more may have been lost by wrapping. */
	if (run->titles.n)
		return row->cells <= MAX(run->titles.n, point ? AT_END : 0u);
	if (point)
		return n >= 6 ||
		       (n >= 4 && !rt_value_read(row->cell[3], 0).decimals && run->record) ||
		       run->record;
	return run->record && (run->banner || number_is_set(run->period)) && n >= 6;
}

static void remember(struct rt_latency *run, const struct number values[AT_END])
{
	if (number_is_set(values[AT_BEST]))
		run->best = values[AT_BEST];
	if (number_is_set(values[AT_WORST]))
		run->worst = values[AT_WORST];
	if (number_is_set(values[AT_OVERRUNS]))
		run->overruns = values[AT_OVERRUNS];
	if (number_is_set(values[AT_MSW]))
		run->mode_switches = values[AT_MSW];
}

bool rt_take_data(struct parse *p, struct rt_latency *run, const char *tool, const struct line *l,
                  const struct rt_row *row)
{
	struct number values[AT_END];
	bool whole;

	if (!is_latency_row(run, row))
		return false;
	if (run->record && row_values(run, row, values, &whole) && begins_run(p, run, values)) {
		struct rt_titles titles = run->titles;
		unsigned header = run->header ? run->header_line : l->first;

		rt_close(p, run);
		rt_open(p, run, tool, l);
		run->titles = titles;
		run->record->source.first = header;
	} else {
		rt_open(p, run, tool, l);
	}
	if (!row_values(run, row, values, &whole))
		return false;
	if (!whole)
		record_flag(run->record, FLAG_ROW_TRUNCATED, "/series/0/samples/%u",
		            "a row is cut; what is lost of it is null", run->rows);
	if (!run->rows++)
		series_columns(run->series, AT_END, columns);
	series_add_row(run->series, l->first, values);
	run->header = false;
	remember(run, values);
	taken(p, run, l);
	return true;
}

/* "00:01:00/01:00:00": how long it ran, and how long it should have. */
static void take_duration(struct rt_latency *run, const struct line *l, struct slice cell)
{
	static struct pattern times = PATTERN(
		"^\\s*(\\d+):(\\d\\d):(\\d\\d)\\s*/\\s*(\\d+):(\\d\\d):(\\d\\d)");
	bool hours_wrong = !strcmp(run->tool, "latmus");
	struct match m;
	long actual, asked;

	if (!pattern_match(&times, cell.p, cell.len, 0, &m))
		return;
	actual = rt_clock(m.group[1], m.group[2], m.group[3]);
	asked = rt_clock(m.group[4], m.group[5], m.group[6]);
	run->elapsed = actual;
	/* latmus repeats the hours of the first time in the second: only equal times say anything.
	 */
	if (actual < 0 || asked < 0 || (hours_wrong && actual != asked))
		return;
	if (asked)
		facts_set_number(run->record->settings, "duration_s", number_int(asked), l->first);
	if (actual < asked) {
		g_autofree char *text = g_strdup_printf(
			"the run was ended after %ld of %ld seconds", actual, asked);

		record_flag(run->record, FLAG_INTERRUPTED, "", text);
	}
}

/*
 * Values of an RTS row: minimum, average, maximum, overruns and, since 2.5.1, mode switches; then
 * the times.
 */
static bool summary_values(struct rt_latency *run, const struct rt_row *row, struct number v[5],
                           struct slice *time)
{
	unsigned n = 0;

	*time = (struct slice){ NULL, 0 };
	find_unit(run, row);
	for (unsigned i = 0; i < 5; i++)
		v[i] = number_absent();
	for (; n < MIN(row->cells, 6u); n++) {
		if (memchr(row->cell[n].p, ':', row->cell[n].len)) {
			*time = row->cell[n];
			break;
		}
		if (n < 5)
			v[n] = cell_value(run, row, n, n < 3 ? n : AT_OVERRUNS, row->cells < 4,
			                  number_absent());
	}
	/* Where the times follow, or a bar closes it, the row is whole. */
	for (unsigned i = n; i < 4; i++)
		v[i] = number_null();
	return number_is_set(v[0]) || number_is_set(v[1]) || number_is_set(v[2]);
}

static bool same_summary(const struct rt_latency *run, const struct number v[5])
{
	for (unsigned i = 0; i < 4; i++)
		if (!number_equal(run->rts[i], v[i]))
			return false;
	return true;
}

bool rt_is_summary_of(const struct rt_latency *run, struct number min, struct number max)
{
	if (run->summary)
		return number_equal(run->rts[0], min) && number_equal(run->rts[2], max);
	if (run->rows)
		return number_equal(run->best, min) && number_equal(run->worst, max);
	return !rt_has_values(run) || run->spread[RT_SPREAD_AVG].stats;
}

/*
 * Interrupted before the first second, the program prints its start values: a minimum above the
 * maximum.
 */
void rt_set_summary(struct rt_latency *run, struct number v[5])
{
	static const enum field fields[] = { FIELD_MIN, FIELD_AVG, FIELD_MAX, FIELD_OVERRUNS,
		                             FIELD_MODE_SWITCHES };
	bool none = exceeds(v[0], v[2]);

	run->summary = true;
	memcpy(run->rts, v, sizeof run->rts);
	for (unsigned i = 0; i < 5; i++)
		run->series->field[fields[i]] = none && i < 3 ? number_null() : v[i];
	if (none)
		record_flag(run->record, FLAG_NO_SAMPLES, "/series/0",
		            "the summary holds only the start values: nothing was measured");
	for (unsigned i = 0; i < 4; i++)
		if (v[i].state == NUMBER_NULL) {
			record_flag(run->record, FLAG_ROW_TRUNCATED, "/series/0",
			            "the summary row is cut; what is lost of it is null");
			break;
		}
}

bool rt_take_summary(struct parse *p, struct rt_latency *run, const char *tool,
                     const struct line *l, const struct rt_row *row)
{
	struct number v[5];
	struct slice time;
	bool point;

	if (run->other || !numeric_cells(row, &point) || (!point && !run->record))
		return false;
	if (!run->record)
		rt_open(p, run, tool, l);
	if (!summary_values(run, row, v, &time))
		return false;
	if (run->summary && same_summary(run, v) && parse_command_count(p) == run->commands) {
		if (time.p && run->elapsed < 0)
			take_duration(run, l, time);
		parse_extend(p, run->record, l);
		taken(p, run, l);
		return true;
	}
	if (run->summary || (run->rows && parse_command_count(p) != run->commands)) {
		rt_close(p, run);
		rt_open(p, run, tool, l);
		summary_values(run, row, v, &time);
	} else {
		parse_extend(p, run->record, l);
	}
	rt_set_summary(run, v);
	if (time.p)
		take_duration(run, l, time);
	taken(p, run, l);
	return true;
}

/* Histograms */

static bool spread_of(struct slice cell, enum rt_spread *which)
{
	static const char *const names[] = { "min", "avg", "max" };

	for (int i = 0; i < RT_SPREADS; i++)
		if (cell.len == 3 && !memcmp(cell.p, names[i], 3)) {
			*which = i;
			return true;
		}
	return false;
}

/* "14 - 15" or "299 -300": the bucket's edges, which are always one apart. */
static bool read_range(struct slice cell, struct bin *bin)
{
	static struct pattern range = PATTERN("^(\\d+)\\s*-\\s*(\\d+)$");
	struct match m;

	if (!pattern_match(&range, cell.p, cell.len, 0, &m))
		return false;
	bin->lower = rt_number(m.group[1], 0);
	bin->upper = rt_number(m.group[2], 0);
	return number_is_set(bin->lower) && number_is_set(bin->upper) &&
	       number_equal(bin->upper, number_add(bin->lower, number_int(1)));
}

/* A histogram or statistics of a spread that the run has already is another run's. */
static void spread_run(struct parse *p, struct rt_latency *run, const char *tool,
                       const struct line *l, bool had)
{
	if (had || (run->record && parse_command_count(p) != run->commands && rt_has_values(run)))
		rt_close(p, run);
	rt_open(p, run, tool, l);
}

bool rt_take_bin(struct parse *p, struct rt_latency *run, const char *tool, const struct line *l,
                 const struct rt_row *row)
{
	struct bin bin = { .count = number_absent() };
	unsigned first = 0;
	enum rt_spread which;
	struct rt_spread_data *s;

	if (row->cells && spread_of(row->cell[0], &which)) {
		run->listed = which;
		first = 1;
		spread_run(p, run, tool, l, run->spread[which].stats);
		run->listing = true;
	} else if (!run->listing || row->kind == RT_BIN) {
		return false;
	} else {
		/* Converted tables: the name stands alone above its bins. */
		while (first < row->cells && !row->cell[first].len)
			first++;
	}
	s = &run->spread[run->listed];
	if (row->cells > first && read_range(row->cell[first], &bin)) {
		if (row->cells > first + 1)
			bin.count = rt_count_read(row->cell[first + 1]);
		if (!s->bins)
			s->bins = g_array_new(FALSE, FALSE, sizeof bin);
		if (number_is_set(bin.count))
			g_array_append_val(s->bins, bin);
		else
			s->cut = true;
	} else if (row->kind != RT_BIN) {
		return false;
	} else if (row->cells > first && row->cell[first].len) {
		s->cut = true;
	}
	parse_extend(p, run->record, l);
	taken(p, run, l);
	return true;
}

bool rt_take_stats(struct parse *p, struct rt_latency *run, const char *tool, const struct line *l,
                   const struct rt_row *row)
{
	enum rt_spread which;
	struct rt_spread_data *s;

	if (!row->cells || !spread_of(row->cell[0], &which))
		return false;
	spread_run(p, run, tool, l, run->spread[which].stats);
	run->listing = false;
	s = &run->spread[which];
	s->stats = true;
	s->count = row->cells > 1 ? rt_count_read(row->cell[1]) : number_null();
	s->mean = row->cells > 2 ? rt_value_read(row->cell[2], 0).number : number_null();
	s->stddev = row->cells > 3 ? rt_value_read(row->cell[3], 0).number : number_null();
	if (row->cells < 4)
		record_flag(run->record, FLAG_ROW_TRUNCATED, "/series/0",
		            "a row of the statistics is cut; what is lost of it is null");
	taken(p, run, l);
	return true;
}

/* The bucket size of the command line (-B), in ns; absent if it says none. */
static struct number stated_bucket(const struct record *r)
{
	static struct pattern option = PATTERN("\\s-[bfhsq]*B\\s*(\\d{1,9})(?:\\s|$)");
	struct match m;

	if (!r->command || !pattern_match(&option, r->command, strlen(r->command), 0, &m))
		return number_absent();
	return rt_number(m.group[1], 0);
}

/* n / w without the fraction; absent for negative n. */
static struct number bucket_of(struct number n, struct number w)
{
	struct number q;

	if (!number_is_set(n) || n.coefficient < 0)
		return number_absent();
	q = number_round(number_div(n, w), 0);
	if (number_is_set(q) && number_cmp(number_mul(q, w), n) > 0)
		q = number_sub(q, number_int(1));
	return q;
}

static void lowest_highest(const GArray *bins, struct number *lowest, struct number *highest)
{
	*lowest = *highest = number_absent();
	for (guint i = 0; i < bins->len; i++) {
		const struct bin *b = &g_array_index(bins, struct bin, i);

		if (!number_is_set(*lowest) || number_cmp(b->lower, *lowest) < 0)
			*lowest = b->lower;
		if (!number_is_set(*highest) || number_cmp(b->lower, *highest) > 0)
			*highest = b->lower;
	}
}

/* The extremes of the run: of the summary, else the last best and worst. */
void rt_extremes(const struct rt_latency *run, struct number *min, struct number *max)
{
	*min = number_is_set(run->series->field[FIELD_MIN]) ? run->series->field[FIELD_MIN]
	                                                    : run->best;
	*max = number_is_set(run->series->field[FIELD_MAX]) ? run->series->field[FIELD_MAX]
	                                                    : run->worst;
}

/* The highest bucket that is filled in any of the lists. */
static struct number top_bucket(const struct rt_latency *run)
{
	struct number top = number_absent(), lowest, highest;

	for (int i = 0; i < RT_SPREADS; i++) {
		if (!run->spread[i].bins)
			continue;
		lowest_highest(run->spread[i].bins, &lowest, &highest);
		if (number_is_set(highest) && (!number_is_set(top) || number_cmp(highest, top) > 0))
			top = highest;
	}
	return top;
}

/*
 * The bucket size is not printed. The least of all minima must lie in the lowest filled bucket of
 * the minima; if it does not, the assumed size is wrong and nothing that is in buckets can be said
 * in time.
 */
static bool bucket_fits(const struct rt_latency *run, struct number width)
{
	const struct rt_spread_data *minima = &run->spread[RT_SPREAD_MIN];
	struct number of_min = bucket_of(run->series->field[FIELD_MIN], width), lowest, highest;

	if (!run->summary || !number_is_set(of_min))
		return true;
	if (!minima->bins)
		return !number_is_set(minima->mean) || number_cmp(minima->mean, of_min) >= 0;
	lowest_highest(minima->bins, &lowest, &highest);
	if (minima->cut || record_has_flag(run->record, FLAG_ROWS_MISSING))
		return number_cmp(lowest, of_min) >= 0;
	/* The last bucket of all holds all larger values too. */
	return number_equal(lowest, of_min) ||
	       (number_cmp(of_min, lowest) > 0 && number_equal(lowest, top_bucket(run)));
}

/*
 * Whether bucket `highest` holds all larger values too, as the last one of the program's list does.
 * The maximum shows it; it is that of the whole seconds, while the list also has the samples of the
 * last, unfinished one. Lists have 100 buckets in versions to 2.6.0, 300 in later ones, unless the
 * user asked for another number.
 */
static bool holds_larger(struct number highest, struct number of_max)
{
	static const int last_of_300 = 299, last_of_100 = 99;

	if (!number_is_set(highest))
		return false;
	if (number_is_set(of_max) && number_cmp(of_max, highest) > 0)
		return true;
	if (number_equal(highest, number_int(last_of_300)))
		return !number_is_set(of_max) || !number_equal(of_max, highest);
	return number_equal(highest, number_int(last_of_100)) && !number_is_set(of_max);
}

/* Bins in ns; max is the greatest value that they hold, absent where it is not known. */
static struct histogram *histogram_of(const struct rt_spread_data *s, struct number width,
                                      struct number max)
{
	struct histogram *h = histogram_new();
	struct number lowest, highest;
	bool larger;

	lowest_highest(s->bins, &lowest, &highest);
	larger = !s->cut && holds_larger(highest, bucket_of(max, width));
	h->bin_width = width;
	for (guint i = 0; i < s->bins->len; i++) {
		const struct bin *b = &g_array_index(s->bins, struct bin, i);

		if (larger && number_equal(b->lower, highest))
			h->overflow = number_add(
				number_is_set(h->overflow) ? h->overflow : number_int(0), b->count);
		else
			histogram_add(h, number_mul(b->lower, width), number_mul(b->upper, width),
			              b->count);
	}
	return h;
}

static struct interval_stats *interval_of(const struct rt_spread_data *s, struct number width,
                                          struct number max)
{
	struct interval_stats *i;

	if (!s->stats && !s->bins)
		return NULL;
	i = g_new0(struct interval_stats, 1);
	i->count = s->count;
	i->avg = number_is_set(width) ? number_mul(s->mean, width) : number_null();
	i->stddev = number_is_set(width) ? number_mul(s->stddev, width) : number_null();
	if (s->stats && s->stddev.state == NUMBER_NULL)
		i->stddev = number_null();
	if (s->stats && s->mean.state == NUMBER_NULL)
		i->avg = number_null();
	if (s->bins && number_is_set(width))
		i->histogram = histogram_of(s, width, max);
	return i;
}

static void finish_spreads(struct rt_latency *run, struct number width)
{
	const struct rt_spread_data *all = &run->spread[RT_SPREAD_AVG];
	struct record *r = run->record;
	struct series *s = run->series;
	struct number min, max;
	bool any = false, assumed = false;

	for (int i = 0; i < RT_SPREADS; i++) {
		any |= run->spread[i].stats || run->spread[i].bins;
		if (run->spread[i].cut)
			record_flag(r, FLAG_ROW_TRUNCATED, "/series/0/histogram",
			            "a row of the histogram is cut or left out");
	}
	if (!any)
		return;
	if (!number_is_set(width)) {
		width = stated_bucket(r);
		if (!number_is_set(width) || !width.coefficient) {
			width = number_int(DEFAULT_BUCKET);
			assumed = true;
		}
	}
	if (!bucket_fits(run, width)) {
		width = number_null();
		record_flag(
			r, FLAG_BINS_MISMATCH, "/series/0/histogram",
			assumed ? "the buckets cannot be 1 microsecond wide and their size is not "
		                  "printed: left out"
				: "the buckets cannot be as wide as the command says: left out");
	} else if (assumed) {
		record_flag(
			r, FLAG_UNIT_ASSUMED, "/series/0/histogram",
			"the bucket size is not printed; 1 microsecond, the default, was assumed");
	}
	rt_extremes(run, &min, &max);
	if (number_is_set(min) && min.coefficient < 0)
		record_flag(r, FLAG_BINS_MISMATCH, "/series/0/histogram",
		            "the program counts absolute values: negative latencies are in the "
		            "bins of positive ones");
	if (all->stats) {
		s->field[FIELD_COUNT] = all->count;
		s->field[FIELD_STDDEV] = number_is_set(width) && number_is_set(all->stddev)
		                         ? number_mul(all->stddev, width) : number_null();
	}
	if (all->bins && number_is_set(width) && !s->histogram)
		s->histogram = histogram_of(all, width, max);
	s->minima = interval_of(&run->spread[RT_SPREAD_MIN], width, number_absent());
	s->maxima = interval_of(&run->spread[RT_SPREAD_MAX], width, max);
}

/* The end of a run */

/* The mode that the command line asks for, where it does. */
static const char *command_mode(const struct record *r)
{
	static struct pattern xenomai = PATTERN("\\s-[bfhsq]*t\\s*([012])(?:\\s|$)");
	static struct pattern latmus = PATTERN(
		"\\s(?:-[rqbKm]*([iku])[rqbKm]*|--(irq|kernel|user))(?:\\s|$)");
	struct match m;

	if (!r->command)
		return NULL;
	if (strcmp(r->tool, "latmus")) {
		if (!pattern_match(&xenomai, r->command, strlen(r->command), 0, &m))
			return NULL;
		return *m.group[1].p == '0'   ? "user-task"
		       : *m.group[1].p == '1' ? "kernel-task"
		                              : "timer-irq";
	}
	if (!pattern_match(&latmus, r->command, strlen(r->command), 0, &m))
		return NULL;
	switch (m.group[1].p ? *m.group[1].p : *m.group[2].p) {
	case 'u':
		return "user-task";
	case 'k':
		return "kernel-task";
	default:
		return "timer-irq";
	}
}

/* The mode that the heading names, where nothing else says it. */
static const char *title_mode(const struct record *r)
{
	static struct pattern modes = PATTERN(
		"(?i)\\b(?:(user[- ]?(?:space|mode|land)|user[- ]task)|(kernel[- ]?(?:space|mode)"
		"|kernel[- ]task|in[- ]kernel)|((?:timer|interrupt|irq)[- ]?(?:mode|handler"
		"|irq)))\\b");
	struct match m, more;

	if (!r->title || !pattern_match(&modes, r->title, strlen(r->title), 0, &m))
		return NULL;
	/* A heading that names two of them says nothing. */
	if (pattern_match(&modes, r->title, strlen(r->title), (size_t)(m.end - r->title), &more))
		return NULL;
	return m.group[1].p ? "user-task" : m.group[2].p ? "kernel-task" : "timer-irq";
}

static void finish_mode(struct rt_latency *run)
{
	struct record *r = run->record;

	if (!run->row_mode && !run->banner_mode)
		run->banner_mode = command_mode(r);
	if (!run->row_mode && !run->banner_mode)
		run->banner_mode = title_mode(r);
	r->mode = run->row_mode ? run->row_mode : run->banner_mode;
	if (run->row_mode && run->banner_mode && strcmp(run->row_mode, run->banner_mode)) {
		g_autofree char *text = g_strdup_printf(
			"the banner says %s, the rows say %s; the rows count", run->banner_mode,
			run->row_mode);

		record_flag(r, FLAG_MODE_CONFLICT, "/mode", text);
	}
}

/*
 * klatency prints what latency -t1 of its time does. It is told by its name, its titles, or by its
 * pace: latency prints a row a second, so more rows than seconds are not its own.
 */
static void finish_tool(struct rt_latency *run)
{
	static struct pattern name = PATTERN("(?:^|[\\s/])klatency(?:\\s|$)");
	struct record *r = run->record;

	r->tool = run->tool;
	if (strcmp(run->tool, "xenomai-latency"))
		return;
	if (run->klat ||
	    (r->command && pattern_match(&name, r->command, strlen(r->command), 0, NULL)) ||
	    (!r->command && r->mode && !strcmp(r->mode, "kernel-task") && run->elapsed > 0 &&
	     run->rows > (unsigned)run->elapsed + 1))
		r->tool = "xenomai-klatency";
	if (run->klat && !r->mode)
		r->mode = "kernel-task";
}

/* Without a summary the last row has the counts of the whole run. */
static void finish_counts(struct rt_latency *run)
{
	if (run->summary)
		return;
	if (run->series->field[FIELD_OVERRUNS].state == NUMBER_ABSENT)
		run->series->field[FIELD_OVERRUNS] = run->overruns;
	if (run->series->field[FIELD_MODE_SWITCHES].state == NUMBER_ABSENT)
		run->series->field[FIELD_MODE_SWITCHES] = run->mode_switches;
}

void rt_close(struct parse *p, struct rt_latency *run)
{
	bool other = run->other;

	if (run->record && rt_has_values(run)) {
		finish_mode(run);
		finish_tool(run);
		finish_counts(run);
		finish_spreads(run, rt_plot_finish(run));
		parse_emit(p, run->record);
	} else if (run->record) {
		parse_drop(p, run->record, "a run without any result");
	}
	for (int i = 0; i < RT_SPREADS; i++)
		if (run->spread[i].bins)
			g_array_unref(run->spread[i].bins);
	if (run->plot.bins)
		g_array_unref(run->plot.bins);
	*run = (struct rt_latency){ .other = other, .clock = -1, .elapsed = -1 };
}
