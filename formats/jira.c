/*
 * Jira: headings in ||, cells in |. Signs that Jira knows how to escape have a backslash before them; for the others, and for those
 * that readers take for markup behind a backslash too, stand character references. Empty cells hold a blank, or bars would join.
 */
#include <string.h>
#include "lib/grid.h"
#include "lib/renderer.h"

/* A character reference: in a table a bar ends the cell, also behind a backslash; two backslashes break the line. */
static bool needs_reference(const char *text, const char *p)
{
	if (strchr("|\\^~+&", *p))
		return true;
	if (*p == '#')                          /* a list */
		return p == text;
	if (*p == '.')                          /* "h1. ", "bq. " */
		return p == text + 2 && (p[-2] == 'h' || p[-2] == 'b');
	/* A smiley, or an address: no escape is known inside of that. */
	return strchr(":;", *p) && p[1] && (strchr("()PD-/", p[1]) || (p - text >= 6 && !strncmp(p - 6, "mailto", 6)));
}

/* Between letters '-' and '_' are plain. */
static bool needs_backslash(const char *text, const char *p)
{
	bool inner = p > text && g_ascii_isalnum(p[-1]) && g_ascii_isalnum(p[1]);

	return strchr("{}[]*?!@(", *p) || (strchr("-_", *p) && !inner);
}

static char *escape(const char *text)
{
	GString *out = g_string_sized_new(strlen(text) + 16);

	for (const char *p = text; *p; p++) {
		if (needs_reference(text, p))
			g_string_append_printf(out, "&#%u;", (unsigned char)*p);
		else
			g_string_append_printf(out, "%s%c", needs_backslash(text, p) ? "\\" : "", *p);
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
