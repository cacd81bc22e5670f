#!/usr/bin/env python3
"""What is written record by record is what is written when all records are gathered first. TAP.

Data files of a single input are streamed, with a second input rtreport gathers: both must give the same bytes. And a table of more rows
than a sheet holds is written whole.
"""
import glob
import json
import os
import re
import shlex
import subprocess
import tempfile
import zipfile

from tap import end, test

PROGRAM = shlex.split(os.environ['RTREPORT'])
FEW = len(PROGRAM) > 1                  # under valgrind a few must do
SHEET_ROWS = 1048575                    # below the heading
FORMS = ('csv', 'tsv', 'json', 'xlsx')
HOWS = ((), ('--form', 'samples'), ('--form', 'histograms'), ('--form', 'sources'), ('--columns', 'name,max,tool', '--digits', '2'),
        ('--form', 'samples', '--columns', 'row,value,min', '--unit', 'ms'), ('--where', 'tool=cyclictest'), ('--unit', 'auto'))


def run(*args):
    p = subprocess.run(PROGRAM + list(args), stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300,
                       env=dict(os.environ, SOURCE_DATE_EPOCH='1700000000'))
    assert p.returncode == 0, '%s: exit status %d: %s' % (args[:4], p.returncode, p.stderr.decode('utf-8', 'replace')[-800:])
    return p.stdout


def check_same(folder, records, form, how):
    streamed, gathered, empty = (os.path.join(folder, n) for n in ('streamed.' + form, 'gathered.' + form, 'empty'))
    open(empty, 'w').close()
    run('render', *how, '-o', streamed, records)
    run('render', *how, '-o', gathered, records, empty)
    a, b = (open(path, 'rb').read() for path in (streamed, gathered))
    assert len(a) > 50 and a == b, '%d and %d bytes differ' % (len(a), len(b))


def check_together(folder, records):
    """Several outputs of one run are each what they are alone."""
    alone, together = ([os.path.join(folder, '%s.%s' % (n, form)) for form in FORMS] for n in ('alone', 'together'))
    for path in alone:
        run('render', '-o', path, records)
    run('render', '-o', together[0], *('--export=' + path for path in together[1:]), records)
    for a, b in zip(alone, together):
        assert open(a, 'rb').read() == open(b, 'rb').read(), b


def check_settled(folder, records):
    """Records that stand in the file twice stay two, however they are written: they were folded when they were made."""
    twice = os.path.join(folder, 'twice.jsonl')
    with open(records, 'rb') as source, open(twice, 'wb') as out:
        out.write(source.read() * 2)
    rows = [run('render', '--to', 'csv', '--columns', 'id', *how, path).count(b'\r\n')
            for path in (records, twice) for how in ((), ('--sort', 'id'))]
    assert rows[0] == rows[1] > 10 and rows[2] == rows[3] == 2 * rows[0] - 1, rows


def check_sheets(folder):
    """One record's samples fill a sheet and the beginning of the next: no row is lost, none is there twice."""
    records, book = os.path.join(folder, 'long.jsonl'), os.path.join(folder, 'long.xlsx')
    rows, part = SHEET_ROWS + 1425, 50000
    with open(records, 'w') as out:
        for first in range(0, rows, part):
            samples = [{'value': v} for v in range(first, min(first + part, rows))]
            out.write(json.dumps({
                'schema': 'rtreport/1', 'kind': 'run', 'id': '%016x' % first, 'tool': 'cyclictest', 'environment': {},
                'series': [{'name': None, 'labels': {}, 'unit': 'us', 'samples': samples}],
                'source': {'file': 'f', 'lines': [1, 2]}, 'flags': []}) + '\n')
    run('render', '--form', 'samples', '--columns', 'value', '-o', book, records)
    got = []
    with zipfile.ZipFile(book) as z:
        assert z.testzip() is None
        for n in (1, 2):
            text = z.read('xl/worksheets/sheet%d.xml' % n)
            assert b'<autoFilter ref="A1:A%d"/>' % ((SHEET_ROWS, 1425)[n - 1] + 1) in text, 'no filter'
            got += [int(v) for v in re.findall(rb'<c r="A\d+" s="\d+"><v>(\d+)</v></c>', text)]
        assert 'xl/worksheets/sheet3.xml' not in z.namelist()
    assert got == list(range(rows)), '%d rows instead of %d' % (len(got), rows)


def main():
    posts = sorted(f for f in glob.glob('corpus/*') if f.endswith(('.txt', '.eml', '.mbox', '.html')))
    with tempfile.TemporaryDirectory() as folder:
        records = os.path.join(folder, 'records.jsonl')
        with open(records, 'wb') as out:
            out.write(run('parse', *(posts[:3] if FEW else posts)))
        for form in FORMS:
            for how in HOWS[:2] if FEW else HOWS:
                test(' '.join((form, 'streamed and gathered') + how), check_same, folder, records, form, how)
        test('several outputs', check_together, folder, records)
        test('records are not folded again', check_settled, folder, records)
        if not FEW:
            test('more rows than a sheet holds', check_sheets, folder)


main()
end()
