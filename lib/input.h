/*
 * Inputs: files, directories, standard input; raw text, records as JSON, mail and mailboxes, HTML
 * pages, compressed files and archives. What it is is found from the content, never from the name
 * alone.
 */
#ifndef RTREPORT_INPUT_H
#define RTREPORT_INPUT_H

#include "lib/reader.h"

enum quoted { QUOTED_FOLD, QUOTED_ALL, QUOTED_SKIP };

struct input_options {
	struct reader_options reader;
	enum quoted quoted;             /* --quoted */
	unsigned jobs;                  /* --jobs; 0: as many as there are processors, at most 4 */
	bool progress;
	GArray *set;                    /* struct fact (key, text): --set; or NULL */
	/*
	 * For commands that look at a record once and are done: records that are read from JSON go
	 * here at once, unless they need the facts of `set`. They are not folded again (they were
	 * when they were made), and stay the reader's. May be NULL.
	 */
	void (*borrow)(const struct record *r, void *data);
	bool borrow_samples;            /* those have their samples too; else they may be left out, which is faster */
	bool settled;                   /* records that are read from JSON are never folded again */
};

/* A run of inputs. Records come in input order, after folding; ownership goes to each(). */
struct input;
struct input *input_new(const struct input_options *options,
			void (*each)(struct record *r, void *data), void *data);
/*
 * Reads a path ("-": standard input). Trouble is told through diag (EXIT_USAGE) and does not stop
 * the others. False when the path could not be read at all.
 */
bool input_read(struct input *in, const char *path);
/* The same of bytes that are there already; file is what the records' sources name. */
void input_read_bytes(struct input *in, const char *bytes, size_t len, const char *file);
/* Folds, passes the records on, frees. Returns how many records were passed on. */
uint64_t input_finish(struct input *in);

#endif
