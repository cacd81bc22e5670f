/*
 * A cell of a typed table: value, unit and remark, read exactly or not at all.
 */
#ifndef RTREPORT_TAB_CELL_H
#define RTREPORT_TAB_CELL_H

#include "lib/tab_words.h"

#define TAB_LIST 256u /* values that one cell may list (a value per core) */

enum tab_cell_kind {
	TAB_EMPTY, /* nothing, or blanks */
	TAB_NONE,  /* says that there is no value: "-", "n/a", "~" */
	TAB_VALUE,
	TAB_LISTED, /* several values: "55,62,71" */
	TAB_VAGUE,  /* a number that is no value: "< 5", "~40", "5-10", "1,234" when it can be read
		       in two ways */
	TAB_TEXT
};

/* How a table writes its numbers, as far as its other cells tell. */
enum tab_style {
	STYLE_POINT = 1 << 0,  /* some cell has a decimal point for certain */
	STYLE_COMMA = 1 << 1,  /* some cell has a decimal comma for certain */
	STYLE_GROUPS = 1 << 2, /* some cell has commas between thousands for certain */
	STYLE_CELLS = 1 << 3,  /* cells have certain borders, so that "1 234" is one number */
	STYLE_LIST = 1 << 4    /* the column holds a value per core or the like: "6,6" are two */
};

struct tab_cell {
	enum tab_cell_kind kind;
	struct number number;	      /* as printed; TAB_VALUE. Null when it has too many digits */
	struct number list[TAB_LIST]; /* TAB_LISTED */
	unsigned listed;
	int decimals; /* digits printed after the point (the most of a list) */
	bool unit_stated;
	struct tab_unit unit;
	unsigned evidence; /* enum tab_style that this cell gives */
};

/*
 * Reads the text of a cell (UTF-8, markup and blanks around it allowed). style: what is known of
 * the table's numbers. Footnote marks, remarks in parentheses, and emphasis are left out.
 */
void tab_cell_read(const char *text, unsigned style, struct tab_cell *c);
/* The same of text[0..len). */
void tab_cell_read_slice(const char *text, size_t len, unsigned style, struct tab_cell *c);

/* False: for certain the cell text[0..len) is no value and no list of values. */
bool tab_cell_may_be_value(const char *text, size_t len);
/* True when the text begins with a word that makes a number behind it vague: "about 5", "up to 7". */
bool tab_cell_vague(const char *text);

/* The text of a cell without emphasis, links, code marks, emoji and blanks around it. Caller frees.
 */
char *tab_cell_plain(const char *text);

#endif
