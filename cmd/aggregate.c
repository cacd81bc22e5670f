/* rtreport aggregate: many results as merged records. */
#include <string.h>
#include <unistd.h>

#include "cmd/selection.h"
#include "lib/compare.h"
#include "lib/group_report.h"
#include "lib/record_json.h"

#define DEFAULT_BY "board,kernel"

static const char description[] =
	"One record for all results of the same identity (tool, mode, load, and per series quantity, unit, name, labels) and the\n"
	"same values of KEYS. Boards group by their known name. Everything is exact, and parts merge: aggregates of parts,\n"
	"aggregated again in any order, give the same bytes. Threads and CPUs fold; --by thread keeps them apart.\n\n"
	"  min, max   the extremes, and where they come from\n"
	"  avg        weighted by count; beside it the exact sum and weight\n"
	"  histogram  bin by bin, where every run has one (unlike widths on their common edges)\n"
	"  varies     what was not the same inside the group\n"
	"Never an average of percentiles or of maxima: percentiles come from the merged bins when shown, as bounds where\n"
	"the overflow cuts them.\n\n"
	"On a terminal, or with --to FORMAT, a table; else, or with --to json or jsonl, the merged records: JSON Lines that every\n"
	"command reads again.\n"
	"Records are taken as they are: quotes were folded when they were made. To join parts of one archive, parse them first:\n"
	"  rtreport parse part1.jsonl part2.jsonl | rtreport aggregate\n\n"
	SELECTION_HELP "\n"
	"Examples:\n"
	"  rtreport aggregate --by board,kernel archive.jsonl\n"
	"  rtreport aggregate --by date@month --where 'board~beagle tool=cyclictest' --to markdown archive.mbox\n"
	"  rtreport aggregate 2013.jsonl > a; rtreport aggregate 2014.jsonl > b; rtreport aggregate a b --to csv\n";

static int run(int argc, char **argv);

const struct command command_aggregate = {
	.name = "aggregate", .summary = "Merge results by board, kernel or any other keys", .run = run,
};

struct aggregate {
	struct common_options o;
	struct selection selection;
	struct merge *merge;
};

static void take(struct record *r, void *data)
{
	struct aggregate *a = data;

	if (selection_take(&a->selection, r, NULL))
		merge_add(a->merge, &(struct subject){ r, NULL, NULL });
	record_free(r);
}

/* The same of a record that is only lent. */
static void look(const struct record *r, void *data)
{
	struct aggregate *a = data;
	const struct record *left = selection_look(&a->selection, r, NULL);

	if (left)
		merge_add(a->merge, &(struct subject){ left, NULL, NULL });
}

static bool is_json(const char *format)
{
	return !strcmp(format, "json") || !strcmp(format, "jsonl");
}

/* Which format a target has: --to, else the suffix; "" for the terminal's. */
static bool json_target(const char *to, const char *path)
{
	const char *dot = path ? strrchr(path, '.') : NULL;

	return to ? is_json(to) : dot && is_json(dot + 1);
}

static void write_line(struct record *r, void *data)
{
	char *text = record_to_json(r, NULL);

	fprintf(data, "%s\n", text);
	g_free(text);
	record_free(r);
}

static void write_lines(const struct merge *m, const char *path)
{
	FILE *stream;
	struct output *out = output_open(path, &stream);

	if (!out)
		return;
	merge_each(m, write_line, stream);
	output_close(out);
}

/* Records where JSON is wanted, a table everywhere else. */
static void write_all(struct aggregate *a)
{
	bool lines = (!a->o.to && !a->o.output && !isatty(STDOUT_FILENO)) || (a->o.to && !strcmp(a->o.to, "jsonl")) ||
	             (!a->o.to && a->o.output && g_str_has_suffix(a->o.output, ".jsonl"));
	const struct group_options options = { .unit = a->o.unit };
	g_autoptr(GPtrArray) records = NULL;

	if (lines) {
		write_lines(a->merge, a->o.output);
		return;
	}
	records = merge_records(a->merge);
	if (json_target(a->o.to, a->o.output)) {
		output_records(records, NULL, &a->o);
	} else {
		struct document *d = group_report(records, a->selection.identity->by, &options);

		output_document(d, &a->o);
		document_free(d);
	}
}

static int run(int argc, char **argv)
{
	struct aggregate a = { .merge = NULL };
	const GOptionEntry entries[] = {
		SELECTION_ENTRIES(&a.selection),
		{ NULL }
	};

	options_parse(&command_aggregate, "[FILE|DIRECTORY|-]…", description, COMMON_INPUT | COMMON_OUTPUT | COMMON_TABLE, entries, &a.o,
	              &argc, &argv);
	if (selection_prepare(&a.selection, DEFAULT_BY)) {
		a.merge = merge_new(a.selection.identity);
		a.o.borrow = look;
		options_read(&a.o, take, &a);
		if (selection_end(&a.selection))
			write_all(&a);
	}
	merge_free(a.merge);
	selection_clear(&a.selection);
	options_free(&a.o);
	return diag_status();
}
