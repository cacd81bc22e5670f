/* rtreport plot: pictures of results, drawn by gnuplot. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/selection.h"
#include "lib/plot.h"

#define GNUPLOT "gnuplot"
#define MIN_SIZE 200u
#define MAX_SIZE 10000u
#define MAX_COMPLAINT 2000      /* bytes of gnuplot's own words that are passed on */

static const char description[] =
	"Kinds:\n"
	"  histogram  samples per bin over the latency, counts on a logarithmic axis\n"
	"  tail       the share of samples at or above a latency, on a logarithmic axis\n"
	"  samples    the rows over time: minimum to maximum as a band, the average in it\n"
	"  bars       minimum, average and maximum, a bar a series: boards side by side\n"
	"Without --kind: histogram if there is one, else samples of up to three series, else\n"
	"bars.\n\n"
	"Formats, by --to or the suffix of -o FILE: svg, png, and gnuplot (.gp): the script with\n"
	"its data, to draw or change elsewhere (gnuplot -d FILE.gp > FILE.svg). svg and png need\n"
	"the program gnuplot (package gnuplot-nox).\n"
	"Curves are named by what tells them apart, by LABEL= of the inputs, or by --name; what\n"
	"all share stands in the heading. Threads and runs are drawn one by one; aggregate\n"
	"merges them. Of more than 28 curves or 60 bars the first ones are drawn, and the\n"
	"heading says so.\n\n"
	"Examples:\n"
	"  cyclictest -q -m -p 95 -h 200 -D 10m | rtreport plot -o latency.svg\n"
	"  rtreport plot --kind tail -o tail.png stock=before.txt tuned=after.txt\n"
	"  rtreport plot --kind samples --where 'title~idle' -o rows.svg result.txt\n"
	"  rtreport aggregate --by board --to json all.jsonl | rtreport plot -o boards.svg\n"
	"  rtreport plot --to gnuplot result.txt > picture.gp\n";

static int run(int argc, char **argv);

const struct command command_plot = {
	.name = "plot",
	.summary = "Draw histograms, tails, samples over time or bars as SVG or PNG",
	.run = run,
};

/* terminal NULL: the script itself */
struct format { const char *name, *suffix, *terminal; };
static const struct format formats[] = {
	{ "svg", ".svg", "svg" }, { "png", ".png", "pngcairo" }, { "gnuplot", ".gp", NULL },
};

/* path NULL: standard output */
struct target { const struct format *format; const char *path; };

struct job {
	struct common_options o;
	struct plot_options options;
	char *kind, *names, *size, *title;
	GPtrArray *keys;
	GArray *targets;                /* struct target */
	GPtrArray *records, *labels;    /* own what subjects point to */
	GArray *subjects;               /* struct subject */
	const char *label;              /* of the input that is being read */
};

/* ---- options ---- */

static const struct format *format_named(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(formats); i++)
		if (!strcmp(formats[i].name, name))
			return &formats[i];
	diag(EXIT_USAGE, NULL, 0, "plot: unknown format '%s'; the formats are svg, png and gnuplot",
	     name);
	return NULL;
}

static const struct format *format_of_file(const char *path)
{
	for (size_t i = 0; i < G_N_ELEMENTS(formats); i++)
		if (g_str_has_suffix(path, formats[i].suffix))
			return &formats[i];
	diag(EXIT_USAGE, path, 0,
	     "its suffix is none of .svg, .png and .gp; say --to svg, png or gnuplot");
	return NULL;
}

static bool add_target(struct job *j, const char *format, const char *path)
{
	struct target t = { NULL, path && strcmp(path, "-") ? path : NULL };

	if (!format && !t.path) {
		diag(EXIT_USAGE, NULL, 0,
		     "plot: no picture named; say -o FILE.svg or -o FILE.png, or --to svg for "
		     "standard output");
		return false;
	}
	t.format = format ? format_named(format) : format_of_file(t.path);
	if (t.format && !t.path && !strcmp(t.format->name, "png") && isatty(STDOUT_FILENO)) {
		diag(EXIT_USAGE, NULL, 0, "png is no text for a terminal; say -o FILE");
		return false;
	}
	g_array_append_val(j->targets, t);
	return t.format != NULL;
}

static bool read_targets(struct job *j)
{
	bool main_one = j->o.to || j->o.output || !j->o.exports || !*j->o.exports;

	if (main_one && !add_target(j, j->o.to, j->o.output))
		return false;
	for (char **e = j->o.exports; e && *e; e++) {
		const char *equal = strchr(*e, '=');
		g_autofree char *format = equal ? g_strndup(*e, (gsize)(equal - *e)) : NULL;
		const char *path = equal ? equal + 1 : *e;

		if (!*path || !strcmp(path, "-")) {
			diag(EXIT_USAGE, NULL, 0,
			     "--export=%s: no file named; say --export FORMAT=FILE", *e);
			return false;
		}
		if (!add_target(j, format, path))
			return false;
	}
	return true;
}

static bool read_kind(struct job *j)
{
	static const char *const names[] = { "auto", "histogram", "tail", "samples", "bars" };

	for (size_t i = 0; j->kind && i < G_N_ELEMENTS(names); i++) {
		if (!strcmp(names[i], j->kind)) {
			j->options.kind = (enum plot_kind)i;
			return true;
		}
	}
	if (j->kind)
		diag(EXIT_USAGE, NULL, 0,
		     "--kind=%s: not one of auto, histogram, tail, samples, bars", j->kind);
	return !j->kind;
}

static bool read_size(struct job *j)
{
	char *end;
	unsigned long width, height;

	if (!j->size)
		return true;
	width = strtoul(j->size, &end, 10);
	height = *end == 'x' && g_ascii_isdigit(end[1]) ? strtoul(end + 1, &end, 10) : 0;
	if (!g_ascii_isdigit(*j->size) || *end || width < MIN_SIZE || width > MAX_SIZE ||
	    height < MIN_SIZE || height > MAX_SIZE) {
		diag(EXIT_USAGE, NULL, 0, "--size=%s: not WIDTHxHEIGHT, each from %u to %u pixels",
		     j->size, MIN_SIZE, MAX_SIZE);
		return false;
	}
	j->options.width = (unsigned)width;
	j->options.height = (unsigned)height;
	return true;
}

static bool read_names(struct job *j)
{
	g_autofree char *error = NULL;

	if (!j->names)
		return true;
	j->keys = keys_parse(j->names, &error);
	if (!j->keys)
		diag(EXIT_USAGE, NULL, 0, "--name: %s", error);
	else if (!j->keys->len)
		diag(EXIT_USAGE, NULL, 0, "--name: no key named");
	j->options.names = j->keys;
	return j->keys && j->keys->len;
}

static bool prepare(struct job *j)
{
	if (j->o.unit && !report_unit_known(j->o.unit)) {
		diag(EXIT_USAGE, NULL, 0, "--unit=%s: not one of auto, ns, us, ms, s", j->o.unit);
		return false;
	}
	j->options.unit = j->o.unit;
	j->options.title = j->title;
	return read_kind(j) && read_size(j) && read_names(j) && read_targets(j);
}

/* ---- records ---- */

static void take(struct record *r, void *data)
{
	struct job *j = data;
	struct subject subject = { r, NULL, j->label };

	g_ptr_array_add(j->records, r);
	g_array_append_val(j->subjects, subject);
}

static bool labelled(char **inputs)
{
	bool any = false;

	for (; *inputs && !any; inputs++) {
		g_autofree char *label = NULL;

		options_split_label(*inputs, &label);
		any = label != NULL;
	}
	return any;
}

/* One by one only where inputs have labels: together, quotes of one in another are found. */
static void read_all(struct job *j)
{
	if (!labelled(j->o.inputs)) {
		options_read(&j->o, take, j);
		return;
	}
	for (char **a = j->o.inputs; *a; a++) {
		char *label = NULL;
		const char *path = options_split_label(*a, &label);

		j->label = label ? label : g_path_get_basename(path);
		g_ptr_array_add(j->labels, (char *)j->label);
		selection_read_one(&j->o, *a, take, j);
	}
}

/* ---- gnuplot ---- */

/* What a temporary file holds, from its beginning; NULL with errno. */
static char *slurp(FILE *f, size_t *len)
{
	g_autoptr(GString) all = g_string_new(NULL);
	char block[65536];
	size_t n;

	if (fseek(f, 0, SEEK_SET))
		return NULL;
	while ((n = fread(block, 1, sizeof block, f)))
		g_string_append_len(all, block, (gssize)n);
	if (ferror(f))
		return NULL;
	*len = all->len;
	return g_string_free(g_steal_pointer(&all), FALSE);
}

static void tell_complaint(FILE *errors)
{
	size_t len = 0;
	g_autofree char *raw = slurp(errors, &len);
	g_autofree char *text =
		raw ? g_utf8_make_valid(raw, (gssize)MIN(len, MAX_COMPLAINT)) : g_strdup("");

	for (char *c = text; *c; c++)
		if (g_ascii_iscntrl(*c))
			*c = ' ';
	g_strstrip(text);
	diag(EXIT_USAGE, NULL, 0,
	     "gnuplot failed%s%s; rtreport plot --to gnuplot writes the script", *text ? ": " : "",
	     text);
}

/*
 * Runs gnuplot on the script, without a shell and without its start-up files. All three streams are
 * files: nothing can wait for the other side.
 */
static bool run_gnuplot(FILE *script, FILE *picture, FILE *errors)
{
	char *arguments[] = { (char *)GNUPLOT, (char *)"-d", (char *)"-", NULL };
	g_autoptr(GError) error = NULL;
	GPid child;
	int status;

	if (!g_spawn_async_with_fds(
		    NULL, arguments, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD, NULL,
		    NULL, &child, fileno(script), fileno(picture), fileno(errors), &error)) {
		if (g_error_matches(error, G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT))
			diag(EXIT_USAGE, NULL, 0,
			     "gnuplot is not installed, and it draws the plots; install it "
			     "(package gnuplot-nox), or write "
			     "the script with --to gnuplot and draw it elsewhere");
		else
			diag(EXIT_USAGE, NULL, 0, "gnuplot cannot be run: %s", error->message);
		return false;
	}
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	g_spawn_close_pid(child);
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return true;
	tell_complaint(errors);
	return false;
}

/* The picture; NULL after a message. Caller g_frees. */
static char *draw(const char *script, size_t *len)
{
	FILE *in = tmpfile(), *out = tmpfile(), *errors = tmpfile();
	char *picture = NULL;

	if (!in || !out || !errors || fputs(script, in) < 0 || fflush(in) ||
	    fseek(in, 0, SEEK_SET)) {
		diag(EXIT_USAGE, NULL, 0, "no temporary file can be written: %s",
		     g_strerror(errno));
	} else if (run_gnuplot(in, out, errors)) {
		picture = slurp(out, len);
		if (!picture || !*len) {
			tell_complaint(errors);
			g_clear_pointer(&picture, g_free);
		}
	}
	if (in)
		fclose(in);
	if (out)
		fclose(out);
	if (errors)
		fclose(errors);
	return picture;
}

static void write_target(const struct plot *p, const struct target *t)
{
	g_autofree char *script = plot_script(p, t->format->terminal ? t->format->terminal : "svg");
	size_t len = strlen(script);
	g_autofree char *picture = t->format->terminal ? draw(script, &len) : NULL;
	struct output *out;
	FILE *stream;

	if (t->format->terminal && !picture)
		return;
	out = output_open(t->path, &stream);
	if (!out)
		return;
	fwrite(picture ? picture : script, 1, len, stream);
	output_close(out);
}

static void plot_all(struct job *j)
{
	char *error = NULL;
	struct plot *p = plot_new(j->subjects, &j->options, &error);

	if (!p) {
		diag(EXIT_NOTHING, NULL, 0, "nothing to draw: %s; --kind chooses what is drawn",
		     error);
		g_free(error);
		return;
	}
	for (guint i = 0; i < plot_notes(p)->len; i++)
		diag(EXIT_DONE, NULL, 0, "%s", (const char *)plot_notes(p)->pdata[i]);
	for (guint i = 0; i < j->targets->len; i++)
		write_target(p, &g_array_index(j->targets, struct target, i));
	plot_free(p);
}

static void job_clear(struct job *j)
{
	g_free(j->kind);
	g_free(j->names);
	g_free(j->size);
	g_free(j->title);
	if (j->keys)
		g_ptr_array_unref(j->keys);
	g_array_unref(j->targets);
	g_array_unref(j->subjects);
	g_ptr_array_unref(j->records);
	g_ptr_array_unref(j->labels);
	options_free(&j->o);
}

static void free_record(void *r)
{
	record_free(r);
}

static int run(int argc, char **argv)
{
	struct job j = {
		.targets = g_array_new(FALSE, FALSE, sizeof(struct target)),
		.subjects = g_array_new(FALSE, FALSE, sizeof(struct subject)),
		.records = g_ptr_array_new_with_free_func(free_record),
		.labels = g_ptr_array_new_with_free_func(g_free),
	};
	const GOptionEntry entries[] = {
		{ "kind", 'k', 0, G_OPTION_ARG_FILENAME, &j.kind,
		  "What is drawn: auto (default), histogram, tail, samples, bars", "KIND" },
		{ "name", 0, 0, G_OPTION_ARG_FILENAME, &j.names,
		  "Name curves by these keys, such as board,kernel or label", "KEYS" },
		{ "title", 0, 0, G_OPTION_ARG_FILENAME, &j.title, "Title of the picture", "TEXT" },
		{ "size", 0, 0, G_OPTION_ARG_FILENAME, &j.size, "Width and height in pixels",
		  "WxH" },
		{ NULL }
	};

	options_parse(&command_plot, "[[LABEL=]FILE|DIRECTORY|-]…", description,
	              COMMON_INPUT | COMMON_OUTPUT | COMMON_WHERE, entries, &j.o, &argc, &argv);
	if (prepare(&j)) {
		read_all(&j);
		if (j.subjects->len)
			plot_all(&j);
	}
	job_clear(&j);
	return diag_status();
}
