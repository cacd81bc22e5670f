/* cyclictest: rows of all eras, histograms, samples, runs, wrappings and false friends. */
#include "tests/unit/wrapping.h"

#define RUN "T: 0 ( 1853) P:80 I:1000 C:  10000 Min:     36 Act:  156 Avg:  154 Max:     244\n"
#define RUN_READ "cyclictest thread=0 tid=1853 priority=80 interval_ns=1000000 ns" \
	" min=36000 avg=154000 max=244000 last=156000 count=10000"

static void rows_of_all_eras(void **state)
{
	(void)state;
	reads(RUN, RUN_READ "\n");
	/* 2005: no average. 2006: padded interval, all fields 8 wide, microseconds. */
	reads("T: 0 ( 5407) P:80 I:    1100 C: 2047066 Min:       7 Act:      15 Max:      59\n",
	      "cyclictest thread=0 tid=5407 priority=80 interval_ns=1100000 ns min=7000 max=59000 last=15000 count=2047066\n");
	reads("T: 0 ( 3484) P: 1 I:    1000 C:    8955 Min:      10 Act:   38011 Avg:   20919 Max:   38445\n",
	      "cyclictest thread=0 tid=3484 priority=1 interval_ns=1000000 ns"
	      " min=10000 avg=20919000 max=38445000 last=38011000 count=8955\n");
	/* The policy's number that a development version printed; the SMI column. */
	reads("T: 0 ( 3484) P: 1 Y:1 I:1000 C:     10 Min:      1 Act:    2 Avg:    2 Max:       3 SMI:       4\n",
	      "cyclictest thread=0 tid=3484 priority=1 interval_ns=1000000 ns min=1000 avg=2000 max=3000 last=2000 count=10\n");
	/* Values as wide as their fields touch the labels; blanks may be lost altogether. */
	reads("T:12 (   13) P:99 I:1500 C:10000007 Min:1234567 Act:1542000 Avg:1869900 Max:12345678\n",
	      "cyclictest thread=12 tid=13 priority=99 interval_ns=1500000 ns"
	      " min=1234567000 avg=1869900000 max=12345678000 last=1542000000 count=10000007\n");
	reads("T: 0 (884) P:80 I:250 C:4688252 Min: 3 Act: 6 Avg: 6 Max: 51956\n",
	      "cyclictest thread=0 tid=884 priority=80 interval_ns=250000 ns min=3000 avg=6000 max=51956000 last=6000 count=4688252\n");
}

static void odd_rows(void **state)
{
	(void)state;
	/* A bold maximum; a copy without Act; units behind the figures; rows glued to what was before them. */
	reads("T: 0 ( 1853) P:80 I:1000 C:  10000 Min:     36 Act:  156 Avg:  154 Max:     **244** <-- bad\n", RUN_READ "\n");
	reads("T: 0 ( 1853) P:80 I:1000 C:  10000 Min:     36 Avg:  154 Max:     244\n",
	      "cyclictest thread=0 tid=1853 priority=80 interval_ns=1000000 ns min=36000 avg=154000 max=244000 count=10000\n");
	reads("T: 0 ( 1853) P:80 I:1000 C:  10000 Min:     36 Act:  156 Avg:  154 Max:     244us\n", RUN_READ "\n");
	reads("# /dev/cpu_dma_latency set to 0uspolicy: fifo: loadavg: 0.44 0.43 0.20 3/100 1853"
	      "T: 0 ( 1853) P:80 I:1000 C:  10000 Min:     36 Act:  156 Avg:  154 Max:     244"
	      "T: 1 ( 1854) P:80 I:1000 C:  10000 Min:     37 Act:  156 Avg:  154 Max:     245\n",
	      "cyclictest { policy=fifo } thread=0 tid=1853 priority=80 interval_ns=1000000 ns"
	      " min=36000 avg=154000 max=244000 last=156000 count=10000;"
	      " thread=1 tid=1854 priority=80 interval_ns=1000000 ns min=37000 avg=154000 max=245000 last=156000 count=10000\n");
}

static void units(void **state)
{
	(void)state;
	/* Nanoseconds by the width of Act and Avg, and by -N. */
	reads("T: 0 ( 6479) P:80 I:1000 C:    500 Min:  21185 Act:   46090 Avg:   50022 Max:  273486\n",
	      "cyclictest thread=0 tid=6479 priority=80 interval_ns=1000000 ns min=21185 avg=50022 max=273486 last=46090 count=500\n");
	reads("$ cyclictest -mN -p 80\nT: 0 (6479) P:80 I:1000 C: 500 Min: 21185 Act: 46090 Avg: 50022 Max: 273486\n",
	      "cyclictest { priority=80 } thread=0 tid=6479 priority=80 interval_ns=1000000 ns"
	      " min=21185 avg=50022 max=273486 last=46090 count=500\n");
	/* The width is the program's own word. */
	reads("$ cyclictest -N\n" RUN, RUN_READ " | unit-assumed\n");
	/* A command without it: microseconds, however large. */
	reads("$ cyclictest -m -p 80\nT: 0 (6479) P:80 I:1000 C: 500 Min: 211850 Act: 460900 Avg: 500220 Max: 2734860\n",
	      "cyclictest { priority=80 } thread=0 tid=6479 priority=80 interval_ns=1000000 ns"
	      " min=211850000 avg=500220000 max=2734860000 last=460900000 count=500\n");
	/* Nothing says it, but all figures have more than five digits. */
	reads("T: 0 (6479) P:80 I:1000 C: 500 Min: 211850 Act: 460900 Avg: 500220 Max: 2734860\n",
	      "cyclictest thread=0 tid=6479 priority=80 interval_ns=1000000 ns"
	      " min=211850 avg=500220 max=2734860 last=460900 count=500 | unit-assumed\n");
	/* A thread that was never woken within ten intervals; what is not absurd as microseconds stays such, but is told. */
	reads("T: 0 (6479) P:80 I:1000 C: 500 Min: 21185 Act: 46090 Avg: 50022 Max: 273486\n",
	      "cyclictest thread=0 tid=6479 priority=80 interval_ns=1000000 ns"
	      " min=21185 avg=50022 max=273486 last=46090 count=500 | unit-assumed\n");
	reads("T: 0 (6479) P:80 I:10000 C: 500 Min: 2118 Act: 4609 Avg: 5002 Max: 27348\n",
	      "cyclictest thread=0 tid=6479 priority=80 interval_ns=10000000 ns"
	      " min=2118000 avg=5002000 max=27348000 last=4609000 count=500 | unit-assumed\n");
}

static void start_values(void **state)
{
	(void)state;
	reads("T: 0 (    0) P:80 I:1000 C:      0 Min:1000000 Act:    0 Avg:    0 Max:       0\n",
	      "cyclictest thread=0 tid=0 priority=80 interval_ns=1000000 ns min=null avg=null max=null last=null count=0 | no-samples\n");
	reads("T: 0 ( 6879) P:80 I:1000 C:      0 Min:1000000 Act:    0 Avg:    0 Max:-1000000\n",
	      "cyclictest thread=0 tid=6879 priority=80 interval_ns=1000000 ns"
	      " min=null avg=null max=null last=null count=0 | no-samples\n");
	/* A count above 0: stands as printed, flagged. */
	reads("T: 7 (  694) P:99 I:4500 C:     89 Min: 100000 Act:  213 Avg:  473 Max:    0\n",
	      "cyclictest thread=7 tid=694 priority=99 interval_ns=4500000 ns"
	      " min=100000000 avg=473000 max=0 last=213000 count=89 | avg-out-of-range\n");
}

static void redrawn_screen(void **state)
{
	(void)state;
	/* The last snapshot counts; the escape is glued to the status line, or pasted without its first byte. */
	reads("# /dev/cpu_dma_latency set to 0us\n"
	      "policy: fifo: loadavg: 5.04 2.95 1.46 8/129 15573          \n\n"
	      "T: 0 (    0) P:80 I:1000 C:      0 Min:1000000 Act:    0 Avg:    0 Max:       0\n"
	      "T: 1 (    0) P:80 I:1500 C:      0 Min:1000000 Act:    0 Avg:    0 Max:       0\n"
	      "\033[4Apolicy: fifo: loadavg: 5.04 2.95 1.46 5/129 15573          \n\n"
	      "T: 0 (15572) P:80 I:1000 C:     17 Min:     31 Act:  166 Avg:   55 Max:     166\n"
	      "T: 1 (15573) P:80 I:1500 C:     11 Min:     22 Act:   25 Avg:   29 Max:      60\n"
	      "[4Apolicy: fifo: loadavg: 5.04 2.95 1.46 5/129 15573          \n\n"
	      "T: 0 (15572) P:80 I:1000 C:    137 Min:     25 Act:  192 Avg:   50 Max:     192\n"
	      "T: 1 (15573) P:80 I:1500 C:     91 Min:     19 Act:   26 Avg:   28 Max:     179\n"
	      "\033[4A\033[4B",
	      "cyclictest { policy=fifo } thread=0 tid=15572 priority=80 interval_ns=1000000 ns"
	      " min=25000 avg=50000 max=192000 last=192000 count=137;"
	      " thread=1 tid=15573 priority=80 interval_ns=1500000 ns min=19000 avg=28000 max=179000 last=26000 count=91\n");
	/* Cut while it was redrawn: the complete row stands. */
	reads("T: 0 (15572) P:80 I:1000 C:     17 Min:     31 Act:  166 Avg:   55 Max:     166\n"
	      "T: 0 (15572) P:80 I:1000 C:     18 Min:     31 Ac\n",
	      "cyclictest thread=0 tid=15572 priority=80 interval_ns=1000000 ns min=31000 avg=55000 max=166000 last=166000 count=17\n");
	/* A snapshot by SIGUSR1, then the end. */
	reads("#---------------------------\n# cyclictest current status:\n"
	      "T: 0 (16383) P:80 I:1000 C:    980 Min:     18 Act:   23 Avg:   34 Max:     205\n"
	      "#---------------------------\n"
	      "T: 0 (16383) P:80 I:1000 C:   1994 Min:     18 Act:   29 Avg:   32 Max:     205\n",
	      "cyclictest thread=0 tid=16383 priority=80 interval_ns=1000000 ns min=18000 avg=32000 max=205000 last=29000 count=1994\n");
	/* Noise of the console between two snapshots is no new run. */
	reads("T: 0 (16383) P:80 I:1000 C:    980 Min:     18 Act:   23 Avg:   34 Max:     205\n"
	      "[  720.442175] irq 24, desc: 6b62142b, depth: 1, count: 0, unhandled: 0\n"
	      "T: 0 (16383) P:80 I:1000 C:   1994 Min:     18 Act:   29 Avg:   32 Max:     205\n",
	      "cyclictest thread=0 tid=16383 priority=80 interval_ns=1000000 ns min=18000 avg=32000 max=205000 last=29000 count=1994\n");
}

#define ROW(tid, count) "T: 0 (" tid ") P:80 I:1000 C:" count " Min:     18 Act:   23 Avg:   34 Max:     205\n"
#define ROW_READ(tid, count) "cyclictest thread=0 tid=" tid " priority=80 interval_ns=1000000 ns" \
	" min=18000 avg=34000 max=205000 last=23000 count=" count "\n"

static void several_runs(void **state)
{
	(void)state;
	/* Other thread ids; a count that falls; text between; a banner between. */
	reads("2.6.19-rc6:\n" ROW(" 4861", "  10000") "2.6.19-rc6-rt5:\n" ROW(" 3661", "  10000"),
	      ROW_READ("4861", "10000") ROW_READ("3661", "10000"));
	reads(ROW(" 4861", "  10000") ROW(" 4861", "   9999"), ROW_READ("4861", "10000") ROW_READ("4861", "9999"));
	reads("before\n" ROW("  547", "  10000") "after\n" ROW("  547", "  20000"),
	      ROW_READ("547", "10000") ROW_READ("547", "20000"));
	reads(ROW("  547", "  10000") "# /dev/cpu_dma_latency set to 0us\n" ROW("  547", "  20000"),
	      ROW_READ("547", "10000") ROW_READ("547", "20000"));
	reads("$ cyclictest\n" ROW("  547", "  10000") "$ cyclictest -m\n" ROW("  547", "  20000"),
	      ROW_READ("547", "10000") ROW_READ("547", "20000"));
	/* A number below the last one's begins anew. */
	reads("T: 1 (  550) P:80 I:1000 C:     10 Min:     18 Act:   23 Avg:   34 Max:     205\n" ROW("  551", "  10000"),
	      "cyclictest thread=1 tid=550 priority=80 interval_ns=1000000 ns min=18000 avg=34000 max=205000 last=23000 count=10\n"
	      ROW_READ("551", "10000"));
}

static void cut_rows(void **state)
{
	(void)state;
	/* What is lost is null; so is a number at the cut, which may lack digits, unless its field is full. */
	reads("T: 0 ( 4928) P:99 I:1000 C: 824721 Min:      1 Act:    5 A\n",
	      "cyclictest thread=0 tid=4928 priority=99 interval_ns=1000000 ns min=1000 avg=null max=null last=5000 count=824721"
	      " | row-truncated,row-truncated\n");
	reads("T: 0 ( 4928) P:99 I:1000 C: 824721 Min:      1 Act:    5 Avg:    6\n",
	      "cyclictest thread=0 tid=4928 priority=99 interval_ns=1000000 ns min=1000 avg=null max=null last=5000 count=824721"
	      " | row-truncated,row-truncated\n");
	reads("T: 0 ( 4928) P:99 I:1000 C: 824721 Min:     12\n",
	      "cyclictest thread=0 tid=4928 priority=99 interval_ns=1000000 ns min=12000 avg=null max=null count=824721"
	      " | row-truncated,row-truncated\n");
	reads("T: 0 ( 4928) P:99 I:1000 C: 824721 Min:   12\n",
	      "cyclictest thread=0 tid=4928 priority=99 interval_ns=1000000 ns min=null avg=null max=null count=824721"
	      " | row-truncated,row-truncated\n");
	reads("T: 0 ( 4928) P:99 I:1000 C: 824721 Min:      1 Act:    5 Avg:    6 Max:     1...\n",
	      "cyclictest thread=0 tid=4928 priority=99 interval_ns=1000000 ns min=1000 avg=6000 max=null last=5000 count=824721"
	      " | row-truncated,row-truncated\n");
	/* A number that goes on behind its digits is another one: groups, exponents, units, garbled digits. */
	static const char *const maxima[] = { "2 244", "2,244", "2.244", "2'244", "2e5", "24x", "2ms" };

	for (size_t i = 0; i < G_N_ELEMENTS(maxima); i++) {
		g_autofree char *row = g_strdup_printf(
			"T: 0 ( 4928) P:99 I:1000 C: 824721 Min:      1 Act:    5 Avg:    6 Max:     %s\n", maxima[i]);

		reads(row,
		      "cyclictest thread=0 tid=4928 priority=99 interval_ns=1000000 ns min=1000 avg=6000 max=null last=5000 count=824721"
		      " | row-truncated,row-truncated\n");
	}
	reads("T: 0 ( 4928) P:99 I:1000 C: 824721 Min:      1 Act:    5 Avg:  1,154 Max:     2,244\n",
	      "cyclictest thread=0 tid=4928 priority=99 interval_ns=1000000 ns min=1000 avg=null max=null last=5000 count=824721"
	      " | row-truncated,row-truncated\n");
	reads("# Min Latencies: 00001\n# Avg Latencies: 00003\n# Max Latencies: 00,020\n",
	      "cyclictest thread=0 ns min=1000 avg=3000 max=null | row-truncated,row-truncated\n");
	/* A row with a foreign mark inside is garbled: no result, and no typed table either. */
	reads("Latency with load\n\n"
	      "P:9> 5 I:1000 C:  13949 Min:      1 Act:    2 Avg:    1 Max:       3\n"
	      "P:9> 5 I:1000 C:  13947 Min:      1 Act:    2 Avg:    1 Max:      16\n", "");
	/* A sentence may end behind it, and its own unit may follow. */
	reads("T: 0 ( 4928) P:99 I:1000 C: 824721 Min:      1 Act:    5 Avg:    6 Max:      24us, fine.\n",
	      "cyclictest thread=0 tid=4928 priority=99 interval_ns=1000000 ns min=1000 avg=6000 max=24000 last=5000 count=824721\n");
	/* A console of 80 columns cuts the last digits of the maximum: its field is too narrow. */
	reads("T: 0 ( 4928) P:99 I:10000 C:   7721 Min:      1 Act:    5 Avg:    6 Max:      24\n",
	      "cyclictest thread=0 tid=4928 priority=99 interval_ns=10000000 ns min=1000 avg=6000 max=24000 last=5000 count=7721\n");
	reads("T: 0 ( 4928) P:99 I:1000 C:   7729 Min:      1 Act:    5 Avg:    6 Max:      24\n"
	      "T: 1 ( 4929) P:99 I:10000 C:   7721 Min:      1 Act:    5 Avg:    6 Max:      2\n",
	      "cyclictest thread=0 tid=4928 priority=99 interval_ns=1000000 ns min=1000 avg=6000 max=24000 last=5000 count=7729;"
	      " thread=1 tid=4929 priority=99 interval_ns=10000000 ns min=1000 avg=6000 max=null last=5000 count=7721"
	      " | row-truncated\n");
	/* Where all rows have it, it is the version's. */
	reads("T: 0 ( 4928) P:99 I:1000 C:   7721 Min:      1 Act:    5 Avg:    6 Max:     24\n",
	      "cyclictest thread=0 tid=4928 priority=99 interval_ns=1000000 ns min=1000 avg=6000 max=24000 last=5000 count=7721\n");
	/* A count is never negative. */
	reads("T: 0 ( 4928) P:99 I:1000 C:-10 Min:      1 Act:    5 Avg:    6 Max:       7\n",
	      "cyclictest thread=0 tid=4928 priority=99 interval_ns=1000000 ns min=1000 avg=6000 max=null last=5000 count=null"
	      " | row-truncated,row-truncated\n");
	/* A number of more than 15 digits is no value. */
	reads("T: 0 ( 4928) P:99 I:1000 C:     10 Min:      1 Act:    5 Avg:    6 Max:1234567890123456789\n",
	      "cyclictest thread=0 tid=4928 priority=99 interval_ns=1000000 ns min=1000 avg=6000 max=null last=5000 count=10"
	      " | out-of-range\n");
}

#define TWO_THREADS \
	"# Histogram\n000021 000005\t000000\n000022 000004\t000003\n000023 000001\t000016\n" \
	"# Total: 000000010 000000019\n# Min Latencies: 00021 00022\n# Avg Latencies: 00021 00023\n# Max Latencies: 00122 00072\n" \
	"# Histogram Overflows: 00001 00002\n# Histogram Overflow at cycle number:\n# Thread 0: 00007\n# Thread 1: 00002 00009 # 00001 others\n"
#define TWO_THREADS_READ \
	"cyclictest thread=0 ns min=21000 avg=21000 max=122000 count=11 bins=3 width=1000 over=1;" \
	" thread=1 ns min=22000 avg=23000 max=72000 count=21 bins=2 width=1000 over=2 | derived,derived\n"

static void histograms(void **state)
{
	(void)state;
	reads(TWO_THREADS, TWO_THREADS_READ);
	/* -H: a column of sums, not in the rows of minima and averages; zero rows. */
	reads("# Histogram\n000020 000000\t000000\t000000\n000021 000005\t000000\t000005\n000022 000004\t000003\t000007\n"
	      "# Total: 000000009 000000003 000000012\n# Min Latencies: 00021 00022\n# Avg Latencies: 00021 00022\n"
	      "# Max Latencies: 00022 00022 00022\n# Histogram Overflows: 00000 00000 00000\n",
	      "cyclictest thread=0 ns min=21000 avg=21000 max=22000 count=9 bins=2 width=1000 over=0;"
	      " thread=1 ns min=22000 avg=22000 max=22000 count=3 bins=1 width=1000 over=0\n");
	/* A sum that is none is told. */
	reads("# Histogram\n000021 000005\t000000\t000009\n# Min Latencies: 00021 00021\n# Max Latencies: 00021 00021 00021\n",
	      "cyclictest thread=0 ns min=21000 max=21000 bins=1 width=1000;"
	      " thread=1 ns min=21000 max=21000 bins=0 width=1000 | bins-mismatch\n");
	/* 2.7 and later: no total, empty rows missing; all samples beyond the table. */
	reads("# Histogram\n# Min Latencies: 00021\n# Avg Latencies: 00042\n# Max Latencies: 00220\n# Histogram Overflows: 00100\n",
	      "cyclictest thread=0 ns min=21000 avg=42000 max=220000 bins=0 width=1000 over=100\n");
	/* 0.28 to 0.55: one maximum of all threads; 0.56 to 0.72: "Latencys", tabs at the end. */
	reads("# Histogram\n00021 000005\t\n00022 000004\t\n# Total: 000000009\n# Max Latency: 37 / 100\n",
	      "cyclictest thread=0 ns max=37000 bins=2 width=1000\n");
	reads("# Histogram\n000021 000005\t000001\t\n# Total: 000000005 000000001\n# Max Latencys: 00037 00038\n# Histogram Overflows: 00000 00000\n",
	      "cyclictest thread=0 ns max=37000 count=5 bins=1 width=1000 over=0; thread=1 ns max=38000 count=1 bins=1 width=1000 over=0\n");
	/* Footer only; nanoseconds by the command. */
	reads("# Min Latencies: 00004 00005\n# Avg Latencies: 00006 00007\n# Max Latencies: 00042 00051\n",
	      "cyclictest thread=0 ns min=4000 avg=6000 max=42000; thread=1 ns min=5000 avg=7000 max=51000\n");
	reads("$ cyclictest -N -h 100000 -q\n# Histogram\n021345 000005\n# Min Latencies: 21345\n# Avg Latencies: 21345\n# Max Latencies: 21345\n",
	      "cyclictest thread=0 ns min=21345 avg=21345 max=21345 bins=1 width=1\n");
}

static void damaged_histograms(void **state)
{
	(void)state;
	/* A cut row is left out; a footer with too few figures leaves null. */
	reads("# Histogram\n000021 000005\t000002\n000022 0000\n# Min Latencies: 00021 00021\n# Max Latencies: 00022\n",
	      "cyclictest thread=0 ns min=21000 max=null bins=1 width=1000; thread=1 ns min=21000 max=null bins=1 width=1000"
	      " | row-truncated,row-truncated\n");
	/* Columns that cannot be told: no bins. */
	reads("# Histogram\n000021 000005\t000002\t000001\t000004\n# Min Latencies: 00021 00021\n# Max Latencies: 00022 00023\n",
	      "cyclictest thread=0 ns min=21000 max=22000; thread=1 ns min=21000 max=23000 | rows-missing\n");
	/* Two blocks side by side; flattened text has the rows of one block behind each other. */
	reads("# Min Latencies: 00014                  # Min Latencies: 00048\n"
	      "# Avg Latencies: 00692                  # Avg Latencies: 188239\n"
	      "# Max Latencies: 94633                  # Max Latencies: 961241\n",
	      "cyclictest thread=0 ns min=14000 avg=692000 max=94633000\ncyclictest thread=0 ns min=48000 avg=188239000 max=961241000\n");
	reads("# Min Latencies: 00014 # Avg Latencies: 00692 # Max Latencies: 94633\n",
	      "cyclictest thread=0 ns min=14000 avg=692000 max=94633000\n");
	/* A worst value typed below the rows; a page that took the sign for markup keeps the zeros. */
	reads(RUN "\nMax Latency: 7151 \xce\xbcs\nMin Latencies: 2\nAvg Latencies: 7\nMax Latencies: 25\n", RUN_READ "\n");
	reads("Min Latencies: 00014 00015\nMax Latencies: 94633 00070\n",
	      "cyclictest thread=0 ns min=14000 max=94633000; thread=1 ns min=15000 max=70000\n");
	/* What a redrawn row left behind the status takes nothing from the next row. */
	reads("policy: fifo: loadavg: 2.12 1.72 1.01 2/741 3504          0 Avg:    2902 Max:\n"
	      "T: 0 ( 1853) P:80 I:1000 C:   9000 Min:     36 Act:  156 Avg:  154 Max:\n" RUN,
	      "cyclictest { policy=fifo } thread=0 tid=1853 priority=80 interval_ns=1000000 ns"
	      " min=36000 avg=154000 max=244000 last=156000 count=10000 | row-truncated\n");
	/* A heading of a document is no histogram; nor are numbers without the heading. */
	reads("# Histogram\nshows the distribution of 100000 samples.\n", "");
	reads("000021 000005\n000022 000004\n", "");
}

static void run_with_histogram(void **state)
{
	(void)state;
	/* The footer is the run's final form: one result. */
	reads("T: 0 ( 6878) P:80 I:1000 C:     54 Min:     23 Act:   45 Avg:   49 Max:     174\n"
	      "# Histogram\n000023 000001\n000024 000002\n# Total: 000000003\n# Min Latencies: 00023\n# Avg Latencies: 00052\n"
	      "# Max Latencies: 00196\n# Histogram Overflows: 00057\n",
	      "cyclictest thread=0 tid=6878 priority=80 interval_ns=1000000 ns min=23000 avg=52000 max=196000 last=45000 count=60"
	      " bins=2 width=1000 over=57 | derived\n");
	/* A maximum below the rows' is another run's. */
	reads("T: 0 ( 6878) P:80 I:1000 C:     54 Min:     23 Act:   45 Avg:   49 Max:     174\n"
	      "# Histogram\n000023 000001\n# Min Latencies: 00023\n# Avg Latencies: 00023\n# Max Latencies: 00023\n",
	      "cyclictest thread=0 tid=6878 priority=80 interval_ns=1000000 ns min=23000 avg=49000 max=174000 last=45000 count=54\n"
	      "cyclictest thread=0 ns min=23000 avg=23000 max=23000 bins=1 width=1000\n");
}

static void samples(void **state)
{
	(void)state;
	reads("Max CPUs = 2\nOnline CPUs = 2\n# /dev/cpu_dma_latency set to 0us\nThread 0 using cpu 3.\nThread 0 Interval: 1500\nThread 1 Interval: 2000\n"
	      "       0:       0:      59\n       1:       0:      48\n       0:       1:      39\n",
	      "cyclictest thread=0 cpu=3 ns min=39000 avg=49000 max=59000 rows=2;"
	      " thread=1 ns min=48000 avg=48000 max=48000 rows=1 | derived,derived\n");
	/* With -o rows are maxima of several cycles: minimum and average do not follow. A lost row changes nothing. */
	reads("Thread 0 Interval: 1500\n       0:       0:      27\n       0:       6:      32\n       0:      12:      29\n",
	      "cyclictest thread=0 ns min=null avg=null max=32000 rows=3 | derived\n");
	reads("Thread 0 Interval: 1500\n       0:       0:      27\n       0:       1:      32\n       0:       3:      28\n       0:       4:      29\n",
	      "cyclictest thread=0 ns min=27000 avg=29000 max=32000 rows=4 | derived\n");
	/* A time of day is no sample; a fourth number is the SMI count. */
	reads("Thread 0 Interval: 1500\n12:30:45\n       0:       0:      59       3\n",
	      "cyclictest thread=0 ns min=59000 avg=59000 max=59000 rows=1 | derived\n");
}

static void breaks_and_spikes(void **state)
{
	(void)state;
	reads("T: 0 (15867) P:80 I:1000 C:      1 Min:     45 Act:   45 Avg:   45 Max:      45\n"
	      "T: 1 (15868) P:80 I:1500 C:      1 Min:     42 Act:   42 Avg:   42 Max:      42\n"
	      "# Thread Ids: 15867 15868\n# Break thread: 15867\n# Break value: 45\n",
	      "cyclictest thread=0 tid=15867 priority=80 interval_ns=1000000 ns min=45000 avg=45000 max=45000 last=45000 count=1;"
	      " thread=1 tid=15868 priority=80 interval_ns=1500000 ns min=42000 avg=42000 max=42000 last=42000 count=1 | interrupted\n");
	reads(RUN "\nT: 0 Spike:      56: TS:   1346209221\nT: 0 Spike:     164: TS:   1346210229\nspikes = 231\n\n",
	      RUN_READ " rows=2\n");
	reads("T: 0 Spike:      56: TS:   1346209221\n", "");
}

static void wrappings(void **state)
{
	(void)state;
	same_wrapped("policy: fifo: loadavg: 5.04 2.95 1.46 5/129 15573\n\n"
	             "T: 0 (15572) P:80 I:1000 C:    137 Min:     25 Act:  192 Avg:   50 Max:     192\n"
	             "T: 1 (15573) P:80 I:1500 C:     91 Min:     19 Act:   26 Avg:   28 Max:     179\n", true);
	same_wrapped("T: 0 ( 5407) P:80 I:    1100 C: 2047066 Min:       7 Act:      15 Max:      59\n"
	             "T: 1 ( 5408) P:79 I:    1600 C: 1047066 Min:       7 Act:      15 Max:      60\n", true);
	same_wrapped("T: 0 ( 6479) P:80 I:1000 C:    500 Min:  21185 Act:   46090 Avg:   50022 Max:  273486\n", true);
	same_wrapped(TWO_THREADS, true);
}

/* Sixteen threads: each row of the histogram is longer than a mailer's line. */
static void wide_histogram(void **state)
{
	GString *text = g_string_new("# Histogram\n");

	(void)state;
	for (int bucket = 2; bucket < 9; bucket++) {
		g_string_append_printf(text, "%06d", bucket);
		for (int i = 0; i < 16; i++)
			g_string_append_printf(text, " %06d", bucket * 100 + i);
		g_string_append(text, "\n");
	}
	for (int f = 0; f < 4; f++) {
		g_string_append(text, (const char *[]){ "# Min Latencies:", "# Avg Latencies:", "# Max Latencies:", "# Histogram Overflows:" }[f]);
		for (int i = 0; i < 16; i++)
			g_string_append_printf(text, " %05d", (const int[]){ 2, 5, 20, 3 }[f] + i % 3);
		g_string_append(text, "\n");
	}
	same_wrapped(text->str, true);
	g_string_free(text, TRUE);
}

static void false_friends(void **state)
{
	(void)state;
	/* Format strings, patterns, string constants, comments, documentation, invented rows. */
	reads("printf(\"T:%2d (%5d) P:%2d I:%ld C:%7lu Min:%7ld Act:%5ld Avg:%5ld Max:%8ld\\n\", n);\n", "");
	reads("re.compile(r'T: *(\\d+) \\( *(\\d+)\\) P: *(\\d+) I:(\\d+)')\n", "");
	reads("row=\"T: 0 (22256) P:80 I:10000 C:    100 Min:      1 Act:    1 Avg:    1 Max:       10\"\n", "");
	reads("# T: 0 ( 1853) P:80 I:1000 C:  10000 Min:     36 Act:  156 Avg:  154 Max:     244\n", "");
	reads("\t// T: 0 ( 1853) P:80 I:1000 C:  10000 Min:     36 Act:  156 Avg:  154 Max:     244\n", "");
	reads("# T: 0 (  0: 234)    Avg:    5 Max:     47\n", "");
	reads("heads = [r for r in rows if r.startswith('# Histogram Overflows:')]  # \"# Histogram Overflows: 00000 00002\"\n", "");
	reads("def add(self, row):  # looks like: \"# Thread 2: 12345 23456\"\n", "");
	reads("1. T:0 → number of the thread\n4. C:11434 → cycles done so far\n", "");
	reads("Min: 3 Max: 5\nT: 5 Act: 6\n", "");
	/* Bare lines in triple quotes and here-documents are results. */
	reads("LOG = \"\"\"\n" RUN "\"\"\"\n", RUN_READ "\n");
	reads("cat <<EOF\n" RUN "EOF\n", RUN_READ "\n");
}

static void hostile(void **state)
{
	GString *text = g_string_new(NULL);
	char *out;

	(void)state;
	for (int i = 0; i < 20000; i++)
		g_string_append_printf(text, "T:%d (%d) P:1 I:1 C:1 Min:1 Act:1 Avg:1 Max:", i, i);
	out = reading(text->str);
	assert_non_null(out);
	g_free(out);
	g_string_truncate(text, 0);
	g_string_append(text, "# Histogram\n");
	for (int i = 0; i < 50000; i++)
		g_string_append(text, "99999999999999999999 000001\n");
	g_string_append(text, "# Min Latencies: 99999999999999999999999\n# Max Latencies: 1\n");
	out = reading(text->str);
	assert_non_null(out);
	g_free(out);
	g_string_free(text, TRUE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_of_all_eras),
		cmocka_unit_test(odd_rows),
		cmocka_unit_test(units),
		cmocka_unit_test(start_values),
		cmocka_unit_test(redrawn_screen),
		cmocka_unit_test(several_runs),
		cmocka_unit_test(cut_rows),
		cmocka_unit_test(histograms),
		cmocka_unit_test(damaged_histograms),
		cmocka_unit_test(run_with_histogram),
		cmocka_unit_test(samples),
		cmocka_unit_test(breaks_and_spikes),
		cmocka_unit_test(wrappings),
		cmocka_unit_test(wide_histogram),
		cmocka_unit_test(false_friends),
		cmocka_unit_test(hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
