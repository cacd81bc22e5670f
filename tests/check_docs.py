#!/usr/bin/env python3
"""README, manual and --help agree with the program. TAP."""
import glob
import json
import os
import re
import shlex
import subprocess
import sys

program = shlex.split(os.environ['RTREPORT'])
build = os.environ['RTREPORT_BUILD']
n = bad = 0


def run(*args, **kw):
    return subprocess.run(program + list(args), stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, **kw)


def test(name, ok, why=''):
    global n, bad
    n += 1
    bad += not ok
    print('%s %d - %s%s' % ('ok' if ok else 'not ok', n, name, '' if ok else ': ' + why))


help_text = run('--help').stdout.decode()
commands = re.findall(r'^  ([a-z]+)  +\S', help_text.split('Commands:')[1].split('\n\n')[0], re.M)
manual = open('man/rtreport.1', encoding='utf-8').read()
readme = open('README.md', encoding='utf-8').read()
schema = open('formats/result.schema.json', encoding='utf-8').read()
json_manual = open('man/rtreport-json.5', encoding='utf-8').read()

test('help lists commands', len(commands) >= 6, help_text[:200])
for c in commands:
    test('manual names ' + c, '.It Cm %s' % c in manual, 'no item in man/rtreport.1')
    test('README names ' + c, re.search(r'\b%s\b' % c, readme) is not None, 'not in README.md')
for option in sorted(set(re.findall(r'`(--[a-z-]+)', readme)) | set(re.findall(r'\brtreport [^\n]*?(--[a-z-]+)', readme))):
    known = any(option in run(c, '--help').stdout.decode() for c in commands)
    test('README option ' + option, known, 'no command has it')
# Every flag code of the schema is explained, and no other.
codes = {c['const'] for c in json.loads(schema)['$defs']['flag']['properties']['code']['anyOf'][0]['oneOf']}
for code in sorted(codes):
    test('manual explains ' + code, re.search(r'^\.It Li %s$' % code, json_manual, re.M) is not None, 'not in man/rtreport-json.5')
# What README shows is what the program prints.
shown = re.search(r'this is what `rtreport (corpus/\S+)`[^\n]*:\n\n```\n(.*?)\n```', readme, re.S)
if shown:
    out = run('show', '--width', '100', shown.group(1)).stdout.decode()
    test('README shows the real report', shown.group(2).strip() in out, 'differs from: ' + out[:600].replace('\n', '\\n'))
else:
    test('README shows a report', False, 'no example found')
linter = subprocess.run(['sh', '-c', 'command -v mandoc'], stdout=subprocess.DEVNULL).returncode == 0
if linter:
    subprocess.run(['make', '-s', 'man', 'BUILD=' + build], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    pages = glob.glob('man/*.[15]') + [p for p in (os.path.join(build, 'man/rtreport-%s.1' % c) for c in commands) if os.path.exists(p)]
    p = subprocess.run(['mandoc', '-Tlint', '-Wwarning'] + pages, stdout=subprocess.PIPE)
    test('manual pages are sound', p.returncode == 0, p.stdout.decode()[:500].replace('\n', '; '))
else:
    n += 1
    print('ok %d - manual pages are sound # SKIP mandoc is missing' % n)
print('1..%d' % n)
sys.exit(1 if bad else 0)
