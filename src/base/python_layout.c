/* SPDX-License-Identifier: MIT */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* RTLD_DEFAULT */
#endif

#include "base/python_layout.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "base/python_memory.h"
#include "base/unwind_lookup.h"

/* clang-format off */
static const struct {
	uint32_t version;
	struct python_layout layout;
} tables[] = {
	{ 0x030a, {
		.kind = PYTHON_SINGLE,
		.runtime_interpreters = 32, .interpreter_next = 0, .interpreter_threads = 8,
		.thread_next = 8, .thread_interpreter = 16, .thread_id = 176,
		.thread_top = 48, .thread_frame = 24, .cframe_previous = 8,
		.frame_code = 32, .frame_previous = 24, .frame_instruction = 96,
		.code_file = 104, .code_name = 112, .code_first_line = 40, .code_lines = 120,
		.object_type = 8, .text_length = 16, .text_state = 32,
		.text_ascii = 48, .text_other = 72, .bytes_length = 16, .bytes_data = 32 } },
	{ 0x030b, {
		.kind = PYTHON_FLAGGED,
		.runtime_interpreters = 40, .interpreter_next = 0, .interpreter_threads = 16,
		.thread_next = 8, .thread_interpreter = 16, .thread_id = 152,
		.thread_top = 56, .cframe_frame = 8, .cframe_previous = 16,
		.frame_code = 32, .frame_previous = 48, .frame_instruction = 56,
		.frame_owner = 69, .frame_is_entry = 68,
		.code_file = 112, .code_name = 128, .code_first_line = 72, .code_lines = 136,
		.code_first_traced = 168, .code_instructions = 184,
		.object_type = 8, .text_length = 16, .text_state = 32,
		.text_ascii = 48, .text_other = 72, .bytes_length = 16, .bytes_data = 32 } },
	{ 0x030c, {
		.kind = PYTHON_MARKED,
		.runtime_interpreters = 40, .interpreter_next = 0, .interpreter_threads = 72,
		.thread_next = 8, .thread_interpreter = 16, .thread_id = 136,
		.thread_top = 56, .cframe_frame = 0, .cframe_previous = 8,
		.frame_code = 0, .frame_previous = 8, .frame_instruction = 56, .frame_owner = 70,
		.code_file = 112, .code_name = 128, .code_first_line = 68, .code_lines = 136,
		.code_first_traced = 176, .code_instructions = 192,
		.object_type = 8, .text_length = 16, .text_state = 32,
		.text_ascii = 40, .text_other = 56, .bytes_length = 16, .bytes_data = 32 } },
};

/* The members of _Py_DebugOffsets of 3.13 that are used: the number of the word, and the offset. */
static const struct {
	uint8_t word;
	uint8_t member;
} words[] = {
#define WORD(number, name) { number, offsetof(struct python_layout, name) }
	WORD(5, runtime_interpreters),
	WORD(8, interpreter_next),
	WORD(9, interpreter_threads),
	WORD(21, thread_next),
	WORD(22, thread_interpreter),
	WORD(23, thread_top),
	WORD(24, thread_id),
	WORD(29, frame_previous),
	WORD(30, frame_code),
	WORD(31, frame_instruction),
	WORD(33, frame_owner),
	WORD(35, code_file),
	WORD(37, code_name),
	WORD(38, code_lines),
	WORD(39, code_first_line),
	WORD(43, code_instructions),
	WORD(45, object_type),
	WORD(65, bytes_length),
	WORD(66, bytes_data),
	WORD(68, text_state),
	WORD(69, text_length),
	WORD(70, text_ascii),
#undef WORD
};
/* clang-format on */

enum { WITH_OFFSETS = 0x030d };
enum { OFFSETS_WORDS = 73, FREE_THREADED = 2, OFFSET_LIMIT = 1 << 15 };

/* The words before the instructions are _co_firsttraceable and co_extra; a text that is not ASCII
 * has utf8_length and utf8 after the other header. */
enum { BEFORE_INSTRUCTIONS = 16, AFTER_ASCII = 16 };

/* `from`: the start of _PyRuntime, with its offsets. They are constants of the ELF file. */
static bool read_offsets(uintptr_t from, uint32_t version, struct python_layout *to)
{
	uintptr_t pages[2] = {0};
	struct python_memory memory = {pages, 2};
	uint64_t offsets[OFFSETS_WORDS];

	if (!python_memory_copy(&memory, offsets, from, sizeof(offsets)) ||
	    memcmp(offsets, "xdebugpy", 8) || offsets[1] >> 16 != version || offsets[FREE_THREADED])
		return false;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		uint16_t value = (uint16_t)offsets[words[i].word];

		if (offsets[words[i].word] >= OFFSET_LIMIT)
			return false;
		memcpy((char *)to + words[i].member, &value, sizeof(value));
	}
	to->kind = PYTHON_CHAIN;
	to->code_first_traced = to->code_instructions - BEFORE_INSTRUCTIONS;
	to->text_other = to->text_ascii + AFTER_ASCII;
	return to->code_instructions >= BEFORE_INSTRUCTIONS;
}

/* Returns 0x030b for 3.11, 0 if it is not known. */
static uint32_t read_version(void)
{
	const unsigned long *number = dlsym(RTLD_DEFAULT, "Py_Version");
	const char *(*function)(void), *text;
	char *end;
	unsigned long major, minor;

	if (number)
		return (uint32_t)(*number >> 16);
	/* Before 3.11. It reads nothing but constants, and may be called before Py_Initialize. */
	*(void **)&function = dlsym(RTLD_DEFAULT, "Py_GetVersion");
	text = function ? function() : "";
	major = strtoul(text, &end, 10);
	minor = *end == '.' ? strtoul(end + 1, &end, 10) : 0;
	return major && major < 256 && minor < 256 ? (uint32_t)(major << 8 | minor) : 0;
}

/* Sets the bounds of the evaluation loop. Its size is in the symbol table; dladdr1 is glibc's. */
static void find_loop(struct python_interpreter *to, void *loop)
{
	int (*find)(const void *, Dl_info *, void **, int);
	ElfW(Sym) *symbol = NULL;
	Dl_info found;

	*(void **)&find = dlsym(RTLD_DEFAULT, "dladdr1");
	to->loop = (uintptr_t)loop;
	to->loop_end = to->loop;
	if (find && find(loop, &found, (void **)&symbol, RTLD_DL_SYMENT) && symbol &&
	    found.dli_saddr == loop)
		to->loop_end = to->loop + symbol->st_size;
}

bool python_layout_has(uint32_t version)
{
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		if (tables[i].version == version)
			return true;
	return version == WITH_OFFSETS;
}

static uint16_t largest(const uint16_t *offsets, size_t count)
{
	uint16_t most = 0;

	for (size_t i = 0; i < count; i++)
		most = offsets[i] > most ? offsets[i] : most;
	return most + sizeof(uint64_t);
}

#define SIZE_OF(...) largest((const uint16_t[]){__VA_ARGS__}, sizeof((uint16_t[]){__VA_ARGS__}) / 2)

void python_layout_set_sizes(struct python_layout *to)
{
	to->frame_size = SIZE_OF(to->frame_code, to->frame_previous, to->frame_instruction,
				 to->frame_owner, to->frame_is_entry);
	to->code_size = SIZE_OF(to->object_type, to->code_file, to->code_name, to->code_first_line,
				to->code_lines, to->code_first_traced);
	to->text_size = SIZE_OF(to->object_type, to->text_length, to->text_state);
}

static void find_layout(struct python_interpreter *to)
{
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		if (tables[i].version == to->version) {
			to->layout = tables[i].layout;
			to->known = true;
		}
	if (to->version == WITH_OFFSETS)
		to->known = read_offsets(to->runtime, to->version, &to->layout);
	python_layout_set_sizes(&to->layout);
	if (to->layout.frame_size > PYTHON_PAGE || to->layout.code_size > PYTHON_PAGE ||
	    to->layout.text_size > PYTHON_PAGE)
		to->known = false;
	to->known = to->known && to->code_type && to->text_type && to->bytes_type;
}

bool python_layout_find(struct python_interpreter *to)
{
	void *loop = dlsym(RTLD_DEFAULT, "_PyEval_EvalFrameDefault");
	struct unwind_object object;

	*to = (struct python_interpreter){
		.runtime = (uintptr_t)dlsym(RTLD_DEFAULT, "_PyRuntime"),
		.code_type = (uintptr_t)dlsym(RTLD_DEFAULT, "PyCode_Type"),
		.text_type = (uintptr_t)dlsym(RTLD_DEFAULT, "PyUnicode_Type"),
		.bytes_type = (uintptr_t)dlsym(RTLD_DEFAULT, "PyBytes_Type"),
	};
	if (!loop || !to->runtime || !unwind_lookup_object((uintptr_t)loop, &object))
		return false;
	find_loop(to, loop);
	to->object = object.begin;
	to->object_end = object.end;
	if (unwind_lookup_object((uintptr_t)dlsym(RTLD_DEFAULT, "syscall"), &object)) {
		to->c_library = object.begin;
		to->c_library_end = object.end;
	}
	to->version = read_version();
	find_layout(to);
	return true;
}
