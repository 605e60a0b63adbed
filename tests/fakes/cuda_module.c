/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cuda_driver.h"

/* Modules: PTX text, in which kernels and variables are looked for. */

enum { NAMES_SIZE = 1 << 16, MODULE_LOADED = 6 };

struct module_descriptor { /* CUpti_ModuleResourceData */
	uint32_t id;
	size_t size;
	const char *image;
};

static void tell(uint32_t callback, struct module *module)
{
	struct module_descriptor descriptor = {module->id, strlen(module->text), module->text};

	call_resource(callback, module->context, NULL, &descriptor);
}

int fake_cuModuleLoadData(struct module **to, const void *image)
{
	static uint32_t last;
	struct context *context = context_current();
	struct module *module;

	if (!object_is(context, KIND_CONTEXT))
		return CUDA_INVALID_CONTEXT;
	if (!strstr(image, ".version"))
		return CUDA_INVALID_IMAGE;
	tell_compiler();
	module = object_make(KIND_MODULE, sizeof(*module));
	module->context = context;
	module->id = __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
	module->text = strdup(image);
	module->names_size = NAMES_SIZE;
	module->names =
		mmap(NULL, NAMES_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (!module->text || module->names == MAP_FAILED)
		abort();
	*to = module;
	tell(MODULE_LOADED, module);
	return CUDA_DONE;
}

int fake_cuModuleLoadDataEx(struct module **module, const void *image, unsigned count, int *options,
			    void **values)
{
	return fake_cuModuleLoadData(module, image);
}

int fake_cuModuleUnload(struct module *module)
{
	if (!object_is(module, KIND_MODULE))
		return CUDA_INVALID_HANDLE;
	context_wait(module->context);
	tell(CUPTI_RESOURCE_MODULE_UNLOAD_STARTING, module);
	for (struct function *function = module->functions; function; function = function->older)
		__atomic_store_n(&function->object.released, true, __ATOMIC_RELAXED);
	__atomic_store_n(&module->object.released, true, __ATOMIC_RELAXED);
	if (script.unload) {
		call_forget(module->names, module->names + module->names_size);
		memset(module->names, '#', module->names_size);
		mprotect(module->names, module->names_size, PROT_NONE);
	}
	return CUDA_DONE;
}

/* Libraries are modules, and their kernels are functions. */
int fake_cuLibraryLoadData(struct module **library, const void *code, int *options, void **values,
			   unsigned count, int *library_options, void **library_values,
			   unsigned library_count)
{
	return fake_cuModuleLoadData(library, code);
}

int fake_cuLibraryUnload(struct module *library)
{
	return fake_cuModuleUnload(library);
}

int fake_cuLibraryGetKernel(struct function **kernel, struct module *library, const char *name)
{
	return fake_cuModuleGetFunction(kernel, library, name);
}

int fake_cuKernelGetFunction(struct function **function, struct function *kernel)
{
	if (!object_is(kernel, KIND_FUNCTION))
		return CUDA_INVALID_HANDLE;
	*function = kernel;
	return CUDA_DONE;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%';
}

/* Finds NAME after the directive; NULL: not found. */
static const char *find_after(const char *text, const char *directive, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = text; (at = strstr(at, directive));) {
		at += strlen(directive);
		while (isspace((unsigned char)*at))
			at++;
		if (!strncmp(at, name, length) && !is_word(at[length]))
			return at + length;
	}
	return NULL;
}

uint32_t ptx_bytes(const char *text, const char *end)
{
	const char *type = text;
	unsigned long bits, count;

	/* The type is the last of the words with a dot that ends in digits: .align 4 .b8 */
	for (const char *at = text; at < end && *at && *at != '[' && *at != ';'; at++)
		if (*at == '.' && strchr("bufs", at[1]) && isdigit((unsigned char)at[2]))
			type = at + 2;
	bits = strtoul(type, NULL, 10);
	type = memchr(text, ';', (size_t)(end - text));
	type = type ? memchr(text, '[', (size_t)(type - text)) : NULL;
	count = type ? strtoul(type + 1, NULL, 10) : 1;
	return (uint32_t)(bits / 8 * count);
}

/* Gets the static shared memory of a kernel from its text, which ends where the next one starts. */
static uint32_t static_shared(const char *text)
{
	const char *end = strstr(text, ".entry");
	uint32_t bytes = 0;

	end = end ? end : text + strlen(text);
	for (const char *at = text; (at = strstr(at, ".shared")) && at < end; at += 7)
		if (isspace((unsigned char)at[7])) /* not st.shared.u32 */
			bytes += ptx_bytes(at + 7, end);
	return bytes;
}

static struct function *make_function(struct module *module, const char *name, const char *text)
{
	struct function *function = object_make(KIND_FUNCTION, sizeof(*function));
	size_t length = strlen(name) + 1;

	if (length > module->names_size - module->names_used)
		complain("too many names of kernels in a module");
	function->module = module;
	function->name = memcpy(module->names + module->names_used, name, length);
	module->names_used += length;
	function->shared = static_shared(text);
	function->older = module->functions;
	module->functions = function;
	return function;
}

int fake_cuModuleGetFunction(struct function **function, struct module *module, const char *name)
{
	const char *text;
	LOCKED();

	if (!object_is(module, KIND_MODULE))
		return CUDA_INVALID_HANDLE;
	text = find_after(module->text, ".entry", name);
	if (!text)
		return CUDA_NOT_FOUND;
	*function = module->functions;
	while (*function && strcmp((*function)->name, name) != 0)
		*function = (*function)->older;
	if (!*function)
		*function = make_function(module, name, text);
	return CUDA_DONE;
}

/* Returns the size of a parameter, whose text is up to `end`, and its alignment. */
static size_t parameter_size(const char *text, const char *end, size_t *alignment)
{
	size_t size = 0, count = 1;

	*alignment = 0;
	for (; text < end; text++) {
		if (*text == '.' && text[1] && strchr("bufs", text[1]) &&
		    isdigit((unsigned char)text[2]))
			size = strtoul(text + 2, NULL, 10) / 8;
		else if (!strncmp(text, ".align", 6))
			*alignment = strtoul(text + 6, NULL, 10);
		else if (*text == '[')
			count = strtoul(text + 1, NULL, 10);
	}
	*alignment = *alignment ? *alignment : size;
	return size * count;
}

/* The parameters are those of the kernel's text. */
int fake_cuFuncGetParamInfo(struct function *function, size_t index, size_t *offset, size_t *size)
{
	const char *text, *end;
	size_t at = 0, alignment;

	if (!object_is(function, KIND_FUNCTION))
		return CUDA_INVALID_HANDLE;
	text = find_after(function->module->text, ".entry", function->name);
	text += strspn(text, " \t\n");
	end = *text == '(' ? strchr(text, ')') : NULL;
	while (end && (text = strstr(text, ".param")) && text < end) {
		size_t length = strcspn(text, ",)");

		*size = parameter_size(text + 6, text + length, &alignment);
		*offset = (at + alignment - 1) / alignment * alignment;
		if (!index--)
			return CUDA_DONE;
		at = *offset + *size;
		text += length;
	}
	return CUDA_INVALID_VALUE;
}

/* Returns NULL if there is no variable of this name. */
static struct variable *make_variable(struct module *module, const char *name)
{
	static const char *const types[] = {".b8",  ".u8",  ".b32", ".u32", ".f32",
					    ".s32", ".b64", ".u64", ".f64"};
	struct variable *variable;
	const char *at = NULL;

	for (size_t i = 0; !at && i < sizeof(types) / sizeof(*types); i++)
		at = find_after(module->text, types[i], name);
	if (!at)
		return NULL;
	while (*--at != '.')
		;
	variable = calloc(1, sizeof(*variable));
	if (!variable)
		abort();
	variable->name = strdup(name);
	variable->bytes = ptx_bytes(at, at + strlen(at));
	variable->address = memory_make(CUPTI_MEMORY_DEVICE_STATIC, variable->bytes);
	variable->older = module->variables;
	module->variables = variable;
	return variable;
}

int fake_cuModuleGetGlobal_v2(uint64_t *address, size_t *bytes, struct module *module,
			      const char *name)
{
	struct variable *variable;
	LOCKED();

	if (!object_is(module, KIND_MODULE))
		return CUDA_INVALID_HANDLE;
	variable = module->variables;
	while (variable && strcmp(variable->name, name) != 0)
		variable = variable->older;
	if (!variable)
		variable = make_variable(module, name);
	if (!variable)
		return CUDA_NOT_FOUND;
	if (address)
		*address = variable->address;
	if (bytes)
		*bytes = variable->bytes;
	return CUDA_DONE;
}

int fake_cuFuncGetAttribute(int *value, int attribute, struct function *function)
{
	const int values[] = {1024, 0, 0, 0, (int)script.registers, 50, (int)script.cc, 0, 0};

	if (!object_is(function, KIND_FUNCTION))
		return CUDA_INVALID_HANDLE;
	if (attribute < 0 || attribute > 8)
		return CUDA_INVALID_VALUE;
	*value = values[attribute];
	if (attribute == 1)
		*value = (int)function->shared;
	if (attribute == 8)
		*value = function->dynamic_shared ? (int)function->dynamic_shared
						  : 49152 - (int)function->shared;
	return CUDA_DONE;
}

int fake_cuFuncSetAttribute(struct function *function, int attribute, int value)
{
	if (!object_is(function, KIND_FUNCTION))
		return CUDA_INVALID_HANDLE;
	if (attribute == 8)
		function->dynamic_shared = (uint32_t)value;
	return CUDA_DONE;
}

int fake_cuFuncSetCacheConfig(struct function *function, int config)
{
	if (!object_is(function, KIND_FUNCTION))
		return CUDA_INVALID_HANDLE;
	if (config < 0 || config > 3)
		return CUDA_INVALID_VALUE;
	function->cache = (uint32_t)config;
	return CUDA_DONE;
}
