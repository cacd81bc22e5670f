/* libgmime, loaded when first needed (lib/lazy.h): mail and MIME. */
#ifndef RTREPORT_LAZY_GMIME_H
#define RTREPORT_LAZY_GMIME_H

#include <gmime/gmime.h>
#include "lib/lazy.h"

#define LAZY_GMIME(X) \
	X(g_mime_charset_iconv_name) X(g_mime_content_type_get_media_subtype) \
	X(g_mime_content_type_get_media_type) X(g_mime_content_type_get_parameter) \
	X(g_mime_content_type_is_type) X(g_mime_data_wrapper_get_encoding) X(g_mime_data_wrapper_get_stream) \
	X(g_mime_filter_basic_new) X(g_mime_header_get_raw_value) X(g_mime_header_list_get_header) \
	X(g_mime_init) X(g_mime_message_get_mime_part) X(g_mime_message_get_type) \
	X(g_mime_message_part_get_message) X(g_mime_message_part_get_type) X(g_mime_multipart_get_count) \
	X(g_mime_multipart_get_part) X(g_mime_multipart_get_prologue) X(g_mime_multipart_get_type) X(g_mime_object_get_content_type) \
	X(g_mime_object_get_header) X(g_mime_object_get_header_list) X(g_mime_object_get_type) \
	X(g_mime_parser_construct_message) X(g_mime_parser_new_with_stream) X(g_mime_parser_options_new) \
	X(g_mime_parser_options_set_fallback_charsets) X(g_mime_parser_set_format) \
	X(g_mime_parser_set_persist_stream) X(g_mime_part_get_content) X(g_mime_part_get_filename) \
	X(g_mime_part_get_type) X(g_mime_stream_filter_add) X(g_mime_stream_filter_get_type) \
	X(g_mime_stream_filter_new) X(g_mime_stream_mem_get_type) X(g_mime_stream_mem_new_with_byte_array) \
	X(g_mime_stream_mem_set_owner) X(g_mime_stream_read) X(g_mime_stream_reset) \
	X(g_mime_utils_header_decode_date) X(g_mime_utils_header_decode_text) \
	/* libgobject, which comes with it: nothing else here needs it. */ \
	X(g_object_unref) X(g_type_check_instance_cast) X(g_type_check_instance_is_a)

struct lazy_gmime { LAZY_GMIME(LAZY_MEMBER) };
const struct lazy_gmime *lazy_gmime(void);

#ifndef LAZY_DEFINING
#define g_mime_charset_iconv_name (lazy_gmime()->g_mime_charset_iconv_name)
#define g_mime_content_type_get_media_subtype (lazy_gmime()->g_mime_content_type_get_media_subtype)
#define g_mime_content_type_get_media_type (lazy_gmime()->g_mime_content_type_get_media_type)
#define g_mime_content_type_get_parameter (lazy_gmime()->g_mime_content_type_get_parameter)
#define g_mime_content_type_is_type (lazy_gmime()->g_mime_content_type_is_type)
#define g_mime_data_wrapper_get_encoding (lazy_gmime()->g_mime_data_wrapper_get_encoding)
#define g_mime_data_wrapper_get_stream (lazy_gmime()->g_mime_data_wrapper_get_stream)
#define g_mime_filter_basic_new (lazy_gmime()->g_mime_filter_basic_new)
#define g_mime_header_get_raw_value (lazy_gmime()->g_mime_header_get_raw_value)
#define g_mime_header_list_get_header (lazy_gmime()->g_mime_header_list_get_header)
#define g_mime_init (lazy_gmime()->g_mime_init)
#define g_mime_message_get_mime_part (lazy_gmime()->g_mime_message_get_mime_part)
#define g_mime_message_get_type (lazy_gmime()->g_mime_message_get_type)
#define g_mime_message_part_get_message (lazy_gmime()->g_mime_message_part_get_message)
#define g_mime_message_part_get_type (lazy_gmime()->g_mime_message_part_get_type)
#define g_mime_multipart_get_count (lazy_gmime()->g_mime_multipart_get_count)
#define g_mime_multipart_get_part (lazy_gmime()->g_mime_multipart_get_part)
#define g_mime_multipart_get_prologue (lazy_gmime()->g_mime_multipart_get_prologue)
#define g_mime_multipart_get_type (lazy_gmime()->g_mime_multipart_get_type)
#define g_mime_object_get_content_type (lazy_gmime()->g_mime_object_get_content_type)
#define g_mime_object_get_header (lazy_gmime()->g_mime_object_get_header)
#define g_mime_object_get_header_list (lazy_gmime()->g_mime_object_get_header_list)
#define g_mime_object_get_type (lazy_gmime()->g_mime_object_get_type)
#define g_mime_parser_construct_message (lazy_gmime()->g_mime_parser_construct_message)
#define g_mime_parser_new_with_stream (lazy_gmime()->g_mime_parser_new_with_stream)
#define g_mime_parser_options_new (lazy_gmime()->g_mime_parser_options_new)
#define g_mime_parser_options_set_fallback_charsets (lazy_gmime()->g_mime_parser_options_set_fallback_charsets)
#define g_mime_parser_set_format (lazy_gmime()->g_mime_parser_set_format)
#define g_mime_parser_set_persist_stream (lazy_gmime()->g_mime_parser_set_persist_stream)
#define g_mime_part_get_content (lazy_gmime()->g_mime_part_get_content)
#define g_mime_part_get_filename (lazy_gmime()->g_mime_part_get_filename)
#define g_mime_part_get_type (lazy_gmime()->g_mime_part_get_type)
#define g_mime_stream_filter_add (lazy_gmime()->g_mime_stream_filter_add)
#define g_mime_stream_filter_get_type (lazy_gmime()->g_mime_stream_filter_get_type)
#define g_mime_stream_filter_new (lazy_gmime()->g_mime_stream_filter_new)
#define g_mime_stream_mem_get_type (lazy_gmime()->g_mime_stream_mem_get_type)
#define g_mime_stream_mem_new_with_byte_array (lazy_gmime()->g_mime_stream_mem_new_with_byte_array)
#define g_mime_stream_mem_set_owner (lazy_gmime()->g_mime_stream_mem_set_owner)
#define g_mime_stream_read (lazy_gmime()->g_mime_stream_read)
#define g_mime_stream_reset (lazy_gmime()->g_mime_stream_reset)
#define g_mime_utils_header_decode_date (lazy_gmime()->g_mime_utils_header_decode_date)
#define g_mime_utils_header_decode_text (lazy_gmime()->g_mime_utils_header_decode_text)
#define g_object_unref (lazy_gmime()->g_object_unref)
#define g_type_check_instance_cast (lazy_gmime()->g_type_check_instance_cast)
#define g_type_check_instance_is_a (lazy_gmime()->g_type_check_instance_is_a)
#endif

#endif
