/* SPDX-License-Identifier: MIT */
#include "machine.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

#include "fuzz.h"
#include "machine_files.h"

enum { VARIABLES = 16 };

struct machine_file machine_files[MACHINE_FILES];
struct machine_open machine_opens[MACHINE_OPENS];
int machine_open_count;
size_t machine_room;
bool machine_keeps;

static bool on;
static const char *host;
static struct {
	const char *name, *value;
} variables[VARIABLES];

bool machine_is_on(void)
{
	return on;
}

void machine_begin(void)
{
	machine_room = MACHINE_ROOM;
	machine_keeps = false;
	host = "host";
	on = true;
}

void machine_end(void)
{
	on = false;
	CHECK(!machine_open_count);
	for (int i = 0; i < MACHINE_FILES; i++)
		machine_files[i].linked = false;
	memset(variables, 0, sizeof(variables));
	machine_memory_end();
}

void fuzz_run(void (*fuzz)(const uint8_t *data, size_t size), const uint8_t *data, size_t size)
{
	machine_begin();
	fuzz(data, size);
	machine_end();
}

void machine_resize(struct machine_file *file, size_t size)
{
	if (size > file->size) {
		machine_allow(file->bytes + file->size, size - file->size);
		memset(file->bytes + file->size, 0, size - file->size);
	} else {
		machine_forbid(file->bytes + size, file->size - size);
	}
	file->size = size;
}

struct machine_file *machine_find(const char *path)
{
	for (int i = 0; i < MACHINE_FILES; i++)
		if (machine_files[i].linked && !strcmp(machine_files[i].path, path))
			return &machine_files[i];
	return NULL;
}

static bool is_open(const struct machine_file *file)
{
	for (int i = 0; i < MACHINE_OPENS; i++)
		if (machine_opens[i].file == file)
			return true;
	return false;
}

struct machine_file *machine_make(const char *path)
{
	struct machine_file *file = machine_files;

	while (file->linked || is_open(file))
		if (++file == machine_files + MACHINE_FILES)
			return NULL;
	if (!file->bytes) {
		file->bytes = aligned_alloc(4096, MACHINE_ROOM);
		CHECK(file->bytes);
		machine_forbid(file->bytes, MACHINE_ROOM);
	}
	strcpy(file->path, path);
	file->linked = true;
	file->owner = NULL;
	machine_resize(file, 0);
	return file;
}

void machine_put(const char *path, const void *bytes, size_t size)
{
	struct machine_file *file = machine_find(path);

	if (!file)
		file = machine_make(path);
	CHECK(file && size <= MACHINE_ROOM);
	machine_resize(file, size);
	if (size)
		memcpy(file->bytes, bytes, size);
}

const char *machine_get(const char *path, size_t *size)
{
	const struct machine_file *file = machine_find(path);

	*size = file ? file->size : 0;
	return file ? file->bytes : NULL;
}

const char *machine_path(int index)
{
	if (index >= MACHINE_FILES)
		return NULL;
	return machine_files[index].linked ? machine_files[index].path : "";
}

void machine_keep_files(bool keep)
{
	machine_keeps = keep;
}

void machine_fill_disk(size_t room)
{
	machine_room = room;
}

void machine_variable(const char *name, const char *value)
{
	int at = 0;

	while (at < VARIABLES && variables[at].name)
		at++;
	CHECK(at < VARIABLES);
	variables[at].name = name;
	variables[at].value = value;
}

void machine_name(const char *name)
{
	host = name;
}

char *__real_secure_getenv(const char *name);
char *__wrap_secure_getenv(const char *name);
int __real_gethostname(char *to, size_t size);
int __wrap_gethostname(char *to, size_t size);
char *__real_getcwd(char *to, size_t size);
char *__wrap_getcwd(char *to, size_t size);
uint64_t __real_identity_file_created(int fd);
uint64_t __wrap_identity_file_created(int fd);
uid_t __real_geteuid(void);
uid_t __wrap_geteuid(void);
bool __real_trust_path(const char *path);
bool __wrap_trust_path(const char *path);

/* libFuzzer traces strcmp, which is of no use here. */
static bool same(const char *left, const char *right)
{
	while (*left && *left == *right) {
		left++;
		right++;
	}
	return *left == *right;
}

char *__wrap_secure_getenv(const char *name)
{
	if (!on)
		return __real_secure_getenv(name);
	for (int i = 0; i < VARIABLES && variables[i].name; i++)
		if (same(variables[i].name, name))
			return (char *)(uintptr_t)variables[i].value;
	return NULL;
}

/* As glibc's: a text that does not fit is cut, with an error. */
int __wrap_gethostname(char *to, size_t size)
{
	size_t length = strlen(host);

	if (!on)
		return __real_gethostname(to, size);
	memcpy(to, host, length < size ? length + 1 : size);
	errno = ENAMETOOLONG;
	return length < size ? 0 : -1;
}

char *__wrap_getcwd(char *to, size_t size)
{
	return on ? strncpy(to, "/folder", size) : __real_getcwd(to, size);
}

uid_t __wrap_geteuid(void)
{
	return on ? MACHINE_USER : __real_geteuid();
}

/* All folders belong to the user. */
bool __wrap_trust_path(const char *path)
{
	return on || __real_trust_path(path);
}

/* The file system does not store the time. */
uint64_t __wrap_identity_file_created(int fd)
{
	return on ? 0 : __real_identity_file_created(fd);
}
