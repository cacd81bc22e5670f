/*
 * What single commands do once their options are known, for serve, which does it for what was posted.
 */
#ifndef RTREPORT_VIEWS_H
#define RTREPORT_VIEWS_H

#include "cmd/output.h"

/* render, to where the options say: 0, or -1 after a message when what was read could not be written. */
int view_render(struct common_options *o, struct report_options *report);
/* The words of --form, in the order of enum report_form; NULL-terminated. */
extern const char *const view_forms[];
bool view_form(const char *name, enum report_form *form);

/* parse: records to `out`. */
void view_parse(struct common_options *o, bool pretty, FILE *out);

/* explain. In HTML: the inside of <pre>, with elements of the classes data, frame, reject, fact and head. */
enum explain_look { EXPLAIN_PLAIN, EXPLAIN_COLOUR, EXPLAIN_HTML };
void view_explain(struct common_options *o, enum explain_look look, bool brief, FILE *out);

#endif
