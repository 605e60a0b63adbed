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

/* Adds an empty group to the list with its key. Returns NULL without memory. */
static struct print_group *add_group(struct print_job *job, uint32_t device, uint32_t context)
{
	struct print_group *group = &job->groups[print_key(job, device, context)];

	if (group->there) {
		while (group->next)
			group = group->next;
		group->next = calloc(1, sizeof(*group));
		group = group->next;
	}
	if (group)
		*group = (struct print_group){.there = true, .device = device, .context = context};
	return group;
}

static void note(struct print_job *job, uint32_t device, uint32_t context, unsigned records)
{
	struct print_group *group;

	if (!print_wanted(job, device, context))
		return;
	group = print_group_of(job, device, context);
	if (!group)
		group = add_group(job, device, context);
	if (group)
		group->records += records;
	else
		job->failed = job->no_memory = true;
}

/* Returns the first group in the list of index `at` or after it, NULL after the last one. */
static const struct print_group *group_from(const struct print_job *job, uint32_t at)
{
	while (at < job->room && !job->groups[at].there)
		at++;
	return at < job->room ? &job->groups[at] : NULL;
}

/* Returns the group after this one; of NULL the first one. */
static const struct print_group *next_group(const struct print_job *job,
					    const struct print_group *group)
{
	if (!group)
		return group_from(job, 0);
	if (group->next)
		return group->next;
	return group_from(job, print_key(job, group->device, group->context) + 1);
}

static void free_groups(struct print_job *job)
{
	for (uint32_t i = 0; job->groups && i < job->room; i++)
		for (struct print_group *group = job->groups[i].next, *next; group; group = next) {
			next = group->next;
			free(group);
		}
	free(job->groups);
}

/* Reads the whole trace once, which completes the catalog. Returns -1 after a message if it has
 * running totals in place of records. */
static int find_groups(struct print_job *job, struct trace_reader *reader)
{
	struct strbuf error = STRBUF_INIT;
	const struct record *record;
	uint64_t lost;
	int result;

	while ((result = trace_next(reader, &record, &error)) > 0)
		note(job, record->device, record->context, 1);
	if (result < 0)
		say("%s: %s", job->path, strbuf_text(&error));
	job->failed |= result < 0;
	if (trace_cut(reader))
		say("%s: %s", job->path, trace_cut_text(trace_cut(reader)));
	lost = trace_lost(reader) - trace_lost_events(reader);
	if (trace_lost(reader) > trace_lost_events(reader))
		say("%s: %llu %s missing", job->path, (unsigned long long)lost,
		    lost == 1 ? "record is" : "records are");
	if (trace_unknown(reader))
		say("%s: " TRACE_UNKNOWN, job->path, (unsigned long long)trace_unknown(reader));
	if (trace_has_totals(reader))
		say(TRACE_OF_TOTALS, job->path);
	strbuf_free(&error);
	return trace_has_totals(reader) ? -1 : 0;
}

static unsigned count_groups(const struct print_job *job)
{
	const struct print_group *group = NULL;
	unsigned count = 0;

	while ((group = next_group(job, group)))
		count++;
	return count;
}

/* Adds the devices or contexts without records, whose logs are empty. */
static void note_idle(struct print_job *job)
{
	const struct context *context;

	for (uint32_t i = 0; (context = catalog_context(job->catalog, i)); i++)
		if (!job->groups[print_key(job, context->device, i)].there)
			note(job, context->device, i, 0);
}

static uint32_t number_of(const struct print_job *job, const struct print_group *group)
{
	if (job->dialect == DIALECT_CLASSIC)
		return catalog_device(job->catalog, group->device)->number;
	return catalog_context(job->catalog, group->context)->index;
}

/* Returns true if there is a log of another device of the context. */
static bool has_sibling(const struct print_job *job, const struct print_group *group)
{
	return job->groups[print_key(job, group->device, group->context)].next;
}

static void say_choices(const struct print_job *job)
{
	const char *option = job->dialect == DIALECT_CLASSIC ? "device" : "context";
	const struct print_group *group = NULL;
	struct strbuf text = STRBUF_INIT;

	while ((group = next_group(job, group))) {
		const struct device *device = catalog_device(job->catalog, group->device);

		strbuf_printf(&text, "%s --%s --%s %u", text.length ? "," : "",
			      api_rows[device->api].word, option, number_of(job, group));
		if (has_sibling(job, group))
			strbuf_printf(&text, " --device %u", device->number);
		strbuf_printf(&text, " (%s)", device->name);
	}
	say("%s contains several logs; use -o 'NAME_%%d.log' or choose one with:%s", job->path,
	    strbuf_text(&text));
	strbuf_free(&text);
}

static bool has_several_apis(const struct print_job *job)
{
	const struct print_group *group = NULL;
	unsigned apis = 0;

	while ((group = next_group(job, group)))
		apis |= 1U << catalog_device(job->catalog, group->device)->api;
	return apis & (apis - 1);
}

/* Names are made as in the library, and all are distinct. */
static void make_name(const struct print_job *job, const struct print_group *group,
		      struct strbuf *name)
{
	const char *pattern = job->flags->value[FLAG_OUTPUT];
	const struct device *device = catalog_device(job->catalog, group->device);
	struct strbuf plain = STRBUF_INIT, tagged = STRBUF_INIT, numbered = STRBUF_INIT;
	char number[16], of_device[16];

	snprintf(number, sizeof(number), "%u", number_of(job, group));
	snprintf(of_device, sizeof(of_device), "%u", device->number);
	filename_expand(&plain, pattern, number_of(job, group), job->catalog->process.pid);
	if (has_several_apis(job))
		filename_tag(&tagged, strbuf_text(&plain), api_rows[device->api].word);
	else
		strbuf_string(&tagged, strbuf_text(&plain));
	if (count_groups(job) > 1 && !filename_has(pattern, 'd'))
		filename_tag(&numbered, strbuf_text(&tagged), number);
	else
		strbuf_string(&numbered, strbuf_text(&tagged));
	if (has_sibling(job, group))
		filename_tag(name, strbuf_text(&numbered), of_device);
	else
		strbuf_string(name, strbuf_text(&numbered));
	strbuf_free(&numbered);
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
		if (!result && strcmp(path, "/dev/null") != 0)
			say("log: %s", path);
	}
	strbuf_free(&name);
	return result;
}

static int write_all(struct print_job *job)
{
	const struct print_group *group = NULL;
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
	if (job->no_memory)
		say("%s: out of memory", job->path);
	while (!result && (group = next_group(job, group)))
		result = job->flags->value[FLAG_OUTPUT] ? write_file(job, group)
							: print_group(job, group, stdout);
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
		done = !find_groups(job, reader) && !write_all(job);
		caller_names_free(job->callers);
		trace_close(reader);
	} else {
		say("%s", error.length ? strbuf_text(&error) : "out of memory");
	}
	strbuf_free(&error);
	free_groups(job);
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
