/*
 * The sieve: a vector search for many literals at once. Each literal is known by a window of four bytes, chosen to be rare; a
 * byte of a window is looked up by its two halves, and the literals share eight bits of the result
 * ("Teddy", as in Hyperscan). What is found is compared in full; a message without any literal, not
 * even in its decoded base64 or quoted-printable text, is left out.
 */
#include <glib.h>
#include <string.h>
#include "lib/sieve.h"
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define WINDOW 4
#define BUCKETS 8
#define WORD_LINES 8            /* lines after a table's word in which a row with numbers stands */
#define PREFETCH 2048

enum needle_kind {
	NEEDLE_LITERAL,                 /* of a parser: the message may hold a result */
	NEEDLE_WORD,                    /* of a table's heading: if numbers stand below */
	NEEDLE_BORDER,                  /* "\nFrom " */
	NEEDLE_ENCODING,                /* Content-Transfer-Encoding: */
	NEEDLE_HTML, NEEDLE_PLAIN,      /* text/html, text/plain */
	NEEDLE_WIDE                     /* utf-16: literals do not show */
};

struct needle {
	const char *text;               /* blanks in it stand for any run of blanks, line ends and quote marks */
	size_t len, at;                 /* at: of the window in it */
	enum needle_kind kind;
	bool fold;                      /* in either case */
	unsigned char bucket;
};

struct sieve {
	GArray *needles;                /* struct needle, by bucket */
	unsigned first[BUCKETS + 1];    /* of each bucket in needles */
	unsigned char low[WINDOW][16], high[WINDOW][16];
	unsigned char byte[WINDOW][256];
};

/* --- building --- */

/* How common a byte is in mail, roughly, of 1000. */
static unsigned frequency(unsigned char c)
{
	static const char common[] = " etaoinsrhldcumfpgwyb";
	const char *at = c ? strchr(common, c) : NULL;

	if (at)
		return at == common ? 170 : 90 - 4 * (unsigned)(at - common);
	if (g_ascii_islower(c))
		return 8;
	if (g_ascii_isdigit(c))
		return 7;
	if (c == '\n')
		return 22;
	return g_ascii_isupper(c) ? 3 : strchr(".,-/:_", c) && c ? 8 : 2;
}

/* A byte that the window's place k of the needle may be. Beyond the needle: no letter, so that short words stand alone. */
static bool may_be(const struct needle *n, unsigned k, unsigned char c)
{
	unsigned char want;

	if (n->at + k >= n->len)
		return n->kind != NEEDLE_WORD || !g_ascii_isalpha(c);
	want = (unsigned char)n->text[n->at + k];
	if (want == ' ')
		return true;
	return c == want || (n->fold && g_ascii_tolower(c) == g_ascii_tolower(want));
}

/* The rarest window of the needle. */
static void choose_window(struct needle *n)
{
	double best = 1e30;

	for (size_t at = 0; at < n->len && (at == 0 || best == 1e30 || at + WINDOW <= n->len); at++) {
		double cost = 1;

		for (size_t k = 0; k < WINDOW; k++) {
			unsigned char c = at + k < n->len ? (unsigned char)n->text[at + k] : ' ';

			cost *= c == ' ' ? 1000 : n->fold ? frequency(g_ascii_tolower(c)) + frequency(g_ascii_toupper(c)) : frequency(c);
		}
		if (cost < best && n->text[at] != ' ') {
			best = cost;
			n->at = at;
		}
	}
}

static void add_needle(struct sieve *s, const char *text, enum needle_kind kind, bool fold)
{
	struct needle n = { .kind = kind, .fold = fold };

	n.text = text;
	n.len = strlen(text);
	/* A blank at its end may be a line's end that is not there; one before it is in any row that it is inside of. */
	while (n.len && text[n.len - 1] == ' ')
		n.len--;
	if (!text[strspn(text, " ")])
		return;
	choose_window(&n);
	g_array_append_val(s->needles, n);
}

/* How much text the masks of a bucket let through, with n added. */
static double bucket_cost(const struct sieve *s, unsigned bucket, const struct needle *n)
{
	double cost = 1;

	for (unsigned k = 0; k < WINDOW; k++) {
		unsigned low = 0, high = 0, sum = 0;

		for (unsigned i = 0; i < 16; i++) {
			low |= (unsigned)(s->low[k][i] >> bucket & 1) << i;
			high |= (unsigned)(s->high[k][i] >> bucket & 1) << i;
		}
		for (unsigned c = 0; c < 256; c++)
			if (may_be(n, k, (unsigned char)c)) {
				low |= 1u << (c & 15);
				high |= 1u << (c >> 4);
			}
		for (unsigned c = 0; c < 256; c++)
			if ((low >> (c & 15) & 1) && (high >> (c >> 4) & 1))
				sum += frequency((unsigned char)c);
		cost *= sum / 1000.0;
	}
	return cost;
}

static void put_in_bucket(struct sieve *s, struct needle *n, unsigned bucket)
{
	n->bucket = (unsigned char)bucket;
	for (unsigned k = 0; k < WINDOW; k++)
		for (unsigned c = 0; c < 256; c++)
			if (may_be(n, k, (unsigned char)c)) {
				s->low[k][c & 15] |= (unsigned char)(1u << bucket);
				s->high[k][c >> 4] |= (unsigned char)(1u << bucket);
				s->byte[k][c] |= (unsigned char)(1u << bucket);
			}
}

static int by_bucket(const void *a, const void *b)
{
	const struct needle *x = a, *y = b;

	return (int)x->bucket - (int)y->bucket;
}

/* Each needle goes where it makes the masks least worse. */
static void fill_buckets(struct sieve *s)
{
	double now[BUCKETS] = { 0 };

	for (guint i = 0; i < s->needles->len; i++) {
		struct needle *n = &g_array_index(s->needles, struct needle, i);
		unsigned best = 0;
		double least = 1e30, cost_there = 0;

		for (unsigned b = 0; b < BUCKETS; b++) {
			double cost = bucket_cost(s, b, n);

			if (cost - now[b] < least) {
				least = cost - now[b];
				cost_there = cost;
				best = b;
			}
		}
		now[best] = cost_there;
		put_in_bucket(s, n, best);
	}
	g_array_sort(s->needles, by_bucket);
	for (unsigned b = 0, i = 0; b <= BUCKETS; b++) {
		while (i < s->needles->len && g_array_index(s->needles, struct needle, i).bucket < b)
			i++;
		s->first[b] = i;
	}
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
	for (size_t i = 0; parsers[i]; i++) {
		const struct parser *p = only ? only : parsers[i];
		/* A parser without row shapes reads tables: its literals are words of headings. */
		bool words = !p->shapes;

		for (const char *const *l = p->literals; l && *l; l++)
			add_needle(s, *l, words ? NEEDLE_WORD : NEEDLE_LITERAL, words);
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

static bool is_gap(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '>' || c == '\xc2' || c == '\xa0' || c == '=';
}

static bool same_byte(const struct needle *n, char want, char c)
{
	return c == want || (n->fold && g_ascii_tolower(c) == g_ascii_tolower(want));
}

/* Does the needle stand at the place where its window was found? *begin, *after: its ends in the text. */
static bool needle_at(const struct needle *n, const char *begin, const char *end, const char *hit, const char **first, const char **after)
{
	const char *p = hit;

	for (size_t i = n->at; i < n->len; i++) {
		if (n->text[i] == ' ') {
			const char *q = p;

			while (p < end && p - q < 64 && is_gap(*p))
				p++;
			if (p == q)
				return false;
		} else if (p == end || !same_byte(n, n->text[i], *p++)) {
			return false;
		}
	}
	*after = p;
	p = hit;
	for (size_t i = n->at; i-- > 0;) {
		if (n->text[i] == ' ') {
			const char *q = p;

			while (p > begin && q - p < 64 && is_gap(p[-1]))
				p--;
			if (p == q)
				return false;
		} else if (p == begin || !same_byte(n, n->text[i], *--p)) {
			return false;
		}
	}
	*first = p;
	return true;
}

/* Does one of the lines from p on hold two numbers, or a number and nothing before it but a label? */
static bool numbers_near(const char *p, const char *end)
{
	unsigned lines = 0, numbers = 0;
	bool inside = false;

	if (end - p > 2000)
		end = p + 2000;
	for (; p < end && lines <= WORD_LINES; p++) {
		if (*p == '\n') {
			lines++;
			numbers = 0;
			inside = false;
		} else if (*p == '.' && p + 2 < end && p[1] == ' ' && p[2] == '.') {
			numbers = MAX(numbers, 1);      /* dot leaders: one number stands behind them */
		} else if (g_ascii_isdigit(*p)) {
			if (!inside && ++numbers >= 2)
				return true;
			inside = true;
		} else if (*p != '.' && *p != ',') {
			inside = false;
		}
	}
	return false;
}

/* --- a scan --- */

enum { SEEN_RESULT = 1, SEEN_QUOTED = 2, SEEN_BASE64 = 4, SEEN_HTML = 8, SEEN_PLAIN = 16 };

struct scan {
	const struct sieve *sieve;
	const struct mbox *mbox;        /* NULL: one text, borders do not count */
	const char *begin, *end;
	const char *until;              /* stop at the first border here or later */
	const char *stopped;            /* there */
	const char *message;            /* the present one's separator line */
	unsigned message_lines;
	unsigned seen;
	bool odd_passes;                /* a byte that hides literals lets the message pass */
	void (*pass)(const struct sifted *message, void *data);
	void *data;
};

static bool decoded_passes(const struct sieve *s, unsigned seen, const char *p, const char *end);

/* The transfer encoding that the header line says: none, one to undo, or one that only GMime knows. */
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
	if (!g_ascii_strncasecmp(p, "7bit", 4) || !g_ascii_strncasecmp(p, "8bit", 4) || !g_ascii_strncasecmp(p, "binary", 6))
		return 0;
	return SEEN_RESULT;
}

/* The present message ends at `at`: it passes, or not. */
static void end_message(struct scan *s, const char *at)
{
	const char *body;
	bool keep;

	if (!s->message)
		return;
	body = mbox_message(s->mbox, s->message);
	keep = (s->seen & SEEN_RESULT) || ((s->seen & SEEN_HTML) && !(s->seen & SEEN_PLAIN))
	       || decoded_passes(s->sieve, s->seen, body, at);
	if (keep && body < at) {
		struct sifted m = { body, at, s->message_lines + 1 };

		s->pass(&m, s->data);
	}
	s->seen = 0;
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

/* A window was found at p, of the buckets in `bits`; `lines` line ends are before p. False: the scan ends. */
static bool candidate(struct scan *s, const char *p, unsigned bits, unsigned lines)
{
	for (; bits; bits &= bits - 1) {
		unsigned b = (unsigned)__builtin_ctz(bits);

		for (unsigned i = s->sieve->first[b]; i < s->sieve->first[b + 1]; i++) {
			const struct needle *n = &g_array_index(s->sieve->needles, struct needle, i);
			const char *first, *after;

			if ((s->seen & SEEN_RESULT) && n->kind != NEEDLE_BORDER)
				continue;
			if (!needle_at(n, s->begin, s->end, p, &first, &after))
				continue;
			switch (n->kind) {
			case NEEDLE_LITERAL:
			case NEEDLE_WIDE:
				s->seen |= SEEN_RESULT;
				break;
			case NEEDLE_WORD:
				if ((first == s->begin || !g_ascii_isalpha(first[-1])) && (after == s->end || !g_ascii_isalpha(*after))
				    && numbers_near(after, s->end))
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

/* Bytes that hide a literal from the sieve: NUL, backspace, escape. */
static bool is_odd(unsigned char c)
{
	return c <= 8 || c == 0x1b;
}

/* The search without vectors, also for the last bytes of the other. Returns false when the scan ended. */
static bool scan_bytes(struct scan *s, const char *p, const char *stop, unsigned *lines)
{
	const struct sieve *v = s->sieve;
	const unsigned char *end = (const unsigned char *)s->end;

	for (const unsigned char *q = (const unsigned char *)p; q < (const unsigned char *)stop; q++) {
		unsigned bits = v->byte[0][*q];

		for (unsigned k = 1; bits && k < WINDOW; k++)
			bits &= q + k < end ? v->byte[k][q[k]] : v->byte[k][' '];
		if (is_odd(*q) && s->odd_passes)
			s->seen |= SEEN_RESULT;
		if (bits && !candidate(s, (const char *)q, bits, *lines))
			return false;
		*lines += *q == '\n';
	}
	return true;
}

#if defined(__x86_64__)
__attribute__((target("avx2,popcnt")))
static bool scan_avx2(struct scan *s, const char *p, unsigned *lines)
{
	const __m256i nibble = _mm256_set1_epi8(15), eight = _mm256_set1_epi8(8), escape = _mm256_set1_epi8(0x1b);
	const __m256i newline = _mm256_set1_epi8('\n'), zero = _mm256_setzero_si256();
	__m256i low[WINDOW], high[WINDOW];

	for (unsigned k = 0; k < WINDOW; k++) {
		low[k] = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)s->sieve->low[k]));
		high[k] = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)s->sieve->high[k]));
	}
	for (; s->end - p >= 32 + WINDOW; p += 32) {
		__m256i v, all = zero, odd;
		unsigned hits, ends;

		_mm_prefetch(p + PREFETCH, _MM_HINT_T0);
		for (unsigned k = 0; k < WINDOW; k++) {
			__m256i w = _mm256_loadu_si256((const __m256i *)(const void *)(p + k));
			__m256i r = _mm256_and_si256(_mm256_shuffle_epi8(low[k], _mm256_and_si256(w, nibble)),
			                             _mm256_shuffle_epi8(high[k], _mm256_and_si256(_mm256_srli_epi16(w, 4), nibble)));

			all = k ? _mm256_and_si256(all, r) : r;
		}
		v = _mm256_loadu_si256((const __m256i *)(const void *)p);
		odd = _mm256_or_si256(_mm256_cmpeq_epi8(_mm256_min_epu8(v, eight), v), _mm256_cmpeq_epi8(v, escape));
		hits = ~(unsigned)_mm256_movemask_epi8(_mm256_cmpeq_epi8(all, zero));
		ends = (unsigned)_mm256_movemask_epi8(_mm256_cmpeq_epi8(v, newline));
		if (hits | (unsigned)_mm256_movemask_epi8(odd)) {
			unsigned char bits[32];

			/* An odd byte counts for the message that it is in: where a border is near, bytes decide. */
			if (_mm256_movemask_epi8(odd) && s->odd_passes) {
				if (!scan_bytes(s, p, p + 32, lines))
					return false;
				continue;
			}
			_mm256_storeu_si256((__m256i *)(void *)bits, all);
			for (unsigned left = hits; left; left &= left - 1) {
				unsigned i = (unsigned)__builtin_ctz(left);
				unsigned before = (unsigned)__builtin_popcount(ends & ((1u << i) - 1));

				if (!candidate(s, p + i, bits[i], *lines + before)) {
					*lines += before;
					return false;
				}
			}
		}
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

static bool text_passes(const struct sieve *sieve, const char *p, const char *end)
{
	struct scan s = { .sieve = sieve, .begin = p, .end = end };
	unsigned lines = 0;

	scan_run(&s, &lines);
	return (s.seen & SEEN_RESULT) != 0;
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
			*to++ = (char)(g_ascii_xdigit_value(p[1]) << 4 | g_ascii_xdigit_value(p[2]));
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

/* What packed files begin with. */
static bool is_packed(const char *p, size_t len)
{
	static const char *const magics[] = { "\x1f\x8b", "PK\3\4", "BZh", "\xfd" "7z", "\x28\xb5\x2f\xfd", "7z\xbc", "\x1f\x9d" };

	for (size_t i = 0; i < G_N_ELEMENTS(magics); i++)
		if (len >= 4 && !memcmp(p, magics[i], strlen(magics[i])))
			return true;
	return false;
}

static const signed char *base64_values(void)
{
	static signed char values[256];
	static gsize once;

	if (g_once_init_enter(&once)) {
		static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

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

/* Every run of lines decoded as base64, whatever they are. *packed: a run is a packed file. */
static size_t undo_base64(const char *p, const char *end, char *out, bool *packed)
{
	const signed char *values = base64_values();
	char *to = out, *run = out;
	unsigned bits = 0, have = 0;

	while (p < end) {
		const char *eol = memchr(p, '\n', (size_t)(end - p));

		if (!eol)
			eol = end;
		if (breaks_run(p, eol)) {
			*packed = *packed || is_packed(run, (size_t)(to - run));
			run = to;
			have = 0;
			p = eol + 1;
			continue;
		}
		while (p < eol) {
			signed char v;

			if (!have && eol - p >= 4) {
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
			bits = bits << 6 | (unsigned)v;
			if (++have == 4) {
				*to++ = (char)(bits >> 16);
				*to++ = (char)(bits >> 8);
				*to++ = (char)bits;
				have = 0;
			}
		}
		p++;
	}
	/* The last bytes of a run that was cut. */
	for (; have > 1; have--)
		*to++ = (char)(bits >> (have == 3 ? 10 : 4));
	*packed = *packed || is_packed(run, (size_t)(to - run));
	return (size_t)(to - out);
}

/* Undoes what transfer encodings were seen, each for the whole message, and looks again. */
static bool decoded_passes(const struct sieve *s, unsigned seen, const char *p, const char *end)
{
	g_autofree char *out = NULL;
	bool packed = false;

	if (!(seen & (SEEN_QUOTED | SEEN_BASE64)))
		return false;
	out = g_malloc((size_t)(end - p) + 4);
	if ((seen & SEEN_QUOTED) && text_passes(s, out, out + undo_quoted(p, end, out)))
		return true;
	if (!(seen & SEEN_BASE64))
		return false;
	return text_passes(s, out, out + undo_base64(p, end, out, &packed)) || packed;
}

/* --- the ways in --- */

bool sieve_message(const struct sieve *sieve, const char *message, size_t len)
{
	struct scan s = { .sieve = sieve, .begin = message, .end = message + len, .odd_passes = true };
	unsigned lines = 0;

	scan_run(&s, &lines);
	return (s.seen & SEEN_RESULT) || ((s.seen & SEEN_HTML) && !(s.seen & SEEN_PLAIN))
	       || decoded_passes(sieve, s.seen, message, message + len);
}

const char *sieve_mbox(const struct sieve *sieve, const struct mbox *m, const char *from, const char *until,
                       void (*pass)(const struct sifted *message, void *data), void *data, unsigned *lines)
{
	struct scan s = { .sieve = sieve, .mbox = m, .begin = from, .end = m->end, .until = until, .stopped = m->end,
	                  .message = from, .odd_passes = true, .pass = pass, .data = data };
	unsigned count = 0;

	if (scan_run(&s, &count)) {
		end_message(&s, m->end);
		*lines = count;
	} else {
		*lines = s.message_lines;
	}
	return s.stopped;
}
