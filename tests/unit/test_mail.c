/* Mail: MIME to texts with their places, fields, character sets, quotes without marks, digests. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include <glib.h>

#include "lib/digest.h"
#include "lib/mail.h"
#include "lib/page.h"

#define HEAD "From: Jane Doe <jane@example.org>\nDate: Tue, 26 Nov 2013 10:21:34 +0100\nSubject: one\nMessage-ID: <1@example.org>\n"

/* Writes a post as "id|from|subject" and its texts as "[part@line+depth] text". */
static void write_post(struct post *p, void *data)
{
	GString *out = data;

	g_string_append_printf(out, "%s|%s|%s\n", p->source.message_id ? p->source.message_id : "-",
	                       p->source.from ? p->source.from : "-", p->source.subject ? p->source.subject : "-");
	for (int list = 0; list < 2; list++) {
		const GArray *texts = list ? p->spare : p->texts;

		for (guint i = 0; i < texts->len; i++) {
			const struct reader_text *t = &g_array_index(texts, struct reader_text, i);

			g_string_append_printf(out, "%s[%s@%u+%u%s%s] %.*s\n", list ? "spare" : "", t->source.part ? t->source.part : "",
			                       t->text.first_line, t->text.base_depth, t->text.flowed ? " flowed" : "",
			                       t->charset_guessed ? " guessed" : "", (int)t->text.len, t->text.bytes);
		}
	}
	post_free(p);
}

static char *read_mail(const char *text)
{
	static const struct mail_place place = { "f", NULL, 1, 0 };
	GString *out = g_string_new(NULL);

	mail_read(text, strlen(text), &place, write_post, out);
	g_strdelimit(out->str, "\r", '~');
	return g_string_free(out, FALSE);
}

struct mail { const char *name, *text, *want; };

static const struct mail mails[] = {
	{ "plain", HEAD "\nhello\n", "1@example.org|Jane Doe <jane@example.org>|one\n[@6+0] hello\n\n" },
	{ "quoted-printable", HEAD "Content-Transfer-Encoding: quoted-printable\n\na=3Db=\nc\n",
	  "1@example.org|Jane Doe <jane@example.org>|one\n[part 1@1+0] a=bc\n\n" },
	{ "base64, cut", HEAD "Content-Transfer-Encoding: base64\n\naGVsbG8gd29ybG",
	  "1@example.org|Jane Doe <jane@example.org>|one\n[part 1@1+0] hello wor\n" },
	{ "latin-9", HEAD "Content-Type: text/plain; charset=iso-8859-15\n\n5 \xb5s\n",
	  "1@example.org|Jane Doe <jane@example.org>|one\n[@7+0] 5 \xc2\xb5s\n\n" },
	{ "says latin-1, is UTF-8", HEAD "Content-Type: text/plain; charset=iso-8859-1\n\n5 \xc2\xb5s\n",
	  "1@example.org|Jane Doe <jane@example.org>|one\n[@7+0 guessed] 5 \xc2\xb5s\n\n" },
	{ "unknown charset", HEAD "Content-Type: text/plain; charset=x-nobody-knows\n\n5 \xc2\xb5s\n",
	  "1@example.org|Jane Doe <jane@example.org>|one\n[@7+0 guessed] 5 \xc2\xb5s\n\n" },
	{ "flowed", HEAD "Content-Type: text/plain; format=flowed\n\n a\n", "1@example.org|Jane Doe <jane@example.org>|one\n[@7+0 flowed]  a\n\n" },
	{ "alternative", HEAD "Content-Type: multipart/alternative; boundary=b\n\n--b\n\nplain\n--b\nContent-Type: text/html\n\n<p>html\n--b--\n",
	  "1@example.org|Jane Doe <jane@example.org>|one\n[@9+0] plain\nspare[part 2@1+0] html\n\n\n" },
	{ "wrong boundary", HEAD "Content-Type: multipart/mixed; boundary=c\n\n--b\n\nbody\n--b--\n",
	  "1@example.org|Jane Doe <jane@example.org>|one\n[@7+0] --b\n\nbody\n--b--\n\n" },
	{ "no boundary", HEAD "Content-Type: multipart/mixed\n\n--b\n\nbody\n--b--\n",
	  "1@example.org|Jane Doe <jane@example.org>|one\n[@7+0] --b\n\nbody\n--b--\n\n" },
	{ "attachments", HEAD "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nbody\n--b\nContent-Type: image/png\n\nAct:\n"
	  "--b\nContent-Type: application/octet-stream; name=x.log\nContent-Transfer-Encoding: base64\n\naGVsbG8K\n--b--\n",
	  "1@example.org|Jane Doe <jane@example.org>|one\n[@9+0] body\n[part 3 x.log@1+0] hello\n\n" },
	{ "packed attachment", HEAD "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: application/gzip; name=x.gz\n"
	  "Content-Transfer-Encoding: base64\n\nH4sIAAAAAAACA8tIzcnJ5wIAIDA6NgYAAAA=\n--b--\n",
	  "1@example.org|Jane Doe <jane@example.org>|one\n[part 1 x.gz@1+0] hello\n\n" },
	{ "forwarded as a part", HEAD "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nouter\n--b\nContent-Type: message/rfc822\n\n"
	  "Message-ID: <2@example.org>\nFrom: x@y\n\ninner\n--b--\n",
	  "1@example.org|Jane Doe <jane@example.org>|one\n[@9+0] outer\n2@example.org|x@y|-\n[@16+0] inner\n" },
	{ "encoded message", HEAD "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\nTWVzc2FnZS1JRDogPDNAeD4KCmhpCg==\n",
	  "3@x|-|-\n[part 1@3+0] hi\n\n1@example.org|Jane Doe <jane@example.org>|one\n" },
	{ "encoded words", "From: =?iso-8859-1?q?J=E9?= <j@x>\nDate: x\nSubject: =?utf-8?b?w7w=?=\n =?utf-8?q?_b?=\n\nx\n",
	  "-|J\xc3\xa9 <j@x>|\xc3\xbc b\n[@6+0] x\n\n" },
	{ "two encodings in one header", "From: a@b\nSubject: \x9c x\nDate: x\n\nx\n", "-|a@b|\xc5\x93 x\n[@5+0] x\n\n" },
	{ "escapes of mailboxes", HEAD "\n>From x\n>>From y\n> From z\n", "1@example.org|Jane Doe <jane@example.org>|one\n[@6+0] From x\n>From y\n> From z\n\n" },
	{ "signed inline", HEAD "\n-----BEGIN PGP SIGNED MESSAGE-----\n\n- -- x\n- item\n-----BEGIN PGP SIGNATURE-----\n- -\n",
	  "1@example.org|Jane Doe <jane@example.org>|one\n[@6+0] -----BEGIN PGP SIGNED MESSAGE-----\n\n-- x\n- item\n-----BEGIN PGP SIGNATURE-----\n- -\n\n" },
	{ "answer without marks", HEAD "\nfine\n\nFrom: Bob [mailto:bob@example.org]\nSent: Monday, November 26, 2012 10:48 AM\nTo: Jane\nSubject: x\n\nolder\n",
	  "1@example.org|Jane Doe <jane@example.org>|one\n[@6+0] fine\n\n\n"
	  "[@8+1] From: Bob [mailto:bob@example.org]\nSent: Monday, November 26, 2012 10:48 AM\nTo: Jane\nSubject: x\n\nolder\n\n" },
	{ "original message", HEAD "\nfine\n\n-----Original Message-----\nFrom: Bob\nSent: x\nSubject: y\n\nolder\n",
	  "1@example.org|Jane Doe <jane@example.org>|one\n[@6+0] fine\n\n-----Original Message-----\n\n[@9+1] From: Bob\nSent: x\nSubject: y\n\nolder\n\n" },
	{ "attribution without marks", HEAD "\nfine\n\nOn Nov 26, 2012, at 10:27 AM, \"Bob\" <bob@example.org> wrote:\nolder\n",
	  "1@example.org|Jane Doe <jane@example.org>|one\n[@6+0] fine\n\nOn Nov 26, 2012, at 10:27 AM, \"Bob\" <bob@example.org> wrote:\n\n[@9+1] older\n\n" },
	{ "attribution with marks", HEAD "\nOn Nov 26, 2012, at 10:27 AM, Bob <bob@example.org> wrote:\n> older\n\nnew\n",
	  "1@example.org|Jane Doe <jane@example.org>|one\n[@6+0] On Nov 26, 2012, at 10:27 AM, Bob <bob@example.org> wrote:\n> older\n\nnew\n\n" },
	{ "forwarded inline", HEAD "\nfyi\n\n---------- Forwarded message ----------\nFrom: Bob <bob@example.org>\nDate: Mon, 25 Nov 2013 10:00:00 +0000\nSubject: two\n\nolder\n",
	  "1@example.org|Jane Doe <jane@example.org>|one\n[@6+0] fyi\n\n---------- Forwarded message ----------\n\n"
	  "[@9+0] From: Bob <bob@example.org>\nDate: Mon, 25 Nov 2013 10:00:00 +0000\nSubject: two\n\nolder\n\n" },
	{ "initials", HEAD "\nJD> T: 0\nJD> T: 1\nBob> x\nnew\n", "1@example.org|Jane Doe <jane@example.org>|one\n[@6+0] > T: 0\n> T: 1\nBob> x\nnew\n\n" },
	{ "bars", HEAD "\nJane wrote:\n| RTD|  1|\n| RTD|  2|  3\n| x\n\n| no | quote\n| at | all\n",
	  "1@example.org|Jane Doe <jane@example.org>|one\n[@6+0] Jane wrote:\n> RTD|  1|\n> RTD|  2|  3\n> x\n\n| no | quote\n| at | all\n\n" },
	{ "a table after an attribution", HEAD "\nJane wrote:\n| a | b |\n| 1 | 2 |\n",
	  "1@example.org|Jane Doe <jane@example.org>|one\n[@6+0] Jane wrote:\n| a | b |\n| 1 | 2 |\n\n" },
	{ "colons", HEAD "\nJane <jane@x> writes:\n: one\n: two\n", "1@example.org|Jane Doe <jane@example.org>|one\n[@6+0] Jane <jane@x> writes:\n> one\n> two\n\n" },
	{ "patch with a header", HEAD "\nFrom 0123 Mon Sep 17 00:00:00 2001\nFrom: a@b\nDate: x\nSubject: y\n\npatch\n",
	  "1@example.org|Jane Doe <jane@example.org>|one\n[@6+0] From 0123 Mon Sep 17 00:00:00 2001\nFrom: a@b\nDate: x\nSubject: y\n\npatch\n\n" },
};

static void reads_mail(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(mails); i++) {
		g_autofree char *got = read_mail(mails[i].text);

		if (strcmp(got, mails[i].want))
			fail_msg("%s:\n%s\ninstead of\n%s", mails[i].name, got, mails[i].want);
	}
}

static void reads_fields(void **state)
{
	static const struct { const char *date, *want; } dates[] = {
		{ "Tue, 26 Nov 2013 10:21:34 +0100", "2013-11-26T10:21:34+01:00" },
		{ "Fri, 23 Aug 2002 2:32:53 -0400", "2002-08-23T02:32:53-04:00" },
		{ "26 Nov 2013 10:21:34 GMT", "2013-11-26T10:21:34+00:00" },
		{ "Fri, 20 Apr 2001 20:18:00 -0400 (EDT)", "2001-04-20T20:18:00-04:00" },
		{ "Tue, 26 Nov 2013 10:21:34", NULL },
		{ "Tue Nov 26 10:21:34 CET 2013", "2013-11-26T10:21:34+01:00" },
		{ "2013-11-26T10:21:34Z", "2013-11-26T10:21:34+00:00" },
		{ "2013-11-26 10:21:34", NULL }, { "Tue, 26 Nov 2013 10:21:34 XYZT", NULL },
		{ "Monday, November 26, 2012 10:48 AM", NULL },
		{ "yesterday", NULL }, { "", NULL }, { NULL, NULL },
	};
	struct post *p = post_new("f", NULL);

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(dates); i++) {
		const char *got = mail_date(p, dates[i].date);

		if (g_strcmp0(got, dates[i].want))
			fail_msg("%s: %s", dates[i].date, got);
	}
	assert_string_equal(mail_message_id(p, " <a@b> (raw)"), "a@b");
	assert_string_equal(mail_ids(p, "<a@b> <c@d>", "<e@f>"), "e@f a@b c@d");
	assert_null(mail_ids(p, "none", NULL));
	assert_null(mail_field(p, "  \n ", -1));
	post_free(p);
}

static void names_posters(void **state)
{
	static const struct { const char *text; unsigned line, depth; const char *want; } quotes[] = {
		{ "Jane wrote:\n> x\n", 2, 1, "Jane" },
		{ "On Mon, 25 Nov 2013, Jane Doe wrote:\n> x\n", 2, 1, "Jane Doe" },
		{ "On Thu, Jun 26, 2014 at 2:14 PM, Jane Doe <jane@example.org> wrote:\n> x\n", 2, 1, "Jane Doe <jane@example.org>" },
		{ "On Sat, 2015-11-14 at 21:29 +0100, Jane wrote:\n> x\n", 2, 1, "Jane" },
		{ "On Thu, Jun 26, 2014 at 2:14 PM, Jane Doe\n<jane@example.org> wrote:\n> x\n", 3, 1, "Jane Doe <jane@example.org>" },
		{ "* Jane Doe <jane@example.org> wrote:\n> x\n", 2, 1, "Jane Doe <jane@example.org>" },
		{ "Quoting Jane Doe <jane@example.org>:\n> x\n", 2, 1, "Jane Doe <jane@example.org>" },
		{ "Am 26.11.2013 10:21, schrieb Jane Doe:\n> x\n", 2, 1, NULL },
		{ "Jane Doe <jane@example.org> writes:\n> x\n", 2, 1, "Jane Doe <jane@example.org>" },
		{ ">>>>> \"JD\" == Jane Doe <jane@example.org> writes:\n> x\n", 2, 6, "Jane Doe <jane@example.org>" },
		{ "Le 26/11/2013 10:21, Jane Doe a \xc3\xa9" "crit :\n> x\n", 2, 1, "Jane Doe" },
		{ "A wrote:\n> B wrote:\n>> x\n", 3, 2, "B" },
		{ "A wrote:\n> B wrote:\n>> x\n> y\n", 4, 1, "A" },
		{ "As I wrote:\n> x\n", 2, 1, NULL },
		{ "the driver writes:\n", 2, 0, NULL },
		{ "no attribution\n> x\n", 2, 1, NULL },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(quotes); i++) {
		struct post *p = post_new("f", NULL);
		const char *got;

		page_text(p, quotes[i].text, strlen(quotes[i].text));
		got = post_poster(p, NULL, quotes[i].line, quotes[i].depth);
		if (g_strcmp0(got, quotes[i].want))
			fail_msg("%s: %s", quotes[i].text, got);
		post_free(p);
	}
}

static void reads_digests(void **state)
{
	static const char rule[] = "------------------------------\n\n";
	g_autofree char *text = g_strconcat(
		"Today's topics\n\n----------------------------------------------------------------------\n\n"
		"Message: 1\nFrom: a@b\nDate: x\nMessage-ID:\n\t<1@x>\n\t\nSubject: one\n\nfirst\n\n", rule,
		"Message: 2\nFrom: c@d\nDate: x\nMessage-ID: <2@x>\n\nsecond\n", rule, "no message\n\n", rule,
		"Subject: Digest Footer\n\nfooter\n\n", rule, "End of X Digest, Vol 1\n", NULL);
	static const struct mail_place place = { "f", NULL, 1, 0 };
	GString *out = g_string_new(NULL);

	(void)state;
	assert_true(digest_probe(text, strlen(text)));
	assert_false(digest_probe("----------------------------------------------------------------------\n\nno\n", 76));
	digest_read(text, strlen(text), &place, write_post, out);
	assert_string_equal(out->str, "1@x|a@b|one\n[@13+0] first\n\n\n2@x|c@d|-\n[@22+0] second\n------------------------------\n\nno message\n\n\n");
	g_string_free(out, TRUE);
}

static void reads_pages_saved_as_text(void **state)
{
	static const struct mail pages[] = {
		{ "public-inbox", "mirror of x\n help / color\nFrom: a@b\nTo: c@d\nSubject: Re: s\nDate: Tue, 30 Nov 2004 08:33:05 -0600\t[thread overview]\n"
		  "Message-ID: <1@x> (raw)\n\ntext\n", "1@x|a@b|Re: s\n[@8+0] \ntext\n\n" },
		{ "a title twice", "[List-help] a title\n\n[List-help] a title\n\n[jane <jane@x>]\n\ntext\n",
		  "-|jane <jane@x>|[List-help] a title\n[@1+0] [List-help] a title\n\n[List-help] a title\n\n[jane <jane@x>]\n\ntext\n\n" },
		{ "an answer's block is no header", "short\n\nFrom: a\nSent: Monday\nTo: b\nSubject: c\n\nolder\n",
		  "-|-|-\n[@1+0] short\n\n\n[@3+1] From: a\nSent: Monday\nTo: b\nSubject: c\n\nolder\n\n" },
		{ "a paste", "T: 0\nT: 1\n", "-|-|-\n[@1+0] T: 0\nT: 1\n\n" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(pages); i++) {
		struct post *p = post_new("f", NULL);
		g_autoptr(GString) out = g_string_new(NULL);

		page_text(p, pages[i].text, strlen(pages[i].text));
		write_post(p, out);
		if (strcmp(out->str, pages[i].want))
			fail_msg("%s:\n%s", pages[i].name, out->str);
	}
}

static void tells_mail_from_text(void **state)
{
	static const struct { const char *text; bool mail; } texts[] = {
		{ "From: a\nSubject: b\n\nx", true }, { "From x y\nFrom: a\nSubject: b\n\nx", true },
		{ "Received: x\n\ty\nDate: z\n\n", true }, { "From: a\n\nx\n", false }, { "Board: a\nKernel: b\n\nx", false },
		{ "hello\nFrom: a\nSubject: b\n\n", false }, { "From: a\nSubject: b", false }, { "", false }, { "\n", false },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
		if (mail_probe(texts[i].text, strlen(texts[i].text)) != texts[i].mail)
			fail_msg("%s", texts[i].text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_mail),
		cmocka_unit_test(reads_fields),
		cmocka_unit_test(names_posters),
		cmocka_unit_test(reads_digests),
		cmocka_unit_test(reads_pages_saved_as_text),
		cmocka_unit_test(tells_mail_from_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
