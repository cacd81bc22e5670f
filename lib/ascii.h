/* Bytes of ASCII. */
#ifndef RTREPORT_ASCII_H
#define RTREPORT_ASCII_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* True when text[0..len) has no byte beyond ASCII. */
static inline bool is_ascii(const char *text, size_t len)
{
	uint64_t all = 0, eight;

	for (; len >= sizeof eight; text += sizeof eight, len -= sizeof eight) {
		memcpy(&eight, text, sizeof eight);
		all |= eight;
	}
	for (; len; text++, len--)
		all |= (unsigned char)*text;
	return !(all & UINT64_C(0x8080808080808080));
}

#endif
