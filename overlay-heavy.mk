# SPDX-License-Identifier: Apache-2.0
#
# Heavy hitters: the pure core, and the benchmark that chose its method.  Read
# by overlay.mk, which names the units in its list.

lib_libopenvswitch_la_SOURCES += \
	lib/dpx-heavy-hitters.c lib/dpx-heavy-hitters.h \
	lib/dpx-heavy-hitters-cmd.c \
	lib/dpx-heavy-hitters-frame.h \
	lib/dpx-heavy-hitters-hash.h \
	lib/dpx-heavy-hitters-key.c lib/dpx-heavy-hitters-key.h \
	lib/dpx-heavy-hitters-snapshot.c \
	lib/dpx-heavy-hitters-top.c lib/dpx-heavy-hitters-top.h

EXTRA_DIST += tests/unit/heavy-hitters-vocabulary.h

EXTRA_PROGRAMS += tests/bench/bench-heavy-hitters
tests_bench_bench_heavy_hitters_SOURCES = \
	tests/bench/bench-heavy-hitters.c \
	tests/bench/bench-hh-accuracy.c tests/bench/bench-hh-accuracy.h \
	tests/bench/bench-hh-coco.c \
	tests/bench/bench-hh-member.c \
	tests/bench/bench-hh-methods.h \
	tests/bench/bench-hh-ours.c \
	tests/bench/bench-hh-summary.c \
	tests/bench/bench-hh-traffic.c tests/bench/bench-hh-traffic.h
tests_bench_bench_heavy_hitters_LDADD = lib/libopenvswitch.la

# A reader beside the counting thread, under ThreadSanitizer.  It knows no
# fences, which gcc warns about: what they order here are atomic words.
DPX_HH_TSAN_UNIT = tests/unit/check_heavy_hitters_tsan
DPX_HH_TSAN_SOURCES = \
	tests/unit/check_heavy_hitters-laws.c \
	lib/dpx-heavy-hitters.c lib/dpx-heavy-hitters-key.c \
	lib/dpx-heavy-hitters-snapshot.c lib/dpx-heavy-hitters-top.c
$(DPX_HH_TSAN_UNIT): DPX_TSAN_CFLAGS = -Wno-tsan
$(DPX_HH_TSAN_UNIT): $(DPX_HH_TSAN_SOURCES) lib/dpx-heavy-hitters.h \
		lib/dpx-heavy-hitters-hash.h lib/dpx-heavy-hitters-key.h \
		lib/dpx-heavy-hitters-top.h \
		tests/unit/heavy-hitters-vocabulary.h lib/libopenvswitch.la
	$(DPX_TSAN_LINK)
check-dpx-tsan: check-dpx-tsan-heavy
check-dpx-tsan-heavy: all $(DPX_HH_TSAN_UNIT)
	TSAN_OPTIONS=halt_on_error=1 CK_DEFAULT_TIMEOUT=600 \
	    ./$(DPX_HH_TSAN_UNIT)
.PHONY: check-dpx-tsan-heavy
CLEANFILES += $(DPX_HH_TSAN_UNIT)
