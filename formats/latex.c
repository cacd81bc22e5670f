/* LaTeX: sections with booktabs tables, to be included in a document in UTF-8. Long tables need longtable. */
#include <string.h>
#include "lib/grid.h"
#include "lib/renderer.h"

#define LONG_TABLE 40u          /* more rows than this do not fit on a page */

static const char *map(char c)
{
	switch (c) {
	case '\\': return "\\textbackslash{}";
	case '{': return "\\{";
	case '}': return "\\}";
	case '$': return "\\$";
	case '&': return "\\&";
	case '#': return "\\#";
	case '%': return "\\%";
	case '_': return "\\_";
	case '^': return "\\textasciicircum{}";
	case '~': return "\\textasciitilde{}";
	case '<': return "\\textless{}";
	case '>': return "\\textgreater{}";
	case '`': return "\\`{}";
	default: return NULL;
	}
}

/*
 * "--" would become a dash, two quotes or commas one: an empty group parts them. '[' and '*' at the beginning are an option of
 * the line break or \item before them.
 */
static char *escape(const char *text)
{
	g_autofree char *mapped = grid_replace(text, map);
	GString *out = g_string_sized_new(strlen(mapped) + 16);

	for (const char *p = mapped; *p; p++) {
		if (p == mapped && (*p == '[' || *p == '*')) {
			g_string_append_printf(out, "{%c}", *p);
			continue;
		}
		g_string_append_c(out, *p);
		if (p[0] == p[1] && strchr("-',", *p))
			g_string_append(out, "{}");
	}
	return g_string_free(out, FALSE);
}

static void put_row(FILE *out, const struct grid *g, char *const *cells)
{
	for (unsigned i = 0; i < g->columns; i++)
		fprintf(out, "%s%s", i ? " & " : "", cells[i]);
	fputs(" \\\\\n", out);
}

static void put_groups(FILE *out, const struct grid *g)
{
	for (unsigned i = 0, span = 1; i < g->columns; i += span) {
		span = grid_span(g, i);
		fprintf(out, "%s\\multicolumn{%u}{c}{%s}", i ? " & " : "", span, g->group[i]);
	}
	fputs(" \\\\\n", out);
	for (unsigned i = 0, span = 1; i < g->columns; i += span) {
		span = grid_span(g, i);
		if (*g->group[i])
			fprintf(out, "\\cmidrule(lr){%u-%u}", i + 1, i + span);
	}
	fputc('\n', out);
}

static void put_rows(FILE *out, const struct grid *g)
{
	const char *environment = g->rows > LONG_TABLE ? "longtable" : "tabular";

	fprintf(out, "\\begin{%s}{", environment);
	for (unsigned i = 0; i < g->columns; i++)
		fputc(g->right[i] ? 'r' : 'l', out);
	fputs("}\n\\toprule\n", out);
	if (g->grouped)
		put_groups(out, g);
	put_row(out, g, g->heading);
	fputs("\\midrule\n", out);
	if (g->rows > LONG_TABLE)
		fputs("\\endhead\n", out);
	for (unsigned r = 0; r < g->rows; r++)
		put_row(out, g, g->cell[r]);
	fprintf(out, "\\bottomrule\n\\end{%s}\n\n", environment);
}

static void put_list(FILE *out, char *const *lines)
{
	if (!*lines)
		return;
	fputs("\\begin{itemize}\n", out);
	for (; *lines; lines++)
		fprintf(out, "\\item %s\n", *lines);
	fputs("\\end{itemize}\n\n", out);
}

static void put_table(FILE *out, const struct table *t)
{
	struct grid *g = grid_new(t, escape, false);

	if (g->title)
		fprintf(out, "\\subsection*{%s}\n\n", g->title);
	put_list(out, g->before);
	if (g->columns)
		put_rows(out, g);
	put_list(out, g->notes);
	grid_free(g);
}

static int write_latex(const struct document *d, const struct render_options *o, FILE *out)
{
	g_autofree char *title = grid_text(d->title, escape);

	(void)o;
	fputs("% needs: \\usepackage[T1]{fontenc} \\usepackage{booktabs,longtable,textcomp}\n", out);
	if (*title)
		fprintf(out, "\\section*{%s}\n\n", title);
	for (guint i = 0; i < d->tables->len; i++)
		put_table(out, d->tables->pdata[i]);
	return ferror(out) ? -1 : 0;
}

const struct renderer renderer_latex = {
	.name = "latex", .suffix = ".tex", .summary = "LaTeX tables with booktabs",
	.write = write_latex,
};
