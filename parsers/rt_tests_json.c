/*
 * The JSON files of rt-tests (--json, 2.0 and later): one envelope for all programs. Two of its
 * keys end with a colon ("cmdline:", "rt_test_version:"), and "resolution_in_ns" is a flag: 1 means
 * that the values are nanoseconds.
 *
 *     "thread": { "0": { "cycles": 500, "min": 19, "max": 157, "avg": 27.24, "cpu": -1, "node": 0
 * }, … }
 *
 * Which program it was, the command line tells, or the members that only one program has.
 */
#include <string.h>

#include "parsers/json_block.h"
#include "parsers/thread_rows.h"

struct rt_tests_json {
	struct record *record;          /* NULL: no document is open */
	struct json_block json;
};

/* The document while it is read. */
struct document {
	struct rt_tests_json *state;
	const cJSON *root;
	int scale;                      /* power of ten that makes its values nanoseconds */
	bool cut;
};

static const char *const tools[] = {
	"cyclictest", "signaltest",      "cyclicdeadline", "pmqtest",   "ptsematest", "sigwaittest",
	"svsematest", "rt-migrate-test", "oslat",          "pi_stress", NULL
};

/* The first word of the command line that names a program of rt-tests; NULL: none does. */
static const char *tool_of_command(const char *command)
{
	g_auto(GStrv) words = command ? g_strsplit(command, " ", 16) : NULL;

	for (char **w = words; w && *w; w++) {
		const char *slash = strrchr(*w, '/');

		for (const char *const *t = tools; *t; t++)
			if (!strcmp(slash ? slash + 1 : *w, *t))
				return *t;
	}
	return NULL;
}

/* A document without a command line, by what only one program writes. */
static const char *tool_of_members(const cJSON *root)
{
	const cJSON *thread = cJSON_GetObjectItemCaseSensitive(root, "thread");
	const cJSON *first = thread ? thread->child : NULL;
	const cJSON *receiver = cJSON_GetObjectItemCaseSensitive(first, "receiver");

	if (cJSON_GetObjectItemCaseSensitive(root, "inversion"))
		return "pi_stress";
	if (cJSON_GetObjectItemCaseSensitive(receiver, "timeoutcount"))
		return "pmqtest";
	if (cJSON_GetObjectItemCaseSensitive(first, "total"))
		return "rt-migrate-test";
	if (cJSON_GetObjectItemCaseSensitive(first, "freq"))
		return "oslat";
	if (cJSON_GetObjectItemCaseSensitive(first, "node"))
		return "cyclictest";
	return NULL;
}

static void label(struct series *s, const char *key, const cJSON *object, const char *name,
                  int scale)
{
	struct number n = json_number(object, name, scale);

	/* -1: a CPU that is not known. */
	if (number_is_set(n) && n.coefficient >= 0)
		series_label_number(s, key, n);
}

static void figures(const struct document *d, struct series *s, const cJSON *object)
{
	s->field[FIELD_MIN] = json_number(object, "min", d->scale);
	s->field[FIELD_AVG] = json_number(object, "avg", d->scale);
	s->field[FIELD_MAX] = json_number(object, "max", d->scale);
}

static void no_samples(struct record *r, struct series *s)
{
	s->field[FIELD_MIN] = s->field[FIELD_AVG] = s->field[FIELD_MAX] = number_null();
	record_flag(r, FLAG_NO_SAMPLES, "/series/%u",
	            "the tool printed its start values: no sample was taken",
	            record_series_index(r, s));
}

/* cyclictest, signaltest, cyclicdeadline. */
static void take_cycles(const struct document *d, struct series *s, const cJSON *thread)
{
	struct record *r = d->state->record;
	const cJSON *histogram = cJSON_GetObjectItemCaseSensitive(thread, "histogram");

	s->field[FIELD_COUNT] = json_count(thread, "cycles");
	if (number_equal(s->field[FIELD_COUNT], number_int(0)))
		no_samples(r, s);
	else
		figures(d, s, thread);
	label(s, "cpu", thread, "cpu", 0);
	s->histogram = json_histogram(histogram, d->scale, s->resolution);
	if (!d->cut)
		json_overflow(r, s);
}

/* The four tests with pairs of threads: sender 2i + 1, receiver 2i, as in their text. */
static void take_pair(const struct document *d, struct series *s, const cJSON *thread)
{
	const cJSON *sender = cJSON_GetObjectItemCaseSensitive(thread, "sender");
	const cJSON *receiver = cJSON_GetObjectItemCaseSensitive(thread, "receiver");
	int64_t pair = g_ascii_strtoll(thread->string, NULL, 10);

	g_array_set_size(s->labels, 0);
	series_label_number(s, "sender", number_int(2 * pair + 1));
	series_label_number(s, "receiver", number_int(2 * pair));
	label(s, "cpu", receiver, "cpu", 0);
	label(s, "priority", receiver, "priority", 0);
	label(s, "interval_ns", sender, "interval", 3);
	s->field[FIELD_COUNT] = json_count(sender, "samples");
	figures(d, s, receiver);
	if (number_equal(s->field[FIELD_MIN], number_int(-1000)) ||
	    number_equal(s->field[FIELD_COUNT], number_int(0)))
		no_samples(d->state->record, s);
}

static struct number key_number(const struct document *d, const cJSON *item)
{
	struct number n;

	if (!item || !item->string)
		return number_absent();
	number_parse(item->string, strlen(item->string), d->scale, &n);
	return n;
}

/*
 * oslat: bucket k holds what took more than k - 1 and at most k; the last one also all that is
 * beyond.
 */
static struct histogram *core_histogram(const struct document *d, const cJSON *buckets)
{
	struct number first, second;
	struct histogram *h;
	const cJSON *item;

	if (!cJSON_IsObject(buckets) || !buckets->child)
		return NULL;
	h = histogram_new();
	first = key_number(d, buckets->child);
	second = key_number(d, buckets->child->next);
	h->bin_width = number_is_set(second) ? number_sub(second, first) : first;
	if (!number_is_set(h->bin_width) || h->bin_width.coefficient <= 0) {
		histogram_free(h);
		return NULL;
	}
	cJSON_ArrayForEach(item, buckets) {
		if (item->next || d->cut)
			histogram_add(h, number_sub(key_number(d, item), h->bin_width),
			              number_absent(), json_item_count(item));
		else
			h->overflow = json_item_count(item);
	}
	return h;
}

static void take_core(const struct document *d, struct series *s, const cJSON *thread)
{
	g_array_set_size(s->labels, 0);
	label(s, "cpu", thread, "cpu", 0);
	figures(d, s, thread);
	s->histogram = core_histogram(d, cJSON_GetObjectItemCaseSensitive(thread, "histogram"));
}

static void take_task(const struct document *d, struct series *s, const cJSON *thread)
{
	label(s, "priority", thread, "prio", 0);
	figures(d, s, thread);
}

static void take_thread(const struct document *d, const cJSON *thread)
{
	struct record *r = d->state->record;
	struct number index;
	struct series *s;

	if (!cJSON_IsObject(thread) ||
	    number_parse(thread->string, strlen(thread->string), 0, &index) != NUMBER_OK ||
	    r->series->len >= 8192)
		return;
	s = record_add_series(r, NULL);
	series_label_number(s, "thread", index);
	s->unit = "ns";
	s->line = json_block_line(&d->state->json, 2, thread->string);
	s->resolution = number_scale(number_int(1), d->scale);
	if (cJSON_GetObjectItemCaseSensitive(thread, "receiver"))
		take_pair(d, s, thread);
	else if (cJSON_GetObjectItemCaseSensitive(thread, "freq"))
		take_core(d, s, thread);
	else if (cJSON_GetObjectItemCaseSensitive(thread, "cycles"))
		take_cycles(d, s, thread);
	else if (cJSON_GetObjectItemCaseSensitive(thread, "total"))
		take_task(d, s, thread);
	else
		record_drop_series(r);
}

static void take_inversions(struct record *r, const cJSON *root)
{
	struct number n = json_count(root, "inversion");
	struct series *s;

	if (n.state == NUMBER_ABSENT)
		return;
	s = record_add_series(r, NULL);
	s->quantity = "inversions";
	s->unit = "1";
	s->line = r->source.first;
	s->field[FIELD_VALUE] = n;
}

static void envelope(struct record *r, const cJSON *root)
{
	const char *command = json_string(root, "cmdline:"),
		   *version = json_string(root, "rt_test_version:");

	if (!command)
		command = json_string(root, "cmdline");
	if (command && *command)
		r->command = record_text(r, command, -1);
	if (version && *version && strlen(version) < 32)
		facts_set_text(r, r->config, "rt_tests_version", version, r->source.first);
	json_sysinfo(r, cJSON_GetObjectItemCaseSensitive(root, "sysinfo"), r->source.first);
}

static void finish(struct parse *p, bool cut)
{
	struct rt_tests_json *j = p->state;
	struct record *r = j->record;
	cJSON *root = json_block_parse(&j->json), *thread;
	struct document d = { j, root, 3, cut };
	const char *tool;

	envelope(r, root);
	tool = tool_of_command(r->command);
	if (!tool)
		tool = tool_of_members(root);
	if (number_equal(json_number(root, "resolution_in_ns", 0), number_int(1)))
		d.scale = 0;
	cJSON_ArrayForEach(thread, cJSON_GetObjectItemCaseSensitive(root, "thread"))
		take_thread(&d, thread);
	if (!r->series->len)
		take_inversions(r, root);
	if (!tool || !r->series->len) {
		parse_drop(p, r, "an rt-tests file without figures");
	} else {
		r->tool = tool;
		if (cut)
			record_flag(r, FLAG_ROW_TRUNCATED, "",
			            "the JSON text ends before its braces close");
		parse_emit(p, r);
	}
	j->record = NULL;
	json_block_free(&j->json);
	cJSON_Delete(root);
}

static struct pattern start = PATTERN("^\\{?\\s*\"file_version\"\\s*:\\s*\\d+\\s*,");

static enum verdict rt_tests_json_line(struct parse *p, const struct line *l)
{
	struct rt_tests_json *j = p->state;
	enum json_status status;

	if (l->rejected)
		return VERDICT_PASS;
	if (!j->record) {
		if (!pattern_match(&start, l->row, l->row_len, 0, NULL))
			return VERDICT_PASS;
		j->record = parse_begin(p, "rt-tests", l);
		status = json_block_open(&j->json, l);
	} else {
		status = json_block_add(&j->json, l);
		if (status == JSON_BLOCK_CUT) {
			finish(p, true);
			return VERDICT_PASS;
		}
		parse_extend(p, j->record, l);
	}
	if (status != JSON_BLOCK_MORE)
		finish(p, status == JSON_BLOCK_CUT);
	return VERDICT_DATA;
}

static void rt_tests_json_end(struct parse *p)
{
	struct rt_tests_json *j = p->state;

	if (j->record)
		finish(p, true);
	json_block_free(&j->json);
}

static const struct row_shape shapes[] = {
	{ "\"file_version\": *\\d", NULL, NULL, 0 },
	{ "{ *\"file_version\": *\\d", NULL, NULL, 0 },
	{ NULL, NULL, NULL, 0 }
};
static const char *const literals[] = { "\"file_version\"", NULL };

const struct parser parser_rt_tests_json = {
	.name = "rt-tests-json",
	.summary = "JSON files of the rt-tests programs (--json)",
	.versions = "rt-tests 2.0 to 2.10",
	.sample = "\"file_version\": 1,",
	.tools = tools,
	.literals = literals,
	.shapes = shapes,
	.final_form = true,
	.state_size = sizeof(struct rt_tests_json),
	.line = rt_tests_json_line,
	.end = rt_tests_json_end,
};
