/*
 * Jira: headings in ||, cells in |. Signs of markup are escaped by a backslash, bars by a character reference; empty cells hold a
 * blank, or bars would join.
 */
#include <string.h>
#include "lib/grid.h"
#include "lib/renderer.h"

static char *escape(const char *text)
{
	GString *out = g_string_sized_new(strlen(text) + 16);

	if (!strcmp(text, "-"))
		return g_string_free(g_string_append(out, text), FALSE);
	for (const char *p = text; *p; p++) {
		bool inner = p > text && g_ascii_isalnum(p[-1]) && g_ascii_isalnum(p[1]);
		size_t unit = grid_unit_len(p);

		if (unit) {
			g_string_append_len(out, p, (gssize)unit);
			p += unit - 1;
			continue;
		}
		/* In a table a bar ends the cell, also behind a backslash in some readers. */
		if (*p == '|') {
			g_string_append(out, "&#124;");
			continue;
		}
		/* Between letters, '-' and '_' are plain; a footnote "(1)" is no picture. */
		if (strchr("\\{}[]*^~?!#@&", *p) || (strchr(":;", *p) && p[1] && strchr("()PD-", p[1])) ||
		    (strchr("-_+", *p) && !inner) || (*p == '(' && !g_ascii_isalnum(p[1])) ||
		    (*p == '(' && p[1] && p[2] == ')'))
			g_string_append_c(out, '\\');
		g_string_append_c(out, *p);
	}
	return g_string_free(out, FALSE);
}

static void put_row(FILE *out, const struct grid *g, char *const *cells, const char *bar)
{
	for (unsigned i = 0; i < g->columns; i++)
		fprintf(out, "%s %s%s", bar, cells[i], *cells[i] ? " " : "");
	fprintf(out, "%s\n", bar);
}

static void put_table(FILE *out, const struct table *t)
{
	struct grid *g = grid_new(t, escape, true);

	if (g->title)
		fprintf(out, "h2. %s\n\n", g->title);
	for (char **line = g->before; *line; line++)
		fprintf(out, "* %s\n", *line);
	if (*g->before)
		fputc('\n', out);
	if (g->columns) {
		put_row(out, g, g->heading, "||");
		for (unsigned r = 0; r < g->rows; r++)
			put_row(out, g, g->cell[r], "|");
		fputc('\n', out);
	}
	for (char **note = g->notes; *note; note++)
		fprintf(out, "* %s\n", *note);
	fputc('\n', out);
	grid_free(g);
}

static int write_jira(const struct document *d, const struct render_options *o, FILE *out)
{
	g_autofree char *title = grid_text(d->title, escape);

	(void)o;
	if (*title)
		fprintf(out, "h1. %s\n\n", title);
	for (guint i = 0; i < d->tables->len; i++)
		put_table(out, d->tables->pdata[i]);
	return ferror(out) ? -1 : 0;
}

const struct renderer renderer_jira = {
	.name = "jira", .suffix = ".jira", .summary = "Jira and Confluence wiki markup",
	.write = write_jira,
};
