/* The pages of rtreport serve. */
#include <stdlib.h>
#include <string.h>

#include "cmd/serve.h"
#include "lib/html_page.h"
#include "lib/http.h"

static const char page_style[] =
	"header{display:flex;justify-content:space-between;flex-wrap:wrap;gap:0 2em;color:var(--dim)}\n"
	"textarea,input,select,button{font:inherit;color:inherit;background:var(--field);border:1px solid var(--rule);"
	"border-radius:4px;padding:.35em .5em;box-sizing:border-box;max-width:100%}\n"
	":root{--field:#fff}@media screen and (prefers-color-scheme:dark){:root{--field:#0f1113}}\n"
	"textarea,pre,code{font-family:ui-monospace,monospace;font-size:13px}textarea{width:100%;resize:vertical}\n"
	":focus-visible{outline:2px solid var(--link);outline-offset:1px}\n"
	".row{display:flex;flex-wrap:wrap;gap:.8em 1.4em;align-items:end;margin:1em 0}.row label{display:grid;gap:.2em}\n"
	"label span,.hint{color:var(--dim);font-size:.93em}button{background:var(--link);border-color:var(--link);"
	"color:var(--page);font-weight:600;padding:.45em 1.6em;cursor:pointer}\n"
	"input.wide{width:26em}input[type=file]{border-style:dashed}summary{cursor:pointer;color:var(--link)}\n"
	"details{margin:1em 0}pre{overflow-x:auto;line-height:1.5;border:1px solid var(--line);border-radius:4px;padding:.8em}\n"
	".data{color:var(--c-data)}.frame{color:var(--c-frame)}.reject{color:var(--c-reject)}.fact{color:var(--c-fact)}"
	".head{font-weight:600}\n"
	":root{--c-data:#116329;--c-frame:#0b6577;--c-reject:#8a5300;--c-fact:#7b2f9e}\n"
	"@media screen and (prefers-color-scheme:dark){:root{--c-data:#6fcf87;--c-frame:#63c6d8;--c-reject:#e6b455;"
	"--c-fact:#d19be8}}\n"
	"p.warn{background:var(--warn);padding:.5em .8em;border-radius:4px}dt{font-weight:600;margin-top:1em}dd{margin-left:1.2em}"
	"dd code{white-space:pre-wrap;overflow-wrap:anywhere}\n";

/* --- views --- */

static const struct serve_view of_commands[] = {
	{ SERVE_EXPLAIN, "the input line by line, with what was made of it", "text/html", ".html", NULL },
	{ SERVE_RECORDS, "JSON Lines, a record a line", "application/x-ndjson", ".jsonl", NULL },
};

/* Those of the renderers, then those of commands, in the order of the tables; the report first. */
static GArray *make_views(void)
{
	GArray *list = g_array_new(TRUE, TRUE, sizeof(struct serve_view));

	for (size_t i = 0; renderers[i]; i++) {
		const struct renderer *r = renderers[i];
		struct serve_view v = { r->name, r->summary, r->media, r->suffix ? r->suffix : ".txt", r };

		if (!strcmp(r->name, SERVE_REPORT))
			g_array_prepend_val(list, v);
		else
			g_array_append_val(list, v);
	}
	g_array_append_vals(list, of_commands, G_N_ELEMENTS(of_commands));
	return list;
}

const struct serve_view *serve_view(unsigned n)
{
	static GArray *views;

	if (!views)
		views = make_views();
	return n < views->len ? &g_array_index(views, struct serve_view, n) : NULL;
}

const struct serve_view *serve_view_find(const char *name)
{
	const struct serve_view *v;

	for (unsigned i = 0; (v = serve_view(i)); i++)
		if (!strcmp(v->name, name))
			return v;
	return NULL;
}

/* --- the form --- */

/* Where a view stands in the list of choices. */
enum view_group { VIEW_SHOWN, VIEW_COPIED, VIEW_SAVED, VIEW_GROUPS };

static enum view_group group_of(const struct serve_view *v)
{
	if (!v->media)
		return VIEW_COPIED;
	return strcmp(v->media, "text/html") ? VIEW_SAVED : VIEW_SHOWN;
}

static void put_option(FILE *out, const char *value, const char *text, bool chosen)
{
	g_autofree char *safe = html_escape(text), *safe_value = html_escape(value);

	fprintf(out, "<option value=\"%s\"%s>%s</option>\n", safe_value, chosen ? " selected" : "", safe);
}

static void put_views(FILE *out)
{
	static const char *const labels[VIEW_GROUPS] = {
		[VIEW_SHOWN] = "A page", [VIEW_COPIED] = "Text to copy", [VIEW_SAVED] = "A file to save",
	};
	const struct serve_view *v;

	fputs("<label><span>Show as</span><select name=\"as\">\n", out);
	for (unsigned g = 0; g < VIEW_GROUPS; g++) {
		fprintf(out, "<optgroup label=\"%s\">\n", labels[g]);
		for (unsigned i = 0; (v = serve_view(i)); i++) {
			g_autofree char *text = g_strdup_printf("%s: %s", v->name, v->summary);

			if (group_of(v) == g)
				put_option(out, v->name, !strcmp(v->name, SERVE_REPORT) ? "the report: tables and figures" : text,
				           !strcmp(v->name, SERVE_REPORT));
		}
		fputs("</optgroup>\n", out);
	}
	fputs("</select></label>\n", out);
}

static void put_choice(FILE *out, const char *label, const char *name, const char *const *words, const char *chosen)
{
	fprintf(out, "<label><span>%s</span><select name=\"%s\">\n", label, name);
	for (; *words; words++)
		put_option(out, *words, *words, !g_strcmp0(*words, chosen));
	fputs("</select></label>\n", out);
}

static void put_input_formats(FILE *out, const char *chosen)
{
	fputs("<label><span>Read as</span><select name=\"from\">\n", out);
	put_option(out, "", "whatever it is", !chosen);
	for (size_t i = 0; parsers[i]; i++)
		put_option(out, parsers[i]->name, parsers[i]->name, !g_strcmp0(parsers[i]->name, chosen));
	fputs("</select></label>\n", out);
}

static void put_links(FILE *out, bool form)
{
	fprintf(out, "<header><span>Nothing is stored, and nothing leaves this machine.</span><a href=\"%s\">%s</a></header>\n",
	        form ? "/formats" : "/", form ? "What can be read and written" : "The paste page");
}

static void put_details(FILE *out, const struct common_options *o)
{
	static const char *const quoted[] = { "fold", "all", "skip", NULL };
	g_autofree char *where = html_escape(o->where ? o->where : "");

	fputs("<details><summary>More</summary>\n<div class=\"row\">\n", out);
	put_choice(out, "Tables hold", "form", view_forms, NULL);
	put_choice(out, "Quoted results", "quoted", quoted, o->quoted ? o->quoted : quoted[0]);
	put_input_formats(out, o->from);
	fprintf(out, "<label><span>Only what fulfils</span><input class=\"wide\" name=\"where\" value=\"%s\" spellcheck=\"false\" "
	        "placeholder=\"tool=cyclictest max&gt;100us\"></label>\n</div>\n"
	        "<label><span>Facts that the text does not state, one a line</span>\n"
	        "<textarea name=\"facts\" rows=\"3\" spellcheck=\"false\" placeholder=\"board=BeagleBone Black\nkernel=6.1.0-rt\">"
	        "</textarea></label>\n</details>\n", where);
}

char *serve_form_page(const struct common_options *o)
{
	static const char *const units[] = { "auto", "ns", "us", "ms", "s", NULL };
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	html_begin(out, "Paste latency results", page_style);
	put_links(out, true);
	/* The answer opens beside the form, which so keeps what was pasted. */
	fputs("<form method=\"post\" action=\"/report\" enctype=\"multipart/form-data\" accept-charset=\"utf-8\" "
	      "target=\"_blank\">\n"
	      "<p><label for=\"text\">Paste what a latency benchmark has printed, or a mail or page with it:</label></p>\n"
	      "<textarea id=\"text\" name=\"text\" rows=\"20\" spellcheck=\"false\" autofocus "
	      "placeholder=\"T: 0 ( 1853) P:80 I:1000 C:  10000 Min:     36 Act:  156 Avg:  154 Max:     244\"></textarea>\n"
	      "<div class=\"row\"><label><span>or files: text, mail, mbox, HTML, JSON, CSV, compressed</span>"
	      "<input type=\"file\" name=\"file\" multiple></label></div>\n<div class=\"row\">\n", out);
	put_views(out);
	put_choice(out, "Times in", "unit", units, o->unit ? o->unit : "us");
	fputs("<button>Show</button>\n</div>\n", out);
	put_details(out, o);
	fputs("</form>\n", out);
	html_end(out);
	return fclose(out) ? NULL : text;
}

/* --- what can be read and written --- */

static void put_item(FILE *out, const char *name, const char *summary, const char *sample)
{
	g_autofree char *safe_name = html_escape(name), *safe = html_escape(summary ? summary : "");
	g_autofree char *safe_sample = sample ? html_escape(sample) : NULL;

	fprintf(out, "<dt>%s</dt><dd>%s", safe_name, safe);
	if (safe_sample)
		fprintf(out, "<br><code>%s</code>", safe_sample);
	fputs("</dd>\n", out);
}

static void put_readable(FILE *out)
{
	fputs("<h2 id=\"read\">Read</h2>\n<dl>\n", out);
	for (size_t i = 0; parsers[i]; i++)
		put_item(out, parsers[i]->name, parsers[i]->summary, parsers[i]->sample);
	fputs("</dl>\n", out);
}

char *serve_formats_page(void)
{
	const struct serve_view *v;
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	html_begin(out, "What can be read and written", page_style);
	put_links(out, false);
	fputs("<p>Formats are found by themselves, in plain text, mail, mailboxes, pages and compressed files.</p>\n", out);
	put_readable(out);
	fputs("<h2 id=\"written\">Written</h2>\n<dl>\n", out);
	for (unsigned i = 0; (v = serve_view(i)); i++)
		put_item(out, v->name, v->summary, NULL);
	fputs("</dl>\n", out);
	html_end(out);
	return fclose(out) ? NULL : text;
}

/* --- answers --- */

static const char *status_title(unsigned status)
{
	switch (status) {
	case HTTP_FORBIDDEN: return "Not allowed";
	case HTTP_NOT_FOUND: return "Not found";
	case HTTP_METHOD: return "Not this way";
	case HTTP_TOO_LARGE: return "Too large";
	case HTTP_BUSY: return "Too much";
	case HTTP_FAILED: return "Failed";
	default: return "Not understood";
	}
}

char *serve_refusal_page(unsigned status, const char *why)
{
	g_autofree char *safe = html_escape(why);
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	html_begin(out, status_title(status), page_style);
	fprintf(out, "<p class=\"warn\">%s</p>\n<p><a href=\"/\">The paste page</a></p>\n", safe);
	html_end(out);
	return fclose(out) ? NULL : text;
}

static void put_messages(FILE *out, const GPtrArray *messages)
{
	for (guint i = 0; messages && i < messages->len; i++) {
		g_autofree char *safe = html_escape(messages->pdata[i]);

		fprintf(out, "<p class=\"warn\">%s</p>\n", safe);
	}
}

static void put_legend(FILE *out)
{
	fputs("<p>Each line has its number, one &gt; for each depth of quotes, and a mark:\n"
	      "<span class=\"data\">+ values were taken from it</span>; <span class=\"frame\">= belongs to a result</span>;\n"
	      "<span class=\"reject\">! looks like a result but does not count</span>;\n"
	      "<span class=\"fact\">* a fact of the environment; $ a command</span>. Lines without a mark were not taken.</p>\n"
	      "<pre>", out);
}

void serve_explain_begin(FILE *out)
{
	html_begin(out, "What was made of each line", page_style);
	put_legend(out);
}

void serve_explain_end(FILE *out, const GPtrArray *messages)
{
	fputs("</pre>\n", out);
	put_messages(out, messages);
	html_end(out);
}

void serve_nothing_begin(FILE *out, const GPtrArray *messages, bool explained)
{
	html_begin(out, "No result to show", page_style);
	put_messages(out, messages);
	fputs("<p>Values count in the rows that a tool prints, whole or wrapped, and in tables with headings, not in prose; "
	      "<a href=\"/formats\">these formats are read</a>.</p>\n", out);
	if (!explained)
		fputs("<p>Choose <em>explain</em> on <a href=\"/\">the paste page</a> to see what is made of it.</p>\n", out);
	if (explained) {
		fputs("<h2>What was made of each line</h2>\n", out);
		put_legend(out);
	}
}

void serve_nothing_end(FILE *out, bool explained)
{
	if (explained)
		fputs("</pre>\n", out);
	html_end(out);
}
