# SPDX-License-Identifier: Apache-2.0
#
# The only fragment that Open vSwitch's Makefile.am includes.  It names every
# file of ours that the built tree gets: build-aux/prepare-tree copies the
# files named here and no other.  A new unit is one new file and one new line
# in one of the lists below.  No wildcard: a file that is forgotten here must
# not build on one machine and fail on another.

# The test netdev has its own fragment, because it also goes into a stock
# tree.  (There, prepare-tree makes that fragment the overlay.mk.)
include overlay-paced.mk

# Pure cores, glue and commands.  Glue headers are included by Open vSwitch's
# own objects, so they are built with its flags.
lib_libopenvswitch_la_SOURCES += \
	lib/dpx-affinity.c lib/dpx-affinity.h \
	lib/dpx-auto.c lib/dpx-auto.h \
	lib/dpx-auto-facts.c lib/dpx-auto-facts.h \
	lib/dpx-cmd.c lib/dpx-cmd.h \
	lib/dpx-compat.h \
	lib/dpx-cpu-busy.c lib/dpx-cpu-busy.h \
	lib/dpx-config.c lib/dpx-config.h \
	lib/dpx-dpif.c lib/dpx-dpif.h \
	lib/dpx-db-ctl-glue.h \
	lib/dpx-dpif-glue.h \
	lib/dpx-dpif-glue-affinity.h \
	lib/dpx-dpif-glue-after.h \
	lib/dpx-dpif-glue-apply.h \
	lib/dpx-dpif-glue-auto.h \
	lib/dpx-dpif-glue-count.h \
	lib/dpx-dpif-glue-copy.h \
	lib/dpx-dpif-glue-counters.h \
	lib/dpx-dpif-glue-drops.h \
	lib/dpx-dpif-glue-flow-count.h \
	lib/dpx-dpif-glue-flow-query.h \
	lib/dpx-dpif-glue-flows.h \
	lib/dpx-dpif-glue-hardware.h \
	lib/dpx-dpif-glue-hitters.h \
	lib/dpx-dpif-glue-ledger.h \
	lib/dpx-dpif-glue-handoff.h \
	lib/dpx-dpif-glue-machine.h \
	lib/dpx-dpif-glue-pmd-stats.h \
	lib/dpx-dpif-glue-poll.h \
	lib/dpx-dpif-glue-rxq.h \
	lib/dpx-dpif-glue-sample.h \
	lib/dpx-dpif-glue-sched.h \
	lib/dpx-dpif-glue-state.h \
	lib/dpx-dpif-glue-step.h \
	lib/dpx-dpif-glue-txq.h \
	lib/dpx-dpif-glue-txq-plan.h \
	lib/dpx-dpif-glue-txq-show.h \
	lib/dpx-dpif-hooks.h \
	lib/dpx-dpif-txq.h \
	lib/dpx-dpif-types.h \
	lib/dpx-drops.c lib/dpx-drops.h \
	lib/dpx-findings-state.c \
	lib/dpx-flow-cost.c lib/dpx-flow-cost.h \
	lib/dpx-flow-outputs.c lib/dpx-flow-outputs.h \
	lib/dpx-flow-query.c lib/dpx-flow-query.h \
	lib/dpx-flow-stats-cmd.c \
	lib/dpx-flow-table.c lib/dpx-flow-table.h \
	lib/dpx-handoff.c lib/dpx-handoff.h \
	lib/dpx-handoff-move.c lib/dpx-handoff-move.h \
	lib/dpx-history.c lib/dpx-history.h \
	lib/dpx-load.c lib/dpx-load.h \
	lib/dpx-machine.c lib/dpx-machine.h \
	lib/dpx-netdev-dpdk.h \
	lib/dpx-netdev-dpdk-glue.h \
	lib/dpx-netdev-dpdk-hooks.h \
	lib/dpx-placement.c lib/dpx-placement.h \
	lib/dpx-placement-apply-cmd.c \
	lib/dpx-placement-bound.c lib/dpx-placement-bound.h \
	lib/dpx-placement-calm.c lib/dpx-placement-calm.h \
	lib/dpx-placement-cmd.c \
	lib/dpx-placement-demand.c lib/dpx-placement-demand.h \
	lib/dpx-placement-exact.c lib/dpx-placement-exact.h \
	lib/dpx-placement-groups.c lib/dpx-placement-groups.h \
	lib/dpx-placement-hand.c lib/dpx-placement-hand.h \
	lib/dpx-placement-history-cmd.c \
	lib/dpx-placement-layout.c lib/dpx-placement-layout.h \
	lib/dpx-placement-load.c lib/dpx-placement-load.h \
	lib/dpx-placement-move-cmd.c \
	lib/dpx-placement-pairs.c \
	lib/dpx-placement-plan-cmd.c \
	lib/dpx-placement-problem.c lib/dpx-placement-problem.h \
	lib/dpx-placement-reason.c lib/dpx-placement-reason.h \
	lib/dpx-placement-search.c lib/dpx-placement-search.h \
	lib/dpx-placement-solve.c lib/dpx-placement-solve.h \
	lib/dpx-placement-task.c lib/dpx-placement-task.h \
	lib/dpx-report.c lib/dpx-report.h \
	lib/dpx-rxq-stats-cmd.c \
	lib/dpx-step-report.c lib/dpx-step-report.h \
	lib/dpx-tx.c lib/dpx-tx.h \
	lib/dpx-txq-affinity.c lib/dpx-txq-affinity.h \
	lib/dpx-txq-cmd.c \
	lib/dpx-txq-place.c lib/dpx-txq-place.h \
	lib/dpx-txq-view.c lib/dpx-txq-view.h \
	lib/dpx-ukey.c lib/dpx-ukey.h \
	lib/dpx-upcall-glue.h \
	lib/dpx-view.h \
	lib/dpx-view-mask.c lib/dpx-view-mask.h

# Publishing into OVSDB.
vswitchd_ovs_vswitchd_SOURCES += \
	lib/dpx-topology-hwloc.c lib/dpx-topology-hwloc.h \
	vswitchd/dpx-bridge-flows.c \
	vswitchd/dpx-bridge-private.h \
	vswitchd/dpx-bridge-threads.c \
	vswitchd/dpx-bridge.c \
	vswitchd/dpx-bridge.h
vswitchd_ovs_vswitchd_LDADD += $(DPX_HWLOC_LIBS)
man_MANS += vswitchd/ovs-dpx.8
EXTRA_DIST += vswitchd/ovs-dpx.8 vswitchd/dpx-schema.json

# Our programs, each with its own _SOURCES and _LDADD line below.
dpx_programs = \
	utilities/ovs-pmd-plan
bin_PROGRAMS += $(dpx_programs)
include overlay-plan.mk
include overlay-heavy.mk
include overlay-bench.mk

# Unit programs: tests/unit/check_IDEA is built from tests/unit/check_IDEA.c.
DPX_UNITS = \
	tests/unit/check_affinity \
	tests/unit/check_auto \
	tests/unit/check_auto-facts \
	tests/unit/check_cmd \
	tests/unit/check_config \
	tests/unit/check_core_choice \
	tests/unit/check_counters_text \
	tests/unit/check_cpu_busy \
	tests/unit/check_drops \
	tests/unit/check_findings \
	tests/unit/check_flow_cost \
	tests/unit/check_flow_outputs \
	tests/unit/check_flow_query \
	tests/unit/check_flow_table \
	tests/unit/check_handoff \
	tests/unit/check_handoff_move \
	tests/unit/check_handoff_threads \
	tests/unit/check_heavy_hitters \
	tests/unit/check_heavy_hitters-frame \
	tests/unit/check_heavy_hitters-key \
	tests/unit/check_heavy_hitters-laws \
	tests/unit/check_history \
	tests/unit/check_load \
	tests/unit/check_machine \
	tests/unit/check_paced_check \
	tests/unit/check_paced_config \
	tests/unit/check_paced_flows \
	tests/unit/check_paced_gap \
	tests/unit/check_paced_netdev \
	tests/unit/check_paced_packet \
	tests/unit/check_paced_pcap \
	tests/unit/check_paced_ring \
	tests/unit/check_paced_threads \
	tests/unit/check_placement \
	tests/unit/check_placement-exact \
	tests/unit/check_placement-hand \
	tests/unit/check_placement-laws \
	tests/unit/check_placement-numa \
	tests/unit/check_readers \
	tests/unit/check_report \
	tests/unit/check_rxq_show \
	tests/unit/check_search \
	tests/unit/check_stream \
	tests/unit/check_summary \
	tests/unit/check_topology \
	tests/unit/check_trial \
	tests/unit/check_tx \
	tests/unit/check_tx_threads \
	tests/unit/check_txq_affinity \
	tests/unit/check_txq_place \
	tests/unit/check_txq_view \
	tests/unit/check_ukey \
	tests/unit/check_view_mask
EXTRA_DIST += tests/unit/flow-table-vocabulary.h
EXTRA_DIST += tests/unit/placement-expect.h
EXTRA_DIST += tests/unit/placement-rivals.h
EXTRA_DIST += tests/unit/placement-vocabulary.h
EXTRA_DIST += tests/unit/paced-vocabulary.h
EXTRA_DIST += tests/data/machine-2x2x2.xml

# Our autotest files, read in this order after tests/dpx-testsuite.at.
DPX_TESTSUITE_AT = \
	tests/dpx-testsuite.at \
	tests/dpx-macros.at \
	tests/dpx-affinity.at \
	tests/dpx-convert.at \
	tests/dpx-flow-stats.at \
	tests/dpx-heavy-hitters.at \
	tests/dpx-top-flows.at \
	tests/dpx-machine.at \
	tests/dpx-ovsdb.at \
	tests/dpx-paced.at \
	tests/dpx-placement.at \
	tests/dpx-placement-steps.at \
	tests/dpx-handoff.at \
	tests/dpx-auto.at \
	tests/dpx-bench.at \
	tests/dpx-rxq-stats.at \
	tests/dpx-stock.at \
	tests/dpx-txq.at

# Our objects are held to more than Open vSwitch's own: a warning is an error.
# (overlay-paced.mk says so for lib/.)
vswitchd/dpx-%.$(OBJEXT): AM_CPPFLAGS += $(DPX_WARNINGS)
tests/unit/check_%.$(OBJEXT): AM_CPPFLAGS += $(DPX_WARNINGS)

# Benchmarks of pure cores; 'make bench-placement' builds and runs it.
EXTRA_PROGRAMS += tests/bench/bench-placement
tests_bench_bench_placement_LDADD = lib/libopenvswitch.la
tests/bench/bench-%.$(OBJEXT): AM_CPPFLAGS += $(DPX_WARNINGS)

# A unit program has no _LDADD of its own, so it links what LDADD says.
check_PROGRAMS = $(DPX_UNITS)
$(DPX_UNITS): LDADD = lib/libopenvswitch.la $(DPX_CHECK_LIBS)
$(DPX_UNITS): lib/libopenvswitch.la
DPX_CHECK_LIBS = `pkg-config --libs check`

DPX_TESTSUITE = $(srcdir)/tests/dpx-testsuite
$(DPX_TESTSUITE): package.m4 $(DPX_TESTSUITE_AT) $(COMMON_MACROS_AT)
	$(AM_V_GEN)cd $(srcdir) && \
	$(AUTOTEST) -o tests/dpx-testsuite.tmp $(DPX_TESTSUITE_AT) && \
	mv tests/dpx-testsuite.tmp tests/dpx-testsuite
EXTRA_DIST += overlay.mk overlay-bench.mk overlay-heavy.mk overlay-paced.mk
EXTRA_DIST += overlay-plan.mk
EXTRA_DIST += $(DPX_TESTSUITE_AT) $(DPX_TESTSUITE)

# Our units, then our autotest suite, also if a unit failed; TESTSUITEFLAGS as
# for 'make check'.  Ends with what the failed tests said: whoever reads this
# in a log of CI has no other way to see it.  A unit that hangs is ended, but not one that waits for its
# turn on a busy machine.
check-dpx:
	@fail=0; $(MAKE) check-dpx-units || fail=1; \
	$(MAKE) check-dpx-suite || fail=1; exit $$fail
check-dpx-units: all $(DPX_UNITS)
	@fail=0; for unit in $(DPX_UNITS); do \
	    CK_DEFAULT_TIMEOUT=$${CK_DEFAULT_TIMEOUT-60} ./$$unit || \
	        { fail=1; echo "FAILED: $$unit"; }; \
	done; exit $$fail
check-dpx-suite: all $(check_SCRIPTS) $(DPX_TESTSUITE)
	set $(SHELL) '$(DPX_TESTSUITE)' -C tests \
	    AUTOTEST_PATH='$(AUTOTEST_PATH)'; \
	"$$@" $(TESTSUITEFLAGS) || \
	    (test X'$(RECHECK)' = Xyes && "$$@" --recheck) || \
	    { for log in tests/dpx-testsuite.dir/*/dpx-testsuite.log; do \
	          test ! -f $$log || tail -n 40 $$log | sed 's/^/| /'; \
	      done; exit 1; }
.PHONY: check-dpx check-dpx-units check-dpx-suite

# Real threads under ThreadSanitizer: hand-off, tx queues.  Only what they are
# made of is instrumented: all else in the program is single-threaded.  A race
# that it reports ends the test.
DPX_TSAN_LINK = $(AM_V_CC)$(LIBTOOL) $(AM_V_lt) --tag=CC --mode=link $(CC) \
	$(DEFAULT_INCLUDES) $(INCLUDES) $(AM_CPPFLAGS) $(CPPFLAGS) $(AM_CFLAGS) \
	$(CFLAGS) -O1 -g -fsanitize=thread $(DPX_TSAN_CFLAGS) -o $@ \
	$(filter %.c,$^) \
	$(AM_LDFLAGS) $(LDFLAGS) lib/libopenvswitch.la $(DPX_CHECK_LIBS) $(LIBS)
DPX_TSAN_SOURCES = \
	tests/unit/check_handoff_threads.c \
	lib/dpx-handoff.c lib/dpx-handoff-move.c
DPX_TSAN_UNIT = tests/unit/check_handoff_tsan
$(DPX_TSAN_UNIT): $(DPX_TSAN_SOURCES) lib/dpx-handoff.h \
		lib/dpx-handoff-move.h lib/libopenvswitch.la
	$(DPX_TSAN_LINK)
DPX_TSAN_TX_SOURCES = \
	tests/unit/check_tx_threads.c lib/dpx-tx.c
DPX_TSAN_TX_UNIT = tests/unit/check_tx_tsan
$(DPX_TSAN_TX_UNIT): $(DPX_TSAN_TX_SOURCES) lib/dpx-tx.h \
		lib/libopenvswitch.la
	$(DPX_TSAN_LINK)
check-dpx-tsan: all $(DPX_TSAN_UNIT) $(DPX_TSAN_TX_UNIT)
	TSAN_OPTIONS=halt_on_error=1 ./$(DPX_TSAN_UNIT)
	TSAN_OPTIONS=halt_on_error=1 ./$(DPX_TSAN_TX_UNIT)
.PHONY: check-dpx-tsan
CLEANFILES += $(DPX_TSAN_UNIT) $(DPX_TSAN_TX_UNIT)

CLEAN_LOCAL += clean-dpx
clean-dpx:
	test ! -f '$(DPX_TESTSUITE)' || \
	    $(SHELL) '$(DPX_TESTSUITE)' -C tests --clean

# For the Makefile around this one, which links programs into one directory.
print-dpx-programs:
	@echo $(dpx_programs)
.PHONY: print-dpx-programs
