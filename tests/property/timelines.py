# SPDX-License-Identifier: MIT
"""The events that a timeline has to have of a trace: those of tests/views/timeline.py."""

import timeline
from reference import MOST


def is_clear(trace):
    """Whether the timeline shows the whole trace, and it is clear which record a call made."""
    if trace.damaged is not None or trace.cut or not trace.has_process:
        return False
    records = [record.correlation for record in trace.records]
    return len(set(records)) == len(records) and trace.lost != MOST


def compare(trace, path, view):
    """Yields each difference between the timeline and the trace."""
    if is_clear(trace):
        yield from ("timeline: " + problem for problem in timeline.differences(path, view)[0])
