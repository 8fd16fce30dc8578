#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The manual page and the completion of ovs-pmd-plan name the options that its
# table has, and no others; the guide shows what the program answers.

. "$(dirname "$0")/lib"

sed 's/\\-/-/g' "$top/utilities/ovs-pmd-plan.8" >page
sed -n 's/^    { "\([a-z-]*\)", \(NULL\|"[^"]*"\), read_.*/\1/p' \
    "$top/utilities/dpx-plan-options.c" >options
ok "there are options" test -s options
while read -r option; do
    ok "the page has --$option" grep -qE "^\.BR? --$option( |\$)" page
done <options
sed -n 's/^\.BR\{0,1\} --\([a-z-]*\)\( .*\)\{0,1\}$/\1/p' page |
    grep -vxE 'hardware|dummy-numa' >named
while read -r option; do
    ok "the program has --$option" grep -qxF -e "$option" options
done <named

# What the completion treats apart must exist as well.
sed -n 's/^ *\(--[a-z|\\-]*\).*/\1/p' \
    "$top/utilities/ovs-pmd-plan-completion.bash" |
    tr '|\\' '\n\n' | sed -n 's/^--\([a-z-][a-z-]*\)$/\1/p' >completed
ok "the completion has options" test -s completed
while read -r option; do
    ok "the program has --$option" grep -qxF -e "$option" options
done <completed

# The answers in the guide are those that the tests compare with.
cat >in_guide.py <<'END'
import sys
guide, golden = (open(name).read() for name in sys.argv[1:])
indented = "".join("    " + line + "\n" if line else "\n"
                   for line in golden.split("\n"))
sys.exit(indented.rstrip() not in guide)
END
for name in x-skewed 06-23-one-hot-queue x-threads 21-table; do
    ok "the guide has the answer of $name" python3 in_guide.py \
        "$top/Documentation/offline-planner.rst" \
        "$top/tests/offline/$name.golden"
done

finish
