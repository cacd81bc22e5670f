/* Posts: texts with their origin, on the way from the containers to the reader. */
#include <string.h>
#include "lib/post.h"

#define STRING_MAX 1000         /* bytes of a header field that are kept */

static void free_buffer(void *buffer)
{
	g_string_free(buffer, TRUE);
}

struct post *post_new(const char *file, const char *part)
{
	struct post *p = g_new0(struct post, 1);

	p->strings = g_string_chunk_new(256);
	p->texts = g_array_new(FALSE, TRUE, sizeof(struct reader_text));
	p->spare = g_array_new(FALSE, TRUE, sizeof(struct reader_text));
	p->attributions = g_array_new(FALSE, TRUE, sizeof(struct attribution));
	p->buffers = g_ptr_array_new_with_free_func(free_buffer);
	p->source.file = post_string(p, file, -1);
	p->source.part = post_string(p, part, -1);
	return p;
}

void post_free(struct post *p)
{
	if (!p)
		return;
	g_array_free(p->texts, TRUE);
	g_array_free(p->spare, TRUE);
	g_array_free(p->attributions, TRUE);
	g_ptr_array_free(p->buffers, TRUE);
	g_string_chunk_free(p->strings);
	g_free(p);
}

const char *post_string(struct post *p, const char *text, gssize len)
{
	size_t n;
	char *valid;
	const char *kept;

	if (!text)
		return NULL;
	n = len < 0 ? strlen(text) : (size_t)len;
	if (n > STRING_MAX)
		n = STRING_MAX;
	valid = g_utf8_make_valid(text, (gssize)n);
	for (char *c = valid; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = ' ';
	kept = g_string_chunk_insert(p->strings, valid);
	g_free(valid);
	return kept;
}

GString *post_buffer(struct post *p, GString *buffer)
{
	g_ptr_array_add(p->buffers, buffer);
	return buffer;
}

struct reader_text *post_text(struct post *p, GArray *list, const char *bytes, size_t len,
			      unsigned first_line, const char *part)
{
	struct reader_text t = { .source = p->source };

	t.text.bytes = bytes;
	t.text.len = len;
	t.text.file = p->source.file;
	t.text.first_line = first_line;
	t.source.part = post_string(p, part, -1);
	g_array_append_val(list, t);
	return &g_array_index(list, struct reader_text, list->len - 1);
}

const char *post_poster(const struct post *p, const char *part, unsigned line, unsigned depth)
{
	for (guint i = p->attributions->len; depth && i-- > 0;) {
		const struct attribution *a =
			&g_array_index(p->attributions, struct attribution, i);

		if (a->line < line && a->depth + 1 == depth && !g_strcmp0(a->part, part))
			return a->name;
	}
	return NULL;
}
