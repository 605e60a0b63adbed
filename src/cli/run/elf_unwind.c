/* SPDX-License-Identifier: MIT */
#include "cli/run/elf_unwind.h"

#include <elf.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

enum {
	PROGRAM_HEADERS = 512,
	START_FILES = 3, /* functions of aarch64's start files that set the frame pointer */
	/* Encodings of pointers (Linux Standard Base, "DWARF Extensions"). */
	UDATA4 = 0x03,
	PCREL_SDATA4 = 0x1b,
	DATAREL_SDATA4 = 0x3b,
	TABLE = 12, /* offset of the table in .eh_frame_hdr, with 4-byte values before it */
	ENTRY = 8,  /* start of the function, its FDE; both relative to .eh_frame_hdr */
	FDE = 16,   /* length, CIE, start and size of the function */
};

struct image {
	const unsigned char *bytes;
	uint64_t size;
	Elf64_Ehdr header;
};

/* Returns NULL if the bytes are not all in the file. */
static const unsigned char *bytes_at(const struct image *image, uint64_t offset, uint64_t size)
{
	if (offset > image->size || size > image->size - offset)
		return NULL;
	return image->bytes + offset;
}

static bool read_segment(const struct image *image, int index, Elf64_Phdr *segment)
{
	uint64_t offset = (uint64_t)index * sizeof(*segment);
	const unsigned char *from;

	if (index >= image->header.e_phnum || index >= PROGRAM_HEADERS ||
	    __builtin_add_overflow(offset, image->header.e_phoff, &offset))
		return false;
	from = bytes_at(image, offset, sizeof(*segment));
	if (from)
		memcpy(segment, from, sizeof(*segment));
	return from;
}

/* Returns true if more functions than those of the start files set the frame pointer from the stack
 * pointer. */
static bool sets_frame_pointer(const struct image *image, const unsigned char *code, uint64_t size)
{
	static const unsigned char x86[] = {0x55, 0x48, 0x89, 0xe5};
	static const unsigned char arm[] = {0xfd, 0x03, 0x00, 0x91};
	bool is_x86 = image->header.e_machine == EM_X86_64;
	int needed = is_x86 ? 1 : START_FILES + 1;
	const unsigned char *end = code + size;

	for (int i = 0; i < needed; i++) {
		code = memmem(code, (size_t)(end - code), is_x86 ? x86 : arm, sizeof(x86));
		if (!code)
			return false;
		code += sizeof(x86);
	}
	return true;
}

/* Returns the bytes of code in the file by its sections, 0 if it has none. Segments with code have
 * constants, too, if the linker makes one segment of all that is not written, as on aarch64. */
static uint64_t code_of_sections(const struct image *image)
{
	const unsigned char *headers =
		bytes_at(image, image->header.e_shoff, sizeof(Elf64_Shdr) * image->header.e_shnum);
	uint64_t total = 0;

	if (!headers || image->header.e_shentsize != sizeof(Elf64_Shdr))
		return 0;
	for (int i = 0; i < image->header.e_shnum; i++) {
		Elf64_Shdr section;

		memcpy(&section, headers + sizeof(section) * (size_t)i, sizeof(section));
		if (section.sh_type == SHT_PROGBITS && section.sh_flags & SHF_EXECINSTR &&
		    bytes_at(image, section.sh_offset, section.sh_size))
			total += section.sh_size;
	}
	return total;
}

/* Returns the bytes of code in the file. */
static uint64_t read_code(const struct image *image, struct elf_unwind *facts)
{
	uint64_t total = 0, code_only = code_of_sections(image);
	Elf64_Phdr segment;

	facts->knows_frame_pointers =
		image->header.e_machine == EM_X86_64 || image->header.e_machine == EM_AARCH64;
	for (int i = 0; read_segment(image, i, &segment); i++) {
		const unsigned char *code = bytes_at(image, segment.p_offset, segment.p_filesz);

		if (segment.p_type != PT_LOAD || !(segment.p_flags & PF_X) || !code)
			continue;
		total += segment.p_filesz;
		facts->frame_pointers |= facts->knows_frame_pointers &&
					 sets_frame_pointer(image, code, segment.p_filesz);
	}
	return code_only ? code_only : total;
}

static uint32_t word_at(const unsigned char *from)
{
	uint32_t word;

	memcpy(&word, from, sizeof(word));
	return word;
}

/* Adds up the sizes of the functions in the table. Returns -1 for a form that is not known. */
static int add_functions(const struct image *image, const Elf64_Phdr *segment, uint64_t *covered)
{
	const unsigned char *table = bytes_at(image, segment->p_offset, segment->p_filesz), *fde;
	uint32_t count;

	if (!table || segment->p_filesz < TABLE)
		return -1;
	if (table[0] != 1 || table[1] != PCREL_SDATA4 || table[2] != UDATA4 ||
	    table[3] != DATAREL_SDATA4)
		return -1;
	count = word_at(table + ENTRY);
	if (count > (segment->p_filesz - TABLE) / ENTRY)
		return -1;
	for (uint32_t i = 0; i < count; i++) {
		int64_t offset = (int32_t)word_at(table + TABLE + (uint64_t)i * ENTRY + 4);

		fde = bytes_at(image, segment->p_offset + (uint64_t)offset, FDE);
		*covered += fde ? word_at(fde + FDE - 4) : 0;
	}
	return 0;
}

static int read_tables(const struct image *image, uint64_t *covered)
{
	Elf64_Phdr segment;

	for (int i = 0; read_segment(image, i, &segment); i++)
		if (segment.p_type == PT_GNU_EH_FRAME)
			return add_functions(image, &segment, covered);
	return 0;
}

static int read_image(struct image *image, struct elf_unwind *facts)
{
	uint64_t code, covered = 0;

	if (image->size < sizeof(image->header))
		return -1;
	memcpy(&image->header, image->bytes, sizeof(image->header));
	if (memcmp(image->header.e_ident, ELFMAG, SELFMAG) ||
	    image->header.e_ident[EI_CLASS] != ELFCLASS64 ||
	    image->header.e_phentsize != sizeof(Elf64_Phdr))
		return -1;
	code = read_code(image, facts);
	if (!code || read_tables(image, &covered))
		return -1;
	facts->percent = covered >= code ? 100 : (unsigned)(covered * 100 / code);
	return 0;
}

int elf_unwind_read(int file, struct elf_unwind *facts)
{
	struct image image = {0};
	struct stat status;
	void *bytes;
	int result;

	*facts = (struct elf_unwind){0};
	if (fstat(file, &status) || !S_ISREG(status.st_mode) || status.st_size <= 0)
		return -1;
	image.size = (uint64_t)status.st_size;
	bytes = mmap(NULL, image.size, PROT_READ, MAP_PRIVATE, file, 0);
	if (bytes == MAP_FAILED)
		return -1;
	image.bytes = bytes;
	result = read_image(&image, facts);
	munmap(bytes, image.size);
	return result;
}
