/*
 * Inputs: what they are is found from their content; directories are walked in order; hostile mail costs bounded
 * memory and time, and what is whole beside it is still read.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <archive.h>
#include <archive_entry.h>
#include <cmocka.h>
#include <glib.h>
#include <glib/gstdio.h>

#include "lib/diag.h"
#include "lib/input.h"

#define HEAD "From: a@b.example\nTo: c@d.example\nSubject: s\nDate: Tue, 26 Nov 2013 10:21:34 +0100\n"
#define ROW(max) "T: 0 ( 1853) P:80 I:1000 C:  10000 Min:      0 Act:    1 Avg:    0 Max:     " max "\n"
#define SEPARATOR "From a@b.example Tue Nov 26 10:21:34 2013\n"

static char *directory;

static char *path_of(const char *name)
{
	return g_build_filename(directory, name, NULL);
}

static void put(const char *name, const char *bytes, gssize len)
{
	g_autofree char *path = path_of(name), *folder = g_path_get_dirname(path);

	assert_int_equal(g_mkdir_with_parents(folder, 0700), 0);
	assert_true(g_file_set_contents(path, bytes, len, NULL));
}

static void write_record(struct record *r, void *data)
{
	const struct series *s = g_ptr_array_index(r->series, 0);
	char text[NUMBER_TEXT];

	/* "244@6" is the row of maximum 244 us on line 6; with its part, where the lines are that part's. */
	g_string_append_printf(data, "%s@%u%s%s ", number_print(number_scale(s->field[FIELD_MAX], -3), text), r->source.first,
	                       r->source.part ? "/" : "", r->source.part ? r->source.part : "");
	record_free(r);
}

static void write_maximum(struct record *r, void *data)
{
	const struct series *s = g_ptr_array_index(r->series, 0);
	char text[NUMBER_TEXT];

	g_string_append_printf(data, "%s ", number_print(number_scale(s->field[FIELD_MAX], -3), text));
	record_free(r);
}

static char *reads_with(const char *name, enum quoted quoted, unsigned jobs, void (*each)(struct record *r, void *data))
{
	struct input_options options = { .quoted = quoted, .jobs = jobs };
	GString *out = g_string_new(NULL);
	struct input *in = input_new(&options, each, out);
	g_autofree char *path = path_of(name);

	input_read(in, path);
	input_finish(in);
	if (out->len)
		g_string_truncate(out, out->len - 1);
	return g_string_free(out, FALSE);
}

/* What reading the file gives. */
static char *reads(const char *name, enum quoted quoted, unsigned jobs)
{
	return reads_with(name, quoted, jobs, write_record);
}

static void gives(const char *name, const char *want)
{
	g_autofree char *got = reads(name, QUOTED_FOLD, 1);

	if (strcmp(got, want))
		fail_msg("%s: \"%s\" instead of \"%s\"", name, got, want);
}

static int make_directory(void **state)
{
	(void)state;
	directory = g_dir_make_tmp("rtreport-test-XXXXXX", NULL);
	return directory ? 0 : -1;
}

static int remove_directory(void **state)
{
	g_autofree char *command = g_strdup_printf("rm -rf '%s'", directory);

	(void)state;
	g_free(directory);
	return system(command);
}

/* --- what it is --- */

/* Packs bytes with libarchive: a filter and a format by their names. */
static void pack(const char *name, const char *filter, const char *format, const char *const *files)
{
	g_autofree char *path = path_of(name);
	struct archive *a = archive_write_new();

	if ((filter && archive_write_add_filter_by_name(a, filter)) || archive_write_set_format_by_name(a, format) || archive_write_open_filename(a, path))
		fail_msg("%s, %s: %s", filter ? filter : "-", format, archive_error_string(a));
	for (; *files; files += 2) {
		struct archive_entry *e = archive_entry_new();

		archive_entry_set_pathname(e, files[0]);
		archive_entry_set_filetype(e, AE_IFREG);
		archive_entry_set_perm(e, 0600);
		archive_entry_set_size(e, (la_int64_t)strlen(files[1]));
		if (archive_write_header(a, e) != ARCHIVE_OK)
			fail_msg("%s, %s: %s", filter ? filter : "-", format, archive_error_string(a));
		assert_int_equal(archive_write_data(a, files[1], strlen(files[1])), (la_ssize_t)strlen(files[1]));
		archive_entry_free(e);
	}
	assert_int_equal(archive_write_close(a), ARCHIVE_OK);
	archive_write_free(a);
}

static void finds_out_what_it_is(void **state)
{
	static const struct { const char *name, *text, *want; } files[] = {
		{ "text", "hello\n" ROW("1"), "1@2" },
		{ "mail", HEAD "\n" ROW("2"), "2@6" },
		{ "mbox", SEPARATOR HEAD "\n" ROW("3") "\n" SEPARATOR HEAD "Message-ID: <2@x>\n\n" ROW("4"), "3@7 4@16" },
		{ "html", "<html><body><pre>\n" ROW("5") "</pre>", "5@1/text of the page" },
		{ "digest", "Topics\n\n----------------------------------------------------------------------\n\nMessage: 1\n" HEAD "\n" ROW("6"), "6@11" },
		{ "empty", "", "" },
		{ "nothing", "no result\n", "" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
		put(files[i].name, files[i].text, -1);
		gives(files[i].name, files[i].want);
	}
}

static void opens_archives(void **state)
{
	static const char *const filters[] = { "gzip", "bzip2", "xz", "zstd", "lz4", "compress" };
	static const char *const one[] = { "a.txt", "hello\n" ROW("1"), NULL };
	static const char *const two[] = { "a.eml", HEAD "\n" ROW("1"), "b/c.mbox", SEPARATOR HEAD "Message-ID: <2@x>\n\n" ROW("2"), NULL };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(filters); i++) {
		pack("packed", filters[i], "raw", one);
		gives("packed", "1@2/unpacked");
		pack("packed", filters[i], "ustar", two);
		gives("packed", "1@6/a.eml 2@8/b/c.mbox");
	}
	pack("packed", NULL, "ustar", two);
	gives("packed", "1@6/a.eml 2@8/b/c.mbox");
	pack("packed", NULL, "zip", two);
	gives("packed", "1@6/a.eml 2@8/b/c.mbox");
}

static void walks_directories(void **state)
{
	(void)state;
	put("walk/b.txt", ROW("2"), -1);
	put("walk/a.txt", ROW("1"), -1);
	put("walk/.hidden", ROW("9"), -1);
	put("walk/box/cur/1:2,S", HEAD "Message-ID: <3@x>\n\n" ROW("3"), -1);
	put("walk/box/new/2", HEAD "Message-ID: <4@x>\n\n" ROW("4"), -1);
	put("walk/box/tmp/3", HEAD "Message-ID: <9@x>\n\n" ROW("9"), -1);
	put("walk/box/.Sent/cur/1", HEAD "Message-ID: <5@x>\n\n" ROW("5"), -1);
	put("walk/c.bin", "\0\1\2\3T: 0\0\0\0", 12);
	gives("walk", "1@1 2@1 5@7 3@7 4@7");
}

static void says_what_cannot_be_read(void **state)
{
	struct input_options options = { 0 };
	GString *out = g_string_new(NULL);
	struct input *in = input_new(&options, write_record, out);
	g_autofree char *missing = path_of("no-such-file"), *there = path_of("there");

	(void)state;
	put("there", ROW("1"), -1);
	assert_false(input_read(in, missing));
	assert_true(input_read(in, there));
	assert_int_equal(input_finish(in), 1);
	assert_int_equal(diag_status(), EXIT_USAGE);
	g_string_free(out, TRUE);
}

static void treats_quotes_as_asked(void **state)
{
	static const char text[] = SEPARATOR HEAD "Message-ID: <1@x>\n\n" ROW("1") "\n" SEPARATOR HEAD
		"Message-ID: <2@x>\nIn-Reply-To: <1@x>\n\na wrote:\n> " ROW("1");
	g_autofree char *fold = NULL, *all = NULL, *skip = NULL;

	(void)state;
	put("quotes", text, sizeof text - 1);
	fold = reads("quotes", QUOTED_FOLD, 1);
	all = reads("quotes", QUOTED_ALL, 1);
	skip = reads("quotes", QUOTED_SKIP, 1);
	assert_string_equal(all, "1@8 1@19");
	assert_string_equal(fold, "1@8");
	assert_string_equal(skip, "1@8");
}

/* Threads and units change nothing, lines included. */
static void reads_alike_with_threads(void **state)
{
	GString *text = g_string_new(NULL);
	g_autofree char *one = NULL, *two = NULL, *five = NULL;

	(void)state;
	for (unsigned i = 0; i < 1500; i++) {
		g_string_append_printf(text, SEPARATOR HEAD "Message-ID: <%u@x>\n\n", i);
		for (unsigned k = 0; k < 60; k++)
			g_string_append_printf(text, "line %u of some words that are no result, only to fill the mailbox\n", k);
		if (i % 35 == 0)
			g_string_append_printf(text, "T: 0 ( 1853) P:80 I:1000 C:  10000 Min:     36 Act:  156 Avg:  154 Max:  %u\n", 1000 + i);
		g_string_append_c(text, '\n');
	}
	put("large", text->str, (gssize)text->len);
	g_string_free(text, TRUE);
	one = reads("large", QUOTED_FOLD, 1);
	two = reads("large", QUOTED_FOLD, 2);
	five = reads("large", QUOTED_FOLD, 5);
	assert_true(g_str_has_prefix(one, "1000@68 1035@2449 "));
	assert_string_equal(one, two);
	assert_string_equal(one, five);
}

/* --- hostile mail --- */

/* text repeated n times. */
static void repeat(GString *s, const char *text, unsigned n)
{
	while (n--)
		g_string_append(s, text);
}

/* Writes the hostile message between two good ones; both must be read. */
static void among_good_ones(const char *name, const GString *hostile, const char *inside)
{
	GString *box = g_string_new(SEPARATOR HEAD "Message-ID: <first@x>\n\n" ROW("1001") "\n" SEPARATOR);
	g_autofree char *got = NULL, *want = NULL;

	g_string_append_len(box, hostile->str, (gssize)hostile->len);
	g_string_append(box, "\n\n" SEPARATOR HEAD "Message-ID: <last@x>\n\n" ROW("1002"));
	put("hostile", box->str, (gssize)box->len);
	g_string_free(box, TRUE);
	got = reads_with("hostile", QUOTED_FOLD, 1, write_maximum);
	want = g_strdup_printf("1001 %s1002", inside);
	if (strcmp(got, want))
		fail_msg("%s: \"%s\" instead of \"%s\"", name, got, want);
}

static void stands_nested_multiparts(void **state)
{
	g_autoptr(GString) s = g_string_new(HEAD);

	(void)state;
	for (unsigned i = 0; i < 10000; i++)
		g_string_append_printf(s, "Content-Type: multipart/mixed; boundary=\"b%u\"\n\n--b%u\n", i, i);
	g_string_append(s, "\n" ROW("5"));
	among_good_ones("nested multiparts", s, "");
}

static void stands_nested_messages(void **state)
{
	g_autoptr(GString) s = g_string_new(NULL);

	(void)state;
	repeat(s, HEAD "Content-Type: message/rfc822\n\n", 10000);
	g_string_append(s, ROW("5"));
	among_good_ones("nested messages", s, "");
}

static void stands_a_boundary_per_line(void **state)
{
	g_autoptr(GString) s = g_string_new(HEAD "Content-Type: multipart/mixed; boundary=x\n\n");

	(void)state;
	repeat(s, "--x\n", 200000);
	g_string_append(s, "\n" ROW("5") "--x--\n");
	among_good_ones("boundaries", s, "");
}

static void stands_many_parts(void **state)
{
	g_autoptr(GString) s = g_string_new(HEAD "Content-Type: multipart/mixed; boundary=x\n\n--x\n\n" ROW("5"));

	(void)state;
	repeat(s, "--x\nContent-Type: text/plain\n\nfoo\n", 60000);
	among_good_ones("parts", s, "5 ");
}

static void stands_huge_lines(void **state)
{
	g_autoptr(GString) s = g_string_new(HEAD "\n"), quotes = g_string_new(HEAD "\n");

	(void)state;
	repeat(s, "0123456789", 1000000);
	g_string_append(s, "\n" ROW("5"));
	among_good_ones("a huge line", s, "5 ");
	repeat(quotes, ">>>>>>>>>>", 500000);
	g_string_append(quotes, "\n" ROW("5"));
	among_good_ones("a huge quote", quotes, "5 ");
}

static void stands_cut_base64(void **state)
{
	static const char text[] = ROW("5") "some more words that are lost in part";
	g_autofree char *coded = g_base64_encode((const guchar *)text, strlen(text));
	g_autoptr(GString) s = g_string_new(HEAD "Content-Transfer-Encoding: base64\n\n");

	(void)state;
	g_string_append_len(s, coded, (gssize)strlen(coded) - 15);
	among_good_ones("cut base64", s, "5 ");
}

static void stands_charsets(void **state)
{
	static const char *const names[] = { "utf-7", "utf-16", "utf-32", "iso-2022-jp", "iso-2022-cn-ext", "hz-gb-2312", "ebcdic-us",
	                                     "x-nope", "../../x", "UTF-8//IGNORE", "", "\"" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autoptr(GString) s = g_string_new(HEAD);

		g_string_append_printf(s, "Content-Type: text/plain; charset=\"%s\"\n\n", names[i]);
		for (unsigned k = 0; k < 100000; k++)
			g_string_append_c(s, (char)(k * 7919 >> 3 | 1));
		among_good_ones(names[i], s, "");
	}
}

static void stands_header_floods(void **state)
{
	g_autoptr(GString) many = g_string_new(HEAD), folded = g_string_new(HEAD "X: "), ids = g_string_new(HEAD "References:");
	g_autoptr(GString) words = g_string_new("Date: x\nFrom: a@b\nSubject: ");

	(void)state;
	repeat(many, "X-Flood: y\n", 200000);
	g_string_append(many, "\n" ROW("5"));
	among_good_ones("many fields", many, "5 ");
	repeat(folded, "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\n ", 100000);
	g_string_append(folded, "z\n\n" ROW("5"));
	among_good_ones("a long field", folded, "5 ");
	repeat(ids, " <a@b>\n", 100000);
	g_string_append(ids, "\n" ROW("5"));
	among_good_ones("many references", ids, "5 ");
	repeat(words, "=?utf-8?q?a?=\n ", 50000);
	g_string_append(words, "x\n\n" ROW("5"));
	among_good_ones("encoded words", words, "5 ");
}

static void stands_nuls(void **state)
{
	g_autoptr(GString) s = g_string_new(HEAD "\n");

	(void)state;
	for (unsigned i = 0; i < 300000; i++)
		g_string_append_c(s, 0);
	g_string_append(s, "\n" ROW("5"));
	among_good_ones("NULs", s, "5 ");
}

static void stands_html(void **state)
{
	static const char *const tags[] = { "<div>", "<table><tr><td>", "<blockquote type=cite>", "<td>1", "&amp;", "<!--", "<a <a ", "<p><b><i>" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(tags); i++) {
		g_autoptr(GString) s = g_string_new("<html><body><pre>\n" ROW("5") "</pre>");
		g_autofree char *got = NULL;

		repeat(s, tags[i], 100000);
		put("page", s->str, (gssize)s->len);
		got = reads("page", QUOTED_FOLD, 1);
		if (!g_str_has_prefix(got, "5@1/"))
			fail_msg("%s: \"%s\"", tags[i], got);
	}
}

static void stands_bombs(void **state)
{
	char *zeros = g_malloc(1 << 20);
	g_autofree char *path = path_of("bomb");
	struct archive *a = archive_write_new();
	struct archive_entry *e = archive_entry_new();

	(void)state;
	memset(zeros, 'a', 1 << 20);
	memset(zeros + (1 << 20) - 1, '\n', 1);
	archive_write_add_filter_gzip(a);
	archive_write_set_format_raw(a);
	assert_int_equal(archive_write_open_filename(a, path), ARCHIVE_OK);
	archive_entry_set_filetype(e, AE_IFREG);
	archive_write_header(a, e);
	for (unsigned i = 0; i < 120; i++)
		archive_write_data(a, zeros, 1 << 20);
	archive_write_close(a);
	archive_write_free(a);
	archive_entry_free(e);
	g_free(zeros);
	gives("bomb", "");
	assert_int_equal(diag_status(), EXIT_USAGE);
}

static void stands_texts(void **state)
{
	static const char *const lines[] = { "On Mon, a wrote:\n", "From: a\nTo: b\n", "x\n\nFrom: a@b\nSent: x\nTo: b\nSubject: c\n\n",
	                                     "------------------------------\n\n", ">From \n", "-----Original Message-----\n" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(lines); i++) {
		g_autoptr(GString) s = g_string_new(ROW("5"));
		g_autofree char *got = NULL;

		repeat(s, lines[i], 5000);
		put("text", s->str, (gssize)s->len);
		got = reads("text", QUOTED_FOLD, 1);
		assert_string_equal(got, "5@1");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_out_what_it_is),
		cmocka_unit_test(opens_archives),
		cmocka_unit_test(walks_directories),
		cmocka_unit_test(treats_quotes_as_asked),
		cmocka_unit_test(reads_alike_with_threads),
		cmocka_unit_test(stands_nested_multiparts),
		cmocka_unit_test(stands_nested_messages),
		cmocka_unit_test(stands_a_boundary_per_line),
		cmocka_unit_test(stands_many_parts),
		cmocka_unit_test(stands_huge_lines),
		cmocka_unit_test(stands_cut_base64),
		cmocka_unit_test(stands_charsets),
		cmocka_unit_test(stands_header_floods),
		cmocka_unit_test(stands_nuls),
		cmocka_unit_test(stands_html),
		cmocka_unit_test(stands_texts),
		cmocka_unit_test(stands_bombs),
		cmocka_unit_test(says_what_cannot_be_read),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
