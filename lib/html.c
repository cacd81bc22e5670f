/* HTML to text by libxml2's event parser: no tree, so a page takes no more memory than its text. */
#include <string.h>
#include "lib/html.h"
#include "lib/lazy_xml.h"
#include "lib/mail.h"
#include "lib/page.h"
#include "lib/pattern.h"
#include "lib/quote.h"

#define HTML_MAX (64u << 20)            /* bytes of a page that are read */
#define CELL_MAX 200u                   /* a longer cell belongs to a table that only lays out */
#define COLUMN_MAX 200u
#define TABLE_MAX_CELLS 50000u
#define DEPTH_MAX 250u

/* --- what is HTML --- */

static struct pattern document =
	PATTERN("(?i)<(?:!doctype\\s+html|html[\\s>]|head[\\s>]|body[\\s>])");
static struct pattern tag = PATTERN(
	"(?i)</?(?:div|p|br|span|table|tr|td|th|pre|a|hr|h[1-6]|ul|ol|li|b|i|font|strong|em|blockquote|title|meta|link|style|script)(?:\\s[^<>]*)?/?>|<!--");

static struct pattern fence = PATTERN("\n[ \t>|]*+```");

bool html_probe(const char *text, size_t len)
{
	size_t from = 0, n = MIN(len, 16384);
	unsigned tags = 0;
	struct match m;

	if (n >= 3 && !memcmp(text, "\xef\xbb\xbf", 3))
		from = 3;
	while (from < n && strchr(" \t\r\n", text[from]))
		from++;
	if (from == n || text[from] != '<')
		return false;
	if (pattern_match(&document, text, MIN(n, 2048), from, NULL))
		return true;
	/* Markdown may hold tags; its fences are no HTML. */
	if (pattern_match(&fence, text, n, from, NULL))
		return false;
	while (tags < 4 && pattern_match(&tag, text, n, from, &m)) {
		from = (size_t)(m.end - text);
		tags++;
	}
	return tags >= 4;
}

/* --- the walk --- */

/* A cell of a table: its text and how many columns it spans. */
struct cell_text { GString *text; unsigned column, span; bool lines; };

/* A table that is being read. */
struct html_table {
	GPtrArray *rows;                /* GArray * of struct cell_text */
	bool layout;                    /* no table of data: its cells are read one by one */
	unsigned cells;
	GString *before;                /* where the text went before the table */
};

/* An open element that something ends with. */
struct open_element { char name[12]; bool quote, skip, pre, capture, address; };

/* The message that the page shows; strings are the post's later. */
struct page_fields { GString *from, *subject, *date, *message_id, *list, *author_link; };

struct html {
	GString *out;                   /* finished lines */
	GString *line;                  /* the present one; of a cell: the cell's text */
	GArray *open;                   /* struct open_element */
	GPtrArray *tables;              /* struct html_table *, innermost last */
	unsigned quote, skip, pre;
	unsigned overflow;              /* elements opened beyond DEPTH_MAX */
	bool in_cell, blank, space;
	bool opened;                    /* a <pre> has just begun */
	GString *capture;               /* a field's text is being taken, or NULL */
	struct page_fields fields;
	bool page;                      /* fields of pages are looked for */
	size_t body;                    /* offset in out where the message's text begins */
	size_t body_end;                /* or 0: to the end */
};

static void add_marks(struct html *h)
{
	for (unsigned i = 0; i < h->quote && i < 32; i++)
		g_string_append(h->out, i + 1 < h->quote ? ">" : "> ");
}

/* Ends the present line. Blank lines only where one is asked for, and never two. */
static void end_line(struct html *h, bool even_blank)
{
	gsize len = h->line->len;

	if (h->in_cell) {
		if (len && h->line->str[len - 1] != '\n' && even_blank)
			g_string_append_c(h->line, '\n');
		else if (len && h->line->str[len - 1] != '\n')
			g_string_append_c(h->line, '\n');
		h->space = false;
		return;
	}
	h->space = false;
	while (len && h->line->str[len - 1] == ' ')
		len--;
	if (!len && !even_blank) {
		g_string_truncate(h->line, 0);
		return;
	}
	if (!len && h->blank)
		return;
	add_marks(h);
	g_string_append_len(h->out, h->line->str, (gssize)len);
	g_string_append_c(h->out, '\n');
	g_string_truncate(h->line, 0);
	h->blank = !len;
}

/* Text: in <pre> as it is; else line ends are blanks, and blanks within a line stay, since columns
 * hang on them. */
static void add_text(struct html *h, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		char c = text[i];

		if (c == '\r')
			continue;
		/* The line end behind <pre> is none. */
		if (c == '\n' && h->pre && h->opened) {
			h->opened = false;
			continue;
		}
		h->opened = false;
		if (c == '\n' && h->pre) {
			h->blank = false;
			end_line(h, true);
			continue;
		}
		if (c == '\n') {
			h->space = h->line->len > 0;
			continue;
		}
		if (c == ' ' && h->space)
			continue;
		if (h->space && h->line->len && h->line->str[h->line->len - 1] != ' '
		    && h->line->str[h->line->len - 1] != '\n')
			g_string_append_c(h->line, ' ');
		h->space = false;
		g_string_append_c(h->line, c);
	}
}

static const char *attribute(const xmlChar **attributes, const char *name)
{
	for (; attributes && attributes[0]; attributes += 2)
		if (!g_ascii_strcasecmp((const char *)attributes[0], name))
			return (const char *)attributes[1];
	return NULL;
}

static bool has_word(const char *value, const char *word)
{
	return value && strstr(value, word);
}

static bool one_of(const char *name, const char *const *names)
{
	for (; *names; names++)
		if (!strcmp(name, *names))
			return true;
	return false;
}

static const char *const blocks[] = {
	"p",	   "div",	 "h1",	       "h2",	  "h3",	      "h4",	 "h5",	   "h6",
	"li",	   "ul",	 "ol",	       "dl",	  "dt",	      "dd",	 "tr",	   "table",
	"pre",	   "hr",	 "blockquote", "address", "section",  "article", "header", "footer",
	"form",	   "center",	 "body",       "title",	  "fieldset", "main",	 "nav",	   "aside",
	"figure",  "figcaption", "caption",    "details", "summary",  "html",	 "tbody",  "thead",
	"listing", "xmp",	 NULL
};
static const char *const skipped[] = { "script", "style",  "noscript", "template",
				       "select", "button", "svg",      "object",
				       "iframe", "title",  NULL };

/* --- tables --- */

static void free_row(void *row)
{
	GArray *cells = row;

	for (guint i = 0; i < cells->len; i++)
		g_string_free(g_array_index(cells, struct cell_text, i).text, TRUE);
	g_array_free(cells, TRUE);
}

static struct html_table *top_table(struct html *h)
{
	return h->tables->len ? g_ptr_array_index(h->tables, h->tables->len - 1) : NULL;
}

static GArray *last_row(struct html_table *t)
{
	if (!t->rows->len)
		g_ptr_array_add(t->rows, g_array_new(FALSE, TRUE, sizeof(struct cell_text)));
	return g_ptr_array_index(t->rows, t->rows->len - 1);
}

static size_t cell_width(const GString *text)
{
	return (size_t)g_utf8_strlen(text->str, (gssize)text->len);
}

/* Blanks at the ends off, runs of blanks to one. Says whether the cell has several lines. */
static void tidy_cell(struct cell_text *c)
{
	char *out;

	g_string_replace(c->text, "\xc2\xa0", " ", 0);
	while (c->text->len && strchr(" \n", c->text->str[c->text->len - 1]))
		g_string_truncate(c->text, c->text->len - 1);
	c->lines = strchr(c->text->str, '\n') != NULL;
	if (c->lines)
		return;
	out = c->text->str;
	for (const char *p = c->text->str; *p; p++)
		if (*p != ' ' || (out > c->text->str && out[-1] != ' '))
			*out++ = *p;
	g_string_truncate(c->text, (gsize)(out - c->text->str));
}

/* A table of data has several columns of short cells. */
static bool is_data(const struct html_table *t)
{
	unsigned widest = 0;

	if (t->layout || t->rows->len < 2)
		return false;
	for (guint i = 0; i < t->rows->len; i++) {
		const GArray *row = g_ptr_array_index(t->rows, i);

		widest = MAX(widest, row->len);
		for (guint j = 0; j < row->len; j++) {
			const struct cell_text *c = &g_array_index(row, struct cell_text, j);

			if (c->lines || c->text->len > CELL_MAX)
				return false;
		}
	}
	return widest >= 2;
}

/* Columns side by side, two blanks between. */
static void print_columns(struct html *h, const struct html_table *t)
{
	size_t width[COLUMN_MAX] = { 0 };

	for (guint i = 0; i < t->rows->len; i++) {
		const GArray *row = g_ptr_array_index(t->rows, i);

		for (guint j = 0; j < row->len; j++) {
			const struct cell_text *c = &g_array_index(row, struct cell_text, j);

			if (c->span == 1 && c->column < COLUMN_MAX)
				width[c->column] = MAX(width[c->column], cell_width(c->text));
		}
	}
	for (guint i = 0; i < t->rows->len; i++) {
		const GArray *row = g_ptr_array_index(t->rows, i);
		size_t at = 0, used = 0;
		unsigned column = 0;

		for (guint j = 0; j < row->len; j++) {
			const struct cell_text *c = &g_array_index(row, struct cell_text, j);

			for (; column < c->column && column < COLUMN_MAX; column++)
				at += width[column] + 2;
			if (used && at < used + 2)
				at = used + 2;
			for (; used < at; used++)
				g_string_append_c(h->line, ' ');
			g_string_append_len(h->line, c->text->str, (gssize)c->text->len);
			used += cell_width(c->text);
		}
		end_line(h, false);
	}
}

/* The cells one after another, each on lines of its own. */
static void print_cells(struct html *h, const struct html_table *t)
{
	for (guint i = 0; i < t->rows->len; i++) {
		const GArray *row = g_ptr_array_index(t->rows, i);

		for (guint j = 0; j < row->len; j++) {
			const GString *text = g_array_index(row, struct cell_text, j).text;

			for (const char *p = text->str; p < text->str + text->len;) {
				const char *eol = strchr(p, '\n');
				size_t len = eol ? (size_t)(eol - p) : strlen(p);

				g_string_append_len(h->line, p, (gssize)len);
				end_line(h, true);
				p += len + 1;
			}
		}
	}
}

static void end_cell(struct html *h)
{
	struct html_table *t = top_table(h);
	GArray *row = t ? last_row(t) : NULL;

	if (!h->in_cell || !row || !row->len)
		return;
	tidy_cell(&g_array_index(row, struct cell_text, row->len - 1));
	h->in_cell = false;
	h->space = false;
	h->line = t->before;
}

/* What the table has so far is printed as cells, and so is all that follows: it only lays out. */
static void make_layout(struct html *h, struct html_table *t)
{
	end_cell(h);
	t->layout = true;
	print_cells(h, t);
	g_ptr_array_set_size(t->rows, 0);
}

static void begin_table(struct html *h)
{
	struct html_table *t;

	if (top_table(h) && h->in_cell)
		make_layout(h, top_table(h));
	end_line(h, false);
	if (h->tables->len >= DEPTH_MAX)
		return;
	t = g_new0(struct html_table, 1);
	t->rows = g_ptr_array_new_with_free_func(free_row);
	g_ptr_array_add(h->tables, t);
}

static void end_table(struct html *h)
{
	struct html_table *t = top_table(h);

	if (!t)
		return;
	end_cell(h);
	if (is_data(t)) {
		end_line(h, true);
		print_columns(h, t);
		end_line(h, true);
	} else {
		print_cells(h, t);
	}
	g_ptr_array_free(t->rows, TRUE);
	g_ptr_array_set_size(h->tables, (gint)h->tables->len - 1);
	g_free(t);
}

static void begin_cell(struct html *h, const xmlChar **attributes)
{
	struct html_table *t = top_table(h);
	struct cell_text c = { NULL, 0, 1, false };
	const char *span = attribute(attributes, "colspan");
	GArray *row;

	if (!t)
		return;
	end_cell(h);
	if (t->layout) {
		end_line(h, false);
		return;
	}
	if (++t->cells > TABLE_MAX_CELLS) {
		make_layout(h, t);
		return;
	}
	row = last_row(t);
	if (row->len) {
		const struct cell_text *before =
			&g_array_index(row, struct cell_text, row->len - 1);

		c.column = before->column + before->span;
	}
	if (span)
		c.span = CLAMP((unsigned)g_ascii_strtoull(span, NULL, 10), 1, 50);
	c.text = g_string_new(NULL);
	g_array_append_val(row, c);
	t->before = h->line;
	h->line = c.text;
	h->in_cell = true;
	h->space = false;
}

/* --- quotes, fields, elements --- */

/* Is this element a quotation of an older mail? A <blockquote> alone may be an indentation. */
static bool is_quote(struct html *h, const char *name, const xmlChar **attributes)
{
	static struct pattern attributed = PATTERN("(?:wrote|writes|schrieb|\xc3\xa9"
						   "crit|escribi\xc3\xb3|skrev)[^\\n]{0,20}:\\s*$");
	const char *class = attribute(attributes, "class"), *type = attribute(attributes, "type"),
		   *style = attribute(attributes, "style");
	gsize from = h->out->len > 200 ? h->out->len - 200 : 0;

	if (strcmp(name, "blockquote"))
		return false;
	return has_word(type, "cite") || has_word(class, "quote") || has_word(style, "border-left")
	       || pattern_match(&attributed, h->out->str + from, h->out->len - from, 0, NULL);
}

/* Fields that pages show in elements of their own. */
static const struct { const char *element, *attribute, *word; size_t field;
} captures[] = {
	{ "span", "class", "subject", offsetof(struct page_fields, subject) }, /* mail-archive */
	{ "span", "class", "sender", offsetof(struct page_fields, from) },
	{ "span", "class", "date", offsetof(struct page_fields, date) },
	{ "bdi", "class", "issue-title", offsetof(struct page_fields, subject) }, /* GitHub */
	{ "a", "class", "author", offsetof(struct page_fields, from) },
	{ "h1", NULL, NULL, offsetof(struct page_fields, subject) }, /* pipermail */
	{ "b", NULL, NULL, offsetof(struct page_fields, from) },
	{ "i", NULL, NULL, offsetof(struct page_fields, date) },
};

static GString **field_at(struct html *h, size_t offset)
{
	return (GString **)((char *)&h->fields + offset);
}

static bool begin_capture(struct html *h, const char *name, const xmlChar **attributes)
{
	if (!h->page || h->capture)
		return false;
	for (size_t i = 0; i < G_N_ELEMENTS(captures); i++) {
		GString **field = field_at(h, captures[i].field);

		if (strcmp(name, captures[i].element) || *field)
			continue;
		/* Without a class, the order tells: pipermail's heading, name and date come first
		 * of all. */
		if (!captures[i].attribute
		    && (h->body || (strcmp(name, "h1") && !h->fields.subject)))
			continue;
		if (captures[i].attribute
		    && !has_word(attribute(attributes, captures[i].attribute), captures[i].word))
			continue;
		h->capture = *field = g_string_new(NULL);
		return true;
	}
	return false;
}

/* Comments cannot hold "--", so that hyphens in them may be written as a character reference. */
static void undo_references(GString *s)
{
	g_string_replace(s, "&#45;", "-", 0);
	g_string_replace(s, "&#x2D;", "-", 0);
	g_string_replace(s, "&lt;", "<", 0);
	g_string_replace(s, "&gt;", ">", 0);
	g_string_replace(s, "&quot;", "\"", 0);
	g_string_replace(s, "&amp;", "&", 0);
}

/* Sets a field that a page gives outright. */
static void set_field(GString **field, const char *value, size_t len)
{
	if (*field)
		g_string_free(*field, TRUE);
	*field = g_string_new_len(value, (gssize)len);
	undo_references(*field);
}

/* The link by which pipermail lets one answer names the message's id; its text is the poster's
 * address. */
static bool take_answer_link(struct html *h, const char *href)
{
	const char *id = href ? strstr(href, "In-Reply-To=") : NULL;
	g_autofree char *text = NULL;

	if (!h->page || !id || h->fields.message_id)
		return false;
	id += strlen("In-Reply-To=");
	text = g_uri_unescape_segment(id, id + strcspn(id, "&\""), NULL);
	if (text)
		set_field(&h->fields.message_id, text, strlen(text));
	return text != NULL;
}

static void take_time(struct html *h, const char *name, const xmlChar **attributes)
{
	const char *when = attribute(attributes, "datetime");

	if (h->page && !h->fields.date && when
	    && (!strcmp(name, "relative-time") || !strcmp(name, "time")
		|| !strcmp(name, "time-ago")))
		set_field(&h->fields.date, when, strlen(when));
}

static void on_start(void *data, const xmlChar *element, const xmlChar **attributes)
{
	struct html *h = data;
	const char *name = (const char *)element;
	struct open_element e = { .name = "" };

	if (h->open->len >= DEPTH_MAX) {
		h->overflow++;
		return;
	}
	g_strlcpy(e.name, name, sizeof e.name);
	e.capture = begin_capture(h, name, attributes);
	if (!strcmp(name, "table"))
		begin_table(h);
	else if (!strcmp(name, "td") || !strcmp(name, "th"))
		begin_cell(h, attributes);
	else if (!strcmp(name, "br"))
		end_line(h, true);
	else if (one_of(name, blocks))
		end_line(h, false);
	if (!strcmp(name, "tr") && top_table(h) && !top_table(h)->layout) {
		end_cell(h);
		g_ptr_array_add(top_table(h)->rows,
				g_array_new(FALSE, TRUE, sizeof(struct cell_text)));
	}
	if (!strcmp(name, "p") && !h->in_cell)
		end_line(h, true);
	if (!strcmp(name, "hr") && has_word(attribute(attributes, "id"), "stopSpelling"))
		h->quote++;
	if (!strcmp(name, "a") && take_answer_link(h, attribute(attributes, "href"))
	    && h->fields.from && !h->capture) {
		g_string_append(h->fields.from, " <");
		h->capture = h->fields.from;
		e.capture = e.address = true;
	}
	take_time(h, name, attributes);
	e.quote = is_quote(h, name, attributes);
	e.skip = one_of(name, skipped);
	e.pre = !strcmp(name, "pre") || !strcmp(name, "listing") || !strcmp(name, "xmp")
		|| !strcmp(name, "textarea")
		|| has_word(attribute(attributes, "style"), "white-space:pre")
		|| has_word(attribute(attributes, "style"), "white-space: pre");
	h->quote += e.quote;
	h->skip += e.skip;
	h->pre += e.pre;
	h->opened = e.pre;
	g_array_append_val(h->open, e);
}

static void close_element(struct html *h, const struct open_element *e)
{
	if (!strcmp(e->name, "table"))
		end_table(h);
	else if (!strcmp(e->name, "td") || !strcmp(e->name, "th") || !strcmp(e->name, "tr"))
		end_cell(h);
	if (one_of(e->name, blocks))
		end_line(h, false);
	if (!strcmp(e->name, "p") && !h->in_cell)
		end_line(h, true);
	if (e->address)
		g_string_append_c(h->capture, '>');
	if (e->capture)
		h->capture = NULL;
	h->quote -= e->quote;
	h->skip -= e->skip;
	h->pre -= e->pre;
}

static void on_end(void *data, const xmlChar *element)
{
	struct html *h = data;
	guint i = h->open->len;
	char name[12];

	if (h->overflow) {
		h->overflow--;
		return;
	}
	g_strlcpy(name, (const char *)element, sizeof name);
	while (i && strcmp(g_array_index(h->open, struct open_element, i - 1).name, name))
		i--;
	while (i && h->open->len >= i) {
		struct open_element e =
			g_array_index(h->open, struct open_element, h->open->len - 1);

		g_array_set_size(h->open, h->open->len - 1);
		close_element(h, &e);
	}
}

static void on_text(void *data, const xmlChar *text, int len)
{
	struct html *h = data;

	if (h->capture)
		g_string_append_len(h->capture, (const char *)text, len);
	if (h->skip || len <= 0)
		return;
	add_text(h, (const char *)text, (size_t)len);
}

/* What MHonArc hides addresses with: small letters turned by 13, and the row from '@' over the
 * capitals to '[' by 13 too. */
static void rot13(GString *s)
{
	static const char row[] = "@ABCDEFGHIJKLMNOPQRSTUVWXYZ[",
			  turned[] = "NOPQRSTUVWXYZ[ABCDEFGHIJKLM@";

	for (gsize i = 0; i < s->len; i++) {
		char c = s->str[i];
		const char *at = c ? strchr(turned, c) : NULL;

		if (at)
			s->str[i] = row[at - turned];
		else if (g_ascii_islower(c))
			s->str[i] = (char)((c - 'a' + 13) % 26 + 'a');
	}
}

/* Comments of Hypermail, MHonArc and pipermail: the message's fields, and where its text begins and
 * ends. */
static void on_comment(void *data, const xmlChar *comment)
{
	static struct pattern hypermail =
		PATTERN("^\\s*(name|email|subject|id|sent)=\"(.*)\"\\s*$");
	static struct pattern mhonarc =
		PATTERN("^\\s*X-(Subject|From-R13|From|Date|Message-Id): (.*?)\\s*$");
	static struct pattern begins = PATTERN(
		"^(?:\\s*body=\"start\"\\s*|beginarticle|X-Body-of-Message|X-Head-Body-Sep-End)$");
	static struct pattern ends =
		PATTERN("^(?:\\s*body=\"end\"\\s*|endarticle|X-Body-of-Message-End)$");
	struct html *h = data;
	const char *text = (const char *)comment;
	size_t len = strlen(text);
	struct match m;
	bool mh;

	if (!h->page || len > 4000)
		return;
	if (pattern_match(&begins, text, len, 0, NULL)) {
		end_line(h, false);
		h->body = h->out->len;
	} else if (pattern_match(&ends, text, len, 0, NULL)) {
		end_line(h, false);
		h->body_end = h->out->len;
	}
	mh = pattern_match(&mhonarc, text, len, 0, &m);
	if (!mh && !pattern_match(&hypermail, text, len, 0, &m))
		return;
	switch (m.group[1].p[0] | ' ') {
	case 's':
		set_field(m.group[1].len == 4 ? &h->fields.date : &h->fields.subject, m.group[2].p,
			  m.group[2].len);
		break;
	case 'd':
		set_field(&h->fields.date, m.group[2].p, m.group[2].len);
		break;
	case 'i':
	case 'm':
		set_field(&h->fields.message_id, m.group[2].p, m.group[2].len);
		g_string_replace(h->fields.message_id, "_at_", "@", 0);
		break;
	case 'e':
		if (h->fields.from)
			g_string_append_printf(h->fields.from, " <%.*s>", (int)m.group[2].len,
					       m.group[2].p);
		break;
	default:
		set_field(&h->fields.from, m.group[2].p, m.group[2].len);
		if (mh && m.group[1].len > 4)
			rot13(h->fields.from);
	}
}

static struct html *html_new(bool page)
{
	struct html *h = g_new0(struct html, 1);

	h->out = g_string_new(NULL);
	h->line = g_string_new(NULL);
	h->open = g_array_new(FALSE, TRUE, sizeof(struct open_element));
	h->tables = g_ptr_array_new();
	h->page = page;
	h->blank = true;
	return h;
}

/* Frees all but the text, which the caller gets. */
static GString *html_finish(struct html *h)
{
	GString *out = h->out;
	GString *fields[] = { h->fields.from,	    h->fields.subject, h->fields.date,
			      h->fields.message_id, h->fields.list,    h->fields.author_link };

	for (size_t i = 0; i < G_N_ELEMENTS(fields); i++)
		if (fields[i])
			g_string_free(fields[i], TRUE);
	g_string_free(h->line, TRUE);
	g_array_free(h->open, TRUE);
	g_ptr_array_free(h->tables, TRUE);
	g_free(h);
	return out;
}

static void ignore_error(void *data, const char *format, ...)
{
	(void)data;
	(void)format;
}

/* Runs the text through the parser. text: valid UTF-8 without NUL. */
static void html_run(struct html *h, const char *text, size_t len)
{
	xmlSAXHandler sax = { .startElement = on_start,
			      .endElement = on_end,
			      .characters = on_text,
			      .ignorableWhitespace = on_text,
			      .comment = on_comment,
			      .warning = ignore_error,
			      .error = ignore_error,
			      .fatalError = ignore_error };
	htmlParserCtxtPtr parser =
		htmlCreatePushParserCtxt(&sax, h, NULL, 0, NULL, XML_CHAR_ENCODING_UTF8);

	if (!parser)
		return;
	htmlCtxtUseOptions(parser, HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING
					   | HTML_PARSE_NONET);
	for (size_t at = 0; at < len; at += 16384)
		htmlParseChunk(parser, text + at, (int)MIN(16384, len - at), 0);
	htmlParseChunk(parser, NULL, 0, 1);
	if (parser->myDoc)
		xmlFreeDoc(parser->myDoc);
	htmlFreeParserCtxt(parser);
	end_cell(h);
	while (h->tables->len)
		end_table(h);
	end_line(h, false);
}

/* The page's bytes as UTF-8 without NUL: by the charset given, or what a <meta> says. */
static GString *to_text(const char *bytes, size_t len, const char *charset, bool *guessed)
{
	static struct pattern meta =
		PATTERN("(?i)<meta[^>]{0,100}charset\\s*=\\s*[\"']?([A-Za-z0-9_.:-]{2,40})");
	g_autofree char *stated = g_strdup(charset);
	struct match m;
	GString *text;

	len = MIN(len, HTML_MAX);
	if (!stated && pattern_match(&meta, bytes, MIN(len, 4096), 0, &m))
		stated = g_strndup(m.group[1].p, m.group[1].len);
	text = mail_to_utf8(bytes, len, stated, guessed);
	if (!text && !g_utf8_validate_len(bytes, len, NULL) && !memchr(bytes, 0, len)) {
		bool again;

		*guessed = true;
		text = mail_to_utf8(bytes, len, "WINDOWS-1252", &again);
	}
	if (!text)
		text = g_string_new_len(bytes, (gssize)len);
	for (gsize i = 0; i < text->len; i++)
		if (!text->str[i])
			text->str[i] = ' ';
	return text;
}

void html_part(struct post *p, GArray *list, const char *bytes, size_t len, const char *charset,
	       const char *part)
{
	struct html *h = html_new(false);
	struct reader_text *t;
	bool guessed = false;
	g_autoptr(GString) text = to_text(bytes, len, charset, &guessed);
	GString *out;

	html_run(h, text->str, text->len);
	out = post_buffer(p, html_finish(h));
	t = post_text(p, list, out->str, out->len, 1, part);
	t->charset_guessed = guessed;
	t->text.mail_body = true;
	quote_split(p, list);
}

/* The page's own fields, as far as its text did not give them. */
static void use_fields(struct post *p, const struct page_fields *f)
{
	struct source *s = &p->source;

	if (!s->message_id && f->message_id)
		s->message_id = mail_message_id(p, f->message_id->str);
	if (!s->from && f->from)
		s->from = mail_field(p, f->from->str, -1);
	if (!s->date && f->date)
		s->date = mail_date(p, f->date->str);
	if (!s->subject && f->subject)
		s->subject = mail_field(p, f->subject->str, -1);
}

void html_page(const char *bytes, size_t len, const char *file, const char *part, post_each *each,
	       void *data)
{
	struct html *h = html_new(true);
	struct post *p = post_new(file, part);
	bool guessed = false;
	g_autoptr(GString) text = to_text(bytes, len, NULL, &guessed);
	g_autofree char *label =
		g_strdup_printf("%s%stext of the page", part ? part : "", part ? ": " : "");
	GString *out;

	html_run(h, text->str, text->len);
	p->source.part = post_string(p, label, -1);
	use_fields(p, &h->fields);
	if (h->body_end && h->body_end >= h->body)
		g_string_truncate(h->out, h->body_end);
	if (h->body && h->body <= h->out->len)
		for (size_t i = 0; i < h->body; i++)
			if (h->out->str[i] != '\n')
				h->out->str[i] = ' ';
	out = post_buffer(p, html_finish(h));
	page_text(p, out->str, out->len);
	for (guint i = 0; i < p->texts->len; i++) {
		struct reader_text *t = &g_array_index(p->texts, struct reader_text, i);

		t->charset_guessed = guessed;
		t->text.mail_body = true;
	}
	each(p, data);
}
