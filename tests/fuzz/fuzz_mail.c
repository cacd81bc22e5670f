/* Any bytes as a file: mail, mailbox, page or text, with MIME, HTML and folding. */
#include <stdio.h>
#include <unistd.h>

#include "lib/input.h"
#include "tests/fuzz/fuzz.h"

static void each(struct record *r, void *data)
{
	(void)data;
	record_free(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct input_options options = { 0 };
	struct input *in = input_new(&options, each, NULL);
	char path[] = "/tmp/rtreport-fuzz-XXXXXX";
	int fd = mkstemp(path);

	if (fd < 0)
		return 0;
	if (write(fd, bytes, len) == (ssize_t)len)
		input_read(in, path);
	close(fd);
	unlink(path);
	input_finish(in);
	return 0;
}
