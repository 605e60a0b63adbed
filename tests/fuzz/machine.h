/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FUZZ_MACHINE_H
#define TESTS_FUZZ_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The machine that the code under test sees: its files, its memory from mmap, its environment and
 * its name. The linker turns its calls of open, mmap and so on into __wrap_open (-Wl,--wrap), so no
 * input, whatever path it has in it, reaches the disk, and nothing costs a system call that need
 * not. Between machine_end and machine_begin all of them are the real ones.
 *
 * What is mapped has red zones under the address sanitizer: a file ends at its last byte.
 */
enum {
	MACHINE_FILES = 16,
	MACHINE_ROOM = 1 << 20, /* bytes of a file; what is more finds the disk full */
	MACHINE_PATH = 4096,
	MACHINE_DEVICE = 1, /* st_dev of all files; st_ino counts from 1 in the order of making */
	MACHINE_USER = 1000, /* who runs the code, and whose the files are */
};

/* The identifier of its boot, as a ring file has it. */
#define MACHINE_BOOT "0123456789abcdef"

void machine_begin(void);

/* Checks that every descriptor was closed and every mapping given back. */
void machine_end(void);

/* Makes a file, or another one in its place. */
void machine_put(const char *path, const void *bytes, size_t size);

/* What is in a file; NULL if it is not there. Valid until the file is changed. */
const char *machine_get(const char *path, size_t *size);

/* The files there are, from 0; NULL behind the last one. A removed file's path is "". */
const char *machine_path(int index);

/* While `keep`, unlink says that it worked, and does nothing: as if a kill had come before it. */
void machine_keep_files(bool keep);

/* Files cannot grow beyond so many bytes from now on. */
void machine_fill_disk(size_t room);

/* At most 16 variables; both texts must stay. Other variables are not set. */
void machine_variable(const char *name, const char *value);
void machine_name(const char *name);

/* For machine_memory.c: whether somebody is on the machine, and the bytes of a file descriptor's
 * file from `offset` on, NULL with errno if it has not `size` of them. */
bool machine_is_on(void);
char *machine_map(int fd, size_t size, size_t offset);
void machine_memory_end(void);

#endif
