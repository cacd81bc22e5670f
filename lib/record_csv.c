/* Records from CSV: rows of one result are neighbours and have the same id and source. */
#include <csv.h>
#include <string.h>
#include "lib/delimited.h"
#include "lib/record_csv.h"
#include "lib/report.h"

#define MAX_COLUMNS 1000u
#define BOM "\357\273\277"

struct walk {
	GHashTable *index;              /* heading without unit to column + 1; owns the headings */
	GPtrArray *units;               /* char * of each column, or NULL; owned */
	GPtrArray *row;                 /* char *: fields of the present row; owned */
	char point;                     /* decimal sign */
	unsigned line;
	bool headed;
	const char *error;              /* what is wrong with the present row */
	struct record *open;
	char *open_key;                 /* id and source of the open record */
	void (*each)(struct record *r, void *data);
	void (*bad)(unsigned line, const char *message, void *data);
	void *data;
};

static size_t skip_bom(const char *text, size_t len)
{
	return len >= 3 && !memcmp(text, BOM, 3) ? 3 : 0;
}

/* The delimiter behind the first heading, "id"; '\0' when this is no such table. */
static char delimiter_of(const char *text, size_t len)
{
	static const char *const begins[] = { "id,tool,mode,title,name", "id;tool;mode;title;name", "id\ttool\tmode\ttitle\tname" };
	size_t at = skip_bom(text, len);

	for (size_t i = 0; i < G_N_ELEMENTS(begins); i++)
		if (len - at > strlen(begins[i]) && !memcmp(text + at, begins[i], strlen(begins[i])))
			return begins[i][2];
	return '\0';
}

bool record_csv_probe(const char *text, size_t len)
{
	return delimiter_of(text, len) != '\0';
}

/* Takes the apostrophe off that guards text which looks like a formula. */
static const char *unguarded(const char *text)
{
	const char *p = text;

	while (*p == '\'')
		p++;
	return p > text && text_is_formula(p) ? text + 1 : text;
}

/* The row's field under a heading; NULL when it is empty or there is no such column. */
static const char *field(const struct walk *w, const char *heading, const char **unit)
{
	guint c = GPOINTER_TO_UINT(g_hash_table_lookup(w->index, heading));

	if (!c || c > w->row->len)
		return NULL;
	if (unit)
		*unit = w->units->pdata[c - 1];
	const char *text = w->row->pdata[c - 1];
	return *text ? text : NULL;
}

static const char *text_field(const struct walk *w, struct record *r, const char *heading)
{
	const char *text = field(w, heading, NULL);

	return text ? record_text(r, unguarded(text), -1) : NULL;
}

/* A number; times are turned from the heading's unit into ns. */
static struct number number_field(struct walk *w, const char *heading)
{
	const char *unit = NULL, *text = field(w, heading, &unit);
	struct number n = number_absent();
	int exp10 = 0;

	if (!text)
		return n;
	g_autofree char *digits = g_strdup(text);
	if (w->point != '.')
		g_strdelimit(digits, ",", '.');
	if (number_parse(digits, strlen(digits), 0, &n) == NUMBER_NONE)
		w->error = "a value is no number";
	if (unit && !unit_scale(unit, "ns", &exp10))
		w->error = "a heading names an unknown unit of time";
	return number_scale(n, exp10);
}

static unsigned count_field(struct walk *w, const char *heading)
{
	struct number n = number_field(w, heading);
	double d = number_is_set(n) ? number_to_double(n) : 0;

	return d >= 0 && d <= G_MAXUINT ? (unsigned)d : 0;
}

static void fact_field(struct walk *w, struct record *r, GArray *facts, const char *heading, const char *key, bool number)
{
	const char *text = field(w, heading, NULL);
	const char *before = w->error;

	if (!text)
		return;
	struct number n = number ? number_field(w, heading) : number_absent();
	if (number && number_is_set(n)) {
		facts_set_number(facts, key, n, 0);
	} else {
		/* A priority may be a word. */
		w->error = before;
		facts_set_text(r, facts, key, unguarded(text), 0);
	}
}

void record_read_config(struct record *r, const char *text, const char *separator)
{
	g_auto(GStrv) parts = g_strsplit(text, separator, -1);
	const char *key = NULL;

	for (char **p = parts; *p; p++) {
		char *equal = strchr(*p, '=');

		if (equal && equal > *p) {
			key = record_text(r, *p, equal - *p);
			facts_set_text(r, r->config, key, equal + 1, 0);
		} else if (key) {
			/* The separator was the value's own. */
			g_autofree char *all = g_strconcat(facts_get(r->config, key)->text, separator, *p, NULL);

			facts_set_text(r, r->config, key, all, 0);
		}
	}
}

static void read_config(const struct walk *w, struct record *r)
{
	const char *text = field(w, "environment.config", NULL);

	if (text)
		record_read_config(r, unguarded(text), "; ");
}

static void read_context(struct walk *w, struct record *r)
{
	static const char *const environment[] = {
		"board", "cpu", "arch", "memory", "kernel", "rt", "distribution", "compiler", "load"
	};
	static const struct { const char *heading, *key; bool number; } settings[] = {
		{ "settings.period", "period_ns", true }, { "settings.priority", "priority", true },
		{ "settings.policy", "policy", false }, { "settings.duration_s", "duration_s", true },
		{ "settings.loops", "loops", true }, { "settings.threads", "threads", true },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(environment); i++) {
		g_autofree char *heading = g_strconcat("environment.", environment[i], NULL);

		fact_field(w, r, r->environment, heading, environment[i], false);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(settings); i++)
		fact_field(w, r, r->settings, settings[i].heading, settings[i].key, settings[i].number);
	read_config(w, r);
}

static void read_source(struct walk *w, struct record *r)
{
	struct source *s = &r->source;

	s->file = text_field(w, r, "source.file");
	s->part = text_field(w, r, "source.part");
	s->first = count_field(w, "source.first_line");
	s->last = count_field(w, "source.last_line");
	s->message_id = text_field(w, r, "source.message_id");
	s->from = text_field(w, r, "source.from");
	s->date = text_field(w, r, "source.date");
	s->subject = text_field(w, r, "source.subject");
	s->list = text_field(w, r, "source.list");
	s->quote_depth = count_field(w, "source.quote_depth");
	s->copies = count_field(w, "source.copies");
}

static bool is_id(const char *text)
{
	return strlen(text) == 16 && strspn(text, "0123456789abcdef") == 16;
}

static struct record *read_record(struct walk *w)
{
	const char *tool = field(w, "tool", NULL), *id = field(w, "id", NULL);
	struct record *r;

	if (!tool || !id || !is_id(id)) {
		w->error = "the row has no tool or no id";
		return NULL;
	}
	r = record_new(tool);
	memcpy(r->id, id, 17);
	r->mode = text_field(w, r, "mode");
	r->title = text_field(w, r, "title");
	r->command = text_field(w, r, "command");
	if (field(w, "runs", NULL)) {
		r->kind = RECORD_MERGED;
		r->runs = count_field(w, "runs");
	}
	read_context(w, r);
	read_source(w, r);
	return r;
}

static void read_labels(struct walk *w, struct record *r, struct series *s)
{
	static const struct { const char *heading, *key; bool number; } labels[] = {
		{ "labels.thread", "thread", true }, { "labels.tid", "tid", true }, { "labels.cpu", "cpu", true },
		{ "labels.priority", "priority", true }, { "labels.interval", "interval_ns", true },
		{ "labels.context", "context", false }, { "labels.column", "column", false }, { "labels.group", "group", false },
		{ "labels.index", "index", true }, { "labels.sender", "sender", true }, { "labels.receiver", "receiver", true },
	};
	const char *other = field(w, "labels.other", NULL);
	g_auto(GStrv) parts = g_strsplit(other ? unguarded(other) : "", "; ", -1);

	for (size_t i = 0; i < G_N_ELEMENTS(labels); i++)
		fact_field(w, r, s->labels, labels[i].heading, labels[i].key, labels[i].number);
	for (char **p = parts; *p; p++) {
		char *equal = strchr(*p, '=');

		if (equal && equal > *p)
			series_label(r, s, record_text(r, *p, equal - *p), equal + 1);
	}
}

/* "25=1.5 99.5=3" in the unit of the row's values. */
static void read_other_ranks(struct walk *w, struct record *r, struct series *s, bool time)
{
	const char *text = field(w, "percentiles.other", NULL), *unit = NULL;
	g_auto(GStrv) parts = g_strsplit(text ? unguarded(text) : "", " ", -1);
	int exp10 = 0;

	for (guint i = 0; time && i < w->units->len && !unit; i++)
		unit = w->units->pdata[i];
	if (unit && !unit_scale(unit, "ns", &exp10))
		w->error = "a heading names an unknown unit of time";
	for (char **p = parts; *p; p++) {
		char *equal = strchr(*p, '=');
		struct number n;

		if (!equal || equal == *p)
			continue;
		if (number_parse(equal + 1, strlen(equal + 1), exp10, &n) == NUMBER_NONE)
			n = number_null();
		series_percentile(r, s, record_text(r, *p, equal - *p), n);
	}
}

/* Values stand in the columns of time, or, in another unit, in those that begin with "other.". */
static void read_values(struct walk *w, struct record *r, struct series *s)
{
	static const char *const percents[] = { "50", "90", "95", "99", "99.9", "99.99", "99.999" };
	bool time = field(w, "resolution", NULL) != NULL;

	s->unit = text_field(w, r, "other.unit");
	for (enum field f = 0; f < FIELD_SERIES_END; f++) {
		g_autofree char *other = g_strconcat("other.", field_name(f), NULL);

		s->field[f] = number_field(w, field_name(f));
		if (field_is_count(f))
			continue;
		time |= s->field[f].state != NUMBER_ABSENT;
		if (s->field[f].state == NUMBER_ABSENT)
			s->field[f] = number_field(w, other);
	}
	s->resolution = number_field(w, time ? "resolution" : "other.resolution");
	for (size_t i = 0; i < G_N_ELEMENTS(percents); i++) {
		g_autofree char *heading = g_strconcat("p", percents[i], NULL);
		g_autofree char *other = g_strconcat("other.", heading, NULL);
		struct number n = number_field(w, heading);

		time |= number_is_set(n);
		n = number_is_set(n) ? n : number_field(w, other);
		if (number_is_set(n))
			series_percentile(r, s, percents[i], n);
	}
	read_other_ranks(w, r, s, time);
	if (time && s->unit)
		w->error = "values in a unit of time and in another unit";
	if (time)
		s->unit = "ns";
}

static void close_record(struct walk *w)
{
	if (w->open)
		w->each(g_steal_pointer(&w->open), w->data);
	g_clear_pointer(&w->open_key, g_free);
}

static void read_row(struct walk *w)
{
	static const char *const same[] = { "id", "source.file", "source.part", "source.first_line", "source.message_id" };
	g_autoptr(GString) key = g_string_new(NULL);

	w->error = NULL;
	for (size_t i = 0; i < G_N_ELEMENTS(same); i++) {
		const char *text = field(w, same[i], NULL);

		g_string_append_printf(key, "%s\n", text ? text : "");
	}
	if (!w->open || strcmp(key->str, w->open_key)) {
		close_record(w);
		w->open = read_record(w);
		w->open_key = g_strdup(key->str);
	}
	if (w->open && !w->error) {
		const char *quantity = field(w, "quantity", NULL);
		const char *name = text_field(w, w->open, "name");
		struct series *s = record_add_series(w->open, name);

		s->quantity = quantity && strcmp(quantity, "latency") ? record_text(w->open, unguarded(quantity), -1) : NULL;
		s->line = count_field(w, "line");
		read_labels(w, w->open, s);
		read_values(w, w->open, s);
		if (w->error)
			record_drop_series(w->open);
	}
	if (w->error)
		w->bad(w->line, w->error, w->data);
	if (w->open && !w->open->series->len) {
		g_clear_pointer(&w->open, record_free);
		g_clear_pointer(&w->open_key, g_free);
	}
}

/* "min [us]" is the column "min" in us. */
static void read_heading(struct walk *w)
{
	for (guint i = 0; i < w->row->len; i++) {
		char *heading = g_strdup(w->row->pdata[i]), *bracket = strstr(heading, " [");
		char *unit = NULL;

		if (bracket && g_str_has_suffix(bracket, "]")) {
			unit = g_strndup(bracket + 2, strlen(bracket) - 3);
			*bracket = '\0';
		}
		g_ptr_array_add(w->units, unit);
		g_hash_table_insert(w->index, heading, GUINT_TO_POINTER(i + 1));
	}
	w->headed = true;
}

static void on_field(void *bytes, size_t len, void *data)
{
	struct walk *w = data;

	if (w->row->len < MAX_COLUMNS)
		g_ptr_array_add(w->row, len ? g_utf8_make_valid(bytes, (gssize)len) : g_strdup(""));
}

static void on_row(int end, void *data)
{
	struct walk *w = data;

	(void)end;
	w->line++;
	if (!w->headed)
		read_heading(w);
	else if (w->row->len > 1)
		read_row(w);
	g_ptr_array_set_size(w->row, 0);
}

void record_csv_walk(const char *text, size_t len, void (*each)(struct record *r, void *data),
                     void (*bad)(unsigned line, const char *message, void *data), void *data)
{
	struct walk w = { .each = each, .bad = bad, .data = data };
	char delimiter = delimiter_of(text, len);
	size_t at = skip_bom(text, len);
	struct csv_parser parser;

	if (!delimiter || csv_init(&parser, 0))
		return;
	w.point = delimiter == ';' ? ',' : '.';
	w.index = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	w.units = g_ptr_array_new_with_free_func(g_free);
	w.row = g_ptr_array_new_with_free_func(g_free);
	csv_set_delim(&parser, (unsigned char)delimiter);
	if (csv_parse(&parser, text + at, len - at, on_field, on_row, &w) != len - at)
		bad(w.line, csv_strerror(csv_error(&parser)), data);
	csv_fini(&parser, on_field, on_row, &w);
	csv_free(&parser);
	close_record(&w);
	g_hash_table_unref(w.index);
	g_ptr_array_unref(w.units);
	g_ptr_array_unref(w.row);
}
