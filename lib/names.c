/* Known names; see lib/names.h. */
#include <ctype.h>
#include <string.h>
#include <glib.h>
#include "lib/names.h"

const struct name_row name_rows[] = {
#include "lib/names_data.h"             /* made from lib/names.tsv by the Makefile */
	{ NULL, NULL, NULL }
};

enum part_kind { PART_WORD, PART_DIGITS, PART_ANY };
struct part {
	enum part_kind kind;
	const char *p;                  /* PART_WORD: in the row's text */
	size_t len;
};

#define MAX_PARTS 12u

/* One spelling, cut into parts. */
struct alias {
	const struct name_row *row;
	enum name_kind kind;
	bool exact;                     /* letter case counts */
	bool literal;                   /* has no '#' or '*': goes before one that has */
	unsigned parts;
	struct part part[MAX_PARTS];
};

/* First word in lower case (char *) -> GPtrArray of struct alias. Built once, then read only. */
static GHashTable *index_by_word;

enum name_kind name_kind_parse(const char *kind)
{
	static const struct { const char *text; enum name_kind kind; } kinds[] = {
		{ "board", NAME_BOARD }, { "soc", NAME_SOC }, { "cpu", NAME_CPU },
		{ "distribution", NAME_DISTRIBUTION }, { "load", NAME_LOAD },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++)
		if (!strcmp(kinds[i].text, kind))
			return kinds[i].kind;
	return 0;
}

/* Length of the run of letters or of digits at p; other bytes above 127 count as letters. */
static size_t run_length(const char *p, size_t len)
{
	size_t n = 0;

	if (!len)
		return 0;
	if (g_ascii_isdigit(*p)) {
		while (n < len && g_ascii_isdigit(p[n]))
			n++;
		return n;
	}
	while (n < len && (g_ascii_isalpha(p[n]) || (unsigned char)p[n] > 127))
		n++;
	return n;
}

static void alias_cut(struct alias *a, const char *text, size_t len)
{
	size_t i = 0;

	if (i < len && text[i] == '=') {
		a->exact = true;
		i++;
	}
	while (i < len && a->parts < MAX_PARTS) {
		struct part *p = &a->part[a->parts];
		size_t run = run_length(text + i, len - i);

		if (run) {
			*p = (struct part){ PART_WORD, text + i, run };
			i += run;
			a->parts++;
			continue;
		}
		if (text[i] == '+')
			a->part[a->parts++] = (struct part){ PART_WORD, text + i, 1 };
		if (text[i] == '#' || text[i] == '*') {
			*p = (struct part){ text[i] == '#' ? PART_DIGITS : PART_ANY, NULL, 0 };
			a->parts++;
		}
		i++;
	}
}

static void alias_add(GHashTable *index, const struct name_row *row, const char *text, size_t len)
{
	struct alias *a = g_new0(struct alias, 1);
	g_autofree char *word = NULL;
	GPtrArray *list;

	a->row = row;
	a->kind = name_kind_parse(row->kind);
	a->literal = !memchr(text, '#', len) && !memchr(text, '*', len);
	alias_cut(a, text, len);
	if (!a->kind || !a->parts || a->part[0].kind != PART_WORD) {
		g_free(a);
		return;
	}
	word = g_ascii_strdown(a->part[0].p, (gssize)a->part[0].len);
	list = g_hash_table_lookup(index, word);
	if (!list) {
		list = g_ptr_array_new();
		g_hash_table_insert(index, g_steal_pointer(&word), list);
	}
	g_ptr_array_add(list, a);
}

static GHashTable *names_index(void)
{
	if (g_once_init_enter(&index_by_word)) {
		GHashTable *index = g_hash_table_new(g_str_hash, g_str_equal);

		for (const struct name_row *row = name_rows; row->kind; row++) {
			alias_add(index, row, row->name, strlen(row->name));
			for (const char *p = row->aliases; *p;) {
				size_t len = strcspn(p, "|");

				alias_add(index, row, p, len);
				p += len + (p[len] == '|');
			}
		}
		g_once_init_leave(&index_by_word, index);
	}
	return index_by_word;
}

/* What may stand between two words of a name: nothing, a trade mark, one separator. */
static size_t skip_separator(const char *p, size_t len)
{
	size_t n = 0;

	if (len > 2 && p[0] == '(') {
		const char *end = memchr(p, ')', MIN(len, (size_t)4));

		if (end &&
		    (!g_ascii_strncasecmp(p, "(R)", 3) || !g_ascii_strncasecmp(p, "(TM)", 4)))
			n = (size_t)(end - p) + 1;
	}
	if (n + 1 < len && ((p[n] == '.' && p[n + 1] == ' ') ||
	                    (p[n] == ' ' && strchr("-(", p[n + 1]) && p[n + 1])))
		return n + 2;           /* "C.H.I.P. PRO", "ping -f", "MPC5200 (IceCube)" */
	if (n < len && strchr(" -_./", p[n]) && p[n])
		n++;
	return n;
}

/* Length of the alias at text[at], or 0. */
static size_t alias_match(const struct alias *a, const char *text, size_t len, size_t at)
{
	size_t i = at;

	for (unsigned k = 0; k < a->parts; k++) {
		const struct part *p = &a->part[k];
		bool plus = p->kind == PART_WORD && p->p[0] == '+';
		size_t skip =
			k && p->kind != PART_ANY && !plus ? skip_separator(text + i, len - i) : 0;
		size_t run;

		i += skip;
		run = plus ? i < len && text[i] == '+' : run_length(text + i, len - i);
		if (p->kind == PART_WORD) {
			if (run != p->len || (a->exact ? memcmp(p->p, text + i, run)
			                               : g_ascii_strncasecmp(p->p, text + i, run)))
				return 0;
			i += run;
		} else if (p->kind == PART_DIGITS) {
			if (!run || !g_ascii_isdigit(text[i]))
				return 0;
			i += run;
		} else {
			while (i < len && g_ascii_isalnum(text[i]))
				i++;
		}
	}
	if (i < len && (g_ascii_isalpha(text[i]) || text[i] == '@'))
		return 0;
	/* "Celeron 1.7 GHz" is no Celeron 1 */
	if (i + 1 < len && i > at && g_ascii_isdigit(text[i - 1]) && text[i] == '.' &&
	    g_ascii_isdigit(text[i + 1]))
		return 0;
	/* "debian9" */
	if (i < len && g_ascii_isdigit(text[i]) &&
	    !(a->kind == NAME_DISTRIBUTION && g_ascii_isalpha(text[i - 1])))
		return 0;
	/* "rpi-usb-audio-tweaks", "qemu-system-x86": part of a longer name */
	if (i + 1 < len && strchr("-_", text[i]) && g_ascii_islower(text[i + 1]) &&
	    g_ascii_islower(text[i - 1]) && a->kind != NAME_LOAD)
		return 0;
	return i - at;
}

/* A name may not begin inside a word, nor follow what makes paths, addresses and compound names. */
static bool may_begin(const char *text, size_t at)
{
	if (!at)
		return true;
	return !g_ascii_isalnum(text[at - 1]) && !strchr("/@._-\\$~", text[at - 1]);
}

/* "root@chip:~#", "rpi4/x", "chip.local": what follows shows a host, a path or a domain. */
static bool may_end(const char *text, size_t len, size_t end)
{
	if (end + 1 >= len)
		return true;
	if (text[end] == ':' && (text[end + 1] == '~' || text[end + 1] == '/'))
		return false;
	return !(text[end] == '/' && end + 1 < len && g_ascii_islower(text[end + 1]) && end >= 2 &&
	         g_ascii_islower(text[end - 1]) && g_ascii_islower(text[end - 2]));
}

bool names_find(const char *text, size_t len, size_t from, unsigned kinds, struct name_match *m)
{
	GHashTable *index = names_index();

	for (size_t at = from; at < len;) {
		size_t run = run_length(text + at, len - at);
		char word[32];
		GPtrArray *list = NULL;
		size_t best = 0;

		if (!run) {
			at++;
			continue;
		}
		if (run < sizeof(word) && may_begin(text, at)) {
			for (size_t i = 0; i < run; i++)
				word[i] = g_ascii_tolower(text[at + i]);
			word[run] = '\0';
			list = g_hash_table_lookup(index, word);
		}
		for (guint i = 0; list && i < list->len; i++) {
			const struct alias *a = list->pdata[i];
			size_t n = (a->kind & kinds) ? alias_match(a, text, len, at) : 0;

			if (2 * n + a->literal > best && n && may_end(text, len, at + n)) {
				best = 2 * n + a->literal;
				*m = (struct name_match){ a->row->name, a->kind, text + at, n };
			}
		}
		if (best) {
			if (m->name[0] == '=')
				m->name++;
			if (memchr(m->p, '(', m->len) && !memchr(m->p, ')', m->len) &&
			    at + m->len < len && m->p[m->len] == ')')
				m->len++;
			return true;
		}
		at += run;
	}
	return false;
}

const char *names_canonical(unsigned kinds, const char *text)
{
	struct name_match m, best = { NULL, 0, NULL, 0 };
	size_t len = strlen(text);

	for (size_t from = 0; names_find(text, len, from, kinds, &m);
	     from = (size_t)(m.p - text) + m.len)
		if (!best.name || m.kind < best.kind || (m.kind == best.kind && m.len > best.len))
			best = m;
	return best.name;
}
