/*
 * What all our pages of HTML share: head, style for light and dark, escaping. No page has a script, and each forbids any.
 */
#ifndef RTREPORT_HTML_PAGE_H
#define RTREPORT_HTML_PAGE_H

#include <stdio.h>

/* The policy of each page: nothing is loaded from anywhere. */
#define HTML_POLICY "default-src 'none'; style-src 'unsafe-inline'"

/* Text for elements and for values in quotes; caller frees. */
char *html_escape(const char *text);

/* Up to and with the heading. title is escaped already; style (may be NULL) is added to the common one. */
void html_begin(FILE *out, const char *title, const char *style);
void html_end(FILE *out);

#endif
