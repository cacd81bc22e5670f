#define LAZY_DEFINING
#include "lib/lazy_http.h"
#include "lazy_files.h"

LAZY_LIBRARY(lazy_http, LAZY_HTTP, LAZY_FILE_HTTP)
