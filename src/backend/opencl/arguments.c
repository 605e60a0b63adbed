/* SPDX-License-Identifier: MIT */
#include "backend/opencl/arguments.h"

#include <string.h>

#include "backend/opencl/allocation.h"
#include "backend/opencl/flow.h"
#include "backend/opencl/functions.h"
#include "backend/opencl/kernel.h"
#include "backend/opencl/lines.h"
#include "backend/opencl/object.h"
#include "backend/opencl/source_access.h"

/*
 * A kernel has a number, and its arguments are in groups, each an object whose key is made of the
 * kernel's number and its own. Pointers that the kernel uses without an argument are in further
 * groups. Programs may set arguments on one thread and launch on another, but not at once.
 */
enum {
	GROUP = 8,
	GROUP_BITS = 16,
	POINTERS = 1 << (GROUP_BITS - 1), /* the first group of pointers */
	MOST = POINTERS * GROUP,
	IGNORED = 1 << 6, /* the kernel does not use the argument */
	ASKED = 1 << 7,	  /* the driver was asked */
};

struct argument {
	_Atomic uint64_t address; /* of the allocation; 0: not memory */
	_Atomic uint64_t offset;
	_Atomic uint64_t bytes;
	_Atomic uint16_t permitted; /* by the object: enum use_access */
	/* By the kernel or its source: enum use_access or 0, and IGNORED, ASKED. */
	_Atomic uint16_t declared;
	_Atomic uint16_t element; /* flow_patterns.h */
};

struct arguments {
	struct argument items[GROUP];
};

/* The memory of an argument. */
struct value {
	uint64_t address;
	uint64_t offset;
	uint64_t bytes;
	enum use_access permitted;
	bool shared;
};

static const void *key_of(unsigned kernel, unsigned group)
{
	return (const void *)(uintptr_t)((uint64_t)kernel << GROUP_BITS | group);
}

static struct arguments *find(struct opencl_kernel *kernel, unsigned group)
{
	unsigned number = atomic_load(&kernel->values);

	if (!number)
		return NULL;
	if (group)
		return object_find(OBJECT_ARGUMENTS, key_of(number, group));
	return object_find_again(OBJECT_ARGUMENTS, key_of(number, 0), &kernel->first_values);
}

/* Returns the kernel's number, given at the first argument. */
static unsigned number_of(struct opencl_kernel *kernel)
{
	static atomic_uint newest;
	unsigned number = atomic_load(&kernel->values), made;

	if (number)
		return number;
	made = atomic_fetch_add(&newest, 1) + 1;
	return atomic_compare_exchange_strong(&kernel->values, &number, made) ? made : number;
}

static void raise_to(atomic_uint *count, unsigned least)
{
	for (unsigned seen = atomic_load(count); seen < least;)
		if (atomic_compare_exchange_weak(count, &seen, least))
			return;
}

/* Returns the argument, NULL without memory. Without `made` it may also be NULL if it was never
 * set. */
static struct argument *argument_at(struct opencl_kernel *kernel, unsigned group, unsigned index,
				    bool made)
{
	static const struct arguments none;
	struct arguments *group_of;

	group += index / GROUP;
	group_of = find(kernel, group);
	if (!group_of && made)
		group_of = object_put(OBJECT_ARGUMENTS, key_of(number_of(kernel), group), &none,
				      sizeof(none));
	return group_of ? &group_of->items[index % GROUP] : NULL;
}

static void set(struct argument *argument, const struct value *value)
{
	atomic_store_explicit(&argument->offset, value->offset, memory_order_relaxed);
	atomic_store_explicit(&argument->bytes, value->bytes, memory_order_relaxed);
	atomic_store_explicit(&argument->permitted, (uint16_t)value->permitted,
			      memory_order_relaxed);
	atomic_store_explicit(&argument->address, value->address, memory_order_release);
}

/* Returns the access that the kernel declares; 0: none, or the driver does not report it. */
static enum use_access declared_by(cl_kernel handle, cl_uint index)
{
	cl_kernel_arg_access_qualifier access = CL_KERNEL_ARG_ACCESS_NONE;
	cl_kernel_arg_address_qualifier space = CL_KERNEL_ARG_ADDRESS_PRIVATE;
	cl_kernel_arg_type_qualifier type = CL_KERNEL_ARG_TYPE_NONE;
	const struct opencl_device *device = kernel_device(handle);

	/* A loader also calls functions that an older driver lacks. */
	if (!device || device->version < 120 || !next.clGetKernelArgInfo ||
	    next.clGetKernelArgInfo(handle, index, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof(access),
				    &access, NULL) != CL_SUCCESS)
		return 0;
	if (access == CL_KERNEL_ARG_ACCESS_READ_ONLY)
		return USE_READ;
	if (access == CL_KERNEL_ARG_ACCESS_WRITE_ONLY)
		return USE_WRITE;
	if (access == CL_KERNEL_ARG_ACCESS_READ_WRITE)
		return USE_READ_WRITE;
	next.clGetKernelArgInfo(handle, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof(space),
				&space, NULL);
	next.clGetKernelArgInfo(handle, index, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof(type), &type,
				NULL);
	return space == CL_KERNEL_ARG_ADDRESS_CONSTANT || type & CL_KERNEL_ARG_TYPE_CONST ? USE_READ
											  : 0;
}

/* Returns what `declared` has of an argument. */
static uint16_t declaration(struct opencl_kernel *kernel, cl_kernel handle, cl_uint index)
{
	uint64_t bit = index < SOURCE_ARGUMENTS ? UINT64_C(1) << index : 0;
	uint16_t access = (uint16_t)declared_by(handle, index);

	if (!kernel->asked_source)
		kernel->source = source_access(handle);
	kernel->asked_source = true;
	if (!(kernel->source.known & bit))
		return ASKED | access;
	if (!((kernel->source.reads | kernel->source.writes) & bit))
		return ASKED | IGNORED;
	if (!access)
		access = (uint16_t)((kernel->source.reads & bit ? USE_READ : 0) |
				    (kernel->source.writes & bit ? USE_WRITE : 0));
	return ASKED | access;
}

/* `value` is NULL if the argument is not memory. */
static void set_argument(cl_kernel handle, cl_uint index, const struct value *value)
{
	static const struct value none;
	struct opencl_kernel *kernel = kernel_of(handle);
	struct argument *argument =
		kernel && index < MOST ? argument_at(kernel, 0, index, value != NULL) : NULL;

	if (!argument) {
		if (kernel && value)
			kernel->lacks_values = true;
		return;
	}
	if (!value) {
		set(argument, &none);
		return;
	}
	if (!argument->declared) {
		argument->element = flow_is_on() ? flow_element(handle, index) : 0;
		argument->declared = declaration(kernel, handle, index);
	}
	/* A kernel may reach shared virtual memory by pointers in other memory, too. */
	set(argument, (argument->declared & IGNORED) && !value->shared ? &none : value);
	raise_to(&kernel->value_count, index + 1);
}

/* Shared virtual memory is no value of clSetKernelArg, and a handle is the address of an object of
 * the driver. */
static bool find_memory(struct value *value, cl_mem handle)
{
	const struct opencl_memory *memory;

	if ((uintptr_t)handle % sizeof(void *) || (uintptr_t)handle >> 47)
		return false;
	memory = object_find(OBJECT_MEMORY, handle);
	if (!memory || !memory->references || memory->kind == MEMORY_KIND_MANAGED)
		return false;
	*value = (struct value){
		.address = (uintptr_t)(memory->root ? memory->root : handle),
		.offset = memory->origin,
		.bytes = memory->root ? memory->extent : 0,
		.permitted = used_permitted(memory->flags),
	};
	return true;
}

cl_int used_clSetKernelArg(cl_kernel handle, cl_uint index, size_t size, const void *given)
{
	cl_int status = profiled_clSetKernelArg(handle, index, size, given);
	struct value value;
	cl_mem memory = NULL;

	if (status != CL_SUCCESS)
		return status;
	if (size == sizeof(memory) && given)
		memcpy(&memory, given, sizeof(memory));
	set_argument(handle, index, memory && find_memory(&value, memory) ? &value : NULL);
	return status;
}

/* Returns false if the pointer is not in shared virtual memory. The kernel may use all of it. */
static bool find_shared(struct value *value, const void *pointer)
{
	struct used_part part = {.offset = 0};

	*value = (struct value){.address = used_shared(pointer, &part),
				.offset = part.offset,
				.permitted = USE_READ_WRITE,
				.shared = true};
	return value->address;
}

cl_int used_clSetKernelArgSVMPointer(cl_kernel handle, cl_uint index, const void *pointer)
{
	const struct opencl_kernel *kernel = object_find(OBJECT_KERNEL, handle);
	cl_int status = next.clSetKernelArgSVMPointer(handle, index, pointer);
	struct value value;

	if (status == CL_SUCCESS && kernel && kernel->lines)
		lines_set_shared(kernel->lines, index, pointer);
	if (status == CL_SUCCESS)
		set_argument(handle, index, find_shared(&value, pointer) ? &value : NULL);
	return status;
}

/* The pointers replace those of an earlier call. */
static void set_pointers(cl_kernel handle, size_t count, const void *const *pointers)
{
	struct opencl_kernel *kernel = kernel_of(handle);

	if (kernel && count > MOST)
		kernel->lacks_values = true;
	count = count < MOST ? count : MOST;
	for (size_t i = 0; kernel && i < count; i++) {
		struct argument *argument = argument_at(kernel, POINTERS, (unsigned)i, true);
		struct value value;

		if (!argument) {
			kernel->lacks_values = true;
			return;
		}
		find_shared(&value, pointers[i]);
		set(argument, &value);
	}
	if (kernel)
		kernel->pointer_count = (unsigned)count;
}

cl_int used_clSetKernelExecInfo(cl_kernel handle, cl_kernel_exec_info name, size_t size,
				const void *value)
{
	const struct opencl_kernel *kernel = object_find(OBJECT_KERNEL, handle);
	cl_int status = next.clSetKernelExecInfo(handle, name, size, value);

	if (status == CL_SUCCESS && kernel && kernel->lines)
		lines_set_info(kernel->lines, name, size, value);

	if (status == CL_SUCCESS && name == CL_KERNEL_EXEC_INFO_SVM_PTRS && value)
		set_pointers(handle, size / sizeof(void *), value);
	return status;
}

/* Copies `count` arguments from one kernel's groups to another's. */
static void copy(struct opencl_kernel *from, struct opencl_kernel *to, unsigned group,
		 unsigned count)
{
	for (unsigned i = 0; i < count; i += GROUP) {
		struct arguments *known = find(from, group + i / GROUP), arguments;

		if (!known)
			continue;
		memcpy(&arguments, known, sizeof(arguments));
		if (!object_put(OBJECT_ARGUMENTS, key_of(number_of(to), group + i / GROUP),
				&arguments, sizeof(arguments)))
			to->lacks_values = true;
	}
}

cl_kernel used_clCloneKernel(cl_kernel source, cl_int *error)
{
	struct opencl_kernel *from = kernel_of(source);
	cl_kernel handle = profiled_clCloneKernel(source, error);
	struct opencl_kernel *clone = handle ? object_find(OBJECT_KERNEL, handle) : NULL;

	if (!clone || !from)
		return handle;
	clone->values = 0; /* a copy of the other's */
	copy(from, clone, 0, clone->value_count);
	copy(from, clone, POINTERS, clone->pointer_count);
	return handle;
}

static void free_groups(unsigned kernel, unsigned group, unsigned count)
{
	for (unsigned i = 0; kernel && i < count; i += GROUP)
		object_retire(OBJECT_ARGUMENTS, key_of(kernel, group + i / GROUP), NULL);
}

cl_int used_clReleaseKernel(cl_kernel handle)
{
	const struct opencl_kernel *kernel = object_find(OBJECT_KERNEL, handle);
	unsigned number = kernel ? kernel->values : 0, count;
	unsigned values = kernel ? kernel->value_count : 0;
	unsigned pointers = kernel ? kernel->pointer_count : 0;
	cl_int status = kernel_release(handle, &count);

	if (count != 1)
		return status;
	free_groups(number, 0, values);
	free_groups(number, POINTERS, pointers);
	return status;
}

static void put(struct used *used, const struct argument *argument, uint32_t index)
{
	uint16_t declared = argument->declared & USE_READ_WRITE, permitted = argument->permitted;
	struct used_part part = {
		.offset = argument->offset,
		.bytes = argument->bytes,
		.access = declared ? declared : permitted,
		.flags = USE_PARTIAL,
		.argument = index,
		.element = argument->element,
	};

	if (!declared && permitted == USE_READ_WRITE)
		part.flags |= USE_ASSUMED;
	used_allocation(used, argument->address, &part);
}

static void put_all(struct used *used, struct opencl_kernel *kernel, unsigned group, unsigned count)
{
	const struct arguments *arguments = NULL;

	for (unsigned i = 0; i < count; i++) {
		if (i % GROUP == 0)
			arguments = find(kernel, group + i / GROUP);
		if (arguments && arguments->items[i % GROUP].address)
			put(used, &arguments->items[i % GROUP], group ? USE_NO_ARGUMENT : i);
	}
}

void arguments_used(struct used *used, cl_kernel handle)
{
	struct opencl_kernel *kernel = object_find(OBJECT_KERNEL, handle);

	used->is_unknown = !kernel || kernel->lacks_values;
	if (!kernel)
		return;
	if (flow_is_on())
		flow_launched(used, kernel);
	put_all(used, kernel, 0, kernel->value_count);
	put_all(used, kernel, POINTERS, kernel->pointer_count);
}
