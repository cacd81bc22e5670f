/* The table model: making, freeing and shaping tables. */
#include <string.h>
#include "lib/table.h"

#define NAMES_LENGTH 1500       /* bytes of a message that lists columns */

static void column_clear(void *data)
{
	struct column *c = data;

	g_free(c->heading);
	g_free(c->group);
	g_free(c->unit);
}

static void figure_free(void *data)
{
	struct figure *f = data;

	g_free(f->title);
	g_free(f->quantity);
	g_free(f->unit);
	g_array_unref(f->bars);
	g_free(f);
}

static void row_free(const struct table *t, struct cell *row)
{
	for (guint i = 0; i < t->columns->len; i++) {
		g_free(row[i].text);
		g_free(row[i].link);
	}
	g_free(row);
}

static void table_free(void *data)
{
	struct table *t = data;

	for (guint i = 0; i < t->rows->len; i++)
		row_free(t, t->rows->pdata[i]);
	g_ptr_array_unref(t->rows);
	g_array_unref(t->columns);
	g_ptr_array_unref(t->before);
	g_ptr_array_unref(t->notes);
	g_ptr_array_unref(t->figures);
	g_free(t->title);
	g_free(t);
}

struct document *document_new(const char *title)
{
	struct document *d = g_new0(struct document, 1);

	d->title = g_strdup(title);
	d->tables = g_ptr_array_new_with_free_func(table_free);
	return d;
}

void document_free(struct document *d)
{
	if (!d)
		return;
	g_ptr_array_unref(d->tables);
	g_free(d->title);
	g_free(d);
}

struct table *document_add(struct document *d, const char *title)
{
	struct table *t = g_new0(struct table, 1);

	t->title = g_strdup(title);
	t->before = g_ptr_array_new_with_free_func(g_free);
	t->columns = g_array_new(FALSE, TRUE, sizeof(struct column));
	g_array_set_clear_func(t->columns, column_clear);
	t->rows = g_ptr_array_new();
	t->notes = g_ptr_array_new_with_free_func(g_free);
	t->figures = g_ptr_array_new_with_free_func(figure_free);
	g_ptr_array_add(d->tables, t);
	return t;
}

unsigned table_column(struct table *t, const char *heading, const char *group, const char *unit,
                      enum column_kind kind, int decimals)
{
	struct column c = {
		.heading = g_strdup(heading ? heading : ""), .group = g_strdup(group),
		.unit = g_strdup(unit), .kind = kind, .decimals = decimals,
	};

	g_return_val_if_fail(!t->rows->len, 0);
	g_array_append_val(t->columns, c);
	return t->columns->len - 1;
}

struct cell *table_row(struct table *t)
{
	struct cell *row = g_new0(struct cell, MAX(t->columns->len, 1));

	g_ptr_array_add(t->rows, row);
	return row;
}

void cell_text(struct cell *c, const char *text)
{
	char *copy = g_strdup(text);

	g_free(c->text);
	c->text = copy;
}

void cell_number(struct cell *c, struct number n)
{
	c->number = n;
}

unsigned table_note(struct table *t, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_ptr_array_add(t->notes, g_strdup_vprintf(format, args));
	va_end(args);
	return t->notes->len;
}

void table_before(struct table *t, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_ptr_array_add(t->before, g_strdup_vprintf(format, args));
	va_end(args);
}

struct figure *table_figure(struct table *t, const char *title, const char *unit)
{
	struct figure *f = g_new0(struct figure, 1);

	f->title = g_strdup(title);
	f->unit = g_strdup(unit);
	f->bars = g_array_new(FALSE, TRUE, sizeof(struct bar));
	g_ptr_array_add(t->figures, f);
	return f;
}

void figure_bar(struct figure *f, struct number lower, struct number upper, struct number count)
{
	struct bar b = { lower, upper, count };

	g_array_append_val(f->bars, b);
}

char *column_label(const struct column *c)
{
	return c->unit && *c->unit ? g_strdup_printf("%s [%s]", c->heading, c->unit) : g_strdup(c->heading);
}

/*
 * n with exactly `decimals` digits after the point: rounded half-even when it has more, filled with zeros when it has
 * fewer. number_print knows no trailing zeros, so they are added to its text.
 */
static char *show_fixed(struct number n, int decimals)
{
	char buf[NUMBER_TEXT];
	GString *s = g_string_new(number_print(number_round(n, decimals), buf));
	const char *point = strchr(s->str, '.');
	int have = point ? (int)(s->len - (point - s->str) - 1) : 0;

	if (!point && decimals > 0)
		g_string_append_c(s, '.');
	for (; have < decimals; have++)
		g_string_append_c(s, '0');
	return g_string_free(s, FALSE);
}

char *cell_show(const struct table *t, unsigned column, const struct cell *c)
{
	int decimals = g_array_index(t->columns, struct column, column).decimals;
	char buf[NUMBER_TEXT];

	if (!number_is_set(c->number))
		return g_strdup(c->text ? c->text : "");
	if (decimals < 0)
		return g_strdup(number_print(c->number, buf));
	return show_fixed(c->number, decimals);
}

/* A heading as it is compared: lower case, '_' and '-' as blanks. */
static char *folded(const char *name)
{
	char *s = g_utf8_casefold(name, -1);

	g_strdelimit(s, "_-", ' ');
	return g_strstrip(s);
}

/* Index of the first column from `start` on that the folded name means; -1: none. */
static int column_find(const struct table *t, const char *name, guint start)
{
	for (guint i = start; i < t->columns->len; i++) {
		const struct column *c = &g_array_index(t->columns, struct column, i);
		g_autofree char *heading = folded(c->heading);
		g_autofree char *grouped = g_strdup_printf("%s/%s", c->group ? c->group : "", c->heading);
		g_autofree char *full = folded(grouped);

		if (!strcmp(name, heading) || !strcmp(name, full))
			return (int)i;
	}
	return -1;
}

/* Splits names; each is folded. *bad: the first that no table has, as it was given. Caller frees both. */
static char **column_names(const struct document *d, const char *names, gboolean signs, char **bad)
{
	char **list = g_strsplit(names, ",", -1);

	*bad = NULL;
	for (char **n = list; *n && !*bad; n++) {
		const char *bare = g_strstrip(*n);
		gboolean minus = signs && (*bare == '-' || *bare == '+');
		g_autofree char *name = folded(bare + minus);
		gboolean found = FALSE;

		for (guint i = 0; i < d->tables->len && !found; i++)
			found = column_find(d->tables->pdata[i], name, 0) >= 0;
		if (!found && d->tables->len)
			*bad = g_strdup(bare + minus);
		char *with_sign = g_strconcat(minus && *bare == '-' ? "-" : "", name, NULL);
		g_free(*n);
		*n = with_sign;
	}
	return list;
}

char *document_no_column(const struct document *d, const char *name)
{
	g_autoptr(GHashTable) told = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GString) names = g_string_new(NULL);

	for (guint t = 0; t < d->tables->len; t++) {
		const GArray *columns = ((const struct table *)d->tables->pdata[t])->columns;

		for (guint c = 0; c < columns->len && names->len < NAMES_LENGTH; c++) {
			const char *heading = g_array_index(columns, struct column, c).heading;

			if (heading && *heading && g_hash_table_add(told, (void *)heading))
				g_string_append_printf(names, "%s%s", names->len ? ", " : "", heading);
		}
	}
	return g_strdup_printf("no column is named '%s'; the columns are %s%s", name, names->str,
	                       names->len < NAMES_LENGTH ? "" : ", …");
}

static void select_columns(struct table *t, char *const *names)
{
	GArray *old = t->columns, *kept = g_array_new(FALSE, TRUE, sizeof(struct column));
	g_autoptr(GArray) from = g_array_new(FALSE, FALSE, sizeof(guint));
	unsigned keys = 0;

	/* One name may stand for several columns: "value" in us and in %. */
	for (; *names; names++) {
		for (int at = 0; (at = column_find(t, *names, (guint)at)) >= 0; at++) {
			guint index = (guint)at;

			if (index < t->keys && keys == from->len)
				keys++;
			g_array_append_val(from, index);
		}
	}
	g_array_set_clear_func(kept, column_clear);
	for (guint i = 0; i < from->len; i++) {
		struct column c = g_array_index(old, struct column, g_array_index(from, guint, i));

		c.heading = g_strdup(c.heading);
		c.group = g_strdup(c.group);
		c.unit = g_strdup(c.unit);
		g_array_append_val(kept, c);
	}
	for (guint r = 0; r < t->rows->len; r++) {
		struct cell *row = t->rows->pdata[r], *cut = g_new0(struct cell, MAX(from->len, 1));

		for (guint i = 0; i < from->len; i++) {
			cut[i] = row[g_array_index(from, guint, i)];
			cut[i].text = g_strdup(cut[i].text);
			cut[i].link = g_strdup(cut[i].link);
		}
		row_free(t, row);
		t->rows->pdata[r] = cut;
	}
	t->columns = kept;
	t->keys = keys;
	g_array_unref(old);
}

char *document_select(struct document *d, const char *names)
{
	char *bad;
	g_auto(GStrv) list = column_names(d, names, FALSE, &bad);

	for (guint i = 0; i < d->tables->len && !bad; i++)
		select_columns(d->tables->pdata[i], list);
	return bad;
}

struct sort_key { int column; gboolean descending; };

/* Text order in which "2" comes before "10" and case does not count; the same in every locale. */
static int compare_text(const char *a, const char *b)
{
	g_autofree char *x = g_utf8_casefold(a, -1);
	g_autofree char *y = g_utf8_casefold(b, -1);

	return strverscmp(x, y);
}

static int compare_cells(const struct cell *a, const struct cell *b, gboolean descending)
{
	bool an = number_is_set(a->number), bn = number_is_set(b->number);
	bool at = a->text && *a->text, bt = b->text && *b->text;
	int order;

	if (an != bn)
		return an ? -1 : 1;
	if (!an && at != bt)
		return at ? -1 : 1;
	if (an)
		order = number_cmp(a->number, b->number);
	else
		order = at ? compare_text(a->text, b->text) : 0;
	return descending ? -order : order;
}

static int compare_rows(const void *x, const void *y, void *data)
{
	const struct cell *a = *(struct cell *const *)x, *b = *(struct cell *const *)y;
	const GArray *keys = data;

	for (guint i = 0; i < keys->len; i++) {
		const struct sort_key *k = &g_array_index(keys, struct sort_key, i);
		int order = compare_cells(&a[k->column], &b[k->column], k->descending);

		if (order)
			return order;
	}
	return 0;
}

char *document_sort(struct document *d, const char *names)
{
	char *bad;
	g_auto(GStrv) list = column_names(d, names, TRUE, &bad);

	for (guint i = 0; i < d->tables->len && !bad; i++) {
		struct table *t = d->tables->pdata[i];
		g_autoptr(GArray) keys = g_array_new(FALSE, TRUE, sizeof(struct sort_key));

		for (char **n = list; *n; n++) {
			struct sort_key k = { .descending = **n == '-' };

			k.column = column_find(t, *n + k.descending, 0);
			if (k.column >= 0)
				g_array_append_val(keys, k);
		}
		/* g_ptr_array_sort_with_data is a stable merge sort. */
		g_ptr_array_sort_with_data(t->rows, compare_rows, keys);
	}
	return bad;
}

void document_digits(struct document *d, int digits)
{
	for (guint i = 0; i < d->tables->len; i++) {
		struct table *t = d->tables->pdata[i];

		for (guint c = 0; c < t->columns->len; c++) {
			struct column *col = &g_array_index(t->columns, struct column, c);

			if (col->kind == COLUMN_NUMBER && col->unit && *col->unit)
				col->decimals = digits;
		}
	}
}
