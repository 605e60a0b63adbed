# SPDX-License-Identifier: MIT
"""calls.py TRACE: one line for each call of the trace, in order of entering: the function, what it
returned, and the kind of what it made (7 kernel, 8 copy, 9 fill, - nothing). A record that no call
or more than one has made, or a call around nothing of its record's time, is a line that begins with
"wrong"."""

import sys

sys.dont_write_bytecode = True  # the tests' folder may be somebody else's
import tracefile

trace = tracefile.Trace(sys.argv[1])
records, made_by = trace.records, {}
for call in sorted(trace.events["call"], key=lambda call: call.enter):
    name, first = trace.text(call.name), records.get(call.made)
    print(name, call.result, first.kind if first else "-")
    if call.correlation in records or call.leave < call.enter or (not call.made) != (
        not call.records
    ):
        print("wrong call", name)
    for other in range(call.made, call.made + call.records):
        made_by[other] = made_by.get(other, 0) + 1
        record = records.get(other)
        if not (
            record
            and record.thread == call.thread
            and call.enter <= record.enter
            and record.leave <= call.leave
        ):
            print("wrong record of", name)
for correlation in records:
    if made_by.get(correlation) != 1:
        print("wrong record", correlation, made_by.get(correlation))
