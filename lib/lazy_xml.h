/* libxml2, loaded when first needed (lib/lazy.h): HTML. */
#ifndef RTREPORT_LAZY_XML_H
#define RTREPORT_LAZY_XML_H

#include <libxml/HTMLparser.h>
#include "lib/lazy.h"

#define LAZY_XML(X) \
	X(htmlCreatePushParserCtxt) X(htmlCtxtUseOptions) X(htmlFreeParserCtxt) X(htmlParseChunk) X(xmlFreeDoc)

struct lazy_xml { LAZY_XML(LAZY_MEMBER) };
const struct lazy_xml *lazy_xml(void);

#ifndef LAZY_DEFINING
#define htmlCreatePushParserCtxt (lazy_xml()->htmlCreatePushParserCtxt)
#define htmlCtxtUseOptions (lazy_xml()->htmlCtxtUseOptions)
#define htmlFreeParserCtxt (lazy_xml()->htmlFreeParserCtxt)
#define htmlParseChunk (lazy_xml()->htmlParseChunk)
#define xmlFreeDoc (lazy_xml()->xmlFreeDoc)
#endif

#endif
