# SPDX-License-Identifier: MIT
"""flow.py JSON DOT: checks the data flow of `flow graph`, recorded with call stacks, in both files;
prints the numbers of nodes and edges, and how much was written that was there before."""

import json
import re
import sys

FIXED = 1 << 30  # GVProf's nodes of memory that is not of the device: five, HOST is the fourth

flow = json.load(open(sys.argv[1]))["processes"][0]["flow"]
text = open(sys.argv[2]).read()
nodes = {int(number): (kind, int(count)) for number, kind, count in
         re.findall(r'^(\d+) \[node_id=\1, node_type=(\w+), duplicate="[^"]*", count=(\d+), '
                    r'context="[^"]*"\];$', text, re.M)}
edges = re.findall(r"^(\d+) -> (\d+) \[edge_type=(\w+), memory_node_id=(\d+), overwrite=([\d.]+), "
                   r"redundancy=([\d.]+), count=(\d+)\];$", text, re.M)


def number(node):
    """The number in the graph for one of the JSON."""
    return node or FIXED + 3


KINDS = {"allocation": "MEMORY", "kernel": "KERNEL", "copy": "MEMCPY", "fill": "MEMSET",
         "host": "HOST"}
for node in flow["nodes"]:
    if nodes.get(number(node["node"])) != (KINDS[node["kind"]], node["count"]):
        print("wrong node", node, nodes.get(number(node["node"])))
wanted = set()
for edge in flow["edges"]:
    share = edge["same_bytes"] / edge["compared_bytes"] if edge["kind"] == "write" else 0
    wanted.add((str(number(edge["from"])), str(number(edge["to"])), edge["kind"].upper(),
                str(number(edge["memory"])), "%.9f" % (edge["bytes"] / edge["object_bytes"]),
                "%.9f" % share, str(edge["object_bytes"])))
if wanted != set(edges):
    print("wrong edges", sorted(wanted ^ set(edges)))
names = {node["node"]: node["name"] for node in flow["nodes"]}
nothing_new = [edge for edge in flow["edges"]
               if edge["kind"] == "write" and edge["same_bytes"] == edge["compared_bytes"]]
print("%d nodes, %d edges, nothing new by: %s" % (
    len(nodes), len(edges), ", ".join(sorted(names[edge["to"]] for edge in nothing_new))))
