/* SPDX-License-Identifier: MIT */
#include "view/stacks/flame.h"

#include <stdlib.h>
#include <string.h>

#include "model/amount.h"
#include "output/escape.h"

enum {
	NAME_LIMIT = 4096,   /* bytes of a name; the rest is cut off */
	HERTZ_LIMIT = 1000000,
};

struct flame_options flame_options;

/* For flame_path. */
_Static_assert(!offsetof(struct flame_function, parent) && !offsetof(struct flame_frame, parent),
	       "entries begin with their callers");

int flame_open(struct flame *flame)
{
	*flame = (struct flame){
		.names = names_new(),
		.functions = {.key_size = sizeof(struct flame_function),
			      .entry_size = sizeof(struct flame_function)},
		.frames = {.key_size = offsetof(struct flame_frame, function),
			   .entry_size = sizeof(struct flame_frame)},
		.sums = {.key_size = offsetof(struct flame_sum, time),
			 .entry_size = sizeof(struct flame_sum)},
	};
	return flame->names ? 0 : -1;
}

int flame_set_mode(const char *word)
{
	static const char *const words[] = {
		[FLAME_MERGE] = "merge",
		[FLAME_GPU_ONLY] = "gpu-only",
		[FLAME_CPU_ONLY] = "cpu-only",
	};

	for (int i = 0; i < (int)(sizeof(words) / sizeof(words[0])); i++) {
		if (strcmp(word, words[i]) != 0)
			continue;
		flame_options.mode = (enum flame_mode)i;
		return 0;
	}
	return -1;
}

int flame_set_unit(const char *word)
{
	static const char samples[] = "samples@";
	unsigned long hertz;
	char *end;

	if (!strcmp(word, "us")) {
		flame_options.hertz = 0;
		return 0;
	}
	if (strncmp(word, samples, strlen(samples)) != 0)
		return -1;
	word += strlen(samples);
	hertz = strspn(word, "0123456789") ? strtoul(word, &end, 10) : 0;
	if (!hertz || hertz > HERTZ_LIMIT || *end)
		return -1;
	flame_options.hertz = (uint32_t)hertz;
	return 0;
}

/* Returns the id of the escaped text, 0 without memory. */
static uint32_t intern(struct flame *flame, const char *text, size_t length)
{
	struct strbuf escaped = STRBUF_INIT;
	uint32_t id = 0;

	escape_put(&escaped, text, length < NAME_LIMIT ? length : NAME_LIMIT, ESCAPE_SHOWN);
	if (!escaped.failed)
		id = names_intern(flame->names, strbuf_text(&escaped), escaped.length);
	strbuf_free(&escaped);
	return id;
}

static uint32_t function_of(struct flame *flame, uint32_t parent, uint32_t name)
{
	struct flame_function function = {.name = name};

	if (parent)
		function.parent = 1 + flame_frame(flame, parent - 1)->function;
	return keyed_get(&flame->functions, &function);
}

uint32_t flame_add_frame(struct flame *flame, uint32_t parent, const char *name, size_t length,
			 const char *file, uint32_t line)
{
	struct flame_frame frame = {.parent = parent, .line = line};
	uint32_t number, function;

	frame.name = intern(flame, name, length);
	if (file)
		frame.file = intern(flame, file, strlen(file));
	function = frame.name ? function_of(flame, parent, frame.name) : KEYED_FULL;
	number = function == KEYED_FULL ? KEYED_FULL : keyed_get(&flame->frames, &frame);
	if (number == KEYED_FULL)
		return 0;
	((struct flame_frame *)keyed_at(&flame->frames, number))->function = function;
	return number + 1;
}

void flame_set_own(struct flame *flame, uint32_t frame, uint32_t until)
{
	for (; frame && frame != until; frame = flame_frame(flame, frame - 1)->parent)
		((struct flame_frame *)keyed_at(&flame->frames, frame - 1))->own = true;
}

void flame_set_place(struct flame *flame, uint32_t frame, uint32_t until, uint32_t module,
		     uint64_t address)
{
	for (; frame && frame != until; frame = flame_frame(flame, frame - 1)->parent) {
		struct flame_frame *at = keyed_at(&flame->frames, frame - 1);

		if (at->module)
			break;
		at->module = module;
		at->address = address;
	}
}

int flame_add_sum(struct flame *flame, const struct flame_sum *more)
{
	uint32_t number = keyed_get(&flame->sums, more);
	struct flame_sum *sum;

	if (number == KEYED_FULL)
		return -1;
	sum = keyed_at(&flame->sums, number);
	sum->time = amount_add(sum->time, more->time);
	sum->count += more->count;
	return 0;
}

size_t flame_path(const struct keyed *list, uint32_t at, uint32_t *path)
{
	size_t depth = 0;

	for (; at; at = *(const uint32_t *)keyed_at(list, at - 1))
		path[depth++] = at - 1;
	return depth;
}

void flame_free(struct flame *flame)
{
	keyed_free(&flame->functions);
	keyed_free(&flame->frames);
	keyed_free(&flame->sums);
	names_free(flame->names);
}

/* What is missing, and how to record it. */
static void put_missing(struct strbuf *to, const struct flame *flame)
{
	bool cpu = flame_options.mode != FLAME_GPU_ONLY;
	uint64_t unmatched = flame->records - flame->matched;

	if (unmatched && !flame->has_stacks)
		strbuf_string(to, "\nThe trace has no call stacks, so the time of the GPU is below "
				  "[unknown]: record with computeprof --stacks, or "
				  "COMPUTE_PROFILE_STACKS=1");
	else if (unmatched)
		strbuf_printf(to, "\n%llu %s no call stack, so their time is below [unknown]: the "
				  "launch was not seen, or a limit was reached (computeprof(1), "
				  "CALL STACKS)",
			      (unsigned long long)unmatched,
			      unmatched == 1 ? "record has" : "records have");
	if (cpu && !flame->samples && !flame->on_device)
		strbuf_string(to, "\nThe trace has no CPU samples: record with computeprof "
				  "--sample 99, or COMPUTE_PROFILE_SAMPLE=99");
	if (cpu && flame->records && !flame->waits && !flame->has_calls)
		strbuf_string(to, "\nThe trace has no waits for the GPU: record with "
				  "COMPUTE_PROFILE_API=1");
}

void flame_put_messages(const struct flame *flame, struct stream *stream, uint64_t stacks,
			uint64_t total, const char *unit)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_printf(&text, "Final stats - Records: %llu, Samples: %llu, Waits: %llu",
		      (unsigned long long)flame->records, (unsigned long long)flame->samples,
		      (unsigned long long)flame->waits);
	if (flame->on_device)
		strbuf_printf(&text, ", Samples inside kernels, not counted again: %llu",
			      (unsigned long long)flame->on_device);
	strbuf_printf(&text, "\nCorrelation complete: matched=%llu, unmatched=%llu",
		      (unsigned long long)flame->matched,
		      (unsigned long long)(flame->records - flame->matched));
	strbuf_printf(&text, "\nWrote %llu unique stacks (%llu total %s)",
		      (unsigned long long)stacks, (unsigned long long)total, unit);
	put_missing(&text, flame);
	stream_put_message(stream, strbuf_text(&text));
	strbuf_free(&text);
}
