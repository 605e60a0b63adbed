# SPDX-License-Identifier: MIT
"""What `print -o FILE.json` has to write of a trace: doc/FORMAT, section 16."""

import collections
import json

from reference import (
    APIS,
    COPY,
    FILL,
    KERNEL,
    MOST,
    TIMES,
    Sum,
    add,
    direction,
    duration,
    escape,
    method,
    missing,
    sums_of,
    sums_of_calls,
    union,
)
from tables import Like, near

OWN_OVERHEADS = (2, 3, 4, 8, 9)
COUNTS = ("records", "untimed", "lost", "lost_events", "cut_off")


def command_of(trace):
    """The arguments: a NUL stands between two, and may stand at the end."""
    if not trace.command:
        return []
    words = trace.command.split(b"\0")
    return [escape(word) for word in (words[:-1] if trace.command.endswith(b"\0") else words)]


def counts_of(trace):
    return {
        "records": len(trace.records),
        "untimed": sum(missing(trace)),
        "lost": trace.lost - trace.lost_events,
        "lost_events": trace.lost_events,
        "cut_off": trace.cut is not None or trace.damaged is not None,
    }


def compare_times(what, got, entry):
    for name, value in (
        ("total_ns", entry.total),
        ("min_ns", entry.shortest),
        ("max_ns", entry.longest),
        ("avg_ns", entry.average),
    ):
        if got.get(name) != value:
            yield "%s: %s is %r, not %d" % (what, name, got.get(name), value)
    for name, share in (("p50_ns", 50), ("p95_ns", 95), ("p99_ns", 99)):
        if not near(got[name], entry, share):
            yield "%s: %s is %r, not near %r" % (what, name, got[name], entry.percentile(share))


def likeness(entry, each):
    """The number of values of an object that are those of the sum. Of several sums with one name,
    the most alike is compared."""
    values = (
        each["count"] == entry.count,
        each.get("total_ns", 0) == entry.total,
        each.get("untimed", 0) == entry.untimed,
        each.get("failed", entry.failed) == entry.failed, # not every view has it
        each.get("bytes") == (entry.bytes if entry.sized else None),
        each.get("min_ns") == entry.shortest,
        each.get("max_ns") == entry.longest,
    )
    return sum(values)


def compare_list(what, got, wanted):
    """Compares objects with (members, Sum); one key may be there several times."""
    order = [(-each.get("total_ns", 0), -each["count"]) for each in got]
    if order != sorted(order):
        yield "%s: order of the entries" % what
    left = collections.defaultdict(list)
    for members, entry in wanted:
        left[tuple(sorted(members.items()))].append(entry)
    for entries in left.values():
        entries.sort(key=lambda entry: (-entry.total, -entry.count))
    names = wanted[0][0].keys() if wanted else ()
    if len(got) != len(wanted):
        yield "%s: %d entries, not %d" % (what, len(got), len(wanted))
    for each in got:
        key = tuple(sorted((name, each.get(name)) for name in names))
        if not left.get(key):
            yield "%s: %r is not expected; left are %r" % (what, each, list(left)[:2])
            continue
        entry = max(left[key], key=lambda entry: likeness(entry, each))
        left[key].remove(entry)
        if each["count"] != entry.count:
            yield "%s: count of %r is not %d" % (what, each, entry.count)
        for name in "untimed", "failed":
            if name in each and each[name] != getattr(entry, name):
                yield "%s: %s of %r is not %d" % (what, name, each, getattr(entry, name))
        if "bytes" in each and each["bytes"] != (entry.bytes if entry.sized else None):
            yield "%s: bytes of %r are not %d" % (what, each, entry.bytes)
        if ("total_ns" in each) != (entry.count > 0):
            yield "%s: times of %r" % (what, each)
        elif entry.count:
            yield from compare_times("%s %r" % (what, key), each, entry)


def activities_of(trace):
    for (api, kind, name, memories, device), entry in sums_of(trace, True).items():
        like = Like(kind, name, *memories, 0)
        text = (
            escape(method(trace, like, "classic"))
            if kind == KERNEL
            else direction(like) if kind == COPY else ""
        )
        yield {
            "api": APIS[api],
            "device": trace.devices[device].number,
            "device_name": escape(trace.devices[device].name),
            "kind": {KERNEL: "kernel", COPY: "copy", FILL: "fill"}[kind],
            "name": text,
        }, entry


def calls_of(trace):
    for (api, name), entry in sums_of_calls(trace).items():
        yield {"api": APIS[api], "name": escape(trace.text(name))}, entry


def ranges_of(trace):
    """The sums of ranges by name, the number of those without an end, and whether it is clear which
    end is of which start."""
    marks, ends, sums = (
        trace.events["mark"],
        collections.defaultdict(list),
        collections.defaultdict(Sum),
    )
    for mark in marks:
        if mark.flags & 3 == 2:
            ends[mark.id].append(mark.time)
    starts = [mark for mark in marks if mark.flags & 1]
    is_clear = len({mark.id for mark in starts}) == len(starts) and all(
        len(moments) == 1 for moments in ends.values()
    )
    unfinished = 0
    for mark in starts:
        if ends[mark.id]:
            sums[mark.name].add(duration(mark.time, ends[mark.id][0]))
        else:
            unfinished += 1
    return (
        [({"name": escape(trace.text(name))}, entry) for name, entry in sums.items()],
        unfinished,
        is_clear,
    )


def memory_of(trace):
    """The most bytes in use, and the number and the bytes of allocations that were not released."""
    moments = []
    for number, event in enumerate(trace.events["allocation"]):
        moments.append((event.enter if event.flags & 1 else event.leave, number, event))
    there, peak, total = {}, 0, 0
    for _, _, event in sorted(moments):
        # In CUDA an address is of one allocation in all contexts, in OpenCL of one in its context.
        context = event.context if event.context < 1 << 16 else None
        key = (
            event.address,
            event.api,
            None if event.api else context,
            event.memory if event.memory < 8 else 0,
        )
        total -= there.pop(key, 0)
        if not event.flags & 1:
            there[key] = event.bytes
            total += event.bytes
        peak = max(peak, total)
    most = (1 << 63) - 1
    return min(peak, most), len(there), min(total, most)


def events_of(trace):
    starts = [event for event in trace.events["allocation"] if not event.flags & 1]
    waits = [event for event in trace.events["wait"] if event.kind != 2]
    overheads = [event for event in trace.events["overhead"] if event.kind in OWN_OVERHEADS]
    peak, left, left_bytes = memory_of(trace)
    return {
        "marks": sum(not mark.flags & 3 for mark in trace.events["mark"]),
        "allocations": len(starts),
        "allocated_bytes": add(*(event.bytes for event in starts)),
        "peak_bytes": peak,
        "left_allocations": left,
        "left_bytes": left_bytes,
        "waits": len(waits),
        "waiting_ns": add(*(duration(event.enter, event.leave) for event in waits)),
        "overheads": len(overheads),
        "overhead_ns": union(
            (event.enter, event.leave) for event in overheads if event.leave > event.enter
        ),
    }


def compare_span(trace, got):
    spans = [
        (record.started, record.started + duration(record.started, record.ended))
        for record in trace.records
        if record.known & TIMES
    ]
    span = max(end for _, end in spans) - min(start for start, _ in spans) if spans else None
    if got["span_ns"] != span:
        yield "span_ns is %r, not %r" % (got["span_ns"], span)
    idle = span - union(spans) if span is not None and not trace.gaps else None
    # A lower bound: exact if the starts are in order.
    if (idle is None) != (got["idle_ns"] is None) or (idle is not None and got["idle_ns"] > idle):
        yield "idle_ns is %r, not %r" % (got["idle_ns"], idle)
    if idle is not None and len(spans) <= 32 and got["idle_ns"] != idle:
        yield "idle_ns is %r, not %r" % (got["idle_ns"], idle)


def compare(trace, got):
    """Yields each difference between the object of a process and its trace."""
    if got["process"] != (trace.pid or None) or got["command"] != command_of(trace):
        yield "process %r, command %r, not %r" % (got["process"], got["command"], command_of(trace))
    for name, value in counts_of(trace).items():
        if got[name] != value or type(got[name]) is not type(value):
            yield "%s is %r, not %r" % (name, got[name], value)
    yield from compare_span(trace, got)
    yield from compare_list("activities", got["activities"], list(activities_of(trace)))
    yield from compare_list("calls", got["calls"], list(calls_of(trace)))
    ranges, unfinished, is_clear = ranges_of(trace)
    if is_clear:
        yield from compare_list("ranges", got["ranges"], ranges)
    events = dict(got["events"])
    missing_ends = events.pop("unfinished_ranges")
    if is_clear and missing_ends != unfinished:
        yield "unfinished_ranges is %r, not %d" % (missing_ends, unfinished)
    wanted = events_of(trace)
    if len(trace.events["overhead"]) > 32:
        events["overhead_ns"] = wanted["overhead_ns"]
    if events != wanted:
        yield "events: %r" % {
            name: (events.get(name), value)
            for name, value in wanted.items()
            if events.get(name) != value
        }


def compare_whole(traces, got):
    """Yields each difference between a file of several processes and the sums of their traces."""
    counts = [counts_of(trace) for trace in traces]
    for name in COUNTS:
        value = (
            any(each[name] for each in counts)
            if name == "cut_off"
            else sum(each[name] for each in counts) & MOST
        )
        if got[name] != value:
            yield "%s of all is %r, not %r" % (name, got[name], value)


def read(path):
    """The object in a file; a member that is there twice is an error."""

    def unique(pairs):
        if len(dict(pairs)) != len(pairs):
            raise ValueError("a member is there twice: %r" % pairs)
        return dict(pairs)

    with open(path, encoding="utf-8") as file:
        return json.load(file, object_pairs_hook=unique)
