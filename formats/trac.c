/*
 * Trac: headings in ||= … =||; blanks before a number and none behind it align it to the right. Text with anything that
 * might be markup stands in {{{…}}}.
 */
#include <string.h>
#include "lib/grid.h"
#include "lib/renderer.h"

/* Names that Trac links: WikiNames, #1, r1. */
static bool is_link(const char *text)
{
	for (const char *p = text; *p; p++) {
		bool begins = p == text || !g_ascii_isalnum(p[-1]);

		if (begins && (*p == 'r' || *p == '#') && g_ascii_isdigit(p[1]))
			return true;
	}
	return grid_camel_case(text);
}

static bool is_safe(const char *text)
{
	for (const char *p = text; *p; p++) {
		bool letter = g_ascii_isalnum(*p) || (*p & 0x80) || strchr(" .()+%;\"", *p) || grid_unit_len(p) ||
			(*p == ']' && (!p[1] || p[1] == ' '));
		bool single = strchr("-_/',=#*", *p) && p[1] != *p && p > text;
		bool colon = *p == ':' && p[1] == ' ' && p > text && g_ascii_isalnum(p[-1]);

		if (!letter && !single && !colon)
			return false;
	}
	return !is_link(text) && !strstr(text, "www.");
}

static char *escape(const char *text)
{
	if (!*text || !strcmp(text, "-") || is_safe(text))
		return g_strdup(text);

	g_auto(GStrv) parts = g_strsplit(text, "}}}", -1);
	g_autofree char *inner = g_strjoinv("}}}}}{{{}", parts);

	return g_strdup_printf("{{{%s}}}", inner);
}

static void put_row(FILE *out, const struct grid *g, unsigned r)
{
	for (unsigned i = 0; i < g->columns; i++) {
		const char *text = g->cell[r][i];

		fputs("|| ", out);
		grid_pad(out, text, g->width[i], g->right[i]);
		if (!g->right[i] || !*text)
			fputc(' ', out);
	}
	fputs("||\n", out);
}

static void put_table(FILE *out, const struct table *t)
{
	struct grid *g = grid_new(t, escape, true);

	if (g->title)
		fprintf(out, "== %s ==\n", g->title);
	for (char **line = g->before; *line; line++)
		fprintf(out, " * %s\n", *line);
	if (*g->before)
		fputc('\n', out);
	for (unsigned i = 0; i < g->columns; i++)
		fprintf(out, "||= %s =", g->heading[i]);
	if (g->columns)
		fputs("||\n", out);
	for (unsigned r = 0; r < g->rows && g->columns; r++)
		put_row(out, g, r);
	fputc('\n', out);
	for (char **note = g->notes; *note; note++)
		fprintf(out, " * %s\n", *note);
	fputc('\n', out);
	grid_free(g);
}

static int write_trac(const struct document *d, const struct render_options *o, FILE *out)
{
	g_autofree char *title = grid_text(d->title, escape);

	(void)o;
	if (*title)
		fprintf(out, "= %s =\n\n", title);
	for (guint i = 0; i < d->tables->len; i++)
		put_table(out, d->tables->pdata[i]);
	return ferror(out) ? -1 : 0;
}

const struct renderer renderer_trac = {
	.name = "trac", .suffix = ".trac", .summary = "Trac tables",
	.write = write_trac,
};
