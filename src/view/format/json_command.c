/* SPDX-License-Identifier: MIT */
#include "view/format/json_command.h"

#include "model/command.h"
#include "output/jsontext.h"

void json_command_put(struct strbuf *to, const struct process *process)
{
	size_t at = 0, length;
	const char *word;

	strbuf_string(to, ", \"command\": [");
	while ((word = command_next(process, &at, &length))) {
		if (word != process->command)
			strbuf_string(to, ", ");
		json_name(to, word, length);
	}
	strbuf_char(to, ']');
}
