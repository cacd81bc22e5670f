/* GitHub Flavored Markdown: pipe tables aligned in the source, numbers to the right. */
#include <string.h>
#include "lib/grid.h"
#include "lib/renderer.h"

/* ":b:" is the name of a picture, "://" an address, inside of which references are not read. */
static bool is_active_colon(const char *p)
{
	bool letter = false;
	const char *end = p + 1;

	if (p[0] != ':')
		return false;
	for (; g_ascii_isalnum(*end) || (*end && strchr("_+-", *end)); end++)
		letter |= g_ascii_isalpha(*end);
	return (letter && *end == ':') || (p[1] == '/' && p[2] == '/');
}

/* '_' is plain between letters, and only there. */
static char *escape(const char *text)
{
	GString *out = g_string_sized_new(strlen(text) + 16);

	for (const char *p = text; *p; p++) {
		bool inner = p > text && g_ascii_isalnum(p[-1]) && g_ascii_isalnum(p[1]);
		size_t unit = grid_unit_len(p);

		if (unit) {
			g_string_append_len(out, p, (gssize)unit);
			p += unit - 1;
		} else if (*p == '<') {
			g_string_append(out, "&lt;");
		} else if (*p == '>') {
			g_string_append(out, "&gt;");
		} else if (*p == '&') {
			g_string_append(out, "&amp;");
		} else if (*p == '@') {         /* a name behind it would call that person */
			g_string_append(out, "&#64;");
		} else if (is_active_colon(p)) {
			g_string_append(out, "&#58;");
		} else if (strchr("\\`*[]|~#$", *p) || (*p == '_' && !inner)) {
			g_string_append_printf(out, "\\%c", *p);
		} else {
			g_string_append_c(out, *p);
		}
	}
	return g_string_free(out, FALSE);
}

static void put_table(FILE *out, const struct table *t)
{
	struct grid *g = grid_new(t, escape, true);

	if (g->title)
		fprintf(out, "## %s\n\n", g->title);
	for (char **line = g->before; *line; line++)
		fprintf(out, "- %s\n", *line);
	if (*g->before)
		fputc('\n', out);
	if (g->columns) {
		for (unsigned i = 0; i < g->columns; i++)
			g->width[i] = MAX(g->width[i], 3);
		grid_row(out, g, g->heading);
		for (unsigned i = 0; i < g->columns; i++) {
			fputs("| ", out);
			grid_repeat(out, "-", g->width[i] - g->right[i]);
			fputs(g->right[i] ? ": " : " ", out);
		}
		fputs("|\n", out);
		for (unsigned r = 0; r < g->rows; r++)
			grid_row(out, g, g->cell[r]);
		fputc('\n', out);
	}
	for (char **note = g->notes; *note; note++)
		fprintf(out, "%s\n\n", *note);
	grid_free(g);
}

static int write_markdown(const struct document *d, const struct render_options *o, FILE *out)
{
	g_autofree char *title = grid_text(d->title, escape);

	(void)o;
	if (*title)
		fprintf(out, "# %s\n\n", title);
	for (guint i = 0; i < d->tables->len; i++)
		put_table(out, d->tables->pdata[i]);
	return ferror(out) ? -1 : 0;
}

const struct renderer renderer_markdown = {
	.name = "markdown", .suffix = ".md", .summary = "GitHub Flavored Markdown tables",
	.write = write_markdown,
};
