/* Settings from command lines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include <glib.h>

#include "lib/command_line.h"

static const char *const programs[] = { "cyclictest", "cyclictest32", NULL };
static const struct tool_option options[] = {
	{ "-p", "--priority", "priority", OPTION_INTEGER },
	{ "-i", "--interval", "period_ns", OPTION_US },
	{ "-l", "--loops", "loops", OPTION_INTEGER },
	{ "-t", "--threads", "threads", OPTION_INTEGER },
	{ "-D", "--duration", "duration_s", OPTION_DURATION },
	{ NULL, "--policy", "policy", OPTION_TEXT },
	{ "-a", "--affinity", NULL, OPTION_SKIP },
	{ "-S", "--smp", NULL, OPTION_FLAG },
	{ "-m", "--mlockall", NULL, OPTION_FLAG },
	{ "-n", NULL, NULL, OPTION_FLAG },
	{ "-q", NULL, NULL, OPTION_FLAG },
	{ "-s", NULL, NULL, OPTION_FLAG },
	{ NULL, NULL, NULL, OPTION_FLAG }
};
static const char *const latency_programs[] = { "latency", NULL };
static const struct tool_option latency_options[] = {
	{ "-p", NULL, "period_ns", OPTION_US },
	{ "-T", NULL, "duration_s", OPTION_INTEGER },
	{ "-P", NULL, "priority", OPTION_INTEGER },
	{ "-h", NULL, NULL, OPTION_FLAG },
	{ "-t", NULL, NULL, OPTION_INTEGER },
	{ NULL, NULL, NULL, OPTION_FLAG }
};
static const struct tool_options cyclictest_commands[] = {
	{ programs, "cyclictest", options }, { NULL, NULL, NULL }
};
static const struct tool_options latency_commands[] = {
	{ latency_programs, "xenomai-latency", latency_options }, { NULL, NULL, NULL }
};
static const struct parser cyclictest = { .name = "cyclictest", .commands = cyclictest_commands };
static const struct parser latency = { .name = "latency", .commands = latency_commands };
static const struct parser *const table[] = { &cyclictest, &latency, NULL };

/* "key=value key=value" in the order in which they were set. */
static char *settings_text(const struct record *r)
{
	GString *s = g_string_new(NULL);

	for (guint i = 0; i < r->settings->len; i++) {
		const struct fact *f = &g_array_index(r->settings, struct fact, i);
		char buf[NUMBER_TEXT];

		g_string_append_printf(s, "%s%s=%s", s->len ? " " : "", f->key,
		                       f->text ? f->text : number_print(f->number, buf));
	}
	return g_string_free(s, FALSE);
}

static void test_settings(void **state)
{
	static const struct { const char *tool, *command, *settings;
	} rows[] = {
		{ "cyclictest", "./cyclictest -l 10000 -i 1000 -n -p 80 -q",
		  "loops=10000 period_ns=1000000 priority=80" },
		{ "cyclictest", "cyclictest -Smp99", "priority=99" },
		{ "cyclictest", "cyclictest -p80 -t1 -i250",
		  "priority=80 threads=1 period_ns=250000" },
		{ "cyclictest", "cyclictest --priority=80 --interval=200 --loops 5",
		  "priority=80 period_ns=200000 loops=5" },
		{ "cyclictest", "sudo taskset -c 0-3 ./cyclictest -a -t -n -p99", "priority=99" },
		{ "cyclictest", "sudo taskset 0x2 ./cyclictest32 --priority=1", "priority=1" },
		{ "cyclictest", "cgexec -g cpu,cpuset:rt cyclictest -m -a 7 -t 1 -p 95",
		  "threads=1 priority=95" },
		{ "cyclictest",
		  "FOO=1 nice -n -5 env X=y /usr/bin/cyclictest -p 10 > out.txt 2>&1 &",
		  "priority=10" },
		{ "cyclictest", "cd /tmp && cyclictest -p 10 | tee log; echo -p 90",
		  "priority=10" },
		{ "cyclictest", "hackbench -p 5 & cyclictest -p 10", "priority=10" },
		{ "cyclictest", "chrt -f 70 cyclictest -i 100",
		  "priority=70 policy=fifo period_ns=100000" },
		{ "cyclictest", "cyclictest -D 10m -q", "duration_s=600" },
		{ "cyclictest", "cyclictest -D24h --policy rr", "duration_s=86400 policy=rr" },
		{ "cyclictest", "cyclictest -p 10 -p 20", "priority=20" },
		{ "cyclictest", "cyclictest -p '80' -i \"500\"", "priority=80 period_ns=500000" },
		{ "cyclictest", "cyclictest -q # -p 80", "" },
		/* What cannot be read for certain sets nothing. */
		{ "cyclictest", "cyclictest -smp -p 80 -n", "" },
		{ "cyclictest", "cyclictest -p", "" },
		{ "cyclictest", "cyclictest -p 80x -i 1.2.3", "" },
		{ "cyclictest", "cyclictest -p $PRIO -i 200", "period_ns=200000" },
		{ "cyclictest", "cyclictest -Zp80", "" },
		{ "cyclictest", "cyclictest -D 10q", "" },
		{ "cyclictest", "cyclictest -- -p 80", "" },
		{ "cyclictest", "latency -p 100", "" },
		{ "cyclictest", "cyclictest -i 99999999999999999999", "" },
		{ "cyclictest", "echo cyclictest -p 80", "" },
		{ "cyclictest", "cyclictest > file -p 80", "priority=80" },
		{ "xenomai-latency", "./latency -t0", "" },
		{ "xenomai-latency", "latency -p500 -T 25 -h", "period_ns=500000 duration_s=25" },
		{ "xenomai-latency", "xeno latency -T 60", "duration_s=60" },
		{ "table", "cyclictest -p 80", "" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct record *r = record_new(rows[i].tool);
		g_autofree char *got = NULL;

		command_settings(rows[i].command, table, r);
		got = settings_text(r);
		if (strcmp(got, rows[i].settings))
			fail_msg("%s: \"%s\" instead of \"%s\"", rows[i].command, got,
			         rows[i].settings);
		record_free(r);
	}
}

static void test_set_keys_stay(void **state)
{
	struct record *r = record_new("cyclictest");

	(void)state;
	facts_set_number(r->settings, "priority", number_int(2), 7);
	command_settings("cyclictest -p 80 -l 5", table, r);
	assert_true(number_equal(facts_get(r->settings, "priority")->number, number_int(2)));
	assert_true(number_equal(facts_get(r->settings, "loops")->number, number_int(5)));
	command_settings(NULL, table, r);
	record_free(r);
}

static void test_cut(void **state)
{
	static const struct { const char *command, *programs; } rows[] = {
		{ "sudo -u root ./a -x; b && c | d &", "a b c d" },
		{ "while true; do hackbench 20; done", "true hackbench done" },
		{ "echo 'a; b' \"c && d\" e\\;f", "echo" },
		{ "", "" },
		{ ";;&&||", "" },
		{ "'never closed", "never closed" },
		{ "a 2>/dev/null >>x", "a" },
		{ "evl run latmus -T 5", "latmus" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		GPtrArray *parts = command_line_cut(rows[i].command);
		g_autoptr(GString) got = g_string_new(NULL);

		for (guint k = 0; k < parts->len; k++) {
			const struct command_part *p = parts->pdata[k];

			g_string_append_printf(got, "%s%s", got->len ? " " : "", p->program);
		}
		assert_string_equal(got->str, rows[i].programs);
		g_ptr_array_unref(parts);
	}
}

static void test_background(void **state)
{
	GPtrArray *parts = command_line_cut("hackbench 20 & cyclictest");

	(void)state;
	assert_int_equal(parts->len, 2);
	assert_true(((struct command_part *)parts->pdata[0])->background);
	assert_false(((struct command_part *)parts->pdata[1])->background);
	g_ptr_array_unref(parts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_settings),
		cmocka_unit_test(test_set_keys_stay),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_background),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
