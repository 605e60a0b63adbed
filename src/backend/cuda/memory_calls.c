/* SPDX-License-Identifier: MIT */
#include "backend/cuda/memory_calls.h"

#include <pthread.h>
#include <string.h>

#include "backend/cuda/calls.h"
#include "backend/cuda/functions.h"
#include "backend/cuda/kernel_parameters.h"
#include "backend/cuda/live_memory.h"
#include "backend/cuda/memory_copies.h"
#include "backend/cuda/pending_uses.h"
#include "base/say.h"

enum kind {
	OTHER,
	ALLOCATE, /* a: address of the address, b: bytes */
	PITCHED,  /* a: address of the address, b: address of the pitch; then width and height */
	GLOBAL,	  /* a: address of the address, b: that of the bytes; both may be NULL */
	REGISTER, /* a: address, b: bytes */
	FREE,	  /* a: address */
	COPY,	  /* a: target, b: source, c: bytes */
	COPY_2D,  /* a: address of a struct; so is the next one */
	COPY_3D,
	FILL,	  /* a: target, c: number of elements, which have `width` bytes */
	FILL_2D,  /* a: target, b: pitch; c: number in a row, then number of rows */
	LAUNCH,	  /* a: function, b: parameters, c: other parameters */
};

enum { NONE = 0xff /* has no such parameter */ };

/* Names without "cu", and without _ptds and _ptsz at the end; where in a struct NAME_params the
 * parameters are. Other versions of a function have other parameters. */
static const struct row {
	char name[26];
	uint8_t kind;
	uint8_t a, b, c;
	uint8_t width;
} rows[] = {
	{"MemAlloc_v2", ALLOCATE, 0, 8, 0, 0},
	{"MemAllocManaged", ALLOCATE, 0, 8, 0, 0},
	{"MemAllocAsync", ALLOCATE, 0, 8, 0, 0},
	{"MemAllocFromPoolAsync", ALLOCATE, 0, 8, 0, 0},
	{"MemHostAlloc", ALLOCATE, 0, 8, 0, 0},
	{"MemAllocHost_v2", ALLOCATE, 0, 8, 0, 0},
	{"MemAllocPitch_v2", PITCHED, 0, 8, 0, 0},
	{"ModuleGetGlobal_v2", GLOBAL, 0, 8, 0, 0},
	{"LibraryGetGlobal", GLOBAL, 0, 8, 0, 0},
	{"MemHostRegister_v2", REGISTER, 0, 8, 0, 0},
	{"MemFree_v2", FREE, 0, 0, 0, 0},
	{"MemFreeAsync", FREE, 0, 0, 0, 0},
	{"MemFreeHost", FREE, 0, 0, 0, 0},
	{"MemHostUnregister", FREE, 0, 0, 0, 0},
	{"MemcpyHtoD_v2", COPY, 0, 8, 16, 0},
	{"MemcpyDtoH_v2", COPY, 0, 8, 16, 0},
	{"MemcpyDtoD_v2", COPY, 0, 8, 16, 0},
	{"MemcpyHtoDAsync_v2", COPY, 0, 8, 16, 0},
	{"MemcpyDtoHAsync_v2", COPY, 0, 8, 16, 0},
	{"MemcpyDtoDAsync_v2", COPY, 0, 8, 16, 0},
	{"Memcpy", COPY, 0, 8, 16, 0},
	{"MemcpyAsync", COPY, 0, 8, 16, 0},
	{"MemcpyPeer", COPY, 0, 16, 32, 0},
	{"MemcpyPeerAsync", COPY, 0, 16, 32, 0},
	{"MemcpyDtoA_v2", COPY, NONE, 16, 24, 0},
	{"MemcpyHtoA_v2", COPY, NONE, 16, 24, 0},
	{"MemcpyHtoAAsync_v2", COPY, NONE, 16, 24, 0},
	{"MemcpyAtoD_v2", COPY, 0, NONE, 24, 0},
	{"MemcpyAtoH_v2", COPY, 0, NONE, 24, 0},
	{"MemcpyAtoHAsync_v2", COPY, 0, NONE, 24, 0},
	{"Memcpy2D_v2", COPY_2D, 0, 0, 0, 0},
	{"Memcpy2DUnaligned_v2", COPY_2D, 0, 0, 0, 0},
	{"Memcpy2DAsync_v2", COPY_2D, 0, 0, 0, 0},
	{"Memcpy3D_v2", COPY_3D, 0, 0, 0, 0},
	{"Memcpy3DAsync_v2", COPY_3D, 0, 0, 0, 0},
	{"MemsetD8_v2", FILL, 0, 0, 16, 1},
	{"MemsetD16_v2", FILL, 0, 0, 16, 2},
	{"MemsetD32_v2", FILL, 0, 0, 16, 4},
	{"MemsetD8Async", FILL, 0, 0, 16, 1},
	{"MemsetD16Async", FILL, 0, 0, 16, 2},
	{"MemsetD32Async", FILL, 0, 0, 16, 4},
	{"MemsetD2D8_v2", FILL_2D, 0, 8, 24, 1},
	{"MemsetD2D16_v2", FILL_2D, 0, 8, 24, 2},
	{"MemsetD2D32_v2", FILL_2D, 0, 8, 24, 4},
	{"MemsetD2D8Async", FILL_2D, 0, 8, 24, 1},
	{"MemsetD2D16Async", FILL_2D, 0, 8, 24, 2},
	{"MemsetD2D32Async", FILL_2D, 0, 8, 24, 4},
	{"LaunchKernel", LAUNCH, 0, 48, 56, 0},
	{"LaunchCooperativeKernel", LAUNCH, 0, 48, NONE, 0},
	{"LaunchKernelEx", LAUNCH, 8, 16, 24, 0},
};

enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

static uint8_t row_of[CALL_LIMIT]; /* 1 + index of the row; 0: none */

/* Guards live_memory.h. Not held while the driver is called. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static size_t length_without_stream(const char *name)
{
	size_t length = strlen(name);

	if (length > 5 && (!strcmp(name + length - 5, "_ptds") ||
			   !strcmp(name + length - 5, "_ptsz")))
		return length - 5;
	return length;
}

static uint8_t find_row(const char *name)
{
	size_t length = length_without_stream(name);

	if (strncmp(name, "cu", 2) != 0)
		return 0;
	for (uint8_t i = 0; i < ROWS; i++)
		if (strlen(rows[i].name) == length - 2 &&
		    !memcmp(rows[i].name, name + 2, length - 2))
			return (uint8_t)(i + 1);
	return 0;
}

void memory_calls_find(void)
{
	for (uint32_t id = 1; id < CALL_LIMIT; id++) {
		const char *name = NULL;

		if (!cupti.GetCallbackName(CUPTI_DOMAIN_DRIVER, id, &name) && name)
			row_of[id] = find_row(name);
	}
}

bool memory_calls_has(uint32_t callback)
{
	return callback < CALL_LIMIT && row_of[callback];
}

static uint64_t word_at(const void *memory, size_t offset)
{
	uint64_t word = 0;

	if (offset != NONE)
		memcpy(&word, (const char *)memory + offset, sizeof(word));
	return word;
}

static void *pointer_at(const void *memory, size_t offset)
{
	return (void *)(uintptr_t)word_at(memory, offset);
}

static void add(uint64_t address, uint64_t bytes)
{
	pthread_mutex_lock(&lock);
	if (live_memory_add(address, bytes))
		say_no_memory();
	pthread_mutex_unlock(&lock);
}

/* The call has allocated memory. */
static void allocated(const struct row *row, const void *parameters)
{
	const uint64_t *address = pointer_at(parameters, row->a);
	const uint64_t *bytes = pointer_at(parameters, row->b);

	if (row->kind == REGISTER)
		add(word_at(parameters, row->a), word_at(parameters, row->b));
	else if (row->kind == ALLOCATE && address)
		add(*address, word_at(parameters, row->b));
	else if (address && bytes) /* GLOBAL; PITCHED: *bytes per row, and the height at 24 */
		add(*address, *bytes * (row->kind == PITCHED ? word_at(parameters, 24) : 1));
}

static void freed(uint64_t address)
{
	pthread_mutex_lock(&lock);
	live_memory_remove(address);
	pthread_mutex_unlock(&lock);
}

/* A use of memory at `address`; none if this is in no allocation. */
static void use(uint32_t correlation, uint64_t address, struct use use)
{
	const struct live_memory *memory;

	pthread_mutex_lock(&lock);
	memory = live_memory_find(address);
	if (memory) {
		use.address = memory->address;
		use.offset = address - memory->address;
	}
	pthread_mutex_unlock(&lock);
	if (memory)
		pending_uses_add(correlation, &use);
}

static void use_part(uint32_t correlation, const struct memory_part *part, enum use_access access)
{
	if (part->bytes)
		use(correlation, part->address,
		    (struct use){.frame.flags = part->partial ? USE_PARTIAL : 0,
				 .bytes = part->bytes,
				 .access = (uint16_t)access,
				 .argument = USE_NO_ARGUMENT});
}

static void use_copy(uint32_t correlation, const struct row *row, const void *parameters)
{
	struct memory_part from = {.address = word_at(parameters, row->b),
				   .bytes = word_at(parameters, row->c)};
	struct memory_part to = {.address = word_at(parameters, row->a), .bytes = from.bytes};

	if (row->kind == COPY_2D)
		memory_copies_2d(pointer_at(parameters, 0), &from, &to);
	else if (row->kind == COPY_3D)
		memory_copies_3d(pointer_at(parameters, 0), &from, &to);
	use_part(correlation, &from, USE_READ);
	use_part(correlation, &to, USE_WRITE);
}

static void use_fill(uint32_t correlation, const struct row *row, const void *parameters)
{
	uint64_t width = word_at(parameters, row->c) * row->width;
	struct memory_part to = {.address = word_at(parameters, row->a), .bytes = width};

	if (row->kind == FILL_2D)
		to = memory_copies_box(to.address, width, word_at(parameters, row->c + 8), 1,
				       word_at(parameters, row->b), 0);
	use_part(correlation, &to, USE_WRITE);
}

/* Each aligned word of a parameter may be an address. */
static void use_parameter(uint32_t correlation, uint32_t index,
			  const struct kernel_parameter *parameter, const void *value)
{
	uint32_t first = -parameter->offset % sizeof(uint64_t);

	for (uint32_t at = first; at + sizeof(uint64_t) <= parameter->size; at += sizeof(uint64_t))
		use(correlation, word_at(value, at),
		    (struct use){.frame.flags = USE_ASSUMED | USE_PARTIAL,
				 .access = USE_READ_WRITE,
				 .argument = index});
}

enum { EXTRA_END = 0, EXTRA_BUFFER = 1 }; /* CU_LAUNCH_PARAM_... */

/* Returns the buffer of parameters in pairs of a name and a pointer, NULL if there is none. */
static const char *buffer_of(void *const *extra)
{
	for (; extra && (uintptr_t)extra[0] != EXTRA_END; extra += 2)
		if ((uintptr_t)extra[0] == EXTRA_BUFFER)
			return extra[1];
	return NULL;
}

static void use_launch(uint32_t correlation, const struct row *row, const void *given)
{
	void *const *values = pointer_at(given, row->b);
	const char *buffer = values ? NULL : buffer_of(pointer_at(given, row->c));
	const struct kernel_parameters *parameters =
		values || buffer ? kernel_parameters_of(pointer_at(given, row->a)) : NULL;

	for (uint32_t i = 0; parameters && i < parameters->count; i++) {
		const struct kernel_parameter *parameter = &parameters->items[i];
		const void *value = values ? values[i] : buffer + parameter->offset;

		if (value)
			use_parameter(correlation, i, parameter, value);
	}
}

static void use_memory(const struct row *row, const struct cupti_call *call)
{
	uint32_t correlation = call->correlation;

	if (row->kind == LAUNCH)
		use_launch(correlation, row, call->parameters);
	else if (row->kind == FILL || row->kind == FILL_2D)
		use_fill(correlation, row, call->parameters);
	else
		use_copy(correlation, row, call->parameters);
}

static bool has_failed(const struct cupti_call *call)
{
	int result = 0;

	if (call->result)
		memcpy(&result, call->result, sizeof(result));
	return result;
}

void memory_calls_note(uint32_t callback, const struct cupti_call *call, bool records)
{
	const struct row *row =
		memory_calls_has(callback) ? &rows[row_of[callback] - 1] : NULL;
	bool entering = call->site == CUPTI_ENTER;

	if (entering && calls_need_flush(calls_kind(CUPTI_DOMAIN_DRIVER, callback)))
		kernel_parameters_forget();
	if (!row)
		return;
	if (row->kind == FREE) {
		if (entering)
			freed(word_at(call->parameters, row->a));
	} else if (row->kind <= REGISTER) {
		if (!entering && !has_failed(call))
			allocated(row, call->parameters);
	} else if (entering && records && call->correlation) {
		use_memory(row, call);
	} else if (!entering && has_failed(call)) {
		pending_uses_drop(call->correlation);
	}
}
