/* SPDX-License-Identifier: MIT */
/* For tests/gpu/pack: see oldlibc.h. Linked into everything with --wrap=__libc_start_main. */
typedef int main_function(int, char **, char **);
typedef void init_function(int, char **, char **);

int old_start(main_function *main, int argc, char **argv, init_function *init, void (*fini)(void),
	      void (*loader)(void), void *stack);
__asm__(".symver old_start,__libc_start_main@GLIBC_2.2.5");

int __wrap___libc_start_main(main_function *main, int argc, char **argv, init_function *init,
			     void (*fini)(void), void (*loader)(void), void *stack);

#define HIDDEN __attribute__((visibility("hidden")))
extern init_function *const __init_array_start[] __attribute__((weak)) HIDDEN;
extern init_function *const __init_array_end[] __attribute__((weak)) HIDDEN;

/* New start files leave this to glibc, which old versions do not do. */
static void initialize(int argc, char **argv, char **environment)
{
	for (init_function *const *each = __init_array_start; each < __init_array_end; each++)
		(*each)(argc, argv, environment);
}

HIDDEN int __wrap___libc_start_main(main_function *main, int argc, char **argv, init_function *init,
				    void (*fini)(void), void (*loader)(void), void *stack)
{
	return old_start(main, argc, argv, init ? init : initialize, fini, loader, stack);
}
