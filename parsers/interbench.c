/*
 * interbench: latency of simulated tasks under simulated loads; a record per benchmark table.
 *
 *     --- Benchmarking simulated cpu of Audio in the presence of simulated ---
 *     Load	Latency +/- SD (ms)  Max Latency   % Desired CPU  % Deadlines Met
 *     None	  0.012 +/- 0.00196    0.021		 100	        100
 *
 * Gaming has no deadlines, Interactive neither them nor a desired share. Early versions have no
 * word "Load".
 */
#include <string.h>

#include "lib/parser.h"

struct interbench {
	char *benchmark;       /* "Audio" */
	struct record *record; /* begun with the first row of a table */
	bool headed;	       /* the heading was seen */
	int scale;	       /* into ns */
	unsigned shares;       /* columns of percentages */
};

static struct pattern banner =
	PATTERN("^-+ Benchmarking (?:simulated cpu of )?(\\S+(?: \\S+)?) in the presence of ");
static struct pattern heading = PATTERN("^(?:Load\\s+)?Latency \\+/- SD \\((ms|us)\\)\\s+Max "
					"Latency(\\s+% Desired CPU)?(\\s+% Deadlines Met)?");
static struct pattern row = PATTERN("^([A-Za-z]\\S*)\\s+([\\d.]+(?:e[-+]?\\d+)?) \\+/- "
				    "([\\d.]+(?:e[-+]?\\d+)?|nan)\\s+([\\d.]+(?:e[-+]?\\d+)?)(?:"
				    "\\s+([\\d.]+))?(?:\\s+([\\d.]+))?\\s*$");

static void close_table(struct parse *p)
{
	struct interbench *b = p->state;

	if (b->record)
		parse_emit(p, b->record);
	b->record = NULL;
	b->headed = false;
}

static void set_time(struct interbench *b, struct series *s, enum field f, struct slice text)
{
	if (number_parse(text.p, text.len, b->scale, &s->field[f]) == NUMBER_NONE)
		s->field[f] = number_null();
}

static void take_share(struct interbench *b, struct record *r, const char *load, const char *column,
		       struct slice text, unsigned line)
{
	struct series *s = record_add_series(r, load);

	s->unit = "%";
	s->quantity = column;
	s->line = line;
	if (b->benchmark)
		series_label(r, s, "group", record_text(r, b->benchmark, -1));
	series_label(r, s, "column", column);
	number_parse(text.p, text.len, 0, &s->field[FIELD_VALUE]);
}

static void take_row(struct parse *p, const struct line *l, const struct match *m)
{
	struct interbench *b = p->state;
	struct record *r;
	struct series *s;
	const char *load;

	if (!b->record)
		b->record = parse_begin(p, "interbench", l);
	r = b->record;
	parse_extend(p, r, l);
	load = record_text(r, m->group[1].p, (gssize)m->group[1].len);
	s = record_add_series(r, load);
	s->unit = "ns";
	s->line = l->first;
	if (b->benchmark)
		series_label(r, s, "group", record_text(r, b->benchmark, -1));
	set_time(b, s, FIELD_AVG, m->group[2]);
	set_time(b, s, FIELD_STDDEV, m->group[3]);
	set_time(b, s, FIELD_MAX, m->group[4]);
	if (b->shares > 0 && m->group[5].p)
		take_share(b, r, load, "% Desired CPU", m->group[5], l->first);
	if (b->shares > 1 && m->group[6].p)
		take_share(b, r, load, "% Deadlines Met", m->group[6], l->first);
}

static enum verdict interbench_line(struct parse *p, const struct line *l)
{
	struct interbench *b = p->state;
	struct match m;

	if (l->rejected)
		return VERDICT_PASS;
	if (pattern_match(&banner, l->row, l->row_len, 0, &m)) {
		close_table(p);
		g_free(b->benchmark);
		b->benchmark = g_strndup(m.group[1].p, m.group[1].len);
		return VERDICT_FRAME;
	}
	if (pattern_match(&heading, l->row, l->row_len, 0, &m)) {
		close_table(p);
		b->headed = true;
		b->scale = *m.group[1].p == 'm' ? 6 : 3;
		b->shares = (m.group[2].p != NULL) + (m.group[3].p != NULL);
		return VERDICT_FRAME;
	}
	if (b->headed && pattern_match(&row, l->row, l->row_len, 0, &m)) {
		take_row(p, l, &m);
		return VERDICT_DATA;
	}
	if (b->record && !(l->flags & LINE_CUT)) {
		close_table(p);
		g_clear_pointer(&b->benchmark, g_free);
	}
	return VERDICT_PASS;
}

static void interbench_end(struct parse *p)
{
	struct interbench *b = p->state;

	close_table(p);
	g_free(b->benchmark);
}

static const struct row_shape shapes[] = {
	{ "-+ Benchmarking ", NULL, NULL, 0 },
	{ "(?:Load\\s+)?Latency \\+/- SD \\(",
	  "(?:Load\\s+)?Latency \\+/- SD \\([mu]s\\)\\s+Max Latency(?:\\s+% Desired CPU(?:\\s+% "
	  "Deadlines Met)?)?",
	  "[A-Za-z%() ]+", 0 },
	{ "[A-Za-z]\\S*\\s+[\\d.]+(?:e[-+]?\\d+)? \\+/- [\\d.n]",
	  "[A-Za-z]\\S*\\s+[\\d.]+(?:e[-+]?\\d+)? \\+/- "
	  "(?:[\\d.]+(?:e[-+]?\\d+)?|nan)\\s+[\\d.]+.*",
	  "[\\d. ]+", SHAPE_QUIET },
	{ NULL, NULL, NULL, 0 }
};

static const char *const tools[] = { "interbench", NULL };
static const char *const literals[] = { "Latency +/- SD", NULL };

const struct parser parser_interbench = {
	.name = "interbench",
	.summary = "latency of simulated tasks under simulated loads",
	.versions = "0.20 to 0.31",
	.sample = "None	  0.012 +/- 0.00196    0.021		 100	        100",
	.tools = tools,
	.literals = literals,
	.shapes = shapes,
	.state_size = sizeof(struct interbench),
	.line = interbench_line,
	.end = interbench_end,
};
