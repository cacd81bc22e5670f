"""Strict readers of the markup that rtreport writes and no library here reads: Trac and MoinMoin; and of AsciiDoc, which
Asciidoctor turns into HTML. Written from the wikis' pages on their syntax, not from formats/*.c.

Each gives (tables, lines, markup): tables as (headings, rows) of plain texts, the other lines (titles, lists) as plain texts, and
what the wiki would have taken for markup: links, macros, emphasis, cells that span columns. A document that is no table where it
should be one raises ValueError.
"""
import html.parser
import re
import subprocess

QUOTED = r'\{\{\{(?P<quoted>.*?)\}\}\}'            # both wikis show it as it stands


def camel_case(text):
    """The first word of two humps or more: a link to a page."""
    for m in re.finditer(r'[^\W_]+', text):
        humps = re.findall('Ul+', ''.join('U' if c.isupper() else 'l' if c.islower() else '-' for c in m.group()))
        if len(humps) > 1:
            return m.group()
    return None


class Inline:
    """Plain text of a line of a wiki, and what acts in it."""

    def __init__(self, acting, markup):
        self.acting = re.compile('|'.join([QUOTED] + acting))
        self.markup = markup

    def text(self, line):
        out, at = [], 0
        for m in self.acting.finditer(line):
            self.plain(line[at:m.start()])
            out.append(line[at:m.start()])
            if m.group('quoted') is None:
                self.markup.append(m.group())
            out.append(m.group('quoted') if m.group('quoted') is not None else m.group())
            at = m.end()
        self.plain(line[at:])
        return ''.join(out + [line[at:]])

    def plain(self, text):
        word = camel_case(text)
        if word:
            self.markup.append('link to page ' + word)


# WikiFormatting, TracLinks, WikiMacros: styles, line breaks, links of all kinds, mail addresses, macros
TRAC = [r"'''''", r"'''", r"''", r'\*\*', r'//', r'__', r'~~', r',,', r'\^', r'`.*?`', r'\\\\', r'!(?=\S)', r'\[\[.+?\]\]',
        r'\[(?:[/?#.]|[A-Za-z][\w.+-]*:)[^\]]*\]', r'\[=#', r'\[[rT]?\d+(?:/[^\]]*)?\]', r'\{\d+(?: [^}]*)?\}',
        r'(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+', r'<[A-Za-z][\w.+-]*:[^>]+>',
        r'(?<![\w.+-])[A-Za-z][\w.+-]*:["\'\w/?!#@]', r'(?<!\w)#[A-Za-z]?\d+',
        r'(?<!\w)r\d+(?!\w)', r'[&<>]', r'\|-']

# HelpOnMoinWikiSyntax, HelpOnSmileys: the same, and sub- and superscripts, small and big, strikes, remarks, entities, rules
SMILEYS = ['X-(', ':D', '<:(', ':o', ':(', ':)', 'B)', ':))', ';)', '/!\\', '<!>', '(!)', ':-?', ':\\', '>:>', '|)', ':-(', ':-)',
           'B-)', ':-))', ';-)', '|-)', '(./)', '{OK}', '{X}', '{i}', '{1}', '{2}', '{3}', '{*}', '{o}']
MOIN = [r"'{2,5}", r'__', r'~-', r'-~', r'~\+', r'\+~', r'--\(', r'\)--', r'/\*', r'\*/', r'\^.*?\^', r',,[^,]{1,40},,', r'`.*?`',
        r'(?<![a-zA-Z])[A-Z][a-zA-Z]+:(?=\S)[^\s\'":<|]', r'\[\[.+?\]\]', r'\{\{.+?\}\}',
        r'(?<!\w)(?:https?|ftp|nntp|news|mailto|telnet|wiki|file|irc):\S',
        r'(?<![-\w.+])[-\w.+]+@[\w-]+(?:\.[\w-]+)+',
        r'(?:(?<=\s)|^)(?:%s)(?=\s)' % '|'.join(map(re.escape, SMILEYS)), r'<<\w+', r'-{4,}',
        r'&(?:[A-Za-z]+|#\d+|#x[0-9A-Fa-f]+);']


def row_cells(line, inline):
    """The texts between the bars; none of them may be inside a quotation."""
    cells, at = [], 2
    for m in re.finditer(r'\{\{\{.*?\}\}\}|(?P<bar>\|\|+)', line):
        if not m.group('bar') or m.start() == 0:
            if m.start() == 0 and m.group() != '||':
                inline.markup.append('cells joined by ' + m.group())
            continue
        if m.group('bar') != '||':
            inline.markup.append('cells joined by ' + m.group('bar'))
        cells.append(line[at:m.start()])
        at = m.end()
    if line[at:].strip():
        raise ValueError('behind the last cell: %r' % line[at:][:80])
    return cells


def read_wiki(text, inline, cell, heading):
    """tables, lines. cell(text) gives (plain text, whether it is a heading)."""
    tables, lines, rows = [], [], None
    for line in text.split('\n'):
        if line.startswith('||'):
            cells = [cell(c) for c in row_cells(line, inline)]
            if rows is None:
                if not all(is_head for _, is_head in cells):
                    raise ValueError('no headings: %r' % line[:80])
                rows = []
                tables.append(([t for t, _ in cells], rows))
            elif any(is_head for _, is_head in cells):
                raise ValueError('a heading among the cells: %r' % line[:80])
            elif len(cells) != len(tables[-1][0]):
                raise ValueError('%d cells below %d headings: %r' % (len(cells), len(tables[-1][0]), line[:80]))
            else:
                rows.append([t for t, _ in cells])
            continue
        rows = None
        if not line:
            continue
        m = re.fullmatch(r'(=+) (.*) \1', line)
        if m:
            lines.append(heading(m.group(2)))
        elif line.startswith(' * '):
            if re.match(r' +(?:(?!\{\{\{).)*?::\s', line):
                inline.markup.append('definition: ' + line[:60])
            lines.append(inline.text(line[3:]))
        else:
            raise ValueError('neither table nor heading nor list: %r' % line[:80])
    return tables, lines


def read_trac(text):
    markup = []
    inline = Inline(TRAC, markup)

    def cell(raw):
        m = re.fullmatch(r'=(.*)=', raw)
        if not m and (raw.startswith('=') or raw.endswith('=')):
            raise ValueError('half a heading: %r' % raw[:80])
        return inline.text(m.group(1) if m else raw).strip(), bool(m)

    return read_wiki(text, inline, cell, inline.text) + (markup,)


def read_moinmoin(text):
    markup = []
    inline = Inline(MOIN, markup)

    def cell(raw):
        raw = re.sub(r'^<\)>', '', raw)
        if re.match('<(?!<)[^>]*>', raw):
            raise ValueError('taken for attributes: %r' % raw[:80])
        m = re.fullmatch(r"\s*'''(.*)'''\s*", raw)
        return inline.text(m.group(1) if m else raw).strip(), bool(m)

    # A definition is searched for before lists, also in what is quoted.
    for line in text.split('\n'):
        if re.match(r'\s+.*?::\s', line):
            markup.append('definition: ' + line[:60])
    return read_wiki(text, inline, cell, lambda title: title) + (markup,)


class Page(html.parser.HTMLParser):
    """Tables and other texts of the HTML that Asciidoctor makes."""
    PLAIN = {'table', 'colgroup', 'col', 'thead', 'tbody', 'tr', 'th', 'td', 'p', 'div', 'ul', 'li', 'h1', 'h2', 'h3'}

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.tables, self.lines, self.markup = [], [], []
        self.text = None

    def handle_starttag(self, tag, attrs):
        if tag not in self.PLAIN or any(n.startswith('on') or n in ('href', 'src', 'style') and tag != 'col' for n, _ in attrs):
            self.markup.append(self.get_starttag_text()[:80])
        if tag == 'table':
            self.tables.append(([], []))
        elif tag == 'tr':
            self.tables[-1][1].append([])
        elif tag in ('td', 'th', 'li', 'h1', 'h2', 'h3'):
            if dict(attrs).get('colspan') or dict(attrs).get('rowspan'):
                self.markup.append('a cell of several')
            self.text = ''

    def handle_endtag(self, tag):
        if tag in ('td', 'th'):
            self.tables[-1][1][-1].append(self.text.strip())
            self.text = None
        elif tag in ('li', 'h1', 'h2', 'h3'):
            self.lines.append(self.text.strip())
            self.text = None

    def handle_data(self, data):
        if self.text is not None:
            self.text += data
        elif data.strip():
            raise ValueError('outside of tables, lists and headings: %r' % data.strip()[:80])


def read_asciidoc(text):
    p = subprocess.run(['asciidoctor', '-S', 'secure', '-s', '-a', 'showtitle', '-o', '-', '-'], input=text.encode('utf-8'),
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600)
    if p.returncode or p.stderr.strip():
        raise ValueError('asciidoctor: ' + p.stderr.decode('utf-8', 'replace')[:500])
    page = Page()
    page.feed(p.stdout.decode('utf-8'))
    page.close()
    return [(rows[0], rows[1:]) for _, rows in page.tables], page.lines, page.markup
