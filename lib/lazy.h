/*
 * Libraries that are loaded when first needed: mail, HTML, archives and spreadsheets bring thirty shared objects with
 * them, which would cost each start of the program, also the one that reads ten pasted lines, several times as much as all else.
 *
 * A header lazy_LIBRARY.h includes the library's own header and redirects the functions that we use to pointers; sources
 * include it instead and call the functions as usual. A function that is not in its list does not link.
 */
#ifndef RTREPORT_LAZY_H
#define RTREPORT_LAZY_H

#include <stddef.h>
#include <glib.h>

/* Opens the shared object and fills slots (n function pointers) by their names. Ends the program after a message when it cannot. */
void lazy_load(const char *file, const char *const *names, size_t n, void *slots);

#define LAZY_MEMBER(name) __typeof__(name) *name;
#define LAZY_NAME(name) #name,

#define LAZY_LIBRARY(library, LIST, file) \
	const struct library *library(void) \
	{ \
		static const char *const names[] = { LIST(LAZY_NAME) }; \
		static struct library functions; \
		static gsize once; \
		if (g_once_init_enter(&once)) { \
			lazy_load(file, names, G_N_ELEMENTS(names), &functions); \
			g_once_init_leave(&once, 1); \
		} \
		return &functions; \
	}

#endif
