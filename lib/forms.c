#include <string.h>

#include "lib/forms.h"

static const enum field compared[] = { FIELD_MIN, FIELD_MAX, FIELD_COUNT, FIELD_VALUE };

static struct series *series_at(const struct record *r, guint i)
{
	return g_ptr_array_index(r->series, i);
}

/* Labels that both have must be the same. */
static bool labels_agree(const struct series *a, const struct series *b)
{
	for (guint i = 0; i < a->labels->len; i++) {
		const struct fact *x = &g_array_index(a->labels, struct fact, i);
		const struct fact *y = facts_get(b->labels, x->key);

		if (y && (g_strcmp0(x->text, y->text) || !number_equal(x->number, y->number)))
			return false;
	}
	return true;
}

/* *same counts the values that both have. */
static bool series_agree(const struct series *a, const struct series *b, unsigned *same)
{
	for (size_t i = 0; i < G_N_ELEMENTS(compared); i++) {
		struct number x = a->field[compared[i]], y = b->field[compared[i]];

		if (!number_is_set(x) || !number_is_set(y))
			continue;
		if (number_cmp(x, y))
			return false;
		++*same;
	}
	return g_strcmp0(a->unit, b->unit) == 0 && labels_agree(a, b);
}

bool forms_agree(const struct record *rows, const struct record *file)
{
	unsigned same = 0;
	bool one_tool = !strcmp(rows->tool, file->tool);

	/* Some programs' rows are alike: without a command only the file says which it was. */
	if ((!one_tool && rows->command) || rows->series->len != file->series->len)
		return false;
	for (guint i = 0; i < rows->series->len; i++)
		if (!series_agree(series_at(rows, i), series_at(file, i), &same))
			return false;
	/* A run without any figure agrees with everything: that is no evidence. */
	return same >= (one_tool ? 1 : 3);
}

static void take_series(struct record *file, struct series *to, struct series *from)
{
	for (guint i = 0; i < from->labels->len; i++) {
		const struct fact *f = &g_array_index(from->labels, struct fact, i);

		if (facts_get(to->labels, f->key))
			continue;
		if (f->text)
			series_label(file, to, f->key, f->text);
		else
			series_label_number(to, f->key, f->number);
	}
	for (enum field f = 0; f < FIELD_SERIES_END; f++)
		if (to->field[f].state == NUMBER_ABSENT)
			to->field[f] = from->field[f];
	if (!to->samples) {
		to->samples = from->samples;
		from->samples = NULL;
	}
	if (!to->histogram) {
		to->histogram = from->histogram;
		from->histogram = NULL;
	}
}

void forms_take(struct record *file, struct record *rows)
{
	for (guint i = 0; i < file->series->len && i < rows->series->len; i++)
		take_series(file, series_at(file, i), series_at(rows, i));
	if (!file->title)
		file->title = record_text(file, rows->title, -1);
	if (!file->command)
		file->command = record_text(file, rows->command, -1);
	for (guint i = 0; i < rows->settings->len; i++) {
		const struct fact *f = &g_array_index(rows->settings, struct fact, i);

		if (facts_get(file->settings, f->key))
			continue;
		if (f->text)
			facts_set_text(file, file->settings, f->key, f->text, f->line);
		else
			facts_set_number(file->settings, f->key, f->number, f->line);
	}
	if (!g_strcmp0(file->source.part, rows->source.part))
		file->source.first = MIN(file->source.first, rows->source.first);
}
