/* SPDX-License-Identifier: MIT */
#include "parts.h"

#include <stddef.h>
#include <string.h>

#include "part_control.h"
#include "part_copy.h"
#include "part_exit.h"
#include "part_launch.h"
#include "part_start.h"
#include "rows.h"

/* clang-format off */
const struct part parts[] = {
	/* how we get in */
	{.name = "T1.variable", .title = "the variable may be set before main begins",
	 .flags = PART_WITNESS | PART_ARMED, .work = start_one, .check = check_witness},
	{.name = "T1.linked", .title = "and even if the program is linked with the driver",
	 .flags = PART_WITNESS | PART_ARMED | PART_LINKED, .work = start_one,
	 .check = check_witness},
	{.name = "T1.opened", .title = "a program that opens the driver is profiled",
	 .work = start_one, .check = rows_check},
	{.name = "T1.needed", .title = "a program that is linked with the driver is profiled",
	 .flags = PART_LINKED, .work = start_one, .check = rows_check},
	{.name = "T1.tool", .title = "and one that the tool started",
	 .flags = PART_TOOL, .work = start_one, .check = rows_check},
	{.name = "T2.injection",
	 .title = "each process is injected once, on the thread of cuInit, and no forked child",
	 .flags = PART_WITNESS, .work = start_family, .check = check_witness},
	{.name = "T2.profiled", .title = "a child that is a new program has a log of its own",
	 .work = start_family, .check = rows_check},
	{.name = "T3.second", .title = "a second subscriber is told that there is one",
	 .work = start_subscribed, .check = check_subscribed},
	{.name = "T3.first", .title = "where there is a subscriber, the program runs on unharmed",
	 .flags = PART_SPEAKS, .work = start_refused, .check = check_refused},

	/* what a row says */
	{.name = "T4.launch", .title = "one launch is one row, with what was asked for",
	 .work = launch_one, .check = rows_check},
	{.name = "T5.gputime", .title = "gputime is what the kernel measured itself, or a bit more",
	 .work = launch_spin, .check = rows_check},
	{.name = "T6.cputime", .title = "calls have their own times",
	 .work = launch_calls, .check = rows_check},
	{.name = "T7.occupancy", .title = "occupancy is what the driver computes, on 200 points",
	 .work = launch_sweep, .check = rows_check},
	{.name = "T8.copies", .title = "copies have kind, direction, size and host memory",
	 .work = copy_kinds, .check = rows_check},
	{.name = "T8.names", .title = "and the names of later drivers",
	 .environment = "COMPUTE_PROFILE_DIALECT=cuda4",
	 .work = copy_kinds, .check = rows_check},
	{.name = "T8.managed", .title = "copies of managed memory have a size",
	 .work = copy_managed, .check = rows_check},
	{.name = "T8.peer", .title = "a copy between devices is one row",
	 .work = copy_peer, .check = rows_check},
	{.name = "T9.streams", .title = "streams keep their numbers, and the NULL stream is 1",
	 .work = copy_streams, .check = rows_check},
	{.name = "T10.graph", .title = "graphs have a row for each node, and one cputime a launch",
	 .work = copy_graph, .check = check_graph},

	/* what a program can say */
	{.name = "T11.windows", .title = "only what is between cuProfilerStart and Stop is logged",
	 .config = "enableonstart 0\n", .work = control_windows, .check = rows_check},
	{.name = "T12.initialize", .title = "cuProfilerInitialize says what is logged, and where",
	 .flags = PART_SPEAKS, .work = control_initialize, .check = check_initialize},

	/* how it ends */
#define DOOR(door, what, more) \
	{.name = "T13." door, .title = what ": all rows are there", .flags = more, \
	 .work = exit_door, .check = rows_check}
	DOOR("return", "the end of main", 0),
	DOOR("exit", "exit", 0),
	DOOR("_exit", "_exit", 0),
	DOOR("quick_exit", "quick_exit", 0),
	DOOR("abort", "abort", PART_RECOVER),
	DOOR("terminate", "SIGTERM", PART_RECOVER),
	DOOR("kill", "SIGKILL", PART_RECOVER),
	DOOR("exec", "another program", 0),
	DOOR("thread", "a thread that does not end", 0),
	DOOR("destroy", "cuCtxDestroy", 0),
	DOOR("reset", "cuDevicePrimaryCtxReset", 0),
	DOOR("unload", "cuModuleUnload", 0),
	DOOR("plugin", "dlclose of what used CUDA", 0),
	{.name = "T14.fork", .title = "a forked child ends as it would alone",
	 .work = exit_fork, .check = rows_check},
	{.name = "T14.exec", .title = "a child that uses CUDA itself has a log of its own",
	 .work = exit_exec, .check = rows_check},

	/* counters */
	{.name = "T15.counters", .title = "counters count what a kernel does",
	 .skip = "no counters yet"},
	{.name = "T16.order", .title = "counters stand in the rows of their launches",
	 .skip = "no counters yet"},
	{.name = "T17.privilege", .title = "who may not read counters is told why",
	 .skip = "no counters yet"},

	/* how much it bears */
	{.name = "T18.many", .title = "launches are all logged, or said to be lost",
	 .flags = PART_SPEAKS | PART_LONG | PART_FEW, .work = launch_many, .check = check_many},
	{.name = "T19.threads", .title = "eight threads in four contexts",
	 .work = launch_threads, .check = check_threads},
	{.name = "T20.torch", .title = "PyTorch trains, and has no second libcupti",
	 .flags = PART_SPEAKS | PART_LONG | PART_SEARCH, .work = start_torch, .check = check_torch},
	{.name = NULL},
};
/* clang-format on */

const struct part *parts_find(const char *name)
{
	for (const struct part *part = parts; part->name; part++) {
		if (!strcmp(part->name, name))
			return part;
	}
	return NULL;
}
