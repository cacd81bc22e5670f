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
	unsigned keys;                  /* leading columns that identify a row, repeated where a table is split; 0: the leading text columns */
	GPtrArray *rows;                /* struct cell *: columns->len cells each */
	GPtrArray *notes;               /* char *: footnotes and flags, below */
	GPtrArray *figures;             /* struct figure *: drawn by renderers that can, left out by the others */
};

/* A distribution to draw below a table: the filled bins of a histogram, ascending. */
struct bar { struct number lower, upper, count; };
struct figure {
	char *title;                    /* or NULL */
	char *quantity;                 /* what lower and upper are, or NULL: not said */
	char *unit;                     /* of them; or NULL */
	GArray *bars;                   /* struct bar */
	struct number underflow, overflow;      /* counts outside the bins; may be absent */
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
/* A new figure without bars, owned by t; title and unit may be NULL. */
struct figure *table_figure(struct table *t, const char *title, const char *unit);
void figure_bar(struct figure *f, struct number lower, struct number upper, struct number count);

/*
 * Shaping, for --columns, --sort and --digits. A column is named by its heading or "group/heading"; case, and
 * '_', '-', ' ' are folded ("mode_switches" names "mode switches"). Names are separated by commas.
 *
 * document_select keeps only the named columns of each table, in the order given (a table without any of them keeps none).
 * document_sort orders the rows of each table by the named columns, descending after a '-'; the sort is stable, numbers
 * by value, text with its digit groups by value, and empty cells come last.
 * Both return NULL, or the first name that no table has (caller frees): then nothing was changed.
 * document_digits shows the numbers of columns that have a unit with `digits` digits after the point.
 */
char *document_select(struct document *d, const char *names);
char *document_sort(struct document *d, const char *names);
/* What to say of a name that those two returned, with the names there are; caller frees. */
char *document_no_column(const struct document *d, const char *name);
void document_digits(struct document *d, int digits);

/* "min [us]": heading with unit; caller frees. */
char *column_label(const struct column *c);
/* What a cell shows in text renderers: the number at the column's decimals, or its text; caller frees. Never NULL. */
char *cell_show(const struct table *t, unsigned column, const struct cell *c);

#endif
