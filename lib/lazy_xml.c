#define LAZY_DEFINING
#include "lib/lazy_xml.h"
#include "lazy_files.h"

LAZY_LIBRARY(lazy_xml, LAZY_XML, LAZY_FILE_XML)
