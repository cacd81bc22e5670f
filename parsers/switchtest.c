/*
 * switchtest of Xenomai (2.2 and later) and hectic of EVL: context switches, no latencies.
 *
 *   RTH|---------cpu|ctx switches|-------total        without the CPU where there is only one
 *   RTD|           0|        1194|        1194
 *
 * Each row has the switches of the last second and all so far; the last total of each CPU counts.
 */
#include <string.h>

#include "lib/parser.h"
#include "parsers/rt_rows.h"

#define MAX_CPUS 1024u

struct switch_state {
	struct record *record;
	bool known;             /* the header was this table's */
	bool other;             /* the last header was another program's */
	bool has_cpu;
	bool hectic;
	unsigned rows, commands;
};

static void close_run(struct parse *p, struct switch_state *s)
{
	if (s->record && s->rows)
		parse_emit(p, s->record);
	else if (s->record)
		parse_drop(p, s->record, "a run without any result");
	*s = (struct switch_state){ .other = s->other };
}

static bool command_names(struct parse *p, struct pattern *name)
{
	const char *command = parse_command(p);

	return command && pattern_match(name, command, strlen(command), 0, NULL);
}

static bool is_switchtest(struct parse *p)
{
	static struct pattern name = PATTERN("(?:^|[\\s/])switchtest(?:\\s|$)");

	return command_names(p, &name);
}

static bool is_hectic(struct parse *p)
{
	static struct pattern name = PATTERN("(?:^|[\\s/])hectic(?:\\s|$)");

	return command_names(p, &name);
}

static void open_run(struct parse *p, struct switch_state *s, const struct line *l)
{
	if (s->record && s->rows && parse_command_count(p) != s->commands)
		close_run(p, s);
	if (s->record) {
		parse_extend(p, s->record, l);
	} else {
		s->hectic |= is_hectic(p);
		s->record = parse_begin(p, s->hectic ? "evl-hectic" : "xenomai-switchtest", l);
	}
	if (s->hectic)
		s->record->tool = "evl-hectic";
	s->commands = parse_command_count(p);
}

/* The series of a CPU (absent: of a machine with one); NULL when there are too many. */
static struct series *series_of(struct switch_state *s, struct number cpu, const struct line *l)
{
	struct series *series;

	for (guint i = 0; i < s->record->series->len; i++) {
		series = g_ptr_array_index(s->record->series, i);
		if (!series->labels->len ||
		    number_equal(g_array_index(series->labels, struct fact, 0).number, cpu))
			return series;
	}
	if (s->record->series->len >= MAX_CPUS)
		return NULL;
	series = record_add_series(s->record, NULL);
	series->quantity = "context switches";
	series->unit = "1";
	series->line = l->first;
	if (number_is_set(cpu))
		series_label_number(series, "cpu", cpu);
	return series;
}

static enum verdict take_header(struct parse *p, struct switch_state *s, const struct line *l,
                                const struct rt_row *row)
{
	struct rt_titles titles;

	rt_titles_read(row, &titles);
	if (!(titles.has & RT_HAS(RT_SWITCHES))) {
		s->other = true;
		close_run(p, s);
		return VERDICT_PASS;
	}
	s->other = false;
	open_run(p, s, l);
	s->known = true;
	s->has_cpu = titles.has & RT_HAS(RT_CPU);
	return VERDICT_FRAME;
}

/* The total only grows; where it falls, another run has begun. */
static bool falls(struct switch_state *s, struct number cpu, struct number total)
{
	for (guint i = 0; i < s->record->series->len; i++) {
		struct series *series = g_ptr_array_index(s->record->series, i);

		if (!series->labels->len ||
		    number_equal(g_array_index(series->labels, struct fact, 0).number, cpu))
			return number_cmp(total, series->field[FIELD_VALUE]) < 0;
	}
	return false;
}

static enum verdict take_data(struct parse *p, struct switch_state *s, const struct line *l,
                              const struct rt_row *row)
{
	struct number cpu = number_absent(), switches, total;
	bool has_cpu = s->known ? s->has_cpu : row->cells == 3;
	struct series *series;

	/* Without its header a row of two or three numbers is this only below its command. */
	if (s->other || (!s->known &&
	                 (row->cells < 2 || row->cells > 3 || !(is_switchtest(p) || is_hectic(p)))))
		return VERDICT_PASS;
	if (row->cells > (has_cpu ? 3u : 2u))
		return VERDICT_PASS;
	open_run(p, s, l);
	if (row->cells < (has_cpu ? 3u : 2u)) {
		record_flag(s->record, FLAG_ROW_TRUNCATED, "", "a row is cut and left out");
		return VERDICT_DATA;
	}
	if (has_cpu)
		cpu = rt_count_read(row->cell[0]);
	switches = rt_count_read(row->cell[has_cpu]);
	total = rt_count_read(row->cell[has_cpu + 1]);
	if (!number_is_set(total) || !number_is_set(switches) || (has_cpu && !number_is_set(cpu)))
		return VERDICT_PASS;
	/* A total below its own second's switches is cut. */
	if (number_cmp(total, switches) < 0) {
		record_flag(s->record, FLAG_ROW_TRUNCATED, "", "a row is cut and left out");
		return VERDICT_DATA;
	}
	if (falls(s, cpu, total)) {
		struct switch_state old = *s;

		close_run(p, s);
		s->known = old.known;
		s->has_cpu = old.has_cpu;
		s->hectic = old.hectic;
		open_run(p, s, l);
	}
	series = series_of(s, cpu, l);
	if (series)
		series->field[FIELD_VALUE] = total;
	s->rows++;
	return VERDICT_DATA;
}

static enum verdict switch_line(struct parse *p, const struct line *l)
{
	static struct pattern frame = PATTERN(
		"^==\\s*(?:Testing FPU check routines|FPU check routines:|Threads:)");
	struct switch_state *s = p->state;
	struct rt_row row;

	if (l->rejected || !l->row_len)
		return VERDICT_PASS;
	if (pattern_match(&frame, l->row, l->row_len, 0, NULL)) {
		if (s->rows)
			close_run(p, s);
		/* The names of hectic's helper threads differ. */
		s->hectic = memmem(l->row, l->row_len, " switcher", 9) || is_hectic(p);
		open_run(p, s, l);
		return VERDICT_FRAME;
	}
	if (s->record && s->rows && rt_is_ellipsis(l->row, l->row_len))
		return VERDICT_FRAME;
	if (!rt_row_read(l->row, l->row_len, &row))
		return VERDICT_PASS;
	if (row.kind == RT_HEADER)
		return take_header(p, s, l, &row);
	if (row.kind == RT_DATA)
		return take_data(p, s, l, &row);
	if (row.kind == RT_TIME && s->record && !memchr(l->row, '(', l->row_len))
		return VERDICT_FRAME;
	return VERDICT_PASS;
}

static void switch_end(struct parse *p)
{
	close_run(p, p->state);
}

#define FULL "R?TD\\** *" RT_BAR "\\s*" RT_INTEGER "(?:" RT_NEXT RT_INTEGER "){1,2}" RT_STOP

static const struct row_shape shapes[] = {
	{ "RTH\\** *" RT_BAR "[- ]*c[pt][ux]",
	  "RTH\\** *" RT_BAR "[-\\s|]*(?:cpu[-\\s|]*)?ctx ?switches[-\\s|]*total",
	  RT_MORE_TITLES, SHAPE_INNER },
	{ RT_START("RTD"), FULL, RT_MORE_NUMBERS, SHAPE_INNER },
	{ "TD\\|\\s*-?\\d", FULL, RT_MORE_NUMBERS, 0 },
	{ "== Threads: \\w", NULL, NULL, 0 },
	{ "== Testing FPU check routines", NULL, NULL, 0 },
	{ NULL, NULL, NULL, 0 }
};

static const char *const tools[] = { "xenomai-switchtest", "evl-hectic", NULL };
static const char *const literals[] = { "RTD |%", "ctx switches|", NULL };
static const char *const xenomai[] = { "switchtest", NULL };
static const char *const evl[] = { "hectic", NULL };

static const struct tool_option options[] = {
	{ "-T", "--timeout", "duration_s", OPTION_INTEGER },
	{ "-l", "--lines", NULL, OPTION_INTEGER },
	{ "-c", "--cpu", NULL, OPTION_INTEGER },
	{ "-s", "--stress", NULL, OPTION_INTEGER },
	{ "-q", "--quiet", NULL, OPTION_FLAG },
	{ "-n", "--nofpu", NULL, OPTION_FLAG },
	{ NULL, NULL, NULL, OPTION_FLAG }
};
static const struct tool_options commands[] = {
	{ xenomai, "xenomai-switchtest", options },
	{ evl, "evl-hectic", options },
	{ NULL, NULL, NULL }
};

const struct parser parser_switchtest = {
	.name = "switchtest",
	.summary = "Xenomai switchtest and EVL hectic: context switches per CPU",
	.versions = "Xenomai 2.2 to 3.3, libevl",
	.sample = "RTD|           0|        1194|        1194",
	.tools = tools,
	.literals = literals,
	.shapes = shapes,
	.commands = commands,
	.state_size = sizeof(struct switch_state),
	.line = switch_line,
	.end = switch_end
};
