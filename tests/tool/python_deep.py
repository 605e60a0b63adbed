# SPDX-License-Identifier: MIT
"""python_deep.py: uses the CPU in a function that has called itself 10000 times."""

import sys
import time


def deep(left):
    if left:
        return deep(left - 1)
    end = time.process_time() + 0.3
    while time.process_time() < end:
        for number in range(10000):
            left += number
    return left


sys.setrecursionlimit(20000)
deep(10000)
