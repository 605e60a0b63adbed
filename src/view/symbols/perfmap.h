/* SPDX-License-Identifier: MIT */
#ifndef VIEW_SYMBOLS_PERFMAP_H
#define VIEW_SYMBOLS_PERFMAP_H

#include <stdint.h>

/*
 * The functions that a process compiled while it ran (JIT), from the map that it wrote for perf:
 * /tmp/perf-PID.map, lines "ADDRESS SIZE NAME" in hexadecimal. A map of another user, or of an
 * earlier process with the number, is not used.
 */
struct perf_map;

/* `since`: start of the process, ns since 1970. Returns NULL if there is no usable map. */
struct perf_map *perf_map_open(const char *path, uint64_t since);
void perf_map_close(struct perf_map *map);

/* Returns the function with the address in memory, valid until perf_map_close, or NULL. */
const char *perf_map_find(const struct perf_map *map, uint64_t address);

#endif
