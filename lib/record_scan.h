/*
 * A fast reader for plain records: what `parse` writes for most results, one object a line. It fills the same struct
 * record again and again, without a tree and without allocation, so that an archive of a million records is aggregated at the
 * speed at which its bytes can be looked at. What it does not know (merged records, unknown keys, \u escapes, numbers with
 * exponents, anything malformed) it leaves to record_from_json, which stays the judge of what a record is.
 */
#ifndef RTREPORT_RECORD_SCAN_H
#define RTREPORT_RECORD_SCAN_H

#include "lib/record.h"

struct record_scan;
/* samples: records that have samples are not for this reader; else their samples are left out. */
struct record_scan *record_scan_new(bool samples);
void record_scan_free(struct record_scan *s);
/*
 * Reads the object at text, which must end within len bytes and hold no line end. *used is its length. The record is
 * the scanner's own and lives until the next call; everything but samples is as record_from_json reads it. NULL:
 * not for this reader.
 */
struct record *record_scan_read(struct record_scan *s, const char *text, size_t len, size_t *used);

#endif
