#!/usr/bin/env python3
"""Every fact of the environment, title and command of a corpus record stands in the post it came from, and is short;
what the posts say of other machines is attached to no result. Reports in TAP."""
import email
import email.policy
import json
import os
import quopri
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import suites

LONGEST = 160
# Said in the post, but not of the system that the results are from.
OTHERS = {
    'seed-gpioirqbench-two-boards': ['TQM855L', 'standard PC', 'Ubuntu 7.04 on a'],
    'seed-latency-ppc-and-x86': ['MPC860 platform', 'ELDK v4.x', 'soft'],
    'seed-rt-against-desktop': ['2.4.24', '2.4 kernel', '-RT-2.6.10'],
    'table-rt-against-desktop': ['2.4.24', '2.4 kernel'],
    'cyclictest-qp-cut-in-row': ['6.9', '6.10'],
    'cyclictest-max-wrapped-in-quote': ['CONFIG_HIGH_RES_TIMERS'],
    'cyclictest-pipe-quote-qp': ['i915'],
    'cyclictest-beaglebone-interrupted': ['beaglebone'],
    'klatency-beaglebone-ctrl-c': ['beaglebone', 'xenomai'],
    'ping-rtt-in-comment': ['6.12.85', 'libevl', 'Xenomai4'],
    'latency-kvm-rows-left-out': ['qemu', 'host-1'],
}


def plain(text):
    """What is compared: letters, digits and signs without blanks, marks of quotes and markup."""
    return re.sub(r'[\s>*_`|=\u00a0]', '', text).lower()


def readings(path):
    """The post as it is, decoded as mail, and decoded as quoted-printable."""
    with open(os.path.join(suites.CORPUS, path), 'rb') as f:
        raw = f.read()
    texts = [raw, quopri.decodestring(raw)]
    try:
        for part in email.message_from_bytes(raw, policy=email.policy.default).walk():
            if part.get_content_maintype() == 'text':
                texts.append(part.get_payload(decode=True) or b'')
    except (LookupError, ValueError):
        pass
    return [plain(t.decode('utf-8', 'replace')) for t in texts] + [plain(t.decode('latin-1')) for t in texts]


def facts(record):
    environment = record.get('environment') or {}
    for key, value in environment.items():
        if key == 'config':
            for name, setting in value.items():
                yield 'config.' + name, setting
        else:
            yield key, value


def check(name, path):
    texts = readings(path)
    for i, record in enumerate(suites.parse(path)):
        for key, value in facts(record):
            where = 'record %d, %s %r' % (i, key, value)
            assert isinstance(value, str) and value, where + ' is no text'
            assert len(value) <= LONGEST, where + ' is too long'
            assert any(plain(value) in t for t in texts), where + ' is not in the post'
            for other in OTHERS.get(name, []):
                assert other.lower() not in value.lower(), where + ' is of another machine'
        for key in ('title', 'command'):
            if record.get(key):
                assert any(plain(record[key]) in t for t in texts), 'record %d, %s %r is not in the post' % (i, key, record[key])


def main():
    number = failed = 0
    seen = set()
    for name, path in suites.cases():
        number += 1
        seen.add(name)
        try:
            check(name, path)
            print('ok %d - %s' % (number, name))
        except (AssertionError, subprocess.TimeoutExpired, json.JSONDecodeError) as e:
            failed += 1
            print('not ok %d - %s: %s' % (number, name, e))
    number += 1
    missing = sorted(set(OTHERS) - seen)
    failed += bool(missing)
    print('%sok %d - cases that are named here exist %s' % ('not ' if missing else '', number, ' '.join(missing)))
    print('1..%d' % number)
    sys.exit(1 if failed else 0)


main()
