/* SPDX-License-Identifier: MIT */
#ifndef VIEW_OTF2_LIBOTF2_H
#define VIEW_OTF2_LIBOTF2_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

/*
 * The part of OTF2 3.0 (Open Trace Format, version 2) that writes archives. It is declared here, so
 * that a build does not need OTF2.
 */
struct otf2_archive;
struct otf2_events; /* the writer of a location's events */
struct otf2_local;  /* the writer of a location's own definitions */
struct otf2_global; /* the writer of the archive's definitions */
struct otf2_values; /* the attributes of an event; empty again after it */

enum {
	OTF2_WRITE = 0, /* mode */
	OTF2_POSIX = 1, /* substrate: files */
	OTF2_PLAIN = 1, /* compression: none */
	OTF2_CHUNK_LEAST = 256 << 10,
	OTF2_CHUNK_USUAL = 4 << 20, /* of definitions: each fits into one */
};

/* No definition; no time. */
#define OTF2_NONE      UINT32_MAX
#define OTF2_NO_NUMBER UINT64_MAX

enum otf2_type { OTF2_UINT64 = 4, OTF2_INT64 = 8, OTF2_DOUBLE = 10, OTF2_STRING = 11 };

enum otf2_group_type { OTF2_PROCESS = 1, OTF2_ACCELERATOR = 2 };

enum otf2_location_type { OTF2_THREAD = 1, OTF2_STREAM = 2, OTF2_METRICS = 3 };

enum otf2_role {
	OTF2_FUNCTION = 1,
	OTF2_WRAPPER = 2,
	OTF2_CODE = 4,
	OTF2_TRANSFER = 30,
	OTF2_ARTIFICIAL = 31
};

/* Those of APIs are in model/api.def. */
enum otf2_paradigm { OTF2_UNKNOWN = 0, OTF2_USER = 1, OTF2_MEASUREMENT = 6 };

enum {
	OTF2_METRIC_OTHER = 0,		      /* type */
	OTF2_METRIC_FROM_NOW_ON = 1 | 3 << 4, /* mode: absolute, up to the next value */
	OTF2_BINARY = 0,		      /* base */
	OTF2_ASYNCHRONOUS = 2,		      /* occurrence */
	OTF2_ABSTRACT = 1,		      /* recorder: by instances only */
	OTF2_SCOPE_GROUP_OF_LOCATIONS = 1,
};

/* Called before a full buffer is written; returns OTF2_FLUSH. */
enum { OTF2_FLUSH = 1 };
struct otf2_flush {
	uint8_t (*before)(void *data, uint8_t file, uint64_t location, void *caller, bool last);
	uint64_t (*after)(void *data, uint8_t file, uint64_t location); /* NULL: nothing */
};

/* The chunks of a buffer, in which `own` is the callee's: initially NULL. `allocate` returns NULL
 * if the buffer has enough; it is written then. */
struct otf2_memory {
	void *(*allocate)(void *data, uint8_t file, uint64_t location, void **own, uint64_t size);
	void (*free_all)(void *data, uint8_t file, uint64_t location, void **own, bool last);
};

/* Called for each error, also for those that no function returns. Codes up to 0 are none. Returns
 * `code`. */
typedef int (*otf2_heard)(void *data, const char *file, uint64_t line, const char *function,
			  int code, const char *format, va_list arguments);

/* The functions, by their names without "OTF2_". Set by libotf2_open. */
struct libotf2_functions {
#define FUNCTION(name, result, parameters) result(*name) parameters;
#include "view/otf2/libotf2.def"
#undef FUNCTION
};

extern struct libotf2_functions otf2;

/* Opens the library unless it is open. Returns 0, or -1 with one clause. */
int libotf2_open(struct strbuf *error);

#endif
