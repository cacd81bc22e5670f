/* The phrases of lib/tab_words.tsv in tables of slices, made once. */
#include <limits.h>
#include <string.h>
#include "lib/tab_index.h"
#include "lib/tab_seen.h"

/* Letters and digits, in small letters; 0: what parts words. */
#define LETTERS(first, small) \
	[first] = small, [first + 1] = small + 1, [first + 2] = small + 2, [first + 3] = small + 3, [first + 4] = small + 4, \
	[first + 5] = small + 5, [first + 6] = small + 6, [first + 7] = small + 7, [first + 8] = small + 8, \
	[first + 9] = small + 9, [first + 10] = small + 10, [first + 11] = small + 11, [first + 12] = small + 12
const char tab_small_letter[UCHAR_MAX + 1] = {
	LETTERS('a', 'a'), LETTERS('n', 'n'), LETTERS('A', 'a'), LETTERS('N', 'n'),
	['0'] = '0', ['1'] = '1', ['2'] = '2', ['3'] = '3', ['4'] = '4',
	['5'] = '5', ['6'] = '6', ['7'] = '7', ['8'] = '8', ['9'] = '9',
};

struct row {
	const char *kind, *value, *phrase;
};

static const struct row rows[] = {
#include "lib/tab_words.inc"
};

#define PHRASES G_N_ELEMENTS(rows)
#define SLOTS 4096u	/* of each table: a power of two, several times what it holds */
#define LONGEST 200u	/* bytes of a phrase with its blanks */
#define FIRST_WIDE 0x1100 /* the first character of scripts that put no blanks between words */

static struct tab_phrase phrases[PHRASES];
static unsigned n_phrases;
static const struct tab_phrase *phrase_slot[SLOTS];
static struct tab_word *word_slot[SLOTS];
/* Bit n: a key of this kind that begins with this byte has n bytes. Rules nearly everything out. */
static uint64_t lengths[TAB_KINDS][UCHAR_MAX + 1];
uint64_t tab_word_bits[TAB_WORD_BITS / 64];
static bool wide_lead[UCHAR_MAX + 1]; /* first bytes of the following */
static GPtrArray *wide[TAB_KINDS]; /* struct tab_phrase *: of scripts without blanks */

static enum tab_kind kind_of(const char *name)
{
	static const char *const names[] = { "stat",	 "percentile", "unit", "topic",
					     "quantity", "tool",       "null", "general",
					     "plan" };

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
		if (!strcmp(names[i], name))
			return (enum tab_kind)i;
	g_assert_not_reached();
}

static uint64_t length_bit(size_t len)
{
	return (uint64_t)1 << MIN(len, 63);
}

static unsigned slot_of(uint32_t hash)
{
	return (hash ^ hash >> 15) % SLOTS;
}

static unsigned phrase_place(enum tab_kind kind, const char *key, size_t len)
{
	return slot_of(tab_hash_of(key, len) + (unsigned)kind);
}

/* "ns:3" */
static struct tab_unit unit_of(const char *value)
{
	const char *colon = strrchr(value, ':');
	g_autofree char *name = g_strndup(value, (gsize)(colon - value));

	return (struct tab_unit){ g_intern_string(name), (int)g_ascii_strtoll(colon + 1, NULL, 10) };
}

static bool has_length(enum tab_kind kind, char first, size_t len)
{
	return len && lengths[kind][(unsigned char)first] & length_bit(len);
}

static const struct tab_phrase *find_phrase(enum tab_kind kind, const char *key, size_t len)
{
	unsigned slot = phrase_place(kind, key, len);

	for (; phrase_slot[slot]; slot = (slot + 1) % SLOTS) {
		const struct tab_phrase *p = phrase_slot[slot];

		if (p->kind == kind && p->len == len && !memcmp(p->key, key, len))
			return p;
	}
	return NULL;
}

static struct tab_word *find_word(const char *word, size_t len, uint32_t hash)
{
	unsigned slot = slot_of(hash);

	for (; word_slot[slot]; slot = (slot + 1) % SLOTS)
		if (word_slot[slot]->len == len && !memcmp(word_slot[slot]->key, word, len))
			return word_slot[slot];
	return NULL;
}

/* A phrase that is there already keeps its first meaning. */
static void add_phrase(const struct row *row)
{
	struct tab_phrase *p = &phrases[n_phrases];
	enum tab_kind kind = kind_of(row->kind);
	bool folded = kind != KIND_UNIT && kind != KIND_NULL;
	char *key = folded ? tab_fold(row->phrase) : g_utf8_strdown(row->phrase, -1);
	unsigned slot;

	*p = (struct tab_phrase){ kind, row->value, row->phrase, key, strlen(key), { NULL, 0 } };
	if (find_phrase(kind, key, p->len)) {
		g_free(key);
		return;
	}
	if (kind == KIND_UNIT)
		p->unit = unit_of(row->value);
	for (slot = phrase_place(kind, key, p->len); phrase_slot[slot]; slot = (slot + 1) % SLOTS)
		;
	phrase_slot[slot] = p;
	lengths[kind][(unsigned char)*key] |= length_bit(p->len);
	if (g_utf8_get_char(row->phrase) >= FIRST_WIDE) {
		g_ptr_array_add(wide[kind], p);
		wide_lead[(unsigned char)*row->phrase] = true;
	}
	n_phrases++;
}

static struct tab_word *add_word(const char *word, size_t len)
{
	uint32_t hash = tab_hash_of(word, len);
	struct tab_word *w = find_word(word, len, hash);
	unsigned slot, bit = (hash ^ hash >> 16) % TAB_WORD_BITS;

	if (w)
		return w;
	w = g_new0(struct tab_word, 1);
	w->key = g_strndup(word, len);
	w->len = len;
	w->topic = -1;
	for (slot = slot_of(hash); word_slot[slot]; slot = (slot + 1) % SLOTS)
		;
	word_slot[slot] = w;
	tab_word_bits[bit / 64] |= (uint64_t)1 << bit % 64;
	return w;
}

static void add_words(const struct tab_phrase *p, int *topics)
{
	g_autofree char *folded = tab_fold(p->phrase);
	const char *end, *word = folded + 1;
	unsigned n = 0;
	struct tab_word *first = NULL;

	for (; (end = strchr(word, ' ')) != NULL; word = end + 1, n++) {
		struct tab_word *w = add_word(word, (size_t)(end - word));

		first = first ? first : w;
		if (p->kind == KIND_TOPIC && *p->value != '-' && w->topic < 0)
			w->topic = (*topics)++;
	}
	if (!first)
		return; /* nothing but signs: "~" */
	first->most[p->kind] = (unsigned char)MAX(first->most[p->kind], n);
	if (p->kind == KIND_UNIT && (!strcmp(p->unit.name, "ns") || !strcmp(p->unit.name, "s")))
		first->time = true;
	if (p->kind == KIND_STAT)
		first->statistics |= 1u << field_from_name(p->value);
}

static void load(void)
{
	int topics = 0;

	for (unsigned k = 0; k < TAB_KINDS; k++)
		wide[k] = g_ptr_array_new();
	for (size_t i = 0; i < PHRASES; i++)
		add_phrase(&rows[i]);
	for (unsigned i = 0; i < n_phrases; i++)
		add_words(&phrases[i], &topics);
	g_assert(topics <= (int)TAB_TOPIC_WORDS);
}

void tab_index_need(void)
{
	static gsize once;

	if (g_once_init_enter(&once)) {
		load();
		g_once_init_leave(&once, 1);
	}
}

const struct tab_phrase *tab_index_find(enum tab_kind kind, const char *key, size_t len)
{
	tab_index_need();
	return has_length(kind, *key, len) ? find_phrase(kind, key, len) : NULL;
}

bool tab_index_may_begin(enum tab_kind kind, char first, size_t len)
{
	tab_index_need();
	return has_length(kind, first, len);
}

const struct tab_word *tab_index_word_hashed(const char *word, size_t len, uint32_t hash)
{
	tab_index_need();
	return find_word(word, len, hash);
}

const struct tab_word *tab_index_word(const char *word, size_t len)
{
	return tab_index_word_hashed(word, len, tab_hash_of(word, len));
}

const struct tab_phrase *tab_index_at(enum tab_kind kind, const char *p, const char **end)
{
	const char *e = strchr(p + 1, ' ');
	const struct tab_word *first = e ? tab_index_word(p + 1, (size_t)(e - p - 1)) : NULL;
	const struct tab_phrase *found = NULL;

	for (unsigned n = 0; first && n < first->most[kind]; n++) {
		const struct tab_phrase *w;

		if (n)
			e = strchr(e + 1, ' ');
		if (!e || (size_t)(e - p) >= LONGEST)
			break;
		w = tab_index_find(kind, p, (size_t)(e - p) + 1);
		if (w) {
			found = w;
			*end = e;
		}
	}
	return found;
}

const struct tab_phrase *tab_index_wide(enum tab_kind kind, const char *folded)
{
	const struct tab_phrase *found = NULL;

	tab_index_need();
	for (guint i = 0; i < wide[kind]->len; i++) {
		const struct tab_phrase *p = wide[kind]->pdata[i];
		size_t len = strlen(p->phrase);

		if (len > (found ? strlen(found->phrase) : 0) && strstr(folded, p->phrase))
			found = p;
	}
	return found;
}

bool tab_index_has_wide(const char *folded)
{
	tab_index_need();
	for (const char *p = folded; *p; p++)
		if (wide_lead[(unsigned char)*p])
			return true;
	return false;
}

const struct tab_phrase *tab_index_all(unsigned *n)
{
	tab_index_need();
	*n = n_phrases;
	return phrases;
}
