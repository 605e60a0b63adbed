/* SPDX-License-Identifier: MIT */
#include "backend/opencl/direct.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "backend/opencl/functions.h"
#include "backend/opencl/opencl.h"

#if __ELF_NATIVE_CLASS == 64
#define RELOCATION_SYMBOL ELF64_R_SYM
#define RELOCATION_TYPE ELF64_R_TYPE
#else
#define RELOCATION_SYMBOL ELF32_R_SYM
#define RELOCATION_TYPE ELF32_R_TYPE
#endif

/* The relocation types of slots that hold a function's address. */
#if defined(__x86_64__)
#define IS_SLOT(type) ((type) == R_X86_64_JUMP_SLOT || (type) == R_X86_64_GLOB_DAT)
#elif defined(__aarch64__)
#define IS_SLOT(type) ((type) == R_AARCH64_JUMP_SLOT || (type) == R_AARCH64_GLOB_DAT)
#elif defined(__powerpc64__)
#define IS_SLOT(type) ((type) == R_PPC64_JMP_SLOT || (type) == R_PPC64_GLOB_DAT)
#elif defined(__riscv)
#define IS_SLOT(type) ((type) == R_RISCV_JUMP_SLOT || (type) == R_RISCV_64)
#else
#define IS_SLOT(type) 0
#endif

/* Which object is which: the one with the OpenCL functions, and our own. */
struct search {
	uintptr_t provider; /* an address inside */
	uintptr_t own;
	bool has_layers; /* the provider reads OPENCL_LAYERS */
};

/* One object's tables. */
struct linkage {
	uintptr_t base;
	const ElfW(Sym) * symbols;
	const char *strings;
	const ElfW(Rela) * tables[2];
	size_t sizes[2]; /* bytes */
	uintptr_t relro;
	size_t relro_size;
};

static bool is_inside(const struct dl_phdr_info *object, uintptr_t address)
{
	for (int i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &object->dlpi_phdr[i];
		uintptr_t start = object->dlpi_addr + header->p_vaddr;

		if (header->p_type == PT_LOAD && address >= start &&
		    address < start + header->p_memsz)
			return true;
	}
	return false;
}

/* A loader that knows layers has the variable's name among its constants. */
static bool mentions_layers(const struct dl_phdr_info *object)
{
	static const char name[] = "OPENCL_LAYERS";

	for (int i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &object->dlpi_phdr[i];

		if (header->p_type != PT_LOAD || !(header->p_flags & PF_R) ||
		    header->p_flags & PF_W)
			continue;
		if (memmem((const void *)(object->dlpi_addr + header->p_vaddr), header->p_filesz,
			   name, sizeof(name)))
			return true;
	}
	return false;
}

static int look_at_provider(struct dl_phdr_info *object, size_t size, void *argument)
{
	struct search *search = argument;

	(void)size;
	if (!is_inside(object, search->provider))
		return 0;
	search->has_layers = mentions_layers(object);
	return 1;
}

/* Some C libraries have relocated these addresses already, some have not. */
static uintptr_t address_of(uintptr_t base, uintptr_t value)
{
	return value < base ? base + value : value;
}

static void read_dynamic(struct linkage *linkage, const ElfW(Dyn) * entry)
{
	for (; entry->d_tag != DT_NULL; entry++) {
		uintptr_t address = address_of(linkage->base, entry->d_un.d_ptr);

		if (entry->d_tag == DT_SYMTAB)
			linkage->symbols = (const ElfW(Sym) *)address;
		else if (entry->d_tag == DT_STRTAB)
			linkage->strings = (const char *)address;
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

static void read_linkage(struct linkage *linkage, const struct dl_phdr_info *object)
{
	*linkage = (struct linkage){.base = object->dlpi_addr};
	for (int i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &object->dlpi_phdr[i];

		if (header->p_type == PT_DYNAMIC)
			read_dynamic(linkage, (const ElfW(Dyn) *)(linkage->base + header->p_vaddr));
		if (header->p_type == PT_GNU_RELRO) {
			linkage->relro = linkage->base + header->p_vaddr;
			linkage->relro_size = header->p_memsz;
		}
	}
}

static bool protect(const struct linkage *linkage, int protection)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t start = linkage->relro & ~(page - 1);
	uintptr_t end = (linkage->relro + linkage->relro_size) & ~(page - 1);

	return end <= start || !mprotect((void *)start, end - start, protection);
}

static void patch_slot(const struct linkage *linkage, const ElfW(Rela) * relocation)
{
	const ElfW(Sym) *symbol = &linkage->symbols[RELOCATION_SYMBOL(relocation->r_info)];
	const char *name = linkage->strings + symbol->st_name;
	const struct opencl_function *row;
	void (*entry)(void);

	if (!IS_SLOT(RELOCATION_TYPE(relocation->r_info)) || strncmp(name, "cl", 2))
		return;
	row = functions_find(name);
	entry = row && functions_has_next(row) ? functions_entry(row) : NULL;
	if (entry)
		memcpy((void *)(linkage->base + relocation->r_offset), &entry, sizeof(entry));
}

static int patch_object(struct dl_phdr_info *object, size_t size, void *argument)
{
	const struct search *search = argument;
	struct linkage linkage;

	(void)size;
	if (is_inside(object, search->own) || is_inside(object, search->provider))
		return 0;
	read_linkage(&linkage, object);
	if (!linkage.symbols || !linkage.strings || !protect(&linkage, PROT_READ | PROT_WRITE))
		return 0;
	for (int table = 0; table < 2; table++)
		for (size_t i = 0; linkage.tables[table] &&
				   i < linkage.sizes[table] / sizeof(ElfW(Rela));
		     i++)
			patch_slot(&linkage, &linkage.tables[table][i]);
	protect(&linkage, PROT_READ);
	return 0;
}

void direct_arm(void)
{
	void *provider = dlsym(RTLD_DEFAULT, "clGetPlatformIDs");
	struct search search = {(uintptr_t)provider, (uintptr_t)direct_arm, false};

	if (!provider)
		return;
	dl_iterate_phdr(look_at_provider, &search);
	if (search.has_layers || !opencl_attach())
		return;
	opencl_set_direct();
	for (const struct opencl_function *row = opencl_functions; row->name; row++)
		functions_set_next(row, dlsym(RTLD_DEFAULT, row->name));
	dl_iterate_phdr(patch_object, &search);
}
