/*
 * The text layer: turns the text of one message part (or a pasted file) into logical
 * lines. It undoes what terminals, mailers and archives do, so that parsers see clean
 * candidate rows, and keeps the place in the input of each.
 *
 *   cleaned     CR, NUL, escape sequences and their pasted remains, overstrikes, no-break and
 *               other odd blanks, HTML entities in plain text, invalid UTF-8; tabs expanded to 8
 *   unquoted    "> ", ">>", "> >", … counted and taken off; depth in the line
 *   decoded     remnants of quoted-printable in a text without a mail header, when consistent
 *   split       flattened text, whose line ends were lost, before each row start
 *   joined      rows that a mailer wrapped, with their continuation lines, as the row shapes of
 *               the parsers (lib/parser.h) confirm it
 */
#ifndef RTREPORT_TEXT_H
#define RTREPORT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TEXT_MAX_LINE (1u << 20)        /* longer lines are cut, with a diagnostic */
#define TEXT_MAX_JOIN 6u                /* physical lines that one row may span */
#define TEXT_MAX_DEPTH 32u              /* deeper quotes count as this deep */

enum line_flag {
	LINE_BLANK    = 1 << 0,         /* nothing but blanks */
	LINE_JOINED   = 1 << 1,         /* of several physical lines: text holds them joined by one blank */
	LINE_SPLIT    = 1 << 2,         /* a piece of a flattened line */
	LINE_CUT      = 1 << 3,         /* a row shape begins here, but the row is not complete */
	LINE_FENCE    = 1 << 4,         /* ``` or ~~~ */
	LINE_FENCED   = 1 << 5,         /* inside a fence */
	LINE_CHARSET  = 1 << 6          /* had bytes that were no UTF-8: taken as Windows-1252 */
};

#define TEXT_MAX_PARSERS 64             /* bits in line.candidates */

struct shape_ref { int parser, shape; };        /* indices into the parser table; parser -1: none */

struct line {
	const char *text;               /* cleaned, unquoted, NUL-terminated, indentation kept, no trailing blanks */
	size_t len;
	const char *raw;                /* as text, but tabs not expanded (for TSV); may equal text */
	const char *row;                /* inside text: after indentation and log or list prefix */
	size_t row_len;
	unsigned first, last;           /* physical lines, 1-based */
	unsigned depth;                 /* quote depth */
	unsigned flags;                 /* enum line_flag */
	struct shape_ref shape;         /* the row shape that begins at row, if any; several: the first in the table's order */
	uint64_t candidates;            /* bit i: a shape of parsers[i] begins at row (quiet shapes not counted) */
	const char *rejected;           /* a row shape is here, but may not count: the reason (a comment sign, quotes); else NULL */
};

struct text_input {
	const char *bytes;
	size_t len;
	const char *file;               /* for diagnostics */
	unsigned first_line;            /* number of the first line; 0 means 1 */
	unsigned base_depth;            /* added to each line's depth */
	bool mail_body;                 /* came out of a decoded mail part: no quoted-printable guessing */
	bool flowed, delsp;             /* format=flowed (RFC 3676): unstuff; DelSp joins without blank */
};

/*
 * Calls each() for every logical line in order. A line and its strings live until each()
 * returns. Memory is bounded by a small multiple of TEXT_MAX_LINE.
 */
void text_lines(const struct text_input *in, void (*each)(const struct line *l, void *data), void *data);

#endif
