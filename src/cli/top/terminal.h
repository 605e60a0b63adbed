/* SPDX-License-Identifier: MIT */
#ifndef CLI_TOP_TERMINAL_H
#define CLI_TOP_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The terminal on stdin and stdout as a screen: its alternate screen, single keys without echo. On
 * every way out of the process but SIGKILL the terminal is as before: at terminal_leave, exit, the
 * signals that end or stop the process, and crashes.
 */
enum terminal_key {
	TERMINAL_TIMEOUT = 0, /* no key until the deadline */
	/* 1 to 255: a byte */
	TERMINAL_UP = 256,
	TERMINAL_DOWN,
	TERMINAL_BACK,	  /* Shift-Tab */
	TERMINAL_CHANGED, /* the size, or the screen was used by others: draw again */
	TERMINAL_CLOSED,
};

/* Returns true if stdin and stdout are a terminal that can move its cursor. */
bool terminal_is_usable(void);

/* Returns 0, or -1 with errno. */
int terminal_enter(void);
void terminal_leave(void);

/* Sets the size in characters; 80 x 24 if the terminal does not report it. */
void terminal_size(unsigned *width, unsigned *height);

/* Waits for a key until `deadline`, CLOCK_MONOTONIC ns. After a signal that ends the process, the
 * terminal is restored and the signal is raised in this function. */
int terminal_wait(uint64_t deadline);

/* Shows the lines from the top, each cut to the width, and `last` on the last line. Line number
 * `marked` is inverse. */
void terminal_draw(const char *lines, size_t length, size_t marked, const char *last);

#endif
