/* Tab-separated values: no field holds a tab or a line end, so most tools need no CSV reader. */
#include "lib/delimited.h"

static const struct dialect tsv = { .delimiter = '\t', .point = '.', .newline = "\n" };

static int write_tsv(const struct document *d, const struct render_options *o, FILE *out)
{
	(void)o;
	return delimited_document(d, &tsv, out);
}

static int write_tsv_records(GPtrArray *records, const struct render_options *o, FILE *out)
{
	return delimited_records(records, o, &tsv, out);
}

static void *begin_tsv(const struct render_options *o, FILE *out)
{
	return delimited_begin(o, &tsv, out);
}

static void write_record(void *stream, const struct record *r)
{
	delimited_record(stream, r);
}

static int end_tsv(void *stream)
{
	return delimited_end(stream);
}

const struct renderer renderer_tsv = {
	.name = "tsv", .suffix = ".tsv", .summary = "tab-separated values, one row per series",
	.media = "text/tab-separated-values",
	.write = write_tsv, .write_records = write_tsv_records, .selects = true,
	.begin = begin_tsv, .record = write_record, .end = end_tsv,
};
