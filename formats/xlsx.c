/*
 * XLSX: of records the sheets Results (a row per series), Samples, Histograms, Environment, Sources and
 * Charts; of a document a sheet per table, and Notes. Readers find each value typed, in the unit of its heading.
 */
#include <errno.h>
#include <string.h>
#include "lib/figure.h"
#include "lib/overview.h"
#include "lib/plain.h"
#include "lib/renderer.h"
#include "lib/report_long.h"
#include "lib/workbook.h"

#define MAX_BARS 40u            /* results in the chart of extremes */
#define MAX_CHARTS 12u          /* of each kind */
#define MAX_POINTS 32000u       /* Excel draws no more per series */
#define LOG_RATIO 50            /* columns so unlike need a logarithmic axis */
#define CHART_BINS 200u         /* columns in the chart of a histogram */
#define CHART_ROWS 20u          /* a chart's height in rows */

enum { FORMS = 5 };
static const enum report_form forms[FORMS] = {
	REPORT_LONG, REPORT_SAMPLES, REPORT_HISTOGRAMS, REPORT_ENVIRONMENT, REPORT_SOURCES
};
enum { RESULTS, SAMPLES, HISTOGRAMS, ENVIRONMENT, SOURCES };

/* Okabe and Ito's colours, told apart with any colour vision. */
enum { BLUE = 0x0072b2, VERMILLION = 0xd55e00, GREEN = 0x009e73 };
static const lxw_color_t colours[] = { BLUE, VERMILLION, GREEN, 0xcc79a7, 0xe69f00, 0x56b4e9, 0x404040, 0x909090 };

struct work {
	GPtrArray *records;
	struct long_table *tables[FORMS];
	struct survey *surveys[FORMS];
	struct sheet *sheets[FORMS];
	struct book *book;
	struct document *compared;      /* or NULL */
	GPtrArray *compared_surveys, *compared_sheets;  /* of its tables */
	lxw_worksheet *charts;
	const char *charts_name;
	lxw_row_t next;                 /* row of the next chart */
	lxw_row_t data;                 /* row of the next data that charts draw */
};

static void survey_tables(struct work *w, const struct report_options *o)
{
	for (unsigned i = 0; i < FORMS; i++) {
		struct table *header;

		w->tables[i] = long_table_new(forms[i], w->records, o);
		header = long_table_header(w->tables[i]);
		for (guint c = 0; o->has_digits && c < header->columns->len; c++) {
			struct column *col = &g_array_index(header->columns, struct column, c);

			if (col->kind == COLUMN_NUMBER && col->unit)
				col->decimals = o->digits;
		}
		w->surveys[i] = survey_new(header);
		long_table_rows(w->tables[i], survey_row, w->surveys[i]);
	}
}

/* For each row of Results the record's row in Sources. */
static GArray *source_rows(const GPtrArray *records)
{
	GArray *rows = g_array_new(FALSE, FALSE, sizeof(uint64_t));

	for (guint i = 0; i < records->len; i++) {
		const struct record *r = records->pdata[i];
		uint64_t row = i;

		for (guint s = 0; s < r->series->len; s++)
			g_array_append_val(rows, row);
	}
	return rows;
}

/* The greatest maximum is worth a look. */
static void mark_worst(struct work *w)
{
	int column = sheet_column(w->sheets[RESULTS], "max");
	lxw_worksheet *sheet = sheet_first(w->sheets[RESULTS]);
	lxw_row_t last = (lxw_row_t)MIN(w->surveys[RESULTS]->rows, BOOK_SHEET_ROWS);

	if (column < 0 || last < 2 || !sheet)
		return;
	lxw_format *format = workbook_add_format(book_workbook(w->book));
	format_set_bg_color(format, 0xf8dcdc);
	lxw_conditional_format rule = {
		.type = LXW_CONDITIONAL_TYPE_TOP, .value = 1, .format = format,
	};
	worksheet_conditional_format_range(sheet, 1, (lxw_col_t)column, last, (lxw_col_t)column, &rule);
}

static void write_sheets(struct work *w)
{
	g_autoptr(GArray) rows = source_rows(w->records);

	/* The first sheet is the first that a reader sees; Sources must exist before cells link to it. */
	for (unsigned i = 0; i < FORMS; i++)
		if (w->surveys[i]->rows || i == RESULTS || i == SOURCES)
			w->sheets[i] = book_add_table(w->book, report_form_title(forms[i]), w->surveys[i]);
	sheet_link(w->sheets[RESULTS], "id", w->sheets[SOURCES], rows);
	for (unsigned i = 0; i < FORMS; i++) {
		if (!w->sheets[i])
			continue;
		long_table_rows(w->tables[i], sheet_row, w->sheets[i]);
		sheet_finish(w->sheets[i]);
	}
	mark_worst(w);
}

/* "title: series label" of at most 80 characters. Caller frees. */
static char *series_title(const struct record *r, const struct series *s)
{
	g_autofree char *label = series_label_text(s);
	g_autofree char *tool = record_label(r);
	g_autofree char *whole = g_strdup_printf("%s%s%s", r->title ? r->title : tool, *label ? ": " : "", label);
	g_autofree char *text = plain_line(whole);

	return g_utf8_strlen(text, -1) > 80 ? g_utf8_substring(text, 0, 80) : g_steal_pointer(&text);
}

static void insert_chart(struct work *w, lxw_chart *chart, unsigned column)
{
	lxw_chart_options options = { .x_scale = 1.4, .y_scale = 1.3, .object_position = LXW_OBJECT_MOVE_DONT_SIZE };

	worksheet_insert_chart_opt(w->charts, w->next, (lxw_col_t)column, chart, &options);
	w->next += CHART_ROWS;
}

static void set_axes(lxw_chart *chart, const char *title, const char *x, const char *y)
{
	chart_title_set_name(chart, title);
	chart_axis_set_name(chart->x_axis, x);
	chart_axis_set_name(chart->y_axis, y);
	/* Names of the lowest values stay below the plot when values are negative. */
	chart_axis_set_label_position(chart->x_axis, LXW_CHART_AXIS_LABEL_POSITION_LOW);
}

/* Adds rows from … to of a sheet as a series: names of column x, values of column y. */
static void add_cells(lxw_chart *chart, const char *sheet, lxw_row_t from, lxw_row_t to, lxw_col_t x, lxw_col_t y,
                      const char *name, lxw_color_t colour)
{
	lxw_chart_series *s = chart_add_series(chart, NULL, NULL);
	lxw_chart_fill fill = { .color = colour };
	lxw_chart_line line = { .color = colour, .width = 1.25 };

	chart_series_set_categories(s, sheet, from, x, to, x);
	chart_series_set_values(s, sheet, from, y, to, y);
	chart_series_set_name(s, name);
	if (chart->type == LXW_CHART_LINE)
		chart_series_set_line(s, &line);
	else
		chart_series_set_fill(s, &fill);
}

/* Adds rows [first, first + n) of a sheet as a series; false when they are not on one sheet or a column is missing. */
static bool add_range(lxw_chart *chart, const struct sheet *sheet, uint64_t first, uint64_t n, const char *x, const char *y,
                      const char *name, lxw_color_t colour)
{
	int xc = sheet_column(sheet, x), yc = sheet_column(sheet, y);
	lxw_row_t from, to;
	const char *a = sheet_place(sheet, first, &from), *b = sheet_place(sheet, first + n - 1, &to);

	if (xc < 0 || yc < 0 || !a || !b || strcmp(a, b) || n > MAX_POINTS)
		return false;
	add_cells(chart, a, from, to, (lxw_col_t)xc, (lxw_col_t)yc, name, colour);
	return true;
}

static uint64_t histogram_rows(const struct histogram *h)
{
	return h ? h->bins->len + number_is_set(h->underflow) + number_is_set(h->overflow) : 0;
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

/* Rows "lower, count" on the sheet of charts; an empty step is an empty cell, as a logarithmic axis has no 0. Returns the first. */
static lxw_row_t write_bins(struct work *w, const char *title, const char *axis, const GArray *bins)
{
	lxw_row_t first = w->data + 1;

	worksheet_write_string(w->charts, w->data, 0, title, NULL);
	worksheet_write_string(w->charts, w->data, 1, axis, NULL);
	worksheet_write_string(w->charts, w->data, 2, "count", NULL);
	for (guint i = 0; i < bins->len; i++) {
		const struct figure_row *bin = &g_array_index(bins, struct figure_row, i);

		worksheet_write_number(w->charts, first + i, 1, number_to_double(bin->lower), NULL);
		if (number_is_set(bin->count) && bin->count.coefficient)
			worksheet_write_number(w->charts, first + i, 2, number_to_double(bin->count), NULL);
	}
	w->data = first + bins->len + 1;
	return first;
}

/* Counts on a logarithmic axis: rare peaks are what counts. */
static void histogram_chart(struct work *w, const struct record *r, const struct series *s, uint64_t row)
{
	const char *unit = long_table_unit(w->tables[HISTOGRAMS]);
	g_autofree char *title = series_title(r, s);
	g_autofree char *x = g_strdup_printf("%s [%s]", s->quantity ? s->quantity : "latency", unit);
	lxw_chart *chart = workbook_add_chart(book_workbook(w->book), LXW_CHART_COLUMN);
	int exp10;
	g_autoptr(GArray) bins = unit_scale(s->unit, unit, &exp10) ? chart_bins(s->histogram, exp10) : NULL;

	if (bins) {
		lxw_row_t first = write_bins(w, title, x, bins);

		add_cells(chart, w->charts_name, first, first + bins->len - 1, 1, 2, "count", BLUE);
	} else if (!add_range(chart, w->sheets[HISTOGRAMS], row, s->histogram->bins->len, "lower", "count", "count", BLUE)) {
		return;
	}
	set_axes(chart, title, x, "count (logarithmic)");
	chart_axis_set_log_base(chart->y_axis, 10);
	chart_axis_set_min(chart->y_axis, 0.5);
	chart_set_series_gap(chart, 10);
	chart_legend_set_position(chart, LXW_CHART_LEGEND_NONE);
	insert_chart(w, chart, 7);
}

static bool is_latency(const struct series *s)
{
	int exp10;

	return s->unit && strcmp(s->unit, "s") && unit_scale(s->unit, "us", &exp10);
}

static void histogram_charts(struct work *w)
{
	uint64_t row = 0;
	unsigned drawn = 0;

	for (guint i = 0; i < w->records->len; i++) {
		const struct record *r = w->records->pdata[i];

		for (guint k = 0; k < r->series->len; k++) {
			const struct series *s = r->series->pdata[k];

			if (s->histogram && s->histogram->bins->len && is_latency(s) && drawn++ < MAX_CHARTS)
				histogram_chart(w, r, s, row + number_is_set(s->histogram->underflow));
			row += histogram_rows(s->histogram);
			row += s->minima ? histogram_rows(s->minima->histogram) : 0;
			row += s->maxima ? histogram_rows(s->maxima->histogram) : 0;
		}
	}
}

static bool has_sample_column(const struct series *s, enum field f)
{
	for (unsigned c = 0; c < s->samples->columns; c++)
		if (s->samples->column[c] == f)
			return true;
	return false;
}

static void samples_chart(struct work *w, const struct record *r, const struct series *s, uint64_t first)
{
	static const struct { enum field field; lxw_color_t colour; } lines[] = {
		{ FIELD_MIN, GREEN }, { FIELD_AVG, BLUE }, { FIELD_MAX, VERMILLION }, { FIELD_VALUE, BLUE },
		{ FIELD_INNER, BLUE }, { FIELD_OUTER, VERMILLION },
	};
	g_autofree char *title = series_title(r, s);
	g_autofree char *y = g_strdup_printf("latency [%s]", long_table_unit(w->tables[SAMPLES]));
	lxw_chart *chart = workbook_add_chart(book_workbook(w->book), LXW_CHART_LINE);
	bool any = false;

	for (guint i = 0; i < G_N_ELEMENTS(lines); i++)
		if (has_sample_column(s, lines[i].field))
			any |= add_range(chart, w->sheets[SAMPLES], first, series_sample_rows(s), "row",
			                 field_name(lines[i].field), field_name(lines[i].field), lines[i].colour);
	if (!any)
		return;
	set_axes(chart, title, "row", y);
	chart_legend_set_position(chart, LXW_CHART_LEGEND_BOTTOM);
	insert_chart(w, chart, 7);
}

static void samples_charts(struct work *w)
{
	uint64_t row = 0;
	unsigned drawn = 0;

	for (guint i = 0; i < w->records->len; i++) {
		const struct record *r = w->records->pdata[i];

		for (guint k = 0; k < r->series->len; k++) {
			const struct series *s = r->series->pdata[k];
			guint n = s->samples ? series_sample_rows(s) : 0;

			if (n > 1 && is_latency(s) && drawn < MAX_CHARTS) {
				samples_chart(w, r, s, row);
				drawn++;
			}
			row += n;
		}
	}
}

/* Rows "label, min, avg, max" on the sheet of charts, which the chart of extremes draws. Returns their number. */
static unsigned write_bars(struct work *w)
{
	static const enum field fields[] = { FIELD_MIN, FIELD_AVG, FIELD_MAX };
	const char *unit = long_table_unit(w->tables[RESULTS]);
	unsigned n = 0;

	for (guint i = 0; i < w->records->len && n < MAX_BARS; i++) {
		const struct record *r = w->records->pdata[i];

		for (guint k = 0; k < r->series->len && n < MAX_BARS; k++) {
			const struct series *s = r->series->pdata[k];
			g_autofree char *title = series_title(r, s);
			int exp10;

			if (!is_latency(s) || !number_is_set(s->field[FIELD_MAX]) || !unit_scale(s->unit, unit, &exp10))
				continue;
			n++;
			worksheet_write_string(w->charts, n, 0, title, NULL);
			for (guint f = 0; f < G_N_ELEMENTS(fields); f++)
				if (number_is_set(s->field[fields[f]]))
					worksheet_write_number(w->charts, n, (lxw_col_t)(f + 1),
						number_to_double(number_scale(s->field[fields[f]], exp10)), NULL);
		}
	}
	return n;
}

static void extremes_chart(struct work *w)
{
	static const lxw_color_t colour[] = { GREEN, BLUE, VERMILLION };
	static const char *const names[] = { "min", "avg", "max" };
	const char *unit = long_table_unit(w->tables[RESULTS]);
	g_autofree char *axis = g_strdup_printf("latency [%s]", unit);

	worksheet_set_column(w->charts, 0, 0, 50, NULL);
	worksheet_write_string(w->charts, 0, 0, "result", NULL);
	for (guint f = 0; f < G_N_ELEMENTS(names); f++) {
		g_autofree char *heading = g_strdup_printf("%s [%s]", names[f], unit);

		worksheet_write_string(w->charts, 0, (lxw_col_t)(f + 1), heading, NULL);
	}
	unsigned n = write_bars(w);
	w->data = n + 3;
	if (!n)
		return;
	lxw_chart *chart = workbook_add_chart(book_workbook(w->book), LXW_CHART_COLUMN);
	for (guint f = 0; f < G_N_ELEMENTS(names); f++) {
		lxw_chart_series *s = chart_add_series(chart, NULL, NULL);
		lxw_chart_fill fill = { .color = colour[f] };

		chart_series_set_categories(s, w->charts_name, 1, 0, n, 0);
		chart_series_set_values(s, w->charts_name, 1, (lxw_col_t)(f + 1), n, (lxw_col_t)(f + 1));
		chart_series_set_name(s, names[f]);
		chart_series_set_fill(s, &fill);
	}
	set_axes(chart, "Minimum, average and maximum", "result", axis);
	chart_legend_set_position(chart, LXW_CHART_LEGEND_BOTTOM);
	insert_chart(w, chart, 7);
}

/* ---- documents ---- */

static struct survey *survey_table(const struct table *t)
{
	struct survey *s = survey_new(t);

	for (guint r = 0; r < t->rows->len; r++)
		survey_row(t->rows->pdata[r], s);
	survey_all(s);
	return s;
}

static struct sheet *write_table(struct book *b, const struct table *t, const char *name, struct survey *s)
{
	struct sheet *sheet = book_add_table(b, name, s);

	for (guint r = 0; r < t->rows->len; r++)
		sheet_row(t->rows->pdata[r], sheet);
	sheet_finish(sheet);
	return sheet;
}

static void add_notes(struct table *notes, const struct table *t, const GPtrArray *lines, bool numbered)
{
	for (guint i = 0; i < lines->len; i++) {
		struct cell *row = table_row(notes);

		cell_text(&row[0], t->title);
		if (numbered)
			cell_number(&row[1], number_int(i + 1));
		cell_text(&row[2], lines->pdata[i]);
	}
}

/* What stands above and below the tables, on a sheet of its own: a table sheet holds rows only. */
static void write_notes(struct book *b, const struct document *d, GPtrArray *surveys)
{
	struct document *own = document_new(NULL);
	struct table *notes = document_add(own, "Notes");

	table_column(notes, "table", NULL, NULL, COLUMN_TEXT, -1);
	table_column(notes, "note", NULL, NULL, COLUMN_NUMBER, 0);
	table_column(notes, "text", NULL, NULL, COLUMN_TEXT, -1);
	for (guint i = 0; i < d->tables->len; i++) {
		const struct table *t = d->tables->pdata[i];

		add_notes(notes, t, t->before, false);
		add_notes(notes, t, t->notes, true);
	}
	if (notes->rows->len) {
		struct survey *s = survey_table(notes);

		g_ptr_array_add(surveys, s);
		write_table(b, notes, "Notes", s);
	}
	document_free(own);
}

/* ---- what is compared ---- */

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

/* The least and the greatest maximum of the pivot; false when a logarithmic axis could not show all. */
static bool needs_log(const struct table *t)
{
	struct number least = number_absent(), greatest = number_absent();

	for (guint c = next_maximum(t, 0); c < t->columns->len; c = next_maximum(t, c + 1)) {
		for (guint r = 0; r < t->rows->len; r++) {
			struct number n = ((struct cell *)t->rows->pdata[r])[c].number;

			if (!number_is_set(n))
				continue;
			if (!number_is_set(least) || number_cmp(n, least) < 0)
				least = n;
			if (!number_is_set(greatest) || number_cmp(n, greatest) > 0)
				greatest = n;
		}
	}
	return number_is_set(least) && number_cmp(least, number_int(0)) > 0 &&
	       number_cmp(greatest, number_mul(least, number_int(LOG_RATIO))) > 0;
}

/* The maxima by test, a column a board. */
static void compare_chart(struct work *w, const struct table *t, const struct sheet *sheet)
{
	lxw_row_t first, last;
	const char *name = t->rows->len ? sheet_place(sheet, 0, &first) : NULL;
	guint at = next_maximum(t, 0), drawn = 0;

	if (!name || t->rows->len > MAX_BARS || at == t->columns->len)
		return;
	sheet_place(sheet, t->rows->len - 1, &last);
	lxw_chart *chart = workbook_add_chart(book_workbook(w->book), LXW_CHART_COLUMN);
	const struct column *column = &g_array_index(t->columns, struct column, at);
	g_autofree char *axis = g_strdup_printf("maximum%s%s%s", column->unit ? " [" : "", column->unit ? column->unit : "",
	                                        column->unit ? "]" : "");

	for (; at < t->columns->len && drawn < G_N_ELEMENTS(colours); at = next_maximum(t, at + 1), drawn++) {
		lxw_chart_series *s = chart_add_series(chart, NULL, NULL);
		lxw_chart_fill fill = { .color = colours[drawn] };
		g_autofree char *board = plain_line(g_array_index(t->columns, struct column, at).group);

		chart_series_set_categories(s, name, first, 0, last, (lxw_col_t)(MAX(leading_texts(t), 1u) - 1));
		chart_series_set_values(s, name, first, (lxw_col_t)at, last, (lxw_col_t)at);
		chart_series_set_name(s, *board ? board : "not stated");
		chart_series_set_fill(s, &fill);
	}
	set_axes(chart, "Maximum by test", "test", axis);
	if (needs_log(t))
		chart_axis_set_log_base(chart->y_axis, 10);
	chart_legend_set_position(chart, LXW_CHART_LEGEND_BOTTOM);
	insert_chart(w, chart, 7);
}

static void survey_compared(struct work *w, const struct report_options *o)
{
	w->compared = overview_new(w->records, o->unit);
	w->compared_surveys = g_ptr_array_new_with_free_func((GDestroyNotify)survey_free);
	w->compared_sheets = g_ptr_array_new();
	for (guint i = 0; w->compared && i < w->compared->tables->len; i++)
		g_ptr_array_add(w->compared_surveys, survey_table(w->compared->tables->pdata[i]));
}

static void write_compared(struct work *w)
{
	for (guint i = 0; w->compared && i < w->compared->tables->len; i++)
		g_ptr_array_add(w->compared_sheets, write_table(w->book, w->compared->tables->pdata[i], "Compare",
		                                                w->compared_surveys->pdata[i]));
	if (w->compared)
		write_notes(w->book, w->compared, w->compared_surveys);
}

static void write_charts(struct work *w)
{
	w->charts_name = book_sheet_name(w->book, "Charts");
	w->charts = workbook_add_worksheet(book_workbook(w->book), w->charts_name);
	if (!w->charts)
		return;
	extremes_chart(w);
	for (guint i = 0; i < w->compared_sheets->len; i++)
		compare_chart(w, w->compared->tables->pdata[i], w->compared_sheets->pdata[i]);
	histogram_charts(w);
	samples_charts(w);
}

static int write_xlsx_records(GPtrArray *records, const struct render_options *o, FILE *out)
{
	static const struct report_options defaults;
	const struct report_options *report = o->report ? o->report : &defaults;
	struct work w = { .records = records };
	uint64_t cells = 0;
	int status = -1;

	survey_tables(&w, report);
	survey_compared(&w, report);
	for (unsigned i = 0; i < FORMS; i++)
		cells += survey_cells(w.surveys[i]);
	for (guint i = 0; i < w.compared_surveys->len; i++)
		cells += survey_cells(w.compared_surveys->pdata[i]);
	w.book = book_new(report->title, cells);
	if (w.book) {
		write_sheets(&w);
		write_compared(&w);
		if (!report->no_figures)
			write_charts(&w);
		status = book_finish(w.book, out);
	}
	for (unsigned i = 0; i < FORMS; i++) {
		survey_free(w.surveys[i]);
		long_table_free(w.tables[i]);
	}
	g_ptr_array_unref(w.compared_sheets);
	g_ptr_array_unref(w.compared_surveys);
	document_free(w.compared);
	return status;
}

static int write_xlsx(const struct document *d, const struct render_options *o, FILE *out)
{
	g_autoptr(GPtrArray) surveys = g_ptr_array_new_with_free_func((GDestroyNotify)survey_free);
	uint64_t cells = 0;
	struct book *b;

	(void)o;
	for (guint i = 0; i < d->tables->len; i++) {
		const struct table *t = d->tables->pdata[i];
		struct survey *s = survey_table(t);

		g_ptr_array_add(surveys, s);
		cells += survey_cells(s);
	}
	b = book_new(d->title, cells);
	if (!b)
		return -1;
	for (guint i = 0; i < d->tables->len; i++) {
		const struct table *t = d->tables->pdata[i];

		write_table(b, t, t->title ? t->title : "Table", surveys->pdata[i]);
	}
	write_notes(b, d, surveys);
	return book_finish(b, out);
}

const struct renderer renderer_xlsx = {
	.name = "xlsx", .suffix = ".xlsx", .summary = "Excel workbook: typed cells, sheets, charts", .binary = true,
	.write = write_xlsx, .write_records = write_xlsx_records,
};
