/*
 * HTML: one self-contained page with tables and figures, without a script, and with a policy that forbids any, so that
 * nothing in an input can run or load anything.
 */
#include <math.h>
#include <string.h>
#include "lib/figure.h"
#include "lib/grid.h"
#include "lib/html_page.h"
#include "lib/renderer.h"

#define FIGURE_ROWS 120u
#define LEFT 84                 /* of a figure's axes, for names of counts; */
#define TOP 10
#define WIDTH 620
#define HEIGHT 180
#define BOTTOM 44               /* and below them, for names of values */
#define FIGURE_WIDTH (LEFT + WIDTH + 24)
#define FIGURE_HEIGHT (TOP + HEIGHT + BOTTOM)
#define NAME_HEIGHT 14
#define BAR_WIDTH 60.0          /* at most */
#define X_NAMES 9u              /* along the axis of values */
#define PLAIN_COUNTS 1e5        /* greater ones are powers of ten */

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
	g_autofree char *origin = grid_text(c->link, html_escape);
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

static double count_y(double count, double most)
{
	return TOP + HEIGHT * (1 - figure_fraction(count, most));
}

/* A line and a name at each power of ten, all of them in one form. */
static void put_count_axis(FILE *out, double most)
{
	unsigned power = 0;

	fprintf(out, "<text transform=\"translate(14 %d) rotate(-90)\" text-anchor=\"middle\">samples</text>\n", TOP + HEIGHT / 2);
	for (double n = 1; n <= most; n *= 10, power++) {
		double y = count_y(n, most);

		fprintf(out, "<path d=\"M%d %.1fh%d\" stroke=\"#ddd\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">",
		        LEFT - 5, y, WIDTH + 5, LEFT - 8, y + 4);
		if (most < PLAIN_COUNTS * 10)
			fprintf(out, "%.0f</text>\n", n);
		else
			fprintf(out, "10<tspan dy=\"-4\" font-size=\"8\">%u</tspan></text>\n", power);
	}
	/* The greatest count too, where there is room above the last power. */
	if (most < PLAIN_COUNTS * 10 && count_y(pow(10, power - 1.0), most) > TOP + NAME_HEIGHT)
		fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%.0f</text>\n", LEFT - 8, TOP + 4, most);
}

/* How many rows lie between names of values: 1, 2 or 5 times a power of ten. */
static guint name_step(guint rows)
{
	static const guint mantissa[] = { 1, 2, 5 };

	for (guint power = 1;; power *= 10)
		for (guint i = 0; i < G_N_ELEMENTS(mantissa); i++)
			if (rows / (power * mantissa[i]) < X_NAMES)
				return power * mantissa[i];
}

static double bar_width(const GArray *rows)
{
	return MIN((double)WIDTH / rows->len, BAR_WIDTH);
}

static void put_name(FILE *out, double x, struct number n)
{
	char text[NUMBER_TEXT];

	fprintf(out, "<path d=\"M%.2f %dv5\" stroke=\"#444\"/><text x=\"%.2f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
	        x, TOP + HEIGHT, x, TOP + HEIGHT + 18, number_print(n, text));
}

/* Names at the edges of bars whose values are multiples of a round step. */
static void put_value_axis(FILE *out, const struct figure *f, const GArray *rows)
{
	g_autofree char *quantity = grid_text(f->quantity, html_escape);
	g_autofree char *unit = grid_text(f->unit, html_escape);
	const struct figure_row *first = &g_array_index(rows, struct figure_row, 0);
	double width = bar_width(rows), row_width = number_to_double(number_sub(first->upper, first->lower));
	int64_t base = llround(number_to_double(first->lower) / row_width);
	guint every = name_step(rows->len);

	for (guint i = 0; i <= rows->len; i++) {
		const struct figure_row *r = &g_array_index(rows, struct figure_row, MIN(i, rows->len - 1));

		if ((base + i) % every == 0)
			put_name(out, LEFT + width * i, i < rows->len ? r->lower : r->upper);
	}
	fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s%s%s%s</text>\n", LEFT + WIDTH / 2, FIGURE_HEIGHT - 6,
	        quantity, *unit ? " [" : "", unit, *unit ? "]" : "");
}

static void put_bars(FILE *out, const GArray *rows)
{
	double width = bar_width(rows);
	double gap = MIN(1, width / 8);

	for (guint i = 0; i < rows->len; i++) {
		double height = HEIGHT * g_array_index(rows, struct figure_row, i).fraction;

		if (height > 0)
			fprintf(out, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"/>\n",
			        LEFT + width * i + gap / 2, TOP + HEIGHT - height, width - gap, height);
	}
}

static void put_outside(FILE *out, const char *where, struct number n)
{
	char text[NUMBER_TEXT];

	if (number_is_set(n) && n.coefficient)
		fprintf(out, ", %s %s the bins", number_print(n, text), where);
}

/* "thread 0: 500 samples in bins of 1 us, 79 above the bins". */
static void put_caption(FILE *out, const struct figure *f, const char *title, const GArray *rows)
{
	const struct figure_row *first = &g_array_index(rows, struct figure_row, 0);
	g_autofree char *unit = grid_text(f->unit, html_escape);
	char total[NUMBER_TEXT], width[NUMBER_TEXT];

	number_print(figure_total(f), total);
	fprintf(out, "<figcaption>%s%s%s sample%s in steps of %s%s%s", title, *title ? ": " : "", total, strcmp(total, "1") ? "s" : "",
	        number_print(number_sub(first->upper, first->lower), width), *unit ? " " : "", unit);
	put_outside(out, "below", f->underflow);
	put_outside(out, "above", f->overflow);
	fputs("; counts on a logarithmic axis</figcaption>", out);
}

static void put_figure(FILE *out, const struct figure *f)
{
	g_autoptr(GArray) rows = figure_rows(f, FIGURE_ROWS);
	g_autofree char *title = grid_text(f->title, html_escape);
	double most = 0;

	if (!rows)
		return;
	for (guint i = 0; i < rows->len; i++)
		most = MAX(most, number_to_double(g_array_index(rows, struct figure_row, i).count));
	fprintf(out, "<figure><svg role=\"img\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\"><title>Histogram%s%s</title>\n",
	        FIGURE_WIDTH, FIGURE_HEIGHT, FIGURE_WIDTH, FIGURE_HEIGHT, *title ? ": " : "", title);
	put_count_axis(out, most);
	fputs("<g fill=\"#0072b2\">\n", out);
	put_bars(out, rows);
	fprintf(out, "</g><path d=\"M%d %dV%dH%d\" stroke=\"#444\" fill=\"none\"/>\n", LEFT, TOP, TOP + HEIGHT, LEFT + WIDTH);
	put_value_axis(out, f, rows);
	fputs("</svg>\n", out);
	put_caption(out, f, title, rows);
	fputs("</figure>\n", out);
}

static void put_table(FILE *out, const struct table *t, guint number)
{
	struct grid *g = grid_new(t, html_escape, false);

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
	g_autofree char *title = grid_text(d->title && *d->title ? d->title : "Latency results", html_escape);

	(void)o;
	html_begin(out, title, NULL);
	for (guint i = 0; i < d->tables->len; i++)
		put_table(out, d->tables->pdata[i], i + 1);
	html_end(out);
	return ferror(out) ? -1 : 0;
}

const struct renderer renderer_html = {
	.name = "html", .suffix = ".html", .summary = "a self-contained HTML page with figures, no script",
	.media = "text/html",
	.write = write_html,
};
