#define LAZY_DEFINING
#include "lib/lazy_gmime.h"
#include "lazy_files.h"

LAZY_LIBRARY(lazy_gmime, LAZY_GMIME, LAZY_FILE_GMIME)
