/* SPDX-License-Identifier: MIT */
#include "rewrite/cache_included.h"

#include <string.h>

/* Followed by the path with its NUL. */
struct head {
	uint64_t length;	/* of the path, with its NUL */
	uint64_t is_there;	/* 0 or 1 */
	struct cache_hash hash; /* of the text */
};

static struct head head_of(const char *path, const char *text, size_t length)
{
	struct head head = {.length = strlen(path) + 1, .is_there = text != NULL};

	if (text)
		head.hash = cache_hash(text, length);
	return head;
}

void cache_included_put(struct strbuf *to, const struct inclusion *list)
{
	struct head head;

	for (; list; list = list->next) {
		head = head_of(list->path, list->text, list->length);
		strbuf_append(to, &head, sizeof(head));
		strbuf_append(to, list->path, head.length);
	}
}

static bool holds(const struct head *then, const char *path)
{
	struct inclusion *list = NULL;
	struct arena arena = {0};
	size_t length;
	const char *text = inclusion_read(&arena, &list, path, &length);
	struct head now = head_of(path, text, length);

	arena_free(&arena);
	return !memcmp(then, &now, sizeof(now));
}

bool cache_included_holds(const struct cache_part *part)
{
	const char *at = part->data, *end = part->data + part->size;
	struct head head;

	while (at < end) {
		if ((size_t)(end - at) < sizeof(head))
			return false;
		memcpy(&head, at, sizeof(head));
		at += sizeof(head);
		if (!head.length || head.length > (size_t)(end - at) || at[head.length - 1] ||
		    !holds(&head, at))
			return false;
		at += head.length;
	}
	return true;
}
