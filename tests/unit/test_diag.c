#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "lib/diag.h"

/* Runs before the others change the status: nothing has been raised yet. */
static void test_status(void **state)
{
	(void)state;
	assert_int_equal(diag_status(), EXIT_DONE);
	diag_raise(EXIT_USAGE);
	diag_raise(EXIT_GATE);
	assert_int_equal(diag_status(), EXIT_USAGE);
	diag_raise(EXIT_DAMAGED);
	diag_raise(EXIT_DONE);
	assert_int_equal(diag_status(), EXIT_DAMAGED);
}

/* What a call of diag writes to standard error. */
#define CAPTURE(call, buf) do { \
	FILE *file_ = tmpfile(); \
	int old_ = dup(2); \
	size_t n_; \
	fflush(stderr); \
	dup2(fileno(file_), 2); \
	call; \
	fflush(stderr); \
	dup2(old_, 2); \
	close(old_); \
	rewind(file_); \
	n_ = fread(buf, 1, sizeof(buf) - 1, file_); \
	buf[n_] = '\0'; \
	fclose(file_); \
} while (0)

static void test_form(void **state)
{
	char buf[512];

	(void)state;
	CAPTURE(diag(EXIT_DONE, "a.txt", 12, "row %d is cut; %s", 3, "paste it whole"), buf);
	assert_string_equal(buf, "rtreport: a.txt:12: row 3 is cut; paste it whole\n");
	CAPTURE(diag(EXIT_DONE, "a.txt", 0, "cannot be read"), buf);
	assert_string_equal(buf, "rtreport: a.txt: cannot be read\n");
	CAPTURE(diag(EXIT_DONE, NULL, 0, "in:\n    max>(\n        ^\nrtreport: fine"), buf);
	assert_string_equal(buf, "rtreport: in:\n    max>(\n        ^\\x0artreport: fine\n");
	CAPTURE(diag(EXIT_DONE, NULL, 7, "nothing"), buf);
	assert_string_equal(buf, "rtreport: nothing\n");
}

/* Names out of mail must not drive the terminal. */
static void test_hostile(void **state)
{
	char buf[512];

	(void)state;
	CAPTURE(diag(EXIT_DONE, "a\033[2J\n.txt", 1, "%s", "\xc2\x9b red \xff"), buf);
	assert_string_equal(buf, "rtreport: a\\x1b[2J\\x0a.txt:1: \\x9b red \xef\xbf\xbd\n");
}

/* Runs last: from then on nothing is printed. */
static void test_kept(void **state)
{
	char buf[512];

	(void)state;
	assert_null(diag_kept());
	diag_keep();
	CAPTURE(diag(EXIT_DONE, "a\n.txt", 3, "row %d", 1), buf);
	assert_string_equal(buf, "");
	for (unsigned i = 0; i < 2 * DIAG_KEPT; i++)
		diag(EXIT_DONE, NULL, 0, "again");
	assert_int_equal(diag_kept()->len, DIAG_KEPT + 1);
	assert_string_equal(diag_kept()->pdata[0], "a\\x0a.txt:3: row 1");
	assert_string_equal(diag_kept()->pdata[DIAG_KEPT], "more messages are left out");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_status),
		cmocka_unit_test(test_form),
		cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_kept),
	};

	return cmocka_run_group_tests_name("diag", tests, NULL, NULL);
}
