#!/usr/bin/env python3
"""Reads every output format back with independent readers and compares it with the records. TAP.

CSV and TSV by Python's csv, XLSX by openpyxl, AsciiDoc by Asciidoctor, Trac and MoinMoin by the readers of tests/wiki_readers.py, all
other markup by pandoc, each cell of each table; expectations are computed here, from the JSON that `rtreport parse` writes, by Python's
decimal numbers.
"""
import csv
import glob
import html
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unicodedata
import zipfile
from decimal import Decimal

import wiki_readers

from tap import end, skip, test

PROGRAM = shlex.split(os.environ['RTREPORT'])
VALUES = ('min', 'avg', 'max', 'last', 'stddev', 'mdev', 'value')
COUNTS = ('count', 'overruns', 'mode_switches')
LATENCY_UNITS = ('ns', 'us', 'ms')       # seconds stay seconds: elapsed times
TIMES = {'ns': -9, 'us': -6, 'ms': -3, 's': 0}
csv.field_size_limit(1 << 30)
sys.setrecursionlimit(100000)


def run(*args, stdin=b'', env=None):
    p = subprocess.run(PROGRAM + list(args), input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300,
                       env=dict(os.environ, **(env or {})))
    assert p.returncode == 0, '%s: exit status %d: %s' % (args[:4], p.returncode, p.stderr.decode('utf-8', 'replace')[-800:])
    return p.stdout


def load(text):
    return json.loads(text, parse_float=Decimal, parse_int=Decimal)


# What a text must look like in any output: one line without anything that acts. Written from the rule, not from the program.

def plain(text):
    out = ''
    for c in text or '':
        if c in ' \t\n\v\f\r\x85\xa0\u2028\u2029':
            out += ' '
        elif unicodedata.category(c) == 'Cc' or c in '\u061c\u200b\u200e\u200f\ufeff\ufff9\ufffa\ufffb\ufffe\uffff' or \
                0x202a <= ord(c) <= 0x202e or 0x2060 <= ord(c) <= 0x206f or 0xe0000 <= ord(c) <= 0xe007f:
            out += '<U+%04X>' % ord(c)
        else:
            out += c
    return re.sub(' +', ' ', out).strip(' ')


def guarded(text):
    """As CSV has it: what a spreadsheet would run begins with an apostrophe."""
    text = plain(text)
    bare = text.lstrip("'")
    number = re.fullmatch(r'[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?', bare)
    return "'" + text if bare[:1] in tuple('=+-@\uff1d\uff0b\uff0d\uff20') and not number else text


def scaled(value, unit, to='us'):
    return value if value is None else value.scaleb(TIMES[unit] - TIMES[to])


def is_time(series):
    return series.get('unit') in LATENCY_UNITS


def rows_of(records):
    return [(r, s) for r in records for s in r['series']]


def same(got, want, where):
    if want is None:
        assert got in (None, ''), '%s: %r where nothing was read' % (where, got)
    else:
        assert got not in (None, '') and Decimal(str(got)) == want, '%s: %r instead of %s' % (where, got, want)


# CSV, TSV

def check_long_row(row, r, s, text):
    where = '%s %s' % (r['id'], s.get('name'))
    for key, want in (('id', r['id']), ('tool', r['tool']), ('mode', r.get('mode')), ('title', r.get('title')),
                      ('name', s.get('name')), ('command', r.get('command')), ('quantity', s.get('quantity') or 'latency')):
        assert row[key] == text(want), '%s %s: %r instead of %r' % (where, key, row[key][:200], text(want)[:200])
    for key in ('board', 'cpu', 'arch', 'memory', 'kernel', 'rt', 'distribution', 'compiler', 'load'):
        assert row['environment.' + key] == text((r.get('environment') or {}).get(key)), '%s: environment.%s' % (where, key)
    for key in ('file', 'message_id', 'from', 'date', 'subject', 'list'):
        assert row['source.' + key] == text(r['source'].get(key)), '%s: source.%s' % (where, key)
    for key in VALUES:
        value = s.get(key)
        same(row[key + ' [us]'], scaled(value, s['unit']) if is_time(s) else None, where + ' ' + key)
        same(row['other.' + key], None if is_time(s) else value, where + ' other.' + key)
    for key in COUNTS:
        same(row[key], s.get(key), where + ' ' + key)
    for key in ('thread', 'tid', 'cpu', 'priority'):
        value = (s.get('labels') or {}).get(key)
        if isinstance(value, Decimal):
            same(row['labels.' + key], value, where + ' ' + key)
        else:
            assert row['labels.' + key] == text(value), where + ' ' + key


def check_csv(records, source, dialect):
    data = run('render', '--to', 'csv', '--csv-dialect', dialect, '-', stdin=source)
    assert data.startswith(b'\xef\xbb\xbf') == (dialect != 'rfc'), 'byte order mark'
    text = data.decode('utf-8-sig')
    assert text.count('\r\n') == text.count('\n') and '\r' not in text.replace('\r\n', ''), 'line ends'
    table = list(csv.reader(io.StringIO(text, newline=''), delimiter=';' if dialect == 'excel-eu' else ',', strict=True))
    assert len({len(row) for row in table}) == 1, 'rows differ in length'
    if dialect == 'excel-eu':
        table = [table[0]] + [[re.sub(r'^(-?\d+),(\d+)$', r'\1.\2', c) for c in row] for row in table[1:]]
    rows = [dict(zip(table[0], row)) for row in table[1:]]
    assert len(set(table[0])) == len(table[0]), 'two columns have one heading'
    assert len(rows) == len(rows_of(records)), '%d rows instead of %d' % (len(rows), len(rows_of(records)))
    comma = (lambda t: re.sub(r'^(-?\d+),(\d+)$', r'\1.\2', guarded(t))) if dialect == 'excel-eu' else guarded
    for row, (r, s) in zip(rows, rows_of(records)):
        check_long_row(row, r, s, comma)


def check_tsv(records, source):
    lines = run('render', '--to', 'tsv', '-', stdin=source).decode('utf-8').split('\n')
    assert lines.pop() == '', 'last line has no end'
    table = list(csv.reader(lines, delimiter='\t', strict=True))
    assert len({len(row) for row in table}) == 1, 'rows differ in length'
    for row, (r, s) in zip(table[1:], rows_of(records)):
        check_long_row(dict(zip(table[0], row)), r, s, guarded)


# XLSX

def sheet_rows(book, name):
    """All rows of a sheet and of those that continue it, as dictionaries."""
    out = []
    for sheet in book.worksheets:
        if sheet.title != name and not re.fullmatch(re.escape(name) + r' \(\d+\)', sheet.title):
            continue
        rows = list(sheet.iter_rows())
        heads = [c.value for c in rows[0]]
        assert len(set(heads)) == len(heads), 'two columns have one heading'
        for row in rows[1:]:
            for cell in row:
                assert cell.data_type != 'f', 'a formula in %s!%s' % (sheet.title, cell.coordinate)
            out.append(dict(zip(heads, (c.value for c in row))))
    return out


def xlsx_text(text):
    text = plain(text)
    return text if len(text) <= 32000 else text[:31900]


def check_xlsx(records, source):
    import openpyxl
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'out.xlsx')
        run('render', '-o', path, '-', stdin=source)
        assert zipfile.ZipFile(path).testzip() is None
        book = openpyxl.load_workbook(path)
    results = sheet_rows(book, 'Results')
    assert book['Results'].freeze_panes == 'A2' and book['Results'].auto_filter.ref, 'heading is not frozen or filtered'
    assert len(results) == len(rows_of(records))
    for row, (r, s) in zip(results, rows_of(records)):
        where = '%s %s' % (r['id'], plain(s.get('name'))[:80])
        for key, want in (('id', r['id']), ('tool', r['tool']), ('title', r.get('title')), ('name', s.get('name'))):
            got = row.get(key) or ''
            assert got.startswith(xlsx_text(want)) and (len(plain(want)) > 32000 or got == plain(want)), where + ': ' + key
        for key in VALUES:
            value = s.get(key)
            got = row.get(key + ' [us]')
            assert got is None or isinstance(got, (int, float)), '%s %s is no number but %r' % (where, key, got)
            same(got, scaled(value, s['unit']) if is_time(s) else None, where + ' ' + key)
            same(row.get('other.' + key), None if is_time(s) else value, where + ' other.' + key)
        for key in COUNTS:
            same(row.get(key), s.get(key), where + ' ' + key)
    check_samples(book, records)
    check_histograms(book, records)
    check_facts(book, records)


def check_samples(book, records):
    rows = iter(sheet_rows(book, 'Samples'))
    for r, s in rows_of(records):
        for sample in s.get('samples') or []:
            row = next(rows)
            for key, value in sample.items():
                if key == 'line' or not isinstance(value, Decimal):
                    continue
                if key in COUNTS + ('cycle', 'smi'):
                    same(row.get(key), value, 'sample ' + key)
                elif is_time(s):
                    same(row.get(key + ' [us]'), scaled(value, s['unit']), 'sample ' + key)
                else:
                    same(row.get('other.' + key), value, 'sample ' + key)
    assert next(rows, None) is None, 'more samples than there are'


def check_histograms(book, records):
    rows = iter(sheet_rows(book, 'Histograms'))
    for r, s in rows_of(records):
        parts = [s.get('histogram')] + [(s.get(k) or {}).get('histogram') for k in ('interval_minima', 'interval_maxima')]
        for h in parts:
            if not h:
                continue
            if h.get('underflow') is not None:
                same(next(rows)['count'], h['underflow'], 'underflow')
            for b in h['bins']:
                row = next(rows)
                same(row['count'], b[1], 'count of a bin')
                if is_time(s):
                    same(row['lower [us]'], scaled(b[0], s['unit']), 'lower edge of a bin')
            if h.get('overflow') is not None:
                same(next(rows)['count'], h['overflow'], 'overflow')
    assert next(rows, None) is None, 'more bins than there are'


def check_facts(book, records):
    got = [(row['id'], row['key'], row['value'] or '') for row in sheet_rows(book, 'Environment')] \
        if 'Environment' in book.sheetnames else []
    want = []
    for r in records:
        environment = r.get('environment') or {}
        want += [(r['id'], k) for k in environment if k != 'config']
        want += [(r['id'], 'config.' + k) for k in environment.get('config') or {}]
        want += [(r['id'], 'settings.' + k) for k in r.get('settings') or {}]
    assert sorted((i, k) for i, k, _ in got) == sorted((i, plain(k)) for i, k in want), 'facts differ'
    assert len(sheet_rows(book, 'Sources')) == len(records)


def check_compare():
    """The sheet Compare: each board's extremes under its heading, beside the test."""
    import openpyxl
    post = 'corpus/seed-gpioirqbench-two-boards.txt'
    records = [load(line) for line in run('parse', post).decode('utf-8').split('\n') if line]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'out.xlsx')
        run('render', '-o', path, post)
        book = openpyxl.load_workbook(path)
    rows = sheet_rows(book, 'Compare')
    found = 0
    for r, s in rows_of(records):
        row, = [row for row in rows if row['series'].split(', load')[0] == plain(s['name'])]
        for key in ('min', 'avg', 'max'):
            same(row['%s: %s [us]' % (r['environment']['board'], key)], scaled(s.get(key), s['unit']), '%s %s' % (s['name'], key))
            found += s.get(key) is not None
    filled = sum(1 for row in rows for k, v in row.items() if k.endswith('[us]') and v is not None)
    assert found == filled > 10, 'a value too many or too few: %d of %d' % (filled, found)
    charts = book['Charts']._charts
    assert len(charts) == 2, 'extremes, and maxima by test'
    for chart, names in zip(charts, ([plain(s['name']) for _, s in rows_of(records)], [row['series'] for row in rows])):
        assert chart.barDir == 'bar', 'long names need horizontal bars'
        for series in chart.series:
            ref = (series.cat.strRef or series.cat.numRef).f
            shown = [cell[0].value for cell in book['Charts'][ref.split('!')[1].replace('$', '')]]
            assert len(shown) == len(names) and all(n.endswith(w) or w in n for n, w in zip(shown, names)), (shown, names)


def check_histogram_chart():
    """The chart of a histogram has a column for each step, empty ones too, and loses no sample."""
    import openpyxl
    post = b'# Histogram\n000001 000120\n000002 045000\n000009 000003\n# Total: 000045123\n' \
           b'# Min Latencies: 00001\n# Avg Latencies: 00002\n# Max Latencies: 00009\n'
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'out.xlsx')
        run('render', '-o', path, '-', stdin=post)
        sheet = openpyxl.load_workbook(path)['Charts']
    chart = [c for c in sheet._charts if c.y_axis.scaling.logBase]
    assert len(chart) == 1, 'charts with a logarithmic axis: %d' % len(chart)
    series, = chart[0].series
    x, y = ([cell[0].value for cell in sheet[ref.numRef.f.split('!')[1].replace('$', '')]] for ref in (series.cat, series.val))
    assert x == list(range(1, 10)), x
    assert y == [120, 45000] + [None] * 6 + [3], y


def check_extremes_chart():
    """Bars of very unlike values stand on a logarithmic axis, where a minimum of 0 is no bar but no reason for a linear one either."""
    import openpyxl
    def bars(least):
        post = 'T: 0 (  100) P:80 I:1000 C:  10000 Min: %6d Act:    7 Avg:    6 Max:     900\n' % least
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'out.xlsx')
            run('render', '-o', path, '-', stdin=post.encode())
            sheet = openpyxl.load_workbook(path)['Charts']
        return [c.value for c in sheet[2]][1:4], sheet._charts[0].y_axis.scaling.logBase
    assert bars(3) == ([3, 6, 900], 10), bars(3)
    assert bars(0) == ([None, 6, 900], 10), bars(0)
    assert bars(-1) == ([-1, 6, 900], None), bars(-1)


def check_equal_bytes(source):
    with tempfile.TemporaryDirectory() as folder:
        files = [os.path.join(folder, n) for n in ('a.xlsx', 'b.xlsx')]
        for n, path in enumerate(files):
            run('render', '-o', path, '-', stdin=source, env={'SOURCE_DATE_EPOCH': '1700000000', 'TZ': 'UTC-%d' % n})
        a, b = (open(path, 'rb').read() for path in files)
        assert a == b, 'equal input gives unequal bytes'
        core = zipfile.ZipFile(files[0]).read('docProps/core.xml').decode()
        assert '2023-11-14T22:13:20Z' in core, 'the date is not SOURCE_DATE_EPOCH: ' + core


# Markup, by pandoc

READERS = {'markdown': 'gfm', 'mediawiki': 'mediawiki', 'dokuwiki': 'dokuwiki', 'rst': 'rst', 'org': 'org-smart',
           'jira': 'jira', 'latex': 'latex-smart', 'html': 'html'}


def words(node, markup):
    """The plain text below a pandoc node; markup collects what should not be there."""
    if isinstance(node, list):
        return ''.join(words(n, markup) for n in node)
    if not isinstance(node, dict) or 't' not in node:
        return ''
    kind, content = node['t'], node.get('c')
    if kind == 'Str':
        return content
    if kind in ('Space', 'SoftBreak', 'LineBreak'):
        return ' '
    if kind == 'Code':
        return content[1]
    if kind == 'Quoted':
        q = "'" if content[0]['t'] == 'SingleQuote' else '"'
        return q + words(content[1], markup) + q
    if kind == 'Link':
        text = words(content[1], markup)
        if content[2][0] not in (text, 'mailto:' + text, 'http://' + text):     # an address is a link to itself at most
            markup.append('link to ' + content[2][0])
        return text
    if kind == 'Image' and content[2][0].startswith('data:image/svg+xml'):
        return ''                       # a figure of our own
    if kind in ('Image', 'RawInline', 'RawBlock', 'Math', 'Emph', 'Strong', 'Strikeout', 'Superscript', 'Subscript', 'Note',
                'Cite', 'CodeBlock', 'Underline'):
        markup.append(kind)
    if kind == 'Span' or kind == 'Div':
        return words(content[1], markup)
    return words(content, markup)


def tables(ast, markup, lines):
    """(headings, rows) of each table, in order; lines: all other texts, an item or paragraph each."""
    out = []
    for block in ast['blocks']:
        if block['t'] in ('Div',):
            out += tables({'blocks': block['c'][1]}, markup, lines)
        elif block['t'] == 'Table':
            _, _, _, head, bodies, _ = block['c']
            heads = [[words(cell[4], markup) for cell in row[1]] for row in head[1]]
            body = [row for b in bodies for part in (b[2], b[3]) for row in part]
            rows = [[words(cell[4], markup) for cell in row[1]] for row in body]
            if not heads or not any(heads[-1]):
                heads, rows = rows[:1], rows[1:]
            out.append((heads[-1], rows))
        elif block['t'] in ('BulletList',):
            lines += [words(item, markup) for item in block['c']]
        else:
            lines.append(words(block, markup))
    return out


def pandoc_text(text):
    text = unicodedata.normalize('NFC', text)
    return re.sub(' +', ' ', text.replace('\u200b', '').replace('\u00a0', ' ').replace('\u2019', "'")).strip()


def read_pandoc(name, data):
    if name == 'dokuwiki':              # its headings know no markup, of which pandoc's reader is not aware
        data = re.sub(r'^====.*$', '', data, flags=re.M)
    p = subprocess.run(['pandoc', '-f', READERS[name], '-t', 'json'], input=data.encode('utf-8'), stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, timeout=300)
    assert p.returncode == 0, 'pandoc: ' + p.stderr.decode()[:500]
    ast, markup, lines = json.loads(p.stdout), [], []
    found = tables(ast, markup, lines)
    if name == 'org' and 'title' in ast['meta']:
        lines.append(words(ast['meta']['title'], markup))
    if name == 'jira':                  # pandoc's reader leaves numbered references as they are, and inert
        found = [([html.unescape(h) for h in heads], [[html.unescape(c) for c in row] for row in rows]) for heads, rows in found]
        lines = [html.unescape(line) for line in lines]
    return found, lines, markup


def check_markup(records, source, name):
    data = run('render', '--no-percentiles', '--to', name, '-', stdin=source).decode('utf-8')
    read = {'trac': wiki_readers.read_trac, 'moinmoin': wiki_readers.read_moinmoin, 'asciidoc': wiki_readers.read_asciidoc}
    got, lines, markup = read[name](data) if name in read else read_pandoc(name, data)
    assert not markup, 'taken for markup: %s' % markup[:5]
    assert len(got) == len(records), '%d tables instead of %d' % (len(got), len(records))
    for (heads, rows), r in zip(got, records):
        heads = [pandoc_text(h) for h in heads]
        assert len(set(heads)) == len(heads), '%s: two columns have one heading' % r['id']
        assert len(rows) >= len(r['series']), '%s: %d rows instead of %d' % (r['id'], len(rows), len(r['series']))
        for row, s in zip(rows, r['series']):
            check_report_row(heads, [pandoc_text(c) for c in row], r, s)
    check_lines(name, {pandoc_text(line) for line in lines}, records)


def check_lines(name, lines, records):
    """What stands above and below the tables."""
    for r in records:
        environment = r.get('environment') or {}
        want = ['%s: %s' % (k, plain(v)) for k, v in environment.items() if isinstance(v, str) and plain(v)]
        want += ['%s: %s' % (k, plain(r[k])) for k in ('command',) if plain(r.get(k))]
        want += ['%s: %s' % (k, plain(r['source'][k])) for k in ('subject', 'list') if plain(r['source'].get(k))]
        if name != 'dokuwiki':          # whose headings have been taken out above
            want += [plain(r['title'])] if plain(r.get('title')) else []
        for line in want:
            assert pandoc_text(line) in lines, '%s: lost: %r' % (r['id'], line[:300])


def expected(heading, s):
    """What a column of the report must hold for a series: a text, or (number or None, whether it is stated)."""
    m = re.fullmatch(r'(.+?)(?: \[(.+)\])?', heading)
    field, unit = m.group(1), m.group(2)
    labels = {k.replace('_', ' '): v for k, v in (s.get('labels') or {}).items()}
    rank = re.fullmatch(r'p(\d[\d.]*)', field)
    if heading in ('name', 'min from', 'max from'):
        return plain(s.get({'name': 'name', 'min from': 'min_source', 'max from': 'max_source'}[heading]))
    if heading == 'quantity':
        return plain(s.get('quantity') or 'latency')
    if field in VALUES or rank:
        own = s.get('unit')
        values = (s.get('percentiles') or {}) if rank else s
        key = rank.group(1) if rank else field
        shown = 'us' if own in LATENCY_UNITS else own
        if unit != shown or key not in values:
            return None, False
        return scaled(values[key], own) if own in LATENCY_UNITS else values[key], True
    if heading.replace(' ', '_') in COUNTS:
        return s.get(heading.replace(' ', '_')), heading.replace(' ', '_') in s
    if heading == 'interval [us]':
        value = labels.get('interval ns')
        return scaled(value, 'ns'), value is not None
    if unit is None:
        value = labels.get(field)
        return (value, value is not None) if isinstance(value, Decimal) else plain(value)
    raise AssertionError('a column of which nothing is known: %r' % heading)


def check_report_row(heads, row, r, s):
    where = '%s %s' % (r['id'], plain(s.get('name'))[:60])
    assert len(row) == len(heads), where + ': cells and headings differ in number'
    for heading, cell in zip(heads, row):
        want = expected(heading, s)
        if isinstance(want, str):
            assert cell == pandoc_text(want), '%s: %s %r instead of %r' % (where, heading, cell[:300], want[:300])
            continue
        value, stated = want
        cell = re.sub(r' ?\(\d+\)$', '', cell)
        if value is None:
            assert cell == ('-' if stated else ''), '%s %s: %r where nothing was read' % (where, heading, cell)
        else:
            same(cell, value, '%s %s' % (where, heading))
    seen = {h.split(' [')[0].replace(' ', '_') for h in heads}
    for key in VALUES + COUNTS:
        assert s.get(key) is None or key in seen, '%s: no column for %s' % (where, key)
    for key in s.get('labels') or {}:
        assert key.replace('interval_ns', 'interval') in seen, '%s: no column for label %s' % (where, key)


# Text for mail

def check_text(records, source):
    text = run('render', '--no-percentiles', '--to', 'text', '-', stdin=source).decode('utf-8')
    for line in text.split('\n'):
        width = sum(2 if unicodedata.east_asian_width(c) in 'WF' else 0 if unicodedata.combining(c) else 1 for c in line)
        assert width <= 72, '%d columns: %r' % (width, line)
        assert line == line.rstrip() and '\t' not in line, 'blanks at the end, or a tab: %r' % line
        assert not line.startswith(('From ', '>')) and line != '--', 'mail would change %r' % line
    numbers = set(re.findall(r'(?<![\w.])-?\d+(?:\.\d+)?(?![\w.])', text))
    numbers = {Decimal(n) for n in numbers}
    for r, s in rows_of(records):
        for key in VALUES:
            value = s.get(key)
            if value is not None:
                value = scaled(value, s['unit']) if is_time(s) else value
                assert value in numbers, '%s: %s %s is missing' % (r['id'], key, value)


def check_json(records, source):
    got = load(run('render', '--to', 'json', '-', stdin=source))
    assert got == records, 'records differ'


def check_html(source):
    text = run('render', '--to', 'html', '-', stdin=source).decode('utf-8')
    assert not re.search(r'<(script|iframe|object|embed|link|img|form|base)\b', text, re.I), 'an active element'
    assert not re.search(r'<[^>]*\son\w+=', text), 'an event handler'
    assert "default-src 'none'" in text and '<!DOCTYPE html>' in text


def check_html_figure():
    """Bars as long as the logarithms of their counts, at their places; names of both axes at round values."""
    import math
    import xml.etree.ElementTree
    bins = {20: 3, 21: 100000, 22: 1, 27: 40}
    post = '# Histogram\n%s# Total: 100044\n# Min Latencies: 00020\n# Avg Latencies: 00021\n# Max Latencies: 00027\n' % ''.join(
        '%06d %06d\n' % b for b in bins.items())
    page = run('render', '--to', 'html', '-', stdin=post.encode()).decode('utf-8')
    svg = xml.etree.ElementTree.fromstring(re.search(r'<svg.*?</svg>', page, re.S).group())
    bars = [{k: float(v) for k, v in e.attrib.items()} for e in svg.iter('rect')]
    names = [(e.text, float(e.get('x', 0)), float(e.get('y', 0)), e.get('text-anchor')) for e in svg.iter('text')]
    longest = max(b['height'] for b in bars)
    for b, (value, count) in zip(bars, sorted(bins.items()), strict=True):
        want = math.log(2 * count) / math.log(2 * max(bins.values()))
        assert abs(b['height'] / longest - want) < 0.01, '%d samples: %s' % (count, b)
        under = [x for text, x, _, anchor in names if text == str(value) and anchor == 'middle']
        assert all(abs(x - b['x']) < 2 for x in under), 'the name %d is not at the left edge of its bar' % value
    y = [at for text, _, at, anchor in names if anchor == 'end' and text in ('1', '10', '100', '1000', '10000', '100000')]
    gaps = {round(a - b, 0) for a, b in zip(y, y[1:])}
    assert len(y) == 6 and len(gaps) == 1 and gaps.pop() > 5, 'powers of ten are not equally far: %s' % y
    texts = {text for text, _, _, _ in names}
    assert {'samples', 'latency [us]', '20', '25'} <= texts, texts


# Column choice, digits, units: exact scaling and half-even rounding

def check_options(records, source):
    text = run('render', '--to', 'csv', '--columns', 'name,max,tool', '--sort=-max', '--unit', 'ms', '--digits', '2', '-',
               stdin=source).decode('utf-8')
    table = list(csv.reader(io.StringIO(text, newline='')))
    assert table[0] == ['name', 'max [ms]', 'tool'], table[0]
    got = [row[1] for row in table[1:]]
    want = sorted((scaled(s['max'], s['unit'], 'ms') for r, s in rows_of(records) if is_time(s) and s.get('max') is not None),
                  reverse=True)
    assert got[:len(want)] == ['%s' % w.quantize(Decimal('0.01')) for w in want], 'values differ or are out of order'
    assert not any(got[len(want):]), 'empty cells do not come last'


HOSTILE = ['=HYPERLINK("http://evil.example/","x")', '+1+cmd|\' /C calc\'!A0', '-2+3', '@SUM(A1)', 'a|b||c', '{{{x}}} {y} {{z}}',
           '<script>alert(1)</script>', '&lt;b&gt; &#124; &amp;', '[[link]] [x](http://e.example) ![i](j) {{t}} {|', '\u202egnp.exe\u2066',
           'a\tb\nc\rd\x1b[31mred\x07', "'''bold''' ''it'' **b** __u__ ~~s~~ `c` *i* _j_ //k// ~~~~ !! ^x^", '%%a%% %b% <nowiki> </nowiki>',
           '\\begin{x} $y$ #z \\write18{id} a_b a^b', '----', '* item', '1. item', '# head', '====', 'h1. x', ': d', '; e', '|-', '!', '^^ ||',
           '$(touch x) `touch x` %n%s', 'x:: y', '.. raw:: html', '|sub| :role:`x` x_ `y`_', '#+BEGIN_SRC', '<<x>> {empty} +++y+++', '-', '--- x',
           'From me', '>quoted', '-- ', 'FIXME (c) -> 640x480 :-) "q" ...', 'CamelCase WikiName #1 r1 {1} ticket:1', "\u5e73\u5747 \u03bcs e\u0301",
           '(./) B) X-( ;-) ;) B-) (!) |) x', 'a /* b */ c', '\u00c4rger\u00d6l \u00c4\u00e4B\u00f6', 'a\\\\ b\\', '&#124; &#38;#42; &ast;',
           '{{{a}}}}b', '}}}}', '{{{', '`', 'a`b`', ':D :P :-) (y) (/) (x)', 'bq. x', '# x', '??cite?? !img! {color:red}x', 'a=b==c',
           '[1] [us] [/x] [#y]', '--(x)-- ~-x-~ ~+y+~ a--b', 'user@example.com mailto:u@e.org',
           'http://e.example/x?a=1&b=2 www.example.com file:///etc/passwd', '<<Include(x)>> [[Image(x)]] {{attachment:x}}', '#!python',
           '{{{#!html', '||=x=||', 'pass:[x] ifdef::x[] include::/etc/passwd[] image::y[]', 'kbd:[x] footnote:[x] {asciidoctor-version} ((index))',
           '(C) (R) (TM) -- ... -> => <- <=', "'", "x'", "''", "'''''", "a'b'c d`e", '\\input{/etc/passwd} \\(x\\) $$x$$', '#+INCLUDE: x',
           '~~NOTOC~~ {{page>x}} <html>x</html> <php>y</php>', '@user #12 gh-1 a/b#3', '<!-- x -->', '{|', '|}', '|+ x', 'a | b', '\\', '*', '_',
           '__a__b', 'x_', 'a:b:c:', 'x :tag:', 'COMMENT x', 'TODO x', '[#A] x', '\u2028sep\u2029', '\u00adsoft',
           '1,5', '00123', '1e5', '\ufeffbom', 'x' * 200, 'History', "it's", '~', '[ ] task', '&', '']


def hostile_records():
    """Records with every such text in every place; one label of 1 MiB."""
    out = []
    for i, text in enumerate(HOSTILE + ['m' * (1 << 20)]):
        short = text if len(text) < 1000 else 'long'
        out.append({'schema': 'rtreport/1', 'kind': 'run', 'id': '%016x' % i, 'tool': 'cyclictest', 'mode': None, 'title': text or None,
                    'command': short or None, 'settings': {'priority': 99}, 'environment': {'board': short or 'b', 'config': {'X': short or 'x'}},
                    'series': [{'name': text or None, 'labels': {'thread': 0, 'context': short or 'c'}, 'unit': 'ns', 'resolution': 1,
                                'min': -1563, 'avg': 12807.6666666667, 'max': 999999999999999, 'count': 3},
                               {'name': (text * 2)[:3000] or None, 'labels': {'thread': 1}, 'unit': '%', 'min': 0.5, 'max': None, 'value': -7}],
                    'source': {'file': short or 'f', 'lines': [1, 2], 'subject': short or 's'},
                    'flags': [{'code': 'row-truncated', 'where': '/series/1/max', 'text': short or 't'}]})
    return ('\n'.join(json.dumps(r) for r in out) + '\n').encode()


def check_readers():
    """The readers of tests/wiki_readers.py refuse, or tell as markup, what their wikis would not show as it stands."""
    moin = "|| '''a''' ||<)> '''b''' ||\n|| %s ||<)> 5 ||\n"
    trac = '||= a =||= b =||\n|| %s || 5||\n'
    for read, table, acting, plain_texts in (
            (wiki_readers.read_moinmoin, moin,
             ("''x''", '__x__', 'WikiName', 'x :) y', 'a /* b */', '<<Date>>', '[[x]]', '{{x}}', 'http://x.y', '&lt;', '^x^', '`x`', '----', 'a||b',
              'u@example.org', '\u00c4\u00e4\u00d6\u00f6'), ('x', '{{{WikiName || __x__}}}', 'a_b 1.5 (c)', "it's", 'a, b')),
            (wiki_readers.read_trac, trac,
             ('\'\'x\'\'', '**x**', '//x//', 'WikiName', '#12', 'r12', '{1}', '[12]', 'ticket:1', '[wiki:x]', '[[Macro]]', '!x', 'a\\\\b', '`x`', 'a||b',
              '^x', 'u@example.org', '<b>'), ('x', '{{{WikiName || ticket:1}}}', 'a_b 1.5 (c)', "it's", '[us]', 'a: b'))):
        for text in acting:
            try:
                found, _, markup = read(table % text)
                assert markup, '%s: %r passes as plain' % (read.__name__, text)
            except ValueError:
                pass
        for text in plain_texts:
            found, _, markup = read(table % text)
            want = text.replace('{{{', '').replace('}}}', '')
            assert found == [(['a', 'b'], [[want, '5']])] and not markup, '%s: %r: %r %r' % (read.__name__, text, found, markup)
    for text in ('|| a || b ||\n', '||= a =||= b =||\n|| x || 5|| y\n', 'prose\n', '||= a =||\n||= b =||\n'):
        try:
            wiki_readers.read_trac(text)
            raise AssertionError('no table, but read: %r' % text)
        except ValueError:
            pass


# The tests


def check_round_trip(records, source, *how):
    """What is written as CSV is read to the same values, units, labels and context."""
    def essence(records):
        out = []
        for r in records:
            context = {k: v for k, v in (r.get('environment') or {}).items() if k in ('board', 'cpu', 'kernel', 'rt', 'load')}
            out.append((r['id'], r['tool'], r.get('mode'), plain(r.get('title')), {k: plain(v) for k, v in context.items()},
                        r['source'].get('lines'), r['source'].get('message_id'),
                        [(plain(s.get('name')), s.get('unit'), {k: s[k] for k in VALUES + COUNTS if s.get(k) is not None},
                          {k: plain(v) if isinstance(v, str) else v for k, v in (s.get('labels') or {}).items()}) for s in r['series']]))
        return out
    data = run('render', *how, '-', stdin=source)
    back = [load(line) for line in run('parse', '-', stdin=data).decode('utf-8').split('\n') if line]
    assert len(back) == len(records), '%d records instead of %d' % (len(back), len(records))
    for got, want in zip(essence(back), essence(records)):
        assert got == want, '%r instead of %r' % (str(got)[:600], str(want)[:600])


def test_all(what, source):
    records = [load(line) for line in run('parse', '-', stdin=source).decode('utf-8').split('\n') if line]
    assert records, 'no records in ' + what
    # One long table of records that parse has written: what it writes is what render reads.
    source = run('parse', '-', stdin=source)
    for dialect in ('rfc', 'excel', 'excel-eu'):
        test('%s as csv, %s' % (what, dialect), check_csv, records, source, dialect)
    test(what + ' as tsv', check_tsv, records, source)
    for how in (('csv',), ('csv', '--csv-dialect', 'excel-eu', '--unit', 'ms'), ('tsv', '--unit', 'ns')):
        test('%s as %s and back' % (what, ' '.join(how)), check_round_trip, records, source, '--to', *how)
    test(what + ' as xlsx', check_xlsx, records, source)
    test(what + ' as xlsx, equal bytes', check_equal_bytes, source)
    test(what + ' as json', check_json, records, source)
    test(what + ' as text', check_text, records, source)
    test(what + ' as html, nothing active', check_html, source)
    tools = dict({name: 'pandoc' for name in READERS}, trac=None, moinmoin=None, asciidoc='asciidoctor')
    for name, tool in tools.items():
        if not tool or shutil.which(tool):
            test('%s as %s' % (what, name), check_markup, records, source, name)
        else:
            skip('%s as %s' % (what, name), tool + ' is missing')
    test(what + ', columns, order and digits', check_options, records, source)


def main():
    try:
        import openpyxl
    except ImportError:
        skip('render', 'openpyxl is missing')
        return
    few = len(PROGRAM) > 1              # under valgrind a few must do
    files = sorted(f for f in glob.glob('corpus/*') if f.endswith(('.txt', '.eml', '.mbox', '.html')))
    found = b''.join(subprocess.run(PROGRAM + ['parse', f], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
                     for f in (files[:3] if few else files))
    test('readers of Trac and MoinMoin', check_readers)
    test_all('corpus', found)
    test('figure of a histogram in html', check_html_figure)
    test('what is compared, as xlsx', check_compare)
    test('chart of a histogram in xlsx', check_histogram_chart)
    test('chart of extremes in xlsx', check_extremes_chart)
    if not few:
        test_all('hostile text', hostile_records())


main()
end()
