/* SPDX-License-Identifier: MIT */
#ifndef GPU_TAP_H
#define GPU_TAP_H

#include <stdbool.h>

/* The results on stdout, numbered here; `format` is printf's, without a newline. */
#define TAP_FORMAT __attribute__((format(printf, 2, 3)))

void tap_result(bool passed, const char *format, ...) TAP_FORMAT;
void tap_skip(const char *reason, const char *format, ...) TAP_FORMAT;
/* Prints "# answer ...", which tests/gpu/run collects. */
void tap_answer(const char *format, ...) __attribute__((format(printf, 1, 2)));
void tap_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints the plan. Returns 0, or 1 if a result was not ok. */
int tap_finish(void);

#endif
