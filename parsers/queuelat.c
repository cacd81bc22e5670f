/*
 * queuelat of rt-tests (1.2 and later): how long a loop over a queue of packets took, in
 * nanoseconds.
 *
 *     tsc_freq_ghz = 2.000000, cycles_to_ns = 0.500000
 *     max_queue_len = 10
 *     [0 - 99] = 14927
 *     [70000 - END] = 0
 *     Min loop processing time: [0 - 99] = 14927
 *     Avg loop processing time: 100
 *
 * Minimum and maximum are told as the bins in which they lie: ranges, no numbers.
 */
#include <string.h>

#include "lib/parser.h"

struct queuelat {
	struct record *record;          /* NULL: no run is open */
	struct series *series;
	bool closed;                    /* "END" was read: what follows are the summary's rows */
};

static struct pattern banner = PATTERN("^tsc_freq_ghz = [\\d.]+, cycles_to_ns = [\\d.]+$");
static struct pattern frame = PATTERN(
	"^(?:max_queue_len = \\d+$|\\.\\.\\.$|-{10,}$|(?:Min|Max) loop processing time: \\[)");
static struct pattern bin_row = PATTERN(
	"^\\[(\\d+) - (?:(\\d+)|(END))\\] = (\\d+)(?: +packetfillrates=\\[\\d+ - \\d+\\])?$");
static struct pattern avg_row = PATTERN("^Avg loop processing time: (\\d+)$");
static struct pattern exceeded = PATTERN("^queue length exceeded: ");

static struct number slice_number(struct slice s)
{
	struct number n;

	number_parse(s.p, s.len, 0, &n);
	return n;
}

static void finish(struct parse *p)
{
	struct queuelat *q = p->state;

	if (!q->record)
		return;
	if (q->series->histogram->bins->len || number_is_set(q->series->field[FIELD_AVG]))
		parse_emit(p, q->record);
	else
		parse_drop(p, q->record, "cut before its figures");
	memset(q, 0, sizeof(*q));
}

static void begin(struct parse *p, const struct line *l)
{
	struct queuelat *q = p->state;

	q->record = parse_begin(p, "queuelat", l);
	q->series = record_add_series(q->record, NULL);
	q->series->quantity = "processing time";
	q->series->unit = "ns";
	q->series->line = l->first;
	q->series->resolution = number_int(1);
	q->series->histogram = histogram_new();
}

static void take_bin(struct queuelat *q, const struct match *m)
{
	struct histogram *h = q->series->histogram;
	struct number lower = slice_number(m->group[1]), upper;

	if (m->group[3].p) {
		h->overflow = slice_number(m->group[4]);
		q->closed = true;
		return;
	}
	upper = number_add(slice_number(m->group[2]), number_int(1));
	if (!number_is_set(h->bin_width))
		h->bin_width = number_sub(upper, lower);
	histogram_add(h, lower, number_absent(), slice_number(m->group[4]));
}

static enum verdict queuelat_line(struct parse *p, const struct line *l)
{
	struct queuelat *q = p->state;
	enum verdict v = VERDICT_FRAME;
	struct match m;

	if (l->rejected)
		return VERDICT_PASS;
	if (pattern_match(&banner, l->row, l->row_len, 0, NULL)) {
		finish(p);
		begin(p, l);
		return VERDICT_FRAME;
	}
	if (!q->record)
		return VERDICT_PASS;
	/* "[0 - 99]" may have been taken for a log's prefix: the text has it in any case. */
	if (!q->closed && (pattern_match(&bin_row, l->row, l->row_len, 0, &m) ||
	                   pattern_match(&bin_row, l->text + strspn(l->text, " "),
	                                 l->len - strspn(l->text, " "), 0, &m))) {
		take_bin(q, &m);
		v = VERDICT_DATA;
	} else if (pattern_match(&avg_row, l->row, l->row_len, 0, &m)) {
		q->series->field[FIELD_AVG] = slice_number(m.group[1]);
		q->series->line = l->first;
		v = VERDICT_DATA;
	} else if (pattern_match(&exceeded, l->row, l->row_len, 0, NULL)) {
		record_flag(q->record, FLAG_INTERRUPTED, "", "the queue grew beyond its limit");
	} else if (!pattern_match(&frame, l->row, l->row_len, 0, NULL)) {
		return VERDICT_PASS;
	}
	parse_extend(p, q->record, l);
	return v;
}

static const struct row_shape shapes[] = {
	{ "tsc_freq_ghz = [\\d.]+, cycles_to_ns = [\\d.]+", NULL, NULL, SHAPE_INNER },
	{ "Avg loop processing time: \\d", NULL, NULL, SHAPE_INNER },
	{ NULL, NULL, NULL, 0 }
};

static const struct tool_option options[] = {
	{ "-c", "--cycles", NULL, OPTION_INTEGER },
	{ "-f", "--freq", NULL, OPTION_INTEGER },
	{ "-m", "--max-len", NULL, OPTION_INTEGER },
	{ "-p", "--packets", NULL, OPTION_INTEGER },
	{ "-q", "--queue-len", NULL, OPTION_INTEGER },
	{ "-t", "--timeout", "duration_s", OPTION_DURATION },
	{ NULL, NULL, NULL, OPTION_FLAG }
};
static const struct tool_options commands[] = {
	{ (const char *const[]){ "queuelat", NULL }, "queuelat", options },
	{ NULL, NULL, NULL }
};
static const char *const tools[] = { "queuelat", NULL };
static const char *const literals[] = { "tsc_freq_ghz = ", NULL };

const struct parser parser_queuelat = {
	.name = "queuelat",
	.summary = "processing time of a packet queue's loop, as histogram",
	.versions = "rt-tests 1.2 to 2.10",
	.sample = "[0 - 99] = 14927",
	.tools = tools,
	.literals = literals,
	.shapes = shapes,
	.commands = commands,
	.state_size = sizeof(struct queuelat),
	.line = queuelat_line,
	.end = finish,
};
