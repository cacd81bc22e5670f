/*
 * Quotes of a text: attributions, the messages below them that carry no quote marks (Outlook,
 * Hotmail, phones), forwarded messages, and the escapes that mailers add to lines (">From ", "- "
 * of PGP).
 */
#ifndef RTREPORT_QUOTE_H
#define RTREPORT_QUOTE_H

#include "lib/post.h"

/*
 * Looks through the last text of list (p->texts or p->spare): notes attributions in p, undoes
 * escapes, and splits it where an older message without quote marks begins, so that each piece has
 * its own base depth and source.
 */
void quote_split(struct post *p, GArray *list);

#endif
