/*
 * Tables that people type, in any style, as rows and columns of text. What the cells mean is not
 * known here.
 *
 *   lib/tab_pipes.c   columns with separators: markdown, grids, org, wikis, AsciiDoc, one cell per
 * line lib/tab_blanks.c  columns held by blanks: with header, rule, dot leaders, flattened
 *   lib/tab_rows.c    rows typed as sentences or with slashes; CSV and TSV
 */
#ifndef RTREPORT_TAB_GRID_H
#define RTREPORT_TAB_GRID_H

#include <stdbool.h>
#include <glib.h>
#include "lib/tab_seen.h"

#define TAB_COLUMNS 200u /* wider tables are none */

/* A line that was kept. */
struct tab_line {
	const char *text, *raw; /* cleaned, tabs expanded; raw: with its tabs, may be text */
	unsigned first, last, depth; /* physical lines, quote depth */
	bool fence, foreign;	     /* a fence; a row of some tool that does not count */
	bool used;		     /* heading or row of a table that was read: says nothing of others */
	struct tab_seen seen;	     /* words of the field in it */
	bool prose;		     /* reads like a sentence, or like a line of a paragraph */
};

enum tab_grid_style {
	GRID_PIPES,
	GRID_BLANKS,
	GRID_LEADERS,
	GRID_SENTENCES,
	GRID_SLASHES,
	GRID_CELLS,
	GRID_SEPARATED
};

struct tab_grid_row {
	unsigned line;	    /* index of its line */
	unsigned section;   /* rules between rows begin a new one */
	bool rule_sections; /* the sections have borders on both sides */
	char **cell;	    /* as many as columns; "" where empty */
};

struct tab_grid {
	enum tab_grid_style style;
	unsigned columns;
	char **heading;	     /* per column, "" when none */
	char **group;	     /* heading above several columns, per column, "" when none */
	GPtrArray *rows;     /* struct tab_grid_row * */
	char *caption;	     /* stated in the table's markup, or NULL */
	char *note;	     /* a remark beside the headings, in parentheses, or NULL */
	unsigned first, end; /* lines [first, end) */
	bool headed;	     /* it has a heading at all */
	unsigned unplaced;   /* rows whose values could not be put under the headings for certain */
};

struct tab_grid *tab_grid_new(enum tab_grid_style style, unsigned columns);
void tab_grid_free(struct tab_grid *g);
/* Adds an empty row. */
struct tab_grid_row *tab_grid_add(struct tab_grid *g, unsigned line, unsigned section);
/* Replaces a cell; takes ownership of text. */
void tab_set(char **cell, char *text);

/* True when the line has nothing but blanks; nothing but marks of a rule. */
bool tab_line_blank(const struct tab_line *l);
bool tab_line_rule(const struct tab_line *l);
/* True when it is a rule with gaps: "====  =====". */
bool tab_line_rule_parts(const struct tab_line *l);
/* False: for certain the line names no statistic and no percentile. */
bool tab_line_statistic(const struct tab_line *l);
/* Notes what the text says of itself: words of the field, prose. */
void tab_line_note(struct tab_line *l);

/*
 * Each looks for a table that begins exactly at lines[at] (its heading may stand above, from
 * `floor` on). Returns NULL when there is none; then *tried (at + 1 before the call) may be set
 * further: no table of this style begins before it, so that hostile text is not read again and
 * again. On success g->end says where to go on.
 */
struct tab_grid *tab_grid_pipes(GPtrArray *lines, unsigned at, unsigned floor, unsigned *tried);
struct tab_grid *tab_grid_cell_lines(GPtrArray *lines, unsigned at, unsigned floor,
				     unsigned *tried);
struct tab_grid *tab_grid_blanks(GPtrArray *lines, unsigned at, unsigned floor, unsigned *tried);
struct tab_grid *tab_grid_sentences(GPtrArray *lines, unsigned at, unsigned floor, unsigned *tried);
struct tab_grid *tab_grid_slashes(GPtrArray *lines, unsigned at, unsigned floor, unsigned *tried);
struct tab_grid *tab_grid_separated(GPtrArray *lines, unsigned at, unsigned floor, unsigned *tried);

/* Makes a column of each statistic that one heading lists: "idle (min/avg/max)" above "3/5/37 us". */
void tab_grid_split_lists(struct tab_grid *g);

/* The next table at or after line `at`; NULL when there is none up to the end. */
struct tab_grid *tab_grid_find(GPtrArray *lines, unsigned at);

#endif
