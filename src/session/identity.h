/* SPDX-License-Identifier: MIT */
#ifndef SESSION_IDENTITY_H
#define SESSION_IDENTITY_H

#include <stddef.h>
#include <stdint.h>

#include "base/boot_id.h"

/* Identifies a process. */

/* Changes a boot id if this process is in a time namespace with an offset of CLOCK_MONOTONIC, which
 * is another clock then. */
void identity_mark_clock(uint8_t boot[BOOT_ID]);

/* Returns the inode number of this process's user namespace, 0 if it is unknown. */
uint64_t identity_user_namespace(void);

/* Returns the inode of the pid namespace of this process, 0 if unknown. */
uint64_t identity_pid_namespace(void);

/* Returns the creation time of the open file, CLOCK_REALTIME ns; 0 if the file system does not
 * store it. */
uint64_t identity_file_created(int fd);

/* Reads the arguments of this process to `to`, separated by NUL. If they exceed `room` bytes, they
 * are cut and end with "..." as the last argument. Returns the length, 0 on failure. */
size_t identity_command(char *to, size_t room);

/* Returns the start time of process `pid` in the kernel's units, 0 if there is no such process
 * or it is a zombie. A process lives as long as any of its threads, even if the first one has
 * ended. */
uint64_t identity_process_start(uint32_t pid);

/* Returns the exit code of this process's main thread, which has ended; 0 if it cannot be read. */
int identity_main_code(void);

#endif
