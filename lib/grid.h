/*
 * A table as strings, for the renderers of markup and text: every text is one plain line (lib/plain.h), then escaped by
 * the format's own function.
 */
#ifndef RTREPORT_GRID_H
#define RTREPORT_GRID_H

#include "lib/table.h"

#define GRID_PAD 60             /* cells are filled up to the column's width only this far: a 1 MiB label pads no other row */

/* Escapes one plain line; caller frees. */
typedef char *(*grid_escape)(const char *plain);

struct grid {
	char *title;                    /* NULL: none */
	char **before, **notes;         /* NULL-terminated; notes begin with "(1) " where a cell refers to them */
	unsigned columns, rows;
	char **heading;                 /* with unit */
	char **group;                   /* each "" or the heading above */
	bool grouped;                   /* any group at all */
	bool *right;                    /* numbers */
	size_t *width;                  /* terminal columns of heading and cells, at most GRID_PAD */
	char ***cell;                   /* [row][column]; "" for empty */
	const struct table *table;
};

/* Borrows t. escape NULL: none. flatten: the group is put before the heading ("group: heading") and there are no groups. */
struct grid *grid_new(const struct table *t, grid_escape escape, bool flatten);
void grid_free(struct grid *g);

/* How many columns from `column` on share its group heading; 1 for a column without one. */
unsigned grid_span(const struct grid *g, unsigned column);

/* Writes text filled with blanks to `width` columns, at its right or left side. */
void grid_pad(FILE *out, const char *text, size_t width, bool right);
/* A row as "| a | b |", padded to the columns' widths. */
void grid_row(FILE *out, const struct grid *g, char *const *cells);
void grid_repeat(FILE *out, const char *text, size_t times);

/* plain_line and escape in one; caller frees. */
char *grid_text(const char *text, grid_escape escape);

/*
 * For escapes: a copy in which each byte c with map(c) non-NULL is replaced by that string (of a static buffer
 * or constant); caller frees.
 */
char *grid_replace(const char *text, const char *(*map)(char c));

/*
 * Bytes of the unit in brackets ("[us]") that begins at p, as headings have it, which is no link in any wiki; 0: none. A blank or
 * the end follows it.
 */
size_t grid_unit_len(const char *p);

/* Has text a word of two humps or more ("WikiName"), in any alphabet? Wikis make such words links. */
bool grid_camel_case(const char *text);

#endif
