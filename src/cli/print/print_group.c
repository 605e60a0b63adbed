/* SPDX-License-Identifier: MIT */
/* Makes one log from a trace, with the output modules of the library. */
#include "cli/print/print.h"

#include "base/number.h"
#include "base/say.h"
#include "output/output.h"
#include "output/tracereader.h"
#include "settings/config.h"
#include "view/stacks/caller_names.h"

static bool matches(const char *wanted, uint32_t number)
{
	return !wanted || number_read(wanted, NULL) == number;
}

bool print_wanted(const struct print_job *job, uint32_t device, uint32_t context)
{
	const struct device *on = catalog_device(job->catalog, device);
	const struct context *in = catalog_context(job->catalog, context);

	return on && in && job->settings[on->api].enabled &&
	       matches(job->flags->value[FLAG_DEVICE], on->number) &&
	       matches(job->flags->value[FLAG_CONTEXT], in->index);
}

uint32_t print_key(const struct print_job *job, uint32_t device, uint32_t context)
{
	return job->dialect == DIALECT_CLASSIC ? device : context;
}

struct print_group *print_group_of(const struct print_job *job, uint32_t device, uint32_t context)
{
	struct print_group *group = &job->groups[print_key(job, device, context)];

	for (; group && group->there; group = group->next)
		if (group->device == device)
			return group;
	return NULL;
}

enum { ENOUGH = 1 << 16 };

static int put(struct strbuf *bytes, FILE *file, size_t least)
{
	if (bytes->failed)
		return -1;
	if (bytes->length <= least)
		return 0;
	if (fwrite(bytes->data, 1, bytes->length, file) != bytes->length)
		return -1;
	bytes->length = 0;
	return 0;
}

static bool belongs(const struct print_job *job, const struct print_group *group,
		    const struct record *record)
{
	const struct settings *settings;
	size_t length;

	if (!print_wanted(job, record->device, record->context) ||
	    print_group_of(job, record->device, record->context) != group)
		return false;
	settings = &job->settings[catalog_device(job->catalog, record->device)->api];
	return record->frame.kind != FRAME_KERNEL ||
	       settings_logs_kernel(settings,
				    names_text(job->catalog->names, record->name, &length));
}

/* Returns true if the record's counter set differs from that of the log's columns. */
static bool is_foreign(const struct counter_set *counters, const struct record *record)
{
	const struct counters_block *found = record_counters(record);

	return found && counters && found->set != counters->id;
}

static int print_rows(struct print_job *job, const struct print_group *group,
		      const struct output_target *target, struct trace_reader *reader, FILE *file)
{
	const struct output *output = output_formats[target->layout.format];
	struct strbuf bytes = STRBUF_INIT, error = STRBUF_INIT;
	const struct record *record;
	uint64_t foreign = 0;
	int result = 0;

	output->open(target, &bytes);
	/* damage was already reported in the first pass over the trace */
	while (!result && trace_next(reader, &record, &error) > 0) {
		if (belongs(job, group, record)) {
			output->write(target, record, &bytes);
			foreign += is_foreign(target->counters, record);
		}
		result = put(&bytes, file, ENOUGH);
	}
	if (foreign)
		say("%s: the program changed its counters: the log has the last ones, and %llu "
		    "records have others",
		    job->path, (unsigned long long)foreign);
	output->close(target, &bytes);
	if (!result)
		result = put(&bytes, file, 0);
	strbuf_free(&bytes);
	strbuf_free(&error);
	return result;
}

static void say_message(void *path, const char *text)
{
	(void)path;
	say("%s", text);
}

/* Returns what names the callers of the log, NULL if it has none, or without memory. */
static const struct output_callers *callers_of(struct print_job *job, const struct layout *layout)
{
	if (!(layout->columns & 1U << COLUMN_ID_CALLER))
		return NULL;
	if (!job->callers && !job->catalog->stacks.node_count)
		say("%s has no call stacks, so the column caller is empty; " STACKS_HOW,
		    job->path);
	if (!job->callers)
		job->callers = caller_names_new(job->catalog, false, say_message, NULL);
	return caller_names_output(job->callers);
}

int print_group(struct print_job *job, const struct print_group *group, FILE *file)
{
	const struct device *device = catalog_device(job->catalog, group->device);
	struct settings *settings = &job->settings[device->api];
	struct output_target target = {
		.layout = settings->layout,
		.catalog = job->catalog,
		.device = device,
		.context = catalog_context(job->catalog, group->context),
		.counters = catalog_counters_of(job->catalog, group->device),
		.callers = callers_of(job, &settings->layout),
		.warnings = strbuf_text(&settings->warnings),
	};
	struct strbuf error = STRBUF_INIT;
	struct trace_reader *reader = trace_open(job->path, &error);
	int result = -1;

	config_say_counters(settings);
	if (reader) {
		result = print_rows(job, group, &target, reader, file);
		trace_close(reader);
	} else {
		say("%s: %s", job->path, strbuf_text(&error));
	}
	strbuf_free(&error);
	return result;
}
