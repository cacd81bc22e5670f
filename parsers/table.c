/* The table of parsers: its order is their priority. One row a format. */
#include <string.h>
#include "lib/parser.h"

extern const struct parser parser_clocktest;
extern const struct parser parser_cyclicdeadline;
extern const struct parser parser_cyclictest;
extern const struct parser parser_fusion_demo;
extern const struct parser parser_fusion_latency;
extern const struct parser parser_gpiobench;
extern const struct parser parser_hackbench;
extern const struct parser parser_hwlatdetect;
extern const struct parser parser_irqbench;
extern const struct parser parser_jitterdebugger;
extern const struct parser parser_latmus;
extern const struct parser parser_linuxcnc;
extern const struct parser parser_lxrt_latency;
extern const struct parser parser_oslat;
extern const struct parser parser_pair_tests;
extern const struct parser parser_pi_stress;
extern const struct parser parser_queuelat;
extern const struct parser parser_rt_migrate_test;
extern const struct parser parser_rt_tests_json;
extern const struct parser parser_rtai;
extern const struct parser parser_rtc_histogram;
extern const struct parser parser_rtla;
extern const struct parser parser_schbench;
extern const struct parser parser_signaltest;
extern const struct parser parser_ssdd;
extern const struct parser parser_stress_ng;
extern const struct parser parser_switchbench;
extern const struct parser parser_switchtest;
extern const struct parser parser_xenomai_latency;
extern const struct parser parser_zephyr;
extern const struct parser parser_ping;
extern const struct parser parser_interbench;
extern const struct parser parser_report;
extern const struct parser parser_typed_table;

const struct parser *const parsers[] = {
	&parser_cyclicdeadline,
	&parser_gpiobench,
	&parser_cyclictest,
	&parser_signaltest,
	&parser_jitterdebugger,
	&parser_rt_tests_json,
	&parser_pair_tests,
	&parser_hwlatdetect,
	&parser_oslat,
	&parser_stress_ng,
	&parser_schbench,
	&parser_hackbench,
	&parser_pi_stress,
	&parser_rt_migrate_test,
	&parser_queuelat,
	&parser_ssdd,
	&parser_linuxcnc,
	&parser_rtc_histogram,
	&parser_rtla,
	&parser_zephyr,
	&parser_lxrt_latency,
	&parser_rtai,
	&parser_switchtest,
	&parser_switchbench,
	&parser_latmus,
	&parser_xenomai_latency,
	&parser_fusion_latency,
	&parser_fusion_demo,
	&parser_irqbench,
	&parser_clocktest,
	&parser_ping,
	&parser_interbench,
	&parser_report,         /* before typed tables, of which it is the one kind that is known to the letter */
	&parser_typed_table,    /* last: it is shown what nobody took */
	NULL
};

const struct parser *parser_find(const char *name)
{
	for (size_t i = 0; parsers[i]; i++) {
		if (!strcmp(parsers[i]->name, name))
			return parsers[i];
		for (const char *const *t = parsers[i]->tools; t && *t; t++)
			if (!strcmp(*t, name))
				return parsers[i];
	}
	return NULL;
}
