#!/usr/bin/env python3
"""Real runs with what mail, terminals and copying do to them. Whatever is lost, what is read is right: each number of a
damaged text is the undamaged text's, or it is null. Only kinds of damage that can be seen: a digit that just vanishes cannot.
Means and extremes that are computed from the rows (flag derived) are those of fewer rows, and are left out. Reports in TAP."""
import glob
import os
import random
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import suites
import tap

CAPTURES = os.path.join(suites.CORPUS, 'captures')
# These redraw or list a thread's state again and again: without its last row an earlier one is the last, and rightly so.
REDRAWN = re.compile(r'(?si)T: ?0 .*T: ?0 |#1 -> #0.*#1 -> #0|CPU COUNT.*CPU COUNT|CPU Period.*CPU Period|inversions.*inversions')
VALUES = suites.NUMBERS + ('min', 'max')


def blotted(sign):
    """One digit in twenty, of numbers of several digits, became something else."""
    def damage(text):
        r = random.Random(1)
        return re.sub(r'(?<=\d)\d|\d(?=\d)', lambda m: sign if r.random() < 0.05 else m.group(), text)
    return damage


def logged(text):
    """A wrapped row goes on behind a log's date."""
    return ''.join('2021-03-04 10:%02d:%02d %s\n' % (i // 60 % 60, i % 60, line)
                   for i, line in enumerate(suites.rewrapped(text).split('\n')))


DAMAGES = {'question-mark': blotted('?'), 'replacement': blotted('\ufffd'), 'letter': blotted('O'), 'logged': logged}


def figures(records, derived_too):
    """(what, value) of all that was measured. What falls to the reader of typed tables has names of its own, and is left out."""
    out = []
    for r in records:
        if not derived_too and any(f['code'] == 'unit-assumed' for f in r['flags']):
            continue        # the line that names the unit is lost, and the record says so
        derived = not derived_too and any(f['code'] == 'derived' for f in r['flags'])
        for s in r['series'] if r['tool'] != 'table' else ():
            who = (r['tool'], s.get('name'), s['labels'].get('context') if 'labels' in s else None)
            out += [(who + (k,), s[k]) for k in VALUES if s.get(k) is not None and not derived]
            out += [(who + (k,), v) for row in s.get('samples') or [] for k, v in row.items() if k != 'line' and v is not None]
    return out


def check(text, damage):
    damaged = DAMAGES[damage](text).encode()
    known = set(figures(suites.parse(text=text.encode()), True))
    for what, value in figures(suites.parse(text=damaged), False):
        assert (what, value) in known, '%s: %s is no number of the undamaged text' % (what, value)


def crash():
    """A table whose first header row has no cell at all."""
    suites.parse(text=b'> |\n> | > >>>>> max|-overrun|----lat best|---lat worst\n> | > >>>>> RTD|     167.000|     167.000|     167.000|\n')


def main():
    tap.test('header row without cells', crash)
    for path in sorted(glob.glob(os.path.join(CAPTURES, '*.txt'))):
        with open(path, encoding='utf-8', errors='replace', newline='') as f:
            text = f.read()
        if REDRAWN.search(text) or '\r' in text:
            continue
        for d in DAMAGES:
            tap.test('%s/%s' % (d, os.path.basename(path)), check, text, d)
    tap.end()


if __name__ == '__main__':
    main()
