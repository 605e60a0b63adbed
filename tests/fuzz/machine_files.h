/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FUZZ_MACHINE_FILES_H
#define TESTS_FUZZ_MACHINE_FILES_H

#include "machine.h"

/* Internal declarations of the machine, for machine*.c. */
enum { MACHINE_OPENS = 64, MACHINE_LOWEST = 1000 /* descriptor */ };

struct machine_open;

struct machine_file {
	char path[MACHINE_PATH];
	char *bytes; /* MACHINE_ROOM bytes; those after `size` must not be accessed */
	size_t size;
	bool linked;
	const struct machine_open *owner; /* of the lock, or NULL */
};

/* One per descriptor; F_DUPFD moves it instead of duplicating it. */
struct machine_open {
	struct machine_file *file; /* NULL: free */
	size_t offset;
	int flags;
};

extern struct machine_file machine_files[MACHINE_FILES];
extern struct machine_open machine_opens[MACHINE_OPENS];
extern int machine_open_count;
extern size_t machine_room;
extern bool machine_keeps;

struct machine_file *machine_find(const char *path);

/* Makes a new empty file; NULL if there are too many. */
struct machine_file *machine_make(const char *path);
void machine_resize(struct machine_file *file, size_t size);

#if defined(__SANITIZE_ADDRESS__)
#define MACHINE_ADDRESSES 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define MACHINE_ADDRESSES 1
#endif
#endif

#ifdef MACHINE_ADDRESSES
#include <sanitizer/asan_interface.h>
#define machine_allow(bytes, size)  ASAN_UNPOISON_MEMORY_REGION(bytes, size)
#define machine_forbid(bytes, size) ASAN_POISON_MEMORY_REGION(bytes, size)
#else
#define machine_allow(bytes, size)  ((void)(bytes), (void)(size))
#define machine_forbid(bytes, size) ((void)(bytes), (void)(size))
#endif

#endif
