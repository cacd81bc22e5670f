/*
 * cyclictest of rt-tests and its ancestors, text output of all versions (0.11 of 2006 to 2.8), also
 * Xenomai's copies.
 *
 *     policy: fifo: loadavg: 0.44 0.43 0.20 3/100 14127
 *
 *     T: 0 ( 1853) P:80 I:1000 C:  10000 Min:     36 Act:  156 Avg:  154 Max:     244
 *
 * A run is the last snapshot of a redrawn screen, then perhaps a break block, the spikes, and a
 * histogram whose footer is the run's final form. With -v there are only sample lines,
 * "thread:cycle:value".
 */
#include <string.h>

#include "parsers/cyclic_histogram.h"
#include "parsers/thread_rows.h"

#define MAX_BREAK_THREADS 4096u
#define MAX_SAMPLE_THREADS 4096u
#define MAX_SPIKES 65536u               /* the tool keeps at most as many as --spike-nodes says */

enum unit_evidence { UNIT_UNKNOWN, UNIT_US, UNIT_NS };

struct cyclictest {
	struct thread_run run;
	struct cyclic_histogram histogram;
	struct cyclic_histogram beside;         /* the block put to the right of it */
	char *policy, *next_policy;     /* of the run, and of the last status line */
	GArray *ids;                    /* uint64_t: of "# Thread Ids:" */
	uint64_t break_thread, break_value;
	bool broken, has_value;
	bool verbose;                   /* a -v header was seen: sample lines may follow */
	bool sampled;                   /* the run has sample lines */
	GArray *cpus;                   /* struct number: "Thread 0 using cpu 0." */
	GArray *spikes;                 /* struct spike */
};

struct spike { struct number thread, time, value; unsigned line; };

static struct pattern status = PATTERN(
	"^(?:policy: ([a-z]+)(?:/[a-z]+)?: loadavg: *)?\\d+\\.\\d\\d \\d+\\.\\d\\d \\d+\\.\\d\\d \\d+/\\d+(?: \\d+)?\\b");
static struct pattern status_cut = PATTERN("^policy: ([a-z]+)(?:/[a-z]+)?: loadavg:");
static struct pattern dma_line = PATTERN("^(?:# ?)?/dev/cpu_dma_latency set to \\d+us");
static struct pattern frame =
	PATTERN("^(?:WARN: |reported clock resolution: |measured clock resolution |"
                "defaulting realtime priority|policy and priority don't match|"
                "#-{20,}$|# cyclictest current status:|Unable to change scheduling policy!|"
                "INFO: |spikes = \\d+$|could not set timerslack)");
static struct pattern verbose_frame =
	PATTERN("^(?:Max CPUs = \\d+$|Online CPUs = \\d+$|Using \\d+ cpus\\.|"
                "Thread (\\d+) using cpu (\\d+)\\.|Thread \\d+ Interval: \\d+$)");
/* Right-aligned in eight columns each: a time of day is none. */
static struct pattern sample_line =
	PATTERN("^(\\d+):(?= |\\d{8}) *(\\d+):(?= |-?\\d{7}) *(-?\\d+)(?: +(\\d+))?$");
static struct pattern spike_line = PATTERN("^T: *(\\d+) +Spike: *(\\d+): +TS: *(\\d+)$");
static struct pattern ids_line = PATTERN("^# Thread Ids:((?: +\\d+)+)$");
static struct pattern break_thread_line = PATTERN("^# Break thread: *(\\d+)$");
static struct pattern break_value_line = PATTERN("^# Break value: *(\\d+)$");

static struct number slice_number(struct slice s)
{
	struct number n;

	number_parse(s.p, s.len, 0, &n);
	return n;
}

static uint64_t slice_integer(struct slice s)
{
	struct number n = slice_number(s);

	if (!number_is_set(n))
		return 0;
	return n.exponent ? (uint64_t)number_to_double(n) : (uint64_t)n.coefficient;
}

/* Unit: nothing in a row says it. */

/*
 * Whether the command asks for nanoseconds: -N, also among joined letters, or --nsecs. UNIT_US: a
 * command without them.
 */
static enum unit_evidence command_unit(const char *command)
{
	static struct pattern nsecs = PATTERN("\\s(?:-[a-zA-Z]*N[a-zA-Z0-9]*|--nsecs?)(?:\\s|$)");
	static struct pattern program = PATTERN("cyclictest\\w*(?:\\s|$)");
	struct match m;

	if (!command || !pattern_match(&program, command, strlen(command), 0, &m))
		return UNIT_UNKNOWN;
	return pattern_match(&nsecs, command, strlen(command), (size_t)(m.end - command - 1), NULL)
	               ? UNIT_NS
	               : UNIT_US;
}

/*
 * Whether a field that both units print equally wide still has its width: the blanks were not
 * collapsed.
 */
static bool has_widths(const struct thread_row *row)
{
	return row->width[THREAD_C] == 7 || row->width[THREAD_MIN] == 7 ||
	       row->width[THREAD_MAX] == 8;
}

/*
 * The fields of Act and Avg are 5 characters wide with microseconds and 8 with nanoseconds, where
 * I: is not padded (versions that pad it know no nanoseconds, or print all fields 8 wide). Text
 * whose blanks were collapsed tells nothing.
 */
static enum unit_evidence row_unit(const struct thread_row *row)
{
	unsigned act = row->width[THREAD_ACT], avg = row->width[THREAD_AVG];

	if (row->padded[THREAD_I] || !act || !avg || !has_widths(row))
		return UNIT_UNKNOWN;
	/* One of them is enough: a mailer may have wrapped the row at the other. */
	if ((act == 8 && row->padded[THREAD_ACT]) || (avg == 8 && row->padded[THREAD_AVG]))
		return UNIT_NS;
	if ((act == 5 && row->padded[THREAD_ACT]) || (avg == 5 && row->padded[THREAD_AVG]))
		return UNIT_US;
	/* Wider than microseconds' field, without the blanks that would fill the wider one. */
	if (!row->padded[THREAD_ACT] && (act == 6 || act == 7))
		return UNIT_US;
	return UNIT_UNKNOWN;
}

/* A wake-up takes longer than this many nanoseconds: a smaller minimum is one of microseconds. */
#define LEAST_NS 300

static bool below(struct number n, int64_t limit)
{
	return number_is_set(n) && number_cmp(n, number_int(limit)) < 0;
}

static enum unit_evidence value_unit(const struct thread_row *row)
{
	return !thread_row_empty(row) && below(row->value[THREAD_MIN], LEAST_NS) ? UNIT_US
	                                                                         : UNIT_UNKNOWN;
}

/*
 * Whether the row would be absurd as microseconds: all figures of more than five digits, or a
 * thread that was never woken within ten of its intervals.
 */
static bool is_huge(const struct thread_row *row)
{
	struct number min = row->value[THREAD_MIN], interval = row->value[THREAD_I];

	if (thread_row_empty(row) || !number_is_set(min))
		return false;
	if (!below(min, 100000) && !below(row->value[THREAD_ACT], 100000) &&
	    !below(row->value[THREAD_MAX], 100000))
		return true;
	return number_is_set(interval) && !below(min, 10000) &&
	       number_cmp(min, number_scale(interval, 1)) >= 0;
}

static bool all_huge(const struct thread_run *run)
{
	for (guint i = 0; i < run->rows->len; i++)
		if (!is_huge(&g_array_index(run->rows, struct thread_row, i)))
			return false;
	return run->rows->len > 0;
}

/* What the rows of the run tell by `judge`; one that can only be microseconds decides. */
static enum unit_evidence rows_unit(const struct thread_run *run,
                                    enum unit_evidence (*judge)(const struct thread_row *row))
{
	enum unit_evidence all = UNIT_UNKNOWN;

	for (guint i = 0; i < run->rows->len; i++) {
		enum unit_evidence e = judge(&g_array_index(run->rows, struct thread_row, i));

		if (e == UNIT_US)
			return e;
		if (e == UNIT_NS)
			all = e;
	}
	return all;
}

/* Whether a row was printed with a padded interval, as before -N was there. */
static bool is_old(const struct thread_run *run)
{
	return run->rows->len && g_array_index(run->rows, struct thread_row, 0).padded[THREAD_I];
}

/* Whether any row has a figure for which a unit is needed. */
static bool has_figures(const struct thread_run *run)
{
	for (guint i = 0; i < run->rows->len; i++) {
		const struct thread_row *row = &g_array_index(run->rows, struct thread_row, i);

		if (!thread_row_empty(row) && (number_is_set(row->value[THREAD_MIN]) ||
		                               number_is_set(row->value[THREAD_MAX])))
			return true;
	}
	return false;
}

/*
 * Power of ten that makes the run's figures nanoseconds. The fields' widths are the program's own
 * word; a command as posted may be another than the run's. What nothing in the text tells is
 * flagged.
 */
static int run_scale(struct thread_run *run)
{
	enum unit_evidence command = command_unit(run->record->command),
			   width = rows_unit(run, row_unit);

	if (width != UNIT_UNKNOWN && command == UNIT_NS && width != command)
		record_flag(
			run->record, FLAG_UNIT_ASSUMED, "",
			"the command asks for nanoseconds (-N), but the width of the fields is that of microseconds");
	if (width != UNIT_UNKNOWN)
		return width == UNIT_NS ? 0 : 3;
	if (command != UNIT_UNKNOWN)
		return command == UNIT_NS ? 0 : 3;
	if (is_old(run) || !has_figures(run) || rows_unit(run, value_unit) == UNIT_US)
		return 3;
	if (all_huge(run)) {
		record_flag(
			run->record, FLAG_UNIT_ASSUMED, "",
			"nanoseconds (-N) were assumed, since as microseconds the figures would be absurd");
		return 0;
	}
	record_flag(
		run->record, FLAG_UNIT_ASSUMED, "",
		"microseconds were assumed: neither a command nor the width of the fields tells");
	return 3;
}

/* Runs */

static void fill_policy(struct cyclictest *t, struct record *r)
{
	if (t->policy)
		facts_set_text(r, r->settings, "policy", t->policy, 0);
}

static void fill_cpus(struct cyclictest *t, struct record *r)
{
	for (guint i = 0; t->cpus && i < t->cpus->len; i++)
		if (number_is_set(g_array_index(t->cpus, struct number, i)))
			series_label_number(thread_series(r, number_int(i)), "cpu",
			                    g_array_index(t->cpus, struct number, i));
}

/* Spikes are samples, chosen by --spike; the rows above them count them. */
static void fill_spikes(struct cyclictest *t, struct record *r)
{
	static const enum field columns[] = { FIELD_TIME, FIELD_VALUE };

	for (guint i = 0; t->spikes && i < t->spikes->len; i++) {
		const struct spike *spike = &g_array_index(t->spikes, struct spike, i);
		struct series *s = thread_series(r, spike->thread);
		struct number row[] = { spike->time, spike->value };

		series_columns(s, G_N_ELEMENTS(columns), columns);
		series_add_row(s, spike->line, row);
	}
}

/* "# Break thread" is a thread id; "# Thread Ids" tells which thread has it. */
static void fill_break(struct cyclictest *t, struct record *r)
{
	char where[32] = "", text[160];
	struct number id = number_int((int64_t)t->break_thread);

	if (!t->broken)
		return;
	for (guint i = 0; i < r->series->len; i++) {
		const struct series *s = g_ptr_array_index(r->series, i);
		const struct fact *f = facts_get(s->labels, "tid");
		bool listed = t->ids && i < t->ids->len &&
		              g_array_index(t->ids, uint64_t, i) == t->break_thread;

		if (listed || (f && number_equal(f->number, id)))
			g_snprintf(where, sizeof where, "/series/%u", i);
	}
	if (t->has_value)
		g_snprintf(text, sizeof text,
		           "stopped by --breaktrace: thread %" G_GUINT64_FORMAT
		           " saw a latency of %" G_GUINT64_FORMAT
		           " (in the run's unit), which the row may not yet contain",
		           t->break_thread, t->break_value);
	else
		g_snprintf(text, sizeof text,
		           "stopped by --breaktrace in thread %" G_GUINT64_FORMAT, t->break_thread);
	record_flag(r, FLAG_INTERRUPTED, "%s", text, where);
}

/*
 * Whether the histogram block is the final form of the run above it: as many threads, and no
 * figure that takes back what the rows had shown.
 */
static bool is_of_run(const struct cyclictest *t)
{
	const struct thread_run *run = &t->run;
	unsigned threads = cyclic_histogram_threads(&t->histogram);

	if (!run->record || t->histogram.commands != run->commands || threads != run->rows->len)
		return false;
	for (guint i = 0; i < threads; i++) {
		const struct thread_row *row = &g_array_index(run->rows, struct thread_row, i);
		struct number min = cyclic_histogram_figure(&t->histogram, FOOTER_MIN, i);
		struct number max = cyclic_histogram_figure(&t->histogram, FOOTER_MAX, i);

		if (!number_equal(row->thread, number_int(i)))
			return false;
		if (thread_row_empty(row))
			continue;
		if (number_is_set(max) && number_is_set(row->value[THREAD_MAX]) &&
		    number_cmp(max, row->value[THREAD_MAX]) < 0)
			return false;
		if (number_is_set(min) && number_is_set(row->value[THREAD_MIN]) &&
		    number_cmp(min, row->value[THREAD_MIN]) > 0)
			return false;
	}
	return true;
}

/* Bins of a whole block count what a row that was drawn before the end did not. */
static void count_from_bins(struct record *r)
{
	for (guint i = 0; i < r->series->len; i++) {
		struct series *s = g_ptr_array_index(r->series, i);
		struct number total;

		if (!s->histogram || !s->histogram->bins->len ||
		    !number_is_set(s->histogram->overflow) || !number_is_set(s->field[FIELD_COUNT]))
			continue;
		total = histogram_total(s->histogram);
		if (number_is_set(total) && number_cmp(total, s->field[FIELD_COUNT]) > 0) {
			s->field[FIELD_COUNT] = total;
			record_flag(r, FLAG_DERIVED, "/series/%u/count",
			            "the sum of the histogram's bins and its overflows", i);
		}
	}
}

/* A figure that can only be one of microseconds. */
static bool has_small_figure(const struct cyclic_histogram *h)
{
	for (unsigned i = 0; i < cyclic_histogram_threads(h); i++)
		if (below(cyclic_histogram_figure(h, FOOTER_MIN, i), LEAST_NS) ||
		    below(cyclic_histogram_figure(h, FOOTER_MAX, i), LEAST_NS))
			return true;
	return false;
}

static void emit_histogram(struct parse *p, struct cyclictest *t, struct cyclic_histogram *h)
{
	struct record *r = h->record;
	enum unit_evidence unit = command_unit(r->command);
	int scale = unit == UNIT_NS ? 0 : 3;

	fill_policy(t, r);
	if (unit == UNIT_UNKNOWN && !has_small_figure(h))
		record_flag(r, FLAG_UNIT_ASSUMED, "",
		            "microseconds were assumed: no command tells");
	if (cyclic_histogram_fill(h, r, scale))
		parse_emit(p, r);
	else
		parse_drop(p, r, "a heading without figures");
	cyclic_histogram_reset(h);
}

/* Puts the block into the record of the run above it. */
static void merge_histogram(struct parse *p, struct cyclictest *t, int scale)
{
	struct record *r = t->run.record, *block = t->histogram.record;

	r->source.last = MAX(r->source.last, block->source.last);
	cyclic_histogram_fill(&t->histogram, r, scale);
	count_from_bins(r);
	parse_drop(p, block, "the histogram of the run above");
	cyclic_histogram_reset(&t->histogram);
}

/* Ends what is open. */
/* With -o each row is the maximum of several cycles: the numbers of most rows are not the next. */
static bool is_reduced(const struct series *s)
{
	guint rows = series_sample_rows(s), gaps = 0;

	for (guint i = 1; i < rows; i++) {
		struct number before = series_sample(s, i - 1, FIELD_CYCLE);

		gaps += number_cmp(series_sample(s, i, FIELD_CYCLE), number_add(before, number_int(1))) > 0;
	}
	return rows > 1 && gaps > (rows - 1) / 2;
}

/* Of rows that are maxima only the maximum is the run's: minimum and average are not known. */
static void fill_reduced(struct record *r)
{
	for (guint i = 0; i < r->series->len; i++) {
		struct series *s = g_ptr_array_index(r->series, i);

		if (!s->samples || number_is_set(s->field[FIELD_MAX]) || !is_reduced(s))
			continue;
		s->field[FIELD_MIN] = s->field[FIELD_AVG] = number_null();
		s->field[FIELD_MAX] = s->samples->greatest;
		record_flag(r, FLAG_DERIVED, "/series/%u/max",
			    "the largest of the rows, each the maximum of several cycles (-o)", i);
	}
}

static void finish(struct parse *p)
{
	struct cyclictest *t = p->state;
	struct record *r = t->run.record;

	if (r) {
		int scale = run_scale(&t->run);

		/* Samples make their series first, of thread 0 on. */
		thread_run_fill(&t->run, scale);
		fill_policy(t, r);
		fill_cpus(t, r);
		if (t->histogram.record && is_of_run(t))
			merge_histogram(p, t, scale);
		if (t->sampled)
			fill_reduced(r);
		fill_spikes(t, r);
		fill_break(t, r);
		if (r->series->len)
			parse_emit(p, r);
		else
			parse_drop(p, r, "a banner without figures");
	}
	if (t->histogram.record)
		emit_histogram(p, t, &t->histogram);
	if (t->beside.record)
		emit_histogram(p, t, &t->beside);
	thread_run_reset(&t->run);
	g_clear_pointer(&t->policy, g_free);
	g_clear_pointer(&t->ids, g_array_unref);
	g_clear_pointer(&t->cpus, g_array_unref);
	g_clear_pointer(&t->spikes, g_array_unref);
	t->broken = t->has_value = t->verbose = t->sampled = false;
}

static enum verdict take_row(struct parse *p, const struct line *l, const struct thread_row *row)
{
	struct cyclictest *t = p->state;

	if (t->histogram.record || t->broken || t->sampled || !thread_run_follows(p, &t->run, row))
		finish(p);
	thread_run_add(p, &t->run, "cyclictest", l, row);
	if (t->next_policy) {
		g_free(t->policy);
		t->policy = g_steal_pointer(&t->next_policy);
	}
	return VERDICT_DATA;
}

static enum verdict take_status(struct parse *p, const struct line *l)
{
	struct cyclictest *t = p->state;
	struct match m;

	if (!pattern_match(&status, l->row, l->row_len, 0, &m) &&
	    !pattern_match(&status_cut, l->row, l->row_len, 0, &m))
		return VERDICT_PASS;
	if (m.count > 1 && m.group[1].p) {
		g_free(t->next_policy);
		t->next_policy = g_strndup(m.group[1].p, m.group[1].len);
	}
	/*
	 * Before 0.47, and with signaltest, the line is the bare load average: no evidence, but no
	 * heading either.
	 */
	return VERDICT_FRAME;
}

/* A banner that a run prints once, first. */
static enum verdict take_banner(struct parse *p, const struct line *l)
{
	struct cyclictest *t = p->state;
	struct match m;

	if (pattern_match(&dma_line, l->row, l->row_len, 0, NULL)) {
		finish(p);
		return VERDICT_FRAME;
	}
	if (pattern_match(&frame, l->row, l->row_len, 0, NULL))
		return VERDICT_FRAME;
	if (!pattern_match(&verbose_frame, l->row, l->row_len, 0, &m))
		return VERDICT_PASS;
	if (t->run.record || t->histogram.record)
		finish(p);
	t->verbose = true;
	if (m.count > 2 && m.group[1].p) {
		uint64_t thread = slice_integer(m.group[1]);

		if (!t->cpus)
			t->cpus = g_array_new(FALSE, TRUE, sizeof(struct number));
		if (thread < MAX_SAMPLE_THREADS) {
			if (thread >= t->cpus->len)
				g_array_set_size(t->cpus, (guint)thread + 1);
			g_array_index(t->cpus, struct number, thread) = slice_number(m.group[2]);
		}
	}
	return VERDICT_FRAME;
}

/* A -v line. With --smi a fourth number follows. The value is in the run's unit. */
static enum verdict take_sample(struct parse *p, const struct line *l)
{
	static const enum field plain[] = { FIELD_CYCLE, FIELD_VALUE },
				smi[] = { FIELD_CYCLE, FIELD_VALUE, FIELD_SMI };
	struct cyclictest *t = p->state;
	struct number row[3];
	struct series *s;
	struct match m;
	int scale;

	if (!t->verbose || !pattern_match(&sample_line, l->row, l->row_len, 0, &m) ||
	    slice_integer(m.group[1]) >= MAX_SAMPLE_THREADS)
		return VERDICT_PASS;
	if (!t->run.record) {
		t->run.record = parse_begin(p, "cyclictest", l);
		t->run.commands = parse_command_count(p);
		if (!t->run.rows)
			t->run.rows = g_array_new(FALSE, FALSE, sizeof(struct thread_row));
	}
	t->sampled = true;
	scale = command_unit(t->run.record->command) == UNIT_NS ? 0 : 3;
	s = thread_series(t->run.record, slice_number(m.group[1]));
	s->resolution = number_scale(number_int(1), scale);
	if (!s->line)
		s->line = l->first;
	if (m.group[4].p)
		series_columns(s, 3, smi);
	else
		series_columns(s, 2, plain);
	row[0] = slice_number(m.group[2]);
	row[1] = number_scale(slice_number(m.group[3]), scale);
	row[2] = m.group[4].p ? slice_number(m.group[4]) : number_absent();
	series_add_row(s, l->first, row);
	parse_extend(p, t->run.record, l);
	return VERDICT_DATA;
}

static enum verdict take_break(struct parse *p, const struct line *l)
{
	struct cyclictest *t = p->state;
	struct match m;

	if (pattern_match(&ids_line, l->row, l->row_len, 0, &m)) {
		g_auto(GStrv) words =
			g_strsplit(l->row + strlen("# Thread Ids:"), " ", MAX_BREAK_THREADS);

		g_clear_pointer(&t->ids, g_array_unref);
		t->ids = g_array_new(FALSE, FALSE, sizeof(uint64_t));
		for (char **w = words; *w; w++) {
			uint64_t id = g_ascii_strtoull(*w, NULL, 10);

			if (**w)
				g_array_append_val(t->ids, id);
		}
	} else if (pattern_match(&break_thread_line, l->row, l->row_len, 0, &m)) {
		t->broken = true;
		t->break_thread = slice_integer(m.group[1]);
	} else if (t->broken && pattern_match(&break_value_line, l->row, l->row_len, 0, &m)) {
		t->has_value = true;
		t->break_value = slice_integer(m.group[1]);
	} else {
		return VERDICT_PASS;
	}
	if (t->run.record)
		parse_extend(p, t->run.record, l);
	return VERDICT_FRAME;
}

/* A spike: microseconds, also with -N, at a time of the monotonic clock in microseconds. */
static enum verdict take_spike(struct parse *p, const struct line *l)
{
	struct cyclictest *t = p->state;
	struct spike spike = { .line = l->first };
	struct match m;

	if (!pattern_match(&spike_line, l->row, l->row_len, 0, &m))
		return VERDICT_PASS;
	if (!t->run.record || t->sampled) {
		parse_reason(p, "a spike without the run's rows");
		return VERDICT_FRAME;
	}
	if (!t->spikes)
		t->spikes = g_array_new(FALSE, FALSE, sizeof(struct spike));
	spike.thread = slice_number(m.group[1]);
	spike.value = number_scale(slice_number(m.group[2]), 3);
	spike.time = number_scale(slice_number(m.group[3]), 3);
	if (t->spikes->len < MAX_SPIKES)
		g_array_append_val(t->spikes, spike);
	parse_extend(p, t->run.record, l);
	return VERDICT_DATA;
}

static enum verdict take_histogram(struct parse *p, const struct line *l)
{
	struct cyclictest *t = p->state;
	bool ended;
	enum verdict v;

	if (cyclic_histogram_beside(&t->histogram, l))
		return cyclic_histogram_line(p, &t->beside, "cyclictest", l, &ended);
	v = cyclic_histogram_line(p, &t->histogram, "cyclictest", l, &ended);
	if (ended) {
		finish(p);
		v = cyclic_histogram_line(p, &t->histogram, "cyclictest", l, &ended);
	}
	return v;
}

static enum verdict cyclictest_line(struct parse *p, const struct line *l)
{
	static enum verdict (*const takers[])(struct parse *p, const struct line *l) = {
		take_spike, take_status, take_break, take_banner, take_histogram, take_sample,
	};
	struct cyclictest *t = p->state;
	struct thread_row row;

	if (l->rejected)
		return VERDICT_PASS;
	if (thread_row_of(l, &row)) {
		if (!thread_row_has(&row, THREAD_P) ||
		    !(thread_row_has(&row, THREAD_I) || thread_row_has(&row, THREAD_Y)))
			return VERDICT_PASS;
		return take_row(p, l, &row);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(takers); i++) {
		enum verdict v = takers[i](p, l);

		if (v != VERDICT_PASS)
			return v;
	}
	thread_run_other(&t->run, l);
	return VERDICT_PASS;
}

static void cyclictest_end(struct parse *p)
{
	struct cyclictest *t = p->state;

	finish(p);
	g_free(t->next_policy);
	thread_run_free(&t->run);
	cyclic_histogram_free(&t->histogram);
	cyclic_histogram_free(&t->beside);
}

/*
 * Some copies print no Act; a maximum may have been made bold. An ellipsis behind the maximum means
 * that it is cut.
 */
#define ROW_FIGURES \
	"C: *\\d+ *Min:[ *]*-?\\d+[ *]*(?:Act:[ *]*-?\\d+[ *]*)?(?:Avg:[ *]*-?\\d+[ *]*)?" \
	"Max:[ *]*-?\\d++(?! ?\\.\\.| ?\xe2\x80\xa6|[.,']\\d|[a-tv-z]| \\d{3}(?!\\S))(?:[ *]*SMI: *\\d+)?"
#define ROW_MORE "(?:(?:[PYIC]:|Min:|Act:|Avg:|Max:|SMI:|-?\\d++|\\))\\s*+)++$"

static const struct row_shape shapes[] = {
	{ "T: ?\\d+ *\\( *\\d+ *\\) *P: *\\d+ *I:",
	  "T: ?\\d+ *\\( *\\d+ *\\) *P: *\\d+ *I: *\\d+ *" ROW_FIGURES, ROW_MORE, SHAPE_INNER },
	{ "T: ?\\d+ *\\( *\\d+ *\\) *P: *\\d+ *Y:",
	  "T: ?\\d+ *\\( *\\d+ *\\) *P: *\\d+ *Y: *\\d+ *I: *\\d+ *" ROW_FIGURES, ROW_MORE,
	  SHAPE_INNER },
	{ "T: ?\\d+ +Spike: *\\d+: +TS:", NULL, NULL, SHAPE_INNER },
	{ "policy: [a-z]+/?[a-z]*: loadavg:",
	  "policy: [a-z]+/?[a-z]*: loadavg: *\\d+\\.\\d\\d \\d+\\.\\d\\d \\d+\\.\\d\\d \\d+/\\d+ \\d+",
	  "[\\d./ ]+$", SHAPE_INNER },
	{ "\\d+\\.\\d\\d \\d+\\.\\d\\d \\d+\\.\\d\\d \\d+/\\d+ \\d", NULL, NULL, 0 },
	{ "# /dev/cpu_dma_latency set to \\d+us", "# /dev/cpu_dma_latency set to \\d+us", NULL,
	  SHAPE_INNER | SHAPE_COMMENT },
	{ "Thread \\d+ Interval: \\d+$", NULL, NULL, 0 },
	{ "Max CPUs = \\d+$", NULL, NULL, 0 },
	{ "Online CPUs = \\d+$", NULL, NULL, 0 },
	{ "# Break thread: \\d", NULL, NULL, SHAPE_INNER | SHAPE_COMMENT },
	CYCLIC_HISTOGRAM_SHAPES,
	{ NULL, NULL, NULL, 0 }
};

static const struct tool_option options[] = {
	{ "-a", "--affinity", NULL, OPTION_TEXT },
	{ "-A", "--aligned", NULL, OPTION_INTEGER },
	{ "-b", "--breaktrace", NULL, OPTION_INTEGER },
	{ "-c", "--clock", NULL, OPTION_INTEGER },
	{ "-d", "--distance", NULL, OPTION_INTEGER },
	{ "-D", "--duration", "duration_s", OPTION_DURATION },
	{ "-F", "--fifo", NULL, OPTION_TEXT },
	{ "-h", "--histogram", NULL, OPTION_INTEGER },
	{ "-H", "--histofall", NULL, OPTION_INTEGER },
	{ NULL, "--histfile", NULL, OPTION_TEXT },
	{ "-i", "--interval", "period_ns", OPTION_US },
	{ NULL, "--json", NULL, OPTION_TEXT },
	{ NULL, "--latency", NULL, OPTION_INTEGER },
	{ "-l", "--loops", "loops", OPTION_INTEGER },
	{ NULL, "--mainaffinity", NULL, OPTION_TEXT },
	{ "-m", "--mlockall", NULL, OPTION_FLAG },
	{ "-M", "--refresh_on_max", NULL, OPTION_FLAG },
	{ "-n", "--nanosleep", NULL, OPTION_FLAG },
	{ "-N", "--nsecs", NULL, OPTION_FLAG },
	{ "-o", "--oscope", NULL, OPTION_INTEGER },
	{ "-p", "--priority", "priority", OPTION_INTEGER },
	{ NULL, "--prio", "priority", OPTION_INTEGER },
	{ NULL, "--policy", "policy", OPTION_TEXT },
	{ "-y", NULL, "policy", OPTION_TEXT },
	{ "-q", "--quiet", NULL, OPTION_FLAG },
	{ "-r", "--relative", NULL, OPTION_FLAG },
	{ "-R", "--resolution", NULL, OPTION_FLAG },
	{ "-s", "--system", NULL, OPTION_FLAG },
	{ "-S", "--smp", NULL, OPTION_FLAG },
	{ NULL, "--secaligned", NULL, OPTION_INTEGER },
	{ "-t", "--threads", "threads", OPTION_INTEGER },
	{ "-T", "--tracer", NULL, OPTION_TEXT },
	{ "-u", "--unbuffered", NULL, OPTION_FLAG },
	{ "-U", "--numa", NULL, OPTION_FLAG },
	{ "-v", "--verbose", NULL, OPTION_FLAG },
	{ "-x", "--posix_timers", NULL, OPTION_FLAG },
	{ NULL, NULL, NULL, OPTION_FLAG }
};

static const char *const programs[] = { "cyclictest", "cyclictest32", "cyclictest64", NULL };
static const struct tool_options commands[] = {
	{ programs, "cyclictest", options },
	{ NULL, NULL, NULL }
};
static const char *const tools[] = { "cyclictest", NULL };
static const char *const literals[] = {
	"I:% C:%", "Spike:%", "Min Latenc",  "Avg Latenc", "Max Latenc", "cpu_dma_latency set to%",
	" Interval: %", "# Histogram", NULL
};

const struct parser parser_cyclictest = {
	.name = "cyclictest",
	.summary = "wake-up latency per thread: rows, histogram, samples",
	.versions = "0.11 (2006) to rt-tests 2.10, and Xenomai's copies",
	.sample = "T: 0 ( 1853) P:80 I:1000 C:  10000 Min:     36 Act:  156 Avg:  154 Max:     244",
	.tools = tools,
	.literals = literals,
	.shapes = shapes,
	.commands = commands,
	.state_size = sizeof(struct cyclictest),
	.line = cyclictest_line,
	.end = cyclictest_end,
};
