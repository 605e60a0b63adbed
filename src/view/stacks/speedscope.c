/* SPDX-License-Identifier: MIT */
/* Call stacks for speedscope.app, in its own format: www.speedscope.app/file-format-schema.json. */
#include <stdlib.h>

#include "config.h"
#include "model/amount.h"
#include "output/jsontext.h"
#include "view/stacks/flameview.h"
#include "view/view.h"

/* The numbers of frames are those of flame.frames, so a frame may be there several times. */
static int put_frames(struct sink *sink, const struct flame *flame)
{
	struct strbuf *to = &sink->text;

	for (uint32_t i = 0; i < flame->frames.count; i++) {
		const struct flame_frame *frame = flame_frame(flame, i);
		size_t length;
		const char *text = names_text(flame->names, frame->name, &length);

		strbuf_string(to, i ? ",\n{\"name\":" : "\n{\"name\":");
		json_escaped(to, text, length);
		if (frame->file) {
			text = names_text(flame->names, frame->file, &length);
			strbuf_string(to, ",\"file\":");
			json_escaped(to, text, length);
		}
		if (frame->line) {
			strbuf_string(to, ",\"line\":");
			json_number(to, frame->line);
		}
		strbuf_char(to, '}');
		if (sink_flow(sink))
			return -1;
	}
	return 0;
}

/* `path` has room for all frames. */
static void put_sample(struct strbuf *to, const struct flame *flame, uint32_t innermost,
		       uint32_t *path)
{
	size_t depth = flame_path(&flame->frames, innermost, path);

	strbuf_char(to, '[');
	while (depth--) {
		json_number(to, path[depth]);
		strbuf_string(to, depth ? "," : "");
	}
	strbuf_char(to, ']');
}

/* Puts the stacks of a class, or their times. Returns the sum of these. */
static uint64_t put_list(struct sink *sink, const struct flame *flame, uint32_t class,
			 uint32_t *path)
{
	struct strbuf *to = &sink->text;
	uint64_t total = 0;
	bool comma = false;

	for (uint32_t i = 0; i < flame->sums.count; i++) {
		const struct flame_sum *sum = flame_sum(flame, i);

		if (sum->class != class || !sum->time)
			continue;
		strbuf_string(to, comma ? ",\n" : "");
		comma = true;
		if (path)
			put_sample(to, flame, sum->frame, path);
		else
			json_number(to, sum->time);
		total = amount_add(total, sum->time);
		if (sink_flow(sink))
			break;
	}
	return total;
}

static uint64_t total_of(const struct flame *flame, uint32_t class)
{
	uint64_t total = 0;

	for (uint32_t i = 0; i < flame->sums.count; i++)
		if (flame_sum(flame, i)->class == class)
			total = amount_add(total, flame_sum(flame, i)->time);
	return total;
}

/* A file needs at least one profile. If no class has times, returns the class whose profile is
 * written without times; else FLAME_CLASSES. */
static enum flame_class only_class(const struct flame *flame)
{
	for (uint32_t class = 0; class < FLAME_CLASSES; class++)
		if (total_of(flame, class))
			return FLAME_CLASSES;
	return flame_options.mode == FLAME_CPU_ONLY ? FLAME_CPU : FLAME_GPU;
}

static void put_profiles(struct sink *sink, const struct flame *flame, uint32_t *path)
{
	static const char *const names[] = {
		[FLAME_GPU] = "GPU", [FLAME_CPU] = "CPU", [FLAME_WAIT] = "waits for the GPU"};
	struct strbuf *to = &sink->text;
	enum flame_class only = only_class(flame);
	bool comma = false;

	for (uint32_t class = 0; class < FLAME_CLASSES; class++) {
		uint64_t total = total_of(flame, class);

		if (!total && class != only)
			continue;
		strbuf_string(to, comma ? ",\n" : "\n");
		comma = true;
		strbuf_printf(to,
			      "{\"type\":\"sampled\",\"name\":\"%s\",\"unit\":\"nanoseconds\","
			      "\"startValue\":0,\"endValue\":%llu,\"samples\":[",
			      names[class], (unsigned long long)total);
		put_list(sink, flame, class, path);
		strbuf_string(to, "],\"weights\":[");
		put_list(sink, flame, class, NULL);
		strbuf_string(to, "]}");
	}
}

static int put_file(struct sink *sink, const struct flame *flame, const struct folded *folded)
{
	uint32_t *path = calloc(flame->frames.count + 1u, sizeof(*path));

	(void)folded; /* times are exact here */
	if (!path)
		return -1;
	strbuf_string(&sink->text, "{\"$schema\":"
				   "\"https://www.speedscope.app/file-format-schema.json\","
				   "\"exporter\":\"" PACKAGE_STRING "\",\"activeProfileIndex\":0,"
				   "\"shared\":{\"frames\":[");
	put_frames(sink, flame);
	strbuf_string(&sink->text, "]},\"profiles\":[");
	put_profiles(sink, flame, path);
	strbuf_string(&sink->text, "]}\n");
	free(path);
	return 0;
}

static int write_speedscope(const char *path, struct stream *stream, struct strbuf *error)
{
	return flameview_write(path, stream, false, put_file, error);
}

const struct view view_speedscope = {
	.extension = ".speedscope.json",
	.help = "call stacks, for www.speedscope.app",
	.without_starts = true,
	.of_stacks = true,
	.has = KEPT_STACKS | KEPT_SAMPLES,
	.holds_several = true,
	.write = write_speedscope,
};
