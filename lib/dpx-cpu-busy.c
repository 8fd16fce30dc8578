/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads /proc/stat.  Called by the machine model. */

#include <config.h>
#include "dpx-cpu-busy.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dpx-cpuset.h"
#include "dpx-view.h"
#include "util.h"

/* Reads "cpuN user nice system idle iowait irq softirq steal ..." at 'line'.
 * Time of guests is part of user and nice. */
static bool
read_cpu(const char *line, unsigned int *cpu, struct dpx_cpu_ticks *ticks)
{
    uint64_t user, nice, system, idle, iowait, irq, softirq, steal;

    if (strncmp(line, "cpu", 3) || line[3] < '0' || line[3] > '9'
        || sscanf(line, "cpu%u %"SCNu64" %"SCNu64" %"SCNu64" %"SCNu64
                  " %"SCNu64" %"SCNu64" %"SCNu64" %"SCNu64, cpu, &user, &nice,
                  &system, &idle, &iowait, &irq, &softirq, &steal) != 9
        || *cpu >= DPX_MAX_CPUS) {
        return false;
    }
    ticks->busy = user + nice + system + irq + softirq + steal;
    ticks->all = ticks->busy + idle + iowait;
    ticks->share = DPX_LOAD_UNKNOWN;
    return true;
}

static void
put_cpu(struct dpx_cpu_busy *b, unsigned int cpu, struct dpx_cpu_ticks ticks,
        const struct dpx_cpu_busy *before)
{
    if (cpu >= b->n) {
        b->cpus = xrealloc(b->cpus, (cpu + 1) * sizeof *b->cpus);
        for (; b->n <= cpu; b->n++) {
            b->cpus[b->n] = (struct dpx_cpu_ticks) {
                .share = DPX_LOAD_UNKNOWN,
            };
        }
    }
    if (cpu < before->n && before->cpus[cpu].all) {
        const struct dpx_cpu_ticks *old = &before->cpus[cpu];

        /* The kernel lets the idle ticks of a CPU fall when it comes back. */
        if (ticks.all > old->all && ticks.busy >= old->busy) {
            ticks.share = MIN(1.0, (double) (ticks.busy - old->busy)
                                   / (ticks.all - old->all));
        }
    }
    b->cpus[cpu] = ticks;
}

void
dpx_cpu_busy_update(struct dpx_cpu_busy *b, const char *text)
{
    struct dpx_cpu_busy before = *b;
    const char *line = text;

    *b = (struct dpx_cpu_busy) { .n = 0 };
    while (line && *line) {
        struct dpx_cpu_ticks ticks;
        unsigned int cpu;

        if (read_cpu(line, &cpu, &ticks)) {
            put_cpu(b, cpu, ticks, &before);
        }
        line = strchr(line, '\n');
        line = line ? line + 1 : NULL;
    }
    dpx_cpu_busy_destroy(&before);
}

double
dpx_cpu_busy_get(const struct dpx_cpu_busy *b, unsigned int cpu)
{
    return cpu < b->n ? b->cpus[cpu].share : DPX_LOAD_UNKNOWN;
}

void
dpx_cpu_busy_destroy(struct dpx_cpu_busy *b)
{
    free(b->cpus);
    *b = (struct dpx_cpu_busy) { .n = 0 };
}
