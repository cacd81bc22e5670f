/* The table of parsers: its order is their priority. One row a format. */
#include <string.h>
#include "lib/parser.h"

extern const struct parser parser_cyclictest;
extern const struct parser parser_rtla;

const struct parser *const parsers[] = {
	&parser_cyclictest,
	&parser_rtla,
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
