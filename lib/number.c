/*
 * Exact decimal numbers. What fits is done in 64-bit integers; what may not (products, quotients, sums of many) in GMP.
 */
#include "lib/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <glib.h>
#include <gmp.h>

/* Beyond 10^±30 no latency, count or percentage lies; and NUMBER_TEXT holds sign, 15 digits, 30 zeros. */
#define EXPONENT_LIMIT 30
#define COEFFICIENT_LIMIT INT64_C(1000000000000000)     /* 10^NUMBER_DIGITS */
#define SUM_TEXT_LIMIT 4096             /* characters of a sum that is read: more is hostile */

static const int64_t powers[] = {
	INT64_C(1), INT64_C(10), INT64_C(100), INT64_C(1000), INT64_C(10000), INT64_C(100000),
	INT64_C(1000000), INT64_C(10000000), INT64_C(100000000), INT64_C(1000000000),
	INT64_C(10000000000), INT64_C(100000000000), INT64_C(1000000000000),
	INT64_C(10000000000000), INT64_C(100000000000000), INT64_C(1000000000000000),
	INT64_C(10000000000000000), INT64_C(100000000000000000), INT64_C(1000000000000000000)
};
#define POWERS_MAX 18

struct number_sum {
	mpz_t value;            /* the sum is value * 10^exponent */
	long exponent;
};

static int digits_of(int64_t v)
{
	int n = 1;

	v = v < 0 ? -v : v;
	while (n <= POWERS_MAX && v >= powers[n])
		n++;
	return n;
}

struct number number_null(void)
{
	return (struct number){ .state = NUMBER_NULL };
}

struct number number_absent(void)
{
	return (struct number){ .state = NUMBER_ABSENT };
}

/* v / 10^drop rounded half-even; sticky: v had a further nonzero fraction cut off before. */
static int64_t drop_digits(int64_t v, int drop, bool sticky)
{
	int64_t magnitude = v < 0 ? -v : v, rest, quotient, half;

	if (drop <= 0)
		return v;
	if (drop > POWERS_MAX)
		return 0;
	quotient = magnitude / powers[drop];
	rest = magnitude % powers[drop];
	half = powers[drop] / 2;
	if (rest > half || (rest == half && (sticky || quotient % 2)))
		quotient++;
	return v < 0 ? -quotient : quotient;
}

/* The normal form of coefficient * 10^exponent, |coefficient| < 10^18, rounded half-even to 15 digits. */
static struct number make(int64_t coefficient, long exponent, bool sticky)
{
	int drop = digits_of(coefficient) - NUMBER_DIGITS;

	if (drop < -EXPONENT_LIMIT - exponent)
		drop = (int)MIN(-EXPONENT_LIMIT - exponent, POWERS_MAX + 1);
	if (drop > 0) {
		coefficient = drop_digits(coefficient, drop, sticky);
		exponent += drop;
	}
	if (!coefficient)
		return (struct number){ .state = NUMBER_SET };
	while (coefficient % 10 == 0) {
		coefficient /= 10;
		exponent++;
	}
	if (exponent < -EXPONENT_LIMIT || exponent > EXPONENT_LIMIT)
		return number_null();
	return (struct number){ coefficient, (int16_t)exponent, NUMBER_SET };
}

/* GMP's own conversions take a long, which has 32 bits on many a board. */
static void set_int64(mpz_t out, int64_t v)
{
	uint64_t magnitude = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;

	mpz_import(out, 1, -1, sizeof(magnitude), 0, 0, &magnitude);
	if (v < 0)
		mpz_neg(out, out);
}

/* |v| < 2^63 */
static int64_t get_int64(const mpz_t v)
{
	uint64_t magnitude = 0;

	mpz_export(&magnitude, NULL, -1, sizeof(magnitude), 0, 0, v);
	return mpz_sgn(v) < 0 ? -(int64_t)magnitude : (int64_t)magnitude;
}

/* The same of a GMP integer; sticky as above. v is changed. */
static struct number make_big(mpz_t v, long exponent, bool sticky)
{
	size_t size = mpz_sizeinbase(v, 10);    /* exact or one too big */

	if (size > POWERS_MAX) {
		mpz_t power, rest;
		unsigned long drop = size - POWERS_MAX;

		mpz_inits(power, rest, NULL);
		mpz_ui_pow_ui(power, 10, drop);
		mpz_tdiv_qr(v, rest, v, power);
		sticky = sticky || mpz_sgn(rest);
		exponent += (long)drop;
		mpz_clears(power, rest, NULL);
	}
	return make(get_int64(v), exponent, sticky);
}

bool number_is_blotted(const char *p, const char *end)
{
	static const char between[] = "*#~=_$!oOlIx-:/";

	if (p >= end)
		return false;
	if (*p == '?' || (end - p >= 3 && !memcmp(p, "\357\277\275", 3)))
		return true;
	/* "20O": an O or l in place of the last digit. */
	if ((*p == 'O' || *p == 'o' || *p == 'l') && (end - p == 1 || !g_ascii_isalnum(p[1])))
		return true;
	return end - p > 1 && *p && strchr(between, *p) && p[1] >= '0' && p[1] <= '9';
}

struct number number_int(int64_t value)
{
	if (value <= -COEFFICIENT_LIMIT || value >= COEFFICIENT_LIMIT)
		return number_null();
	return make(value, 0, false);
}

/* Reads the optional exponent part text[i..len); false when it is malformed. Values are capped far beyond the limit. */
static bool read_exponent(const char *text, size_t len, size_t i, long *out)
{
	bool negative = false;
	long value = 0;

	*out = 0;
	if (i == len)
		return true;
	if (text[i] != 'e' && text[i] != 'E')
		return false;
	i++;
	if (i < len && (text[i] == '+' || text[i] == '-'))
		negative = text[i++] == '-';
	if (i == len)
		return false;
	for (; i < len; i++) {
		if (!g_ascii_isdigit(text[i]))
			return false;
		value = MIN(value * 10 + (text[i] - '0'), 1000000);
	}
	*out = negative ? -value : value;
	return true;
}

enum number_status number_parse(const char *text, size_t len, int scale, struct number *out)
{
	size_t i = 0, any = 0;
	long significant = 0;
	bool negative = false, point = false, too_long = false;
	int64_t coefficient = 0;
	long exponent = 0, zeros = 0, extra;

	*out = number_absent();
	if (i < len && (text[i] == '-' || text[i] == '+'))
		negative = text[i++] == '-';
	for (; i < len; i++) {
		char c = text[i];

		if (c == '.' && !point) {
			point = true;
			continue;
		}
		if (!g_ascii_isdigit(c))
			break;
		any++;
		exponent -= point;
		/* zeros wait, since those at the end are not significant */
		if (c == '0') {
			zeros += coefficient != 0;
			continue;
		}
		significant += zeros + 1;
		if (significant > NUMBER_DIGITS)
			too_long = true;
		if (!too_long)
			coefficient = coefficient * powers[zeros + 1] + (c - '0');
		zeros = 0;
	}
	if (!any || !read_exponent(text, len, i, &extra))
		return NUMBER_NONE;
	*out = number_null();
	if (too_long)
		return NUMBER_TOO_LONG;
	if (!coefficient) {
		*out = number_int(0);
		return NUMBER_OK;
	}
	exponent += zeros + extra + scale;
	if (exponent < -EXPONENT_LIMIT || exponent > EXPONENT_LIMIT)
		return NUMBER_TOO_LONG;
	*out = (struct number){ negative ? -coefficient : coefficient, (int16_t)exponent, NUMBER_SET };
	return NUMBER_OK;
}

struct number number_from_double(double value)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE];
	struct number n;

	if (!isfinite(value))
		return number_null();
	g_ascii_formatd(text, sizeof(text), "%.15g", value);
	number_parse(text, strlen(text), 0, &n);
	return n;
}

double number_to_double(struct number n)
{
	char text[NUMBER_TEXT];

	return number_is_set(n) ? g_ascii_strtod(number_print(n, text), NULL) : NAN;
}

int number_cmp(struct number a, struct number b)
{
	int sign_a = (a.coefficient > 0) - (a.coefficient < 0), sign_b = (b.coefficient > 0) - (b.coefficient < 0);
	int size_a, size_b;

	if (sign_a != sign_b || !sign_a)
		return (sign_a > sign_b) - (sign_a < sign_b);
	size_a = digits_of(a.coefficient) + a.exponent;
	size_b = digits_of(b.coefficient) + b.exponent;
	if (size_a != size_b)
		return size_a > size_b ? sign_a : -sign_a;
	/* Equal magnitude: the exponents differ by less than 15, and the scaled coefficient has at most 15 digits. */
	if (a.exponent > b.exponent)
		a.coefficient *= powers[a.exponent - b.exponent];
	else
		b.coefficient *= powers[b.exponent - a.exponent];
	return (a.coefficient > b.coefficient) - (a.coefficient < b.coefficient);
}

bool number_equal(struct number a, struct number b)
{
	if (a.state != b.state)
		return false;
	return a.state != NUMBER_SET || (a.coefficient == b.coefficient && a.exponent == b.exponent);
}

struct number number_scale(struct number n, int exp10)
{
	long exponent = (long)n.exponent + exp10;

	if (!number_is_set(n) || !n.coefficient)
		return n;
	if (exponent < -EXPONENT_LIMIT || exponent > EXPONENT_LIMIT)
		return number_null();
	n.exponent = (int16_t)exponent;
	return n;
}

/* c * 10^power as a GMP integer; power >= 0 */
static void scaled(mpz_t out, int64_t c, unsigned long power)
{
	mpz_t x;

	mpz_init(x);
	set_int64(x, c);
	mpz_ui_pow_ui(out, 10, power);
	mpz_mul(out, out, x);
	mpz_clear(x);
}

struct number number_add(struct number a, struct number b)
{
	struct number sum;
	mpz_t x, y;
	int gap;

	if (!number_is_set(a) || !number_is_set(b))
		return number_absent();
	if (a.exponent < b.exponent) {
		struct number t = a;

		a = b;
		b = t;
	}
	gap = a.exponent - b.exponent;
	if (!a.coefficient)
		return b;
	if (digits_of(a.coefficient) + gap < POWERS_MAX)
		return make(a.coefficient * powers[gap] + b.coefficient, b.exponent, false);
	mpz_inits(x, y, NULL);
	set_int64(y, b.coefficient);
	scaled(x, a.coefficient, (unsigned long)gap);
	mpz_add(x, x, y);
	sum = make_big(x, b.exponent, false);
	mpz_clears(x, y, NULL);
	return sum;
}

struct number number_sub(struct number a, struct number b)
{
	b.coefficient = -b.coefficient;
	return number_add(a, b);
}

struct number number_mul(struct number a, struct number b)
{
	struct number product;
	mpz_t x, y;

	if (!number_is_set(a) || !number_is_set(b))
		return number_absent();
	if (digits_of(a.coefficient) + digits_of(b.coefficient) <= POWERS_MAX)
		return make(a.coefficient * b.coefficient, a.exponent + b.exponent, false);
	mpz_inits(x, y, NULL);
	set_int64(x, a.coefficient);
	set_int64(y, b.coefficient);
	mpz_mul(x, x, y);
	product = make_big(x, a.exponent + b.exponent, false);
	mpz_clears(x, y, NULL);
	return product;
}

/* n * 10^exponent / d, rounded half-even to 15 digits; n is changed, d is positive or negative, not 0. */
static struct number divide(mpz_t n, const mpz_t d, long exponent)
{
	struct number quotient;
	mpz_t q, r;
	long more = (long)mpz_sizeinbase(d, 10) + NUMBER_DIGITS + 3 - (long)mpz_sizeinbase(n, 10);

	mpz_inits(q, r, NULL);
	if (more > 0) {
		mpz_ui_pow_ui(q, 10, (unsigned long)more);
		mpz_mul(n, n, q);
		exponent -= more;
	}
	mpz_tdiv_qr(q, r, n, d);
	quotient = make_big(q, exponent, mpz_sgn(r) != 0);
	mpz_clears(q, r, NULL);
	return quotient;
}

struct number number_div(struct number a, struct number b)
{
	struct number quotient;
	mpz_t n, d;

	if (!number_is_set(a) || !number_is_set(b) || !b.coefficient)
		return number_absent();
	mpz_inits(n, d, NULL);
	set_int64(n, a.coefficient);
	set_int64(d, b.coefficient);
	quotient = divide(n, d, a.exponent - b.exponent);
	mpz_clears(n, d, NULL);
	return quotient;
}

struct number number_round(struct number n, int decimals)
{
	int drop = -decimals - n.exponent;

	if (!number_is_set(n) || drop <= 0)
		return n;
	return make(drop_digits(n.coefficient, drop, false), (long)n.exponent + drop, false);
}

/* Writes digits * 10^exponent in plain notation. */
static void plain(GString *out, const char *digits, long exponent)
{
	size_t len;

	if (*digits == '-') {
		g_string_append_c(out, '-');
		digits++;
	}
	len = strlen(digits);
	if (exponent >= 0) {
		g_string_append(out, digits);
		while (exponent-- > 0)
			g_string_append_c(out, '0');
	} else if ((size_t)-exponent < len) {
		g_string_append_len(out, digits, (gssize)(len - (size_t)-exponent));
		g_string_append_c(out, '.');
		g_string_append(out, digits + len - (size_t)-exponent);
	} else {
		g_string_append(out, "0.");
		for (size_t i = len; i < (size_t)-exponent; i++)
			g_string_append_c(out, '0');
		g_string_append(out, digits);
	}
}

char *number_print(struct number n, char buf[static NUMBER_TEXT])
{
	char digits[24], *p = digits + sizeof(digits), *out = buf;
	int64_t v = n.coefficient < 0 ? -n.coefficient : n.coefficient;
	int len, whole;

	*out = '\0';
	if (!number_is_set(n))
		return buf;
	do
		*--p = (char)('0' + v % 10);
	while ((v /= 10));
	len = (int)(digits + sizeof(digits) - p);
	whole = len + n.exponent;               /* digits before the point */
	if (n.coefficient < 0)
		*out++ = '-';
	if (whole <= 0) {
		*out++ = '0';
		*out++ = '.';
		for (; whole < 0; whole++)
			*out++ = '0';
		whole = -1;
	}
	for (int i = 0; i < len; i++) {
		if (i == whole)
			*out++ = '.';
		*out++ = p[i];
	}
	for (int i = len; i < whole; i++)
		*out++ = '0';
	*out = '\0';
	return buf;
}

struct number_sum *number_sum_new(void)
{
	struct number_sum *s = g_new(struct number_sum, 1);

	mpz_init(s->value);
	s->exponent = 0;
	return s;
}

void number_sum_free(struct number_sum *s)
{
	if (!s)
		return;
	mpz_clear(s->value);
	g_free(s);
}

/* Makes room for terms of this exponent. */
static void sum_reach(struct number_sum *s, long exponent)
{
	mpz_t power;

	if (exponent >= s->exponent)
		return;
	mpz_init(power);
	mpz_ui_pow_ui(power, 10, (unsigned long)(s->exponent - exponent));
	mpz_mul(s->value, s->value, power);
	mpz_clear(power);
	s->exponent = exponent;
}

static void sum_add_small(struct number_sum *s, int64_t v)
{
	if (v >= 0)
		mpz_add_ui(s->value, s->value, (unsigned long)v);
	else
		mpz_sub_ui(s->value, s->value, (unsigned long)-v);
}

void number_sum_add(struct number_sum *s, struct number n, struct number weight)
{
	long exponent = (long)n.exponent + weight.exponent;
	long gap;
	mpz_t x, y;

	if (!number_is_set(n) || !number_is_set(weight) || !n.coefficient || !weight.coefficient)
		return;
	sum_reach(s, exponent);
	gap = exponent - s->exponent;
	if (digits_of(n.coefficient) + digits_of(weight.coefficient) + gap <= (sizeof(long) > 4 ? POWERS_MAX : 9)) {
		sum_add_small(s, n.coefficient * weight.coefficient * powers[gap]);
		return;
	}
	mpz_inits(x, y, NULL);
	scaled(x, n.coefficient, (unsigned long)gap);
	set_int64(y, weight.coefficient);
	mpz_addmul(s->value, x, y);
	mpz_clears(x, y, NULL);
}

void number_sum_merge(struct number_sum *into, const struct number_sum *from)
{
	mpz_t x;

	sum_reach(into, from->exponent);
	mpz_init(x);
	mpz_ui_pow_ui(x, 10, (unsigned long)(from->exponent - into->exponent));
	mpz_addmul(into->value, from->value, x);
	mpz_clear(x);
}

char *number_sum_text(const struct number_sum *s)
{
	GString *out = g_string_new(NULL);
	char *digits = mpz_get_str(NULL, 10, s->value);
	void (*gmp_free)(void *, size_t);
	size_t size = strlen(digits) + 1, len = size - 1;
	long exponent = s->exponent;

	/* The exponent depends on the order of the terms, the text must not. */
	while (len > 1 && digits[len - 1] == '0' && exponent < 0) {
		digits[--len] = '\0';
		exponent++;
	}
	plain(out, digits, mpz_sgn(s->value) ? exponent : 0);
	mp_get_memory_functions(NULL, NULL, &gmp_free);
	gmp_free(digits, size);
	return g_string_free(out, FALSE);
}

bool number_sum_parse(struct number_sum *s, const char *text)
{
	size_t len = strlen(text);
	g_autofree char *digits = g_malloc(MIN(len, SUM_TEXT_LIMIT) + 1);
	size_t n = 0;
	long exponent = 0;
	bool point = false, any = false;

	if (len > SUM_TEXT_LIMIT)
		return false;
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '-' && i == 0) {
			digits[n++] = '-';
		} else if (text[i] == '.' && !point && any) {
			point = true;
		} else if (g_ascii_isdigit(text[i])) {
			digits[n++] = text[i];
			exponent -= point;
			any = true;
		} else {
			return false;
		}
	}
	if (!any || text[len - 1] == '.')
		return false;
	digits[n] = '\0';
	mpz_set_str(s->value, digits, 10);
	s->exponent = exponent;
	return true;
}

struct number number_sum_mean(const struct number_sum *s, const struct number_sum *divisor)
{
	struct number mean;
	mpz_t n;

	if (!mpz_sgn(divisor->value))
		return number_absent();
	mpz_init_set(n, s->value);
	mean = divide(n, divisor->value, s->exponent - divisor->exponent);
	mpz_clear(n);
	return mean;
}

struct number number_sum_value(const struct number_sum *s)
{
	struct number value;
	mpz_t n;

	mpz_init_set(n, s->value);
	value = make_big(n, s->exponent, false);
	mpz_clear(n);
	return value;
}
