/*
 * The record: one result is one run of one tool on one system. This is the
 * model of formats/result.schema.json, which is the normative text.
 *
 * Ownership: a record owns everything that hangs from it. Strings live in the
 * record's own arena (record_text) or are string constants; nothing is freed
 * one by one, record_free ends all. Numbers are in the series' unit.
 */
#ifndef RTREPORT_RECORD_H
#define RTREPORT_RECORD_H

#include <glib.h>
#include "lib/number.h"

#define RECORD_SCHEMA "rtreport/1"
#define RECORD_MAX_SAMPLES 100000u      /* rows kept per series unless --samples=all */
#define SERIES_MAX_COLUMNS 20u          /* columns of samples: each field at most once */

/* A value's place. Up to FIELD_SERIES_END a series may have it; samples may have any. */
enum field {
	FIELD_MIN, FIELD_AVG, FIELD_MAX, FIELD_LAST, FIELD_STDDEV, FIELD_MDEV, FIELD_VALUE,
	FIELD_COUNT, FIELD_OVERRUNS, FIELD_MODE_SWITCHES,
	FIELD_SERIES_END,
	FIELD_BEST = FIELD_SERIES_END, FIELD_WORST, FIELD_JITTER_FAST, FIELD_JITTER_SLOW,
	FIELD_INNER, FIELD_OUTER, FIELD_CYCLE, FIELD_SMI, FIELD_TIME,
	FIELD_END
};
const char *field_name(enum field f);           /* "min", "mode_switches", …: the JSON key */
/* FIELD_END when the name is none. */
enum field field_from_name(const char *name);
/* Counts (count, overruns, mode_switches, cycle, smi) have no unit. */
bool field_is_count(enum field f);

/* A label or setting: text, or a number when text is NULL. */
struct fact {
	const char *key;
	const char *text;
	struct number number;
	unsigned line;                          /* where it was stated; 0: not known */
};

struct bin { struct number lower, upper, count; };      /* upper only when bin_width is not set */

struct histogram {
	struct number bin_width;                /* null: bins of unequal width */
	GArray *bins;                           /* struct bin, filled bins only, ascending (see histogram_sort) */
	struct number underflow, overflow;
	uint64_t moved;                         /* bins moved by histogram_add so far */
};

struct interval_stats {                         /* of the extremes per row (Xenomai HSS min, max) */
	struct number count, avg, stddev;
	struct histogram *histogram;            /* or NULL */
};

struct percentile { const char *key; struct number value; };

/*
 * What this version does not know, kept as it was: raw JSON. key is its place as a JSON Pointer relative to the owner,
 * without the first '/': "x_note", "environment/x_room", "samples/3/x_temperature".
 */
struct extra { const char *key, *json; };

/* Rows over time. Row i is values[i * columns …] and line[i]. */
struct samples {
	unsigned columns;
	enum field column[SERIES_MAX_COLUMNS];
	GArray *values;                         /* struct number */
	GArray *lines;                          /* unsigned */
	uint64_t rows;                          /* seen, kept or not */
	/* Of all rows, also those that were left out: */
	struct number least, greatest;          /* of the columns min (or value), max (or value) */
	struct number_sum *avg_sum;             /* of the column avg (or value) */
	uint64_t avg_rows;
};

struct series {
	const char *name;
	unsigned line;                          /* where it was printed; 0 when not known */
	GArray *labels;                         /* struct fact */
	const char *quantity;                   /* NULL means "latency" */
	const char *unit;                       /* NULL: not known */
	struct number resolution;
	struct number field[FIELD_SERIES_END];
	struct samples *samples;                /* or NULL */
	struct histogram *histogram;            /* or NULL */
	struct interval_stats *minima, *maxima; /* or NULL */
	GArray *percentiles;                    /* struct percentile, or NULL */
	/* Merged records only: */
	struct number_sum *sum, *weight;        /* of avg; NULL when there was none */
	const char *min_source, *max_source;
	GArray *extras;                         /* struct extra, or NULL */
};

struct source {
	const char *file, *part;                /* part: of a message, archive or page; or NULL */
	unsigned first, last;                   /* lines, 1-based; 0: not known */
	const char *message_id, *from, *date, *subject, *list;
	unsigned quote_depth;
	unsigned copies;
	GArray *extras;
};

/* The registry of flag codes; new ones go into the schema first. */
enum flag_code {
	FLAG_ROW_TRUNCATED, FLAG_ROW_REPAIRED, FLAG_ROWS_MISSING, FLAG_SAMPLES_OMITTED, FLAG_NO_SAMPLES,
	FLAG_INTERRUPTED, FLAG_OUT_OF_RANGE, FLAG_AVG_OUT_OF_RANGE, FLAG_WORST_MISMATCH,
	FLAG_SUMMARY_MISMATCH, FLAG_BINS_MISMATCH, FLAG_MODE_CONFLICT, FLAG_UNIT_ASSUMED, FLAG_DERIVED,
	FLAG_QUOTED_ONLY, FLAG_CHARSET_GUESSED, FLAG_USER_SET, FLAG_ENVIRONMENT_CONFLICT,
	FLAG_CODES
};
const char *flag_code_name(enum flag_code c);           /* "row-truncated" */
const char *flag_code_meaning(enum flag_code c);        /* one plain sentence for people */
struct flag { const char *code, *where, *text; };       /* code as a name: unknown ones are kept */

enum record_kind { RECORD_RUN, RECORD_MERGED };

struct record {
	GStringChunk *arena;
	enum record_kind kind;
	char id[17];                            /* "" until record_seal */
	const char *tool, *mode, *title, *command;
	GArray *settings;                       /* struct fact: period_ns, priority, policy, duration_s, loops, threads */
	GArray *environment;                    /* struct fact, text only: board, cpu, … */
	GArray *config;                         /* struct fact, text only: environment.config */
	GPtrArray *series;                      /* struct series * */
	struct source source;
	GArray *flags;                          /* struct flag */
	unsigned runs;                          /* merged records */
	GPtrArray *varies;                      /* merged: char *, or NULL */
	GArray *extras;                         /* struct extra, or NULL */
};

struct record *record_new(const char *tool);            /* tool is copied */
void record_free(struct record *r);                     /* NULL is fine */
/* A copy of text (len bytes; -1: to its NUL) in the record's arena; NULL gives NULL. */
const char *record_text(struct record *r, const char *text, gssize len);

struct series *record_add_series(struct record *r, const char *name);   /* name may be NULL */
/* Takes the last series off again (a row that turned out to be none). */
void record_drop_series(struct record *r);

/* Set or replace by key; key must outlive the record (a constant or record_text). */
void facts_set_text(struct record *r, GArray *facts, const char *key, const char *text, unsigned line);
void facts_set_number(GArray *facts, const char *key, struct number n, unsigned line);
const struct fact *facts_get(const GArray *facts, const char *key);     /* or NULL */

/* Shorthands. */
void series_label(struct record *r, struct series *s, const char *key, const char *text);
void series_label_number(struct series *s, const char *key, struct number n);

/*
 * Flags. `where` is a printf format that gives a JSON Pointer into the record, "" for all of it; its arguments follow
 * text, which is no format and says in plain words what a reader must know. The same code, place and text is kept
 * once, and at most 100 of a code.
 */
void record_flag(struct record *r, enum flag_code code, const char *where, const char *text, ...)
	G_GNUC_PRINTF(3, 5);
bool record_has_flag(const struct record *r, enum flag_code code);
/* Index of s in r, for use in `where`. */
unsigned record_series_index(const struct record *r, const struct series *s);

/*
 * Samples. series_columns names the columns before the first row (at most
 * SERIES_MAX_COLUMNS). series_add_row takes as many numbers as columns; beyond
 * `limit` rows (RECORD_MAX_SAMPLES, or 0: no limit, see record_sample_limit) a row only counts
 * for the extremes and the mean.
 */
void series_columns(struct series *s, unsigned n, const enum field *columns);
void series_add_row(struct series *s, unsigned line, const struct number *values);
struct number series_sample(const struct series *s, guint row, enum field f);   /* absent when no such column */
guint series_sample_rows(const struct series *s);       /* rows kept */
void record_sample_limit(uint64_t rows);                /* for the process; set once at start */

struct histogram *histogram_new(void);
void histogram_free(struct histogram *h);
/* Bins may come in any order; equal ones add up. Zero counts are not stored. */
void histogram_add(struct histogram *h, struct number lower, struct number upper, struct number count);
/*
 * Puts the bins in order and joins equal ones. Needed only after millions of bins out of order, which histogram_add
 * appends as they come, so that hostile input costs no quadratic time; record_seal does it.
 */
void histogram_sort(struct histogram *h);
struct number histogram_total(const struct histogram *h);       /* bins, underflow and overflow */
void series_percentile(struct record *r, struct series *s, const char *key, struct number value);

/*
 * Seals a run: resolves what follows from the rows (min, max, avg from samples where the tool
 * printed no summary: flag `derived`), checks the formats' laws (min <= avg <= max, worst never falls,
 * overruns grow, summary agrees with rows, bins add up) with a flag at each breach, turns rows
 * that were left out into `samples-omitted`, and computes the id. Called once by the reader.
 */
void record_seal(struct record *r);
/* Only the laws: a flag at each breach that has none yet. Nothing else changes. */
void record_check_laws(struct record *r);
/* Only the id: 16 hex digits of tool, mode and printed values. */
void record_compute_id(struct record *r);

#endif
