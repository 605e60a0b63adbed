/* SPDX-License-Identifier: MIT */
/* Writes a file completely or not at all. */
#include "view/view.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/say.h"
#include "view/folder.h"
#include "view/newfile.h"
#include "view/progress.h"
#include "view/temp_cleanup.h"

/* Puts the name of the requested file in place of that of the unfinished one. */
static void name_target(struct strbuf *error, const char *path)
{
	const char *unfinished = newfile_name();
	const char *found = error->length ? strstr(strbuf_text(error), unfinished) : NULL;
	struct strbuf text = STRBUF_INIT;

	if (!found)
		return;
	strbuf_append(&text, error->data, (size_t)(found - error->data));
	strbuf_printf(&text, "%s%s", path, found + strlen(unfinished));
	strbuf_free(error);
	*error = text;
}

/* Returns 1 if there is a message. */
static int tell_damage(struct stream *stream, struct strbuf *error)
{
	const char *damage = stream_damage(stream);

	if (damage)
		strbuf_string(error, damage);
	return damage ? 1 : 0;
}

static int check_starts(const struct view *view, const char *path, struct stream *stream,
			struct strbuf *error)
{
	struct strbuf why = STRBUF_INIT;
	int result = view->without_starts ? 0 : stream_need_starts(stream, &why);

	if (result)
		strbuf_printf(error, "cannot create %s: %s", path, strbuf_text(&why));
	strbuf_free(&why);
	return result;
}

static int put_in_place(const struct view_target *target, struct strbuf *error)
{
	const char *path = strbuf_text(target->path);

	if (!newfile_put(path, target->replace, target->since))
		return 0;
	for (int try = 0; target->take_other && errno == EEXIST && try < 100; try++) {
		target->take_other(target->path, target->argument);
		path = strbuf_text(target->path);
		if (!newfile_put(path, target->replace, target->since))
			return 0;
	}
	if (errno == EEXIST)
		strbuf_printf(error, "%s exists; use -f to overwrite it", path);
	else
		strbuf_printf(error, "cannot write %s: %s", path, strerror(errno));
	return -1;
}

int view_why_not_replaced(const struct view *view, const char *path)
{
	return view && view->anchor ? newfile_why_no_folder(path) : newfile_why_not_replaced(path);
}

bool view_is_free(const struct view *view, const char *path)
{
	struct stat status;

	if (lstat(path, &status))
		return true;
	if (view && view->anchor)
		return S_ISDIR(status.st_mode) && folder_is_empty(path);
	return S_ISREG(status.st_mode) && !status.st_size;
}

void view_say_output(const struct view *view, const char *path)
{
	if (view->anchor)
		say("output: %s/%s", path, view->anchor);
	else
		say("output: %s", path);
}

int view_check(const struct view *view, const char *path, struct strbuf *error)
{
	struct strbuf why = STRBUF_INIT;
	int result = view->check ? view->check(&why) : 0;

	if (result)
		strbuf_printf(error, "cannot create %s: %s", path, strbuf_text(&why));
	strbuf_free(&why);
	return result;
}

int view_write_to(const struct view *view, const struct view_target *target, struct stream *stream,
		  struct strbuf *error)
{
	const char *path = strbuf_text(target->path);
	struct progress progress;
	int result;

	if (view_check(view, path, error) || check_starts(view, path, stream, error))
		return -1;
	temp_cleanup_begin();
	if (view->anchor ? newfile_begin_folder(path) : newfile_begin(path)) {
		strbuf_printf(error, "cannot write %s: %s", path, file_reason(errno));
		temp_cleanup_end();
		return -1;
	}
	stream_end_at_damage(stream, path);
	progress_begin(&progress, stream);
	result = view->write(newfile_name(), stream, error);
	progress_end(&progress, stream);
	if (result)
		name_target(error, path);
	else
		result = put_in_place(target, error);
	if (result)
		newfile_drop();
	temp_cleanup_end();
	return result ? result : tell_damage(stream, error);
}

int view_write(const struct view *view, const char *path, struct stream *stream,
	       struct strbuf *error)
{
	struct strbuf name = STRBUF_INIT;
	struct view_target target = {.path = &name, .replace = true};
	int result;

	strbuf_string(&name, path);
	result = view_write_to(view, &target, stream, error);
	strbuf_free(&name);
	return result;
}
