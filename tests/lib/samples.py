# SPDX-License-Identifier: MIT
"""samples.py TRACE PROGRAM: the samples of the CPU in the trace: their number, the CPU time in
milliseconds that they stand for, the number of threads, the part of the time, in percent, whose
innermost function of the program is spin_long, and the clocks of the last sample of each thread."""

import bisect
import os
import subprocess
import sys

sys.dont_write_bytecode = True  # the tests' folder may be somebody else's
import tracefile

PREFIX = "spin_"


def functions(program):
    """The functions of the program: start, end, name; by start."""
    output = subprocess.run(["nm", "-S", "--defined-only", program], check=True,
                            stdout=subprocess.PIPE, universal_newlines=True).stdout
    rows = [line.split() for line in output.splitlines()]
    return sorted((int(row[0], 16), int(row[0], 16) + int(row[1], 16), row[3])
                  for row in rows if len(row) == 4)


def function(table, offset):
    """The name of the function with this address."""
    at = bisect.bisect_right(table, (offset, 1 << 64, "")) - 1
    return table[at][2] if at >= 0 and table[at][0] <= offset < table[at][1] else ""


def innermost(trace, table, stack):
    """The innermost function of the program in the stack."""
    while stack:
        node = trace.stacks[stack]
        path = trace.modules.get(node.module, b"")
        if os.path.basename(path) == os.path.basename(sys.argv[2]).encode():
            name = function(table, node.offset - (not node.flags & 1))
            if name.startswith(PREFIX):
                return name
        stack = node.parent
    return ""


trace = tracefile.Trace(sys.argv[1])
table = functions(sys.argv[2])
samples = trace.events["sample"]
total = sum(sample.weight for sample in samples)
times = {}
for sample in samples:
    name = innermost(trace, table, sample.stack)
    times[name] = times.get(name, 0) + sample.weight
print(len(samples), total // 1000000, len({sample.thread for sample in samples}),
      round(100 * times.get("spin_long", 0) / total) if total else 0,
      *sorted({sample.thread: sample.clock for sample in samples}.values()))
