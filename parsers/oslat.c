/*
 * oslat (rt-tests 1.9 and later): how long the loop on each core was held up. A table turned on its
 * side: a row per bucket or statistic, a column per core, the unit at the end of the row.
 *
 *             Core:	 0 1
 *     Counter Freq:	 2604 2597 (Mhz)
 *         001 (us):	 31419197 20920916
 *         016 (us):	 283 181 (including overflows)
 *          Minimum:	 1 1 (us)
 *
 * Bucket k holds what took more than k - 1 and at most k microseconds; with -W the buckets are
 * narrower and have decimals.
 */
#include <string.h>

#include "lib/parser.h"

#define MAX_CORES 4096u
#define MAX_BUCKETS 65536u
#define MAX_COUNTS (4u << 20)           /* of all buckets and cores */

enum row_kind {
	ROW_NONE, ROW_CORE, ROW_FREQUENCY, ROW_BUCKET, ROW_MIN, ROW_AVG, ROW_MAX, ROW_RANGE,
	ROW_DURATION
};

struct oslat {
	struct record *record;          /* NULL: no run is open */
	enum row_kind kind;             /* of the open row, which bare numbers continue */
	GArray *row;                    /* struct number: its figures */
	struct number bucket;           /* its label */
	unsigned line;
	bool last_bucket;               /* "(including overflows)" was read */
	bool unit;                      /* the unit at the row's end was read: the row is whole */
	bool continued;
	GArray *cores;                  /* struct number */
	struct number width;            /* of a bucket */
	GArray *buckets;                /* struct bucket */
	guint counts;                   /* figures that are kept in them */
	unsigned bucket_rows;
	bool any;                       /* a statistic was read */
	bool decimals;
};

/* Upper limit and the figures of a bucket row; counts->len is that of the cores. */
struct bucket { struct number upper; GArray *counts; bool open; };

static struct pattern version_row = PATTERN("^oslat (?:V|Version:?) *\\d");
static struct pattern labelled = PATTERN(
	"^(?:(Core)|((?:Counter|CPU) Freq)|(\\d+(?:\\.\\d+)?) \\(us\\)|(Minimum)|(Average)|(Maximum)|(Max-Min)|(Duration)):");
static struct pattern figures = PATTERN(
	"^((?: *\\d+(?:\\.\\d+)?(?= |$))*)( *\\((?:us|[Mm][Hh]z|sec|including overflows)\\))?$");
static struct pattern parameter = PATTERN(
	"^(?:Total runtime: *(\\d+) seconds|Thread priority: *(?:default|(SCHED_\\w+):(\\d+))|CPU list: |CPU for main thread: "
	"|Workload: |Workload mem: |Preheat cores: |Pre-heat for \\d|Global bias set to |Test starts\\.\\.\\.|Test completed\\."
	"|\\.\\.\\.$|Version: *\\d)");

static struct number slice_number(struct slice s, int scale)
{
	struct number n;

	number_parse(s.p, s.len, scale, &n);
	return n;
}

static void bucket_clear(void *data)
{
	struct bucket *b = data;

	if (b->counts)
		g_array_unref(b->counts);
}

static void begin(struct parse *p, const struct line *l)
{
	struct oslat *o = p->state;

	o->record = parse_begin(p, "oslat", l);
	o->cores = g_array_new(FALSE, FALSE, sizeof(struct number));
	o->row = g_array_new(FALSE, FALSE, sizeof(struct number));
	o->buckets = g_array_new(FALSE, FALSE, sizeof(struct bucket));
	g_array_set_clear_func(o->buckets, bucket_clear);
}

static struct series *core_series(struct oslat *o, guint i)
{
	return g_ptr_array_index(o->record->series, i);
}

static void add_cores(struct oslat *o)
{
	for (guint i = 0; i < o->row->len && i < MAX_CORES; i++) {
		struct series *s = record_add_series(o->record, NULL);

		s->unit = "ns";
		s->line = o->line;
		s->resolution = number_int(1000);
		series_label_number(s, "cpu", g_array_index(o->row, struct number, i));
		g_array_append_val(o->cores, g_array_index(o->row, struct number, i));
	}
}

/* The step of the buckets is the least that is seen: rows between may be omitted (-z) or lost. */
static void narrow(struct number *width, struct number step)
{
	if (number_is_set(step) && step.coefficient > 0 && number_cmp(step, *width) < 0)
		*width = step;
}

static void add_bucket(struct oslat *o)
{
	struct bucket b = { .upper = o->bucket, .counts = o->row, .open = o->last_bucket };

	if (o->buckets->len >= MAX_BUCKETS || o->counts > MAX_COUNTS)
		return;
	o->counts += o->row->len;
	if (!number_is_set(o->width))
		o->width = o->bucket;
	if (o->buckets->len)
		narrow(&o->width, number_sub(o->bucket, g_array_index(o->buckets, struct bucket, o->buckets->len - 1).upper));
	g_array_append_val(o->buckets, b);
	o->row = g_array_new(FALSE, FALSE, sizeof(struct number));
}

static void add_statistic(struct oslat *o, enum field f)
{
	for (guint i = 0; i < o->cores->len; i++) {
		struct series *s = core_series(o, i);
		bool has = i < o->row->len;

		s->field[f] = has ? g_array_index(o->row, struct number, i) : number_null();
		if (o->decimals)
			s->resolution = number_int(1);
	}
	o->any = true;
}

/*
 * A row that ends before its figures do: the last one that is there may lack digits. One with more
 * figures than there are cores tells nothing. Bucket rows have no unit: that one is whole the next
 * row shows.
 */
static void check_length(struct oslat *o, enum row_kind kind, bool last)
{
	bool whole = kind == ROW_BUCKET ? !last || o->last_bucket : o->unit;

	if (o->row->len == o->cores->len && whole)
		return;
	if (!record_has_flag(o->record, FLAG_ROW_TRUNCATED))
		record_flag(o->record, FLAG_ROW_TRUNCATED, "",
		            "a row was cut short; what is lost of it is null");
	if (o->row->len > o->cores->len)
		g_array_set_size(o->row, 0);
	else if (o->row->len && !o->unit && !o->last_bucket)
		g_array_set_size(o->row, o->row->len - 1);
}

static enum field statistic(enum row_kind kind)
{
	if (kind == ROW_MIN)
		return FIELD_MIN;
	return kind == ROW_AVG ? FIELD_AVG : FIELD_MAX;
}

/* Ends the open row: it is complete when the next one begins. last: the text ends with it. */
static void row_end(struct oslat *o, bool last)
{
	enum row_kind kind = o->kind;

	o->kind = ROW_NONE;
	if (kind == ROW_NONE)
		return;
	if (o->continued)
		record_flag(o->record, FLAG_ROW_REPAIRED, "",
		            "rows that a mailer had wrapped were joined again");
	if (kind == ROW_CORE) {
		add_cores(o);
		return;
	}
	if (kind == ROW_FREQUENCY || kind == ROW_RANGE || kind == ROW_DURATION)
		return;
	check_length(o, kind, last);
	if (kind == ROW_BUCKET)
		add_bucket(o);
	else
		add_statistic(o, statistic(kind));
}

static void fill_histograms(struct oslat *o)
{
	struct number width = o->width;

	for (guint i = 0; i < o->cores->len && o->buckets->len; i++) {
		struct series *s = core_series(o, i);

		s->histogram = histogram_new();
		s->histogram->bin_width = width;
		for (guint k = 0; k < o->buckets->len; k++) {
			const struct bucket *b = &g_array_index(o->buckets, struct bucket, k);
			struct number count;

			if (i >= b->counts->len)
				continue;
			count = g_array_index(b->counts, struct number, i);
			if (b->open)
				s->histogram->overflow = count;
			else
				histogram_add(s->histogram, number_sub(b->upper, width),
				              number_absent(), count);
		}
	}
}

static void finish(struct parse *p)
{
	struct oslat *o = p->state;

	if (!o->record)
		return;
	row_end(o, true);
	if (o->cores->len && (o->any || o->buckets->len)) {
		fill_histograms(o);
		parse_emit(p, o->record);
	} else {
		parse_drop(p, o->record, "cut before its table");
	}
	g_array_unref(o->cores);
	g_array_unref(o->row);
	g_array_unref(o->buckets);
	memset(o, 0, sizeof(*o));
}

/* Appends the figures to the open row. False when the text holds anything else. */
static bool take_figures(struct oslat *o, const char *text, size_t len)
{
	int scale = o->kind == ROW_MIN || o->kind == ROW_AVG || o->kind == ROW_MAX ? 3 : 0;
	struct match m;
	const char *s, *end;

	if (!pattern_match(&figures, text, len, 0, &m))
		return false;
	s = m.group[1].p;
	end = s + m.group[1].len;
	while (s < end) {
		const char *word;
		struct number n;

		while (s < end && *s == ' ')
			s++;
		for (word = s; s < end && *s != ' '; s++)
			;
		if (s == word || o->row->len > MAX_CORES)
			break;
		number_parse(word, (size_t)(s - word), scale, &n);
		if (o->kind != ROW_AVG && memchr(word, '.', (size_t)(s - word)))
			o->decimals = true;
		g_array_append_val(o->row, n);
	}
	if (m.group[2].p && memmem(m.group[2].p, m.group[2].len, "incl", 4))
		o->last_bucket = true;
	o->unit |= m.group[2].p != NULL;
	return true;
}

static enum row_kind kind_of(const struct match *m)
{
	for (int i = 1; i < m->count; i++)
		if (m->group[i].p)
			return (enum row_kind)i;
	return ROW_NONE;
}

static enum verdict take_row(struct parse *p, const struct line *l, const struct match *m)
{
	struct oslat *o = p->state;
	enum row_kind kind = kind_of(m);

	if (kind == ROW_CORE && o->record && (o->cores->len || o->kind != ROW_NONE))
		finish(p);
	if (!o->record) {
		if (kind != ROW_CORE)
			return VERDICT_PASS;
		begin(p, l);
	}
	row_end(o, false);
	if (kind != ROW_CORE && !o->cores->len)
		return VERDICT_PASS;
	o->kind = kind;
	o->line = l->first;
	o->last_bucket = o->continued = o->unit = false;
	g_array_set_size(o->row, 0);
	if (kind == ROW_BUCKET)
		o->bucket = slice_number(m->group[ROW_BUCKET], 3);
	if (!take_figures(o, m->end, (size_t)(l->row + l->row_len - m->end))) {
		o->kind = ROW_NONE;
		return VERDICT_PASS;
	}
	parse_extend(p, o->record, l);
	return VERDICT_DATA;
}

static enum verdict take_parameter(struct parse *p, const struct line *l, const struct match *m)
{
	struct oslat *o = p->state;
	GArray *settings = o->record->settings;

	parse_extend(p, o->record, l);
	if (m->count > 1 && m->group[1].p)
		facts_set_number(settings, "duration_s", slice_number(m->group[1], 0), l->first);
	if (m->count > 3 && m->group[2].p) {
		facts_set_text(o->record, settings, "policy",
		               record_text(o->record, m->group[2].p, (gssize)m->group[2].len),
		               l->first);
		facts_set_number(settings, "priority", slice_number(m->group[3], 0), l->first);
	}
	return VERDICT_FRAME;
}

static enum verdict oslat_line(struct parse *p, const struct line *l)
{
	struct oslat *o = p->state;
	struct match m;

	if (l->rejected || (l->flags & LINE_BLANK))
		return VERDICT_PASS;
	if (pattern_match(&version_row, l->row, l->row_len, 0, NULL)) {
		finish(p);
		begin(p, l);
		return VERDICT_FRAME;
	}
	if (pattern_match(&labelled, l->row, l->row_len, 0, &m))
		return take_row(p, l, &m);
	if (!o->record)
		return VERDICT_PASS;
	if (o->kind != ROW_NONE && take_figures(o, l->row, l->row_len)) {
		o->continued = true;
		parse_extend(p, o->record, l);
		return VERDICT_DATA;
	}
	if (pattern_match(&parameter, l->row, l->row_len, 0, &m))
		return take_parameter(p, l, &m);
	row_end(o, false);
	return VERDICT_PASS;
}

/*
 * Rows whose end shows: the unit, or in flattened text the next row. What is wrapped and has no
 * unit the parser joins itself.
 */
#define FIGURES ":(?: +\\d++(?:\\.\\d++)?)+"
#define NEXT_ROW "(?=\\s*(?:$|[A-Za-z]|\\d+\\.?\\d* \\(us\\)|\\.\\.\\.))"
#define MORE "[\\d. ()usecMHzh]+$"

static const struct row_shape shapes[] = {
	{ "oslat V \\d", "oslat V \\d[.\\d]*+", NULL, SHAPE_INNER },
	{ "oslat Version: *\\d", NULL, NULL, SHAPE_INNER },
	{ "Total runtime: +\\d+ seconds", "Total runtime: +\\d+ seconds", NULL, SHAPE_INNER },
	{ "Thread priority: +SCHED_", "Thread priority: +SCHED_\\w+:\\d++", NULL, SHAPE_INNER },
	{ "Core: +\\d", "Core" FIGURES NEXT_ROW, MORE, SHAPE_INNER },
	{ "Counter Freq: +\\d", "Counter Freq" FIGURES " *\\([Mm][Hh]z\\)", MORE, SHAPE_INNER },
	{ "CPU Freq: +\\d", "CPU Freq" FIGURES " *\\([Mm][Hh]z\\)", MORE, SHAPE_INNER },
	{ "\\d+\\.?\\d* \\(us\\): +\\d",
	  "\\d+\\.?\\d* \\(us\\)" FIGURES "(?: \\(including overflows\\))?" NEXT_ROW, MORE,
	  SHAPE_INNER },
	{ "Minimum: +\\d[\\d. ]*", "Minimum" FIGURES " *\\(us\\)", MORE, SHAPE_INNER },
	{ "Average: +\\d[\\d. ]*", "Average" FIGURES " *\\(us\\)", MORE, SHAPE_INNER },
	{ "Maximum: +\\d[\\d. ]*", "Maximum" FIGURES " *\\(us\\)", MORE, SHAPE_INNER },
	{ "Max-Min: +\\d[\\d. ]*", "Max-Min" FIGURES " *\\(us\\)", MORE, SHAPE_INNER },
	{ "Duration: +\\d[\\d. ]*", "Duration" FIGURES " *\\(sec\\)", MORE, SHAPE_INNER },
	{ NULL, NULL, NULL, 0 }
};

static const struct tool_option options[] = {
	{ "-b", "--bucket-size", NULL, OPTION_INTEGER },
	{ "-B", "--bias", NULL, OPTION_FLAG },
	{ "-c", "--cpu-list", NULL, OPTION_TEXT },
	{ "-C", "--cpu-main-thread", NULL, OPTION_INTEGER },
	{ "-D", "--duration", "duration_s", OPTION_DURATION },
	{ "-f", "--rtprio", "priority", OPTION_INTEGER },
	{ NULL, "--json", NULL, OPTION_TEXT },
	{ "-m", "--workload-mem", NULL, OPTION_TEXT },
	{ "-q", "--quiet", NULL, OPTION_FLAG },
	{ "-s", "--single-preheat", NULL, OPTION_FLAG },
	{ "-T", "--trace-threshold", NULL, OPTION_INTEGER },
	{ "-w", "--workload", NULL, OPTION_TEXT },
	{ "-W", "--bucket-width", NULL, OPTION_INTEGER },
	{ "-z", "--zero-omit", NULL, OPTION_FLAG },
	{ NULL, NULL, NULL, OPTION_FLAG }
};
static const struct tool_options commands[] = {
	{ (const char *const[]){ "oslat", NULL }, "oslat", options },
	{ NULL, NULL, NULL }
};
static const char *const tools[] = { "oslat", NULL };
static const char *const literals[] = { "oslat V", " Freq:%", " (us):%", NULL };

const struct parser parser_oslat = {
	.name = "oslat",
	.summary = "operating-system noise per core, with histogram",
	.versions = "rt-tests 1.9 to 2.10",
	.sample = "     Minimum:\t 1 1 (us)",
	.tools = tools,
	.literals = literals,
	.shapes = shapes,
	.commands = commands,
	.state_size = sizeof(struct oslat),
	.line = oslat_line,
	.end = finish,
};
