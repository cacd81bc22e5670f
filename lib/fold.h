/*
 * Folding: each result counted once. A sighting is folded into the original when it is quoted, or
 * the same message or part again (same message-id, plain and HTML part, cross-post), and its values
 * equal the original's or are a run of its rows. Equal values alone never fold: two posters with
 * equal numbers stay two.
 */
#ifndef RTREPORT_FOLD_H
#define RTREPORT_FOLD_H

#include "lib/record.h"

#define FOLD_MEMORY                                                                                \
	(16u << 20) /* bytes of records, roughly, that wait in memory before a file is used */

/*
 * Private keys of source that quoted records carry, so that folding them again decides the same.
 * References: ids of the messages that theirs answers, blank between. Quoted by: who posted the
 * message, when `from` is whom it quotes.
 */
#define FOLD_REFERENCES "x_references"
#define FOLD_QUOTED_BY "x_quoted_by"

struct fold;
struct fold *fold_new(void);
/* Takes ownership of r. Records wait in a spool (memory holds an index only). */
void fold_add(struct fold *f, struct record *r);
/*
 * The same, of a record just read: message and part number what it was found in, from 1, so that
 * two results of one text stay two and one result in two parts of a message becomes one. 0: not
 * known.
 */
void fold_add_at(struct fold *f, struct record *r, unsigned message, unsigned part);
/* The same, of a record that was folded when it was made: it stays, and keeps its place among the others. */
void fold_add_settled(struct fold *f, struct record *r);
/* Passes the records that stay on, in the order they came, copies counted; ownership goes to
 * each(). Then frees f. Returns their number. */
uint64_t fold_finish(struct fold *f, void (*each)(struct record *r, void *data), void *data);

/* Do the values of q equal c's, or are they a run of c's rows? The number of values that agree; 0:
 * they do not. */
unsigned fold_agree(const struct record *q, const struct record *c);
/* Are two posters ("Name <address>", in any of the forms of headers and attributions) the same: 1
 * yes, -1 no, 0 cannot be said. */
int fold_same_person(const char *a, const char *b);
/* A text as the JSON of a private key of r's source. */
void fold_set_extra(struct record *r, const char *key, const char *text);

#endif
