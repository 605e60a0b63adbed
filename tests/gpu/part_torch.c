/* SPDX-License-Identifier: MIT */
/* T20: the program is Python with PyTorch, which brings its own libcupti. */
#include <stdlib.h>
#include <unistd.h>

#include "part_cost.h"
#include "part_start.h"
#include "rows.h"
#include "tap.h"
#include "work.h"

static const char script[] =
	"import os, sys, time\n"
	"try:\n"
	"    import torch\n"
	"except Exception as error:\n"
	"    sys.exit(77)\n"
	"if not torch.cuda.is_available():\n"
	"    sys.exit(77)\n"
	"model = torch.nn.Linear(64, 8).cuda()\n"
	"optimizer = torch.optim.SGD(model.parameters(), lr=0.1)\n"
	"steps, begun = 100, 0\n"
	"for step in range(steps + 10):\n"
	"    if step == 10: # the first ones load what they need\n"
	"        torch.cuda.synchronize()\n"
	"        begun = time.monotonic()\n"
	"    loss = model(torch.ones(16, 64, device='cuda')).square().mean()\n"
	"    optimizer.zero_grad()\n"
	"    loss.backward()\n"
	"    optimizer.step()\n"
	"torch.cuda.synchronize()\n"
	"with open('expected.%d' % os.getpid(), 'a') as notes:\n"
	"    notes.write('note microseconds %.0f\\n' % ((time.monotonic() - begun) * 1e6))\n"
	"    notes.write('note times %d\\n' % steps)\n"
	"maps = set(line.split()[-1] for line in open('/proc/self/maps') if 'libcupti' in line)\n"
	"print('cupti', len(maps))\n";

int start_torch(const struct part *part, const char *step)
{
	(void)part;
	(void)step;
	expect("skip no PyTorch with a device");
	execlp("python3", "python3", "-c", script, (char *)NULL);
	return WORK_SKIPPED;
}

void check_torch(const struct run *run)
{
	const char *name = run->part->name;
	size_t rows = rows_count(run);

	tap_result(rows > 10, "%s: the training step gives rows (%zu)", name, rows);
	tap_result(rows_said(run->folder, "out", "cupti 1\n"), "%s: one libcupti is mapped", name);
	cost_note(run, "training step");
}
