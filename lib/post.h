/*
 * A post: one message, page or pasted file as texts for the reader, with what is known of its
 * origin. It is what the container layers (mail, digest, page) make, and what the input layer
 * reads.
 */
#ifndef RTREPORT_POST_H
#define RTREPORT_POST_H

#include <glib.h>
#include "lib/reader.h"

/* Who is quoted: an attribution ("On Monday Jane wrote:") and the lines that it holds for. */
struct attribution {
	const char *part;               /* as source.part of the text */
	unsigned line;
	unsigned depth;                 /* of the attribution itself: what it names is one deeper */
	const char *name;
};

struct post {
	struct source source;           /* of the whole post; file and part included */
	const char *references;         /* message ids of what it answers, blank between; or NULL */
	GArray *texts;                  /* struct reader_text, in order */
	GArray *spare; /* struct reader_text: the HTML form of a text in `texts`, read only if that
			  gives no record */
	GArray *attributions;           /* struct attribution, in order of their lines */
	GStringChunk *strings;          /* what the pointers above point to */
	GPtrArray *buffers;             /* GString *: decoded bytes that texts point to */
};

/* file and part are copied; both may be NULL. */
struct post *post_new(const char *file, const char *part);
void post_free(struct post *p);
/* A copy of text (len -1: to its NUL) that lives as long as p; NULL gives NULL. Invalid UTF-8 is
 * replaced, controls become blanks. */
const char *post_string(struct post *p, const char *text, gssize len);
/* Hands a buffer over to p; returns it. */
GString *post_buffer(struct post *p, GString *buffer);
/*
 * Adds a text: p's source with `part` (copied, may be NULL: lines are the file's). Fields beyond
 * bytes and len may be set in the returned struct, which lives until the next call.
 */
struct reader_text *post_text(struct post *p, GArray *list, const char *bytes, size_t len,
			      unsigned first_line, const char *part);
/* Whom the attributions name as poster of what stands at this depth from this line on; NULL:
 * nobody. */
const char *post_poster(const struct post *p, const char *part, unsigned line, unsigned depth);

typedef void post_each(struct post *p, void *data);     /* ownership passes on */

#endif
