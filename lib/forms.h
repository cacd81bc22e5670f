/*
 * Two forms of one run: a tool's rows, and the file (JSON) that it wrote about the same run, pasted
 * into one message. They are one result, and the file, which is the final form, wins.
 */
#ifndef RTREPORT_FORMS_H
#define RTREPORT_FORMS_H

#include <stdbool.h>
#include "lib/record.h"

/*
 * Whether rows and file tell of one run: the same tool (or rows that do not tell theirs), as many
 * series, in the same order, and no minimum, maximum, count or value that differs. Averages do not
 * count: they are printed with more digits in one of the forms.
 */
bool forms_agree(const struct record *rows, const struct record *file);
/*
 * Takes over what only the rows have: labels, values that the file lacks, samples, title, command,
 * first line. rows stays the caller's.
 */
void forms_take(struct record *file, struct record *rows);

#endif
