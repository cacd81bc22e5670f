#include "lib/record.h"

#include <stdio.h>
#include <string.h>

#define ARENA_BLOCK 512         /* bytes: most records have few strings */
#define FLAGS_PER_CODE 100      /* hostile input must not make a list without end */
#define HISTOGRAM_MOVES 50000000u       /* bins moved to keep order, before order waits for histogram_sort */

G_STATIC_ASSERT(SERIES_MAX_COLUMNS >= FIELD_END);

static const struct { const char *name; bool count; } fields[FIELD_END] = {
	[FIELD_MIN] = { "min", false },
	[FIELD_AVG] = { "avg", false },
	[FIELD_MAX] = { "max", false },
	[FIELD_LAST] = { "last", false },
	[FIELD_STDDEV] = { "stddev", false },
	[FIELD_MDEV] = { "mdev", false },
	[FIELD_VALUE] = { "value", false },
	[FIELD_COUNT] = { "count", true },
	[FIELD_OVERRUNS] = { "overruns", true },
	[FIELD_MODE_SWITCHES] = { "mode_switches", true },
	[FIELD_BEST] = { "best", false },
	[FIELD_WORST] = { "worst", false },
	[FIELD_JITTER_FAST] = { "jitter_fast", false },
	[FIELD_JITTER_SLOW] = { "jitter_slow", false },
	[FIELD_INNER] = { "inner", false },
	[FIELD_OUTER] = { "outer", false },
	[FIELD_CYCLE] = { "cycle", true },
	[FIELD_SMI] = { "smi", true },
	[FIELD_TIME] = { "time", false },
};

/* Also in formats/result.schema.json, which is the normative list; a test compares them. */
static const struct { const char *name, *meaning; } codes[FLAG_CODES] = {
	[FLAG_ROW_TRUNCATED] = { "row-truncated", "A row was cut short: what is lost is null." },
	[FLAG_ROW_REPAIRED] = { "row-repaired", "A row that was wrapped or split has been put together again." },
	[FLAG_ROWS_MISSING] = { "rows-missing", "Rows that the tool printed are not in the text." },
	[FLAG_SAMPLES_OMITTED] = { "samples-omitted", "There were more rows than are kept; the extremes are of all rows." },
	[FLAG_NO_SAMPLES] = { "no-samples", "Nothing was measured: the tool printed its start values, which are null here." },
	[FLAG_INTERRUPTED] = { "interrupted", "The run was stopped before its end." },
	[FLAG_OUT_OF_RANGE] = { "out-of-range", "A number has more than 15 significant digits and is null here." },
	[FLAG_AVG_OUT_OF_RANGE] = { "avg-out-of-range",
		"Minimum, average and maximum are not in this order: they stand as printed." },
	[FLAG_WORST_MISMATCH] = { "worst-mismatch",
		"A value so far (best, worst, overruns) contradicts the rows: they stand as printed." },
	[FLAG_SUMMARY_MISMATCH] = { "summary-mismatch", "The tool's summary contradicts its rows: both stand as printed." },
	[FLAG_BINS_MISMATCH] = { "bins-mismatch",
		"The histogram does not add up to the stated count: both stand as printed." },
	[FLAG_MODE_CONFLICT] = { "mode-conflict", "Command, heading or banner name different modes." },
	[FLAG_UNIT_ASSUMED] = { "unit-assumed", "The unit is the tool's usual one; the text does not state it." },
	[FLAG_DERIVED] = { "derived", "The value was computed from the rows, not printed." },
	[FLAG_QUOTED_ONLY] = { "quoted-only", "Only a quoted copy was found, not the original." },
	[FLAG_CHARSET_GUESSED] = { "charset-guessed", "The character set was not stated or not true and has been guessed." },
	[FLAG_USER_SET] = { "user-set", "The fact was given by the user (--set), it does not stand in the text." },
	[FLAG_ENVIRONMENT_CONFLICT] = { "environment-conflict",
		"The text states two different things of the system for one run: the nearer one stands." },
};

static uint64_t sample_limit = RECORD_MAX_SAMPLES;

const char *field_name(enum field f)
{
	return fields[f].name;
}

enum field field_from_name(const char *name)
{
	for (enum field f = 0; f < FIELD_END; f++)
		if (!strcmp(fields[f].name, name))
			return f;
	return FIELD_END;
}

bool field_is_count(enum field f)
{
	return fields[f].count;
}

const char *flag_code_name(enum flag_code c)
{
	return codes[c].name;
}

const char *flag_code_meaning(enum flag_code c)
{
	return codes[c].meaning;
}

void record_sample_limit(uint64_t rows)
{
	sample_limit = rows;
}

struct histogram *histogram_new(void)
{
	struct histogram *h = g_new0(struct histogram, 1);

	h->bins = g_array_new(FALSE, FALSE, sizeof(struct bin));
	return h;
}

void histogram_free(struct histogram *h)
{
	if (!h)
		return;
	g_array_unref(h->bins);
	g_free(h);
}

/* Orders bins by lower, then by upper; not set comes first. */
static int bin_cmp(const void *a, const void *b)
{
	const struct bin *x = a, *y = b;
	int c = number_cmp(x->lower, y->lower);

	if (c)
		return c;
	if (number_is_set(x->upper) && number_is_set(y->upper))
		return number_cmp(x->upper, y->upper);
	return number_is_set(x->upper) - number_is_set(y->upper);
}

void histogram_sort(struct histogram *h)
{
	struct bin *bins = (struct bin *)(void *)h->bins->data;
	guint n = 0;

	g_array_sort(h->bins, bin_cmp);
	for (guint i = 0; i < h->bins->len; i++) {
		if (n && !bin_cmp(&bins[n - 1], &bins[i]))
			bins[n - 1].count = number_add(bins[n - 1].count, bins[i].count);
		else
			bins[n++] = bins[i];
	}
	g_array_set_size(h->bins, n);
	h->moved = 0;
}

void histogram_add(struct histogram *h, struct number lower, struct number upper, struct number count)
{
	guint low = 0, high = h->bins->len;
	struct bin bin = { lower, upper, count };

	if (!number_is_set(lower) || !number_is_set(count) || !count.coefficient)
		return;
	/* Tools print them ascending: look at the end first. */
	if (h->moved > HISTOGRAM_MOVES || (high && bin_cmp(&bin, &g_array_index(h->bins, struct bin, high - 1)) > 0))
		low = high;
	while (low < high) {
		guint middle = low + (high - low) / 2;
		struct bin *b = &g_array_index(h->bins, struct bin, middle);
		int c = bin_cmp(&bin, b);

		if (!c) {
			b->count = number_add(b->count, count);
			return;
		}
		if (c < 0)
			high = middle;
		else
			low = middle + 1;
	}
	h->moved += h->bins->len - low;
	g_array_insert_val(h->bins, low, bin);
}

struct number histogram_total(const struct histogram *h)
{
	struct number total = number_int(0);

	for (guint i = 0; i < h->bins->len; i++)
		total = number_add(total, g_array_index(h->bins, struct bin, i).count);
	if (number_is_set(h->underflow))
		total = number_add(total, h->underflow);
	if (number_is_set(h->overflow))
		total = number_add(total, h->overflow);
	return total;
}

static void interval_stats_free(struct interval_stats *s)
{
	if (!s)
		return;
	histogram_free(s->histogram);
	g_free(s);
}

static void samples_free(struct samples *s)
{
	if (!s)
		return;
	g_array_unref(s->values);
	g_array_unref(s->lines);
	number_sum_free(s->avg_sum);
	g_free(s);
}

static void series_free(void *data)
{
	struct series *s = data;

	g_array_unref(s->labels);
	samples_free(s->samples);
	histogram_free(s->histogram);
	interval_stats_free(s->minima);
	interval_stats_free(s->maxima);
	if (s->percentiles)
		g_array_unref(s->percentiles);
	number_sum_free(s->sum);
	number_sum_free(s->weight);
	if (s->extras)
		g_array_unref(s->extras);
	g_free(s);
}

static GArray *facts_new(void)
{
	return g_array_new(FALSE, FALSE, sizeof(struct fact));
}

struct record *record_new(const char *tool)
{
	struct record *r = g_new0(struct record, 1);

	r->arena = g_string_chunk_new(ARENA_BLOCK);
	r->kind = RECORD_RUN;
	r->tool = record_text(r, tool, -1);
	r->settings = facts_new();
	r->environment = facts_new();
	r->config = facts_new();
	r->series = g_ptr_array_new_with_free_func(series_free);
	r->flags = g_array_new(FALSE, FALSE, sizeof(struct flag));
	return r;
}

void record_free(struct record *r)
{
	if (!r)
		return;
	g_array_unref(r->settings);
	g_array_unref(r->environment);
	g_array_unref(r->config);
	g_ptr_array_unref(r->series);
	g_array_unref(r->flags);
	if (r->varies)
		g_ptr_array_unref(r->varies);
	if (r->extras)
		g_array_unref(r->extras);
	if (r->source.extras)
		g_array_unref(r->source.extras);
	g_string_chunk_free(r->arena);
	g_free(r);
}

const char *record_text(struct record *r, const char *text, gssize len)
{
	return text ? g_string_chunk_insert_len(r->arena, text, len) : NULL;
}

struct series *record_add_series(struct record *r, const char *name)
{
	struct series *s = g_new0(struct series, 1);

	s->name = record_text(r, name, -1);
	s->labels = facts_new();
	g_ptr_array_add(r->series, s);
	return s;
}

void record_drop_series(struct record *r)
{
	if (r->series->len)
		g_ptr_array_remove_index(r->series, r->series->len - 1);
}

static void facts_set(GArray *facts, const struct fact *f)
{
	for (guint i = 0; i < facts->len; i++) {
		struct fact *old = &g_array_index(facts, struct fact, i);

		if (!strcmp(old->key, f->key)) {
			*old = *f;
			return;
		}
	}
	g_array_append_vals(facts, f, 1);
}

void facts_set_text(struct record *r, GArray *facts, const char *key, const char *text, unsigned line)
{
	facts_set(facts, &(struct fact){ .key = key, .text = record_text(r, text, -1), .line = line });
}

void facts_set_number(GArray *facts, const char *key, struct number n, unsigned line)
{
	facts_set(facts, &(struct fact){ .key = key, .number = n, .line = line });
}

const struct fact *facts_get(const GArray *facts, const char *key)
{
	for (guint i = 0; i < facts->len; i++) {
		const struct fact *f = &g_array_index(facts, struct fact, i);

		if (*f->key == *key && !strcmp(f->key, key))
			return f;
	}
	return NULL;
}

void series_label(struct record *r, struct series *s, const char *key, const char *text)
{
	facts_set_text(r, s->labels, key, text, 0);
}

void series_label_number(struct series *s, const char *key, struct number n)
{
	facts_set_number(s->labels, key, n, 0);
}

/* Appends the flag unless it is there. False when it was. */
static bool flag_append(struct record *r, const char *code, const char *where, const char *text)
{
	struct flag flag = { code, where, text };

	for (guint i = 0; i < r->flags->len; i++) {
		const struct flag *f = &g_array_index(r->flags, struct flag, i);

		if (!strcmp(f->code, code) && !strcmp(f->where, where) && !strcmp(f->text, text))
			return false;
	}
	flag.where = record_text(r, where, -1);
	flag.text = record_text(r, text, -1);
	g_array_append_val(r->flags, flag);
	return true;
}

void record_flag(struct record *r, enum flag_code code, const char *where, const char *text, ...)
{
	g_autofree char *full = NULL;
	unsigned same = 0;
	va_list ap;

	for (guint i = 0; i < r->flags->len; i++)
		same += !strcmp(g_array_index(r->flags, struct flag, i).code, codes[code].name);
	if (same >= FLAGS_PER_CODE) {
		if (same == FLAGS_PER_CODE)
			flag_append(r, codes[code].name, "", "and at more places, which are not listed");
		return;
	}
	va_start(ap, text);
	full = g_strdup_vprintf(where, ap);
	va_end(ap);
	flag_append(r, codes[code].name, full, text);
}

bool record_has_flag(const struct record *r, enum flag_code code)
{
	for (guint i = 0; i < r->flags->len; i++)
		if (!strcmp(g_array_index(r->flags, struct flag, i).code, codes[code].name))
			return true;
	return false;
}

unsigned record_series_index(const struct record *r, const struct series *s)
{
	guint i = 0;

	g_ptr_array_find(r->series, s, &i);
	return i;
}

void series_columns(struct series *s, unsigned n, const enum field *columns)
{
	if (s->samples)
		return;
	s->samples = g_new0(struct samples, 1);
	s->samples->columns = MIN(n, SERIES_MAX_COLUMNS);
	memcpy(s->samples->column, columns, s->samples->columns * sizeof(*columns));
	s->samples->values = g_array_new(FALSE, FALSE, sizeof(struct number));
	s->samples->lines = g_array_new(FALSE, FALSE, sizeof(unsigned));
	s->samples->avg_sum = number_sum_new();
}

static void row_extremes(struct samples *s, enum field column, struct number n)
{
	if (!number_is_set(n))
		return;
	if ((column == FIELD_MIN || column == FIELD_VALUE) &&
	    (!number_is_set(s->least) || number_cmp(n, s->least) < 0))
		s->least = n;
	if ((column == FIELD_MAX || column == FIELD_VALUE) &&
	    (!number_is_set(s->greatest) || number_cmp(n, s->greatest) > 0))
		s->greatest = n;
	if (column == FIELD_AVG || column == FIELD_VALUE) {
		number_sum_add(s->avg_sum, n, number_int(1));
		s->avg_rows++;
	}
}

void series_add_row(struct series *s, unsigned line, const struct number *values)
{
	struct samples *rows = s->samples;

	if (!rows)
		return;
	for (unsigned i = 0; i < rows->columns; i++)
		row_extremes(rows, rows->column[i], values[i]);
	rows->rows++;
	if (sample_limit && rows->lines->len >= sample_limit)
		return;
	g_array_append_vals(rows->values, values, rows->columns);
	g_array_append_val(rows->lines, line);
}

struct number series_sample(const struct series *s, guint row, enum field f)
{
	const struct samples *rows = s->samples;

	for (unsigned i = 0; rows && row < rows->lines->len && i < rows->columns; i++)
		if (rows->column[i] == f)
			return g_array_index(rows->values, struct number, row * rows->columns + i);
	return number_absent();
}

guint series_sample_rows(const struct series *s)
{
	return s->samples ? s->samples->lines->len : 0;
}

void series_percentile(struct record *r, struct series *s, const char *key, struct number value)
{
	struct percentile p = { NULL, value };

	if (!s->percentiles)
		s->percentiles = g_array_new(FALSE, FALSE, sizeof(struct percentile));
	for (guint i = 0; i < s->percentiles->len; i++) {
		struct percentile *old = &g_array_index(s->percentiles, struct percentile, i);

		if (!strcmp(old->key, key)) {
			old->value = value;
			return;
		}
	}
	p.key = record_text(r, key, -1);
	g_array_append_val(s->percentiles, p);
}
