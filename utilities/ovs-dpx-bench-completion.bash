# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Completes commands, options and their values of ovs-dpx-bench in bash.  The
# lists are the program's own: they are read from --help.

_ovs_dpx_bench()
{
    local word=${COMP_WORDS[COMP_CWORD]}
    local before=${COMP_WORDS[COMP_CWORD - 1]}
    local command=${COMP_WORDS[1]} words

    # "--option=value" comes as three words.
    if test "$word" = "="; then
        word=
    elif test "$before" = "="; then
        before=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    COMPREPLY=()
    if test "$COMP_CWORD" = 1; then
        words=$("${COMP_WORDS[0]}" --help 2>/dev/null |
                sed -n 's/^  \([a-z0-9]*\) .*/\1/p')
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
        return
    fi
    case $before in
    --method) words="mlr rfc2544 tst009 loss-curve soak" ;;
    --preset) words="field short smoke" ;;
    --traffic) words="paced virtio" ;;
    --guest) words="testpmd qemu" ;;
    table) words="opnfv-baseline rfc2544-vms smt-iommu xps" ;;
    --output|--kernel)
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
        return ;;
    --from|--against|--modules)
        mapfile -t COMPREPLY < <(compgen -d -- "$word")
        return ;;
    *)
        words=$("${COMP_WORDS[0]}" "$command" --help 2>/dev/null |
                grep -oE -- '--[a-z-]+')
        case $command in
        show|compare)
            mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word"
                                     compgen -f -- "$word")
            return ;;
        esac ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -F _ovs_dpx_bench ovs-dpx-bench
