/* Delimited text of documents and records. */
#include <csv.h>
#include <errno.h>
#include <string.h>
#include "lib/delimited.h"
#include "lib/plain.h"
#include "lib/report_long.h"

struct writer {
	const struct dialect *dialect;
	FILE *out;
	bool began;                     /* a field of this line is written */
};

/*
 * '=', '+', '-' and '@' begin a formula in spreadsheets, also in their full-width forms in East Asian versions (and TAB
 * and CR do before them, but plain text has none). A plain number is none.
 */
bool text_is_formula(const char *text)
{
	static const char *const wide[] = { "\357\274\235", "\357\274\213", "\357\274\215", "\357\274\240" };
	struct number n;

	for (guint i = 0; i < G_N_ELEMENTS(wide); i++)
		if (g_str_has_prefix(text, wide[i]))
			return true;
	return *text && strchr("=+-@", *text) && number_parse(text, strlen(text), 0, &n) == NUMBER_NONE;
}

static bool needs_quotes(const struct writer *w, const char *text)
{
	const char special[] = { w->dialect->delimiter, '"', '\r', '\n', '\0' };
	bool tabs = w->dialect->delimiter == '\t';

	/* In TSV a quote counts only at the beginning. */
	if (tabs)
		return *text == '"';
	return strpbrk(text, special) || *text == ' ' || (*text && text[strlen(text) - 1] == ' ');
}

/* The stream is this writer's alone: most fields are empty or a few digits, and locking it would cost more than they do. */
static void put_raw(struct writer *w, const char *text)
{
	if (w->began)
		putc_unlocked(w->dialect->delimiter, w->out);
	w->began = true;
	if (*text)
		fputs_unlocked(text, w->out);
}

static void put_field(struct writer *w, const char *text)
{
	if (!*text || !needs_quotes(w, text)) {
		put_raw(w, text);
		return;
	}
	put_raw(w, "");
	csv_fwrite(w->out, text, strlen(text));
}

static void put_text(struct writer *w, const char *text)
{
	if (!text || !*text) {
		put_raw(w, "");
		return;
	}
	g_autofree char *plain = plain_line(text);

	/* Text that begins with such a guard itself gets one more, so that readers may always take one off. */
	if (text_is_formula(plain + strspn(plain, "'"))) {
		g_autofree char *guarded = g_strconcat("'", plain, NULL);
		put_field(w, guarded);
	} else {
		put_field(w, plain);
	}
}

static void end_line(struct writer *w)
{
	fputs(w->dialect->newline, w->out);
	w->began = false;
}

/* A number cell without number is empty unless it says something else than "-". */
static void put_cell(struct writer *w, const struct table *t, unsigned column, const struct cell *c)
{
	const struct column *col = &g_array_index(t->columns, struct column, column);
	bool number = col->kind == COLUMN_NUMBER;
	char buf[NUMBER_TEXT];

	if (number_is_set(c->number)) {
		g_autofree char *rounded = col->decimals >= 0 ? cell_show(t, column, c) : NULL;
		char *shown = rounded ? rounded : number_print(c->number, buf);

		/* A number needs no quotes, unless its point is the delimiter, which no dialect has. */
		if (w->dialect->point != '.')
			g_strdelimit(shown, ".", w->dialect->point);
		put_raw(w, shown);
	} else if (number && c->text && !strcmp(c->text, "-")) {
		put_field(w, "");
	} else {
		put_text(w, c->text);
	}
}

static char *full_label(const struct column *c)
{
	g_autofree char *label = column_label(c);

	return c->group && *c->group ? g_strdup_printf("%s: %s", c->group, label) : g_steal_pointer(&label);
}

static void put_header(struct writer *w, const struct table *t)
{
	for (guint i = 0; i < t->columns->len; i++) {
		g_autofree char *label = full_label(&g_array_index(t->columns, struct column, i));

		put_text(w, label);
	}
}

static struct writer writer_begin(const struct dialect *dialect, FILE *out)
{
	if (dialect->bom)
		fputs("\357\273\277", out);
	return (struct writer){ .dialect = dialect, .out = out };
}

/* What the notes that the cells of a row refer to say; "" when there are none. */
static char *row_notes(const struct table *t, const struct cell *row)
{
	GString *s = g_string_new(NULL);

	for (guint i = 0; i < t->columns->len; i++) {
		int n = row[i].footnote;

		if (n > 0 && (guint)n <= t->notes->len)
			g_string_append_printf(s, "%s%s", s->len ? "; " : "", (const char *)t->notes->pdata[n - 1]);
	}
	return g_string_free(s, FALSE);
}

static bool has_notes(const struct document *d)
{
	for (guint i = 0; i < d->tables->len; i++) {
		const struct table *t = d->tables->pdata[i];

		for (guint r = 0; r < t->rows->len; r++) {
			g_autofree char *notes = row_notes(t, t->rows->pdata[r]);

			if (*notes)
				return true;
		}
	}
	return false;
}

/* The union of the tables' columns: full labels in order; label to index + 1. */
static GPtrArray *all_labels(const struct document *d, GHashTable *index)
{
	GPtrArray *labels = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < d->tables->len; i++) {
		const struct table *t = d->tables->pdata[i];

		for (guint c = 0; c < t->columns->len; c++) {
			char *label = full_label(&g_array_index(t->columns, struct column, c));

			if (g_hash_table_contains(index, label)) {
				g_free(label);
				continue;
			}
			g_ptr_array_add(labels, label);
			g_hash_table_insert(index, label, GUINT_TO_POINTER(labels->len));
		}
	}
	return labels;
}

/* For each label the table's column + 1; 0: it has none. Caller frees. */
static guint *column_map(const struct table *t, GHashTable *index)
{
	guint *map = g_new0(guint, g_hash_table_size(index) + 1);

	for (guint c = t->columns->len; c > 0; c--) {
		g_autofree char *label = full_label(&g_array_index(t->columns, struct column, c - 1));

		map[GPOINTER_TO_UINT(g_hash_table_lookup(index, label)) - 1] = c;
	}
	return map;
}

static void put_rows_of(struct writer *w, const struct table *t, GHashTable *index, bool notes)
{
	guint n = g_hash_table_size(index);
	g_autofree guint *map = column_map(t, index);

	for (guint r = 0; r < t->rows->len; r++) {
		const struct cell *row = t->rows->pdata[r];
		g_autofree char *note = notes ? row_notes(t, row) : NULL;

		put_text(w, t->title);
		for (guint l = 0; l < n; l++) {
			if (map[l])
				put_cell(w, t, map[l] - 1, &row[map[l] - 1]);
			else
				put_field(w, "");
		}
		if (notes)
			put_text(w, note);
		end_line(w);
	}
}

static void put_many(struct writer *w, const struct document *d, bool notes)
{
	g_autoptr(GHashTable) index = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GPtrArray) labels = all_labels(d, index);

	put_field(w, "table");
	for (guint l = 0; l < labels->len; l++)
		put_text(w, labels->pdata[l]);
	if (notes)
		put_field(w, "notes");
	end_line(w);
	for (guint i = 0; i < d->tables->len; i++)
		put_rows_of(w, d->tables->pdata[i], index, notes);
}

static void put_one(struct writer *w, const struct table *t, bool notes)
{
	put_header(w, t);
	if (notes)
		put_field(w, "notes");
	end_line(w);
	for (guint r = 0; r < t->rows->len; r++) {
		const struct cell *row = t->rows->pdata[r];
		g_autofree char *note = notes ? row_notes(t, row) : NULL;

		for (guint i = 0; i < t->columns->len; i++)
			put_cell(w, t, i, &row[i]);
		if (notes)
			put_text(w, note);
		end_line(w);
	}
}

int delimited_document(const struct document *d, const struct dialect *dialect, FILE *out)
{
	struct writer w = writer_begin(dialect, out);
	bool notes = has_notes(d);

	if (d->tables->len == 1)
		put_one(&w, d->tables->pdata[0], notes);
	else if (d->tables->len)
		put_many(&w, d, notes);
	return ferror(out) ? -1 : 0;
}

struct delimited {
	struct writer w;
	struct dialect dialect;
	struct long_table *table;
	const struct table *header;
	GPtrArray *none;                /* no records: they come one by one */
};

static void put_long_row(const struct cell *row, void *data)
{
	struct delimited *s = data;

	for (guint i = 0; i < s->header->columns->len; i++)
		put_cell(&s->w, s->header, i, &row[i]);
	end_line(&s->w);
}

static int delimited_free(struct delimited *s)
{
	int status = ferror(s->w.out) ? -1 : 0;

	long_table_free(s->table);
	g_ptr_array_unref(s->none);
	g_free(s);
	return status;
}

/* records: over which the unit "auto" is settled; NULL: none. */
static struct delimited *begin(const GPtrArray *records, const struct render_options *o, const struct dialect *dialect, FILE *out)
{
	static const struct report_options defaults;
	const struct report_options *report = o->report ? o->report : &defaults;
	struct delimited *s = g_new0(struct delimited, 1);
	g_autofree char *bad = NULL;

	s->none = g_ptr_array_new();
	s->table = long_table_new(report->form == REPORT_RESULTS ? REPORT_LONG : report->form, records ? records : s->none, report);
	s->header = long_table_header(s->table);
	s->dialect = *dialect;
	s->w = writer_begin(&s->dialect, out);
	bad = report->columns ? long_table_select(s->table, report->columns) : NULL;
	if (bad) {
		delimited_free(s);
		errno = EINVAL;
		return NULL;
	}
	for (guint i = 0; report->has_digits && i < s->header->columns->len; i++) {
		struct column *c = &g_array_index(s->header->columns, struct column, i);

		if (c->kind == COLUMN_NUMBER && c->unit)
			c->decimals = report->digits;
	}
	put_header(&s->w, s->header);
	end_line(&s->w);
	return s;
}

struct delimited *delimited_begin(const struct render_options *o, const struct dialect *dialect, FILE *out)
{
	return begin(NULL, o, dialect, out);
}

void delimited_record(struct delimited *s, const struct record *r)
{
	long_table_record(s->table, r, put_long_row, s);
}

int delimited_end(struct delimited *s)
{
	return delimited_free(s);
}

int delimited_records(GPtrArray *records, const struct render_options *o, const struct dialect *dialect, FILE *out)
{
	struct delimited *s = begin(records, o, dialect, out);

	if (!s)
		return -1;
	for (guint i = 0; i < records->len; i++)
		delimited_record(s, records->pdata[i]);
	return delimited_end(s);
}
