# SPDX-License-Identifier: Apache-2.0
#
# The machine and everything else that somebody needs to repeat a run.

import glob
import os
import platform
import re
import shutil
import subprocess


def _read(path, missing="-"):
    try:
        with open(path, encoding="ascii", errors="replace") as f:
            return f.read().strip() or missing
    except OSError:
        return missing


def _first_line(*argv):
    if not shutil.which(argv[0]):
        return "-"
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    return (done.stdout.splitlines() or ["-"])[0]


def _cpuinfo(key):
    m = re.search(r"^%s\s*:\s*(.*)$" % key, _read("/proc/cpuinfo"), re.M)
    return m.group(1) if m else "-"


def _mitigations():
    found = []
    for path in sorted(glob.glob("/sys/devices/system/cpu/vulnerabilities/"
                                 "*")):
        state = _read(path)
        if state != "Not affected":
            found.append("%s: %s" % (os.path.basename(path), state))
    return "; ".join(found) or "-"


def _smt():
    return {"1": "on", "0": "off"}.get(
        _read("/sys/devices/system/cpu/smt/active"), "-")


def _hypervisor():
    if "hypervisor" not in _cpuinfo("flags").split():
        return "none"
    return "%s, KVM %s" % (_read("/sys/class/dmi/id/sys_vendor"),
                           "there" if os.path.exists("/dev/kvm") else
                           "not there")


def machine():
    """Pairs of a word and what it is."""
    nodes = len(glob.glob("/sys/devices/system/node/node[0-9]*"))
    return [
        ("cpu", _cpuinfo("model name")),
        ("cpus", len(os.sched_getaffinity(0))),
        ("smt", _smt()),
        ("numa_nodes", nodes or "-"),
        ("governor", _read("/sys/devices/system/cpu/cpu0/cpufreq/"
                           "scaling_governor")),
        ("iommu_groups", len(glob.glob("/sys/kernel/iommu_groups/*"))),
        ("kernel", platform.release()),
        ("kernel_command_line", _read("/proc/cmdline")),
        ("mitigations", _mitigations()),
        ("hypervisor", _hypervisor()),
        ("memory", _read("/proc/meminfo").splitlines()[0].split(":")[1]
         .strip()),
    ]


def programs(scene):
    switch = scene.switch
    version = switch.run("ovs-vswitchd", "--version", ok=False)
    dpdk = re.search(r"DPDK\s+(\S+\s?[\d.]+)", version)
    config = switch.get("Open_vSwitch", ".", "other_config") or {}
    return [
        ("open_vswitch", version.splitlines()[0] if version else "-"),
        ("dpdk", dpdk.group(1) if dpdk else "-"),
        ("qemu", _first_line("qemu-system-x86_64", "--version")
         if scene.options.guest == "qemu" else "-"),
        ("pmd_cores", ",".join(map(str, scene.pmd_cores))),
        ("other_core", scene.other_core),
        ("pmd_rxq_assign", config.get("pmd-rxq-assign", "default")),
        ("other_config", ", ".join("%s=%s" % p
                                   for p in sorted(config.items()))),
        ("guests", ", ".join(g.version() for g in scene.guests) or "none"),
    ]
