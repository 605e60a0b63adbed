/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_EVENT_TIMES_H
#define BACKEND_OPENCL_EVENT_TIMES_H

#include "backend/opencl/cl.h"
#include "model/record.h"

/*
 * Reads the state and the time stamps, in the device's clock, of the command of `event`, with as
 * few queries as possible. Some drivers return stamps that are zero or out of order, or return them
 * before the command is complete. So the first commands of a device and some later ones are checked
 * fully, and all commands after an invalid stamp. Otherwise, if the queued and submitted times are
 * not used, they are 0. Not thread-safe.
 */
enum stamps {
	STAMPS_RUNNING, /* not complete */
	STAMPS_GOOD,    /* stored in the record */
	STAMPS_BAD,     /* zero or out of order */
	STAMPS_NONE,    /* not provided by the driver */
	STAMPS_FAILED,  /* the command failed */
};

/* `whole`: the queued and submitted times are needed. */
enum stamps event_times_read(cl_event event, struct record *record, bool whole);

#endif
