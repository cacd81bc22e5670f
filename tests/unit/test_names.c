/* Known names: the data file's format, and where a name counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include <glib.h>

#include "lib/names.h"

static const char *without_case_mark(const char *name)
{
	return name + (*name == '=');
}

static int row_order(const struct name_row *a, const struct name_row *b)
{
	int kind = strcmp(a->kind, b->kind);

	return kind ? kind
	            : g_ascii_strcasecmp(without_case_mark(a->name), without_case_mark(b->name));
}

/* The promises at the head of lib/names.tsv. */
static void test_data(void **state)
{
	g_autoptr(GHashTable) aliases =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	unsigned rows = 0;

	(void)state;
	for (const struct name_row *r = name_rows; r->kind; r++, rows++) {
		g_auto(GStrv) list = g_strsplit(r->aliases, "|", -1);

		assert_true(name_kind_parse(r->kind) != 0);
		assert_true(g_ascii_isalnum(*without_case_mark(r->name)));
		assert_true(!g_ascii_isspace(r->name[0]) && !g_ascii_isspace(r->name[strlen(r->name) - 1]));
		if (r[1].kind && row_order(r, r + 1) >= 0)
			fail_msg("%s %s does not come before %s %s", r->kind, r->name, r[1].kind,
			         r[1].name);
		for (guint i = 0; list[i]; i++) {
			g_autofree char *key = g_strdup_printf("%s %s", r->kind, list[i]);

			if (!g_ascii_isalnum(*without_case_mark(list[i])))
				fail_msg("%s: alias \"%s\" begins with no letter or digit", r->name,
				         list[i]);
			if (strcmp(list[i], r->name) &&
			    !g_hash_table_add(aliases, g_ascii_strdown(key, -1)))
				fail_msg("%s: alias \"%s\" stands for two names", r->name, list[i]);
		}
	}
	assert_true(rows > 200);
}

/* Every name and alias without wildcards finds its own row. */
static void test_every_alias_is_found(void **state)
{
	(void)state;
	for (const struct name_row *r = name_rows; r->kind; r++) {
		g_autofree char *all =
			g_strconcat(r->name, *r->aliases ? "|" : "", r->aliases, NULL);
		g_auto(GStrv) list = g_strsplit(all, "|", -1);

		for (guint i = 0; list[i]; i++) {
			g_autofree char *text = g_strdup_printf("(%s)", without_case_mark(list[i]));
			struct name_match m;

			if (strpbrk(list[i], "#*"))
				continue;
			if (!names_find(text, strlen(text), 0, (unsigned)name_kind_parse(r->kind),
			                &m))
				fail_msg("\"%s\" is not found", list[i]);
			if (strcmp(m.name, without_case_mark(r->name)))
				fail_msg("\"%s\" is %s instead of %s", list[i], m.name, r->name);
		}
	}
}

static void test_find(void **state)
{
	static const struct { const char *text, *name, *found; unsigned kinds;
	} rows[] = {
		{ "measured on a Raspberry Pi 4 Model B", "Raspberry Pi 4",
		  "Raspberry Pi 4 Model B", NAME_BOARD },
		{ "rpi4 / 5.10-rt17", "Raspberry Pi 4", "rpi4", NAME_BOARD },
		{ "HW: TI OMAP3530 CM_T35 board", "CM-T35", "TI OMAP3530 CM_T35", NAME_BOARD },
		{ "a OMAP3530 target", "TI OMAP3", "OMAP3530", NAME_ANY },
		{ "pentium4 3.06", "Pentium 4", "pentium4", NAME_CPU },
		{ "Intel(R) Core(TM) i7-3770 CPU", "Intel Core i7", "Intel(R) Core(TM) i7-3770",
		  NAME_CPU },
		{ "i7-4790 box", "Intel Core i7", "i7-4790", NAME_CPU },
		{ "an i.MX6 quad", "i.MX6", "i.MX6 quad", NAME_SOC },
		{ "on the BBB", "BeagleBone Black", "BBB", NAME_BOARD },
		{ "stress-ng --cpu 4", "stress-ng", "stress-ng", NAME_LOAD },
		{ "FC3", "Fedora", "FC3", NAME_DISTRIBUTION },
		/* Not names: hosts, paths, parts of words, the wrong letter case. */
		{ "root@beaglebone:~# ls", NULL, NULL, NAME_ANY },
		{ "root@chip:~# ls", NULL, NULL, NAME_ANY },
		{ "chip select", NULL, NULL, NAME_ANY },
		{ "the bbb file", NULL, NULL, NAME_ANY },
		{ "PREFERRED_PROVIDER = linux-xenomai-bbb", NULL, NULL, NAME_ANY },
		{ "/usr/share/hackbench.txt", NULL, NULL, NAME_ANY },
		{ "P45 chipset", NULL, NULL, NAME_ANY },
		{ "a distressed user", NULL, NULL, NAME_ANY },
		{ "", NULL, NULL, NAME_ANY },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct name_match m;
		bool found = names_find(rows[i].text, strlen(rows[i].text), 0, rows[i].kinds, &m);

		if (found != (rows[i].name != NULL))
			fail_msg("\"%s\": %s", rows[i].text, found ? m.name : "nothing found");
		if (!found)
			continue;
		assert_string_equal(m.name, rows[i].name);
		assert_int_equal(m.len, strlen(rows[i].found));
		assert_memory_equal(m.p, rows[i].found, m.len);
	}
}

static void test_canonical(void **state)
{
	static const struct { const char *a, *b; bool same; } rows[] = {
		{ "OMAP3530 CM_T35", "TI OMAP3530 CM_T35 board", true },
		{ "BeagleBone Black", "Beaglebone black, rev C", true },
		{ "Motorola MPC5200 (IceCube)", "Freescale MPC5200 (IceCube)", true },
		{ "Raspberry Pi 3", "Raspberry Pi 4", false },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		const char *a = names_canonical(NAME_BOARD, rows[i].a),
			   *b = names_canonical(NAME_BOARD, rows[i].b);

		assert_non_null(a);
		assert_non_null(b);
		assert_true((strcmp(a, b) == 0) == rows[i].same);
	}
	assert_null(names_canonical(NAME_BOARD, "a board of our own"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_data),
		cmocka_unit_test(test_every_alias_is_found),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_canonical),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
