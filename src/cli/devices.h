/* SPDX-License-Identifier: MIT */
#ifndef CLI_DEVICES_H
#define CLI_DEVICES_H

#include "base/strbuf.h"

/*
 * The devices of this machine, numbered as the logs number them. For sandbox_run: each appends
 * lines "API<tab>NUMBER<tab>DEVICE<tab>PLATFORM". 0, or 1 with one sentence in `out` instead when
 * the loader or driver cannot be used; `argument` is ignored.
 */
int devices_opencl(struct strbuf *out, const char *argument);
int devices_cuda(struct strbuf *out, const char *argument);

/* For sandbox_run: appends the compute capability of CUDA device number `argument`, times 10. */
int devices_capability(struct strbuf *out, const char *argument);

/* For sandbox_run: appends a line "NUMBER<tab>CAPABILITY<tab>DEVICE" for each CUDA device; fails as
 * devices_cuda does. */
int devices_capabilities(struct strbuf *out, const char *argument);

#endif
