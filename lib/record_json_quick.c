#include "lib/record_json_quick.h"

#include <string.h>

#define MAX_TEXT 4096           /* decoded bytes of a string with escapes */

struct cursor {
	const char *p, *end;
	struct record *r;
	char scratch[MAX_TEXT];
};

struct span { const char *p; size_t len; };

static void blanks(struct cursor *c)
{
	while (c->p < c->end && (*c->p == ' ' || *c->p == '\n' || *c->p == '\t' || *c->p == '\r'))
		c->p++;
}

/* Takes one character, after blanks. */
static bool take(struct cursor *c, char wanted)
{
	blanks(c);
	if (c->p == c->end || *c->p != wanted)
		return false;
	c->p++;
	return true;
}

static bool take_word(struct cursor *c, const char *word, size_t len)
{
	if ((size_t)(c->end - c->p) < len || memcmp(c->p, word, len))
		return false;
	c->p += len;
	return true;
}

/* The rest of a string that has an escape at c->p; the text so far begins at start. */
static bool escaped_string(struct cursor *c, const char *start, struct span *out)
{
	static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
	size_t n = (size_t)(c->p - start);

	if (n >= MAX_TEXT)
		return false;
	memcpy(c->scratch, start, n);
	for (; c->p < c->end && n < MAX_TEXT; c->p++) {
		if ((unsigned char)*c->p < 0x20)
			return false;
		if (*c->p == '"') {
			*out = (struct span){ c->scratch, n };
			c->p++;
			return true;
		}
		if (*c->p == '\\') {
			const char *name = ++c->p < c->end && *c->p ? strchr(names, *c->p) : NULL;

			if (!name)
				return false;
			c->scratch[n++] = values[name - names];
		} else {
			c->scratch[n++] = *c->p;
		}
	}
	return false;
}

/* A string; out lives until the next one. */
static bool string(struct cursor *c, struct span *out)
{
	const char *start;

	if (!take(c, '"'))
		return false;
	for (start = c->p; c->p < c->end; c->p++) {
		if (*c->p == '"') {
			*out = (struct span){ start, (size_t)(c->p - start) };
			c->p++;
			return true;
		}
		if (*c->p == '\\')
			return escaped_string(c, start, out);
		if ((unsigned char)*c->p < 0x20)
			return false;
	}
	return false;
}

static bool text(struct cursor *c, const char **out)
{
	struct span s;

	if (!string(c, &s))
		return false;
	*out = record_text(c->r, s.p, (gssize)s.len);
	return true;
}

static bool text_or_null(struct cursor *c, const char **out)
{
	blanks(c);
	return take_word(c, "null", 4) || text(c, out);
}

static bool digits(struct cursor *c)
{
	const char *start = c->p;

	while (c->p < c->end && g_ascii_isdigit(*c->p))
		c->p++;
	return c->p > start;
}

/* A number as JSON spells it. */
static bool number(struct cursor *c, struct number *out)
{
	const char *start;

	blanks(c);
	start = c->p;
	if (c->p < c->end && *c->p == '-')
		c->p++;
	if (c->p < c->end && *c->p == '0')
		c->p++;
	else if (!digits(c))
		return false;
	if (c->p < c->end && *c->p == '.') {
		c->p++;
		if (!digits(c))
			return false;
	}
	/* Exponents are not written; a digit after a leading zero or an 'e' fails at the next token. */
	return number_parse(start, (size_t)(c->p - start), 0, out) == NUMBER_OK;
}

static bool number_or_null(struct cursor *c, struct number *out)
{
	blanks(c);
	if (take_word(c, "null", 4)) {
		*out = number_null();
		return true;
	}
	return number(c, out);
}

static bool count(struct cursor *c, unsigned *out)
{
	struct number n;

	if (!number(c, &n) || n.exponent < 0 || n.coefficient < 0 || number_cmp(n, number_int(G_MAXINT)) > 0)
		return false;
	*out = (unsigned)n.coefficient;
	for (int i = 0; i < n.exponent; i++)
		*out *= 10;
	return true;
}

/* Steps through the members of an object or array: true while there is one. */
static bool more(struct cursor *c, bool *first, char close)
{
	if (take(c, close))
		return false;
	if (!*first && !take(c, ','))
		c->p = c->end;          /* fails at the next token */
	*first = false;
	return true;
}

/* Known keys of an object, in the order in which they are written: the next one is most likely the one after the last. */
struct keys {
	const char *const *names;
	unsigned count, next;
	uint32_t seen;
};

/* Index of the next key, -1 when it is unknown or repeated. */
static int key(struct cursor *c, struct keys *k)
{
	struct span s;

	if (!string(c, &s) || !take(c, ':'))
		return -1;
	for (unsigned i = 0; i < k->count; i++) {
		unsigned at = (k->next + i) % k->count;
		const char *name = k->names[at];

		if (strncmp(name, s.p, s.len) || name[s.len])
			continue;
		if (k->seen >> at & 1)
			return -1;
		k->seen |= UINT32_C(1) << at;
		k->next = at + 1;
		return (int)at;
	}
	return -1;
}

#define KEYS(list) { (list), G_N_ELEMENTS(list), 0, 0 }

/* Texts, and numbers where they may be; other values fail. */
static bool facts(struct cursor *c, GArray *list, bool numbers)
{
	bool first = true;

	if (!take(c, '{'))
		return false;
	while (more(c, &first, '}')) {
		struct fact f = { 0 };

		if (!text(c, &f.key) || !take(c, ':') || facts_get(list, f.key))
			return false;
		blanks(c);
		if (c->p < c->end && *c->p == '"' ? !text(c, &f.text) : !numbers || !number_or_null(c, &f.number))
			return false;
		g_array_append_val(list, f);
	}
	return true;
}

static bool environment(struct cursor *c)
{
	struct record *r = c->r;
	bool first = true, config = false;

	if (!take(c, '{'))
		return false;
	while (more(c, &first, '}')) {
		struct fact f = { 0 };

		if (!text(c, &f.key) || !take(c, ':'))
			return false;
		if (!strcmp(f.key, "config")) {
			if (config || !facts(c, r->config, false))
				return false;
			config = true;
			continue;
		}
		if (facts_get(r->environment, f.key) || !text(c, &f.text))
			return false;
		g_array_append_val(r->environment, f);
	}
	return true;
}

static bool bin(struct cursor *c, struct histogram *h)
{
	struct bin b = { 0 };

	if (!take(c, '[') || !number(c, &b.lower) || !take(c, ',') || !number(c, &b.count) || b.count.coefficient <= 0)
		return false;
	if (!number_is_set(h->bin_width) && (!take(c, ',') || !number_or_null(c, &b.upper)))
		return false;
	if (h->bins->len &&
	    number_cmp(b.lower, g_array_index(h->bins, struct bin, h->bins->len - 1).lower) <= 0)
		return false;
	g_array_append_val(h->bins, b);
	return take(c, ']');
}

static bool bins(struct cursor *c, struct histogram *h)
{
	bool first = true;

	if (!take(c, '['))
		return false;
	while (more(c, &first, ']'))
		if (!bin(c, h))
			return false;
	return true;
}

static bool histogram(struct cursor *c, struct histogram **out)
{
	static const char *const names[] = { "bin_width", "bins", "underflow", "overflow" };
	struct keys k = KEYS(names);
	struct histogram *h = *out = histogram_new();
	bool first = true, ok = take(c, '{');

	while (ok && more(c, &first, '}')) {
		switch (key(c, &k)) {
		case 0:
			ok = number_or_null(c, &h->bin_width);
			break;
		case 1:
			/* the shape of the bins depends on the width */
			ok = (k.seen & 1) && bins(c, h);
			break;
		case 2:
			ok = number_or_null(c, &h->underflow);
			break;
		case 3:
			ok = number_or_null(c, &h->overflow);
			break;
		default:
			ok = false;
		}
	}
	return ok && (k.seen & 3) == 3;
}

/* Index of the column, or the number of columns. */
static unsigned column_of(const struct samples *s, enum field f)
{
	unsigned i = 0;

	while (i < s->columns && s->column[i] != f)
		i++;
	return i;
}

/* The key of a cell: "line" gives FIELD_END; false for what is no column. */
static bool cell_key(struct cursor *c, enum field *f)
{
	struct span s;
	char name[16];

	if (!string(c, &s) || s.len >= sizeof(name) || !take(c, ':'))
		return false;
	memcpy(name, s.p, s.len);
	name[s.len] = '\0';
	*f = field_from_name(name);
	return *f != FIELD_END || !strcmp(name, "line");
}

/* The first row has its own columns; the following must have no others. */
static bool row(struct cursor *c, struct series *s)
{
	enum field columns[FIELD_END];
	struct number values[FIELD_END] = { { 0 } };
	unsigned n = 0, line = 0, lines = 0;
	bool first = true;

	if (!take(c, '{'))
		return false;
	while (more(c, &first, '}')) {
		unsigned at = n;
		enum field f;

		if (!cell_key(c, &f))
			return false;
		if (f == FIELD_END) {
			if (lines++ || !count(c, &line))
				return false;
			continue;
		}
		if (s->samples)
			at = column_of(s->samples, f);
		if (at == (s->samples ? s->samples->columns : FIELD_END) || values[at].state != NUMBER_ABSENT ||
		    !number_or_null(c, &values[at]))
			return false;
		if (!s->samples)
			columns[n++] = f;
	}
	for (unsigned i = 0; i < n; i++)
		for (unsigned k = 0; k < i; k++)
			if (columns[i] == columns[k])
				return false;
	if (!s->samples)
		series_columns(s, n, columns);
	series_add_row(s, line, values);
	return true;
}

static bool rows(struct cursor *c, struct series *s)
{
	bool first = true;

	if (!take(c, '['))
		return false;
	while (more(c, &first, ']'))
		if (!row(c, s))
			return false;
	/* An empty list, and rows beyond the limit, are for the other reader. */
	return s->samples && s->samples->rows == series_sample_rows(s);
}

static bool percentiles(struct cursor *c, struct series *s)
{
	bool first = true;

	if (!take(c, '{'))
		return false;
	while (more(c, &first, '}')) {
		struct number value;
		const char *name;
		guint before = s->percentiles ? s->percentiles->len : 0;

		if (!text(c, &name) || !take(c, ':') || !number_or_null(c, &value))
			return false;
		series_percentile(c->r, s, name, value);
		if (s->percentiles->len == before)
			return false;
	}
	return s->percentiles != NULL;
}

static bool sum(struct cursor *c, struct number_sum **out)
{
	const char *decimal;

	if (!text(c, &decimal))
		return false;
	*out = number_sum_new();
	return number_sum_parse(*out, decimal);
}

static bool quantity(struct cursor *c, struct series *s)
{
	struct span q;

	if (!string(c, &q))
		return false;
	if (q.len != 7 || memcmp(q.p, "latency", 7))
		s->quantity = record_text(c->r, q.p, (gssize)q.len);
	return true;
}

enum series_key {
	SERIES_NAME, SERIES_LINE, SERIES_LABELS, SERIES_QUANTITY, SERIES_UNIT, SERIES_RESOLUTION, SERIES_FIELDS,
	SERIES_SUM = SERIES_FIELDS + FIELD_SERIES_END, SERIES_WEIGHT, SERIES_MIN_SOURCE, SERIES_MAX_SOURCE,
	SERIES_SAMPLES, SERIES_HISTOGRAM, SERIES_PERCENTILES, SERIES_KEYS
};

static const char *const series_names[] = {
	[SERIES_NAME] = "name", [SERIES_LINE] = "line", [SERIES_LABELS] = "labels", [SERIES_QUANTITY] = "quantity",
	[SERIES_UNIT] = "unit", [SERIES_RESOLUTION] = "resolution",
	[SERIES_FIELDS + FIELD_MIN] = "min", [SERIES_FIELDS + FIELD_AVG] = "avg", [SERIES_FIELDS + FIELD_MAX] = "max",
	[SERIES_FIELDS + FIELD_LAST] = "last", [SERIES_FIELDS + FIELD_STDDEV] = "stddev",
	[SERIES_FIELDS + FIELD_MDEV] = "mdev", [SERIES_FIELDS + FIELD_VALUE] = "value",
	[SERIES_FIELDS + FIELD_COUNT] = "count", [SERIES_FIELDS + FIELD_OVERRUNS] = "overruns",
	[SERIES_FIELDS + FIELD_MODE_SWITCHES] = "mode_switches",
	[SERIES_SUM] = "sum", [SERIES_WEIGHT] = "weight", [SERIES_MIN_SOURCE] = "min_source",
	[SERIES_MAX_SOURCE] = "max_source", [SERIES_SAMPLES] = "samples", [SERIES_HISTOGRAM] = "histogram",
	[SERIES_PERCENTILES] = "percentiles",
};

G_STATIC_ASSERT(SERIES_KEYS <= 32);

static bool series_value(struct cursor *c, int k, struct series *s)
{
	if (k >= SERIES_FIELDS && k < SERIES_SUM)
		return number_or_null(c, &s->field[k - SERIES_FIELDS]);
	switch (k) {
	case SERIES_NAME:
		return text_or_null(c, &s->name);
	case SERIES_LINE:
		return count(c, &s->line);
	case SERIES_LABELS:
		return facts(c, s->labels, true);
	case SERIES_QUANTITY:
		return quantity(c, s);
	case SERIES_UNIT:
		return text_or_null(c, &s->unit);
	case SERIES_RESOLUTION:
		return number_or_null(c, &s->resolution);
	case SERIES_SUM:
		return sum(c, &s->sum);
	case SERIES_WEIGHT:
		return sum(c, &s->weight);
	case SERIES_MIN_SOURCE:
		return text(c, &s->min_source);
	case SERIES_MAX_SOURCE:
		return text(c, &s->max_source);
	case SERIES_SAMPLES:
		return rows(c, s);
	case SERIES_HISTOGRAM:
		return histogram(c, &s->histogram);
	case SERIES_PERCENTILES:
		return percentiles(c, s);
	default:
		return false;
	}
}

static bool series(struct cursor *c)
{
	bool outer = true;

	if (!take(c, '['))
		return false;
	while (more(c, &outer, ']')) {
		struct series *s = record_add_series(c->r, NULL);
		struct keys k = KEYS(series_names);
		bool first = true;

		if (!take(c, '{'))
			return false;
		while (more(c, &first, '}'))
			if (!series_value(c, key(c, &k), s))
				return false;
	}
	return c->r->series->len > 0;
}

static bool source(struct cursor *c)
{
	static const char *const names[] = {
		"file", "part", "lines", "message_id", "from", "date", "subject", "list", "quote_depth", "copies"
	};
	struct source *s = &c->r->source;
	const char **const texts[] = {
		&s->file, &s->part, NULL, &s->message_id, &s->from, &s->date, &s->subject, &s->list
	};
	struct keys k = KEYS(names);
	bool first = true;

	if (!take(c, '{'))
		return false;
	while (more(c, &first, '}')) {
		int i = key(c, &k);
		bool ok = false;

		if (i == 2)
			ok = take(c, '[') && count(c, &s->first) && take(c, ',') && count(c, &s->last) && take(c, ']');
		else if (i == 8 || i == 9)
			ok = count(c, i == 8 ? &s->quote_depth : &s->copies);
		else if (i >= 0)
			ok = text(c, texts[i]);
		if (!ok)
			return false;
	}
	return true;
}

static bool flags(struct cursor *c)
{
	static const char *const names[] = { "code", "where", "text" };
	bool outer = true;

	if (!take(c, '['))
		return false;
	while (more(c, &outer, ']')) {
		struct flag f = { NULL, "", "" };
		const char **const texts[] = { &f.code, &f.where, &f.text };
		struct keys k = KEYS(names);
		bool first = true;

		if (!take(c, '{'))
			return false;
		while (more(c, &first, '}')) {
			int i = key(c, &k);

			if (i < 0 || !text(c, texts[i]))
				return false;
		}
		if (!f.code)
			return false;
		g_array_append_val(c->r->flags, f);
	}
	return true;
}

static bool varies(struct cursor *c)
{
	bool first = true;

	if (!take(c, '['))
		return false;
	c->r->varies = g_ptr_array_new_with_free_func(g_free);
	while (more(c, &first, ']')) {
		struct span s;

		if (!string(c, &s))
			return false;
		g_ptr_array_add(c->r->varies, g_strndup(s.p, s.len));
	}
	return true;
}

static bool exactly(struct cursor *c, const char *wanted)
{
	struct span s;

	return string(c, &s) && s.len == strlen(wanted) && !memcmp(s.p, wanted, s.len);
}

static bool kind(struct cursor *c)
{
	struct span s;

	if (!string(c, &s))
		return false;
	if (s.len == 6 && !memcmp(s.p, "merged", 6))
		c->r->kind = RECORD_MERGED;
	else if (s.len != 3 || memcmp(s.p, "run", 3))
		return false;
	return true;
}

static bool id(struct cursor *c)
{
	struct span s;

	if (!string(c, &s) || s.len != 16)
		return false;
	memcpy(c->r->id, s.p, 16);
	return strspn(c->r->id, "0123456789abcdef") == 16;
}

enum record_key {
	KEY_SCHEMA, KEY_KIND, KEY_ID, KEY_TOOL, KEY_MODE, KEY_TITLE, KEY_COMMAND, KEY_RUNS, KEY_VARIES, KEY_SETTINGS,
	KEY_ENVIRONMENT, KEY_SERIES, KEY_SOURCE, KEY_FLAGS
};

static bool record_value(struct cursor *c, int k)
{
	struct record *r = c->r;

	switch (k) {
	case KEY_SCHEMA:
		return exactly(c, RECORD_SCHEMA);
	case KEY_KIND:
		return kind(c);
	case KEY_ID:
		return id(c);
	case KEY_TOOL:
		return text(c, &r->tool) && *r->tool;
	case KEY_MODE:
		return text_or_null(c, &r->mode);
	case KEY_TITLE:
		return text_or_null(c, &r->title);
	case KEY_COMMAND:
		return text_or_null(c, &r->command);
	case KEY_RUNS:
		return count(c, &r->runs);
	case KEY_VARIES:
		return varies(c);
	case KEY_SETTINGS:
		return facts(c, r->settings, true);
	case KEY_ENVIRONMENT:
		return environment(c);
	case KEY_SERIES:
		return series(c);
	case KEY_SOURCE:
		return source(c);
	case KEY_FLAGS:
		return flags(c);
	default:
		return false;
	}
}

static bool record(struct cursor *c)
{
	static const char *const names[] = {
		"schema", "kind", "id", "tool", "mode", "title", "command", "runs", "varies", "settings",
		"environment", "series", "source", "flags"
	};
	const uint32_t required = 1u << KEY_SCHEMA | 1u << KEY_KIND | 1u << KEY_ID | 1u << KEY_TOOL | 1u << KEY_SERIES |
				  1u << KEY_SOURCE;
	struct keys k = KEYS(names);
	bool first = true;

	if (!take(c, '{'))
		return false;
	while (more(c, &first, '}'))
		if (!record_value(c, key(c, &k)))
			return false;
	return (k.seen & required) == required && (c->r->kind == RECORD_RUN || c->r->runs);
}

struct record *record_json_quick(const char *bytes, size_t len, size_t *used)
{
	struct cursor c;

	c.p = bytes;
	c.end = bytes + len;
	c.r = record_new("");
	if (record(&c) && g_utf8_validate(bytes, c.p - bytes, NULL)) {
		*used = (size_t)(c.p - bytes);
		return c.r;
	}
	record_free(c.r);
	return NULL;
}
