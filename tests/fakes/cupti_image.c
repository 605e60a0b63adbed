/* SPDX-License-Identifier: MIT */
#include "cupti_image.h"

#include <stdlib.h>
#include <string.h>

static const char magic[8] = {'F', 'A', 'K', 'E', ' ', 'I', 'M', 'G'};

static size_t names_end(size_t names)
{
	return (sizeof(struct image_head) + names + 7) / 8 * 8;
}

size_t image_bytes(size_t names, size_t ranges)
{
	return names_end(names) + ranges * sizeof(struct range);
}

void image_make(uint8_t *image, const struct image_head *head, const char *names)
{
	struct image_head whole = *head;

	memcpy(whole.magic, magic, sizeof(magic));
	whole.bytes = image_bytes(whole.names, whole.most);
	whole.count = 0;
	memset(image, 0, whole.bytes);
	memcpy(image, &whole, sizeof(whole));
	if (whole.names)
		memcpy(image + sizeof(whole), names, whole.names);
}

struct image_head image_head(const uint8_t *image)
{
	struct image_head head;

	memcpy(&head, image, sizeof(head));
	return head;
}

bool image_is(const uint8_t *image, size_t bytes, enum image_kind kind)
{
	struct image_head head;

	if (!image || bytes < sizeof(head))
		return false;
	head = image_head(image);
	return !memcmp(head.magic, magic, sizeof(magic)) && head.kind == kind &&
	       head.bytes <= bytes;
}

/* Iterates over the names; starts with NULL. */
static const char *next_name(const uint8_t *image, const char *name)
{
	const char *first = (const char *)image + sizeof(struct image_head);

	name = name ? name + strlen(name) + 1 : first;
	return name < first + image_head(image).names ? name : NULL;
}

bool image_has(const uint8_t *image, const char *metric)
{
	const char *name = next_name(image, NULL);

	while (name && strcmp(name, metric) != 0)
		name = next_name(image, name);
	return name;
}

const char *image_lacks(const uint8_t *image, const uint8_t *other)
{
	const char *name = next_name(other, NULL);

	while (name && image_has(image, name))
		name = next_name(other, name);
	return name;
}

bool image_add(uint8_t *image, const struct range *range)
{
	struct image_head head = image_head(image);

	if (head.count == head.most)
		return false;
	memcpy(image + names_end(head.names) + head.count * sizeof(*range), range, sizeof(*range));
	head.count++;
	memcpy(image, &head, sizeof(head));
	return true;
}

struct range image_range(const uint8_t *image, size_t number)
{
	struct image_head head = image_head(image);
	struct range range;

	memcpy(&range, image + names_end(head.names) + number * sizeof(range), sizeof(range));
	return range;
}

void names_add(struct names *names, const char *const *metrics, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t length = strlen(metrics[i]) + 1;

		names->text = realloc(names->text, names->bytes + length);
		if (!names->text)
			abort();
		memcpy(names->text + names->bytes, metrics[i], length);
		names->bytes += length;
	}
}
