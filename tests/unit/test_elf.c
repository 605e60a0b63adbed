/* SPDX-License-Identifier: MIT */
#include <elf.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/run/elf.h"

#include "random.h"

/* A small program file as from a linker, and manipulated copies of it. */
enum { SEGMENTS = 3, ENTRIES = 5, ADDRESS = 0x400000 };

struct sample {
	Elf64_Ehdr header;
	Elf64_Phdr segments[SEGMENTS];
	Elf64_Dyn entries[ENTRIES];
	char interpreter[32];
	char strings[48];
};

static const char strings[48] = "\0libOpenCL.so.1\0libc.so.6\0two\nlines";

enum { LIB_OPENCL = 1, LIB_C = 16, TWO_LINES = 26 };

/* The ELF header of the test itself has the machine type. */
static void make_sample(struct sample *sample)
{
	static const char interpreter[] = "/lib64/ld-linux-x86-64.so.2";
	int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	memset(sample, 0, sizeof(*sample));
	assert_int_equal(read(file, &sample->header, sizeof(sample->header)),
			 sizeof(sample->header));
	close(file);
	sample->header.e_phoff = offsetof(struct sample, segments);
	sample->header.e_phnum = SEGMENTS;
	sample->segments[0] = (Elf64_Phdr){.p_type = PT_INTERP,
					   .p_offset = offsetof(struct sample, interpreter),
					   .p_filesz = sizeof(interpreter)};
	sample->segments[1] =
		(Elf64_Phdr){.p_type = PT_LOAD, .p_vaddr = ADDRESS, .p_filesz = sizeof(*sample)};
	sample->segments[2] = (Elf64_Phdr){.p_type = PT_DYNAMIC,
					   .p_offset = offsetof(struct sample, entries),
					   .p_filesz = sizeof(sample->entries)};
	sample->entries[0] = (Elf64_Dyn){.d_tag = DT_NEEDED, .d_un.d_val = LIB_OPENCL};
	sample->entries[1] = (Elf64_Dyn){.d_tag = DT_STRTAB,
					 .d_un.d_ptr = ADDRESS + offsetof(struct sample, strings)};
	sample->entries[2] = (Elf64_Dyn){.d_tag = DT_NEEDED, .d_un.d_val = LIB_C};
	sample->entries[3] = (Elf64_Dyn){.d_tag = DT_NEEDED, .d_un.d_val = TWO_LINES};
	memcpy(sample->interpreter, interpreter, sizeof(interpreter));
	memcpy(sample->strings, strings, sizeof(strings));
}

static enum elf_kind read_bytes(struct elf *elf, const void *bytes, size_t size)
{
	int file = memfd_create("sample", MFD_CLOEXEC);

	assert_true(file >= 0);
	assert_int_equal(write(file, bytes, size), size);
	*elf = (struct elf){0};
	elf_read(file, elf);
	close(file);
	return elf->kind;
}

static enum elf_kind kind_of(const struct sample *sample)
{
	struct elf elf;
	enum elf_kind kind = read_bytes(&elf, sample, sizeof(*sample));

	elf_free(&elf);
	return kind;
}

static void test_whole(void **state)
{
	struct sample sample;
	struct elf elf;

	(void)state;
	make_sample(&sample);
	assert_int_equal(read_bytes(&elf, &sample, sizeof(sample)), ELF_DYNAMIC);
	assert_true(elf.wide);
	assert_string_equal(elf.interpreter, "/lib64/ld-linux-x86-64.so.2");
	/* a name with a newline is refused */
	assert_string_equal(strbuf_text(&elf.needed), "libOpenCL.so.1\nlibc.so.6\n");
	assert_true(elf_needs(&elf, "libOpenCL.so"));
	assert_true(elf_needs(&elf, "libc.so"));
	assert_false(elf_needs(&elf, "libcuda.so"));
	assert_false(elf_needs(&elf, "OpenCL"));
	elf_free(&elf);
}

static void test_own(void **state)
{
	int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct elf elf = {0};

	(void)state;
	elf_read(file, &elf);
	assert_int_equal(elf.kind, ELF_DYNAMIC);
	assert_true(elf_needs(&elf, "libcmocka.so"));
	assert_int_equal(lseek(file, 0, SEEK_CUR), 0);
	elf_free(&elf);
	close(file);
}

static void test_kinds(void **state)
{
	struct sample good, bad;
	struct elf elf;

	(void)state;
	make_sample(&good);
	assert_int_equal(read_bytes(&elf, "#!/bin/sh\n", 10), ELF_NONE);
	assert_int_equal(read_bytes(&elf, "", 0), ELF_NONE);
	bad = good;
	bad.header.e_machine ^= 1;
	assert_int_equal(kind_of(&bad), ELF_FOREIGN);
	bad = good;
	bad.header.e_ident[EI_CLASS] = ELFCLASS32;
	assert_int_equal(kind_of(&bad), ELF_FOREIGN);
	bad = good;
	bad.header.e_ident[EI_DATA] = ELFDATANONE;
	assert_int_equal(kind_of(&bad), ELF_FOREIGN);
	bad = good;
	bad.header.e_type = ET_REL;
	assert_int_equal(kind_of(&bad), ELF_DAMAGED);
	bad = good;
	bad.segments[0].p_type = PT_NOTE;
	assert_int_equal(kind_of(&bad), ELF_STATIC);
}

static void test_header(void **state)
{
	struct sample good, bad;

	(void)state;
	make_sample(&good);
	bad = good;
	bad.header.e_phentsize = 1;
	assert_int_equal(kind_of(&bad), ELF_DAMAGED);
	bad = good;
	bad.header.e_phnum = 0;
	assert_int_equal(kind_of(&bad), ELF_DAMAGED);
	bad.header.e_phnum = 65535;
	assert_int_equal(kind_of(&bad), ELF_DAMAGED);
	bad = good;
	bad.header.e_phoff = UINT64_MAX - 8;
	assert_int_equal(kind_of(&bad), ELF_DAMAGED);
	bad.header.e_phoff = INT64_MAX;
	assert_int_equal(kind_of(&bad), ELF_DAMAGED);
}

/* The addresses in the dynamic section may be invalid: then names are missing. */
static void assert_needed(const struct sample *sample, const char *needed)
{
	struct elf elf;

	assert_int_equal(read_bytes(&elf, sample, sizeof(*sample)), ELF_DYNAMIC);
	assert_string_equal(strbuf_text(&elf.needed), needed);
	elf_free(&elf);
}

static void test_dynamic(void **state)
{
	struct sample good, bad;

	(void)state;
	make_sample(&good);
	bad = good;
	bad.entries[0].d_un.d_val = UINT64_MAX;
	assert_needed(&bad, "libc.so.6\n");
	bad.entries[0].d_un.d_val = INT64_MAX;
	assert_needed(&bad, "libc.so.6\n");
	bad = good;
	bad.entries[1].d_un.d_ptr = 8; /* in no segment */
	assert_needed(&bad, "");
	bad = good;
	bad.entries[1].d_tag = DT_DEBUG;
	assert_needed(&bad, "");
	bad = good;
	bad.segments[2].p_offset = UINT64_MAX - 16;
	assert_needed(&bad, "");
	bad = good;
	bad.segments[2].p_filesz = UINT64_MAX;
	assert_needed(&bad, "libOpenCL.so.1\nlibc.so.6\n");
	bad = good;
	bad.segments[1].p_filesz = 0;
	assert_needed(&bad, "");
	bad = good;
	memset(bad.strings, 'x', sizeof(bad.strings)); /* without an end */
	assert_needed(&bad, "");
	bad = good;
	bad.segments[0].p_offset = UINT64_MAX;
	assert_needed(&bad, "libOpenCL.so.1\nlibc.so.6\n");
}

static void test_any_bytes(void **state)
{
	struct sample good, bad;
	struct elf elf;

	(void)state;
	make_sample(&good);
	for (size_t size = 0; size < sizeof(good); size++) {
		enum elf_kind kind = read_bytes(&elf, &good, size);

		assert_true(size < sizeof(good.header) + sizeof(good.segments)
				    ? kind == ELF_NONE || kind == ELF_DAMAGED
				    : kind == ELF_DYNAMIC);
		elf_free(&elf);
	}
	for (int i = 0; i < 20000; i++) {
		bad = good;
		for (unsigned j = 1 + next_random() % 4; j; j--)
			((unsigned char *)&bad)[next_random() % sizeof(bad)] = next_random() & 0xff;
		assert_true(kind_of(&bad) <= ELF_DYNAMIC);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),	cmocka_unit_test(test_own),
		cmocka_unit_test(test_kinds),	cmocka_unit_test(test_header),
		cmocka_unit_test(test_dynamic), cmocka_unit_test(test_any_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
