/* MoinMoin: rows of ||, numbers to the right by <)>. Text with anything that might be markup stands in {{{…}}}. */
#include <string.h>
#include "lib/grid.h"
#include "lib/plain.h"
#include "lib/renderer.h"

/* Smileys of letters and signs that are harmless by themselves; they stand between blanks. */
static bool has_smiley(const char *text)
{
	static const char *const smileys[] = { "X-(", "B)", ";)", "B-)", ";-)", "(./)", NULL };
	g_auto(GStrv) words = g_strsplit(text, " ", -1);

	for (char **word = words; *word; word++)
		if (g_strv_contains(smileys, *word))
			return true;
	return false;
}

static bool is_safe(const char *text)
{
	for (const char *p = text; *p; p++) {
		bool letter = g_ascii_isalnum(*p) || (*p & 0x80) || strchr(" .,()+=%#*;\"", *p) || grid_unit_len(p) ||
			(*p == ']' && (!p[1] || p[1] == ' '));
		bool single = strchr("-_/'", *p) && p[1] != *p;
		bool colon = *p == ':' && p[1] == ' ' && p > text && g_ascii_isalnum(p[-1]);

		if (!letter && !single && !colon)
			return false;
	}
	return !grid_camel_case(text) && !strstr(text, "www.") && !strstr(text, "/*") && !strstr(text, "*/") &&
		!has_smiley(text) && !strchr("*#='", *text) && !g_str_has_suffix(text, "'");
}

static char *replace(const char *text, const char *what, const char *with)
{
	g_auto(GStrv) parts = g_strsplit(text, what, -1);

	return g_strjoinv(with, parts);
}

/*
 * "}}}" ends the quotation: its third brace goes into one of its own. So do two colons, which would make a list's line a definition,
 * quoted or not.
 */
static char *escape(const char *text)
{
	if (!*text || is_safe(text))
		return g_strdup(text);

	g_autofree char *closed = replace(text, "}}}", "}}}}}{{{}");
	g_autofree char *inner = replace(closed, "::", ":}}}{{{:");

	return g_strdup_printf("{{{%s}}}", inner);
}

static void put_row(FILE *out, const struct grid *g, char *const *cells, bool heading)
{
	for (unsigned i = 0; i < g->columns; i++) {
		const char *text = cells[i];

		fputs(g->right[i] ? "||<)> " : "|| ", out);
		if (heading)
			fprintf(out, "'''%s''' ", text);
		else
			fprintf(out, "%s%s", text, *text ? " " : "");
	}
	fputs("||\n", out);
}

static void put_table(FILE *out, const struct table *t)
{
	struct grid *g = grid_new(t, escape, true);

	if (g->title) {
		g_autofree char *title = plain_line(t->title);
		fprintf(out, "== %s ==\n", title);
	}
	for (char **line = g->before; *line; line++)
		fprintf(out, " * %s\n", *line);
	if (*g->before)
		fputc('\n', out);
	if (g->columns) {
		put_row(out, g, g->heading, true);
		for (unsigned r = 0; r < g->rows; r++)
			put_row(out, g, g->cell[r], false);
		fputc('\n', out);
	}
	for (char **note = g->notes; *note; note++)
		fprintf(out, " * %s\n", *note);
	fputc('\n', out);
	grid_free(g);
}

static int write_moinmoin(const struct document *d, const struct render_options *o, FILE *out)
{
	g_autofree char *title = plain_line(d->title);

	(void)o;
	if (*title)
		fprintf(out, "= %s =\n\n", title);
	for (guint i = 0; i < d->tables->len; i++)
		put_table(out, d->tables->pdata[i]);
	return ferror(out) ? -1 : 0;
}

const struct renderer renderer_moinmoin = {
	.name = "moinmoin", .suffix = ".moin", .summary = "MoinMoin tables",
	.write = write_moinmoin,
};
