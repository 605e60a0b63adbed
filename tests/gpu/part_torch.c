/* SPDX-License-Identifier: MIT */
/* T20: the program is Python with PyTorch, which brings a libcupti of its own. */
#include <stdlib.h>
#include <unistd.h>

#include "part_start.h"
#include "rows.h"
#include "tap.h"
#include "work.h"

static const char script[] =
	"import sys\n"
	"try:\n"
	"    import torch\n"
	"except Exception as error:\n"
	"    sys.exit(77)\n"
	"if not torch.cuda.is_available():\n"
	"    sys.exit(77)\n"
	"model = torch.nn.Linear(64, 8).cuda()\n"
	"optimizer = torch.optim.SGD(model.parameters(), lr=0.1)\n"
	"for step in range(3):\n"
	"    loss = model(torch.ones(16, 64, device='cuda')).square().mean()\n"
	"    optimizer.zero_grad()\n"
	"    loss.backward()\n"
	"    optimizer.step()\n"
	"torch.cuda.synchronize()\n"
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
}
