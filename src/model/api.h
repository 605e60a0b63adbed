/* SPDX-License-Identifier: MIT */
#ifndef MODEL_API_H
#define MODEL_API_H

#include <stdbool.h>
#include <stdint.h>

#include "model/record.h"

/* The words for what a launch is divided into: OpenCL's, and those of CUDA. */
enum terms { TERMS_WORK_GROUPS, TERMS_BLOCKS, TERMS_COUNT };

/*
 * What differs between the APIs (api.def). No other source outside the back ends names one of them.
 */
struct api_row {
	const char *name;   /* in messages, tables and timelines */
	const char *word;   /* in names of options and of files */
	const char *header; /* in a log's header: # HEADER_PROFILE_LOG_VERSION 2.0 */
	const char *variable; /* that switches it on; _LOG, _CSV and _CONFIG follow it in others */
	const char *cuda4_log; /* name pattern of the log in dialect cuda4 */
	const char *queue;     /* what its commands wait in */
	const char *function_prefix; /* of its functions and of no other API's, or NULL */
	const char *copies[DIRECTION_COUNT]; /* method of a copy of which the direction is known */
	enum terms terms;      /* that its columns are named in */
	bool names_device;     /* classic logs have the device as DEVICE_NAME */
	bool has_factor;       /* classic logs have a TIMESTAMPFACTOR */
	bool has_counters;     /* hardware counters can be read */
	uint8_t compute_kind;  /* CUpti_ActivityComputeApiKind, 0: CUPTI does not know it */
	int32_t not_ready;     /* result of a call that has not failed, but asks again; 0: none */
};

/* By enum api; the last row is that of a number that is none. */
extern const struct api_row api_rows[API_COUNT + 1];

/* What is assumed where nothing says the API: of nvprof's files and of ranges of the host. */
#define API_ASSUMED API_CUDA

static inline const struct api_row *api_row(unsigned int api)
{
	return &api_rows[api < API_COUNT ? api : API_COUNT];
}

/* The API that has counters, as far as there is one. */
enum api api_with_counters(void);

#endif
