/*
 * hackbench: how long its messages took, in seconds.
 *
 *     Running in process mode with 10 groups using 40 file descriptors each (== 400 tasks)
 *     Each sender will pass 100 messages of 100 bytes
 *     Time: 4.905
 *
 * Before 0.66: "Running with 10*40 (== 400) tasks." Other output may stand between, since it often
 * runs in the background.
 */
#include <string.h>

#include "lib/parser.h"

struct hackbench {
	struct record *record;          /* begun with its banner, waits for the time */
};

static struct pattern banner = PATTERN(
	"^Running (?:in (?:process|threaded) mode with \\d+ groups using \\d+ file descriptors each \\(== \\d+ tasks\\)"
	"|with \\d+\\*\\d+ \\(== \\d+\\) tasks)");
static struct pattern messages = PATTERN("^Each sender will pass \\d+ messages of \\d+ bytes");
static struct pattern time_row = PATTERN("^Time: *(\\d+\\.\\d{3})$");
static struct pattern program = PATTERN("(?:^|[\\s/;&|])hackbench(?:$|\\s)");

static void drop(struct parse *p)
{
	struct hackbench *h = p->state;

	if (h->record)
		parse_drop(p, h->record, "cut before its time");
	h->record = NULL;
}

/* The time counts after a banner, or after a command that was this program. */
static enum verdict take_time(struct parse *p, const struct line *l, const struct match *m)
{
	struct hackbench *h = p->state;
	const char *command = parse_command(p);
	struct series *s;

	if (!h->record) {
		if (!command || !pattern_match(&program, command, strlen(command), 0, NULL))
			return VERDICT_PASS;
		h->record = parse_begin(p, "hackbench", l);
	} else {
		parse_extend(p, h->record, l);
	}
	s = record_add_series(h->record, NULL);
	s->quantity = "elapsed time";
	s->unit = "s";
	s->line = l->first;
	s->resolution = (struct number){ 1, -3, NUMBER_SET };
	number_parse(m->group[1].p, m->group[1].len, 0, &s->field[FIELD_VALUE]);
	parse_emit(p, h->record);
	h->record = NULL;
	return VERDICT_DATA;
}

static enum verdict hackbench_line(struct parse *p, const struct line *l)
{
	struct hackbench *h = p->state;
	struct match m;

	if (l->rejected)
		return VERDICT_PASS;
	if (pattern_match(&banner, l->row, l->row_len, 0, NULL)) {
		drop(p);
		h->record = parse_begin(p, "hackbench", l);
		return VERDICT_FRAME;
	}
	if (h->record && pattern_match(&messages, l->row, l->row_len, 0, NULL)) {
		parse_extend(p, h->record, l);
		return VERDICT_FRAME;
	}
	if (pattern_match(&time_row, l->row, l->row_len, 0, &m))
		return take_time(p, l, &m);
	return VERDICT_PASS;
}

static const struct row_shape shapes[] = {
	{ "Running in process mode with \\d",
	  "Running in process mode with \\d+ groups using \\d+ file descriptors each \\(== \\d+ tasks\\)",
	  NULL, SHAPE_INNER },
	{ "Running in threaded mode with \\d",
	  "Running in threaded mode with \\d+ groups using \\d+ file descriptors each \\(== \\d+ tasks\\)",
	  NULL, SHAPE_INNER },
	{ "Running with \\d+\\*\\d+ \\(== ", "Running with \\d+\\*\\d+ \\(== \\d+\\) tasks", NULL,
	  SHAPE_INNER },
	{ "Each sender will pass \\d", "Each sender will pass \\d+ messages of \\d+ bytes", NULL,
	  SHAPE_INNER },
	{ "Time: \\d+\\.\\d", "Time: \\d+\\.\\d{3}(?![\\w.])", NULL, 0 },
	{ NULL, NULL, NULL, 0 }
};

static const struct tool_option options[] = {
	{ "-f", "--fds", NULL, OPTION_INTEGER },
	{ "-F", "--fifo", NULL, OPTION_FLAG },
	{ "-g", "--groups", NULL, OPTION_INTEGER },
	{ "-i", "--inet", NULL, OPTION_FLAG },
	{ "-l", "--loops", "loops", OPTION_INTEGER },
	{ "-p", "--pipe", NULL, OPTION_FLAG },
	{ "-P", "--process", NULL, OPTION_FLAG },
	{ "-s", "--datasize", NULL, OPTION_INTEGER },
	{ "-T", "--threads", NULL, OPTION_FLAG },
	{ NULL, NULL, NULL, OPTION_FLAG }
};
static const struct tool_options commands[] = {
	{ (const char *const[]){ "hackbench", NULL }, "hackbench", options },
	{ NULL, NULL, NULL }
};
static const char *const tools[] = { "hackbench", NULL };
static const char *const literals[] = { "hackbench", "file descriptors each", "*40 (== ", NULL };

const struct parser parser_hackbench = {
	.name = "hackbench",
	.summary = "scheduler load: elapsed time",
	.versions = "rt-tests 0.31 to 2.10",
	.sample = "Time: 4.905",
	.tools = tools,
	.literals = literals,
	.shapes = shapes,
	.commands = commands,
	.state_size = sizeof(struct hackbench),
	.line = hackbench_line,
	.end = drop,
};
