#include "lib/lazy.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include "lib/diag.h"

void lazy_load(const char *file, const char *const *names, size_t n, void *slots)
{
	void *library = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
	char *slot = slots;

	for (size_t i = 0; library && i < n; i++) {
		void *function = dlsym(library, names[i]);

		if (!function)
			library = NULL;
		/* C has no conversion from what dlsym gives to a function pointer. */
		memcpy(slot + i * sizeof(function), &function, sizeof(function));
	}
	if (!library) {
		diag(EXIT_USAGE, file, 0, "the library cannot be loaded (%s); install it", dlerror());
		exit(EXIT_USAGE);
	}
}
