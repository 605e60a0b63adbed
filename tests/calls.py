# SPDX-License-Identifier: MIT
"""calls.py TRACE: one line for each call of the trace, in order of entering: the function, what it
returned, and the kind of what it made (7 kernel, 8 copy, 9 fill, - nothing). A record that no call
or more than one has made, or a call around nothing of its record's time, is a line that begins with
"wrong". An own reader: doc/FORMAT is all it knows."""

import struct
import sys

PROCESS_HEADER, FRAME, CALL = 24, struct.Struct("<IHHQII"), struct.Struct("<QQQiIHHI")
NAME, KERNEL, COPY, FILL, CALLED = 3, 7, 8, 9, 14

names, records, calls = {}, {}, []
data = open(sys.argv[1], "rb").read()
at = PROCESS_HEADER
while at < len(data):
    size, kind, flags, correlation, thread, _ = FRAME.unpack_from(data, at)
    body = at + FRAME.size
    if kind == NAME:
        number, length = struct.unpack_from("<II", data, body)
        names[number] = data[body + 8 : body + 8 + length].decode()
    elif kind in (KERNEL, COPY, FILL):
        records[correlation] = (kind, thread, *struct.unpack_from("<QQ", data, body))
    elif kind == CALLED:
        calls.append((thread, correlation, *CALL.unpack_from(data, body)))
    at += size

made_by = {}
for thread, correlation, enter, leave, made, result, name, api, count, number in sorted(
    calls, key=lambda call: call[2]
):
    record = records.get(made)
    print(names[name], result, record[0] if record else "-")
    if correlation in records or leave < enter or (not made) != (not count):
        print("wrong call", names[name])
    for other in range(made, made + count):
        made_by[other] = made_by.get(other, 0) + 1
        record = records.get(other)
        if not (record and record[1] == thread and enter <= record[2] and record[3] <= leave):
            print("wrong record of", names[name])
for correlation, record in records.items():
    if made_by.get(correlation) != 1:
        print("wrong record", correlation, made_by.get(correlation))
