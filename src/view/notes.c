/* SPDX-License-Identifier: MIT */
#include "view/notes.h"

#include "view/quantity.h"
#include "view/shown.h"

enum { NAME_ROOM = 60 };

struct facts {
	const struct survey *survey;
	const struct names *names;
	uint64_t total;			/* of the device's time, over all activities */
	const struct activity *hottest; /* kernel, or NULL */
};

/* 0 of nothing. */
static double percent_of(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void put_time(struct strbuf *to, uint64_t time)
{
	quantity_put(to, &quantity_time, QUANTITY_AUTO, (double)time);
}

static bool put_idle(struct strbuf *to, const struct facts *facts)
{
	const struct busy *busy = &facts->survey->busy;
	double percent = percent_of(busy_idle(busy), busy_span(busy));

	if (percent < NOTES_IDLE_PERCENT)
		return false;
	strbuf_printf(to, "Nothing ran on a device for %.1f%% of the ", percent);
	put_time(to, busy_span(busy));
	strbuf_string(to, " from the first start to the last end. Next: see in the GPU trace what "
			  "the gaps stand between, and what the host does there.");
	return true;
}

static bool put_short_kernels(struct strbuf *to, const struct facts *facts)
{
	const struct histogram *times = &facts->survey->kernels_time;
	uint64_t median = histogram_percentile(times, 50);

	if (times->count < NOTES_SHORT_KERNELS || median >= NOTES_SHORT_KERNEL)
		return false;
	strbuf_printf(to, "Half of the %llu kernels take about ", (unsigned long long)times->count);
	put_time(to, median);
	strbuf_string(to,
		      " or less, which is what a launch costs. Next: do more in each kernel, or "
		      "launch many at once (a graph, a command buffer).");
	return true;
}

static bool put_small_copies(struct strbuf *to, const struct facts *facts)
{
	const struct histogram *sizes = &facts->survey->copies_size;
	uint64_t median = histogram_percentile(sizes, 50);

	if (sizes->count < NOTES_SMALL_COPIES || median >= NOTES_SMALL_COPY)
		return false;
	strbuf_printf(to, "Half of the %llu copies have about ", (unsigned long long)sizes->count);
	quantity_put(to, &quantity_size, QUANTITY_AUTO, (double)median);
	strbuf_string(to, " or less. Next: gather them on the host, and copy more at a time.");
	return true;
}

static bool put_pageable(struct strbuf *to, const struct facts *facts)
{
	const struct survey *survey = facts->survey;
	double percent = percent_of(survey->pageable_time, survey->copy_time);

	if (percent_of(survey->copy_time, facts->total) < NOTES_COPY_PERCENT ||
	    percent < NOTES_PAGEABLE_PERCENT)
		return false;
	strbuf_printf(to,
		      "%.1f%% of the time of copies is that of %llu from or to pageable memory. "
		      "Next: "
		      "page-lock it (cudaMallocHost, CL_MEM_ALLOC_HOST_PTR).",
		      percent, (unsigned long long)survey->pageable_count);
	return true;
}

static bool put_occupancy(struct strbuf *to, const struct facts *facts)
{
	const struct activity *hottest = facts->hottest;
	double percent;

	if (!hottest || !hottest->occupancies ||
	    percent_of(hottest->total, facts->total) < NOTES_HOT_PERCENT)
		return false;
	percent = 100 * hottest->occupancy / (double)hottest->occupancies;
	if (!(percent < NOTES_OCCUPANCY_PERCENT))
		return false;
	strbuf_string(to, "The kernel that takes most time, ");
	shown_short(to, hottest->api, &hottest->like, facts->names, true, NAME_ROOM);
	strbuf_printf(to,
		      ", has an occupancy of %.1f%%. Next: see in the GPU trace whether its block "
		      "size, registers or shared memory are why.",
		      percent);
	return true;
}

static bool (*const findings[])(struct strbuf *to, const struct facts *facts) = {
	put_idle, put_short_kernels, put_small_copies, put_pageable, put_occupancy,
};

static struct facts gather(struct survey *survey, const struct names *names)
{
	struct facts facts = {.survey = survey, .names = names};
	size_t count;
	struct activity *const *list = activities_sorted(&survey->activities, &count);

	for (size_t i = 0; i < count; i++) {
		facts.total = activity_sum(facts.total, list[i]->total);
		if (!facts.hottest && list[i]->like.frame.kind == FRAME_KERNEL)
			facts.hottest = list[i];
	}
	return facts;
}

void notes_put(struct strbuf *to, struct survey *survey, const struct names *names,
	       const char *prefix)
{
	struct facts facts = gather(survey, names);
	unsigned number = 0;

	for (size_t i = 0; i < sizeof(findings) / sizeof(findings[0]); i++) {
		struct strbuf line = STRBUF_INIT;

		if (findings[i](&line, &facts)) {
			if (!number++)
				strbuf_printf(to, "%sNotes:\n", prefix);
			strbuf_printf(to, "%s%u. %s\n", prefix, number, strbuf_text(&line));
		}
		strbuf_free(&line);
	}
}
