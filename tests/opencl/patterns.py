# SPDX-License-Identifier: MIT
"""patterns.py JSON [TEXT]: prints the patterns of values that the advice has, a line each, and
checks the text in GVProf's grammar against them."""

import json
import re
import sys

WORDS = {"zeros": "Redundant Zeros", "single_value": "Single Value",
         "frequent_value": "Dense Value", "narrow": "Type Overuse",
         "integers": "Inappropriate Float Type", "linear": "Structured"}

flow = json.load(open(sys.argv[1]))["processes"][0]["flow"]
names = {node["node"]: node["name"] for node in flow["nodes"]}
wanted = []


def words(patterns, without=()):
    """Returns the patterns as words."""
    return " ".join(word for word in patterns if word not in without)


def several(least, most):
    """Returns a number of all contents as text."""
    return str(most) if least == most else "%d-%d" % (least, most)


def block(pattern, part, has_more):
    """Remembers what a block of the text has."""
    wanted.append((str(pattern["object"]), several(pattern["elements_min"], pattern["elements"]),
                   ("more than " if has_more else "")
                   + several(part["distinct_min"], part["distinct"]),
                   tuple(sorted(WORDS[word] for word in part["patterns"])) or ("No Pattern",),
                   tuple(several(top["count_min"], top["count"]) for top in part["top"])
                   + ("differs",) * part["top_differs"]))


for pattern in flow["patterns"]:
    narrow = [str(pattern["narrow"][key] or "") for key in
              ("signed_bits", "unsigned_bits", "shifted_bits")]
    narrow = [bits for bits in narrow if bits]
    line = pattern["line"]
    approximate = pattern["approximate"]
    more = words(approximate["patterns"], pattern["patterns"]) if approximate else ""
    print(names[pattern["node"]], pattern["when"], pattern["type"]
          + ("?" if pattern["type_assumed"] else ""),
          several(pattern["elements_min"], pattern["elements"]),
          several(pattern["distinct_min"], pattern["distinct"])
          + ("+" if pattern["more_distinct"] else ""),
          "x%d:" % pattern["contents"], words(pattern["patterns"])
          + ("; narrow to " + ",".join(narrow) if narrow else "")
          + ("; line %.6g %.6g" % (line["slope"], line["start"]) if line else "")
          + ("; approximately " + more if more else "")
          + ("; %s in %s" % (pattern["top"][0]["value"],
                             several(pattern["top"][0]["count_min"], pattern["top"][0]["count"]))
             if pattern["top"] else "; differs" if pattern["top_differs"] else ""))
    if pattern["accesses"] is not None:
        print("wrong: accesses", pattern)
    block(pattern, pattern, pattern["more_distinct"])
    if more:
        block(pattern, approximate, approximate["more_distinct"])

if len(sys.argv) > 2:
    text = open(sys.argv[2]).read()
    found = []
    for part in re.split(r"^array id: ", text, flags=re.M)[1:]:
        array = part[:part.index(",")]
        counts = dict(re.findall(r"^(\w.*count): (.*)$", part, re.M))
        if counts["total access count"] != "unknown" or \
                counts["unqiue item access count"] != "unknown":
            print("wrong: counts of accesses", counts)
        top = part.partition("TOP unqiue value\tcount\n")[2].partition("\n\n")[0]
        found.append((array, counts["unique item count"], counts["unqiue item value count"],
                      tuple(sorted(re.findall(r"^ \* ([A-Z][A-Za-z ]*)\t", part, re.M))),
                      tuple(line.split("\t")[1] for line in top.splitlines())))
    if sorted(found) != sorted(wanted):
        print("wrong text", set(found) ^ set(wanted))
    kernels = [int(number) for number in re.findall(r"^kernel id: (\d+)$", text, re.M)]
    if kernels != sorted({pattern["node"] for pattern in flow["patterns"]}):
        print("wrong kernels", kernels)
