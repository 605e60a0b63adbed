/* SPDX-License-Identifier: MIT */
#include "view/totals/totals.h"

#include <stdlib.h>

#include "settings/pattern.h"
#include "view/format/demangle.h"

int totals_open(struct totals *survey, struct strbuf *error)
{
	if (!survey->kernels)
		return 0;
	if (!pattern_is_cheap(survey->kernels)) {
		strbuf_printf(error, "matching names with '%s' would take too long",
			      survey->kernels);
		survey->kernels = NULL;
		return -1;
	}
	if (regcomp(&survey->pattern, survey->kernels, REG_EXTENDED | REG_NOSUB)) {
		strbuf_printf(error, "'%s' is not a regular expression", survey->kernels);
		survey->kernels = NULL;
		return -1;
	}
	return 0;
}

void totals_close(struct totals *survey)
{
	if (survey->kernels)
		regfree(&survey->pattern);
	free(survey->wanted);
	free(survey->asked);
	histogram_free(&survey->kernels_time);
	histogram_free(&survey->copies_size);
	activities_free(&survey->activities);
	call_stats_free(&survey->called);
	eventsum_free(&survey->events);
}

static bool matches(const struct totals *survey, const char *name, size_t length)
{
	struct strbuf plain = STRBUF_INIT;
	bool found = regexec(&survey->pattern, name, 0, NULL, 0) == 0;

	if (!found && survey->demangled && demangle(&plain, name, length, true))
		found = regexec(&survey->pattern, strbuf_text(&plain), 0, NULL, 0) == 0;
	strbuf_free(&plain);
	return found;
}

/* Enlarges the cache of name results; -1 without memory. */
static int make_room(struct totals *survey, uint32_t name)
{
	uint32_t names = name < 32 ? 64 : 2 * name;
	bool *wanted, *asked;

	if (name < survey->names)
		return 0;
	wanted = realloc(survey->wanted, names);
	if (wanted)
		survey->wanted = wanted;
	asked = realloc(survey->asked, names);
	if (asked)
		survey->asked = asked;
	if (!wanted || !asked)
		return -1;
	for (; survey->names < names; survey->names++)
		asked[survey->names] = false;
	return 0;
}

/* Returns 1, 0, or -1 without memory. */
static int name_wanted(struct totals *survey, const struct names *names, uint32_t name)
{
	if (name > names_count(names))
		name = 0;
	if (make_room(survey, name))
		return -1;
	if (!survey->asked[name]) {
		size_t length;
		const char *text = names_text(names, name, &length);

		survey->asked[name] = true;
		survey->wanted[name] = matches(survey, text, length);
	}
	return survey->wanted[name];
}

static bool device_wanted(const struct totals *survey, const struct device *device)
{
	for (unsigned i = 0; i < survey->device_count; i++)
		if (device && survey->devices[i] == device->number)
			return true;
	return !survey->device_count;
}

static enum missing missing_of(const struct record *record)
{
	if (record->frame.flags & RECORD_UNFINISHED)
		return MISSING_UNFINISHED;
	if (record->frame.flags & RECORD_FAILED)
		return MISSING_FAILED;
	return record->frame.flags & RECORD_BAD_TIMES ? MISSING_BAD : MISSING_UNKNOWN;
}

/* Returns -1 without memory. */
static int add_kernel(struct totals *survey, const struct record *record)
{
	survey->kernel_count++;
	if (!(record->known & KNOWN_TIMES))
		return 0;
	return histogram_add(&survey->kernels_time, activity_duration(record));
}

static void add_waiting(struct totals *survey, const struct catalog *catalog,
			const struct record *record)
{
	uint64_t shift = (uint64_t)catalog->process.monotonic_to_epoch;

	if (record->frame.flags & RECORD_NO_CALL || record->leave < record->enter ||
	    record->ended > record->leave + shift)
		return;
	survey->waited_time = activity_sum(survey->waited_time, record->leave - record->enter);
	survey->waited_count++;
}

static int add_transfer(struct totals *survey, const struct catalog *catalog,
			const struct record *record)
{
	uint64_t duration = activity_duration(record);

	survey->transfer_count++;
	if (record->frame.kind != FRAME_COPY || !(record->known & KNOWN_TIMES))
		return 0;
	add_waiting(survey, catalog, record);
	survey->copy_time = activity_sum(survey->copy_time, duration);
	if ((record->known & KNOWN_HOST_MEMORY) && record->host_memory == HOST_MEMORY_PAGEABLE) {
		survey->pageable_time = activity_sum(survey->pageable_time, duration);
		survey->pageable_count++;
	}
	if (!(record->known & KNOWN_BYTES))
		return 0;
	return histogram_add(&survey->copies_size, record->bytes);
}

static int add(struct totals *survey, const struct catalog *catalog, const struct record *record)
{
	survey->records++;
	if (!(record->known & KNOWN_TIMES))
		survey->missing[missing_of(record)]++;
	if (!activities_add(&survey->activities, catalog, record))
		return -1;
	return record->frame.kind == FRAME_KERNEL ? add_kernel(survey, record)
						  : add_transfer(survey, catalog, record);
}

int totals_wants(struct totals *survey, const struct catalog *catalog, const struct record *record)
{
	if (!device_wanted(survey, catalog_device(catalog, record->device)))
		return 0;
	if (survey->kernels && record->frame.kind == FRAME_KERNEL)
		return name_wanted(survey, catalog->names, record->name);
	return 1;
}

int totals_add(struct totals *survey, const struct catalog *catalog, const struct record *record,
	       struct strbuf *error)
{
	int wanted = totals_wants(survey, catalog, record);

	survey->seen++;
	/* Records that are not selected also make the device busy. */
	if (record->known & KNOWN_TIMES && !survey->no_starts)
		busy_add(&survey->busy, record->started,
			 record->started + activity_duration(record));
	if (!wanted)
		return 0;
	if (wanted > 0 && !add(survey, catalog, record))
		return 1;
	strbuf_string(error, "out of memory for the totals of records");
	return -1;
}

int totals_add_call(struct totals *survey, const struct call *call, struct strbuf *error)
{
	if (!call_stats_add(&survey->called, call))
		return 0;
	strbuf_string(error, "out of memory for the totals of calls");
	return -1;
}

int totals_add_event(struct totals *survey, const struct frame *event, struct strbuf *error)
{
	const void *at = event;

	if (event->kind == FRAME_CALL)
		return totals_add_call(survey, at, error);
	return eventsum_add(&survey->events, event, error);
}

int totals_end(struct totals *survey, struct strbuf *error)
{
	return eventsum_end(&survey->events, error);
}

uint64_t totals_untimed(const struct totals *survey)
{
	uint64_t untimed = 0;

	for (int i = 0; i < MISSING_COUNT; i++)
		untimed += survey->missing[i];
	return untimed;
}
