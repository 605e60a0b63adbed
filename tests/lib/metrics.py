#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks metrics logs; prints what is wrong.

metrics.py shapes VERSION DIRECTORY [native]  the form of each line, and the order of metrics.log
metrics.py agree DIRECTORY [TAG]     both files have the same sums
metrics.py ordered FILE              the starts of the lines do not decrease
metrics.py notebook FILE             reads lines as the notebook of the files' consumers does
metrics.py exporter FILE             likewise for the exporter of clusters
metrics.py prometheus FILE           the text format of Prometheus
metrics.py value FILE NAME           prints the value of a metric of a .prom file, all labels added
"""

import collections
import re
import shutil
import subprocess
import sys

NAMES = (
    "cuInit cuMemAlloc cuMemFree cuLaunchKernel cuMemcpyH2D cuMemcpyD2H cuGetProcAddress"
    " cuMemcpyH2D_ASYNC cudaMemcpy cudaMemcpyAsync"
).split()
LISTED = [name for name in NAMES if name not in ("cuLaunchKernel", "cuGetProcAddress")]


def lines(path):
    with open(path, encoding="ascii") as file:
        text = file.read()
    if not text.endswith("\n"):
        print(f"{path}: the last line is cut off")
    return text.splitlines()


def shapes(version, directory, names="cuda"):
    found = lines(directory + "/metrics.log")
    order = [re.split("[:,]", line)[1] for line in found]
    if not re.fullmatch(r"name:mem_used,count:\d+", found[0]):
        print("memory:", found[0])
    for line in found[1:]:
        if not re.fullmatch(r"name:\w+,count:\d+,burst:\d+", line):
            print("count:", line)
    if order[: len(NAMES) + 1] != ["mem_used"] + NAMES:
        print("order:", order)
    if names == "cuda" and len(order) != len(NAMES) + 1:
        print("more names:", order)
    kind = "" if version == "1" else r", kind:(-1|[0-4])"
    name = "|".join(LISTED) if names == "cuda" else "cl[A-Za-z]+"
    shape = re.compile(rf"name:({name}), start:\d{{19}}, burst:\d+, bytes:\d+{kind}")
    for line in lines(directory + "/timeline.log"):
        if not shape.fullmatch(line):
            print("timeline:", line)


def timeline(path):
    """Yields name, start, burst and bytes."""
    for line in lines(path):
        fields = [field.split(":")[1] for field in line.split(",")]
        yield (fields[0], *map(int, fields[1:4]))


def counts(path):
    found = {}
    for line in lines(path):
        fields = [field.split(":")[1] for field in line.split(",")]
        found[fields[0]] = tuple(map(int, fields[1:]))
    return found


def agree(directory, tag=""):
    found = counts(f"{directory}/metrics{tag}.log")
    calls, bursts, used = collections.Counter(), collections.Counter(), 0
    for name, _, burst, size in timeline(f"{directory}/timeline{tag}.log"):
        calls[name] += 1
        bursts[name] += burst
        used += size if name == "cuMemAlloc" else -size if name == "cuMemFree" else 0
    for name in LISTED:
        if calls[name] != found[name][0]:
            print(f"{name}: {calls[name]} lines, count {found[name][0]}")
        if not bursts[name] <= found[name][1] <= bursts[name] + calls[name]:
            print(f"{name}: bursts of {bursts[name]}, in all {found[name][1]}")
    if used != found["mem_used"][0]:
        print(f"allocated less freed: {used}, mem_used {found['mem_used'][0]}")


def ordered(path):
    last = 0
    for _, start, _, _ in timeline(path):
        if start < last:
            print(f"{start} after {last}")
        last = start


def notebook(path):
    """Exactly four fields; the value is what stands after the colon."""
    for line in lines(path):
        _, start, burst, size = [value.split(":")[1] for value in line.strip().split(",")]
        int(start), int(burst), int(size)


def exporter(path):
    """Exactly four lines, each a name and a number."""
    found = lines(path)
    names = ["pid", "kernel-cnt", "mem-used", "token-cnt"]
    if len(found) != len(names):
        print(f"{len(found)} lines")
    for name, line in zip(names, found):
        if not re.fullmatch(rf"{name}:\d+", line):
            print("line:", line)


SAMPLE = re.compile(
    r'([a-z_]+)\{((?:[a-z]+="(?:[^"\\\n]|\\["\\n])*",?)*)\} ([0-9]+(?:\.[0-9]+)?)'
)


def samples(path):
    """Yields name, labels and value; prints lines that do not fit the format."""
    kinds, seen, family = {}, set(), None
    with open(path, encoding="utf-8") as file:
        for line in file.read().splitlines():
            head = re.fullmatch(r"# (HELP|TYPE) ([a-z_]+) (.+)", line)
            sample = SAMPLE.fullmatch(line)
            if head and head[1] == "HELP":
                if head[2] in seen:
                    print("repeated:", line)
                family = head[2]
                seen.add(family)
            elif head:
                kinds[head[2]] = head[3]
                if head[2] != family or head[3] not in ("counter", "gauge"):
                    print("type:", line)
                if (head[3] == "counter") != head[2].endswith("_total"):
                    print("name of a counter:", line)
            elif not sample or sample[1] != family or sample[1] not in kinds:
                print("sample:", line)
            else:
                yield sample[1], sample[2], float(sample[3])


def prometheus(path):
    seen = [(name, labels) for name, labels, _ in samples(path)]
    if len(seen) != len(set(seen)) or not seen:
        print("samples are repeated or missing")
    if shutil.which("promtool"):
        with open(path, "rb") as file:
            done = subprocess.run(
                ["promtool", "check", "metrics"], stdin=file, capture_output=True, text=True
            )
        print(done.stdout + done.stderr, end="")
    try:
        from prometheus_client.parser import text_string_to_metric_families
    except ImportError:
        return
    with open(path, encoding="utf-8") as file:
        parsed = sum(len(f.samples) for f in text_string_to_metric_families(file.read()))
    if parsed != len(seen):
        print(f"the parser sees {parsed} samples, not {len(seen)}")


def value(path, name):
    print(sum(number for found, _, number in samples(path) if found == name))


try:
    globals()[sys.argv[1]](*sys.argv[2:])
except Exception as error:  # a missing file, a field that is no number
    print(f"{type(error).__name__}: {error}")
