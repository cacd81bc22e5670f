/*
 * The text layer: bytes to logical lines.
 *
 * Three stages, each pulling from the one before:
 *   raw lines     line ends found, quoted-printable remnants decoded (fetch)
 *   physical      cleaned, unquoted, flattened quotes split (push_physical)
 *   logical       rows found by the parsers' shapes, split and joined (emit_*)
 */
#include <string.h>
#include <glib.h>

#include "lib/clean.h"
#include "lib/diag.h"
#include "lib/parser.h"
#include "lib/shape.h"
#include "lib/text.h"

#define FLAT_LENGTH 300u        /* a line longer than this may be text whose line ends were lost */
#define FLAT_MARKS 4u           /* … if it holds this many quote marks */

#define QP_BLANKS 25u           /* escaped blanks that fit into a line of quoted-printable */

#define GLUE_LENGTH 50u         /* a line this long has probably been filled by wrapping */
#define GLUE_MAX 65536u         /* bytes of wrapped flattened text that are taken as one line */

/* Where in a glued text a line of the input begins. */
struct seam { size_t offset; unsigned line; };

/* A cleaned, unquoted physical line, a piece of a flattened one, or several that were glued (then with seams). */
struct physical {
	GString *raw, *text;            /* raw: with its tabs */
	bool tabs;                      /* it has some; else raw is not filled */
	unsigned first, last, depth, flags;
	GArray *seams;                  /* struct seam; empty: one line */
};

struct text_state {
	const struct text_input *in;
	size_t at;                      /* offset of the next raw line */
	unsigned next;                  /* its number */
	bool decode;                    /* quoted-printable remnants are decoded */
	bool told;                      /* of a long line */
	bool fenced;
	GQueue queue;                   /* struct physical *, ready */
	GPtrArray *spare;               /* struct physical * to use again */
	GString *piece, *scratch;       /* of raw lines */
	struct shape_scan *scan, *ahead;        /* of the first physical line, and of one looked at behind it */
	GString *joined;                /* a row over several lines */
	GString *out;                   /* a piece of a line that is passed on */
	bool in_new_text;                       /* the line before is not quoted, not blank, and introduces nothing */
	GString *prefix[TEXT_MAX_DEPTH + 1];    /* what stood before the last row of that depth */
	void (*each)(const struct line *l, void *data);
	void *data;
};

/* Physical lines */

static struct physical *physical_new(struct text_state *t)
{
	struct physical *p;

	if (t->spare->len)
		return g_ptr_array_steal_index_fast(t->spare, t->spare->len - 1);
	p = g_new0(struct physical, 1);
	p->raw = g_string_new(NULL);
	p->text = g_string_new(NULL);
	p->seams = g_array_new(FALSE, FALSE, sizeof(struct seam));
	return p;
}

static void physical_free(void *data)
{
	struct physical *p = data;

	g_string_free(p->raw, TRUE);
	g_string_free(p->text, TRUE);
	g_array_free(p->seams, TRUE);
	g_free(p);
}

/* Length of the quote marks at the start of s; *depth is how many. Up to three blanks before a mark. */
static size_t quote_marks(const char *s, size_t len, unsigned *depth)
{
	size_t end = 0;

	*depth = 0;
	for (size_t i = 0; i < len; i++) {
		if (s[i] == '>') {
			end = i + 1;
			if (*depth < TEXT_MAX_DEPTH)
				++*depth;
		} else if (s[i] != ' ' || i - end >= 3) {
			break;
		}
	}
	if (*depth && end < len && s[end] == ' ')
		end++;
	return end;
}

static void queue_physical(struct text_state *t, const char *s, size_t len, unsigned first, unsigned last,
                           unsigned flags)
{
	struct physical *p = physical_new(t);
	unsigned depth;
	size_t marks = quote_marks(s, len, &depth);

	/* ">100 us" in the middle of new text, as in a table, is no quote. */
	if (depth == 1 && marks == 1 && len > 1 && g_ascii_isdigit(s[1]) && t->in_new_text)
		marks = depth = 0;
	t->in_new_text = !depth && len && s[len - 1] != ':' && s[strspn(s, " ")];
	s += marks;
	len -= marks;
	while (len && s[len - 1] == ' ')
		len--;
	/* Space-stuffing (RFC 3676, 4.4) has added one blank. */
	if (t->in->flowed && !depth && len > 1 && *s == ' ') {
		s++;
		len--;
	}
	p->tabs = memchr(s, '\t', len);
	if (p->tabs) {
		g_string_truncate(p->raw, 0);
		g_string_append_len(p->raw, s, (gssize)len);
	}
	clean_expand_tabs(s, len, p->text);
	g_array_set_size(p->seams, 0);
	p->first = first;
	p->last = last;
	p->depth = MIN(depth + t->in->base_depth, TEXT_MAX_DEPTH);
	p->flags = flags;
	g_queue_push_tail(&t->queue, p);
}

/* Whether the " >" at p is a quote mark (or several) with a blank behind, as a line begins. */
static bool is_inner_mark(const char *p, const char *end)
{
	for (p++; p < end && *p == '>'; p++)
		;
	return p < end && *p == ' ';
}

/*
 * A long line with many quote marks in it has lost its line ends: each mark began a line ("> >": an empty one and
 * another; ">>": a quote of a quote).
 */
static bool is_flattened_quote(const char *s, size_t len)
{
	unsigned marks = 0;

	if (len <= FLAT_LENGTH)
		return false;
	for (const char *p = s; (p = memmem(p, len - (size_t)(p - s), " >", 2)); p += 2)
		if (is_inner_mark(p, s + len) && ++marks >= FLAT_MARKS)
			return true;
	return false;
}

static void push_physical(struct text_state *t, const char *raw, size_t len, unsigned first, unsigned last)
{
	unsigned flags = clean_line(raw, len, t->scratch) ? LINE_CHARSET : 0;
	const char *s = t->scratch->str, *end = s + t->scratch->len;

	if (is_flattened_quote(s, t->scratch->len)) {
		for (const char *p = s + 1; (p = memmem(p, (size_t)(end - p), " >", 2)); p++) {
			if (!is_inner_mark(p, end))
				continue;
			queue_physical(t, s, (size_t)(p - s), first, last, flags | LINE_SPLIT);
			s = p + 1;
		}
		flags |= LINE_SPLIT;
	}
	queue_physical(t, s, (size_t)(end - s), first, last, flags);
}

/* Raw lines */

/* The next raw line without its line end; false at the end of the input. */
static bool raw_line(struct text_state *t, const char **s, size_t *len)
{
	const char *p = t->in->bytes + t->at, *nl;
	size_t left = t->in->len - t->at;

	if (!left)
		return false;
	nl = memchr(p, '\n', MIN(left, TEXT_MAX_LINE));
	*s = p;
	if (!nl && left > TEXT_MAX_LINE) {
		/* Read on in pieces, cut at a blank, so that nothing is lost and memory stays bounded. */
		const char *blank = memrchr(p, ' ', TEXT_MAX_LINE);

		*len = blank && blank > p ? (size_t)(blank - p) : TEXT_MAX_LINE;
		t->at += *len;
		if (!t->told)
			diag(EXIT_DONE, t->in->file, t->next,
			     "line longer than %u bytes; read in pieces, a row at a seam may be missed", TEXT_MAX_LINE);
		t->told = true;
		return true;
	}
	*len = nl ? (size_t)(nl - p) : left;
	t->at += *len + (nl ? 1 : 0);
	t->next += nl ? 1 : 0;
	return true;
}

static size_t trimmed(const char *s, size_t len)
{
	while (len && (s[len - 1] == '\r' || s[len - 1] == ' ' || s[len - 1] == '\t'))
		len--;
	return len;
}

/* Splits at line ends inside (decoded =0A, lone carriage returns) and queues each. */
static void push_split(struct text_state *t, const char *s, size_t len, unsigned first, unsigned last)
{
	const char *end = s + len;

	while (len && (s[len - 1] == '\r' || s[len - 1] == '\n'))
		len--;
	end = s + len;
	for (;;) {
		const char *p = memchr(s, '\n', (size_t)(end - s)), *cr;

		p = p ? p : end;
		cr = memchr(s, '\r', (size_t)(p - s));
		p = cr ? cr : p;
		push_physical(t, s, (size_t)(p - s), first, last);
		if (p >= end)
			return;
		s = p + 1;
	}
}

/* Reads raw lines until at least one physical line is queued; false at the end. */
static bool fetch(struct text_state *t)
{
	unsigned first = t->next, depth;
	const char *s, *marks;
	size_t len, marked;

	if (!raw_line(t, &s, &len))
		return false;
	marks = s;
	marked = quote_marks(s, len, &depth);
	if (!t->decode) {
		push_split(t, s, len, first, first);
		return true;
	}
	g_string_truncate(t->piece, 0);
	for (;;) {
		size_t n = trimmed(s, len);
		bool soft = n && s[n - 1] == '=';

		/* Quoted as it was, undecoded: the rest of the line got the same new marks. */
		if (s != marks && marked) {
			size_t more = MIN(quote_marks(s, len, &depth), marked);

			if (more && !memcmp(s, marks, more)) {
				s += more;
				len -= more;
				n -= MIN(n, more);
			}
		}
		g_string_append_len(t->piece, s, (gssize)(soft && n ? n - 1 : len));
		if (!soft || t->piece->len > TEXT_MAX_LINE || !raw_line(t, &s, &len))
			break;
	}
	/* Only whole: a soft break may split an escape. */
	{
		g_autofree char *whole = g_strndup(t->piece->str, t->piece->len);
		size_t n = t->piece->len;

		g_string_truncate(t->piece, 0);
		clean_decode_qp(whole, n, t->piece);
	}
	push_split(t, t->piece->str, t->piece->len, first, MAX(first, t->next - 1));
	return true;
}

/* The byte that "=XX" at p stands for; -1: it is no escape. */
static int qp_escape(const char *p, const char *end)
{
	if (end - p < 3 || *p != '=' || !g_ascii_isxdigit(p[1]) || !g_ascii_isxdigit(p[2]) ||
	    g_ascii_islower(p[1]) || g_ascii_islower(p[2]))
		return -1;
	return g_ascii_xdigit_value(p[1]) * 16 + g_ascii_xdigit_value(p[2]);
}

/* How many bytes the escapes from p on make one character of UTF-8; 0: they do not. */
static int qp_utf8(const char *p, const char *end)
{
	int lead = qp_escape(p, end), n = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : lead >= 0xc2 ? 1 : 0;

	for (int i = 1; i <= n; i++)
		if (end - p < 3 * (i + 1) || (qp_escape(p + 3 * i, end) & 0xc0) != 0x80)
			return 0;
	return n ? n + 1 : 0;
}

/* Skips blanks and a CR. Whether the line ends there. */
static bool at_line_end(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\r'))
		p++;
	return p >= end || *p == '\n' || (*p == '=' && (p + 1 >= end || p[1] == '\n' || p[1] == '\r'));
}

static bool qp_is_blank(const char *p, const char *end)
{
	int byte = qp_escape(p, end);

	return byte == ' ' || byte == '\t';
}

/* Whether the escaped blank at p stands at a line's beginning or end, with others at most: encoders leave those inside alone. */
static bool qp_blank_at_edge(const char *s, const char *p, const char *end)
{
	unsigned n = 0;

	for (const char *q = p; n < QP_BLANKS; q -= 3, n++) {
		if (q == s || q[-1] == '\n')
			return true;
		if (q - s < 3 || !qp_is_blank(q - 3, end))
			break;
	}
	for (n = 0; n < QP_BLANKS && qp_is_blank(p, end); n++)
		p += 3;
	return at_line_end(p, end);
}

/*
 * What '=' at p speaks for: 1 an escape that an encoder must write ('=' itself, a line end, a blank beside one, a character of UTF-8), 0
 * one that it may write, -1 none: "prio=80 runtime=6000us" is no quoted-printable.
 */
static int qp_evidence(const char *s, const char *p, const char *end)
{
	int byte = qp_escape(p, end);

	if (byte == '=' || byte == '\n' || byte == '\r' || qp_utf8(p, end))
		return 1;
	if (byte == ' ' || byte == '\t')
		return qp_blank_at_edge(s, p, end) ? 1 : -1;
	return byte >= 0xa0 || (byte > ' ' && byte < 0x7f && g_ascii_ispunct(byte) && !g_ascii_isdigit(p[2])) ? 0 : -1;
}

/*
 * Whether text without a mail header holds remnants of quoted-printable: escapes or soft
 * breaks, and (nearly) no '=' that is neither, since an encoder writes that as =3D.
 */
static bool has_qp_remnants(const char *s, size_t len)
{
	size_t escapes = 0, soft = 0, bare = 0;

	for (const char *p = s, *end = s + len; (p = memchr(p, '=', (size_t)(end - p))); p++) {
		const char *q = p + 1;
		int evidence;

		while (q < end && (*q == ' ' || *q == '\r'))
			q++;
		if (q >= end || *q == '\n') {
			soft += p > s && p[-1] != '=';
			continue;
		}
		evidence = qp_evidence(s, p, end);
		escapes += evidence > 0;
		bare += evidence < 0;
		/* The bytes of a character are one escape. */
		if (qp_utf8(p, end))
			p += 3 * qp_utf8(p, end) - 1;
	}
	return soft + escapes >= 2 && soft + escapes > 3 * bare;
}

/* Logical lines */

/* The k-th physical line from here (0: the present one), NULL at the end. */
static struct physical *look(struct text_state *t, unsigned k)
{
	while (g_queue_get_length(&t->queue) <= k)
		if (!fetch(t))
			return NULL;
	return g_queue_peek_nth(&t->queue, k);
}

static void drop_physical(struct text_state *t, unsigned n)
{
	while (n--)
		g_ptr_array_add(t->spare, g_queue_pop_head(&t->queue));
}

static size_t indentation(const char *s, size_t len)
{
	size_t i = 0;

	while (i < len && s[i] == ' ')
		i++;
	return i;
}

/* How much of s the prefix of this depth's last row covers, digits and blanks taken loosely. */
static size_t known_prefix(const struct text_state *t, unsigned depth, const char *s, size_t len)
{
	const GString *prefix = t->prefix[depth];
	size_t n = prefix && prefix->len ? shape_prefix_skip(prefix->str, prefix->len, s, len) : 0;

	return n + indentation(s + n, len - n);
}

static void set_prefix(struct text_state *t, unsigned depth, const char *s, size_t len)
{
	if (!t->prefix[depth])
		t->prefix[depth] = g_string_new(NULL);
	g_string_truncate(t->prefix[depth], 0);
	if (indentation(s, len) < len)
		g_string_append_len(t->prefix[depth], s, (gssize)len);
}

/* Passes on text[0..len); row is the row's offset in it. */
static void pass(struct text_state *t, struct line *l, const char *text, size_t len, size_t row, const char *raw)
{
	const char *trim = text + indentation(text, len);

	while (len > row && text[len - 1] == ' ')
		len--;
	/* A piece of a line needs an end of its own. */
	if (text[len]) {
		g_string_truncate(t->out, 0);
		g_string_append_len(t->out, text, (gssize)len);
		text = t->out->str;
	}
	l->text = text;
	l->len = len;
	l->row = text + MIN(row, len);
	l->row_len = len - MIN(row, len);
	l->raw = raw ? raw : text;
	if (l->row_len == 0 && indentation(text, len) == len)
		l->flags |= LINE_BLANK;
	if (!(l->flags & LINE_SPLIT) && (!strncmp(trim, "```", 3) || !strncmp(trim, "~~~", 3))) {
		t->fenced = !t->fenced;
		l->flags |= LINE_FENCE;
	} else if (t->fenced) {
		l->flags |= LINE_FENCED;
	}
	t->each(l, t->data);
}

static struct line line_of(const struct physical *p)
{
	struct line l = { .first = p->first, .last = p->last, .depth = p->depth, .flags = p->flags,
	                  .shape = { -1, -1 } };

	return l;
}

/* The input lines of text[from..to) of p. */
static void locate(const struct physical *p, size_t from, size_t to, unsigned *first, unsigned *last)
{
	*first = p->first;
	*last = p->last;
	for (guint i = 0; i < p->seams->len; i++) {
		const struct seam *seam = &g_array_index(p->seams, struct seam, i);

		if (seam->offset <= from)
			*first = seam->line;
		if (seam->offset < to || i == 0)
			*last = seam->line;
	}
}

/* A line of text[from..to) of p. */
static struct line line_at(const struct physical *p, size_t from, size_t to)
{
	struct line l = line_of(p);

	locate(p, from, to, &l.first, &l.last);
	if (p->seams->len && l.first != l.last)
		l.flags |= LINE_JOINED;
	return l;
}

/* A line, or the rest of one, in which no row begins. */
static void pass_plain(struct text_state *t, const struct physical *p, size_t from, const char *rejected)
{
	struct line l = line_at(p, from, p->text->len);
	const char *s = p->text->str + from;
	size_t len = p->text->len - from;

	l.rejected = rejected;
	if (from)
		l.flags |= LINE_SPLIT;
	pass(t, &l, s, len, known_prefix(t, p->depth, s, len), from || !p->tabs ? NULL : p->raw->str);
}

/* How much of physical line n, from its beginning, may continue a row of p; 0: nothing. */
static size_t may_continue(struct text_state *t, const struct physical *p, const struct physical *n, size_t skip)
{
	const char *s = n->text->str;
	size_t len = n->text->len;
	struct shape_hit hit;

	if (n->depth > p->depth || skip == len)
		return 0;
	shape_scan_reset(t->ahead);
	if (!shape_find(t->ahead, s, len, 0, true, &hit) || hit.quiet || hit.prefix == PREFIX_PROSE)
		return len;
	if (hit.prefix != PREFIX_OK)
		return 0;
	/* A row begins there; what stands before it may be the end of this one. */
	return hit.at > skip ? hit.at : 0;
}

/*
 * The row of `hit` with up to TEXT_MAX_JOIN - 1 lines after it: tries after each whether it is
 * complete. Returns how many lines were joined (0: none helps); the row is in t->joined, *end where
 * it ends there and *rest where that is in the last line joined.
 */
static unsigned join(struct text_state *t, struct physical *p, const struct shape_hit *hit, size_t *end, size_t *rest,
                     bool *complete)
{
	unsigned like = 0;
	size_t like_len = 0;
	bool all_like = true;

	g_string_truncate(t->joined, 0);
	g_string_append_len(t->joined, p->text->str + hit->at, (gssize)(p->text->len - hit->at));
	for (unsigned k = 1; k < TEXT_MAX_JOIN; k++) {
		const struct physical *n = look(t, k);
		const char *s;
		size_t len, skip, before;

		if (!n)
			break;
		s = n->text->str;
		skip = known_prefix(t, p->depth, s, n->text->len);
		/* A mailer that wraps quotes leaves lines with nothing but fewer marks. */
		if (skip == n->text->len && n->depth < p->depth && n->depth)
			continue;
		len = may_continue(t, p, n, skip);
		if (!len)
			break;
		if (!(t->in->delsp && t->in->flowed))
			g_string_append_c(t->joined, ' ');
		before = t->joined->len;
		g_string_append_len(t->joined, s + skip, (gssize)(len - skip));
		*end = shape_full(hit, t->joined->str, t->joined->len);
		if (*end > before) {
			*complete = true;
			*rest = skip + (*end - before);
			return k;
		}
		if (len < n->text->len)
			break;
		all_like = all_like && shape_more(hit, s + skip, len - skip);
		if (all_like) {
			like = k;
			like_len = t->joined->len;
		}
	}
	*complete = false;
	*end = like_len;
	*rest = like ? ((struct physical *)look(t, like))->text->len : 0;
	return like;
}

/* Drops what was used of a row over several lines. Returns the offset from which the line that is now first goes on. */
static size_t after_row(struct text_state *t, unsigned joined, size_t end)
{
	drop_physical(t, joined);
	shape_scan_reset(t->scan);
	return end;
}

/* Whether another row begins behind the start of this one on the same line. */
static bool next_row(struct text_state *t, const char *s, size_t len, const struct shape_hit *hit, struct shape_hit *next)
{
	return shape_find(t->scan, s, len, hit->at + hit->length, false, next) && !next->hopeful && next->at > hit->at;
}

/* Whether the lines behind the present one complete a row that begins in the middle of its text. */
static bool comes_true(struct text_state *t, struct physical *p, const struct shape_hit *hit)
{
	size_t end, rest;
	bool complete = false;

	return join(t, p, hit, &end, &rest, &complete) && complete;
}

/*
 * Passes on the row that hit names in the first physical line, from offset `from` of it on.
 * Returns the offset from which the (then) first physical line goes on.
 */
static size_t pass_row(struct text_state *t, size_t from, const struct shape_hit *hit)
{
	struct physical *p = look(t, 0);
	const char *s = p->text->str;
	size_t len = p->text->len, end = hit->full, rest;
	struct line l = line_of(p);
	bool complete = end != 0, plain = hit->prefix == PREFIX_OK;
	unsigned joined = 0;
	struct shape_hit next;

	l.shape = hit->ref;
	l.candidates = hit->candidates;
	if (plain && !from)
		set_prefix(t, p->depth, s, hit->at);
	if (from || !plain)
		l.flags |= LINE_SPLIT;
	if (!complete && !hit->open && !hit->quiet) {
		/* Cut by the next row on this line, if there is one; else wrapped or cut by the line's end. */
		if (next_row(t, s, len, hit, &next))
			end = next.at;
		else
			joined = join(t, p, hit, &end, &rest, &complete);
	}
	if (joined) {
		l.flags |= LINE_JOINED | (complete ? 0 : LINE_CUT);
		locate(p, hit->at, len, &l.first, &l.last);
		l.last = ((struct physical *)look(t, joined))->last;
		pass(t, &l, t->joined->str, end, 0, NULL);
		return after_row(t, joined, rest);
	}
	if (!complete && !hit->open && !hit->quiet)
		l.flags |= LINE_CUT;
	if (!end) {
		end = len;
		if (hit->open && next_row(t, s, len, hit, &next))
			end = next.at;
	}
	locate(p, plain && !from ? 0 : hit->at, end, &l.first, &l.last);
	if (p->seams->len && l.first != l.last)
		l.flags |= LINE_JOINED;
	if (plain && !from)
		pass(t, &l, s, end, hit->at, end == len && p->tabs ? p->raw->str : NULL);
	else
		pass(t, &l, s + hit->at, end - hit->at, 0, NULL);
	return end;
}

/* Whether rows stand in the running text of a line, of which hit is the first: behind prose, or one behind the other. */
static bool rows_run_on(struct text_state *t, struct physical *p, const struct shape_hit *hit)
{
	struct shape_hit next;

	if (hit->quiet)
		return false;
	if (hit->prefix == PREFIX_PROSE)
		return !hit->hopeful || comes_true(t, p, hit);
	return hit->prefix == PREFIX_OK && hit->full < p->text->len &&
	       next_row(t, p->text->str, p->text->len, hit, &next) && next.at >= hit->full;
}

/* Splits the first physical line, glued from several, at the quote marks in it. */
static void split_glued(struct text_state *t)
{
	struct physical *p = g_queue_pop_head(&t->queue);
	const char *s = p->text->str, *end = s + p->text->len, *from = s;
	guint before = g_queue_get_length(&t->queue);

	for (const char *q = s + 1; q <= end; q++) {
		unsigned first, last;
		struct physical *piece;

		q = q < end ? memmem(q, (size_t)(end - q), " >", 2) : end;
		if (!q)
			q = end;
		else if (q < end && !is_inner_mark(q, end))
			continue;
		locate(p, (size_t)(from - s), (size_t)(q - s), &first, &last);
		queue_physical(t, from, (size_t)(q - from), first, last, p->flags | LINE_SPLIT);
		piece = g_queue_peek_tail(&t->queue);
		piece->depth = MIN(piece->depth + p->depth, TEXT_MAX_DEPTH);
		from = q + 1;
	}
	/* They were queued last, but come first. */
	while (before--)
		g_queue_push_tail(&t->queue, g_queue_pop_head(&t->queue));
	g_ptr_array_add(t->spare, p);
}

/*
 * Flattened text that was wrapped again: rows begin and end anywhere in its lines. Its paragraph is taken as
 * one line, which is then split like any flattened text. hit: the first row in it. False: it is a line as others.
 */
static bool glue(struct text_state *t, const struct shape_hit *hit)
{
	struct physical *p = look(t, 0), *n;
	size_t filled = p->text->len;
	struct seam seam = { 0, p->first };

	if (filled < GLUE_LENGTH || filled > FLAT_LENGTH || !rows_run_on(t, p, hit))
		return false;
	g_array_append_val(p->seams, seam);
	while (filled >= GLUE_LENGTH && p->text->len < GLUE_MAX && (n = look(t, 1)) && n->depth == p->depth &&
	       n->text->len <= FLAT_LENGTH && indentation(n->text->str, n->text->len) < n->text->len &&
	       strncmp(n->text->str, "```", 3)) {
		filled = n->text->len;
		seam = (struct seam){ p->text->len, n->first };
		g_array_append_val(p->seams, seam);
		g_string_append_c(p->text, ' ');
		g_string_append(p->text, n->text->str + indentation(n->text->str, n->text->len));
		p->last = n->last;
		p->flags |= n->flags;
		g_ptr_array_add(t->spare, g_queue_pop_nth(&t->queue, 1));
	}
	p->tabs = false;
	if (is_flattened_quote(p->text->str, p->text->len))
		split_glued(t);
	return true;
}

/* The first row of the first physical line from `from` on, if there is one that counts or is refused. */
static bool find_row(struct text_state *t, size_t from, struct shape_hit *hit)
{
	struct physical *p = look(t, 0);

	if (!from)
		shape_scan_reset(t->scan);
	return shape_find(t->scan, p->text->str, p->text->len, from, !from, hit);
}

/* The first physical line, with what it is joined with. */
static void pass_physical(struct text_state *t)
{
	struct shape_hit hit;
	size_t from = 0;
	bool found = find_row(t, 0, &hit);

	if (found && glue(t, &hit))
		found = find_row(t, 0, &hit);
	for (;;) {
		struct physical *p = look(t, 0);

		if (!found || (hit.hopeful && !comes_true(t, p, &hit))) {
			pass_plain(t, p, from, NULL);
			break;
		}
		if (hit.prefix == PREFIX_COMMENT || hit.prefix == PREFIX_QUOTED) {
			pass_plain(t, p, from, hit.prefix == PREFIX_COMMENT ? "behind a comment sign" : "inside quotes");
			break;
		}
		if (hit.prefix == PREFIX_PROSE) {
			const char *s = p->text->str + from;
			struct line l = line_at(p, from, hit.at);

			l.flags |= LINE_SPLIT;
			pass(t, &l, s, hit.at - from, indentation(s, hit.at - from), NULL);
		}
		from = pass_row(t, from, &hit);
		p = look(t, 0);
		if (from && indentation(p->text->str + from, p->text->len - from) == p->text->len - from)
			break;
		found = find_row(t, from, &hit);
	}
	drop_physical(t, 1);
}

void text_lines(const struct text_input *in, void (*each)(const struct line *l, void *data), void *data)
{
	struct text_state t = { .in = in, .next = in->first_line ? in->first_line : 1, .each = each, .data = data };

	t.decode = !in->mail_body && has_qp_remnants(in->bytes, in->len);
	t.spare = g_ptr_array_new_with_free_func(physical_free);
	t.piece = g_string_new(NULL);
	t.scratch = g_string_new(NULL);
	t.joined = g_string_new(NULL);
	t.scan = shape_scan_new();
	t.ahead = shape_scan_new();
	t.out = g_string_new(NULL);
	g_queue_init(&t.queue);
	while (look(&t, 0))
		pass_physical(&t);
	g_ptr_array_free(t.spare, TRUE);
	g_string_free(t.piece, TRUE);
	g_string_free(t.scratch, TRUE);
	g_string_free(t.joined, TRUE);
	shape_scan_free(t.scan);
	shape_scan_free(t.ahead);
	g_string_free(t.out, TRUE);
	for (unsigned i = 0; i <= TEXT_MAX_DEPTH; i++)
		if (t.prefix[i])
			g_string_free(t.prefix[i], TRUE);
}
