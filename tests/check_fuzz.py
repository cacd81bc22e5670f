#!/usr/bin/env python3
"""Replays the corpus, and mutations of it, through the fuzz targets. TAP."""
import glob
import os
import shlex
import subprocess
import sys

build = os.environ['RTREPORT_BUILD']
wrapper = shlex.split(os.environ['RTREPORT'])[:-1]
files = sorted(f for f in glob.glob('corpus/**/*', recursive=True) + glob.glob('tests/fuzz/found/*')
               if os.path.isfile(f) and not f.endswith(('.md', '.wrap', '.want.json')))
records = [f for f in files if f.endswith('.json')]
inputs = [f for f in files if not f.endswith('.json')]
if len(wrapper):
    inputs = inputs[:4]                 # under valgrind a few must do
n = bad = 0
for target, given in (('fuzz_text', inputs), ('fuzz_mail', inputs), ('fuzz_json', records)):
    if not given:
        continue
    p = subprocess.run(wrapper + [os.path.join(build, 'tests/fuzz', target)] + given, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, timeout=550)
    done = p.stdout.decode().count('\nok ') + p.stdout.decode().startswith('ok ')
    n += 1
    if p.returncode or done != len(given):
        bad += 1
        print('not ok %d - %s: exit status %d after %d of %d files' % (n, target, p.returncode, done, len(given)))
        sys.stderr.write(p.stderr.decode('utf-8', 'replace')[-3000:])
    else:
        print('ok %d - %s: %d files and their mutations' % (n, target, done))
print('1..%d' % n)
sys.exit(1 if bad else 0)
