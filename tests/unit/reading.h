/*
 * For tests of parsers: reads a text as a pasted file and gives what was read as one line a record,
 * series by series, so that a test compares short strings.
 */
#ifndef RTREPORT_TEST_READING_H
#define RTREPORT_TEST_READING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include <glib.h>

#include "lib/reader.h"
#include "lib/record.h"

static inline void reading_value(GString *out, const char *name, struct number n)
{
	char text[NUMBER_TEXT];

	if (n.state != NUMBER_ABSENT)
		g_string_append_printf(out, " %s=%s", name, number_is_set(n) ? number_print(n, text) : "null");
}

static inline void reading_facts(GString *out, const GArray *facts)
{
	for (guint i = 0; i < facts->len; i++) {
		const struct fact *f = &g_array_index(facts, struct fact, i);

		if (f->text)
			g_string_append_printf(out, " %s=%s", f->key, f->text);
		else
			reading_value(out, f->key, f->number);
	}
}

/* "tool[mode] {settings} <name> labels unit=… min=… …; next series | flags". */
static inline void reading_record(struct record *r, void *data)
{
	GString *out = data;

	g_string_append(out, r->tool);
	if (r->mode)
		g_string_append_printf(out, "[%s]", r->mode);
	if (r->settings->len) {
		g_string_append(out, " {");
		reading_facts(out, r->settings);
		g_string_append(out, " }");
	}
	for (guint i = 0; i < r->series->len; i++) {
		const struct series *s = g_ptr_array_index(r->series, i);

		g_string_append(out, i ? ";" : "");
		if (s->name)
			g_string_append_printf(out, " <%s>", s->name);
		reading_facts(out, s->labels);
		g_string_append_printf(out, " %s", s->unit ? s->unit : "?");
		for (int f = 0; f < FIELD_SERIES_END; f++)
			reading_value(out, field_name(f), s->field[f]);
		if (s->samples)
			g_string_append_printf(out, " rows=%u", series_sample_rows(s));
		if (s->histogram) {
			g_string_append_printf(out, " bins=%u", s->histogram->bins->len);
			reading_value(out, "width", s->histogram->bin_width);
			reading_value(out, "over", s->histogram->overflow);
		}
		for (guint k = 0; s->percentiles && k < s->percentiles->len; k++) {
			const struct percentile *p = &g_array_index(s->percentiles, struct percentile, k);
			g_autofree char *key = g_strdup_printf("p%s", p->key);

			reading_value(out, key, p->value);
		}
	}
	for (guint i = 0; i < r->flags->len; i++)
		g_string_append_printf(out, "%s%s", i ? "," : " | ", g_array_index(r->flags, struct flag, i).code);
	g_string_append(out, "\n");
	record_free(r);
}

/* What is read of text, as above; caller frees. */
static inline char *reading(const char *text)
{
	GString *out = g_string_new(NULL);
	struct reader_text part = { .text = { .bytes = text, .len = strlen(text), .file = "test" },
	                            .source = { .file = "test" } };
	struct reader_options options = { 0 };

	reader_message(&part, 1, &options, reading_record, out);
	return g_string_free(out, FALSE);
}

static inline void reads(const char *text, const char *want)
{
	g_autofree char *got = reading(text);

	assert_string_equal(got, want);
}

#endif
