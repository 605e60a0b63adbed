/* SPDX-License-Identifier: MIT */
/* Finds the logs in a trace and chooses their names. */
#include "cli/print/print.h"

#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "cli/command.h"
#include "model/api.h"
#include "output/tracereader.h"
#include "settings/filename.h"
#include "view/stacks/caller_names.h"

static void note(struct print_job *job, uint32_t device, uint32_t context, unsigned records)
{
	struct print_group *group;

	if (!print_wanted(job, device, context))
		return;
	group = &job->groups[print_key(job, device, context)];
	if (!group->there)
		*group = (struct print_group){.there = true, .device = device, .context = context};
	group->records += records;
}

/* Reads the whole trace once, which completes the catalog. */
static void find_groups(struct print_job *job, struct trace_reader *reader)
{
	struct strbuf error = STRBUF_INIT;
	const struct record *record;
	uint64_t lost;
	int result;

	while ((result = trace_next(reader, &record, &error)) > 0)
		note(job, record->device, record->context, 1);
	if (result < 0)
		say("%s: %s", job->path, strbuf_text(&error));
	job->failed = result < 0;
	if (trace_cut(reader))
		say("%s: %s", job->path, trace_cut_text(trace_cut(reader)));
	lost = trace_lost(reader) - trace_lost_events(reader);
	if (trace_lost(reader) > trace_lost_events(reader))
		say("%s: %llu %s missing", job->path, (unsigned long long)lost,
		    lost == 1 ? "record is" : "records are");
	if (trace_unknown(reader))
		say("%s: " TRACE_UNKNOWN, job->path, (unsigned long long)trace_unknown(reader));
	strbuf_free(&error);
}

static unsigned count_groups(const struct print_job *job)
{
	unsigned count = 0;

	for (uint32_t i = 0; i < job->room; i++)
		count += job->groups[i].there;
	return count;
}

/* Adds the contexts without records, whose logs are empty. */
static void note_idle(struct print_job *job)
{
	const struct context *context;

	for (uint32_t i = 0; (context = catalog_context(job->catalog, i)); i++)
		note(job, context->device, i, 0);
}

static uint32_t number_of(const struct print_job *job, const struct print_group *group)
{
	if (job->dialect == DIALECT_CLASSIC)
		return catalog_device(job->catalog, group->device)->number;
	return catalog_context(job->catalog, group->context)->index;
}

static void say_choices(const struct print_job *job)
{
	const char *option = job->dialect == DIALECT_CLASSIC ? "device" : "context";
	struct strbuf text = STRBUF_INIT;

	for (uint32_t i = 0; i < job->room; i++) {
		const struct print_group *group = &job->groups[i];
		const struct device *device = catalog_device(job->catalog, group->device);

		if (group->there)
			strbuf_printf(&text, "%s --%s --%s %u (%s)", text.length ? "," : "",
				      api_rows[device->api].word, option, number_of(job, group),
				      device->name);
	}
	say("%s contains several logs; use -o 'NAME_%%d.log' or choose one with:%s", job->path,
	    strbuf_text(&text));
	strbuf_free(&text);
}

static bool has_several_apis(const struct print_job *job)
{
	unsigned apis = 0;

	for (uint32_t i = 0; i < job->room; i++)
		if (job->groups[i].there)
			apis |= 1U << catalog_device(job->catalog, job->groups[i].device)->api;
	return apis & (apis - 1);
}

/* Names are made as in the library, and all are distinct. */
static void make_name(const struct print_job *job, const struct print_group *group,
		      struct strbuf *name)
{
	const char *pattern = job->flags->value[FLAG_OUTPUT];
	const struct device *device = catalog_device(job->catalog, group->device);
	struct strbuf plain = STRBUF_INIT, tagged = STRBUF_INIT;
	char number[16];

	snprintf(number, sizeof(number), "%u", number_of(job, group));
	filename_expand(&plain, pattern, number_of(job, group), job->catalog->process.pid);
	if (has_several_apis(job))
		filename_tag(&tagged, strbuf_text(&plain), api_rows[device->api].word);
	else
		strbuf_string(&tagged, strbuf_text(&plain));
	if (count_groups(job) > 1 && !filename_has(pattern, 'd'))
		filename_tag(name, strbuf_text(&tagged), number);
	else
		strbuf_string(name, strbuf_text(&tagged));
	strbuf_free(&plain);
	strbuf_free(&tagged);
}

static int write_file(struct print_job *job, const struct print_group *group)
{
	struct strbuf name = STRBUF_INIT;
	struct print_output output;
	const char *path;
	int result = -1;

	make_name(job, group, &name);
	path = strbuf_text(&name);
	if (!print_same_file(job->path, path) && !print_open(&output, job->flags, path)) {
		result = print_group(job, group, output.file);
		result = print_close(&output, result);
		if (!result)
			say("log: %s", path);
	}
	strbuf_free(&name);
	return result;
}

static int write_all(struct print_job *job)
{
	unsigned count;
	int result = 0;

	if (job->flags->value[FLAG_OUTPUT] || !count_groups(job))
		note_idle(job);
	count = count_groups(job);
	if (!count) {
		say("%s has no records that match the options", job->path);
		return -1;
	}
	if (!job->flags->value[FLAG_OUTPUT] && count > 1) {
		say_choices(job);
		return -1;
	}
	for (uint32_t i = 0; i < job->room && !result; i++) {
		if (!job->groups[i].there)
			continue;
		result = job->flags->value[FLAG_OUTPUT] ? write_file(job, &job->groups[i])
							: print_group(job, &job->groups[i], stdout);
	}
	return result;
}

static int print_job(struct print_job *job)
{
	struct strbuf error = STRBUF_INIT;
	struct trace_reader *reader;
	bool done = false;

	job->room = job->dialect == DIALECT_CLASSIC ? CATALOG_DEVICES : CATALOG_CONTEXTS;
	job->groups = calloc(job->room, sizeof(*job->groups));
	reader = job->groups ? trace_open(job->path, &error) : NULL;
	if (reader) {
		job->catalog = trace_catalog(reader);
		find_groups(job, reader);
		done = !write_all(job);
		caller_names_free(job->callers);
		trace_close(reader);
	} else {
		say("%s", error.length ? strbuf_text(&error) : "out of memory");
	}
	strbuf_free(&error);
	free(job->groups);
	return done && !job->failed ? EXIT_DONE : EXIT_PROBLEM;
}

int print_trace(const struct flags *flags, const char *path)
{
	struct print_job job = {.flags = flags, .path = path};
	int result = EXIT_TOOL_FAILED;

	if (!flag_check_pattern(flags, FLAG_OUTPUT) && !print_settings(&job))
		result = print_job(&job);

	for (int api = 0; api < API_COUNT; api++)
		settings_free(&job.settings[api]);
	return result;
}
