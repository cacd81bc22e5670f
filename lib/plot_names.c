/* What the curves of a plot are called, and what stands above them. */
#include <string.h>
#include "lib/plain.h"
#include "lib/plot_internal.h"
#include "lib/report_internal.h"

#define MAX_NAME 64u            /* columns of a name in the legend */
#define MAX_PART 32u            /* columns of each of its parts */
#define KEPT 10                 /* columns of its beginning, where something is cut behind it */
#define MAX_TOOLS 4u            /* in the title */
#define MAX_TITLE 90u           /* columns of the title, */
#define MAX_FACTS 124u          /* and of the smaller line below it */
#define SEPARATOR ", "

/* Something by which curves may differ, its text for each of them. */
struct part {
	const char *key;        /* of lib/keys.h, or one of the names below */
	bool fact;              /* what all share of it is told below the title */
	GPtrArray *text;        /* char *, "" for none */
	GPtrArray *brief;       /* the same within MAX_PART columns, by what tells them apart */
	bool chosen;
};

/* No key: what series_label_text gives. */
#define PART_SERIES "series"

/* In the order in which a name has them; the first ones are preferred. */
static const struct part parts_of_results[] = {
	{ .key = "label" },
	{ .key = "board", .fact = true },
	{ .key = "kernel", .fact = true },
	{ .key = "rt", .fact = true },
	{ .key = "load", .fact = true },
	{ .key = "tool" },
	{ .key = "mode" },
	{ .key = "title" },
	{ .key = PART_SERIES },
	{ .key = "cpu", .fact = true },
	{ .key = "distribution", .fact = true },
	{ .key = "date@day" },
	{ .key = "file" },
};

static char *part_text(const char *name, const struct key *key, const struct curve *c)
{
	const struct subject subject = { c->of->record, c->series, c->of->label };
	GString *text = g_string_new(NULL);
	char *plain;

	if (!strcmp(name, PART_SERIES)) {
		g_string_free(text, TRUE);
		return series_label_text(c->series);
	}
	key_text(key, &subject, text);
	plain = plain_line(text->str);
	g_string_free(text, TRUE);
	return plain;
}

/* At most `width` columns, an ellipsis where something was cut. Takes text. */
static char *fit(char *text, size_t width)
{
	char *cut;

	if (plain_width(text) <= width)
		return text;
	cut = g_strdup_printf("%.*s…", (int)plain_fit(text, width - 1), text);
	g_free(text);
	return cut;
}

/* Bytes by which both begin; whole characters. */
static size_t common_bytes(const char *a, const char *b)
{
	size_t n = 0;

	while (a[n] && a[n] == b[n])
		n++;
	while (n && ((unsigned char)a[n] & 0xc0) == 0x80)
		n--;
	return n;
}

static gint text_cmp(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* For each text how many bytes of it another one begins with too: what follows tells it apart. Caller unrefs. */
static GHashTable *shared_bytes(const GPtrArray *texts)
{
	GHashTable *shared = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GPtrArray) sorted = g_ptr_array_new();

	for (guint i = 0; i < texts->len; i++)
		g_ptr_array_add(sorted, texts->pdata[i]);
	g_ptr_array_sort(sorted, text_cmp);
	for (guint i = 0; i < sorted->len; i++) {
		size_t most = GPOINTER_TO_SIZE(g_hash_table_lookup(shared, sorted->pdata[i]));

		for (int side = -1; side <= 1; side += 2) {
			guint other = i + (guint)side;

			if (other < sorted->len && strcmp(sorted->pdata[i], sorted->pdata[other]))
				most = MAX(most, common_bytes(sorted->pdata[i], sorted->pdata[other]));
		}
		g_hash_table_insert(shared, sorted->pdata[i], GSIZE_TO_POINTER(most));
	}
	return shared;
}

/*
 * A text within MAX_PART columns: its beginning, unless that is what others begin with too; then a few words of it and what
 * differs. Caller g_frees.
 */
static char *brief_text(const char *text, size_t shared)
{
	const char *from = text + shared;
	size_t head = plain_fit(text, MAX_PART - 1);

	if (plain_width(text) <= MAX_PART || shared + 1 < head)
		return fit(g_strdup(text), MAX_PART);
	/* From the beginning of the word in which they differ, unless that is far away. */
	while (from > text && from[-1] != ' ' && text + shared - from < KEPT)
		from--;
	while (((unsigned char)*from & 0xc0) == 0x80)
		from++;
	g_autofree char *joined = g_strdup_printf("%.*s…%s", (int)plain_fit(text, KEPT), text, from);
	return fit(g_steal_pointer(&joined), MAX_PART);
}

static GPtrArray *brief_texts(const GPtrArray *texts)
{
	GPtrArray *brief = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GHashTable) shared = shared_bytes(texts);

	for (guint i = 0; i < texts->len; i++)
		g_ptr_array_add(brief, brief_text(texts->pdata[i],
		                                  GPOINTER_TO_SIZE(g_hash_table_lookup(shared, texts->pdata[i]))));
	return brief;
}

static struct part make_part(const struct plot *p, const char *name, const struct key *key,
                             bool fact)
{
	struct part part = { .key = name, .fact = fact, .text = g_ptr_array_new_with_free_func(g_free) };
	struct key *own = key ? NULL : key_parse(name, strlen(name), NULL);

	for (guint i = 0; i < p->curves->len; i++)
		g_ptr_array_add(part.text, part_text(name, key ? key : own, plot_curve(p, i)));
	key_free(own);
	part.brief = brief_texts(part.text);
	return part;
}

static const char *text_of(const struct part *part, guint curve)
{
	return part->text->pdata[curve];
}

/* The name of a curve by the chosen parts. */
static char *name_of(const GArray *parts, guint curve)
{
	GString *name = g_string_new(NULL);

	for (guint i = 0; i < parts->len; i++) {
		const struct part *part = &g_array_index(parts, struct part, i);
		const char *text = part->brief->pdata[curve];

		if (!part->chosen)
			continue;
		if (name->len && (*text || part->fact))
			g_string_append(name, SEPARATOR);
		if (!*text && part->fact)
			g_string_append_printf(name, "%s not stated", part->key);
		g_string_append(name, text);
	}
	return g_string_free(name, FALSE);
}

static guint distinct_names(const GArray *parts, guint curves)
{
	g_autoptr(GHashTable) set = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint c = 0; c < curves; c++)
		g_hash_table_add(set, name_of(parts, c));
	return g_hash_table_size(set);
}

static bool stated_by_all(const struct part *part)
{
	for (guint c = 0; c < part->text->len; c++)
		if (!*text_of(part, c))
			return false;
	return true;
}

/*
 * Chooses each part that tells more curves apart: first of those that all curves have, then of the
 * others.
 */
static void choose_parts(GArray *parts, guint curves)
{
	guint known = 1;

	for (int pass = 0; pass < 2; pass++) {
		for (guint i = 0; i < parts->len && known < curves; i++) {
			struct part *part = &g_array_index(parts, struct part, i);
			guint now;

			if (part->chosen ||
			    (!pass && !stated_by_all(part) && strcmp(part->key, PART_SERIES)))
				continue;
			part->chosen = true;
			now = distinct_names(parts, curves);
			part->chosen = now > known;
			known = MAX(known, now);
		}
	}
}

/* The mode is left out again where what came after it tells enough: titles name it too. */
static void prune_mode(GArray *parts, guint curves)
{
	guint known = distinct_names(parts, curves);

	for (guint i = 0; i < parts->len; i++) {
		struct part *part = &g_array_index(parts, struct part, i);

		if (!part->chosen || strcmp(part->key, "mode"))
			continue;
		part->chosen = false;
		part->chosen = distinct_names(parts, curves) < known;
	}
}

/* How often each name is there. */
static GHashTable *count_names(const struct plot *p)
{
	GHashTable *count = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint c = 0; c < p->curves->len; c++) {
		const char *name = plot_curve(p, c)->name;

		g_hash_table_insert(
			count, (char *)name,
			GUINT_TO_POINTER(GPOINTER_TO_UINT(g_hash_table_lookup(count, name)) + 1));
	}
	return count;
}

/* Equal names are told apart by their lines. */
static void add_lines(struct plot *p)
{
	g_autoptr(GHashTable) count = count_names(p);
	g_autoptr(GPtrArray) old = g_ptr_array_new_with_free_func(g_free);

	for (guint c = 0; c < p->curves->len; c++) {
		struct curve *curve = &g_array_index(p->curves, struct curve, c);
		const struct source *source = &curve->of->record->source;
		unsigned line = curve->series->line ? curve->series->line : source->first;

		if (GPOINTER_TO_UINT(g_hash_table_lookup(count, curve->name)) < 2 || !line)
			continue;
		g_ptr_array_add(old, curve->name);
		curve->name = g_strdup_printf("%s%sline %u", curve->name, SEPARATOR, line);
	}
}

/* What is still equal is numbered. */
static void add_numbers(struct plot *p)
{
	g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint c = 0; c < p->curves->len; c++) {
		struct curve *curve = &g_array_index(p->curves, struct curve, c);
		g_autofree char *name = g_strdup(curve->name);

		for (unsigned n = 2; !g_hash_table_add(seen, g_strdup(curve->name)); n++) {
			g_free(curve->name);
			curve->name = g_strdup_printf("%s (%u)", name, n);
		}
	}
}

static void set_names(struct plot *p, const GArray *parts)
{
	for (guint c = 0; c < p->curves->len; c++) {
		struct curve *curve = &g_array_index(p->curves, struct curve, c);
		char *name = name_of(parts, c);

		if (!*name) {
			g_free(name);
			name = record_label(curve->of->record);
		}
		curve->name = fit(name, MAX_NAME);
	}
	add_lines(p);
	add_numbers(p);
}

/* The text that all curves share; "" when there is none. */
static const char *shared(const struct part *part)
{
	for (guint c = 1; c < part->text->len; c++)
		if (strcmp(text_of(part, c), text_of(part, 0)))
			return "";
	return text_of(part, 0);
}

static const char *shared_of(const GArray *parts, const char *key)
{
	for (guint i = 0; i < parts->len; i++) {
		const struct part *part = &g_array_index(parts, struct part, i);

		if (!strcmp(part->key, key))
			return shared(part);
	}
	return "";
}

static bool one_record(const struct plot *p)
{
	for (guint c = 1; c < p->curves->len; c++)
		if (plot_curve(p, c)->of != plot_curve(p, 0)->of)
			return false;
	return true;
}

/* "OMAP3530, kernel 2.6.29, load hackbench, period 100 us". */
static char *facts_line(const struct plot *p, const GArray *parts)
{
	GString *line = g_string_new(NULL);
	const struct record *r = plot_curve(p, 0)->of->record;

	for (guint i = 0; i < parts->len; i++) {
		const struct part *part = &g_array_index(parts, struct part, i);
		const char *text = part->fact ? shared(part) : "";
		bool plain = !strcmp(part->key, "board") || !strcmp(part->key, "rt") ||
		             !strcmp(part->key, "distribution");

		if (*text)
			g_string_append_printf(line, "%s%s%s%s", line->len ? SEPARATOR : "",
			                       plain ? "" : part->key, plain ? "" : " ", text);
	}
	if (one_record(p)) {
		g_autofree char *settings = settings_text(r, p->unit ? p->unit : "us");
		g_autofree char *plain = plain_line(settings);

		if (*plain)
			g_string_append_printf(line, "%s%s", line->len ? SEPARATOR : "", plain);
	}
	/* Whoever sees the picture later does not see the messages of the program. */
	if (p->left_out)
		g_string_append_printf(line, "%sthe first %u of %u series", line->len ? SEPARATOR : "", p->curves->len,
		                       p->curves->len + p->left_out);
	return fit(g_string_free(line, FALSE), MAX_FACTS);
}

/* The tools, when they are few: "cyclictest, oslat". Caller g_frees. */
static char *tools_text(const struct plot *p)
{
	GString *text = g_string_new(NULL);
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint c = 0; c < p->curves->len; c++) {
		const char *tool = plot_curve(p, c)->of->record->tool;

		if (tool && g_hash_table_add(seen, (char *)tool))
			g_string_append_printf(text, "%s%s", text->len ? SEPARATOR : "", tool);
	}
	if (!text->len || g_hash_table_size(seen) > MAX_TOOLS)
		g_string_assign(text, "Results");
	return g_string_free(text, FALSE);
}

static char *title_line(const struct plot *p, const GArray *parts)
{
	g_autofree char *tools = tools_text(p);
	const char *mode = shared_of(parts, "mode"),
		   *title = shared_of(parts, "title");
	const char *series = shared_of(parts, PART_SERIES);
	GString *line = g_string_new(tools);

	if (*mode)
		g_string_append_printf(line, " (%s)", mode);
	if (*title)
		g_string_append_printf(line, ": %s", title);
	if (*series)
		g_string_append_printf(line, ", %s", series);
	return fit(g_string_free(line, FALSE), MAX_TITLE);
}

static void parts_free(GArray *parts)
{
	for (guint i = 0; i < parts->len; i++) {
		g_ptr_array_unref(g_array_index(parts, struct part, i).text);
		g_ptr_array_unref(g_array_index(parts, struct part, i).brief);
	}
	g_array_unref(parts);
}

static GArray *usual_parts(const struct plot *p)
{
	GArray *parts = g_array_new(FALSE, FALSE, sizeof(struct part));

	for (guint i = 0; i < G_N_ELEMENTS(parts_of_results); i++) {
		struct part part =
			make_part(p, parts_of_results[i].key, NULL, parts_of_results[i].fact);

		g_array_append_val(parts, part);
	}
	return parts;
}

/* The parts that the user asks for are all there, and the series where its name is needed too. */
static GArray *asked_parts(const struct plot *p)
{
	GArray *parts = g_array_new(FALSE, FALSE, sizeof(struct part));
	const GPtrArray *names = p->options->names;

	for (guint i = 0; i < names->len; i++) {
		const struct key *key = names->pdata[i];
		struct part part = make_part(p, key->name, key, true);

		part.chosen = true;
		g_array_append_val(parts, part);
	}
	guint known = distinct_names(parts, p->curves->len);
	struct part series = make_part(p, PART_SERIES, NULL, false);
	series.chosen = true;
	g_array_append_val(parts, series);
	struct part *last = &g_array_index(parts, struct part, parts->len - 1);
	last->chosen = distinct_names(parts, p->curves->len) > known;
	return parts;
}

void plot_name_curves(struct plot *p)
{
	GArray *parts = usual_parts(p);

	if (p->options->names) {
		GArray *asked = asked_parts(p);

		set_names(p, asked);
		parts_free(asked);
	} else {
		choose_parts(parts, p->curves->len);
		prune_mode(parts, p->curves->len);
		set_names(p, parts);
	}
	p->title = p->options->title ? plain_line(p->options->title) : title_line(p, parts);
	p->facts = facts_line(p, parts);
	parts_free(parts);
}
