/* The pivot of what differs among records. */
#include <string.h>
#include "lib/overview.h"

/*
 * How many different values of the fact there are, as boards and loads are grouped; no more are
 * counted than may be shown.
 */
static guint count_values(const GPtrArray *records, const char *fact)
{
	g_autoptr(GHashTable) values = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	bool board = !strcmp(fact, "board");

	for (guint i = 0; i < records->len && g_hash_table_size(values) <= OVERVIEW_MAX_COLUMNS;
	     i++) {
		const struct record *r = records->pdata[i];
		const struct fact *f = facts_get(r->environment, fact);

		if (f && f->text)
			g_hash_table_add(values,
			                 board ? identity_board(f->text) : identity_fold(f->text));
	}
	return g_hash_table_size(values);
}

static const char *what_differs(const GPtrArray *records)
{
	static const char *const facts[] = { "board", "kernel", "load" };

	for (guint i = 0; i < G_N_ELEMENTS(facts); i++) {
		guint n = count_values(records, facts[i]);

		if (n > 1)
			return n <= OVERVIEW_MAX_COLUMNS ? facts[i] : NULL;
	}
	return NULL;
}

static guint count_series(const GPtrArray *records)
{
	guint n = 0;

	for (guint i = 0; i < records->len; i++)
		n += ((struct record *)records->pdata[i])->series->len;
	return n;
}

static GPtrArray *merged_by(const GPtrArray *records, const char *key)
{
	struct identity *identity = identity_new(key, NULL, NULL);
	struct merge *merge = merge_new(identity);
	GPtrArray *merged;

	for (guint i = 0; i < records->len; i++)
		merge_add(merge, &(struct subject){ records->pdata[i], NULL, NULL });
	merged = merge_records(merge);
	merge_free(merge);
	identity_free(identity);
	return merged;
}

struct document *overview_new(const GPtrArray *records, const char *unit)
{
	static const struct statistic shown[] = {
		{ FIELD_MIN, NULL }, { FIELD_AVG, NULL }, { FIELD_MAX, NULL },
	};
	const char *across = records->len <= OVERVIEW_MAX_RECORDS ? what_differs(records) : NULL;

	if (!across)
		return NULL;
	g_autoptr(GPtrArray) none = keys_parse("", NULL), col = keys_parse(across, NULL);
	g_autoptr(GPtrArray) merged = merged_by(records, across);
	g_autoptr(GArray) statistics = g_array_new(FALSE, FALSE, sizeof(struct statistic));

	/* Rows and columns are both as many as the input likes. */
	if (count_series(merged) > OVERVIEW_MAX_SERIES)
		return NULL;
	g_array_append_vals(statistics, shown, G_N_ELEMENTS(shown));
	return pivot_report(merged, &(struct pivot_options){ none, none, col, statistics, unit });
}
