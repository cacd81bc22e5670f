/*
 * What a parser is. A parser file in parsers/ defines one constant struct parser
 * and has one row in parsers/table.c; the order of that table is the priority.
 *
 * Lines are pushed, one by one, in order. The reader keeps an instance of a parser per quote depth ("stream"),
 * made when one of its row shapes first appears, and from then on shows it each line of
 * that stream that no parser before it took, until the stream ends.
 */
#ifndef RTREPORT_PARSER_H
#define RTREPORT_PARSER_H

#include <stdbool.h>
#include "lib/record.h"
#include "lib/text.h"
#include "lib/pattern.h"

/*
 * The shape of a row, by which the text layer finds, splits and joins rows (PCRE2, bytes).
 *   start   the row's beginning, short, anchored by the text layer at a possible row start; must not
 *           match prose: put the rare literal here
 *   full    the whole row, matched from its beginning; need not reach the line's end: what follows it is prose. NULL: never joined
 *   more    what a continuation line may consist of (whole line, after quote marks and prefix). NULL: anything
 * A row is joined while `full` does not match, with up to TEXT_MAX_JOIN lines, of which none begins a row itself. If `full` is
 * never reached: lines that match a non-NULL `more` stay joined (a cut row, LINE_CUT), others are given back.
 */
struct row_shape {
	const char *start, *full, *more;
	unsigned flags;                 /* enum shape_flag */
};
enum shape_flag {
	SHAPE_INNER = 1 << 0,           /* may also begin inside a line of flattened text: split there */
	SHAPE_COMMENT = 1 << 1,         /* begins with '#' itself: a comment sign before it is still one, its own is not */
	SHAPE_QUIET = 1 << 2            /* no evidence of the tool: offered only to an instance that exists already */
};

enum verdict {
	VERDICT_PASS,                   /* not mine */
	VERDICT_DATA,                   /* values taken */
	VERDICT_FRAME,                  /* mine: banner, header, rule, footer without values */
	VERDICT_REJECT                  /* looks like mine but does not count; parse_reason says why */
};

/* How a tool's options become settings: "-p" with "us" into period_ns, … */
enum option_kind { OPTION_FLAG, OPTION_INTEGER, OPTION_TEXT, OPTION_US, OPTION_NS, OPTION_DURATION, OPTION_SKIP };
struct tool_option {
	const char *short_name, *long_name;     /* "-p", "--priority"; either may be NULL */
	const char *setting;                    /* "priority"; NULL: has an argument, but sets nothing */
	enum option_kind kind;                  /* of its argument; OPTION_FLAG has none */
};
/* Rows of one parser: which program names (basename) they hold for. */
struct tool_options {
	const char *const *programs;            /* NULL-terminated */
	const char *tool;                       /* of the record */
	const struct tool_option *options;      /* ends with an empty row */
};

struct parse;

struct parser {
	const char *name;               /* as in --from=NAME and `rtreport formats` */
	const char *summary;            /* one line */
	const char *versions;           /* which versions or eras are covered */
	const char *sample;             /* a typical line */
	const char *const *tools;       /* values of `tool` that its records may have */
	/*
	 * The sieve of archives: each result has at least one of these. A blank stands for any run of blanks, line ends and quote
	 * marks (beside a sign it may be missing), '%' for a number, '|' for a bar,
	 * whatever has become of it.
	 */
	const char *const *literals;
	/* Instead, for a parser without row shapes: may the text, in which numbers stand as cells do, hold a result? */
	bool (*may_hold)(const char *text, size_t len);
	const struct row_shape *shapes; /* ends with start NULL; NULL: none, is shown every line that is left (tables) */
	const struct tool_options *commands;    /* ends with programs NULL; may be NULL */
	const char *command_word;               /* a command of these programs is the tool's only with this in it; may be NULL */
	bool final_form;                /* its records are files about runs whose rows may stand above: see lib/forms.h */
	bool complete;                  /* its records state all that is known: no facts of the text around are added */
	size_t state_size;              /* zeroed at the instance's birth */
	enum verdict (*line)(struct parse *p, const struct line *l);
	void (*end)(struct parse *p);   /* the stream ends: emit what is open, free what the state owns */
};

/* An instance. `state` is the parser's own. */
struct parse {
	const struct parser *parser;
	void *state;
	void *stream;                   /* the reader's */
};

/*
 * A new record of `tool`, begun at line l: the reader notes title, command and environment that hold there.
 * It belongs to the parser until parse_emit or parse_drop.
 */
struct record *parse_begin(struct parse *p, const char *tool, const struct line *l);
/* Line l belongs to r too: widens source.lines; a joined line flags row-repaired, a cut one row-truncated. */
void parse_extend(struct parse *p, struct record *r, const struct line *l);
void parse_emit(struct parse *p, struct record *r);
void parse_drop(struct parse *p, struct record *r, const char *reason);  /* reason: for explain */
/* The command line that stands above the present line in this stream, or NULL; lives until the next line. */
const char *parse_command(struct parse *p);
/* How many command lines this stream has seen: tells whether a new command stands between two lines. */
unsigned parse_command_count(struct parse *p);
/* The heading above the present line (title), or NULL. */
const char *parse_title(struct parse *p);
/* Why the present line was rejected or what was made of it; for explain. A constant. */
void parse_reason(struct parse *p, const char *reason);

/* The table, NULL-terminated (parsers/table.c). */
extern const struct parser *const parsers[];
const struct parser *parser_find(const char *name);     /* by name or tool, or NULL */

#endif
