# SPDX-License-Identifier: MIT
"""For timeline.py: a timeline of trace events, JSON, gzipped or not."""

import collections
import gzip
import json
import re

from timeline_trace import Event, arrows, base, check, in_lines, in_order

LARGE = re.compile(r"-?(\d{13,}\.\d+|[\d.]+e\+\d+)$")
TIME = re.compile(r"-?\d+\.\d{3}$")


def nanoseconds(text):
    check(isinstance(text, str) and TIME.match(text), "%r is no time" % (text,))
    return int(text.replace(".", ""))


def microseconds(time):
    return "%s%d.%03d" % ("-" if time < 0 else "", abs(time) // 1000, abs(time) % 1000)


def decimals(value):
    """As in base/number.h; beyond 10^12 a double does not have three exact decimals."""
    if abs(value) >= 1e12:
        return "%.9e" % value
    text = "%04d" % abs(round(value * 1000))
    return "-" * (value < 0) + text[:-3] + "." + text[-3:]


def count(value):
    return round(value) if abs(value) < 1 << 63 else decimals(value)


def json_value(value):
    if isinstance(value, float):
        return decimals(value)
    if isinstance(value, tuple) and value[0] == "time":
        return microseconds(value[1])
    if isinstance(value, tuple):
        return decimals(value[1]) if value[0] == "r" else count(value[1])
    if isinstance(value, dict):
        return {name: json_value(each) for name, each in value.items()}
    return value


def no_doubles(pairs):
    check(len(dict(pairs)) == len(pairs), "a name is there twice: %r" % (pairs,))
    return dict(pairs)


class Chrome:
    REQUIRED = {"X": {"pid", "tid", "ts", "dur", "cat", "name", "args"},
                "i": {"pid", "tid", "ts", "cat", "name", "args", "s"},
                "s": {"pid", "tid", "ts", "cat", "name", "id"},
                "f": {"pid", "tid", "ts", "cat", "name", "id", "bp"},
                "C": {"pid", "ts", "name", "args"},
                "M": {"pid", "name", "args"}}

    def __init__(self, path):
        whole = (gzip.open if path.endswith(".gz") else open)(path, "rb").read()
        check(not re.search(rb"[\x00-\x09\x0b-\x1f\x7f]|\xe2\x80[\xa8\xa9]", whole),
              "a control character or line separator stands in the file as it is")
        root = json.loads(whole.decode(), parse_float=str, object_pairs_hook=no_doubles)
        self.groups, self.tracks, self.found, self.ends = {}, {}, [], {"s": {}, "f": {}}
        self.values, self.ranks, self.incomplete = [], {}, (0, None)
        self.at_slice = {True: set(), False: set()}  # flows that begin, and end, at a slice
        self.called = collections.defaultdict(list)
        for event in root["traceEvents"]:
            self.event(event)
        self.other = root["otherData"]
        check(root["displayTimeUnit"] == "ns", "displayTimeUnit")

    def event(self, e):
        phase = e["ph"]
        check(set(e) - {"ph"} == self.REQUIRED[phase] | ({"tid"} & set(e)),
              "members of %s: %r" % (phase, e))
        if phase == "M":
            return self.metadata(e)
        if phase == "C":
            check(e["pid"] in self.groups, "no name before %r" % (e,))
            self.values.append((e["pid"], e["name"], nanoseconds(e["ts"]), e["args"]))
            return None
        check((e["pid"], e["tid"]) in self.tracks and e["pid"] in self.groups,
              "no name before %r" % (e,))
        if phase in self.ends:
            check((e["cat"], e["name"]) == ("flow", "command"), "name of a flow: %r" % (e,))
            check(e["id"] not in self.ends[phase], "a flow has two ends: %r" % (e,))
            self.ends[phase][e["id"]] = e["pid"], e["tid"], nanoseconds(e["ts"])
            return None
        if e["cat"] == "incomplete":
            self.incomplete = e["args"]["lost"], nanoseconds(e["ts"])
            return None
        start = nanoseconds(e["ts"])
        end = start + nanoseconds(e["dur"]) if phase == "X" else start
        self.found.append((e["pid"], e["tid"], phase, e["cat"], e["name"], start, end, e["args"]))
        return None

    def metadata(self, e):
        if e["name"] == "process_name":
            check(e["pid"] not in self.groups, "a process has two names: %r" % (e,))
            self.groups[e["pid"]] = e["args"]["name"]
        if e["name"] == "thread_name":
            check((e["pid"], e["tid"]) not in self.tracks, "a thread has two names: %r" % (e,))
            self.tracks[e["pid"], e["tid"]] = e["args"]["name"]
        if e["name"] in ("process_sort_index", "thread_sort_index"):
            key = e["pid"], e.get("tid")
            check(key not in self.ranks, "a track has two ranks: %r" % (e,))
            self.ranks[key] = e["args"]["sort_index"]

    def events(self, trace):
        for pid, tid, phase, category, name, start, end, arguments in self.found:
            side = self.ends["s" if category == "call" else "f"]
            flows = [flow for flow in arrows(trace, category, arguments)
                     if side.get("0x%x" % flow) == (pid, tid, start)]
            for flow in flows:
                self.at_slice[category == "call"].add("0x%x" % flow)
                if "result" in arguments:
                    self.called[flow].append(arguments["correlation"])
            for values in arguments, arguments.get("counters", {}):
                values.update({name: decimals(float(value)) for name, value in values.items()
                               if isinstance(value, str) and LARGE.match(value) and
                               name not in ("queued", "submitted")})
            yield Event("slice" if phase == "X" else "mark", self.groups.get(pid),
                        base(self.tracks.get((pid, tid), "")), category, name, start, end,
                        tuple(sorted(flows))), arguments
        in_order(((pid, name), time) for pid, name, time, _ in self.values)
        for pid, name, time, arguments in self.values:
            yield Event("counter", self.groups[pid], name, "", "", time, time, ()), arguments

    def callers(self, trace):
        """Returns the calls from which the arrow to each record comes: any one that claims it."""
        return self.called

    def nesting(self):
        lines = collections.defaultdict(list)
        for pid, tid, phase, _, _, start, end, _ in self.found:
            lines[pid, tid].append((start, -end))
        for line, slices in lines.items():
            open_ends = []
            for start, end in sorted(slices):
                while open_ends and open_ends[-1] <= start:
                    open_ends.pop()
                check(not open_ends or -end <= open_ends[-1], "%r does not nest at %d" %
                      (self.tracks[line], start))
                open_ends.append(-end)

    def order(self):
        """The process is the first group, and each group has a rank of its own."""
        ranks = [self.ranks.get((pid, None)) for pid in self.groups]
        check(None not in ranks and len(set(ranks)) == len(ranks) and ranks[0] == min(ranks),
              "ranks of the groups: %r" % ranks)
        for group in self.groups:
            tracks = {key: name for key, name in self.tracks.items() if key[0] == group}
            tracks = {key: name for key, name in tracks.items() if name != "incomplete"}
            in_lines(tracks, self.ranks)

    def whole(self, trace):
        self.nesting()
        self.order()
        check(set(self.ends["s"]) == set(self.ends["f"]), "flows with one end")
        for begins, phase in (True, "s"), (False, "f"):
            check(self.at_slice[begins] == set(self.ends[phase]), "a flow is not at its slice")
        check(len(set(self.tracks.items())) == len(self.tracks), "two tracks of one name")
        check(self.other["zero_epoch_ns"] == str(trace.zero()), "the epoch of zero")
        check(self.other["lost_records"] == trace.lost, "lost records")
        check(self.other["lost_events"] == trace.lost_events, "lost events")
        lost, time = self.incomplete
        check(lost == trace.lost + trace.lost_events, "an instant of the process says so")
        check(time in (None, trace.last - trace.started if trace.last else 0),
              "the time of this instant: %r" % time)

    value = staticmethod(json_value)
