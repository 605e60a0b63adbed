/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_CLIENTS_H
#define BACKEND_CUDA_CLIENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backend/cuda/cupti.h"

/*
 * Other CUPTI clients in the program. A process has one pair of functions for the buffers of
 * CUPTI's records, and one set of enabled kinds. CUPTI refuses a second subscriber, but not a
 * client that registers such functions without subscribing: it then gets all records. Libraries
 * that are linked with libcupti call the functions below, because they are in a preloaded
 * library. While CUPTI is used for the log, they return CUPTI_MULTIPLE_SUBSCRIBERS and change
 * nothing; a message is printed once. At other times they call libcupti's functions. A client
 * that looks the functions up in libcupti itself is not refused: takeover.h notices it.
 */

/* Returns true if another client of the program has registered its functions before. */
bool clients_are_first(void);

int cuptiActivityRegisterCallbacks(cupti_buffer_requested *requested,
				   cupti_buffer_completed *completed);
int cuptiActivityRegisterTimestampCallback(uint64_t (*stamp)(void));
int cuptiActivityEnable(uint32_t kind);
int cuptiActivityDisable(uint32_t kind);
int cuptiActivityEnableContext(cuda_context context, uint32_t kind);
int cuptiActivityDisableContext(cuda_context context, uint32_t kind);
int cuptiActivityEnableRuntimeApi(uint32_t callback, uint8_t enable);
int cuptiActivityEnableDriverApi(uint32_t callback, uint8_t enable);
int cuptiFinalize(void);

#endif
