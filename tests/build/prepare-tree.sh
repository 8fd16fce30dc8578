#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# build-aux/prepare-tree: what it puts in the tree, what it leaves alone when
# it runs again, and what it refuses.

. "$(dirname "$0")/lib"

prepare() {
    overlay/build-aux/prepare-tree --source stock --to tree "$@"
}
# written N NAME: the last "ok" wrote N files.
written() {
    says "$2" ", $1 file$(test "$1" = 1 || echo s) written"
}
# newer FILE: written since the last "mark".
mark() {
    sleep 0.02
    touch mark
    sleep 0.02
}
newer() {
    test tree/"$1" -nt mark
}
older() {
    test ! tree/"$1" -nt mark
}
build() {
    mkdir -p build && cd build && ../tree/configure && make && cd ..
}
rebuild() {
    make -C build
}

make_stock
make_overlay
mkdir stock/.git
ok "a tree" prepare
ok "is patched" grep -q 'dpx_unit();' tree/vswitchd/bridge.c
ok "has our file" cmp overlay/lib/dpx-unit.c tree/lib/dpx-unit.c
ok "has the fragment" cmp overlay/overlay.mk tree/overlay.mk
ok "has no .git" test ! -e tree/.git
ok "has been through autoreconf" test -x tree/configure
ok "is built" build

ok "again" prepare
written 0 "nothing is written"
ok "what is built is still good" rebuild
silent "automake does not run" automake
silent "nothing is compiled" dpx-unit

mark
echo '/* Changed. */' >>overlay/lib/dpx-unit.c
ok "one file of ours changed" prepare
written 1 "only that is written"
ok "it is built" rebuild
says "one object is compiled" dpx-unit
ok "configure did not run again" older configure

mark
sed -i 's/dpx_unit();/dpx_unit(0);/' overlay/patches/common/hook.patch
ok "a patch changed" prepare
written 1 "only what it patches is written"
ok "that is the file" newer vswitchd/bridge.c
ok "the others stay" older lib/dpx-unit.c

mark
echo '# A remark.' >>overlay/overlay.mk
ok "the fragment changed" prepare
ok "is in the tree" cmp overlay/overlay.mk tree/overlay.mk
ok "the makefile is newer" test tree/Makefile.in -nt tree/overlay.mk
ok "configure is not written" older configure
ok "it is built" rebuild
silent "nothing is compiled" dpx-unit
silent "configure does not run" "checking for gcc"

mark
sed -i 's/dpx-unit.c/dpx-unit.c lib\/dpx-next.c/' overlay/overlay.mk
echo 'int dpx_next(void); int dpx_next(void) { return 0; }' \
    >overlay/lib/dpx-next.c
ok "a new unit" prepare
ok "is built" rebuild
says "it is compiled" dpx-next
silent "configure does not run" "checking for gcc"
mark
echo 'dnl A remark.' >>stock/configure.ac
ok "a new source" prepare
ok "configure is not older" test ! tree/configure -ot tree/configure.ac
ok "is built" rebuild

echo 'not ours' >tree/lib/dpx-unit.c
ok "an edit in the tree" prepare
ok "is put right" cmp overlay/lib/dpx-unit.c tree/lib/dpx-unit.c

echo common/none.patch >overlay/patches/series-paced-3.1
refuses "a series with a bad line" "no patch 'common/none.patch'" \
    prepare --series paced
echo '@fragmnet overlay.mk' >overlay/patches/series-paced-3.1
refuses "an unknown line" "unknown line '@fragmnet overlay.mk'" \
    prepare --series paced
echo '@fragment overlay-none.mk' >overlay/patches/series-paced-3.1
refuses "a fragment that is gone" "no makefile fragment 'overlay-none.mk'" \
    prepare --series paced
refuses "an unknown series" "no series for 'nought' (there are: 3.1" \
    prepare --series nought
refuses "another release" "is release 3.1, not '3.5'" prepare --release 3.5
refuses "no source" "install the package openvswitch-source" \
    prepare --source nowhere
mkdir empty
refuses "a source that is none" "'empty' is no Open vSwitch source" \
    prepare --source empty
mkdir other
touch other/file
refuses "a directory of others" "was not made by prepare-tree" \
    prepare --to other
ok "is left alone" test "$(ls other)" = file
touch stock/config.status
refuses "a configured source" "was configured in place" prepare
rm stock/config.status

cp tree/vswitchd/bridge.c before
sed -i 's/^ int bridge;/ int viaduct;/' overlay/patches/common/hook.patch
refuses "a patch that does not apply" \
    "patch 'common/hook.patch' of series 3.1 failed" prepare
ok "leaves the tree alone" cmp before tree/vswitchd/bridge.c
ok "leaves nothing behind" test ! -e tree.stage
make_overlay
printf 'int bridge;\nint near;\n' >stock/vswitchd/bridge.c
sed -i 's/@@ -1 +1,2 @@/@@ -1,2 +1,3 @@/; $a\ int far;' \
    overlay/patches/common/hook.patch
refuses "a patch that would need fuzz" \
    "patch 'common/hook.patch' of series 3.1 failed" prepare

make_stock
make_overlay
touch stock/lib 2>/dev/null
rm -f stock/lib
mkdir stock/lib
echo theirs >stock/lib/dpx-unit.c
refuses "a name of theirs" \
    "'lib/dpx-unit.c' would replace a file of Open vSwitch" prepare
make_stock
rm overlay/lib/dpx-unit.c
refuses "a file that is gone" \
    "names 'lib/dpx-unit.c', which does not exist" prepare
make_overlay
echo '#include "dpx-more.h"' >>overlay/lib/dpx-unit.c
touch overlay/lib/dpx-more.h
refuses "a header that is not named" \
    "lib/dpx-unit.c includes 'lib/dpx-more.h', which overlay.mk does not" \
    prepare

make_overlay
tar -cJf stock.tar.xz --transform s/^stock/openvswitch-3.1.7/ stock
ok "a tarball" prepare --source stock.tar.xz --to fromtar
ok "is patched" grep -q 'dpx_unit();' fromtar/vswitchd/bridge.c
touch overlay/patches/series-stock
ok "a stock tree" prepare --series stock --to plain
ok "has no hook" cmp stock/vswitchd/bridge.c plain/vswitchd/bridge.c
ok "has no file of ours" test ! -e plain/lib -a ! -e plain/overlay.mk
finish
