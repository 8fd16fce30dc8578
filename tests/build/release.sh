#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# build-aux/check-release and build-aux/release: what may be released, and what
# is refused.

. "$(dirname "$0")/lib"

tree() {
    rm -rf tree
    mkdir -p tree/build-aux tree/debian
    cp "$top/build-aux/check-release" "$top/build-aux/release" tree/build-aux/
    echo "AC_INIT([ovs-dpx], [1.2.3])" >tree/configure.ac
    printf '%s\n' news ==== '' 'v1.2.3 - 30 Nov 2026' ---- '   - A thing.' \
        >tree/NEWS
    echo "ovs-dpx (1.2.3-1) unstable; urgency=medium" >tree/debian/changelog
}
check() {
    tree/build-aux/check-release "$@"
}
tree
ok "all is in order" check
says "the version" "1.2.3"
refuses "an unknown word" "unknown word 'now'" check now
sed -i 's/30 Nov 2026/not released/' tree/NEWS
refuses "no day" "name the day" check
ok "but a snapshot" check --snapshot
sed -i 's/not released/Monday or so/' tree/NEWS
refuses "another word" "'Monday or so' is no day" check
tree
sed -i '/A thing/d' tree/NEWS
refuses "no news" "NEWS has nothing about v1.2.3" check
tree
sed -i 's/1.2.3/1.2.2/' tree/NEWS
refuses "older news" "NEWS begins with 'v1.2.2 - 30 Nov 2026', not with v1.2.3" check
tree
sed -i 's/1.2.3/1.2.4/' tree/debian/changelog
refuses "another Debian version" "debian/changelog begins with '1.2.4'" check
tree
sed -i 's/1.2.3/soon/' tree/configure.ac
refuses "no version" "'soon' is no version like 1.2.3" check
tree
git -C tree init -q
git -C tree add .
git -C tree -c user.name=a -c user.email=a@b.example commit -qm a
refuses "no tag" "this commit has no tag v1.2.3" check
git -C tree tag v1.2.3
ok "a tag" check
echo "   - More." >>tree/NEWS
refuses "a change" "there are changes that are not committed" check
ok "this tree itself" "$top/build-aux/check-release" --snapshot

release() {
    tree/build-aux/release "$@"
}
tree
refuses "no build" "is not configured" release --build . --parts tarball
mkdir build
printf 'dist:\n\techo one >ovs-dpx-1.2.3.tar.xz\n' >build/Makefile
refuses "an unknown part" "unknown part 'iso' (there are: tarball deb srpm rpm)" \
    release --build build --parts "tarball iso"
refuses "an unknown word" "unknown word '--now'" release --now
ok "a release" release --build build --parts tarball
says "its version" "release: 1.2.3 in"
ok "its sums" sh -c "cd build/release && sha256sum -c SHA256SUMS"
says "of the tarball" "ovs-dpx-1.2.3.tar.xz: OK"
ok "nothing else is there" sh -c 'test "$(ls build/release | tr "\n" " ")" = "SHA256SUMS ovs-dpx-1.2.3.tar.xz "'
sed -i 's/30 Nov 2026/not released/' tree/NEWS
refuses "what is not to be released" "name the day" release --build build --parts tarball
printf 'dist:\n\techo cannot; false\n' >build/Makefile
refuses "a tarball that cannot be made" "'make dist' failed" release \
    --build build --parts tarball --snapshot
finish
