/*
 * Checks of a record beyond what record_from_json refuses: what formats/result.schema.json says of known keys, and
 * that each breach of a format's law is flagged.
 */
#ifndef RTREPORT_CHECK_H
#define RTREPORT_CHECK_H

#include "lib/record.h"

/* The registry of tools, as in formats/result.schema.json; NULL-terminated. */
extern const char *const record_tools[];
/* What `mode` may be; NULL-terminated. */
extern const char *const record_modes[];

/* Calls problem(where, what, data) for each fault; where is a JSON Pointer. Flags of r may be added to. Returns their number. */
unsigned record_check(struct record *r, void (*problem)(const char *where, const char *what, void *data), void *data);

#endif
