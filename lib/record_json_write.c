/*
 * Records to JSON. Written straight into one text: a tree would cost several times as much, and numbers must reach the
 * text digit by digit. Reading back is cJSON's, which also checks this writer in the tests.
 */
#include "lib/record_json.h"
#include "lib/json_text.h"

#include <string.h>

#define INDENT "  "

struct writer {
	GString *out;
	bool pretty;
	unsigned depth;
	bool first;             /* nothing yet in the present object or array */
};

/* Valid UTF-8 without control characters, which a terminal would execute; line ends and tabs stay. */
static char *clean(const char *text)
{
	g_autofree char *valid = g_utf8_make_valid(text, -1);
	GString *out = g_string_sized_new(strlen(valid));

	for (const char *p = valid; *p; p = g_utf8_next_char(p)) {
		gunichar c = g_utf8_get_char(p);

		g_string_append_unichar(out, g_unichar_iscntrl(c) && c != '\n' && c != '\t' ? 0xfffd : c);
	}
	return g_string_free(out, FALSE);
}

/* Length of the beginning of text that needs no escape and no cleaning. */
static size_t harmless(const char *text)
{
	const unsigned char *p = (const unsigned char *)text;

	while (*p >= 0x20 && *p < 0x7f && *p != '"' && *p != '\\')
		p++;
	return (size_t)((const char *)p - text);
}

/* A string with its quotes. */
static void put_string(struct writer *w, const char *text)
{
	size_t n = harmless(text);
	g_autofree char *cleaned = NULL;

	g_string_append_c(w->out, '"');
	if (text[n]) {
		text = cleaned = clean(text);
		n = 0;
	}
	for (; text[n]; n++) {
		switch (text[n]) {
		case '"':
		case '\\':
			g_string_append_c(w->out, '\\');
			g_string_append_c(w->out, text[n]);
			break;
		case '\n':
			g_string_append(w->out, "\\n");
			break;
		case '\t':
			g_string_append(w->out, "\\t");
			break;
		default:
			g_string_append_c(w->out, text[n]);
		}
	}
	if (!cleaned)
		g_string_append_len(w->out, text, (gssize)n);
	g_string_append_c(w->out, '"');
}

/* What stands before the next member of an object or array. */
static void put_separator(struct writer *w)
{
	if (!w->first)
		g_string_append_c(w->out, ',');
	w->first = false;
	if (!w->pretty)
		return;
	g_string_append_c(w->out, '\n');
	for (unsigned i = 0; i < w->depth; i++)
		g_string_append(w->out, INDENT);
}

static void put_key(struct writer *w, const char *key)
{
	put_separator(w);
	put_string(w, key);
	g_string_append(w->out, w->pretty ? ": " : ":");
}

static void begin(struct writer *w, char bracket)
{
	g_string_append_c(w->out, bracket);
	w->depth++;
	w->first = true;
}

static void end(struct writer *w, char bracket)
{
	bool empty = w->first;

	w->depth--;
	w->first = true;
	if (!empty && w->pretty)
		put_separator(w);
	w->first = false;
	g_string_append_c(w->out, bracket);
}

static void put_number(struct writer *w, struct number n)
{
	char text[NUMBER_TEXT];

	g_string_append(w->out, *number_print(n, text) ? text : "null");
}

static void put_text_or_null(struct writer *w, const char *key, const char *text)
{
	put_key(w, key);
	if (text)
		put_string(w, text);
	else
		g_string_append(w->out, "null");
}

static void put_text(struct writer *w, const char *key, const char *text)
{
	if (text)
		put_text_or_null(w, key, text);
}

static void put_value(struct writer *w, const char *key, struct number n)
{
	if (n.state == NUMBER_ABSENT)
		return;
	put_key(w, key);
	put_number(w, n);
}

static void put_count(struct writer *w, const char *key, unsigned n)
{
	put_value(w, key, number_int(n));
}

/*
 * The unknown keys of extras[from..to) whose place is this object: `place` is its pointer relative to the owner, with a '/' at
 * its end, or "".
 */
static void put_extras_of(struct writer *w, const GArray *extras, guint from, guint to, const char *place)
{
	size_t n = strlen(place);

	for (guint i = from; i < to; i++) {
		const struct extra *e = &g_array_index(extras, struct extra, i);
		g_autofree char *key = NULL;

		if (strncmp(e->key, place, n) || strchr(e->key + n, '/'))
			continue;
		key = json_pointer_unescape(e->key + n);
		put_key(w, key);
		g_string_append(w->out, e->json);
	}
}

static void put_extras(struct writer *w, const GArray *extras, const char *place)
{
	if (extras)
		put_extras_of(w, extras, 0, extras->len, place);
}

static void put_facts(struct writer *w, const GArray *facts)
{
	for (guint i = 0; i < facts->len; i++) {
		const struct fact *f = &g_array_index(facts, struct fact, i);

		put_key(w, f->key);
		if (f->text)
			put_string(w, f->text);
		else
			put_number(w, f->number);
	}
}

/* Rows are written in one order of keys, whatever order the columns were added in. */
static unsigned sorted_columns(const struct samples *s, unsigned order[SERIES_MAX_COLUMNS])
{
	unsigned n = 0;

	for (enum field f = 0; f < FIELD_END; f++)
		for (unsigned i = 0; i < s->columns; i++)
			if (s->column[i] == f)
				order[n++] = i;
	return n;
}

/*
 * The unknown keys of one row. Extras are in the order of the rows, so *next runs once through them: rows without any cost
 * nothing more.
 */
static void put_row_extras(struct writer *w, const GArray *extras, guint row, guint *next)
{
	char place[32];
	guint from;

	while (extras && *next < extras->len &&
	       !g_str_has_prefix(g_array_index(extras, struct extra, *next).key, "samples/"))
		(*next)++;
	if (!extras || *next == extras->len)
		return;
	g_snprintf(place, sizeof(place), "samples/%u/", row);
	from = *next;
	while (*next < extras->len && g_str_has_prefix(g_array_index(extras, struct extra, *next).key, place))
		(*next)++;
	put_extras_of(w, extras, from, *next, place);
}

static void put_row(struct writer *w, const struct samples *s, guint row, const unsigned *order, unsigned n)
{
	unsigned line = g_array_index(s->lines, unsigned, row);

	if (line)
		put_count(w, "line", line);
	for (unsigned i = 0; i < n; i++)
		put_value(w, field_name(s->column[order[i]]),
			  g_array_index(s->values, struct number, row * s->columns + order[i]));
}

/* A row a line, also in an indented text. */
static void put_samples(struct writer *w, const struct series *s)
{
	unsigned order[SERIES_MAX_COLUMNS], n = sorted_columns(s->samples, order);
	bool pretty = w->pretty;
	guint next = 0;

	put_key(w, "samples");
	begin(w, '[');
	for (guint i = 0; i < s->samples->lines->len; i++) {
		put_separator(w);
		w->pretty = false;
		begin(w, '{');
		put_row(w, s->samples, i, order, n);
		put_row_extras(w, s->extras, i, &next);
		end(w, '}');
		w->pretty = pretty;
	}
	end(w, ']');
}

static void put_bins(struct writer *w, const struct histogram *h)
{
	for (guint i = 0; i < h->bins->len; i++) {
		const struct bin *b = &g_array_index(h->bins, struct bin, i);

		g_string_append(w->out, i ? ",[" : "[");
		put_number(w, b->lower);
		g_string_append_c(w->out, ',');
		put_number(w, b->count);
		if (!number_is_set(h->bin_width)) {
			g_string_append_c(w->out, ',');
			put_number(w, b->upper);
		}
		g_string_append_c(w->out, ']');
	}
}

/* place: relative pointer of the histogram, for the extras in it */
static void put_histogram(struct writer *w, const struct histogram *h, const GArray *extras, const char *place)
{
	put_key(w, "histogram");
	begin(w, '{');
	put_key(w, "bin_width");
	put_number(w, h->bin_width);
	put_key(w, "bins");
	g_string_append_c(w->out, '[');
	put_bins(w, h);
	g_string_append_c(w->out, ']');
	put_value(w, "underflow", h->underflow);
	put_value(w, "overflow", h->overflow);
	put_extras(w, extras, place);
	end(w, '}');
}

static void put_interval(struct writer *w, const char *key, const struct interval_stats *s, const GArray *extras)
{
	g_autofree char *place = NULL, *inner = NULL;

	if (!s)
		return;
	place = g_strdup_printf("%s/", key);
	inner = g_strdup_printf("%s/histogram/", key);
	put_key(w, key);
	begin(w, '{');
	put_value(w, "count", s->count);
	put_value(w, "avg", s->avg);
	put_value(w, "stddev", s->stddev);
	if (s->histogram)
		put_histogram(w, s->histogram, extras, inner);
	put_extras(w, extras, place);
	end(w, '}');
}

static void put_percentiles(struct writer *w, const GArray *percentiles)
{
	if (!percentiles)
		return;
	put_key(w, "percentiles");
	begin(w, '{');
	for (guint i = 0; i < percentiles->len; i++) {
		const struct percentile *p = &g_array_index(percentiles, struct percentile, i);

		put_key(w, p->key);
		put_number(w, p->value);
	}
	end(w, '}');
}

static void put_sum(struct writer *w, const char *key, const struct number_sum *sum)
{
	g_autofree char *text = sum ? number_sum_text(sum) : NULL;

	put_text(w, key, text);
}

static void put_series(struct writer *w, const struct series *s, bool no_samples)
{
	begin(w, '{');
	put_text_or_null(w, "name", s->name);
	if (s->line)
		put_count(w, "line", s->line);
	put_key(w, "labels");
	begin(w, '{');
	put_facts(w, s->labels);
	put_extras(w, s->extras, "labels/");
	end(w, '}');
	put_text(w, "quantity", s->quantity ? s->quantity : "latency");
	put_text_or_null(w, "unit", s->unit);
	put_value(w, "resolution", s->resolution);
	for (enum field f = 0; f < FIELD_SERIES_END; f++)
		put_value(w, field_name(f), s->field[f]);
	put_sum(w, "sum", s->sum);
	put_sum(w, "weight", s->weight);
	put_text(w, "min_source", s->min_source);
	put_text(w, "max_source", s->max_source);
	if (s->samples && s->samples->lines->len && !no_samples)
		put_samples(w, s);
	if (s->histogram)
		put_histogram(w, s->histogram, s->extras, "histogram/");
	put_interval(w, "interval_minima", s->minima, s->extras);
	put_interval(w, "interval_maxima", s->maxima, s->extras);
	put_percentiles(w, s->percentiles);
	put_extras(w, s->extras, "");
	end(w, '}');
}

static void put_source(struct writer *w, const struct source *s)
{
	put_key(w, "source");
	begin(w, '{');
	put_text(w, "file", s->file);
	put_text(w, "part", s->part);
	if (s->first) {
		put_key(w, "lines");
		g_string_append_printf(w->out, "[%u,%u]", s->first, s->last);
	}
	put_text(w, "message_id", s->message_id);
	put_text(w, "from", s->from);
	put_text(w, "date", s->date);
	put_text(w, "subject", s->subject);
	put_text(w, "list", s->list);
	put_count(w, "quote_depth", s->quote_depth);
	put_count(w, "copies", s->copies);
	put_extras(w, s->extras, "");
	end(w, '}');
}

static void put_flags(struct writer *w, const struct record *r)
{
	put_key(w, "flags");
	begin(w, '[');
	for (guint i = 0; i < r->flags->len; i++) {
		const struct flag *f = &g_array_index(r->flags, struct flag, i);
		char place[32];

		put_separator(w);
		begin(w, '{');
		put_text(w, "code", f->code);
		put_text(w, "where", f->where);
		put_text(w, "text", f->text);
		g_snprintf(place, sizeof(place), "flags/%u/", i);
		put_extras(w, r->extras, place);
		end(w, '}');
	}
	end(w, ']');
}

static void put_environment(struct writer *w, const struct record *r)
{
	put_key(w, "environment");
	begin(w, '{');
	put_facts(w, r->environment);
	if (r->config->len) {
		put_key(w, "config");
		begin(w, '{');
		put_facts(w, r->config);
		put_extras(w, r->extras, "environment/config/");
		end(w, '}');
	}
	put_extras(w, r->extras, "environment/");
	end(w, '}');
}

static void put_merged(struct writer *w, const struct record *r)
{
	put_count(w, "runs", r->runs);
	put_key(w, "varies");
	begin(w, '[');
	for (guint i = 0; r->varies && i < r->varies->len; i++) {
		put_separator(w);
		put_string(w, g_ptr_array_index(r->varies, i));
	}
	end(w, ']');
}

static void put_record(struct writer *w, const struct record *r, bool no_samples)
{
	begin(w, '{');
	put_text(w, "schema", RECORD_SCHEMA);
	put_text(w, "kind", r->kind == RECORD_MERGED ? "merged" : "run");
	put_text(w, "id", r->id);
	put_text(w, "tool", r->tool);
	put_text_or_null(w, "mode", r->mode);
	put_text_or_null(w, "title", r->title);
	put_text_or_null(w, "command", r->command);
	if (r->kind == RECORD_MERGED)
		put_merged(w, r);
	put_key(w, "settings");
	begin(w, '{');
	put_facts(w, r->settings);
	put_extras(w, r->extras, "settings/");
	end(w, '}');
	put_environment(w, r);
	put_key(w, "series");
	begin(w, '[');
	for (guint i = 0; i < r->series->len; i++) {
		put_separator(w);
		put_series(w, g_ptr_array_index(r->series, i), no_samples);
	}
	end(w, ']');
	put_source(w, &r->source);
	put_flags(w, r);
	put_extras(w, r->extras, "");
	end(w, '}');
}

char *record_to_json(const struct record *r, const struct json_options *options)
{
	struct writer w = { g_string_sized_new(1024), options && options->pretty, 0, true };

	put_record(&w, r, options && options->no_samples);
	return g_string_free(w.out, FALSE);
}
