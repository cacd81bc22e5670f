/* Typed tables: what the cells of a grid mean. */
#include <string.h>
#include "lib/pattern.h"
#include "lib/tab_cell.h"
#include "parsers/typed_series.h"
#include "parsers/typed_sieve.h"

#define CAPTION_LENGTH 90u /* bytes that a heading may have and still name what was measured */

#define MAX_CELLS 20000u   /* larger tables are nobody's typing */
#define MAX_KEYS 64u	   /* series that one row may give */

enum use { USE_SKIP, USE_LABEL, USE_FIELD, USE_PERCENTILE, USE_VALUE };

struct column {
	enum use use;
	struct tab_heading h;
	char *heading, *group, *folded; /* plain text */
	const char *quantity;		/* said by the heading, or NULL */
	bool group_unit_stated;
	struct tab_unit group_unit;
	unsigned values, texts, nones, time_units, units;
	unsigned key; /* which series of the row */
	unsigned style; /* enum tab_style that only its cells have */
};

/* A series that each row gives: statistics of one group of columns. */
struct key {
	const char *group, *quantity;
	unsigned fields; /* bit per enum field */
};

struct typed {
	const struct tab_grid *grid;
	const struct typed_around *around;
	struct column *column;
	unsigned style;
	unsigned first; /* measured column */
	struct key key[MAX_KEYS];
	unsigned keys;
	unsigned statistics; /* different ones among the columns */
	bool caption_stated;
	struct tab_unit caption;
	const char *caption_quantity;
	bool any_unit; /* some heading or cell states a unit */
};

#define ROW(t, i) ((const struct tab_grid_row *)(t)->grid->rows->pdata[i])

/* Minimum, average and maximum of a row in order, numbers with commas read in this style. */
static bool row_in_order(const struct typed *t, unsigned row, unsigned style)
{
	static const enum field order[] = { FIELD_MIN, FIELD_AVG, FIELD_MAX };
	struct number last = number_absent();

	for (size_t f = 0; f < G_N_ELEMENTS(order); f++) {
		for (unsigned c = 1; c < t->grid->columns; c++) {
			struct tab_cell cell;

			if (t->column[c].h.kind != HEADING_FIELD ||
			    t->column[c].h.field != order[f])
				continue;
			tab_cell_read(ROW(t, row)->cell[c], style, &cell);
			if (cell.kind != TAB_VALUE || cell.unit_stated ||
			    !number_is_set(cell.number))
				continue;
			if (number_is_set(last) && number_cmp(last, cell.number) > 0)
				return false;
			last = cell.number;
		}
	}
	return true;
}

/*
 * "1,250" alone can be read in two ways. It is a thousand for certain if the column has whole
 * numbers of three digits, and none of more without a comma; or if only so minimum, average and
 * maximum are in order.
 */
static bool certain_groups(const struct typed *t)
{
	bool points_fail = false, groups_hold = true;

	if (t->style & (STYLE_POINT | STYLE_COMMA | STYLE_GROUPS))
		return false;
	for (unsigned c = 1; c < t->grid->columns; c++) {
		bool vague = false, hundreds = false, more = false;

		for (unsigned i = 0; i < t->grid->rows->len; i++) {
			struct tab_cell cell;
			size_t digits;

			tab_cell_read(ROW(t, i)->cell[c], t->style | t->column[c].style, &cell);
			digits = strspn(ROW(t, i)->cell[c], "0123456789");
			vague = vague ||
				(cell.kind == TAB_VAGUE && strchr(ROW(t, i)->cell[c], ','));
			hundreds = hundreds || (cell.kind == TAB_VALUE && digits == 3);
			more = more || (cell.kind == TAB_VALUE && digits > 3);
		}
		if (vague && hundreds && !more)
			return true;
	}
	for (unsigned i = 0; i < t->grid->rows->len; i++) {
		points_fail = points_fail || !row_in_order(t, i, t->style | STYLE_COMMA);
		groups_hold = groups_hold && row_in_order(t, i, t->style | STYLE_GROUPS);
	}
	return points_fail && groups_hold;
}

static void read_columns(struct typed *t)
{
	const struct tab_grid *g = t->grid;

	for (unsigned c = 0; c < g->columns; c++) {
		struct column *col = &t->column[c];
		struct tab_heading group;

		col->heading = tab_cell_plain(g->heading[c]);
		col->group = tab_cell_plain(g->group[c]);
		col->folded = tab_fold(col->heading);
		tab_heading_read(col->heading, &col->h);
		tab_heading_read(col->group, &group);
		col->group_unit_stated = group.unit_stated;
		col->group_unit = group.unit;
		col->quantity = tab_quantity(col->folded);
		if (strstr(col->folded, " per core ") || strstr(col->folded, " per cpu ") || strstr(col->folded, " per thread "))
			col->style = STYLE_LIST;
	}
	if (g->style == GRID_PIPES || g->style == GRID_SEPARATED || g->style == GRID_CELLS)
		t->style |= STYLE_CELLS;
	/* How numbers are written, from all cells that tell it. */
	for (unsigned i = 0, cells = t->style, found = 0; i < g->rows->len; i++) {
		for (unsigned c = 1; c < g->columns; c++) {
			struct tab_cell cell;

			tab_cell_read(ROW(t, i)->cell[c], cells | t->column[c].style, &cell);
			found |= cell.evidence;
		}
		t->style = cells | found;
	}
	if (certain_groups(t))
		t->style |= STYLE_GROUPS;
	for (unsigned i = 0; i < g->rows->len; i++) {
		for (unsigned c = 0; c < g->columns; c++) {
			struct column *col = &t->column[c];
			struct tab_cell cell;

			tab_cell_read(ROW(t, i)->cell[c], t->style | t->column[c].style, &cell);
			col->values += cell.kind == TAB_VALUE || cell.kind == TAB_LISTED;
			col->texts += cell.kind == TAB_TEXT;
			col->nones += cell.kind == TAB_NONE || cell.kind == TAB_VAGUE;
			col->units += cell.unit_stated;
			col->time_units += cell.unit_stated && tab_unit_is_time(&cell.unit);
		}
	}
}

static bool is_measure(enum field f)
{
	return f == FIELD_MIN || f == FIELD_AVG || f == FIELD_MAX || f == FIELD_STDDEV ||
	       f == FIELD_MDEV;
}

static bool is_statistic_column(const struct column *c)
{
	return (c->h.kind == HEADING_PERCENTILE || c->h.kind == HEADING_FIELD) &&
	       c->values + c->nones > 0 && c->values >= c->texts;
}

/* What a run was asked to do, in a column of times: no measurement. */
static bool is_parameter(const struct column *x)
{
	static struct pattern words = PATTERN(
		" (?:periods?|intervals?|cycles?|timeouts?|durations?|sleeps?|deadlines?|steps?|sizes?|lengths?|bases?|delays?"
		"|times?|rates?|loads?|targets?|thresholds?|budgets?|limits?|offsets?|slots?|slices?|quantum|windows?|wait"
		"|requested|expected|nominal) ");

	return pattern_match(&words, x->folded, strlen(x->folded), 0, NULL);
}

/* "Typical (us)" or "BW (MB/s)" left of "Worst case (us)": measured, but none of the field's statistics. */
static bool is_other_measure(const struct column *x, unsigned rows)
{
	return x->h.unit_stated && x->values && x->values + x->nones == rows && !is_parameter(x) &&
	       (!strcmp(x->h.unit.name, "ns") || strchr(x->h.unit.name, '/'));
}

/* The first column that was measured; those left of it are labels. */
static unsigned first_measured(const struct typed *t)
{
	unsigned other = 0;

	for (unsigned c = 0; c < t->grid->columns; c++) {
		if (is_statistic_column(&t->column[c]) &&
		    (t->column[c].h.kind == HEADING_PERCENTILE ||
		     is_measure(t->column[c].h.field) || c > 0))
			return other ? other : c;
		if (c > 0 && !other && is_other_measure(&t->column[c], t->grid->rows->len))
			other = c;
	}
	for (unsigned c = 1; c < t->grid->columns; c++)
		if (t->column[c].values && t->column[c].values >= t->column[c].texts)
			return c;
	return t->grid->columns;
}

/* Whether the headings name the same quantity, or none. "Worst case" and "Max jitter" do not. */
static bool same_quantity(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* Whether two headings may speak of one thing. */
static bool same_group(const struct column *a, const struct column *b)
{
	return !strcmp(a->group, b->group) && same_quantity(a->quantity, b->quantity);
}

static bool same_statistic(const struct column *a, const struct column *b)
{
	return a->use == b->use &&
	       (a->use == USE_FIELD ? a->h.field == b->h.field
				    : !strcmp(a->h.percentile, b->h.percentile));
}

static bool odd_unit(const struct column *c)
{
	return c->h.unit_stated && !tab_unit_is_time(&c->h.unit) &&
	       !(c->use == USE_FIELD && field_is_count(c->h.field));
}

/* "Hackbench mean (s)" beside "Max latency (us)" is a result of its own: it names a tool, or seconds beside parts of them. */
static bool is_foreign(const struct typed *t, const struct column *x)
{
	const char *tool = tab_tool(x->folded);
	bool seconds = x->h.unit_stated && !strcmp(x->h.unit.name, "s");

	for (unsigned c = t->first; c < t->grid->columns; c++) {
		const struct column *y = &t->column[c];
		const char *its = tab_tool(y->folded);

		if (y == x || (y->use != USE_FIELD && y->use != USE_PERCENTILE) || strcmp(x->group, y->group))
			continue;
		if (seconds && y->h.unit_stated && !strcmp(y->h.unit.name, "ns"))
			return true;
		if (tool && (!its || strcmp(tool, its)))
			return true;
	}
	return false;
}

/* What is no statistic after all: the same one twice (variants), another unit than time, another program's, counts
 * without a measure. */
static void demote(struct typed *t)
{
	unsigned n = t->grid->columns;
	bool measures = false;
	g_autofree bool *twice = g_new0(bool, n);

	for (unsigned a = t->first; a < n; a++) {
		struct column *x = &t->column[a];

		if (x->use != USE_FIELD && x->use != USE_PERCENTILE)
			continue;
		for (unsigned b = t->first; b < n; b++)
			twice[a] = twice[a] || (b != a && same_statistic(x, &t->column[b]) &&
						same_group(x, &t->column[b]));
	}
	for (unsigned c = t->first; c < n; c++) {
		struct column *x = &t->column[c];

		if ((x->use == USE_FIELD || x->use == USE_PERCENTILE) && (twice[c] || odd_unit(x) || is_foreign(t, x)))
			x->use = USE_VALUE;
		measures = measures || x->use == USE_PERCENTILE ||
			   (x->use == USE_FIELD && is_measure(x->h.field));
	}
	for (unsigned c = t->first; c < n && !measures; c++)
		if (t->column[c].use == USE_FIELD)
			t->column[c].use = USE_VALUE;
}

/* Whether some statistic is there for a quantity that is named and for one that is not: "Max jitter", "Worst case". */
static bool has_rival(const struct typed *t)
{
	for (unsigned a = t->first; a < t->grid->columns; a++) {
		for (unsigned b = t->first; b < t->grid->columns; b++) {
			const struct column *x = &t->column[a], *y = &t->column[b];

			if (x->use == USE_FIELD && same_statistic(x, y) && !strcmp(x->group, y->group) &&
			    !x->quantity && y->quantity)
				return true;
		}
	}
	return false;
}

/* The series that a statistic belongs to: of its group, with its quantity, or else (any) where it could belong. */
static unsigned find_key(const struct typed *t, const struct column *x, bool any)
{
	unsigned k;

	for (k = 0; k < t->keys; k++) {
		const struct key *key = &t->key[k];

		if (!strcmp(key->group, x->group) &&
		    (same_quantity(key->quantity, x->quantity) || (any && (!key->quantity || !x->quantity))) &&
		    !(x->use == USE_FIELD && (key->fields >> x->h.field & 1)))
			break;
	}
	return k;
}

/* Gives each statistic its series: one for each group, or quantity, of columns. */
static void assign_keys(struct typed *t)
{
	bool rival = has_rival(t);

	for (unsigned c = t->first; c < t->grid->columns; c++) {
		struct column *x = &t->column[c];
		unsigned k;

		if (x->use != USE_FIELD && x->use != USE_PERCENTILE)
			continue;
		k = find_key(t, x, false);
		k = k < t->keys || rival ? k : find_key(t, x, true);
		if (k == MAX_KEYS) {
			x->use = USE_VALUE;
			continue;
		}
		if (k == t->keys)
			t->key[t->keys++] = (struct key){ .group = x->group };
		if (x->quantity)
			t->key[k].quantity = x->quantity;
		if (x->use == USE_FIELD)
			t->key[k].fields |= 1u << x->h.field;
		x->key = k;
	}
}

/* The unit that the text above the table states. */
static void read_caption(struct typed *t)
{
	const char *const texts[] = { t->grid->note, t->grid->caption, t->around->title,
				      t->around->caption, t->around->below };
	bool general;

	if (t->grid->note) {
		struct tab_heading note;

		tab_heading_read(t->grid->note, &note);
		t->caption_stated = note.unit_stated;
		t->caption = note.unit;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_autofree char *folded = texts[i] ? tab_fold(texts[i]) : NULL;

		if (!texts[i])
			continue;
		if (!t->caption_stated)
			t->caption_stated = tab_unit_stated(texts[i], &t->caption, &general);
		/* A sentence talks of many things; what names a table is short. */
		if (!t->caption_quantity && strlen(texts[i]) <= CAPTION_LENGTH)
			t->caption_quantity = tab_quantity(folded);
	}
	/* A heading above labels that are no numbers: "Scheduling latency (us) | min | max". */
	for (unsigned c = 0; c < t->first && !t->caption_stated && t->first < t->grid->columns;
	     c++) {
		const struct column *x = &t->column[c];

		if (x->h.unit_stated && tab_unit_is_time(&x->h.unit) && !x->values) {
			t->caption_stated = true;
			t->caption = x->h.unit;
		}
	}
	if (!t->caption_stated && t->around->general_stated) {
		t->caption_stated = true;
		t->caption = t->around->general;
	}
	if (!t->caption_stated && t->around->ping)
		t->caption_stated = tab_unit_find("ms", 2, &t->caption);
}

struct typed *typed_new(const struct tab_grid *g, const struct typed_around *around)
{
	struct typed *t = g_new0(struct typed, 1);
	unsigned seen = 0;

	t->grid = g;
	t->around = around;
	t->column = g_new0(struct column, g->columns + 1);
	read_columns(t);
	t->first = first_measured(t);
	for (unsigned c = 0; c < g->columns; c++) {
		struct column *x = &t->column[c];

		if (c < t->first)
			x->use = USE_LABEL;
		else if (is_statistic_column(x))
			x->use = x->h.kind == HEADING_FIELD ? USE_FIELD : USE_PERCENTILE;
		else
			x->use = x->values && x->values >= x->texts ? USE_VALUE : USE_SKIP;
		t->any_unit =
			t->any_unit ||
			(c >= t->first && (x->h.unit_stated || x->units || x->group_unit_stated));
	}
	demote(t);
	assign_keys(t);
	for (unsigned c = t->first; c < g->columns; c++) {
		const struct column *x = &t->column[c];

		if (x->use == USE_PERCENTILE)
			t->statistics++;
		if (x->use == USE_FIELD && is_measure(x->h.field) && !(seen >> x->h.field & 1)) {
			t->statistics++;
			seen |= 1u << x->h.field;
		}
	}
	read_caption(t);
	return t;
}

void typed_free(struct typed *t)
{
	if (!t)
		return;
	for (unsigned c = 0; c < t->grid->columns; c++) {
		g_free(t->column[c].heading);
		g_free(t->column[c].group);
		g_free(t->column[c].folded);
	}
	g_free(t->column);
	g_free(t);
}

/* Words of a text for, and against where the text is the table's own. */
static int topic(const char *text, bool against, GHashTable *seen)
{
	g_autofree char *folded = text ? tab_fold(text) : NULL;

	return folded ? tab_topic_add(folded, against, seen) : 0;
}

/* Row labels: what the rows are about, at most as much as a heading can say. */
static int label_topic(const struct typed *t, GHashTable *seen, bool *statistic, bool *time)
{
	int sum = 0;
	struct tab_heading label;

	for (unsigned i = 0; i < t->grid->rows->len && i < 60; i++) {
		for (unsigned c = 0; c < MAX(t->first, 1) && c < t->grid->columns; c++) {
			g_autofree char *folded = tab_fold(ROW(t, i)->cell[c]);

			sum += tab_topic_add(folded, true, seen);
			*statistic = *statistic || tab_statistic_count(folded);
			tab_heading_read(ROW(t, i)->cell[c], &label);
			*time = *time || (label.unit_stated && tab_unit_is_time(&label.unit));
		}
	}
	return CLAMP(sum, -6, 6);
}

/* A heading of several numbers one below the other: rows of a list that has no heading. */
static bool is_list_of_numbers(const char *heading)
{
	static struct pattern numbers = PATTERN("^\\s*[\\d.]+(?:\\s+[\\d.+*-]+)+\\s*$");

	return heading && pattern_match(&numbers, heading, strlen(heading), 0, NULL);
}

/* Minimum, average and maximum of a latency by the headings alone: whatever else stands beside them, that was measured. */
static bool is_certain(const struct typed *t, bool time)
{
	bool named = false;

	for (unsigned c = t->first; c < t->grid->columns; c++) {
		const struct column *x = &t->column[c];

		named = named || ((x->use == USE_FIELD || x->use == USE_PERCENTILE) && x->quantity &&
				  strcmp(x->quantity, "elapsed time"));
	}
	return named && time && t->statistics >= 3;
}

/* A cell that is a bound or a range: "< 100 µs", "2–15 µs". */
static bool is_bounded(const char *text)
{
	static struct pattern bound = PATTERN(
		"^[\\s*_`]*(?:[<>]|\xe2\x89[\xa4\xa5]|\\d[\\d.,]*\\s*\\w{0,3}\\s*(?:-|~|\xe2\x80[\x92-\x95]|\\.\\.+)\\s*\\d)");

	return pattern_match(&bound, text, strlen(text), 0, NULL);
}

/*
 * What is wanted, allowed or known from elsewhere has bounds and ranges, and headings that say so; what was measured has
 * values.
 */
static bool is_planned(const struct typed *t)
{
	g_autofree char *title = t->around->title ? tab_fold(t->around->title) : NULL;
	unsigned values = 0, bounds = 0;

	for (unsigned c = t->first; c < t->grid->columns; c++) {
		if (t->column[c].use == USE_SKIP)
			continue;
		values += t->column[c].values;
		for (unsigned i = 0; i < t->grid->rows->len; i++)
			bounds += is_bounded(ROW(t, i)->cell[c]);
	}
	return bounds >= MAX(values, 1) || (title && tab_planned(title));
}

/* Whether so much structure and words that say so much make a table of results. */
static bool is_enough(int structure, int words)
{
	/* Neither statistics nor a unit of time: the words must be very clear. */
	if (structure < 3 && words < TYPED_SCORE_CLEAR)
		return false;
	return words >= (structure >= 4 ? TYPED_SCORE_TOPIC_SURE : TYPED_SCORE_TOPIC) &&
	       words + structure >= TYPED_SCORE_ALL;
}

static int structure_of(unsigned statistics, bool label_statistic, bool time, bool leaders)
{
	int statistic = statistics >= 3 ? 4 : statistics == 2 ? 3 : statistics || label_statistic ? 1 : 0;

	return statistic + (time ? 3 : 0) + (leaders ? 1 : 0);
}

bool typed_block_may_measure(const struct tab_seen *seen)
{
	unsigned statistics = 0;
	bool time = seen->flags & SEEN_TIME;
	int words = tab_seen_topics(seen);

	if (seen->flags & SEEN_WIDE)
		return true;
	for (unsigned f = 0; f < FIELD_SERIES_END; f++)
		statistics += is_measure((enum field)f) && (seen->statistics >> f & 1);
	if (seen->flags & SEEN_PERCENTILE)
		statistics = 3;
	/* As is_certain. */
	if (statistics >= 3 && time && (seen->flags & SEEN_QUANTITY))
		words = MAX(words, TYPED_SCORE_TOPIC);
	return is_enough(structure_of(statistics, seen->statistics, time, seen->flags & SEEN_LEADER), words);
}

bool typed_measures(const struct typed *t)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	bool label_statistic = false, time = false, measured = false;
	int words = 0, structure;

	for (unsigned c = 0; c < t->grid->columns; c++) {
		const struct column *x = &t->column[c];

		words += topic(x->heading, true, seen) + topic(x->group, true, seen);
		if (c < t->first)
			continue;
		if (is_list_of_numbers(x->heading))
			return false;
		measured = measured || (x->use != USE_SKIP && x->values);
		time = time || x->time_units > 0 || (x->h.unit_stated && tab_unit_is_time(&x->h.unit)) ||
		       (x->group_unit_stated && tab_unit_is_time(&x->group_unit));
	}
	if (!measured || t->grid->rows->len * (t->grid->columns - t->first) > MAX_CELLS || is_planned(t))
		return false;
	words += topic(t->grid->note, false, seen) + topic(t->grid->caption, false, seen) +
		 topic(t->around->title, false, seen) + topic(t->around->caption, false, seen) +
		 topic(t->around->below, false, seen);
	words += label_topic(t, seen, &label_statistic, &time);
	time = time || (t->caption_stated && tab_unit_is_time(&t->caption));
	if (is_certain(t, time))
		words = MAX(words, TYPED_SCORE_TOPIC);
	structure = structure_of(t->statistics, label_statistic, time, t->grid->style == GRID_LEADERS);
	if (!t->grid->headed && t->grid->style != GRID_LEADERS)
		return false;
	return is_enough(structure, words);
}

/* The name of a row: its labels, joined. above: the last text of each label column, which empty
 * cells inherit. */
static char *row_name(const struct typed *t, unsigned row, char **above)
{
	GString *name = g_string_new(NULL);
	unsigned labels = t->first;

	for (unsigned c = 0; c < labels; c++) {
		g_autofree char *text = tab_cell_plain(ROW(t, row)->cell[c]);
		const char *part = text;

		while (*text && (g_str_has_suffix(text, ":") || g_str_has_suffix(text, " ")) &&
		       strlen(text) > 1)
			text[strlen(text) - 1] = '\0';
		if (*text)
			tab_set(&above[c], g_strdup(text));
		else if (c + 1 < labels && above[c])
			part = above[c]; /* a label that spans rows */
		if (*part)
			g_string_append_printf(name, "%s%s", name->len ? " / " : "", part);
	}
	return g_string_free(name, FALSE);
}

/* In a section between borders one label of the first column may stand in any row: it holds for all
 * of them. */
static void section_label(const struct typed *t, unsigned row, char **above)
{
	unsigned from = row, to = row, filled = 0, which = 0;

	if (!ROW(t, row)->rule_sections || t->first < 2)
		return;
	while (from > 0 && ROW(t, from - 1)->section == ROW(t, row)->section)
		from--;
	while (to + 1 < t->grid->rows->len && ROW(t, to + 1)->section == ROW(t, row)->section)
		to++;
	for (unsigned i = from; i <= to; i++) {
		if (*ROW(t, i)->cell[0]) {
			filled++;
			which = i;
		}
	}
	if (filled == 1)
		tab_set(&above[0], tab_cell_plain(ROW(t, which)->cell[0]));
	else if (!filled)
		tab_set(&above[0], g_strdup(""));
}

/* "Elapsed" has the unit of "Elapsed Time (sec)" beside it. */
static bool kin_unit(const struct typed *t, const struct column *x, struct tab_unit *unit)
{
	for (unsigned c = t->first; x->quantity && c < t->grid->columns; c++) {
		const struct column *y = &t->column[c];
		g_autofree char *group = tab_fold(y->group);
		const char *of_group = tab_quantity(group);

		if (y->h.unit_stated && y->quantity && !strcmp(y->quantity, x->quantity))
			*unit = y->h.unit;
		else if (y->group_unit_stated && of_group && !strcmp(of_group, x->quantity))
			*unit = y->group_unit;
		else
			continue;
		return true;
	}
	return false;
}

/* The unit of a cell: its own, that of its heading, of the group, of the row's label, or of the
 * caption. */
static bool cell_unit(const struct typed *t, const struct column *x, const struct tab_cell *cell,
		      const struct tab_heading *label, struct tab_unit *unit)
{
	bool caption =
		t->caption_stated && (x->use != USE_VALUE || (!t->statistics && !t->any_unit));

	if (cell->unit_stated)
		*unit = cell->unit;
	else if (x->h.unit_stated)
		*unit = x->h.unit;
	else if (x->group_unit_stated)
		*unit = x->group_unit;
	else if (kin_unit(t, x, unit))
		return true;
	else if (label->unit_stated)
		*unit = label->unit;
	else if (caption && (x->use != USE_VALUE || tab_unit_is_time(&t->caption)))
		*unit = t->caption;
	else
		return false;
	return true;
}

/* What was measured, as the words nearest to the value say; NULL when they do not. */
static const char *quantity_of(const struct typed *t, const struct column *x, const char *name)
{
	g_autofree char *group = tab_fold(x->group), *label = tab_fold(name);
	const char *q = x->quantity;

	q = q ? q : tab_quantity(group);
	q = q ? q : tab_quantity(label);
	return q ? q : t->caption_quantity;
}

/* A number as printed in the record's unit. elapsed: seconds stay seconds. */
static struct number convert(struct number n, const struct tab_unit *unit, bool elapsed,
			     const char **name)
{
	*name = unit->name;
	if (!strcmp(unit->name, "s") && !elapsed) {
		*name = "ns";
		return number_scale(n, 9);
	}
	if (!strcmp(unit->name, "ns") && elapsed) {
		*name = "s";
		return number_scale(n, unit->exponent - 9);
	}
	return number_scale(n, unit->exponent);
}

static bool is_elapsed(const char *quantity, const struct tab_unit *unit)
{
	if (quantity && !strcmp(quantity, "elapsed time"))
		return true;
	/* Seconds are elapsed times unless something says that they are not. */
	return !strcmp(unit->name, "s") && !quantity;
}

/* The coarsest step in which the series was printed. */
static void note_resolution(struct series *s, const struct tab_cell *cell,
			    const struct tab_unit *unit, bool elapsed)
{
	const char *name;
	struct number step =
		convert(number_scale(number_int(1), -cell->decimals), unit, elapsed, &name);

	if (!number_is_set(s->resolution) || number_cmp(s->resolution, step) < 0)
		s->resolution = step;
}

static void flag_cell(struct record *r, const struct series *s, const char *where, const char *text)
{
	g_autofree char *plain = tab_cell_plain(text);
	g_autofree char *why =
		g_strdup_printf("\"%s\" is not one exact number that can be kept: null", plain);

	record_flag(r, FLAG_OUT_OF_RANGE, "/series/%u/%s", why, record_series_index(r, s), where);
}

static bool is_total(const char *name)
{
	g_autofree char *folded = tab_fold(name);

	return !strcmp(folded, " total ") || !strcmp(folded, " sum ") ||
	       !strcmp(folded, " gesamt ") || !strcmp(folded, " summe ");
}

/* Rows that follow from others, such as "%" and "total", say so. */
static void mark_derived(struct record *r, struct series *s, const char *name)
{
	if (!strcmp(name, "%"))
		series_label(r, s, "derived", "percent");
	else if (is_total(name))
		series_label(r, s, "derived", "total");
}

static void set_quantity(struct record *r, struct series *s, const char *quantity, bool elapsed)
{
	if (elapsed)
		s->quantity = "elapsed time";
	else if (quantity && strcmp(quantity, "latency"))
		s->quantity = record_text(r, quantity, -1);
}

/* What a value that is no time is called: its group, heading or row, without the unit. */
static void name_quantity(struct record *r, struct series *s, const struct column *x,
			  const char *name, bool variants)
{
	const char *text = *x->group ? x->group : variants ? name : x->heading;
	g_autofree char *low = g_utf8_strdown(text, -1);
	char *open = strchr(low, '(');

	if (open && open > low)
		*open = '\0';
	g_strstrip(low);
	if (*low && strlen(low) <= 60 && strcmp(low, "%"))
		s->quantity = record_text(r, low, -1);
}

/* A series per listed value, or one. */
static unsigned value_series(const struct typed *t, const struct column *x,
			     const struct tab_cell *cell, const char *name, unsigned line,
			     struct record *r)
{
	unsigned n = cell->kind == TAB_LISTED ? cell->listed : 1;
	struct tab_heading label;
	struct tab_unit unit = { NULL, 0 };
	bool stated;
	const char *quantity = quantity_of(t, x, name);

	tab_heading_read(name, &label);
	stated = cell_unit(t, x, cell, &label, &unit);
	for (unsigned i = 0; i < n; i++) {
		struct series *s = record_add_series(r, *name ? record_text(r, name, -1) : NULL);
		struct number v = cell->kind == TAB_LISTED ? cell->list[i] : cell->number;

		s->line = line;
		if (*x->heading)
			series_label(r, s, "column", record_text(r, x->heading, -1));
		if (*x->group)
			series_label(r, s, "group", record_text(r, x->group, -1));
		if (cell->kind == TAB_LISTED)
			series_label_number(s, "index", number_int(i));
		mark_derived(r, s, name);
		if (stated) {
			bool elapsed = tab_unit_is_time(&unit) && is_elapsed(quantity, &unit);

			s->field[FIELD_VALUE] = convert(v, &unit, elapsed, &s->unit);
			note_resolution(s, cell, &unit, elapsed);
			if (tab_unit_is_time(&unit))
				set_quantity(r, s, quantity, elapsed);
			else
				name_quantity(r, s, x, name,
					      !t->statistics && !*x->group && !x->h.unit_stated);
		} else {
			s->field[FIELD_VALUE] = v;
			name_quantity(r, s, x, name, !t->statistics && !*x->group);
		}
		if (v.state == NUMBER_NULL)
			flag_cell(r, s, "value", "");
	}
	return n;
}

/* How many values a list in the row's statistics has; 1: no lists. 0: lists of different lengths.
 */
static unsigned list_length(const struct typed *t, unsigned row, unsigned key)
{
	unsigned n = 1;

	for (unsigned c = t->first; c < t->grid->columns; c++) {
		const struct column *x = &t->column[c];
		struct tab_cell cell;

		if ((x->use != USE_FIELD && x->use != USE_PERCENTILE) || x->key != key)
			continue;
		tab_cell_read(ROW(t, row)->cell[c], t->style | t->column[c].style, &cell);
		if (cell.kind != TAB_LISTED)
			continue;
		if (n > 1 && n != cell.listed)
			return 0;
		n = cell.listed;
	}
	return n;
}

static void set_member(const struct typed *t, struct record *r, struct series *s,
		       const struct column *x, struct number v)
{
	(void)t;
	if (x->use == USE_FIELD)
		s->field[x->h.field] = v;
	else
		series_percentile(r, s, record_text(r, x->h.percentile, -1), v);
}

/* One statistic of a series. Returns 1 when it has a value, or had one that cannot be kept. */
static unsigned member(const struct typed *t, struct record *r, struct series *s,
		       const struct column *x, const char *text, const struct tab_heading *label,
		       const char *quantity, unsigned index)
{
	bool count = x->use == USE_FIELD && field_is_count(x->h.field);
	struct tab_cell cell;
	struct tab_unit unit = { NULL, 0 };
	struct number v;
	bool elapsed = false;
	const char *name = NULL;

	tab_cell_read(text, t->style | x->style, &cell);
	if (cell.kind == TAB_EMPTY)
		return 0;
	if (cell.kind != TAB_VALUE && cell.kind != TAB_LISTED) {
		set_member(t, r, s, x, number_null());
		if (cell.kind == TAB_NONE)
			return 0;
		flag_cell(r, s, x->use == USE_FIELD ? field_name(x->h.field) : "percentiles", text);
		if (!s->unit && !count && cell_unit(t, x, &cell, label, &unit))
			convert(number_null(), &unit, tab_unit_is_time(&unit) && is_elapsed(quantity, &unit),
				&s->unit);
		return 1; /* something was measured: the series stays */
	}
	v = cell.kind == TAB_LISTED ? cell.list[index] : cell.number;
	if (count) {
		s->field[x->h.field] = v;
		return 1;
	}
	if (cell_unit(t, x, &cell, label, &unit)) {
		elapsed = tab_unit_is_time(&unit) && is_elapsed(quantity, &unit);
		v = convert(v, &unit, elapsed, &name);
	}
	/* All members of a series have one unit; zero is zero in any. */
	if (s->unit != name && (s->unit == NULL || name == NULL || strcmp(s->unit, name))) {
		bool first = !number_is_set(s->resolution);

		if (first) {
			s->unit = name;
		} else if (!number_is_set(v) || v.coefficient) {
			set_member(t, r, s, x, number_null());
			record_flag(
				r, FLAG_OUT_OF_RANGE, "/series/%u",
				"a value has another unit than the values beside it, or none: null",
				record_series_index(r, s));
			return 0;
		}
	}
	set_member(t, r, s, x, v);
	if (v.state == NUMBER_NULL)
		flag_cell(r, s, x->use == USE_FIELD ? field_name(x->h.field) : "percentiles", text);
	if (name)
		note_resolution(s, &cell, &unit, elapsed);
	else if (!number_is_set(s->resolution))
		s->resolution = number_scale(number_int(1), -cell.decimals);
	if (elapsed)
		s->quantity = "elapsed time";
	return number_is_set(v);
}

static unsigned statistic_series(const struct typed *t, unsigned row, unsigned key,
				 const char *name, unsigned line, struct record *r)
{
	unsigned n = list_length(t, row, key), set = 0;
	const struct key *k = &t->key[key];
	struct tab_heading label;
	g_autofree char *folded = tab_fold(name);
	const char *quantity = k->quantity ? k->quantity : tab_quantity(folded);

	quantity = quantity ? quantity : t->caption_quantity;
	tab_heading_read(name, &label);
	for (unsigned i = 0; i < n; i++) {
		struct series *s = record_add_series(r, *name ? record_text(r, name, -1) : NULL);
		unsigned members = 0;

		s->line = line;
		if (*k->group)
			series_label(r, s, "group", record_text(r, k->group, -1));
		else if (t->keys > 1 && k->quantity)
			series_label(r, s, "group", record_text(r, k->quantity, -1));
		if (n > 1)
			series_label_number(s, "index", number_int(i));
		mark_derived(r, s, name);
		set_quantity(r, s, quantity, false);
		for (unsigned c = t->first; c < t->grid->columns; c++) {
			const struct column *x = &t->column[c];

			if ((x->use == USE_FIELD || x->use == USE_PERCENTILE) && x->key == key)
				members += member(t, r, s, x, ROW(t, row)->cell[c], &label,
						  quantity, i);
		}
		if (!members)
			record_drop_series(r);
		set += members;
	}
	return set;
}

unsigned typed_series(const struct typed *t, GPtrArray *lines, struct record *r)
{
	g_autofree char **above = g_new0(char *, t->grid->columns + 1);
	unsigned set = 0;

	for (unsigned i = 0; i < t->grid->rows->len; i++) {
		const struct tab_line *l = lines->pdata[ROW(t, i)->line];
		g_autofree char *name = NULL;

		section_label(t, i, above);
		name = row_name(t, i, above);
		for (unsigned k = 0; k < t->keys; k++)
			set += statistic_series(t, i, k, name, l->first, r);
		for (unsigned c = t->first; c < t->grid->columns; c++) {
			const struct column *x = &t->column[c];
			struct tab_cell cell;

			if (x->use != USE_VALUE)
				continue;
			tab_cell_read(ROW(t, i)->cell[c], t->style | t->column[c].style, &cell);
			if (cell.kind == TAB_VALUE || cell.kind == TAB_LISTED)
				set += value_series(t, x, &cell, name, l->first, r);
		}
	}
	if (t->grid->unplaced)
		record_flag(r, FLAG_ROWS_MISSING, "",
			    "the values of some rows could not be put under their headings for "
			    "certain");
	for (unsigned c = 0; c < t->grid->columns; c++)
		g_free(above[c]);
	return set;
}
