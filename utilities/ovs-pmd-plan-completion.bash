# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Completes the options of ovs-pmd-plan and their values in bash.  The list of
# options is the program's own: it is read from --help.

_ovs_pmd_plan()
{
    local word=${COMP_WORDS[COMP_CWORD]}
    local before=${COMP_WORDS[COMP_CWORD - 1]}
    local options

    # "--option=value" comes as three words.
    if test "$word" = "="; then
        word=
    elif test "$before" = "="; then
        before=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    COMPREPLY=()
    case $before in
    --rxq|--stats|--flows|--dpif|--log)
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
        return ;;
    --machine)
        mapfile -t COMPREPLY < <(compgen -W live -- "$word"
                                 compgen -f -- "$word")
        return ;;
    --cross-numa)
        mapfile -t COMPREPLY < <(compgen -W "never overload always" \
                                         -- "$word")
        return ;;
    --guests|--housekeeping|--threads|--mask|--port-numa|--smt-factor|\
    --cross-numa-cost|--tolerance|--max-moves)
        return ;;
    esac
    options=$("${COMP_WORDS[0]}" --help 2>/dev/null |
              sed -n 's/^  \(--[a-z-]*\).*/\1/p')
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
}
complete -F _ovs_pmd_plan ovs-pmd-plan
