/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads pmd-stats-show and pmd-perf-show line by line.  Called by offline
 * programs. */

#include <config.h>
#include "dpx-stats-show.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dpx-cpuset.h"
#include "dpx-paste.h"
#include "dpx-view.h"
#include "util.h"

/* What a line may set. */
enum field {
    FIELD_PACKETS,
    FIELD_HITS,                 /* Before 2.9, packets are hits and misses. */
    FIELD_IDLE,
    FIELD_BUSY,
    FIELD_BUSY_SHARE,
    FIELD_SECONDS
};

static const struct {
    const char *key;
    enum field field;
    bool perf;
} keys[] = {
    { "packets received", FIELD_PACKETS, false },
    { "emc hits", FIELD_HITS, false },
    { "megaflow hits", FIELD_HITS, false },
    { "miss", FIELD_HITS, false },
    { "idle cycles", FIELD_IDLE, false },
    { "polling cycles", FIELD_IDLE, false },
    { "processing cycles", FIELD_BUSY, false },
    { "Rx packets", FIELD_PACKETS, true },
    { "- busy", FIELD_BUSY_SHARE, true },
    { "- busy iterations", FIELD_BUSY_SHARE, true },
    { "Measurement duration", FIELD_SECONDS, true },
};

/* Reading in progress. */
struct reader {
    struct dpx_stats_show *stats;
    size_t allocated;
    struct dpx_stats_show_pmd *pmd;     /* Null: before any, or main thread. */
    double hits;                        /* FIELD_HITS so far. */
    bool in_main;
    bool in_histograms;
    size_t batch_start, batch_end;      /* Columns of "pkts/batch". */
};

static void
finish_pmd(struct reader *r)
{
    struct dpx_stats_show_pmd *pmd = r->pmd;

    if (!pmd) {
        return;
    }
    if (pmd->packets < 0) {
        pmd->packets = r->hits;
    }
    if (pmd->busy < 0 && pmd->idle_cycles >= 0 && pmd->busy_cycles >= 0
        && pmd->idle_cycles + pmd->busy_cycles > 0) {
        pmd->busy = pmd->busy_cycles / (pmd->idle_cycles + pmd->busy_cycles);
    }
    r->pmd = NULL;
}

static void
start_pmd(struct reader *r, unsigned int core, int numa)
{
    struct dpx_stats_show *stats = r->stats;

    finish_pmd(r);
    if (stats->n_pmds >= r->allocated) {
        stats->pmds = x2nrealloc(stats->pmds, &r->allocated,
                                 sizeof *stats->pmds);
    }
    r->pmd = &stats->pmds[stats->n_pmds++];
    *r->pmd = (struct dpx_stats_show_pmd) {
        .core_id = core,
        .numa_id = numa >= 0 && numa < DPX_MAX_CPUS ? numa : DPX_ID_UNKNOWN,
        .packets = -1, .idle_cycles = -1, .busy_cycles = -1,
        .busy = DPX_LOAD_UNKNOWN, .batch_packets = -1,
    };
    r->hits = -1;
    r->in_main = r->in_histograms = false;
}

/* "pmd thread numa_id 0 core_id 4:" */
static char *
read_heading(struct reader *r, const char *s, int number)
{
    unsigned int core;
    int numa;

    if (!ovs_scan(s, "pmd thread numa_id %d core_id %u", &numa, &core)
        || core >= DPX_MAX_CPUS) {
        return dpx_paste_error_at(number, s, "'pmd thread numa_id N core_id "
                                  "N:' (cores below 8192)");
    }
    start_pmd(r, core, numa);
    return NULL;
}

/* The share in "86009  (84.1 % cycles)". */
static double
read_share(const char *value)
{
    const char *open = strchr(value, '(');
    double percent = open ? strtod(open + 1, NULL) : -1;

    return percent >= 0 && percent <= 100 ? percent / 100 : DPX_LOAD_UNKNOWN;
}

static void
put_field(struct reader *r, enum field field, double number,
          const char *value)
{
    struct dpx_stats_show_pmd *pmd = r->pmd;

    switch (field) {
    case FIELD_PACKETS:
        pmd->packets = number;
        break;
    case FIELD_HITS:
        r->hits = MAX(0, r->hits) + number;
        break;
    case FIELD_IDLE:
        pmd->idle_cycles = number;
        break;
    case FIELD_BUSY:
        pmd->busy_cycles = number;
        break;
    case FIELD_BUSY_SHARE:
        pmd->busy = read_share(value);
        break;
    case FIELD_SECONDS:
    default:
        OVS_NOT_REACHED();
    }
}

/* "key: value"; a key that does not matter is stepped over. */
static char *
read_pair(struct reader *r, const char *s, const char *colon, int number)
{
    const char *value = colon + 1 + strspn(colon + 1, " \t");
    size_t length = colon - s;

    while (length && s[length - 1] == ' ') {
        length--;
    }
    for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
        double n;
        char *end;

        if (strlen(keys[i].key) != length || memcmp(keys[i].key, s, length)) {
            continue;
        }
        r->stats->perf |= keys[i].perf;
        n = strtod(value, &end);
        if (end == value || !isfinite(n) || n < 0) {
            return dpx_paste_error_at(number, value, "a number");
        }
        if (keys[i].field == FIELD_SECONDS) {
            r->stats->seconds = n;
        } else if (r->pmd) {
            put_field(r, keys[i].field, n, value);
        } else if (!r->in_main) {
            return dpx_paste_error_at(number, s, "'pmd thread numa_id N "
                                      "core_id N:' before the counters");
        }
    }
    return NULL;
}

/* The line over the histograms: where is "pkts/batch"? */
static bool
read_histogram_heading(struct reader *r, const char *line)
{
    const char *batch = strstr(line, "pkts/batch");
    const char *next;

    if (!batch) {
        return false;
    }
    next = batch + strcspn(batch, " ");
    next += strspn(next, " ");
    r->batch_start = batch - line;
    r->batch_end = *next ? (size_t) (next - line) : SIZE_MAX;
    return true;
}

/* One row of them: adds "BOUND COUNT" of the column. */
static void
read_histogram_row(struct reader *r, const char *line)
{
    size_t length = strlen(line);
    unsigned int bound;
    uint64_t count;
    char *part;

    if (!r->batch_start || length <= r->batch_start) {
        return;
    }
    part = xmemdup0(line + r->batch_start,
                    MIN(length, r->batch_end) - r->batch_start);
    if (ovs_scan(part + (part[0] == '>'), "%u %"SCNu64, &bound, &count)) {
        r->pmd->batch_packets = (MAX(0, r->pmd->batch_packets)
                                 + (double) bound * count);
    }
    free(part);
}

static char *
read_line(struct reader *r, const char *line, int number)
{
    const char *s = line + strspn(line, " \t");
    const char *colon = strchr(s, ':');

    if (!*s || !strcmp(s, "...")) {
        return NULL;
    }
    if (!strncmp(s, "pmd thread", 10)) {
        return read_heading(r, s, number);
    }
    if (!strncmp(s, "main thread", 11)) {
        finish_pmd(r);
        r->in_main = true;
        return NULL;
    }
    if (!strncmp(s, "Histograms", 10) && r->pmd) {
        r->in_histograms = true;
        r->batch_start = 0;
        return NULL;
    }
    if (r->in_histograms && !colon && r->pmd) {
        if (!strncmp(s, "---", 3)) {
            r->in_histograms = false;   /* Averages follow. */
        } else if (!read_histogram_heading(r, line)) {
            read_histogram_row(r, line);
        }
        return NULL;
    }
    if (colon) {
        return read_pair(r, s, colon, number);
    }
    /* Averages, or rows of the main thread. */
    if (isdigit((unsigned char) *s) || *s == '-' || r->in_main) {
        return NULL;
    }
    return dpx_paste_error_at(number, s, "a line of pmd-stats-show or "
                              "pmd-perf-show");
}

char *
dpx_stats_show_parse(const char *text, size_t length,
                     struct dpx_stats_show **stats)
{
    struct dpx_paste *p = dpx_paste_create(text, length);
    struct reader r = { .stats = xzalloc(sizeof *r.stats) };
    char *error = NULL;

    r.stats->seconds = -1;
    for (size_t i = 0; i < p->n_lines && !error; i++) {
        error = read_line(&r, p->lines[i].s, p->lines[i].number);
    }
    finish_pmd(&r);
    if (!error && !r.stats->n_pmds) {
        error = xstrdup("there is no PMD in the text: no line says 'pmd "
                        "thread numa_id N core_id N:'");
    }
    dpx_paste_destroy(p);
    if (error) {
        dpx_stats_show_destroy(r.stats);
        r.stats = NULL;
    }
    *stats = r.stats;
    return error;
}

void
dpx_stats_show_destroy(struct dpx_stats_show *stats)
{
    if (stats) {
        free(stats->pmds);
        free(stats);
    }
}

const struct dpx_stats_show_pmd *
dpx_stats_show_pmd(const struct dpx_stats_show *stats, unsigned int core)
{
    const struct dpx_stats_show_pmd *found = NULL;

    for (size_t i = 0; i < stats->n_pmds; i++) {
        if (stats->pmds[i].core_id == core) {
            found = &stats->pmds[i];
        }
    }
    return found;
}
