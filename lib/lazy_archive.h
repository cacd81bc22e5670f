/* libarchive, loaded when first needed (lib/lazy.h): compressed files and archives. */
#ifndef RTREPORT_LAZY_ARCHIVE_H
#define RTREPORT_LAZY_ARCHIVE_H

#include <archive.h>
#include <archive_entry.h>
#include "lib/lazy.h"

#define LAZY_ARCHIVE(X) \
	X(archive_entry_filetype) X(archive_entry_pathname) X(archive_entry_pathname_utf8) \
	X(archive_error_string) X(archive_format) X(archive_read_data) X(archive_read_free) X(archive_read_new) \
	X(archive_read_next_header) X(archive_read_open_memory) X(archive_read_support_filter_bzip2) \
	X(archive_read_support_filter_compress) X(archive_read_support_filter_gzip) \
	X(archive_read_support_filter_lz4) X(archive_read_support_filter_lzma) X(archive_read_support_filter_xz) \
	X(archive_read_support_filter_zstd) X(archive_read_support_format_7zip) \
	X(archive_read_support_format_cpio) X(archive_read_support_format_empty) \
	X(archive_read_support_format_gnutar) X(archive_read_support_format_raw) \
	X(archive_read_support_format_tar) X(archive_read_support_format_zip)

struct lazy_archive { LAZY_ARCHIVE(LAZY_MEMBER) };
const struct lazy_archive *lazy_archive(void);

#ifndef LAZY_DEFINING
#define archive_entry_filetype (lazy_archive()->archive_entry_filetype)
#define archive_entry_pathname (lazy_archive()->archive_entry_pathname)
#define archive_entry_pathname_utf8 (lazy_archive()->archive_entry_pathname_utf8)
#define archive_error_string (lazy_archive()->archive_error_string)
#define archive_format (lazy_archive()->archive_format)
#define archive_read_data (lazy_archive()->archive_read_data)
#define archive_read_free (lazy_archive()->archive_read_free)
#define archive_read_new (lazy_archive()->archive_read_new)
#define archive_read_next_header (lazy_archive()->archive_read_next_header)
#define archive_read_open_memory (lazy_archive()->archive_read_open_memory)
#define archive_read_support_filter_bzip2 (lazy_archive()->archive_read_support_filter_bzip2)
#define archive_read_support_filter_compress (lazy_archive()->archive_read_support_filter_compress)
#define archive_read_support_filter_gzip (lazy_archive()->archive_read_support_filter_gzip)
#define archive_read_support_filter_lz4 (lazy_archive()->archive_read_support_filter_lz4)
#define archive_read_support_filter_lzma (lazy_archive()->archive_read_support_filter_lzma)
#define archive_read_support_filter_xz (lazy_archive()->archive_read_support_filter_xz)
#define archive_read_support_filter_zstd (lazy_archive()->archive_read_support_filter_zstd)
#define archive_read_support_format_7zip (lazy_archive()->archive_read_support_format_7zip)
#define archive_read_support_format_cpio (lazy_archive()->archive_read_support_format_cpio)
#define archive_read_support_format_empty (lazy_archive()->archive_read_support_format_empty)
#define archive_read_support_format_gnutar (lazy_archive()->archive_read_support_format_gnutar)
#define archive_read_support_format_raw (lazy_archive()->archive_read_support_format_raw)
#define archive_read_support_format_tar (lazy_archive()->archive_read_support_format_tar)
#define archive_read_support_format_zip (lazy_archive()->archive_read_support_format_zip)
#endif

#endif
