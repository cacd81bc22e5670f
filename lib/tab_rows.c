/* Rows typed as sentences or with slashes, and rows with a delimiter (CSV, TSV). */
#include <csv.h>
#include <stdlib.h>
#include <string.h>
#include "lib/pattern.h"
#include "lib/tab_grid.h"
#include "lib/tab_cell.h"

#define MAX_ROWS 4096u
#define MAX_STATISTICS 16u /* statistics in one sentence */
#define MAX_LABEL 80u	   /* bytes of a label before them */
#define MAX_FILLERS 4u	   /* words between a statistic and its value */
#define NEAR_LINES 3u	   /* a heading stands so near */

/* A row such as "top - Min delay was 0. Max delay was 23. Ave delay was 0.025." */
struct sentence {
	char *label;
	unsigned n;
	char *word[MAX_STATISTICS], *value[MAX_STATISTICS];
	bool alone;	 /* written as "min/avg/max = 1/2/3": needs no other row beside it */
	char *heading[MAX_STATISTICS]; /* the statistic and what follows it up to the value */
};

static void sentence_clear(struct sentence *s)
{
	g_free(s->label);
	for (unsigned i = 0; i < s->n; i++) {
		g_free(s->word[i]);
		g_free(s->value[i]);
		g_free(s->heading[i]);
	}
	memset(s, 0, sizeof(*s));
}

/* A statistic of one word, such as "Min" or "Max:". */
static bool is_statistic(const char *word)
{
	struct tab_heading h;

	if (!g_ascii_isalpha(*word) && (guchar)*word < 0x80)
		return false;
	tab_heading_read(word, &h);
	return h.kind == HEADING_FIELD && h.pure && h.field != FIELD_COUNT;
}

/* "min 3, avg 5, max 24 us": the unit behind the last value holds for all, if no other has one. */
static void last_unit_for_all(struct sentence *s)
{
	struct tab_cell last, other;
	const char *unit;

	tab_cell_read(s->value[s->n - 1], 0, &last);
	if (!last.unit_stated)
		return;
	for (unsigned i = 0; i + 1 < s->n; i++) {
		tab_cell_read(s->value[i], 0, &other);
		if (other.unit_stated || other.kind != TAB_VALUE)
			return;
	}
	unit = s->value[s->n - 1] + strspn(s->value[s->n - 1], "+-0123456789., ");
	for (unsigned i = 0; i + 1 < s->n; i++) {
		g_autofree char *number =
			g_strndup(s->value[i], strspn(s->value[i], "+-0123456789.,"));
		size_t len = strlen(number);

		while (len && (number[len - 1] == ',' || number[len - 1] == '.'))
			number[--len] = '\0';
		tab_set(&s->value[i], g_strdup_printf("%s %s", number, unit));
	}
}

/* "idle: min/avg/max = 3/5/37 us" as "idle: min 3 avg 5 max 37 us"; NULL when the line is none such, or ping's. */
static char *spread(const char *text)
{
	static struct pattern list = PATTERN(
		"(?i)^(.*?)[(\\[]?\\b((?:min|max|avg|ave|mean|stddev|mdev)(?:/(?:min|max|avg|ave|mean|stddev|mdev)){1,3})[)\\]]?"
		" *[=:]+ *(-?[\\d.]+(?: ?/ ?-?[\\d.]+){1,3})((?: ?[a-z\xc2\xb5\xce\xbc]+)?\\b.*)$");
	static struct pattern ping = PATTERN("(?i)\\b(?:rtt|round-?trip)\\b");
	struct match m;
	g_autofree char *words = NULL, *numbers = NULL;
	g_auto(GStrv) word = NULL, number = NULL;
	GString *out;

	if (!strchr(text, '/') || strlen(text) > 400 || !pattern_match(&list, text, strlen(text), 0, &m) ||
	    pattern_match(&ping, m.group[1].p, m.group[1].len, 0, NULL))
		return NULL;
	words = g_strndup(m.group[2].p, m.group[2].len);
	numbers = g_strndup(m.group[3].p, m.group[3].len);
	word = g_strsplit(words, "/", -1);
	number = g_strsplit(numbers, "/", -1);
	if (g_strv_length(word) != g_strv_length(number))
		return NULL;
	out = g_string_new_len(m.group[1].p, (gssize)m.group[1].len);
	for (unsigned i = 0; word[i]; i++)
		g_string_append_printf(out, " %s %s", word[i], g_strstrip(number[i]));
	g_string_append_printf(out, " %.*s", (int)m.group[4].len, m.group[4].p);
	return g_string_free(out, FALSE);
}

static bool read_sentence(const struct tab_line *l, struct sentence *s)
{
	g_auto(GStrv) word = NULL;
	g_autofree char *listed = tab_line_statistic(l) ? spread(l->text) : NULL;
	const char *text = listed ? listed : l->text;
	g_autoptr(GString) label = g_string_new(NULL);
	unsigned fillers = 0;
	bool open = false;

	memset(s, 0, sizeof(*s));
	s->alone = listed != NULL;
	if (l->fence || l->foreign || !tab_line_statistic(l) || strlen(text) > 400 || strpbrk(text, "=|\"") ||
	    strchr("#/;", text[strspn(text, " ")]))
		return false;
	word = g_strsplit_set(text, " ", -1);
	for (unsigned w = 0; word[w]; w++) {
		struct tab_cell c;
		struct tab_unit unit;

		if (!*word[w])
			continue;
		tab_cell_read(word[w], 0, &c);
		if (is_statistic(word[w])) {
			if (open || s->n == MAX_STATISTICS)
				goto none;
			for (unsigned i = 0; i < s->n; i++)
				if (!g_ascii_strcasecmp(s->word[i], word[w]))
					goto none;
			s->word[s->n] = g_strdup(word[w]);
			s->heading[s->n] = g_strdup(word[w]);
			s->value[s->n++] = NULL;
			open = true;
			fillers = 0;
		} else if (c.kind == TAB_VALUE && open) {
			s->value[s->n - 1] = g_strdup(word[w]);
			open = false;
		} else if (!open && s->n && !c.unit_stated &&
			   tab_unit_find(word[w], strcspn(word[w], ".,;"), &unit)) {
			char **v = &s->value[s->n - 1];

			if (!g_ascii_isdigit((*v)[strlen(*v) - 1]))
				goto none;
			tab_set(v, g_strdup_printf("%s %s", *v, word[w]));
		} else if (!s->n) {
			g_string_append_printf(label, "%s%s", label->len ? " " : "", word[w]);
		} else if (c.kind == TAB_VALUE || ++fillers > MAX_FILLERS) {
			goto none;
		} else if (open) {
			char **heading = &s->heading[s->n - 1];

			tab_set(heading, g_strdup_printf("%s %s", *heading, word[w]));
		}
	}
	if (open || s->n < 2)
		goto none;
	last_unit_for_all(s);
	while (label->len && strchr(" -:,", label->str[label->len - 1]))
		g_string_truncate(label, label->len - 1);
	if ((!label->len && !listed) || label->len > MAX_LABEL)
		goto none;
	s->label = g_strdup(label->str + strspn(label->str, "*- "));
	return true;
none:
	sentence_clear(s);
	return false;
}

struct tab_grid *tab_grid_sentences(GPtrArray *lines, unsigned at, unsigned floor, unsigned *tried)
{
	struct sentence first, s;
	struct tab_grid *g = NULL;
	bool alone;

	(void)floor;
	(void)tried;
	if (!read_sentence(lines->pdata[at], &first))
		return NULL;
	for (unsigned i = at; i < lines->len && i - at < MAX_ROWS; i++) {
		struct tab_grid_row *r;
		bool same;

		if (!read_sentence(lines->pdata[i], &s))
			break;
		same = s.n == first.n;
		for (unsigned k = 0; same && k < s.n; k++)
			same = !strcmp(s.word[k], first.word[k]);
		if (!same) {
			sentence_clear(&s);
			break;
		}
		if (!g) {
			g = tab_grid_new(GRID_SENTENCES, first.n + 1);
			g->first = at;
			g->headed = true;
			for (unsigned k = 0; k < first.n; k++)
				tab_set(&g->heading[k + 1], g_strdup(first.heading[k]));
		}
		r = tab_grid_add(g, i, 0);
		tab_set(&r->cell[0], g_strdup(s.label));
		for (unsigned k = 0; k < s.n; k++)
			tab_set(&r->cell[k + 1], g_strdup(s.value[k]));
		g->end = i + 1;
		sentence_clear(&s);
	}
	alone = first.alone;
	sentence_clear(&first);
	/* One such line is prose, unless it is written as a summary. */
	if (g && g->rows->len < 2 && !alone) {
		tab_grid_free(g);
		g = NULL;
	}
	return g;
}

/* A row such as "PK ping - 0.100 / 0.176 / 1.009 / 0.053 msec"; values is a copy of the part behind
 * the label. */
static bool read_slashes(const struct tab_line *l, char **label, char **values, unsigned *n)
{
	const char *text = l->text, *p, *slash = strchr(text, '/'), *from;
	size_t len;
	struct tab_cell c;

	if (l->fence || l->foreign || !slash || strlen(text) > 300 || strchr(text, '|') ||
	    strchr("#/;", text[strspn(text, " ")]))
		return false;
	/* Back over the number before the first slash that has one. */
	for (; slash; slash = strchr(slash + 1, '/')) {
		p = slash;
		while (p > text && p[-1] == ' ')
			p--;
		if (p > text && g_ascii_isdigit(p[-1]))
			break;
	}
	if (!slash)
		return false;
	while (p > text && (g_ascii_isdigit(p[-1]) || p[-1] == '.'))
		p--;
	from = p;
	if (from > text && from[-1] != ' ' && from[-1] != ':' && from[-1] != '(' && from[-1] != '-')
		return false;
	tab_cell_read(from, 0, &c);
	if (c.kind != TAB_LISTED || c.listed < 3 || c.listed > MAX_STATISTICS)
		return false;
	len = (size_t)(from - text);
	while (len && strchr(" -:=(", text[len - 1]))
		len--;
	*n = c.listed;
	*label = g_strstrip(g_strndup(text, len));
	*values = g_strdup(from);
	if (!**label || strlen(*label) > MAX_LABEL || strpbrk(*label, "=/")) {
		g_free(*label);
		g_free(*values);
		return false;
	}
	return true;
}

/* The statistics that a text names, in order; their number. */
static unsigned statistics_in(const char *text, const char **word, char *folded)
{
	g_auto(GStrv) part = g_strsplit(folded, " ", -1);
	unsigned n = 0;

	(void)text;
	for (unsigned w = 0; part[w]; w++)
		if (*part[w] && is_statistic(part[w]) && n < MAX_STATISTICS)
			word[n++] = g_intern_string(part[w]);
	return n;
}

/* Looks for a line near the rows that names exactly n statistics. */
static bool slash_heading(GPtrArray *lines, unsigned first, unsigned end, unsigned floor,
			  unsigned n, const char **word, unsigned *line)
{
	for (unsigned i = first; i-- > floor && first - i <= NEAR_LINES;) {
		const struct tab_line *l = lines->pdata[i];
		g_autofree char *folded = tab_fold(l->text);

		*line = i;
		if (statistics_in(l->text, word, folded) == n)
			return true;
	}
	for (unsigned i = end; i < lines->len && i < end + NEAR_LINES; i++) {
		const struct tab_line *l = lines->pdata[i];
		g_autofree char *folded = tab_fold(l->text);

		*line = first;
		if (statistics_in(l->text, word, folded) == n)
			return true;
	}
	return false;
}

/* Rows of ping's four (or three) values need no heading where ping is named. */
static bool ping_named(GPtrArray *lines, unsigned first, unsigned floor, const char *label)
{
	g_autofree char *own = tab_fold(label);

	if (strstr(own, " ping "))
		return true;
	for (unsigned i = first; i-- > floor && first - i <= NEAR_LINES;) {
		g_autofree char *folded = tab_fold(((struct tab_line *)lines->pdata[i])->text);

		if (strstr(folded, " ping ") || strstr(folded, " pings "))
			return true;
	}
	return false;
}

struct tab_grid *tab_grid_slashes(GPtrArray *lines, unsigned at, unsigned floor, unsigned *tried)
{
	static const char *const ping[] = { "min", "avg", "max", "mdev" };
	const char *word[MAX_STATISTICS] = { NULL };
	struct tab_grid *g = NULL;
	char *label, *values;
	unsigned n, m, end = at + 1, heading = at;

	if (!read_slashes(lines->pdata[at], &label, &values, &n))
		return NULL;
	for (; end < lines->len; end++) {
		char *l, *v;

		if (!read_slashes(lines->pdata[end], &l, &v, &m))
			break;
		g_free(l);
		g_free(v);
		if (m != n)
			break;
	}
	if (!slash_heading(lines, at, end, floor, n, word, &heading)) {
		if ((n != 3 && n != 4) || !ping_named(lines, at, floor, label)) {
			*tried = end;
			goto out;
		}
		memcpy(word, ping, sizeof(ping));
		heading = at;
	}
	g = tab_grid_new(GRID_SLASHES, n + 1);
	g->first = heading;
	g->end = end;
	g->headed = true;
	for (unsigned k = 0; k < n; k++)
		tab_set(&g->heading[k + 1], g_strdup(word[k]));
	for (unsigned i = at; i < end; i++) {
		char *l, *v, *unit;
		struct tab_grid_row *r;
		g_auto(GStrv) part = NULL;

		if (!read_slashes(lines->pdata[i], &l, &v, &m))
			break;
		r = tab_grid_add(g, i, 0);
		tab_set(&r->cell[0], l);
		/* The unit behind the last value holds for all. */
		part = g_strsplit(v, "/", -1);
		unit = part[n - 1] + strspn(part[n - 1], " 0123456789.");
		for (unsigned k = 0; k < n; k++)
			tab_set(&r->cell[k + 1],
				k + 1 < n ? g_strdup_printf("%s %s", g_strstrip(part[k]), unit)
					  : g_strdup(part[k]));
		g_free(v);
	}
out:
	g_free(label);
	g_free(values);
	return g;
}

static void csv_field(void *field, size_t len, void *data)
{
	g_ptr_array_add(data, g_strstrip(g_strndup(field ? field : "", len)));
}

/* Fields of one line; NULL when its quotes do not close. */
/* "f (1, 2, 3): text": a delimiter inside parentheses is part of a sentence. */
static bool cuts_parentheses(GPtrArray *fields)
{
	for (guint i = 0; i < fields->len; i++) {
		int open = 0;

		for (const char *p = fields->pdata[i]; *p; p++)
			open += *p == '(' ? 1 : *p == ')' ? -1 : 0;
		if (open > 0)
			return true;
	}
	return false;
}

static GPtrArray *split_fields(const char *text, char delimiter)
{
	GPtrArray *fields = g_ptr_array_new_with_free_func(g_free);
	struct csv_parser parser;
	size_t len = strlen(text);
	bool ok;

	if (csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI | CSV_APPEND_NULL)) {
		g_ptr_array_free(fields, TRUE);
		return NULL;
	}
	csv_set_delim(&parser, (unsigned char)delimiter);
	ok = csv_parse(&parser, text, len, csv_field, NULL, fields) == len &&
	     !csv_fini(&parser, csv_field, NULL, fields);
	csv_free(&parser);
	if (!ok || fields->len > TAB_COLUMNS || cuts_parentheses(fields)) {
		g_ptr_array_free(fields, TRUE);
		return NULL;
	}
	return fields;
}

static unsigned count_values(GPtrArray *fields, unsigned from)
{
	unsigned n = 0;

	for (unsigned c = from; c < fields->len; c++) {
		struct tab_cell cell;

		tab_cell_read(fields->pdata[c], STYLE_CELLS, &cell);
		n += cell.kind == TAB_VALUE || cell.kind == TAB_NONE || cell.kind == TAB_EMPTY ||
		     cell.kind == TAB_LISTED;
	}
	return n;
}

static unsigned count_of(const char *text, char c)
{
	unsigned n = 0;

	for (; (text = strchr(text, c)) != NULL; text++)
		n++;
	return n;
}

/* False: the line cannot have so many fields. */
static bool may_have_fields(GPtrArray *lines, unsigned at, char delimiter, unsigned least)
{
	return at < lines->len && count_of(((struct tab_line *)lines->pdata[at])->raw, delimiter) + 1 >= least;
}

/* Rows from `at` on, the first one being the heading; header: given elsewhere, or NULL. */
static struct tab_grid *separated_rows(GPtrArray *lines, unsigned at, char delimiter,
				       GPtrArray *header)
{
	struct tab_line *l = lines->pdata[at];
	GPtrArray *fields;
	struct tab_grid *g;
	unsigned least = delimiter == ',' && !header ? 3 : 2, i = at + !header;

	if (!header && (!may_have_fields(lines, at, delimiter, least) || !may_have_fields(lines, at + 1, delimiter, least)))
		return NULL;
	fields = header ? header : split_fields(l->raw, delimiter);
	if (!fields)
		return NULL;
	if (fields->len < least ||
	    (!header && (count_values(fields, 1) || strlen(l->text) > 500))) {
		if (!header)
			g_ptr_array_free(fields, TRUE);
		return NULL;
	}
	g = tab_grid_new(GRID_SEPARATED, fields->len);
	g->first = at;
	g->headed = true;
	for (unsigned c = 0; c < g->columns; c++)
		tab_set(&g->heading[c], g_strdup(fields->pdata[c]));
	if (!header)
		g_ptr_array_free(fields, TRUE);
	for (; i < lines->len && i - at < MAX_ROWS; i++) {
		struct tab_grid_row *r;

		l = lines->pdata[i];
		if (l->fence || l->foreign || tab_line_blank(l))
			break;
		fields = split_fields(l->raw, delimiter);
		/* Rows of text are prose with commas. */
		if (!fields || fields->len != g->columns ||
		    count_values(fields, 1) * 2 < fields->len - 1 || !count_values(fields, 1)) {
			if (fields)
				g_ptr_array_free(fields, TRUE);
			break;
		}
		r = tab_grid_add(g, i, 0);
		for (unsigned c = 0; c < g->columns; c++)
			tab_set(&r->cell[c], g_strdup(fields->pdata[c]));
		g_ptr_array_free(fields, TRUE);
		g->end = i + 1;
	}
	if (!g->rows->len) {
		tab_grid_free(g);
		return NULL;
	}
	return g;
}

/* reStructuredText: ".. csv-table:: Title", ":header: a, b", a blank line, rows. */
static struct tab_grid *csv_directive(GPtrArray *lines, unsigned at)
{
	const char *title = strstr(((struct tab_line *)lines->pdata[at])->text, "::") + 2;
	GPtrArray *header = NULL;
	struct tab_grid *g = NULL;
	unsigned i = at + 1;
	char delimiter = ',';

	for (; i < lines->len; i++) {
		const char *p = ((struct tab_line *)lines->pdata[i])->text;

		p += strspn(p, " ");
		if (*p != ':')
			break;
		if (g_str_has_prefix(p, ":delim:"))
			delimiter = strstr(p, "tab") ? '\t' : p[7 + strspn(p + 7, " ")];
		if (g_str_has_prefix(p, ":header:") && !header)
			header = split_fields(p + 8, ',');
	}
	while (i < lines->len && tab_line_blank(lines->pdata[i]))
		i++;
	if (i < lines->len && delimiter)
		g = separated_rows(lines, i, delimiter, header);
	if (g) {
		g->first = at;
		g->caption = g_strstrip(g_strdup(title));
	}
	if (header)
		g_ptr_array_free(header, TRUE);
	return g;
}

/* reStructuredText: ".. list-table:: Title", then "* - cell" begins a row and "  - cell" goes on
 * with it. */
static struct tab_grid *list_directive(GPtrArray *lines, unsigned at)
{
	const char *title = strstr(((struct tab_line *)lines->pdata[at])->text, "::") + 2;
	struct tab_grid *g = NULL;
	g_autoptr(GPtrArray) row = g_ptr_array_new_with_free_func(g_free);
	unsigned line = at, columns = 0;

	for (unsigned i = at + 1; i <= lines->len && i - at < MAX_ROWS; i++) {
		const struct tab_line *l = i < lines->len ? lines->pdata[i] : NULL;
		const char *p = l ? l->text + strspn(l->text, " ") : "";
		bool begins = g_str_has_prefix(p, "* - "), goes_on = g_str_has_prefix(p, "- ");

		if (l && (*p == ':' || tab_line_blank(l)) && !row->len)
			continue;
		if (row->len && !goes_on) {
			if (!columns) {
				columns = MIN(row->len, TAB_COLUMNS);
				g = tab_grid_new(GRID_SEPARATED, columns);
				g->first = at;
				g->headed = true;
				g->caption = g_strstrip(g_strdup(title));
				for (unsigned c = 0; c < columns; c++)
					tab_set(&g->heading[c], g_strdup(row->pdata[c]));
			} else if (row->len == columns) {
				struct tab_grid_row *r = tab_grid_add(g, line, 0);

				for (unsigned c = 0; c < columns; c++)
					tab_set(&r->cell[c], g_strdup(row->pdata[c]));
				g->end = i;
			}
			g_ptr_array_set_size(row, 0);
		}
		if (!begins && !goes_on)
			break;
		line = i;
		g_ptr_array_add(row, g_strdup(p + (begins ? 4 : 2)));
	}
	if (g && !g->rows->len)
		g_clear_pointer(&g, tab_grid_free);
	return g;
}

struct tab_grid *tab_grid_separated(GPtrArray *lines, unsigned at, unsigned floor, unsigned *tried)
{
	const struct tab_line *l = lines->pdata[at];

	(void)floor;
	(void)tried;
	if (l->fence || l->foreign || tab_line_blank(l))
		return NULL;
	if (g_str_has_prefix(l->text + strspn(l->text, " "), ".. csv-table::"))
		return csv_directive(lines, at);
	if (g_str_has_prefix(l->text + strspn(l->text, " "), ".. list-table::"))
		return list_directive(lines, at);
	for (const char *d = "\t;,"; *d; d++) {
		struct tab_grid *g;

		if (!strchr(l->raw, *d))
			continue;
		g = separated_rows(lines, at, *d, NULL);
		if (g)
			return g;
	}
	return NULL;
}
