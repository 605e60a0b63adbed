/* SPDX-License-Identifier: MIT */
#include "rewrite/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rewrite/cache_folder.h"
#include "rewrite/cache_included.h"
#include "rewrite/cache_list.h"

/* Each part with its size, so that no two requests have the same bytes. */
static void put(struct strbuf *to, const void *data, size_t size)
{
	uint64_t number = size;

	strbuf_append(to, &number, sizeof(number));
	strbuf_append(to, data, size);
}

static void put_text(struct strbuf *to, const char *text)
{
	put(to, text ? text : "", text ? strlen(text) + 1 : 0);
}

/* Another build of this program may write other results: it is told by its contents. */
static bool put_program(struct strbuf *to)
{
	int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct strbuf program = STRBUF_INIT;
	struct cache_hash hash;
	ssize_t got = -1;
	char *room;

	while (file >= 0 && (room = strbuf_reserve(&program, 1 << 20))) {
		got = read(file, room, 1 << 20);
		if (got <= 0)
			break;
		program.length += (size_t)got;
	}
	if (file >= 0)
		close(file);
	hash = cache_hash(program.data, program.length);
	strbuf_free(&program);
	put(to, &hash, sizeof(hash));
	return !got;
}

static struct cache_part part_of(const struct strbuf *text)
{
	return (struct cache_part){text->data, text->length};
}

void cache_begin(struct cache *cache, const struct rewrite_request *request,
		 const struct strbuf *compiler, const struct strbuf *source)
{
	uint64_t numbers[] = {request->stripes, (uint64_t)request->sums};
	struct cache_part part;

	if (!cache->is_on)
		return;
	cache->is_on = put_program(&cache->request);
	put(&cache->request, compiler->data, compiler->length);
	put(&cache->request, numbers, sizeof(numbers));
	put_text(&cache->request, request->file);
	put_text(&cache->request, request->extensions);
	for (const char *const *option = request->options; *option; option++)
		put_text(&cache->request, *option);
	put_text(&cache->request, NULL);
	put(&cache->request, source->data, source->length);
	cache->is_on &= !cache->request.failed && !compiler->failed;
	part = part_of(&cache->request);
	if (cache->is_on)
		cache_entry_name(cache->name, &part);
}

static bool is_same(const struct cache *cache, const struct cache_part *request)
{
	return request->size == cache->request.length &&
	       !memcmp(request->data, cache->request.data, request->size);
}

/* An entry that is used becomes the newest one. */
static bool find(struct cache *cache, int folder, struct rewrite_result *to)
{
	struct strbuf room = STRBUF_INIT;
	struct cache_part parts[CACHE_PARTS];
	bool found = cache_entry_read(folder, cache->name, &room, parts) &&
		     is_same(cache, &parts[CACHE_REQUEST]) &&
		     cache_included_holds(&parts[CACHE_INCLUDED]);

	if (found) {
		strbuf_append(&to->messages, parts[CACHE_MESSAGES].data,
			      parts[CACHE_MESSAGES].size);
		strbuf_append(&to->text, parts[CACHE_RESULT].data, parts[CACHE_RESULT].size);
		utimensat(folder, cache->name, NULL, AT_SYMLINK_NOFOLLOW);
	}
	strbuf_free(&room);
	return found;
}

bool cache_find(struct cache *cache, struct rewrite_result *to)
{
	struct cache_folder folder;
	bool found = false;

	if (!cache->is_on)
		return false;
	if (cache_folder_open(&folder, false))
		found = find(cache, folder.file, to);
	cache_folder_close(&folder);
	return found;
}

void cache_keep(struct cache *cache, const struct rewrite_result *result)
{
	const struct cache_part parts[CACHE_PARTS] = {
		[CACHE_REQUEST] = part_of(&cache->request),
		[CACHE_INCLUDED] = part_of(&result->included),
		[CACHE_MESSAGES] = part_of(&result->messages),
		[CACHE_RESULT] = part_of(&result->text),
	};
	struct cache_folder folder;

	if (!cache->is_on || result->text.failed || result->messages.failed ||
	    result->included.failed)
		return;
	if (cache_folder_open(&folder, true) &&
	    cache_entry_write(folder.file, cache->name, parts, cache->most))
		cache_list_trim(folder.file, cache->most);
	cache_folder_close(&folder);
}

void cache_end(struct cache *cache)
{
	strbuf_free(&cache->request);
}

static void put_count(struct strbuf *to, int folder)
{
	uint64_t size, count = cache_list_count(folder, &size);

	strbuf_printf(to, " has %llu rewritten source%s, %llu KiB", (unsigned long long)count,
		      count == 1 ? "" : "s", (unsigned long long)size / 1024);
}

bool cache_describe(struct strbuf *to)
{
	struct cache_folder folder;
	bool is_used = cache_folder_open(&folder, false);
	bool is_kept = cache_folder_is_writable(&folder);

	if (!is_used && !is_kept)
		strbuf_string(to, "rewritten sources are not kept: ");
	strbuf_string(to, strbuf_text(&folder.path));
	if (is_used)
		put_count(to, folder.file);
	else if (is_kept)
		strbuf_string(to, " is made when a source is rewritten");
	if (is_used && !is_kept)
		strbuf_string(to, ", and no more are added");
	if (!is_kept)
		strbuf_printf(to, "%s%s", folder.path.length ? ": " : "",
			      strbuf_text(&folder.reason));
	cache_folder_close(&folder);
	return is_kept;
}
