/* The options that the commands share, by GOption. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/command.h"
#include "lib/select.h"

#define MAX_JOBS 256

static const char *const environment_keys[] = {
	"board", "cpu", "arch", "memory", "kernel", "rt", "distribution", "compiler", "load", NULL
};

/* What GOption fills that struct common_options has in another type. */
struct raw {
	gboolean help, version, progress, list;
	gint jobs;
	char **set_from;
	GArray *valued;         /* GOptionEntry: the options that take a value */
};

static G_GNUC_NORETURN void usage_error(const struct command *c, const char *message)
{
	diag(EXIT_USAGE, NULL, 0, "%s: %s; rtreport %s --help tells more", c->name, message, c->name);
	exit(EXIT_USAGE);
}

/* A line an option, for the shells' completions: "--name=", if it has an argument, a tab, what it does. */
static void list_entries(const GOptionEntry *entries)
{
	for (; entries->long_name; entries++)
		if (*entries->long_name && !(entries->flags & G_OPTION_FLAG_HIDDEN))
			printf("--%s%s\t%s\n", entries->long_name, entries->arg == G_OPTION_ARG_NONE ? "" : "=",
			       entries->description ? entries->description : "");
}

/* Adds the entries to the group; no group: lists them. */
static void add_entries(GOptionGroup *group, const GOptionEntry *entries, struct raw *raw)
{
	if (!group) {
		list_entries(entries);
		return;
	}
	g_option_group_add_entries(group, entries);
	for (; entries->long_name; entries++)
		if (*entries->long_name && entries->arg != G_OPTION_ARG_NONE)
			g_array_append_val(raw->valued, *entries);
}

/* Does word say an option with a value, and no more? short_name: of which the value is attached ("-j2"), else 0. */
static bool wants_value(const struct raw *raw, const char *word, char *short_name)
{
	*short_name = 0;
	for (guint i = 0; i < raw->valued->len; i++) {
		const GOptionEntry *e = &g_array_index(raw->valued, GOptionEntry, i);

		if (g_str_has_prefix(word, "--") && !strcmp(word + 2, e->long_name))
			return true;
		if (!e->short_name || word[0] != '-' || word[1] != e->short_name)
			continue;
		*short_name = word[2] ? e->short_name : 0;
		return !word[2];
	}
	return false;
}

/* The words of the command line, "-j2" as two: GOption knows no values attached to a letter. Caller g_strfreev()s. */
static char **part_values(const struct raw *raw, int argc, char **argv)
{
	GPtrArray *out = g_ptr_array_new();
	bool value = true, options = true;

	for (int i = 0; i < argc; i++) {
		char letter = 0;

		options = options && (value || strcmp(argv[i], "--"));
		value = options && !value && wants_value(raw, argv[i], &letter);
		if (letter)
			g_ptr_array_add(out, g_strdup_printf("-%c", letter));
		g_ptr_array_add(out, g_strdup(argv[i] + (letter ? 2 : 0)));
	}
	g_ptr_array_add(out, NULL);
	return (char **)g_ptr_array_free(out, FALSE);
}

static void add_input_entries(GOptionGroup *group, struct common_options *o, struct raw *raw)
{
	const GOptionEntry entries[] = {
		{ "from", 0, 0, G_OPTION_ARG_FILENAME, &o->from,
		  "Read the input as FORMAT only (rtreport formats lists them)", "FORMAT" },
		{ "quoted", 0, 0, G_OPTION_ARG_FILENAME, &o->quoted,
		  "Quoted results: fold them into their original (default), all, or skip", "fold|all|skip" },
		{ "samples", 0, 0, G_OPTION_ARG_FILENAME, &o->samples,
		  "Rows over time: yes (up to 100000 a series, default), no, or all", "yes|no|all" },
		{ "set", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &o->set,
		  "A fact that the posts do not state, such as board=…, kernel=…; repeatable", "KEY=VALUE" },
		{ "set-from", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &raw->set_from,
		  "Facts from FILE, a KEY=VALUE a line; # begins a comment", "FILE" },
		{ "jobs", 'j', 0, G_OPTION_ARG_INT, &raw->jobs, "Read with N threads", "N" },
		{ "progress", 0, 0, G_OPTION_ARG_NONE, &raw->progress, "Show progress on standard error", NULL },
		{ "strict", 0, 0, G_OPTION_ARG_NONE, &o->strict,
		  "Exit with status 4 when a result is damaged or contradictory", NULL },
		{ NULL }
	};

	add_entries(group, entries, raw);
}

static void add_output_entries(GOptionGroup *group, struct common_options *o, struct raw *raw)
{
	const GOptionEntry entries[] = {
		{ "to", 't', 0, G_OPTION_ARG_FILENAME, &o->to,
		  "Write as FORMAT (rtreport formats lists them)", "FORMAT" },
		{ "output", 'o', 0, G_OPTION_ARG_FILENAME, &o->output,
		  "Write to FILE, in the format of its suffix unless --to names one", "FILE" },
		{ "export", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &o->exports,
		  "Write to FILE as well; repeatable", "FORMAT=FILE" },
		{ "unit", 'u', 0, G_OPTION_ARG_FILENAME, &o->unit, "Unit of times: auto, ns, us, ms or s", "UNIT" },
		{ NULL }
	};

	add_entries(group, entries, raw);
}

static void add_table_entries(GOptionGroup *group, struct common_options *o, struct raw *raw)
{
	const GOptionEntry entries[] = {
		{ "columns", 0, 0, G_OPTION_ARG_FILENAME, &o->columns,
		  "Show these columns, in this order, named by their headings", "NAME,…" },
		{ "sort", 0, 0, G_OPTION_ARG_FILENAME, &o->sort,
		  "Order the rows by these columns; -NAME the other way round", "NAME,…" },
		{ "digits", 0, 0, G_OPTION_ARG_FILENAME, &o->digits, "Digits after the point", "N" },
		{ "csv-dialect", 0, 0, G_OPTION_ARG_FILENAME, &o->csv_dialect,
		  "CSV as rfc (default), excel or excel-eu", "DIALECT" },
		{ "colour", 0, 0, G_OPTION_ARG_FILENAME, &o->colour,
		  "Colours: auto (on a terminal, default), always or never", "WHEN" },
		{ "color", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_FILENAME, &o->colour, NULL, "WHEN" },
		{ "width", 0, 0, G_OPTION_ARG_FILENAME, &o->width, "Width of text tables in columns", "N" },
		{ "title", 0, 0, G_OPTION_ARG_FILENAME, &o->document_title, "Title of the document", "TEXT" },
		{ NULL }
	};

	add_entries(group, entries, raw);
}

static void add_where_entry(GOptionGroup *group, struct common_options *o, struct raw *raw)
{
	const GOptionEntry entries[] = {
		{ "where", 'w', 0, G_OPTION_ARG_FILENAME, &o->where,
		  "Only what fulfils EXPR, as in 'tool=cyclictest board~omap max>100us'", "EXPR" },
		{ NULL }
	};

	add_entries(group, entries, raw);
}

static bool is_environment_key(const char *key)
{
	return g_strv_contains(environment_keys, key) || (g_str_has_prefix(key, "config.") && key[7]) ||
	       g_str_has_prefix(key, "x_");
}

char *options_add_fact(struct common_options *o, const char *text)
{
	const char *equal = strchr(text, '=');
	g_autofree char *key = equal ? g_strstrip(g_strndup(text, (gsize)(equal - text))) : NULL;
	g_autofree char *value = equal ? g_strstrip(g_strdup(equal + 1)) : NULL;
	struct fact f = { 0 };

	if (!equal || !*key || !*value)
		return g_strdup_printf("'%s' is not KEY=VALUE", text);
	if (!g_utf8_validate(text, -1, NULL))
		return g_strdup("the fact is no valid UTF-8");
	if (!is_environment_key(key)) {
		g_autofree char *keys = g_strjoinv(", ", (char **)environment_keys);

		return g_strdup_printf("unknown fact '%s'; the facts are %s, and config.NAME for others", key, keys);
	}
	if (!o->input.set)
		o->input.set = g_array_new(FALSE, FALSE, sizeof(struct fact));
	f.key = g_steal_pointer(&key);
	f.text = g_steal_pointer(&value);
	g_array_append_val(o->input.set, f);
	return NULL;
}

static char *facts_error(const char *path, unsigned line, char *error)
{
	char *full = error ? g_strdup_printf("%s:%u: %s", path, line, error) : NULL;

	g_free(error);
	return full;
}

static char *add_facts_of_file(struct common_options *o, const char *path)
{
	g_autoptr(GError) trouble = NULL;
	g_autofree char *text = NULL, *error = NULL;
	g_auto(GStrv) lines = NULL;

	if (!g_file_get_contents(path, &text, NULL, &trouble))
		return g_strdup(trouble->message);
	lines = g_strsplit(text, "\n", -1);
	for (unsigned i = 0; lines[i] && !error; i++) {
		g_strstrip(lines[i]);
		if (*lines[i] && *lines[i] != '#')
			error = facts_error(path, i + 1, options_add_fact(o, lines[i]));
	}
	return g_steal_pointer(&error);
}

static const char *choose(const char *value, const char *const *names, unsigned *out)
{
	for (*out = 0; names[*out]; (*out)++)
		if (!strcmp(names[*out], value))
			return NULL;
	return value;
}

static char *apply_from(struct common_options *o)
{
	o->input.reader.only = NULL;
	if (!o->from)
		return NULL;
	o->input.reader.only = parser_find(o->from);
	return o->input.reader.only ? NULL : g_strdup_printf("--from=%s: no such format; rtreport formats lists them", o->from);
}

char *options_apply(struct common_options *o)
{
	static const char *const quoted[] = { "fold", "all", "skip", NULL };
	static const char *const samples[] = { "yes", "no", "all", NULL };
	unsigned i;

	if (o->quoted) {
		if (choose(o->quoted, quoted, &i))
			return g_strdup("--quoted is one of fold, all, skip");
		o->input.quoted = (enum quoted)i;
	}
	if (o->samples && choose(o->samples, samples, &i))
		return g_strdup("--samples is one of yes, no, all");
	if (o->samples && !strcmp(o->samples, "all"))
		record_sample_limit(0);
	return apply_from(o);
}

char *options_apply_where(struct common_options *o)
{
	g_autofree char *error = NULL;

	g_clear_pointer(&o->select, select_free);
	if (!o->where)
		return NULL;
	o->select = select_parse(o->where, &error);
	return o->select ? NULL : g_strdup_printf("--where: %s", error);
}

static void apply_facts(const struct command *c, struct common_options *o, const struct raw *raw)
{
	char *error = NULL;

	for (char **s = o->set; s && *s && !error; s++)
		error = options_add_fact(o, *s);
	for (char **f = raw->set_from; f && *f && !error; f++)
		error = add_facts_of_file(o, *f);
	if (error)
		usage_error(c, error);
}

static void apply_where(struct common_options *o)
{
	char *error = options_apply_where(o);

	if (!error)
		return;
	diag(EXIT_USAGE, NULL, 0, "%s", error);
	g_clear_pointer(&error, g_free);
	exit(EXIT_USAGE);
}

static void apply_input(const struct command *c, struct common_options *o, const struct raw *raw)
{
	char *error = options_apply(o);

	if (error)
		usage_error(c, error);
	if (raw->jobs < 0 || raw->jobs > MAX_JOBS)
		usage_error(c, "--jobs is a number from 1 to 256");
	o->input.jobs = (unsigned)raw->jobs;
	o->input.progress = raw->progress;
	apply_where(o);
	apply_facts(c, o, raw);
}

/* All options of a command, its own first. */
static void add_all_entries(GOptionGroup *group, unsigned common, const GOptionEntry *entries,
			    struct common_options *o, struct raw *raw)
{
	const GOptionEntry own[] = {
		{ "help", 'h', 0, G_OPTION_ARG_NONE, &raw->help, "Show this help", NULL },
		{ "version", 'V', G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &raw->version, NULL, NULL },
		{ "list-options", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &raw->list, NULL, NULL },
		{ G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &o->inputs, NULL, NULL },
		{ NULL }
	};

	if (entries)
		add_entries(group, entries, raw);
	if (common & COMMON_OUTPUT)
		add_output_entries(group, o, raw);
	if (common & COMMON_TABLE)
		add_table_entries(group, o, raw);
	if (common & COMMON_WHERE)
		add_where_entry(group, o, raw);
	if (common & COMMON_INPUT)
		add_input_entries(group, o, raw);
	add_entries(group, own, raw);
}

static GOptionContext *make_context(const struct command *c, const char *arguments, const char *description,
				    GOptionGroup *group)
{
	GOptionContext *context = g_option_context_new(arguments);

	g_option_context_set_main_group(context, group);
	g_option_context_set_summary(context, c->summary);
	g_option_context_set_description(context, description);
	g_option_context_set_help_enabled(context, FALSE);
	return context;
}

static void print_help(const struct command *c, GOptionContext *context)
{
	g_autofree char *name = g_strdup_printf("rtreport %s", c->name), *text = NULL;

	g_set_prgname(name);
	text = g_option_context_get_help(context, TRUE, NULL);
	fputs(text, stdout);
	if (text[strlen(text) - 1] != '\n')
		putchar('\n');
}

void options_parse(const struct command *c, const char *arguments, const char *description, unsigned common,
		   const GOptionEntry *entries, struct common_options *o, int *argc, char ***argv)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GArray) valued = g_array_new(FALSE, FALSE, sizeof(GOptionEntry));
	g_auto(GStrv) words = NULL;
	struct raw raw = { .valued = valued };
	GOptionGroup *group = g_option_group_new("rtreport", NULL, NULL, NULL, NULL);
	GOptionContext *context = make_context(c, arguments, description, group);

	memset(o, 0, sizeof(*o));
	add_all_entries(group, common, entries, o, &raw);
	words = part_values(&raw, *argc, *argv);
	if (!g_option_context_parse_strv(context, &words, &error))
		usage_error(c, error->message);
	if (raw.help || raw.version || raw.list) {
		if (raw.help)
			print_help(c, context);
		else if (raw.list)
			add_all_entries(NULL, common, entries, o, &raw);
		else
			puts("rtreport " RTREPORT_VERSION_TEXT);
		g_option_context_free(context);
		exit(fflush(stdout) ? EXIT_USAGE : EXIT_DONE);
	}
	g_option_context_free(context);
	if (!o->inputs || !*o->inputs) {
		g_strfreev(o->inputs);
		o->inputs = g_strsplit("-", " ", -1);
	}
	if (common & COMMON_INPUT)
		apply_input(c, o, &raw);
	g_strfreev(raw.set_from);
}

void options_free(struct common_options *o)
{
	char **const texts[] = {
		&o->from, &o->quoted, &o->samples, &o->output, &o->to, &o->unit, &o->columns, &o->sort, &o->digits,
		&o->csv_dialect, &o->colour, &o->width, &o->document_title,
	};

	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
		g_clear_pointer(texts[i], g_free);
	g_clear_pointer(&o->where, g_free);
	g_clear_pointer(&o->select, select_free);
	g_clear_pointer(&o->set, g_strfreev);
	g_clear_pointer(&o->inputs, g_strfreev);
	g_clear_pointer(&o->exports, g_strfreev);
	for (guint i = 0; o->input.set && i < o->input.set->len; i++) {
		struct fact *f = &g_array_index(o->input.set, struct fact, i);

		g_free((char *)f->key);
		g_free((char *)f->text);
	}
	g_clear_pointer(&o->input.set, g_array_unref);
}

const char *options_split_label(const char *argument, char **label)
{
	const char *equal = strchr(argument, '=');

	*label = NULL;
	if (!equal || equal == argument || !access(argument, F_OK))
		return argument;
	*label = g_strndup(argument, (gsize)(equal - argument));
	return equal + 1;
}

/* Counts what comes, and with --strict tells of damage, before it passes a record on. */
struct passing {
	const struct common_options *options;
	void (*each)(struct record *r, void *data);
	void *data;
	uint64_t selected;
};

/* Flags that mean that something is damaged or contradicts itself. */
static bool is_damage(const char *code)
{
	static const enum flag_code codes[] = {
		FLAG_ROW_TRUNCATED, FLAG_ROWS_MISSING, FLAG_OUT_OF_RANGE, FLAG_AVG_OUT_OF_RANGE, FLAG_WORST_MISMATCH,
		FLAG_SUMMARY_MISMATCH, FLAG_BINS_MISMATCH, FLAG_MODE_CONFLICT,
	};

	for (size_t i = 0; i < G_N_ELEMENTS(codes); i++)
		if (!strcmp(code, flag_code_name(codes[i])))
			return true;
	return false;
}

static void tell_damage(const struct record *r)
{
	for (guint i = 0; i < r->flags->len; i++) {
		const struct flag *f = &g_array_index(r->flags, struct flag, i);

		if (is_damage(f->code))
			diag(EXIT_DAMAGED, r->source.file, r->source.first, "%s: %s%s%s: %s; rtreport explain shows it",
			     r->tool, f->code, *f->where ? " at " : "", f->where, f->text);
	}
}

static void pass(struct record *r, void *data)
{
	struct passing *p = data;

	if (!select_record(p->options->select, r, NULL)) {
		record_free(r);
		return;
	}
	p->selected++;
	if (p->options->strict)
		tell_damage(r);
	p->each(r, p->data);
}

static void invite(const char *path)
{
	if (!strcmp(path, "-") && isatty(STDIN_FILENO))
		fputs("rtreport: paste, then Ctrl-D\n", stderr);
}

static void lend(const struct record *r, void *data)
{
	struct passing *p = data;

	p->selected++;
	p->options->borrow(r, p->data);
}

static bool read_inputs(struct input *in, char *const *paths)
{
	bool any = false;

	for (; *paths; paths++) {
		g_autofree char *label = NULL;
		const char *path = options_split_label(*paths, &label);

		invite(path);
		any |= input_read(in, path);
	}
	return any;
}

static bool read_given(struct input *in, const GArray *given)
{
	for (guint i = 0; i < given->len; i++) {
		const struct given *g = &g_array_index(given, struct given, i);

		input_read_bytes(in, g->bytes, g->len, g->file);
	}
	return true;
}

uint64_t options_read(struct common_options *o, void (*each)(struct record *r, void *data), void *data)
{
	struct passing p = { o, each, data, 0 };
	struct input_options options = o->input;
	struct input *in;
	bool any;
	uint64_t n;

	options.borrow = o->borrow && !o->strict ? lend : NULL;
	in = input_new(&options, pass, &p);
	any = o->given ? read_given(in, o->given) : read_inputs(in, o->inputs);
	n = input_finish(in);
	if (!n && any)
		diag(EXIT_NOTHING, NULL, 0, "nothing recognized in the input; rtreport explain shows what was made of "
		     "each line, rtreport formats what can be read");
	if (o->select && select_problem(o->select))
		diag(EXIT_USAGE, NULL, 0, "--where: %s", select_problem(o->select));
	else if (n && !p.selected)
		diag(EXIT_NOTHING, NULL, 0, "--where '%s' matches none of the %" G_GUINT64_FORMAT " results", o->where, n);
	return p.selected;
}

static void append(struct record *r, void *data)
{
	g_ptr_array_add(data, r);
}

static void free_record(void *r)
{
	record_free(r);
}

GPtrArray *options_read_all(struct common_options *o)
{
	GPtrArray *all = g_ptr_array_new_with_free_func(free_record);

	options_read(o, append, all);
	return all;
}
