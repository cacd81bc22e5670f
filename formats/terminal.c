/* A terminal: aligned text in its width, in colour if it may. What `show` and every table command print by default. */
#include <langinfo.h>
#include <string.h>
#include "lib/layout.h"
#include "lib/renderer.h"

static int write_terminal(const struct document *d, const struct render_options *o, FILE *out)
{
	const struct layout l = {
		.width = o->width > 0 ? (unsigned)o->width : 0, .colour = o->colour,
		.utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8"), .cell_lines = 4,
	};

	layout_document(d, &l, out);
	return ferror(out) ? -1 : 0;
}

const struct renderer renderer_terminal = {
	.name = "terminal", .suffix = NULL, .summary = "aligned text in the terminal's width",
	.write = write_terminal,
};
