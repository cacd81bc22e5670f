/*
 * HTML: one self-contained page with tables and figures, without a script, and with a policy that forbids any, so that
 * nothing in an input can run or load anything.
 */
#include <math.h>
#include <string.h>
#include "lib/figure.h"
#include "lib/grid.h"
#include "lib/renderer.h"

#define FIGURE_ROWS 120u
#define LEFT 72
#define TOP 10
#define WIDTH 560
#define HEIGHT 160

static const char style[] =
	"body{font:15px/1.45 system-ui,sans-serif;margin:2em auto;padding:0 1em;max-width:72em;color:#1a1a1a;background:#fff}\n"
	"h1{font-size:1.5em}h2{font-size:1.15em;margin:2em 0 .3em;border-bottom:1px solid #ccc}\n"
	"ul.facts{list-style:none;padding:0;margin:.3em 0;color:#444}.scroll{overflow-x:auto}\n"
	"table{border-collapse:collapse;margin:.6em 0}th,td{padding:.2em .7em;border-bottom:1px solid #ddd;text-align:left;"
	"vertical-align:top}\n"
	"th{background:#eef1f4;border-bottom:1px solid #888}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;"
	"white-space:nowrap}\n"
	"th.g{text-align:center}td.best,td.better{background:#d8f0d8}td.worst,td.worse{background:#f8dcdc}"
	"td.warn{background:#fcf0c8}\n"
	"ul.notes{color:#444;font-size:.93em;padding-left:1.2em}figure{margin:1em 0}figcaption{color:#444;font-size:.93em}\n"
	"svg{max-width:100%;height:auto}svg text{font:11px system-ui,sans-serif;fill:#444}\n"
	"@media print{body{margin:0;max-width:none}h2{break-after:avoid}table,figure{break-inside:avoid}}\n";

static const char *map(char c)
{
	switch (c) {
	case '&': return "&amp;";
	case '<': return "&lt;";
	case '>': return "&gt;";
	case '"': return "&quot;";
	case '\'': return "&#39;";
	default: return NULL;
	}
}

static char *escape(const char *text)
{
	return grid_replace(text, map);
}

static const char *mark_class(enum cell_mark mark)
{
	static const char *const names[] = {
		[MARK_NONE] = "", [MARK_BEST] = "best", [MARK_WORST] = "worst", [MARK_BETTER] = "better",
		[MARK_WORSE] = "worse", [MARK_WARN] = "warn",
	};

	return names[mark];
}

static void put_class(FILE *out, bool right, enum cell_mark mark)
{
	if (right || mark != MARK_NONE)
		fprintf(out, " class=\"%s%s%s\"", right ? "n" : "", right && mark != MARK_NONE ? " " : "", mark_class(mark));
}

/* Only addresses of the web become links; any other origin is shown when the pointer rests on the cell. */
static void put_cell(FILE *out, const struct grid *g, const struct cell *c, unsigned r, unsigned i)
{
	g_autofree char *origin = grid_text(c->link, escape);
	bool web = g_str_has_prefix(origin, "https://") || g_str_has_prefix(origin, "http://");

	fputs("<td", out);
	put_class(out, g->right[i], c->mark);
	if (*origin && !web)
		fprintf(out, " title=\"%s\"", origin);
	fputc('>', out);
	if (web)
		fprintf(out, "<a href=\"%s\" rel=\"noopener noreferrer\">%s</a>", origin, g->cell[r][i]);
	else
		fputs(g->cell[r][i], out);
	fputs("</td>", out);
}

static void put_headings(FILE *out, const struct grid *g)
{
	fputs("<thead>\n", out);
	if (g->grouped) {
		fputs("<tr>", out);
		for (unsigned i = 0, span = 1; i < g->columns; i += span) {
			span = grid_span(g, i);
			fprintf(out, "<th class=\"g\" colspan=\"%u\">%s</th>", span, g->group[i]);
		}
		fputs("</tr>\n", out);
	}
	fputs("<tr>", out);
	for (unsigned i = 0; i < g->columns; i++) {
		fputs("<th", out);
		put_class(out, g->right[i], MARK_NONE);
		fprintf(out, " scope=\"col\">%s</th>", g->heading[i]);
	}
	fputs("</tr>\n</thead>\n", out);
}

static void put_rows(FILE *out, const struct grid *g)
{
	fputs("<div class=\"scroll\"><table>\n", out);
	put_headings(out, g);
	fputs("<tbody>\n", out);
	for (unsigned r = 0; r < g->rows; r++) {
		const struct cell *row = g->table->rows->pdata[r];

		fputs("<tr>", out);
		for (unsigned i = 0; i < g->columns; i++)
			put_cell(out, g, &row[i], r, i);
		fputs("</tr>\n", out);
	}
	fputs("</tbody>\n</table></div>\n", out);
}

static void put_list(FILE *out, char *const *lines, const char *class)
{
	if (!*lines)
		return;
	fprintf(out, "<ul class=\"%s\">\n", class);
	for (; *lines; lines++)
		fprintf(out, "<li>%s</li>\n", *lines);
	fputs("</ul>\n", out);
}

/* Lines at each power of ten of the count axis; bars end at log(count + 1) / log(most + 1). */
static void put_count_axis(FILE *out, double most)
{
	for (double n = 1; n <= most; n *= 10) {
		double y = TOP + HEIGHT * (1 - log(n + 1) / log(most + 1));

		fprintf(out, "<path d=\"M%d %.1fH%d\" stroke=\"#ddd\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.0f</text>\n",
		        LEFT, y, LEFT + WIDTH, LEFT - 6, y + 4, n);
	}
}

static void put_bars(FILE *out, const GArray *rows)
{
	double step = (double)WIDTH / rows->len;
	guint every = MAX(1, rows->len / 8);
	char text[NUMBER_TEXT];

	for (guint i = 0; i < rows->len; i++) {
		const struct figure_row *r = &g_array_index(rows, struct figure_row, i);
		double height = HEIGHT * r->fraction, x = LEFT + step * i;

		if (height > 0)
			fprintf(out, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"/>\n", x, TOP + HEIGHT - height,
			        step * 0.9, height);
		if (i % every == 0)
			fprintf(out, "<text x=\"%.2f\" y=\"%d\">%s</text>\n", x, TOP + HEIGHT + 15,
			        number_print(r->lower, text));
	}
}

static void put_outside(FILE *out, const char *where, struct number n)
{
	char text[NUMBER_TEXT];

	if (number_is_set(n) && n.coefficient)
		fprintf(out, "; %s the bins: %s", where, number_print(n, text));
}

static void put_figure(FILE *out, const struct figure *f)
{
	g_autoptr(GArray) rows = figure_rows(f, FIGURE_ROWS);
	g_autofree char *title = grid_text(f->title, escape);
	g_autofree char *unit = grid_text(f->unit, escape);
	double most = 0;
	char text[NUMBER_TEXT];

	if (!rows)
		return;
	for (guint i = 0; i < rows->len; i++)
		most = MAX(most, number_to_double(g_array_index(rows, struct figure_row, i).count));
	fprintf(out, "<figure><svg role=\"img\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\"><title>Histogram%s%s</title>\n",
	        LEFT + WIDTH + 10, TOP + HEIGHT + 24, LEFT + WIDTH + 10, TOP + HEIGHT + 24, *title ? ": " : "", title);
	put_count_axis(out, most);
	fputs("<g fill=\"#2060a0\">", out);
	put_bars(out, rows);
	fprintf(out, "</g><path d=\"M%d %dV%dH%d\" stroke=\"#444\" fill=\"none\"/></svg>\n", LEFT, TOP, TOP + HEIGHT, LEFT + WIDTH);
	fprintf(out, "<figcaption>%s%sHistogram%s%s%s, count on a logarithmic axis, %s samples", title, *title ? ": " : "",
	        *unit ? " [" : "", unit, *unit ? "]" : "", number_print(figure_total(f), text));
	put_outside(out, "below", f->underflow);
	put_outside(out, "above", f->overflow);
	fputs("</figcaption></figure>\n", out);
}

static void put_table(FILE *out, const struct table *t, guint number)
{
	struct grid *g = grid_new(t, escape, false);

	fprintf(out, "<section id=\"table-%u\">\n", number);
	if (g->title)
		fprintf(out, "<h2>%s</h2>\n", g->title);
	put_list(out, g->before, "facts");
	if (g->columns)
		put_rows(out, g);
	put_list(out, g->notes, "notes");
	for (guint i = 0; i < t->figures->len; i++)
		put_figure(out, t->figures->pdata[i]);
	fputs("</section>\n", out);
	grid_free(g);
}

static int write_html(const struct document *d, const struct render_options *o, FILE *out)
{
	g_autofree char *title = grid_text(d->title && *d->title ? d->title : "Latency results", escape);

	(void)o;
	fprintf(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
	        "<meta name=\"viewport\" content=\"width=device-width\">\n<title>%s</title>\n<style>\n%s</style>\n</head>\n<body>\n"
	        "<h1>%s</h1>\n", title, style, title);
	for (guint i = 0; i < d->tables->len; i++)
		put_table(out, d->tables->pdata[i], i + 1);
	fputs("</body>\n</html>\n", out);
	return ferror(out) ? -1 : 0;
}

const struct renderer renderer_html = {
	.name = "html", .suffix = ".html", .summary = "a self-contained HTML page with figures, no script",
	.write = write_html,
};
