/*
 * Keys: the names by which selections, groupings and orders speak of a record or a series ("board", "max", "date@month").
 *
 * Record keys: tool mode title command id kind runs, board cpu arch memory kernel rt distribution compiler load,
 * config.NAME (or config: all of them), period_ns policy duration_s loops threads, file part message_id from date subject list
 * quote_depth copies flag, label (the LABEL= of the input).
 * Series keys: name quantity unit, thread tid core context column group index sender receiver interval_ns label.NAME,
 * priority (of the thread, else of the settings), and the values min avg max last stddev mdev value count overruns
 * mode_switches resolution pNN (p99.9).
 */
#ifndef RTREPORT_KEYS_H
#define RTREPORT_KEYS_H

#include "lib/record.h"

/* What is looked at. series may be NULL: then series keys have no value. label may be NULL. */
struct subject {
	const struct record *record;
	const struct series *series;
	const char *label;
};

enum key_id {
	KEY_TOOL, KEY_MODE, KEY_TITLE, KEY_COMMAND, KEY_ID, KEY_KIND, KEY_RUNS,
	KEY_ENVIRONMENT, KEY_CONFIG, KEY_CONFIG_ALL, KEY_SETTING,
	KEY_FILE, KEY_PART, KEY_MESSAGE_ID, KEY_FROM, KEY_DATE, KEY_SUBJECT, KEY_LIST, KEY_QUOTE_DEPTH, KEY_COPIES, KEY_FLAG, KEY_LABEL,
	KEY_SERIES_FIRST,
	KEY_NAME = KEY_SERIES_FIRST, KEY_QUANTITY, KEY_UNIT, KEY_SERIES_LABEL, KEY_PRIORITY,
	KEY_VALUE_FIRST,
	KEY_FIELD = KEY_VALUE_FIRST, KEY_RESOLUTION, KEY_PERCENTILE
};
enum key_part { KEY_WHOLE, KEY_YEAR, KEY_MONTH, KEY_DAY };      /* date@month */
enum key_order { ORDER_NATURAL, ORDER_ALPHA, ORDER_NUMBER, ORDER_FIRST_SEEN, ORDER_LIST };

struct key {
	enum key_id id;
	char *name;                     /* as it was written, without the order: "date@month" */
	char *argument;                 /* the fact, label or percentile; or NULL */
	enum field field;               /* KEY_FIELD */
	enum key_part part;
	enum key_order order;
	char **list;                    /* ORDER_LIST */
};

/*
 * Reads one key without order: name, or date@year|month|day. NULL when there is no such key; *error (may be NULL) then
 * says so and names the nearest ones; caller g_frees.
 */
struct key *key_parse(const char *text, size_t len, char **error);
void key_free(struct key *k);

/*
 * Reads keys separated by commas or blanks, each with an optional order: kernel@num, load@(idle hackbench), board@first.
 * NULL on failure; *error (caller g_frees) shows the place with a caret. Free with g_ptr_array_unref. "" gives an empty list.
 */
GPtrArray *keys_parse(const char *text, char **error);
bool keys_contain(const GPtrArray *keys, enum key_id id, const char *argument);

static inline bool key_is_series(const struct key *k) { return k->id >= KEY_SERIES_FIRST; }

/* A key's value: text, or a number when text is NULL. Borrowed from the subject, or in buffer. */
struct key_value {
	const char *text;
	struct number number;
	const char *unit;               /* of the number: "ns", "s", …; NULL: none, or not known */
	char buffer[128];
};
/* False when the subject has no such value. *v stays where it is while it is used (text may point into it). */
bool key_get(const struct key *k, const struct subject *s, struct key_value *v);
/* The value as text into out (emptied first); "" when there is none. */
void key_text(const struct key *k, const struct subject *s, GString *out);
/* Does the subject have a flag of this code? */
bool key_has_flag(const struct subject *s, const char *code);

/* Orders two values of the key as it says; "" comes last. seen_a and seen_b: when they came first (ORDER_FIRST_SEEN). */
int key_compare(const struct key *k, const char *a, const char *b, guint seen_a, guint seen_b);
/* "4.4" before "4.19", case folded; ties by bytes. */
int natural_compare(const char *a, const char *b);

/* "error text", the expression and a caret under byte `at`. Caller g_frees. */
char *caret_message(const char *expression, size_t at, const char *format, ...) G_GNUC_PRINTF(3, 4);

#endif
