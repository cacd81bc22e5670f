#include <string.h>

#include "parsers/thread_rows.h"

#define MAX_THREADS 4096u       /* of one run */

static const char *const labels[THREAD_LABELS] = {
	[THREAD_P] = "P:",     [THREAD_Y] = "Y:",     [THREAD_I] = "I:",     [THREAD_A] = "A:",
	[THREAD_C] = "C:",     [THREAD_MIN] = "Min:", [THREAD_ACT] = "Act:", [THREAD_AVG] = "Avg:",
	[THREAD_MAX] = "Max:", [THREAD_SMI] = "SMI:",
};

struct cursor { const char *p, *end; };

static void skip_blanks(struct cursor *c)
{
	while (c->p < c->end && *c->p == ' ')
		c->p++;
}

/* A figure may have been made bold. */
static void skip_bold(struct cursor *c)
{
	while (c->p < c->end && *c->p == '*')
		c->p++;
}

static bool skip_text(struct cursor *c, const char *text)
{
	size_t len = strlen(text);

	if ((size_t)(c->end - c->p) < len || memcmp(c->p, text, len))
		return false;
	c->p += len;
	return true;
}

/* Length of the decimal number at the cursor: sign, digits, decimals; 0: none. */
static size_t number_length(const struct cursor *c)
{
	const char *p = c->p;
	const char *digits;

	if (p < c->end && (*p == '-' || *p == '+'))
		p++;
	digits = p;
	while (p < c->end && g_ascii_isdigit(*p))
		p++;
	if (p == digits)
		return 0;
	if (c->end - p > 1 && *p == '.' && g_ascii_isdigit(p[1]))
		for (p++; p < c->end && g_ascii_isdigit(*p); p++)
			;
	return (size_t)(p - c->p);
}

/* An ellipsis behind a number means that digits may be lost. */
static bool at_ellipsis(const struct cursor *c)
{
	struct cursor copy = *c;

	return skip_text(&copy, "..") || skip_text(&copy, "\xe2\x80\xa6");
}

/* "2 244": one blank and three digits behind a number of at most three are a group of thousands. */
static bool is_group(const struct cursor *c, size_t digits)
{
	const char *p = c->p;

	if (digits > 3 || c->end - p < 4 || *p != ' ')
		return false;
	for (int i = 1; i < 4; i++)
		if (!g_ascii_isdigit(p[i]))
			return false;
	return c->end - p == 4 || !g_ascii_isdigit(p[4]);
}

/*
 * What stands right behind a number and makes it another one: a group of thousands or a decimal
 * comma (programs print neither), an exponent, a unit that no program prints, a garbled digit.
 * Three decimals may be a group as well; only jitterdebugger ("A:") prints decimals.
 */
static bool goes_on(const struct cursor *c, size_t digits, bool decimals)
{
	const char *point = memchr(c->p - digits, '.', digits);

	if (point && c->p - point == 4 && !decimals)
		return true;
	if (c->end - c->p > 1 && strchr(".,'", *c->p) && g_ascii_isdigit(c->p[1]))
		return true;
	if (is_group(c, digits) || number_is_blotted(c->p, c->end))
		return true;
	if (c->p < c->end && *c->p == '%')
		return true;
	return c->p < c->end && g_ascii_islower(*c->p) && *c->p != 'u';
}

/*
 * More digits behind a blank, where a label should stand: a terminal broke the line inside the number. Or the mark of a quote: the
 * number is what stood before it on the next line.
 */
static bool is_broken(const struct cursor *c)
{
	const char *p = c->p;

	while (p < c->end && *p == ' ')
		p++;
	return p > c->p && p < c->end && (g_ascii_isdigit(*p) || *p == '>');
}

static bool is_whole(struct number n)
{
	return number_is_set(n) && n.coefficient >= 0 && n.exponent >= 0;
}

/* Only these may have a sign or decimals. */
static bool is_figure(enum thread_label l)
{
	return l == THREAD_MIN || l == THREAD_ACT || l == THREAD_AVG || l == THREAD_MAX;
}

static bool read_integer(struct cursor *c, struct number *out)
{
	size_t n;

	skip_blanks(c);
	n = number_length(c);
	if (!n || number_parse(c->p, n, 0, out) == NUMBER_NONE)
		return false;
	c->p += n;
	return !number_is_set(*out) || is_whole(*out);
}

/* "Label: number" at the cursor. THREAD_LABELS: no label here. */
static enum thread_label read_field(struct cursor *c, struct thread_row *row)
{
	const char *colon;
	size_t n;
	enum thread_label l;

	skip_blanks(c);
	for (l = 0; l < THREAD_LABELS; l++)
		if (skip_text(c, labels[l]))
			break;
	if (l == THREAD_LABELS || row->width[l])
		return THREAD_LABELS;
	colon = c->p;
	skip_blanks(c);
	row->padded[l] = c->p > colon;
	skip_bold(c);
	row->value[l] = number_null();
	row->width[l] = 1;
	n = number_length(c);
	if (!n) {
		/* "-nan" of an average of nothing. */
		if (!skip_text(c, "-nan"))
			skip_text(c, "nan");
		return l;
	}
	number_parse(c->p, n, 0, &row->value[l]);
	if (!is_figure(l) && !is_whole(row->value[l]))
		row->value[l] = number_null();
	c->p += n;
	row->width[l] = (unsigned)(c->p - colon);
	if ((l != THREAD_MAX && is_broken(c)) || goes_on(c, n, row->width[THREAD_A])) {
		row->value[l] = number_null();
		row->cut = true;
		c->p = c->end;
	}
	skip_bold(c);
	if (at_ellipsis(c)) {
		row->value[l] = number_null();
		row->cut = true;
		c->p = c->end;
	}
	return l;
}

/*
 * The last number of a cut row is whole only if its field's width shows it (%7lu, %7ld, and
 * %10 with jitterdebugger): figures are right-aligned, so what is lost makes the field narrow.
 */
static bool last_is_whole(const struct thread_row *row, enum thread_label l)
{
	unsigned width = thread_row_has(row, THREAD_A) ? 10 : 7;

	return (l == THREAD_C || l == THREAD_MIN) && row->padded[l] && row->width[l] >= width;
}

/*
 * Max is %8ld (%10 with jitterdebugger): narrower behind fields that have their width, its last
 * digits may have been cut off, as a console of 80 columns does that does not wrap. A zero cannot be the
 * beginning of a number. There are versions with %7ld, too: the run's other rows decide.
 */
static bool is_max_narrow(const struct thread_row *row)
{
	bool ten = thread_row_has(row, THREAD_A);
	unsigned width = row->width[THREAD_MAX], field = ten ? 10 : 7;

	return row->width[THREAD_C] == field && row->width[THREAD_MIN] == field &&
	       row->padded[THREAD_MAX] && width < (ten ? 10 : 8) &&
	       number_is_set(row->value[THREAD_MAX]) && row->value[THREAD_MAX].coefficient;
}

bool thread_row_read(const char *text, size_t len, bool cut, struct thread_row *row)
{
	struct cursor c = { text, text + len };
	enum thread_label last = THREAD_LABELS, l;

	memset(row, 0, sizeof(*row));
	if (!skip_text(&c, "T:") || !read_integer(&c, &row->thread))
		return false;
	skip_blanks(&c);
	if (!skip_text(&c, "(") || !read_integer(&c, &row->tid))
		return false;
	skip_blanks(&c);
	if (!skip_text(&c, ")"))
		return false;
	while ((l = read_field(&c, row)) != THREAD_LABELS)
		last = l;
	if (last == THREAD_LABELS || !number_is_set(row->thread))
		return false;
	row->cut |= cut || !thread_row_has(row, THREAD_MAX);
	if (row->cut && c.p == c.end && !last_is_whole(row, last))
		row->value[last] = number_null();
	return true;
}

/* "T: 0 (1234) P:80 I:1000 C: ... and so on" measured nothing. */
static bool has_figure(const struct thread_row *row)
{
	static const enum thread_label figures[] = { THREAD_C, THREAD_MIN, THREAD_ACT, THREAD_AVG, THREAD_MAX };

	for (size_t i = 0; i < G_N_ELEMENTS(figures); i++)
		if (number_is_set(row->value[figures[i]]))
			return true;
	return false;
}

bool thread_row_of(const struct line *l, struct thread_row *row)
{
	if (l->row_len < 2 || memcmp(l->row, "T:", 2) || l->rejected ||
	    !thread_row_read(l->row, l->row_len, l->flags & LINE_CUT, row))
		return false;
	row->line = l->first;
	row->narrow = !(l->flags & LINE_JOINED) && is_max_narrow(row);
	return has_figure(row);
}

bool thread_row_empty(const struct thread_row *row)
{
	return number_equal(row->value[THREAD_C], number_int(0));
}

/* "[  720.442175] …": the kernel's log on the same console. */
static struct pattern noise = PATTERN("^\\[ *\\d+\\.\\d+\\]|^<\\d>");

void thread_run_other(struct thread_run *run, const struct line *l)
{
	/* A log's prefix alone is a blank line too. */
	if (!run->record || !l->row_len || (l->flags & (LINE_BLANK | LINE_FENCE)))
		return;
	if (!pattern_match(&noise, l->row, l->row_len, 0, NULL) &&
	    !pattern_match(&noise, l->text, l->len, 0, NULL))
		run->foreign = true;
}

/* Rows come in order: the one after the last found is tried first. */
static struct thread_row *find_row(const struct thread_run *run, struct number thread)
{
	guint n = run->rows ? run->rows->len : 0;

	for (guint i = 0; i < n; i++) {
		struct thread_row *row =
			&g_array_index(run->rows, struct thread_row, (run->next + i) % n);

		if (number_equal(row->thread, thread))
			return row;
	}
	return NULL;
}

static bool differ(struct number a, struct number b)
{
	return number_is_set(a) && number_is_set(b) && a.coefficient && b.coefficient &&
	       number_cmp(a, b);
}

bool thread_run_follows(struct parse *p, const struct thread_run *run, const struct thread_row *row)
{
	const struct thread_row *old = find_row(run, row->thread);
	struct number count = row->value[THREAD_C];

	if (!run->record || parse_command_count(p) != run->commands)
		return false;
	if (!old) {
		const struct thread_row *last;

		if (!run->rows->len)
			return true;
		/* Threads come in order: a number below the last one's begins anew. */
		last = &g_array_index(run->rows, struct thread_row, run->rows->len - 1);
		return number_cmp(row->thread, last->thread) > 0;
	}
	if (run->foreign || differ(old->tid, row->tid))
		return false;
	return !number_is_set(count) || !number_is_set(old->value[THREAD_C]) ||
	       number_cmp(count, old->value[THREAD_C]) >= 0;
}

void thread_run_add(struct parse *p, struct thread_run *run, const char *tool, const struct line *l,
                    const struct thread_row *row)
{
	struct thread_row *old = find_row(run, row->thread);

	if (!run->record) {
		run->record = parse_begin(p, tool, l);
		if (!run->rows)
			run->rows = g_array_new(FALSE, FALSE, sizeof(struct thread_row));
	} else if (!old || !row->cut || old->cut) {
		parse_extend(p, run->record, l);
	}
	run->commands = parse_command_count(p);
	run->foreign = false;
	if (!old) {
		if (run->rows->len < MAX_THREADS)
			g_array_append_vals(run->rows, row, 1);
		run->next = 0;
		return;
	}
	/* A screen that was cut while it was redrawn: the last complete row stands. */
	if (!row->cut || old->cut)
		*old = *row;
	run->next = (guint)(old - &g_array_index(run->rows, struct thread_row, 0)) + 1;
}

struct series *thread_series(struct record *r, struct number thread)
{
	struct series *s;

	for (guint i = 0; i < r->series->len; i++) {
		const struct fact *f;

		s = g_ptr_array_index(r->series, i);
		f = facts_get(s->labels, "thread");
		if (f && number_equal(f->number, thread))
			return s;
	}
	s = record_add_series(r, NULL);
	series_label_number(s, "thread", thread);
	s->unit = "ns";
	return s;
}

static const struct { enum thread_label label; enum field field;
} fields[] = {
	{ THREAD_MIN, FIELD_MIN },
	{ THREAD_ACT, FIELD_LAST },
	{ THREAD_AVG, FIELD_AVG },
	{ THREAD_MAX, FIELD_MAX },
};

static void fill_values(struct record *r, struct series *s, const struct thread_row *row, int scale)
{
	unsigned index = record_series_index(r, s);
	bool empty = thread_row_empty(row);

	if (thread_row_has(row, THREAD_C))
		s->field[FIELD_COUNT] = row->value[THREAD_C];
	else if (row->cut)
		s->field[FIELD_COUNT] = number_null();
	for (size_t i = 0; i < G_N_ELEMENTS(fields); i++) {
		bool has = thread_row_has(row, fields[i].label);
		struct number n = row->value[fields[i].label];

		if (!has && (!row->cut || fields[i].field == FIELD_LAST))
			continue;
		s->field[fields[i].field] = has && !empty ? number_scale(n, scale) : number_null();
		if (has && !empty && !row->cut && !number_is_set(n))
			record_flag(r, FLAG_OUT_OF_RANGE, "/series/%u/%s",
			            "no number of at most 15 digits was printed here", index,
			            field_name(fields[i].field));
	}
	if (empty)
		record_flag(r, FLAG_NO_SAMPLES, "/series/%u",
		            "the tool printed its start values: no sample was taken", index);
	if (row->cut)
		record_flag(r, FLAG_ROW_TRUNCATED, "/series/%u",
		            "the row was cut short: what is lost is null", index);
}

/* Where a row of the run has a whole Max field, the narrow ones were cut. */
static void drop_narrow(struct thread_run *run)
{
	bool whole = false;

	for (guint i = 0; i < run->rows->len; i++) {
		const struct thread_row *row = &g_array_index(run->rows, struct thread_row, i);

		whole = whole || (!row->narrow && row->padded[THREAD_MAX] &&
				  row->width[THREAD_MAX] >= (thread_row_has(row, THREAD_A) ? 10u : 8u));
	}
	for (guint i = 0; whole && i < run->rows->len; i++) {
		struct thread_row *row = &g_array_index(run->rows, struct thread_row, i);

		if (row->narrow) {
			row->value[THREAD_MAX] = number_null();
			row->cut = true;
		}
	}
}

void thread_run_fill(struct thread_run *run, int scale)
{
	struct record *r = run->record;

	drop_narrow(run);
	for (guint i = 0; i < run->rows->len; i++) {
		const struct thread_row *row = &g_array_index(run->rows, struct thread_row, i);
		struct series *s = thread_series(r, row->thread);

		s->line = row->line;
		s->resolution = number_scale(number_int(1), scale);
		if (number_is_set(row->tid))
			series_label_number(s, "tid", row->tid);
		if (number_is_set(row->value[THREAD_A]))
			series_label_number(s, "cpu", row->value[THREAD_A]);
		if (number_is_set(row->value[THREAD_P]))
			series_label_number(s, "priority", row->value[THREAD_P]);
		/* I: is in microseconds, also when the figures are not. */
		if (number_is_set(row->value[THREAD_I]))
			series_label_number(s, "interval_ns",
			                    number_scale(row->value[THREAD_I], 3));
		fill_values(r, s, row, scale);
	}
}

void thread_run_reset(struct thread_run *run)
{
	run->record = NULL;
	run->foreign = false;
	if (run->rows)
		g_array_set_size(run->rows, 0);
}

void thread_run_free(struct thread_run *run)
{
	if (run->rows)
		g_array_unref(run->rows);
	memset(run, 0, sizeof(*run));
}
