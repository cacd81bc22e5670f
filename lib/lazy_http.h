/* libmicrohttpd, loaded when first needed (lib/lazy.h): the paste page. */
#ifndef RTREPORT_LAZY_HTTP_H
#define RTREPORT_LAZY_HTTP_H

#include <microhttpd.h>
#include "lib/lazy.h"

#define LAZY_HTTP(X) \
	X(MHD_add_response_header) X(MHD_create_post_processor) X(MHD_create_response_from_buffer) \
	X(MHD_create_response_from_fd64) X(MHD_destroy_post_processor) X(MHD_destroy_response) \
	X(MHD_get_connection_info) X(MHD_get_fdset2) X(MHD_get_timeout) X(MHD_lookup_connection_value_n) \
	X(MHD_post_process) X(MHD_queue_response) X(MHD_resume_connection) X(MHD_run_from_select) \
	X(MHD_start_daemon) X(MHD_stop_daemon) X(MHD_suspend_connection)

struct lazy_http { LAZY_HTTP(LAZY_MEMBER) };
const struct lazy_http *lazy_http(void);

#ifndef LAZY_DEFINING
#define MHD_add_response_header (lazy_http()->MHD_add_response_header)
#define MHD_create_post_processor (lazy_http()->MHD_create_post_processor)
#define MHD_create_response_from_buffer (lazy_http()->MHD_create_response_from_buffer)
#define MHD_create_response_from_fd64 (lazy_http()->MHD_create_response_from_fd64)
#define MHD_destroy_post_processor (lazy_http()->MHD_destroy_post_processor)
#define MHD_destroy_response (lazy_http()->MHD_destroy_response)
#define MHD_get_connection_info (lazy_http()->MHD_get_connection_info)
#define MHD_get_fdset2 (lazy_http()->MHD_get_fdset2)
#define MHD_get_timeout (lazy_http()->MHD_get_timeout)
#define MHD_lookup_connection_value_n (lazy_http()->MHD_lookup_connection_value_n)
#define MHD_post_process (lazy_http()->MHD_post_process)
#define MHD_queue_response (lazy_http()->MHD_queue_response)
#define MHD_resume_connection (lazy_http()->MHD_resume_connection)
#define MHD_run_from_select (lazy_http()->MHD_run_from_select)
#define MHD_start_daemon (lazy_http()->MHD_start_daemon)
#define MHD_stop_daemon (lazy_http()->MHD_stop_daemon)
#define MHD_suspend_connection (lazy_http()->MHD_suspend_connection)
#endif

#endif
