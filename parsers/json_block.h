/*
 * A JSON document that stands in a text line by line: pasted, quoted, cut, or not quite JSON
 * (command lines whose quotes are not escaped, "nan"). Collects it until its braces close.
 *
 * Numbers are handed on as strings, exactly as printed: json_number reads them without binary
 * floating point.
 */
#ifndef RTREPORT_JSON_BLOCK_H
#define RTREPORT_JSON_BLOCK_H

#include <cjson/cJSON.h>
#include "lib/parser.h"

#define JSON_BLOCK_DEPTH 16u

struct json_block {
	GString *text;                  /* NULL: no block is open */
	char stack[JSON_BLOCK_DEPTH];   /* closing brackets that are due */
	unsigned depth;
	bool in_string, escaped;
	GString *string;                /* the string that was read last */
	size_t safe;                    /* length up to which the text is whole members … */
	unsigned safe_depth;            /* … and the brackets due there */
	GArray *marks;                  /* struct json_mark: where numbered objects begin */
};

enum json_status {
	JSON_BLOCK_MORE,
	JSON_BLOCK_COMPLETE, /* the last brace has closed */
	JSON_BLOCK_CUT /* the line does not belong to it, or it is too long: what there is counts */
};

/*
 * Begins a block with the line; an opening brace that stood on a line before is added. Returns as
 * json_block_add.
 */
enum json_status json_block_open(struct json_block *b, const struct line *l);
/* JSON_BLOCK_CUT: the line was not taken. */
enum json_status json_block_add(struct json_block *b, const struct line *l);
/* The document; of a cut one what is whole of it. NULL when it is no JSON. Caller: cJSON_Delete. */
cJSON *json_block_parse(const struct json_block *b);
/*
 * The line on which the object with this key (a number) began at nesting depth `depth`; 0: not
 * known.
 */
unsigned json_block_line(const struct json_block *b, unsigned depth, const char *key);
void json_block_free(struct json_block *b);

/*
 * The number of a member as printed, times 10^scale; absent when there is none, null when it is no
 * number ("nan").
 */
struct number json_number(const cJSON *object, const char *name, int scale);
/* The same for a count: null when it is negative or not whole. */
struct number json_count(const cJSON *object, const char *name);
struct number json_item_count(const cJSON *item);
/* The text of a member, or NULL. */
const char *json_string(const cJSON *object, const char *name);
/*
 * Reads {"21": 2, …} into a histogram of bins of this width (both in the unit that 10^scale gives);
 * NULL when it is empty.
 */
struct histogram *json_histogram(const cJSON *object, int scale, struct number width);
/*
 * Values beyond the last bin are in no bin of these files, but are counted: what the bins lack of
 * the series' count becomes their overflow (flag derived).
 */
void json_overflow(struct record *r, struct series *s);
/* Facts of an rt-tests or jitterdebugger "sysinfo" object into r's environment. */
void json_sysinfo(struct record *r, const cJSON *sysinfo, unsigned line);

#endif
