#include "lib/gate.h"

#include <string.h>

static void condition_free(void *p)
{
	struct condition *c = p;

	g_free(c->text);
	g_free(c);
}

static bool same_statistic(const struct statistic *a, const struct statistic *b)
{
	return a->percentile || b->percentile ? !g_strcmp0(a->percentile, b->percentile) : a->field == b->field;
}

/* "worse", "max:worse", "changed", "unmatched". */
static bool read_word(struct condition *c, const char *text)
{
	const char *colon = strchr(text, ':'), *word = colon ? colon + 1 : text;

	c->any_statistic = !colon;
	if (colon && !statistic_parse(text, (size_t)(colon - text), &c->what))
		return false;
	if (!strcmp(word, "unmatched") && !colon) {
		c->kind = CONDITION_UNMATCHED;
		return true;
	}
	if (!strcmp(word, "changed")) {
		c->kind = CONDITION_CHANGED;
		return true;
	}
	c->kind = CONDITION_JUDGEMENT;
	return judgement_parse(word, &c->judgement);
}

static size_t read_relation(const char *p, enum relation *out)
{
	static const struct { const char *text; enum relation relation; } all[] = {
		{ "<=", CMP_AT_MOST }, { ">=", CMP_AT_LEAST }, { "<", CMP_LESS }, { ">", CMP_GREATER }, { "=", CMP_EQUAL },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(all); i++)
		if (g_str_has_prefix(p, all[i].text)) {
			*out = all[i].relation;
			return strlen(all[i].text);
		}
	return 0;
}

/* One condition; a message about what is wrong, and where in text, or NULL. */
static const char *read_condition(struct condition *c, const char *text, size_t *at)
{
	size_t n = strcspn(text, "<>="), m;

	*at = 0;
	if (!text[n])
		return read_word(c, text) ? NULL : "neither a verdict (worse, better, different, same, inconclusive, incomparable, "
			"changed, unmatched) nor a condition as max>+10%";
	if (!statistic_parse(text, n, &c->what))
		return "no statistic is named so; min, avg, max, p99.9, count, overruns and the like are";
	*at = n;
	m = read_relation(text + n, &c->relation);
	*at = n + m;
	if (!quantity_parse(text + n + m, strlen(text + n + m), &c->quantity))
		return "a number is missing here, as in 50us, +10%, +5us";
	c->kind = strchr("+-", text[n + m]) ? CONDITION_CHANGE : CONDITION_VALUE;
	if (c->kind == CONDITION_VALUE && c->quantity.unit && *c->quantity.unit == '%' && c->what.percentile)
		return "a share needs its sign: +10%";
	return NULL;
}

GPtrArray *conditions_parse(const char *text, char **error)
{
	GPtrArray *all = g_ptr_array_new_with_free_func(condition_free);
	g_auto(GStrv) parts = g_strsplit(text, ",", -1);
	size_t start = 0;

	*error = NULL;
	for (guint i = 0; parts[i] && !*error; start += strlen(parts[i]) + 1, i++) {
		size_t lead = strspn(parts[i], " \t"), at;
		struct condition *c;
		const char *problem;

		g_autofree char *trimmed = g_strstrip(g_strdup(parts[i]));

		if (!*trimmed)
			continue;
		c = g_new0(struct condition, 1);
		c->text = g_strdup(trimmed);
		g_ptr_array_add(all, c);
		problem = read_condition(c, trimmed, &at);
		if (problem)
			*error = caret_message(text, start + lead + at, "%s", problem);
	}
	if (!*error && !all->len)
		*error = g_strdup("a condition is missing");
	if (*error)
		g_clear_pointer(&all, g_ptr_array_unref);
	return all;
}

static void limit_free(void *p)
{
	struct limit *l = p;

	select_free(l->select);
	g_free(l->tool);
	g_free(l->mode);
	g_free(l->board);
	if (l->conditions)
		g_ptr_array_unref(l->conditions);
	g_free(l);
}

/* The colon that ends the left side: the last one outside quotes and patterns that a condition follows. */
static const char *find_colon(const char *line)
{
	const char *found = NULL;
	bool quoted = false;

	for (const char *p = line; *p; p++) {
		if (*p == '"')
			quoted = !quoted;
		else if (*p == ':' && !quoted && (g_ascii_isspace(p[1]) || !found))
			found = p;
	}
	return found;
}

/* The next word at *p, quoted or not; NULL at the end. '*' and '-' give "". */
static char *next_word(const char **p)
{
	const char *start;
	char *word;

	*p += strspn(*p, " \t");
	if (!**p)
		return NULL;
	if (**p == '"') {
		start = ++*p;
		*p += strcspn(*p, "\"");
		word = g_strndup(start, (gsize)(*p - start));
		*p += **p == '"';
	} else {
		start = *p;
		*p += strcspn(*p, " \t");
		word = g_strndup(start, (gsize)(*p - start));
	}
	if (!strcmp(word, "*") || !strcmp(word, "-"))
		*word = '\0';
	return word;
}

static const char *read_words(struct limit *l, const char *left)
{
	char **const to[] = { &l->tool, &l->mode, &l->board };
	const char *p = left;
	char *word;

	for (size_t i = 0; (word = next_word(&p)); i++) {
		if (i == G_N_ELEMENTS(to)) {
			g_free(word);
			return "more than tool, mode and board; words with blanks go in double quotes";
		}
		*to[i] = word;
	}
	return l->tool ? NULL : "a tool is missing before the colon ('*' for any)";
}

/* One line; a message (caller g_frees) or NULL. */
static char *read_limit(struct limit *l, const char *line)
{
	const char *colon = find_colon(line), *problem;
	g_autofree char *left = NULL;
	char *error = NULL;

	if (!colon)
		return g_strdup("a limit is TOOL [MODE [BOARD]]: CONDITION, as in 'cyclictest - omap4: max<=50us'");
	left = g_strndup(line, (gsize)(colon - line));
	if (strpbrk(left, "=~<>")) {
		l->select = select_parse(left, &error);
		if (!l->select)
			return error;
	} else {
		problem = read_words(l, left);
		if (problem)
			return g_strdup(problem);
	}
	l->conditions = conditions_parse(colon + 1, &error);
	for (guint i = 0; l->conditions && i < l->conditions->len; i++) {
		const struct condition *c = l->conditions->pdata[i];

		if (c->kind > CONDITION_CHANGE)
			return g_strdup_printf("'%s' is a verdict; a limit is a value, as in max<=50us", c->text);
	}
	return error;
}

GPtrArray *limits_parse(const char *text, void (*bad)(unsigned line, const char *message, void *data), void *data)
{
	GPtrArray *all = g_ptr_array_new_with_free_func(limit_free);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	bool ok = true;

	for (unsigned i = 0; lines[i]; i++) {
		g_autofree char *error = NULL;
		struct limit *l;

		g_strstrip(lines[i]);
		if (!*lines[i] || *lines[i] == '#')
			continue;
		l = g_new0(struct limit, 1);
		l->line = i + 1;
		g_ptr_array_add(all, l);
		error = read_limit(l, lines[i]);
		if (!error)
			continue;
		bad(i + 1, error, data);
		ok = false;
	}
	if (!ok)
		g_clear_pointer(&all, g_ptr_array_unref);
	return all;
}

bool limit_applies(struct limit *l, const struct subject *s)
{
	const struct fact *board = facts_get(s->record->environment, "board");
	g_autofree char *wanted = NULL, *have = NULL;

	if (l->select)
		return select_match(l->select, s);
	if (l->tool && *l->tool && strcmp(l->tool, s->record->tool))
		return false;
	if (l->mode && *l->mode && g_strcmp0(l->mode, s->record->mode))
		return false;
	if (!l->board || !*l->board)
		return true;
	if (!board || !board->text)
		return false;
	wanted = identity_board(l->board);
	have = identity_board(board->text);
	return !strcmp(wanted, have);
}

/* Both ends of a percentile that is known as bounds must agree. */
static enum outcome try_bounds(const struct condition *c, struct bounds b, struct number wanted)
{
	bool low, high;

	if (c->relation == CMP_GREATER || c->relation == CMP_AT_LEAST) {
		low = number_is_set(b.lower) && relation_holds(c->relation, number_cmp(b.lower, wanted));
		high = !number_is_set(b.upper) || relation_holds(c->relation, number_cmp(b.upper, wanted));
		return low ? OUTCOME_TRUE : high ? OUTCOME_UNKNOWN : OUTCOME_FALSE;
	}
	high = number_is_set(b.upper) && relation_holds(c->relation, number_cmp(b.upper, wanted));
	low = !number_is_set(b.lower) || relation_holds(c->relation, number_cmp(b.lower, wanted));
	return high ? OUTCOME_TRUE : low ? OUTCOME_UNKNOWN : OUTCOME_FALSE;
}

enum outcome condition_try(const struct condition *c, const struct side_series *base, const struct side_series *new)
{
	struct measured a = { .known = false }, b;
	struct number wanted = c->quantity.number, have;
	const char *unit;

	if (!new || !new->series)
		return OUTCOME_UNKNOWN;
	unit = !c->what.percentile && field_is_count(c->what.field) ? NULL : new->series->unit;
	side_measure(new, &c->what, &b);
	if (c->kind == CONDITION_VALUE) {
		if (!b.known || !unit_convert(wanted, c->quantity.unit, unit, &wanted))
			return OUTCOME_UNKNOWN;
		if (!number_is_set(b.value))
			return try_bounds(c, b.bounds, wanted);
		return relation_holds(c->relation, number_cmp(b.value, wanted)) ? OUTCOME_TRUE : OUTCOME_FALSE;
	}
	side_measure(base, &c->what, &a);
	have = number_sub(b.value, a.value);
	if (!number_is_set(have))
		return OUTCOME_UNKNOWN;
	if (c->quantity.unit && *c->quantity.unit == '%') {
		/* change > p % of base: multiplied out, so that nothing is rounded and a base of 0 needs no share */
		wanted = number_mul(a.value, wanted);
		have = number_mul(have, number_int(100));
		if (a.value.coefficient < 0)
			return OUTCOME_UNKNOWN;
	} else if (!unit_convert(wanted, c->quantity.unit, unit, &wanted)) {
		return OUTCOME_UNKNOWN;
	}
	return relation_holds(c->relation, number_cmp(have, wanted)) ? OUTCOME_TRUE : OUTCOME_FALSE;
}

enum outcome condition_judged(const struct condition *c, const struct statistic *what, enum judgement j)
{
	bool hit;

	if (c->kind != CONDITION_JUDGEMENT && c->kind != CONDITION_CHANGED)
		return OUTCOME_UNKNOWN;
	if (!c->any_statistic && !same_statistic(&c->what, what))
		return OUTCOME_UNKNOWN;
	hit = c->kind == CONDITION_CHANGED ? j == JUDGED_BETTER || j == JUDGED_WORSE || j == JUDGED_DIFFERENT : j == c->judgement;
	return hit ? OUTCOME_TRUE : OUTCOME_FALSE;
}
