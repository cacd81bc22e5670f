/*
 * Rows "RTD|  1.234|  5.678|": the layout that the Xenomai, EVL and RTAI test programs share. At
 * least twelve different tables use these prefixes, so a row means nothing without its header or
 * its form. This is what their parsers have in common; which table it is, each decides for itself.
 */
#ifndef RTREPORT_PARSERS_RT_ROWS_H
#define RTREPORT_PARSERS_RT_ROWS_H

#include "lib/number.h"
#include "lib/pattern.h"

#define RT_MAX_CELLS 40u

/* Pieces of row shapes. A bar may be '|', a broken bar or a drawn line, or two; wikis add stars. */
#define RT_BAR "[|\\xc2\\xe2][\\xa6\\x94]?\\x82?\\|?"
#define RT_INTEGER "(?:\\^C *)?-?\\d+"
#define RT_DECIMAL "(?:\\^C *)?-?\\d+[.,]\\d+"
#define RT_VALUE "(?:\\^C *)?-?\\d+(?:[.,]\\d+)?"
#define RT_NEXT "\\s*" RT_BAR "\\s*(?:\\^C\\s*)?"
/* Empty cells that wikis and spreadsheets add at the end. */
#define RT_TAIL "(?:\\s*" RT_BAR ")*"
/* Not followed by more of the row. */
#define RT_STOP "(?![\\d.,]|\\s*" RT_BAR ")"
/* The begin of a row of kind K (letters) that has a number in its first cell. */
#define RT_START(K) K "\\** *" RT_BAR "[\\s^C]*-?\\d"
/* What may stand on a line that goes on with a row of numbers, or with a header. */
#define RT_MORE_NUMBERS "[-\\s|.,:/\\d]+$"
#define RT_MORE_TITLES \
	"(?:[-\\s|]|k?lat|min|avg|max|overruns?|msw|best|worst|ovl|freq\\.cntr|jit|fast|slow|" \
	"lost|cpu|ctx|switches|total)+$"

enum rt_kind {
	RT_NONE,
	RT_TIME,                /* RTT: time since the start, mode, period */
	RT_HEADER,              /* RTH */
	RT_DATA,                /* RTD */
	RT_SUMMARY,             /* RTS */
	RT_BIN,                 /* HSD: a histogram bin */
	RT_STATS_HEADER,        /* HSH */
	RT_STATS,               /* HSS */
	RT_RULE                 /* ---|---- */
};

struct rt_row {
	enum rt_kind kind;
	unsigned cells; /* without empty ones at the end; at most RT_MAX_CELLS */
	struct slice cell[RT_MAX_CELLS];        /* trimmed; they point into the text */
	bool closed;                            /* a bar ends the last cell: it is whole */
};

/*
 * Splits text into cells, if a row of these tables begins there (blanks, bars, stars and an echoed
 * ^C may stand before). `text` must outlive row.
 */
bool rt_row_read(const char *text, size_t len, struct rt_row *row);
/* Splits any line with bars into cells, the first one included; false: no bar. The kind is RT_NONE.
 */
bool rt_cells_read(const char *text, size_t len, struct rt_row *row);

/* Titles of columns. */
enum rt_title {
	RT_UNKNOWN,
	RT_MIN,
	RT_AVG,
	RT_MAX,
	RT_OVERRUNS,
	RT_MSW,
	RT_BEST,
	RT_WORST,
	RT_OVL_MIN,
	RT_OVL_MAX,
	RT_FREQUENCY,
	RT_JITTER_FAST,
	RT_JITTER_SLOW,
	RT_LOST,
	RT_CPU,
	RT_SWITCHES,
	RT_TOTAL
};
#define RT_HAS(title) (1u << (title))

struct rt_titles {
	unsigned n;
	enum rt_title title[RT_MAX_CELLS];
	unsigned has;           /* RT_HAS() of each */
	bool klat;              /* "klat min": of klatency */
};

/* The titles of a header's cells. */
void rt_titles_read(const struct rt_row *row, struct rt_titles *titles);

/* A cell as a number. */
struct rt_value {
	struct number
		number; /* absent when the cell holds none; null when it is "nan" or too long */
	int decimals;           /* printed after the point */
	bool clean;             /* nothing else stands in the cell */
};
/* scale as in number_parse. An echoed ^C before or behind the number does not count. */
struct rt_value rt_value_read(struct slice cell, int scale);
/* A count: an integer without a point; absent otherwise. */
struct number rt_count_read(struct slice cell);

/* A row of dots, "[...]", "[snip]": here rows were left out. */
bool rt_is_ellipsis(const char *text, size_t len);

#endif
