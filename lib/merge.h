/*
 * Merged records: many runs of the same identity as one record. Merging is associative and commutative: the parts in
 * any order, and parts of parts, give the same bytes.
 *
 *   min, max            the extremes, with their source (message-id, else file; of equal ones the first in byte order)
 *   avg                 sum / weight, both kept exactly. A run that states its count weighs that, one that does not weighs 1
 *                       ("weights": "runs"); where both meet, no mean is right: null ("weights": "mixed")
 *   value               of single values (a table's cell, an elapsed time): least, greatest and mean of the values
 *   count, overruns,    sums; null where some run does not state them
 *   mode_switches
 *   histogram           bin by bin, only if every run has one; unlike widths on their common edges, and none if there are none
 *   resolution          the coarsest
 *   threads             the most that one run folded into the series
 *   facts               those that all runs share; the names of the others are in `varies`
 *   source              what all runs share
 *   flags               the codes that any run has
 *
 * Memory grows with the number of groups, not of runs.
 */
#ifndef RTREPORT_MERGE_H
#define RTREPORT_MERGE_H

#include "lib/identity.h"

struct merge;
/* id must outlive it. */
struct merge *merge_new(const struct identity *id);
void merge_free(struct merge *m);
/* r is a run or a merged record; it stays the caller's and may be freed at once. */
void merge_add(struct merge *m, const struct subject *s);
uint64_t merge_groups(const struct merge *m);
/* The merged records, ordered by the identity's keys; an array that owns them. m stays as it is. */
GPtrArray *merge_records(const struct merge *m);
/* The same one by one, without holding them all; ownership goes to each(). */
void merge_each(const struct merge *m, void (*each)(struct record *r, void *data), void *data);

/* Adds `from` to `into` bin by bin, on the edges that both have. False when they have none in common: into is then useless. */
bool histogram_merge(struct histogram *into, const struct histogram *from);
struct histogram *histogram_copy(const struct histogram *h);

/* The merged series' extra figure as a number ("threads"), or absent. */
struct number merged_threads(const struct series *s);
enum merge_weights { WEIGHTS_NONE, WEIGHTS_COUNT, WEIGHTS_RUNS, WEIGHTS_MIXED };
enum merge_weights merged_weights(const struct series *s);

#endif
