/* SPDX-License-Identifier: Apache-2.0
 *
 * Poll gaps of the paced test netdev; the header says what they tell. */

#include <config.h>
#include "dpx-paced-gap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util.h"

const char *
dpx_paced_gap_kind_name(enum dpx_paced_gap_kind kind)
{
    static const char *const names[] = {
#define DPX_PACED_GAP(NAME, STRING) STRING,
        DPX_PACED_GAP_KINDS
#undef DPX_PACED_GAP
    };

    return kind < DPX_PACED_N_GAP_KINDS ? names[kind] : "?";
}

/* Reads the thread's time on a core.  False if the kernel does not tell. */
static bool
read_ran(int fd, uint64_t *ran)
{
    char text[64], *end;
    ssize_t n;

    if (fd < 0) {
        return false;
    }
    n = pread(fd, text, sizeof text - 1, 0);
    if (n <= 0) {
        return false;
    }
    text[n] = '\0';
    errno = 0;
    *ran = strtoull(text, &end, 10);
    return !errno && end != text;
}

void
dpx_paced_oncpu_open(struct dpx_paced_oncpu *oncpu, uint64_t now)
{
    uint64_t ran = 0;

    memset(oncpu, 0, sizeof *oncpu);
    oncpu->fd = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    if (!read_ran(oncpu->fd, &ran)) {
        dpx_paced_oncpu_close(oncpu);
    }
    for (size_t i = 0; i < ARRAY_SIZE(oncpu->readings); i++) {
        oncpu->readings[i].at = now;
        oncpu->readings[i].ran = ran;
    }
}

void
dpx_paced_oncpu_close(struct dpx_paced_oncpu *oncpu)
{
    if (oncpu->fd >= 0) {
        close(oncpu->fd);
        oncpu->fd = -1;
    }
}

bool
dpx_paced_oncpu_read(struct dpx_paced_oncpu *oncpu, uint64_t now)
{
    uint64_t ran;
    bool ok = read_ran(oncpu->fd, &ran);

    /* Where there is nothing to read, asking again in 10 ms is soon enough
     * too. */
    oncpu->newest = (oncpu->newest + 1) % DPX_PACED_READINGS;
    oncpu->readings[oncpu->newest].at = now;
    oncpu->readings[oncpu->newest].ran = ok ? ran : 0;
    return ok;
}

/* Says of which kind a gap of 'gap' ns is that ended at 'now'. */
static enum dpx_paced_gap_kind
judge(struct dpx_paced_oncpu *oncpu, uint64_t gap, uint64_t now)
{
    uint32_t i = oncpu->newest;
    uint64_t ran;

    if (!read_ran(oncpu->fd, &ran)) {
        return DPX_PACED_GAP_UNKNOWN;
    }

    /* The newest reading that is older than the gap, else the oldest. */
    for (int n = 1; n < DPX_PACED_READINGS; n++) {
        if (oncpu->readings[i].at + gap <= now) {
            break;
        }
        i = (i + DPX_PACED_READINGS - 1) % DPX_PACED_READINGS;
    }
    return dpx_paced_gap_kind(gap, now - oncpu->readings[i].at,
                              ran - oncpu->readings[i].ran);
}

enum dpx_paced_gap_kind
dpx_paced_gap_kind(uint64_t gap, uint64_t wall, uint64_t ran)
{
    uint64_t off = wall > ran ? wall - ran : 0;

    return off > gap / 2 ? DPX_PACED_GAP_OFF : DPX_PACED_GAP_ON;
}

void
dpx_paced_gaps_init(struct dpx_paced_gaps *gaps)
{
    memset(gaps, 0, sizeof *gaps);
    for (size_t i = 0; i < ARRAY_SIZE(gaps->buckets); i++) {
        atomic_init(&gaps->buckets[i], 0);
    }
    for (size_t i = 0; i < DPX_PACED_N_GAP_KINDS; i++) {
        atomic_init(&gaps->n_long[i], 0);
    }
    dpx_paced_gaps_clear_max(gaps);
}

void
dpx_paced_gaps_restart(struct dpx_paced_gaps *gaps)
{
    gaps->last = 0;
}

void
dpx_paced_gaps_clear_max(struct dpx_paced_gaps *gaps)
{
    atomic_store_relaxed(&gaps->max, 0);
    for (size_t i = 0; i < DPX_PACED_N_GAP_KINDS; i++) {
        atomic_store_relaxed(&gaps->max_long[i], 0);
    }
}

void
dpx_paced_gaps_long__(struct dpx_paced_gaps *gaps, uint64_t gap, bool moved,
                      struct dpx_paced_oncpu *oncpu, uint64_t now)
{
    enum dpx_paced_gap_kind kind;

    kind = moved ? DPX_PACED_GAP_MOVED : judge(oncpu, gap, now);
    /* One reading serves all queues of the thread that saw this gap. */
    if (now - oncpu->readings[oncpu->newest].at > DPX_PACED_NSEC / 1000) {
        dpx_paced_oncpu_read(oncpu, now);
    }
    dpx_count(&gaps->n_long[kind], 1);
    if (gap > dpx_counter_read(&gaps->max_long[kind])) {
        atomic_store_relaxed(&gaps->max_long[kind], gap);
    }
}
