/* rtreport render: records as a document or a data file. */
#include <string.h>
#include "cmd/views.h"

static const char description[] =
	"Forms:\n"
	"  results      a table per result, for people (default; csv, tsv and xlsx: a row per series)\n"
	"  long         one table, a row per series, the same columns for any input\n"
	"  samples      one table, a row per sample over time\n"
	"  histograms   one table, a row per filled bin\n"
	"  environment  one table, a row per fact\n"
	"  sources      one table, a row per result and where it is from\n\n"
	"Times are in us unless --unit says otherwise, scaled exactly; nothing is rounded unless --digits says so. The unit\n"
	"stands in the heading. Text that a spreadsheet would run as a formula is neutralized.\n\n"
	"Examples:\n"
	"  rtreport render --to markdown result.txt\n"
	"  rtreport render -o results.xlsx --export mediawiki=table.wiki archive.mbox\n"
	"  rtreport render --to csv --csv-dialect excel-eu result.txt > for-excel.csv\n"
	"  rtreport render --to csv --columns tool,name,min,avg,max --sort=-max result.txt\n"
	"  rtreport render --form samples -o rows.csv result.txt\n";

const char *const view_forms[] = {
	[REPORT_RESULTS] = "results", [REPORT_LONG] = "long", [REPORT_SAMPLES] = "samples",
	[REPORT_HISTOGRAMS] = "histograms", [REPORT_ENVIRONMENT] = "environment", [REPORT_SOURCES] = "sources", NULL
};

bool view_form(const char *name, enum report_form *form)
{
	for (unsigned i = 0; view_forms[i]; i++) {
		if (!strcmp(view_forms[i], name)) {
			*form = (enum report_form)i;
			return true;
		}
	}
	return false;
}

static void put_lent(const struct record *r, void *data)
{
	output_stream_put(data, r);
}

static void put_owned(struct record *r, void *data)
{
	output_stream_put(data, r);
	record_free(r);
}

static bool is_one_file(const struct common_options *o)
{
	if (o->given)
		return o->given->len == 1;
	return o->inputs[0] && !o->inputs[1] && !g_file_test(o->inputs[0], G_FILE_TEST_IS_DIR);
}

/*
 * Writes records as they are read. Records in JSON come at once and others when all is read, so only one file keeps the order of the
 * input for certain. False: not this way.
 */
static bool render_stream(struct common_options *o, const struct report_options *report, int *status)
{
	struct output_stream *s;

	if (!is_one_file(o))
		return false;
	s = output_stream_new(report, o);
	if (!s)
		return false;
	/* What is lent was not selected from. */
	if (!o->where)
		o->borrow = put_lent;
	o->input.borrow_samples = output_stream_shows_samples(s);
	options_read(o, put_owned, s);
	*status = output_stream_end(s);
	return true;
}

int view_render(struct common_options *o, struct report_options *report)
{
	int status = 0;

	/* With or without a stream, the same rows. */
	o->input.settled = true;
	report->keep_empty = true;
	if (!render_stream(o, report, &status)) {
		g_autoptr(GPtrArray) records = options_read_all(o);

		report->messages = diag_kept();
		/* Without a result there is no document: a file that stood there stays. */
		if (records->len)
			status = output_records(records, report, o);
	}
	return status;
}

static int run(int argc, char **argv);

const struct command command_render = {
	.name = "render", .summary = "Write results as tables for documents, or as data files", .run = run,
};

static int run(int argc, char **argv)
{
	struct common_options o;
	struct report_options report = { 0 };
	g_autofree char *form = NULL;
	gboolean is_long = FALSE, no_percentiles = FALSE;
	const GOptionEntry entries[] = {
		{ "form", 0, 0, G_OPTION_ARG_FILENAME, &form, "What a table holds, see below", "FORM" },
		{ "long", 0, 0, G_OPTION_ARG_NONE, &is_long, "The same as --form=long", NULL },
		{ "no-percentiles", 0, 0, G_OPTION_ARG_NONE, &no_percentiles,
		  "Only percentiles that were printed, none from histograms", NULL },
		G_OPTION_ENTRY_NULL
	};

	options_parse(&command_render, "[[LABEL=]FILE|DIRECTORY|-]…", description,
	              COMMON_INPUT | COMMON_OUTPUT | COMMON_TABLE | COMMON_WHERE, entries, &o, &argc, &argv);
	report.form = is_long ? REPORT_LONG : REPORT_RESULTS;
	report.no_percentiles = no_percentiles;
	if (form && !view_form(form, &report.form)) {
		g_autofree char *names = g_strjoinv(", ", (char **)view_forms);
		diag(EXIT_USAGE, NULL, 0, "--form=%s: not one of %s", form, names);
	} else if (output_check(&o)) {
		view_render(&o, &report);
	}
	options_free(&o);
	return diag_status();
}
