# SPDX-License-Identifier: MIT
# Usage: python_busy.py [THREADS]: uses the CPU in two functions, three times as much in the first
# one; also in threads, after the main thread has used it for a while. Prints the percentage of that
# time that the threads had: they wait for the interpreter's lock, too.
import os
import sys
import threading
import time


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
    used = 0

    def work(self, rounds):
        begin = time.thread_time()
        for _ in range(rounds):
            long_one()
            short_one()
        self.used = time.thread_time() - begin


main = Worker()
main.work(50)
workers = [Worker() for _ in range(int(*sys.argv[1:]))]
threads = [threading.Thread(target=worker.work, args=(50,)) for worker in workers]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
used = sum(worker.used for worker in workers)
print("%.0f" % (100 * used / (used + main.used)))
perf_map = "/tmp/perf-%d.map" % os.getpid()  # of -X perf
if os.path.exists(perf_map):
    os.remove(perf_map)
