#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""timeline.py TRACE VIEW: whether a timeline (.trace.json, .json.gz, .pftrace) shows what a binary
trace has in it. Reads both by itself, from doc/FORMAT and from the formats' own descriptions; what
is wrong is printed, a line each, at most ten."""

import collections
import gzip
import json
import math
import re
import struct
import sys

NO_CALL, FAILED, BAD_TIMES, UNFINISHED, ASYNCHRONOUS = 16, 2, 4, 8, 1
TIMES, GRID, BLOCK_GIVEN, STATIC, DYNAMIC, REGISTERS, OCCUPANCY, STREAM, CACHE, BYTES, DIRECTION, \
    HOST_MEMORY, BLOCK = (1 << bit for bit in range(13))
KINDS = {7: ("kernel", "launch"), 8: ("copy", "copy"), 9: ("fill", "fill")}
MASK = (1 << 64) - 1

problems = []


def wrong(text):
    problems.append(text)


def check(fine, text):
    if not fine:
        wrong(text)


# --- the trace

def escape(name):
    """Bytes as logs and timelines have them: doc/FORMAT section 5."""
    text, at = "", 0
    while at < len(name):
        for size in (1, 2, 3, 4):
            try:
                character = name[at:at + size].decode()
                break
            except UnicodeDecodeError:
                character = None
        code = ord(character) if character else 0
        if not character or code < 32 or 127 <= code < 160 or code in (0x2028, 0x2029) or \
                name[at:at + 2] == b"\\x":
            character, size = "\\x%02x" % name[at], 1
        text += character
        at += size
    return text


class Trace:
    def __init__(self, path):
        data = open(path, "rb").read()
        self.names, self.devices, self.contexts, self.counters = {}, [], [], []
        self.records, self.calls, self.lost = [], [], 0
        at = 24
        while at + 24 <= len(data):
            size, kind = struct.unpack_from("<IH", data, at)
            if size > len(data) - at:
                break
            self.frame(kind, data[at:at + size])
            at += size

    def frame(self, kind, data):
        if kind == 2:
            self.pid, _, self.started, self.shift = struct.unpack_from("<IIQq", data, 24)
        elif kind == 3:
            number, length = struct.unpack_from("<II", data, 24)
            self.names[number] = data[32:32 + length]
        elif kind == 4:
            fields = struct.unpack_from("<7I", data, 24)
            self.devices.append((fields[1], fields[2], escape(data[52:52 + fields[6]])))
        elif kind == 5:
            self.contexts.append(struct.unpack_from("<4I", data, 24)[1:])
        elif kind == 13:
            length = struct.unpack_from("<6I", data, 24)[3]
            self.counters.append(data[48:48 + length].decode().splitlines())
        elif kind == 10:
            self.lost += struct.unpack_from("<Q", data, 24)[0]
        elif kind in KINDS:
            self.records.append(data)
        elif kind == 14:
            self.calls.append(dict(zip(CALL_NAMES, CALL.unpack_from(data))))

    def zero(self):
        return self.started + self.shift & MASK


    def claims(self):
        """Of each record that a call says that it made, the first such call."""
        claimed = {}
        for call in self.calls:
            if may_be(call["enter"], call["leave"]) and call["made"]:
                for i in range(call["records"]):
                    claimed.setdefault(call["made"] + i & MASK, call["correlation"])
        return claimed


CALL = struct.Struct("<IHHQIIQQQiIHHI")
CALL_NAMES = ("size kind flags correlation thread counters enter leave made result name api "
              "records number").split()
assert CALL.size == 64

FIELDS = struct.Struct("<IHHQIIQQQQQQQQ3Q3IIIIIIIIfI8B")
NAMES = ("size kind flags correlation thread counters enter leave queued submitted started ended "
         "handle bytes grid0 grid1 grid2 block0 block1 block2 name device context stream static "
         "dynamic registers occupancy known direction host_memory source target block_given "
         "cache_requested cache_executed batch").split()
assert FIELDS.size == 168


class Event(collections.namedtuple("Event", "phase group track category name start end flow")):
    """What is compared, besides the arguments: times are nanoseconds since the process began, flow
    has the correlations of all commands that an arrow leads to from here, or to here."""


def choice(words, number):
    return words[number] if number < len(words) else number


def command_name(trace, r):
    if r["kind"] == 7:
        return escape(trace.names.get(r["name"], b"")) or "unknown_kernel"
    after = "async" if r["flags"] & ASYNCHRONOUS else ""
    if r["kind"] == 9:
        return "memset" + after
    if max(r["source"], r["target"]) > 2:
        return "memcopy"
    return "memcpy" + "HDA"[r["source"]] + "to" + "HDA"[r["target"]] + after


def command_arguments(r, has_times):
    known = r["known"]
    return {name: value for name, value, there in (
        ("correlation", r["correlation"], True),
        ("grid", [r["grid%d" % i] for i in range(3)], known & GRID),
        ("block", [r["block%d" % i] for i in range(3)], known & (GRID | BLOCK)),
        ("block_chosen_by", choice(("driver", "program"), r["block_given"]), known & BLOCK_GIVEN),
        ("static_shared_bytes", r["static"], known & STATIC),
        ("dynamic_shared_bytes", r["dynamic"], known & DYNAMIC),
        ("registers", r["registers"], known & REGISTERS),
        ("occupancy", r["occupancy"], known & OCCUPANCY and math.isfinite(r["occupancy"])),
        ("cache_requested", choice(("none", "shared", "L1", "equal"), r["cache_requested"]),
         known & CACHE),
        ("cache_executed", choice(("none", "shared", "L1", "equal"), r["cache_executed"]),
         known & CACHE),
        ("bytes", r["bytes"], known & BYTES),
        ("gigabytes_per_second", has_times and r["ended"] > r["started"] and
         float(r["bytes"]) / float(r["ended"] - r["started"]),
         known & BYTES and has_times and r["ended"] > r["started"]),
        ("direction", choice(("host to device", "device to host", "device"), r["direction"]),
         known & DIRECTION),
        ("host_memory", choice(("pageable", "page-locked"), r["host_memory"]),
         known & HOST_MEMORY)) if there}


def fate(r):
    if r["flags"] & FAILED:
        return "none: the device reported an error"
    if r["flags"] & UNFINISHED:
        return "none: the program ended before the command did"
    if r["flags"] & BAD_TIMES or r["known"] & TIMES:
        return "none: they were zero or out of order"
    return "none"


def counters(trace, data, r):
    if not r["counters"]:
        return {}
    values = struct.unpack_from("<%dd" % ((len(data) - 168) // 8), data, 168)
    return {column[1:]: (column[0], value)
            for column, value in zip(trace.counters[r["counters"] - 1], values)
            if math.isfinite(value)}


def signed(number):
    number &= MASK
    return number - (number >> 63 << 64)


def may_be(start, end):
    return start <= end < 1 << 62


def thread_name(thread):
    return "thread %d" % thread if thread else "unknown thread"


def expected_calls(trace, made):
    for call in trace.calls:
        if not may_be(call["enter"], call["leave"]):
            continue
        arguments = {"correlation": call["correlation"], "records": call["records"],
                     "result": "failed" if call["result"] == -1 << 31 else call["result"]}
        yield Event("slice", "process %d" % trace.pid, thread_name(call["thread"]), "call",
                    escape(trace.names.get(call["name"], b"")) or "unknown_function",
                    call["enter"] - trace.started, call["leave"] - trace.started,
                    tuple(sorted(made[call["correlation"]]))), arguments


def expected(trace):
    """Each event with its arguments."""
    made = collections.defaultdict(list)
    claimed = trace.claims()
    for data in trace.records:
        r = dict(zip(NAMES, FIELDS.unpack_from(data)))
        category, call = KINDS[r["kind"]]
        is_claimed = r["correlation"] in claimed
        has_call = not r["flags"] & NO_CALL and may_be(r["enter"], r["leave"]) and not is_claimed
        has_times = bool(r["known"] & TIMES) and may_be(
            r["started"] - trace.shift & MASK, r["ended"] - trace.shift & MASK)
        flow = (r["correlation"],) if (has_call or is_claimed) and has_times else ()
        if is_claimed and has_times:
            made[claimed[r["correlation"]]].append(r["correlation"])
        name = command_name(trace, r)
        if has_call:
            arguments = {"correlation": r["correlation"], "command": name}
            if not has_times:
                arguments["device_times"] = fate(r)
            yield Event("slice", "process %d" % trace.pid,
                        thread_name(r["thread"]), "call", call, r["enter"] - trace.started,
                        r["leave"] - trace.started,
                        flow), arguments
        if has_call and not has_times:
            continue
        api, number, device = trace.devices[r["device"]]
        queue = "context %d" % (trace.contexts[r["context"]][1] + 1)
        if r["known"] & STREAM:
            queue += " %s %d" % (("queue", "stream")[trace.contexts[r["context"]][0]], r["stream"])
        group = "%s device %d: %s" % (("OpenCL", "CUDA")[api], number, device)
        arguments = command_arguments(r, has_times)
        if has_times:
            start, end = signed(r["started"] - trace.zero()), signed(r["ended"] - trace.zero())
            arguments["queued"] = ("time", signed(r["queued"] - trace.zero()))
            arguments["submitted"] = ("time", signed(r["submitted"] - trace.zero()))
        else:
            start = end = r["enter"] - trace.started if may_be(0, r["enter"]) else 0
            arguments["device_times"] = fate(r)
        counted = counters(trace, data, r) if has_times else {}
        if counted:
            arguments["counters"] = counted
        yield Event("slice" if has_times else "mark", group, queue, category, name, start, end,
                    flow), arguments
    yield from expected_calls(trace, made)


def arrows(trace, category, arguments):
    """Of which commands there may be an arrow at an event."""
    return trace.made_by[arguments["correlation"]] if category == "call" and \
        "result" in arguments else [arguments["correlation"]]


# --- trace events

LARGE = re.compile(r"-?(\d{13,}\.\d+|[\d.]+e\+\d+)$")
TIME = re.compile(r"-?\d+\.\d{3}$")


def nanoseconds(text):
    check(isinstance(text, str) and TIME.match(text), "%r is no time" % (text,))
    return int(text.replace(".", ""))


def microseconds(time):
    return "%s%d.%03d" % ("-" if time < 0 else "", abs(time) // 1000, abs(time) % 1000)


def decimals(value):
    """As base/number.h has them; beyond 10^12 a double has no three exact ones."""
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


def base(name):
    return re.sub(r" \((\d+)\)$", "", name)


def no_doubles(pairs):
    check(len(dict(pairs)) == len(pairs), "a name is there twice: %r" % (pairs,))
    return dict(pairs)


class Chrome:
    REQUIRED = {"X": {"pid", "tid", "ts", "dur", "cat", "name", "args"},
                "i": {"pid", "tid", "ts", "cat", "name", "args", "s"},
                "s": {"pid", "tid", "ts", "cat", "name", "id"},
                "f": {"pid", "tid", "ts", "cat", "name", "id", "bp"},
                "M": {"pid", "name", "args"}}

    def __init__(self, path):
        whole = (gzip.open if path.endswith(".gz") else open)(path, "rb").read()
        check(not re.search(rb"[\x00-\x09\x0b-\x1f\x7f]|\xe2\x80[\xa8\xa9]", whole),
              "a control character or line separator stands in the file as it is")
        root = json.loads(whole.decode(), parse_float=str, object_pairs_hook=no_doubles)
        self.groups, self.tracks, self.found, self.ends = {}, {}, [], {"s": {}, "f": {}}
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
        check((e["pid"], e["tid"]) in self.tracks and e["pid"] in self.groups,
              "no name before %r" % (e,))
        if phase in self.ends:
            check((e["cat"], e["name"]) == ("flow", "command"), "name of a flow: %r" % (e,))
            check(e["id"] not in self.ends[phase], "a flow has two ends: %r" % (e,))
            self.ends[phase][e["id"]] = e["pid"], e["tid"], nanoseconds(e["ts"])
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

    def events(self, trace):
        for pid, tid, phase, category, name, start, end, arguments in self.found:
            side = self.ends["s" if category == "call" else "f"]
            flows = [flow for flow in arrows(trace, category, arguments) if "0x%x" % flow in side]
            for flow in flows:
                check(side["0x%x" % flow] == (pid, tid, start), "%x is not at its slice" % flow)
            for values in arguments, arguments.get("counters", {}):
                values.update({name: decimals(float(value)) for name, value in values.items()
                               if isinstance(value, str) and LARGE.match(value) and
                               name not in ("queued", "submitted")})
            yield Event("slice" if phase == "X" else "mark", self.groups.get(pid),
                        base(self.tracks.get((pid, tid), "")), category, name, start, end,
                        tuple(sorted(flows))), arguments

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

    def whole(self, trace):
        self.nesting()
        check(set(self.ends["s"]) == set(self.ends["f"]), "flows with one end")
        check(len(set(self.tracks.items())) == len(self.tracks), "two tracks of one name")
        check(self.other["zero_epoch_ns"] == str(trace.zero()), "the epoch of zero")
        check(self.other["lost_records"] == trace.lost, "lost records")

    value = staticmethod(json_value)


# --- Perfetto: field numbers are those of protos/perfetto/trace of github.com/google/perfetto

def fields(data):
    """(number, value) of each: an int, or bytes."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value
    while at < len(data):
        key = varint()
        if key & 7 == 0:
            yield key >> 3, varint()
        elif key & 7 == 1:
            yield key >> 3, data[at:at + 8]
            at += 8
        elif key & 7 == 2:
            size = varint()
            check(size <= len(data) - at, "a field is longer than its message")
            yield key >> 3, data[at:at + size]
            at += size
        else:
            raise ValueError("wire type %d" % (key & 7))


def message(data):
    found = collections.defaultdict(list)
    for number, value in fields(data):
        found[number].append(value)
    return found


def text_of(data):
    text = data.decode()
    check(not re.search("[\x00-\x1f\x7f-\x9f\u2028\u2029]", text), "control in %r" % text)
    return text


def perfetto_value(value):
    if isinstance(value, tuple):
        return value[1]
    if isinstance(value, dict):
        return {name: int(count) if kind == "n" and abs(count) < 1 << 63 else count
                for name, (kind, count) in value.items()}
    return value


class Perfetto:
    def __init__(self, path):
        self.tracks, self.interned = {}, {1: {}, 2: {}, 3: {}, 29: {}}
        self.lines, self.clocks, self.defaults = collections.defaultdict(list), {}, None
        self.marks, self.slices = [], []
        for number, packet in fields(open(path, "rb").read()):
            check(number == 1, "field %d of Trace" % number)
            self.packet(message(packet))
        for track, events in self.lines.items():
            self.line(track, events)

    def packet(self, p):
        unknown = set(p) - {6, 8, 10, 11, 12, 13, 59, 60}
        check(not unknown, "fields %r of TracePacket" % unknown)
        check(p[10] == [1] and p[13] in ([1], [2]), "sequence of a packet")
        for snapshot in p[6]:
            snapshot = message(snapshot)
            self.clocks = {message(clock)[1][0]: message(clock)[2][0] for clock in snapshot[1]}
            check(snapshot[2] == [3], "primary clock")
        for defaults in p[59]:
            self.defaults = message(defaults)[58]
        for data in p[12]:
            self.intern(message(data))
        for descriptor in p[60]:
            self.descriptor(message(descriptor))
        for event in p[11]:
            check(self.defaults == [3], "no clock")
            self.event(p[8][0], message(event))

    def intern(self, data):
        for kind, entries in data.items():
            for entry in map(message, entries):
                check(entry[1][0] not in self.interned[kind], "interned twice: %r" % entry)
                self.interned[kind][entry[1][0]] = text_of(entry[2][0])

    def descriptor(self, d):
        uuid, parent = d[1][0], d[5][0] if d[5] else None
        check(uuid not in self.tracks, "track %d is described twice" % uuid)
        check(parent is None or parent in self.tracks, "track %d has no parent" % uuid)
        if d[3]:
            process = message(d[3][0])
            self.pid = process[1][0]
            name = text_of(process[6][0])
        elif d[4]:
            thread = message(d[4][0])
            check(thread[1] == [self.pid], "pid of a thread")
            name = text_of(thread[5][0])
            check(name == "thread %d" % thread[2][0], "tid of %s" % name)
            parent = [key for key, track in self.tracks.items() if track[1] is None][0]
        else:
            name = text_of(d[2][0])
        self.tracks[uuid] = name, parent

    def event(self, time, e):
        check(e[11][0] in self.tracks, "an event has no track")
        if e[9] == [3]:
            self.marks.append((time, e))
        else:
            self.lines[e[11][0]].append((time, e))

    def line(self, track, events):
        """As trace processor does it: by time, those of one time in the order of the file."""
        stack = []
        for time, e in sorted(events, key=lambda event: event[0]):
            if e[9] == [1]:
                stack.append((time, e))
            elif stack:
                start, begun = stack.pop()
                self.slices.append((start, time, begun))
            else:
                wrong("an end without a beginning on %r" % (self.tracks[track],))
        check(not stack, "a beginning without an end on %r" % (self.tracks[track],))

    def annotation(self, a):
        a = message(a)
        name = self.interned[3][a[1][0]] if a[1] else text_of(a[10][0])
        if a[11]:
            return name, dict(map(self.annotation, a[11]))
        if a[12]:
            return name, [message(each)[3][0] for each in a[12]]
        if a[17]:
            return name, self.interned[29][a[17][0]]
        if a[5]:
            return name, struct.unpack("<d", a[5][0])[0]
        if a[6]:
            return name, text_of(a[6][0])
        return name, a[3][0] if a[3] else signed(a[4][0])

    def show(self, phase, start, end, e, trace):
        name, parent = self.tracks[e[11][0]]
        arguments = dict(map(self.annotation, e[4]))
        for key in "queued", "submitted":
            if key in arguments:
                arguments[key] = signed(arguments[key] - trace.started)
        category = self.interned[1][e[3][0]]
        here, there = (47, 48) if category == "call" else (48, 47)
        check(not e[there], "the wrong end of a flow")
        check(len(set(e[here])) == len(e[here]), "an arrow is there twice")
        flow = tuple(sorted(self.flow(each, trace) for each in e[here]
                            if each in self.ends[there]))
        check(set(flow) <= set(arrows(trace, category, arguments)), "an arrow to something else")
        return Event(phase, self.tracks[parent][0], base(name), category,
                     self.interned[2][e[10][0]], start - trace.started, end - trace.started,
                     flow), arguments

    @staticmethod
    def flow(data, trace):
        return struct.unpack("<Q", data)[0] ^ (trace.pid * 0x9e3779b97f4a7c15 & MASK)

    def events(self, trace):
        # One that has one end only is no arrow: when the other one was to come was not known.
        self.ends = {end: {flow for _, _, e in self.slices for flow in e[end]} for end in (47, 48)}
        for start, end, e in self.slices:
            yield self.show("slice", start, end, e, trace)
        for time, e in self.marks:
            if e[23]:
                self.lost = dict(map(self.annotation, e[4]))["lost"]
            else:
                yield self.show("mark", time, time, e, trace)

    def whole(self, trace):
        check(self.clocks == {3: trace.started, 1: trace.zero()}, "clocks: %r" % self.clocks)
        check(getattr(self, "lost", 0) == trace.lost, "lost records")
        names = [track for track in self.tracks.values()]
        check(len(names) == len(set(names)), "two tracks of one name")

    value = staticmethod(perfetto_value)


def plain(value):
    """Something that can be counted, and is equal if the values are."""
    return json.dumps(value, sort_keys=True)


def main(trace_path, path):
    trace = Trace(trace_path)
    perfetto = path.endswith(".pftrace")
    view = (Perfetto if perfetto else Chrome)(path)
    trace.made_by = collections.defaultdict(list)
    for correlation, call in trace.claims().items():
        trace.made_by[call].append(correlation)
    wanted = collections.Counter(
        (event, plain({name: view.value(value) for name, value in arguments.items()}))
        for event, arguments in expected(trace))
    got = collections.Counter(
        (event, plain(arguments))
        for event, arguments in view.events(trace))
    view.whole(trace)
    for event in list((wanted - got).elements())[:3]:
        wrong("missing: %s %s" % event)
    for event in list((got - wanted).elements())[:3]:
        wrong("too much: %s %s" % event)
    check(sum(wanted.values()) > 0, "there is nothing to compare")
    for problem in problems[:10]:
        print(problem)
    print("%d events, %d flows, %d tracks" % (
        sum(got.values()), sum(len(event.flow) for event, _ in got.elements()) // 2,
        len(view.tracks)), file=sys.stderr)


main(*sys.argv[1:])
