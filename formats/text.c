/*
 * Plain text for mail: at most 72 columns, so that it survives two levels of quoting; ASCII drawing only, no tabs, no
 * line that ends in blanks (format=flowed would join it) or begins like a separator, quote or signature.
 */
#include "lib/layout.h"
#include "lib/renderer.h"

#define MAIL_WIDTH 72

static int write_text(const struct document *d, const struct render_options *o, FILE *out)
{
	const struct layout l = {
		.width = o->width > 0 ? MIN(o->width, MAIL_WIDTH) : MAIL_WIDTH,
		.mail = true, .cell_lines = 100,
	};

	layout_document(d, &l, out);
	return ferror(out) ? -1 : 0;
}

const struct renderer renderer_text = {
	.name = "text", .suffix = ".txt", .summary = "plain text for mail, at most 72 columns",
	.write = write_text,
};
