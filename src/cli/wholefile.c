/* SPDX-License-Identifier: MIT */
#include "cli/wholefile.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/file.h"
#include "base/say.h"
#include "cli/print/export.h"
#include "view/newfile.h"
#include "view/temp_cleanup.h"

int wholefile_check(const struct flags *flags, const struct view *view, const char *path)
{
	if (view_why_not_replaced(view, path) || export_may_write(flags, view, path))
		return 0;
	say("%s exists; use -f to overwrite it", path);
	return -1;
}

static int write_all(int file, const struct strbuf *texts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (file_write(file, texts[i].data, texts[i].length) != texts[i].length)
			return -1;
	return 0;
}

int wholefile_write(const char *path, const struct strbuf *texts, size_t count, bool force)
{
	int file = -1, result = -1;

	temp_cleanup_begin();
	if (!newfile_begin(path)) {
		file = open(newfile_name(), O_WRONLY | O_CLOEXEC);
		result = file < 0 ? -1 : write_all(file, texts, count);
		if (file >= 0 && close(file))
			result = -1;
		if (!result)
			result = newfile_put(path, force, 0);
	}
	if (result)
		say("cannot write %s: %s", path, file_reason(errno));
	newfile_drop();
	temp_cleanup_end();
	if (!result)
		say("output: %s", path);
	return result;
}
