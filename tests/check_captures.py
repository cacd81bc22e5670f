#!/usr/bin/env python3
"""Real runs, as the tools wrote them, against what each must give. corpus/captures/NAME.want.json was made from the
tool's grammar and the capture alone, before any parser read it. Then the same text quoted, behind a log's prefix and in a fence must give the same numbers. Reports in TAP.

It is the list of records; of each: tool, perhaps mode and settings, and series. A series states all numbers that it may
hold: any other number, series or record is a failure. A key that ends with ? may also be absent or null, one that ends
with ~ is contained in the text; a list in place of a number holds all that is right. In labels, null is an absent label.
Histograms: tail is [lower, count] of a last bin that also holds what lies beyond it: a bin or the overflow. An object
{"why": ..., "any": [...]} has several lists of records, each of them right."""
import functools
import glob
import json
import os
import sys
from decimal import Decimal

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import suites

CAPTURES = os.path.join(suites.CORPUS, 'captures')
STATISTICS = ('min', 'avg', 'max', 'last', 'stddev', 'mdev', 'value', 'count', 'overruns', 'mode_switches', 'samples',
              'histogram', 'interval_minima', 'interval_maxima', 'percentiles')


def exact(text):
    return json.loads(text, parse_float=Decimal)


def parse(path):
    p = suites.run(['parse', path])
    assert p.returncode in (0, 3), 'exit status %d: %s' % (p.returncode, p.stderr.decode('utf-8', 'replace')[-500:])
    return [exact(line) for line in p.stdout.decode('utf-8').splitlines() if line.strip()]


def is_value(want, got):
    return got in want if isinstance(want, list) else want == got


def total(histogram):
    return sum(b[1] for b in histogram['bins']) + (histogram.get('overflow') or 0)


def check_histogram(want, got, where):
    assert isinstance(got, dict), '%s: no histogram' % where
    if 'bin_width' in want:
        assert got['bin_width'] == want['bin_width'], '%s: bins are %s wide, not %s' % (where, got['bin_width'], want['bin_width'])
    bins = [b[:2] for b in got['bins']]
    tail = want.get('tail')
    if tail and tail[1] and (got.get('overflow') or 0) == tail[1]:
        pass
    elif tail:
        assert not got.get('overflow'), '%s: overflow %s, not %s' % (where, got.get('overflow'), tail[1])
        assert not tail[1] or tail in bins, '%s: no last bin %s' % (where, tail)
        bins = [b for b in bins if b != tail]
    else:
        for key in ('overflow', 'overflow?'):
            value = got.get('overflow')
            assert key not in want or value == want[key] or (key[-1] == '?' and value is None), \
                '%s: overflow %s, not %s' % (where, value, want[key])
    assert bins == want['bins'], '%s: %d bins, not %d; first difference: %s, not %s' % (
        where, len(bins), len(want['bins']),
        *next(((g, w) for g, w in zip(bins + [None] * 9999, want['bins'] + [None]) if g != w), ('none', 'none')))


def check_rows(want, got, where):
    assert isinstance(got, list) and len(got) == len(want), '%s: %d rows, not %d' % (where, len(got or []), len(want))
    for i, row in enumerate(want):
        for key, value in row.items():
            have = got[i].get(key.rstrip('?'))
            assert have == value or (key[-1] == '?' and have is None), '%s %d: %s %s, not %s' % (where, i, key, have, value)


def check_numbers(want, got, where):
    """What a series, or its interval extremes, may hold."""
    for key in STATISTICS:
        have, there = got.get(key), '%s/%s' % (where, key)
        optional = key not in want
        value = want.get(key, want.get(key + '?'))
        if have is None and (optional or value is None or (isinstance(value, list) and None in value)):
            continue
        assert key in want or key + '?' in want, '%s: %s is not in the capture' % (there, str(have)[:80])
        if key == 'histogram':
            check_histogram(value, have, there)
        elif key == 'samples':
            check_rows(value, have, there)
        elif key in ('interval_minima', 'interval_maxima'):
            assert have is not None, '%s: absent' % there
            check_numbers(value, have, there)
        else:
            assert is_value(value, have), '%s: %s, not %s' % (there, have, value)


def labelled(want, got):
    return any(all(got.get('labels', {}).get(k) == v for k, v in labels.items())
               for labels in (want if isinstance(want, list) else [want]))


def check_series(want, got, where):
    if 'unit' in want:
        assert got.get('unit') == want['unit'] or isinstance(want['unit'], list) and got.get('unit') in want['unit'], \
            '%s: unit %s' % (where, got.get('unit'))
    if 'quantity' in want:
        assert got['quantity'] == want['quantity'], '%s: quantity %s' % (where, got['quantity'])
    if 'quantity~' in want:
        assert want['quantity~'] in got['quantity'], '%s: quantity %s' % (where, got['quantity'])
    check_numbers(want, got, where)


def check_record(want, got, where):
    for key in ('tool', 'mode'):
        assert key not in want or got.get(key) == want[key], '%s: %s %s, not %s' % (where, key, got.get(key), want[key])
    for key, value in want.get('settings', {}).items():
        have = got.get('settings', {}).get(key)
        assert have == value, '%s: %s %s, not %s' % (where, key, have, value)
    assert len(got['series']) == len(want['series']), '%s: %d series, not %d' % (where, len(got['series']), len(want['series']))
    rest = list(got['series'])
    for i, series in enumerate(want['series']):
        mine = next((s for s in rest if labelled(series.get('labels', {}), s)), None)
        assert mine is not None, '%s/series/%d: none with labels %s, but %s' % (
            where, i, series['labels'], [s.get('labels') for s in rest][:4])
        rest.remove(mine)
        check_series(series, mine, '%s/series/%d' % (where, i))


def check_records(want, got):
    assert len(got) == len(want), '%d records (%s), not %d' % (len(got), ' '.join(r['tool'] for r in got), len(want))
    for i, record in enumerate(want):
        check_record(record, got[i], '/%d' % i)


def check(path, want):
    got = parse(path)
    if not isinstance(want, dict):
        return check_records(want, got)
    failures = []
    for one in want['any']:
        try:
            return check_records(one, got)
        except AssertionError as e:
            failures.append(str(e))
    raise AssertionError('; or '.join(failures))


def prefixed(text):
    return ''.join('bench-1  | %s\n' % line for line in text.split('\n'))


def fenced(text):
    return 'What it gave here:\n\n```\n%s\n```\n\nThanks!\n' % text


WRAPPINGS = (suites.quoted('> ', 1), prefixed, fenced)


def check_wrapped(path):
    with open(path, encoding='utf-8', newline='') as f:
        text = f.read()
    plain = suites.numbers(suites.parse(text=text.encode('utf-8')))
    for wrapping in WRAPPINGS:
        got = suites.numbers(suites.parse(text=wrapping(text).encode('utf-8')))
        assert got == plain, '%s: %d series, not %d; first difference: %s' % (
            wrapping.__name__, len(got), len(plain),
            next(('%s, not %s' % (g, w) for g, w in zip(got, plain) if g != w), 'none'))


def tests():
    """Name and function of every test."""
    for path in sorted(glob.glob(os.path.join(CAPTURES, '*.txt'))):
        name = os.path.basename(path)[:-4]
        with open(path[:-4] + '.want.json', encoding='utf-8') as f:
            want = exact(f.read())
        yield 'captures/' + name, functools.partial(check, os.path.relpath(path, suites.CORPUS), want)
        if want and len(suites.program()) == 1:      # not under valgrind
            yield 'captures/wrapped/' + name, functools.partial(check_wrapped, path)


def main():
    every = list(tests())
    print('1..%d' % len(every))
    failed = 0
    for i, (name, function) in enumerate(every, 1):
        try:
            function()
            print('ok %d - %s' % (i, name))
        except AssertionError as e:
            failed += 1
            print('not ok %d - %s' % (i, name))
            print('\n'.join('# ' + line for line in str(e).splitlines()))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
