# SPDX-License-Identifier: Apache-2.0
#
# The test netdev "paced".  Read by overlay.mk; in a stock tree (series
# "paced") it stands in for overlay.mk, so it must need nothing else of ours.

DPX_WARNINGS = -Wall -Wextra -Werror

lib_libopenvswitch_la_SOURCES +=

# Our objects are held to more than Open vSwitch's own: a warning is an error.
# It goes into AM_CPPFLAGS, which stands before Open vSwitch's choice of
# warnings, so that what is switched off there stays off.
lib/dpx-%.lo lib/dpx-%.$(OBJEXT): AM_CPPFLAGS += $(DPX_WARNINGS)
lib/netdev-dpx-%.lo lib/netdev-dpx-%.$(OBJEXT): AM_CPPFLAGS += $(DPX_WARNINGS)
