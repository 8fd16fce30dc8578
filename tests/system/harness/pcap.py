# SPDX-License-Identifier: Apache-2.0
#
# Captures: makes small ones for tests, and says what is wrong with the
# user's before a switch is started with it.

import struct

from .failure import Failure

# Byte order and whether time stamps are in nanoseconds does not matter here.
MAGICS = {b"\xd4\xc3\xb2\xa1": "<", b"\x4d\x3c\xb2\xa1": "<",
          b"\xa1\xb2\xc3\xd4": ">", b"\xa1\xb2\x3c\x4d": ">"}
PCAPNG = b"\x0a\x0d\x0d\x0a"
ETHERNET = 1
FRAME_MAX = 9014                # A jumbo frame without its check sequence.


def _checksum(data):
    total = sum(struct.unpack("!%dH" % (len(data) // 2), data))
    while total >> 16:
        total = (total & 0xffff) + (total >> 16)
    return ~total & 0xffff


def udp_packet(source, destination, port, size=60):
    """An Ethernet frame of 'size' bytes with a UDP packet between two IPv4
    addresses, given as numbers; without UDP checksum, as the law allows."""
    payload = bytes(size - 14 - 20 - 8)
    udp = struct.pack("!HHHH", port, 5201, 8 + len(payload), 0)
    header = struct.pack("!BBHHHBBHII", 0x45, 0, 20 + 8 + len(payload), 0, 0,
                         64, 17, 0, source, destination)
    header = header[:10] + struct.pack("!H", _checksum(header)) + header[12:]
    ethernet = (b"\x02\x00\x00\x00\x00\x01" b"\x02\x00\x00\x00\x00\x02"
                b"\x08\x00")
    return ethernet + header + udp + payload


def write(path, packets):
    """Writes a capture of Ethernet frames."""
    with open(path, "wb") as f:
        f.write(struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 65535,
                            ETHERNET))
        for i, packet in enumerate(packets):
            f.write(struct.pack("<IIII", i // 1000000, i % 1000000,
                                len(packet), len(packet)))
            f.write(packet)


def _read_header(f, path):
    header = f.read(24)
    if header[:4] == PCAPNG:
        raise Failure("'%s' is a pcapng file" % path,
                      "convert it: editcap -F pcap '%s' NEW" % path)
    order = MAGICS.get(header[:4])
    if not order or len(header) < 24:
        raise Failure("'%s' is not a capture (pcap)" % path,
                      "make one: tcpdump -w FILE -i INTERFACE -c 1000")
    link = struct.unpack(order + "I", header[20:])[0] & 0xffff
    if link != ETHERNET:
        raise Failure("'%s' has packets of link type %d, not Ethernet (1)"
                      % (path, link),
                      "capture on one interface, not on \"any\"")
    return order


def check(path):
    """Returns the number of packets in the capture; raises Failure if the
    switch could not use it."""
    n = 0
    try:
        with open(path, "rb") as f:
            order = _read_header(f, path)
            while True:
                header = f.read(16)
                if not header:
                    break
                _, _, held, size = struct.unpack(
                    order + "IIII", header.ljust(16, b"\0"))
                if size > FRAME_MAX or held > size:
                    raise Failure(
                        "'%s': packet %d claims %d bytes; at most %d can be "
                        "sent" % (path, n + 1, size, FRAME_MAX),
                        "if the file is sound, capture with segmentation "
                        "offloads off (ethtool -K INTERFACE tso off gro off)")
                if len(header) < 16 or len(f.read(held)) < held:
                    raise Failure("'%s' is cut off in packet %d"
                                  % (path, n + 1),
                                  "keep what is whole: editcap -F pcap "
                                  "-r '%s' NEW 1-%d" % (path, n))
                n += 1
    except OSError as error:
        raise Failure("'%s': %s" % (path, error.strerror),
                      "give --pcap a capture that can be read") from error
    if not n:
        raise Failure("'%s' has no packets" % path,
                      "make a capture with traffic in it")
    return n
