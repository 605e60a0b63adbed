/* SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_driver.h"

/* The exported functions of the driver, its lock and its objects. */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void driver_lock(void)
{
	pthread_mutex_lock(&lock);
}

void driver_unlock(const int *unused)
{
	pthread_mutex_unlock(&lock);
}

void *object_make(enum kind kind, size_t size)
{
	static struct object *newest; /* so that a leak checker finds them all */
	struct object *object = calloc(1, size);

	if (!object)
		abort();
	object->kind = kind;
	object->older = __atomic_load_n(&newest, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(&newest, &object->older, object, false,
					    __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
	return object;
}

bool object_is(const void *object, enum kind kind)
{
	static const char *const names[] = {
		[KIND_CONTEXT] = "context", [KIND_STREAM] = "stream",
		[KIND_MODULE] = "module",   [KIND_FUNCTION] = "function",
		[KIND_EVENT] = "event",	    [KIND_GRAPH] = "graph",
		[KIND_NODE] = "node",	    [KIND_EXECUTABLE] = "executable graph",
	};
	const struct object *given = object;

	if (!given)
		return false;
	if (given->kind != kind)
		complain("something else is used as %s", names[kind]);
	if (__atomic_load_n(&given->released, __ATOMIC_RELAXED))
		complain("use of a released %s", names[kind]);
	return true;
}

/* clang-format off */
/* A parameter list as the members of a struct: what CUPTI calls NAME_params. */
#define FIELDS1(a) a;
#define FIELDS2(a, ...) a; FIELDS1(__VA_ARGS__)
#define FIELDS3(a, ...) a; FIELDS2(__VA_ARGS__)
#define FIELDS4(a, ...) a; FIELDS3(__VA_ARGS__)
#define FIELDS5(a, ...) a; FIELDS4(__VA_ARGS__)
#define FIELDS6(a, ...) a; FIELDS5(__VA_ARGS__)
#define FIELDS7(a, ...) a; FIELDS6(__VA_ARGS__)
#define FIELDS8(a, ...) a; FIELDS7(__VA_ARGS__)
#define FIELDS9(a, ...) a; FIELDS8(__VA_ARGS__)
#define FIELDS10(a, ...) a; FIELDS9(__VA_ARGS__)
#define FIELDS11(a, ...) a; FIELDS10(__VA_ARGS__)
#define TWELFTH(a, b, c, d, e, f, g, h, i, j, k, l, ...) l
#define FIELDS(...) \
	TWELFTH(__VA_ARGS__, FIELDS11, FIELDS10, FIELDS9, FIELDS8, FIELDS7, FIELDS6, FIELDS5, \
		FIELDS4, FIELDS3, FIELDS2, FIELDS1)(__VA_ARGS__)
#define BARE(...) __VA_ARGS__
/* clang-format on */

#define DOOR_OF(number, function, parameters_, arguments, is_query)                                \
	int function parameters_                                                                   \
	{                                                                                          \
		struct {                                                                           \
			FIELDS parameters_                                                         \
		} given = {BARE arguments};                                                        \
		struct call call = {                                                               \
			.id = number, .name = #function, .parameters = &given, .query = is_query}; \
		int result = call_enter(&call);                                                    \
                                                                                                   \
		return result ? result : call_exit(&call, fake_##function arguments);              \
	}
#define CALL(id, name, parameters, arguments)  DOOR_OF(id, name, parameters, arguments, false)
#define QUERY(id, name, parameters, arguments) DOOR_OF(id, name, parameters, arguments, true)
#define PLAIN(number, function)                                                                    \
	int function(void)                                                                         \
	{                                                                                          \
		struct call call = {.id = number, .name = #function};                              \
		int result = call_enter(&call);                                                    \
                                                                                                   \
		return result ? result : call_exit(&call, fake_##function());                      \
	}
#include "cuda.def"
#undef CALL
#undef QUERY
#undef PLAIN

static const struct door {
	const char *name;
	void *function;
} doors[] = {
#define CALL(id, name, parameters, arguments)  {#name, (void *)name},
#define QUERY(id, name, parameters, arguments) {#name, (void *)name},
#define PLAIN(id, name)			       {#name, (void *)name},
#include "cuda.def"
#undef CALL
#undef QUERY
#undef PLAIN
	{NULL, NULL},
};

void *find_function(const char *name)
{
	for (const struct door *door = doors; door->name; door++)
		if (!strcmp(door->name, name))
			return door->function;
	return NULL;
}

/* The driver calls of the runtime's functions; programs of nvcc 13 launch by other functions. */
const struct runtime_call *find_runtime(uint32_t driver)
{
	/* clang-format off */
	static const struct runtime_call calls[] = {
		{243, 20, "cudaMalloc", 0},
		{245, 22, "cudaFree", 0},
		{276, 31, "cudaMemcpy", 0},
		{278, 31, "cudaMemcpy", 0},
		{280, 31, "cudaMemcpy", 0},
		{305, 31, "cudaMemcpy", 0},
		{277, 41, "cudaMemcpyAsync", 0},
		{279, 41, "cudaMemcpyAsync", 0},
		{281, 41, "cudaMemcpyAsync", 0},
		{306, 41, "cudaMemcpyAsync", 0},
		{249, 49, "cudaMemset", 0},
		{251, 49, "cudaMemset", 0},
		{216, 51, "cudaMemsetAsync", 0},
		{220, 51, "cudaMemsetAsync", 0},
		{126, 131, "cudaStreamSynchronize", 0},
		{318, 160, "cudaMemcpyPeer", 0},
		{319, 161, "cudaMemcpyPeerAsync", 0},
		{389, 164, "cudaDeviceReset", 0},
		{545, 164, "cudaDeviceReset", 0},
		{17, 165, "cudaDeviceSynchronize", 0},
		{308, 171, "cudaProfilerStart", 0},
		{309, 172, "cudaProfilerStop", 0},
		{307, 505, "__cudaLaunchKernel", 13},
		{442, 506, "__cudaLaunchKernel_ptsz", 13},
		{307, 211, "cudaLaunchKernel", 0},
		{442, 214, "cudaLaunchKernel_ptsz", 0},
		{397, 215, "cudaMemcpy_ptds", 0},
		{398, 215, "cudaMemcpy_ptds", 0},
		{421, 225, "cudaMemcpyAsync_ptsz", 0},
		{422, 225, "cudaMemcpyAsync_ptsz", 0},
		{477, 269, "cudaLaunchCooperativeKernel", 0},
		{478, 270, "cudaLaunchCooperativeKernel_ptsz", 0},
		{514, 311, "cudaGraphLaunch", 0},
		{515, 312, "cudaGraphLaunch_ptsz", 0},
		{652, 430, "cudaLaunchKernelExC", 0},
		{653, 431, "cudaLaunchKernelExC_ptsz", 0},
		{0, 0, NULL, 0},
	};
	/* clang-format on */

	for (const struct runtime_call *call = calls; call->driver; call++)
		if (call->driver == driver && (!call->nvcc || call->nvcc <= script.runtime))
			return call;
	return NULL;
}

/* With a version, the plain name means the variant that the headers of that version use. */
int fake_cuGetProcAddress(const char *name, void **function, int version, uint64_t flags)
{
	const char *const suffixes[] = {
		flags & 2 ? "_v2_ptsz" : "_v2",	  flags & 2 ? "_v2_ptds" : "_v2",
		version >= 13000 ? "_v4" : "_v2", "_v2",
		flags & 2 ? "_ptsz" : "",	  ""};
	char text[128];

	*function = NULL;
	if (strlen(name) > 100)
		return CUDA_NOT_FOUND;
	if (version >= 13000 && !strcmp(name, "cuCtxCreate"))
		*function = find_function("cuCtxCreate_v4");
	for (size_t i = 0; !*function && i < sizeof(suffixes) / sizeof(*suffixes); i++)
		*function = find_function(strcat(strcpy(text, name), suffixes[i]));
	return *function ? CUDA_DONE : CUDA_NOT_FOUND;
}

int fake_cuGetProcAddress_v2(const char *name, void **function, int version, uint64_t flags,
			     int *status)
{
	int result = fake_cuGetProcAddress(name, function, version, flags);

	if (status)
		*status = result ? 1 : 0;
	return result;
}
