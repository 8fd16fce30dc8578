#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Our configure and "make dist": what configure refuses, and that the tarball
# holds every file that git tracks.  Needs what a build needs.

. "$(dirname "$0")/lib"

# What is part of the source, whatever holds it.
if test -d "$top/.git"; then
    git -C "$top" ls-files -co --exclude-standard | grep -v '\.gitignore$' | sort >tracked
else
    (cd "$top" && find . -type f -not -path './_build/*' |
        sed 's,^\./,,') | grep -v '\.gitignore$' | sort >tracked
fi
mkdir copy build
while read -r file; do
    mkdir -p "copy/$(dirname "$file")"
    # A tracked file that somebody has just removed is not the tarball's loss.
    cp -p "$top/$file" "copy/$file" 2>/dev/null || sed -i "\,^$file\$,d" tracked
done <tracked
ok "autoreconf" autoreconf -fi copy

configure() {
    (cd build && ../copy/configure "$@")
}
refuses "no such source" "no Open vSwitch source at '/nonexistent'" \
    configure --with-ovs-source=/nonexistent
refuses "no value" "--with-ovs-source needs a directory or tarball" \
    configure --with-ovs-source
refuses "a wrong way to link" "--with-dpdk=maybe is not shared, static or no" \
    configure --with-dpdk=maybe
refuses "a Python that is none" \
    "PYTHON3: 'false' is not a Python 3 interpreter" \
    configure PYTHON3=false
refuses "a directory of something else" "is no Open vSwitch source" \
    configure --with-ovs-source="$work/build"
make_stock
sed -i 's/3\.1\.7/9.9.0/' stock/configure.ac
refuses "a release that we do not know" \
    "there is no series for Open vSwitch 9.9, only for: 3.1 3.5 4.0" \
    configure --with-ovs-source="$work/stock"
make_stock
printf '#!/bin/sh\ncase $1 in --modversion) echo 19.11.2 ;; esac\n' >pkg-config
chmod +x pkg-config
refuses "another DPDK" "is made for DPDK 22.11, but pkg-config finds 19.11.2" \
    configure --with-ovs-source="$work/stock" PKG_CONFIG="$work/pkg-config"
ok "no DPDK at all, if not wanted" configure --with-dpdk=no \
    --with-ovs-source="$work/stock" PKG_CONFIG="$work/pkg-config"
printf '#!/bin/sh\nexit 1\n' >pkg-config
refuses "missing libraries" "libhwloc-dev check libdpdk-dev" \
    configure --with-ovs-source="$work/stock" PKG_CONFIG="$work/pkg-config"
DPX_PACKAGES=rpm
export DPX_PACKAGES
refuses "the same where packages are RPM" "dnf install openssl-devel libcap-ng-devel hwloc-devel check-devel dpdk-devel" \
    configure --with-ovs-source="$work/stock" PKG_CONFIG="$work/pkg-config"
test -e /usr/src/openvswitch ||
    refuses "no source where no package has it" "--with-ovs-source=TARBALL" configure
DPX_PACKAGES=win
refuses "a kind of package that we do not know" \
    "DPX_PACKAGES='win' is not deb or rpm" "$top/build-aux/check-packages"
unset DPX_PACKAGES

ok "configure" configure --with-ovs-source="$work/stock" --with-dpdk=no
ok "make dist" make -C build dist
tar -tf build/ovs-dpx-*.tar.xz 2>/dev/null | sed 's,^[^/]*/,,' | grep -v '/$' |
    sort >packed
comm -23 tracked packed >lost
ok "every file is in it" sh -c 'head lost; test ! -s lost'
finish
