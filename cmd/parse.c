/* rtreport parse: records as JSON Lines, or as one indented array. */
#include <stdlib.h>
#include <string.h>

#include "cmd/views.h"
#include "lib/record_json.h"

struct writing {
	FILE *out;
	struct json_options json;
	bool any;
};

static const char description[] =
	"Writes a record a line (JSON Lines): every value exactly as it was printed, or null with a\n"
	"flag that says why; times in ns; the file, message and lines it came from. The input may be raw\n"
	"output, mail, an archive, or records again.\n\n"
	"Examples:\n"
	"  cyclictest -q -l 100000 | rtreport parse\n"
	"  rtreport parse --pretty result.txt\n"
	"  rtreport parse --progress -o all.jsonl 2006-January.txt.gz\n"
	"  rtreport parse --set board=\"BeagleBone Black\" --set load=idle run.log\n"
	"  rtreport parse --where 'tool=cyclictest max>100us' archive.mbox\n"
	"  rtreport parse archive.mbox | jq -r 'select(.tool==\"cyclictest\") | .series[].max'\n";

static void write_record(struct record *r, void *data)
{
	struct writing *w = data;
	char *text = record_to_json(r, &w->json);

	if (w->json.pretty)
		fputs(w->any ? ",\n" : "[\n", w->out);
	fputs(text, w->out);
	if (!w->json.pretty)
		putc('\n', w->out);
	w->any = true;
	g_free(text);
	record_free(r);
}

void view_parse(struct common_options *o, bool pretty, FILE *out)
{
	struct writing w = { .out = out, .json = { .pretty = pretty, .no_samples = o->samples && !strcmp(o->samples, "no") } };

	options_read(o, write_record, &w);
	if (pretty)
		fputs(w.any ? "\n]\n" : "[]\n", out);
}

static int run(int argc, char **argv);

const struct command command_parse = { "parse", "Normalize results into records (JSON Lines)", run };

static int run(int argc, char **argv)
{
	struct common_options o;
	struct output *out;
	FILE *stream;
	gboolean pretty = FALSE;
	char *path = NULL;
	const GOptionEntry entries[] = {
		{ "pretty", 0, 0, G_OPTION_ARG_NONE, &pretty, "Write one indented JSON array", NULL },
		{ "output", 'o', 0, G_OPTION_ARG_FILENAME, &path, "Write to FILE", "FILE" },
		{ NULL }
	};

	options_parse(&command_parse, "[FILE|DIRECTORY|-]...", description, COMMON_INPUT | COMMON_WHERE, entries, &o, &argc, &argv);
	out = output_open(path, &stream);
	if (out) {
		view_parse(&o, pretty, stream);
		output_close(out);
	}
	g_free(path);
	options_free(&o);
	return EXIT_DONE;
}
