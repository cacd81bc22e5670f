/*
 * Tables that people typed, in any style: any program, any tool. Shown every line that no other
 * parser took.
 *
 *                                        Min      Max
 *    Xenomai user space task   (-t0):   13us    119us
 *
 * Lines are kept until a block ends, since its heading, its columns and what it measures show only
 * then.
 */
#include <string.h>
#include "lib/ascii.h"
#include "lib/parser.h"
#include "lib/pattern.h"
#include "lib/tab_cell.h"
#include "lib/tab_grid.h"
#include "parsers/typed_series.h"
#include "parsers/typed_sieve.h"

#define MAX_BLOCK 4096u /* lines kept at most */
#define MAX_ABOVE 40u	/* lines kept above a block: titles, captions */
#define LONG_BLOCK 64u	/* rows of a block that is not looked at without a word of the field */
#define MAX_TITLE 120u	/* bytes of a title */
#define HEADINGS 3u	/* first headings of a text that may name its tool */
#define MAX_CAPTION 8u	/* lines of a caption */
#define MAX_LINE 4000u	/* bytes of a line that are kept */
#define MAX_PARAGRAPH 4096u /* bytes of a paragraph before its last line */

struct state {
	GPtrArray *lines; /* struct tab_line *: above, then the block */
	unsigned block;	  /* where the block begins */
	bool rows;	  /* the block has lines that look like rows */
	bool general_stated;
	struct tab_unit general;
	GString *paragraph;	  /* prose so far, up to a blank line */
	unsigned paragraph_seen;  /* enum tab_seen_flag of its lines */
	const char *head_tool;	  /* named by the first heading of the text */
	const char *section_tool; /* named by a heading above */
	unsigned headings;	  /* seen so far, up to HEADINGS */
};

static struct state *state_of(struct parse *p)
{
	struct state *s = p->state;

	if (!s->lines) {
		s->lines = g_ptr_array_new_with_free_func(g_free);
		s->paragraph = g_string_new(NULL);
	}
	return s;
}

#define LINE(s, i) ((struct tab_line *)(s)->lines->pdata[i])

/* "Key: value" of environment lists. */
static bool is_fact(const char *text)
{
	const char *p = text + strspn(text, " *-"), *colon = strstr(p, ": ");

	/* "Note: all times are in us." is a sentence. */
	if (!g_ascii_strncasecmp(p, "note", 4) || !g_ascii_strncasecmp(p, "nb", 2))
		return false;
	/* "1) Board: …" heads a section. */
	if (g_ascii_isdigit(*p) && p[1] &&
	    (p[1] == ')' || p[1] == '.' || p[2] == ')' || p[2] == '.'))
		return false;
	return colon && colon - p <= 24 && strcspn(p, ".,;(") > (size_t)(colon - p);
}

static bool is_command(const char *text)
{
	const char *p = text + strspn(text, " `");

	/* "cyclictest -l100000 -m": a program with an option. */
	static struct pattern bare = PATTERN("^[\\w./-]+ (?:\\w+ )?-{1,2}[A-Za-z]");

	if (pattern_match(&bare, p, strlen(p), 0, NULL))
		return true;
	return g_str_has_prefix(p, "$ ") || g_str_has_prefix(p, "# ./") || strstr(p, "# ./") ||
	       strstr(p, ":~#") || strstr(p, ":~$") || g_str_has_prefix(p, "./") ||
	       g_str_has_prefix(p, "sudo ");
}

/* Takes markup off a heading: "## x", "== x ==", "h2. x", "...x...", "==> x <==", "*x*:". Caller
 * frees; NULL when nothing is left. */
static char *plain_title(const char *text)
{
	char *title = tab_cell_plain(text);
	size_t len, skip;

	skip = strspn(title, "#=*-.!+~_>| ");
	if (title[skip] == 'h' && g_ascii_isdigit(title[skip + 1]) && title[skip + 2] == '.')
		skip += 3 + strspn(title + skip + 3, " ");
	memmove(title, title + skip, strlen(title + skip) + 1);
	len = strlen(title);
	while (len && strchr("#=*-:!+~_<|> ", title[len - 1]))
		title[--len] = '\0';
	if (g_str_has_suffix(title, "...")) {
		len -= 3;
		title[len] = '\0';
	}
	if (!len || len > MAX_TITLE || title[len - 1] == ',' ||
	    !strpbrk(title, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ\xc3\xd0\xe4\xe5"
			    "\xe6\xe7\xe8")) {
		g_free(title);
		return NULL;
	}
	return title;
}

/* A paragraph that begins as a list of facts is one to its end. */
static bool in_facts(const struct state *s, unsigned i)
{
	for (unsigned n = 0; n < 12; n++) {
		if (tab_line_blank(LINE(s, i)) || strchr(LINE(s, i)->text, '|'))
			return false;
		if (is_fact(LINE(s, i)->text))
			return true;
		if (i-- == 0)
			return false;
	}
	return false;
}

static bool is_link(const char *text)
{
	const char *p = text + strspn(text, " !");

	return (*p == '[' && strstr(p, "](") && g_str_has_suffix(p, ")")) || strstr(p, "://");
}

static bool is_value(const char *text, size_t len)
{
	struct tab_cell c;

	if (!tab_cell_may_be_value(text, len))
		return false;
	tab_cell_read_slice(text, len, 0, &c);
	return c.kind == TAB_VALUE;
}

/* How many values, parted by single blanks, end the text: 0, 1 or 2. */
static unsigned ending_values(const char *text)
{
	size_t end = strlen(text);
	unsigned n = 0;

	while (n < 2) {
		const char *blank = memrchr(text, ' ', end);
		size_t len = blank ? end - (size_t)(blank + 1 - text) : 0;
		struct tab_unit unit;

		if (!blank)
			break;
		if (is_value(blank + 1, len))
			n++;
		else if (!tab_unit_find(blank + 1, len, &unit) || blank == text || !g_ascii_isdigit(blank[-1]))
			break;
		/* The first character stays, even if it is a blank. */
		for (end = (size_t)(blank - text) + 1; end > 1 && text[end - 1] == ' '; end--)
			;
	}
	return n;
}

/* "Column 2.4 is 2.4.24 with low latency patches." ends as a sentence does. */
static bool is_sentence(const char *text)
{
	g_autofree char *copy = g_strchomp(g_strdup(text));
	size_t len = strlen(copy);
	unsigned blanks = 0;

	for (const char *p = copy; (p = strchr(p, ' ')) != NULL; p++)
		blanks++;
	return blanks >= 4 && copy[len - 1] == '.' && copy[len - 2] != '.';
}

/* "Some One wrote:" says who is quoted. */
static bool is_attribution(const char *text)
{
	static const char *const verbs[] = { "wrote", "writes", "schrieb", "a \xc3\xa9" "crit", "escribi\xc3\xb3", NULL };
	g_autofree char *copy = g_strchomp(g_strdup(text));
	size_t len = strlen(copy);

	if (!len || copy[len - 1] != ':')
		return false;
	copy[len - 1] = '\0';
	g_strchomp(copy);
	for (const char *const *verb = verbs; *verb; verb++)
		if (g_str_has_suffix(copy, *verb))
			return true;
	return false;
}

/* The nearest line above that is no command, no data, no fact and no sentence. */
static char *find_title(const struct state *s, unsigned first)
{
	for (unsigned i = first, n = 0; i-- > 0 && n < 30; n++) {
		const char *text = LINE(s, i)->text, *p = text + strspn(text, " ");
		bool marked = *p == '#' || g_str_has_prefix(p, "==") ||
			      g_str_has_prefix(p, "...") || (*p == 'h' && p[1] && p[2] == '.');
		char *title;

		if (!*p || *p == '\\' || g_str_has_prefix(p, ".. ") || (*p == '[' && g_str_has_suffix(p, "]")) ||
		    LINE(s, i)->fence || LINE(s, i)->used || tab_line_rule(LINE(s, i)) || is_link(p) || is_command(p) ||
		    is_attribution(p) ||
		    strchr(p, '|') || !strncmp(p, "[...]", 5))
			continue;
		if (!marked && (LINE(s, i)->prose || is_sentence(p) || in_facts(s, i)))
			continue;
		if (strchr("*-+", *p) && p[1] == ' ')
			continue;
		/* "Kernel parameter:" introduces a list. */
		if (!marked && g_str_has_suffix(p, ":") && i + 1 < first) {
			const char *next = LINE(s, i + 1)->text + strspn(LINE(s, i + 1)->text, " ");

			if (strchr("*-+", *next) && next[0] && next[1] == ' ')
				continue;
		}
		/* A row of data ends with values, or with one behind a gap. */
		if (!marked && ending_values(p) >= (strstr(p, "  ") ? 1u : 2u))
			continue;
		title = plain_title(p);
		if (title)
			return title;
	}
	return NULL;
}

/* The paragraph above the table as one line, or NULL. */
static char *find_caption(const struct state *s, unsigned first)
{
	g_autoptr(GString) caption = g_string_new(NULL);
	unsigned end = first, begin;

	while (end > 0 && first - end < 3 &&
	       (tab_line_blank(LINE(s, end - 1)) || tab_line_rule(LINE(s, end - 1)) ||
		LINE(s, end - 1)->fence))
		end--;
	for (begin = end; begin > 0 && end - begin < MAX_CAPTION; begin--) {
		const struct tab_line *l = LINE(s, begin - 1);

		if (tab_line_blank(l) || tab_line_rule(l) || l->fence || l->used || strchr(l->text, '|'))
			break;
	}
	for (unsigned i = begin; i < end; i++)
		g_string_append_printf(caption, "%s%s", caption->len ? " " : "",
				       LINE(s, i)->text + strspn(LINE(s, i)->text, " "));
	return caption->len ? g_strdup(caption->str) : NULL;
}

/* ping and hackbench in a heading are as often the load; only rows of ping itself say ping. */
static const char *tool_of_heading(const char *text)
{
	g_autofree char *folded = text ? tab_fold(text) : NULL;
	const char *tool = folded ? tab_tool(folded) : NULL;

	return tool && strcmp(tool, "ping") && strcmp(tool, "hackbench") ? tool : NULL;
}

/* The one tool that caption or headings say has measured the table. */
static const char *table_tool(const struct state *s, const struct tab_grid *g, const char *title,
			      const char *caption)
{
	static const char *const saying[] = { " table ",  " from ",  " figure ", " results ",
					      " output ", " below ", " with ",	 NULL };
	const char *tool = tool_of_heading(g->caption);
	g_autofree char *folded = caption ? tab_fold(caption) : NULL;

	tool = tool ? tool : tool_of_heading(title);
	for (const char *const *w = saying; !tool && folded && *w; w++)
		if (strstr(folded, *w))
			tool = tool_of_heading(caption);
	tool = tool ? tool : s->section_tool;
	return tool ? tool : s->head_tool;
}

/* True when rows of three or four values are ping's: named by the rows or by what heads them. */
static bool is_ping(const struct state *s, const struct tab_grid *g, const char *title,
		    const char *caption)
{
	g_autofree char *above = g_strconcat(title ? title : "", " ", caption ? caption : "", NULL);
	g_autofree char *folded = tab_fold(above);
	unsigned with = 0;

	(void)s;
	if (g->style != GRID_SLASHES)
		return false;
	for (unsigned i = 0; i < g->rows->len; i++) {
		g_autofree char *label =
			tab_fold(((struct tab_grid_row *)g->rows->pdata[i])->cell[0]);

		with += strstr(label, " ping ") != NULL;
	}
	return with == g->rows->len || strstr(folded, " ping ") || strstr(folded, " pings ");
}

/* "(latency in usecs)" just below the table, or NULL. */
static const char *find_remark(const struct state *s, unsigned end)
{
	for (unsigned i = end; i < s->lines->len && i < end + 2; i++) {
		const char *p = LINE(s, i)->text + strspn(LINE(s, i)->text, " ");

		if (*p == '(')
			return p;
		if (*p)
			break;
	}
	return NULL;
}

static struct line as_line(const struct tab_line *l)
{
	struct line line = { .text = l->text,
			     .len = strlen(l->text),
			     .raw = l->raw,
			     .row = l->text,
			     .row_len = strlen(l->text),
			     .first = l->first,
			     .last = l->last,
			     .depth = l->depth };

	line.shape.parser = -1;
	return line;
}

static void emit_grid(struct parse *p, struct state *s, const struct tab_grid *g)
{
	g_autofree char *title = find_title(s, g->first), *caption = find_caption(s, g->first);
	struct typed_around around = { .title = title,
				       .caption = caption,
				       .general_stated = s->general_stated,
				       .general = s->general };
	struct typed *t;
	struct record *r;
	struct line first, last;

	around.ping = is_ping(s, g, title, caption);
	around.below = find_remark(s, g->end);
	t = typed_new(g, &around);
	if (typed_measures(t)) {
		const char *tool = around.ping ? "ping" : table_tool(s, g, title, caption);
		const struct tab_grid_row *end = g->rows->pdata[g->rows->len - 1];

		first = as_line(LINE(s, g->first));
		last = as_line(LINE(s, end->line));
		r = parse_begin(p, tool ? tool : "table", &first);
		parse_extend(p, r, &last);
		r->title = record_text(r, g->caption && *g->caption ? g->caption : title, -1);
		r->command = NULL;
		if (typed_series(t, s->lines, r))
			parse_emit(p, r);
		else
			parse_drop(p, r, "a table without values");
	}
	typed_free(t);
}

static const char *const literals[] = {
	"min",	       "max",	  "avg",       "ave",	"aver",		"mean",
	"average",     "minimum", "maximum",   "worst", "median",	"stddev",
	"jitter",      "latency", "latencies", "usec",	"usecs",	"µs",
	"μs",	       "us",	  "ms",	       "msec",	"microseconds", "micro-seconds",
	"nanoseconds", "delay",	  "elapsed",   "xrun",	"overruns",	"mittel",
	"moyenne",     "latenz",  "最大",      "平均",	"延迟",		"макс",
	NULL
};

/*
 * A long block with none of the words that tables of results have, in it or above, is a list of other things; trying to
 * find columns in thousands of its rows would cost seconds. Short ones are looked at in any case.
 */
static bool has_no_word(const struct state *s)
{
	if (s->lines->len - s->block <= LONG_BLOCK || s->general_stated)
		return false;
	for (guint i = 0; i < s->lines->len; i++) {
		g_autofree char *text = g_ascii_strdown(LINE(s, i)->text, -1);

		for (const char *const *word = literals; *word; word++)
			if (strstr(text, *word))
				return false;
	}
	return true;
}

/* Whether a table of results may be in the block, by the words in it and above. */
static bool may_measure(const struct state *s)
{
	struct tab_seen seen = { .flags = s->general_stated ? SEEN_TIME : 0 };

	for (guint i = 0; i < s->lines->len; i++) {
		/* Columns that a rule states may be cut inside words. */
		if (tab_line_rule_parts(LINE(s, i)))
			return true;
		tab_seen_join(&seen, &LINE(s, i)->seen);
	}
	return typed_block_may_measure(&seen);
}

/* Reads the tables of the block; its last lines stay as what stands above the next one. */
static void end_block(struct parse *p, struct state *s)
{
	unsigned at = s->block;

	s->rows = s->rows && may_measure(s) && !has_no_word(s);
	while (s->rows && at < s->lines->len) {
		struct tab_grid *g = tab_grid_find(s->lines, at);

		if (!g)
			break;
		emit_grid(p, s, g);
		for (unsigned i = g->first; i < g->end && i < s->lines->len; i++)
			LINE(s, i)->used = true;
		at = MAX(g->end, at + 1);
		tab_grid_free(g);
	}
	if (s->lines->len > MAX_ABOVE)
		g_ptr_array_remove_range(s->lines, 0, s->lines->len - MAX_ABOVE);
	s->block = s->lines->len;
	s->rows = false;
}

/* A sentence may say the unit of all tables below. */
static void end_paragraph(struct state *s)
{
	struct tab_unit unit;
	bool general, may = s->paragraph_seen & SEEN_GENERAL;

	may = may && ((s->paragraph_seen & SEEN_STATED) || tab_unit_bracketed(s->paragraph->str));
	if (may && tab_unit_stated(s->paragraph->str, &unit, &general) && general && tab_unit_is_time(&unit)) {
		s->general_stated = true;
		s->general = unit;
	}
	g_string_truncate(s->paragraph, 0);
	s->paragraph_seen = 0;
}

static void add_to_paragraph(struct state *s, const struct tab_line *t)
{
	if (s->paragraph->len >= MAX_PARAGRAPH)
		return;
	if (s->paragraph->len)
		g_string_append_c(s->paragraph, ' ');
	g_string_append(s->paragraph, t->text);
	s->paragraph_seen |= t->seen.flags;
}

#define MAX_CELLS 64u /* cells of a line that are looked at */

/* How many cells of a line look like values: rows with several are shown to nobody else. */
static unsigned count_values(const char *text, bool *time)
{
	const char *mark = strchr(text, '|') ? "|" : "  ", *end;
	unsigned n = 0;

	for (unsigned i = 1; text; i++) {
		struct tab_cell c;
		size_t len;

		end = i < MAX_CELLS ? strstr(text, mark) : NULL;
		len = end ? (size_t)(end - text) : strlen(text);
		if (tab_cell_may_be_value(text, len)) {
			tab_cell_read_slice(text, len, STYLE_CELLS, &c);
			n += c.kind == TAB_VALUE || c.kind == TAB_LISTED;
			*time = *time || (c.kind == TAB_VALUE && c.unit_stated && strcmp(c.unit.name, "%"));
		}
		text = end ? end + strlen(mark) : NULL;
	}
	return n;
}

/* Notes what a line that is no row may say of what stands below: a heading that names a tool. */
static void note_heading(struct state *s, const struct tab_line *l)
{
	const char *p = l->text + strspn(l->text, " ");
	bool marked = *p == '#' || g_str_has_prefix(p, "==");
	const char *tool;

	if (tab_line_blank(l) || tab_line_rule(l) || (l->prose && !marked && s->headings))
		return;
	if (!marked && s->headings == HEADINGS)
		return;
	tool = l->seen.flags & SEEN_TOOL ? tool_of_heading(p) : NULL;
	if (s->headings < HEADINGS && !s->head_tool)
		s->head_tool = tool;
	s->headings = MIN(s->headings + 1, HEADINGS);
	if (marked)
		s->section_tool = tool;
}

/* A row of cyclictest and its kin that its parser could not read is garbled, and no row of a table; so is the end of one. */
static bool is_thread_row(const char *text)
{
	const char *min = strstr(text, "Min:"), *act = min ? strstr(min, "Act:") : NULL;

	text += strspn(text, " ");
	return (act && strstr(act, "Max:") && (strstr(text, "I:") || strstr(text, "C:"))) ||
	       ((g_str_has_prefix(text, "Avg:") || g_str_has_prefix(text, "Act:")) && strstr(text, "Max:"));
}

/* A line to keep, in one piece of memory. */
static struct tab_line *new_line(const char *text, size_t len, const char *raw, size_t raw_len)
{
	struct tab_line *t = g_malloc(sizeof *t + len + 1 + (raw ? raw_len + 1 : 0));
	char *to = (char *)(t + 1);

	memset(t, 0, sizeof *t);
	memcpy(to, text, len);
	to[len] = '\0';
	t->text = t->raw = to;
	if (raw) {
		to += len + 1;
		memcpy(to, raw, raw_len);
		to[raw_len] = '\0';
		t->raw = to;
	}
	return t;
}

static struct tab_line *keep(const struct line *l)
{
	size_t len = MIN(l->len, MAX_LINE), raw_len = l->raw == l->text ? len : strnlen(l->raw, MAX_LINE);
	bool same = raw_len == len && !memcmp(l->raw, l->text, len);
	g_autofree char *text = NULL, *raw = NULL;
	struct tab_line *t;

	/* What was cut inside a character. */
	if (!is_ascii(l->text, len) && !g_utf8_validate(l->text, (gssize)len, NULL))
		text = g_utf8_make_valid(l->text, (gssize)len);
	if (!same && !is_ascii(l->raw, raw_len) && !g_utf8_validate(l->raw, (gssize)raw_len, NULL))
		raw = g_utf8_make_valid(l->raw, (gssize)raw_len);
	t = new_line(text ? text : l->text, text ? strlen(text) : len, same ? NULL : raw ? raw : l->raw,
		     raw ? strlen(raw) : raw_len);
	t->first = l->first;
	t->last = l->last;
	t->depth = l->depth;
	t->fence = l->flags & LINE_FENCE;
	t->foreign = l->rejected != NULL || is_thread_row(t->text);
	tab_line_note(t);
	return t;
}

/* A bar alone that was split off the line before, as from "---|---|", is put back. */
static bool put_back(struct state *s, const struct line *l)
{
	struct tab_line *last = s->lines->len ? LINE(s, s->lines->len - 1) : NULL, *t;
	g_autofree char *text = NULL;

	if (!(l->flags & LINE_SPLIT) || !last || last->first != l->first ||
	    l->text[strspn(l->text, " |")])
		return false;
	text = g_strconcat(last->text, l->text + strspn(l->text, " "), NULL);
	t = new_line(text, strlen(text), NULL, 0);
	t->first = last->first;
	t->last = last->last;
	t->depth = last->depth;
	t->fence = last->fence;
	t->foreign = last->foreign;
	tab_line_note(t);
	s->lines->pdata[s->lines->len - 1] = t;
	g_free(last);
	return true;
}

/* Fields with numbers behind commas, semicolons or tabs. */
static bool has_fields(const struct tab_line *t)
{
	unsigned n = 0;

	for (const char *p = t->raw; (p = strpbrk(p, ",;\t")) != NULL;) {
		/* Between quotes it certainly parts two fields. */
		unsigned weight = *p == ',' && !(p > t->raw && p[-1] == '"' && p[1] == '"') ? 1 : 2;

		p += strspn(p, ",;\t \"+-");
		n += g_ascii_isdigit(*p) ? weight : 0;
	}
	return n >= 2;
}

/* "Average time between threads (coop),21149,21149": however many words it begins with, a row of CSV. */
static bool ends_in_fields(const char *text)
{
	static struct pattern fields = PATTERN("(?:,\\d+(?:\\.\\d+)?){2}\\s*$");

	return strchr(text, ',') && pattern_match(&fields, text, strlen(text), 0, NULL);
}

/* What a line is, as far as it decides where a block ends. */
struct look {
	bool blank, prose, bars, row, time, leader;
	unsigned values;
};

/* "top - Min delay was 0. Max delay was 23." is a row. */
static bool states_statistics(const struct tab_line *t)
{
	g_autofree char *folded = NULL;

	if (!t->seen.statistics && !(t->seen.flags & SEEN_PERCENTILE))
		return false;
	folded = tab_fold(t->text);
	return tab_statistic_count(folded) >= 2;
}

static struct look look_at(const struct tab_line *t)
{
	struct look k = { .blank = tab_line_blank(t),
			  .leader = (t->seen.flags & SEEN_LEADER) && (strstr(t->text, ". . .") || strstr(t->text, "....")) };
	unsigned ending = !k.blank && strpbrk(t->text, "0123456789") ? ending_values(t->text) : 0;
	bool digits = ending || strpbrk(t->text, "0123456789");

	k.bars = strchr(t->text, '|') || tab_line_rule(t);
	k.prose = t->prose && !strstr(t->text, " / ") && ending < 2 &&
		  !(digits && (states_statistics(t) || ends_in_fields(t->text)));
	k.values = !digits || k.prose || t->foreign ? 0 : count_values(t->text, &k.time);
	/* Rows of LaTeX and of list tables. */
	k.row = strstr(t->text, "\\\\") || g_str_has_prefix(t->text + strspn(t->text, " *"), "- ");
	k.row = k.row || k.values || k.leader || k.bars || ending ||
		(digits && !k.prose && has_fields(t)) || strstr(t->text, ":: ") ||
		(digits && strchr(t->text, '/') && states_statistics(t));
	return k;
}

static enum verdict table_line(struct parse *p, const struct line *l)
{
	struct state *s = state_of(p);
	struct tab_line *t, *last = s->lines->len ? LINE(s, s->lines->len - 1) : NULL;
	bool after_blank = !last || tab_line_blank(last), remark;
	struct look k;

	if (put_back(s, l))
		return VERDICT_PASS;
	/* Lines between were taken by another parser. */
	if (last && l->first > last->last + 1)
		end_block(p, s);
	t = keep(l);
	k = look_at(t);
	/* "(all in usecs)" below a table still belongs to it. */
	remark = t->text[strspn(t->text, " ")] == '(' && s->rows;
	k.prose = k.prose && !remark;
	if (k.blank || k.bars || k.values >= 2)
		end_paragraph(s);
	else
		add_to_paragraph(s, t);
	if (k.prose || t->fence || t->foreign || (k.blank && after_blank) ||
	    (after_blank && s->rows && !k.row && !k.blank && !remark) ||
	    s->lines->len - s->block >= MAX_BLOCK)
		end_block(p, s);
	g_ptr_array_add(s->lines, t);
	if (!k.row && !k.blank)
		note_heading(s, t);
	if (k.prose || t->fence || t->foreign)
		s->block = s->lines->len;
	else
		s->rows = s->rows || k.row;
	return k.values >= 2 || (k.leader && k.values) || (k.values && k.time) ? VERDICT_FRAME
									       : VERDICT_PASS;
}

static void table_end(struct parse *p)
{
	struct state *s = state_of(p);

	end_block(p, s);
	g_ptr_array_free(s->lines, TRUE);
	g_string_free(s->paragraph, TRUE);
}

static const char *const tools[] = { "table", NULL };
const struct parser parser_typed_table = {
	.name = "table",
	.summary = "tables that people typed, of any program and in any style",
	.versions = "blanks, markdown, ASCII grids, wikis, reStructuredText, AsciiDoc, CSV, dot "
		    "leaders, sentences",
	.sample = "Xenomai user space task   (-t0):   13us    119us",
	.tools = tools,
	.may_hold = typed_may_measure,
	.state_size = sizeof(struct state),
	.line = table_line,
	.end = table_end,
};
