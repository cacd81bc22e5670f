/* Mailboxes: finding the messages. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "lib/mbox.h"
#include "lib/pattern.h"

#define SEPARATOR_MAX 400               /* bytes of a separator line */
#define LENGTH_HEADER_MAX 65536 /* bytes of a header in which Content-Length is looked for */

static struct pattern dated = PATTERN(
	"^From (.*?)\\s*\\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? +(?:(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) +\\d+|"
	"\\d+ +(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)) +(?:\\d{4} +)?\\d{1,2}:\\d\\d");
static struct pattern undated = PATTERN("^From (?:-|nobody|\\S+@\\S+)\\s*$");
static struct pattern commit = PATTERN("^From [0-9a-f]{40,64} Mon Sep 17 00:00:00 2001");
static struct pattern field = PATTERN("^(?:[A-Za-z][A-Za-z0-9-]{0,70}:|>From )");

static const char *line_end(const char *p, const char *end)
{
	const char *eol = memchr(p, '\n', (size_t)(end - p));

	return eol ? eol : end;
}

/* The line before p is blank, or there is none. */
static bool blank_before(const char *begin, const char *p)
{
	if (p == begin)
		return true;
	p--;
	while (p > begin && (p[-1] == '\r' || p[-1] == ' ' || p[-1] == '\t'))
		p--;
	return p == begin || p[-1] == '\n';
}

static bool is_blank(const char *p, const char *eol)
{
	while (p < eol && (*p == '\r' || *p == ' ' || *p == '\t'))
		p++;
	return p == eol;
}

bool mbox_is_separator(const struct mbox *m, const char *p)
{
	const char *eol = line_end(p, m->end), *next = eol < m->end ? eol + 1 : m->end, *next_eol;
	size_t len = (size_t)(eol - p);
	bool blank, has_date;

	if (len < 6 || len > SEPARATOR_MAX || memcmp(p, "From ", 5))
		return false;
	has_date = pattern_match(&dated, p, len, 0, NULL);
	if (!has_date && !pattern_match(&undated, p, len, 0, NULL))
		return false;
	if (!m->patches && pattern_match(&commit, p, len, 0, NULL))
		return false;
	blank = blank_before(m->begin, p);
	next_eol = line_end(next, m->end);
	if (pattern_match(&field, next, (size_t)(next_eol - next), 0, NULL))
		return blank || has_date;
	/* A message without any header, or the end of a file that was cut. */
	return has_date && blank && is_blank(next, next_eol);
}

/* Skips a byte order mark and blank lines. */
static const char *skip_blank(const char *p, const char *end)
{
	if (end - p > 3 && !memcmp(p, "\xef\xbb\xbf", 3))
		p += 3;
	while (p < end && (*p == '\n' || *p == '\r'))
		p++;
	return p;
}

bool mbox_probe(const char *text, size_t len)
{
	struct mbox m;

	if (len < 6)
		return false;
	mbox_open(&m, text, len);
	return mbox_is_separator(&m, mbox_first(&m));
}

/* The value of Content-Length in the header at p; -1: none. *body: where the body begins. */
static long content_length(const struct mbox *m, const char *p, const char **body)
{
	const char *limit = m->end - p > LENGTH_HEADER_MAX ? p + LENGTH_HEADER_MAX : m->end;
	long value = -1;

	while (p < limit) {
		const char *eol = line_end(p, limit);

		if (is_blank(p, eol)) {
			*body = eol < m->end ? eol + 1 : m->end;
			return value;
		}
		if (eol - p > 15 && !strncasecmp(p, "Content-Length:", 15))
			value = atol(p + 15);
		p = eol + 1;
	}
	return -1;
}

const char *mbox_first(const struct mbox *m)
{
	return skip_blank(m->begin, m->end);
}

const char *mbox_message(const struct mbox *m, const char *p)
{
	const char *eol = line_end(p, m->end);

	return eol < m->end ? eol + 1 : m->end;
}

void mbox_open(struct mbox *m, const char *text, size_t len)
{
	const char *first, *body;

	*m = (struct mbox){ text, text + len, false, false };
	first = mbox_first(m);
	m->patches =
		pattern_match(&commit, first, (size_t)(line_end(first, m->end) - first), 0, NULL);
	m->content_length = content_length(m, mbox_message(m, first), &body) >= 0;
}

/* Where Content-Length says that the next message begins; NULL when no separator is there. */
static const char *next_by_length(const struct mbox *m, const char *p)
{
	const char *body = NULL;
	long length = content_length(m, mbox_message(m, p), &body);
	const char *next;

	if (length < 0 || length > m->end - body)
		return NULL;
	next = skip_blank(body + length, m->end);
	if (next == m->end || (next > m->begin && next[-1] == '\n' && mbox_is_separator(m, next)))
		return next;
	return NULL;
}

const char *mbox_next(const struct mbox *m, const char *p)
{
	const char *next = m->content_length ? next_by_length(m, p) : NULL;

	if (next)
		return next;
	return mbox_next_from(m, mbox_message(m, p));
}

const char *mbox_next_from(const struct mbox *m, const char *p)
{
	if (p < m->end && p > m->begin && p[-1] == '\n' && mbox_is_separator(m, p))
		return p;
	if (p > m->begin)
		p--;
	while (p < m->end) {
		const char *hit = memmem(p, (size_t)(m->end - p), "\nFrom ", 6);

		if (!hit)
			return m->end;
		if (mbox_is_separator(m, hit + 1))
			return hit + 1;
		p = hit + 1;
	}
	return m->end;
}
