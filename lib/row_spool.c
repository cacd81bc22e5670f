/* Rows of a table kept in an unlinked temporary file. A row is its length and its cells that are not empty. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "lib/row_spool.h"
#include "lib/spool.h"

#define BUFFER (64u << 10)

enum content { CONTENT_TEXT = 1, CONTENT_NUMBER = 2 };
/* Before each cell; the number follows, then the text with its NUL. */
struct mark { uint32_t column, content, length; };
/* struct number without padding, so that no byte of the file is undefined. */
struct kept_number { int64_t coefficient; int32_t exponent, state; };

struct row_spool {
	unsigned columns;
	FILE *file;                     /* opened at the first row */
	GByteArray *row;
	struct cell *cells;
	int error;
};

struct row_spool *row_spool_new(unsigned columns)
{
	struct row_spool *s = g_new0(struct row_spool, 1);

	s->columns = columns;
	s->row = g_byte_array_new();
	s->cells = g_new0(struct cell, columns + 1);
	return s;
}

void row_spool_free(struct row_spool *s)
{
	if (!s)
		return;
	if (s->file)
		fclose(s->file);
	g_byte_array_unref(s->row);
	g_free(s->cells);
	g_free(s);
}

static void fail(struct row_spool *s)
{
	if (!s->error)
		s->error = errno ? errno : EIO;
}

static void open_file(struct row_spool *s)
{
	int fd = spool_file();

	s->file = fd < 0 ? NULL : fdopen(fd, "w+");
	if (s->file) {
		setvbuf(s->file, NULL, _IOFBF, BUFFER);
		return;
	}
	fail(s);
	if (fd >= 0)
		close(fd);
}

static void append(GByteArray *row, const void *bytes, size_t len)
{
	g_byte_array_append(row, bytes, (guint)len);
}

static void append_cell(GByteArray *row, uint32_t column, const struct cell *c)
{
	bool number = number_is_set(c->number), text = c->text && *c->text;
	struct mark m = { column, (number ? CONTENT_NUMBER : 0u) | (text ? CONTENT_TEXT : 0u), 0 };

	if (!m.content)
		return;
	m.length = text ? (uint32_t)strlen(c->text) + 1 : 0;
	append(row, &m, sizeof(m));
	if (number)
		append(row, &(struct kept_number){ c->number.coefficient, c->number.exponent, c->number.state },
		       sizeof(struct kept_number));
	append(row, c->text, m.length);
}

void row_spool_add(struct row_spool *s, const struct cell *row)
{
	uint32_t length;

	if (!s->file && !s->error)
		open_file(s);
	if (s->error)
		return;
	g_byte_array_set_size(s->row, sizeof(length));
	for (unsigned i = 0; i < s->columns; i++)
		append_cell(s->row, i, &row[i]);
	length = s->row->len - (uint32_t)sizeof(length);
	memcpy(s->row->data, &length, sizeof(length));
	if (fwrite(s->row->data, 1, s->row->len, s->file) != s->row->len)
		fail(s);
}

/* The cells of the row in s->row; texts stay where they are. */
static void read_cells(struct row_spool *s)
{
	const guint8 *at = s->row->data, *end = at + s->row->len;
	struct kept_number n;
	struct mark m;

	memset(s->cells, 0, s->columns * sizeof(*s->cells));
	while (at < end) {
		memcpy(&m, at, sizeof(m));
		at += sizeof(m);
		struct cell *c = &s->cells[m.column];
		if (m.content & CONTENT_NUMBER) {
			memcpy(&n, at, sizeof(n));
			c->number = (struct number){ n.coefficient, (int16_t)n.exponent, (uint8_t)n.state };
			at += sizeof(n);
		}
		if (m.content & CONTENT_TEXT)
			c->text = (char *)at;
		at += m.length;
	}
}

static bool read_row(struct row_spool *s)
{
	uint32_t length;

	if (fread(&length, 1, sizeof(length), s->file) != sizeof(length))
		return false;
	g_byte_array_set_size(s->row, length);
	if (fread(s->row->data, 1, length, s->file) == length)
		return true;
	fail(s);
	return false;
}

int row_spool_each(struct row_spool *s, void (*each)(const struct cell *row, void *data), void *data)
{
	if (s->file && !s->error && fseeko(s->file, 0, SEEK_SET))
		fail(s);
	while (s->file && !s->error && read_row(s)) {
		read_cells(s);
		each(s->cells, data);
	}
	if (s->file && ferror(s->file))
		fail(s);
	errno = s->error;
	return s->error ? -1 : 0;
}
