/* rtreport: the command table and dispatch. */
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <glib.h>

#include "cmd/command.h"

extern const struct command command_show;
extern const struct command command_parse;
extern const struct command command_explain;
extern const struct command command_diff;
extern const struct command command_compare;
extern const struct command command_aggregate;
extern const struct command command_render;
extern const struct command command_plot;
extern const struct command command_serve;
extern const struct command command_formats;
extern const struct command command_validate;

/* One row a command, in the order in which --help lists them. */
static const struct command *const commands[] = {
	&command_show,
	&command_parse,
	&command_explain,
	&command_diff,
	&command_compare,
	&command_aggregate,
	&command_render,
	&command_plot,
	&command_serve,
	&command_formats,
	&command_validate,
	NULL
};

#define DEFAULT_COMMAND "show"

static const struct command *find(const char *name)
{
	for (size_t i = 0; commands[i]; i++)
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	return NULL;
}

static void help(void)
{
	fputs("Usage:\n"
	      "  rtreport [COMMAND] [OPTION]... [[LABEL=]FILE|DIRECTORY|-]...\n\n"
	      "Reads what real-time latency benchmarks print, pasted from a terminal, in a mail or in a\n"
	      "mailing list's archive; normalizes, compares and renders the results.\n"
	      "No file, or -, is standard input. Without COMMAND the results are shown (" DEFAULT_COMMAND ").\n\n"
	      "Commands:\n", stdout);
	for (size_t i = 0; commands[i]; i++)
		printf("  %-11s %s\n", commands[i]->name, commands[i]->summary);
	fputs("\nExamples:\n"
	      "  rtreport result.txt                      the results of a pasted file, as tables\n"
	      "  rtreport parse archive.mbox > all.jsonl  every result of a mailing list as a record\n"
	      "  rtreport diff before.txt after.txt       what has changed\n\n"
	      "rtreport COMMAND --help tells more of a command.\n\n"
	      "Exit status: 0 done; 1 a gate tripped; 2 wrong usage, or an input that cannot be read;\n"
	      "3 nothing recognized; 4 something damaged or contradictory (with --strict).\n", stdout);
}

/* For the shells' completions: a line a command, with a tab before what it does. */
static void list_commands(void)
{
	for (size_t i = 0; commands[i]; i++)
		printf("%s\t%s\n", commands[i]->name, commands[i]->summary);
}

/* A word that is no file either is most likely a misspelt command. */
static bool is_misspelt(const char *word)
{
	return word[0] != '-' && !strpbrk(word, "/.=") && access(word, F_OK);
}

static int misspelt(const char *word)
{
	g_autoptr(GString) names = g_string_new(NULL);

	for (size_t i = 0; commands[i]; i++)
		g_string_append_printf(names, "%s%s", i ? ", " : "", commands[i]->name);
	diag(EXIT_USAGE, word, 0, "No such file or directory, and no command; the commands are %s; rtreport --help tells more", names->str);
	return EXIT_USAGE;
}

/* argv[0] names the command, what follows is its own. */
static int run(const struct command *c, int argc, char **argv)
{
	int status = c->run(argc, argv);

	diag_raise((enum exit_status)status);
	return diag_status();
}

int main(int argc, char **argv)
{
	const char *first = argc > 1 ? argv[1] : NULL;
	const struct command *c = first ? find(first) : NULL;

	/* The character set only: numbers and messages are the same everywhere. */
	setlocale(LC_CTYPE, "");
	/* A reader that goes away ends the program quietly. */
	signal(SIGPIPE, SIG_DFL);
	if (c)
		return run(c, argc - 1, argv + 1);
	if (first && (!strcmp(first, "--help") || !strcmp(first, "-h"))) {
		help();
		return EXIT_DONE;
	}
	if (first && (!strcmp(first, "--version") || !strcmp(first, "-V"))) {
		puts("rtreport " RTREPORT_VERSION_TEXT);
		return EXIT_DONE;
	}
	if (first && !strcmp(first, "--list-commands")) {
		list_commands();
		return EXIT_DONE;
	}
	if (first && is_misspelt(first))
		return misspelt(first);
	c = find(DEFAULT_COMMAND);
	if (!c) {
		diag(EXIT_USAGE, NULL, 0, "no command; rtreport --help lists them");
		return EXIT_USAGE;
	}
	argv[0] = (char *)DEFAULT_COMMAND;
	return run(c, argc, argv);
}
