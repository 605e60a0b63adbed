# SPDX-License-Identifier: MIT
# Usage: gpu_rows.py [--known] CSV CSV
# Prints the rows of two GPU traces that differ except in their times. With --known a value is
# compared only as known or unknown, for grid, block, registers, shared memory, size and stream, and
# only in rows that both have.
import csv
import sys

TIMES, SHOWN, STREAM = 2, 12, 17


def rows(path, only_known):
    with open(path, errors="surrogateescape") as file:
        lines = [line for line in file if not line.startswith("=")]
    table = {row[-1]: row[TIMES:-1] for row in list(csv.reader(lines))[2:]}
    if only_known:
        table = {key: [bool(value) for value in row[:SHOWN - TIMES] + [row[STREAM - TIMES]]]
                 for key, row in table.items()}
    return table


words = sys.argv[1:]
known = words[0] == "--known"
one, other = (rows(path, known) for path in words[known:])
if not one:
    print("there is no row")
for key in sorted(one.keys() & other.keys() if known else one.keys() | other.keys()):
    if one.get(key) != other.get(key):
        print(key, one.get(key), other.get(key))
