/* rtla, rtc histograms, LinuxCNC, Zephyr. */
#include "tests/unit/reading.h"

static void timerlat_top(void **state)
{
	(void)state;
	/* Two groups; the last block of a redrawn screen; a minus for no sample; the summary is no series. */
	reads("                      Timer Latency\n"
	      "  0 00:00:01   |          IRQ Timer Latency (us)        |         Thread Timer Latency (us)\n"
	      "CPU COUNT      |      cur       min       avg       max |      cur       min       avg       max\n"
	      "  0 #900       |       50        36       108       700 |       61        50       162       800\n"
	      "                      Timer Latency\n"
	      "  0 00:00:02   |          IRQ Timer Latency (us)        |         Thread Timer Latency (us)\n"
	      "CPU COUNT      |      cur       min       avg       max |      cur       min       avg       max\n"
	      "  0 #1948      |      850        36       108      4701 |      923        50       162      4766\n"
	      "  1 #0         |        -         -         -         - |       95        27       123      5772\n"
	      "---------------|----------------------------------------|---------------------------------------\n"
	      "ALL #1948   e0 |                 36       108      4701 |                 27       160      5772\n",
	      "rtla-timerlat { duration_s=2 } cpu=0 context=irq ns min=36000 avg=108000 max=4701000 last=850000 count=1948;"
	      " cpu=0 context=thread ns min=50000 avg=162000 max=4766000 last=923000;"
	      " cpu=1 context=irq ns min=null avg=null max=null last=null count=0;"
	      " cpu=1 context=thread ns min=27000 avg=123000 max=5772000 last=95000\n");
	/* Equal durations, but the maximum falls: two runs. Three groups; nanoseconds. */
	reads("  0 00:01:00   |          IRQ Timer Latency (ns)        |         Thread Timer Latency (ns)      |    Ret user Timer Latency (ns)\n"
	      "CPU COUNT      |      cur       min       avg       max |      cur       min       avg       max |      cur       min       avg       max\n"
	      "  3 #5         |        1         1         2         9 |        1         1         2         8 |        4         4         5         6\n"
	      "  0 00:01:00   |          IRQ Timer Latency (ns)        |         Thread Timer Latency (ns)\n"
	      "CPU COUNT      |      cur       min       avg       max |      cur       min       avg       max\n"
	      "  3 #5         |        1         1         2         7 |        1         1         2         8\n",
	      "rtla-timerlat { duration_s=60 } cpu=3 context=irq ns min=1 avg=2 max=9 last=1 count=5;"
	      " cpu=3 context=thread ns min=1 avg=2 max=8 last=1; cpu=3 context=user ns min=4 avg=5 max=6 last=4\n"
	      "rtla-timerlat { duration_s=60 } cpu=3 context=irq ns min=1 avg=2 max=7 last=1 count=5;"
	      " cpu=3 context=thread ns min=1 avg=2 max=8 last=1\n");
}

static void timerlat_wrapped(void **state)
{
	(void)state;
	reads("> 0 00:00:02   |          IRQ Timer Latency (us)        |\n> Thread Timer Latency (us)\n"
	      "> CPU COUNT      |      cur       min       avg       max |      cur\n> min       avg       max\n"
	      ">   0 #1948      |      850        36       108      4701 |      923\n> 50       162      4766\n",
	      "rtla-timerlat { duration_s=2 } cpu=0 context=irq ns min=36000 avg=108000 max=4701000 last=850000 count=1948;"
	      " cpu=0 context=thread ns min=50000 avg=162000 max=4766000 last=923000 | row-repaired\n");
}

static void timerlat_hist(void **state)
{
	(void)state;
	reads("$ rtla timerlat hist -b 50 -d 1s\n"
	      "# RTLA timerlat histogram\n# Time unit is microseconds (us)\n# Duration:   0 00:00:02\n"
	      "Index   IRQ-000   Thr-000\n0             3         0 \n50            2         5 \n"
	      "over:         1         1 \ncount:        6         6 \nmin:         27        53 \navg:         86       134 \nmax:       3743      4100 \n"
	      "ALL:        IRQ       Thr\ncount:        6         6 \nmin:         27        53 \navg:         86       134 \nmax:       3743      4100 \n",
	      "rtla-timerlat { duration_s=2 } cpu=0 context=irq ns min=27000 avg=86000 max=3743000 count=6 bins=2 width=50000 over=1;"
	      " cpu=0 context=thread ns min=53000 avg=134000 max=4100000 count=6 bins=1 width=50000 over=1\n");
	/* No sample: a minus, or the start value of a minimum. */
	reads("# RTLA timerlat histogram\n# Time unit is nanoseconds (ns)\nIndex   IRQ-001   Thr-001\n1             1         0\n2             1         0\n"
	      "over:         0         0\ncount:        2         0\nmin:          1 18446744073709551615\navg:          1         -\nmax:          2         -\n",
	      "rtla-timerlat cpu=1 context=irq ns min=1 avg=1 max=2 count=2 bins=2 width=1 over=0;"
	      " cpu=1 context=thread ns min=null avg=null max=null count=0 bins=0 width=1 over=0 | unit-assumed\n");
}

/* What -a prints of the sample that stopped the run is no table and no result, with or without one above. */
static void timerlat_analysis(void **state)
{
	static const char analysis[] =
		"## CPU 1 hit stop tracing, analyzing it ##\n"
		"  IRQ handler delay:                  (exit from idle)    1503.96 us (90.35 %)\n"
		"  IRQ latency:                                            1554.52 us\n"
		"  Blocking thread:                                          31.36 us (1.88 %)\n"
		"                       swapper/1:0                          31.36 us\n"
		"    Blocking thread stack trace\n                -> timerlat_irq\n"
		"  Softirq interference                                      18.85 us (1.13 %)\n"
		"                     SCHED:7                                18.85 us\n"
		"------------------------------------------------------------------------\n"
		"  Thread latency:                                         1664.53 us (100%)\n\n"
		"Max timerlat IRQ latency from idle: 1554.52 us in cpu 1\n";
	g_autofree char *below = g_strdup_printf(
		"                Timer Latency\n"
		"  0 00:00:02   |          IRQ Timer Latency (us)        |         Thread Timer Latency (us)      |    Ret user Timer Latency (us)\n"
		"CPU COUNT      |      cur       min       avg       max |      cur       min       avg       max |      cur       min       avg       max\n"
		"  1 #1         |     1554      1554      1554      1554 |     1664      1664      1664      1664 |        -         -         -         -\n"
		"ALL #1      e0 |               1554      1554      1554 |               1664      1664      1664 |                  -         -         - |"
		"timerlat hit stop tracing\n%s", analysis);

	(void)state;
	reads(analysis, "");
	reads(below, "rtla-timerlat { duration_s=2 } cpu=1 context=irq ns min=1554000 avg=1554000 max=1554000 last=1554000 count=1;"
	             " cpu=1 context=thread ns min=1664000 avg=1664000 max=1664000 last=1664000;"
	             " cpu=1 context=user ns min=null avg=null max=null last=null\n");
}

/* --no-index: rows without names, which the block of all CPUs tells apart if the bins add up to the count. */
static void timerlat_no_index(void **state)
{
	static const char head[] = "# RTLA timerlat histogram\n# Time unit is microseconds (us)\n# Duration:   0 00:00:02\n   IRQ-000   Thr-000 \n";
	static const char bins[] = "        3         0 \n        2         5 \n        1         1 \n";
	g_autofree char *whole = g_strconcat(head, bins, "        6         6 \n       27        53 \n       86       134 \n     3743      4100 \n"
	                                     "      IRQ       Thr\n        6         6 \n       27        53 \n       86       134 \n     3743      4100 \n", NULL);
	g_autofree char *doubtful = g_strconcat(head, bins, "        7         6 \n       27        53 \n       86       134 \n     3743      4100 \n"
	                                        "      IRQ       Thr\n        6         6 \n       27        53 \n       86       134 \n     3743      4100 \n", NULL);
	g_autofree char *unnamed = g_strconcat(head, bins, NULL);

	(void)state;
	reads(whole, "rtla-timerlat { duration_s=2 } cpu=0 context=irq ns min=27000 avg=86000 max=3743000 count=6;"
	             " cpu=0 context=thread ns min=53000 avg=134000 max=4100000 count=6 | row-truncated\n");
	reads(doubtful, "");
	reads(unnamed, "");
}

static void osnoise(void **state)
{
	(void)state;
	reads("                   Operating System Noise\nduration:   0 00:00:03 | time is in us\n"
	      "CPU Period       Runtime        Noise  % CPU Aval   Max Noise   Max Single          HW          NMI          IRQ      Softirq       Thread\n"
	      "  0 #2           1999980      1082190    45.88995      545180        24243         210            0         2011           93         1190\n",
	      "rtla-osnoise { duration_s=3 } cpu=0 ns max=24243000\n");
	reads("                   Hardware-related Noise\nduration:   0 00:00:03 | time is in us\n"
	      "CPU Period       Runtime        Noise  % CPU Aval   Max Noise   Max Single          HW          NMI\n"
	      "  0 #2           1999980      1082190    45.88995      545180        16028         210            0 \n",
	      "rtla-hwnoise { duration_s=3 } cpu=0 ns max=16028000\n");
	/* A stopped run has a header and no row. */
	reads("duration:   0 00:00:03 | time is in us\n"
	      "CPU Period       Runtime        Noise  % CPU Aval   Max Noise   Max Single          HW          NMI\nosnoise hit stop tracing\n", "");
}

static void rtc(void **state)
{
	(void)state;
	reads("rtc latency histogram of {rtc_wakeup/7095, 6 samples}:\n0 1\n1 2\n9999 3\n\nthe end 1 2\n",
	      "rtc-histogram <rtc_wakeup/7095> ? count=6 bins=2 width=1 over=3\n");
	reads("Nov 29 23:43:40 host kernel: rtc latency histogram of {tvtime/3911, \n3 samples}:\n"
	      "Nov 29 23:43:40 host kernel: 4 1\nNov 29 23:43:41 host kernel: 7 2\n",
	      "rtc-histogram <tvtime/3911> ? count=3 bins=2 width=1 | row-repaired\n");
	reads("rtc latency histogram of {%s/%d, %lu samples}:\n0 1\n", "");
}

static void linuxcnc(void **state)
{
	(void)state;
	reads("   12 s   base min:  -8.300 us max:  11.200 us sdev:   0.700 us\n"
	      "   12 s  servo min:  -9.100 us max:  10.400 us sdev:   0.800 us\n"
	      "   13 s   base min:  -8.400 us max:  11.200 us sdev:   0.700 us\n",
	      "linuxcnc-latency-histogram { duration_s=13 } <base> ns min=-8400 max=11200 stddev=700; <servo> ns min=-9100 max=10400 stddev=800\n");
}

static void zephyr(void **state)
{
	(void)state;
	reads("thread.yield.preemptive.ctx.k_to_k - Context switch via k_yield     :     123 cycles ,     1230 ns :\n"
	      "thread.yield.preemptive.ctx.k_to_k.max - Context switch via k_yield :     200 cycles ,     2000 ns :\n"
	      "PROJECT EXECUTION SUCCESSFUL\n",
	      "zephyr-latency-measure <thread.yield.preemptive.ctx.k_to_k - Context switch via k_yield> ns avg=1230 max=2000\n");
	/* since 3.6 the tag is padded */
	reads("thread.create.kernel.from.kernel         - Create thread             :     309 cycles ,      587 ns :\n",
	      "zephyr-latency-measure <thread.create.kernel.from.kernel - Create thread> ns avg=587\n");
	reads("| 1 - Measure time to switch from ISR to back to interrupted thread           |\n"
	      "| switching time is 2400 tcs = 50000 nsec                                      |\n",
	      "zephyr-latency-measure <Measure time to switch from ISR to back to interrupted thread> ns avg=50000\n");
	reads("THREAD yield.cooperative.ctx.(K -> U)    :    1178 cycles ,     9817 ns :\n"
	      "ISR resume.different.thread.user         :    1207 cycles ,    10062 ns :\n",
	      "zephyr-latency-measure <THREAD yield.cooperative.ctx.(K -> U)> ns avg=9817;"
	      " <ISR resume.different.thread.user> ns avg=10062\n");
	/* Another benchmark of Zephyr. */
	reads("Context switch                               :418888 cycles , 6492764 ns\n", "");
}

static void schbench(void **state)
{
	(void)state;
	/* Reports while it runs: the last one is the run's. */
	reads("$ schbench -m 4 -r 20\n"
	      "Wakeup Latencies percentiles (usec) runtime 10 (s) (602 total samples)\n"
	      "          50.0th: 68         (177 samples)\n        * 99.0th: 74880      (54 samples)\n          min=1, max=375290\n"
	      "RPS percentiles (requests) runtime 10 (s) (11 total samples)\n          20.0th: 57         (5 samples)\n"
	      "          min=55, max=61\ncurrent rps: 55.93\n"
	      "Wakeup Latencies percentiles (usec) runtime 20 (s) (1209 total samples)\n"
	      "          50.0th: 69         (354 samples)\n          99.9th: 262656     (11 samples)\n          min=1, max=375290\n"
	      "Request Latencies percentiles (usec) runtime 20 (s) (1202 total samples)\n"
	      "          50.0th: 81792      (360 samples)\n          min=16122, max=415677\n",
	      "schbench { duration_s=20 } <Wakeup Latencies> ns min=1000 max=375290000 count=1209 p50=69000 p99.9=262656000;"
	      " <Request Latencies> ns min=16122000 max=415677000 count=1202 p50=81792000\n");
	/* Two runs of equal length; the old form. */
	reads("Wakeup Latencies percentiles (usec) runtime 30 (s) (9 total samples)\n  50.0th: 7          (1 samples)\n  min=1, max=45\n\n"
	      "Wakeup Latencies percentiles (usec) runtime 30 (s) (9 total samples)\n  50.0th: 9          (1 samples)\n  min=2, max=51\n",
	      "schbench <Wakeup Latencies> ns min=1000 max=45000 count=9 p50=7000\n"
	      "schbench <Wakeup Latencies> ns min=2000 max=51000 count=9 p50=9000\n");
	reads("Latency percentiles (usec)\n\t50.0000th: 38\n\t*99.0000th: 1786\n\t99.9000th: 9968\n\tmin=0, max=24754\n",
	      "schbench ns min=0 max=24754000 p50=38000 p99=1786000 p99.9=9968000\n");
	reads("min=1, max=45\n50.0th: 7\n", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(timerlat_top), cmocka_unit_test(timerlat_wrapped), cmocka_unit_test(timerlat_hist),
		cmocka_unit_test(timerlat_analysis),
		cmocka_unit_test(timerlat_no_index),
		cmocka_unit_test(osnoise), cmocka_unit_test(rtc), cmocka_unit_test(linuxcnc), cmocka_unit_test(zephyr), cmocka_unit_test(schbench)
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
