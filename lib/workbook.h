/*
 * XLSX workbooks (libxlsxwriter stays behind this header, formats/xlsx.c draws charts with it).
 *
 * Cells are typed: text is always a string, never a formula; numbers are numbers. Rows are written in order, and above
 * BOOK_CONSTANT_CELLS in constant memory. Nothing in a file depends on the clock when SOURCE_DATE_EPOCH is set.
 */
#ifndef RTREPORT_WORKBOOK_H
#define RTREPORT_WORKBOOK_H

#include "lib/lazy_xlsx.h"
#include "lib/table.h"

#define BOOK_CONSTANT_CELLS 500000u     /* bigger workbooks are written in constant memory (strings not shared) */
#define BOOK_SHEET_ROWS (LXW_ROW_MAX - 1u)      /* below the heading; more continue on another sheet */

#define SHEET_LINKS 65000u      /* a sheet holds no more links */

struct book;

/* `title` becomes a document property. NULL with errno set. */
struct book *book_new(const char *title, uint64_t cells);
/* Closes the workbook, copies it to out, frees b. 0, or -1 with errno set. */
int book_finish(struct book *b, FILE *out);
/* Frees b; nothing is written. */
void book_abandon(struct book *b);
lxw_workbook *book_workbook(struct book *b);

/* A sheet name as Excel allows it: at most 31 characters, none of []:*?/\, no apostrophe at the ends, used by no other. Owned by b. */
const char *book_sheet_name(struct book *b, const char *wanted);

/* What is known of a table's columns before its first row is written. */
struct survey {
	const struct table *header;     /* borrowed */
	bool *used;                     /* any row fills it */
	int *decimals;                  /* to show */
	size_t *width;                  /* of the widest cell, in characters, at most 60 */
	uint64_t rows;
};
struct survey *survey_new(const struct table *header);
void survey_free(struct survey *s);
void survey_row(const struct cell *row, void *survey);  /* for long_table_rows */
void survey_all(struct survey *s);                      /* columns stay, filled or not */
uint64_t survey_cells(const struct survey *s);

/*
 * A table as a sheet: heading, filter, frozen first row, column widths. It stays valid until the book ends. The survey is borrowed until
 * the last row.
 */
struct sheet;
struct sheet *book_add_table(struct book *b, const char *name, const struct survey *survey);
void sheet_row(const struct cell *row, void *sheet);    /* for long_table_rows */
/* After the last row. */
void sheet_finish(struct sheet *s);
/*
 * Links the cells of a column to rows of another sheet, row by row, before the first row is written: targets holds that row (uint64_t,
 * from 0) for each; beyond SHEET_LINKS there are none.
 */
void sheet_link(struct sheet *s, const char *heading, const struct sheet *to, const GArray *targets);

/* Where row `row` (from 0, below the heading) is: the sheet's name and the row there. */
const char *sheet_place(const struct sheet *s, uint64_t row, lxw_row_t *at);
/* Index of a column in the sheet by its heading (without unit); -1: it is not there. */
int sheet_column(const struct sheet *s, const char *heading);
lxw_worksheet *sheet_first(const struct sheet *s);

#endif
