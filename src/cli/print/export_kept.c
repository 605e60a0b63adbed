/* SPDX-License-Identifier: MIT */
#include "cli/print/export_kept.h"

#include "base/say.h"
#include "base/text.h"
#include "cli/run/memory_file.h"
#include "view/view.h"

/* The extension that `print` needs: a name for nvprof may have another one, or none. */
static const char *lacking_extension(const struct exports *run, const char *target)
{
	const char *extension = run->view->extension;

	return text_ends(target, extension) ? "" : extension;
}

void export_kept_put(struct strbuf *to, const struct exports *run, const char *target,
		     const struct export_trace *traces, size_t count)
{
	strbuf_printf(to,
		      "computeprof: the %s kept; to make the output, run: computeprof print -o "
		      "'%s%s'",
		      count > 1 ? "traces are" : "trace is", target,
		      lacking_extension(run, target));
	for (size_t i = 0; i < count; i++)
		if (!traces[i].totals && !memory_file_is(traces[i].path))
			strbuf_printf(to, " '%s'", traces[i].path);
	strbuf_char(to, '\n');
}

void export_kept_totals(const struct exports *run, const struct export_trace *inputs, size_t count,
			const char *target)
{
	struct strbuf path = STRBUF_INIT, paths = STRBUF_INIT;

	for (size_t i = 0; run->folder && i < count; i++) {
		if (!inputs[i].totals)
			continue;
		path.length = 0;
		strbuf_printf(&path, "%s/totals-%u.cptrace", run->folder, inputs[i].process.pid);
		if (!memory_file_save(inputs[i].path, strbuf_text(&path)))
			strbuf_printf(&paths, " '%s'", strbuf_text(&path));
	}
	if (paths.length && target)
		say("the totals are kept; to make the output, run: computeprof print -o '%s%s'%s",
		    target, lacking_extension(run, target), strbuf_text(&paths));
	else if (paths.length)
		say("the totals are kept; to print the table, run: computeprof -i%s",
		    strbuf_text(&paths));
	strbuf_free(&path);
	strbuf_free(&paths);
}
