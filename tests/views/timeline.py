#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""timeline.py TRACE VIEW: whether a timeline (.trace.json, .json.gz, .pftrace, .otf2) shows what a
binary trace has in it. Reads both by itself, from doc/FORMAT and from the formats' own
descriptions, but for OTF2; what is wrong is printed, a line each, at most ten."""

import collections
import json
import sys

sys.dont_write_bytecode = True  # the tests' folder may be somebody else's

from timeline_chrome import Chrome
from timeline_otf2 import Otf2
from timeline_perfetto import Perfetto
from timeline_trace import Event, Trace, base, check, expected, problems, wrong


OF_RECORDS = {"call", "kernel", "copy", "fill"}  # these are counted for timeline_real.test


def plain(value):
    """Returns a hashable value that is equal for equal values."""
    return json.dumps(value, sort_keys=True)


def opened(path):
    if path.endswith(".otf2"):
        return Otf2(path, Event, base, check)
    return (Perfetto if path.endswith(".pftrace") else Chrome)(path)


def shown(view, trace):
    """Returns the events that this kind of timeline must have."""
    without_times = 0
    for event, arguments in expected(trace):
        if not isinstance(view, Otf2):
            yield event, arguments
            continue
        is_mark = event.phase == "mark" and event.category in OF_RECORDS
        without_times += is_mark or "device_times" in arguments and event.category == "call"
        if not is_mark:
            yield event._replace(flow=()), arguments
    if isinstance(view, Otf2):
        check(view.archive.properties["COMPUTEPROF::WITHOUT_TIMES"] == str(without_times),
              "number of commands without times")


def differences(trace_path, path):
    """Returns what is wrong, the events of the timeline and its tracks."""
    problems.clear()
    trace = Trace(trace_path)
    view = opened(path)
    trace.made_by = collections.defaultdict(list)
    for correlation, calls in trace.claims().items():
        for call in calls:
            trace.made_by[call].append(correlation)
    got = collections.Counter(
        (event, plain(arguments))
        for event, arguments in view.events(trace))
    trace.callers = view.callers(trace)
    wanted = collections.Counter(
        (event, plain({name: view.value(value) for name, value in arguments.items()}))
        for event, arguments in shown(view, trace))
    view.whole(trace)
    for event in list((wanted - got).elements())[:3]:
        wrong("missing: %s %s" % event)
    for event in list((got - wanted).elements())[:3]:
        wrong("too much: %s %s" % event)
    return problems[:10], got, view.tracks


def main(trace_path, path):
    found, got, tracks = differences(trace_path, path)
    if not got:
        found.append("there is nothing to compare")
    for problem in found:
        print(problem)
    print("%d events, %d flows, %d tracks" % (
        sum(count for (event, _), count in got.items() if event.category in OF_RECORDS),
        sum(len(event.flow) for event, _ in got.elements()) // 2, len(tracks)), file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:])
