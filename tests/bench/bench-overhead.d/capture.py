# SPDX-License-Identifier: Apache-2.0
#
# Writes the captures that bench-overhead replays.
#
# Called once per case, before anything is measured.  It only writes the file
# that it is told to write, and the same arguments give the same bytes.

import random
import struct

FRAME = 60                      # 64 on the wire: a capture has no checksum.
DST_MAC = bytes.fromhex("020000000002")
SRC_MAC = bytes.fromhex("020000000001")
DST_IP = 0xc0000201             # 192.0.2.1, documentation only.
SRC_NET = 0x0a000000            # 10.0.0.0/8.


def checksum(data):
    total = sum(struct.unpack("!%dH" % (len(data) // 2), data))
    while total >> 16:
        total = (total & 0xffff) + (total >> 16)
    return ~total & 0xffff


def frame(flow, source):
    """UDP, a 5-tuple of its own for each 'flow', from address 'source'."""
    payload = bytes(FRAME - 14 - 20 - 8)
    udp = struct.pack("!HHHH", 1024 + flow % 50000, 4789 + flow // 50000,
                      8 + len(payload), 0)
    ip = struct.pack("!BBHHHBBHII", 0x45, 0, 20 + len(udp) + len(payload),
                     0, 0, 64, 17, 0, SRC_NET + 1 + source, DST_IP)
    ip = ip[:10] + struct.pack("!H", checksum(ip)) + ip[12:]
    return DST_MAC + SRC_MAC + b"\x08\x00" + ip + udp + payload


def write(path, n_flows, n_packets, seed, n_sources=None):
    """A capture of 'n_packets', each of the 'n_flows' as often as any other:
    in a random order, so that a burst does not hold neighbours, or with seed
    None in turn.  The flows come from 'n_sources' addresses (one each)."""
    flows = [i % n_flows for i in range(n_packets)]
    if seed is not None:
        random.Random(seed).shuffle(flows)
    with open(path, "wb") as f:
        f.write(struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 65535, 1))
        for i, flow in enumerate(flows):
            f.write(struct.pack("<IIII", 0, i % 1000000, FRAME, FRAME))
            f.write(frame(flow, flow % (n_sources or n_flows)))
