#include "lib/record_ahead.h"

#include <string.h>
#include "lib/record_scan.h"

#define BATCHES 4u
#define BATCH_RECORDS 64u
#define BATCH_BYTES (256u << 10)        /* of text: long records must not pile up */

struct item { struct record_scan *scan; struct record *record; const char *text; size_t used; };

struct batch { struct item item[BATCH_RECORDS]; guint filled, taken; bool last; };

struct record_ahead {
	const char *p, *end;
	struct batch batch[BATCHES];
	GAsyncQueue *empty, *full;
	struct batch *now;              /* that is being taken from */
	GThread *thread;
	gint stop;                      /* atomic */
};

/* Fills b with the next records. */
static void fill(struct record_ahead *a, struct batch *b)
{
	const char *start = a->p;

	b->filled = b->taken = 0;
	while (a->p < a->end && b->filled < BATCH_RECORDS && a->p < start + BATCH_BYTES) {
		const char *newline = memchr(a->p, '\n', (size_t)(a->end - a->p));
		const char *next = newline ? newline + 1 : a->end;
		struct item *item = &b->item[b->filled];

		if (*a->p == '{') {
			item->text = a->p;
			item->record = record_scan_read(item->scan, a->p, (size_t)((newline ? newline : a->end) - a->p), &item->used);
			b->filled += item->record != NULL;
		}
		a->p = next;
	}
	b->last = a->p >= a->end || g_atomic_int_get(&a->stop);
}

static void *scan_ahead(void *data)
{
	struct record_ahead *a = data;
	bool last = false;

	while (!last) {
		struct batch *b = g_async_queue_pop(a->empty);

		fill(a, b);
		last = b->last;
		g_async_queue_push(a->full, b);
	}
	return NULL;
}

struct record_ahead *record_ahead_new(const char *text, size_t len, bool samples)
{
	struct record_ahead *a = g_new0(struct record_ahead, 1);

	a->p = text;
	a->end = text + len;
	a->empty = g_async_queue_new();
	a->full = g_async_queue_new();
	for (guint i = 0; i < BATCHES; i++) {
		for (guint k = 0; k < BATCH_RECORDS; k++)
			a->batch[i].item[k].scan = record_scan_new(samples);
		g_async_queue_push(a->empty, &a->batch[i]);
	}
	a->thread = g_thread_new("records", scan_ahead, a);
	return a;
}

void record_ahead_free(struct record_ahead *a)
{
	if (!a)
		return;
	g_atomic_int_set(&a->stop, 1);
	while (!a->now || !a->now->last) {
		if (a->now)
			g_async_queue_push(a->empty, a->now);
		a->now = g_async_queue_pop(a->full);
	}
	g_thread_join(a->thread);
	for (guint i = 0; i < BATCHES; i++)
		for (guint k = 0; k < BATCH_RECORDS; k++)
			record_scan_free(a->batch[i].item[k].scan);
	g_async_queue_unref(a->empty);
	g_async_queue_unref(a->full);
	g_free(a);
}

/* The next item that was not taken, or NULL after the last. */
static struct item *peek(struct record_ahead *a)
{
	while (!a->now || a->now->taken == a->now->filled) {
		if (a->now && a->now->last)
			return NULL;
		if (a->now)
			g_async_queue_push(a->empty, a->now);
		a->now = g_async_queue_pop(a->full);
	}
	return &a->now->item[a->now->taken];
}

struct record *record_ahead_take(struct record_ahead *a, const char *text, size_t *used)
{
	struct item *item = peek(a);

	/* What stood inside a value over several lines was no record of its own. */
	while (item && item->text < text) {
		a->now->taken++;
		item = peek(a);
	}
	if (!item || item->text != text)
		return NULL;
	a->now->taken++;
	*used = item->used;
	return item->record;
}
