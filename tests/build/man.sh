#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The manual page and the commands' rows in lib/, which are the only place
# that knows a command's words, name the same commands and options.

. "$(dirname "$0")/lib"

page=$top/vswitchd/ovs-dpx.8
sed 's/\\-/-/g' "$page" >page

commands=$(sed -n 's/^ *\.name = "\(.*\)",$/\1/p' "$top"/lib/dpx-*)
options=$(sed -n 's/^ *\(\[.*\] = \)\{0,1\}{ "\(-[a-z]*\)", .*/\2/p' \
              "$top"/lib/dpx-*)
ok "there are commands" test -n "$commands"
ok "there are options" test -n "$options"
for word in $commands; do
    ok "the page has $word" grep -qx -e "\.B $word" page
done
for word in $options; do
    ok "the page has $word" grep -q -e "^\.R\{0,1\}B.* $word\b" page
done
for word in $(sed -n 's/^\.B \(dpif-netdev\/[a-z-]*\)$/\1/p' page); do
    case $word in
    dpif-netdev/pmd-rxq-rebalance) continue ;;  # Open vSwitch's own.
    esac
    ok "$word exists" grep -qh "\"$word\"" -r "$top"/lib
done

finish
