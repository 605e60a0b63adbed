# SPDX-License-Identifier: MIT
"""One process, and many in turns. The machine's speed drifts: what is compared runs in turns, each
round gives a ratio, and the median of the ratios counts."""

import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import time


def machine():
    """Describes the machine."""
    with open("/proc/cpuinfo", encoding="ascii", errors="replace") as cpus:
        model = re.search(r"^model name\s*: (.*)", cpus.read(), re.M)
    return {"processor": model.group(1) if model else os.uname().machine,
            "cores": len(os.sched_getaffinity(0)), "kernel": os.uname().release}


class Run:
    """The cost of one process, from the start that it prints to its end."""

    def __init__(self, wall, cpu, resident, written, before):
        self.wall, self.cpu = wall, cpu # ns
        self.resident, self.written = resident, written # KiB at its most, bytes in files
        self.before = before # commands that are in the files, but not in the times


def run(load, way, folder, core):
    """Runs the command in an empty `folder`, on one core unless that is None."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    words = way.command(load)
    variables = dict(os.environ, CLI_LogDir=folder, **way.variables)
    if core is not None:
        words = ["taskset", "-c", str(core)] + words
        variables["POCL_MAX_PTHREAD_COUNT"] = "1"
    began = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
    with open(os.path.join(folder, "said"), "w+", encoding="utf-8", errors="replace") as said, \
         subprocess.Popen(words, cwd=folder, env=variables, stdout=said, stderr=said) as process:
        _, status, usage = os.wait4(process.pid, 0)
        ended = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        text = said.read()
    if process.returncode != load.status:
        sys.exit(f"bench: {' '.join(words)} ended with {process.returncode}:\n{text}")
    used = before = 0
    if load.count:
        began, used, before = next(map(int, line.split()) for line in text.splitlines()
                           if line.replace(" ", "").isdigit())
    written = sum(os.path.getsize(os.path.join(folder, name)) for name in os.listdir(folder)
                  if name != "said" and os.path.isfile(os.path.join(folder, name)))
    return Run(ended - began, (usage.ru_utime + usage.ru_stime) * 1e9 - used, usage.ru_maxrss,
               written, before)


def rounds(load, ways, pairs, folder, core):
    """Returns a list of runs for each way: `pairs` rounds in varying order, since a run affects
    the next one."""
    found = {way.name: [] for way in ways}
    order = random.Random(0)
    for number in range(-1, pairs): # one to warm up
        for way in order.sample(ways, len(ways)):
            result = run(load, way, folder, core)
            if number >= 0:
                found[way.name].append(result)
    return found


def spread(values):
    """Returns the median, the least and the most."""
    return {"median": statistics.median(values), "least": min(values), "most": max(values)}


def compare(load, runs):
    """Compares each way with the first, round by round."""
    native = next(iter(runs.values()))
    rows = []
    for name, own in runs.items():
        pairs = list(zip(own, native))
        row = {
            "way": name,
            "wall": spread([a.wall / b.wall for a, b in pairs]),
            "cpu": spread([a.cpu / b.cpu for a, b in pairs]),
            "resident KiB": spread([a.resident - b.resident for a, b in pairs]),
        }
        if load.count:
            row["wall ns"] = spread([a.wall / load.count for a in own])
            row["cpu ns"] = spread([a.cpu / load.count for a in own])
            row["added cpu ns"] = spread([(a.cpu - b.cpu) / load.count for a, b in pairs])
            row["bytes a row"] = spread([a.written / (load.count + a.before) for a in own])
        rows.append(row)
    return rows


def difference(load, runs, more, less):
    """Returns the CPU time per command of the way `more` less that of `less` in the same rounds:
    first quartile, median, third quartile; and the median of their ratios."""
    pairs = list(zip(runs[more], runs[less]))
    times = [(a.cpu - b.cpu) / load.count for a, b in pairs]
    quartiles = statistics.quantiles(times, n=4) if len(times) > 1 else times * 3
    return {"more": more, "less": less, "quartiles ns": quartiles,
            "ratio": statistics.median(a.cpu / b.cpu for a, b in pairs)}
