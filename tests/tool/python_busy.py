# SPDX-License-Identifier: MIT
# Usage: python_busy.py [THREADS]: uses the CPU in two functions, three times as much in the first
# one; also in threads, after the main thread has used it for a while.
import os
import sys
import threading


def long_one():
    total = 0
    for i in range(300000):
        total += i & 7
    return total


def short_one():
    total = 0
    for i in range(100000):
        total += i & 7
    return total


class Worker:
    def work(self, rounds):
        for _ in range(rounds):
            long_one()
            short_one()


Worker().work(50)
threads = [threading.Thread(target=Worker().work, args=(50,)) for _ in range(int(*sys.argv[1:]))]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
perf_map = "/tmp/perf-%d.map" % os.getpid()  # of -X perf
if os.path.exists(perf_map):
    os.remove(perf_map)
