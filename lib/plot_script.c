/* Plots as gnuplot scripts. */
#include <math.h>
#include <string.h>
#include "lib/plain.h"
#include "lib/plot_internal.h"

#define WIDTH 960u
#define HEIGHT 540u
#define NAME_HEIGHT 22u         /* of a line of the legend; */
#define NAME_FRAME 80u          /* width of what is around a name in it, */
#define CHARACTER_WIDTH 8u      /* and of its letters */
#define BAR_HEIGHT 28u
#define BARS_HEIGHT 170u        /* of what is around the bars */
#define AXIS_WIDTH 480u         /* of their axis at least */
#define LOG_RATIO 50            /* bars of such unlike lengths need a logarithmic axis */
#define FEW_ROWS 20u            /* each has its number on the axis, as bins have */
#define VERY_FEW_BINS 3         /* would fill the picture */
#define PLAIN_DECADES 5         /* powers of ten from 1 on that are written out */
#define LABEL_DECIMALS 3        /* of the numbers beside bars */

/*
 * Okabe and Ito's colours without yellow, which is too light for lines on white: told apart with
 * any colour vision.
 */
static const char *const colours[] = { "#0072B2", "#D55E00", "#009E73", "#CC79A7",
	                               "#E69F00", "#56B4E9", "#000000" };
/* Line styles, for print without colours: solid, dashes, dots, both. */
static const char *const dashes[] = { "1", "(16,7)", "(4,4)", "(16,6,4,6)" };
enum { COLOURS = G_N_ELEMENTS(colours), DASHES = G_N_ELEMENTS(dashes) };

/*
 * A text in single quotes, where gnuplot runs no `command`, replaces no @macro and knows no escape
 * but '', which it takes for an empty text where the quoted one begins so. Hence no quote stands
 * inside: "'" is joined on. A plain line has no line end that could close it.
 */
static void put_quoted(GString *out, const char *text)
{
	g_autofree char *plain = plain_line(text);

	g_string_append_c(out, '\'');
	for (const char *c = plain; *c; c++) {
		if (*c == '\'')
			g_string_append(out, "'.\"'\".'");
		else
			g_string_append_c(out, *c);
	}
	g_string_append_c(out, '\'');
}

/* The same for names of tics, which are formats too. */
static void put_tic(GString *out, const char *text, guint at)
{
	g_auto(GStrv) parts = g_strsplit(text, "%", -1);
	g_autofree char *doubled = g_strjoinv("%%", parts);

	put_quoted(out, doubled);
	g_string_append_printf(out, " %u", at);
}

static void put_setting(GString *out, const char *setting, const char *text)
{
	g_string_append_printf(out, "set %s ", setting);
	put_quoted(out, text);
	g_string_append_c(out, '\n');
}

static void put_line(GString *out, guint colour, guint dash, double width)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE];

	g_string_append_printf(out, "lc rgb '%s' dt %s lw %s", colours[colour % COLOURS],
	                       dashes[dash % DASHES],
	                       g_ascii_formatd(text, sizeof text, "%.1f", width));
}

static void put_line_style(GString *out, guint i, double width)
{
	put_line(out, i, i, width);
}

/* What follows is the title of a curve in the legend. */
static void put_title(GString *out, const char *name, const char *more)
{
	g_autofree char *text = g_strconcat(name, more && *name && *more ? ": " : "", more, NULL);

	g_string_append(out, " title ");
	put_quoted(out, text);
}

static void put_separator(GString *out, bool *first)
{
	g_string_append(out, *first ? "plot " : ", \\\n     ");
	*first = false;
}

static char *shown(struct number n, const struct curve *c, bool rounded)
{
	char text[NUMBER_TEXT];

	if (!number_is_set(n))
		return g_strdup("-");
	n = number_scale(n, c->exp10);
	return g_strdup(number_print(rounded ? number_round(n, LABEL_DECIMALS) : n, text));
}

/* "max 244 us, 3 above the last bin". */
static char *histogram_remark(const struct plot *p, const struct curve *c)
{
	GString *text = g_string_new(NULL);
	const struct histogram *h = c->series->histogram;
	struct number max = c->series->field[FIELD_MAX];
	char count[NUMBER_TEXT];

	if (number_is_set(max)) {
		g_autofree char *number = shown(max, c, false);

		g_string_append_printf(text, "max %s%s%s", number, p->unit ? " " : "",
		                       p->unit ? p->unit : "");
	}
	if (number_is_set(h->overflow) && h->overflow.coefficient)
		g_string_append_printf(text, "%s%s above the bins", text->len ? ", " : "",
		                       number_print(h->overflow, count));
	if (number_is_set(h->underflow) && h->underflow.coefficient)
		g_string_append_printf(text, "%s%s below the bins", text->len ? ", " : "",
		                       number_print(h->underflow, count));
	return g_string_free(text, FALSE);
}

/* Legend names: none of a single curve, which the title names. */
static const char *legend_name(const struct plot *p, const struct curve *c)
{
	return p->curves->len > 1 ? c->name : "";
}

/*
 * Names of a logarithmic axis from 10^low to 10^high as powers, where digits would have to be counted. They are texts: the
 * terminal knows no superscripts.
 */
static void put_powers(GString *out, int low, int high)
{
	static const char *const digits[] = { "⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹" };

	g_string_append(out, "set ytics (");
	for (int power = low; power <= high; power++) {
		g_autofree char *text = g_strdup_printf("%d", ABS(power));

		g_string_append_printf(out, "%s'10%s", power > low ? ", " : "", power < 0 ? "⁻" : "");
		for (const char *c = text; *c; c++)
			g_string_append(out, digits[*c - '0']);
		g_string_append_printf(out, "' 1e%d", power);
	}
	g_string_append(out, ")\n");
}

/* Few bins keep room beside them, and have a name each. */
static void put_span(const struct plot *p, GString *out)
{
	struct span span;
	struct number bins;
	char first[NUMBER_TEXT], last[NUMBER_TEXT];

	if (!plot_span(p, &span))
		return;
	bins = number_div(number_sub(span.last, span.first), span.width);
	if (!number_is_set(bins) || number_cmp(bins, number_int(FEW_ROWS)) > 0)
		return;
	g_string_append_printf(out, "set xtics %s\n", number_print(span.width, first));
	if (number_cmp(bins, number_int(VERY_FEW_BINS)) <= 0)
		g_string_append_printf(out, "set xrange [%s:%s]\n",
		                       number_print(number_sub(span.first, span.width), first),
		                       number_print(number_add(span.last, span.width), last));
}

/* A logarithmic axis has no 0: empty bins lie below one sample, on the axis. */
#define COUNT "1:($2 > 0 ? $2 : 0.5)"

static void put_count_axis(const struct plot *p, GString *out)
{
	char top[G_ASCII_DTOSTR_BUF_SIZE];
	double most = fmax(plot_greatest_count(p), 1);

	/* Room above the highest bin, also when it holds one sample. */
	g_ascii_formatd(top, sizeof top, "%.4g", fmax(most * 1.6, 5));
	g_string_append_printf(out, "set logscale y\nset yrange [0.5:%s]\nset format y '%%.0f'\nset ylabel 'samples'\n", top);
	if (log10(most) > PLAIN_DECADES)
		put_powers(out, 0, (int)floor(log10(most * 1.6)));
}

static void plot_histogram(const struct plot *p, GString *out)
{
	bool first = true;

	put_count_axis(p, out);
	put_span(p, out);
	for (guint i = 0; i < p->curves->len && p->curves->len <= PLOT_MAX_FILLED; i++) {
		put_separator(out, &first);
		g_string_append_printf(out,
		                       "$data%u using " COUNT " with fillsteps lc rgb '%s' notitle",
		                       i, colours[i % COLOURS]);
	}
	for (guint i = 0; i < p->curves->len; i++) {
		const struct curve *c = plot_curve(p, i);
		g_autofree char *remark = histogram_remark(p, c);

		put_separator(out, &first);
		g_string_append_printf(out, "$data%u using " COUNT " with steps ", i);
		put_line_style(out, i, 1.6);
		put_title(out, legend_name(p, c), remark);
	}
	g_string_append_c(out, '\n');
}

/* Half the least share that is drawn. Only a place on the axis. */
static double tail_floor(const struct plot *p)
{
	double least = 1;

	for (guint i = 0; i < p->curves->len; i++) {
		const struct histogram *h = plot_curve(p, i)->series->histogram;
		bool over = number_is_set(h->overflow) && h->overflow.coefficient;
		struct number last =
			over ? h->overflow
			     : g_array_index(h->bins, struct bin, h->bins->len - 1).count;
		double share = number_to_double(number_div(last, histogram_total(h)));

		if (share > 0)
			least = fmin(least, share);
	}
	return least / 2;
}

static void plot_tail(const struct plot *p, GString *out)
{
	bool first = true;
	char least[G_ASCII_DTOSTR_BUF_SIZE];

	double bottom = tail_floor(p);

	g_ascii_formatd(least, sizeof least, "%.3g", bottom);
	g_string_append_printf(out,
	                       "set logscale y\nset yrange [%s:1.3]\nset format y '%%g'\n"
	                       "set ylabel 'share of samples at or above'\n",
	                       least);
	if (log10(bottom) < -PLAIN_DECADES)
		put_powers(out, (int)ceil(log10(bottom)), 0);
	put_span(p, out);
	for (guint i = 0; i < p->curves->len; i++) {
		const struct curve *c = plot_curve(p, i);
		g_autofree char *remark = histogram_remark(p, c);

		put_separator(out, &first);
		g_string_append_printf(out, "$data%u using 1:($3 > 0 ? $3 : %s) with steps ", i,
		                       least);
		put_line_style(out, i, 1.8);
		put_title(out, legend_name(p, c), remark);
	}
	g_string_append_c(out, '\n');
}

/* The line of a column of samples; its colour is that of series `colour`. */
static void put_sample_line(const struct plot *p, GString *out, guint i, int column, enum field f,
                            guint colour, bool *first)
{
	const struct curve *c = plot_curve(p, i);
	bool dots = f != FIELD_MIN && f != FIELD_AVG && f != FIELD_MAX;
	bool single = p->curves->len == 1;

	put_separator(out, first);
	g_string_append_printf(out, "$data%u using 1:%d with %s ", i, column,
	                       dots ? "linespoints pt 7 ps 0.4 * point" : "lines");
	/* A peak is narrower than a dash. */
	if (single && f == FIELD_MAX)
		put_line(out, colour, 0, 1.0);
	else
		put_line(out, colour, colour, f == FIELD_AVG ? 1.8 : 1.2);
	put_title(out, legend_name(p, c), field_name(f));
}

/* Minimum to maximum; the maximum as a thin line too, since a peak of one row is too narrow an area to be seen. */
static void put_sample_band(const struct plot *p, GString *out, guint i, bool *first)
{
	put_separator(out, first);
	g_string_append_printf(out, "$data%u using 1:2:4 with filledcurves lc rgb '%s'", i, colours[i % COLOURS]);
	put_title(out, legend_name(p, plot_curve(p, i)), "min to max");
	if (p->curves->len > 1) {
		put_separator(out, first);
		g_string_append_printf(out, "$data%u using 1:4 with lines ", i);
		put_line(out, i, 0, 0.5);
		g_string_append(out, " notitle");
	}
}

/* Few series with a band and its average, more of them by what is worst in them. */
static void put_sample_curve(const struct plot *p, GString *out, guint i, bool *first)
{
	struct sample_columns k = plot_sample_columns(plot_curve(p, i)->series);
	bool single = p->curves->len == 1;

	if (p->curves->len > PLOT_MAX_FILLED) {
		bool high = k.high != FIELD_END;

		put_sample_line(p, out, i, high ? 4 : k.middle != FIELD_END ? 3 : 2,
		                high ? k.high : k.middle != FIELD_END ? k.middle : k.low, i, first);
		return;
	}
	if (k.low != FIELD_END && k.high != FIELD_END)
		put_sample_band(p, out, i, first);
	if (k.low != FIELD_END && single)
		put_sample_line(p, out, i, 2, k.low, 2, first);
	if (k.middle != FIELD_END)
		put_sample_line(p, out, i, 3, k.middle, i, first);
	if (k.high != FIELD_END && (single || k.low == FIELD_END))
		put_sample_line(p, out, i, 4, k.high, i + 1, first);
}

static void plot_samples(const struct plot *p, GString *out)
{
	bool first = true;
	guint per = 1, rows = 0;

	for (guint i = 0; i < p->curves->len; i++) {
		per = MAX(per, plot_rows_a_point(plot_curve(p, i)->series));
		rows = MAX(rows, series_sample_rows(plot_curve(p, i)->series));
	}
	g_string_append_printf(out, "set autoscale xfix\nset yrange [*<0:*]\n%s",
	                       rows <= FEW_ROWS ? "set xtics 1\n" : "");
	if (per > 1)
		g_string_append_printf(out,
		                       "set xlabel 'row (each point: up to %u rows, their least, "
		                       "mean and greatest)'\n",
		                       per);
	else
		g_string_append(out, "set xlabel 'row'\n");
	for (guint i = 0; i < p->curves->len; i++)
		put_sample_curve(p, out, i, &first);
	g_string_append_c(out, '\n');
}

/* What the bars show, in this order. */
static const enum field bar_fields[] = { FIELD_MIN, FIELD_AVG, FIELD_MAX, FIELD_VALUE };

/* Lengths so unlike that a linear axis would hide most bars; all must be above 0. */
static bool wants_log(const struct plot *p)
{
	struct number least = number_absent(), shortest = number_absent(),
		      longest = number_absent();

	for (guint i = 0; i < p->curves->len; i++) {
		const struct curve *c = plot_curve(p, i);
		struct number most = number_absent();

		for (guint f = 0; f < G_N_ELEMENTS(bar_fields); f++) {
			struct number n = c->series->field[bar_fields[f]];

			if (!number_is_set(n))
				continue;
			n = number_scale(n, c->exp10);
			if (!number_is_set(least) || number_cmp(n, least) < 0)
				least = n;
			if (!number_is_set(most) || number_cmp(n, most) > 0)
				most = n;
		}
		if (!number_is_set(shortest) || number_cmp(most, shortest) < 0)
			shortest = most;
		if (!number_is_set(longest) || number_cmp(most, longest) > 0)
			longest = most;
	}
	return number_cmp(least, number_int(0)) > 0 &&
	       number_cmp(longest, number_mul(shortest, number_int(LOG_RATIO))) > 0;
}

static bool any_field(const struct plot *p, enum field f)
{
	for (guint i = 0; i < p->curves->len; i++)
		if (number_is_set(plot_curve(p, i)->series->field[f]))
			return true;
	return false;
}

/* "1 / 5.25 / 44" of the fields that any curve has; c NULL: their names. Caller g_frees. */
static char *bar_numbers(const struct plot *p, const struct curve *c)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < G_N_ELEMENTS(bar_fields); i++) {
		enum field f = bar_fields[i];
		g_autofree char *one =
			c ? shown(c->series->field[f], c, f == FIELD_AVG) : g_strdup(field_name(f));

		if (any_field(p, f))
			g_string_append_printf(text, "%s%s", text->len ? " / " : "", one);
	}
	return g_string_free(text, FALSE);
}

/*
 * Names at the left side, numbers at the right one, as tics of the two axes: gnuplot makes room for
 * them.
 */
static void put_bar_texts(const struct plot *p, GString *out)
{
	guint n = p->curves->len;
	g_autofree char *head = bar_numbers(p, NULL);

	g_string_append_printf(out, "set yrange [0.3:%u.5]\nset y2range [0.3:%u.5]\n", n + 1,
	                       n + 1);
	g_string_append(out, "set ytics scale 0\nset y2tics scale 0\nset ytics (");
	for (guint i = 0; i < n; i++) {
		g_string_append(out, i ? ", \\\n           " : "");
		put_tic(out, plot_curve(p, i)->name, n - i);
	}
	g_string_append(out, ")\nset y2tics (");
	put_tic(out, head, n + 1);
	for (guint i = 0; i < n; i++) {
		g_autofree char *numbers = bar_numbers(p, plot_curve(p, i));

		g_string_append(out, ", \\\n            ");
		put_tic(out, numbers, n - i);
	}
	g_string_append(out, ")\n");
}

/* Has any curve a minimum and a maximum? */
static bool any_span(const struct plot *p)
{
	for (guint i = 0; i < p->curves->len; i++) {
		const struct number *f = plot_curve(p, i)->series->field;

		if (number_is_set(f[FIELD_MIN]) && number_is_set(f[FIELD_MAX]))
			return true;
	}
	return false;
}

/* A bar a series from minimum to maximum, with marks at each value that there is. */
static void plot_bars(const struct plot *p, GString *out)
{
	static const struct { int point; const char *size, *colour;
	} marks[] = {
		{ 9, "1.1", "#009E73" },
		{ 7, "1.1", "#0072B2" },
		{ 13, "1.4", "#D55E00" },
		{ 5, "1.1", "#000000" },
	};
	bool first = true;

	put_bar_texts(p, out);
	g_string_append(out,
	                wants_log(p) ? "set logscale x\n" : "set xrange [*<0:*]\nset xzeroaxis\n");
	if (any_span(p)) {
		put_separator(out, &first);
		g_string_append(out, "$bars using 1:5:1:3:($5 - 0.28):($5 + 0.28) with boxxyerror "
		                     "fc rgb '#0072B2' "
		                     "fs solid 0.2 border rgb '#0072B2' notitle");
	}
	for (guint i = 0; i < G_N_ELEMENTS(bar_fields); i++) {
		if (!any_field(p, bar_fields[i]))
			continue;
		put_separator(out, &first);
		g_string_append_printf(
			out, "$bars using %u:5 with points pt %d ps %s * point lc rgb '%s' title '%s'",
			i + 1, marks[i].point, marks[i].size, marks[i].colour,
			field_name(bar_fields[i]));
	}
	g_string_append_c(out, '\n');
}

static void put_data(const struct plot *p, GString *out)
{
	guint n = p->curves->len;

	if (p->kind == PLOT_BARS)
		g_string_append(out, "# min avg max value place\n$bars << END\n");
	for (guint i = 0; i < n; i++) {
		if (p->kind != PLOT_BARS)
			g_string_append_printf(out, "$data%u << END\n", i);
		plot_data(p, plot_curve(p, i), out);
		if (p->kind == PLOT_BARS) {
			g_string_truncate(out, out->len - 1);
			g_string_append_printf(out, " %u\n", n - i);
		} else {
			g_string_append(out, "END\n");
		}
	}
	if (p->kind == PLOT_BARS)
		g_string_append(out, "END\n");
}

/* Beside names and numbers of bars the axis keeps its length. */
static guint bars_width(const struct plot *p)
{
	size_t names = 0, numbers = 0;

	for (guint i = 0; i < p->curves->len; i++) {
		const struct curve *c = plot_curve(p, i);
		g_autofree char *text = bar_numbers(p, c);

		names = MAX(names, plain_width(c->name));
		numbers = MAX(numbers, plain_width(text));
	}
	return MAX(WIDTH, AXIS_WIDTH + CHARACTER_WIDTH * (guint)(names + numbers));
}

static guint width_of(const struct plot *p)
{
	if (p->options->width)
		return p->options->width;
	return p->kind == PLOT_BARS ? bars_width(p) : WIDTH;
}

/* How many names of the legend fit side by side. */
static guint legend_columns(const struct plot *p)
{
	size_t longest = 0;

	for (guint i = 0; i < p->curves->len; i++) {
		const struct curve *c = plot_curve(p, i);
		g_autofree char *remark =
			p->kind == PLOT_SAMPLES ? g_strdup("min to max") : histogram_remark(p, c);

		longest = MAX(longest, plain_width(legend_name(p, c)) + plain_width(remark) + 2);
	}
	return MAX(1, width_of(p) / (NAME_FRAME + CHARACTER_WIDTH * (guint)longest));
}

/* How many lines of the legend there are; bars have all marks in one. */
static guint legend_rows(const struct plot *p)
{
	guint n = p->curves->len, each = 1, columns;

	if (p->kind == PLOT_BARS)
		return 1;
	if (p->kind == PLOT_SAMPLES && n <= PLOT_MAX_FILLED)
		each = n == 1 ? 4 : 2;
	columns = legend_columns(p);
	return (n * each + columns - 1) / columns;
}

static guint height_of(const struct plot *p)
{
	guint n = p->curves->len;

	if (p->options->height)
		return p->options->height;
	return p->kind == PLOT_BARS ? BARS_HEIGHT + BAR_HEIGHT * (n + 1)
	                            : HEIGHT + NAME_HEIGHT * legend_rows(p);
}

static void put_head(const struct plot *p, const char *terminal, GString *out)
{
	bool svg = !strcmp(terminal, "svg");

	g_string_append_printf(
		out, "set terminal %s noenhanced size %u,%u font '%s'%s background '#ffffff'\n",
		terminal, width_of(p), height_of(p),
		svg ? "DejaVu Sans,Verdana,sans-serif,14" : "DejaVu Sans,11",
		svg ? " dynamic" : "");
	/* Points of one size look twice as large in one format as in the other. */
	g_string_append_printf(out, "set encoding utf8\nset termoption noenhanced\nset datafile missing '?'\npoint = %s\n",
	                       svg ? "0.6" : "1.0");
}

/*
 * A line of the heading, `below` pixels under the upper edge, in a font of `percent` of the usual
 * size.
 */
static void put_heading(const struct plot *p, const char *terminal, const char *text, guint below,
                        int percent, GString *out)
{
	int size = (!strcmp(terminal, "svg") ? 14 : 11) * percent / 100;
	char y[G_ASCII_DTOSTR_BUF_SIZE];

	if (!*text)
		return;
	g_string_append(out, "set label ");
	put_quoted(out, text);
	g_string_append_printf(
		out, " at screen 0.015, screen %s left noenhanced font ',%d'\n",
		g_ascii_formatd(y, sizeof y, "%.5f", 1 - (double)below / height_of(p)), size);
}

/*
 * Below the axis, with room that is reckoned here: gnuplot's own leaves names of axis and curves on
 * each other.
 */
static void put_legend(const struct plot *p, GString *out)
{
	guint rows = legend_rows(p);

	g_string_append_printf(out,
	                       "set bmargin %u.8\nset key at screen 0.03, character %u.7 left top "
	                       "Left reverse vertical "
	                       "samplen 4 noenhanced maxrows %u\n",
	                       4 + rows, rows, rows);
}

static void put_frame(const struct plot *p, const char *terminal, GString *out)
{
	const char *quantity = plot_curve(p, 0)->series->quantity;
	char step[NUMBER_TEXT] = "";
	g_autofree char *axis = NULL;

	if (number_is_set(p->step))
		number_print(p->step, step);
	axis = g_strdup_printf("%s%s%s%s%s%s", quantity ? quantity : "latency", p->unit ? " [" : "",
	                       p->unit ? p->unit : "", p->unit ? "]" : "",
	                       *step ? ", in steps of " : "", step);

	/* The heading stands at the left edge, where the blank title leaves room. */
	g_string_append(out, *p->facts ? "set title \" \\n \"\n" : "set title ' '\n");
	put_heading(p, terminal, p->title, 22, 125, out);
	put_heading(p, terminal, p->facts, 46, 95, out);
	g_string_append(out, "set border 3 lc rgb '#404040'\nset tics nomirror out\n"
	                     "set format x '%h'\nset grid lc rgb '#c8c8c8' dt 1 lw 1\nset style fill transparent "
	                     "solid 0.18 noborder\n"
	                     "set xlabel offset 0,0.3\n");
	put_legend(p, out);
	put_setting(out, p->kind == PLOT_SAMPLES ? "ylabel" : "xlabel", axis);
}

char *plot_script(const struct plot *p, const char *terminal)
{
	GString *out = g_string_new(
		"# Written by rtreport plot; gnuplot -d draws it on standard output.\n");

	put_head(p, terminal, out);
	put_data(p, out);
	put_frame(p, terminal, out);
	switch (p->kind) {
	case PLOT_HISTOGRAM:
		plot_histogram(p, out);
		break;
	case PLOT_TAIL:
		plot_tail(p, out);
		break;
	case PLOT_SAMPLES:
		plot_samples(p, out);
		break;
	default:
		plot_bars(p, out);
	}
	return g_string_free(out, FALSE);
}
