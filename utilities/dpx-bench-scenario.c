/* SPDX-License-Identifier: Apache-2.0
 *
 * Scenarios start switches and guests, which a script does better: this finds
 * the script and becomes it. */

#include <config.h>

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dirs.h"
#include "dpx-bench.h"
#include "util.h"

/* Beside the installed data, or in the source tree that this was built from:
 * the environment may name another place. */
static char *
find_scripts(void)
{
    const char *asked = getenv("DPX_BENCH_SCRIPTS");
    char *installed = xasprintf("%s/dpx-bench", ovs_pkgdatadir());
    char *source = xstrdup(DPX_BENCH_SOURCE);
    const char *places[] = { asked, installed, source };
    char *found = NULL;

    for (size_t i = 0; i < ARRAY_SIZE(places) && !found; i++) {
        char *path = xasprintf("%s/run.py", places[i] ? places[i] : "");

        if (places[i] && !access(path, R_OK)) {
            found = path;
        } else {
            free(path);
        }
    }
    free(installed);
    free(source);
    return found;
}

int
dpx_bench_cmd_scenario(int argc, char *argv[])
{
    char *script = find_scripts(), self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    char **words;

    if (!script) {
        return dpx_bench_fail(argv[0], xasprintf(
            "its script is not installed: no '%s/dpx-bench/run.py'",
            ovs_pkgdatadir()), DPX_BENCH_FAILED);
    }
    if (n > 0) {
        self[n] = '\0';
        setenv("DPX_BENCH_PROGRAM", self, 1);
    }
    words = xcalloc(argc + 3, sizeof *words);
    words[0] = CONST_CAST(char *, "python3");
    words[1] = script;
    memcpy(words + 2, argv, argc * sizeof *argv);
    execvp(words[0], words);
    return dpx_bench_fail(argv[0], xasprintf("python3: %s",
                                             ovs_strerror(errno)),
                          DPX_BENCH_FAILED);
}
