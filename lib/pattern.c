/* PCRE2 patterns with JIT and limits. */
#include <glib.h>
#include <pcre2.h>

#include "lib/pattern.h"

/*
 * Far above what a row needs on TEXT_MAX_LINE bytes of honest input, and low enough that
 * a hostile line costs milliseconds.
 */
#define MATCH_LIMIT 2000000u
#define DEPTH_LIMIT 2000u
#define HEAP_LIMIT_KIB 16384u

struct scratch {
	pcre2_match_data *data;
	pcre2_match_context *context;
	pcre2_jit_stack *stack;
};

static void scratch_free(void *p)
{
	struct scratch *s = p;

	pcre2_match_data_free(s->data);
	pcre2_match_context_free(s->context);
	pcre2_jit_stack_free(s->stack);
	g_free(s);
}

static GPrivate scratch_key = G_PRIVATE_INIT(scratch_free);
static _Thread_local struct scratch *scratch;   /* what scratch_key holds, at hand */

/* Match data and limits of this thread. */
static struct scratch *scratch_get(void)
{
	struct scratch *s = scratch;

	if (s)
		return s;
	s = g_new0(struct scratch, 1);
	s->data = pcre2_match_data_create(PATTERN_GROUPS, NULL);
	s->context = pcre2_match_context_create(NULL);
	s->stack = pcre2_jit_stack_create(32 * 1024, 1024 * 1024, NULL);
	if (!s->data || !s->context || !s->stack)
		g_error("out of memory");
	pcre2_set_match_limit(s->context, MATCH_LIMIT);
	pcre2_set_depth_limit(s->context, DEPTH_LIMIT);
	pcre2_set_heap_limit(s->context, HEAP_LIMIT_KIB);
	pcre2_jit_stack_assign(s->context, NULL, s->stack);
	g_private_set(&scratch_key, s);
	scratch = s;
	return s;
}

static pcre2_code *compile(const char *source, uint32_t flags)
{
	int error;
	PCRE2_SIZE offset;
	pcre2_code *code = pcre2_compile((PCRE2_SPTR)source, PCRE2_ZERO_TERMINATED, flags, &error, &offset, NULL);

	if (!code) {
		PCRE2_UCHAR message[256];

		pcre2_get_error_message(error, message, sizeof message);
		g_error("pattern \"%s\", at %zu: %s", source, (size_t)offset, (char *)message);
	}
	/*
	 * Without JIT support the interpreter does the same, only slower. Under valgrind it is
	 * what one wants: JIT code reads vectors beyond the subject's end by design.
	 */
	if (!g_getenv("RTREPORT_NO_JIT"))
		pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);
	return code;
}

/* Anchored ones are compiled so: JIT code cannot be told when it is run. */
static pcre2_code *pattern_code(struct pattern *p, bool anchored)
{
	void **code = anchored ? &p->anchored : &p->code;

	if (g_once_init_enter(code))
		g_once_init_leave(code, compile(p->source, anchored ? PCRE2_ANCHORED : 0));
	return *code;
}

static void match_fill(struct match *m, const char *text, pcre2_match_data *data, int count)
{
	PCRE2_SIZE *o = pcre2_get_ovector_pointer(data);

	m->count = count;
	for (int i = 0; i < PATTERN_GROUPS; i++) {
		bool set = i < count && o[2 * i] != PCRE2_UNSET && o[2 * i] <= o[2 * i + 1];

		m->group[i].p = set ? text + o[2 * i] : NULL;
		m->group[i].len = set ? o[2 * i + 1] - o[2 * i] : 0;
	}
	m->begin = m->group[0].p;
	m->end = m->begin + m->group[0].len;
}

static bool run(struct pattern *p, const char *text, size_t len, size_t from, bool anchored,
                struct match *m)
{
	pcre2_code *code = pattern_code(p, anchored);
	struct scratch *s = scratch_get();
	int n;

	if (from > len)
		return false;
	n = pcre2_jit_match(code, (PCRE2_SPTR)text, len, from, 0, s->data, s->context);
	if (n == PCRE2_ERROR_JIT_BADOPTION)     /* there is no JIT code */
		n = pcre2_match(code, (PCRE2_SPTR)text, len, from, 0, s->data, s->context);
	if (n < 0)
		return false;
	if (m)
		match_fill(m, text, s->data, n ? n : PATTERN_GROUPS);
	return true;
}

bool pattern_match(struct pattern *p, const char *text, size_t len, size_t from, struct match *m)
{
	return run(p, text, len, from, false, m);
}

bool pattern_match_at(struct pattern *p, const char *text, size_t len, size_t from, struct match *m)
{
	return run(p, text, len, from, true, m);
}

bool pattern_may_begin(struct pattern *p, char first)
{
	const uint8_t *map = NULL;

	pcre2_pattern_info(pattern_code(p, true), PCRE2_INFO_FIRSTBITMAP, &map);
	return !map || map[(unsigned char)first / 8] >> (unsigned char)first % 8 & 1;
}
