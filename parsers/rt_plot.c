/*
 * Histograms in files for gnuplot, by Xenomai's latency (-g) and EVL's latmus (-g).
 *
 *   latency   first "EDGE 1", then "CENTRE HITS+1" for each bucket from the first to the last
 * filled one, last "EDGE 1" latmus    "CELL HITS" in whole microseconds; until 2020-05-24 HITS+1.
 * "199+ HITS": also holds all larger values
 */
#include "parsers/rt_latency.h"

#define US 3

bool rt_plot_row(struct parse *p, struct rt_latency *run, const struct line *l)
{
	static struct pattern row = PATTERN(
		"^\\s*(\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?)(\\+?)\\s+(\\d+)\\s*$");
	struct match m;
	struct bin bin = { .upper = number_absent() };

	if (!run->record || run->plot.at == RT_PLOT_NONE || run->plot.at == RT_PLOT_DONE ||
	    !pattern_match(&row, l->row, l->row_len, 0, &m)) {
		if (run->plot.at == RT_PLOT_ROWS && !(l->flags & LINE_BLANK) &&
		    !rt_is_ellipsis(l->row, l->row_len))
			run->plot.at = RT_PLOT_DONE;
		return false;
	}
	run->plot.at = RT_PLOT_ROWS;
	bin.lower = rt_number(m.group[1], US);
	bin.count = rt_number(m.group[3], 0);
	if (m.group[2].len)
		run->plot.plus = true;
	if (!run->plot.bins)
		run->plot.bins = g_array_new(FALSE, FALSE, sizeof bin);
	if (number_is_set(bin.lower) && number_is_set(bin.count))
		g_array_append_val(run->plot.bins, bin);
	parse_extend(p, run->record, l);
	run->adjacent = true;
	run->foreign = false;
	return true;
}

static const struct bin *row_at(const struct rt_latency *run, guint i)
{
	return &g_array_index(run->plot.bins, struct bin, i);
}

/* Bin i of latency's file begins at edge + i * width; its centre is printed, with six digits. */
static struct histogram *centred(const struct rt_latency *run, struct number width)
{
	struct histogram *h = histogram_new();
	struct number half = number_div(width, number_int(2)), lower = row_at(run, 0)->lower;
	struct number min, max, one = number_int(1);
	guint n = run->plot.bins->len;

	h->bin_width = width;
	rt_extremes(run, &min, &max);
	for (guint i = 1; i < n; i++) {
		const struct bin *b = row_at(run, i);
		struct number upper = number_add(lower, width);
		struct number off = number_sub(b->lower, number_add(lower, half));

		/* The upper edge closes the list. */
		if (i + 1 == n && number_equal(b->count, one) &&
		    number_cmp(number_sub(b->lower, lower), half) < 0)
			break;
		/* A gap: a row is missing, or it is no such list. */
		if (number_cmp(off, half) >= 0 ||
		    number_cmp(number_add(off, half), number_int(0)) <= 0) {
			histogram_free(h);
			return NULL;
		}
		/*
		 * The last bucket also holds all larger values: a maximum beyond it shows that it
		 * does.
		 */
		if (i + 2 >= n && number_is_set(max) && number_cmp(max, upper) >= 0)
			h->overflow = number_sub(b->count, one);
		else
			histogram_add(h, lower, upper, number_sub(b->count, one));
		lower = upper;
	}
	return h;
}

static struct number finish_latency(struct rt_latency *run)
{
	struct number width;

	if (run->plot.bins->len < 3)
		return number_absent();
	width = number_mul(number_sub(row_at(run, 1)->lower, row_at(run, 0)->lower), number_int(2));
	if (number_is_set(width) && width.coefficient > 0)
		run->series->histogram = centred(run, width);
	if (run->series->histogram)
		return width;
	record_flag(run->record, FLAG_BINS_MISMATCH, "/series/0/histogram",
	            "the rows do not form a list of buckets: left out");
	return number_absent();
}

/*
 * Whether the counts of latmus are one too high, as until 2020-05-24: those versions print neither
 * a sample count nor an empty cell.
 */
static bool one_too_high(const struct rt_latency *run)
{
	if (number_is_set(run->series->field[FIELD_COUNT]))
		return false;
	for (guint i = 0; i < run->plot.bins->len; i++)
		if (!row_at(run, i)->count.coefficient)
			return false;
	return true;
}

static struct number finish_latmus(struct rt_latency *run)
{
	struct number width = number_int(1000), less = number_int(one_too_high(run));
	struct histogram *h = histogram_new();
	guint n = run->plot.bins->len;

	h->bin_width = width;
	for (guint i = 0; i < n; i++) {
		const struct bin *b = row_at(run, i);
		struct number count = number_sub(b->count, less);

		if (i + 1 == n && run->plot.plus)
			h->overflow = count;
		else
			histogram_add(h, b->lower, number_add(b->lower, width), count);
	}
	run->series->histogram = h;
	record_flag(run->record, FLAG_UNIT_ASSUMED, "/series/0/histogram",
	            "the size of the cells is not printed; it is 1 microsecond in all versions");
	return width;
}

struct number rt_plot_finish(struct rt_latency *run)
{
	if (!run->plot.bins)
		return number_absent();
	return g_str_equal(run->tool, "latmus") ? finish_latmus(run) : finish_latency(run);
}
