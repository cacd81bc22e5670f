/* rtreport explain: the input with what was made of each line. */
#include <string.h>

#include "cmd/views.h"
#include "lib/html_page.h"
#include "lib/plain.h"

static const char description[] =
	"Each line of the input with its number, quote depth (one > each) and a mark:\n"
	"  +  values were taken from it; the format is named\n"
	"  =  belongs to a result, but holds no values: banners, headers, rules; or may be a row of a typed\n"
	"     table, which is judged as a whole: the results at the end tell\n"
	"  !  looks like a result but does not count; the reason follows\n"
	"  *  a fact of the environment; it follows\n"
	"  $  a command line\n"
	"  lines without a mark were not taken\n"
	"A row that a mailer wrapped is shown joined, with the numbers of all its lines. The results follow.\n\n"
	"Examples:\n"
	"  rtreport explain post.txt\n"
	"  rtreport explain --brief archive.mbox | less\n";

enum paint { PAINT_NONE, PAINT_STOP, PAINT_DATA, PAINT_FRAME, PAINT_REJECT, PAINT_FACT, PAINT_HEAD, PAINT_END };

struct explaining {
	FILE *out;
	enum explain_look look;
	bool brief;
	char *place;                    /* file, part and message of the lines above */
	GPtrArray *results;             /* char *: said after the lines, since folding waits for all of the input */
};

/* Begins what is painted, until PAINT_STOP. */
static const char *paint(const struct explaining *e, enum paint p)
{
	static const char *const codes[PAINT_END] = {
		[PAINT_NONE] = "\033[0m", [PAINT_STOP] = "\033[0m", [PAINT_DATA] = "\033[32m", [PAINT_FRAME] = "\033[36m",
		[PAINT_REJECT] = "\033[33m", [PAINT_FACT] = "\033[35m", [PAINT_HEAD] = "\033[1m",
	};
	static const char *const elements[PAINT_END] = {
		[PAINT_NONE] = "<span>", [PAINT_STOP] = "</span>",
		[PAINT_DATA] = "<span class=\"data\">", [PAINT_FRAME] = "<span class=\"frame\">",
		[PAINT_REJECT] = "<span class=\"reject\">", [PAINT_FACT] = "<span class=\"fact\">",
		[PAINT_HEAD] = "<span class=\"head\">",
	};

	return e->look == EXPLAIN_HTML ? elements[p] : e->look == EXPLAIN_COLOUR ? codes[p] : "";
}

/* Text from the input, which is one plain line. */
static void put(const struct explaining *e, const char *text)
{
	g_autofree char *escaped = e->look == EXPLAIN_HTML ? html_escape(text) : NULL;

	fputs(escaped ? escaped : text, e->out);
}

static bool is_ascii(const char *text)
{
	while (*text >= ' ' && *text <= '~')
		text++;
	return !*text;
}

/* The line as it is where that is harmless; else with what a terminal would act on made visible. */
static char *show_text(const struct line *l)
{
	g_autofree char *plain = NULL;

	if (is_ascii(l->text))
		return g_strdup(l->text);
	plain = plain_line(l->text);
	return g_strdup_printf("%*s%s", (int)strspn(l->text, " "), "", plain);
}

static void append_part(GString *s, const char *before, const char *text)
{
	g_autofree char *plain = text ? plain_line(text) : NULL;

	if (plain && *plain)
		g_string_append_printf(s, "%s%s", before, plain);
}

/* A heading where lines of another file, part or message begin. */
static void head(struct explaining *e, const struct source *s)
{
	GString *place = g_string_new(NULL);

	append_part(place, "", s->file);
	append_part(place, ", part ", s->part);
	append_part(place, ", from ", s->from);
	append_part(place, ", ", s->date);
	append_part(place, ", ", s->subject);
	append_part(place, ", message ", s->message_id);
	if (!g_strcmp0(place->str, e->place)) {
		g_string_free(place, TRUE);
		return;
	}
	fprintf(e->out, "%s%s== ", e->place ? "\n" : "", paint(e, PAINT_HEAD));
	put(e, place->str);
	fprintf(e->out, "%s\n", paint(e, PAINT_STOP));
	g_free(e->place);
	e->place = g_string_free(place, FALSE);
}

static char mark_of(const struct reader_note *n, enum paint *p)
{
	switch (n->verdict) {
	case VERDICT_DATA:
		*p = PAINT_DATA;
		return '+';
	case VERDICT_FRAME:
		*p = PAINT_FRAME;
		return '=';
	case VERDICT_REJECT:
		*p = PAINT_REJECT;
		return '!';
	case VERDICT_PASS:
		break;
	}
	*p = n->environment || n->command ? PAINT_FACT : PAINT_NONE;
	return n->environment ? '*' : n->command ? '$' : ' ';
}

/* What is said after the line; "" when nothing. */
static char *remark(const struct reader_note *n)
{
	GString *s = g_string_new(NULL);

	if (n->verdict == VERDICT_DATA || n->verdict == VERDICT_FRAME)
		append_part(s, "", n->parser->name);
	append_part(s, s->len ? "; " : "", n->reason);
	append_part(s, s->len ? "; " : "", n->environment);
	if (n->line->flags & LINE_CUT)
		append_part(s, s->len ? "; " : "", "cut short");
	else if (n->line->flags & LINE_JOINED)
		append_part(s, s->len ? "; " : "", "joined");
	else if (n->line->flags & LINE_SPLIT && n->verdict != VERDICT_PASS)
		append_part(s, s->len ? "; " : "", "split off");
	return g_string_free(s, FALSE);
}

static void note(const struct reader_note *n, void *data)
{
	struct explaining *e = data;
	const struct line *l = n->line;
	enum paint p;
	char mark = mark_of(n, &p);
	g_autofree char *said = remark(n), *text = NULL, *lines = NULL, *quotes = NULL;

	if (e->brief && mark == ' ')
		return;
	head(e, n->source);
	text = show_text(l);
	lines = l->last > l->first ? g_strdup_printf("%u-%u", l->first, l->last) : g_strdup_printf("%u", l->first);
	quotes = g_strnfill(l->depth, '>');
	fprintf(e->out, "%9s %s%c%s ", lines, paint(e, p), mark, paint(e, PAINT_STOP));
	put(e, quotes);
	fputs(l->depth ? " " : "", e->out);
	put(e, text);
	if (*said) {
		fprintf(e->out, "   %s", paint(e, p));
		put(e, "<- ");
		put(e, said);
		fputs(paint(e, PAINT_STOP), e->out);
	}
	putc('\n', e->out);
}

static void append_flags(GString *s, const struct record *r)
{
	for (guint i = 0; i < r->flags->len; i++) {
		const struct flag *f = &g_array_index(r->flags, struct flag, i);

		append_part(s, "\n        ", f->code);
		append_part(s, " at ", f->where);
		append_part(s, ": ", f->text);
	}
}

static void keep_result(struct record *r, void *data)
{
	struct explaining *e = data;
	GString *s = g_string_new(NULL);

	append_part(s, "", r->source.file);
	if (r->source.first)
		g_string_append_printf(s, ":%u-%u", r->source.first, r->source.last);
	append_part(s, ": ", r->tool);
	append_part(s, ", ", r->mode);
	append_part(s, ", ", r->title);
	g_string_append_printf(s, ", %u series", r->series->len);
	if (r->source.copies)
		g_string_append_printf(s, ", %u more cop%s folded in", r->source.copies, r->source.copies == 1 ? "y" : "ies");
	append_flags(s, r);
	g_ptr_array_add(e->results, g_string_free(s, FALSE));
	record_free(r);
}

static void put_line(const struct explaining *e, const char *text)
{
	put(e, text);
	putc('\n', e->out);
}

static void print_results(const struct explaining *e)
{
	fprintf(e->out, "%s%s%u result%s%s\n", e->place ? "\n" : "", paint(e, PAINT_HEAD), e->results->len,
		e->results->len == 1 ? "" : "s", paint(e, PAINT_STOP));
	for (guint i = 0; i < e->results->len; i++)
		put_line(e, g_ptr_array_index(e->results, i));
}

void view_explain(struct common_options *o, enum explain_look look, bool brief, FILE *out)
{
	struct explaining e = { .out = out, .look = look, .brief = brief };

	e.results = g_ptr_array_new_with_free_func(g_free);
	/* Lines are told as they are read: in order, so by one thread. */
	o->input.jobs = 1;
	o->input.reader.note = note;
	o->input.reader.data = &e;
	options_read(o, keep_result, &e);
	print_results(&e);
	g_ptr_array_unref(e.results);
	g_free(e.place);
}

static int run(int argc, char **argv);

const struct command command_explain = { "explain", "Show the input with what was made of each line", run };

static int run(int argc, char **argv)
{
	struct common_options o;
	struct output *out;
	FILE *stream;
	gboolean brief = FALSE;
	const GOptionEntry entries[] = {
		{ "brief", 'b', 0, G_OPTION_ARG_NONE, &brief, "Only lines with a mark", NULL },
		{ "output", 'o', 0, G_OPTION_ARG_FILENAME, &o.output, "Write to FILE", "FILE" },
		{ "colour", 0, 0, G_OPTION_ARG_FILENAME, &o.colour,
		  "Colours: auto (on a terminal, default), always or never", "WHEN" },
		{ "color", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_FILENAME, &o.colour, NULL, "WHEN" },
		{ NULL }
	};

	options_parse(&command_explain, "[FILE|DIRECTORY|-]...", description, COMMON_INPUT | COMMON_WHERE, entries, &o, &argc, &argv);
	out = output_open(o.output, &stream);
	if (out) {
		view_explain(&o, !o.output && output_colour(&o) ? EXPLAIN_COLOUR : EXPLAIN_PLAIN, brief, stream);
		output_close(out);
	}
	options_free(&o);
	return EXIT_DONE;
}
