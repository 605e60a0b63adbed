/* SPDX-License-Identifier: MIT */
/* An entry: a head, and the parts one after another. */
#include "rewrite/cache_entry.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/file.h"
#include "rewrite/cache_list.h"

#define MAGIC "computeprof rw 1"

enum { SIZE_MOST = 512 << 20 };

struct head {
	char magic[sizeof(MAGIC) - 1];
	uint64_t sizes[CACHE_PARTS];
	struct cache_hash hash; /* of the whole entry, with this hash 0 */
};

struct cache_hash cache_hash(const void *data, size_t size)
{
	XXH128_hash_t hash = XXH3_128bits(data, size);

	return (struct cache_hash){{hash.high64, hash.low64}};
}

void cache_entry_name(char name[CACHE_NAME], const struct cache_part *request)
{
	struct cache_hash hash = cache_hash(request->data, request->size);

	snprintf(name, CACHE_NAME, "%016llx%016llx", (unsigned long long)hash.words[0],
		 (unsigned long long)hash.words[1]);
}

static bool is_ours(const struct stat *status)
{
	return S_ISREG(status->st_mode) && status->st_uid == geteuid() &&
	       !(status->st_mode & (S_IWGRP | S_IWOTH)) &&
	       status->st_size >= (off_t)sizeof(struct head) && status->st_size <= SIZE_MOST;
}

static bool read_file(int file, size_t size, struct strbuf *room)
{
	char *to = strbuf_reserve(room, size);
	ssize_t got;

	if (!to)
		return false;
	while (room->length < size) {
		got = read(file, to + room->length, size - room->length);
		if (!got || (got < 0 && errno != EINTR))
			return false;
		room->length += got > 0 ? (size_t)got : 0;
	}
	return true;
}

/* Finds the parts of an entry that is whole. */
static bool find_parts(struct strbuf *room, struct cache_part parts[CACHE_PARTS])
{
	struct cache_hash hash;
	struct head head;
	size_t left = room->length - sizeof(head);

	memcpy(&head, room->data, sizeof(head));
	hash = head.hash;
	memset(&head.hash, 0, sizeof(head.hash));
	memcpy(room->data, &head, sizeof(head));
	head.hash = cache_hash(room->data, room->length);
	if (memcmp(head.magic, MAGIC, sizeof(head.magic)) ||
	    memcmp(&hash, &head.hash, sizeof(hash)))
		return false;
	for (int i = 0; i < CACHE_PARTS; i++) {
		if (head.sizes[i] > left)
			return false;
		parts[i].data = room->data + room->length - left;
		parts[i].size = head.sizes[i];
		left -= head.sizes[i];
	}
	return !left;
}

bool cache_entry_read(int folder, const char *name, struct strbuf *room,
		      struct cache_part parts[CACHE_PARTS])
{
	int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat status;
	bool is_whole;

	if (file < 0)
		return false;
	room->length = 0;
	is_whole = !fstat(file, &status) && is_ours(&status) &&
		   read_file(file, (size_t)status.st_size, room) && find_parts(room, parts);
	close(file);
	return is_whole;
}

static bool put_entry(struct strbuf *to, const struct cache_part parts[CACHE_PARTS], uint64_t most)
{
	struct head head = {.magic = MAGIC};
	uint64_t size = sizeof(head);

	for (int i = 0; i < CACHE_PARTS; i++) {
		head.sizes[i] = parts[i].size;
		size += parts[i].size;
	}
	if (size > most || size > SIZE_MOST)
		return false;
	strbuf_append(to, &head, sizeof(head));
	for (int i = 0; i < CACHE_PARTS; i++)
		strbuf_append(to, parts[i].data, parts[i].size);
	if (to->failed)
		return false;
	head.hash = cache_hash(to->data, to->length);
	memcpy(to->data, &head, sizeof(head));
	return true;
}

/* The bytes are complete when the file gets its name. After a crash of the machine they may not be
 * on the disk, but then the hash does not fit. */
static bool write_entry(int folder, const char *name, const struct strbuf *entry)
{
	char unnamed[CACHE_LIST_NAME];
	struct timespec now;
	bool done;
	int file;

	clock_gettime(CLOCK_REALTIME, &now);
	snprintf(unnamed, sizeof(unnamed), CACHE_LIST_UNNAMED "%ld.%lld%09ld", (long)getpid(),
		 (long long)now.tv_sec, now.tv_nsec);
	file = openat(folder, unnamed, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		      S_IRUSR | S_IWUSR);
	if (file < 0)
		return false;
	done = file_write(file, entry->data, entry->length) == entry->length;
	done = !close(file) && done && !renameat(folder, unnamed, folder, name);
	if (!done)
		unlinkat(folder, unnamed, 0);
	return done;
}

bool cache_entry_write(int folder, const char *name, const struct cache_part parts[CACHE_PARTS],
		       uint64_t most)
{
	struct strbuf entry = STRBUF_INIT;
	bool done = put_entry(&entry, parts, most) && write_entry(folder, name, &entry);

	strbuf_free(&entry);
	return done;
}
