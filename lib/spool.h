/*
 * Bytes of unknown length, gathered in bounded memory: small ones stay in memory, larger ones go to
 * an unlinked temporary file, which is mapped once they are whole.
 */
#ifndef RTREPORT_SPOOL_H
#define RTREPORT_SPOOL_H

#include <stdbool.h>
#include <stddef.h>

#define SPOOL_MEMORY (4u << 20)         /* bytes kept in memory before a file is used */

struct spool;
struct spool *spool_new(void);
/* False with errno set when the temporary file cannot be made or written. */
bool spool_append(struct spool *s, const void *bytes, size_t len);
size_t spool_size(const struct spool *s);
/* All bytes so far; they live until spool_free. No more may be appended. NULL with errno set on
 * failure. */
const char *spool_bytes(struct spool *s, size_t *len);
/* Frees the bytes too; NULL is fine. */
void spool_free(struct spool *s);
/* An unlinked temporary file, open for reading and writing; -1 with errno set. */
int spool_file(void);

#endif
