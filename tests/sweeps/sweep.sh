# SPDX-License-Identifier: MIT
# For tests in which the calls of the profiler fail one after the other (tests/sweeps/sweep.c):
# first tap.sh, then this. It sets $library, $level and the scratch folder.

# With sanitizers other code makes the calls of the library.
[ -z "$COMPUTEPROF_SANITIZERS" ] || skip_all "sanitizers make calls of their own"
failing=${builddir:?}/tests/sweeps/.libs/failing.so
export COMPUTE_PROFILE=1 COMPUTE_PROFILE_TRACE=trace LC_ALL=C.UTF-8

# Each call fails at the long level only: every third at the full one. At the quick level it is
# every seventh, and one error for all.
every=3
system_errors="ENOSPC EIO EINTR EAGAIN EDQUOT EMFILE EPERM short ENOSPC+ EIO+ EPERM+"
case $COMPUTEPROF_TEST_LEVEL in
quick)
	every=7
	system_errors="EIO"
	;;
long)
	every=1
	;;
esac
runs=0

# sweeps NAME PROGRAM [ARGUMENT]...: all kinds and errors, three at a time, since programs mostly
# wait; each in its own folder
sweeps()
{
	local error job jobs=()

	for error in $system_errors; do
		jobs+=("system $error")
	done
	jobs+=("memory ENOMEM" "memory ENOMEM+")
	for job in "${jobs[@]}"; do
		while [ "$(jobs -r | wc -l)" -ge 3 ]; do
			wait -n
		done
		rm -rf "$job" && mkdir "$job"
		# shellcheck disable=SC2086 # two words
		(cd "$job" && "$builddir/tests/sweeps/sweep" $job $every "$failing" "$library" \
			"${@:2}" >wrong 2>figures </dev/null ||
			echo "ended with code $?" >>wrong) &
	done
	wait
	for job in "${jobs[@]}"; do
		empty "$(cat "$job/wrong")" "$1: each ${job% *} call fails with ${job#* }"
		sed 's/^/# /' "$job/figures"
		runs=$((runs + $(sed -n 's/ runs, .*//p' "$job/figures")))
	done
}

# No call of the library is missed: these are all calls that it makes, and all others neither enter
# the kernel nor allocate memory.
check_calls()
{
	local calls known

	calls=$(nm -D --undefined-only "$library" | sed 's/.* //; s/@.*//')
	known=$(nm -D --defined-only "$failing" | sed 's/.* //; s/@.*//')
	empty "$(printf '%s\n' "$calls" | grep -vxF "$known" | grep -vxE \
		'_.*|bcmp|mem(chr|cmp|cpy|mem|move|rchr|set)|st[rp].*' |
		grep -vxE 'pthread_(attr_(des|set).*|detach|join|mutex_.*|once|self|set.*|sig.*)' |
		grep -vxE 'sig(add|del|empty|fill|is).*' |
		grep -vxE 'dl.*|clock_gettime|environ|exit|free|getauxval|.*getenv|gete?[pug]id' |
		grep -vxE 'globfree|reg(exec|free)|v?snprintf|sysconf')" \
		"every call that can fail is made to"
}
