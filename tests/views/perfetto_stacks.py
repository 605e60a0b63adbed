#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""perfetto_stacks.py FILE.pftrace FILE.speedscope.json PROGRAM BUILD-ID: the call stacks of the CPU
samples and of the commands in a Perfetto trace are those of the flame graph of the same trace, with
their times and numbers; PROGRAM is one of their modules. Prints what is wrong."""

import collections
import json
import struct
import sys

sys.dont_write_bytecode = True

from timeline_perfetto import Perfetto, text_of

FUNCTIONS, FRAMES, CALLSTACKS, BUILD_IDS, PATHS, SOURCES, MAPPINGS = 5, 6, 7, 16, 17, 18, 19


def check(condition, message):
    if not condition:
        print(message)


class Stacks:
    def __init__(self, trace):
        self.lists = trace.of_stacks
        self.modules = {}

    def frame(self, number):
        frame = self.lists[FRAMES][number]
        check(set(frame) <= {1, 2, 3, 4, 5, 6}, "fields of a frame: %r" % frame)
        check(bool(frame[3]) == bool(frame[4]), "a module without an address, or the reverse")
        if frame[3]:
            self.mapping(frame[3][0])
        if frame[5]:
            check(text_of(self.lists[SOURCES][frame[5][0]][2][0]), "an empty path")
        return text_of(self.lists[FUNCTIONS][frame[2][0]][2][0])

    def mapping(self, number):
        mapping = self.lists[MAPPINGS][number]
        path = "".join("/" + text_of(self.lists[PATHS][each][2][0]) for each in mapping[7])
        build = self.lists[BUILD_IDS][mapping[2][0]][2][0].hex() if mapping[2] else ""
        self.modules[path] = build

    def callstack(self, number):
        return tuple(map(self.frame, self.lists[CALLSTACKS][number][2]))


def flame(path):
    """Nanoseconds and, of samples, their number by stack; of commands without the last function."""
    with open(path) as file:
        file = json.load(file)
    names = [frame["name"] for frame in file["shared"]["frames"]]
    times = {profile["name"]: collections.Counter() for profile in file["profiles"]}
    for profile in file["profiles"]:
        for sample, weight in zip(profile["samples"], profile["weights"]):
            stack = tuple(names[at] for at in sample)
            times[profile["name"]][stack[:-1] if profile["name"] == "GPU" else stack] += weight
    del times["GPU"][("[unknown]",)]
    return times


def main(path, speedscope, program, build):
    trace = Perfetto(path)
    stacks, wanted = Stacks(trace), flame(speedscope)
    samples, counts, last = collections.Counter(), collections.Counter(), 0
    for time, sample in trace.samples:
        check(set(sample) == {2, 3, 4, 5, 6} and sample[5] == [2], "fields of a sample")
        check(sample[2] == [trace.pid] and time, "the process and the time of a sample")
        stack = stacks.callstack(sample[4][0])
        samples[stack] += sample[6][0] - last
        counts[stack] += 1
        last = sample[6][0]
    check(len(trace.samples) == 8, "%d samples" % len(trace.samples))
    check(samples == wanted["CPU"], "CPU: %r instead of %r" % (samples, wanted["CPU"]))
    check(max(counts.values()) == 5, "samples of a stack: %r" % counts)
    commands, of_calls = collections.Counter(), collections.Counter()
    for start, end, event in trace.slices:
        check(not event[57] or event[56], "a weight without a stack")
        if event[57]:
            weight = struct.unpack("<d", event[57][0])[0]
            check(weight == end - start, "a weight that is not the duration")
            commands[stacks.callstack(event[56][0])] += int(weight)
        elif event[56]:
            of_calls[stacks.callstack(event[56][0])] += 1
    check(commands == wanted["GPU"], "GPU: %r instead of %r" % (commands, wanted["GPU"]))
    check(set(commands) <= set(of_calls), "calls have no stacks")
    check(stacks.modules.get(program) == build, "modules: %r" % stacks.modules)
    check(len(trace.of_stacks[FRAMES]) < 20, "%d frames" % len(trace.of_stacks[FRAMES]))


main(*sys.argv[1:])
