/* SPDX-License-Identifier: MIT */
/* A flame graph as one SVG file, which includes its script: a click zooms; Ctrl-F or the word
 * "Search" finds functions by a regular expression. The outermost functions are on top, because a
 * browser shows the top of a tall picture first. */
#include <inttypes.h>
#include <string.h>

#include "view/format/xmltext.h"
#include "view/stacks/boxes.h"
#include "view/stacks/flameview.h"
#include "view/view.h"

enum {
	WIDTH = 1200,  /* of the graph, in pixels */
	ROW = 17,      /* height of a function */
	TOP = 50,      /* space above the functions, with the title and the name of the function
			  under the mouse */
	BOTTOM = 10,   /* and below them */
	HIDDEN = 4000, /* a function with less than 1/HIDDEN of the time is left out */
};

/* Pixels of a letter of 12px monospace: 7.2 in most fonts. The script has the same number. */
static const double letter = 7.3;

struct drawing {
	const struct flame *flame;
	struct boxes boxes;
	uint32_t depth; /* rows */
};

static const char script[] =
	"var boxes=[],found,zoomed;\n"
	"function init(){\n"
	" document.querySelectorAll('g.f').forEach(function(g){\n"
	"  boxes.push({g:g,r:g.querySelector('rect'),t:g.querySelector('text'),\n"
	"   x:+g.getAttribute('data-x'),w:+g.getAttribute('data-w'),\n"
	"   n:g.getAttribute('data-n')});});\n"
	" boxes.forEach(function(b){b.g.addEventListener('click',function(){zoom(b);});\n"
	"  b.g.addEventListener('mouseover',function(){\n"
	"   document.getElementById('info').textContent=b.g.querySelector('title').textContent;"
	"});});\n"
	" document.getElementById('reset').addEventListener('click',function(){zoom(null);});\n"
	" document.getElementById('search').addEventListener('click',search);\n"
	" window.addEventListener('keydown',function(e){\n"
	"  if(e.key==='F3'||(e.ctrlKey&&e.key==='f')){e.preventDefault();search();}});\n"
	"}\n"
	"function zoom(b){\n"
	" var all=+document.documentElement.getAttribute('data-total');\n"
	" var x=b?b.x:0,w=b?b.w:all;\n"
	" zoomed=b;\n"
	" document.getElementById('reset').style.display=b?'':'none';\n"
	" boxes.forEach(function(o){\n"
	"  var from=Math.max(o.x,x),to=Math.min(o.x+o.w,x+w),width=(to-from)/w*1200;\n"
	"  o.g.style.display=width>0?'':'none';\n"
	"  if(width<=0)return;\n"
	"  o.g.style.opacity=b&&o.w>w?0.5:1;\n"
	"  o.r.setAttribute('x',(from-x)/w*1200);\n"
	"  o.r.setAttribute('width',width);\n"
	"  o.t.setAttribute('x',(from-x)/w*1200+3);\n"
	"  var room=Math.floor((width-6)/7.3);\n"
	"  o.t.textContent=room<3?'':o.n.length<=room?o.n:o.n.slice(0,room-2)+'..';\n"
	" });\n"
	"}\n"
	"function search(){\n"
	" var word=found?null:window.prompt('Regular expression:',''),sum=0,end=0;\n"
	" try{found=word?new RegExp(word):null;}catch(e){window.alert(e.message);return;}\n"
	" boxes.slice().sort(function(a,b){return a.x-b.x||b.w-a.w;}).forEach(function(b){\n"
	"  var hit=found&&found.test(b.n);\n"
	"  b.r.classList.toggle('hit',!!hit);\n"
	"  if(hit&&b.x>=end){sum+=b.w;end=b.x+b.w;}});\n"
	" document.getElementById('search').textContent=found?'Clear':'Search';\n"
	" document.getElementById('info').textContent=found?'Matched: '+\n"
	"  (100*sum/document.documentElement.getAttribute('data-total')).toFixed(2)+'%':'';\n"
	"}\n";

static const char *name_of(const struct drawing *drawing, uint32_t function, size_t *length)
{
	return names_text(drawing->flame->names,
			  flame_function(drawing->flame, function)->name, length);
}

static bool is_hidden(const struct drawing *drawing, const struct box *box)
{
	return box->total < drawing->boxes.total / HIDDEN || !box->total;
}

static uint32_t find_depth(const struct drawing *drawing)
{
	uint32_t depth = 0;

	for (uint32_t i = 0; i < drawing->boxes.count; i++) {
		const struct box *box = &drawing->boxes.list[i];

		if (!is_hidden(drawing, box) && box->depth >= depth)
			depth = box->depth + 1;
	}
	return depth;
}

/* Kernels and copies are blue, waits grey, functions orange to yellow, by a hash of the name. */
static void put_color(struct strbuf *to, const char *name, size_t length)
{
	unsigned int hash = 0;

	for (size_t i = 0; i < length; i++)
		hash = hash * 31 + (unsigned char)name[i];
	hash %= 50;
	if (!strncmp(name, "[GPU_", 5))
		strbuf_printf(to, "rgb(%u,%u,230)", 90 + hash, 140 + hash);
	else if (!strncmp(name, "[CPU_wait]", 10))
		strbuf_printf(to, "rgb(%u,%u,%u)", 170 + hash, 170 + hash, 170 + hash);
	else
		strbuf_printf(to, "rgb(%u,%u,%u)", 205 + hash, 90 + 3 * hash, hash);
}

static void put_label(struct strbuf *to, const char *name, size_t length, double width)
{
	size_t room = width > 6 ? (size_t)((width - 6) / letter) : 0;

	if (room < 3)
		return;
	if (length <= room) {
		xml_put(to, name, length);
		return;
	}
	for (length = room - 2; length && ((unsigned char)name[length] & 0xc0) == 0x80; length--)
		;
	xml_put(to, name, length);
	strbuf_string(to, "..");
}

static void put_box(struct strbuf *to, const struct drawing *drawing, uint32_t function)
{
	const struct box *box = &drawing->boxes.list[function];
	double scale = (double)WIDTH / (double)drawing->boxes.total;
	double x = (double)box->start * scale, width = (double)box->total * scale;
	uint32_t y = TOP + box->depth * ROW;
	size_t length;
	const char *name = name_of(drawing, function, &length);

	strbuf_printf(to, "<g class=\"f\" data-x=\"%" PRIu64 "\" data-w=\"%" PRIu64 "\" data-n=\"",
		      box->start, box->total);
	xml_put(to, name, length);
	strbuf_string(to, "\"><title>");
	xml_put(to, name, length);
	strbuf_printf(to, " (%.3f ms, %.2f%%)</title>", (double)box->total / 1e6,
		      100.0 * (double)box->total / (double)drawing->boxes.total);
	strbuf_printf(to, "<rect x=\"%.2f\" y=\"%u\" width=\"%.2f\" height=\"%d\" fill=\"", x, y,
		      width, ROW - 1);
	put_color(to, name, length);
	strbuf_printf(to, "\"/><text x=\"%.2f\" y=\"%u\">", x + 3, y + ROW - 5);
	put_label(to, name, length, width);
	strbuf_string(to, "</text></g>\n");
}

static void put_head(struct strbuf *to, const struct drawing *drawing)
{
	unsigned int height = TOP + drawing->depth * ROW + BOTTOM;

	strbuf_printf(to,
		      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		      "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"%d\" "
		      "height=\"%u\" viewBox=\"0 0 %d %u\" data-total=\"%" PRIu64
		      "\" onload=\"init()\">\n",
		      WIDTH, height, WIDTH, height, drawing->boxes.total);
	strbuf_string(to, "<style>text{font:12px monospace;fill:#000}.f{cursor:pointer}"
			  ".f rect{stroke:#fff;stroke-width:.5}"
			  ".f text{pointer-events:none}rect.hit{fill:#e0e}"
			  ".f:hover rect{stroke:#000}#reset,#search{cursor:pointer}</style>\n"
			  "<script><![CDATA[\n");
	strbuf_string(to, script);
	strbuf_printf(to,
		      "]]></script>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n"
		      "<text x=\"10\" y=\"24\" id=\"reset\" style=\"display:none\">Reset zoom"
		      "</text>\n<text x=\"%d\" y=\"24\" text-anchor=\"middle\">Time on the GPU and "
		      "CPU by call stacks</text>\n"
		      "<text x=\"%d\" y=\"24\" id=\"search\">Search</text>\n"
		      "<text x=\"10\" y=\"%d\" id=\"info\"></text>\n",
		      WIDTH / 2, WIDTH - 70, TOP - 9);
}

static void draw(struct drawing *drawing, struct sink *sink)
{
	put_head(&sink->text, drawing);
	for (uint32_t i = 0; i < drawing->boxes.count; i++) {
		uint32_t function = drawing->boxes.order[i];

		if (is_hidden(drawing, &drawing->boxes.list[function]))
			continue;
		put_box(&sink->text, drawing, function);
		if (sink_flow(sink))
			break;
	}
	strbuf_string(&sink->text, "</svg>\n");
}

static int put_drawing(struct sink *sink, const struct flame *flame, const struct folded *folded)
{
	struct drawing drawing = {.flame = flame};
	int result = boxes_make(&drawing.boxes, flame, folded);

	if (!result) {
		boxes_place(&drawing.boxes, flame);
		drawing.depth = find_depth(&drawing);
		draw(&drawing, sink);
	}
	boxes_free(&drawing.boxes);
	return result;
}

static int write_svg(const char *path, struct stream *stream, struct strbuf *error)
{
	return flameview_write(path, stream, false, put_drawing, error);
}

const struct view view_svg = {
	.extension = ".svg",
	.help = "a flame graph of the call stacks, for a browser",
	.without_starts = true,
	.of_stacks = true,
	.has = KEPT_STACKS | KEPT_SAMPLES,
	.holds_several = true,
	.write = write_svg,
};
