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

/* The directories above the program among which a build tree is. */
#define BUILD_DEPTH 4

/* The path of the running program, or null. */
static char *
find_self(void)
{
    char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self);

    return n > 0 && (size_t) n < sizeof self ? xmemdup0(self, n) : NULL;
}

/* The script in 'dir', which is freed, or null. */
static char *
script_in(char *dir)
{
    char *path = xasprintf("%s/run.py", dir);

    free(dir);
    if (access(path, R_OK)) {
        free(path);
        path = NULL;
    }
    return path;
}

/* The script in the source beside the build that 'self' is in, or null. */
static char *
script_of_build(const char *self)
{
    char *dir = xstrdup(self), *slash, *path = NULL;

    for (int i = 0; i < BUILD_DEPTH && !path
         && (slash = strrchr(dir, '/')); i++) {
        *slash = '\0';
        path = script_in(xasprintf("%s/ovs-src/utilities/dpx-bench", dir));
    }
    free(dir);
    return path;
}

/* Where the environment says, else that of the program's own build, else what
 * is installed. */
static char *
find_script(const char *self)
{
    const char *asked = getenv("DPX_BENCH_SCRIPTS");
    char *path = asked ? script_in(xstrdup(asked)) : NULL;

    if (!path && self) {
        path = script_of_build(self);
    }
    return path ? path : script_in(xasprintf("%s/dpx-bench",
                                             ovs_pkgdatadir()));
}

int
dpx_bench_cmd_scenario(int argc, char *argv[])
{
    char *self = find_self(), *script = find_script(self);
    char **words;

    if (!script) {
        return dpx_bench_fail(argv[0], xasprintf(
            "its script is not installed: no '%s/dpx-bench/run.py'",
            ovs_pkgdatadir()), DPX_BENCH_FAILED);
    }
    if (self) {
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
