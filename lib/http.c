#include "lib/http.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>
#include "lib/html_page.h"
#include "lib/lazy_http.h"

#define POST_BUFFER 65536u              /* of the form's parser */
#define FIELDS 256u
#define TOO_MUCH "More than 64 MiB at a time is not read here; rtreport itself reads files of any size."
#define DISCARD (4u * HTTP_BODY)        /* bytes that are read of a body that is refused, so that its sender gets to read why */

struct http {
	struct http_options options;
	struct MHD_Daemon *daemon;
	int port;
	unsigned posts;
	size_t held;                    /* bytes of bodies */
	bool resumed;                   /* is a connection that waited to go on? */
	GPtrArray *connections;         /* struct connection * */
};

struct connection {
	struct MHD_Connection *handle;
	int socket;
	gint64 since;
	bool asked;                     /* its head has come */
	bool waiting;                   /* for us */
};

struct http_request {
	struct http *http;
	struct connection *connection;
	const struct http_route *route; /* NULL: refused */
	struct MHD_PostProcessor *form;
	GPtrArray *fields;
	size_t body, discarded;         /* bytes: held, and of a body that is refused */
	const char *trouble;            /* with the form, where it is not malformed */
	bool asked;                     /* was the handler called? */
	unsigned status;                /* of the response, or why the request is refused */
	const char *why;
	struct MHD_Response *response;
};

/* --- what is allowed --- */

/* The header's value; "" when it is absent, NULL when there is a NUL in it. */
static const char *header(struct MHD_Connection *c, const char *name)
{
	const char *value = NULL;
	size_t len = 0;

	if (!MHD_lookup_connection_value_n(c, MHD_HEADER_KIND, name, strlen(name), &value, &len) || !value)
		return "";
	return strlen(value) == len ? value : NULL;
}

/* Is text PREFIX127.0.0.1:PORT or PREFIXlocalhost:PORT? */
static bool is_own(const struct http *h, const char *text, const char *prefix)
{
	static const char *const names[] = { "127.0.0.1", "localhost" };

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *with_port = g_strdup_printf("%s%s:%d", prefix, names[i], h->port);
		g_autofree char *bare = g_strdup_printf("%s%s", prefix, names[i]);

		if (!g_ascii_strcasecmp(text, with_port) || (h->port == 80 && !g_ascii_strcasecmp(text, bare)))
			return true;
	}
	return false;
}

static void refuse(struct http_request *r, unsigned status, const char *why);

/* Browsers say where a form was sent from; programs such as curl say nothing. */
static void check_sender(struct http_request *r, struct MHD_Connection *c)
{
	const char *origin = header(c, "Origin"), *site = header(c, "Sec-Fetch-Site");

	if (!origin || !site || (*origin && !is_own(r->http, origin, "http://")) ||
	    (*site && g_ascii_strcasecmp(site, "same-origin") && g_ascii_strcasecmp(site, "none")))
		refuse(r, HTTP_FORBIDDEN, "The form was sent from a page of another site.");
}

static void check_host(struct http_request *r, struct MHD_Connection *c)
{
	const char *host = header(c, "Host");

	if (!host || !is_own(r->http, host, ""))
		refuse(r, HTTP_FORBIDDEN, "This page is only there under the address that rtreport serve has printed.");
}

static void find_route(struct http_request *r, const char *method, const char *path)
{
	bool known = false;

	if (!strcmp(method, "HEAD"))
		method = "GET";
	for (const struct http_route *t = r->http->options.routes; t->method; t++) {
		if (strcmp(t->path, path))
			continue;
		known = true;
		if (!strcmp(t->method, method))
			r->route = t;
	}
	if (!known)
		refuse(r, HTTP_NOT_FOUND, "There is no such page.");
	else if (!r->route)
		refuse(r, HTTP_METHOD, "This page is not asked for that way.");
}

/* --- the form --- */

static void field_free(void *data)
{
	struct http_field *f = data;

	g_free(f->name);
	g_free(f->file);
	spool_free(f->bytes);
	g_free(f);
}

static enum MHD_Result take_field(void *data, enum MHD_ValueKind kind, const char *name, const char *file, const char *type,
				  const char *encoding, const char *bytes, uint64_t offset, size_t len)
{
	struct http_request *r = data;
	struct http_field *f;

	(void)kind, (void)type, (void)encoding;
	if (!offset) {
		if (r->fields->len >= FIELDS)
			return MHD_NO;
		f = g_new0(struct http_field, 1);
		f->name = g_strdup(name ? name : "");
		f->file = g_strdup(file);
		f->bytes = spool_new();
		g_ptr_array_add(r->fields, f);
	}
	f = r->fields->len ? r->fields->pdata[r->fields->len - 1] : NULL;
	if (f && spool_append(f->bytes, bytes, len))
		return MHD_YES;
	r->trouble = "There is no room for what was sent.";
	return MHD_NO;
}

/* Ends the form. Was it whole? */
static bool end_form(struct http_request *r)
{
	bool whole = true;

	if (r->form)
		whole = MHD_destroy_post_processor(r->form) == MHD_YES;
	r->form = NULL;
	return whole;
}

static void drop_fields(struct http_request *r)
{
	r->http->held -= r->body;
	r->body = 0;
	g_ptr_array_set_size(r->fields, 0);
}

/* The first reason is said. */
static void refuse(struct http_request *r, unsigned status, const char *why)
{
	if (r->why)
		return;
	r->status = status;
	r->why = why;
	end_form(r);
	drop_fields(r);
}

static void begin_form(struct http_request *r, struct MHD_Connection *c)
{
	const char *length = header(c, "Content-Length"), *type = header(c, "Content-Type");

	if (!length || !type)
		refuse(r, HTTP_BAD, "The request is malformed.");
	else if (g_ascii_strtoull(length, NULL, 10) > HTTP_BODY)
		refuse(r, HTTP_TOO_LARGE, TOO_MUCH);
	if (r->why)
		return;
	r->form = MHD_create_post_processor(c, POST_BUFFER, take_field, r);
	if (!r->form)
		refuse(r, HTTP_MEDIA, "What was sent is no form (multipart/form-data or application/x-www-form-urlencoded).");
}

/* False: so much was sent in spite of the refusal that the connection is closed. */
static bool take_body(struct http_request *r, const char *bytes, size_t len)
{
	if (r->why) {
		r->discarded += len;
		return r->discarded <= DISCARD;
	}
	r->body += len;
	r->http->held += len;
	if (r->body > HTTP_BODY)
		refuse(r, HTTP_TOO_LARGE, TOO_MUCH);
	else if (r->http->held > HTTP_HELD)
		refuse(r, HTTP_BUSY, "Too much is being sent at this time; try again.");
	else if (!r->form || MHD_post_process(r->form, bytes, len) != MHD_YES)
		refuse(r, r->trouble ? HTTP_BUSY : HTTP_BAD, r->trouble ? r->trouble : "The form that was sent is malformed.");
	return true;
}

const GPtrArray *http_fields(const struct http_request *r)
{
	return r->fields;
}

/* --- answers --- */

static void set_response(struct http_request *r, unsigned status, struct MHD_Response *response, const char *media,
			 const char *disposition)
{
	/* Referrer same-origin: a page that names no referrer at all sends its own form from "null", as a stranger's page could. */
	static const char *const headers[][2] = {
		{ "Content-Security-Policy", HTML_POLICY "; form-action 'self'; base-uri 'none'; frame-ancestors 'none'" },
		{ "X-Content-Type-Options", "nosniff" }, { "X-Frame-Options", "DENY" }, { "Referrer-Policy", "same-origin" },
		{ "Cross-Origin-Resource-Policy", "same-origin" }, { "Cross-Origin-Opener-Policy", "same-origin" },
		{ "Cache-Control", "no-store" }, { "Connection", "close" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(headers); i++)
		MHD_add_response_header(response, headers[i][0], headers[i][1]);
	MHD_add_response_header(response, "Content-Type", media);
	if (disposition)
		MHD_add_response_header(response, "Content-Disposition", disposition);
	r->status = status;
	r->response = response;
	if (!r->connection->waiting)
		return;
	MHD_resume_connection(r->connection->handle);
	r->connection->waiting = false;
	r->http->resumed = true;
}

void http_answer(struct http_request *r, unsigned status, const char *media, const char *disposition, char *text)
{
	struct MHD_Response *response = MHD_create_response_from_buffer(strlen(text), text, MHD_RESPMEM_MUST_COPY);

	g_free(text);
	set_response(r, status, response, media, disposition);
}

void http_answer_file(struct http_request *r, unsigned status, const char *media, const char *disposition, int fd, size_t size)
{
	set_response(r, status, MHD_create_response_from_fd64(size, fd), media, disposition);
}

void http_refuse(struct http_request *r, unsigned status, const char *why)
{
	http_answer(r, status, "text/html; charset=utf-8", NULL, r->http->options.refusal(status, why, r->http->options.data));
}

static void add_allowed(struct http_request *r, const char *path)
{
	for (const struct http_route *t = r->http->options.routes; t->method; t++)
		if (!strcmp(t->path, path))
			MHD_add_response_header(r->response, "Allow", t->method);
}

/* --- requests, as libmicrohttpd calls us --- */

static struct http_request *request_new(struct http *h, struct MHD_Connection *c, const char *method, const char *path)
{
	struct http_request *r = g_new0(struct http_request, 1);

	r->http = h;
	r->connection = MHD_get_connection_info(c, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
	r->connection->asked = true;
	r->fields = g_ptr_array_new_with_free_func(field_free);
	check_host(r, c);
	find_route(r, method, path);
	if (r->route && !strcmp(r->route->method, "POST")) {
		check_sender(r, c);
		if (!r->why)
			begin_form(r, c);
	}
	return r;
}

/* The whole request is there. */
static void ask(struct http_request *r, const char *path)
{
	r->asked = true;
	if (!end_form(r) && !r->why)
		refuse(r, HTTP_BAD, "The form that was sent is malformed, or cut short.");
	if (!r->why) {
		r->route->handle(r, r->http->options.data);
		return;
	}
	http_refuse(r, r->status, r->why);
	if (r->status == HTTP_METHOD)
		add_allowed(r, path);
}

static enum MHD_Result on_request(void *data, struct MHD_Connection *c, const char *path, const char *method, const char *version,
				  const char *bytes, size_t *len, void **slot)
{
	struct http_request *r = *slot;

	(void)version;
	if (!r) {
		*slot = r = request_new(data, c, method, path);
		/* Who asks first whether to send the body is told no. */
		if (!r->why || !*header(c, "Expect"))
			return MHD_YES;
	}
	if (*len) {
		bool going_on = take_body(r, bytes, *len);

		*len = 0;
		return going_on ? MHD_YES : MHD_NO;
	}
	if (!r->asked)
		ask(r, path);
	if (r->response)
		return MHD_queue_response(c, r->status, r->response);
	r->connection->waiting = true;
	MHD_suspend_connection(c);
	return MHD_YES;
}

static void on_completed(void *data, struct MHD_Connection *c, void **slot, enum MHD_RequestTerminationCode how)
{
	struct http *h = data;
	struct http_request *r = *slot;

	(void)c;
	if (!r)
		return;
	if (how == MHD_REQUEST_TERMINATED_COMPLETED_OK && r->status == HTTP_OK && !strcmp(r->route->method, "POST"))
		h->posts++;
	end_form(r);
	drop_fields(r);
	g_ptr_array_unref(r->fields);
	if (r->response)
		MHD_destroy_response(r->response);
	g_free(r);
	*slot = NULL;
}

static void on_connection(void *data, struct MHD_Connection *handle, void **slot, enum MHD_ConnectionNotificationCode what)
{
	struct http *h = data;
	struct connection *c = *slot;

	if (what == MHD_CONNECTION_NOTIFY_CLOSED) {
		g_ptr_array_remove_fast(h->connections, c);
		return;
	}
	*slot = c = g_new0(struct connection, 1);
	c->handle = handle;
	c->socket = MHD_get_connection_info(handle, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
	c->since = g_get_monotonic_time();
	g_ptr_array_add(h->connections, c);
}

/* --- the server --- */

/* A listening socket on 127.0.0.1; *port is the real one. -1 with errno set. */
static int listen_locally(int *port)
{
	struct sockaddr_in at = {
		.sin_family = AF_INET, .sin_port = htons((uint16_t)*port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	socklen_t len = sizeof(at);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), yes = 1;

	if (fd < 0)
		return -1;
	if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes)) || bind(fd, (struct sockaddr *)&at, len) ||
	    listen(fd, (int)HTTP_CONNECTIONS) || getsockname(fd, (struct sockaddr *)&at, &len)) {
		int error = errno;

		close(fd);
		errno = error;
		return -1;
	}
	*port = ntohs(at.sin_port);
	return fd;
}

struct http *http_new(const struct http_options *options, char **error)
{
	struct http *h = g_new0(struct http, 1);
	int fd;

	h->options = *options;
	h->port = options->port;
	h->connections = g_ptr_array_new_with_free_func(g_free);
	fd = listen_locally(&h->port);
	if (fd >= 0)
		h->daemon = MHD_start_daemon(MHD_USE_SUSPEND_RESUME, 0, NULL, NULL, on_request, h,
					     MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_CONNECTION_LIMIT, 2 * HTTP_CONNECTIONS,
					     MHD_OPTION_CONNECTION_TIMEOUT, HTTP_IDLE, MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1,
					     MHD_OPTION_NOTIFY_COMPLETED, on_completed, h,
					     MHD_OPTION_NOTIFY_CONNECTION, on_connection, h, MHD_OPTION_END);
	if (h->daemon)
		return h;
	*error = g_strdup(g_strerror(errno));
	if (fd >= 0)
		close(fd);
	g_ptr_array_unref(h->connections);
	g_free(h);
	return NULL;
}

int http_port(const struct http *h)
{
	return h->port;
}

unsigned http_posts(const struct http *h)
{
	return h->posts;
}

/* A byte now and then does not keep a connection for ever. */
static void end_long_connections(struct http *h)
{
	gint64 oldest = g_get_monotonic_time() - HTTP_LONGEST * G_USEC_PER_SEC;

	for (guint i = 0; i < h->connections->len; i++) {
		const struct connection *c = h->connections->pdata[i];

		if (c->since < oldest && !c->waiting)
			shutdown(c->socket, SHUT_RDWR);
	}
}

/*
 * Connections that ask nothing keep nobody out: the oldest goes when all places are taken. libmicrohttpd itself would turn the
 * newest away: it has places beyond these, so that one that goes leaves room in time.
 */
static void make_room(struct http *h)
{
	const struct connection *oldest = NULL;

	if (h->connections->len < HTTP_CONNECTIONS)
		return;
	for (guint i = 0; i < h->connections->len; i++) {
		const struct connection *c = h->connections->pdata[i];

		if (!c->asked && (!oldest || c->since < oldest->since))
			oldest = c;
	}
	if (oldest)
		shutdown(oldest->socket, SHUT_RDWR);
}

void http_step(struct http *h, int milliseconds, const sigset_t *mask)
{
	fd_set in, out, other;
	int most = -1;
	MHD_UNSIGNED_LONG_LONG due = 0;
	struct timespec wait;

	FD_ZERO(&in);
	FD_ZERO(&out);
	FD_ZERO(&other);
	/* Else it would be waited for without those. */
	if (h->resumed)
		MHD_run_from_select(h->daemon, &in, &out, &other);
	h->resumed = false;
	MHD_get_fdset2(h->daemon, &in, &out, &other, &most, FD_SETSIZE);
	if (MHD_get_timeout(h->daemon, &due) == MHD_YES && due < (unsigned)milliseconds)
		milliseconds = (int)due;
	wait = (struct timespec){ milliseconds / 1000, milliseconds % 1000 * 1000000L };
	if (pselect(most + 1, &in, &out, &other, &wait, mask) < 0) {
		FD_ZERO(&in);
		FD_ZERO(&out);
		FD_ZERO(&other);
	}
	end_long_connections(h);
	make_room(h);
	MHD_run_from_select(h->daemon, &in, &out, &other);
}

void http_free(struct http *h)
{
	if (!h)
		return;
	MHD_stop_daemon(h->daemon);
	g_ptr_array_unref(h->connections);
	g_free(h);
}
