/*
 * Folding: each result counted once. A sighting is folded into the original when it is quoted, or the same message
 * or part again (same message-id, plain and HTML part, cross-post), and its values equal the original's or are a run of its
 * rows. Equal values alone never fold: two posters with equal numbers stay two.
 */
#ifndef RTREPORT_FOLD_H
#define RTREPORT_FOLD_H

#include "lib/record.h"

struct fold;
struct fold *fold_new(void);
/* Takes ownership of r. Records wait in a spool (memory holds an index only). */
void fold_add(struct fold *f, struct record *r);
/* Passes the records that stay on, in the order they came, copies counted; ownership goes to each(). Then frees f. Returns their number. */
uint64_t fold_finish(struct fold *f, void (*each)(struct record *r, void *data), void *data);

#endif
