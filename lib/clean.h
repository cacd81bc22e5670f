/*
 * Cleaning of one physical line: what terminals, charsets and archives add to text.
 */
#ifndef RTREPORT_CLEAN_H
#define RTREPORT_CLEAN_H

#include <glib.h>

/*
 * Writes text[0..len) to out (replaced) as valid UTF-8 without control characters: escape
 * sequences and their pasted remains ("^[[4A", "[0;37m") dropped, overstrikes carried
 * out, odd blanks made plain ones, invisible characters dropped, the entities of HTML text
 * decoded, trailing blanks taken off. Tabs stay. Returns true when bytes that are no UTF-8 were read as Windows-1252.
 */
gboolean clean_line(const char *text, size_t len, GString *out);

/* Appends text[0..len) to out (replaced) with tabs expanded to columns of 8 (characters, not bytes). */
void clean_expand_tabs(const char *text, size_t len, GString *out);

/*
 * Decodes quoted-printable: "=XX" of text[0..len) appended to out; anything else stays. A soft break is the caller's matter.
 */
void clean_decode_qp(const char *text, size_t len, GString *out);

#endif
