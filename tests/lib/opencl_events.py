# SPDX-License-Identifier: MIT
"""opencl_events.py TRACE: one line for each allocation, queue and wait of the trace, in order of
their ends: the function that was called, and what tests/app/events.c says; then how many overheads
there are. A line that begins with "wrong" is an event that is not within a call of its thread, the
end of no memory or other than its beginning, a queue twice, or a record of no queue."""

import sys

sys.dont_write_bytecode = True  # the tests' folder may be somebody else's
import tracefile

FOR_QUEUE = 3  # a wait for all that is in it

trace = tracefile.Trace(sys.argv[1])
events, lines, there, queues = trace.events, [], {}, set()


def say(event, *words):
    """Prints the line of an event within a call."""
    # The innermost one: a callback calls inside another call.
    found = sorted(trace.around(event), key=lambda call: call.enter)[-1:]
    if len(found) != 1 or event.leave < event.enter:
        print("wrong time", event, found)
    lines.append((event.leave, trace.text(found[0].name) if found else "nobody", *words))


for event in sorted(events["allocation"], key=lambda one: one.enter if one.flags else one.leave):
    same = event[6:]  # all but when, and where
    if not event.flags:
        if event.address in there:
            print("wrong beginning: it is there already", event)
        there[event.address] = same
    elif there.pop(event.address, None) != same:
        print("wrong end", event)
    say(event, "gone" if event.flags else "made", event.memory, event.bytes)
    if (event.context, event.device) not in trace.contexts or event.api or event.name:
        print("wrong place", event)
for event in events["queue"]:
    place = (event.device, event.context, event.stream)
    if place in queues or event.api:
        print("wrong queue", event)
    queues.add(place)
    say(event, "queue", event.stream, event.flags, event.properties)
for event in events["wait"]:
    stream = -1 if event.stream == tracefile.ANY else event.stream
    if stream >= 0 and (event.device, event.context, stream) not in queues:
        print("wrong wait for a queue", event)
    if (event.kind == FOR_QUEUE) != (not event.event) or event.api:
        print("wrong wait", event)
    say(event, "wait", event.kind, stream)
if events["call"] and not trace.places <= queues:
    print("wrong streams", trace.places - queues)
for line in sorted(lines):
    print(*line[1:])
for event in events["overhead"]:
    if event.leave < event.enter or not 1 <= event.kind <= 4 or event.stopped != event.thread:
        print("wrong overhead", event)
print("left", len(there), "overheads", len(events["overhead"]))
