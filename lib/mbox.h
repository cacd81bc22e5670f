/*
 * Mailboxes: where each message begins. Dialects: mboxo, mboxrd, mboxcl and mboxcl2
 * (Content-Length), the separators of pipermail ("user at host"), Mozilla ("From - "), public-inbox
 * and git ("From nobody", "From mboxrd@z").
 */
#ifndef RTREPORT_MBOX_H
#define RTREPORT_MBOX_H

#include <stdbool.h>
#include <stddef.h>

struct mbox {
	const char *begin, *end;        /* of the file */
	bool patches;                   /* separators are commit ids: a series of patches */
	bool content_length;            /* the messages say their length */
};

/* Does the text begin with a separator (blank lines before it do not count)? */
bool mbox_probe(const char *text, size_t len);
void mbox_open(struct mbox *m, const char *text, size_t len);
/* The first message's separator line. */
const char *mbox_first(const struct mbox *m);
/* The separator line after the message whose separator line is at p; m->end when it is the last. */
const char *mbox_next(const struct mbox *m, const char *p);
/* The first separator line at or behind any place p; m->end when there is none. */
const char *mbox_next_from(const struct mbox *m, const char *p);
/* The message's first byte, behind its separator line at p. */
const char *mbox_message(const struct mbox *m, const char *p);
/* Is a separator at p (a line's beginning)? For searches that find the candidates themselves. */
bool mbox_is_separator(const struct mbox *m, const char *p);

#endif
