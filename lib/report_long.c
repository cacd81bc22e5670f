/* The long tables, row by row. */
#include <string.h>
#include "lib/report_internal.h"
#include "lib/report_long.h"

/* What one row is about; which members count depends on the form. */
struct row {
	const struct long_table *l;
	const struct record *r;
	unsigned index;                 /* of s in r, 0-based */
	const struct series *s;
	guint sample;
	const char *of;                 /* histograms: "all", "interval minima", … */
	const struct histogram *h;
	const struct bin *bin;
	const struct fact *fact;
	const char *fact_group;         /* "" or "config." or "settings." */
	GArray *ranks;
};

struct spec {
	const char *heading;
	enum spec_kind { SPEC_TEXT, SPEC_COUNT, SPEC_TIME, SPEC_OTHER } kind;
	void (*put)(const struct row *row, const struct spec *spec, struct cell *c);
	const char *key;
	enum field field;
};

struct long_table {
	enum report_form form;
	const GPtrArray *records;
	const char *time_unit;
	bool ranks;                     /* compute percentiles */
	GArray *specs;                  /* struct spec */
	GPtrArray *headings;            /* made ones, owned */
	struct document *document;
	struct table *header;
};

static void set_text(struct cell *c, const char *text)
{
	if (text && *text)
		c->text = g_strdup(text);
}

static void set_count(struct cell *c, uint64_t n)
{
	c->number = number_int((int64_t)MIN(n, (uint64_t)INT64_MAX));
}

static void put_id(const struct row *row, const struct spec *spec, struct cell *c)
{
	(void)spec;
	set_text(c, row->r->id);
}

static void put_record(const struct row *row, const struct spec *spec, struct cell *c)
{
	const struct record *r = row->r;

	switch (*spec->key) {
	case 't': set_text(c, r->tool); break;
	case 'm': set_text(c, r->mode); break;
	case 'T': set_text(c, r->title); break;
	case 'c': set_text(c, r->command); break;
	default: break;
	}
}

static void put_runs(const struct row *row, const struct spec *spec, struct cell *c)
{
	(void)spec;
	if (row->r->kind == RECORD_MERGED)
		set_count(c, row->r->runs);
}

static void put_name(const struct row *row, const struct spec *spec, struct cell *c)
{
	(void)spec;
	set_text(c, row->s->name);
}

static void put_quantity(const struct row *row, const struct spec *spec, struct cell *c)
{
	(void)spec;
	set_text(c, row->s->quantity ? row->s->quantity : "latency");
}

static void put_fact_cell(const struct fact *f, int exp10, struct cell *c)
{
	if (!f)
		return;
	if (f->text)
		set_text(c, f->text);
	else
		c->number = number_scale(f->number, exp10);
}

static void put_label(const struct row *row, const struct spec *spec, struct cell *c)
{
	int exp10 = 0;

	if (spec->kind == SPEC_TIME)
		unit_scale("ns", row->l->time_unit, &exp10);
	put_fact_cell(facts_get(row->s->labels, spec->key), exp10, c);
}

static bool has_column(const struct long_table *l, const char *key)
{
	for (guint i = 0; i < l->specs->len; i++) {
		const struct spec *s = &g_array_index(l->specs, struct spec, i);

		if (s->put == put_label && !strcmp(s->key, key))
			return true;
	}
	return false;
}

static void put_other_labels(const struct row *row, const struct spec *spec, struct cell *c)
{
	g_autoptr(GString) text = g_string_new(NULL);

	(void)spec;
	for (guint i = 0; i < row->s->labels->len; i++) {
		const struct fact *f = &g_array_index(row->s->labels, struct fact, i);
		g_autofree char *value = fact_text(f);

		if (!has_column(row->l, f->key))
			g_string_append_printf(text, "%s%s=%s", text->len ? "; " : "", f->key, value);
	}
	set_text(c, text->str);
}

/* A latency's unit: seconds stay seconds, as in the report. */
static bool is_time(const struct row *row, int *exp10)
{
	const char *unit;

	series_scale(row->s, row->l->time_unit, &unit, exp10);
	return unit && unit == row->l->time_unit;
}

/* Whether the row's series goes into columns of the spec's kind, and its scale there. */
static bool scale_for(const struct row *row, const struct spec *spec, int *exp10)
{
	return is_time(row, exp10) == (spec->kind == SPEC_TIME);
}

static void put_value(const struct row *row, const struct spec *spec, struct cell *c)
{
	int exp10;

	if (scale_for(row, spec, &exp10))
		c->number = number_scale(row->s->field[spec->field], exp10);
}

static void put_series_count(const struct row *row, const struct spec *spec, struct cell *c)
{
	c->number = row->s->field[spec->field];
}

static void put_sample(const struct row *row, const struct spec *spec, struct cell *c)
{
	struct number n = series_sample(row->s, row->sample, spec->field);
	int exp10 = 0;

	if (spec->kind == SPEC_COUNT || scale_for(row, spec, &exp10))
		c->number = number_scale(n, exp10);
}

static void put_resolution(const struct row *row, const struct spec *spec, struct cell *c)
{
	int exp10;

	if (scale_for(row, spec, &exp10))
		c->number = number_scale(row->s->resolution, exp10);
}

static void put_rank(const struct row *row, const struct spec *spec, struct cell *c)
{
	int exp10;

	for (guint i = 0; i < row->ranks->len; i++) {
		const struct rank *k = &g_array_index(row->ranks, struct rank, i);

		if (!rank_key_cmp(k->key, spec->key) && scale_for(row, spec, &exp10))
			c->number = number_scale(k->value, exp10);
	}
}

/* "25=1.5 99.5=3": percentiles without a column of their own, in the unit of the row's values. */
static void put_other_ranks(const struct row *row, const struct spec *spec, struct cell *c)
{
	char buf[NUMBER_TEXT];
	int exp10 = 0;
	bool time;

	(void)spec;
	if (!row->ranks->len)
		return;
	g_autoptr(GString) text = g_string_new(NULL);
	time = is_time(row, &exp10);
	for (guint i = 0; i < row->ranks->len; i++) {
		const struct rank *k = &g_array_index(row->ranks, struct rank, i);
		bool own = false;

		for (guint n = 0; n < row->l->specs->len && !own; n++) {
			const struct spec *s = &g_array_index(row->l->specs, struct spec, n);

			own = s->put == put_rank && (s->kind == SPEC_TIME) == time && !rank_key_cmp(s->key, k->key);
		}
		if (!own)
			g_string_append_printf(text, "%s%s=%s", text->len ? " " : "", k->key,
			                       number_print(number_scale(k->value, exp10), buf));
	}
	set_text(c, text->str);
}

static void put_other_unit(const struct row *row, const struct spec *spec, struct cell *c)
{
	int exp10;

	(void)spec;
	if (row->s->unit && !is_time(row, &exp10))
		set_text(c, row->s->unit);
}

static void put_environment(const struct row *row, const struct spec *spec, struct cell *c)
{
	put_fact_cell(facts_get(row->r->environment, spec->key), 0, c);
}

static void put_setting(const struct row *row, const struct spec *spec, struct cell *c)
{
	int exp10 = 0;

	if (spec->kind == SPEC_TIME)
		unit_scale("ns", row->l->time_unit, &exp10);
	put_fact_cell(facts_get(row->r->settings, spec->key), exp10, c);
}

static void put_config(const struct row *row, const struct spec *spec, struct cell *c)
{
	(void)spec;
	if (!row->r->config->len)
		return;
	g_autoptr(GString) text = g_string_new(NULL);
	for (guint i = 0; i < row->r->config->len; i++) {
		const struct fact *f = &g_array_index(row->r->config, struct fact, i);
		g_autofree char *value = fact_text(f);

		g_string_append_printf(text, "%s%s=%s", i ? "; " : "", f->key, value);
	}
	set_text(c, text->str);
}

static void put_source_text(const struct row *row, const struct spec *spec, struct cell *c)
{
	const struct source *s = &row->r->source;
	const struct { const char *key, *text; } texts[] = {
		{ "file", s->file }, { "part", s->part }, { "message_id", s->message_id }, { "from", s->from },
		{ "date", s->date }, { "subject", s->subject }, { "list", s->list },
	};

	for (guint i = 0; i < G_N_ELEMENTS(texts); i++)
		if (!strcmp(texts[i].key, spec->key))
			set_text(c, texts[i].text);
}

static void put_source_count(const struct row *row, const struct spec *spec, struct cell *c)
{
	const struct source *s = &row->r->source;
	const struct { const char *key; unsigned value; bool present; } counts[] = {
		{ "first_line", s->first, s->first > 0 }, { "last_line", s->last, s->last > 0 },
		{ "quote_depth", s->quote_depth, true }, { "copies", s->copies, true },
		{ "series", row->r->series->len, true },
	};

	for (guint i = 0; i < G_N_ELEMENTS(counts); i++)
		if (!strcmp(counts[i].key, spec->key) && counts[i].present)
			set_count(c, counts[i].value);
}

static void put_line(const struct row *row, const struct spec *spec, struct cell *c)
{
	unsigned line = 0;

	(void)spec;
	if (row->fact)
		line = row->fact->line;
	else if (row->l->form == REPORT_SAMPLES && row->sample < row->s->samples->lines->len)
		line = g_array_index(row->s->samples->lines, unsigned, row->sample);
	else if (row->s)
		line = row->s->line;
	if (line)
		set_count(c, line);
}

static void put_flags(const struct row *row, const struct spec *spec, struct cell *c)
{
	(void)spec;
	if (!row->r->flags->len)
		return;
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *own = g_strdup_printf("/series/%u", row->index);
	for (guint i = 0; i < row->r->flags->len; i++) {
		const struct flag *f = &g_array_index(row->r->flags, struct flag, i);
		const char *where = f->where ? f->where : "";

		/* A row per series shows its own flags and those of the whole record. */
		if (row->s && g_str_has_prefix(where, "/series/") &&
		    (!g_str_has_prefix(where, own) || g_ascii_isdigit(where[strlen(own)])))
			continue;
		g_string_append_printf(text, "%s%s%s%s%s%s", text->len ? "; " : "", f->code, *where ? " at " : "",
		                       where, f->text && *f->text ? ": " : "", f->text ? f->text : "");
	}
	set_text(c, text->str);
}

static void put_sample_number(const struct row *row, const struct spec *spec, struct cell *c)
{
	(void)spec;
	set_count(c, row->sample + 1);
}

static void put_of(const struct row *row, const struct spec *spec, struct cell *c)
{
	(void)spec;
	set_text(c, row->of);
}

static void put_bin(const struct row *row, const struct spec *spec, struct cell *c)
{
	int exp10;

	if (!scale_for(row, spec, &exp10))
		return;
	struct number n = row->bin->lower;
	if (*spec->key == 'u')
		n = number_is_set(row->bin->upper) ? row->bin->upper : number_add(row->bin->lower, row->h->bin_width);
	c->number = number_scale(n, exp10);
}

static void put_bin_count(const struct row *row, const struct spec *spec, struct cell *c)
{
	(void)spec;
	c->number = row->bin->count;
}

static void put_fact_key(const struct row *row, const struct spec *spec, struct cell *c)
{
	(void)spec;
	c->text = g_strconcat(row->fact_group, row->fact->key, NULL);
}

/* A value as text: a kernel "2.6" is no number. */
static void put_fact_value(const struct row *row, const struct spec *spec, struct cell *c)
{
	(void)spec;
	c->text = fact_text(row->fact);
}

static const struct spec record_specs[] = {
	{ "id", SPEC_TEXT, put_id, NULL, 0 },
	{ "tool", SPEC_TEXT, put_record, "tool", 0 },
	{ "mode", SPEC_TEXT, put_record, "mode", 0 },
	{ "title", SPEC_TEXT, put_record, "Title", 0 },
};

static const struct spec series_specs[] = {
	{ "name", SPEC_TEXT, put_name, NULL, 0 },
	{ "labels.thread", SPEC_COUNT, put_label, "thread", 0 },
	{ "labels.tid", SPEC_COUNT, put_label, "tid", 0 },
	{ "labels.cpu", SPEC_COUNT, put_label, "cpu", 0 },
	{ "labels.priority", SPEC_COUNT, put_label, "priority", 0 },
	{ "labels.interval", SPEC_TIME, put_label, "interval_ns", 0 },
	{ "labels.context", SPEC_TEXT, put_label, "context", 0 },
	{ "labels.column", SPEC_TEXT, put_label, "column", 0 },
	{ "labels.group", SPEC_TEXT, put_label, "group", 0 },
	{ "labels.index", SPEC_COUNT, put_label, "index", 0 },
	{ "labels.sender", SPEC_COUNT, put_label, "sender", 0 },
	{ "labels.receiver", SPEC_COUNT, put_label, "receiver", 0 },
	{ "labels.other", SPEC_TEXT, put_other_labels, NULL, 0 },
	{ "quantity", SPEC_TEXT, put_quantity, NULL, 0 },
};

static const struct spec value_specs[] = {
	{ "count", SPEC_COUNT, put_series_count, NULL, FIELD_COUNT },
	{ "min", SPEC_TIME, put_value, NULL, FIELD_MIN },
	{ "avg", SPEC_TIME, put_value, NULL, FIELD_AVG },
	{ "max", SPEC_TIME, put_value, NULL, FIELD_MAX },
	{ "last", SPEC_TIME, put_value, NULL, FIELD_LAST },
	{ "stddev", SPEC_TIME, put_value, NULL, FIELD_STDDEV },
	{ "mdev", SPEC_TIME, put_value, NULL, FIELD_MDEV },
	{ "value", SPEC_TIME, put_value, NULL, FIELD_VALUE },
	{ "p50", SPEC_TIME, put_rank, "50", 0 },
	{ "p90", SPEC_TIME, put_rank, "90", 0 },
	{ "p95", SPEC_TIME, put_rank, "95", 0 },
	{ "p99", SPEC_TIME, put_rank, "99", 0 },
	{ "p99.9", SPEC_TIME, put_rank, "99.9", 0 },
	{ "p99.99", SPEC_TIME, put_rank, "99.99", 0 },
	{ "p99.999", SPEC_TIME, put_rank, "99.999", 0 },
	{ "percentiles.other", SPEC_TEXT, put_other_ranks, NULL, 0 },
	{ "overruns", SPEC_COUNT, put_series_count, NULL, FIELD_OVERRUNS },
	{ "mode_switches", SPEC_COUNT, put_series_count, NULL, FIELD_MODE_SWITCHES },
	{ "resolution", SPEC_TIME, put_resolution, NULL, 0 },
	{ "other.unit", SPEC_TEXT, put_other_unit, NULL, 0 },
	{ "other.min", SPEC_OTHER, put_value, NULL, FIELD_MIN },
	{ "other.avg", SPEC_OTHER, put_value, NULL, FIELD_AVG },
	{ "other.max", SPEC_OTHER, put_value, NULL, FIELD_MAX },
	{ "other.last", SPEC_OTHER, put_value, NULL, FIELD_LAST },
	{ "other.stddev", SPEC_OTHER, put_value, NULL, FIELD_STDDEV },
	{ "other.mdev", SPEC_OTHER, put_value, NULL, FIELD_MDEV },
	{ "other.value", SPEC_OTHER, put_value, NULL, FIELD_VALUE },
	{ "other.p50", SPEC_OTHER, put_rank, "50", 0 },
	{ "other.p99", SPEC_OTHER, put_rank, "99", 0 },
	{ "other.resolution", SPEC_OTHER, put_resolution, NULL, 0 },
};

static const struct spec context_specs[] = {
	{ "environment.board", SPEC_TEXT, put_environment, "board", 0 },
	{ "environment.cpu", SPEC_TEXT, put_environment, "cpu", 0 },
	{ "environment.arch", SPEC_TEXT, put_environment, "arch", 0 },
	{ "environment.memory", SPEC_TEXT, put_environment, "memory", 0 },
	{ "environment.kernel", SPEC_TEXT, put_environment, "kernel", 0 },
	{ "environment.rt", SPEC_TEXT, put_environment, "rt", 0 },
	{ "environment.distribution", SPEC_TEXT, put_environment, "distribution", 0 },
	{ "environment.compiler", SPEC_TEXT, put_environment, "compiler", 0 },
	{ "environment.load", SPEC_TEXT, put_environment, "load", 0 },
	{ "environment.config", SPEC_TEXT, put_config, NULL, 0 },
	{ "command", SPEC_TEXT, put_record, "command", 0 },
	{ "settings.period", SPEC_TIME, put_setting, "period_ns", 0 },
	{ "settings.priority", SPEC_COUNT, put_setting, "priority", 0 },
	{ "settings.policy", SPEC_TEXT, put_setting, "policy", 0 },
	{ "settings.duration_s", SPEC_COUNT, put_setting, "duration_s", 0 },
	{ "settings.loops", SPEC_COUNT, put_setting, "loops", 0 },
	{ "settings.threads", SPEC_COUNT, put_setting, "threads", 0 },
	{ "runs", SPEC_COUNT, put_runs, NULL, 0 },
};

static const struct spec source_specs[] = {
	{ "source.file", SPEC_TEXT, put_source_text, "file", 0 },
	{ "source.part", SPEC_TEXT, put_source_text, "part", 0 },
	{ "source.first_line", SPEC_COUNT, put_source_count, "first_line", 0 },
	{ "source.last_line", SPEC_COUNT, put_source_count, "last_line", 0 },
	{ "source.message_id", SPEC_TEXT, put_source_text, "message_id", 0 },
	{ "source.from", SPEC_TEXT, put_source_text, "from", 0 },
	{ "source.date", SPEC_TEXT, put_source_text, "date", 0 },
	{ "source.subject", SPEC_TEXT, put_source_text, "subject", 0 },
	{ "source.list", SPEC_TEXT, put_source_text, "list", 0 },
	{ "source.quote_depth", SPEC_COUNT, put_source_count, "quote_depth", 0 },
	{ "source.copies", SPEC_COUNT, put_source_count, "copies", 0 },
};

static const struct spec series_line_spec = { "line", SPEC_COUNT, put_line, NULL, 0 };
static const struct spec flags_spec = { "flags", SPEC_TEXT, put_flags, NULL, 0 };
static const struct spec series_count_spec = { "series", SPEC_COUNT, put_source_count, "series", 0 };

static const struct spec bin_specs[] = {
	{ "of", SPEC_TEXT, put_of, NULL, 0 },
	{ "lower", SPEC_TIME, put_bin, "lower", 0 },
	{ "upper", SPEC_TIME, put_bin, "upper", 0 },
	{ "other.unit", SPEC_TEXT, put_other_unit, NULL, 0 },
	{ "other.lower", SPEC_OTHER, put_bin, "lower", 0 },
	{ "other.upper", SPEC_OTHER, put_bin, "upper", 0 },
	{ "count", SPEC_COUNT, put_bin_count, NULL, 0 },
};

static const struct spec fact_specs[] = {
	{ "key", SPEC_TEXT, put_fact_key, NULL, 0 },
	{ "value", SPEC_TEXT, put_fact_value, NULL, 0 },
	{ "line", SPEC_COUNT, put_line, NULL, 0 },
};

/* A column per field that samples may have, in time and beside "other.unit". */
static void add_sample_specs(struct long_table *l)
{
	static const struct spec row = { "row", SPEC_COUNT, put_sample_number, NULL, 0 };
	static const struct spec unit = { "other.unit", SPEC_TEXT, put_other_unit, NULL, 0 };

	g_array_append_val(l->specs, row);
	g_array_append_val(l->specs, series_line_spec);
	for (enum field f = 0; f < FIELD_END; f++) {
		struct spec s = { field_name(f), field_is_count(f) ? SPEC_COUNT : SPEC_TIME, put_sample, NULL, f };

		g_array_append_val(l->specs, s);
	}
	g_array_append_val(l->specs, unit);
	for (enum field f = 0; f < FIELD_END; f++) {
		char *heading = g_strconcat("other.", field_name(f), NULL);
		struct spec s = { heading, SPEC_OTHER, put_sample, NULL, f };

		g_ptr_array_add(l->headings, heading);
		if (!field_is_count(f))
			g_array_append_val(l->specs, s);
	}
}

static void add_specs(struct long_table *l)
{
	g_array_append_vals(l->specs, record_specs, G_N_ELEMENTS(record_specs));
	switch (l->form) {
	case REPORT_ENVIRONMENT:
		g_array_append_vals(l->specs, fact_specs, G_N_ELEMENTS(fact_specs));
		return;
	case REPORT_SOURCES:
		g_array_append_val(l->specs, series_count_spec);
		g_array_append_vals(l->specs, source_specs, G_N_ELEMENTS(source_specs));
		g_array_append_val(l->specs, flags_spec);
		return;
	default:
		break;
	}
	g_array_append_vals(l->specs, series_specs, G_N_ELEMENTS(series_specs));
	if (l->form == REPORT_SAMPLES) {
		add_sample_specs(l);
	} else if (l->form == REPORT_HISTOGRAMS) {
		g_array_append_vals(l->specs, bin_specs, G_N_ELEMENTS(bin_specs));
	} else {
		g_array_append_vals(l->specs, value_specs, G_N_ELEMENTS(value_specs));
		g_array_append_vals(l->specs, context_specs, G_N_ELEMENTS(context_specs));
		g_array_append_vals(l->specs, source_specs, G_N_ELEMENTS(source_specs));
		g_array_append_val(l->specs, series_line_spec);
		g_array_append_val(l->specs, flags_spec);
	}
}

const char *report_form_title(enum report_form form)
{
	static const char *const titles[] = {
		[REPORT_RESULTS] = "Results", [REPORT_LONG] = "Results", [REPORT_SAMPLES] = "Samples",
		[REPORT_HISTOGRAMS] = "Histograms", [REPORT_ENVIRONMENT] = "Environment", [REPORT_SOURCES] = "Sources",
	};

	return titles[form];
}

struct long_table *long_table_new(enum report_form form, const GPtrArray *records, const struct report_options *o)
{
	struct long_table *l = g_new0(struct long_table, 1);

	l->form = form;
	l->records = records;
	l->time_unit = report_time_unit((struct record *const *)records->pdata, records->len, o);
	l->ranks = !o->no_percentiles;
	l->specs = g_array_new(FALSE, TRUE, sizeof(struct spec));
	l->headings = g_ptr_array_new_with_free_func(g_free);
	l->document = document_new(o->title);
	l->header = document_add(l->document, report_form_title(form));
	add_specs(l);
	for (guint i = 0; i < l->specs->len; i++) {
		const struct spec *s = &g_array_index(l->specs, struct spec, i);

		table_column(l->header, s->heading, NULL, s->kind == SPEC_TIME ? l->time_unit : NULL,
		             s->kind == SPEC_TEXT ? COLUMN_TEXT : COLUMN_NUMBER, -1);
	}
	return l;
}

void long_table_free(struct long_table *l)
{
	if (!l)
		return;
	document_free(l->document);
	g_array_unref(l->specs);
	g_ptr_array_unref(l->headings);
	g_free(l);
}

struct table *long_table_header(struct long_table *l)
{
	return l->header;
}

char *long_table_select(struct long_table *l, const char *names)
{
	char *bad = document_select(l->document, names);
	GArray *specs;

	if (bad)
		return bad;
	specs = g_array_new(FALSE, TRUE, sizeof(struct spec));
	for (guint c = 0; c < l->header->columns->len; c++) {
		const char *heading = g_array_index(l->header->columns, struct column, c).heading;

		for (guint i = 0; i < l->specs->len; i++) {
			if (strcmp(g_array_index(l->specs, struct spec, i).heading, heading))
				continue;
			g_array_append_val(specs, g_array_index(l->specs, struct spec, i));
			break;
		}
	}
	g_array_unref(l->specs);
	l->specs = specs;
	return NULL;
}

const char *long_table_unit(const struct long_table *l)
{
	return l->time_unit;
}

/* Fills one row of cells and shows it. */
struct pass {
	struct row row;
	struct cell *cells;
	void (*each)(const struct cell *row, void *data);
	void *data;
};

static void show_row(struct pass *p)
{
	const GArray *specs = p->row.l->specs;

	for (guint i = 0; i < specs->len; i++) {
		const struct spec *s = &g_array_index(specs, struct spec, i);

		s->put(&p->row, s, &p->cells[i]);
	}
	p->each(p->cells, p->data);
	for (guint i = 0; i < specs->len; i++) {
		g_free(p->cells[i].text);
		p->cells[i] = (struct cell){ 0 };
	}
}

static void show_bins(struct pass *p, const struct histogram *h, const char *of)
{
	if (!h)
		return;
	struct bin under = { .count = h->underflow }, over = { .count = h->overflow };
	g_autofree char *below = g_strconcat(of, ", underflow", NULL);
	g_autofree char *above = g_strconcat(of, ", overflow", NULL);

	p->row.h = h;
	p->row.of = below;
	p->row.bin = &under;
	if (number_is_set(h->underflow))
		show_row(p);
	p->row.of = of;
	for (guint i = 0; i < h->bins->len; i++) {
		p->row.bin = &g_array_index(h->bins, struct bin, i);
		show_row(p);
	}
	p->row.of = above;
	p->row.bin = &over;
	if (number_is_set(h->overflow))
		show_row(p);
}

static void show_series(struct pass *p)
{
	const struct series *s = p->row.s;

	switch (p->row.l->form) {
	case REPORT_SAMPLES:
		for (guint i = 0; s->samples && i < series_sample_rows(s); i++) {
			p->row.sample = i;
			show_row(p);
		}
		break;
	case REPORT_HISTOGRAMS:
		show_bins(p, s->histogram, "all");
		show_bins(p, s->minima ? s->minima->histogram : NULL, "interval minima");
		show_bins(p, s->maxima ? s->maxima->histogram : NULL, "interval maxima");
		break;
	default:
		p->row.ranks = series_ranks(p->row.r, s, p->row.l->ranks);
		show_row(p);
		g_array_unref(p->row.ranks);
		break;
	}
}

static void show_facts(struct pass *p, const GArray *facts, const char *group)
{
	p->row.fact_group = group;
	for (guint i = 0; i < facts->len; i++) {
		p->row.fact = &g_array_index(facts, struct fact, i);
		show_row(p);
	}
	p->row.fact = NULL;
}

static void show_record(struct pass *p, const struct record *r)
{
	p->row.r = r;
	switch (p->row.l->form) {
	case REPORT_ENVIRONMENT:
		show_facts(p, r->environment, "");
		show_facts(p, r->config, "config.");
		show_facts(p, r->settings, "settings.");
		break;
	case REPORT_SOURCES:
		show_row(p);
		break;
	default:
		for (guint i = 0; i < r->series->len; i++) {
			p->row.index = i;
			p->row.s = r->series->pdata[i];
			show_series(p);
		}
		break;
	}
}

void long_table_rows(struct long_table *l, void (*each)(const struct cell *row, void *data), void *data)
{
	struct pass p = { .row = { .l = l }, .each = each, .data = data };

	p.cells = g_new0(struct cell, l->specs->len);
	for (guint i = 0; i < l->records->len; i++)
		show_record(&p, l->records->pdata[i]);
	g_free(p.cells);
}

void long_table_record(struct long_table *l, const struct record *r, void (*each)(const struct cell *row, void *data), void *data)
{
	struct pass p = { .row = { .l = l }, .each = each, .data = data };

	p.cells = g_new0(struct cell, l->specs->len);
	show_record(&p, r);
	g_free(p.cells);
}

static void append_row(const struct cell *row, void *data)
{
	struct table *t = data;
	struct cell *copy = table_row(t);

	for (guint i = 0; i < t->columns->len; i++) {
		copy[i] = row[i];
		copy[i].text = g_strdup(row[i].text);
	}
}

/* Takes off the columns that no row fills. */
static void drop_empty(struct document *d)
{
	struct table *t = d->tables->pdata[0];
	g_autoptr(GString) names = g_string_new(NULL);

	for (guint c = 0; c < t->columns->len; c++) {
		bool filled = false;

		for (guint r = 0; r < t->rows->len && !filled; r++) {
			const struct cell *cell = (const struct cell *)t->rows->pdata[r] + c;

			filled = number_is_set(cell->number) || cell->text;
		}
		if (filled)
			g_string_append_printf(names, "%s%s", names->len ? "," : "",
			                       g_array_index(t->columns, struct column, c).heading);
	}
	g_free(document_select(d, names->str));
}

struct document *report_long(const GPtrArray *records, const struct report_options *o)
{
	struct long_table *l = long_table_new(o->form, records, o);
	struct document *d;

	long_table_rows(l, append_row, l->header);
	d = g_steal_pointer(&l->document);
	long_table_free(l);
	if (!o->keep_empty && !o->columns)
		drop_empty(d);
	return d;
}
