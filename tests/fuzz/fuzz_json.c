/* Any bytes as a record. */
#include <stdlib.h>

#include "lib/record_json.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct json_options options = { 0 };
	char *error = NULL;
	struct record *r = record_from_json((const char *)bytes, len, &error);

	/* Either a record or a message. */
	if (!r == !error)
		abort();
	if (r)
		g_free(record_to_json(r, &options));
	g_free(error);
	record_free(r);
	return 0;
}
