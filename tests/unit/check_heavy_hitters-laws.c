/* SPDX-License-Identifier: Apache-2.0
 *
 * What must hold for heavy hitters whatever the traffic: bounds, sampling, and
 * a reader beside the counting thread.  The seed is fixed; a failure says
 * which round it was. */

#include <config.h>
#include "heavy-hitters-vocabulary.h"

#include <math.h>

#include "ovs-atomic.h"
#include "ovs-thread.h"

#define FLOWS 3000

/* A sequence of packets: few large flows, many small ones, in trains. */
struct stream {
    uint64_t state;
    uint32_t train, flow, left;
    uint64_t truth[2][FLOWS];
};

static uint32_t
next_flow(struct stream *s, uint32_t *bytes)
{
    if (!s->left) {
        double u = (any(&s->state) >> 11) / (double) (UINT64_C(1) << 53);

        /* The density 1 / x: Zipf's law with the exponent 1, about. */
        s->flow = exp(u * log(FLOWS + 1)) - 1;
        s->flow = MIN(FLOWS - 1, s->flow);
        s->left = 1 + any(&s->state) % (2 * s->train - 1);
    }
    s->left--;
    *bytes = s->flow % 3 ? 64 : 64 + any(&s->state) % 1437;
    s->truth[DPX_HH_PACKETS][s->flow]++;
    s->truth[DPX_HH_BYTES][s->flow] += *bytes;
    return s->flow;
}

/* Feeds 'n' bursts of the stream to the tables in turn, at random. */
static void
feed(struct stream *s, struct dpx_hh *const *tables, size_t n_tables,
     unsigned int n)
{
    struct dpx_hh_burst burst = { .n = 0 };

    for (unsigned int b = 0; b < n; b++) {
        struct dpx_hh *hh = tables[any(&s->state) % n_tables];
        size_t size = 1 + any(&s->state) % DPX_HH_BURST, n_at, next = 0;
        uint8_t at[DPX_HH_BURST];

        n_at = dpx_hh_sample(hh, size, at);
        for (size_t i = 0; i < size; i++) {
            uint32_t bytes, flow = next_flow(s, &bytes);

            if (next < n_at && at[next] == i) {
                *dpx_hh_next(&burst, bytes) = key_of(flow);
                next++;
            }
        }
        ck_assert_uint_eq(next, n_at);
        dpx_hh_prefetch(hh, &burst);
        dpx_hh_commit(hh, &burst);
    }
}

/* One round: every bound, over one to three tables, of every flow.  Counts how
 * many were judged and how many missed. */
static void
judge(unsigned int round, uint32_t sampling, double confidence,
      unsigned long *judged, unsigned long *missed)
{
    enum dpx_hh_weight weight = round % 2;
    size_t n_tables = 1 + round % 3;
    struct stream *s = xzalloc(sizeof *s);
    struct dpx_hh *tables[3];
    struct dpx_hh_top *top;
    bool *seen = xcalloc(FLOWS, sizeof *seen);

    s->state = SEED + round;
    s->train = 1 + round % 4 * 10;
    for (size_t i = 0; i < n_tables; i++) {
        tables[i] = table(SMALL << round % 5, sampling, weight,
                          SEED + 3 * round + i);
    }
    feed(s, tables, n_tables, 2000);
    top = top_of(tables, n_tables, 2 * FLOWS, weight, confidence);
    for (size_t i = 0; i < top->n_items; i++) {
        const struct dpx_hh_item *item = &top->items[i];
        uint32_t flow = dpx_hh_key_family(&item->key) == DPX_HH_IPV4
                        ? dpx_hh_key_sport(&item->key)
                        : dpx_hh_key_dport(&item->key);
        uint64_t truth = s->truth[weight][flow];

        ck_assert_msg(!seen[flow], "round %u: flow %u twice", round, flow);
        seen[flow] = true;
        *missed += truth < item->low || truth > item->high;
        ++*judged;
    }
    for (uint32_t flow = 0; flow < FLOWS; flow++) {
        if (!seen[flow]) {
            *missed += s->truth[weight][flow] > top->absent;
            ++*judged;
        }
    }
    dpx_hh_top_destroy(top);
    for (size_t i = 0; i < n_tables; i++) {
        dpx_hh_destroy(tables[i]);
    }
    free(seen);
    free(s);
}

START_TEST(no_bound_is_missed_when_every_packet_is_counted)
{
    unsigned long judged = 0, missed = 0;

    for (unsigned int round = 0; round < 60; round++) {
        judge(round, 1, 0.99, &judged, &missed);
        ck_assert_msg(!missed, "seed %d, round %u", SEED, round);
    }
    ck_assert_uint_gt(judged, 60 * 1000);
}
END_TEST

START_TEST(bounds_of_a_sample_are_missed_no_oftener_than_stated)
{
    static const uint32_t samplings[] = { 2, 16, 100 };

    for (size_t i = 0; i < ARRAY_SIZE(samplings); i++) {
        unsigned long judged = 0, missed = 0;

        for (unsigned int round = 0; round < 40; round++) {
            judge(round, samplings[i], 0.9, &judged, &missed);
        }
        ck_assert_msg(missed <= judged / 10, "seed %d, one in %u: %lu of %lu",
                      SEED, samplings[i], missed, judged);
    }
}
END_TEST

START_TEST(exactly_one_packet_of_each_window_is_taken)
{
    static const uint32_t samplings[] = { 1, 2, 3, 16, 31, 32, 33, 1000 };
    uint64_t state = SEED;

    for (size_t i = 0; i < ARRAY_SIZE(samplings); i++) {
        uint32_t n = samplings[i];
        struct dpx_hh *hh = table(SMALL, n, DPX_HH_PACKETS, SEED + i);
        uint64_t seen = 0, taken = 0;

        for (int b = 0; b < 100000; b++) {
            size_t size = any(&state) % (DPX_HH_BURST + 1);
            uint8_t at[DPX_HH_BURST + 1];
            size_t n_at = dpx_hh_sample(hh, size, at);

            for (size_t j = 0; j < n_at; j++) {
                ck_assert_uint_lt(at[j], size);
                ck_assert_uint_eq((seen + at[j]) / n, taken);
                taken++;
            }
            seen += size;
            ck_assert_uint_ge(taken, seen / n);
        }
        dpx_hh_destroy(hh);
    }
}
END_TEST

/* The statistic of a chi-square test that 'n' numbers are equally likely. */
static double
chi_square(const unsigned int *times, size_t n)
{
    double sum = 0, square = 0;

    for (size_t i = 0; i < n; i++) {
        sum += times[i];
    }
    for (size_t i = 0; i < n; i++) {
        square += (times[i] - sum / n) * (times[i] - sum / n);
    }
    return square / (sum / n);
}

START_TEST(every_place_of_a_burst_is_as_likely_as_the_others)
{
    /* Windows that divide a burst, that are one, and that are two. */
    static const uint32_t samplings[] = { 4, 16, 32, 64 };

    for (size_t i = 0; i < ARRAY_SIZE(samplings); i++) {
        struct dpx_hh *hh = table(SMALL, samplings[i], DPX_HH_PACKETS, SEED);
        unsigned int times[DPX_HH_BURST] = { 0 };
        double x;

        for (int b = 0; b < 200000; b++) {
            uint8_t at[DPX_HH_BURST];
            size_t n = dpx_hh_sample(hh, DPX_HH_BURST, at);

            for (size_t j = 0; j < n; j++) {
                times[at[j]]++;
            }
        }
        /* 31 degrees of freedom: above 61 once in a thousand. */
        x = chi_square(times, DPX_HH_BURST);
        ck_assert_msg(x < 61, "seed %d, one in %u: %g", SEED, samplings[i], x);
        dpx_hh_destroy(hh);
    }
}
END_TEST

START_TEST(keys_spread_over_buckets_and_each_seed_spreads_them_otherwise)
{
    struct dpx_hh *a = table(1 << 20, 1, DPX_HH_PACKETS, SEED);
    struct dpx_hh *b = table(1 << 20, 1, DPX_HH_PACKETS, SEED + 1);
    unsigned int *times = xcalloc(a->n_buckets, sizeof *times);
    unsigned int same = 0;
    double x;

    /* Consecutive addresses, which a weak hash puts side by side. */
    for (uint32_t i = 0; i < 200000; i++) {
        struct dpx_hh_key key = key_of(i);
        uint32_t bucket[2];

        bucket[0] = (dpx_hh_hash(&a->secret, &key) >> 32) * a->n_buckets >> 32;
        bucket[1] = (dpx_hh_hash(&b->secret, &key) >> 32) * b->n_buckets >> 32;
        times[bucket[0]]++;
        same += bucket[0] == bucket[1];
    }
    /* About 2,500 degrees of freedom: five standard deviations. */
    x = chi_square(times, a->n_buckets);
    ck_assert_msg(x < a->n_buckets + 5 * 71 && x > a->n_buckets - 5 * 71,
                  "%g of %u", x, a->n_buckets);
    ck_assert_uint_lt(same, 200000 / a->n_buckets * 2);
    free(times);
    dpx_hh_destroy(a);
    dpx_hh_destroy(b);
}
END_TEST

START_TEST(a_table_without_a_seed_draws_its_own)
{
    struct dpx_hh *a = table(SMALL, 1, DPX_HH_PACKETS, 0);
    struct dpx_hh *b = table(SMALL, 1, DPX_HH_PACKETS, 0);

    ck_assert(memcmp(&a->secret, &b->secret, sizeof a->secret));
    dpx_hh_destroy(a);
    dpx_hh_destroy(b);
}
END_TEST

/* A reader beside the counting thread.  All words of a key, and the size of
 * its packets, follow from one number, so a key that is half of one and half
 * of another would be found. */
struct pair {
    struct dpx_hh *hh;
    atomic_bool stop;
};

static uint32_t
size_of(uint32_t n)
{
    return 64 + n % 97;
}

static struct dpx_hh_key
telling_key(uint32_t n)
{
    uint32_t src[4] = { n, ~n, n * 3, n ^ 5 }, dst[4] = { n, n, ~n, n + 1 };
    struct dpx_hh_key key;

    dpx_hh_key_ipv6(&key, DPX_HH_5TUPLE, src, dst, 6, htons(n), htons(n));
    return key;
}

static void *
count_for_ever(void *pair_)
{
    struct pair *pair = pair_;
    uint64_t state = SEED;
    bool stop = false;

    while (!stop) {
        static struct dpx_hh_burst burst;

        for (int i = 0; i < DPX_HH_BURST; i++) {
            uint32_t n = any(&state) % 500;

            *dpx_hh_next(&burst, size_of(n)) = telling_key(n);
        }
        uint8_t at[DPX_HH_BURST];
        ck_assert_uint_eq(dpx_hh_sample(pair->hh, DPX_HH_BURST, at),
                          DPX_HH_BURST);
        dpx_hh_prefetch(pair->hh, &burst);
        dpx_hh_commit(pair->hh, &burst);
        atomic_read_relaxed(&pair->stop, &stop);
    }
    return NULL;
}

START_TEST(a_reader_never_sees_half_a_key)
{
    struct pair pair = { .hh = table(SMALL, 1, DPX_HH_PACKETS, SEED) };
    unsigned long entries = 0, replaced = 0, torn = 0, buckets = 0;
    pthread_t thread;

    atomic_init(&pair.stop, false);
    thread = ovs_thread_create("count", count_for_ever, &pair);
    for (int round = 0; entries < 20000; round++) {
        struct dpx_hh_snapshot *s = dpx_hh_snapshot(pair.hh);

        replaced += s->replaced;
        buckets += s->n_buckets;
        torn += s->n_torn;
        for (uint32_t b = 0; b < s->n_buckets; b++) {
            for (int i = 0; i < s->used[b]; i++) {
                struct dpx_hh_entry *e = &s->entries[b * DPX_HH_WAYS + i];
                uint32_t n = dpx_hh_key_sport(&e->key);
                struct dpx_hh_key key = telling_key(n);

                ck_assert(dpx_hh_key_equal(&e->key, &key));
                ck_assert_uint_lt(n, 500);
                ck_assert_uint_eq(e->count[DPX_HH_BYTES] % size_of(n), 0);
                ck_assert_uint_gt(e->count[DPX_HH_PACKETS], 0);
                entries++;
            }
        }
        dpx_hh_snapshot_destroy(s);
        if (round % 16 == 15) {
            dpx_hh_clear(pair.hh);
        }
    }
    ck_assert_uint_gt(replaced, 0);
    /* Only where the other thread lost its CPU at the wrong moment. */
    ck_assert_uint_lt(torn, buckets / 10);
    atomic_store(&pair.stop, true);
    xpthread_join(thread, NULL);
    dpx_hh_destroy(pair.hh);
}
END_TEST

int
main(int argc OVS_UNUSED, char *argv[])
{
    Suite *suite = suite_create("laws of heavy hitters");
    TCase *tc = tcase_create("laws");

    ovs_set_program_name(argv[0], "0");
    printf("seed %d\n", SEED);
    tcase_set_timeout(tc, 300);
    tcase_add_test(tc, no_bound_is_missed_when_every_packet_is_counted);
    tcase_add_test(tc, bounds_of_a_sample_are_missed_no_oftener_than_stated);
    tcase_add_test(tc, exactly_one_packet_of_each_window_is_taken);
    tcase_add_test(tc, every_place_of_a_burst_is_as_likely_as_the_others);
    tcase_add_test(
        tc, keys_spread_over_buckets_and_each_seed_spreads_them_otherwise);
    tcase_add_test(tc, a_table_without_a_seed_draws_its_own);
    tcase_add_test(tc, a_reader_never_sees_half_a_key);
    suite_add_tcase(suite, tc);
    return run_suite(suite);
}
