/* Runs whose rows are single lines. */
#include <string.h>

#include "parsers/sample_run.h"

void sample_run_close(struct parse *p, struct sample_run *run)
{
	/* A single row is the result itself. */
	if (run->record && run->rows == 1)
		for (unsigned i = 0; i < run->columns; i++)
			if (run->column[i] < FIELD_SERIES_END)
				run->series->field[run->column[i]] = run->first[i];
	/* A count so far: the last one is the run's. */
	for (unsigned i = 0; run->rows > 1 && i < run->columns; i++)
		if (run->column[i] == FIELD_OVERRUNS)
			run->series->field[FIELD_OVERRUNS] = run->overruns;
	if (run->record)
		parse_emit(p, run->record);
	*run = (struct sample_run){ 0 };
}

void sample_run_add(struct parse *p, struct sample_run *run, const char *tool, const char *mode,
                    const struct line *l, unsigned n, const enum field *columns,
                    const struct number *values)
{
	if (run->record && (!run->adjacent || parse_command_count(p) != run->commands))
		sample_run_close(p, run);
	if (!run->record) {
		run->record = parse_begin(p, tool, l);
		run->record->mode = mode;
		run->series = record_add_series(run->record, NULL);
		run->series->unit = "ns";
		run->series->resolution = number_int(1);
		run->series->line = l->first;
		run->commands = parse_command_count(p);
		run->columns = n;
		memcpy(run->column, columns, n * sizeof *columns);
	} else {
		parse_extend(p, run->record, l);
	}
	run->adjacent = true;
	for (unsigned i = 0; i < n; i++)
		if (columns[i] == FIELD_OVERRUNS && number_is_set(values[i]))
			run->overruns = values[i];
	if (!run->rows++) {
		memcpy(run->first, values, n * sizeof *values);
		run->first_line = l->first;
		return;
	}
	if (run->rows == 2) {
		series_columns(run->series, n, columns);
		series_add_row(run->series, run->first_line, run->first);
	}
	series_add_row(run->series, l->first, values);
}

void sample_run_pass(struct sample_run *run, const struct line *l)
{
	if (l->row_len)
		run->adjacent = false;
}
