/* Quotes: who is quoted, where a quote without marks begins, and escapes at line starts. */
#include <string.h>
#include "lib/mail.h"
#include "lib/pattern.h"
#include "lib/quote.h"

#define NAME_MAX_BYTES 160      /* of whom an attribution names */
#define JOIN_MAX 3u             /* lines that an attribution may be wrapped over */
#define BLOCK_LINES 14u         /* lines in which the fields of a header block stand */

/* A physical line: quote marks counted, the rest. */
struct row {
	const char *begin, *end;        /* without the line end */
	const char *text;               /* after the marks */
	unsigned depth;                 /* of marks */
};

/* The line at p; returns where the next begins. */
static const char *next_row(const char *p, const char *end, struct row *r)
{
	const char *eol = memchr(p, '\n', (size_t)(end - p)), *q = p;

	r->begin = p;
	r->end = eol ? eol : end;
	while (r->end > p && (r->end[-1] == '\r' || r->end[-1] == ' ' || r->end[-1] == '\t'))
		r->end--;
	r->depth = 0;
	r->text = p;
	while (q < r->end && (*q == '>' || *q == ' ' || *q == '\t')) {
		if (*q++ == '>') {
			r->depth++;
			r->text = q;
		}
	}
	return eol ? eol + 1 : end;
}

static bool row_blank(const struct row *r)
{
	for (const char *q = r->text; q < r->end; q++)
		if (*q != ' ' && *q != '\t')
			return false;
	return true;
}

static bool row_match(struct pattern *p, const struct row *r, struct match *m)
{
	size_t len = (size_t)(r->end - r->text);

	return len < 2000 && pattern_match(p, r->text, len, 0, m);
}

/* --- escapes --- */

static struct pattern pgp_begin = PATTERN("^-----BEGIN PGP SIGNED MESSAGE-----");
static struct pattern pgp_end = PATTERN("^-----BEGIN PGP SIGNATURE-----");

/* How many bytes an escape at the line's start has: ">From " of mailboxes, "- -" and "- From " of
 * signed text. */
static size_t escape_length(const struct row *r, bool in_pgp)
{
	const char *q = r->begin;
	size_t len = (size_t)(r->end - q);

	while (len && *q == '>') {
		q++;
		len--;
	}
	if (q > r->begin && len > 5 && !memcmp(q, "From ", 5))
		return 1;
	if (in_pgp && q == r->begin && len > 2 && q[0] == '-' && q[1] == ' '
	    && (q[2] == '-' || (len > 7 && !memcmp(q + 2, "From ", 5))))
		return 2;
	return 0;
}

/* --- marks other than '>' --- */

static struct pattern initials = PATTERN("^ ?([A-Z][A-Za-z]{0,3})>{1,9} ");
#define INITIALS 6u             /* bytes in which their mark stands */
static struct pattern said = PATTERN("(?i)(?:wrote|writes|said|schrieb|schreibt|\xc3\xa9"
				     "crit|escribi\xc3\xb3|skrev|schreef)[^:]{0,60}:$");

/* How many lines from p on, of which `row` is the first, are quoted by the mark that it has; *mark: its
 * length with a blank behind it. */
static unsigned marked_lines(const char *p, const char *end, const struct row *row, bool attributed,
			     size_t *mark)
{
	const char *first = p;
	struct match m;
	struct row r;
	unsigned n = 0, closed = 0;
	size_t len;

	if (memchr(row->text, '>', MIN((size_t)(row->end - row->text), INITIALS))
	    && row_match(&initials, row, &m))
		len = (size_t)(m.end - row->begin) - 1;
	else if (attributed && row->end > p + 1 && (*p == '|' || *p == ':') && p[1] == ' ')
		len = 1;
	else
		return 0;
	while (p < end) {
		const char *next = next_row(p, end, &r);

		if (r.end - p < (ptrdiff_t)len || memcmp(p, first, len))
			break;
		closed += r.end[-1] == '|' && r.end > p + len;
		n++;
		p = next;
	}
	*mark = len;
	/* One line may be a prompt; rows of a table end with the bar that they begin with. */
	return n < 2 || (len == 1 && *first == '|' && closed * 2 > n) ? 0 : n;
}

/* Writes the marked lines at p with '>' instead; returns where they end. */
static const char *write_marked(GString *out, const char *p, const char *end, unsigned lines,
				size_t mark)
{
	while (lines--) {
		struct row r;
		const char *next = next_row(p, end, &r);

		g_string_append_c(out, '>');
		g_string_append_len(out, p + mark, next - p - (ptrdiff_t)mark);
		p = next;
	}
	return p;
}

/* A copy without escapes and with one kind of quote marks, as many lines; NULL when it would be the
 * same. */
static GString *unescape(const char *bytes, size_t len)
{
	const char *p = bytes, *end = bytes + len, *from = bytes;
	GString *out = NULL;
	bool in_pgp = false, attributed = false;

	while (p < end) {
		struct row r;
		const char *next = next_row(p, end, &r);
		size_t cut = escape_length(&r, in_pgp), mark = 0;
		unsigned marked = marked_lines(p, end, &r, attributed, &mark);

		if ((cut || marked) && !out)
			out = g_string_sized_new(len);
		if (cut || marked)
			g_string_append_len(out, from, p - from);
		if (marked)
			from = next = write_marked(out, p, end, marked, mark);
		else if (cut)
			from = p + cut;
		if (*p == '-' && row_match(in_pgp ? &pgp_end : &pgp_begin, &r, NULL))
			in_pgp = !in_pgp;
		if (!row_blank(&r))
			attributed =
				r.end > r.text && r.end[-1] == ':' && row_match(&said, &r, NULL);
		p = next;
	}
	if (out)
		g_string_append_len(out, from, end - from);
	return out;
}

/* --- attributions --- */

static struct pattern verb = PATTERN(
	"(?i)(?<![A-Za-z])(?:wrote|writes|said|says|schrieb|schreibt|a \xc3\xa9"
	"crit|escribi\xc3\xb3|escreveu|ha scritto|skrev|schreef|napisa\xc5\x82|napsal|"
	"kirjoitti|\xd0\xbf\xd0\xb8\xd1\x88\xd0\xb5\xd1\x82|\xd0\xbd\xd0\xb0\xd0\xbf\xd0\xb8\xd1\x81\xd0\xb0\xd0\xbb|"
	"\xe5\x86\x99\xe9\x81\x93|\xe5\x86\x99\xe4\xba\x86|\xe3\x81\x95\xe3\x82\x93\xe3\x81\xaf\xe6\x9b\xb8\xe3\x81\x8d)(?![A-Za-z])"
	"(?:(?: on| at| in| am|,)? [^:]{0,60}\\d[^:]{0,20}(?::\\d\\d){0,2}[^:]{0,20})?\\s*(?::|\\.\\.\\.)\\s*$");
static struct pattern quoting = PATTERN("^\\s*(?:Quoting|Citando|Zitat von) (.+?):$");
/* What stands before the name: everything up to the last piece of a date. */
static struct pattern date_end = PATTERN(
	"(?i)(?:\\d{1,2}[:.h]\\d\\d(?:[:.]\\d\\d)?(?:[^\\w,<\"]{0,4}[ap]\\.?m\\.?)?(?:\\s*[+-]\\d{4})?(?:\\s*\\((?:[A-Z]{2,5}|[+-]\\d{4})\\))?"
	"(?:\\s+(?:UTC|GMT|[A-Z]{1,4}T)\\b)?|\\b(?:19|20)\\d\\d\\b|\\d{1,2}/\\d{1,2}/\\d{2,4}|\\d{1,2}\\.\\d{1,2}\\.\\d{2,4}|[+-]\\d{4}\\b)\\s*,?");
static struct pattern opener = PATTERN(
	"^[\\s*|:\"'(]*(?:On|At|Am|Le|El|Il|Op|Den|Dnia|Em|In|Dne|\xd0\x92) (?:[^,<]{1,40},\\s*)?");

/* Words that are nobody's name. */
static bool is_pronoun(const char *name)
{
	static const char *const words[] = { "I",	"you",	    "he",     "she",	"they",
					     "we",	"it",	    "as I",   "who",	"as you",
					     "someone", "what you", "what I", "like I", "you also",
					     "I also",	"as he",    "and" };

	for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
		if (!g_ascii_strcasecmp(name, words[i]))
			return true;
	return false;
}

/* Trims blanks and marks that surround a name in attributions. */
static char *trim_name(const char *p, size_t len)
{
	static const char marks[] = " \t,;:*|=\"'>-";

	while (len && strchr(marks, *p)) {
		p++;
		len--;
	}
	while (len
	       && (strchr(" \t,;:*|=-", p[len - 1])
		   || ((p[len - 1] == '"' || p[len - 1] == '\'') && !memchr(p, '<', len))))
		len--;
	return len && len <= NAME_MAX_BYTES ? g_strndup(p, len) : NULL;
}

/* The name in the words before the verb; NULL: none. Caller frees. */
static char *name_before(const char *text, size_t len)
{
	size_t from = 0, words = 1;
	struct match m;
	const char *eq = g_strstr_len(text, (gssize)len, "== ");
	g_autofree char *name = NULL;

	while (from < len && pattern_match(&date_end, text, len, from, &m) && m.end > m.begin)
		from = (size_t)(m.end - text);
	if (eq)
		from = (size_t)(eq + 3 - text);
	else if (!from && pattern_match(&opener, text, len, 0, &m))
		from = (size_t)(m.end - text);
	name = trim_name(text + from, len - from);
	if (!name || is_pronoun(name))
		return NULL;
	for (const char *c = name; *c; c++)
		words += *c == ' ';
	return words <= 8 ? g_steal_pointer(&name) : NULL;
}

/*
 * Whom the attribution that ends in rows[n - 1] names; NULL: it is none. *strong: with a date or an
 * address, so that it is no sentence of a person. Caller frees.
 */
static char *attribution_name(const struct row *rows, unsigned n, bool *strong)
{
	const struct row *last = &rows[n - 1];
	g_autoptr(GString) text = NULL;
	struct match m;
	char *name;

	if (last->end == last->text
	    || (last->end[-1] != ':'
		&& (last->end - last->text < 4 || memcmp(last->end - 3, "...", 3))))
		return NULL;
	if (row_match(&quoting, last, &m)) {
		*strong = true;
		return trim_name(m.group[1].p, m.group[1].len);
	}
	if (!row_match(&verb, last, &m))
		return NULL;
	text = g_string_new(NULL);
	/* Wrapped: take the lines above that belong to it, while this one has no beginning of its
	 * own. */
	for (unsigned i = n; i-- > 0;) {
		g_string_prepend_len(text, rows[i].text, rows[i].end - rows[i].text);
		if (i == 0 || rows[i - 1].depth != last->depth || row_blank(&rows[i - 1])
		    || pattern_match(&opener, text->str, text->len, 0, NULL))
			break;
		if (i == n - 1 && m.begin > last->text + 3
		    && !memchr(last->text, '<', (size_t)(m.begin - last->text))
		    && !pattern_match(&opener, rows[i - 1].text,
				      (size_t)(rows[i - 1].end - rows[i - 1].text), 0, NULL))
			break;
		g_string_prepend_c(text, ' ');
	}
	if (text->len > 600 || !pattern_match(&verb, text->str, text->len, 0, &m))
		return NULL;
	*strong = memchr(text->str, '@', text->len)
		  || pattern_match(&date_end, text->str, (size_t)(m.begin - text->str), 0, NULL);
	name = name_before(text->str, (size_t)(m.begin - text->str));
	return name;
}

/* --- borders of messages that carry no marks --- */

static struct pattern original = PATTERN(
	"^[\\s*]*-{2,}\\s*(?i:Original Message|Original-Nachricht|Urspr(?:\xc3\xbc|ue)ngliche Nachricht|Message d'origine|Message original|"
	"Mensaje original|Mensagem original|Messaggio originale|Oorspronkelijk bericht|Ursprungligt meddelande|"
	"\xe5\x8e\x9f\xe5\xa7\x8b\xe9\x82\xae\xe4\xbb\xb6|Reply Message)\\s*-{2,}");
static struct pattern forwarded = PATTERN(
	"^[\\s*-]*(?i:Forwarded message|Begin forwarded message|Weitergeleitete Nachricht|Message transf\xc3\xa9r\xc3\xa9|Forwarded by|"
	"Start of forwarded message|Mensaje reenviado|Doorgestuurd bericht)\\b");
static struct pattern from_field = PATTERN(
	"^\\s*\\*{0,2}(?:From|Von|De|Da|Van|Fr\xc3\xa5n|Fra|Od|\xd0\x9e\xd1\x82|\xe5\x8f\x91\xe4\xbb\xb6\xe4\xba\xba|\xe5\xaf\x84\xe4\xbb\xb6\xe8\x80\x85)"
	"\\s?(?::|\xef\xbc\x9a)\\*{0,2}\\s*(\\S.*)");
static struct pattern other_field = PATTERN(
	"^\\s*\\*{0,2}(?:(Sent|Date|Gesendet|Datum|Envoy\xc3\xa9|Enviado(?: el)?|Fecha|Inviato|Data|Verzonden|Skickat|Sendt|"
	"\xd0\x94\xd0\xb0\xd1\x82\xd0\xb0|\xe5\x8f\x91\xe9\x80\x81\xe6\x97\xb6\xe9\x97\xb4)|"
	"(Subject|Betreff|Objet|Asunto|Assunto|Oggetto|Onderwerp|\xc3\x84mne|Emne|\xd0\xa2\xd0\xb5\xd0\xbc\xd0\xb0|\xe4\xb8\xbb\xe9\xa2\x98)|"
	"(Message-ID)|To|Cc|An|\xc3\x80|Para|A|Aan|Till|Til|Reply-To|Importance|Attachments?|Organi[sz]ation|Newsgroups|Priority|In-Reply-To|References|"
	"\xd0\x9a\xd0\xbe\xd0\xbc\xd1\x83|\xe6\x94\xb6\xe4\xbb\xb6\xe4\xba\xba|\xe6\x8a\x84\xe9\x80\x81)\\s?(?::|\xef\xbc\x9a)\\*{0,2}\\s*(.*)");

/* The first byte of the row that is no blank, no star, and no dash if these are left out, too; 0 when there is none. Most rows
 * need no more than a look at it. */
static char first_byte(const struct row *r, bool dashes)
{
	const char *p = r->text;

	while (p < r->end && (g_ascii_isspace(*p) || *p == '*' || (dashes && *p == '-')))
		p++;
	return p < r->end ? *p : '\0';
}

static bool is_forwarded(const struct row *r)
{
	char c = first_byte(r, true);

	return c && strchr("FBWMSDfbwmsd", c) && row_match(&forwarded, r, NULL);
}

static bool is_original(const struct row *r)
{
	return first_byte(r, false) == '-' && row_match(&original, r, NULL);
}

/* Whether a "From:" field may begin. */
static bool may_be_from(const struct row *r)
{
	char c = first_byte(r, false);

	return c && (strchr("FVDO", c) || (unsigned char)c >= 0x80);
}

/* A header block in the text. */
struct block {
	struct slice from, date, subject, message_id;
	const char *end;                /* behind its last field */
	unsigned lines;
};

/* Reads the block whose "From:" line is at p. False: too few fields to be one. */
static bool read_block(const char *p, const char *end, struct block *b)
{
	const char *start = p;
	struct match m;
	struct row r;
	unsigned fields = 0, line = 0;

	*b = (struct block){ 0 };
	p = next_row(p, end, &r);
	if (r.depth || !may_be_from(&r) || !row_match(&from_field, &r, &m))
		return false;
	b->from = m.group[1];
	b->end = p;
	b->lines = line = 1;
	while (p < end && line < BLOCK_LINES) {
		const char *next = next_row(p, end, &r);

		line++;
		if (r.depth || row_blank(&r))
			break;
		if (row_match(&other_field, &r, &m)) {
			fields++;
			if (m.group[1].p)
				b->date = m.group[4];
			else if (m.group[2].p)
				b->subject = m.group[4];
			else if (m.group[3].p)
				b->message_id = m.group[4];
		} else if (*r.begin != ' ' && *r.begin != '\t' && fields == 0) {
			break;
		} else if (*r.begin != ' ' && *r.begin != '\t'
			   && !memchr(r.text, '@', (size_t)(r.end - r.text))) {
			break;
		}
		p = next;
		b->end = p;
		b->lines = line;
	}
	return fields >= 2 && (b->date.p || b->subject.p) && b->end > start;
}

/* The walk through a text. */
struct scan {
	struct post *post;
	GArray *list;
	struct reader_text whole;       /* the text as it came */
	const char *end;
	unsigned base;                  /* base depth of the present piece */
	unsigned last_marked;           /* the last line with quote marks */
	bool something;                 /* a line that is not blank was seen */
};

/* The present piece ends at p, line `line`; the next begins there, one deeper, or of the forwarded
 * message `of`. */
static void split_at(struct scan *s, const char *p, unsigned line, const struct block *of)
{
	struct reader_text *t = &g_array_index(s->list, struct reader_text, s->list->len - 1),
			   next = *t;

	t->text.len = (size_t)(p - t->text.bytes);
	next.text.bytes = p;
	next.text.len = (size_t)(s->end - p);
	next.text.first_line = line;
	if (of) {
		g_autofree char *date = of->date.p ? g_strndup(of->date.p, of->date.len) : NULL;

		next.text.base_depth = s->whole.text.base_depth;
		next.source.from = mail_field(s->post, of->from.p, (gssize)of->from.len);
		next.source.date = mail_date(s->post, date);
		next.source.subject =
			of->subject.p ? mail_field(s->post, of->subject.p, (gssize)of->subject.len)
				      : NULL;
		next.source.message_id = of->message_id.p ? post_string(s->post, of->message_id.p,
									(gssize)of->message_id.len)
							  : NULL;
		if (next.source.message_id)
			next.source.message_id = mail_message_id(s->post, next.source.message_id);
	} else {
		next.text.base_depth++;
	}
	s->base = next.text.base_depth;
	g_array_append_val(s->list, next);
}

static void note_attribution(struct scan *s, unsigned line, unsigned depth, const char *name,
			     gssize len)
{
	struct attribution a = { s->whole.source.part, line, depth,
				 post_string(s->post, name, len) };

	g_array_append_val(s->post->attributions, a);
}

/* Is a header block at p (line `line`) the border to an older message? Splits there if so, and
 * returns the line's end behind it. */
static const char *take_block(struct scan *s, const char *p, unsigned *line, bool is_forward)
{
	struct block b;

	if (!read_block(p, s->end, &b))
		return NULL;
	if (!is_forward)
		note_attribution(s, *line, s->base, b.from.p, (gssize)b.from.len);
	split_at(s, p, *line, is_forward ? &b : NULL);
	*line += b.lines;
	return b.end;
}

/* A text is looked through line by line. `window` holds the last lines, for wrapped attributions.
 */
static void scan_lines(struct scan *s)
{
	const char *p = s->whole.text.bytes;
	unsigned line = s->whole.text.first_line ? s->whole.text.first_line : 1;
	struct row window[JOIN_MAX];
	unsigned held = 0, forward_line = 0, original_line = 0;
	bool strong = false, after_from = false;

	while (p < s->end) {
		struct row r;
		const char *next = next_row(p, s->end, &r), *after = NULL;
		g_autofree char *name = NULL;

		if (held == JOIN_MAX)
			memmove(window, window + 1, sizeof window - sizeof *window);
		else
			held++;
		window[held - 1] = r;
		if (row_blank(&r)) {
			held = 0;
			p = next;
			line++;
			continue;
		}
		name = attribution_name(window, held, &strong);
		if (name)
			note_attribution(s, line, r.depth + s->base, name, -1);
		if (name && strong && !r.depth && s->something && s->last_marked <= line) {
			split_at(s, next, line + 1, NULL);
		} else if (!r.depth && is_forwarded(&r)) {
			forward_line = line;
		} else if (!r.depth && is_original(&r)) {
			original_line = line;
		} else if (!r.depth && s->something && !after_from) {
			bool is_forward = forward_line && line - forward_line <= 3;

			after = may_be_from(&r) ? take_block(s, p, &line, is_forward) : NULL;
			if (!after && original_line && line - original_line <= 2)
				split_at(s, p, line, NULL);
			if (after || (original_line && line - original_line <= 2))
				original_line = 0;
		}
		after_from = !r.depth && r.end - r.begin > 5 && !memcmp(r.begin, "From ", 5);
		s->something = true;
		p = after ? after : next;
		line += !after;
	}
}

/* The last line that has quote marks; 0: none. */
static unsigned last_marked_line(const struct text_input *t)
{
	const char *p = t->bytes, *end = p + t->len;
	unsigned line = t->first_line ? t->first_line : 1, last = 0;

	for (; p < end; line++) {
		struct row r;

		p = next_row(p, end, &r);
		if (r.depth)
			last = line;
	}
	return last;
}

void quote_split(struct post *p, GArray *list)
{
	struct reader_text *t = &g_array_index(list, struct reader_text, list->len - 1);
	struct scan s = { .post = p, .list = list };
	GString *clean = unescape(t->text.bytes, t->text.len);

	if (clean) {
		post_buffer(p, clean);
		t->text.bytes = clean->str;
		t->text.len = clean->len;
	}
	s.whole = *t;
	s.end = t->text.bytes + t->text.len;
	s.base = t->text.base_depth;
	s.last_marked = last_marked_line(&t->text);
	scan_lines(&s);
}
