/* SPDX-License-Identifier: MIT */
/* Writes counter data images to a file, with CUPTI's values (imagefile.h). */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cuda/counters/hostapi.h"
#include "imagefile.h"
#include "recorder.h"

/* Images are large, and more of them add nothing. */
enum { MOST_IMAGES = 8, MOST_BYTES = 1 << 20, OBJECTS = 16 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The latest objects; the oldest is dropped first. */
static struct object {
	const struct host_object *handle;
	char chip[32];
	void *config;
	size_t bytes;
} objects[OBJECTS];
static unsigned next_object;

static struct {
	void *data; /* a copy */
	size_t bytes;
	unsigned count;
	struct object *object; /* whose chip and configuration are in the file */
} written;

static struct object *find(const struct host_object *handle)
{
	for (struct object *object = objects; object < objects + OBJECTS; object++) {
		if (object->handle == handle)
			return object;
	}
	return NULL;
}

static struct object *find_or_make(const struct host_object *handle)
{
	struct object *object = find(handle);

	if (object)
		return object;
	object = &objects[next_object++ % OBJECTS];
	free(object->config);
	*object = (struct object){.handle = handle};
	return object;
}

void image_chip(const void *parameters)
{
	const struct host_initialize *call = parameters;
	struct object *object;

	pthread_mutex_lock(&lock);
	object = find_or_make(call->object);
	snprintf(object->chip, sizeof(object->chip), "%s", call->chip ? call->chip : "");
	if (written.object == object)
		written.object = NULL;
	pthread_mutex_unlock(&lock);
}

void image_config(const void *parameters)
{
	const struct host_image *call = parameters;
	struct object *object;

	pthread_mutex_lock(&lock);
	object = find_or_make(call->object);
	free(object->config);
	object->config = malloc(call->bytes);
	object->bytes = object->config ? call->bytes : 0;
	memcpy(object->config, call->image, object->bytes);
	if (written.object == object)
		written.object = NULL;
	pthread_mutex_unlock(&lock);
}

static void write_object(FILE *file, struct object *object)
{
	if (object == written.object)
		return;
	imagefile_write(file, "chip", object->chip, strlen(object->chip) + 1);
	if (object->bytes)
		imagefile_write(file, "config", object->config, object->bytes);
	written.object = object;
}

/* Returns false if there are enough images, or it is too large. */
static bool write_data(FILE *file, const struct host_evaluate *call)
{
	if (written.data && written.bytes == call->bytes &&
	    !memcmp(written.data, call->data, call->bytes))
		return true;
	if (written.count == MOST_IMAGES || call->bytes > MOST_BYTES)
		return false;
	free(written.data);
	written.data = malloc(call->bytes);
	if (!written.data)
		return false;
	memcpy(written.data, call->data, call->bytes);
	written.bytes = call->bytes;
	written.count++;
	imagefile_write(file, "data", call->data, call->bytes);
	return true;
}

static void write_values(FILE *file, const struct host_evaluate *call)
{
	uint64_t numbers[2] = {call->range, call->count};
	uint64_t bytes = sizeof(numbers) + call->count * sizeof(double);

	for (size_t i = 0; i < call->count; i++)
		bytes += strlen(call->metrics[i]) + 1;
	imagefile_write_head(file, "values", bytes);
	fwrite(numbers, sizeof(numbers), 1, file);
	fwrite(call->values, sizeof(double), call->count, file);
	for (size_t i = 0; i < call->count; i++)
		fwrite(call->metrics[i], strlen(call->metrics[i]) + 1, 1, file);
}

void image_values(const void *parameters)
{
	const struct host_evaluate *call = parameters;
	char *path = note_path("RECORDER_IMAGES", NULL);
	struct object *object;
	FILE *file;

	if (!path)
		return;
	pthread_mutex_lock(&lock);
	object = find(call->object);
	file = object ? fopen(path, "ae") : NULL;
	if (file) {
		write_object(file, object);
		if (write_data(file, call))
			write_values(file, call);
		fclose(file);
	}
	pthread_mutex_unlock(&lock);
	free(path);
}
