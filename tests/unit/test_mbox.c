/* Mailboxes: where messages begin, in each dialect; and the sieve, which must find the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include <glib.h>

#include "lib/mbox.h"
#include "lib/sieve.h"

#define HEAD "From: a@b.example\nSubject: s\n\n"
#define DATED "From a@b.example Tue Nov 26 10:21:34 2013\n"

struct box { const char *name, *text; unsigned messages; };

static const struct box boxes[] = {
	{ "one", DATED HEAD "text\n", 1 },
	{ "two", DATED HEAD "text\n\n" DATED HEAD "text\n", 2 },
	{ "no blank line between", DATED HEAD "text\n" DATED HEAD "text\n", 2 },
	{ "pipermail", "From a at b.example  Tue Nov 26 10:21:34 2013\n" HEAD "t\n\nFrom c at d.example  Tue Nov 26 10:21:34 2013\n" HEAD, 2 },
	{ "mozilla", "From - Tue Nov 26 10:21:34 2013\n" HEAD "t\n\nFrom - Tue Nov 26 10:21:34 2013\n" HEAD, 2 },
	{ "mozilla without a date", "From - \n" HEAD "t\n\nFrom - \n" HEAD, 2 },
	{ "nobody", "From nobody Mon Sep 17 00:00:00 2001\n" HEAD "t\n\nFrom nobody Mon Sep 17 00:00:00 2001\n" HEAD, 2 },
	{ "public-inbox", "From mboxrd@z Thu Jan  1 00:00:00 1970\n" HEAD "t\n\nFrom mboxrd@z Thu Jan  1 00:00:00 1970\n" HEAD, 2 },
	{ "zone in the date", "From a@b Tue Nov 26 10:21:34 +0100 2013\n" HEAD "t\n\nFrom a@b Tue Nov 26 10:21:34 CET 2013\n" HEAD, 2 },
	{ "day before month", "From a@b Tue, 26 Nov 2013 10:21:34\n" HEAD "t\n\nFrom a@b Tue, 26 Nov 2013 10:21:34\n" HEAD, 2 },
	{ "CRLF", "From a@b.example Tue Nov 26 10:21:34 2013\r\nFrom: a@b\r\n\r\nt\r\n\r\nFrom a@b.example Tue Nov 26 10:21:34 2013\r\nFrom: a@b\r\n\r\n", 2 },
	{ "blank lines before", "\n\n" DATED HEAD "t\n", 1 },
	{ "byte order mark", "\xef\xbb\xbf" DATED HEAD "t\n", 1 },
	{ "escaped", DATED HEAD "t\n\n>From a@b Tue Nov 26 10:21:34 2013\n" HEAD, 1 },
	{ "prose", DATED HEAD "t\n\nFrom here on all is different.\nNote: it is.\n", 1 },
	{ "prose with a date", DATED HEAD "t\n\nFrom Mon Sep 17 10:00:00 2001 on\nall is different\n", 1 },
	{ "patch inside", DATED HEAD "t\n\nFrom 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001\nFrom: x\n\n", 1 },
	{ "series of patches", "From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001\n" HEAD
	  "t\n\nFrom 1123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001\n" HEAD, 2 },
	{ "no header", DATED "\n---\ntext\n", 1 },
	{ "mboxcl2", DATED "From: a@b\nContent-Length: 55\n\nt\n\nFrom c@d Tue Nov 26 10:21:34 2013\nSubject: is text\n\n"
	  "From e@f Tue Nov 26 10:21:35 2013\nFrom: e@f\nContent-Length: 2\n\nt\n", 2 },
	{ "wrong length", DATED "From: a@b\nContent-Length: 7\n\nlonger than that\n\n" DATED "From: a@b\nContent-Length: 99999\n\nt\n", 2 },
	{ "cut", DATED, 1 },
};

static unsigned count(const struct mbox *m)
{
	unsigned n = 0;

	for (const char *p = mbox_first(m); p < m->end; p = mbox_next(m, p))
		n++;
	return n;
}

static void finds_messages(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(boxes); i++) {
		struct mbox m;

		if (strcmp(boxes[i].name, "cut") && !mbox_probe(boxes[i].text, strlen(boxes[i].text)))
			fail_msg("%s: not taken for a mailbox", boxes[i].name);
		mbox_open(&m, boxes[i].text, strlen(boxes[i].text));
		if (count(&m) != boxes[i].messages)
			fail_msg("%s: %u messages", boxes[i].name, count(&m));
	}
}

static void takes_no_text(void **state)
{
	static const char *const texts[] = { "", "From", "From \n", "From here on\nall\n", "From: a@b\n\n", "T: 0\n", "\n\n\n" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
		assert_false(mbox_probe(texts[i], strlen(texts[i])));
}

/* --- the sieve --- */

static void note(const struct sifted *m, void *data)
{
	GString *out = data;

	g_string_append_printf(out, "%u:%.*s;", m->lines, (int)strcspn(m->begin, "\n"), m->begin);
}

static char *sifted(const char *text, size_t unit, unsigned *lines)
{
	struct sieve *s = sieve_new(NULL);
	GString *out = g_string_new(NULL);
	struct mbox m;
	unsigned n;

	mbox_open(&m, text, strlen(text));
	*lines = 0;
	for (const char *p = mbox_first(&m); p < m.end;) {
		const char *until = (size_t)(m.end - p) > unit ? p + unit : m.end;
		GString *one = g_string_new(NULL);

		p = sieve_mbox(s, &m, p, until, note, one, &n);
		/* The lines of a unit count from its beginning. */
		for (char *q = one->str; *q; q = strchr(q, ';') + 1)
			g_string_append_printf(out, "%lu:%.*s", *lines + strtoul(q, NULL, 10), (int)(strchr(q, ';') + 1 - strchr(q, ':') - 1), strchr(q, ':') + 1);
		*lines += n;
		g_string_free(one, TRUE);
	}
	sieve_free(s);
	return g_string_free(out, FALSE);
}

#define ROW "T: 0 ( 1853) P:80 I:1000 C:  10000 Min:     36 Act:  156 Avg:  154 Max:     244\n"

static unsigned line_ends(const char *text)
{
	unsigned n = 0;

	for (; *text; text++)
		n += *text == '\n';
	return n;
}

static void sieve_passes_what_may_hold_results(void **state)
{
	static const char text[] =
		DATED "X-N: 1\n" HEAD "nothing\n\n"
		DATED "X-N: 2\n" HEAD ROW "\n"
		DATED "X-N: 3\n" HEAD "nothing\n\n"
		DATED "X-N: 4\nContent-Transfer-Encoding: quoted-printable\n" HEAD "T: 0 I: 5 C=\n: 5\n\n"
		DATED "X-N: 5\nContent-Transfer-Encoding: base64\n" HEAD "VDogMCBJOjEgQzogNQo=\n\n"
		DATED "X-N: 6\nContent-Transfer-Encoding: base64\n" HEAD "bm90aGluZwo=\n\n"
		DATED "X-N: 7\nContent-Type: text/html\n" HEAD "<b>A</b>ct:\n\n"
		DATED "X-N: 8\n" HEAD "A\bct\n\n"
		DATED "X-N: 9\nContent-Transfer-Encoding: base64\n" HEAD "H4sIAAAAAAAAAwMAAAAAAAAAAAA=\n\n"
		DATED "X-N: 10\nContent-Transfer-Encoding: x-uuencode\n" HEAD "\n"
		DATED "X-N: 11\n" HEAD "nothing\n\n";
	static const char want[] = "8:X-N: 2;22:X-N: 4;31:X-N: 5;47:X-N: 7;55:X-N: 8;62:X-N: 9;70:X-N: 10;";

	(void)state;
	/* Units of any size find the same. */
	for (size_t unit = 1; unit < sizeof text + 50; unit += 37) {
		unsigned lines;
		g_autofree char *got = sifted(text, unit, &lines);

		assert_string_equal(got, want);
		assert_int_equal(lines, line_ends(text));
	}
}

static void sieve_looks_across_gaps(void **state)
{
	static const struct { const char *text; bool passes; } texts[] = {
		{ "From: a\n\n# Min Latencies: 00002 00003\n", true },
		{ "From: a\n\n> # Min\n> Latencies: 00002 00003\n", true },
		{ "From: a\n\n# Min\xc2\xa0Latencies: 00002 00003\n", true },
		{ "From: a\n\nthe latencies are high\n", false },
		{ "RTD|", true }, { "RTD|  -1.5|", true }, { "RTD \xe2\x94\x82 5", true }, { "RTD", false }, { "", false },
		{ "RTD| 1.5|\n", true }, { "RTD|\n", true }, { "read the RTD| column", false }, { "\"RTD|%11.3f|\"", false },
		{ "P:80 I:1000 C:  10000 Min:", true }, { "> I:1000\n> C:  10000 Min:", true }, { "I: the C: drive", false },
		{ "I:%d C:%7lu", false }, { "I:1000 C: %7lu", false }, { "I: 5 C: ... and so on", false },
		{ "tsc_freq_ghz = 2.0", true }, { "tsc_freq_ghz=\n = 2.0", true }, { "tsc_freq_ghz 2.0", false },
	};
	struct sieve *s = sieve_new(NULL);

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
		if (sieve_message(s, texts[i].text, strlen(texts[i].text)) != texts[i].passes)
			fail_msg("%s", texts[i].text);
	sieve_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_messages),
		cmocka_unit_test(takes_no_text),
		cmocka_unit_test(sieve_passes_what_may_hold_results),
		cmocka_unit_test(sieve_looks_across_gaps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
