/*
 * Environment: which facts of a text hold for which of its results. Texts stand for whole posts; a
 * line "@" is a result.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include <glib.h>

#include "lib/reader.h"
#include "lib/statements.h"

#define ROW "T: 0 (  100) P:80 I:1000 C:  10000 Min:     36 Act:  156 Avg:  154 Max:     244"

static void keep(struct record *r, void *data)
{
	g_ptr_array_add(data, r);
}

static void record_free_one(void *r)
{
	record_free(r);
}

/* "@" lines (also quoted) become rows of a tool. */
static char *with_rows(const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	GString *out = g_string_new(NULL);

	for (guint i = 0; lines[i]; i++) {
		size_t len = strlen(lines[i]);

		if (len && lines[i][len - 1] == '@')
			g_string_append_printf(out, "%.*s" ROW "\n", (int)(len - 1), lines[i]);
		else
			g_string_append_printf(out, "%s\n", lines[i]);
	}
	return g_string_free(out, FALSE);
}

static GPtrArray *read_text(const char *text, const char *subject)
{
	g_autofree char *whole = with_rows(text);
	GPtrArray *records = g_ptr_array_new_with_free_func(record_free_one);
	struct reader_text part = {
		.text = { .bytes = whole, .len = strlen(whole), .file = "test" },
		.source = { .file = "test", .subject = subject }
	};
	struct reader_options options = { .only = NULL };

	reader_message(&part, 1, &options, keep, records);
	return records;
}

/* The facts of one record, "key=value; key=value" in the schema's order, config last. */
static char *facts_text(const struct record *r)
{
	GString *s = g_string_new(NULL);

	for (unsigned k = 0; k < STATEMENT_CONFIG; k++) {
		const struct fact *f = facts_get(r->environment, statement_key_name(k));

		if (f)
			g_string_append_printf(s, "%s%s=%s", s->len ? "; " : "", f->key, f->text);
	}
	for (guint i = 0; i < r->config->len; i++) {
		const struct fact *f = &g_array_index(r->config, struct fact, i);

		g_string_append_printf(s, "%s[%s]=%s", s->len ? "; " : "", f->key, f->text);
	}
	return g_string_free(s, FALSE);
}

struct post {
	const char *what, *text;
	const char *facts[5];           /* of each result, in order; ends with NULL */
};

static void check_post(const struct post *p)
{
	GPtrArray *records = read_text(p->text, NULL);
	guint n = 0;

	while (p->facts[n])
		n++;
	if (records->len != n)
		fail_msg("%s: %u results instead of %u", p->what, records->len, n);
	for (guint i = 0; i < n; i++) {
		g_autofree char *got = facts_text(records->pdata[i]);

		if (strcmp(got, p->facts[i]))
			fail_msg("%s, result %u:\n  got  %s\n  want %s", p->what, i, got,
			         p->facts[i]);
	}
	g_ptr_array_unref(records);
}

static void check_posts(const struct post *posts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		check_post(&posts[i]);
}

/* Labels, system output, lists, sentences */
static void test_sources(void **state)
{
	static const struct post posts[] = {
		{ "labels",
		  "Board: Phytec phyCORE\nCPU: Cortex-A8 at 600 MHz\nMemory: 256 MB\nKernel: "
		  "4.19.13-rt10\n\n@",
		  { "board=Phytec phyCORE; cpu=Cortex-A8 at 600 MHz; memory=256 MB; "
		    "kernel=4.19.13-rt10" } },
		{ "labels as list items, bold and in a table",
		  "- **HW:** Some Board rev 2\n* OS: Debian 10\n| CPU | AM3358 |\n\n@",
		  { "board=Some Board rev 2; cpu=AM3358; distribution=Debian 10" } },
		{ "a label with padding",
		  "model name        : Intel(R) Xeon(R) CPU E5-2620 @ 2.00GHz\nRunning kernel "
		  "(uname -r): 5.4.1-rt3\n\n@",
		  { "cpu=Intel(R) Xeon(R) CPU E5-2620 @ 2.00GHz; kernel=5.4.1-rt3" } },
		{ "a value that states several",
		  "OS: Linux 2.6.24.2 and Xenomai 2.4.2 with\n    Ubuntu 7.04 on a disk\n\n@",
		  { "kernel=2.6.24.2; rt=Xenomai 2.4.2; distribution=Ubuntu 7.04" } },
		{ "several labels in a line",
		  "CPU: Atom D525  RAM: 2 GB  Kernel: 3.4.55\n\n@",
		  { "cpu=Atom D525; memory=2 GB; kernel=3.4.55" } },
		{ "uname -a",
		  "$ uname -a\nLinux box 4.9.0-11-rt-amd64 #1 SMP PREEMPT RT Debian 4.9.189-3 "
		  "(2019-11-11) x86_64 GNU/Linux\n\n@",
		  { "arch=x86_64; kernel=4.9.0-11-rt-amd64; rt=PREEMPT RT" } },
		{ "uname -r", "$ uname -r\n5.10.78-rt55\n\n@", { "kernel=5.10.78-rt55" } },
		{ "/proc/version",
		  "Linux version 3.2.21 (me@host) (gcc version 4.6.3 (x)) #1 SMP PREEMPT Mon\n\n@",
		  { "kernel=3.2.21; compiler=gcc version 4.6.3" } },
		{ "os-release",
		  "PRETTY_NAME=\"Some OS 5.1 (dunfell)\"\n\n@",
		  { "distribution=Some OS 5.1 (dunfell)" } },
		{ "lscpu",
		  "Architecture:          aarch64\nVendor ID:             ARM\nCPU MHz:            "
		  "   1500.0\n\n@",
		  { "arch=aarch64; [Vendor ID]=ARM; [CPU MHz]=1500.0" } },
		{ "boot messages",
		  "[    0.921509] [Xenomai] Cobalt v3.0.1 (Stellar)\n\n@",
		  { "rt=Cobalt v3.0.1" } },
		{ "kernel options",
		  "CONFIG_NO_HZ=y\n# CONFIG_CPU_IDLE is not set\n\n@",
		  { "[CONFIG_NO_HZ]=y; [CONFIG_CPU_IDLE]=is not set" } },
		{ "boot parameters",
		  "Kernel parameters:\n* isolcpus=1\n* idle=poll\n* quiet\n\n@",
		  { "[isolcpus]=1; [idle]=poll" } },
		{ "cmdline",
		  "BOOT_IMAGE=/boot/vmlinuz-5.4.5-rt3 root=/dev/sda1 isolcpus=2,3 quiet\n\n@",
		  { "kernel=5.4.5-rt3; [isolcpus]=2,3" } },
		{ "list items without labels",
		  "- kernel 5.10.160\n- Ubuntu 20.04\n- stress-ng -c 8 --io 2\n\n@",
		  { "kernel=5.10.160; distribution=Ubuntu 20.04; load=stress-ng -c 8 --io 2" } },
		{ "a line of facts",
		  "PIII 666MHZ 128MB\n\n@",
		  { "cpu=PIII 666MHZ; memory=128MB" } },
		{ "a sentence",
		  "This was measured on an i.MX6 quad at 1 GHz running 4.19.13-rt10 this morning, "
		  "as always.\n\n@",
		  { "cpu=i.MX6 quad at 1 GHz; kernel=4.19.13-rt10" } },
		{ "a sentence over two lines",
		  "The figures below were taken by me with 8 voices on a P4\n2.533GHz UP laptop "
		  "with 512MB.\n\n@",
		  { "cpu=P4 2.533GHz UP; memory=512MB" } },
		{ "a board that is not known",
		  "All of these numbers come from a XY537-STAMP board that I have here.\n\n@",
		  { "board=XY537-STAMP board" } },
		{ "a release in a sentence",
		  "Here is my usual run on a live session of Ubuntu 26.04, `7.0.0-14-generic`, no "
		  "changes.\n\n@",
		  { "kernel=7.0.0-14-generic; distribution=Ubuntu 26.04" } },
		{ "a heading", "=== rpi4 / 5.10-rt17 ===\n@", { "board=rpi4; kernel=5.10-rt17" } },
		{ "what a file in /proc printed",
		  "# cat /proc/xenomai/version\n2.6.3\n\n@",
		  { "[Xenomai version]=2.6.3" } },
	};

	(void)state;
	check_posts(posts, G_N_ELEMENTS(posts));
}

static void test_scope(void **state)
{
	static const struct post posts[] = {
		{ "numbered sections",
		  "1)PPC:-\n(MPC-860 at 48 MHz, 4 kB I-Cache)\n\nUser "
		  "mode:-\n@\n\n2)X86:-\n(Pentium4, 3.06GHz, 1024 KB cache size)\nUser mode:-\n@",
		  { "cpu=MPC-860 at 48 MHz; arch=PPC", "cpu=Pentium4, 3.06GHz; arch=X86" } },
		{ "a kernel above each run",
		  "6.1.46\n@\nlinux 6.4.11 bmq\n@\n2.6.19-rc6-rt5:\n@",
		  { "kernel=6.1.46", "kernel=6.4.11 bmq", "kernel=2.6.19-rc6-rt5" } },
		{ "a board named again, but shorter",
		  "All tests were run on Raspberry Pi 1 model B.\n\nTo put a load on the Raspberry Pi another command ran.\n@",
		  { "board=Raspberry Pi 1 model B" } },
		{ "blocks of labels",
		  "Board: A one\nCPU: MPC5200\n\n@\n\nBoard: B two\nKernel: 3.2.1\n\n@",
		  { "board=A one; cpu=MPC5200", "board=B two; kernel=3.2.1" } },
		{ "the set-up told between results",
		  "With load (hackbench):\n@\n\nSome details of my test setup:\n- Linux v3.8.13\n- "
		  "HW: TI OMAP3530 CM_T35 board\n\nIdle system:\n@",
		  { "board=TI OMAP3530 CM_T35 board; kernel=v3.8.13; load=hackbench", "board=TI "
		                                                                      "OMAP3530 "
		                                                                      "CM_T35 "
		                                                                      "board; "
		                                                                      "kernel=v3.8."
		                                                                      "13; "
		                                                                      "load=Idle "
		                                                                      "system" } },
		{ "the system told at the end",
		  "@\n\nRunning kernel: 4.4.176-rtai-5.2\nmodel name : Intel(R) Atom(TM) CPU D525 "
		  "@ 1.80GHz\n",
		  { "cpu=Intel(R) Atom(TM) CPU D525 @ 1.80GHz; kernel=4.4.176-rtai-5.2" } },
		{ "a sentence at the end",
		  "@\n\nThat is all from cyclictest. The box: an i7 SandyBridge, 4 cores.\n",
		  { "cpu=i7 SandyBridge" } },
		{ "an option changed half-way",
		  "CONFIG_NO_HZ=y\n\n@\n\nWith CONFIG_NO_HZ disabled I get better results:\n\n@",
		  { "[CONFIG_NO_HZ]=y", "[CONFIG_NO_HZ]=disabled" } },
		{ "another boot",
		  "[    0.000000] Linux version 3.14.4-xenomai3 (a@b) (gcc version 4.9.2 "
		  "20140904)\n[    0.9] [Xenomai] Cobalt v3.0-rc1\n"
		  "$ uname -a\nLinux arm 3.14.4-bone4 #1 SMP Fri Oct 17 2014 armv7l GNU/Linux\n\n@",
		  { "arch=armv7l; kernel=3.14.4-bone4" } },
		{ "quotes keep to themselves",
		  "My board is below.\n> CPU: MPC860\n> Kernel: 2.6.18\n> @\n\nAnd mine:\n\n@",
		  { "cpu=MPC860; kernel=2.6.18", "" } },
		{ "a reply's system is not the quoted one's",
		  "> @\n\nFor comparison, here is what runs at home.\nKernel: 5.4.0\n",
		  { "" } },
		{ "another comment of a thread",
		  "a \xc2\xb7 comment \xc2\xb7 2016-03-15\nKernel: 4.1.19\n\n@\n\nb \xc2\xb7 "
		  "comment \xc2\xb7 2016-03-19\nMine:\n\n@",
		  { "kernel=4.1.19", "" } },
		{ "a result before another section's board",
		  "Here we go:\n@\n\n2) Board: Other one\n@",
		  { "", "board=Other one" } },
		{ "no RT in one section",
		  "PREEMPT_RT kernel under test\n\n## 1 without PREEMPT_RT\n@\n\n## 2 patched: "
		  "PREEMPT_RT\n@",
		  { "", "rt=PREEMPT_RT" } },
		{ "underlined headings",
		  "PREEMPT_RT on RPi4, kernel 5.15.21-rt30\n=============\n"
		  "\nStock kernel\n------------\n@\n\nRT kernel\n---------\n@",
		  { "board=RPi4; kernel=5.15.21-rt30",
		    "board=RPi4; kernel=5.15.21-rt30; rt=PREEMPT_RT" } },
		{ "hardware that is no board",
		  "Hardware: Intel Core i5-4570 @ 3.2 GHz, 8 GB RAM\n\n@",
		  { "cpu=Intel Core i5-4570 @ 3.2 GHz; memory=8 GB RAM" } },
		{ "facts beside a board",
		  "The platform is a Dell OptiPlex 7010 (Core i7-3770, 4 cores), running Linux\n"
		  "3.14.17 and Xenomai 2.6.4. The governor is performance.\n\n@",
		  { "board=Dell OptiPlex 7010; cpu=Core i7-3770; kernel=3.14.17; rt=Xenomai 2.6.4; "
		    "[governor]=performance" } },
		{ "a guest and its host",
		  "Guest: Debian 11, 5.10.0-9-rt-amd64.\nHost runs Fedora 34.\n\n@",
		  { "kernel=5.10.0-9-rt-amd64; distribution=Debian 11" } },
	};

	(void)state;
	check_posts(posts, G_N_ELEMENTS(posts));
}

static void test_load(void **state)
{
	static const struct post posts[] = {
		{ "from headings",
		  "With system load (hackbench):\n@\n\nIdle system:\n@\n\nUnder full load:\n@",
		  { "load=hackbench", "load=Idle system", "load=full load" } },
		{ "a heading and what it means",
		  "These are my numbers, the load was (dd if=/dev/zero of=/dev/null "
		  "count=2M)\n\nNo load:\n@\n\nWith load:\n@",
		  { "load=No load", "load=dd if=/dev/zero of=/dev/null count=2M" } },
		{ "a command before",
		  "hackbench -g 12 -l 1000 & (480 tasks)\n\ncyclictest -q -p 80\n@",
		  { "load=hackbench -g 12 -l 1000" } },
		{ "with a prompt",
		  "root@pi:~# stress --cpu 4\nroot@pi:~# cyclictest -p 80\n@",
		  { "load=stress --cpu 4" } },
		{ "until it is killed",
		  "$ stress -c 2 &\n$ cyclictest -p 80\n@\n$ killall stress\n$ cyclictest -p 80\n@",
		  { "load=stress -c 2", "" } },
		{ "on other CPUs, without a prompt",
		  "sudo taskset -c 0,1 stress-ng --cpu 2 --vm 2 &\nsudo cyclictest -p 80\n@",
		  { "load=stress-ng --cpu 2 --vm 2" } },
		{ "measured beside it, not a load",
		  "Results for cyclictest and hackbench:\n@",
		  { "" } },
		{ "as an example",
		  "1. run a load (e.g. stress-ng --cpu 4 --io 2)\n2. run cyclictest\n@",
		  { "load=stress-ng --cpu 4 --io 2" } },
		{ "with what the shell puts in",
		  "$ stress-ng --cpu $(nproc) --vm $((2 * $(nproc))) -t 300s &\n$ cyclictest -p 80\n@",
		  { "load=stress-ng --cpu $(nproc) --vm $((2 * $(nproc))) -t 300s" } },
		{ "a label and lines below it",
		  "Load:\n\nssh1# while true; do hackbench 20; done\n\nping -f to the test "
		  "box\n\n@",
		  { "load=while true; do hackbench 20; done; [load 2]=ping -f to the test box" } },
		{ "load averages are no load",
		  "Load: 7.65 7.30 6.47\n  cpu: stress -c 2\n  io : stress -d 2\n\n@",
		  { "load=stress -c 2; [load 2]=stress -d 2" } },
		{ "test cases",
		  "Test case: 10000 loops, no load, interval 10000 us, policy FIFO, priority 80 "
		  "and clock_nanosleep.\n@\n"
		  "Test case: 10000 loops, 100% load, interval 10000 us, policy FIFO, priority 80 "
		  "and clock_nanosleep.\n@",
		  { "load=no load", "load=100% load" } },
		{ "beside a command",
		  "kbuild make -j8 + cyclictest -Smp99\n\nBefore:\n@",
		  { "load=kbuild make -j8" } },
		{ "a comment",
		  "# while true; do echo hi; done\n@\n\n# idle\n@",
		  { "load=while true; do echo hi; done", "load=idle" } },
		{ "a sentence behind",
		  "@\n\nA kernbench half-load ran in the background.\n",
		  { "load=kernbench half-load" } },
		{ "the program measured is no load",
		  "$ hackbench\nRunning in process mode with 10 groups using 40 file descriptors "
		  "each (== 400 tasks)\n"
		  "Each sender will pass 100 messages of 100 bytes\nTime: 4.905\n\n$ cyclictest -p "
		  "80\n@",
		  { "", "" } },
		{ "comparisons and tools are no load",
		  "The values are better than on a system under heavy load.\nTools for this are "
		  "``stress`` or ``dohell``.\n\n@",
		  { "" } },
		{ "kernel idle options are no load",
		  "idle=poll helps, and CPU idle states do matter.\n\n@",
		  { "" } },
	};

	(void)state;
	check_posts(posts, G_N_ELEMENTS(posts));
}

/* What must not be taken for the system of a result. */
static void test_not_stated(void **state)
{
	static const struct post posts[] = {
		{ "prompts and paths",
		  "root@beaglebone:/usr/xenomai/bin# "
		  "ls\nlinuxcnc@host:/usr/realtime-3.16.0-9-rtai-686-pae/testsuite$ ./run\n\n@",
		  { "" } },
		{ "the model of something else",
		  "**Hardware**: Jetson AGX Orin 64GB, JetPack 6\n**Model**: Quadrotor policy MLP (FP16)\n\n@",
		  { "board=Jetson AGX Orin 64GB" } },
		{ "the model of the board", "Model: Lenovo ThinkFoo X9\n\n@", { "board=Lenovo ThinkFoo X9" } },
		{ "a signature", "@\n\n-- \nSent from my Raspberry Pi 4\nKernel: 5.4\n", { "" } },
		{ "another machine",
		  "My AthlonXP 1700, which is UP, has a max of 19usec under 2.6.16-rt4.\nAnd your "
		  "board?\n\n@",
		  { "" } },
		{ "the log host",
		  "I used a good old TQM855L module as log host for the whole of this.\n\n@",
		  { "" } },
		{ "what could be",
		  "You could try this on a Raspberry Pi 4 with kernel 5.10.1 as well, I "
		  "suppose.\n\n@",
		  { "" } },
		{ "questions",
		  "Did you see that on a Pentium 4 with a 2.6.18 kernel, too?\n\n@",
		  { "" } },
		{ "history",
		  "It came up when the rt kernel went from 6.12.74 to 6.12.85 and upstream 6.12.85 "
		  "had it.\n\n@",
		  { "" } },
		{ "two boards",
		  "These runs are for BeagleBone Black and for Raspberry Pi 4, one after the other "
		  "as you see.\n\n@",
		  { "" } },
		{ "other programs' versions",
		  "cyclictest V 2.40\nrt-tests 2.4 and gcc of today, jackd 0.99.10, Zephyr OS "
		  "build v4.1.0-3337-g886443a190b1\n\n@",
		  { "" } },
		{ "forms", "Board: <your board>\nCPU: X.XX\nKernel: YYYY-MM-DD\n\n@", { "" } },
		{ "numbers", "CPU: 0\nCPU: 3\nMemory: yes\nKernel: no\n\n@", { "" } },
		{ "container images", "image: ubuntu:latest\n\n@", { "" } },
		{ "modules",
		  "After that, remember to remove the preempt_rt module:\nrmmod preempt_rt\n\n@",
		  { "" } },
		{ "caches",
		  "a machine with 512KB cache, 2.4 GHz and 100 us of delay, 4.5 ms at most, 2.5 GB "
		  "disk\n\n@",
		  { "" } },
		{ "a comparison", "PREEMPT_RT vs ADEOS: the numbers\n\n@", { "" } },
		{ "either option", "CONFIG_PREEMPT=y or CONFIG_PREEMPT_RT=y\n@", { "" } },
		{ "names in names",
		  "# rpi-usb-audio-tweaks\nPREFERRED_PROVIDER = \"linux-xenomai-bbb\"\n\n@",
		  { "" } },
		{ "a need that is not there",
		  "Put lapic on the command line. There is no need for it on PPC or on x86.\n\n@",
		  { "" } },
	};

	(void)state;
	check_posts(posts, G_N_ELEMENTS(posts));
}

static void test_subject(void **state)
{
	static const struct { const char *subject, *facts; } rows[] = {
		{ "latency on the OMAP3530 target", "cpu=OMAP3530" },
		{ "[RT] cyclictest with 5.10.78-rt55", "kernel=5.10.78-rt55" },
		{ "Re: 2.6.16-rt1", "" },
		{ "[PATCH] m68k: add a timer for the MCF5441x", "" },
		{ "latency results for ppc and x86", "" },
		{ NULL, "" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		GPtrArray *records = read_text("@", rows[i].subject);
		g_autofree char *got = NULL;

		assert_int_equal(records->len, 1);
		got = facts_text(records->pdata[0]);
		if (strcmp(got, rows[i].facts))
			fail_msg("%s: \"%s\" instead of \"%s\"", rows[i].subject, got,
			         rows[i].facts);
		g_ptr_array_unref(records);
	}
	/* The text is nearer than the subject. */
	{
		GPtrArray *records = read_text("Kernel: 5.15.2-rt20\n\n@", "cyclictest with "
		                                                           "5.10.78-rt55");

		assert_string_equal(
			facts_get(((struct record *)records->pdata[0])->environment, "kernel")
				->text,
			"5.15.2-rt20");
		g_ptr_array_unref(records);
	}
}

/* Each fact knows its line. */
static void test_lines(void **state)
{
	GPtrArray *records =
		read_text("Hello,\n\nBoard: Some board\nsome words\n$ uname -r\n5.4.3\n\n@", NULL);
	const struct record *r = records->pdata[0];

	(void)state;
	assert_int_equal(facts_get(r->environment, "board")->line, 3);
	assert_int_equal(facts_get(r->environment, "kernel")->line, 6);
	g_ptr_array_unref(records);
}

/* Bounded, and no crash, whatever the text. */
static void test_hostile(void **state)
{
	static const char *const pieces[] = {
		"Board:",
		"CPU: ",
		"Load:\n",
		"(",
		")",
		"while true; do ",
		"hackbench",
		"CONFIG_",
		"=",
		"|",
		"| a | b |",
		"Kernel: 5.",
		"#",
		"\"",
		"`",
		"'",
		"on a ",
		"\xe4\xb8\x80\xe3\x80\x81",
		"Linux version",
		"isolcpus=",
		"Intel(R)",
		"i7-",
		".",
		":",
		"@\n",
		"\n",
		" ",
		"> ",
	};
	GString *text = g_string_new(NULL);
	guint32 seed = 12345;
	GPtrArray *records;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		seed = seed * 1664525u + 1013904223u;
		g_string_append(text, pieces[(seed >> 16) % G_N_ELEMENTS(pieces)]);
	}
	records = read_text(text->str, "Board: (((");
	for (guint i = 0; i < records->len; i++) {
		const struct record *r = records->pdata[i];

		for (guint k = 0; k < r->environment->len; k++)
			assert_true(strlen(g_array_index(r->environment, struct fact, k).text) <=
			            STATEMENT_LENGTH);
	}
	g_ptr_array_unref(records);
	g_string_free(text, TRUE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sources),
		cmocka_unit_test(test_scope),
		cmocka_unit_test(test_load),
		cmocka_unit_test(test_not_stated),
		cmocka_unit_test(test_subject),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
