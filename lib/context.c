/* Titles and commands above results. */
#include <string.h>
#include <glib.h>

#include "lib/context.h"

#define TITLE_LENGTH 160u
#define COMMAND_LENGTH 4096u
#define SENTENCE_WORDS 14u      /* a line with more words is no heading */

struct tool_command {
	char *text;
	bool used;
	unsigned title;         /* number of the title when it was used */
};

struct context {
	char *title, *command, *line_command;
	unsigned titles, commands;
	bool signature;
	bool in_paragraph;      /* the line before was prose */
	bool long_paragraph;    /* … and a sentence */
	struct tool_command tool[TEXT_MAX_PARSERS];
};

static struct pattern rule = PATTERN("^\\s*(?:[-=*_~#.+|:]\\s?){3,}$");
static struct pattern prompt = PATTERN(
	"^\\s*(?:\\([\\w.-]+\\)\\s*)?"
	"(?:\\[?[\\w.+-]+@[\\w.-]+[^#$%>]{0,80}[#$%>]"
	"|\\[[^\\]]{1,60}\\]\\s*[#$%]"
	"|(?:ba|a|da|k|z)?sh-[\\d.]+[#$]"
	"|[~/][\\w./-]*\\s*[#$>]"
	"|\\$|%)\\s*(\\S.*)$");
static struct pattern root_prompt = PATTERN(
	"^\\s*#\\s*((?:sudo\\s+)?(?:\\.{0,2}/\\S+|(?:while|for|cat|echo|uname|cd|ls|modprobe|insmod|taskset|chrt|dd|stress(?:-ng)?"
	"|hackbench|make|dmesg|grep|export|ping|time|nice|ssh|docker|watch|nohup|numactl|cyclictest|xeno\\S*)\\b(?:\\s.*)?).*)$");
static struct pattern label_prefix = PATTERN(
	"^\\s*(?:[-*+]\\s+)?(?:\\*{0,2}(?:[Cc]ommand(?:[ -]?line)?|[Cc]md|[Tt]est command|[Rr]un(?:ning)?|[Ii]nvocation)\\*{0,2}\\s*[:=]\\s*)?[`'\"$]*\\s*");
static struct pattern sentence_end = PATTERN("[a-z)\\d][.!?]['\")]?\\s*$");

struct context *context_new(void)
{
	return g_new0(struct context, 1);
}

void context_free(struct context *c)
{
	if (!c)
		return;
	for (unsigned i = 0; i < TEXT_MAX_PARSERS; i++)
		g_free(c->tool[i].text);
	g_free(c->title);
	g_free(c->command);
	g_free(c->line_command);
	g_free(c);
}

/* Whether word[0..len) is a program of the parser's, taken without its directory. */
static bool is_program(const struct parser *p, const char *word, size_t len)
{
	const char *slash = memrchr(word, '/', len);

	if (slash) {
		len -= (size_t)(slash + 1 - word);
		word = slash + 1;
	}
	for (const struct tool_options *o = p->commands; o && o->programs; o++)
		for (const char *const *name = o->programs; *name; name++)
			if (strlen(*name) == len && !memcmp(*name, word, len))
				return true;
	return false;
}

/* Which parsers' programs a command names, as a bit mask; *first: the offset of the first such word. */
static uint64_t programs_in(const char *command, size_t *first)
{
	uint64_t found = 0;
	unsigned words = 0;

	for (const char *p = command; *p && words < 24; words++) {
		size_t len;

		p += strspn(p, " \t`'\"(;&|");
		len = strcspn(p, " \t`'\");&|");
		for (unsigned i = 0; len && parsers[i]; i++) {
			if (!is_program(parsers[i], p, len))
				continue;
			if (!found)
				*first = (size_t)(p - command);
			found |= (uint64_t)1 << i;
		}
		p += len;
	}
	return found;
}

/* A command line without a prompt: a program that parsers know, then an option. */
static const char *bare_command(const struct line *l)
{
	static struct pattern words = PATTERN("^(?:(?:sudo|time|nohup|exec|env)\\s+|(?:taskset|chrt|nice|numactl)\\s+(?:-\\S+\\s+)*[\\w,-]+\\s+|\\w+=\\S*\\s+)*");
	struct match m;
	size_t first, start = 0;

	if (pattern_match(&label_prefix, l->row, l->row_len, 0, &m))
		start = m.group[0].len;
	if (!programs_in(l->row + start, &first))
		return NULL;
	if (!pattern_match(&words, l->row + start, l->row_len - start, 0, &m) || m.group[0].len != first) {
		/* A path may stand before the program's name. */
		const char *p = l->row + start + m.group[0].len, *program = l->row + start + first;

		if (p > program || memchr(p, ' ', (size_t)(program - p)))
			return NULL;
	}
	{
		const char *after = l->row + start + first;

		after += strcspn(after, " \t");
		after += strspn(after, " \t");
		if (*after != '-' || !g_ascii_isalnum(after[1 + (after[1] == '-')]))
			return NULL;
	}
	return l->row + start;
}

static const char *find_command(const struct line *l)
{
	struct match m;

	if (l->row_len > COMMAND_LENGTH)
		return NULL;
	if (pattern_match(&prompt, l->text, l->len, 0, &m) || pattern_match(&root_prompt, l->text, l->len, 0, &m))
		return m.group[1].p;
	return bare_command(l);
}

static void set_command(struct context *c, const char *command)
{
	size_t first, len = strlen(command);
	uint64_t found;

	while (len && strchr(" \t`", command[len - 1]))
		len--;
	g_free(c->line_command);
	c->line_command = g_strndup(command, len);
	g_free(c->command);
	c->command = g_strdup(c->line_command);
	c->commands++;
	found = programs_in(c->command, &first);
	for (unsigned i = 0; found && i < TEXT_MAX_PARSERS; i++) {
		if (!(found >> i & 1))
			continue;
		g_free(c->tool[i].text);
		c->tool[i].text = g_strdup(c->command);
		c->tool[i].used = false;
	}
}

/* The heading without its markup: "## **Idle**:" is "Idle". */
static char *plain_title(const struct line *l)
{
	const char *s = l->text, *end = l->text + l->len;

	while (s < end && strchr(" \t#*=_`\"'>-+~|", *s))
		s++;
	while (end > s && strchr(" \t#*=_`\"'-~|:", end[-1]))
		end--;
	return g_strndup(s, MIN((size_t)(end - s), TITLE_LENGTH));
}

static unsigned word_count(const char *s)
{
	unsigned n = 0;

	for (s += strspn(s, " \t"); *s; n++) {
		s += strcspn(s, " \t");
		s += strspn(s, " \t");
	}
	return n;
}

static bool is_sentence(const struct context *c, const struct line *l)
{
	unsigned words = word_count(l->row);

	if (c->in_paragraph && c->long_paragraph)
		return true;
	if (words > SENTENCE_WORDS || l->len > TITLE_LENGTH)
		return true;
	return words > 3 && pattern_match(&sentence_end, l->text, l->len, 0, NULL);
}

static enum line_role prose(struct context *c, const struct line *l)
{
	bool sentence = is_sentence(c, l);
	char *title;

	if (!c->in_paragraph || sentence)
		c->long_paragraph = sentence || l->len > 60;
	c->in_paragraph = true;
	if (sentence)
		return ROLE_PROSE;
	title = plain_title(l);
	if (!*title) {
		g_free(title);
		return ROLE_RULE;
	}
	g_free(c->title);
	c->title = title;
	c->titles++;
	return ROLE_HEADING;
}

enum line_role context_line(struct context *c, const struct line *l, bool taken)
{
	const char *command;
	enum line_role role;

	g_clear_pointer(&c->line_command, g_free);
	if (l->flags & LINE_BLANK) {
		c->in_paragraph = false;
		return ROLE_BLANK;
	}
	if (taken) {
		c->in_paragraph = c->signature = false;
		return ROLE_DATA;
	}
	if (!strcmp(l->text, "--") || !strcmp(l->text, "-- "))
		c->signature = true;
	if (c->signature)
		return ROLE_SIGNATURE;
	if ((l->flags & LINE_FENCE) || pattern_match(&rule, l->text, l->len, 0, NULL)) {
		c->in_paragraph = false;
		return ROLE_RULE;
	}
	command = find_command(l);
	if (command) {
		set_command(c, command);
		c->in_paragraph = false;
		return ROLE_COMMAND;
	}
	if (l->rejected)
		return ROLE_PROSE;
	role = prose(c, l);
	return role;
}

const char *context_line_command(const struct context *c)
{
	return c->line_command;
}

const char *context_title(const struct context *c)
{
	return c->title;
}

const char *context_command(const struct context *c)
{
	return c->command;
}

unsigned context_command_count(const struct context *c)
{
	return c->commands;
}

const char *context_tool_command(struct context *c, unsigned parser)
{
	struct tool_command *t = &c->tool[parser];

	if (!t->text || (t->used && t->title != c->titles))
		return NULL;
	t->used = true;
	t->title = c->titles;
	return t->text;
}
