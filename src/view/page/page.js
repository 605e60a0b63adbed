// SPDX-License-Identifier: MIT
// The data of the page, and sorting and filtering of the tables. ES2017, no library. Text from the
// file gets into the document by textContent and fillText only. The build joins the scripts of this
// folder into one function (embed).

const ROW = 18, HEAD = 22, AXIS = 24, GAP = 2, DEEPEST = 12; // pixels, and a depth

// --- Data: texts of numbers, five bits a digit (page_number.h)

const digits = new Uint8Array(128);
Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_').forEach(
	(digit, value) => { digits[digit.charCodeAt(0)] = value; });

const names = [{kind: 'b', text: 'several names'}];
for (const item of document.querySelectorAll('#names li')) {
	const text = item.textContent;
	names.push({kind: text[0], text: text.slice(1)});
}

// Returns a function that returns the next number of a text, -1 after the last one.
function reader(text)
{
	const length = text.length;
	let at = 0;

	return () => {
		let value = 0, scale = 1, digit;
		if (at >= length)
			return -1;
		do {
			digit = digits[text.charCodeAt(at++) & 127];
			value += (digit & 31) * scale;
			scale *= 32;
		} while (digit > 31 && at < length);
		return value;
	};
}

// Events in the order of their starts; `depth` where they nest.
function readTrack(element)
{
	const text = element.textContent, next = reader(text);
	const most = Math.floor(text.length / 3);
	const name = new Uint32Array(most), start = new Float64Array(most);
	const end = new Float64Array(most), depth = new Uint8Array(most);
	const counts = new Map(), open = [];
	let number = 0, before = 0, deepest = 0, all = 0, word;

	while ((word = next()) >= 0) {
		name[number] = Math.floor(word / 2);
		before += next();
		start[number] = before;
		end[number] = before + next();
		if (word % 2)
			counts.set(number, next());
		all += counts.get(number) || 1;
		while (open.length && open[open.length - 1] <= before)
			open.pop();
		depth[number] = Math.min(open.length, DEEPEST);
		deepest = Math.max(deepest, depth[number]);
		open.push(end[number]);
		number++;
	}
	return {
		title: element.dataset.title, heading: element.dataset.heading, number, all,
		name: name.subarray(0, number), start: start.subarray(0, number),
		end: end.subarray(0, number), depth: depth.subarray(0, number), counts, deepest,
	};
}

// Memory in use: from each time on so many bytes.
function readMemory(element)
{
	const next = reader(element.textContent), start = [], bytes = [];
	let before = 0, by, peak = 0;

	while ((by = next()) >= 0) {
		before += by;
		start.push(before);
		bytes.push(next());
		peak = Math.max(peak, bytes[bytes.length - 1]);
	}
	return {
		title : element.dataset.title,
		heading : element.dataset.heading,
		number : start.length,
		start,
		end : start,
		bytes,
		peak,
	};
}

const lines =
	Array.from(document.querySelectorAll('script.track, script.memory'),
		   element => (element.className === 'memory' ? readMemory : readTrack)(element))
		.filter(line => line.number);
const tracks = lines.filter(line => !line.bytes);
let first = Infinity, last = -Infinity;
for (const track of lines) {
	first = Math.min(first, track.start[0]);
	for (let i = 0; i < track.number; i++)
		last = Math.max(last, track.end[i]);
}
if (!(last > first))
	last = first + 1;

// --- Words

function time(ns, digitsOf) {
	const size = Math.abs(ns);
	const [unit, by] = size < 1e3 ? ['ns', 1] : size < 1e6 ? ['us', 1e3] :
		size < 1e9 ? ['ms', 1e6] : ['s', 1e9];
	return Number((ns / by).toPrecision(digitsOf || 6)) + unit;
}

function size(bytes)
{
	const units = [ 'B', 'KB', 'MB', 'GB', 'TB', 'PB', 'EB' ];
	let unit = 0;

	for (; bytes >= 1024 && unit < 6; unit++)
		bytes /= 1024;
	return Number(bytes.toPrecision(5)) + units[unit];
}

function share(part, whole)
{
	return Number((100 * part / whole).toPrecision(3)) + '%';
}

function add(parent, tag, options) {
	return parent.appendChild(Object.assign(document.createElement(tag), options));
}

// --- Tables

const tables = Array.from(document.querySelectorAll('table[data-title]'));

function valueOf(row, column) {
	const cell = row.cells[column];
	return cell.tagName === 'TH'	      ? cell.textContent
	       : cell.dataset.v === undefined ? -Infinity
					      : Number(cell.dataset.v);
}

function sortBy(table, column) {
	const heads = table.tHead.rows[0].cells, head = heads[column];
	const isText = column === heads.length - 1;
	const order = head.getAttribute('aria-sort') || (isText ? 'descending' : 'ascending');
	const way = order === 'descending' ? 1 : -1;

	for (const other of heads)
		other.removeAttribute('aria-sort');
	head.setAttribute('aria-sort', way > 0 ? 'ascending' : 'descending');
	Array.from(table.tBodies[0].rows).map(row => ({row, value: valueOf(row, column)}))
		.sort((a, b) => way * (a.value < b.value ? -1 : a.value > b.value ? 1 : 0))
		.forEach(item => table.tBodies[0].appendChild(item.row));
}

for (const table of tables) {
	Array.from(table.tHead.rows[0].cells).forEach((head, column) => {
		const text = head.textContent;
		head.textContent = '';
		add(head, 'button', {textContent: text, type: 'button', title: 'Sort'})
			.addEventListener('click', () => sortBy(table, column));
	});
}

// --- The filter, for tables and timeline

const section = document.getElementById('timeline');
const bar = document.createElement('div');
bar.className = 'bar';
const place = section || document.getElementById('comparison');
place.parentNode.insertBefore(bar, place);
const filter = add(bar, 'input', {type: 'search', placeholder: 'Filter by name  ( / )'});
filter.setAttribute('aria-label', 'Filter by name');
const found = add(bar, 'span');
let wanted = null; // of each name, whether it matches; null: all

function applyFilter() {
	const word = filter.value.toLowerCase();
	let shown = 0, all = 0;

	for (const table of tables) {
		for (const row of table.tBodies[0].rows) {
			const name = row.cells[row.cells.length - 1].textContent;
			row.hidden = word !== '' && !name.toLowerCase().includes(word);
			shown += !row.hidden;
			all++;
		}
	}
	wanted = word === '' ? null : names.map(name => name.text.toLowerCase().includes(word));
	found.textContent = word === '' ? '' : shown + ' of ' + all + ' rows';
	redraw();
}

filter.addEventListener('input', applyFilter);
for (const table of tables) {
	for (const row of table.tBodies[0].rows)
		row.cells[row.cells.length - 1].classList.add('pick');
	table.tBodies[0].addEventListener('click', event => {
		const cell = event.target.closest('th');
		if (!cell || String(window.getSelection()))
			return;
		filter.value = filter.value === cell.textContent ? '' : cell.textContent;
		applyFilter();
	});
}

// --- Pictures

const dark = window.matchMedia('(prefers-color-scheme: dark)');
const checks = window.location.hash === '#selfcheck';

// Kernels and functions have a hue by their name, others one by their kind.
function colorOf(id) {
	const name = names[id], light = dark.matches ? 52 : 68;
	const fixed = {
		c : '150,45%,',
		f : '185,45%,',
		a : '215,14%,',
		r : '280,35%,',
		s : '0,30%,',
		w : '0,0%,',
		o : '0,0%,',
		b : '0,0%,'
	};
	let hash = 7;

	if (fixed[name.kind])
		return 'hsl(' + fixed[name.kind] + light + '%)';
	for (let i = 0; i < name.text.length; i++)
		hash = (hash * 31 + name.text.charCodeAt(i)) >>> 0;
	if (name.kind === 'h') // functions of the host
		return 'hsl(' + (20 + hash % 36) + ',75%,' + light + '%)';
	if (name.kind === 'g')
		return 'hsl(' + (205 + hash % 30) + ',65%,' + light + '%)';
	return 'hsl(' + (18 + hash % 12 * 9 + (hash % 3) * 90) % 360 + ',65%,' + light + '%)';
}

let colors = [], theme = {};
function readColors() {
	const style = window.getComputedStyle(document.documentElement);
	for (const name of ['back', 'text', 'faint', 'line', 'panel', 'accent'])
		theme[name] = style.getPropertyValue('--' + name).trim();
	colors = names.map((name, id) => colorOf(id));
}

// Gives the canvas this size in pixels of the page, and empties it.
function prepare(context, width, high)
{
	const canvas = context.canvas, ratio = window.devicePixelRatio || 1;

	canvas.width = Math.round(width * ratio);
	canvas.height = Math.round(high * ratio);
	canvas.style.width = width + 'px';
	canvas.style.height = high + 'px';
	context.setTransform(ratio, 0, 0, ratio, 0, 0);
	context.fillStyle = theme.back;
	context.fillRect(0, 0, width, high);
	context.font = '11px system-ui, sans-serif';
}

function drawText(context, text, x, y, room)
{
	const most = Math.floor(room / 6.2);

	if (text.length > most)
		text = most > 3 ? text.slice(0, most - 2) + '..' : '';
	context.fillText(text, x, y, room);
}
