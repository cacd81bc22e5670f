#include "lib/select.h"

#include <string.h>
#include "lib/identity.h"

enum token { TOKEN_END, TOKEN_TERM, TOKEN_OPEN, TOKEN_CLOSE, TOKEN_OR, TOKEN_AND, TOKEN_NOT };

struct value {
	char *text;
	GRegex *regex;                  /* or NULL */
	bool is_number;
	struct quantity quantity;
};

struct term {
	struct key *key;
	enum relation comparison;
	bool negated;                   /* != and !~ */
	GPtrArray *values;              /* struct value *: one of them must hold */
};

/* The expression in postfix order: evaluated with a stack of bits, so that no depth of parentheses can exhaust ours. */
struct step { enum token token; unsigned term; };

struct select {
	char *expression;
	GPtrArray *terms;               /* struct term * */
	GArray *steps;                  /* struct step */
	bool *stack;
	char *problem;
};

struct parse_state {
	const char *start, *p;
	struct select *s;
	GArray *operators;              /* struct pending */
	char **error;
	bool operand;                   /* the last token ended an operand */
};
struct pending { enum token token; size_t at; };

static const struct { const char *name, *unit; int64_t factor; } units[] = {
	{ "ns", "ns", 1 }, { "us", "us", 1 }, { "\xc2\xb5s", "us", 1 }, { "\xce\xbcs", "us", 1 }, { "ms", "ms", 1 },
	{ "s", "s", 1 }, { "min", "s", 60 }, { "h", "s", 3600 }, { "%", "%", 1 },
};

bool quantity_parse(const char *text, size_t len, struct quantity *out)
{
	size_t n = 0;

	while (n < len && (g_ascii_isdigit(text[n]) || text[n] == '.' || ((text[n] == '-' || text[n] == '+') && !n)))
		n++;
	out->unit = NULL;
	if (number_parse(text, n, 0, &out->number) != NUMBER_OK)
		return false;
	if (n == len)
		return true;
	for (size_t i = 0; i < G_N_ELEMENTS(units); i++)
		if (strlen(units[i].name) == len - n && !strncmp(units[i].name, text + n, len - n)) {
			out->number = number_mul(out->number, number_int(units[i].factor));
			out->unit = units[i].unit;
			return true;
		}
	return false;
}

/* The power of ten of a second, or 1 when unit is no time. */
static int time_exponent(const char *unit)
{
	if (!unit)
		return 1;
	return !strcmp(unit, "ns") ? -9 : !strcmp(unit, "us") ? -6 : !strcmp(unit, "ms") ? -3 : !strcmp(unit, "s") ? 0 : 1;
}

bool unit_is_time(const char *unit)
{
	return time_exponent(unit) <= 0;
}

bool unit_convert(struct number n, const char *from, const char *to, struct number *out)
{
	*out = n;
	if (!g_strcmp0(from, to))
		return true;
	if (!unit_is_time(from) || !unit_is_time(to))
		return false;
	*out = number_scale(n, time_exponent(from) - time_exponent(to));
	return true;
}

static void value_free(void *p)
{
	struct value *v = p;

	g_free(v->text);
	if (v->regex)
		g_regex_unref(v->regex);
	g_free(v);
}

static void term_free(void *p)
{
	struct term *t = p;

	key_free(t->key);
	g_ptr_array_unref(t->values);
	g_free(t);
}

void select_free(struct select *s)
{
	if (!s)
		return;
	g_ptr_array_unref(s->terms);
	g_array_unref(s->steps);
	g_free(s->expression);
	g_free(s->stack);
	g_free(s->problem);
	g_free(s);
}

const char *select_problem(const struct select *s)
{
	return s ? s->problem : NULL;
}

static bool fail_at(struct parse_state *ps, const char *at, const char *message)
{
	if (!*ps->error)
		*ps->error = caret_message(ps->start, (size_t)(at - ps->start), "%s", message);
	return false;
}

/* Reads "quoted text" at *p, with \" and \\, into out. */
static bool read_quoted(struct parse_state *ps, GString *out)
{
	const char *open = ps->p++;

	for (; *ps->p && *ps->p != *open; ps->p++) {
		if (*ps->p == '\\' && (ps->p[1] == *open || ps->p[1] == '\\'))
			ps->p++;
		g_string_append_c(out, *ps->p);
	}
	if (!*ps->p)
		return fail_at(ps, open, "the quotation is not closed");
	ps->p++;
	return true;
}

static bool read_regex(struct parse_state *ps, struct value *v)
{
	const char *open = ps->p++;
	g_autoptr(GString) source = g_string_new(NULL);
	g_autoptr(GError) error = NULL;
	GRegexCompileFlags flags = G_REGEX_OPTIMIZE | G_REGEX_RAW;

	for (; *ps->p && *ps->p != '/'; ps->p++) {
		if (*ps->p == '\\' && ps->p[1] == '/')
			ps->p++;
		else if (*ps->p == '\\' && ps->p[1])
			g_string_append_c(source, *ps->p++);
		g_string_append_c(source, *ps->p);
	}
	if (!*ps->p)
		return fail_at(ps, open, "the pattern is not closed: '/' is missing");
	ps->p++;
	if (*ps->p == 'i') {
		flags |= G_REGEX_CASELESS;
		ps->p++;
	}
	v->regex = g_regex_new(source->str, flags, 0, &error);
	if (!v->regex) {
		g_autofree char *message = g_strdup_printf("the pattern is wrong: %s", error->message);

		return fail_at(ps, open, message);
	}
	v->text = g_strdup(source->str);
	return true;
}

/* One value: quoted, a pattern, or a word up to a blank or to a parenthesis that was not opened in it. */
static bool read_value(struct parse_state *ps, struct term *t)
{
	struct value *v = g_new0(struct value, 1);
	const char *start = ps->p;
	unsigned depth = 0;

	g_ptr_array_add(t->values, v);
	if (*ps->p == '/')
		return read_regex(ps, v);
	if (*ps->p == '"' || *ps->p == '\'') {
		g_autoptr(GString) out = g_string_new(NULL);

		if (!read_quoted(ps, out))
			return false;
		v->text = g_strdup(out->str);
		return true;
	}
	for (; *ps->p && *ps->p != ' ' && *ps->p != '\t'; ps->p++) {
		if (*ps->p == '(')
			depth++;
		if (*ps->p == ')' && !depth--)
			break;
	}
	if (ps->p == start)
		return fail_at(ps, start, "a value is missing here; \"\" is the empty one");
	v->text = g_strndup(start, (gsize)(ps->p - start));
	v->is_number = quantity_parse(v->text, strlen(v->text), &v->quantity);
	return true;
}

static bool is_word(const char *p, const char *word)
{
	size_t n = strlen(word);

	return !strncmp(p, word, n) && (!p[n] || strchr(" \t()", p[n]));
}

/* (a OR b): the parenthesis stands at ps->p. */
static bool read_values(struct parse_state *ps, struct term *t)
{
	const char *open = ps->p++;

	for (;;) {
		ps->p += strspn(ps->p, " \t");
		if (*ps->p == ')' && t->values->len)
			break;
		if (!*ps->p)
			return fail_at(ps, open, "the list of values is not closed: ')' is missing");
		if (is_word(ps->p, "OR") && t->values->len) {
			ps->p += 2;
			continue;
		}
		if (!read_value(ps, t))
			return false;
	}
	ps->p++;
	return true;
}

static bool read_operator(struct parse_state *ps, struct term *t)
{
	static const struct { const char *text; enum relation comparison; bool negated; } operators[] = {
		{ "!=", CMP_EQUAL, true }, { "!~", CMP_CONTAINS, true }, { "<=", CMP_AT_MOST, false },
		{ ">=", CMP_AT_LEAST, false }, { "==", CMP_EQUAL, false }, { "=", CMP_EQUAL, false }, { "~", CMP_CONTAINS, false },
		{ "<", CMP_LESS, false }, { ">", CMP_GREATER, false },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(operators); i++) {
		size_t n = strlen(operators[i].text);

		if (strncmp(ps->p, operators[i].text, n))
			continue;
		ps->p += n;
		t->comparison = operators[i].comparison;
		t->negated = operators[i].negated;
		return true;
	}
	return fail_at(ps, ps->p, "a term is KEY OP VALUE, and one of = != ~ !~ < <= > >= is missing here");
}

/* "max>5%" of a key that no unit fits, "p99>fast", and the like. */
static bool check_values(struct parse_state *ps, const struct term *t, const char *at)
{
	bool order = t->comparison >= CMP_LESS;

	for (guint i = 0; i < t->values->len; i++) {
		const struct value *v = t->values->pdata[i];

		if (v->regex && t->comparison >= CMP_LESS)
			return fail_at(ps, at, "a pattern goes with = or ~ only");
		if (order && !v->is_number && (t->key->id >= KEY_VALUE_FIRST || t->key->id == KEY_RUNS))
			return fail_at(ps, at, "this key is a number, and here stands none (as in 100us, 5, 10%)");
	}
	return true;
}

static bool read_term(struct parse_state *ps)
{
	const char *start = ps->p, *value;
	struct term *t = g_new0(struct term, 1);
	g_autofree char *message = NULL;
	size_t len = strcspn(ps->p, "=!~<> \t()");

	t->values = g_ptr_array_new_with_free_func(value_free);
	g_ptr_array_add(ps->s->terms, t);
	if (ps->s->terms->len > SELECT_MAX_TERMS)
		return fail_at(ps, start, "there are too many terms");
	if (!len)
		return fail_at(ps, start, "a key is missing here");
	t->key = key_parse(start, len, &message);
	if (!t->key)
		return fail_at(ps, start, message);
	ps->p += len;
	if (!read_operator(ps, t))
		return false;
	value = ps->p;
	if (*ps->p == '(' ? !read_values(ps, t) : !read_value(ps, t))
		return false;
	return check_values(ps, t, value);
}

static enum token next_token(struct parse_state *ps)
{
	ps->p += strspn(ps->p, " \t\n");
	if (!*ps->p)
		return TOKEN_END;
	if (*ps->p == '(')
		return TOKEN_OPEN;
	if (*ps->p == ')')
		return TOKEN_CLOSE;
	if (*ps->p == '-')
		return TOKEN_NOT;
	if (is_word(ps->p, "OR"))
		return TOKEN_OR;
	if (is_word(ps->p, "AND"))
		return TOKEN_AND;
	return TOKEN_TERM;
}

static void emit(struct parse_state *ps, enum token token)
{
	struct step step = { token, ps->s->terms->len - 1 };

	g_array_append_val(ps->s->steps, step);
}

/* Takes the waiting operators that bind at least as tightly as `token` (its number orders them). */
static void reduce(struct parse_state *ps, enum token token)
{
	while (ps->operators->len) {
		struct pending *top = &g_array_index(ps->operators, struct pending, ps->operators->len - 1);

		if (top->token < token || top->token == TOKEN_OPEN)
			return;
		emit(ps, top->token);
		g_array_set_size(ps->operators, ps->operators->len - 1);
	}
}

static void push(struct parse_state *ps, enum token token)
{
	struct pending pending = { token, (size_t)(ps->p - ps->start) };

	g_array_append_val(ps->operators, pending);
}

static bool open_operand(struct parse_state *ps, enum token token)
{
	if (ps->operand) {
		reduce(ps, TOKEN_AND);
		push(ps, TOKEN_AND);
		ps->operand = false;
	}
	if (token == TOKEN_TERM) {
		if (!read_term(ps))
			return false;
		emit(ps, TOKEN_TERM);
		ps->operand = true;
		return true;
	}
	if (ps->operators->len > 4 * SELECT_MAX_TERMS)
		return fail_at(ps, ps->p, "the expression is nested too deeply");
	push(ps, token);
	ps->p++;
	return true;
}

static bool close_parenthesis(struct parse_state *ps)
{
	if (!ps->operand)
		return fail_at(ps, ps->p, "a term is missing before this parenthesis");
	reduce(ps, TOKEN_OR);
	if (!ps->operators->len)
		return fail_at(ps, ps->p, "this parenthesis was never opened");
	g_array_set_size(ps->operators, ps->operators->len - 1);
	ps->p++;
	return true;
}

static bool parse_all(struct parse_state *ps)
{
	for (;;) {
		enum token token = next_token(ps);

		switch (token) {
		case TOKEN_END:
			if (!ps->operand && ps->s->terms->len + ps->operators->len)
				return fail_at(ps, ps->p, "a term is missing at the end");
			reduce(ps, TOKEN_OR);
			if (ps->operators->len)
				return fail_at(ps, ps->start + g_array_index(ps->operators, struct pending, ps->operators->len - 1).at,
				               "this parenthesis is never closed");
			return true;
		case TOKEN_CLOSE:
			if (!close_parenthesis(ps))
				return false;
			break;
		case TOKEN_OR:
		case TOKEN_AND:
			if (!ps->operand)
				return fail_at(ps, ps->p, "a term is missing before this word");
			reduce(ps, token);
			push(ps, token);
			ps->operand = false;
			ps->p += token == TOKEN_OR ? 2 : 3;
			break;
		default:
			if (!open_operand(ps, token))
				return false;
		}
	}
}

struct select *select_parse(const char *expression, char **error)
{
	struct select *s = g_new0(struct select, 1);
	struct parse_state ps = { .error = error, .s = s };
	bool ok;

	*error = NULL;
	s->expression = g_strdup(expression);
	s->terms = g_ptr_array_new_with_free_func(term_free);
	s->steps = g_array_new(FALSE, FALSE, sizeof(struct step));
	ps.start = ps.p = s->expression;
	ps.operators = g_array_new(FALSE, FALSE, sizeof(struct pending));
	ok = parse_all(&ps);
	g_array_unref(ps.operators);
	if (!ok) {
		select_free(s);
		return NULL;
	}
	s->stack = g_new0(bool, s->steps->len + 1);
	return s;
}

/* The instant of an RFC 3339 date; NULL when it is none. */
static GDateTime *instant(const char *date)
{
	g_autoptr(GTimeZone) utc = g_time_zone_new_utc();

	return g_date_time_new_from_iso8601(date, utc);
}

/*
 * A date against what the user wrote: years, months and days by their digits, as the sender's clock showed them (2013-01 is
 * all of January), a full time by its instant.
 */
static int compare_dates(const char *date, const char *wanted)
{
	size_t n = strlen(wanted);

	if (n > 10) {
		g_autoptr(GDateTime) a = instant(date);
		g_autoptr(GDateTime) b = instant(wanted);

		if (a && b)
			return g_date_time_compare(a, b);
	}
	return strncmp(date, wanted, n);
}

bool relation_holds(enum relation relation, int order)
{
	switch (relation) {
	case CMP_LESS:
		return order < 0;
	case CMP_AT_MOST:
		return order <= 0;
	case CMP_GREATER:
		return order > 0;
	case CMP_AT_LEAST:
		return order >= 0;
	default:
		return order == 0;
	}
}

static bool contains(const char *text, const char *part)
{
	g_autofree char *a = g_utf8_validate(text, -1, NULL) ? g_utf8_casefold(text, -1) : g_ascii_strdown(text, -1);
	g_autofree char *b = g_utf8_validate(part, -1, NULL) ? g_utf8_casefold(part, -1) : g_ascii_strdown(part, -1);

	return strstr(a, b) != NULL;
}

static bool match_text(const struct term *t, const struct value *v, const char *text)
{
	if (v->regex)
		return g_regex_match(v->regex, text, 0, NULL);
	if (t->comparison == CMP_CONTAINS)
		return contains(text, v->text);
	if (t->key->id == KEY_DATE)
		return relation_holds(t->comparison, compare_dates(text, v->text));
	if (t->comparison >= CMP_LESS)
		return relation_holds(t->comparison, natural_compare(text, v->text));
	if (t->key->id == KEY_ENVIRONMENT && !strcmp(t->key->argument, "board")) {
		g_autofree char *a = identity_board(text);
		g_autofree char *b = identity_board(v->text);

		return !strcmp(a, b);
	}
	return !strcmp(text, v->text);
}

static bool match_number(struct select *s, const struct term *t, const struct value *v, const struct key_value *have)
{
	struct number wanted;
	char text[NUMBER_TEXT];

	if (v->regex || t->comparison == CMP_CONTAINS)
		return match_text(t, v, number_print(have->number, text));
	if (!v->is_number)
		return false;
	wanted = v->quantity.number;
	if (!v->quantity.unit && unit_is_time(have->unit) && wanted.coefficient) {
		/* period_ns=1000000 says its unit in its name; max>100 could be anything. */
		if (t->key->id >= KEY_VALUE_FIRST && !s->problem)
			s->problem = g_strdup_printf("'%s' is a time here, so '%s' needs a unit, as in '%sus'",
			                             t->key->name, v->text, v->text);
		if (t->key->id >= KEY_VALUE_FIRST)
			return false;
	} else if (v->quantity.unit && !unit_convert(wanted, v->quantity.unit, have->unit, &wanted)) {
		return false;
	}
	return relation_holds(t->comparison, number_cmp(have->number, wanted));
}

static bool match_value(struct select *s, const struct term *t, const struct value *v, const struct subject *subject)
{
	struct key_value have;

	if (t->key->id == KEY_CONFIG_ALL || t->key->id == KEY_FLAG) {
		g_autoptr(GString) all = g_string_new(NULL);

		if (t->key->id == KEY_FLAG && t->comparison == CMP_EQUAL && !v->regex && *v->text)
			return key_has_flag(subject, v->text);
		key_text(t->key, subject, all);
		return match_text(t, v, all->str);
	}
	if (!key_get(t->key, subject, &have))
		return t->comparison == CMP_EQUAL && !v->regex && !*v->text;
	return have.text ? match_text(t, v, have.text) : match_number(s, t, v, &have);
}

static bool match_term(struct select *s, const struct term *t, const struct subject *subject)
{
	bool any = false;

	for (guint i = 0; i < t->values->len && !any; i++)
		any = match_value(s, t, t->values->pdata[i], subject);
	return any != t->negated;
}

bool select_match(struct select *s, const struct subject *subject)
{
	guint n = 0;

	for (guint i = 0; i < s->steps->len; i++) {
		const struct step *step = &g_array_index(s->steps, struct step, i);

		switch (step->token) {
		case TOKEN_NOT:
			s->stack[n - 1] = !s->stack[n - 1];
			break;
		case TOKEN_OR:
			n--;
			s->stack[n - 1] = s->stack[n - 1] || s->stack[n];
			break;
		case TOKEN_AND:
			n--;
			s->stack[n - 1] = s->stack[n - 1] && s->stack[n];
			break;
		default:
			s->stack[n++] = match_term(s, s->terms->pdata[step->term], subject);
		}
	}
	return n == 0 || s->stack[0];
}

/* Flags that point to a series which is gone go too; the others follow theirs. moved: the new index, or G_MAXUINT. */
static void move_flags(struct record *r, const guint *moved, guint n)
{
	guint kept = 0;

	for (guint i = 0; i < r->flags->len; i++) {
		struct flag *f = &g_array_index(r->flags, struct flag, i);
		char *rest = NULL;
		guint64 at;

		if (g_str_has_prefix(f->where, "/series/") && g_ascii_isdigit(f->where[8])) {
			at = g_ascii_strtoull(f->where + 8, &rest, 10);
			if (at < n && moved[at] == G_MAXUINT)
				continue;
			if (at < n && moved[at] != at) {
				g_autofree char *where = g_strdup_printf("/series/%u%s", moved[at], rest);

				f->where = record_text(r, where, -1);
			}
		}
		g_array_index(r->flags, struct flag, kept++) = *f;
	}
	g_array_set_size(r->flags, kept);
}

bool select_record(struct select *s, struct record *r, const char *label)
{
	struct subject subject = { r, NULL, label };
	guint n = r->series->len, kept = 0;
	g_autofree guint *moved = NULL;

	if (!s)
		return true;
	moved = g_new(guint, n);
	for (guint i = 0; i < n; i++) {
		void *series = r->series->pdata[i];

		subject.series = series;
		moved[i] = G_MAXUINT;
		if (!select_match(s, &subject))
			continue;
		moved[i] = kept;
		r->series->pdata[i] = r->series->pdata[kept];
		r->series->pdata[kept++] = series;
	}
	if (kept < n) {
		g_ptr_array_set_size(r->series, (gint)kept);
		move_flags(r, moved, n);
	}
	return kept > 0;
}
