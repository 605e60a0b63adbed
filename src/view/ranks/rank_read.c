/* SPDX-License-Identifier: MIT */
#include "view/ranks/rank_read.h"

#include <stdlib.h>
#include <string.h>

#include "output/logreader.h"
#include "output/unescape.h"

enum { NUMBERS = 8 /* of an element of `sums` */ };

struct reading {
	struct rank_sums *sums;
	const char *path;
	uint32_t *processes; /* indexes in `sums`, by the index in `files`; each once */
	uint32_t count;
};

static bool is_true(const struct json_value *object, const char *name)
{
	const struct json_value *value = json_find(object, name);

	return value && value->type == JSON_TRUE;
}

static bool is_array(const struct json_value *value)
{
	return value && value->type == JSON_ARRAY;
}

static bool is_number(const struct json_value *value)
{
	return value && value->type == JSON_NUMBER;
}

static struct rank_process process_of(const struct json_value *from, uint64_t part)
{
	const struct json_value *lost = json_find(from, "lost");
	uint64_t pid = json_find_number(from, "process");

	return (struct rank_process){
		.part = (uint32_t)part,
		.pid = pid < UINT32_MAX ? (uint32_t)pid : 0,
		.cut_off = is_true(from, "cut_off"),
		.launches = is_true(from, "launches"),
		.lost = lost && lost->type == JSON_NULL ? UINT64_MAX
							: json_find_number(from, "lost"),
	};
}

/* Reads a list of numbers. */
static bool get_numbers(const struct json_value *list, uint64_t *numbers, int count)
{
	const struct json_value *at = is_array(list) ? list->first : NULL;
	int found = 0;

	for (; at && found < count && is_number(at); at = at->next)
		numbers[found++] = at->number;
	return found == count && !at;
}

/* Sets the number of the activity less one. Returns 0; 1 if the filter leaves it out; -1 if the row
 * is invalid or without memory. */
static int read_key(const struct reading *reading, const struct json_value *row, uint32_t *activity)
{
	struct rank_sums *sums = reading->sums;
	struct strbuf name = STRBUF_INIT;
	struct activity_key what;
	int result = activity_index_read(&what, &name, row);

	if (!result && what.like.frame.kind == FRAME_KERNEL)
		result = !name_filter_selects(&sums->filter, strbuf_text(&name), name.length);
	if (!result) {
		*activity =
			activity_index_number(&sums->activities, &what, name.data, name.length) - 1;
		result = name.failed || *activity == UINT32_MAX ? -1 : 0;
	}
	strbuf_free(&name);
	return result;
}

/* A row of the sums of one process. */
static int read_row(const struct reading *reading, const struct json_value *row)
{
	struct rank_entry entry = {
		.process = reading->processes[0],
		.sum = {.count = json_find_number(row, "count"),
			.untimed = json_find_number(row, "untimed")},
	};
	struct rank_sum *sum = &entry.sum;
	int result = read_key(reading, row, &entry.activity);

	if (result)
		return result < 0 ? -1 : 0;
	if (sum->count) {
		sum->total = json_find_number(row, "total_ns");
		sum->shortest = json_find_number(row, "min_ns");
		sum->longest = json_find_number(row, "max_ns");
	}
	if (is_number(json_find(row, "bytes"))) {
		sum->bytes = json_find_number(row, "bytes");
		sum->sized = sum->count;
	}
	return rank_sums_put(reading->sums, &entry);
}

static int read_entry(const struct reading *reading, uint32_t activity,
		      const struct json_value *list)
{
	uint64_t numbers[NUMBERS];
	struct rank_entry entry = {.activity = activity};

	if (!get_numbers(list, numbers, NUMBERS) || numbers[0] >= reading->count)
		return -1;
	entry.process = reading->processes[numbers[0]];
	entry.sum = (struct rank_sum){
		.count = numbers[1],
		.untimed = numbers[2],
		.total = numbers[3],
		.shortest = numbers[4],
		.longest = numbers[5],
		.bytes = numbers[6],
		.sized = numbers[7],
	};
	return rank_sums_put(reading->sums, &entry);
}

static int read_times(struct histogram *times, const struct json_value *row)
{
	const struct json_value *list = json_find(row, "times");
	uint64_t numbers[2];

	if (!times || !is_array(list))
		return -1;
	times->coarse |= is_true(row, "coarse");
	for (const struct json_value *at = list->first; at; at = at->next)
		if (!get_numbers(at, numbers, 2) ||
		    histogram_add_part(times, numbers[0], numbers[1]))
			return -1;
	return 0;
}

/* A row of merged sums. */
static int read_merged(const struct reading *reading, const struct json_value *row)
{
	const struct json_value *list = json_find(row, "sums");
	uint32_t activity;
	int result = read_key(reading, row, &activity);

	if (result)
		return result < 0 ? -1 : 0;
	if (!is_array(list))
		return -1;
	for (const struct json_value *at = list->first; at; at = at->next)
		if (read_entry(reading, activity, at))
			return -1;
	return read_times(rank_sums_make_times(reading->sums, activity), row);
}

static int read_launch(const struct reading *reading, const struct json_value *row)
{
	uint64_t file = json_find_number(row, "file");
	struct rank_launch launch = {
		.time = json_find_number(row, "time_ns"),
		.start = json_find_number(row, "start_ns"),
		.record = json_find_number(row, "record"),
		.device = (uint32_t)json_find_number(row, "device"),
	};
	int result = read_key(reading, row, &launch.activity);

	if (result)
		return result < 0 ? -1 : 0;
	if (file >= reading->count)
		return -1;
	launch.process = reading->processes[file];
	return rank_sums_put_launch(reading->sums, &launch);
}

static int read_launches(const struct reading *reading, const struct json_value *object,
			 struct strbuf *error)
{
	const struct json_value *list = json_find(object, "longest");

	for (const struct json_value *row = is_array(list) ? list->first : NULL; row;
	     row = row->next) {
		if (!read_launch(reading, row))
			continue;
		strbuf_printf(error, "%s has an invalid entry in its list \"longest\"",
			      reading->path);
		return -1;
	}
	return 0;
}

static int read_rows(const struct reading *reading, const struct json_value *object, bool merged,
		     struct strbuf *error)
{
	const struct json_value *rows = json_find(object, "activities");

	if (!is_array(rows)) {
		strbuf_printf(error,
			      "%s has no totals of kernels and copies: 'computeprof print -o "
			      "FILE.json' and 'merge -o' write such files",
			      reading->path);
		return -1;
	}
	for (const struct json_value *row = rows->first; row; row = row->next) {
		if (!(merged ? read_merged(reading, row) : read_row(reading, row)))
			continue;
		strbuf_printf(error, "%s has an invalid row", reading->path);
		return -1;
	}
	return 0;
}

static int read_process(struct rank_sums *sums, const struct json_value *object, const char *path,
			uint64_t part, struct strbuf *error)
{
	struct rank_process process = process_of(object, part);
	int index = rank_sums_begin(sums, path, &process);
	uint32_t own = (uint32_t)index;
	struct reading reading = {.sums = sums, .path = path, .processes = &own, .count = 1};

	if (index >= 0)
		return read_rows(&reading, object, false, error);
	strbuf_printf(error, "out of memory for %s", path);
	return -1;
}

/* The processes of a merged trace. */
static int read_parts(struct rank_sums *sums, uint32_t process, const struct json_value *file)
{
	const struct json_value *list = json_find(file, "merged_from");
	uint64_t numbers[2];

	for (const struct json_value *at = is_array(list) ? list->first : NULL; at; at = at->next)
		if (!get_numbers(at, numbers, 2) || numbers[0] > UINT32_MAX ||
		    rank_sums_put_part(sums, &(struct rank_part){.process = process,
								 .pid = (uint32_t)numbers[0],
								 .started = numbers[1]}))
			return -1;
	return 0;
}

/* Begins the process of an element of `files`. */
static int begin_file(struct reading *reading, const struct json_value *file)
{
	const char *text = json_find_text(file, "file");
	struct log_text escaped = {.text = text, .length = strlen(text)};
	struct rank_process process = process_of(file, json_find_number(file, "part"));
	struct strbuf path = STRBUF_INIT;
	int index;

	process.summed = true;
	process.started = process.pid ? json_find_number(file, "started") : 0;
	process.records = process.started ? json_find_number(file, "records") : 0;
	unescape_name(escaped, &path);
	index = rank_sums_begin(reading->sums, strbuf_text(&path), &process);
	strbuf_free(&path);
	reading->processes[reading->count++] = (uint32_t)index;
	return index < 0 ? -1 : read_parts(reading->sums, (uint32_t)index, file);
}

static int read_missing(struct rank_sums *sums, const struct json_value *list)
{
	struct strbuf path = STRBUF_INIT, reason = STRBUF_INIT;
	int result = 0;

	for (const struct json_value *at = is_array(list) ? list->first : NULL; at && !result;
	     at = at->next) {
		const char *file = json_find_text(at, "file"), *why = json_find_text(at, "reason");
		struct log_text texts[] = {{.text = file, .length = strlen(file)},
					   {.text = why, .length = strlen(why)}};

		path.length = reason.length = 0;
		unescape_name(texts[0], &path);
		unescape_name(texts[1], &reason);
		result = rank_sums_add_missing(sums, strbuf_text(&path), strbuf_text(&reason));
	}
	strbuf_free(&path);
	strbuf_free(&reason);
	return result;
}

static int read_stored(struct rank_sums *sums, const struct json_value *file, const char *path,
		       struct strbuf *error)
{
	const struct json_value *files = json_find(file, "files");
	struct reading reading = {.sums = sums, .path = path};
	size_t count = 0;
	int result = 0;

	for (const struct json_value *at = files->first; at; at = at->next)
		count++;
	reading.processes = calloc(count + 1, sizeof(*reading.processes));
	if (!reading.processes)
		result = -1;
	for (const struct json_value *at = files->first; at && !result; at = at->next)
		result = begin_file(&reading, at);
	if (!result)
		result = read_missing(sums, json_find(file, "left_out"));
	if (result)
		strbuf_printf(error, "%s has an invalid list of files", path);
	else
		result = read_rows(&reading, file, true, error) ||
					 read_launches(&reading, file, error)
				 ? -1
				 : 0;
	free(reading.processes);
	return result;
}

int rank_read(struct rank_sums *sums, const struct json_value *file, const char *path,
	      struct strbuf *error)
{
	const struct json_value *processes = json_find(file, "processes");
	uint64_t part = 0;

	if (name_filter_check(file, sums->kernels, sums->filter.demangled, path, error))
		return -1;
	if (is_array(json_find(file, "files")))
		return read_stored(sums, file, path, error);
	if (!is_array(processes))
		return read_process(sums, file, path, 0, error);
	for (const struct json_value *at = processes->first; at; at = at->next)
		if (read_process(sums, at, path, part++, error))
			return -1;
	return 0;
}
