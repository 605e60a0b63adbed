/* SPDX-License-Identifier: MIT */
#ifndef SESSION_TELL_H
#define SESSION_TELL_H

/*
 * Prints a message about lost rows, as say does, and adds it to the list of the run's files as
 * "told WHERE PID TEXT". WHERE is stderr of this process, "DEVICE:INODE" in hexadecimal, or "-" if
 * stderr did not take the message. If it is not the tool's stderr, the tool prints the message
 * again. May wait for the file thread, as manifest_add.
 */
void tell(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
