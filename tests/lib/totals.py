# SPDX-License-Identifier: MIT
"""totals.py TRACE TOTALS: compares the running totals of a run (a trace with TOTALS frames) with
the sums of a trace of the same run, which are made here. Prints each number that differs, and the
numbers of rows of each kind, of records and of calls."""

import collections
import struct
import sys

from tracefile import COPY, EVENTS, FRAME, KERNEL, NAME, RECORDS, Totals, frames, read_totals

PROCESS, TIMES, OCCUPANCY, BYTES, HOST_MEMORY = 2, 1, 64, 512, 2048
FAILED, BAD_TIMES, UNFINISHED, NO_CALL = 2, 4, 8, 16
RECORD = struct.Struct("<24x2Q16x2Q8xQ36x2I20xfI4B")
OWN_OVERHEADS = (2, 3, 4, 8, 9)
NOT_READY = {"CUDA": (600, 34), "OpenCL": ()}


def bucket(value):
    """The number of the value's bucket."""
    if value < 32:
        return value
    shift = value.bit_length() - 6
    return 17 * shift + ((value >> shift) + 33) // 2


def union(spans):
    """The length of the union of intervals."""
    total, end = 0, 0
    for start, stop in sorted(spans):
        total += max(stop, end) - max(start, end)
        end = max(stop, end)
    return total


class Sums:
    """The totals of a trace: `rows` are dictionaries of numbers by their key."""

    def __init__(self, path):
        self.rows = collections.defaultdict(collections.Counter)
        self.names, self.shift = {0: b""}, 0
        self.spans, self.memory, self.overheads = collections.defaultdict(list), [], []
        with open(path, "rb") as file:
            for kind, frame in frames(file.read()):
                self.take(kind, frame)
        self.end()

    def take(self, kind, frame):
        """Adds a frame."""
        flags = FRAME.unpack_from(frame)[2]
        if kind == NAME:
            number, length = struct.unpack_from("<II", frame, FRAME.size)
            self.names[number] = frame[FRAME.size + 8 : FRAME.size + 8 + length]
        elif kind == PROCESS:
            self.shift = struct.unpack_from("<q", frame, 40)[0]
        elif kind in RECORDS:
            self.add_record(kind, flags, *RECORD.unpack_from(frame))
        elif kind in EVENTS:
            name, layout, event = EVENTS[kind]
            self.add_event(name, event(flags, 0, 0, 0, *layout.unpack_from(frame, FRAME.size)))

    def add_time(self, row, start, took):
        """Adds an interval to a row."""
        row["first"] = min(row["first"], start) if row["count"] else start
        row["shortest"] = min(row["shortest"], took) if row["count"] else took
        row["last"] = max(row["last"], start + took)
        row["longest"] = max(row["longest"], took)
        row["count"] += 1
        row["total"] += took
        row["bucket", bucket(took)] += 1

    def add_record(self, kind, flags, enter, leave, started, ended, size, name, device,
                   occupancy, known, _, host, source, target):
        """Adds a kernel, copy or fill."""
        sides = (min(source, 4), min(target, 4)) if kind == COPY else (0, 0)
        text = self.names[name] if kind == KERNEL else b""
        row = self.rows["activity", kind, text, *sides, device]
        self.rows["process",]["records"] += 1
        if known & OCCUPANCY:
            row["occupancy"] += occupancy
            row["occupancies"] += 1
        if not known & TIMES:
            order = [flag for flag in (UNFINISHED, FAILED, BAD_TIMES) if flags & flag] or [0]
            row["missing", (UNFINISHED, FAILED, BAD_TIMES, 0).index(order[0])] += 1
            return
        took = max(ended - started, 0)
        self.add_time(row, started, took)
        self.spans[device].append((started, started + took))
        if known & BYTES:
            row["bytes"] += size
            row["sized"] += 1
        if kind != COPY:
            return
        if not flags & NO_CALL and leave >= enter and ended <= leave + self.shift:
            row["waited_time"] += leave - enter
            row["waited_count"] += 1
        if known & HOST_MEMORY and host == 0:
            row["pageable_time"] += took
            row["pageable_count"] += 1
        if known & BYTES:
            sizes = self.rows["sizes", device]
            sizes["count"] += 1
            sizes["bucket", bucket(size)] += 1

    def add_event(self, kind, event):
        """Adds an event."""
        process = self.rows["process",]
        took = max(event.leave - event.enter, 0) if hasattr(event, "leave") else 0
        if kind == "call":
            row = self.rows["function", event.api, self.names[event.name]]
            self.add_time(row, event.enter, took)
            row["failed"] += event.result != 0
            if event.result not in (0,) + NOT_READY["CUDA" if event.api else "OpenCL"]:
                self.rows["failure", event.api, self.names[event.name],
                          event.result]["count"] += 1
        elif kind == "mark":
            process["ranges" if event.flags & 1 else "marks"] += not event.flags & 2
        elif kind == "allocation":
            freed = event.flags & 1
            process["allocations"] += not freed
            process["allocated"] += 0 if freed else event.bytes
            space = "CUDA" if event.api else event.context
            self.memory.append(((event.address, str(space), event.memory),
                                event.enter if freed else event.leave, len(self.memory), freed,
                                event.bytes))
        elif kind == "wait" and event.kind != 2:
            process["waits"] += 1
            process["waiting"] += took
        elif kind == "overhead" and event.kind in OWN_OVERHEADS:
            process["overheads"] += 1
            self.overheads.append((event.enter, event.enter + took))

    def end(self):
        """Adds what depends on all of them."""
        process = self.rows["process",]
        process["overhead"] = union(self.overheads)
        there = {}
        for place, _, _, freed, size in sorted(self.memory):
            there[place] = None if freed else size
        there = [size for size in there.values() if size is not None]
        process["left"], process["in_use"] = len(there), sum(there)
        spans = [span for device in self.spans.values() for span in device]
        for device, of_device in [*self.spans.items()] + [(2**32 - 1, spans)] * bool(spans):
            self.rows["device", device].update(
                total=union(of_device), count=len(of_device),
                first=min(of_device)[0], last=max(end for _, end in of_device))


def key_of(row, names):
    """The key of a row of totals, as in Sums."""
    if row.kind == 6:
        return ("process",)
    text = names[row.name]
    return {
        1: ("activity", row.record_kind, text, row.source, row.target, row.device),
        2: ("sizes", row.device),
        3: ("function", row.api, text),
        4: ("failure", row.api, text, row.code),
        5: ("device", row.device),
    }[row.kind]


def numbers_of(row, buckets):
    """The numbers of a row of totals, as in Sums."""
    numbers = dict(row._asdict())
    for name in Totals.KEY:
        numbers.pop(name, None)
    if row.kind in (2, 4, 5) or not numbers.get("count", 1):
        numbers["shortest"] = 0
    for reason, count in enumerate(numbers.pop("missing", ())):
        numbers["missing", reason] = count
    numbers.update({("bucket", number): count for number, count in enumerate(buckets)})
    return {name: value for name, value in numbers.items() if value}


def differences(sums, names, totals):
    """Yields a line for each difference."""
    found = collections.defaultdict(collections.Counter)
    for row, buckets in totals:
        key = key_of(row, names)
        if key in found:
            yield f"{key}: twice"
        found[key].update(numbers_of(row, buckets))
        found[key]["without buckets"] = not buckets
    for key in sorted(set(found) | set(sums.rows), key=str):
        wanted, got = sums.rows.get(key, {}), found.get(key, {})
        plain = got and got.pop("without buckets")
        if key == ("process",):
            got.pop("peak", None)
        for name in sorted(set(wanted) | set(got), key=str):
            if plain and name[0] == "bucket":
                continue
            one, other = wanted.get(name, 0), got.get(name, 0)
            if one != other and not (name == "occupancy" and abs(one - other) < 1e-9 * one):
                yield f"{key} {name}: {one} in the trace, {other} in the totals"


def main():
    """See above."""
    sums = Sums(sys.argv[1])
    names, totals = read_totals(sys.argv[2])
    for line in differences(sums, names, totals):
        print(line)
    counts, sums = collections.Counter(), collections.Counter()
    for row, _ in totals:
        kind = key_of(row, names)[0]
        counts[kind] += 1
        sums[kind] += row.records if kind == "process" else row.count
    print(" ".join(f"{kind} {counts[kind]}" for kind in sorted(counts)) +
          f", {sums['process']} records, {sums['function']} calls")


main()
