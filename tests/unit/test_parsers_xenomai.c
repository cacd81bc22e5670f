/* Xenomai, EVL and RTAI: their tables in all eras, alone and as mail leaves them. */
#include "tests/unit/reading.h"

/* Texts */

#define BANNER(period, mode) \
	"== Sampling period: " period " us\n== Test mode: " mode \
	"\n== All results in microseconds\nwarming up...\n"
#define USER "periodic user-mode task"
#define KERNEL "in-kernel periodic task"
#define RTT(time, mode, period) "RTT|  " time "  (" mode ", " period " us period, priority 99)\n"
#define RTH7 "RTH|----lat min|----lat avg|----lat max|-overrun|---msw|---lat best|--lat worst\n"
#define RTH6 "RTH|-----lat min|-----lat avg|-----lat max|-overrun|----lat best|---lat worst\n"
#define RULE7 "---|-----------|-----------|-----------|--------|------|-------------------------\n"
#define RULE6 "---|------------|------------|------------|--------|-------------------------\n"

/* 2.5.1 and later. */
#define MODERN \
	BANNER("100", USER) RTT("00:00:01", USER, "100") RTH7 \
	"RTD|      2.118|      3.455|     11.204|       0|     0|      2.118|     11.204\n" \
	"RTD|     -0.417|      3.461|     23.870|       1|     2|     -0.417|     23.870\n" \
	RULE7 \
	"RTS|     -0.417|      3.458|     23.870|       1|     2|    00:00:03/00:00:03\n"
#define MODERN_READ \
	"xenomai-latency[user-task] { period_ns=100000 priority=99 duration_s=3 } ns" \
	" min=-417 avg=3458 max=23870 overruns=1 mode_switches=2 rows=2"

/* 2.1 to 2.5.0, without mode switches. */
#define MIDDLE \
	BANNER("500", KERNEL) RTT("00:00:01", KERNEL, "500") RTH6 \
	"RTD|      -1.204|       0.318|       6.771|       0|      -1.204|       6.771\n" \
	"RTD|      -1.190|       0.322|       8.015|       0|      -1.204|       8.015\n" \
	RULE6 \
	"RTS|      -1.204|       0.320|       8.015|       0|    00:00:03/00:00:03\n"
#define MIDDLE_READ \
	"xenomai-latency[kernel-task] { period_ns=500000 priority=99 duration_s=3 } ns" \
	" min=-1204 avg=320 max=8015 overruns=0 rows=2"

/* 2005-04 to 2.0. */
#define OLD \
	"== Sampling period: 200 us\nRTT|  00:00:01\n" RTH6 \
	"RTD|        -812|        1377|       12450|       0|        -812|       12450\n" \
	"RTD|        -644|        1391|       31008|       2|        -812|       31008\n" \
	RULE6 \
	"RTS|        -812|        1384|       31008|       2|    00:00:03/00:00:03\n"
#define OLD_READ \
	"xenomai-latency { period_ns=200000 duration_s=3 } ns min=-812 avg=1384 max=31008 " \
	"overruns=2 rows=2"

#define RTAI_TABLE \
	"## RTAI latency calibration tool ##\n# period = 100000 (ns)\n# avrgtime = 1 (s)\n# use " \
	"the FPU\n# start the timer\n" \
	"# timer_mode is oneshot\n\nRTAI Testsuite - KERNEL latency (all data in " \
	"nanoseconds)\n2006/01/8 14:02:11\n" \
	"RTH|    lat min|    ovl min|    lat avg|    lat max|    ovl max|   overruns\n" \
	"RTD|      -1402|      -1402|       1530|       7745|       7745|          0\n" \
	"RTD|      -1377|      -1402|       1522|       9120|       9120|          3\n"
#define RTAI_READ \
	"rtai-latency[kernel-task] { period_ns=100000 } ns min=-1402 avg=1526 max=9120 " \
	"overruns=3 rows=2 | derived"

/* What mail and terminals do to a text. */

static char *quoted(const char *text, const char *marks)
{
	GString *out = g_string_new(NULL);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	for (char **l = lines; *l && (l[1] || **l); l++)
		g_string_append_printf(out, "%s%s\n", marks, *l);
	return g_string_free(out, FALSE);
}

/* Breaks lines at the last blank within `width`, as a mailer does; every piece gets the marks. */
static char *wrapped(const char *text, const char *marks, size_t width)
{
	GString *out = g_string_new(NULL);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	for (char **l = lines; *l && (l[1] || **l); l++) {
		const char *rest = *l;

		while (strlen(rest) > width) {
			const char *at = rest + width;

			while (at > rest && *at != ' ')
				at--;
			if (at == rest)
				break;
			g_string_append_printf(out, "%s%.*s\n", marks, (int)(at - rest), rest);
			rest = at + 1;
		}
		g_string_append_printf(out, "%s%s\n", marks, rest);
	}
	return g_string_free(out, FALSE);
}

static char *replaced(const char *text, const char *what, const char *with)
{
	g_auto(GStrv) parts = g_strsplit(text, what, -1);

	return g_strjoinv(with, parts);
}

/* All line ends and all runs of blanks become one blank. */
static char *flattened(const char *text)
{
	GString *out = g_string_new("A board ");

	for (const char *p = text; *p; p++) {
		bool blank = *p == ' ' || *p == '\n';

		if (!blank || out->str[out->len - 1] != ' ')
			g_string_append_c(out, blank ? ' ' : *p);
	}
	return g_string_free(out, FALSE);
}

/* Flags that only tell how the text came are no part of the comparison. */
static void same_numbers(char *text, const char *want)
{
	g_autofree char *got = reading(text);
	size_t len = strcspn(want, "|");

	while (len && want[len - 1] == ' ')
		len--;
	if (strncmp(got, want, len) || (got[len] != '\n' && got[len] != ' '))
		fail_msg("of\n%s\nwas read\n%swanted\n%s", text, got, want);
	if (strchr(got, '\n')[1])
		fail_msg("of\n%s\nmore than one result was read:\n%s", text, got);
	g_free(text);
}

static void any_wrapping(void **state)
{
	static const struct { const char *text, *want;
	} cases[] = { { MODERN, MODERN_READ },
		      { MIDDLE, MIDDLE_READ },
		      { OLD, OLD_READ },
		      { RTAI_TABLE, RTAI_READ } };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		const char *text = cases[i].text, *want = cases[i].want;

		same_numbers(g_strdup(text), want);
		same_numbers(replaced(text, "\n", "\r\n"), want);
		same_numbers(quoted(text, "> "), want);
		same_numbers(quoted(text, ">> "), want);
		same_numbers(quoted(text, "> > > "), want);
		same_numbers(wrapped(text, "", 72), want);
		same_numbers(wrapped(text, "> ", 70), want);
		same_numbers(wrapped(text, ">> ", 64), want);
		same_numbers(replaced(text, "  ", "\302\240 "), want);
		same_numbers(replaced(text, "  ", " \t"), want);
		same_numbers(quoted(text, "    "), want);
		same_numbers(quoted(text, "- "), want);
		same_numbers(replaced(text, "|", "\302\246"), want);
		same_numbers(flattened(text), want);
	}
}

/* Eras of Xenomai and fusion */

static void eras(void **state)
{
	(void)state;
	reads(MODERN, MODERN_READ "\n");
	reads(MIDDLE, MIDDLE_READ "\n");
	reads(OLD, OLD_READ " | unit-assumed\n");
	/* 2005-01 to 2005-04: no best and worst. */
	reads("== Sampling period: 100 us\nRTH|     lat min|     lat avg|     lat max|     "
	      "overrun\n"
	      "RTD|         902|        2877|       19044|           0\n"
	      "RTD|         911|        2875|       14230|           4\n",
	      "xenomai-latency { period_ns=100000 } ns min=902 avg=2876 max=19044 overruns=4 "
	      "rows=2 | unit-assumed,derived\n");
	/* The summary of one day in 2005. */
	reads("RTH|     lat min|     lat avg|     lat max|     overrun\n"
	      "RTD|         902|        2877|       19044|           0\n"
	      "RTSummary| requested test duration:\t60\nRTSummary| minimum "
	      "jitter:\t902\nRTSummary| average jitter:\t2877\n"
	      "RTSummary| maximum jitter:\t19044\nRTSummary| overruns:\t0\n",
	      "xenomai-latency { duration_s=60 } ns min=902 avg=2877 max=19044 overruns=0 rows=1 | "
	      "unit-assumed\n");
	/* 2004. */
	reads("Go for 10000 samples...\nmin = 1190 ns, max = 18804 ns, avg = 2704 ns\n"
	      "min = 1177 ns, max = 20411 ns, avg = 2710 ns, overrun = 1\n",
	      "xenomai-latency[user-task] ns min=1177 avg=2707 max=20411 overruns=1 rows=2 | "
	      "derived\n");
	/* Quiet: only the summary. */
	reads(BANNER("1000", USER) RULE7
	      "RTS|     20.735|     34.811|    428.039|       0|     0|    00:00:02/00:00:02\n",
	      "xenomai-latency[user-task] { period_ns=1000000 duration_s=2 } ns min=20735 "
	      "avg=34811 max=428039 overruns=0 mode_switches=0\n");
	/* Rows alone: three decimals are microseconds, the number of cells tells the columns. */
	reads("RTD|      2.118|      3.455|     11.204|       0|     7|      2.118|     11.204\n",
	      "xenomai-latency ns min=2118 avg=3455 max=11204 overruns=0 mode_switches=7 rows=1 | "
	      "unit-assumed,derived\n");
	reads("RTD|       2.118|       3.455|      11.204|       5|       2.118|      11.204\n",
	      "xenomai-latency ns min=2118 avg=3455 max=11204 overruns=5 rows=1 | "
	      "unit-assumed,derived\n");
	/* Integers alone could be of other programs. */
	reads("RTD|        -812|        1377|       12450|       0|        -812|       12450\n",
	      "");
}

static void klatency(void **state)
{
	(void)state;
	reads("RTH|----klat min|----klat avg|----klat max|     overrun|---klat best|--klat worst\n"
	      "RTD|         402|        1377|       12450|       0|         402|       12450\n",
	      "xenomai-klatency[kernel-task] ns min=402 avg=1377 max=12450 overruns=0 rows=1 | "
	      "unit-assumed,derived\n");
	/* By its command. */
	reads("u@h:~# ./klatency\n" MIDDLE,
	      "xenomai-klatency[kernel-task] { period_ns=500000 priority=99 duration_s=3 } ns "
	      "min=-1204 avg=320 max=8015 overruns=0 rows=2\n");
	/* By its pace: latency prints a row a second. */
	reads(BANNER("500", KERNEL) RTH6
	      "RTD|       1.204|       2.318|       6.771|       0|       1.204|       6.771\n"
	      "RTD|       1.204|       2.318|       6.771|       0|       1.204|       6.771\n"
	      "RTD|       1.204|       2.318|       6.771|       0|       1.204|       "
	      "6.771\n" RULE6
	      "RTS|       1.204|       2.318|       6.771|       0|    00:00:01/00:00:01\n",
	      "xenomai-klatency[kernel-task] { period_ns=500000 duration_s=1 } ns min=1204 "
	      "avg=2318 max=6771 overruns=0 rows=3\n");
}

/* Damage */

static void cut_rows(void **state)
{
	(void)state;
	/* After a bar: the cells before it are whole. */
	reads(RTH7 "RTD|      2.118|      3.455|     11.204|       0|     0|      2.118|     "
	           "11.204\nRTD|      2.374|\n",
	      "xenomai-latency ns min=2118 avg=3455 max=11204 overruns=0 mode_switches=0 rows=2 | "
	      "unit-assumed,row-truncated,row-truncated,derived\n");
	/* Inside a number: fewer than three decimals. */
	reads(RTH7 "RTD|      2.118|      3.455|     11.204|       0|     0|      2.118|     11.2",
	      "xenomai-latency ns min=2118 avg=3455 max=11204 overruns=0 mode_switches=0 rows=1 | "
	      "unit-assumed,row-truncated,derived\n");
	/* A count at the end of a cut row may have lost digits. */
	reads(RTH7 "RTD|      2.118|      3.455|     11.204|       1",
	      "xenomai-latency ns min=2118 avg=3455 max=11204 rows=1 | "
	      "unit-assumed,row-truncated,derived\n");
	/* So may nanoseconds; the worst value so far shows that its digits are not all there. */
	reads("== Sampling period: 200 us\n" RTH6
	      "RTD|        -812|        1377|       12450|       0|        -812|       124",
	      "xenomai-latency { period_ns=200000 } ns min=-812 avg=1377 max=12450 overruns=0 "
	      "rows=1 | unit-assumed,row-truncated,derived\n");
	reads("== Sampling period: 200 us\n" RTH6 "RTD|        -812|        1377|       124",
	      "xenomai-latency { period_ns=200000 } ns min=-812 avg=1377 rows=1 | "
	      "unit-assumed,row-truncated,derived\n");
	/* A word in a cell. */
	reads(RTH7 "RTD|      2.118|      3.455|     11.204|    with\n",
	      "xenomai-latency ns min=2118 avg=3455 max=11204 rows=1 | "
	      "unit-assumed,row-truncated,row-truncated,derived\n");
	/* The summary. */
	reads(MODERN "RTS|     -0.417|      3.458|\n",
	      MODERN_READ "\n"
	                  "xenomai-latency ns min=-417 avg=3458 max=null overruns=null | "
	                  "row-truncated,unit-assumed,row-truncated\n");
}

static void noise(void **state)
{
	(void)state;
	/*
	 * Echo of ^C before a row and in a cell, a remark behind one, empty cells at the end, rows
	 * left out.
	 */
	reads(RTH7
	      "RTD|      2.118|      3.455|     11.204|       0|     0|      2.118|     11.204   "
	      "<-- cold\n"
	      "[...]\n"
	      "RTD|      2.110|      3.455|     10.204|       0|  ^C 0|      2.110|     11.204||\n"
	      "^CRTD|      2.118|      3.455|     11.204|       0|     0|      2.110|     11.204\n"
	      "^C" RULE7
	      "RTS|      2.110|      3.455|     11.204|       0|     0|    00:00:03/00:00:03||\n",
	      "xenomai-latency { duration_s=3 } ns min=2110 avg=3455 max=11204 overruns=0 "
	      "mode_switches=0 rows=3 | unit-assumed,rows-missing\n");
	/* Decimal commas. */
	reads(RTH7
	      "RTD|      2,118|      3,455|     11,204|       0|     0|      2,118|     11,204\n",
	      "xenomai-latency ns min=2118 avg=3455 max=11204 overruns=0 mode_switches=0 rows=1 | "
	      "unit-assumed,derived\n");
	/* Ended before its time; nothing measured. */
	reads(BANNER("100", USER) RULE7
	      "RTS|      2.110|      3.455|     11.204|       0|     0|    00:00:03/01:00:00\n",
	      "xenomai-latency[user-task] { period_ns=100000 duration_s=3600 } ns min=2110 "
	      "avg=3455 max=11204 overruns=0 mode_switches=0 | interrupted\n");
	reads(BANNER("100", USER) RULE7
	      "RTS|  10000.000|      0.000| -10000.000|       0|     0|    00:00:00/00:00:00\n",
	      "xenomai-latency[user-task] { period_ns=100000 } ns min=null avg=null max=null "
	      "overruns=0 mode_switches=0 | no-samples\n");
	/* The rows say what ran, whatever stands above them. */
	reads("Sampling period: 100 us\n== Test mode: in-kernel periodic task\n== All results in "
	      "microseconds\nwarming up...\n" RTT("00:00:01", USER, "100") RTH6
	      "RTD|       3.807|      12.825|      21.565|       0|       3.807|      21.565\n",
	      "xenomai-latency[user-task] { period_ns=100000 priority=99 } ns min=3807 avg=12825 "
	      "max=21565 overruns=0 rows=1 | mode-conflict,derived\n");
}

static void several_runs(void **state)
{
	(void)state;
	reads(MODERN MIDDLE OLD, MODERN_READ "\n" MIDDLE_READ "\n" OLD_READ " | unit-assumed\n");
	/* No summary and no banner: what counts from the start is better in the second. */
	reads("Idle\n" RTH7
	      "RTD|      2.118|      3.455|     31.204|       0|     0|      2.118|     31.204\n\n"
	      "Load\n" RTH7
	      "RTD|      2.118|      3.455|     11.204|       0|     0|      2.118|     11.204\n",
	      "xenomai-latency ns min=2118 avg=3455 max=31204 overruns=0 mode_switches=0 rows=1 | "
	      "unit-assumed,derived\n"
	      "xenomai-latency ns min=2118 avg=3455 max=11204 overruns=0 mode_switches=0 rows=1 | "
	      "unit-assumed,derived\n");
	/* Without headers; noise between rows is no new run. */
	reads("Idle\n\nRTD|      2.118|      3.455|     11.204|       0|     0|      2.118|     "
	      "11.204\n\n"
	      "Load\nRTD|      2.018|      3.455|     31.204|       0|     0|      2.018|     "
	      "31.204\n"
	      "random: crng init done\nRTD|      2.008|      3.455|     31.304|       0|     0|    "
	      "  2.008|     31.304\n",
	      "xenomai-latency ns min=2118 avg=3455 max=11204 overruns=0 mode_switches=0 rows=1 | "
	      "unit-assumed,derived\n"
	      "xenomai-latency ns min=2008 avg=3455 max=31304 overruns=0 mode_switches=0 rows=2 | "
	      "unit-assumed,derived\n");
	/* Two runs may give the same numbers. */
	reads("$ latency -q -T 60\nRTS|      1.574|      3.290|    375.502|      81|     0|    "
	      "00:01:00/00:01:00\n"
	      "$ latency -q -T 60\nRTS|      1.574|      3.290|    375.502|      81|     0|    "
	      "00:01:00/00:01:00\n",
	      "xenomai-latency { duration_s=60 } ns min=1574 avg=3290 max=375502 overruns=81 "
	      "mode_switches=0 | unit-assumed\n"
	      "xenomai-latency { duration_s=60 } ns min=1574 avg=3290 max=375502 overruns=81 "
	      "mode_switches=0 | unit-assumed\n");
	/* The header is repeated every 21 rows: one run. */
	reads(BANNER("100", USER) RTT("00:00:01", USER, "100") RTH7
	      "RTD|      2.118|      3.455|     11.204|       0|     0|      2.118|     "
	      "11.204\n" RTT("00:00:22", USER, "100") RTH7
	      "RTD|      2.118|      3.455|     10.204|       0|     0|      2.118|     11.204\n",
	      "xenomai-latency[user-task] { period_ns=100000 priority=99 } ns min=2118 avg=3455 "
	      "max=11204 overruns=0 mode_switches=0 rows=2 | derived\n");
	/* The clock starts again: two runs. */
	reads(RTT("00:00:01", USER, "100") RTH7
	      "RTD|      2.118|      3.455|     11.204|       0|     0|      2.118|     "
	      "11.204\n" RTT("00:00:01", USER, "100") RTH7
	      "RTD|      2.118|      3.455|     11.304|       0|     0|      2.118|     11.304\n",
	      "xenomai-latency[user-task] { period_ns=100000 priority=99 } ns min=2118 avg=3455 "
	      "max=11204 overruns=0 mode_switches=0 rows=1 | unit-assumed,derived\n"
	      "xenomai-latency[user-task] { period_ns=100000 priority=99 } ns min=2118 avg=3455 "
	      "max=11304 overruns=0 mode_switches=0 rows=1 | unit-assumed,derived\n");
}

/* Histograms */

static void histograms(void **state)
{
	(void)state;
	/*
	 * Bins of all samples, three digits stuck together; the extremes per second; deviations in
	 * buckets.
	 */
	reads(BANNER("1000", USER) RTH7
	      "RTD|     14.773|     38.122|    216.910|       0|     0|     14.773|    216.910\n"
	      "---|--param|----range-|--samples\nHSD|    min|  14 - 15 |        1\n"
	      "---|--param|----range-|--samples\nHSD|    avg|  14 - 15 |        3\nHSD|    avg| "
	      "216 -217 |        1\n"
	      "---|--param|----range-|--samples\nHSD|    max| 216 -217 |        1\n"
	      "HSH|--param|--samples-|--average--|---stddev--\n"
	      "HSS|    min|         1|     14.000|        nan\nHSS|    avg|         4|     65.000| "
	      "    10.500\nHSS|    max|         1|    216.000|      0.000\n" RULE7
	      "RTS|     14.773|     38.122|    216.910|       0|     0|    00:00:02/00:00:02\n",
	      "xenomai-latency[user-task] { period_ns=1000000 duration_s=2 } ns min=14773 "
	      "avg=38122 max=216910 stddev=10500 count=4"
	      " overruns=0 mode_switches=0 rows=1 bins=2 width=1000 | unit-assumed\n");
	/* The last bucket holds what is beyond it. */
	reads(BANNER("1000", USER) "HSD|    min|  14 - 15 |        1\nHSD|    avg|  14 - 15 |      "
	                           "  3\nHSD|    avg|  99 -100 |        2\n" RULE7
	                           "RTS|     14.773|     38.122|    216.910|       0|     0|    "
	                           "00:00:02/00:00:02\n",
	      "xenomai-latency[user-task] { period_ns=1000000 duration_s=2 } ns min=14773 "
	      "avg=38122 max=216910"
	      " overruns=0 mode_switches=0 bins=1 width=1000 over=2 | unit-assumed\n");
	/*
	 * Buckets that cannot be a microsecond wide: nothing of them is told in time, unless the
	 * command says how wide.
	 */
	reads(BANNER("1000", USER) "HSD|    min|   5 -  6 |        1\nHSD|    avg|   5 -  6 |      "
	                           "  3\nHSD|    avg|   7 -  8 |        1\n"
	                           "HSS|    min|         1|      5.000|      0.000\nHSS|    avg|   "
	                           "      4|      5.500|      1.000\nHSS|    max|         1|      "
	                           "7.000|      0.000\n" RULE7
	                           "RTS|     28.865|     31.120|     39.910|       0|     0|    "
	                           "00:00:02/00:00:02\n",
	      "xenomai-latency[user-task] { period_ns=1000000 duration_s=2 } ns min=28865 "
	      "avg=31120 max=39910 stddev=null count=4"
	      " overruns=0 mode_switches=0 | bins-mismatch\n");
	/* Statistics alone, twice. */
	reads("HSH|--param|--samples-|--average--|---stddev--\n"
	      "HSS|    min|       119|      0.500|      0.250\nHSS|    avg|   1199957|      1.445| "
	      "     2.267\nHSS|    max|       119|     22.605|      2.467\n"
	      "HSH|--param|--samples-|--average--|---stddev--\n"
	      "HSS|    min|       120|      0.508|      0.608\nHSS|    avg|   1202073|      2.923| "
	      "     2.571\nHSS|    max|       120|     20.092|      3.133\n",
	      "xenomai-latency ns stddev=2267 count=1199957 | unit-assumed\nxenomai-latency ns "
	      "stddev=2571 count=1202073 | unit-assumed\n");
}

static void bucket_of_command(void **state)
{
	(void)state;
	reads("u@h:~# latency -t0 -h -B 5000\n" BANNER(
		      "1000", USER) "HSD|    min|   5 -  6 |        1\nHSD|    avg|   5 -  6 |     "
	                            "   3\nHSD|    avg|   7 -  8 |        1\n" RULE7
	                            "RTS|     28.865|     31.120|     39.910|       0|     0|    "
	                            "00:00:02/00:00:02\n",
	      "xenomai-latency[user-task] { period_ns=1000000 duration_s=2 } ns min=28865 "
	      "avg=31120 max=39910"
	      " overruns=0 mode_switches=0 bins=2 width=5000\n");
}

static void gnuplot_files(void **state)
{
	(void)state;
	/* A file of its own: edges and hits + 1. Buckets of half a microsecond. */
	reads("# 00:00:03 (periodic user-mode task, 1000 us period, priority 80)\n"
	      "# ----lat min|----lat avg|----lat max|-overrun|---msw|\n"
	      "#      20.004|     20.577|     21.033|       2|     0|\n"
	      "# Xenomai version: Xenomai/mercury v3.3\n"
	      "20 1\n20.25 3\n20.75 1\n21.25 2\n21.5 1\n",
	      "xenomai-latency[user-task] { period_ns=1000000 priority=80 } ns min=20004 avg=20577 "
	      "max=21033 overruns=2 mode_switches=0"
	      " bins=2 width=500\n");
	/* On the terminal, before the summary of the same run. */
	reads(BANNER("1000", USER) RTH7
	      "RTD|     20.004|     20.577|     21.033|       2|     0|     20.004|     21.033\n"
	      "# 00:00:03 (periodic user-mode task, 1000 us period, priority 80)\n"
	      "# ----lat min|----lat avg|----lat max|-overrun|---msw|\n"
	      "#      20.004|     20.577|     21.033|       2|     0|\n20 1\n20.5 3\n21.5 2\n22 "
	      "1\n" RULE7
	      "RTS|     20.004|     20.577|     21.033|       2|     0|    00:00:03/00:00:03\n",
	      "xenomai-latency[user-task] { period_ns=1000000 duration_s=3 } ns min=20004 "
	      "avg=20577 max=21033 overruns=2 mode_switches=0"
	      " rows=1 bins=2 width=1000\n");
	/*
	 * latmus: the mark for larger values; counts that are one too high before there was a
	 * sample count.
	 */
	reads("# test started on: Mon Jun  1 10:00:00 2020\n# libevl version: evl.0\n# sampling "
	      "period: 500 microseconds\n# context: kernel\n"
	      "# thread priority: 90\n# thread affinity: CPU3-noisol\n# duration (hhmmss): "
	      "00:01:00\n# OVERRUNS: 4\n"
	      "# min latency: 0.205\n# avg latency: 1.232\n# max latency: 7.941\n# sample count: "
	      "7\n0 2\n1 4\n2 0\n3+ 1\n",
	      "latmus[kernel-task] { period_ns=500000 priority=90 duration_s=60 } cpu=3 ns min=205 "
	      "avg=1232 max=7941 count=7 overruns=4 mode_switches=0"
	      " bins=2 width=1000 over=1 | unit-assumed\n");
	reads("# sampling period: 500 microseconds\n# context: irq\n# min latency: 0.205\n# avg "
	      "latency: 1.232\n# max latency: 3.941\n0 2\n1 4\n2 1\n3 2\n",
	      "latmus[timer-irq] { period_ns=500000 } ns min=205 avg=1232 max=3941 overruns=0 "
	      "mode_switches=0 bins=3 width=1000 | unit-assumed\n");
	/* Numbers without a head are nothing. */
	reads("20 1\n20.5 3\n21.5 2\n22 1\n", "");
}

static void markup_table(void **state)
{
	(void)state;
	reads("== Sampling period: 100 us\n== Test mode: in-kernel timer handler\n== All results "
	      "in microseconds\n"
	      "|         | lat min | lat avg | lat max | overrun | msw | lat best | lat worst |\n"
	      "|---------|---------|---------|---------|---------|-----|----------|-----------|\n"
	      "| **RTD** | 1.2     | 2.709   | 83      | 0       | 0   | 1.2      | 83        |\n"
	      "| **RTS** | 1.2     | 2.709   | 83      | 0       | 0   | 00:00:05/00:00:05 |   "
	      "|\n\n"
	      "| param | range | samples |\n|-------|-------|---------|\n"
	      "| **HSD** | avg   |         |\n|         | 1 - 2 | 1       |\n|         | 83 - 84| "
	      "3       |\n"
	      "|RTS|      1.200|      2.709|     83.000|       0|     0|    00:00:05/00:00:05|\n",
	      "xenomai-latency[timer-irq] { period_ns=100000 duration_s=5 } ns min=1200 avg=2709 "
	      "max=83000 overruns=0 mode_switches=0 rows=1"
	      " bins=2 width=1000 | unit-assumed\n");
}

/* EVL */

static void latmus(void **state)
{
	(void)state;
	reads("warming up on CPU1...\nRTT|  00:00:01  (user, 1000 us period, priority 98, "
	      "CPU1)\n" RTH7 "RTD|      0.846|      1.232|      3.941|       0|     0|      0.846| "
	                     "     3.941\n" RULE7
	      "RTS|      0.846|      1.230|      3.941|       0|     0|    00:00:02/00:00:02\n"
	      "warming up on CPU0 (not isolated)...\nconnecting to latmon at 10.0.0.2:2306...\n"
	      "RTT|  00:00:02  (oob-gpio, 500 us period, priority 90, CPU0-noisol)\n" RTH7
	      "RTD|     11.541|     15.627|     18.125|       0|     0|     11.541|     "
	      "18.125\n^C\n" RULE7
	      "RTS|     11.541|     15.606|     18.125|       0|     0|    01:00:05/01:30:05\n",
	      "latmus[user-task] { period_ns=1000000 priority=98 duration_s=2 } cpu=1 ns min=846 "
	      "avg=1230 max=3941 overruns=0 mode_switches=0 rows=1"
	      " | unit-assumed\n"
	      "latmus { period_ns=500000 priority=90 } context=oob-gpio cpu=0 ns min=11541 "
	      "avg=15606 max=18125 overruns=0 mode_switches=0 rows=1"
	      " | unit-assumed\n");
	/* What its limit ends. */
	reads("RTT|  00:00:01  (irq, 1000 us period, CPU1)\n" RTH7
	      "RTD|      0.846|      1.232|      3.941|       0|     0|      0.846|      3.941\n"
	      "latency threshold is exceeded (3000 >= 3.941), aborting.\n",
	      "latmus[timer-irq] { period_ns=1000000 } cpu=1 ns min=846 avg=1232 max=3941 "
	      "overruns=0 mode_switches=0 rows=1"
	      " | unit-assumed,interrupted,derived\n");
	/* By its command only; then Xenomai's latency. */
	reads("u@h:~# latmus -k\n" RTH7 "RTD|      0.846|      1.232|      3.941|       0|     0|  "
	                                "    0.846|      3.941\n" MODERN,
	      "latmus[kernel-task] ns min=846 avg=1232 max=3941 overruns=0 mode_switches=0 rows=1 "
	      "| unit-assumed,derived\n" MODERN_READ "\n");
}

static void switches(void **state)
{
	(void)state;
	reads("== Threads: sleeper_ufps0-0 rtk0-1\nRTT|  00:00:01\nRTH|---------cpu|ctx "
	      "switches|-------total\n"
	      "RTD|           0|        1194|        1194\nRTD|           1|        1207|        "
	      "1207\n"
	      "RTD|           1|        1207|        2414\nRTD|           0|        1194|        "
	      "2388\n",
	      "xenomai-switchtest cpu=0 1 value=2388; cpu=1 1 value=2414\n");
	reads("== Threads: switcher_ufps0-0 rtk0-1\nRTH|---------cpu|ctx switches|-------total\n"
	      "RTD|           2|        1194|        1194\n...\n",
	      "evl-hectic cpu=2 1 value=1194\n");
	/* One CPU; without the header only below its command. */
	reads("RTH|ctx switches|-------total\nRTD|        1194|        1194\n",
	      "xenomai-switchtest 1 value=1194\n");
	reads("u@h:~# switchtest -T 2\nRTD|        1194|        1194\nRTD|        1190|        "
	      "2384\n",
	      "xenomai-switchtest { duration_s=2 } 1 value=2384\n");
	reads("RTD|        1194|        1194\nRTD|        1190|        2384\n", "");
	/* A total below its own second is cut; one that falls begins another run. */
	reads("RTH|ctx switches|-------total\nRTD|        1194|        1194\nRTD|        1190|     "
	      "   23\n",
	      "xenomai-switchtest 1 value=1194 | row-truncated\n");
	reads("RTH|ctx switches|-------total\nRTD|        1194|        2388\nRTD|        1190|     "
	      "   1190\n",
	      "xenomai-switchtest 1 value=2388\nxenomai-switchtest 1 value=1190\n");
	reads("== Sampling period: 100 us\n== Do not interrupt this program\n"
	      "RTH|     lat min|     lat avg|     lat max|        lost\nRTD|      13.060|      "
	      "15.092|      23.864|           2\n"
	      "HSS|       100|     14.279|      1.267\n",
	      "xenomai-switchbench { period_ns=100000 } ns min=13060 avg=15092 max=23864 "
	      "stddev=1267 count=100 overruns=2 | unit-assumed,unit-assumed\n");
	reads("RTH|     lat min|     lat avg|     lat max|        lost\nRTD|        1306|        "
	      "1509|        2386|           0\n",
	      "xenomai-switchbench ns min=1306 avg=1509 max=2386 overruns=0 | unit-assumed\n");
}

static void clocks_and_interrupts(void **state)
{
	(void)state;
	/* The screen is redrawn: the last block counts. */
	reads("== Testing built-in CLOCK_REALTIME (0)\n"
	      "CPU      ToD offset [us] ToD drift [us/s]      warps max delta [us]\n"
	      "--- -------------------- ---------------- ---------- --------------\n"
	      "  0                 -2.1            0.131          0            0.0\n"
	      "\033[1A  0                 -2.4            0.128          1            3.5\n",
	      "xenomai-clocktest cpu=0 context=CLOCK_REALTIME us value=-2.4; cpu=0 "
	      "context=CLOCK_REALTIME us/s value=0.128;"
	      " cpu=0 context=CLOCK_REALTIME 1 value=1; cpu=0 context=CLOCK_REALTIME us "
	      "value=3.5\n");
	reads("Port type:     serial\nPort address:  0x3f8\n\nWaiting on target...\nWarming up...\n"
	      "9897: 9.112 / 11.420 / 25.761 us\n19794: 9.007 / 11.388 / 31.042 us\n---\n19794: "
	      "9.007 / 11.404 / 31.042 us\n",
	      "irqbench ns min=9007 avg=11404 max=31042 count=19794 rows=2\n");
	/* 2.2; cut before its end. */
	reads("Waiting on target...\n9.112 / 11.420 / 25.761 us\n9.007 / 11.388 / 31.042 us\n",
	      "irqbench ns min=9007 avg=11404 max=31042 rows=2 | derived\n");
	/* Such rows of an unknown program. */
	reads("9897: 9.112 / 11.420 / 25.761 us\n", "");
}

static void gpiobench(void **state)
{
	(void)state;
	/*
	 * Live rows and histograms are one run; the footer is that of cyclictest, and below its own
	 * titles only.
	 */
	reads("----rt task, gpio loop, test run----\nindex: 0, inner_diff:        7, outer_diff:   "
	      "    19\n\n"
	      "# Inner Loop Histogram\n# Inner Loop latency is the latency in kernel space\n000006 "
	      "000000\n000007 000003\n# Total: 000000002\n"
	      "# Min Latencies: 00007\n# Avg Latencies: 7.000000\n# Max Latencies: 00007\n\n\n"
	      "# Outer Loop Histogram\n000019 000003\n# Total: 000000002\n"
	      "# Min Latencies: 00019\n# Avg Latencies: 19.250000\n# Max Latencies: 00020\n",
	      "gpiobench { loops=2 } <inner loop> ns min=7000 avg=7000 max=7000 rows=1 bins=1 "
	      "width=1000;"
	      " <outer loop> ns min=19000 avg=19250 max=20000 rows=1 bins=1 width=1000\n");
	/* Cut before its end. */
	reads("index: 0, inner_diff:        7, outer_diff:       19\nindex: 0, inner_diff:        "
	      "8, outer_diff:       17\n",
	      "gpiobench <inner loop> ns min=7000 avg=7500 max=8000 rows=2; <outer loop> ns "
	      "min=17000 avg=18000 max=19000 rows=2"
	      " | derived,derived\n");
}

static void fusion_demos(void **state)
{
	(void)state;
	reads("from userspace\n\nnanosleep jitter: min = 8100 ns, max = 56000 ns, avg = 29400 ns\n"
	      "sema4 handshake: min = 3800 ns, max = 26400 ns, avg = 12000 ns\n\n# idle\n"
	      "nanosleep jitter: min = 8000 ns, max = 51000 ns, avg = 90000000000 ns\n",
	      "fusion-demo[user-task] <nanosleep jitter> ns min=8100 avg=29400 max=56000; <sema4 "
	      "handshake> ns min=3800 avg=12000 max=26400\n"
	      "fusion-demo[user-task] <nanosleep jitter> ns min=8000 avg=90000000000 max=51000 | "
	      "avg-out-of-range\n");
	reads("Calibrating cruncher...10012, 9998, done -- ideal computation time = 10001 us.\n"
	      "1000 samples, 1000 hz freq (pid=1234, policy=SCHED_FIFO, prio=99)\n--------\n"
	      "Nanosleep jitter: min = 2 us, max = 41 us, avg = 6 us\n"
	      "Execution jitter: min = -12 us (0%), max = 231 us (2%), avg = 5 us (0%)\n--------\n",
	      "fusion-demo { priority=99 policy=SCHED_FIFO } <Nanosleep jitter> ns min=2000 "
	      "avg=6000 max=41000;"
	      " <Execution jitter> ns min=-12000 avg=5000 max=231000\n");
	reads("Starting latency measurements at Sun Jun  5 13:15:32 2005\nSampling period = 1000 "
	      "us\nClock resolution = 1 ns\n"
	      "Hit ^C to get the results.\n   test duration: 00:00:41\n"
	      "   nanosleep accuracy: jitter min = 1 us, jitter max = 42 us\n   semaphore wakeup: "
	      "switch min = 2 us, switch max = 17 us\n",
	      "fusion-demo { period_ns=1000000 duration_s=41 } <nanosleep accuracy> ns min=1000 "
	      "max=42000; <semaphore wakeup> ns min=2000 max=17000\n");
	/* A value that lost its unit may be cut. */
	reads("nanosleep jitter: min = 8100 ns, max = 56000 ns, avg = 29\n",
	      "fusion-demo <nanosleep jitter> ns min=8100 avg=null max=56000 | row-truncated\n");
	/* Lines of this form from other programs. */
	reads("widget delay: min = 8100 ns, max = 56000 ns, avg = 29400 ns\n", "");
}

/* RTAI */

static void rtai_tables(void **state)
{
	(void)state;
	reads(RTAI_TABLE, RTAI_READ "\n");
	/* The same columns in another order. */
	reads("RTAI Testsuite - LXRT latency (all data in nanoseconds)\n"
	      "RTH|    lat min|    lat avg|    lat max|    ovl max|   overruns|  freq.cntr\n"
	      "RTD|      -1402|       1530|       7745|       9000|          5|          1\n",
	      "rtai-latency[user-task] ns min=-1402 avg=1530 max=7745 overruns=5 rows=1 | "
	      "derived\n");
	reads("RTAI Testsuite - UP latency (all data in nanoseconds)\n"
	      "RTH|     lat min|     lat avg|     lat max|    overruns\n"
	      "RTD|       -1402|        1530|        7745|           5\n",
	      "rtai-latency[kernel-task] ns min=-1402 avg=1530 max=7745 overruns=5 rows=1 | "
	      "derived\n");
	/* Fewer cells than titles. */
	reads("RTAI Testsuite - LXRT latency (all data in nanoseconds)\n"
	      "RTH|     lat min|     lat avg|     lat max|     ovl max|    overruns\n"
	      "RTD|       -1402|        1530|        7745|        77\n",
	      "rtai-latency[user-task] ns min=-1402 avg=1530 max=7745 rows=1 | "
	      "row-truncated,derived\n");
	reads("RTAI Testsuite - USER space latency test (output data in nanoseconds)\n\n"
	      "*** latency verification tool with real time hardened user space processes/threads "
	      "***\n"
	      "***    period = 50000 (ns),  avrgtime = 1 (s)    ***\n\nRTAI Testsuite - USER "
	      "latency (all data in nanoseconds)\n"
	      "RTH|    lat min|    ovl min|    lat avg|    lat max|    ovl max|   overruns\n"
	      "RTD|      -1402|      -1402|       1530|       7745|       7745|          0\n",
	      "rtai-latency[user-task] { period_ns=50000 } ns min=-1402 avg=1530 max=7745 "
	      "overruns=0 rows=1 | derived\n");
	reads("RTAI Testsuite - UP preempt (all data in nanoseconds)\n"
	      "RTH|     lat min|     lat avg|     lat max|    jit fast|    jit slow\n"
	      "RTD|      -34550|       -9766|       26662|      207938|      270075\n",
	      "rtai-preempt[kernel-task] ns min=-34550 avg=-9766 max=26662 rows=1 | derived\n");
	/* Rows without a header mean nothing; a summary of many tests is no such table. */
	reads("RTD|      -1402|      -1402|       1530|       7745|       7745|          0\n", "");
	reads("RTH| description| progress|  ovlmax|  avgmax|     std\nRTD| plain| full|   10050|   "
	      " 4078|     456\n",
	      "");
}

static void rtai_lines(void **state)
{
	(void)state;
	reads("*** min: 1002, max: 21098 average: 3109  <Hit [RETURN] to stop> ***\n",
	      "lxrt-latency[user-task] ns min=1002 avg=3109 max=21098 | unit-assumed\n");
	reads("*** min: 1002, max: 21098 average: 3109  <Hit [RETURN] to stop> ***\n*** min: 1001, "
	      "max: 21198 average: 3111  ***\n",
	      "lxrt-latency[user-task] ns min=1001 avg=3110 max=21198 rows=2 | "
	      "unit-assumed,derived\n");
	reads("2004/12/3 14:02:11   min:     -1571    max:      8446    average:     1622\n"
	      "2004/12/3 14:02:12   min:     -1572    max:      8447    average:     1624 (2)\n",
	      "rtai-latency[kernel-task] ns min=-1572 avg=1623 max=8447 overruns=2 rows=2 | "
	      "unit-assumed,derived\n");
	reads("* min: -512/-1024, max: 2211/4096 average: 87 (0) <Hit [RETURN] to stop> *\n",
	      "rtai-latency ns min=-512 avg=87 max=2211 overruns=0 | unit-assumed\n");
	reads("* latency: min: -3, max: 12, average: 1; fastjit: 10, slowjit: 15 * (all us) *\n",
	      "rtai-preempt ns min=-3000 avg=1000 max=12000\n");
	reads("user/switches\n\nWait for it ...\n\n\nFOR 10 TASKS: TIME 8 (ms), SUSP/RES SWITCHES "
	      "40000, SWITCH TIME 201 (ns)\n\n"
	      "FOR 10 TASKS: TIME 9 (ms), SEM SIG/WAIT SWITCHES 40000, SWITCH TIME (INCLUDING FULL "
	      "FP SUPPORT) 243 (ns)\n",
	      "rtai-switches[user-task] { threads=10 } <SUSP/RES> ns value=201 count=40000; <SEM "
	      "SIG/WAIT> ns value=243 count=40000\n");
	/* In the kernel log each part of a line stands on its own. */
	reads("[  123.46] FOR 10 TASKS: TIME 8 (ms), \n[  123.46] SUSP/RES SWITCHES 40000, \n[  "
	      "123.46] SWITCH TIME 201 (ns)\n",
	      "rtai-switches { threads=10 } <SUSP/RES> ns value=201 count=40000 | row-repaired\n");
}

/* False friends */

static void nothing(void **state)
{
	static const char *const texts[] = {
		/* Source code and its format strings, a parser's pattern, a sample in a comment. */
		"\tprintf(\"RTH|%11s|%11s|%11s|%8s|%6s|%11s|%11s\\n\",\n\t       \"----lat min\", "
		"\"----lat avg\");\n",
		"\tprintf(\"RTD|%11.3f|%11.3f|%11.3f|%8d|%6u|%11.3f|%11.3f\\n\", min, avg, max);\n",
		"ROW = r'RTD\\|{min}\\|{avg}\\|{max}'\n",
		"# RTD|      2.118|      3.455|     11.204|       0|     0|      2.118|     "
		"11.204\n",
		"\t * RTD|      2.118|      3.455|     11.204|       0|     0|      2.118|     "
		"11.204\n",
		"line = \"RTD|      2.118|      3.455|     11.204|       0|     0|      2.118|     "
		"11.204\"\n",
		/* What the columns mean. */
		"| Output | Description |\n|---|---|\n| RTT | when it was measured |\n| RTD | the "
		"latencies |\n| lat min | the lowest |\n",
		"RTD|      X.XXX|      X.XXX|      X.XXX|       X|     X|      X.XXX|      X.XXX\n",
		/* A banner, a time or a header alone. */
		BANNER("100", USER) RTT("00:00:01", USER, "100") RTH7, "RTT|  00:00:01\n",
		"RTAI Testsuite - KERNEL latency (all data in nanoseconds)\n",
		"== Sampling period: 100 us\n== Do not interrupt this program\nRTH|     lat min|   "
		"  lat avg|     lat max|        lost\n",
		/* Badges, round trips, loop statistics. */
		"|rtd| |ci|\n\n.. |RTD| image:: https://example.org/badge\n", "RTT 12.3 ms\n",
		"44863 cycles, min=0.000744, max=0.081036, avg=0.002223\n"
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
		reads(texts[i], "");
}

/* Values of rows and of intervals, which the short form does not show. */
static void look_inside(struct record *r, void *data)
{
	const struct series *s = g_ptr_array_index(r->series, 0);
	char text[NUMBER_TEXT];

	assert_int_equal(series_sample_rows(s), 2);
	assert_string_equal(number_print(series_sample(s, 1, FIELD_BEST), text), "-417");
	assert_string_equal(number_print(series_sample(s, 1, FIELD_WORST), text), "23870");
	assert_string_equal(number_print(series_sample(s, 1, FIELD_MODE_SWITCHES), text), "2");
	assert_int_equal(g_array_index(s->samples->lines, unsigned, 1), 8);
	assert_string_equal(number_print(s->minima->avg, text), "1500");
	assert_int_equal(s->minima->stddev.state, NUMBER_NULL);
	assert_string_equal(number_print(s->maxima->count, text), "2");
	assert_string_equal(number_print(s->maxima->stddev, text), "6325");
	assert_int_equal(s->maxima->histogram->bins->len, 2);
	assert_string_equal(
		number_print(g_array_index(s->maxima->histogram->bins, struct bin, 0).lower, text),
		"11000");
	assert_int_equal(r->source.first, 1);
	assert_int_equal(r->source.last, 14);
	++*(int *)data;
	record_free(r);
}

static void rows_and_intervals(void **state)
{
	const char text[] = BANNER("100", USER) RTT("00:00:01", USER, "100") RTH7
		"RTD|      2.118|      3.455|     11.204|       0|     0|      2.118|     11.204\n"
		"RTD|     -0.417|      3.461|     23.870|       1|     2|     -0.417|     23.870\n"
		"HSD|    max|  11 - 12 |        1\nHSD|    max|  23 - 24 |        1\n"
		"HSS|    min|         2|      1.500|       -nan\nHSS|    avg|     19998|      "
	        "3.100|      0.900\n"
		"HSS|    max|         2|     17.000|      6.325\n"
		"RTS|     -0.417|      3.458|     23.871|       1|     2|    00:00:03/00:00:03\n";
	struct reader_text part = {
		.text = { .bytes = text, .len = sizeof text - 1, .file = "test" },
		.source = { .file = "test" }
	};
	struct reader_options options = { 0 };
	int seen = 0;

	(void)state;
	reader_message(&part, 1, &options, look_inside, &seen);
	assert_int_equal(seen, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(eras),
		                            cmocka_unit_test(klatency),
		                            cmocka_unit_test(any_wrapping),
		                            cmocka_unit_test(cut_rows),
		                            cmocka_unit_test(noise),
		                            cmocka_unit_test(several_runs),
		                            cmocka_unit_test(histograms),
		                            cmocka_unit_test(bucket_of_command),
		                            cmocka_unit_test(gnuplot_files),
		                            cmocka_unit_test(markup_table),
		                            cmocka_unit_test(latmus),
		                            cmocka_unit_test(switches),
		                            cmocka_unit_test(clocks_and_interrupts),
		                            cmocka_unit_test(gpiobench),
		                            cmocka_unit_test(fusion_demos),
		                            cmocka_unit_test(rtai_tables),
		                            cmocka_unit_test(rtai_lines),
		                            cmocka_unit_test(nothing),
		                            cmocka_unit_test(rows_and_intervals) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
