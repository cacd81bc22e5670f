/*
 * Mail: one RFC 5322 message to posts (itself, and each message inside it), through GMime.
 */
#ifndef RTREPORT_MAIL_H
#define RTREPORT_MAIL_H

#include "lib/post.h"

#define MAIL_MAX_PARTS 2000u            /* MIME parts looked at per message */
#define MAIL_MAX_ENCODED                                                                           \
	3u /* messages that are base64 or quoted-printable as a whole, inside one another */
#define MAIL_MAX_NESTING 50u /* messages and multiparts inside one another that are followed */

/* Where the bytes come from. */
struct mail_place {
	const char *file;
	const char *part;               /* inside an archive, or NULL */
	unsigned first_line; /* of the message's first byte; counts in `part` when that is set */
	unsigned depth;                 /* encoded messages around this one */
};

/*
 * Does text begin with the header of a message? An mbox separator before it may be there.
 */
bool mail_probe(const char *text, size_t len);
/*
 * Reads the message in text (without an mbox separator); each() gets one post per message, the
 * outer one first, and is done with it when it returns. Thread-safe.
 */
void mail_read(const char *text, size_t len, const struct mail_place *place, post_each *each,
	       void *data);
/*
 * Converts len bytes of `charset` (NULL: not stated) to UTF-8. NULL when the bytes can stay as they
 * are. *guessed is set when the text is not what was stated. Caller frees.
 */
GString *mail_to_utf8(const char *bytes, size_t len, const char *charset, bool *guessed);
/*
 * Are the bytes no text in any character set? Random or packed bytes: control characters abound, which only UTF-16 and its kin
 * have (NUL) and even those in order. A part that is noise is not read, whatever it says that it is.
 */
bool mail_is_noise(const char *bytes, size_t len);
/* Field values as the record has them; NULL where there is nothing. Ownership: p's. */
const char *mail_date(struct post *p, const char *value); /* RFC 3339, the offset kept */
const char *mail_message_id(struct post *p, const char *value);        /* without < > */
const char *mail_field(struct post *p, const char *value,
		       gssize len); /* encoded words decoded, blanks folded */
const char *mail_ids(struct post *p, const char *references, const char *in_reply_to);
unsigned mail_count_lines(const char *from, const char *to);            /* line ends between */

#endif
