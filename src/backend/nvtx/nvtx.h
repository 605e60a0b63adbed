/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_NVTX_NVTX_H
#define BACKEND_NVTX_NVTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * NVTX: annotations by functions of headers that the program was compiled with. They load the
 * library that NVTX_INJECTION64_PATH names and pass it tables of function pointers.
 *
 * The needed declarations are repeated here, so that building needs no files of NVIDIA.
 * tests/unit/test_nvtx.c compares them with the headers of NVTX 3 if they are installed.
 */
enum nvtx_module { NVTX_CORE = 1, NVTX_CORE2 = 5 };

enum { NVTX_CALLBACKS = 1 /* number of the callback table */ };

struct nvtx_callbacks {
	size_t size;
	/* Returns 1, the module's slots by function number, and their `count`. */
	int (*get)(int module, void (****slots)(void), unsigned int *count);
};

enum nvtx_message { NVTX_ASCII = 1, NVTX_WIDE = 2, NVTX_REGISTERED = 3 };
enum nvtx_color { NVTX_ARGB = 1 };
enum nvtx_payload {
	NVTX_UINT64 = 1,
	NVTX_INT64,
	NVTX_DOUBLE,
	NVTX_UINT32,
	NVTX_INT32,
	NVTX_FLOAT
};

/* nvtxEventAttributes_t, version 2. */
struct nvtx_attributes {
	uint16_t version;
	uint16_t size;
	uint32_t category;
	int32_t color_type;   /* enum nvtx_color */
	uint32_t color;
	int32_t payload_type; /* enum nvtx_payload */
	int32_t reserved;
	union {
		uint64_t uint64;
		int64_t int64;
		double real64;
		uint32_t uint32;
		int32_t int32;
		float real32;
	} payload;
	int32_t message_type; /* enum nvtx_message */
	union {
		const char *text;
		const wchar_t *wide;
		const void *registered;
	} message;
};

/* Called by the library's constructor: sets NVTX_INJECTION64_PATH to the library, unless the user
 * has set it. */
void nvtx_arm(const char *library);

/* computeprof_start and computeprof_stop. */
void nvtx_control(bool on);

#endif
