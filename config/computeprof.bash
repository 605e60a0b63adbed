# SPDX-License-Identifier: MIT
# bash completion for computeprof; commands and options are read from its own help text.

_computeprof_words()
{
	case $1 in
	-*) "$2" --help 2>/dev/null | tr -s '[:space:],|[]=' '\n' |
		grep -xE -- '--?[[:alnum:]][[:alnum:]-]*' ;;
	*) echo 'recover list doctor print' ;;
	esac
}

_computeprof()
{
	local tool=${COMP_WORDS[0]} index
	local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}

	COMPREPLY=()
	# Behind the program's name, the words are the program's own.
	for ((index = 1; index < COMP_CWORD; index++)); do
		if [[ ${COMP_WORDS[index]} == -- ]]; then
			((index + 1 < COMP_CWORD)) && COMPREPLY=($(compgen -f -- "$word")) ||
				COMPREPLY=($(compgen -c -- "$word"))
			return
		fi
	done
	case $previous in
	--config)
		COMPREPLY=($(compgen -W "$("$tool" list configs 2>/dev/null |
			cut -d' ' -f1)" -- "$word") $(compgen -f -- "$word"))
		return ;;
	--dialect)
		COMPREPLY=($(compgen -W 'classic cuda4' -- "$word"))
		return ;;
	-o | --log | --trace)
		COMPREPLY=($(compgen -f -- "$word"))
		return ;;
	esac
	COMPREPLY=($(compgen -W "$(_computeprof_words "$word" "$tool")" -- "$word"))
	if [[ $word != -* ]]; then
		((COMP_CWORD == 1)) && COMPREPLY+=($(compgen -c -- "$word")) ||
			COMPREPLY=($(compgen -f -- "$word"))
	fi
}
complete -o filenames -F _computeprof computeprof
