/* SPDX-License-Identifier: Apache-2.0
 *
 * Options of the paced test netdev: good ones are taken, bad ones refused
 * with key, value and range. */

#include <config.h>
#undef NDEBUG
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "dpx-paced-config.h"
#include "dpx-paced-ring.h"
#include "smap.h"
#include "util.h"

static struct dpx_paced_config config;

/* Parses "KEY=VALUE;KEY=VALUE".  Returns what is wrong. */
static char *
parse(const char *text)
{
    struct smap args = SMAP_INITIALIZER(&args);
    char *copy = xstrdup(text), *next = copy, *option, *error;

    while ((option = strsep(&next, ";")) && *option) {
        char *key = strsep(&option, "=");

        smap_add(&args, key, option);
    }
    error = dpx_paced_config_parse(&config, &args);
    smap_destroy(&args);
    free(copy);
    return error;
}

static void
taken(const char *text)
{
    char *error = parse(text);

    ck_assert_msg(!error, "%s: %s", text, error);
}

static const struct {
    const char *text;
    const char *error;
} bad[] = {
    { "n_rxq=0", "n_rxq=\"0\" is not a whole number from 1 to 256" },
    { "n_rxq=257", "n_rxq=\"257\" is not a whole number from 1 to 256" },
    { "n_rxq=two", "n_rxq=\"two\" is not a whole number from 1 to 256" },
    { "n_rxq=", "n_rxq=\"\" is not a whole number from 1 to 256" },
    { "n_rxq=-1", "n_rxq=\"-1\" is not a whole number from 1 to 256" },
    { "n_rxq= 1", "n_rxq=\" 1\" is not a whole number from 1 to 256" },
    { "n_rxq=1x", "n_rxq=\"1x\" is not a whole number from 1 to 256" },
    { "n_rxq=0x2", "n_rxq=\"0x2\" is not a whole number from 1 to 256" },
    { "n_rxq=99999999999999999999",
      "n_rxq=\"99999999999999999999\" is not a whole number from 1 to 256" },
    { "n_txq=0", "n_txq=\"0\" is not a whole number from 1 to 256" },
    { "numa_id=128", "numa_id=\"128\" is not a whole number from 0 to 127" },
    { "ring-size=0", "ring-size=\"0\" is not a whole number from 1 to 65536" },
    { "frame-size=63",
      "frame-size=\"63\" is not a whole number from 64 to 9018" },
    { "frame-size=9019",
      "frame-size=\"9019\" is not a whole number from 64 to 9018" },
    { "flows=0", "flows=\"0\" is not a whole number from 1 to 1048576" },
    { "flows=1048577",
      "flows=\"1048577\" is not a whole number from 1 to 1048576" },
    { "tx-rate=1000000001",
      "tx-rate=\"1000000001\" is not a whole number from 0 to 1000000000" },
    { "gap-threshold=0",
      "gap-threshold=\"0\" is not a whole number from 1 to 10000000" },
    { "flow-skew=-1", "flow-skew=\"-1\" is not a number from 0 to 10" },
    { "flow-skew=11", "flow-skew=\"11\" is not a number from 0 to 10" },
    { "flow-skew=nan", "flow-skew=\"nan\" is not a number from 0 to 10" },
    { "flow-skew=", "flow-skew=\"\" is not a number from 0 to 10" },
    { "flow-skew=.", "flow-skew=\".\" is not a number from 0 to 10" },
    { "flow-skew=1.1.1",
      "flow-skew=\"1.1.1\" is not a number from 0 to 10" },
    { "rx-rate=fast", "rx-rate=\"fast\": \"fast\" is not a number of "
      "packets/s from 0 to 1000000000" },
    { "n_rxq=2;rx-rate=5,1000000001", "rx-rate=\"5,1000000001\": "
      "\"1000000001\" is not a number of packets/s from 0 to 1000000000" },
    { "n_rxq=2;rx-rate=5,", "rx-rate=\"5,\": \"\" is not a number of "
      "packets/s from 0 to 1000000000" },
    { "n_rxq=3;rx-rate=1,2", "rx-rate=\"1,2\": 2 rates for n_rxq=3; give one "
      "for all queues, or one for each" },
    { "rx-rate=1,2", "rx-rate=\"1,2\": 2 rates for n_rxq=1; give one "
      "for all queues, or one for each" },
    { "double-poll=maybe",
      "double-poll=\"maybe\" is neither \"abort\" nor \"count\"" },
    { "rx-pcap=", "rx-pcap=\"\" names no file" },
    { "rx_rate=5", "no option is called \"rx_rate\"" },
};

START_TEST(a_bad_option_is_quoted)
{
    char *error = parse(bad[_i].text);

    ck_assert_msg(error != NULL, "\"%s\" was taken", bad[_i].text);
    ck_assert_str_eq(error, bad[_i].error);
    free(error);
}
END_TEST

START_TEST(no_option_gives_the_defaults)
{
    taken("");
    ck_assert_int_eq(config.n_rxq, 1);
    ck_assert_int_eq(config.n_txq, 0);
    ck_assert_int_eq(config.numa_id, 0);
    ck_assert_uint_eq(config.rx_rates[0], 0);
    ck_assert_uint_eq(config.tx_rate, 0);
    ck_assert_uint_eq(config.ring_size, 1024);
    ck_assert_uint_eq(config.frame_size, 64);
    ck_assert_uint_eq(config.n_flows, 1);
    ck_assert(config.skew == 0.0);
    ck_assert_uint_eq(config.gap_threshold, 1000000);
    ck_assert(config.abort_on_double_poll);
    ck_assert_ptr_eq(config.rx_pcap, NULL);
}
END_TEST

START_TEST(every_option_is_taken)
{
    taken("n_rxq=3;n_txq=4;numa_id=1;rx-rate=1,0,1000000000;tx-rate=7;"
          "ring-size=65536;frame-size=1518;flows=1048576;flow-skew=1.25;"
          "rx-pcap=a.pcap;gap-threshold=50;double-poll=count");
    ck_assert_int_eq(config.n_rxq, 3);
    ck_assert_int_eq(config.n_txq, 4);
    ck_assert_int_eq(config.numa_id, 1);
    ck_assert_uint_eq(config.rx_rates[0], 1);
    ck_assert_uint_eq(config.rx_rates[1], 0);
    ck_assert_uint_eq(config.rx_rates[2], DPX_PACED_RATE_MAX);
    ck_assert_uint_eq(config.tx_rate, 7);
    ck_assert_uint_eq(config.ring_size, 65536);
    ck_assert_uint_eq(config.frame_size, 1518);
    ck_assert_uint_eq(config.n_flows, 1048576);
    ck_assert(config.skew == 1.25);
    ck_assert_uint_eq(config.gap_threshold, 50000);
    ck_assert(!config.abort_on_double_poll);
    ck_assert_str_eq(config.rx_pcap, "a.pcap");
    dpx_paced_config_destroy(&config);
}
END_TEST

START_TEST(one_rate_is_for_all_queues)
{
    taken("n_rxq=256;rx-rate=1234");
    for (int i = 0; i < 256; i++) {
        ck_assert_uint_eq(config.rx_rates[i], 1234);
    }
}
END_TEST

START_TEST(rates_change_without_a_restart_and_the_rest_with_one)
{
    static const char *const others[] = {
        "n_rxq=2", "n_txq=1", "numa_id=1", "ring-size=64", "frame-size=65",
        "flows=2", "flow-skew=1", "rx-pcap=a", "gap-threshold=7",
        "double-poll=count",
    };
    struct dpx_paced_config base;

    taken("");
    base = config;
    taken("rx-rate=5;tx-rate=6");
    ck_assert(!dpx_paced_config_restarts(&base, &config));
    for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
        taken(others[i]);
        ck_assert_msg(dpx_paced_config_restarts(&base, &config), "%s",
                      others[i]);
        dpx_paced_config_destroy(&config);
    }
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("paced config");
    TCase *tc = tcase_create("config");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_add_loop_test(tc, a_bad_option_is_quoted, 0, ARRAY_SIZE(bad));
    tcase_add_test(tc, no_option_gives_the_defaults);
    tcase_add_test(tc, every_option_is_taken);
    tcase_add_test(tc, one_rate_is_for_all_queues);
    tcase_add_test(tc, rates_change_without_a_restart_and_the_rest_with_one);
    suite_add_tcase(suite, tc);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
