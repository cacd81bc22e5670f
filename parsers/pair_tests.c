/*
 * The rt-tests programs with pairs of threads, of which one wakes the other: ptsematest,
 * sigwaittest, svsematest and pmqtest (0.57 and later). First a line for each pair, then a result
 * for each:
 *
 *     #0: ID8022, P80, CPU0, I1000; #1: ID8023, P80, CPU1, Cycles 63
 *     #1 -> #0, Min   20, Cur   35, Avg   30, Max   67
 *
 * #1 sends and #0 receives; the result is the latency of #0's wake-up, in microseconds. All four
 * print the same, only pmqtest adds time-outs ("TO 0"): which of the others it was, only the
 * command tells, or another mention of its name.
 */
#include <string.h>

#include "lib/parser.h"

#define MAX_PAIRS 4096u

struct pair {
	struct number sender, receiver, tid, priority, cpu, interval, cycles;
	struct number min, cur, avg, max;
	bool has_result, empty, cut;
	unsigned line;
};

struct pair_tests {
	struct record *record;          /* NULL: no run is open */
	GArray *pairs;                  /* struct pair */
	unsigned commands;
	guint next;                     /* pair whose result is expected: they keep their order */
	bool timeouts;                  /* "TO" was seen: pmqtest */
	bool foreign;                   /* other text stood after the last row */
};

static const char *const tools[] = { "pmqtest", "ptsematest", "svsematest", "sigwaittest", NULL };

static struct pattern pair_row = PATTERN(
	"^#(\\d+): *ID(\\d+), *P(\\d+), *CPU(-?\\d+), *I(\\d+); *#(\\d+): *ID(\\d+), *P(\\d+), *CPU(-?\\d+),"
	"( *TO +\\d+,)? *Cycles +(?:(\\d++)(?!\\S)|\\S)");
/* A figure that goes on after its digits is none: a digit of it was lost. */
static struct pattern result_row = PATTERN(
	"^#(\\d+) -> #(\\d+),(?: *Min +(-?\\d++)(?![^\\s,]))?(?:, *Cur +(-?\\d++)(?![^\\s,]))?"
	"(?:, *Avg +(-?\\d++)(?![^\\s,]))?(?:, *Max +(-?\\d++)(?![^\\s.\xe2])(?! ?\\.\\.| ?\xe2\x80\xa6))?");
static struct pattern not_ready = PATTERN("^#(\\d+) -> #(\\d+) \\(not yet ready\\)");

static struct number group_number(const struct match *m, int i, int scale)
{
	struct number n;

	if (i >= m->count || !m->group[i].p)
		return number_absent();
	number_parse(m->group[i].p, m->group[i].len, scale, &n);
	return n;
}

/* The name of one of the four in the text, as a word; NULL: none. */
static const char *name_in(const char *text)
{
	for (const char *const *t = tools; text && *t; t++)
		if (strstr(text, *t))
			return *t;
	return NULL;
}

/*
 * What stands nearest tells: the command, the heading, the name of the file. Without any of them
 * ptsematest, whose format the others took over.
 */
static const char *tool_of(struct parse *p, const struct pair_tests *t)
{
	const char *tool = name_in(t->record->command);

	if (t->timeouts)
		return "pmqtest";
	if (!tool)
		tool = name_in(parse_command(p));
	if (!tool)
		tool = name_in(t->record->title);
	if (!tool)
		tool = name_in(t->record->source.file);
	return tool ? tool : "ptsematest";
}

static void label(struct series *s, const char *key, struct number n)
{
	if (number_is_set(n))
		series_label_number(s, key, n);
}

static void fill_pair(struct record *r, const struct pair *pair)
{
	struct series *s = record_add_series(r, NULL);
	unsigned index = record_series_index(r, s);

	s->unit = "ns";
	s->line = pair->line;
	s->resolution = number_int(1000);
	label(s, "sender", pair->sender);
	label(s, "receiver", pair->receiver);
	/* ID0 and CPU-1: not known yet. */
	if (pair->tid.coefficient)
		label(s, "tid", pair->tid);
	if (pair->cpu.coefficient >= 0)
		label(s, "cpu", pair->cpu);
	label(s, "priority", pair->priority);
	label(s, "interval_ns", pair->interval);
	s->field[FIELD_COUNT] = pair->cycles;
	s->field[FIELD_MIN] = pair->empty ? number_null() : pair->min;
	s->field[FIELD_LAST] = pair->empty ? number_null() : pair->cur;
	s->field[FIELD_AVG] = pair->empty ? number_null() : pair->avg;
	s->field[FIELD_MAX] = pair->empty ? number_null() : pair->max;
	if (pair->empty)
		record_flag(r, FLAG_NO_SAMPLES, "/series/%u",
		            "the tool printed its start values: no sample was taken", index);
	if (pair->cut)
		record_flag(r, FLAG_ROW_TRUNCATED, "/series/%u",
		            "the row was cut short: what is lost is null", index);
}

static void finish(struct parse *p)
{
	struct pair_tests *t = p->state;
	bool any = false;

	if (!t->record)
		return;
	for (guint i = 0; i < t->pairs->len; i++)
		any |= g_array_index(t->pairs, struct pair, i).has_result;
	if (!any) {
		parse_drop(p, t->record, "cut before its results");
	} else {
		t->record->tool = tool_of(p, t);
		for (guint i = 0; i < t->pairs->len; i++)
			fill_pair(t->record, &g_array_index(t->pairs, struct pair, i));
		parse_emit(p, t->record);
	}
	t->record = NULL;
	t->timeouts = t->foreign = false;
	t->next = 0;
	g_array_set_size(t->pairs, 0);
}

static struct pair *find_pair(struct pair_tests *t, struct number sender, struct number receiver)
{
	for (guint i = 0; t->pairs && i < t->pairs->len; i++) {
		struct pair *pair =
			&g_array_index(t->pairs, struct pair, (i + t->next) % t->pairs->len);

		if (number_equal(pair->sender, sender) && number_equal(pair->receiver, receiver))
			return pair;
	}
	return NULL;
}

static bool both_differ(struct number a, struct number b)
{
	return a.coefficient && b.coefficient && !number_equal(a, b);
}

/*
 * Whether a line of a pair goes on with the open run: a new pair before any result, or a redrawn
 * one that has gone on.
 */
static bool follows(struct parse *p, const struct pair_tests *t, const struct pair *old,
                    const struct pair *pair)
{
	if (!t->record || parse_command_count(p) != t->commands)
		return false;
	if (!old)
		return !t->pairs->len || !g_array_index(t->pairs, struct pair, 0).has_result;
	return !t->foreign && !both_differ(old->tid, pair->tid) &&
	       (!number_is_set(pair->cycles) || !number_is_set(old->cycles) ||
	        number_cmp(pair->cycles, old->cycles) >= 0);
}

static enum verdict take_pair(struct parse *p, const struct line *l, const struct match *m)
{
	struct pair_tests *t = p->state;
	struct pair pair = {
		.receiver = group_number(m, 1, 0),
		.tid = group_number(m, 2, 0),
		.priority = group_number(m, 3, 0),
		.cpu = group_number(m, 4, 0),
		.interval = group_number(m, 5, 3),
		.sender = group_number(m, 6, 0),
		.cycles = m->group[11].p ? group_number(m, 11, 0) : number_null(),
		.line = l->first,
		.cut = !m->group[11].p,
	};
	struct pair *old = find_pair(t, pair.sender, pair.receiver);

	if (!follows(p, t, old, &pair)) {
		finish(p);
		old = NULL;
	}
	if (!t->record) {
		t->record = parse_begin(p, "ptsematest", l);
		t->commands = parse_command_count(p);
		if (!t->pairs)
			t->pairs = g_array_new(FALSE, FALSE, sizeof(struct pair));
	} else {
		parse_extend(p, t->record, l);
	}
	t->timeouts |= m->group[10].p != NULL;
	t->foreign = false;
	if (old)
		*old = pair;
	else if (t->pairs->len < MAX_PAIRS)
		g_array_append_val(t->pairs, pair);
	t->next = 0;
	return VERDICT_DATA;
}

static enum verdict take_result(struct parse *p, const struct line *l, const struct match *m,
                                bool ready)
{
	struct pair_tests *t = p->state;
	struct pair *pair = find_pair(t, group_number(m, 1, 0), group_number(m, 2, 0));

	if (!t->record || !pair || pair->has_result) {
		parse_reason(p, "a result without the line that tells its pair");
		return VERDICT_REJECT;
	}
	parse_extend(p, t->record, l);
	t->next = (guint)(pair - &g_array_index(t->pairs, struct pair, 0)) + 1;
	t->foreign = false;
	pair->has_result = true;
	pair->line = l->first;
	/* "(not yet ready)": up to 1.9 what stands in such a line are no values. */
	pair->empty = !ready || number_equal(pair->cycles, number_int(0));
	if (!ready)
		return VERDICT_DATA;
	pair->min = group_number(m, 3, 3);
	pair->cur = group_number(m, 4, 3);
	pair->avg = group_number(m, 5, 3);
	pair->max = group_number(m, 6, 3);
	pair->empty |= number_equal(pair->min, number_int(-1000)) &&
	               number_equal(pair->max, number_int(0));
	if (!number_is_set(pair->max)) {
		struct number *last = number_is_set(pair->avg)   ? &pair->avg
		                      : number_is_set(pair->cur) ? &pair->cur
		                                                 : &pair->min;

		/* The digits at a cut may be a part of the number. */
		if ((l->flags & LINE_CUT) && m->end == l->row + l->row_len)
			*last = number_null();
		pair->cut = true;
		pair->max = number_null();
		if (!number_is_set(pair->avg))
			pair->avg = number_null();
	}
	return VERDICT_DATA;
}

static enum verdict pair_tests_line(struct parse *p, const struct line *l)
{
	struct pair_tests *t = p->state;
	struct match m;

	if (l->rejected)
		return VERDICT_PASS;
	if (pattern_match(&pair_row, l->row, l->row_len, 0, &m))
		return take_pair(p, l, &m);
	if (pattern_match(&not_ready, l->row, l->row_len, 0, &m))
		return take_result(p, l, &m, false);
	if (pattern_match(&result_row, l->row, l->row_len, 0, &m))
		return take_result(p, l, &m, true);
	if (t->record && l->row_len && !(l->flags & (LINE_BLANK | LINE_FENCE)))
		t->foreign = true;
	return VERDICT_PASS;
}

static void pair_tests_end(struct parse *p)
{
	struct pair_tests *t = p->state;

	finish(p);
	if (t->pairs)
		g_array_unref(t->pairs);
}

static const struct row_shape shapes[] = {
	{ "#\\d+: *ID\\d+, *P\\d+, *CPU",
	  "#\\d+: *ID\\d+, *P\\d+, *CPU-?\\d+, *I\\d+; *#\\d+: *ID\\d+, *P\\d+, *CPU-?\\d+,(?: *TO +\\d+,)? *Cycles +\\d+",
	  "[#IDPCUTOycles\\d:;, -]+$", SHAPE_INNER | SHAPE_COMMENT },
	{ "#\\d+ -> #\\d+, *Min ",
	  "#\\d+ -> #\\d+, *Min +-?\\d+, *Cur +-?\\d+, *Avg +-?\\d+, *Max +-?\\d++(?! ?\\.\\.| ?\xe2\x80\xa6)",
	  "[MinCurAvgax\\d, -]+$", SHAPE_INNER | SHAPE_COMMENT },
	{ "#\\d+ -> #\\d+ \\(not yet ready\\)", NULL, NULL, SHAPE_INNER | SHAPE_COMMENT },
	{ NULL, NULL, NULL, 0 }
};

static const struct tool_option options[] = {
	{ "-a", "--affinity", NULL, OPTION_TEXT },
	{ "-b", "--breaktrace", NULL, OPTION_INTEGER },
	{ "-d", "--distance", NULL, OPTION_INTEGER },
	{ "-D", "--duration", "duration_s", OPTION_DURATION },
	{ "-f", "--fork", NULL, OPTION_TEXT },
	{ "-f", "--forcetimeout", NULL, OPTION_INTEGER },
	{ "-i", "--interval", "period_ns", OPTION_US },
	{ NULL, "--json", NULL, OPTION_TEXT },
	{ "-l", "--loops", "loops", OPTION_INTEGER },
	{ "-p", "--prio", "priority", OPTION_INTEGER },
	{ NULL, "--priority", "priority", OPTION_INTEGER },
	{ "-q", "--quiet", NULL, OPTION_FLAG },
	{ "-S", "--smp", NULL, OPTION_FLAG },
	{ "-t", "--threads", "threads", OPTION_INTEGER },
	{ "-T", "--timeout", NULL, OPTION_INTEGER },
	{ NULL, NULL, NULL, OPTION_FLAG }
};

static const struct tool_options commands[] = {
	{ (const char *const[]){ "pmqtest", NULL }, "pmqtest", options },
	{ (const char *const[]){ "ptsematest", NULL }, "ptsematest", options },
	{ (const char *const[]){ "svsematest", NULL }, "svsematest", options },
	{ (const char *const[]){ "sigwaittest", NULL }, "sigwaittest", options },
	{ NULL, NULL, NULL }
};
static const char *const literals[] = { "; #1: ID", "-> #0", NULL };

const struct parser parser_pair_tests = {
	.name = "pair-tests",
	.summary = "ptsematest, sigwaittest, svsematest, pmqtest: wake-up of pairs of threads",
	.versions = "rt-tests 0.57 to 2.10",
	.sample = "#1 -> #0, Min   20, Cur   35, Avg   30, Max   67",
	.tools = tools,
	.literals = literals,
	.shapes = shapes,
	.commands = commands,
	.state_size = sizeof(struct pair_tests),
	.line = pair_tests_line,
	.end = pair_tests_end,
};
