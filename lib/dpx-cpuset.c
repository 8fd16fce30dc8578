/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads and writes sets of CPU numbers.  Pure; called by the readers of a
 * machine's description and by whatever takes CPUs from an operator. */

#include <config.h>
#include "dpx-cpuset.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "openvswitch/dynamic-string.h"
#include "util.h"

/* Longest part of a wrong word that an error repeats. */
#define QUOTED 40

size_t
dpx_cpuset_count(const struct dpx_cpuset *set)
{
    size_t n = 0;

    for (size_t i = 0; i < ARRAY_SIZE(set->bits); i++) {
        n += __builtin_popcountll(set->bits[i]);
    }
    return n;
}

/* Reads digits at '*s' and steps over them.  False if there are none or the
 * number is out of range. */
static bool
read_number(const char **s, unsigned int *number)
{
    unsigned int n = 0;

    if (!isdigit((unsigned char) **s)) {
        return false;
    }
    for (; isdigit((unsigned char) **s); (*s)++) {
        n = n * 10 + (**s - '0');
        if (n >= DPX_MAX_CPUS) {
            return false;
        }
    }
    *number = n;
    return true;
}

/* Reads "N", "N-M" or "N-M:STEP" at '*s'. */
static bool
read_range(const char **s, struct dpx_cpuset *set)
{
    unsigned int first, last, step = 1;

    if (!read_number(s, &first)) {
        return false;
    }
    last = first;
    if (**s == '-') {
        (*s)++;
        if (!read_number(s, &last) || last < first) {
            return false;
        }
        if (**s == ':') {
            (*s)++;
            if (!read_number(s, &step) || !step) {
                return false;
            }
        }
    }
    for (unsigned int cpu = first; cpu <= last; cpu += step) {
        dpx_cpuset_add(set, cpu);
    }
    return true;
}

static char *
list_error(const char *word)
{
    int length = MIN(strcspn(word, ","), QUOTED);

    return xasprintf("'%.*s' is not a CPU, a range such as 2-5 or a strided "
                     "range such as 0-62:2 (CPUs are below %d)",
                     length, word, DPX_MAX_CPUS);
}

char *
dpx_cpuset_from_list(struct dpx_cpuset *set, const char *list)
{
    const char *s = list + strspn(list, " \t");

    memset(set, 0, sizeof *set);
    while (*s) {
        const char *word = s;

        if (!read_range(&s, set)) {
            return list_error(word);
        }
        s += strspn(s, " \t");
        if (*s == ',') {
            s += 1 + strspn(s + 1, " \t");
            if (!*s) {
                return list_error(s);
            }
        } else if (*s) {
            return list_error(word);
        }
    }
    return NULL;
}

char *
dpx_cpuset_from_mask(struct dpx_cpuset *set, const char *mask)
{
    const char *digits = mask;
    size_t length;

    memset(set, 0, sizeof *set);
    if (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X')) {
        digits += 2;
    }
    length = strlen(digits);
    if (!length || strspn(digits, "0123456789abcdefABCDEF") != length) {
        return xasprintf("'%.*s' is not a hexadecimal CPU mask such as 0x3c",
                         QUOTED, mask);
    }
    for (size_t i = 0; i < length; i++) {
        int nibble = hexit_value(digits[length - 1 - i]);

        for (int bit = 0; bit < 4; bit++) {
            if (nibble & 1 << bit) {
                if (i * 4 + bit >= DPX_MAX_CPUS) {
                    return xasprintf("mask '%.*s...' names a CPU that is not "
                                     "below %d", QUOTED, mask, DPX_MAX_CPUS);
                }
                dpx_cpuset_add(set, i * 4 + bit);
            }
        }
    }
    return NULL;
}

/* The next CPU of 'set' after 'cpu', or DPX_MAX_CPUS. */
static unsigned int
next_cpu(const struct dpx_cpuset *set, unsigned int cpu)
{
    do {
        cpu++;
    } while (cpu < DPX_MAX_CPUS && !dpx_cpuset_has(set, cpu));
    return cpu;
}

void
dpx_cpuset_put_list(const struct dpx_cpuset *set, struct ds *ds)
{
    unsigned int cpu = dpx_cpuset_has(set, 0) ? 0 : next_cpu(set, 0);
    const char *comma = "";

    while (cpu < DPX_MAX_CPUS) {
        unsigned int last = next_cpu(set, cpu);
        unsigned int step = last - cpu, n = 2;

        while (last + step < DPX_MAX_CPUS
               && next_cpu(set, last) == last + step) {
            last += step;
            n++;
        }
        ds_put_format(ds, "%s%u", comma, cpu);
        comma = ",";
        /* Three numbers that happen to be as far apart are no series. */
        if (last < DPX_MAX_CPUS && (step == 1 || n > 3)) {
            ds_put_format(ds, "-%u", last);
            if (step > 1) {
                ds_put_format(ds, ":%u", step);
            }
            cpu = last;
        }
        cpu = next_cpu(set, cpu);
    }
    if (!*comma) {
        ds_put_cstr(ds, "none");
    }
}

void
dpx_cpuset_put_mask(const struct dpx_cpuset *set, struct ds *ds)
{
    bool leading = true;

    ds_put_cstr(ds, "0x");
    for (int i = DPX_MAX_CPUS / 4 - 1; i >= 0; i--) {
        int nibble = set->bits[i / 16] >> (i % 16 * 4) & 15;

        if (nibble || !leading || !i) {
            ds_put_char(ds, "0123456789abcdef"[nibble]);
            leading = false;
        }
    }
}
