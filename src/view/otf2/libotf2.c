/* SPDX-License-Identifier: MIT */
#include "view/otf2/libotf2.h"

#include "view/optional_library.h"

struct libotf2_functions otf2;

/* clang-format off */
static const struct optional_function list[] = {
#define FUNCTION(name, ...) {"OTF2_" #name, offsetof(struct libotf2_functions, name)},
#include "view/otf2/libotf2.def"
#undef FUNCTION
	{NULL, 0},
};
/* clang-format on */

static struct optional_library library = {
	.title = "OTF2",
	.soname = "libopen-trace-format2.so.10",
	.other_soname = "libotf2.so.10", /* where it is not Debian's */
	.package = "libopen-trace-format2-10",
	.list = list,
	.functions = &otf2,
};

int libotf2_open(struct strbuf *error)
{
	return optional_library_open(&library, error);
}
