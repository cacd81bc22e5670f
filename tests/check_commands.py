"""Files that are written, facts that are set, selections: what parse, explain and validate promise. Reports in TAP."""
import json
import os
import shlex
import signal
import subprocess
import tempfile
import time

PROGRAM = shlex.split(os.environ['RTREPORT'])
ROW = b'T: 0 ( 1853) P:80 I:1000 C:  10000 Min:     36 Act:  156 Avg:  154 Max:     244\n'
OTHER = b'\n# cyclictest -t1 -p 99\nT: 0 (  999) P:99 I:1000 C:     50 Min:      3 Act:    5 Avg:    6 Max:      17\n'


def run(args, stdin=ROW, cwd=None):
    return subprocess.run(PROGRAM + args, input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=cwd)


def records(p):
    return [json.loads(line) for line in p.stdout.decode().splitlines()]


def file_replaces_what_a_link_points_to():
    with tempfile.TemporaryDirectory() as d:
        real, link = os.path.join(d, 'real.jsonl'), os.path.join(d, 'link.jsonl')
        with open(real, 'w') as f:
            f.write('old')
        os.chmod(real, 0o640)
        os.symlink('real.jsonl', link)
        assert run(['parse', '-o', link]).returncode == 0
        assert os.path.islink(link) and os.stat(real).st_mode & 0o777 == 0o640
        with open(real) as f:
            assert json.loads(f.read())['tool'] == 'cyclictest'
        assert sorted(os.listdir(d)) == ['link.jsonl', 'real.jsonl']


def signal_leaves_no_file():
    with tempfile.TemporaryDirectory() as d:
        p = subprocess.Popen(PROGRAM + ['parse', '-o', os.path.join(d, 'out.jsonl')], stdin=subprocess.PIPE)
        for _ in range(500):
            if os.listdir(d):
                break
            time.sleep(0.02)
        assert os.listdir(d), 'nothing is written aside'
        p.send_signal(signal.SIGTERM)
        p.wait()
        p.stdin.close()
        assert p.returncode == -signal.SIGTERM, p.returncode
        assert os.listdir(d) == [], os.listdir(d)


def failure_keeps_the_old_file():
    with tempfile.TemporaryDirectory() as d:
        assert run(['parse', '-o', d]).returncode == 2
        assert os.listdir(d) == []


def set_facts_are_flagged():
    r = records(run(['parse', '--set', 'board=Bench 1', '--set', 'config.CONFIG_HZ=1000']))[0]
    assert r['environment'] == {'board': 'Bench 1', 'config': {'CONFIG_HZ': '1000'}}, r['environment']
    assert [f['where'] for f in r['flags'] if f['code'] == 'user-set'] == ['/environment/board',
                                                                           '/environment/config/CONFIG_HZ']


def set_never_overrides():
    r = records(run(['parse', '--set', 'board=mine'], stdin=b'board: BeagleBone Black\n\n' + ROW))[0]
    assert 'BeagleBone' in r['environment']['board'], r['environment']


def facts_from_a_file():
    with tempfile.NamedTemporaryFile('w', suffix='.facts') as f:
        f.write('# of the bench\n\nboard = Bench 1\nload=idle\n')
        f.flush()
        r = records(run(['parse', '--set-from', f.name]))[0]
        assert r['environment'] == {'board': 'Bench 1', 'load': 'idle'}, r['environment']
        f.write('nonsense\n')
        f.flush()
        p = run(['parse', '--set-from', f.name])
        assert p.returncode == 2 and b':5: ' in p.stderr, p.stderr


def unknown_fact():
    p = run(['parse', '--set', 'colour=blue'])
    assert p.returncode == 2 and b'board, cpu' in p.stderr, p.stderr


def where_selects():
    got = records(run(['parse', '--where', 'max>100us'], stdin=ROW + OTHER))
    assert [s['max'] for r in got for s in r['series']] == [244000], got
    p = run(['parse', '--where', 'max>1s'], stdin=ROW)
    assert p.returncode == 3 and b'none of the 1' in p.stderr, p.stderr
    p = run(['parse', '--where', 'max>('], stdin=ROW)
    assert p.returncode == 2 and b'\n    max>(' in p.stderr, p.stderr


def pretty_of_nothing_is_an_array():
    p = run(['parse', '--pretty'], stdin=b'no results\n')
    assert p.returncode == 3 and json.loads(p.stdout) == []


def samples_are_left_out():
    rows = b''.join(b'RTD|%11.3f|%11.3f|%11.3f|%8d|%6d|%11.3f|%11.3f\n' % (2, 3, 4 + i, 0, 0, 2, 4 + i) for i in range(5))
    head = b'RTH|----lat min|----lat avg|----lat max|-overrun|---msw|---lat best|--lat worst\n'
    full = records(run(['parse'], stdin=head + rows))[0]['series'][0]
    none = records(run(['parse', '--samples=no'], stdin=head + rows))[0]['series'][0]
    assert len(full['samples']) == 5 and 'samples' not in none
    assert full['max'] == none['max'] == 8000


def misspelt_command():
    p = run(['prase'])
    assert p.returncode == 2 and b'no command; the commands are' in p.stderr, p.stderr


def explain_marks_lines():
    p = run(['explain'], stdin=b'Hello\n\n# cyclictest -p 80\n' + ROW)
    lines = p.stdout.decode().splitlines()
    assert any(line.split()[:2] == ['4', '+'] and line.endswith('<- cyclictest') for line in lines), lines
    assert any(line.split() == ['1', 'Hello'] for line in lines), lines
    assert any(line.split()[:2] == ['3', '$'] for line in lines), lines
    brief = run(['explain', '--brief'], stdin=b'Hello\n\n' + ROW).stdout.decode()
    assert '1   Hello' not in brief and 'T: 0' in brief


def validate_names_record_and_place():
    bad = run(['parse']).stdout.replace(b'"avg":154000', b'"avg":1540000')
    p = run(['validate'], stdin=bad)
    assert p.returncode == 1 and b'record 1: /series/0: the average is above the maximum' in p.stderr, p.stderr
    assert run(['validate'], stdin=b'').returncode == 3
    p = run(['validate'], stdin=b'{"schema":"rtreport/1"\n')
    assert p.returncode == 1 and b'-:1: ' in p.stderr, p.stderr


TESTS = (file_replaces_what_a_link_points_to, signal_leaves_no_file, failure_keeps_the_old_file, set_facts_are_flagged,
         set_never_overrides, facts_from_a_file, unknown_fact, where_selects, pretty_of_nothing_is_an_array,
         samples_are_left_out, misspelt_command, explain_marks_lines, validate_names_record_and_place)


def main():
    print('1..%d' % len(TESTS))
    for i, test in enumerate(TESTS, 1):
        try:
            test()
            print('ok %d - %s' % (i, test.__name__))
        except Exception as e:
            print('not ok %d - %s' % (i, test.__name__))
            print('# ' + str(e).replace('\n', ' ')[:400])


if __name__ == '__main__':
    main()
