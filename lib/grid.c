/* A table as strings. */
#include <string.h>
#include "lib/grid.h"
#include "lib/plain.h"

char *grid_text(const char *text, grid_escape escape)
{
	char *plain = plain_line(text);

	if (!escape)
		return plain;
	char *escaped = escape(plain);
	g_free(plain);
	return escaped;
}

/* Facts are "key: value": a key of letters needs no escape, and a value should not drag it into a quotation. */
static char **escaped_facts(const GPtrArray *lines, grid_escape escape)
{
	char **out = g_new0(char *, lines->len + 1);

	for (guint i = 0; i < lines->len; i++) {
		const char *line = lines->pdata[i];
		size_t key = strspn(line, "abcdefghijklmnopqrstuvwxyz ");

		if (key && line[0] != ' ' && line[key] == ':' && line[key + 1] == ' ') {
			g_autofree char *value = grid_text(line + key + 2, escape);

			out[i] = g_strdup_printf("%.*s: %s", (int)key, line, value);
		} else {
			out[i] = grid_text(line, escape);
		}
	}
	return out;
}

/* Notes that a cell refers to get their number in front. */
static char **escaped_notes(const GPtrArray *lines, const bool *numbered, grid_escape escape)
{
	char **out = g_new0(char *, lines->len + 1);

	for (guint i = 0; i < lines->len; i++) {
		g_autofree char *text = grid_text(lines->pdata[i], escape);

		out[i] = numbered[i] ? g_strdup_printf("(%u) %s", i + 1, text) : g_steal_pointer(&text);
	}
	return out;
}

static bool *notes_in_use(const struct table *t)
{
	bool *used = g_new0(bool, t->notes->len + 1);

	for (guint r = 0; r < t->rows->len; r++) {
		const struct cell *row = t->rows->pdata[r];

		for (guint c = 0; c < t->columns->len; c++)
			if (row[c].footnote > 0 && (guint)row[c].footnote <= t->notes->len)
				used[row[c].footnote - 1] = true;
	}
	return used;
}

static char *heading_text(const struct column *c, grid_escape escape, bool flatten)
{
	g_autofree char *label = column_label(c);
	g_autofree char *full = flatten && c->group && *c->group ?
		g_strdup_printf("%s: %s", c->group, label) : g_strdup(label);

	return grid_text(full, escape);
}

/* Digits and signs need no escape in any format: a number stays as it is. */
static char *cell_string(const struct table *t, unsigned column, const struct cell *c, grid_escape escape)
{
	g_autofree char *shown = cell_show(t, column, c);
	char *text = number_is_set(c->number) ? g_steal_pointer(&shown) : grid_text(shown, escape);

	if (c->footnote <= 0)
		return text;
	char *marked = g_strdup_printf("%s%s(%d)", text, *text ? " " : "", c->footnote);
	g_free(text);
	return marked;
}

static void widen(struct grid *g, unsigned column, const char *text)
{
	size_t width = MIN(plain_width(text), GRID_PAD);

	g->width[column] = MAX(g->width[column], width);
}

struct grid *grid_new(const struct table *t, grid_escape escape, bool flatten)
{
	struct grid *g = g_new0(struct grid, 1);
	g_autofree bool *used = notes_in_use(t);
	unsigned n = g->columns = t->columns->len;

	g->table = t;
	g->rows = t->rows->len;
	g->title = t->title && *t->title ? grid_text(t->title, escape) : NULL;
	g->before = escaped_facts(t->before, escape);
	g->notes = escaped_notes(t->notes, used, escape);
	g->heading = g_new0(char *, n + 1);
	g->group = g_new0(char *, n + 1);
	g->right = g_new0(bool, n + 1);
	g->width = g_new0(size_t, n + 1);
	g->cell = g_new0(char **, g->rows + 1);
	for (unsigned i = 0; i < n; i++) {
		const struct column *c = &g_array_index(t->columns, struct column, i);

		g->heading[i] = heading_text(c, escape, flatten);
		g->group[i] = flatten ? g_strdup("") : grid_text(c->group, escape);
		g->grouped |= *g->group[i] != '\0';
		g->right[i] = c->kind == COLUMN_NUMBER;
		widen(g, i, g->heading[i]);
	}
	for (unsigned r = 0; r < g->rows; r++) {
		const struct cell *row = t->rows->pdata[r];

		g->cell[r] = g_new0(char *, n + 1);
		for (unsigned i = 0; i < n; i++) {
			g->cell[r][i] = cell_string(t, i, &row[i], escape);
			widen(g, i, g->cell[r][i]);
		}
	}
	return g;
}

void grid_free(struct grid *g)
{
	if (!g)
		return;
	for (unsigned r = 0; r < g->rows; r++)
		g_strfreev(g->cell[r]);
	g_free(g->cell);
	g_strfreev(g->heading);
	g_strfreev(g->group);
	g_strfreev(g->before);
	g_strfreev(g->notes);
	g_free(g->right);
	g_free(g->width);
	g_free(g->title);
	g_free(g);
}

unsigned grid_span(const struct grid *g, unsigned column)
{
	unsigned end = column + 1;

	while (*g->group[column] && end < g->columns && !strcmp(g->group[end], g->group[column]))
		end++;
	return end - column;
}

void grid_repeat(FILE *out, const char *text, size_t times)
{
	for (; times; times--)
		fputs(text, out);
}

void grid_pad(FILE *out, const char *text, size_t width, bool right)
{
	size_t have = plain_width(text), fill = have < width ? width - have : 0;

	if (right)
		grid_repeat(out, " ", fill);
	fputs(text, out);
	if (!right)
		grid_repeat(out, " ", fill);
}

char *grid_replace(const char *text, const char *(*map)(char c))
{
	GString *out = g_string_sized_new(strlen(text) + 16);

	for (; *text; text++) {
		const char *to = map(*text);

		if (to)
			g_string_append(out, to);
		else
			g_string_append_c(out, *text);
	}
	return g_string_free(out, FALSE);
}

size_t grid_unit_len(const char *p)
{
	size_t len = 0;

	if (*p != '[')
		return 0;
	while (g_ascii_isalpha(p[1 + len]) || p[1 + len] == '%' || (p[1 + len] == '/' && len))
		len++;
	if (!len || len > 8 || p[1 + len] != ']' || (p[2 + len] && p[2 + len] != ' '))
		return 0;
	return len + 2;
}

bool grid_camel_case(const char *text)
{
	unsigned humps = 0;

	for (const char *p = text; *p; p = g_utf8_next_char(p)) {
		gunichar c = g_utf8_get_char(p);

		if (!g_unichar_isalnum(c))
			humps = 0;
		else if (g_unichar_isupper(c) && g_unichar_islower(g_utf8_get_char(g_utf8_next_char(p))) && ++humps >= 2)
			return true;
	}
	return false;
}

void grid_row(FILE *out, const struct grid *g, char *const *cells)
{
	for (unsigned i = 0; i < g->columns; i++) {
		fputs("| ", out);
		grid_pad(out, cells[i], g->width[i], g->right[i]);
		fputc(' ', out);
	}
	fputs("|\n", out);
}
