#include "lib/diag.h"

#include <stdio.h>

static int status;      /* atomic: parsers run in threads */
static GPtrArray *kept; /* NULL: messages are printed */
static GMutex kept_lock;

void diag_raise(enum exit_status s)
{
	int old = g_atomic_int_get(&status);

	while (old < (int)s && !g_atomic_int_compare_and_exchange(&status, old, (int)s))
		old = g_atomic_int_get(&status);
}

int diag_status(void)
{
	return g_atomic_int_get(&status);
}

/*
 * Appends text with what a terminal would execute made visible: names and subjects come out of hostile mail. A line
 * end stays only before an indented line, as of the place in an expression: it cannot pass for a message.
 */
static void append_safe(GString *out, const char *text)
{
	g_autofree char *valid = g_utf8_make_valid(text, -1);

	for (const char *p = valid; *p; p = g_utf8_next_char(p)) {
		gunichar c = g_utf8_get_char(p);

		if (g_unichar_iscntrl(c) && (c != '\n' || p[1] != ' '))
			g_string_append_printf(out, "\\x%02x", (unsigned)c);
		else
			g_string_append_unichar(out, c);
	}
}

void diag_keep(void)
{
	if (!kept)
		kept = g_ptr_array_new_with_free_func(g_free);
}

const GPtrArray *diag_kept(void)
{
	return kept;
}

static void keep(const char *message)
{
	g_mutex_lock(&kept_lock);
	if (kept->len < DIAG_KEPT)
		g_ptr_array_add(kept, g_strdup(message));
	else if (kept->len == DIAG_KEPT)
		g_ptr_array_add(kept, g_strdup("more messages are left out"));
	g_mutex_unlock(&kept_lock);
}

void diag(enum exit_status s, const char *file, unsigned line, const char *format, ...)
{
	g_autoptr(GString) out = g_string_new(NULL);
	g_autofree char *text = NULL;
	va_list ap;

	va_start(ap, format);
	text = g_strdup_vprintf(format, ap);
	va_end(ap);
	if (file) {
		append_safe(out, file);
		if (line)
			g_string_append_printf(out, ":%u", line);
		g_string_append(out, ": ");
	}
	append_safe(out, text);
	diag_raise(s);
	if (kept) {
		keep(out->str);
		return;
	}
	g_string_prepend(out, "rtreport: ");
	g_string_append_c(out, '\n');
	/* One write, so that lines of several threads do not mix. */
	fwrite(out->str, 1, out->len, stderr);
}
