/* Columns that hold several statistics: "idle (min/avg/max)" above "3/5/37 us" is three columns. */
#include <string.h>
#include "lib/pattern.h"
#include "lib/tab_grid.h"
#include "lib/tab_words.h"

#define MOST 8u /* statistics in one heading */

/* A heading, taken apart. */
struct listing {
	char *before, *after; /* what stands around the statistics: "idle", "(us)" */
	char **word;	      /* the statistics; NULL: the heading lists none */
	unsigned n;
};

static struct pattern list = PATTERN(
	"(?i)[(\\[]?\\b((?:min(?:imum)?|max(?:imum)?|avg|ave|average|mean|median|worst|best|stddev|mdev|p\\d\\d)"
	"(?: ?/ ?(?:min(?:imum)?|max(?:imum)?|avg|ave|average|mean|median|worst|best|stddev|mdev|p\\d\\d)){1,7})\\b[)\\]]?");

static void listing_clear(struct listing *l)
{
	g_free(l->before);
	g_free(l->after);
	g_strfreev(l->word);
	memset(l, 0, sizeof(*l));
}

static bool read_heading(const char *heading, struct listing *l)
{
	struct match m;
	g_autofree char *words = NULL;
	size_t len = strlen(heading);

	memset(l, 0, sizeof(*l));
	if (!pattern_match(&list, heading, len, 0, &m))
		return false;
	words = g_strndup(m.group[1].p, m.group[1].len);
	l->word = g_strsplit(words, "/", MOST + 1);
	l->n = g_strv_length(l->word);
	for (unsigned i = 0; i < l->n; i++)
		g_strstrip(l->word[i]);
	l->before = g_strstrip(g_strndup(heading, (size_t)(m.begin - heading)));
	l->after = g_strstrip(g_strdup(m.end));
	while (*l->before && strchr(":,-", l->before[strlen(l->before) - 1]))
		l->before[strlen(l->before) - 1] = '\0';
	return true;
}

/* The values of a cell, each with the unit that stands behind the last one. NULL: another number of them, or no values. */
static char **cell_values(const char *cell, unsigned n)
{
	char **part = g_strsplit(cell, "/", MOST + 1);
	const char *unit;
	bool ok = g_strv_length(part) == n;

	for (unsigned i = 0; ok && i < n; i++) {
		g_strstrip(part[i]);
		ok = g_ascii_isdigit(part[i][*part[i] == '-']);
	}
	if (!ok) {
		g_strfreev(part);
		return NULL;
	}
	unit = part[n - 1] + strspn(part[n - 1], "+-0123456789., ");
	for (unsigned i = 0; i + 1 < n; i++)
		if (!part[i][strspn(part[i], "+-0123456789.,")])
			tab_set(&part[i], g_strdup_printf("%s %s", part[i], unit));
	return part;
}

static bool is_absent(const char *cell)
{
	return !cell[strspn(cell, " ")] || tab_null_word(cell);
}

/* Whether all cells of the column are as its heading says. */
static bool cells_fit(const struct tab_grid *g, unsigned c, unsigned n)
{
	unsigned fit = 0;

	for (unsigned i = 0; i < g->rows->len; i++) {
		const struct tab_grid_row *r = g->rows->pdata[i];
		char **part;

		if (is_absent(r->cell[c]))
			continue;
		part = cell_values(r->cell[c], n);
		if (!part)
			return false;
		g_strfreev(part);
		fit++;
	}
	return fit > 0;
}

/* Makes room for n - 1 more strings behind index c. */
static void widen(char ***strings, unsigned columns, unsigned c, unsigned n)
{
	*strings = g_renew(char *, *strings, columns + n);
	memmove(*strings + c + n, *strings + c + 1, (columns - c) * sizeof(char *));
	for (unsigned k = 1; k < n; k++)
		(*strings)[c + k] = g_strdup("");
}

static void split_column(struct tab_grid *g, unsigned c, const struct listing *l, bool single)
{
	g_autofree char *group = g_strdup(g->group[c]);

	for (unsigned i = 0; i < g->rows->len; i++) {
		struct tab_grid_row *r = g->rows->pdata[i];
		g_auto(GStrv) part = is_absent(r->cell[c]) ? NULL : cell_values(r->cell[c], l->n);

		widen(&r->cell, g->columns, c, l->n);
		for (unsigned k = 0; k < l->n; k++)
			tab_set(&r->cell[c + k], g_strdup(part ? part[k] : "-"));
	}
	widen(&g->heading, g->columns, c, l->n);
	widen(&g->group, g->columns, c, l->n);
	for (unsigned k = 0; k < l->n; k++) {
		/* One such column needs no name of its own, but its words may say quantity and unit. */
		tab_set(&g->heading[c + k], g_strjoin(" ", l->word[k], single ? l->before : "", l->after, NULL));
		g_strstrip(g->heading[c + k]);
		tab_set(&g->group[c + k], single || !*l->before ? g_strdup(group)
					  : *group ? g_strdup_printf("%s %s", group, l->before)
						   : g_strdup(l->before));
	}
	g->columns += l->n - 1;
}

void tab_grid_split_lists(struct tab_grid *g)
{
	unsigned listed = 0;

	for (unsigned c = 1; c < g->columns; c++) {
		struct listing l;

		if (read_heading(g->heading[c], &l))
			listed++;
		listing_clear(&l);
	}
	for (unsigned c = 1; listed && c < g->columns; c++) {
		struct listing l;

		if (read_heading(g->heading[c], &l) && g->columns + l.n <= TAB_COLUMNS && cells_fit(g, c, l.n)) {
			split_column(g, c, &l, listed == 1);
			c += l.n - 1;
		}
		listing_clear(&l);
	}
}
