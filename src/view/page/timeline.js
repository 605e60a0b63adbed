// SPDX-License-Identifier: MIT
// The timeline.

let view = {from: first, to: last}, rows = [], height = 0;
let canvas, context, box, rest, detail, width = 0, picked = null, waiting = false, pointsDrawn = 0;
const LABELS = Math.min(
	280, 20 + 6.2 * lines.reduce((most, track) => Math.max(most, track.title.length), 12));

for (let i = 0, heading = null; i < lines.length; i++) {
	if (lines[i].heading !== heading) {
		heading = lines[i].heading;
		rows.push({y: height, height: HEAD, heading});
		height += HEAD;
	}
	const isMemory = lines[i].bytes,
	      rowHeight = ROW * (isMemory ? 3 : 1 + lines[i].deepest) + GAP;
	rows.push({y : height, height : rowHeight, [isMemory ? 'memory' : 'track'] : lines[i]});
	height += rowHeight;
}

const xOf = at => LABELS + (at - view.from) / (view.to - view.from) * (width - LABELS);
const timeOf = x => view.from + (x - LABELS) / (width - LABELS) * (view.to - view.from);

// The first event that may end at `at` or later: of nested ones any may.
function firstOf(track, at) {
	let low = 0, high = track.number;

	if (track.deepest)
		return 0;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (track.end[middle] < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

// Returns the number of events in view. What lies in a pixel that is drawn already is not drawn
// again.
function drawTrack(track, y) {
	const scale = (width - LABELS) / (view.to - view.from);
	const right = new Float64Array(DEEPEST + 1);
	let seen = 0, color = '';

	for (let i = firstOf(track, view.from); i < track.number; i++) {
		if (track.start[i] > view.to)
			break;
		if (track.end[i] < view.from)
			continue;
		const x = Math.max(LABELS, LABELS + (track.start[i] - view.from) * scale);
		const end = Math.min(width, LABELS + (track.end[i] - view.from) * scale);
		const line = track.depth[i], dim = wanted && !wanted[track.name[i]];
		seen += track.counts.get(i) || 1;
		if (end - x < 1 && x < right[line] && !(wanted && !dim))
			continue;
		const wide = Math.max(1, end - x > 3 ? end - x - 0.5 : end - x);
		const next = dim ? theme.panel : colors[track.name[i]];
		if (next !== color)
			context.fillStyle = color = next;
		context.fillRect(x, y + line * ROW, wide, ROW - 1);
		right[line] = x + wide;
		if (wide > 30 && !dim && line < DEEPEST) {
			context.fillStyle = color = dark.matches ? '#000' : '#111';
			drawText(context, names[track.name[i]].text, x + 3,
				y + line * ROW + 13, wide - 5);
		}
	}
	return seen;
}

// The number of the last point at `at` or before, -1: none.
function pointAt(memory, at)
{
	let low = 0, high = memory.number;

	while (low < high) {
		const middle = (low + high) >> 1;
		if (memory.start[middle] <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low - 1;
}

// The peak has the whole height. Points in one pixel: the greatest one is seen.
function drawMemory(memory, y, high)
{
	context.fillStyle = dark.matches ? 'hsl(200,45%,45%)' : 'hsl(200,50%,70%)';
	for (let i = Math.max(0, pointAt(memory, view.from)); i < memory.number; i++) {
		if (memory.start[i] > view.to)
			break;
		const end = i + 1 < memory.number ? memory.start[i + 1] : last;
		const x = Math.max(LABELS, xOf(memory.start[i]));
		const wide = Math.max(1, Math.min(width, xOf(end)) - x);
		const tall = memory.peak ? memory.bytes[i] / memory.peak * high : 0;
		context.fillRect(x, y + high - tall, wide, tall);
		pointsDrawn++;
	}
}

function drawMemoryRow(row, y)
{
	drawMemory(row.memory, y + GAP, row.height - 2 * GAP);
	context.fillStyle = theme.line;
	context.fillRect(LABELS, y + row.height - GAP, width - LABELS, 1);
	drawTitle(row, row.memory.title, y);
	drawText(context, 'peak ' + size(row.memory.peak), 6, y + 13 + ROW, LABELS - 12);
}

function drawTitle(row, title, y)
{
	context.fillStyle = theme.back;
	context.fillRect(0, y, LABELS - 4, row.height);
	context.fillStyle = theme.faint;
	drawText(context, title, 6, y + 13, LABELS - 12);
}

// Calls `put` with the place and the time of each mark of the axis.
function eachMark(put) {
	const span = view.to - view.from, rough = span / Math.max(2, (width - LABELS) / 110);
	const power = Math.pow(10, Math.floor(Math.log10(rough)));
	const step = power * (rough / power < 2 ? 2 : rough / power < 5 ? 5 : 10);

	for (let n = Math.ceil((view.from - first) / step); n * step + first <= view.to; n++)
		put(xOf(n * step + first), n * step);
}

function drawGrid(high) {
	context.fillStyle = theme.line;
	eachMark(x => context.fillRect(x, 0, 1, high));
}

function drawAxis() {
	const span = view.to - view.from;

	context.fillStyle = theme.back;
	context.fillRect(0, 0, width, AXIS);
	eachMark((x, at) => {
		context.fillStyle = theme.line;
		context.fillRect(x, 0, 1, AXIS);
		context.fillStyle = theme.faint;
		context.fillText(time(at, 9), x + 4, 15);
	});
	context.fillStyle = theme.faint;
	context.fillText('shown: ' + time(span, 4), 6, 15);
	context.fillStyle = theme.line;
	context.fillRect(0, AXIS - 1, width, 1);
}

function drawRow(row, y) {
	if (row.heading !== undefined) {
		context.fillStyle = theme.panel;
		context.fillRect(0, y, width, HEAD);
		context.fillStyle = theme.text;
		drawText(context, row.heading, 6, y + 15, width - 12);
		return 0;
	}
	if (row.memory) {
		drawMemoryRow(row, y);
		return 0;
	}
	const seen = drawTrack(row.track, y);
	drawTitle(row, row.track.title, y);
	return seen;
}

function drawPicked(top) {
	if (!picked || picked.end < view.from || picked.start > view.to)
		return;
	const x = Math.max(LABELS, xOf(picked.start));
	context.strokeStyle = theme.accent;
	context.lineWidth = 2;
	context.strokeRect(x, picked.row.y + picked.depth * ROW - top + AXIS,
		Math.max(2, Math.min(width, xOf(picked.end)) - x), ROW - 1);
}

// Returns the number of events that were drawn.
function draw(everything) {
	const high = everything ? height + AXIS : box.clientHeight;
	const top = everything ? 0 : box.scrollTop;
	let seen = 0;

	waiting = false;
	pointsDrawn = 0;
	width = box.clientWidth;
	prepare(context, width, high);
	// The canvas takes the visible part; the rest is there to be scrolled.
	rest.style.height = Math.max(0, height + AXIS - high) + 'px';
	drawGrid(high);
	for (const row of rows) {
		const y = row.y - top + AXIS;
		if (y + row.height > 0 && y < high)
			seen += drawRow(row, y);
	}
	drawAxis();
	drawPicked(top);
	if (checks)
		document.documentElement.dataset.view =
			(view.from - first) + ' ' + (view.to - first);
	return seen;
}

function request() {
	if (!waiting && canvas) {
		waiting = true;
		window.requestAnimationFrame(() => draw());
	}
}

function setView(from, to) {
	const span = Math.max(10, Math.min(to - from, last - first));
	from = Math.max(first, Math.min(from, last - span));
	view = {from, to: from + span};
	request();
}

function zoom(factor, at) {
	if (at === undefined)
		at = (view.from + view.to) / 2;
	setView(at - (at - view.from) * factor, at + (view.to - at) * factor);
}

function pan(part) {
	const by = (view.to - view.from) * part;
	setView(view.from + by, view.to + by);
}

function eventOf(row, index) {
	const track = row.track;
	return {row, track, index, depth: track.depth[index], start: track.start[index],
		end: track.end[index]};
}

function eventAt(x, y) {
	const top = y - AXIS + box.scrollTop, at = timeOf(x), room = timeOf(x + 2) - at;
	const row = rows.find(item => top >= item.y && top < item.y + item.height);
	let best = null, distance = Infinity;

	if (!row || !row.track || y < AXIS || x < LABELS)
		return null;
	const track = row.track, line = Math.floor((top - row.y) / ROW);
	for (let i = firstOf(track, at - room); i < track.number; i++) {
		if (track.start[i] > at + room)
			break;
		const away = Math.max(track.start[i] - at, at - track.end[i], 0);
		if (track.depth[i] === line && away <= room && away < distance) {
			best = i;
			distance = away;
		}
	}
	return best === null ? null : eventOf(row, best);
}

// What the memory row at this place has there; "" elsewhere.
function describeMemory(x, y)
{
	const top = y - AXIS + box.scrollTop, at = timeOf(x);
	const row = rows.find(item => top >= item.y && top < item.y + item.height);

	if (!row || !row.memory || y < AXIS || x < LABELS)
		return '';
	const memory = row.memory, point = pointAt(memory, at);
	return size(point < 0 ? 0 : memory.bytes[point]) + '\nat ' + time(at - first, 9) + ', ' +
	       memory.heading + ', ' + memory.title + ', peak ' + size(memory.peak);
}

function describe(event) {
	const count = event.track.counts.get(event.index);
	return names[event.track.name[event.index]].text +
		(count ? '  (' + count + ' events in one block)' : '') +
		'\nstart ' + time(event.start - first, 12) + ', ' +
		(count ? 'block of ' : 'duration ') + time(event.end - event.start, 9) + ', ' +
		event.track.heading + ', ' + event.track.title;
}

const keys = {
	'+': () => zoom(0.5), '=': () => zoom(0.5), w: () => zoom(0.5),
	'-': () => zoom(2), s: () => zoom(2),
	ArrowLeft: () => pan(-0.2), a: () => pan(-0.2),
	ArrowRight: () => pan(0.2), d: () => pan(0.2),
	ArrowUp: () => { box.scrollTop -= ROW; }, ArrowDown: () => { box.scrollTop += ROW; },
	PageUp: () => { box.scrollTop -= box.clientHeight / 2; },
	PageDown: () => { box.scrollTop += box.clientHeight / 2; },
	Home: () => setView(first, last), 0: () => setView(first, last),
	n: () => step(1), p: () => step(-1),
	Escape: () => { picked = null; detail.textContent = ''; request(); },
};

// Moves to the next or previous event of the track of the picked one, of those that match.
function step(way) {
	const row = picked ? picked.row : rows.find(item => item.track);
	if (!row)
		return;
	const track = row.track;
	let i = picked ? picked.index + way : way > 0 ? 0 : track.number - 1;

	while (i >= 0 && i < track.number && wanted && !wanted[track.name[i]])
		i += way;
	if (i < 0 || i >= track.number)
		return;
	pick(eventOf(row, i));
	if (picked.start < view.from || picked.end > view.to) {
		const span = Math.max(view.to - view.from, (picked.end - picked.start) * 1.2);
		setView(picked.start - span / 2, picked.start + span / 2);
	}
}

function pick(event) {
	picked = event;
	detail.textContent = event ? describe(event) : '';
	request();
}

function listen() {
	let drag = null;

	canvas.addEventListener('wheel', event => {
		if (event.ctrlKey || event.metaKey)
			zoom(Math.pow(1.002, event.deltaY),
				timeOf(Math.max(LABELS, event.offsetX)));
		else if (event.shiftKey || event.deltaX)
			pan((event.deltaX || event.deltaY) / width);
		else
			return;
		event.preventDefault();
	}, {passive: false});
	canvas.addEventListener('pointerdown', event => {
		drag = {x: event.offsetX, view, moved: false};
		canvas.setPointerCapture(event.pointerId);
	});
	canvas.addEventListener('pointermove', event => {
		if (!drag) {
			const under = eventAt(event.offsetX, event.offsetY);
			detail.textContent = under ? describe(under)
						   : describeMemory(event.offsetX, event.offsetY) ||
							     (picked ? describe(picked) : '');
			return;
		}
		const by = (drag.x - event.offsetX) / (width - LABELS) *
			(drag.view.to - drag.view.from);
		drag.moved = drag.moved || Math.abs(drag.x - event.offsetX) > 3;
		if (drag.moved)
			setView(drag.view.from + by, drag.view.to + by);
	});
	canvas.addEventListener('pointerup', event => {
		if (drag && !drag.moved)
			pick(eventAt(event.offsetX, event.offsetY));
		drag = null;
	});
	canvas.addEventListener('pointercancel', () => { drag = null; });
	canvas.addEventListener('dblclick', event => {
		const under = eventAt(event.offsetX, event.offsetY);
		if (!under)
			return zoom(0.25, timeOf(Math.max(LABELS, event.offsetX)));
		const room = (under.end - under.start) / 4 + 5;
		setView(under.start - room, under.end + room);
	});
	canvas.addEventListener('keydown', event => {
		if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key])
			return;
		keys[event.key]();
		event.preventDefault();
	});
	box.addEventListener('scroll', request);
	new ResizeObserver(request).observe(box);
}

function addTimeline() {
	const tools = add(section, 'div', {className: 'bar'});
	for (const [text, title, action] of [['+', 'Zoom in (+, w, Ctrl and wheel)', '+'],
		['\u2212', 'Zoom out (-, s)', '-'], ['\u25c0', 'Earlier (left, a)', 'a'],
		['\u25b6', 'Later (right, d)', 'd'], ['All', 'Whole run (Home, 0)', 'Home']])
		add(tools, 'button', {type: 'button', textContent: text, title})
			.addEventListener('click', keys[action]);
	add(tools, 'span', {textContent: 'Drag to move, Ctrl and wheel to zoom, double click to ' +
		'zoom to an event, n and p for the next and previous event.'});
	box = add(section, 'div', {className: 'view'});
	canvas = document.createElement('canvas');
	canvas.tabIndex = 0;
	canvas.setAttribute('role', 'img');
	canvas.setAttribute('aria-label', 'Timeline; the tables have its sums');
	box.appendChild(canvas);
	rest = add(box, 'div');
	detail = add(section, 'div', {className: 'detail'});
	detail.setAttribute('aria-live', 'polite');
	box.style.height =
		Math.min(height + AXIS + 2, Math.max(160, window.innerHeight * 0.6)) + 'px';
	context = canvas.getContext('2d');
	draw();
	listen();
}
