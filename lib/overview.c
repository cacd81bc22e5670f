/* The pivot of what differs among records. */
#include <string.h>
#include "lib/overview.h"

/* What may stand across, the first that differs before the others. */
static const char *const facts[] = { "board", "kernel", "load" };
enum { FACTS = G_N_ELEMENTS(facts) };

/* The records merged by one fact. */
struct across {
	GHashTable *values;             /* of the fact, as boards and loads are grouped; one more than may be shown at most */
	struct identity *identity;
	struct merge *merge;            /* NULL: it will not be shown */
};

struct overview {
	struct across across[FACTS];
	uint64_t records;
};

struct overview *overview_new(void)
{
	struct overview *o = g_new0(struct overview, 1);

	for (unsigned i = 0; i < FACTS; i++) {
		struct across *a = &o->across[i];

		a->values = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
		a->identity = identity_new(facts[i], NULL, NULL);
		a->merge = merge_new(a->identity);
	}
	return o;
}

static void drop(struct across *a)
{
	g_clear_pointer(&a->merge, merge_free);
}

void overview_free(struct overview *o)
{
	for (unsigned i = 0; o && i < FACTS; i++) {
		drop(&o->across[i]);
		identity_free(o->across[i].identity);
		g_hash_table_unref(o->across[i].values);
	}
	g_free(o);
}

static void add_value(struct across *a, const char *name, const struct record *r)
{
	const struct fact *f = facts_get(r->environment, name);

	if (f && f->text && g_hash_table_size(a->values) <= OVERVIEW_MAX_COLUMNS)
		g_hash_table_add(a->values, strcmp(name, "board") ? identity_fold(f->text) : identity_board(f->text));
}

/* The fact that differs, or FACTS. */
static unsigned what_differs(const struct overview *o)
{
	for (unsigned i = 0; i < FACTS; i++)
		if (g_hash_table_size(o->across[i].values) > 1)
			return i;
	return FACTS;
}

/* Memory goes to what can still be shown only: nothing behind a fact that differs, and no more series than anyone would read. */
static void drop_needless(struct overview *o)
{
	unsigned shown = what_differs(o);

	for (unsigned i = 0; i < FACTS; i++) {
		struct across *a = &o->across[i];

		if (a->merge && (i > shown || o->records > OVERVIEW_MAX_RECORDS ||
		                 g_hash_table_size(a->values) > OVERVIEW_MAX_COLUMNS ||
		                 merge_groups(a->merge) > OVERVIEW_MAX_SERIES))
			drop(a);
	}
}

/* r for merging without its distributions and rows, which nothing here shows and which may be large. series: room for its series. */
static struct record without_bulk(const struct record *r, GPtrArray *pointers, GArray *series)
{
	struct record bare = *r;

	g_array_set_size(series, r->series->len);
	g_ptr_array_set_size(pointers, 0);
	for (guint i = 0; i < r->series->len; i++) {
		struct series *s = &g_array_index(series, struct series, i);

		*s = *(const struct series *)r->series->pdata[i];
		s->histogram = NULL;
		s->minima = s->maxima = NULL;
		s->samples = NULL;
		g_ptr_array_add(pointers, s);
	}
	bare.series = pointers;
	return bare;
}

void overview_add(struct overview *o, const struct record *r)
{
	g_autoptr(GPtrArray) pointers = g_ptr_array_new();
	g_autoptr(GArray) series = g_array_new(FALSE, TRUE, sizeof(struct series));
	struct record bare = without_bulk(r, pointers, series);

	o->records++;
	for (unsigned i = 0; i < FACTS; i++) {
		struct across *a = &o->across[i];

		add_value(a, facts[i], r);
		if (a->merge)
			merge_add(a->merge, &(struct subject){ &bare, NULL, NULL });
	}
	drop_needless(o);
}

static guint count_series(const GPtrArray *records)
{
	guint n = 0;

	for (guint i = 0; i < records->len; i++)
		n += ((struct record *)records->pdata[i])->series->len;
	return n;
}

struct document *overview_document(const struct overview *o, const char *unit)
{
	static const struct statistic shown[] = {
		{ FIELD_MIN, NULL }, { FIELD_AVG, NULL }, { FIELD_MAX, NULL },
	};
	unsigned i = what_differs(o);

	if (i == FACTS || !o->across[i].merge)
		return NULL;
	g_autoptr(GPtrArray) none = keys_parse("", NULL), col = keys_parse(facts[i], NULL);
	g_autoptr(GPtrArray) merged = merge_records(o->across[i].merge);
	g_autoptr(GArray) statistics = g_array_new(FALSE, FALSE, sizeof(struct statistic));

	/* Rows and columns are both as many as the input likes. */
	if (count_series(merged) > OVERVIEW_MAX_SERIES)
		return NULL;
	g_array_append_vals(statistics, shown, G_N_ELEMENTS(shown));
	return pivot_report(merged, &(struct pivot_options){ none, none, col, statistics, unit });
}
