/*
 * jitterdebugger: text (0.1 to 0.3.1 and later) and results.json (versions 1 to 3).
 *
 *     T: 0 (22247) A: 0 C:       300 Min:        21 Avg:   30.97 Max:       178
 *
 * The order was Min Max Avg up to 0.3. Microseconds; with -N nanoseconds, which the text does not
 * say.
 */
#include <string.h>

#include "parsers/json_block.h"
#include "parsers/thread_rows.h"

struct jitterdebugger {
	struct thread_run run;
	struct json_block json;
	struct record *record;          /* of the JSON block */
	char *hit;                      /* what "… hit 41 us latency" said */
	bool hit_ns;
};

static struct pattern affinity = PATTERN("^affinity: [\\d,-]+ = \\d+ \\[0x[0-9A-Fa-f,]+\\]$");
static struct pattern hit_line = PATTERN("^Thread (\\d+) on CPU (\\d+) hit (\\d+) (us|ns) latency");

static bool asks_for_nanoseconds(const char *command)
{
	static struct pattern nsec =
		PATTERN("jitterdebugger\\b.*\\s(?:-[a-zA-Z]*N|--nsec)(?:\\s|$)");

	return command && pattern_match(&nsec, command, strlen(command), 0, NULL);
}

/* Whether all minima are at least 10 ms as microseconds: such a machine runs no benchmark. */
static bool all_huge(const struct thread_run *run)
{
	bool any = false;

	for (guint i = 0; i < run->rows->len; i++) {
		const struct thread_row *row = &g_array_index(run->rows, struct thread_row, i);

		if (thread_row_empty(row) || !number_is_set(row->value[THREAD_MIN]))
			continue;
		if (number_cmp(row->value[THREAD_MIN], number_int(10000)) < 0)
			return false;
		any = true;
	}
	return any;
}

static int run_scale(struct jitterdebugger *j)
{
	if (asks_for_nanoseconds(j->run.record->command) || (j->hit && j->hit_ns))
		return 0;
	if (!j->run.record->command && !j->hit && all_huge(&j->run)) {
		record_flag(j->run.record, FLAG_UNIT_ASSUMED, "",
		            "nanoseconds (-N) were assumed, since no minimum is below 10000");
		return 0;
	}
	return 3;
}

static void finish(struct parse *p)
{
	struct jitterdebugger *j = p->state;

	if (j->run.record) {
		thread_run_fill(&j->run, run_scale(j));
		if (j->hit)
			record_flag(j->run.record, FLAG_INTERRUPTED, "%s", j->hit, "");
		parse_emit(p, j->run.record);
	}
	thread_run_reset(&j->run);
	g_clear_pointer(&j->hit, g_free);
}

/* One member of "cpu": {"histogram": {…}, "count", "min", "max", "avg"}. */
static void fill_cpu(struct jitterdebugger *j, const cJSON *cpu, int scale, bool cut)
{
	struct record *r = j->record;
	struct number thread, count = json_count(cpu, "count");
	struct series *s;

	if (number_parse(cpu->string, strlen(cpu->string), 0, &thread) != NUMBER_OK ||
	    !cJSON_IsObject(cpu))
		return;
	s = thread_series(r, thread);
	s->line = json_block_line(&j->json, 2, cpu->string);
	s->resolution = number_scale(number_int(1), scale);
	s->field[FIELD_COUNT] = count;
	if (number_equal(count, number_int(0))) {
		s->field[FIELD_MIN] = s->field[FIELD_AVG] = s->field[FIELD_MAX] = number_null();
		record_flag(r, FLAG_NO_SAMPLES, "/series/%u",
		            "the tool printed its start values: no sample was taken",
		            record_series_index(r, s));
		return;
	}
	s->field[FIELD_MIN] = json_number(cpu, "min", scale);
	s->field[FIELD_AVG] = json_number(cpu, "avg", scale);
	s->field[FIELD_MAX] = json_number(cpu, "max", scale);
	s->histogram = json_histogram(cJSON_GetObjectItemCaseSensitive(cpu, "histogram"), scale,
	                              s->resolution);
	if (!cut)
		json_overflow(r, s);
}

/*
 * Whether the open run's rows are these figures: the JSON file is then the final form of that run.
 */
static bool is_of_run(const struct jitterdebugger *j, int scale)
{
	if (!j->run.record || j->run.rows->len != j->record->series->len)
		return false;
	for (guint i = 0; i < j->run.rows->len; i++) {
		const struct thread_row *row = &g_array_index(j->run.rows, struct thread_row, i);
		const struct series *s = g_ptr_array_index(j->record->series, i);

		if (!number_equal(row->value[THREAD_C], s->field[FIELD_COUNT]) ||
		    (!thread_row_empty(row) &&
		     !number_equal(number_scale(row->value[THREAD_MAX], scale),
		                   s->field[FIELD_MAX])))
			return false;
	}
	return true;
}

/* Labels that only the rows have. */
static void take_rows(struct parse *p, struct jitterdebugger *j)
{
	for (guint i = 0; i < j->run.rows->len; i++) {
		const struct thread_row *row = &g_array_index(j->run.rows, struct thread_row, i);
		struct series *s = thread_series(j->record, row->thread);

		series_label_number(s, "tid", row->tid);
		series_label_number(s, "cpu", row->value[THREAD_A]);
	}
	j->record->source.first = MIN(j->record->source.first, j->run.record->source.first);
	j->record->title = record_text(j->record, j->run.record->title, -1);
	j->record->command = record_text(j->record, j->run.record->command, -1);
	parse_drop(p, j->run.record, "its JSON form counts");
	thread_run_reset(&j->run);
}

static void finish_json(struct parse *p, bool cut)
{
	struct jitterdebugger *j = p->state;
	cJSON *root = json_block_parse(&j->json), *cpu;
	const cJSON *sysinfo = cJSON_GetObjectItemCaseSensitive(root, "sysinfo");
	struct number resolution = json_number(sysinfo, "resolution_in_ns", 0);
	int scale = number_equal(resolution, number_int(1)) ? 0 : 3;

	cJSON_ArrayForEach(cpu, cJSON_GetObjectItemCaseSensitive(root, "cpu"))
		if (cJSON_GetObjectItemCaseSensitive(cpu, "count"))
			fill_cpu(j, cpu, scale, cut);
	if (!j->record->series->len) {
		parse_drop(p, j->record, "not jitterdebugger's results");
	} else {
		json_sysinfo(j->record, sysinfo, j->record->source.first);
		if (cut)
			record_flag(j->record, FLAG_ROW_TRUNCATED, "",
			            "the JSON text ends before its braces close");
		if (is_of_run(j, scale))
			take_rows(p, j);
		finish(p);
		parse_emit(p, j->record);
	}
	j->record = NULL;
	json_block_free(&j->json);
	cJSON_Delete(root);
}

static struct pattern json_start =
	PATTERN("^\\{?\\s*\"(?:version\"\\s*:\\s*[123]\\s*,|cpu\"\\s*:\\s*\\{)");

static enum verdict take_json(struct parse *p, const struct line *l)
{
	struct jitterdebugger *j = p->state;
	enum json_status status;

	if (!j->record) {
		if (!pattern_match(&json_start, l->row, l->row_len, 0, NULL))
			return VERDICT_PASS;
		j->record = parse_begin(p, "jitterdebugger", l);
		status = json_block_open(&j->json, l);
	} else {
		status = json_block_add(&j->json, l);
		if (status == JSON_BLOCK_CUT) {
			finish_json(p, true);
			return VERDICT_PASS;
		}
		parse_extend(p, j->record, l);
	}
	if (status != JSON_BLOCK_MORE)
		finish_json(p, status == JSON_BLOCK_CUT);
	return VERDICT_DATA;
}

static enum verdict jitterdebugger_line(struct parse *p, const struct line *l)
{
	struct jitterdebugger *j = p->state;
	struct thread_row row;
	struct match m;

	if (l->rejected)
		return VERDICT_PASS;
	if (thread_row_of(l, &row)) {
		if (!thread_row_has(&row, THREAD_A))
			return VERDICT_PASS;
		if (!thread_run_follows(p, &j->run, &row))
			finish(p);
		thread_run_add(p, &j->run, "jitterdebugger", l, &row);
		return VERDICT_DATA;
	}
	if (pattern_match(&affinity, l->row, l->row_len, 0, NULL)) {
		finish(p);
		return VERDICT_FRAME;
	}
	if (j->run.record && pattern_match(&hit_line, l->row, l->row_len, 0, &m)) {
		parse_extend(p, j->run.record, l);
		j->hit_ns = *m.group[4].p == 'n';
		g_free(j->hit);
		j->hit = g_strdup_printf("stopped by --break: %.*s", (int)l->row_len, l->row);
		return VERDICT_FRAME;
	}
	if (take_json(p, l) == VERDICT_DATA)
		return VERDICT_DATA;
	thread_run_other(&j->run, l);
	return VERDICT_PASS;
}

static void jitterdebugger_end(struct parse *p)
{
	struct jitterdebugger *j = p->state;

	if (j->record)
		finish_json(p, true);
	finish(p);
	thread_run_free(&j->run);
	json_block_free(&j->json);
}

#define COUNT "C: *\\d+ *Min: *\\d+ *"
#define ROW_END "(?! ?\\.\\.| ?\xe2\x80\xa6|[.,']\\d|[a-tv-z])"

static const struct row_shape shapes[] = {
	{ "T: ?\\d+ *\\( *\\d+ *\\) *A:",
	  "T: ?\\d+ *\\( *\\d+ *\\) *A: *\\d+ *" COUNT
	  "(?:Avg: *(?:-?nan|\\d+\\.\\d+) *Max: *\\d++|Max: *\\d++ *Avg: *(?:-?nan|\\d+\\.\\d++))" ROW_END,
	  "(?:(?:[AC]:|Min:|Avg:|Max:|-?nan|\\d++(?:\\.\\d++)?|\\))\\s*+)++$", SHAPE_INNER },
	{ "affinity: [\\d,-]+ = \\d+ \\[0x", NULL, NULL, 0 },
	{ "\"version\": *[123],", NULL, NULL, 0 },
	{ "{ *\"version\": *[123],", NULL, NULL, 0 },
	{ "\"cpu\": *{", NULL, NULL, 0 },
	{ NULL, NULL, NULL, 0 }
};

static const struct tool_option options[] = {
	{ "-a", "--affinity", NULL, OPTION_TEXT },
	{ "-b", "--break", NULL, OPTION_INTEGER },
	{ "-c", "--command", NULL, OPTION_TEXT },
	{ "-D", "--duration", "duration_s", OPTION_DURATION },
	{ "-f", "--file", NULL, OPTION_TEXT },
	{ "-i", "--interval", "period_ns", OPTION_US },
	{ "-l", "--loops", "loops", OPTION_INTEGER },
	{ "-n", NULL, NULL, OPTION_TEXT },
	{ "-N", "--nsec", NULL, OPTION_FLAG },
	{ "-o", "--output", NULL, OPTION_TEXT },
	{ "-p", "--priority", "priority", OPTION_INTEGER },
	{ "-s", "--samples", NULL, OPTION_TEXT },
	{ "-v", "--verbose", NULL, OPTION_FLAG },
	{ NULL, NULL, NULL, OPTION_FLAG }
};

static const char *const programs[] = { "jitterdebugger", NULL };
static const struct tool_options commands[] = {
	{ programs, "jitterdebugger", options },
	{ NULL, NULL, NULL }
};
static const char *const tools[] = { "jitterdebugger", NULL };
static const char *const literals[] = { ") A:", "\"cpu\": {", NULL };

const struct parser parser_jitterdebugger = {
	.name = "jitterdebugger",
	.summary = "wake-up latency per thread: rows and results.json",
	.versions = "0.1 to 0.3.1 and later, JSON versions 1 to 3",
	.sample = "T: 0 (22247) A: 0 C:       300 Min:        21 Avg:   30.97 Max:       178",
	.tools = tools,
	.literals = literals,
	.shapes = shapes,
	.commands = commands,
	.state_size = sizeof(struct jitterdebugger),
	.line = jitterdebugger_line,
	.end = jitterdebugger_end,
};
