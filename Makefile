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

PACKAGES := glib-2.0 libcjson libpcre2-8 gmp
# Loaded when first needed (lib/lazy.h): name in the code and package.
LAZY := GMIME:gmime-3.0 XML:libxml-2.0 ARCHIVE:libarchive XLSX:xlsxwriter HTTP:libmicrohttpd
BUILD ?= build$(if $(SANITIZE),-$(subst $(comma),-,$(SANITIZE)))
comma := ,

LAZY_PACKAGES := $(foreach l,$(LAZY),$(lastword $(subst :, ,$(l))))

DEP_CFLAGS := $(shell $(PKG_CONFIG) --cflags $(PACKAGES) $(LAZY_PACKAGES))
DEP_LIBS := $(shell $(PKG_CONFIG) --libs $(PACKAGES)) -lcsv -lm -ldl
# Tests call the libraries themselves too.
TEST_LIBS := $(shell $(PKG_CONFIG) --libs $(LAZY_PACKAGES)) $(DEP_LIBS) -lcmocka
WARN := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wwrite-strings -Wno-format-zero-length -Wno-missing-field-initializers
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

# Known names are data: lib/names.tsv becomes the rows of a table.
$(BUILD)/lib/names_data.h: lib/names.tsv
	@mkdir -p $(@D)
	awk -F'\t' '/^#/ || !NF { next } { gsub(/["\\]/, "\\\\&"); printf "\t{ \"%s\", \"%s\", \"%s\" },\n", $$1, $$2, $$3 }' $< > $@.new
	mv $@.new $@
$(BUILD)/lib/names.o: $(BUILD)/lib/names_data.h
# The words of typed tables: each row of the data file is a row of a table in C.
$(BUILD)/lib/tab_words.inc: lib/tab_words.tsv
	@mkdir -p $(@D)
	awk -F '\t' '!/^#/ { gsub(/[\\"]/, "\\\\&"); printf "{ \"%s\", \"%s\", \"%s\" },\n", $$1, $$2, $$3 }' $< > $@.tmp
	mv $@.tmp $@
$(BUILD)/lib/tab_index.o $(BUILD)/parsers/typed_sieve.o: $(BUILD)/lib/tab_words.inc

# The names under which the linker would have recorded the libraries that are loaded late.
$(BUILD)/lazy_files.h: $(BUILD)/flags
	@for l in $(LAZY); do \
		echo 'int main(void) { return 0; }' | $(CC) $(CFLAGS) $(LDFLAGS) -x c - -o $@.probe -Wl,--no-as-needed \
			$$($(PKG_CONFIG) --libs $${l#*:}) || exit 1; \
		file=$$(readelf -d $@.probe | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sed 1q); \
		echo "#define LAZY_FILE_$${l%%:*} \"$$file\""; \
	done > $@.new
	@rm -f $@.probe
	@mv $@.new $@
$(patsubst %,$(BUILD)/lib/lazy_%.o,gmime xml archive xlsx http): $(BUILD)/lazy_files.h

$(BUILD)/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/tests/unit/%: tests/unit/%.c $(BUILD)/librtreport.a $(BUILD)/flags
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -o $@ $< $(BUILD)/librtreport.a $(ALL_LDFLAGS) $(TEST_LIBS)

# Rebuilds all when compiler or flags change.
$(BUILD)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(ALL_LDFLAGS)' | cmp -s - $@ || echo '$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(ALL_LDFLAGS)' > $@

# An interpreter that has the test modules: the first of these.
PYTHON ?= $(shell for p in python3 /usr/bin/python3; do $$p -c 'import jsonschema, openpyxl' 2>/dev/null && echo $$p && exit; done; echo python3)

FUZZ := fuzz_text fuzz_mail fuzz_json

# The replay form of the fuzz targets, for make check.
$(BUILD)/tests/fuzz/%: tests/fuzz/%.c tests/fuzz/replay.c $(BUILD)/librtreport.a $(BUILD)/flags
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -o $@ $< tests/fuzz/replay.c $(BUILD)/librtreport.a $(ALL_LDFLAGS) $(DEP_LIBS)

tests: $(TESTS) $(FUZZ:%=$(BUILD)/tests/fuzz/%)

# Coverage-guided fuzzing: make fuzz FUZZ_TARGET=fuzz_text FUZZ_TIME=600
FUZZ_TARGET ?= fuzz_text
FUZZ_TIME ?= 60
fuzz:
	$(MAKE) CC=clang SANITIZE=address,undefined,fuzzer-no-link BUILD=build-fuzz build-fuzz/librtreport.a
	clang $(ALL_CPPFLAGS) -Ibuild-fuzz -std=gnu11 -g -O1 -fsanitize=address,undefined,fuzzer -o build-fuzz/$(FUZZ_TARGET) \
		tests/fuzz/$(FUZZ_TARGET).c build-fuzz/librtreport.a $(DEP_LIBS)
	mkdir -p build-fuzz/corpus build-fuzz/found
	build-fuzz/$(FUZZ_TARGET) -max_total_time=$(FUZZ_TIME) -timeout=20 -rss_limit_mb=4096 -artifact_prefix=build-fuzz/found/ \
		build-fuzz/corpus corpus

check: all tests
	$(PYTHON) tests/run.py --build $(BUILD) $(CHECK)

check-all: all tests
	$(PYTHON) tests/run.py --build $(BUILD) --all $(CHECK)

# The same tests under valgrind (slow).
check-valgrind: all tests
	RTREPORT_NO_JIT=1 RTREPORT_WRAPPER="valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite" \
	$(PYTHON) tests/run.py --build $(BUILD) $(CHECK)

# How fast, beside what else people would use (BENCHMARKS.md); peers that are not installed are skipped.
BENCH ?=
bench: all
	$(PYTHON) tests/bench/aggregate.py $(BUILD)/rtreport --data $(BUILD)/bench $(BENCH)
	$(PYTHON) tests/bench/render.py $(BUILD)/rtreport --data $(BUILD)/bench $(BENCH_RENDER)
	$(PYTHON) tests/bench/text.py $(BUILD)/rtreport --data $(BUILD)/bench $(BENCH_TEXT)
	$(PYTHON) tests/bench/archive.py $(BUILD)/rtreport --data $(BUILD)/bench $(BENCH_ARCHIVE)

# Pictures of plots, workbook, HTML report and paste page, to be looked at.
preview: all
	sh tests/preview.sh $(BUILD)/rtreport $(BUILD)/preview

# Rewrites the golden records of corpus/; review with git diff.
golden: all
	$(PYTHON) tests/run.py --build $(BUILD) --update $(CASE)

# Manual pages of the commands, from their --help.
MAN_COMMANDS := $(sort $(patsubst cmd/%.c,%,$(shell grep -l '^const struct command command_' cmd/*.c)))
MAN_PAGES := $(MAN_COMMANDS:%=$(BUILD)/man/rtreport-%.1)

$(BUILD)/man/rtreport-%.1: man/from-help.sh $(BUILD)/rtreport
	@mkdir -p $(@D)
	sh man/from-help.sh $(BUILD)/rtreport $* > $@.tmp
	mv $@.tmp $@

man: $(MAN_PAGES)

install: all man
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/pkgconfig \
		$(DESTDIR)$(PREFIX)/include/rtreport/lib $(DESTDIR)$(PREFIX)/share/man/man1 \
		$(DESTDIR)$(PREFIX)/share/rtreport
	install -m 755 $(BUILD)/rtreport $(DESTDIR)$(PREFIX)/bin/rtreport
	install -m 644 $(BUILD)/librtreport.a $(DESTDIR)$(PREFIX)/lib/librtreport.a
	install -m 644 lib/*.h $(DESTDIR)$(PREFIX)/include/rtreport/lib
	install -m 644 formats/result.schema.json $(DESTDIR)$(PREFIX)/share/rtreport/result.schema.json
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@VERSION@|$(VERSION)|' rtreport.pc.in > $(BUILD)/rtreport.pc
	install -m 644 $(BUILD)/rtreport.pc $(DESTDIR)$(PREFIX)/lib/pkgconfig/rtreport.pc
	install -d $(DESTDIR)$(PREFIX)/share/man/man5
	install -m 644 man/rtreport.1 $(MAN_PAGES) $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 644 man/rtreport-json.5 $(DESTDIR)$(PREFIX)/share/man/man5
	install -D -m 644 completions/rtreport.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/rtreport
	install -D -m 644 completions/_rtreport $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_rtreport
	install -D -m 644 completions/rtreport.fish $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/rtreport.fish

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/share/bash-completion/completions/rtreport \
		$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_rtreport \
		$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/rtreport.fish
	rm -f $(DESTDIR)$(PREFIX)/bin/rtreport $(DESTDIR)$(PREFIX)/lib/librtreport.a \
		$(DESTDIR)$(PREFIX)/lib/pkgconfig/rtreport.pc $(DESTDIR)$(PREFIX)/share/man/man1/rtreport*.1 \
		$(DESTDIR)$(PREFIX)/share/man/man5/rtreport-json.5
	rm -rf $(DESTDIR)$(PREFIX)/include/rtreport $(DESTDIR)$(PREFIX)/share/rtreport

dist:
	git archive --prefix=rtreport-$(VERSION)/ -o rtreport-$(VERSION).tar.gz HEAD

clean:
	rm -rf $(BUILD)

FORCE:
.PHONY: man preview fuzz all tests bench check check-all check-valgrind golden install uninstall dist clean FORCE
-include $(LIB_OBJECTS:.o=.d) $(CMD_OBJECTS:.o=.d) $(TESTS:=.d)
