/*
 * Which words of the field stand in a text: a look at each line once, by which blocks that cannot hold a table of results
 * are left alone.
 */
#ifndef RTREPORT_TAB_SEEN_H
#define RTREPORT_TAB_SEEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TAB_TOPIC_WORDS 256u

enum tab_seen_flag {
	SEEN_TIME = 1 << 0,    /* a unit of time, perhaps */
	SEEN_GENERAL = 1 << 1, /* a sentence with it may speak of all tables below */
	SEEN_TOOL = 1 << 2,    /* perhaps the name of a tool */
	SEEN_PERCENTILE = 1 << 3, /* percentiles, perhaps */
	SEEN_LEADER = 1 << 4,  /* dots that may lead from a label to its value */
	SEEN_STATED = 1 << 5,  /* words that may state a unit, but for those in brackets */
	SEEN_QUANTITY = 1 << 6, /* perhaps the name of what is measured */
	SEEN_WIDE = 1 << 7     /* words without blanks between, which are not looked at here */
};

struct tab_seen {
	uint64_t topic[TAB_TOPIC_WORDS / 64]; /* bit per word that speaks for a measurement */
	unsigned statistics;		      /* bit per enum field */
	unsigned flags;			      /* enum tab_seen_flag */
};

/* Adds the words of text[0..len), also of what its cells may be cut into, to seen. */
void tab_seen_add(struct tab_seen *seen, const char *text, size_t len);
/* Adds what the other one has seen. */
void tab_seen_join(struct tab_seen *seen, const struct tab_seen *other);

/* At most so much can the words of any title, caption, heading and labels in what was seen speak for a measurement. */
int tab_seen_topics(const struct tab_seen *seen);

#endif
