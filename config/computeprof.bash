# SPDX-License-Identifier: MIT
# bash completion for computeprof. Commands, options and lists are read from the tool's help, so
# this file needs no update for new ones.

# Prints the options of a command as "-o", "--output" ...; with `valued`, those that take an
# argument.
_computeprof_options()
{
	local tool=$1 command=$2 tail=${3:+' [A-Za-z]'}

	"$tool" $command --help 2>/dev/null |
		sed -nE "s/^ +(-[[:alnum:]])?,? *(--[a-z-]+)$tail.*/\\1 \\2/p"
	[ -z "$command" ] || return
	# The help for running a program lists these by name only, several per line.
	_computeprof_options "$tool" report "$3" | grep -wF -- "$("$tool" --help 2>/dev/null |
		sed -n '/^As report:/,/^Also:/p' | sed '$d' | grep -oE -- '--[a-z-]+')"
	"$tool" --help 2>/dev/null | sed -n '/^Also:/,$p' | tr '\n' ' ' |
		grep -oE -- "( -[[:alnum:]])? --[a-z-]+$tail" |
		sed -E 's/^ //; s/ [A-Za-z]$//' | tr ' ' '\n'
}

# Prints the words of the usage lines: the commands, or the arguments of list.
_computeprof_commands()
{
	"$1" --help 2>/dev/null | sed -nE 's/^ +computeprof ([a-z|]+) .*/\1/p' | tr '|' '\n'
}

_computeprof_lists()
{
	"$1" --help 2>/dev/null | sed -nE 's/^ +computeprof list ([a-z|]+)$/\1/p' | tr '|' '\n'
}

# Completes the argument of option $1 of $command.
_computeprof_value()
{
	local option=$1 word=$2 tool=$3

	[[ $command == top ]] && return # numbers
	case $option in
	--by)
		COMPREPLY=($(compgen -W 'rank process' -- "$word"))
		return ;;
	--runs | -w | --warmup | --threshold | --floor)
		return ;;
	--statistic)
		COMPREPLY=($(compgen -W 'minimum median both' -- "$word"))
		return ;;
	esac
	case $command$option in
	gate-n)
		return ;;
	esac
	case $option in
	-c | --config)
		COMPREPLY=($(compgen -W "$("$tool" list configs 2>/dev/null |
			sed -e 1d -e 's/ .*//')" -- "$word") $(compgen -f -- "$word")) ;;
	-d | --dialect)
		COMPREPLY=($(compgen -W 'classic cuda4' -- "$word")) ;;
	--chip)
		COMPREPLY=($(compgen -W "$("$tool" list chips 2>/dev/null |
			sed -e 1d -e 's/ .*//')" -- "$word")) ;;
	-n | --rows)
		COMPREPLY=($(compgen -W all -- "$word")) ;;
	--device | --context | -k | --kernels)
		COMPREPLY=() ;;
	*)
		COMPREPLY=($(compgen -f -- "$word")) ;;
	esac
}

# Prints the position of the first word that is neither an option nor an option's argument.
_computeprof_first()
{
	local valued=" $(_computeprof_options "$1" '' valued | tr '\n' ' ') " index

	for ((index = 1; index < COMP_CWORD; index++)); do
		case ${COMP_WORDS[index]} in
		--)
			echo $((index + 1))
			return ;;
		-*)
			[[ ${COMP_WORDS[index + 1]} == = ]] && ((index += 2)) ||
				{ [[ $valued == *" ${COMP_WORDS[index]} "* ]] && ((index++)); } ;;
		*)
			break ;;
		esac
	done
	echo "$index"
}

_computeprof()
{
	local tool=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} command= first previous valued
	local commands=" $(_computeprof_commands "${COMP_WORDS[0]}" | tr '\n' ' ') "

	COMPREPLY=()
	previous=${COMP_WORDS[COMP_CWORD - 1]}
	[[ $word == = ]] && word=
	[[ $previous == = ]] && previous=${COMP_WORDS[COMP_CWORD - 2]}
	first=$(_computeprof_first "$tool")
	# A command must be the first word.
	[[ $COMP_CWORD -gt 1 && $commands == *" ${COMP_WORDS[1]} "* ]] && command=${COMP_WORDS[1]}

	if [[ -z $command && $first -lt $COMP_CWORD ]]; then
		# The words after the program's name are the program's own.
		if declare -F _command_offset >/dev/null; then
			_command_offset "$first"
		else
			COMPREPLY=($(compgen -f -- "$word"))
		fi
		return
	fi
	valued=" $(_computeprof_options "$tool" "$command" valued | tr '\n' ' ') "
	if [[ $valued == *" $previous "* ]]; then
		_computeprof_value "$previous" "$word" "$tool"
		return
	fi
	case $command:$word in
	*:-*)
		COMPREPLY=($(compgen -W "$(_computeprof_options "$tool" "$command")" -- "$word")) ;;
	list:*)
		COMPREPLY=($(compgen -W "$(_computeprof_lists "$tool")" -- "$word")) ;;
	explain:*)
		COMPREPLY=($(compgen -W "$("$tool" list counters 2>/dev/null |
			sed -e 1d -e 's/ .*//')" -- "$word")) ;;
	top:*)
		COMPREPLY=($(compgen -d -- "$word")) ;;
	doctor:*)
		COMPREPLY=($(compgen -c -- "$word") $(compgen -f -- "$word")) ;;
	:*)
		((COMP_CWORD == 1)) && COMPREPLY=($(compgen -W "$commands" -- "$word"))
		COMPREPLY+=($(compgen -c -- "$word") $(compgen -d -- "$word")) ;;
	*)
		COMPREPLY=($(compgen -f -- "$word")) ;;
	esac
}
complete -o filenames -F _computeprof computeprof
