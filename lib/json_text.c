#include "lib/json_text.h"

#include <string.h>
#include <glib.h>

/* Length of the JSON number at p, or 0. */
static size_t number_length(const char *p, const char *end)
{
	const char *start = p;

	if (p < end && *p == '-')
		p++;
	if (p == end || !g_ascii_isdigit(*p))
		return 0;
	if (*p++ != '0')
		while (p < end && g_ascii_isdigit(*p))
			p++;
	if (p < end && *p == '.') {
		if (++p == end || !g_ascii_isdigit(*p))
			return 0;
		while (p < end && g_ascii_isdigit(*p))
			p++;
	}
	if (p < end && (*p == 'e' || *p == 'E')) {
		p++;
		if (p < end && (*p == '+' || *p == '-'))
			p++;
		if (p == end || !g_ascii_isdigit(*p))
			return 0;
		while (p < end && g_ascii_isdigit(*p))
			p++;
	}
	if (p < end && !strchr(",]} \t\r\n", *p))
		return 0;
	return (size_t)(p - start);
}

/* Length of the string at p with its quotes, or 0 when it does not end or holds a control character. */
static size_t string_length(const char *p, const char *end)
{
	for (const char *q = p + 1; q < end; q++) {
		if ((unsigned char)*q < 0x20)
			return 0;
		if (*q == '"')
			return (size_t)(q + 1 - p);
		if (*q == '\\' && q + 1 < end)
			q++;
	}
	return 0;
}

/* What cJSON would take but lose; NULL when nothing. */
static const char *string_fault(const char *p, size_t len)
{
	if (len >= 7 && !memcmp(p, "\"\\u0001", 7))
		return "control character U+0001 at the beginning of a string";
	for (const char *q = p, *end = p + len; (q = memchr(q, '\\', (size_t)(end - q))); q += 2)
		if (end - q > 6 && !memcmp(q, "\\u0000", 6))
			return "NUL (\\u0000) in a string";
	return NULL;
}

struct guard {
	const char *begin, *p, *end;
	GString *out;
	unsigned depth;
	const char *fault;
};

static void guard_string(struct guard *g)
{
	size_t n = string_length(g->p, g->end);

	if (!n) {
		g->fault = "a string that does not end, or a control character in one";
		return;
	}
	g->fault = string_fault(g->p, n);
	g_string_append_len(g->out, g->p, (gssize)n);
	g->p += n;
}

static void guard_number(struct guard *g)
{
	size_t n = number_length(g->p, g->end);

	if (!n) {
		g->fault = "malformed number";
		return;
	}
	g_string_append_c(g->out, '"');
	g_string_append_c(g->out, JSON_NUMBER);
	g_string_append_len(g->out, g->p, (gssize)n);
	g_string_append_c(g->out, '"');
	g->p += n;
}

static void guard_other(struct guard *g)
{
	char c = *g->p++;

	if (c == '{' || c == '[') {
		if (++g->depth > JSON_MAX_DEPTH)
			g->fault = "nested too deeply";
	} else if (c == '}' || c == ']') {
		if (g->depth)
			g->depth--;
	} else if (!c) {
		g->fault = "NUL byte";
	}
	g_string_append_c(g->out, c);
}

char *json_protect(const char *text, size_t len, size_t *out_len, char **error)
{
	struct guard g = { text, text, text + len, NULL, 0, NULL };

	if (!g_utf8_validate(text, (gssize)len, NULL)) {
		*error = g_strdup("no valid UTF-8");
		return NULL;
	}
	g.out = g_string_sized_new(len + len / 8 + 16);
	while (g.p < g.end && !g.fault) {
		if (*g.p == '"')
			guard_string(&g);
		else if (*g.p == '-' || g_ascii_isdigit(*g.p))
			guard_number(&g);
		else
			guard_other(&g);
	}
	if (g.fault) {
		*error = g_strdup_printf("%s, at byte %zu", g.fault, (size_t)(g.p - g.begin));
		g_string_free(g.out, TRUE);
		return NULL;
	}
	*out_len = g.out->len;
	return g_string_free(g.out, FALSE);
}

size_t json_value_length(const char *text, size_t len)
{
	const char *end = text + len;
	char stack[JSON_MAX_DEPTH];
	unsigned depth = 0;

	for (const char *p = text; p < end; p++) {
		if (*p == '"') {
			size_t n = string_length(p, end);

			if (!n)
				return 0;
			p += n - 1;
		} else if (*p == '{' || *p == '[') {
			if (depth == JSON_MAX_DEPTH)
				return 0;
			stack[depth++] = *p == '{' ? '}' : ']';
		} else if (*p == '}' || *p == ']') {
			if (!depth || stack[--depth] != *p)
				return 0;
			if (!depth)
				return (size_t)(p + 1 - text);
		}
	}
	return 0;
}

void json_pointer_append(GString *pointer, const char *token)
{
	g_string_append_c(pointer, '/');
	for (; *token; token++) {
		if (*token == '~')
			g_string_append(pointer, "~0");
		else if (*token == '/')
			g_string_append(pointer, "~1");
		else
			g_string_append_c(pointer, *token);
	}
}

char *json_pointer_unescape(const char *token)
{
	char *text = g_strdup(token), *out = text;

	for (const char *p = text; *p; p++) {
		bool escape = *p == '~' && p[1];

		*out++ = escape && p[1] == '1' ? '/' : *p;
		p += escape;
	}
	*out = '\0';
	return text;
}
