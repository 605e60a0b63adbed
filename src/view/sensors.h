/* SPDX-License-Identifier: MIT */
#ifndef VIEW_SENSORS_H
#define VIEW_SENSORS_H

#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

/* What the sensors of NVIDIA's devices said while a program ran, for the databases of its run. */

/* The numbers of nvprof's table ENVIRONMENT. */
enum sensor_kind {
	SENSOR_SPEED = 1,	/* MHz of multiprocessors and memory, generation and width of PCIe,
				 * reasons for lower clocks */
	SENSOR_TEMPERATURE = 2, /* degrees Celsius */
	SENSOR_POWER = 3,	/* mW, and the limit of it */
	SENSOR_COOLING = 4,	/* percent of the fan's full speed */
};

enum { SENSOR_UUID = 16, SENSOR_VALUES = 5 };

struct sensor_sample {
	uint64_t moment;		 /* ns since 1970 */
	unsigned char uuid[SENSOR_UUID]; /* of the device */
	uint32_t kind;			 /* enum sensor_kind */
	uint32_t values[SENSOR_VALUES];
};

/* `samples` is an array of struct sensor_sample; the caller keeps it. Not for several threads at a
 * time. */
void sensors_set(const struct strbuf *samples);

/* Returns the array, and sets its length. */
const struct sensor_sample *sensors_all(size_t *count);

#endif
