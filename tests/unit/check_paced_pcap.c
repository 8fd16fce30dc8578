/* SPDX-License-Identifier: Apache-2.0
 *
 * Captures are read whole or refused with a reason that names the file. */

#include <config.h>
#undef NDEBUG
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dpx-paced-packet.h"
#include "dpx-paced-pcap.h"
#include "util.h"

static char file_name[] = "check_paced_pcap.XXXXXX";
static FILE *file;
static bool swap;
static char *error;

static void
setup(void)
{
    int fd = mkstemp(file_name);

    ck_assert_int_ge(fd, 0);
    file = fdopen(fd, "w+");
    swap = false;
    error = NULL;
}

static void
teardown(void)
{
    fclose(file);
    unlink(file_name);
    free(error);
}

static void
put32(uint32_t value)
{
    value = swap ? __builtin_bswap32(value) : value;
    ck_assert_uint_eq(fwrite(&value, 4, 1, file), 1);
}

static void
header(uint32_t magic, uint32_t link)
{
    put32(magic);
    put32(swap ? 0x00020004 : 0x00040002);
    put32(0);
    put32(0);
    put32(65535);
    put32(link);
}

/* A packet of 'full' bytes, of which 'stored' bytes 'fill' are in the file
 * and the file is cut off after 'present'. */
static void
packet(uint32_t full, uint32_t stored, uint32_t present, uint8_t fill)
{
    put32(1);
    put32(2);
    put32(stored);
    put32(full);
    while (present--) {
        ck_assert_int_ne(putc(fill, file), EOF);
    }
}

static struct dpx_paced_pcap *
read_it(void)
{
    ck_assert(!fflush(file));
    return dpx_paced_pcap_read(file_name, &error);
}

/* The file is refused, with its name and 'reason'. */
static void
refused(const char *reason)
{
    ck_assert_ptr_eq(read_it(), NULL);
    ck_assert_ptr_ne(error, NULL);
    ck_assert_msg(strstr(error, file_name) && strstr(error, reason),
                  "\"%s\" does not say \"%s\"", error, reason);
}

static void
two_packets_are_read(uint32_t magic)
{
    struct dpx_paced_pcap *pcap;

    header(magic, 1);
    packet(60, 60, 60, 0x11);
    packet(1514, 1514, 1514, 0x22);
    pcap = read_it();
    ck_assert_msg(pcap != NULL, "%s", error);
    ck_assert_uint_eq(pcap->n, 2);
    ck_assert_uint_eq(pcap->packets[0].size, 60);
    ck_assert_uint_eq(pcap->packets[0].data[0], 0x11);
    ck_assert_uint_eq(pcap->packets[0].data[59], 0x11);
    ck_assert_uint_eq(pcap->packets[1].size, 1514);
    ck_assert_uint_eq(pcap->packets[1].data[0], 0x22);
    ck_assert_uint_eq(pcap->packets[1].data[1513], 0x22);
    dpx_paced_pcap_destroy(pcap);
}

START_TEST(four_kinds_of_file_are_read)
{
    swap = _i & 1;
    two_packets_are_read(_i & 2 ? 0xa1b23c4d : 0xa1b2c3d4);
}
END_TEST

START_TEST(a_packet_cut_by_the_snap_length_is_filled_up)
{
    struct dpx_paced_pcap *pcap;

    header(0xa1b2c3d4, 1);
    packet(1000, 96, 96, 0x33);
    packet(60, 60, 60, 0x44);
    pcap = read_it();
    ck_assert_msg(pcap != NULL, "%s", error);
    ck_assert_uint_eq(pcap->packets[0].size, 1000);
    ck_assert_uint_eq(pcap->packets[0].data[95], 0x33);
    ck_assert_uint_eq(pcap->packets[0].data[96], 0);
    ck_assert_uint_eq(pcap->packets[0].data[999], 0);
    ck_assert_uint_eq(pcap->packets[1].data[0], 0x44);
    dpx_paced_pcap_destroy(pcap);
}
END_TEST

START_TEST(a_runt_is_padded)
{
    struct dpx_paced_pcap *pcap;

    header(0xa1b2c3d4, 1);
    packet(42, 42, 42, 0x55);
    pcap = read_it();
    ck_assert_msg(pcap != NULL, "%s", error);
    ck_assert_uint_eq(pcap->packets[0].size, DPX_PACED_MIN_BYTES);
    ck_assert_uint_eq(pcap->packets[0].data[41], 0x55);
    ck_assert_uint_eq(pcap->packets[0].data[42], 0);
    dpx_paced_pcap_destroy(pcap);
}
END_TEST

START_TEST(a_missing_file_is_refused)
{
    ck_assert_ptr_eq(dpx_paced_pcap_read("no such file.pcap", &error), NULL);
    ck_assert_str_eq(error,
                     "no such file.pcap: No such file or directory");
}
END_TEST

START_TEST(a_directory_is_refused)
{
    ck_assert_ptr_eq(dpx_paced_pcap_read("/", &error), NULL);
    ck_assert_str_eq(error, "/: not a regular file");
}
END_TEST

START_TEST(a_fifo_is_refused_without_waiting)
{
    ck_assert(!unlink(file_name));
    ck_assert(!mkfifo(file_name, 0600));
    refused("not a regular file");
}
END_TEST

START_TEST(an_empty_file_is_refused)
{
    refused("the file is empty");
}
END_TEST

START_TEST(another_kind_of_file_is_refused)
{
    fputs("Lorem ipsum dolor sit amet, consectetur", file);
    refused("not a pcap capture");
}
END_TEST

START_TEST(a_file_of_three_bytes_is_refused)
{
    fputs("abc", file);
    refused("not a pcap capture");
}
END_TEST

START_TEST(pcapng_is_refused_with_advice)
{
    put32(0x0a0d0d0a);
    put32(28);
    refused("editcap -F pcap");
}
END_TEST

START_TEST(half_a_header_is_refused)
{
    put32(0xa1b2c3d4);
    put32(0x00040002);
    refused("8 bytes are less than a file header");
}
END_TEST

START_TEST(another_link_type_is_refused)
{
    header(0xa1b2c3d4, 113);
    packet(60, 60, 60, 0);
    refused("link type 113 is not Ethernet");
}
END_TEST

START_TEST(a_capture_of_nothing_is_refused)
{
    header(0xa1b2c3d4, 1);
    refused("holds no packet");
}
END_TEST

START_TEST(a_file_cut_in_a_packet_is_refused)
{
    header(0xa1b2c3d4, 1);
    packet(60, 60, 60, 0);
    packet(60, 60, 59, 0);
    refused("cut off in packet 2 at byte 116");
}
END_TEST

START_TEST(a_file_cut_in_a_record_header_is_refused)
{
    header(0xa1b2c3d4, 1);
    packet(60, 60, 60, 0);
    put32(1);
    refused("cut off in packet 2 at byte 100");
}
END_TEST

START_TEST(a_packet_that_is_too_big_is_refused)
{
    header(0xa1b2c3d4, 1);
    packet(60, 60, 60, 0);
    packet(40000, 60, 60, 0);
    refused("packet 2 has 40000 bytes");
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("paced pcap");
    TCase *tc = tcase_create("pcap");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_loop_test(tc, four_kinds_of_file_are_read, 0, 4);
    tcase_add_test(tc, a_packet_cut_by_the_snap_length_is_filled_up);
    tcase_add_test(tc, a_runt_is_padded);
    tcase_add_test(tc, a_missing_file_is_refused);
    tcase_add_test(tc, a_directory_is_refused);
    tcase_add_test(tc, a_fifo_is_refused_without_waiting);
    tcase_add_test(tc, an_empty_file_is_refused);
    tcase_add_test(tc, another_kind_of_file_is_refused);
    tcase_add_test(tc, a_file_of_three_bytes_is_refused);
    tcase_add_test(tc, pcapng_is_refused_with_advice);
    tcase_add_test(tc, half_a_header_is_refused);
    tcase_add_test(tc, another_link_type_is_refused);
    tcase_add_test(tc, a_capture_of_nothing_is_refused);
    tcase_add_test(tc, a_file_cut_in_a_packet_is_refused);
    tcase_add_test(tc, a_file_cut_in_a_record_header_is_refused);
    tcase_add_test(tc, a_packet_that_is_too_big_is_refused);
    suite_add_tcase(suite, tc);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
