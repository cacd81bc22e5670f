#!/usr/bin/env python3
"""rtreport plot: files drawn, numbers given to gnuplot, hostile texts, trouble. TAP.

Expectations are computed here from the JSON that `rtreport parse` writes, by Python's decimal numbers.
"""
import glob
import json
import os
import re
import shlex
import shutil
import struct
import subprocess
import tempfile
import xml.etree.ElementTree
from decimal import Decimal

PROGRAM = shlex.split(os.environ['RTREPORT'])
TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CORPUS = os.path.join(TOP, 'corpus')
POST = os.path.join(CORPUS, 'seed-omap3530-load-and-idle.eml')
TABLE = os.path.join(CORPUS, 'seed-gpioirqbench-two-boards.txt')
ROWS = os.path.join(CORPUS, 'latency-kvm-rows-left-out.txt')
PATH = os.environ.get('PATH', '')
GNUPLOT = shutil.which('gnuplot')

HISTOGRAM = b"""# ./cyclictest -q -m -p 98 -h 20 -D 1m
# Histogram
000001 000120	000000
000002 045000	001200
000003 090210	080102
000004 012001	090000
000008 000000	000001
000011 000001	000000
# Total: 000147332 000171303
# Min Latencies: 00001 00002
# Avg Latencies: 00003 00004
# Max Latencies: 00011 00044
# Histogram Overflows: 00000 00001
"""
ROW = b'T: 0 ( 1853) P:80 I:1000 C:  10000 Min:     36 Act:  156 Avg:  154 Max:     244\n'


class Skip(Exception):
    pass


def run(args, stdin=b'', status=0, path=PATH, cwd=TOP):
    p = subprocess.run(PROGRAM + list(args), input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300, cwd=cwd,
                       env=dict(os.environ, PATH=path))
    err = p.stderr.decode('utf-8', 'replace')
    assert p.returncode == status, '%s: exit status %d instead of %d: %s' % (args, p.returncode, status, err[-800:])
    return p.stdout, err


def script(args, stdin=b''):
    return run(['plot', '--to', 'gnuplot'] + list(args), stdin)[0].decode('utf-8')


def records(*args, stdin=b''):
    return [json.loads(line, parse_float=Decimal, parse_int=Decimal)
            for line in run(['parse'] + list(args), stdin)[0].decode('utf-8').splitlines()]


def blocks(text):
    """The data of each block of the script, as rows of decimals; None where nothing was measured."""
    found = re.findall(r'^\$(\w+) << END\n(.*?)^END$', text, re.M | re.S)
    return [[[None if w == '?' else Decimal(w) for w in row.split()] for row in body.splitlines()] for _, body in found]


def need_gnuplot():
    if not GNUPLOT:
        raise Skip('gnuplot is missing')


def us(n):
    return None if n is None else n / 1000


# the numbers

def histogram_numbers():
    data = blocks(script([], HISTOGRAM))
    series = records(stdin=HISTOGRAM)[0]['series']
    assert len(series) == 2 and len(data) == 2, len(data)
    for rows, s in zip(data, series):
        counts = {us(x): n for x, n in s['histogram']['bins'] if n}
        drawn = {}
        for x, n in rows:
            drawn[x] = n                        # of equal edges the last one holds
        assert {x: n for x, n in drawn.items() if n} == counts, drawn
        assert rows[0] == [min(counts), 0], 'the outline begins on the axis'
        width = us(s['histogram']['bin_width'])
        gaps = {x + width for x in counts if x + width not in counts}
        assert {x for x, n in rows[1:] if not n} == gaps, 'where a gap begins the count is 0'
        assert [x for x, n in rows] == sorted(x for x, n in rows)


def fine_bins_are_gathered():
    """Bins of 1 ns over 2 ms: round steps, the same for all curves, that keep every sample and begin at multiples."""
    record = records(stdin=HISTOGRAM)[0]
    for i, s in enumerate(record['series']):
        s['histogram'] = {'bin_width': 1, 'bins': [[1000 * k + 7 * k % 1000 - 300, k + 1 + i] for k in range(0, 2000, 3)]}
    text = script([], json.dumps(record, default=float).encode())
    step = Decimal(re.search(r'in steps of ([0-9.]+)', text).group(1))
    for rows, s in zip(blocks(text), record['series']):
        want = {}
        for lower, n in s['histogram']['bins']:
            at = (us(Decimal(lower)) // step) * step if lower >= 0 else -step
            want[at] = want.get(at, 0) + n
        assert {x: n for x, n in rows if n} == want, list(want.items())[:5]
        assert len(rows) <= 2 * 401


def tail_numbers():
    data = blocks(script(['--kind', 'tail'], HISTOGRAM))
    for rows, s in zip(data, records(stdin=HISTOGRAM)[0]['series']):
        h = s['histogram']
        total = sum(n for _, n in h['bins']) + (h.get('overflow') or 0) + (h.get('underflow') or 0)
        for x, above, share in rows:
            want = sum(n for lower, n in h['bins'] if us(lower) >= x) + (h.get('overflow') or 0)
            assert above == want, '%s samples from %s us on, not %s' % (want, x, above)
            assert abs(share - want / total) < Decimal('1e-14'), (share, want / total)
        assert rows[0][2] == 1


def samples_numbers():
    data = blocks(script(['--kind', 'samples', ROWS]))
    series = [s for r in records(ROWS) for s in r['series'] if len(s.get('samples') or []) > 1]
    assert data and len(data) == len(series)
    for rows, s in zip(data, series):
        want = [[i + 1] + [us(row.get(k)) for k in ('min', 'avg', 'max')] for i, row in enumerate(s['samples'])]
        assert rows == want, (rows[:2], want[:2])


def many_samples_keep_extremes():
    """Thousands of rows are gathered; no spike is lost, none is made."""
    head = b'RTT|  00:00:00  (periodic user-mode task, 100 us period, priority 99)\n' \
           b'RTH|----lat min|----lat avg|----lat max|-overrun|---msw|---lat best|--lat worst\n'
    text, worst = head, 0
    for i in range(7001):
        top = 12.5 if i == 4321 else 2 + (i * 7 % 10) / 10
        worst = max(worst, top)
        text += b'RTD|%11.3f|%11.3f|%11.3f|%8d|%6d|%11.3f|%11.3f\n' % (0.5 + (i % 3) / 10, 1.25, top, 0, 0, 0.5, worst)
    rows = blocks(script([], text))[0]
    assert 500 < len(rows) <= 2000, len(rows)
    assert max(r[3] for r in rows) == Decimal('12.5') and min(r[1] for r in rows) == Decimal('0.5')
    assert all(r[2] == Decimal('1.25') for r in rows), 'the mean of equal averages'
    per = rows[1][0] - rows[0][0]
    spike = [r[0] for r in rows if r[3] == Decimal('12.5')]
    assert len(spike) == 1 and spike[0] <= 4322 < spike[0] + per, spike


def bars_numbers():
    for path in (POST, TABLE):
        data = blocks(script(['--kind', 'bars', path]))[0]
        series = [s for r in records(path) for s in r['series']]
        want = [[us(s.get(k)) for k in ('min', 'avg', 'max', 'value')] + [len(series) - i] for i, s in enumerate(series)]
        assert data == want, (data, want)


def units():
    one = blocks(script(['--unit', 'ns'], ROW))[0][0]
    assert one[:3] == [36000, 154000, 244000], one
    one = blocks(script(['--unit', 'ms'], ROW))[0][0]
    assert one[:3] == [Decimal('0.036'), Decimal('0.154'), Decimal('0.244')], one
    assert "[ms]'" in script(['--unit', 'ms'], ROW)


def one_axis_one_unit():
    """Seconds and microseconds never share an axis."""
    table = b'Test  min [us]  max [us]\n' b'sleep     1        7\n' b'\n\nTime: 12.345\nRunning with 40 file descriptors\n' + ROW
    text = script(['--kind', 'bars'], table)
    maxima = [row[2] for row in blocks(text)[0]]
    assert Decimal('244') in maxima and "[us]'" in text


# what is drawn

def kinds_are_chosen():
    for args, stdin, word in (([], HISTOGRAM, 'fillsteps'), ([ROWS], b'', 'filledcurves'), ([POST], b'', 'boxxyerror'),
                              ([TABLE], b'', 'boxxyerror')):
        assert word in script(args, stdin), '%s: no %s' % (args, word)


def names_tell_apart():
    text = script(['--kind', 'bars', POST])
    names = re.search(r'^set ytics \(((?:.*\\\n)*.*)\)$', text, re.M).group(1)
    names = re.findall(r"'((?:[^']|'')*)' \d+", names)
    assert len(names) == len(set(names)) == 4, names
    text = script(['--kind', 'bars', '--name', 'load', POST])
    assert "'hackbench" in text


def long_names_keep_what_differs():
    """Names with a long common beginning show the words in which they differ."""
    records_ = []
    for i in range(4):
        record = records(stdin=ROW)[0]
        record['id'] = '%016x' % i
        record['title'] = 'Measured on the same day with the same kernel under load number %d of that list' % i
        records_.append(json.dumps(record, default=float).encode())
    text = script(['--kind', 'bars'], b'\n'.join(records_))
    names = re.findall(r"'((?:[^']|'')*)' \d+", re.search(r'^set ytics \(((?:.*\\\n)*.*)\)$', text, re.M).group(1))
    assert len(names) == 4, names
    for i, name in enumerate(names):
        assert name.startswith('Measured') and '…%d of that' % i in name and len(name) <= 64, names


def picture_tells_what_is_left_out():
    record = records(stdin=ROW)[0]
    record['series'] = [dict(record['series'][0], labels={'cpu': i}) for i in range(70)]
    text = script(['--kind', 'bars'], json.dumps(record, default=float).encode())
    assert 'the first 60 of 70 series' in text and len(blocks(text)[0]) == 60


def tools_are_the_title():
    text = script(['--kind', 'bars'], run(['parse'], ROW)[0] + run(['parse', TABLE])[0])
    assert re.search(r"^set label 'cyclictest, irqbench' at", text, re.M), text[-2000:]


def count_axis_names_are_exact():
    """Powers of ten from one sample to the greatest count, which lies below the end of the axis."""
    for most in (1, 7, 99999, 10 ** 6, 123456789012345):
        record = records(stdin=HISTOGRAM)[0]
        record['series'] = record['series'][:1]
        record['series'][0]['histogram'] = {'bin_width': 1000, 'bins': [[1000, 1], [2000, most]]}
        text = script(['--kind', 'histogram'], json.dumps(record, default=float).encode())
        bottom, top = map(float, re.search(r'^set yrange \[(.*):(.*)\]$', text, re.M).groups())
        assert bottom == 0.5 and top > 1.2 * most, (most, top)
        powers = re.search(r'^set ytics \((.*)\)$', text, re.M)
        if most > 10 ** 5:
            names = re.findall("'10([⁰¹²³⁴⁵⁶⁷⁸⁹]+)' 1e(\\d+)", powers.group(1))
            plain = [(int(n.translate(str.maketrans('⁰¹²³⁴⁵⁶⁷⁸⁹', '0123456789'))), int(e)) for n, e in names]
            assert plain == [(i, i) for i in range(len(str(most)))], names
        else:
            assert not powers, 'small counts are written out'


def few_bins_have_room():
    record = records(stdin=HISTOGRAM)[0]
    record['series'] = record['series'][:1]
    record['series'][0]['histogram'] = {'bin_width': 1000, 'bins': [[5000, 12]]}
    text = script(['--kind', 'histogram'], json.dumps(record, default=float).encode())
    assert 'set xrange [4:7]' in text and 'set xtics 1\n' in text, text


def labels_name_curves():
    with tempfile.TemporaryDirectory() as d:
        path = os.path.join(d, 'h.txt')
        with open(path, 'wb') as f:
            f.write(HISTOGRAM)
        text = script(['old=' + path, 'new=' + path])
    assert len(blocks(text)) == 4
    assert "title 'old, thread 0" in text and "title 'new, thread 1" in text, text[-1500:]


def where_selects():
    assert len(blocks(script(['--where', 'load~hackbench', POST]))[0]) == 2


def records_are_an_input():
    jsonl = run(['parse', POST])[0]
    assert blocks(script([], jsonl)) == blocks(script([POST]))


def merged_records():
    merged = run(['aggregate', '--by', 'board', '--to', 'json', POST])[0]
    assert max(row[2] for row in blocks(script([], merged))[0]) == 602


# pictures

def check_svg(svg):
    root = xml.etree.ElementTree.fromstring(svg)
    assert root.tag == '{http://www.w3.org/2000/svg}svg'
    tags = {e.tag.rsplit('}', 1)[-1] for e in root.iter()}
    assert not tags & {'script', 'image', 'foreignObject', 'iframe'}, tags
    for e in root.iter():
        for name, value in e.attrib.items():
            assert not name.startswith('on') and not re.match(r'(?i)\s*(javascript|data|https?):', value), (name, value)
    return ' '.join(t for e in root.iter() for t in [e.text or ''])


def svg_files():
    need_gnuplot()
    with tempfile.TemporaryDirectory() as d:
        for kind in ('histogram', 'tail', 'bars'):
            path = os.path.join(d, kind + '.svg')
            out, err = run(['plot', '--kind', kind, '-o', path], HISTOGRAM)
            assert not out and not err, err
            with open(path, 'rb') as f:
                text = check_svg(f.read())
            assert 'latency [us]' in text and 'thread 1' in text and 'cyclictest' in text, text
        assert sorted(os.listdir(d)) == ['bars.svg', 'histogram.svg', 'tail.svg']


def corpus_is_drawn():
    """Every case that has numbers gives a valid picture."""
    need_gnuplot()
    drawn = 0
    for path in sorted(glob.glob(os.path.join(CORPUS, '*.txt')) + glob.glob(os.path.join(CORPUS, '*.eml'))):
        p = subprocess.run(PROGRAM + ['plot', '--to', 'svg', path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)
        assert p.returncode in (0, 3), '%s: %d %s' % (path, p.returncode, p.stderr.decode())
        if p.returncode == 0:
            check_svg(p.stdout)
            drawn += 1
    assert drawn > 15, drawn


def png_files():
    need_gnuplot()
    with tempfile.TemporaryDirectory() as d:
        path = os.path.join(d, 'p.png')
        run(['plot', '--size', '640x400', '-o', path, ROWS])
        with open(path, 'rb') as f:
            png = f.read()
    assert png[:8] == b'\x89PNG\r\n\x1a\n' and png.rstrip(b'\n')[-8:-4] == b'IEND', png[-16:]
    assert struct.unpack('>II', png[16:24]) == (640, 400)


def several_exports():
    need_gnuplot()
    with tempfile.TemporaryDirectory() as d:
        run(['plot', '--export', 'svg=a.picture', '--export', 'b.gp', '-o', 'c.png', POST], cwd=d)
        assert sorted(os.listdir(d)) == ['a.picture', 'b.gp', 'c.png'], os.listdir(d)


def script_draws_the_same():
    """The script that --to gnuplot writes is what draws the picture."""
    need_gnuplot()
    text = script([POST]).encode()
    again = subprocess.run([GNUPLOT, '-d', '-'], input=text, stdout=subprocess.PIPE, timeout=60).stdout
    assert again == run(['plot', '--to', 'svg', POST])[0]


def equal_input_equal_bytes():
    need_gnuplot()
    for to in ('svg', 'png', 'gnuplot'):
        assert run(['plot', '--to', to, POST])[0] == run(['plot', '--to', to, POST])[0], to


# hostile texts

EVIL = ('`touch owned`', "'`touch owned`'", "'\"`touch owned`\"'", "'.system('touch owned').'", '"."`touch owned`"', "x'\nsystem 'touch owned'\n#", '@owned', '$(touch owned)',
        "'; !touch owned", "\\'; system 'touch owned'", 'x\\', '%s%n%d', '{/Symbol a}', 'a_b^c', '</text><script>alert(1)</script>',
        '\x1b]0;x\x07', '\u202eabc', 'END', 'x\nEND\nsystem "touch owned"', "''''", "'", '\\', '|touch owned', '<touch owned')


def evil_records():
    out = b''
    for i, text in enumerate(EVIL):
        record = records(stdin=ROW)[0]
        record['id'] = '%016x' % i
        record['title'] = text
        record['environment'] = {'board': text, 'load': text, 'kernel': text}
        record['series'][0]['name'] = text
        record['series'][0]['labels'] = {'context': text}
        out += json.dumps(record, default=float).encode() + b'\n'
    return out


def hostile_texts_run_nothing():
    need_gnuplot()
    lines = evil_records().splitlines(True)
    with tempfile.TemporaryDirectory() as d:
        for stdin in [b''.join(lines)] + lines:
            for args in ([], ['--name', 'board,load'], ['--title', "'`touch owned`'\nsystem 'touch owned'"]):
                if len(stdin) == sum(map(len, lines)) or not args:
                    check_svg(run(['plot', '--to', 'svg'] + args, stdin, cwd=d)[0])
        for text in EVIL:
            record = records(stdin=HISTOGRAM)[0]
            record['title'] = text
            for s in record['series']:
                s['name'] = text
            stdin = json.dumps(record, default=float).encode()
            for kind in ('histogram', 'tail'):
                check_svg(run(['plot', '--kind', kind, '--to', 'svg'], stdin, cwd=d)[0])
        assert os.listdir(d) == [], 'something ran: %s' % os.listdir(d)


def hostile_texts_are_shown():
    """What could act is drawn as it stands."""
    need_gnuplot()
    text = check_svg(run(['plot', '--to', 'svg', '--title', "`date` 'q' \"d\" a_b^2 {x} @y %d \\n"], ROW)[0])
    assert "`date` 'q' \"d\" a_b^2 {x} @y %d \\n" in text, text


def script_has_no_open_quote():
    """Outside of quoted texts the script has only what the program wrote: no name from the input, no line begun by one."""
    text = script(['--kind', 'bars'], evil_records())
    bare = re.sub(r"'[^'\n]*'", "''", text.replace("'.\"'\".'", ''))
    assert 'touch' not in bare and 'system' not in bare and '`' not in bare, bare[:3000]


# trouble

def without_gnuplot():
    with tempfile.TemporaryDirectory() as d:
        _, err = run(['plot', '-o', os.path.join(d, 'x.svg')], ROW, status=2, path=d)
        assert re.search(r'rtreport: gnuplot is not installed.*install.*--to gnuplot', err), err
        assert os.listdir(d) == []
        assert b'\nplot ' in run(['plot', '--to', 'gnuplot'], ROW, path=d)[0], 'the script needs no gnuplot'


def failing_gnuplot():
    """A gnuplot that fails, or draws nothing, leaves the old file as it was."""
    with tempfile.TemporaryDirectory() as d:
        fake, old = os.path.join(d, 'gnuplot'), os.path.join(d, 'old.svg')
        with open(old, 'w') as f:
            f.write('old')
        for body in ('echo half; echo "line 0: no such thing" >&2; exit 1', 'exit 0', 'kill -9 $$'):
            with open(fake, 'w') as f:
                f.write('#!/bin/sh\n' + body + '\n')
            os.chmod(fake, 0o755)
            _, err = run(['plot', '-o', old], ROW, status=2, path=d + ':' + PATH)
            assert 'gnuplot failed' in err, err
            assert open(old).read() == 'old' and sorted(os.listdir(d)) == ['gnuplot', 'old.svg']


def startup_files_are_not_read():
    need_gnuplot()
    with tempfile.TemporaryDirectory() as d:
        with open(os.path.join(d, '.gnuplot'), 'w') as f:
            f.write("system 'touch owned'\n")
        p = subprocess.run(PROGRAM + ['plot', '--to', 'svg'], input=ROW, stdout=subprocess.PIPE, cwd=d, env=dict(os.environ, HOME=d))
        assert p.returncode == 0 and os.listdir(d) == ['.gnuplot'], os.listdir(d)


def wrong_usage():
    for args, word in ((['--kind', 'pie', '-o', 'x.svg'], 'pie'), (['-o', 'x.jpeg'], 'suffix'), ([], '-o FILE'),
                       (['--to', 'pdf'], 'pdf'), (['--size', '10x10', '-o', 'x.svg'], 'size'), (['--unit', 'h', '--to', 'svg'], 'unit'),
                       (['--size', '-640x400', '-o', 'x.svg'], 'size'), (['--name', 'nonsense', '--to', 'svg'], 'nonsense'),
                       (['-o', '/nonexistent/x.gp'], 'x.gp')):
        _, err = run(['plot'] + args + [POST], status=2)
        assert word in err, err


def nothing_to_draw():
    _, err = run(['plot', '--to', 'gnuplot', '--kind', 'histogram', POST], status=3)
    assert 'histogram' in err, err
    run(['plot', '--to', 'gnuplot'], b'nothing here\n', status=3)


TESTS = (histogram_numbers, fine_bins_are_gathered, tail_numbers, samples_numbers, many_samples_keep_extremes, bars_numbers, units, one_axis_one_unit,
         kinds_are_chosen, names_tell_apart, long_names_keep_what_differs, picture_tells_what_is_left_out, tools_are_the_title,
         count_axis_names_are_exact, few_bins_have_room, labels_name_curves, where_selects, records_are_an_input, merged_records,
         svg_files, corpus_is_drawn, png_files, several_exports, script_draws_the_same, equal_input_equal_bytes,
         hostile_texts_run_nothing, hostile_texts_are_shown, script_has_no_open_quote, without_gnuplot, failing_gnuplot,
         startup_files_are_not_read, wrong_usage, nothing_to_draw)


def main():
    print('1..%d' % len(TESTS))
    for i, test in enumerate(TESTS, 1):
        name = test.__name__.replace('_', ' ')
        try:
            test()
            print('ok %d - %s' % (i, name))
        except Skip as e:
            print('ok %d - %s # SKIP %s' % (i, name, e))
        except Exception as e:          # a test may fail in any way
            print('not ok %d - %s: %s' % (i, name, ('%s: %s' % (type(e).__name__, e)).replace('\n', ' ')[:1500]))


main()
