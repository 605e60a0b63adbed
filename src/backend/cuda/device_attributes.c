/* SPDX-License-Identifier: MIT */
#include "backend/cuda/device_attributes.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "backend/cuda/functions.h"
#include "base/clock.h"
#include "base/memory.h"
#include "model/event.h"
#include "session/session.h"

enum {
	DEVICES = 256,
	NUMBERS = 192, /* the driver's numbers are below: 13.0 has 144 */
};

static struct read {
	uint64_t moment; /* CLOCK_MONOTONIC ns */
	uint64_t memory; /* 0: not known */
	unsigned char uuid[16];
	bool has_uuid;
	bool is_there[NUMBERS];
	int values[NUMBERS];
	uint32_t id;
	atomic_bool known; /* `id` is set; false again after delivery */
} *_Atomic devices[DEVICES];
static atomic_uint waiting; /* number of devices that are to be delivered */

void device_attributes_read(uint32_t number, cuda_device device)
{
	struct read *read = memory_map(sizeof(*read)), *none = NULL;
	size_t bytes;

	if (!read)
		return;
	read->moment = clock_monotonic();
	for (int i = 1; i < NUMBERS; i++)
		read->is_there[i] = !driver.cuDeviceGetAttribute(&read->values[i], i, device);
	if (driver.cuDeviceTotalMem_v2 && !driver.cuDeviceTotalMem_v2(&bytes, device))
		read->memory = bytes;
	read->has_uuid = driver.cuDeviceGetUuid && !driver.cuDeviceGetUuid(read->uuid, device);
	/* Several threads may read them at the same time. */
	if (!atomic_compare_exchange_strong(&devices[number % DEVICES], &none, read))
		memory_unmap(read, sizeof(*read));
}

void device_attributes_known(uint32_t number, uint32_t id)
{
	struct read *read = atomic_load(&devices[number % DEVICES]);

	if (!read || id == UINT32_MAX)
		return;
	read->id = id;
	atomic_fetch_add(&waiting, 1);
	atomic_store(&read->known, true);
}

static void deliver(const struct read *read, int number, const void *value, size_t size)
{
	struct attribute event = {
		.frame.kind = FRAME_ATTRIBUTE,
		.enter = read->moment,
		.api = API_CUDA,
		.number = (uint16_t)number,
		.device = read->id,
	};

	memcpy(event.value, value, size);
	session_take_event(&event.frame);
}

static uint64_t deliver_all(const struct read *read)
{
	uint64_t count = 0;

	for (int i = 1; i < NUMBERS; i++) {
		int64_t value = read->values[i];

		if (!read->is_there[i])
			continue;
		deliver(read, i, &value, sizeof(value));
		count++;
	}
	if (read->memory)
		deliver(read, ATTRIBUTE_MEMORY, &read->memory, sizeof(read->memory));
	if (read->has_uuid)
		deliver(read, ATTRIBUTE_UUID, read->uuid, sizeof(read->uuid));
	return count + (read->memory > 0) + read->has_uuid;
}

uint64_t device_attributes_deliver(void)
{
	uint64_t count = 0;

	for (int i = 0; i < DEVICES && atomic_load(&waiting); i++) {
		struct read *read = atomic_load(&devices[i]);

		if (!read || !atomic_exchange(&read->known, false))
			continue;
		atomic_fetch_sub(&waiting, 1);
		count += deliver_all(read);
	}
	return count;
}
