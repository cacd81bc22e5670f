/*
 * Fuzz targets: LLVMFuzzerTestOneInput as libFuzzer calls it (make fuzz, with clang), or main of replay.c,
 * which runs files and short mutations of them (make check).
 */
#ifndef RTREPORT_FUZZ_H
#define RTREPORT_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

#endif
