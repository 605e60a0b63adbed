# SPDX-License-Identifier: MIT
"""events.py TRACE: one line for each wait, queue, allocation and overhead of the trace, in order of
beginning: what it is, and its fields, but for times and addresses. One that ends before it begins,
that has no call of its thread around it, or memory that is freed and was not allocated, is a line
that begins with "wrong". The profiler's own overheads, which are in no call, have no line."""

import sys

sys.dont_write_bytecode = True  # the tests' folder may be somebody else's
import tracefile

OWN = (2, 3, 4)  # flush, instrumentation, resource


def text(number):
    return "any" if number == tracefile.ANY else number


def show(what, event):
    device = text(getattr(event, "device", tracefile.ANY))
    if what == "wait":
        stream = text(event.stream)
        print("wait", event.kind, "event", int(event.event > 0), "device", device, "stream", stream)
    elif what == "queue":
        print("queue", event.flags, "priority", event.priority, "device", device,
              "stream", event.stream)
    elif what == "overhead":
        print("overhead", event.kind, "of its thread", int(event.stopped == event.thread))
    elif event.flags & 1:
        print("freed", event.memory, event.bytes, "device", device)
    else:
        print("allocated", event.memory, event.bytes, "device", device)


def check_releases(allocations):
    """Calls of several threads overlap, so their beginnings say little about the order in which the
    driver served them: it has freed an address after the call for that began, and has given it out
    anew before the call for that ended."""
    allocated = {}
    for event in sorted(
        allocations, key=lambda event: event.enter if event.flags & 1 else event.leave
    ):
        if not event.flags & 1:
            allocated[event.address] = event.bytes
        elif allocated.pop(event.address, None) != event.bytes:
            print("wrong release of", event.bytes)


trace = tracefile.Trace(sys.argv[1])
for what, event in sorted(
    ((kind, event) for kind in ("wait", "queue", "allocation", "overhead")
     for event in trace.events[kind]),
    key=lambda found: (found[1].enter, found[1].leave),
):
    own = what == "overhead" and event.kind in OWN
    if event.leave < event.enter or not (own or trace.around(event)):
        print("wrong time", what, event.thread)
    if not own:
        show(what, event)
check_releases(trace.events["allocation"])
