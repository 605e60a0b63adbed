/* SPDX-License-Identifier: MIT */
#include "config.h"
#include "model/api.h"
#include "view/sqlite/nvprof.h"

#include "base/text.h"
#include "view/sqlite/database.h"

/* The preferred number; if another device has it (of the other API), the next free one. */
static uint32_t free_number(const uint32_t *given, uint32_t count, uint32_t wanted)
{
	uint32_t highest = 0;
	bool taken = false;

	for (uint32_t i = 0; i < count; i++) {
		taken |= given[i] == wanted;
		highest = given[i] > highest ? given[i] : highest;
	}
	return taken ? highest + 1 : wanted;
}

static struct nvprof_device *known_device(const struct nvprof *nvprof,
					  const struct nvprof_device *wanted)
{
	struct nvprof_device *list = (void *)nvprof->given.data;
	size_t count = nvprof->given.length / sizeof(*list);

	for (size_t i = 0; i < count; i++)
		if (list[i].name == wanted->name && list[i].api == wanted->api &&
		    list[i].number == wanted->number)
			return &list[i];
	return NULL;
}

/* The preferred number, or the next free one. */
static uint32_t free_device(const struct nvprof *nvprof, uint32_t wanted)
{
	const struct nvprof_device *list = (void *)nvprof->given.data;
	size_t count = nvprof->given.length / sizeof(*list);
	uint32_t highest = 0;
	bool taken = false;

	for (size_t i = 0; i < count; i++) {
		taken |= list[i].given == wanted;
		highest = list[i].given > highest ? list[i].given : highest;
	}
	return taken ? highest + 1 : wanted;
}

static struct nvprof_device device_of(const struct nvprof *nvprof, uint32_t id)
{
	const struct device *device = &nvprof->catalog->devices[id];

	return (struct nvprof_device){
		.name = text_hash(device->name, strlen(device->name)),
		.api = device->api,
		.number = device->number,
	};
}

/* Equal ones of several processes share a row; within a process each has its own row. */
static uint32_t number_device(struct nvprof *nvprof, uint32_t id)
{
	struct nvprof_device device = device_of(nvprof, id);
	const struct nvprof_device *known = known_device(nvprof, &device);

	for (uint32_t i = 0; known && i < id; i++)
		if (nvprof->devices[i] == known->given)
			known = NULL;
	if (known)
		return known->given;
	device.given = free_device(nvprof, device.number);
	strbuf_append(&nvprof->given, &device, sizeof(device));
	return device.given;
}

void nvprof_map_ids(struct nvprof *nvprof)
{
	const struct catalog *catalog = nvprof->catalog;

	for (; nvprof->device_count < catalog->device_count; nvprof->device_count++)
		nvprof->devices[nvprof->device_count] =
			number_device(nvprof, nvprof->device_count);
	for (; nvprof->context_count < catalog->context_count; nvprof->context_count++)
		nvprof->contexts[nvprof->context_count] = free_number(
			nvprof->contexts, nvprof->context_count,
			nvprof->first_context + catalog->contexts[nvprof->context_count].index + 1);
}

void nvprof_begin_process(struct nvprof *nvprof)
{
	const struct process *process = &nvprof->catalog->process;
	bool shared;

	if (nvprof->begun)
		return;
	if (!nvprof->has_first)
		nvprof->first = *process;
	nvprof->has_first = true;
	shared = process_shares_clock(process, &nvprof->first);
	nvprof->begun = true;
	nvprof->origin = 0;
	if (nvprof->form->from_start)
		nvprof->origin = nvprof->first.started +
				 (uint64_t)(shared ? process->monotonic_to_epoch
						   : nvprof->first.monotonic_to_epoch);
}

/* The numbers of the process, and of the machine and process in the form of Nsight Systems: 8 bits
 * for the hardware, 8 for the machine, 24 for the process and 24 for the thread. */
void nvprof_set_process(struct nvprof *nvprof)
{
	uint32_t pid = nvprof->catalog->process.pid;

	nvprof->values[VALUE_PROCESS] = pid;
	nvprof->values[VALUE_MACHINE] = 1;
	nvprof->values[VALUE_MACHINE_ID] = INT64_C(1) << 48;
	nvprof->values[VALUE_GLOBAL_PROCESS] = INT64_C(1) << 48 | (int64_t)(pid & 0xffffff) << 24;
}

/* Whether an earlier process already has a row for this device. */
static bool is_put(struct nvprof *nvprof, uint32_t id)
{
	struct nvprof_device *list = (void *)nvprof->given.data;
	size_t count = nvprof->given.length / sizeof(*list);
	bool before = false;

	for (size_t i = 0; i < count; i++) {
		if (list[i].given != nvprof->devices[id])
			continue;
		before = list[i].is_put;
		list[i].is_put = true;
	}
	return before;
}

static int put_device(struct nvprof *nvprof, uint32_t id, struct strbuf *error)
{
	const struct device *device = catalog_device(nvprof->catalog, id);
	int64_t *values = nvprof->values;

	if (is_put(nvprof, id))
		return 0;
	values[VALUE_DEVICE] = nvprof->devices[id];
	values[VALUE_NAME] = nvprof_string(nvprof, device->name, strlen(device->name), error);
	values[VALUE_MULTIPROCESSORS] =
		device->multiprocessors ? (int64_t)device->multiprocessors : INSERT_UNKNOWN;
	values[VALUE_MAJOR] = device->compute_major ? device->compute_major : INSERT_UNKNOWN;
	values[VALUE_MINOR] = device->compute_major ? device->compute_minor : INSERT_UNKNOWN;
	values[VALUE_API] = api_row(device->api)->compute_kind;
	values[VALUE_NUMBER] = device->number;
	if (values[VALUE_NAME] < 0 || nvprof_put(nvprof, NVPROF_DEVICE, error))
		return -1;
	return nvprof_put(nvprof, NVPROF_OWN_DEVICE, error);
}

static int put_context(struct nvprof *nvprof, uint32_t id, struct strbuf *error)
{
	const struct context *context = catalog_context(nvprof->catalog, id);
	int64_t *values = nvprof->values;

	values[VALUE_CONTEXT] = nvprof->contexts[id];
	values[VALUE_DEVICE] =
		context->device < nvprof->device_count ? nvprof->devices[context->device] : 0;
	values[VALUE_API] = api_row(context->api)->compute_kind;
	values[VALUE_NUMBER] = context->index;
	/* The number that CUDA's default stream has in records. */
	values[VALUE_NULL_STREAM] = api_row(context->api)->terms == TERMS_BLOCKS;
	if (nvprof_put(nvprof, NVPROF_CONTEXT, error))
		return -1;
	return nvprof_put(nvprof, NVPROF_OWN_CONTEXT, error);
}

/* Returns the number of the arguments, joined by blanks; 0 if they are unknown, -1 with one
 * sentence. */
static int64_t command_of(struct nvprof *nvprof, struct strbuf *error)
{
	const struct process *process = &nvprof->catalog->process;
	struct strbuf command = STRBUF_INIT;
	int64_t number;

	if (!process->command_length)
		return 0;
	strbuf_append(&command, process->command, process->command_length);
	for (size_t i = 0; i < command.length; i++)
		if (!command.data[i])
			command.data[i] = ' ';
	number = nvprof_string(nvprof, strbuf_text(&command), command.length, error);
	strbuf_free(&command);
	return number;
}

static int put_process(struct nvprof *nvprof, struct strbuf *error)
{
	enum { PROCESS = 1 }; /* CUpti_ActivityObjectKind */
	static const char tool[] = PACKAGE_STRING;
	const struct process *process = &nvprof->catalog->process;
	int64_t *values = nvprof->values;

	values[VALUE_OBJECT] = PROCESS;
	values[VALUE_STARTED] = (int64_t)(process->started + (uint64_t)process->monotonic_to_epoch);
	values[VALUE_ENDED] = (int64_t)nvprof->last;
	values[VALUE_LOST_EVENTS] = (int64_t)stream_lost_events(nvprof->stream);
	values[VALUE_LOST] = (int64_t)stream_lost(nvprof->stream) - values[VALUE_LOST_EVENTS];
	if (stream_lacks_events(nvprof->stream))
		values[VALUE_LOST_EVENTS] = -1;
	values[VALUE_CUT_OFF] = stream_cut(nvprof->stream);
	if (!values[VALUE_CUT_OFF] && stream_is_cut_off(nvprof->stream))
		values[VALUE_CUT_OFF] = TRACE_CUT_IN_FRAME;
	values[VALUE_TOOL] = nvprof_string(nvprof, tool, strlen(tool), error);
	values[VALUE_COMMAND] = command_of(nvprof, error);
	if (values[VALUE_TOOL] < 0 || values[VALUE_COMMAND] < 0)
		return -1;
	if (values[VALUE_COMMAND] && nvprof_put(nvprof, NVPROF_NAME, error))
		return -1;
	return nvprof_put(nvprof, NVPROF_PROCESS, error);
}

int nvprof_put_catalog(struct nvprof *nvprof, struct strbuf *error)
{
	nvprof_begin_process(nvprof);
	nvprof_map_ids(nvprof);
	nvprof_set_process(nvprof);
	for (uint32_t i = 0; i < nvprof->device_count; i++)
		if (put_device(nvprof, i, error))
			return -1;
	for (uint32_t i = 0; i < nvprof->context_count; i++)
		if (put_context(nvprof, i, error))
			return -1;
	if (put_process(nvprof, error))
		return -1;
	return nvprof->form->each ? database_run(nvprof->database, nvprof->form->each, error) : 0;
}
