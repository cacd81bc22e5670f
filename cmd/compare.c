/* rtreport compare: the table people post, boards across and tests down, or any other keys. */
#include <string.h>

#include "cmd/selection.h"
#include "lib/pivot.h"

#define DEFAULT_COL "board"
#define DEFAULT_STATISTICS "avg,max,value"      /* those of them that any result has */

static const char description[] =
	"Boards across and tests down; --row, --col and --table take any keys of a record. Results of the same test in one cell\n"
	"are merged (least minimum, count-weighted mean, greatest maximum; percentiles from the merged bins), and what was not the same\n"
	"among them has a footnote. Results are never mixed over tool, mode, load, unit, name or labels; --ignore load does.\n"
	"The best and the worst of each row are marked where less is better. One unit a column, in its heading.\n"
	"A maximum grows with the length of the run: --stat max,count shows how many samples it is of.\n\n"
	SELECTION_HELP "\n"
	"Examples:\n"
	"  rtreport compare archive.mbox\n"
	"  rtreport compare --col kernel --where 'board=\"beaglebone black\"' --to mediawiki *.txt\n"
	"  rtreport compare --row board --col load@(idle hackbench) --stat p99.9,max all.jsonl -o loads.xlsx\n"
	"  rtreport compare --row board --col date@month --where tool=cyclictest --stat max all.jsonl\n"
	"  rtreport compare --col label stock=old.txt tuned=new.txt\n";

static int run(int argc, char **argv);

const struct command command_compare = {
	.name = "compare", .summary = "A table of boards, kernels or loads across, tests down", .run = run,
};

struct compare {
	struct common_options o;
	struct selection selection;
	struct pivot_options pivot;
	char *row, *col, *table, *stat;
	GPtrArray *row_keys, *col_keys, *table_keys;
	GArray *statistics;
	struct merge *merge;
	const char *label;              /* of the input that is being read */
};

static void take(struct record *r, void *data)
{
	struct compare *c = data;

	if (selection_take(&c->selection, r, c->label))
		merge_add(c->merge, &(struct subject){ r, NULL, c->label });
	record_free(r);
}

static void look(const struct record *r, void *data)
{
	struct compare *c = data;
	const struct record *left = selection_look(&c->selection, r, c->label);

	if (left)
		merge_add(c->merge, &(struct subject){ left, NULL, c->label });
}

static bool read_keys(const char *name, const char *text, GPtrArray **out)
{
	g_autofree char *error = NULL;

	*out = keys_parse(text, &error);
	if (!*out) {
		diag(EXIT_USAGE, NULL, 0, "--%s: %s", name, error);
		return false;
	}
	for (guint i = 0; i < (*out)->len; i++) {
		const struct key *k = (*out)->pdata[i];

		if (k->id < KEY_VALUE_FIRST)
			continue;
		diag(EXIT_USAGE, NULL, 0, "--%s: '%s' is a measured value; --stat shows such", name, k->name);
		return false;
	}
	return true;
}

static bool read_statistics(struct compare *c)
{
	g_auto(GStrv) words = g_strsplit(c->stat ? c->stat : DEFAULT_STATISTICS, ",", -1);

	c->statistics = g_array_new(FALSE, FALSE, sizeof(struct statistic));
	for (guint i = 0; words[i]; i++) {
		struct statistic what;

		g_strstrip(words[i]);
		if (!statistic_parse(words[i], strlen(words[i]), &what)) {
			diag(EXIT_USAGE, NULL, 0, "--stat: no statistic is named '%s'; min, avg, max, count, overruns, p99.9 and the like are", words[i]);
			return false;
		}
		g_array_append_val(c->statistics, what);
	}
	return true;
}

static bool any_has(const GPtrArray *records, enum field f)
{
	for (guint i = 0; i < records->len; i++) {
		const struct record *r = records->pdata[i];

		for (guint k = 0; k < r->series->len; k++)
			if (number_is_set(((const struct series *)r->series->pdata[k])->field[f]))
				return true;
	}
	return false;
}

/* Nobody asked for the usual statistics: one that no result has would be a column of nothing. */
static void drop_empty(struct compare *c, const GPtrArray *records)
{
	for (guint i = c->statistics->len; !c->stat && i > 0; i--)
		if (!any_has(records, g_array_index(c->statistics, struct statistic, i - 1).field) && c->statistics->len > 1)
			g_array_remove_index(c->statistics, i - 1);
}

/* Table, rows and columns keep results apart, and so does what --by names. */
static bool prepare(struct compare *c)
{
	g_autofree char *all = NULL;
	bool ok;

	if (!output_check(&c->o) || !read_keys("row", c->row ? c->row : "", &c->row_keys) ||
	    !read_keys("col", c->col ? c->col : DEFAULT_COL, &c->col_keys) || !read_keys("table", c->table ? c->table : "", &c->table_keys) ||
	    !read_statistics(c))
		return false;
	all = g_strjoin(",", c->table ? c->table : "", c->row ? c->row : "", c->col ? c->col : DEFAULT_COL,
	                c->selection.by ? c->selection.by : "", NULL);
	g_free(c->selection.by);
	c->selection.by = g_steal_pointer(&all);
	ok = selection_prepare(&c->selection, NULL);
	c->pivot = (struct pivot_options){ c->table_keys, c->row_keys, c->col_keys, c->statistics, c->o.unit };
	return ok;
}

/* The inputs one by one only where their labels are asked for: together, quotes of one in another are found. */
static void read_all(struct compare *c)
{
	bool labelled = keys_contain(c->selection.identity->by, KEY_LABEL, NULL) || (c->selection.where && strstr(c->selection.where, "label"));

	c->o.borrow = look;
	if (!labelled) {
		options_read(&c->o, take, c);
		return;
	}
	for (char **a = c->o.inputs; *a; a++) {
		char *label = NULL;
		const char *path = options_split_label(*a, &label);
		g_autofree char *name = label ? label : g_path_get_basename(path);

		c->label = name;
		selection_read_one(&c->o, *a, take, c);
		c->label = NULL;
	}
}

static void compare_clear(struct compare *c)
{
	merge_free(c->merge);
	selection_clear(&c->selection);
	if (c->row_keys)
		g_ptr_array_unref(c->row_keys);
	if (c->col_keys)
		g_ptr_array_unref(c->col_keys);
	if (c->table_keys)
		g_ptr_array_unref(c->table_keys);
	if (c->statistics)
		g_array_unref(c->statistics);
	g_free(c->row);
	g_free(c->col);
	g_free(c->table);
	g_free(c->stat);
	options_free(&c->o);
}

static int run(int argc, char **argv)
{
	struct compare c = { .merge = NULL };
	const GOptionEntry entries[] = {
		{ "row", 0, 0, G_OPTION_ARG_STRING, &c.row, "Keys down the table, beside the test", "KEYS" },
		{ "col", 0, 0, G_OPTION_ARG_STRING, &c.col, "Keys across (default " DEFAULT_COL ")", "KEYS" },
		{ "table", 0, 0, G_OPTION_ARG_STRING, &c.table, "A table for each value of these keys", "KEYS" },
		{ "stat", 's', 0, G_OPTION_ARG_STRING, &c.stat,
		  "What to show (default those of " DEFAULT_STATISTICS " that there are): min, avg, max, count, p99.9, …", "NAME,…" },
		SELECTION_ENTRIES(&c.selection),
		{ NULL }
	};

	options_parse(&command_compare, "[[LABEL=]FILE|DIRECTORY|-]…", description, COMMON_INPUT | COMMON_OUTPUT | COMMON_TABLE, entries,
	              &c.o, &argc, &argv);
	if (prepare(&c)) {
		c.merge = merge_new(c.selection.identity);
		read_all(&c);
		if (selection_end(&c.selection)) {
			g_autoptr(GPtrArray) records = merge_records(c.merge);
			struct document *d;

			drop_empty(&c, records);
			d = pivot_report(records, &c.pivot);

			output_document(d, &c.o);
			document_free(d);
		}
	}
	compare_clear(&c);
	return diag_status();
}
