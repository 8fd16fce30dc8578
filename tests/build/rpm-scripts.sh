#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The RPM packages without rpm: what build-aux/rpm-sources makes, and
# rhel/hand-over.sh with programs in bin/ that note what they are asked.

. "$(dirname "$0")/lib"

# rpm-sources.
make_stock
sources() {
    rm -rf rpm
    "$top/build-aux/rpm-sources" --to rpm "$@"
}
: >ovs-dpx-0.1.0.tar.xz
: >other.tar.xz
refuses "no words" "--source, --dist and --to are needed" sources
refuses "an unknown word" "unknown word '--what'" sources --what
refuses "a word without its value" "--dist needs a value" sources --dist
refuses "no tarball of ours" "there is no 'gone.tar.xz'" sources \
    --source stock --dist gone.tar.xz
refuses "a tarball of something else" "is not named ovs-dpx-VERSION.tar.xz" \
    sources --source stock --dist other.tar.xz
refuses "no Open vSwitch" "no Open vSwitch source at 'gone'" sources \
    --source gone --dist ovs-dpx-0.1.0.tar.xz
mkdir stock/rhel stock/.git
echo upstream >stock/rhel/file
SOURCE_DATE_EPOCH=86400
export SOURCE_DATE_EPOCH
ok "from a directory" sources --source stock --dist ovs-dpx-0.1.0.tar.xz
says "the spec file" "rpm/SPECS/openvswitch-dpx.spec"
spec=rpm/SPECS/openvswitch-dpx.spec
ok "all is filled in" sh -c "! grep -nE '@[A-Z_]+@|^#HAND_OVER' $spec"
ok "Open vSwitch's version" grep -x '%global ovs_version 3.1.7' $spec
ok "its release" grep -x '%global ovs_release 3.1' $spec
ok "ours" grep -x '%global dpx_version 0.1.0' $spec
ok "its DPDK" grep -x '%global dpdk_release 22.11' $spec
ok "a date" grep -F '* Fri Jan 02 1970 ovs-dpx maintainers' $spec
ok "with its version" grep -F -- '- 3.1.7+dpx0.1.0-1' $spec
ok "four scriptlets have the functions" test \
    "$(grep -c '^dpx_resume() {' $spec)" = 4
ok "its tarball" tar -tf rpm/SOURCES/openvswitch-3.1.7.tar.gz
says "one directory" "openvswitch-3.1.7/rhel/file"
silent "without version control" ".git"
cp rpm/SOURCES/openvswitch-3.1.7.tar.gz first.tar.gz
ok "again" sources --source stock --dist ovs-dpx-0.1.0.tar.xz
ok "the same bytes" cmp first.tar.gz rpm/SOURCES/openvswitch-3.1.7.tar.gz
ok "from a tarball" sources --source first.tar.gz --dist ovs-dpx-0.1.0.tar.xz
ok "its tarball" tar -tf rpm/SOURCES/openvswitch-3.1.7.tar.gz
says "the same directory" "openvswitch-3.1.7/rhel/file"

# hand-over.sh.  on/: enabled units; up/: units that run.
root=$work/root
mkdir bin
cat >bin/systemctl <<'END'
#!/bin/sh
echo "systemctl $*" >>"$WORK/did"
for unit; do :; done
case " $* " in
*" is-enabled "*) test -e "$WORK/on/$unit" ;;
*" is-active "*) test -e "$WORK/up/$unit" ;;
*" enable "*) : >"$WORK/on/$unit" ;;
*" start "*)
    test "${BROKEN-}" != "$unit" || exit 1
    : >"$WORK/up/$unit"
    test "$unit" != openvswitch.service || : >"$WORK/up/ovs-vswitchd.service" ;;
*" daemon-reload "*) ;;
*) echo "systemctl $*" >&2; exit 2 ;;
esac
END
cat >bin/ovs-vsctl <<'END'
#!/bin/sh
echo "ovs-vsctl $*" >>"$WORK/did"
case " $* " in
*" list-br "*) test "${BROKEN-}" != list-br && echo br0 ;;
esac
END
cat >bin/ovsdb-tool <<'END'
#!/bin/sh
! grep -q BAD "$3" || { echo "violates a constraint" >&2; exit 1; }
cat "$4" >"$3"
END
chmod +x bin/*
WORK=$work
export WORK
# A host with a switch that runs.
host() {
    rm -rf "$root" on up
    mkdir -p "$root/etc/openvswitch" "$root/etc/sysconfig" on up \
        "$root/usr/share/openvswitch/scripts"
    echo data >"$root/etc/openvswitch/conf.db"
    echo id >"$root/etc/openvswitch/system-id.conf"
    echo schema >schema
    cat >"$root/usr/share/openvswitch/scripts/ovs-save" <<'END'
#!/bin/sh
echo "echo \"load flows of $2\" >>\"\$WORK/did\""
END
    chmod +x "$root/usr/share/openvswitch/scripts/ovs-save"
    : >on/openvswitch.service
    : >up/ovs-vswitchd.service
    : >up/ovsdb-server.service
    : >did
}
# do_it COMMAND: with the functions, as a scriptlet has them.
do_it() {
    PATH=$work/bin:$PATH sh -ec "dpx_root=$root
        . '$top/rhel/hand-over.sh'
        $1"
}
gone() {
    rm -f on/* up/*
    : >did
}
keep=$root/var/lib/openvswitch-dpx

host
ok "note" do_it dpx_note
ok "only root reads it" test "$(stat -c %a "$keep")" = 700
ok "its flows" grep -q "load flows of br0" "$keep/flows"
gone
ok "resume" do_it dpx_resume
ok "it is enabled" test -e on/openvswitch.service
ok "it runs" test -e up/ovs-vswitchd.service
ok "in this order" sh -c "grep -E 'start|flow' did | tr '\n' ';'"
says "the flows before any traffic" "systemctl start ovsdb-server.service;ovs-vsctl \
--no-wait --timeout=20 set Open_vSwitch . other_config:flow-restore-wait=true;\
systemctl start openvswitch.service;load flows of br0;ovs-vsctl --no-wait \
--timeout=20 --if-exists remove Open_vSwitch . other_config flow-restore-wait=true;"
ok "nothing is kept" test ! -e "$keep"
ok "resume again" do_it dpx_resume
ok "does nothing" test "$(grep -c 'systemctl start' did)" = 2

host
rm -f on/* up/*
ok "note of a stopped one" do_it dpx_note
gone
ok "resume" do_it dpx_resume
ok "it stays stopped" sh -c 'test -z "$(ls on up | grep service)"'
rm -rf "$root/etc/openvswitch"
ok "note of nothing" do_it dpx_note
ok "leaves nothing" test ! -e "$keep"

host
ok "note" do_it dpx_note
gone
rm "$root/etc/openvswitch/conf.db" "$root/etc/openvswitch/system-id.conf"
ok "resume without a database" do_it dpx_resume
ok "it is back" grep -qx data "$root/etc/openvswitch/conf.db"
ok "and the host's name" grep -qx id "$root/etc/openvswitch/system-id.conf"
host
ok "note" do_it dpx_note
gone
echo newer >"$root/etc/openvswitch/conf.db"
ok "resume with a database" do_it dpx_resume
ok "it is not touched" grep -qx newer "$root/etc/openvswitch/conf.db"

host
ok "note" do_it dpx_note
: >did
ok "resume while it runs" do_it dpx_resume
says "it says so" "the program of before still runs"
ok "nothing was started" sh -c '! grep "systemctl start" did'
host
ok "note" do_it dpx_note
gone
BROKEN=openvswitch.service
export BROKEN
refuses "resume of what does not start" "Open vSwitch does not run" do_it dpx_resume
ok "its flows are kept" test -s "$keep/flows"
ok "and it does not wait for them" grep -q 'remove Open_vSwitch . other_config flow' did
host
BROKEN=list-br
ok "note without an answer" do_it dpx_note
says "it says so" "the flows could not be saved"
unset BROKEN

host
ok "the way back" do_it "dpx_can_go_back $work/schema"
ok "the database is not touched" grep -qx data "$root/etc/openvswitch/conf.db"
echo BAD >"$root/etc/openvswitch/conf.db"
refuses "no way back" "EMPTY database" do_it "dpx_can_go_back $work/schema"
says "why" "violates a constraint"
ok "unless the operator insists" do_it \
    "OVS_DPX_IGNORE_DATABASE=yes; dpx_can_go_back $work/schema"
mkdir "$root/srv"
mv "$root/etc/openvswitch/conf.db" "$root/srv/other.db"
ok "no database, no question" do_it "dpx_can_go_back $work/schema"
echo 'OPTIONS="--db-file=/srv/other.db"' >"$root/etc/sysconfig/openvswitch"
refuses "a database elsewhere" "/srv/other.db" do_it "dpx_can_go_back $work/schema"
finish
