/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of heavy hitters in small cases, where one knows every number. */

#include <config.h>
#include "heavy-hitters-vocabulary.h"

/* Fills 'keys' with 'n' keys of one bucket of 'hh'. */
static void
keys_of_one_bucket(struct dpx_hh *hh, struct dpx_hh_key *keys, size_t n)
{
    uint32_t wanted = 3;
    struct dpx_hh_burst burst;

    ck_assert_uint_gt(hh->n_buckets, wanted);
    for (uint32_t i = 0; n; i++) {
        struct dpx_hh_key key = key_of(i);

        burst.n = 0;
        *dpx_hh_next(&burst, 0) = key;
        dpx_hh_prefetch(hh, &burst);
        if (burst.bucket[0] == wanted) {
            *keys++ = key;
            n--;
        }
    }
}

START_TEST(a_configuration_out_of_range_is_refused)
{
    static const struct dpx_hh_config bad[] = {
        { .size = 0, .sampling = 1 },
        { .size = DPX_HH_MIN_SIZE - 1, .sampling = 1 },
        { .size = (size_t) DPX_HH_MAX_SIZE + 1, .sampling = 1 },
        { .size = SMALL, .sampling = 0 },
        { .size = SMALL, .sampling = DPX_HH_MAX_SAMPLING + 1 },
        { .size = SMALL, .sampling = 1, .weight = 2 },
    };

    for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
        ck_assert_ptr_null(dpx_hh_create(&bad[i]));
    }
    dpx_hh_destroy(NULL);
    dpx_hh_snapshot_destroy(NULL);
    dpx_hh_top_destroy(NULL);
}
END_TEST

START_TEST(memory_is_as_configured)
{
    for (size_t size = DPX_HH_MIN_SIZE; size <= 1 << 22; size *= 2) {
        struct dpx_hh *hh = table(size, 1, DPX_HH_PACKETS, SEED);

        ck_assert_uint_le(dpx_hh_memory(hh), size);
        ck_assert_uint_gt(dpx_hh_memory(hh), size - 1024);
        dpx_hh_destroy(hh);
    }
}
END_TEST

START_TEST(few_keys_are_counted_exactly)
{
    struct dpx_hh *hh = table(1 << 20, 1, DPX_HH_PACKETS, SEED);
    struct dpx_hh_snapshot *s;
    struct dpx_hh_key key;
    uint64_t low, high;

    for (uint32_t i = 1; i <= 100; i++) {
        key = key_of(i);
        see(hh, &key, 60 + i, i);
    }
    s = dpx_hh_snapshot(hh);
    for (uint32_t i = 1; i <= 100; i++) {
        const struct dpx_hh_entry *e;

        key = key_of(i);
        e = dpx_hh_snapshot_find(s, &key, &low, &high);
        ck_assert_ptr_nonnull(e);
        ck_assert_uint_eq(low, i);
        ck_assert_uint_eq(high, i);
        ck_assert_uint_eq(e->count[DPX_HH_PACKETS], i);
        ck_assert_uint_eq(e->count[DPX_HH_BYTES], i * (60 + i));
    }
    key = key_of(101);
    ck_assert_ptr_null(dpx_hh_snapshot_find(s, &key, &low, &high));
    ck_assert_uint_eq(low, 0);
    ck_assert_uint_eq(high, 0);
    ck_assert_uint_eq(s->packets, 5050);
    ck_assert_uint_eq(s->counted[DPX_HH_PACKETS], 5050);
    ck_assert_uint_eq(s->largest, 160);
    ck_assert_uint_eq(s->replaced, 0);
    ck_assert_uint_eq(s->n_torn, 0);
    dpx_hh_snapshot_destroy(s);
    dpx_hh_destroy(hh);
}
END_TEST

START_TEST(a_new_key_takes_the_place_of_the_smallest_and_its_count)
{
    struct dpx_hh *hh = table(SMALL, 1, DPX_HH_PACKETS, SEED);
    struct dpx_hh_key keys[DPX_HH_WAYS + 2];

    keys_of_one_bucket(hh, keys, ARRAY_SIZE(keys));
    for (int i = 0; i < DPX_HH_WAYS; i++) {
        see(hh, &keys[i], 100, 10 + i);
    }
    ck_range(hh, &keys[6], false, 0, 10);
    see(hh, &keys[6], 100, 1);
    ck_range(hh, &keys[6], true, 1, 11);
    ck_range(hh, &keys[0], false, 0, 11);
    see(hh, &keys[6], 100, 5);
    ck_range(hh, &keys[6], true, 6, 16);

    /* Now that of 11 packets is the smallest. */
    see(hh, &keys[7], 100, 1);
    ck_range(hh, &keys[7], true, 1, 12);
    ck_range(hh, &keys[1], false, 0, 12);
    for (int i = 2; i < DPX_HH_WAYS; i++) {
        ck_range(hh, &keys[i], true, 10 + i, 10 + i);
    }
    dpx_hh_destroy(hh);
}
END_TEST

START_TEST(by_bytes_the_one_with_fewest_bytes_goes)
{
    struct dpx_hh *hh = table(SMALL, 1, DPX_HH_BYTES, SEED);
    struct dpx_hh_key keys[DPX_HH_WAYS + 1];

    keys_of_one_bucket(hh, keys, ARRAY_SIZE(keys));
    see(hh, &keys[0], 64, 20);          /* Most packets, fewest bytes. */
    for (int i = 1; i < DPX_HH_WAYS; i++) {
        see(hh, &keys[i], 1500, 1);
    }
    see(hh, &keys[6], 100, 1);
    ck_range(hh, &keys[6], true, 100, 1380);
    ck_range(hh, &keys[0], false, 0, 1380);
    ck_range(hh, &keys[1], true, 1500, 1500);
    dpx_hh_destroy(hh);
}
END_TEST

START_TEST(new_keys_of_one_burst_are_counted_one_after_the_other)
{
    struct dpx_hh *hh = table(SMALL, 1, DPX_HH_PACKETS, SEED);
    struct dpx_hh_burst burst = { .n = 0 };
    struct dpx_hh_key keys[DPX_HH_WAYS + 1];

    keys_of_one_bucket(hh, keys, ARRAY_SIZE(keys));
    for (int i = 0; i < 28; i++) {
        *dpx_hh_next(&burst, 64) = keys[i % 7];
    }
    *dpx_hh_next(&burst, 9999) = keys[0];
    dpx_hh_drop(&burst);
    dpx_hh_prefetch(hh, &burst);
    dpx_hh_commit(hh, &burst);
    for (int i = 0; i < 7; i++) {
        struct range r = range_of(hh, &keys[i]);

        ck_assert_uint_le(r.low, 4);
        ck_assert_uint_ge(r.high, 4);
    }
    dpx_hh_destroy(hh);
}
END_TEST

START_TEST(a_clear_is_seen_at_once_and_nothing_comes_back)
{
    struct dpx_hh *hh = table(SMALL, 1, DPX_HH_PACKETS, SEED);
    struct dpx_hh_key keys[2];
    struct dpx_hh_top *top;

    keys_of_one_bucket(hh, keys, 2);
    see(hh, &keys[0], 64, 100);
    dpx_hh_clear(hh);
    ck_range(hh, &keys[0], false, 0, 0);
    top = top_of(&hh, 1, 10, DPX_HH_PACKETS, 0.99);
    ck_assert_uint_eq(top->n_items, 0);
    ck_assert_uint_eq(top->packets, 0);
    dpx_hh_top_destroy(top);

    /* The bucket is emptied by the first key that comes. */
    see(hh, &keys[1], 64, 3);
    ck_range(hh, &keys[0], false, 0, 0);
    ck_range(hh, &keys[1], true, 3, 3);
    see(hh, &keys[0], 64, 2);
    ck_range(hh, &keys[0], true, 2, 2);
    top = top_of(&hh, 1, 10, DPX_HH_PACKETS, 0.99);
    ck_assert_uint_eq(top->n_items, 2);
    ck_assert_uint_eq(top->packets, 5);
    ck_assert_uint_eq(top->total[DPX_HH_BYTES], 5 * 64);
    dpx_hh_top_destroy(top);
    dpx_hh_destroy(hh);
}
END_TEST

START_TEST(a_bucket_that_is_being_written_is_left_out_and_its_bound_is_honest)
{
    struct dpx_hh *hh = table(SMALL, 1, DPX_HH_PACKETS, SEED);
    struct dpx_hh_snapshot *s;
    struct dpx_hh_key keys[2];
    struct dpx_hh_top *top;
    uint32_t version;

    keys_of_one_bucket(hh, keys, 2);
    see(hh, &keys[0], 64, 100);
    /* As a thread leaves it that loses its CPU between two stores. */
    atomic_read_relaxed(&hh->buckets[3].version, &version);
    atomic_store_relaxed(&hh->buckets[3].version, version + 1);
    s = dpx_hh_snapshot(hh);
    ck_assert_uint_eq(s->n_torn, 1);
    dpx_hh_snapshot_destroy(s);
    ck_range(hh, &keys[0], false, 0, 100);
    top = top_of(&hh, 1, 10, DPX_HH_PACKETS, 0.99);
    ck_assert_uint_eq(top->n_torn, 1);
    ck_assert_uint_eq(top->absent, 100);
    dpx_hh_top_destroy(top);

    atomic_store_relaxed(&hh->buckets[3].version, version + 2);
    ck_range(hh, &keys[0], true, 100, 100);
    dpx_hh_destroy(hh);
}
END_TEST

START_TEST(the_top_is_sorted_and_not_longer_than_asked)
{
    struct dpx_hh *hh = table(1 << 20, 1, DPX_HH_PACKETS, SEED);
    struct dpx_hh_key key;
    struct dpx_hh_top *top;

    /* By bytes the order is the other way round. */
    for (uint32_t i = 1; i <= 50; i++) {
        key = key_of(i);
        see(hh, &key, 100000 / (i * i), i);
    }
    for (size_t k = 0; k <= 60; k++) {
        top = top_of(&hh, 1, k, DPX_HH_PACKETS, 0.99);
        ck_assert_uint_eq(top->n_items, MIN(k, 50));
        ck_assert_double_eq(top->confidence, 1);
        for (size_t i = 0; i < top->n_items; i++) {
            key = key_of(50 - i);
            ck_assert(dpx_hh_key_equal(&top->items[i].key, &key));
            ck_assert_uint_eq(top->items[i].estimate[DPX_HH_PACKETS], 50 - i);
            ck_assert_uint_eq(top->items[i].low, 50 - i);
            ck_assert_uint_eq(top->items[i].high, 50 - i);
        }
        dpx_hh_top_destroy(top);
    }
    top = top_of(&hh, 1, 3, DPX_HH_BYTES, 0.99);
    for (uint32_t i = 0; i < 3; i++) {
        key = key_of(i + 1);
        ck_assert(dpx_hh_key_equal(&top->items[i].key, &key));
    }
    dpx_hh_top_destroy(top);
    dpx_hh_destroy(hh);
}
END_TEST

START_TEST(tables_add_up_and_the_one_without_the_key_adds_its_smallest)
{
    struct dpx_hh *hh[2] = { table(SMALL, 1, DPX_HH_PACKETS, SEED),
                             table(SMALL, 1, DPX_HH_PACKETS, SEED) };
    struct dpx_hh_key keys[DPX_HH_WAYS + 1];
    struct dpx_hh_top *top;

    /* Both have the same seed here, so the same bucket. */
    keys_of_one_bucket(hh[0], keys, ARRAY_SIZE(keys));
    see(hh[0], &keys[6], 64, 1000);
    for (int i = 0; i < DPX_HH_WAYS; i++) {
        see(hh[1], &keys[i], 64, 7 + i);
    }
    see(hh[0], &keys[5], 64, 100);
    top = top_of(hh, 2, 2, DPX_HH_PACKETS, 0.99);
    ck_assert_uint_eq(top->n_items, 2);
    ck_assert_uint_eq(top->packets, 1100 + 57);
    ck_assert(dpx_hh_key_equal(&top->items[0].key, &keys[6]));
    ck_assert_uint_eq(top->items[0].low, 1000);
    ck_assert_uint_eq(top->items[0].high, 1007);
    ck_assert(dpx_hh_key_equal(&top->items[1].key, &keys[5]));
    ck_assert_uint_eq(top->items[1].low, 112);
    ck_assert_uint_eq(top->items[1].high, 112);
    ck_assert_uint_eq(top->absent, 7);
    dpx_hh_top_destroy(top);
    dpx_hh_destroy(hh[0]);
    dpx_hh_destroy(hh[1]);
}
END_TEST

START_TEST(tables_that_count_different_things_are_not_merged)
{
    struct dpx_hh *hh[3] = { table(SMALL, 16, DPX_HH_PACKETS, SEED),
                             table(SMALL, 8, DPX_HH_PACKETS, SEED),
                             table(SMALL, 16, DPX_HH_BYTES, SEED) };
    struct dpx_hh *pair[2] = { hh[0], hh[2] };
    struct dpx_hh_top *top;

    ck_assert_ptr_null(top_of(hh, 2, 5, DPX_HH_PACKETS, 0.99));
    ck_assert_ptr_null(top_of(pair, 2, 5, DPX_HH_PACKETS, 0.99));
    top = top_of(hh, 0, 5, DPX_HH_PACKETS, 0.99);
    ck_assert_ptr_nonnull(top);
    ck_assert_uint_eq(top->n_items, 0);
    dpx_hh_top_destroy(top);
    for (int i = 0; i < 3; i++) {
        dpx_hh_destroy(hh[i]);
    }
}
END_TEST

START_TEST(bounds_of_a_sample_are_those_of_the_formula)
{
    struct dpx_hh *hh = table(1 << 16, 16, DPX_HH_PACKETS, SEED);
    struct dpx_hh_key key = key_of(1);
    struct dpx_hh_top *top;

    /* 16,000 packets are exactly 1,000 samples.  L = ln 200 = 5.2983. */
    see(hh, &key, 64, 16000);
    top = top_of(&hh, 1, 1, DPX_HH_PACKETS, 0.99);
    ck_assert_uint_eq(top->n_items, 1);
    ck_assert_double_eq(top->confidence, 0.99);
    ck_assert_uint_eq(top->items[0].estimate[DPX_HH_PACKETS], 16000);
    ck_assert_uint_eq(top->items[0].estimate[DPX_HH_BYTES], 16000 * 64);
    ck_assert_uint_eq(top->items[0].high, 17734);
    ck_assert_uint_eq(top->items[0].low, 14408);
    /* Of a key that was never sampled: 16 * 2 L. */
    ck_assert_uint_eq(top->absent, 170);
    dpx_hh_top_destroy(top);
    dpx_hh_destroy(hh);
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("heavy hitters");
    TCase *tc = tcase_create("table");

    tcase_add_test(tc, a_configuration_out_of_range_is_refused);
    tcase_add_test(tc, memory_is_as_configured);
    tcase_add_test(tc, few_keys_are_counted_exactly);
    tcase_add_test(tc,
                   a_new_key_takes_the_place_of_the_smallest_and_its_count);
    tcase_add_test(tc, by_bytes_the_one_with_fewest_bytes_goes);
    tcase_add_test(tc, new_keys_of_one_burst_are_counted_one_after_the_other);
    tcase_add_test(tc, a_clear_is_seen_at_once_and_nothing_comes_back);
    tcase_add_test(
        tc,
        a_bucket_that_is_being_written_is_left_out_and_its_bound_is_honest);
    tcase_add_test(tc, the_top_is_sorted_and_not_longer_than_asked);
    tcase_add_test(
        tc, tables_add_up_and_the_one_without_the_key_adds_its_smallest);
    tcase_add_test(tc, tables_that_count_different_things_are_not_merged);
    tcase_add_test(tc, bounds_of_a_sample_are_those_of_the_formula);
    suite_add_tcase(suite, tc);
    return run_suite(suite);
}
