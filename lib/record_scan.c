#include "lib/record_scan.h"

#include <string.h>

#define MAX_FACTS 24u                   /* of one object: more are looked up by the other reader */
#define MAX_DEPTH 16u                   /* of values that are skipped */
#define LONGEST (16u << 20)             /* bytes of a record */

struct record_scan {
	struct record *r;
	GPtrArray *pool;                /* struct series *: made once, used again */
	char *buffer;
	size_t size;
	char *p;                        /* in buffer, which ends with NUL */
	bool samples;                   /* they are needed */
};

struct text { const char *p; size_t len; };

struct record_scan *record_scan_new(bool samples)
{
	struct record_scan *s = g_new0(struct record_scan, 1);

	s->samples = samples;
	s->r = record_new("");
	s->pool = g_ptr_array_new();
	return s;
}

void record_scan_free(struct record_scan *s)
{
	if (!s)
		return;
	/* The record frees its series: give it all of them. */
	s->r->series->len = 0;
	for (guint i = 0; i < s->pool->len; i++)
		g_ptr_array_add(s->r->series, s->pool->pdata[i]);
	g_ptr_array_unref(s->pool);
	record_free(s->r);
	g_free(s->buffer);
	g_free(s);
}

static void blanks(struct record_scan *s)
{
	while (*s->p == ' ' || *s->p == '\t' || *s->p == '\r')
		s->p++;
}

/* The byte c, blanks before it allowed. */
static bool take(struct record_scan *s, char c)
{
	if (G_UNLIKELY(*s->p != c)) {
		blanks(s);
		if (*s->p != c)
			return false;
	}
	s->p++;
	return true;
}

/* \" \\ \/ \b \f \n \r \t; 0 for others. */
static char escape(char c)
{
	switch (c) {
	case '"': case '\\': case '/':
		return c;
	case 'n':
		return '\n';
	case 't':
		return '\t';
	case 'r':
		return '\r';
	case 'b':
		return '\b';
	case 'f':
		return '\f';
	default:
		return 0;
	}
}

/* Undoes escapes in place from *s->p on; the string began at `start`. */
static bool escaped_string(struct record_scan *s, char *start, struct text *out)
{
	char *to = s->p;

	for (;;) {
		unsigned char c = (unsigned char)*s->p;

		if (c == '"')
			break;
		if (c < 32)
			return false;
		if (c == '\\') {
			c = (unsigned char)escape(s->p[1]);
			if (!c)
				return false;
			s->p++;
		}
		*to++ = (char)c;
		s->p++;
	}
	s->p++;
	*to = '\0';
	*out = (struct text){ start, (size_t)(to - start) };
	return g_utf8_validate(out->p, (gssize)out->len, NULL);
}

#define EACH(byte) (0x0101010101010101u * (byte))

/*
 * Marks, by its high bit, the first of eight bytes that is a quote, a backslash, a control character or above ASCII, and
 * maybe bytes behind it: the high bit of x - n is set where x is less than n or at least n + 128, and nothing is borrowed before the
 * first such byte.
 */
static uint64_t special_bytes(uint64_t w)
{
	return (((w ^ EACH('"')) - EACH(1)) | ((w ^ EACH('\\')) - EACH(1)) | (w - EACH(32)) | w) & EACH(128);
}

/* Where the plain ASCII from p on ends. The buffer ends with room for a whole word. */
static char *plain_end(char *p)
{
	uint64_t w, marks;

	for (;; p += sizeof(w)) {
		memcpy(&w, p, sizeof(w));
		marks = special_bytes(GUINT64_FROM_LE(w));
		if (marks)
			return p + __builtin_ctzll(marks) / 8;
	}
}

/* The end of a string that has more than plain ASCII; p stands where that ends. */
static bool odd_string(struct record_scan *s, char *start, char *p, struct text *out)
{
	while ((unsigned char)*p >= 128) {
		while ((unsigned char)*p >= 128)
			p++;
		p = plain_end(p);
	}
	s->p = p;
	if (*p == '\\')
		return escaped_string(s, start, out);
	if (*p != '"')
		return false;
	*p = '\0';
	s->p = p + 1;
	*out = (struct text){ start, (size_t)(p - start) };
	return g_utf8_validate(out->p, (gssize)out->len, NULL);
}

/* A string, NUL-terminated in place. */
static bool string(struct record_scan *s, struct text *out)
{
	char *start, *p;

	if (!take(s, '"'))
		return false;
	start = s->p;
	p = plain_end(start);
	if (G_UNLIKELY(*p != '"'))
		return odd_string(s, start, p, out);
	*p = '\0';
	s->p = p + 1;
	out->p = start;
	out->len = (size_t)(p - start);
	return true;
}

static bool literal(struct record_scan *s, const char *word, size_t len)
{
	if (strncmp(s->p, word, len))
		return false;
	s->p += len;
	return true;
}

static bool string_or_null(struct record_scan *s, const char **out)
{
	struct text t;

	blanks(s);
	*out = NULL;
	if (*s->p == 'n')
		return literal(s, "null", 4);
	if (!string(s, &t))
		return false;
	*out = t.p;
	return true;
}

static bool only_string(struct record_scan *s, const char **out)
{
	struct text t;

	if (!string(s, &t))
		return false;
	*out = t.p;
	return true;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Numbers with a point, and null. start: at the number. */
static bool odd_number(struct record_scan *s, char *start, char *p, struct number *out)
{
	if (*p == '.') {
		p++;
		if (!is_digit(*p))
			return false;
		while (is_digit(*p))
			p++;
	}
	s->p = p;
	return *p != 'e' && *p != 'E' && number_parse(start, (size_t)(p - start), 0, out) == NUMBER_OK;
}

/* A number of at most 15 digits without exponent, or null. */
static bool number(struct record_scan *s, struct number *out)
{
	static const int64_t powers[] = { 1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000,
		10000000000, 100000000000, 1000000000000, 10000000000000, 100000000000000, 1000000000000000 };
	char *start, *p, *digits;
	int64_t v = 0;
	unsigned zeros = 0;

	if (!is_digit(*s->p))
		blanks(s);
	if (*s->p == 'n') {
		*out = number_null();
		return literal(s, "null", 4);
	}
	start = p = s->p;
	p += *p == '-';
	if (!is_digit(*p) || (*p == '0' && is_digit(p[1])))
		return false;
	for (digits = p; is_digit(*p) && p - digits <= NUMBER_DIGITS; p++)
		v = v * 10 + (*p - '0');
	if (p - digits > NUMBER_DIGITS)
		return false;
	if (*p == '.' || *p == 'e' || *p == 'E')
		return odd_number(s, start, p, out);
	s->p = p;
	if (!v) {
		*out = (struct number){ .state = NUMBER_SET };
		return true;
	}
	while (p[-1 - (int)zeros] == '0')
		zeros++;
	if (zeros)
		v /= powers[zeros];
	*out = (struct number){ *start == '-' ? -v : v, (int16_t)zeros, NUMBER_SET };
	return true;
}

/* A whole number, 0 or more, as a line or a depth. */
static bool count(struct record_scan *s, unsigned *out)
{
	uint64_t v = 0;
	const char *start;

	blanks(s);
	if (!is_digit(*s->p) || (*s->p == '0' && is_digit(s->p[1])))
		return false;
	for (start = s->p; is_digit(*s->p) && s->p - start < 11; s->p++)
		v = v * 10 + (uint64_t)(*s->p - '0');
	*out = (unsigned)v;
	return v <= G_MAXINT && !is_digit(*s->p) && *s->p != '.' && *s->p != 'e' && *s->p != 'E';
}

/* After '{' or a member: is there another? Reads its key and the colon. *end: the object is closed. */
static bool member(struct record_scan *s, bool first, struct text *key, bool *end)
{
	*end = false;
	if (take(s, '}')) {
		*end = true;
		return true;
	}
	return (first || take(s, ',')) && string(s, key) && take(s, ':');
}

static bool is(const struct text *key, const char *name, size_t len)
{
	return key->len == len && !memcmp(key->p, name, len);
}
#define IS(key, name) is(key, name, sizeof(name) - 1)

/* Each key once: bit n stands for the n-th of an object's. */
static bool once(unsigned *seen, unsigned bit)
{
	bool fresh = !(*seen & 1u << bit);

	*seen |= 1u << bit;
	return fresh;
}

static bool there(const GArray *facts, const char *key)
{
	for (guint i = 0; i < facts->len; i++) {
		const char *other = g_array_index(facts, struct fact, i).key;

		if (*other == *key && !strcmp(other, key))
			return true;
	}
	return false;
}

/* Texts, and numbers where they may be. */
static bool facts(struct record_scan *s, GArray *out, bool numbers, GArray *config)
{
	bool end;

	if (!take(s, '{'))
		return false;
	for (bool first = true;; first = false) {
		struct fact f = { 0 };
		struct text key;

		if (!member(s, first, &key, &end))
			return false;
		if (end)
			return true;
		if (out->len >= MAX_FACTS || there(out, key.p))
			return false;
		blanks(s);
		if (config && IS(&key, "config")) {
			if (config->len || !facts(s, config, false, NULL))
				return false;
			continue;
		}
		f.key = key.p;
		if (*s->p == '"' ? !only_string(s, &f.text) : !numbers || !number(s, &f.number))
			return false;
		g_array_append_val(out, f);
	}
}

/* Any value, of which only the syntax is looked at. */
static bool skip(struct record_scan *s)
{
	char closing[MAX_DEPTH];
	unsigned depth = 0;
	struct number n;
	struct text t;

	for (;;) {
		bool opened = false;

		blanks(s);
		if (*s->p == '{' || *s->p == '[') {
			if (depth == MAX_DEPTH)
				return false;
			closing[depth++] = *s->p++ == '{' ? '}' : ']';
			opened = true;
			blanks(s);
			if (*s->p == closing[depth - 1]) {
				s->p++;
				depth--;
				opened = false;
			}
		} else if (*s->p == '"' ? !string(s, &t) : *s->p == 't' ? !literal(s, "true", 4) : *s->p == 'f' ? !literal(s, "false", 5) :
		           !number(s, &n)) {
			return false;
		}
		while (!opened && depth) {
			blanks(s);
			if (*s->p == ',') {
				s->p++;
				break;
			}
			if (*s->p != closing[depth - 1])
				return false;
			s->p++;
			depth--;
		}
		if (!depth)
			return true;
		blanks(s);
		if (closing[depth - 1] == '}' && !(string(s, &t) && take(s, ':')))
			return false;
	}
}

static bool bins(struct record_scan *s, struct histogram *h)
{
	if (!take(s, '['))
		return false;
	if (take(s, ']'))
		return true;
	do {
		struct bin b = { .count = { 0 } };
		const struct bin *last = h->bins->len ? &g_array_index(h->bins, struct bin, h->bins->len - 1) : NULL;

		if (!take(s, '[') || !number(s, &b.lower) || !take(s, ',') || !number(s, &b.count) || !take(s, ']'))
			return false;
		if (!number_is_set(b.lower) || !number_is_set(b.count) || b.count.coefficient <= 0 ||
		    (last && number_cmp(b.lower, last->lower) <= 0))
			return false;
		g_array_append_val(h->bins, b);
	} while (take(s, ','));
	return take(s, ']');
}

/* Bins of equal width, the width before the bins, as it is written. */
static bool histogram(struct record_scan *s, struct series *series)
{
	struct histogram *h = histogram_new();
	unsigned seen = 0;
	struct text key;
	bool end;

	series->histogram = h;
	if (!take(s, '{'))
		return false;
	for (bool first = true;; first = false) {
		bool ok = false;

		if (!member(s, first, &key, &end))
			return false;
		if (end)
			return (seen & 3) == 3;
		if (IS(&key, "bin_width"))
			ok = once(&seen, 0) && number(s, &h->bin_width) && number_is_set(h->bin_width);
		else if (IS(&key, "bins"))
			ok = seen & 1 && once(&seen, 1) && bins(s, h);
		else if (IS(&key, "underflow"))
			ok = once(&seen, 2) && number(s, &h->underflow);
		else if (IS(&key, "overflow"))
			ok = once(&seen, 3) && number(s, &h->overflow);
		if (!ok)
			return false;
	}
}

static bool percentiles(struct record_scan *s, struct series *series)
{
	struct percentile p;
	struct text key;
	bool end;

	series->percentiles = g_array_new(FALSE, FALSE, sizeof(struct percentile));
	if (!take(s, '{'))
		return false;
	for (bool first = true;; first = false) {
		if (!member(s, first, &key, &end))
			return false;
		if (end)
			return true;
		p.key = key.p;
		for (guint i = 0; i < series->percentiles->len; i++)
			if (!strcmp(g_array_index(series->percentiles, struct percentile, i).key, p.key))
				return false;
		if (series->percentiles->len >= MAX_FACTS || !number(s, &p.value))
			return false;
		g_array_append_val(series->percentiles, p);
	}
}

/* The field of this name; FIELD_SERIES_END when it is none. */
static enum field field_of(const struct text *key)
{
	switch (key->len) {
	case 3:
		return IS(key, "min") ? FIELD_MIN : IS(key, "avg") ? FIELD_AVG : IS(key, "max") ? FIELD_MAX : FIELD_SERIES_END;
	case 4:
		return IS(key, "last") ? FIELD_LAST : IS(key, "mdev") ? FIELD_MDEV : FIELD_SERIES_END;
	case 5:
		return IS(key, "count") ? FIELD_COUNT : IS(key, "value") ? FIELD_VALUE : FIELD_SERIES_END;
	case 6:
		return IS(key, "stddev") ? FIELD_STDDEV : FIELD_SERIES_END;
	case 8:
		return IS(key, "overruns") ? FIELD_OVERRUNS : FIELD_SERIES_END;
	default:
		return IS(key, "mode_switches") ? FIELD_MODE_SWITCHES : FIELD_SERIES_END;
	}
}

static bool quantity(struct record_scan *s, struct series *series)
{
	if (!only_string(s, &series->quantity))
		return false;
	if (!strcmp(series->quantity, "latency"))
		series->quantity = NULL;
	return true;
}

static bool series_member(struct record_scan *s, struct series *series, const struct text *key, unsigned *seen)
{
	enum field f = field_of(key);

	if (f < FIELD_SERIES_END)
		return once(seen, f) && number(s, &series->field[f]);
	if (IS(key, "name"))
		return once(seen, 16) && string_or_null(s, &series->name);
	if (IS(key, "labels"))
		return once(seen, 17) && facts(s, series->labels, true, NULL);
	if (IS(key, "quantity"))
		return once(seen, 18) && quantity(s, series);
	if (IS(key, "unit"))
		return once(seen, 19) && string_or_null(s, &series->unit);
	if (IS(key, "resolution"))
		return once(seen, 20) && number(s, &series->resolution);
	if (IS(key, "line"))
		return once(seen, 21) && count(s, &series->line);
	if (IS(key, "samples"))
		return once(seen, 22) && !s->samples && skip(s);
	if (IS(key, "histogram"))
		return once(seen, 23) && histogram(s, series);
	if (IS(key, "percentiles"))
		return once(seen, 24) && percentiles(s, series);
	return false;
}

/* The next series from the pool, emptied. */
static struct series *next_series(struct record_scan *s)
{
	guint i = s->r->series->len;
	struct series *series;

	if (i == s->pool->len) {
		series = record_add_series(s->r, NULL);
		g_ptr_array_add(s->pool, series);
		return series;
	}
	series = s->pool->pdata[i];
	series->name = series->quantity = series->unit = NULL;
	series->line = 0;
	series->resolution = number_absent();
	memset(series->field, 0, sizeof(series->field));
	g_array_set_size(series->labels, 0);
	g_clear_pointer(&series->histogram, histogram_free);
	g_clear_pointer(&series->percentiles, g_array_unref);
	g_ptr_array_add(s->r->series, series);
	return series;
}

static bool one_series(struct record_scan *s)
{
	struct series *series = next_series(s);
	unsigned seen = 0;
	struct text key;
	bool end;

	if (!take(s, '{'))
		return false;
	for (bool first = true;; first = false) {
		if (!member(s, first, &key, &end))
			return false;
		if (end)
			return true;
		if (!series_member(s, series, &key, &seen))
			return false;
	}
}

static bool all_series(struct record_scan *s)
{
	if (!take(s, '['))
		return false;
	do
		if (!one_series(s))
			return false;
	while (take(s, ','));
	return take(s, ']');
}

static bool lines(struct record_scan *s, struct source *source)
{
	return take(s, '[') && count(s, &source->first) && take(s, ',') && count(s, &source->last) && take(s, ']');
}

static bool source_member(struct record_scan *s, struct source *source, const struct text *key, unsigned *seen)
{
	if (IS(key, "file"))
		return once(seen, 0) && only_string(s, &source->file);
	if (IS(key, "lines"))
		return once(seen, 1) && lines(s, source);
	if (IS(key, "message_id"))
		return once(seen, 2) && only_string(s, &source->message_id);
	if (IS(key, "from"))
		return once(seen, 3) && only_string(s, &source->from);
	if (IS(key, "date"))
		return once(seen, 4) && only_string(s, &source->date);
	if (IS(key, "subject"))
		return once(seen, 5) && only_string(s, &source->subject);
	if (IS(key, "list"))
		return once(seen, 6) && only_string(s, &source->list);
	if (IS(key, "part"))
		return once(seen, 7) && only_string(s, &source->part);
	if (IS(key, "quote_depth"))
		return once(seen, 8) && count(s, &source->quote_depth);
	if (IS(key, "copies"))
		return once(seen, 9) && count(s, &source->copies);
	return false;
}

static bool source(struct record_scan *s)
{
	unsigned seen = 0;
	struct text key;
	bool end;

	if (!take(s, '{'))
		return false;
	for (bool first = true;; first = false) {
		if (!member(s, first, &key, &end))
			return false;
		if (end)
			return true;
		if (!source_member(s, &s->r->source, &key, &seen))
			return false;
	}
}

static bool one_flag(struct record_scan *s)
{
	struct flag f = { NULL, "", "" };
	unsigned seen = 0;
	struct text key;
	bool end;

	if (!take(s, '{'))
		return false;
	for (bool first = true;; first = false) {
		bool ok = false;

		if (!member(s, first, &key, &end))
			return false;
		if (end)
			break;
		if (IS(&key, "code"))
			ok = once(&seen, 0) && only_string(s, &f.code);
		else if (IS(&key, "where"))
			ok = once(&seen, 1) && only_string(s, &f.where);
		else if (IS(&key, "text"))
			ok = once(&seen, 2) && only_string(s, &f.text);
		if (!ok)
			return false;
	}
	if (f.code)
		g_array_append_val(s->r->flags, f);
	return f.code != NULL;
}

static bool flags(struct record_scan *s)
{
	if (!take(s, '['))
		return false;
	if (take(s, ']'))
		return true;
	do
		if (!one_flag(s))
			return false;
	while (take(s, ','));
	return take(s, ']');
}

static bool id(struct record_scan *s)
{
	struct text t;

	if (!string(s, &t) || t.len != 16 || strspn(t.p, "0123456789abcdef") != 16)
		return false;
	memcpy(s->r->id, t.p, 17);
	return true;
}

enum { SEEN_SCHEMA, SEEN_KIND, SEEN_ID, SEEN_TOOL, SEEN_SERIES, SEEN_SOURCE, SEEN_REQUIRED,
       SEEN_MODE = SEEN_REQUIRED, SEEN_TITLE, SEEN_COMMAND, SEEN_SETTINGS, SEEN_ENVIRONMENT, SEEN_FLAGS };

static bool record_member(struct record_scan *s, const struct text *key, unsigned *seen)
{
	struct record *r = s->r;
	struct text t;

	if (IS(key, "schema"))
		return once(seen, SEEN_SCHEMA) && string(s, &t) && IS(&t, RECORD_SCHEMA);
	if (IS(key, "kind"))
		return once(seen, SEEN_KIND) && string(s, &t) && IS(&t, "run");
	if (IS(key, "id"))
		return once(seen, SEEN_ID) && id(s);
	if (IS(key, "tool"))
		return once(seen, SEEN_TOOL) && only_string(s, &r->tool) && *r->tool;
	if (IS(key, "mode"))
		return once(seen, SEEN_MODE) && string_or_null(s, &r->mode);
	if (IS(key, "title"))
		return once(seen, SEEN_TITLE) && string_or_null(s, &r->title);
	if (IS(key, "command"))
		return once(seen, SEEN_COMMAND) && string_or_null(s, &r->command);
	if (IS(key, "settings"))
		return once(seen, SEEN_SETTINGS) && facts(s, r->settings, true, NULL);
	if (IS(key, "environment"))
		return once(seen, SEEN_ENVIRONMENT) && facts(s, r->environment, false, r->config);
	if (IS(key, "series"))
		return once(seen, SEEN_SERIES) && all_series(s);
	if (IS(key, "source"))
		return once(seen, SEEN_SOURCE) && source(s);
	if (IS(key, "flags"))
		return once(seen, SEEN_FLAGS) && flags(s);
	return false;
}

static bool record(struct record_scan *s)
{
	const unsigned required = (1u << SEEN_REQUIRED) - 1;
	unsigned seen = 0;
	struct text key;
	bool end;

	if (!take(s, '{'))
		return false;
	for (bool first = true;; first = false) {
		if (!member(s, first, &key, &end))
			return false;
		if (end)
			return (seen & required) == required;
		if (!record_member(s, &key, &seen))
			return false;
	}
}

static void reset(struct record_scan *s)
{
	struct record *r = s->r;

	r->mode = r->title = r->command = NULL;
	g_array_set_size(r->settings, 0);
	g_array_set_size(r->environment, 0);
	g_array_set_size(r->config, 0);
	g_array_set_size(r->flags, 0);
	r->series->len = 0;
	memset(&r->source, 0, sizeof(r->source));
}

struct record *record_scan_read(struct record_scan *s, const char *text, size_t len, size_t *used)
{
	if (len > LONGEST)
		return NULL;
	if (len + sizeof(uint64_t) > s->size) {
		s->size = MAX(2 * len, 4096);
		g_free(s->buffer);
		s->buffer = g_malloc(s->size);
	}
	/* Strings are ended in place: what is read must be our own. */
	memcpy(s->buffer, text, len);
	memset(s->buffer + len, 0, sizeof(uint64_t));
	s->p = s->buffer;
	reset(s);
	if (!record(s))
		return NULL;
	*used = (size_t)(s->p - s->buffer);
	return s->r;
}
