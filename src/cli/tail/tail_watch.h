/* SPDX-License-Identifier: MIT */
#ifndef CLI_TAIL_TAIL_WATCH_H
#define CLI_TAIL_TAIL_WATCH_H

#include <stdbool.h>

/*
 * Waits until a file may have changed. inotify reports most changes at once. It does not report
 * those by other hosts on a network file system, and may not be available, so a wait ends after
 * TAIL_WATCH_PERIOD in any case.
 */
enum { TAIL_WATCH_PERIOD = 250 /* ms */ };

/* Returns a descriptor for the functions below, or -1 if there is none, which they accept. */
int tail_watch_open(void);

/* Watches the file and, for one that takes its place, its directory. */
void tail_watch_add(int watch, const char *path);

/* Waits for a change. Returns false if the reader of the standard output has closed it. */
bool tail_watch_wait(int watch);

#endif
