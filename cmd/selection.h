/*
 * What the comparing commands share: --where, --by, --ignore, and reading with them.
 */
#ifndef RTREPORT_SELECTION_H
#define RTREPORT_SELECTION_H

#include "cmd/output.h"
#include "lib/identity.h"
#include "lib/select.h"

struct selection {
	char *where, *by, *ignore;      /* options */
	struct select *select;          /* NULL: all */
	struct identity *identity;
	uint64_t read, selected;        /* records */
	struct record view;             /* of a borrowed record: what is selected of it */
};

#define SELECTION_ENTRIES(s) \
	{ "where", 'w', 0, G_OPTION_ARG_STRING, &(s)->where, "Only what fulfils EXPR, as in 'tool=cyclictest board~omap max>100us'", \
	  "EXPR" }, \
	{ "by", 0, 0, G_OPTION_ARG_STRING, &(s)->by, "Keep apart by these keys too; thread unfolds threads and CPUs", "KEYS" }, \
	{ "ignore", 0, 0, G_OPTION_ARG_STRING, &(s)->ignore, "Do not keep apart by these keys (load, mode, priority, …)", "KEYS" }

/* The lines on keys and expressions for the end of each command's --help. */
#define SELECTION_HELP \
	"Keys: board cpu arch memory kernel rt distribution compiler load config.NAME, tool mode title command,\n" \
	"period_ns priority policy duration_s loops threads, date (date@month, date@year) list from subject file label flag,\n" \
	"name quantity unit thread core context column group label.NAME, min avg max value count overruns p99.9.\n" \
	"Orders: key@alpha, key@num, key@first, key@(a b c); else text by its digit groups (4.4 before 4.19).\n" \
	"Expressions: terms side by side must all hold; OR, parentheses, '-' negates. = exact, ~ contains or ~/regex/, != !~,\n" \
	"< <= > >= for numbers with units, dates (2013-01 is the month) and versions; key=(a OR b); key=\"\" is absent.\n"

/* Parses the options; false after a message (EXIT_USAGE). by: the default where --by was not given. */
bool selection_prepare(struct selection *s, const char *by);
void selection_clear(struct selection *s);
/* Does --where leave something of r? Counts. */
bool selection_take(struct selection *s, struct record *r, const char *label);
/*
 * The same of a record that is not ours: what is left of it, as a view that lives until the next call; NULL: nothing. Of its
 * flags, those of series that are left out are gone, the places of the others are not brought up to date.
 */
const struct record *selection_look(struct selection *s, const struct record *r, const char *label);
/* After the last record: says what --where met, or that it left nothing (EXIT_NOTHING). False when nothing is left. */
bool selection_end(struct selection *s);
/* Reads one argument only ("LABEL=path"); returns how many records came. */
uint64_t selection_read_one(struct common_options *o, char *argument, void (*each)(struct record *r, void *data), void *data);

#endif
