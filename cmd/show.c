/* rtreport show: the report for a person; the default command. */
#include "cmd/output.h"

static const char description[] =
	"A table per result, with where it ran, where it stands in the input, and what a reader must know. Times are in us unless\n"
	"--unit says otherwise; means that were computed from rows are shown in the step of the rows.\n"
	"Percentiles that the tool did not print are computed from its histogram by nearest rank.\n"
	"In the terminal's width; colours only on a terminal, and never when NO_COLOR is set.\n\n"
	"Examples:\n"
	"  rtreport result.txt\n"
	"  cyclictest -p 99 -D 60 -q -h 100 | rtreport\n"
	"  rtreport show --unit ns --sort=-max result.txt\n";

static int run(int argc, char **argv);

const struct command command_show = {
	.name = "show", .summary = "Show results as tables in the terminal (the default)", .run = run,
};

static int run(int argc, char **argv)
{
	struct common_options o;
	struct report_options report = { .brief = true };
	gboolean no_percentiles = FALSE, no_histograms = FALSE;
	const GOptionEntry entries[] = {
		{ "no-percentiles", 0, 0, G_OPTION_ARG_NONE, &no_percentiles,
		  "Only percentiles that were printed, none from histograms", NULL },
		{ "no-histograms", 0, 0, G_OPTION_ARG_NONE, &no_histograms, "Draw no histograms", NULL },
		G_OPTION_ENTRY_NULL
	};

	options_parse(&command_show, "[[LABEL=]FILE|DIRECTORY|-]…", description,
	              COMMON_INPUT | COMMON_OUTPUT | COMMON_TABLE | COMMON_WHERE, entries, &o, &argc, &argv);
	report.no_percentiles = no_percentiles;
	report.no_figures = no_histograms;
	if (output_check(&o)) {
		g_autoptr(GPtrArray) records = options_read_all(&o);

		if (records->len)
			output_records(records, &report, &o);
	}
	options_free(&o);
	return diag_status();
}
