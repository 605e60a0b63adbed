# SPDX-License-Identifier: MIT
"""ours.py FILE: of what callgrind has counted, the instructions that are the profiler's: its own,
and those of the C library's functions that it calls; but not what else the program, the driver and
CUPTI did. Then the same for each of its functions, the dearest first."""

import collections
import re
import sys

OURS, THEIRS = "/libcomputeprof.so", ("/libcupti.so", "/libcuda.so")
NAME = re.compile(r"(c?)(ob|fn|fi|fe|fl)=\((\d+)\)(?: (.*))?$")


def count(lines):
    """Counts the profiler's instructions by function."""
    found, names, now = collections.Counter(), {}, {}
    target, called = None, False
    for line in lines:
        name = NAME.match(line)
        if name:
            kind = "file" if name[2] in ("fi", "fe", "fl") else name[2]
            if name[4]:
                names[kind, name[3]] = name[4]
            if name[2] in ("ob", "fn"):
                now[name[1] + name[2]] = names[kind, name[3]]
        elif line.startswith("calls="):
            # A function without a library name is in the same library as its caller.
            target, called = now.pop("cob", now.get("ob", "")), True
        elif line[:1] in "+-*" or line[:1].isdigit():
            ours = OURS in now.get("ob", "")
            if ours and not (called and (OURS in target or any(one in target for one in THEIRS))):
                found[now["fn"]] += int(line.split()[1])
            called = False
    return found


def main():
    """Prints a sum and its parts."""
    with open(sys.argv[1], encoding="utf-8", errors="replace") as file:
        found = count(line.rstrip("\n") for line in file if line != "\n")
    print(sum(found.values()))
    for name, instructions in found.most_common():
        print(instructions, name)


main()
