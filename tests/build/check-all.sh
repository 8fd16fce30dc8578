#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# tests/check-all over stages that only print: what it counts, what it skips
# for want of time, what it refuses.

. "$(dirname "$0")/lib"

# check_all STAGES WORD...: check-all with these stages (Python).
check_all() {
    stages=$1
    shift
    DPX_BUILD=$work/build PYTHONDONTWRITEBYTECODE=1 python3 -c '
import importlib.machinery, importlib.util, sys
loader = importlib.machinery.SourceFileLoader("check_all", sys.argv[1])
module = importlib.util.module_from_spec(
    importlib.util.spec_from_loader("check_all", loader))
loader.exec_module(module)
if sys.argv[2]:
    module.STAGES[:] = eval(sys.argv[2])
sys.argv[1:] = sys.argv[3:]
module.main()' "$top/tests/check-all" "$stages" "$@"
}

two='[("one", "first", "echo PASS a; echo FAIL: b", 1, 0),
      ("two", "second", "echo PASS c", 1, 5)]'
refuses "a failed test" "1 passed, 1 failed, 0 skipped" check_all "$two" one
ok "a stage by name" check_all "$two" two
says "it is counted" "1 passed, 0 failed, 0 skipped"
refuses "both" "2 passed, 1 failed, 0 skipped" check_all "$two"

good='[("one", "first", "echo PASS a", 1, 0),
       ("two", "second", "echo PASS c", 1, 5)]'
DPX_CHECK_MINUTES=2
export DPX_CHECK_MINUTES
ok "too little time" check_all "$good"
says "what needs more is skipped" "1 passed, 0 failed, 1 skipped"
says "with the reason" "two: takes about 5 minutes"
DPX_CHECK_MINUTES=0
ok "no time" check_all "$good"
says "what needs none runs" "1 passed, 0 failed, 1 skipped"
ok "no time, by name" check_all "$good" two
says "it runs" "1 passed, 0 failed, 0 skipped"
for word in soon -1 ''; do
    DPX_CHECK_MINUTES=$word
    refuses "the time '$word'" \
        "DPX_CHECK_MINUTES: '$word' is not a number of minutes" \
        check_all "$good"
done
unset DPX_CHECK_MINUTES

refuses "silence" "ran no test" check_all '[("one", "x", "true", 1, 0)]'
refuses "an exit status" "exit status 3" \
    check_all '[("one", "x", "echo PASS a; exit 3", 1, 0)]'
refuses "an unknown stage" "'units': unknown stage" check_all '' units
# What runs on request only is a stage that can be asked for.
for stage in packages rpm; do
    ok "stage $stage" grep -q "^    (\"$stage\", " "$top/tests/check-all"
done

finish
