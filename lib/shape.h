/*
 * Row shapes at work: finds where a row of any parser begins in a line, and judges what stands
 * before it. Used by the text layer only.
 */
#ifndef RTREPORT_SHAPE_H
#define RTREPORT_SHAPE_H

#include <stdbool.h>
#include <stdint.h>
#include "lib/text.h"

enum prefix {
	PREFIX_OK,              /* nothing, blanks, a log prefix, a list mark, a prompt, ^C */
	PREFIX_PROSE,           /* other text: the row counts only if it is whole and may begin inside a line */
	PREFIX_COMMENT,         /* behind a comment sign of program or shell text */
	PREFIX_QUOTED           /* inside quotes on the line */
};

struct shape_hit {
	struct shape_ref ref;   /* the first parser in the table's order whose shape begins here */
	uint64_t candidates;    /* parsers with a shape here */
	size_t at, length;      /* offset, and length of what `start` matched */
	size_t full;            /* offset where the complete row ends; 0: not complete on this line */
	bool hopeful;           /* behind prose and not complete on this line: counts only if the next lines complete it */
	bool quiet;             /* only a quiet shape begins here: no evidence of a tool, never joined */
	bool open;              /* no shape here has a `full`: the row reaches to the line's end */
	enum prefix prefix;
};

/*
 * Remembers, for one text, where each shape's next start is, so that a long line with thousands of rows is scanned once and
 * not once a row.
 */
struct shape_scan;
struct shape_scan *shape_scan_new(void);
void shape_scan_free(struct shape_scan *s);
/* The text is another one now. */
void shape_scan_reset(struct shape_scan *s);

/*
 * The first row start in text[from..len). whole: `from` is the beginning of the line, so that prefixes count; else what is between
 * from and the row is only blank or prose. Quiet shapes are found at the line's first word only, when nothing else is.
 */
bool shape_find(struct shape_scan *scan, const char *text, size_t len, size_t from, bool whole, struct shape_hit *hit);
/* Offset behind the complete row that begins at the start of s, by any shape that begins there; 0: incomplete. */
size_t shape_full(const struct shape_hit *hit, const char *s, size_t len);
/* Whether s may be a continuation of the row of hit, also when that never gets complete. */
bool shape_more(const struct shape_hit *hit, const char *s, size_t len);
/* How much of s a known prefix covers (digits match digits, blanks blanks); 0: it does not begin so. */
size_t shape_prefix_skip(const char *prefix, size_t prefix_len, const char *s, size_t len);

#endif
