/*
 * Identity: which series are the same measurement, for diff, compare and aggregate.
 *
 * A series is known by tool, mode, load, quantity, unit, name and its labels without `tid`, and by the keys that the user
 * adds (--by) less those that he leaves out (--ignore). Threads and CPUs fold unless --by thread (or core) unfolds
 * them: their labels are left out then, and priority and interval are those of the first thread, since tools count them down
 * or up from it. Boards group by their known name, else by the stated one, case and blanks folded; loads by the latter.
 *
 * Keys are byte strings in which every part carries its length: no text can imitate another's.
 */
#ifndef RTREPORT_IDENTITY_H
#define RTREPORT_IDENTITY_H

#include "lib/keys.h"

struct identity {
	GPtrArray *by;                  /* struct key *: record keys that group beside tool, mode and load */
	GPtrArray *ignore;              /* struct key * */
	bool fold_threads, fold_cpus;
	bool ignore_mode, ignore_load, ignore_name, ignore_quantity;
	GHashTable *boards;             /* stated -> grouping name: the data is searched once a spelling */
};

/*
 * NULL on failure with *error (caller g_frees). by and ignore may be NULL; what both name keeps results apart. `by` may not name
 * measured values.
 */
struct identity *identity_new(const char *by, const char *ignore, char **error);
void identity_free(struct identity *id);

/* What a stated board groups by; caller g_frees. */
char *identity_board(const char *stated);
/* The same from the cache: lives as long as id. */
const char *identity_board_cached(const struct identity *id, const char *stated);
/* Case and blanks folded; caller g_frees. */
char *identity_fold(const char *text);

/* The record's part of the key, appended to out. */
void identity_record_key(const struct identity *id, const struct subject *s, GString *out);

/*
 * The same with the strings as they are stated, which is cheaper: equal texts mean equal keys, but not the other way round.
 * False when the identity asks for what this cannot tell.
 */
bool identity_raw_key(const struct identity *id, const struct subject *s, GString *out);

/* Which of r's series stands for all its threads (whose priority and interval count), or NULL. Ask once a record. */
const struct series *identity_first_thread(const struct identity *id, const struct record *r);
/* The series' part of the key, appended to out. first: as above. labels: room, as for identity_labels. */
void identity_series_key(const struct identity *id, const struct series *s, const struct series *first, GArray *labels, GString *out);
/*
 * The labels that remain in that key, in its order, for a merged series: an array of struct fact whose strings are s's
 * and first's. Cleared first.
 */
void identity_labels(const struct identity *id, const struct series *s, const struct series *first, GArray *out);

#endif
