/* The words of typed tables, from lib/tab_words.tsv. */
#include <stdlib.h>
#include <string.h>
#include "lib/tab_words.h"

struct word {
	const char *kind, *value, *phrase;
};

static const struct word words[] = {
#include "lib/tab_words.inc"
};

#define LONGEST_HEADING 200u /* bytes; a longer text is no heading */

/* The data, folded once, in one index per kind: folded phrase to word. */
static GHashTable *stats, *percentiles, *units, *topics, *quantities, *tools, *nulls, *generals, *plans;
static unsigned longest_phrase; /* words in the longest phrase */

static GHashTable *index_for(const char *kind)
{
	struct {
		const char *kind;
		GHashTable **index;
	} table[] = {
		{ "stat", &stats },   { "percentile", &percentiles }, { "unit", &units },
		{ "topic", &topics }, { "quantity", &quantities },    { "tool", &tools },
		{ "null", &nulls },   { "general", &generals },		 { "plan", &plans },
	};
	for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
		if (!strcmp(table[i].kind, kind)) {
			if (!*table[i].index)
				*table[i].index = g_hash_table_new(g_str_hash, g_str_equal);
			return *table[i].index;
		}
	}
	g_assert_not_reached();
}

static unsigned count_words(const char *folded)
{
	unsigned n = 0;

	for (const char *p = folded; *p; p++)
		n += *p == ' ' && p[1];
	return n;
}

/* "ns:3" to a unit that lives as long as the process. */
static struct tab_unit *unit_of(const char *value)
{
	struct tab_unit *u = g_new0(struct tab_unit, 1);
	const char *colon = strrchr(value, ':');
	g_autofree char *name = g_strndup(value, (gsize)(colon - value));

	u->name = g_intern_string(name);
	u->exponent = (int)g_ascii_strtoll(colon + 1, NULL, 10);
	return u;
}

static gpointer load(gpointer unused)
{
	(void)unused;
	for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
		const struct word *w = &words[i];
		GHashTable *index = index_for(w->kind);
		char *key;

		if (index == units) {
			key = g_utf8_strdown(w->phrase, -1);
			if (g_hash_table_contains(index, key))
				g_free(key);
			else
				g_hash_table_insert(index, key, unit_of(w->value));
			continue;
		}
		if (index == nulls) {
			key = g_utf8_strdown(w->phrase, -1);
		} else {
			key = tab_fold(w->phrase);
			longest_phrase = MAX(longest_phrase, count_words(key));
		}
		/* The index lives as long as the process; a phrase that is there already keeps its
		 * first meaning. */
		if (g_hash_table_contains(index, key))
			g_free(key);
		else
			g_hash_table_insert(index, key, (gpointer)w);
	}
	return NULL;
}

static void need_words(void)
{
	static GOnce once = G_ONCE_INIT;

	g_once(&once, load, NULL);
}

char *tab_fold(const char *text)
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

/* The longest phrase of the index that begins at p, which stands on the blank before a word; its
 * end is the blank behind it. */
static const struct word *phrase_at(GHashTable *index, const char *p, const char **end)
{
	const struct word *found = NULL;
	const char *e = p;
	char buffer[LONGEST_HEADING + 1];

	for (unsigned n = 0; n < longest_phrase; n++) {
		const char *next = strchr(e + 1, ' ');
		const struct word *w;
		size_t len;

		if (!next)
			break;
		e = next;
		len = (size_t)(e - p) + 1;
		if (len > LONGEST_HEADING)
			break;
		memcpy(buffer, p, len);
		buffer[len] = '\0';
		w = g_hash_table_lookup(index, buffer);
		if (w) {
			found = w;
			*end = e;
		}
	}
	return found;
}

/* Words of scripts that put no blanks between words are found inside a run of them, too. */
static const struct word *wide_phrase(GHashTable *index, const char *folded)
{
	GHashTableIter it;
	gpointer key, value;
	const struct word *found = NULL;
	size_t longest = 0;

	g_hash_table_iter_init(&it, index);
	while (g_hash_table_iter_next(&it, &key, &value)) {
		const struct word *w = value;
		gunichar c = g_utf8_get_char(w->phrase);
		size_t len = strlen(w->phrase);

		if (c < 0x1100 || len <= longest || !strstr(folded, w->phrase))
			continue;
		found = w;
		longest = len;
	}
	return found;
}

static bool has_wide(const char *folded)
{
	for (const char *p = folded; *p; p++)
		if ((guchar)*p >= 0xe1)
			return true;
	return false;
}

bool tab_unit_find(const char *text, size_t len, struct tab_unit *unit)
{
	g_autofree char *key = NULL, *low = NULL;
	const struct tab_unit *u;

	need_words();
	if (len > 40)
		return false;
	key = g_strstrip(g_strndup(text, len));
	if (!g_utf8_validate(key, -1, NULL))
		return false;
	low = g_utf8_strdown(key, -1);
	g_strdelimit(low, "-_", ' ');
	u = g_hash_table_lookup(units, low);
	len = strlen(low);
	if (!u && len > 2 && low[len - 1] == '.') { /* "usecs." */
		low[len - 1] = '\0';
		u = g_hash_table_lookup(units, low);
	}
	if (u)
		*unit = *u;
	return u != NULL;
}

const char *tab_quantity(const char *folded)
{
	const struct word *w = NULL;
	const char *end;

	need_words();
	for (const char *p = folded; p && *p && p[1] && !w; p = strchr(p + 1, ' '))
		w = phrase_at(quantities, p, &end);
	if (!w && has_wide(folded))
		w = wide_phrase(quantities, folded);
	return w ? w->value : NULL;
}

const char *tab_tool(const char *folded)
{
	const char *tool = NULL, *end = NULL;

	need_words();
	for (const char *p = folded; p && *p && p[1]; p = strchr(p + 1, ' ')) {
		const struct word *w = phrase_at(tools, p, &end);

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

	need_words();
	for (const char *p = folded; p && *p && p[1]; p = strchr(p + 1, ' ')) {
		const struct word *w = phrase_at(topics, p, &end);

		if (!w)
			continue;
		if ((against || *w->value != '-') && g_hash_table_add(seen, (gpointer)w->phrase))
			sum += atoi(w->value);
		p = end - 1;
	}
	if (has_wide(folded)) {
		const struct word *w = wide_phrase(topics, folded);

		if (w && g_hash_table_add(seen, (gpointer)w->phrase))
			sum += atoi(w->value);
	}
	return sum;
}

bool tab_planned(const char *folded)
{
	bool planned = false;
	const char *end;

	need_words();
	for (const char *p = folded; p && *p && p[1]; p = strchr(p + 1, ' ')) {
		const struct word *w = phrase_at(plans, p, &end);

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
	g_autofree char *low = g_utf8_strdown(text, -1);

	need_words();
	g_strstrip(low);
	return g_hash_table_contains(nulls, low);
}

/* Finds statistics in folded text: the first in *w, how many different ones, and the bytes of all
 * their phrases. */
static unsigned find_statistics(const char *folded, const struct word **first)
{
	unsigned n = 0;
	const char *end;

	*first = NULL;
	for (const char *p = folded; p && *p && p[1]; p = strchr(p + 1, ' ')) {
		const struct word *w = phrase_at(stats, p, &end);

		if (!w)
			w = phrase_at(percentiles, p, &end);
		if (!w)
			continue;
		if (!*first || strcmp((*first)->value, w->value))
			n++;
		if (!*first)
			*first = w;
		p = end - 1;
	}
	if (!n && has_wide(folded)) {
		*first = wide_phrase(stats, folded);
		if (!*first)
			*first = wide_phrase(percentiles, folded);
		n = *first != NULL;
	}
	return n;
}

unsigned tab_statistic_count(const char *folded)
{
	const struct word *first;

	need_words();
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
	const struct word *w;

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

		if (phrase_at(stats, p, &end) || phrase_at(percentiles, p, &end) ||
		    phrase_at(quantities, p, &end))
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
	const struct word *w;

	memset(h, 0, sizeof(*h));
	need_words();
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
	if (!strcmp(w->kind, "percentile")) {
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
		if (phrase_at(generals, p, &end))
			return true;
	return false;
}

/* A time unit that is written out, so that no other word can be meant. */
static bool written_out(const char *word, size_t len)
{
	static const char *const beginnings[] = { "micro", "nano", "milli", "mikro",
						  "микро", "нано", "милли", "微秒",
						  "纳秒",  "毫秒", NULL };

	for (const char *const *b = beginnings; *b; b++)
		if (len >= strlen(*b) && !memcmp(word, *b, strlen(*b)))
			return true;
	return false;
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

bool tab_unit_stated(const char *text, struct tab_unit *unit, bool *general)
{
	g_autofree char *folded = might_state(text) ? tab_fold(text) : g_strdup(" ");
	g_autofree char *plain = narrow_parentheses(text);
	struct tab_unit found;
	unsigned n = 0;
	const char *before = "", *word = folded + 1;
	size_t before_len = 0;

	need_words();
	*general = is_general(folded);
	/* "(us)", and in the wide parentheses of Chinese and Japanese text */
	for (const char *p = plain; (p = strpbrk(p, "([")) != NULL; p++) {
		const char *end = strpbrk(p, ")]");

		if (end && tab_unit_find(p + 1, (size_t)(end - p - 1), &found) &&
		    *found.name != '%') {
			n += !n || strcmp(unit->name, found.name) ||
			     unit->exponent != found.exponent;
			*unit = found;
		}
	}
	for (const char *end; (end = strchr(word, ' ')) != NULL; word = end + 1) {
		size_t len = (size_t)(end - word);
		const char *second = strchr(end + 1, ' ');
		bool is_unit = tab_unit_find(word, len, &found);

		/* "micro seconds" */
		if (second && len >= 4 && tab_unit_find(word, (size_t)(second - word), &found)) {
			is_unit = true;
			end = second;
		}
		if (is_unit && (!strcmp(found.name, "ns") || !strcmp(found.name, "s")) &&
		    before_len && !g_ascii_isdigit(before[before_len - 1])) {
			bool in = (before_len == 2 && !memcmp(before, "in", 2)) ||
				  (before_len == 3 && !memcmp(before, "all", 3)) ||
				  (before_len >= 4 &&
				   (!memcmp(before, "unit", 4) || !memcmp(before, "einh", 4))) ||
				  (before_len == 6 && !memcmp(before, "\xe5\x8d\x95\xe4\xbd\x8d", 6));
			bool word_of_all = *general && written_out(word, len);

			if (in || word_of_all) {
				n += !n || strcmp(unit->name, found.name) ||
				     unit->exponent != found.exponent;
				*unit = found;
			}
		} else if (is_unit && !before_len && written_out(word, len) && !*end) {
			n++; /* a line that is only the unit */
			*unit = found;
		}
		before = word;
		before_len = len;
	}
	return n == 1;
}
