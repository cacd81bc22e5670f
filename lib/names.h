/*
 * Known names: boards, SoCs, CPUs, distributions and load generators with their other spellings.
 * The data is lib/names.tsv (its head documents the format), compiled in: no file is needed at run
 * time.
 */
#ifndef RTREPORT_NAMES_H
#define RTREPORT_NAMES_H

#include <stdbool.h>
#include <stddef.h>

enum name_kind {
	NAME_BOARD        = 1 << 0,
	NAME_SOC          = 1 << 1,
	NAME_CPU          = 1 << 2,
	NAME_DISTRIBUTION = 1 << 3,
	NAME_LOAD         = 1 << 4,
	NAME_ANY          = (1 << 5) - 1
};

/* A row of the data as it is written; `aliases` are separated by '|'. All strings are constants. */
struct name_row { const char *kind, *name, *aliases; };
extern const struct name_row name_rows[];       /* ends with kind NULL */

enum name_kind name_kind_parse(const char *kind);       /* 0 when it is none */

struct name_match {
	const char *name;               /* what it groups by; a constant */
	enum name_kind kind;
	const char *p;                  /* where in the text it stands */
	size_t len;
};

/*
 * First known name of one of `kinds` (enum name_kind, or-ed) in text[0..len) at or after `from`; of
 * several that begin at the same place the longest. Never inside a word, nor a part of a path, an
 * address or a host name. Thread-safe.
 */
bool names_find(const char *text, size_t len, size_t from, unsigned kinds, struct name_match *m);

/*
 * The known name that a stated string means, for grouping: "TI OMAP3530 CM_T35 board" gives
 * "CM-T35". A board counts before a SoC, a SoC before a CPU; among equals the longest match. NULL
 * when none is known. A constant.
 */
const char *names_canonical(unsigned kinds, const char *text);

#endif
