#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# tests/releases and tests/upstream without a network and without a build:
# what they refuse, how they read results, when a release is skipped, and that
# a killed run leaves no process and no mount.

. "$(dirname "$0")/lib"

releases=$top/tests/releases
compare=$top/tests/upstream/compare

# Arguments.
refuses "an unknown release" "unknown release '2.17'" "$releases" 2.17
refuses "an unknown option" "unknown option '--fast'" "$releases" --fast
refuses "an unknown step" "unknown step 'tset'" "$releases" --steps build,tset
refuses "a list that is missing" "--steps needs a list" "$releases" --steps
ok "help" "$releases" --help
says "help names the steps" "build, warnings, symbols, check, upstream"

# Results of `make check`.
results() {
    printf '%s\n' "$@" | awk -v prefix=3.5 -f "$top/tests/releases.d/results.awk"
}
ok "autotest" results '  1: DPX - a name (of sorts)      ok' \
    '  2: DPX - b         FAILED (dpx.at:7)' \
    '  3: DPX - c         skipped (dpx.at:9)' 'not a: result ok' \
    'ERROR: All 3 tests were run,'
says "autotest ok" "PASS 3.5 check: DPX - a name (of sorts)"
says "autotest failure" "FAIL 3.5 check: DPX - b"
says "autotest skip" "SKIP 3.5 check: DPX - c"
silent "nothing else counts" "not a"
silent "autotest's summary does not count" "were run"
ok "libcheck" results 'Running suite(s): load' \
    '85%: Checks: 7, Failures: 1, Errors: 0' 'Running suite(s): view' \
    '100%: Checks: 4, Failures: 0, Errors: 0' 'Running suite(s): none' \
    '100%: Checks: 0, Failures: 0, Errors: 0'
says "libcheck failure" "FAIL 3.5 check: unit load (7 cases)"
says "libcheck success" "PASS 3.5 check: unit view (4 cases)"
says "an empty suite" "FAIL 3.5 check: unit none (0 cases)"

# Comparing with stock.
printf '# source: x 1\nok\ta\nok\tb\nFAILED\tc\nok\td\n' >stock.txt
printf '# source: x 1\nok\ta\t1\nok\tb\nFAILED\tc\nskipped\td\n' >ours.txt
ok "nothing lost" "$compare" stock.txt ours.txt
says "a test that fails in stock is no loss" "fails in stock too: c"
says "a flaky test is named" "passed when repeated alone: a"
says "a test skipped only here is named" "only skipped here: d (skipped)"
sed 's/^ok.b/FAILED\tb/' ours.txt >lost.txt
refuses "a test that fails" "LOST: b (FAILED)" "$compare" stock.txt lost.txt
grep -v 'b$' ours.txt >lost.txt
refuses "a test that is gone" "LOST: b (missing)" "$compare" stock.txt lost.txt
sed 's/x 1/x 2/; /b$/d' ours.txt >lost.txt
refuses "another source" "are of 'x 1', this is 'x 2'" \
    "$compare" stock.txt lost.txt
: >empty.txt
refuses "no results" "no result in 'empty.txt'" "$compare" stock.txt empty.txt
echo 'fine a' >bad.txt
refuses "no result file" "not a result: 'fine a'" "$compare" stock.txt bad.txt

# Running a suite: a stand-in for autotest's script in a build of nothing.
mkdir -p suite/vswitchd suite/tests
: >suite/vswitchd/bridge.o
: >suite/tests/atlocal
printf '%s\n' 'srcdir = .' 'VERSION = 9.9' 'TESTSUITE = tests/testsuite' \
    'all tests/testsuite:' >suite/Makefile
cat >suite/tests/testsuite <<'END'
at_help_all="1;pmd.at:1;PMD - good;kw;
2;pmd.at:5;PMD - twice;kw;
3;vlog.at:9;PMD - twice;kw;
4;vlog.at:15;vlog - never;kw; more
5;lacp.at:3;lacp - not here;kw;
6;bfd.at:3;bfd - in no group;kw;
"
for n; do
    case $n in
    1)
        # A daemon that is stopped must be gone, not a zombie.
        pid=$(sh -c 'sleep 300 >/dev/null & echo $!')
        kill "$pid"
        for _ in 1 2 3 4 5 6 7 8 9; do
            kill -0 "$pid" 2>/dev/null || break
            sleep 0.2
        done
        kill -0 "$pid" 2>/dev/null && word='FAILED (pmd.at:2)' || word=ok
        echo "  1: PMD - good            $word"
        ;;
    2) echo "  2: PMD - twice           skipped (pmd.at:6)" ;;
    3)
        test -e tests/again && word=ok || word='FAILED (vlog.at:9)'
        : >tests/again
        echo "  3: PMD - twice           $word"
        ;;
    4) echo "  4: vlog - never          FAILED (vlog.at:15)" ;;
    5) echo "  5: lacp - not here       expected failure (lacp.at:3)" ;;
    6) echo "  6: bfd - in no group     ok" ;;
    esac
done
END
run_suite() {
    rm -f suite/tests/again
    "$top/tests/upstream/run-suite" --tree suite --out suite.txt "$@" &&
        cat suite.txt
}
ok "a suite" run_suite --groups pmd,vlog,bond
says "a test that passes" "ok	PMD - good"
says "a test that is skipped" "skipped	PMD - twice"
says "a test of the same name that passed when repeated" "ok	PMD - twice #2	1"
says "a test that fails each time" "FAILED	vlog - never"
says "an expected failure" "xfail	lacp - not here"
says "the source" "# source: openvswitch 9.9"
silent "a test of no group" "bfd"
ok "the whole suite" run_suite --groups all
says "a test of no group runs with all" "ok	bfd"
printf '#\nok\tPMD - twice #2\nok\tgone\n' >names.txt
ok "tests by name" run_suite --names names.txt
silent "no other test" "good"
refuses "an unknown group" "no group 'pdm'" run_suite --groups pdm
refuses "no build" "'none' is not a finished build of Open vSwitch" \
    "$top/tests/upstream/run-suite" --tree none --groups ci --out x
printf 'ok\tgone\n' >names.txt
refuses "no test chosen" "choose no test" run_suite --names names.txt

# The whole suite on two builds: what stock says is asked once and kept.
cp -R suite stock
: >stock/vswitchd/ovs-vswitchd
touch -d '1 hour ago' stock/vswitchd/ovs-vswitchd
verify="$top/tests/upstream/verify"
: >suite/tests/again
ok "both pass alike" "$verify" suite 9.9 stock
says "stock is run first" "verify: the whole suite on stock"
says "they are compared" "PASS upstream: no test lost (of 3)"
sed -i 's/^    6).*/    6) echo "  6: bfd - in no group     FAILED (bfd.at:4)" ;;/' \
    suite/tests/testsuite
refuses "a test is lost" "FAIL upstream" "$verify" suite 9.9 stock
silent "stock is not run again" "verify: the whole suite on stock"
touch stock/vswitchd/ovs-vswitchd
refuses "a test is still lost" "FAIL upstream" "$verify" suite 9.9 stock
says "a new stock build is run again" "verify: the whole suite on stock"
refuses "a release without results" "no stock results" "$verify" suite 9.9
refuses "too few words" "usage: verify" "$verify" suite

# The suite has moved on: make-root, with a root that only answers apt.
mkdir -p stubs roots/sid
cp "$top/tests/releases.d/make-root" "$top/tests/releases.d/packages" stubs/
cat >stubs/with-root <<'END'
#!/bin/sh
case $4 in
openvswitch-source) echo "  Candidate: $STUB_OVS" ;;
libdpdk-dev) echo "  Candidate: $STUB_DPDK" ;;
esac
END
chmod 755 stubs/with-root
echo "$(sed 's/#.*//' stubs/packages | tr '\n' ' ') " >roots/sid/.dpx-root

moved() {
    STUB_OVS=$1 STUB_DPDK=$2 DPX_ROOTS=$work/roots \
        stubs/make-root sid 4.0 25.11
    status=$?
    test $status != 77 || echo "skipped"
    return $status
}
ok "the expected versions" moved 4.0.0-2 25.11.4-1
ok "a later point release" moved 4.0.1~rc1-1 25.11-1
refuses "another Open vSwitch" \
    "Debian sid has Open vSwitch 4.1.0-1, not 4.0" moved 4.1.0-1 25.11.4-1
says "another Open vSwitch is a skip" "skipped"
refuses "another DPDK" "Debian sid has DPDK 26.11-1, not 25.11" \
    moved 4.0.0-2 26.11-1
refuses "a longer number" "Debian sid has Open vSwitch 4.01.0-1, not 4.0" \
    moved 4.01.0-1 25.11.4-1

# Warnings and symbols, in a tiny overlay and a tiny build.
mkdir -p over/tests over/lib tree/lib tree/vswitchd
cp -R "$top/tests/releases.d" over/tests/
printf 'srcdir = .\nCOMPILE = $(CC) -O2 -Wno-sign-compare\n' >tree/Makefile
# both FILE LINE...: a file of ours, which is in the tree too.
both() {
    file=$1
    shift
    printf '%s\n' "$@" >over/$file
    cp over/$file tree/$file
}
warnings() {
    over/tests/releases.d/check-warnings tree gcc
}
symbols() {
    (cd tree && rm -f lib/lib.a && gcc -c -o lib/dpx-a.o lib/dpx-a.c &&
        ar cr lib/lib.a lib/dpx-a.o &&
        gcc -o vswitchd/ovs-vswitchd lib/dpif.c lib/lib.a) &&
        over/tests/releases.d/check-symbols tree
}
refuses "warnings of nothing" "no file of ours is in 'tree'" warnings
refuses "symbols of nothing" "FAIL symbols" \
    over/tests/releases.d/check-symbols tree
both lib/dpx-glue.h '#include <stddef.h>'
both lib/dpx-a.c 'int dpx_a(int); int dpx_a(int a) { return a; }'
printf '%s\n' '#include "dpx-glue.h"' 'int dpx_a(int);' \
    'int main(int c, char **v) { int u; return dpx_a(1); }' >tree/lib/dpif.c
ok "warnings about Open vSwitch's own lines are not ours" warnings
says "they count files" "PASS warnings, gcc: none in 2 files"
ok "a symbol is linked" symbols
both lib/dpx-glue.h 'static int glue(int a) { return 0; }'
refuses "a warning in glue" "lib/dpx-glue.h:1:" warnings
both lib/dpx-glue.h '#include <stddef.h>'
both lib/dpx-a.c 'int dpx_a(int a) { return 0; }'
refuses "a warning in a file of ours" "lib/dpx-a.c:1:" warnings
both lib/dpx-a.c 'int dpx_a(int a) { return x; }'
refuses "a file that does not compile" "FAIL warnings, gcc" warnings
both lib/dpx-a.c 'int dpx_a(int); int dpx_a(int a) { return a; }'
sed 's/dpx_a(1)/0/' tree/lib/dpif.c >dpif.c && mv dpif.c tree/lib/
refuses "an object that nothing needs" \
    "lib/dpx-a.c: not linked into ovs-vswitchd" symbols
mkdir over/tests/data
echo '!lib/dpx-a.c' >over/tests/data/symbols.txt
ok "an object that must not be there" symbols
echo 'dpx_b' >>over/tests/data/symbols.txt
refuses "a symbol that must be there" "dpx_b: not in ovs-vswitchd" symbols

# Nothing survives a kill.  Any directory with a shell is a root: this machine.
nothing_left() {
    ! pgrep -f "^sleep 98765.$$"
}
if test "$(id -u)" = 0; then
    "$top/tests/releases.d/with-root" -n / sh -c \
        "sleep 98765.$$ & sleep 98765.$$" >started 2>&1 &
    pid=$!
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        test "$(pgrep -cf "^sleep 98765.$$")" != 2 || break
        sleep 0.5
    done
    ok "a command runs in a root" test "$(pgrep -cf "^sleep 98765.$$")" = 2
    mounts=$(wc -l </proc/mounts)
    kill -KILL $pid
    wait $pid 2>started
    sleep 0.5
    ok "no process is left" nothing_left
    ok "no mount is left" test "$(wc -l </proc/mounts)" = "$mounts"
    refuses "no root" "'$work/none' is no Debian root" \
        "$top/tests/releases.d/with-root" "$work/none" true
    ok "the exit status gets out" sh -c \
        "'$top/tests/releases.d/with-root' / sh -c 'exit 7'; test \$? = 7"
fi

finish
