/* SPDX-License-Identifier: MIT */
#include "view/tables/notes.h"

#include <string.h>

#include "model/api.h"
#include "view/format/label.h"
#include "view/format/quantity.h"

enum { NAME_ROOM = 60 };

struct note_inputs {
	const struct totals *totals;
	struct label *shown;
	uint64_t total;			/* device time of all activities */
	const struct activity *hottest; /* the kernel with the longest total time, or NULL */
	uint64_t building;		/* time in calls that build programs */
	uint64_t waiting;		/* time in calls that wait for the device, without copies */
};

static const char *const build_functions[] = {
	"clBuildProgram", "clCompileProgram", "clLinkProgram", "cuLinkComplete", NULL,
};

/* Calls that only wait for the device. */
static const char *const wait_functions[] = {
	"clFinish",
	"clWaitForEvents",
	"cuCtxSynchronize",
	"cuStreamSynchronize",
	"cuEventSynchronize",
	"cudaDeviceSynchronize",
	"cudaThreadSynchronize",
	"cudaStreamSynchronize",
	"cudaEventSynchronize",
	NULL,
};

/* Returns 0 if `whole` is 0. */
static double percent_of(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void put_time(struct strbuf *to, uint64_t time)
{
	quantity_put(to, &quantity_time, QUANTITY_AUTO, (double)time);
}

static bool put_idle(struct strbuf *to, const struct note_inputs *facts)
{
	const struct busy *busy = &facts->totals->busy;
	double percent = percent_of(busy_idle(busy), busy_span(busy));

	/* The idle time is unknown if records have no times, or work was not recorded. */
	if (percent < NOTES_IDLE_PERCENT || totals_untimed(facts->totals) ||
	    facts->totals->has_gaps)
		return false;
	strbuf_printf(to, "Nothing %s for %.1f%% of the ",
		      facts->totals->gaps_unknown ? "in this file ran" : "ran on a device",
		      percent);
	put_time(to, busy_span(busy));
	strbuf_string(to, " from the first start to the last end. ");
	if (facts->totals->gaps_unknown)
		strbuf_string(to, "Work that is not in it may have run then: that of other "
				  "devices and processes with files of their own, and what a "
				  "[filter] left out. ");
	strbuf_string(to, "Next: find the gaps in the GPU trace, and the work of the host in "
			  "them.");
	return true;
}

static bool put_failed(struct strbuf *to, const struct note_inputs *facts)
{
	const struct call_stats *stats = &facts->totals->call_stats;
	const struct failure *worst = call_stats_worst(stats);
	struct record like = {.frame.kind = FRAME_CALL};

	if (!worst || stats->failed < NOTES_FAILED_CALLS)
		return false;
	like.name = worst->name;
	strbuf_printf(to, "%llu of %llu calls failed, most often ",
		      (unsigned long long)stats->failed, (unsigned long long)stats->count);
	label_name(to, API_ASSUMED, &like, facts->shown);
	if (worst->code == INT32_MIN)
		strbuf_string(to, ", which gave no error code");
	else
		strbuf_printf(to, " with error %d", worst->code);
	strbuf_printf(to,
		      ": %llu times. Next: check the result of this call in the program, and look "
		      "at the calls before it in the API trace.",
		      (unsigned long long)worst->count);
	return true;
}

static bool calls_matter(const struct call_stats *stats)
{
	return percent_of(stats->total, stats->last - stats->first) >= NOTES_CALLS_PERCENT;
}

static bool put_building(struct strbuf *to, const struct note_inputs *facts)
{
	const struct call_stats *stats = &facts->totals->call_stats;
	double percent = percent_of(facts->building, stats->total);

	if (!calls_matter(stats) || percent < NOTES_BUILD_PERCENT)
		return false;
	strbuf_printf(to, "%.1f%% of the time in API calls, ", percent);
	put_time(to, facts->building);
	strbuf_string(to,
		      ", is spent building programs. Next: save the binaries (CL_PROGRAM_BINARIES, "
		      "or the cubin of cuLinkComplete), and load them in the next run.");
	return true;
}

static bool put_waiting(struct strbuf *to, const struct note_inputs *facts)
{
	const struct totals *totals = facts->totals;
	const struct call_stats *stats = &totals->call_stats;
	uint64_t waiting = amount_add(facts->waiting, totals->waited_time);
	double percent = percent_of(waiting, stats->total);

	if (!calls_matter(stats) || percent < NOTES_WAIT_PERCENT)
		return false;
	strbuf_printf(to, "%.1f%% of the time in API calls, ", percent);
	put_time(to, waiting);
	strbuf_string(to, ", is spent waiting for the device: ");
	put_time(to, facts->waiting);
	strbuf_string(to, " in calls that only wait, ");
	put_time(to, totals->waited_time);
	strbuf_printf(
		to,
		" in %llu call%s that returned after their copy had ended. Next: let the host work "
		"meanwhile, wait once for many commands, and copy without blocking.",
		(unsigned long long)totals->waited_count, totals->waited_count == 1 ? "" : "s");
	return true;
}

static bool put_short_kernels(struct strbuf *to, const struct note_inputs *facts)
{
	const struct histogram *times = &facts->totals->kernels_time;
	uint64_t median = histogram_percentile(times, 50);

	if (times->count < NOTES_SHORT_KERNELS || median >= NOTES_SHORT_KERNEL)
		return false;
	strbuf_printf(to, "Half of the %llu kernels take about ", (unsigned long long)times->count);
	put_time(to, median);
	strbuf_string(to,
		      " or less, about the cost of a launch. Next: do more work in each kernel, or "
		      "launch many at once (a graph, a command buffer).");
	return true;
}

static bool put_small_copies(struct strbuf *to, const struct note_inputs *facts)
{
	const struct histogram *sizes = &facts->totals->copies_size;
	uint64_t median = histogram_percentile(sizes, 50);

	if (sizes->count < NOTES_SMALL_COPIES || median >= NOTES_SMALL_COPY)
		return false;
	strbuf_printf(to, "Half of the %llu copies have about ", (unsigned long long)sizes->count);
	quantity_put(to, &quantity_size, QUANTITY_AUTO, (double)median);
	strbuf_string(to, " or less. Next: combine them on the host, and copy more at a time.");
	return true;
}

static bool put_pageable(struct strbuf *to, const struct note_inputs *facts)
{
	const struct totals *totals = facts->totals;
	double percent = percent_of(totals->pageable_time, totals->copy_time);

	if (percent_of(totals->copy_time, facts->total) < NOTES_COPY_PERCENT ||
	    percent < NOTES_PAGEABLE_PERCENT)
		return false;
	strbuf_printf(to,
		      "%.1f%% of the time of copies is spent in %llu cop%s from or to pageable "
		      "memory. Next: page-lock the memory (cudaMallocHost, CL_MEM_ALLOC_HOST_PTR).",
		      percent, (unsigned long long)totals->pageable_count,
		      totals->pageable_count == 1 ? "y" : "ies");
	return true;
}

static bool put_occupancy(struct strbuf *to, const struct note_inputs *facts)
{
	const struct activity *hottest = facts->hottest;
	double percent;

	if (!hottest || !hottest->occupancies ||
	    percent_of(hottest->total, facts->total) < NOTES_HOT_PERCENT)
		return false;
	percent = 100 * hottest->occupancy / (double)hottest->occupancies;
	if (!(percent < NOTES_OCCUPANCY_PERCENT))
		return false;
	strbuf_string(to, "The kernel with the most time, ");
	label_short(to, hottest->api, &hottest->like, facts->shown, NAME_ROOM);
	strbuf_printf(to,
		      ", has an occupancy of %.1f%%. Next: check its block size, registers and "
		      "shared memory in the GPU trace.",
		      percent);
	return true;
}

static bool put_left(struct strbuf *to, const struct note_inputs *facts)
{
	const struct event_totals *events = &facts->totals->events;
	uint64_t bytes, left = event_totals_left(events, &bytes);

	if (left < NOTES_LEFT)
		return false;
	strbuf_printf(to, "%llu of %llu allocations were never released: ",
		      (unsigned long long)left, (unsigned long long)events->allocations);
	quantity_put(to, &quantity_size, QUANTITY_AUTO, (double)bytes);
	strbuf_string(to, "; at most ");
	quantity_put(to, &quantity_size, QUANTITY_AUTO, (double)events->peak);
	strbuf_string(to, " were in use at once. Next: release memory that is no longer needed "
			  "(clReleaseMemObject, cudaFree), or use it again for the next "
			  "allocation.");
	return true;
}

static bool (*const findings[])(struct strbuf *to, const struct note_inputs *facts) = {
	put_idle,	   put_failed,	     put_building, put_waiting,
	put_short_kernels, put_small_copies, put_pageable, put_occupancy,
	put_left,
};

enum { FINDINGS = sizeof(findings) / sizeof(findings[0]) };

static bool is_listed(const char *name, const char *const *list)
{
	while (*list && strcmp(*list, name) != 0)
		list++;
	return *list;
}

static void gather_calls(struct note_inputs *facts, struct totals *totals)
{
	size_t count, length;
	struct activity *const *list = activities_sorted(&totals->call_stats.functions, &count);

	for (size_t i = 0; i < count; i++) {
		const char *name = names_text(facts->shown->names, list[i]->like.name, &length);

		if (is_listed(name, build_functions))
			facts->building = amount_add(facts->building, list[i]->total);
		if (is_listed(name, wait_functions))
			facts->waiting = amount_add(facts->waiting, list[i]->total);
	}
}

static struct note_inputs gather(struct totals *totals, struct label *shown)
{
	struct note_inputs facts = {.totals = totals, .shown = shown};
	size_t count;
	struct activity *const *list = activities_sorted(&totals->activities, &count);

	for (size_t i = 0; i < count; i++) {
		facts.total = amount_add(facts.total, list[i]->total);
		if (!facts.hottest && list[i]->like.frame.kind == FRAME_KERNEL)
			facts.hottest = list[i];
	}
	gather_calls(&facts, totals);
	return facts;
}

void notes_put(struct strbuf *to, struct totals *totals, struct label *shown, const char *prefix)
{
	struct note_inputs facts = gather(totals, shown);
	unsigned number = 0;

	for (size_t i = 0; i < FINDINGS && number < NOTES_MOST; i++) {
		struct strbuf line = STRBUF_INIT;

		if (findings[i](&line, &facts)) {
			if (!number++)
				strbuf_printf(to, "%sNotes:\n", prefix);
			strbuf_printf(to, "%s%u. %s\n", prefix, number, strbuf_text(&line));
		}
		strbuf_free(&line);
	}
}

void notes_put_none(struct strbuf *to, const char *prefix)
{
	strbuf_printf(to, "%sNotes: none, because the recording is incomplete.\n", prefix);
}
