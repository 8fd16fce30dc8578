/* SPDX-License-Identifier: Apache-2.0
 *
 * The keys that ovs-dpx takes from Open_vSwitch:other_config.  Called on the
 * main thread; logs nothing, changes nothing but its argument. */

#include <config.h>

#include "dpx-config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dpx-heavy-hitters.h"
#include "openvswitch/dynamic-string.h"
#include "smap.h"
#include "util.h"

void
dpx_config_init(struct dpx_config *config)
{
    config->enable = true;
    config->handoff = true;
    config->interval_s = 5;
    config->stock_interval = false;
    config->flow_stats = true;
    config->flow_cost_sampling = 64;
    config->flow_top = 0;
    config->hitters = false;
    config->hitters_size = 1 << 20;
    config->hitters_sampling = 16;
    config->hitters_key = DPX_HH_5TUPLE;
    dpx_placement_options_default(&config->placement);
}

static void
refuse(struct ds *refused, const char *key, const char *value,
       const char *range)
{
    ds_put_format(refused, "%s%s=\"%s\" is not %s, the old value stays",
                  refused->length ? "; " : "", key, value, range);
}

static void
take_bool(const struct smap *config, const char *key, bool def, bool *value,
          struct ds *refused)
{
    const char *word = smap_get(config, key);

    if (!word) {
        *value = def;
    } else if (!strcmp(word, "true") || !strcmp(word, "false")) {
        *value = word[0] == 't';
    } else {
        refuse(refused, key, word, "true or false");
    }
}

/* A number in the unit of the key; '*value' holds it times 'scale'. */
static void
take_number(const struct smap *config, const char *key, double min, double max,
            double scale, double def, double *value, struct ds *refused)
{
    const char *word = smap_get(config, key);
    double number;
    char *tail;

    if (!word) {
        *value = def;
        return;
    }
    number = strtod(word, &tail);
    if (tail == word || *tail || !isfinite(number)
        || number < min || number > max) {
        char *range = xasprintf("a number from %g to %g", min, max);

        refuse(refused, key, word, range);
        free(range);
        return;
    }
    *value = number * scale;
}

static void
take_cross_numa(const struct smap *config, enum dpx_cross_numa def,
                enum dpx_cross_numa *value, struct ds *refused)
{
    const char *key = "pmd-placement-cross-numa";
    const char *word = smap_get(config, key);

    if (!word) {
        *value = def;
    } else if (!strcmp(word, "never")) {
        *value = DPX_CROSS_NUMA_NEVER;
    } else if (!strcmp(word, "overload")) {
        *value = DPX_CROSS_NUMA_OVERLOAD;
    } else if (!strcmp(word, "always")) {
        *value = DPX_CROSS_NUMA_ALWAYS;
    } else {
        refuse(refused, key, word, "never, overload or always");
    }
}

/* A whole number from 'min' to 'max', which the refusal calls 'range'.
 * Returns true if '*value' is one from the database. */
static bool
take_int(const struct smap *config, const char *key, int min, int max,
         const char *range, int def, int *value, struct ds *refused)
{
    const char *word = smap_get(config, key);
    int number;

    if (!word) {
        *value = def;
    } else if (str_to_int(word, 10, &number) && number >= min
               && number <= max) {
        *value = number;
        return true;
    } else {
        refuse(refused, key, word, range);
    }
    return false;
}

/* In the database 0 means "no cap"; in the planner a cap of 0 moves nothing
 * and a negative one is no cap. */
static void
take_max_moves(const struct smap *config, int def, int *value,
               struct ds *refused)
{
    if (take_int(config, "pmd-placement-max-moves", 0, 1000000,
                 "a whole number from 0 (no cap) to 1000000", def, value,
                 refused) && !*value) {
        *value = -1;
    }
}

static void
take_hitters_key(const struct smap *config, enum dpx_hh_kind def,
                 enum dpx_hh_kind *value, struct ds *refused)
{
    const char *key = "flow-stats-heavy-hitters-key";
    const char *word = smap_get(config, key);

    if (!word) {
        *value = def;
    } else if (!dpx_hh_kind_from_name(word, value)) {
        refuse(refused, key, word,
               "5tuple, src-ip, dst-ip, pair or inner-5tuple");
    }
}

static void
take_hitters(const struct smap *config, const struct dpx_config *def,
             struct dpx_config *value, struct ds *refused)
{
    char *range = xasprintf("a whole number of bytes from %d to %d",
                            DPX_HH_MIN_SIZE, DPX_HH_MAX_SIZE);

    take_bool(config, "flow-stats-heavy-hitters", def->hitters,
              &value->hitters, refused);
    take_int(config, "flow-stats-heavy-hitters-size", DPX_HH_MIN_SIZE,
             DPX_HH_MAX_SIZE, range, def->hitters_size, &value->hitters_size,
             refused);
    take_int(config, "flow-stats-heavy-hitters-sampling", 1,
             DPX_HH_MAX_SAMPLING, "a whole number from 1 to 65536",
             def->hitters_sampling, &value->hitters_sampling, refused);
    take_hitters_key(config, def->hitters_key, &value->hitters_key, refused);
    free(range);
}

char *
dpx_config_parse(struct dpx_config *config, const struct smap *other_config)
{
    struct dpx_placement_options *p = &config->placement;
    struct ds refused = DS_EMPTY_INITIALIZER;
    struct dpx_config def;

    dpx_config_init(&def);
    take_bool(other_config, "dpx-enable", def.enable, &config->enable,
              &refused);
    take_number(other_config, "pmd-placement-smt-factor", 1.0, 2.0, 1.0,
                def.placement.smt_factor, &p->smt_factor, &refused);
    take_cross_numa(other_config, def.placement.cross_numa, &p->cross_numa,
                    &refused);
    take_number(other_config, "pmd-placement-cross-numa-cost", 0, 1000, 0.01,
                def.placement.cross_numa_cost, &p->cross_numa_cost, &refused);
    take_number(other_config, "pmd-placement-tolerance", 0, 100, 0.01,
                def.placement.tolerance, &p->tolerance, &refused);
    take_bool(other_config, "pmd-placement-handoff", def.handoff,
              &config->handoff, &refused);
    take_max_moves(other_config, def.placement.max_moves, &p->max_moves,
                   &refused);
    take_int(other_config, "pmd-placement-interval", 1, 3600,
             "a whole number from 1 to 3600", def.interval_s,
             &config->interval_s, &refused);
    take_bool(other_config, "flow-stats", def.flow_stats,
              &config->flow_stats, &refused);
    take_int(other_config, "flow-stats-cost-sampling", 0, 1000000,
             "a whole number from 0 (off) to 1000000",
             def.flow_cost_sampling, &config->flow_cost_sampling, &refused);
    take_int(other_config, "flow-stats-top", 0, 1000,
             "a whole number from 0 (none) to 1000", def.flow_top,
             &config->flow_top, &refused);
    take_hitters(other_config, &def, config, &refused);
    config->stock_interval = smap_get(other_config,
                                      "pmd-auto-lb-rebal-interval");
    if (!refused.length) {
        ds_destroy(&refused);
        return NULL;
    }
    return ds_steal_cstr(&refused);
}
