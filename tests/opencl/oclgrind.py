# SPDX-License-Identifier: MIT
"""Compares what the kernels of a program have loaded and stored by source line: as Oclgrind has
counted it, and as --values lines has. Prints differences, and at the end "equal N kernels".

oclgrind.py COUNTS ADVICE.json"""
import collections
import json
import sys


def read_theirs(path):
    """Returns the counts of (file, kernel, line), and the launches of (file, kernel)."""
    lines, launches = collections.defaultdict(lambda: [0] * 4), collections.Counter()
    with open(path, encoding="utf-8") as rows:
        for row in rows:
            kind, file, kernel, *numbers = row.split()
            numbers = [int(number) for number in numbers]
            if kind == "launches":
                launches[file, kernel] += numbers[0]
            else:
                for i, number in enumerate(numbers[1:]):
                    lines[file, kernel, numbers[0]][i] += number
    return lines, launches


def read_ours(path):
    """Returns the counts of (file, kernel, line), the launches of kernels, and those of which not
    all launches were counted, with the reason."""
    lines, launches, left_out = collections.defaultdict(lambda: [0] * 4), collections.Counter(), {}
    with open(path, encoding="utf-8") as text:
        for process in json.load(text)["processes"]:
            found = process["lines"] or {"lines": [], "kernels": [], "not_counted": []}
            for row in found["lines"]:
                counts = lines[row["file"], row["kernel"], row["line"]]
                for i, name in enumerate(("loads", "stores", "zeros", "silent")):
                    counts[i] += row[name]
            for row in found["kernels"]:
                launches[row["kernel"]] += row["launches"]
            for row in found["not_counted"]:
                left_out[row["kernel"]] = row["reason"]
    return lines, launches, left_out


def main():
    theirs, their_launches = read_theirs(sys.argv[1])
    ours, our_launches, left_out = read_ours(sys.argv[2])
    equal = 0

    for name in sorted({name for _, name in their_launches}):
        if name in left_out:
            continue
        wanted = sum(count for (_, kernel), count in their_launches.items() if kernel == name)
        if our_launches[name] != wanted:
            print(f"{name}: {our_launches[name]} launches of {wanted} are counted")
    for kernel in sorted(their_launches):
        if kernel[1] in left_out:
            continue
        keys = sorted(key for key in set(theirs) | set(ours) if key[:2] == kernel)
        different = [key for key in keys if theirs.get(key) != ours.get(key)]
        for key in different:
            print(*key, "Oclgrind:", theirs.get(key), "here:", ours.get(key))
        equal += bool(keys) and not different
    print(f"equal {equal} kernels")


main()
