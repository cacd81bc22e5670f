/* Tables as aligned text within a width. */
#include <string.h>
#include "lib/figure.h"
#include "lib/grid.h"
#include "lib/layout.h"
#include "lib/plain.h"

#define GAP 2u                  /* blanks between columns */
#define LEAST_TEXT 16u          /* text columns are not made narrower than this to spare a block */
#define MOST_GROUP 32u          /* room for a heading above several columns */
#define FIGURE_ROWS 16u
#define FIGURE_BAR 40u

/* One table on its way out. */
struct work {
	const struct layout *l;
	struct grid *g;
	FILE *out;
	unsigned keys;                  /* leading text columns, repeated in each block */
	unsigned margin;                /* blanks before each line */
	size_t *width;                  /* of each column as laid out, */
	size_t *least;                  /* and what a column of numbers needs: they are never broken, their headings may be */
	unsigned shift;                 /* 1: a column of row numbers stands before those of the table */
};

static const char *mark_sequence(enum cell_mark mark)
{
	switch (mark) {
	case MARK_BEST: case MARK_BETTER: return "\033[32m";
	case MARK_WORST: case MARK_WORSE: return "\033[31m";
	case MARK_WARN: return "\033[33m";
	default: return NULL;
	}
}

/*
 * The beginning of text that fits into width, broken at a blank where there is one; *next is where the rest begins. *broken: a word
 * had to be broken; one column is left for a mark that says so.
 */
static size_t line_fit(const char *text, size_t width, const char **next, bool *broken)
{
	size_t fit = plain_fit(text, MAX(width, 2));

	*broken = false;
	if (!text[fit]) {
		*next = text + fit;
		return fit;
	}
	for (size_t at = fit; at > 0; at--) {
		if (text[at] == ' ') {
			*next = text + at + 1;
			return at;
		}
	}
	fit = plain_fit(text, MAX(width, 3) - 1);
	if (!fit)       /* cannot be with a width of 2; never loop without progress */
		fit = g_utf8_next_char(text) - text;
	*broken = true;
	*next = text + fit;
	return fit;
}

/* What mail changes, or takes for its own, at the beginning of a line: mailbox separators, quotes, the signature's rule. */
static bool is_mail_syntax(const char *text)
{
	return g_str_has_prefix(text, "From ") || *text == '>' || !strcmp(text, "--") || g_str_has_prefix(text, "-- ");
}

/* Paragraph with a hanging indent. In mail, a line that begins like a separator, quote or signature is moved by a blank. */
static void put_paragraph(const struct layout *l, FILE *out, const char *text, unsigned hang)
{
	const char *rest = text;
	unsigned indent = 0;

	if (l->mail && is_mail_syntax(text))
		indent = 1;
	do {
		size_t room = l->width > indent + 8 ? l->width - indent : (l->width ? 8 : G_MAXSIZE / 2);
		const char *line = rest;
		bool broken;
		size_t len = line_fit(line, room, &rest, &broken);

		grid_repeat(out, " ", indent);
		fprintf(out, "%.*s%s\n", (int)MIN(len, (size_t)G_MAXINT), line, broken ? "\\" : "");
		indent = hang;
	} while (*rest);
}

static size_t total_width(const struct work *w, unsigned from, unsigned to)
{
	size_t total = 0;

	for (unsigned i = from; i < to; i++)
		total += w->width[i] + (i ? GAP : 0);
	return total;
}

static size_t least_width(const struct work *w, unsigned i, size_t least)
{
	return w->g->right[i] ? w->least[i] : least;
}

/* Narrows the widest column of [from, to) until `excess` columns are won or none is wider than it must; texts: `least`. */
static size_t narrow(struct work *w, unsigned from, unsigned to, size_t excess, size_t least)
{
	while (excess) {
		unsigned widest = to;

		for (unsigned i = from; i < to; i++)
			if (w->width[i] > least_width(w, i, least) && (widest == to || w->width[i] > w->width[widest]))
				widest = i;
		if (widest == to)
			break;
		w->width[widest]--;
		excess--;
	}
	return excess;
}

/* Text columns become narrower for all columns to fit beside each other; if they cannot, the keys leave half to the blocks. */
static void shrink_text(struct work *w)
{
	size_t width = w->l->width, total = total_width(w, 0, w->g->columns) + w->margin;

	if (!width || total <= width)
		return;
	size_t excess = narrow(w, w->keys, w->g->columns, total - width, LEAST_TEXT);
	excess = narrow(w, 0, w->keys, excess, LEAST_TEXT);
	size_t keys = total_width(w, 0, w->keys), widest = 0, most;

	for (unsigned i = w->keys; i < w->g->columns; i++)
		widest = MAX(widest, w->width[i] + GAP + w->margin);
	most = MIN(width / 2, width > widest ? width - widest : 0);
	if (excess && keys > most)
		narrow(w, 0, w->keys, keys - most, 4);
}

/* The columns that go beside the keys in the block which begins with column `from`. */
static unsigned block_end(const struct work *w, unsigned from)
{
	size_t used = total_width(w, 0, w->keys) + w->margin;
	unsigned end = from;

	while (end < w->g->columns) {
		used += w->width[end] + GAP;
		if (w->l->width && used > w->l->width && end > from)
			break;
		end++;
	}
	return end;
}

static bool in_block(const struct work *w, unsigned column, unsigned from, unsigned to)
{
	return column < w->keys || (column >= from && column < to);
}

/* One physical line of a row: what is left of each cell; false when nothing was. */
static bool put_line(struct work *w, const char **rest, const enum cell_mark *marks, unsigned line,
                     unsigned from, unsigned to)
{
	size_t pending = w->margin;
	bool any = false;

	for (unsigned i = 0; i < w->g->columns; i++)
		any |= in_block(w, i, from, to) && *rest[i];
	if (!any && line)
		return false;
	for (unsigned i = 0; i < w->g->columns; i++) {
		if (!in_block(w, i, from, to))
			continue;
		const char *text = rest[i], *colour = NULL;
		bool broken;
		size_t len = line_fit(text, w->width[i], &rest[i], &broken);
		bool cut = *rest[i] && w->l->cell_lines && line + 1 >= w->l->cell_lines;

		if (cut) {
			len = plain_fit(text, w->width[i] - 1);
			rest[i] = "";
		}
		g_autofree char *part = g_strdup_printf("%.*s%s", (int)len, text, cut ? "…" : broken ? "\\" : "");
		size_t have = plain_width(part), fill = have < w->width[i] ? w->width[i] - have : 0;

		if (w->l->colour && marks)
			colour = mark_sequence(marks[i]);
		/* Blanks are written only before something: no line ends in them. */
		pending += w->g->right[i] ? fill : 0;
		if (*part) {
			grid_repeat(w->out, " ", pending);
			fprintf(w->out, "%s%s%s", colour ? colour : "", part, colour ? "\033[0m" : "");
			pending = 0;
		}
		pending += (w->g->right[i] ? 0 : fill) + GAP;
	}
	fputc('\n', w->out);
	return true;
}

static void put_row(struct work *w, char *const *cells, const enum cell_mark *marks, unsigned from, unsigned to)
{
	g_autofree const char **rest = g_new0(const char *, w->g->columns + 1);

	for (unsigned i = 0; i < w->g->columns; i++)
		rest[i] = cells[i];
	for (unsigned line = 0; put_line(w, rest, marks, line, from, to); line++)
		;
}

static void put_rule(struct work *w, unsigned from, unsigned to)
{
	bool first = true;

	for (unsigned i = 0; i < w->g->columns; i++) {
		if (!in_block(w, i, from, to))
			continue;
		grid_repeat(w->out, " ", first ? w->margin : GAP);
		grid_repeat(w->out, "-", MAX(w->width[i], 1));
		first = false;
	}
	fputc('\n', w->out);
}

/* The columns of [i, to) below one heading, as one width. */
static size_t group_room(const struct work *w, unsigned i, unsigned to)
{
	size_t room = 0;

	for (unsigned k = i; k < to && !strcmp(w->g->group[k], w->g->group[i]); k++)
		room += w->width[k] + (k > i ? GAP : 0);
	return room;
}

/* Caller g_frees. */
static char *fit_heading(const char *text, size_t room)
{
	if (plain_width(text) <= room)
		return g_strdup(text);
	return g_strdup_printf("%.*s…", (int)plain_fit(text, MAX(room, 1) - 1), text);
}

/* Headings above several columns, each over its first column, an ellipsis where one does not fit. */
static void put_groups(struct work *w, unsigned from, unsigned to)
{
	size_t at = w->margin, written = 0;

	for (unsigned i = 0; i < w->g->columns; i++) {
		if (!in_block(w, i, from, to))
			continue;
		bool begins = i == from || i == 0 || strcmp(w->g->group[i], w->g->group[i - 1]);

		if (begins && *w->g->group[i]) {
			g_autofree char *part = fit_heading(w->g->group[i], group_room(w, i, i < w->keys ? w->keys : to));

			grid_repeat(w->out, " ", at - written);
			fputs(part, w->out);
			written = at + plain_width(part);
		}
		at += w->width[i] + GAP;
	}
	fputc('\n', w->out);
}

static void put_block(struct work *w, unsigned from, unsigned to)
{
	g_autofree enum cell_mark *marks = g_new0(enum cell_mark, w->g->columns + 1);

	if (w->g->grouped)
		put_groups(w, from, to);
	put_row(w, w->g->heading, NULL, from, to);
	put_rule(w, from, to);
	for (unsigned r = 0; r < w->g->rows; r++) {
		const struct cell *row = w->g->table->rows->pdata[r];

		for (unsigned i = w->shift; i < w->g->columns; i++)
			marks[i] = row[i - w->shift].mark;
		put_row(w, w->g->cell[r], marks, from, to);
	}
}

static size_t width_lack(const struct work *w, unsigned i)
{
	size_t natural = MAX(w->g->width[i], 1);

	return natural > w->width[i] ? natural - w->width[i] : 0;
}

/* How much wider the first column below a heading must be for the heading to be seen whole. */
static size_t group_lack(const struct work *w, unsigned i, unsigned from, unsigned to)
{
	size_t room, name;

	if (!w->g->grouped || (i > from && !strcmp(w->g->group[i], w->g->group[i - 1])))
		return 0;
	room = group_room(w, i, to);
	name = plain_width(w->g->group[i]);
	return name > room ? name - room : 0;
}

/*
 * What a block leaves of the line goes to its columns that had been narrowed for all columns to fit beside each other, then
 * to headings above columns, first to that which lacks least. In mail the keys stay as wide as in the other blocks.
 */
static void widen_block(struct work *w, unsigned from, unsigned to)
{
	size_t used = total_width(w, 0, w->keys) + w->margin;

	for (unsigned i = from; i < to; i++)
		used += w->width[i] + GAP;
	for (size_t spare = w->l->width > used ? w->l->width - used : 0; spare; spare--) {
		unsigned neediest = to;
		size_t most = 0;

		for (unsigned i = w->l->mail ? from : 0; i < to; i++) {
			size_t lack = in_block(w, i, from, to) ? width_lack(w, i) : 0;

			if (lack > most) {
				most = lack;
				neediest = i;
			}
		}
		for (unsigned i = from; i < to && !most; i++) {
			size_t lack = group_lack(w, i, from, to);

			if (lack && (neediest == to || lack < group_lack(w, neediest, from, to)))
				neediest = i;
		}
		if (neediest == to)
			return;
		w->width[neediest]++;
	}
}

static bool needs_margin(const struct work *w)
{
	if (!w->l->mail)
		return false;
	/* Any cell may begin a line: where a row wraps, the cells before it may have ended. */
	for (unsigned r = 0; r < w->g->rows; r++)
		for (unsigned i = 0; i < w->g->columns; i++)
			if (strstr(w->g->cell[r][i], "From ") || strchr(w->g->cell[r][i], '>') ||
			    strstr(w->g->cell[r][i], "--"))
				return true;
	return false;
}

static bool wraps(const struct work *w)
{
	for (unsigned i = 0; i < w->g->columns; i++)
		for (unsigned r = 0; r < w->g->rows; r++)
			if (plain_width(w->g->cell[r][i]) > w->width[i])
				return true;
	return false;
}

/* A line that begins with '>' is a quote, also behind a blank. */
static bool seems_quoted(const struct work *w)
{
	for (unsigned r = 0; r < w->g->rows && w->g->columns; r++)
		if (*w->g->cell[r][0] == '>')
			return true;
	return false;
}

static char **with_first(char **texts, unsigned n, char *first)
{
	texts = g_renew(char *, texts, n + 2);
	memmove(texts + 1, texts, (n + 1) * sizeof(*texts));
	texts[0] = first;
	return texts;
}

/*
 * Puts row numbers first: they tell which lines are one row where cells wrap, and which rows of several blocks are the same where
 * the keys are too wide to be repeated.
 */
static void number_rows(struct work *w)
{
	struct grid *g = w->g;
	unsigned n = g->columns;

	g->heading = with_first(g->heading, n, g_strdup("#"));
	g->group = with_first(g->group, n, g_strdup(""));
	g->right = g_renew(bool, g->right, n + 2);
	memmove(g->right + 1, g->right, (n + 1) * sizeof(*g->right));
	g->right[0] = true;
	g->width = g_renew(size_t, g->width, n + 2);
	memmove(g->width + 1, g->width, (n + 1) * sizeof(*g->width));
	for (unsigned r = 0; r < g->rows; r++)
		g->cell[r] = with_first(g->cell[r], n, g_strdup_printf("%u", r + 1));
	g->width[0] = strlen(g->rows ? g->cell[g->rows - 1][0] : "#");
	g->columns = n + 1;
	w->keys = w->shift = 1;
}

static size_t longest_word(const char *text)
{
	g_auto(GStrv) words = g_strsplit(text, " ", -1);
	size_t longest = 1;

	for (char **word = words; *word; word++)
		longest = MAX(longest, plain_width(*word));
	return longest;
}

/* In mail a heading is one line, by which it is read again. Below a heading of several columns there is room enough. */
static size_t number_width(const struct work *w, unsigned i)
{
	size_t least = longest_word(w->g->heading[i]);

	if (w->l->mail || (w->g->grouped && *w->g->group[i]))
		return w->g->width[i];
	for (unsigned r = 0; r < w->g->rows; r++)
		least = MAX(least, plain_width(w->g->cell[r][i]));
	return least;
}

/* Boards and kernels differ at the end of their names: the columns below a heading are as wide as it, if it is not very long. */
static void make_room_for_groups(struct grid *g)
{
	for (unsigned i = 0, span = 1; g->grouped && i < g->columns; i += span) {
		size_t room = 0, name = MIN(plain_width(g->group[i]), MOST_GROUP);

		span = grid_span(g, i);
		for (unsigned k = i; k < i + span; k++)
			room += g->width[k] + (k > i ? GAP : 0);
		if (*g->group[i] && name > room)
			g->width[i] += name - room;
	}
}

static void natural_widths(struct work *w)
{
	g_free(w->width);
	g_free(w->least);
	w->width = g_new0(size_t, w->g->columns + 1);
	w->least = g_new0(size_t, w->g->columns + 1);
	for (unsigned i = 0; i < w->g->columns; i++) {
		w->width[i] = MAX(w->g->width[i], 1);
		w->least[i] = w->g->right[i] ? number_width(w, i) : 0;
	}
}

/* With numbers for keys: narrower text columns, if all columns then fit beside each other; else as wide as the line allows. */
static void fit_numbered(struct work *w)
{
	size_t width = w->l->width, total, most;

	number_rows(w);
	natural_widths(w);
	total = total_width(w, 0, w->g->columns) + w->margin;
	if (total <= width || !narrow(w, 1, w->g->columns, total - width, LEAST_TEXT))
		return;
	natural_widths(w);
	most = width - MIN(width, w->margin + w->width[0] + GAP);
	for (unsigned i = 1; i < w->g->columns; i++)
		if (!w->g->right[i])
			w->width[i] = MIN(w->width[i], MAX(most, LEAST_TEXT));
}

static void put_rows(struct work *w)
{
	unsigned n = w->g->columns;

	w->margin = needs_margin(w);
	w->keys = MIN(w->g->table->keys, n);
	while (!w->g->table->keys && w->keys < n && !w->g->right[w->keys])
		w->keys++;
	if (w->keys == n)
		w->keys = n > 1;        /* only text */
	make_room_for_groups(w->g);
	natural_widths(w);
	shrink_text(w);
	if (w->l->mail && (wraps(w) || seems_quoted(w) || (total_width(w, 0, n) + w->margin > w->l->width &&
	                                                   total_width(w, 0, w->keys) > w->l->width * 2 / 3)))
		fit_numbered(w);
	n = w->g->columns;
	for (unsigned from = w->keys, end; from < n; from = end) {
		end = block_end(w, from);
		g_autofree size_t *narrowed = g_memdup2(w->width, (n + 1) * sizeof(*narrowed));

		if (from > w->keys)
			fputc('\n', w->out);
		widen_block(w, from, end);
		put_block(w, from, end);
		memcpy(w->width, narrowed, (n + 1) * sizeof(*narrowed));
	}
	g_free(w->width);
	g_free(w->least);
}

/* A bar of eighths with block elements, else of '#'. */
static void put_bar(const struct layout *l, FILE *out, double fraction, unsigned width, bool any)
{
	static const char *const eighths[] = { "", "▏", "▎", "▍", "▌", "▋", "▊", "▉" };
	unsigned parts = (unsigned)(fraction * width * 8 + 0.5);

	if (any && parts < 4)
		parts = 4;
	if (!l->utf8) {
		grid_repeat(out, "#", (parts + 4) / 8);
		grid_repeat(out, " ", width - (parts + 4) / 8);
		return;
	}
	grid_repeat(out, "█", parts / 8);
	fputs(eighths[parts % 8], out);
	grid_repeat(out, " ", width - (parts + 7) / 8);
}

static char *row_range(const struct figure_row *r, bool ranges)
{
	char lower[NUMBER_TEXT], upper[NUMBER_TEXT];

	number_print(r->lower, lower);
	return ranges ? g_strdup_printf("%s to <%s", lower, number_print(r->upper, upper)) : g_strdup(lower);
}

/* Rows stand for ranges, unless each is one bin of the figure. */
static bool rows_are_ranges(const struct figure *f, const GArray *rows)
{
	const struct bar *b = &g_array_index(f->bars, struct bar, 0);
	const struct figure_row *r = &g_array_index(rows, struct figure_row, 0);
	struct number width = number_sub(r->upper, r->lower);

	return !number_is_set(b->upper) || !number_equal(number_sub(b->upper, b->lower), width);
}

static void put_figure(const struct layout *l, FILE *out, const struct figure *f)
{
	g_autoptr(GArray) rows = figure_rows(f, FIGURE_ROWS);
	char total[NUMBER_TEXT], count[NUMBER_TEXT];
	size_t widest = 0;

	if (!rows)
		return;
	bool ranges = rows_are_ranges(f, rows);
	g_autofree char *title = plain_line(f->title);
	g_autofree char *unit = plain_line(f->unit);
	g_autofree char *head = g_strdup_printf("%s%shistogram%s%s%s, %s sample%s, bars by the logarithm of the count",
		title, *title ? ": " : "", *unit ? " [" : "", unit, *unit ? "]" : "",
		number_print(figure_total(f), total), strcmp(total, "1") ? "s" : "");

	fputc('\n', out);
	put_paragraph(l, out, head, 2);
	for (guint i = 0; i < rows->len; i++) {
		g_autofree char *range = row_range(&g_array_index(rows, struct figure_row, i), ranges);

		widest = MAX(widest, strlen(range));
	}
	for (guint i = 0; i < rows->len; i++) {
		const struct figure_row *r = &g_array_index(rows, struct figure_row, i);
		g_autofree char *range = row_range(r, ranges);
		unsigned room = l->width && l->width < widest + FIGURE_BAR + 22 ?
			(l->width > widest + 32 ? l->width - widest - 22 : 10) : FIGURE_BAR;

		grid_repeat(out, " ", 2);
		grid_pad(out, range, widest, true);
		fputs(" |", out);
		put_bar(l, out, r->fraction, room, number_to_double(r->count) > 0);
		fprintf(out, " %s\n", number_print(r->count, count));
	}
	if (number_is_set(f->underflow) && f->underflow.coefficient)
		fprintf(out, "  below the bins: %s\n", number_print(f->underflow, count));
	if (number_is_set(f->overflow) && f->overflow.coefficient)
		fprintf(out, "  above the bins: %s\n", number_print(f->overflow, count));
}

static void put_title(const struct layout *l, FILE *out, const char *title, char rule)
{
	g_autofree char *plain = plain_line(title);
	size_t width = plain_width(plain);

	if (!*plain)
		return;
	if (l->colour)
		fputs("\033[1m", out);
	put_paragraph(l, out, plain, 2);
	if (l->colour)
		fputs("\033[0m", out);
	if (rule) {
		const char text[2] = { rule, '\0' };

		grid_repeat(out, text, l->width && width > l->width ? l->width : width);
		fputc('\n', out);
	}
}

static void put_table(const struct layout *l, FILE *out, const struct table *t)
{
	struct grid *g = grid_new(t, NULL, false);
	struct work w = { .l = l, .g = g, .out = out };

	if (g->title)
		put_title(l, out, g->title, l->colour ? 0 : '=');
	for (char **line = g->before; *line; line++)
		put_paragraph(l, out, *line, 2);
	if (g->columns && g->rows) {
		if (g->title || *g->before)
			fputc('\n', out);
		put_rows(&w);
	}
	if (*g->notes)
		fputc('\n', out);
	for (guint i = 0; g->notes[i]; i++) {
		bool numbered = **(g->notes + i) == '(' && g_ascii_isdigit(g->notes[i][1]);
		g_autofree char *text = g_strconcat(numbered ? "" : "note: ", g->notes[i], NULL);

		put_paragraph(l, out, text, 4);
	}
	for (guint i = 0; i < t->figures->len; i++)
		put_figure(l, out, t->figures->pdata[i]);
	grid_free(g);
}

void layout_document(const struct document *d, const struct layout *l, FILE *out)
{
	if (d->title && *d->title) {
		put_title(l, out, d->title, '=');
		fputc('\n', out);
	}
	for (guint i = 0; i < d->tables->len; i++) {
		if (i)
			fputc('\n', out);
		put_table(l, out, d->tables->pdata[i]);
	}
}
