/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_COUNTERS_PERMISSION_H
#define BACKEND_CUDA_COUNTERS_PERMISSION_H

#include <stdbool.h>

/*
 * The permission to read hardware counters, from the driver and the system, without CUDA. The
 * library uses it to explain vague errors of CUPTI; the tool prints it. It does not prevent an
 * attempt.
 */
#define PERMISSION_FILE "/proc/driver/nvidia/params"

enum permission {
	PERMISSION_UNREADABLE, /* errno has the reason */
	PERMISSION_UNSAID,     /* not reported, by a driver before 418 */
	PERMISSION_ALL,	       /* every user may */
	PERMISSION_ADMIN,      /* only processes with admin rights (permission_is_admin) */
};

enum permission permission_of_driver(const char *file);

/* Returns true if this process has CAP_SYS_ADMIN or CAP_PERFMON, which the driver requires. Root in
 * a container may have neither. */
bool permission_is_admin(void);

/* As permission_is_admin, for the text of /proc/self/status. */
bool permission_has_rights(const char *status);

/* Returns true if the control daemon of the Multi-Process Service (MPS) runs. CUDA then uses MPS,
 * which does not support counters. `folder` is the folder of the daemon's pipes. */
bool permission_uses_mps(const char *folder);

/* Returns the folder of pipes that CUDA uses. */
const char *permission_mps_folder(void);

#endif
