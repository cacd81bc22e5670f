/*
 * Digests as text (RFC 1153 and what list managers make of it): messages behind one another, with
 * rules of dashes between.
 */
#ifndef RTREPORT_DIGEST_H
#define RTREPORT_DIGEST_H

#include "lib/mail.h"

/* Does the text hold a digest? */
bool digest_probe(const char *text, size_t len);
/* Reads each message of it; text is only used until this returns. */
void digest_read(const char *text, size_t len, const struct mail_place *place, post_each *each,
		 void *data);

#endif
