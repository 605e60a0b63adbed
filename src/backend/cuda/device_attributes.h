/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_DEVICE_ATTRIBUTES_H
#define BACKEND_CUDA_DEVICE_ATTRIBUTES_H

#include <stdint.h>

#include "backend/cuda/cupti.h"

/* The attributes of the devices, as events. */

/* Reads those of the driver's device `number`. Any thread. */
void device_attributes_read(uint32_t number, cuda_device device);

/* The device has this id in the catalog, UINT32_MAX: none. Any thread; once, after the above. */
void device_attributes_known(uint32_t number, uint32_t id);

/* Delivers those that were read since the last call. Called where sources deliver events. Returns
 * their number. */
uint64_t device_attributes_deliver(void);

#endif
