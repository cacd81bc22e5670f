/*
 * Pictures of records: what is drawn, chosen from what the records have, as a gnuplot script that
 * holds its data.
 *
 *   histogram   samples per bin over the latency, counts on a logarithmic axis
 *   tail        the share of samples at or above a latency, on a logarithmic axis
 *   samples     the rows over time: minimum to maximum as a band, the average in it
 *   bars        minimum, average and maximum, a bar a series
 *
 * The numbers in the script are those of the records, scaled exactly. Texts stand in single quotes,
 * in which gnuplot neither runs nor replaces anything, and are plain lines.
 */
#ifndef RTREPORT_PLOT_H
#define RTREPORT_PLOT_H

#include "lib/keys.h"

enum plot_kind { PLOT_AUTO, PLOT_HISTOGRAM, PLOT_TAIL, PLOT_SAMPLES, PLOT_BARS };

struct plot_options {
	enum plot_kind kind;
	const char *unit;               /* of times: "us" (NULL), "ns", "ms", "s", "auto" */
	const char *title;              /* NULL: from the records */
	const GPtrArray *names;         /* struct key *: curves are named by; NULL: what differs */
	unsigned width, height;         /* pixels; 0: as it needs */
};

struct plot;

/*
 * records: struct subject whose series are NULL. They and the options must live as long as the
 * plot. NULL with *error (caller g_frees) when no series has what the kind shows.
 */
struct plot *plot_new(const GArray *records, const struct plot_options *o, char **error);
void plot_free(struct plot *p);

/* What was left out, in words (char *); owned by p. */
const GPtrArray *plot_notes(const struct plot *p);

/*
 * The whole script for gnuplot's terminal "svg" or "pngcairo", which draws on standard output.
 * Caller g_frees.
 */
char *plot_script(const struct plot *p, const char *terminal);

#endif
