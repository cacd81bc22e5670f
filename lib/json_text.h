/*
 * JSON text before and after cJSON: cJSON holds numbers as doubles and cuts strings at NUL, which is not exact
 * enough here. json_protect checks the text and turns each number into a string that begins with JSON_NUMBER, so that
 * its digits reach us as they stand.
 */
#ifndef RTREPORT_JSON_TEXT_H
#define RTREPORT_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#define JSON_NUMBER '\001'      /* no string of the text begins with it: json_protect refuses those */
#define JSON_MAX_DEPTH 64u

/*
 * Checks what cJSON does not (UTF-8, NUL, control characters, number syntax, depth). The protected copy,
 * NUL-terminated, *out_len bytes, or NULL and a message; caller g_frees both.
 */
char *json_protect(const char *text, size_t len, size_t *out_len, char **error);

/*
 * Length of the JSON value (object or array) that begins at text, or 0 when it does not end within len or
 * breaks off: in a string at a line end, by a wrong bracket, or too deep.
 */
size_t json_value_length(const char *text, size_t len);

/* One token of a JSON Pointer ('~' and '/' escaped) appended to a GString. */
struct _GString;
void json_pointer_append(struct _GString *pointer, const char *token);
/* Takes the escapes of one token off again; caller g_frees. */
char *json_pointer_unescape(const char *token);

#endif
