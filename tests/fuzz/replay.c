/*
 * Runs a fuzz target over files, as they are and with a few hundred deterministic mutations each, and reports in TAP. What
 * breaks is the sanitizer's or the target's to tell: this program then ends by a signal.
 */
#include <stdio.h>
#include <stdlib.h>
#include <glib.h>

#include "tests/fuzz/fuzz.h"

#define MUTATIONS 40
#define MAX_MUTATED 65536u      /* larger files are run as they are only */

static void mutate(GByteArray *b, GRand *rand)
{
	static const char *const bits[] = { "\n", "> ", "|", "RTD|", "T: 0 (", "=0A", "=\n", "\r", "\033[4A", "99999999999999999999",
	                                    "-", "  ", "\t", "From ", "Content-Type: ", "--", "<table>", "{", "\"", "\200", "e9" };
	int edits = g_rand_int_range(rand, 1, 6);

	while (edits-- && b->len) {
		guint at = (guint)g_rand_int_range(rand, 0, (gint32)b->len);
		guint n = (guint)g_rand_int_range(rand, 1, 40);
		const char *bit = bits[g_rand_int_range(rand, 0, G_N_ELEMENTS(bits))];
		g_autofree guint8 *tail = NULL;

		switch (g_rand_int_range(rand, 0, 4)) {
		case 0:
			b->data[at] = (guint8)g_rand_int_range(rand, 0, 256);
			break;
		case 1:
			g_byte_array_remove_range(b, at, MIN(n, b->len - at));
			break;
		case 2:
			tail = g_memdup2(b->data + at, b->len - at);
			n = b->len - at;
			g_byte_array_set_size(b, at);
			g_byte_array_append(b, (const guint8 *)bit, (guint)strlen(bit));
			g_byte_array_append(b, tail, n);
			break;
		default:
			n = MIN(n, b->len - at);
			tail = g_memdup2(b->data + at, n);
			g_byte_array_append(b, tail, n);
		}
	}
}

static void run_file(const char *path, GRand *rand)
{
	char *bytes;
	gsize len;

	if (!g_file_get_contents(path, &bytes, &len, NULL))
		exit(2);
	LLVMFuzzerTestOneInput((const uint8_t *)bytes, len);
	for (int i = 0; i < MUTATIONS && len <= MAX_MUTATED; i++) {
		GByteArray *b = g_byte_array_new();

		g_byte_array_append(b, (const guint8 *)bytes, (guint)len);
		mutate(b, rand);
		LLVMFuzzerTestOneInput(b->data, b->len);
		g_byte_array_free(b, TRUE);
	}
	g_free(bytes);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		GRand *rand = g_rand_new_with_seed((guint32)i);

		run_file(argv[i], rand);
		g_rand_free(rand);
		printf("ok %d - %s\n", i, argv[i]);
		fflush(stdout);
	}
	printf("1..%d\n", argc - 1);
	return 0;
}
