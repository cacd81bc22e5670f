/*
 * A web server for the person at this machine: it listens on 127.0.0.1 only, is one thread, and serves one request a connection.
 *
 * What it refuses by itself: names other than 127.0.0.1 and localhost in Host (else a name that a stranger's server makes point
 * here would pass as that server), forms that another site's page sends, bodies that are too long or malformed, too many at a
 * time, and clients that take too long. Each answer forbids scripts, frames, and to be kept or guessed at.
 */
#ifndef RTREPORT_HTTP_H
#define RTREPORT_HTTP_H

#include <glib.h>
#include <signal.h>
#include <stdbool.h>
#include "lib/spool.h"

#define HTTP_BODY (64u << 20)           /* bytes of a request at most */
#define HTTP_HELD (256u << 20)          /* of all requests together */
#define HTTP_CONNECTIONS 64u
#define HTTP_IDLE 30u                   /* seconds without a byte */
#define HTTP_LONGEST 300u               /* seconds from connection to the last byte */

enum http_status {
	HTTP_OK = 200, HTTP_BAD = 400, HTTP_FORBIDDEN = 403, HTTP_NOT_FOUND = 404, HTTP_METHOD = 405, HTTP_TOO_LARGE = 413,
	HTTP_MEDIA = 415, HTTP_UNPROCESSABLE = 422, HTTP_FAILED = 500, HTTP_BUSY = 503
};

struct http;
struct http_request;

/* A field of a form, as it was sent. */
struct http_field {
	char *name, *file;              /* file: the name of a file that was chosen; else NULL */
	struct spool *bytes;
};

/* handle answers the request, at once or later. GET serves HEAD too. */
struct http_route {
	const char *method, *path;
	void (*handle)(struct http_request *r, void *data);
};

struct http_options {
	int port;                       /* 0: any that is free */
	const struct http_route *routes;        /* ends with method NULL */
	char *(*refusal)(unsigned status, const char *why, void *data);         /* the page (HTML) that says so; freed by g_free */
	void *data;
};

/* options outlive the server. NULL with *error (caller frees). */
struct http *http_new(const struct http_options *options, char **error);
int http_port(const struct http *h);
/* Waits for something to do, at most so many milliseconds, with the signals blocked that `mask` says; does it. */
void http_step(struct http *h, int milliseconds, const sigset_t *mask);
/* How many POST requests were answered to the last byte with HTTP_OK. */
unsigned http_posts(const struct http *h);
/* All requests must have been answered. */
void http_free(struct http *h);

/* struct http_field *, in order; they live until the request is answered. */
const GPtrArray *http_fields(const struct http_request *r);

/* disposition may be NULL. text is freed by g_free; fd is closed. */
void http_answer(struct http_request *r, unsigned status, const char *media, const char *disposition, char *text);
void http_answer_file(struct http_request *r, unsigned status, const char *media, const char *disposition, int fd, size_t size);
void http_refuse(struct http_request *r, unsigned status, const char *why);

#endif
