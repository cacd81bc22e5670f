#include "lib/check.h"

#include <string.h>

/* Tests compare these with the schema, which is the normative text. */
const char *const record_tools[] = {
	"cyclictest", "signaltest", "cyclicdeadline", "deadline_test", "pmqtest", "ptsematest", "svsematest", "sigwaittest", "hackbench",
	"hwlatdetect", "oslat", "queuelat", "ssdd", "pi_stress", "pip_stress", "rt-migrate-test", "hwlat", "rtc-histogram",
	"rtla-timerlat", "rtla-osnoise", "rtla-hwnoise", "jitterdebugger", "stress-ng-cyclic", "schbench",
	"xenomai-latency", "xenomai-klatency", "xenomai-switchbench", "xenomai-switchtest", "xenomai-clocktest",
	"irqbench", "irqloop", "gpiobench", "latmus", "evl-hectic", "rtai-latency", "rtai-preempt", "rtai-switches",
	"lxrt-latency", "fusion-demo", "ping", "interbench", "realfeel", "linuxcnc-latency-test",
	"linuxcnc-latency-histogram", "zephyr-latency-measure", "rtems", "table", NULL
};

const char *const record_modes[] = { "user-task", "kernel-task", "timer-irq", NULL };

struct checking {
	void (*problem)(const char *where, const char *what, void *data);
	void *data;
	unsigned problems;
};

static void tell(struct checking *c, const char *where, const char *what)
{
	c->problems++;
	c->problem(where, what, c->data);
}

/* Known settings and labels, and which of them are numbers. */
static const struct known { const char *key; bool number; } settings[] = {
	{ "period_ns", true }, { "priority", true }, { "policy", false }, { "duration_s", true }, { "loops", true },
	{ "threads", true }, { NULL, false }
}, labels[] = {
	{ "thread", true }, { "tid", true }, { "cpu", true }, { "priority", true }, { "interval_ns", true },
	{ "index", true }, { "context", false }, { "column", false }, { "group", false }, { NULL, false }
};

static void check_facts(struct checking *c, const GArray *facts, const struct known *known, const char *where)
{
	for (guint i = 0; i < facts->len; i++) {
		const struct fact *f = &g_array_index(facts, struct fact, i);

		for (const struct known *k = known; k->key; k++) {
			g_autofree char *place = NULL;

			if (strcmp(k->key, f->key) || k->number == !f->text)
				continue;
			place = g_strdup_printf("%s/%s", where, f->key);
			tell(c, place, k->number ? "must be a number" : "must be a text");
		}
	}
}

/* Counts are whole numbers from 0. */
static void check_counts(struct checking *c, const struct series *s, const char *where)
{
	for (enum field f = 0; f < FIELD_SERIES_END; f++) {
		g_autofree char *place = NULL;

		if (!field_is_count(f) || !number_is_set(s->field[f]) ||
		    (s->field[f].coefficient >= 0 && s->field[f].exponent >= 0))
			continue;
		place = g_strdup_printf("%s/%s", where, field_name(f));
		tell(c, place, "must be a whole number, 0 or more");
	}
}

/* In a merged record avg is the quotient of its exact parts, or null where these do not make a mean. */
static void check_mean(struct checking *c, const struct series *s, const char *where)
{
	g_autofree char *place = g_strdup_printf("%s/avg", where);

	if (!s->sum != !s->weight)
		tell(c, where, "sum and weight belong together");
	else if (s->sum && number_is_set(s->field[FIELD_AVG]) &&
		 !number_equal(number_sum_mean(s->sum, s->weight), s->field[FIELD_AVG]))
		tell(c, place, "is not sum divided by weight");
}

static void check_series(struct checking *c, const struct record *r)
{
	for (guint i = 0; i < r->series->len; i++) {
		const struct series *s = g_ptr_array_index(r->series, i);
		g_autofree char *where = g_strdup_printf("/series/%u", i);
		g_autofree char *place = g_strdup_printf("%s/labels", where);

		check_facts(c, s->labels, labels, place);
		check_counts(c, s, where);
		check_mean(c, s, where);
		if (r->kind == RECORD_MERGED && (s->samples || s->percentiles))
			tell(c, where, "a merged series has no samples and no percentiles");
	}
}

static bool is_registered(const char *const *names, const char *name)
{
	return g_strv_contains(names, name) || (g_str_has_prefix(name, "x_") && name[2]);
}

static void check_registries(struct checking *c, const struct record *r)
{
	if (!is_registered(record_tools, r->tool))
		tell(c, "/tool", "is not in the registry of tools; private ones begin with x_");
	if (r->mode && !g_strv_contains(record_modes, r->mode))
		tell(c, "/mode", "must be user-task, kernel-task, timer-irq or null");
	for (guint i = 0; i < r->flags->len; i++) {
		const struct flag *f = &g_array_index(r->flags, struct flag, i);
		g_autofree char *place = g_strdup_printf("/flags/%u/code", i);
		bool known = g_str_has_prefix(f->code, "x_");

		for (enum flag_code k = 0; k < FLAG_CODES; k++)
			known |= !strcmp(f->code, flag_code_name(k));
		if (!known)
			tell(c, place, "is not in the registry of flag codes; private ones begin with x_");
	}
}

/* A flag's place must at least name a series that is there. */
static void check_flags(struct checking *c, const struct record *r)
{
	for (guint i = 0; i < r->flags->len; i++) {
		const struct flag *f = &g_array_index(r->flags, struct flag, i);
		g_autofree char *place = g_strdup_printf("/flags/%u/where", i);
		char *end;

		if (*f->where && *f->where != '/') {
			tell(c, place, "must be a JSON Pointer");
			continue;
		}
		if (!g_str_has_prefix(f->where, "/series/"))
			continue;
		if (g_ascii_strtoull(f->where + 8, &end, 10) >= r->series->len || end == f->where + 8 ||
		    (*end && *end != '/'))
			tell(c, place, "names a series that is not there");
	}
}

/* Laws that are broken without a flag: those whose flag comes only now. */
static void check_laws(struct checking *c, struct record *r)
{
	guint known = r->flags->len;

	if (r->kind == RECORD_MERGED)
		return;
	record_check_laws(r);
	for (guint i = known; i < r->flags->len; i++) {
		const struct flag *f = &g_array_index(r->flags, struct flag, i);
		g_autofree char *what = g_strdup_printf("%s, and no flag %s says so", f->text, f->code);
		bool told = false;

		/* The words of a flag are free. */
		for (guint k = 0; k < known; k++) {
			const struct flag *old = &g_array_index(r->flags, struct flag, k);

			told |= !strcmp(old->code, f->code) && !strcmp(old->where, f->where);
		}
		if (!told)
			tell(c, f->where, what);
	}
}

unsigned record_check(struct record *r, void (*problem)(const char *where, const char *what, void *data), void *data)
{
	struct checking c = { problem, data, 0 };

	check_registries(&c, r);
	check_facts(&c, r->settings, settings, "/settings");
	check_series(&c, r);
	check_flags(&c, r);
	check_laws(&c, r);
	return c.problems;
}
