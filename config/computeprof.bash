# SPDX-License-Identifier: MIT
# bash completion for computeprof. The tool itself tells what can follow (computeprof list
# completions), so this file needs no update for new commands and options.

# Fills `words` with the words up to the cursor. bash splits --option=value at the sign; they are
# one word again here. places[N] is the number of words[N] in COMP_WORDS.
_computeprof_words()
{
	local i word before last=-1

	words=() places=()
	for ((i = 1; i <= COMP_CWORD; i++)); do
		word=${COMP_WORDS[i]}
		before=
		[[ $last -ge 0 ]] && before=${words[last]}
		if [[ $word == = && $before == --* && $before != *=* ]] ||
			[[ ${COMP_WORDS[i - 1]} == = && $before == --*= ]]; then
			words[last]+=$word
		else
			words+=("$word") places+=("$i")
			((++last))
		fi
	done
}

_computeprof()
{
	local words places word prefix='' candidate

	COMPREPLY=()
	_computeprof_words
	word=${words[${#words[@]} - 1]}
	if [[ $word == --*=* && $COMP_WORDBREAKS == *=* ]]; then
		prefix=${word%%=*}=
		word=${word#*=}
	fi
	while IFS=$'\t' read -r candidate _; do
		case $candidate in
		:files)
			compopt -o filenames 2>/dev/null
			mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$word") ;;
		:directories)
			compopt -o filenames 2>/dev/null
			mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -d -- "$word") ;;
		:commands)
			compopt -o filenames 2>/dev/null
			mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -c -- "$word"
				compgen -f -- "$word") ;;
		:program\ *)
			# These words are the program's own.
			if declare -F _command_offset >/dev/null; then
				_command_offset "${places[${candidate#:program }]}"
			else
				mapfile -t COMPREPLY < <(compgen -f -- "$word")
			fi ;;
		*)
			COMPREPLY+=("${candidate#"$prefix"}") ;;
		esac
	done < <("${COMP_WORDS[0]/#\~/$HOME}" list completions -- "${words[@]}" 2>/dev/null)
}
complete -F _computeprof computeprof
