/* XLSX workbooks. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "lib/diag.h"
#include "lib/plain.h"
#include "lib/workbook.h"

#define CELL_CHARS 32000u       /* Excel holds 32767 characters in a cell */
#define MAX_WIDTH 60u
#define MARKS (MARK_WARN + 1)
#define DECIMALS 16             /* formats for -1 … 14 digits */

struct long_text { const char *sheet; lxw_row_t row; unsigned column; char *text; };

struct book {
	lxw_workbook *workbook;
	char *path;                     /* of the temporary file */
	lxw_format *heading;
	lxw_format *format[DECIMALS][MARKS];    /* made when first used */
	GHashTable *names;              /* case-folded sheet names in use */
	GPtrArray *name_list;           /* the names themselves */
	GPtrArray *sheets;
	GArray *long_texts;             /* struct long_text */
	bool failed;
};

struct sheet {
	struct book *book;
	char *name;                     /* as wanted, for continuing sheets */
	const struct survey *survey;
	GPtrArray *parts;               /* lxw_worksheet * */
	GPtrArray *part_names;
	unsigned columns;
	unsigned *at;                   /* column in the sheet of each column of the table */
	lxw_format **plain;             /* number format of each column */
	uint64_t rows;
	int link_column;                /* of the table; -1: none */
	const struct sheet *link_to;
	const GArray *targets;          /* uint64_t */
};

/* The date that goes into the document: fixed when SOURCE_DATE_EPOCH is set. */
static time_t document_date(void)
{
	const char *epoch = g_getenv("SOURCE_DATE_EPOCH");
	char *end;

	if (epoch && *epoch) {
		guint64 t = g_ascii_strtoull(epoch, &end, 10);
		/* The library takes 0 for "now"; the year 9999 is the last that the format knows. */
		if (!*end && t <= 253402300799)
			return t ? (time_t)t : 1;
	}
	return time(NULL);
}

static void check(struct book *b, lxw_error error)
{
	if (error != LXW_NO_ERROR)
		b->failed = true;
}

static void make_heading_format(struct book *b)
{
	b->heading = workbook_add_format(b->workbook);
	format_set_bold(b->heading);
	format_set_text_wrap(b->heading);
	format_set_align(b->heading, LXW_ALIGN_VERTICAL_TOP);
	format_set_bottom(b->heading, LXW_BORDER_THIN);
	format_set_bg_color(b->heading, 0xe8ecf0);
}

struct book *book_new(const char *title, uint64_t cells)
{
	struct book *b = g_new0(struct book, 1);
	lxw_workbook_options options = { .constant_memory = cells > BOOK_CONSTANT_CELLS, .use_zip64 = LXW_TRUE };
	g_autofree char *plain = plain_line(title);
	lxw_doc_properties properties = { .title = plain, .created = document_date() };
	b->path = g_build_filename(g_get_tmp_dir(), "rtreport-XXXXXX.xlsx", NULL);
	int fd = g_mkstemp(b->path), error = errno;

	if (fd < 0) {
		diag(EXIT_USAGE, g_get_tmp_dir(), 0, "no temporary file can be made here: %s; TMPDIR names another directory",
		     g_strerror(error));
		g_free(b->path);
		g_free(b);
		errno = error;
		return NULL;
	}
	close(fd);
	/* Documents may have any title; a property holds 255 characters. */
	plain[plain_fit(plain, 200)] = '\0';
	b->workbook = workbook_new_opt(b->path, &options);
	b->names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	b->name_list = g_ptr_array_new_with_free_func(g_free);
	b->sheets = g_ptr_array_new();
	b->long_texts = g_array_new(FALSE, TRUE, sizeof(struct long_text));
	workbook_set_properties(b->workbook, &properties);
	make_heading_format(b);
	return b;
}

lxw_workbook *book_workbook(struct book *b)
{
	return b->workbook;
}

/* Truncated to n characters, not bytes. */
static char *first_chars(const char *text, glong n)
{
	return g_utf8_strlen(text, -1) <= n ? g_strdup(text) : g_utf8_substring(text, 0, n);
}

const char *book_sheet_name(struct book *b, const char *wanted)
{
	g_autofree char *plain = plain_line(wanted);

	g_strdelimit(plain, "[]:*?/\\'", '_');
	g_autofree char *base = first_chars(*plain ? plain : "Table", 31);
	char *name = g_strdup(base);

	for (unsigned n = 2; ; n++) {
		char *key = g_utf8_casefold(name, -1);

		/* "History" is reserved. */
		if (strcmp(key, "history") && g_hash_table_add(b->names, key))
			break;
		if (!strcmp(key, "history"))
			g_free(key);
		g_autofree char *suffix = g_strdup_printf(" (%u)", n);
		g_autofree char *cut = first_chars(base, 31 - (glong)strlen(suffix));
		g_free(name);
		name = g_strconcat(cut, suffix, NULL);
	}
	g_ptr_array_add(b->name_list, name);
	return name;
}

/* ---- surveys ---- */

struct survey *survey_new(const struct table *header)
{
	struct survey *s = g_new0(struct survey, 1);
	guint n = header->columns->len;

	s->header = header;
	s->used = g_new0(bool, n + 1);
	s->decimals = g_new0(int, n + 1);
	s->width = g_new0(size_t, n + 1);
	return s;
}

void survey_free(struct survey *s)
{
	if (!s)
		return;
	g_free(s->used);
	g_free(s->decimals);
	g_free(s->width);
	g_free(s);
}

void survey_row(const struct cell *row, void *survey)
{
	struct survey *s = survey;
	char buf[NUMBER_TEXT];

	s->rows++;
	for (guint i = 0; i < s->header->columns->len; i++) {
		if (number_is_set(row[i].number)) {
			s->decimals[i] = MAX(s->decimals[i], -row[i].number.exponent);
			s->width[i] = MAX(s->width[i], strlen(number_print(row[i].number, buf)));
		} else if (row[i].text && *row[i].text) {
			s->width[i] = MAX(s->width[i], plain_fit(row[i].text, MAX_WIDTH));
		} else {
			continue;
		}
		s->used[i] = true;
	}
}

void survey_all(struct survey *s)
{
	for (guint i = 0; i < s->header->columns->len; i++)
		s->used[i] = true;
}

uint64_t survey_cells(const struct survey *s)
{
	uint64_t columns = 0;

	for (guint i = 0; i < s->header->columns->len; i++)
		columns += s->used[i];
	return columns * s->rows;
}

/*
 * Digits to show: what the table says, else all that a number has, but of times none below a nanosecond (a mean has 15
 * digits; the cell holds them all).
 */
static int shown_decimals(const struct survey *s, guint i)
{
	const struct column *c = &g_array_index(s->header->columns, struct column, i);
	static const struct { const char *unit; int finest; } units[] = {
		{ "ns", 0 }, { "us", 3 }, { "ms", 6 }, { "s", 9 },
	};
	int most = 6;

	if (c->decimals >= 0)
		return MIN(c->decimals, DECIMALS - 2);
	for (guint u = 0; c->unit && u < G_N_ELEMENTS(units); u++)
		if (!strcmp(units[u].unit, c->unit))
			most = units[u].finest;
	return MIN(s->decimals[i], most);
}

/* ---- formats ---- */

static lxw_color_t mark_colour(enum cell_mark mark)
{
	switch (mark) {
	case MARK_BEST: case MARK_BETTER: return 0xd8f0d8;
	case MARK_WORST: case MARK_WORSE: return 0xf8dcdc;
	default: return 0xfcf0c8;
	}
}

/* decimals -1: as Excel likes it. */
static lxw_format *number_format(struct book *b, int decimals, enum cell_mark mark)
{
	lxw_format **slot = &b->format[decimals + 1][mark];
	char text[DECIMALS + 3] = "0";

	if (*slot || (decimals < 0 && mark == MARK_NONE))
		return *slot;
	*slot = workbook_add_format(b->workbook);
	if (decimals > 0) {
		text[1] = '.';
		memset(text + 2, '0', (size_t)decimals);
	}
	if (decimals >= 0)
		format_set_num_format(*slot, text);
	if (mark != MARK_NONE)
		format_set_bg_color(*slot, mark_colour(mark));
	return *slot;
}

/* ---- sheets ---- */

static void begin_part(struct sheet *s)
{
	struct book *b = s->book;
	const char *name = book_sheet_name(b, s->name);
	lxw_worksheet *w = workbook_add_worksheet(b->workbook, name);

	if (!w) {
		b->failed = true;
		return;
	}
	g_ptr_array_add(s->parts, w);
	g_ptr_array_add(s->part_names, (char *)name);
	for (guint i = 0; i < s->survey->header->columns->len; i++) {
		const struct column *c = &g_array_index(s->survey->header->columns, struct column, i);
		g_autofree char *label = column_label(c);
		g_autofree char *grouped = c->group && *c->group ? g_strdup_printf("%s: %s", c->group, label) : NULL;
		g_autofree char *text = plain_line(grouped ? grouped : label);
		g_autofree char *cut = first_chars(text, CELL_CHARS);
		size_t heading = MIN(plain_width(text), 24);

		if (!s->survey->used[i])
			continue;
		check(b, worksheet_set_column(w, (lxw_col_t)s->at[i], (lxw_col_t)s->at[i],
		                              (double)MAX(MAX(s->survey->width[i], heading) + 2, 6), NULL));
		check(b, worksheet_write_string(w, 0, (lxw_col_t)s->at[i], cut, b->heading));
	}
	worksheet_freeze_panes(w, 1, 0);
	worksheet_repeat_rows(w, 0, 0);
	worksheet_set_landscape(w);
}

struct sheet *book_add_table(struct book *b, const char *name, const struct survey *survey)
{
	struct sheet *s = g_new0(struct sheet, 1);
	guint n = survey->header->columns->len;

	s->book = b;
	s->name = g_strdup(name);
	s->survey = survey;
	s->parts = g_ptr_array_new();
	s->part_names = g_ptr_array_new();
	s->at = g_new0(unsigned, n + 1);
	s->plain = g_new0(lxw_format *, n + 1);
	s->link_column = -1;
	for (guint i = 0; i < n; i++) {
		const struct column *c = &g_array_index(survey->header->columns, struct column, i);

		s->at[i] = s->columns;
		s->columns += survey->used[i];
		if (c->kind == COLUMN_NUMBER)
			s->plain[i] = number_format(b, shown_decimals(survey, i), MARK_NONE);
	}
	g_ptr_array_add(b->sheets, s);
	begin_part(s);
	return s;
}

/* Text longer than a cell holds: its beginning here, all of it on a sheet of its own at the end. */
static void put_text(struct sheet *s, lxw_worksheet *w, lxw_row_t row, unsigned column, const char *text, lxw_format *format)
{
	struct book *b = s->book;
	g_autofree char *plain = plain_line(text);

	if (g_utf8_strlen(plain, -1) > CELL_CHARS) {
		g_autofree char *begin = first_chars(plain, CELL_CHARS - 100);
		g_autofree char *cut = g_strconcat(begin, " … (whole on the sheet \"Long texts\")", NULL);
		struct long_text l = { s->part_names->pdata[s->parts->len - 1], row, column, g_steal_pointer(&plain) };

		g_array_append_val(b->long_texts, l);
		check(b, worksheet_write_string(w, row, (lxw_col_t)column, cut, format));
		return;
	}
	if (*plain || format)
		check(b, worksheet_write_string(w, row, (lxw_col_t)column, plain, format));
}

/* A text as a link to a row of another sheet, as long as Excel's number of links allows. */
static bool put_link(struct sheet *s, lxw_worksheet *w, lxw_row_t row, unsigned column, const char *text)
{
	lxw_row_t at;

	if (!s->link_to || s->rows >= MIN(s->targets->len, SHEET_LINKS) || strlen(text) > 200)
		return false;
	const char *name = sheet_place(s->link_to, g_array_index(s->targets, uint64_t, s->rows), &at);
	if (!name)
		return false;
	g_autofree char *url = g_strdup_printf("internal:'%s'!A%u", name, at + 1);
	g_autofree char *plain = plain_line(text);

	check(s->book, worksheet_write_url_opt(w, row, (lxw_col_t)column, url, NULL, plain, NULL));
	return true;
}

static void put_cell(struct sheet *s, lxw_worksheet *w, lxw_row_t row, guint i, const struct cell *c)
{
	struct book *b = s->book;
	lxw_format *format = s->plain[i];

	if (c->mark != MARK_NONE) {
		bool number = g_array_index(s->survey->header->columns, struct column, i).kind == COLUMN_NUMBER;

		format = number_format(b, number ? shown_decimals(s->survey, i) : -1, c->mark);
	}
	if (number_is_set(c->number))
		check(b, worksheet_write_number(w, row, (lxw_col_t)s->at[i], number_to_double(c->number), format));
	else if (c->text && *c->text && !((int)i == s->link_column && put_link(s, w, row, s->at[i], c->text)))
		put_text(s, w, row, s->at[i], c->text, c->mark != MARK_NONE ? format : NULL);
}

void sheet_row(const struct cell *row, void *sheet)
{
	struct sheet *s = sheet;
	lxw_row_t at = (lxw_row_t)(s->rows % BOOK_SHEET_ROWS) + 1;

	if (s->rows && at == 1)
		begin_part(s);
	if (!s->parts->len || s->book->failed)
		return;
	for (guint i = 0; i < s->survey->header->columns->len; i++)
		if (s->survey->used[i])
			put_cell(s, s->parts->pdata[s->parts->len - 1], at, i, &row[i]);
	s->rows++;
}

void sheet_finish(struct sheet *s)
{
	for (guint p = 0; p < s->parts->len && s->columns; p++) {
		uint64_t rows = MIN(s->rows - p * (uint64_t)BOOK_SHEET_ROWS, BOOK_SHEET_ROWS);

		if (rows)
			check(s->book, worksheet_autofilter(s->parts->pdata[p], 0, 0, (lxw_row_t)rows,
			                                    (lxw_col_t)(s->columns - 1)));
	}
}

void sheet_link(struct sheet *s, const char *heading, const struct sheet *to, const GArray *targets)
{
	s->link_to = to;
	s->targets = targets;
	for (guint i = 0; i < s->survey->header->columns->len; i++)
		if (!strcmp(g_array_index(s->survey->header->columns, struct column, i).heading, heading))
			s->link_column = (int)i;
}

const char *sheet_place(const struct sheet *s, uint64_t row, lxw_row_t *at)
{
	*at = (lxw_row_t)(row % BOOK_SHEET_ROWS) + 1;
	return row / BOOK_SHEET_ROWS < s->part_names->len ? s->part_names->pdata[row / BOOK_SHEET_ROWS] : NULL;
}

int sheet_column(const struct sheet *s, const char *heading)
{
	for (guint i = 0; i < s->survey->header->columns->len; i++)
		if (s->survey->used[i] && !strcmp(g_array_index(s->survey->header->columns, struct column, i).heading, heading))
			return (int)s->at[i];
	return -1;
}

lxw_worksheet *sheet_first(const struct sheet *s)
{
	return s->parts->len ? s->parts->pdata[0] : NULL;
}

/* ---- the end ---- */

static void write_long_texts(struct book *b)
{
	static const char *const headings[] = { "sheet", "row", "column", "part", "text" };
	lxw_row_t row = 1;

	if (!b->long_texts->len)
		return;
	lxw_worksheet *w = workbook_add_worksheet(b->workbook, book_sheet_name(b, "Long texts"));
	for (guint i = 0; i < G_N_ELEMENTS(headings); i++)
		check(b, worksheet_write_string(w, 0, (lxw_col_t)i, headings[i], b->heading));
	worksheet_freeze_panes(w, 1, 0);
	for (guint i = 0; i < b->long_texts->len; i++) {
		const struct long_text *l = &g_array_index(b->long_texts, struct long_text, i);
		const char *rest = l->text;

		for (unsigned part = 1; *rest && row < LXW_ROW_MAX; part++, row++) {
			g_autofree char *piece = first_chars(rest, CELL_CHARS);

			check(b, worksheet_write_string(w, row, 0, l->sheet, NULL));
			check(b, worksheet_write_number(w, row, 1, l->row + 1, NULL));
			check(b, worksheet_write_number(w, row, 2, l->column + 1, NULL));
			check(b, worksheet_write_number(w, row, 3, part, NULL));
			check(b, worksheet_write_string(w, row, 4, piece, NULL));
			rest += strlen(piece);
		}
	}
}

static void sheet_free(struct sheet *s)
{
	g_free(s->name);
	g_ptr_array_unref(s->parts);
	g_ptr_array_unref(s->part_names);
	g_free(s->at);
	g_free(s->plain);
	g_free(s);
}

static int copy_file(const char *path, FILE *out)
{
	FILE *in = fopen(path, "rb");
	char block[65536];
	size_t n;
	int status;

	if (!in)
		return -1;
	while ((n = fread(block, 1, sizeof(block), in)) > 0)
		if (fwrite(block, 1, n, out) != n)
			break;
	status = ferror(in) || ferror(out) ? -1 : 0;
	fclose(in);
	return status;
}

static void book_free(struct book *b)
{
	unlink(b->path);
	for (guint i = 0; i < b->sheets->len; i++)
		sheet_free(b->sheets->pdata[i]);
	for (guint i = 0; i < b->long_texts->len; i++)
		g_free(g_array_index(b->long_texts, struct long_text, i).text);
	g_array_unref(b->long_texts);
	g_ptr_array_unref(b->sheets);
	g_hash_table_unref(b->names);
	g_ptr_array_unref(b->name_list);
	g_free(b->path);
	g_free(b);
}

int book_finish(struct book *b, FILE *out)
{
	int status = -1;

	write_long_texts(b);
	if (workbook_close(b->workbook) == LXW_NO_ERROR && !b->failed)
		status = copy_file(b->path, out);
	else
		errno = EIO;
	int error = errno;
	book_free(b);
	errno = error;
	return status;
}

void book_abandon(struct book *b)
{
	workbook_close(b->workbook);
	book_free(b);
}
