/*
 * The selection language of --where.
 *
 *   tool=cyclictest board~omap max>100us date>=2013-01 -load~idle
 *
 * Terms side by side must all hold; OR between them, and parentheses; '-' before a term or a parenthesis negates.
 * AND may be written too. A term is KEY OP VALUE without blanks around OP:
 *   =   exactly (board: case and blanks folded), !=  its opposite
 *   ~   contains, case folded, or a pattern: ~/regex/ or ~/regex/i; !~ its opposite
 *   < <= > >=  numbers by value, dates by time (2013-01 is the whole month), other text with its digit groups by value
 * VALUE is a word, or "quoted text", or (a OR b) for one of several. Numbers may carry ns, us, ms, s, min, h or %;
 * a value that was measured in time must. A key without a value fulfils no term but KEY="" and negated ones.
 */
#ifndef RTREPORT_SELECT_H
#define RTREPORT_SELECT_H

#include "lib/keys.h"

#define SELECT_MAX_TERMS 256u

enum relation { CMP_EQUAL, CMP_CONTAINS, CMP_LESS, CMP_AT_MOST, CMP_GREATER, CMP_AT_LEAST };
/* Does a value fulfil the relation, when it compares with the wanted one as `order` says: <0, 0, >0. CMP_CONTAINS: as CMP_EQUAL. */
bool relation_holds(enum relation relation, int order);

/* A number with its unit, as users write it: "100us", "-5", "10%". */
struct quantity { struct number number; const char *unit; };    /* unit: a constant ("ns" … "s", "%"), or NULL */
/* The whole of text[0..len); min and h become seconds. */
bool quantity_parse(const char *text, size_t len, struct quantity *out);
/* n, in unit `from`, in unit `to`: exact. False when they do not measure the same. A NULL unit equals itself only. */
bool unit_convert(struct number n, const char *from, const char *to, struct number *out);
bool unit_is_time(const char *unit);

struct select;
/* NULL on failure, with *error (caller g_frees): what is wrong, and a caret under the place. Blank text matches all. */
struct select *select_parse(const char *expression, char **error);
void select_free(struct select *s);

bool select_match(struct select *s, const struct subject *subject);
/* Takes the series out of r that do not match. False when none is left. s NULL: true. */
bool select_record(struct select *s, struct record *r, const char *label);
/* What went wrong while matching, for the user (a bare number compared with a time), or NULL. */
const char *select_problem(const struct select *s);

#endif
