/*
 * What a renderer is. A file in formats/ defines one constant struct renderer and has one row in formats/table.c.
 */
#ifndef RTREPORT_RENDERER_H
#define RTREPORT_RENDERER_H

#include "lib/table.h"
#include "lib/record.h"

struct report_options;

struct render_options {
	int width;                      /* terminal or text width; 0: the format's own */
	bool colour;
	const char *csv_dialect;        /* rfc, excel, excel-eu; NULL: rfc */
	const struct report_options *report;    /* for write_records (lib/report.h); NULL: the defaults */
};

struct renderer {
	const char *name;               /* --to NAME */
	const char *suffix;             /* ".csv": -o FILE chooses by it */
	const char *summary;            /* one line */
	const char *media;              /* its media type; NULL: text to be read and copied, text/plain */
	bool binary;                    /* never to a terminal */
	/* Writes the document; returns 0, or -1 with errno set. o is never NULL. */
	int (*write)(const struct document *d, const struct render_options *o, FILE *out);
	/*
	 * Renderers that show records as more than the report's tables (xlsx with its sheets, csv as one long
	 * table, json). NULL: the caller makes a document by document_from_records (lib/report.h) and calls write.
	 */
	int (*write_records)(GPtrArray *records, const struct render_options *o, FILE *out);
	/* The same one by one, so that none is kept; o outlives the stream. NULL: it needs them all. begin may give NULL. */
	void *(*begin)(const struct render_options *o, FILE *out);
	void (*record)(void *stream, const struct record *r);
	int (*end)(void *stream);
	bool shows_samples;             /* also where report->form is REPORT_RESULTS */
	bool selects;                   /* these heed report->columns and report->form, so that no document is needed for them */
};

extern const struct renderer *const renderers[];        /* formats/table.c, NULL-terminated */
const struct renderer *renderer_find(const char *name);
const struct renderer *renderer_for_file(const char *path);     /* by suffix, or NULL */

#endif
