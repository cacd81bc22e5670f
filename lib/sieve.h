/*
 * The sieve of archives: finds, in one pass at the speed of memory, where messages begin and which
 * of them may hold a result. Only those are read by GMime and the parsers. It must never lose one:
 * what it cannot judge passes.
 */
#ifndef RTREPORT_SIEVE_H
#define RTREPORT_SIEVE_H

#include "lib/mbox.h"
#include "lib/parser.h"

struct sieve;
/* For all parsers, or for one. */
struct sieve *sieve_new(const struct parser *only);
void sieve_free(struct sieve *s);

/* May this message, header and body, hold a result? Thread-safe. */
bool sieve_message(const struct sieve *s, const char *message, size_t len);

/* A message that passed. */
struct sifted {
	const char *begin, *end;        /* without its separator line */
	unsigned lines;                 /* line ends between the start of the scan and begin */
};

/*
 * Goes through messages of a mailbox: from the separator at `from` to the first separator at or
 * behind `until`. Calls pass() for each that may hold a result. Returns where it stopped; *lines is
 * the number of line ends before that. Thread-safe.
 */
const char *sieve_mbox(const struct sieve *s, const struct mbox *m, const char *from,
		       const char *until, void (*pass)(const struct sifted *message, void *data),
		       void *data, unsigned *lines);

#endif
