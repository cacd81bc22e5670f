/*
 * CSV after RFC 4180. Dialects: rfc (comma, UTF-8), excel (the same with a byte order mark, by which Excel knows UTF-8), excel-eu
 * (semicolon and decimal comma, for Excel in countries that write 1,5).
 */
#include <string.h>
#include "lib/delimited.h"

static struct dialect dialect_of(const struct render_options *o)
{
	const char *name = o->csv_dialect ? o->csv_dialect : "rfc";
	bool eu = !strcmp(name, "excel-eu");

	return (struct dialect){
		.delimiter = eu ? ';' : ',', .point = eu ? ',' : '.', .bom = strcmp(name, "rfc") != 0,
		.newline = "\r\n",
	};
}

static int write_csv(const struct document *d, const struct render_options *o, FILE *out)
{
	struct dialect dialect = dialect_of(o);

	return delimited_document(d, &dialect, out);
}

static int write_csv_records(GPtrArray *records, const struct render_options *o, FILE *out)
{
	struct dialect dialect = dialect_of(o);

	return delimited_records(records, o, &dialect, out);
}

static void *begin_csv(const struct render_options *o, FILE *out)
{
	struct dialect dialect = dialect_of(o);

	return delimited_begin(o, &dialect, out);
}

static void write_record(void *stream, const struct record *r)
{
	delimited_record(stream, r);
}

static int end_csv(void *stream)
{
	return delimited_end(stream);
}

const struct renderer renderer_csv = {
	.name = "csv", .suffix = ".csv", .summary = "CSV (RFC 4180), one row per series; see --csv-dialect",
	.media = "text/csv",
	.write = write_csv, .write_records = write_csv_records, .selects = true,
	.begin = begin_csv, .record = write_record, .end = end_csv,
};
