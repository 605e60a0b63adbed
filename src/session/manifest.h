/* SPDX-License-Identifier: MIT */
#ifndef SESSION_MANIFEST_H
#define SESSION_MANIFEST_H

#include <stdbool.h>
#include <sys/stat.h>

#include "base/strbuf.h"

/*
 * Reports the files of this process to the command line tool: appends a line "KIND PATH"
 * (base/pathlist.h) to the file that COMPUTEPROF_MANIFEST names. Without the variable nothing
 * happens. If the line cannot be written, the file's mode is set to MANIFEST_CUT, which no limit
 * forbids.
 */
enum { MANIFEST_CUT = 0700 };

#define MANIFEST_VARIABLE  "COMPUTEPROF_MANIFEST"
#define MANIFEST_SINCE	   "COMPUTEPROF_SINCE" /* start of the run, CLOCK_REALTIME ns */
#define MANIFEST_OVERWRITE "COMPUTEPROF_OVERWRITE"
/* The directories in which the tool looks for ring files: /dev/shm, as "DEVICE:INODE", and another
 * one, as "DEVICE:INODE:PATH". A process may have other ones of these names. */
#define MANIFEST_MEMORY	   "COMPUTEPROF_MEMORY"
#define MANIFEST_RINGS	   "COMPUTEPROF_RINGS"
/* The tool: "PID:START:NAMESPACE", as in /proc/PID/stat, and the inode of its pid namespace. */
#define MANIFEST_TOOL		  "COMPUTEPROF_TOOL"
#define MANIFEST_PROGRAM   "COMPUTEPROF_PROGRAM" /* process id of the program */
#define MANIFEST_DIRECTORY_FORMAT "%llx:%llx"

/* Copies the variables, since the program may change its environment later. */
void manifest_keep_variables(void);

/* Suffix of the second list, for processes of other users if root runs the tool. All users can
 * write to it, so its lines are not trusted. */
#define MANIFEST_OTHERS ".others"

/* The first line of both lists, written by the tool. A file without it is never written, since the
 * variable may name any file. */
#define MANIFEST_HEAD "# computeprof: files of a run\n"

/* If root runs the tool, both lists are in a folder of their own. The start of their name there. */
#define MANIFEST_FOLDER "/list."

/* Opens the list at `path` for appending. If this user may not open it, opens the second list and
 * sets `path` to its name. Returns -1 with errno; EBADMSG: the file is not a list of the tool. */
int manifest_open(struct strbuf *path);

/* Returns false if a tool has started this process, and the list does not exist for it: below
 * another root directory, in another mount namespace, or because the tool has ended. */
bool manifest_add(const char *kind, const char *path);

/* Adds the line "missing COUNTS" (cli/run/artifacts.h): how many records and events of a process
 * are not in the tool's output. `started` as in struct process. */
void manifest_add_missing(uint32_t pid, uint64_t started, uint64_t records, uint64_t events);

/* Adds the lines "ring PATH" and "begun SESSION PATH" (session_note). */
void manifest_add_ring(const char *path, const char *session);

/* Adds the line "KIND SESSION" of a process that ends. Returns false if the list is there, but
 * could not be written; then its mode stays, and the process leaves its ring file for the tool. */
bool manifest_add_end(const char *kind, const char *session);

/* As manifest_add("lost", "-"), without memory and in this thread, once per process. */
void manifest_add_lost(void);

/* Prints that there is no memory, and adds "lost" for the tool, which then prints why there is no
 * log. */
void manifest_tell_no_memory(void);

/* Returns the start of the tool's run that this process belongs to, CLOCK_REALTIME ns; 0 without
 * one. The tool, and its list of files, may not exist any more. */
int64_t manifest_run_started(void);

/* Returns true if the file was written after the start of the tool's run, so that a process of the
 * run may have written it. */
bool manifest_is_of_run(const struct stat *status);

/* Returns true if the run may overwrite any file (computeprof -f). */
bool manifest_overwrites(void);

/* Returns true if a process of the same run has already listed `path`. */
bool manifest_has(const char *path);

/* Returns true if the list does not exist, and the tool that started this process probably has
 * ended. If the tool runs, the list is hidden from this process, as by a mount namespace. */
bool manifest_is_gone(void);

/* Returns true if a tool has started this process, has probably not ended, and reads ring files of
 * this owner: root's tool reads none of other users. Runs in the file thread, since the file system
 * may not respond. */
bool manifest_is_read(uint32_t owner);

/* Returns true if a tool has started this process, and will not read what it has recorded: the list
 * does not exist for it, because the tool has ended; or, with `unseen`, the list does not exist or
 * is read-only for it, although the tool runs. Runs in the file thread, as manifest_is_read does.
 * `unseen`: the tool does not find the ring file of this process, either. */
bool manifest_is_unread(bool unseen);

/* Returns false if the tool with the list `path` has ended: it does not exist, or its lock is free.
 * If that cannot be checked, returns true. */
bool manifest_has_tool(const char *path);

/* Removes the list, the file for other users beside it and, with `has_folder`, its folder. `path`
 * is absolute. */
void manifest_remove(const char *path, bool has_folder);

/* The same for the list of a tool that was killed; another file, or one that is locked, stays. */
void manifest_remove_unread(const char *path);

#endif
