/* rtreport validate: checks records against the schema. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cmd/command.h"
#include "lib/check.h"
#include "lib/record_json.h"

static const char description[] =
	"Reads records (JSON Lines or one JSON array) and tells what in them is not as\n"
	"formats/result.schema.json says, with file and line. Breaches of a format's laws (an average\n"
	"outside minimum and maximum, a histogram that does not add up) must be flagged.\n"
	"Exit status 1 when a record is not valid, 3 when there is none.\n\n"
	"Examples:\n"
	"  rtreport parse result.txt | rtreport validate\n"
	"  rtreport validate all.jsonl && echo good\n";

struct validating {
	const char *file;
	unsigned good, bad;
	unsigned number;        /* of the record */
};

static void tell_problem(const char *where, const char *what, void *data)
{
	struct validating *v = data;

	diag(EXIT_GATE, v->file, 0, "record %u: %s: %s", v->number, where, what);
}

static void check(struct record *r, void *data)
{
	struct validating *v = data;

	v->number++;
	if (record_check(r, tell_problem, v))
		v->bad++;
	else
		v->good++;
	record_free(r);
}

static void refuse(unsigned line, const char *message, void *data)
{
	struct validating *v = data;

	v->number++;
	v->bad++;
	diag(EXIT_GATE, v->file, line, "record %u: %s", v->number, message);
}

/* The whole of standard input; NULL after a message. */
static GBytes *read_input(void)
{
	GByteArray *all = g_byte_array_new();
	guint8 block[65536];
	ssize_t n;

	while ((n = read(STDIN_FILENO, block, sizeof(block))) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			diag(EXIT_USAGE, "-", 0, "cannot be read: %s", g_strerror(errno));
			g_byte_array_unref(all);
			return NULL;
		}
		g_byte_array_append(all, block, (guint)n);
	}
	return g_byte_array_free_to_bytes(all);
}

static GBytes *read_file(const char *path)
{
	g_autoptr(GError) error = NULL;
	GMappedFile *file;
	GBytes *bytes;

	if (!strcmp(path, "-"))
		return read_input();
	file = g_mapped_file_new(path, FALSE, &error);
	if (!file) {
		diag(EXIT_USAGE, path, 0, "%s", error->message);
		return NULL;
	}
	bytes = g_mapped_file_get_bytes(file);
	g_mapped_file_unref(file);
	return bytes;
}

static void validate(struct validating *v, const char *path)
{
	g_autoptr(GBytes) bytes = read_file(path);
	size_t len = 0;
	const char *text = bytes ? g_bytes_get_data(bytes, &len) : NULL;

	v->file = path;
	v->number = 0;
	if (len)
		record_json_walk(text, len, check, refuse, v);
}

static int run(int argc, char **argv);

const struct command command_validate = { "validate", "Check records against the schema", run };

static int run(int argc, char **argv)
{
	struct common_options o;
	struct validating v = { 0 };
	gboolean quiet = FALSE;
	const GOptionEntry entries[] = {
		{ "quiet", 'q', 0, G_OPTION_ARG_NONE, &quiet, "Say nothing when all records are valid", NULL },
		{ NULL }
	};

	options_parse(&command_validate, "[FILE|-]...", description, 0, entries, &o, &argc, &argv);
	for (char **path = o.inputs; *path; path++)
		validate(&v, *path);
	if (v.good + v.bad == 0 && diag_status() == EXIT_DONE)
		diag(EXIT_NOTHING, NULL, 0, "no record in the input; rtreport parse makes them");
	else if (!quiet || v.bad)
		printf("%u valid, %u not valid\n", v.good, v.bad);
	if (v.bad && !v.good)
		diag(EXIT_GATE, NULL, 0, "no valid record in the input; rtreport parse makes records of raw output and mail");
	options_free(&o);
	return fflush(stdout) ? EXIT_USAGE : EXIT_DONE;
}
