/* SPDX-License-Identifier: MIT */
#include "base/boot_id.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static int digit_of(char digit)
{
	if (digit >= '0' && digit <= '9')
		return digit - '0';
	return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

void boot_id_read(uint8_t boot[BOOT_ID])
{
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	char text[40] = "";
	int count = 0;

	memset(boot, 0, BOOT_ID);
	if (fd < 0)
		return;
	if (read(fd, text, sizeof(text) - 1) < 0)
		text[0] = '\0';
	close(fd);
	for (const char *at = text; *at && count < 2 * BOOT_ID; at++) {
		if (digit_of(*at) < 0)
			continue;
		boot[count / 2] = (uint8_t)(boot[count / 2] << 4 | digit_of(*at));
		count++;
	}
	if (count < 2 * BOOT_ID)
		memset(boot, 0, BOOT_ID);
}
