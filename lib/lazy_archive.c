#define LAZY_DEFINING
#include "lib/lazy_archive.h"
#include "lazy_files.h"

LAZY_LIBRARY(lazy_archive, LAZY_ARCHIVE, LAZY_FILE_ARCHIVE)
