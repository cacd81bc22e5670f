/*
 * The table model: what show, diff, compare, aggregate and render make, and what every renderer writes.
 * A document is a list of tables with text between them.
 */
#ifndef RTREPORT_TABLE_H
#define RTREPORT_TABLE_H

#include <stdio.h>
#include <glib.h>
#include "lib/number.h"

enum column_kind { COLUMN_TEXT, COLUMN_NUMBER };
enum cell_mark { MARK_NONE, MARK_BEST, MARK_WORST, MARK_BETTER, MARK_WORSE, MARK_WARN };

struct column {
	char *heading;                  /* without unit */
	char *group;                    /* heading above several columns, or NULL */
	char *unit;                     /* of its numbers, shown in the heading only: "us", "ns", "%"; or NULL */
	enum column_kind kind;
	int decimals;                   /* digits after the point to show; -1: as they are */
};

struct cell {
	char *text;                     /* text cells, and what to show for an absent number; NULL: empty */
	struct number number;           /* number cells, in the column's unit */
	enum cell_mark mark;
	int footnote;                   /* 1-based index into the table's notes; 0: none */
	char *link;                     /* origin (message, file:line), or NULL */
};

struct table {
	char *title;                    /* or NULL */
	GPtrArray *before;              /* char *: facts above the table (environment, command), one a line */
	GArray *columns;                /* struct column */
	GPtrArray *rows;                /* struct cell *: columns->len cells each */
	GPtrArray *notes;               /* char *: footnotes and flags, below */
};

struct document { char *title; GPtrArray *tables; };    /* struct table * */

struct document *document_new(const char *title);
void document_free(struct document *d);
struct table *document_add(struct document *d, const char *title);      /* owned by d */

/* Strings are copied; group and unit may be NULL. Columns before rows. Returns the column's index. */
unsigned table_column(struct table *t, const char *heading, const char *group, const char *unit, enum column_kind kind, int decimals);
/* A new row of empty cells; the pointer lives until the table is freed. */
struct cell *table_row(struct table *t);
void cell_text(struct cell *c, const char *text);
void cell_number(struct cell *c, struct number n);
unsigned table_note(struct table *t, const char *format, ...) G_GNUC_PRINTF(2, 3);     /* its 1-based index */
void table_before(struct table *t, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* "min [us]": heading with unit; caller frees. */
char *column_label(const struct column *c);
/* What a cell shows in text renderers: the number at the column's decimals, or its text; caller frees. Never NULL. */
char *cell_show(const struct table *t, unsigned column, const struct cell *c);

#endif
