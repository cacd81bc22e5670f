/*
 * What a text must have for a typed table to be in it, for the sieve of archives. It asks what typed_measures()
 * asks first, by the same words and the same score, but of the whole text: whoever fails here fails there.
 */
#include <string.h>
#include "lib/tab_words.h"
#include "parsers/typed_sieve.h"

#define CHUNK 4096u /* bytes looked at in one go */

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

bool typed_may_measure(const char *text, size_t len)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	const char *p = text, *stop = text + len;
	int words = 0;

	while (p < stop && words < TYPED_SCORE_TOPIC_SURE) {
		const char *end = chunk_end(p, stop);
		g_autofree char *chunk = g_strndup("", (gsize)(end - p)), *folded = NULL;

		memcpy(chunk, p, (size_t)(end - p));
		for (char *c = chunk; c < chunk + (end - p); c++)
			*c = *c ? *c : ' ';
		folded = tab_fold(chunk);
		words += tab_topic_add(folded, false, seen);
		p = end < stop ? next_chunk(p, end) : end;
	}
	return words >= TYPED_SCORE_TOPIC_SURE;
}
