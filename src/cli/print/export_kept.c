/* SPDX-License-Identifier: MIT */
#include "cli/print/export_kept.h"

#include <string.h>
#include <unistd.h>

#include "base/say.h"
#include "base/shellword.h"
#include "base/text.h"
#include "cli/run/memory_file.h"
#include "view/view.h"

/* The extension that `print` needs: a name for nvprof may have another one, or none. */
static const char *lacking_extension(const struct exports *run, const char *target)
{
	const char *extension = run->view->extension;

	return text_ends(target, extension) ? "" : extension;
}

/* Appends the name of the output, as a word of a command. */
static void put_target(struct strbuf *to, const struct exports *run, const char *target)
{
	struct strbuf name = STRBUF_INIT;

	strbuf_string(&name, target);
	strbuf_string(&name, lacking_extension(run, target));
	shellword_put(to, strbuf_text(&name));
	strbuf_free(&name);
}

void export_kept_put(struct strbuf *to, const struct exports *run, const char *target,
		     const struct export_trace *traces, size_t count)
{
	strbuf_printf(to,
		      "computeprof: the %s kept; to make the output, run: computeprof print -o ",
		      count > 1 ? "traces are" : "trace is");
	put_target(to, run, target);
	for (size_t i = 0; i < count; i++) {
		if (traces[i].totals || memory_file_is(traces[i].path))
			continue;
		strbuf_char(to, ' ');
		shellword_put(to, traces[i].path);
	}
	strbuf_char(to, '\n');
}

/* Returns false if stderr did not take the whole message. */
static bool say_kept(const char *output, struct strbuf *words)
{
	struct strbuf text = STRBUF_INIT;
	char where[SAY_WHERE];

	strbuf_printf(&text, "the totals are kept; to %s %s", output, strbuf_text(words));
	say_text(strbuf_text(&text), where);
	strbuf_free(&text);
	return strcmp(where, "-") != 0;
}

bool export_kept_totals(const struct exports *run, const struct export_trace *inputs, size_t count,
			const char *target)
{
	struct strbuf path = STRBUF_INIT, words = STRBUF_INIT;
	bool kept = false;

	if (target)
		put_target(&words, run, target);
	for (size_t i = 0; run->folder && i < count; i++) {
		if (!inputs[i].totals)
			continue;
		path.length = 0;
		strbuf_printf(&path, "%s/totals-%u.cptrace", run->folder, inputs[i].process.pid);
		if (memory_file_save(inputs[i].path, strbuf_text(&path)))
			continue;
		strbuf_string(&words, words.length ? " " : "");
		shellword_put(&words, strbuf_text(&path));
		kept = true;
	}
	if (kept && target) {
		say_kept("make the output, run: computeprof print -o", &words);
	} else if (kept && !say_kept("print the table, run: computeprof -i", &words)) {
		unlink(strbuf_text(&path)); /* the tables are those of one process */
		kept = false;
	}
	strbuf_free(&path);
	strbuf_free(&words);
	return kept;
}
