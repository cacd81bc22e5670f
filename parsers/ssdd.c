/*
 * ssdd and pip_stress of rt-tests: they pass or fail and measure nothing, so there is no record.
 * Their lines are known here so that nobody takes them for a heading, and so that explain can say
 * why they give nothing.
 *
 *     forktest#0/19887: EXITING, no error
 *     All tests PASSED.
 */
#include "lib/parser.h"

static struct pattern line = PATTERN(
	"^(?:#main : \\d+$|#forks: \\d+$|#steps: \\d+$|forktest#\\d+/\\d+(?:/\\d+)?: |All tests PASSED\\.$|One or more tests FAILED\\.$"
	"|Successfully used priority inheritance to handle an inversion$|No inversion incurred$)");

static enum verdict ssdd_line(struct parse *p, const struct line *l)
{
	if (l->rejected || !pattern_match(&line, l->row, l->row_len, 0, NULL))
		return VERDICT_PASS;
	parse_reason(p, "this program passes or fails; it measures nothing");
	return VERDICT_FRAME;
}

static const struct row_shape shapes[] = {
	{ "forktest#\\d+/\\d+", NULL, NULL, 0 },
	{ "#main : \\d+$", NULL, NULL, SHAPE_COMMENT },
	{ "Successfully used priority inheritance to handle an inversion", NULL, NULL, 0 },
	{ NULL, NULL, NULL, 0 }
};

static const struct tool_option no_options[] = { { NULL, NULL, NULL, OPTION_FLAG } };
static const struct tool_options commands[] = {
	{ (const char *const[]){ "ssdd", NULL }, "ssdd", no_options },
	{ (const char *const[]){ "pip_stress", NULL }, "pip_stress", no_options },
	{ NULL, NULL, NULL }
};
static const char *const tools[] = { NULL };
static const char *const literals[] = { NULL };

const struct parser parser_ssdd = {
	.name = "ssdd",
	.summary = "ssdd and pip_stress: pass or fail, no figures",
	.versions = "rt-tests 0.84 to 2.10",
	.sample = "All tests PASSED.",
	.tools = tools,
	.literals = literals,
	.shapes = shapes,
	.commands = commands,
	.state_size = 0,
	.line = ssdd_line,
};
