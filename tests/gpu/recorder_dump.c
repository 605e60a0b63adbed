/* SPDX-License-Identifier: MIT */
/* Writes completed buffers to a file, which tests/fakes can replay. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "../fakes/dumpfile.h"
#include "recorder.h"

/* Writes each record if there is a file. Returns the number of records. A record extends to the
 * next one. */
static uint64_t walk(uint8_t *buffer, size_t valid, record_next *next, FILE *file)
{
	struct cupti_record *record = NULL, *before = NULL;
	uint64_t count = 0;

	for (; next(buffer, valid, &record) == CUPTI_DONE; before = record, count++) {
		if (before && file)
			dumpfile_write_record(file, before,
					      (size_t)((char *)record - (char *)before));
	}
	if (before && file)
		dumpfile_write_record(file, before,
				      (size_t)((char *)buffer + valid - (char *)before));
	return count;
}

void dump_buffer(uint8_t *buffer, size_t valid, record_next *next)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	char *path = note_path("RECORDER_DUMP", NULL);
	FILE *file;

	if (!path)
		return;
	pthread_mutex_lock(&lock);
	file = fopen(path, "ae");
	if (file) {
		dumpfile_write_buffer(file, valid, walk(buffer, valid, next, NULL));
		walk(buffer, valid, next, file);
		fclose(file);
	}
	pthread_mutex_unlock(&lock);
	free(path);
}
