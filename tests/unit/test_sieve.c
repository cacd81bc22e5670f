/*
 * The sieve must never lose a result. Pieces of every text of the corpus, of one line up to all of it, are read as messages
 * without the sieve; each that gives a record must pass it, plain and in both transfer encodings.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include <glib.h>

#include "lib/mail.h"
#include "lib/reader.h"
#include "lib/sieve.h"

#define HEAD "From: a@b.example\nSubject: s\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: "
#define MAX_TEXT (1u << 20)
#define MAX_LOST 40u            /* told in full */

enum encoding { ENCODED_NOT, ENCODED_QUOTED, ENCODED_BASE64 };

struct tally { unsigned pieces, with_records, lost; };

static void count_record(struct record *r, void *data)
{
	++*(unsigned *)data;
	record_free(r);
}

static void read_post(struct post *p, void *data)
{
	struct reader_options options = { 0 };

	for (int list = 0; list < 2; list++) {
		const GArray *texts = list ? p->spare : p->texts;

		if (texts->len)
			reader_message((const struct reader_text *)texts->data, texts->len, &options, count_record, data);
	}
	post_free(p);
}

static unsigned records_in(const char *message, size_t len)
{
	static const struct mail_place place = { "f", NULL, 1, 0 };
	unsigned n = 0;

	mail_read(message, len, &place, read_post, &n);
	return n;
}

/* As an encoder does that writes 40 bytes a line, so that words are cut everywhere. */
static void append_quoted(GString *out, const char *text, size_t len)
{
	unsigned column = 0;

	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c == '\n') {
			g_string_append_c(out, '\n');
			column = 0;
			continue;
		}
		if (column++ == 40) {
			g_string_append(out, "=\n");
			column = 1;
		}
		if (c == '=' || c >= 0x7f || c < ' ' || (c == ' ' && (i + 1 == len || text[i + 1] == '\n')))
			g_string_append_printf(out, "=%02X", c);
		else
			g_string_append_c(out, (char)c);
	}
}

static GString *message_of(const char *text, size_t len, enum encoding encoding)
{
	static const char *const names[] = { "8bit\n\n", "quoted-printable\n\n", "base64\n\n" };
	GString *out = g_string_new(HEAD);

	g_string_append(out, names[encoding]);
	if (encoding == ENCODED_QUOTED) {
		append_quoted(out, text, len);
	} else if (encoding == ENCODED_BASE64) {
		g_autofree char *encoded = g_base64_encode((const guchar *)text, len);

		for (size_t i = 0, n = strlen(encoded); i < n; i += 76)
			g_string_append_printf(out, "%.*s\n", (int)MIN(76, n - i), encoded + i);
	} else {
		g_string_append_len(out, text, (gssize)len);
	}
	return out;
}

/* One piece: a message that gives records must pass. */
static void try_piece(const struct sieve *s, const char *name, const char *text, size_t len, struct tally *t)
{
	g_autoptr(GString) plain = message_of(text, len, ENCODED_NOT);

	t->pieces++;
	if (!records_in(plain->str, plain->len))
		return;
	t->with_records++;
	for (int e = ENCODED_NOT; e <= ENCODED_BASE64; e++) {
		g_autoptr(GString) message = message_of(text, len, (enum encoding)e);

		if (sieve_message(s, message->str, message->len))
			continue;
		if (t->lost++ < MAX_LOST)
			print_error("%s, encoding %d, is lost:\n%.*s\n", name, e, (int)MIN(len, 2000), text);
		break;
	}
}

/* All pieces of 1, 2, 4, ... lines that begin where the one before is half over. */
static void try_text(const struct sieve *s, const char *name, const char *text, size_t len, struct tally *t)
{
	g_autoptr(GArray) line = g_array_new(FALSE, FALSE, sizeof(size_t));
	size_t at = 0;

	while (at < len) {
		const char *eol = memchr(text + at, '\n', len - at);

		g_array_append_val(line, at);
		at = eol ? (size_t)(eol + 1 - text) : len;
	}
	g_array_append_val(line, len);
	for (guint lines = 1; lines < 2 * line->len; lines *= 2) {
		for (guint i = 0; i + 1 < line->len; i += MAX(lines / 2, 1)) {
			size_t from = g_array_index(line, size_t, i),
			       to = g_array_index(line, size_t, MIN(i + lines, line->len - 1));

			try_piece(s, name, text + from, to - from, t);
		}
	}
}

static void try_tree(const struct sieve *s, const char *path, struct tally *t)
{
	static const char *const endings[] = { ".txt", ".eml", ".mbox", ".md", ".log" };
	GDir *dir = g_dir_open(path, 0, NULL);
	const char *name;

	for (; dir && (name = g_dir_read_name(dir));) {
		g_autofree char *inner = g_build_filename(path, name, NULL), *text = NULL;
		gsize len;
		bool fits = false;

		if (g_file_test(inner, G_FILE_TEST_IS_DIR))
			try_tree(s, inner, t);
		for (size_t i = 0; i < G_N_ELEMENTS(endings); i++)
			fits = fits || g_str_has_suffix(name, endings[i]);
		if (fits && g_file_get_contents(inner, &text, &len, NULL))
			try_text(s, inner, text, MIN(len, MAX_TEXT), t);
	}
	if (dir)
		g_dir_close(dir);
}

/* RTREPORT_SIEVE_TEXTS names another directory of texts to try. */
static void loses_no_result(void **state)
{
	const char *path = g_getenv("RTREPORT_SIEVE_TEXTS");
	struct sieve *s = sieve_new(NULL);
	struct tally t = { 0 };

	(void)state;
	try_tree(s, path ? path : "corpus", &t);
	sieve_free(s);
	print_message("%u pieces, %u with records, %u lost\n", t.pieces, t.with_records, t.lost);
	assert_true(t.with_records > 0);
	assert_int_equal(t.lost, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loses_no_result),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
