/* SPDX-License-Identifier: MIT */
#include "backend/opencl/apicalls.h"

#include <stdint.h>

#include "backend/opencl/callscope.h"
#include "backend/opencl/extension.h"
#include "backend/opencl/functions.h"
#include "backend/opencl/traced.h"
#include "backend/opencl/used.h"

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
/* clang-format on */

/* The function that the call is passed on to: the one that makes another event of it, otherwise the
 * wrapper, otherwise the driver's. */
#define INNER_WRAP(name)	profiled_##name
#define INNER_USE(name)		next.name
#define INNER_EXTENSION(name)	extension_##name
#define GOES_ON_PLAIN(way, name) INNER_##way(name)
#define GOES_ON_USES(way, name)	 INNER_##way(name)
#define GOES_ON_COMMAND(way, name) INNER_##way(name)
#define GOES_ON_EVENT(way, name) traced_##name

#define BEGIN_PLAIN   callscope_begin
#define BEGIN_USES    callscope_begin
#define BEGIN_COMMAND callscope_begin_command
#define BEGIN_EVENT   callscope_begin

/* Their last parameter is a1. */
#define RESULT_CODE    value
#define RESULT_OBJECT  (a1 ? *a1 : value ? 0 : INT32_MIN)
#define RESULT_POINTER (value ? 0 : INT32_MIN)

#define CALLED(function, begin, inner, result, name, type, count, ...)                             \
	type CL_API_CALL function(PARAMETERS_##count(__VA_ARGS__))                                 \
	{                                                                                          \
		static _Atomic uint32_t id;                                                        \
		struct callscope window;                                                           \
		type value;                                                                        \
                                                                                                   \
		begin(&window, __builtin_return_address(0));                                       \
		value = inner(ARGUMENTS_##count);                                                  \
		callscope_end(&window, #name, &id, result);                                        \
		return value;                                                                      \
	}
#define CALLED_CODE(function, begin, inner, ...)                                                   \
	CALLED(function, begin, inner, RESULT_CODE, __VA_ARGS__)
#define CALLED_OBJECT(function, begin, inner, ...)                                                 \
	CALLED(function, begin, inner, RESULT_OBJECT, __VA_ARGS__)
#define CALLED_POINTER(function, begin, inner, ...)                                                \
	CALLED(function, begin, inner, RESULT_POINTER, __VA_ARGS__)
#define CALLED_NOTHING(function, begin, inner, name, type, count, ...)                             \
	type CL_API_CALL function(PARAMETERS_##count(__VA_ARGS__))                                 \
	{                                                                                          \
		static _Atomic uint32_t id;                                                        \
		struct callscope window;                                                           \
                                                                                                   \
		begin(&window, __builtin_return_address(0));                                       \
		inner(ARGUMENTS_##count);                                                          \
		callscope_end(&window, #name, &id, 0);                                             \
	}
#define ENTRY(way, event, result, name, ...)                                                       \
	CALLED_##result(called_##name, BEGIN_##event, GOES_ON_##event(way, name), name, __VA_ARGS__)
#include "backend/opencl/functions.def"

#define USES_PLAIN(...)
#define USES_EVENT(...)
#define USES_USES(result, name, ...)                                                               \
	static __typeof__(name) with_uses_##name;                                                  \
	CALLED_##result(with_uses_##name, callscope_begin, used_##name, name, __VA_ARGS__)
#define USES_COMMAND USES_USES
#define ENTRY(way, event, result, ...) USES_##event(result, __VA_ARGS__)
#include "backend/opencl/functions.def"
#undef USES_USES

/* No table: each of its pointers would need a relocation at the start of every program. */
void (*apicalls_with_uses(void (*called)(void)))(void)
{
#define USES_USES(name)                                                                            \
	if (called == (void (*)(void))called_##name)                                               \
		return (void (*)(void))with_uses_##name;
#define ENTRY(way, event, result, name, ...) USES_##event(name)
#include "backend/opencl/functions.def"
	return called;
}
