#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The manual page of ovs-dpx-bench names every option of its commands and no
# others, and the completion names no option that does not exist.

. "$(dirname "$0")/lib"

sed 's/\\-/-/g' "$top/utilities/ovs-dpx-bench.8" >page
{
    sed -n '/^const struct dpx_bench_option/,/^};/s/^    { "\([a-z-]*\)",.*/--\1/p' \
        "$top"/utilities/dpx-bench-*.c
    sed -n 's/.*p.add_argument("\(--[a-z-]*\)".*/\1/p' \
        "$top/utilities/dpx-bench/run.py"
    echo --help
    echo --version
} | sort -u >options
ok "there are options" test "$(wc -l <options)" -gt 20
while read -r option; do
    ok "the page has $option" grep -qE -e "[ R]$option([ ,]|\$)" page
done <options
grep -E '^\.BR? ' page | grep -oE -e '[ R]--[a-z-]+' | tr -d ' R' |
    sort -u >named
while read -r option; do
    ok "the program has $option" grep -qxF -e "$option" options
done <named

grep -oE -e '--[a-z]+[a-z-]*' \
    "$top/utilities/ovs-dpx-bench-completion.bash" | sort -u |
    grep -vx -e --option >completed
ok "the completion has options" test -s completed
while read -r option; do
    ok "the program has $option" grep -qxF -e "$option" options
done <completed

finish
