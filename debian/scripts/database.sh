# SPDX-License-Identifier: Apache-2.0
#
# The database on the way to our schema and back.  When ovs-ctl starts Open
# vSwitch it converts the database to the schema that it finds, and begins with
# an empty one if that fails: so we convert a copy first, and go no further if
# the copy cannot be converted.

# Where the database is, unless the operator told ovs-ctl something else.
dpx_database() {
    (
        OVS_CTL_OPTS=
        file=$dpx_root/etc/default/openvswitch-switch
        [ ! -r "$file" ] || . "$file" >/dev/null 2>&1 || true
        db=${OVS_DBDIR:-/etc/openvswitch}/conf.db
        for word in $OVS_CTL_OPTS; do
            case $word in
            --db-file=*) db=${word#*=} ;;
            esac
        done
        echo "$dpx_root$db"
    )
}

# dpx_pid DAEMON: prints its process if it runs.
dpx_pid() {
    pid=$(cat "$dpx_root/run/openvswitch/$1.pid" 2>/dev/null) &&
        [ "$(cat "/proc/$pid/comm" 2>/dev/null)" = "$1" ] && echo "$pid"
}

# dpx_copy_database FILE: what the server holds, or what is on the disk.
dpx_copy_database() {
    if dpx_pid ovsdb-server >/dev/null && ovsdb-client -t 20 backup \
            "unix:$dpx_root/run/openvswitch/db.sock" Open_vSwitch \
            >"$1" 2>/dev/null; then
        return 0
    fi
    cp "$(dpx_database)" "$1"
}

# dpx_try_conversion SCHEMA: whether the database can be converted to it.
dpx_try_conversion() {
    [ -e "$(dpx_database)" ] || dpx_pid ovsdb-server >/dev/null || return 0
    work=$(mktemp -d) || return 1
    result=0
    if ! dpx_copy_database "$work/db" 2>"$work/error"; then
        result=1
    elif [ "$(ovsdb-tool -vconsole:off needs-conversion "$work/db" \
            "$1" 2>"$work/error")" != no ]; then
        # As ovs-ctl does; what it cannot compact it converts all the same.
        ovsdb-tool -vconsole:off compact "$work/db" >/dev/null 2>&1 || true
        ovsdb-tool -vconsole:off convert "$work/db" "$1" \
            >/dev/null 2>"$work/error" || result=1
    fi
    if [ $result != 0 ]; then
        dpx_say "the database cannot be converted to '$1':"
        sed 's/^/    /' "$work/error" >&2
    fi
    rm -rf "$work"
    return $result
}

# dpx_convert SCHEMA: converts the database of a switch that does not run and
# keeps the old one, as ovs-ctl does.
dpx_convert() {
    db=$(dpx_database)
    [ -e "$db" ] || return 0
    ! dpx_pid ovsdb-server >/dev/null || return 0
    [ "$(ovsdb-tool -vconsole:off needs-conversion "$db" "$1")" = yes ] ||
        return 0
    version=$(ovsdb-tool -vconsole:off db-version "$db") || return 1
    cksum=$(ovsdb-tool -vconsole:off db-cksum "$db") || return 1
    cp -p "$db" "$db.backup$version-${cksum%% *}" || return 1
    ovsdb-tool -vconsole:off convert "$db" "$1"
}

# Starts a running switch again, with the files of now.  The distribution's own
# script saves the flows before and restores them after.  Whether that is
# allowed is the host's policy, which both ways ask, or OVS_DPX_RESTART=no.
dpx_restart() {
    old=$(dpx_pid ovs-vswitchd) || return 0
    failed=no
    if [ "${OVS_DPX_RESTART-yes}" != no ]; then
        if [ -d "$dpx_root/run/systemd/system" ]; then
            deb-systemd-invoke reload openvswitch-switch.service
        else
            invoke-rc.d openvswitch-switch restart --save-flows=yes
        fi || failed=yes
    fi
    # What is forbidden does not fail.
    if ! new=$(dpx_pid ovs-vswitchd) || [ $failed = yes ]; then
        dpx_say "the restart of Open vSwitch failed"
        return 1
    elif [ "$new" = "$old" ]; then
        dpx_say "ovs-vswitchd was not restarted, the program of before still" \
            "runs; restart it when traffic may pause: systemctl reload" \
            "openvswitch-switch"
    fi
}

# After a restart that failed, and with other files in place.
dpx_start() {
    if [ -d "$dpx_root/run/systemd/system" ]; then
        deb-systemd-invoke restart openvswitch-switch.service
    else
        invoke-rc.d openvswitch-switch start
    fi || true
    dpx_pid ovs-vswitchd >/dev/null ||
        dpx_say "ovs-vswitchd does not run: see /var/log/openvswitch"
}
