/*
 * HTML to text, through libxml2: pages of archives, and the HTML parts of mail. Tables become
 * columns, <pre> stays as it is, <br> and blocks end lines, quotes (<blockquote> of mail programs,
 * the rule before an older mail) get marks.
 */
#ifndef RTREPORT_HTML_H
#define RTREPORT_HTML_H

#include "lib/post.h"

/* Is this an HTML document, or a piece of one? */
bool html_probe(const char *text, size_t len);
/* Adds a mail's HTML part to list (p->texts or p->spare) as text. */
void html_part(struct post *p, GArray *list, const char *bytes, size_t len, const char *charset,
	       const char *part);
/* Reads a page of a mailing list's archive, or any other, into posts: one per message that it
 * shows. */
void html_page(const char *bytes, size_t len, const char *file, const char *part, post_each *each,
	       void *data);

#endif
