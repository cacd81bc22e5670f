/*
 * The tables that rtreport writes for people (lib/report.c): markdown, MediaWiki, DokuWiki and plain text for mail.
 *
 *     tool: cyclictest
 *     cpu: i7
 *
 *     thread   tid  priority  interval [us]   count  min [us]
 *     ------  ----  --------  -------------  ------  --------
 *          0  1179        90            250  182450         2
 *
 * They are known by the fact "tool: …" above and by headings that are all the report's own; anything else is a typed table.
 * What they hold comes back as it was; a table states all that it knows, so no facts of the text around are added.
 */
#include <stdlib.h>
#include <string.h>
#include "lib/parser.h"
#include "lib/plain.h"
#include "lib/record_csv.h"
#include "lib/report_internal.h"
#include "lib/tab_grid.h"

#define MAX_ABOVE 16u           /* lines of a heading kept, or of a wrapped line of headings */
#define MAX_FACTS 200u
#define MAX_TEXT 65536u         /* bytes kept of a line above a table */

enum style { STYLE_MARKDOWN, STYLE_MEDIAWIKI, STYLE_DOKUWIKI, STYLE_TEXT };

enum place {
	OUTSIDE,
	FACTS,                          /* below "tool: …" */
	HEADINGS,                       /* inside a MediaWiki table, above its first row */
	ROWS,
	BETWEEN                         /* plain text: below a block of columns; more may follow */
};

enum meaning { MEANS_ROW, MEANS_NAME, MEANS_LABEL, MEANS_QUANTITY, MEANS_FIELD, MEANS_RANK, MEANS_MIN_SOURCE, MEANS_MAX_SOURCE };

struct heading {
	enum meaning meaning;
	enum field field;
	char *key;                      /* of a label or percentile; or NULL */
	char *unit;                     /* or NULL */
	size_t from, to;                /* plain text: columns of the terminal */
};

struct state {
	enum place place;
	enum style style;
	GPtrArray *above;               /* char *: the paragraph so far */
	bool blank;                     /* the line before was blank */
	char *title;
	GPtrArray *facts;               /* char *: "key: value", markup taken off */
	GPtrArray *headings;            /* char *: MediaWiki: one each; plain text: lines */
	GArray *columns;                /* struct heading */
	struct record *record;          /* or NULL */
	const char *quantity;           /* of all series, in the record; or NULL */
	guint row;                      /* series that the next row of this block is about */
	bool further;                   /* not the first block */
	GPtrArray *cells;               /* plain text: char *: the row so far, by column; empty: none */
	bool valued, mixed;             /* there are columns with values; of several units */
	char *unit;                     /* of the first of them */
};

static void heading_clear(gpointer data)
{
	struct heading *c = data;

	g_free(c->key);
	g_free(c->unit);
}

static struct state *state_of(struct parse *p)
{
	struct state *s = p->state;

	if (!s->above) {
		s->above = g_ptr_array_new_with_free_func(g_free);
		s->facts = g_ptr_array_new_with_free_func(g_free);
		s->headings = g_ptr_array_new_with_free_func(g_free);
		s->cells = g_ptr_array_new_with_free_func(g_free);
		s->columns = g_array_new(FALSE, TRUE, sizeof(struct heading));
		g_array_set_clear_func(s->columns, heading_clear);
		s->blank = true;
	}
	return s;
}

#define COLUMN(s, i) (&g_array_index((s)->columns, struct heading, i))

/* Markup */

/* The text that an escape of the style stands for. Caller frees. */
static char *unescaped(enum style style, const char *text)
{
	GString *out = g_string_sized_new(strlen(text));
	bool quoted = false;

	for (const char *p = text; *p; ) {
		char *end;
		unsigned long code = g_str_has_prefix(p, "&#") ? strtoul(p + 2, &end, 10) : 0;

		if (style != STYLE_TEXT && code >= 32 && code < 127 && *end == ';') {
			g_string_append_c(out, (char)code);
			p = end + 1;
		} else if (style == STYLE_MARKDOWN && *p == '\\' && g_ascii_ispunct(p[1])) {
			g_string_append_c(out, p[1]);
			p += 2;
		} else if (style == STYLE_DOKUWIKI && !quoted && g_str_has_prefix(p, "<nowiki>") && (end = strstr(p, "</nowiki>"))) {
			g_string_append_len(out, p + 8, end - p - 8);
			p = end + 9;
		} else if (style == STYLE_DOKUWIKI && p[0] == '%' && p[1] == '%') {
			quoted = !quoted;
			p += 2;
		} else {
			g_string_append_c(out, *p++);
		}
	}
	return g_string_free(out, FALSE);
}

/* The next bar of a row that parts cells; NULL: none. */
static const char *next_bar(enum style style, const char *p, char bar)
{
	for (; *p; p++) {
		const char *end = NULL;

		if (style == STYLE_MARKDOWN && *p == '\\' && p[1])
			p++;
		else if (style == STYLE_DOKUWIKI && g_str_has_prefix(p, "%%") && (end = strstr(p + 2, "%%")))
			p = end + 1;
		else if (style == STYLE_DOKUWIKI && g_str_has_prefix(p, "<nowiki>") && (end = strstr(p, "</nowiki>")))
			p = end + 8;
		else if (*p == bar)
			return p;
	}
	return NULL;
}

/* Cells of "| a | b |"; NULL when the line is no such row. Caller frees with g_strfreev. */
static char **bar_cells(enum style style, const char *line, char bar)
{
	g_autoptr(GPtrArray) cells = g_ptr_array_new();
	const char *p = line + strspn(line, " "), *end;

	if (*p != bar)
		return NULL;
	for (p++; (end = next_bar(style, p, bar)); p = end + 1) {
		g_autofree char *cell = g_strstrip(g_strndup(p, end - p));

		g_ptr_array_add(cells, unescaped(style, cell));
	}
	g_ptr_array_add(cells, NULL);
	return (char **)g_ptr_array_steal(cells, NULL);
}

/* Cells of "| a || b", of which each may have a style before a bar of its own. */
static char **wiki_cells(const char *line)
{
	g_auto(GStrv) parts = g_strsplit(line + 1, "||", TAB_COLUMNS + 1);
	char **cells = g_new0(char *, g_strv_length(parts) + 1);

	for (unsigned i = 0; parts[i]; i++) {
		char *text = g_strstrip(parts[i]), *bar = g_str_has_prefix(text, "style=\"") ? strstr(text, "\" |") : NULL;

		cells[i] = unescaped(STYLE_MEDIAWIKI, bar ? g_strstrip(bar + 3) : text);
	}
	return cells;
}

/* "- tool: cyclictest" without its mark; NULL when it is no line of a list of the style. */
static const char *fact_line(enum style style, const char *text)
{
	size_t blanks = strspn(text, " ");

	switch (style) {
	case STYLE_MARKDOWN: return g_str_has_prefix(text + blanks, "- ") ? text + blanks + 2 : NULL;
	case STYLE_MEDIAWIKI: return g_str_has_prefix(text, "* ") ? text + 2 : NULL;
	case STYLE_DOKUWIKI: return blanks && g_str_has_prefix(text + blanks, "* ") ? text + blanks + 2 : NULL;
	default: return blanks ? NULL : text;
	}
}

/* The value of the fact `key`, or NULL. */
static const char *fact(const struct state *s, const char *key)
{
	size_t len = strlen(key);

	for (guint i = 0; i < s->facts->len; i++) {
		const char *line = s->facts->pdata[i];

		if (!strncmp(line, key, len) && line[len] == ':' && line[len + 1] == ' ')
			return line + len + 2;
	}
	return NULL;
}

static bool is_fact(const char *text)
{
	size_t key = strspn(text, "abcdefghijklmnopqrstuvwxyz_ ");

	return key && text[0] != ' ' && text[key] == ':' && text[key + 1] == ' ';
}

/* "cyclictest" or "xenomai-latency (user-task)" */
static bool is_tool(const char *text)
{
	static const char *const letters = "abcdefghijklmnopqrstuvwxyz0123456789-_";
	size_t tool = strspn(text, letters), mode;

	if (!tool || !text[tool])
		return tool;
	if (strncmp(text + tool, " (", 2))
		return false;
	mode = strspn(text + tool + 2, letters);
	return mode && !strcmp(text + tool + 2 + mode, ")");
}

/* Joins the lines of a wrapped text: at a blank, or, where a word was broken, at the mark at its end. Takes both. */
static char *joined(char *text, char *more)
{
	size_t len = strlen(text);
	bool broken = len > 1 && text[len - 1] == '\\' && text[len - 2] != ' ';
	char *all;

	if (!*more || !*text) {
		char *kept = *more ? more : text;

		g_free(kept == more ? text : more);
		return kept;
	}
	if (broken)
		text[len - 1] = '\0';
	all = g_strconcat(text, broken ? "" : " ", more, NULL);
	g_free(text);
	g_free(more);
	return all;
}

/* The heading above the facts, without markup. Caller frees; NULL: none. */
static char *find_title(const struct state *s, enum style style)
{
	guint n = s->above->len;
	const char *last = n ? s->above->pdata[n - 1] : "";
	g_autofree char *text = NULL;

	if (style == STYLE_MARKDOWN && g_str_has_prefix(last, "## "))
		return unescaped(style, last + 3);
	if (style == STYLE_MEDIAWIKI && g_str_has_prefix(last, "== ") && g_str_has_suffix(last, " =="))
		text = g_strndup(last + 3, strlen(last) > 6 ? strlen(last) - 6 : 0);
	if (style == STYLE_DOKUWIKI && g_str_has_prefix(last, "===== ") && g_str_has_suffix(last, " ====="))
		return g_strndup(last + 6, strlen(last) > 12 ? strlen(last) - 12 : 0);
	if (text)
		return unescaped(style, text);
	if (style == STYLE_TEXT && n > 1 && *last == '=' && !last[strspn(last, "=")]) {
		char *title = g_strdup("");

		for (guint i = 0; i + 1 < n; i++) {
			const char *line = s->above->pdata[i];

			title = joined(title, g_strdup(line + strspn(line, " ")));
		}
		return title;
	}
	return NULL;
}

/* Columns */

/* "p99.9" */
static bool is_rank(const char *heading)
{
	struct number n;

	return *heading == 'p' && g_ascii_isdigit(heading[1]) &&
	       number_parse(heading + 1, strlen(heading + 1), 0, &n) == NUMBER_OK;
}

static const char *const label_keys[] = {
	"thread", "tid", "cpu", "priority", "interval_ns", "index", "sender", "receiver", "context", "column", "group", "derived",
	"threads", NULL
};

/* What a heading of the report means. False: it is none. Takes `heading`. */
static bool read_heading(char *heading, struct heading *c)
{
	char *bracket = g_str_has_suffix(heading, "]") ? g_strrstr(heading, " [") : NULL;
	bool ok = true;

	*c = (struct heading){ .field = FIELD_SERIES_END };
	if (bracket) {
		c->unit = g_strndup(bracket + 2, strlen(bracket) - 3);
		*bracket = '\0';
	}
	g_autofree char *key = g_strdelimit(g_strdup(heading), " ", '_');

	c->field = field_from_name(key);
	if (!strcmp(heading, "#")) {
		c->meaning = MEANS_ROW;
	} else if (!strcmp(heading, "name") || !strcmp(heading, "quantity")) {
		c->meaning = *heading == 'n' ? MEANS_NAME : MEANS_QUANTITY;
		ok = !c->unit;
	} else if (!strcmp(heading, "min from") || !strcmp(heading, "max from")) {
		c->meaning = *heading == 'm' && heading[1] == 'i' ? MEANS_MIN_SOURCE : MEANS_MAX_SOURCE;
		ok = !c->unit;
	} else if (c->field < FIELD_SERIES_END) {
		c->meaning = MEANS_FIELD;
		ok = !c->unit || !field_is_count(c->field);
	} else if (is_rank(heading)) {
		c->meaning = MEANS_RANK;
		c->key = g_strdup(heading + 1);
	} else {
		c->meaning = MEANS_LABEL;
		if (!strcmp(key, "interval") && c->unit)
			tab_set(&key, g_strdup("interval_ns"));
		ok = (g_strv_contains(label_keys, key) || g_str_has_prefix(key, "x_")) && !c->unit == !!strcmp(key, "interval_ns");
		c->key = g_steal_pointer(&key);
	}
	g_free(heading);
	return ok;
}

static bool is_value(const struct heading *c)
{
	return c->meaning == MEANS_FIELD || c->meaning == MEANS_RANK;
}

/* The columns of a table; false when they are not all the report's own. A block of columns may hold no values. */
static bool read_headings(struct state *s, char *const *headings)
{
	bool ok = true;

	g_array_set_size(s->columns, 0);
	for (unsigned i = 0; ok && headings[i]; i++) {
		struct heading c;

		ok = i < TAB_COLUMNS && read_heading(g_strdup(headings[i]), &c);
		if (i < TAB_COLUMNS)
			g_array_append_val(s->columns, c);
	}
	return ok && s->columns->len;
}

/* Notes which units the table has. */
static void note_units(struct state *s)
{
	for (guint i = 0; i < s->columns->len; i++) {
		const struct heading *c = COLUMN(s, i);

		if (!is_value(c) || (c->meaning == MEANS_FIELD && field_is_count(c->field)))
			continue;
		s->mixed |= s->valued && g_strcmp0(s->unit, c->unit);
		if (!s->valued)
			s->unit = g_strdup(c->unit);
		s->valued = true;
	}
}

/* Records */

static struct number number_of(const char *text, int exp10)
{
	struct number n = number_absent();

	number_parse(text, strlen(text), exp10, &n);
	return n;
}

/* "period 100 us", "priority 80", "policy fifo", "duration 60 s" */
static void read_setting(struct record *r, const char *phrase)
{
	static const struct { const char *word, *key; } settings[] = {
		{ "period", "period_ns" }, { "priority", "priority" }, { "policy", "policy" },
		{ "duration", "duration_s" }, { "loops", "loops" }, { "threads", "threads" },
	};
	g_auto(GStrv) word = g_strsplit(phrase, " ", 4);
	guint n = g_strv_length(word);
	int exp10 = 0;

	for (size_t i = 0; n > 1 && i < G_N_ELEMENTS(settings); i++) {
		if (strcmp(word[0], settings[i].word))
			continue;
		if (n > 2 && i == 0 && !unit_scale(word[2], "ns", &exp10))
			return;
		struct number v = number_of(word[1], exp10);

		if (number_is_set(v))
			facts_set_number(r->settings, settings[i].key, v, 0);
		else
			facts_set_text(r, r->settings, settings[i].key, word[1], 0);
	}
}

/* What the list above the table says of the run. */
static void read_facts(struct state *s, struct record *r)
{
	static const char *const environment[] = {
		"board", "cpu", "arch", "memory", "kernel", "rt", "distribution", "compiler", "load"
	};
	const char *settings = fact(s, "settings"), *config = fact(s, "config"), *runs = fact(s, "runs");
	g_auto(GStrv) phrases = g_strsplit(settings ? settings : "", ", ", -1);
	g_autofree char *label = NULL;

	for (size_t i = 0; i < G_N_ELEMENTS(environment); i++)
		if (fact(s, environment[i]))
			facts_set_text(r, r->environment, environment[i], fact(s, environment[i]), 0);
	for (char **p = phrases; *p; p++)
		read_setting(r, *p);
	if (config)
		record_read_config(r, config, ", ");
	if (runs && atoi(runs) > 0) {
		r->kind = RECORD_MERGED;
		r->runs = (unsigned)atoi(runs);
	}
	r->command = record_text(r, fact(s, "command"), -1);
	s->quantity = record_text(r, fact(s, "quantity"), -1);
	label = record_label(r);
	r->title = s->title && strcmp(s->title, label) ? record_text(r, s->title, -1) : NULL;
}

static void begin(struct parse *p, struct state *s, const struct line *l)
{
	g_auto(GStrv) tool = g_strsplit_set(fact(s, "tool"), " ()", 4);
	struct record *r = parse_begin(p, tool[0], l);

	if (tool[1] && tool[2])
		r->mode = record_text(r, tool[2], -1);
	s->record = r;
	read_facts(s, r);
}

static bool is_count(const struct heading *c)
{
	return c->meaning == MEANS_FIELD && field_is_count(c->field);
}

/* Some value that has a unit was read, or is null. */
static bool has_value(const struct series *s)
{
	for (enum field f = 0; f < FIELD_SERIES_END; f++)
		if (!field_is_count(f) && s->field[f].state != NUMBER_ABSENT)
			return true;
	return s->percentiles && s->percentiles->len;
}

/* The record's unit for a column's, and by which power of ten its numbers are scaled. Seconds stay so for elapsed times only. */
static const char *unit_of(struct record *r, const struct series *s, const char *unit, int *exp10)
{
	*exp10 = 0;
	if (!unit || (!strcmp(unit, "s") && s->quantity && !strcmp(s->quantity, "elapsed time")) || !unit_scale(unit, "ns", exp10))
		return record_text(r, unit, -1);
	return "ns";
}

/* A number of a cell, its mark "(1)" taken off; *decimals: digits behind the point. */
static struct number cell_value(const char *text, int exp10, int *decimals)
{
	g_autofree char *digits = g_strdup(text);
	char *mark = strstr(digits, " ("), *point;
	struct number n;

	if (mark && strspn(mark + 2, "0123456789") == strlen(mark + 2) - 1 && g_str_has_suffix(mark, ")"))
		*mark = '\0';
	point = strchr(digits, '.');
	*decimals = point ? (int)strlen(point + 1) : 0;
	if (!strcmp(digits, "-") || number_parse(digits, strlen(digits), exp10, &n) == NUMBER_NONE)
		return number_null();
	return n;
}

static void set_label(struct record *r, struct series *s, const struct heading *c, const char *text)
{
	static const char *const numbers[] = {
		"thread", "tid", "cpu", "priority", "interval_ns", "index", "sender", "receiver", "threads", NULL
	};
	int exp10 = 0;
	struct number n;

	if (c->unit)
		unit_scale(c->unit, "ns", &exp10);
	n = g_strv_contains(numbers, c->key) ? number_of(text, exp10) : number_absent();
	if (number_is_set(n))
		series_label_number(s, record_text(r, c->key, -1), n);
	else
		series_label(r, s, record_text(r, c->key, -1), text);
}

/* Values come in one unit a series: that of the first. */
static void set_value(struct record *r, struct series *s, const struct heading *c, const char *text)
{
	bool count = is_count(c);
	int exp10 = 0, decimals;
	const char *unit = count ? NULL : unit_of(r, s, c->unit, &exp10);
	struct number n = cell_value(text, exp10, &decimals), step;

	if (!count) {
		if (!has_value(s))
			s->unit = unit;
		if (g_strcmp0(s->unit, unit)) {
			record_flag(r, FLAG_OUT_OF_RANGE, "/series/%u", "a value has another unit than the values beside it: null",
			            record_series_index(r, s));
			n = number_null();
		}
		step = number_scale(number_int(1), exp10 - decimals);
		if (number_is_set(n) && (!number_is_set(s->resolution) || number_cmp(s->resolution, step) < 0))
			s->resolution = step;
	}
	if (c->meaning == MEANS_RANK)
		series_percentile(r, s, record_text(r, c->key, -1), n);
	else
		s->field[c->field] = n;
}

/* Texts of a row before its numbers: a quantity says how seconds are meant. */
static void set_cells(struct state *s, struct series *e, char *const *cells)
{
	struct record *r = s->record;

	if (s->quantity)
		e->quantity = s->quantity;
	for (guint i = 0; i < s->columns->len; i++) {
		const struct heading *c = COLUMN(s, i);

		if (!*cells[i])
			continue;
		if (c->meaning == MEANS_NAME)
			e->name = record_text(r, cells[i], -1);
		else if (c->meaning == MEANS_LABEL)
			set_label(r, e, c, cells[i]);
		else if (c->meaning == MEANS_QUANTITY)
			e->quantity = strcmp(cells[i], "latency") ? record_text(r, cells[i], -1) : NULL;
		else if (c->meaning == MEANS_MIN_SOURCE)
			e->min_source = record_text(r, cells[i], -1);
		else if (c->meaning == MEANS_MAX_SOURCE)
			e->max_source = record_text(r, cells[i], -1);
	}
	for (guint i = 0; i < s->columns->len; i++)
		if (is_value(COLUMN(s, i)) && *cells[i])
			set_value(r, e, COLUMN(s, i), cells[i]);
}

/* Series without a value: their unit is known if the whole table has one. */
static void assume_units(struct state *s)
{
	struct record *r = s->record;
	int exp10;

	for (guint i = 0; i < r->series->len && s->valued && !s->mixed; i++) {
		struct series *e = r->series->pdata[i];

		if (!has_value(e))
			e->unit = unit_of(r, e, s->unit, &exp10);
	}
}

/* "X, minima per interval": statistics of the series X, which stand below all series. */
static bool take_interval(struct state *s, struct series *e)
{
	static const char *const ends[] = { "minima per interval", "maxima per interval" };
	struct record *r = s->record;

	for (unsigned i = 0; e->name && i < 2; i++) {
		size_t len = strlen(e->name), end = strlen(ends[i]), rest;

		if (!g_str_has_suffix(e->name, ends[i]))
			continue;
		rest = len - end;
		if (rest > 2 && !strncmp(e->name + rest - 2, ", ", 2))
			rest -= 2;
		else if (rest)
			continue;
		for (guint k = r->series->len - 1; k-- > 0; ) {
			struct series *of = r->series->pdata[k];
			struct interval_stats **place = i ? &of->maxima : &of->minima;

			if (*place || strncmp(of->name ? of->name : "", e->name, rest) || strlen(of->name ? of->name : "") != rest)
				continue;
			*place = g_new0(struct interval_stats, 1);
			(*place)->count = e->field[FIELD_COUNT];
			(*place)->avg = e->field[FIELD_AVG];
			(*place)->stddev = e->field[FIELD_STDDEV];
			record_drop_series(r);
			return true;
		}
	}
	return false;
}

/* A row of the table: a new series, or more values of the one that a block above began. */
static void take_row(struct state *s, char *const *cells)
{
	struct record *r = s->record;
	struct series *e;

	for (guint i = 0; s->further && i < s->columns->len; i++)
		if (COLUMN(s, i)->meaning == MEANS_ROW && atoi(cells[i]) > 0)
			s->row = (guint)atoi(cells[i]) - 1;
	if (s->further) {
		e = s->row < r->series->len ? r->series->pdata[s->row] : NULL;
		s->row++;
	} else {
		e = record_add_series(r, NULL);
		e->line = r->source.last;
	}
	if (e)
		set_cells(s, e, cells);
}

/* A run of which only histograms are drawn has no numbers in its table. */
static bool has_numbers(const struct record *r)
{
	for (guint i = 0; i < r->series->len; i++) {
		const struct series *s = r->series->pdata[i];

		for (enum field f = 0; f < FIELD_SERIES_END; f++)
			if (s->field[f].state != NUMBER_ABSENT)
				return true;
		if (s->minima || s->maxima || (s->percentiles && s->percentiles->len))
			return true;
	}
	return false;
}

static void end_record(struct parse *p, struct state *s)
{
	struct record *r = g_steal_pointer(&s->record);

	s->place = OUTSIDE;
	g_ptr_array_set_size(s->facts, 0);
	g_ptr_array_set_size(s->headings, 0);
	g_clear_pointer(&s->title, g_free);
	g_clear_pointer(&s->unit, g_free);
	s->further = s->valued = s->mixed = false;
	if (!r)
		return;
	s->record = r;
	assume_units(s);
	/* From the last one on, as each is taken off the end. */
	while (r->series->len > 1 && take_interval(s, r->series->pdata[r->series->len - 1]))
		;
	s->record = NULL;
	if (has_numbers(r))
		parse_emit(p, r);
	else
		parse_drop(p, r, "a table without numbers");
}

/* Plain text */

/* "------  ----  ---": the columns' places. False when it is no such rule. */
static bool read_rule(GArray *columns, const char *text)
{
	size_t at = strspn(text, " ");

	g_array_set_size(columns, 0);
	if (text[at + strspn(text + at, " -")] || !text[at])
		return false;
	while (text[at] && columns->len < TAB_COLUMNS) {
		struct heading c = { .from = at, .to = at + strspn(text + at, "-") };

		g_array_append_val(columns, c);
		at = c.to + strspn(text + c.to, " ");
		if (text[c.to] && at != c.to + 2)
			return false;
	}
	return !text[at];
}

/* What stands in the column, without blanks around. Caller frees. */
static char *column_text(const char *text, const struct heading *c)
{
	size_t from = plain_fit(text, c->from);

	return g_strstrip(g_strndup(text + from, plain_fit(text + from, c->to - c->from)));
}

static void add_text_line(GPtrArray *cells, const GArray *columns, const char *text)
{
	for (guint i = 0; i < columns->len; i++) {
		const struct heading *c = &g_array_index(columns, struct heading, i);

		if (cells->len <= i)
			g_ptr_array_add(cells, g_strdup(""));
		cells->pdata[i] = joined(cells->pdata[i], column_text(text, c));
	}
}

/* The rule below headings: true when those are the report's own. */
static bool text_headings(struct state *s, const char *rule)
{
	g_autoptr(GArray) places = g_array_new(FALSE, TRUE, sizeof(struct heading));
	g_autoptr(GPtrArray) cells = g_ptr_array_new_with_free_func(g_free);

	if (!s->headings->len || !read_rule(places, rule))
		return false;
	for (guint i = 0; i < s->headings->len; i++)
		add_text_line(cells, places, s->headings->pdata[i]);
	g_ptr_array_add(cells, NULL);
	if (!read_headings(s, (char *const *)cells->pdata))
		return false;
	for (guint i = 0; i < places->len; i++) {
		COLUMN(s, i)->from = g_array_index(places, struct heading, i).from;
		COLUMN(s, i)->to = g_array_index(places, struct heading, i).to;
	}
	return true;
}

static void flush_row(struct state *s)
{
	if (s->cells->len)
		take_row(s, (char *const *)s->cells->pdata);
	g_ptr_array_set_size(s->cells, 0);
}

/* A line of a row; where rows are numbered, one without a number goes on with the row above. */
static void text_row(struct state *s, const char *text)
{
	if (COLUMN(s, 0)->meaning == MEANS_ROW) {
		g_autofree char *number = column_text(text, COLUMN(s, 0));

		if (*number)
			flush_row(s);
	} else {
		flush_row(s);
	}
	add_text_line(s->cells, s->columns, text);
}

/* A line of a histogram drawn below a table: "   5 to <10 |####   20". */
static struct pattern bar = PATTERN("^ +-?[\\d.]+(?: to <-?[\\d.]+)? +\\|\\S* +\\d+$");

/* Lines */

static enum verdict rows_begin(struct parse *p, struct state *s, const struct line *l)
{
	note_units(s);
	s->place = ROWS;
	s->row = 0;
	g_ptr_array_set_size(s->headings, 0);
	if (s->record) {
		s->further = true;
		parse_extend(p, s->record, l);
	} else {
		begin(p, s, l);
	}
	return VERDICT_FRAME;
}

static void facts_begin(struct parse *p, struct state *s, enum style style, const char *text)
{
	flush_row(s);
	end_record(p, s);
	s->place = FACTS;
	s->style = style;
	s->title = find_title(s, style);
	g_ptr_array_add(s->facts, unescaped(style, text));
}

/* A line below "tool: …" that may still be one of the list. */
static bool facts_go_on(struct state *s, const char *text)
{
	const char *line = fact_line(s->style, text);
	guint n = s->facts->len;

	if (s->blank || n >= MAX_FACTS)
		return false;
	if (line && is_fact(line))
		g_ptr_array_add(s->facts, unescaped(s->style, line));
	else if (s->style == STYLE_TEXT && g_str_has_prefix(text, "  "))
		s->facts->pdata[n - 1] = joined(s->facts->pdata[n - 1], g_strdup(text + 2));
	else
		return false;
	return true;
}

static bool keep_heading(struct state *s, const char *text)
{
	if (s->headings->len >= (s->style == STYLE_TEXT ? MAX_ABOVE : TAB_COLUMNS))
		return false;
	g_autofree char *cut = g_strndup(text, strnlen(text, MAX_TEXT));

	g_ptr_array_add(s->headings, unescaped(s->style, cut));
	return true;
}

/* Above the first row of a table, or of its next block in plain text. */
static enum verdict above_rows(struct parse *p, struct state *s, const struct line *l)
{
	const char *text = l->text;
	g_auto(GStrv) cells = NULL;

	if (s->place == FACTS && facts_go_on(s, text))
		return VERDICT_PASS;
	if (s->style == STYLE_TEXT) {
		if (text_headings(s, text))
			return rows_begin(p, s, l);
		if (pattern_match(&bar, text, l->len, 0, NULL))
			return VERDICT_FRAME;
		if (s->blank)
			g_ptr_array_set_size(s->headings, 0);
		if (keep_heading(s, text))
			return VERDICT_PASS;
	} else if (s->style == STYLE_MEDIAWIKI) {
		if (s->place == FACTS && g_str_has_prefix(text, "{|"))
			s->place = HEADINGS;
		else if (s->place == HEADINGS && g_str_has_prefix(text, "! ") && keep_heading(s, text + 2))
			return VERDICT_PASS;
		else if (s->place == HEADINGS && !strcmp(text, "|-") && s->headings->len) {
			g_ptr_array_add(s->headings, NULL);
			if (read_headings(s, (char *const *)s->headings->pdata))
				return rows_begin(p, s, l);
		} else if (s->place == HEADINGS && !strcmp(text, "|-")) {
			return VERDICT_PASS;
		}
		if (s->place == HEADINGS)
			return VERDICT_PASS;
	} else {
		cells = bar_cells(s->style, text, s->style == STYLE_DOKUWIKI ? '^' : '|');
		if (cells && read_headings(s, cells))
			return rows_begin(p, s, l);
	}
	end_record(p, s);
	return VERDICT_PASS;
}

static bool is_markdown_rule(const char *text)
{
	return !text[strspn(text, "|-: ")] && strstr(text, "--");
}

static enum verdict row_line(struct parse *p, struct state *s, const struct line *l)
{
	const char *text = l->text;
	g_auto(GStrv) cells = NULL;

	parse_extend(p, s->record, l);
	if (s->style == STYLE_TEXT) {
		text_row(s, text);
		return VERDICT_DATA;
	}
	if ((s->style == STYLE_MEDIAWIKI && !strcmp(text, "|-")) || (s->style == STYLE_MARKDOWN && !s->record->series->len && is_markdown_rule(text)))
		return VERDICT_FRAME;
	if (s->style != STYLE_MEDIAWIKI)
		cells = bar_cells(s->style, text, '|');
	else if (g_str_has_prefix(text, "| "))
		cells = wiki_cells(text);
	if (cells && g_strv_length(cells) == s->columns->len) {
		take_row(s, cells);
		return VERDICT_DATA;
	}
	end_record(p, s);
	return !strcmp(text, "|}") ? VERDICT_FRAME : VERDICT_PASS;
}

/* "tool: …" of any style. */
static bool tool_line(const char *text, enum style *style, const char **line)
{
	static const enum style styles[] = { STYLE_MEDIAWIKI, STYLE_MARKDOWN, STYLE_DOKUWIKI, STYLE_TEXT };

	if (!strstr(text, "tool: "))
		return false;
	for (size_t i = 0; i < G_N_ELEMENTS(styles); i++) {
		*style = styles[i];
		*line = fact_line(*style, text);
		if (*line && g_str_has_prefix(*line, "tool: ") && is_tool(*line + 6))
			return true;
	}
	return false;
}

static void remember(struct state *s, const char *text)
{
	if (s->blank || s->above->len >= MAX_ABOVE)
		g_ptr_array_set_size(s->above, 0);
	g_ptr_array_add(s->above, g_strndup(text, strnlen(text, MAX_TEXT)));
}

static enum verdict report_line(struct parse *p, const struct line *l)
{
	struct state *s = state_of(p);
	enum verdict verdict = VERDICT_PASS;
	enum style style;
	const char *line;

	if (l->flags & LINE_BLANK) {
		s->blank = true;
		if (s->place == ROWS && s->style == STYLE_TEXT) {
			flush_row(s);
			s->place = BETWEEN;
		} else if (s->place == ROWS) {
			end_record(p, s);
		}
		return VERDICT_PASS;
	}
	if (tool_line(l->text, &style, &line))
		facts_begin(p, s, style, line);
	else if (s->place == ROWS)
		verdict = row_line(p, s, l);
	else if (s->place != OUTSIDE)
		verdict = above_rows(p, s, l);
	if (verdict == VERDICT_PASS)
		remember(s, l->text);
	s->blank = false;
	return verdict;
}

static void report_end(struct parse *p)
{
	struct state *s = state_of(p);

	flush_row(s);
	end_record(p, s);
	g_ptr_array_unref(s->above);
	g_ptr_array_unref(s->facts);
	g_ptr_array_unref(s->headings);
	g_ptr_array_unref(s->cells);
	g_array_unref(s->columns);
}

static const char *const tools[] = { NULL };
static const char *const literals[] = { "tool:", NULL };

const struct parser parser_report = {
	.name = "report",
	.summary = "tables that rtreport wrote, as markdown, MediaWiki, DokuWiki or plain text",
	.versions = "rtreport 1",
	.sample = "|      0 | 1179 |       90 |           250 | 182450 |        2 |",
	.tools = tools,
	.literals = literals,
	.complete = true,
	.state_size = sizeof(struct state),
	.line = report_line,
	.end = report_end,
};
