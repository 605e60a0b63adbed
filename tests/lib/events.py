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


def show(what, event, there):
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
        if there.pop(event.address, None) != event.bytes:
            print("wrong release of", event.bytes)
    else:
        print("allocated", event.memory, event.bytes, "device", device)
        there[event.address] = event.bytes


trace, there = tracefile.Trace(sys.argv[1]), {}
for what, event in sorted(
    ((kind, event) for kind in ("wait", "queue", "allocation", "overhead")
     for event in trace.events[kind]),
    key=lambda found: (found[1].enter, found[1].leave),
):
    own = what == "overhead" and event.kind in OWN
    if event.leave < event.enter or not (own or trace.around(event)):
        print("wrong time", what, event.thread)
    if not own:
        show(what, event, there)
