/* SPDX-License-Identifier: Apache-2.0
 *
 * Options of the paced test netdev; the header lists them. */

#include <config.h>
#include "dpx-paced-config.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dpx-paced-flows.h"
#include "dpx-paced-packet.h"
#include "dpx-paced-ring.h"
#include "smap.h"
#include "util.h"

/* The whole numbers: key, member, least, greatest, default. */
#define INTEGERS                                                    \
    INTEGER("n_rxq", n_rxq, 1, DPX_PACED_QUEUES_MAX, 1)             \
    INTEGER("n_txq", n_txq, 1, DPX_PACED_QUEUES_MAX, 0)             \
    INTEGER("numa_id", numa_id, 0, 127, 0)                          \
    INTEGER("tx-rate", tx_rate, 0, DPX_PACED_RATE_MAX, 0)           \
    INTEGER("ring-size", ring_size, 1, 65536, 1024)                 \
    INTEGER("frame-size", frame_size, DPX_PACED_FRAME_MIN,          \
            DPX_PACED_FRAME_MAX, DPX_PACED_FRAME_MIN)               \
    INTEGER("flows", n_flows, 1, DPX_PACED_FLOWS_MAX, 1)            \
    INTEGER("gap-threshold", gap_threshold, 1, 10000000, 1000)

static const char *const keys[] = {
#define INTEGER(KEY, MEMBER, MIN, MAX, DEFAULT) KEY,
    INTEGERS
#undef INTEGER
    "rx-rate", "flow-skew", "rx-pcap", "double-poll",
};

/* Parses digits, nothing else: no sign, no space, no other base. */
static bool
parse_integer(const char *s, uint64_t min, uint64_t max, uint64_t *value)
{
    char *end;

    if (!*s || strspn(s, "0123456789") != strlen(s)) {
        return false;
    }
    errno = 0;
    *value = strtoull(s, &end, 10);
    return !errno && *value >= min && *value <= max;
}

bool
dpx_paced_rate_parse(const char *s, uint64_t *rate)
{
    return parse_integer(s, 0, DPX_PACED_RATE_MAX, rate);
}

static char *
parse_rates(struct dpx_paced_config *config, const char *text)
{
    char *copy = xstrdup(text), *next = copy, *word;
    char *error = NULL;
    int n = 0;

    while (!error && (word = strsep(&next, ","))) {
        uint64_t rate;

        if (!dpx_paced_rate_parse(word, &rate)) {
            error = xasprintf("rx-rate=\"%s\": \"%s\" is not a number of "
                              "packets/s from 0 to %"PRIu64, text, word,
                              DPX_PACED_RATE_MAX);
        } else if (n < DPX_PACED_QUEUES_MAX) {
            config->rx_rates[n] = rate;
        }
        n++;
    }
    if (!error && n != 1 && n != config->n_rxq) {
        error = xasprintf("rx-rate=\"%s\": %d rates for n_rxq=%d; give one "
                          "for all queues, or one for each", text, n,
                          config->n_rxq);
    }
    for (int i = 1; !error && n == 1 && i < config->n_rxq; i++) {
        config->rx_rates[i] = config->rx_rates[0];
    }
    free(copy);
    return error;
}

static char *
parse_skew(struct dpx_paced_config *config, const char *text)
{
    char *end;

    errno = 0;
    config->skew = strtod(text, &end);
    /* strtod() knows "nan", "inf", "0x1" and leading spaces too. */
    if (errno || end == text || *end || config->skew > 10
        || strspn(text, "0123456789.") != strlen(text)) {
        return xasprintf("flow-skew=\"%s\" is not a number from 0 to 10",
                         text);
    }
    return NULL;
}

static char *
check_keys(const struct smap *args)
{
    const struct smap_node *node;

    SMAP_FOR_EACH (node, args) {
        size_t i = 0;

        while (i < ARRAY_SIZE(keys) && strcmp(keys[i], node->key)) {
            i++;
        }
        if (i >= ARRAY_SIZE(keys)) {
            return xasprintf("no option is called \"%s\"", node->key);
        }
    }
    return NULL;
}

static char *
parse_all(struct dpx_paced_config *config, const struct smap *args)
{
    char *error = check_keys(args);
    const char *text;
    uint64_t value;

    if (error) {
        return error;
    }

#define INTEGER(KEY, MEMBER, MIN, MAX, DEFAULT)                             \
    text = smap_get(args, KEY);                                             \
    value = DEFAULT;                                                        \
    if (text && !parse_integer(text, MIN, MAX, &value)) {                   \
        return xasprintf("%s=\"%s\" is not a whole number from %llu to "    \
                         "%llu", KEY, text, (unsigned long long) (MIN),     \
                         (unsigned long long) (MAX));                       \
    }                                                                       \
    config->MEMBER = value;
    INTEGERS
#undef INTEGER
    config->gap_threshold *= 1000;

    text = smap_get(args, "rx-rate");
    if (text) {
        error = parse_rates(config, text);
        if (error) {
            return error;
        }
    }

    text = smap_get(args, "flow-skew");
    if (text) {
        error = parse_skew(config, text);
        if (error) {
            return error;
        }
    }

    text = smap_get_def(args, "double-poll", "abort");
    config->abort_on_double_poll = !strcmp(text, "abort");
    if (!config->abort_on_double_poll && strcmp(text, "count")) {
        return xasprintf("double-poll=\"%s\" is neither \"abort\" nor "
                         "\"count\"", text);
    }

    text = smap_get(args, "rx-pcap");
    if (text && !*text) {
        return xstrdup("rx-pcap=\"\" names no file");
    }
    config->rx_pcap = nullable_xstrdup(text);
    return NULL;
}

char *
dpx_paced_config_parse(struct dpx_paced_config *config,
                       const struct smap *args)
{
    memset(config, 0, sizeof *config);
    return parse_all(config, args);
}

void
dpx_paced_config_destroy(struct dpx_paced_config *config)
{
    free(config->rx_pcap);
    config->rx_pcap = NULL;
}

bool
dpx_paced_config_restarts(const struct dpx_paced_config *a,
                          const struct dpx_paced_config *b)
{
    return a->n_rxq != b->n_rxq
           || a->n_txq != b->n_txq
           || a->numa_id != b->numa_id
           || a->ring_size != b->ring_size
           || a->frame_size != b->frame_size
           || a->n_flows != b->n_flows
           || a->skew != b->skew
           || a->gap_threshold != b->gap_threshold
           || a->abort_on_double_poll != b->abort_on_double_poll
           || !nullable_string_is_equal(a->rx_pcap, b->rx_pcap);
}
