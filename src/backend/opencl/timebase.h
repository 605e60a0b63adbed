/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_TIMEBASE_H
#define BACKEND_OPENCL_TIMEBASE_H

#include "backend/opencl/object.h"
#include "model/record.h"

/*
 * Turns the times of `record` from the device's clock into nanoseconds since the epoch, all by
 * the same amount, so that differences stay exact. Drivers do not say which clock they use: it is
 * found out at a device's first record, and looked at again every second. `queued` and `submitted`
 * may both be 0 where it is not due. Called by one thread at a time.
 */
bool timebase_is_due(const struct record *record); /* it wants to know when this was queued */
void timebase_to_epoch(const struct opencl_device *device, struct record *record);

#endif
