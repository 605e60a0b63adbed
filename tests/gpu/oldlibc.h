/* SPDX-License-Identifier: MIT */
#ifndef GPU_OLDLIBC_H
#define GPU_OLDLIBC_H

/*
 * For tests/gpu/pack, which includes this before every source: programs linked with a new glibc on
 * x86-64 then use the symbol versions of glibc 2.17, which later ones keep for compatibility.
 */
#include <stddef.h>
#include <sys/stat.h>

#define OLD(name, version) __asm__(".symver " #name "," #name "@GLIBC_" #version)

OLD(dladdr, 2.2.5);
OLD(dlerror, 2.2.5);
OLD(dlinfo, 2.3.3);
OLD(dlopen, 2.2.5);
OLD(dlsym, 2.2.5);
OLD(glob, 2.2.5);
OLD(pthread_attr_setstacksize, 2.2.5);
OLD(pthread_detach, 2.2.5);
OLD(pthread_join, 2.2.5);
OLD(pthread_key_create, 2.2.5);
OLD(pthread_key_delete, 2.2.5);
OLD(pthread_getspecific, 2.2.5);
OLD(pthread_mutex_timedlock, 2.2.5);
OLD(pthread_mutex_trylock, 2.2.5);
OLD(pthread_mutexattr_init, 2.2.5);
OLD(pthread_mutexattr_settype, 2.2.5);
OLD(pthread_once, 2.2.5);
OLD(pthread_setspecific, 2.2.5);
OLD(pthread_sigmask, 2.2.5);
#ifndef OLD_THREAD /* src/entry/thread.c defines it */
OLD(pthread_create, 2.2.5);
#endif
#ifdef OLD_PROGRAM /* the library defines these itself */
OLD(dlclose, 2.2.5);
OLD(quick_exit, 2.10);
#endif

/* These were inline functions. */
int __xstat(int version, const char *path, struct stat *facts);
int __fxstat(int version, int file, struct stat *facts);
int __lxstat(int version, const char *path, struct stat *facts);
int __fxstatat(int version, int folder, const char *path, struct stat *facts, int flags);
enum { OLD_STAT = 1 };
#define stat(path, facts)		     __xstat(OLD_STAT, path, facts)
#define fstat(file, facts)		     __fxstat(OLD_STAT, file, facts)
#define lstat(path, facts)		     __lxstat(OLD_STAT, path, facts)
#define fstatat(folder, path, facts, flags) __fxstatat(OLD_STAT, folder, path, facts, flags)

#endif
