/* Pages saved as text: finding the message's fields at the top. */
#include <string.h>
#include "lib/mail.h"
#include "lib/page.h"
#include "lib/pattern.h"
#include "lib/quote.h"

#define FURNITURE_LINES 12u     /* of the page, before the message's fields */
#define BLOCK_LINES 80u         /* of the fields, long lists of addressees included */

static struct pattern field = PATTERN(
	"^(From|To|Cc|Subject|Date|Message-ID|Reply-To|In-Reply-To|References|List-Id|List|Newsgroups):\\s*(.*)");
/* Links that pages put behind a field. */
static struct pattern link_text = PATTERN(
	"\\s*(?:\\[thread overview\\]|\\(raw\\)|\\[raw\\]|\\[permalink\\]|\\[flat\\|nested\\])\\s*$");

struct text_line { const char *p, *end, *next; };

static struct text_line line_at(const char *p, const char *end)
{
	const char *eol = memchr(p, '\n', (size_t)(end - p));
	struct text_line l = { p, eol ? eol : end, eol ? eol + 1 : end };

	while (l.end > p && (l.end[-1] == '\r' || l.end[-1] == ' ' || l.end[-1] == '\t'))
		l.end--;
	return l;
}

/* What a block of fields gave. */
struct fields { GString *from, *subject, *date, *message_id, *references, *list; unsigned known; };

static GString **field_slot(struct fields *f, const struct slice *name)
{
	const struct { const char *name; GString **slot;
	} slots[] = {
		{ "From", &f->from },
		{ "Subject", &f->subject },
		{ "Date", &f->date },
		{ "Message-ID", &f->message_id },
		{ "References", &f->references },
		{ "In-Reply-To", &f->references },
		{ "List-Id", &f->list },
		{ "List", &f->list },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(slots); i++)
		if (strlen(slots[i].name) == name->len
		    && !strncmp(slots[i].name, name->p, name->len))
			return slots[i].slot;
	return NULL;
}

/* Reads fields from p on; returns the end of the block, *lines its length. */
static const char *read_fields(struct fields *f, const char *p, const char *end, unsigned *lines)
{
	GString *last = NULL;
	unsigned n = 0;

	while (p < end && n < BLOCK_LINES) {
		struct text_line l = line_at(p, end);
		struct match m;
		GString **slot;

		if (l.end == p)
			break;
		if ((*p == ' ' || *p == '\t') && n) {
			if (last)
				g_string_append_len(g_string_append_c(last, ' '), p, l.end - p);
		} else if (l.end - p < 2000
			   && pattern_match(&field, p, (size_t)(l.end - p), 0, &m)) {
			size_t len = m.group[2].len;
			struct match tail;

			if (pattern_match(&link_text, m.group[2].p, len, 0, &tail))
				len = (size_t)(tail.begin - m.group[2].p);
			f->known++;
			slot = field_slot(f, &m.group[1]);
			last = NULL;
			if (slot && !*slot)
				last = *slot = g_string_new_len(m.group[2].p, (gssize)len);
		} else {
			break;
		}
		p = l.next;
		n++;
	}
	*lines = n;
	return p;
}

static void free_fields(struct fields *f)
{
	GString **all[] = { &f->from,	    &f->subject,    &f->date,
			    &f->message_id, &f->references, &f->list };

	for (size_t i = 0; i < G_N_ELEMENTS(all); i++)
		if (*all[i])
			g_string_free(*all[i], TRUE);
}

/* "jane () example ! org", as MARC hides addresses. */
static void show_addresses(GString *value)
{
	if (!value || !strstr(value->str, " () "))
		return;
	g_string_replace(value, " () ", "@", 0);
	g_string_replace(value, " ! ", ".", 0);
}

/* Takes the fields over when they are a message's: with an id or a date as headers have it, which
 * no reply's block of fields has. */
static bool use_fields(struct post *p, struct fields *f)
{
	struct source *s = &p->source;
	const char *date = f->date ? mail_date(p, f->date->str) : NULL;

	if (f->known < 3 || !(f->message_id || date) || !(f->subject || f->from))
		return false;
	show_addresses(f->from);
	show_addresses(f->message_id);
	s->date = date;
	s->from = f->from ? mail_field(p, f->from->str, -1) : NULL;
	s->subject = f->subject ? mail_field(p, f->subject->str, -1) : NULL;
	s->message_id = f->message_id ? mail_message_id(p, f->message_id->str) : NULL;
	s->list = f->list ? mail_message_id(p, f->list->str) : NULL;
	p->references = f->references ? mail_ids(p, f->references->str, NULL) : NULL;
	return true;
}

/* Looks for a block of fields near the top; returns where the message's text begins (*line its
 * number), NULL: no such block. */
static const char *find_fields(struct post *p, const char *bytes, const char *end, unsigned *line)
{
	const char *at = bytes;

	for (unsigned n = 0; n < FURNITURE_LINES && at < end; n++) {
		struct text_line l = line_at(at, end);

		if (l.end - at < 2000 && pattern_match(&field, at, (size_t)(l.end - at), 0, NULL)) {
			struct fields f = { 0 };
			unsigned lines;
			const char *behind = read_fields(&f, at, end, &lines);
			bool used = use_fields(p, &f);

			free_fields(&f);
			*line = n + lines + 1;
			return used ? behind : NULL;
		}
		at = l.next;
	}
	return NULL;
}

static struct pattern list_subject =
	PATTERN("^(?:Re: |RE: |Fwd: )*\\[[A-Za-z][\\w.-]{2,40}\\] \\S");
static struct pattern author = PATTERN("^\\[([^\\[\\]]{2,120})\\]$");

/* "Subject / Subject / [author]", as pages of mail archives read when saved as text. */
static void find_title(struct post *p, const char *bytes, const char *end)
{
	struct text_line l[3];
	unsigned n = 0;
	struct match m;
	bool twice;

	for (const char *at = bytes; at < end && n < 3;) {
		l[n] = line_at(at, end);
		at = l[n].next;
		n += l[n].end > l[n].p;
	}
	if (n < 3 || l[0].end - l[0].p > 300)
		return;
	twice = l[0].end - l[0].p == l[1].end - l[1].p
		&& !memcmp(l[0].p, l[1].p, (size_t)(l[0].end - l[0].p));
	if (!pattern_match(&author, l[twice ? 2 : 1].p,
			   (size_t)(l[twice ? 2 : 1].end - l[twice ? 2 : 1].p), 0, &m))
		return;
	if (!twice && !pattern_match(&list_subject, l[0].p, (size_t)(l[0].end - l[0].p), 0, NULL))
		return;
	p->source.subject = mail_field(p, l[0].p, l[0].end - l[0].p);
	p->source.from = mail_field(p, m.group[1].p, (gssize)m.group[1].len);
}

void page_text(struct post *p, const char *bytes, size_t len)
{
	const char *end = bytes + len, *text;
	unsigned line = 1;

	text = find_fields(p, bytes, end, &line);
	if (!text) {
		text = bytes;
		line = 1;
		find_title(p, bytes, end);
	}
	post_text(p, p->texts, text, (size_t)(end - text), line, p->source.part);
	quote_split(p, p->texts);
}
