/* SPDX-License-Identifier: MIT */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memmem */
#endif

#include "base/linkage.h"

#include <elf.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if __ELF_NATIVE_CLASS == 64
#define RELOCATION_SYMBOL ELF64_R_SYM
#define RELOCATION_TYPE ELF64_R_TYPE
#define SYMBOL_TYPE ELF64_ST_TYPE
#define SYMBOL_INFO(old, type) ELF64_ST_INFO(ELF64_ST_BIND(old), type)
#else
#define RELOCATION_SYMBOL ELF32_R_SYM
#define RELOCATION_TYPE ELF32_R_TYPE
#define SYMBOL_TYPE ELF32_ST_TYPE
#define SYMBOL_INFO(old, type) ELF32_ST_INFO(ELF32_ST_BIND(old), type)
#endif

/* The relocation types of slots with a function's address: for calls, and for data. */
#if defined(__x86_64__)
#define IS_CALL(type) ((type) == R_X86_64_JUMP_SLOT || (type) == R_X86_64_GLOB_DAT)
#define IS_DATA(type) ((type) == R_X86_64_64)
#elif defined(__aarch64__)
#define IS_CALL(type) ((type) == R_AARCH64_JUMP_SLOT || (type) == R_AARCH64_GLOB_DAT)
#define IS_DATA(type) ((type) == R_AARCH64_ABS64)
#elif defined(__powerpc64__)
#define IS_CALL(type) ((type) == R_PPC64_JMP_SLOT || (type) == R_PPC64_GLOB_DAT)
#define IS_DATA(type) ((type) == R_PPC64_ADDR64)
#elif defined(__riscv)
#define IS_CALL(type) ((type) == R_RISCV_JUMP_SLOT)
#define IS_DATA(type) ((type) == R_RISCV_64)
#else
#define IS_CALL(type) 0
#define IS_DATA(type) 0
#endif

enum { GNU_HASH_HEADER = 4 };

/* Some C libraries have relocated these addresses, others have not. */
static uintptr_t address_of(uintptr_t base, uintptr_t value)
{
	return value < base ? base + value : value;
}

static void read_dynamic(struct linkage *linkage, const ElfW(Dyn) * entry)
{
	for (; entry->d_tag != DT_NULL; entry++) {
		uintptr_t address = address_of(linkage->base, entry->d_un.d_ptr);

		if (entry->d_tag == DT_SYMTAB)
			linkage->symbols = (ElfW(Sym) *)address;
		else if (entry->d_tag == DT_STRTAB)
			linkage->strings = (const char *)address;
		else if (entry->d_tag == DT_GNU_HASH)
			linkage->gnu_hash = (const uint32_t *)address;
		else if (entry->d_tag == DT_HASH)
			linkage->hash = (const uint32_t *)address;
		else if (entry->d_tag == DT_JMPREL)
			linkage->tables[0] = (const ElfW(Rela) *)address;
		else if (entry->d_tag == DT_PLTRELSZ)
			linkage->sizes[0] = entry->d_un.d_val;
		else if (entry->d_tag == DT_RELA)
			linkage->tables[1] = (const ElfW(Rela) *)address;
		else if (entry->d_tag == DT_RELASZ)
			linkage->sizes[1] = entry->d_un.d_val;
	}
}

int linkage_read(struct linkage *linkage, const struct dl_phdr_info *object)
{
	*linkage = (struct linkage){
		.base = object->dlpi_addr,
		.headers = object->dlpi_phdr,
		.header_count = object->dlpi_phnum,
	};
	for (size_t i = 0; i < linkage->header_count; i++) {
		const ElfW(Phdr) *header = &linkage->headers[i];

		if (header->p_type == PT_DYNAMIC)
			read_dynamic(linkage, (const ElfW(Dyn) *)(linkage->base + header->p_vaddr));
		if (header->p_type == PT_GNU_RELRO) {
			linkage->relro = linkage->base + header->p_vaddr;
			linkage->relro_size = header->p_memsz;
		}
	}
	return linkage->symbols && linkage->strings ? 0 : -1;
}

static const ElfW(Phdr) * segment_of(const struct linkage *linkage, uintptr_t address)
{
	for (size_t i = 0; i < linkage->header_count; i++) {
		const ElfW(Phdr) *header = &linkage->headers[i];
		uintptr_t start = linkage->base + header->p_vaddr;

		if (header->p_type == PT_LOAD && address >= start &&
		    address < start + header->p_memsz)
			return header;
	}
	return NULL;
}

bool linkage_has(const struct linkage *linkage, uintptr_t address)
{
	return segment_of(linkage, address) != NULL;
}

bool linkage_mentions(const struct linkage *linkage, const void *bytes, size_t size)
{
	for (size_t i = 0; i < linkage->header_count; i++) {
		const ElfW(Phdr) *header = &linkage->headers[i];

		if (header->p_type == PT_LOAD && header->p_flags & PF_R &&
		    !(header->p_flags & PF_W) &&
		    memmem((const void *)(linkage->base + header->p_vaddr), header->p_filesz, bytes,
			   size))
			return true;
	}
	return false;
}

static bool is_function(const struct linkage *linkage, const ElfW(Sym) * symbol, const char *name)
{
	unsigned type = SYMBOL_TYPE(symbol->st_info);

	return symbol->st_shndx != SHN_UNDEF && (type == STT_FUNC || type == STT_GNU_IFUNC) &&
	       !strcmp(linkage->strings + symbol->st_name, name);
}

/* Source: "GNU Hash ELF Sections" as binutils writes it. The symbols of a bucket are consecutive;
 * the hash of the last one is odd. */
static ElfW(Sym) * find_gnu(const struct linkage *linkage, const char *name)
{
	const uint32_t *table = linkage->gnu_hash;
	uint32_t bucket_count = table[0], first = table[1], words = table[2];
	const uint32_t *buckets =
		table + GNU_HASH_HEADER + words * (sizeof(ElfW(Addr)) / sizeof(*table));
	const uint32_t *chain = buckets + bucket_count;
	uint32_t hash = 5381, at;

	if (!bucket_count)
		return NULL;
	for (const unsigned char *c = (const unsigned char *)name; *c; c++)
		hash = hash * 33 + *c;
	at = buckets[hash % bucket_count];
	for (bool last = at < first; !last; at++) {
		last = chain[at - first] & 1;
		if ((chain[at - first] | 1) == (hash | 1) &&
		    is_function(linkage, &linkage->symbols[at], name))
			return &linkage->symbols[at];
	}
	return NULL;
}

/* Searches the older table, of the System V ABI, from start to end. */
static ElfW(Sym) * find_old(const struct linkage *linkage, const char *name)
{
	for (uint32_t i = 0; i < linkage->hash[1]; i++)
		if (is_function(linkage, &linkage->symbols[i], name))
			return &linkage->symbols[i];
	return NULL;
}

ElfW(Sym) * linkage_function(const struct linkage *linkage, const char *name)
{
	if (linkage->gnu_hash)
		return find_gnu(linkage, name);
	return linkage->hash ? find_old(linkage, name) : NULL;
}

void *linkage_address(const struct linkage *linkage, const ElfW(Sym) * symbol)
{
	uintptr_t address = linkage->base + symbol->st_value;
	void *(*choose)(void);

	if (SYMBOL_TYPE(symbol->st_info) != STT_GNU_IFUNC)
		return (void *)address;
	memcpy(&choose, &address, sizeof(choose));
	return choose();
}

/* Changes the protection of the pages of these bytes, which are in one segment. */
static int protect(const void *from, const void *to, int protection)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t start = (uintptr_t)from & ~(page - 1);

	return mprotect((void *)start, (uintptr_t)to - start, protection);
}

static int protection_of(const ElfW(Phdr) * segment)
{
	return (segment->p_flags & PF_R ? PROT_READ : 0) |
	       (segment->p_flags & PF_W ? PROT_WRITE : 0) |
	       (segment->p_flags & PF_X ? PROT_EXEC : 0);
}

int linkage_unlock(const struct linkage *linkage, const void *from, const void *to)
{
	const ElfW(Phdr) *segment = segment_of(linkage, (uintptr_t)from);

	return segment ? protect(from, to, protection_of(segment) | PROT_WRITE) : -1;
}

void linkage_lock(const struct linkage *linkage, const void *from, const void *to)
{
	const ElfW(Phdr) *segment = segment_of(linkage, (uintptr_t)from);

	if (segment)
		protect(from, to, protection_of(segment));
}

/* Symbol values are relative to the object's base; the difference may wrap around. */
void linkage_redirect(const struct linkage *linkage, ElfW(Sym) * symbol, const void *address)
{
	symbol->st_info = SYMBOL_INFO(symbol->st_info, STT_FUNC);
	symbol->st_value = (uintptr_t)address - linkage->base;
}

/* Changes the protection of the RELRO part, in whole pages. */
static int protect_relro(const struct linkage *linkage, int protection)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t start = linkage->relro & ~(page - 1);
	uintptr_t end = (linkage->relro + linkage->relro_size) & ~(page - 1);

	return end <= start ? 0 : mprotect((void *)start, end - start, protection);
}

struct walk {
	const struct linkage *linkage;
	void *(*visit)(const char *name, void *value, void *argument);
	void *argument;
	bool unlocked; /* the RELRO part is writable now */
};

static void write_slot(struct walk *walk, uintptr_t slot, const void *value)
{
	const struct linkage *linkage = walk->linkage;

	if (slot - linkage->relro < linkage->relro_size && !walk->unlocked) {
		if (protect_relro(linkage, PROT_READ | PROT_WRITE))
			return;
		walk->unlocked = true;
	}
	memcpy((void *)slot, &value, sizeof(value));
}

static void visit_slot(struct walk *walk, const ElfW(Rela) * relocation)
{
	const struct linkage *linkage = walk->linkage;
	const ElfW(Sym) *symbol = &linkage->symbols[RELOCATION_SYMBOL(relocation->r_info)];
	unsigned type = RELOCATION_TYPE(relocation->r_info);
	uintptr_t slot = linkage->base + relocation->r_offset;
	const ElfW(Phdr) * segment;
	void *value;

	if (!IS_CALL(type) && (!IS_DATA(type) || relocation->r_addend))
		return;
	segment = segment_of(linkage, slot);
	if (!segment || !(segment->p_flags & PF_W))
		return;
	memcpy(&value, (const void *)slot, sizeof(value));
	value = walk->visit(linkage->strings + symbol->st_name, value, walk->argument);
	if (value)
		write_slot(walk, slot, value);
}

void linkage_walk(const struct linkage *linkage,
		  void *(*visit)(const char *name, void *value, void *argument), void *argument)
{
	struct walk walk = {.linkage = linkage, .visit = visit, .argument = argument};

	for (int table = 0; table < 2; table++)
		for (size_t i = 0; linkage->tables[table] &&
				   i < linkage->sizes[table] / sizeof(ElfW(Rela));
		     i++)
			visit_slot(&walk, &linkage->tables[table][i]);
	if (walk.unlocked)
		protect_relro(linkage, PROT_READ);
}
