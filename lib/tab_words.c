/* The words of typed tables, from lib/tab_words.tsv. */
#include <stdlib.h>
#include <string.h>
#include "lib/ascii.h"
#include "lib/tab_index.h"
#include "lib/tab_words.h"

#define LONGEST_HEADING 200u /* bytes; a longer text is no heading */
#define LONGEST_UNIT 40u     /* bytes */
#define LONGEST_NULL 60u     /* bytes */

/* Text of ASCII, folded; most is. */
static char *fold_ascii(const char *text, size_t len)
{
	char *out = g_malloc(2 * len + 3), *end = out; /* a blank before each character at most */
	bool gap = true, lower = false;

	*end++ = ' ';
	for (const char *p = text; *p; p++) {
		char c = tab_small_letter[(guchar)*p];

		/* "99.9" stays one word. */
		if (*p == '%' || (*p == '.' && p > text && g_ascii_isdigit(p[-1]) && g_ascii_isdigit(p[1])))
			c = *p;
		if (!c) {
			gap = true;
			lower = false;
			continue;
		}
		if ((lower && c != *p) || c == '%' || (p > text && p[-1] == '%'))
			gap = true;
		if (gap && end[-1] != ' ')
			*end++ = ' ';
		gap = false;
		lower = *p >= 'a';
		*end++ = c;
	}
	if (end[-1] != ' ')
		*end++ = ' ';
	*end = '\0';
	return out;
}

static char *fold_utf8(const char *text)
{
	g_autofree char *valid =
		g_utf8_validate(text, -1, NULL) ? NULL : g_utf8_make_valid(text, -1);
	GString *out = g_string_new(" ");
	bool gap = true, lower = false;

	if (valid)
		text = valid;
	for (const char *p = text; *p; p = g_utf8_next_char(p)) {
		gunichar c = g_utf8_get_char(p);
		bool word = g_unichar_isalnum(c) || c == '%';

		/* "99.9" stays one word. */
		if (c == '.' && p > text && g_ascii_isdigit(p[-1]) && g_ascii_isdigit(p[1]))
			word = true;
		if (!word) {
			gap = true;
			lower = false;
			continue;
		}
		/* Words without blanks between them: wide characters, camelCase, '%'. */
		if ((lower && g_unichar_isupper(c)) || c == '%' || (p > text && p[-1] == '%'))
			gap = true;
		if (gap && out->str[out->len - 1] != ' ')
			g_string_append_c(out, ' ');
		gap = false;
		lower = g_unichar_islower(c);
		g_string_append_unichar(out, g_unichar_tolower(c));
	}
	if (out->str[out->len - 1] != ' ')
		g_string_append_c(out, ' ');
	return g_string_free(out, FALSE);
}

char *tab_fold(const char *text)
{
	size_t len = strlen(text);

	return is_ascii(text, len) ? fold_ascii(text, len) : fold_utf8(text);
}

static bool has_wide(const char *folded)
{
	for (const char *p = folded; *p; p++)
		if ((guchar)*p >= 0xe1)
			return true;
	return false;
}

/* Blanks around text[0..len) are left out; returns the length of what stays. */
static size_t trim(const char **text, size_t len)
{
	len = strnlen(*text, len);
	while (len && g_ascii_isspace(**text)) {
		++*text;
		len--;
	}
	while (len && g_ascii_isspace((*text)[len - 1]))
		len--;
	return len;
}

/* text[0..*len) in small letters: in buffer, or where it is not ASCII in *own. NULL: no UTF-8. */
static const char *small_letters(const char *text, size_t *len, char *buffer, char **own)
{
	if (is_ascii(text, *len)) {
		for (size_t i = 0; i < *len; i++)
			buffer[i] = g_ascii_tolower(text[i]);
		return buffer;
	}
	if (!g_utf8_validate(text, (gssize)*len, NULL))
		return NULL;
	*own = g_utf8_strdown(text, (gssize)*len);
	*len = strlen(*own);
	return *own;
}

/* By its first byte and its length; a point behind it may go. Small letters may have more bytes than capital ones. */
static bool may_be_unit(const char *text, size_t len)
{
	char first = *text == '-' || *text == '_' ? ' ' : g_ascii_tolower(*text);

	return tab_index_may_begin(KIND_UNIT, first, len) || tab_index_may_begin(KIND_UNIT, first, len - 1) ||
	       !is_ascii(text, len);
}

bool tab_unit_find(const char *text, size_t len, struct tab_unit *unit)
{
	char buffer[LONGEST_UNIT], key[LONGEST_UNIT * 4];
	g_autofree char *own = NULL;
	const struct tab_phrase *u;
	const char *small;

	if (len > LONGEST_UNIT)
		return false;
	len = trim(&text, len);
	if (!len || ((guchar)*text < 0x80 && !may_be_unit(text, len)))
		return false;
	small = small_letters(text, &len, buffer, &own);
	if (!small || len > sizeof key)
		return false;
	for (size_t i = 0; i < len; i++)
		key[i] = small[i] == '-' || small[i] == '_' ? ' ' : small[i];
	u = tab_index_find(KIND_UNIT, key, len);
	if (!u && len > 2 && key[len - 1] == '.') /* "usecs." */
		u = tab_index_find(KIND_UNIT, key, len - 1);
	if (u)
		*unit = u->unit;
	return u != NULL;
}

const char *tab_quantity(const char *folded)
{
	const struct tab_phrase *w = NULL;
	const char *end;

	for (const char *p = folded; p && *p && p[1] && !w; p = strchr(p + 1, ' '))
		w = tab_index_at(KIND_QUANTITY, p, &end);
	if (!w && has_wide(folded))
		w = tab_index_wide(KIND_QUANTITY, folded);
	return w ? w->value : NULL;
}

const char *tab_tool(const char *folded)
{
	const char *tool = NULL, *end = NULL;

	for (const char *p = folded; p && *p && p[1]; p = strchr(p + 1, ' ')) {
		const struct tab_phrase *w = tab_index_at(KIND_TOOL, p, &end);

		if (!w)
			continue;
		if (tool && strcmp(tool, w->value))
			return NULL;
		tool = w->value;
		p = end - 1;
	}
	return tool;
}

int tab_topic_add(const char *folded, bool against, GHashTable *seen)
{
	int sum = 0;
	const char *end;

	for (const char *p = folded; p && *p && p[1]; p = strchr(p + 1, ' ')) {
		const struct tab_phrase *w = tab_index_at(KIND_TOPIC, p, &end);

		if (!w)
			continue;
		if ((against || *w->value != '-') && g_hash_table_add(seen, (gpointer)w->phrase))
			sum += atoi(w->value);
		p = end - 1;
	}
	if (has_wide(folded)) {
		const struct tab_phrase *w = tab_index_wide(KIND_TOPIC, folded);

		if (w && g_hash_table_add(seen, (gpointer)w->phrase))
			sum += atoi(w->value);
	}
	return sum;
}

bool tab_planned(const char *folded)
{
	bool planned = false;
	const char *end;

	for (const char *p = folded; p && *p && p[1]; p = strchr(p + 1, ' ')) {
		const struct tab_phrase *w = tab_index_at(KIND_PLAN, p, &end);

		if (!w)
			continue;
		if (!strcmp(w->value, "measured"))
			return false;
		planned = true;
		p = end - 1;
	}
	return planned;
}

bool tab_unit_is_time(const struct tab_unit *u)
{
	return !strcmp(u->name, "ns") || !strcmp(u->name, "s");
}

bool tab_null_word(const char *text)
{
	size_t len = trim(&text, strlen(text));
	char buffer[LONGEST_NULL];
	g_autofree char *own = NULL;
	const char *small;

	if (len > LONGEST_NULL || !len ||
	    ((guchar)*text < 0x80 && !tab_index_may_begin(KIND_NULL, g_ascii_tolower(*text), len) && is_ascii(text, len)))
		return false;
	small = small_letters(text, &len, buffer, &own);
	return small && tab_index_find(KIND_NULL, small, len);
}

/* Finds statistics in folded text: the first in *w, how many different ones, and the bytes of all
 * their phrases. */
static unsigned find_statistics(const char *folded, const struct tab_phrase **first)
{
	unsigned n = 0;
	const char *end;

	*first = NULL;
	for (const char *p = folded; p && *p && p[1]; p = strchr(p + 1, ' ')) {
		const struct tab_phrase *w = tab_index_at(KIND_STAT, p, &end);

		if (!w)
			w = tab_index_at(KIND_PERCENTILE, p, &end);
		if (!w)
			continue;
		if (!*first || strcmp((*first)->value, w->value))
			n++;
		if (!*first)
			*first = w;
		p = end - 1;
	}
	if (!n && has_wide(folded)) {
		*first = tab_index_wide(KIND_STAT, folded);
		if (!*first)
			*first = tab_index_wide(KIND_PERCENTILE, folded);
		n = *first != NULL;
	}
	return n;
}

unsigned tab_statistic_count(const char *folded)
{
	const struct tab_phrase *first;

	return find_statistics(folded, &first);
}

/* "p99", "p99.9", "99.9 %", "99th", "99th percentile", "99.9 percentile": the key of the
 * percentile. */
static bool percentile_key(const char *folded, char key[static 16])
{
	const char *p = folded + strspn(folded, " ");
	bool p_first = *p == 'p' && g_ascii_isdigit(p[1]);
	size_t len;

	p += p_first;
	len = strspn(p, "0123456789.");
	if (!len || len >= 10 || p[len - 1] == '.' || *p == '.')
		return false;
	if (len > 2 && !memchr(p, '.', len) && strncmp(p, "100", len))
		return false; /* "2048 %" is none, "p999" not certain */
	memcpy(key, p, len);
	key[len] = '\0';
	p += len;
	if (p_first)
		return *p == ' ';
	for (; *p == ' '; p++)
		;
	if (!strncmp(p, "th ", 3) || !strncmp(p, "% ", 2)) {
		p += strcspn(p, " ");
		p += strspn(p, " ");
		if (!*p)
			return true;
		if (!strncmp(p, "ile ", 4))
			return p[4] == '\0';
	}
	for (const char *const *w =
		     (const char *const[]){ "percentile ", "percentil ", "perc ", "pct ",
					    "quantile ", "pctl ", "百分位 ", NULL };
	     *w; w++)
		if (g_str_has_prefix(p, *w))
			return true;
	return false;
}

/*
 * Whether seconds behind a slash, text[tail..len), are the unit of a rate ("ops/s") and not of what stands before the
 * slash ("latency/s").
 */
static bool is_rate(const char *text, size_t tail, const struct tab_unit *seconds)
{
	size_t word = tail - 1;
	g_autofree char *before = NULL, *folded = NULL;
	const struct tab_phrase *w;

	if (strcmp(seconds->name, "s") || text[tail - 1] != '/')
		return false;
	while (word && text[word - 1] != ' ')
		word--;
	before = g_strndup(text + word, tail - 1 - word);
	folded = tab_fold(before);
	return strcmp(folded, " time ") && !tab_quantity(folded) && !find_statistics(folded, &w);
}

/* A unit in the words of a heading: "(us)", "[us]", "in us", ", us", "max_us", "% …"; *cut: where
 * it stands. */
static bool heading_unit(const char *text, struct tab_unit *unit)
{
	size_t len = strlen(text), tail;
	const char *p;

	for (p = text; (p = strpbrk(p, "([{")) != NULL; p++) {
		const char *end = strpbrk(p, ")]}"), *from = p + 1;

		if (!end)
			break;
		/* "(us)", "(in us)", "(all us)", "(us, lower is better)", "(latency, us)" */
		while (from < end) {
			size_t part = MIN((size_t)(end - from), strcspn(from, ",;"));

			if (g_ascii_strncasecmp(from, "in ", 3) == 0 &&
			    tab_unit_find(from + 3, part - 3, unit))
				return true;
			if (g_ascii_strncasecmp(from, "all ", 4) == 0 &&
			    tab_unit_find(from + 4, part - 4, unit))
				return true;
			if (tab_unit_find(from, part, unit))
				return true;
			from += part + 1;
		}
	}
	/* The last word, unless a number stands before it ("within 100 usec"). */
	while (len && (text[len - 1] == ' ' || text[len - 1] == ':' || text[len - 1] == '*'))
		len--;
	for (tail = len; tail && !strchr(" ,/_", text[tail - 1]); tail--)
		;
	if (tail && tab_unit_find(text + tail, len - tail, unit) && is_rate(text, tail, unit)) {
		while (tail && text[tail - 1] != ' ')
			tail--;
		if (tab_unit_find(text + tail, len - tail, unit))
			return true;
	} else if (tail && len - tail >= 1 && tab_unit_find(text + tail, len - tail, unit)) {
		size_t before = tail;

		while (before && strchr(" ,/_", text[before - 1]))
			before--;
		if (before && !g_ascii_isdigit(text[before - 1]) &&
		    ((!strcmp(unit->name, "ns") || !strcmp(unit->name, "s") ||
		      !strcmp(unit->name, "%")) &&
		     (len - tail > 1 || text[tail] == '%' || text[tail - 1] != ' ')))
			return true;
	}
	/* Nothing but the unit. */
	if (tab_unit_find(text, strlen(text), unit) && (strlen(text) > 1 || *text == '%') &&
	    strcmp(unit->name, "1"))
		return true;
	/* "% Deadlines met" */
	p = strchr(text, '%');
	if (p && (p == text || !g_ascii_isdigit(p[-1])) &&
	    !(p > text + 1 && p[-1] == ' ' && g_ascii_isdigit(p[-2])))
		return tab_unit_find("%", 1, unit);
	return false;
}

/* True when nothing is left in folded text once statistics, quantities and units are gone. */
static bool nothing_else(const char *folded)
{
	const char *end;

	for (const char *p = folded; p && *p && p[1];) {
		struct tab_unit unit;
		const char *next = strchr(p + 1, ' ');

		if (tab_index_at(KIND_STAT, p, &end) || tab_index_at(KIND_PERCENTILE, p, &end) ||
		    tab_index_at(KIND_QUANTITY, p, &end))
			p = end;
		else if (next && tab_unit_find(p + 1, (size_t)(next - p - 1), &unit))
			p = next;
		else
			return false;
	}
	return true;
}

/* A percentile behind the quantity: "latency p99", "lat p99 (us)"; p4 and the like name other things. */
static bool percentile_behind(const char *folded, struct tab_heading *h)
{
	const char *p = strstr(folded, " p");

	for (; p && !g_ascii_isdigit(p[2]); p = strstr(p + 1, " p"))
		;
	return p && p > folded && atof(p + 2) >= 25 && tab_quantity(folded) && percentile_key(p + 1, h->percentile);
}

void tab_heading_read(const char *text, struct tab_heading *h)
{
	g_autofree char *folded = NULL;
	const struct tab_phrase *w;

	memset(h, 0, sizeof(*h));
	if (!text || strlen(text) > LONGEST_HEADING)
		return;
	folded = tab_fold(text);
	h->unit_stated = heading_unit(text, &h->unit);
	if (percentile_key(folded, h->percentile)) {
		h->kind = HEADING_PERCENTILE;
		h->pure = true;
		/* The % of "99.9%" is no unit. */
		if (h->unit_stated && !strcmp(h->unit.name, "%"))
			h->unit_stated = false;
		return;
	}
	/* "Latency p99" */
	if (!tab_statistic_count(folded) && percentile_behind(folded, h)) {
		h->kind = HEADING_PERCENTILE;
		h->pure = true;
		return;
	}
	if (find_statistics(folded, &w) != 1)
		return;
	h->pure = has_wide(folded) || nothing_else(folded);
	if (w->kind == KIND_PERCENTILE) {
		h->kind = HEADING_PERCENTILE;
		g_strlcpy(h->percentile, w->value, sizeof(h->percentile));
		return;
	}
	h->kind = HEADING_FIELD;
	h->field = field_from_name(w->value);
}

/* True when the folded text has one of the words by which a sentence speaks of all that follows. */
static bool is_general(const char *folded)
{
	const char *end;

	for (const char *p = folded; p && *p && p[1]; p = strchr(p + 1, ' '))
		if (tab_index_at(KIND_GENERAL, p, &end))
			return true;
	return false;
}

bool tab_written_out(const char *word, size_t len)
{
	static const char *const beginnings[] = { "micro", "nano", "milli", "mikro",
						  "микро", "нано", "милли", "微秒",
						  "纳秒",  "毫秒", NULL };

	for (const char *const *b = beginnings; *b; b++)
		if (*word == **b && len >= strlen(*b) && !memcmp(word, *b, strlen(*b)))
			return true;
	return false;
}

bool tab_introduces_unit(const char *word, size_t len)
{
	return (len == 2 && !memcmp(word, "in", 2)) || (len == 3 && !memcmp(word, "all", 3)) ||
	       (len >= 4 && (!memcmp(word, "unit", 4) || !memcmp(word, "einh", 4))) || (len == 6 && !memcmp(word, "单位", 6));
}

/* Most sentences cannot state a unit of time: a quick look. */
static bool might_state(const char *text)
{
	static const char *const pieces[] = { "us",	      "ns",	  "ms",	      "ec",
					      "ek",	      "\xc2\xb5", "\xce\xbc", "\xd1\x81",
					      "\xe7\xa7\x92", "eg",	  NULL };

	for (const char *const *p = pieces; *p; p++)
		if (strstr(text, *p))
			return true;
	return false;
}

/* The text with its wide parentheses as "(" and ")". Caller frees. */
static char *narrow_parentheses(const char *text)
{
	GString *out = g_string_new(text);

	if (strstr(text, "\xef\xbc\x88")) {
		g_string_replace(out, "\xef\xbc\x88", "(", 0);
		g_string_replace(out, "\xef\xbc\x89", ")", 0);
	}
	return g_string_free(out, FALSE);
}

/*
 * The unit that stands in brackets, as "(us)", also in the wide parentheses of Chinese and Japanese text; returns how many
 * different ones.
 */
static unsigned units_in_brackets(const char *text, struct tab_unit *unit)
{
	g_autofree char *plain = narrow_parentheses(text);
	struct tab_unit found;
	unsigned n = 0;

	for (const char *p = plain; (p = strpbrk(p, "([")) != NULL; p++) {
		const char *end = strpbrk(p, ")]");

		if (end && tab_unit_find(p + 1, (size_t)(end - p - 1), &found) &&
		    *found.name != '%') {
			n += !n || strcmp(unit->name, found.name) ||
			     unit->exponent != found.exponent;
			*unit = found;
		}
	}
	return n;
}

bool tab_unit_bracketed(const char *text)
{
	struct tab_unit unit;

	return units_in_brackets(text, &unit) > 0;
}

bool tab_unit_stated(const char *text, struct tab_unit *unit, bool *general)
{
	g_autofree char *folded = might_state(text) ? tab_fold(text) : g_strdup(" ");
	struct tab_unit found;
	unsigned n = units_in_brackets(text, unit);
	const char *before = "", *word = folded + 1;
	size_t before_len = 0;

	*general = is_general(folded);
	for (const char *end; (end = strchr(word, ' ')) != NULL; word = end + 1) {
		size_t len = (size_t)(end - word);
		bool in = tab_introduces_unit(before, before_len), written = tab_written_out(word, len), is_unit = false;
		const char *second = strchr(end + 1, ' ');

		if (in || written)
			is_unit = tab_unit_find(word, len, &found);
		/* "micro seconds" */
		if ((in || written) && second && len >= 4 && tab_unit_find(word, (size_t)(second - word), &found)) {
			is_unit = true;
			end = second;
		}
		if (is_unit && before_len) {
			bool time = !strcmp(found.name, "ns") || !strcmp(found.name, "s");

			if (time && !g_ascii_isdigit(before[before_len - 1]) && (in || (*general && written))) {
				n += !n || strcmp(unit->name, found.name) ||
				     unit->exponent != found.exponent;
				*unit = found;
			}
		} else if (is_unit && !*end) {
			n++; /* a line that is only the unit */
			*unit = found;
		}
		before = word;
		before_len = len;
	}
	return n == 1;
}
