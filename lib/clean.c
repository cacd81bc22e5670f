/* Cleaning of physical lines. */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "lib/clean.h"
#include "lib/pattern.h"

/* Windows-1252, 0x80 to 0x9f; 0 where it has no character. */
static const gunichar cp1252[32] = {
	0x20ac, 0, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017d, 0,
	0, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0, 0x017e, 0x0178
};

static const struct { const char *name; const char *text; } entities[] = {
	{ "&gt;", ">" }, { "&lt;", "<" }, { "&amp;", "&" }, { "&nbsp;", " " }, { "&quot;", "\"" },
	{ "&apos;", "'" }, { "&micro;", "\302\265" }, { "&mu;", "\316\274" }, { "&minus;", "-" }, { "&ndash;", "-" },
	{ "&shy;", "" }, { "&vert;", "|" }, { "&verbar;", "|" }, { "&brvbar;", "|" }, { "&hellip;", "..." }
};

/*
 * What is left of an escape sequence when the escape byte was lost: as caret notation
 * anywhere, or bare: cursor moves and colours ("[4A", "[0;37m", "[K").
 */
static struct pattern remains = PATTERN(
	"\\^\\[\\[?[0-9;?]*[A-Za-z]|(?<![\\w\\])])\\[(?:\\d{1,3}(?:;\\d{1,3})+m(?!\\])|(?:\\d{1,2}[ABCD]|\\d{0,2}m|[0-2]?K|\\?25[lh])(?![\\w\\]]))"
	"|^\\[\\d{1,2}A(?=[a-z#T]|\\d+\\.\\d\\d )");

/* Length of the escape sequence at p (p[0] is ESC), at most len. */
static size_t escape_length(const char *p, size_t len)
{
	size_t i = 2;

	if (len < 2)
		return len;
	if (p[1] == ']') {              /* OSC: to BEL or ESC \ */
		while (i < len && p[i] != '\a' && p[i] != 033)
			i++;
		if (i < len && p[i] == 033)
			i++;
		return i < len ? i + 1 : len;
	}
	if (p[1] != '[')
		return p[1] == '(' || p[1] == ')' ? MIN(len, 3) : 2;
	while (i < len && (unsigned char)p[i] >= 0x20 && (unsigned char)p[i] < 0x40)
		i++;
	return i < len ? i + 1 : len;
}

static gboolean is_odd_blank(gunichar c)
{
	return c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x202f || c == 0x205f || c == 0x3000 ||
	       c == 0x2028 || c == 0x2029;
}

static gboolean is_invisible(gunichar c)
{
	return (c >= 0x200b && c <= 0x200f) || (c >= 0x202a && c <= 0x202e) || (c >= 0x2060 && c <= 0x2069) ||
	       c == 0xfeff || c == 0xad || (c >= 0x80 && c < 0xa0);
}

/* Takes the last character of out back (a backspace). */
static void take_back(GString *out)
{
	if (out->len)
		g_string_truncate(out, g_utf8_find_prev_char(out->str, out->str + out->len) - out->str);
}

/*
 * Appends c as programs would have printed it. Dashes: word processors and wikis make them of the hyphens of options ("-n") and
 * rules ("--"); between blanks they stay, as the punctuation of a sentence. before, after: what stands beside it.
 */
static void put_character(gunichar c, char before, char after, GString *out)
{
	gboolean alone = (before == ' ' || before == '\t' || !before) && (after == ' ' || after == '\t' || !after);

	if (c == 0x2010 || c == 0x2011 || c == 0x2212)  /* hyphen, no-break hyphen, minus sign */
		g_string_append_c(out, '-');
	else if (c == 0x2013 && !alone)
		g_string_append_c(out, '-');
	else if (c == 0x2014 && !alone)
		g_string_append(out, "--");
	else if (c == 0xa6 || c == 0xff5c)              /* broken bar, full width bar */
		g_string_append_c(out, '|');
	else if (is_odd_blank(c))
		g_string_append_c(out, ' ');
	else if (!is_invisible(c))
		g_string_append_unichar(out, c);
}

/* "&#124;" or "&#x7c;" at p; returns its length, 0 when it is none of a printable character. */
static size_t put_numeric_entity(const char *p, size_t len, GString *out)
{
	gboolean hex = len > 2 && (p[2] == 'x' || p[2] == 'X');
	size_t i = hex ? 3 : 2, first = i;
	gunichar c = 0;

	if (len < 4 || p[1] != '#')
		return 0;
	for (; i < len && i < first + 6 && (hex ? g_ascii_isxdigit(p[i]) : g_ascii_isdigit(p[i])); i++)
		c = c * (hex ? 16 : 10) + (gunichar)g_ascii_xdigit_value(p[i]);
	if (i == first || i >= len || p[i] != ';' || c < 0x20 || !g_unichar_validate(c))
		return 0;
	put_character(c, 'x', 'x', out);
	return i + 1;
}

/* Decodes an entity at p; returns its length, 0 when there is none. */
static size_t put_entity(const char *p, size_t len, GString *out)
{
	size_t numeric = put_numeric_entity(p, len, out);

	if (numeric)
		return numeric;
	for (size_t i = 0; i < G_N_ELEMENTS(entities); i++) {
		size_t n = strlen(entities[i].name);

		if (len >= n && !g_ascii_strncasecmp(p, entities[i].name, n)) {
			g_string_append(out, entities[i].text);
			return n;
		}
	}
	return 0;
}

/*
 * The same at `at` of a line. Where a page made entities of bars, it made them of all: among bars that stand, one is the writer's way
 * to have a bar inside a cell, which readers of tables undo.
 */
static size_t put_entity_of_line(const char *line, size_t len, size_t at, GString *out)
{
	gsize before = out->len;
	size_t n = put_entity(line + at, len - at, out);

	if (n && out->len == before + 1 && out->str[before] == '|' && memchr(line, '|', len)) {
		g_string_truncate(out, before);
		return 0;
	}
	return n;
}

/* The byte that Windows-1252 or Latin-1 reads as c; 0: none beyond ASCII. */
static unsigned char byte_of(gunichar c)
{
	if (c >= 0x80 && c < 0x100)
		return (unsigned char)c;
	for (size_t i = 0; c > 0x100 && i < G_N_ELEMENTS(cp1252); i++)
		if (cp1252[i] == c)
			return (unsigned char)(0x80 + i);
	return 0;
}

/*
 * UTF-8 that was taken for Windows-1252 and encoded again ("\303\202\302\265" for a micro sign): the character at p[0..len) that it
 * was, and its length; 0: it is none. No language writes such pairs.
 */
static size_t twice_encoded(const char *p, size_t len, gunichar *was)
{
	char bytes[5] = "";
	size_t at = 0, n = 0, need = 1;

	while (n < need && at < len) {
		gunichar c = g_utf8_get_char_validated(p + at, (gssize)MIN(len - at, 6));
		unsigned char byte = c >= (gunichar)-2 ? 0 : byte_of(c);

		if (!n)
			need = byte >= 0xc2 && byte < 0xf5 ? (size_t)g_utf8_skip[byte] : 0;
		if (!need || !byte || (n && (byte & 0xc0) != 0x80))
			return 0;
		bytes[n++] = (char)byte;
		at += (size_t)g_utf8_skip[(unsigned char)p[at]];
	}
	if (n < need)
		return 0;
	*was = g_utf8_get_char_validated(bytes, (gssize)n);
	return *was >= (gunichar)-2 ? 0 : at;
}

/* A character beyond ASCII at p, behind `before`. Returns its length in bytes. */
static size_t put_wide(const char *p, size_t len, char before, GString *out, gboolean *guessed)
{
	gunichar c = g_utf8_get_char_validated(p, (gssize)MIN(len, 6));
	unsigned char byte = (unsigned char)*p;
	size_t n = 1;

	if (c == (gunichar)-1 || c == (gunichar)-2) {
		*guessed = TRUE;
		c = byte < 0xa0 ? cp1252[byte - 0x80] : byte;
		if (!c)
			return 1;
	} else {
		n = twice_encoded(p, len, &c);
		if (!n)
			n = (size_t)g_utf8_skip[byte];
	}
	put_character(c, before, n < len ? p[n] : '\0', out);
	return n;
}

static bool is_odd(unsigned char c)
{
	return (c < 0x20 && c != '\t') || c >= 0x7f || c == '&' || c == '[';
}

#define EACH_BYTE(c) (UINT64_C(0x0101010101010101) * (c))

/* Whether one of eight bytes may be odd: a tab counts, too. */
static bool may_be_odd(uint64_t eight)
{
	uint64_t high = EACH_BYTE(0x80), one = EACH_BYTE(1);
	uint64_t amp = eight ^ EACH_BYTE('&'), bracket = eight ^ EACH_BYTE('['), del = eight ^ EACH_BYTE(0x7f);

	return (eight | (eight - EACH_BYTE(0x20)) | (amp - one) | (bracket - one) | (del - one)) & high;
}

/* Bytes that need no cleaning, taken eight by eight. */
static bool is_plain(const char *p, size_t len)
{
	for (size_t i = 0; i < len; i += 8) {
		size_t n = MIN(len - i, 8);
		uint64_t eight = EACH_BYTE(' ');

		memcpy(&eight, p + i, n);
		for (size_t k = 0; k < n && may_be_odd(eight); k++)
			if (is_odd((unsigned char)p[i + k]))
				return false;
	}
	return true;
}

/* How many bytes from p on are plain; the first one is taken as it is. */
static size_t plain_run(const char *p, size_t len)
{
	size_t n = 1;

	while (n < len && (p[n] == '[' || !is_odd((unsigned char)p[n])))
		n++;
	return n;
}

static void drop_remains(GString *out)
{
	struct match m;
	g_autofree char *old = NULL;
	size_t from = 0, len = out->len;

	if (!memchr(out->str, '[', out->len) || !pattern_match(&remains, out->str, out->len, 0, NULL))
		return;
	old = g_strndup(out->str, out->len);
	g_string_truncate(out, 0);
	while (pattern_match(&remains, old, len, from, &m)) {
		g_string_append_len(out, old + from, m.begin - (old + from));
		from = (size_t)(m.end - old);
	}
	g_string_append_len(out, old + from, (gssize)(len - from));
}

gboolean clean_line(const char *text, size_t len, GString *out)
{
	gboolean guessed = FALSE;

	g_string_truncate(out, 0);
	if (is_plain(text, len)) {
		g_string_append_len(out, text, (gssize)len);
	} else {
		for (size_t i = 0; i < len; ) {
			unsigned char c = (unsigned char)text[i];
			size_t n = 0;

			if (c == 033)
				n = escape_length(text + i, len - i);
			else if (c == '\b')
				take_back(out), n = 1;
			else if (c == '&')
				n = put_entity_of_line(text, len, i, out);
			else if (c >= 0x80)
				n = put_wide(text + i, len - i, i ? text[i - 1] : '\0', out, &guessed);
			else if ((c < 0x20 && c != '\t') || c == 0x7f)
				n = 1;
			if (!n) {
				n = plain_run(text + i, len - i);
				g_string_append_len(out, text + i, (gssize)n);
			}
			i += n;
		}
		drop_remains(out);
	}
	while (out->len && (out->str[out->len - 1] == ' ' || out->str[out->len - 1] == '\t'))
		g_string_truncate(out, out->len - 1);
	return guessed;
}

void clean_expand_tabs(const char *text, size_t len, GString *out)
{
	size_t column = 0;

	g_string_truncate(out, 0);
	if (!memchr(text, '\t', len)) {
		g_string_append_len(out, text, (gssize)len);
		return;
	}
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '\t') {
			do
				g_string_append_c(out, ' ');
			while (++column % 8);
			continue;
		}
		g_string_append_c(out, text[i]);
		if (((unsigned char)text[i] & 0xc0) != 0x80)
			column++;
	}
}

void clean_decode_qp(const char *text, size_t len, GString *out)
{
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '=' && i + 2 < len && g_ascii_isxdigit(text[i + 1]) && g_ascii_isxdigit(text[i + 2])) {
			g_string_append_c(out, (char)(g_ascii_xdigit_value(text[i + 1]) * 16 + g_ascii_xdigit_value(text[i + 2])));
			i += 2;
		} else {
			g_string_append_c(out, text[i]);
		}
	}
}
