/* Rows and columns of typed tables: what all styles share. */
#include <limits.h>
#include <string.h>
#include "lib/tab_grid.h"
#include "lib/tab_cell.h"

#define SHAPED_ROWS 8u /* rows that headings are compared with */
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
	static const bool marks[128] = {
		['-'] = true, ['='] = true, ['+'] = true, ['|'] = true, [':'] = true, ['*'] = true,
		[' '] = true, ['~'] = true, ['_'] = true, ['.'] = true, ['#'] = true,
	};

	return c < 128 ? marks[c] : c >= 0x2500 && c <= 0x257f;
}

bool tab_line_rule(const struct tab_line *l)
{
	unsigned marks = 0;

	for (const char *p = l->text; *p; p = g_utf8_next_char(p)) {
		gunichar c = (guchar)*p < 128 ? (guchar)*p : g_utf8_get_char(p);

		if (!is_rule_char(c))
			return false;
		marks += c == '-' || c == '=' || c == '*' || c == '_' || c == '~' || c == '#' ||
			 (c >= 0x2500 && c <= 0x2550);
	}
	return marks >= 2 && !strstr(l->text, ". .");
}

bool tab_line_rule_parts(const struct tab_line *l)
{
	return tab_line_rule(l) && strchr(l->text + strspn(l->text, " "), ' ');
}

bool tab_line_statistic(const struct tab_line *l)
{
	return l->seen.statistics || (l->seen.flags & (SEEN_PERCENTILE | SEEN_WIDE));
}

/* The word at p: its length, and whether it is one of letters, not of numbers or signs. */
static size_t word_at(const char *p, bool *letters)
{
	static const bool inside[UCHAR_MAX + 1] = {
		['\''] = true, ['-'] = true, [','] = true, ['.'] = true, [';'] = true, [':'] = true,
	};
	size_t n = 0;

	*letters = true;
	for (; p[n] && p[n] != ' '; n++)
		if (!g_ascii_isalpha(p[n]) && (guchar)p[n] < 0x80 && !(n && inside[(guchar)p[n]]))
			*letters = false;
	*letters = *letters && n > 1;
	return n;
}

/* A paragraph's line: many words, most of them in small letters; or a sentence's end. */
static bool is_prose(const struct tab_line *l)
{
	const char *p = l->text + strspn(l->text, " ");
	unsigned words = 0, plain = 0, low = 0, numbers = 0;

	if (strstr(p, "  ") || strchr(p, '|') || strchr(l->raw + strspn(l->raw, " \t"), '\t'))
		return false;
	for (const char *w = p; *w; w += *w == ' ') {
		bool letters;

		numbers += g_ascii_isdigit(*w);
		low += g_ascii_islower(*w) || (guchar)*w >= 0x80;
		w += word_at(w, &letters);
		words++;
		plain += letters;
	}
	if (low * 5 < words * 2 || numbers * 4 > words)
		return false;
	return (words >= PROSE_WORDS && plain * 3 >= words * 2) ||
	       (words >= 4 && strchr(".,;?!", p[strlen(p) - 1]) && plain * 3 >= words * 2);
}

void tab_line_note(struct tab_line *l)
{
	tab_seen_add(&l->seen, l->raw, strlen(l->raw));
	l->prose = is_prose(l);
}

/*
 * A line with each number as "0", blanks and drawn bars left out: rows of one kind look the same. Of "label : values"
 * only the values, as they stand for the row of another label. Caller frees.
 */
static char *number_shape(const char *text)
{
	GString *shape = g_string_new(NULL);

	for (const char *p = text; *p;) {
		gunichar c = g_utf8_get_char(p);

		if (g_ascii_isdigit(*p)) {
			if (g_str_has_suffix(shape->str, ":"))
				g_string_truncate(shape, 0);
			p += strspn(p, "0123456789");
			if (*p == '.' && g_ascii_isdigit(p[1]))
				p += 1 + strspn(p + 1, "0123456789");
			g_string_append_c(shape, '0');
			continue;
		}
		if (c != ' ' && c != '\t' && (c < 0x2580 || c > 0x259f))
			g_string_append_unichar(shape, c);
		p = g_utf8_next_char(p);
	}
	return g_string_free(shape, FALSE);
}

/*
 * True when what was taken for headings is a row like those below, as in a list whose lines all are
 * "50.0th: 7 (106 samples)": such a block has no headings, and what its numbers are is not known.
 */
static bool row_as_heading(GPtrArray *lines, const struct tab_grid *g)
{
	unsigned begin = ((struct tab_grid_row *)g->rows->pdata[0])->line;

	if (g->style != GRID_BLANKS && g->style != GRID_LEADERS)
		return false;
	for (unsigned i = g->first; i < begin; i++) {
		const char *text = ((struct tab_line *)lines->pdata[i])->text;
		g_autofree char *heading = strpbrk(text, "0123456789") ? number_shape(text) : NULL;

		for (unsigned n = 0; heading && n < MIN(g->rows->len, SHAPED_ROWS); n++) {
			const struct tab_grid_row *r = g->rows->pdata[n];
			g_autofree char *row =
				number_shape(((struct tab_line *)lines->pdata[r->line])->text);

			if (!strcmp(heading, row))
				return true;
		}
	}
	return false;
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

			if (g && !row_as_heading(lines, g)) {
				tab_grid_split_lists(g);
				return g;
			}
			next[s] = MAX(next[s], g ? g->end : tried);
			tab_grid_free(g);
		}
	}
	return NULL;
}
