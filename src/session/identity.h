/* SPDX-License-Identifier: MIT */
#ifndef SESSION_IDENTITY_H
#define SESSION_IDENTITY_H

#include <stddef.h>
#include <stdint.h>

/* What tells a process and a boot of the machine from all others. */
enum { IDENTITY_BOOT = 16 };

/* The kernel's identifier of this boot, all zero if it is not known. */
void identity_boot(uint8_t boot[IDENTITY_BOOT]);

/* When the open file was made, CLOCK_REALTIME ns; 0 where the file system does not tell. */
uint64_t identity_born(int fd);

/* Reads the arguments of this process, with a NUL between two, to `to`. Those that need more than
 * `room` bytes end with "..." as the last argument. The length, 0 if they cannot be read. */
size_t identity_command(char *to, size_t room);

/* The start time of process `pid` as the kernel counts it, 0 if there is no such process or it is
 * dead and only waits for its parent to notice. It lives as long as any of its threads, also where
 * the first one is over. */
uint64_t identity_process_start(uint32_t pid);

#endif
