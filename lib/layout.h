/*
 * Tables as aligned text within a width: for terminals and for mail.
 *
 * A table that is too wide first gets narrower text columns (their cells wrap), then is split into blocks of columns below each
 * other, each of which repeats the leading text columns. In mail, a table whose cells wrap, or whose leading columns are too wide to
 * repeat, gets row numbers first, which then stand for those columns. A word that is broken ends its line with a backslash.
 * Outside of mail headings of numbers are broken at blanks where that spares room, numbers never; what a block leaves of the line
 * goes back to what had been narrowed.
 */
#ifndef RTREPORT_LAYOUT_H
#define RTREPORT_LAYOUT_H

#include "lib/table.h"

struct layout {
	unsigned width;                 /* columns of the output; 0: unlimited */
	bool colour;                    /* escape sequences for titles and marks */
	bool utf8;                      /* block elements in figures; else ASCII only in what is drawn */
	bool mail;                      /* no line that mail would change: "From ", ">", "-- " */
	unsigned cell_lines;            /* a wrapped cell is cut after so many, with "…" */
};

/* Whole document: title, then for each table title, facts, rows, notes, figures. */
void layout_document(const struct document *d, const struct layout *l, FILE *out);

#endif
