/* Plain text for output. */
#include <glib.h>
#include <string.h>
#include "lib/plain.h"

struct range { gunichar first, last; };

/* Characters that show nothing and change what is around them, or that XML 1.0 forbids. */
static const struct range unsafe[] = {
	{ 0x0000, 0x001f }, { 0x007f, 0x009f },         /* C0, DEL, C1 controls */
	{ 0x061c, 0x061c }, { 0x200b, 0x200b }, { 0x200e, 0x200f },
	{ 0x202a, 0x202e }, { 0x2060, 0x206f },         /* embeddings, overrides, isolates */
	{ 0xfeff, 0xfeff }, { 0xfff9, 0xfffb }, { 0xfffe, 0xffff },
	{ 0xe0000, 0xe007f },                           /* tag characters */
};

static gboolean is_blank(gunichar c)
{
	return c == ' ' || (c >= '\t' && c <= '\r') || c == 0x85 || c == 0xa0 || c == 0x2028 || c == 0x2029;
}

static gboolean is_unsafe(gunichar c)
{
	if (c >= 0x20 && c < 0x7f)
		return FALSE;
	for (size_t i = 0; i < G_N_ELEMENTS(unsafe); i++)
		if (c >= unsafe[i].first && c <= unsafe[i].last)
			return TRUE;
	return FALSE;
}

/* Most texts are short printable ASCII without odd blanks: they need no walk by characters. */
static gboolean is_plain_ascii(const char *text)
{
	char last = ' ';

	for (; *text; last = *text++)
		if (*text < ' ' || *text > '~' || (*text == ' ' && last == ' '))
			return FALSE;
	return last != ' ';
}

char *plain_line(const char *text)
{
	if (!text || !*text)
		return g_strdup("");
	if (is_plain_ascii(text))
		return g_strdup(text);

	g_autofree char *valid = g_utf8_make_valid(text, -1);
	GString *out = g_string_sized_new(strlen(valid));
	gboolean blank = FALSE;

	for (const char *p = valid; *p; p = g_utf8_next_char(p)) {
		gunichar c = g_utf8_get_char(p);

		if (is_blank(c)) {
			blank = TRUE;
			continue;
		}
		if (blank && out->len)
			g_string_append_c(out, ' ');
		blank = FALSE;
		if (is_unsafe(c))
			g_string_append_printf(out, "<U+%04X>", c);
		else
			g_string_append_unichar(out, c);
	}
	return g_string_free(out, FALSE);
}

static size_t char_width(gunichar c)
{
	if (c < 0x300)
		return c >= 0x20;
	if (g_unichar_iszerowidth(c))
		return 0;
	return g_unichar_iswide(c) ? 2 : 1;
}

size_t plain_width(const char *text)
{
	size_t width = 0;

	for (; *text; text = g_utf8_next_char(text))
		width += char_width(g_utf8_get_char(text));
	return width;
}

size_t plain_fit(const char *text, size_t width)
{
	const char *p = text;

	for (size_t used = 0; *p; p = g_utf8_next_char(p)) {
		used += char_width(g_utf8_get_char(p));
		if (used > width)
			break;
	}
	return p - text;
}
