/* SPDX-License-Identifier: MIT */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* RTLD_DEFAULT, struct link_map */
#endif

#include "base/unwind_lookup.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <string.h>
#include <sys/auxv.h>

#include "base/unwind_stack.h"

enum { PAGE = 4096 };

/* As struct dl_find_object of glibc 2.35 and later on both architectures. */
struct found_object {
	unsigned long long flags;
	void *begin;
	void *end;
	struct link_map *map;
	void *header; /* .eh_frame_hdr */
	unsigned long long reserved[7];
};

struct slot unwind_slots[1 << UNWIND_SLOT_BITS];
_Atomic uint64_t unwind_salt;

static int (*_Atomic find_object)(void *address, struct found_object *to);

/* The object of this code, which is never unloaded. It is known without _dl_find_object, too: its
 * code has no frame pointers. */
static struct {
	struct unwind_section section;
	uintptr_t begin;
	_Atomic uintptr_t end; /* set last */
} own;

static int find_own(struct dl_phdr_info *object, size_t size, void *argument)
{
	uintptr_t code = (uintptr_t)unwind_lookup_start, at, begin = 0, end = 0;
	const ElfW(Phdr) *header = NULL, *part;

	(void)size;
	(void)argument;
	for (int i = 0; i < object->dlpi_phnum; i++) {
		part = &object->dlpi_phdr[i];
		at = object->dlpi_addr + part->p_vaddr;
		if (part->p_type == PT_GNU_EH_FRAME)
			header = part;
		if (part->p_type == PT_LOAD && code - at < part->p_memsz) {
			begin = at;
			end = at + part->p_memsz;
		}
	}
	for (int i = 0; end && header && i < object->dlpi_phnum; i++) {
		part = &object->dlpi_phdr[i];
		at = object->dlpi_addr + part->p_vaddr;
		if (part->p_type != PT_LOAD || header->p_vaddr - part->p_vaddr >= part->p_filesz)
			continue;
		own.section.begin = (const uint8_t *)at;
		own.section.end = own.section.begin + part->p_filesz;
		own.section.header = (const uint8_t *)(object->dlpi_addr + header->p_vaddr);
		own.begin = begin;
		atomic_store(&own.end, end);
	}
	return end != 0;
}

void unwind_lookup_start(void)
{
	void *function = dlsym(RTLD_DEFAULT, "_dl_find_object");

	if (!atomic_load(&own.end))
		dl_iterate_phdr(find_own, NULL);
	atomic_store(&find_object, (int (*)(void *, struct found_object *))function);
	unwind_lookup_forget();
}

void unwind_lookup_forget(void)
{
	atomic_fetch_add(&unwind_salt, UINT64_C(0xd6e8feb86659fd93));
}

static bool find(uintptr_t address, struct found_object *to)
{
	int (*function)(void *, struct found_object *) =
		atomic_load_explicit(&find_object, memory_order_relaxed);

	return function && function((void *)address, to) == 0;
}

bool unwind_lookup_is_object(uintptr_t address)
{
	struct found_object object;

	return !atomic_load_explicit(&find_object, memory_order_relaxed) || find(address, &object);
}

/* Returns true if the page has an ELF header whose program headers are in the page, too. */
static bool is_elf(uintptr_t page)
{
	const ElfW(Ehdr) *elf = (const ElfW(Ehdr) *)page;

	return !memcmp(elf->e_ident, ELFMAG, SELFMAG) && elf->e_phentsize == sizeof(ElfW(Phdr)) &&
	       elf->e_phoff <= PAGE && elf->e_phnum <= (PAGE - elf->e_phoff) / sizeof(ElfW(Phdr));
}

/* Returns the address of the object's ELF header, 0 if it is not known. In a program with gaps
 * between its segments, `object` is one segment; the header is in the first one, at AT_PHDR. */
static uintptr_t elf_of(const struct found_object *object)
{
	uintptr_t begin = (uintptr_t)object->begin;

	if (!unwind_stack_probe(begin))
		return 0;
	if (!is_elf(begin) && !*object->map->l_name)
		begin = getauxval(AT_PHDR) & ~(uintptr_t)(PAGE - 1);
	return begin && is_elf(begin) ? begin : 0;
}

bool unwind_lookup_object(uintptr_t address, struct unwind_object *to)
{
	struct found_object object;

	if (!find(address, &object))
		return false;
	*to = (struct unwind_object){
		.begin = (uintptr_t)object.begin,
		.end = (uintptr_t)object.end,
		.bias = object.map->l_addr,
		.elf = elf_of(&object),
		.name = object.map->l_name,
	};
	return true;
}

bool unwind_lookup_is_own(uintptr_t address)
{
	return address >= own.begin &&
	       address < atomic_load_explicit(&own.end, memory_order_acquire);
}

/* Finds the segment that has the object's unwind tables. Between segments there may be pages that
 * cannot be read. */
static bool find_part(const struct found_object *object, struct unwind_section *section)
{
	const ElfW(Ehdr) *elf = (const ElfW(Ehdr) *)elf_of(object);
	uintptr_t header = (uintptr_t)object->header, bias = object->map->l_addr;

	if (!header || !elf)
		return false;
	for (unsigned i = 0; i < elf->e_phnum; i++) {
		const ElfW(Phdr) *part = (const ElfW(Phdr) *)((uintptr_t)elf + elf->e_phoff) + i;

		if (part->p_type == PT_LOAD && part->p_flags & PF_R &&
		    header - (bias + part->p_vaddr) < part->p_filesz) {
			section->begin = (const uint8_t *)(bias + part->p_vaddr);
			section->end = section->begin + part->p_filesz;
			section->header = (const uint8_t *)header;
			return true;
		}
	}
	return false;
}

static bool find_section(const struct found_object *object, uintptr_t pc,
			 struct unwind_section *section)
{
	if (unwind_lookup_is_own(pc)) {
		*section = own.section;
		return true;
	}
	return object && find_part(object, section);
}

/* The instructions to which a signal handler returns. SECOND is the offset of the system call. */
#ifdef __aarch64__
static const uint32_t code[] = {0xd2801168, 0xd4000001}; /* mov x8, #139; svc #0 */
enum { SECOND = 4 };
#else
static const uint8_t code[] = {0x48, 0xc7, 0xc0, 15, 0, 0, 0, 0x0f, 0x05}; /* mov $15, %rax */
enum { SECOND = 7 };
#endif

/* Returns true if these instructions are at the pc. */
ANY_MEMORY static bool is_signal_return(uintptr_t pc)
{
	const uint8_t *wanted = (const uint8_t *)code;

	for (size_t i = 0; i < sizeof(code); i++)
		if (((i == 0 || (pc + i) % PAGE == 0) && !unwind_stack_probe(pc + i)) ||
		    *(const volatile uint8_t *)(pc + i) != wanted[i])
			return false;
	return true;
}

/* The same for code that no object has. On aarch64, signal handlers return to code of the kernel:
 * in the vDSO, or in a page of its own, as under qemu. On x86-64 they return to the C library. */
static bool is_foreign_return(uintptr_t pc)
{
#ifdef __aarch64__
	return is_signal_return(pc) || is_signal_return(pc + 1);
#else
	(void)pc;
	return false;
#endif
}

/* Returns true if a function starts at the pc. */
static bool is_start(const struct unwind_section *section, uintptr_t pc)
{
	struct unwind_entry entry;

	return unwind_entry_find(section, pc, &entry) && entry.start == pc;
}

static struct unwind_rule read_rule(const struct found_object *object, uintptr_t pc)
{
	struct unwind_rule rule = {.kind = UNWIND_POINTER}, signal_rule = {.kind = UNWIND_SIGNAL};
	struct unwind_section section;
	bool signal = false, has = find_section(object, pc, &section), read;

	read = has && unwind_rule_read(&section, pc, &rule, &signal);
	/* A walk looks up the instruction before the one to which a frame returns. If that is the
	 * first one of a function, nothing has called it: a stack begins there, as of a coroutine.
	 * The frame pointer may be that of another stack. */
	if (has && !read && is_start(&section, pc + 1))
		rule.kind = UNWIND_END;
	if ((!read || signal) &&
	    (is_signal_return(pc) || is_signal_return(pc + 1) || is_signal_return(pc - SECOND)))
		return signal_rule;
	return rule;
}

bool unwind_lookup_has_table(uintptr_t pc)
{
	struct found_object object;
	struct unwind_section section;

	return find(pc, &object) && find_section(&object, pc, &section);
}

bool unwind_lookup_row(uintptr_t pc, struct unwind_row *row)
{
	struct found_object object;
	struct unwind_section section;
	bool found = find(pc, &object), signal;

	return find_section(found ? &object : NULL, pc, &section) &&
	       unwind_row_read(&section, pc, row, &signal);
}

struct unwind_rule unwind_lookup(uintptr_t pc)
{
	uint64_t salt = atomic_load_explicit(&unwind_salt, memory_order_acquire), word;
	struct unwind_rule rule = unwind_lookup_slot(pc, salt);
	struct found_object object;

	if (rule.kind != UNWIND_NOT_READ)
		return rule;
	if (find(pc, &object))
		rule = read_rule(&object, pc);
	else if (!atomic_load_explicit(&find_object, memory_order_relaxed))
		rule = read_rule(NULL, pc);
	else
		return is_foreign_return(pc) ? (struct unwind_rule){.kind = UNWIND_SIGNAL} : rule;
	memcpy(&word, &rule, sizeof(word));
	slot_write(slot_of(unwind_slots, UNWIND_SLOT_BITS, pc), pc, salt, word);
	return rule;
}
