# SPDX-License-Identifier: MIT
# fish completion for computeprof. The tool itself tells what can follow (computeprof list
# completions), so this file needs no update for new commands and options.

function __computeprof_complete
	set -l words (commandline -opc) (commandline -ct)
	set -l last (commandline -ct)
	set -l value (string replace -r -- '^--[^=]*=' '' $last)

	for line in (command $words[1] list completions -- $words[2..-1] 2>/dev/null)
		switch $line
			case :files
				__fish_complete_path $value
			case :directories
				__fish_complete_directories $value ''
			case :commands
				__fish_complete_command
			case ':program *'
				# These words are the program's own.
				set -l first (math 2 + (string replace ':program ' '' -- $line))
				set -l line (string escape -- $words[$first..-2]) $last
				complete -C (string join -- ' ' $line)
			case '*'
				echo $line
		end
	end
end

complete -c computeprof -f -a '(__computeprof_complete)'
