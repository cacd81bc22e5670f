/*
 * What a text must have for a typed table to be in it, for the sieve of archives. It asks what typed_measures()
 * asks, with the same data and the same scores, but of all words of the text: whoever fails here fails there.
 * So that it is fast, a phrase counts as soon as its longest word is seen, in whatever script; what may be a word
 * in another character set or encoding counts as one that says much.
 */
#include <stdlib.h>
#include <string.h>
#include <glib.h>
#include "lib/tab_words.h"
#include "parsers/typed_sieve.h"

#define LONGEST 40u /* bytes of a word */
#define SLOTS 2048u /* of the table of words: more than twice as many */
#define CHUNK 4096u /* bytes whose phrases are looked up in one go */
#define UNKNOWN 4   /* what a word that cannot be read may weigh */

/* What phrases with this as their longest word say. */
struct word {
	char text[LONGEST];
	unsigned len;
	int topic; /* all their weights */
	bool statistic, time, quantity;
};

static const struct row {
	const char *kind, *value, *phrase;
} rows[] = {
#include "lib/tab_words.inc"
};

static struct word words[SLOTS];

/* The place of a word in the table; an empty one when it is not there. */
static unsigned place_of(const char *word, size_t len)
{
	unsigned h = (unsigned)len;

	for (size_t i = 0; i < len; i++)
		h = h * 31u + (unsigned char)word[i];
	h = (h ^ h >> 11) % SLOTS;
	while (words[h].len && (words[h].len != len || memcmp(words[h].text, word, len)))
		h = (h + 1) % SLOTS;
	return h;
}

static void add_phrase(const struct row *row)
{
	g_autofree char *folded = tab_fold(row->phrase);
	int weight = strcmp(row->kind, "topic") ? 0 : atoi(row->value);
	const char *longest = folded;
	size_t most = 0;
	struct word *w;

	for (const char *p = folded; *p; p += strcspn(p, " ")) {
		p += strspn(p, " ");
		if (strcspn(p, " ") > most) {
			longest = p;
			most = strcspn(p, " ");
		}
	}
	if (!most || most > LONGEST)
		return;
	w = &words[place_of(longest, most)];
	memcpy(w->text, longest, most);
	w->len = (unsigned)most;
	w->topic += MAX(weight, 0);
	w->statistic = w->statistic || !strcmp(row->kind, "stat") || !strcmp(row->kind, "percentile");
	w->quantity = w->quantity || !strcmp(row->kind, "quantity");
	w->time = w->time || (!strcmp(row->kind, "unit") &&
			      (g_str_has_prefix(row->value, "ns:") || g_str_has_prefix(row->value, "s:")));
}

static void *make_words(void *unused)
{
	(void)unused;
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
		add_phrase(&rows[i]);
	/* Rows of ping are in milliseconds. */
	words[place_of("ping", 4)].time = words[place_of("pings", 5)].time = true;
	return NULL;
}

/* What was seen of a text. */
struct seen {
	int topics;
	unsigned statistics;
	bool time, quantity;
	uint64_t known[SLOTS / 64]; /* words that were counted */
};

static void see_unknown(struct seen *s)
{
	s->topics += UNKNOWN;
	s->statistics++;
	s->time = s->quantity = true;
}

/* One word, as it stands in the text but in small letters; other: it has bytes that are not ASCII. */
static void see_word(struct seen *s, const char *word, size_t len, bool other)
{
	unsigned i = place_of(word, len);

	if (!words[i].len) {
		/* "p99", "99th" */
		s->statistics += (*word == 'p' && len > 1 && g_ascii_isdigit(word[1])) || (len == 2 && !memcmp(word, "th", 2));
		if (other)
			see_unknown(s);
		return;
	}
	if (s->known[i / 64] >> i % 64 & 1)
		return;
	s->known[i / 64] |= (uint64_t)1 << i % 64;
	s->topics += words[i].topic;
	s->statistics += words[i].statistic;
	s->time = s->time || words[i].time;
	s->quantity = s->quantity || words[i].quantity;
}

/* As typed_measures() does, with dots as leaders. */
static bool is_enough(const struct seen *s)
{
	int structure = s->statistics >= 3 ? 4 : s->statistics == 2 ? 3 : (int)s->statistics;

	structure += (s->time ? 3 : 0) + 1;
	return s->topics >= TYPED_SCORE_TOPIC_SURE && (structure >= 3 || s->topics >= TYPED_SCORE_CLEAR) &&
	       s->topics + structure >= TYPED_SCORE_ALL;
}

/* As is_certain() of typed tables: then no topic is asked for. */
static bool is_certain(const struct seen *s)
{
	return s->time && s->quantity && s->statistics >= 3;
}

enum kind { NO_LETTER, SMALL, LARGE, DIGIT, OTHER };

static enum kind kind_of(char c)
{
	return g_ascii_islower(c)	  ? SMALL
	       : g_ascii_isupper(c)	  ? LARGE
	       : g_ascii_isdigit(c)	  ? DIGIT
	       : (unsigned char)c >= 0x80 ? OTHER
					  : NO_LETTER;
}

/* Signs that may hide something: entities, escapes of quoted-printable; a share may be a percentile. */
static void see_sign(struct seen *s, const char *p, const char *end)
{
	if ((*p == '&' && end - p > 1 && (p[1] == '#' || p[1] == 'm')) ||
	    (*p == '=' && end - p > 2 && memchr("89ABCDEF", p[1], 8) && g_ascii_isxdigit(p[2])))
		see_unknown(s);
	s->statistics += *p == '%';
}

/* Are the words enough, judged one by one? Quick, and too kind. */
static bool words_are(bool (*enough)(const struct seen *s), const char *text, size_t len)
{
	static GOnce once = G_ONCE_INIT;
	struct seen seen = { 0 };
	char word[LONGEST];
	size_t n = 0;
	bool other = false;
	enum kind last = NO_LETTER;

	g_once(&once, make_words, NULL);
	for (size_t i = 0; i <= len; i++) {
		char c = i < len ? text[i] : ' ';
		enum kind kind = kind_of(c);

		/* A word ends where letters do, before a large letter, and between a number and its unit. */
		if (n && (kind == NO_LETTER || (last == SMALL && kind == LARGE) || (last == DIGIT && kind != DIGIT))) {
			/* "it's" states no seconds. */
			if (n <= LONGEST && !(n == 1 && *word == 's' && i > 1 && text[i - 2] == '\''))
				see_word(&seen, word, n, other);
			if (enough(&seen))
				return true;
			n = 0;
			other = false;
		}
		last = kind;
		if (i < len && kind == NO_LETTER)
			see_sign(&seen, text + i, text + len);
		if (kind != NO_LETTER && n++ < LONGEST) {
			word[n - 1] = g_ascii_tolower(c);
			other = other || kind == OTHER;
		}
	}
	return false;
}

/* The end of a chunk that begins at p: a line's end, if there is one. */
static const char *chunk_end(const char *p, const char *end)
{
	const char *last;

	if ((size_t)(end - p) <= CHUNK)
		return end;
	last = memrchr(p, '\n', CHUNK);
	return last && last > p ? last : p + CHUNK;
}

/* A chunk begins with the last line of the one before, since phrases may be wrapped. */
static const char *next_chunk(const char *p, const char *end)
{
	const char *line = memrchr(p, '\n', (size_t)(end - p));

	return line && line > p ? line : end;
}

/* Do its phrases say as much as they must in any case? */
static bool phrases_say_enough(const char *text, size_t len)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	const char *p = text, *stop = text + len;
	int said = 0;

	while (p < stop && said < TYPED_SCORE_TOPIC_SURE) {
		const char *end = chunk_end(p, stop);
		g_autofree char *chunk = g_malloc((gsize)(end - p) + 1), *folded = NULL;

		memcpy(chunk, p, (size_t)(end - p));
		chunk[end - p] = 0;
		for (char *c = chunk; c < chunk + (end - p); c++)
			*c = *c ? *c : ' ';
		folded = tab_fold(chunk);
		said += tab_topic_add(folded, false, seen);
		p = end < stop ? next_chunk(p, end) : end;
	}
	return said >= TYPED_SCORE_TOPIC_SURE;
}

bool typed_may_measure(const char *text, size_t len)
{
	return (words_are(is_enough, text, len) && phrases_say_enough(text, len)) || words_are(is_certain, text, len);
}
