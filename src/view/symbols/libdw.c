/* SPDX-License-Identifier: MIT */
#include "view/symbols/libdw.h"

#include "view/optional_library.h"

struct libdw_functions libdw;

/* clang-format off */
static const struct optional_function list[] = {
#define FUNCTION(name) {#name, offsetof(struct libdw_functions, name)},
#include "view/symbols/libdw.def"
#undef FUNCTION
	{NULL, 0},
};
/* clang-format on */

static struct optional_library library = {
	.title = "libdw",
	.soname = "libdw.so.1",
	.package = "libdw1",
	.list = list,
	.functions = &libdw,
};

int libdw_open(struct strbuf *error)
{
	return optional_library_open(&library, error);
}
