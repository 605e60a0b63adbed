/* SPDX-License-Identifier: MIT */
#include "backend/cuda/counters/permission.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/env.h"
#include "base/number.h"

/* At most these bytes of a file are read. The files that are read here are shorter. */
enum { LARGEST = 16384 };

/* Capability bits in /proc/self/status. */
enum { SYS_ADMIN = 21, PERFMON = 38 };

static int read_text(const char *path, char *text, size_t size)
{
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	size_t length = 0;
	ssize_t got = 1;
	int error;

	if (file < 0)
		return -1;
	while (got > 0 && length < size - 1) {
		got = read(file, text + length, size - 1 - length);
		length += got > 0 ? (size_t)got : 0;
	}
	error = errno;
	close(file);
	errno = error;
	text[length] = '\0';
	return got < 0 ? -1 : 0;
}

/* Returns the text after `name` at the start of a line; NULL if there is no such line. */
static const char *find(const char *text, const char *name)
{
	size_t length = strlen(name);

	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, name, length))
			return line + length + strspn(line + length, " \t");
	}
	return NULL;
}

/* Drivers report their module option NVreg_RestrictProfilingToAdminUsers under one of these
 * names. */
enum permission permission_of_driver(const char *file)
{
	static const char *const names[] = {
		"RmProfilingAdminOnly:", "NVreg_RestrictProfilingToAdminUsers:",
		"RestrictProfilingToAdminUsers:"};
	char text[LARGEST];

	if (read_text(file, text, sizeof(text)))
		return PERMISSION_UNREADABLE;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *value = find(text, names[i]);

		if (value)
			return *value == '0' ? PERMISSION_ALL : PERMISSION_ADMIN;
	}
	return PERMISSION_UNSAID;
}

/* strtoull is not used: newer glibc headers rename it, and the library would not load with older
 * ones. */
static uint64_t read_hex(const char *text)
{
	uint64_t value = 0;

	for (; *text; text++) {
		char letter = (char)(*text | 0x20);

		if (*text >= '0' && *text <= '9')
			value = value << 4 | (uint64_t)(*text - '0');
		else if (letter >= 'a' && letter <= 'f')
			value = value << 4 | (uint64_t)(letter - 'a' + 10);
		else
			break;
	}
	return value;
}

bool permission_has_rights(const char *status)
{
	const char *value = find(status, "CapEff:");
	uint64_t rights = value ? read_hex(value) : 0;

	return rights & (UINT64_C(1) << SYS_ADMIN | UINT64_C(1) << PERFMON);
}

bool permission_is_admin(void)
{
	char text[LARGEST];

	if (read_text("/proc/self/status", text, sizeof(text)))
		return geteuid() == 0;
	return permission_has_rights(text);
}

const char *permission_mps_folder(void)
{
	const char *folder = env_get("CUDA_MPS_PIPE_DIRECTORY");

	return folder && *folder ? folder : "/tmp/nvidia-mps";
}

/* A killed daemon leaves its pipes, so its process number is checked, too. */
bool permission_uses_mps(const char *folder)
{
	char path[4096], text[32];
	uint64_t daemon;

	snprintf(path, sizeof(path), "%s/control", folder);
	if (access(path, F_OK))
		return false;
	snprintf(path, sizeof(path), "%s/nvidia-cuda-mps-control.pid", folder);
	if (read_text(path, text, sizeof(text)))
		return true;
	daemon = number_read(text, NULL);
	return !daemon || !kill((pid_t)daemon, 0) || errno == EPERM;
}
