/* The words of the field in a line, found in one pass over it. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "lib/ascii.h"
#include "lib/tab_index.h"
#include "lib/tab_seen.h"

#define WORDS (TAB_TOPIC_WORDS / 64)
#define LONGEST_WORD 63u /* bytes; no phrase has a longer one */

/* A topic, and which words its phrase needs. */
struct topic {
	uint64_t need[WORDS];
	int weight;
};

static GArray *topics; /* struct topic: those that speak for a measurement */

static struct topic topic_of(const struct tab_phrase *p)
{
	struct topic t = { .weight = atoi(p->value) };
	const char *word = p->key + 1, *end;

	for (; (end = strchr(word, ' ')) != NULL; word = end + 1) {
		int n = tab_index_word(word, (size_t)(end - word))->topic;

		t.need[n / 64] |= (uint64_t)1 << n % 64;
	}
	return t;
}

static void need_topics(void)
{
	static gsize once;

	if (g_once_init_enter(&once)) {
		unsigned n;
		const struct tab_phrase *all = tab_index_all(&n);

		topics = g_array_new(FALSE, FALSE, sizeof(struct topic));
		for (unsigned i = 0; i < n; i++) {
			struct topic t;

			if (all[i].kind != KIND_TOPIC || *all[i].value == '-')
				continue;
			t = topic_of(&all[i]);
			g_array_append_val(topics, t);
		}
		g_once_init_leave(&once, 1);
	}
}

/* "p99", "percentile", "pct", "quantile" */
static bool is_percentile(const char *word, size_t len)
{
	return (len > 1 && *word == 'p' && g_ascii_isdigit(word[1])) ||
	       (len >= 4 && !memcmp(word, "perc", 4)) || (len >= 3 && !memcmp(word, "pct", 3)) ||
	       (len >= 5 && !memcmp(word, "quant", 5));
}

static void mark_word(struct tab_seen *seen, const struct tab_word *w)
{
	if (w->topic >= 0)
		seen->topic[w->topic / 64] |= (uint64_t)1 << w->topic % 64;
	seen->flags |= (w->time ? SEEN_TIME : 0) | (w->most[KIND_GENERAL] ? SEEN_GENERAL : 0) |
		       (w->most[KIND_TOOL] ? SEEN_TOOL : 0) | (w->most[KIND_QUANTITY] ? SEEN_QUANTITY : 0) |
		       (w->most[KIND_PERCENTILE] ? SEEN_PERCENTILE : 0);
	seen->statistics |= w->statistics;
}

/* "13us": perhaps a value with its unit. "99th". */
static void add_number(struct tab_seen *seen, const char *word, size_t len)
{
	size_t unit = len;
	const struct tab_word *w;

	while (!g_ascii_isdigit(word[unit - 1]))
		unit--;
	if (unit == len)
		return;
	w = tab_index_word(word + unit, len - unit);
	if (w && w->time)
		seen->flags |= SEEN_TIME;
	if (len - unit == 2 && !memcmp(word + unit, "th", 2))
		seen->flags |= SEEN_PERCENTILE;
}

/* The words of a line, one after the other. */
struct scan {
	struct tab_seen *seen;
	bool introduced; /* the present word may be a unit that the words before state */
};

/* A word in small letters. */
static void add_word(struct scan *s, const char *word, size_t len, uint32_t hash)
{
	const struct tab_word *w = tab_may_be_word(hash) ? tab_index_word_hashed(word, len, hash) : NULL;

	if (w) {
		mark_word(s->seen, w);
		if (w->time && (s->introduced || tab_written_out(word, len)))
			s->seen->flags |= SEEN_STATED;
	}
	if (g_ascii_isdigit(*word))
		add_number(s->seen, word, len);
	if ((*word == 'p' || *word == 'q') && is_percentile(word, len))
		s->seen->flags |= SEEN_PERCENTILE;
	s->introduced = tab_introduces_unit(word, len);
}

/* Text beyond ASCII, folded as everywhere else. Its units are not looked for. */
static void add_folded(struct scan *s, const char *text, size_t len)
{
	g_autofree char *copy = g_strndup(text, len), *folded = tab_fold(copy);
	const char *word = folded + 1, *end;

	s->seen->flags |= SEEN_TIME;
	for (; (end = strchr(word, ' ')) != NULL; word = end + 1)
		if (end > word)
			add_word(s, word, (size_t)(end - word), tab_hash_of(word, (size_t)(end - word)));
	for (unsigned k = 0; tab_index_has_wide(folded) && k < TAB_KINDS; k++)
		if (tab_index_wide((enum tab_kind)k, folded))
			s->seen->flags |= SEEN_WIDE;
	if (strstr(folded, "百分位"))
		s->seen->flags |= SEEN_PERCENTILE;
}

static void add_leader(struct tab_seen *seen, const char *text, size_t len)
{
	const char *end = text + len, *p = text;

	while ((p = memchr(p, '.', (size_t)(end - p))) != NULL) {
		for (p++; p < end && *p == ' '; p++)
			;
		if (p < end && *p == '.')
			seen->flags |= SEEN_LEADER;
	}
}

/*
 * The word at text, which begins with a letter or digit, in small letters. Returns its length; camelCase is cut, as where text
 * is folded.
 */
static size_t take_word(const char *text, const char *end, char *word, uint32_t *hash)
{
	const char *p = text;
	bool lower = false;
	char c;

	*hash = TAB_HASH;
	for (; p < end && (c = tab_small_letter[(unsigned char)*p]) && !(lower && c != *p); p++) {
		if (p - text < (ptrdiff_t)LONGEST_WORD)
			word[p - text] = c;
		*hash = tab_hash(*hash, c);
		lower = *p >= 'a';
	}
	return (size_t)(p - text);
}

void tab_seen_add(struct tab_seen *seen, const char *text, size_t len)
{
	char word[LONGEST_WORD];
	const char *end = text + len;
	struct scan s = { seen, true };

	tab_index_need();
	add_leader(seen, text, len);
	if (!is_ascii(text, len)) {
		add_folded(&s, text, len);
		return;
	}
	for (const char *p = text; p < end;) {
		uint32_t hash = 0;
		size_t n = tab_small_letter[(unsigned char)*p] ? take_word(p, end, word, &hash) : 0;

		if (n && n <= LONGEST_WORD)
			add_word(&s, word, n, hash);
		else if (*p == '%')
			seen->flags |= SEEN_PERCENTILE;
		p += MAX(n, 1);
	}
}

void tab_seen_join(struct tab_seen *seen, const struct tab_seen *other)
{
	for (size_t i = 0; i < WORDS; i++)
		seen->topic[i] |= other->topic[i];
	seen->statistics |= other->statistics;
	seen->flags |= other->flags;
}

static bool has_all(const struct tab_seen *seen, const struct topic *t)
{
	for (size_t i = 0; i < WORDS; i++)
		if (t->need[i] & ~seen->topic[i])
			return false;
	return true;
}

int tab_seen_topics(const struct tab_seen *seen)
{
	int sum = 0;

	need_topics();
	for (guint i = 0; i < topics->len; i++) {
		const struct topic *t = &g_array_index(topics, struct topic, i);

		sum += has_all(seen, t) ? t->weight : 0;
	}
	return sum;
}
