/* SPDX-License-Identifier: MIT */
/* A library that does nothing at all: what any preload costs. */
void empty(void);

__attribute__((visibility("default"))) void empty(void)
{
}
