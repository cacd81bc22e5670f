/*
 * Output that the commands share: a document, or records, to where the options say.
 *
 *   --to FORMAT            that format on standard output
 *   -o FILE                FILE, in the format of --to or of FILE's suffix; complete or absent
 *   --export FORMAT=FILE   FILE too; repeatable
 *   none of these          a text table on standard output, in the terminal's width and colours
 *
 * --export alone does not silence standard output: the report is shown and exported.
 */
#ifndef RTREPORT_OUTPUT_H
#define RTREPORT_OUTPUT_H

#include "cmd/command.h"
#include "lib/report.h"

/*
 * Checks what the options name (formats, unit, digits, dialect, width) before any input is read. False after a
 * message; the status EXIT_USAGE is then raised. output_document and output_records call it too.
 */
bool output_check(const struct common_options *o);

/*
 * Shapes the document (--columns, --sort, --digits, --title) and writes it to every target. For commands that make tables: diff,
 * compare, aggregate. Numbers are already in the unit that --unit asks for. Returns 0, or -1 after a message.
 */
int output_document(struct document *d, const struct common_options *o);

/*
 * Writes records (struct record *) to every target, as documents of the form and with the columns that the options and
 * `base` say; formats that show more than tables (xlsx, json) get the records themselves. `base` may be NULL; what `o` sets goes before it.
 */
int output_records(GPtrArray *records, const struct report_options *base, const struct common_options *o);

/*
 * The same one record at a time, so that none is kept. NULL: this output needs all records at once. The output is opened at the
 * first record: without one there is none. output_stream_end returns 0, or -1 after a message. base and o outlive the stream.
 */
struct output_stream;
struct output_stream *output_stream_new(const struct report_options *base, const struct common_options *o);
/* Do the records that are put need their samples? */
bool output_stream_shows_samples(const struct output_stream *s);
void output_stream_put(struct output_stream *s, const struct record *r);
int output_stream_end(struct output_stream *s);

/* True when what goes to standard output may be coloured: --colour, NO_COLOR, TERM, and whether it is a terminal. */
bool output_colour(const struct common_options *o);

/* True when output goes to the terminal's report only (no --to, -o). */
bool output_is_report(const struct common_options *o);

#endif
