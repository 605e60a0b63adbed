/* SPDX-License-Identifier: MIT */
#include "parts.h"

#include <stddef.h>
#include <string.h>

#include "part_control.h"
#include "part_copy.h"
#include "part_cost.h"
#include "part_counters.h"
#include "part_exit.h"
#include "part_graph.h"
#include "part_launch.h"
#include "part_question.h"
#include "part_start.h"
#include "rows.h"

/* Counters of all multiprocessors. MANY need several passes on any device. */
#define ALL_OF(counters) "countermodeaggregate\n" counters
#define LAUNCHED	 ALL_OF("sm_cta_launched\nwarps_launched\n")
#define MANY                                                                                       \
	"local_load\nlocal_store\ngld_request\ngst_request\nbranch\ninstructions\n"                \
	"warp_serialize\ntex_cache_hit\ntex_cache_miss\nshared_load\nshared_store\ninst_issued\n"  \
	"inst_executed\nthreads_launched\nl1_global_load_hit\nl1_global_load_miss\n"               \
	"l1_local_load_hit\nl1_local_load_miss\nl1_local_store_hit\nl1_local_store_miss\n"         \
	"active_cycles\nactive_warps\nl1_shared_bank_conflict\n"

/* clang-format off */
const struct part parts[] = {
	/* injection */
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
	{.name = "T3.second", .title = "a second subscriber gets an error",
	 .work = start_subscribed, .check = check_subscribed},
	{.name = "T3.first", .title = "where there is a subscriber, the program runs on unharmed",
	 .flags = PART_SPEAKS, .work = start_refused, .check = check_refused},

	/* contents of a row */
	{.name = "T4.launch", .title = "one launch is one row, with the requested values",
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

	/* control by the program */
	{.name = "T11.windows", .title = "only what is between cuProfilerStart and Stop is logged",
	 .config = "enableonstart 0\n", .work = control_windows, .check = rows_check},
	{.name = "T12.initialize", .title = "cuProfilerInitialize says what is logged, and where",
	 .flags = PART_SPEAKS, .work = control_initialize, .check = check_initialize},

	/* ends */
#define ENTRY_POINT(door, what, more) \
	{.name = "T13." door, .title = what ": all rows are there", .flags = more, \
	 .work = exit_door, .check = rows_check}
	ENTRY_POINT("return", "the end of main", 0),
	ENTRY_POINT("exit", "exit", 0),
	ENTRY_POINT("_exit", "_exit", 0),
	ENTRY_POINT("quick_exit", "quick_exit", 0),
	ENTRY_POINT("abort", "abort", PART_RECOVER),
	ENTRY_POINT("terminate", "SIGTERM", PART_RECOVER),
	ENTRY_POINT("kill", "SIGKILL", PART_RECOVER),
	ENTRY_POINT("exec", "another program", 0),
	ENTRY_POINT("thread", "a thread that does not end", 0),
	ENTRY_POINT("destroy", "cuCtxDestroy", 0),
	ENTRY_POINT("reset", "cuDevicePrimaryCtxReset", 0),
	ENTRY_POINT("unload", "cuModuleUnload", 0),
	ENTRY_POINT("plugin", "dlclose of what used CUDA", 0),
	{.name = "T14.fork", .title = "a forked child ends as it would alone",
	 .work = exit_fork, .check = rows_check},
	{.name = "T14.exec", .title = "a child that uses CUDA itself has a log of its own",
	 .work = exit_exec, .check = rows_check},

	/* counters */
	{.name = "T15.launched", .title = "blocks and warps are those that were launched",
	 .config = LAUNCHED, .work = counters_shapes, .check = rows_check},
	{.name = "T15.threads", .title = "and threads",
	 .config = ALL_OF("threads_launched\n"), .work = counters_threads, .check = rows_check},
	{.name = "T15.instructions", .title = "instructions are in proportion to warps and rounds",
	 .config = ALL_OF("inst_executed\n"), .work = counters_instructions,
	 .check = rows_check},
	{.name = "T15.requests", .title = "each warp's global loads and stores",
	 .config = ALL_OF("gld_request\ngst_request\n"), .work = counters_requests,
	 .check = rows_check},
	{.name = "T15.sectors", .title = "and the sectors that they move",
	 .config = ALL_OF("gld_transactions\ngst_transactions\n"), .work = counters_sectors,
	 .check = rows_check},
	{.name = "T15.shared", .title = "each warp's loads and stores of shared memory",
	 .config = ALL_OF("shared_load\nshared_store\n"), .work = counters_shared,
	 .check = rows_check},
	{.name = "T15.kinds", .title = "a ratio, a metric as it stands and one of the user's own",
	 .config = ALL_OF("gld_transactions_per_request\nsmsp__warps_launched.sum\n"
			  "loaded_bytes\n[counter loaded_bytes]\n"
			  "metric = l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum * 32\n"),
	 .work = counters_kinds, .check = rows_check},
	{.name = "T15.one", .title = "of one multiprocessor, there are no more than of all",
	 .config = "sm_cta_launched\nwarps_launched\n", .work = counters_one,
	 .check = rows_check},
	{.name = "T15.passes", .title = "a kernel that ran several times has had its effect once",
	 .config = ALL_OF("warps_launched\n" MANY), .work = counters_memory,
	 .check = rows_check},
	{.name = "T15.patched", .title = "and so has one whose code was changed to count",
	 .config = ALL_OF("warps_launched\ndivergent_branch\n"), .work = counters_memory,
	 .check = rows_check},
	{.name = "T16.order", .title = "200 rows have their own counters",
	 .config = LAUNCHED, .work = order_one, .check = rows_check},
	{.name = "T16.pauses", .title = "in a program that takes its time, too",
	 .config = LAUNCHED, .work = order_pauses, .check = rows_check},
	{.name = "T16.contexts", .title = "those of contexts by turns",
	 .config = LAUNCHED, .work = order_contexts, .check = rows_check},
	{.name = "T16.threads", .title = "and of two threads",
	 .config = LAUNCHED, .work = order_threads, .check = check_own},
	{.name = "T16.graph", .title = "kernels of graphs have their own, or none",
	 .config = LAUNCHED, .flags = PART_SPEAKS, .work = order_graph,
	 .check = check_own_or_said},
	{.name = "T16.windows", .title = "what is between cuProfilerStart and Stop has counters",
	 .config = LAUNCHED "enableonstart 0\n", .work = order_windows, .check = rows_check},
	{.name = "T16.initialize", .title = "cuProfilerInitialize may ask for other counters",
	 .config = LAUNCHED, .flags = PART_SPEAKS, .work = order_initialize,
	 .check = check_other_counters},
	{.name = "T17.privilege", .title = "a user who may not read counters gets the reason",
	 .config = LAUNCHED "gld_request\n", .flags = PART_SPEAKS | PART_PLAIN,
	 .work = refused_all, .check = check_refusal},
	{.name = "T17.name", .title = "a name that nobody knows costs only itself",
	 .config = ALL_OF("sm_cta_launched\nsmsp__no_such_thing.sum\nwarps_launched\n"),
	 .flags = PART_SPEAKS, .work = refused_one, .check = check_refusal},

	/* load */
	{.name = "T18.many", .title = "launches are all logged, or said to be lost",
	 .flags = PART_SPEAKS | PART_LONG | PART_FEW, .work = launch_many, .check = check_many},
	{.name = "T18.uncounted", .title = "1000 launches without counters",
	 .flags = PART_LONG | PART_FEW, .work = cost_launches, .check = check_cost},
	{.name = "T18.graph", .title = "100 launches of a graph of 100 kernels",
	 .flags = PART_LONG | PART_FEW, .work = cost_graph, .check = check_cost_graph},
	{.name = "T18.onepass", .title = "with counters that need one pass",
	 .config = LAUNCHED, .flags = PART_LONG | PART_FEW, .work = cost_launches,
	 .check = check_cost},
	{.name = "T18.passes", .title = "with counters that need several",
	 .config = LAUNCHED MANY, .flags = PART_LONG | PART_FEW, .work = cost_launches,
	 .check = check_cost},
	{.name = "T19.threads", .title = "eight threads in four contexts",
	 .work = launch_threads, .check = check_threads},
	{.name = "T20.torch", .title = "PyTorch trains, and has no second libcupti",
	 .flags = PART_SPEAKS | PART_LONG | PART_SEARCH, .work = start_torch, .check = check_torch},

	/* what only hardware answers, the most important first */
	{.name = "Q1.ranges", .title = "when are automatic ranges there?",
	 .flags = PART_ALONE, .work = ask_ranges, .check = answer_notes},
	{.name = "Q1.order", .title = "has each of 200 launches its counters?",
	 .config = LAUNCHED, .flags = PART_RECORDED | PART_SPEAKS | PART_HANGS,
	 .work = order_one, .check = answer_order},
	{.name = "Q2.register", .title = "another client registers buffers: who gets which?",
	 .flags = PART_SPEAKS, .work = question_register, .check = answer_register},
	{.name = "Q2.torch", .title = "PyTorch's own profiler: who gets which?",
	 .flags = PART_SPEAKS | PART_SEARCH | PART_HANGS, .work = question_torch,
	 .check = answer_torch},
	{.name = "Q3.kill", .title = "what is lost at a kill while launches never stop?",
	 .flags = PART_RECOVER | PART_SPEAKS, .work = question_kill, .check = answer_kill},
	{.name = "Q4.wait", .title = "counters, and kernels that wait for each other",
	 .config = LAUNCHED, .flags = PART_RECORDED | PART_SPEAKS | PART_HANGS,
	 .work = question_wait, .check = answer_wait},
	{.name = "Q5.torch", .title = "how long does PyTorch take to end?",
	 .flags = PART_SPEAKS | PART_SEARCH | PART_HANGS, .work = question_torch,
	 .check = answer_times},
	{.name = "Q5.unload", .title = "what do 300 unloads of modules cost?",
	 .flags = PART_SPEAKS | PART_HANGS, .work = question_unload, .check = answer_times},
	{.name = "Q6.nodevice", .title = "cuInit fails",
	 .flags = PART_SPEAKS, .work = question_no_device, .check = answer_no_device},
	{.name = "Q7.streams", .title = "do CUPTI's own streams shift the numbers?",
	 .flags = PART_ALONE, .work = ask_streams, .check = answer_notes},
	{.name = "Q8.passes", .title = "how many records has a kernel that runs several times?",
	 .config = LAUNCHED MANY, .flags = PART_RECORDED | PART_SPEAKS | PART_HANGS,
	 .work = question_passes, .check = answer_passes},
	{.name = "Q8.graph", .title = "graphs in automatic ranges",
	 .config = LAUNCHED, .flags = PART_RECORDED | PART_SPEAKS | PART_HANGS,
	 .work = order_graph, .check = answer_passes},
	{.name = "Q9.windows", .title = "are ids of graphs right in a second window?",
	 .config = "enableonstart 0\n", .flags = PART_RECORDED | PART_SPEAKS,
	 .work = question_windows, .check = answer_windows},
	{.name = "Q10.buffers", .title = "what do buffers of three sizes cost?",
	 .flags = PART_ALONE, .work = ask_buffers, .check = answer_notes},
	{.name = "Q11.second", .title = "a second pair of functions for buffers",
	 .flags = PART_ALONE, .work = ask_second, .check = answer_notes},
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
