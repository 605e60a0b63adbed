/* SPDX-License-Identifier: MIT */
#include "backend/opencl/apicalls.h"

#include <stdint.h>
#include <string.h>

#include "backend/opencl/callwindow.h"
#include "backend/opencl/extension.h"
#include "backend/opencl/functions.h"
#include "backend/opencl/noted.h"

/* clang-format off */
/* A list of N parameters of these types, and the arguments that pass them on. typeof is used
 * because a name cannot follow the type of a function pointer. */
#define TYPED(type, name) __typeof__(type) name
#define PARAMETERS_0() void
#define PARAMETERS_1(t) TYPED(t, a1)
#define PARAMETERS_2(t, ...) TYPED(t, a2), PARAMETERS_1(__VA_ARGS__)
#define PARAMETERS_3(t, ...) TYPED(t, a3), PARAMETERS_2(__VA_ARGS__)
#define PARAMETERS_4(t, ...) TYPED(t, a4), PARAMETERS_3(__VA_ARGS__)
#define PARAMETERS_5(t, ...) TYPED(t, a5), PARAMETERS_4(__VA_ARGS__)
#define PARAMETERS_6(t, ...) TYPED(t, a6), PARAMETERS_5(__VA_ARGS__)
#define PARAMETERS_7(t, ...) TYPED(t, a7), PARAMETERS_6(__VA_ARGS__)
#define PARAMETERS_8(t, ...) TYPED(t, a8), PARAMETERS_7(__VA_ARGS__)
#define PARAMETERS_9(t, ...) TYPED(t, a9), PARAMETERS_8(__VA_ARGS__)
#define PARAMETERS_10(t, ...) TYPED(t, a10), PARAMETERS_9(__VA_ARGS__)
#define PARAMETERS_11(t, ...) TYPED(t, a11), PARAMETERS_10(__VA_ARGS__)
#define PARAMETERS_12(t, ...) TYPED(t, a12), PARAMETERS_11(__VA_ARGS__)
#define PARAMETERS_13(t, ...) TYPED(t, a13), PARAMETERS_12(__VA_ARGS__)
#define PARAMETERS_14(t, ...) TYPED(t, a14), PARAMETERS_13(__VA_ARGS__)
#define PARAMETERS_15(t, ...) TYPED(t, a15), PARAMETERS_14(__VA_ARGS__)
#define PARAMETERS_16(t, ...) TYPED(t, a16), PARAMETERS_15(__VA_ARGS__)
#define ARGUMENTS_0
#define ARGUMENTS_1 a1
#define ARGUMENTS_2 a2, ARGUMENTS_1
#define ARGUMENTS_3 a3, ARGUMENTS_2
#define ARGUMENTS_4 a4, ARGUMENTS_3
#define ARGUMENTS_5 a5, ARGUMENTS_4
#define ARGUMENTS_6 a6, ARGUMENTS_5
#define ARGUMENTS_7 a7, ARGUMENTS_6
#define ARGUMENTS_8 a8, ARGUMENTS_7
#define ARGUMENTS_9 a9, ARGUMENTS_8
#define ARGUMENTS_10 a10, ARGUMENTS_9
#define ARGUMENTS_11 a11, ARGUMENTS_10
#define ARGUMENTS_12 a12, ARGUMENTS_11
#define ARGUMENTS_13 a13, ARGUMENTS_12
#define ARGUMENTS_14 a14, ARGUMENTS_13
#define ARGUMENTS_15 a15, ARGUMENTS_14
#define ARGUMENTS_16 a16, ARGUMENTS_15
#define WORDS_4 uintptr_t, uintptr_t, uintptr_t, uintptr_t
#define WORDS_16 WORDS_4, WORDS_4, WORDS_4, WORDS_4
/* clang-format on */

/* What the call goes on to: the wrapper, or the driver's function. */
#define WRAP(name)                                                                                 \
	static inline __typeof__(&name) inner_##name(void)                                         \
	{                                                                                          \
		return profiled_##name;                                                            \
	}
#define USE(name)                                                                                  \
	static inline __typeof__(&name) inner_##name(void)                                         \
	{                                                                                          \
		return next.name;                                                                  \
	}
#include "backend/opencl/functions.def"
#undef WRAP
#undef USE
#define EXTENSION(name, type, parameters)                                                          \
	static inline __typeof__(&extension_##name) inner_##name(void)                             \
	{                                                                                          \
		return extension_##name;                                                           \
	}
#include "backend/opencl/extensions.def"
#undef EXTENSION

#define CALLED(name, type, count, result, ...)                                                     \
	static type CL_API_CALL called_##name(PARAMETERS_##count(__VA_ARGS__))                     \
	{                                                                                          \
		static _Atomic uint32_t id;                                                        \
		struct callwindow window;                                                          \
		type value;                                                                        \
                                                                                                   \
		callwindow_begin(&window);                                                         \
		value = THROUGH(name)(ARGUMENTS_##count);                                          \
		callwindow_end(&window, #name, &id, result);                                       \
		return value;                                                                      \
	}
/* Their last parameter is a1. */
#define CALL(name, count, ...) CALLED(name, cl_int, count, value, __VA_ARGS__)
#define MAKE(name, type, count, ...)                                                               \
	CALLED(name, type, count, a1 ? *a1 : value ? 0 : INT32_MIN, __VA_ARGS__)
#define FIND(name, type, count, ...) CALLED(name, type, count, value ? 0 : INT32_MIN, __VA_ARGS__)
#define VOID(name, count, ...)                                                                     \
	static void CL_API_CALL called_##name(PARAMETERS_##count(__VA_ARGS__))                     \
	{                                                                                          \
		static _Atomic uint32_t id;                                                        \
		struct callwindow window;                                                          \
                                                                                                   \
		callwindow_begin(&window);                                                         \
		THROUGH(name)(ARGUMENTS_##count);                                                  \
		callwindow_end(&window, #name, &id, 0);                                            \
	}
#define THROUGH(name) inner_##name()
#include "backend/opencl/apicalls.def"
#undef THROUGH
#define THROUGH(name) noted_##name
#include "backend/opencl/noted.def"
#undef THROUGH
#undef CALL
#undef MAKE
#undef FIND
#undef VOID

#define CALL(name, ...) ROW(name)
#define MAKE(name, ...) ROW(name)
#define FIND(name, ...) ROW(name)
#define VOID(name, ...) ROW(name)

/* Without pointers: each of them would be one more relocation at the start of every program. */
static const char names[][48] = {
#define ROW(name) #name,
#include "backend/opencl/apicalls.def"
#include "backend/opencl/noted.def"
#undef ROW
};

static void (*const functions[])(void) = {
#define ROW(name) (void (*)(void))called_##name,
#include "backend/opencl/apicalls.def"
#include "backend/opencl/noted.def"
#undef ROW
};

void (*apicalls_find(const char *name))(void)
{
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		if (!strcmp(names[i], name))
			return functions[i];
	return NULL;
}
