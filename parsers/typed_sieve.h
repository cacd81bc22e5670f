/* Typed tables and the sieve of archives. */
#ifndef RTREPORT_TYPED_SIEVE_H
#define RTREPORT_TYPED_SIEVE_H

#include <stdbool.h>
#include <stddef.h>

/* The scores by which typed_measures() decides. */
#define TYPED_SCORE_TOPIC 4	 /* so much must the words say, … */
#define TYPED_SCORE_TOPIC_SURE 3 /* … or so much when structure alone says as much, … */
#define TYPED_SCORE_CLEAR 9	 /* words that need no structure */
#define TYPED_SCORE_ALL 7	 /* … and so much words, statistics and units together */

/* May the text hold a typed table? False only if none of its tables can measure anything. */
bool typed_may_measure(const char *text, size_t len);

#endif
