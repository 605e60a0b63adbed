/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FAKES_CUPTI_IMAGE_H
#define TESTS_FAKES_CUPTI_IMAGE_H

#include "cupti_metric.h"

/*
 * The images that a client keeps for us. Each begins with a struct image_head and the names of its
 * metrics, each ended by a zero byte; a counter data image has room for ranges behind them.
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
};

/* Bytes that are needed. */
size_t image_bytes(size_t names, size_t ranges);
/* Without ranges; kind, bytes and magic are its own matter. */
void image_make(uint8_t *image, const struct image_head *head, const char *names);
/* Whether it is one of this kind and has all its bytes. */
bool image_is(const uint8_t *image, size_t bytes, enum image_kind kind);
struct image_head image_head(const uint8_t *image);
bool image_has(const uint8_t *image, const char *metric);
/* The first metric of one that the other lacks; NULL: there is none. */
const char *image_lacks(const uint8_t *image, const uint8_t *other);

/* Counter data. False: it is full. */
bool image_add(uint8_t *image, const struct range *range);
/* There must be so many. */
struct range image_range(const uint8_t *image, size_t number);

/* Names, one behind the other; the text is the owner's to free. */
struct names {
	char *text;
	size_t bytes;
};
void names_add(struct names *names, const char *const *metrics, size_t count);

#endif
