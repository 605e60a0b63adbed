/* SPDX-License-Identifier: MIT */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dl_iterate_phdr */
#endif
#include "backend/sampling/safe_point.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/linkage.h"
#include "base/unwind.h"

enum {
	UNSAFE = 8,    /* objects at most */
	OUTERMOST = 3, /* frames that may be in the C library: it calls main() */
};

struct code {
	uintptr_t start;
	uintptr_t end;
};

static struct code unsafe[UNSAFE];
static size_t unsafe_count;

/* In a program at a fixed address, a function of another object may have the address of the
 * program's own entry for it in its linkage table: its symbol has an address, but no section. */
static bool is_linkage_entry(const void *function)
{
	int (*find)(const void *, Dl_info *, void **, int);
	ElfW(Sym) *symbol = NULL;
	Dl_info found;

	*(void **)&find = dlsym(RTLD_DEFAULT, "dladdr1"); /* glibc's */
	return find && function && find(function, &found, (void **)&symbol, RTLD_DL_SYMENT) &&
	       symbol && symbol->st_shndx == SHN_UNDEF;
}

static uintptr_t find_function(const char *name)
{
	void *function = dlsym(RTLD_DEFAULT, name);

	if (is_linkage_entry(function))
		function = dlsym(RTLD_NEXT, name);
	return (uintptr_t)function;
}

/* One of the functions is in the object. */
static bool is_unsafe(const struct dl_phdr_info *object)
{
	/* pthread_create is this library's. */
	static const char names[][16] = {"malloc", "free", "pthread_join",
					 "dlopen", "exit", "__tls_get_addr"};
	const struct linkage linkage = {
		.base = object->dlpi_addr,
		.headers = object->dlpi_phdr,
		.header_count = object->dlpi_phnum,
	};

	if (linkage_has(&linkage, (uintptr_t)&unsafe_count))
		return true;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (linkage_has(&linkage, find_function(names[i])))
			return true;
	return false;
}

static int add_object(struct dl_phdr_info *object, size_t size, void *nothing)
{
	struct code code = {.start = UINTPTR_MAX};

	(void)size;
	(void)nothing;
	if (unsafe_count == UNSAFE || !is_unsafe(object))
		return 0;
	for (int i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &object->dlpi_phdr[i];
		uintptr_t start = object->dlpi_addr + header->p_vaddr;

		if (header->p_type != PT_LOAD)
			continue;
		if (start < code.start)
			code.start = start;
		if (start + header->p_memsz > code.end)
			code.end = start + header->p_memsz;
	}
	unsafe[unsafe_count++] = code;
	return 0;
}

void safe_point_init(void)
{
	if (!unsafe_count)
		dl_iterate_phdr(add_object, NULL);
}

static bool is_in_unsafe(uintptr_t address)
{
	for (size_t i = 0; i < unsafe_count; i++)
		if (address >= unsafe[i].start && address < unsafe[i].end)
			return true;
	return false;
}

bool safe_point_is(const uintptr_t *frames, size_t count)
{
	bool ends = false;

	for (size_t i = 0; i < count; i++) {
		if (!is_in_unsafe(frames[i]))
			continue;
		if (i + OUTERMOST < count)
			return false;
		ends = true;
	}
	return ends;
}

struct look {
	struct unwind_visitor visitor;
	size_t frames;
	size_t first;	/* frame in these objects; SIZE_MAX: none has been seen */
	bool outermost; /* the frame that was seen last is the outermost one */
};

/* Counts each frame, but keeps none in `pcs`, so the walk reaches the end of any stack. */
static size_t see(struct unwind_visitor *visitor, uintptr_t *pcs, size_t count, uintptr_t low,
		  uintptr_t high)
{
	struct look *look = (struct look *)(void *)visitor;

	(void)low;
	if (look->first == SIZE_MAX && is_in_unsafe(pcs[count - 1]))
		look->first = look->frames;
	look->frames++;
	look->outermost = high == UINTPTR_MAX;
	return count - 1;
}

bool safe_point_is_at(const void *context)
{
	struct look look = {.visitor = {.visit = see}, .first = SIZE_MAX};
	uintptr_t room[2];

	unwind_context(context, room, sizeof(room) / sizeof(*room), &look.visitor);
	return look.outermost && look.first != SIZE_MAX && look.first + OUTERMOST >= look.frames;
}
