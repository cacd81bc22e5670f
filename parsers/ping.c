/*
 * ping: round trips over a network, in milliseconds; the summary of a run.
 *
 *     11938 packets transmitted, 11938 received, 0% packet loss, time 11949ms
 *     rtt min/avg/max/mdev = 0.046/0.047/0.058/0.000 ms                                    iputils
 *     round-trip min/avg/max = 0.050/0.059/0.065 ms                                        busybox
 *     round-trip min/avg/max/stddev = 0.050/0.059/0.065/0.001 ms                           BSD,
 * macOS, inetutils 127.0.0.1 : xmt/rcv/%loss = 3/3/0%, min/avg/max = 0.041/0.045/0.048 fping -c
 *     0.031 ms (min round trip time)                                                       fping -s
 *     worst case rtt = 47.9 us                                                             RTnet's
 * rtping
 *     3/3 packets, 0% loss, min/avg/ewma/max = 0.022/0.036/0.027/0.044 ms                  iputils,
 * on SIGQUIT
 *
 * Typed rows of ping are read with the typed tables.
 */
#include <string.h>

#include "lib/parser.h"

struct ping {
	struct number received; /* of the counts line above; absent: none */
	struct record *interim; /* SIGQUIT's line: stands unless a summary follows */
	struct record *fping;	/* one line a host */
	bool fping_seen;	/* its -s block repeats what the hosts' lines say */
};

static struct pattern counts = PATTERN("^(\\d+) packets transmitted, (\\d+) (?:packets )?received");
static struct pattern summary =
	PATTERN("^(?:rtt|round-trip)(?: \\(ms\\)| times?)? "
		"+min/a[vw][eg]g?/max(?:/(mdev|stddev|std-dev|stdev))? *= *"
		"([\\d.]+)/([\\d.]+)/([\\d.]++)(?:/([\\d.]++))?(?![^\\s,;.)mus])(?: *(ms|us|usec|s)\\b)?");
static struct pattern interim_row = PATTERN("^(\\d+)/(\\d+) packets, \\d+% loss, min/avg/ewma/max "
					    "= ([\\d.]+)/([\\d.]+)/[\\d.]+/([\\d.]+) ms");
static struct pattern host_row = PATTERN("^(\\S+) +: xmt/rcv/%loss = \\d+/(\\d+)/\\d+%(?:, "
					 "min/avg/max = ([\\d.]+)/([\\d.]+)/([\\d.]++)(?!\\S))?");
static struct pattern total_row = PATTERN("^([\\d.]+) ms \\((min|avg|max) round trip time\\)");
static struct pattern worst_row = PATTERN("^worst case rtt = ([\\d.]+) us\\b");
static struct pattern reply =
	PATTERN("^(?:\\[[\\d.]+\\] )?\\d+ bytes from \\S+.*time[=<][\\d.]+ ?[mu]s");
static struct pattern banner = PATTERN("^(?:PING \\S+ |Real-time PING |--- \\S+ (?:rt)?ping statistics ---)");

/* A time printed in ms (or the unit given) into f, in ns; the step of its last digit counts for the
 * resolution. */
static void set_time(struct series *s, enum field f, struct slice text, int scale)
{
	const char *point = memchr(text.p, '.', text.len);
	int decimals = point ? (int)(text.p + text.len - point - 1) : 0;
	struct number step = number_scale(number_int(1), scale - decimals);

	number_parse(text.p, text.len, scale, &s->field[f]);
	if (!number_is_set(s->resolution) || number_cmp(s->resolution, step) < 0)
		s->resolution = step;
}

static struct series *add_series(struct record *r, const char *name, const struct line *l)
{
	struct series *s = record_add_series(r, name);

	s->unit = "ns";
	s->quantity = "round trip";
	s->line = l->first;
	return s;
}

static void close_fping(struct parse *p)
{
	struct ping *ping = p->state;

	if (ping->fping && ping->fping->series->len)
		parse_emit(p, ping->fping);
	else if (ping->fping)
		parse_drop(p, ping->fping, "no answer, so no round trip");
	ping->fping = NULL;
}

static void take_summary(struct parse *p, const struct line *l, const struct match *m)
{
	struct ping *ping = p->state;
	struct record *r = parse_begin(p, "ping", l);
	struct series *s = add_series(r, NULL, l);
	const struct slice *unit = &m->group[6];
	int scale = unit->p && unit->len == 1 ? 9 : unit->p && *unit->p == 'u' ? 3 : 6;

	if (ping->interim)
		parse_drop(p, ping->interim, "an interim result of the run whose summary follows");
	ping->interim = NULL;
	set_time(s, FIELD_MIN, m->group[2], scale);
	set_time(s, FIELD_AVG, m->group[3], scale);
	set_time(s, FIELD_MAX, m->group[4], scale);
	if (m->group[5].p && m->group[1].p)
		set_time(s, *m->group[1].p == 'm' ? FIELD_MDEV : FIELD_STDDEV, m->group[5], scale);
	s->field[FIELD_COUNT] = ping->received;
	ping->received = number_absent();
	parse_emit(p, r);
}

static void take_interim(struct parse *p, const struct line *l, const struct match *m)
{
	struct ping *ping = p->state;
	struct series *s;

	if (ping->interim)
		parse_drop(p, ping->interim, "an interim result of the run whose next one follows");
	ping->interim = parse_begin(p, "ping", l);
	s = add_series(ping->interim, NULL, l);
	set_time(s, FIELD_MIN, m->group[3], 6);
	set_time(s, FIELD_AVG, m->group[4], 6);
	set_time(s, FIELD_MAX, m->group[5], 6);
	number_parse(m->group[2].p, m->group[2].len, 0, &s->field[FIELD_COUNT]);
}

static void take_host(struct parse *p, const struct line *l, const struct match *m)
{
	struct ping *ping = p->state;
	struct series *s;

	if (!ping->fping)
		ping->fping = parse_begin(p, "ping", l);
	parse_extend(p, ping->fping, l);
	ping->fping_seen = true;
	if (!m->group[3].p)
		return;
	s = add_series(ping->fping,
		       record_text(ping->fping, m->group[1].p, (gssize)m->group[1].len), l);
	set_time(s, FIELD_MIN, m->group[3], 6);
	set_time(s, FIELD_AVG, m->group[4], 6);
	set_time(s, FIELD_MAX, m->group[5], 6);
	number_parse(m->group[2].p, m->group[2].len, 0, &s->field[FIELD_COUNT]);
}

/* fping -s without -c: three lines of one series. */
static enum verdict take_total(struct parse *p, const struct line *l, const struct match *m)
{
	struct ping *ping = p->state;
	const char *what = m->group[2].p;

	if (ping->fping_seen)
		return VERDICT_FRAME;
	if (!ping->fping) {
		ping->fping = parse_begin(p, "ping", l);
		add_series(ping->fping, NULL, l);
	}
	parse_extend(p, ping->fping, l);
	set_time(ping->fping->series->pdata[0],
		 !strncmp(what, "min", 3)   ? FIELD_MIN
		 : !strncmp(what, "avg", 3) ? FIELD_AVG
					    : FIELD_MAX,
		 m->group[1], 6);
	return VERDICT_DATA;
}

/* rtping's only summary; behind its counts, for the words alone are anybody's. */
static bool take_worst(struct parse *p, const struct line *l)
{
	struct ping *ping = p->state;
	struct match m;
	struct record *r;
	struct series *s;

	if (!number_is_set(ping->received) || !ping->received.coefficient ||
	    !pattern_match(&worst_row, l->row, l->row_len, 0, &m))
		return false;
	r = parse_begin(p, "ping", l);
	s = add_series(r, NULL, l);
	set_time(s, FIELD_MAX, m.group[1], 3);
	s->field[FIELD_COUNT] = ping->received;
	ping->received = number_absent();
	parse_emit(p, r);
	return true;
}

static enum verdict ping_line(struct parse *p, const struct line *l)
{
	struct ping *ping = p->state;
	struct match m;

	if (l->rejected)
		return VERDICT_PASS;
	if (pattern_match(&host_row, l->row, l->row_len, 0, &m)) {
		take_host(p, l, &m);
		return VERDICT_DATA;
	}
	if (pattern_match(&total_row, l->row, l->row_len, 0, &m))
		return take_total(p, l, &m);
	if (ping->fping && !(l->flags & LINE_BLANK))
		close_fping(p);
	if (pattern_match(&summary, l->row, l->row_len, 0, &m)) {
		take_summary(p, l, &m);
		return VERDICT_DATA;
	}
	if (take_worst(p, l))
		return VERDICT_DATA;
	if (pattern_match(&interim_row, l->row, l->row_len, 0, &m)) {
		take_interim(p, l, &m);
		return VERDICT_DATA;
	}
	if (pattern_match(&counts, l->row, l->row_len, 0, &m)) {
		ping->received = number_absent();
		number_parse(m.group[2].p, m.group[2].len, 0, &ping->received);
		return VERDICT_FRAME;
	}
	if (pattern_match(&banner, l->row, l->row_len, 0, NULL) ||
	    pattern_match(&reply, l->row, l->row_len, 0, NULL)) {
		ping->fping_seen = false;
		return VERDICT_FRAME;
	}
	return VERDICT_PASS;
}

static void ping_end(struct parse *p)
{
	struct ping *ping = p->state;

	close_fping(p);
	if (ping->interim)
		parse_emit(p, ping->interim);
	ping->interim = NULL;
}

static const struct row_shape shapes[] = {
	{ "(?:rtt|round-trip)(?: \\(ms\\)| times?)? +min/a",
	  "(?:rtt|round-trip)(?: \\(ms\\)| times?)? +min/a[vw][eg]g?/max(?:/[a-z-]+)? *= "
	  "*[\\d.]+/[\\d.]+/[\\d.]+(?:/[\\d.]+)? *[mu]?s\\b",
	  "[\\d./= ms]+", SHAPE_INNER },
	{ "PING \\S+ \\(\\S+\\):? \\d+", NULL, NULL, 0 },
	{ "--- \\S+ (?:rt)?ping statistics ---", NULL, NULL, 0 },
	{ "Real-time PING \\d", NULL, NULL, 0 },
	{ "worst case rtt = [\\d.]", "worst case rtt = [\\d.]+ us\\b", NULL, 0 },
	{ "\\d+ packets transmitted, \\d", NULL, NULL, 0 },
	{ "\\d+/\\d+ packets, \\d+% loss, min/avg/ewma/max", NULL, NULL, 0 },
	{ "\\S+ +: xmt/rcv/%loss = ", NULL, NULL, 0 },
	{ "[\\d.]+ ms \\((?:min|avg|max) round trip time", NULL, NULL, 0 },
	{ "(?:\\[[\\d.]+\\] )?\\d+ bytes from \\S", NULL, NULL, 0 },
	{ NULL, NULL, NULL, 0 }
};

static const struct tool_option options[] = {
	{ "-c", NULL, "loops", OPTION_INTEGER }, { "-i", NULL, NULL, OPTION_TEXT },
	{ "-s", NULL, NULL, OPTION_INTEGER },	 { "-w", NULL, NULL, OPTION_INTEGER },
	{ "-W", NULL, NULL, OPTION_TEXT },	 { "-I", NULL, NULL, OPTION_TEXT },
	{ "-q", NULL, NULL, OPTION_FLAG },	 { "-f", NULL, NULL, OPTION_FLAG },
	{ "-n", NULL, NULL, OPTION_FLAG },	 { "-D", NULL, NULL, OPTION_FLAG },
	{ NULL, NULL, NULL, OPTION_FLAG }
};
static const struct tool_options commands[] = {
	{ (const char *const[]){ "ping", "ping6", "fping", "rtping", NULL }, "ping", options },
	{ NULL, NULL, NULL }
};
static const char *const tools[] = { "ping", NULL };
static const char *const literals[] = { "min/avg/max", "min/ave/max", "min/avg/ewma",
					"round trip time)", "worst case rtt", NULL };

const struct parser parser_ping = {
	.name = "ping",
	.summary = "round trips over a network: the summary",
	.versions = "iputils, busybox, BSD, macOS, inetutils, fping, rtping",
	.sample = "rtt min/avg/max/mdev = 0.046/0.047/0.058/0.000 ms",
	.tools = tools,
	.literals = literals,
	.shapes = shapes,
	.commands = commands,
	.state_size = sizeof(struct ping),
	.line = ping_line,
	.end = ping_end,
};
