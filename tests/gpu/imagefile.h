/* SPDX-License-Identifier: MIT */
#ifndef GPU_IMAGEFILE_H
#define GPU_IMAGEFILE_H

#include <stdint.h>
#include <stdio.h>

/*
 * Counter data images in a file: the hardware counters as CUPTI has stored them, and CUPTI's values
 * for them. Evaluating an image needs a libcupti, but neither a driver nor a device. The file is
 * a list of pieces, each with a head; all numbers are the machine's, and a piece replaces those of
 * its kind before it:
 *	chip	the name of the chip that was measured
 *	config	the configuration of the measurement
 *	data	the counter data image
 *	values	of one range of that image: 64 bits its number, 64 bits the number of metrics, a
 *		double for each, and their names, each ended by a 0 byte
 */
struct imagefile_head {
	char kind[8]; /* padded with 0 bytes */
	uint64_t bytes;
};

static inline void imagefile_write_head(FILE *file, const char *kind, uint64_t bytes)
{
	struct imagefile_head head = {.bytes = bytes};

	snprintf(head.kind, sizeof(head.kind), "%s", kind);
	fwrite(&head, sizeof(head), 1, file);
}

static inline void imagefile_write(FILE *file, const char *kind, const void *piece, uint64_t bytes)
{
	imagefile_write_head(file, kind, bytes);
	fwrite(piece, bytes, 1, file);
}

#endif
