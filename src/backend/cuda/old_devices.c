/* SPDX-License-Identifier: MIT */
#include "backend/cuda/old_devices.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "backend/cuda/driver_start.h"
#include "backend/cuda/functions.h"
#include "base/env.h"

#define PCI_FOLDER "/sys/bus/pci/devices"

/* NVIDIA numbers its devices in the order of their generations: display controllers from TURING on
 * are of compute capability 7.5 or later. */
enum { NVIDIA = 0x10de, DISPLAY_CONTROLLER = 3, TURING = 0x1e00 };

static bool is_old(int number)
{
	cuda_device device;
	int major = 0, minor = 0;

	if (!driver.cuDeviceGet || !driver.cuDeviceGetAttribute ||
	    driver.cuDeviceGet(&device, number) ||
	    driver.cuDeviceGetAttribute(&major, CUDA_COMPUTE_MAJOR, device) ||
	    driver.cuDeviceGetAttribute(&minor, CUDA_COMPUTE_MINOR, device))
		return false;
	return major * 10 + minor < OLD_DEVICES_BEFORE;
}

/* Returns the hexadecimal number in a file of a device; 0 if there is none. */
static unsigned long read_number(const char *folder, const char *device, const char *name)
{
	char path[PATH_MAX], text[32];
	ssize_t length;
	int file;

	if (snprintf(path, sizeof(path), "%s/%s/%s", folder, device, name) >= (int)sizeof(path))
		return 0;
	file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return 0;
	length = read(file, text, sizeof(text) - 1);
	close(file);
	text[length > 0 ? length : 0] = '\0';
	return strtoul(text, NULL, 16);
}

static bool is_old_on_bus(const char *folder, const char *device)
{
	return read_number(folder, device, "vendor") == NVIDIA &&
	       read_number(folder, device, "class") >> 16 == DISPLAY_CONTROLLER &&
	       read_number(folder, device, "device") < TURING;
}

/* Without a PCI bus there are no old devices that a driver of release 580 runs. */
static bool any_on_bus(void)
{
	const char *given = env_get("COMPUTEPROF_TEST_PCI");
	const char *folder = given ? given : PCI_FOLDER;
	DIR *bus = opendir(folder);
	struct dirent *entry;
	bool found = false;

	while (bus && !found && (entry = readdir(bus)))
		found = *entry->d_name != '.' && is_old_on_bus(folder, entry->d_name);
	if (bus)
		closedir(bus);
	return found;
}

bool old_devices_exist(void)
{
	int count = 0;
	bool found = false;

	if (!driver_start_is_over())
		return any_on_bus();
	driver.cuDeviceGetCount(&count);
	for (int i = 0; i < count && !found; i++)
		found = is_old(i);
	return found;
}
