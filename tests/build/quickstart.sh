#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# ./quickstart build and clean and build-aux/progress, with stand-ins for
# everything that takes long: what they say, refuse and leave behind.

. "$(dirname "$0")/lib"

# stand_in PATH LINE...: a program of these lines.
stand_in() {
    stand_in_path=$1
    shift
    { echo '#!/bin/sh'; printf '%s\n' "$@"; } >"$stand_in_path"
    chmod +x "$stand_in_path"
}

mkdir -p q/build-aux/quickstart.d bin
cp "$top/quickstart" q/
cp "$top/build-aux/progress" q/build-aux/
cp "$top/build-aux/quickstart.d/build" "$top/build-aux/quickstart.d/clean" \
    q/build-aux/quickstart.d/
touch q/configure.ac q/Makefile.am
stand_in bin/autoreconf 'touch Makefile.in' \
    'echo "echo configured \"\$@\"; touch Makefile config.status" >configure' \
    'chmod +x configure'
stand_in bin/make 'echo make "$@"'
stand_in bin/apt-get 'echo apt-get "$@" >>"$WORK/apt"' \
    'test ! -e "$WORK/offline"'
stand_in bin/id 'echo ${UID_NOW:-0}'
stand_in q/build-aux/check-packages 'case ${1-} in' \
    '--how) echo apt-get install ;;' '*) cat "$WORK/missing" ;;' 'esac'
: >missing
WORK=$work
PATH=$work/bin:$PATH
unset CFLAGS
export WORK PATH

refuses "no subcommand" "Usage:" q/quickstart
ok "help" q/quickstart --help
says "it lists build" "  build "
says "and clean" "  clean "
refuses "an unknown subcommand" "unknown subcommand 'biuld'" q/quickstart biuld
refuses "a path" "unknown subcommand '../progress'" q/quickstart ../progress
refuses "an unknown word" "build: unknown word 'now'" q/quickstart build now
refuses "an unknown word" "clean: unknown word 'all'" q/quickstart clean all

ok "a build" q/quickstart build
says "it says what it does" "s  configure"
says "and that it is done" "s  build: done"
ok "the log is there" grep -q "make -C $work/q/_build" q/_build/build.log
ok "the flags are given" grep -q 'configured CFLAGS=-O2 -g -march=native' \
    q/_build/configure.log
ok "again" q/quickstart build
silent "configure does not run" "s  configure"
silent "autoreconf does not run" "s  autoreconf"
ok "nothing was installed" test ! -e apt
sleep 0.02
touch q/configure.ac
ok "a changed configure.ac" q/quickstart build
says "autoreconf runs" "s  autoreconf: done"
says "configure runs" "s  configure: done"

echo libnone-dev >missing
ok "a missing package, as root" q/quickstart build
ok "is installed" grep -qx \
    'apt-get install -y --no-install-recommends libnone-dev' apt
UID_NOW=1000
export UID_NOW
refuses "a missing package, not root" "apt-get install libnone-dev" \
    q/quickstart build
unset UID_NOW
touch offline
refuses "no network" "installing libnone-dev: failed (exit status 1)" \
    q/quickstart build
: >missing

stand_in bin/make 'echo "cc1: boom"; exit 2'
refuses "a failing build" "cc1: boom" q/quickstart build
refuses "it names the log" "the whole log is in $work/q/_build/build.log" \
    q/quickstart build

stand_in bin/make 'echo $$ >"$WORK/pid"; exec sleep 60'
interrupted_build() {
    rm -f pid
    q/quickstart build &
    until test -s pid; do sleep 0.1; done
    kill -TERM $!
    wait $!
}
refuses "an interrupted build" "build: interrupted" interrupted_build
ok "leaves no process" sh -c '! kill -0 "$(cat pid)"'
stand_in bin/make 'sleep 1; echo first >>"$WORK/order"'
two_builds() {
    q/quickstart build &
    sleep 0.5
    q/quickstart build
    wait $!
}
ok "two builds at once" two_builds
says "the second waits" "another one is running, waiting for it"

q/quickstart clean
ok "clean removes it" test ! -e q/_build

progress() {
    DPX_PROGRESS_INTERVAL=1 "$top/build-aux/progress" "$@"
}
ok "a long command" progress title log sh -c 'echo compiling; sleep 2.5'
says "it shows that it is alive" "s  title: compiling"
interrupted() {
    rm -f pid
    "$top/build-aux/progress" title log sh -c 'echo $$ >pid; exec sleep 60' &
    until test -s pid; do sleep 0.1; done
    kill -TERM $!
    wait $!
}
refuses "an interrupt" "title: interrupted" interrupted
ok "ends the command" sh -c '! kill -0 "$(cat pid)"'
finish
