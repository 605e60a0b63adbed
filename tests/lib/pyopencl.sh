# SPDX-License-Identifier: MIT
# For tests with pyopencl's examples and tests, after real.sh.

# The examples and tests are those of pyopencl's documentation package.
python=/usr/bin/python3
examples=/usr/share/doc/python-pyopencl-doc/examples

# pyopencl NAME FILE ARGUMENT...: runs the interpreter with these arguments, if the example is here
pyopencl()
{
	if ! $python -c 'import pyopencl' 2>/dev/null; then
		skip "pyopencl: $1" "no python3-pyopencl"
	elif [ ! -e "$examples/$2" ]; then
		skip "pyopencl: $1" "no $examples/$2: it comes with python-pyopencl-doc"
	elif [ "$3" = -m ] && ! $python -c 'import pytest' 2>/dev/null; then
		skip "pyopencl: $1" "no python3-pytest"
	else
		compare "pyopencl: $1" $python "${@:3}"
	fi
}

# pytest NAME MODULE [OPTION...]: runs the tests of a module
pytest()
{
	local name=$1

	shift
	# Compares which tests pass, by name; warnings and durations are ignored.
	pyopencl "$name" "$1.py" -m pytest -p no:cacheprovider -p no:warnings -q -rA \
		--tb=no --show-capture=no "$examples/$1.py" "${@:2}"
}
