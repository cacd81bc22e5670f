/* What the files of the plots share; not for others. */
#ifndef RTREPORT_PLOT_INTERNAL_H
#define RTREPORT_PLOT_INTERNAL_H

#include "lib/plot.h"

#define PLOT_MAX_FILLED 3u      /* areas that lie over each other and can still be told apart */

struct curve {
	const struct subject *of;       /* the record */
	const struct series *series;
	int exp10;                      /* to the plot's unit */
	char *name;
};

struct plot {
	enum plot_kind kind;
	const struct plot_options *options;
	GArray *curves;                 /* struct curve */
	const char *unit;               /* of all curves; NULL: none, or not known */
	struct number step;             /* of histograms, see plot_step */
	char *title, *facts;            /* facts: what all curves share, "" when nothing */
	guint left_out;                 /* series that are not drawn since they are too many */
	GPtrArray *notes;
};

/* Names the curves by what tells them apart; sets title and facts by what they share. */
void plot_name_curves(struct plot *p);

/*
 * The curve's data as rows of a data block; "?" where there is no number. Rows of samples are
 * gathered to `per` a row.
 */
void plot_data(const struct plot *p, const struct curve *c, GString *out);

/*
 * The step into which the bins of histograms are gathered where they are too many for a picture, a
 * round number in the plot's unit, the same for all curves; counts stay exact. Absent: bins are
 * drawn one by one.
 */
struct number plot_step(const struct plot *p);

/* The greatest count that is drawn in a histogram. Only a place on the axis. */
double plot_greatest_count(const struct plot *p);

/* Where the bins of all histograms begin and end, and the width of the narrowest; false when that is not known. */
struct span { struct number first, last, width; };
bool plot_span(const struct plot *p, struct span *out);

/* The columns of samples that are drawn, FIELD_END for none: lowest, middle, highest. */
struct sample_columns { enum field low, middle, high; };
struct sample_columns plot_sample_columns(const struct series *s);
/* How many rows become one, so that no more are drawn than a picture can show. */
guint plot_rows_a_point(const struct series *s);

static inline const struct curve *plot_curve(const struct plot *p, guint i)
{
	return &g_array_index(p->curves, struct curve, i);
}

#endif
