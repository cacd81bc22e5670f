/*
 * rtreport serve: the paste page.
 *
 * The server itself only takes forms and hands out answers. What was posted is read by a process of its own, which is this
 * program forked: whatever an input does there (its messages and status, memory, time, a crash) ends with that process, and it
 * runs the very code of the other commands. The answer is an unlinked file, so nothing of a request outlives it.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/serve.h"
#include "lib/http.h"

#define DEFAULT_PORT 8311
#define MAX_PORT 65535
#define STEP_MS 500
#define READ_SECONDS 60                 /* for what was posted, then it is given up */
#define READ_MEMORY ((rlim_t)4 << 30)
#define ANSWER_BYTES ((rlim_t)1 << 30)
#define EXPLAINED_BYTES (1u << 20)      /* of what gave no result: lines are explained at once */
#define OPTION_BYTES (64u << 10)
#define WRITE_FAILED 70                 /* status of a child that read, but could not write */

static const char description[] =
	"Prints the page's address and serves it until Ctrl-C. On the page, paste what a benchmark has printed, or choose files\n"
	"(text, mail, mbox, HTML, JSON, CSV, compressed ones), and get the normalized report, the explained lines, or any other\n"
	"format. Only this machine reaches the page, other sites cannot send to it, and nothing of what is pasted is kept.\n"
	"What --set, --quoted, --from, --samples, --where, --unit and --csv-dialect say holds for all that is pasted, unless the\n"
	"form says otherwise. At most 64 MiB are taken at a time. Programs may send the form too, with the fields\n"
	"text or file, as, unit, form, quoted, from, where, facts; status 422 means that there was no result.\n\n"
	"Examples:\n"
	"  rtreport serve\n"
	"  rtreport serve --port 0 --set board=\"Bench 3\"\n"
	"  curl -F file=@result.txt -F as=csv http://127.0.0.1:8311/report\n";

/* A form that is read. */
struct job {
	struct http_request *request;
	const struct serve_view *view;
	pid_t child;                    /* 0: not started */
	gint64 until;                   /* monotonic time */
	bool late;
	int answer;                     /* file */
};

struct serving {
	struct common_options options;
	struct http *http;
	GPtrArray *jobs;                /* struct job *, in order of arrival */
	unsigned running, at_once;
};

static volatile sig_atomic_t ending;

static void on_signal(int number)
{
	if (number != SIGCHLD)
		ending = 1;
}

/* Is what it gives a file to be kept, rather than seen in the browser? */
static bool is_saved(const struct serve_view *v)
{
	return v->media && strcmp(v->media, "text/html");
}

/* --- the form's fields --- */

/* The first of that name; NULL when there is none. Caller frees. */
static char *field(const struct http_request *r, const char *name)
{
	const GPtrArray *fields = http_fields(r);

	for (guint i = 0; i < fields->len; i++) {
		struct http_field *f = fields->pdata[i];
		size_t len = spool_size(f->bytes);

		if (!strcmp(f->name, name) && len <= OPTION_BYTES)
			return g_strndup(spool_bytes(f->bytes, &len), len);
	}
	return NULL;
}

/* Is it text that was pasted, or a file? Else it is an option, or empty as fields are that were not filled in. */
static bool is_input(const struct http_field *f)
{
	return (!strcmp(f->name, "text") || !strcmp(f->name, "file")) && spool_size(f->bytes);
}

/* The name of the one input, "-" for pasted text; NULL: there is none, or several. */
static const char *only_input(const struct http_request *r, bool *any)
{
	const GPtrArray *fields = http_fields(r);
	const char *name = NULL;

	*any = false;
	for (guint i = 0; i < fields->len; i++) {
		const struct http_field *f = fields->pdata[i];

		if (!is_input(f))
			continue;
		name = *any ? NULL : f->file && *f->file ? f->file : "-";
		*any = true;
	}
	return name;
}

/* Browsers end each line of a text area with CR LF, whatever was pasted. A copy; *len is its length. */
static char *without_cr(const char *text, size_t *len)
{
	char *copy = g_malloc(*len);
	size_t to = 0;

	for (size_t i = 0; i < *len; i++)
		if (text[i] != '\r' || i + 1 == *len || text[i + 1] != '\n')
			copy[to++] = text[i];
	*len = to;
	return copy;
}

/* What was pasted or chosen (struct given), for as long as the process lives. NULL: it cannot be read. */
static GArray *inputs_of(const struct http_request *r)
{
	const GPtrArray *fields = http_fields(r);
	GArray *list = g_array_new(FALSE, FALSE, sizeof(struct given));

	for (guint i = 0; i < fields->len; i++) {
		struct http_field *f = fields->pdata[i];
		struct given g = { .file = f->file && *f->file ? g_path_get_basename(f->file) : "-" };

		if (!is_input(f))
			continue;
		g.bytes = spool_bytes(f->bytes, &g.len);
		if (!g.bytes)
			return NULL;
		if (!strcmp(f->name, "text"))
			g.bytes = without_cr(g.bytes, &g.len);
		g_array_append_val(list, g);
	}
	return list;
}

/* --- the child: reads and writes --- */

static void set_limit(int resource, rlim_t most)
{
	struct rlimit limit;

	if (getrlimit(resource, &limit))
		return;
	limit.rlim_cur = MIN(limit.rlim_max, most);
	setrlimit(resource, &limit);
}

/* A sanitizer's memory is not the program's. */
static bool is_sanitized(void)
{
#if defined(__SANITIZE_ADDRESS__)
	return true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
	return true;
#endif
#endif
	return false;
}

/* Of all files only the answer stays open: a connection that a child still has does not end. */
static void enter_child(int answer)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGCHLD, SIGPIPE };
	sigset_t none;
	int null = open("/dev/null", O_RDONLY);

	for (size_t i = 0; i < G_N_ELEMENTS(signals); i++)
		signal(signals[i], SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	dup2(null, STDIN_FILENO);
	dup2(answer, STDOUT_FILENO);
	closefrom(STDERR_FILENO + 1);
	set_limit(RLIMIT_CORE, 0);
	set_limit(RLIMIT_CPU, READ_SECONDS);
	set_limit(RLIMIT_FSIZE, ANSWER_BYTES);
	if (!is_sanitized())
		set_limit(RLIMIT_AS, READ_MEMORY);
}

/* Facts of the form go before those of the command line. */
static char *add_facts(struct common_options *o, const char *text)
{
	GArray *usual = g_steal_pointer(&o->input.set);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	char *error = NULL;

	for (char **l = lines; *l && !error; l++)
		if (*g_strstrip(*l))
			error = options_add_fact(o, *l);
	if (!o->input.set)
		o->input.set = usual;
	else if (usual)
		g_array_append_vals(o->input.set, usual->data, usual->len);
	return error;
}

/* A field that is there but empty takes back what the command line has said. */
static void set_option(const struct http_request *r, const char *name, char **option)
{
	char *text = field(r, name);

	if (!text)
		return;
	g_free(*option);
	*option = *text ? text : NULL;
	if (!*text)
		g_free(text);
}

/* What the form says goes before what the command line has said. False after a message. */
static bool apply_form(const struct job *j, struct common_options *o, struct report_options *report)
{
	const struct { const char *name; char **option; } texts[] = {
		{ "unit", &o->unit }, { "quoted", &o->quoted }, { "from", &o->from }, { "where", &o->where },
	};
	g_autofree char *form = NULL, *facts = field(j->request, "facts"), *error = NULL;

	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
		set_option(j->request, texts[i].name, texts[i].option);
	set_option(j->request, "form", &form);
	if (form && !view_form(form, &report->form))
		error = g_strdup_printf("form=%s: no such form of tables", form);
	if (!error)
		error = options_apply(o);
	if (!error)
		error = options_apply_where(o);
	if (!error && facts)
		error = add_facts(o, facts);
	if (error)
		diag(EXIT_USAGE, NULL, 0, "%s", error);
	if (j->view->renderer) {
		g_free(o->to);
		o->to = g_strdup(j->view->name);
	}
	return !error && output_check(o);
}

/* Shows what was read as the form wants it; 0, or -1 when it could not be written. */
static int show(const struct job *j, struct common_options *o, struct report_options *report)
{
	int status = 0;

	if (j->view->renderer) {
		status = view_render(o, report);
	} else if (!strcmp(j->view->name, SERVE_EXPLAIN)) {
		serve_explain_begin(stdout);
		view_explain(o, EXPLAIN_HTML, false, stdout);
		serve_explain_end(stdout, diag_kept());
	} else {
		view_parse(o, false, stdout);
	}
	return fflush(stdout) || ferror(stdout) ? -1 : status;
}

/* Nothing was written: the page that says why, with the lines where they are few. */
static void show_nothing(struct common_options *o, bool explained)
{
	size_t bytes = 0;

	for (guint i = 0; i < o->given->len; i++)
		bytes += g_array_index(o->given, struct given, i).len;
	explained &= bytes <= EXPLAINED_BYTES;
	serve_nothing_begin(stdout, diag_kept(), explained);
	if (explained)
		view_explain(o, EXPLAIN_HTML, false, stdout);
	serve_nothing_end(stdout, explained);
}

/* Messages that the answer has no place for go to the server's terminal. */
static void print_messages(const struct job *j, const struct report_options *report)
{
	if (!is_saved(j->view) && report->form == REPORT_RESULTS)
		return;
	for (guint i = 0; i < diag_kept()->len; i++)
		fprintf(stderr, "rtreport: %s\n", (const char *)diag_kept()->pdata[i]);
}

/* Returns the exit status: what is written to standard output is the answer. */
static int child_work(const struct job *j, struct common_options *o)
{
	struct report_options report = { 0 };
	bool understood = apply_form(j, o, &report);

	if (understood && show(j, o, &report))
		return WRITE_FAILED;
	if (lseek(STDOUT_FILENO, 0, SEEK_CUR) > 0) {
		print_messages(j, &report);
		return EXIT_DONE;
	}
	show_nothing(o, understood);
	return fflush(stdout) ? WRITE_FAILED : EXIT_NOTHING;
}

static G_GNUC_NORETURN void child(const struct job *j, struct common_options *o)
{
	diag_keep();
	o->given = inputs_of(j->request);
	if (!o->given)
		_exit(WRITE_FAILED);
	/* The inputs are in memory or mapped: their files may be closed. */
	enter_child(j->answer);
	/* What the server has to do at its end is not the child's. */
	_exit(child_work(j, o));
}

/* --- jobs --- */

static void job_free(void *data)
{
	struct job *j = data;

	if (j->answer >= 0)
		close(j->answer);
	g_free(j);
}

static void job_start(struct serving *s, struct job *j)
{
	j->answer = spool_file();
	j->child = j->answer >= 0 ? fork() : -1;
	if (!j->child)
		child(j, &s->options);
	j->until = g_get_monotonic_time() + READ_SECONDS * G_USEC_PER_SEC;
	if (j->child > 0) {
		s->running++;
		return;
	}
	http_refuse(j->request, HTTP_BUSY, "No process could be started that reads this; try again.");
	g_ptr_array_remove(s->jobs, j);
}

/* "inline; filename="post.csv"": named after the one file that was chosen, as far as its name is plain. Caller frees. */
static char *disposition(const struct job *j)
{
	bool any;
	const char *file = only_input(j->request, &any);
	g_autofree char *name = g_path_get_basename(file ? file : "-"), *stem = g_strndup(name, strcspn(name, "."));

	g_strcanon(stem, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "-_", '_');
	return g_strdup_printf("%s; filename=\"%.60s%s\"", is_saved(j->view) ? "attachment" : "inline",
	                       *stem && strcmp(stem, "-") ? stem : "results", j->view->suffix);
}

/* Gives the child's file as the answer. */
static void answer_with(struct job *j, unsigned status, const char *media, const char *name)
{
	off_t size = lseek(j->answer, 0, SEEK_END);
	g_autofree char *type = !media || g_str_has_prefix(media, "text/") ?
		g_strdup_printf("%s; charset=utf-8", media ? media : "text/plain") : g_strdup(media);

	http_answer_file(j->request, status, type, name, j->answer, (size_t)size);
	j->answer = -1;
}

static void job_done(struct serving *s, struct job *j, int status)
{
	g_autofree char *name = disposition(j);
	int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0, number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;

	if (j->late || number == SIGXCPU)
		http_refuse(j->request, HTTP_BUSY, "This took too long to read; rtreport itself has no such limit.");
	else if (code == WRITE_FAILED || number == SIGXFSZ)
		http_refuse(j->request, HTTP_FAILED, "The answer cannot be written: it is too large, or there is no room.");
	else if (number || (code != EXIT_DONE && code != EXIT_NOTHING))
		http_refuse(j->request, HTTP_FAILED, "Reading this failed, which is our fault: please report it.");
	else if (code == EXIT_NOTHING)
		answer_with(j, HTTP_UNPROCESSABLE, "text/html", NULL);
	else
		answer_with(j, HTTP_OK, j->view->media, name);
	s->running--;
	g_ptr_array_remove(s->jobs, j);
}

/* Starts jobs, ends those that take too long, answers those that are done. */
static void jobs_step(struct serving *s)
{
	gint64 now = g_get_monotonic_time();
	int status;

	/* From the end: answered jobs leave the list. */
	for (guint i = s->jobs->len; i-- > 0;) {
		struct job *j = s->jobs->pdata[i];

		if (!j->child)
			continue;
		if (now > j->until && !j->late) {
			j->late = true;
			kill(j->child, SIGKILL);
		}
		if (waitpid(j->child, &status, WNOHANG) == j->child)
			job_done(s, j, status);
	}
	for (guint i = 0; i < s->jobs->len && s->running < s->at_once; i++) {
		struct job *j = s->jobs->pdata[i];

		if (!j->child)
			job_start(s, j);
	}
}

static void jobs_end(struct serving *s)
{
	while (s->jobs->len) {
		struct job *j = s->jobs->pdata[s->jobs->len - 1];

		if (j->child) {
			kill(j->child, SIGKILL);
			waitpid(j->child, NULL, 0);
		}
		http_refuse(j->request, HTTP_BUSY, "The server was ended.");
		g_ptr_array_remove(s->jobs, j);
	}
}

/* --- requests --- */

static void take_report(struct http_request *r, void *data)
{
	struct serving *s = data;
	g_autofree char *as = field(r, "as");
	const struct serve_view *view = as && *as ? serve_view_find(as) : serve_view(0);
	struct job *j;
	bool any;

	only_input(r, &any);
	if (!view) {
		http_refuse(r, HTTP_BAD, "There is no such format; the page lists them.");
	} else if (!any) {
		http_refuse(r, HTTP_UNPROCESSABLE, "Nothing was pasted, and no file chosen.");
	} else {
		j = g_new0(struct job, 1);
		j->request = r;
		j->view = view;
		j->answer = -1;
		g_ptr_array_add(s->jobs, j);
	}
}

static void show_form(struct http_request *r, void *data)
{
	const struct serving *s = data;

	http_answer(r, HTTP_OK, "text/html; charset=utf-8", NULL, serve_form_page(&s->options));
}

static void show_formats(struct http_request *r, void *data)
{
	(void)data;
	http_answer(r, HTTP_OK, "text/html; charset=utf-8", NULL, serve_formats_page());
}

static char *refusal(unsigned status, const char *why, void *data)
{
	(void)data;
	return serve_refusal_page(status, why);
}

static const struct http_route routes[] = {
	{ "GET", "/", show_form }, { "GET", "/formats", show_formats }, { "POST", "/report", take_report }, { NULL, NULL, NULL },
};

/* --- the command --- */

/* Signals come only while the server waits; *waiting is the mask for that. */
static void catch_signals(sigset_t *waiting)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGCHLD };
	struct sigaction action = { .sa_handler = on_signal };
	sigset_t blocked;

	sigemptyset(&blocked);
	for (size_t i = 0; i < G_N_ELEMENTS(signals); i++) {
		sigaddset(&blocked, signals[i]);
		sigaction(signals[i], &action, NULL);
	}
	sigprocmask(SIG_BLOCK, &blocked, waiting);
	for (size_t i = 0; i < G_N_ELEMENTS(signals); i++)
		sigdelset(waiting, signals[i]);
	signal(SIGPIPE, SIG_IGN);
}

/* True when the address was told. */
static bool start(struct serving *s, int port)
{
	const struct http_options options = { port, routes, refusal, s };
	g_autofree char *error = NULL;

	s->http = http_new(&options, &error);
	if (!s->http) {
		diag(EXIT_USAGE, NULL, 0, "127.0.0.1:%d cannot be listened at: %s; say --port 0 for any that is free", port, error);
		return false;
	}
	printf("http://127.0.0.1:%d/\n", http_port(s->http));
	if (!fflush(stdout))
		return true;
	diag(EXIT_USAGE, "standard output", 0, "cannot be written: %s", g_strerror(errno));
	return false;
}

static void serve(struct serving *s, int port, bool once)
{
	sigset_t waiting;

	catch_signals(&waiting);
	s->jobs = g_ptr_array_new_with_free_func(job_free);
	s->at_once = MAX(g_get_num_processors(), 2);
	if (start(s, port)) {
		while (!ending && !(once && http_posts(s->http))) {
			http_step(s->http, STEP_MS, &waiting);
			jobs_step(s);
		}
	}
	jobs_end(s);
	http_free(s->http);
	g_ptr_array_unref(s->jobs);
}

static bool check(const struct common_options *o, int port)
{
	if (port < 0 || port > MAX_PORT) {
		diag(EXIT_USAGE, NULL, 0, "--port=%d: not a whole number from 0 to %d", port, MAX_PORT);
		return false;
	}
	if (strcmp(o->inputs[0], "-") || o->inputs[1]) {
		diag(EXIT_USAGE, NULL, 0, "serve: no files are read; they are chosen on the page");
		return false;
	}
	return output_check(o);
}

static int run(int argc, char **argv);

const struct command command_serve = {
	.name = "serve", .summary = "Serve a page to paste results into, for a browser on this machine", .run = run,
};

static int run(int argc, char **argv)
{
	struct serving s = { 0 };
	struct common_options *o = &s.options;
	gint port = DEFAULT_PORT;
	gboolean once = FALSE;
	const GOptionEntry entries[] = {
		{ "port", 'p', 0, G_OPTION_ARG_INT, &port, "Listen at N of 127.0.0.1 (default 8311); 0: at any that is free", "N" },
		{ "once", 0, 0, G_OPTION_ARG_NONE, &once, "End after the first report", NULL },
		{ "unit", 'u', 0, G_OPTION_ARG_FILENAME, &o->unit, "Unit of times: auto, ns, us, ms or s", "UNIT" },
		{ "csv-dialect", 0, 0, G_OPTION_ARG_FILENAME, &o->csv_dialect,
		  "CSV as rfc (default), excel or excel-eu", "DIALECT" },
		G_OPTION_ENTRY_NULL
	};

	options_parse(&command_serve, NULL, description, COMMON_INPUT | COMMON_WHERE, entries, o, &argc, &argv);
	if (check(o, port))
		serve(&s, port, once);
	options_free(o);
	return diag_status();
}
