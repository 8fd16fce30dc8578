#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# build-aux/lint and build-aux/check-commits: each thing that they refuse.

. "$(dirname "$0")/lib"

licence='SPDX-License-Identifier: Apache-2.0'
clean() {
    rm -rf overlay
    mkdir -p overlay/build-aux overlay/lib overlay/patches stock/utilities
    cp "$top/build-aux/lint" "$top/build-aux/check-commits" overlay/build-aux/
    echo "/* $licence */" >overlay/lib/dpx-unit.c
    # Complains of the word BAD, in the form of the real one.
    cat >stock/utilities/checkpatch.py <<'END'
import sys
for f in sys.argv[3:]:
    if "BAD" in open(f).read():
        print("WARNING: a bad word\n%s:1:\n    BAD\n" % f)
        print("WARNING: Line lacks whitespace around operator\n%s:1:\n" % f)
END
}
lint() {
    overlay/build-aux/lint --source stock
}
# with FILE TEXT: lint finds this file beside the clean ones.
with() {
    clean
    printf '%s\n' "$2" >"overlay/$1"
    lint
}

clean
ok "clean files" lint
says "it says how many" "lint: 3 files are clean"
refuses "a style complaint" "a bad word" with lib/dpx-a.c "/* $licence BAD */"
refuses "no licence" "no SPDX" with lib/dpx-a.c "/* Free. */"
for path in work/main home/me; do
    refuses "a path" "a path of somebody's machine" \
        with lib/dpx-a.c "/* $licence */ \"/$path\""
done
refuses "a nested repository" "a .git inside" with lib/.git "$licence"
refuses "a long file" "more than 500 lines" \
    with lib/dpx-a.c "/* $licence */$(yes '' | head -n 500; echo x)"
refuses "blanks" "blanks at the end" with lib/dpx-a.c "/* $licence */ "
refuses "a strange name" "a strange file name" with "lib/a b" "$licence"
refuses "bad shell" "does not parse" \
    with tool "$(printf '#!/bin/sh\n# %s\nif\n' "$licence")"
refuses "bad Python" "does not parse" \
    with tool "$(printf '#!/usr/bin/env python3\n# %s\nif\n' "$licence")"
refuses "an unknown word" "unknown word 'word'" overlay/build-aux/lint word

# commit SUBJECT [BODY]: what check-commits says of a commit like that.
commit() {
    rm -rf repo
    git init -q repo
    (cd repo && git -c user.name=n -c user.email=e commit -q --allow-empty \
        -m "$1" ${2:+-m "$2"} && "$top/build-aux/check-commits")
}
ok "a good commit" commit "area: Do it." "It was not done."
refuses "no area" "not 'area: Sentence.'" commit "Do it." "Why."
refuses "no full stop" "not 'area: Sentence.'" commit "area: Do it" "Why."
refuses "no capital" "not 'area: Sentence.'" commit "area: do it." "Why."
refuses "a long subject" "80 columns, at most 79" \
    commit "area: D$(printf '%072d' 0)." "Why."
refuses "no body" "no body that gives the reason" commit "area: Do it."
refuses "only a trailer" "no body" commit "area: Do it." "Signed-off-by: me"
refuses "no second empty line" "second line is not empty" \
    commit "$(printf 'area: Do\nit.')" "Why."
refuses "no such commits" "no commits 'nought'" \
    overlay/build-aux/check-commits nought
finish
