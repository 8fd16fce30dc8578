# SPDX-License-Identifier: Apache-2.0
#
# A virtual machine that bridges two vhost-user ports: a distribution's kernel
# and a file system in memory that is made here, of busybox and the kernel's
# own modules.  KVM where it exists, else emulation, which is slow: the report
# says which.

import glob
import gzip
import os
import re
import shutil
import socket
import subprocess
import time

from guest import Guest, prepare
from harness.failure import Failure

# What the guest needs of the kernel's modules, in any order.
MODULES = ("virtio", "virtio_ring", "virtio_pci_modern_dev",
           "virtio_pci_legacy_dev", "virtio_pci", "failover", "net_failover",
           "virtio_net", "llc", "stp", "bridge")
MEMORY_MB = 256
ANSWER_S = 60
BOOT_S = 400                    # Emulated, beside others, it is slow.

INIT = """#!/bin/busybox sh
b=/bin/busybox
$b mount -t proc proc /proc
$b mount -t sysfs sysfs /sys
for round in 1 2 3 4; do
    for m in %(modules)s; do $b insmod /modules/$m.ko 2>/dev/null; done
done
$b ip link add br0 type bridge 2>/dev/null || $b brctl addbr br0
i=0
while [ $i -lt 2 ]; do
    tries=0
    until [ -e /sys/class/net/eth$i ]; do
        tries=$((tries + 1))
        [ $tries -lt 100 ] || { echo no eth$i; $b poweroff -f; }
        $b sleep 0.1
    done
    $b ip link set eth$i promisc on up
    echo eth$i > /dev/null
    $b brctl addif br0 eth$i
    i=$((i + 1))
done
echo 0 > /sys/class/net/br0/bridge/multicast_snooping
echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6
$b ip link set br0 up
echo dpx-guest-ready
while read word; do
    case $word in
    drops)
        n=0
        for f in /sys/class/net/eth?/statistics/?x_dropped; do
            read m < $f; n=$((n + m))
        done
        while read total d rest; do n=$((n + 0x$d)); done \\
            < /proc/net/softnet_stat
        echo dpx-guest-drops $n ;;
    esac
done
"""


def _need(program, package):
    path = shutil.which(program)
    if not path:
        raise Failure("%s is not installed" % program,
                      "apt-get install " + package)
    return path


def find_kernel(options):
    """Kernel file and directory of its modules."""
    kernel = options.kernel or max(
        glob.glob("/boot/vmlinuz-*cloud*") or glob.glob("/boot/vmlinuz-*")
        or [""])
    if not kernel or not os.path.exists(kernel):
        raise Failure("there is no kernel '%s' for guests" % kernel,
                      "apt-get install linux-image-cloud-amd64, or "
                      "--kernel FILE --modules DIR")
    version = os.path.basename(kernel).partition("-")[2]
    modules = options.modules or "/lib/modules/" + version
    if not os.path.isdir(modules):
        raise Failure("there are no modules of the guests' kernel in '%s'"
                      % modules, "--modules DIR")
    return kernel, modules


def _entry(name, mode, data=b"", device=(0, 0)):
    """One file of a cpio archive ("newc")."""
    name = name.encode() + b"\0"
    head = "070701" + "".join("%08X" % v for v in (
        0, mode, 0, 0, 1, 0, len(data), 0, 0, device[0], device[1],
        len(name), 0))
    out = head.encode() + name
    out += b"\0" * (-len(out) % 4) + data
    return out + b"\0" * (-len(data) % 4)


def make_initramfs(path, modules):
    busybox = _need("busybox", "busybox-static")
    with open(busybox, "rb") as f:
        tool = f.read()
    out = b"".join(_entry(d, 0o40755)
                   for d in ("bin", "dev", "proc", "sys", "modules"))
    out += _entry("dev/console", 0o20600, device=(5, 1))
    out += _entry("bin/busybox", 0o100755, tool)
    there = {}
    for directory, _, files in os.walk(modules):
        for name in files:
            m = re.match(r"(.*)\.ko(\.xz|\.gz|\.zst)?$", name)
            if m:
                there[m.group(1).replace("-", "_")] = os.path.join(directory,
                                                                   name)
    loaded = []
    for name in MODULES:
        file_name = there.get(name)
        if not file_name:
            continue            # Built in, or not of this kernel.
        out += _entry("modules/%s.ko" % name, 0o100644,
                      _unpacked(file_name))
        loaded.append(name)
    init = (INIT % {"modules": " ".join(loaded)}).encode()
    out += _entry("init", 0o100755, init) + _entry("TRAILER!!!", 0)
    with gzip.open(path, "wb", 1) as f:
        f.write(out)


def _unpacked(path):
    tool = {".xz": "xz", ".gz": "gzip", ".zst": "zstd"}.get(
        os.path.splitext(path)[1])
    if tool:
        return subprocess.run([_need(tool, tool), "-dc", path], check=True,
                              capture_output=True).stdout
    with open(path, "rb") as f:
        return f.read()


class Qemu(Guest):
    """Forwards between ports 'first' and 'first' + 1 of the scene."""

    def __init__(self, scene, undo, first):
        name = "guest%d" % (first // 2)
        log = scene.switch.path(name + ".out")
        # What QEMU says, then the console, which grows at its end.
        super().__init__(name, log + ".qemu", log)
        self.scene = scene
        self.socket = None
        self.kvm = os.access("/dev/kvm", os.W_OK)
        program = _need("qemu-system-x86_64", "qemu-system-x86")
        kernel, modules = find_kernel(scene.options)
        initramfs = scene.switch.path("initramfs")
        if not os.path.exists(initramfs):
            make_initramfs(initramfs, modules)
        self.console = scene.switch.path(self.name + ".console")
        words = [program, "-nodefaults", "-no-user-config", "-display",
                 "none", "-kernel", kernel, "-initrd", initramfs, "-append",
                 "console=ttyS0 panic=-1 net.ifnames=0",
                 "-no-reboot", "-smp", "2" if self.kvm else "1",
                 "-m", str(MEMORY_MB),
                 "-machine", "q35,memory-backend=mem", "-object",
                 "memory-backend-memfd,id=mem,size=%dM,share=on" % MEMORY_MB,
                 "-chardev", "socket,id=con,server=on,wait=off,path=%s,"
                 "logfile=%s" % (self.console, log),
                 "-serial", "chardev:con"]
        # Two emulated processors on one CPU wait for each other.
        words += (["-accel", "kvm", "-cpu", "host"] if self.kvm
                  else ["-accel", "tcg,thread=multi", "-cpu", "qemu64"])
        for i in range(2):
            words += self._device(i, scene.switch.path("v%d.sock"
                                                       % (first + i)))
        with open(log + ".qemu", "w", encoding="utf-8") as out:
            self.child = subprocess.Popen(
                words, stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                start_new_session=True, preexec_fn=self._prepare)
        undo.add(self.end)
        self.wait_for("dpx-guest-ready", BOOT_S)

    def _prepare(self):
        prepare()
        os.sched_setaffinity(0, {self.scene.other_core})

    def _device(self, i, path):
        queues = self.scene.options.queues
        device = ("virtio-net-pci,netdev=n%d,mac=52:54:00:00:00:%02x,"
                  "romfile=,mq=%s,rx_queue_size=1024,tx_queue_size=1024"
                  % (i, i + 1, "on" if queues > 1 else "off"))
        if not self.kvm:
            device += ",vectors=0"      # QEMU 7.2 ends without KVM else.
        return ["-chardev", "socket,id=c%d,path=%s,server=on,wait=off"
                % (i, path), "-netdev", "vhost-user,id=n%d,chardev=c%d,"
                "queues=%d" % (i, i, queues), "-device", device]

    def end(self):
        if self.socket:
            self.socket.close()
        super().end()

    def drops(self):
        """Packets that its kernel dropped, as it counts them."""
        if not self.socket:
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.connect(self.console)
            self.socket.settimeout(0.5)
        self.socket.sendall(b"drops\n")
        said, end = b"", time.monotonic() + ANSWER_S
        while True:
            # Read to the end: a console that nobody reads stands still.
            m = re.search(rb"dpx-guest-drops (\d+)\s", said)
            if m:
                return {self.name: int(m.group(1))}
            self.check()
            if time.monotonic() > end:
                raise Failure("%s does not answer any more" % self.name)
            try:
                said += self.socket.recv(4096)
            except socket.timeout:
                pass

    def version(self):
        return "QEMU, %s, Linux bridge" % ("KVM" if self.kvm
                                           else "emulated (TCG)")
