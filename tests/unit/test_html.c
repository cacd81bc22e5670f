/* HTML to text: columns, line ends, quotes, and the fields of archives' pages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include <glib.h>

#include "lib/html.h"

struct page { const char *name, *html, *want; };

static void write_texts(struct post *p, void *data)
{
	GString *out = data;

	for (guint i = 0; i < p->texts->len; i++) {
		const struct reader_text *t = &g_array_index(p->texts, struct reader_text, i);

		g_string_append_len(out, t->text.bytes, (gssize)t->text.len);
	}
	post_free(p);
}

static void write_fields(struct post *p, void *data)
{
	g_string_append_printf(data, "%s|%s|%s|%s;", p->source.message_id ? p->source.message_id : "-", p->source.from ? p->source.from : "-",
	                       p->source.date ? p->source.date : "-", p->source.subject ? p->source.subject : "-");
	post_free(p);
}

static const struct page texts[] = {
	{ "lines", "<html><p>one<br>two<p>three", "one\ntwo\n\nthree\n\n" },
	{ "blanks stay", "<div>a   b<br>\n  c    d</div>", "a   b\n  c    d\n" },
	{ "line ends of the source", "<div>a\n   b</div>", "a b\n" },
	{ "pre", "<pre>\nRTD|  1|\n\n  2\t3</pre>", "RTD|  1|\n\n  2\t3\n" },
	{ "entities", "<div>&lt;5&nbsp;&micro;s&gt; &#181; &amp;</div>", "<5\xc2\xa0\xc2\xb5s> \xc2\xb5 &\n" },
	{ "table", "<table><tr><th>test<th>min<th>max<tr><td>a b<td>1<td>20<tr><td>c<td>300<td>4</table>",
	  "test  min  max\na b   1    20\nc     300  4\n\n" },
	{ "empty heading", "<table><tr><td></td><td>Min</td></tr><tr><td>user task</td><td>13us</td></tr></table>",
	  "           Min\nuser task  13us\n\n" },
	{ "colspan", "<table><tr><td><td colspan=2>group<tr><td>x<td>11<td>22</table>", "   group\nx  11  22\n\n" },
	{ "layout", "<table><tr><td>one cell<pre>\na  b\nc  d</pre></td></tr></table>", "one cell\na  b\nc  d\n" },
	{ "table in a table", "<table><tr><td>nav<td><table><tr><td>a<td>b<tr><td>1<td>2</table></table>", "nav\n\na  b\n1  2\n\n" },
	{ "cite", "<div>new<blockquote type=cite>old<blockquote type=cite>older</blockquote>old</blockquote>new</div>", "new\n> old\n>> older\n> old\nnew\n" },
	{ "indented", "<div>new<blockquote>only indented</blockquote></div>", "new\nonly indented\n" },
	{ "attributed", "<div>Jane wrote:<blockquote>old</blockquote></div>", "Jane wrote:\n> old\n" },
	{ "hotmail", "<div>new<hr id=\"stopSpelling\">old<br>older</div>", "new\n> old\n> older\n" },
	{ "script", "<div>a<script>RTD|1|</script><style>x</style>b</div>", "ab\n" },
	{ "not closed", "<div><b>a<table><tr><td>1", "a\n1\n" },
	{ "body marks", "<html><!--X-Subject: s --><div>furniture</div><!--X-Body-of-Message-->\n<pre>text</pre><!--X-Body-of-Message-End--><p>more",
	  "         \ntext\n" },
};

static void makes_text(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_autoptr(GString) out = g_string_new(NULL);

		html_page(texts[i].html, strlen(texts[i].html), "f", NULL, write_texts, out);
		if (strcmp(out->str, texts[i].want))
			fail_msg("%s:\n%s", texts[i].name, out->str);
	}
}

static const struct page pages[] = {
	{ "hypermail", "<!-- sent=\"Thu, 17 Mar 2016 13:41:06 -0400\" --><!-- name=\"Jane\" --><!-- email=\"jane_at_[hidden]\" -->"
	  "<!-- subject=\"Re: s\" --><!-- id=\"1_at_x\" --><p>t", "1@x|Jane <jane_at_[hidden]>|2016-03-17T13:41:06-04:00|Re: s;" },
	{ "mhonarc", "<!--X-Subject: a &#45; b --><!--X-From-R13: Xnar Rbr <wnarNrknzcyr.bet> --><!--X-Date: Tue, 26 Nov 2013 10:21:34 +0100 -->"
	  "<!--X-Message-Id: 1@x --><html><body>t", "1@x|Jane Doe <jane@example.org>|2013-11-26T10:21:34+01:00|a - b;" },
	{ "public-inbox", "<html><head><title>s</title></head><body><form><pre>x / help</pre></form><pre id=b>From: a@b\nTo: c@d\nSubject: Re: s\n"
	  "Date: Tue, 30 Nov 2004 08:33:05 -0600\t<a href=\"#t\">[thread overview]</a>\nMessage-ID: &lt;1@x&gt; (<a href=raw>raw</a>)\n\ntext</pre>",
	  "1@x|a@b|2004-11-30T08:33:05-06:00|Re: s;" },
	{ "pipermail", "<HTML><BODY><H1>[list] s</H1><B>Jane Doe</B> <A HREF=\"mailto:l@x?Subject=Re&amp;In-Reply-To=%3C1%40x%3E\" TITLE=\"s\">jane at example.org</A><BR>"
	  "<I>Tue Nov 26 10:21:34 CET 2013</I><P><PRE><!--beginarticle-->\ntext\n<!--endarticle--></PRE>", "1@x|Jane Doe <jane at example.org>|2013-11-26T10:21:34+01:00|[list] s;" },
	{ "mail-archive", "<html><body><span class=\"subject\"><a href=x>s</a></span><p><span class=\"sender pipe\"><a>Jane</a></span>"
	  "<span class=\"date\"><a>Tue, 26 Nov 2013 10:21:34 -0800</a></span><!--X-Message-Id: 1@x --><pre>t", "1@x|Jane|2013-11-26T10:21:34-08:00|s;" },
	{ "marc", "<html><body><pre>List:       linux-rt-users\nSubject:    s\nFrom:       Jane &lt;jane () example ! org&gt;\nDate:       2013-11-26 9:21:34\n"
	  "Message-ID: 1 () x ! org\n\ntext</pre>", "1@x.org|Jane <jane@example.org>|-|s;" },
	{ "no fields", "<html><body>text", "-|-|-|-;" },
};

static void finds_fields(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(pages); i++) {
		g_autoptr(GString) out = g_string_new(NULL);

		html_page(pages[i].html, strlen(pages[i].html), "f", NULL, write_fields, out);
		if (strcmp(out->str, pages[i].want))
			fail_msg("%s:\n%s", pages[i].name, out->str);
	}
}

static void tells_html_from_text(void **state)
{
	static const struct { const char *text; bool html; } probes[] = {
		{ "<html><p>", true }, { "<!DOCTYPE html>\n", true }, { "\xef\xbb\xbf\n <!doctype HTML", true },
		{ "<div dir=\"ltr\"><b>x</b><br></div>", true }, { "<?\n$x = 1; ?>\n<!-- a -->\n<p><br><hr>", true },
		{ "<...>-8795 [001] dn... 613.7", false }, { "a <p> b </p> <br> <br>", false }, { "<jane@x> wrote:\n", false }, { "", false },
		{ "<idle>-0 0d.h3 1us", false },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(probes); i++)
		if (html_probe(probes[i].text, strlen(probes[i].text)) != probes[i].html)
			fail_msg("%s", probes[i].text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(makes_text),
		cmocka_unit_test(finds_fields),
		cmocka_unit_test(tells_html_from_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
