#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The maintainer scripts of the Debian package, without dpkg and without Open
# vSwitch: programs of that name in bin/ note what they are asked and keep the
# little state that the scripts see.  Every script is also killed before each
# command that changes something.

. "$(dirname "$0")/lib"

root=$work/root
vsctl=/usr/bin/ovs-vsctl
schema=/usr/share/openvswitch/vswitch.ovsschema
page=/usr/share/man/man5/ovs-vswitchd.conf.db.5.gz
stock=/usr/lib/openvswitch-switch/ovs-vswitchd
dpdk=/usr/lib/openvswitch-switch-dpdk/ovs-vswitchd-dpdk
ours=/usr/lib/openvswitch-switch-dpx/ovs-vswitchd-dpx
state=/var/lib/openvswitch-switch-dpx

for script in preinst postinst prerm postrm; do
    "$top/debian/scripts/assemble" "$top/debian/scripts/$script.in" >$script
done
ok "nothing is left to fill in" sh -c '! grep -n "^#SWITCH#" preinst postinst'

mkdir bin
cat >bin/step <<'END'
#!/bin/sh
# Counts the changes, and kills the script before number $KILL_AT.
echo . >>"$WORK/steps"
if [ "$(grep -c . "$WORK/steps")" = "${KILL_AT-0}" ]; then
    kill -KILL 0
fi
END
for tool in ln mv rm; do
    printf '#!/bin/sh\nstep\nexec %s "$@"\n' "$(command -v $tool)" >bin/$tool
done
# diversions: "PATH PACKAGE".
cat >bin/dpkg-divert <<'END'
#!/bin/sh
for path; do :; done
case " $* " in
*" --listpackage "*)
    sed -n "s|^$path ||p" "$WORK/diversions" ;;
*" --add "*)
    step
    grep -q "^$path " "$WORK/diversions" ||
        echo "$path openvswitch-switch-dpx" >>"$WORK/diversions" ;;
*" --remove "*)
    step
    sed -i "\|^$path |d" "$WORK/diversions" ;;
*) echo "dpkg-divert: $*" >&2; exit 2 ;;
esac
END
# choice: "STATUS PROGRAM"; programs: one a line, best first.
cat >bin/update-alternatives <<'END'
#!/bin/sh
auto() {
    echo "auto $(head -n 1 "$WORK/programs")" >"$WORK/choice"
}
read -r status value <"$WORK/choice"
case $1 in
--query) printf 'Status: %s\nValue: %s\n' "$status" "$value" ;;
--list) cat "$WORK/programs" ;;
--install)
    step
    test "$5" = 10 || exit 2
    grep -qx "$4" "$WORK/programs" || echo "$4" >>"$WORK/programs" ;;
--set)
    step
    grep -qx "$3" "$WORK/programs" || exit 2
    echo "manual $3" >"$WORK/choice" ;;
--auto) step; auto ;;
--remove)
    step
    sed -i "\|^$3\$|d" "$WORK/programs"
    test "$value" != "$3" || auto ;;
*) echo "update-alternatives: $*" >&2; exit 2 ;;
esac
END
# A database is a file with the text of its schema, "BAD" if it fits no other.
cat >bin/ovsdb-tool <<'END'
#!/bin/sh
shift
echo "ovsdb-tool $1" >>"$WORK/did"
case $1 in
needs-conversion) cmp -s "$2" "$3" && echo no || echo yes ;;
compact) ;;
convert)
    ! grep -q BAD "$2" || { echo "violates a constraint" >&2; exit 1; }
    cat "$3" >"$2" ;;
db-version) echo 8.3.1 ;;
db-cksum) echo 123 456 ;;
*) exit 2 ;;
esac
END
cat >bin/invoke-rc.d <<'END'
#!/bin/sh
echo "invoke-rc.d $*" >>"$WORK/did"
read -r status value <"$WORK/choice"
test "${POLICY-}" != deny || exit 0
test "$value" != "${REFUSES-}" || exit 1
kill "$(cat "$DPKG_ROOT/run/openvswitch/ovs-vswitchd.pid")" 2>/dev/null
rm -f "$DPKG_ROOT/run/openvswitch/ovs-vswitchd.pid"
test "$value" != "${BROKEN-}" || exit 1
"$WORK/daemon/ovs-vswitchd" 600 >/dev/null 2>&1 </dev/null &
echo $! >"$DPKG_ROOT/run/openvswitch/ovs-vswitchd.pid"
END
chmod +x bin/*
mkdir daemon
cp "$(command -v sleep)" daemon/ovs-vswitchd
WORK=$work DPKG_ROOT=$root
export WORK DPKG_ROOT

stop() {
    pid=$(cat "$root/run/openvswitch/ovs-vswitchd.pid" 2>/dev/null) &&
        kill "$pid"
    command rm -f "$root/run/openvswitch/ovs-vswitchd.pid"
}
trap 'stop; rm -rf "$work"' EXIT

# A host with the distribution's switch, and our files unpacked.
host() {
    stop
    rm -rf "$root"
    mkdir -p "$root/usr/bin" "$root${schema%/*}" "$root${page%/*}" \
        "$root/etc/openvswitch" "$root/etc/default" "$root/run/openvswitch" \
        "$root/usr/share/openvswitch-switch-dpx"
    for path in $vsctl $schema $page; do
        echo "stock $path" >"$root$path"
    done
    mkdir -p "$root${ours%/*}"
    printf '#!/bin/sh\n' >"$root$ours"
    chmod +x "$root$ours"
    echo our schema >"$root/usr/share/openvswitch-switch-dpx/vswitch.ovsschema"
    cp "$root$schema" "$root/etc/openvswitch/conf.db"
    : >diversions
    printf '%s\n' $stock $dpdk >programs
    echo "auto $stock" >choice
    : >steps
    : >did
}
running() {
    daemon/ovs-vswitchd 600 >/dev/null 2>&1 </dev/null &
    echo $! >"$root/run/openvswitch/ovs-vswitchd.pid"
}
# do_script NAME WORD...: as dpkg runs it.  It may be killed with its group.
do_script() {
    PATH=$work/bin:$PATH setsid -w sh "$work/$1" "$2" ${3+"$3"}
}
is_stock() {
    for path in $vsctl $schema $page; do
        [ ! -h "$root$path" ] && [ "$(cat "$root$path")" = "stock $path" ] ||
            { echo "$path is not stock's"; return 1; }
    done
    test ! -s diversions && test ! -e "$root$state" &&
        ! find "$root" -name '*.distrib' -o -name '*.dpx-new' | grep . &&
        ! grep openvswitch-switch-dpx programs
}
is_ours() {
    for path in $vsctl $schema $page; do
        case $(readlink "$root$path") in
        */openvswitch-switch-dpx/*) ;;
        *) echo "$path is not ours"; return 1 ;;
        esac
        [ "$(cat "$root$path.distrib")" = "stock $path" ] || return 1
    done
    grep -qx "$ours" programs && test "$(grep -c . diversions)" = 3 &&
        ! find "$root" -name '*.dpx-new' | grep .
}
# What a host that was switched off in the middle starts with.
is_whole() {
    for path in $vsctl $schema $page; do
        if [ -h "$root$path" ]; then
            [ "$(cat "$root$path.distrib")" = "stock $path" ]
        else
            [ "$(cat "$root$path")" = "stock $path" ]
        fi || { echo "$path is missing"; return 1; }
    done
    read -r status value <choice
    grep -qx "$value" programs
}
chosen() {
    test "$(cat choice)" = "$*" || { cat choice; return 1; }
}

host
ok "preinst" do_script preinst install
ok "it changes nothing" is_stock
ok "install" do_script postinst configure ''
ok "everything is ours" is_ours
ok "ours is chosen" chosen manual $ours
ok "install again" do_script postinst configure 0.1
ok "nothing changes" is_ours
ok "a refused removal leaves ours" do_script postinst abort-remove
ok "everything is still ours" is_ours
ok "an upgrade" do_script prerm upgrade 0.2
ok "an upgrade changes nothing" is_ours
ok "removal" do_script prerm remove
ok "everything is stock's" is_stock
ok "the automatic choice is back" chosen auto $stock
ok "postrm finds nothing to do" do_script postrm remove
ok "and purge" do_script postrm purge
ok "still stock's" is_stock

# The choice is remembered, and belongs to the operator afterwards.
host
echo "manual $dpdk" >choice
ok "install over a manual choice" do_script postinst configure ''
ok "removal over a manual choice" do_script prerm remove
ok "that choice is back" chosen manual $dpdk
host
echo "manual $dpdk" >choice
ok "install" do_script postinst configure ''
sed -i "\|^$dpdk\$|d" programs
ok "removal when that choice is gone" do_script prerm remove
ok "the best one is chosen" chosen auto $stock
host
ok "install" do_script postinst configure ''
echo "manual $dpdk" >choice
ok "an upgrade" do_script postinst configure 0.1
ok "an upgrade leaves the operator's choice" chosen manual $dpdk
ok "removal" do_script prerm remove
ok "a removal leaves the operator's choice" chosen manual $dpdk

# What is refused, with nothing changed.
host
echo "$vsctl another" >diversions
refuses "another's diversion" "'$vsctl' is already diverted by 'another'" \
    do_script preinst install
: >diversions
echo BAD >"$root/etc/openvswitch/conf.db"
refuses "a database that ours cannot take" "violates a constraint" \
    do_script postinst configure ''
says "it says so" "nothing was changed"
ok "nothing was changed" is_stock
host
echo 'exit 127' >>"$root$ours"
refuses "a program that cannot run" "cannot run on this host" \
    do_script postinst configure ''
says "it says so" "nothing was changed"
ok "nothing was changed" is_stock
host
ok "install" do_script postinst configure ''
echo BAD >"$root/etc/openvswitch/conf.db"
refuses "a database that does not go back" "EMPTY database" do_script prerm remove
says "what was tried" "$schema.distrib"
ok "everything is still ours" is_ours
ok "still chosen" chosen manual $ours
ok "the database was not touched" grep -qx BAD "$root/etc/openvswitch/conf.db"
OVS_DPX_IGNORE_DATABASE=yes
export OVS_DPX_IGNORE_DATABASE
ok "unless the operator insists" do_script prerm remove
unset OVS_DPX_IGNORE_DATABASE
ok "everything is stock's" is_stock

# The database.
host
ok "install" do_script postinst configure ''
echo our schema >"$root/etc/openvswitch/conf.db"
ok "removal" do_script prerm remove
ok "the database went back" cmp "$root/etc/openvswitch/conf.db" "$root$schema"
ok "and was kept" grep -qx "our schema" \
    "$root/etc/openvswitch/conf.db.backup8.3.1-123"
host
mkdir "$root/srv"
mv "$root/etc/openvswitch/conf.db" "$root/srv/other.db"
echo "OVS_CTL_OPTS='--no-mlockall --db-file=/srv/other.db'" \
    >"$root/etc/default/openvswitch-switch"
echo BAD >"$root/srv/other.db"
refuses "a database elsewhere" "violates a constraint" \
    do_script postinst configure ''

# The restart.
host
ok "install" do_script postinst configure ''
ok "what does not run is not started" sh -c '! grep invoke-rc.d did'
host
running
ok "install on a running switch" do_script postinst configure ''
ok "restarted with its flows" grep -qx \
    "invoke-rc.d openvswitch-switch restart --save-flows=yes" did
silent "no complaint" "not restarted"
ok "removal from a running switch" do_script prerm remove
ok "stock's again" is_stock
ok "restarted twice" test "$(grep -c save-flows did)" = 2
host
running
ok "install on a running switch" do_script postinst configure ''
echo "manual $dpdk" >choice
: >did
ok "removal when another program is chosen" do_script prerm remove
ok "what runs is left alone" sh -c '! grep invoke-rc.d did'
ok "stock's again" is_stock
host
running
POLICY=deny
export POLICY
ok "install where the policy forbids" do_script postinst configure ''
says "it says so" "was not restarted"
unset POLICY
host
running
OVS_DPX_RESTART=no
export OVS_DPX_RESTART
ok "install without a restart" do_script postinst configure ''
says "it says so" "was not restarted"
ok "nothing was asked" sh -c '! grep invoke-rc.d did'
unset OVS_DPX_RESTART
host
running
BROKEN=$ours
export BROKEN
refuses "a program that does not start" "going back to the distribution" \
    do_script postinst configure ''
ok "stock's again" is_stock
ok "and it runs" sh -c 'kill -0 $(cat "$0"/run/openvswitch/ovs-vswitchd.pid)' "$root"
unset BROKEN
host
running
REFUSES=$ours
export REFUSES
refuses "a restart that fails before it stops anything" \
    "going back to the distribution" do_script postinst configure ''
ok "stock's again" is_stock
ok "and it runs" sh -c 'kill -0 $(cat "$0"/run/openvswitch/ovs-vswitchd.pid)' "$root"
unset REFUSES

# Killed before every change: a whole switch each time, and both ways out.
killed() {
    KILL_AT=$1
    shift
    export KILL_AT
    : >steps
    do_script "$@" >/dev/null 2>&1
    unset KILL_AT
}
steps_of() {
    : >steps
    do_script "$@" >/dev/null 2>&1
    grep -c . steps
}
host
n_on=$(steps_of postinst configure '')
n_off=$(steps_of prerm remove)
ok "there are many steps" test $((n_on > 8 && n_off > 8)) = 1
for n in $(seq "$n_on"); do
    for way in on off; do
        host
        killed "$n" postinst configure ''
        ok "killed at step $n of on: a whole switch" is_whole
        if [ $way = on ]; then
            ok "at $n: again" do_script postinst configure ''
            ok "at $n: all is ours" is_ours
            ok "at $n: chosen" chosen manual $ours
        fi
        ok "at $n: removal" do_script prerm remove
        ok "at $n: postrm" do_script postrm remove
        ok "at $n: all is stock's" is_stock
        ok "at $n: stock is chosen" chosen auto $stock
    done
done
for n in $(seq "$n_off"); do
    for way in on off; do
        host
        do_script postinst configure '' >/dev/null 2>&1
        killed "$n" prerm remove
        ok "killed at step $n of off: a whole switch" is_whole
        if [ $way = on ]; then
            ok "off at $n: dpkg tries to keep it" \
                do_script postinst abort-remove
            ok "off at $n: all is ours" is_ours
        else
            ok "off at $n: postrm alone" do_script postrm remove
            ok "off at $n: all is stock's" is_stock
        fi
    done
done

finish
