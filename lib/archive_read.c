/* Compressed files and archives, through libarchive, with a limit on what they unpack to. */
#include <errno.h>
#include <glib.h>
#include <string.h>
#include "lib/archive_read.h"
#include "lib/lazy_archive.h"
#include "lib/spool.h"

static const struct { unsigned offset, len; const char *bytes; } magics[] = {
	{ 0, 3, "\x1f\x8b\x08" },                       /* gzip */
	{ 0, 2, "\x1f\x9d" },                           /* compress */
	{ 0, 6, "\xfd" "7zXZ\0" },                      /* xz */
	{ 0, 4, "\x28\xb5\x2f\xfd" },                   /* zstd */
	{ 0, 4, "\x04\x22\x4d\x18" },                   /* lz4 */
	{ 4, 6, "1AY&SY" },                             /* bzip2, after BZh and a digit */
	{ 4, 6, "\x17\x72\x45\x38\x50\x90" },           /* bzip2 of nothing */
	{ 0, 4, "PK\3\4" },                             /* zip */
	{ 0, 6, "7z\xbc\xaf\x27\x1c" },                 /* 7-Zip */
	{ 257, 5, "ustar" },                            /* tar */
	{ 0, 6, "070701" }, { 0, 6, "070707" },         /* cpio */
};

bool archive_probe(const char *bytes, size_t len)
{
	for (size_t i = 0; i < G_N_ELEMENTS(magics); i++) {
		if (magics[i].offset == 4 && (len < 4 || memcmp(bytes, "BZh", 3)))
			continue;
		if (len >= magics[i].offset + magics[i].len
		    && !memcmp(bytes + magics[i].offset, magics[i].bytes, magics[i].len))
			return true;
	}
	return false;
}

/* Filters and formats one by one: the "all" calls would also run external programs. */
static struct archive *open_archive(const char *bytes, size_t len)
{
	struct archive *a = archive_read_new();

	archive_read_support_filter_gzip(a);
	archive_read_support_filter_bzip2(a);
	archive_read_support_filter_compress(a);
	archive_read_support_filter_xz(a);
	archive_read_support_filter_lzma(a);
	archive_read_support_filter_zstd(a);
	archive_read_support_filter_lz4(a);
	archive_read_support_format_tar(a);
	archive_read_support_format_gnutar(a);
	archive_read_support_format_zip(a);
	archive_read_support_format_7zip(a);
	archive_read_support_format_cpio(a);
	archive_read_support_format_empty(a);
	archive_read_support_format_raw(a);
	archive_read_open_memory(a, bytes, len);        /* a failure shows at the first header */
	return a;
}

/* Reads one entry; NULL when it is whole, else what is wrong. *left: bytes that may still come;
 * *bomb: more than these came. */
static char *read_entry(struct archive *a, struct spool *s, uint64_t *left, bool *bomb)
{
	static const size_t chunk = 64 << 10;
	g_autofree char *buffer = g_malloc(chunk);

	for (;;) {
		la_ssize_t n = archive_read_data(a, buffer, chunk);

		if (n == 0)
			return NULL;
		if (n == ARCHIVE_RETRY)
			continue;
		if (n < 0)
			return g_strdup(archive_error_string(a) ? archive_error_string(a)
								: "damaged");
		*bomb = (uint64_t)n > *left;
		if (*bomb)
			return g_strdup_printf(
				"unpacks to more than %u times its size; unpack it yourself if that is right",
				ARCHIVE_MAX_RATIO);
		*left -= (uint64_t)n;
		if (!spool_append(s, buffer, (size_t)n))
			return g_strdup_printf("no room for what it unpacks to: %s",
					       g_strerror(errno));
	}
}

char *archive_read_entries(const char *bytes, size_t len,
			   void (*each)(const char *name, const char *bytes, size_t len,
					void *data),
			   void *data)
{
	struct archive *a = open_archive(bytes, len);
	uint64_t left = ARCHIVE_FREE_BYTES + (uint64_t)len * ARCHIVE_MAX_RATIO;
	struct archive_entry *entry;
	char *error = NULL;
	int status = ARCHIVE_OK;

	while (!error && (status = archive_read_next_header(a, &entry)) >= ARCHIVE_WARN) {
		bool raw = archive_format(a) == ARCHIVE_FORMAT_RAW;
		const char *name = raw ? NULL : archive_entry_pathname_utf8(entry);
		struct spool *s;
		const char *content;
		bool bomb = false;
		size_t n;

		if (status == ARCHIVE_EOF)
			break;
		if (!raw && archive_entry_filetype(entry) != AE_IFREG)
			continue;
		if (!raw && !name)
			name = archive_entry_pathname(entry) ? archive_entry_pathname(entry) : "?";
		s = spool_new();
		error = read_entry(a, s, &left, &bomb);
		content = spool_bytes(s, &n);
		if (content && n && !bomb)
			each(name, content, n, data);
		spool_free(s);
	}
	if (!error && status != ARCHIVE_EOF && status < ARCHIVE_WARN)
		error = g_strdup(archive_error_string(a) ? archive_error_string(a) : "damaged");
	archive_read_free(a);
	return error;
}
