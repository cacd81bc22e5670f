/*
 * The sheet Charts of a workbook: minimum, average and maximum of the results, histograms, samples over time, and the maxima of what is
 * compared. What is drawn is gathered from records as they come; none is kept.
 */
#ifndef RTREPORT_CHART_SHEET_H
#define RTREPORT_CHART_SHEET_H

#include "lib/record.h"
#include "lib/workbook.h"

struct chart_sheet;
/* unit: of times, on the sheets and in the charts. */
struct chart_sheet *chart_sheet_new(const char *unit);
/* NULL is fine. */
void chart_sheet_free(struct chart_sheet *c);

/* histogram_row and sample_row: the rows (from 0) of the sheets Histograms and Samples where r's begin. */
void chart_sheet_record(struct chart_sheet *c, const struct record *r, uint64_t histogram_row, uint64_t sample_row);

/* The sheets that charts point into; NULL where there is none. */
struct chart_sources {
	const struct sheet *histograms, *samples;
	const struct document *compared;
	const GPtrArray *compared_sheets;       /* struct sheet *, of its tables */
};
void chart_sheet_write(const struct chart_sheet *c, struct book *b, const struct chart_sources *sources);

#endif
