// SPDX-License-Identifier: MIT
// The flame graph: a row for each depth, the outermost functions on top.

const flameSection = document.getElementById('flame');
let flameCanvas, flamePen, flameBox, flameRest, flameDetail, flameFound;
let focus = null, chosen = null, flameWaiting = false, flameDepth = 0;

// Returns the functions from left to right, each before its callees: depth, name and own time of
// each. The first one, depth 0, is their sum.
function readFlame(element) {
	const next = reader(element.textContent), open = [];
	const all = {depth: 0, name: -1, self: 0, total: 0, start: 0, right: 0, up: null};
	const list = [all];
	let depth;

	while ((depth = next()) >= 0) {
		const up = depth ? open[depth - 1] : all, name = next(), self = next();
		open[depth] = {depth: depth + 1, name, self, total: self, start: 0, right: 0, up};
		list.push(open[depth]);
		flameDepth = Math.max(flameDepth, depth + 1);
	}
	for (let i = list.length - 1; i > 0; i--)
		list[i].up.total += list[i].total;
	for (let i = 1; i < list.length; i++) {
		list[i].start = list[i].right = list[i].up.right;
		list[i].up.right += list[i].total;
	}
	return list;
}

const flames = flameSection ? readFlame(flameSection.querySelector('script')) : [];

const flameName = item => item.up ? names[item.name].text : 'all';
const isBelow = (item, caller) =>
	item.depth >= caller.depth && item.start >= caller.start &&
	item.start + item.total <= caller.start + caller.total;

// The place of a function while `focus` has the whole width; null beside it.
function spotOf(item, width) {
	if (!isBelow(item, focus))
		return isBelow(focus, item) ? {x: 0, wide: width} : null;
	const scale = width / focus.total;
	return {x: (item.start - focus.start) * scale, wide: item.total * scale};
}

function drawFunction(item, spot, y) {
	const dim = wanted && !(item.up && wanted[item.name]);

	flamePen.globalAlpha = item.depth < focus.depth ? 0.6 : 1;
	flamePen.fillStyle = dim || !item.up ? theme.panel : colors[item.name];
	flamePen.fillRect(spot.x, y, Math.max(0.5, spot.wide - 0.5), ROW - 1);
	if (spot.wide > 30) {
		flamePen.fillStyle = dim || !item.up ? theme.text : dark.matches ? '#000' : '#111';
		drawText(flamePen, flameName(item), spot.x + 3, y + 13, spot.wide - 6);
	}
	if (item === chosen) {
		flamePen.strokeStyle = theme.accent;
		flamePen.lineWidth = 2;
		flamePen.strokeRect(spot.x + 1, y, Math.max(1, spot.wide - 2), ROW - 1);
	}
}

// Returns the own time of the functions that were drawn.
function drawFlame(everything) {
	const width = flameBox.clientWidth, full = (flameDepth + 1) * ROW + GAP;
	const high = everything ? full : flameBox.clientHeight;
	const top = everything ? 0 : flameBox.scrollTop;
	let seen = 0;

	flameWaiting = false;
	prepare(flamePen, width, high);
	flameRest.style.height = Math.max(0, full - high) + 'px';
	for (const item of flames) {
		const y = item.depth * ROW - top, spot = spotOf(item, width);
		if (!spot || y + ROW < 0 || y > high)
			continue;
		seen += item.self;
		if (spot.wide >= 0.3 || item === chosen)
			drawFunction(item, spot, y);
	}
	flamePen.globalAlpha = 1;
	if (checks)
		document.documentElement.dataset.flame = flameName(focus) + '|' +
			(chosen ? flameName(chosen) : '') + '|' + flameFound.textContent;
	return seen;
}

// Of functions below others that match, only the outer ones count.
function tellFound() {
	let sum = 0, end = 0;

	for (const item of flames) {
		if (wanted && item.up && wanted[item.name] && item.start >= end) {
			sum += item.total;
			end = item.start + item.total;
		}
	}
	flameFound.textContent = wanted ? 'found: ' + time(sum, 4) + ', ' +
		share(sum, flames[0].total) : '';
}

function requestFlame() {
	if (flameWaiting || !flameCanvas)
		return;
	flameWaiting = true;
	tellFound();
	window.requestAnimationFrame(() => drawFlame());
}

function describeFunction(item) {
	return flameName(item) + '\n' + time(item.total, 6) + ', ' +
		share(item.total, flames[0].total) + ' of all' +
		(item.self && item.self < item.total ? ', own time ' + time(item.self, 6) : '') +
		(item.depth > 1 ? ', called by ' + flameName(item.up) : '');
}

function choose(item) {
	chosen = item;
	flameDetail.textContent = item ? describeFunction(item) : '';
	if (item) {
		const y = item.depth * ROW;
		if (!isBelow(item, focus) && !isBelow(focus, item))
			focus = item.up;
		if (y < flameBox.scrollTop || y + ROW > flameBox.scrollTop + flameBox.clientHeight)
			flameBox.scrollTop = y - flameBox.clientHeight / 2;
	}
	requestFlame();
}

function focusOn(item) {
	focus = item;
	choose(item);
}

// The next function that is at the same depth, or below or beside it, in the order of `flames`.
function stepFlame(way, fits) {
	let i = chosen ? flames.indexOf(chosen) + way : way > 0 ? 0 : flames.length - 1;

	while (flames[i] && !fits(flames[i]))
		i += way;
	if (flames[i])
		choose(flames[i]);
}

const matches = item => !wanted || (item.up && wanted[item.name]);
const beside = item => item.depth === (chosen || focus).depth && isBelow(item, focus);
const flameKeys = {
	ArrowUp: () => choose(chosen && chosen.up || flames[0]),
	ArrowDown: () => {
		const caller = chosen || focus;
		const callees = flames.filter(item => item.up === caller);
		if (callees.length)
			choose(callees.reduce((a, b) => b.total > a.total ? b : a));
	},
	ArrowLeft: () => stepFlame(-1, beside), ArrowRight: () => stepFlame(1, beside),
	n: () => stepFlame(1, matches), p: () => stepFlame(-1, matches),
	Enter: () => focusOn(chosen || focus), '+': () => focusOn(chosen || focus),
	'-': () => focusOn(focus.up || focus), Backspace: () => focusOn(focus.up || focus),
	Home: () => focusOn(flames[0]), 0: () => focusOn(flames[0]),
	Escape: () => { focusOn(flames[0]); choose(null); },
};

function functionAt(event) {
	const depth = Math.floor((event.offsetY + flameBox.scrollTop) / ROW);

	return flames.find(item => {
		const spot = item.depth === depth && spotOf(item, flameBox.clientWidth);
		return spot && event.offsetX >= spot.x && event.offsetX < spot.x + spot.wide;
	}) || null;
}

function listenFlame() {
	flameCanvas.addEventListener('pointermove', event => {
		const under = functionAt(event) || chosen;
		flameDetail.textContent = under ? describeFunction(under) : '';
		flameCanvas.title = flameDetail.textContent;
	});
	flameCanvas.addEventListener('click', event => {
		const under = functionAt(event);
		if (under)
			focusOn(under);
	});
	flameCanvas.addEventListener('keydown', event => {
		if (event.ctrlKey || event.metaKey || event.altKey || !flameKeys[event.key])
			return;
		flameKeys[event.key]();
		event.preventDefault();
	});
	flameBox.addEventListener('scroll', requestFlame);
	new ResizeObserver(requestFlame).observe(flameBox);
}

function addFlame() {
	const tools = add(flameSection, 'div', {className: 'bar'});

	focus = flames[0];
	add(tools, 'button', {type: 'button', textContent: 'All', title: 'All functions (Home, 0)'})
		.addEventListener('click', flameKeys.Home);
	add(tools, 'span', {textContent: 'Click to zoom into a function or back to a caller. ' +
		'Blue is time on the GPU, grey are waits for it. Arrows select, Enter zooms, ' +
		'n and p find the next and previous match.'});
	flameFound = add(tools, 'span');
	flameBox = add(flameSection, 'div', {className: 'view'});
	flameCanvas = add(flameBox, 'canvas', {tabIndex: 0});
	flameCanvas.setAttribute('role', 'img');
	flameCanvas.setAttribute('aria-label', 'Flame graph; arrows go through its functions');
	flameRest = add(flameBox, 'div');
	flameDetail = add(flameSection, 'div', {className: 'detail'});
	flameDetail.setAttribute('aria-live', 'polite');
	flameBox.style.height = Math.min((flameDepth + 1) * ROW + GAP + 2,
		Math.max(160, window.innerHeight * 0.6)) + 'px';
	flamePen = flameCanvas.getContext('2d');
	drawFlame();
	listenFlame();
}
