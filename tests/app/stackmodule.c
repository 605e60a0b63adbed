/* SPDX-License-Identifier: MIT */
/* A module whose function calls another one. Its stack frame has ROOM bytes. */
#include <string.h>

__attribute__((visibility("default"))) void call(void (*function)(void));

void call(void (*function)(void))
{
	volatile char room[ROOM];

	room[0] = 1;
	function();
	room[ROOM - 1] = room[0];
}
