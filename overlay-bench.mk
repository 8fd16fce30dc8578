# SPDX-License-Identifier: Apache-2.0
#
# ovs-dpx-bench: searches, statistics, and the benchmark that holds them to
# the truth.  Read by overlay.mk, which names the units in its list.

lib_libopenvswitch_la_SOURCES += \
	lib/dpx-histogram.c lib/dpx-histogram.h \
	lib/dpx-search.c lib/dpx-search.h \
	lib/dpx-search-binary.c \
	lib/dpx-search-class.c \
	lib/dpx-search-mlr.c \
	lib/dpx-search-private.h \
	lib/dpx-stream.c lib/dpx-stream.h \
	lib/dpx-summary.c lib/dpx-summary.h \
	lib/dpx-trial.c lib/dpx-trial.h

EXTRA_PROGRAMS += tests/bench/bench-search
tests_bench_bench_search_SOURCES = \
	tests/bench/bench-search.c tests/bench/bench-device.h
tests_bench_bench_search_LDADD = lib/libopenvswitch.la

# The program.  What it needs of DPDK it links as ovs-vswitchd does.
dpx_programs += utilities/ovs-dpx-bench
utilities_ovs_dpx_bench_SOURCES = \
	utilities/dpx-bench.h \
	utilities/dpx-bench-cells.c utilities/dpx-bench-cells.h \
	utilities/dpx-bench-file.c \
	utilities/dpx-bench-generate.c \
	utilities/dpx-bench-options.c \
	utilities/dpx-bench-port.c utilities/dpx-bench-port.h \
	utilities/dpx-bench-result.c \
	utilities/dpx-bench-scenario.c \
	utilities/dpx-bench-search.c \
	utilities/dpx-bench-show.c \
	utilities/dpx-bench-table.c \
	utilities/dpx-bench-tables.c \
	utilities/dpx-bench-trial.c utilities/dpx-bench-trial.h \
	utilities/ovs-dpx-bench.c
utilities_ovs_dpx_bench_LDFLAGS = $(AM_LDFLAGS) $(DPDK_vswitchd_LDFLAGS)
utilities_ovs_dpx_bench_LDADD = lib/libopenvswitch.la
utilities/ovs-dpx-bench.$(OBJEXT): AM_CPPFLAGS += $(DPX_WARNINGS)

# Its scripts, and what they share with the system tests, are installed beside
# Open vSwitch's data; in a build tree they lie in the source.
dpxbenchdir = $(pkgdatadir)/dpx-bench
dist_dpxbench_DATA = \
	utilities/dpx-bench/campaign.py \
	utilities/dpx-bench/guest.py \
	utilities/dpx-bench/pmds.py \
	utilities/dpx-bench/programs.py \
	utilities/dpx-bench/qemu.py \
	utilities/dpx-bench/run.py \
	utilities/dpx-bench/scene.py \
	utilities/dpx-bench/search.py \
	utilities/dpx-bench/snapshot.py \
	utilities/dpx-bench/tables.py \
	utilities/dpx-bench/testpmd.py \
	utilities/dpx-bench/traffic.py
dpxbenchharnessdir = $(dpxbenchdir)/harness
dist_dpxbenchharness_DATA = \
	tests/system/harness/__init__.py \
	tests/system/harness/control.py \
	tests/system/harness/failure.py \
	tests/system/harness/hugepages.py \
	tests/system/harness/paced.py \
	tests/system/harness/process.py \
	tests/system/harness/switch.py \
	tests/system/harness/undo.py

man_MANS += utilities/ovs-dpx-bench.8
completion_SCRIPTS += utilities/ovs-dpx-bench-completion.bash
EXTRA_DIST += utilities/ovs-dpx-bench.8
EXTRA_DIST += utilities/ovs-dpx-bench-completion.bash
