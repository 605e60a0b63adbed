/* SPDX-License-Identifier: MIT */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* struct link_map's types */
#endif

#include "session/stack_modules.h"

#include <errno.h>
#include <link.h>
#include <stdbool.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "base/unwind_lookup.h"
#include "base/unwind_stack.h"
#include "session/registry.h"
#include "session/state.h"

enum { PLACES = 1024, PAGE = 4096 };

/* Where modules are; guarded by meta. */
static struct {
	uint64_t salt;
	uint32_t count;
	struct place {
		uintptr_t begin;
		uintptr_t end;
		uintptr_t bias;
		uint32_t id;
	} list[PLACES];
} places;

static char program[STACK_PATH];
static size_t program_length;

void stack_modules_start(void)
{
	ssize_t length = readlink("/proc/self/exe", program, sizeof(program));

	program_length = length > 0 ? (size_t)length : 0;
}

static bool is_readable(uintptr_t from, uint64_t size)
{
	if (size > 4 * PAGE || from + size < from)
		return false;
	for (uintptr_t at = from; at < from + size; at += PAGE - at % PAGE)
		if (!unwind_stack_probe(at))
			return false;
	return true;
}

/* Copies the build id from notes: name size, descriptor size, type, then both, padded. */
static void read_notes(const char *notes, uint64_t size, struct stack_module *module)
{
	ElfW(Nhdr) note;

	while (size >= sizeof(note)) {
		uint64_t name, descriptor;

		memcpy(&note, notes, sizeof(note));
		name = ((uint64_t)note.n_namesz + 3) & ~UINT64_C(3);
		descriptor = ((uint64_t)note.n_descsz + 3) & ~UINT64_C(3);
		if (name + descriptor > size - sizeof(note))
			return;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
		    !memcmp(notes + sizeof(note), "GNU", 4)) {
			module->build_id_length =
				note.n_descsz < BUILD_ID_SIZE ? note.n_descsz : BUILD_ID_SIZE;
			memcpy(module->build_id, notes + sizeof(note) + name,
			       module->build_id_length);
			return;
		}
		notes += sizeof(note) + name + descriptor;
		size -= sizeof(note) + name + descriptor;
	}
}

static void read_build_id(const struct unwind_object *object, struct stack_module *module)
{
	const ElfW(Ehdr) *elf = (const ElfW(Ehdr) *)object->elf;

	for (unsigned i = 0; elf && i < elf->e_phnum && !module->build_id_length; i++) {
		const ElfW(Phdr) *part = (const ElfW(Phdr) *)(object->elf + elf->e_phoff) + i;
		uintptr_t at = object->bias + part->p_vaddr;

		if (part->p_type == PT_NOTE && at >= object->elf &&
		    is_readable(at, part->p_filesz))
			read_notes((const char *)at, part->p_filesz, module);
	}
}

/* A relative path is that of dlopen, most likely in the directory that is still the present one.
 * /proc/self/maps is not read: while it is open, it has a number that the program may use for a
 * file of its own. */
static void make_absolute(struct stack_module *module)
{
	static char whole[STACK_PATH];
	size_t begin = strncmp(module->path, "./", 2) ? 0 : 2, left = module->length - begin;
	int error = errno;
	bool known = getcwd(whole, sizeof(whole)) && *whole == '/';
	size_t length = known ? strlen(whole) : 0;

	errno = error;
	if (!known || left >= sizeof(whole) - length - 1)
		return;
	whole[length++] = '/';
	memcpy(whole + length, module->path + begin, left);
	module->path = whole;
	module->length = (uint32_t)(length + left);
}

static void name_module(const struct unwind_object *object, struct stack_module *module)
{
	module->path = object->name;
	if (object->begin == getauxval(AT_SYSINFO_EHDR))
		module->path = "[vdso]";
	module->length = (uint32_t)strnlen(module->path, STACK_PATH);
	if (!module->length) {
		module->path = program;
		module->length = (uint32_t)program_length;
	} else if (*module->path != '/' && *module->path != '[') {
		make_absolute(module);
	}
}

/* Returns the id of an equal module, which was loaded before, or adds this one. */
static uint32_t intern_module(const struct stack_module *module)
{
	struct stacks *stacks = &globals.catalog.stacks;
	uint32_t id;

	for (id = 1; id <= stacks->module_count; id++) {
		const struct stack_module *other = stacks_module(stacks, id);

		if (other->length == module->length &&
		    !memcmp(other->path, module->path, module->length) &&
		    !memcmp(other->build_id, module->build_id, BUILD_ID_SIZE))
			return id;
	}
	id = stacks_add_module(stacks, module);
	if (id)
		frames_put_module(registry_frames(), stacks, id);
	return id;
}

static uint32_t add(uintptr_t address, uintptr_t *bias)
{
	struct stack_module module = {0};
	struct unwind_object object;
	uint32_t id;

	if (!unwind_lookup_object(address, &object))
		return 0;
	name_module(&object, &module);
	read_build_id(&object, &module);
	id = intern_module(&module);
	*bias = object.bias;
	if (id && places.count < PLACES)
		places.list[places.count++] =
			(struct place){object.begin, object.end, object.bias, id};
	return id;
}

uint32_t stack_modules_find(uintptr_t address, uint64_t salt, uintptr_t *bias)
{
	if (places.salt != salt)
		places.count = 0;
	places.salt = salt;
	for (uint32_t i = 0; i < places.count; i++)
		if (address >= places.list[i].begin && address < places.list[i].end) {
			*bias = places.list[i].bias;
			return places.list[i].id;
		}
	return add(address, bias);
}
