# SPDX-License-Identifier: Apache-2.0
#
# Puts our switch in the place of the distribution's, and back.  Every step can
# be interrupted and done again; between two steps the host has a complete
# switch, and no path is missing at any moment.
#
#  dpx_on    what stands aside, then the choice of ovs-vswitchd
#  dpx_off   the reverse; what was chosen before is chosen again
#
# Messages go to standard error.  Functions return 0, or 1 after a message.

dpx_package=openvswitch-switch-dpx
dpx_program=/usr/lib/openvswitch-switch-dpx/ovs-vswitchd-dpx
# What was chosen before: "STATUS PROGRAM WORD".  WORD is "begun" until ours is
# chosen, then "done": from then on the choice is the operator's.
dpx_state=/var/lib/openvswitch-switch-dpx/before
# For tests; dpkg sets it when it works on another root.
dpx_root=${DPKG_ROOT-}

dpx_say() {
    printf '%s: %s\n' "$dpx_package" "$*" >&2
}

# The distribution's path and what stands in for it.
dpx_files() {
    ours=/usr/share/openvswitch-switch-dpx
    echo /usr/bin/ovs-vsctl /usr/lib/openvswitch-switch-dpx/ovs-vsctl
    echo /usr/share/openvswitch/vswitch.ovsschema $ours/vswitch.ovsschema
    echo /usr/share/man/man5/ovs-vswitchd.conf.db.5.gz \
        $ours/ovs-vswitchd.conf.db.5.gz
}

dpx_is_link_to() {
    [ "$(readlink "$dpx_root$1" 2>/dev/null)" = "$2" ]
}

# Nobody else may have set aside what we set aside.
dpx_check_owners() {
    dpx_files | while read -r stock ours; do
        owner=$(dpkg-divert --listpackage "$stock") || return 1
        case $owner in
        '' | "$dpx_package") ;;
        *)
            dpx_say "'$stock' is already diverted by '$owner' (see" \
                "dpkg-divert --list): remove that diversion first"
            return 1 ;;
        esac
    done
}

# Keeps the distribution's file under another name (a second link to the same
# file, so that the first name stays), tells dpkg, then replaces the name.
dpx_stand_in() {
    stock=$1 ours=$2
    if [ "$(dpkg-divert --listpackage "$stock")" != "$dpx_package" ]; then
        # Not unpacked here, as manual pages on small systems.
        [ -e "$dpx_root$stock" ] || return 0
        rm -f "$dpx_root$stock.distrib"
    fi
    if [ ! -e "$dpx_root$stock.distrib" ] && [ -e "$dpx_root$stock" ] &&
            ! dpx_is_link_to "$stock" "$ours"; then
        ln "$dpx_root$stock" "$dpx_root$stock.distrib" || return 1
    fi
    dpkg-divert --quiet --package "$dpx_package" --no-rename \
        --divert "$stock.distrib" --add "$stock" || return 1
    ln -sf "$ours" "$dpx_root$stock.dpx-new" || return 1
    mv -f "$dpx_root$stock.dpx-new" "$dpx_root$stock"
}

dpx_step_back() {
    stock=$1 ours=$2
    rm -f "$dpx_root$stock.dpx-new"
    # Two links to one file: interrupted before the name was replaced.
    if cmp -s "$dpx_root$stock.distrib" "$dpx_root$stock"; then
        rm -f "$dpx_root$stock.distrib" || return 1
    fi
    [ "$(dpkg-divert --listpackage "$stock")" = "$dpx_package" ] || return 0
    if [ -e "$dpx_root$stock.distrib" ]; then
        mv -f "$dpx_root$stock.distrib" "$dpx_root$stock" || return 1
    elif dpx_is_link_to "$stock" "$ours"; then
        rm -f "$dpx_root$stock" || return 1
    fi
    dpkg-divert --quiet --package "$dpx_package" --no-rename \
        --divert "$stock.distrib" --remove "$stock"
}

# dpx_choice FIELD: "Status" or "Value" of the alternative.
dpx_choice() {
    update-alternatives --query ovs-vswitchd 2>/dev/null |
        sed -n "s/^$1: //p" | head -n 1
}

dpx_is_chosen() {
    [ "$(dpx_choice Value)" = "$dpx_program" ]
}

dpx_write_state() {
    mkdir -p "$dpx_root${dpx_state%/*}" &&
        echo "$*" >"$dpx_root$dpx_state.new" &&
        mv -f "$dpx_root$dpx_state.new" "$dpx_root$dpx_state"
}

dpx_read_state() {
    before_status=auto before_program=none before_word=none
    [ -s "$dpx_root$dpx_state" ] || return 0
    # shellcheck disable=SC2046  # Three words.
    set -- $(cat "$dpx_root$dpx_state")
    before_status=$1 before_program=$2 before_word=$3
}

# Chooses ours once; later installations leave the operator's choice.  The
# priority is below those of the distribution's (100 and 50), so that ours is
# never chosen by itself.
dpx_choose() {
    dpx_read_state
    if [ "$before_word" = none ]; then
        before_status=$(dpx_choice Status) before_program=$(dpx_choice Value)
        if [ -z "$before_program" ] ||
                [ "$before_program" = "$dpx_program" ]; then
            before_status=auto before_program=none
        fi
        before_word=begun
        dpx_write_state "$before_status $before_program begun" || return 1
    fi
    update-alternatives --install /usr/sbin/ovs-vswitchd ovs-vswitchd \
        "$dpx_program" 10 || return 1
    if [ "$before_word" = begun ]; then
        update-alternatives --set ovs-vswitchd "$dpx_program" || return 1
        dpx_write_state "$before_status $before_program done" || return 1
    fi
}

dpx_choose_before() {
    dpx_read_state
    if dpx_is_chosen; then
        if [ "$before_status" = manual ] &&
                update-alternatives --list ovs-vswitchd |
                grep -qxF -e "$before_program"; then
            update-alternatives --set ovs-vswitchd "$before_program" ||
                return 1
        else
            update-alternatives --auto ovs-vswitchd || return 1
        fi
    fi
    update-alternatives --remove ovs-vswitchd "$dpx_program" || return 1
    rm -rf "$dpx_root${dpx_state%/*}"
}

dpx_on() {
    dpx_files | while read -r stock ours; do
        dpx_stand_in "$stock" "$ours" && continue
        dpx_say "cannot put '$ours' in the place of '$stock'"
        exit 1
    done || return 1
    dpx_choose
}

dpx_off() {
    dpx_choose_before || return 1
    dpx_files | while read -r stock ours; do
        dpx_step_back "$stock" "$ours" && continue
        dpx_say "cannot bring back '$stock'"
        exit 1
    done
}
