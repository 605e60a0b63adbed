# SPDX-License-Identifier: MIT
"""uses.py TRACE [numbers]: the uses of memory in a trace, in its order, a line each as
tests/app/uses.c prints them; wrong ones begin with "wrong": of no allocation at that time, beyond
its end, at another time than the record, or with a stack besides the record's. With `numbers`, the
allocations have numbers from 1 in place of addresses."""

import sys

sys.dont_write_bytecode = True  # the tests' folder may be somebody else's
import tracefile

RECORDS = {tracefile.KERNEL: "kernel", tracefile.COPY: "copy", tracefile.FILL: "fill"}
ACCESS = {0: "none", 1: "read", 2: "write", 3: "read-write"}

trace = tracefile.Trace(sys.argv[1])
numbered = len(sys.argv) > 2
allocations = {}  # by address: [start, end, bytes, number]
for number, event in enumerate(one for one in trace.events["allocation"] if not one.flags & 1):
    allocations.setdefault(event.address, []).append([event.enter, 2**64, event.bytes, number + 1])
for event in trace.events["allocation"]:
    if event.flags & 1:
        for one in allocations.get(event.address, []):
            if one[0] <= event.leave < one[1] == 2**64:
                one[1] = event.leave
                break


def allocation_of(use):
    """Returns the allocation at the time of the use, or None."""
    for one in allocations.get(use.address, []):
        if one[0] <= use.enter <= one[1]:
            return one
    return None


for use in trace.events["use"]:
    record = trace.records.get(use.record)
    allocation = allocation_of(use)
    if not allocation and use.access:
        print("wrong: no allocation", use)
        continue
    if not use.access and (use.address or not use.record):
        print("wrong: no use", use)
    if use.access and use.offset + use.bytes > allocation[2]:
        print("wrong: beyond the end", use, allocation)
    if use.record and (not record or record.thread != use.thread or use.stack):
        print("wrong: record", use, record)
    # A probe's time is taken after that of the use.
    if record and not use.enter <= record.leave:
        print("wrong: time", use, record)
    address = allocation[3] if numbered and allocation else "%x" % use.address
    argument = -1 if use.argument == tracefile.ANY else use.argument
    print(RECORDS[record.kind] if record else "none", ACCESS.get(use.access, "wrong"), address,
          use.offset, use.bytes, argument, use.flags & 3)
