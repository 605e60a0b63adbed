/* SPDX-License-Identifier: MIT */
#ifndef BASE_PYTHON_LAYOUT_H
#define BASE_PYTHON_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Where CPython has what a walk of its frames needs: offsets in its structures, in bytes. They
 * differ between minor versions. 3.10 to 3.12 have a table here; 3.13 has its own in the process
 * (_Py_DebugOffsets). Others, and builds of 3.13 without the GIL, are not known.
 */

/* How the frames of one call of the evaluation loop are found. In all but PYTHON_CHAIN, a thread
 * state has a chain of structures (cframe), one on the C stack of each of these calls. */
enum python_kind {
	PYTHON_SINGLE,	/* 3.10: each call has one frame; the newest is in the thread state */
	PYTHON_FLAGGED, /* 3.11: from the cframe's newest frame to one with the flag is_entry */
	PYTHON_MARKED,	/* 3.12: to one before a frame that is on the C stack itself */
	PYTHON_CHAIN,	/* 3.13: likewise; the newest frame is in the thread state */
};

struct python_layout {
	enum python_kind kind;
	uint16_t runtime_interpreters;
	uint16_t interpreter_next;
	uint16_t interpreter_threads;
	uint16_t thread_next;
	uint16_t thread_interpreter;
	uint16_t thread_id;    /* pthread_self() */
	uint16_t thread_top;   /* cframe, or the newest frame (PYTHON_CHAIN) */
	uint16_t thread_frame; /* PYTHON_SINGLE */
	uint16_t cframe_frame;
	uint16_t cframe_previous;
	uint16_t frame_code;
	uint16_t frame_previous;
	uint16_t frame_instruction; /* a pointer; PYTHON_SINGLE: number of 16-bit units, an int */
	uint16_t frame_owner;
	uint16_t frame_is_entry; /* PYTHON_FLAGGED */
	uint16_t code_file;
	uint16_t code_name; /* the qualified one, if there is one */
	uint16_t code_first_line;
	uint16_t code_lines;
	uint16_t code_first_traced; /* not PYTHON_SINGLE */
	uint16_t code_instructions; /* likewise */
	uint16_t object_type;
	uint16_t text_length;
	uint16_t text_state;
	uint16_t text_ascii; /* size of the header of texts that are ASCII */
	uint16_t text_other; /* of others */
	uint16_t bytes_length;
	uint16_t bytes_data;
	uint16_t frame_size; /* bytes in which the members above are */
	uint16_t code_size;
	uint16_t text_size;
};

/* The interpreter of this process. */
struct python_interpreter {
	struct python_layout layout;
	uint32_t version;    /* 0x030b for 3.11 */
	bool known;	     /* the layout is set */
	uintptr_t runtime;   /* address of _PyRuntime */
	uintptr_t code_type; /* the types of objects */
	uintptr_t text_type;
	uintptr_t bytes_type;
	uintptr_t loop, loop_end;     /* _PyEval_EvalFrameDefault */
	uintptr_t object, object_end; /* the ELF file that has it */
	uintptr_t c_library, c_library_end;
};

/* The versions whose frames can be read. */
#define PYTHON_VERSIONS "CPython 3.10 to 3.13"

/* Returns true for them; 0x030b is 3.11. */
bool python_layout_has(uint32_t version);

/* Sets the sizes of a layout by its offsets. */
void python_layout_set_sizes(struct python_layout *layout);

/* Looks it up. Not for signal handlers. Returns false if no CPython is loaded, or if its names are
 * not visible in the process. */
bool python_layout_find(struct python_interpreter *to);

#endif
