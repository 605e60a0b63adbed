#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""flame.py LOG NAME: the files NAME.folded, .svg, .pb.gz and .speedscope.json have the times of the
log, and the same stacks. Prints what is wrong."""

import collections
import gzip
import json
import os
import re
import sys
import xml.etree.ElementTree

from timeline_perfetto import fields

LOG, NAME = sys.argv[1:]
SVG = "{http://www.w3.org/2000/svg}"


def check(condition, message):
    if not condition:
        print(message)


def read(ending):
    with open(NAME + ending, "rb") as file:
        return file.read()


def folded():
    """Stacks with their microseconds."""
    lines = read(".folded").decode().split("\n")
    check(lines.pop() == "", "folded: no newline at the end")
    found = [re.fullmatch(r"(\S.*?) ([1-9][0-9]*)", line) for line in lines]
    check(all(found), "folded: a line of another form")
    stacks = [match.group(1) for match in found]
    check(len(stacks) == len(set(stacks)), "folded: a stack is there twice")
    return {match.group(1): int(match.group(2)) for match in found}


def packed(message):
    """The fields of a message by number."""
    found = collections.defaultdict(list)
    for number, value in fields(message):
        found[number].append(value)
    return found


# What tests/unit/make_stacks writes.
STARTED = 1700000000000900000
LABELS = {(77, "A device (0)"): 1513164, (77, None): 52105350, (78, None): 30303030}
PYTHON = ("train (net.py:42)", "/src/net.py", 42)


def pprof():
    """Nanoseconds by sample type and stack, and frames with their files and lines; None without the
    file, which needs zlib."""
    if not os.path.exists(NAME + ".pb.gz"):
        return None
    profile = packed(gzip.decompress(read(".pb.gz")))
    strings = [text.decode() for text in profile[6]]
    check(strings[0] == "", "pprof: the first string is not empty")
    types = [packed(sample_type) for sample_type in profile[1]]
    names = [strings[fields_of[1][0]] for fields_of in types]
    check(names == ["cpu", "gpu", "wait"], "pprof: sample types are %s" % names)
    check({strings[fields_of[2][0]] for fields_of in types} == {"nanoseconds"}, "pprof: units")
    check(strings[profile[14][0]] == "gpu", "pprof: another default")
    check(profile[9] == [STARTED], "pprof: started at %s" % profile[9])
    functions, locations, places = {}, {}, set()
    for function in map(packed, profile[5]):
        texts = [strings[function[number][0]] for number in (2, 3, 4)]
        check(texts[0] == texts[1], "pprof: another system name: %s" % texts)
        functions[function[1][0]] = texts
    for location in map(packed, profile[4]):
        line = packed(location[4][0])
        name, _, path = functions[line[1][0]]
        locations[location[1][0]] = name
        places.add((name, path, line[2][0]))
    check(len(functions) == len(profile[5]) == len({tuple(texts) for texts in functions.values()}),
          "pprof: a function is there twice")
    check(len(locations) == len(profile[4]) == len(places), "pprof: a location is there twice")
    sums = {name: collections.Counter() for name in names}
    labels = collections.Counter()
    for sample in map(packed, profile[2]):
        stack = ";".join(locations[at].replace(";", ":") for at in reversed(sample[1]))
        for name, value in zip(names, sample[2]):
            sums[name][stack] += value
        check(len(sample[2]) == len(names), "pprof: a sample without all values")
        found = {}
        for label in map(packed, sample[3]):
            check(bool(label[2]) != bool(label[3]), "pprof: a label without one value")
            value = label[3][0] if label[3] else strings[label[2][0]]
            found[strings[label[1][0]]] = value
        check(set(found) <= {"thread", "device"}, "pprof: labels %s" % found)
        labels[found.get("thread"), found.get("device")] += sum(sample[2])
    check(labels == LABELS, "pprof: labels %s" % labels)
    return sums, places


def speedscope():
    """Nanoseconds by profile and stack, and frames with their files and lines."""
    file = json.loads(read(".speedscope.json"))
    check(file["$schema"] == "https://www.speedscope.app/file-format-schema.json",
          "speedscope: another schema")
    check(set(file) == {"$schema", "exporter", "activeProfileIndex", "shared", "profiles"},
          "speedscope: members %s" % set(file))
    frames = file["shared"]["frames"]
    check(all(set(frame) <= {"name", "file", "line"} and "name" in frame for frame in frames),
          "speedscope: members of frames")
    check([profile["name"] for profile in file["profiles"]] == ["GPU", "CPU", "waits for the GPU"]
          and file["activeProfileIndex"] == 0, "speedscope: other profiles")
    sums = {}
    for profile in file["profiles"]:
        check(set(profile) == {"type", "name", "unit", "startValue", "endValue", "samples",
                               "weights"}, "speedscope: members of a profile")
        check((profile["type"], profile["unit"]) == ("sampled", "nanoseconds"),
              "speedscope: another type or unit")
        check(len(profile["samples"]) == len(profile["weights"]), "speedscope: weights")
        check((profile["startValue"], profile["endValue"]) == (0, sum(profile["weights"])),
              "speedscope: the end is not the sum")
        stacks = sums[profile["name"]] = collections.Counter()
        for sample, weight in zip(profile["samples"], profile["weights"]):
            stacks[";".join(frames[at]["name"].replace(";", ":") for at in sample)] += weight
    places = {(frame["name"], frame.get("file", ""), frame.get("line", 0)) for frame in frames}
    check(PYTHON in places, "speedscope: the line of a Python function")
    return sums, places


def svg(total):
    """Boxes lie below their callers', and those on top have the time, except what is too narrow to
    be drawn."""
    root = xml.etree.ElementTree.fromstring(read(".svg"))
    check(root.tag == SVG + "svg", "svg: another root")
    check(int(root.get("data-total")) == total, "svg: not %s ns" % total)
    rows = collections.defaultdict(list)
    for box in root.iter(SVG + "g"):
        start, width = int(box.get("data-x")), int(box.get("data-w"))
        rows[int(box.find(SVG + "rect").get("y"))].append((start, start + width))
        check(box.find(SVG + "title").text.startswith(box.get("data-n") + " ("), "svg: a title")
    order = sorted(rows)
    drawn = sum(end - start for start, end in rows[order[0]])
    check(0.999 * total < drawn <= total, "svg: the upper row has %s ns" % drawn)
    for above, row in zip(order, order[1:]):
        for start, end in rows[row]:
            check(any(s <= start and end <= e for s, e in rows[above]), "svg: a box has no caller")
    text = read(".svg").decode()
    check("href" not in text and "http" not in text.replace("http://www.w3.org/2000/svg", ""),
          "svg: something is from elsewhere")


def rounded(nanoseconds):
    return (nanoseconds + 500) // 1000


def main():
    with open(LOG) as file:
        times = re.findall(r"gputime=\[ (\d+)\.(\d{3}) \]", file.read())
    gpu = sum(int(whole) * 1000 + int(part) for whole, part in times)
    stacks, profile, (scope, places) = folded(), pprof(), speedscope()
    if profile:
        check(profile[1] == places, "pprof and speedscope have other files or lines: %s" %
              (profile[1] ^ places))
        profile = profile[0]
    else:
        profile = {"gpu": scope["GPU"], "cpu": scope["CPU"], "wait": scope["waits for the GPU"]}
    check(gpu and sum(profile["gpu"].values()) == gpu, "pprof: not the gputime of the log")
    check(sum(scope["GPU"].values()) == gpu, "speedscope: not the gputime of the log")
    got = sum(time for stack, time in stacks.items() if ";[GPU_" in stack)
    check(got == rounded(gpu), "folded: %s us instead of %s" % (got, rounded(gpu)))
    for kind, name in (("gpu", "GPU"), ("cpu", "CPU"), ("wait", "waits for the GPU")):
        exact = {stack: time for stack, time in profile[kind].items() if time}
        check(exact == scope.get(name, {}), "pprof and speedscope differ: " + name)
        for stack, time in exact.items():
            check(abs(stacks.get(stack, 0) * 1000 - time) <= 1000,
                  "folded: %s us of %s ns: %s" % (stacks.get(stack, 0), time, stack))
    check(set(stacks) <= set.union(*(set(profile[kind]) for kind in profile)),
          "folded: a stack that is not in pprof")
    svg(sum(sum(times_of.values()) for times_of in profile.values()))


main()
