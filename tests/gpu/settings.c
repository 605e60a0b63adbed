/* SPDX-License-Identifier: MIT */
#include "settings.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner.h"

enum { MOST = 512 };

static const char all_columns[] = "timestamp\n"
				  "gpustarttimestamp\n"
				  "gpuendtimestamp\n"
				  "gridsize3d\n"
				  "threadblocksize\n"
				  "dynsmemperblock\n"
				  "stasmemperblock\n"
				  "regperthread\n"
				  "streamid\n"
				  "cacheconfigexecuted\n"
				  "cacheconfigrequested\n"
				  "memtransfersize\n"
				  "memtransferdir\n"
				  "memtransferhostmemtype\n";

static const char *const removed[] = {
	"LD_PRELOAD=",	"CUDA_INJECTION64_PATH=", "COMPUTE_PROFILE",
	"CUDA_PROFILE", "OPENCL_PROFILE",	  "OPENCL_LAYERS=",
	NULL,
};

static bool is_removed(const char *word)
{
	for (const char *const *prefix = removed; *prefix; prefix++) {
		if (!strncmp(word, *prefix, strlen(*prefix)))
			return true;
	}
	return false;
}

static void __attribute__((format(printf, 2, 3))) add(char **list, const char *format, ...)
{
	size_t count = 0;
	va_list arguments;

	while (list[count])
		count++;
	va_start(arguments, format);
	if (count + 1 < MOST && vasprintf(&list[count], format, arguments) < 0)
		list[count] = NULL;
	va_end(arguments);
}

static char **inherited(const struct part *part)
{
	char **list = calloc(MOST, sizeof(*list));

	for (char **word = environ; *word; word++) {
		if (!is_removed(*word) &&
		    !(part->flags & PART_SEARCH && !strncmp(*word, "COMPUTEPROF_CUPTI=", 18)))
			add(list, "%s", *word);
	}
	return list;
}

char **settings_alone(const struct part *part)
{
	char **list = inherited(part);
	char *witness = part->flags & PART_WITNESS ? runner_beside("witness.so") : NULL;

	if (witness && part->flags & PART_ARMED)
		add(list, "LD_PRELOAD=%s", witness);
	else if (witness)
		add(list, "CUDA_INJECTION64_PATH=%s", witness);
	free(witness);
	return list;
}

static void write_config(const struct part *part, const char *folder)
{
	char path[512];
	FILE *file;

	snprintf(path, sizeof(path), "%s/config", folder);
	file = fopen(path, "w");
	if (!file)
		return;
	fprintf(file, "%s%s", part->flags & PART_FEW ? "gridsize\n" : all_columns,
		part->config ? part->config : "");
	fclose(file);
}

/* Puts the recorder between the profiler and CUPTI, unless that is done already. */
static void record(char **list)
{
	const char *cupti = getenv("COMPUTEPROF_CUPTI");
	char *recorder = runner_beside("recorder.so");

	if (!cupti || !recorder || getenv("RECORDER_CUPTI"))
		goto done;
	for (char **word = list; *word; word++) {
		if (strncmp(*word, "COMPUTEPROF_CUPTI=", 18) != 0)
			continue;
		free(*word);
		if (asprintf(word, "COMPUTEPROF_CUPTI=%s", recorder) < 0)
			abort();
	}
	add(list, "RECORDER_CUPTI=%s", cupti);
	add(list, "RECORDER_DUMP=buffers.%%p");
	add(list, "RECORDER_IMAGES=images.%%p");
done:
	free(recorder);
}

char **settings_profiled(const struct part *part, const char *folder)
{
	const char *preload = getenv("COMPUTEPROF_PRELOAD");
	char **list = inherited(part);

	write_config(part, folder);
	if (!(part->flags & PART_TOOL))
		add(list, "LD_PRELOAD=%s", preload ? preload : getenv("COMPUTEPROF_LIBRARY"));
	if (part->flags & PART_RECORDED)
		record(list);
	add(list, "COMPUTE_PROFILE=1");
	add(list, "COMPUTE_PROFILE_CSV=1");
	add(list, "COMPUTE_PROFILE_CONFIG=config");
	add(list, "COMPUTE_PROFILE_LOG=log.%%p.%%d");
	if (part->environment)
		add(list, "%s", part->environment);
	return list;
}

void settings_free(char **environment)
{
	for (char **word = environment; *word; word++)
		free(*word);
	free(environment);
}

double settings_slow(void)
{
	const char *text = getenv("CONFORMANCE_SLOW");
	double factor = text ? strtod(text, NULL) : 1;

	return factor > 1 ? factor : 1;
}
