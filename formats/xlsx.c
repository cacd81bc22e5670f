/*
 * XLSX: of records the sheets Results (a row per series), Samples, Histograms, Environment, Sources, Compare and
 * Charts; of a document a sheet per table, and Notes. Readers find each value typed, in the unit of its heading.
 *
 * Records come one by one and none is kept: the rows of each sheet wait in a temporary file until the widths of its columns are known.
 */
#include <errno.h>
#include <string.h>
#include "lib/chart_sheet.h"
#include "lib/overview.h"
#include "lib/renderer.h"
#include "lib/report_long.h"
#include "lib/row_spool.h"
#include "lib/workbook.h"

enum { RESULTS, SAMPLES, HISTOGRAMS, ENVIRONMENT, SOURCES, FORMS };
static const enum report_form forms[FORMS] = {
	REPORT_LONG, REPORT_SAMPLES, REPORT_HISTOGRAMS, REPORT_ENVIRONMENT, REPORT_SOURCES
};

/* A sheet in the making. */
struct part {
	struct long_table *table;       /* NULL: this sheet is not asked for */
	struct survey *survey;
	struct row_spool *rows;
	struct sheet *sheet;
};

struct workbook {
	const struct report_options *report;
	FILE *out;
	GPtrArray *none;                /* no records: they come one by one */
	struct part parts[FORMS];
	bool whole;                     /* all sheets, not one table with chosen columns */
	GArray *sources;                /* uint64_t: for each row of Results the record's row in Sources, as far as there are links */
	struct overview *overview;
	struct chart_sheet *charts;
	struct book *book;
	struct document *compared;      /* or NULL */
	GPtrArray *compared_surveys, *compared_sheets;  /* of its tables */
};

/* ---- gathering ---- */

static void show_digits(struct table *header, const struct report_options *o)
{
	for (guint c = 0; o->has_digits && c < header->columns->len; c++) {
		struct column *col = &g_array_index(header->columns, struct column, c);

		if (col->kind == COLUMN_NUMBER && col->unit)
			col->decimals = o->digits;
	}
}

/* False when a chosen column is none. */
static bool begin_part(struct workbook *w, struct part *p, enum report_form form)
{
	struct table *header;
	g_autofree char *bad = NULL;

	p->table = long_table_new(form, w->none, w->report);
	if (w->report->columns)
		bad = long_table_select(p->table, w->report->columns);
	header = long_table_header(p->table);
	show_digits(header, w->report);
	p->survey = survey_new(header);
	p->rows = row_spool_new(header->columns->len);
	return !bad;
}

static void workbook_free(struct workbook *w)
{
	for (unsigned i = 0; i < FORMS; i++) {
		long_table_free(w->parts[i].table);
		survey_free(w->parts[i].survey);
		row_spool_free(w->parts[i].rows);
	}
	g_ptr_array_unref(w->none);
	g_array_unref(w->sources);
	overview_free(w->overview);
	chart_sheet_free(w->charts);
	document_free(w->compared);
	g_ptr_array_unref(w->compared_surveys);
	g_ptr_array_unref(w->compared_sheets);
	g_free(w);
}

static void *begin_xlsx(const struct render_options *o, FILE *out)
{
	static const struct report_options defaults;
	struct workbook *w = g_new0(struct workbook, 1);
	bool ok = true;

	w->report = o->report ? o->report : &defaults;
	w->out = out;
	w->none = g_ptr_array_new();
	w->sources = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	w->compared_surveys = g_ptr_array_new_with_free_func((GDestroyNotify)survey_free);
	w->compared_sheets = g_ptr_array_new();
	w->whole = w->report->form == REPORT_RESULTS && !w->report->columns;
	for (unsigned i = 0; i < FORMS; i++)
		if (w->whole || forms[i] == w->report->form || (i == RESULTS && w->report->form == REPORT_RESULTS))
			ok &= begin_part(w, &w->parts[i], forms[i]);
	if (w->whole) {
		w->overview = overview_new();
		w->charts = chart_sheet_new(long_table_unit(w->parts[RESULTS].table));
	}
	if (ok)
		return w;
	workbook_free(w);
	errno = EINVAL;
	return NULL;
}

static void keep_row(const struct cell *row, void *data)
{
	struct part *p = data;

	survey_row(row, p->survey);
	row_spool_add(p->rows, row);
}

static void put_record(void *stream, const struct record *r)
{
	struct workbook *w = stream;

	if (w->whole) {
		uint64_t row = w->parts[SOURCES].survey->rows;

		for (guint i = 0; i < r->series->len && w->sources->len < SHEET_LINKS; i++)
			g_array_append_val(w->sources, row);
		overview_add(w->overview, r);
		chart_sheet_record(w->charts, r, w->parts[HISTOGRAMS].survey->rows, w->parts[SAMPLES].survey->rows);
	}
	for (unsigned i = 0; i < FORMS; i++)
		if (w->parts[i].table)
			long_table_record(w->parts[i].table, r, keep_row, &w->parts[i]);
}

/* ---- writing ---- */

/* The greatest maximum is worth a look. */
static void mark_worst(struct workbook *w)
{
	int column = sheet_column(w->parts[RESULTS].sheet, "max");
	lxw_worksheet *sheet = sheet_first(w->parts[RESULTS].sheet);
	lxw_row_t last = (lxw_row_t)MIN(w->parts[RESULTS].survey->rows, BOOK_SHEET_ROWS);

	if (column < 0 || last < 2 || !sheet)
		return;
	lxw_format *format = workbook_add_format(book_workbook(w->book));
	format_set_bg_color(format, 0xf8dcdc);
	lxw_conditional_format rule = {
		.type = LXW_CONDITIONAL_TYPE_TOP, .value = 1, .format = format,
	};
	worksheet_conditional_format_range(sheet, 1, (lxw_col_t)column, last, (lxw_col_t)column, &rule);
}

/* 0, or -1 when not all rows could be read back. */
static int write_sheets(struct workbook *w)
{
	int status = 0;

	/* The first sheet is the first that a reader sees; Sources must exist before cells link to it. */
	for (unsigned i = 0; i < FORMS; i++) {
		struct part *p = &w->parts[i];

		if (p->table && (p->survey->rows || i == RESULTS || i == SOURCES))
			p->sheet = book_add_table(w->book, report_form_title(forms[i]), p->survey);
	}
	if (w->whole)
		sheet_link(w->parts[RESULTS].sheet, "id", w->parts[SOURCES].sheet, w->sources);
	for (unsigned i = 0; i < FORMS; i++) {
		if (!w->parts[i].sheet)
			continue;
		status |= row_spool_each(w->parts[i].rows, sheet_row, w->parts[i].sheet);
		sheet_finish(w->parts[i].sheet);
	}
	if (w->parts[RESULTS].sheet)
		mark_worst(w);
	return status;
}

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

static void survey_compared(struct workbook *w)
{
	w->compared = w->overview ? overview_document(w->overview, w->report->unit) : NULL;
	for (guint i = 0; w->compared && i < w->compared->tables->len; i++)
		g_ptr_array_add(w->compared_surveys, survey_table(w->compared->tables->pdata[i]));
}

static void write_compared(struct workbook *w)
{
	for (guint i = 0; w->compared && i < w->compared->tables->len; i++)
		g_ptr_array_add(w->compared_sheets, write_table(w->book, w->compared->tables->pdata[i], "Compare",
		                                                w->compared_surveys->pdata[i]));
	if (w->compared)
		write_notes(w->book, w->compared, w->compared_surveys);
}

static uint64_t count_cells(const struct workbook *w)
{
	uint64_t cells = 0;

	for (unsigned i = 0; i < FORMS; i++)
		cells += w->parts[i].survey ? survey_cells(w->parts[i].survey) : 0;
	for (guint i = 0; i < w->compared_surveys->len; i++)
		cells += survey_cells(w->compared_surveys->pdata[i]);
	return cells;
}

static int write_book(struct workbook *w)
{
	int status = write_sheets(w), error = errno;

	write_compared(w);
	if (w->charts && !w->report->no_figures)
		chart_sheet_write(w->charts, w->book, &(struct chart_sources){
			w->parts[HISTOGRAMS].sheet, w->parts[SAMPLES].sheet, w->compared, w->compared_sheets });
	if (!status)
		return book_finish(w->book, w->out);
	book_abandon(w->book);
	errno = error;
	return -1;
}

static int end_xlsx(void *stream)
{
	struct workbook *w = stream;
	int status = -1;

	survey_compared(w);
	/* Columns that were asked for stay, filled or not. */
	for (unsigned i = 0; w->report->columns && i < FORMS; i++)
		if (w->parts[i].survey)
			survey_all(w->parts[i].survey);
	w->book = book_new(w->report->title, count_cells(w));
	if (w->book)
		status = write_book(w);
	int error = errno;
	workbook_free(w);
	errno = error;
	return status;
}

/* What "auto" comes to over all records. */
static const char *common_unit(const GPtrArray *records, const struct report_options *o)
{
	struct long_table *all = long_table_new(REPORT_LONG, records, o);
	const char *unit = long_table_unit(all);

	long_table_free(all);
	return unit;
}

static int write_xlsx_records(GPtrArray *records, const struct render_options *o, FILE *out)
{
	struct report_options report = o->report ? *o->report : (struct report_options){ 0 };
	struct render_options options = *o;

	if (!g_strcmp0(report.unit, "auto"))
		report.unit = common_unit(records, &report);
	options.report = &report;
	struct workbook *w = begin_xlsx(&options, out);
	for (guint i = 0; w && i < records->len; i++)
		put_record(w, records->pdata[i]);
	return w ? end_xlsx(w) : -1;
}

/* ---- documents ---- */

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
	.name = "xlsx", .suffix = ".xlsx", .summary = "Excel workbook: typed cells, sheets, charts",
	.media = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", .binary = true,
	.write = write_xlsx, .write_records = write_xlsx_records, .shows_samples = true, .selects = true,
	.begin = begin_xlsx, .record = put_record, .end = end_xlsx,
};
