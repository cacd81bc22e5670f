/*
 * PCRE2 patterns: compiled once, JIT where there is one, with match and depth
 * limits, since every subject here is hostile. The only user of PCRE2.
 */
#ifndef RTREPORT_PATTERN_H
#define RTREPORT_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

#define PATTERN_GROUPS 32       /* capture groups that a match can hold, 0 included */

struct slice { const char *p; size_t len; };

struct match {
	int count;                              /* groups, 0 included; unset ones have p NULL */
	struct slice group[PATTERN_GROUPS];
	const char *begin, *end;                /* of the whole match */
};

/*
 * A pattern is written as a constant and compiled on first use:
 *     static struct pattern row = PATTERN("^T:\\s*(\\d+)");
 * Patterns are extended (x flag off), case-sensitive unless they say (?i), UTF off
 * (bytes): write non-ASCII characters as they are. A pattern that does not compile ends the program (a bug).
 */
struct pattern { const char *source; void *code, *anchored; };
#define PATTERN(s) { (s), NULL, NULL }

/* First match in text[0..len) at or after offset `from`. m may be NULL. A match limit reached is no match. Thread-safe. */
bool pattern_match(struct pattern *p, const char *text, size_t len, size_t from, struct match *m);
/* The same, anchored at `from`. */
bool pattern_match_at(struct pattern *p, const char *text, size_t len, size_t from, struct match *m);
/* False: for certain no match begins with this byte. */
bool pattern_may_begin(struct pattern *p, char first);

#endif
