/* rtreport formats: what can be read and written, from the tables themselves. */
#include <string.h>
#include <cjson/cJSON.h>

#include "cmd/command.h"
#include "lib/renderer.h"

static const char description[] =
	"Formats that are read are named by --from, those that are written by --to.\n\n"
	"Examples:\n"
	"  rtreport formats\n"
	"  rtreport formats --json | jq -r '.read[].name'\n";

static const char *nonnull(const char *text)
{
	return text ? text : "";
}

static void print_field(const char *name, const char *text)
{
	if (text && *text)
		printf("    %-9s %s\n", name, text);
}

static void print_parser(const struct parser *p)
{
	g_autofree char *tools = p->tools ? g_strjoinv(", ", (char **)p->tools) : NULL;

	printf("  %s: %s\n", p->name, nonnull(p->summary));
	print_field("tools", tools);
	print_field("versions", p->versions);
	print_field("sample", p->sample);
}

static void print_text(void)
{
	size_t name = 0, suffix = 0;

	puts("Read (--from):");
	for (size_t i = 0; parsers[i]; i++)
		print_parser(parsers[i]);
	for (size_t i = 0; renderers[i]; i++) {
		name = MAX(name, strlen(renderers[i]->name));
		suffix = MAX(suffix, strlen(nonnull(renderers[i]->suffix)));
	}
	puts("\nWritten (--to, or by the suffix of -o FILE):");
	for (size_t i = 0; renderers[i]; i++)
		printf("  %-*s  %-*s  %s\n", (int)name, renderers[i]->name, (int)suffix,
		       nonnull(renderers[i]->suffix), nonnull(renderers[i]->summary));
}

static void add_text(cJSON *object, const char *key, const char *text)
{
	if (text)
		cJSON_AddStringToObject(object, key, text);
}

static cJSON *parser_item(const struct parser *p)
{
	cJSON *item = cJSON_CreateObject(), *tools = cJSON_AddArrayToObject(item, "tools");

	add_text(item, "name", p->name);
	add_text(item, "summary", p->summary);
	add_text(item, "versions", p->versions);
	add_text(item, "sample", p->sample);
	for (const char *const *t = p->tools; t && *t; t++)
		cJSON_AddItemToArray(tools, cJSON_CreateString(*t));
	return item;
}

static cJSON *renderer_item(const struct renderer *r)
{
	cJSON *item = cJSON_CreateObject();

	add_text(item, "name", r->name);
	add_text(item, "suffix", r->suffix);
	add_text(item, "summary", r->summary);
	cJSON_AddBoolToObject(item, "binary", r->binary);
	return item;
}

static void print_json(void)
{
	cJSON *root = cJSON_CreateObject();
	cJSON *read = cJSON_AddArrayToObject(root, "read"), *written = cJSON_AddArrayToObject(root, "write");
	char *text;

	for (size_t i = 0; parsers[i]; i++)
		cJSON_AddItemToArray(read, parser_item(parsers[i]));
	for (size_t i = 0; renderers[i]; i++)
		cJSON_AddItemToArray(written, renderer_item(renderers[i]));
	text = cJSON_Print(root);
	puts(text);
	cJSON_free(text);
	cJSON_Delete(root);
}

/* Names alone, a line each, for the shells' completions. */
static void print_names(bool written)
{
	for (size_t i = 0; !written && parsers[i]; i++)
		puts(parsers[i]->name);
	for (size_t i = 0; written && renderers[i]; i++)
		puts(renderers[i]->name);
}

static int run(int argc, char **argv);

const struct command command_formats = { "formats", "List what can be read and written", run };

static int run(int argc, char **argv)
{
	struct common_options o;
	gboolean json = FALSE, read = FALSE, written = FALSE;
	FILE *stream;
	const GOptionEntry entries[] = {
		{ "json", 0, 0, G_OPTION_ARG_NONE, &json, "As JSON", NULL },
		{ "read", 0, 0, G_OPTION_ARG_NONE, &read, "Only the names of what is read, a line each", NULL },
		{ "written", 0, 0, G_OPTION_ARG_NONE, &written, "Only the names of what is written, a line each", NULL },
		{ NULL }
	};

	options_parse(&command_formats, NULL, description, 0, entries, &o, &argc, &argv);
	if (o.inputs[0] && strcmp(o.inputs[0], "-")) {
		diag(EXIT_USAGE, NULL, 0, "formats reads nothing, but here stands '%s'; rtreport %s shows its results", o.inputs[0],
		     o.inputs[0]);
		options_free(&o);
		return EXIT_USAGE;
	}
	if (read || written)
		print_names(written);
	else if (json)
		print_json();
	else
		print_text();
	options_free(&o);
	return output_close(output_open(NULL, &stream)) ? EXIT_USAGE : EXIT_DONE;
}
