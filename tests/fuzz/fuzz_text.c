/* Any bytes as pasted text: text layer, every parser, environment, laws, JSON and back. */
#include <stdlib.h>

#include "lib/reader.h"
#include "lib/record_json.h"
#include "tests/fuzz/fuzz.h"

static void each(struct record *r, void *data)
{
	struct json_options options = { 0 };
	char *json = record_to_json(r, &options), *error = NULL, *twice;
	struct record *again = record_from_json(json, strlen(json), &error);

	(void)data;
	/* What is written is valid, and reads back as the same. */
	if (!again || error)
		abort();
	twice = record_to_json(again, &options);
	if (strcmp(json, twice))
		abort();
	g_free(twice);
	g_free(json);
	record_free(again);
	record_free(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct reader_text part = { .text = { .bytes = (const char *)bytes, .len = len, .file = "fuzz" },
	                            .source = { .file = "fuzz" } };
	struct reader_options options = { 0 };

	reader_message(&part, 1, &options, each, NULL);
	return 0;
}
