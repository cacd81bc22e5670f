#define LAZY_DEFINING
#include "lib/lazy_xlsx.h"
#include "lazy_files.h"

LAZY_LIBRARY(lazy_xlsx, LAZY_XLSX, LAZY_FILE_XLSX)
