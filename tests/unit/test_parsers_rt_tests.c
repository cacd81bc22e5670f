/* The other rt-tests programs, jitterdebugger and stress-ng cyclic: versions, wrappings, false friends. */
#include "tests/unit/wrapping.h"

#define JITTER \
	"T: 0 (22247) A: 0 C:       300 Min:        21 Avg:   30.97 Max:       178 \n" \
	"T: 1 (22248) A: 1 C:       300 Min:        26 Avg:   95.32 Max:      4980 \n"

static void jitterdebugger_text(void **state)
{
	(void)state;
	reads("\n" JITTER "\n",
	      "jitterdebugger thread=0 tid=22247 cpu=0 ns min=21000 avg=30970 max=178000 count=300;"
	      " thread=1 tid=22248 cpu=1 ns min=26000 avg=95320 max=4980000 count=300\n");
	same_wrapped(JITTER, true);
	/* Up to 0.3 the maximum came before the average. */
	reads("T: 0 (22247) A: 0 C:       300 Min:        21 Max:       178 Avg:   30.97\n",
	      "jitterdebugger thread=0 tid=22247 cpu=0 ns min=21000 avg=30970 max=178000 count=300\n");
	/* No sample; a hit that stopped the run. */
	reads("T: 0 (22267) A: 0 C:         1 Min:        41 Avg:   41.00 Max:        41 \033[K\n"
	      "T: 1 (22268) A: 1 C:         0 Min:18446744073709551615 Avg:    -nan Max:         0 \033[K\n\n"
	      "Thread 22267 on CPU 0 hit 41 us latency\n",
	      "jitterdebugger thread=0 tid=22267 cpu=0 ns min=41000 avg=41000 max=41000 count=1;"
	      " thread=1 tid=22268 cpu=1 ns min=null avg=null max=null count=0 | no-samples,interrupted\n");
	/* Redrawn; another heading is another run, although thread ids are the same and counts have grown. */
	reads("affinity: 0 = 1 [0x1]\nT: 0 (547) A: 0 C: 10 Min: 5 Avg: 6.05 Max: 155\n\033[1AT: 0 (547) A: 0 C: 20 Min: 5 Avg: 6.05 Max: 156\n"
	      "linux 6.4.11 bore\nT: 0 (547) A: 0 C: 30 Min: 5 Avg: 6.05 Max: 155\n",
	      "jitterdebugger thread=0 tid=547 cpu=0 ns min=5000 avg=6050 max=156000 count=20\n"
	      "jitterdebugger thread=0 tid=547 cpu=0 ns min=5000 avg=6050 max=155000 count=30\n");
	reads("$ jitterdebugger -N -l 14\nT: 0 (22274) A: 0 C:        14 Min:     66384 Avg:130626.21 Max:    638189\n",
	      "jitterdebugger { loops=14 } thread=0 tid=22274 cpu=0 ns min=66384 avg=130626.21 max=638189 count=14\n");
	reads("row_format = \"T:%2u (%5lu) A:%2u C:%10\" PRIu64 \" Min:%10\"\n", "");
}

#define JITTER_JSON(resolution) \
	"{\n  \"version\": 3,\n  \"sysinfo\": {\n    \"release\": \"6.1\",\n    \"resolution_in_ns\": " resolution "\n  },\n" \
	"  \"cpu\": {\n    \"0\": {\n      \"histogram\": {\n        \"21\": 2,\n        \"22\": 9\n      },\n" \
	"      \"count\": 12,\n      \"min\": 21,\n      \"max\": 1482,\n      \"avg\": 40.55\n    }\n  }\n}\n"

static void jitterdebugger_json(void **state)
{
	(void)state;
	/* The resolution is one here: 1000 means microseconds. Values from 1 ms on are in no bin. */
	reads(JITTER_JSON("1000"),
	      "jitterdebugger thread=0 ns min=21000 avg=40550 max=1482000 count=12 bins=2 width=1000 over=1 | derived\n");
	reads(JITTER_JSON("1"), "jitterdebugger thread=0 ns min=21 avg=40.55 max=1482 count=12 bins=2 width=1 over=1 | derived\n");
	same_wrapped(JITTER_JSON("1000"), true);
	/* Rows and the file of one run are one result. */
	reads("T: 0 (22260) A: 3 C:        12 Min:        21 Avg:   40.55 Max:      1482\n" JITTER_JSON("1000"),
	      "jitterdebugger thread=0 tid=22260 cpu=3 ns min=21000 avg=40550 max=1482000 count=12 bins=2 width=1000 over=1 | derived\n");
	/* Other files with such a beginning. */
	reads("{\n  \"version\": 3,\n  \"name\": \"x\",\n  \"cpu\": { \"0\": { \"limit\": 5 } }\n}\n", "");
}

#define ENVELOPE(command, body) \
	"{\n  \"file_version\": 1,\n  \"cmdline:\": \"" command "\",\n  \"rt_test_version:\": \"2.40\",\n" \
	"  \"sysinfo\": {\n    \"release\": \"6.18\",\n    \"machine\": \"x86_64\",\n    \"realtime\": 0\n  },\n" body "}\n"
#define THREADS(flag, body) "  \"num_threads\": 1,\n  \"resolution_in_ns\": " flag ",\n  \"thread\": {\n    \"0\": {\n" body "    }\n  }\n"
#define CYCLES "      \"histogram\": {\n        \"19\": 2,\n        \"20\": 3\n      },\n      \"cycles\": 7,\n      \"min\": 19,\n      \"max\": 151,\n" \
	"      \"avg\": 37.87,\n      \"cpu\": -1,\n      \"node\": 0\n"

static void json_of_cycles(void **state)
{
	(void)state;
	reads(ENVELOPE("cyclictest -q -h 60", THREADS("0", CYCLES)),
	      "cyclictest thread=0 ns min=19000 avg=37870 max=151000 count=7 bins=2 width=1000 over=2 | derived\n");
	/* Here the resolution is a flag: 1 means nanoseconds. */
	reads(ENVELOPE("cyclictest -N", THREADS("1", CYCLES)),
	      "cyclictest thread=0 ns min=19 avg=37.87 max=151 count=7 bins=2 width=1 over=2 | derived\n");
	same_wrapped(ENVELOPE("cyclictest -q -h 60", THREADS("0", CYCLES)), true);
	reads(ENVELOPE("signaltest -q", THREADS("0", "      \"cycles\": 200,\n      \"min\": 27,\n      \"max\": 261,\n      \"avg\": 59.96,\n      \"cpu\": 2\n")),
	      "signaltest thread=0 cpu=2 ns min=27000 avg=59960 max=261000 count=200\n");
	reads(ENVELOPE("./cyclicdeadline -D 1", THREADS("0", "\t \"cycles\": 101,\n\t \"min\": 2,\n\t \"max\": 175,\n\t \"avg\": 40.09\n")),
	      "cyclicdeadline { duration_s=1 } thread=0 ns min=2000 avg=40090 max=175000 count=101\n");
	/* No sample, and an average that is no JSON; quotes that are not escaped. */
	reads(ENVELOPE("cyclictest --fifo=\"a b\\\\\"", THREADS("0", "      \"cycles\": 0,\n      \"min\": 1000000,\n      \"max\": 0,\n      \"avg\": -nan,\n      \"cpu\": 0,\n      \"node\": 0\n")),
	      "cyclictest thread=0 cpu=0 ns min=null avg=null max=null count=0 | no-samples\n");
	/* Cut: what is whole counts. */
	reads("{\n  \"file_version\": 1,\n  \"cmdline:\": \"cyclictest -q\",\n  \"resolution_in_ns\": 0,\n  \"thread\": {\n    \"0\": {\n"
	      "      \"cycles\": 500,\n      \"min\": 19,\n      \"max\": 15\n",
	      "cyclictest thread=0 ns min=19000 count=500 | row-truncated\n");
	reads("{\n  \"file_version\": 2,\n  \"something\": \"else\"\n}\n", "");
}

/* Rows and file of one run are one result; other figures are another run. */
static void rows_and_json(void **state)
{
	const char *row = "T: 0 (15872) P:80 I:1000 C:      7 Min:     19 Act:   23 Avg:   37 Max:     151\n";
	g_autofree char *both = g_strconcat(row, ENVELOPE("cyclictest -q -h 60", THREADS("0", CYCLES)), NULL);
	g_autofree char *two = g_strconcat(
		"T: 0 (15872) P:80 I:1000 C:      7 Min:     19 Act:   23 Avg:   37 Max:     152\n",
		ENVELOPE("cyclictest -q -h 60", THREADS("0", CYCLES)), NULL);
	g_autofree char *twice = g_strconcat(both, row, NULL);

	(void)state;
#define JOINED "cyclictest thread=0 tid=15872 priority=80 interval_ns=1000000 ns min=19000 avg=37870 max=151000 last=23000 count=7" \
	" bins=2 width=1000 over=2 | derived\n"
	reads(both, JOINED);
	reads(twice, JOINED "cyclictest thread=0 tid=15872 priority=80 interval_ns=1000000 ns"
	      " min=19000 avg=37000 max=151000 last=23000 count=7\n");
	reads(two, "cyclictest thread=0 tid=15872 priority=80 interval_ns=1000000 ns min=19000 avg=37000 max=152000 last=23000 count=7\n"
	      "cyclictest thread=0 ns min=19000 avg=37870 max=151000 count=7 bins=2 width=1000 over=2 | derived\n");
}

static void json_of_others(void **state)
{
	(void)state;
	reads(ENVELOPE("pmqtest -q", THREADS("0",
		"      \"sender\": {\n        \"cpu\": 1,\n        \"priority\": 80,\n        \"samples\": 200,\n        \"interval\": 1000\n      },\n"
		"      \"receiver\": {\n        \"cpu\": 0,\n        \"priority\": 79,\n        \"timeoutcount\": 0,\n        \"min\": 25,\n        \"avg\": 39.16,\n        \"max\": 194\n      }\n")),
	      "pmqtest sender=1 receiver=0 cpu=0 priority=79 interval_ns=1000000 ns min=25000 avg=39160 max=194000 count=200\n");
	reads(ENVELOPE("rt-migrate-test -q 1", THREADS("0", "      \"prio\": 2,\n      \"min\": 34,\n      \"avg\": 13378,\n      \"max\": 20053,\n      \"total\": 40136\n")),
	      "rt-migrate-test thread=0 priority=2 ns min=34000 avg=13378000 max=20053000\n");
	/* Bucket k of oslat is what took up to k; the last one has the overflows. */
	reads(ENVELOPE("oslat -D 1", THREADS("0",
		"      \"cpu\": 5,\n      \"freq\": 2597,\n      \"min\": 0,\n      \"avg\": 1.075142,\n      \"max\": 32107,\n      \"duration\": 1.013,\n"
		"      \"histogram\": {\n        \"1\": 10019810,\n        \"2\": 158,\n        \"3\": 205\n      }\n")),
	      "oslat { duration_s=1 } cpu=5 ns min=0 avg=1075.142 max=32107000 bins=2 width=1000 over=205\n");
	reads(ENVELOPE("pi_stress --duration=1", "  \"inversion\": 119000\n"), "pi_stress { duration_s=1 } 1 value=119000\n");
	reads(ENVELOPE("ssdd -f 1", "  \"return_code\": 0\n"), "");
}

#define PAIRS \
	"#0: ID8787, P80, CPU1, I1000; #1: ID8791, P80, CPU0, TO 0, Cycles 98\n" \
	"#2: ID8792, P79, CPU0, I1500; #3: ID8795, P79, CPU1, TO 0, Cycles 63\n" \
	"#1 -> #0, Min   19, Cur   31, Avg   41, Max  286\n" \
	"#3 -> #2, Min    3, Cur   32, Avg   36, Max  215\n"

static void pairs(void **state)
{
	(void)state;
	reads(PAIRS,
	      "pmqtest sender=1 receiver=0 tid=8787 cpu=1 priority=80 interval_ns=1000000 ns"
	      " min=19000 avg=41000 max=286000 last=31000 count=98;"
	      " sender=3 receiver=2 tid=8792 cpu=0 priority=79 interval_ns=1500000 ns"
	      " min=3000 avg=36000 max=215000 last=32000 count=63\n");
	same_wrapped(PAIRS, true);
	/* Redrawn; start values in the first block. */
	reads("$ svsematest -t 1\n"
	      "#0: ID8022, P80, CPU-1, I1000; #1: ID0, P80, CPU-1, Cycles 0\n#1 -> #0, Min   -1, Cur    0, Avg -2147483648, Max    0\n"
	      "\033[2A#0: ID8022, P80, CPU1, I1000; #1: ID8023, P80, CPU1, Cycles 63\n#1 -> #0, Min   20, Cur   35, Avg   30, Max   67\n\033[2A\033[4B",
	      "svsematest { threads=1 } sender=1 receiver=0 tid=8022 cpu=1 priority=80 interval_ns=1000000 ns"
	      " min=20000 avg=30000 max=67000 last=35000 count=63\n");
	reads("$ sigwaittest\n#0: ID8022, P80, CPU-1, I1000; #1: ID0, P80, CPU-1, Cycles 0\n#1 -> #0, Min   -1, Cur    0, Avg -2147483648, Max    0\n",
	      "sigwaittest sender=1 receiver=0 tid=8022 priority=80 interval_ns=1000000 ns min=null avg=null max=null last=null count=0"
	      " | no-samples\n");
	reads("$ sigwaittest\n#0: ID8022, P80, CPU0, I1000; #1: ID8023, P80, CPU1, Cycles 5\n#1 -> #0 (not yet ready)\n",
	      "sigwaittest sender=1 receiver=0 tid=8022 cpu=0 priority=80 interval_ns=1000000 ns"
	      " min=null avg=null max=null last=null count=5 | no-samples\n");
	/* A result without its pair; one more behind a complete run. */
	reads("#1 -> #0, Min    1, Cur    1, Avg    2, Max   11\n", "");
	reads(PAIRS "What it means:\n#1 -> #0, Min    1, Cur    1, Avg    2, Max   11\n",
	      "pmqtest sender=1 receiver=0 tid=8787 cpu=1 priority=80 interval_ns=1000000 ns"
	      " min=19000 avg=41000 max=286000 last=31000 count=98;"
	      " sender=3 receiver=2 tid=8792 cpu=0 priority=79 interval_ns=1500000 ns"
	      " min=3000 avg=36000 max=215000 last=32000 count=63\n");
	/* Cut. */
	reads("#0: ID1, P80, CPU1, I1000; #1: ID2, P80, CPU0, TO 0, Cycles 98\n#1 -> #0, Min   19, Cur   3\n",
	      "pmqtest sender=1 receiver=0 tid=1 cpu=1 priority=80 interval_ns=1000000 ns min=19000 avg=null max=null last=null count=98"
	      " | row-truncated,row-truncated\n");
}

#define BANNER(seconds) \
	"hwlatdetect:  test duration " seconds " seconds\n   detector: tracer\n   parameters:\n        Latency threshold: 10us\n" \
	"        Sample window:     1000000us\n        Sample width:      500000us\n     Non-sampling period:  500000us\n        Output File:       None\n\n" \
	"Starting test\n"
#define TWO_ROWS "ts: 1796045869.201197966, inner:4781, outer:5684\nts: 1796045870.216840960, inner:79, outer:3661\n"
#define SUMMARY(max, n) "test finished\nMax Latency: " max "\nSamples recorded: " n "\nSamples exceeding threshold: " n "\n"

static void hwlatdetect(void **state)
{
	(void)state;
	reads(BANNER("4") SUMMARY("5684us", "2") TWO_ROWS, "hwlatdetect { duration_s=4 } ns max=5684000 rows=2\n");
	same_wrapped(BANNER("4") SUMMARY("5684us", "2") TWO_ROWS, true);
	/* Nothing found; rows before the summary; rows only; rows missing; a summary below its rows. */
	reads(BANNER("60") SUMMARY("Below threshold", "0"), "hwlatdetect { duration_s=60 } ns max=null\n");
	reads(BANNER("4") TWO_ROWS SUMMARY("5684us", "2"), "hwlatdetect { duration_s=4 } ns max=5684000 rows=2\n");
	reads(TWO_ROWS, "hwlatdetect ns max=5684000 rows=2 | derived\n");
	reads(BANNER("4") SUMMARY("5684us", "4") TWO_ROWS, "hwlatdetect { duration_s=4 } ns max=5684000 rows=2 | rows-missing\n");
	reads(BANNER("4") SUMMARY("5683us", "2") TWO_ROWS, "hwlatdetect { duration_s=4 } ns max=5683000 rows=2 | summary-mismatch\n");
	/* 2.10 adds the CPU and a count. Line ends lost, and a row glued to what stood before it. */
	reads("ts: 1796045887.701537956, inner:5374, outer:9288, cpu:1, count:2824\n", "hwlatdetect ns max=9288000 rows=1 | derived\n");
	reads("hwlatdetect: test duration 3600 seconds\ndetector: tracer\nparameters:Latency threshold: 10usSample window: 1000000us\n\n"
	      "Starting tests:1610542421.275784439, inner:78, outer:81\nts: 1610542444.330561619, inner:27, outer:28\n",
	      "hwlatdetect { duration_s=3600 } ns max=81000 rows=2 | derived\n");
	/* Two runs; a run that was cut before its result; parameters are no latencies. */
	reads(BANNER("60") SUMMARY("Below threshold", "0") BANNER("3600") SUMMARY("11us", "1"),
	      "hwlatdetect { duration_s=60 } ns max=null\nhwlatdetect { duration_s=3600 } ns max=11000\n");
	reads(BANNER("60"), "");
	reads("Max Latency: 48us\nis what we saw.\n", "");
}

#define TRACE_HEAD "# tracer: hwlat\n#\n# entries-in-buffer/entries-written: 2/2   #P:56\n#\n#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION\n" \
	"#              | |         |   |||||     |         |\n"
#define TRACE_ROWS \
	"            <...>-8795    [001] dn...   613.749741: #1 inner/outer(us):   41/41    ts:1702045267.016266287 count:9976\n" \
	"            <...>-8804    [000] dn...   675.201727: #2 inner/outer(us):   40/42    ts:1702045328.469859973 count:6506\n"

static void hwlat_tracer(void **state)
{
	(void)state;
	reads(TRACE_HEAD TRACE_ROWS, "hwlat ns max=42000 rows=2 | derived\n");
	same_wrapped(TRACE_ROWS, true);
	/* A tracer that found nothing is a result too. A lower number begins another trace. */
	reads(TRACE_HEAD, "hwlat ns max=null\n");
	reads(TRACE_ROWS "            <...>-9000    [001] d....   534.595415: #1 inner/outer(us):   21/20    ts:1702024432.844243126\n",
	      "hwlat ns max=42000 rows=2 | derived\nhwlat ns max=21000 rows=1 | derived\n");
}

#define OSLAT \
	"oslat V 2.40\nTotal runtime: \t\t2 seconds\nThread priority: \tSCHED_FIFO:10\nCPU list: \t\t0-1\nCPU for main thread: \t0\n\nTest starts...\nTest completed.\n\n" \
	"        Core:\t 0 1\nCounter Freq:\t 2604 2597 (Mhz)\n    001 (us):\t 31419197 20920916\n    002 (us):\t 597 477\n    003 (us):\t 0 5\n" \
	"    004 (us):\t 283 181 (including overflows)\n     Minimum:\t 1 1 (us)\n     Average:\t 1.044 1.065 (us)\n     Maximum:\t 35978 36189 (us)\n" \
	"     Max-Min:\t 35977 36188 (us)\n    Duration:\t 1.995 2.020 (sec)\n\n"

static void oslat(void **state)
{
	GString *wide = g_string_new("        Core:\t");

	(void)state;
	reads(OSLAT,
	      "oslat { duration_s=2 policy=SCHED_FIFO priority=10 } cpu=0 ns min=1000 avg=1044 max=35978000 bins=2 width=1000 over=283;"
	      " cpu=1 ns min=1000 avg=1065 max=36189000 bins=3 width=1000 over=181\n");
	same_wrapped(OSLAT, true);
	/* Narrow buckets have decimals; -z leaves rows out. */
	reads("        Core:\t 1\nCounter Freq:\t 2604 (MHz)\n  0.100 (us):\t 128\n  0.200 (us):\t 2\n    ...\n  1.600 (us):\t 61 (including overflows)\n"
	      "     Minimum:\t 0.021 (us)\n     Average:\t 52.014 (us)\n     Maximum:\t 13299.367 (us)\n",
	      "oslat cpu=1 ns min=21 avg=52014 max=13299367 bins=2 width=100 over=61\n");
	/* Cut in a row: its last number may lack digits. */
	reads("        Core:\t 0 1\nCounter Freq:\t 2604 2597 (Mhz)\n    001 (us):\t 314 209\n     Minimum:\t 1 1 (us)\n     Maximum:\t 35978 36",
	      "oslat cpu=0 ns min=1000 max=35978000 bins=1 width=1000; cpu=1 ns min=1000 max=null bins=1 width=1000 | row-truncated\n");
	reads("oslat V 2.10\nTotal runtime: \t\t2 seconds\nTest starts...\n", "");
	/* Rows of many cores are wrapped. */
	for (int i = 0; i < 40; i++)
		g_string_append_printf(wide, " %d", i);
	g_string_append(wide, "\nCounter Freq:\t");
	for (int row = 0; row < 4; row++) {
		static const char *const names[] = { "    001 (us):\t", "     Minimum:\t", "     Maximum:\t" };
		static const char *const ends[] = { " (Mhz)\n", "\n", " (us)\n", " (us)\n" };

		for (int i = 0; i < 40; i++)
			g_string_append_printf(wide, " %d", 1 + row * 100 + i);
		g_string_append(wide, ends[row]);
		if (row < 3)
			g_string_append(wide, names[row]);
	}
	same_wrapped(wide->str, false);
	g_string_free(wide, TRUE);
}

#define CYCLIC(pid, row) "stress-ng: info:  [" pid "] cyclic: " row "\n"
#define STRESS(pid) \
	CYCLIC(pid, "sched SCHED_FIFO: 100000 ns delay, 10000 samples") CYCLIC(pid, "  mean: 44111.39 ns, mode: 43893 ns") \
	CYCLIC(pid, "  min: 19575 ns, max: 711465 ns, std.dev. 12800.26") CYCLIC(pid, "latency percentiles:") \
	CYCLIC(pid, "  25.00%:      41078 ns") CYCLIC(pid, "  99.99%:     711465 ns")
#define STRESS_READ "stress-ng-cyclic { policy=SCHED_FIFO period_ns=100000 } ns min=19575 avg=44111.39 max=711465 stddev=12800.26 count=10000" \
	" p25=41078 p99.99=711465\n"

static void stress_ng(void **state)
{
	(void)state;
	reads(STRESS("18747"), STRESS_READ);
	same_wrapped(STRESS("18747"), true);
	reads("stress-ng: info:  [1] dispatching hogs: 1 cyclic\n" STRESS("2") "stress-ng: info:  [1] successful run completed in 2.01s\n"
	      "stress-ng: info:  [3] dispatching hogs: 1 cyclic\n^C" STRESS("4"), STRESS_READ STRESS_READ);
	/* The distribution; the name of 2017, whose percentiles were marked us; cut. */
	reads(CYCLIC("7", "sched SCHED_RR: 100000 ns delay, 7328 samples") CYCLIC("7", "  mean: 28635.45 ns, mode: 23398 ns")
	      CYCLIC("7", "  min: 10391 ns, max: 331575 ns, std.dev. 17768.98") CYCLIC("7", "latency distribution (10000 ns intervals):")
	      CYCLIC("7", "(for the first 34 buckets of 34)") CYCLIC("7", "latency (ns)  frequency") CYCLIC("7", "           0          0")
	      CYCLIC("7", "       10000         37") CYCLIC("7", "          ..         .. (all zeros hereafter)"),
	      "stress-ng-cyclic { policy=SCHED_RR period_ns=100000 } ns min=10391 avg=28635.45 max=331575 stddev=17768.98 count=7328"
	      " bins=1 width=10000\n");
	reads("stress-ng: info:  [7] stress-ng-cyclic: sched SCHED_FIFO: 100000 ns delay, 10000 samples\n"
	      "stress-ng: info:  [7] stress-ng-cyclic:   mean: 44111.39 ns, mode: 43893 ns\nstress-ng: info:  [7] stress-ng-cyclic:   25.00%:      41078 us\n",
	      "stress-ng-cyclic { policy=SCHED_FIFO period_ns=100000 } ns avg=44111.39 count=10000 p25=41078\n");
	reads(CYCLIC("7", "SCHED_DEADLINE: no latency information available"), "");
	reads(CYCLIC("7", "sched SCHED_RR: 100000 ns delay, 7328 samples"), "");
}

#define HACKBENCH "Running in process mode with 10 groups using 40 file descriptors each (== 400 tasks)\n" \
	"Each sender will pass 100 messages of 100 bytes\n"

static void hackbench(void **state)
{
	(void)state;
	reads(HACKBENCH "Time: 4.905\n", "hackbench s value=4.905\n");
	same_wrapped(HACKBENCH "Time: 4.905\n", true);
	reads("Running with 10*40 (== 400) tasks.\nTime: 12.345\n", "hackbench s value=12.345\n");
	reads("$ hackbench 10\nTime: 12.345\n$ uname\nTime: 12.346\n", "hackbench s value=12.345\n");
	/* In the background: other output stands between. Never ended: no result. */
	reads(HACKBENCH "signaling 400 worker threads to terminate\nTime: 9.813\nTime: 1.000\n", "hackbench s value=9.813\n");
	reads(HACKBENCH, "");
	reads("Time: 4.905\n", "");
}

#define SIGNAL "T: 0 ( 7909) P:80 C:    100 Min:     37 Act:   62 Avg:   61 Max:     178\n" \
	"T: 1 ( 7910) P:80 C:    100 Min:     36 Act:   54 Avg:  764 Max:   10172\n"
#define SIGNAL_READ(rows) "signaltest thread=0 tid=7909 priority=80 ns min=37000 avg=61000 max=178000 last=62000 count=100" rows ";" \
	" thread=1 tid=7910 priority=80 ns min=36000 avg=764000 max=10172000 last=54000 count=100\n"

static void signaltest(void **state)
{
	(void)state;
	reads(SIGNAL, SIGNAL_READ(""));
	same_wrapped(SIGNAL, true);
	reads("3.76 2.38 1.20 7/130 7910          \n\nT: 0 ( 7909) P:80 C:      0 Min:1000000 Act:    0 Avg:    0 Max:-1000000\n"
	      "\033[3A3.76 2.38 1.20 7/130 7910          \n\nT: 0 ( 7909) P:80 C:     16 Min:     41 Act:   54 Avg:   63 Max:     148\n" SIGNAL,
	      SIGNAL_READ(""));
	reads("       0:       0:       0\n       0:       1:      96\n" SIGNAL, SIGNAL_READ(" rows=2"));
}

static void cyclicdeadline(void **state)
{
	(void)state;
	reads("Using all CPUS\ninterval: 6000:10000\n  Tested at 4us of 6000us\ndeadline thread 12717\nthread[12717] runtime=6000us deadline=10000us\nmain thread 12708\n"
	      "T: 0 (12717) I:10000 C:      1 Min:      1 Act:    1 Avg:    1 Max:       1\n"
	      "\033[1AT: 0 (12717) I:10000 C:    101 Min:      2 Act:   47 Avg:   40 Max:     175\n",
	      "cyclicdeadline thread=0 tid=12717 interval_ns=10000000 ns min=2000 avg=40000 max=175000 last=47000 count=101\n");
	same_wrapped("T: 0 (12717) I:10000 C:    101 Min:      2 Act:   47 Avg:   40 Max:     175\n"
	             "T: 1 (12718) I:10500 C:     96 Min:      6 Act:   46 Avg:   44 Max:     196\n", true);
	/* 2.7: the histogram block of cyclictest, but of this tool. */
	reads("T: 0 (12717) I:10000 C:      3 Min:     21 Act:   22 Avg:   21 Max:      22\n"
	      "# Histogram\n000021 000002\n000022 000001\n# Min Latencies: 00021\n# Avg Latencies: 00021\n# Max Latencies: 00022\n# Histogram Overflows: 00000\n",
	      "cyclicdeadline thread=0 tid=12717 interval_ns=10000000 ns min=21000 avg=21000 max=22000 last=22000 count=3 bins=2 width=1000 over=0\n");
	reads("T: 0 (12717) I:10000 C:    101 Min:      2 Act:   47 Avg:   40 Max:     175\n# Break thread: 12717\n# Break value: 175\n",
	      "cyclicdeadline thread=0 tid=12717 interval_ns=10000000 ns min=2000 avg=40000 max=175000 last=47000 count=101 | interrupted\n");
	reads("[1234]\nmissed deadlines  = 2\nmissed periods    = 0\nTotal adjustments = 15 us\ndeadline   : 10000 us\nruntime    : 500 us\nnr_periods : 100\n"
	      "max_time: 58us\tmin_time: 12us\tavg_time: 14us\nctx switches vol:99 nonvol:1 migration:0\nhighest prime: 99\n\n"
	      "[1235]\nmissed deadlines  = 0\nmissed periods    = 0\nmax_time: 59us\tmin_time: 13us\tavg_time: 15us\n",
	      "deadline_test tid=1234 ns min=12000 avg=14000 max=58000 count=100 overruns=2; tid=1235 ns min=13000 avg=15000 max=59000 overruns=0\n");
	reads("as it says in [1234]\n[1234]\n", "");
}

static void others(void **state)
{
	(void)state;
	reads("Starting PI Stress Test\nNumber of thread groups: 1\nDuration of test run: 2 seconds\n     Admin thread SCHED_FIFO priority 4\n\n"
	      "\033[1ACurrent Inversions: 122449\n\033[1ACurrent Inversions: 179590\n\033[1BStopping test\nTotal inversion performed: 237018\n"
	      "Test Duration: 0 days, 0 hours, 0 minutes, 3 seconds\n",
	      "pi_stress { duration_s=2 } 1 value=237018\n");
	reads("Starting PI Stress Test\nCurrent Inversions: 122449\nERROR: WATCHDOG triggered: group 0 is deadlocked!\n",
	      "pi_stress 1 value=122449 | interrupted\n");
	reads("Iter:      0       1  \n   0:    20050      70  \n len:    40050   20070  \n loops: 1086379  1077215  \n\n"
	      "   1:       39      80  \n len:    20090   20080  \n loops:   1362  1084063  \n\nParent pid: 18284\n"
	      " Task 0 (prio 2) (pid 18287):\n   Max: 20050 us\n   Min: 39 us\n   Tot: 20089 us\n   Avg: 10044 us\n\n"
	      " Task 1 (prio 3) (pid 18288):\n   Max: 80 us\n   Min: 70 us\n   Tot: 150 us\n   Avg: 75 us\n\n Passed!\n",
	      "rt-migrate-test thread=0 tid=18287 priority=2 ns min=39000 avg=10044000 max=20050000 rows=2;"
	      " thread=1 tid=18288 priority=3 ns min=70000 avg=75000 max=80000 rows=2\n");
	/* A value in two pieces moves what is behind it to another task. */
	reads("Iter:      0       1  \n   0:    20 050      70  \n   1:       39      80  \n",
	      "rt-migrate-test thread=0 ns min=39000 avg=39000 max=39000 rows=2; thread=1 ns min=80000 avg=80000 max=80000 rows=2"
	      " | row-truncated,derived,derived\n");
	reads("tsc_freq_ghz = 2.000000, cycles_to_ns = 0.500000\nmax_queue_len = 10\n[0 - 99] = 14927\n...\n[3300 - 3399] = 0\n[3400 - 3499] = 1\n...\n"
	      "[70000 - END] = 0\n\n ---------------- \nMin loop processing time: [0 - 99] = 14927\nMax loop processing time: [3400 - 3499] = 1\nAvg loop processing time: 100\n",
	      "queuelat ns avg=100 bins=2 width=100 over=0\n");
	/* Nothing is measured. */
	reads("#main : 19885\n#forks: 1\n#steps: 100\n\nforktest#0/19887/19888: STARTING\nforktest#0/19887: EXITING, no error\nAll tests PASSED.\n", "");
	reads("Successfully used priority inheritance to handle an inversion\n", "");
}

/* Digit groups are no figures of the tool's: null, and told. */
static void stress_ng_groups(void **state)
{
	(void)state;
	reads("stress-ng: info:  [1] cyclic: sched SCHED_FIFO: 100000 ns delay, 10000 samples\n"
	      "stress-ng: info:  [1] cyclic:   mean: 9834.56 ns, mode: 3495 ns\n"
	      "stress-ng: info:  [1] cyclic:   min: 2,413 ns, max: 3145065 ns, std.dev. 77096.98\n",
	      "stress-ng-cyclic { policy=SCHED_FIFO period_ns=100000 } ns min=null avg=9834.56 max=null stddev=null count=10000 | row-truncated\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stress_ng_groups),
		cmocka_unit_test(jitterdebugger_text),
		cmocka_unit_test(jitterdebugger_json),
		cmocka_unit_test(json_of_cycles),
		cmocka_unit_test(rows_and_json),
		cmocka_unit_test(json_of_others),
		cmocka_unit_test(pairs),
		cmocka_unit_test(hwlatdetect),
		cmocka_unit_test(hwlat_tracer),
		cmocka_unit_test(oslat),
		cmocka_unit_test(stress_ng),
		cmocka_unit_test(hackbench),
		cmocka_unit_test(signaltest),
		cmocka_unit_test(cyclicdeadline),
		cmocka_unit_test(others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
