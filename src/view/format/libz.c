/* SPDX-License-Identifier: MIT */
#include "view/format/libz.h"

#include "view/optional_library.h"

struct libz_functions libz;

/* clang-format off */
static const struct optional_function list[] = {
#define FUNCTION(name) {#name, offsetof(struct libz_functions, name)},
#include "view/format/libz.def"
#undef FUNCTION
	{NULL, 0},
};
/* clang-format on */

static struct optional_library library = {
	.title = "zlib",
	.soname = "libz.so.1",
	.package = "zlib1g",
	.list = list,
	.functions = &libz,
};

int libz_open(struct strbuf *error)
{
	return optional_library_open(&library, error);
}
