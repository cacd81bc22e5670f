/* AsciiDoc. Every sign that may be syntax is a character reference, which AsciiDoc leaves alone. */
#include <string.h>
#include "lib/grid.h"
#include "lib/renderer.h"

static char *escape(const char *text)
{
	GString *out = g_string_sized_new(strlen(text) + 16);

	for (const char *p = text; *p; p++) {
		bool plain = g_ascii_isalnum(*p) || (*p & 0x80) || strchr(" ,;%/", *p);
		bool single = strchr("-._=()", *p) && p > text && p[1] != *p && p[-1] != *p &&
			g_ascii_isalnum(p[-1]) && g_ascii_isalnum(p[1]);
		bool colon = *p == ':' && p[1] == ' ';
		size_t unit = grid_unit_len(p);

		if (unit) {
			g_string_append_len(out, p, (gssize)unit);
			p += unit - 1;
		} else if (plain || single || colon) {
			g_string_append_c(out, *p);
		} else {
			g_string_append_printf(out, "&#%u;", (unsigned char)*p);
		}
	}
	return g_string_free(out, FALSE);
}

static void put_columns(FILE *out, const struct grid *g)
{
	fputs("[%header,%autowidth,cols=\"", out);
	for (unsigned i = 0; i < g->columns; i++)
		fprintf(out, "%s%s", i ? "," : "", g->right[i] ? ">" : "<");
	fputs("\"]\n|===\n", out);
}

static void put_row(FILE *out, const struct grid *g, char *const *cells)
{
	for (unsigned i = 0; i < g->columns; i++)
		fprintf(out, "%s|%s", i ? " " : "", cells[i]);
	fputc('\n', out);
}

static void put_table(FILE *out, const struct table *t)
{
	struct grid *g = grid_new(t, escape, true);

	if (g->title)
		fprintf(out, "== %s\n\n", g->title);
	for (char **line = g->before; *line; line++)
		fprintf(out, "* %s\n", *line);
	if (*g->before)
		fputc('\n', out);
	if (g->columns) {
		put_columns(out, g);
		put_row(out, g, g->heading);
		for (unsigned r = 0; r < g->rows; r++) {
			fputc('\n', out);
			put_row(out, g, g->cell[r]);
		}
		fputs("|===\n\n", out);
	}
	for (char **note = g->notes; *note; note++)
		fprintf(out, "* {empty}%s\n", *note);
	fputc('\n', out);
	grid_free(g);
}

static int write_asciidoc(const struct document *d, const struct render_options *o, FILE *out)
{
	g_autofree char *title = grid_text(d->title, escape);

	(void)o;
	if (*title)
		fprintf(out, "= %s\n\n", title);
	for (guint i = 0; i < d->tables->len; i++)
		put_table(out, d->tables->pdata[i]);
	return ferror(out) ? -1 : 0;
}

const struct renderer renderer_asciidoc = {
	.name = "asciidoc", .suffix = ".adoc", .summary = "AsciiDoc tables",
	.write = write_asciidoc,
};
