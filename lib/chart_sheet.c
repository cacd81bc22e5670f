/* The sheet Charts of a workbook. */
#include <math.h>
#include <string.h>
#include "lib/chart_sheet.h"
#include "lib/figure.h"
#include "lib/plain.h"
#include "lib/report.h"

#define MAX_BARS 40u            /* results in the chart of extremes */
#define MAX_CHARTS 12u          /* of each kind */
#define MAX_POINTS 32000u       /* Excel draws no more per series */
#define LOG_RATIO 50            /* columns so unlike need a logarithmic axis */
#define CHART_BINS 200u         /* columns in the chart of a histogram, */
#define CHART_NAMES 20u         /* and how many of them have a name side by side */
#define NAME_LENGTH 80          /* characters of a result's name */
#define CHART_WIDTH 1.8         /* of the size that charts have by default, */
#define CHART_HEIGHT 288u       /* which is this many pixels high */
#define BAR_HEIGHT 14u          /* pixels of a bar, */
#define BARS_FRAME 150u         /* and of what is around all of them */
#define ROW_HEIGHT 20u
#define CHART_COLUMN 7u         /* charts stand right of their data, */
#define CHART_COLUMNS 15u       /* and cover so many columns */

/* Okabe and Ito's colours, told apart with any colour vision. */
enum { BLUE = 0x0072b2, VERMILLION = 0xd55e00, GREEN = 0x009e73 };
static const lxw_color_t colours[] = { BLUE, VERMILLION, GREEN, 0xcc79a7, 0xe69f00, 0x56b4e9, 0x404040, 0x909090 };

static const struct extreme { enum field field; const char *name; lxw_color_t colour; } extremes[] = {
	{ FIELD_MIN, "min", GREEN }, { FIELD_AVG, "avg", BLUE }, { FIELD_MAX, "max", VERMILLION },
};
enum { EXTREMES = G_N_ELEMENTS(extremes) };

/* Dashes too, for print without colours. */
enum { SOLID = LXW_CHART_LINE_DASH_SOLID, DOTS = LXW_CHART_LINE_DASH_ROUND_DOT, DASHES = LXW_CHART_LINE_DASH_DASH };
static const struct { enum field field; lxw_color_t colour; uint8_t dashes; } sample_lines[] = {
	{ FIELD_MIN, GREEN, DOTS }, { FIELD_AVG, BLUE, SOLID }, { FIELD_MAX, VERMILLION, DASHES }, { FIELD_VALUE, BLUE, SOLID },
	{ FIELD_INNER, BLUE, SOLID }, { FIELD_OUTER, VERMILLION, DASHES },
};

/* What is drawn, each with its title. */
struct bars { char *title; struct number value[EXTREMES]; };
struct bins {
	char *title, *axis;
	GArray *steps;                  /* struct figure_row; NULL: rows of the sheet Histograms */
	uint64_t first;
	guint n;
};
struct lines { char *title; bool drawn[G_N_ELEMENTS(sample_lines)]; uint64_t first; guint n; };

struct chart_sheet {
	const char *unit;
	GArray *bars, *bins, *lines;
};

/* The sheet while it is written. */
struct drawing {
	const struct chart_sheet *charts;
	struct book *book;
	lxw_worksheet *sheet;
	const char *name;
	lxw_row_t next;                 /* row of the next chart */
	lxw_row_t data;                 /* row of the next data that charts draw */
};

static void clear_bars(void *bars)
{
	g_free(((struct bars *)bars)->title);
}

static void clear_bins(void *bins)
{
	struct bins *b = bins;

	g_free(b->title);
	g_free(b->axis);
	g_clear_pointer(&b->steps, g_array_unref);
}

static void clear_lines(void *lines)
{
	g_free(((struct lines *)lines)->title);
}

static GArray *list(size_t size, GDestroyNotify clear)
{
	GArray *a = g_array_new(FALSE, TRUE, (guint)size);

	g_array_set_clear_func(a, clear);
	return a;
}

struct chart_sheet *chart_sheet_new(const char *unit)
{
	struct chart_sheet *c = g_new0(struct chart_sheet, 1);

	c->unit = unit;
	c->bars = list(sizeof(struct bars), clear_bars);
	c->bins = list(sizeof(struct bins), clear_bins);
	c->lines = list(sizeof(struct lines), clear_lines);
	return c;
}

void chart_sheet_free(struct chart_sheet *c)
{
	if (!c)
		return;
	g_array_unref(c->bars);
	g_array_unref(c->bins);
	g_array_unref(c->lines);
	g_free(c);
}

/* ---- gathering ---- */

/* At most `most` characters, an ellipsis where some were cut. Takes text. */
static char *cut(char *text, glong most)
{
	g_autofree char *kept = NULL;

	if (g_utf8_strlen(text, -1) <= most)
		return text;
	kept = g_utf8_substring(text, 0, most - 1);
	g_free(text);
	return g_strconcat(kept, "…", NULL);
}

/* "title: series label". The title is what is cut: series of one record differ by what follows it. Caller frees. */
static char *series_title(const struct record *r, const struct series *s)
{
	g_autofree char *label = series_label_text(s);
	g_autofree char *tool = record_label(r);
	g_autofree char *name = cut(plain_line(label), NAME_LENGTH / 2);
	g_autofree char *title = cut(plain_line(r->title && *r->title ? r->title : tool), NAME_LENGTH - g_utf8_strlen(name, -1));

	return g_strdup_printf("%s%s%s", title, *name ? ": " : "", name);
}

static bool is_latency(const struct series *s)
{
	int exp10;

	return s->unit && strcmp(s->unit, "s") && unit_scale(s->unit, "us", &exp10);
}

static void gather_bars(struct chart_sheet *c, const struct record *r, const struct series *s, int exp10)
{
	struct bars bars = { 0 };

	if (c->bars->len >= MAX_BARS || !number_is_set(s->field[FIELD_MAX]))
		return;
	bars.title = series_title(r, s);
	for (guint i = 0; i < EXTREMES; i++)
		bars.value[i] = number_scale(s->field[extremes[i].field], exp10);
	g_array_append_val(c->bars, bars);
}

/* The histogram in steps of one width, empty ones too, since a chart's columns stand side by side. NULL: unlike bins. Caller unrefs. */
static GArray *chart_bins(const struct histogram *h, int exp10)
{
	g_autoptr(GArray) bars = g_array_new(FALSE, FALSE, sizeof(struct bar));
	struct figure f = { .bars = bars };

	for (guint i = 0; i < h->bins->len && number_is_set(h->bin_width); i++) {
		const struct bin *b = &g_array_index(h->bins, struct bin, i);
		struct bar bar = { number_scale(b->lower, exp10), number_scale(number_add(b->lower, h->bin_width), exp10), b->count };

		g_array_append_val(bars, bar);
	}
	return figure_rows(&f, CHART_BINS);
}

/* row: of the histogram's first bin on its sheet. */
static void gather_bins(struct chart_sheet *c, const struct record *r, const struct series *s, int exp10, uint64_t row)
{
	const struct histogram *h = s->histogram;

	if (c->bins->len >= MAX_CHARTS || !h || !h->bins->len)
		return;
	struct bins bins = { series_title(r, s), g_strdup_printf("%s [%s]", s->quantity ? s->quantity : "latency", c->unit),
	                     chart_bins(h, exp10), row, h->bins->len };
	g_array_append_val(c->bins, bins);
}

static bool has_sample_column(const struct series *s, enum field f)
{
	for (unsigned c = 0; c < s->samples->columns; c++)
		if (s->samples->column[c] == f)
			return true;
	return false;
}

static void gather_lines(struct chart_sheet *c, const struct record *r, const struct series *s, uint64_t row)
{
	bool any = false;
	struct lines lines = { .first = row, .n = s->samples ? series_sample_rows(s) : 0 };

	if (c->lines->len >= MAX_CHARTS || lines.n < 2 || lines.n > MAX_POINTS)
		return;
	for (guint i = 0; i < G_N_ELEMENTS(sample_lines); i++)
		any |= lines.drawn[i] = has_sample_column(s, sample_lines[i].field);
	if (!any)
		return;
	lines.title = series_title(r, s);
	g_array_append_val(c->lines, lines);
}

static uint64_t histogram_rows(const struct histogram *h)
{
	return h ? h->bins->len + number_is_set(h->underflow) + number_is_set(h->overflow) : 0;
}

void chart_sheet_record(struct chart_sheet *c, const struct record *r, uint64_t histogram_row, uint64_t sample_row)
{
	int exp10;

	for (guint i = 0; i < r->series->len; i++) {
		const struct series *s = r->series->pdata[i];

		if (is_latency(s) && unit_scale(s->unit, c->unit, &exp10)) {
			gather_bars(c, r, s, exp10);
			gather_bins(c, r, s, exp10, histogram_row + (s->histogram && number_is_set(s->histogram->underflow)));
			gather_lines(c, r, s, sample_row);
		}
		histogram_row += histogram_rows(s->histogram);
		histogram_row += s->minima ? histogram_rows(s->minima->histogram) : 0;
		histogram_row += s->maxima ? histogram_rows(s->maxima->histogram) : 0;
		sample_row += s->samples ? series_sample_rows(s) : 0;
	}
}

/* ---- drawing ---- */

static lxw_chart *new_chart(struct drawing *d, uint8_t type)
{
	return workbook_add_chart(book_workbook(d->book), type);
}

static void insert_chart(struct drawing *d, lxw_chart *chart, unsigned height)
{
	lxw_chart_options options = {
		.x_scale = CHART_WIDTH, .y_scale = (double)height / CHART_HEIGHT, .object_position = LXW_OBJECT_MOVE_DONT_SIZE,
	};

	worksheet_insert_chart_opt(d->sheet, d->next, CHART_COLUMN, chart, &options);
	d->next += height / ROW_HEIGHT + 2;
}

static void set_axes(lxw_chart *chart, const char *title, const char *x, const char *y)
{
	lxw_chart_font heading = { .size = 12, .bold = LXW_TRUE }, plain = { .size = 10, .bold = LXW_EXPLICIT_FALSE };
	lxw_chart_line grid = { .color = 0xd9d9d9, .width = 0.75 };
	bool bars = chart->type == LXW_CHART_BAR;       /* whose values lie along x */

	chart_title_set_name(chart, title);
	chart_title_set_name_font(chart, &heading);
	chart_axis_set_name(chart->x_axis, x);
	chart_axis_set_name(chart->y_axis, y);
	chart_axis_set_name_font(chart->x_axis, &plain);
	chart_axis_set_name_font(chart->y_axis, &plain);
	chart_axis_major_gridlines_set_line(bars ? chart->x_axis : chart->y_axis, &grid);
	/* Names of the lowest values stay beside the plot when values are negative. */
	chart_axis_set_label_position(bars ? chart->y_axis : chart->x_axis, LXW_CHART_AXIS_LABEL_POSITION_LOW);
}

/* The values that bars show. */
struct reach { struct number least, greatest; };

static void reach_add(struct reach *r, struct number n)
{
	if (!number_is_set(n))
		return;
	if (!number_is_set(r->least) || number_cmp(n, r->least) < 0)
		r->least = n;
	if (!number_is_set(r->greatest) || number_cmp(n, r->greatest) > 0)
		r->greatest = n;
}

/* Only a logarithmic axis, which needs values above 0, shows all. */
static bool needs_log(const struct reach *r)
{
	return number_is_set(r->least) && number_cmp(r->least, number_int(0)) > 0 &&
	       number_cmp(r->greatest, number_mul(r->least, number_int(LOG_RATIO))) > 0;
}

/* A bar of a logarithmic axis begins at `begin`, not at 1: else one below 1 would point the other way. */
static void set_log(lxw_chart_axis *axis, double begin)
{
	chart_axis_set_log_base(axis, 10);
	chart_axis_set_min(axis, begin);
	chart_axis_set_crossing(axis, begin);
}

/*
 * A chart of horizontal bars: long names have room beside them. The first name stands on top, the axis of values below. each: bars
 * beside each of `names` names.
 */
static void insert_bars(struct drawing *d, lxw_chart *chart, const struct reach *reach, unsigned names, unsigned each)
{
	chart_axis_set_reverse(chart->y_axis);
	chart_axis_set_crossing_max(chart->y_axis);
	chart_set_series_gap(chart, 40);
	chart_legend_set_position(chart, LXW_CHART_LEGEND_BOTTOM);
	if (needs_log(reach))
		set_log(chart->x_axis, pow(10, floor(log10(number_to_double(reach->least)))));
	insert_chart(d, chart, BARS_FRAME + BAR_HEIGHT * names * MAX(each, 2u));
}

/* Rows of a sheet that a chart draws: values of column y, and names of column x, which may be those of another sheet. */
struct cells { const char *sheet; lxw_row_t from, to; lxw_col_t x, y; const char *name_sheet; lxw_row_t name_from; };

static void add_cells(lxw_chart *chart, const struct cells *c, const char *name, lxw_color_t colour, uint8_t dashes)
{
	lxw_row_t names = c->name_sheet ? c->name_from : c->from;
	lxw_chart_series *s = chart_add_series(chart, NULL, NULL);
	lxw_chart_fill fill = { .color = colour };
	lxw_chart_line line = { .color = colour, .width = 1.25, .dash_type = dashes };

	chart_series_set_categories(s, c->name_sheet ? c->name_sheet : c->sheet, names, c->x, names + c->to - c->from, c->x);
	chart_series_set_values(s, c->sheet, c->from, c->y, c->to, c->y);
	chart_series_set_name(s, name);
	if (chart->type == LXW_CHART_LINE)
		chart_series_set_line(s, &line);
	else
		chart_series_set_fill(s, &fill);
}

/* Adds rows [first, first + n) of a sheet as a series; false when they are not on one sheet or a column is missing. */
static bool add_range(lxw_chart *chart, const struct sheet *sheet, uint64_t first, uint64_t n, const char *x, const char *y,
                      const char *name, lxw_color_t colour, uint8_t dashes)
{
	int xc = sheet_column(sheet, x), yc = sheet_column(sheet, y);
	lxw_row_t from, to;
	const char *a = sheet_place(sheet, first, &from), *b = sheet_place(sheet, first + n - 1, &to);

	if (xc < 0 || yc < 0 || !a || !b || strcmp(a, b) || n > MAX_POINTS)
		return false;
	add_cells(chart, &(struct cells){ a, from, to, (lxw_col_t)xc, (lxw_col_t)yc, NULL, 0 }, name, colour, dashes);
	return true;
}

/* Rows "lower, count" on the sheet of charts; an empty step is an empty cell, as a logarithmic axis has no 0. Returns the first. */
static lxw_row_t write_steps(struct drawing *d, const struct bins *b)
{
	lxw_row_t first = d->data + 1;

	worksheet_write_string(d->sheet, d->data, 0, b->title, NULL);
	worksheet_write_string(d->sheet, d->data, 1, b->axis, NULL);
	worksheet_write_string(d->sheet, d->data, 2, "count", NULL);
	for (guint i = 0; i < b->steps->len; i++) {
		const struct figure_row *step = &g_array_index(b->steps, struct figure_row, i);

		worksheet_write_number(d->sheet, first + i, 1, number_to_double(step->lower), NULL);
		if (number_is_set(step->count) && step->count.coefficient)
			worksheet_write_number(d->sheet, first + i, 2, number_to_double(step->count), NULL);
	}
	d->data = first + b->steps->len + 1;
	return first;
}

/* Counts on a logarithmic axis: rare peaks are what counts. */
static void histogram_chart(struct drawing *d, const struct bins *b, const struct sheet *histograms)
{
	lxw_chart *chart = new_chart(d, LXW_CHART_COLUMN);

	if (b->steps) {
		lxw_row_t first = write_steps(d, b);

		add_cells(chart, &(struct cells){ d->name, first, first + b->steps->len - 1, 1, 2, NULL, 0 }, "count", BLUE, SOLID);
	} else if (!add_range(chart, histograms, b->first, b->n, "lower", "count", "count", BLUE, SOLID)) {
		return;
	}
	set_axes(chart, b->title, b->axis, "samples (logarithmic)");
	/* A column of one sample needs a height; only from a power of ten on the axis names such. */
	set_log(chart->y_axis, 0.1);
	chart_axis_set_num_format(chart->y_axis, "[<1]\"\";General");
	chart_set_series_gap(chart, 0);
	if (b->steps && b->steps->len > CHART_NAMES) {
		chart_axis_set_interval_unit(chart->x_axis, (uint16_t)(b->steps->len / CHART_NAMES + 1));
		chart_axis_set_interval_tick(chart->x_axis, (uint16_t)(b->steps->len / CHART_NAMES + 1));
	}
	chart_legend_set_position(chart, LXW_CHART_LEGEND_NONE);
	insert_chart(d, chart, CHART_HEIGHT);
}

static void samples_chart(struct drawing *d, const struct lines *l, const struct sheet *samples)
{
	g_autofree char *y = g_strdup_printf("latency [%s]", d->charts->unit);
	lxw_chart *chart = new_chart(d, LXW_CHART_LINE);
	bool any = false;

	for (guint i = 0; i < G_N_ELEMENTS(sample_lines); i++) {
		const char *name = field_name(sample_lines[i].field);

		if (l->drawn[i])
			any |= add_range(chart, samples, l->first, l->n, "row", name, name, sample_lines[i].colour,
			                 sample_lines[i].dashes);
	}
	if (!any)
		return;         /* they continue on a further sheet */
	set_axes(chart, l->title, "row", y);
	chart_legend_set_position(chart, LXW_CHART_LEGEND_BOTTOM);
	insert_chart(d, chart, CHART_HEIGHT);
}

/* What the bars of extremes reach; `above`: those above 0. */
static struct reach bars_reach(const GArray *bars, bool above)
{
	struct reach reach = { number_absent(), number_absent() };

	for (guint i = 0; i < bars->len; i++) {
		const struct bars *b = &g_array_index(bars, struct bars, i);

		for (guint e = 0; e < EXTREMES; e++)
			if (!above || (number_is_set(b->value[e]) && number_cmp(b->value[e], number_int(0)) > 0))
				reach_add(&reach, b->value[e]);
	}
	return reach;
}

static void write_bars_heading(struct drawing *d, const char *result)
{
	worksheet_set_column(d->sheet, 0, 0, 50, NULL);
	worksheet_write_string(d->sheet, 0, 0, result, NULL);
	for (guint e = 0; e < EXTREMES; e++) {
		g_autofree char *heading = g_strdup_printf("%s [%s]", extremes[e].name, d->charts->unit);

		worksheet_write_string(d->sheet, 0, (lxw_col_t)(e + 1), heading, NULL);
	}
}

/*
 * Rows "result, min, avg, max", which the chart of extremes draws, and their heading. A 0 among values that need a logarithmic axis, as
 * the minimum of a run often is, is an empty cell: such an axis has no 0. Returns what the bars reach.
 */
static struct reach write_bars(struct drawing *d)
{
	const GArray *bars = d->charts->bars;
	struct reach all = bars_reach(bars, false), above = bars_reach(bars, true);
	bool blank = number_is_set(all.least) && !number_cmp(all.least, number_int(0)) && needs_log(&above);

	write_bars_heading(d, blank ? "result (0 is left out)" : "result");
	for (guint i = 0; i < bars->len; i++) {
		const struct bars *b = &g_array_index(bars, struct bars, i);

		worksheet_write_string(d->sheet, i + 1, 0, b->title, NULL);
		for (guint e = 0; e < EXTREMES; e++)
			if (number_is_set(b->value[e]) && !(blank && !b->value[e].coefficient))
				worksheet_write_number(d->sheet, i + 1, (lxw_col_t)(e + 1), number_to_double(b->value[e]), NULL);
	}
	d->data = bars->len + 3;
	return blank ? above : all;
}

static void extremes_chart(struct drawing *d)
{
	g_autofree char *axis = g_strdup_printf("latency [%s]", d->charts->unit);
	lxw_row_t last = d->charts->bars->len;
	struct reach reach = write_bars(d);

	if (!last)
		return;
	lxw_chart *chart = new_chart(d, LXW_CHART_BAR);
	for (guint e = 0; e < EXTREMES; e++)
		add_cells(chart, &(struct cells){ d->name, 1, last, 0, (lxw_col_t)(e + 1), NULL, 0 }, extremes[e].name,
		          extremes[e].colour, SOLID);
	set_axes(chart, "Minimum, average and maximum", axis, NULL);
	insert_bars(d, chart, &reach, last, EXTREMES);
}

/* How many columns name a row. */
static unsigned leading_texts(const struct table *t)
{
	unsigned n = 0;

	while (n < t->columns->len && g_array_index(t->columns, struct column, n).kind == COLUMN_TEXT)
		n++;
	return n;
}

/* Which column of the pivot is the maximum of the next board; t->columns->len: there is none. */
static guint next_maximum(const struct table *t, guint from)
{
	while (from < t->columns->len && strcmp(g_array_index(t->columns, struct column, from).heading, "max"))
		from++;
	return from;
}

static struct reach maxima_reach(const struct table *t)
{
	struct reach reach = { number_absent(), number_absent() };

	for (guint c = next_maximum(t, 0); c < t->columns->len; c = next_maximum(t, c + 1))
		for (guint r = 0; r < t->rows->len; r++)
			reach_add(&reach, ((struct cell *)t->rows->pdata[r])[c].number);
	return reach;
}

static guint count_maxima(const struct table *t)
{
	guint n = 0;

	for (guint c = next_maximum(t, 0); c < t->columns->len; c = next_maximum(t, c + 1))
		n++;
	return n;
}

/* Rows "test" on the sheet of charts: what names each row of the pivot as one text. Returns the first. */
static lxw_row_t write_tests(struct drawing *d, const struct table *t)
{
	lxw_row_t first = d->data + 1;

	worksheet_write_string(d->sheet, d->data, 0, "test", NULL);
	for (guint r = 0; r < t->rows->len; r++) {
		const struct cell *row = t->rows->pdata[r];
		g_autoptr(GString) name = g_string_new(NULL);

		for (unsigned c = 0; c < leading_texts(t); c++)
			if (row[c].text && *row[c].text)
				g_string_append_printf(name, "%s%s", name->len ? ": " : "", row[c].text);
		g_autofree char *text = cut(plain_line(name->str), NAME_LENGTH);
		worksheet_write_string(d->sheet, first + r, 0, text, NULL);
	}
	d->data = first + t->rows->len + 1;
	return first;
}

/* The maxima by test, a bar a board; boards beyond the colours are not drawn, and the title says so. */
static void compare_chart(struct drawing *d, const struct table *t, const struct sheet *sheet)
{
	lxw_row_t first, last;
	const char *name = t->rows->len ? sheet_place(sheet, 0, &first) : NULL;
	guint at = next_maximum(t, 0), boards = count_maxima(t), drawn = 0;

	if (!name || t->rows->len > MAX_BARS || !boards)
		return;
	sheet_place(sheet, t->rows->len - 1, &last);
	lxw_chart *chart = new_chart(d, LXW_CHART_BAR);
	const char *unit = g_array_index(t->columns, struct column, at).unit;
	g_autofree char *axis = unit ? g_strdup_printf("maximum [%s]", unit) : g_strdup("maximum");
	g_autofree char *title = boards <= G_N_ELEMENTS(colours) ? g_strdup("Maximum by test") :
		g_strdup_printf("Maximum by test (the first %u of %u)", (unsigned)G_N_ELEMENTS(colours), boards);
	struct cells cells = { name, first, last, 0, 0, d->name, write_tests(d, t) };
	struct reach reach = maxima_reach(t);

	for (; at < t->columns->len && drawn < G_N_ELEMENTS(colours); at = next_maximum(t, at + 1), drawn++) {
		g_autofree char *board = plain_line(g_array_index(t->columns, struct column, at).group);

		cells.y = (lxw_col_t)at;
		add_cells(chart, &cells, *board ? board : "not stated", colours[drawn], SOLID);
	}
	set_axes(chart, title, axis, NULL);
	insert_bars(d, chart, &reach, t->rows->len, drawn);
}

void chart_sheet_write(const struct chart_sheet *c, struct book *b, const struct chart_sources *sources)
{
	struct drawing d = { .charts = c, .book = b, .name = book_sheet_name(b, "Charts") };

	d.sheet = workbook_add_worksheet(book_workbook(b), d.name);
	if (!d.sheet)
		return;
	extremes_chart(&d);
	for (guint i = 0; i < sources->compared_sheets->len; i++)
		compare_chart(&d, sources->compared->tables->pdata[i], sources->compared_sheets->pdata[i]);
	for (guint i = 0; i < c->bins->len; i++)
		histogram_chart(&d, &g_array_index(c->bins, struct bins, i), sources->histograms);
	for (guint i = 0; i < c->lines->len; i++)
		samples_chart(&d, &g_array_index(c->lines, struct lines, i), sources->samples);
	/* On paper the charts, not their data. */
	worksheet_set_landscape(d.sheet);
	worksheet_fit_to_pages(d.sheet, 1, 0);
	if (d.next)
		worksheet_print_area(d.sheet, 0, CHART_COLUMN, d.next, CHART_COLUMN + CHART_COLUMNS);
}
