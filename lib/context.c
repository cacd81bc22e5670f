/* Titles and commands above results. */
#include <limits.h>
#include <string.h>
#include <glib.h>

#include "lib/context.h"
#include "lib/tab_cell.h"

#define TITLE_LENGTH 160u
#define COMMAND_LENGTH 4096u
#define SENTENCE_WORDS 14u      /* a line with more words is no heading */

/* The last command that ran a program of one parser. */
struct tool_command {
	char *text;
	unsigned title; /* number of the title when it was given, and when a result took it */
	bool used;
	bool general; /* a heading stands between it and its first result: it holds for all below */
};

struct context {
	char *title, *command, *line_command;
	char *before_title;     /* the title before the last, until that is confirmed to be one */
	bool title_just_set, title_colon;       /* by the line before; it ended with a colon */
	size_t title_length;
	bool apart; /* a blank line or a rule stands between the last command and this line */
	unsigned general_titles; /* number of titles that may stand above several results */
	unsigned titles, commands;
	bool signature;
	bool in_paragraph;      /* the line before was prose */
	bool long_paragraph;    /* … and a sentence */
	struct tool_command tool[TEXT_MAX_PARSERS];
	bool continued;                         /* the last command ends with a backslash */
};

static struct pattern rule = PATTERN("^\\s*(?:[-=*_~#.+|:]\\s?){3,}$");
/* Marks of HTML, Liquid and reStructuredText around a block. */
static struct pattern lone_tag = PATTERN(
	"^\\s*(?:</?[A-Za-z][^<>]*>|\\{%.*%\\}|:(?:name|caption|class|linenos|alt|width):.*"
	"|\\.\\. (?:code(?:-block)?|sourcecode|highlight|parsed-literal|literalinclude|image|figure)::.*)\\s*$");
static struct pattern prompt = PATTERN(
	"^\\s*(?:\\d{1,4}\\.\\s+|[-*+]\\s+)?(?:\\([\\w.-]+\\)\\s*)?"
	"(?:\\[?[\\w.+-]+@[\\w.-]+[^#$%>]{0,80}[#$%>]"
	"|\\[[^\\]]{1,60}\\]\\s*[#$%]"
	"|(?:ba|a|da|k|z)?sh-[\\d.]+[#$]"
	"|[\\w.-]+:[~/][^\\s#$%>]*\\s?[#$%>]"
	"|[~/][\\w./-]*\\s*[#$>]|[\\w.-]+(?:/[\\w.-]+)+>"
	"|\\$|%)\\s*(\\S.*)$");
static struct pattern root_prompt = PATTERN(
	"^\\s*#\\s*((?:sudo\\s+)?(?:\\.{0,2}/\\S+|(?:while|for|cat|echo|uname|cd|ls|modprobe"
	"|insmod|taskset|chrt|dd|stress(?:-ng)?"
	"|make|dmesg|grep|export|time|nice|ssh|docker|nohup|numactl)\\s+\\S.*)\\S*.*)$");
static struct pattern label_prefix = PATTERN(
	"^\\s*(?:[-*+]\\s+)?\\*{0,2}(?i:command(?:[ -]?line)?|cmd|test command"
	"|invocation)\\*{0,2}\\s*[:=：]+\\s*\\*{0,2}");
/* What runs another program: with its own options, up to that program. */
static struct pattern wrappers = PATTERN(
	"(?:^|(?<=[\\s`'\"(]))(?:(?:sudo|time|nohup|exec|env)\\s+(?:-\\w\\s+)?"
	"|timeout\\s+(?:-{1,2}\\S+\\s+)*[\\d.]+[smhd]?\\s+"
	"|(?:taskset|chrt|nice|numactl|cgexec)\\s+(?:-{1,2}[\\w-]+(?:[ =](?![-/.a-z])\\S+)?\\s+"
	"|-[cg]\\s+\\S+\\s+)*(?:(?:0x)?[\\da-fA-F,-]+\\s+)?)+$");
/* One more word of a command line: an option, the value of one, a quoted word. */
static struct pattern option_word = PATTERN(
	" +(?:(--[a-z][\\w-]+ [a-z][\\w.]*(?= +-|\\s*\\\\?\\s*$))|(-{1,2}[A-Za-z][^\\s`\"()]*)"
	"|(?:timerlat|osnoise|hwnoise|top|hist)(?=\\s)"
	"|\\.?\\d[\\w.,:/x-]*|'[^']{0,200}'|(?:fifo|rr|other|deadline|idle|batch)\\b"
	"|[A-Za-z]:\\d[\\d:,a-z]*|[a-z_]+:[a-z_]+|\\.{0,2}/[\\w./-]+)(?![^\\s`\"'()\\],;])");
static struct pattern goes_on = PATTERN("\\s+\\\\\\s*$");
/* "Test case: no load, 10000 loops." names a test, although it reads like a sentence. */
static struct pattern test_label = PATTERN(
	"^(?:[*#_]+ ?)?(?i:test(?: case)?|case|scenario"
	"|experiment)(?: ?[\\w.#-]{1,8})? ?[:.)]\\s*\\S");
/* "Board: …" states a fact about what is below, it does not name it. */
static struct pattern fact_label = PATTERN(
	"^(?:[-*+] ?)?\\*{0,2}(?i:board|cpu|processor|soc|kernel|os|hw|hardware|machine|target"
	"|arch(?:itecture)?|memory|ram|"
	"distribution|distro|compiler|gcc|from|to|cc|date|subject|message-id"
	"|sent)\\b(?! (?i:mode|space|task|thread))[^:]{0,30}:\\s*[^\\s-]");
/* What programs say on starting, and page furniture. */
static struct pattern no_title = PATTERN(
	"^(?i:warn(?:ing)?:|error:|note:|advert|sign (?:in|up)|not a member|defaulting "
	"|could not |failed |insmod |rmmod |linux version |linux \\S+ [2-7]\\.)"
	"|^(?i:code: select all$|select all$|samples (?:recorded|exceeding threshold): \\d)"
	"|^(?:# ?)?/dev/cpu_dma_latency |^\\d[\\d,-]*$|^\\d+ {2,}\\d+\\s"
	"|^\\[[ \\d:.,]+\\]|^\\^C|^/\\*"
	"|^\\d{4}-\\d\\d-\\d\\dT|^(?-i:sudo|apt|apt-get|yum|dnf|echo|cd|git|wget|docker|podman|cat|ls|export) \\S"
	"|^(?-i:(?:\\./)?(?:hackbench|stress|stress-ng|iperf3?) -|stress-ng: )");
static struct pattern cut_row = PATTERN("\\bAvg: +\\d+ Max:");
static struct pattern wide_gap = PATTERN("\\S {8,}+\\S");
static struct pattern attribution = PATTERN("\\b(?:wrote|writes|schrieb|a \\xe9crit)\\s?:\\s*$");

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
	g_free(c->before_title);
	g_free(c->command);
	g_free(c->line_command);
	g_free(c);
}

/* Where names of programs with these first two bytes and this length are noted: nearly every word of a text is ruled out by it. */
#define PLACES 8192u
static bool name_there[PLACES];

static unsigned place_of(const char *name, size_t len)
{
	return ((unsigned char)name[0] * 331u + (len > 1 ? (unsigned char)name[1] * 67u : 0) + (unsigned)len * 1021u) % PLACES;
}

static void names_get(void)
{
	static gsize once;

	if (!g_once_init_enter(&once))
		return;
	for (unsigned i = 0; parsers[i]; i++)
		for (const struct tool_options *o = parsers[i]->commands; o && o->programs; o++)
			for (const char *const *name = o->programs; *name; name++)
				name_there[place_of(*name, strlen(*name))] = true;
	g_once_init_leave(&once, 1);
}

/* What parts the words of a command: before a word, and behind one. */
enum { BEFORE_WORD = 1, BEHIND_WORD = 2, IN_PATH = 4 };
static const unsigned char parts[UCHAR_MAX + 1] = {
	[' '] = 3, ['\t'] = 3, ['`'] = 3, ['\''] = 3, ['"'] = 3, [';'] = 3, ['&'] = 3, ['|'] = 3,
	['('] = BEFORE_WORD, [')'] = BEHIND_WORD, ['\0'] = BEHIND_WORD, ['/'] = IN_PATH
};

/* Whether word[0..len) is a program of the parser's. */
static bool is_program(const struct parser *p, const char *word, size_t len)
{
	for (const struct tool_options *o = p->commands; o && o->programs; o++)
		for (const char *const *name = o->programs; *name; name++)
			if (strlen(*name) == len && !memcmp(*name, word, len))
				return true;
	return false;
}

/* Which parsers' programs a command names, as a bit mask; *first: the offset of the first such
 * word. */
static uint64_t programs_in(const char *command, size_t *first)
{
	uint64_t found = 0;
	unsigned words = 0;

	names_get();
	for (const char *p = command; *p && words < 24; words++) {
		size_t len, name_len, dir = 0;
		unsigned char part;
		const char *name;

		while (parts[(unsigned char)*p] & BEFORE_WORD)
			p++;
		for (len = 0; !((part = parts[(unsigned char)p[len]]) & BEHIND_WORD); len++)
			if (part == IN_PATH)
				dir = len + 1;
		name = p + dir;
		name_len = len - dir;
		if (!name_len || !name_there[place_of(name, name_len)]) {
			p += len;
			continue;
		}
		for (unsigned i = 0; parsers[i]; i++) {
			if (!is_program(parsers[i], name, name_len) ||
			    (parsers[i]->command_word && !strstr(command, parsers[i]->command_word)))
				continue;
			if (!found)
				*first = (size_t)(p - command);
			found |= (uint64_t)1 << i;
		}
		p += len;
	}
	return found;
}

/* Where the wrapper programs before offset `at` begin; `at` itself when there are none. */
static size_t wrapper_start(const char *text, size_t at)
{
	const char *slash = text + at;
	struct match m;

	while (slash > text && !strchr(" \t`'\"(;&|", slash[-1]))
		slash--;
	at = (size_t)(slash - text);
	return pattern_match(&wrappers, text, at, 0, &m) ? (size_t)(m.begin - text) : at;
}

/* Where the command whose program's name begins at `at` ends; 0: no option follows, so it is only
 * talked about. */
static size_t command_end(const char *text, size_t len, size_t at)
{
	bool option = false;
	struct match m;

	while (at < len && !strchr(" \t`'\"()&|;,", text[at]))
		at++;
	while (pattern_match_at(&option_word, text, len, at, &m)) {
		option = option || m.group[1].p || m.group[2].p;
		at = (size_t)(m.end - text);
	}
	/* Its options may stand on the lines below. */
	if (pattern_match_at(&goes_on, text, len, at, &m))
		return len;
	while (option && strchr(":,.", text[at - 1]))
		at--;
	return option ? at : 0;
}

/*
 * A command line without a prompt: a program that parsers know, with an option, whatever stands
 * around it. The first of the line; its length in *len.
 */
static const char *bare_command(const struct line *l, size_t *len)
{
	size_t from = 0, first, end;

	for (unsigned tries = 0; tries < 8 && programs_in(l->row + from, &first); tries++) {
		first += from;
		end = command_end(l->row, l->row_len, first);
		if (end) {
			size_t start = wrapper_start(l->row, first);

			*len = end - start;
			return l->row + start;
		}
		from = first + strcspn(l->row + first, " \t`'\");&|");
	}
	return NULL;
}

/*
 * A look at the first byte, or for a byte that must be there, spares most lines the patterns.
 * The first byte of text that is no blank and not in `skip`; 0: there is none.
 */
static char first_byte(const char *text, const char *skip)
{
	while (*text && (g_ascii_isspace(*text) || strchr(skip, *text)))
		text++;
	return *text;
}

static bool begins_with(const char *text, const char *skip, const char *bytes)
{
	char c = first_byte(text, skip);

	return c && strchr(bytes, c);
}

static bool is_rule(const struct line *l)
{
	return begins_with(l->text, "", "-=*_~#.+|:") && pattern_match(&rule, l->text, l->len, 0, NULL);
}

static bool is_lone_tag(const struct line *l)
{
	return begins_with(l->text, "", "<{:.") && pattern_match(&lone_tag, l->text, l->len, 0, NULL);
}

static bool has_prompt(const struct line *l, struct match *m)
{
	return strpbrk(l->text, "#$%>") && (pattern_match(&prompt, l->text, l->len, 0, m) ||
	                                    pattern_match(&root_prompt, l->text, l->len, 0, m));
}

static bool has_label(const struct line *l, struct match *m)
{
	return begins_with(l->row, "-*+", "cCtTiI") && pattern_match(&label_prefix, l->row, l->row_len, 0, m);
}

static const char *find_command(const struct line *l, size_t *len)
{
	struct match m;

	if (l->row_len > COMMAND_LENGTH)
		return NULL;
	if (has_prompt(l, &m)) {
		*len = m.group[1].len;
		return m.group[1].p;
	}
	if (has_label(l, &m)) {
		size_t first, skip = strspn(m.end, "`'\" ");

		*len = l->row_len - (size_t)(m.end - l->row) - skip;
		if (*len && programs_in(m.end + skip, &first))
			return m.end + skip;
	}
	return bare_command(l, len);
}

static void set_command(struct context *c, const char *command, size_t len)
{
	size_t first;
	uint64_t found;

	static struct pattern prompt_inside = PATTERN(
		"^(?:.*\\s)?(?:(?:ba|a|da|k|z)?sh-[\\d.]+[#$]"
		"|[\\w.+-]+@[\\w.-]+(?::\\S*)?\\s?[#$])\\s+(?=\\S)");
	struct match m;

	/* Flattened text: the last command counts. */
	if (pattern_match(&prompt_inside, command, len, 0, &m)) {
		len -= (size_t)(m.end - command);
		command = m.end;
	}
	while (len && strchr(" \t`", command[len - 1]))
		len--;
	g_free(c->line_command);
	c->line_command = g_strndup(command, len);
	g_free(c->command);
	c->command = g_strdup(c->line_command);
	c->commands++;
	c->continued =
		c->command[0] && c->command[strlen(c->command) - 1] == '\\' && len < COMMAND_LENGTH;
	found = programs_in(c->command, &first);
	for (unsigned i = 0; found && i < TEXT_MAX_PARSERS; i++) {
		if (!(found >> i & 1))
			continue;
		g_free(c->tool[i].text);
		c->tool[i] = (struct tool_command){ .text = g_strdup(c->command),
			                            .title = c->general_titles };
	}
	c->apart = false;
}

/* "before      before" stands above two outputs that were put side by side: half of it. */
static size_t half_title(const char *s, size_t len)
{
	static struct pattern twice = PATTERN("^(\\S.*?) {2,}\\1\\s*$");
	struct match m;

	return memmem(s, len, "  ", 2) && pattern_match(&twice, s, len, 0, &m) ? m.group[1].len : len;
}

/* Takes code marks off that have lost their other half, or that mark a block. */
static void drop_backticks(char *title)
{
	size_t n = 0, marks = 0;

	for (const char *p = title; *p; p++)
		marks += *p == '`';
	if (marks % 2 == 0 && !strstr(title, "``"))
		return;
	for (const char *p = title; *p; p++)
		if (*p != '`')
			title[n++] = *p;
	title[n] = '\0';
}

/* The heading without its markup: "## **Idle**:" is "Idle". */
static char *plain_title(const struct line *l)
{
	static struct pattern inside = PATTERN("^\\s*(?:<([a-z]\\w*)[^<>]*>(.*)</\\1>|\\.\\. [a-z]+::()\\s(.*))\\s*$");
	const char *s = l->text, *end = l->text + l->len;
	struct match m;
	char *title;

	if (begins_with(l->text, "", "<.") && pattern_match(&inside, l->text, l->len, 0, &m)) {
		unsigned text = m.group[2].p ? 2 : 4;

		s = m.group[text].p;
		end = s + m.group[text].len;
	}
	end = s + half_title(s, (size_t)(end - s));

	while (s < end && strchr(" \t#*=_`\"'>-+~|", *s))
		s++;
	while (end > s && strchr(" \t#*=_`\"'-~|:", end[-1]))
		end--;
	title = g_strndup(s, MIN((size_t)(end - s), TITLE_LENGTH));
	drop_backticks(title);
	if (strstr(title, "](")) {
		g_autofree char *marked = g_steal_pointer(&title);

		return tab_cell_plain(marked);
	}
	return title;
}

static unsigned word_count(const char *s)
{
	unsigned n = 0;
	bool inside = false;

	for (; *s; s++) {
		bool blank = *s == ' ' || *s == '\t';

		n += !blank && !inside;
		inside = !blank;
	}
	return n;
}

/* A heading has a letter or digit in it: the brace that begins a JSON text is none. */
static bool has_word(const char *s)
{
	for (; *s; s++)
		if (g_ascii_isalnum(*s) || (unsigned char)*s >= 0x80)
			return true;
	return false;
}

/* "… end." or "… end?)": the last byte of a word in small letters, or of a number, before the sign. */
static bool ends_sentence(const struct line *l)
{
	const char *end = l->text + l->len;

	while (end > l->text && g_ascii_isspace(end[-1]))
		end--;
	end -= end > l->text && strchr("'\")", end[-1]);
	return end >= l->text + 2 && strchr(".!?", end[-1]) &&
	       (g_ascii_islower(end[-2]) || g_ascii_isdigit(end[-2]) || end[-2] == ')');
}

static bool names_test(const struct line *l)
{
	return begins_with(l->row, "*#_", "tTcCsSeE") && pattern_match(&test_label, l->row, l->row_len, 0, NULL);
}

static bool states_fact(const struct line *l)
{
	return memchr(l->row, ':', l->row_len) && pattern_match(&fact_label, l->row, l->row_len, 0, NULL);
}

static bool names_nothing(const struct line *l)
{
	return pattern_match_at(&no_title, l->row, l->row_len, 0, NULL) ||
	       (strchr(l->row, ':') && (pattern_match(&attribution, l->row, l->row_len, 0, NULL) ||
	                                pattern_match(&cut_row, l->row, l->row_len, 0, NULL))) ||
	       (strstr(l->row, "        ") && pattern_match(&wide_gap, l->row, l->row_len, 0, NULL));
}

static bool is_sentence(const struct context *c, const struct line *l)
{
	unsigned words = word_count(l->row);

	if (c->in_paragraph && c->long_paragraph)
		return true;
	if (states_fact(l))
		return true;
	if (names_test(l))
		return false;
	if (words > SENTENCE_WORDS || l->len > TITLE_LENGTH)
		return true;
	return words > 3 && ends_sentence(l);
}

/*
 * The line before was taken for a heading, but the present one goes on with it: then it was the
 * first line of a paragraph, and the title is what it was.
 */
static void revoke_title(struct context *c, const struct line *l, bool sentence)
{
	const char *first = l->row + strspn(l->row, " *>/#|-");
	bool wrapped = c->in_paragraph && c->title_just_set && c->title_length > 40 &&
		(sentence || g_ascii_islower(*first)) && !c->title_colon;

	if (wrapped) {
		g_free(c->title);
		c->title = g_steal_pointer(&c->before_title);
	}
	c->title_just_set = false;
}

static enum line_role prose(struct context *c, const struct line *l)
{
	bool sentence = is_sentence(c, l);
	char *title;

	revoke_title(c, l, sentence);
	if (!c->in_paragraph || sentence || l->len > 60)
		c->long_paragraph = sentence || l->len > 60;
	c->in_paragraph = true;
	if (sentence || (names_nothing(l) && half_title(l->row, l->row_len) == l->row_len))
		return ROLE_PROSE;
	title = plain_title(l);
	if (!has_word(title)) {
		g_free(title);
		return ROLE_RULE;
	}
	g_free(c->before_title);
	c->before_title = c->title;
	c->title = title;
	c->titles++;
	c->title_just_set = true;
	c->title_length = l->len;
	c->title_colon = l->text[l->len - 1] == ':';
	if (c->apart || l->text[l->len - 1] == ':' || l->row[0] == '#')
		c->general_titles++;
	return ROLE_HEADING;
}

/* The line after one that ended with a backslash. */
static enum line_role continue_command(struct context *c, const struct line *l)
{
	size_t len = strlen(c->command);
	g_autofree char *whole = g_strdup_printf("%.*s %s", (int)(len - 1), c->command, l->row);

	c->commands--;
	set_command(c, whole, strlen(whole));
	return ROLE_COMMAND;
}

enum line_role context_line(struct context *c, const struct line *l, bool taken)
{
	const char *command;
	size_t len;

	g_clear_pointer(&c->line_command, g_free);
	if (l->flags & LINE_BLANK) {
		c->in_paragraph = c->title_just_set = false;
		c->apart = true;
		return ROLE_BLANK;
	}
	if (taken) {
		c->in_paragraph = c->signature = c->title_just_set = false;
		return ROLE_DATA;
	}
	if (!strcmp(l->text, "--") || !strcmp(l->text, "-- "))
		c->signature = true;
	if (c->signature)
		return ROLE_SIGNATURE;
	if ((l->flags & LINE_FENCE) || is_rule(l) || is_lone_tag(l)) {
		c->in_paragraph = c->title_just_set = false;
		c->apart = true;
		return ROLE_RULE;
	}
	if (c->continued)
		return continue_command(c, l);
	command = find_command(l, &len);
	if (command) {
		set_command(c, command, len);
		/* A command inside a sentence leaves the sentence what it is. */
		if ((size_t)(command - l->row) + len + 2 >= l->row_len) {
			c->in_paragraph = false;
			return ROLE_COMMAND;
		}
	}
	if (l->rejected)
		return ROLE_PROSE;
	return prose(c, l);
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

	if (!t->text)
		return NULL;
	if (!t->used)
		t->general = t->title != c->general_titles;
	else if (!t->general && t->title != c->titles)
		return NULL;
	t->used = true;
	t->title = c->titles;
	return t->text;
}
