/*
 * Exact decimal numbers.
 *
 * Every value that rtreport reads, keeps or prints is one of these; no printed
 * digit ever passes through binary floating point. A number is
 * coefficient * 10^exponent with at most 15 significant digits, so that every
 * JSON reader and spreadsheet (IEEE double) holds it exactly too.
 */
#ifndef RTREPORT_NUMBER_H
#define RTREPORT_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NUMBER_DIGITS 15        /* significant digits that a value may have */
#define NUMBER_TEXT 48          /* room for number_print, terminator included */

/* Absent: the source has no such value. Null: it has, but it could not be read. */
enum number_state { NUMBER_ABSENT, NUMBER_NULL, NUMBER_SET };

/*
 * Normal form: no trailing zeros in the coefficient (zero has exponent 0), so
 * equal numbers have equal members. A zeroed struct is an absent number.
 */
struct number {
	int64_t coefficient;
	int16_t exponent;
	uint8_t state;          /* enum number_state */
};

enum number_status {
	NUMBER_OK,
	NUMBER_NONE,            /* the text is no decimal number */
	NUMBER_TOO_LONG         /* more than 15 significant digits: out is null */
};

/*
 * Reads the whole of text[0..len) as a decimal: optional sign, digits, at most
 * one '.', optional exponent (e-3); at least one digit. The result is the text's
 * value * 10^scale: scale 3 reads microseconds into nanoseconds. No blanks,
 * no digit grouping. On NUMBER_NONE *out is absent, on NUMBER_TOO_LONG null.
 */
enum number_status number_parse(const char *text, size_t len, int scale, struct number *out);

/*
 * Whether what stands at p, right behind digits, tells that digits are lost: a question mark or U+FFFD, which stand for
 * bytes that could not be shown, or a sign or letter between or for digits ("2*3", "1O0", "20O"); or that they begin a date or
 * time ("2021-03", "10:05").
 */
bool number_is_blotted(const char *p, const char *end);

struct number number_int(int64_t value);        /* |value| < 10^15, else null */
struct number number_null(void);
struct number number_absent(void);
/* From a JSON double: the shortest decimal of at most 15 digits. NaN, inf: null. */
struct number number_from_double(double value);
double number_to_double(struct number n);       /* for plots and statistics only; NAN unless set */

static inline bool number_is_set(struct number n) { return n.state == NUMBER_SET; }

/* Both must be set. Exact: <0, 0, >0. */
int number_cmp(struct number a, struct number b);
bool number_equal(struct number a, struct number b);    /* states too */
/* n * 10^exp10; stays exact. Not set: returned as it is. */
struct number number_scale(struct number n, int exp10);
/* a - b, a + b rounded half-even to 15 digits; absent unless both are set. */
struct number number_sub(struct number a, struct number b);
struct number number_add(struct number a, struct number b);
/* a * b, and a / b; rounded half-even to 15 digits; absent unless both set (or b == 0). */
struct number number_mul(struct number a, struct number b);
struct number number_div(struct number a, struct number b);
/* Rounded half-even to `decimals` places after the point (negative: before it). */
struct number number_round(struct number n, int decimals);

/*
 * Plain decimal notation without exponent ("128.333", "-0.5", "1000000"), as JSON
 * and CSV want it. Writes "" when not set. Returns buf.
 */
char *number_print(struct number n, char buf[static NUMBER_TEXT]);

/*
 * An exact running sum of number * weight, of any size (GMP). Merging sums is
 * associative and commutative: the same parts give the same text in any order.
 */
struct number_sum;
struct number_sum *number_sum_new(void);
void number_sum_free(struct number_sum *s);
void number_sum_add(struct number_sum *s, struct number n, struct number weight); /* unset: no effect */
void number_sum_merge(struct number_sum *into, const struct number_sum *from);
/* The sum as a plain decimal string; caller frees with g_free. */
char *number_sum_text(const struct number_sum *s);
/* Reads what number_sum_text wrote; false (and unchanged) when text is no decimal. */
bool number_sum_parse(struct number_sum *s, const char *text);
/* sum / divisor, rounded half-even to 15 digits; absent when the divisor is 0. */
struct number number_sum_mean(const struct number_sum *s, const struct number_sum *divisor);
/* The sum itself rounded half-even to 15 digits. */
struct number number_sum_value(const struct number_sum *s);

#endif
