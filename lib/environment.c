/*
 * Environment: scope of what text states (lib/statements.c) over the results of a message; see
 * lib/environment.h.
 *
 * Every fact keeps its place in the stream and when it stopped holding. A mark asks, at the
 * message's end, for each key: what was stated before it and still holds, the nearest first; else
 * what the rest of the message says of the whole set-up.
 */
#include <string.h>
#include "lib/environment.h"
#include "lib/names.h"
#include "lib/pattern.h"
#include "lib/statements.h"

#define MAX_FACTS 1024u                  /* of one message; what comes after is not read */
#define MAX_CONFIG_FACTS 256u           /* of these, kernel options and the like */
#define MAX_MARKS (1u << 20)
#define MAX_CONFIG 64u                  /* config facts of one record */
#define SENTENCE_LIMIT 4096u            /* an unfinished sentence is read up to here */
#define OPEN_LINES 12u                  /* lines that a label without a value may wait for */
#define FOREVER UINT_MAX

enum level {
	LEVEL_BODY = 0,                 /* no heading: holds until something else is said */
	LEVEL_NUMBERED = 7,             /* 1 to 6: Markdown */
	LEVEL_BOLD,
	LEVEL_LINE,
	LEVEL_COLON                     /* a line that ends with a colon */
};

struct held {
	enum statement_key key;
	enum statement_rank rank;
	enum statement_load load;
	const char *name, *text;        /* in the arena */
	unsigned depth, line;
	unsigned at, end;               /* place in the stream; where it stopped holding */
	unsigned block;                 /* marks of this depth before it */
	unsigned epoch;
	unsigned level;                 /* enum level of the heading that states it */
	bool setup; /* of a description of the set-up: holds for the whole message */
	bool command;                   /* a load that a command started */
	int tool_mark; /* the first result below such a command, which may be its own; -1: none */
	bool none; /* said not to be there (a kernel without RT): hides what was said before */
	int own;                        /* belongs to this mark only; -1: none */
};

struct mark {
	unsigned depth, line, at, block, epoch;
	bool late; /* known only some lines after its first: those were read as text */
};

/* Lines of a depth whose places are known: a table is known only at its end. */
#define PLACES 1024u

struct place { unsigned line, at; };

/* What a command prints on its next line. */
struct expected { const char *command; enum statement_key key; const char *name; };

/* One quote depth. */
struct level_state {
	unsigned marks, epoch;
	unsigned closed_marks, closed_level;    /* when headings last ended what others said */
	bool setup;                     /* inside a description of the set-up */
	unsigned setup_level;
	enum open_label open;
	unsigned open_lines;
	bool after_label, after_heading;
	unsigned heading_level, heading_at;
	const struct expected *expected;
	int tool_load; /* fact of a load command that may be the tool under test itself; -1: none */
	GString *sentence;              /* running text since the last full stop */
	unsigned sentence_at;           /* place of its first line */
	guint sentence_facts;           /* first fact of it */
	gsize noted;                    /* length of the line's note without them */
	unsigned paragraph_keys; /* stated by finished sentences of the paragraph, bit per key */
	guint paragraph_facts;          /* first fact of it */
	const char *board; /* the board that the paragraph speaks of, in the arena or a constant */
	bool board_open;                /* it speaks of several */
	struct place place[PLACES];     /* ring */
	unsigned places;
	bool multi[STATEMENT_KEYS];     /* more than one value was stated for different results */
};

struct environment {
	GStringChunk *arena;
	GArray *facts;                  /* struct held */
	GArray *marks;                  /* struct mark */
	struct level_state *depth[TEXT_MAX_DEPTH + 1];
	unsigned at, config_facts;
	GString *note;
	/* Of the line at hand, for facts that it states: */
	struct level_state *state;
	const struct line *line;
	unsigned level;
	enum statement_rank least;      /* rank raised to this */
};

struct environment *environment_new(void)
{
	struct environment *e = g_new0(struct environment, 1);

	e->arena = g_string_chunk_new(1024);
	e->facts = g_array_new(FALSE, TRUE, sizeof(struct held));
	e->marks = g_array_new(FALSE, TRUE, sizeof(struct mark));
	e->note = g_string_new(NULL);
	return e;
}

void environment_free(struct environment *e)
{
	if (!e)
		return;
	for (unsigned i = 0; i <= TEXT_MAX_DEPTH; i++) {
		if (e->depth[i])
			g_string_free(e->depth[i]->sentence, TRUE);
		g_free(e->depth[i]);
	}
	g_string_chunk_free(e->arena);
	g_array_unref(e->facts);
	g_array_unref(e->marks);
	g_string_free(e->note, TRUE);
	g_free(e);
}

static struct held *fact_at(const struct environment *e, guint i)
{
	return &g_array_index(e->facts, struct held, i);
}

static struct level_state *state_get(struct environment *e, unsigned depth)
{
	depth = MIN(depth, TEXT_MAX_DEPTH);
	if (!e->depth[depth]) {
		e->depth[depth] = g_new0(struct level_state, 1);
		e->depth[depth]->sentence = g_string_new(NULL);
		e->depth[depth]->tool_load = -1;
	}
	return e->depth[depth];
}

/* Values */

/* Blanks folded to one, so that a fact is one line. */
static char *fold_blanks(const char *p, size_t len)
{
	GString *s = g_string_sized_new(len);

	for (size_t i = 0; i < len; i++) {
		if (p[i] == ' ' || p[i] == '\t') {
			if (s->len && s->str[s->len - 1] != ' ')
				g_string_append_c(s, ' ');
		} else {
			g_string_append_c(s, p[i]);
		}
	}
	return g_string_free(s, FALSE);
}

static bool same_text(const char *a, const char *b)
{
	return !g_ascii_strcasecmp(a, b);
}

/* The release's number, without words before it: "Linux v3.8.13" is "3.8.13". */
static const char *release(const char *kernel)
{
	const char *p = kernel + strcspn(kernel, "0123456789");

	return *p ? p : kernel;
}

/* One may be the other, told in more detail: 6.1 and 6.1.7-rt5. */
static bool compatible(enum statement_key key, const char *a, const char *b)
{
	if (key == STATEMENT_KERNEL) {
		size_t n;

		a = release(a);
		b = release(b);
		n = MIN(strlen(a), strlen(b));
		return !g_ascii_strncasecmp(a, b, n) && !g_ascii_isdigit(a[n]) &&
		       !g_ascii_isdigit(b[n]);
	}
	if (key == STATEMENT_BOARD || key == STATEMENT_CPU) {
		const char *x = names_canonical(NAME_BOARD | NAME_SOC | NAME_CPU, a),
			   *y = names_canonical(NAME_BOARD | NAME_SOC | NAME_CPU, b);

		if (x && x == y)
			return true;
	}
	return same_text(a, b);
}

/* Adding */

static bool strong(const struct held *f)
{
	return f->rank >= RANK_LIST;
}

static bool is_open(const struct held *f, const struct held *new)
{
	return f->end == FOREVER && f->depth == new->depth && f->epoch == new->epoch && f->own < 0;
}

/* What the new fact says ends what older ones said of another kernel or another machine. */
static void close_older(struct environment *e, const struct held *new)
{
	unsigned kernel_at = FOREVER;

	if (!strong(new))
		return;
	for (guint i = e->facts->len; new->key == STATEMENT_KERNEL && i-- > 0;) {
		struct held *f = fact_at(e, i);

		if (f->key != STATEMENT_KERNEL || !is_open(f, new) || !strong(f))
			continue;
		if (!compatible(STATEMENT_KERNEL, f->text, new->text))
			kernel_at = f->at;
		break;
	}
	for (guint i = 0; i < e->facts->len; i++) {
		struct held *f = fact_at(e, i);
		bool other;

		if (!is_open(f, new) || f->at == new->at)
			continue;
		other = f->block < new->block && !f->setup;
		if (kernel_at != FOREVER && f->at >= kernel_at &&
		    (f->key == STATEMENT_RT || f->key == STATEMENT_COMPILER ||
		     f->key == STATEMENT_KERNEL))
			f->end = new->at;
		else if (other && new->key == STATEMENT_BOARD &&
		         !compatible(f->key, f->text, new->text) &&
		         (f->key == STATEMENT_BOARD || f->key == STATEMENT_CPU ||
		          f->key == STATEMENT_ARCH || f->key == STATEMENT_MEMORY))
			f->end = new->at;
		else if (other && new->key == STATEMENT_ARCH && f->key <= STATEMENT_MEMORY &&
		         f->key != STATEMENT_ARCH && fact_at(e, i)->rank == RANK_HEADING)
			f->end = new->at;
		if (f->key == new->key && strong(f) &&
		    f->block < new->block && new->key != STATEMENT_CONFIG &&
		    !compatible(f->key, f->text, new->text))
			e->state->multi[new->key] = true;
	}
}

static void note_fact(struct environment *e, const struct held *f)
{
	if (e->note->len)
		g_string_append(e->note, "; ");
	if (f->key == STATEMENT_CONFIG || f->name)
		g_string_append_printf(e->note, "%s: %s", f->name, f->text);
	else
		g_string_append_printf(e->note, "%s: %s", statement_key_name(f->key), f->text);
}

static void add_fact(const struct statement *s, void *data)
{
	struct environment *e = data;
	g_autofree char *text = fold_blanks(s->p, s->len);
	struct held f = { .key = s->key,
		          .rank = MAX(s->rank, e->least),
		          .load = s->load,
		          .end = FOREVER,
		          .own = -1,
		          .tool_mark = -1,
		          .level = e->level };

	if (e->facts->len >= MAX_FACTS || !*text ||
	    (s->key == STATEMENT_CONFIG && e->config_facts++ >= MAX_CONFIG_FACTS))
		return;
	f.text = g_string_chunk_insert_const(e->arena, text);
	f.name = *s->name ? g_string_chunk_insert_const(e->arena, s->name) : NULL;
	f.depth = e->line->depth;
	f.line = e->line->last;
	f.at = e->at;
	f.block = e->state->marks;
	f.epoch = e->state->epoch;
	f.setup = e->state->setup;
	close_older(e, &f);
	g_array_append_val(e->facts, f);
	note_fact(e, &f);
}

/* Running text: facts of a sentence that is not finished are read anew with each line of it. */

static void drop_sentence_facts(struct environment *e, struct level_state *d, GArray *old)
{
	for (guint i = d->sentence_facts; i < e->facts->len; i++)
		g_array_append_val(old, *fact_at(e, i));
	g_array_set_size(e->facts, MIN(d->sentence_facts, e->facts->len));
}

/* A paragraph that speaks of two boards says of none that it is the one. */
static bool other_board(struct level_state *d, const struct held *f)
{
	const char *name = names_canonical(NAME_BOARD, f->text);

	if (!name)
		name = f->text;
	if (!d->board)
		d->board = name;
	return strcmp(d->board, name) != 0;
}

static void drop_board(struct environment *e, const struct level_state *d)
{
	for (guint i = d->paragraph_facts; i < e->facts->len;) {
		if (fact_at(e, i)->key == STATEMENT_BOARD && fact_at(e, i)->rank == RANK_SENTENCE)
			g_array_remove_index(e->facts, i);
		else
			i++;
	}
}

/* Facts that the sentence had stated before keep their place; what the paragraph has said already
 * stays. */
static void settle_sentence(struct environment *e, struct level_state *d, const GArray *old)
{
	unsigned seen = d->paragraph_keys;

	/* add_fact noted them all; only the new ones are news. */
	g_string_truncate(e->note, d->noted);
	for (guint i = d->sentence_facts; i < e->facts->len;) {
		struct held *f = fact_at(e, i);
		unsigned bit = f->key == STATEMENT_CONFIG || f->name ? 0 : 1u << f->key;
		bool known = false;

		if (f->key == STATEMENT_BOARD && other_board(d, f))
			d->board_open = true;
		if (seen & bit) {
			g_array_remove_index(e->facts, i);
			continue;
		}
		seen |= bit;
		for (guint k = 0; k < old->len; k++) {
			const struct held *o = &g_array_index(old, struct held, k);

			if (o->key == f->key && !strcmp(o->text, f->text)) {
				f->at = o->at;
				f->line = o->line;
				known = true;
			}
		}
		if (!known)
			note_fact(e, f);
		i++;
	}
	if (d->board_open)
		drop_board(e, d);
	d->noted = e->note->len;
}

static void paragraph_end(struct environment *e, struct level_state *d)
{
	g_string_truncate(d->sentence, 0);
	d->sentence_facts = d->paragraph_facts = e->facts->len;
	d->paragraph_keys = 0;
	d->board = NULL;
	d->board_open = false;
}

/* Reads p[0..len) as (the beginning of) a sentence of the paragraph. */
static void read_sentence(struct environment *e, struct level_state *d, const char *p, size_t len,
                          const GArray *old)
{
	d->sentence_facts = e->facts->len;
	d->noted = e->note->len;
	statements_prose(p, len, add_fact, e);
	settle_sentence(e, d, old);
}

static void read_prose(struct environment *e, struct level_state *d, const char *text, size_t len)
{
	static struct pattern end = PATTERN(
		"^.*(?<!\\.[A-Za-z])[.!?][\"')*]*(?:\\s+(?=[A-Z\"'(\\[*`])|$)");
	GArray *old = g_array_new(FALSE, FALSE, sizeof(struct held));
	struct match m;

	if (d->sentence->len > SENTENCE_LIMIT)
		paragraph_end(e, d);
	if (!d->sentence->len)
		d->sentence_facts = e->facts->len;
	else
		g_string_append_c(d->sentence, ' ');
	g_string_append_len(d->sentence, text, (gssize)len);
	drop_sentence_facts(e, d, old);
	g_string_truncate(e->note, 0);
	if (pattern_match(&end, d->sentence->str, d->sentence->len, 0, &m)) {
		size_t done = (size_t)(m.end - m.begin);

		read_sentence(e, d, d->sentence->str, done, old);
		for (guint i = d->sentence_facts; i < e->facts->len; i++)
			if (!fact_at(e, i)->name)
				d->paragraph_keys |= 1u << fact_at(e, i)->key;
		g_string_erase(d->sentence, 0, (gssize)done);
		d->sentence_facts = e->facts->len;
	}
	if (d->sentence->len)
		read_sentence(e, d, d->sentence->str, d->sentence->len, old);
	g_array_unref(old);
}

/* A line of hardly anything but facts needs no word that ties them to the system. */
static void read_running(struct environment *e, struct level_state *d, const char *text, size_t len)
{
	if (len <= 200 && statements_coverage(text, len) >= (d->setup ? 25 : 60))
		statements_value(text, len, RANK_LIST, add_fact, e);
	else
		read_prose(e, d, text, len);
}

/* Headings */

/* Takes numbering and markup off; *level is the heading's. */
static struct slice heading_text(const struct line *l, unsigned *level)
{
	static struct pattern markdown = PATTERN("^\\s*(#{1,6})\\s+");
	static struct pattern numbered = PATTERN(
		"^\\s*(?:\\(?\\d{1,2}[.):]\\)?\\s*(?=[^\\d\\s])|\\d{1,2}(?:\\.\\d{1,2})+\\.?\\s+"
		"|(?:\xe4\xb8\x80|\xe4\xba\x8c|\xe4\xb8\x89|\xe5\x9b\x9b|\xe4\xba\x94"
		"|\xe5\x85\xad|\xe4\xb8\x83|\xe5\x85\xab|\xe4\xb9\x9d"
		"|\xe5\x8d\x81)+\xe3\x80\x81\\s*)(?=\\S)");
	static struct pattern front_matter = PATTERN("^title:\\s+");
	static struct pattern ruled = PATTERN("^\\s*([=~*_#<>-]{2,})\\s*(?=\\S)");
	static struct pattern comment = PATTERN("^\\s*(?:#|//|/\\*|\\*|;|%)\\s+(?=\\S)");
	struct slice s = { l->text, l->len };
	struct match m;

	*level = LEVEL_LINE;
	if (pattern_match(&markdown, s.p, s.len, 0, &m)) {
		*level = (unsigned)m.group[1].len;
		/* One '#' in front of a short line may as well be a comment. */
		if (*level == 1 &&
		    (l->text[0] == ' ' || (m.end < s.p + s.len && g_ascii_islower(*m.end))))
			*level = LEVEL_LINE;
	} else if (pattern_match(&front_matter, s.p, s.len, 0, &m)) {
		*level = 1;
	} else if (pattern_match(&ruled, s.p, s.len, 0, &m)) {
		*level = s.len > 4 && m.group[1].p[0] == '=' ? 2 : LEVEL_BOLD;
	} else if (!pattern_match(&comment, s.p, s.len, 0, &m)) {
		m.end = s.p;
	}
	s.len -= (size_t)(m.end - s.p);
	s.p = m.end;
	if (pattern_match(&numbered, s.p, s.len, 0, &m)) {
		if (*level == LEVEL_LINE)
			*level = LEVEL_NUMBERED;
		s.len -= (size_t)(m.end - s.p);
		s.p = m.end;
	}
	if (*level == LEVEL_LINE && l->text[l->len - 1] == ':')
		*level = LEVEL_COLON;
	while (s.len && strchr(" \t*_`'\"#=~>", *s.p)) {
		s.p++;
		s.len--;
	}
	while (s.len && strchr(" \t*_`'\"=~:-", s.p[s.len - 1]))
		s.len--;
	return s;
}

/* A heading ends what headings of its own or a lower level said, if a result has used that. */
static void heading_closes(struct environment *e, struct level_state *d, unsigned depth,
                           unsigned level)
{
	/* Since the last time no result has used anything. */
	if (d->closed_marks == d->marks && level >= d->closed_level)
		return;
	d->closed_level = d->closed_marks == d->marks ? MIN(level, d->closed_level) : level;
	d->closed_marks = d->marks;
	for (guint i = 0; i < e->facts->len; i++) {
		struct held *f = fact_at(e, i);

		if (f->end == FOREVER && f->depth == depth && f->level && f->level >= level &&
		    f->block < d->marks)
			f->end = e->at;
	}
}

static bool is_setup(struct slice s)
{
	static struct pattern setup = PATTERN(
		"(?i)\\b(?:set-?up|environment|hardware|specs?|specifications?|details"
		"|configuration|platform|test ?(?:bed|machine|system|scenario)s?|machine"
		"|system info\\w*|sysinfo|\\.config"
		"|about (?:the|this|my|our) (?:\\w+ ){0,4}(?:box|machine|system|board|target))\\b"
		"|\xe6\xb5\x8b\xe8\xaf\x95\xe7\x8e\xaf\xe5\xa2\x83|\xe7\x8e\xaf\xe5\xa2\x83");
	static struct pattern other = PATTERN(
		"(?i)\\b(?:idle|load|loaded|results?|output|latenc\\w+|idle machine)\\b");

	return pattern_match(&setup, s.p, s.len, 0, NULL) &&
	       !pattern_match(&other, s.p, s.len, 0, NULL);
}

/* A short line that is a sentence all the same: it leads in a result, or is the end of a paragraph.
 */
static bool has_verb(struct slice s)
{
	static struct pattern verb = PATTERN(
		"(?i)\\b(?:is|are|was|were|has|have|had|gave|gives?|get|got|shows?|showed|ran"
		"|runs?|see|seen|made|makes?|went|prints?|printed|says?|said|did|does|do|can|got"
		"|reads?|comes?|follows?|use[sd]?|using|measured|booted|tested|tried)\\b");
	struct name_match m;
	unsigned words = 0;

	for (size_t i = 0; i < s.len; i++)
		words += g_ascii_isalnum(s.p[i]) && (i == 0 || s.p[i - 1] == ' ');
	/* "Sequoia - AMCC PPC440EPx Evaluation Board, Rev. F, PCI=33 MHz" */
	if (names_find(s.p, s.len, 0, NAME_BOARD, &m) && m.p == s.p && words <= 12)
		return false;
	return words > 9 || (words > 3 && pattern_match(&verb, s.p, s.len, 0, NULL));
}

/* "Test case: 10000 loops, no load." names a run, however long it is. */
static bool is_test_case(struct slice s)
{
	static struct pattern test = PATTERN(
		"(?i)^(?:test(?: case)?|case|scenario|experiment"
		"|run)(?: ?[\\w.#-]{1,8})? ?[:.)]\\s*\\S");

	return s.len <= 200 && pattern_match(&test, s.p, s.len, 0, NULL);
}

/* A kernel that is said to have no RT: what was said of one before does not hold below. */
static void add_no_rt(struct environment *e)
{
	struct statement s = { .key = STATEMENT_RT, .rank = RANK_HEADING, .p = "none", .len = 4 };
	guint before = e->facts->len;

	add_fact(&s, e);
	if (e->facts->len > before)
		fact_at(e, before)->none = true;
	g_string_truncate(e->note, 0);
}

static void read_heading(struct environment *e, struct level_state *d, const struct line *l)
{
	unsigned level;
	struct slice s = heading_text(l, &level);
	bool sentence = level >= LEVEL_LINE && has_verb(s) && !is_test_case(s);
	bool lead_in = l->len && l->text[l->len - 1] == ':';

	if (!s.len)
		return;
	if (level == LEVEL_LINE && !lead_in && d->sentence->len &&
	    s.p == l->text + strspn(l->text, " ")) {
		read_prose(e, d, l->text, l->len);      /* goes on with the sentence above */
		return;
	}
	if (!lead_in && (sentence || (d->setup && level == LEVEL_LINE))) {
		read_running(e, d, l->text, l->len);
		return;
	}
	paragraph_end(e, d);
	if (!sentence) {
		heading_closes(e, d, l->depth, level);
		if (d->setup && level <= d->setup_level)
			d->setup = false;
	}
	if (is_setup(s) && (lead_in || level < LEVEL_LINE)) {
		d->setup = true;
		d->setup_level = level;
	}
	e->level = sentence ? LEVEL_BODY : level;
	d->heading_level = e->level;
	d->heading_at = e->at;
	statements_heading(s.p, s.len, add_fact, e);
	if (!sentence && statements_not_realtime(s.p, s.len))
		add_no_rt(e);
	e->level = LEVEL_BODY;
}

/* "(MPC-860 at 48 MHz, 4 kB I-Cache)" right below a heading belongs to it. */
static bool below_heading(struct environment *e, struct level_state *d, const struct line *l)
{
	static struct pattern parenthesis = PATTERN("^\\s*\\((.+)\\)[.:]?\\s*$");
	struct match m;

	if (!d->after_heading || !pattern_match(&parenthesis, l->text, l->len, 0, &m))
		return false;
	e->level = d->heading_level;
	statements_value(m.group[1].p, m.group[1].len, RANK_HEADING, add_fact, e);
	e->level = LEVEL_BODY;
	return true;
}

/* Commands and what they print */

static const struct expected expectations[] = {
	{ "uname -r", STATEMENT_KERNEL, NULL },
	{ "uname -m", STATEMENT_ARCH, NULL },
	{ "/proc/xenomai/version", STATEMENT_CONFIG, "Xenomai version" },
	{ "/proc/ipipe/version", STATEMENT_CONFIG, "I-pipe version" },
	{ "scaling_governor", STATEMENT_CONFIG, "governor" },
	{ "current_clocksource", STATEMENT_CONFIG, "clocksource" },
	{ "/sys/kernel/realtime", STATEMENT_CONFIG, "/sys/kernel/realtime" },
	{ "/proc/device-tree/model", STATEMENT_BOARD, NULL },
	{ "/sys/devices/system/cpu/isolated", STATEMENT_CONFIG, "isolcpus" },
};

static bool read_expected(struct environment *e, struct level_state *d, const struct line *l)
{
	static struct pattern value = PATTERN("^\\s*([\\w][\\w.+~,: -]{0,60}?)\\s*$");
	struct statement s = { .rank = RANK_SYSTEM };
	struct match m;

	if (!d->expected || !pattern_match(&value, l->text, l->len, 0, &m)) {
		d->expected = NULL;
		return false;
	}
	s.key = d->expected->key;
	if (d->expected->name)
		g_strlcpy(s.name, d->expected->name, sizeof(s.name));
	s.p = m.group[1].p;
	s.len = m.group[1].len;
	d->expected = NULL;
	add_fact(&s, e);
	return true;
}

/* Programs that make load and that are measured, too. */
static bool may_be_tool(const char *load)
{
	return g_str_has_prefix(load, "hackbench") || g_str_has_prefix(load, "stress-ng") ||
	       g_str_has_prefix(load, "ping");
}

static bool add_load_command(struct environment *e, struct level_state *d, const char *command,
                             enum statement_rank rank)
{
	struct statement s = { .key = STATEMENT_LOAD, .rank = rank };
	guint before = e->facts->len;

	if (!statements_load_command(command, &s.p, &s.len))
		return false;
	add_fact(&s, e);
	if (e->facts->len > before) {
		fact_at(e, before)->command = true;
		d->tool_load = rank < RANK_LABEL && may_be_tool(fact_at(e, before)->text)
		                       ? (int)before
		                       : -1;
	}
	return true;
}

static void end_loads(struct environment *e, unsigned depth)
{
	for (guint i = 0; i < e->facts->len; i++)
		if (fact_at(e, i)->key == STATEMENT_LOAD && fact_at(e, i)->depth == depth &&
		    fact_at(e, i)->end == FOREVER)
			fact_at(e, i)->end = e->at;
}

/* Whether more than a prompt stands around the command: "make -j8 + cyclictest -Smp99", "cyclictest
 * -q against disk I/O". */
static bool around_command(const struct line *l, const char *command)
{
	const char *at = strstr(l->text, command);
	size_t len = strlen(command);

	return at && (memmem(l->text, (size_t)(at - l->text), " + ", 3) ||
	              (at + len < l->text + l->len && at[len] == ' '));
}

/* Load named beside a command holds until something else is said: it is no heading. */
static void add_beside(const struct statement *s, void *data)
{
	struct statement list = *s;

	list.rank = RANK_LIST;
	if (s->load == LOAD_STATED)
		add_fact(&list, data);
}

/* "- Debian PREEMPT_RT kernel: `ping -q host`": what a command on the same line is announced with.
 */
static bool before_command(struct environment *e, const struct line *l, const char *command)
{
	static struct pattern announced = PATTERN("^\\s*(?:[-*+]\\s+)?([^:`]{4,60}):\\s*[`\"']+$");
	const char *at = strstr(l->text, command);
	struct match m;

	if (!at || !pattern_match(&announced, l->text, (size_t)(at - l->text), 0, &m))
		return false;
	return statements_value(m.group[1].p, m.group[1].len, RANK_LIST, add_fact, e);
}

static void read_command(struct environment *e, struct level_state *d, const struct line *l,
                         const char *command)
{
	static struct pattern kill = PATTERN(
		"^(?:sudo\\s+)?(?:killall|pkill)\\s+(?:-\\S+\\s+)*(?:stress|hackbench|dd|iperf"
		"|ping)");

	paragraph_end(e, d);
	d->expected = NULL;
	d->tool_load = -1;
	for (size_t i = 0; i < G_N_ELEMENTS(expectations); i++)
		if (strstr(command, expectations[i].command) && !strchr(command, '>'))
			d->expected = &expectations[i];
	if (pattern_match(&kill, command, strlen(command), 0, NULL))
		end_loads(e, l->depth);
	else if (before_command(e, l, command))
		return;
	else if (!add_load_command(e, d, command, d->open == OPEN_LOAD ? RANK_LABEL : RANK_LIST) &&
	         !statements_system(l->text, l->len, add_fact, e) && around_command(l, command))
		statements_load_beside(l->text, l->len, add_beside, e);
}

/* A command without a prompt that context takes for text: "hackbench -g 12 & (480 tasks)". */
static bool read_bare_load(struct environment *e, struct level_state *d, const struct line *l)
{
	static struct pattern bare = PATTERN(
		"^\\s*(?:[\\w.-]+[#$>]\\s+|[-*+]\\s+`?|`)?((?:sudo\\s+)?(?:(?:taskset|chrt|nice|ionice|nohup)"
		"\\s+(?:-\\S+\\s+|[\\d,x-]+\\s+)*+)?(?:(?:\\./"
		"|/\\S*/)?(?:hackbench|stress|stress-ng|dohell|iperf3?|memtester|cpuburn"
		"|burnP6)\\s+(?:-{1,2}\\w|\\d)|(?:while|for)\\b.*\\bdone\\b|dd\\s+if="
		"|ping\\s+(?:-\\S+\\s+)*-f\\b).*)$");
	struct match m;
	g_autofree char *command = NULL;

	if (!pattern_match(&bare, l->text, l->len, 0, &m))
		return false;
	command = g_strndup(m.group[1].p, m.group[1].len);
	return add_load_command(e, d, command, d->open == OPEN_LOAD ? RANK_LABEL : RANK_LIST);
}

/* Labels whose value stands below them */

static bool read_open(struct environment *e, struct level_state *d, const struct line *l)
{
	static struct pattern item = PATTERN(
		"^\\s*(?:[-*+]\\s+)?(?:\\w[\\w/ ]{0,12}\\s*:\\s+)?(\\S.*)$");
	struct match m;
	g_autofree char *command = NULL;

	if (d->open == OPEN_NONE)
		return false;
	if (!d->open_lines--) {
		d->open = OPEN_NONE;
		return false;
	}
	if (d->open == OPEN_PARAMETERS) {
		if (statements_parameter(l->text, l->len, add_fact, e))
			return true;
		d->open = OPEN_NONE;
		return false;
	}
	if (d->open == OPEN_VALUE)
		return statements_value(l->text, l->len, RANK_LIST, add_fact, e);
	if (!pattern_match(&item, l->text, l->len, 0, &m))
		return false;
	command = g_strndup(m.group[1].p, m.group[1].len);
	return add_load_command(e, d, command, RANK_LABEL);
}

/* Lines */

/* A new comment, a new mail: what was said before is of another post. */
static bool is_boundary(const struct line *l)
{
	static struct pattern boundary = PATTERN(
		"\xc2\xb7 (?:comment|description|review|answer) \xc2\xb7|^(?:Re|RE|AW|Fwd"
		"|FW): \\S|^Message-I[Dd]: ");

	return pattern_match(&boundary, l->text, MIN(l->len, (size_t)200), 0, NULL);
}

static void new_epoch(struct environment *e, struct level_state *d, unsigned depth)
{
	for (guint i = 0; i < e->facts->len; i++) {
		struct held *f = fact_at(e, i);

		if (f->depth == depth && f->end == FOREVER && f->rank != RANK_SUBJECT)
			f->end = e->at;
	}
	d->epoch++;
	d->setup = false;
	d->open = OPEN_NONE;
	memset(d->multi, 0, sizeof(d->multi));
	paragraph_end(e, d);
}

static bool read_bullet(struct environment *e, struct level_state *d, const struct line *l)
{
	static struct pattern bullet = PATTERN(
		"^\\s*(?:[-*+]|\xe2\x80\xa2|\xc2\xb7|o)\\s+(\\S.*)$");
	static struct pattern order = PATTERN(
		"(?i)^(?:take|use|install|try|get|download|run|set|boot|build|compile|make|add"
		"|check|see|open|start|apply|copy|clone)\\b");
	struct match m;
	unsigned words = 0;

	if (!pattern_match(&bullet, l->text, l->len, 0, &m))
		return false;
	paragraph_end(e, d);
	for (size_t i = 0; i < m.group[1].len; i++)
		words += m.group[1].p[i] != ' ' && (i == 0 || m.group[1].p[i - 1] == ' ');
	if (pattern_match(&order, m.group[1].p, m.group[1].len, 0, NULL))
		return true;
	if (words <= 10)
		statements_value(m.group[1].p, m.group[1].len, RANK_LIST, add_fact, e);
	else
		read_running(e, d, m.group[1].p, m.group[1].len);
	return true;
}

/* Whether the line goes on with the value of a label above it. */
static bool goes_on(const struct level_state *d, const struct line *l)
{
	return d->after_label && l->len &&
	       (l->text[0] == ' ' || l->text[0] == '(' || g_ascii_islower(l->text[0]));
}

/* "# idle": a short comment, also within a paragraph. */
static bool is_comment_heading(const struct line *l)
{
	static struct pattern comment = PATTERN("^\\s*(?:#{1,6}|//)\\s+\\w[^.]{1,60}$");

	return pattern_match(&comment, l->text, l->len, 0, NULL);
}

static void read_text(struct environment *e, struct level_state *d, const struct line *l,
                      enum line_role role)
{
	enum open_label open = OPEN_NONE;
	bool heading_above = d->after_heading, label_above = d->after_label;

	if (!strncmp(l->text, "![", 2))         /* a picture */
		return;
	if (is_boundary(l)) {
		new_epoch(e, d, l->depth);
		return;
	}
	if (read_expected(e, d, l))
		return;
	if (statements_system(l->text, l->len, add_fact, e)) {
		paragraph_end(e, d);
		return;
	}
	if (read_bare_load(e, d, l) || read_open(e, d, l))
		return;
	d->after_heading = heading_above;
	if (below_heading(e, d, l))
		return;
	if (statements_label(l->text, l->len, &open, add_fact, e)) {
		if (open != OPEN_NONE) {
			d->open = open;
			d->open_lines = OPEN_LINES;
		}
		d->after_label = true;
		d->after_heading = false;
		g_string_truncate(d->sentence, 0);
		d->sentence_facts = e->facts->len;
		return;
	}
	d->after_label = label_above;
	if (goes_on(d, l) && statements_value(l->text, l->len, RANK_LIST, add_fact, e))
		return;
	d->after_label = false;
	if (read_bullet(e, d, l)) {
		d->after_heading = false;
		return;
	}
	if (role == ROLE_HEADING || is_comment_heading(l) ||
	    is_test_case((struct slice){ l->text, l->len })) {
		read_heading(e, d, l);
		d->after_heading = true;
		return;
	}
	d->after_heading = false;
	read_running(e, d, l->text, l->len);
	if (l->len && l->text[l->len - 1] == ':' && is_setup((struct slice){ l->text, l->len })) {
		d->setup = true;
		d->setup_level = LEVEL_LINE;
	}
}

/* "MemTotal: 256012 kB" has the look of a row of a table. */
static void read_data_label(struct environment *e, const struct line *l)
{
	static struct pattern label = PATTERN(
		"^\\s*(?:MemTotal|Memory|RAM|CPU|Processor|cpu MHz)\\s*:[^|]*$");
	enum open_label open;

	if (pattern_match(&label, l->text, MIN(l->len, (size_t)200), 0, NULL))
		statements_label(l->text, l->len, &open, add_fact, e);
}

/* Rows of a tool: only what the tool prints of the system. */
static void read_data(struct environment *e, struct level_state *d, const struct line *l)
{
	guint first = e->facts->len;
	const struct mark *last = NULL;

	paragraph_end(e, d);
	d->open = OPEN_NONE;
	d->expected = NULL;
	d->after_label = d->after_heading = false;
	read_data_label(e, l);
	if (!memmem(l->text, l->len, "version", 7) && !memmem(l->text, l->len, "\"release\"", 9) &&
	    !memmem(l->text, l->len, "\"machine\"", 9))
		return;
	statements_system(l->text, MIN(l->len, (size_t)4096), add_fact, e);
	for (guint i = e->marks->len; i-- > 0 && !last;)
		if (g_array_index(e->marks, struct mark, i).depth == l->depth)
			last = &g_array_index(e->marks, struct mark, i);
	if (last && (memchr(l->text, '{', l->len) || l->text[strspn(l->text, " ")] == '"' ||
	             last->line == l->first))
		for (guint i = first; i < e->facts->len; i++)
			fact_at(e, i)->own = (int)(last - &g_array_index(e->marks, struct mark, 0));
}

/* A line of '=' or '-' below a heading gives it its level. */
static void underline(struct environment *e, struct level_state *d, const struct line *l)
{
	const char *first = l->text + strspn(l->text, " ");
	unsigned level = *first == '=' ? 1 : 2;

	if (!d->after_heading || d->heading_at + 1 != e->at || !d->heading_level ||
	    (*first != '=' && *first != '-') || first[strspn(first, "=-")])
		return;
	heading_closes(e, d, l->depth, level);
	for (guint i = e->facts->len; i-- > 0 && fact_at(e, i)->at >= d->heading_at;)
		if (fact_at(e, i)->at == d->heading_at && fact_at(e, i)->level)
			fact_at(e, i)->level = level;
	d->heading_level = level;
}

const char *environment_line(struct environment *e, const struct line *l, enum line_role role,
                             const char *command)
{
	struct level_state *d = state_get(e, l->depth);

	e->at++;
	if (d->places && d->place[(d->places - 1) % PLACES].line > l->first)
		d->places = 0;                  /* another part of the message */
	d->place[d->places++ % PLACES] = (struct place){ l->first, e->at };
	e->state = d;
	e->line = l;
	e->level = LEVEL_BODY;
	g_string_truncate(e->note, 0);
	switch (role) {
	case ROLE_BLANK:
		paragraph_end(e, d);
		d->after_label = d->after_heading = false;
		break;
	case ROLE_DATA:
		read_data(e, d, l);
		break;
	case ROLE_COMMAND:
		read_command(e, d, l, command ? command : l->text);
		d->after_label = d->after_heading = false;
		break;
	case ROLE_RULE:
		underline(e, d, l);
		break;
	case ROLE_SIGNATURE:
		break;
	case ROLE_PROSE:
	case ROLE_HEADING:
		read_text(e, d, l, role);
		break;
	}
	return e->note->len ? e->note->str : NULL;
}

static void add_subject_fact(const struct statement *s, void *data)
{
	struct statement subject = *s;
	bool suffix = false;

	if (s->key == STATEMENT_LOAD || s->key == STATEMENT_RT || s->key == STATEMENT_CONFIG)
		return;
	for (size_t i = 0; i < s->len; i++)
		suffix |= g_ascii_isalpha(s->p[i]);
	if (s->key == STATEMENT_KERNEL && !suffix)
		return;
	subject.rank = RANK_SUBJECT;
	add_fact(&subject, data);
}

void environment_subject(struct environment *e, const char *subject)
{
	static struct pattern reply = PATTERN(
		"(?i)^\\s*(?:\\[[^\\]]*\\]\\s*)*(?:re|aw|sv|fwd?|antw)(?:\\[\\d+\\])?:"
		"|\\bpatch\\b");
	static struct pattern several = PATTERN(
		"(?i)\\b(?:and|or|vs\\.?|versus|compared|comparison)\\b|\\w/\\w");
	static struct pattern tags = PATTERN("^\\s*(?:\\[[^\\]]*\\]\\s*)*");
	struct line l = { .text = subject };
	struct match m;

	if (!subject || pattern_match(&reply, subject, strlen(subject), 0, NULL) ||
	    pattern_match(&several, subject, strlen(subject), 0, NULL))
		return;
	e->line = &l;
	e->state = state_get(e, 0);
	if (!pattern_match(&tags, subject, strlen(subject), 0, &m))
		m.end = subject;
	statements_heading(m.end, strlen(m.end), add_subject_fact, e);
}

/* The place just before line `line`: a result may be known only some lines after its first. */
static unsigned place_of(const struct level_state *d, unsigned line, unsigned now)
{
	/* Pieces of a flattened text are of one line: then the result begins here. */
	if (!d->places || d->place[(d->places - 1) % PLACES].line == line)
		return now;
	for (unsigned i = d->places; i > 0 && d->places - i < PLACES; i--) {
		const struct place *p = &d->place[(i - 1) % PLACES];

		if (p->line < line)
			break;
		now = p->at - 1;
	}
	return now;
}

void environment_range(struct environment *e, unsigned mark, unsigned first, unsigned last)
{
	const struct mark *m;

	if (mark >= e->marks->len)
		return;
	m = &g_array_index(e->marks, struct mark, mark);
	for (guint i = 0; m->late && i < e->facts->len; i++) {
		struct held *f = fact_at(e, i);

		if (f->depth == m->depth && f->at > m->at && f->at <= m->at + (last - first) + 1 &&
		    f->line >= first && f->line <= last && f->rank < RANK_SYSTEM && f->own < 0)
			f->end = f->at = 0;
	}
}

unsigned environment_mark(struct environment *e, unsigned depth, unsigned line)
{
	struct level_state *d = state_get(e, depth);
	struct mark m = { .depth = depth, .line = line, .epoch = d->epoch };

	if (e->marks->len >= MAX_MARKS)
		return MAX_MARKS - 1;
	if (d->tool_load >= 0)
		fact_at(e, (guint)d->tool_load)->tool_mark = (int)e->marks->len;
	d->tool_load = -1;
	m.at = place_of(d, line, e->at);
	m.late = m.at != e->at;
	m.block = d->marks++;
	for (guint i = 0; i < e->facts->len; i++)
		if (fact_at(e, i)->depth == depth && fact_at(e, i)->at > m.at)
			fact_at(e, i)->block = d->marks;
	d->setup = false;
	paragraph_end(e, d);
	g_array_append_val(e->marks, m);
	return e->marks->len - 1;
}

/* Asking */

static bool of_machine(enum statement_key k)
{
	return k <= STATEMENT_MEMORY;
}

static bool same_group(enum statement_key a, enum statement_key b)
{
	return a == b || (a != STATEMENT_CONFIG && b != STATEMENT_CONFIG && a != STATEMENT_LOAD &&
	                  b != STATEMENT_LOAD && of_machine(a) == of_machine(b));
}

static bool is_before(const struct held *f, const struct mark *m)
{
	return f->depth == m->depth && f->epoch == m->epoch && f->at <= m->at && m->at < f->end &&
	       f->own < 0 && f->rank != RANK_SUBJECT;
}

/* Said after the result, of the set-up as a whole. */
static bool is_after(const struct environment *e, const struct held *f, const struct mark *m)
{
	const struct level_state *d = e->depth[MIN(m->depth, TEXT_MAX_DEPTH)];

	if (f->depth != m->depth || f->epoch != m->epoch || f->at <= m->at || !f->at ||
	    f->own >= 0 || f->rank == RANK_SUBJECT || f->level)
		return false;
	if (f->rank == RANK_LIST && !f->setup && f->key != STATEMENT_LOAD)
		return false;
	return f->setup || f->block == d->marks;
}

/* The better of two that were said before: the later result's, then the surer, then the nearer. */
static const struct held *nearer(const struct held *a, const struct held *b)
{
	if (!a)
		return b;
	if (a->block != b->block)
		return a->block > b->block ? a : b;
	if (strong(a) != strong(b))
		return strong(a) ? a : b;
	return a->at > b->at ? a : b;
}

/* "Raspberry Pi 1 model B" begins with the words "Raspberry Pi". */
static bool begins_with_words(const char *text, const char *words)
{
	size_t n = strlen(words);

	return !g_ascii_strncasecmp(text, words, n) && text[n] == ' ';
}

static const struct held *choose_before(const struct environment *e, const struct mark *m,
                                        enum statement_key key, const char *name)
{
	const struct held *best = NULL;

	for (guint i = 0; i < e->facts->len; i++) {
		const struct held *f = fact_at(e, i);

		if (f->key != key || g_strcmp0(f->name, name) || !is_before(f, m))
			continue;
		best = nearer(best, f);
	}
	/* The same, told in more detail before. */
	for (guint i = 0; best && key == STATEMENT_KERNEL && i < e->facts->len; i++) {
		const struct held *f = fact_at(e, i);

		if (f->key == key && is_before(f, m) && strong(f) &&
		    compatible(key, f->text, best->text) &&
		    strlen(release(f->text)) > strlen(release(best->text)) &&
		    f->rank == RANK_SYSTEM)
			best = f;
	}
	for (guint i = 0; best && (key == STATEMENT_BOARD || key == STATEMENT_CPU) && i < e->facts->len; i++) {
		const struct held *f = fact_at(e, i);

		if (f->key == key && is_before(f, m) && f->epoch == best->epoch && begins_with_words(f->text, best->text))
			best = f;
	}
	return best;
}

static bool group_known(const struct environment *e, const struct mark *m, enum statement_key key)
{
	for (guint i = 0; i < e->facts->len; i++) {
		const struct held *f = fact_at(e, i);

		if (f->key != key && same_group(f->key, key) && is_before(f, m) && strong(f) &&
		    !f->setup)
			return true;
	}
	return false;
}

static const struct held *choose_after(const struct environment *e, const struct mark *m,
                                       enum statement_key key, const char *name)
{
	const struct level_state *d = e->depth[MIN(m->depth, TEXT_MAX_DEPTH)];

	for (guint i = 0; i < e->facts->len; i++) {
		const struct held *f = fact_at(e, i);

		if (f->key != key || g_strcmp0(f->name, name) || !is_after(e, f, m))
			continue;
		if (key != STATEMENT_CONFIG && d->multi[key])
			return NULL;
		if (key != STATEMENT_CONFIG && !f->setup && group_known(e, m, key) &&
		    f->rank < RANK_LABEL)
			return NULL;
		return f;
	}
	return NULL;
}

static const struct held *choose(const struct environment *e, unsigned mark, enum statement_key key,
                                 const char *name)
{
	const struct mark *m = &g_array_index(e->marks, struct mark, mark);
	const struct held *before, *after;

	for (guint i = 0; i < e->facts->len; i++) {
		const struct held *f = fact_at(e, i);

		if (f->own == (int)mark && f->key == key && !g_strcmp0(f->name, name))
			return f;
	}
	before = choose_before(e, m, key, name);
	if (before && strong(before))
		return before;
	after = choose_after(e, m, key, name);
	if (after && (!before || (strong(after) && after->setup)))
		return after;
	if (before)
		return before;
	for (guint i = 0; i < e->facts->len; i++) {
		const struct held *f = fact_at(e, i);

		if (f->rank == RANK_SUBJECT && f->key == key && !group_known(e, m, key))
			return f;
	}
	return NULL;
}

/* Load: the heading's word, then what was started, then what the text says. */

static const struct held *load_where(const struct environment *e, const struct mark *m,
                                     bool heading)
{
	const struct held *best = NULL;

	for (guint i = 0; i < e->facts->len; i++) {
		const struct held *f = fact_at(e, i);

		if (f->key != STATEMENT_LOAD || !is_before(f, m) ||
		    (f->rank == RANK_HEADING) != heading)
			continue;
		if (heading || !best || f->block != best->block || (!best->command && f->command) ||
		    f->rank > best->rank)
			best = f;
	}
	return best;
}

static const struct held *load_described(const struct environment *e, const struct mark *m)
{
	const struct held *best = load_where(e, m, false);

	for (guint i = 0; !best && i < e->facts->len; i++) {
		const struct held *f = fact_at(e, i);

		if (f->key == STATEMENT_LOAD && is_after(e, f, m) && f->rank != RANK_HEADING &&
		    !f->command)
			best = f;
	}
	return best;
}

static const struct held *choose_load(const struct environment *e, const struct mark *m)
{
	const struct held *heading = load_where(e, m, true), *described = load_described(e, m);

	if (!heading)
		return described;
	if (heading->load == LOAD_UNNAMED && described && described->load == LOAD_STATED)
		return described;
	/* A load that was started since is nearer than the heading. */
	if (described && described->command && described->at > heading->at)
		return described;
	return heading;
}

/* The other loads that ran beside the first one. */
static void further_loads(const struct environment *e, const struct mark *m,
                          const struct held *first, struct record *r)
{
	static const char *const names[] = { "load 2", "load 3", "load 4" };
	size_t n = 0;

	if (!first->command)
		return;
	for (guint i = 0; n < G_N_ELEMENTS(names) && i < e->facts->len; i++) {
		const struct held *f = fact_at(e, i);

		if (f->key == STATEMENT_LOAD && f->command && f != first &&
		    f->block == first->block && f->at > first->at && is_before(f, m) &&
		    strcmp(f->text, first->text) && !facts_get(r->config, names[n]))
			facts_set_text(r, r->config, names[n++], f->text, f->line);
	}
}

/* Rows or columns of the result are kernels, boards: then no one of them is the result's. */
static bool varies_inside(const struct record *r, enum statement_key key)
{
	for (guint i = 0; i < r->series->len; i++) {
		const struct series *s = g_ptr_array_index(r->series, i);

		if (s->name &&
		    (key == STATEMENT_KERNEL
		             ? statements_is_kernel(s->name)
		             : names_canonical(NAME_BOARD | NAME_SOC | NAME_CPU, s->name) != NULL))
			return true;
		for (guint k = 0; k < s->labels->len; k++) {
			const struct fact *f = &g_array_index(s->labels, struct fact, k);

			if (f->text && (key == STATEMENT_KERNEL
			                        ? statements_is_kernel(f->text)
			                        : names_canonical(NAME_BOARD | NAME_SOC | NAME_CPU,
			                                          f->text) != NULL))
				return true;
		}
	}
	return false;
}

/* A table that sets real-time variants side by side is of none of them. */
static bool compares_variants(const struct record *r)
{
	static struct pattern variant = PATTERN(
		"(?i)\\b(?:vanilla|preem?pt?[-_ ]?rt|i-?pipe|adeos|xenomai|rtai|rt-v\\d)"
		"|^-?\\d*RT\\b|\\bRT$");

	if (strcmp(r->tool, "table") && strcmp(r->tool, "ping"))
		return false;
	for (guint i = 0; i < r->series->len; i++) {
		const struct series *s = g_ptr_array_index(r->series, i);

		if (s->name && pattern_match(&variant, s->name, strlen(s->name), 0, NULL))
			return true;
		for (guint k = 0; k < s->labels->len; k++) {
			const struct fact *f = &g_array_index(s->labels, struct fact, k);

			if (f->text && pattern_match(&variant, f->text, strlen(f->text), 0, NULL))
				return true;
		}
	}
	return false;
}

static void set_fact(struct record *r, const struct held *f)
{
	const char *key = statement_key_name(f->key);

	if (f->none)
		return;
	if (f->key == STATEMENT_CONFIG || (f->name && facts_get(r->environment, key))) {
		const char *name = record_text(r, f->name, -1);

		if (!facts_get(r->config, name) && r->config->len < MAX_CONFIG)
			facts_set_text(r, r->config, name, f->text, f->line);
	} else if (!facts_get(r->environment, key)) {
		facts_set_text(r, r->environment, key, f->text, f->line);
	}
}

/* Two labels or lines of the system that cannot both be true, with no result between them. */
static void flag_conflict(const struct environment *e, const struct mark *m,
                          const struct held *chosen, struct record *r)
{
	g_autofree char *says = NULL;

	if (chosen->rank < RANK_LABEL ||
	    (chosen->key != STATEMENT_KERNEL && chosen->key != STATEMENT_ARCH))
		return;
	for (guint i = 0; i < e->facts->len; i++) {
		const struct held *f = fact_at(e, i);

		if (f->key != chosen->key || f->rank < RANK_LABEL || f->depth != m->depth ||
		    f->epoch != m->epoch || f->own >= 0 || f->block != chosen->block || !f->at ||
		    f->at > m->at || compatible(f->key, f->text, chosen->text))
			continue;
		says = g_strdup_printf("line %u says otherwise: %s", f->line, f->text);
		record_flag(r, FLAG_ENVIRONMENT_CONFLICT, "/environment/%s", says,
		            statement_key_name(f->key));
		return;
	}
}

static void apply_named(struct environment *e, unsigned mark, struct record *r,
                        enum statement_key key)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < e->facts->len; i++) {
		const struct held *f = fact_at(e, i);
		const struct held *chosen;

		if (r->config->len >= MAX_CONFIG)
			break;
		if (f->key != key || !f->name || !g_hash_table_add(seen, (gpointer)f->name))
			continue;
		chosen = choose(e, mark, key, f->name);
		if (chosen)
			set_fact(r, chosen);
	}
}

/* "hackbench" before a result of hackbench is no load but the program that was measured. */
static void settle_tools(struct environment *e, unsigned mark, const struct record *r)
{
	for (guint i = 0; i < e->facts->len; i++) {
		struct held *f = fact_at(e, i);

		if (f->tool_mark >= 0 && (unsigned)f->tool_mark <= mark &&
		    !strncmp(f->text, r->tool, strcspn(f->text, " ")) &&
		    f->end > g_array_index(e->marks, struct mark, mark).at)
			f->end = f->at;
	}
}

void environment_apply(struct environment *e, unsigned mark, struct record *r)
{
	const struct mark *m;
	const struct held *load;
	bool kernels, machines;

	if (mark >= e->marks->len)
		return;
	m = &g_array_index(e->marks, struct mark, mark);
	settle_tools(e, mark, r);
	kernels = varies_inside(r, STATEMENT_KERNEL) || compares_variants(r);
	machines = varies_inside(r, STATEMENT_BOARD);
	for (enum statement_key key = 0; key < STATEMENT_LOAD; key++) {
		const struct held *f = choose(e, mark, key, NULL);

		if (!f || (kernels && (key == STATEMENT_KERNEL || key == STATEMENT_RT)) ||
		    (machines && (key == STATEMENT_BOARD || key == STATEMENT_CPU) && !strong(f)))
			continue;
		set_fact(r, f);
		flag_conflict(e, m, f, r);
	}
	load = choose_load(e, m);
	if (load && !g_str_has_prefix(load->text, r->tool)) {
		set_fact(r, load);
		further_loads(e, m, load, r);
	}
	if (!kernels)
		apply_named(e, mark, r, STATEMENT_RT);
	apply_named(e, mark, r, STATEMENT_CONFIG);
}
