/* SPDX-License-Identifier: MIT */
#ifndef ENTRY_EXITS_H
#define ENTRY_EXITS_H

/*
 * The doors out of a process that pass by its exit handlers: _exit, _Exit, quick_exit and the exec
 * family are exported, and write out what is there before they do what they always did.
 *
 * exits_prepare looks up the C library's own ones while that is safe: a forked child of a threaded
 * program may not.
 */
void exits_prepare(void);

#endif
