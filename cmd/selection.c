#include "cmd/selection.h"

#include <string.h>

bool selection_prepare(struct selection *s, const char *by)
{
	g_autofree char *error = NULL;

	if (s->where) {
		s->select = select_parse(s->where, &error);
		if (!s->select) {
			diag(EXIT_USAGE, NULL, 0, "--where: %s", error);
			return false;
		}
	}
	s->identity = identity_new(s->by ? s->by : by, s->ignore, &error);
	if (!s->identity)
		diag(EXIT_USAGE, NULL, 0, "--by or --ignore: %s", error);
	return s->identity != NULL;
}

void selection_clear(struct selection *s)
{
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
