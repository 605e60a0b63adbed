/* SPDX-License-Identifier: MIT */
#ifndef CLI_DEVICES_H
#define CLI_DEVICES_H

#include "base/strbuf.h"

/*
 * Functions for sandbox_run. They list the devices of this machine, numbered as in the logs. Each
 * appends lines "API<tab>NUMBER<tab>DEVICE<tab>PLATFORM" and returns 0. If the loader or driver
 * cannot be used, it appends one sentence instead and returns 1. `argument` is ignored.
 */
int devices_opencl(struct strbuf *out, const char *argument);
int devices_cuda(struct strbuf *out, const char *argument);

/* For sandbox_run: appends the compute capability, times 10, of CUDA device number `argument`. */
int devices_capability(struct strbuf *out, const char *argument);

/* For sandbox_run: appends a line "NUMBER<tab>CAPABILITY<tab>DEVICE" for each CUDA device. Errors
 * as in devices_cuda. */
int devices_capabilities(struct strbuf *out, const char *argument);

#endif
