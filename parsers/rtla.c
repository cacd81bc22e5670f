/*
 * rtla of the Linux kernel tree: timerlat top and hist, osnoise top and hist, hwnoise, all versions.
 *
 *     CPU COUNT      |      cur       min       avg       max |      cur       min       avg       max
 *       0 #1948      |      850        36       108      4701 |      923        50       162      4766
 *
 *     Index   IRQ-000   Thr-000
 *     50          558       485
 *     count:      979       979
 *
 * Everything but `cur` is cumulative: of a redrawn screen the last block is the run. Rows of all CPUs together
 * (ALL) are summaries and no series.
 */
#include <string.h>

#include "lib/parser.h"

#define MAX_COLUMNS 3072u       /* three contexts on 1024 CPUs */
#define MISSING_DIGITS 19u      /* 2^63 and above: the start value of a minimum */

enum block { BLOCK_NONE, BLOCK_TIMERLAT_TOP, BLOCK_OSNOISE_TOP, BLOCK_TIMERLAT_HIST, BLOCK_OSNOISE_HIST };

struct rtla {
	enum block block;
	struct record *record;
	struct record *previous;        /* a block before, until this one shows whether it supersedes it */
	unsigned commands;              /* command lines seen when the record began */
	unsigned groups;                /* of a top block: contexts */
	bool hardware;                  /* hwnoise */
	bool summary;                   /* of a hist block: behind ALL: */
	bool unnamed;                   /* of a hist block: rows without names (--no-index) */
	unsigned unnamed_rest;          /* rows of all CPUs that are still to come in it */
	bool analysis;                  /* within an automatic analysis */
	unsigned columns;               /* of a hist block */
	bool unit_known;
	int scale;                      /* power of ten to nanoseconds */
	uint64_t seconds, last_seconds; /* durations of this block and of the one before */
	struct number duration;
};

static struct pattern time_line = PATTERN("^(\\d+) +(\\d\\d):(\\d\\d):(\\d\\d) +\\| +IRQ Timer Latency \\((us|ns)\\)");
static struct pattern top_header = PATTERN("^CPU COUNT +(?:\\| +cur +min +avg +max ?)+");
static struct pattern top_row = PATTERN("^(\\d+) +#(\\d+) *\\|(.*)$");
static struct pattern top_rest = PATTERN("^(?:ALL +#\\d+ |-{3,}\\||(?:rtla )?(?:timerlat|osnoise) hit stop tracing|Saving trace to \\w+_trace|(?:c ?)?(?:Timer Latency|Operating System Noise|Hardware-related Noise)$)");
static struct pattern analysis_head = PATTERN("^## CPU \\d+ hit stop tracing, analyzing it ##$");
static struct pattern analysis_row = PATTERN(
	"^(?:(?:Previous IRQ|NMI|IRQ|Softirq|Thread) interference |IRQ handler delay:|"
	"Timerlat IRQ duration:|(?:IRQ|Thread) latency:|Blocking thread|-> |-{20,}$|"
	"Max timerlat IRQ latency |Printing CPU tasks:|[^|]{0,40}:\\d+(?: +\\d+\\.\\d\\d us)?$|$)");
static struct pattern noise_title = PATTERN("(Operating System|Hardware-related) Noise$");
static struct pattern noise_time = PATTERN("^duration: +(\\d+) +(\\d\\d):(\\d\\d):(\\d\\d) +\\| +time is in (us|ns)");
static struct pattern noise_header = PATTERN("^CPU Period +Runtime +Noise +% CPU Aval +Max Noise +Max Single +HW +NMI");
static struct pattern noise_row = PATTERN("^(\\d+) +#(\\d+) +(\\d+) +(\\d+) +(\\d+\\.\\d{5}) *(\\d+) +(\\d+)(?!\\S)(?: +\\d+)*");
static struct pattern hist_title = PATTERN("^# RTLA (timerlat|osnoise) histogram");
static struct pattern hist_unit = PATTERN("^\\\\?# Time unit is \\w+ \\\\?\\((us|ns)\\b");
static struct pattern hist_time = PATTERN("^# Duration: +(\\d+) +(\\d\\d):(\\d\\d):(\\d\\d)");
static struct pattern hist_index = PATTERN("^Index((?: +(?:IRQ|Thr|Usr|CPU)-\\d+)*)$");
static struct pattern hist_column = PATTERN("(IRQ|Thr|Usr|CPU)-(\\d+)");
static struct pattern hist_all = PATTERN("^ALL:(?: +(?:IRQ|Thr|Usr))*$");
static struct pattern hist_footer = PATTERN("^(over|count|min|avg|max):((?: +(?:-|\\d+(?:\\.\\d+)?))*)$");
static struct pattern hist_bin = PATTERN("^(\\d+)((?: +\\d+)+)$");
static struct pattern hist_unnamed = PATTERN("^(?:(?:IRQ|Thr|Usr)-\\d{3,}(?: +|$))+$");
static struct pattern hist_unnamed_all = PATTERN("^(?:IRQ|Thr|Usr)(?: +(?:Thr|Usr))*$");
static struct pattern hist_unnamed_row = PATTERN("^(?:-|\\d+)(?: +(?:-|\\d+))*$");
static struct pattern value = PATTERN("(-|\\d+(?:\\.\\d+)?)");
static struct pattern word = PATTERN("(?<!\\S)(?:(-|\\d+(?:\\.\\d+)?)(?!\\S)|\\S+)");      /* a value, or what is none */
static struct pattern bucket = PATTERN("\\s(?:-b\\s*|--bucket-size[= ]\\s*)(\\d+)");

/* A figure: null for "-" and for the start value of a minimum. */
static struct number figure(struct slice s, int scale)
{
	struct number n;

	if (!s.p || s.len >= MISSING_DIGITS || number_parse(s.p, s.len, scale, &n) == NUMBER_NONE)
		return number_null();
	return n;
}

static const struct series *same_series(const struct record *r, const struct series *s)
{
	for (guint i = 0; i < r->series->len; i++) {
		const struct series *o = g_ptr_array_index(r->series, i);
		const struct fact *a = facts_get(o->labels, "context"), *b = facts_get(s->labels, "context");

		if (number_equal(facts_get(o->labels, "cpu")->number, facts_get(s->labels, "cpu")->number) &&
		    !g_strcmp0(a ? a->text : NULL, b ? b->text : NULL))
			return o;
	}
	return NULL;
}

static bool falls(struct number before, struct number now)
{
	return number_is_set(before) && number_is_set(now) && number_cmp(now, before) < 0;
}

/* Whether `now` can be `before` drawn again: what is cumulative went on, on every CPU. */
static bool goes_on(const struct record *before, const struct record *now)
{
	for (guint i = 0; i < before->series->len; i++) {
		const struct series *b = g_ptr_array_index(before->series, i), *n = same_series(now, b);

		if (!n || falls(b->field[FIELD_COUNT], n->field[FIELD_COUNT]) || falls(b->field[FIELD_MAX], n->field[FIELD_MAX]) ||
		    falls(n->field[FIELD_MIN], b->field[FIELD_MIN]))
			return false;
	}
	return true;
}

/* The block before is superseded by the present one, or was a run of its own. */
static void settle_previous(struct parse *p, struct rtla *t)
{
	struct record *before = t->previous;

	t->previous = NULL;
	if (!before)
		return;
	if (!before->series->len || (t->record && goes_on(before, t->record)))
		parse_drop(p, before, "drawn again further down");
	else
		parse_emit(p, before);
}

static void emit(struct parse *p, struct rtla *t)
{
	struct record *r = t->record;

	settle_previous(p, t);
	t->record = NULL;
	t->block = BLOCK_NONE;
	if (!r)
		return;
	if (t->unnamed)
		parse_drop(p, r, "rows without names (--no-index), and nothing tells which is which");
	else if (r->series->len)
		parse_emit(p, r);
	else
		parse_drop(p, r, "no CPU had a result");
	t->unnamed = false;
}

static uint64_t read_duration(struct rtla *t, const struct match *m)
{
	uint64_t v[4] = { 0 };

	for (int i = 0; i < 4; i++)
		for (size_t k = 0; k < m->group[i + 1].len && k < 9; k++)
			v[i] = v[i] * 10 + (uint64_t)(m->group[i + 1].p[k] - '0');
	t->duration = number_int((int64_t)(v[0] * 86400 + v[1] * 3600 + v[2] * 60 + v[3]));
	return v[0] * 86400 + v[1] * 3600 + v[2] * 60 + v[3];
}

static void read_unit(struct rtla *t, const struct slice *unit)
{
	t->unit_known = true;
	t->scale = unit->p[0] == 'n' ? 0 : 3;
}

/*
 * A block begins. Of the same kind, with no shorter duration and no command between, it may be the same run drawn
 * again: its figures will tell.
 */
static void begin(struct parse *p, struct rtla *t, const struct line *l, enum block block, const char *tool)
{
	unsigned commands = parse_command_count(p);

	if (t->record) {
		bool redrawn = block == t->block && commands == t->commands && t->seconds >= t->last_seconds &&
		               (block == BLOCK_TIMERLAT_TOP || block == BLOCK_OSNOISE_TOP);

		if (redrawn) {
			settle_previous(p, t);
			t->previous = t->record;
		} else {
			emit(p, t);
		}
	}
	t->record = parse_begin(p, tool, l);
	t->block = block;
	t->commands = commands;
	t->last_seconds = t->seconds;
	t->summary = t->unnamed = false;
	t->unnamed_rest = 0;
	t->columns = 0;
	if (number_is_set(t->duration))
		facts_set_number(t->record->settings, "duration_s", t->duration, l->first);
	t->duration = number_absent();
	if (!t->unit_known) {
		record_flag(t->record, FLAG_UNIT_ASSUMED, "", "the line that names the unit is missing; microseconds, the tool's default, were assumed");
		t->scale = 3;
	}
	t->unit_known = false;
}

static struct series *add_series(struct rtla *t, const struct line *l, struct slice cpu, const char *context)
{
	struct series *s = record_add_series(t->record, NULL);
	struct number n;

	s->line = l->first;
	s->unit = "ns";
	s->resolution = number_scale(number_int(1), t->scale);
	number_parse(cpu.p, cpu.len, 0, &n);
	series_label_number(s, "cpu", n);
	if (context)
		series_label(t->record, s, "context", context);
	else
		s->quantity = "noise";
	return s;
}

/* timerlat top */

static unsigned count_bars(const struct line *l)
{
	unsigned n = 0;

	for (size_t i = 0; i < l->row_len; i++)
		n += l->row[i] == '|';
	return n;
}

static enum verdict read_top_row(struct parse *p, struct rtla *t, const struct line *l, const struct match *row)
{
	static const char *const contexts[] = { "irq", "thread", "user" };
	static const enum field fields[] = { FIELD_LAST, FIELD_MIN, FIELD_AVG, FIELD_MAX };
	const char *at = row->group[3].p, *end = at + row->group[3].len;
	struct match m;

	parse_extend(p, t->record, l);
	for (unsigned g = 0; g < t->groups && g < 3; g++) {
		struct series *s = add_series(t, l, row->group[1], contexts[g]);
		const char *bar = memchr(at, '|', (size_t)(end - at));
		size_t len = (size_t)((bar ? bar : end) - at), from = 0;

		if (!g)
			s->field[FIELD_COUNT] = figure(row->group[2], 0);
		for (unsigned i = 0; i < 4; i++) {
			s->field[fields[i]] = number_null();
			if (!pattern_match(&word, at, len, from, &m))
				continue;
			if (m.group[1].p)
				s->field[fields[i]] = figure(m.group[1], t->scale);
			from = (size_t)(m.end - at);
		}
		at = bar ? bar + 1 : end;
	}
	return VERDICT_DATA;
}

static enum verdict top_line(struct parse *p, struct rtla *t, const struct line *l)
{
	struct match m;

	if (pattern_match(&time_line, l->row, l->row_len, 0, &m)) {
		t->seconds = read_duration(t, &m);
		read_unit(t, &m.group[5]);
		return VERDICT_FRAME;
	}
	if (pattern_match(&top_header, l->row, l->row_len, 0, NULL)) {
		begin(p, t, l, BLOCK_TIMERLAT_TOP, "rtla-timerlat");
		t->groups = count_bars(l);
		return VERDICT_FRAME;
	}
	if (t->block == BLOCK_TIMERLAT_TOP && pattern_match(&top_row, l->row, l->row_len, 0, &m))
		return read_top_row(p, t, l, &m);
	return VERDICT_PASS;
}

/* osnoise top, hwnoise */

static enum verdict noise_line(struct parse *p, struct rtla *t, const struct line *l)
{
	struct match m;

	if (pattern_match(&noise_title, l->row, l->row_len, 0, &m)) {
		t->hardware = m.group[1].p[0] == 'H';
		return VERDICT_FRAME;
	}
	if (pattern_match(&noise_time, l->row, l->row_len, 0, &m)) {
		t->seconds = read_duration(t, &m);
		read_unit(t, &m.group[5]);
		return VERDICT_FRAME;
	}
	if (pattern_match(&noise_header, l->row, l->row_len, 0, NULL)) {
		begin(p, t, l, BLOCK_OSNOISE_TOP, t->hardware ? "rtla-hwnoise" : "rtla-osnoise");
		t->hardware = false;
		return VERDICT_FRAME;
	}
	if (t->block == BLOCK_OSNOISE_TOP && pattern_match(&noise_row, l->row, l->row_len, 0, &m)) {
		struct series *s = add_series(t, l, m.group[1], NULL);

		parse_extend(p, t->record, l);
		s->field[FIELD_MAX] = figure(m.group[7], t->scale);
		return VERDICT_DATA;
	}
	return VERDICT_PASS;
}

/* Histograms */

static enum verdict hist_header(struct parse *p, struct rtla *t, const struct line *l, const char *s, size_t len)
{
	struct match m;
	size_t from = 0;

	if (!len) {
		emit(p, t);
		return VERDICT_FRAME;
	}
	begin(p, t, l, memmem(s, len, "CPU", 3) ? BLOCK_OSNOISE_HIST : BLOCK_TIMERLAT_HIST,
	      memmem(s, len, "CPU", 3) ? "rtla-osnoise" : "rtla-timerlat");
	while (t->columns < MAX_COLUMNS && pattern_match(&hist_column, s, len, from, &m)) {
		char kind = m.group[1].p[0];
		struct series *series = add_series(t, l, m.group[2], kind == 'I' ? "irq" : kind == 'T' ? "thread" :
		                                   kind == 'U' ? "user" : NULL);

		series->histogram = histogram_new();
		from = (size_t)(m.end - s);
		t->columns++;
	}
	return VERDICT_FRAME;
}

/* One value a column, from text[0..len). Calls put for each; false when there are not as many values as columns. */
static bool each_column(struct rtla *t, struct slice values, void (*put)(struct rtla *, struct series *, struct slice, void *),
                        void *data)
{
	struct match m;
	size_t from = 0;
	unsigned n = 0;

	while (pattern_match(&value, values.p, values.len, from, &m)) {
		from = (size_t)(m.end - values.p);
		n++;
	}
	if (n != t->columns)
		return false;
	from = 0;
	for (unsigned i = 0; i < n; i++) {
		pattern_match(&value, values.p, values.len, from, &m);
		put(t, g_ptr_array_index(t->record->series, i), m.group[1], data);
		from = (size_t)(m.end - values.p);
	}
	return true;
}

static void put_bin(struct rtla *t, struct series *s, struct slice v, void *data)
{
	(void)t;
	histogram_add(s->histogram, *(struct number *)data, number_absent(), figure(v, 0));
}

static void put_footer(struct rtla *t, struct series *s, struct slice v, void *data)
{
	const char *what = data;

	switch (what[0]) {
	case 'o':
		s->histogram->overflow = figure(v, 0);
		break;
	case 'c':
		s->field[FIELD_COUNT] = figure(v, 0);
		break;
	case 'a':
		s->field[FIELD_AVG] = figure(v, t->scale);
		break;
	default:
		s->field[what[1] == 'i' ? FIELD_MIN : FIELD_MAX] = figure(v, t->scale);
	}
}

/*
 * Without an index the rows have no names either: the last five above those of all CPUs are over,
 * count, min, avg and max. Each row is put last of these, the first of them goes to the sum of the
 * bins, kept in FIELD_VALUE meanwhile.
 */
static void push_unnamed(struct rtla *t, struct series *s, struct slice v, void *data)
{
	struct number *over = &s->histogram->overflow, *sum = &s->field[FIELD_VALUE];

	(void)t;
	(void)data;
	if (number_is_set(*over))
		*sum = number_is_set(*sum) ? number_add(*sum, *over) : *over;
	*over = s->field[FIELD_COUNT];
	s->field[FIELD_COUNT] = s->field[FIELD_MIN];
	s->field[FIELD_MIN] = s->field[FIELD_AVG];
	s->field[FIELD_AVG] = s->field[FIELD_MAX];
	s->field[FIELD_MAX] = figure(v, 0);
}

/* The rows end: the bins and what lies beyond them must add up to the count, or nothing is sure. */
static bool adds_up(const struct series *s)
{
	struct number sum = s->field[FIELD_VALUE], over = s->histogram->overflow;

	return number_is_set(sum) && number_is_set(over) && number_is_set(s->field[FIELD_COUNT]) &&
	       number_equal(number_add(sum, over), s->field[FIELD_COUNT]);
}

static void name_rows(struct rtla *t)
{
	static const enum field times[] = { FIELD_MIN, FIELD_AVG, FIELD_MAX };

	for (guint i = 0; i < t->record->series->len; i++)
		if (!adds_up(g_ptr_array_index(t->record->series, i)))
			return;
	for (guint i = 0; i < t->record->series->len; i++) {
		struct series *s = g_ptr_array_index(t->record->series, i);

		s->field[FIELD_VALUE] = number_absent();
		for (unsigned k = 0; k < G_N_ELEMENTS(times); k++)
			if (number_is_set(s->field[times[k]]))
				s->field[times[k]] = number_scale(s->field[times[k]], t->scale);
		histogram_free(s->histogram);
		s->histogram = NULL;
	}
	t->unnamed = false;
	record_flag(t->record, FLAG_ROW_TRUNCATED, "",
	            "the rows have no index (--no-index): the bins are left out");
}

static enum verdict unnamed_row(struct parse *p, struct rtla *t, const struct line *l)
{
	struct slice row = { l->row, l->row_len };

	if (pattern_match(&hist_unnamed_all, l->row, l->row_len, 0, NULL)) {
		name_rows(t);
		t->summary = true;
		t->unnamed_rest = 4;
		return VERDICT_FRAME;
	}
	if (!pattern_match(&hist_unnamed_row, l->row, l->row_len, 0, NULL))
		return VERDICT_PASS;
	if (!each_column(t, row, push_unnamed, NULL))
		return VERDICT_PASS;
	parse_extend(p, t->record, l);
	return VERDICT_DATA;
}

static enum verdict hist_row(struct parse *p, struct rtla *t, const struct line *l)
{
	struct match m;
	struct number lower;
	bool taken;

	if (t->unnamed_rest && pattern_match(&hist_unnamed_row, l->row, l->row_len, 0, NULL)) {
		t->unnamed_rest--;
		return VERDICT_FRAME;
	}
	if (t->summary)
		return pattern_match(&hist_footer, l->row, l->row_len, 0, NULL) ? VERDICT_FRAME : VERDICT_PASS;
	if (t->unnamed)
		return unnamed_row(p, t, l);
	if (pattern_match(&hist_bin, l->row, l->row_len, 0, &m)) {
		if (number_parse(m.group[1].p, m.group[1].len, t->scale, &lower) != NUMBER_OK)
			return VERDICT_PASS;
		taken = each_column(t, m.group[2], put_bin, &lower);
	} else if (pattern_match(&hist_footer, l->row, l->row_len, 0, &m)) {
		taken = m.group[2].p && each_column(t, m.group[2], put_footer, (void *)(uintptr_t)m.group[1].p);
	} else {
		return VERDICT_PASS;
	}
	parse_extend(p, t->record, l);
	if (!taken)
		record_flag(t->record, FLAG_ROW_TRUNCATED, "", "a row of the histogram has not as many values as columns; it is left out");
	return VERDICT_DATA;
}

/*
 * The width of the bins is not printed: the command may tell it, else the least distance between two of them
 * bounds it.
 */
static void set_width(struct rtla *t)
{
	struct record *r = t->record;
	struct number width = number_absent(), last = number_absent();
	struct match m;

	if (t->unnamed || !((struct series *)g_ptr_array_index(r->series, 0))->histogram)
		return;
	if (r->command && pattern_match(&bucket, r->command, strlen(r->command), 0, &m))
		width = figure(m.group[1], t->scale);
	else if (r->command)
		width = number_scale(number_int(1), t->scale);
	for (guint i = 0; !number_is_set(width) && i < r->series->len; i++) {
		GArray *bins = ((struct series *)g_ptr_array_index(r->series, i))->histogram->bins;

		for (guint k = 0; k < bins->len; k++) {
			struct number lower = g_array_index(bins, struct bin, k).lower;
			struct number step = k ? number_sub(lower, last) : number_absent();

			if (number_is_set(step) && (!number_is_set(width) || number_cmp(step, width) < 0))
				width = step;
			last = lower;
		}
	}
	if (!r->command)
		record_flag(r, FLAG_UNIT_ASSUMED, "", number_is_set(width) ?
		            "the width of the bins is not printed; the least distance between two of them was taken" :
		            "the width of the bins is not printed; the tool's default was assumed");
	for (guint i = 0; i < r->series->len; i++)
		((struct series *)g_ptr_array_index(r->series, i))->histogram->bin_width =
			number_is_set(width) ? width : number_scale(number_int(1), t->scale);
}

static bool in_hist(const struct rtla *t)
{
	return t->record && (t->block == BLOCK_TIMERLAT_HIST || t->block == BLOCK_OSNOISE_HIST);
}

static enum verdict hist_line(struct parse *p, struct rtla *t, const struct line *l)
{
	struct match m;

	if (pattern_match(&hist_title, l->row, l->row_len, 0, NULL))
		return VERDICT_FRAME;
	if (pattern_match(&hist_unit, l->row, l->row_len, 0, &m)) {
		read_unit(t, &m.group[1]);
		return VERDICT_FRAME;
	}
	if (pattern_match(&hist_time, l->row, l->row_len, 0, &m)) {
		t->seconds = read_duration(t, &m);
		return VERDICT_FRAME;
	}
	if (pattern_match(&hist_index, l->row, l->row_len, 0, &m)) {
		if (in_hist(t))
			set_width(t);
		return hist_header(p, t, l, m.group[1].p, m.group[1].p ? m.group[1].len : 0);
	}
	if (t->unit_known && number_is_set(t->duration) &&
	    pattern_match(&hist_unnamed, l->row, l->row_len, 0, NULL)) {
		enum verdict v;

		if (in_hist(t))
			set_width(t);
		v = hist_header(p, t, l, l->row, l->row_len);
		t->unnamed = true;
		return v;
	}
	if (!in_hist(t))
		return VERDICT_PASS;
	if (pattern_match(&hist_all, l->row, l->row_len, 0, NULL)) {
		t->summary = true;
		return VERDICT_FRAME;
	}
	return hist_row(p, t, l);
}

/*
 * What -a and -i print of the sample that stopped the run: times of its causes, no result, though they
 * look like a table.
 */
static bool analysis_line(struct rtla *t, const struct line *l)
{
	if (pattern_match(&analysis_head, l->row, l->row_len, 0, NULL))
		t->analysis = true;
	else if (t->analysis)
		t->analysis = pattern_match(&analysis_row, l->row, l->row_len, 0, NULL);
	return t->analysis;
}

static enum verdict rtla_line(struct parse *p, const struct line *l)
{
	struct rtla *t = p->state;
	enum verdict v;

	if (t->record && parse_command_count(p) != t->commands) {
		if (in_hist(t))
			set_width(t);
		emit(p, t);
	}
	if (analysis_line(t, l))
		return VERDICT_FRAME;
	v = top_line(p, t, l);
	if (v == VERDICT_PASS)
		v = noise_line(p, t, l);
	if (v == VERDICT_PASS)
		v = hist_line(p, t, l);
	if (v == VERDICT_PASS && pattern_match(&top_rest, l->row, l->row_len, 0, NULL))
		v = VERDICT_FRAME;
	return v;
}

static void rtla_end(struct parse *p)
{
	struct rtla *t = p->state;

	if (in_hist(t))
		set_width(t);
	emit(p, t);
}

static const struct row_shape shapes[] = {
	{ "\\d+ +\\d\\d:\\d\\d:\\d\\d +\\| +IRQ Timer Latency \\(", "\\d+ +\\d\\d:\\d\\d:\\d\\d +\\| +IRQ Timer Latency \\([un]s\\) +\\| +Thread Timer Latency \\([un]s\\)(?: +\\| +Ret user Timer Latency \\([un]s\\))?", NULL, 0 },
	{ "CPU COUNT +\\| +cur ", "CPU COUNT +(?:\\| +cur +min +avg +max ?){2,3}(?! *\\|)", "[a-z| ]+$", 0 },
	{ "\\d{1,5} +#\\d+ *\\| ", "\\d+ +#\\d+ *(?:\\|(?: *(?:\\d++|-)){4} *){2,3}(?! *\\|)", "[\\d| -]+$", 0 },
	{ "ALL +#\\d+ +e\\d+ *\\|", NULL, NULL, 0 },
	{ "(?:Operating System|Hardware-related) Noise$", NULL, NULL, 0 },
	{ "Timer Latency$", NULL, NULL, 0 },
	{ "Saving trace to (?:timerlat|osnoise|hwnoise)_trace", NULL, NULL, 0 },
	{ "## CPU \\d+ hit stop tracing, analyzing it ##$", NULL, NULL, SHAPE_COMMENT },
	{ "duration: +\\d+ \\d\\d:\\d\\d:\\d\\d \\| time is in", NULL, NULL, 0 },
	{ "CPU Period +Runtime", "CPU Period +Runtime +Noise +% CPU Aval +Max Noise +Max Single +HW +NMI(?: +IRQ +Softirq +Thread)?", NULL, 0 },
	{ "\\d{1,5} +#\\d+ +\\d+ +\\d+ +\\d+\\.\\d{5}", "\\d+ +#\\d+ +\\d+ +\\d+ +\\d+\\.\\d{5} *\\d+ +\\d+(?: +\\d+){2,5}", "[\\d ]+$", 0 },
	{ "# RTLA (?:timerlat|osnoise) histogram", NULL, NULL, SHAPE_COMMENT },
	{ "Index +(?:IRQ|Thr|Usr|CPU)-\\d", NULL, NULL, 0 },
	{ NULL, NULL, NULL, 0 }
};

static const struct tool_option timerlat_options[] = {
	{ "-p", "--period", "period_ns", OPTION_US },
	{ "-d", "--duration", "duration_s", OPTION_DURATION },
	{ "-a", "--auto", NULL, OPTION_SKIP },
	{ "-b", "--bucket-size", NULL, OPTION_SKIP },
	{ "-c", "--cpus", NULL, OPTION_SKIP },
	{ "-C", "--cgroup", NULL, OPTION_SKIP },
	{ "-e", "--event", NULL, OPTION_SKIP },
	{ "-E", "--entries", NULL, OPTION_SKIP },
	{ "-H", "--house-keeping", NULL, OPTION_SKIP },
	{ "-i", "--irq", NULL, OPTION_SKIP },
	{ "-P", "--priority", NULL, OPTION_SKIP },
	{ "-r", "--runtime", NULL, OPTION_SKIP },
	{ "-s", "--stack", NULL, OPTION_SKIP },
	{ "-S", "--stop-total", NULL, OPTION_SKIP },
	{ "-T", "--threshold", NULL, OPTION_SKIP },
	{ NULL, NULL, NULL, OPTION_FLAG }
};
static const char *const programs[] = { "rtla", "timerlat", "osnoise", "hwnoise", NULL };
static const struct tool_options commands[] = {
	{ programs, "rtla-timerlat", timerlat_options },
	{ NULL, NULL, NULL }
};
static const char *const tools[] = { "rtla-timerlat", "rtla-osnoise", "rtla-hwnoise", NULL };
static const char *const literals[] = { "CPU COUNT", "CPU Period", "IRQ-0", "Thr-0", "Usr-0", "CPU-0", NULL };

const struct parser parser_rtla = {
	.name = "rtla",
	.summary = "rtla of the kernel tree: timerlat, osnoise and hwnoise, top and hist",
	.versions = "Linux 5.17 to 7.2",
	.sample = "  0 #1948      |      850        36       108      4701 |      923        50       162      4766",
	.tools = tools,
	.literals = literals,
	.shapes = shapes,
	.commands = commands,
	.state_size = sizeof(struct rtla),
	.line = rtla_line,
	.end = rtla_end
};
