# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# What the scriptlets of openvswitch-dpx do when it takes the place of another
# openvswitch package, or gives it back, in one transaction ("dnf swap").  The
# package that goes stops and disables the service, because to it this is a
# removal; the host would be left without a switch.  So the package that comes
# first writes down what was there, and at the end it is there again, with its
# flows.  build-aux/rpm-sources puts these functions into the spec file, because
# no file of the package may be there when they run.  Functions return 0, or 1
# after a message.

# Written and read within one transaction; on the disk, so that flows survive
# a power cut and can be loaded by hand.
dpx_keep=$dpx_root/var/lib/openvswitch-dpx
# What an operator must not lose, if the package that goes took it along.
dpx_precious="etc/openvswitch/conf.db var/lib/openvswitch/conf.db
    etc/openvswitch/system-id.conf"

dpx_say() {
    echo "openvswitch-dpx: $*" >&2
}

# Where the database is, unless the operator told ovs-ctl something else.
dpx_database() {
    (
        OPTIONS=
        file=$dpx_root/etc/sysconfig/openvswitch
        [ ! -r "$file" ] || . "$file" >/dev/null 2>&1 || true
        db=/etc/openvswitch/conf.db
        for word in $OPTIONS; do
            case $word in
            --db-file=*) db=${word#*=} ;;
            esac
        done
        echo "$dpx_root$db"
    )
}

# dpx_can_go_back SCHEMA: whether a copy of the database can be converted to
# SCHEMA.  When ovs-ctl cannot convert a database it starts with an empty one.
dpx_can_go_back() {
    db=$(dpx_database)
    [ -e "$db" ] && [ "${OVS_DPX_IGNORE_DATABASE-no}" != yes ] || return 0
    work=$(mktemp -d) || return 1
    result=0
    cp "$db" "$work/db" 2>"$work/error" &&
        ovsdb-tool -vconsole:off convert "$work/db" "$1" \
            >/dev/null 2>"$work/error" || result=1
    if [ $result = 1 ]; then
        dpx_say "the database '$db' cannot be converted to the schema of" \
            "before, another package would start with an EMPTY database:"
        sed 's/^/    /' "$work/error" >&2
        dpx_say "nothing was removed; OVS_DPX_IGNORE_DATABASE=yes removes" \
            "without looking"
    fi
    rm -rf "$work"
    return $result
}

# Writes down what is there before the transaction.  A host without a switch
# leaves nothing.
dpx_note() {
    rm -rf "$dpx_keep"
    (umask 077 && mkdir -p "$dpx_keep") || return 1
    for file in $dpx_precious; do
        [ ! -e "$dpx_root/$file" ] ||
            (cd "$dpx_root/" && cp -p --parents "$file" "$dpx_keep")
    done
    ! systemctl --quiet is-enabled openvswitch.service 2>/dev/null ||
        : >"$dpx_keep/enabled"
    if systemctl --quiet is-active ovs-vswitchd.service 2>/dev/null; then
        : >"$dpx_keep/active"
        dpx_note_flows || dpx_say "the flows could not be saved"
    fi
    rmdir "$dpx_keep" 2>/dev/null || true
}
# As ovs-ctl does before a restart.
dpx_note_flows() {
    bridges=$(ovs-vsctl --timeout=20 -- --real list-br) || return 1
    [ -n "$bridges" ] || return 0
    # shellcheck disable=SC2086  # A list of words.
    TMPDIR=$dpx_keep "$dpx_root/usr/share/openvswitch/scripts/ovs-save" \
        save-flows $bridges >"$dpx_keep/flows"
}

# Brings back what dpx_note wrote down.
dpx_resume() {
    [ -d "$dpx_keep" ] || return 0
    for file in $dpx_precious; do
        [ -e "$dpx_root/$file" ] || [ ! -e "$dpx_keep/$file" ] ||
            cp -p "$dpx_keep/$file" "$dpx_root/$file"
    done
    systemctl daemon-reload
    [ ! -e "$dpx_keep/enabled" ] ||
        systemctl --quiet enable openvswitch.service
    if [ ! -e "$dpx_keep/active" ]; then
        :
    elif systemctl --quiet is-active ovs-vswitchd.service; then
        dpx_say "the program of before still runs; restart it when traffic" \
            "may pause: systemctl reload openvswitch"
    elif ! dpx_start; then
        dpx_say "Open vSwitch does not run: see 'systemctl status" \
            "ovs-vswitchd'; its flows are in '$dpx_keep'"
        return 1
    fi
    rm -rf "$dpx_keep"
}
# The switch forwards nothing until its flows are there.
dpx_start() {
    systemctl start ovsdb-server.service || return 1
    if [ -s "$dpx_keep/flows" ]; then
        ovs-vsctl --no-wait --timeout=20 set Open_vSwitch . \
            other_config:flow-restore-wait=true
    fi
    result=0
    systemctl start openvswitch.service || result=1
    if [ -s "$dpx_keep/flows" ]; then
        [ $result = 1 ] || sh "$dpx_keep/flows" || result=1
        ovs-vsctl --no-wait --timeout=20 --if-exists remove Open_vSwitch . \
            other_config flow-restore-wait=true
    fi
    return $result
}
