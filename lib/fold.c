/* Folding of sightings into the originals. */
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include "lib/diag.h"
#include "lib/fold.h"
#include "lib/pattern.h"
#include "lib/record_json.h"
#include "lib/spool.h"

#define TOKENS_MAX 4096u        /* rows of a record that the index knows */
#define BUCKET_MAX 256u         /* records with the same row that are compared */
#define STEPS_MAX 400000u       /* rows compared in search of a run */
#define SURE_VALUES 8u          /* so many equal values are no chance, whatever else is known */
#define LIKELY_VALUES 3u        /* the same, where subject or file agree */

/* What memory keeps of a record. Strings live in the fold's chunk. */
struct entry {
	struct record *record;          /* in memory; NULL: in the spool */
	off_t offset;
	unsigned length;
	unsigned message, part;
	unsigned depth, first, last;
	unsigned copies;                /* folded into it */
	unsigned claims; /* how often it was taken as the original, to spread equal ones */
	unsigned tokens, token_count;   /* in f->tokens */
	int into;                       /* entry that it was folded into; -1: stays */
	bool settled;                   /* has no tokens and no message: nothing finds it */
	const char *message_id, *from, *poster, *date, *subject, *file, *place, *references, *tool;
};

struct token { uint64_t hash; unsigned entry; };

struct fold {
	GArray *entries;                /* struct entry */
	GArray *tokens; /* struct token, in order of entries; sorted copy in `index` */
	GArray *index;
	GStringChunk *strings;
	GHashTable *by_message;         /* message id -> first entry + 1 with it */
	GArray *next_same;              /* int: the next entry of the same message id, -1 */
	size_t memory;
	int fd;                         /* of the spool; -1: none yet */
	off_t end;
};

struct fold *fold_new(void)
{
	struct fold *f = g_new0(struct fold, 1);

	f->entries = g_array_new(FALSE, TRUE, sizeof(struct entry));
	f->tokens = g_array_new(FALSE, FALSE, sizeof(struct token));
	f->strings = g_string_chunk_new(4096);
	f->by_message = g_hash_table_new(g_str_hash, g_str_equal);
	f->next_same = g_array_new(FALSE, FALSE, sizeof(int));
	f->fd = -1;
	return f;
}

/* --- private keys --- */

void fold_set_extra(struct record *r, const char *key, const char *text)
{
	g_autoptr(GString) json = g_string_new("\"");
	struct extra e = { .key = key };

	for (const char *c = text; *c; c++) {
		if (*c == '"' || *c == '\\')
			g_string_append_c(json, '\\');
		g_string_append_c(json, (unsigned char)*c < ' ' ? ' ' : *c);
	}
	g_string_append_c(json, '"');
	e.json = record_text(r, json->str, -1);
	if (!r->source.extras)
		r->source.extras = g_array_new(FALSE, TRUE, sizeof(struct extra));
	g_array_append_val(r->source.extras, e);
}

/* The text of a private key, interned; NULL: not there. */
static const char *get_extra(struct fold *f, const struct record *r, const char *key)
{
	for (guint i = 0; r->source.extras && i < r->source.extras->len; i++) {
		const struct extra *e = &g_array_index(r->source.extras, struct extra, i);
		g_autoptr(GString) text = NULL;

		if (strcmp(e->key, key) || e->json[0] != '"')
			continue;
		text = g_string_new(NULL);
		for (const char *c = e->json + 1; *c && *c != '"'; c++) {
			if (*c == '\\' && c[1])
				c++;
			g_string_append_c(text, *c);
		}
		return g_string_chunk_insert_const(f->strings, text->str);
	}
	return NULL;
}

/* --- tokens: a hash for each row --- */

static uint64_t mix(uint64_t h, uint64_t v)
{
	h ^= v + 0x9e3779b97f4a7c15u + (h << 6) + (h >> 2);
	return h * 0xff51afd7ed558ccdu;
}

static uint64_t mix_number(uint64_t h, struct number n)
{
	return mix(mix(h, (uint64_t)n.coefficient),
		   (uint64_t)(uint16_t)n.exponent + ((uint64_t)n.state << 16));
}

/* Was this field of the series computed from its rows? One flag stands for all three. */
static bool is_derived(const struct record *r, guint series, enum field field)
{
	g_autofree char *place = NULL;
	size_t len;

	if (field != FIELD_MIN && field != FIELD_AVG && field != FIELD_MAX)
		return false;
	for (guint i = 0; i < r->flags->len; i++) {
		const struct flag *flag = &g_array_index(r->flags, struct flag, i);

		if (strcmp(flag->code, flag_code_name(FLAG_DERIVED)))
			continue;
		if (!place)
			place = g_strdup_printf("/series/%u", series);
		len = strlen(place);
		if (!strncmp(flag->where, place, len)
		    && (!flag->where[len] || flag->where[len] == '/'))
			return true;
	}
	return false;
}

static void add_token(struct fold *f, unsigned entry, uint64_t hash)
{
	struct token t = { hash, entry };

	g_array_append_val(f->tokens, t);
}

/* A row's token; 0 when something of it is lost. */
static uint64_t row_token(const struct samples *s, guint row)
{
	uint64_t h = 1;

	for (unsigned c = 0; c < s->columns; c++) {
		struct number n = g_array_index(s->values, struct number, row * s->columns + c);

		if (n.state == NUMBER_NULL)
			return 0;
		h = mix_number(mix(h, s->column[c]), n);
	}
	return h ? h : 1;
}

/* The token of what was printed for the series as a whole; 0 when there is nothing, or something of
 * it is lost. */
static uint64_t series_token(const struct record *r, guint index)
{
	const struct series *s = g_ptr_array_index(r->series, index);
	uint64_t h = 2;
	unsigned set = 0;

	for (int i = 0; i < FIELD_SERIES_END; i++) {
		if (s->field[i].state == NUMBER_NULL)
			return 0;
		if (!number_is_set(s->field[i]) || is_derived(r, index, (enum field)i))
			continue;
		h = mix_number(mix(h, (uint64_t)i), s->field[i]);
		set++;
	}
	return set ? (h ? h : 1) : 0;
}

static void add_tokens(struct fold *f, unsigned entry, const struct record *r)
{
	guint start = f->tokens->len;

	for (guint i = 0; i < r->series->len; i++) {
		const struct series *s = g_ptr_array_index(r->series, i);
		guint rows = s->samples ? series_sample_rows(s) : 0;
		uint64_t h;

		for (guint row = 0; row < rows && f->tokens->len - start < TOKENS_MAX; row++)
			if ((h = row_token(s->samples, row)))
				add_token(f, entry, h);
		if (f->tokens->len - start < TOKENS_MAX && (h = series_token(r, i)))
			add_token(f, entry, h);
		for (guint b = 0; s->histogram && b < s->histogram->bins->len
				  && f->tokens->len - start < TOKENS_MAX;
		     b++) {
			const struct bin *bin = &g_array_index(s->histogram->bins, struct bin, b);

			add_token(f, entry, mix_number(mix_number(3, bin->lower), bin->count));
		}
	}
}

/* --- taking records in --- */

/* "Re: [list]  Subject" and "subject" are one; interned. */
static const char *subject_key(struct fold *f, const char *subject)
{
	g_autofree char *key = NULL, *lower = NULL;
	const char *p;
	char *out;

	if (!subject)
		return NULL;
	p = lower = g_utf8_strdown(subject, -1);
	for (;;) {
		const char *colon = strchr(p, ':');

		while (*p == ' ')
			p++;
		if (*p == '[' && strchr(p, ']'))
			p = strchr(p, ']') + 1;
		else if (colon && colon - p <= 4 && colon > p)
			p = colon + 1;
		else
			break;
	}
	out = key = g_strdup(p);
	for (const char *c = p; *c; c++)
		if (*c != ' ' && *c != '\t')
			*out++ = *c;
	*out = 0;
	return *key ? g_string_chunk_insert_const(f->strings, key) : NULL;
}

static const char *intern(struct fold *f, const char *text)
{
	return text ? g_string_chunk_insert_const(f->strings, text) : NULL;
}

/* Bytes that a record takes, roughly. */
static size_t record_bytes(const struct record *r)
{
	size_t bytes = 2000;

	for (guint i = 0; i < r->series->len; i++) {
		const struct series *s = g_ptr_array_index(r->series, i);

		bytes += 800;
		if (s->samples)
			bytes += (size_t)series_sample_rows(s)
				 * (s->samples->columns * sizeof(struct number) + sizeof(unsigned))
				 * 2;
		if (s->histogram)
			bytes += (size_t)s->histogram->bins->len * sizeof(struct bin) * 2;
	}
	return bytes;
}

/* Writes r to the spool as JSON and frees it; when that fails it stays in memory. */
static void spool_record(struct fold *f, struct entry *e)
{
	static const struct json_options plain = { false, false };
	g_autofree char *json = record_to_json(e->record, &plain);
	size_t len = strlen(json), done = 0;

	if (f->fd < 0)
		f->fd = spool_file();
	while (f->fd >= 0 && done < len) {
		ssize_t n = pwrite(f->fd, json + done, len - done, f->end + (off_t)done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		done += (size_t)n;
	}
	if (done < len || len > G_MAXUINT)
		return;
	e->offset = f->end;
	e->length = (unsigned)len;
	f->end += (off_t)len;
	record_free(e->record);
	e->record = NULL;
}

static void link_message(struct fold *f, unsigned index, const char *id)
{
	int none = -1, before;

	g_array_append_val(f->next_same, none);
	if (!id)
		return;
	before = GPOINTER_TO_INT(g_hash_table_lookup(f->by_message, id)) - 1;
	g_array_index(f->next_same, int, index) = before;
	g_hash_table_insert(f->by_message, (void *)id, GINT_TO_POINTER((int)index + 1));
}

static void add_entry(struct fold *f, struct entry *e)
{
	f->memory += record_bytes(e->record);
	if (f->memory > FOLD_MEMORY)
		spool_record(f, e);
	g_array_append_vals(f->entries, e, 1);
}

void fold_add_at(struct fold *f, struct record *r, unsigned message, unsigned part)
{
	unsigned index = f->entries->len;
	struct entry e = { .record = r, .message = message, .part = part, .into = -1 };
	const char *quoted_by = get_extra(f, r, FOLD_QUOTED_BY);

	e.depth = r->source.quote_depth;
	e.first = r->source.first;
	e.last = r->source.last;
	e.message_id = intern(f, r->source.message_id);
	e.from = intern(f, quoted_by ? quoted_by : r->source.from);
	/* The message's own sender says nothing of who posted what it quotes; a text without an id
	 * has no such sender. */
	e.poster = e.depth && !quoted_by && e.message_id ? NULL : intern(f, r->source.from);
	e.date = intern(f, r->source.date);
	e.subject = subject_key(f, r->source.subject);
	e.file = intern(f, r->source.file);
	e.place = intern(f, r->source.part);
	e.references = get_extra(f, r, FOLD_REFERENCES);
	e.tool = intern(f, r->tool);
	e.tokens = f->tokens->len;
	add_tokens(f, index, r);
	e.token_count = f->tokens->len - e.tokens;
	link_message(f, index, e.message_id);
	add_entry(f, &e);
}

void fold_add_settled(struct fold *f, struct record *r)
{
	struct entry e = { .record = r, .into = -1, .settled = true };

	link_message(f, f->entries->len, NULL);
	add_entry(f, &e);
}

void fold_add(struct fold *f, struct record *r)
{
	fold_add_at(f, r, 0, 0);
}

/* The record of an entry: a borrowed one from memory, or one read from the spool, which *owned must
 * then free. */
static struct record *load(struct fold *f, const struct entry *e, struct record **owned)
{
	g_autofree char *json = NULL, *error = NULL;
	size_t done = 0;

	*owned = NULL;
	if (e->record)
		return e->record;
	json = g_malloc(e->length + 1);
	while (done < e->length) {
		ssize_t n = pread(f->fd, json + done, e->length - done, e->offset + (off_t)done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		done += (size_t)n;
	}
	json[done] = 0;
	*owned = record_from_json(json, done, &error);
	if (!*owned)
		diag(EXIT_USAGE, e->file, e->first, "a record was lost in the temporary file: %s",
		     error ? error : "cannot be read");
	return *owned;
}

/* --- do two records say the same? --- */

/* Lost values agree with any; what one never had does not count. False: they differ. */
static bool number_agree(struct number q, struct number c, unsigned *score)
{
	if (!number_is_set(q))
		return true;
	if (c.state == NUMBER_NULL)
		return true;
	if (!number_is_set(c) || !number_equal(q, c))
		return false;
	(*score)++;
	return true;
}

static bool labels_agree(const struct series *q, const struct series *c)
{
	for (guint i = 0; i < q->labels->len; i++) {
		const struct fact *a = &g_array_index(q->labels, struct fact, i),
				  *b = facts_get(c->labels, a->key);

		if (!b)
			continue;
		if (a->text && b->text ? strcmp(a->text, b->text) != 0
				       : number_is_set(a->number) && number_is_set(b->number)
						 && !number_equal(a->number, b->number))
			return false;
	}
	return true;
}

/* Do names agree, blanks and case apart? A cut name agrees with the whole one. */
static bool names_agree(const char *q, const char *c)
{
	if (!q || !c)
		return true;
	for (;;) {
		while (*q == ' ' || *q == '\t')
			q++;
		while (*c == ' ' || *c == '\t')
			c++;
		if (!*q || !*c)
			return true;
		if (g_ascii_tolower(*q++) != g_ascii_tolower(*c++))
			return false;
	}
}

static bool rows_agree(const struct samples *q, guint i, const struct samples *c, guint j,
		       unsigned *score)
{
	for (unsigned a = 0; a < q->columns; a++) {
		struct number n = g_array_index(q->values, struct number, i * q->columns + a),
			      other = number_absent();

		for (unsigned b = 0; b < c->columns; b++)
			if (c->column[b] == q->column[a])
				other = g_array_index(c->values, struct number, j * c->columns + b);
		if (!number_agree(n, other, score))
			return false;
	}
	return true;
}

/* Are q's rows a run of c's? */
static bool samples_agree(const struct series *q, const struct series *c, unsigned *score)
{
	guint n = q->samples ? series_sample_rows(q) : 0,
	      m = c->samples ? series_sample_rows(c) : 0;
	unsigned steps = 0;

	if (!n)
		return true;
	for (guint at = 0; at + n <= m; at++) {
		unsigned found = 0;
		guint i = 0;

		while (i < n && rows_agree(q->samples, i, c->samples, at + i, &found)) {
			i++;
			if (++steps > STEPS_MAX)
				return false;
		}
		if (i == n && found) {
			*score += found;
			return true;
		}
		if (++steps > STEPS_MAX)
			return false;
	}
	return false;
}

/* Every bin of q is one of c. */
static bool bins_agree(const struct histogram *q, const struct histogram *c, unsigned *score)
{
	guint j = 0;

	if (!q || !q->bins->len)
		return true;
	if (!c)
		return false;
	for (guint i = 0; i < q->bins->len; i++) {
		const struct bin *a = &g_array_index(q->bins, struct bin, i), *b = NULL;

		while (j < c->bins->len) {
			b = &g_array_index(c->bins, struct bin, j);
			if (number_equal(a->lower, b->lower))
				break;
			j++;
		}
		if (j == c->bins->len || !number_agree(a->count, b->count, score))
			return false;
	}
	return true;
}

static bool series_agree(const struct record *qr, guint i, const struct record *cr, guint j,
			 unsigned *score)
{
	const struct series *q = g_ptr_array_index(qr->series, i),
			    *c = g_ptr_array_index(cr->series, j);

	if (g_strcmp0(q->unit, c->unit) || !labels_agree(q, c) || !names_agree(q->name, c->name))
		return false;
	for (int k = 0; k < FIELD_SERIES_END; k++) {
		/* What rows give is compared by the rows. */
		if (q->samples
		    && (is_derived(qr, i, (enum field)k) || is_derived(cr, j, (enum field)k)))
			continue;
		if (!number_agree(q->field[k], c->field[k], score))
			return false;
	}
	return samples_agree(q, c, score) && bins_agree(q->histogram, c->histogram, score);
}

unsigned fold_agree(const struct record *q, const struct record *c)
{
	if (strcmp(q->tool, c->tool) || (q->mode && c->mode && strcmp(q->mode, c->mode))
	    || q->kind != c->kind)
		return 0;
	for (guint at = 0; q->series->len && at + q->series->len <= c->series->len && at < 1000;
	     at++) {
		unsigned score = 0;
		guint i = 0;

		while (i < q->series->len && series_agree(q, i, c, at + i, &score))
			i++;
		if (i == q->series->len && score)
			return score;
	}
	return 0;
}

/* --- who is who --- */

/* The address in a poster, lower case, " at " and "_at_" undone; NULL: none. Caller frees. */
static char *address_of(const char *person)
{
	g_autoptr(GString) s = g_string_new(person);
	const char *at, *from, *to;

	g_string_replace(s, " at ", "@", 0);
	g_string_replace(s, "_at_", "@", 0);
	at = strchr(s->str, '@');
	if (!at)
		return NULL;
	for (from = at; from > s->str && !strchr(" <(\"':[", from[-1]); from--)
		;
	for (to = at; *to && !strchr(" >)\"',;]", *to); to++)
		;
	return to - from > 3 && from < at ? g_ascii_strdown(from, to - from) : NULL;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Words of a name, sorted, so that "Doe, Jane" is "Jane Doe"; NULL: no name. Caller frees. */
static char *name_of(const char *person)
{
	g_autoptr(GString) s = g_string_new(NULL);
	g_autofree char *lower = g_utf8_strdown(person, -1);
	g_auto(GStrv) words = NULL;
	static struct pattern in_brackets =
		PATTERN("^\\s*<?\\S+(?:@| at |_at_)\\S+>?\\s+\\((.+)\\)\\s*$");
	static struct pattern bare = PATTERN("^\\s*\\S+ at \\S+\\s*$");
	GPtrArray *kept;
	struct match m;
	bool inside = false;
	char *out;

	/* "jane at example.org (Jane Doe)" */
	if (pattern_match(&in_brackets, lower, strlen(lower), 0, &m)) {
		char *name = g_strndup(m.group[1].p, m.group[1].len);

		g_free(lower);
		lower = name;
	}
	if (pattern_match(&bare, lower, strlen(lower), 0, NULL))
		return NULL;
	for (const char *c = lower; *c; c++) {
		inside = *c == '<' || *c == '[' ? true : *c == '>' || *c == ']' ? false : inside;
		if (!inside && *c != '>')
			g_string_append_c(s, strchr(",\"'()", *c) ? ' ' : *c);
	}
	words = g_strsplit(s->str, " ", 0);
	kept = g_ptr_array_new();
	for (char **w = words; *w; w++)
		if (**w && !strchr(*w, '@') && strcmp(*w, "at") && strcmp(*w, "via"))
			g_ptr_array_add(kept, *w);
	g_ptr_array_sort(kept, by_text);
	g_ptr_array_add(kept, NULL);
	out = g_strjoinv(" ", (char **)kept->pdata);
	g_ptr_array_free(kept, TRUE);
	if (*out)
		return out;
	g_free(out);
	return NULL;
}

int fold_same_person(const char *a, const char *b)
{
	g_autofree char *address_a = NULL, *address_b = NULL, *name_a = NULL, *name_b = NULL;

	if (!a || !b)
		return 0;
	address_a = address_of(a);
	address_b = address_of(b);
	if (address_a && address_b && !strcmp(address_a, address_b))
		return 1;
	name_a = name_of(a);
	name_b = name_of(b);
	if (name_a && name_b)
		return strcmp(name_a, name_b) ? -1 : 1;
	return address_a && address_b ? -1 : 0;
}

/* Is id one of the ids in list? */
static bool has_id(const char *list, const char *id)
{
	size_t len = id ? strlen(id) : 0;

	for (const char *p = list; p && len && (p = strstr(p, id)); p += len)
		if ((p == list || p[-1] == ' ') && (!p[len] || p[len] == ' '))
			return true;
	return false;
}

static bool share_id(const char *a, const char *b)
{
	for (const char *p = a; p && b && *p;) {
		size_t len = strcspn(p, " ");
		g_autofree char *id = g_strndup(p, len);

		if (len && has_id(b, id))
			return true;
		p += len;
		while (*p == ' ')
			p++;
	}
	return false;
}

/* How well is it known that the quoted q shows c's result, when so many values agree? 0: not
 * enough. */
static unsigned evidence(const struct entry *q, const struct entry *c, unsigned values)
{
	int who = fold_same_person(q->poster, c->poster);

	if (c->message_id && has_id(q->references, c->message_id))
		return who > 0 ? 6 : who < 0 ? 3 : 5;
	if (q->message && q->message == c->message)
		return who < 0 && q->part == c->part ? 2 : 4;
	if (who > 0)
		return 4;
	if (who < 0)
		return 0;
	if (share_id(q->references, c->references))
		return 3;
	if (!q->message_id && !c->message_id && !q->subject)
		return values >= LIKELY_VALUES || !g_strcmp0(q->file, c->file) ? 2 : 0;
	if (q->subject && q->subject == c->subject)
		return values >= LIKELY_VALUES ? 2 : 0;
	return values >= SURE_VALUES ? 1 : 0;
}

/* Are they in the same message (the same one twice, or a cross-post), though not in the same text?
 */
static bool same_message(const struct entry *a, const struct entry *b)
{
	if (a->message && a->message == b->message)
		return a->part != b->part && a->depth == b->depth;
	if (a->message_id || b->message_id) {
		if (a->message_id != b->message_id)
			return a->date && a->date == b->date && a->from && a->from == b->from
			       && a->subject == b->subject;
		/* Records that were read back: one text's results were told apart before. */
		return a->message || b->message || a->file != b->file || a->place != b->place
		       || (a->first == b->first && a->last == b->last);
	}
	return a->date && a->date == b->date && a->from && a->from == b->from && a->subject
	       && a->subject == b->subject && (a->file != b->file || a->message != b->message);
}

/* --- deciding --- */

static struct entry *entry_at(struct fold *f, unsigned i)
{
	return &g_array_index(f->entries, struct entry, i);
}

/* The entry that e was folded into in the end. */
static unsigned root_of(struct fold *f, unsigned i)
{
	while (entry_at(f, i)->into >= 0)
		i = (unsigned)entry_at(f, i)->into;
	return i;
}

static void fold_into(struct fold *f, unsigned q, unsigned c)
{
	struct entry *from = entry_at(f, q), *to = entry_at(f, c);

	from->into = (int)c;
	to->copies += 1 + from->copies;
	to->claims++;
}

static int token_order(const void *a, const void *b)
{
	const struct token *x = a, *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return x->entry < y->entry ? -1 : x->entry > y->entry;
}

/* Candidates for q: entries with one of its first rows, or of messages that its own names. */
static void candidates(struct fold *f, unsigned q, GArray *out)
{
	const struct entry *e = entry_at(f, q);
	unsigned tried = 0;

	g_array_set_size(out, 0);
	for (unsigned t = 0; t < e->token_count && tried < 3; t++) {
		struct token want = { g_array_index(f->tokens, struct token, e->tokens + t).hash,
				      0 };
		guint low = 0, high = f->index->len;

		tried++;
		while (low < high) {
			guint middle = low + (high - low) / 2;

			if (token_order(&g_array_index(f->index, struct token, middle), &want) < 0)
				low = middle + 1;
			else
				high = middle;
		}
		for (guint n = 0; n < BUCKET_MAX && low < f->index->len; n++, low++) {
			const struct token *found = &g_array_index(f->index, struct token, low);

			if (found->hash != want.hash)
				break;
			if (found->entry != q)
				g_array_append_val(out, found->entry);
		}
		if (out->len)
			return;
	}
	for (const char *p = e->references; p && *p && out->len < BUCKET_MAX;) {
		size_t len = strcspn(p, " ");
		g_autofree char *id = g_strndup(p, len);
		int at = GPOINTER_TO_INT(g_hash_table_lookup(f->by_message, id)) - 1;

		for (; at >= 0 && out->len < BUCKET_MAX;
		     at = g_array_index(f->next_same, int, at)) {
			unsigned index = (unsigned)at;

			if (index != q)
				g_array_append_val(out, index);
		}
		p += len;
		while (*p == ' ')
			p++;
	}
}

/* How many values of q are c's, loading both as needed. */
static unsigned compare(struct fold *f, const struct record *q, unsigned c)
{
	struct record *owned, *other = load(f, entry_at(f, c), &owned);
	unsigned score = other ? fold_agree(q, other) : 0;

	record_free(owned);
	return score;
}

/* Folds entry i when its message is there again: into the equal one of the other that was claimed
 * least. */
static void fold_repeated(struct fold *f, unsigned i, GArray *found)
{
	struct entry *e = entry_at(f, i);
	struct record *owned, *r;
	int best = -1;
	bool shorter = false;

	candidates(f, i, found);
	if (!found->len)
		return;
	r = load(f, e, &owned);
	for (guint k = 0; r && k < found->len; k++) {
		unsigned at = g_array_index(found, unsigned, k);
		struct entry *c = entry_at(f, at);
		struct record *other_owned, *other;

		if (at >= i || c->into >= 0 || c->depth != e->depth || !same_message(e, c)
		    || (best >= 0 && entry_at(f, (unsigned)best)->claims <= c->claims))
			continue;
		other = load(f, c, &other_owned);
		if (other && fold_agree(r, other)) {
			best = (int)at;
			shorter = false;
		} else if (other && fold_agree(other, r)) {
			best = (int)at;
			shorter = true;
		}
		record_free(other_owned);
	}
	record_free(owned);
	if (best >= 0 && shorter)
		fold_into(f, (unsigned)best, i);
	else if (best >= 0)
		fold_into(f, i, (unsigned)best);
}

/* Is c a better original than the one found so far? */
static bool better(const struct entry *c, unsigned evidence_c, const struct entry *best,
		   unsigned evidence_best)
{
	if ((c->depth == 0) != (best->depth == 0))
		return c->depth == 0;
	if (evidence_c != evidence_best)
		return evidence_c > evidence_best;
	if (c->depth != best->depth)
		return c->depth < best->depth;
	return c->claims < best->claims;
}

/* Folds the quoted entry i into its original, or into the quotation that comes nearest to it. */
static void fold_quoted(struct fold *f, unsigned i, GArray *found)
{
	struct entry *e = entry_at(f, i);
	struct record *owned, *r;
	unsigned best_evidence = 0;
	int best = -1;

	candidates(f, i, found);
	if (!found->len)
		return;
	r = load(f, e, &owned);
	for (guint k = 0; r && k < found->len; k++) {
		unsigned at = root_of(f, g_array_index(found, unsigned, k)), values, known;
		const struct entry *c = entry_at(f, at);

		if (at == i || c->depth > e->depth
		    || (c->depth == e->depth && c->message && c->message == e->message
			&& c->part == e->part))
			continue;
		values = compare(f, r, at);
		known = values ? evidence(e, c, values) : 0;
		if (known
		    && (best < 0 || better(c, known, entry_at(f, (unsigned)best), best_evidence))) {
			best = (int)at;
			best_evidence = known;
		}
	}
	record_free(owned);
	if (best >= 0)
		fold_into(f, i, (unsigned)best);
}

/* Quoted entries, least quoted first, then as they came. */
static int quoted_order(const void *a, const void *b, void *data)
{
	struct fold *f = data;
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
	const struct entry *ex = entry_at(f, x), *ey = entry_at(f, y);

	if (ex->depth != ey->depth)
		return ex->depth < ey->depth ? -1 : 1;
	return x < y ? -1 : x > y;
}

static void decide(struct fold *f)
{
	g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(unsigned)),
			  quoted = g_array_new(FALSE, FALSE, sizeof(unsigned));

	f->index = g_array_sized_new(FALSE, FALSE, sizeof(struct token), f->tokens->len);
	g_array_append_vals(f->index, f->tokens->data, f->tokens->len);
	g_array_sort(f->index, token_order);
	for (unsigned i = 0; i < f->entries->len; i++)
		if (entry_at(f, i)->into < 0)
			fold_repeated(f, i, found);
	for (unsigned i = 0; i < f->entries->len; i++)
		if (entry_at(f, i)->depth && entry_at(f, i)->into < 0)
			g_array_append_val(quoted, i);
	g_array_sort_with_data(quoted, quoted_order, f);
	for (guint i = 0; i < quoted->len; i++)
		fold_quoted(f, g_array_index(quoted, unsigned, i), found);
}

uint64_t fold_finish(struct fold *f, void (*each)(struct record *r, void *data), void *data)
{
	uint64_t passed = 0;

	decide(f);
	for (unsigned i = 0; i < f->entries->len; i++) {
		struct entry *e = entry_at(f, i);
		struct record *owned, *r;

		if (e->into >= 0) {
			record_free(e->record);
			continue;
		}
		r = load(f, e, &owned);
		if (!r)
			continue;
		r->source.copies += e->copies;
		if (e->depth)
			record_flag(
				r, FLAG_QUOTED_ONLY, "/source",
				"only quoted; the message that first had it is not in the input");
		passed++;
		each(r, data);
	}
	g_array_free(f->entries, TRUE);
	g_array_free(f->tokens, TRUE);
	g_array_free(f->index, TRUE);
	g_array_free(f->next_same, TRUE);
	g_hash_table_destroy(f->by_message);
	g_string_chunk_free(f->strings);
	if (f->fd >= 0)
		close(f->fd);
	g_free(f);
	return passed;
}
