/* Output that the commands share. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "cmd/output.h"
#include "lib/renderer.h"
#include "lib/report_long.h"

#define MAX_DIGITS 15
#define MIN_WIDTH 20
#define MAX_WIDTH 10000

/* Where one rendering goes: path NULL is standard output. */
struct target { const struct renderer *renderer; const char *path; };

static bool number_option(const char *name, const char *text, int min, int max, int *out)
{
	char *end;

	errno = 0;
	long value = strtol(text, &end, 10);
	if (end == text || *end || errno || value < min || value > max) {
		diag(EXIT_USAGE, NULL, 0, "--%s=%s: not a whole number from %d to %d", name, text, min, max);
		return false;
	}
	*out = (int)value;
	return true;
}

static char *format_names(void)
{
	GString *s = g_string_new(NULL);

	for (size_t i = 0; renderers[i]; i++)
		g_string_append_printf(s, "%s%s", i ? ", " : "", renderers[i]->name);
	return g_string_free(s, FALSE);
}

static const struct renderer *find_format(const char *name)
{
	const struct renderer *r = renderer_find(name);

	if (!r) {
		g_autofree char *names = format_names();
		diag(EXIT_USAGE, NULL, 0, "unknown format '%s'; the formats are %s", name, names);
	}
	return r;
}

static const struct renderer *format_of_file(const char *path)
{
	const struct renderer *r = renderer_for_file(path);

	if (!r)
		diag(EXIT_USAGE, path, 0, "its suffix names no format; say --to FORMAT");
	return r;
}

/* --export FORMAT=FILE; FILE alone chooses by its suffix. */
static bool export_target(const char *text, struct target *t)
{
	const char *equal = strchr(text, '=');

	if (!equal) {
		t->path = text;
		return (t->renderer = format_of_file(text)) != NULL;
	}
	g_autofree char *name = g_strndup(text, equal - text);
	t->path = equal + 1;
	if (!*t->path) {
		diag(EXIT_USAGE, NULL, 0, "--export=%s: no file named; say --export FORMAT=FILE", text);
		return false;
	}
	return (t->renderer = find_format(name)) != NULL;
}

static bool main_target(const struct common_options *o, struct target *t)
{
	const char *path = o->output && strcmp(o->output, "-") ? o->output : NULL;

	t->path = path;
	if (o->to)
		t->renderer = find_format(o->to);
	else
		t->renderer = path ? format_of_file(path) : renderer_find("terminal");
	if (t->renderer && t->renderer->binary && !path && isatty(STDOUT_FILENO)) {
		diag(EXIT_USAGE, NULL, 0, "%s is no text for a terminal; say -o FILE", t->renderer->name);
		return false;
	}
	return t->renderer != NULL;
}

/* All targets (struct target), the main one first; NULL after a message. */
static GArray *targets(const struct common_options *o)
{
	GArray *list = g_array_new(FALSE, TRUE, sizeof(struct target));
	struct target t = { 0 };
	bool ok = main_target(o, &t);

	g_array_append_val(list, t);
	for (char **e = o->exports; ok && e && *e; e++) {
		ok = export_target(*e, &t);
		g_array_append_val(list, t);
	}
	if (!ok)
		g_clear_pointer(&list, g_array_unref);
	return list;
}

static bool one_of(const char *name, const char *value, const char *const *list)
{
	g_autofree char *all = g_strjoinv(", ", (char **)list);

	if (!value || g_strv_contains(list, value))
		return true;
	diag(EXIT_USAGE, NULL, 0, "--%s=%s: not one of %s", name, value, all);
	return false;
}

bool output_check(const struct common_options *o)
{
	static const char *const dialects[] = { "rfc", "excel", "excel-eu", NULL };
	static const char *const colours[] = { "auto", "always", "never", NULL };
	g_autoptr(GArray) list = targets(o);
	int n;

	if (!list || !one_of("csv-dialect", o->csv_dialect, dialects) || !one_of("colour", o->colour, colours))
		return false;
	if (o->unit && !report_unit_known(o->unit)) {
		diag(EXIT_USAGE, NULL, 0, "--unit=%s: not one of auto, ns, us, ms, s", o->unit);
		return false;
	}
	return (!o->digits || number_option("digits", o->digits, 0, MAX_DIGITS, &n)) &&
	       (!o->width || number_option("width", o->width, MIN_WIDTH, MAX_WIDTH, &n));
}

/* COLUMNS, else what the terminal says, else 80; 0 (as wide as it gets) when output is no terminal. */
static int terminal_width(void)
{
	const char *env = g_getenv("COLUMNS");
	struct winsize size;
	int width = env ? atoi(env) : 0;

	if (width >= MIN_WIDTH && width <= MAX_WIDTH)
		return width;
	if (!isatty(STDOUT_FILENO))
		return 0;
	if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_col >= MIN_WIDTH)
		return size.ws_col;
	return 80;
}

bool output_colour(const struct common_options *o)
{
	const char *no = g_getenv("NO_COLOR"), *term = g_getenv("TERM");

	if (no && *no)
		return false;
	if (o->colour && strcmp(o->colour, "auto"))
		return !strcmp(o->colour, "always");
	return isatty(STDOUT_FILENO) && term && strcmp(term, "dumb");
}

static struct render_options render_options(const struct common_options *o, const struct target *t)
{
	struct render_options r = { .csv_dialect = o->csv_dialect };

	if (o->width)
		number_option("width", o->width, MIN_WIDTH, MAX_WIDTH, &r.width);
	else if (!t->path && !strcmp(t->renderer->name, "terminal"))
		r.width = terminal_width();
	r.colour = !t->path && output_colour(o);
	return r;
}

/* name: what document_sort or document_select returned; freed here. */
static bool unknown_column(const struct document *d, char *name)
{
	g_autofree char *owned = name, *message = name ? document_no_column(d, name) : NULL;

	if (message)
		diag(EXIT_USAGE, NULL, 0, "%s", message);
	return message != NULL;
}

static void tell_failure(const struct target *t)
{
	diag(EXIT_USAGE, t->path, 0, "%s could not be written: %s", t->renderer->name,
	     errno ? g_strerror(errno) : "the format cannot hold it");
}

/* What a writer of a target returns when it has told its trouble itself. */
#define TOLD 1

/* Writes one target by `write`, which returns 0, -1 with errno set, or TOLD. */
static int write_target(const struct target *t, int (*write)(const struct target *t, FILE *out, void *data), void *data)
{
	FILE *stream;
	struct output *out = output_open(t->path, &stream);

	if (!out)
		return -1;
	errno = 0;
	int status = write(t, stream, data);
	if (!status)
		return output_close(out);
	if (status != TOLD)
		tell_failure(t);
	output_abandon(out);
	return -1;
}

static int write_targets(const struct common_options *o,
                         int (*write)(const struct target *t, FILE *out, void *data), void *data)
{
	g_autoptr(GArray) list = output_check(o) ? targets(o) : NULL;
	int status = list ? 0 : -1;

	for (guint i = 0; list && i < list->len; i++)
		status |= write_target(&g_array_index(list, struct target, i), write, data);
	return status;
}

struct document_job { const struct document *document; const struct common_options *options; };

static int write_document(const struct target *t, FILE *out, void *data)
{
	const struct document_job *job = data;
	struct render_options r = render_options(job->options, t);

	return t->renderer->write(job->document, &r, out);
}

int output_document(struct document *d, const struct common_options *o)
{
	struct document_job job = { d, o };
	int digits;

	if (o->document_title) {
		g_free(d->title);
		d->title = g_strdup(o->document_title);
	}
	if (o->digits && number_option("digits", o->digits, 0, MAX_DIGITS, &digits))
		document_digits(d, digits);
	/* Sorting first: a column that is not shown may still order the rows. */
	if ((o->sort && unknown_column(d, document_sort(d, o->sort))) ||
	    (o->columns && unknown_column(d, document_select(d, o->columns))))
		return -1;
	return write_targets(o, write_document, &job);
}

struct records_job { GPtrArray *records; const struct report_options *report; const struct common_options *options; };

/* Can the renderer itself choose the columns? Not those that are none: the document says which. */
static bool columns_known(const GPtrArray *records, const struct report_options *report, const struct renderer *renderer)
{
	if (!renderer->selects)
		return false;
	enum report_form form = report->form == REPORT_RESULTS ? REPORT_LONG : report->form;
	struct long_table *l = long_table_new(form, records, report);
	g_autofree char *bad = long_table_select(l, report->columns);

	long_table_free(l);
	return !bad;
}

static int write_records(const struct target *t, FILE *out, void *data)
{
	const struct records_job *job = data;
	struct render_options r = render_options(job->options, t);
	struct report_options report = *job->report;
	char *error = NULL;
	int status;

	r.report = &report;
	if (t->renderer->write_records && (report.form == REPORT_RESULTS || t->renderer->selects)) {
		if ((!report.columns || columns_known(job->records, &report, t->renderer)) && !report.sort)
			return t->renderer->write_records(job->records, &r, out);
		if (report.form == REPORT_RESULTS)
			report.form = REPORT_LONG;
	}
	/* What others read on has all digits and all labels in their columns. */
	report.brief &= !strcmp(t->renderer->name, "terminal");

	struct document *d = document_from_records(job->records, &report, &error);
	if (!d) {
		diag(EXIT_USAGE, NULL, 0, "%s", error);
		g_free(error);
		return TOLD;
	}
	status = t->renderer->write(d, &r, out);
	document_free(d);
	return status;
}

static struct report_options report_options(const struct report_options *base, const struct common_options *o)
{
	struct report_options report = base ? *base : (struct report_options){ 0 };

	if (o->unit)
		report.unit = o->unit;
	if (o->columns)
		report.columns = o->columns;
	if (o->sort)
		report.sort = o->sort;
	if (o->document_title)
		report.title = o->document_title;
	if (o->digits)
		report.has_digits = number_option("digits", o->digits, 0, MAX_DIGITS, &report.digits);
	return report;
}

int output_records(GPtrArray *records, const struct report_options *base, const struct common_options *o)
{
	struct report_options report = report_options(base, o);
	struct records_job job = { records, &report, o };

	return write_targets(o, write_records, &job);
}

/* One target while it is written. */
struct stream {
	struct target target;
	struct render_options render;
	struct output *output;          /* NULL: not opened yet */
	FILE *out;
	void *stream;                   /* the renderer's */
	int status;
};

struct output_stream {
	struct report_options report;
	GArray *streams;                /* struct stream */
};

/* Can the target be written record by record? */
static bool streams(const struct target *t, const struct report_options *report)
{
	const struct renderer *r = t->renderer;
	g_autoptr(GPtrArray) none = g_ptr_array_new();

	return r->begin && !report->sort && g_strcmp0(report->unit, "auto") && (report->form == REPORT_RESULTS || r->selects) &&
	       (!report->columns || columns_known(none, report, r));
}

struct output_stream *output_stream_new(const struct report_options *base, const struct common_options *o)
{
	g_autoptr(GArray) list = targets(o);
	struct report_options report = report_options(base, o);
	struct output_stream *s;

	for (guint i = 0; list && i < list->len; i++)
		if (!streams(&g_array_index(list, struct target, i), &report))
			g_clear_pointer(&list, g_array_unref);
	if (!list)
		return NULL;
	s = g_new0(struct output_stream, 1);
	s->report = report;
	s->streams = g_array_new(FALSE, TRUE, sizeof(struct stream));
	for (guint i = 0; i < list->len; i++) {
		struct stream stream = { .target = g_array_index(list, struct target, i) };

		stream.render = render_options(o, &stream.target);
		stream.render.report = &s->report;
		g_array_append_val(s->streams, stream);
	}
	return s;
}

bool output_stream_shows_samples(const struct output_stream *s)
{
	bool shows = s->report.form == REPORT_SAMPLES;

	for (guint i = 0; i < s->streams->len && s->report.form == REPORT_RESULTS; i++)
		shows |= g_array_index(s->streams, struct stream, i).target.renderer->shows_samples;
	return shows;
}

static void stream_put(struct stream *s, const struct record *r)
{
	if (s->status)
		return;
	if (!s->output) {
		s->output = output_open(s->target.path, &s->out);
		errno = 0;
		s->stream = s->output ? s->target.renderer->begin(&s->render, s->out) : NULL;
		s->status = s->stream ? 0 : -1;
	}
	if (s->stream)
		s->target.renderer->record(s->stream, r);
}

void output_stream_put(struct output_stream *s, const struct record *r)
{
	for (guint i = 0; i < s->streams->len; i++)
		stream_put(&g_array_index(s->streams, struct stream, i), r);
}

static int stream_end(struct stream *s)
{
	int status = s->status;

	errno = 0;
	if (s->stream)
		status |= s->target.renderer->end(s->stream);
	if (s->output && status) {
		tell_failure(&s->target);
		output_abandon(s->output);
	} else if (s->output) {
		status = output_close(s->output);
	}
	return status;
}

int output_stream_end(struct output_stream *s)
{
	int status = 0;

	for (guint i = 0; i < s->streams->len; i++)
		status |= stream_end(&g_array_index(s->streams, struct stream, i));
	g_array_unref(s->streams);
	g_free(s);
	return status;
}

bool output_is_report(const struct common_options *o)
{
	return !o->to && !o->output;
}
