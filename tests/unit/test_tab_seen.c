/* Words of the field in a line: what is not seen there can be in no table of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "lib/ascii.h"
#include "lib/record.h"
#include "lib/tab_cell.h"
#include "lib/tab_seen.h"
#include "parsers/typed_series.h"

static struct tab_seen see(const char *text)
{
	struct tab_seen seen = { .flags = 0 };

	tab_seen_add(&seen, text, strlen(text));
	return seen;
}

static void words(void **state)
{
	static const struct { const char *text; int topics; unsigned statistics, flags; } want[] = {
		{ "12 345 6.7", 0, 0, 0 },
		{ "nothing of this field", 0, 0, 0 },
		{ "13us", 0, 0, SEEN_TIME },
		{ "1.5e3us", 0, 0, SEEN_TIME },
		{ "13 Ms", 0, 0, SEEN_TIME },
		{ "maxLatency", 4, 1u << FIELD_MAX, SEEN_QUANTITY },
		{ "LATENCY,jitter|xrun", 12, 0, SEEN_QUANTITY },
		{ "latencyjitter", 0, 0, 0 },
		{ "p99", 0, 0, SEEN_PERCENTILE },
		{ "99th", 0, 0, SEEN_PERCENTILE },
		{ "99.9%", 0, 0, SEEN_PERCENTILE },
		{ "Label . . : 3", 0, 0, SEEN_LEADER },
		{ "in microseconds", 0, 0, SEEN_TIME | SEEN_STATED },
		{ "response", 0, 0, SEEN_QUANTITY },
		{ "Verz\303\266gerung", 0, 0, SEEN_QUANTITY },
		{ "\346\234\200\345\244\247", 0, 0, SEEN_WIDE },
	};
	const unsigned all = SEEN_TIME | SEEN_PERCENTILE | SEEN_LEADER | SEEN_STATED | SEEN_QUANTITY | SEEN_WIDE;

	(void)state;
	for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
		struct tab_seen seen = see(want[i].text);

		assert_int_equal(tab_seen_topics(&seen), want[i].topics);
		assert_int_equal(seen.statistics & want[i].statistics, want[i].statistics);
		if (want[i].flags & ~seen.flags)
			fail_msg("%s: flags %x, not %x", want[i].text, seen.flags, want[i].flags);
		/* Text beyond ASCII is taken to have any unit. */
		if (is_ascii(want[i].text, strlen(want[i].text)))
			assert_int_equal(seen.flags & all, want[i].flags);
	}
}

/* Words of a phrase may stand on several lines, as those of a heading do. */
static void joined(void **state)
{
	struct tab_seen above = see("worst"), below = see("case response"), last = see("time (us)");

	(void)state;
	assert_int_equal(tab_seen_topics(&above) + tab_seen_topics(&below), 0);
	tab_seen_join(&above, &below);
	tab_seen_join(&above, &last);
	assert_int_equal(tab_seen_topics(&above), 8);
	assert_true(typed_block_may_measure(&above));
}

static void measures(void **state)
{
	struct tab_seen numbers = see("1 2 3"), table = see("latency min avg max 13us"), parts = see("cpu 13us");

	(void)state;
	assert_false(typed_block_may_measure(&numbers));
	assert_true(typed_block_may_measure(&table));
	assert_false(typed_block_may_measure(&parts));
}

/* What is not read at all is no value. */
static void values(void **state)
{
	static const char *const texts[] = {
		"12", "-3", " 4.5 us", "( 7)", "**8**", "[9](x)", "<b>10</b>", "`11`", "+1.5%", "1 234", "1,234.5", "12us (-6%)",
		"13 [2]", "1/2/3 us", "55,62,71", "1; 2", ".5", "\342\210\2227", "$\\mu$", "x1", "12: y", "12] y", "#1", "\"1\"",
		"2004 is a year in a sentence that goes on and on and on and on and on and on", "usb 1-1", "about 5",
	};

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct tab_cell c;

		tab_cell_read(texts[i], STYLE_CELLS, &c);
		if (c.kind == TAB_VALUE || c.kind == TAB_LISTED)
			assert_true(tab_cell_may_be_value(texts[i], strlen(texts[i])));
		else if (i >= 19)
			assert_false(tab_cell_may_be_value(texts[i], strlen(texts[i])));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words),
		cmocka_unit_test(joined),
		cmocka_unit_test(measures),
		cmocka_unit_test(values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
