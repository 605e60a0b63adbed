/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_OLD_DEVICES_H
#define BACKEND_CUDA_OLD_DEVICES_H

#include <stdbool.h>

/* The first compute capability, times 10, that CUPTI supports from CUDA 13 on. The drivers of
 * release 580 still run older devices. */
enum { OLD_DEVICES_BEFORE = 75 };

/* Returns true if the program has such a device. Before the driver has started, returns true if the
 * machine has one. Calls the driver. */
bool old_devices_exist(void);

#endif
