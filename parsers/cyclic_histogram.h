/*
 * The histogram block of cyclictest -h, -H and cyclicdeadline --histogram: bins, a column per
 * thread, and the footer.
 *
 *     # Histogram
 *     000021 000005	000000	000005
 *     # Total: 000000414 000000493 000000907
 *     # Min Latencies: 00021 00016
 *     # Max Latencies: 00217 00240 00240
 *     # Histogram Overflows: 00086 00007 00093
 *
 * Whether a last column is the sum of the others is known only when the footer has been read, and
 * rows of many threads are wrapped by mailers: the bins are therefore kept as a stream of numbers
 * until the block ends.
 */
#ifndef RTREPORT_CYCLIC_HISTOGRAM_H
#define RTREPORT_CYCLIC_HISTOGRAM_H

#include "lib/parser.h"

enum cyclic_footer {
	FOOTER_TOTAL, FOOTER_MIN, FOOTER_AVG, FOOTER_MAX, FOOTER_OVERFLOWS, FOOTER_SMIS,
	FOOTER_ROWS
};

struct cyclic_histogram {
	struct record *record;                  /* NULL: no block is open */
	GArray *numbers;                        /* uint64_t: of all bin rows, one after another */
	GArray *rows;                           /* struct bin_row: each printed row */
	GArray *footer[FOOTER_ROWS];            /* struct number */
	unsigned line[FOOTER_ROWS];             /* where it stands; 0: nowhere */
	int tail;                               /* footer that bare numbers continue; -1 */
	unsigned lists;                         /* "# Thread n:" rows seen */
	unsigned commands;                      /* command lines seen before the block */
	bool overflowed;                        /* more numbers than are kept */
	bool max_of_all;                        /* "# Max Latency: 37 / 100": table size */
	bool repaired;                          /* a footer went on in another line */
};

/*
 * Row shapes of the block, for a parser's table. In text whose line ends were lost a row counts
 * only if nothing but the next one follows: "the # Max Latencies: 00076 row" is prose.
 */
#define CYCLIC_END "(?=\\s*(?:$|#))"
/* No group of thousands, no decimals: the tool prints none, and half of such a number is another one. */
#define CYCLIC_PLAIN "(?![\\d ]*+[.,']\\d)"
#define CYCLIC_FIGURES "[yi]e?s?:(?: +\\d++)++" CYCLIC_END
#define CYCLIC_FOOTER_SHAPE(start, full) { start, full, "[\\d ]+$", SHAPE_INNER | SHAPE_COMMENT }
#define CYCLIC_LISTS "(?: *# ?Thread \\d+:(?: +\\d++)*+(?: +# \\d++ others)?)*+"
/* The last three: a page that took the sign for markup has lost it. */
#define CYCLIC_HISTOGRAM_SHAPES \
	CYCLIC_FOOTER_SHAPE("# Histogram", "# Histogram(?: Overflows:(?: +\\d++)++" \
	                    "| Overflow at cycle number:" CYCLIC_LISTS \
	                    "|(?: +\\d{5,}+)*+)" CYCLIC_END), \
	CYCLIC_FOOTER_SHAPE("# Min Latenc[yi]e?s?: *\\d" CYCLIC_PLAIN, "# Min Latenc" CYCLIC_FIGURES), \
	CYCLIC_FOOTER_SHAPE("# Avg Latenc[yi]e?s?: *\\d" CYCLIC_PLAIN, "# Avg Latenc" CYCLIC_FIGURES), \
	CYCLIC_FOOTER_SHAPE("# Max Latenc[yi]e?s?: *\\d" CYCLIC_PLAIN, "# Max Latenc[yi]e?s?:" \
	                    "(?:(?: +\\d++)++| \\d+ / \\d++)" CYCLIC_END), \
	CYCLIC_FOOTER_SHAPE("# Total: \\d{9}", "# Total:(?: +\\d{9,}+)++" CYCLIC_END), \
	{ "Min Latencies: \\d{5}", NULL, NULL, SHAPE_INNER }, \
	{ "Avg Latencies: \\d{5}", NULL, NULL, SHAPE_INNER }, \
	{ "Max Latencies: \\d{5}", NULL, NULL, SHAPE_INNER }

/*
 * Takes the line if it belongs to a block; begins a record of `tool` at its first figures. *ended:
 * the line belongs to another block than the open one, which the caller must end
 * (cyclic_histogram_fill, emit, reset) before it offers the line again.
 */
enum verdict cyclic_histogram_line(struct parse *p, struct cyclic_histogram *h, const char *tool,
                                   const struct line *l, bool *ended);
/*
 * True when the line is a piece that repeats the footer just taken from the same line of the text:
 * it belongs to another block, which was put beside this one.
 */
bool cyclic_histogram_beside(const struct cyclic_histogram *h, const struct line *l);
/* Threads that the block tells of; 0 when it cannot be known. */
unsigned cyclic_histogram_threads(const struct cyclic_histogram *h);
/* The footer's figure of thread i, unscaled; absent when there is none. */
struct number cyclic_histogram_figure(const struct cyclic_histogram *h, enum cyclic_footer f,
                                      unsigned i);
/*
 * Puts figures and bins into the series of r (made by thread number where they are missing), times
 * 10^scale. False when the block holds nothing that can be read for certain.
 */
bool cyclic_histogram_fill(struct cyclic_histogram *h, struct record *r, int scale);
void cyclic_histogram_reset(struct cyclic_histogram *h);
void cyclic_histogram_free(struct cyclic_histogram *h);

#endif
