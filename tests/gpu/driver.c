/* SPDX-License-Identifier: MIT */
#include "driver.h"

#include <dlfcn.h>

struct driver cu;

_Static_assert(sizeof(struct cuda_kernel_node) == 56 && sizeof(struct cuda_copy) == 200,
	       "parameters of graph nodes are laid out as the driver reads them");

/* clang-format off */
static const struct {
	const char *symbol;
	size_t offset;
	bool needed;
} symbols[] = {
#define NEED(name, symbol, parameters) { symbol, offsetof(struct driver, name), true },
#define MAY(name, symbol, parameters) { symbol, offsetof(struct driver, name), false },
#include "driver.def"
#undef NEED
#undef MAY
};
/* clang-format on */

/* The program `linked` calls it as programs linked with the driver do. */
#ifdef LINKED_WITH_DRIVER
int cuInit(unsigned flags);
static void use_linked(void)
{
	cu.Init = cuInit;
}
#else
static void use_linked(void)
{
}
#endif

const char *driver_open(void)
{
	void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);

	if (!library)
		return dlerror();
	for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
		void *address = dlsym(library, symbols[i].symbol);

		if (!address && symbols[i].needed)
			return symbols[i].symbol;
		*(void **)((char *)&cu + symbols[i].offset) = address;
	}
	use_linked();
	return NULL;
}
