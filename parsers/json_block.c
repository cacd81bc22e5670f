#include <string.h>

#include "parsers/json_block.h"

#define MAX_TEXT (16u << 20)
#define MAX_MARKS 8192u

struct json_mark { unsigned depth, line; char key[16]; };

/*
 * "cmdline:" is written without escapes: all up to the member that follows, or the line's end, is
 * its value.
 */
static struct pattern command_line = PATTERN(
	"^(.*?\"cmdline:?\"\\s*:\\s*\")(.*?)(\"\\s*,\\s*(?:\"rt_test_version.*)?)$");

static void push(struct json_block *b, char close)
{
	if (b->depth < JSON_BLOCK_DEPTH)
		b->stack[b->depth] = close;
	b->depth++;
}

static void mark_safe(struct json_block *b)
{
	b->safe = b->text->len;
	b->safe_depth = b->depth;
}

/* An object opens: notes where, when its key is a number. */
static void mark_object(struct json_block *b, unsigned line)
{
	struct json_mark mark = { .depth = b->depth, .line = line };

	if (!b->string->len || b->string->len >= sizeof mark.key || b->marks->len >= MAX_MARKS ||
	    strspn(b->string->str, "0123456789") != b->string->len)
		return;
	memcpy(mark.key, b->string->str, b->string->len);
	g_array_append_val(b->marks, mark);
}

/* Inside a string. Returns true when it has ended. */
static void take_in_string(struct json_block *b, char c)
{
	g_string_append_c(b->text, c);
	if (b->escaped) {
		b->escaped = false;
	} else if (c == '\\') {
		b->escaped = true;
	} else if (c == '"') {
		b->in_string = false;
		return;
	}
	if (b->string->len < 256)
		g_string_append_c(b->string, c);
}

/*
 * A number or a word outside strings: numbers as strings, so that no digit is lost; words that are
 * no JSON as null.
 */
static size_t take_word(struct json_block *b, const char *s, size_t len)
{
	size_t n = 0;

	while (n < len && (g_ascii_isalnum(s[n]) || strchr("+-.", s[n])))
		n++;
	if (!n)
		return 0;
	if (g_ascii_isdigit(s[0]) || (n > 1 && s[0] == '-' && g_ascii_isdigit(s[1])))
		g_string_append_printf(b->text, "\"%.*s\"", (int)n, s);
	else if ((n == 4 && (!memcmp(s, "true", 4))) || (n == 5 && !memcmp(s, "false", 5)))
		g_string_append_len(b->text, s, (gssize)n);
	else
		g_string_append(b->text, "null");
	return n;
}

/* One character or word of text outside strings. Returns how much was taken. */
static size_t take_outside(struct json_block *b, const char *s, size_t len, unsigned line)
{
	size_t n = take_word(b, s, len);

	if (n)
		return n;
	switch (*s) {
	case '"':
		b->in_string = true;
		g_string_truncate(b->string, 0);
		break;
	case '{':
		mark_object(b, line);
		push(b, '}');
		break;
	case '[':
		push(b, ']');
		break;
	case ',':
		mark_safe(b);
		break;
	case '}':
	case ']':
		if (b->depth)
			b->depth--;
		g_string_append_c(b->text, *s);
		mark_safe(b);
		return 1;
	default:
		break;
	}
	g_string_append_c(b->text, *s);
	return 1;
}

static enum json_status take(struct json_block *b, const char *s, size_t len, unsigned line)
{
	size_t i = 0;

	while (i < len) {
		if (b->in_string) {
			take_in_string(b, s[i++]);
			continue;
		}
		i += take_outside(b, s + i, len - i, line);
		if (!b->depth)
			return JSON_BLOCK_COMPLETE;
		if (b->depth > JSON_BLOCK_DEPTH)
			return JSON_BLOCK_CUT;
	}
	g_string_append_c(b->text, ' ');
	return JSON_BLOCK_MORE;
}

/* The line with its command line escaped. */
static enum json_status take_line(struct json_block *b, const struct line *l)
{
	g_autoptr(GString) fixed = NULL;
	struct match m;

	if (b->in_string || !memmem(l->row, l->row_len, "\"cmdline", 8) ||
	    !pattern_match(&command_line, l->row, l->row_len, 0, &m))
		return take(b, l->row, l->row_len, l->first);
	fixed = g_string_new(NULL);
	g_string_append_len(fixed, m.group[1].p, (gssize)m.group[1].len);
	for (size_t i = 0; i < m.group[2].len; i++) {
		if (strchr("\"\\", m.group[2].p[i]))
			g_string_append_c(fixed, '\\');
		g_string_append_c(fixed, m.group[2].p[i]);
	}
	g_string_append_len(fixed, m.group[3].p, (gssize)m.group[3].len);
	return take(b, fixed->str, fixed->len, l->first);
}

enum json_status json_block_open(struct json_block *b, const struct line *l)
{
	json_block_free(b);
	b->text = g_string_new(NULL);
	b->string = g_string_new(NULL);
	b->marks = g_array_new(FALSE, FALSE, sizeof(struct json_mark));
	if (!l->row_len || *l->row != '{') {
		g_string_append_c(b->text, '{');
		push(b, '}');
	}
	return take_line(b, l);
}

/* Prose begins with a letter; JSON outside a string only with one of its words. */
static bool is_foreign(const struct line *l)
{
	static struct pattern word = PATTERN("^(?:true|false|null|-?nan)\\b");

	return l->row_len && !strchr("\"{}[],:-0123456789", *l->row) &&
	       !pattern_match(&word, l->row, l->row_len, 0, NULL);
}

enum json_status json_block_add(struct json_block *b, const struct line *l)
{
	if (b->text->len > MAX_TEXT || (!b->in_string && is_foreign(l)))
		return JSON_BLOCK_CUT;
	return take_line(b, l);
}

cJSON *json_block_parse(const struct json_block *b)
{
	g_autoptr(GString) text = g_string_new_len(b->text->str, (gssize)b->text->len);

	if (b->depth) {
		g_string_truncate(text, b->safe);
		for (unsigned i = MIN(b->safe_depth, JSON_BLOCK_DEPTH); i-- > 0; )
			g_string_append_c(text, b->stack[i]);
	}
	return cJSON_ParseWithLength(text->str, text->len);
}

unsigned json_block_line(const struct json_block *b, unsigned depth, const char *key)
{
	for (guint i = 0; i < b->marks->len; i++) {
		const struct json_mark *mark = &g_array_index(b->marks, struct json_mark, i);

		if (mark->depth == depth && !strcmp(mark->key, key))
			return mark->line;
	}
	return 0;
}

void json_block_free(struct json_block *b)
{
	if (b->text) {
		g_string_free(b->text, TRUE);
		g_string_free(b->string, TRUE);
		g_array_unref(b->marks);
	}
	memset(b, 0, sizeof(*b));
}

struct number json_number(const cJSON *object, const char *name, int scale)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
	struct number n;

	if (!item)
		return number_absent();
	if (!cJSON_IsString(item) ||
	    number_parse(item->valuestring, strlen(item->valuestring), scale, &n) == NUMBER_NONE)
		return number_null();
	return n;
}

static bool is_count(struct number n)
{
	return number_is_set(n) && n.coefficient >= 0 && n.exponent >= 0;
}

struct number json_item_count(const cJSON *item)
{
	struct number n;

	if (!item)
		return number_absent();
	if (!cJSON_IsString(item))
		return number_null();
	number_parse(item->valuestring, strlen(item->valuestring), 0, &n);
	return is_count(n) ? n : number_null();
}

struct number json_count(const cJSON *object, const char *name)
{
	return json_item_count(cJSON_GetObjectItemCaseSensitive(object, name));
}

const char *json_string(const cJSON *object, const char *name)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);

	return cJSON_IsString(item) ? item->valuestring : NULL;
}

struct histogram *json_histogram(const cJSON *object, int scale, struct number width)
{
	struct histogram *h;
	const cJSON *item;

	if (!cJSON_IsObject(object) || !object->child)
		return NULL;
	h = histogram_new();
	h->bin_width = width;
	cJSON_ArrayForEach(item, object) {
		struct number lower;

		number_parse(item->string, strlen(item->string), scale, &lower);
		histogram_add(h, lower, number_absent(), json_item_count(item));
	}
	return h;
}

void json_overflow(struct record *r, struct series *s)
{
	struct number beyond;

	if (!s->histogram || !number_is_set(s->field[FIELD_COUNT]))
		return;
	beyond = number_sub(s->field[FIELD_COUNT], histogram_total(s->histogram));
	if (!number_is_set(beyond) || beyond.coefficient <= 0)
		return;
	s->histogram->overflow = beyond;
	record_flag(r, FLAG_DERIVED, "/series/%u/histogram/overflow",
	            "what the bins lack of the count", record_series_index(r, s));
}

void json_sysinfo(struct record *r, const cJSON *sysinfo, unsigned line)
{
	static const struct { const char *name, *key; bool config;
	} facts[] = {
		{ "release", "kernel", false },
		{ "machine", "arch", false },
		{ "version", "kernel_version", true },
		{ "cpus_online", "cpus_online", true },
	};
	const char *realtime = json_string(sysinfo, "realtime");

	for (size_t i = 0; i < G_N_ELEMENTS(facts); i++) {
		const char *text = json_string(sysinfo, facts[i].name);

		if (text && *text && strlen(text) < 200)
			facts_set_text(r, facts[i].config ? r->config : r->environment,
			               facts[i].key, text, line);
	}
	/* The kernel says so in /sys/kernel/realtime. */
	if (realtime && !strcmp(realtime, "1"))
		facts_set_text(r, r->environment, "rt", "PREEMPT_RT", line);
}
