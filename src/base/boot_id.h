/* SPDX-License-Identifier: MIT */
#ifndef BASE_BOOT_ID_H
#define BASE_BOOT_ID_H

#include <stdint.h>

/* Identifies a boot of the machine. */
enum { BOOT_ID = 16 };

/* Reads the kernel's boot id; all zero if it is unknown. */
void boot_id_read(uint8_t boot[BOOT_ID]);

#endif
