/* Row shapes: finding and judging row starts. */
#include <string.h>
#include <glib.h>

#include "lib/number.h"
#include "lib/parser.h"
#include "lib/pattern.h"
#include "lib/shape.h"

#define MAX_PREFIX 240u         /* a longer one is text */
#define FLAT_LINE 300u          /* no line of source code or shell is so long: it is several that lost their ends */
#define MAX_TRIES 64u           /* row starts looked at per shape and line before it is given up */

struct shape {
	struct shape_ref ref;
	unsigned flags;
	char must[24];                  /* bytes that `start` cannot match without; "" when not known */
	size_t must_len;
	struct pattern start, full, more;
};

static GArray *shapes;          /* struct shape, in the table's order */

/* The last byte of the group, class, repeat count or escape that begins at p; p itself when it is none. */
static const char *skip_construct(const char *p)
{
	unsigned depth = 0;
	char end = *p == '[' ? ']' : *p == '{' ? '}' : 0;

	if (*p == '\\')
		return p[1] ? p + 1 : p;
	if (end) {
		while (p[1] && *p != end)
			p += p[1] == '\\' && p[2] ? 2 : 1;
		return p;
	}
	if (*p != '(')
		return p;
	for (; p[0] && p[1]; p++) {
		if (*p == '\\')
			p++;
		else if (*p == '[' && p[1] != ']')
			p = skip_construct(p);
		else if (*p == '(')
			depth++;
		else if (*p == ')' && !--depth)
			return p;
	}
	return p;
}

/* How rare a byte is in text. */
static unsigned rarity(unsigned char c)
{
	if (c == ' ')
		return 1;
	if (g_ascii_islower(c))
		return strchr("etaoinsrhl", c) ? 2 : 4;
	if (g_ascii_isdigit(c) || c == '.' || c == ',')
		return 5;
	return strchr("-=:_()", c) ? 6 : g_ascii_isupper(c) ? 8 : 9;
}

/* A run of literal bytes is over: the rarest one is kept. */
static void keep_run(struct shape *s, const char *run, size_t n, unsigned *best)
{
	unsigned rare = 0;

	for (size_t i = 0; i < n; i++)
		rare += rarity((unsigned char)run[i]);
	if (rare <= *best)
		return;
	*best = rare;
	memcpy(s->must, run, n);
	s->must_len = n;
}

/* Whether a count as in "x{2,3}" stands at p; other braces stand for themselves. */
static bool is_count(const char *p)
{
	return *p == '{' && g_ascii_isdigit(p[1]);
}

/*
 * The rarest run of literal bytes at top level of a pattern: a row start without it needs no
 * regular expression. Gives up ("") on anything that is not plainly a sequence.
 */
static void find_must(const char *source, struct shape *s)
{
	char run[sizeof s->must];
	size_t n = 0;
	unsigned best = 0;

	if (strstr(source, "(?i"))
		return;
	for (const char *p = source; ; p++) {
		char c = *p;
		bool literal = c && (c == '{' ? !is_count(p) : !strchr(".*+?[](){}^$\\|", c));
		bool escaped = c == '\\' && p[1] && !g_ascii_isalnum(p[1]);

		if (c == '|') {
			s->must_len = 0;        /* alternatives: none of it must be there */
			return;
		}
		if (escaped) {
			c = *++p;
			literal = true;
		}
		if (literal && (p[1] == '?' || p[1] == '*' || is_count(p + 1)))
			literal = false;
		if (literal && n < sizeof run - 1) {
			run[n++] = c;
			continue;
		}
		keep_run(s, run, n, &best);
		n = 0;
		if (!*p)
			return;
		p = literal || escaped ? p : skip_construct(p);
	}
}

/*
 * By which pairs of bytes that must stand in a row's start a shape is found: one look at each pair of a line tells which few
 * shapes may begin in it. A shape has up to two such pairs, the rarest ones; one without is looked for in any line.
 */
#define SHAPE_WORDS 4u                  /* uint64_t; a bit per shape */
#define PAIRS 2u
struct shape_set { uint64_t bits[SHAPE_WORDS]; };
static struct shape_set always[PAIRS];  /* shapes without a first, without a second pair */
static GArray *quiet;                   /* guint: quiet shapes */
static GArray *lone;                    /* guint: shapes that have one byte that must stand there instead of a pair */
static uint8_t pair_class[1u << 16];    /* by pair: its class; 0: of no shape */
static struct shape_set class_set[UINT8_MAX + 1][PAIRS];

static unsigned pair_of(const char *p)
{
	return (unsigned)(unsigned char)p[0] << 8 | (unsigned char)p[1];
}

static void set_add(struct shape_set *set, guint i)
{
	set->bits[i / 64] |= (uint64_t)1 << i % 64;
}

static void set_remove(struct shape_set *set, guint i)
{
	set->bits[i / 64] &= ~((uint64_t)1 << i % 64);
}

static bool set_has(const struct shape_set *set, guint i)
{
	return set->bits[i / 64] >> i % 64 & 1;
}

/* The rarest pair of the shape's bytes that is not the one at `but`; its offset, must_len when there is none. */
static size_t rarest_pair(const struct shape *s, size_t but)
{
	size_t found = s->must_len;
	unsigned rare = 0;

	for (size_t k = 0; k + 1 < s->must_len; k++) {
		unsigned r = rarity((unsigned char)s->must[k]) + rarity((unsigned char)s->must[k + 1]);

		if (r > rare && k != but) {
			rare = r;
			found = k;
		}
	}
	return found;
}

static void index_shape(const struct shape *s, guint i, unsigned *classes)
{
	size_t at = s->must_len;

	if (s->flags & SHAPE_QUIET)
		g_array_append_val(quiet, i);
	if (s->must_len == 1)
		g_array_append_val(lone, i);
	for (unsigned n = 0; n < PAIRS; n++) {
		uint8_t *class;

		at = rarest_pair(s, at);
		if (at == s->must_len) {
			set_add(&always[n], i);
			continue;
		}
		class = &pair_class[pair_of(s->must + at)];
		if (!*class)
			*class = (uint8_t)++*classes;
		g_assert(*classes <= UINT8_MAX);
		set_add(&class_set[*class][n], i);
	}
}

static void shapes_make(void)
{
	GArray *made = g_array_new(FALSE, TRUE, sizeof(struct shape));
	unsigned classes = 0;

	for (int i = 0; parsers[i]; i++) {
		for (int j = 0; parsers[i]->shapes && parsers[i]->shapes[j].start; j++) {
			const struct row_shape *r = &parsers[i]->shapes[j];
			struct shape s = { .ref = { i, j }, .flags = r->flags,
			                   .start = PATTERN(r->start), .full = PATTERN(r->full), .more = PATTERN(r->more) };

			find_must(r->start, &s);
			g_array_append_val(made, s);
		}
		if (i >= (int)TEXT_MAX_PARSERS)
			g_error("more than %u parsers", TEXT_MAX_PARSERS);
	}
	lone = g_array_new(FALSE, FALSE, sizeof(guint));
	quiet = g_array_new(FALSE, FALSE, sizeof(guint));
	g_assert(made->len <= SHAPE_WORDS * 64);
	for (guint i = 0; i < made->len; i++)
		index_shape(&g_array_index(made, struct shape, i), i, &classes);
	shapes = made;
}

static void shapes_get(void)
{
	static gsize once;

	if (g_once_init_enter(&once)) {
		shapes_make();
		g_once_init_leave(&once, 1);
	}
}

#define SHAPE(i) g_array_index(shapes, struct shape, (i))

/*
 * What logs, lists, terminals and pastebins put before a row: any number of these, then the row. Possessive, so that no
 * prefix is taken apart in more than one way.
 */
static struct pattern log_prefix = PATTERN(
	"^(?>\\s*(?>"
	"\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d(?::\\d\\d(?:[.,]\\d+)?)?(?:Z|\\s?[+-]\\d\\d:?\\d\\d)?"
	"|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\\s+\\d{1,2}\\s+\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?(?:\\s+[\\w.-]+(?=\\s))?"
	"|\\d\\d:\\d\\d(?::\\d\\d)?(?:[.,]\\d+)?(?![\\d:])"
	"|[\\w.-]{1,60}+ (?:kernel|[\\w.@/-]{1,60}+\\[\\d+\\]):"        /* the host's name, of journals */
	"|[\\w.@/-]{1,60}+(?:\\[\\d+\\])?:"
	"|[\\w.-]{1,60}+\\s+\\|"
	"|(?:INFO|DEBUG|WARN(?:ING)?|ERROR|NOTICE|stdout|stderr)\\b(?:\\s*-)?"
	"|\\d{1,6}+[.):]?"
	"|\\[[^\\]]{1,60}\\]|\\([\\d.:]+\\)|<\\d{1,3}>"
	"|->|<(?=\\s)"                                         /* serial monitors; diff */
	"|\\*\\*|\\^C|[-+|`_]|\xe2\x80\xa2|\xe2\x94\x82"
	"))++\\s*$");
/* A prompt whose command line was overwritten by, or glued to, the output. */
static struct pattern prompt_prefix = PATTERN("^\\s*(?:\\[?[\\w.-]+@[\\w.-]+[^#$%>]{0,80}|[~/][^\\s#$%>]*\\s?|bash-[\\d.]+)[#$%>]\\s*$");
/* A comment sign: at the line's beginning, or behind a blank later on (not that of an address). */
static struct pattern comment_prefix = PATTERN("^\\s*(?:#|//|/?\\*(?!\\*)|;|--\\s|dnl\\b|REM\\b)|\\s(?:#|//|/\\*)");

static bool odd_quotes(const char *s, size_t len)
{
	unsigned twice = 0, once = 0;

	for (size_t i = 0; i < len; i++) {
		if (len - i >= 3 && (!memcmp(s + i, "\"\"\"", 3) || !memcmp(s + i, "'''", 3))) {
			i += 2;         /* a text in triple quotes begins: its lines are bare */
			continue;
		}
		if (s[i] == '"')
			twice++;
		else if (s[i] == '\'' && !(i && g_ascii_isalpha(s[i - 1])))
			once++;
	}
	return twice % 2 || once % 2;
}

/* In text that lost its line ends only the sign right before a row says anything: all others are of other lines. */
static struct pattern near_comment = PATTERN("(?:^|\\s)(?:#|//|/?\\*)\\s*$");
static struct pattern near_quote = PATTERN("(?:^|[\\s(=,])[\"']\\s*$");

static enum prefix judge_text(const char *s, size_t len)
{
	size_t near = MIN(len, 24);

	if (pattern_match(&near_comment, s + len - near, near, 0, NULL))
		return PREFIX_COMMENT;
	return pattern_match(&near_quote, s + len - near, near, 0, NULL) ? PREFIX_QUOTED : PREFIX_PROSE;
}

/* whole: s is the line's beginning. flat: the line is one that lost line ends. */
static enum prefix judge_prefix(const char *s, size_t len, bool whole, bool flat)
{
	size_t blank = 0;

	while (blank < len && s[blank] == ' ')
		blank++;
	if (blank == len)
		return PREFIX_OK;
	if (len > MAX_PREFIX)
		return judge_text(s, len);
	if (whole && pattern_match(&prompt_prefix, s, len, 0, NULL))
		return PREFIX_OK;
	if (flat) {
		enum prefix near = judge_text(s, len);

		if (near != PREFIX_PROSE)
			return near;
	} else {
		if (odd_quotes(s, len))
			return PREFIX_QUOTED;
		if (whole && pattern_match(&comment_prefix, s, len, 0, NULL))
			return PREFIX_COMMENT;
	}
	return whole && pattern_match(&log_prefix, s, len, 0, NULL) ? PREFIX_OK : PREFIX_PROSE;
}

struct shape_scan {
	size_t *next;                   /* per shape that may begin here: offset of its next start; NOT_YET, NOWHERE */
	bool looked;                    /* `set` is of the present text */
	struct shape_set set;           /* shapes that may begin in it */
};
#define NOT_YET ((size_t)-1)
#define NOWHERE ((size_t)-2)

struct shape_scan *shape_scan_new(void)
{
	struct shape_scan *s = g_new0(struct shape_scan, 1);

	shapes_get();
	s->next = g_new(size_t, shapes->len);
	return s;
}

void shape_scan_free(struct shape_scan *s)
{
	g_free(s->next);
	g_free(s);
}

void shape_scan_reset(struct shape_scan *s)
{
	s->looked = false;
}

/* The next shape of the set at or after i; beyond the last one when there is none. */
static guint set_next(const struct shape_set *set, guint i)
{
	while (i < shapes->len) {
		uint64_t left = set->bits[i / 64] >> i % 64;

		if (left)
			return i + (guint)__builtin_ctzll(left);
		i = (i / 64 + 1) * 64;
	}
	return shapes->len;
}

static void look_for_pairs(struct shape_scan *s, const char *text, size_t len)
{
	struct shape_set found[PAIRS] = { always[0], always[1] };

	s->looked = true;
	for (size_t i = 0; i + 1 < len; i++) {
		unsigned class = pair_class[pair_of(text + i)];

		for (unsigned n = 0; class && n < PAIRS; n++)
			for (unsigned w = 0; w < SHAPE_WORDS; w++)
				found[n].bits[w] |= class_set[class][n].bits[w];
	}
	for (unsigned w = 0; w < SHAPE_WORDS; w++)
		s->set.bits[w] = found[0].bits[w] & found[1].bits[w];
	for (guint k = 0; k < lone->len; k++) {
		guint i = g_array_index(lone, guint, k);

		if (!memchr(text, SHAPE(i).must[0], len))
			set_remove(&s->set, i);
	}
	for (guint i = set_next(&s->set, 0); i < shapes->len; i = set_next(&s->set, i + 1))
		s->next[i] = NOT_YET;
}

/* The next match of `start` at or after `from`, remembered; false: none. */
static bool next_start(struct shape *s, size_t *next, const char *text, size_t len, size_t from, struct match *m)
{
	if (*next == NOWHERE)
		return false;
	if (*next == NOT_YET || *next < from) {
		*next = NOWHERE;
		if (s->must_len > 1 && !memmem(text + from, len - from, s->must, s->must_len))
			return false;
		if (!pattern_match(&s->start, text, len, from, m))
			return false;
		*next = (size_t)(m->begin - text);
		return true;
	}
	return pattern_match_at(&s->start, text, len, *next, m);
}

/* The first place where shape s begins at or after `from` so that it may count; false: none. */
static bool find_one(struct shape *s, size_t *next, const char *text, size_t len, size_t from, bool whole, struct shape_hit *h)
{
	size_t at = from;
	struct match m;

	for (unsigned i = 0; i < MAX_TRIES; i++) {
		if (i ? !pattern_match(&s->start, text, len, at, &m) : !next_start(s, next, text, len, from, &m))
			return false;
		h->at = (size_t)(m.begin - text);
		h->length = MAX((size_t)(m.end - m.begin), 1);
		/* Not inside a word: "RESULT: 0" holds no "T: 0". */
		if (h->at > from && g_ascii_isalnum(text[h->at]) && g_ascii_isalnum(text[h->at - 1]) &&
		    !(h->at >= 2 && text[h->at - 2] == '^')) {
			at = h->at + 1;
			continue;
		}
		h->prefix = judge_prefix(text + from, h->at - from, whole, len > FLAT_LINE);
		if (h->prefix != PREFIX_PROSE)
			return true;
		if ((s->flags & SHAPE_INNER) && s->full.source) {
			if (pattern_match_at(&s->full, text, len, h->at, NULL))
				return true;
			h->hopeful = len - h->at <= MAX_PREFIX;
			if (h->hopeful)
				return true;
		}
		at = h->at + 1;
	}
	return false;
}

static size_t full_at(const struct shape_hit *hit, const char *text, size_t len, size_t at, bool *open)
{
	size_t end = 0;

	*open = true;
	for (guint i = 0; i < shapes->len; i++) {
		struct shape *s = &SHAPE(i);
		struct match m;

		bool mine = s->flags & SHAPE_QUIET ? hit->quiet && s->ref.parser == hit->ref.parser
		                                   : !hit->quiet && (hit->candidates >> s->ref.parser & 1);

		if (!mine || !pattern_match_at(&s->start, text, len, at, NULL))
			continue;
		if (!s->full.source)
			continue;
		*open = false;
		if (pattern_match_at(&s->full, text, len, at, &m) && (size_t)(m.end - text) > end)
			end = (size_t)(m.end - text);
	}
	/* "Max:  2?4": what is left of the number stays with the row, so that its parser sees the damage. */
	if (end && g_ascii_isdigit(text[end - 1]) && number_is_blotted(text + end, text + len))
		while (end < len && text[end] != ' ')
			end++;
	return end;
}

/* Quiet shapes are found at the first word only. */
static bool find_quiet(const struct shape_scan *scan, const char *text, size_t len, size_t at, struct shape_hit *hit)
{
	while (at < len && text[at] == ' ')
		at++;
	for (guint k = 0; k < quiet->len; k++) {
		guint i = g_array_index(quiet, guint, k);
		struct shape *s = &SHAPE(i);
		struct match m;

		if (at == len || !set_has(&scan->set, i) || !pattern_may_begin(&s->start, text[at]) ||
		    !pattern_match_at(&s->start, text, len, at, &m))
			continue;
		*hit = (struct shape_hit){ .ref = s->ref, .at = at, .quiet = true,
		                           .length = MAX((size_t)(m.end - m.begin), 1) };
		return true;
	}
	return false;
}

bool shape_find(struct shape_scan *scan, const char *text, size_t len, size_t from, bool whole, struct shape_hit *hit)
{
	bool found = false;

	if (!scan->looked)
		look_for_pairs(scan, text, len);
	for (guint i = set_next(&scan->set, 0); i < shapes->len; i = set_next(&scan->set, i + 1)) {
		struct shape *s = &SHAPE(i);
		struct shape_hit h = { .ref = s->ref };

		if ((s->flags & SHAPE_QUIET) || !find_one(s, &scan->next[i], text, len, from, whole, &h))
			continue;
		/* A row that is there goes before one that may be. */
		if (found && (h.hopeful != hit->hopeful ? h.hopeful : h.at > hit->at))
			continue;
		if (!found || h.hopeful != hit->hopeful || h.at < hit->at) {
			h.candidates = 0;
			*hit = h;
		}
		found = true;
		hit->candidates |= (uint64_t)1 << s->ref.parser;
	}
	found = found || (whole && find_quiet(scan, text, len, from, hit));
	if (found && (hit->prefix == PREFIX_OK || hit->prefix == PREFIX_PROSE))
		hit->full = full_at(hit, text, len, hit->at, &hit->open);
	return found;
}

size_t shape_full(const struct shape_hit *hit, const char *s, size_t len)
{
	bool open;

	return full_at(hit, s, len, 0, &open);
}

bool shape_more(const struct shape_hit *hit, const char *s, size_t len)
{
	for (guint i = 0; i < shapes->len; i++) {
		struct shape *sh = &SHAPE(i);

		if (!(hit->candidates >> sh->ref.parser & 1) || !sh->more.source || (sh->flags & SHAPE_QUIET))
			continue;
		if (sh->ref.shape != hit->ref.shape && sh->ref.parser == hit->ref.parser)
			continue;
		if (pattern_match_at(&sh->more, s, len, 0, NULL))
			return true;
	}
	return false;
}

size_t shape_prefix_skip(const char *prefix, size_t prefix_len, const char *s, size_t len)
{
	size_t i = 0, j = 0;

	while (i < prefix_len && prefix[i] == ' ')
		i++;
	while (j < len && s[j] == ' ')
		j++;
	while (i < prefix_len) {
		if (prefix[i] == ' ') {
			while (i < prefix_len && prefix[i] == ' ')
				i++;
			while (j < len && s[j] == ' ')
				j++;
		} else if (j < len && g_ascii_isdigit(prefix[i]) && g_ascii_isdigit(s[j])) {
			while (i < prefix_len && g_ascii_isdigit(prefix[i]))
				i++;
			while (j < len && g_ascii_isdigit(s[j]))
				j++;
		} else if (j < len && prefix[i] == s[j]) {
			i++, j++;
		} else {
			return 0;
		}
	}
	return j;
}
