# SPDX-License-Identifier: MIT
"""decode.py FILE...: makes a text FILE.text of each, a database or a Perfetto trace: all of it and
in its own order. For tests/freeze/outputs."""

import os
import sqlite3
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "views"))
sys.dont_write_bytecode = True

from timeline_perfetto import fields

# The fields of a message that are messages themselves, by their path of field numbers.
ANNOTATION = {}
ANNOTATION.update({11: ANNOTATION, 12: ANNOTATION})
PACKET = {
    6: {1: {}},
    11: {4: ANNOTATION},
    12: {1: {}, 2: {}, 3: {}, 29: {}},
    59: {58: {}},
    60: {3: {}, 4: {}, 8: {}},
}


def perfetto(data, kinds, depth, to):
    for number, value in fields(data):
        if number in kinds and isinstance(value, bytes):
            print("%s%d:" % ("  " * depth, number), file=to)
            perfetto(value, kinds[number], depth + 1, to)
        else:
            print("%s%d: %r" % ("  " * depth, number, value), file=to)


def quoted(name):
    return '"%s"' % name.replace('"', '""')


def database(path, to):
    base = sqlite3.connect("file:%s?mode=ro" % path, uri=True)
    base.text_factory = bytes
    for pragma in "user_version", "application_id", "encoding":
        print(pragma, *base.execute("PRAGMA " + pragma).fetchone(), file=to)
    found = base.execute("SELECT type, name, sql FROM sqlite_master ORDER BY type, name").fetchall()
    for kind, name, sql in found:
        print(kind.decode(), name.decode(), (sql or b"").decode(), file=to)
    for kind, name, _ in found:
        if kind == b"table":
            for row in base.execute("SELECT * FROM %s" % quoted(name.decode())):
                print(name.decode(), *map(repr, row), file=to)


for path in sys.argv[1:]:
    with open(path + ".text", "w", encoding="utf-8", errors="backslashreplace") as text:
        if path.endswith(".pftrace"):
            perfetto(open(path, "rb").read(), {1: PACKET}, 0, text)
        else:
            database(path, text)
