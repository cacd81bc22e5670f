"""diff, compare and aggregate over corpus/: kernels, boards and loads of real posts, gates, merging. Reports in TAP."""
import itertools
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import unittest
from decimal import Decimal

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAM = os.path.abspath(os.path.join(os.environ.get('RTREPORT_BUILD', os.path.join(TOP, 'build')), 'rtreport'))
CORPUS = os.path.join(TOP, 'corpus')
RUN = '%s{"schema":"rtreport/1","kind":"run","id":"%016x","tool":"cyclictest","mode":null,"settings":{},"environment":%s,' \
      '"series":[{"name":null,"labels":{},"unit":"ns","resolution":1000,"min":1000,"avg":%d,"max":%d,"count":%d}],' \
      '"source":{"file":"%s"},"flags":[]}\n'


def program(*args, text=''):
    p = subprocess.run([PROGRAM, *args], input=text.encode(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=CORPUS, timeout=300)
    return p.returncode, p.stdout.decode(), p.stderr.decode()


def tables(*args):
    status, out, err = program(*args, '--to', 'json')
    assert status == 0, err
    return json.loads(out)['tables']


def headings(table):
    return [((c.get('group') or '') + '/' + c['heading']).strip('/') for c in table['columns']]


def posts():
    """The posts themselves, without the golden records beside them."""
    return sorted(n for n in os.listdir(CORPUS) if n.endswith(('.txt', '.eml', '.mbox')))


def records(*args):
    status, out, err = program(*args)
    assert status == 0, err
    return [json.loads(line) for line in out.splitlines()]


def run(n, board='b', load=None, average=5000, maximum=40000, count=1000, file='f'):
    environment = {'board': board}
    if load:
        environment['load'] = load
    return RUN % ('', n, json.dumps(environment), average, maximum, count, file)


class Corpus(unittest.TestCase):
    """The systems and loads that the posts name, side by side."""

    def setUp(self):
        self.all = records('parse', *posts())

    def values(self, key):
        return {r['environment'][key] for r in self.all if key in r.get('environment', {})}

    def test_boards_across(self):
        heads = set(itertools.chain(*(headings(t) for t in tables('compare', '--stat', 'max', *posts()))))
        boards = self.values('board')
        self.assertGreaterEqual(len(boards), 3)
        self.assertLessEqual({b for b in heads if b in boards}, boards)
        self.assertGreaterEqual(len(boards & heads), 3)

    def test_usual_statistics_are_filled(self):
        """Nobody asked for the usual statistics: one that no result has is not shown. What is asked for is shown."""
        post = 'seed-gpioirqbench-two-boards.txt'       # minima and maxima only
        table, = tables('compare', post)
        self.assertIn('shown: max', table.get('facts') or [])
        self.assertFalse([h for h in headings(table) if h.endswith('/avg')], headings(table))
        table, = tables('compare', '--stat', 'avg,max', post)
        self.assertEqual(len([h for h in headings(table) if h.endswith('/avg')]), 2)

    def test_kernels_down(self):
        down = set()
        for table in tables('compare', '--row', 'kernel', '--col', 'board', '--stat', 'max', *posts()):
            at = headings(table).index('kernel')
            down |= {row[at] for row in table['rows']}
        self.assertLessEqual(self.values('kernel'), down)

    def test_loads_across_one_post(self):
        """The worst of each load is the greatest maximum that the post has for it."""
        post = 'seed-omap3530-load-and-idle.eml'
        expected = {}
        for r in records('parse', post):
            load = r['environment'].get('load', 'not stated')
            for s in r['series']:
                if s.get('max') is not None:
                    expected[load] = max(expected.get(load, 0), s['max'])
        self.assertGreaterEqual(len(expected), 2)
        found = {}
        for table in tables('compare', '--col', 'load', '--stat', 'max', '--unit', 'ns', post):
            for row in table['rows']:
                for heading, value in zip(headings(table), row):
                    if heading in expected and value is not None:
                        found[heading] = max(found.get(heading, 0), value)
        self.assertEqual(found, expected)

    def test_diff_of_two_loads(self):
        found = tables('diff', '--col', 'load', 'seed-omap3530-load-and-idle.eml')
        titles = [t.get('title', '') for t in found]
        self.assertIn('Environment', titles)
        rows = [row for t in found if '→' in t.get('title', '') for row in t['rows']]
        self.assertTrue(any('max' in row for row in rows))
        self.assertTrue(all(row[-1] for t in found if '→' in t.get('title', '') and not t['title'].startswith('Counts') for row in t['rows']))

    def test_same_file_is_same(self):
        for post in posts():
            status, out, _ = program('diff', '--to', 'json', post, 'copy=' + post)
            if status == 3:
                continue
            for table in json.loads(out)['tables']:
                self.assertNotEqual(table.get('title'), 'Not matched', post)
                for row in table['rows']:
                    self.assertFalse(str(row[-1]).startswith(('better', 'worse', 'different', 'inconclusive')), (post, row))

    def test_aggregate_agrees_with_the_parts(self):
        merged = {}
        for r in records('aggregate', '--by', 'board,kernel', *posts()):
            self.assertEqual(r['kind'], 'merged')
            for s in r['series']:
                if s.get('sum') and s.get('avg') is not None and 'weights' not in s:
                    mean = Decimal(s['sum']) / Decimal(s['weight'])
                    self.assertLess(abs(mean - Decimal(str(s['avg']))), abs(mean) * Decimal('1e-13') + Decimal('1e-12'))
            merged[r['tool']] = merged.get(r['tool'], 0) + r['runs']
        runs = {}
        for r in self.all:
            runs[r['tool']] = runs.get(r['tool'], 0) + 1
        self.assertEqual(merged, runs)

    def test_parts_in_any_order(self):
        """Aggregates of the posts one by one, aggregated again, give the bytes of all at once."""
        with tempfile.TemporaryDirectory() as folder:
            names = []
            for i, post in enumerate(posts()):
                status, out, _ = program('aggregate', '--by', 'board', post)
                if status:
                    continue
                names.append(os.path.join(folder, '%d.jsonl' % i))
                with open(names[-1], 'w', encoding='utf-8') as f:
                    f.write(out)
            results = set()
            for seed in range(4):
                random.Random(seed).shuffle(names)
                results.add(program('aggregate', '--by', 'board', *names)[1])
            self.assertEqual(len(results), 1)
            self.assertGreater(len(results.pop().splitlines()), 10)


class Gates(unittest.TestCase):
    """Exit statuses, as a build would see them."""

    def setUp(self):
        self.folder = tempfile.mkdtemp()

    def tearDown(self):
        shutil.rmtree(self.folder)

    def file(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, 'w', encoding='utf-8') as f:
            f.write(text)
        return path

    def gate(self, *args, base=40000, new=60000):
        return program('diff', *args, self.file('base', run(1, maximum=base)), self.file('new', run(2, maximum=new)))

    def test_statuses(self):
        limits = self.file('limits', '# of the lab\ncyclictest - b: max<=50us\nping: max<=1ms\n')
        for args, status in (((), 0), (('--fail-on', 'max>+10%'), 1), (('--fail-on', 'max>+50%'), 0), (('--fail-on', 'max>+10us'), 1),
                             (('--fail-on', 'max>+20us'), 0), (('--fail-on', 'worse'), 1), (('--fail-on', 'better'), 0),
                             (('--fail-on', 'max:changed'), 1), (('--fail-on', 'avg:worse'), 0), (('--fail-on', 'p99>+10%'), 3),
                             (('--fail-on', 'max>10%'), 3), (('--fail-on', 'max>'), 2), (('--limits', limits), 1),
                             (('--limits', self.file('none', 'ping: max<=1ms\n')), 3), (('--limits', self.file('bad', 'nonsense\n')), 2),
                             (('--limits', limits + 'x'), 2), (('--fail-on', 'worse', '--where', 'board=other'), 3),
                             (('--where', 'max>>5us'), 2), (('--where', 'max>5'), 2), (('--min-effect', '60%', '--fail-on', 'max:worse'), 0)):
            self.assertEqual(self.gate(*args)[0], status, args)

    def test_tripped_gate_says_what(self):
        _, _, err = self.gate('--fail-on', 'max>+10%')
        for part in ('max>+10%', 'cyclictest', '40 us', '60 us'):
            self.assertIn(part, err)

    def test_caret(self):
        _, _, err = self.gate('--where', 'tool=cyclictest bord=x')
        lines = err.splitlines()
        self.assertEqual(lines[-1].index('^'), lines[-2].index('bord'))

    def test_no_match_is_no_pass(self):
        one = self.file('one', run(1, load='idle'))
        two = self.file('two', run(2, load='hackbench'))
        self.assertEqual(program('diff', '--fail-on', 'worse', one, two)[0], 3)
        self.assertEqual(program('diff', one, two)[0], 0)
        self.assertEqual(program('diff', '--ignore', 'load', '--fail-on', 'worse', one, two)[0], 0)

    def test_limits_on_one_input(self):
        limits = self.file('limits', 'cyclictest: max<=50us\n')
        self.assertEqual(program('diff', '--limits', limits, self.file('low', run(1, maximum=40000)))[0], 0)
        self.assertEqual(program('diff', '--limits', limits, self.file('high', run(1, maximum=60000)))[0], 1)

    def test_base_by_label(self):
        one = self.file('one', run(1, maximum=60000))
        two = self.file('two', run(2, maximum=40000))
        self.assertEqual(program('diff', '--fail-on', 'max:worse', 'a=' + one, 'b=' + two)[0], 0)
        self.assertEqual(program('diff', '--fail-on', 'max:worse', '--base', 'b', 'a=' + one, 'b=' + two)[0], 1)
        self.assertEqual(program('diff', '--base', 'c', 'a=' + one, 'b=' + two)[0], 2)

    def test_order_of_records_does_not_matter(self):
        """Shuffled runs: paired by what they are, tested by rank."""
        base = [run(i, board=b, maximum=40000 + 1000 * i) for b in 'xy' for i in range(5)]
        new = [run(i, board=b, maximum=(70000 if b == 'x' else 40000) + 1000 * i) for b in 'xy' for i in range(5)]
        results = set()
        for seed in range(3):
            random.Random(seed).shuffle(new)
            results.add(program('diff', '--by', 'board', '--to', 'csv', self.file('base', ''.join(base)), self.file('new', ''.join(sorted(new, key=lambda r: '"x"' not in r))))[1])
        self.assertEqual(len(results), 1)
        self.assertIn('worse (p=0.0079, 5 and 5 runs)', results.pop())

    def test_percentiles_only_from_merged_bins(self):
        one = run(1).replace('"count":1000', '"count":10,"percentiles":{"99":5}')
        out = program('aggregate', text=one + one.replace('"f"', '"g"'))[1]
        self.assertNotIn('percentiles', out)
        self.assertIn('"runs":2', out)


class Reporter(unittest.TextTestResult):
    def stopTest(self, test):
        super().stopTest(test)
        failed = [t for t, _ in self.failures + self.errors if t is test]
        print('%sok %d - %s' % ('not ' if failed else '', self.testsRun, test.id().split('.', 1)[-1]), flush=True)
        for t, text in self.failures + self.errors:
            if t is test:
                print(''.join('# %s\n' % line for line in text.splitlines()), end='', flush=True)


def main():
    suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules[__name__])
    print('1..%d' % suite.countTestCases())
    unittest.TextTestRunner(stream=open(os.devnull, 'w'), resultclass=Reporter).run(suite)


if __name__ == '__main__':
    main()
