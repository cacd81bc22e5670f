/* Digests as text. */
#include <string.h>
#include "lib/digest.h"
#include "lib/pattern.h"

#define PREAMBLE_MAX (256u << 10)       /* bytes before the first message */

static struct pattern long_rule = PATTERN("^-{70}\\s*$");
static struct pattern short_rule = PATTERN("^-{30}\\s*$");
static struct pattern number_line = PATTERN("^Message: \\d+\\s*$");
static struct pattern digest_end = PATTERN("^End of .+ (?i:Digest)");
static struct pattern footer = PATTERN("^Subject: Digest Footer");

static const char *next_line(const char *p, const char *end)
{
	const char *eol = memchr(p, '\n', (size_t)(end - p));

	return eol ? eol + 1 : end;
}

static bool line_is(struct pattern *pattern, const char *p, const char *next)
{
	size_t len = (size_t)(next - p);

	while (len && (p[len - 1] == '\n' || p[len - 1] == '\r'))
		len--;
	return len < 500 && pattern_match(pattern, p, len, 0, NULL);
}

/* Where the message behind the rule at p begins: its header, behind blank lines and "Message: N";
 * NULL: none there. */
static const char *message_after(const char *p, const char *end)
{
	bool numbered = false;

	for (p = next_line(p, end); p < end;) {
		const char *next = next_line(p, end);

		if (line_is(&number_line, p, next))
			numbered = true;
		else if (*p != '\n' && *p != '\r')
			return numbered || mail_probe(p, (size_t)(end - p))
					       || line_is(&footer, p, next)
				       ? p
				       : NULL;
		p = next;
	}
	return NULL;
}

/* The next rule that a message follows, from p on; *message is that message. end: none. */
static const char *next_rule(const char *p, const char *end, struct pattern *rule,
			     const char **message)
{
	while (p < end) {
		const char *next = next_line(p, end);

		if (*p == '-' && line_is(rule, p, next) && (*message = message_after(p, end)))
			return p;
		p = next;
	}
	*message = NULL;
	return end;
}

bool digest_probe(const char *text, size_t len)
{
	const char *end = text + MIN(len, PREAMBLE_MAX), *message;

	return next_rule(text, end, &long_rule, &message) < end
	       && mail_probe(message, len - (size_t)(message - text));
}

/*
 * The header of the message at p without lines of nothing but blanks, which would end it; as many
 * fields as it lost lines come after it, so that the lines of the body keep their numbers. Returns
 * the end of the header.
 */
static const char *copy_header(const char *p, const char *end, GString *out)
{
	unsigned lost = 0;

	while (p < end && *p != '\n' && *p != '\r') {
		const char *next = next_line(p, end), *q = p;

		while (q < next && (*q == ' ' || *q == '\t'))
			q++;
		if (q > p && (q == next || *q == '\n' || *q == '\r'))
			lost++;
		else
			g_string_append_len(out, p, next - p);
		p = next;
	}
	while (lost--)
		g_string_append(out, "X-Blank: -\n");
	return p;
}

static void read_one(const char *p, const char *end, const struct mail_place *place,
		     post_each *each, void *data)
{
	g_autoptr(GString) copy = g_string_sized_new((gsize)(end - p) + 64);
	const char *body = copy_header(p, end, copy);

	g_string_append_len(copy, body, end - body);
	mail_read(copy->str, copy->len, place, each, data);
}

/* Is p the digest's own last part, no message? */
static bool is_footer(const char *p, const char *end)
{
	const char *next = next_line(p, end);

	return line_is(&footer, p, next) || line_is(&digest_end, p, next);
}

void digest_read(const char *text, size_t len, const struct mail_place *place, post_each *each,
		 void *data)
{
	const char *end = text + len, *counted = text, *message, *rule;
	struct mail_place at = *place;

	next_rule(text, end, &long_rule, &message);
	while (message && !is_footer(message, end)) {
		const char *next = NULL;

		rule = next_rule(message, end, &short_rule, &next);
		at.first_line += mail_count_lines(counted, message);
		counted = message;
		read_one(message, rule, &at, each, data);
		message = next;
	}
}
