# rtreport: normalizes, compares and renders real-time latency results.
#
#   make                    build/rtreport and build/librtreport.a
#   make check              all tests that need no heavy tools
#   make SANITIZE=address,undefined check
#   make BUILD=DIR …        build elsewhere
#
# User flags: CC, CFLAGS, CPPFLAGS, LDFLAGS, PREFIX, DESTDIR, PKG_CONFIG, PYTHON.

VERSION := $(shell sed -n 's/^.define RTREPORT_VERSION_TEXT "\(.*\)"/\1/p' cmd/command.h)
PREFIX ?= /usr/local
PKG_CONFIG ?= pkg-config
CFLAGS ?= -O2 -g
export LC_ALL := C

PACKAGES := glib-2.0 gmime-3.0 libcjson libpcre2-8 libxml-2.0 libarchive xlsxwriter gmp
BUILD ?= build$(if $(SANITIZE),-$(subst $(comma),-,$(SANITIZE)))
comma := ,

DEP_CFLAGS := $(shell $(PKG_CONFIG) --cflags $(PACKAGES))
DEP_LIBS := $(shell $(PKG_CONFIG) --libs $(PACKAGES)) -lcsv -lm
WARN := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wwrite-strings -Wno-format-zero-length
ALL_CPPFLAGS := -I. -I$(BUILD) -D_GNU_SOURCE -DPCRE2_CODE_UNIT_WIDTH=8 $(DEP_CFLAGS) $(CPPFLAGS)
ALL_CFLAGS := -std=gnu11 $(WARN) -ffile-prefix-map=$(CURDIR)/= -pthread $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-omit-frame-pointer -fno-sanitize-recover=undefined) $(CFLAGS)
ALL_LDFLAGS := -pthread $(if $(SANITIZE),-fsanitize=$(SANITIZE)) $(LDFLAGS)

LIB_SOURCES := $(sort $(wildcard lib/*.c parsers/*.c formats/*.c))
CMD_SOURCES := $(sort $(wildcard cmd/*.c))
TEST_SOURCES := $(sort $(wildcard tests/unit/test_*.c))
LIB_OBJECTS := $(LIB_SOURCES:%.c=$(BUILD)/%.o)
CMD_OBJECTS := $(CMD_SOURCES:%.c=$(BUILD)/%.o)
TESTS := $(TEST_SOURCES:%.c=$(BUILD)/%)

all: $(BUILD)/rtreport

$(BUILD)/rtreport: $(CMD_OBJECTS) $(BUILD)/librtreport.a
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^ $(DEP_LIBS)

$(BUILD)/librtreport.a: $(LIB_OBJECTS)
	rm -f $@
	$(AR) rcsD $@ $(LIB_OBJECTS)

$(BUILD)/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/tests/unit/%: tests/unit/%.c $(BUILD)/librtreport.a $(BUILD)/flags
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -o $@ $< $(BUILD)/librtreport.a $(ALL_LDFLAGS) $(DEP_LIBS) -lcmocka

# Rebuilds all when compiler or flags change.
$(BUILD)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(ALL_LDFLAGS)' | cmp -s - $@ || echo '$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(ALL_LDFLAGS)' > $@

unit: $(TESTS)
	@for t in $(TESTS); do $$t || exit 1; done

clean:
	rm -rf $(BUILD)

FORCE:
.PHONY: all unit clean FORCE
-include $(LIB_OBJECTS:.o=.d) $(CMD_OBJECTS:.o=.d) $(TESTS:=.d)
