# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# What the tests of the build tools share: a copy of the tools over a tiny
# overlay, a tiny stand-in for the Open vSwitch source, and assertions.  Read
# by tests/build/*.sh, which end with "finish".  Nothing is left behind.

set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
passed=0
failed=0

# ok NAME COMMAND...: the command succeeds.
ok() {
    name=$1
    shift
    if "$@" >"$work/out" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $name"
        sed 's/^/    /' "$work/out"
    fi
}

# says NAME WORDS: the last command of "ok" said WORDS.
says() {
    cp "$work/out" "$work/said"
    ok "$1" grep -qF -e "$2" "$work/said"
}

# refuses NAME WORDS COMMAND...: the command fails and says WORDS.
refuses() {
    name=$1
    words=$2
    shift 2
    if "$@" >"$work/out" 2>&1; then
        echo "FAILED: $name: it succeeded"
    elif ! grep -qF -e "$words" "$work/out"; then
        echo "FAILED: $name: it does not say \"$words\" but:"
        sed 's/^/    /' "$work/out"
    else
        passed=$((passed + 1))
        return
    fi
    failed=$((failed + 1))
}

finish() {
    echo "${0##*/}: $passed passed, $failed failed"
    test $failed -eq 0 && test $passed -gt 0
}

# An overlay with the tools, one unit and one series, in overlay/.
make_overlay() {
    rm -rf overlay
    mkdir -p overlay/build-aux overlay/lib overlay/vswitchd \
        overlay/patches/common overlay/patches/3.1
    cp "$top"/build-aux/prepare-tree "$top"/build-aux/check-patches \
        "$top"/build-aux/merge-schema overlay/build-aux/
    echo 'int dpx_unit(void);' >overlay/lib/dpx-unit.h
    cat >overlay/overlay.mk <<'END'
noinst_PROGRAMS += lib/prog
lib_prog_SOURCES = lib/dpx-unit.c lib/dpx-unit.h
END
    echo 'int dpx_unit(void); int dpx_unit(void) { return 0; }' \
        >overlay/lib/dpx-unit.c
    printf '%s\n' 'int main(void) { return 0; }' >>overlay/lib/dpx-unit.c
    cat >overlay/patches/series-3.1 <<'END'
@dpdk 22.11
@fragment overlay.mk
common/include.patch
common/hook.patch
END
    make_patch common/include Makefile.am 'include overlay.mk' '' \
        'Calls: overlay.mk'
    make_patch common/hook vswitchd/bridge.c 'dpx_unit();' 'int bridge;' \
        'Calls: dpx_unit() in lib/dpx-unit.h'
}

# make_patch NAME FILE ADDED CONTEXT FIELD...: a patch that adds lines before
# CONTEXT, or at the end of the two-line makefile.
make_patch() {
    patch_name=$1 file=$2 added=$3 context=$4
    shift 4
    {
        printf 'Description: A hook.\nAuthor: A. Nobody\n'
        printf 'Forwarded: not-needed\n'
        printf '%s\n' "$@"
        printf -- '--- a/%s\n+++ b/%s\n' "$file" "$file"
        count=$(printf '%s\n' "$added" | grep -c '')
        if test -n "$context"; then
            printf '@@ -1 +1,%d @@\n' $((count + 1))
            printf '%s\n' "$added" | sed 's/^/+/'
            printf ' %s\n' "$context"
        else
            printf '@@ -2 +2,%d @@\n noinst_PROGRAMS =\n' $((count + 1))
            printf '%s\n' "$added" | sed 's/^/+/'
        fi
    } >"overlay/patches/$patch_name.patch"
}

# A stand-in for the stock source of release 3.1, in stock/.
make_stock() {
    rm -rf stock
    mkdir -p stock/vswitchd stock/build-aux stock/m4
    echo 'int bridge;' >stock/vswitchd/bridge.c
    cat >stock/configure.ac <<'END'
AC_INIT(openvswitch, 3.1.7, nobody)
AC_CONFIG_HEADERS([config.h])
AC_CONFIG_AUX_DIR([build-aux])
AM_INIT_AUTOMAKE([foreign subdir-objects])
AC_PROG_CC
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
END
    printf '%s\n' '# Stand-in.' 'noinst_PROGRAMS =' >stock/Makefile.am
}
