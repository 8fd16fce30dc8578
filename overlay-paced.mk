# SPDX-License-Identifier: Apache-2.0
#
# The test netdev "paced".  Read by overlay.mk; in a stock tree (series
# "paced") it stands in for overlay.mk, so it must need nothing else of ours.

DPX_WARNINGS = -Wall -Wextra -Werror

# Which release this is, for lib/dpx-compat.h: 3.1 is 301.  In AM_CPPFLAGS,
# because Open vSwitch's own objects include our hooks.
AM_CPPFLAGS += -DDPX_OVS_RELEASE=`echo $(PACKAGE_VERSION) | awk -F. '{ print $$1 * 100 + $$2 }'`

lib_libopenvswitch_la_SOURCES += \
	lib/dpx-counter.h \
	lib/dpx-paced-check.c lib/dpx-paced-check.h \
	lib/dpx-paced-config.c lib/dpx-paced-config.h \
	lib/dpx-paced-counter.h \
	lib/dpx-paced-flows.c lib/dpx-paced-flows.h \
	lib/dpx-paced-gap.c lib/dpx-paced-gap.h \
	lib/dpx-paced-guard.h \
	lib/dpx-paced-packet.c lib/dpx-paced-packet.h \
	lib/dpx-paced-pcap.c lib/dpx-paced-pcap.h \
	lib/dpx-paced-ring.c lib/dpx-paced-ring.h \
	lib/dpx-paced-rx.c lib/dpx-paced-rx.h \
	lib/dpx-paced-sink.c lib/dpx-paced-sink.h \
	lib/dpx-paced-thread.c lib/dpx-paced-thread.h \
	lib/dpx-paced-tx.c lib/dpx-paced-tx.h \
	lib/dpx-tx-note.c lib/dpx-tx-note.h \
	lib/netdev-dpx-paced.c lib/netdev-dpx-paced.h \
	lib/netdev-dpx-paced-cmd.c \
	lib/netdev-dpx-paced-options.c \
	lib/netdev-dpx-paced-private.h \
	lib/netdev-dpx-paced-stats.c

# Our objects are held to more than Open vSwitch's own: a warning is an error.
# It goes into AM_CPPFLAGS, which stands before Open vSwitch's choice of
# warnings, so that what is switched off there stays off.
lib/dpx-%.lo lib/dpx-%.$(OBJEXT): AM_CPPFLAGS += $(DPX_WARNINGS)
lib/netdev-dpx-%.lo lib/netdev-dpx-%.$(OBJEXT): AM_CPPFLAGS += $(DPX_WARNINGS)
