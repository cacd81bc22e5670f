/*
 * Plain records of JSON Lines, scanned by a thread of their own some way ahead of who takes them.
 */
#ifndef RTREPORT_RECORD_AHEAD_H
#define RTREPORT_RECORD_AHEAD_H

#include "lib/record.h"

struct record_ahead;
/* Begins at once; text must live until record_ahead_free. */
/* samples: as for record_scan_new. */
struct record_ahead *record_ahead_new(const char *text, size_t len, bool samples);
void record_ahead_free(struct record_ahead *a);
/*
 * The record that begins at `text`, a place inside the whole; places must ascend from call to call. *used is its length. It
 * lives until the next call. NULL: none that record_scan_read takes.
 */
struct record *record_ahead_take(struct record_ahead *a, const char *text, size_t *used);

#endif
