/*
 * Rows of a table kept outside memory, to be read back in order: what is known of a table's columns only after its last row (which are
 * used, how wide, how many digits) must be known before its first row is written.
 */
#ifndef RTREPORT_ROW_SPOOL_H
#define RTREPORT_ROW_SPOOL_H

#include "lib/table.h"

struct row_spool;
/* For rows of `columns` cells. */
struct row_spool *row_spool_new(unsigned columns);
/* NULL is fine. */
void row_spool_free(struct row_spool *s);
/* Keeps numbers and texts of the cells, not their marks, footnotes and links. */
void row_spool_add(struct row_spool *s, const struct cell *row);
/* All rows, in order; a row lives until `each` returns. 0, or -1 with errno set when not all rows could be kept or read back. */
int row_spool_each(struct row_spool *s, void (*each)(const struct cell *row, void *data), void *data);

#endif
