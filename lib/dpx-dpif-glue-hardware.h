/* SPDX-License-Identifier: Apache-2.0
 *
 * Part of dpx-dpif-glue.h: what hardware counted for a megaflow, as of the
 * last time that somebody (a revalidator, as a rule) asked it.  Asking takes a
 * lock and a driver its time, which a sweep does not have. */

#if DPX_OVS_RELEASE >= 400
/* Nothing is kept: a row of an answer asks. */
static void
dpx_flow_read_hardware(struct dp_netdev_flow *flow OVS_UNUSED,
                       uint64_t *packets, uint64_t *bytes)
{
    *packets = *bytes = 0;
}
#else
static void
dpx_flow_read_hardware(struct dp_netdev_flow *flow, uint64_t *packets,
                       uint64_t *bytes)
{
    struct dpif_flow_stats stats;
    struct dpif_flow_attrs attrs;
    int error;

    *packets = *bytes = 0;
    if (netdev_is_flow_api_enabled()) {
        dp_netdev_flow_get_last_stats_attrs(flow, &stats, &attrs, &error);
        if (!error && attrs.offloaded) {
            *packets = stats.n_packets;
            *bytes = stats.n_bytes;
        }
    }
}
#endif
