#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# build-aux/check-patches: what it accepts, and each thing that it refuses.

. "$(dirname "$0")/lib"

check() {
    overlay/build-aux/check-patches "$@"
}
# edit SED-SCRIPT [PATCH]
edit() {
    sed -i "$1" "overlay/patches/${2:-common/hook}.patch"
}

make_stock
make_overlay
ok "a good series" check
ok "a good series applies" check --source stock
says "it says that it applies" \
    "series-3.1: 2 patches, 2 added lines of 120, applies"

for field in Description Forwarded Calls; do
    make_overlay
    edit "/^$field:/d"
    refuses "no $field" "no field '$field:'" check
done
make_overlay
edit '/^Author:/d'
refuses "no author" "neither 'Author:' nor 'Origin:'" check
edit '1iOrigin: upstream'
ok "an origin will do" check

make_overlay
edit '$r overlay/patches/common/include.patch'
refuses "two files" "changes 2 files, not one" check

make_overlay
edit 's,^+++ b/vswitchd/bridge.c,+++ b/vswitchd/other.c,'
refuses "two names" "are not a/FILE and b/FILE" check

make_overlay
edit '/^+d/d'
refuses "no change" "changes nothing" check

make_overlay
make_patch common/hook vswitchd/bridge.c "$(printf 'x;\nx;\nx;')" \
    'int bridge;' 'Calls: lib/dpx-unit.h'
ok "three lines" check --source stock
make_patch common/hook vswitchd/bridge.c "$(printf 'x;\nx;\nx;\nx;')" \
    'int bridge;' 'Calls: lib/dpx-unit.h'
refuses "four lines" "4 added lines in a row, at most 3" check

make_overlay
edit 's/^ int bridge;/-int bridge;/'
refuses "a removed line" "removes 1 lines and declares 0" check
edit '1iRemoves: 1, it is in the way'
ok "a declared removal" check
edit 's/^Removes:.*/Removes: 2, it is in the way/'
refuses "a wrong declaration" "removes 1 lines and declares 2" check
edit 's/^Removes:.*/Removes: 1/'
refuses "no reason" "'Removes: 1' is not 'N, reason'" check

make_overlay
edit 's/dpx_unit() in/dpx_gone(), dpx_unit() in/'
refuses "a function that is gone" "no source of ours has 'dpx_gone'" check
make_overlay
edit 's,in lib/dpx-unit.h,in lib/dpx-gone.h,'
refuses "a file that is gone" "'lib/dpx-gone.h' does not exist" check
make_overlay
edit 's/^Calls:.*/Calls: nothing/'
refuses "a hidden call" "calls 'dpx_unit', which 'Calls:' does not" check

make_overlay
cp overlay/patches/common/hook.patch overlay/patches/3.1/orphan.patch
edit 's/dpx_unit();/dpx_unit( );/' 3.1/orphan
refuses "an orphan" "3.1/orphan.patch: is in no series" check
cp overlay/patches/common/hook.patch overlay/patches/3.1/orphan.patch
edit 's/^Description:.*/Description: Another text./' 3.1/orphan
refuses "a duplicate" "is the same change as" check

make_overlay
echo common/gone.patch >>overlay/patches/series-3.1
refuses "a patch that is gone" \
    "names 'common/gone.patch', which does not exist" check
make_overlay
echo common/hook.patch >>overlay/patches/series-3.1
refuses "twice in a series" "names 'common/hook.patch' 2 times" check

make_overlay
for i in $(seq 40); do
    make_patch "3.1/more$i" vswitchd/bridge.c \
        "$(printf 'x%d;\nx;\nx;' "$i")" 'int bridge;' 'Calls: lib/dpx-unit.h'
    echo "3.1/more$i.patch" >>overlay/patches/series-3.1
done
refuses "over budget" "series-3.1: adds 122 lines, at most 120" check

make_overlay
echo 'int viaduct;' >stock/vswitchd/bridge.c
refuses "does not apply" "patch 'common/hook.patch' of series 3.1 failed" \
    check --source stock
refuses "no source" "no Open vSwitch source at 'nowhere'" \
    check --source nowhere
refuses "an unknown word" "--sourc" check --sourc stock
finish
