/* Output files: written aside, then renamed, so that a file is complete or absent. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/command.h"

#define MAX_ASIDE 64            /* files written at one time */

struct output {
	FILE *stream;
	char *path, *aside;     /* NULL: written in place (standard output, a device, a pipe) */
	int slot;               /* in aside_files, or -1 */
};

/* What a signal must remove. Written before the file is made, read by the handler. */
static char *volatile aside_files[MAX_ASIDE];

static void remove_aside(int signal_number)
{
	for (int i = 0; i < MAX_ASIDE; i++)
		if (aside_files[i])
			unlink(aside_files[i]);
	/* SA_RESETHAND: the default action ends the program as the signal would have. */
	raise(signal_number);
}

static void catch_signals(void)
{
	static const int signals[] = { SIGHUP, SIGINT, SIGPIPE, SIGTERM };
	static bool done;
	struct sigaction action = { .sa_handler = remove_aside, .sa_flags = (int)SA_RESETHAND | SA_NODEFER };
	struct sigaction old;

	if (done)
		return;
	done = true;
	for (size_t i = 0; i < G_N_ELEMENTS(signals); i++)
		if (!sigaction(signals[i], NULL, &old) && old.sa_handler == SIG_DFL)
			sigaction(signals[i], &action, NULL);
}

/* The mode that the file has now, or that a new one gets. */
static mode_t file_mode(const char *path)
{
	struct stat st;
	mode_t mask;

	if (!stat(path, &st))
		return st.st_mode & 0777;
	mask = umask(0);
	umask(mask);
	return 0666 & ~mask;
}

/* Something that cannot be replaced by a file: a device, a pipe, a terminal. */
static bool in_place(const char *path)
{
	struct stat st;

	return !stat(path, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

static bool open_aside(struct output *out)
{
	g_autofree char *directory = g_path_get_dirname(out->path), *name = g_path_get_basename(out->path);
	g_autofree char *hidden = g_strdup_printf(".%s.XXXXXX", name);
	int fd;

	out->aside = g_build_filename(directory, hidden, NULL);
	fd = mkstemp(out->aside);
	if (fd < 0)
		return false;
	catch_signals();
	for (int i = 0; i < MAX_ASIDE && out->slot < 0; i++)
		if (!aside_files[i]) {
			aside_files[i] = out->aside;
			out->slot = i;
		}
	fchmod(fd, file_mode(out->path));
	out->stream = fdopen(fd, "w");
	return out->stream != NULL;
}

static void output_free(struct output *out)
{
	if (out->slot >= 0)
		aside_files[out->slot] = NULL;
	g_free(out->aside);
	g_free(out->path);
	g_free(out);
}

struct output *output_open(const char *path, FILE **stream)
{
	struct output *out = g_new0(struct output, 1);
	char *real;
	bool ok = true;

	out->slot = -1;
	*stream = NULL;
	if (!path || !strcmp(path, "-")) {
		out->stream = stdout;
	} else if (in_place(path)) {
		out->path = g_strdup(path);
		out->stream = fopen(path, "w");
		ok = out->stream != NULL;
	} else {
		/* What a link points to is replaced, not the link. */
		real = realpath(path, NULL);
		out->path = g_strdup(real ? real : path);
		free(real);
		ok = !g_file_test(out->path, G_FILE_TEST_IS_DIR);
		errno = EISDIR;
		ok = ok && open_aside(out);
	}
	if (!ok) {
		diag(EXIT_USAGE, path, 0, "cannot be written: %s", g_strerror(errno));
		output_free(out);
		return NULL;
	}
	*stream = out->stream;
	return out;
}

void output_abandon(struct output *out)
{
	if (out->stream != stdout)
		fclose(out->stream);
	if (out->aside)
		unlink(out->aside);
	output_free(out);
}

/* Flushes and closes; 0 or -1 with errno. */
static int finish_stream(struct output *out)
{
	int error = ferror(out->stream) ? (errno ? errno : EIO) : 0;

	if (out->stream == stdout)
		return fflush(stdout) || error ? -1 : 0;
	if (fclose(out->stream) && !error)
		error = errno;
	errno = error;
	return error ? -1 : 0;
}

int output_close(struct output *out)
{
	int status = finish_stream(out);

	if (!status && out->aside)
		status = rename(out->aside, out->path);
	if (status) {
		diag(EXIT_USAGE, out->path ? out->path : "standard output", 0, "cannot be written: %s",
		     g_strerror(errno));
		if (out->aside)
			unlink(out->aside);
	}
	output_free(out);
	return status;
}
