/* Tables whose columns are held by blanks, with a heading above (or below), or with dot leaders. */
#include <stdlib.h>
#include <string.h>
#include "lib/pattern.h"
#include "lib/tab_grid.h"
#include "lib/tab_cell.h"

#define MAX_ROWS 4096u
#define MAX_HEADER 3u	/* lines that a header may take */
#define MAX_HEADING 60u /* characters of one heading */
#define NEAR 4u		/* characters by which a value may miss its column */

/* A piece of a line: text between gaps. Positions in characters. */
struct item {
	char *text;
	unsigned begin, end;
	enum tab_cell_kind kind;
	bool unit; /* the value has its unit */
};

struct span {
	unsigned begin, end;
};

/* A line as items. */
struct typed_row {
	GArray *items;	 /* struct item */
	unsigned values; /* values (and signs for none) in a run up to the end */
	bool leader;	 /* has a dot leader */
};

static void item_clear(gpointer data)
{
	g_free(((struct item *)data)->text);
}

#define ITEM(row, i) (&g_array_index((row)->items, struct item, (i)))

static void typed_row_clear(struct typed_row *r)
{
	if (r->items)
		g_array_free(r->items, TRUE);
	r->items = NULL;
}

static void judge(struct item *it)
{
	struct tab_cell c;

	tab_cell_read(it->text, 0, &c);
	it->kind = c.kind;
	it->unit = c.unit_stated;
}

static void add_item(GArray *items, const char *text, size_t len, unsigned begin)
{
	struct item it = { .text = g_strndup(text, len), .begin = begin };

	it.end = begin + (unsigned)g_utf8_strlen(it.text, -1);
	judge(&it);
	g_array_append_val(items, it);
}

/*
 * Finds "Label . . . . :" or "Label.....:" and blanks the leader out, the colon included, so that
 * columns stay. Needs three dots, or two with a blank between, and the colon.
 */
static bool blank_leader(char *text, unsigned colon)
{
	for (char *p = text; (p = strchr(p, '.')) != NULL; p++) {
		unsigned dots = 0;
		char *q = p;

		while (*q == '.' || *q == ' ') {
			dots += *q == '.';
			q++;
		}
		if ((dots >= 3 || (dots == 2 && p[1] == ' ')) && *q == ':' && p > text &&
		    text[strspn(text, " ")] != '.') {
			memset(p, ' ', (size_t)(q + 1 - p));
			return true;
		}
		p = q - 1;
	}
	/* "Average Context-Switch Rate :" below such rows has no room for dots. */
	if (colon && strlen(text) > colon && text[colon] == ':' &&
	    (text[colon - 1] == ' ' || text[colon - 1] == '.')) {
		while (colon && strchr(": .", text[colon]))
			text[colon--] = ' ';
		return true;
	}
	return false;
}

/* "(    5)" is 5: the parentheses become blanks, but not those of a remark behind a value. */
static void blank_parentheses(char *text)
{
	for (char *p = text; (p = strchr(p, '(')) != NULL; p++) {
		char *number = p + 1 + strspn(p + 1, " ");
		char *close = number + strspn(number, "0123456789.");

		if (number > p + 1 && close > number && *close == ')')
			*p = *close = ' ';
	}
}

static bool is_unit_only(const struct item *it)
{
	struct tab_unit unit;

	return it->kind == TAB_TEXT && tab_unit_find(it->text, strlen(it->text), &unit);
}

/* Joins item b onto item a = b - 1, with one blank. */
static void join_items(GArray *items, unsigned b)
{
	struct item *left = &g_array_index(items, struct item, b - 1), *right = left + 1;

	tab_set(&left->text, g_strdup_printf("%s %s", left->text, right->text));
	left->end = right->end;
	judge(left);
	g_array_remove_index(items, b);
}

/* Whether the first of several words is a value. */
static bool begins_with_value(const char *text)
{
	size_t len = strcspn(text, " ");
	struct tab_cell c;

	if (!text[len] || !tab_cell_may_be_value(text, len))
		return false;
	tab_cell_read_slice(text, len, 0, &c);
	return c.kind == TAB_VALUE;
}

/* "99.69 99.34": an item of nothing but values becomes as many. */
static void split_values(GArray *items, unsigned at)
{
	struct item *it = &g_array_index(items, struct item, at);
	g_auto(GStrv) word = NULL;
	g_autoptr(GArray) parts = NULL;
	unsigned begin = it->begin, n, made = 0;

	if (it->kind != TAB_TEXT || !begins_with_value(it->text))
		return;
	word = g_strsplit(it->text, " ", -1);
	n = g_strv_length(word);
	parts = g_array_new(FALSE, FALSE, sizeof(struct item));
	g_array_set_clear_func(parts, item_clear);
	for (unsigned w = 0; w < n; w++) {
		struct tab_unit unit;
		unsigned width = (unsigned)g_utf8_strlen(word[w], -1);

		if (made && !g_array_index(parts, struct item, made - 1).unit &&
		    tab_unit_find(word[w], strlen(word[w]), &unit)) {
			add_item(parts, word[w], strlen(word[w]), begin);
			join_items(parts, made);
		} else if (made && word[w][0] == '(' && g_str_has_suffix(word[w], ")")) {
			add_item(parts, word[w], strlen(word[w]), begin);
			join_items(parts, made);
		} else if (made && (!strcmp(word[w], "*") || !strcmp(word[w], "+"))) {
			;
		} else {
			add_item(parts, word[w], strlen(word[w]), begin);
			made++;
			if (g_array_index(parts, struct item, made - 1).kind != TAB_VALUE)
				return;
		}
		begin += width + 1;
	}
	if (made < 2)
		return;
	g_array_remove_index(items, at);
	g_array_insert_vals(items, at, parts->data, parts->len);
	g_array_set_clear_func(parts, NULL);
}

/* Cuts a line at gaps of two blanks and at bars. */
static GArray *cut_items(const char *text)
{
	GArray *items = g_array_new(FALSE, FALSE, sizeof(struct item));
	unsigned column = 0;

	g_array_set_clear_func(items, item_clear);
	for (const char *p = text; *p;) {
		const char *end;

		if (*p == ' ' || *p == '|') {
			p++;
			column++;
			continue;
		}
		for (end = p; *end && *end != '|' &&
			      !(end[0] == ' ' && (end[1] == ' ' || end[1] == '|' || !end[1]));
		     end++)
			;
		add_item(items, p, (size_t)(end - p), column);
		column += (unsigned)g_utf8_strlen(p, end - p);
		p = end;
	}
	return items;
}

/* Reads a line into items: units, remarks and stars go with their values, colons between go. */
static void read_row_at(const struct tab_line *l, unsigned colon, struct typed_row *r)
{
	g_autofree char *text = g_strdup(l->text);
	bool detached = false;
	unsigned with_unit = 0, first = 0;

	memset(r, 0, sizeof(*r));
	r->leader = blank_leader(text, colon);
	blank_parentheses(text);
	r->items = cut_items(text);
	for (unsigned i = 0; i < r->items->len; i++) {
		struct item *it = ITEM(r, i), *left = i ? it - 1 : NULL;
		bool after_value = left && left->kind == TAB_VALUE;

		if (i && (!strcmp(it->text, ":") || !strcmp(it->text, "="))) {
			g_array_remove_index(r->items, i--);
		} else if (after_value && (!strcmp(it->text, "*") || !strcmp(it->text, "+"))) {
			g_array_remove_index(r->items, i--);
		} else if (after_value && !left->unit && is_unit_only(it)) {
			join_items(r->items, i--);
			detached = i + 2 >= r->items->len;
		} else if (after_value && it->text[0] == '(' && g_str_has_suffix(it->text, ")")) {
			join_items(r->items, i--);
		} else if (g_str_has_prefix(it->text, ": ") && it->text[2]) {
			tab_set(&it->text, g_strdup(it->text + 2));
			it->begin += 2;
			judge(it);
		}
	}
	for (unsigned i = 0; i < r->items->len; i++)
		split_values(r->items, i);
	for (unsigned i = r->items->len; i-- > 0;) {
		const struct item *it = ITEM(r, i);

		if (it->kind == TAB_TEXT || (i == 0 && it->kind == TAB_NONE))
			break;
		r->values++;
		with_unit += it->unit;
		first = i;
	}
	/* A unit in a column of its own behind the values holds for the row. */
	if (r->values > 1 && with_unit == 1 && detached && ITEM(r, r->items->len - 1)->unit) {
		const char *last = ITEM(r, r->items->len - 1)->text;
		const char *unit = strrchr(last, ' ');

		for (unsigned i = first; unit && i + 1 < r->items->len; i++) {
			struct item *it = ITEM(r, i);

			if (it->kind != TAB_VALUE)
				continue;
			tab_set(&it->text, g_strdup_printf("%s%s", it->text, unit));
			judge(it);
		}
	}
}

static void read_row(const struct tab_line *l, struct typed_row *r)
{
	read_row_at(l, 0, r);
}

/* Cuts n values off the end of the label, from which a single blank parts them: "latency -p1000 8us
 * 92us". */
static bool cut_weak(struct typed_row *r, unsigned n)
{
	struct item *it;
	unsigned taken = 0;
	char *text, *end;
	GArray *tail;

	if (r->items->len < 1 || r->leader || n < 1 || ITEM(r, 0)->kind != TAB_TEXT)
		return false;
	it = ITEM(r, 0);
	text = g_strdup(it->text);
	end = text + strlen(text);
	tail = g_array_new(FALSE, FALSE, sizeof(struct item));
	g_array_set_clear_func(tail, item_clear);
	while (taken < n && end > text) {
		char *word, *more;
		struct tab_unit unit;

		*end = '\0';
		word = strrchr(text, ' ');
		if (!word)
			break;
		/* "3.1 us" */
		if (tab_unit_find(word + 1, strlen(word + 1), &unit)) {
			*word = '\0';
			more = strrchr(text, ' ');
			*word = ' ';
			if (!more || !g_ascii_isdigit(more[1]))
				break;
			word = more;
		}
		add_item(tail, word + 1, strlen(word + 1),
			 it->begin + (unsigned)g_utf8_strlen(text, word + 1 - text));
		if (g_array_index(tail, struct item, tail->len - 1).kind != TAB_VALUE &&
		    g_array_index(tail, struct item, tail->len - 1).kind != TAB_NONE)
			break;
		taken++;
		end = word;
	}
	*end = '\0';
	if (taken == n && *text) {
		tab_set(&it->text, g_strdup(text));
		it->end = it->begin + (unsigned)g_utf8_strlen(text, -1);
		judge(it);
		for (unsigned i = 0; i < tail->len; i++) {
			struct item value = g_array_index(tail, struct item, i);

			value.text = g_strdup(value.text);
			g_array_insert_val(r->items, 1, value);
		}
		r->values += n;
	} else {
		taken = 0;
	}
	g_array_free(tail, TRUE);
	g_free(text);
	return taken == n;
}

/* The segments of a rule such as "====  =====  ====". */
static GArray *rule_spans(const char *text)
{
	GArray *spans = g_array_new(FALSE, FALSE, sizeof(struct span));
	unsigned column = 0;

	for (const char *p = text; *p;) {
		struct span s = { .begin = column };

		if (*p == ' ') {
			p++;
			column++;
			continue;
		}
		while (*p && *p != ' ') {
			p = g_utf8_next_char(p);
			column++;
		}
		s.end = column;
		g_array_append_val(spans, s);
	}
	return spans;
}

/* How a header line is cut into headings. */
enum cut { CUT_SPANS, CUT_GAPS, CUT_UNITS, CUT_STATISTICS, CUT_WORDS, CUTS };

/* How many words from the beginning name no statistic: the heading of the labels. */
static unsigned label_words(char **word)
{
	unsigned n = 0;
	struct tab_heading h;

	for (; word[n]; n++) {
		tab_heading_read(word[n], &h);
		if (h.kind != HEADING_OTHER)
			break;
	}
	return n;
}

/* The first n words as one heading; returns where the next one begins. */
static unsigned add_label(GArray *items, char **word, unsigned n, unsigned column)
{
	g_autoptr(GString) label = g_string_new(NULL);

	for (unsigned w = 0; w < n; w++)
		g_string_append_printf(label, "%s%s", w ? " " : "", word[w]);
	if (n)
		add_item(items, label->str, label->len, column);
	return column + (unsigned)g_utf8_strlen(label->str, -1) + (n > 0);
}

static void add_words(GArray *items, const struct item *it, bool words)
{
	g_auto(GStrv) word = g_strsplit(it->text, " ", -1);
	unsigned column = it->begin, n = g_strv_length(word);
	bool all = n > 1;

	for (unsigned w = 0; word[w] && !words; w++) {
		struct tab_heading h;

		tab_heading_read(word[w], &h);
		all = all && h.kind != HEADING_OTHER;
	}
	if (!all && !words) {
		add_item(items, it->text, strlen(it->text), it->begin);
		return;
	}
	for (unsigned w = 0; word[w]; w++) {
		if (*word[w])
			add_item(items, word[w], strlen(word[w]), column);
		column += (unsigned)g_utf8_strlen(word[w], -1) + 1;
	}
}

/* "Thread Min Latency (us) Max Latency (us)", which lost its gaps: each heading ends with its unit. */
static void add_with_units(GArray *items, const struct item *it)
{
	const char *from = it->text;
	unsigned first = items->len;

	for (const char *p = from, *end; (p = strchr(p, '(')) && (end = strchr(p, ')')); p = end) {
		struct tab_unit unit;
		g_autofree char *heading = NULL;
		g_auto(GStrv) word = NULL;
		unsigned column, label = 0;

		if (!tab_unit_find(p + 1, (size_t)(end - p - 1), &unit))
			continue;
		heading = g_strstrip(g_strndup(from, (size_t)(end + 1 - from)));
		column = it->begin + (unsigned)g_utf8_strlen(it->text, from - it->text);
		word = g_strsplit(heading, " ", -1);
		if (items->len == first)
			label = label_words(word);
		if (word[label]) {
			g_autofree char *rest = g_strjoinv(" ", word + label);

			column = add_label(items, word, label, column);
			add_item(items, rest, strlen(rest), column);
		} else {
			add_item(items, heading, strlen(heading), column);
		}
		from = end + 1;
	}
	if (from[strspn(from, " ")])
		add_item(items, from + strspn(from, " "), strlen(from + strspn(from, " ")), it->end);
}

/* The headings in a line; NULL when this cut does not apply. */
static GArray *cut_header(const struct tab_line *l, const GArray *spans, enum cut cut)
{
	GArray *gaps = cut_items(l->text), *items;

	if (cut == CUT_GAPS)
		return gaps;
	items = g_array_new(FALSE, FALSE, sizeof(struct item));
	g_array_set_clear_func(items, item_clear);
	if (cut == CUT_SPANS) {
		for (unsigned s = 0; spans && s < spans->len; s++) {
			const struct span *span = &g_array_index(spans, struct span, s);
			unsigned len = (unsigned)g_utf8_strlen(l->text, -1), from = span->begin,
				 to = MIN(span->end, len);
			const char *a, *b;
			g_autofree char *text = NULL;

			if (s + 1 == spans->len)
				to = len;
			a = g_utf8_offset_to_pointer(l->text, MIN(from, len));
			b = g_utf8_offset_to_pointer(l->text, MAX(to, MIN(from, len)));
			text = g_strstrip(g_strndup(a, (gsize)(b - a)));
			add_item(items, text, strlen(text), from);
			g_array_index(items, struct item, s).end = span->end;
		}
	} else {
		for (unsigned i = 0; i < gaps->len; i++)
			if (cut == CUT_UNITS)
				add_with_units(items, &g_array_index(gaps, struct item, i));
			else
				add_words(items, &g_array_index(gaps, struct item, i), cut == CUT_WORDS);
	}
	g_array_free(gaps, TRUE);
	return items;
}

/* Text of programs: braces, comparisons, calls; requests of roff. */
static bool is_code(const char *text)
{
	static struct pattern member = PATTERN("^\\s*\"[^\"]*\"\\s*:");

	/* "key": 10, */
	if (text[strspn(text, " ")] == '"' && pattern_match(&member, text, strlen(text), 0, NULL))
		return true;
	if (text[0] == '.' && g_ascii_isalpha(text[1]))
		return true;
	return strpbrk(text, "{}\\$`") || strstr(text, "==") || strstr(text, "()") ||
	       strstr(text, ");") || strstr(text, "->") || strstr(text, "+=") || strstr(text, "!=");
}

static bool can_be_row(const struct tab_line *l)
{
	return !l->fence && !l->foreign && !tab_line_blank(l) && !tab_line_rule(l) &&
	       strlen(l->text) < 1000 && !strchr("#/;", l->text[strspn(l->text, " ")]) &&
	       !is_code(l->text);
}

/* What was found out of a table before its rows are taken. */
struct plan {
	GArray *headings;	     /* struct item; NULL: none (dot leaders) */
	unsigned header[MAX_HEADER]; /* lines of the header, nearest first */
	unsigned headers;
	unsigned columns; /* of the grid, label included */
	bool labelled;	  /* the first heading is that of the labels */
	bool weak;	  /* cells parted by single blanks */
	bool numbered;	  /* weak, and the label is a number: "0 1 2 14" */
	char *note;	  /* "(latency, us)" behind the headings */
	bool below;	  /* the heading stands below the rows */
	unsigned colon;	  /* where leaders end; 0: no leaders */
	GArray *spans;	  /* struct span: per column, where it stands */
};

/* Fits a row to the plan: merges its leading texts into one label. False: too many items. */
static bool fit_row(const struct plan *p, struct typed_row *r)
{
	if (p->weak && r->items->len == 1)
		cut_weak(r, p->columns - 1);
	while (r->items->len > p->columns && r->items->len > 1 && ITEM(r, 1)->kind != TAB_VALUE &&
	       ITEM(r, 1)->kind != TAB_LISTED && ITEM(r, 1)->kind != TAB_NONE)
		join_items(r->items, 1);
	return r->items->len <= p->columns;
}

/* How many of the rows from `at` on fit a table of so many headings, the first being that of the
 * labels or not. */
static unsigned count_fits(GPtrArray *lines, unsigned at, unsigned headings, bool labelled,
			   bool weak)
{
	struct plan p = { .columns = headings + !labelled, .weak = weak };
	unsigned fits = 0, tried = 0;

	for (unsigned i = at; i < lines->len && tried < 12; i++) {
		struct typed_row r;

		if (!can_be_row(lines->pdata[i])) {
			if (!tab_line_rule(lines->pdata[i]))
				break;
			continue;
		}
		read_row(lines->pdata[i], &r);
		tried++;
		if (!r.values && !weak) {
			typed_row_clear(&r);
			continue;
		}
		/* A row without a label has as many items as there are headings, all of them
		 * values. */
		if (fit_row(&p, &r) && r.items->len == p.columns && r.values &&
		    (labelled || ITEM(&r, 0)->kind == TAB_TEXT || ITEM(&r, 0)->kind == TAB_NONE))
			fits++;
		typed_row_clear(&r);
		if (!fits && tried > 2)
			break;
	}
	return fits;
}

/* "the worst one took 5us" is a statement, no header; "5us" alone may be one. */
static bool is_statement(const struct item *it)
{
	const char *blank = strrchr(it->text, ' ');
	struct tab_cell c;

	if (!blank || it->kind != TAB_TEXT)
		return false;
	tab_cell_read(blank + 1, 0, &c);
	return c.kind == TAB_VALUE && c.unit_stated;
}

/* "Vendor ID:    GenuineIntel" is a fact, no header. */
static bool is_fact(const struct tab_line *l)
{
	GArray *items = cut_items(l->text);
	unsigned colons = 0, n = items->len;
	bool statement = false,
	     first = n && g_str_has_suffix(g_array_index(items, struct item, 0).text, ":");

	for (unsigned i = 0; i < n; i++)
		colons += g_str_has_suffix(g_array_index(items, struct item, i).text, ":");
	for (unsigned i = 0; i < n; i++)
		statement = statement || is_statement(&g_array_index(items, struct item, i));
	g_array_free(items, TRUE);
	return statement || (first && n > 1 && colons < n);
}

/* The lines that may be the header above `at`, nearest first. */
static void find_header(GPtrArray *lines, unsigned at, unsigned floor, struct plan *p,
			GArray **rule)
{
	unsigned blanks = 0;

	p->headers = 0;
	*rule = NULL;
	for (unsigned i = at; i-- > floor && p->headers < MAX_HEADER;) {
		const struct tab_line *l = lines->pdata[i];

		if (tab_line_blank(l)) {
			if (p->headers || blanks++)
				break;
			continue;
		}
		if (l->fence || l->foreign)
			break;
		if (tab_line_rule(l)) {
			if (p->headers)
				break;
			if (!*rule && strstr(l->text + strspn(l->text, " "), " "))
				*rule = rule_spans(l->text);
			continue;
		}
		if (l->prose || strlen(l->text) > 500 || strstr(l->text, " : ") ||
		    strstr(l->text, " = ") || is_code(l->text) || is_fact(l))
			break;
		p->header[p->headers++] = i;
	}
	if (*rule && (*rule)->len < 2) {
		g_array_free(*rule, TRUE);
		*rule = NULL;
	}
}

/* Single words are headings only where each stands above its column in the first row. */
static bool words_above(const GArray *headings, bool labelled, const struct tab_line *first)
{
	struct plan p = { .columns = headings->len + !labelled };
	struct typed_row r;
	bool ok;

	read_row(first, &r);
	ok = fit_row(&p, &r) && r.items->len == p.columns;
	for (unsigned i = 0; ok && i < headings->len; i++) {
		const struct item *h = &g_array_index(headings, struct item, i),
				  *it = ITEM(&r, i + !labelled);

		ok = h->begin <= it->end + NEAR && it->begin <= h->end + NEAR;
	}
	typed_row_clear(&r);
	return ok;
}

/* Whether all headings from `from` on are statistics and nothing else. */
static bool pure_statistics(const GArray *headings, unsigned from)
{
	for (unsigned i = from; i < headings->len; i++) {
		struct tab_heading h;

		tab_heading_read(g_array_index(headings, struct item, i).text, &h);
		if (h.kind == HEADING_OTHER || !h.pure)
			return false;
	}
	return true;
}

/* Chooses how the nearest header line is cut, so that rows fit. */
static bool choose_header(GPtrArray *lines, unsigned at, unsigned line, const GArray *rule,
			  struct plan *p, const struct typed_row *first)
{
	unsigned best = 0;

	for (int cut = rule ? CUT_SPANS : CUT_GAPS; cut < CUTS; cut++) {
		GArray *headings = cut_header(lines->pdata[line], rule, (enum cut)cut);
		unsigned n = headings->len;
		bool weak = first->values == 0;
		const char *last = n ? g_array_index(headings, struct item, n - 1).text : "";

		/* A remark for all columns: one heading more than there are columns. */
		if (n > 2 && *last == '(' && g_str_has_suffix(last, ")") &&
		    !count_fits(lines, at, n, true, false) &&
		    !count_fits(lines, at, n, false, false)) {
			g_free(p->note);
			p->note = g_strdup(last);
			g_array_set_size(headings, --n);
		}

		for (int labelled = 0; labelled <= 1; labelled++) {
			unsigned fits;

			if (n < 1 + (unsigned)labelled || n > TAB_COLUMNS)
				continue;
			/* Numbers alone are a row only below headings that each say their unit. */
			if (p->numbered && (cut != CUT_UNITS || !labelled || n < 3))
				continue;
			/* Single words as headings need the rows' full consent; weak rows need
			 * statistics. */
			if (weak && !pure_statistics(headings, (unsigned)labelled))
				continue;
			fits = count_fits(lines, at, n, labelled, weak);
			if (fits <= best || (cut == CUT_WORDS && !weak &&
					     !words_above(headings, labelled, lines->pdata[at])))
				continue;
			best = fits;
			if (p->headings && p->headings != headings)
				g_array_free(p->headings, TRUE);
			p->headings = headings;
			p->labelled = labelled;
			p->columns = n + !labelled;
			p->weak = weak;
		}
		if (p->headings != headings)
			g_array_free(headings, TRUE);
		if (best)
			return true;
	}
	return false;
}

static void widen(struct span *s, const struct item *it)
{
	if (s->end == 0) {
		s->begin = it->begin;
		s->end = it->end;
	} else {
		s->begin = MIN(s->begin, it->begin);
		s->end = MAX(s->end, it->end);
	}
}

/* Puts a row with fewer items than columns in place, by position. False where that is not certain.
 */
static bool place_row(const struct plan *p, const struct typed_row *r, unsigned *place)
{
	unsigned from = 0;

	for (unsigned i = 0; i < r->items->len; i++) {
		const struct item *it = ITEM(r, i);
		unsigned best = G_MAXUINT, least = G_MAXUINT, second = G_MAXUINT;

		for (unsigned c = from; c < p->columns; c++) {
			const struct span *s = &g_array_index(p->spans, struct span, c);
			unsigned distance = s->end <= it->begin	  ? it->begin - s->end + 1
					    : it->end <= s->begin ? s->begin - it->end + 1
								  : 0;

			if (s->end == 0)
				continue;
			if (distance < least) {
				second = least;
				least = distance;
				best = c;
			} else {
				second = MIN(second, distance);
			}
		}
		if (best == G_MAXUINT || least > NEAR || second == least ||
		    (least && second != G_MAXUINT && second < 2 * least))
			return false;
		place[i] = best;
		from = best + 1;
	}
	return true;
}

/* A label that runs up to its values ("diskw 69.16* 94.98   51"): they are cut off if they stand in
 * their columns. */
static void uncover(const struct plan *p, struct typed_row *r)
{
	unsigned missing = p->columns - r->items->len;
	const struct item *label = ITEM(r, 0);
	unsigned end = label->end;

	/* The label reaches into the columns of all values that are missing? */
	for (unsigned c = 1; c <= missing; c++)
		if (g_array_index(p->spans, struct span, c).begin >= end)
			return;
	if (r->items->len > 1 &&
	    ITEM(r, 1)->begin < g_array_index(p->spans, struct span, missing).end)
		return;
	cut_weak(r, missing);
}

/* True when the line, which has no values, heads the rows below it inside a table. */
static bool heads_rows(GPtrArray *lines, unsigned at, const struct plan *p)
{
	const struct tab_line *l = lines->pdata[at];
	g_autofree char *folded = tab_fold(l->text);
	struct typed_row r;
	bool ok;

	if (l->prose || strlen(l->text) > 60 || tab_statistic_count(folded) ||
	    at + 1 >= lines->len || !can_be_row(lines->pdata[at + 1]))
		return false;
	read_row(lines->pdata[at + 1], &r);
	ok = r.values && !p->weak && fit_row(p, &r) && r.items->len == p->columns;
	ok = ok &&
	     strspn(l->text, " ") <= strspn(((struct tab_line *)lines->pdata[at + 1])->text, " ");
	typed_row_clear(&r);
	read_row(l, &r);
	ok = ok && r.items->len == 1;
	typed_row_clear(&r);
	return ok;
}

/* A blank line inside a table: rows of the same kind go on behind it. */
static bool goes_on(GPtrArray *lines, unsigned at, const struct plan *p)
{
	struct typed_row r;
	bool ok;

	if (at + 1 >= lines->len || !can_be_row(lines->pdata[at + 1]) || p->weak)
		return false;
	read_row(lines->pdata[at + 1], &r);
	ok = r.values && (p->headings ? fit_row(p, &r) && r.items->len == p->columns : r.leader);
	typed_row_clear(&r);
	return ok;
}

static void take_rows(GPtrArray *lines, unsigned at, struct plan *p, struct tab_grid *g)
{
	unsigned section = 0, i;
	bool ruled = false;
	g_autofree char *above = NULL;
	/* Where the columns are: from all complete rows, before incomplete ones are placed. */
	g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(struct typed_row));
	g_autoptr(GArray) line = g_array_new(FALSE, FALSE, sizeof(unsigned));
	g_autoptr(GArray) sections = g_array_new(FALSE, FALSE, sizeof(unsigned));
	g_autoptr(GPtrArray) heads = g_ptr_array_new_with_free_func(g_free);

	for (i = at; i < lines->len && rows->len < MAX_ROWS; i++) {
		const struct tab_line *l = lines->pdata[i];
		struct typed_row r;

		if (tab_line_blank(l)) {
			if (!goes_on(lines, i, p))
				break;
			section++;
			continue;
		}
		if (tab_line_rule(l)) {
			ruled = true;
			section++;
			continue;
		}
		if (!can_be_row(l))
			break;
		read_row_at(l, p->colon, &r);
		/* Behind a rule, rows of another width are another table: parameters above results.
		 */
		if (!p->headings && ruled && rows->len &&
		    r.items->len !=
			    g_array_index(rows, struct typed_row, rows->len - 1).items->len) {
			typed_row_clear(&r);
			break;
		}
		ruled = false;
		if (!p->headings && !r.leader) {
			typed_row_clear(&r);
			break;
		}
		if (!fit_row(p, &r) || !r.values || (!p->headings && r.items->len < 2)) {
			typed_row_clear(&r);
			if (!p->headings || !heads_rows(lines, i, p))
				break;
			g_free(above);
			above = g_strstrip(g_strdup(l->text));
			if (g_str_has_suffix(above, ":"))
				above[strlen(above) - 1] = '\0';
			section++;
			continue;
		}
		if (r.items->len == p->columns)
			for (unsigned c = 0; c < p->columns; c++)
				widen(&g_array_index(p->spans, struct span, c), ITEM(&r, c));
		g_array_append_val(rows, r);
		g_array_append_val(line, i);
		g_array_append_val(sections, section);
		g_ptr_array_add(heads, g_strdup(above));
	}
	g->end = rows->len ? g_array_index(line, unsigned, rows->len - 1) + 1 : at + 1;
	for (unsigned k = 0; k < rows->len; k++) {
		struct typed_row *r = &g_array_index(rows, struct typed_row, k);
		unsigned place[TAB_COLUMNS + 1];
		struct tab_grid_row *row;
		const char *head = heads->pdata[k];

		if (r->items->len < p->columns && p->headings && !p->weak)
			uncover(p, r);
		if ((r->items->len < p->columns && p->headings && !place_row(p, r, place)) ||
		    r->items->len > p->columns) {
			typed_row_clear(r);
			g->unplaced++;
			continue;
		}
		if (r->items->len == p->columns || !p->headings)
			for (unsigned c = 0; c < r->items->len; c++)
				place[c] = c;
		row = tab_grid_add(g, g_array_index(line, unsigned, k),
				   g_array_index(sections, unsigned, k));
		for (unsigned c = 0; c < r->items->len; c++)
			tab_set(&row->cell[place[c]], g_strdup(ITEM(r, c)->text));
		if (head)
			tab_set(&row->cell[0], g_strdup_printf("%s / %s", head, row->cell[0]));
		typed_row_clear(r);
	}
}

static double center(const struct item *it)
{
	return (it->begin + it->end) / 2.0;
}

/* Gives each column from `from` on to the nearest group; returns how badly groups stand above their
 * columns. */
static double assign_groups(const GArray *groups, const struct plan *p, unsigned from, double shift,
			    unsigned *of)
{
	double off = 0;

	for (unsigned c = from; c < p->columns; c++) {
		const struct span *s = &g_array_index(p->spans, struct span, c);
		double mid = (s->begin + s->end) / 2.0, least = 1e9;

		for (unsigned k = 0; k < groups->len; k++) {
			double d = mid - center(&g_array_index(groups, struct item, k)) - shift;

			d = d < 0 ? -d : d;
			if (d < least) {
				least = d;
				of[c] = k;
			}
		}
	}
	for (unsigned k = 0; k < groups->len; k++) {
		double sum = 0, d;
		unsigned n = 0;

		for (unsigned c = from; c < p->columns; c++) {
			const struct span *s = &g_array_index(p->spans, struct span, c);

			if (of[c] == k) {
				sum += (s->begin + s->end) / 2.0;
				n++;
			}
		}
		if (!n)
			return 1e9;
		d = sum / n - center(&g_array_index(groups, struct item, k)) - shift;
		off += d < 0 ? -d : d;
	}
	return off;
}

static void prepend(char **to, const char *text)
{
	tab_set(to, **to ? g_strdup_printf("%s %s", text, *to) : g_strdup(text));
}

/* One more header line above the headings: more words of each heading, or groups. False: it is a
 * title. */
static bool upper_header(struct tab_grid *g, const struct plan *p, const struct tab_line *l)
{
	g_autoptr(GArray) items = cut_items(l->text);
	unsigned first = 1, of[TAB_COLUMNS + 1] = { 0 },
		 label_end = g_array_index(p->spans, struct span, 0).end;
	unsigned values = p->columns - 1;
	double best = 1e9, shift = 0;
	bool moved;

	g_array_set_clear_func(items, item_clear);
	if (!items->len)
		return false;
	if (items->len == p->columns || items->len == values) {
		unsigned offset = p->columns - items->len;

		/* Each heading has more words; all must stand near their columns. */
		for (unsigned i = 0; i < items->len; i++) {
			const struct span *s = &g_array_index(p->spans, struct span, i + offset);
			const struct item *it = &g_array_index(items, struct item, i);

			if (it->end + NEAR < s->begin || s->end + NEAR < it->begin)
				return false;
		}
		for (unsigned i = 0; i < items->len; i++)
			prepend(&g->heading[i + offset], g_array_index(items, struct item, i).text);
		return true;
	}
	/* The labels' own heading, beside groups. */
	if (items->len > 1 && g_array_index(items, struct item, 0).end <= label_end &&
	    (!*g->heading[0] || p->labelled)) {
		prepend(&g->heading[0], g_array_index(items, struct item, 0).text);
		g_array_remove_index(items, 0);
	}
	if (items->len > values)
		return false;
	if (items->len == 1) {
		const struct item *it = &g_array_index(items, struct item, 0);
		bool any = false;

		if (it->begin < label_end)
			return false;
		for (unsigned c = first; c < p->columns; c++) {
			const struct span *s = &g_array_index(p->spans, struct span, c);

			if (s->begin < it->end && it->begin < s->end) {
				prepend(&g->group[c], it->text);
				any = true;
			}
		}
		return any;
	}
	/* Lost blanks at the line's beginning: shift the line so that groups stand above their
	 * columns. */
	moved = g_array_index(items, struct item, 0).begin == 0 && label_end > 0;
	for (unsigned try = 0; try <= (moved ? 40u : 0u); try++) {
		double off = assign_groups(items, p, first, try, of);

		if (off < best) {
			best = off;
			shift = try;
		}
	}
	if (best >= 1e9)
		return false;
	assign_groups(items, p, first, shift, of);
	for (unsigned c = first; c < p->columns; c++)
		prepend(&g->group[c], g_array_index(items, struct item, of[c]).text);
	return true;
}

/* Headings found are put above their columns. */
static void set_headings(struct tab_grid *g, const struct plan *p, GPtrArray *lines)
{
	unsigned offset = p->labelled ? 0 : p->columns - p->headings->len;

	for (unsigned i = 0; i < p->headings->len; i++)
		tab_set(&g->heading[i + offset],
			g_strdup(g_array_index(p->headings, struct item, i).text));
	g->headed = true;
	if (p->below)
		return;
	g->first = p->header[0];
	for (unsigned h = 1; h < p->headers; h++) {
		if (!upper_header(g, p, lines->pdata[p->header[h]]))
			break;
		g->first = p->header[h];
	}
}

/* The heading may stand below: "… stand for min / average / max" is none, "min  avg  max" is. */
static bool header_below(GPtrArray *lines, unsigned at, struct plan *p,
			 const struct typed_row *first)
{
	unsigned end = at, blanks = 0;
	g_autofree char *folded = NULL;

	while (end < lines->len && can_be_row(lines->pdata[end])) {
		struct typed_row r;
		bool row;

		read_row(lines->pdata[end], &r);
		row = r.values > 0;
		typed_row_clear(&r);
		if (!row)
			break;
		end++;
	}
	while (end < lines->len && (tab_line_rule(lines->pdata[end]) ||
				    (tab_line_blank(lines->pdata[end]) && !blanks++)))
		end++;
	if (end >= lines->len || !can_be_row(lines->pdata[end]))
		return false;
	folded = tab_fold(((struct tab_line *)lines->pdata[end])->text);
	if (tab_statistic_count(folded) < 2 || !choose_header(lines, at, end, NULL, p, first))
		return false;
	p->below = true;
	return true;
}

/* A single row under headings that are no statistics may be anything. */
static bool all_statistics(const struct tab_grid *g, bool weak)
{
	for (unsigned c = 1; c < g->columns; c++) {
		struct tab_heading h;

		tab_heading_read(g->heading[c], &h);
		if (h.kind == HEADING_OTHER || !h.pure)
			return false;
	}
	return !weak || g->columns > 2;
}

/* Headings are short. */
static bool long_headings(const struct plan *p)
{
	for (unsigned i = 0; p->headings && i < p->headings->len; i++)
		if (g_utf8_strlen(g_array_index(p->headings, struct item, i).text, -1) >
		    MAX_HEADING)
			return true;
	return false;
}

/* "0.014" and "4072" are measured, not headings; "2.6" and "100" may name what stands below. */
static bool measured_heading(const struct plan *p)
{
	for (unsigned i = 0; p->headings && i < p->headings->len; i++) {
		const struct item *it = &g_array_index(p->headings, struct item, i);
		const char *point = strchr(it->text, '.');

		if (it->kind == TAB_VALUE && !it->unit &&
		    (strspn(it->text, "0123456789") >= 4 ||
		     (point && strspn(point + 1, "0123456789") >= 3)))
			return true;
	}
	return false;
}

/* True when for certain the line is one piece of text that is no value, as most lines are. */
static bool is_one_text(const struct tab_line *l)
{
	const char *text = l->text + strspn(l->text, " ");

	return g_ascii_isalpha(*text) && !strstr(text, "  ") && !strpbrk(text, "|(") &&
	       !(l->seen.flags & SEEN_LEADER) && !tab_cell_vague(text);
}

/* False: for certain no line names statistics where the header above `at` would be. */
static bool may_have_statistics(GPtrArray *lines, unsigned at, unsigned floor)
{
	while (at-- > floor) {
		const struct tab_line *l = lines->pdata[at];

		if (!tab_line_blank(l) && !tab_line_rule(l))
			return tab_line_statistic(l);
	}
	return false;
}

struct tab_grid *tab_grid_blanks(GPtrArray *lines, unsigned at, unsigned floor, unsigned *tried)
{
	struct plan p = { 0 };
	struct typed_row first;
	struct tab_grid *g = NULL;
	GArray *rule = NULL;
	bool found = false, weak;

	(void)tried;
	/* Values parted from their label by single blanks need headings that are statistics. */
	if (!can_be_row(lines->pdata[at]) ||
	    (is_one_text(lines->pdata[at]) && !may_have_statistics(lines, at, floor)))
		return NULL;
	read_row(lines->pdata[at], &first);
	weak = first.values == 0 && first.items->len == 1;
	p.numbered = weak && g_ascii_isdigit(*ITEM(&first, 0)->text);
	if (first.values || (weak && may_have_statistics(lines, at, floor))) {
		find_header(lines, at, floor, &p, &rule);
		if (p.headers)
			found = choose_header(lines, at, p.header[0], rule, &p, &first);
		if (!found && first.values && !first.leader)
			found = header_below(lines, at, &p, &first);
	}
	if (found && first.leader && p.headings->len == 1 &&
	    g_array_index(p.headings, struct item, 0).begin <= ITEM(&first, 0)->end)
		found = false; /* a title above dot leaders */
	if (!found && first.leader && first.values) {
		g_clear_pointer(&p.headings, g_array_unref);
		p.headers = 0;
		p.columns = TAB_COLUMNS;
		found = true;
	}
	if (found) {
		const char *colon = strchr(((struct tab_line *)lines->pdata[at])->text, ':');

		p.colon = first.leader && colon
				  ? (unsigned)(colon - ((struct tab_line *)lines->pdata[at])->text)
				  : 0;
		p.spans = g_array_new(FALSE, TRUE, sizeof(struct span));
		g_array_set_size(p.spans, p.columns);
		for (unsigned i = 0; p.headings && i < p.headings->len; i++)
			widen(&g_array_index(p.spans, struct span,
					     p.labelled ? i : i + p.columns - p.headings->len),
			      &g_array_index(p.headings, struct item, i));
		g = tab_grid_new(first.leader ? GRID_LEADERS : GRID_BLANKS, p.columns);
		g->first = at;
		if (!long_headings(&p) && !measured_heading(&p))
			take_rows(lines, at, &p, g);
		if (p.headings)
			set_headings(g, &p, lines);
		g->note = g_steal_pointer(&p.note);
		if (!p.headings) {
			/* As many columns as the widest row has. */
			unsigned widest = 0;

			for (unsigned i = 0; i < g->rows->len; i++)
				for (unsigned c = 0; c < g->columns; c++)
					if (*((struct tab_grid_row *)g->rows->pdata[i])->cell[c])
						widest = MAX(widest, c + 1);
			g->columns = widest;
		}
		g_array_free(p.spans, TRUE);
	}
	if (p.headings)
		g_array_free(p.headings, TRUE);
	if (rule)
		g_array_free(rule, TRUE);
	g_free(p.note);
	typed_row_clear(&first);
	if (g && (!g->rows->len || g->columns < 2 ||
		  (g->style == GRID_BLANKS && g->rows->len == 1 && !all_statistics(g, weak)))) {
		tab_grid_free(g);
		g = NULL;
	}
	return g;
}
