/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FAKES_CUPTI_IMAGE_H
#define TESTS_FAKES_CUPTI_IMAGE_H

#include "cupti_metric.h"

/*
 * The images that a client stores. Each starts with a struct image_head and the names of its
 * metrics, each followed by a zero byte; a counter data image has room for ranges after them.
 */
enum image_kind { IMAGE_CONFIG = 1, IMAGE_DATA, IMAGE_AVAILABILITY };

struct image_head {
	char magic[8];
	uint64_t kind;
	uint64_t bytes; /* of the whole image */
	char chip[CHIP_NAME];
	uint64_t names; /* bytes of them */
	uint64_t passes;
	uint64_t most; /* ranges */
	uint64_t count;
	uint64_t device_level; /* availability: these metrics are available */
};

/* Returns the required bytes. */
size_t image_bytes(size_t names, size_t ranges);
/* Makes an image without ranges; sets kind, bytes and magic. */
void image_make(uint8_t *image, const struct image_head *head, const char *names);
/* Returns true if it is of this kind and complete. */
bool image_is(const uint8_t *image, size_t bytes, enum image_kind kind);
struct image_head image_head(const uint8_t *image);
bool image_has(const uint8_t *image, const char *metric);
/* Returns the first metric that the other image lacks; NULL: none. */
const char *image_lacks(const uint8_t *image, const uint8_t *other);

/* Adds a range to counter data. Returns false if it is full. */
bool image_add(uint8_t *image, const struct range *range);
/* The range must exist. */
struct range image_range(const uint8_t *image, size_t number);

/* Consecutive names; the owner frees the text. */
struct names {
	char *text;
	size_t bytes;
};
void names_add(struct names *names, const char *const *metrics, size_t count);

#endif
