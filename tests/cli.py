"""Commands as a user meets them: exit statuses, messages, help, files written, bad input."""
import json
import os
import re
import subprocess
import tempfile

from suites import CORPUS, TOP, Skip, program, records, run

SEED = 'seed-omap3530-load-and-idle.eml'
TABLE = 'seed-gpioirqbench-two-boards.txt'
ROW = b'T: 0 ( 1853) P:80 I:1000 C:  10000 Min:     36 Act:  156 Avg:  154 Max:     244\n'


def expect(args, status, out=None, err=None, stdin=b'', cwd=CORPUS, env=None):
    p = run(args, stdin=stdin, cwd=cwd, env=env)
    text = p.stderr.decode('utf-8', 'replace')
    assert p.returncode == status, 'exit status %d instead of %d; says: %s' % (p.returncode, status, text[-1500:])
    stdout = p.stdout.decode('utf-8')           # output is always valid UTF-8
    if out is not None:
        assert re.search(out, stdout, re.S), 'no %r in output: %s' % (out, stdout[:1500])
    if err is not None:
        assert re.search(err, text, re.S), 'no %r in messages: %s' % (err, text[:1500])
    return stdout, text


# what there is

def version():
    out, _ = expect(['--version'], 0, out=r'^rtreport \d+\.\d+\.\d+')


def help_names_every_command():
    out, _ = expect(['--help'], 0)
    for c in commands():
        assert re.search(r'^\s+%s\b' % c, out, re.M), 'no ' + c


def commands():
    names = [f[:-2] for f in os.listdir(os.path.join(TOP, 'cmd')) if f.endswith('.c')]
    return sorted(set(names) & {'show', 'parse', 'explain', 'diff', 'compare', 'aggregate', 'render', 'plot', 'serve', 'formats', 'validate'})


def help_of(command):
    out, _ = expect([command, '--help'], 0, out=r'(?i)usage')
    assert 'rtreport %s' % command in out, 'usage does not show the command'
    assert re.search(r'(?i)example', out), 'no example'


def unknown_option():
    expect(['parse', '--no-such-option'], 2, err=r'rtreport: .*no-such-option')


def misplaced_inputs():
    """A file where none is read, and raw output where records are checked: the message says what to do."""
    expect(['formats', SEED], 2, err=r'(?s)formats reads nothing.*rtreport \S+ shows')
    expect(['validate', SEED], 1, err=r'rtreport parse makes records')


def values_attached_to_letters():
    """-j1 and -tcsv, also where a value looks like an option, and not behind --."""
    for command in ('show', 'parse', 'explain', 'compare', 'aggregate', 'render'):
        expect([command, '-j1', SEED], 0, out=r'.')
        expect([command, '-j', '1', SEED], 0, out=r'.')
        expect([command, '-jx', SEED], 2, err=r'(?i)integer value')
    with tempfile.TemporaryDirectory() as d:
        expect(['parse', '-o' + os.path.join(d, 'out.jsonl'), SEED], 0, out=r'^$')
        with open(os.path.join(d, 'out.jsonl'), encoding='utf-8') as f:
            assert f.read(), 'nothing written'
    expect(['render', '-tcsv', '--sort', '-worst', SEED], 2, err=r'-?worst')
    expect(['parse', '--', '-j1'], 2, err=r"-j1: cannot be read")


# bad input

def empty_input():
    expect(['parse'], 3, out=r'^$')


def binary_input():
    expect(['parse'], 3, stdin=bytes(range(256)) * 500)


def prose_only():
    expect(['show'], 3, stdin=b'The worst latency was 27 us, on average it is 5 us.\n')


def missing_file():
    expect(['parse', 'no-such-file.txt'], 2, err=r'rtreport: no-such-file\.txt: .*[Nn]o such file')


def kernel_files():
    """Their size is said to be 0, and they have content."""
    if not os.path.exists('/proc/self/status'):
        raise Skip('no /proc')
    expect(['explain', '/proc/self/status'], 3, out=r'Name:')


def missing_file_among_others():
    out, _ = expect(['parse', 'no-such-file.txt', SEED], 2)
    assert len(records(out.encode())) == 4


def unreadable_directory():
    if os.geteuid() == 0:
        raise Skip('root may read everything')
    with tempfile.TemporaryDirectory() as d:
        closed = os.path.join(d, 'closed')
        os.mkdir(closed)
        os.chmod(closed, 0)
        try:
            expect(['parse', closed, SEED], 2, err=r'closed')
        finally:
            os.chmod(closed, 0o700)


def truncated_row():
    out, _ = expect(['parse'], 0, stdin=b'T: 0 ( 1853) P:80 I:1000 C:  10000 Min:     36 Act:  156 A')
    r = records(out.encode())
    assert len(r) == 1 and r[0]['series'][0]['min'] == 36000
    assert r[0]['series'][0].get('max') is None
    assert 'row-truncated' in [f['code'] for f in r[0]['flags']]


def number_too_large():
    out, _ = expect(['parse'], 0, stdin=ROW.replace(b'    244', b'12345678901234567890'))
    r = records(out.encode())
    assert r[0]['series'][0].get('max') is None, r[0]['series'][0]
    assert 'out-of-range' in [f['code'] for f in r[0]['flags']]


def damaged_is_told_when_strict():
    cut = b'T: 0 ( 1853) P:80 I:1000 C:  10000 Min:     36 Act:  156 A'
    expect(['parse', '--strict'], 4, stdin=cut)
    expect(['parse', '--strict'], 0, stdin=ROW)


def is_sanitized(path):
    """AddressSanitizer maps more memory than there is."""
    with open(path, 'rb') as binary:
        return b'__asan_' in binary.read()


def long_line():
    """256 MiB without a line end, made on the fly: told with file and line, memory bounded, the next input read."""
    import resource
    command = program() + ['parse', '-', SEED]

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))

    bounded = None if len(program()) > 1 or is_sanitized(program()[0]) else limit
    p = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=CORPUS,
                         preexec_fn=bounded)
    block = b'x' * (1 << 20)
    for _ in range(256):
        p.stdin.write(block)
    p.stdin.close()
    out = p.stdout.read()
    err = p.stderr.read().decode()
    assert p.wait() == 0, 'exit status %d: %s' % (p.returncode, err[-500:])
    assert len(records(out)) == 4
    assert re.search(r'rtreport: .*:1: .*long', err), err[:500]


# output

def output_is_whole_or_absent():
    with tempfile.TemporaryDirectory() as d:
        path = os.path.join(d, 'out.csv')
        expect(['render', '-o', path, SEED], 0, out='^$')
        assert os.path.getsize(path) > 100
        assert os.listdir(d) == ['out.csv'], os.listdir(d)
        expect(['render', '-o', os.path.join(d, 'no', 'out.csv'), SEED], 2, err='out.csv')


def full_disk():
    if not os.path.exists('/dev/full'):
        raise Skip('no /dev/full')
    p = subprocess.run(program() + ['parse', SEED], stdout=open('/dev/full', 'w'), stderr=subprocess.PIPE, cwd=CORPUS)
    assert p.returncode == 2 and p.stderr, 'exit status %d' % p.returncode


def standard_input_is_the_default():
    out, _ = expect(['parse'], 0, stdin=ROW)
    r = records(out.encode())[0]
    assert r['series'][0]['max'] == 244000 and r['source']['lines'] == [1, 1]
    expect([], 0, stdin=ROW, out='244')
    expect(['show', '-'], 0, stdin=ROW, out='244')


def file_without_command_is_shown():
    expect([SEED], 0, out='hackbench.*244')


def records_are_an_input():
    p = run(['parse', SEED])
    again, _ = expect(['parse'], 0, stdin=p.stdout)
    assert records(again.encode()) == records(p.stdout)
    pretty, _ = expect(['parse', '--pretty', SEED], 0)
    assert json.loads(pretty) == records(p.stdout)


def validate_tells_bad_records():
    p = run(['parse', SEED])
    expect(['validate'], 0, stdin=p.stdout)
    bad = p.stdout.replace(b'"count":10000', b'"count":"x"', 1).replace(b'"count": 10000', b'"count": "x"', 1)
    assert bad != p.stdout
    expect(['validate'], 1, stdin=bad, err='count')


def no_terminal_codes_in_pipes():
    out, _ = expect(['show', SEED], 0)
    assert '\x1b' not in out
    out, _ = expect(['explain', SEED], 0)
    assert '\x1b' not in out


def hostile_names_do_nothing():
    """Escapes in an input never reach the terminal."""
    evil = b'\x1b]0;gone\x07\x1b[2J # ./cyclictest -p 80 \x1b[31m\n' + ROW
    out, _ = expect(['show'], 0, stdin=evil)
    assert '\x1b' not in out


def explain_shows_every_line():
    text = open(os.path.join(CORPUS, SEED), encoding='utf-8').read().split('\n\n', 1)[1]
    out, _ = expect(['explain', '-'], 0, stdin=text.encode())
    for line in text.splitlines():
        if line.strip():
            assert line.strip()[:40] in out, 'lost: ' + line


def diff_of_two_files():
    with tempfile.TemporaryDirectory() as d:
        for name, top in (('before.txt', 244), ('after.txt', 488)):
            with open(os.path.join(d, name), 'wb') as f:
                f.write(ROW.replace(b'    244', b'%7d' % top))
        expect(['diff', 'before.txt', 'after.txt'], 0, out=r'244.*488.*100', cwd=d)
        expect(['diff', '--fail-on', 'max>+10%', 'before.txt', 'after.txt'], 1, cwd=d)
        expect(['diff', '--fail-on', 'max>+10%', 'after.txt', 'before.txt'], 0, cwd=d)
        expect(['diff', '--fail-on', 'max>+10%', 'before.txt', os.path.join(CORPUS, TABLE)], 3, cwd=d)


def aggregate_is_a_record():
    out, _ = expect(['aggregate', '--by', 'tool', '--to', 'json', SEED], 0)
    r = [x for x in records(out.encode())] if not out.lstrip().startswith('[') else json.loads(out)
    assert r and all(x['kind'] == 'merged' for x in r)
    assert max(s['max'] for x in r for s in x['series']) == 602000


TESTS = (version, help_names_every_command, unknown_option, misplaced_inputs, values_attached_to_letters, empty_input, binary_input, prose_only,
         missing_file, kernel_files, missing_file_among_others, unreadable_directory, truncated_row, number_too_large, damaged_is_told_when_strict,
         long_line, output_is_whole_or_absent, full_disk, standard_input_is_the_default, file_without_command_is_shown,
         records_are_an_input, validate_tells_bad_records, no_terminal_codes_in_pipes, hostile_names_do_nothing,
         explain_shows_every_line, diff_of_two_files, aggregate_is_a_record)


def run_all(tally):
    for t in TESTS:
        tally.call('cli/' + t.__name__.replace('_', '-'), t)
    for c in commands():
        tally.call('cli/help-' + c, help_of, c)
