/* SPDX-License-Identifier: MIT */
#ifndef MODEL_API_H
#define MODEL_API_H

#include <stdbool.h>
#include <stdint.h>

#include "model/event.h"

/* The terms for the parts of a launch: those of OpenCL, and those of CUDA. */
enum terms { TERMS_WORK_GROUPS, TERMS_BLOCKS, TERMS_COUNT };

enum { PFLOG_NAME = 25 /* bytes of the longest name of a function in metrics logs */ };

/*
 * The differences between the APIs (api.def). Outside the back ends no other source names an API.
 */
struct api_row {
	const char *name;   /* in messages, tables and timelines */
	const char *word;   /* in names of options and of files */
	const char *header; /* in a log's header: # HEADER_PROFILE_LOG_VERSION 2.0 */
	const char *variable; /* enables it; with _LOG, _CSV and _CONFIG it makes further names */
	const char *cuda4_log; /* name pattern of the log in dialect cuda4 */
	const char *queue;     /* term for a queue of commands */
	const char *function_prefix; /* of its functions only, not of other APIs'; or NULL */
	const char *copies[DIRECTION_COUNT]; /* method of a copy with known direction */
	enum terms terms;      /* in the names of its columns */
	bool names_device;     /* classic logs have a line DEVICE_NAME */
	bool has_factor;       /* classic logs have a TIMESTAMPFACTOR */
	bool has_counters;     /* hardware counters can be read */
	bool one_address_space; /* an address is of one allocation at a time in all contexts */
	bool memory_by_arguments; /* kernels reach memory, but for managed memory, by their
				   * arguments only: not by addresses in other memory */
	bool reports_migrations;  /* events of managed memory can be recorded */
	uint8_t paradigm;	  /* OTF2_Paradigm; 0: OTF2 has none */
	uint8_t compute_kind;  /* CUpti_ActivityComputeApiKind; 0: CUPTI has none */
	/* The functions in metrics logs (output/pflog.def) that memory of each kind (enum
	 * memory_kind) is of; "": it does not count. */
	char allocates[MEMORY_KINDS][PFLOG_NAME];
	char releases[MEMORY_KINDS][PFLOG_NAME];
	int32_t not_ready;     /* "not ready": result of a query that did not fail; 0: none */
};

/* Indexed by enum api; the last row is for invalid numbers. */
extern const struct api_row api_rows[API_COUNT + 1];

/* The default if a file does not have the API: nvprof's files, and ranges of the host. */
#define API_ASSUMED API_CUDA

static inline const struct api_row *api_row(unsigned int api)
{
	return &api_rows[api < API_COUNT ? api : API_COUNT];
}

/* Returns true if a call with this result has failed. A query for the end of a command may return
 * "not ready", which is no failure. */
static inline bool api_is_failure(unsigned int api, int32_t result)
{
	return result && result != api_row(api)->not_ready;
}

/* Returns a number for the address space of the memory: the context, or another number for all
 * contexts of an API. In these, CUPTI may report the release with another context than the
 * allocation: the program has called it in another one, or CUPTI has reported the context only
 * after its first allocations. */
static inline uint32_t api_address_space(const struct allocation *allocation)
{
	if (!api_row(allocation->api)->one_address_space)
		return allocation->context;
	return UINT32_MAX - 1 - allocation->api; /* more than any id of a context */
}

/* The API with counters, if there is one. */
enum api api_with_counters(void);

#endif
