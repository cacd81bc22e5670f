/*
 * The words of typed tables: statistics, units, quantities, tools and topics, in several languages.
 * The data is lib/tab_words.tsv. All functions are thread-safe and take hostile text.
 */
#ifndef RTREPORT_TAB_WORDS_H
#define RTREPORT_TAB_WORDS_H

#include <glib.h>
#include "lib/record.h"

/* A unit of measurement. A value of it times 10^exponent is one of the record's unit `name`. */
struct tab_unit {
	const char *name; /* as records have it: "ns", "s", "%", "1", "/hour", … */
	int exponent;	  /* us: 3 (into ns) */
};

enum tab_heading_kind { HEADING_OTHER, HEADING_FIELD, HEADING_PERCENTILE };

/* What the heading of a column (or the label of a row) says. */
struct tab_heading {
	enum tab_heading_kind kind;
	enum field field;
	char percentile[16]; /* "99.9" */
	bool pure;	     /* nothing but the statistic, a quantity and a unit */
	bool unit_stated;
	struct tab_unit unit;
};

/*
 * Folds text for comparison: lower case, words of letters and digits separated by one blank, with
 * one blank at both ends; a '%' is a word; camelCase words are split. Caller frees.
 */
char *tab_fold(const char *text);

/* Reads a heading. Never fails: what says nothing is HEADING_OTHER without a unit. */
void tab_heading_read(const char *text, struct tab_heading *h);

/* True when text[0..len), blanks around it aside, is the name of a unit. */
bool tab_unit_find(const char *text, size_t len, struct tab_unit *unit);

/*
 * The unit that a caption or sentence states for the numbers near it ("in micro-seconds", "(all
 * us)"), never one that stands behind a number. *general: it speaks of all that follows. False:
 * none, or several.
 */
bool tab_unit_stated(const char *text, struct tab_unit *unit, bool *general);

/* True when some unit stands in brackets: "(us)". */
bool tab_unit_bracketed(const char *text);

/*
 * Adds each topic word of folded text to seen (keys are constants); returns the sum of weights
 * newly seen. against: words that speak against a measurement count, too.
 */
int tab_topic_add(const char *folded, bool against, GHashTable *seen);

/* The first quantity word in folded text, or NULL. A constant. */
const char *tab_quantity(const char *folded);

/* The one tool that folded text names; NULL when none or several. A constant. */
const char *tab_tool(const char *folded);

/* True when folded text says that its numbers are wanted or allowed ("targets"), and not that any were measured. */
bool tab_planned(const char *folded);

bool tab_unit_is_time(const struct tab_unit *u);

/* True when text (trimmed) is one of the ways to say that a cell has no value. */
bool tab_null_word(const char *text);

/* How many statistics and percentiles the folded text names. */
unsigned tab_statistic_count(const char *folded);

#endif
