/*
 * The sieve: a vector search for many literals at once. Each literal is known by a window of a few
 * bytes, chosen to be rare; a byte of a window is looked up by its two halves, and the literals
 * share eight bits of the result
 * ("Teddy", as in Hyperscan). What is found is compared in full; a message without any literal, not
 * even in its decoded base64 or quoted-printable text, is left out.
 */
#include <glib.h>
#include <string.h>
#include "lib/archive_read.h"
#include "lib/mail.h"
#include "lib/sieve.h"
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define WINDOW 5                /* bytes by which a literal is looked up */
#define QUICK 4                 /* of these, compared at once */
#define BUCKETS 8
#define QUICK_GROUPS 8          /* of eight needles in a bucket */
#define ROUNDS 6                /* of sharing out needles to buckets */
#define CELL_GAP 240            /* bytes between cells of one table */
#define MAX_TABLES 8            /* parsers of tables */
#define PREFETCH 2048

enum needle_kind {
	NEEDLE_LITERAL,                 /* of a parser: the message may hold a result */
	NEEDLE_BORDER,                  /* "\nFrom " */
	NEEDLE_ENCODING,                /* Content-Transfer-Encoding: */
	NEEDLE_HTML, NEEDLE_PLAIN,      /* text/html, text/plain */
	NEEDLE_WIDE                     /* utf-16: literals do not show */
};

struct needle {
	const char *text;               /* with the signs of struct parser.literals */
	size_t len, at;                 /* at: of the window in it */
	enum needle_kind kind;
	bool fold;                      /* in either case */
	bool figure;                    /* counts before a number only */
	unsigned char bucket;
	uint16_t low[WINDOW], high[WINDOW];     /* halves of the bytes that may be at each place of the window, as bits */
	uint32_t window, mask, lower; /* the window's bytes; those that count; the case bits that
					 are set before comparing */
};

/* The windows of eight needles, to be compared at once. */
struct quick { uint32_t window[8], mask[8], lower[8]; };

struct sieve {
	GArray *needles;                /* struct needle, by bucket */
	const struct parser *tables[MAX_TABLES + 1];    /* parsers without row shapes: their results are tables of numbers */
	unsigned first[BUCKETS + 1];    /* of each bucket in needles */
	struct quick quick[BUCKETS][QUICK_GROUPS];      /* their windows, groupwise */
	unsigned groups[BUCKETS];
	unsigned char low[WINDOW][16], high[WINDOW][16];
	unsigned char byte[WINDOW][256];
};

/* --- building --- */

/* How common a byte is in mail, patches and headers included, roughly, of 1000. */
static unsigned frequency(unsigned char c)
{
	static const struct { const char *bytes; unsigned frequency;
	} classes[] = {
		{ " ", 120 }, { "e", 70 }, { "taio", 48 }, { "nsr", 40 }, { "lcdu", 27 }, { "hmpgfk\n", 17 },
		{ "b_vwyx01.-\t", 10 }, { "23456789>:;/+(),=", 6 }, { "jqz", 4 }, { "\"'*&<@[]{}#|%", 1 },
	};

	for (size_t i = 0; c && i < G_N_ELEMENTS(classes); i++)
		if (strchr(classes[i].bytes, c))
			return classes[i].frequency;
	return g_ascii_isupper(c) ? 3 : c >= 0xc2 && c < 0xf0;
}

/* Stands for bytes that are not known: a blank for any run of them, '%' for a number. */
static bool is_sign(char c)
{
	return c == ' ' || c == '%';
}

static bool same_byte(const struct needle *n, char want, char c)
{
	/* A bar, or what is left of a broken or drawn one; wikis add stars. */
	if (want == '|')
		return c == '|' || c == '*' || c == '\xc2' || c == '\xe2';
	return c == want || (n->fold && g_ascii_tolower(c) == g_ascii_tolower(want));
}

static bool is_gap(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '>' || c == '\xc2'
	       || c == '\xa0' || c == '=';
}

/* May c be inside what the sign stands for? */
static bool in_sign(char sign, char c)
{
	return is_gap(c) || (sign == '%' && (g_ascii_isdigit(c) || c == '.' || c == '-' || c == ','));
}

/* May the blank at text[i] of the needle be missing? Beside a mark, writers and mailers leave it out. */
static bool may_close_up(const struct needle *n, size_t i)
{
	return n->text[i] == ' '
	       && ((i && !g_ascii_isalnum(n->text[i - 1]))
		   || (i && i + 1 < n->len && !g_ascii_isalnum(n->text[i + 1])));
}

/* May the byte at text[i] of the needle, when all before it in the window were single bytes, be c? */
static bool may_be(const struct needle *n, size_t i, char c)
{
	if (!is_sign(n->text[i]))
		return same_byte(n, n->text[i], c);
	return in_sign(n->text[i], c) || (may_close_up(n, i) && (i + 1 >= n->len || same_byte(n, n->text[i + 1], c)));
}

/* Sets the masks for the window that begins at n->at. Beyond the needle, and behind a sign, any byte may be. */
static void set_masks(struct needle *n)
{
	bool known = true;

	for (unsigned k = 0; k < WINDOW; k++) {
		size_t i = n->at + k;

		known = known && i < n->len;
		n->low[k] = n->high[k] = known ? 0 : 0xffff;
		for (unsigned c = 0; known && c < 256; c++)
			if (may_be(n, i, (char)c)) {
				n->low[k] |= (uint16_t)(1u << (c & 15));
				n->high[k] |= (uint16_t)(1u << (c >> 4));
			}
		known = known && !is_sign(n->text[i]);
	}
}

/* How common the bytes are whose halves are in the masks, of 1000. */
static unsigned mask_frequency(unsigned low, unsigned high)
{
	static uint16_t sums[16][2][256];       /* by upper half, of eight lower halves */
	static gsize once;
	unsigned sum = 0;

	if (g_once_init_enter(&once)) {
		for (unsigned c = 0; c < 256; c++)
			for (unsigned m = 0; m < 256; m++)
				if (m >> (c & 7) & 1)
					sums[c >> 4][c >> 3 & 1][m] += (uint16_t)frequency((unsigned char)c);
		g_once_init_leave(&once, 1);
	}
	for (; high; high &= high - 1) {
		unsigned h = (unsigned)__builtin_ctz(high);

		sum += sums[h][0][low & 255] + sums[h][1][low >> 8];
	}
	return sum;
}

/* How much text masks let through. */
static double masks_cost(const uint16_t low[WINDOW], const uint16_t high[WINDOW])
{
	double cost = 1;

	for (unsigned k = 0; k < WINDOW; k++)
		cost *= mask_frequency(low[k], high[k]) / 1000.0;
	return cost;
}

/* The rarest window of the needle. */
static void choose_window(struct needle *n)
{
	double best = 1e30;
	size_t chosen = 0;

	for (n->at = 0; n->at < n->len; n->at++) {
		double cost;

		if (is_sign(n->text[n->at]))
			continue;
		set_masks(n);
		cost = masks_cost(n->low, n->high);
		if (cost < best) {
			best = cost;
			chosen = n->at;
		}
	}
	n->at = chosen;
	set_masks(n);
}

static void add_needle(struct sieve *s, const char *text, enum needle_kind kind, bool fold)
{
	struct needle n = { .kind = kind, .fold = fold };

	n.text = text;
	n.len = strlen(text);
	n.figure = n.len > 1 && text[n.len - 1] == '%';
	n.len -= n.figure;
	/* A blank at its end may be a line's end that is not there; one before it is in any row
	 * that it is inside of. */
	while (n.len && text[n.len - 1] == ' ')
		n.len--;
	if (!n.len)
		return;
	/* Parsers of one family have literals in common. */
	for (guint i = 0; i < s->needles->len; i++) {
		const struct needle *other = &g_array_index(s->needles, struct needle, i);

		if (other->len == n.len && other->kind == kind && other->figure == n.figure
		    && !memcmp(other->text, text, n.len))
			return;
	}
	choose_window(&n);
	g_array_append_val(s->needles, n);
}

/* How much text a bucket lets through that has its needles except `not`, and `with`, the stronger one (NULL: none). */
static double bucket_cost(const struct sieve *s, unsigned bucket, const struct needle *not, const struct needle *with)
{
	uint16_t low[WINDOW] = { 0 }, high[WINDOW] = { 0 };

	for (guint i = 0; i < s->needles->len; i++) {
		const struct needle *n = &g_array_index(s->needles, struct needle, i);

		if (n != with && (n == not || n->bucket != bucket))
			continue;
		for (unsigned k = 0; k < WINDOW; k++) {
			low[k] |= n->low[k];
			high[k] |= n->high[k];
		}
	}
	return masks_cost(low, high);
}

static void put_in_bucket(struct sieve *s, const struct needle *n)
{
	for (unsigned k = 0; k < WINDOW; k++)
		for (unsigned i = 0; i < 16; i++) {
			s->low[k][i] |= (unsigned char)((n->low[k] >> i & 1u) << n->bucket);
			s->high[k][i] |= (unsigned char)((n->high[k] >> i & 1u) << n->bucket);
		}
}

/* The window as one number, so that most false alarms end with one comparison. */
static void set_window(struct needle *n)
{
	unsigned char window[QUICK] = { 0 }, mask[QUICK] = { 0 }, lower[QUICK] = { 0 };

	for (unsigned k = 0; k < QUICK && n->at + k < n->len; k++) {
		unsigned char c = (unsigned char)n->text[n->at + k];

		if (is_sign((char)c))
			break;
		if (c == '|')
			continue;
		mask[k] = 0xff;
		lower[k] = n->fold && g_ascii_isalpha(c) ? 0x20 : 0;
		window[k] = c | lower[k];
	}
	memcpy(&n->window, window, QUICK);
	memcpy(&n->mask, mask, QUICK);
	memcpy(&n->lower, lower, QUICK);
}

/* Lays the windows of a bucket's needles side by side; what fills up the last group fits nothing. */
static void lay_out(struct sieve *s, unsigned bucket)
{
	unsigned n = s->first[bucket + 1] - s->first[bucket];

	if (n > 8 * QUICK_GROUPS)
		g_error("more than %u literals in a bucket", 8 * QUICK_GROUPS);
	s->groups[bucket] = (n + 7) / 8;
	for (unsigned i = 0; i < 8 * s->groups[bucket]; i++) {
		struct quick *q = &s->quick[bucket][i / 8];
		const struct needle *x = i < n ? &g_array_index(s->needles, struct needle, s->first[bucket] + i) : NULL;

		q->window[i % 8] = x ? x->window : 1;
		q->mask[i % 8] = x ? x->mask : 0;
		q->lower[i % 8] = x ? x->lower : 0;
	}
}

static int by_bucket(const void *a, const void *b)
{
	const struct needle *x = a, *y = b;

	return (int)x->bucket - (int)y->bucket;
}

/* Puts the needle where it makes the masks least worse. */
static void choose_bucket(const struct sieve *s, struct needle *n)
{
	unsigned best = 0;
	double least = 1e30;

	for (unsigned b = 0; b < BUCKETS; b++) {
		double cost = bucket_cost(s, b, n, n) - bucket_cost(s, b, n, NULL);

		if (cost < least) {
			least = cost;
			best = b;
		}
	}
	n->bucket = (unsigned char)best;
}

/* Shares the needles out, then looks for a better place for each a few times. */
static void fill_buckets(struct sieve *s)
{
	for (guint i = 0; i < s->needles->len; i++)
		g_array_index(s->needles, struct needle, i).bucket = BUCKETS;
	for (guint i = 0; i < ROUNDS * s->needles->len; i++)
		choose_bucket(s, &g_array_index(s->needles, struct needle, i % s->needles->len));
	for (guint i = 0; i < s->needles->len; i++) {
		struct needle *n = &g_array_index(s->needles, struct needle, i);

		put_in_bucket(s, n);
		set_window(n);
	}
	for (unsigned k = 0; k < WINDOW; k++)
		for (unsigned c = 0; c < 256; c++)
			s->byte[k][c] = s->low[k][c & 15] & s->high[k][c >> 4];
	g_array_sort(s->needles, by_bucket);
	for (unsigned b = 0, i = 0; b <= BUCKETS; b++) {
		while (i < s->needles->len
		       && g_array_index(s->needles, struct needle, i).bucket < b)
			i++;
		s->first[b] = i;
	}
	for (unsigned b = 0; b < BUCKETS; b++)
		lay_out(s, b);
}

struct sieve *sieve_new(const struct parser *only)
{
	struct sieve *s = g_new0(struct sieve, 1);

	s->needles = g_array_new(FALSE, TRUE, sizeof(struct needle));
	add_needle(s, "\nFrom ", NEEDLE_BORDER, false);
	add_needle(s, "Content-Transfer-Encoding:", NEEDLE_ENCODING, true);
	add_needle(s, "text/html", NEEDLE_HTML, true);
	add_needle(s, "text/plain", NEEDLE_PLAIN, true);
	add_needle(s, "utf-16", NEEDLE_WIDE, true);
	for (size_t i = 0, tables = 0; parsers[i]; i++) {
		const struct parser *p = only ? only : parsers[i];

		if (!p->shapes && tables < MAX_TABLES)
			s->tables[tables++] = p;
		for (const char *const *l = p->literals; p->shapes && l && *l; l++)
			add_needle(s, *l, NEEDLE_LITERAL, false);
		if (only)
			break;
	}
	fill_buckets(s);
	return s;
}

void sieve_free(struct sieve *s)
{
	if (!s)
		return;
	g_array_free(s->needles, TRUE);
	g_free(s);
}

/* --- comparing in full --- */

/*
 * Steps over what the sign at text[i] of the needle stands for, a blank or a number, away from the window: on
 * (step 1) or back (step -1). NULL: it is not there. A mark of a quote or of a wrapped line may be the needle's
 * own next byte.
 */
static const char *step_over(const struct needle *n, size_t i, const char *p, const char *begin,
			     const char *end, int step)
{
	const char *q = p;
	bool number = n->text[i] == '%', digits = false;
	char next = step > 0 ? (i + 1 < n->len ? n->text[i + 1] : 0) : i ? n->text[i - 1] : 0;

	while ((step > 0 ? p < end : p > begin) && (p > q ? p - q : q - p) < 64) {
		char c = step > 0 ? *p : p[-1];

		if (!in_sign(n->text[i], c))
			break;
		digits = digits || g_ascii_isdigit(c);
		p += step;
	}
	if (is_gap(next))
		while (p != q && (p == end || (step > 0 ? *p : p[-1]) != next))
			p -= step;
	if (number ? !digits : p == q && !may_close_up(n, i))
		return NULL;
	return p;
}

/* Does the needle stand at the place where its window was found? *first, *after: its ends in the
 * text. */
static bool needle_at(const struct needle *n, const char *begin, const char *end, const char *hit,
		      const char **first, const char **after)
{
	const char *p = hit;

	for (size_t i = n->at; i < n->len; i++) {
		if (is_sign(n->text[i])) {
			p = step_over(n, i, p, begin, end, 1);
			if (!p)
				return false;
		} else if (p == end || !same_byte(n, n->text[i], *p++)) {
			return false;
		}
	}
	*after = p;
	p = hit;
	for (size_t i = n->at; i-- > 0;) {
		if (is_sign(n->text[i])) {
			p = step_over(n, i, p, begin, end, -1);
			if (!p)
				return false;
		} else if (p == begin || !same_byte(n, n->text[i], *--p)) {
			return false;
		}
	}
	*first = p;
	return true;
}

/* Blanks, and what tables draw. */
static bool is_fill(char c)
{
	return c == ' ' || c == '\t' || c == '|' || c == '-' || c == '*' || c == ',' || c == '.';
}

/*
 * May a number stand behind the text that ends at `after`? A word, a quote or a conversion of printf there says no: that is prose, a
 * heading or program text. Where a line ends, nothing is known.
 */
static bool before_number(const char *after, const char *end)
{
	/* Part of a longer word, or of encoded bytes. */
	if (after < end && g_ascii_isalnum(after[-1]) && g_ascii_isalnum(*after))
		return false;
	while (after < end && is_fill(*after))
		after++;
	return after == end || !(g_ascii_isalpha(*after) || *after == '%' || *after == '"' || *after == '\\');
}

/* --- tables --- */

/* Is a unit of time at p, behind a number? */
static bool is_unit(const char *p, const char *end)
{
	static const char *const units[] = { "us",    "ms",	  "ns",	      "usec",  "msec",
					     "nsec",  "usecs",	  "msecs",    "micro", "nano",
					     "milli", "\xc2\xb5", "\xce\xbc", "\xb5" };
	size_t len = 0;

	if (end - p < 1 || (g_ascii_isalpha(*p) && (end - p < 2 || (p[1] != 's' && p[1] != 'i' && p[1] != 'a'))))
		return false;
	while (p + len < end && len < 6 && g_ascii_isalpha(p[len]))
		len++;
	for (size_t i = 0; i < G_N_ELEMENTS(units); i++) {
		size_t n = strlen(units[i]);

		if ((size_t)(end - p) >= n && !strncmp(p, units[i], n)
		    && (len == n || n >= 5 || (unsigned char)*p >= 0x80))
			return true;
	}
	return false;
}

/* Back over what a number consists of, over blanks, or over digits; not beyond begin. */
static const char *back_over(const char *p, const char *begin, const char *set)
{
	while (p > begin && p[-1] && strchr(set, p[-1]))
		p--;
	return p;
}

#define DIGITS "0123456789"

/* Dots lead from a label to the number at p: "Delay Maximum . . . . :  347 usecs". */
static bool is_led_to(const char *p, const char *begin)
{
	p = back_over(p, begin, " :");
	return p - begin >= 4 && p[-1] == '.' && (p[-2] == '.' || (p[-2] == ' ' && p[-3] == '.'));
}

/* Is the number at p the last cell of a row with bars? Then its neighbours may be no numbers. */
static bool ends_row(const char *p, const char *begin, const char *end)
{
	const char *before = back_over(p, begin, " ");

	while (p < end && (g_ascii_isdigit(*p) || *p == '.' || *p == ',' || *p == ' ' || *p == '|'))
		p++;
	return before > begin && before[-1] == '|' && (p == end || *p == '\n' || *p == '\r');
}

/* "2.6.31": mail of git ends so. */
static bool is_version(const char *p, const char *end)
{
	unsigned dots = 0;

	for (; p < end && (g_ascii_isdigit(*p) || *p == '.'); p++)
		dots += *p == '.';
	return dots > 1;
}

/*
 * Does the digit at p belong to a cell of a table? Not to a time, a hunk of a patch or a patch's statistics. At the beginning of a
 * line, a quoted one too, a blank, a separator or the line's end must follow.
 */
static bool is_number_cell(const char *p, const char *begin, const char *end)
{
	const char *q = p, *first = back_over(p, begin, DIGITS ".,-"), *before = back_over(first, begin, " ");

	while (q < end && (g_ascii_isdigit(*q) || *q == '.' || *q == ','))
		q++;
	if (q < end && (*q == ':' || g_ascii_isalpha(*q)))
		return *q != ':' && is_unit(q, end);
	while (q < end && *q == ' ')
		q++;
	if (first == begin || first[-1] == '\n' || (before > begin && before[-1] == '>'))
		return !is_version(first, end) && (q == end || strchr("|\n\r\t", *q) || q[-1] == ' ');
	if (before == begin)
		return true;
	/* "Lines: 120" is a field; dots lead to values. */
	if (before[-1] == ':' && before + 1 >= first)
		return before < first && is_led_to(p, begin);
	if (before[-1] == ':')
		return true;
	if (before[-1] == '|' && q < end && (*q == '+' || *q == '-'))
		return false;
	/* "10:21:34 2013" is a date. */
	before = back_over(before, begin, DIGITS);
	return before == begin || !strchr("+(@:", before[-1]);
}

/* Does the digit at p, or the letter of a unit behind one, belong to a cell of a table? */
static bool is_cell(const char *p, const char *begin, const char *end)
{
	const char *first = p;

	if (g_ascii_isdigit(*p))
		return is_number_cell(p, begin, end);
	/* The number before the unit is no end of a word. */
	first = back_over(p, begin, DIGITS " .");
	return is_unit(p, end) && (first == begin || !g_ascii_isalnum(first[-1]) || *first == ' ');
}

/* The body of a message, or the text itself when it does not begin with a header. */
static const char *skip_header(const char *text, const char *end)
{
	for (const char *p = text; p < end;) {
		const char *eol = memchr(p, '\n', (size_t)(end - p)), *q = p;

		if (!eol || eol == p || (*p == '\r' && eol == p + 1))
			return p;
		while (g_ascii_isalnum(*q) || *q == '-')
			q++;
		if ((q == p || *q != ':') && (p == text || (*p != ' ' && *p != '\t')))
			return text;
		p = eol + 1;
	}
	return text;
}

/* May one of the parsers of tables find a result in a text that has cells? */
static bool has_table(const struct sieve *s, const char *p, const char *end)
{
	p = skip_header(p, end);
	for (const struct parser *const *t = s->tables; *t; t++) {
		if ((*t)->may_hold && (*t)->may_hold(p, (size_t)(end - p)))
			return true;
		for (const char *const *l = (*t)->literals; l && *l; l++)
			if (memmem(p, (size_t)(end - p), *l, strlen(*l)))
				return true;
	}
	return false;
}

/* --- a scan --- */

enum {
	SEEN_RESULT = 1,
	SEEN_QUOTED = 2,
	SEEN_BASE64 = 4,
	SEEN_HTML = 8,
	SEEN_PLAIN = 16,
	SEEN_CELLS = 32
};

struct scan {
	const struct sieve *sieve;
	const struct mbox *mbox;        /* NULL: one text, borders do not count */
	const char *begin, *end;
	const char *until;              /* stop at the first border here or later */
	const char *stopped;            /* there */
	const char *message;            /* the present one's separator line */
	unsigned message_lines;
	unsigned seen;
	const char *cell;               /* the last one of a table, in this message */
	bool odd_passes;                /* a byte that hides literals lets the message pass */
	void (*pass)(const struct sifted *message, void *data);
	void *data;
};

static bool decoded_passes(const struct sieve *s, unsigned seen, const char *p, const char *end);

/* The transfer encoding that the header line says: none, one to undo, or one that only GMime knows.
 */
static unsigned encoding_of(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n' || *p == '"'))
		p++;
	if (end - p < 6)
		return 0;
	if (!g_ascii_strncasecmp(p, "base64", 6))
		return SEEN_BASE64;
	if (!g_ascii_strncasecmp(p, "quoted", 6))
		return SEEN_QUOTED;
	if (!g_ascii_strncasecmp(p, "7bit", 4) || !g_ascii_strncasecmp(p, "8bit", 4)
	    || !g_ascii_strncasecmp(p, "binary", 6))
		return 0;
	return SEEN_RESULT;
}

/* May the text from p to end, of which so much was seen, have a result? */
static bool has_result(const struct sieve *s, unsigned seen, const char *p, const char *end)
{
	return (seen & SEEN_RESULT) || ((seen & SEEN_CELLS) && has_table(s, p, end));
}

/* The present message ends at `at`: it passes, or not. */
static void end_message(struct scan *s, const char *at)
{
	const char *body;
	bool keep;

	if (!s->message)
		return;
	body = mbox_message(s->mbox, s->message);
	keep = has_result(s->sieve, s->seen, body, at)
	       || ((s->seen & SEEN_HTML) && !(s->seen & SEEN_PLAIN))
	       || decoded_passes(s->sieve, s->seen, body, at);
	if (keep && body < at) {
		struct sifted m = { body, at, s->message_lines + 1 };

		s->pass(&m, s->data);
	}
	s->seen = 0;
	s->cell = NULL;
}

/* A border: the message before it is done. False: the scan ends here. */
static bool take_border(struct scan *s, const char *p, unsigned lines)
{
	if (!s->mbox || p <= s->message || !mbox_is_separator(s->mbox, p))
		return true;
	end_message(s, p);
	s->message = p;
	s->message_lines = lines;
	if (p >= s->until) {
		s->stopped = p;
		return false;
	}
	return true;
}

/* A window was found at p, of the buckets in `bits`; `lines` line ends are before p. False: the
 * scan ends. */
static bool candidate(struct scan *s, const char *p, unsigned bits, unsigned lines)
{
	char bytes[QUICK] = { 0 };
	uint32_t window;

	for (size_t i = 0; i < QUICK && p + i < s->end; i++)
		bytes[i] = p[i];
	memcpy(&window, bytes, QUICK);
	for (; bits; bits &= bits - 1) {
		unsigned b = (unsigned)__builtin_ctz(bits);

		for (unsigned i = s->sieve->first[b]; i < s->sieve->first[b + 1]; i++) {
			const struct needle *n =
				&g_array_index(s->sieve->needles, struct needle, i);
			const char *first, *after;

			if (((window | n->lower) & n->mask) != n->window
			    || ((s->seen & SEEN_RESULT) && n->kind != NEEDLE_BORDER))
				continue;
			if (!needle_at(n, s->begin, s->end, p, &first, &after)
			    || (n->figure && !before_number(after, s->end)))
				continue;
			switch (n->kind) {
			case NEEDLE_LITERAL:
			case NEEDLE_WIDE:
				s->seen |= SEEN_RESULT;
				break;
			case NEEDLE_BORDER:
				if (!take_border(s, first + 1, lines + (p == first)))
					return false;
				break;
			case NEEDLE_ENCODING:
				s->seen |= encoding_of(after, s->end);
				break;
			case NEEDLE_HTML:
				s->seen |= SEEN_HTML;
				break;
			case NEEDLE_PLAIN:
				s->seen |= SEEN_PLAIN;
				break;
			}
		}
	}
	return true;
}

/* A number at p may be a cell: two near one another make a table, and one that dots lead to or bars end with. */
static void take_cell(struct scan *s, const char *p)
{
	if (!is_cell(p, s->begin, s->end))
		return;
	if ((s->cell && p - s->cell < CELL_GAP) || is_led_to(p, s->begin) || ends_row(p, s->begin, s->end))
		s->seen |= SEEN_CELLS;
	s->cell = p;
}

/*
 * Bit i of the result: a cell may begin at byte i, or a unit that makes one of the number before
 * it. Each mask has a bit for a byte of its kind; bits 0 to 2 are the three bytes before the block,
 * so that the result is to be shifted by three.
 */
struct kinds { uint64_t digit, blank, edge, bar, comma, colon, slash, minus, quote, wide, unit; };

static uint64_t cell_bits(const struct kinds *k)
{
	uint64_t gap = k->blank | k->edge | k->bar;
	uint64_t before =
		(k->blank & k->blank << 1) | k->edge | k->bar | k->wide
		| (k->blank & (k->slash | k->edge | k->bar | k->digit | k->colon | (k->comma & k->digit << 1)) << 1)
		| (k->comma & k->digit << 1) | (k->quote & k->comma << 1) | (k->minus & gap << 1);

	return (k->digit & before << 1)
	       | (k->unit & (k->digit << 1 | (k->blank & k->digit << 1) << 1));
}

/* The kinds of one byte, as bit `at`. */
static void add_kind(struct kinds *k, unsigned char c, unsigned at)
{
	uint64_t bit = (uint64_t)1 << at;

	k->digit |= g_ascii_isdigit(c) ? bit : 0;
	k->blank |= c == ' ' ? bit : 0;
	k->edge |= c == '\t' || c == '\n' || c == '>' ? bit : 0;
	k->bar |= c == '|' ? bit : 0;
	k->comma |= c == ',' || c == ';' ? bit : 0;
	k->colon |= c == ':' ? bit : 0;
	k->slash |= c == '/' ? bit : 0;
	k->quote |= c == '"' ? bit : 0;
	k->minus |= c == '-' ? bit : 0;
	k->wide |= c == 0xa0 ? bit : 0;
	k->unit |=
		c == 'u' || c == 'm' || c == 'n' || c == 0xc2 || c == 0xce || c == 0xb5 ? bit : 0;
}

/* Bytes that hide a literal from the sieve: NUL, backspace, escape. */
static bool is_odd(unsigned char c)
{
	return c <= 8 || c == 0x1b;
}

/* The search without vectors, also for the last bytes of the other. Returns false when the scan
 * ended. */
static bool scan_bytes(struct scan *s, const char *p, const char *stop, unsigned *lines)
{
	const struct sieve *v = s->sieve;
	const unsigned char *end = (const unsigned char *)s->end;

	for (const unsigned char *q = (const unsigned char *)p; q < (const unsigned char *)stop;
	     q++) {
		unsigned bits = v->byte[0][*q];

		for (unsigned k = 1; bits && k < WINDOW; k++)
			bits &= q + k < end ? v->byte[k][q[k]] : v->byte[k][' '];
		if (is_odd(*q) && s->odd_passes)
			s->seen |= SEEN_RESULT;
		if (*v->tables && !(s->seen & (SEEN_CELLS | SEEN_RESULT))
		    && (g_ascii_isdigit(*q) || is_unit((const char *)q, s->end))) {
			struct kinds k = { 0 };

			for (unsigned i = 0; i < 4; i++)
				if ((const char *)q + i >= s->begin + 3)
					add_kind(&k, q[(int)i - 3], i);
			if (cell_bits(&k) >> 3 & 1)
				take_cell(s, (const char *)q);
		}
		if (bits && !candidate(s, (const char *)q, bits, *lines))
			return false;
		*lines += *q == '\n';
	}
	return true;
}

#if defined(__x86_64__)
#define AVX2 __attribute__((target("avx2,popcnt")))
#define EQUAL(v, c) ((unsigned)_mm256_movemask_epi8(_mm256_cmpeq_epi8(v, _mm256_set1_epi8((char)(c)))))

AVX2 static inline __m256i load(const void *p)
{
	return _mm256_loadu_si256((const __m256i *)p);
}

AVX2 static inline unsigned digit_bits(__m256i v)
{
	__m256i d = _mm256_sub_epi8(v, _mm256_set1_epi8('0'));

	return (unsigned)_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_min_epu8(d, _mm256_set1_epi8(9)), d));
}

/* As cell_bits, for the 32 bytes at p, three bytes before which may be read. */
AVX2 static unsigned block_cells(const char *p)
{
	__m256i v0 = load(p), v1 = load(p - 1), v2 = load(p - 2);
	unsigned digit1 = digit_bits(v1), digit2 = digit_bits(v2), digit3 = digit_bits(load(p - 3));
	unsigned blank1 = EQUAL(v1, ' '), blank2 = EQUAL(v2, ' ');
	unsigned comma1 = EQUAL(v1, ',') | EQUAL(v1, ';'), comma2 = EQUAL(v2, ',') | EQUAL(v2, ';');
	unsigned edge1 = EQUAL(v1, '|') | EQUAL(v1, '\t') | EQUAL(v1, '\n') | EQUAL(v1, '>');
	unsigned edge2 = EQUAL(v2, '|') | EQUAL(v2, '\t') | EQUAL(v2, '\n') | EQUAL(v2, '>');
	unsigned unit = EQUAL(v0, 'u') | EQUAL(v0, 'm') | EQUAL(v0, 'n') | EQUAL(v0, 0xc2) | EQUAL(v0, 0xce)
			| EQUAL(v0, 0xb5);
	unsigned before = (blank1 & blank2) | edge1 | EQUAL(v1, 0xa0)
			  | (blank1 & (EQUAL(v2, '/') | EQUAL(v2, ':') | edge2 | digit2 | (comma2 & digit3)))
			  | (comma1 & digit2) | (EQUAL(v1, '"') & comma2) | (EQUAL(v1, '-') & (blank2 | edge2));

	return (digit_bits(v0) & before) | (unit & (digit1 | (blank1 & digit2)));
}

/* Does the window at p fit a needle of these buckets? Four bytes at p may be read. */
AVX2 static inline bool fits_needle(const struct sieve *s, const char *p, unsigned bits)
{
	int first;
	__m256i window;

	memcpy(&first, p, QUICK);
	window = _mm256_set1_epi32(first);
	for (; bits; bits &= bits - 1) {
		unsigned b = (unsigned)__builtin_ctz(bits);

		for (unsigned g = 0; g < s->groups[b]; g++) {
			const struct quick *q = &s->quick[b][g];
			__m256i x = _mm256_and_si256(_mm256_or_si256(window, load(q->lower)), load(q->mask));

			if (_mm256_movemask_epi8(_mm256_cmpeq_epi32(x, load(q->window))))
				return true;
		}
	}
	return false;
}

/* What was found in 32 bytes: hits, with the buckets of each byte, and line ends. False: the scan ended. */
AVX2 static bool take_hits(struct scan *s, const char *p, unsigned hits, __m256i buckets, unsigned ends, unsigned *lines)
{
	unsigned char bits[32];

	_mm256_storeu_si256((__m256i *)(void *)bits, buckets);
	for (; hits; hits &= hits - 1) {
		unsigned i = (unsigned)__builtin_ctz(hits), before;

		if (!fits_needle(s->sieve, p + i, bits[i]))
			continue;
		before = (unsigned)__builtin_popcount(ends & ((1u << i) - 1));
		if (!candidate(s, p + i, bits[i], *lines + before)) {
			*lines += before;
			return false;
		}
	}
	return true;
}

/* Cells are looked for where digits are, in this block or at the end of the last. */
AVX2 static void take_cells(struct scan *s, const char *p)
{
	for (unsigned cells = block_cells(p); cells && !(s->seen & SEEN_CELLS); cells &= cells - 1)
		take_cell(s, p + __builtin_ctz(cells));
}

/* The buckets of which place k of a window may be each of the 32 bytes at p + k. */
#define PLACE(k) \
	_mm256_and_si256(_mm256_shuffle_epi8(low##k, _mm256_and_si256(load(p + (k)), nibble)), \
			 _mm256_shuffle_epi8(high##k, _mm256_and_si256(_mm256_srli_epi16(load(p + (k)), 4), nibble)))
#define MASKS(k) \
	const __m256i low##k = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)v->low[k])), \
		      high##k = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)v->high[k]))

AVX2 static bool scan_avx2(struct scan *s, const char *p, unsigned *lines)
{
	const struct sieve *v = s->sieve;
	const char *last = s->end - (32 + WINDOW);
	const __m256i nibble = _mm256_set1_epi8(15);
	unsigned last_digits = 0;
	MASKS(0);
	MASKS(1);
	MASKS(2);
	MASKS(3);
	MASKS(4);

	G_STATIC_ASSERT(WINDOW == 5);
	/* The first block is not looked at beyond its beginning. */
	if (p <= last) {
		if (!scan_bytes(s, p, p + 32, lines))
			return false;
		p += 32;
	}
	for (; p <= last; p += 32) {
		__m256i all, here = load(p);
		unsigned hits, ends, odd, digits;

		_mm_prefetch(p + PREFETCH, _MM_HINT_T0);
		all = _mm256_and_si256(_mm256_and_si256(PLACE(0), PLACE(1)), _mm256_and_si256(PLACE(2), PLACE(3)));
		all = _mm256_and_si256(all, PLACE(4));
		hits = ~EQUAL(all, 0);
		ends = EQUAL(here, '\n');
		odd = (unsigned)_mm256_movemask_epi8(
			_mm256_or_si256(_mm256_cmpeq_epi8(_mm256_min_epu8(here, _mm256_set1_epi8(8)), here),
					_mm256_cmpeq_epi8(here, _mm256_set1_epi8(0x1b))));
		digits = digit_bits(here);
		/* An odd byte counts for the message that it is in: where a border is near, bytes decide. */
		if (odd && s->odd_passes) {
			if (!scan_bytes(s, p, p + 32, lines))
				return false;
			last_digits = digits;
			continue;
		}
		if ((digits | last_digits >> 30) && *v->tables && !(s->seen & (SEEN_CELLS | SEEN_RESULT)))
			take_cells(s, p);
		last_digits = digits;
		if (hits && !take_hits(s, p, hits, all, ends, lines))
			return false;
		*lines += (unsigned)__builtin_popcount(ends);
	}
	return scan_bytes(s, p, s->end, lines);
}
#endif

/* The whole scan. False when it ended at a border. */
static bool scan_run(struct scan *s, unsigned *lines)
{
#if defined(__x86_64__)
	if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt"))
		return scan_avx2(s, s->begin, lines);
#endif
	return scan_bytes(s, s->begin, s->end, lines);
}

/* --- decoding, only to look --- */

static bool text_passes(const struct sieve *sieve, const char *p, const char *end, bool odd_passes)
{
	struct scan s = { .sieve = sieve, .begin = p, .end = end, .odd_passes = odd_passes };
	unsigned lines = 0;

	scan_run(&s, &lines);
	return has_result(sieve, s.seen, p, end);
}

/* Soft line breaks and =XX undone. */
static size_t undo_quoted(const char *p, const char *end, char *out)
{
	char *to = out;

	while (p < end) {
		if (*p != '=') {
			const char *next = memchr(p, '=', (size_t)(end - p));
			size_t n = (size_t)((next ? next : end) - p);

			memcpy(to, p, n);
			to += n;
			p += n;
			continue;
		}
		if (end - p > 2 && g_ascii_isxdigit(p[1]) && g_ascii_isxdigit(p[2])) {
			*to++ = (char)(g_ascii_xdigit_value(p[1]) << 4
				       | g_ascii_xdigit_value(p[2]));
			p += 3;
			continue;
		}
		for (p++; p < end && (*p == ' ' || *p == '\t' || *p == '\r'); p++)
			;
		if (p < end && *p == '\n')
			p++;
	}
	return (size_t)(to - out);
}

static const signed char *base64_values(void)
{
	static signed char values[256];
	static gsize once;

	if (g_once_init_enter(&once)) {
		static const char digits[] =
			"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

		memset(values, -1, sizeof values);
		for (int i = 0; i < 64; i++)
			values[(unsigned char)digits[i]] = (signed char)i;
		g_once_init_leave(&once, 1);
	}
	return values;
}

/* One line may begin a new run of base64: a blank one, a boundary, a header field. */
static bool breaks_run(const char *p, const char *eol)
{
	return eol - p < 2 || *p == '-' || memchr(p, ':', (size_t)MIN(eol - p, 40));
}

/*
 * A run of base64 that was decoded from `run` up to `to` is done: noise is forgotten, since no part of a message that holds it is
 * read. *packed: it is a packed file. Returns where the next run goes.
 */
static char *end_run(char *run, char *to, bool *packed)
{
	size_t len = (size_t)(to - run);

	*packed = *packed || archive_probe(run, len);
	return mail_is_noise(run, len) ? run : to;
}

/* One line decoded; bits and have hold what is left over of the line before. */
static char *undo_base64_line(const char *p, const char *eol, char *to, unsigned *bits, unsigned *have)
{
	const signed char *values = base64_values();

	while (p < eol) {
		signed char v;

		if (!*have && eol - p >= 4) {
			const unsigned char *q = (const unsigned char *)p;
			int a = values[q[0]], b = values[q[1]], c = values[q[2]], d = values[q[3]];

			if ((a | b | c | d) >= 0) {
				*to++ = (char)(a << 2 | b >> 4);
				*to++ = (char)(b << 4 | c >> 2);
				*to++ = (char)(c << 6 | d);
				p += 4;
				continue;
			}
		}
		v = values[(unsigned char)*p++];
		if (v < 0)
			continue;
		*bits = *bits << 6 | (unsigned)v;
		if (++*have == 4) {
			*to++ = (char)(*bits >> 16);
			*to++ = (char)(*bits >> 8);
			*to++ = (char)*bits;
			*have = 0;
		}
	}
	return to;
}

/* Every run of lines decoded as base64, whatever they are. *packed: a run is a packed file. */
static size_t undo_base64(const char *p, const char *end, char *out, bool *packed)
{
	char *to = out, *run = out;
	unsigned bits = 0, have = 0;

	while (p < end) {
		const char *eol = memchr(p, '\n', (size_t)(end - p));

		if (!eol)
			eol = end;
		if (breaks_run(p, eol)) {
			run = to = end_run(run, to, packed);
			have = 0;
		} else {
			to = undo_base64_line(p, eol, to, &bits, &have);
		}
		p = eol + 1;
	}
	/* The last bytes of a run that was cut. */
	for (; have > 1; have--)
		*to++ = (char)(bits >> (have == 3 ? 10 : 4));
	return (size_t)(end_run(run, to, packed) - out);
}

/* Undoes what transfer encodings were seen, each for the whole message, and looks again. */
static bool decoded_passes(const struct sieve *s, unsigned seen, const char *p, const char *end)
{
	g_autofree char *out = NULL;
	bool packed = false;

	if (!(seen & (SEEN_QUOTED | SEEN_BASE64)))
		return false;
	out = g_malloc((size_t)(end - p) + 4);
	if ((seen & SEEN_QUOTED) && text_passes(s, out, out + undo_quoted(p, end, out), true))
		return true;
	if (!(seen & SEEN_BASE64))
		return false;
	return text_passes(s, out, out + undo_base64(p, end, out, &packed), false) || packed;
}

/* --- the ways in --- */

bool sieve_message(const struct sieve *sieve, const char *message, size_t len)
{
	struct scan s = {
		.sieve = sieve, .begin = message, .end = message + len, .odd_passes = true
	};
	unsigned lines = 0;

	scan_run(&s, &lines);
	return has_result(sieve, s.seen, message, message + len)
	       || ((s.seen & SEEN_HTML) && !(s.seen & SEEN_PLAIN))
	       || decoded_passes(sieve, s.seen, message, message + len);
}

const char *sieve_mbox(const struct sieve *sieve, const struct mbox *m, const char *from,
		       const char *until, void (*pass)(const struct sifted *message, void *data),
		       void *data, unsigned *lines)
{
	struct scan s = { .sieve = sieve,
			  .mbox = m,
			  .begin = from,
			  .end = m->end,
			  .until = until,
			  .stopped = m->end,
			  .message = from,
			  .odd_passes = true,
			  .pass = pass,
			  .data = data };
	unsigned count = 0;

	if (scan_run(&s, &count)) {
		end_message(&s, m->end);
		*lines = count;
	} else {
		*lines = s.message_lines;
	}
	return s.stopped;
}
