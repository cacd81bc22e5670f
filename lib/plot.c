/* Plots: which series are drawn. */
#include <string.h>
#include "lib/plot_internal.h"
#include "lib/report_internal.h"

#define MAX_CURVES 28u          /* colours times dashes */
#define MAX_BARS 60u

static const char *const kind_needs[] = {
	[PLOT_AUTO] = "numbers", [PLOT_HISTOGRAM] = "a histogram", [PLOT_TAIL] = "a histogram",
	[PLOT_SAMPLES] = "rows over time", [PLOT_BARS] = "a minimum, average, maximum or value",
};

static bool has_histogram(const struct series *s)
{
	return s->histogram && s->histogram->bins->len;
}

static bool has_samples(const struct series *s)
{
	struct sample_columns c = plot_sample_columns(s);

	return series_sample_rows(s) > 1 &&
	       (c.low != FIELD_END || c.middle != FIELD_END || c.high != FIELD_END);
}

static bool has_values(const struct series *s)
{
	return number_is_set(s->field[FIELD_MIN]) || number_is_set(s->field[FIELD_AVG]) ||
	       number_is_set(s->field[FIELD_MAX]) || number_is_set(s->field[FIELD_VALUE]);
}

static bool serves(const struct series *s, enum plot_kind kind)
{
	switch (kind) {
	case PLOT_HISTOGRAM:
	case PLOT_TAIL:
		return has_histogram(s);
	case PLOT_SAMPLES:
		return has_samples(s);
	default:
		return has_values(s);
	}
}

static guint count_serving(const GArray *records, enum plot_kind kind)
{
	guint n = 0;

	for (guint i = 0; i < records->len; i++) {
		const struct record *r = g_array_index(records, struct subject, i).record;

		for (guint k = 0; k < r->series->len; k++)
			n += serves(r->series->pdata[k], kind);
	}
	return n;
}

/* Distributions tell most; the rows of one or a few runs can be read; many results are compared. */
static enum plot_kind choose_kind(const GArray *records)
{
	guint samples;

	if (count_serving(records, PLOT_HISTOGRAM))
		return PLOT_HISTOGRAM;
	samples = count_serving(records, PLOT_SAMPLES);
	return samples && samples <= PLOT_MAX_FILLED && samples == count_serving(records, PLOT_BARS)
	               ? PLOT_SAMPLES
	               : PLOT_BARS;
}

/* Times are drawn before what is measured in other units. */
static bool unit_before(const struct series *a, const struct series *b, const char *time_unit)
{
	const char *of_a, *of_b;
	int exp10;

	series_scale(a, time_unit, &of_a, &exp10);
	series_scale(b, time_unit, &of_b, &exp10);
	return !g_strcmp0(of_a, time_unit) && g_strcmp0(of_b, time_unit);
}

/* The series whose unit and quantity the plot has: one axis measures one thing. */
static const struct series *leading_series(const GArray *records, enum plot_kind kind,
                                           const char *time_unit)
{
	const struct series *best = NULL;

	for (guint i = 0; i < records->len; i++) {
		const struct record *r = g_array_index(records, struct subject, i).record;

		for (guint k = 0; k < r->series->len; k++) {
			const struct series *s = r->series->pdata[k];

			if (serves(s, kind) && (!best || unit_before(s, best, time_unit)))
				best = s;
		}
	}
	return best;
}

static void collect(struct plot *p, const GArray *records, const struct series *lead,
                    const char *time_unit)
{
	guint limit = p->kind == PLOT_BARS ? MAX_BARS : MAX_CURVES, others = 0, more = 0;
	int exp10;

	series_scale(lead, time_unit, &p->unit, &exp10);
	for (guint i = 0; i < records->len; i++) {
		const struct subject *of = &g_array_index(records, struct subject, i);

		for (guint k = 0; k < of->record->series->len; k++) {
			struct curve c = { .of = of, .series = of->record->series->pdata[k] };
			const char *unit;

			if (!serves(c.series, p->kind))
				continue;
			series_scale(c.series, time_unit, &unit, &c.exp10);
			if (g_strcmp0(unit, p->unit) ||
			    g_strcmp0(c.series->quantity, lead->quantity))
				others++;
			else if (p->curves->len >= limit)
				more++;
			else
				g_array_append_val(p->curves, c);
		}
	}
	if (others)
		g_ptr_array_add(p->notes, g_strdup_printf("%u series of another unit or quantity "
		                                          "are not drawn; --where chooses",
		                                          others));
	p->left_out = more;
	if (more)
		g_ptr_array_add(p->notes,
		                g_strdup_printf("only the first %u series are drawn, not %u more; "
		                                "--where chooses, aggregate merges",
		                                limit, more));
}

static const char *time_unit_of(const GArray *records, const char *unit)
{
	const struct report_options o = { .unit = unit };
	g_autoptr(GPtrArray) all = g_ptr_array_new();

	for (guint i = 0; i < records->len; i++)
		g_ptr_array_add(all, (void *)g_array_index(records, struct subject, i).record);
	return report_time_unit((struct record *const *)all->pdata, all->len, &o);
}

struct plot *plot_new(const GArray *records, const struct plot_options *o, char **error)
{
	enum plot_kind kind = o->kind == PLOT_AUTO ? choose_kind(records) : o->kind;
	const char *time_unit = time_unit_of(records, o->unit);
	const struct series *lead = leading_series(records, kind, time_unit);
	struct plot *p;

	if (!lead) {
		*error = g_strdup_printf("no result has %s", kind_needs[kind]);
		return NULL;
	}
	p = g_new0(struct plot, 1);
	p->kind = kind;
	p->options = o;
	p->curves = g_array_new(FALSE, TRUE, sizeof(struct curve));
	p->notes = g_ptr_array_new_with_free_func(g_free);
	collect(p, records, lead, time_unit);
	if (kind == PLOT_HISTOGRAM)
		p->step = plot_step(p);
	plot_name_curves(p);
	return p;
}

void plot_free(struct plot *p)
{
	if (!p)
		return;
	for (guint i = 0; i < p->curves->len; i++)
		g_free(g_array_index(p->curves, struct curve, i).name);
	g_array_unref(p->curves);
	g_ptr_array_unref(p->notes);
	g_free(p->title);
	g_free(p->facts);
	g_free(p);
}

const GPtrArray *plot_notes(const struct plot *p)
{
	return p->notes;
}
