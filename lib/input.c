/* Inputs: walks files, directories and standard input, finds out what they hold, and passes records
 * on, folded. */
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "lib/archive_read.h"
#include "lib/diag.h"
#include "lib/digest.h"
#include "lib/fold.h"
#include "lib/html.h"
#include "lib/input.h"
#include "lib/mail.h"
#include "lib/mbox.h"
#include "lib/page.h"
#include "lib/post.h"
#include "lib/quote.h"
#include "lib/record_ahead.h"
#include "lib/record_csv.h"
#include "lib/record_json.h"
#include "lib/record_scan.h"
#include "lib/sieve.h"
#include "lib/spool.h"

#define MAX_ARCHIVES 4u         /* archives inside archives that are opened */
#define UNIT_BYTES (4 << 20)    /* of a mailbox, worked on at a time */
#define UNITS_AHEAD 16u         /* units read before one that is not done yet */
#define MAX_JOBS 64u
#define DEFAULT_JOBS 4u
#define AHEAD_BYTES (1u << 20)  /* records of so many bytes are worth a thread that reads ahead */
#define SIEVE_BYTES (64u << 10) /* a single message from this size on goes through the sieve, */
#define SIEVE_MESSAGES 20u      /* and so does any after so many: the sieve must be worth making */
#define UTF16_MAX (64u << 20)   /* bytes of a file in UTF-16 */
#define PROBE_BYTES 8192u       /* looked at to tell text from other data */

struct input {
	struct input_options options;
	void (*each)(struct record *r, void *data);
	void *data;
	struct fold *fold;              /* NULL: every record is passed on as it comes */
	uint64_t passed;
	struct sieve *sieve;            /* made when first needed */
	struct reading *reading;        /* what this thread reads; records are passed on at once */
};

/* Where bytes come from, on the way down through archives. */
struct place {
	const char *file;
	const char *part;               /* inside archives; NULL: lines are the file's own */
	unsigned archives;              /* opened around it */
	bool mapped;                    /* the bytes are a file's pages, which may be given back */
};

static struct reading *reading_new(struct input *in);

struct input *input_new(const struct input_options *options,
			void (*each)(struct record *r, void *data), void *data)
{
	struct input *in = g_new0(struct input, 1);

	in->options = *options;
	in->each = each;
	in->data = data;
	in->reading = reading_new(in);
	if (options->quoted != QUOTED_ALL)
		in->fold = fold_new();
	return in;
}

static void count_and_pass(struct record *r, void *data)
{
	struct input *in = data;

	in->passed++;
	in->each(r, in->data);
}

uint64_t input_finish(struct input *in)
{
	uint64_t passed;

	if (in->fold)
		fold_finish(in->fold, count_and_pass, in);
	passed = in->passed;
	sieve_free(in->sieve);
	g_free(in->reading);
	g_free(in);
	return passed;
}

/* --- records on their way out --- */

/* Facts given by --set, where the post states none. */
static void set_facts(const struct input *in, struct record *r)
{
	for (guint i = 0; in->options.set && i < in->options.set->len; i++) {
		const struct fact *fact = &g_array_index(in->options.set, struct fact, i);
		bool config = g_str_has_prefix(fact->key, "config.");
		const char *key = record_text(r, config ? fact->key + 7 : fact->key, -1);
		GArray *facts = config ? r->config : r->environment;

		if (facts_get(facts, key))
			continue;
		facts_set_text(r, facts, key, record_text(r, fact->text, -1), 0);
		record_flag(r, FLAG_USER_SET, config ? "/environment/config/%s" : "/environment/%s",
			    "given by the user, not stated in the post", key);
	}
}

static void add_record(struct input *in, struct record *r, unsigned message, unsigned part, bool settled)
{
	if (in->options.quoted == QUOTED_SKIP && r->source.quote_depth) {
		record_free(r);
		return;
	}
	set_facts(in, r);
	if (in->fold && settled)
		fold_add_settled(in->fold, r);
	else if (in->fold)
		fold_add_at(in->fold, r, message, part);
	else
		count_and_pass(r, in);
}

/* --- posts --- */

/* A record with the numbers of its message and part, that waits for its turn. */
struct found { struct record *record; unsigned message, part; };

/* Posts that are read one after another, by one thread. */
struct reading {
	struct input *in;
	unsigned messages;              /* read so far */
	GArray *found; /* struct found: records wait here; NULL: they are passed on at once */
};

static struct reading *reading_new(struct input *in)
{
	struct reading *r = g_new0(struct reading, 1);

	r->in = in;
	return r;
}

struct taking { struct reading *reading; struct post *post; GArray *texts; uint64_t records; };

/* Which of the texts the record was in, from 1: texts that were split at quotes are one. */
static unsigned part_number(const GArray *texts, const struct record *r)
{
	unsigned number = 1;

	for (guint i = 0; i < texts->len; i++) {
		const struct reader_text *t = &g_array_index(texts, struct reader_text, i);

		if (!g_strcmp0(t->source.part, r->source.part)
		    && t->text.first_line <= r->source.first)
			number = i + 1;
	}
	/* The first piece of that text. */
	while (number > 1) {
		const struct reader_text *t = &g_array_index(texts, struct reader_text, number - 1);

		if (t[-1].text.bytes + t[-1].text.len != t->text.bytes)
			break;
		number--;
	}
	return number;
}

/* A quoted result is the poster's whom the attribution names. */
static void set_poster(const struct post *p, struct record *r)
{
	struct source *s = &r->source;
	const char *poster = post_poster(p, s->part, s->first, s->quote_depth);

	if (!s->quote_depth)
		return;
	if (p->references)
		fold_set_extra(r, FOLD_REFERENCES, p->references);
	if (!poster)
		return;
	if (s->from)
		fold_set_extra(r, FOLD_QUOTED_BY, s->from);
	s->from = record_text(r, poster, -1);
}

static void take_record(struct record *r, void *data)
{
	struct taking *t = data;
	struct reading *reading = t->reading;
	struct found f = { r, reading->messages, part_number(t->texts, r) };

	t->records++;
	set_poster(t->post, r);
	if (reading->found)
		g_array_append_val(reading->found, f);
	else
		add_record(reading->in, r, f.message, f.part, false);
}

/* Reads a post: its texts; what stands in another form beside them only when they give nothing.
 * Frees it. */
static void take_post(struct post *p, void *data)
{
	struct reading *reading = data;
	struct taking t = { reading, p, p->texts, 0 };
	const struct reader_options *o = &reading->in->options.reader;

	reading->messages++;
	if (p->texts->len)
		reader_message((const struct reader_text *)p->texts->data, p->texts->len, o,
			       take_record, &t);
	t.texts = p->spare;
	if (!t.records && p->spare->len)
		reader_message((const struct reader_text *)p->spare->data, p->spare->len, o,
			       take_record, &t);
	post_free(p);
}

/* --- what it is --- */

static void dispatch(struct input *in, const char *bytes, size_t len, const struct place *at);

/* Gives the pages between back to the system; they are read again if they must. */
static void forget_pages(const char *from, const char *to)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE),
		  begin = ((uintptr_t)from + page - 1) / page * page,
		  end = (uintptr_t)to / page * page;

	if (begin < end)
		madvise((void *)begin, end - begin, MADV_DONTNEED);
}

/* Records and their trouble, from JSON. */
struct json_input {
	struct input *in;
	const struct place *at;
	struct record_scan *scan;       /* when records are lent: either this one, */
	struct record_ahead *ahead;     /* or a thread reads ahead */
	const char *forgotten;          /* pages before it were given back */
};

/* Are records lent as they stand, without folding? */
static bool lends(const struct input *in)
{
	return in->options.borrow && !in->options.set && in->options.quoted != QUOTED_SKIP;
}

static void lend(struct input *in, const struct record *r)
{
	in->passed++;
	in->options.borrow(r, in->data);
}

static size_t scan_json(const char *text, size_t len, void *data)
{
	struct json_input *j = data;
	struct record *r;
	size_t used;

	if (j->at->mapped && text > j->forgotten + UNIT_BYTES) {
		forget_pages(j->forgotten, text);
		j->forgotten = text;
	}
	r = j->ahead ? record_ahead_take(j->ahead, text, &used)
		     : record_scan_read(j->scan, text, len, &used);
	if (!r)
		return 0;
	lend(j->in, r);
	return used;
}

static void take_json(struct record *r, void *data)
{
	struct json_input *j = data;

	if (!lends(j->in)) {
		add_record(j->in, r, 0, 0, j->in->options.settled);
		return;
	}
	lend(j->in, r);
	record_free(r);
}

static void bad_json(unsigned line, const char *message, void *data)
{
	struct json_input *j = data;

	diag(EXIT_USAGE, j->at->file, line, "%s; the record is left out", message);
}

static void read_json(struct input *in, const char *bytes, size_t len, const struct place *at)
{
	struct json_input j = { .in = in, .at = at, .forgotten = bytes };

	if (lends(in) && len >= AHEAD_BYTES && in->options.jobs != 1 && g_get_num_processors() > 1)
		j.ahead = record_ahead_new(bytes, len, in->options.borrow_samples);
	else if (lends(in))
		j.scan = record_scan_new(in->options.borrow_samples);
	record_json_walk_quick(bytes, len, lends(in) ? scan_json : NULL, take_json, bad_json, &j);
	record_scan_free(j.scan);
	record_ahead_free(j.ahead);
}

/* The sieve; NULL when everything is to be read, since explain shows it all. */
static const struct sieve *get_sieve(struct input *in)
{
	if (in->options.reader.note)
		return NULL;
	if (!in->sieve)
		in->sieve = sieve_new(in->options.reader.only);
	return in->sieve;
}

/* Every message is read, whatever it holds; so are those whose end only their length tells. */
static void read_mbox_whole(struct input *in, const struct mbox *m, const struct place *at)
{
	struct mail_place place = { at->file, at->part, 1, 0 };
	const char *counted = m->begin, *p;
	const struct sieve *sieve = get_sieve(in);

	for (p = mbox_first(m); p < m->end;) {
		const char *message = mbox_message(m, p), *next = mbox_next(m, p);
		size_t len = (size_t)(next - message);

		place.first_line += mail_count_lines(counted, message);
		counted = message;
		if (!sieve || sieve_message(sieve, message, len))
			mail_read(message, len, &place, take_post, in->reading);
		p = next;
	}
}

/* A mailbox that several threads read, unit by unit. */
struct crew {
	struct input *in;
	const struct place *at;
	struct mbox mbox;
	GMutex lock;
	GCond changed;
	GPtrArray *units;               /* struct unit *, those taken */
	unsigned next;                  /* the unit to take */
	unsigned passed;                /* units whose records were passed on */
	unsigned count;                 /* units in all */
};

/* A piece of it: the messages whose separators begin inside. */
struct unit {
	unsigned lines;                 /* line ends in it */
	bool sifted, read;
	GArray *messages;               /* struct sifted */
	struct reading reading;
};

static void keep_sifted(const struct sifted *m, void *data)
{
	struct unit *u = data;

	g_array_append_val(u->messages, *m);
}

static const char *unit_border(const struct crew *c, unsigned number)
{
	const char *begin = mbox_first(&c->mbox);
	size_t at = (size_t)number * UNIT_BYTES;

	return at >= (size_t)(c->mbox.end - begin) ? c->mbox.end : begin + at;
}

/* Finds the unit's messages that may hold a result, and how many lines it has. */
static void sift_unit(const struct crew *c, unsigned number, struct unit *u)
{
	const char *border = unit_border(c, number), *until = unit_border(c, number + 1);
	const char *from = number ? mbox_next_from(&c->mbox, border) : border;

	if (from < until)
		sieve_mbox(c->in->sieve, &c->mbox, from, until, keep_sifted, u, &u->lines);
}

static void read_unit(const struct crew *c, struct unit *u, unsigned line)
{
	for (guint i = 0; i < u->messages->len; i++) {
		const struct sifted *m = &g_array_index(u->messages, struct sifted, i);
		struct mail_place place = { c->at->file, c->at->part, line + m->lines, 0 };

		mail_read(m->begin, (size_t)(m->end - m->begin), &place, take_post, &u->reading);
	}
}

static struct unit *unit_at(struct crew *c, unsigned number)
{
	return g_ptr_array_index(c->units, number);
}

static void show_progress(const struct crew *c)
{
	if (c->in->options.progress && isatty(STDERR_FILENO))
		fprintf(stderr, "\r%s: %3u %%%s", c->at->file, c->passed * 100 / c->count,
			c->passed == c->count ? "\r\033[K" : "");
}

/* Passes on the records of all units that are next in order. The lock is held. */
static void pass_units(struct crew *c)
{
	while (c->passed < c->next && unit_at(c, c->passed)->read) {
		struct unit *u = unit_at(c, c->passed);

		for (guint i = 0; i < u->reading.found->len; i++) {
			const struct found *f = &g_array_index(u->reading.found, struct found, i);

			add_record(c->in, f->record, c->in->reading->messages + f->message,
				   f->part, false);
		}
		c->in->reading->messages += u->reading.messages;
		g_array_free(u->reading.found, TRUE);
		g_array_free(u->messages, TRUE);
		c->passed++;
		show_progress(c);
	}
	g_cond_broadcast(&c->changed);
}

/* The number of the line on which unit `number` begins, once all before it are sifted. The lock is
 * held. */
static unsigned line_of_unit(struct crew *c, unsigned number)
{
	unsigned line = 1 + mail_count_lines(c->mbox.begin, mbox_first(&c->mbox));

	for (unsigned i = 0; i < number; i++) {
		while (!unit_at(c, i)->sifted)
			g_cond_wait(&c->changed, &c->lock);
		line += unit_at(c, i)->lines;
	}
	return line;
}

/* One thread: takes units until there are none. */
static void *crew_work(void *data)
{
	struct crew *c = data;

	g_mutex_lock(&c->lock);
	while (c->next < c->count) {
		struct unit *u = g_new0(struct unit, 1);
		unsigned number = c->next++, line;

		g_ptr_array_add(c->units, u);
		u->messages = g_array_new(FALSE, FALSE, sizeof(struct sifted));
		u->reading = (struct reading){ c->in, 0,
					       g_array_new(FALSE, FALSE, sizeof(struct found)) };
		g_mutex_unlock(&c->lock);
		sift_unit(c, number, u);
		g_mutex_lock(&c->lock);
		u->sifted = true;
		g_cond_broadcast(&c->changed);
		line = line_of_unit(c, number);
		g_mutex_unlock(&c->lock);
		read_unit(c, u, line);
		if (c->at->mapped)
			forget_pages(unit_border(c, number), unit_border(c, number + 1));
		g_mutex_lock(&c->lock);
		u->read = true;
		pass_units(c);
		/* No thread runs far ahead of one that is busy: records wait in memory. */
		while (c->next < c->count && c->next > c->passed + UNITS_AHEAD)
			g_cond_wait(&c->changed, &c->lock);
	}
	g_mutex_unlock(&c->lock);
	return NULL;
}

static void read_mbox(struct input *in, const char *bytes, size_t len, const struct place *at)
{
	struct crew c = { .in = in, .at = at };
	unsigned threads = in->options.jobs ? MIN(in->options.jobs, MAX_JOBS)
					    : MIN(g_get_num_processors(), DEFAULT_JOBS);
	GThread *thread[MAX_JOBS];

	mbox_open(&c.mbox, bytes, len);
	if (c.mbox.content_length || !get_sieve(in)) {
		read_mbox_whole(in, &c.mbox, at);
		return;
	}
	c.count = (unsigned)((size_t)(c.mbox.end - mbox_first(&c.mbox)) / UNIT_BYTES + 1);
	c.units = g_ptr_array_new_with_free_func(g_free);
	g_mutex_init(&c.lock);
	g_cond_init(&c.changed);
	threads = MIN(threads, c.count);
	for (unsigned i = 1; i < threads; i++)
		thread[i] = g_thread_new("read", crew_work, &c);
	crew_work(&c);
	for (unsigned i = 1; i < threads; i++)
		g_thread_join(thread[i]);
	g_cond_clear(&c.changed);
	g_mutex_clear(&c.lock);
	g_ptr_array_free(c.units, TRUE);
}

/* An entry of an archive. */
struct unpacking { struct input *in; const struct place *at; };

static void take_entry(const char *name, const char *bytes, size_t len, void *data)
{
	struct unpacking *u = data;
	g_autofree char *part = NULL;
	struct place inner = { u->at->file, NULL, u->at->archives + 1, false };

	if (!name)
		part = g_strdup(u->at->part ? u->at->part : "unpacked");
	else
		part = u->at->part ? g_strdup_printf("%s: %s", u->at->part, name) : g_strdup(name);
	inner.part = part;
	dispatch(u->in, bytes, len, &inner);
}

static void read_archive(struct input *in, const char *bytes, size_t len, const struct place *at)
{
	struct unpacking u = { in, at };
	g_autofree char *error = NULL;

	if (at->archives >= MAX_ARCHIVES) {
		diag(EXIT_USAGE, at->file, 0,
		     "archives inside one another, more than %u deep; unpack it yourself",
		     MAX_ARCHIVES);
		return;
	}
	error = archive_read_entries(bytes, len, take_entry, &u);
	if (error)
		diag(EXIT_USAGE, at->file, 0, "%s%s%s", at->part ? at->part : "",
		     at->part ? ": " : "", error);
}

/* A pasted file, or a page saved as text. */
static void read_text(struct input *in, const char *bytes, size_t len, const struct place *at)
{
	struct post *p = post_new(at->file, at->part);

	page_text(p, bytes, len);
	take_post(p, in->reading);
}

/* Images, programs: many NULs or control bytes at the beginning. */
static bool is_binary(const char *bytes, size_t len)
{
	size_t n = MIN(len, PROBE_BYTES), odd = 0;

	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)bytes[i];

		odd += c < ' ' && !strchr("\t\n\r\f\b\033\a\v", c);
	}
	return odd * 4 > n;
}

/* A file in UTF-16, as Windows writes: its text, or NULL. Lines keep their numbers. */
static GString *from_utf16(const char *bytes, size_t len)
{
	bool guessed;

	if (len < 4 || len > UTF16_MAX
	    || (memcmp(bytes, "\xff\xfe", 2) && memcmp(bytes, "\xfe\xff", 2)))
		return NULL;
	return mail_to_utf8(bytes, len, "UTF-16", &guessed);
}

static void dispatch(struct input *in, const char *bytes, size_t len, const struct place *at)
{
	g_autoptr(GString) utf8 = from_utf16(bytes, len);
	struct mail_place mail = { at->file, at->part, 1, 0 };

	if (utf8) {
		bytes = utf8->str;
		len = utf8->len;
	}
	if (archive_probe(bytes, len)) {
		read_archive(in, bytes, len, at);
	} else if (record_json_probe(bytes, len)) {
		read_json(in, bytes, len, at);
	} else if (record_csv_probe(bytes, len)) {
		struct json_input j = { .in = in, .at = at };

		record_csv_walk(bytes, len, take_json, bad_json, &j);
	} else if (mbox_probe(bytes, len)) {
		read_mbox(in, bytes, len, at);
	} else if (mail_probe(bytes, len)) {
		const struct sieve *sieve =
			len > SIEVE_BYTES || in->reading->messages > SIEVE_MESSAGES ? get_sieve(in)
										    : NULL;

		if (!sieve || sieve_message(sieve, bytes, len))
			mail_read(bytes, len, &mail, take_post, in->reading);
	} else if (html_probe(bytes, len)) {
		html_page(bytes, len, at->file, at->part, take_post, in->reading);
	} else if (digest_probe(bytes, len)) {
		digest_read(bytes, len, &mail, take_post, in->reading);
	} else if (!is_binary(bytes, len)) {
		read_text(in, bytes, len, at);
	}
}

/* --- files --- */

/* All that a descriptor gives, for what cannot be mapped. */
static bool read_stream(struct input *in, int fd, const char *name)
{
	struct spool *s = spool_new();
	struct place at = { name, NULL, 0, false };
	g_autofree char *buffer = g_malloc(256 << 10);
	const char *bytes;
	size_t len;
	bool ok = true;

	for (;;) {
		ssize_t n = read(fd, buffer, 256 << 10);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 || (n > 0 && !spool_append(s, buffer, (size_t)n))) {
			diag(EXIT_USAGE, name, 0, "cannot be read: %s", g_strerror(errno));
			ok = false;
		}
		if (n <= 0 || !ok)
			break;
	}
	bytes = spool_bytes(s, &len);
	if (!bytes) {
		diag(EXIT_USAGE, name, 0, "cannot be read: %s", g_strerror(errno));
		ok = false;
	} else if (len) {
		dispatch(in, bytes, len, &at);
	}
	spool_free(s);
	return ok;
}

static bool read_mapped(struct input *in, int fd, size_t len, const char *name)
{
	struct place at = { name, NULL, 0, true };
	char *map = mmap(NULL, len, PROT_READ, MAP_PRIVATE, fd, 0);

	if (map == MAP_FAILED)
		return read_stream(in, fd, name);
	madvise(map, len, MADV_SEQUENTIAL);
	dispatch(in, map, len, &at);
	munmap(map, len);
	return true;
}

static bool read_file(struct input *in, const char *path)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool ok;

	if (fd < 0 || fstat(fd, &st)) {
		diag(EXIT_USAGE, path, 0, "cannot be read: %s", g_strerror(errno));
		if (fd >= 0)
			close(fd);
		return false;
	}
	/* Files of the kernel, such as a tracer's output, say that they are empty. */
	ok = S_ISREG(st.st_mode) && st.st_size ? read_mapped(in, fd, (size_t)st.st_size, path)
				 : read_stream(in, fd, path);
	close(fd);
	return ok;
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

/* Hidden files are not looked at; folders of a Maildir++ are, its tmp is not. */
static bool skipped(const FTSENT *e)
{
	g_autofree char *cur = NULL;

	if (e->fts_level == 0)
		return false;
	if (e->fts_info == FTS_D && !strcmp(e->fts_name, "tmp")) {
		cur = g_strdup_printf("%.*s/../cur", (int)e->fts_pathlen, e->fts_path);
		return access(cur, F_OK) == 0;
	}
	if (e->fts_name[0] != '.')
		return false;
	if (e->fts_info != FTS_D)
		return true;
	cur = g_strdup_printf("%s/cur", e->fts_path);
	return access(cur, F_OK) != 0;
}

/* Empty files are left out: some of the kernel's never end. */
static bool read_directory(struct input *in, const char *path)
{
	char *const paths[] = { (char *)path, NULL };
	FTS *walk = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, by_name);
	FTSENT *e;
	struct stat st;

	if (!walk) {
		diag(EXIT_USAGE, path, 0, "cannot be read: %s", g_strerror(errno));
		return false;
	}
	while ((e = fts_read(walk))) {
		if (e->fts_info == FTS_DNR || e->fts_info == FTS_ERR || e->fts_info == FTS_NS) {
			diag(EXIT_USAGE, e->fts_path, 0, "cannot be read: %s",
			     g_strerror(e->fts_errno));
		} else if (skipped(e)) {
			if (e->fts_info == FTS_D)
				fts_set(walk, e, FTS_SKIP);
		} else if ((e->fts_info == FTS_F && e->fts_statp->st_size)
			   || (e->fts_info == FTS_SL && !stat(e->fts_path, &st)
			       && S_ISREG(st.st_mode) && st.st_size)) {
			read_file(in, e->fts_path);
		}
	}
	fts_close(walk);
	return true;
}

bool input_read(struct input *in, const char *path)
{
	struct stat st;

	if (!strcmp(path, "-"))
		return read_stream(in, STDIN_FILENO, "-");
	if (!stat(path, &st) && S_ISDIR(st.st_mode))
		return read_directory(in, path);
	return read_file(in, path);
}

void input_read_bytes(struct input *in, const char *bytes, size_t len, const char *file)
{
	struct place at = { file, NULL, 0, false };

	if (len)
		dispatch(in, bytes, len, &at);
}
