/* SPDX-License-Identifier: Apache-2.0
 *
 * Capture reader of the paced test netdev. */

#include <config.h>
#include "dpx-paced-pcap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dpx-paced-packet.h"
#include "util.h"

/* Largest file: it and its packets stay in memory while the port is there. */
#define FILE_MAX (256u * 1024 * 1024)

#define FILE_HEADER 24          /* magic, version, 2 x zone, snaplen, link */
#define FILE_LINK 20
#define RECORD_HEADER 16        /* 2 x time, bytes in the file, bytes */
#define RECORD_STORED 8
#define RECORD_SIZE 12
#define LINK_ETHERNET 1

/* Reads all of 'file_name' into '*bytesp'.  Returns a reason or null. */
static char *
slurp(const char *file_name, uint8_t **bytesp, size_t *sizep)
{
    uint8_t *bytes = NULL;
    char *reason = NULL;
    struct stat st;
    size_t ofs = 0;
    int fd;

    /* Without O_NONBLOCK, opening a FIFO would wait for a writer. */
    fd = open(file_name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) {
        return xstrdup(ovs_strerror(errno));
    }
    if (fstat(fd, &st)) {
        reason = xstrdup(ovs_strerror(errno));
    } else if (!S_ISREG(st.st_mode)) {
        reason = xstrdup("not a regular file");
    } else if (!st.st_size) {
        reason = xstrdup("the file is empty");
    } else if (st.st_size > FILE_MAX) {
        reason = xasprintf("%lld bytes are more than the %u MiB that a "
                           "capture may have", (long long) st.st_size,
                           FILE_MAX / (1024 * 1024));
    }
    if (!reason) {
        bytes = xmalloc(st.st_size);
        while (ofs < st.st_size) {
            ssize_t n = read(fd, bytes + ofs, st.st_size - ofs);

            if (n < 0 && errno == EINTR) {
                continue;
            } else if (n <= 0) {
                reason = xstrdup(n ? ovs_strerror(errno)
                                 : "the file became shorter while read");
                break;
            }
            ofs += n;
        }
    }
    close(fd);
    if (reason) {
        free(bytes);
        return reason;
    }
    *bytesp = bytes;
    *sizep = ofs;
    return NULL;
}

static uint32_t
get32(const uint8_t *p, bool swap)
{
    uint32_t value;

    memcpy(&value, p, sizeof value);
    return swap ? __builtin_bswap32(value) : value;
}

/* Looks at the file header.  Returns a reason or null. */
static char *
check_header(const uint8_t *bytes, size_t size, bool *swap)
{
    uint32_t magic = size >= 4 ? get32(bytes, false) : 0;
    uint32_t link;

    switch (magic) {
    case 0xa1b2c3d4:            /* Microseconds. */
    case 0xa1b23c4d:            /* Nanoseconds. */
        *swap = false;
        break;
    case 0xd4c3b2a1:
    case 0x4d3cb2a1:
        *swap = true;
        break;
    case 0x0a0d0d0a:
        return xstrdup("the file is in pcapng format; convert it with "
                       "\"editcap -F pcap\" or \"tcpdump -r IN -w OUT\"");
    default:
        return xstrdup("the file is not a pcap capture");
    }
    if (size < FILE_HEADER) {
        return xasprintf("cut off: %"PRIuSIZE" bytes are less than a file "
                         "header", size);
    }
    /* The upper bits tell about the FCS. */
    link = get32(bytes + FILE_LINK, *swap) & 0xffff;
    if (link != LINK_ETHERNET) {
        return xasprintf("link type %u is not Ethernet (%d)", link,
                         LINK_ETHERNET);
    }
    return NULL;
}

/* Goes through the records, storing to 'pcap' and 'out' if 'pcap' is nonnull.
 * Returns a reason or null; then '*n' is the number of packets and '*n_bytes'
 * what they need in 'out'. */
static char *
walk(const uint8_t *bytes, size_t size, bool swap,
     struct dpx_paced_pcap *pcap, uint8_t *out, size_t *n, size_t *n_bytes)
{
    size_t ofs = FILE_HEADER;

    *n = *n_bytes = 0;
    while (ofs < size) {
        uint32_t stored, full;

        if (size - ofs < RECORD_HEADER) {
            return xasprintf("cut off in packet %"PRIuSIZE" at byte %"
                             PRIuSIZE, *n + 1, ofs);
        }
        stored = get32(bytes + ofs + RECORD_STORED, swap);
        full = get32(bytes + ofs + RECORD_SIZE, swap);
        full = MAX(full, stored);
        ofs += RECORD_HEADER;
        if (full > DPX_PACED_FRAME_MAX - DPX_PACED_FCS) {
            return xasprintf("packet %"PRIuSIZE" has %u bytes, more than the "
                             "%d of a jumbo frame", *n + 1, full,
                             DPX_PACED_FRAME_MAX - DPX_PACED_FCS);
        }
        if (stored > size - ofs) {
            return xasprintf("cut off in packet %"PRIuSIZE" at byte %"
                             PRIuSIZE, *n + 1, ofs);
        }
        full = MAX(full, DPX_PACED_MIN_BYTES);
        if (pcap) {
            pcap->packets[*n].size = full;
            pcap->packets[*n].data = out + *n_bytes;
            memcpy(out + *n_bytes, bytes + ofs, stored);
            memset(out + *n_bytes + stored, 0, full - stored);
        }
        ofs += stored;
        *n_bytes += full;
        ++*n;
    }
    return *n ? NULL : xstrdup("the capture holds no packet");
}

struct dpx_paced_pcap *
dpx_paced_pcap_read(const char *file_name, char **errorp)
{
    struct dpx_paced_pcap *pcap = NULL;
    size_t size = 0, n = 0, n_bytes = 0;
    uint8_t *bytes = NULL;
    bool swap = false;
    char *reason;

    *errorp = NULL;
    reason = slurp(file_name, &bytes, &size);
    if (!reason) {
        reason = check_header(bytes, size, &swap);
    }
    if (!reason) {
        reason = walk(bytes, size, swap, NULL, NULL, &n, &n_bytes);
    }
    /* A few stored bytes may stand for a whole frame. */
    if (!reason && n_bytes > 2 * (size_t) FILE_MAX) {
        reason = xasprintf("its packets need more than %u MiB of memory",
                           2 * FILE_MAX / (1024 * 1024));
    }
    if (!reason) {
        pcap = xmalloc(sizeof *pcap);
        pcap->n = n;
        pcap->packets = xcalloc(n, sizeof *pcap->packets);
        pcap->bytes = xmalloc(n_bytes);
        walk(bytes, size, swap, pcap, pcap->bytes, &n, &n_bytes);
    } else {
        *errorp = xasprintf("%s: %s", file_name, reason);
    }
    free(reason);
    free(bytes);
    return pcap;
}

void
dpx_paced_pcap_destroy(struct dpx_paced_pcap *pcap)
{
    if (pcap) {
        free(pcap->packets);
        free(pcap->bytes);
        free(pcap);
    }
}
