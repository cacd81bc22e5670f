/* rtreport diff: two or more inputs side by side, with verdicts; a gate for CI. */
#include <stdlib.h>
#include <string.h>

#include "cmd/selection.h"
#include "lib/diff_report.h"
#include "lib/gate.h"

#define LIMITS_BYTES (1u << 20)         /* a limits file is written by hand */

static const char description[] =
	"The first input is the base, or the one that --base names. Series are paired by what they are (tool, mode, load, quantity,\n"
	"unit, name, labels), never by position; --ignore KEYS leaves out what need not be equal, --by KEYS adds. With\n"
	"--col KEY the sides are the values of KEY over all inputs: --col load compares the loads in one post.\n"
	"Threads and CPUs fold into one row unless --by thread. Records of one input with the same identity are repeated runs.\n\n"
	"Verdicts:\n"
	"  better, worse   the change is beyond the resolution, and the evidence is sound\n"
	"  same            no more than the resolution apart\n"
	"  inconclusive    the reason stands beside it: one run each, a shorter run, p too large, …\n"
	"  different       the quantity is none of which less is better\n"
	"  incomparable    a side has no such value, or its unit is not known\n"
	"A maximum is better only if the new run was at least as long as the base, worse only if at most. Methods: Mann-Whitney on\n"
	"repeated runs (exact up to 50; it takes four a side); on histograms Rosenbaum's run of extremes for maxima, order\n"
	"statistics for percentiles, Garwood's Poisson interval for how often peaks come and so how long a run would settle\n"
	"the matter; the conditional binomial test for overruns. One run each and no histogram: only beyond --min-effect.\n\n"
	"Gates (exit status 1 when one trips, 3 when one could be tried on nothing):\n"
	"  --fail-on 'max>+10%'    the new maximum is more than 10 % above the base (x 1.10)\n"
	"  --fail-on 'max>+5us'    more than 5 us above;  'max>100us' above 100 us, whatever the base\n"
	"  --fail-on worse         any statistic is worse; max:worse only that; changed, inconclusive, unmatched, …\n"
	"  --limits FILE           a line a limit, TOOL [MODE [BOARD]]: CONDITIONS, or an expression before the colon:\n"
	"                            cyclictest - beaglebone: max<=50us, p99.9<=20us\n"
	"                            xenomai-latency user-task: max<=+10%\n"
	"                            tool=cyclictest load~hackbench: max<=80us\n"
	"                          with one input only, its values are checked and nothing is compared\n\n"
	SELECTION_HELP "\n"
	"Examples:\n"
	"  rtreport diff before.txt after.txt\n"
	"  rtreport diff --col load --unit us post.txt\n"
	"  rtreport diff stock=old.jsonl rt=new.jsonl --where 'board~omap' --only worse,inconclusive\n"
	"  cyclictest -q -D 10m -h 200 | rtreport diff --fail-on 'max>+10%' --limits limits.txt base.txt -\n";

struct diff {
	struct common_options o;
	struct selection selection;
	struct diff_options options;
	char *base, *col, *limits_path, *min_effect, *only, *percentiles;
	char **fail_on;
	struct key *col_key;
	GPtrArray *conditions;          /* struct condition * */
	guint64 *tried;                 /* of each condition */
	GPtrArray *limits;              /* struct limit * */
	struct comparison *comparison;
	struct side *side;              /* that is being read; NULL: by col_key */
	GString *text;
};

static int run(int argc, char **argv);

const struct command command_diff = {
	.name = "diff", .summary = "Compare two or more inputs, with verdicts; a gate for CI", .run = run,
};

/* --- options --- */

static void bad_limit(unsigned line, const char *message, void *data)
{
	diag(EXIT_USAGE, data, line, "%s", message);
}

static bool read_limits(struct diff *d)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *text = NULL;
	gsize len = 0;

	if (!d->limits_path)
		return true;
	if (!g_file_get_contents(d->limits_path, &text, &len, &error)) {
		diag(EXIT_USAGE, d->limits_path, 0, "%s", error->message);
		return false;
	}
	if (len > LIMITS_BYTES || strlen(text) != len) {
		diag(EXIT_USAGE, d->limits_path, 0, "this is no limits file; see rtreport diff --help");
		return false;
	}
	d->limits = limits_parse(text, bad_limit, d->limits_path);
	if (d->limits && !d->limits->len) {
		diag(EXIT_USAGE, d->limits_path, 0, "there is no limit in it");
		return false;
	}
	return d->limits != NULL;
}

static bool read_conditions(struct diff *d)
{
	g_autofree char *all = d->fail_on ? g_strjoinv(",", d->fail_on) : NULL, *error = NULL;

	if (!all)
		return true;
	d->conditions = conditions_parse(all, &error);
	if (!d->conditions) {
		diag(EXIT_USAGE, NULL, 0, "--fail-on: %s", error);
		return false;
	}
	d->tried = g_new0(guint64, d->conditions->len);
	return true;
}

static bool read_only(struct diff *d)
{
	g_auto(GStrv) words = d->only ? g_strsplit(d->only, ",", -1) : NULL;

	for (guint i = 0; words && words[i]; i++) {
		enum judgement j;

		if (!judgement_parse(g_strstrip(words[i]), &j)) {
			diag(EXIT_USAGE, NULL, 0, "--only=%s: no such verdict; better, worse, different, same, inconclusive, incomparable are",
			     words[i]);
			return false;
		}
		d->options.only |= 1u << j;
	}
	return true;
}

static bool read_percentiles(struct diff *d)
{
	g_auto(GStrv) words = d->percentiles ? g_strsplit(d->percentiles, ",", -1) : NULL;

	for (guint i = 0; words && words[i]; i++) {
		g_autofree char *name = g_strconcat("p", g_strstrip(words[i]), NULL);
		struct statistic what;

		if (!statistic_parse(name, strlen(name), &what) || !what.percentile) {
			diag(EXIT_USAGE, NULL, 0, "--percentiles: '%s' is no number above 0 and up to 100", words[i]);
			return false;
		}
		if (!d->options.percentiles)
			d->options.percentiles = g_array_new(FALSE, FALSE, sizeof(char *));
		g_array_append_val(d->options.percentiles, what.percentile);
	}
	return true;
}

static bool read_min_effect(struct diff *d)
{
	if (!d->min_effect || (quantity_parse(d->min_effect, strlen(d->min_effect), &d->options.judge.min_effect) &&
	                       d->options.judge.min_effect.unit && d->options.judge.min_effect.number.coefficient >= 0))
		return true;
	diag(EXIT_USAGE, NULL, 0, "--min-effect=%s: not a share or a time, as in 5%% or 2us", d->min_effect);
	return false;
}

/* The key that makes the sides does not keep series apart. */
static bool read_col(struct diff *d)
{
	g_autofree char *error = NULL;
	char *ignore;

	if (!d->col)
		return true;
	d->col_key = key_parse(d->col, strlen(d->col), &error);
	if (!d->col_key) {
		diag(EXIT_USAGE, NULL, 0, "--col: %s", error);
		return false;
	}
	if (key_is_series(d->col_key)) {
		diag(EXIT_USAGE, NULL, 0, "--col=%s: only keys of whole records make sides", d->col);
		return false;
	}
	ignore = d->selection.ignore ? g_strconcat(d->selection.ignore, ",", d->col, NULL) : g_strdup(d->col);
	g_free(d->selection.ignore);
	d->selection.ignore = ignore;
	return true;
}

static bool prepare(struct diff *d)
{
	guint inputs = g_strv_length(d->o.inputs);

	if (!output_check(&d->o) || !read_col(d) || !selection_prepare(&d->selection, NULL) || !read_conditions(d) || !read_limits(d) ||
	    !read_only(d) || !read_percentiles(d) || !read_min_effect(d))
		return false;
	if (inputs < 2 && !d->col && !(d->limits && !d->conditions)) {
		diag(EXIT_USAGE, NULL, 0, "diff compares two or more inputs, as in 'rtreport diff before.txt after.txt', or the values of a "
		     "key in one, as in --col load");
		return false;
	}
	d->options.unit = d->o.unit;
	return true;
}

/* --- reading --- */

static void take(struct record *r, void *data)
{
	struct diff *d = data;
	struct side *side = d->side;

	if (selection_take(&d->selection, r, side ? side->label : NULL)) {
		if (!side) {
			key_text(d->col_key, &(struct subject){ r, NULL, NULL }, d->text);
			side = comparison_find(d->comparison, d->text->len ? d->text->str : "not stated");
		}
		comparison_add(d->comparison, side, r);
	}
	record_free(r);
}

static char *short_label(const char *argument, bool whole_path)
{
	char *label = NULL;
	const char *path = options_split_label(argument, &label);

	if (label)
		return label;
	return !strcmp(path, "-") ? g_strdup("standard input") : whole_path ? g_strdup(path) : g_path_get_basename(path);
}

/* LABEL, else the file's name, else its path where names are equal; what is still equal is numbered. */
static GStrv side_labels(char **arguments)
{
	guint n = g_strv_length(arguments);
	char **labels = g_new0(char *, n + 1);

	for (guint i = 0; i < n; i++) {
		bool twice = false;

		labels[i] = short_label(arguments[i], false);
		for (guint j = 0; j < n && !twice; j++) {
			g_autofree char *other = short_label(arguments[j], false);

			twice = j != i && !strcmp(other, labels[i]);
		}
		if (!twice)
			continue;
		g_free(labels[i]);
		labels[i] = short_label(arguments[i], true);
		for (guint j = 0, k = 2; j < i; j++) {
			if (strcmp(labels[j], labels[i]))
				continue;
			g_free(labels[i]);
			labels[i] = g_strdup_printf("%s (%u)", arguments[i], k++);
			j = 0;
		}
	}
	return labels;
}

static void read_sides(struct diff *d)
{
	g_auto(GStrv) labels = NULL;

	if (d->col_key) {
		options_read(&d->o, take, d);
		return;
	}
	labels = side_labels(d->o.inputs);
	for (guint i = 0; d->o.inputs[i]; i++) {
		d->side = comparison_side(d->comparison, labels[i]);
		selection_read_one(&d->o, d->o.inputs[i], take, d);
	}
}

static bool choose_base(struct diff *d)
{
	GPtrArray *sides = d->comparison->sides;

	for (guint i = 0; d->base && i < sides->len; i++) {
		struct side *side = sides->pdata[i];

		if (strcmp(side->label, d->base))
			continue;
		for (; i > 0; i--)
			sides->pdata[i] = sides->pdata[i - 1];
		sides->pdata[0] = side;
		return true;
	}
	if (d->base) {
		g_autoptr(GString) names = g_string_new(NULL);

		for (guint i = 0; i < sides->len; i++)
			g_string_append_printf(names, "%s%s", i ? ", " : "", ((struct side *)sides->pdata[i])->label);
		diag(EXIT_USAGE, NULL, 0, "--base=%s: no side is named so; the sides are %s", d->base, names->str);
	}
	return !d->base;
}

/* --- gates --- */

static char *value_text(const struct side_series *s, const struct statistic *what)
{
	struct measured m;
	struct number shown;
	char digits[NUMBER_TEXT];
	const char *unit = s->series->unit;

	side_measure(s, what, &m);
	if (!number_is_set(m.value))
		return g_strdup("bounds only");
	if (!what->percentile && field_is_count(what->field))
		unit = NULL;
	if (unit && unit_convert(m.value, unit, "us", &shown) && unit_is_time(unit))
		return g_strdup_printf("%s us", number_print(number_round(shown, 3), digits));
	return g_strdup_printf("%s%s%s", number_print(m.value, digits), unit ? " " : "", unit ? unit : "");
}

static void trip(const struct diff *d, const char *gate, guint side, const struct side_series *base, const struct side_series *new,
                 const struct statistic *what, const char *verdict)
{
	g_autofree char *name = statistic_name(what), *series = side_series_text(new), *b = value_text(new, what);
	g_autofree char *a = base ? value_text(base, what) : NULL;

	diag(EXIT_GATE, NULL, 0, "gate '%s' tripped: %s%s%s: %s %s%s%s in %s%s%s", gate, new->label_text, *series ? ", " : "", series, name,
	     a ? a : "", a ? " → " : "", b, ((struct side *)d->comparison->sides->pdata[side])->label, verdict ? ": " : "",
	     verdict ? verdict : "");
}

static void gate_judged(const struct judged *j, void *data)
{
	struct diff *d = data;

	for (guint i = 0; d->conditions && i < d->conditions->len; i++) {
		const struct condition *c = d->conditions->pdata[i];
		enum outcome outcome = condition_judged(c, j->what, j->verdict->judgement);
		g_autofree char *verdict = NULL;

		if (outcome == OUTCOME_UNKNOWN)
			continue;
		d->tried[i]++;
		if (outcome == OUTCOME_FALSE)
			continue;
		verdict = g_strdup_printf("%s%s%s%s", judgement_name(j->verdict->judgement), j->verdict->reason ? " (" : "",
		                          j->verdict->reason ? j->verdict->reason : "", j->verdict->reason ? ")" : "");
		trip(d, c->text, j->side, j->pair->side[0], j->pair->side[j->side], j->what, verdict);
	}
}

static void gate_values(struct diff *d, const struct pair *p, guint side)
{
	for (guint i = 0; d->conditions && i < d->conditions->len; i++) {
		const struct condition *c = d->conditions->pdata[i];
		enum outcome outcome;

		if (c->kind == CONDITION_UNMATCHED && p->side[0]) {
			d->tried[i]++;
			if (!p->side[side]) {
				g_autofree char *series = side_series_text(p->side[0]);

				diag(EXIT_GATE, NULL, 0, "gate 'unmatched' tripped: %s%s%s is not in %s", p->side[0]->label_text,
				     *series ? ", " : "", series, ((struct side *)d->comparison->sides->pdata[side])->label);
			}
		}
		if (c->kind > CONDITION_CHANGE)
			continue;
		outcome = condition_try(c, p->side[0], p->side[side]);
		d->tried[i] += outcome != OUTCOME_UNKNOWN;
		if (outcome == OUTCOME_TRUE)
			trip(d, c->text, side, c->kind == CONDITION_CHANGE ? p->side[0] : NULL, p->side[side], &c->what, NULL);
	}
}

static void gate_limits(struct diff *d, const struct pair *p, guint side)
{
	const struct side_series *s = p->side[side];
	struct subject subject;

	if (!s || !d->limits)
		return;
	subject = (struct subject){ s->record, s->series, ((struct side *)d->comparison->sides->pdata[side])->label };
	for (guint i = 0; i < d->limits->len; i++) {
		struct limit *l = d->limits->pdata[i];

		if (!limit_applies(l, &subject))
			continue;
		for (guint k = 0; k < l->conditions->len; k++) {
			const struct condition *c = l->conditions->pdata[k];
			enum outcome outcome = condition_try(c, side ? p->side[0] : NULL, s);
			g_autofree char *gate = NULL;

			l->matched += outcome != OUTCOME_UNKNOWN;
			if (outcome != OUTCOME_FALSE)
				continue;
			gate = g_strdup_printf("%s:%u: %s", d->limits_path, l->line, c->text);
			trip(d, gate, side, c->kind == CONDITION_CHANGE ? p->side[0] : NULL, s, &c->what, NULL);
		}
	}
}

/* A gate that looked at nothing must not pass for one that found nothing wrong. */
static void check_tried(const struct diff *d)
{
	guint64 any = 0;

	for (guint i = 0; d->conditions && i < d->conditions->len; i++) {
		const struct condition *c = d->conditions->pdata[i];
		bool share = c->kind == CONDITION_VALUE && c->quantity.unit && *c->quantity.unit == '%';
		bool bare = c->kind <= CONDITION_CHANGE && !c->quantity.unit;

		if (!d->tried[i])
			diag(EXIT_NOTHING, NULL, 0, "--fail-on '%s' could be tried on nothing%s", c->text,
			     share ? "; a change takes a sign: +10%" : bare ? "; a time takes its unit: 100us" : "");
	}
	for (guint i = 0; d->limits && i < d->limits->len; i++)
		any += ((struct limit *)d->limits->pdata[i])->matched;
	if (d->limits && !any)
		diag(EXIT_NOTHING, d->limits_path, 0, "none of its limits could be tried on anything");
	for (guint i = 0; d->limits && any && i < d->limits->len; i++) {
		const struct limit *l = d->limits->pdata[i];

		if (!l->matched)
			diag(EXIT_DONE, d->limits_path, l->line, "note: this limit could be tried on nothing");
	}
}

static void report(struct diff *d)
{
	g_autoptr(GPtrArray) pairs = comparison_finish(d->comparison);
	guint sides = d->comparison->sides->len;
	struct document *doc;
	bool any = false;

	if (sides > 1) {
		doc = diff_report(d->comparison, pairs, &d->options, gate_judged, d);
		output_document(doc, &d->o);
		document_free(doc);
	}
	for (guint i = 0; i < pairs->len; i++) {
		const struct pair *p = pairs->pdata[i];

		for (guint k = sides > 1 ? 1 : 0; k < sides; k++) {
			any |= p->side[0] && p->side[k];
			if (sides > 1)
				gate_values(d, p, k);
			gate_limits(d, p, k);
		}
	}
	if (!any)
		diag(d->conditions || d->limits ? EXIT_NOTHING : EXIT_DONE, NULL, 0,
		     "no series of the base is in another side; --ignore leaves out what need not be equal");
	check_tried(d);
}

static void diff_clear(struct diff *d)
{
	comparison_free(d->comparison);
	selection_clear(&d->selection);
	key_free(d->col_key);
	if (d->conditions)
		g_ptr_array_unref(d->conditions);
	if (d->limits)
		g_ptr_array_unref(d->limits);
	if (d->options.percentiles)
		g_array_unref(d->options.percentiles);
	if (d->text)
		g_string_free(d->text, TRUE);
	g_free(d->tried);
	g_free(d->base);
	g_free(d->col);
	g_free(d->limits_path);
	g_free(d->min_effect);
	g_free(d->only);
	g_free(d->percentiles);
	g_strfreev(d->fail_on);
	options_free(&d->o);
}

static int run(int argc, char **argv)
{
	struct diff d = { .side = NULL };
	const GOptionEntry entries[] = {
		{ "base", 'b', 0, G_OPTION_ARG_STRING, &d.base, "The side to compare with (default: the first)", "LABEL" },
		{ "col", 0, 0, G_OPTION_ARG_STRING, &d.col, "The sides are the values of KEY, not the inputs", "KEY" },
		SELECTION_ENTRIES(&d.selection),
		{ "fail-on", 0, 0, G_OPTION_ARG_STRING_ARRAY, &d.fail_on, "Exit with status 1 when a CONDITION holds; repeatable", "CONDITION,…" },
		{ "limits", 0, 0, G_OPTION_ARG_FILENAME, &d.limits_path, "Exit with status 1 when a limit in FILE is broken", "FILE" },
		{ "min-effect", 0, 0, G_OPTION_ARG_STRING, &d.min_effect,
		  "The least change that counts between single runs (default 10%)", "SHARE|TIME" },
		{ "percentiles", 0, 0, G_OPTION_ARG_STRING, &d.percentiles, "Percentiles to compute from histograms (default 50,90,99,99.9,99.99)",
		  "P,…" },
		{ "only", 0, 0, G_OPTION_ARG_STRING, &d.only, "Show only rows with these verdicts", "VERDICT,…" },
		{ NULL }
	};

	options_parse(&command_diff, "[LABEL=]BASE [LABEL=]NEW…", description, COMMON_INPUT | COMMON_OUTPUT | COMMON_TABLE, entries,
	              &d.o, &argc, &argv);
	if (prepare(&d)) {
		d.comparison = comparison_new(d.selection.identity);
		d.text = g_string_new(NULL);
		read_sides(&d);
		if (selection_end(&d.selection) && choose_base(&d))
			report(&d);
	}
	diff_clear(&d);
	return diag_status();
}
