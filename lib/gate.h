/*
 * Gates: conditions on a comparison that make it fail, for CI.
 *
 * --fail-on takes conditions that trip when they hold, separated by commas:
 *   max>+10%    the new value is more than 10 % above the base (x 1.10);  max>+5us  more than 5 us above it
 *   max>100us   the new value itself
 *   worse, better, different, same, inconclusive, incomparable, changed (better, worse or different), and only of one
 *   statistic with its name before: max:worse; unmatched (a series of the base is missing in the new side)
 *
 * A limits file has a line per limit, which trips when it does not hold; '#' begins a comment:
 *   TOOL [MODE [BOARD]]: max<=50us, p99.9<=20us
 *   EXPRESSION: max<=50us               as for --where, known by its operators
 * '*' or '-' stands for any tool, mode or board; words with blanks go in double quotes.
 */
#ifndef RTREPORT_GATE_H
#define RTREPORT_GATE_H

#include "lib/compare.h"

enum condition_kind { CONDITION_VALUE, CONDITION_CHANGE, CONDITION_JUDGEMENT, CONDITION_CHANGED, CONDITION_UNMATCHED };

struct condition {
	enum condition_kind kind;
	char *text;                     /* as written */
	bool any_statistic;             /* of judgements */
	struct statistic what;
	enum relation relation;
	struct quantity quantity;
	enum judgement judgement;
};

struct limit {
	unsigned line;
	struct select *select;          /* an expression, or NULL: the three words */
	char *tool, *mode, *board;      /* NULL: any */
	GPtrArray *conditions;          /* struct condition * */
	guint64 matched;                /* series that a condition of it could be tried on */
};

/* Reads conditions; NULL on failure, with *error (caller g_frees). Free with g_ptr_array_unref. */
GPtrArray *conditions_parse(const char *text, char **error);
/* Reads a limits file into struct limit *; every fault is told through bad(line, message). NULL when there was one. */
GPtrArray *limits_parse(const char *text, void (*bad)(unsigned line, const char *message, void *data), void *data);
bool limit_applies(struct limit *l, const struct subject *s);

enum outcome { OUTCOME_UNKNOWN, OUTCOME_FALSE, OUTCOME_TRUE };
/*
 * Tries a value condition: CONDITION_VALUE on `new` alone, CONDITION_CHANGE on both (base may be NULL: unknown). Unknown when
 * the value is not there, or its unit is another.
 */
enum outcome condition_try(const struct condition *c, const struct side_series *base, const struct side_series *new);
/* Tries a condition on judgements. */
enum outcome condition_judged(const struct condition *c, const struct statistic *what, enum judgement j);

#endif
