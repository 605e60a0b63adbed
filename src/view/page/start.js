// SPDX-License-Identifier: MIT
// What runs when all parts of the script are defined.

function redraw() {
	request();
	requestFlame();
}

readColors();
if (lines.length)
	addTimeline();
if (flames.length > 1)
	addFlame();
document.addEventListener('keydown', event => {
	if (event.key !== '/' || event.target === filter)
		return;
	filter.focus();
	event.preventDefault();
});
dark.addEventListener('change', () => { readColors(); redraw(); });
window.addEventListener('beforeprint', () => {
	if (canvas)
		draw(true);
	if (flameCanvas)
		drawFlame(true);
});
window.addEventListener('afterprint', redraw);

// --- With #selfcheck in the address: the sums of what was read and drawn, for tests

function checkFlame() {
	const begin = performance.now();
	const result = {functions: flames.length - 1, total: flames[0].total, kinds: {}};

	for (const item of flames.slice(1)) {
		const kind = names[item.name].kind;
		result.kinds[kind] = (result.kinds[kind] || 0) + item.self;
	}
	result.drawn = drawFlame(true);
	flamePen.getImageData(0, 0, 1, 1);
	result.ms = Math.round(performance.now() - begin);
	return result;
}

function selfCheck() {
	const result = {
		tables : [],
		kinds : {},
		events : 0,
		drawn : 0,
		ms : 0,
		names : names.length - 1,
		memory : [],
		points : 0
	};

	for (const table of tables) {
		const sum = {title: table.dataset.title, rows: 0, ns: 0, calls: 0};
		for (const row of table.tBodies[0].rows) {
			sum.rows++;
			sum.ns += section ? valueOf(row, 1) : 0;
			sum.calls += section ? valueOf(row, 2) : 0;
		}
		result.tables.push(sum);
	}
	for (const track of tracks) {
		result.events += track.all;
		for (let i = 0; i < track.number; i++) {
			const kind = names[track.name[i]].kind;
			result.kinds[kind] = (result.kinds[kind] || 0) +
				track.end[i] - track.start[i];
		}
	}
	for (const {heading, title, number, peak} of lines.filter(line => line.bytes))
		result.memory.push({heading, title, number, peak});
	if (canvas) {
		const begin = performance.now();
		result.drawn = draw(true);
		result.points = pointsDrawn;
		context.getImageData(0, 0, 1, 1);
		result.ms = Math.round(performance.now() - begin);
	}
	if (flameCanvas)
		result.flame = checkFlame();
	document.documentElement.dataset.selfcheck = JSON.stringify(result);
}

if (checks)
	selfCheck();
