/* SPDX-License-Identifier: MIT */
#ifndef BASE_FILESOCKET_H
#define BASE_FILESOCKET_H

#include "base/file.h"

enum filesocket { FILESOCKET_STREAM, FILESOCKET_PACKETS };

/*
 * Connects to the UNIX socket at `path` without waiting. `kind` is set by the listener's socket:
 * FILESOCKET_STREAM, or FILESOCKET_PACKETS for SOCK_SEQPACKET and SOCK_DGRAM. The descriptor is as
 * those of base/file.h, and file_write_now writes to it. Returns 0, or -1 with errno: ECONNREFUSED
 * without a listener, EAGAIN if too many wait for it, ENAMETOOLONG for a path of more than 107
 * bytes, EEXIST if another user may have put the socket there, EBADF when the program closes or
 * reuses every descriptor, and the errors of socket and connect.
 */
int filesocket_open(struct file *file, const char *path, enum filesocket *kind);

#endif
