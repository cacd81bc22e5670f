#!/usr/bin/env python3
"""Runs the tests of rtreport and ends with one line: N passed, N failed, N skipped.

usage: tests/run.py [--build DIR] [--update] [--only SUITE[,SUITE]] [--all] [-v] [CASE...]

  --build DIR    where the program and the unit tests were built (default: build)
  --update       rewrite the golden records of corpus/ for review with git diff
  --only SUITES  some of: unit golden schema wrap mail cli scripts
  --all          also what is heavy (LibreOffice, browsers); else that is counted as skipped
  CASE           only tests whose name contains this

Each test is one function call that raises on failure. Unit tests and the scripts tests/check_*.py
report in TAP (ok / not ok / ok # SKIP) and are counted line by line.
RTREPORT_WRAPPER (for example "valgrind -q --error-exitcode=99") is put before each run of the program.
"""
import argparse
import glob
import os
import re
import shlex
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(HERE)
sys.path.insert(0, HERE)
from suites import Skip             # noqa: E402: beside this file
TIME_LIMIT = 600                        # seconds: a bound for what hangs, not a measurement


class Tally:
    def __init__(self, verbose, words):
        self.passed = self.failed = self.skipped = 0
        self.verbose = verbose
        self.words = words

    def wanted(self, name):
        return not self.words or any(w in name for w in self.words)

    def add(self, name, state, text=''):
        if state == 'ok':
            self.passed += 1
        elif state == 'skip':
            self.skipped += 1
        else:
            self.failed += 1
        if state == 'fail' or self.verbose or state == 'skip':
            print('%-4s %s%s' % (state, name, ': ' + text if text else ''))
            sys.stdout.flush()

    def call(self, name, function, *args):
        if not self.wanted(name):
            return
        try:
            function(*args)
            self.add(name, 'ok')
        except Skip as e:
            self.add(name, 'skip', str(e))
        except subprocess.TimeoutExpired:
            self.add(name, 'fail', 'no end within %d s' % TIME_LIMIT)
        except Exception as e:          # a test may fail in any way
            self.add(name, 'fail', '%s: %s' % (type(e).__name__, e) if not isinstance(e, AssertionError) else str(e))


def run_tap(tally, name, command, env):
    """Runs a program that reports in TAP and counts its lines."""
    if not tally.wanted(name):
        return
    try:
        p = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env, timeout=TIME_LIMIT, cwd=TOP)
    except subprocess.TimeoutExpired:
        tally.add(name, 'fail', 'no end within %d s' % TIME_LIMIT)
        return
    out = p.stdout.decode('utf-8', 'replace')
    lines = re.findall(r'^(ok|not ok)\b *\d*(?: - )?(.*)$', out, re.M)
    for state, what in lines:
        skip = re.search(r'# *SKIP\b *(.*)', what, re.I)
        tally.add('%s: %s' % (name, what.strip()), 'skip' if skip and state == 'ok' else 'ok' if state == 'ok' else 'fail')
    bad = sum(1 for state, _ in lines if state != 'ok')
    if not lines:
        tally.add(name, 'fail', 'reported no test (exit status %d): %s' % (p.returncode, p.stderr.decode('utf-8', 'replace')[-2000:]))
    elif p.returncode and not bad:
        tally.add(name, 'fail', 'exit status %d: %s' % (p.returncode, p.stderr.decode('utf-8', 'replace')[-2000:]))
    elif bad:
        sys.stdout.write(p.stderr.decode('utf-8', 'replace')[-4000:])


def main():
    a = argparse.ArgumentParser(usage=__doc__.split('\n\n')[1])
    a.add_argument('--build', default='build')
    a.add_argument('--update', action='store_true')
    a.add_argument('--only', default='unit,golden,schema,wrap,mail,cli,scripts')
    a.add_argument('--all', action='store_true')
    a.add_argument('-v', action='store_true')
    a.add_argument('case', nargs='*')
    args = a.parse_args()
    os.chdir(TOP)
    build = os.path.abspath(args.build)
    wrapper = shlex.split(os.environ.get('RTREPORT_WRAPPER', ''))
    env = dict(os.environ, LC_ALL='C.UTF-8', TZ='UTC', G_DEBUG='fatal-warnings', CMOCKA_MESSAGE_OUTPUT='TAP',
               RTREPORT=' '.join(shlex.quote(w) for w in wrapper + [os.path.join(build, 'rtreport')]),
               RTREPORT_BUILD=build, RTREPORT_TEST_ALL='1' if args.all else '')
    env.pop('NO_COLOR', None)
    os.environ.clear()
    os.environ.update(env)
    tally = Tally(args.v, args.case)
    suites = args.only.split(',')
    if 'unit' in suites and not args.update:
        for t in sorted(glob.glob(os.path.join(build, 'tests/unit/test_*'))):
            if os.access(t, os.X_OK) and not t.endswith('.d'):
                run_tap(tally, os.path.basename(t), wrapper + [t], env)
    import suites as own
    own.run_suites(tally, suites, args)
    if 'scripts' in suites and not args.update:
        for s in sorted(glob.glob(os.path.join(HERE, 'check_*.py')) + glob.glob(os.path.join(HERE, 'check_*.sh'))):
            run_tap(tally, os.path.basename(s), [sys.executable, s] if s.endswith('.py') else ['sh', s], env)
    print('%d passed, %d failed, %d skipped' % (tally.passed, tally.failed, tally.skipped))
    sys.exit(1 if tally.failed or not tally.passed else 0)


if __name__ == '__main__':
    main()
