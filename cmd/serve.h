/*
 * The paste page: what serve (cmd/serve.c) shows (cmd/serve_pages.c). Each page is made from the tables of parsers and renderers.
 */
#ifndef RTREPORT_SERVE_H
#define RTREPORT_SERVE_H

#include "cmd/views.h"
#include "lib/renderer.h"

/* How what was posted may be shown: one of the renderers, or what a command prints. */
struct serve_view {
	const char *name, *summary;
	const char *media, *suffix;     /* media NULL: text, shown in the browser to be copied */
	const struct renderer *renderer;        /* NULL: of a command */
};
/* The nth: the report first; NULL beyond the last. */
const struct serve_view *serve_view(unsigned n);
const struct serve_view *serve_view_find(const char *name);
#define SERVE_REPORT "html"
#define SERVE_EXPLAIN "explain"
#define SERVE_RECORDS "jsonl"

/* The pages, as text that g_free frees; o: the server's options, which the form shows as chosen. */
char *serve_form_page(const struct common_options *o);
char *serve_formats_page(void);
char *serve_refusal_page(unsigned status, const char *why);

/* Around the explained lines, which view_explain writes. */
void serve_explain_begin(FILE *out);
void serve_explain_end(FILE *out, const GPtrArray *messages);
/* What was posted gave nothing to show: why (messages, char *). */
void serve_nothing_begin(FILE *out, const GPtrArray *messages, bool explained);
void serve_nothing_end(FILE *out, bool explained);

#endif
