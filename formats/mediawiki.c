/*
 * MediaWiki: sortable tables. A blank follows each bar, since "|-", "|+" and "|}" are table syntax and values may be negative.
 */
#include <string.h>
#include "lib/grid.h"
#include "lib/renderer.h"

/* Character references are text to the wiki, in every place. */
static const char *reference(char c)
{
	switch (c) {
	case '&': return "&amp;";
	case '<': return "&lt;";
	case '>': return "&gt;";
	case '|': return "&#124;";
	case '[': return "&#91;";
	case ']': return "&#93;";
	case '{': return "&#123;";
	case '}': return "&#125;";
	default: return NULL;
	}
}

/* Syntax only when doubled: '' italics, __TOC__, ~~~~ signs, !! separates headings; formulas; and schemes make addresses links. */
static const char *doubled(const char *text, const char *p)
{
	if (p[0] == ':' && (p[1] == '/' || (p > text && g_ascii_isalpha(p[-1]) && g_ascii_isalpha(p[1]))))
		return "&#58;";
	if (p[0] == '\\' && (p[1] == '(' || p[1] == '['))
		return "&#92;";
	if (p[0] != p[1])
		return NULL;
	switch (*p) {
	case '\'': return "&#39;";
	case '_': return "&#95;";
	case '~': return "&#126;";
	case '!': return "&#33;";
	case '$': return "&#36;";
	default: return NULL;
	}
}

static char *escape(const char *text)
{
	GString *out = g_string_sized_new(strlen(text) + 16);

	for (const char *p = text; *p; p++) {
		const char *safe = reference(*p);
		size_t unit = grid_unit_len(p);

		if (unit) {
			g_string_append_len(out, p, (gssize)unit);
			p += unit - 1;
		} else if (safe || (safe = doubled(text, p))) {
			g_string_append(out, safe);
		} else {
			g_string_append_c(out, *p);
		}
	}
	return g_string_free(out, FALSE);
}

/* Some readers end a heading at the first '=' inside of it. */
static void put_title(FILE *out, const char *escaped, const char *marks)
{
	g_auto(GStrv) parts = g_strsplit(escaped, "=", -1);
	g_autofree char *title = g_strjoinv("&#61;", parts);

	fprintf(out, "%s %s %s\n", marks, title, marks);
}

/* Headings above several columns, the others spanning both rows. */
static void put_headings(FILE *out, const struct grid *g)
{
	for (unsigned i = 0, span = 1; g->grouped && i < g->columns; i += span) {
		span = grid_span(g, i);
		if (*g->group[i])
			fprintf(out, "! colspan=\"%u\" | %s\n", span, g->group[i]);
		else
			fprintf(out, "! rowspan=\"2\" | %s\n", g->heading[i]);
	}
	if (g->grouped)
		fputs("|-\n", out);
	for (unsigned i = 0; i < g->columns; i++)
		if (!g->grouped || *g->group[i])
			fprintf(out, "! %s\n", g->heading[i]);
}

static const char *mark_style(enum cell_mark mark)
{
	switch (mark) {
	case MARK_BEST: case MARK_BETTER: return "background:#d8f0d8;";
	case MARK_WORST: case MARK_WORSE: return "background:#f8dcdc;";
	case MARK_WARN: return "background:#fcf0c8;";
	default: return NULL;
	}
}

static void put_row(FILE *out, const struct grid *g, unsigned r)
{
	const struct cell *row = g->table->rows->pdata[r];

	fputs("|-\n", out);
	for (unsigned i = 0; i < g->columns; i++) {
		const char *style = mark_style(row[i].mark);

		fputs(i ? " || " : "| ", out);
		if (!g->right[i] || style)
			fprintf(out, "style=\"%s%s\" | ", g->right[i] ? "" : "text-align:left;", style ? style : "");
		fputs(g->cell[r][i], out);
	}
	fputc('\n', out);
}

static void put_table(FILE *out, const struct table *t)
{
	struct grid *g = grid_new(t, escape, false);

	if (g->title)
		put_title(out, g->title, "==");
	for (char **line = g->before; *line; line++)
		fprintf(out, "* %s\n", *line);
	if (g->columns) {
		fputs("{| class=\"wikitable sortable\" style=\"text-align:right\"\n|-\n", out);
		put_headings(out, g);
		for (unsigned r = 0; r < g->rows; r++)
			put_row(out, g, r);
		fputs("|}\n", out);
	}
	for (char **note = g->notes; *note; note++)
		fprintf(out, "* %s\n", *note);
	fputc('\n', out);
	grid_free(g);
}

static int write_mediawiki(const struct document *d, const struct render_options *o, FILE *out)
{
	g_autofree char *title = grid_text(d->title, escape);

	(void)o;
	if (*title)
		put_title(out, title, "=");
	for (guint i = 0; i < d->tables->len; i++)
		put_table(out, d->tables->pdata[i]);
	return ferror(out) ? -1 : 0;
}

const struct renderer renderer_mediawiki = {
	.name = "mediawiki", .suffix = ".wiki", .summary = "MediaWiki, sortable tables",
	.write = write_mediawiki,
};
