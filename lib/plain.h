/*
 * Plain text for output: what every renderer does to a text before its own escaping, and how wide a text is.
 */
#ifndef RTREPORT_PLAIN_H
#define RTREPORT_PLAIN_H

#include <stddef.h>

/*
 * One line of valid UTF-8 that nothing acts on: runs of blanks, tabs and line ends become one blank, none at the
 * ends; control characters, marks that turn the writing direction and other invisible format characters, and code
 * points that XML does not allow are shown as <U+202E>; invalid bytes as U+FFFD. text may be NULL. Caller frees.
 */
char *plain_line(const char *text);

/* Columns of a terminal that a UTF-8 text takes (wide characters two, combining ones none). */
size_t plain_width(const char *text);

/* Bytes of the longest beginning of text that takes at most `width` columns; whole characters. */
size_t plain_fit(const char *text, size_t width);

#endif
