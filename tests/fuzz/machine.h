/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FUZZ_MACHINE_H
#define TESTS_FUZZ_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The simulated machine of the code under test: its files, its memory from mmap, its environment
 * and its name. The linker replaces calls of open, mmap and so on by __wrap_open (-Wl,--wrap), so
 * no input, whatever path it contains, reaches the disk, and system calls are avoided. Between
 * machine_end and machine_begin they are the real ones. Mappings have red zones under the address
 * sanitizer: a file ends at its last byte.
 */
enum {
	MACHINE_FILES = 16,
	MACHINE_ROOM = 1 << 20, /* bytes of a file; a larger one fills the disk */
	MACHINE_PATH = 4096,
	MACHINE_DEVICE = 1, /* st_dev of all files; st_ino counts from 1 in the order of making */
	MACHINE_USER = 1000, /* user id of the process and of the files */
};

/* The boot id, as in a ring file. */
#define MACHINE_BOOT "0123456789abcdef"

void machine_begin(void);

/* Checks that every descriptor was closed and every mapping unmapped. */
void machine_end(void);

/* Makes or replaces a file. */
void machine_put(const char *path, const void *bytes, size_t size);

/* Returns the contents of a file; NULL if it does not exist. Valid until the file is changed. */
const char *machine_get(const char *path, size_t *size);

/* Returns the path of file `index`, from 0; NULL after the last one. A removed file's path is
 * "". */
const char *machine_path(int index);

/* While `keep` is set, unlink reports success without an effect: as if a kill had come before
 * it. */
void machine_keep_files(bool keep);

/* From now on files cannot grow beyond `room` bytes. */
void machine_fill_disk(size_t room);

/* At most 16 variables; both texts must stay valid. Other variables are unset. */
void machine_variable(const char *name, const char *value);
void machine_name(const char *name);

/* For machine_memory.c: whether the machine is active, and the bytes of a descriptor's file from
 * `offset` on, NULL with errno if it has less than `size`. */
bool machine_is_on(void);
char *machine_map(int fd, size_t size, size_t offset);
void machine_memory_end(void);

#endif
