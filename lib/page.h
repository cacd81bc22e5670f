/*
 * Pages saved as text: copies of archives' pages have the message's fields in their first lines.
 */
#ifndef RTREPORT_PAGE_H
#define RTREPORT_PAGE_H

#include "lib/post.h"

/* Fills p from a pasted or saved text: its fields where it has any, and its text. bytes must
 * outlive p. */
void page_text(struct post *p, const char *bytes, size_t len);

#endif
