/* SPDX-License-Identifier: MIT */
/* An empty library, to measure the cost of any preload. */
void empty(void);

__attribute__((visibility("default"))) void empty(void)
{
}
