/*
 * The reader: input files to records. Drives mail, text, parsers, context, environment and folding.
 */
#ifndef RTREPORT_READER_H
#define RTREPORT_READER_H

#include "lib/record.h"
#include "lib/text.h"
#include "lib/parser.h"

/* One text to read: a pasted file, or a part of a message. Strings outlive the call. */
struct reader_text {
	struct text_input text;
	struct source source;           /* file, part, message_id, from, date, subject, list as far as known */
	bool charset_guessed;
};

/* What explain shows: every logical line with what was made of it. parser, note and reason may be NULL. */
struct reader_note {
	const struct line *line;
	enum verdict verdict;
	const struct parser *parser;
	const char *reason;             /* of a rejection, or of nothing taken */
	const char *environment;        /* the fact that was read, or NULL */
	const struct source *source;    /* of the text that the line stands in */
	bool command;                   /* the line is a command line */
};

struct reader_options {
	const struct parser *only;      /* --from=FORMAT, or NULL */
	void (*note)(const struct reader_note *n, void *data);  /* or NULL */
	void *data;
};

/*
 * Reads one message (all its text parts, so that facts of one part hold for another) and passes on its
 * records, sealed, in order of their first line; ownership goes to each().
 */
void reader_message(const struct reader_text *parts, unsigned n, const struct reader_options *options,
                    void (*each)(struct record *r, void *data), void *data);

#endif
