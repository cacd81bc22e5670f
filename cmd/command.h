/*
 * What a command is. A file in cmd/ defines one constant struct command and has one row in cmd/main.c.
 */
#ifndef RTREPORT_COMMAND_H
#define RTREPORT_COMMAND_H

#include <stdio.h>
#include "lib/input.h"
#include "lib/diag.h"

#define RTREPORT_VERSION_TEXT "0.1.0"

struct command {
	const char *name;
	const char *summary;            /* one line for --help */
	int (*run)(int argc, char **argv);      /* argv[0] is the command's name; returns an exit status, diag_status() joined in by main */
};

/*
 * Options shared by the commands, by GOption (cmd/options.c). A command adds its own entries.
 */
struct common_options {
	struct input_options input;
	char *from, *quoted, *samples, *output, *to, *unit;
	char **set, **inputs, **exports;
	gboolean strict;
	/* With COMMON_TABLE, for commands that make tables (cmd/output.h): */
	char *columns, *sort, *digits, *csv_dialect, *colour, *width, *document_title;
	/* With COMMON_WHERE: --where, for commands that select nothing themselves (cmd/selection.h): options_read does it. */
	char *where;
	struct select *select;
	/* For options_read: see borrow in lib/input.h; it gets the same data as each(). Not with --strict. */
	void (*borrow)(const struct record *r, void *data);
	/* For options_read: what is read instead of the inputs (struct given); or NULL. */
	GArray *given;
};
/* An input that is in memory: bytes, and what its records' sources name. */
struct given { const char *bytes; size_t len; const char *file; };
/* COMMON_OUTPUT: -o, --to, --export, --unit. COMMON_TABLE, beside it: --columns, --sort, --digits, --csv-dialect, --colour, --width, --title. */
enum common_set { COMMON_INPUT = 1, COMMON_OUTPUT = 2, COMMON_TABLE = 4, COMMON_WHERE = 8 };

/*
 * Parses argv: --help prints usage (summary, description with examples) and exits 0; a bad option prints a message and exits 2.
 * `entries` are the command's own (may be NULL). Fills o; o->inputs is never NULL (no file: "-").
 */
void options_parse(const struct command *c, const char *arguments, const char *description, unsigned common,
                   const GOptionEntry *entries, struct common_options *o, int *argc, char ***argv);
void options_free(struct common_options *o);

/* What options_parse does with from, quoted and samples; with where; with a KEY=VALUE of set: a message (caller frees), or NULL. */
char *options_apply(struct common_options *o);
char *options_apply_where(struct common_options *o);
char *options_add_fact(struct common_options *o, const char *text);

/* "LABEL=path" gives label and path (no '=' or an existing file of that whole name: label NULL). Caller frees label. */
const char *options_split_label(const char *argument, char **label);

/* Reads all inputs and passes the records on; EXIT_NOTHING is raised when there was none. Returns their number. */
uint64_t options_read(struct common_options *o, void (*each)(struct record *r, void *data), void *data);
/* The same into an array that owns them. */
GPtrArray *options_read_all(struct common_options *o);

/*
 * Where output goes: standard output or -o FILE (written aside, renamed by output_close, removed on failure).
 * NULL after a message when it cannot be opened.
 */
struct output;
struct output *output_open(const char *path, FILE **stream);
int output_close(struct output *out);   /* 0, or -1 after a message */
/* Instead of output_close: a file is removed, what stood there before stays. */
void output_abandon(struct output *out);

#endif
