/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_TIMEBASE_H
#define BACKEND_OPENCL_TIMEBASE_H

#include "backend/opencl/device.h"
#include "model/record.h"

/*
 * Converts the times of `record` from the device's clock to nanoseconds since the epoch. All are
 * shifted by the same amount, so differences stay exact. Drivers do not report their clock, so it
 * is determined at a device's first record and checked again every second. `queued` and `submitted`
 * may both be 0 if no check is due. Not thread-safe.
 */
bool timebase_is_due(const struct record *record); /* a check is due, which needs `queued` */
void timebase_to_epoch(const struct opencl_device *device, struct record *record);

#endif
