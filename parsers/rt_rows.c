/* Rows of the "RT?|" tables: cells, titles, values. */
#include <string.h>
#include <glib.h>

#include "parsers/rt_rows.h"

/* Bytes of the bar at p, 0 when there is none: '|', U+00A6, U+2502, U+2503, U+FF5C. */
static size_t bar_length(const char *p, const char *end)
{
	static const char *const bars[] = { "|", "\302\246", "\342\224\202", "\342\224\203",
		                            "\357\275\234" };

	for (size_t i = 0; i < G_N_ELEMENTS(bars); i++) {
		size_t n = strlen(bars[i]);

		if ((size_t)(end - p) >= n && !memcmp(p, bars[i], n))
			return n;
	}
	return 0;
}

/* Marks that wikis put around a cell's text count as blanks. */
static bool is_padding(char c)
{
	return c == ' ' || c == '\t' || c == '*' || c == '`';
}

static struct slice trim(const char *p, const char *end)
{
	while (p < end && is_padding(*p))
		p++;
	while (end > p && is_padding(end[-1]))
		end--;
	return (struct slice){ p, (size_t)(end - p) };
}

static void add_cell(struct rt_row *row, const char *p, const char *end)
{
	if (row->cells < RT_MAX_CELLS)
		row->cell[row->cells++] = trim(p, end);
}

/*
 * Cells from p on, which stands behind a bar; `twice`: two bars stand between cells, as in
 * MediaWiki.
 */
static void split(struct rt_row *row, const char *p, const char *end, bool twice)
{
	const char *begin = p;

	row->closed = false;
	while (p < end) {
		size_t n = bar_length(p, end);

		if (n && twice)
			n = end - p >= 2 && p[1] == '|' ? 2 : 0;

		if (!n) {
			p++;
			continue;
		}
		add_cell(row, begin, p);
		begin = p += n;
	}
	if (trim(begin, end).len)
		add_cell(row, begin, end);
	else
		row->closed = true;
	while (row->cells && !row->cell[row->cells - 1].len) {
		row->cells--;
		row->closed = true;
	}
}

/* Cells between blanks: a table that lost its bars on the way. */
static void split_blanks(struct rt_row *row, const char *p, const char *end)
{
	while (p < end) {
		const char *begin;

		while (p < end && is_padding(*p))
			p++;
		begin = p;
		while (p < end && !is_padding(*p))
			p++;
		if (p > begin)
			add_cell(row, begin, p);
	}
	row->closed = false;
}

static const struct { char text[4]; enum rt_kind kind; } kinds[] = {
	{ "RTT", RT_TIME }, { "RTH", RT_HEADER }, { "RTD", RT_DATA }, { "RTS", RT_SUMMARY },
	{ "HSD", RT_BIN }, { "HSH", RT_STATS_HEADER }, { "HSS", RT_STATS }, { "---", RT_RULE }
};

static enum rt_kind kind_at(const char *p, const char *end)
{
	for (size_t i = 0; end - p >= 3 && i < G_N_ELEMENTS(kinds); i++)
		if (!memcmp(p, kinds[i].text, 3))
			return kinds[i].kind;
	return RT_NONE;
}

bool rt_row_read(const char *text, size_t len, struct rt_row *row)
{
	const char *p = text, *end = text + len;
	size_t n;

	*row = (struct rt_row){ .kind = RT_NONE };
	for (;;) {
		if (end - p >= 2 && p[0] == '^' && (p[1] == 'C' || p[1] == '\\'))
			p += 2;
		else if (p < end && is_padding(*p))
			p++;
		else if ((n = bar_length(p, end)))
			p += n;
		else
			break;
	}
	row->kind = kind_at(p, end);
	if (row->kind != RT_NONE)
		p += 3;
	else if (end - p > 3 && !memcmp(p, "TD|", 3))
		row->kind = RT_DATA, p += 2;    /* the first letter was not copied */
	else
		return false;
	while (p < end && is_padding(*p))
		p++;
	n = bar_length(p, end);
	if (n == 1 && end - p >= 2 && p[1] == '|')
		split(row, p + 2, end, true);
	else if (n)
		split(row, p + n, end, false);
	else if (p > text && is_padding(p[-1]) && (row->kind == RT_DATA || row->kind == RT_SUMMARY))
		split_blanks(row, p, end);
	else
		row->kind = RT_NONE;
	return row->kind != RT_NONE;
}

bool rt_cells_read(const char *text, size_t len, struct rt_row *row)
{
	const char *p = text, *end = text + len;
	size_t n;

	*row = (struct rt_row){ .kind = RT_NONE };
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	n = bar_length(p, end);
	if (!n)
		return false;
	split(row, p + n, end, false);
	return true;
}

static enum rt_title title_of(const char *s)
{
	static const struct { const char *text; enum rt_title title;
	} known[] = { { "latmin", RT_MIN },
		      { "latavg", RT_AVG },
		      { "latmax", RT_MAX },
		      { "klatmin", RT_MIN },
		      { "klatavg", RT_AVG },
		      { "klatmax", RT_MAX },
		      { "overrun", RT_OVERRUNS },
		      { "overruns", RT_OVERRUNS },
		      { "msw", RT_MSW },
		      { "latbest", RT_BEST },
		      { "latworst", RT_WORST },
		      { "klatbest", RT_BEST },
		      { "klatworst", RT_WORST },
		      { "ovlmin", RT_OVL_MIN },
		      { "ovlmax", RT_OVL_MAX },
		      { "freq.cntr", RT_FREQUENCY },
		      { "jitfast", RT_JITTER_FAST },
		      { "jitslow", RT_JITTER_SLOW },
		      { "lost", RT_LOST },
		      { "cpu", RT_CPU },
		      { "ctxswitches", RT_SWITCHES },
		      { "total", RT_TOTAL } };

	for (size_t i = 0; i < G_N_ELEMENTS(known); i++)
		if (!strcmp(known[i].text, s))
			return known[i].title;
	return RT_UNKNOWN;
}

void rt_titles_read(const struct rt_row *row, struct rt_titles *titles)
{
	*titles = (struct rt_titles){ .n = row->cells };
	for (unsigned i = 0; i < row->cells; i++) {
		char plain[16];
		size_t n = 0;

		/* Titles are padded with dashes or blanks, and wrapping moves blanks about. */
		for (size_t k = 0; k < row->cell[i].len && n < sizeof plain - 1; k++) {
			char c = row->cell[i].p[k];

			if (c != ' ' && c != '-' && c != '\t')
				plain[n++] = g_ascii_tolower(c);
		}
		plain[n] = '\0';
		titles->title[i] = title_of(plain);
		titles->has |= RT_HAS(titles->title[i]);
		titles->klat |= !strncmp(plain, "klat", 4);
	}
}

/* Takes an echoed ^C (or ^\) off both ends of the cell. */
static struct slice without_echo(struct slice c)
{
	if (c.len >= 2 && c.p[0] == '^' && (c.p[1] == 'C' || c.p[1] == '\\'))
		c = trim(c.p + 2, c.p + c.len);
	if (c.len >= 2 && c.p[c.len - 2] == '^' &&
	    (c.p[c.len - 1] == 'C' || c.p[c.len - 1] == '\\'))
		c = trim(c.p, c.p + c.len - 2);
	return c;
}

struct rt_value rt_value_read(struct slice cell, int scale)
{
	struct rt_value v = { .number = number_absent() };
	struct slice c = without_echo(cell);
	size_t i = 0, point = 0;
	char text[32];

	if (c.len && (c.p[0] == '-' || c.p[0] == '+'))
		i++;
	if (c.len - i >= 3 &&
	    (!g_ascii_strncasecmp(c.p + i, "nan", 3) || !g_ascii_strncasecmp(c.p + i, "inf", 3))) {
		v.number = number_null();
		v.clean = true;
		return v;
	}
	if (i >= c.len || !g_ascii_isdigit(c.p[i]))
		return v;
	while (i < c.len && g_ascii_isdigit(c.p[i]))
		i++;
	if (i + 1 < c.len && (c.p[i] == '.' || c.p[i] == ',') && g_ascii_isdigit(c.p[i + 1])) {
		point = i++;
		while (i < c.len && g_ascii_isdigit(c.p[i]))
			i++;
		v.decimals = (int)(i - point - 1);
	}
	/*
	 * Glued to something else ("12abc", "1.2.3") it is no number; a line break of markup is
	 * nothing else.
	 */
	if (number_is_blotted(c.p + i, c.p + c.len))
		return v;
	if (i < c.len && (g_ascii_isalnum(c.p[i]) || strchr(".,-+:/%_@", c.p[i]) ||
	                  (unsigned char)c.p[i] >= 0x80))
		return v;
	v.clean = i == c.len;
	if (i >= sizeof text) {
		v.number = number_null();
		return v;
	}
	memcpy(text, c.p, i);
	if (point)
		text[point] = '.';
	if (number_parse(text, i, scale, &v.number) == NUMBER_NONE)
		v.number = number_absent();
	return v;
}

struct number rt_count_read(struct slice cell)
{
	struct rt_value v = rt_value_read(cell, 0);

	return v.decimals || (number_is_set(v.number) && v.number.coefficient < 0) ? number_absent()
	                                                                           : v.number;
}

bool rt_is_ellipsis(const char *text, size_t len)
{
	static struct pattern dots = PATTERN("^\\s*(?:(?:\\.{3,}|\\xe2\\x80\\xa6"
	                                     "|[\\[(<{]\\s*(?:\\.{2,}|\\xe2\\x80\\xa6|(?i:snip\\w*|"
	                                     "cut|skipped|omitted))\\s*[\\])>}])\\s*){1,8}$");

	return pattern_match(&dots, text, len, 0, NULL);
}
