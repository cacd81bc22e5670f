/* Typed tables: what the cells of a grid mean, as series of a record. */
#ifndef RTREPORT_TYPED_SERIES_H
#define RTREPORT_TYPED_SERIES_H

#include "lib/record.h"
#include "lib/tab_grid.h"
#include "lib/tab_words.h"

/* What stands around a table. */
struct typed_around {
	const char *title;   /* the heading above, or NULL */
	const char *caption; /* the paragraph above, or NULL */
	const char *below;   /* a remark just below the table, in parentheses, or NULL */
	bool general_stated; /* a sentence further up stated a unit for all */
	struct tab_unit general;
	bool ping; /* rows of ping: milliseconds */
};

/* False: no table in which, with all that stands around it, only these words were seen can measure anything. */
bool typed_block_may_measure(const struct tab_seen *seen);

struct typed;

/* Finds out what each column is. Nothing is kept of g or around beyond typed_free. */
struct typed *typed_new(const struct tab_grid *g, const struct typed_around *around);
void typed_free(struct typed *t);

/* True when the table measures something in a real-time sense. */
bool typed_measures(const struct typed *t);

/* Adds the series of all rows to r; lines are the kept ones that g's rows refer to. Returns how
 * many values were set. */
unsigned typed_series(const struct typed *t, GPtrArray *lines, struct record *r);

#endif
