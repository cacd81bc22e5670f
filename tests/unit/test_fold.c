/* Folding: who is counted into whom, in whatever order they come, from memory and from the spool. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include <glib.h>

#include "lib/fold.h"
#include "lib/record_json.h"

/*
 * A sighting in few words: id of the message, poster, quote depth, ids it answers, part, and the rows "min avg max".
 * by: who posted the message, when from is whom it quotes.
 */
struct sighting { const char *id, *from, *by; unsigned depth; const char *references; unsigned message, part; const char *rows; };

struct story { const char *name; struct sighting s[6]; const char *want; };

#define ROWS "1 20 300;2 21 310;3 22 320;4 23 330"

static const struct story stories[] = {
	{ "quoted in a reply", { { "1", "A", NULL, 0, NULL, 1, 1, ROWS }, { "2", "A", "B", 1, "1", 2, 1, ROWS } }, "1+1 " },
	{ "quoted before it comes", { { "2", "A", "B", 1, "1", 1, 1, ROWS }, { "1", "A", NULL, 0, NULL, 2, 1, ROWS } }, "1+1 " },
	{ "quoted in part", { { "1", "A", NULL, 0, NULL, 1, 1, ROWS }, { "2", "A", "B", 1, "1", 2, 1, "2 21 310;3 22 320" } }, "1+1 " },
	{ "rows that are no run", { { "1", "A", NULL, 0, NULL, 1, 1, ROWS }, { "2", "A", "B", 1, "1", 2, 1, "1 20 300;3 22 320" } }, "1+0 2>1+0! " },
	{ "a lost value", { { "1", "A", NULL, 0, NULL, 1, 1, ROWS }, { "2", "A", "B", 1, "1", 2, 1, "2 21 310;3 22 -" } }, "1+1 " },
	{ "only a cut row", { { "1", "A", NULL, 0, NULL, 1, 1, ROWS }, { "2", "A", "B", 1, "1", 2, 1, "2 21 -" } }, "1+1 " },
	{ "quoted five times", { { "1", "A", NULL, 0, NULL, 1, 1, ROWS }, { "2", "A", "B", 1, "1", 2, 1, ROWS }, { "3", "A", "A", 2, "1 2", 3, 1, ROWS },
	    { "4", "A", "C", 1, "1", 4, 1, ROWS }, { "5", "A", "D", 3, "1 2 3", 5, 1, ROWS }, { "6", "A", "E", 1, "1", 6, 1, ROWS } }, "1+5 " },
	{ "two posters", { { "1", "A", NULL, 0, NULL, 1, 1, ROWS }, { "2", "B", NULL, 0, "1", 2, 1, ROWS } }, "1+0 2+0 " },
	{ "two posters, one quoted", { { "1", "A", NULL, 0, NULL, 1, 1, ROWS }, { "2", "B", NULL, 0, "1", 2, 1, ROWS },
	    { "3", "B", "C", 1, "1 2", 3, 1, ROWS } }, "1+0 2+1 " },
	{ "two posters, one only quoted", { { "1", "A", NULL, 0, NULL, 1, 1, ROWS }, { "3", "B", "C", 1, "2", 3, 1, ROWS } }, "1+0 3>1+0! " },
	{ "original not there", { { "2", "A", "B", 1, "1", 1, 1, ROWS }, { "3", "A", "C", 2, "1 2", 2, 1, ROWS } }, "2>1+1! " },
	{ "less quoted comes later", { { "3", "A", "C", 2, "1 2", 1, 1, ROWS }, { "2", "A", "B", 1, "1", 2, 1, ROWS } }, "2>1+1! " },
	{ "the message twice", { { "1", "A", NULL, 0, NULL, 1, 1, ROWS }, { "1", "A", NULL, 0, NULL, 2, 1, ROWS } }, "1+1 " },
	{ "body and attachment", { { "1", "A", NULL, 0, NULL, 1, 1, "2 21 310" }, { "1", "A", NULL, 0, NULL, 1, 2, ROWS } }, "1+1 " },
	{ "the same run twice in a text", { { "1", "A", NULL, 0, NULL, 1, 1, ROWS }, { "1", "A", NULL, 0, NULL, 1, 1, ROWS } }, "1+0 1+0 " },
	{ "two runs, the message twice", { { "1", "A", NULL, 0, NULL, 1, 1, ROWS }, { "1", "A", NULL, 0, NULL, 1, 1, ROWS },
	    { "1", "A", NULL, 0, NULL, 2, 1, ROWS }, { "1", "A", NULL, 0, NULL, 2, 1, ROWS } }, "1+1 1+1 " },
	{ "quoted in its own text", { { NULL, NULL, NULL, 0, NULL, 1, 1, ROWS }, { NULL, "A", NULL, 2, NULL, 1, 1, ROWS } }, "-+1 " },
	{ "few values, nothing known", { { "1", "A", NULL, 0, NULL, 1, 1, "1 2 3" }, { "9", NULL, NULL, 1, "8", 2, 1, "1 2 3" } }, "1+0 9>1+0! " },
	{ "many values, nothing known", { { "1", "A", NULL, 0, NULL, 1, 1, ROWS }, { "9", NULL, NULL, 1, "8", 2, 1, ROWS } }, "1+1 " },
	{ "other values", { { "1", "A", NULL, 0, NULL, 1, 1, ROWS }, { "2", "A", "B", 1, "1", 2, 1, "9 9 9" } }, "1+0 2>1+0! " },
};

/* line: where it stands in its text. */
static struct record *make(const struct sighting *s, unsigned line)
{
	static const enum field columns[] = { FIELD_MIN, FIELD_AVG, FIELD_MAX };
	struct record *r = record_new("rtai-latency");
	struct series *series = record_add_series(r, NULL);
	g_auto(GStrv) rows = g_strsplit(s->rows, ";", 0);

	series->unit = "ns";
	series_columns(series, 3, columns);
	for (unsigned i = 0; rows[i]; i++) {
		g_auto(GStrv) cells = g_strsplit(rows[i], " ", 3);
		struct number n[3];

		for (int c = 0; c < 3; c++)
			n[c] = *cells[c] == '-' ? number_null() : number_int(atoi(cells[c]));
		series_add_row(series, 10 + i, n);
	}
	r->source.file = "f";
	r->source.message_id = s->id;
	r->source.from = s->from;
	r->source.quote_depth = s->depth;
	r->source.first = line;
	r->source.last = line + 5;
	if (s->references)
		fold_set_extra(r, FOLD_REFERENCES, s->references);
	if (s->by)
		fold_set_extra(r, FOLD_QUOTED_BY, s->by);
	record_seal(r);
	return r;
}

static void write_record(struct record *r, void *data)
{
	g_string_append(data, r->source.message_id ? r->source.message_id : "-");
	if (r->source.quote_depth)
		g_string_append_printf(data, ">%u", r->source.quote_depth);
	g_string_append_printf(data, "+%u%s ", r->source.copies, record_has_flag(r, FLAG_QUOTED_ONLY) ? "!" : "");
	record_free(r);
}

static void folds(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(stories); i++) {
		struct fold *f = fold_new();
		g_autoptr(GString) out = g_string_new(NULL);

		for (const struct sighting *s = stories[i].s; s->rows && s < stories[i].s + 6; s++)
			fold_add_at(f, make(s, (unsigned)(s - stories[i].s) * 10 + 1), s->message, s->part);
		fold_finish(f, write_record, out);
		if (strcmp(out->str, stories[i].want))
			fail_msg("%s: %s", stories[i].name, out->str);
	}
}

static void keep(struct record *r, void *data)
{
	g_ptr_array_add(data, r);
}

/* Parts folded apart, written, read back and folded together give what one run gives. */
static void folds_records_again(void **state)
{
	static const struct json_options plain = { false, false };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(stories); i++) {
		struct fold *all = fold_new();
		g_autoptr(GString) out = g_string_new(NULL);

		for (const struct sighting *s = stories[i].s; s->rows && s < stories[i].s + 6;) {
			struct fold *part = fold_new();
			GPtrArray *records = g_ptr_array_new();
			unsigned message = s->message;

			/* What is in one message stays together. */
			for (; s->rows && s < stories[i].s + 6 && s->message == message; s++)
				fold_add_at(part, make(s, (unsigned)(s - stories[i].s) * 10 + 1), s->message, s->part);
			fold_finish(part, keep, records);
			for (guint k = 0; k < records->len; k++) {
				struct record *r = g_ptr_array_index(records, k);
				g_autofree char *file = g_strdup_printf("f%u", message), *error = NULL;
				char *json;

				r->source.file = file;
				json = record_to_json(r, &plain);
				record_free(r);
				r = record_from_json(json, strlen(json), &error);
				g_free(json);
				assert_non_null(r);
				fold_add(all, r);
			}
			g_ptr_array_free(records, TRUE);
		}
		fold_finish(all, write_record, out);
		if (strcmp(out->str, stories[i].want))
			fail_msg("%s: %s", stories[i].name, out->str);
	}
}

/* More than memory holds: what waits in the spool folds as well, and comes out in order and whole. */
static void folds_from_the_spool(void **state)
{
	struct fold *f = fold_new();
	GPtrArray *records = g_ptr_array_new();
	GString *rows = g_string_new("0 0 0");
	const unsigned n = 80;

	(void)state;
	for (int i = 1; i < 3000; i++)
		g_string_append_printf(rows, ";%d %d %d", i, i, i);
	for (unsigned i = 0; i < 2 * n; i++) {
		g_autofree char *id = g_strdup_printf("%u", i), *of = g_strdup_printf("%u", i - n);
		g_autofree char *mine = g_strdup_printf("%u 1 2;%s", i % n + 100, rows->str);
		struct sighting s = { id, "A", i < n ? NULL : "B", i >= n, i < n ? NULL : of, i + 1, 1, mine };
		struct record *r = make(&s, 1);

		/* The strings go before the fold does. */
		r->source.message_id = record_text(r, id, -1);
		fold_add_at(f, r, s.message, s.part);
	}
	assert_int_equal(fold_finish(f, keep, records), n);
	for (unsigned i = 0; i < n; i++) {
		struct record *r = g_ptr_array_index(records, i);
		const struct series *s = g_ptr_array_index(r->series, 0);

		assert_int_equal(atoi(r->source.message_id), i);
		assert_int_equal(r->source.copies, 1);
		assert_int_equal(series_sample_rows(s), 3001);
		assert_true(number_equal(series_sample(s, 0, FIELD_MIN), number_int(i + 100)));
		record_free(r);
	}
	g_ptr_array_free(records, TRUE);
	g_string_free(rows, TRUE);
}

static void knows_people(void **state)
{
	static const struct { const char *a, *b; int same; } people[] = {
		{ "Jane Doe <jane@example.org>", "Jane Doe", 1 }, { "Jane Doe <jane@example.org>", "<jane@example.org>", 1 },
		{ "Doe, Jane", "\"Jane Doe\" <jane@x.example>", 1 }, { "jane at example.org (Jane Doe)", "Jane Doe <jane@example.org>", 1 },
		{ "Jane Doe", "John Doe", -1 }, { "a@b.example", "c@d.example", -1 }, { "a@b.example", "Jane Doe", 0 }, { NULL, "Jane", 0 },
		{ "jane [mailto:jane@example.org]", "JANE@example.org", 1 }, { "", "", 0 },
		{ "Jane Doe", "jane at example.org (Jane Doe)", 1 }, { "John", "jane at example.org (Jane)", -1 }, { "jane at example.org", "Jane", 0 },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(people); i++)
		if (fold_same_person(people[i].a, people[i].b) != people[i].same)
			fail_msg("%s, %s: %d", people[i].a, people[i].b, fold_same_person(people[i].a, people[i].b));
}

/* Many equal rows, as a hostile mail may have, take bounded time. */
static void stands_equal_rows(void **state)
{
	struct fold *f = fold_new();
	GString *rows = g_string_new("1 1 1"), *out = g_string_new(NULL);

	(void)state;
	for (int i = 0; i < 5000; i++)
		g_string_append(rows, ";1 1 1");
	for (unsigned i = 0; i < 40; i++) {
		g_autofree char *mine = g_strdup_printf("%s;%u 2 3", rows->str, i);
		struct sighting s = { NULL, NULL, NULL, 1, NULL, i + 1, 1, mine };

		fold_add_at(f, make(&s, 1), s.message, s.part);
	}
	assert_int_equal(fold_finish(f, write_record, out), 40);
	g_string_free(rows, TRUE);
	g_string_free(out, TRUE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(folds),
		cmocka_unit_test(folds_records_again),
		cmocka_unit_test(folds_from_the_spool),
		cmocka_unit_test(knows_people),
		cmocka_unit_test(stands_equal_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
