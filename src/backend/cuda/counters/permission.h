/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_COUNTERS_PERMISSION_H
#define BACKEND_CUDA_COUNTERS_PERMISSION_H

#include <stdbool.h>

/*
 * Who may read hardware counters here, as the driver and the system have it: looked up without
 * CUDA, so that the reason can be told where CUPTI's answer is vague, and by the tool. Nothing here
 * keeps anybody from trying.
 */
#define PERMISSION_FILE "/proc/driver/nvidia/params"

enum permission {
	PERMISSION_UNREADABLE, /* errno says why */
	PERMISSION_UNSAID,     /* by a driver before 418 */
	PERMISSION_ALL,	       /* every user may */
	PERMISSION_ADMIN,      /* only those with rights of root's (permission_is_admin) */
};

enum permission permission_of_driver(const char *file);

/* Whether this process has one of the rights that the driver asks for: CAP_SYS_ADMIN or
 * CAP_PERFMON. Root in a container may have none of them. */
bool permission_is_admin(void);

/* What is in /proc/self/status says so. */
bool permission_has_rights(const char *status);

/* Whether CUDA runs through the Multi-Process Service (MPS), under which there are no counters:
 * whether its control daemon lives. `folder`: of its pipes. */
bool permission_is_served(const char *folder);

/* The folder that CUDA would take. */
const char *permission_service(void);

#endif
