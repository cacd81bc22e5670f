/* reStructuredText: grid tables, whose cells hold any text. */
#include <string.h>
#include "lib/grid.h"
#include "lib/plain.h"
#include "lib/renderer.h"

/* A cell is read as a document of its own: its beginning must not look like a list, an option, a title or a quotation. */
static bool begins_block(const char *text)
{
	const char *p = text + strspn(text, "(");
	size_t word = 0;

	if (!g_ascii_isalnum(*text) && !(*text & 0x80))
		return true;
	while (g_ascii_isalnum(p[word]))
		word++;
	return p[word] == '.' || p[word] == ')';
}

static char *escape(const char *text)
{
	GString *out = g_string_sized_new(strlen(text) + 16);

	if (*text && strcmp(text, "-") && begins_block(text))
		g_string_append(out, "\\ ");
	for (const char *p = text; *p; p++) {
		if (strchr("\\`*_|", *p) || (*p == '-' && (!p[1] || p[1] == '-')) ||
		    (*p == ':' && (p[1] == ':' || (p > text && p[-1] == ':') || p[1] == '/')))
			g_string_append_c(out, '\\');
		g_string_append_c(out, *p);
	}
	return g_string_free(out, FALSE);
}

static void put_border(FILE *out, const struct grid *g, const char *line)
{
	for (unsigned i = 0; i < g->columns; i++) {
		fputc('+', out);
		grid_repeat(out, line, g->width[i] + 2);
	}
	fputs("+\n", out);
}

/*
 * A cell's lines of at most GRID_PAD columns. A line that ends in a backslash goes on without a blank; "\ " (nothing) in front
 * keeps a continuation from being taken for a title's underline or a list. Caller frees.
 */
static char **wrap(const char *text)
{
	GPtrArray *lines = g_ptr_array_new();

	while (*text) {
		bool first = !lines->len;
		size_t fit = plain_fit(text, GRID_PAD - 4), end = fit;

		if (text[fit]) {
			while (end && text[end] != ' ')
				end--;
			/* No blank to break at: never between a backslash and what it escapes. */
			for (end = end ? end : fit; end == fit && end > 1 && text[end - 1] == '\\'; end = --fit)
				;
		}
		bool hard = text[end] && text[end] != ' ';
		g_ptr_array_add(lines, g_strdup_printf("%s%.*s%s", first ? "" : "\\ ", (int)end, text, hard ? "\\" : ""));
		text += end + (text[end] == ' ');
	}
	if (!lines->len)
		g_ptr_array_add(lines, g_strdup(""));
	g_ptr_array_add(lines, NULL);
	return (char **)g_ptr_array_free(lines, FALSE);
}

static void put_row(FILE *out, const struct grid *g, char *const *cells)
{
	g_autofree char ***lines = g_new0(char **, g->columns + 1);
	guint height = 1;

	for (unsigned i = 0; i < g->columns; i++) {
		lines[i] = wrap(cells[i]);
		height = MAX(height, g_strv_length(lines[i]));
	}
	for (guint line = 0; line < height; line++) {
		for (unsigned i = 0; i < g->columns; i++) {
			fputs("| ", out);
			grid_pad(out, line < g_strv_length(lines[i]) ? lines[i][line] : "", g->width[i], false);
			fputc(' ', out);
		}
		fputs("|\n", out);
	}
	for (unsigned i = 0; i < g->columns; i++)
		g_strfreev(lines[i]);
}

static void put_title(FILE *out, const char *title, const char *line)
{
	fprintf(out, "%s\n", title);
	grid_repeat(out, line, MAX(plain_width(title), 4));
	fputs("\n\n", out);
}

static void put_table(FILE *out, const struct table *t)
{
	struct grid *g = grid_new(t, escape, true);

	for (unsigned i = 0; i < g->columns; i++)
		g->width[i] = MAX(g->width[i], 1);
	if (g->title)
		put_title(out, g->title, "-");
	for (char **line = g->before; *line; line++)
		fprintf(out, "- %s\n", *line);
	if (*g->before)
		fputc('\n', out);
	if (g->columns) {
		put_border(out, g, "-");
		put_row(out, g, g->heading);
		put_border(out, g, g->rows ? "=" : "-");
		for (unsigned r = 0; r < g->rows; r++) {
			put_row(out, g, g->cell[r]);
			put_border(out, g, "-");
		}
		fputc('\n', out);
	}
	for (char **note = g->notes; *note; note++)
		fprintf(out, "- \\ %s\n", *note);
	fputc('\n', out);
	grid_free(g);
}

static int write_rst(const struct document *d, const struct render_options *o, FILE *out)
{
	g_autofree char *title = grid_text(d->title, escape);

	(void)o;
	if (*title)
		put_title(out, title, "=");
	for (guint i = 0; i < d->tables->len; i++)
		put_table(out, d->tables->pdata[i]);
	return ferror(out) ? -1 : 0;
}

const struct renderer renderer_rst = {
	.name = "rst", .suffix = ".rst", .summary = "reStructuredText grid tables",
	.write = write_rst,
};
