/* SPDX-License-Identifier: MIT */
#ifndef TESTS_APP_MARKER_H
#define TESTS_APP_MARKER_H

/*
 * Makes marks like a program that was compiled with the headers of NVTX 3, but without them: loads
 * the library of NVTX_INJECTION64_PATH, which fills in tables of functions.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <wchar.h>

#include "backend/nvtx/nvtx.h"

enum { SLOTS = 16, NO_LIBRARY = 2, NOT_WANTED = 3 };

static void (*functions[2][SLOTS])(void);
static void (**slots[2][SLOTS])(void);

static inline int get(int module, void (****to)(void), unsigned int *count)
{
	if (module != NVTX_CORE && module != NVTX_CORE2)
		return 0;
	*to = slots[module == NVTX_CORE2];
	*count = SLOTS;
	return 1;
}

static inline const void *give(uint32_t table)
{
	static const struct nvtx_callbacks callbacks = {sizeof(callbacks), get};

	return table == NVTX_CALLBACKS ? &callbacks : NULL;
}

/* Returns 0, or the exit code of a program whose marks are not used. */
static inline int marker_load(void)
{
	const char *path = getenv("NVTX_INJECTION64_PATH");
	void *library = path ? dlopen(path, RTLD_LAZY) : NULL;
	int (*init)(const void *(*give)(uint32_t));

	for (int module = 0; module < 2; module++)
		for (int i = 0; i < SLOTS; i++)
			slots[module][i] = &functions[module][i];
	if (!library)
		return NO_LIBRARY;
	*(void **)&init = dlsym(library, "InitializeInjectionNvtx2");
	return init && init(give) ? 0 : NOT_WANTED;
}

#define CORE(number, result, ...)  ((result (*)(__VA_ARGS__))functions[0][number])
#define CORE2(number, result, ...) ((result (*)(__VA_ARGS__))functions[1][number])
#define mark_ex	     CORE(1, void, const struct nvtx_attributes *)
#define mark	     CORE(2, void, const char *)
#define mark_wide    CORE(3, void, const wchar_t *)
#define start_ex     CORE(4, uint64_t, const struct nvtx_attributes *)
#define start	     CORE(5, uint64_t, const char *)
#define end	     CORE(7, void, uint64_t)
#define push	     CORE(9, int, const char *)
#define pop	     CORE(11, int, void)
#define call_it      CORE(12, void, uint32_t, const char *)
#define domain_mark  CORE2(1, void, const void *, const struct nvtx_attributes *)
#define domain_start CORE2(2, uint64_t, const void *, const struct nvtx_attributes *)
#define domain_end   CORE2(3, void, const void *, uint64_t)
#define domain_push  CORE2(4, int, const void *, const struct nvtx_attributes *)
#define domain_pop   CORE2(5, int, const void *)
#define domain_name  CORE2(8, void, const void *, uint32_t, const char *)
#define reg	     CORE2(10, const void *, const void *, const char *)
#define domain	     CORE2(12, const void *, const char *)

#endif
