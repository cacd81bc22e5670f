"""The suites over corpus/ and the command line: golden, schema, wrap, cli."""
import difflib
import glob
import json
import os
import re
import shlex
import subprocess
import textwrap

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CORPUS = os.path.join(TOP, 'corpus')
INPUTS = ('.txt', '.eml', '.mbox', '.html', '.md', '.log', '.csv', '.gz')
LIMIT = 300


class Skip(Exception):
    """Raised by a test that cannot run here; its text says what is missing."""


def program():
    return shlex.split(os.environ['RTREPORT'])


def run(args, stdin=b'', cwd=CORPUS, env=None):
    return subprocess.run(program() + args, input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          cwd=cwd, timeout=LIMIT, env=dict(os.environ, **(env or {})))


def inputs():
    """Name and file of every input in the corpus."""
    for path in sorted(glob.glob(os.path.join(CORPUS, '**', '*'), recursive=True)):
        name, ext = os.path.splitext(path)
        if ext in INPUTS and os.path.basename(path) != 'ORIGINS.md':
            yield os.path.relpath(name, CORPUS), os.path.relpath(path, CORPUS)


def cases():
    """Name and input file of every corpus case. Captures are none: NAME.want.json says what they must give, see check_captures.py."""
    return (case for case in inputs() if not case[0].startswith('captures' + os.sep))


def records(out):
    return [json.loads(line) for line in out.decode('utf-8').splitlines() if line.strip()]


def parse(path=None, text=None):
    p = run(['parse', path or '-'], stdin=text or b'')
    assert p.returncode in (0, 3), 'exit status %d: %s' % (p.returncode, p.stderr.decode('utf-8', 'replace')[-1500:])
    return records(p.stdout)


# golden: each corpus case beside what it must give

def golden(name, path, update):
    p = run(['parse', '--pretty', path])
    assert p.returncode in (0, 3), 'exit status %d: %s' % (p.returncode, p.stderr.decode('utf-8', 'replace')[-1500:])
    file = os.path.join(CORPUS, name + '.json')
    got = p.stdout.decode('utf-8')
    if update:
        with open(file, 'w', encoding='utf-8') as f:
            f.write(got)
        return
    assert os.path.exists(file), 'no golden record beside it; make golden writes it'
    with open(file, encoding='utf-8') as f:
        want = f.read()
    if got != want:
        diff = list(difflib.unified_diff(want.splitlines(), got.splitlines(), 'want', 'got', lineterm='', n=2))
        raise AssertionError('\n'.join(diff[:60]))


# schema: an independent validator over every record

def schema_validator():
    import jsonschema
    with open(os.path.join(TOP, 'formats', 'result.schema.json'), encoding='utf-8') as f:
        schema = json.load(f)
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def schema(validator, path):
    for i, record in enumerate(parse(path)):
        for e in validator.iter_errors(record):
            raise AssertionError('record %d, /%s: %s' % (i, '/'.join(map(str, e.absolute_path)), e.message[:300]))


def schema_refuses(validator):
    """The schema is strict enough to refuse what is no record."""
    good = {'schema': 'rtreport/1', 'kind': 'run', 'id': '0123456789abcdef', 'tool': 'cyclictest',
            'series': [{'min': 1}], 'source': {}, 'flags': []}
    for key, value in (('schema', 'other/1'), ('kind', 'walk'), ('id', 'xyz'), ('series', []), ('series', [{'min': 'x'}]),
                       ('tool', 3), ('flags', [{'code': 'no-such-flag', 'where': '', 'text': ''}])):
        assert list(validator.iter_errors(dict(good, **{key: value}))), 'accepts %s = %r' % (key, value)


# wrap: the same case under other wrappings must give the same numbers

NUMBERS = ('min', 'avg', 'max', 'last', 'stddev', 'mdev', 'value', 'count', 'overruns', 'mode_switches')


def numbers(recs):
    """What was measured, without places, flags and context."""
    out = []
    for r in recs:
        for s in r['series']:
            out.append((r['tool'], s.get('unit'), tuple((k, s[k]) for k in NUMBERS if s.get(k) is not None),
                        tuple(tuple(sorted((k, v) for k, v in row.items() if k != 'line' and v is not None))
                              for row in s.get('samples') or []),
                        json.dumps(s.get('histogram'), sort_keys=True)))
    return out


def crlf(text):
    return text.replace('\n', '\r\n')


def quoted(mark, depth):
    def wrapping(text):
        return ''.join('%s%s\n' % (mark * depth, line) for line in text.split('\n'))
    return wrapping


def nbsp(text):
    return re.sub('  ', '\u00a0 ', text)


def typographic(text):
    """As word processors, wikis and charset conversions write it: dashes, broken bars, no-break blanks that were encoded twice."""
    text = text.replace('-', '\u2011').replace('|', '\u00a6')
    return text.replace('  ', '\u00c2\u00a0 ')


def entities(text):
    """What acts in Markdown and HTML, as numbers."""
    return re.sub(r'[|<>*_]', lambda m: '&#%d;' % ord(m.group()), text)


def prefixed(form):
    """A log's or terminal's words before every line."""
    def wrapping(text):
        return ''.join(form % (i // 60 % 60, i % 60) + line + '\n' for i, line in enumerate(text.split('\n')))
    return wrapping


def initials(text):
    return 'On Mon, Nov 25, 2013, John Doe wrote:\n\n' + quoted('JD>> ', 1)(text)


def rewrapped(text):
    """As a mailer does at 72 columns: broken at blanks, the rest on a line of its own."""
    out = []
    for line in text.split('\n'):
        out += textwrap.wrap(line, 72, break_long_words=False, break_on_hyphens=False, drop_whitespace=True,
                             replace_whitespace=False) if len(line) > 72 else [line]
    return '\n'.join(out)


def quoted_rewrapped(text):
    """Quoted, then wrapped: the rest has no mark."""
    return rewrapped(quoted('> ', 1)(text))


def flattened(text):
    return ' '.join(line.strip() for line in text.split('\n') if line.strip()) + '\n'


WRAPPINGS = {
    'crlf': crlf, 'quoted-1': quoted('> ', 1), 'quoted-2': quoted('> ', 2), 'quoted-3': quoted('>', 3),
    'no-break-spaces': nbsp, 'rewrapped-72': rewrapped, 'flattened': flattened,
    'typographic': typographic, 'entities': entities, 'initials': initials,
    'journal': prefixed('2021-03-04T10:%02d:%02d+0100 host kernel: '), 'serial': prefixed('10:%02d:%02d.123 -> '),
}
# Kinds that a text with quotes, program text or tables of its own does not survive: tried where rows say what they are.
ROWS_ONLY = ('rewrapped-72', 'flattened', 'typographic', 'entities', 'initials', 'journal', 'serial')
# Quotes and soft line breaks behind a prefix are marks no longer.
FLAT_ONLY = ('initials', 'journal', 'serial')
# Tools whose rows say by themselves what they are, so that they survive lost line ends and rewrapping.
SELF_EVIDENT = {'xenomai-latency', 'xenomai-klatency', 'cyclictest', 'fusion-demo', 'lxrt-latency', 'rtai-latency'}


def wrap(path, wrapping, expected):
    with open(os.path.join(CORPUS, path), encoding='utf-8', errors='surrogateescape') as f:
        text = f.read()
    got = numbers(parse(text=WRAPPINGS[wrapping](text).encode('utf-8', 'surrogateescape')))
    if got != expected:
        raise AssertionError('numbers differ: %d series instead of %d; first: %r instead of %r' % (
            len(got), len(expected), *next(((g, e) for g, e in zip(got + [None] * 999, expected + [None]) if g != e), ('', ''))))


def wrap_all(tally):
    """corpus/NAME.wrap names wrappings that really destroy the case: soft line breaks of quoted-printable and marks of
    quotes inside rows mean nothing any more once line ends are gone."""
    for name, path in cases():
        if not path.endswith('.txt'):
            continue
        try:
            recs = parse(path)
        except AssertionError:
            continue
        expected = numbers(recs)
        tools = {r['tool'] for r in recs}
        except_file = os.path.join(CORPUS, name + '.wrap')
        excepted = open(except_file).read().split() if os.path.exists(except_file) else []
        with open(os.path.join(CORPUS, path), encoding='utf-8', errors='surrogateescape') as f:
            nested = re.search(r'^ ?[>|]|=$', f.read(), re.M)
        for w in WRAPPINGS:
            if w in excepted or (w in FLAT_ONLY and nested) or (w in ROWS_ONLY and not (tools and tools <= SELF_EVIDENT)):
                continue
            tally.call('wrap/%s/%s' % (w, name), wrap, path, w, expected)


# cli: commands, exit statuses, messages

def run_suites(tally, suites, args):
    if 'golden' in suites or args.update:
        for name, path in cases():
            tally.call('golden/' + name, golden, name, path, args.update)
    if args.update:
        return
    if 'schema' in suites:
        validator = schema_validator()
        tally.call('schema/refuses', schema_refuses, validator)
        for name, path in inputs():
            tally.call('schema/' + name, schema, validator, path)
    if 'wrap' in suites:
        wrap_all(tally)
    if 'mail' in suites:
        import wrap_mail
        wrap_mail.run_all(tally)
    if 'cli' in suites:
        import cli
        cli.run_all(tally)
