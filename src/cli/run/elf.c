/* SPDX-License-Identifier: MIT */
#include "cli/run/elf.h"

#include <elf.h>
#include <string.h>
#include <unistd.h>


enum { PROGRAM_HEADERS = 512, DYNAMIC_ENTRIES = 4096, NEEDED = 1024 };

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
enum { OUR_ORDER = ELFDATA2LSB };
#else
enum { OUR_ORDER = ELFDATA2MSB };
#endif

#if defined(__x86_64__)
enum { OUR_MACHINE = EM_X86_64 };
#elif defined(__aarch64__)
enum { OUR_MACHINE = EM_AARCH64 };
#elif defined(__powerpc64__)
enum { OUR_MACHINE = EM_PPC64 };
#elif defined(__riscv)
enum { OUR_MACHINE = EM_RISCV };
#else
enum { OUR_MACHINE = EM_NONE }; /* the tool's own machine type is not checked */
#endif

static bool read_at(int file, uint64_t offset, void *to, size_t size)
{
	if (offset > INT64_MAX - size)
		return false;
	return pread(file, to, size, (off_t)offset) == (ssize_t)size;
}

/* Reads a string of less than `size` bytes; "" on failure. */
static void read_string(int file, uint64_t offset, char *to, size_t size)
{
	ssize_t got = offset > INT64_MAX - size ? -1 : pread(file, to, size, (off_t)offset);

	if (got <= 0 || !memchr(to, '\0', got))
		*to = '\0';
}

static bool read_segment(int file, const Elf64_Ehdr *header, int index, Elf64_Phdr *segment)
{
	uint64_t offset;

	return !__builtin_add_overflow(header->e_phoff, (uint64_t)index * sizeof(*segment),
				       &offset) &&
	       read_at(file, offset, segment, sizeof(*segment));
}

static bool find_segment(int file, const Elf64_Ehdr *header, uint32_t type, Elf64_Phdr *segment)
{
	for (int i = 0; i < header->e_phnum && i < PROGRAM_HEADERS; i++)
		if (read_segment(file, header, i, segment) && segment->p_type == type)
			return true;
	return false;
}

/* Returns the file offset of an address of the loaded program; 0 if it is in no segment. */
static uint64_t file_offset(int file, const Elf64_Ehdr *header, uint64_t address)
{
	Elf64_Phdr segment;

	for (int i = 0; i < header->e_phnum && i < PROGRAM_HEADERS; i++) {
		if (!read_segment(file, header, i, &segment) || segment.p_type != PT_LOAD)
			continue;
		if (address >= segment.p_vaddr && address - segment.p_vaddr < segment.p_filesz)
			return segment.p_offset + (address - segment.p_vaddr);
	}
	return 0;
}

static bool read_dynamic(int file, const Elf64_Phdr *segment, int index, Elf64_Dyn *entry)
{
	uint64_t offset = (uint64_t)index * sizeof(*entry);

	if (index >= DYNAMIC_ENTRIES || offset + sizeof(*entry) > segment->p_filesz ||
	    __builtin_add_overflow(segment->p_offset, offset, &offset))
		return false;
	return read_at(file, offset, entry, sizeof(*entry)) && entry->d_tag != DT_NULL;
}

static uint64_t find_strings(int file, const Elf64_Ehdr *header, const Elf64_Phdr *segment)
{
	Elf64_Dyn entry;

	for (int i = 0; read_dynamic(file, segment, i, &entry); i++)
		if (entry.d_tag == DT_STRTAB)
			return file_offset(file, header, entry.d_un.d_ptr);
	return 0;
}

static void add_needed(int file, uint64_t offset, struct elf *elf)
{
	char name[256];

	read_string(file, offset, name, sizeof(name));
	if (*name && !strchr(name, '\n'))
		strbuf_printf(&elf->needed, "%s\n", name);
}

static void read_needed(int file, const Elf64_Ehdr *header, struct elf *elf)
{
	Elf64_Phdr segment;
	Elf64_Dyn entry;
	uint64_t strings, name;
	int count = 0;

	if (!find_segment(file, header, PT_DYNAMIC, &segment))
		return;
	strings = find_strings(file, header, &segment);
	for (int i = 0; strings && read_dynamic(file, &segment, i, &entry); i++)
		if (entry.d_tag == DT_NEEDED && count++ < NEEDED &&
		    !__builtin_add_overflow(strings, entry.d_un.d_val, &name))
			add_needed(file, name, elf);
}

static void read_name(int file, const Elf64_Ehdr *header, struct elf *elf)
{
	Elf64_Phdr segment;
	Elf64_Dyn entry;
	uint64_t strings, name;

	if (!find_segment(file, header, PT_DYNAMIC, &segment))
		return;
	strings = find_strings(file, header, &segment);
	for (int i = 0; strings && read_dynamic(file, &segment, i, &entry); i++)
		if (entry.d_tag == DT_SONAME &&
		    !__builtin_add_overflow(strings, entry.d_un.d_val, &name))
			read_string(file, name, elf->name, sizeof(elf->name));
}

static bool is_ours(const Elf64_Ehdr *header)
{
	return header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_ident[EI_DATA] == OUR_ORDER &&
	       (header->e_machine == OUR_MACHINE || OUR_MACHINE == EM_NONE);
}

void elf_read(int file, struct elf *elf)
{
	Elf64_Ehdr header;
	Elf64_Phdr segment;

	elf->kind = ELF_NONE;
	if (!read_at(file, 0, &header, EI_NIDENT) || memcmp(header.e_ident, ELFMAG, SELFMAG))
		return;
	elf->kind = ELF_DAMAGED;
	/* a 32-bit header is shorter, but e_machine is at the same offset */
	if (!read_at(file, 0, &header, sizeof(Elf32_Ehdr)))
		return;
	elf->machine = header.e_machine;
	elf->wide = header.e_ident[EI_CLASS] == ELFCLASS64;
	elf->kind = ELF_FOREIGN;
	if (!is_ours(&header))
		return;
	elf->kind = ELF_DAMAGED;
	if (!read_at(file, 0, &header, sizeof(header)) || header.e_phentsize != sizeof(segment))
		return;
	if (header.e_type != ET_EXEC && header.e_type != ET_DYN)
		return;
	if (!header.e_phnum || !read_segment(file, &header, header.e_phnum - 1, &segment))
		return;
	elf->kind = ELF_STATIC;
	read_name(file, &header, elf);
	if (!find_segment(file, &header, PT_INTERP, &segment))
		return;
	elf->kind = ELF_DYNAMIC;
	read_string(file, segment.p_offset, elf->interpreter, sizeof(elf->interpreter));
	read_needed(file, &header, elf);
}

void elf_free(struct elf *elf)
{
	strbuf_free(&elf->needed);
}

bool elf_needs(const struct elf *elf, const char *prefix)
{
	struct strbuf needed = elf->needed;
	const char *at = needed.length ? needed.data : "", *end = at + needed.length;
	size_t length = strlen(prefix);

	while (at < end) {
		const char *next = memchr(at, '\n', end - at);

		if ((size_t)(end - at) > length && !memcmp(at, prefix, length))
			return true;
		at = next ? next + 1 : end;
	}
	return false;
}
