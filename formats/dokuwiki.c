/*
 * DokuWiki: a row per line, headings between ^, numbers with two blanks before them (which aligns to the right). Text with
 * anything that the wiki would take for markup stands in %%…%%.
 */
#include <string.h>
#include "lib/grid.h"
#include "lib/plain.h"
#include "lib/renderer.h"

/* Words and patterns that DokuWiki replaces by pictures, typography or links. */
static bool is_replaced(const char *text)
{
	static const char *const words[] = { "://", "FIXME", "DELETEME", "(c)", "(r)", "(tm)", "(C)", "(R)", "(TM)", "www.", "ftp." };

	for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
		if (strstr(text, words[i]))
			return true;
	for (const char *p = text; *p; p++)     /* 640x480 */
		if (*p == 'x' && p > text && g_ascii_isdigit(p[-1]) && g_ascii_isdigit(p[1]))
			return true;
	return false;
}

/* Letters, digits and signs that begin no syntax, entity or smiley of DokuWiki where they stand. */
static bool is_safe(const char *text)
{
	for (const char *p = text; *p; p++) {
		bool letter = g_ascii_isalnum(*p) || (*p & 0x80) || *p == ' ' || *p == ',';
		/* These are syntax only when doubled ("--", "//", "[[") or in arrows and smileys. */
		bool single = strchr("-_/.=#+*[]()%", *p) && p[1] != *p && (!p[1] || !strchr("<>)", p[1]) || *p != '-') &&
			p[1] != '>';
		bool colon = *p == ':' && (p[1] == ' ' || g_ascii_isalnum(p[1])) && (p == text || p[-1] != ' ');

		if (!letter && !single && !colon)
			return false;
	}
	return !is_replaced(text);
}

/* Blanks at the ends stay outside of the quotation. */
static void append_quoted(GString *out, const char *text, size_t len)
{
	size_t from = 0, to = len;

	while (from < to && text[from] == ' ')
		from++;
	while (to > from && text[to - 1] == ' ')
		to--;
	g_autofree char *part = g_strndup(text + from, to - from);
	const char *quote = is_safe(part) ? "" : "%%";

	g_string_append_printf(out, "%*s%s%s%s%*s", (int)from, "", quote, part, quote, (int)(len - to), "");
}

/* "%%" ends the quotation, so runs of '%' are quoted by the other means. */
static char *escape(const char *text)
{
	GString *out;

	if (is_safe(text))
		return g_strdup(text);
	out = g_string_sized_new(strlen(text) + 16);
	while (*text) {
		size_t run = strspn(text, "%"), rest = strcspn(text + run, "%");

		if (run)
			g_string_append_printf(out, "<nowiki>%.*s</nowiki>", (int)run, text);
		append_quoted(out, text + run, rest);
		text += run + rest;
	}
	return g_string_free(out, FALSE);
}

static void put_cell(FILE *out, const struct grid *g, unsigned i, const char *text, const char *bar)
{
	fprintf(out, "%s %s", bar, g->right[i] ? " " : "");
	grid_pad(out, text, g->width[i], g->right[i]);
	fputc(' ', out);
}

/* A group heading is followed by empty bars for the columns that it spans. */
static void put_groups(FILE *out, const struct grid *g)
{
	for (unsigned i = 0, span = 1; i < g->columns; i += span) {
		span = grid_span(g, i);
		fprintf(out, "^ %s ", g->group[i]);
		grid_repeat(out, "^", span - 1);
	}
	fputs("^\n", out);
}

static void put_table(FILE *out, const struct table *t)
{
	struct grid *g = grid_new(t, escape, false);

	/* Headings know no markup, so they need no escape. */
	if (g->title) {
		g_autofree char *title = plain_line(t->title);
		fprintf(out, "===== %s =====\n\n", title);
	}
	for (char **line = g->before; *line; line++)
		fprintf(out, "  * %s\n", *line);
	fputc('\n', out);
	if (g->grouped)
		put_groups(out, g);
	for (unsigned i = 0; i < g->columns; i++)
		put_cell(out, g, i, g->heading[i], "^");
	if (g->columns)
		fputs("^\n", out);
	for (unsigned r = 0; r < g->rows; r++) {
		for (unsigned i = 0; i < g->columns; i++)
			put_cell(out, g, i, g->cell[r][i], "|");
		if (g->columns)
			fputs("|\n", out);
	}
	fputc('\n', out);
	for (char **note = g->notes; *note; note++)
		fprintf(out, "  * %s\n", *note);
	fputc('\n', out);
	grid_free(g);
}

static int write_dokuwiki(const struct document *d, const struct render_options *o, FILE *out)
{
	g_autofree char *title = plain_line(d->title);

	(void)o;
	if (*title)
		fprintf(out, "====== %s ======\n\n", title);
	for (guint i = 0; i < d->tables->len; i++)
		put_table(out, d->tables->pdata[i]);
	return ferror(out) ? -1 : 0;
}

const struct renderer renderer_dokuwiki = {
	.name = "dokuwiki", .suffix = ".dokuwiki", .summary = "DokuWiki tables",
	.write = write_dokuwiki,
};
