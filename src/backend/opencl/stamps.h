/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_STAMPS_H
#define BACKEND_OPENCL_STAMPS_H

#include "backend/opencl/object.h"
#include "model/record.h"

/*
 * Whether the command of `event` is over, and its time stamps, in the device's own clock: as few
 * questions as will do. Some drivers give stamps that are zero or out of order, or give them before
 * the command is over. So all are asked for at a device's first commands and at some of the later
 * ones, and always once one of them was wrong. Else, where nobody wants to know when a command was
 * queued and submitted, these two are 0. Called by one thread at a time.
 */
enum stamps {
	STAMPS_RUNNING, /* it is not over */
	STAMPS_GOOD,    /* in the record */
	STAMPS_BAD,     /* zero or out of order */
	STAMPS_NONE,    /* the driver has none */
	STAMPS_FAILED,  /* the command failed */
};

/* `whole`: when it was queued and submitted is of interest. */
enum stamps stamps_read(cl_event event, struct record *record, bool whole);

#endif
