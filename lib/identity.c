#include "lib/identity.h"

#include <string.h>
#include "lib/names.h"

#define BOARDS_CACHED 65536u            /* spellings; hostile input must not make a table without end */

char *identity_fold(const char *text)
{
	g_autofree char *folded = g_utf8_validate(text, -1, NULL) ? g_utf8_casefold(text, -1) : g_ascii_strdown(text, -1);
	GString *out = g_string_sized_new(strlen(folded));

	for (const char *p = folded; *p; p++) {
		if (g_ascii_isspace(*p))
			continue;
		if ((unsigned char)p[0] == 0xc2 && (unsigned char)p[1] == 0xa0)
			p++;
		else
			g_string_append_c(out, *p);
	}
	return g_string_free(out, FALSE);
}

char *identity_board(const char *stated)
{
	const char *known = names_canonical(NAME_BOARD, stated);

	return identity_fold(known ? known : stated);
}

const char *identity_board_cached(const struct identity *id, const char *stated)
{
	const char *name = g_hash_table_lookup(id->boards, stated);

	if (name)
		return name;
	if (g_hash_table_size(id->boards) >= BOARDS_CACHED)
		g_hash_table_remove_all(id->boards);
	g_hash_table_insert(id->boards, g_strdup(stated), identity_board(stated));
	return g_hash_table_lookup(id->boards, stated);
}

/* Values cannot group what they measure; the rest of the series keys is part of the identity already. */
static bool check_by(struct identity *id, char **error)
{
	for (guint i = 0; i < id->by->len;) {
		const struct key *k = id->by->pdata[i];

		if (k->id >= KEY_VALUE_FIRST) {
			*error = g_strdup_printf("'%s' is a measured value: results cannot be grouped by it", k->name);
			return false;
		}
		if (k->id == KEY_SERIES_LABEL && !strcmp(k->argument, "thread"))
			id->fold_threads = id->fold_cpus = false;
		if (k->id == KEY_SERIES_LABEL && !strcmp(k->argument, "cpu"))
			id->fold_cpus = false;
		if (key_is_series(k))
			g_ptr_array_remove_index(id->by, i);
		else
			i++;
	}
	return true;
}

struct identity *identity_new(const char *by, const char *ignore, char **error)
{
	struct identity *id = g_new0(struct identity, 1);

	id->fold_threads = id->fold_cpus = true;
	id->boards = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	id->ignore = keys_parse(ignore ? ignore : "", error);
	id->by = id->ignore ? keys_parse(by ? by : "", error) : NULL;
	if (!id->by || !check_by(id, error)) {
		identity_free(id);
		return NULL;
	}
	id->ignore_mode = keys_contain(id->ignore, KEY_MODE, NULL);
	id->ignore_load = keys_contain(id->ignore, KEY_ENVIRONMENT, "load");
	id->ignore_name = keys_contain(id->ignore, KEY_NAME, NULL);
	id->ignore_quantity = keys_contain(id->ignore, KEY_QUANTITY, NULL);
	return id;
}

void identity_free(struct identity *id)
{
	if (!id)
		return;
	if (id->by)
		g_ptr_array_unref(id->by);
	if (id->ignore)
		g_ptr_array_unref(id->ignore);
	g_hash_table_unref(id->boards);
	g_free(id);
}

/* NULL and "" differ. */
static void append_part(GString *out, const char *text)
{
	guint32 len = text ? (guint32)strlen(text) : G_MAXUINT32;
	char head[4] = { (char)(len >> 24), (char)(len >> 16), (char)(len >> 8), (char)len };

	if (!text)
		len = 0;
	if (out->allocated_len - out->len > sizeof(head) + len) {
		/* As below, without the calls: keys are made for every series of an archive. */
		memcpy(out->str + out->len, head, sizeof(head));
		memcpy(out->str + out->len + sizeof(head), text ? text : "", len);
		out->len += sizeof(head) + len;
		out->str[out->len] = '\0';
		return;
	}
	g_string_append_len(out, head, sizeof(head));
	g_string_append_len(out, text ? text : "", len);
}

static void append_folded(GString *out, const char *text)
{
	g_autofree char *folded = text ? identity_fold(text) : NULL;

	append_part(out, folded);
}

static void append_number(GString *out, struct number n)
{
	char text[NUMBER_TEXT];

	append_part(out, number_is_set(n) ? number_print(n, text) : NULL);
}

static bool is_fact(const struct key *k, const char *name)
{
	return k->id == KEY_ENVIRONMENT && !strcmp(k->argument, name);
}

void identity_record_key(const struct identity *id, const struct subject *s, GString *out)
{
	const struct fact *load = id->ignore_load ? NULL : facts_get(s->record->environment, "load");
	g_autoptr(GString) whole = NULL;
	struct key_value v;

	for (guint i = 0; i < id->by->len; i++) {
		const struct key *k = id->by->pdata[i];

		if (k->id == KEY_CONFIG_ALL || k->id == KEY_FLAG) {
			whole = whole ? whole : g_string_new(NULL);
			key_text(k, s, whole);
			append_part(out, whole->str);
		} else if (!key_get(k, s, &v)) {
			append_part(out, NULL);
		} else if (!v.text) {
			append_number(out, v.number);
		} else {
			append_part(out, is_fact(k, "board") ? identity_board_cached(id, v.text) : v.text);
		}
	}
	append_part(out, s->record->tool);
	append_part(out, id->ignore_mode ? NULL : s->record->mode);
	append_folded(out, load ? load->text : NULL);
}

bool identity_raw_key(const struct identity *id, const struct subject *s, GString *out)
{
	const struct fact *load = id->ignore_load ? NULL : facts_get(s->record->environment, "load");
	struct key_value v;

	for (guint i = 0; i < id->by->len; i++) {
		const struct key *k = id->by->pdata[i];

		if (k->id == KEY_CONFIG_ALL || k->id == KEY_FLAG)
			return false;
		if (!key_get(k, s, &v))
			append_part(out, NULL);
		else if (v.text)
			append_part(out, v.text);
		else
			append_number(out, v.number);
	}
	append_part(out, s->record->tool);
	append_part(out, id->ignore_mode ? NULL : s->record->mode);
	append_part(out, load ? load->text : NULL);
	return true;
}

enum label_kind { LABEL_OTHER, LABEL_TID, LABEL_THREAD, LABEL_CPU, LABEL_COUNTED };

/* What a label's key means for folding. LABEL_COUNTED: counted up or down from the first thread. */
static enum label_kind label_kind(const char *key)
{
	switch (key[0]) {
	case 't':
		return !strcmp(key, "tid") ? LABEL_TID : !strcmp(key, "thread") ? LABEL_THREAD : LABEL_OTHER;
	case 's':
		return !strcmp(key, "sender") ? LABEL_THREAD : LABEL_OTHER;
	case 'r':
		return !strcmp(key, "receiver") ? LABEL_THREAD : LABEL_OTHER;
	case 'c':
		return !strcmp(key, "cpu") ? LABEL_CPU : LABEL_OTHER;
	case 'p':
		return !strcmp(key, "priority") ? LABEL_COUNTED : LABEL_OTHER;
	case 'i':
		return !strcmp(key, "interval_ns") ? LABEL_COUNTED : LABEL_OTHER;
	default:
		return LABEL_OTHER;
	}
}

/* Does the label go because threads or CPUs fold? */
static bool folds(const struct identity *id, enum label_kind kind)
{
	return (id->fold_threads && kind == LABEL_THREAD) || (id->fold_cpus && kind == LABEL_CPU);
}

static bool has_folded(const struct identity *id, const struct series *s)
{
	for (guint i = 0; i < s->labels->len; i++)
		if (folds(id, label_kind(g_array_index(s->labels, struct fact, i).key)))
			return true;
	return false;
}

/* By thread, then CPU, then receiver; numbers before what is not there. */
static int compare_places(const struct series *a, const struct series *b)
{
	static const char *const keys[] = { "thread", "cpu", "receiver" };

	for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
		const struct fact *x = facts_get(a->labels, keys[i]), *y = facts_get(b->labels, keys[i]);
		bool x_set = x && number_is_set(x->number), y_set = y && number_is_set(y->number);
		int c = x_set && y_set ? number_cmp(x->number, y->number) : y_set - x_set;

		if (c)
			return c;
	}
	return 0;
}

const struct series *identity_first_thread(const struct identity *id, const struct record *r)
{
	const struct series *first = NULL;

	if (!id->fold_threads)
		return NULL;
	if (r->series->len == 1)
		return has_folded(id, r->series->pdata[0]) ? r->series->pdata[0] : NULL;
	for (guint i = 0; i < r->series->len; i++) {
		const struct series *s = r->series->pdata[i];

		if (has_folded(id, s) && (!first || compare_places(s, first) < 0))
			first = s;
	}
	return first;
}

static bool ignored(const struct identity *id, const char *label)
{
	if (!strcmp(label, "priority") && keys_contain(id->ignore, KEY_PRIORITY, NULL))
		return true;
	return keys_contain(id->ignore, KEY_SERIES_LABEL, label);
}

static gint by_key(gconstpointer a, gconstpointer b)
{
	return strcmp(((const struct fact *)a)->key, ((const struct fact *)b)->key);
}

void identity_labels(const struct identity *id, const struct series *s, const struct series *first, GArray *out)
{
	bool threads = first && has_folded(id, s), sorted = true;

	g_array_set_size(out, 0);
	for (guint i = 0; i < s->labels->len; i++) {
		struct fact f = g_array_index(s->labels, struct fact, i);
		enum label_kind kind = label_kind(f.key);

		if (kind == LABEL_TID || folds(id, kind) || (id->ignore->len && ignored(id, f.key)))
			continue;
		if (threads && s != first && kind == LABEL_COUNTED) {
			const struct fact *own = facts_get(first->labels, f.key);

			if (own)
				f = *own;
		}
		if (!f.text && !number_is_set(f.number))
			continue;
		f.line = 0;
		sorted = sorted && (!out->len || by_key(&g_array_index(out, struct fact, out->len - 1), &f) <= 0);
		g_array_append_val(out, f);
	}
	if (!sorted)
		g_array_sort(out, by_key);
}

void identity_series_key(const struct identity *id, const struct series *s, const struct series *first, GArray *labels, GString *out)
{
	append_part(out, id->ignore_quantity ? NULL : s->quantity ? s->quantity : "latency");
	append_part(out, s->unit);
	append_part(out, id->ignore_name ? NULL : s->name);
	identity_labels(id, s, first, labels);
	for (guint i = 0; i < labels->len; i++) {
		const struct fact *f = &g_array_index(labels, struct fact, i);

		append_part(out, f->key);
		if (f->text)
			append_part(out, f->text);
		else
			append_number(out, f->number);
	}
}
