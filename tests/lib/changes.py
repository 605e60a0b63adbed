# SPDX-License-Identifier: MIT
"""changes.py TRACE [reasons]: what the writes in a trace have changed, in its order, a line each as
tests/app/flow.c prints them. With `reasons`, instead the number of those that were not compared, by
reason. A wrong one begins with "wrong": it follows no use, or its numbers cannot be."""

import collections
import sys

sys.dont_write_bytecode = True  # the tests' folder may be somebody else's
import tracefile

REASONS = ("compared", "large", "memory", "time", "pending", "kind", "unreadable", "failed", "lost",
           "skipped")

trace = tracefile.Trace(sys.argv[1])
uses = {use.correlation: use for use in trace.events["use"]}
sizes = collections.defaultdict(dict)  # by address: the bytes, by time
for event in trace.events["allocation"]:
    if not event.flags & 1:
        sizes[event.address][event.enter] = event.bytes
counts = collections.Counter()


def bytes_of(use):
    """Returns the bytes of the use's part."""
    if use.bytes:
        return use.bytes
    starts = [time for time in sizes[use.address] if time <= use.enter]
    return sizes[use.address][max(starts)] - use.offset if starts else 0


seen = set()
for change in trace.events["change"]:
    use = uses.get(change.use)
    counts[REASONS[change.reason]] += 1
    if not use or not use.access & 2 or change.use in seen or change.thread != use.thread:
        print("wrong", change)
        continue
    seen.add(change.use)
    if change.reason == 8 and len(sys.argv) == 2:
        print("lost")
    if change.reason:
        if change.same or change.changed or change.same_words or change.hash:
            print("wrong: numbers", change)
        continue
    count = bytes_of(use)
    if change.same + change.changed > count or 4 * change.same_words > change.same:
        print("wrong: sums", change)
    if len(sys.argv) == 2:
        print(count, change.same, change.same_words, change.changed)
if len(sys.argv) > 2:
    for reason, number in sorted(counts.items()):
        print(reason, number)
