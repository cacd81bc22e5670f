/*
 * One run of a latency program whose rows are RTT, RTH, RTD and RTS: what the parsers of Xenomai's
 * latency and of EVL's latmus share. The parser says which lines are of its tool; this keeps the
 * run, knows where the next one begins, and makes the record.
 */
#ifndef RTREPORT_PARSERS_RT_LATENCY_H
#define RTREPORT_PARSERS_RT_LATENCY_H

#include "lib/parser.h"
#include "parsers/rt_rows.h"

/* The histograms of HSD rows, in buckets: extremes per second, and (AVG) of all samples. */
enum rt_spread { RT_SPREAD_MIN, RT_SPREAD_AVG, RT_SPREAD_MAX, RT_SPREADS };

struct rt_spread_data {
	GArray *bins;                           /* struct bin, in buckets; NULL: none */
	bool stats;                             /* an HSS row was seen */
	bool cut;                               /* a bin was lost */
	struct number count, mean, stddev;      /* the latter two in buckets */
};

/* A histogram in a file for gnuplot. */
struct rt_plot {
	enum { RT_PLOT_NONE, RT_PLOT_HEAD, RT_PLOT_ROWS, RT_PLOT_DONE } at;
	GArray *bins;                           /* struct bin, as printed: lower is x, count is y */
	bool plus; /* the last cell is marked "+": it holds all larger values too */
};

struct rt_latency {
	struct record *record;                  /* NULL: no run is open */
	struct series *series;
	const char *tool;
	bool other;                             /* the last header was of another program's table */
	bool banner;                            /* its start lines were seen */
	bool microseconds;                      /* "All results in microseconds" */
	bool klat;                              /* titles of klatency */
	enum { RT_UNIT_UNKNOWN, RT_UNIT_US, RT_UNIT_NS } unit;
	bool loose; /* decimals were dropped on the way: their number proves nothing */
	struct rt_titles titles;
	bool header;                            /* a header came since the last row, */
	unsigned header_line;                   /* … in this line */
	bool foreign, blank; /* text of others, a blank line came since the last row */
	bool adjacent;                          /* the line before was of this run */
	unsigned row_line;                      /* where the last row ended */
	unsigned commands;                      /* command lines seen when the last row came */
	const char *banner_mode, *row_mode;     /* constants, or NULL */
	struct number period;                   /* µs, of the last RTT row */
	long clock;                             /* seconds, of the last RTT row; -1 */
	unsigned rows;
	struct number best, worst, overruns, mode_switches;     /* of the last row that had them */
	bool summary;                           /* RTS */
	struct number rts[5];                   /* its min, avg, max, overruns, mode switches */
	long elapsed;                           /* seconds that RTS says; -1 */
	struct rt_spread_data spread[RT_SPREADS];
	enum rt_spread listed; /* whose bins come, in tables where the name stands above them */
	bool listing;
	struct rt_plot plot;
};

/* Whether the open run has values already. */
bool rt_has_values(const struct rt_latency *run);
/* Opens a run of `tool` (a constant) at line l, if none is open. */
void rt_open(struct parse *p, struct rt_latency *run, const char *tool, const struct line *l);
/* Ends the run: its record is emitted, or dropped if it has no values. Frees what the run owns. */
void rt_close(struct parse *p, struct rt_latency *run);

/* An RTT row; mode as a constant, or NULL; period in µs or absent. */
void rt_take_time(struct parse *p, struct rt_latency *run, const char *tool, const struct line *l,
                  long clock, const char *mode, struct number period_us, struct number priority);
/* An RTH row: false when it is the header of another program's table (which ends the run). */
bool rt_take_header(struct parse *p, struct rt_latency *run, const char *tool, const struct line *l,
                    const struct rt_row *row);
/* An RTD or RTS row; false when it cannot be one of this table. */
bool rt_take_data(struct parse *p, struct rt_latency *run, const char *tool, const struct line *l,
                  const struct rt_row *row);
bool rt_take_summary(struct parse *p, struct rt_latency *run, const char *tool,
                     const struct line *l, const struct rt_row *row);
/* Whether a summary of these extremes (ns) can be of the open run. */
bool rt_is_summary_of(const struct rt_latency *run, struct number min, struct number max);
/*
 * Stores a summary that was printed in another form: minimum, average, maximum (ns), overruns, mode
 * switches.
 */
void rt_set_summary(struct rt_latency *run, struct number values[5]);
/* An HSD or HSS row of the latency program; false for the one of switchbench. */
bool rt_take_bin(struct parse *p, struct rt_latency *run, const char *tool, const struct line *l,
                 const struct rt_row *row);
bool rt_take_stats(struct parse *p, struct rt_latency *run, const char *tool, const struct line *l,
                   const struct rt_row *row);
/* Rows were left out here. False when that says nothing about this run. */
bool rt_take_ellipsis(struct rt_latency *run);
/* A line that is not of this run. */
void rt_pass_line(struct rt_latency *run, const struct line *l);

/* The extremes of the run as far as known: of its summary, else the last best and worst. */
void rt_extremes(const struct rt_latency *run, struct number *min, struct number *max);

/*
 * Gnuplot files (parsers/rt_plot.c). rt_plot_row takes a row "x y" if one is expected.
 * rt_plot_finish makes the histogram of the rows and returns the width of its bins in ns; absent
 * when there is none.
 */
bool rt_plot_row(struct parse *p, struct rt_latency *run, const struct line *l);
struct number rt_plot_finish(struct rt_latency *run);

/* "00:01:40" in seconds. */
long rt_clock(struct slice hours, struct slice minutes, struct slice seconds);
/* A number from a slice; absent if it is none. */
struct number rt_number(struct slice s, int scale);

/* Shapes of the rows, for both parsers. */
#define RT_FULL_DATA \
	"R?TD\\** *" RT_BAR "\\s*(?:\\^C\\s*)?(?:" \
	"(?:" RT_VALUE RT_NEXT "){6}" RT_VALUE RT_TAIL \
	"|(?:" RT_VALUE RT_NEXT "){4}" RT_DECIMAL RT_NEXT RT_VALUE RT_TAIL \
	"|(?:" RT_INTEGER RT_NEXT "){5}" RT_INTEGER RT_STOP \
	"|(?:" RT_INTEGER RT_NEXT "){3}" RT_INTEGER RT_STOP ")"
#define RT_FULL_SUMMARY \
	"RTS\\** *" RT_BAR "\\s*(?:" RT_VALUE RT_NEXT \
	"){4,5}\\d+:\\d\\d:\\d\\d/\\d+:\\d\\d:\\d\\d" RT_TAIL "|RTS\\** *" RT_BAR \
	"\\s*(?:" RT_VALUE RT_NEXT "){3}\\d+" RT_STOP
#define RT_FULL_HEADER \
	"RTH\\** *" RT_BAR "[-\\s\\w|.]{0,120}?(?:lat ?worst|overruns?(?![\\s\\w|-]))" RT_TAIL

#endif
