/* Command lines; see lib/command_line.h. */
#include <string.h>
#include "lib/command_line.h"

static void part_free(void *data)
{
	struct command_part *p = data;

	g_free(p->program);
	g_ptr_array_unref(p->words);
	g_free(p->priority);
	g_free(p->policy);
	g_free(p);
}

static struct command_part *part_new(void)
{
	struct command_part *p = g_new0(struct command_part, 1);

	p->words = g_ptr_array_new_with_free_func(g_free);
	return p;
}

/* Wrappers: programs that run another one. `with_value`: options that take a word; `operands`:
 * words before the program. */
struct wrapper {
	const char *name;
	const char *with_value;
	unsigned operands;
};
static const struct wrapper wrappers[] = {
	{ "sudo", "ugpChrtU", 0 }, { "doas", "uC", 0 },         { "env", "uCS", 0 },
	{ "time", "fo", 0 },       { "nohup", "", 0 },          { "nice", "n", 0 },
	{ "ionice", "cnp", 0 },    { "setsid", "", 0 },         { "taskset", "", 1 },
	{ "chrt", "TPD", 1 },      { "timeout", "ks", 1 },      { "numactl", "NmCip", 0 },
	{ "stdbuf", "ioe", 0 },    { "cgexec", "g", 0 },        { "exec", "a", 0 },
	{ "command", "", 0 },      { "schedtool", "aRFpn", 0 }, { "xeno", "", 0 },
	{ "xeno3m", "", 0 },       { "xeno3c", "", 0 },         { "run", "", 0 },
	{ "unbuffer", "", 0 },     { "strace", "eops", 0 },     { "ltrace", "eops", 0 },
	{ "su", "", 0 },           { "trace-cmd", "", 0 },
};

static const char *word_at(const struct command_part *p, guint i)
{
	return i < p->words->len ? p->words->pdata[i] : NULL;
}

static const char *base_name(const char *word)
{
	const char *slash = strrchr(word, '/');

	return slash ? slash + 1 : word;
}

static const struct wrapper *wrapper_find(const char *word)
{
	for (size_t i = 0; i < G_N_ELEMENTS(wrappers); i++)
		if (!strcmp(base_name(word), wrappers[i].name))
			return &wrappers[i];
	return NULL;
}

static bool is_assignment(const char *word)
{
	const char *p = word;

	if (!g_ascii_isalpha(*p) && *p != '_')
		return false;
	while (g_ascii_isalnum(*p) || *p == '_')
		p++;
	return *p == '=';
}

static bool all_digits(const char *word)
{
	if (!word || !*word)
		return false;
	for (; *word; word++)
		if (!g_ascii_isdigit(*word))
			return false;
	return true;
}

static void chrt_option(struct command_part *p, const char *word)
{
	static const struct { const char *word, *policy;
	} policies[] = {
		{ "-f", "fifo" },     { "--fifo", "fifo" },
		{ "-r", "rr" },       { "--rr", "rr" },
		{ "-o", "other" },    { "--other", "other" },
		{ "-b", "batch" },    { "--batch", "batch" },
		{ "-d", "deadline" }, { "--deadline", "deadline" },
		{ "-i", "idle" },     { "--idle", "idle" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(policies); i++) {
		if (!strcmp(word, policies[i].word)) {
			g_free(p->policy);
			p->policy = g_strdup(policies[i].policy);
		}
	}
}

/* Index of the first word behind the wrapper at `at`. */
static guint wrapper_skip(struct command_part *p, const struct wrapper *w, guint at)
{
	bool chrt = !strcmp(w->name, "chrt"), taskset = !strcmp(w->name, "taskset");
	unsigned operands = w->operands;
	guint i = at + 1;

	for (const char *word; (word = word_at(p, i)); i++) {
		if (word[0] == '-' && word[1]) {
			size_t len = strlen(word);

			if (chrt)
				chrt_option(p, word);
			/* "-f80" would be policy and priority in one: not read, as chrt itself
			 * refuses it */
			if (word[1] != '-' && strchr(w->with_value, word[len - 1]) && len == 2)
				i++;
			else if (taskset && word[1] != '-' && word[len - 1] == 'c')
				operands = 1;
			continue;
		}
		if (is_assignment(word))
			continue;
		if (!operands)
			break;
		if (chrt && all_digits(word)) {
			g_free(p->priority);
			p->priority = g_strdup(word);
		}
		operands--;
	}
	return i;
}

/* Takes the wrappers off and sets the program's name. */
static void part_unwrap(struct command_part *p)
{
	guint i = 0;

	for (const char *word; (word = word_at(p, i));) {
		const struct wrapper *w;

		if (is_assignment(word) || !strcmp(word, "while") || !strcmp(word, "do") ||
		    !strcmp(word, "then") || !strcmp(word, "(") || !strcmp(word, "{") ||
		    !strcmp(word, "!") || !strcmp(word, "evl")) {
			i++;
			continue;
		}
		w = wrapper_find(word);
		if (!w)
			break;
		i = wrapper_skip(p, w, i);
	}
	if (i)
		g_ptr_array_remove_range(p->words, 0, MIN(i, p->words->len));
	p->program = g_strdup(p->words->len ? base_name(p->words->pdata[0]) : "");
}

static void parts_close(GPtrArray *parts, struct command_part **p, bool background)
{
	if ((*p)->words->len) {
		(*p)->background = background;
		part_unwrap(*p);
		g_ptr_array_add(parts, *p);
		*p = part_new();
	}
}

static void word_close(struct command_part *p, GString *word, bool *open, bool *redirect)
{
	if (*open && !*redirect)
		g_ptr_array_add(p->words, g_strdup(word->str));
	if (*open)
		*redirect = false;
	g_string_truncate(word, 0);
	*open = false;
}

GPtrArray *command_line_cut(const char *command)
{
	GPtrArray *parts = g_ptr_array_new_with_free_func(part_free);
	struct command_part *p = part_new();
	GString *word = g_string_new(NULL);
	size_t len = strnlen(command, COMMAND_LINE_MAX);
	bool open = false, redirect = false;
	char quote = '\0';

	for (size_t i = 0; i < len; i++) {
		char c = command[i];

		if (quote) {
			if (c == quote)
				quote = '\0';
			else if (c == '\\' && quote == '"' && i + 1 < len &&
			         strchr("\"\\$`", command[i + 1]))
				g_string_append_c(word, command[++i]);
			else
				g_string_append_c(word, c);
		} else if (c == '\'' || c == '"') {
			quote = c;
			open = true;
		} else if (c == '\\' && i + 1 < len) {
			if (command[++i] != '\n') {
				g_string_append_c(word, command[i]);
				open = true;
			}
		} else if (g_ascii_isspace(c) && c != '\n') {
			word_close(p, word, &open, &redirect);
		} else if (c == '#' && !open) {
			i += strcspn(command + i, "\n") - 1;
		} else if (c == '<' || c == '>') {
			if (all_digits(word->str))      /* 2> */
				open = false;
			word_close(p, word, &open, &redirect);
			while (i + 1 < len && strchr("<>&|", command[i + 1]))
				i++;
			redirect = true;
		} else if (c == '&' && i + 1 < len && command[i + 1] == '>') {
			word_close(p, word, &open, &redirect);
		} else if (strchr(";|&\n", c)) {
			bool twice = i + 1 < len && command[i + 1] == c;

			word_close(p, word, &open, &redirect);
			redirect = false;
			parts_close(parts, &p, c == '&' && !twice);
			if (twice)
				i++;
		} else {
			g_string_append_c(word, c);
			open = true;
		}
	}
	word_close(p, word, &open, &redirect);
	parts_close(parts, &p, false);
	part_free(p);
	g_string_free(word, TRUE);
	return parts;
}

/* What the options said so far about one setting. */
struct setting {
	const char *key;
	const char *text;               /* or NULL: number */
	struct number number;
	bool unknown;                   /* stated in a way that cannot be read: never filled */
};

struct reading {
	GArray *settings;               /* struct setting */
};

static struct setting *setting_get(struct reading *rd, const char *key)
{
	struct setting new = { .key = key };

	for (guint i = 0; i < rd->settings->len; i++) {
		struct setting *s = &g_array_index(rd->settings, struct setting, i);

		if (!strcmp(s->key, key))
			return s;
	}
	g_array_append_val(rd->settings, new);
	return &g_array_index(rd->settings, struct setting, rd->settings->len - 1);
}

/* A duration: seconds, or a number with ms, s, m, h or d. */
static bool read_duration(const char *text, struct number *out)
{
	static const struct { const char *unit; int64_t seconds; } units[] = {
		{ "", 1 }, { "s", 1 }, { "m", 60 }, { "h", 3600 }, { "d", 86400 },
	};
	size_t digits = strspn(text, "0123456789.");

	if (!digits || number_parse(text, digits, 0, out) != NUMBER_OK)
		return false;
	if (!strcmp(text + digits, "ms")) {
		*out = number_scale(*out, -3);
		return true;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(units); i++) {
		if (!strcmp(text + digits, units[i].unit)) {
			*out = number_mul(*out, number_int(units[i].seconds));
			return number_is_set(*out);
		}
	}
	return false;
}

static bool value_read(enum option_kind kind, const char *text, struct number *out)
{
	size_t len = strlen(text);

	switch (kind) {
	case OPTION_INTEGER:
		return all_digits(text) && number_parse(text, len, 0, out) == NUMBER_OK;
	case OPTION_US:
		return strspn(text, "0123456789.") == len &&
		       number_parse(text, len, 3, out) == NUMBER_OK;
	case OPTION_NS:
		return strspn(text, "0123456789.") == len &&
		       number_parse(text, len, 0, out) == NUMBER_OK;
	case OPTION_DURATION:
		return read_duration(text, out);
	default:
		return false;
	}
}

/* text NULL: the option stood there without its argument. */
static void option_apply(struct reading *rd, const struct tool_option *o, const char *text)
{
	struct setting *s;

	if (!o->setting || o->kind == OPTION_FLAG || o->kind == OPTION_SKIP)
		return;
	s = setting_get(rd, o->setting);
	if (text && o->kind == OPTION_TEXT && *text) {
		s->text = text;
	} else if (!text || !value_read(o->kind, text, &s->number)) {
		s->unknown = true;
	}
}

static const struct tool_option *option_find(const struct tool_option *options, const char *name,
                                             size_t len)
{
	for (const struct tool_option *o = options; o->short_name || o->long_name; o++) {
		const char *names[] = { o->short_name, o->long_name };

		for (size_t i = 0; i < 2; i++)
			if (names[i] && strlen(names[i]) == len && !memcmp(names[i], name, len))
				return o;
	}
	return NULL;
}

/* Words that begin with '-' are options, except a lone '-' and negative numbers. */
static bool is_option(const char *word)
{
	return word[0] == '-' && word[1] && !g_ascii_isdigit(word[1]);
}

/* The argument that stands in the next word, or NULL; *i moves on when it is taken. */
static const char *next_argument(const struct command_part *p, guint *i)
{
	const char *word = word_at(p, *i + 1);

	if (!word || is_option(word))
		return NULL;
	(*i)++;
	return word;
}

static void read_long(struct reading *rd, const struct tool_option *options,
                      const struct command_part *p, guint *i)
{
	const char *word = p->words->pdata[*i];
	const char *equals = strchr(word, '=');
	const struct tool_option *o =
		option_find(options, word, equals ? (size_t)(equals - word) : strlen(word));

	if (!o)
		return;
	if (equals)
		option_apply(rd, o, equals + 1);
	else if (o->kind != OPTION_FLAG)
		option_apply(rd, o, next_argument(p, i));
}

/* "-p80", "-p 80", "-Smp99"; behind an unknown letter the rest of the word means nothing certain.
 */
static void read_short(struct reading *rd, const struct tool_option *options,
                       const struct command_part *p, guint *i)
{
	const char *word = p->words->pdata[*i];
	const struct tool_option *whole = word[2] ? option_find(options, word, strlen(word)) : NULL;

	if (whole) {                    /* tools whose long names have one dash */
		if (whole->kind != OPTION_FLAG)
			option_apply(rd, whole, next_argument(p, i));
		return;
	}
	for (const char *c = word + 1; *c; c++) {
		char name[3] = { '-', *c, '\0' };
		const struct tool_option *o = option_find(options, name, 2);

		if (!o)
			return;
		if (o->kind == OPTION_FLAG)
			continue;
		if (c[1] == '=')
			option_apply(rd, o, c + 2);
		else
			option_apply(rd, o, c[1] ? c + 1 : next_argument(p, i));
		return;
	}
}

static const struct tool_options *options_for(const struct parser *const *table,
                                              const char *program, const char *tool)
{
	for (; *table; table++) {
		const struct tool_options *t = (*table)->commands;

		for (; t && t->programs; t++) {
			if (strcmp(t->tool, tool))
				continue;
			for (const char *const *name = t->programs; *name; name++)
				if (!strcmp(*name, program))
					return t;
		}
	}
	return NULL;
}

/* A thread that did more cycles than the command asked for was not started by that command. */
static bool loops_fit(const struct record *r, struct number loops)
{
	for (guint i = 0; i < r->series->len; i++) {
		const struct series *s = g_ptr_array_index(r->series, i);
		struct number count = s->field[FIELD_COUNT];

		if (number_is_set(count) && number_is_set(loops) && loops.coefficient &&
		    number_cmp(count, loops) > 0)
			return false;
	}
	return true;
}

static void settings_fill(const struct reading *rd, struct record *r)
{
	for (guint i = 0; i < rd->settings->len; i++) {
		const struct setting *s = &g_array_index(rd->settings, struct setting, i);

		if (s->unknown || facts_get(r->settings, s->key) ||
		    (!strcmp(s->key, "loops") && !loops_fit(r, s->number)))
			continue;
		if (s->text)
			facts_set_text(r, r->settings, s->key, record_text(r, s->text, -1), 0);
		else
			facts_set_number(r->settings, s->key, s->number, 0);
	}
}

void command_settings(const char *command, const struct parser *const *table, struct record *r)
{
	GPtrArray *parts;
	struct reading rd = { NULL };

	if (!command || !r->tool)
		return;
	parts = command_line_cut(command);
	rd.settings = g_array_new(FALSE, TRUE, sizeof(struct setting));
	for (guint k = 0; k < parts->len; k++) {
		const struct command_part *p = parts->pdata[k];
		const struct tool_options *t = options_for(table, p->program, r->tool);

		if (!t)
			continue;
		if (p->priority)
			value_read(OPTION_INTEGER, p->priority,
			           &setting_get(&rd, "priority")->number);
		if (p->policy)
			setting_get(&rd, "policy")->text = p->policy;
		for (guint i = 1; t->options && i < p->words->len; i++) {
			const char *word = p->words->pdata[i];

			if (!strcmp(word, "--"))
				break;
			if (g_str_has_prefix(word, "--"))
				read_long(&rd, t->options, p, &i);
			else if (is_option(word))
				read_short(&rd, t->options, p, &i);
		}
		break;
	}
	settings_fill(&rd, r);
	g_array_unref(rd.settings);
	g_ptr_array_unref(parts);
}
