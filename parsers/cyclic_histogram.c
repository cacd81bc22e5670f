#include <string.h>

#include "parsers/cyclic_histogram.h"
#include "parsers/thread_rows.h"

#define MAX_NUMBERS (4u << 20)          /* of a block's bins: 32 MiB */
#define MAX_COLUMNS 4097u /* of a row: as many threads as a run may have, and their sum */

struct bin_row { guint at; unsigned line; };

/* The bins as a table: row i begins at numbers[start[i]]. */
struct bin_table {
	GArray *start;                  /* guint */
	unsigned width;                 /* numbers in a row: bucket and columns */
	bool regrouped, cut;
};

static struct pattern heading = PATTERN("^# ?Histogram(?=\\s*$|\\s+\\d)");
static struct pattern footer_row = PATTERN(
	"^(?:# ?)?(?:(Total)|(Min) Latenc(?:y|ys|ies)|(Avg) Latenc(?:y|ys|ies)|(Max) Latenc(?:y|ys|ies)"
	"|(Histogram Overflows)|(SMIs)):");
static struct pattern padded = PATTERN("^ *\\d{5,}(?:\\s|$)");
static struct pattern list_row = PATTERN(
	"^(?:# ?Histogram Overflow at cycle number:|# ?Thread \\d+:)(?: *# ?Thread \\d+:|(?: +\\d++)++|(?: +# \\d++ others))*+\\s*$");

/*
 * Reads numbers separated by blanks from text into out, up to the first word that is none. Returns
 * how many; *rest: what was not read.
 */
static unsigned read_numbers(const char *text, size_t len, GArray *out, size_t *rest)
{
	const char *p = text, *end = text + len;
	unsigned n = 0;

	for (;;) {
		const char *word;
		uint64_t value = 0;

		while (p < end && g_ascii_isspace(*p))
			p++;
		for (word = p; p < end && g_ascii_isdigit(*p) && p - word < 18; p++)
			value = value * 10 + (uint64_t)(*p - '0');
		if (p == word || (p < end && !g_ascii_isspace(*p))) {
			*rest = (size_t)(end - word);
			return n;
		}
		g_array_append_val(out, value);
		n++;
	}
}

/* A line of bare, zero-padded numbers. */
static bool bare_numbers(const char *text, size_t len)
{
	size_t digits = 0, words = 0;

	for (size_t i = 0; i <= len; i++) {
		if (i < len && g_ascii_isdigit(text[i])) {
			digits++;
		} else if (i == len || g_ascii_isspace(text[i])) {
			if (digits && digits < 5)
				return false;
			words += digits != 0;
			digits = 0;
		} else {
			return false;
		}
	}
	return words > 0;
}

static unsigned count_words(const char *text, const char *word)
{
	unsigned n = 0;

	for (; (text = strstr(text, word)); text += strlen(word))
		n++;
	return n;
}

static void block_open(struct parse *p, struct cyclic_histogram *h, const char *tool,
                       const struct line *l)
{
	if (h->record) {
		parse_extend(p, h->record, l);
		return;
	}
	h->record = parse_begin(p, tool, l);
	h->commands = parse_command_count(p);
	h->tail = -1;
	if (!h->numbers) {
		h->numbers = g_array_new(FALSE, FALSE, sizeof(uint64_t));
		h->rows = g_array_new(FALSE, FALSE, sizeof(struct bin_row));
	}
}

static bool has_footer(const struct cyclic_histogram *h, int from)
{
	for (int f = from; f < FOOTER_ROWS; f++)
		if (h->line[f])
			return true;
	return false;
}

static void take_bins(struct cyclic_histogram *h, const char *text, size_t len, unsigned line)
{
	struct bin_row row = { h->numbers->len, line };
	size_t rest;

	if (h->numbers->len > MAX_NUMBERS) {
		h->overflowed = true;
		return;
	}
	if (read_numbers(text, len, h->numbers, &rest))
		g_array_append_val(h->rows, row);
}

/* Appends the figures of text to footer f. */
static void take_footer(struct cyclic_histogram *h, int f, const char *text, size_t len,
                        unsigned line)
{
	g_autoptr(GArray) values = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	size_t rest;

	if (!h->footer[f])
		h->footer[f] = g_array_new(FALSE, FALSE, sizeof(struct number));
	if (!h->line[f])
		h->line[f] = line;
	read_numbers(text, len, values, &rest);
	for (guint i = 0; i < values->len && h->footer[f]->len < MAX_COLUMNS; i++) {
		struct number n = number_int((int64_t)g_array_index(values, uint64_t, i));

		g_array_append_val(h->footer[f], n);
	}
	/* 0.28 to 0.55 print one figure for all threads, and the table's size. */
	if (f == FOOTER_MAX && rest && text[len - rest] == '/')
		h->max_of_all = true;
	h->tail = rest ? -1 : f;
}

static int footer_kind(const struct match *m)
{
	for (int f = 0; f < FOOTER_ROWS; f++)
		if (m->group[f + 1].p)
			return f;
	return -1;
}

static enum verdict take_heading(struct parse *p, struct cyclic_histogram *h, const char *tool,
                                 const struct line *l, const struct match *m, bool *ended)
{
	if (h->record) {
		*ended = true;
		return VERDICT_PASS;
	}
	block_open(p, h, tool, l);
	take_bins(h, m->end, (size_t)(l->row + l->row_len - m->end), l->first);
	return h->rows->len ? VERDICT_DATA : VERDICT_FRAME;
}

enum verdict cyclic_histogram_line(struct parse *p, struct cyclic_histogram *h, const char *tool,
                                   const struct line *l, bool *ended)
{
	struct match m;
	int tail = h->record ? h->tail : -1;

	*ended = false;
	if (l->rejected || (l->flags & LINE_BLANK))
		return VERDICT_PASS;
	if (pattern_match(&heading, l->row, l->row_len, 0, &m))
		return take_heading(p, h, tool, l, &m, ended);
	if (pattern_match(&footer_row, l->row, l->row_len, 0, &m)) {
		int f = footer_kind(&m);

		/* A page may have taken the sign for markup; who types "Max Latency: 43 us" pads no zeros. */
		if (*l->row != '#' && !pattern_match(&padded, m.end, (size_t)(l->row + l->row_len - m.end), 0, NULL))
			return VERDICT_PASS;
		/* Without a heading only the figures themselves begin a block. */
		if (!h->record && (f == FOOTER_SMIS || f == FOOTER_TOTAL) && *l->row != '#')
			return VERDICT_PASS;
		if (h->record && (has_footer(h, f) || (parse_command_count(p) != h->commands &&
		                                       (h->rows->len || has_footer(h, 0))))) {
			*ended = true;
			return VERDICT_PASS;
		}
		block_open(p, h, tool, l);
		take_footer(h, f, m.end, (size_t)(l->row + l->row_len - m.end), l->first);
		return VERDICT_DATA;
	}
	if (!h->record)
		return VERDICT_PASS;
	h->tail = -1;
	if (pattern_match(&list_row, l->row, l->row_len, 0, &m)) {
		parse_extend(p, h->record, l);
		h->lists += count_words(l->row, "Thread ");
		return VERDICT_FRAME;
	}
	if (!bare_numbers(l->row, l->row_len))
		return VERDICT_PASS;
	if (has_footer(h, 0)) {
		if (tail < 0)
			return VERDICT_PASS;
		h->repaired = true;
		take_footer(h, tail, l->row, l->row_len, l->first);
	} else {
		take_bins(h, l->row, l->row_len, l->first);
	}
	parse_extend(p, h->record, l);
	return VERDICT_DATA;
}

bool cyclic_histogram_beside(const struct cyclic_histogram *h, const struct line *l)
{
	struct match m;

	return h->record && h->tail >= 0 && (l->flags & LINE_SPLIT) && h->line[h->tail] == l->first &&
	       pattern_match(&footer_row, l->row, l->row_len, 0, &m) && footer_kind(&m) == h->tail;
}

static uint64_t number_at(const struct cyclic_histogram *h, guint i)
{
	return g_array_index(h->numbers, uint64_t, i);
}

static guint row_length(const struct cyclic_histogram *h, guint row)
{
	guint at = g_array_index(h->rows, struct bin_row, row).at;

	return (row + 1 < h->rows->len ? g_array_index(h->rows, struct bin_row, row + 1).at
	                               : h->numbers->len) -
	       at;
}

static guint footer_length(const struct cyclic_histogram *h, int f)
{
	return h->footer[f] ? h->footer[f]->len : 0;
}

/* How many rows have the length that most rows have. */
static unsigned usual_length(const struct cyclic_histogram *h)
{
	unsigned best = 0;
	guint best_count = 0;

	for (guint i = 0; i < h->rows->len && i < 64; i++) {
		unsigned n = row_length(h, i);
		guint count = 0;

		if (n == best)
			continue;
		for (guint k = 0; k < h->rows->len; k++)
			count += row_length(h, k) == n;
		if (count > best_count) {
			best_count = count;
			best = n;
		}
	}
	return best;
}

/*
 * Whether in each row of this width the last column is the sum of those before it, and in at least
 * one row not zero.
 */
static bool last_is_sum(const struct cyclic_histogram *h, unsigned width)
{
	bool any = false;

	for (guint i = 0; i < h->rows->len; i++) {
		guint at = g_array_index(h->rows, struct bin_row, i).at;
		uint64_t sum = 0;

		if (row_length(h, i) != width)
			continue;
		for (unsigned c = 1; c + 1 < width; c++)
			sum += number_at(h, at + c);
		if (sum != number_at(h, at + width - 1))
			return false;
		any |= sum != 0;
	}
	return any;
}

unsigned cyclic_histogram_threads(const struct cyclic_histogram *h)
{
	unsigned width;

	/* These two never have a column for all threads. */
	if (footer_length(h, FOOTER_MIN) || footer_length(h, FOOTER_AVG))
		return MAX(footer_length(h, FOOTER_MIN), footer_length(h, FOOTER_AVG));
	if (h->lists)
		return h->lists;
	width = h->rows->len ? usual_length(h) : 0;
	if (width >= 4 && last_is_sum(h, width))
		return width - 2;
	if (width >= 2)
		return width - 1;
	return footer_length(h, FOOTER_MAX);
}

struct number cyclic_histogram_figure(const struct cyclic_histogram *h, enum cyclic_footer f,
                                      unsigned i)
{
	unsigned threads = cyclic_histogram_threads(h);

	if (f == FOOTER_MAX && h->max_of_all && threads > 1)
		return number_absent();
	if (footer_length(h, f) < threads || i >= threads)
		return h->line[f] ? number_null() : number_absent();
	return g_array_index(h->footer[f], struct number, i);
}

/* Whether the numbers fall into rows of this width, whose buckets ascend. */
static bool ascending(const struct cyclic_histogram *h, const GArray *start)
{
	for (guint i = 1; i < start->len; i++)
		if (number_at(h, g_array_index(start, guint, i)) <=
		    number_at(h, g_array_index(start, guint, i - 1)))
			return false;
	return start->len > 0;
}

/* The rows as printed, those of another length left out. */
static bool rows_as_printed(const struct cyclic_histogram *h, struct bin_table *t)
{
	g_array_set_size(t->start, 0);
	for (guint i = 0; i < h->rows->len; i++) {
		guint at = g_array_index(h->rows, struct bin_row, i).at;

		if (row_length(h, i) == t->width)
			g_array_append_val(t->start, at);
		else
			t->cut = true;
	}
	return ascending(h, t->start);
}

/* The numbers in rows of the table's width, wherever lines ended. */
static bool rows_regrouped(const struct cyclic_histogram *h, struct bin_table *t)
{
	g_array_set_size(t->start, 0);
	if (h->overflowed || h->numbers->len % t->width)
		return false;
	for (guint at = 0; at < h->numbers->len; at += t->width)
		g_array_append_val(t->start, at);
	return ascending(h, t->start);
}

/*
 * Finds the table in the stream: lines as printed when they have the right width; else (wrapped
 * rows, lost line ends) rows of the width that the footer tells, if that divides the stream and the
 * buckets ascend; else the lines that are whole.
 */
static bool find_table(const struct cyclic_histogram *h, unsigned threads, struct bin_table *t)
{
	unsigned usual = usual_length(h);

	for (unsigned extra = 0; extra < 2; extra++) {
		t->width = threads + 1 + extra;
		t->cut = false;
		if (t->width == usual && rows_as_printed(h, t) && !t->cut)
			return true;
	}
	for (unsigned extra = 0; extra < 2; extra++) {
		t->width = threads + 1 + extra;
		if (rows_regrouped(h, t)) {
			t->regrouped = true;
			t->cut = false;
			return true;
		}
	}
	t->width = usual;
	t->cut = false;
	return (usual == threads + 1 || usual == threads + 2) && rows_as_printed(h, t);
}

static void fill_bins(const struct cyclic_histogram *h, struct record *r, const struct bin_table *t,
                      unsigned threads, int scale)
{
	bool mismatch = false;

	for (guint i = 0; i < t->start->len; i++) {
		guint at = g_array_index(t->start, guint, i);
		struct number lower = number_scale(number_int((int64_t)number_at(h, at)), scale);
		uint64_t sum = 0;

		for (unsigned k = 0; k < threads; k++) {
			struct series *s = thread_series(r, number_int(k));
			uint64_t count = number_at(h, at + 1 + k);

			histogram_add(s->histogram, lower, number_absent(),
			              number_int((int64_t)count));
			sum += count;
		}
		if (t->width == threads + 2)
			mismatch |= sum != number_at(h, at + 1 + threads);
	}
	if (mismatch)
		record_flag(r, FLAG_BINS_MISMATCH, "",
		            "in the histogram the last column is not the sum of the others");
}

static void fill_histograms(const struct cyclic_histogram *h, struct record *r, unsigned threads,
                            int scale)
{
	struct bin_table t = { g_array_new(FALSE, FALSE, sizeof(guint)), 0, false, false };
	bool found = h->rows->len && find_table(h, threads, &t);

	for (unsigned k = 0; k < threads; k++) {
		struct series *s = thread_series(r, number_int(k));

		if (!found && !h->line[FOOTER_OVERFLOWS])
			continue;
		if (!s->histogram)
			s->histogram = histogram_new();
		s->histogram->bin_width = number_scale(number_int(1), scale);
		s->histogram->overflow = cyclic_histogram_figure(h, FOOTER_OVERFLOWS, k);
	}
	if (found)
		fill_bins(h, r, &t, threads, scale);
	else if (h->rows->len)
		record_flag(
			r, FLAG_ROWS_MISSING, "",
			"the histogram's rows do not have as many columns as its footer; they were left out");
	if (t.regrouped)
		record_flag(r, FLAG_ROW_REPAIRED, "",
		            "rows of the histogram were put together again");
	if (t.cut || h->overflowed)
		record_flag(r, FLAG_ROW_TRUNCATED, "",
		            "rows of the histogram were cut short and left out");
	g_array_unref(t.start);
}

/* The count is what is in bins and what is beyond them; before 0.56 the latter was not printed. */
static void fill_count(const struct cyclic_histogram *h, struct record *r, struct series *s,
                       unsigned i)
{
	struct number total = cyclic_histogram_figure(h, FOOTER_TOTAL, i);
	struct number beyond = cyclic_histogram_figure(h, FOOTER_OVERFLOWS, i);

	if (!number_is_set(total) || !number_is_set(beyond))
		return;
	s->field[FIELD_COUNT] = number_add(total, beyond);
	if (beyond.coefficient)
		record_flag(r, FLAG_DERIVED, "/series/%u/count",
		            "the sum of Total and Histogram Overflows", record_series_index(r, s));
}

static void fill_figures(const struct cyclic_histogram *h, struct record *r, struct series *s,
                         unsigned i, int scale)
{
	static const struct { enum cyclic_footer footer; enum field field; } map[] = {
		{ FOOTER_MIN, FIELD_MIN }, { FOOTER_AVG, FIELD_AVG }, { FOOTER_MAX, FIELD_MAX },
	};
	struct number min = cyclic_histogram_figure(h, FOOTER_MIN, i);
	struct number max = cyclic_histogram_figure(h, FOOTER_MAX, i);
	bool empty = number_equal(min, number_int(1000000)) && number_equal(max, number_int(0));

	for (size_t k = 0; k < G_N_ELEMENTS(map); k++) {
		struct number n = cyclic_histogram_figure(h, map[k].footer, i);

		if (n.state == NUMBER_ABSENT)
			continue;
		s->field[map[k].field] = empty ? number_null() : number_scale(n, scale);
		if (n.state == NUMBER_NULL)
			record_flag(r, FLAG_ROW_TRUNCATED, "/series/%u/%s",
			            "the footer has fewer figures than there are threads",
			            record_series_index(r, s), field_name(map[k].field));
	}
	if (empty)
		record_flag(r, FLAG_NO_SAMPLES, "/series/%u",
		            "the tool printed its start values: no sample was taken",
		            record_series_index(r, s));
}

bool cyclic_histogram_fill(struct cyclic_histogram *h, struct record *r, int scale)
{
	unsigned threads = MIN(cyclic_histogram_threads(h), MAX_COLUMNS - 1);

	if (!threads)
		return false;
	for (unsigned i = 0; i < threads; i++) {
		struct series *s = thread_series(r, number_int(i));

		s->resolution = number_scale(number_int(1), scale);
		if (!s->line)
			s->line = h->line[FOOTER_MAX] ? h->line[FOOTER_MAX] : r->source.first;
		fill_figures(h, r, s, i, scale);
		fill_count(h, r, s, i);
	}
	fill_histograms(h, r, threads, scale);
	if (h->repaired)
		record_flag(r, FLAG_ROW_REPAIRED, "", "a row of the footer was put together again");
	return true;
}

void cyclic_histogram_reset(struct cyclic_histogram *h)
{
	h->record = NULL;
	h->tail = -1;
	h->lists = 0;
	h->overflowed = h->repaired = h->max_of_all = false;
	if (h->numbers) {
		g_array_set_size(h->numbers, 0);
		g_array_set_size(h->rows, 0);
	}
	for (int f = 0; f < FOOTER_ROWS; f++) {
		h->line[f] = 0;
		if (h->footer[f])
			g_array_set_size(h->footer[f], 0);
	}
}

void cyclic_histogram_free(struct cyclic_histogram *h)
{
	if (h->numbers) {
		g_array_unref(h->numbers);
		g_array_unref(h->rows);
	}
	for (int f = 0; f < FOOTER_ROWS; f++)
		if (h->footer[f])
			g_array_unref(h->footer[f]);
	memset(h, 0, sizeof(*h));
}
