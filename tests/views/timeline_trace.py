# SPDX-License-Identifier: MIT
"""For timeline.py: what a binary trace has in it, and the events that a timeline must have of it.
doc/FORMAT is all this knows."""

import collections
import math
import os
import re
import struct
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import tracefile
from timeline_memory import Memory
from timeline_others import Others

NO_CALL, FAILED, BAD_TIMES, UNFINISHED, ASYNCHRONOUS = 16, 2, 4, 8, 1
TIMES, GRID, BLOCK_GIVEN, STATIC, DYNAMIC, REGISTERS, OCCUPANCY, STREAM, CACHE, BYTES, DIRECTION, \
    HOST_MEMORY, BLOCK = (1 << bit for bit in range(13))
KINDS = {7: ("kernel", "launch"), 8: ("copy", "copy"), 9: ("fill", "fill")}
TIMED = (*KINDS, 14, 16, 17, 18, 19)  # they have an end; other events have another value there
MASK = (1 << 64) - 1

DEPTH = 64  # lines of a track that are in order

problems = []


def wrong(text):
    problems.append(text)


def check(fine, text):
    if not fine:
        wrong(text)


def escape(name):
    """Escapes bytes as in logs and timelines: doc/FORMAT section 5."""
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
        self.records, self.calls, self.lost, self.lost_events = [], [], 0, 0
        self.others, self.memory, self.last = Others(), Memory(), 0
        for kind, frame in tracefile.frames(data):
            self.frame(kind, frame)

    def frame(self, kind, data):
        if kind >= 7 and len(data) >= 32 and kind not in (10, 11, 12, 13, 20, 21, 24, 25):
            self.last = max([self.last, *self.moments(kind, data)])
        if self.others.frame(data) or self.memory.frame(data):
            return
        if kind == 2:
            self.pid, length, self.started, self.shift = struct.unpack_from("<IIQq", data, 24)
            words = data[72 : 72 + length].rstrip(b"\0").split(b"\0") if length else []
            self.words = list(map(escape, words))
            self.process = " ".join(self.words) or "process %d" % self.pid
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
            count, missing, events = struct.unpack_from("<QQQ", data, 24)
            self.lost += count + missing - min(events, missing)
            self.lost_events += min(events, missing)
        elif kind in KINDS:
            self.records.append(data)
        elif kind == 14:
            self.calls.append(dict(zip(CALL_NAMES, CALL.unpack_from(data))))

    def moments(self, kind, data):
        """Reads the file's times; `last` is the latest one."""
        enter, leave = struct.unpack_from("<2Q", data, 24)
        if may_be(enter, enter):
            yield enter
        if kind in TIMED and may_be(enter, leave):
            yield leave
        if kind in KINDS:
            fields = dict(zip(NAMES, FIELDS.unpack_from(data)))
            times = [fields[name] - self.shift & MASK for name in ("started", "ended")]
            if fields["known"] & 1 and may_be(*times):
                yield times[1]

    def zero(self):
        return self.started + self.shift & MASK

    def claims(self):
        """Returns the calls that claim each record: one, unless the file has an error."""
        claimed = {}
        for call in self.calls:
            if may_be(call["enter"], call["leave"]) and call["made"]:
                for i in range(call["records"]):
                    claimed.setdefault(call["made"] + i & MASK, []).append(
                        call["correlation"])
        return claimed


CALL = struct.Struct("<IHHQIIQQQiIHHI")
CALL_NAMES = ("size kind flags correlation thread stack enter leave made result name api "
              "records number").split()
assert CALL.size == 64

FIELDS = struct.Struct("<IHHQIIQQQQQQQQ3Q3IIIIIIIIfI8B")
NAMES = ("size kind flags correlation thread stack enter leave queued submitted started ended "
         "handle bytes grid0 grid1 grid2 block0 block1 block2 name device context stream static "
         "dynamic registers occupancy known direction host_memory source target block_given "
         "cache_requested cache_executed batch").split()
assert FIELDS.size == 168


class Event(collections.namedtuple("Event", "phase group track category name start end flow")):
    """The compared values besides the arguments: times are nanoseconds since the process began,
    flow has the correlations of the commands of all arrows from or to here."""


def choice(words, number):
    return words[number] if number < len(words) else number


def command_name(trace, r):
    if r["kind"] == 7:
        return escape(trace.names.get(r["name"], b"")) or "unknown_kernel"
    after = "async" if r["flags"] & ASYNCHRONOUS else ""
    if r["kind"] == 9:
        return "memset" + after
    if r["source"] == r["target"] == 3:
        return "memcpyDtoD" + after
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
        return "none: unfinished, or its times not read yet, when the program ended"
    if r["flags"] & BAD_TIMES or r["known"] & TIMES:
        return "none: they were zero or out of order"
    return "none"


def counters(trace, data, r):
    counters = tracefile.counters(data)
    if not counters:
        return {}
    return {column[1:]: (column[0], value)
            for column, value in zip(trace.counters[counters[0]], counters[1])
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
        yield Event("slice", trace.process, thread_name(call["thread"]), "call",
                    escape(trace.names.get(call["name"], b"")) or "unknown_function",
                    call["enter"] - trace.started, call["leave"] - trace.started,
                    tuple(sorted(made[call["correlation"]]))), arguments


def expected(trace):
    """Returns each event with its arguments."""
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
            for call_with_arrow in trace.callers[r["correlation"]]:
                made[call_with_arrow].append(r["correlation"])
        name = command_name(trace, r)
        if has_call:
            arguments = {"correlation": r["correlation"], "command": name}
            if not has_times:
                arguments["device_times"] = fate(r)
            yield Event("slice", trace.process,
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
            if (r["queued"], r["submitted"]) != (r["started"], r["started"]):
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
    yield from expected_memory(trace)
    for phase, track, *words, start, end, arguments in trace.others.expected(
            trace, escape, trace.last):
        yield Event(phase, trace.process, track, *words, start - trace.started,
                    end - trace.started, ()), arguments


def expected_memory(trace):
    def group_of(context):
        api, number, device = trace.devices[trace.contexts[context][2]]
        return "%s device %d: %s" % (("OpenCL", "CUDA")[api], number, device)
    for group, track, time, size in trace.memory.expected(
            trace, group_of, trace.process):
        yield Event("counter", group, track, "", "", time - trace.started, time - trace.started,
                    ()), {"bytes": size}


def in_order(samples):
    """The values of one counter, (track, time) each, are in order of time."""
    last = {}
    for track, time in samples:
        check(last.get(track, time) <= time, "a value of %r is before its predecessor's" % (track,))
        last[track] = time


def arrows(trace, category, arguments):
    """Returns the commands whose arrows may be at an event."""
    return trace.made_by[arguments["correlation"]] if category == "call" and \
        "result" in arguments else \
        [arguments["correlation"]] if "correlation" in arguments else []


def in_lines(tracks, ranks):
    """Each of the tracks {key: name} of a group has a rank, and the lines into which a track was
    split have ranks in a row."""
    check(set(tracks) <= set(ranks), "tracks without ranks: %r" % (set(tracks) - set(ranks)))
    before, seen = None, set()
    for name in (tracks[key] for key in sorted(tracks, key=lambda key: ranks.get(key, -1))):
        number = int((re.search(r" \((\d+)\)$", name) or (0, 1))[1])
        if base(name) in seen and number <= DEPTH:
            check(before == (base(name), number - 1), "the order of %r" % name)
        before = base(name), number
        seen.add(base(name))


def base(name):
    """Returns the name of the track that this one was split from."""
    return re.sub(r" \((\d+)\)$", "", name)
