/*
 * Records to and from JSON (cJSON stays behind this header).
 */
#ifndef RTREPORT_RECORD_JSON_H
#define RTREPORT_RECORD_JSON_H

#include "lib/record.h"

struct json_options {
	bool pretty;
	bool no_samples;        /* --samples=no */
};

/* One record as JSON text without a line end; caller frees with g_free. Always valid UTF-8. */
char *record_to_json(const struct record *r, const struct json_options *options);

/*
 * Reads one record. On failure NULL and *error is a message (caller g_frees) that says
 * what is wrong and where (JSON Pointer). Unknown keys are kept. *text need not end with NUL.
 */
struct record *record_from_json(const char *text, size_t len, char **error);

/* True when text looks like a record of ours: a JSON object (or array of them) with "schema":"rtreport/…" early on. */
bool record_json_probe(const char *text, size_t len);

/*
 * Walks JSON Lines or one JSON array of records: calls each(record) with ownership passed on, bad(line, message) for
 * what is no record. Both get `data`.
 */
void record_json_walk(const char *text, size_t len,
                      void (*each)(struct record *r, void *data),
                      void (*bad)(unsigned line, const char *message, void *data), void *data);
/*
 * The same, but each object that ends on its line is shown to `quick` first (its text up to the line's end), which returns how
 * many bytes it has dealt with, or 0 to leave it to each().
 */
void record_json_walk_quick(const char *text, size_t len, size_t (*quick)(const char *text, size_t len, void *data),
                            void (*each)(struct record *r, void *data),
                            void (*bad)(unsigned line, const char *message, void *data), void *data);
#endif
