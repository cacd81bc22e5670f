/*
 * The reader: lines of one message to records. Keeps a stream per quote depth, each with its own instances
 * of parsers and its own context, so that quoted and new text never mix.
 */
#include <string.h>

#include "lib/command_line.h"
#include "lib/context.h"
#include "lib/environment.h"
#include "lib/forms.h"
#include "lib/reader.h"

struct reader;

/* One quote depth of one text. */
struct stream {
	struct reader *reader;
	unsigned depth;
	struct context *context;
	struct parse *parse[TEXT_MAX_PARSERS];
	uint64_t shown;                         /* bit i: parsers[i] is shown every line, because it has an instance or no shapes */
};

/* A record with what the reader must know until the message ends. */
struct pending {
	struct record *record;
	unsigned begin;         /* index into reader.begins */
	unsigned order;         /* in which it began */
	bool final_form, complete;
};

/* Where a result began: before this line of the message was looked at by the environment. */
struct begin { uint64_t at; unsigned depth, line, mark; };

/* What was made of a line: the verdict, and the parser's index plus one above it. */
#define MADE(verdict, parser) ((uint16_t)((verdict) | ((parser) + 1) << 2))
#define MADE_VERDICT(made) ((enum verdict)((made) & 3))
#define MADE_PARSER(made) ((int)((made) >> 2) - 1)

/*
 * Most texts hold no result, and reading the environment costs more than looking for results. So the lines are
 * parsed first; only when that gave results are they gone through again for the environment.
 */
struct reader {
	const struct reader_options *options;
	const struct reader_text *text;         /* the present part */
	struct stream *stream[TEXT_MAX_DEPTH + 1];
	GPtrArray *open;                        /* struct pending *: begun, not yet emitted */
	GPtrArray *done;                        /* struct pending * */
	unsigned begun;
	const char *reason;
	uint64_t lines;                         /* of the message, seen in this pass */
	GArray *made;                           /* uint16_t per line */
	GPtrArray *reasons;                     /* const char * per line, when somebody wants to know; else NULL */
	GArray *begins;                         /* struct begin, in order */
	guint next_begin;                       /* second pass */
	struct environment *environment;        /* second pass */
};

static struct parse *instance(struct stream *s, unsigned i)
{
	if (!s->parse[i]) {
		struct parse *p = g_new0(struct parse, 1);

		p->parser = parsers[i];
		p->state = g_malloc0(MAX(parsers[i]->state_size, 1));
		p->stream = s;
		s->parse[i] = p;
		s->shown |= (uint64_t)1 << i;
	}
	return s->parse[i];
}

static struct stream *stream_get(struct reader *r, unsigned depth)
{
	if (!r->stream[depth]) {
		struct stream *s = g_new0(struct stream, 1);

		s->reader = r;
		s->depth = depth;
		s->context = context_new();
		for (unsigned i = 0; parsers[i]; i++)
			s->shown |= (uint64_t)!parsers[i]->shapes << i;
		r->stream[depth] = s;
	}
	return r->stream[depth];
}

static void stream_end(struct stream *s)
{
	for (unsigned i = 0; parsers[i]; i++) {
		if (!s->parse[i])
			continue;
		if (parsers[i]->end)
			parsers[i]->end(s->parse[i]);
		g_free(s->parse[i]->state);
		g_free(s->parse[i]);
	}
	context_free(s->context);
	g_free(s);
}

/* Services for parsers */

static struct reader *reader_of(struct parse *p)
{
	return ((struct stream *)p->stream)->reader;
}

static struct context *context_of(struct parse *p)
{
	return ((struct stream *)p->stream)->context;
}

static unsigned parser_index(const struct parser *p)
{
	unsigned i = 0;

	while (parsers[i] != p)
		i++;
	return i;
}

static void set_source(struct record *r, const struct source *from, const struct line *l)
{
	r->source.file = record_text(r, from->file, -1);
	r->source.part = record_text(r, from->part, -1);
	r->source.message_id = record_text(r, from->message_id, -1);
	r->source.from = record_text(r, from->from, -1);
	r->source.date = record_text(r, from->date, -1);
	r->source.subject = record_text(r, from->subject, -1);
	r->source.list = record_text(r, from->list, -1);
	r->source.first = l->first;
	r->source.last = l->last;
	r->source.quote_depth = l->depth;
}

struct record *parse_begin(struct parse *p, const char *tool, const struct line *l)
{
	struct reader *reader = reader_of(p);
	struct context *c = context_of(p);
	struct record *r = record_new(tool);
	struct pending *pending = g_new0(struct pending, 1);
	struct begin begin = { reader->lines, l->depth, l->first, 0 };

	set_source(r, &reader->text->source, l);
	r->title = record_text(r, context_title(c), -1);
	r->command = record_text(r, context_tool_command(c, parser_index(p->parser)), -1);
	pending->record = r;
	pending->begin = reader->begins->len;
	g_array_append_val(reader->begins, begin);
	pending->order = reader->begun++;
	pending->final_form = p->parser->final_form;
	pending->complete = p->parser->complete;
	g_ptr_array_add(reader->open, pending);
	parse_extend(p, r, l);
	return r;
}

void parse_extend(struct parse *p, struct record *r, const struct line *l)
{
	struct reader *reader = reader_of(p);

	r->source.first = MIN(r->source.first, l->first);
	r->source.last = MAX(r->source.last, l->last);
	if (l->flags & LINE_CUT)
		record_flag(r, FLAG_ROW_TRUNCATED, "", "a row is cut; what is lost of it is null");
	else if (l->flags & LINE_JOINED)
		record_flag(r, FLAG_ROW_REPAIRED, "", "rows that a mailer had wrapped were joined again");
	if ((l->flags & LINE_CHARSET) || reader->text->charset_guessed)
		record_flag(r, FLAG_CHARSET_GUESSED, "", "the text's character set was missing or wrong; Windows-1252 was assumed");
}

/* Takes r out of the open ones; it is always there. */
static struct pending *take_open(struct reader *reader, const struct record *r)
{
	for (guint i = 0; i < reader->open->len; i++) {
		struct pending *pending = g_ptr_array_index(reader->open, i);

		if (pending->record == r)
			return g_ptr_array_steal_index(reader->open, i);
	}
	g_assert_not_reached();
}

void parse_emit(struct parse *p, struct record *r)
{
	struct reader *reader = reader_of(p);

	g_ptr_array_add(reader->done, take_open(reader, r));
}

void parse_drop(struct parse *p, struct record *r, const char *reason)
{
	struct reader *reader = reader_of(p);

	g_free(take_open(reader, r));
	record_free(r);
	reader->reason = reason;
}

const char *parse_command(struct parse *p)
{
	return context_command(context_of(p));
}

unsigned parse_command_count(struct parse *p)
{
	return context_command_count(context_of(p));
}

const char *parse_title(struct parse *p)
{
	return context_title(context_of(p));
}

void parse_reason(struct parse *p, const char *reason)
{
	reader_of(p)->reason = reason;
}

/* Lines */

/* Shows the line to the parsers of the set, in the table's order; the first that takes it, or NULL. */
static const struct parser *offer_to(struct stream *s, uint64_t set, const struct line *l, enum verdict *verdict)
{
	const struct parser *only = s->reader->options->only;

	for (; set; set &= set - 1) {
		unsigned i = (unsigned)__builtin_ctzll(set);

		if (only && parsers[i] != only)
			continue;
		*verdict = parsers[i]->line(instance(s, i), l);
		if (*verdict != VERDICT_PASS)
			return parsers[i];
	}
	return NULL;
}

/* Shows the line to the parsers that may want it, those whose row begins here first. */
static const struct parser *offer(struct stream *s, const struct line *l, enum verdict *verdict)
{
	const struct parser *taken = offer_to(s, l->candidates, l, verdict);

	if (!taken)
		taken = offer_to(s, s->shown & ~l->candidates, l, verdict);
	if (!taken)
		*verdict = l->rejected ? VERDICT_REJECT : VERDICT_PASS;
	return taken;
}

static void on_line(const struct line *l, void *data)
{
	struct reader *r = data;
	struct stream *s = stream_get(r, l->depth);
	const struct parser *parser;
	enum verdict verdict;
	uint16_t made;

	r->reason = l->rejected;
	parser = offer(s, l, &verdict);
	context_line(s->context, l, parser && verdict != VERDICT_REJECT);
	made = MADE(verdict, parser ? (int)parser_index(parser) : -1);
	g_array_append_val(r->made, made);
	if (r->reasons)
		g_ptr_array_add(r->reasons, (gpointer)(uintptr_t)r->reason);
	r->lines++;
}

/* Tells the environment of the results that began before the line with this number. */
static void mark_begins(struct reader *r, uint64_t at)
{
	for (; r->next_begin < r->begins->len; r->next_begin++) {
		struct begin *b = &g_array_index(r->begins, struct begin, r->next_begin);

		if (b->at > at)
			return;
		b->mark = environment_mark(r->environment, b->depth, b->line);
	}
}

/* The second pass: the same lines, for the environment and for who wants to see what was made of them. */
static void on_line_again(const struct line *l, void *data)
{
	struct reader *r = data;
	struct stream *s = stream_get(r, l->depth);
	uint16_t made = g_array_index(r->made, uint16_t, r->lines);
	enum verdict verdict = MADE_VERDICT(made);
	int parser = MADE_PARSER(made);
	enum line_role role = context_line(s->context, l, parser >= 0 && verdict != VERDICT_REJECT);
	const char *fact;

	mark_begins(r, r->lines);
	fact = environment_line(r->environment, l, role, context_line_command(s->context));
	if (r->options->note) {
		struct reader_note note = { l, verdict, parser >= 0 ? parsers[parser] : NULL,
		                            g_ptr_array_index(r->reasons, r->lines), fact, &r->text->source,
		                            role == ROLE_COMMAND };

		r->options->note(&note, r->options->data);
	}
	r->lines++;
}

static int by_place(gconstpointer a, gconstpointer b)
{
	const struct pending *x = *(const struct pending *const *)a, *y = *(const struct pending *const *)b;

	return x->order < y->order ? -1 : x->order > y->order;
}

#define FORMS_APART 8u          /* results that may stand between the two forms of a run */

/* Joins each file to the rows of the same run that stand above it. */
static void join_forms(GPtrArray *done)
{
	for (guint i = 1; i < done->len; i++) {
		struct pending *file = g_ptr_array_index(done, i);

		for (guint k = 1; file->final_form && k <= MIN(i, FORMS_APART); k++) {
			struct pending *rows = g_ptr_array_index(done, i - k);

			if (rows->final_form || rows->record->source.quote_depth != file->record->source.quote_depth ||
			    !forms_agree(rows->record, file->record))
				continue;
			forms_take(file->record, rows->record);
			record_free(rows->record);
			g_free(rows);
			g_ptr_array_remove_index(done, i - k);
			i--;
			break;
		}
	}
}

static void read_parts(struct reader *r, const struct reader_text *parts, unsigned n,
                       void (*each)(const struct line *l, void *data))
{
	r->lines = 0;
	for (unsigned i = 0; i < n; i++) {
		r->text = &parts[i];
		text_lines(&parts[i].text, each, r);
		for (unsigned d = 0; d <= TEXT_MAX_DEPTH; d++) {
			if (r->stream[d])
				stream_end(r->stream[d]);
			r->stream[d] = NULL;
		}
	}
}

static void read_environment(struct reader *r, const struct reader_text *parts, unsigned n)
{
	r->environment = environment_new();
	if (n)
		environment_subject(r->environment, parts[0].source.subject);
	read_parts(r, parts, n, on_line_again);
	mark_begins(r, UINT64_MAX);
	for (guint i = 0; i < r->done->len; i++) {
		const struct pending *p = g_ptr_array_index(r->done, i);

		environment_range(r->environment, g_array_index(r->begins, struct begin, p->begin).mark,
		                  p->record->source.first, p->record->source.last);
	}
	for (guint i = 0; i < r->done->len; i++) {
		struct pending *p = g_ptr_array_index(r->done, i);

		if (!p->complete)
			environment_apply(r->environment, g_array_index(r->begins, struct begin, p->begin).mark, p->record);
	}
	environment_free(r->environment);
}

void reader_message(const struct reader_text *parts, unsigned n, const struct reader_options *options,
                    void (*each)(struct record *r, void *data), void *data)
{
	struct reader r = { .options = options, .open = g_ptr_array_new(), .done = g_ptr_array_new(),
	                    .made = g_array_new(FALSE, FALSE, sizeof(uint16_t)),
	                    .reasons = options->note ? g_ptr_array_new() : NULL,
	                    .begins = g_array_new(FALSE, FALSE, sizeof(struct begin)) };

	read_parts(&r, parts, n, on_line);
	g_ptr_array_sort(r.done, by_place);
	join_forms(r.done);
	if (r.done->len || options->note)
		read_environment(&r, parts, n);
	for (guint i = 0; i < r.done->len; i++) {
		struct pending *p = g_ptr_array_index(r.done, i);

		if (!p->complete)
			command_settings(p->record->command, parsers, p->record);
		record_seal(p->record);
		each(p->record, data);
		g_free(p);
	}
	/* A parser must have emitted or dropped all it began. */
	g_assert(r.open->len == 0);
	g_ptr_array_free(r.open, TRUE);
	g_ptr_array_free(r.done, TRUE);
	g_array_free(r.made, TRUE);
	g_array_free(r.begins, TRUE);
	if (r.reasons)
		g_ptr_array_free(r.reasons, TRUE);
}
