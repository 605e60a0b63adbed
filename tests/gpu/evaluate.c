/* SPDX-License-Identifier: MIT */
#include "evaluate.h"

#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cuda/counters/hostapi.h"
#include "cuptilib.h"
#include "imagefile.h"
#include "tap.h"
#include "work.h"

enum { MOST_METRICS = 256 };

struct evaluator {
	int (*initialize)(struct host_initialize *parameters);
	int (*evaluate)(struct host_evaluate *parameters);
	int (*deinitialize)(struct host_deinitialize *parameters);
};

/* Pieces in the order of the file, each in separate memory: CUPTI requires aligned images. */
struct pieces {
	FILE *file;
	struct imagefile_head head;
	char *chip;
	uint8_t *data;
	size_t data_bytes;
	uint8_t *piece; /* the last piece of another kind */
};

struct values {
	uint64_t range;
	uint64_t count;
	const double *recorded;
	const char *names[MOST_METRICS];
};

static bool read_piece(struct pieces *pieces)
{
	uint64_t bytes = 0;

	if (fread(&pieces->head, sizeof(pieces->head), 1, pieces->file) != 1)
		return false;
	bytes = pieces->head.bytes;
	free(pieces->piece);
	pieces->piece = bytes < 1 << 24 ? calloc(1, bytes + 1) : NULL;
	if (!pieces->piece || fread(pieces->piece, bytes, 1, pieces->file) != (bytes > 0))
		return false;
	if (!strcmp(pieces->head.kind, "chip")) {
		free(pieces->chip);
		pieces->chip = (char *)pieces->piece;
		pieces->piece = NULL;
	} else if (!strcmp(pieces->head.kind, "data")) {
		free(pieces->data);
		pieces->data = pieces->piece;
		pieces->data_bytes = bytes;
		pieces->piece = NULL;
	}
	return true;
}

static void close_pieces(struct pieces *pieces)
{
	if (pieces->file)
		fclose(pieces->file);
	free(pieces->chip);
	free(pieces->data);
	free(pieces->piece);
}

/* Reads the piece as values; false if it is of another kind or damaged. */
static bool take_values(const struct pieces *pieces, struct values *values)
{
	uint64_t numbers[2], bytes = pieces->head.bytes;
	const char *name, *end = (const char *)pieces->piece + bytes;

	if (strcmp(pieces->head.kind, "values") || bytes < sizeof(numbers))
		return false;
	memcpy(numbers, pieces->piece, sizeof(numbers));
	values->range = numbers[0];
	values->count = numbers[1];
	if (values->count > MOST_METRICS ||
	    bytes < sizeof(numbers) + values->count * sizeof(double))
		return false;
	values->recorded = (const double *)(const void *)(pieces->piece + sizeof(numbers));
	name = (const char *)(values->recorded + values->count);
	for (uint64_t i = 0; i < values->count; i++, name += strlen(name) + 1) {
		if (name >= end)
			return false;
		values->names[i] = name;
	}
	return true;
}

static bool fill(struct evaluator *cupti)
{
	struct cuptilib library;
	void *handle = cuptilib_open(&library) ? NULL : dlopen(library.path, RTLD_NOW);

	if (!handle)
		return false;
	*(void **)&cupti->initialize = dlsym(handle, "cuptiProfilerHostInitialize");
	*(void **)&cupti->evaluate = dlsym(handle, "cuptiProfilerHostEvaluateToGpuValues");
	*(void **)&cupti->deinitialize = dlsym(handle, "cuptiProfilerHostDeinitialize");
	return cupti->initialize && cupti->evaluate && cupti->deinitialize;
}

static bool same(double one, double other)
{
	return (isnan(one) && isnan(other)) || one == other ||
	       fabs(one - other) <= 1e-9 * fmax(fabs(one), fabs(other));
}

static void compare(const struct evaluator *cupti, const struct pieces *pieces,
		    const struct values *values)
{
	struct host_initialize begin = {.size = sizeof(begin), .chip = pieces->chip};
	double found[MOST_METRICS] = {0};
	struct host_evaluate call = {.size = sizeof(call),
				     .data = pieces->data,
				     .bytes = pieces->data_bytes,
				     .range = values->range,
				     .metrics = values->names,
				     .count = values->count,
				     .values = found};
	struct host_deinitialize end = {.size = sizeof(end)};
	size_t others = 0;
	int result = cupti->initialize(&begin);

	call.object = end.object = begin.object;
	if (!result) {
		result = cupti->evaluate(&call);
		cupti->deinitialize(&end);
	}
	for (uint64_t i = 0; !result && i < values->count; i++) {
		if (same(found[i], values->recorded[i]))
			continue;
		tap_note("%s: recorded %.17g, evaluated %.17g", values->names[i],
			 values->recorded[i], found[i]);
		others++;
	}
	tap_result(!result && !others && values->count, "%s, range %llu: %llu metrics (CUPTI: %d)",
		   pieces->chip, (unsigned long long)values->range,
		   (unsigned long long)values->count, result);
}

static bool begin(struct pieces *pieces, const char *path)
{
	*pieces = (struct pieces){.file = fopen(path, "re")};
	if (!pieces->file)
		perror(path);
	return pieces->file;
}

int evaluate_file(const char *path)
{
	struct evaluator cupti = {0};
	struct pieces pieces;
	struct values values;
	size_t count = 0;

	if (!fill(&cupti)) {
		fprintf(stderr, "conformance: no libcupti that evaluates counters\n");
		return WORK_SKIPPED;
	}
	if (!begin(&pieces, path))
		return 1;
	while (read_piece(&pieces)) {
		if (!pieces.piece || !pieces.data || !pieces.chip || !take_values(&pieces, &values))
			continue;
		compare(&cupti, &pieces, &values);
		count++;
	}
	tap_result(count && feof(pieces.file), "%s: %zu ranges", path, count);
	close_pieces(&pieces);
	return tap_finish();
}

int evaluate_show(const char *path)
{
	struct pieces pieces;
	struct values values;

	if (!begin(&pieces, path))
		return 1;
	while (read_piece(&pieces)) {
		printf("%.8s: %llu bytes\n", pieces.head.kind,
		       (unsigned long long)pieces.head.bytes);
		if (!strcmp(pieces.head.kind, "chip"))
			printf("\t%s\n", pieces.chip);
		if (!pieces.piece || !take_values(&pieces, &values))
			continue;
		printf("\trange %llu\n", (unsigned long long)values.range);
		for (uint64_t i = 0; i < values.count; i++)
			printf("\t%s %.17g\n", values.names[i], values.recorded[i]);
	}
	close_pieces(&pieces);
	return 0;
}
