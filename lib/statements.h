/*
 * What a piece of text states about the system that a result ran on: board, kernel, load, …
 * Knows nothing of results or scope (lib/environment.c does). Everything found is a slice of the
 * text given.
 */
#ifndef RTREPORT_STATEMENTS_H
#define RTREPORT_STATEMENTS_H

#include <stdbool.h>
#include <stddef.h>

#define STATEMENT_LENGTH 160u           /* longer facts are no facts */

enum statement_key {
	STATEMENT_BOARD, STATEMENT_CPU, STATEMENT_ARCH, STATEMENT_MEMORY,
	STATEMENT_KERNEL, STATEMENT_RT, STATEMENT_DISTRIBUTION, STATEMENT_COMPILER,
	STATEMENT_LOAD, STATEMENT_CONFIG,
	STATEMENT_KEYS
};
const char *statement_key_name(enum statement_key k);   /* the record's key: "board" */

/* How sure it is that this is stated of the system at hand. */
enum statement_rank {
	RANK_SUBJECT,           /* the message's subject */
	RANK_SENTENCE,          /* running text */
	RANK_LIST,              /* a list item, a line of nothing but facts */
	RANK_HEADING,           /* a heading, a sentence that leads in a result */
	RANK_LABEL,             /* "Board: …" */
	RANK_SYSTEM             /* printed by the system itself: uname, lscpu, /proc, dmesg */
};

enum statement_load {
	LOAD_STATED,
	LOAD_IDLE,
	LOAD_UNNAMED
}; /* what it is; that there is none; that there is some */

struct statement {
	enum statement_key key;
	enum statement_rank rank;
	enum statement_load load;       /* of STATEMENT_LOAD */
	char name[48];                  /* of STATEMENT_CONFIG: "CONFIG_NO_HZ", "isolcpus" */
	const char *p;
	size_t len;
};
typedef void statement_fn(const struct statement *s, void *data);

/* A label whose value stands on the lines below it. */
enum open_label { OPEN_NONE, OPEN_LOAD, OPEN_PARAMETERS, OPEN_VALUE };

/* Lines that the system printed: uname -a, /proc/version, os-release, boot messages, CONFIG_ lines,
 * JSON sysinfo. True: it was one. */
bool statements_system(const char *text, size_t len, statement_fn *fn, void *data);

/*
 * "Board: …", "| CPU | … |", "- HW: …", several in a line, lscpu and cpuinfo. True when at least
 * one known label was there; *open says what a label without a value waits for.
 */
bool statements_label(const char *text, size_t len, enum open_label *open, statement_fn *fn,
                      void *data);

/* A heading without its markup; also "(MPC-860 at 48 MHz, 4 kB I-Cache)" below one. True when it
 * states something. */
bool statements_heading(const char *text, size_t len, statement_fn *fn, void *data);

/* Only the load that a heading, or text around a command line, names: "make -j8 + cyclictest
 * -Smp99". */
bool statements_load_beside(const char *text, size_t len, statement_fn *fn, void *data);

/* A value, a list item, a line of facts: whatever is recognized counts. True when it states
 * something. */
bool statements_value(const char *text, size_t len, enum statement_rank rank, statement_fn *fn,
                      void *data);

/* How much of the text is facts, in percent: tells a line of facts from a sentence that mentions
 * one. */
unsigned statements_coverage(const char *text, size_t len);

/* Running text: only what is said of the own system, not of others, not what could be. */
bool statements_prose(const char *text, size_t len, statement_fn *fn, void *data);

/* "key=value" and single words of a list of kernel parameters. True when it is one. */
bool statements_parameter(const char *text, size_t len, statement_fn *fn, void *data);

/* Whether a command line makes load (a known generator or an endless loop), and the slice that says
 * so. */
bool statements_load_command(const char *command, const char **p, size_t *len);

/* Whether text means that the result's kernel has no real-time extension ("non-RT", "vanilla"). */
bool statements_not_realtime(const char *text, size_t len);

/* Whether text begins with a kernel release: for tables whose columns are kernels. */
bool statements_is_kernel(const char *text);

#endif
