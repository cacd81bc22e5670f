/*
 * The phrases of lib/tab_words.tsv, looked up by slices of text. For lib/tab_words.c and lib/tab_seen.c only.
 */
#ifndef RTREPORT_TAB_INDEX_H
#define RTREPORT_TAB_INDEX_H

#include <limits.h>
#include <glib.h>
#include "lib/tab_words.h"

enum tab_kind {
	KIND_STAT,
	KIND_PERCENTILE,
	KIND_UNIT,
	KIND_TOPIC,
	KIND_QUANTITY,
	KIND_TOOL,
	KIND_NULL,
	KIND_GENERAL,
	KIND_PLAN,
	TAB_KINDS
};

/* A row of the data. */
struct tab_phrase {
	enum tab_kind kind;
	const char *value, *phrase;
	const char *key; /* as it is looked up: folded, or in small letters */
	size_t len;	 /* of key */
	struct tab_unit unit;
};

/* A word of folded phrases. */
struct tab_word {
	const char *key;
	size_t len;
	unsigned char most[TAB_KINDS]; /* words of the longest phrase of this kind that begins with it; 0: none does */
	int topic;		       /* number among the words that speak for a measurement, or -1 */
	bool time;		       /* a unit of time begins with it */
	unsigned statistics;	       /* bit per enum field: a statistic begins with it */
};

/* Letters and digits of ASCII, in small letters; 0: what parts words. */
extern const char tab_small_letter[UCHAR_MAX + 1];

/* The hash of a word, byte by byte. */
#define TAB_HASH 2166136261u
static inline uint32_t tab_hash(uint32_t h, char c)
{
	return (h ^ (unsigned char)c) * 16777619u;
}
static inline uint32_t tab_hash_of(const char *s, size_t len)
{
	uint32_t h = TAB_HASH;

	for (size_t i = 0; i < len; i++)
		h = tab_hash(h, s[i]);
	return h;
}

/* False: for certain no word has this hash. */
#define TAB_WORD_BITS 8192u
extern uint64_t tab_word_bits[TAB_WORD_BITS / 64];
static inline bool tab_may_be_word(uint32_t hash)
{
	unsigned bit = (hash ^ hash >> 16) % TAB_WORD_BITS;

	return tab_word_bits[bit / 64] >> bit % 64 & 1;
}

/* True for a word behind which a unit is one that a sentence states: "in us", "all us", "unit: us". */
bool tab_introduces_unit(const char *word, size_t len);
/* True for a unit of time that is written out, so that no other word can be meant. */
bool tab_written_out(const char *word, size_t len);

/* Makes the tables. What follows does so itself. */
void tab_index_need(void);
/* The phrase of this kind that is key[0..len), or NULL. */
const struct tab_phrase *tab_index_find(enum tab_kind kind, const char *key, size_t len);
/* False: for certain there is no such phrase of len bytes that begins with this byte. */
bool tab_index_may_begin(enum tab_kind kind, char first, size_t len);
/* The word of a phrase that is word[0..len), or NULL. */
const struct tab_word *tab_index_word(const char *word, size_t len);
const struct tab_word *tab_index_word_hashed(const char *word, size_t len, uint32_t hash);
/*
 * The longest phrase of this kind that begins at p, which stands on the blank before a word of folded text; its end is the
 * blank behind it. NULL: none.
 */
const struct tab_phrase *tab_index_at(enum tab_kind kind, const char *p, const char **end);
/* The longest phrase of this kind, in a script that puts no blanks between words, anywhere in folded text; or NULL. */
const struct tab_phrase *tab_index_wide(enum tab_kind kind, const char *folded);
/* False: for certain folded text has no such phrase of any kind. */
bool tab_index_has_wide(const char *folded);
/* All phrases. */
const struct tab_phrase *tab_index_all(unsigned *n);

#endif
