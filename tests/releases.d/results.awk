# SPDX-License-Identifier: Apache-2.0
#
# Turns the output of `make check` into one PASS, FAIL or SKIP line per test:
# libcheck's summaries, automake's and autotest's lines.  Used by
# tests/releases and ./quickstart; set 'prefix' to what names the build.

function say(word, name) {
    gsub(/[ \t]+$/, "", name)
    print word " " prefix " check: " name
}

# autotest: "  3: name of the test          ok".  A test that failed beside others
# and is repeated alone has the result of its last run.
/^ *[0-9]+: .* (ok|FAILED|skipped|expected failure|UNEXPECTED PASS)( +\(.*\))? *$/ {
    name = $0
    sub(/^ *[0-9]+: /, "", name)
    if (name ~ /skipped( +\(.*\))? *$/) {
        word = "SKIP"
    } else if (name ~ /(FAILED|UNEXPECTED PASS)( +\(.*\))? *$/) {
        word = "FAIL"
    } else {
        word = "PASS"
    }
    sub(/ (ok|FAILED|skipped|expected failure|UNEXPECTED PASS)( +\(.*\))? *$/,
        "", name)
    if (!(name in result)) {
        order[++n_tests] = name
    }
    result[name] = word
    next
}
END {
    for (i = 1; i <= n_tests; i++) {
        say(result[order[i]], order[i])
    }
}

# libcheck: "Running suite(s): NAME", then "100%: Checks: 7, Failures: 0, ..."
/^Running suite\(s\): / {
    unit = $0
    sub(/^Running suite\(s\): /, "", unit)
    next
}
/^[0-9]+%: Checks: [0-9]+, Failures: [0-9]+, Errors: [0-9]+/ {
    n = $3 + 0
    bad = ($5 + 0) + ($7 + 0)
    say(bad || !n ? "FAIL" : "PASS", "unit " unit " (" n " cases)")
    next
}

# The end of autotest's own summary is no result.
/^ERROR: .* (was|were) run,?/ {
    next
}

# automake: "PASS: tests/unit/check_name"
/^(PASS|FAIL|SKIP|XFAIL|XPASS|ERROR): / {
    word = $1
    name = $0
    sub(/^[A-Z]+: /, "", name)
    say(word ~ /^(PASS|XFAIL)/ ? "PASS" : word ~ /^SKIP/ ? "SKIP" : "FAIL",
        name)
}
