/* Typed tables in every style, ping and interbench: what is read, and what is not. */
#include "tests/unit/reading.h"

#define RT_MIN_MAX "table <preempt rt> ns min=2000 max=21000; <vanilla> ns min=3000 max=1200000\n"

static void styles(void **state)
{
	static const char *const texts[] = {
		/* blanks */
		"Latency in us:\n\nKernel        Min     Max\npreempt rt      2      21\nvanilla         3    1200\n",
		/* markdown, with and without outer pipes */
		"| Kernel | Min (us) | Max (us) |\n|:---|---:|---:|\n| **preempt rt** | 2 | 21 |\n| vanilla | 3 | 1200 |\n",
		"Kernel | Min (us) | Max (us)\n--- | --- | ---\npreempt rt | 2 | 21\nvanilla | 3 | 1200\n",
		/* org */
		"| Kernel     | Min (us) | Max (us) |\n|------------+----------+----------|\n| preempt rt |        2 |       21 |\n| vanilla    |        3 |     1200 |\n",
		/* reStructuredText: grid, simple, csv-table, list-table */
		"+------------+----------+----------+\n| Kernel     | Min (us) | Max (us) |\n+============+==========+==========+\n"
		"| preempt rt | 2        | 21       |\n+------------+----------+----------+\n| vanilla    | 3        | 1200     |\n+------------+----------+----------+\n",
		"Latencies in microseconds\n\n===========  ====  =====\nKernel       Min   Max\n===========  ====  =====\npreempt rt   2     21\nvanilla      3     1200\n===========  ====  =====\n",
		".. csv-table:: Latency (us)\n   :header: \"kernel\", \"min\", \"max\"\n\n   \"preempt rt\", 2, 21\n   \"vanilla\", 3, 1200\n",
		".. list-table:: Latency (us)\n   :header-rows: 1\n\n   * - kernel\n     - min\n     - max\n   * - preempt rt\n     - 2\n     - 21\n   * - vanilla\n     - 3\n     - 1200\n",
		/* MediaWiki, DokuWiki, MoinMoin, Trac, Jira */
		"{| class=\"wikitable\"\n|+ Latency (us)\n! Kernel !! Min !! Max\n|-\n| preempt rt || 2 || 21\n|-\n| style=\"x\" | vanilla\n| 3\n| 1200\n|}\n",
		"^ Kernel     ^ Min (us) ^ Max (us) ^\n| preempt rt | 2        | 21       |\n| vanilla    | 3        | 1200     |\n",
		"|| '''Kernel''' || '''Min (us)''' || '''Max (us)''' ||\n|| preempt rt || 2 || 21 ||\n||<style=\"x\"> vanilla || 3 || 1200 ||\n",
		"||= Kernel =||= Min [us] =||= Max [us] =||\n|| preempt rt || 2 || 21 ||\n|| vanilla || 3 || 1200 ||\n",
		"||Kernel||Min (us)||Max (us)||\n|preempt rt|2|21|\n|vanilla|3|1200|\n",
		/* AsciiDoc, LaTeX */
		".Latency (us)\n[cols=\"1,1,1\",options=\"header\"]\n|===\n|Kernel |Min |Max\n\n|preempt rt |2 |21\n|vanilla\n|3\n|1200\n|===\n",
		"Kernel & Min latency ($\\mu$s) & Max latency ($\\mu$s) \\\\ \\hline\npreempt rt & 2 & 21 \\\\\nvanilla & 3 & 1200 \\\\\n",
		/* CSV, TSV */
		"kernel,min latency (us),max latency (us)\npreempt rt,2,21\nvanilla,3,1200\n",
		"kernel;min latency (us);max latency (us)\npreempt rt;2;21\nvanilla;3;1200\n",
		"kernel\tmin latency (us)\tmax latency (us)\npreempt rt\t2\t21\nvanilla\t3\t1200\n",
		/* cells parted by single blanks; one cell per line; sentences */
		"  Min Max\npreempt rt 2us 21us\nvanilla 3us 1200us\n",
		"Latency\n\nmin\nmax\npreempt rt\n2us\n21us\nvanilla\n3us\n1200us\n",
		"preempt rt - Min delay was 2 us. Max delay was 21 us.\nvanilla    - Min delay was 3 us. Max delay was 1200 us.\n",
		/* a first header cell that was lost; the heading below */
		"Min latency | Max latency | |\n---|---|---|\npreempt rt | 2us | 21us |\nvanilla | 3us | 1200us |\n",
		"Interrupt latency\n\npreempt rt     2us      21us\nvanilla        3us    1200us\n--------------------------\n             min      max\n",
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_autofree char *got = reading(texts[i]);

		if (strcmp(got, RT_MIN_MAX))
			fail_msg("%s\ngave\n%s", texts[i], got);
	}
}

static void groups_and_missing_cells(void **state)
{
	static const char text[] =
		"      within 100 usec\n"
		"       CPU loop (%)   Elapsed Time (sec)    2.4\n"
		"Test    PK     RT       PK      RT   |   CPU  Elapsed\n"
		"X     99.69  99.34      90      70   |  97.20   70\n"
		"diskw 69.16* 94.98      51     115   |  77.64   29\n"
		"total                 1044    1286   |         368\n";
	static const char want[] =
		"table <X> column=PK group=within 100 usec CPU loop (%) % value=99.69; <X> column=RT group=within 100 usec CPU loop (%) % value=99.34;"
		" <X> column=PK group=Elapsed Time (sec) s value=90; <X> column=RT group=Elapsed Time (sec) s value=70;"
		" <X> column=CPU group=2.4 ? value=97.2; <X> column=Elapsed group=2.4 s value=70;"
		" <diskw> column=PK group=within 100 usec CPU loop (%) % value=69.16; <diskw> column=RT group=within 100 usec CPU loop (%) % value=94.98;"
		" <diskw> column=PK group=Elapsed Time (sec) s value=51; <diskw> column=RT group=Elapsed Time (sec) s value=115;"
		" <diskw> column=CPU group=2.4 ? value=77.64; <diskw> column=Elapsed group=2.4 s value=29;"
		" <total> column=PK group=Elapsed Time (sec) derived=total s value=1044; <total> column=RT group=Elapsed Time (sec) derived=total s value=1286;"
		" <total> column=Elapsed group=2.4 derived=total s value=368\n";

	(void)state;
	reads(text, want);
	/* Two groups of the same statistics: a series each; a remark behind the headings states the unit. */
	reads("                     idle                loaded\n"
	      "kernel          min   avg   max     min   avg   max    (latency, us)\n"
	      "2.6.33-rt        2     4    12       3     6    25\n"
	      "2.6.33           3     9   150       4    30  2400\n",
	      "table <2.6.33-rt> group=idle ns min=2000 avg=4000 max=12000; <2.6.33-rt> group=loaded ns min=3000 avg=6000 max=25000;"
	      " <2.6.33> group=idle ns min=3000 avg=9000 max=150000; <2.6.33> group=loaded ns min=4000 avg=30000 max=2400000\n");
}

static void label_in_the_middle(void **state)
{
	(void)state;
	reads("Interrupt response times (all in micro-seconds):\n"
	      "+--------------------+------------+------+-------+\n"
	      "| Kernel             | sys load   | Aver | Max   |\n"
	      "+====================+============+======+=======+\n"
	      "|                    | None       | 15.5 |  64.8 |\n"
	      "| Vanilla-2.6.12-rc2 | Ping       | 15.7 |  63.4 |\n"
	      "|                    | lmbench    | 15.8 |  65.6 |\n"
	      "+====================+============+======+=======+\n"
	      "|                    | None       | 13.4 |  53.3 |\n"
	      "| with Adeos-r10c3   | Ping       | 13.8 |  53.3 |\n"
	      "+--------------------+------------+------+-------+\n",
	      "table <Vanilla-2.6.12-rc2 / None> ns avg=15500 max=64800; <Vanilla-2.6.12-rc2 / Ping> ns avg=15700 max=63400;"
	      " <Vanilla-2.6.12-rc2 / lmbench> ns avg=15800 max=65600; <with Adeos-r10c3 / None> ns avg=13400 max=53300;"
	      " <with Adeos-r10c3 / Ping> ns avg=13800 max=53300\n");
}

static void variants(void **state)
{
	(void)state;
	reads("| Configuration    | Open Eulero | Vanilla | Linux RT |\n| ---------------- | ----------- | ------- | -------- |\n"
	      "| Max latency (us) | 72          | 153     | 89       |\n",
	      "table <Max latency (us)> column=Open Eulero ns value=72000; <Max latency (us)> column=Vanilla ns value=153000;"
	      " <Max latency (us)> column=Linux RT ns value=89000\n");
	reads("Measurements   |   Vanilla   |  preemp_rt     \n---------------+-------------+----------------\n"
	      "select 500fd   |    12.7us   | 25.8us (+103%) \nopen/close     |     2.4us   |  ~             \n",
	      "table <select 500fd> column=Vanilla ns value=12700; <select 500fd> column=preemp_rt ns value=25800;"
	      " <open/close> column=Vanilla ns value=2400\n");
	/* Units in wide parentheses, and behind the word for unit. */
	reads("最大时延（us）如下表所示：\n\n|      | normal | mlockall |\n| ---- | ---- | ---- |\n| fifo | 376 | 453 |\n",
	      "table <fifo> column=normal ns value=376000; <fifo> column=mlockall ns value=453000\n");
	reads("最大时延对比（单位：us）：\n\n|      | CPU0 | CPU1 |\n| ---- | ---- | ---- |\n| fifo | 376 | 453 |\n",
	      "table <fifo> column=CPU0 ns value=376000; <fifo> column=CPU1 ns value=453000\n");
	/* Rows of CSV with labels as long as sentences. */
	reads("Latency of the kernel's operations:\n\nmetric,cycles,nanoseconds\nContext switch using yield,11654,11655\n"
	      "Average context switch time between threads (coop),21149,21150\n",
	      "table <Context switch using yield> column=cycles cycles value=11654;"
	      " <Context switch using yield> column=nanoseconds ns value=11655;"
	      " <Average context switch time between threads (coop)> column=cycles cycles value=21149;"
	      " <Average context switch time between threads (coop)> column=nanoseconds ns value=21150\n");
	/* Percentiles, and a list in a cell. */
	reads("                     99.9%     worst case\nhigh priority        3.1 µs       5.2 µs\nstandard kernel    486.1 µs     500.8 µs\n",
	      "table <high priority> ns max=5200 p99.9=3100; <standard kernel> ns max=500800 p99.9=486100\n");
	reads("| kernel | max latency per core (us) |\n|---|---|\n| rt | 55,62,71 |\n",
	      "table <rt> index=0 ns max=55000; <rt> index=1 ns max=62000; <rt> index=2 ns max=71000\n");
	/* Columns of text are none; a remark column neither. */
	reads("| Platform | SoC | Max Latency | Status |\n| :--- | :--- | :--- | :--- |\n| **RPi Zero 2 W** | BCM2710 | **228 μs** | ❌ Soft RT |\n",
	      "table <RPi Zero 2 W / BCM2710> ns max=228000\n");
	/* A header of two lines, and rules like the one below it among the rows. */
	reads("LMbench running times:\n+---------+-------+-------+\n| Kernel  | plain | IRQ   |\n|         |       | test  |\n"
	      "+=========+=======+=======+\n| Vanilla | 175 s | 176 s |\n+=========+=======+=======+\n| with RT | 182 s | 184 s |\n"
	      "+---------+-------+-------+\n",
	      "table <Vanilla> column=plain s value=175; <Vanilla> column=IRQ test s value=176; <with RT> column=plain s value=182;"
	      " <with RT> column=IRQ test s value=184\n");
}

static void leaders(void **state)
{
	(void)state;
	reads("                              2.6.10-rc1 RT-V0.7.7\n                              ---------- ---------\n"
	      "XRUN Rate . . . . . . . . . :   687.6        45.6   /hour\nDelay Maximum . . . . . . . :  4510         1249    usecs\n"
	      "Average Context-Switch Rate : 10967.4      13940.9  /sec\n",
	      "table <XRUN Rate> column=2.6.10-rc1 /hour value=687.6; <XRUN Rate> column=RT-V0.7.7 /hour value=45.6;"
	      " <Delay Maximum> column=2.6.10-rc1 ns value=4510000; <Delay Maximum> column=RT-V0.7.7 ns value=1249000;"
	      " <Average Context-Switch Rate> column=2.6.10-rc1 /sec value=10967.4;"
	      " <Average Context-Switch Rate> column=RT-V0.7.7 /sec value=13940.9\n");
	reads("...benchmarks/sched-fifo...\nDelay Maximum . . . . . . . . :   347   usecs\nDelay Maximum . . . . . . . . :   277   usecs\n"
	      "...benchmarks/sched-fifo+compile...\nDelay Maximum . . . . . . . . :   285   usecs\n",
	      "table <Delay Maximum> ns value=347000; <Delay Maximum> ns value=277000\ntable <Delay Maximum> ns value=285000\n");
}

static void cells_on_lines(void **state)
{
	(void)state;
	reads("Note: wherever a latency is given, microseconds are meant.\nInterrupt Latency\nOS |\nMinimum |\nMedian |\nMaximum |\n>100 µs(%) |\n|\n"
	      "Private Network |\nLinux 2.4.30 |\n9 |\n12 |\n72 |\n0.000 |\n|\nLinux\n2.6.13 non preemptive |\n9 |\n13 |\n80 |\n0.000 |\n",
	      "table <Private Network / Linux 2.4.30> ns min=9000 max=72000 p50=12000;"
	      " <Private Network / Linux 2.4.30> column=>100 µs(%) % value=0;"
	      " <Private Network / Linux 2.6.13 non preemptive> ns min=9000 max=80000 p50=13000;"
	      " <Private Network / Linux 2.6.13 non preemptive> column=>100 µs(%) % value=0\n");
}

static void numbers(void **state)
{
	(void)state;
	/* Decimal commas, and commas that are thousands for certain. */
	reads("| Kernel | Minimum | Mittelwert | Maximum |\n|---|---|---|---|\n| Echtzeit | 2,0 µs | 3,5 µs | 1.234,5 µs |\n",
	      "table <Echtzeit> ns min=2000 avg=3500 max=1234500\n");
	reads("Kernel | Min | Avg | Max\n--- | --- | --- | ---\nrt latency (us) | 1 | 3 | 28\nvanilla latency (us) | 1 | 4 | 1,204\n",
	      "table <rt latency (us)> ns min=1000 avg=3000 max=28000; <vanilla latency (us)> ns min=1000 avg=4000 max=1204000\n");
	/* Not certain: null, with a flag. */
	reads("Kernel | Max latency (us)\n--- | ---\nrt | 28\nvanilla | 1,204\n", "table <rt> ns max=28000; <vanilla> ns max=null | out-of-range\n");
}

static void ping(void **state)
{
	(void)state;
	reads("           min     ave       max     mdev\nPK ping - 0.100 / 0.176 /   1.009 / 0.053\nRT ping - 0.194 / 0.322 / 527.635 / 2.263\n",
	      "ping <PK ping> ns min=100000 avg=176000 max=1009000 mdev=53000; <RT ping> ns min=194000 avg=322000 max=527635000 mdev=2263000\n");
	reads("Now the ping response time:\n  RT 0.134 / 0.208 / 1.502 / 0.075 msec\n",
	      "ping <RT> ns min=134000 avg=208000 max=1502000 mdev=75000\n");
	reads("11938 packets transmitted, 11938 received, 0% packet loss, time 11949ms\nrtt min/avg/max/mdev = 0.046/0.047/0.058/0.000 ms\n",
	      "ping ns min=46000 avg=47000 max=58000 mdev=0 count=11938\n");
	reads("3 packets transmitted, 3 packets received, 0% packet loss\nround-trip min/avg/max = 0.050/0.059/0.065 ms\n",
	      "ping ns min=50000 avg=59000 max=65000 count=3\n");
	/* RTnet's rtping tells only the worst one, behind its counts. */
	reads("Real-time PING 10.0.0.2 56(84) bytes of data.\n64 bytes from 10.0.0.2: icmp_seq=1 time=45.6 us\n\n--- 10.0.0.2 rtping statistics ---\n"
	      "3 packets transmitted, 3 received, 0% packet loss\nworst case rtt = 47.9 us\n",
	      "ping ns max=47900 count=3\n");
	reads("worst case rtt = 47.9 us\n", "");
	reads("3 packets transmitted, 0 received, 100% packet loss\nworst case rtt = 0.0 us\n", "");
	reads("round-trip min/avg/max/stddev = 1.5/2/3.25/0.5 ms\n", "ping ns min=1500000 avg=2000000 max=3250000 stddev=500000\n");
	reads("127.0.0.1 : xmt/rcv/%loss = 3/3/0%, min/avg/max = 0.041/0.045/0.048\n10.0.0.9  : xmt/rcv/%loss = 3/0/100%\n",
	      "ping <127.0.0.1> ns min=41000 avg=45000 max=48000 count=3\n");
	reads(" 0.031 ms (min round trip time)\n 0.041 ms (avg round trip time)\n 0.046 ms (max round trip time)\n",
	      "ping ns min=31000 avg=41000 max=46000\n");
	/* An interim line stands only if no summary follows. */
	reads("3/3 packets, 0% loss, min/avg/ewma/max = 0.022/0.036/0.027/0.044 ms\n", "ping ns min=22000 avg=36000 max=44000 count=3\n");
	reads("3/3 packets, 0% loss, min/avg/ewma/max = 0.022/0.036/0.027/0.044 ms\nrtt min/avg/max/mdev = 0.020/0.030/0.050/0.001 ms\n",
	      "ping ns min=20000 avg=30000 max=50000 mdev=1000\n");
	reads("64 bytes from 10.0.0.1: icmp_seq=1 ttl=64 time=0.316 ms\n", "");
}

static void interbench(void **state)
{
	(void)state;
	reads("--- Benchmarking simulated cpu of Audio in the presence of simulated ---\n"
	      "Load\tLatency +/- SD (ms)  Max Latency   % Desired CPU  % Deadlines Met\n"
	      "None\t  0.012 +/- 0.00196    0.021\t\t 100\t        100\nX\t  0.289 +/- 0.578          2\t\t 100\t       75.8\n"
	      "\n--- Benchmarking simulated cpu of Gaming in the presence of simulated ---\n"
	      "Load\tLatency +/- SD (ms)  Max Latency   % Desired CPU\nNone\t      0 +/- 0              0\t\t 100\n",
	      "interbench <None> group=Audio ns avg=12000 max=21000 stddev=1960; <None> group=Audio column=% Desired CPU % value=100;"
	      " <None> group=Audio column=% Deadlines Met % value=100; <X> group=Audio ns avg=289000 max=2000000 stddev=578000;"
	      " <X> group=Audio column=% Desired CPU % value=100; <X> group=Audio column=% Deadlines Met % value=75.8\n"
	      "interbench <None> group=Gaming ns avg=0 max=0 stddev=0; <None> group=Gaming column=% Desired CPU % value=100\n");
}

static void no_results(void **state)
{
	static const char *const texts[] = {
		/* explanations, targets, templates */
		"| Output | Description |\n|---|---|\n| lat min | Lowest latency seen. |\n| lat max | Highest latency seen. |\n",
		"| Metric | Target |\n|---|---|\n| `lat min` | < 5 µs |\n| `lat max` | < 50 µs (initial) |\n",
		"Results:\n  lat min  : X.XXX µs\n  lat max  : XX.XXX µs\n  overruns : 0\n",
		/* key-value lines; comments; numbers without a heading; statistics of files */
		"task: 44863 cycles, min=0.000744, max=0.081036, avg=0.002223, 159 latency excursions\n",
		"# T: 0 (  0: 234)    Avg:    5 Max:     47\n# T: 1 (  1: 234)    Avg:    4 Max:     52\n",
		"-20RT\n  with cpu_burn      65  31 113 119  30  98 133\n  without cpu_burn   63  30 121 150  32  87  97\n",
		"| File | Min | Avg | Max |\n|---|---|---|---|\n| a.txt | 10 | 20 | 30 |\n| b.txt | 11 | 21 | 31 |\n",
		"Parameter    Default   Min    Max    Description\nperiod       100000    1000   1000000   period in ns\npriority     99        1      99     thread priority\n",
		/* system output */
		"           CPU0       CPU1\n  0:         44          0   IO-APIC   2-edge      timer\nLOC:     181220     171992   Local timer interrupts\n",
		"Module                  Size  Used by\nrtai_lxrt             105672  1 rtai_fifos\nrtai_hal               45896  2 rtai_lxrt,rtai_sched\n",
		"arm: fix latency of get_policy, set_policy, and timer_create entries\n* linux/arm/entry.h (320, 321, 350): Fix names and handlers.\n",
		"event                                          count\n\nsys_write                                    455067\nsys_getdents                                   4072\nsys_close                                      3037\n"
		"sys_swapoff                                    1769\nsys_read                                        923\nsys_sched_setparam                              826\nsys_open                                        331\n",
		" kernel/sched.c     |   12 +++++----\n kernel/latency.c    |  120 ++++++++++++++++\n 2 files changed, 100 insertions(+), 20 deletions(-)\n",
		"  Comp   Inst Type  Dir         Value  Name                  Flags\n    73     74 s32   OUT             0  xr.time               0\n    73     74 s32   OUT             0  xr.load               0\n",
		"09:00   Opening                      10 min\n09:30   Latency in PREEMPT_RT        45 min\n",
		"+----------------+--------------+\n| Package        | |version|    |\n+----------------+--------------+\n| Sources        | |forge|      |\n+----------------+--------------+\n",
		"Vendor ID:           GenuineIntel\nCPU family:          6\nModel:               79\nCPU max MHz:         3600\n",
		"    return seen, faults == 0\n",
		/* a list whose lines are all of one kind has no heading: what its numbers are is not known */
		"Wakeup latencies in usec, runtime 30 s\n          50.0th: 7          (106566 samples)\n"
		"          90.0th: 10         (84902 samples)\n        * 99.0th: 14         (26841 samples)\n          99.9th: 76         (3204 samples)\n",
		"Histogram (latency in µs):\n  1000 - 2000: ██████████  42%\n  2000 - 3000: █████░░░░░  28%\n  3000 - 5000: ██░░░░░░░░   9%\n",
		"Timing Results: Clock Frequency: 64 MHz\nContext switch                               :418888 cycles , 6492764 ns\n"
		"Interrupt latency                            :  88 cycles ,  1364 ns\nTick overhead                                :   0 cycles ,     0 ns\n",
		/* "1 000" may be one number */
		"Threads Min latency (us) Max latency (us)\n1 000 2 31\n2 3 57\n",
		/* what a redrawn screen left of rows of threads */
		"Without patch, cyclictest output:\npolicy: fifo: loadavg: 0.05 0.01 0.00 1/85 1272          Avg:  128 Max:    1177\n"
		"policy: fifo: loadavg: 0.11 0.03 0.01 2/87 1447          Avg:  122 Max:    1897\n",
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_autofree char *got = reading(texts[i]);

		if (*got)
			fail_msg("%s\ngave\n%s", texts[i], got);
	}
}

/* What several programs or quantities measured stands in one table: each is a series of its own, in its own unit. */
static void many_quantities(void **state)
{
	(void)state;
	/* hackbench's mean is none of the latencies; operations in a second are no seconds. */
	reads("| Scheduler | Max latency (us) | Hackbench mean (s) | bogo ops/s |\n|---|---:|---:|---:|\n| scx_flow | 388.00 | 0.675 | 6624.46 |\n",
	      "table <scx_flow> ns max=388000; <scx_flow> column=Hackbench mean (s) s value=0.675;"
	      " <scx_flow> column=bogo ops/s ops/s value=6624.46\n");
	/* The maximum of the jitter beside average and maximum of a time. */
	reads("| Task | Worst-Case (µs) | Average (µs) | Max Jitter (µs) |\n|---|---|---|---|\n| SensorTask | 500 | 320 | 50 |\n",
	      "table <SensorTask> ns avg=320000 max=500000; <SensorTask> group=jitter ns max=50000\n");
	reads("| Task | Max Jitter (µs) | Average (µs) | Worst-Case (µs) |\n|---|---|---|---|\n| SensorTask | 50 | 320 | 500 |\n",
	      "table <SensorTask> group=jitter ns max=50000; <SensorTask> ns avg=320000 max=500000\n");
	/* A unit of one column is none of the others. */
	reads("It reports latency times and memory in all figures:\nsamples   iters    min     avg     max    used (MB)\n"
	      "==================================================\n"
	      "Test case         1     100   0.028   0.030   0.054     306.934\nTest case        10     100   0.030   0.034   0.069     307.375\n",
	      "table <Test case> ? min=0.028 avg=0.03 max=0.054 count=1; <Test case> column=iters ? value=100;"
	      " <Test case> column=used (MB) MB value=306.934; <Test case> ? min=0.03 avg=0.034 max=0.069 count=10;"
	      " <Test case> column=iters ? value=100; <Test case> column=used (MB) MB value=307.375\n");
	/* A size is what was sent, not what a table of files has. A time without a word of the field is measured, too. */
	reads("Local Core  | Remote Core | Message Size | Average Message Latency (us) | Max Latency (us) | Message Count\n"
	      "------------|-------------|--------------|------------------------------|------------------|--------------\n"
	      " wkup-r5f0-0|   mcu-r5f0-0|            32|                        14.233|                15|         1000\n",
	      "table <wkup-r5f0-0 / mcu-r5f0-0 / 32> ns avg=14233 max=15000 count=1000\n");
	reads("| Kernel | Typical (us) | Worst case latency (us) |\n|---|---|---|\n| rt | 12 | 40 |\n",
	      "table <rt> ns max=40000; <rt> column=Typical (us) ns value=12000\n");
	reads("| Test | BW (MB/s) | Lat min (us) | Lat avg (us) | Lat max (us) | Lat p99 (us) |\n|---|---|---|---|---|---|\n"
	      "| ib_write_bw | 790.42 | -- | -- | -- | -- |\n| ib_write_lat | -- | 174.50 | 181.15 | 208.49 | 208.49 |\n",
	      "table <ib_write_bw> column=BW (MB/s) MB/s value=790.42;"
	      " <ib_write_lat> ns min=174500 avg=181150 max=208490 p99=208490\n");
	reads("| Thread | Period (us) | Worst case latency (us) |\n|---|---|---|\n| servo | 1000 | 40 |\n", "table <servo / 1000> ns max=40000\n");
}

/* Pages saved as text lose the gaps between columns; units part the headings. */
static void lost_gaps(void **state)
{
	(void)state;
	reads("2. Test Results\n\nThread Min Latency (μs) Avg Latency (μs) Max Latency (μs)\n0 1 2 14\n1 1 2 8\n2 1 2 13\n",
	      "table <0> ns min=1000 avg=2000 max=14000; <1> ns min=1000 avg=2000 max=8000; <2> ns min=1000 avg=2000 max=13000\n");
	/* A row is no heading. */
	reads("Latency of the threads in us, by priority:\n\n0  1  2  14\n1  1  2  8\n2  1  2  13\n", "");
	/* A value per core is a list, of two as of many; a unit may stand in the labels alone. */
	reads("Cyclictest\n\n.. csv-table::\n    :header: \"Latencies\", \"am64xx-hsevm:per-core\"\n\n    \"Minimum (usec)\",\"6,6\"\n"
	      "    \"Maximum (usec)\",\"49,66\"\n",
	      "cyclictest <Minimum (usec)> column=am64xx-hsevm:per-core index=0 ns value=6000;"
	      " <Minimum (usec)> column=am64xx-hsevm:per-core index=1 ns value=6000;"
	      " <Maximum (usec)> column=am64xx-hsevm:per-core index=0 ns value=49000;"
	      " <Maximum (usec)> column=am64xx-hsevm:per-core index=1 ns value=66000\n");
}

/* Statistics that one heading, or the row itself, lists for values between slashes. */
static void listed_statistics(void **state)
{
	(void)state;
	reads("Latency results (us):\n\nKernel            idle (min/avg/max)    load (min/avg/max)\n3.8.13-bone79       3/5/37                4/9/120\n"
	      "3.8.13-xenomai      1/2/12                -\n",
	      "table <3.8.13-bone79> group=idle ns min=3000 avg=5000 max=37000; <3.8.13-bone79> group=load ns min=4000 avg=9000 max=120000;"
	      " <3.8.13-xenomai> group=idle ns min=1000 avg=2000 max=12000\n");
	reads("| Kernel | Latency min/max (us) |\n|---|---|\n| rt | 2 / 21 |\n| vanilla | 3 / 1200 |\n", "table <rt> ns min=2000 max=21000; <vanilla> ns min=3000 max=1200000\n");
	/* Another number of values than the heading lists: as they stand. */
	reads("| Kernel | Latency min/max (us) |\n|---|---|\n| rt | 2/5/21 |\n",
	      "table <rt> column=Latency min/max (us) index=0 ns value=2000; <rt> column=Latency min/max (us) index=1 ns value=5000;"
	      " <rt> column=Latency min/max (us) index=2 ns value=21000\n");
	reads("Jitter of the servo task:\n\nidle: min/avg/max = 3/5/37 us\nload: min/avg/max = 4/9/120 us\n",
	      "table <idle> ns min=3000 avg=5000 max=37000; <load> ns min=4000 avg=9000 max=120000\n");
	reads("Latency of the servo task:\n\nmin/avg/max = 1.2/2.5/14.0 us\n", "table ns min=1200 avg=2500 max=14000\n");
	/* Numbers in prose, and fewer of them than words, are none. */
	reads("The latency was fine: we saw min/avg/max = 1.2/2.5/14.0 us, a lot better than before.\n", "");
	reads("Latency of the servo task:\n\nmin/avg/max = 1.2/2.5 us\n", "");
}

/* What is wanted, allowed or set is no measurement. */
static void plans(void **state)
{
	static const char *const texts[] = {
		"## Performance Targets\n\n| Metric | PREEMPT_VOLUNTARY | PREEMPT_RT | Xenomai |\n|---|---|---|---|\n| P99 Latency | 500us | <50us | <25us |\n"
		"| Max Latency | 5ms | 80us | 30us |\n| EtherCAT Cycle | N/A | 250us | 100us |\n",
		"| Feature | PREEMPT_RT | Xenomai Cobalt |\n|---|---|---|\n| Worst-case latency | < 100 µs | 2–15 µs |\n| Minimum cycle time | 500 µs | 250 µs |\n",
		"| Traffic Class | Bandwidth | Max Latency | Max Jitter | Loss Cap |\n| :--- | :--- | :--- | :--- | :--- |\n"
		"| **Voice** | 32–64 kbps | < 150 ms | < 30 ms | < 1% |\n| **Web / LMS** | Elastic / Bursty | < 2000 ms | Tolerant | 0% (TCP) |\n",
		"| Schedule       | Interval  | Max jitter |\n|---|---|---|\n| `*/3 * * * *`  | 3 min     | 10 s       |\n| `0 * * * *`    | hourly    | 300 s (cap)|\n",
		"| Profile | Base delay | Max jitter | Total max | Intent |\n|---|---|---|---|---|\n| QUIET | 50 ms | 200 ms | 250 ms | Mimics browsing |\n",
		"### 4.2 Timing Analysis\n\n| Stage | Budget (us) | Typical (us) | Worst Case (us) | Notes |\n|---|---|---|---|---|\n"
		"| Logic/Effect | 4000 | 1500 | 5000 | Dependent on effect |\n| FastLED.show() | 3300 | 3100 | 3300 | Fixed |\n",
		/* JSON of others */
		"            \"ElapsedTimeInSeconds\": 1,\n"
		"            \"Tags\": [\n"
		"                {\n"
		"                    \"Key\": \"mytagkey\",\n"
		"                    \"Value\": \"mytagvalue\"\n"
		"                }\n"
		"            ],\n"
		"            \"EnhancedVpcRouting\": false,\n"
		"            \"MaintenanceTrackName\": \"current\",\n"
		"            \"ManualSnapshotRetentionPeriod\": 10,\n"
		"            \"ManualSnapshotRemainingDays\": 6,\n"
		"            \"SnapshotRetentionStartTime\": \"2019-12-07T00:34:07.479Z\"\n",
		/* the lines of a diffstat, wrapped */
		" qt4/tests/CMakeLists.txt         |   1 +\n qt4/tests/Makefile.am            |   9 +-\n qt4/tests/stress-threads-qt4.cpp | 298\n +++++++++++++\n",
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_autofree char *got = reading(texts[i]);

		if (*got)
			fail_msg("%s\ngave\n%s", texts[i], got);
	}
	/* Results beside a target are results. */
	reads("## Results against the targets\n\n| Metric | PREEMPT_RT |\n|---|---|\n| Max Latency | 80us |\n", "table <Max Latency> column=PREEMPT_RT ns value=80000\n");
}

/* Long tables are read as short ones are, if any word says what they hold. */
static void long_tables(void **state)
{
	GString *table = g_string_new("Wake-up latency:\n\n| cpu | Min (us) | Max (us) |\n|---|---|---|\n"), *list = g_string_new(NULL);
	g_autofree char *got = NULL;
	unsigned series = 0;

	(void)state;
	for (unsigned i = 0; i < 200; i++) {
		g_string_append_printf(table, "| core%u | %u | %u |\n", i, i, i + 100);
		g_string_append_printf(list, "abc defgh %u %u %u\n", i, 7 * i, 3 * i);
	}
	got = reading(table->str);
	for (const char *p = got; (p = strstr(p, "max=")); p++)
		series++;
	assert_int_equal(series, 200);
	reads(list->str, "");
	g_string_free(table, TRUE);
	g_string_free(list, TRUE);
}

/* Whatever stands in a table, reading it ends and nothing is invented of it. */
static void hostile(void **state)
{
	GString *s = g_string_new("latency (us)\n|");

	(void)state;
	for (int i = 0; i < 3000; i++)
		g_string_append(s, " max |");
	g_string_append(s, "\n|---|\n");
	for (int i = 0; i < 300; i++)
		g_string_append_printf(s, "%*s| %d |\n", i, "x", i);
	for (int i = 0; i < 9000; i++)
		g_string_append(s, "max  min  ||||^^^^{|  .. . . :   5us\n");
	g_free(reading(s->str));
	g_string_free(s, TRUE);
	reads("{|\n|-\n|}\n|===\n|===\n||\n^^\n.. csv-table::\n.. list-table::\n|", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(styles), cmocka_unit_test(groups_and_missing_cells), cmocka_unit_test(label_in_the_middle),
		cmocka_unit_test(variants), cmocka_unit_test(leaders), cmocka_unit_test(cells_on_lines), cmocka_unit_test(numbers),
		cmocka_unit_test(ping), cmocka_unit_test(interbench), cmocka_unit_test(no_results), cmocka_unit_test(many_quantities), cmocka_unit_test(plans), cmocka_unit_test(listed_statistics), cmocka_unit_test(lost_gaps), cmocka_unit_test(long_tables), cmocka_unit_test(hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
