/*
 * The quick way to read records that stand as record_to_json writes them: one pass, no tree. Millions of records pass
 * through aggregate and diff, and a tree of each costs five times as much.
 */
#ifndef RTREPORT_RECORD_JSON_QUICK_H
#define RTREPORT_RECORD_JSON_QUICK_H

#include "lib/record.h"

/*
 * Reads the record that begins at text; *used is its length. NULL where anything is out of the ordinary (unknown keys,
 * \u escapes, rows of uneven columns, any fault): then record_from_json reads it, or says what is wrong. What both
 * read is the same.
 */
struct record *record_json_quick(const char *text, size_t len, size_t *used);

/* The other way, through cJSON: as record_from_json. */
struct record *record_json_thorough(const char *text, size_t len, char **error);

#endif
