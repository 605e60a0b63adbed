/* SPDX-License-Identifier: MIT */
/*
 * refused WORD ERROR PROGRAM [ARGUMENT]...: runs the program under a seccomp filter that answers
 * perf_event_open (WORD perf), or that and timer_create (WORD all), with this error number. Exits
 * with 77 if there are no filters here.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int count, char **arguments)
{
	unsigned error = count > 3 ? (unsigned)atoi(arguments[2]) & SECCOMP_RET_DATA : EPERM;
	long other = count > 3 && !strcmp(arguments[1], "all") ? SYS_timer_create
							       : SYS_perf_event_open;
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 1, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)other, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {.len = sizeof(code) / sizeof(code[0]), .filter = code};

	if (count < 4)
		return 2;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		return 77;
	execvp(arguments[3], arguments + 3);
	fprintf(stderr, "refused: %s: %s\n", arguments[3], strerror(errno));
	return 126;
}
