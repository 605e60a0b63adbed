/* SPDX-License-Identifier: MIT */
#include "cli/copies.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "model/frames.h"
#include "model/totals.h"
#include "output/trace.h"
#include "view/stream/stream.h"

/* A file of a known process. */
struct candidate {
	int index; /* in the list */
	uint32_t pid;
	uint64_t started;
	uint64_t records; /* if another file has this process; and the lowest correlation of */
	uint64_t first;	  /* these, 0 if unknown: a database has numbers of its own; */
	uint64_t hash;	  /* and of the record with it */
	bool totals;	  /* it has running totals */
};

/* Returns true for a trace or a database. Nothing is read from a pipe. */
static bool may_have_process(const char *path, enum copies_of what)
{
	char start[sizeof(TRACE_MAGIC)] = "";
	struct stat status;
	FILE *file = stat(path, &status) || !S_ISREG(status.st_mode) ? NULL : fopen(path, "re");
	size_t length = file ? fread(start, 1, sizeof(start), file) : 0;

	if (file)
		fclose(file);
	return (length == sizeof(start) && !memcmp(start, TRACE_MAGIC, sizeof(start))) ||
	       (what == COPIES_OF_ALL && stream_is_database(path));
}

/* Returns false if the process is not known. The first frame of a trace has it. */
static bool look(struct candidate *candidate, const char *path, enum copies_of what)
{
	struct strbuf error = STRBUF_INIT;
	struct stream *stream = may_have_process(path, what) ? stream_open(path, &error) : NULL;
	const struct process *process;
	const struct frame *frame;

	if (stream && !stream_database_path(stream)) {
		stream_want_totals(stream);
		stream_next_frame(stream, &frame, &error);
	}
	process = stream ? &stream_catalog(stream)->process : NULL;
	if (process && process->pid && process->started && !process->part_count) {
		candidate->pid = process->pid;
		candidate->started = process_start(process);
	}
	stream_close(stream);
	strbuf_free(&error);
	return candidate->started;
}

static void count_frame(struct candidate *candidate, const struct frame *frame)
{
	const uint64_t correlation = frame->correlation;
	const void *at = frame;

	candidate->totals |= frame->kind == FRAME_TOTALS;
	if (frame->kind == FRAME_TOTALS && (frame->flags & 0xff) == TOTALS_PROCESS)
		candidate->records += ((const struct totals_process *)at)->records;
	if (!frames_is_record(frame))
		return;
	candidate->records++;
	if (!correlation || (candidate->first && correlation >= candidate->first))
		return;
	candidate->first = correlation;
	candidate->hash = text_hash(at, sizeof(struct record));
}

/* Counts the records up to damage, which is reported when the file is used. */
static void count_records(struct candidate *candidate, const char *path)
{
	struct strbuf error = STRBUF_INIT;
	struct stream *stream = stream_open(path, &error);
	const struct frame *frame;

	if (stream)
		stream_want_totals(stream);
	while (stream && stream_next_frame(stream, &frame, &error) > 0)
		count_frame(candidate, frame);
	if (stream && stream_database_path(stream))
		candidate->first = 0;
	stream_close(stream);
	strbuf_free(&error);
}

static int by_process(const void *left, const void *right)
{
	const struct candidate *one = left, *other = right;

	if (one->pid != other->pid)
		return one->pid < other->pid ? -1 : 1;
	if (one->started != other->started)
		return one->started < other->started ? -1 : 1;
	return one->index - other->index;
}

static bool is_same_process(const struct candidate *one, const struct candidate *other)
{
	return one->pid == other->pid && one->started == other->started;
}

/* Returns true if the records of `one`, of the same process, may be those of `other`. */
static bool overlaps(const struct candidate *one, const struct candidate *other)
{
	return !one->first || !other->first ||
	       (one->first == other->first && one->hash == other->hash);
}

static bool is_better(const struct candidate *one, const struct candidate *other)
{
	return one->records > other->records ||
	       (one->records == other->records && one->index < other->index);
}

/* Returns the sentence, or NULL without memory. */
static char *explain(char *const *list, const struct candidate *copy, const struct candidate *best)
{
	struct strbuf text = STRBUF_INIT;
	char *result;

	if (copy->records == best->records)
		strbuf_printf(&text, "%s has the same process and records as %s", list[copy->index],
			      list[best->index]);
	else
		strbuf_printf(&text, "%s has %llu of the %llu records of %s, the same process",
			      list[copy->index], (unsigned long long)copy->records,
			      (unsigned long long)best->records, list[best->index]);
	result = text.failed ? NULL : strdup(strbuf_text(&text));
	strbuf_free(&text);
	return result;
}

/* Compares the files of one process. Returns -1 without memory. */
static int compare(char *const *list, struct candidate *files, size_t count, enum copies_of what,
		   char **reasons)
{
	size_t kept = 0;
	int result = 0;

	for (size_t i = 0; count > 1 && i < count; i++) {
		count_records(&files[i], list[files[i].index]);
		if (what == COPIES_OF_ALL || !files[i].totals)
			files[kept++] = files[i];
	}
	count = kept;
	for (size_t i = 0; i < count; i++) {
		const struct candidate *best = &files[i];

		for (size_t j = 0; j < count; j++)
			if (overlaps(&files[i], &files[j]) && is_better(&files[j], best))
				best = &files[j];
		if (best == &files[i])
			continue;
		reasons[files[i].index] = explain(list, &files[i], best);
		result |= reasons[files[i].index] ? 0 : -1;
	}
	return result;
}

int copies_find(char *const *list, int count, enum copies_of what, char **reasons)
{
	struct candidate *files = calloc((size_t)count + 1, sizeof(*files));
	size_t found = 0, first = 0;
	int result = files ? 0 : -1;

	memset(reasons, 0, (size_t)count * sizeof(*reasons));
	for (int i = 0; files && i < count; i++) {
		files[found] = (struct candidate){.index = i};
		found += look(&files[found], list[i], what);
	}
	if (found)
		qsort(files, found, sizeof(*files), by_process);
	for (size_t i = 1; i <= found; i++) {
		if (i < found && is_same_process(&files[i], &files[first]))
			continue;
		result |= compare(list, &files[first], i - first, what, reasons);
		first = i;
	}
	free(files);
	return result;
}
