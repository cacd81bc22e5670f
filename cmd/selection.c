#include "cmd/selection.h"

#include <string.h>

/* The default of --by without what --ignore names. Caller frees; NULL when there is none, or --ignore is wrong. */
static char *default_by(const char *by, const char *ignore)
{
	g_autofree char *error = NULL;
	g_autoptr(GPtrArray) ignored = ignore ? keys_parse(ignore, &error) : NULL;
	g_auto(GStrv) names = by ? g_strsplit(by, ",", -1) : NULL;
	GString *out = g_string_new(NULL);

	for (guint i = 0; names && names[i]; i++) {
		struct key *k = key_parse(names[i], strlen(names[i]), NULL);

		if (!ignored || !keys_contain(ignored, k->id, k->argument))
			g_string_append_printf(out, "%s%s", out->len ? "," : "", names[i]);
		key_free(k);
	}
	return g_string_free(out, FALSE);
}

bool selection_prepare(struct selection *s, const char *by)
{
	g_autofree char *error = NULL, *usual = NULL;

	if (s->where) {
		s->select = select_parse(s->where, &error);
		if (!s->select) {
			diag(EXIT_USAGE, NULL, 0, "--where: %s", error);
			return false;
		}
	}
	usual = default_by(by, s->ignore);
	s->identity = identity_new(s->by ? s->by : usual, s->ignore, &error);
	if (!s->identity)
		diag(EXIT_USAGE, NULL, 0, "--by or --ignore: %s", error);
	return s->identity != NULL;
}

void selection_clear(struct selection *s)
{
	if (s->view.series)
		g_ptr_array_unref(s->view.series);
	if (s->view.flags)
		g_array_unref(s->view.flags);
	select_free(s->select);
	identity_free(s->identity);
	g_free(s->where);
	g_free(s->by);
	g_free(s->ignore);
}

bool selection_take(struct selection *s, struct record *r, const char *label)
{
	s->read++;
	if (!select_record(s->select, r, label))
		return false;
	s->selected++;
	return true;
}

/* Does the flag speak of a series that is left out? */
static bool flag_of_dropped(const struct flag *f, const struct record *r, const struct record *view)
{
	guint64 at;

	if (!g_str_has_prefix(f->where, "/series/") || !g_ascii_isdigit(f->where[8]))
		return false;
	at = g_ascii_strtoull(f->where + 8, NULL, 10);
	return at < r->series->len && !g_ptr_array_find(view->series, r->series->pdata[at], NULL);
}

const struct record *selection_look(struct selection *s, const struct record *r, const char *label)
{
	struct subject subject = { r, NULL, label };
	GPtrArray *kept = s->view.series ? s->view.series : g_ptr_array_new();
	GArray *flags = s->view.flags ? s->view.flags : g_array_new(FALSE, FALSE, sizeof(struct flag));

	s->read++;
	if (s->select) {
		g_ptr_array_set_size(kept, 0);
		g_array_set_size(flags, 0);
		s->view = *r;
		s->view.series = kept;
		s->view.flags = flags;
		for (guint i = 0; i < r->series->len; i++) {
			subject.series = r->series->pdata[i];
			if (select_match(s->select, &subject))
				g_ptr_array_add(kept, r->series->pdata[i]);
		}
		if (!kept->len)
			return NULL;
		for (guint i = 0; i < r->flags->len; i++) {
			const struct flag *f = &g_array_index(r->flags, struct flag, i);

			if (!flag_of_dropped(f, r, &s->view))
				g_array_append_vals(flags, f, 1);
		}
		r = &s->view;
	} else {
		s->view.series = kept;
		s->view.flags = flags;
	}
	s->selected++;
	return r;
}

bool selection_end(struct selection *s)
{
	if (select_problem(s->select)) {
		diag(EXIT_USAGE, NULL, 0, "--where: %s", select_problem(s->select));
		return false;
	}
	if (s->read && !s->selected)
		diag(EXIT_NOTHING, NULL, 0, "--where '%s' matches none of the %" G_GUINT64_FORMAT " results", s->where, s->read);
	return s->selected > 0;
}

uint64_t selection_read_one(struct common_options *o, char *argument, void (*each)(struct record *r, void *data), void *data)
{
	char *one[] = { argument, NULL }, **all = o->inputs;
	uint64_t n;

	o->inputs = one;
	n = options_read(o, each, data);
	o->inputs = all;
	return n;
}
