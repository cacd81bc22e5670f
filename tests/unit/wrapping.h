/*
 * For tests of parsers: the ways in which mailers and archives damage a text. The numbers that are read must
 * stay the same.
 */
#ifndef RTREPORT_TEST_WRAPPING_H
#define RTREPORT_TEST_WRAPPING_H

#include "tests/unit/reading.h"

/* Each line of text with `before` in front and `after` instead of its line end. */
static inline char *wrap_lines(const char *text, const char *before, const char *after)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	GString *out = g_string_new(NULL);

	for (char **l = lines; *l && (l[1] || **l); l++)
		g_string_append_printf(out, "%s%s%s", before, *l, after);
	return g_string_free(out, FALSE);
}

/* Breaks lines longer than `width` at the last blank before it, as a mailer does that quotes with `mark`. */
static inline char *wrap_at(const char *text, unsigned width, const char *mark)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	GString *out = g_string_new(NULL);

	for (char **l = lines; *l && (l[1] || **l); l++) {
		const char *rest = *l;

		while (strlen(rest) > width) {
			const char *cut = g_strrstr_len(rest, (gssize)width, " ");

			if (!cut || cut == rest)
				break;
			g_string_append_printf(out, "%s%.*s\n", mark, (int)(cut - rest), rest);
			rest = cut + 1;
		}
		g_string_append_printf(out, "%s%s\n", mark, rest);
	}
	return g_string_free(out, FALSE);
}

/* Every second blank of a run becomes a no-break space. */
static inline char *wrap_blanks(const char *text)
{
	GString *out = g_string_new(NULL);

	for (const char *s = text; *s; s++)
		g_string_append(out, *s == ' ' && s > text && s[-1] == ' ' ? "\xc2\xa0" : (char[]){ *s, 0 });
	return g_string_free(out, FALSE);
}

/* Without the flags: a repair may be told, the numbers must be the same. */
static inline char *reading_numbers(const char *text)
{
	g_autofree char *all = reading(text);
	g_auto(GStrv) lines = g_strsplit(all, "\n", -1);

	for (char **l = lines; *l; l++) {
		char *flags = strstr(*l, " | ");

		if (flags)
			*flags = '\0';
	}
	return g_strjoinv("\n", lines);
}

static inline void wrap_reads(char *text, const char *want)
{
	g_autofree char *got = reading_numbers(text);

	if (strcmp(got, want))
		print_error("read from:\n%s", text);
	assert_string_equal(got, want);
	g_free(text);
}

/* Reads the same from the text in every wrapping. flat: also with its line ends lost. */
static inline void same_wrapped(const char *text, bool flat)
{
	g_autofree char *want = reading_numbers(text);

	assert_string_not_equal(want, "");
	wrap_reads(wrap_lines(text, "", "\r\n"), want);
	wrap_reads(wrap_lines(text, "> ", "\n"), want);
	wrap_reads(wrap_lines(text, ">> ", "\n"), want);
	wrap_reads(wrap_lines(text, "> > > ", "\n"), want);
	wrap_reads(wrap_lines(text, "    ", "\n"), want);
	wrap_reads(wrap_lines(text, "[  12.345678] ", "\n"), want);
	wrap_reads(wrap_at(text, 72, ""), want);
	wrap_reads(wrap_at(text, 70, "> "), want);
	wrap_reads(wrap_at(text, 66, "> > "), want);
	wrap_reads(wrap_blanks(text), want);
	if (flat)
		wrap_reads(wrap_lines(text, "", " "), want);
}

#endif
