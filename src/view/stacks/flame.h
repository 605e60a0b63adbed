/* SPDX-License-Identifier: MIT */
#ifndef VIEW_STACKS_FLAME_H
#define VIEW_STACKS_FLAME_H

#include "base/names.h"
#include "view/stacks/keyed.h"
#include "view/stream/stream.h"

/*
 * The time of a stream by call stacks: of kernels, copies and fills below the stacks of the calls
 * that launched them, of samples of the CPU, and of waits for the device.
 */
enum flame_class {
	FLAME_GPU,  /* time on the device */
	FLAME_CPU,  /* CPU time, from samples */
	FLAME_WAIT, /* time in which a thread waited for the device */
	FLAME_CLASSES
};

enum flame_mode { FLAME_MERGE, FLAME_GPU_ONLY, FLAME_CPU_ONLY };

/* Set before a view is written; the tool's options. */
struct flame_options {
	enum flame_mode mode;
	uint32_t hertz; /* of samples as the unit of folded stacks; 0: microseconds */
	bool mangled;	/* C++ names stay as they are in the files */
	size_t waits;	/* of a process that are kept with names, 0: millions; for tests */
};

extern struct flame_options flame_options;

/* Read "merge" and so on, and "us" or "samples@HZ". Return -1 for other words. */
int flame_set_mode(const char *word);
int flame_set_unit(const char *word);

/* A function: an entry of flame.functions. All texts are valid UTF-8 without control characters. */
struct flame_function {
	uint32_t parent; /* 1 + number of its caller's, 0 at the outermost */
	uint32_t name;	 /* in flame.names */
};

/* A function and the line in it: an entry of flame.frames. */
struct flame_frame {
	uint32_t parent; /* 1 + number of its caller's, 0 at the outermost */
	uint32_t name;
	uint32_t file; /* in flame.names; 0: not known */
	uint32_t line; /* 0: not known */
	/* After the key: */
	uint32_t function; /* number in flame.functions */
	uint32_t module; /* in the catalog of the part that added it; 0: none */
	uint64_t address; /* with a module: in its file, of the first frame that was added */
	bool own; /* of the program, not of a library of the system or the driver */
};

/* An entry of flame.sums. */
struct flame_sum {
	uint32_t frame; /* 1 + number of the innermost frame */
	uint32_t thread; /* kernel thread id */
	uint32_t device; /* in flame.names; 0: none */
	uint32_t class;	 /* enum flame_class */
	/* After the key: */
	uint64_t time; /* ns */
	uint64_t count;
};

struct flame {
	struct names *names;
	struct keyed functions, frames, sums;
	uint64_t records, matched, samples, waits;
	bool has_stacks, has_calls; /* any part has */
	uint64_t on_device; /* samples of threads that ran commands: their time is the records' */
	uint64_t started; /* of the first process, ns since 1970 */
};

/* Makes an empty one. Returns -1 without memory; call flame_free in any case. */
int flame_open(struct flame *flame);

/* Opens `flame` and reads the stream to its end, all parts. Returns 0, or -1 with one sentence in
 * `error`. Frees nothing then: call flame_free. */
int flame_read(struct flame *flame, struct stream *stream, struct strbuf *error);
void flame_free(struct flame *flame);

/*
 * One part of a stream, for a view that reads the stream itself: flame_part_end adds its sums to
 * `flame`, which flame_open has made, and messages to the stream. flame_part_new returns NULL
 * without memory; the others 0, or -1 with one sentence in `error`.
 */
struct flame_part;

struct flame_part *flame_part_new(struct flame *flame, struct stream *stream);
int flame_part_add(struct flame_part *part, const struct frame *frame, struct strbuf *error);
int flame_part_end(struct flame_part *part, struct strbuf *error); /* after the last frame */
void flame_part_free(struct flame_part *part);			   /* NULL: does nothing */

/* Return 1 + the number of an entry, 0 without memory. `parent` is such a number, or 0. The name
 * is of any bytes. */
uint32_t flame_add_frame(struct flame *flame, uint32_t parent, const char *name, size_t length,
			 const char *file, uint32_t line);

/* Marks the frames from the innermost one, `frame`, up to `until` (numbers as above) as own. */
void flame_set_own(struct flame *flame, uint32_t frame, uint32_t until);

/* Sets the module and the address of these frames, if they have none. */
void flame_set_place(struct flame *flame, uint32_t frame, uint32_t until, uint32_t module,
		     uint64_t address);

/* Adds to the sum of this key. Returns -1 without memory. */
int flame_add_sum(struct flame *flame, const struct flame_sum *more);

/* Writes the numbers of an entry of `list`, flame.functions or flame.frames, and of its callers, up
 * to the outermost one. `at` is 1 + the number of the entry. Returns how many they are; `path` has
 * room for all entries. */
size_t flame_path(const struct keyed *list, uint32_t at, uint32_t *path);

/* Adds messages with the counts and the total to the stream. */
void flame_put_messages(const struct flame *flame, struct stream *stream, uint64_t stacks,
			uint64_t total, const char *unit);

static inline const struct flame_function *flame_function(const struct flame *flame,
							  uint32_t number)
{
	return keyed_at(&flame->functions, number);
}

static inline const struct flame_frame *flame_frame(const struct flame *flame, uint32_t number)
{
	return keyed_at(&flame->frames, number);
}

static inline const struct flame_sum *flame_sum(const struct flame *flame, uint32_t number)
{
	return keyed_at(&flame->sums, number);
}

#endif
