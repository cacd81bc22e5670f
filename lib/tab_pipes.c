/* Tables whose columns have separators: markdown, ASCII grids, org, wikis, AsciiDoc, LaTeX, one
 * cell per line. */
#include <stdlib.h>
#include <string.h>
#include "lib/ascii.h"
#include "lib/tab_grid.h"
#include "lib/tab_cell.h"

#define MAX_ROWS 4096u
#define MAX_SPAN 64u /* columns or rows that a cell may span */

/* A row as typed, before columns are known. */
struct raw_row {
	unsigned line, section;
	bool header;	 /* marked as one */
	GPtrArray *cell; /* char * */
	GArray *begin;	 /* unsigned: position of the cell in its line, in characters */
};

struct raw_table {
	GPtrArray *rows;      /* struct raw_row * */
	unsigned section;     /* of the next row */
	unsigned rules;	      /* rules after the first row */
	unsigned header_rows; /* rows above the rule that ends a header; 0: not told */
	bool bordered;	      /* rules with crossings: +---+---+ */
	bool sure_header;     /* the header is marked */
	GArray *borders;      /* unsigned: positions of '+' */
	GArray *down;	      /* unsigned: rows for which a cell of this column still holds */
	GPtrArray *down_text; /* char *: and its text */
	char *caption;
};

static void raw_row_free(gpointer data)
{
	struct raw_row *r = data;

	g_ptr_array_free(r->cell, TRUE);
	g_array_free(r->begin, TRUE);
	g_free(r);
}

static struct raw_table *raw_new(void)
{
	struct raw_table *t = g_new0(struct raw_table, 1);

	t->rows = g_ptr_array_new_with_free_func(raw_row_free);
	t->borders = g_array_new(FALSE, FALSE, sizeof(unsigned));
	t->down = g_array_new(FALSE, TRUE, sizeof(unsigned));
	t->down_text = g_ptr_array_new_with_free_func(g_free);
	return t;
}

static void raw_free(struct raw_table *t)
{
	g_ptr_array_free(t->rows, TRUE);
	g_array_free(t->borders, TRUE);
	g_array_free(t->down, TRUE);
	g_ptr_array_free(t->down_text, TRUE);
	g_free(t->caption);
	g_free(t);
}

static struct raw_row *raw_add(struct raw_table *t, unsigned line)
{
	struct raw_row *r = g_new0(struct raw_row, 1);

	r->line = line;
	r->section = t->section;
	r->cell = g_ptr_array_new_with_free_func(g_free);
	r->begin = g_array_new(FALSE, FALSE, sizeof(unsigned));
	g_ptr_array_add(t->rows, r);
	return r;
}

/* Cells of rows above that reach down into this row come first, wherever the next column is theirs.
 */
static void fill_down(struct raw_table *t, struct raw_row *r)
{
	while (r->cell->len < t->down->len && g_array_index(t->down, unsigned, r->cell->len)) {
		unsigned c = r->cell->len, zero = 0;

		g_array_index(t->down, unsigned, c)--;
		g_ptr_array_add(r->cell, g_strdup(t->down_text->pdata[c]));
		g_array_append_val(r->begin, zero);
	}
}

/* Adds a cell of so many columns and rows. A text that spans columns stands in each (only a header
 * uses it). */
static void raw_cell(struct raw_table *t, struct raw_row *r, const char *text, gssize len,
		     unsigned begin, unsigned columns, unsigned rows)
{
	g_autofree char *copy = g_strstrip(g_strndup(text, len < 0 ? strlen(text) : (gsize)len));

	columns = CLAMP(columns, 1, MAX_SPAN);
	rows = CLAMP(rows, 1, MAX_SPAN);
	fill_down(t, r);
	for (unsigned i = 0; i < columns && r->cell->len < TAB_COLUMNS; i++) {
		unsigned c = r->cell->len;

		if (rows > 1) {
			while (t->down->len <= c) {
				unsigned zero = 0;

				g_array_append_val(t->down, zero);
				g_ptr_array_add(t->down_text, NULL);
			}
			g_array_index(t->down, unsigned, c) = rows - 1;
			g_free(t->down_text->pdata[c]);
			t->down_text->pdata[c] = g_strdup(copy);
		}
		g_ptr_array_add(r->cell, g_strdup(copy));
		g_array_append_val(r->begin, begin);
	}
}

static bool is_value(const char *text)
{
	struct tab_cell c;

	tab_cell_read(text, STYLE_CELLS, &c);
	return c.kind == TAB_VALUE || c.kind == TAB_LISTED;
}

static bool row_has_value(const struct raw_row *r)
{
	for (unsigned c = 1; c < r->cell->len; c++)
		if (is_value(r->cell->pdata[c]))
			return true;
	return false;
}

/* Rows of one bordered section that are one row typed in several lines become one. */
static void merge_lines(struct raw_table *t)
{
	for (unsigned i = 0; i < t->rows->len;) {
		struct raw_row *first = t->rows->pdata[i];
		unsigned n = 0, valued = 0, with = 0;

		while (i + n < t->rows->len &&
		       ((struct raw_row *)t->rows->pdata[i + n])->section == first->section) {
			if (row_has_value(t->rows->pdata[i + n])) {
				valued++;
				with = n;
			}
			n++;
		}
		if (n > 1 && (valued == 1 || (valued == 0 && i == 0))) {
			first->line = ((struct raw_row *)t->rows->pdata[i + with])->line;
			for (unsigned k = 1; k < n; k++) {
				struct raw_row *more = t->rows->pdata[i + k];

				for (unsigned c = 0; c < more->cell->len && c < first->cell->len;
				     c++) {
					const char *a = first->cell->pdata[c],
						   *b = more->cell->pdata[c];
					char *joined = *a && *b ? g_strdup_printf("%s %s", a, b)
								: g_strdup(*a ? a : b);

					g_free(first->cell->pdata[c]);
					first->cell->pdata[c] = joined;
				}
			}
			g_ptr_array_remove_range(t->rows, i + 1, n - 1);
			/* The rule that ends the header now stands below fewer rows. */
			if (t->header_rows > i)
				t->header_rows -= MIN(n - 1, t->header_rows - i - 1);
			n = 1;
		}
		i += n;
	}
}

static unsigned header_rows(const struct raw_table *t)
{
	unsigned n = 0;

	while (n < t->rows->len && ((struct raw_row *)t->rows->pdata[n])->header)
		n++;
	if (n && n < t->rows->len)
		return n;
	if (t->header_rows && t->sure_header)
		return t->header_rows;
	for (n = 0; n < t->rows->len && !row_has_value(t->rows->pdata[n]); n++)
		;
	if (n == t->rows->len)
		return MIN(n, t->header_rows ? t->header_rows : 1);
	/* Only the rows above the first rule, if there is one. */
	return t->header_rows ? MIN(n, t->header_rows) : MIN(n, 3u);
}

/* Puts the header rows into headings and groups. The lowest row holds the headings. */
static void fold_header(struct tab_grid *g, GPtrArray *rows, unsigned n)
{
	const struct raw_row *low = rows->pdata[n - 1], *top = rows->pdata[0];
	struct tab_heading first;

	/* Below a cell that spans rows, the lower row begins one column further. */
	if (n > 1 && low->cell->len && top->cell->len) {
		tab_heading_read(low->cell->pdata[0], &first);
		if (first.kind != HEADING_OTHER && *(char *)top->cell->pdata[0] &&
		    (low->cell->len < g->columns ||
		     !*(char *)low->cell->pdata[low->cell->len - 1])) {
			if (low->cell->len == g->columns)
				g_ptr_array_remove_index(low->cell, low->cell->len - 1);
			g_ptr_array_insert(low->cell, 0, g_strdup(""));
		}
	}
	for (unsigned c = 0; c < g->columns && c < low->cell->len; c++)
		tab_set(&g->heading[c], g_strdup(low->cell->pdata[c]));
	for (unsigned i = n - 1; i-- > 0;) {
		const struct raw_row *up = rows->pdata[i];
		unsigned filled = 0;
		bool groups;

		for (unsigned c = 0; c < up->cell->len; c++)
			filled += *(char *)up->cell->pdata[c] != '\0';
		/* Fewer texts than columns, or repeated ones: headings above several columns. */
		groups = filled + 1 < low->cell->len;
		for (unsigned c = 1; c < up->cell->len; c++)
			groups = groups || (*(char *)up->cell->pdata[c] &&
					    !strcmp(up->cell->pdata[c], up->cell->pdata[c - 1]));
		for (unsigned c = 0; c < g->columns && c < up->cell->len; c++) {
			const char *text = up->cell->pdata[c];
			bool own = !*g->heading[c] || !strcmp(g->heading[c], text);

			if (groups && !*text && c && *g->heading[c] && *g->group[c - 1] &&
			    *(char *)up->cell->pdata[c - 1])
				continue; /* filled below */
			if (!*text)
				continue;
			if (own && !*g->heading[c])
				tab_set(&g->heading[c], g_strdup(text));
			else if (groups && !own)
				tab_set(&g->group[c],
					*g->group[c] ? g_strdup_printf("%s %s", text, g->group[c])
						     : g_strdup(text));
			else if (!own)
				tab_set(&g->heading[c],
					g_strdup_printf("%s %s", text, g->heading[c]));
		}
		/* An empty cell beside a group belongs to it. */
		if (groups)
			for (unsigned c = 1; c < g->columns && c < up->cell->len; c++)
				if (!*(char *)up->cell->pdata[c] && *g->heading[c] && !*g->group[c])
					tab_set(&g->group[c], g_strdup(g->group[c - 1]));
	}
}

/* The header of "label | 13us | 119us" may have lost its empty first cell: "Min | Max | |". */
static void unshift_header(struct tab_grid *g)
{
	struct tab_heading h;
	unsigned last = g->columns - 1;

	if (g->columns < 2 || *g->heading[last] || !*g->heading[0])
		return;
	tab_heading_read(g->heading[0], &h);
	if (h.kind == HEADING_OTHER)
		return;
	for (unsigned i = 0; i < g->rows->len; i++) {
		const struct tab_grid_row *r = g->rows->pdata[i];

		if (is_value(r->cell[0]) || !*r->cell[0])
			return;
	}
	for (unsigned c = last; c > 0; c--)
		tab_set(&g->heading[c], g_strdup(g->heading[c - 1]));
	tab_set(&g->heading[0], g_strdup(""));
}

/* Makes the grid of what was typed; NULL when it is no table. Frees t. */
static struct tab_grid *raw_finish(struct raw_table *t, enum tab_grid_style style, unsigned first,
				   unsigned end)
{
	struct tab_grid *g = NULL;
	unsigned columns = 0, head;

	if (t->bordered)
		merge_lines(t);
	for (unsigned i = 0; i < t->rows->len; i++)
		columns = MAX(columns, ((struct raw_row *)t->rows->pdata[i])->cell->len);
	if (t->rows->len < 2 || columns < 2 || columns > TAB_COLUMNS) {
		raw_free(t);
		return NULL;
	}
	g = tab_grid_new(style, columns);
	head = header_rows(t);
	g->headed = head > 0;
	g->first = first;
	g->end = end;
	g->caption = g_steal_pointer(&t->caption);
	for (unsigned i = head; i < t->rows->len; i++) {
		const struct raw_row *r = t->rows->pdata[i];
		struct tab_grid_row *row = tab_grid_add(g, r->line, r->section);

		row->rule_sections = t->bordered;
		for (unsigned c = 0; c < r->cell->len; c++)
			tab_set(&row->cell[c], g_strdup(r->cell->pdata[c]));
	}
	if (head) {
		fold_header(g, t->rows, head);
		unshift_header(g);
	}
	raw_free(t);
	if (!g->rows->len) {
		tab_grid_free(g);
		return NULL;
	}
	return g;
}

/* The text from '|' on, with characters that are drawn like it made '|'. Caller frees. */
static char *plain_bars(const char *text)
{
	GString *s;

	if (is_ascii(text, strlen(text)))
		return g_strdup(text);
	s = g_string_new(NULL);
	for (const char *p = text; *p; p = g_utf8_next_char(p)) {
		gunichar c = g_utf8_get_char(p);

		if (c == 0xa6 || c == 0x2502 || c == 0x2503 || c == 0x2551 || c == 0x2016)
			g_string_append_c(s, '|');
		else
			g_string_append_unichar(s, c);
	}
	return g_string_free(s, FALSE);
}

/* The end of the cell that begins at p: the next separator that is not escaped and not inside a
 * link or code. */
static const char *cell_end(const char *p, const char *separators, bool twice)
{
	unsigned links = 0;

	for (; *p; p++) {
		if (*p == '\\' && p[1]) {
			p++;
		} else if (p[0] == '[' && p[1] == '[' && strstr(p, "]]")) {
			links = 1;
			p++;
		} else if (p[0] == ']' && p[1] == ']') {
			links = 0;
			p++;
		} else if (!links && strchr(separators, *p) && (!twice || p[1] == *p)) {
			return p;
		}
	}
	return p;
}

/* "<|2>", "<-2>", "<:>", "<rowbgcolor=…>", "= x =" of MoinMoin and Trac. Returns the text. */
static const char *wiki_attributes(const char *p, size_t *len, unsigned *columns, unsigned *rows)
{
	while (*len && *p == ' ') {
		p++;
		(*len)--;
	}
	while (*len && *p == '<') {
		const char *close = memchr(p, '>', *len);

		if (!close)
			break;
		if (p[1] == '|' && g_ascii_isdigit(p[2]))
			*rows = (unsigned)strtoul(p + 2, NULL, 10);
		else if (p[1] == '-' && g_ascii_isdigit(p[2]))
			*columns = (unsigned)strtoul(p + 2, NULL, 10);
		else if (!strchr("|-:()^v#", p[1]) && !memchr(p, '=', (size_t)(close - p)))
			break;
		*len -= (size_t)(close + 1 - p);
		p = close + 1;
	}
	if (*len > 2 && *p == '=' && p[*len - 1] == '=') {
		p++;
		*len -= 2;
	}
	return p;
}

/*
 * Splits a line with separators into a row. separators: "|", "^|" (DokuWiki) or "&"; twice: "||";
 * outer: rows of this table begin with a separator.
 */
static void split_row(struct raw_table *t, unsigned line, const char *text, const char *separators,
		      bool twice, bool outer)
{
	const char *p = text + strspn(text, " ");
	struct raw_row *r = raw_add(t, line);
	unsigned width = twice ? 2 : 1, span = 1;
	bool doku = strlen(separators) == 2, caret = *p == '^';

	if (outer && strchr(separators, *p) && *p && (!twice || p[1] == *p))
		p += width;
	for (;;) {
		const char *end = cell_end(p, separators, twice);
		size_t len = (size_t)(end - p);
		unsigned columns = 1, rows = 1;
		const char *inner = p;

		if (!*end && p[strspn(p, " ")] == '\0')
			break; /* behind the last separator */
		if (doku && !len && r->cell->len) {
			raw_cell(t, r, r->cell->pdata[r->cell->len - 1], -1, 0, 1, 1);
		} else if (twice && !len && *end) {
			span++;
		} else {
			if (twice)
				inner = wiki_attributes(p, &len, &columns, &rows);
			raw_cell(t, r, inner, (gssize)len,
				 (unsigned)g_utf8_pointer_to_offset(text, p), MAX(columns, span),
				 rows);
			span = 1;
		}
		if (!*end)
			break;
		caret = caret && (*end == '^' || !doku);
		p = end + width;
	}
	fill_down(t, r);
	r->header = doku && caret;
}

/* The borders of a grid, from its rules: the columns of cells that span some are found by them. */
static void note_borders(struct raw_table *t, const char *text)
{
	g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(unsigned));
	unsigned at = 0;

	for (const char *p = text; *p; p = g_utf8_next_char(p), at++) {
		gunichar c = g_utf8_get_char(p);

		if (c == '+' || (c >= 0x250c && c <= 0x254b && c != 0x2500) ||
		    (c >= 0x2552 && c <= 0x256c))
			g_array_append_val(found, at);
	}
	if (found->len > t->borders->len) {
		g_array_set_size(t->borders, 0);
		g_array_append_vals(t->borders, found->data, found->len);
	}
}

/* A row with fewer cells than a bordered grid has columns: cells take their columns by position. */
static void spread_row(struct raw_table *t, struct raw_row *r)
{
	unsigned columns = t->borders->len ? t->borders->len - 1 : 0;
	GPtrArray *cell;

	if (!t->bordered || r->cell->len >= columns)
		return;
	cell = g_ptr_array_new_with_free_func(g_free);
	for (unsigned c = 0; c < columns; c++) {
		unsigned border = g_array_index(t->borders, unsigned, c), pick = 0;
		bool exact = false;

		for (unsigned i = 0; i < r->begin->len; i++) {
			unsigned begin = g_array_index(r->begin, unsigned, i);

			if (begin <= border + 1) {
				pick = i;
				exact = begin == border + 1;
			}
		}
		g_ptr_array_add(cell, r->cell->len ? g_strdup(exact || !row_has_value(r)
								      ? r->cell->pdata[pick]
								      : "")
						   : g_strdup(""));
	}
	g_ptr_array_free(r->cell, TRUE);
	r->cell = cell;
}

enum bar_kind { BAR_NONE, BAR_ROW, BAR_RULE, BAR_PART };

static enum bar_kind bar_kind(const struct tab_line *l)
{
	g_autofree char *own = NULL;
	const char *p;

	p = l->text + strspn(l->text, " ");
	/* Comments of programs are none. */
	if (l->fence || l->foreign || !*p || *p == '#' || g_str_has_prefix(p, "//"))
		return BAR_NONE;
	if (tab_line_rule(l))
		return BAR_RULE;
	if (!is_ascii(p, strlen(p)))
		p = own = plain_bars(p);
	p += strspn(p, " ");
	if (strchr(p, '|'))
		return BAR_ROW;
	if (*p == '^' && strchr(p + 1, '^'))
		return BAR_ROW;
	if (strchr(p, '&') && strstr(p, "\\\\"))
		return BAR_ROW;
	/* "+ kernel +-----+-----+": a rule beside a cell that spans rows */
	if (*p == '+' && strstr(p, "+--") && g_str_has_suffix(p, "+"))
		return BAR_PART;
	return strstr(p, "\\hline") ? BAR_RULE : BAR_NONE;
}

/* Text columns held by blanks between the bars: the bars only part groups of columns. */
static bool has_inner_columns(const struct raw_table *t)
{
	unsigned with = 0;

	for (unsigned i = 0; i < t->rows->len; i++) {
		const struct raw_row *r = t->rows->pdata[i];
		bool inner = false;

		for (unsigned c = 0; c < r->cell->len; c++) {
			const char *text = r->cell->pdata[c], *gap = strstr(text, "  ");

			inner = inner || (gap && !is_value(text) && strpbrk(gap, "0123456789"));
		}
		with += inner;
	}
	return with * 2 > t->rows->len;
}

/* A markdown alignment row: it has the header just above it. */
static bool is_alignment(const struct tab_line *l)
{
	return strchr(l->text, '|') && !strchr(l->text, '+') && !strchr(l->text, '=') &&
	       strstr(l->text, "-");
}

static struct tab_grid *grid_bars(GPtrArray *lines, unsigned at, unsigned *tried)
{
	struct raw_table *t = raw_new();
	unsigned i, rows = 0, doku = 0, outer = 0, all = 0;

	for (i = at; i < lines->len && bar_kind(lines->pdata[i]) != BAR_NONE; i++) {
		const char *text = ((struct tab_line *)lines->pdata[i])->text;

		text += strspn(text, " ");
		doku += *text == '^';
		all += bar_kind(lines->pdata[i]) == BAR_ROW;
		outer += bar_kind(lines->pdata[i]) == BAR_ROW &&
			 (*text == '|' || (guchar)*text >= 0xc2);
	}
	for (i = at; i < lines->len && i - at < MAX_ROWS; i++) {
		struct tab_line *l = lines->pdata[i];
		enum bar_kind kind = bar_kind(l);
		g_autofree char *bars = NULL;
		const char *p;

		if (kind == BAR_NONE)
			break;
		if (kind == BAR_PART) {
			t->section++;
			continue;
		}
		if (kind == BAR_RULE) {
			bool align = is_alignment(l);

			/* A second alignment row: the row before it heads another table. */
			if (align && t->header_rows && rows > 1 && t->sure_header) {
				g_ptr_array_set_size(t->rows, (gint)rows - 1);
				i--;
				break;
			}
			/* A first one, not below the first row: the rows above its header are
			 * another table. */
			if (align && !t->header_rows && rows > 1) {
				g_ptr_array_remove_range(t->rows, 0, rows - 1);
				rows = 1;
			}
			if (rows && !t->header_rows) {
				t->header_rows = rows;
				t->sure_header = align || strchr(l->text, '=') != NULL;
			} else if (rows) {
				t->rules++;
			}
			t->section++;
			if (strpbrk(l->text, "+") || !g_str_is_ascii(l->text)) {
				t->bordered = t->bordered || rows == 0 || t->section > 1;
				note_borders(t, l->text);
			}
			continue;
		}
		bars = plain_bars(l->text);
		p = bars + strspn(bars, " ");
		if (p[0] == '|' && p[1] == '|')
			split_row(t, i, bars, "|", true, true);
		else if (doku && (*p == '^' || *p == '|'))
			split_row(t, i, bars, "^|", false, true);
		else if (!strchr(p, '|')) {
			*strstr(bars, "\\\\") = '\0';
			split_row(t, i, bars, "&", false, false);
		} else
			split_row(t, i, bars, "|", false, outer * 2 > all);
		if (p[0] == '|' && p[1] == '|' && i == at)
			((struct raw_row *)t->rows->pdata[0])->header = i + 1 < lines->len;
		rows++;
	}
	*tried = MAX(i, at + 1);
	for (unsigned k = 0; k < t->rows->len; k++)
		spread_row(t, t->rows->pdata[k]);
	if (t->rows->len < 2 || has_inner_columns(t)) {
		raw_free(t);
		return NULL;
	}
	at = ((struct raw_row *)t->rows->pdata[0])->line;
	return raw_finish(t, GRID_PIPES, at, i);
}

/* attribute="n" in MediaWiki attributes, or 1. */
static unsigned attribute(const char *text, size_t len, const char *name)
{
	const char *p = g_strstr_len(text, (gssize)len, name);

	if (!p)
		return 1;
	p += strlen(name);
	p += strspn(p, " =\"'");
	return (unsigned)strtoul(p, NULL, 10);
}

/* One line of MediaWiki cells: "! a !! b", "| c || d", each with attributes before a single '|'. */
static void media_cells(struct raw_table *t, struct raw_row *r, const char *p, bool header)
{
	for (;;) {
		const char *end = strstr(p, "||"), *bang = header ? strstr(p, "!!") : NULL, *bar;
		size_t len;
		unsigned columns = 1, rows = 1;

		if (bang && (!end || bang < end))
			end = bang;
		len = end ? (size_t)(end - p) : strlen(p);
		bar = cell_end(p, "|", false);
		if ((size_t)(bar - p) < len && memchr(p, '=', (size_t)(bar - p))) {
			columns = attribute(p, (size_t)(bar - p), "colspan");
			rows = attribute(p, (size_t)(bar - p), "rowspan");
			len -= (size_t)(bar + 1 - p);
			p = bar + 1;
		}
		raw_cell(t, r, p, (gssize)len, 0, columns, rows);
		if (!end)
			return;
		p = end + 2;
	}
}

static struct tab_grid *grid_media(GPtrArray *lines, unsigned at, unsigned *tried)
{
	struct raw_table *t = raw_new();
	struct raw_row *r = NULL;
	unsigned i, bangs = 0, bars = 0;

	for (i = at + 1; i < lines->len && i - at < MAX_ROWS; i++) {
		const char *p = ((struct tab_line *)lines->pdata[i])->text;

		p += strspn(p, " ");
		if (g_str_has_prefix(p, "|}"))
			break;
		if (g_str_has_prefix(p, "|+")) {
			const char *bar = strchr(p + 2, '|');

			g_free(t->caption);
			t->caption = g_strstrip(g_strdup(bar ? bar + 1 : p + 2));
		} else if (g_str_has_prefix(p, "|-")) {
			if (r)
				r->header = bangs && !bars;
			r = NULL;
			bangs = bars = 0;
		} else if (*p == '|' || *p == '!') {
			if (!r)
				r = raw_add(t, i);
			r->line = i;
			bangs += *p == '!';
			bars += *p == '|';
			media_cells(t, r, p + 1, *p == '!');
		} else if (r && r->cell->len && *p) {
			char **cell = (char **)&r->cell->pdata[r->cell->len - 1];

			tab_set(cell, g_strdup_printf("%s %s", *cell, p));
		}
	}
	if (r)
		r->header = bangs && !bars;
	*tried = i;
	return raw_finish(t, GRID_PIPES, at, MIN(i + 1, lines->len));
}

/* The number of columns from [cols="1,2,3"] or [cols="3*"]; 0 when not told. */
static unsigned ascii_columns(const char *text)
{
	const char *p = strstr(text, "cols=");
	unsigned n = 1;

	if (!p)
		return 0;
	p += 5 + (p[5] == '"' || p[5] == '\'');
	if (g_ascii_isdigit(*p) && p[strspn(p, "0123456789")] == '*')
		return (unsigned)MIN(strtoul(p, NULL, 10), TAB_COLUMNS);
	for (; *p && *p != '"' && *p != '\'' && *p != ']'; p++)
		n += *p == ',';
	return MIN(n, TAB_COLUMNS);
}

/* AsciiDoc: "|===", cells behind '|' in rows or one a line, "|===". */
static struct tab_grid *grid_ascii(GPtrArray *lines, unsigned at, unsigned *tried)
{
	struct raw_table *t = raw_new(), *rows = raw_new();
	struct raw_row *all, *r = NULL;
	g_autoptr(GArray) line = g_array_new(FALSE, FALSE, sizeof(unsigned));
	unsigned columns = at ? ascii_columns(((struct tab_line *)lines->pdata[at - 1])->text) : 0,
		 i;

	all = raw_add(t, at);
	for (i = at + 1; i < lines->len && i - at < MAX_ROWS; i++) {
		const char *text = ((struct tab_line *)lines->pdata[i])->text,
			   *p = text + strspn(text, " ");

		if (g_str_has_prefix(p, "|==="))
			break;
		if (!*p) {
			if (!columns)
				columns = all->cell->len;
			continue;
		}
		p = strchr(p, '|');
		while (p) {
			const char *end = cell_end(p + 1, "|", false);
			size_t len = (size_t)(end - p - 1);

			/* A cell's specification stands before its bar: "2+|", ".2+|", "h|". */
			while (*end && len && strchr("0123456789.+^<>aehlmsv", p[len]) &&
			       p[len - 1] == ' ')
				len--;
			g_ptr_array_add(all->cell, g_strstrip(g_strndup(p + 1, len)));
			g_array_append_val(line, i);
			p = *end ? end : NULL;
		}
		if (!columns && all->cell->len > 1)
			columns = all->cell->len;
	}
	for (unsigned c = 0; columns > 1 && c < all->cell->len; c++) {
		if (c % columns == 0)
			r = raw_add(rows, g_array_index(line, unsigned, c));
		raw_cell(rows, r, all->cell->pdata[c], -1, 0, 1, 1);
	}
	raw_free(t);
	*tried = i;
	return raw_finish(rows, GRID_PIPES, at, MIN(i + 1, lines->len));
}

struct tab_grid *tab_grid_pipes(GPtrArray *lines, unsigned at, unsigned floor, unsigned *tried)
{
	const struct tab_line *l = lines->pdata[at];
	const char *p = l->text + strspn(l->text, " ");

	(void)floor;
	if (g_str_has_prefix(p, "{|"))
		return grid_media(lines, at, tried);
	if (g_str_has_prefix(p, "|==="))
		return grid_ascii(lines, at, tried);
	if (bar_kind(l) == BAR_NONE)
		return NULL;
	return grid_bars(lines, at, tried);
}

/* One cell per line, each ending in '|'. */
struct piece {
	char *text;
	unsigned line, first; /* where it ends, where its text begins */
};

static void piece_clear(gpointer data)
{
	g_free(((struct piece *)data)->text);
}

/* The text before the line's only '|', which ends it; NULL when the line is not like that. Caller
 * frees. */
static char *before_bar(const struct tab_line *l)
{
	const char *bar = strchr(l->text, '|');

	if (l->fence || l->foreign || !bar || bar[1])
		return NULL;
	return g_strstrip(g_strndup(l->text, (gsize)(bar - l->text)));
}

#define MAX_WRAPPED 3u /* lines that one cell may take */

static GArray *read_pieces(GPtrArray *lines, unsigned at, unsigned most)
{
	GArray *pieces = g_array_new(FALSE, FALSE, sizeof(struct piece));
	GString *open = g_string_new(NULL);
	unsigned first = at, wrapped = 0;

	g_array_set_clear_func(pieces, piece_clear);
	for (unsigned i = at; i < lines->len && pieces->len < most; i++) {
		const struct tab_line *l = lines->pdata[i];
		char *text = before_bar(l);
		struct piece piece;

		if (!text) {
			if (tab_line_blank(l) || strchr(l->text, '|') || ++wrapped > MAX_WRAPPED ||
			    l->fence || l->foreign)
				break;
			g_string_append_printf(open, "%s%s", open->len ? " " : "",
					       l->text + strspn(l->text, " "));
			continue;
		}
		if (open->len && *text)
			g_string_append_c(open, ' ');
		g_string_append(open, text);
		g_free(text);
		piece = (struct piece){ .text = g_strdup(open->str), .line = i, .first = first };
		g_array_append_val(pieces, piece);
		g_string_truncate(open, 0);
		wrapped = 0;
		first = i + 1;
	}
	g_string_free(open, TRUE);
	return pieces;
}

#define MAX_STATISTICS 32u /* headings one below the other */
#define MAX_FIRST 64u	   /* cells in which the first row must end */

/* A line that is nothing but a statistic: "Min", "max (us)". */
static bool only_statistic(const struct tab_line *l)
{
	struct tab_heading h;

	if (l->fence || l->foreign || !tab_line_statistic(l) || strlen(l->text) > 40 || tab_line_blank(l))
		return false;
	tab_heading_read(l->text + strspn(l->text, " "), &h);
	return h.kind != HEADING_OTHER && h.pure && !is_value(l->text);
}

/* One cell per line without any mark: headings, then again and again a label and as many values. */
static struct tab_grid *bare_cell_lines(GPtrArray *lines, unsigned at)
{
	struct tab_grid *g = NULL;
	unsigned n = 0, i;

	while (at + n < lines->len && n < MAX_STATISTICS && only_statistic(lines->pdata[at + n]))
		n++;
	if (n < 2)
		return NULL;
	for (i = at + n; i + n < lines->len; i += n + 1) {
		struct tab_grid_row *r;
		const struct tab_line *label = lines->pdata[i];
		unsigned values = 0;

		if (tab_line_blank(label) || is_value(label->text) || label->prose)
			break;
		while (values < n &&
		       is_value(((struct tab_line *)lines->pdata[i + 1 + values])->text))
			values++;
		if (values < n)
			break;
		if (!g) {
			g = tab_grid_new(GRID_CELLS, n + 1);
			g->first = at;
			g->headed = true;
			for (unsigned c = 0; c < n; c++)
				tab_set(&g->heading[c + 1],
					g_strstrip(g_strdup(
						((struct tab_line *)lines->pdata[at + c])->text)));
		}
		r = tab_grid_add(g, i, 0);
		for (unsigned c = 0; c <= n; c++)
			tab_set(&r->cell[c],
				g_strstrip(
					g_strdup(((struct tab_line *)lines->pdata[i + c])->text)));
		r->line = i + n;
		g->end = i + n + 1;
	}
	return g;
}

struct tab_grid *tab_grid_cell_lines(GPtrArray *lines, unsigned at, unsigned floor, unsigned *tried)
{
	g_autoptr(GArray) pieces = NULL;
	g_autofree char *begin = before_bar(lines->pdata[at]);
	struct tab_grid *g = NULL;
	unsigned from = 0, n = 0, i, statistics = 0, text = G_MAXUINT, group = G_MAXUINT;

	(void)floor;
	(void)tried;
	if (!begin || !*begin)
		return begin ? NULL : bare_cell_lines(lines, at);
	pieces = read_pieces(lines, at, MAX_FIRST);
#define PIECE(k) g_array_index(pieces, struct piece, k)
	while (from < pieces->len && !is_value(PIECE(from).text))
		from++;
	while (from + n < pieces->len && is_value(PIECE(from + n).text))
		n++;
	/* A label's heading, n headings, at least one label. */
	if (n < 1 || from < n + 2)
		return NULL;
	for (i = 1; i <= n; i++) {
		struct tab_heading h;

		tab_heading_read(PIECE(i).text, &h);
		statistics += h.kind != HEADING_OTHER || h.unit_stated;
		if (!*PIECE(i).text)
			return NULL;
	}
	if (!statistics)
		return NULL;
	g_array_free(pieces, TRUE);
	pieces = read_pieces(lines, at, MAX_ROWS);
	g = tab_grid_new(GRID_CELLS, n + 2);
	g->headed = true;
	g->first = at;
	for (i = 0; i <= n; i++)
		tab_set(&g->heading[i + 1], g_strdup(PIECE(i).text));
	for (i = n + 1; i < pieces->len;) {
		unsigned values = 0;
		struct tab_heading h;

		if (!*PIECE(i).text) {
			i++;
			continue;
		}
		if (text != G_MAXUINT)
			while (values < n && i + values < pieces->len &&
			       is_value(PIECE(i + values).text))
				values++;
		if (values == n) {
			struct tab_grid_row *r = tab_grid_add(g, PIECE(i).line, 0);

			if (group != G_MAXUINT)
				tab_set(&r->cell[0], g_strdup(PIECE(group).text));
			tab_set(&r->cell[1], g_strdup(PIECE(text).text));
			for (unsigned c = 0; c < n; c++)
				tab_set(&r->cell[c + 2], g_strdup(PIECE(i + c).text));
			i += n;
			text = G_MAXUINT;
			continue;
		}
		/* Text: a label, or a group and then a label; before a statistic it heads another
		 * table. */
		if (i + 1 < pieces->len) {
			tab_heading_read(PIECE(i + 1).text, &h);
			if (h.kind != HEADING_OTHER && !is_value(PIECE(i + 1).text))
				break;
		}
		if (text != G_MAXUINT)
			group = text;
		text = i++;
	}
	g->end = i < pieces->len ? PIECE(i).first : PIECE(pieces->len - 1).line + 1;
#undef PIECE
	if (!g->rows->len || g->end <= at) {
		tab_grid_free(g);
		return NULL;
	}
	return g;
}
