/*
 * Compressed files and archives, through libarchive: gzip, bzip2, xz, lzma, zstd, lz4, compress;
 * tar, zip, cpio, 7-Zip.
 */
#ifndef RTREPORT_ARCHIVE_READ_H
#define RTREPORT_ARCHIVE_READ_H

#include <stdbool.h>
#include <stddef.h>

/*
 * What an archive may unpack to in all: so many bytes, and so many for each byte of it. Text packs
 * to a tenth or so; what goes beyond is made to exhaust its reader.
 */
#define ARCHIVE_FREE_BYTES (64u << 20)
#define ARCHIVE_MAX_RATIO 200u

/* Do the bytes begin as one of these does? */
bool archive_probe(const char *bytes, size_t len);
/*
 * Calls each() for every regular file inside, in order; name is NULL for a compressed file without
 * names. The bytes live until it returns. Returns NULL, or what was wrong (g_free); what came
 * before has been passed on.
 */
char *archive_read_entries(const char *bytes, size_t len,
			   void (*each)(const char *name, const char *bytes, size_t len,
					void *data),
			   void *data);

#endif
