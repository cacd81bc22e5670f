#include "lib/html_page.h"

#include "lib/grid.h"

/* Figures have the colours of light pages as attributes, so that they stand alone; here these follow the page. */
static const char common_style[] =
	":root{color-scheme:light dark;--text:#1a1a1a;--page:#fff;--dim:#444;--line:#ddd;--rule:#888;--head:#eef1f4;--good:#d8f0d8;"
	"--bad:#f8dcdc;--warn:#fcf0c8;--bar:#0072b2;--link:#0550ae}\n"
	"@media screen and (prefers-color-scheme:dark){:root{--text:#e3e5e8;--page:#17191c;--dim:#a9b0b8;--line:#353a40;"
	"--rule:#6b737c;--head:#24282d;--good:#1d4326;--bad:#56262a;--warn:#4b3f14;--bar:#4aa8e0;--link:#79b8ff}}\n"
	"body{font:15px/1.45 system-ui,sans-serif;margin:2em auto;padding:0 1em;max-width:72em;color:var(--text);"
	"background:var(--page)}\n"
	"h1{font-size:1.5em}h2{font-size:1.15em;margin:2em 0 .3em;border-bottom:1px solid var(--line)}a{color:var(--link)}\n"
	"ul.facts{list-style:none;padding:0;margin:.3em 0;color:var(--dim)}.scroll{overflow-x:auto}\n"
	"table{border-collapse:collapse;margin:.6em 0}th,td{padding:.2em .7em;border-bottom:1px solid var(--line);text-align:left;"
	"vertical-align:top;max-width:40em}\n"
	"th{background:var(--head);border-bottom:1px solid var(--rule)}td.n,th.n{text-align:right;"
	"font-variant-numeric:tabular-nums;white-space:nowrap}\n"
	"th.g{text-align:center}td.best,td.better{background:var(--good)}td.worst,td.worse{background:var(--bad)}"
	"td.warn{background:var(--warn)}\n"
	"ul.notes{color:var(--dim);font-size:.93em;padding-left:1.2em}figure{margin:1em 0}"
	"figcaption{color:var(--dim);font-size:.93em}\n"
	"h1,h2,li,td,figcaption{overflow-wrap:break-word}\n"
	"svg{max-width:100%;height:auto}svg text{font:11px system-ui,sans-serif;fill:var(--dim)}svg g{fill:var(--bar)}"
	"svg [stroke=\"#ddd\"]{stroke:var(--line)}svg [stroke=\"#444\"]{stroke:var(--dim)}\n"
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

char *html_escape(const char *text)
{
	return grid_replace(text, map);
}

void html_begin(FILE *out, const char *title, const char *style)
{
	fprintf(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	        "<meta http-equiv=\"Content-Security-Policy\" content=\"" HTML_POLICY "\">\n"
	        "<meta name=\"viewport\" content=\"width=device-width\">\n<title>%s</title>\n<style>\n%s%s</style>\n</head>\n"
	        "<body>\n<h1>%s</h1>\n", title, common_style, style ? style : "", title);
}

void html_end(FILE *out)
{
	fputs("</body>\n</html>\n", out);
}
