/* SPDX-License-Identifier: MIT */
#include "model/catalog.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct process_name process_name(uint32_t pid, uint32_t rank)
{
	struct process_name name;

	if (rank)
		snprintf(name.text, sizeof(name.text), "%u (rank %u)", pid, rank - 1);
	else
		snprintf(name.text, sizeof(name.text), "%u", pid);
	return name;
}

uint64_t process_start(const struct process *process)
{
	return process->started + (uint64_t)process->monotonic_to_epoch;
}

bool process_shares_clock(const struct process *one, const struct process *other)
{
	static const uint8_t unknown[PROCESS_BOOT];

	return memcmp(one->boot, unknown, PROCESS_BOOT) != 0 &&
	       !memcmp(one->boot, other->boot, PROCESS_BOOT);
}

int catalog_init(struct catalog *catalog)
{
	*catalog = (struct catalog){
		.names = names_new(),
		.devices = memory_map(CATALOG_DEVICES * sizeof(struct device)),
		.contexts = memory_map(CATALOG_CONTEXTS * sizeof(struct context)),
		.counters = memory_map(CATALOG_COUNTERS * sizeof(struct counter_set *)),
	};
	if (catalog->names && catalog->devices && catalog->contexts && catalog->counters)
		return 0;
	catalog_free(catalog);
	return -1;
}

void catalog_free(struct catalog *catalog)
{
	for (uint32_t i = 0; i < catalog->counters_count; i++)
		counter_set_free(catalog->counters[i]);
	names_free(catalog->names);
	memory_unmap(catalog->devices, CATALOG_DEVICES * sizeof(struct device));
	memory_unmap(catalog->contexts, CATALOG_CONTEXTS * sizeof(struct context));
	memory_unmap(catalog->counters, CATALOG_COUNTERS * sizeof(struct counter_set *));
	stacks_free(&catalog->stacks);
	if (catalog->process.command)
		memory_unmap(catalog->process.command, PROCESS_COMMAND);
	free(catalog->process.parts);
	*catalog = (struct catalog){0};
}

char *catalog_command(struct catalog *catalog)
{
	if (!catalog->process.command)
		catalog->process.command = memory_map(PROCESS_COMMAND);
	return catalog->process.command;
}

struct process_part *catalog_parts(struct catalog *catalog, uint32_t count)
{
	struct process *process = &catalog->process;

	free(process->parts);
	process->parts = count ? calloc(count, sizeof(*process->parts)) : NULL;
	process->part_count = process->parts ? count : 0;
	return process->parts;
}

int catalog_add_device(struct catalog *catalog, const struct device *device)
{
	uint32_t id = catalog->device_count;
	const char *name;

	if (id >= CATALOG_DEVICES)
		return -1;
	name = names_keep(catalog->names, device->name, strlen(device->name));
	catalog->devices[id] = *device;
	catalog->devices[id].id = id;
	catalog->devices[id].name = name ? name : "";
	__atomic_store_n(&catalog->device_count, id + 1, __ATOMIC_RELEASE);
	return (int)id;
}

int catalog_add_context(struct catalog *catalog, const struct context *context)
{
	uint32_t id = catalog->context_count;

	if (id >= CATALOG_CONTEXTS)
		return -1;
	catalog->contexts[id] = *context;
	catalog->contexts[id].id = id;
	__atomic_store_n(&catalog->context_count, id + 1, __ATOMIC_RELEASE);
	return (int)id;
}

int catalog_add_counters(struct catalog *catalog, const struct counter_set *set)
{
	uint32_t id = catalog->counters_count;
	struct counter_set *copy;

	if (id >= CATALOG_COUNTERS || set->device >= catalog->device_count)
		return -1;
	copy = counter_set_copy(set);
	if (!copy)
		return -1;
	copy->id = id;
	catalog->counters[id] = copy;
	__atomic_store_n(&catalog->counters_count, id + 1, __ATOMIC_RELEASE);
	return (int)id;
}

const struct device *catalog_device(const struct catalog *catalog, uint32_t id)
{
	return id < __atomic_load_n(&catalog->device_count, __ATOMIC_ACQUIRE)
		       ? &catalog->devices[id]
		       : NULL;
}

const struct context *catalog_context(const struct catalog *catalog, uint32_t id)
{
	return id < __atomic_load_n(&catalog->context_count, __ATOMIC_ACQUIRE)
		       ? &catalog->contexts[id]
		       : NULL;
}

const struct counter_set *catalog_counters(const struct catalog *catalog, uint32_t id)
{
	return id < __atomic_load_n(&catalog->counters_count, __ATOMIC_ACQUIRE)
		       ? catalog->counters[id]
		       : NULL;
}

const struct counter_set *catalog_counters_of(const struct catalog *catalog, uint32_t device)
{
	uint32_t id = __atomic_load_n(&catalog->counters_count, __ATOMIC_ACQUIRE);

	while (id--)
		if (catalog->counters[id]->device == device)
			return catalog->counters[id];
	return NULL;
}
