# One non-recursive Makefile. A part that needs rules of its own (generated sources, test targets) keeps them in
# src/PART/part.mk or tests/PART/part.mk; those are included below.
#
#   make            library, tools                 make check      the tests
#   make deps       Debian packages, by name       make demo       build, compile a kernel, run it
#   make bench      speed and code quality         make fuzz       libFuzzer, 60 s a target
#   make bless      rewrite expected test outputs  make asan       the same tests under ASan and UBSan (in build-asan)
B ?= build
ifeq ($(origin CC),default)
CC := gcc
endif
ifeq ($(origin CXX),default)
CXX := g++
endif
LLVM_CONFIG ?= llvm-config-22
OPT ?= -O2 -g
WARN := -Wall -Wextra -Werror
INCLUDES := -Isrc -Iinclude -I$(B)/gen
ALL_CFLAGS = -std=c11 -D_GNU_SOURCE $(WARN) $(OPT) -fPIC -fvisibility=hidden $(INCLUDES) $(CFLAGS)
ALL_CXXFLAGS = -std=c++17 $(WARN) $(OPT) -fPIC -fvisibility=hidden -fno-exceptions -fno-rtti $(INCLUDES) \
	-isystem $(shell $(LLVM_CONFIG) --includedir) -D__STDC_CONSTANT_MACROS -D__STDC_LIMIT_MACROS $(CXXFLAGS)
# The last line: LLVM's object readers pull these in through unused archive members.
LLVM_LIBS = $(shell $(LLVM_CONFIG) --link-static --libs amdgpudesc amdgpuinfo amdgpudisassembler amdgpuasmparser mc mcdisassembler) \
	-lrt -ldl -lm -lz -lzstd
# Tools are static: the dynamic linker costs more than compiling a small kernel. Sanitizers need it.
TOOL_STATIC = $(if $(findstring sanitize,$(LDFLAGS)),-no-pie,-static -Wl,--no-warnings)
LLVM_LDFLAGS = -L$(shell $(LLVM_CONFIG) --libdir) -Wl,--gc-sections

.DEFAULT_GOAL := all
.SECONDARY:
.DELETE_ON_ERROR:

LIB_PARTS := base lexer parser ir isel amd emit api
LIB_SRC := $(foreach p,$(LIB_PARTS),$(wildcard src/$(p)/*.c))
LIB_CXX := $(wildcard src/emit/*.cpp)
SIM_SRC := $(wildcard src/sim/*.c)
TOOLS := $(patsubst tools/%/,%,$(wildcard tools/*/))
UNIT_SRC := $(wildcard tests/unit/*.c)
GEN_SRC :=          # generated C files of the library, under $(B)/gen; parts add theirs
GEN_HDR :=          # generated headers, made before anything is compiled; parts add theirs
CHECKS :=           # names of test targets check-NAME; parts add theirs

-include $(sort $(wildcard src/*/part.mk tests/*/part.mk))

LIB_OBJ := $(LIB_SRC:%.c=$(B)/%.o) $(LIB_CXX:%.cpp=$(B)/%.o) $(GEN_SRC:$(B)/%.c=$(B)/%.o)
SIM_OBJ := $(SIM_SRC:%.c=$(B)/%.o)
UNIT_BIN := $(UNIT_SRC:%.c=$(B)/%)
TOOL_BIN := $(foreach t,$(TOOLS),$(B)/$(t))

all: $(B)/libptx.a $(B)/libptx.so $(B)/libptxsim.a $(TOOL_BIN)

$(B)/libptx.a: $(LIB_OBJ)
	@mkdir -p $(@D)
	@rm -f $@
	$(AR) rcs $@ $^
$(B)/libptxsim.a: $(SIM_OBJ)
	@mkdir -p $(@D)
	@rm -f $@
	$(AR) rcs $@ $^
$(B)/libptx.so: $(LIB_OBJ)
	$(CXX) -shared -o $@ $^ $(LDFLAGS) $(LLVM_LDFLAGS) -Wl,--exclude-libs,ALL $(LLVM_LIBS)

$(B)/%.o: %.c | $(GEN_HDR)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -MMD -MP -c $< -o $@
$(B)/%.o: %.cpp | $(GEN_HDR)
	@mkdir -p $(@D)
	$(CXX) $(ALL_CXXFLAGS) -MMD -MP -c $< -o $@
$(B)/gen/%.o: $(B)/gen/%.c | $(GEN_HDR)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -MMD -MP -c $< -o $@

# A tool is every C file of tools/NAME, linked with the library and the simulator.
define TOOL_RULE
$(B)/$(1): $$(patsubst %.c,$(B)/%.o,$$(wildcard tools/$(1)/*.c)) $(B)/libptxsim.a $(B)/libptx.a
	$$(CXX) $$(TOOL_STATIC) -o $$@ $$(filter %.o,$$^) $(B)/libptxsim.a $(B)/libptx.a $$(LDFLAGS) $$(LLVM_LDFLAGS) $$(LLVM_LIBS)
endef
$(foreach t,$(TOOLS),$(eval $(call TOOL_RULE,$(t))))

$(B)/tests/unit/%: $(B)/tests/unit/%.o $(B)/libptxsim.a $(B)/libptx.a
	@mkdir -p $(@D)
	$(CXX) -o $@ $< $(B)/libptxsim.a $(B)/libptx.a $(LDFLAGS) $(LLVM_LDFLAGS) $(LLVM_LIBS) -lcheck -lsubunit -lpthread

# Unit tests are Check programs, one a file.
CHECKS += $(UNIT_SRC:tests/unit/%.c=unit-%)
check-unit-%: $(B)/tests/unit/%
	@B=$(B) tests/run-check.sh unit-$* $<

check: deps
	@$(MAKE) --no-print-directory all
	@rm -rf $(B)/check
	@$(MAKE) --no-print-directory -k $(CHECKS:%=check-%) || true
	@B=$(B) tests/summary.sh $(CHECKS)

deps:
	@tests/deps.sh

demo: deps
	@$(MAKE) --no-print-directory all
	@B=$(B) examples/demo.sh

# The shared library, and the example linked with it.
$(B)/example-compile: examples/compile.c $(B)/libptx.so include/ptx.h
	$(CC) -std=c11 $(WARN) -Iinclude -o $@ $< -L$(B) -lptx -Wl,-rpath,'$$ORIGIN'
CHECKS += example
check-example: $(B)/example-compile
	@B=$(B) tests/run-check.sh example sh -c '$< | tee /dev/stderr | grep -c "twice: [0-9]* VGPRs" | grep -qx 2 && echo "1 passed, 0 failed"'

asan:
	$(MAKE) B=build-asan OPT="-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer -DARENA_MALLOC=1" \
		LDFLAGS="-fsanitize=address,undefined" check

clean:
	rm -rf build build-*

.PHONY: all check deps demo bench fuzz bless asan clean
-include $(shell find $(B) -name '*.d' 2>/dev/null)
