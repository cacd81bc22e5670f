#include "lib/keys.h"

#include <stdio.h>
#include <string.h>

static const struct { const char *name; enum key_id id; const char *argument; } names[] = {
	{ "tool", KEY_TOOL, NULL }, { "mode", KEY_MODE, NULL }, { "title", KEY_TITLE, NULL },
	{ "command", KEY_COMMAND, NULL }, { "id", KEY_ID, NULL }, { "kind", KEY_KIND, NULL }, { "runs", KEY_RUNS, NULL },
	{ "board", KEY_ENVIRONMENT, "board" }, { "cpu", KEY_ENVIRONMENT, "cpu" }, { "arch", KEY_ENVIRONMENT, "arch" },
	{ "memory", KEY_ENVIRONMENT, "memory" }, { "kernel", KEY_ENVIRONMENT, "kernel" }, { "rt", KEY_ENVIRONMENT, "rt" },
	{ "distribution", KEY_ENVIRONMENT, "distribution" }, { "compiler", KEY_ENVIRONMENT, "compiler" },
	{ "load", KEY_ENVIRONMENT, "load" }, { "config", KEY_CONFIG_ALL, NULL },
	{ "period_ns", KEY_SETTING, "period_ns" }, { "period", KEY_SETTING, "period_ns" },
	{ "policy", KEY_SETTING, "policy" }, { "duration_s", KEY_SETTING, "duration_s" },
	{ "duration", KEY_SETTING, "duration_s" }, { "loops", KEY_SETTING, "loops" }, { "threads", KEY_SETTING, "threads" },
	{ "file", KEY_FILE, NULL }, { "part", KEY_PART, NULL }, { "message_id", KEY_MESSAGE_ID, NULL },
	{ "from", KEY_FROM, NULL }, { "date", KEY_DATE, NULL }, { "subject", KEY_SUBJECT, NULL }, { "list", KEY_LIST, NULL },
	{ "quote_depth", KEY_QUOTE_DEPTH, NULL }, { "copies", KEY_COPIES, NULL }, { "flag", KEY_FLAG, NULL },
	{ "label", KEY_LABEL, NULL },
	{ "name", KEY_NAME, NULL }, { "quantity", KEY_QUANTITY, NULL }, { "unit", KEY_UNIT, NULL },
	{ "thread", KEY_SERIES_LABEL, "thread" }, { "tid", KEY_SERIES_LABEL, "tid" }, { "core", KEY_SERIES_LABEL, "cpu" },
	{ "context", KEY_SERIES_LABEL, "context" }, { "column", KEY_SERIES_LABEL, "column" },
	{ "group", KEY_SERIES_LABEL, "group" }, { "index", KEY_SERIES_LABEL, "index" },
	{ "sender", KEY_SERIES_LABEL, "sender" }, { "receiver", KEY_SERIES_LABEL, "receiver" },
	{ "interval_ns", KEY_SERIES_LABEL, "interval_ns" }, { "interval", KEY_SERIES_LABEL, "interval_ns" },
	{ "priority", KEY_PRIORITY, NULL }, { "resolution", KEY_RESOLUTION, NULL },
};

char *caret_message(const char *expression, size_t at, const char *format, ...)
{
	g_autofree char *text = NULL;
	g_autoptr(GString) blanks = g_string_new(NULL);
	va_list ap;

	va_start(ap, format);
	text = g_strdup_vprintf(format, ap);
	va_end(ap);
	/* One blank a character, so that the caret stands below it in UTF-8 too. */
	for (size_t i = 0; i < at && expression[i]; i++)
		if (((unsigned char)expression[i] & 0xc0) != 0x80)
			g_string_append_c(blanks, expression[i] == '\t' ? '\t' : ' ');
	return g_strdup_printf("%s\n    %s\n    %s^", text, expression, blanks->str);
}

static char *unknown_key(const char *text, size_t len)
{
	GString *out = g_string_new(NULL);
	const char *near = NULL;

	g_string_append_printf(out, "no key is named '%.*s'", (int)len, text);
	for (size_t i = 0; i < G_N_ELEMENTS(names) && !near; i++)
		if (len >= 3 && !g_ascii_strncasecmp(names[i].name, text, 3))
			near = names[i].name;
	if (near)
		g_string_append_printf(out, "; '%s' is meant?", near);
	else
		g_string_append(out, "; keys are board, cpu, kernel, rt, load, tool, mode, name, thread, date, list, from, file, "
			"label, config.NAME, label.NAME, min, avg, max, p99, count and the like");
	return g_string_free(out, FALSE);
}

/* "p99.9": a percentile. */
static bool percentile_name(const char *name)
{
	struct number p;

	return name[0] == 'p' && g_ascii_isdigit(name[1]) &&
	       number_parse(name + 1, strlen(name + 1), 0, &p) == NUMBER_OK && p.coefficient > 0 &&
	       number_cmp(p, number_int(100)) <= 0;
}

static bool set_part(struct key *k, const char *part)
{
	if (!strcmp(part, "year"))
		k->part = KEY_YEAR;
	else if (!strcmp(part, "month"))
		k->part = KEY_MONTH;
	else if (!strcmp(part, "day"))
		k->part = KEY_DAY;
	return k->part != KEY_WHOLE;
}

static bool lookup(struct key *k, const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
		if (!strcmp(names[i].name, name)) {
			k->id = names[i].id;
			k->argument = g_strdup(names[i].argument);
			return true;
		}
	k->field = field_from_name(name);
	if (k->field < FIELD_SERIES_END) {
		k->id = KEY_FIELD;
	} else if (percentile_name(name)) {
		k->id = KEY_PERCENTILE;
		k->argument = g_strdup(name + 1);
	} else if (g_str_has_prefix(name, "config.") && name[7]) {
		k->id = KEY_CONFIG;
		k->argument = g_strdup(name + 7);
	} else if (g_str_has_prefix(name, "label.") && name[6]) {
		k->id = KEY_SERIES_LABEL;
		k->argument = g_strdup(name + 6);
	} else {
		return false;
	}
	return true;
}

struct key *key_parse(const char *text, size_t len, char **error)
{
	struct key *k = g_new0(struct key, 1);
	g_autofree char *base = g_strndup(text, len);
	char *at = strchr(base, '@');

	k->name = g_strndup(text, len);
	if (at)
		*at++ = '\0';
	if (lookup(k, base) && (!at || (k->id == KEY_DATE && set_part(k, at))))
		return k;
	if (error)
		*error = unknown_key(text, len);
	key_free(k);
	return NULL;
}

void key_free(struct key *k)
{
	if (!k)
		return;
	g_free(k->name);
	g_free(k->argument);
	g_strfreev(k->list);
	g_free(k);
}

static void free_key(void *k)
{
	key_free(k);
}

/* The words between parentheses at *p, which stands behind the opening one. NULL when it is not closed. */
static char **word_list(const char **p)
{
	const char *end = strchr(*p, ')');
	g_autofree char *inside = NULL;
	char **words;
	guint n = 0;

	if (!end)
		return NULL;
	inside = g_strndup(*p, (gsize)(end - *p));
	words = g_strsplit_set(inside, " ,\t", -1);
	for (guint i = 0; words[i]; i++)
		if (*words[i])
			words[n++] = words[i];
		else
			g_free(words[i]);
	words[n] = NULL;
	*p = end + 1;
	return words;
}

/* Reads "@ORDER" at *p, if one stands there. A message, or NULL. */
static const char *read_order(struct key *k, const char **p)
{
	static const struct { const char *name; enum key_order order; } orders[] = {
		{ "alpha", ORDER_ALPHA }, { "num", ORDER_NUMBER }, { "first", ORDER_FIRST_SEEN }, { "natural", ORDER_NATURAL },
	};
	size_t len;

	if (**p != '@')
		return NULL;
	++*p;
	if (**p == '(') {
		++*p;
		k->order = ORDER_LIST;
		k->list = word_list(p);
		return k->list ? NULL : "the list of values is not closed: ')' is missing";
	}
	len = strcspn(*p, "@, \t");
	for (size_t i = 0; i < G_N_ELEMENTS(orders); i++)
		if (strlen(orders[i].name) == len && !strncmp(orders[i].name, *p, len)) {
			k->order = orders[i].order;
			*p += len;
			return NULL;
		}
	return "no order is named so; orders are @alpha, @num, @first and @(a b c)";
}

/* How long the key at p is, "@year", "@month" or "@day" included. */
static size_t key_length(const char *p)
{
	static const char *const parts[] = { "@year", "@month", "@day" };
	size_t len = strcspn(p, "@, \t");

	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
		size_t n = strlen(parts[i]);

		if (!strncmp(p + len, parts[i], n) && strchr("@, \t", p[len + n]))
			return len + n;
	}
	return len;
}

GPtrArray *keys_parse(const char *text, char **error)
{
	GPtrArray *keys = g_ptr_array_new_with_free_func(free_key);
	const char *p = text;

	for (;;) {
		const char *problem, *start;
		char *message = NULL;
		struct key *k;
		size_t len;

		p += strspn(p, ", \t");
		if (!*p)
			return keys;
		start = p;
		len = key_length(p);
		k = key_parse(p, len, &message);
		if (!k) {
			*error = caret_message(text, (size_t)(start - text), "%s", message);
			g_free(message);
			break;
		}
		g_ptr_array_add(keys, k);
		p += len;
		start = p;
		problem = read_order(k, &p);
		if (problem) {
			*error = caret_message(text, (size_t)(start - text), "%s", problem);
			break;
		}
	}
	g_ptr_array_unref(keys);
	return NULL;
}

bool keys_contain(const GPtrArray *keys, enum key_id id, const char *argument)
{
	for (guint i = 0; keys && i < keys->len; i++) {
		const struct key *k = keys->pdata[i];

		if (k->id == id && (!argument || !g_strcmp0(k->argument, argument)))
			return true;
	}
	return false;
}

static bool set_text(struct key_value *v, const char *text)
{
	v->text = text;
	return text != NULL;
}

static bool set_number(struct key_value *v, struct number n, const char *unit)
{
	v->text = NULL;
	v->number = n;
	v->unit = unit;
	return number_is_set(n);
}

/* "period_ns" and "duration_s" tell their unit. */
static const char *unit_of_name(const char *name)
{
	return g_str_has_suffix(name, "_ns") ? "ns" : g_str_has_suffix(name, "_s") ? "s" : NULL;
}

static bool set_fact(struct key_value *v, const GArray *facts, const char *name)
{
	const struct fact *f = facts_get(facts, name);

	if (!f)
		return false;
	return f->text ? set_text(v, f->text) : set_number(v, f->number, unit_of_name(name));
}

/* The date as the sender wrote it: RFC 3339, cut to year, month or day. */
static bool set_date(const struct key *k, const char *date, struct key_value *v)
{
	static const gsize lengths[] = { [KEY_WHOLE] = 0, [KEY_YEAR] = 4, [KEY_MONTH] = 7, [KEY_DAY] = 10 };

	if (!date)
		return false;
	if (k->part == KEY_WHOLE)
		return set_text(v, date);
	if (strlen(date) < lengths[k->part])
		return false;
	g_strlcpy(v->buffer, date, lengths[k->part] + 1);
	return set_text(v, v->buffer);
}

/*
 * The group of a merged record is known by its month although its parts have many dates, and by the label that an input was given:
 * such keys are kept in the object "by", whose texts hold no escapes.
 */
static bool kept_text(const char *name, const struct record *r, struct key_value *v)
{
	g_autofree char *member = g_strdup_printf("\"%s\":\"", name);

	for (guint i = 0; r->extras && i < r->extras->len; i++) {
		const struct extra *e = &g_array_index(r->extras, struct extra, i);
		const char *at = strcmp(e->key, "by") ? NULL : strstr(e->json, member);
		size_t len;

		if (!at)
			continue;
		at += strlen(member);
		len = strcspn(at, "\"\\");
		if (len >= sizeof(v->buffer))
			return false;
		g_strlcpy(v->buffer, at, len + 1);
		return set_text(v, v->buffer);
	}
	return false;
}

/* A month tells the year. */
static bool set_kept(const struct key *k, const struct record *r, struct key_value *v)
{
	static const char *const finer[] = { "date@year", "date@month", "date@day" };
	static const gsize lengths[] = { 4, 7, 10 };

	if (k->id != KEY_DATE || k->part == KEY_WHOLE)
		return kept_text(k->name, r, v);
	for (guint i = k->part - KEY_YEAR; i < G_N_ELEMENTS(finer); i++)
		if (kept_text(finer[i], r, v)) {
			v->buffer[lengths[k->part - KEY_YEAR]] = '\0';
			return true;
		}
	return false;
}

static bool get_source(const struct key *k, const struct subject *s, struct key_value *v)
{
	const struct source *source = &s->record->source;

	switch (k->id) {
	case KEY_FILE:
		return set_text(v, source->file);
	case KEY_PART:
		return set_text(v, source->part);
	case KEY_MESSAGE_ID:
		return set_text(v, source->message_id);
	case KEY_FROM:
		return set_text(v, source->from);
	case KEY_DATE:
		return set_date(k, source->date, v) || (s->record->kind == RECORD_MERGED && set_kept(k, s->record, v));
	case KEY_SUBJECT:
		return set_text(v, source->subject);
	case KEY_LIST:
		return set_text(v, source->list);
	case KEY_QUOTE_DEPTH:
		return set_number(v, number_int(source->quote_depth), NULL);
	case KEY_COPIES:
		return set_number(v, number_int(source->copies), NULL);
	default:
		return false;
	}
}

static bool get_percentile(const struct key *k, const struct series *series, struct key_value *v)
{
	for (guint i = 0; series->percentiles && i < series->percentiles->len; i++) {
		const struct percentile *p = &g_array_index(series->percentiles, struct percentile, i);

		if (!strcmp(p->key, k->argument))
			return set_number(v, p->value, series->unit);
	}
	return false;
}

static bool get_series(const struct key *k, const struct subject *s, struct key_value *v)
{
	const struct series *series = s->series;

	if (!series)
		return false;
	switch (k->id) {
	case KEY_NAME:
		return set_text(v, series->name);
	case KEY_QUANTITY:
		return set_text(v, series->quantity ? series->quantity : "latency");
	case KEY_UNIT:
		return set_text(v, series->unit);
	case KEY_SERIES_LABEL:
		return set_fact(v, series->labels, k->argument);
	case KEY_PRIORITY:
		return set_fact(v, series->labels, "priority") || set_fact(v, s->record->settings, "priority");
	case KEY_FIELD:
		return set_number(v, series->field[k->field], field_is_count(k->field) ? NULL : series->unit);
	case KEY_RESOLUTION:
		return set_number(v, series->resolution, series->unit);
	case KEY_PERCENTILE:
		return get_percentile(k, series, v);
	default:
		return false;
	}
}

bool key_get(const struct key *k, const struct subject *s, struct key_value *v)
{
	const struct record *r = s->record;

	v->text = NULL;
	v->unit = NULL;
	v->number = number_absent();
	switch (k->id) {
	case KEY_TOOL:
		return set_text(v, r->tool);
	case KEY_MODE:
		return set_text(v, r->mode);
	case KEY_TITLE:
		return set_text(v, r->title);
	case KEY_COMMAND:
		return set_text(v, r->command);
	case KEY_ID:
		return set_text(v, r->id);
	case KEY_KIND:
		return set_text(v, r->kind == RECORD_MERGED ? "merged" : "run");
	case KEY_RUNS:
		return set_number(v, number_int(r->kind == RECORD_MERGED ? (int64_t)r->runs : 1), NULL);
	case KEY_ENVIRONMENT:
		return set_fact(v, r->environment, k->argument);
	case KEY_CONFIG:
		return set_fact(v, r->config, k->argument);
	case KEY_SETTING:
		return set_fact(v, r->settings, k->argument);
	case KEY_LABEL:
		return set_text(v, s->label) || (r->kind == RECORD_MERGED && set_kept(k, r, v));
	default:
		return key_is_series(k) ? get_series(k, s, v) : get_source(k, s, v);
	}
}

bool key_has_flag(const struct subject *s, const char *code)
{
	for (guint i = 0; i < s->record->flags->len; i++)
		if (!strcmp(g_array_index(s->record->flags, struct flag, i).code, code))
			return true;
	return false;
}

static void all_config(const struct record *r, GString *out)
{
	for (guint i = 0; i < r->config->len; i++) {
		const struct fact *f = &g_array_index(r->config, struct fact, i);

		g_string_append_printf(out, "%s%s=%s", out->len ? " " : "", f->key, f->text ? f->text : "");
	}
}

void key_text(const struct key *k, const struct subject *s, GString *out)
{
	struct key_value v;
	char digits[NUMBER_TEXT];

	g_string_truncate(out, 0);
	if (k->id == KEY_CONFIG_ALL) {
		all_config(s->record, out);
		return;
	}
	if (k->id == KEY_FLAG) {
		for (guint i = 0; i < s->record->flags->len; i++)
			g_string_append_printf(out, "%s%s", i ? " " : "", g_array_index(s->record->flags, struct flag, i).code);
		return;
	}
	if (key_get(k, s, &v))
		g_string_append(out, v.text ? v.text : number_print(v.number, digits));
}

/* Compares the digit groups at *a and *b by value and moves behind them. */
static int compare_digits(const char **a, const char **b)
{
	size_t n, m;
	int c;

	*a += strspn(*a, "0");
	*b += strspn(*b, "0");
	n = strspn(*a, "0123456789");
	m = strspn(*b, "0123456789");
	if (n != m)
		return n < m ? -1 : 1;
	c = strncmp(*a, *b, n);
	*a += n;
	*b += n;
	return c;
}

int natural_compare(const char *a, const char *b)
{
	const char *x = a, *y = b;

	while (*x && *y) {
		int c;

		if (*x == *y && !g_ascii_isdigit(*x)) {
			x++;
			y++;
			continue;
		}
		if (g_ascii_isdigit(*x) && g_ascii_isdigit(*y)) {
			c = compare_digits(&x, &y);
		} else {
			c = (unsigned char)g_ascii_tolower(*x) - (unsigned char)g_ascii_tolower(*y);
			x++;
			y++;
		}
		if (c)
			return c;
	}
	if (*x || *y)
		return *x ? 1 : -1;
	return strcmp(a, b);
}

static guint list_index(char *const *list, const char *text)
{
	guint i = 0;

	while (list[i] && g_ascii_strcasecmp(list[i], text))
		i++;
	return i;
}

/* Numbers first, by value; the rest after them. */
static int compare_as_numbers(const char *a, const char *b)
{
	struct number x, y;
	bool a_is = number_parse(a, strlen(a), 0, &x) == NUMBER_OK, b_is = number_parse(b, strlen(b), 0, &y) == NUMBER_OK;

	if (a_is && b_is)
		return number_cmp(x, y);
	return a_is != b_is ? (a_is ? -1 : 1) : natural_compare(a, b);
}

int key_compare(const struct key *k, const char *a, const char *b, guint seen_a, guint seen_b)
{
	if (!*a || !*b)
		return !*a - !*b;
	if (!strcmp(a, b))
		return 0;
	switch (k->order) {
	case ORDER_ALPHA:
		return strcmp(a, b);
	case ORDER_NUMBER:
		return compare_as_numbers(a, b);
	case ORDER_FIRST_SEEN:
		return (seen_a > seen_b) - (seen_a < seen_b);
	case ORDER_LIST: {
		guint x = list_index(k->list, a), y = list_index(k->list, b);

		return x != y ? (x < y ? -1 : 1) : natural_compare(a, b);
	}
	default:
		return natural_compare(a, b);
	}
}
