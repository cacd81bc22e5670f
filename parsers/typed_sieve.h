/* Typed tables and the sieve of archives. */
#ifndef RTREPORT_TYPED_SIEVE_H
#define RTREPORT_TYPED_SIEVE_H

#include <stdbool.h>
#include <stddef.h>

/* So much must the words around a table say in any case (typed_measures). */
#define TYPED_SCORE_TOPIC_SURE 3

/* May the text hold a typed table? False only if none of its tables can measure anything. */
bool typed_may_measure(const char *text, size_t len);

#endif
