/* The table of renderers. One row a format; of two with the same suffix the first is chosen by it. */
#include <string.h>
#include "lib/renderer.h"

extern const struct renderer renderer_terminal, renderer_text, renderer_csv, renderer_tsv, renderer_json, renderer_xlsx,
	renderer_markdown, renderer_mediawiki, renderer_dokuwiki, renderer_moinmoin, renderer_trac,
	renderer_jira, renderer_rst, renderer_asciidoc, renderer_org, renderer_latex, renderer_html;

const struct renderer *const renderers[] = {
	&renderer_terminal, &renderer_text, &renderer_csv, &renderer_tsv, &renderer_json, &renderer_xlsx,
	&renderer_markdown,
	&renderer_mediawiki, &renderer_dokuwiki, &renderer_moinmoin, &renderer_trac, &renderer_jira, &renderer_rst,
	&renderer_asciidoc, &renderer_org, &renderer_html, &renderer_latex,
	NULL
};

const struct renderer *renderer_find(const char *name)
{
	for (size_t i = 0; renderers[i]; i++)
		if (!strcmp(renderers[i]->name, name))
			return renderers[i];
	return NULL;
}

const struct renderer *renderer_for_file(const char *path)
{
	const char *name = strrchr(path, '/');
	const char *dot = strrchr(name ? name : path, '.');

	for (size_t i = 0; dot && renderers[i]; i++)
		if (renderers[i]->suffix && !g_ascii_strcasecmp(renderers[i]->suffix, dot))
			return renderers[i];
	return NULL;
}
