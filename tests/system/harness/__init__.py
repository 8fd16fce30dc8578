# SPDX-License-Identifier: Apache-2.0
#
# Runs our Open vSwitch on a machine that is not prepared for it, and leaves
# nothing behind.  Used by the demo and by the system tests.
