/* SPDX-License-Identifier: MIT */
/*
 * Call stacks as a gzipped profile of pprof: `go tool pprof`, Pyroscope and Parca read it. The
 * format is proto/profile.proto of github.com/google/pprof; numbers of fields never change there.
 */
#include <stdlib.h>

#include "model/amount.h"
#include "view/format/gzip.h"
#include "view/format/protobuf.h"
#include "view/stacks/flameview.h"
#include "view/view.h"

enum pprof_field {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	PROFILE_STRING = 6,
	PROFILE_TIME = 9,
	PROFILE_DEFAULT_TYPE = 14,
	TYPE_TYPE = 1,
	TYPE_UNIT = 2,
	SAMPLE_LOCATION = 1,
	SAMPLE_VALUE = 2,
	SAMPLE_LABEL = 3,
	LABEL_KEY = 1,
	LABEL_STRING = 2,
	LABEL_NUMBER = 3,
	LOCATION_ID = 1,
	LOCATION_LINE = 4,
	LINE_FUNCTION = 1,
	LINE_LINE = 2,
	FUNCTION_ID = 1,
	FUNCTION_NAME = 2,
	FUNCTION_SYSTEM_NAME = 3,
	FUNCTION_FILE = 4,
};

/* The strings of the profile: "", the names of the flame graph by their ids, and these. */
enum word { WORD_GPU, WORD_CPU, WORD_WAIT, WORD_NANOSECONDS, WORD_THREAD, WORD_DEVICE, WORDS };

static const char *const words[WORDS] = {
	[WORD_GPU] = "gpu",   [WORD_CPU] = "cpu",	[WORD_WAIT] = "wait",
	[WORD_NANOSECONDS] = "nanoseconds", [WORD_THREAD] = "thread", [WORD_DEVICE] = "device"};

/* The order of the values of a sample. The first words are the classes'. */
static const enum flame_class columns[] = {FLAME_CPU, FLAME_GPU, FLAME_WAIT};

enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) };

_Static_assert((int)WORD_GPU == (int)FLAME_GPU && (int)WORD_CPU == (int)FLAME_CPU &&
		       (int)WORD_WAIT == (int)FLAME_WAIT,
	       "classes have words");

struct function {
	uint32_t name, file;
};

struct location {
	uint32_t name, file, line;
	/* After the key: */
	uint32_t function; /* its number */
};

struct profile {
	const struct flame *flame;
	struct sink *sink;
	struct keyed functions, locations;
	uint32_t *location; /* by number of the frame */
};

static uint64_t word(const struct profile *profile, enum word number)
{
	return 1 + (uint64_t)names_count(profile->flame->names) + number;
}

/* Functions and locations of all frames. Returns -1 without memory. */
static int number_all(struct profile *profile)
{
	for (uint32_t i = 0; i < profile->flame->frames.count; i++) {
		const struct flame_frame *frame = flame_frame(profile->flame, i);
		const struct function function = {frame->name, frame->file};
		const struct location location = {frame->name, frame->file, frame->line, 0};
		uint32_t number = keyed_get(&profile->functions, &function);

		profile->location[i] = keyed_get(&profile->locations, &location);
		if (number == KEYED_FULL || profile->location[i] == KEYED_FULL)
			return -1;
		((struct location *)keyed_at(&profile->locations, profile->location[i]))
			->function = number;
	}
	return 0;
}

static void put_types(struct profile *profile)
{
	struct strbuf *to = &profile->sink->text;

	for (int i = 0; i < COLUMNS; i++) {
		size_t type = protobuf_begin(to, PROFILE_SAMPLE_TYPE);

		protobuf_number(to, TYPE_TYPE, word(profile, (enum word)columns[i]));
		protobuf_number(to, TYPE_UNIT, word(profile, WORD_NANOSECONDS));
		protobuf_end(to, type);
	}
}

static void put_label(struct profile *profile, enum word key, enum pprof_field field,
		      uint64_t value)
{
	struct strbuf *to = &profile->sink->text;
	size_t label;

	if (!value)
		return;
	label = protobuf_begin(to, SAMPLE_LABEL);
	protobuf_number(to, LABEL_KEY, word(profile, key));
	protobuf_number(to, field, value);
	protobuf_end(to, label);
}

/* The innermost location is the first. */
static int put_samples(struct profile *profile)
{
	const struct flame *flame = profile->flame;
	struct strbuf *to = &profile->sink->text;

	for (uint32_t i = 0; i < flame->sums.count; i++) {
		const struct flame_sum *sum = flame_sum(flame, i);
		size_t sample = protobuf_begin(to, PROFILE_SAMPLE);

		for (uint32_t at = sum->frame; at; at = flame_frame(flame, at - 1)->parent)
			protobuf_number(to, SAMPLE_LOCATION,
					1 + (uint64_t)profile->location[at - 1]);
		for (int j = 0; j < COLUMNS; j++)
			protobuf_number(to, SAMPLE_VALUE,
					sum->class == columns[j] ? sum->time & INT64_MAX : 0);
		put_label(profile, WORD_THREAD, LABEL_NUMBER, sum->thread);
		put_label(profile, WORD_DEVICE, LABEL_STRING, sum->device);
		protobuf_end(to, sample);
		if (sink_flow(profile->sink))
			return -1;
	}
	return 0;
}

static void put_locations(struct profile *profile)
{
	struct strbuf *to = &profile->sink->text;

	for (uint32_t i = 0; i < profile->locations.count; i++) {
		const struct location *at = keyed_at(&profile->locations, i);
		size_t location = protobuf_begin(to, PROFILE_LOCATION), line;

		protobuf_number(to, LOCATION_ID, 1 + (uint64_t)i);
		line = protobuf_begin(to, LOCATION_LINE);
		protobuf_number(to, LINE_FUNCTION, 1 + (uint64_t)at->function);
		protobuf_number(to, LINE_LINE, at->line);
		protobuf_end(to, line);
		protobuf_end(to, location);
		if (sink_flow(profile->sink))
			return;
	}
}

static void put_functions(struct profile *profile)
{
	struct strbuf *to = &profile->sink->text;

	for (uint32_t i = 0; i < profile->functions.count; i++) {
		const struct function *at = keyed_at(&profile->functions, i);
		size_t function = protobuf_begin(to, PROFILE_FUNCTION);

		protobuf_number(to, FUNCTION_ID, 1 + (uint64_t)i);
		protobuf_number(to, FUNCTION_NAME, at->name);
		protobuf_number(to, FUNCTION_SYSTEM_NAME, at->name);
		protobuf_number(to, FUNCTION_FILE, at->file);
		protobuf_end(to, function);
		if (sink_flow(profile->sink))
			return;
	}
}

static void put_strings(struct profile *profile)
{
	const struct names *names = profile->flame->names;
	struct strbuf *to = &profile->sink->text;

	protobuf_string(to, PROFILE_STRING, "");
	for (uint32_t id = 1; id <= names_count(names); id++) {
		size_t length;
		const char *text = names_text(names, id, &length);

		protobuf_bytes(to, PROFILE_STRING, text, length);
		if (sink_flow(profile->sink))
			return;
	}
	for (int i = 0; i < WORDS; i++)
		protobuf_string(to, PROFILE_STRING, words[i]);
}

static bool has_class(const struct flame *flame, enum flame_class class)
{
	for (uint32_t i = 0; i < flame->sums.count; i++)
		if (flame_sum(flame, i)->class == class)
			return true;
	return false;
}

static int put_profile(struct sink *sink, const struct flame *flame, const struct folded *folded)
{
	struct profile profile = {
		.flame = flame,
		.sink = sink,
		.functions = {.key_size = sizeof(struct function),
			      .entry_size = sizeof(struct function)},
		.locations = {.key_size = offsetof(struct location, function),
			      .entry_size = sizeof(struct location)},
		.location = calloc(flame->frames.count + 1u, sizeof(*profile.location)),
	};
	bool gpu = has_class(flame, FLAME_GPU);
	int result = profile.location ? number_all(&profile) : -1;

	(void)folded; /* times are exact here */
	if (!result) {
		put_types(&profile);
		put_samples(&profile);
		put_locations(&profile);
		put_functions(&profile);
		put_strings(&profile);
		protobuf_number(&sink->text, PROFILE_TIME, flame->started & INT64_MAX);
		protobuf_number(&sink->text, PROFILE_DEFAULT_TYPE,
				word(&profile, gpu ? WORD_GPU : WORD_CPU));
	}
	keyed_free(&profile.functions);
	keyed_free(&profile.locations);
	free(profile.location);
	return result;
}

static int write_pprof(const char *path, struct stream *stream, struct strbuf *error)
{
	return flameview_write(path, stream, true, put_profile, error);
}

const struct view view_pprof = {
	.extension = ".pb.gz",
	.help = "call stacks, for go tool pprof, Pyroscope and Parca",
	.without_starts = true,
	.of_stacks = true,
	.has = KEPT_STACKS | KEPT_SAMPLES,
	.holds_several = true,
	.check = gzip_check,
	.write = write_pprof,
};
