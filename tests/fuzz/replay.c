/* SPDX-License-Identifier: MIT */
/*
 * Calls a fuzz target without libFuzzer:
 *
 *	replay TARGET FILE...       with the contents of the files, up to the limit of an input
 *	replay TARGET               with its seeds that are not text
 *	replay --bend TARGET FILE   the same, also cut at every offset and with each byte changed
 *	replay --seeds TARGET DIR   writes these seeds to a folder
 *	replay --list               prints the targets
 */
#include <stdbool.h>
#include <string.h>

#include "fuzz.h"

enum { LARGEST = 1 << 20, BENT = 10000 /* the most for one input */, SLOW = 100 };

struct job {
	const char *target;
	const char *folder; /* where seeds are written, or NULL */
	void (*fuzz)(const uint8_t *data, size_t size);
	bool bend;
	unsigned long runs;
};

static const struct target {
	const char *name;
	void (*fuzz)(const uint8_t *data, size_t size);
} targets[] = {
#define TARGET(name) {#name, fuzz_##name},
#include "targets.def"
#undef TARGET
};

enum { TARGETS = sizeof(targets) / sizeof(targets[0]) };

/* In a block that ends at the end of the input. */
static void run(struct job *job, const uint8_t *bytes, size_t size)
{
	uint8_t *copy = calloc(1, size + !size);

	if (size)
		memcpy(copy, bytes, size);
	fuzz_run(job->fuzz, copy, size);
	free(copy);
	job->runs++;
}

static void run_bent(struct job *job, uint8_t *bytes, size_t size)
{
	static const uint8_t others[] = {0x00, 0x01, 0x0a, 0x20, 0x5d, 0x7f, 0xff};
	/* A database takes some milliseconds. */
	size_t most = strcmp(job->target, "database") ? BENT : BENT / SLOW;
	size_t step = size * (sizeof(others) + 1) / most + 1;

	for (size_t i = 0; i < size; i += step) {
		uint8_t kept = bytes[i];

		run(job, bytes, i);
		for (size_t k = 0; k < sizeof(others); k++) {
			bytes[i] = others[k];
			run(job, bytes, size);
		}
		bytes[i] = kept;
	}
}

static void take(void *argument, const char *name, const void *bytes, size_t size)
{
	struct job *job = argument;
	uint8_t *copy;

	if (job->folder) {
		char path[4096];
		FILE *file;

		snprintf(path, sizeof(path), "%s/%s-%s", job->folder, job->target, name);
		file = fopen(path, "w");
		if (!file || fwrite(bytes, 1, size, file) != size || fclose(file))
			exit(2);
		return;
	}
	copy = calloc(1, size + !size);
	if (size)
		memcpy(copy, bytes, size);
	run(job, copy, size);
	if (job->bend)
		run_bent(job, copy, size);
	free(copy);
}

static void take_file(struct job *job, const char *path)
{
	FILE *file = fopen(path, "r");
	char *bytes = malloc(LARGEST);

	if (!file) {
		perror(path);
		exit(2);
	}
	take(job, path, bytes, fread(bytes, 1, LARGEST, file));
	fclose(file);
	free(bytes);
}

static int list(void)
{
	for (int i = 0; i < TARGETS; i++)
		puts(targets[i].name);
	return 0;
}

int main(int count, char **arguments)
{
	struct job job = {0};
	bool seeds = count == 4 && !strcmp(arguments[1], "--seeds");

	if (count == 2 && !strcmp(arguments[1], "--list"))
		return list();
	job.bend = count > 2 && !strcmp(arguments[1], "--bend");
	arguments += 1 + (job.bend || seeds);
	for (int i = 0; *arguments && i < TARGETS; i++)
		if (!strcmp(targets[i].name, *arguments))
			job.fuzz = targets[i].fuzz;
	if (!job.fuzz) {
		fprintf(stderr, "usage: replay [--bend] TARGET FILE..., see replay.c\n");
		return 2;
	}
	job.target = *arguments++;
	job.folder = seeds ? *arguments : NULL;
	if (seeds || !*arguments)
		fuzz_seeds(job.target, take, &job);
	for (; !seeds && *arguments; arguments++)
		take_file(&job, *arguments);
	if (!seeds)
		printf("# %s: %lu inputs\n", job.target, job.runs);
	return 0;
}
