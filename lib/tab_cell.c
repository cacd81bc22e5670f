/* Cells of typed tables. */
#include <limits.h>
#include <string.h>
#include "lib/ascii.h"
#include "lib/tab_cell.h"

#define MAX_CELL 4096u /* longer cells are text */

/* Takes marks of emphasis off: **x**, __x__, `x`, '''x''', ~~x~~ and the like, where they wrap
 * words. */
static void strip_emphasis(GString *s)
{
	static const char *const marks[] = { "'''", "''", "**", "__", "``", "`", "~~", NULL };

	for (const char *const *m = marks; *m; m++) {
		size_t len = strlen(*m);
		char *first = strstr(s->str, *m);
		char *second = first ? strstr(first + len, *m) : NULL;

		while (first && second) {
			g_string_erase(s, second - s->str, (gssize)len);
			g_string_erase(s, first - s->str, (gssize)len);
			first = strstr(s->str, *m);
			second = first ? strstr(first + len, *m) : NULL;
		}
	}
	/* *x* and _x_ around the whole; a footnote star at the end alone stays. */
	while (s->len > 2 && (s->str[0] == '*' || s->str[0] == '_') &&
	       s->str[s->len - 1] == s->str[0] && s->str[1] != ' ' && s->str[1] != s->str[0]) {
		g_string_truncate(s, s->len - 1);
		g_string_erase(s, 0, 1);
	}
}

/* [text](target), [[target|text]], [target text], {{image}}: only the text stays. */
static void strip_links(GString *s)
{
	char *open, *middle, *close;

	while ((open = strchr(s->str, '[')) && (middle = strstr(open, "](")) &&
	       (close = strchr(middle, ')'))) {
		g_autofree char *label = g_strndup(open + 1, (gsize)(middle - open - 1));
		gssize at = open - s->str;

		g_string_erase(s, at, close - open + 1);
		g_string_insert(s, at, label);
	}
	while ((open = strstr(s->str, "[[")) && (close = strstr(open, "]]"))) {
		gssize at = open - s->str;
		g_autofree char *inside = g_strndup(open + 2, (gsize)(close - open - 2));
		const char *label = strrchr(inside, '|');

		g_string_erase(s, at, close + 2 - open);
		g_string_insert(s, at, label ? label + 1 : inside);
	}
}

/* Tags such as <br/>, <b> become blanks; "< 5" is no tag. */
static void strip_tags(GString *s)
{
	char *open = s->str, *close;

	while ((open = strchr(open, '<')) != NULL) {
		close = strchr(open, '>');
		if (close && close - open < 200 && (g_ascii_isalpha(open[1]) || open[1] == '/')) {
			memset(open, ' ', (size_t)(close - open + 1));
			open = close;
		} else {
			open++;
		}
	}
}

/* LaTeX: "$\\mu$s", "\\%", "\\_". */
static void strip_latex(GString *s)
{
	static const char *const pairs[][2] = {
		{ "$\\mu$", "µ" }, { "\\textmu{}", "µ" }, { "\\textmu ", "µ" },
		{ "\\%", "%" },	   { "\\_", "_" },	  { "\\&", "&" },
		{ "\\#", "#" },	   { "\\,", " " },	  { "\\hline", "" },
	};

	for (size_t i = 0; strchr(s->str, '\\') && i < G_N_ELEMENTS(pairs); i++)
		g_string_replace(s, pairs[i][0], pairs[i][1], 0);
}

static bool is_symbol(gunichar c)
{
	return (c >= 0x2190 && c <= 0x21ff) || (c >= 0x2600 && c <= 0x27bf) ||
	       (c >= 0x1f000 && c <= 0x1faff) || (c >= 0x2b00 && c <= 0x2bff) || c == 0xfe0f ||
	       c == 0x200d || (c >= 0x25a0 && c <= 0x25ff);
}

#define LONGEST_REST 60u /* bytes of a unit behind a number, and more */

/* What stands behind a number, up to end: false when it is neither a unit nor a remark, nor the next number of a list. */
static bool may_follow(const char *rest, const char *end)
{
	size_t len;

	while (rest < end && *rest == ' ')
		rest++;
	if (rest == end || strchr(",;/", *rest) || g_ascii_isdigit(*rest))
		return true;
	if (strchr("\"&:=>?@]}", *rest))
		return *rest == '?';
	len = (size_t)(end - rest);
	return len <= LONGEST_REST || memchr(rest, '(', LONGEST_REST) || memchr(rest, '[', LONGEST_REST);
}

bool tab_cell_may_be_value(const char *text, size_t len)
{
	const char *end = text + len;

	/* Markup and parentheses may stand before it. */
	while (text < end && strchr(" *_'`~(-+.", *text))
		text++;
	if (text < end && g_ascii_isdigit(*text)) {
		while (text < end && (g_ascii_isdigit(*text) || *text == '.' || *text == ','))
			text++;
		return may_follow(text, end);
	}
	if (text == end || g_ascii_isalpha(*text) || strchr("\"#&,/:;=>?@^|}])!%", *text))
		return false;
	for (; text < end; text++)
		if (g_ascii_isdigit(*text))
			return true;
	return false;
}

/* Nothing but ASCII without any sign that marks up text. */
static bool is_bare(const char *text, size_t len)
{
	static const bool marks[UCHAR_MAX + 1] = {
		['\\'] = true, ['<'] = true, ['['] = true, ['*'] = true, ['_'] = true, ['`'] = true, ['~'] = true, ['\''] = true,
	};

	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c < ' ' || c >= 0x7f || marks[c])
			return false;
	}
	return true;
}

/* Bare text with single blanks, in out, which has room for len + 1 bytes. */
static char *squeeze(const char *text, size_t len, char *out)
{
	char *end = out;

	for (size_t i = 0; i < len; i++)
		if (text[i] != ' ' || (end > out && end[-1] != ' '))
			*end++ = text[i];
	end -= end > out && end[-1] == ' ';
	*end = '\0';
	return out;
}

char *tab_cell_plain(const char *text)
{
	size_t len = strlen(text);
	GString *s, *out;
	bool gap = false;

	if (is_bare(text, len))
		return squeeze(text, len, g_malloc(len + 1));
	s = g_string_new(NULL);
	out = g_string_new(NULL);
	if (is_ascii(text, len)) {
		g_string_append_len(s, text, (gssize)len);
		g_strdelimit(s->str, "\t", ' ');
		text += len;
	}
	for (const char *p = text; *p; p = g_utf8_next_char(p)) {
		gunichar c = g_utf8_get_char_validated(p, -1);

		if (c >= (gunichar)-2)
			break;
		if (c == 0xa0 || c == 0x2009 || c == 0x202f || c == 0x2007 || c == '\t')
			c = ' ';
		if (!is_symbol(c))
			g_string_append_unichar(s, c);
	}
	strip_latex(s);
	strip_tags(s);
	strip_links(s);
	g_strstrip(s->str);
	g_string_truncate(s, strlen(s->str));
	strip_emphasis(s);
	for (const char *p = s->str; *p; p++) {
		if (*p == ' ') {
			gap = out->len > 0;
			continue;
		}
		if (gap)
			g_string_append_c(out, ' ');
		gap = false;
		g_string_append_c(out, *p);
	}
	g_string_free(s, TRUE);
	return g_string_free(out, FALSE);
}

/* Takes off what may stand behind a value: "(-6%)", "[1]", '*', '+' … The value keeps its unit. */
static void strip_remarks(char *s)
{
	size_t len = strlen(s);

	for (;;) {
		size_t was = len;

		while (len && (s[len - 1] == ' ' || s[len - 1] == '*' || s[len - 1] == '^' ||
			       s[len - 1] == ';' || s[len - 1] == '!' || s[len - 1] == '#'))
			len--;
		/* '.' or ',' ends a sentence, not a number */
		while (len > 1 && (s[len - 1] == '.' || s[len - 1] == ',') && s[len - 2] != ' ')
			len--;
		while (len > 2 && (!memcmp(s + len - 2, "†", 2) || !memcmp(s + len - 2, "²", 2) ||
				   !memcmp(s + len - 2, "¹", 2) || !memcmp(s + len - 2, "³", 2)))
			len -= 2;
		while (len > 3 && (!memcmp(s + len - 3, "†", 3) || !memcmp(s + len - 3, "‡", 3)))
			len -= 3;
		if (len && (s[len - 1] == ')' || s[len - 1] == ']')) {
			char opening = s[len - 1] == ')' ? '(' : '[';
			const char *open = memrchr(s, opening, len);

			if (open && open > s)
				len = (size_t)(open - s);
		}
		s[len] = '\0';
		if (len == was)
			return;
	}
}

/* All but the list, which is large and counted. */
static void clear(struct tab_cell *c)
{
	memset(c, 0, offsetof(struct tab_cell, list));
	c->listed = 0;
	c->decimals = 0;
	c->unit_stated = false;
	c->unit = (struct tab_unit){ NULL, 0 };
	c->evidence = 0;
}

/* Groups of exactly three digits after a first one of one to three: "1,234,567". */
static bool is_grouped(const char *s, size_t len, char mark, unsigned *groups)
{
	size_t i = 0;

	*groups = 0;
	while (i < len && g_ascii_isdigit(s[i]))
		i++;
	if (i < 1 || i > 3 || s[0] == '0')
		return false;
	while (i < len && s[i] == mark) {
		for (size_t k = 1; k <= 3; k++)
			if (i + k >= len || !g_ascii_isdigit(s[i + k]))
				return false;
		i += 4;
		(*groups)++;
	}
	return *groups && i == len;
}

/* Reads digits with '.' and ',' as the table writes them into c. False: no number, or not certain
 * (kind says so). */
static bool read_number(const char *s, size_t len, unsigned style, struct tab_cell *c)
{
	char buffer[64];
	g_autofree char *own = len < sizeof buffer ? NULL : g_malloc(len + 1);
	char *plain = own ? own : buffer;
	size_t n = 0, sign = len && (*s == '-' || *s == '+');
	const char *point = memchr(s, '.', len), *comma = memchr(s, ',', len);
	const char *body = s + sign;
	size_t body_len = len - sign, whole;
	unsigned groups;
	bool drop_commas = false, comma_is_point = false, drop_points = false;

	if (!body_len || !g_ascii_isdigit(body[0]))
		return *body == '.' && body_len > 1 && !comma &&
		       number_parse(s, len, 0, &c->number) == NUMBER_OK;
	if (comma && point && comma < point) { /* 1,234.5 */
		whole = (size_t)(point - body);
		if (!is_grouped(body, whole, ',', &groups))
			return false;
		drop_commas = true;
		c->evidence |= STYLE_GROUPS | STYLE_POINT;
	} else if (comma && point) { /* 1.234,5 */
		whole = (size_t)(comma - body);
		if (!is_grouped(body, whole, '.', &groups))
			return false;
		drop_points = comma_is_point = true;
		c->evidence |= STYLE_COMMA;
	} else if (comma) {
		size_t tail = body_len - (size_t)(comma - body) - 1;

		if (memchr(comma + 1, ',', tail)) { /* 1,234,567 */
			if (!is_grouped(body, body_len, ',', &groups))
				return false;
			drop_commas = true;
			c->evidence |= STYLE_GROUPS;
		} else if (tail == 3 && comma - body <= 3 && body[0] != '0') { /* 1,234 */
			if ((style & (STYLE_GROUPS | STYLE_POINT)) && !(style & STYLE_COMMA))
				drop_commas = true;
			else if ((style & STYLE_COMMA) && !(style & (STYLE_GROUPS | STYLE_POINT)))
				comma_is_point = true;
			else {
				c->kind = TAB_VAGUE;
				return false;
			}
		} else if (tail) { /* 3,1 */
			comma_is_point = true;
			c->evidence |= STYLE_COMMA;
		}
	} else if (point) {
		const char *second = memchr(point + 1, '.', len - (size_t)(point - s) - 1);

		if (second) {
			if (!is_grouped(body, body_len, '.', &groups) || !(style & STYLE_COMMA))
				return false;
			drop_points = true;
		} else if ((style & STYLE_COMMA) && is_grouped(body, body_len, '.', &groups)) {
			c->kind = TAB_VAGUE;
			return false;
		} else if (!is_grouped(body, body_len, '.', &groups)) {
			c->evidence |= STYLE_POINT;
		}
	}
	for (size_t i = 0; i < len; i++) {
		if ((s[i] == ',' && drop_commas) || (s[i] == '.' && drop_points))
			continue;
		plain[n++] = s[i] == ',' && comma_is_point ? '.' : s[i];
	}
	plain[n] = '\0';
	if (number_parse(plain, n, 0, &c->number) == NUMBER_NONE)
		return false;
	point = strchr(plain, '.');
	c->decimals = MAX(c->decimals, point ? (int)strspn(point + 1, "0123456789") : 0);
	return true;
}

/* The length of the number at the beginning of s: sign, digits, points and commas between digits,
 * an exponent. */
static size_t number_length(const char *s)
{
	size_t n = *s == '-' || *s == '+';

	if (!g_ascii_isdigit(s[n]) && !(s[n] == '.' && g_ascii_isdigit(s[n + 1])))
		return 0;
	for (;; n++) {
		if (g_ascii_isdigit(s[n]))
			continue;
		if ((s[n] == '.' || s[n] == ',') && g_ascii_isdigit(s[n + 1]))
			continue;
		break;
	}
	if ((s[n] == 'e' || s[n] == 'E') &&
	    (g_ascii_isdigit(s[n + 1]) ||
	     ((s[n + 1] == '-' || s[n + 1] == '+') && g_ascii_isdigit(s[n + 2])))) {
		n += 2;
		while (g_ascii_isdigit(s[n]))
			n++;
	}
	return n;
}

/* "1 234 567" in a cell with certain borders: the blanks (and apostrophes) go. */
static void join_groups(char *s, bool cells)
{
	size_t n = number_length(s), out = n;
	const char *p = s + n;

	if (n < 1 || n > 3u + (*s == '-' || *s == '+') || memchr(s, '.', n) || memchr(s, ',', n) ||
	    s[*s == '-' || *s == '+'] == '0')
		return;
	while ((*p == '\'' || (cells && *p == ' ')) && g_ascii_isdigit(p[1]) &&
	       g_ascii_isdigit(p[2]) && g_ascii_isdigit(p[3]) && !g_ascii_isdigit(p[4])) {
		memmove(s + out, p + 1, 3);
		out += 3;
		p += 4;
	}
	memmove(s + out, p, strlen(p) + 1);
}

/* "55,62,71", "55/62/71", "1.2 / 3.4 us": several values of one cell. */
static bool read_list(const char *s, unsigned style, struct tab_cell *c)
{
	char mark = strchr(s, '/') ? '/' : strchr(s, ';') ? ';' : ',';
	const char *p = s;
	unsigned n = 0, groups;
	size_t first = strcspn(s, " ");

	if (!strchr(s, mark))
		return false;
	/* "1,234,567" may be one number. */
	if (mark == ',' && is_grouped(s, first, ',', &groups) && first == strlen(s))
		return false;
	for (;;) {
		struct tab_cell one;
		size_t len;

		clear(&one);
		while (*p == ' ')
			p++;
		len = mark == ',' ? strspn(p, "0123456789.+-") : number_length(p);
		if (!len || n == TAB_LIST || !read_number(p, len, style, &one))
			return false;
		c->list[n++] = one.number;
		c->decimals = MAX(c->decimals, one.decimals);
		p += len;
		while (*p == ' ')
			p++;
		if (*p != mark)
			break;
		p++;
	}
	/* Two values with a comma between may be one number with a decimal comma. */
	if (n < 2 || (mark == ',' && n < 3 && !strstr(s, ", ") && !(style & STYLE_LIST)))
		return false;
	if (*p && !(c->unit_stated = tab_unit_find(p, strlen(p), &c->unit)))
		return false;
	c->listed = n;
	c->kind = TAB_LISTED;
	return true;
}

/* True when s is not exact: a bound, a range, an approximation. */
static bool is_vague(const char *s)
{
	static const char *const marks[] = { "<",      ">",	 "~",	"≈",	  "≤",	    "≥",
					     "±",      "ca.",	 "ca ", "approx", "about ", "over ",
					     "under ", "up to ", "+/-", NULL };
	size_t n;

	for (const char *const *m = marks; *m; m++)
		if (*s == **m && g_str_has_prefix(s, *m))
			return strpbrk(s, "0123456789") != NULL;
	n = number_length(s);
	if (!n)
		return false;
	s += n;
	while (*s == ' ')
		s++;
	if (g_str_has_prefix(s, "..") || g_str_has_prefix(s, "–") || g_str_has_prefix(s, "—"))
		s += 2;
	else if (*s == '-')
		s++;
	else
		return false;
	while (*s == ' ' || *s == '.' || (guchar)*s >= 0x80)
		s++;
	return g_ascii_isdigit(*s);
}

/* Most cells are digits, with one point at most: they need no more than to be read. */
static bool read_plain(const char *text, size_t len, unsigned style, struct tab_cell *c)
{
	char number[20];
	size_t whole = 0, n;

	while (len && *text == ' ') {
		text++;
		len--;
	}
	while (len && text[len - 1] == ' ')
		len--;
	while (whole < len && g_ascii_isdigit(text[whole]))
		whole++;
	n = whole;
	if (n < len && text[n] == '.')
		for (n++; n < len && g_ascii_isdigit(text[n]); n++)
			;
	if (!whole || whole > 15 || n != len || len > 18 || text[len - 1] == '.')
		return false;
	memcpy(number, text, len);
	number[len] = '\0';
	if (!read_number(number, len, style, c))
		return false;
	c->kind = TAB_VALUE;
	return true;
}

bool tab_cell_vague(const char *s)
{
	static const char *const words[] = { "ca.", "ca ", "approx", "about ", "over ", "under ", "up to ", NULL };

	for (const char *const *w = words; *w; w++)
		if (*s == **w && g_str_has_prefix(s, *w))
			return true;
	return false;
}

/* The cell s, of plain text, which may be changed. */
static void read_text(char *s, unsigned style, struct tab_cell *c)
{
	char *minus;
	size_t n;

	if (!*s) {
		c->kind = TAB_EMPTY;
		return;
	}
	if (tab_null_word(s)) {
		c->kind = TAB_NONE;
		return;
	}
	if (!strpbrk(s, "0123456789") || (g_ascii_isalpha(*s) && !tab_cell_vague(s)))
		return;
	/* The sign U+2212 */
	while ((minus = strstr(s, "−")) != NULL) {
		*minus = '-';
		memmove(minus + 1, minus + 3, strlen(minus + 3) + 1);
	}
	strip_remarks(s);
	/* "( 1)" is a value in parentheses. */
	n = strlen(s);
	if (n > 2 && s[0] == '(' && s[n - 1] == ')') {
		s[n - 1] = '\0';
		s[0] = ' ';
		g_strstrip(s);
	}
	if (is_vague(s)) {
		c->kind = TAB_VAGUE;
		return;
	}
	join_groups(s, style & STYLE_CELLS);
	if (read_list(s, style, c))
		return;
	n = number_length(s);
	if (!n || !read_number(s, n, style, c))
		return;
	if (s[n] && !(c->unit_stated = tab_unit_find(s + n, strlen(s + n), &c->unit))) {
		/* "3.1 �s": a unit that was lost; the value stands. */
		const char *rest = s + n + strspn(s + n, " ");

		if (strcmp(rest, "\xef\xbf\xbds") && strcmp(rest, "?s"))
			return;
	}
	c->kind = TAB_VALUE;
}

void tab_cell_read_slice(const char *text, size_t len, unsigned style, struct tab_cell *c)
{
	char buffer[MAX_CELL + 1];

	clear(c);
	c->kind = TAB_TEXT;
	if (len > MAX_CELL || read_plain(text, len, style, c))
		return;
	if (is_bare(text, len)) {
		read_text(squeeze(text, len, buffer), style, c);
	} else {
		g_autofree char *copy = g_strndup(text, len), *plain = tab_cell_plain(copy);

		read_text(plain, style, c);
	}
}

void tab_cell_read(const char *text, unsigned style, struct tab_cell *c)
{
	if (text) {
		tab_cell_read_slice(text, strlen(text), style, c);
	} else {
		clear(c);
		c->kind = TAB_EMPTY;
	}
}
