#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""stages.py COUNT: user-space instructions per command of the load `burst`, by where they are:
without the library, by a program that asks for the times itself, and with a log. All threads are
counted. Two counts are run, so that the start of the process cancels out. Needs valgrind."""

import collections
import os
import re
import subprocess
import sys
import tempfile

BUILD = os.environ["builddir"]
LIBRARY = os.environ["COMPUTEPROF_LIBRARY"]
LOAD = os.path.join(BUILD, "tests/bench/load")
FEW = 1000

# Files of the library by what they do for a record; the first one that fits.
STAGES = [
    ("the call, in the program's thread", r"/backend/opencl/(launch|command|kernel|queue|object|"
     r"commandbuffer|callscope|dispatch)|/session/probe|/base/(ring\.c|handles)|/session/thread"),
    ("the end of a command: querying the driver", r"/backend/opencl/"),
    ("the writer: from the rings, in order", r"/session/(merge|pending|round)|/base/ring|/model/"),
    ("the row's text", r"/output/|/base/(number|strbuf|text)"),
    ("files and the rest of the library", r""),
]


def run(folder, flags, count, profiled):
    """Returns the instructions by file and by object."""
    variables = dict(os.environ, POCL_MAX_PTHREAD_COUNT="1")
    variables.pop("COMPUTE_PROFILE", None)
    if profiled:
        variables.update(COMPUTE_PROFILE="1", LD_PRELOAD=LIBRARY,
                         COMPUTE_PROFILE_LOG=os.path.join(folder, "log"))
    counted = os.path.join(folder, "counted")
    words = ["valgrind", "--tool=callgrind", "--callgrind-out-file=" + counted, LOAD]
    subprocess.run(words + flags + ["burst", str(count)], env=variables, check=True,
                   capture_output=True)
    text = subprocess.run(["callgrind_annotate", "--threshold=100", "--auto=no", counted],
                          check=True, capture_output=True, text=True).stdout
    found = collections.Counter()
    for line in text.splitlines():
        match = re.match(r"\s*([\d,]+) \([^)]*\)\s+(\S+):.*?(?: \[(.*)\])?$", line)
        if not match:
            continue
        instructions, path, binary = match.groups()
        # Lines of inlined functions have no object; other objects have no paths.
        ours = profiled and ("libcomputeprof" in (binary or "") or "src/" in path and not binary)
        name = path if ours else os.path.basename(binary or "?")
        found[(bool(ours), name)] += int(instructions.replace(",", ""))
    return found


def per_command(folder, flags, count, profiled):
    """Returns them for each command."""
    few = run(folder, flags, FEW, profiled)
    many = run(folder, flags, FEW + count, profiled)
    return {key: (many[key] - few[key]) / count for key in many}


def main():
    if len(sys.argv) != 2 or not sys.argv[1].isdigit():
        sys.exit("usage: stages.py COUNT")
    count = int(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        # The driver compiles the kernel in the first run, and keeps it.
        subprocess.run([LOAD, "burst", str(FEW)], check=True, capture_output=True)
        ways = {"native": per_command(folder, [], count, False),
                "by itself": per_command(folder, ["-e"], count, False),
                "log": per_command(folder, [], count, True)}
    print("burst, instructions per command, and those more than native:")
    native = sum(ways["native"].values())
    for name, found in ways.items():
        total = sum(found.values())
        print("    %-45s %7.0f %+8.0f" % (name, total, total - native))
    stages = collections.Counter()
    for (ours, path), instructions in ways["log"].items():
        if ours:
            stages[next(name for name, files in STAGES if re.search(files, path))] += instructions
    print("of the log:")
    for name, _ in STAGES:
        print("    %-45s %16.0f" % (name, stages[name]))
    others = sum(value for (ours, _), value in ways["log"].items() if not ours)
    print("    %-45s %16.0f" % ("the driver and the C library", others - native))


if __name__ == "__main__":
    main()
