#!/usr/bin/env python3
"""What rtreport renders, rtreport reads again: numbers, units and labels of every series stay. TAP.

For every case of corpus/ and some made records: parse(render(parse(x))) against parse(x), for CSV, TSV, markdown, MediaWiki,
DokuWiki and the table for mail (plain, and quoted in a reply). What is written as MoinMoin, Trac, Jira, reStructuredText, AsciiDoc,
Org, LaTeX and HTML is for people: no parser reads it. Left out is what the formats above do not hold:

  - samples, histograms and the statistics of the extremes of each interval (CSV); tables hold no samples and no histograms
  - the resolution: a table tells how its column is printed, not each series
  - flags, which become notes for people, and where the input came from (CSV keeps it)
  - percentiles that render computes from a histogram, so it is called with --no-percentiles
  - the unit of a series without any value
  - whether a number that CSV leaves empty was null or absent
  - HTML entities typed out in a text ("&lt;"): mail has them for what they mean
  - white space and control characters inside texts, which every renderer makes one plain line
"""
import glob
import json
import os
import re
import shlex
import subprocess
import unicodedata
from decimal import Decimal

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAM = shlex.split(os.environ['RTREPORT'])
INPUTS = ('.txt', '.eml', '.mbox', '.html', '.md', '.log', '.csv', '.gz')
NUMBERS = ('min', 'avg', 'max', 'last', 'stddev', 'mdev', 'value', 'count', 'overruns', 'mode_switches')
RECORD = ('tool', 'mode', 'title', 'command')
FORMATS = ('csv', 'tsv', 'markdown', 'mediawiki', 'dokuwiki', 'text')


def run(*args, stdin=b''):
    p = subprocess.run(PROGRAM + list(args), input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300, cwd=TOP)
    assert p.returncode in (0, 3), '%s: exit status %d: %s' % (args, p.returncode, p.stderr.decode('utf-8', 'replace')[-800:])
    return p.stdout


def records(text):
    return [json.loads(line, parse_float=Decimal, parse_int=Decimal) for line in text.decode('utf-8').splitlines() if line.strip()]


def plain(text):
    """One line, as renderers write a text."""
    out = ''
    for c in text:
        if unicodedata.category(c) in ('Cc', 'Zl', 'Zp') and c not in '\t\n\v\f\r\x85\u2028\u2029':
            out += '<U+%04X>' % ord(c)
        else:
            out += ' ' if c.isspace() else c
    return re.sub(' +', ' ', out).strip()


def texts(value):
    if isinstance(value, str):
        return plain(value)
    if isinstance(value, dict):
        return {k: texts(v) for k, v in value.items() if v not in ('', {})}
    return value


def series(s, form):
    """What must stay of a series. In tables a null number stays apart from one that is absent."""
    out = {k: s[k] for k in NUMBERS if k in s and not (s[k] is None and form in ('csv', 'tsv'))}
    if [k for k in out if k not in ('count', 'overruns', 'mode_switches')] or s.get('percentiles'):
        out['unit'] = s.get('unit')
    for k in ('name', 'quantity', 'labels', 'percentiles'):
        if s.get(k):
            out[k] = texts(s[k])
    if out.get('quantity') == 'latency':
        del out['quantity']
    return out


def comparable(recs, form):
    """Only series of which the form shows a value or a name; of a record without any, nothing can be read."""
    out = []
    for r in recs:
        rows = [series(s, form) for s in r['series']]
        if form not in ('csv', 'tsv') and not any(k in row for row in rows for k in NUMBERS + ('percentiles',)):
            continue
        what = {k: texts(r[k]) for k in RECORD if r.get(k)}
        what['environment'] = texts(r.get('environment') or {})
        what['settings'] = texts(r.get('settings') or {})
        out.append((what, rows))
    return out


def reply(text):
    return b'On Monday somebody wrote:\n' + b''.join(b'> ' + line + b'\n' for line in text.split(b'\n'))


def check(text, form, wrap=None):
    want = run('parse', '-', stdin=text)
    rendered = run('render', '--no-percentiles', '--to', form, '-', stdin=want)
    got = run('parse', '-', stdin=wrap(rendered) if wrap else rendered)
    want, got = comparable(records(want), form), comparable(records(got), form)
    assert len(got) == len(want), '%d records instead of %d' % (len(got), len(want))
    for i, (w, g) in enumerate(zip(want, got)):
        assert len(g[1]) == len(w[1]), 'record %d: %d series instead of %d' % (i, len(g[1]), len(w[1]))
        for k, (a, b) in enumerate(zip(w[1], g[1])):
            assert a == b, 'record %d, series %d: %r instead of %r' % (i, k, b, a)
        assert g[0] == w[0], 'record %d: %r instead of %r' % (i, g[0], w[0])


def made():
    """Texts that every format must escape, labels of every kind, several units, null and absent, very long names."""
    base = {'schema': 'rtreport/1', 'kind': 'run', 'tool': 'cyclictest', 'source': {}, 'flags': []}
    odd = ['a|b', '**bold** _x_ `c`', '[[link]] {{t}} ~~~~', "''it''", '%%50%% (c) 100%', '--- + -1', '-', '<b>&</b>', 'x\\y \\',
           'name: 13us 119us', '! !! ^ ||', 'µs größer 延迟', '=1+1', "'quoted'", '# 1', 'From here', '> quote']
    yield 'odd names', [dict(base, series=[{'name': n, 'labels': {'column': n}, 'unit': 'ns', 'value': i * 1000 + 7}
                                           for i, n in enumerate(odd)])]
    yield 'long names', [dict(base, series=[{'name': 'long ' * 40 + str(i), 'labels': {'group': 'g' * 150, 'column': 'word ' * 9},
                                             'unit': 'ns', 'min': 1000, 'avg': 2500, 'max': 123456789} for i in range(3)])]
    yield 'every label', [dict(base, series=[
        {'labels': {'thread': i, 'tid': 100 + i, 'cpu': i, 'priority': 80, 'interval_ns': 250000, 'context': 'irq', 'index': i,
                    'sender': 1, 'receiver': 2}, 'unit': 'ns', 'count': 1000, 'min': -2300, 'avg': 1000.5, 'max': 7000, 'last': 2000,
         'stddev': 300.25, 'overruns': 3, 'mode_switches': 0, 'percentiles': {'50': 1000, '99.9': 6000}} for i in range(4)])]
    yield 'units', [dict(base, tool='table', series=[
        {'name': 'a', 'unit': '%', 'value': 99.5}, {'name': 'b', 'unit': 's', 'quantity': 'elapsed time', 'value': 70},
        {'name': 'c', 'unit': None, 'quantity': 'loops', 'value': 12}, {'name': 'd', 'unit': 'ns', 'value': 1500},
        {'name': 'e', 'unit': '1', 'quantity': 'context switches', 'value': 77}, {'name': 'f', 'unit': 'ns', 'min': None, 'max': 5000}])]
    yield 'two records', [dict(base, title='First run of two', series=[{'unit': 'ns', 'min': 1000, 'max': 2000}]),
                          dict(base, title='Second', mode='user-task', command='cyclictest -m -n -p 80 -i 250 -l 1000000 --with-a-very-long-option=1',
                               environment={'kernel': '4.9.33-rt', 'cpu': 'i7'}, settings={'period_ns': 250000, 'priority': 80},
                               series=[{'unit': 'ns', 'min': 1000, 'avg': None, 'max': 3000}])]


def cases():
    for path in sorted(glob.glob(os.path.join(TOP, 'corpus', '**', '*'), recursive=True)):
        if os.path.splitext(path)[1] in INPUTS:
            with open(path, 'rb') as f:
                yield os.path.relpath(path, TOP), f.read()
    for name, recs in made():
        lines = [json.dumps(dict(r, id='%016x' % i), ensure_ascii=False) for i, r in enumerate(recs)]
        yield 'made: ' + name, '\n'.join(lines).encode('utf-8') + b'\n'


def main():
    n = 0
    for name, text in cases():
        for form, wrap in [(f, None) for f in FORMATS] + [('text', reply), ('markdown', reply)]:
            n += 1
            try:
                check(text, form, wrap)
                print('ok %d - %s as %s%s' % (n, name, form, ' in a reply' if wrap else ''))
            except AssertionError as e:
                print('not ok %d - %s as %s%s' % (n, name, form, ' in a reply' if wrap else ''))
                print('# ' + str(e)[:1500].replace('\n', '\n# '))
    print('1..%d' % n)


main()
