/* Rows and columns of typed tables: what all styles share. */
#include <string.h>
#include "lib/tab_grid.h"
#include "lib/tab_cell.h"

#define PROSE_WORDS 7u /* a line of at least so many words, without gaps, is prose */

struct tab_grid *tab_grid_new(enum tab_grid_style style, unsigned columns)
{
	struct tab_grid *g = g_new0(struct tab_grid, 1);

	g->style = style;
	g->columns = columns;
	g->heading = g_new0(char *, columns + 1);
	g->group = g_new0(char *, columns + 1);
	for (unsigned c = 0; c < columns; c++) {
		g->heading[c] = g_strdup("");
		g->group[c] = g_strdup("");
	}
	g->rows = g_ptr_array_new();
	return g;
}

void tab_grid_free(struct tab_grid *g)
{
	if (!g)
		return;
	for (unsigned i = 0; i < g->rows->len; i++) {
		struct tab_grid_row *r = g->rows->pdata[i];

		g_strfreev(r->cell);
		g_free(r);
	}
	g_ptr_array_free(g->rows, TRUE);
	g_strfreev(g->heading);
	g_strfreev(g->group);
	g_free(g->caption);
	g_free(g->note);
	g_free(g);
}

struct tab_grid_row *tab_grid_add(struct tab_grid *g, unsigned line, unsigned section)
{
	struct tab_grid_row *r = g_new0(struct tab_grid_row, 1);

	r->line = line;
	r->section = section;
	r->cell = g_new0(char *, g->columns + 1);
	for (unsigned c = 0; c < g->columns; c++)
		r->cell[c] = g_strdup("");
	g_ptr_array_add(g->rows, r);
	return r;
}

void tab_set(char **cell, char *text)
{
	g_free(*cell);
	*cell = text;
}

bool tab_line_blank(const struct tab_line *l)
{
	return l->text[strspn(l->text, " \t")] == '\0';
}

/* Box-drawing characters U+2500 to U+257F, and the marks of ASCII rules. */
static bool is_rule_char(gunichar c)
{
	return (c >= 0x2500 && c <= 0x257f) || (c < 128 && strchr("-=+|:* ~_.#", (int)c));
}

bool tab_line_rule(const struct tab_line *l)
{
	unsigned marks = 0;

	for (const char *p = l->text; *p; p = g_utf8_next_char(p)) {
		gunichar c = g_utf8_get_char(p);

		if (!is_rule_char(c))
			return false;
		marks += c == '-' || c == '=' || c == '*' || c == '_' || c == '~' || c == '#' ||
			 (c >= 0x2500 && c <= 0x2550);
	}
	return marks >= 2 && !strstr(l->text, ". .");
}

bool tab_line_prose(const struct tab_line *l)
{
	const char *p = l->text + strspn(l->text, " ");
	unsigned words = 0, plain = 0, low = 0, numbers = 0;
	size_t len = strlen(p);

	if (strstr(p, "  ") || strchr(p, '|') || strchr(l->raw + strspn(l->raw, " \t"), '\t'))
		return false;
	for (const char *w = p; *w;) {
		size_t n = strcspn(w, " ");
		bool letters = n > 1;

		for (size_t i = 0; i < n; i++)
			letters = letters && (g_ascii_isalpha(w[i]) || (guchar)w[i] >= 0x80 ||
					      (i && strchr("'-,.;:", w[i])));
		words++;
		plain += letters;
		numbers += g_ascii_isdigit(*w);
		low += g_ascii_islower(*w) || (guchar)*w >= 0x80;
		w += n;
		w += *w == ' ';
	}
	/* A paragraph's line: many words, most of them in small letters; or a sentence's end. */
	if (low * 5 < words * 2 || numbers * 4 > words)
		return false;
	return (words >= PROSE_WORDS && plain * 3 >= words * 2) ||
	       (words >= 4 && len && strchr(".,;?!", p[len - 1]) && plain * 3 >= words * 2);
}

struct tab_grid *tab_grid_find(GPtrArray *lines, unsigned at)
{
	struct tab_grid *(*const styles[])(GPtrArray *, unsigned, unsigned, unsigned *) = {
		tab_grid_pipes,	  tab_grid_cell_lines, tab_grid_sentences,
		tab_grid_slashes, tab_grid_separated,  tab_grid_blanks,
	};

	unsigned next[G_N_ELEMENTS(styles)] = { 0 };

	for (unsigned floor = at; at < lines->len; at++) {
		for (size_t s = 0; s < G_N_ELEMENTS(styles); s++) {
			unsigned tried = at + 1;
			struct tab_grid *g =
				at < next[s] ? NULL : styles[s](lines, at, floor, &tried);

			if (g)
				return g;
			next[s] = MAX(next[s], tried);
		}
	}
	return NULL;
}
