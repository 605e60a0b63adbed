/* SPDX-License-Identifier: MIT */
#ifndef VIEW_FORMAT_SYSTEM_H
#define VIEW_FORMAT_SYSTEM_H

#include "base/strbuf.h"
#include "model/catalog.h"

/* Describe this machine, without control characters. Return 0, or -1 if it is unknown; then nothing
 * is appended. */

/* Returns true if the process has run on this machine, and the machine was not booted since. */
bool system_has_run(const struct process *process);

/* Appends the host's name. */
int system_put_node(struct strbuf *to);

/* Appends the host's name, and the name and release of the kernel. */
int system_put_host(struct strbuf *to);

/* Appends the version of NVIDIA's driver, as the driver gives it. */
int system_put_driver(struct strbuf *to);

#endif
