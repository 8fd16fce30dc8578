# SPDX-License-Identifier: Apache-2.0
#
# ovs-pmd-plan: the machine model, the readers of pasted output, the program
# and its units.  Read by overlay.mk, which names program and units in its
# lists.

# What the daemon uses or may come to use as well is in the library; the linker
# takes what is asked for.
lib_libopenvswitch_la_SOURCES += \
	lib/dpx-core-choice.c lib/dpx-core-choice.h \
	lib/dpx-cpuset.c lib/dpx-cpuset.h \
	lib/dpx-findings.c lib/dpx-findings.h \
	lib/dpx-findings-view.c \
	lib/dpx-flow-dump.c lib/dpx-flow-dump.h \
	lib/dpx-load-table.c lib/dpx-load-table.h \
	lib/dpx-paste.c lib/dpx-paste.h \
	lib/dpx-rxq-show.c lib/dpx-rxq-show.h \
	lib/dpx-rxq-show-check.c lib/dpx-rxq-show-check.h \
	lib/dpx-rxq-show-word.c lib/dpx-rxq-show-word.h \
	lib/dpx-stats-show.c lib/dpx-stats-show.h \
	lib/dpx-topology.c lib/dpx-topology.h \
	lib/dpx-topology-keys.c \
	lib/dpx-topology-lscpu.c lib/dpx-topology-lscpu.h \
	lib/dpx-topology-text.c lib/dpx-topology-text.h \
	lib/dpx-txq-text.c lib/dpx-txq-text.h

# All of the program but what reads files and the live machine, which the unit
# of the readers does not need.
dpx_plan_sources = \
	utilities/dpx-plan.h \
	utilities/dpx-plan-commands.c \
	utilities/dpx-plan-find.c utilities/dpx-plan-find.h \
	utilities/dpx-plan-find-counters.c \
	utilities/dpx-plan-options.c \
	utilities/dpx-plan-report.c \
	utilities/dpx-plan-result.c \
	utilities/dpx-plan-view.c

# Only these programs link hwloc: the library asks for none, and its users need
# none.  The words are set per target, where automake does not take them for
# files.
dpx_hwloc_programs = utilities/ovs-pmd-plan vswitchd/ovs-vswitchd
$(dpx_hwloc_programs): DPX_HWLOC_LIBS = `pkg-config --libs hwloc`
utilities_ovs_pmd_plan_SOURCES = \
	$(dpx_plan_sources) \
	lib/dpx-topology-hwloc.c lib/dpx-topology-hwloc.h \
	utilities/dpx-plan-input.c \
	utilities/ovs-pmd-plan.c
utilities_ovs_pmd_plan_LDADD = lib/libopenvswitch.la $(DPX_HWLOC_LIBS)
utilities_ovs_pmd_plan_DEPENDENCIES = lib/libopenvswitch.la

man_MANS += utilities/ovs-pmd-plan.8
completion_SCRIPTS += utilities/ovs-pmd-plan-completion.bash
EXTRA_DIST += utilities/ovs-pmd-plan.8 utilities/ovs-pmd-plan-completion.bash

tests_unit_check_readers_SOURCES = \
	$(dpx_plan_sources) tests/unit/check_readers.c
EXTRA_DIST += tests/fuzz/fuzz_readers.c

utilities/dpx-%.$(OBJEXT): AM_CPPFLAGS += $(DPX_WARNINGS)
utilities/ovs-pmd-plan.$(OBJEXT): AM_CPPFLAGS += $(DPX_WARNINGS)
