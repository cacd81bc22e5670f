/*
 * Org mode. Signs that Org would take for markup are its entities (\vert{} for a bar); where there is none, a zero-width
 * space separates them from what would make them markup, as the Org manual advises.
 */
#include <string.h>
#include "lib/grid.h"
#include "lib/renderer.h"

#define ZERO_WIDTH_SPACE "\342\200\213"

/* '*', '/', '_', '=', '~' and '+' are markup at the border of a word only. */
static bool is_border(const char *text, const char *p)
{
	bool before = p > text && g_ascii_isalnum(p[-1]);

	return !before || !g_ascii_isalnum(p[1]);
}

static char *escape(const char *text)
{
	GString *out = g_string_sized_new(strlen(text) + 16);

	for (const char *p = text; *p; p++) {
		/* A brace behind an entity would be its argument. */
		if (p > text && strchr("{}", *p) && strchr("|<>$", p[-1]))
			g_string_append(out, ZERO_WIDTH_SPACE);
		switch (*p) {
		case '|': g_string_append(out, "\\vert{}"); break;
		case '\\': g_string_append(out, "\\" ZERO_WIDTH_SPACE); break;
		case '<': g_string_append(out, "\\lt{}"); break;
		case '>': g_string_append(out, "\\gt{}"); break;
		case '$': g_string_append(out, "\\dollar{}"); break;
		case '[': case '{': case '@': case '#': case '^':
			g_string_append_printf(out, "%c%s", *p, p[1] == *p || *p == '^' || (p[1] && strchr("|\\<>$", p[1])) ?
			                       ZERO_WIDTH_SPACE : "");
			break;
		case '*': case '/': case '_': case '=': case '~': case '+':
			g_string_append_printf(out, "%s%c%s", is_border(text, p) ? ZERO_WIDTH_SPACE : "", *p,
			                       is_border(text, p) || *p == '_' ? ZERO_WIDTH_SPACE : "");
			break;
		case '-': case '.':     /* dashes and an ellipsis */
			g_string_append_printf(out, "%c%s", *p, p[1] == *p ? ZERO_WIDTH_SPACE : "");
			break;
		case ':':
			g_string_append_printf(out, "%c%s", *p, p[1] == '/' || p[1] == ':' ? ZERO_WIDTH_SPACE : "");
			break;
		default:
			g_string_append_c(out, *p);
		}
	}
	return g_string_free(out, FALSE);
}

/* A headline may begin with a state ("TODO") or with COMMENT, which hides it, and end in tags (":a:b:"). */
static void put_headline(FILE *out, const char *title)
{
	const char *end = title;

	while (g_ascii_isupper(*end))
		end++;
	fprintf(out, "* %s%s%s\n\n", end > title && (!*end || *end == ' ') ? ZERO_WIDTH_SPACE : "", title,
	        g_str_has_suffix(title, ":") ? ZERO_WIDTH_SPACE : "");
}

static void put_table(FILE *out, const struct table *t)
{
	struct grid *g = grid_new(t, escape, true);

	if (g->title)
		put_headline(out, g->title);
	for (char **line = g->before; *line; line++)
		fprintf(out, "- %s\n", *line);
	if (*g->before)
		fputc('\n', out);
	if (g->columns) {
		grid_row(out, g, g->heading);
		for (unsigned i = 0; i < g->columns; i++) {
			fputs(i ? "+" : "|", out);
			grid_repeat(out, "-", g->width[i] + 2);
		}
		fputs("|\n", out);
		for (unsigned r = 0; r < g->rows; r++)
			grid_row(out, g, g->cell[r]);
		fputc('\n', out);
	}
	for (char **note = g->notes; *note; note++)
		fprintf(out, "- %s\n", *note);
	fputc('\n', out);
	grid_free(g);
}

static int write_org(const struct document *d, const struct render_options *o, FILE *out)
{
	g_autofree char *title = grid_text(d->title, NULL);

	(void)o;
	/* The text of a keyword is plain. */
	if (*title)
		fprintf(out, "#+TITLE: %s\n\n", title);
	for (guint i = 0; i < d->tables->len; i++)
		put_table(out, d->tables->pdata[i]);
	return ferror(out) ? -1 : 0;
}

const struct renderer renderer_org = {
	.name = "org", .suffix = ".org", .summary = "Emacs Org mode tables",
	.write = write_org,
};
