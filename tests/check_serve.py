#!/usr/bin/env python3
"""The paste page over real HTTP: what it gives is what the commands write, what it refuses, what it survives. TAP."""
import concurrent.futures
import gzip
import html
import http.client
import json
import os
import re
import shlex
import signal
import socket
import subprocess
import tempfile
import time
import urllib.parse

from tap import end, test

PROGRAM = shlex.split(os.environ['RTREPORT'])
CORPUS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'corpus')
POST = 'seed-omap3530-load-and-idle.eml'
HISTOGRAM = 'captures/cyclictest210-h-q.txt'
TABLE = 'seed-gpioirqbench-two-boards.txt'
ROW = b'T: 0 ( 1853) P:80 I:1000 C:  10000 Min:     36 Act:  156 Avg:  154 Max:     244\n'
PATIENCE = 120                          # seconds: a bound for what hangs
SLOW = len(PROGRAM) > 1                 # under valgrind a few must do
HEADERS = {'X-Content-Type-Options': 'nosniff', 'X-Frame-Options': 'DENY', 'Cache-Control': 'no-store',
           'Referrer-Policy': 'same-origin'}


def command(*args, stdin=None, status=0):
    p = subprocess.run(PROGRAM + list(args), input=stdin or b'', stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=CORPUS,
                       timeout=PATIENCE)
    assert p.returncode == status, '%s: exit status %d: %s' % (args, p.returncode, p.stderr.decode('utf-8', 'replace')[-800:])
    return p.stdout


class Server:
    """rtreport serve, with a folder of its own for temporary files."""

    def __init__(self, *args):
        self.folder = tempfile.TemporaryDirectory()
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(PROGRAM + ['serve', '--port', '0', *args], stdout=subprocess.PIPE, stderr=self.errors,
                                        env=dict(os.environ, TMPDIR=self.folder.name))
        line = self.process.stdout.readline().decode()
        address = re.fullmatch(r'http://127\.0\.0\.1:(\d+)/\n', line)
        assert address, 'printed: %r, said: %s' % (line, self.said())
        self.port = int(address.group(1))

    def said(self):
        self.errors.seek(0)
        return self.errors.read().decode('utf-8', 'replace')

    def end(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        assert self.process.wait(PATIENCE) == 0, 'exit status %d: %s' % (self.process.returncode, self.said()[-2000:])
        assert not self.left(), 'left behind: %s' % self.left()

    def left(self):
        """Temporary files, those of valgrind apart."""
        return [name for name in os.listdir(self.folder.name) if not name.startswith('vgdb-')]

    def ask(self, method, path, body=None, headers=(), host=None):
        c = http.client.HTTPConnection('127.0.0.1', self.port, timeout=PATIENCE)
        try:
            c.putrequest(method, path, skip_host=True)
            for name, value in [('Host', host or '127.0.0.1:%d' % self.port), *dict(headers).items()]:
                c.putheader(name, value)
            if body is not None and 'Transfer-Encoding' not in dict(headers):
                c.putheader('Content-Length', str(len(body)))
            c.endheaders(body)
            r = c.getresponse()
            return r.status, r.headers, r.read()
        finally:
            c.close()

    def post(self, *parts, **kw):
        kind, body = form(parts)
        return self.ask('POST', '/report', body, {'Content-Type': kind, **kw.pop('headers', {})}, **kw)

    def shown(self, *parts):
        status, headers, body = self.post(*parts)
        assert status == 200, '%d: %s' % (status, text_of(body)[-1500:])
        return headers, body


def form(parts):
    """Parts are (name, value) or (name, file name, bytes)."""
    border = b'----border7f3a'
    out = b''
    for name, *rest in parts:
        out += b'--' + border + b'\r\nContent-Disposition: form-data; name="' + name.encode() + b'"'
        if len(rest) == 2:
            out += b'; filename="' + rest[0].encode() + b'"\r\nContent-Type: application/octet-stream'
        value = rest[-1]
        out += b'\r\n\r\n' + (value.encode() if isinstance(value, str) else value) + b'\r\n'
    return 'multipart/form-data; boundary=' + border.decode(), out + b'--' + border + b'--\r\n'


def corpus_file(name):
    with open(os.path.join(CORPUS, name), 'rb') as f:
        return f.read()


def text_of(page):
    return html.unescape(re.sub(r'<[^>]*>', '', re.sub(r'(?s)<style>.*?</style>', '', page.decode('utf-8'))))


def is_page(headers, body):
    """A page of ours: nothing in it can run, be framed or be kept."""
    for name, value in HEADERS.items():
        assert headers[name] == value, '%s: %s' % (name, headers[name])
    policy = headers['Content-Security-Policy']
    assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "script-src" not in policy, policy
    assert headers['Content-Type'] == 'text/html; charset=utf-8' and headers['Set-Cookie'] is None
    assert body.startswith(b'<!DOCTYPE html>') and b'<script' not in body and body.rstrip().endswith(b'</html>')
    return text_of(body)


# What is shown

def check_form(s):
    status, headers, body = s.ask('GET', '/')
    page = is_page(headers, body)
    assert status == 200 and 'Paste' in page
    values = set(re.findall(r'<option value="([^"]*)"', body.decode()))
    formats = command('formats', '--written').decode().split()
    assert set(formats) | {'explain', 'jsonl'} <= values, set(formats) - values
    assert set(command('formats', '--read').decode().split()) <= values
    status, headers, body = s.ask('HEAD', '/')
    assert status == 200 and body == b''
    status, _, _ = s.ask('GET', '/', host='LocalHost:%d' % s.port)
    assert status == 200


def check_formats(s):
    status, headers, body = s.ask('GET', '/formats')
    page = is_page(headers, body)
    for f in json.loads(command('formats', '--json').decode())['read']:
        assert f['name'] in page and f['sample'] in page, f['name']
    assert status == 200


def check_format(s, name):
    """The same bytes, under the same name, give what render writes of them."""
    media = {'html': 'text/html', 'csv': 'text/csv', 'tsv': 'text/tab-separated-values', 'json': 'application/json',
             'xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'}
    for post in (POST, HISTOGRAM, TABLE)[:1 if SLOW else 3]:
        base, folder = os.path.basename(post), os.path.join(CORPUS, os.path.dirname(post))
        for more in ((), ('--unit', 'ns', '--form', 'samples'), ('--where', 'max>200us')):
            want = subprocess.run(PROGRAM + ['render', '--to', name, *more, base], stdout=subprocess.PIPE, cwd=folder).stdout
            options = [(more[i][2:], more[i + 1]) for i in range(0, len(more), 2)]
            status, headers, got = s.post(('text', ''), ('file', base, corpus_file(post)), ('as', name), *options)
            if want:
                assert (status, got) == (200, want), '%s %s: %d, %d and %d bytes' % (post, more, status, len(got), len(want))
            else:
                assert status == 422, '%s %s: %d' % (post, more, status)
                continue
            assert headers['Content-Type'].split(';')[0] == media.get(name, 'text/plain'), headers['Content-Type']
            kept = name in ('csv', 'tsv', 'json', 'xlsx')
            assert headers['Content-Disposition'].startswith('attachment; ' if kept else 'inline; '), headers['Content-Disposition']
            assert re.search(r'filename="%s\.[a-z]+"$' % re.escape(base.split('.')[0]), headers['Content-Disposition'])


def check_pasted(s):
    """A text area sends CR LF; what was pasted is read."""
    for name in (POST, TABLE):
        text = corpus_file(name)
        want = command('parse', stdin=text)
        headers, got = s.shown(('text', text.replace(b'\n', b'\r\n')), ('file', '', b''), ('as', 'jsonl'))
        assert got == want and b'"file":"-"' in got, got[:300]
        assert headers['Content-Disposition'] == 'attachment; filename="results.jsonl"'


def check_urlencoded(s):
    body = urllib.parse.urlencode({'text': ROW.replace(b'\n', b'\r\n'), 'as': 'jsonl'}).encode()
    status, _, got = s.ask('POST', '/report', body, {'Content-Type': 'application/x-www-form-urlencoded'})
    assert (status, got) == (200, command('parse', stdin=ROW)), got


def check_inputs(s):
    """Mail, mailboxes, compressed files and records are told by their content; several files are read together."""
    records = command('parse', POST)
    mbox = b'From a@b Tue Nov 26 10:21:34 2013\n' + corpus_file(POST) + b'\n'
    for name, data in (('a.eml', corpus_file(POST)), ('a.mbox', mbox), ('a.mbox.gz', gzip.compress(mbox)), ('a.jsonl', records)):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, name), 'wb') as f:
                f.write(data)
            want = subprocess.run(PROGRAM + ['parse', name], stdout=subprocess.PIPE, cwd=folder).stdout
        assert want.count(b'\n') == 4
        assert s.shown(('file', name, data), ('as', 'jsonl'))[1] == want, name
    want = command('render', '--to', 'csv', POST, TABLE)
    assert s.shown(('file', POST, corpus_file(POST)), ('file', TABLE, corpus_file(TABLE)), ('as', 'csv'))[1] == want


def check_explain(s):
    for post in (POST, TABLE):
        want = command('explain', post).decode()
        headers, body = s.shown(('file', post, corpus_file(post)), ('as', 'explain'))
        is_page(headers, body)
        got = html.unescape(re.sub(r'<[^>]*>', '', re.search(r'(?s)<pre>(.*)</pre>', body.decode()).group(1)))
        assert got == want, [(a, b) for a, b in zip(got.split('\n'), want.split('\n')) if a != b][:2]


def check_facts(s):
    _, body = s.shown(('text', ROW), ('as', 'jsonl'), ('facts', 'board=Bench 3\r\n\r\nkernel = 6.1-rt\r\n'))
    environment = json.loads(body)['environment']
    assert environment['board'] == 'Bench 3' and environment['kernel'] == '6.1-rt', environment
    _, body = s.shown(('text', ROW), ('as', 'jsonl'))
    assert 'board' not in json.loads(body)['environment'], 'a fact of another form'


def check_defaults():
    s = Server('--set', 'board=Bench 1', '--unit', 'ms', '--csv-dialect', 'excel-eu', '--from', 'ping', '--where', 'max>1s')
    try:
        assert 'value="ms" selected' in s.ask('GET', '/')[2].decode()
        assert s.post(('text', ROW))[0] == s.post(('text', ROW), ('from', ''))[0] == s.post(('text', ROW), ('where', ''))[0] == 422
        free = (('from', ''), ('where', ''))
        _, body = s.shown(('text', ROW), ('as', 'csv'), *free)
        assert b'Bench 1' in body and b'0,244' in body and b';' in body, body
        _, body = s.shown(('text', ROW), ('as', 'jsonl'), ('facts', 'board=Bench 2'), *free)
        assert json.loads(body)['environment']['board'] == 'Bench 2'
    finally:
        s.end()


# What gives nothing

def check_nothing(s):
    for parts in ([('text', 'The worst latency was <b>27</b> us.')], [('file', 'picture.png', bytes(range(256)) * 40)],
                  [('file', 'cut.gz', gzip.compress(ROW * 500)[:60])]):
        for name in ('html', 'csv', 'xlsx', 'jsonl'):
            status, headers, body = s.post(*parts, ('as', name))
            page = is_page(headers, body)
            assert status == 422 and 'nothing recognized' in page and '/formats' in body.decode(), (status, page[:500])
            assert headers['Content-Disposition'] is None
    status, _, body = s.post(('text', 'The worst latency was <b>27</b> us.'))
    assert '1   The worst latency was <b>27</b> us.' in text_of(body) and b'<b>' not in body, 'the lines are not explained'
    status, headers, body = s.post(('text', 'no result here\n' * 100000))
    assert status == 422 and 'Choose explain' in is_page(headers, body) and len(body) < 20000 and b'pre>' not in body
    status, headers, body = s.post(('text', ''), ('file', '', b''))
    assert status == 422 and 'Nothing was pasted' in is_page(headers, body)


def check_messages(s):
    """What could not be read is said in the answer to that request, and in no other."""
    good = command('parse', stdin=ROW)
    both = good + good.replace(b'"count":10000', b'"count":"x"')
    _, body = s.shown(('file', 'two.jsonl', both))
    assert 'two.jsonl:2' in text_of(body) and '244' in text_of(body), text_of(body)[:800]
    _, body = s.shown(('file', 'two.jsonl', both), ('as', 'csv'))
    assert body.count(b'\r\n') == 2 and b'left out' not in body and 'two.jsonl:2' in s.said()
    assert b'left out' not in s.shown(('text', ROW))[1]


def check_bad_options(s):
    for name, value in (('unit', 'fathom'), ('form', 'x'), ('quoted', 'x'), ('from', '<i>x'), ('where', 'max>>'),
                        ('facts', 'colour=red')):
        status, headers, body = s.post(('text', ROW), (name, value))
        page = is_page(headers, body)
        assert status == 422 and name.rstrip('s') in page and '<i>' not in body.decode(), (name, status, page[:400])
    status, headers, body = s.post(('text', ROW), ('as', 'no-such'))
    assert status == 400 and 'no such format' in is_page(headers, body)


def check_escapes(s):
    """Nothing of an input becomes a part of the page."""
    evil = '"><script>alert(1)</script><img src=x onerror=y>'
    text = ('# ./cyclictest -p 80 %s\nboard: %s\n' % (evil, evil)).encode() + ROW
    name = evil.replace('"', '%22').replace('/', '_')
    for view in ('html', 'explain'):
        headers, body = s.shown(('file', name, text), ('as', view))
        is_page(headers, body)
        assert b'<img' not in body and b'onerror' in body
        assert re.fullmatch(r'inline; filename="[\w-]+\.html"', headers['Content-Disposition']), headers['Content-Disposition']
    status, headers, body = s.post(('file', name, b'{"schema":"rtreport/1"' + evil.encode()))
    assert status == 422 and b'<img' not in body and b'img' in body


# What is refused

def check_hosts(s):
    for host in ('evil.example:%d' % s.port, '127.0.0.1', 'localhost', '127.0.0.1:1', '127.0.0.1:%d.evil.example' % s.port,
                 'localhost:%d@evil' % s.port):
        for method, path in (('GET', '/'), ('POST', '/report')):
            status, headers, body = s.ask(method, path, b'text=x' if method == 'POST' else None,
                                          {'Content-Type': 'application/x-www-form-urlencoded'}, host=host)
            assert status == 403, '%s %s: %d' % (host, method, status)
            is_page(headers, body)
    with socket.create_connection(('127.0.0.1', s.port), PATIENCE) as c:
        c.sendall(b'GET / HTTP/1.0\r\n\r\n')
        assert re.match(rb'HTTP/1\.[01] 403 ', c.recv(100)), 'no Host at all'


def check_senders(s):
    own = 'http://127.0.0.1:%d' % s.port
    for headers, wanted in (({'Origin': own}, 200), ({'Origin': own, 'Sec-Fetch-Site': 'same-origin'}, 200),
                            ({'Origin': 'http://localhost:%d' % s.port}, 200), ({'Origin': 'null'}, 403),
                            ({'Origin': 'https://evil.example'}, 403), ({'Origin': 'http://127.0.0.1:1'}, 403),
                            ({'Sec-Fetch-Site': 'cross-site'}, 403), ({'Origin': own, 'Sec-Fetch-Site': 'same-site'}, 403)):
        status, _, body = s.post(('text', ROW), headers=headers)
        assert status == wanted, '%s: %d' % (headers, status)
        assert wanted == 200 or b'244' not in body


def check_pages_and_methods(s):
    for path in ('/nothing', '/report/', '//', '/../etc/passwd', '/%2e%2e', '/report%00', '/' + 'x' * 5000):
        assert s.ask('GET', path)[0] in (404, 405), path
    for method, path, allowed in (('GET', '/report', 'POST'), ('PUT', '/report', 'POST'), ('POST', '/', 'GET'),
                                  ('DELETE', '/', 'GET'), ('OPTIONS', '/report', 'POST')):
        status, headers, body = s.ask(method, path, b'' if method in ('PUT', 'POST') else None)
        assert (status, headers['Allow']) == (405, allowed), '%s %s: %d %s' % (method, path, status, headers['Allow'])
        is_page(headers, body)


def check_bodies(s):
    kind, body = form([('text', ROW)])
    cases = [
        (415, body, {'Content-Type': 'text/plain'}), (415, body, {}), (415, body, {'Content-Type': 'multipart/form-data'}),
        (400, body[:-30], {'Content-Type': kind}), (400, body[:90], {'Content-Type': kind}),
        (422, b'no border at all', {'Content-Type': kind}), (422, b'', {'Content-Type': kind}),
        (400, b'a=1&' * 1000, {'Content-Type': 'application/x-www-form-urlencoded'}),
    ]
    for wanted, data, headers in cases:
        status, _, page = s.ask('POST', '/report', data, headers)
        assert status == wanted, '%s %r: %d %s' % (headers, data[:60], status, text_of(page)[:200])


def check_too_large(s):
    """100 MB, by its length and in chunks: refused with a word, and read no further than that needs."""
    for chunked in (False, True):
        c = http.client.HTTPConnection('127.0.0.1', s.port, timeout=PATIENCE)
        block = b'x' * (1 << 20)
        c.putrequest('POST', '/report')
        c.putheader('Content-Type', 'application/x-www-form-urlencoded')
        c.putheader(*(('Transfer-Encoding', 'chunked') if chunked else ('Content-Length', str(100 << 20))))
        c.endheaders(b'5\r\ntext=\r\n' if chunked else b'')
        for _ in range(100):
            c.send(b'100000\r\n' + block + b'\r\n' if chunked else block)
        if chunked:
            c.send(b'0\r\n\r\n')
        r = c.getresponse()
        assert r.status == 413, 'chunked: %s: %d' % (chunked, r.status)
        assert '64 MiB' in is_page(r.headers, r.read())
        c.close()
    with socket.create_connection(('127.0.0.1', s.port), PATIENCE) as c:
        c.sendall(b'POST /report HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/x-www-form-urlencoded\r\n'
                  b'Content-Length: 99999999999999999999\r\nExpect: 100-continue\r\n\r\n' % s.port)
        assert re.match(rb'HTTP/1\.1 (413|400) ', c.recv(100)), 'not told at once'


# What it survives

def check_hostile(s):
    """Bytes that are no HTTP, no form or no text; the server goes on."""
    own = b'Host: 127.0.0.1:%d\r\n' % s.port
    post = b'POST /report HTTP/1.1\r\n' + own
    kind, body = form([('text', ROW)])
    head = post + b'Content-Type: ' + kind.encode() + b'\r\nContent-Length: %d\r\n\r\n' % len(body)
    raw = [
        b'', b'\0' * 5000, b'GET', b'GET / HTTP/1.1\r\n' + own + b'X: ' + b'y' * 100000 + b'\r\n\r\n', os.urandom(4096),
        head, head + body[:50], head + body[:-5],
        post + b'Content-Type: multipart/form-data; boundary=a\0b\r\nContent-Length: 9\r\n\r\n--a\0b\r\n\r\n',
        post + b'Content-Type: multipart/form-data; boundary=\0\r\nContent-Length: 9\r\n\r\n123456789',
        post + b'Content-Type: multipart/form-data; boundary="' + b'b' * 20000 + b'\r\n\r\n',
        post + b'Transfer-Encoding: chunked\r\nContent-Type: ' + kind.encode() + b'\r\n\r\nfffffffffffffffff\r\nx',
    ]
    for data in raw:
        with socket.create_connection(('127.0.0.1', s.port), PATIENCE) as c:
            try:
                c.sendall(data)
                c.shutdown(socket.SHUT_WR)
                c.recv(1 << 16)
            except OSError:
                pass
    for data in (b'\0' * 100000, ROW.replace(b' ', b'\0'), ROW * 2000 + b'\0', os.urandom(200000), b'\xff\xfe' + ROW,
                 b'{' * 100000, b'[[' * 50000, b'From x\n' * 5000, b'x' * 2000000):
        for view in ('html', 'explain', 'json')[:1 if SLOW else 3]:
            status, headers, body = s.post(('file', 'x', data), ('text', data[:50]), ('as', view))
            assert status in (200, 422), '%r as %s: %d %s' % (data[:20], view, status, text_of(body)[:300])
    many = [('x%d' % i, 'y') for i in range(1000)]
    assert s.post(*many, ('text', ROW))[0] == 400
    assert b'244' in s.shown(('text', ROW))[1]


def check_idle_connections(s):
    """More connections that say nothing, or too little, than there are places."""
    idle = []
    try:
        for i in range(150):
            c = socket.create_connection(('127.0.0.1', s.port), PATIENCE)
            idle.append(c)
            try:
                c.sendall(b'POST /report HTTP/1.1\r\n' if i % 2 else b'')
            except OSError:             # it had to make room already
                pass
        begin = time.monotonic()
        assert b'244' in s.shown(('text', ROW))[1]
        assert SLOW or time.monotonic() - begin < 20, 'waited until they timed out'
    finally:
        for c in idle:
            c.close()


def check_parallel(s):
    wanted = {(post, view): command('render', '--to', view, stdin=corpus_file(post)) for post in (POST, HISTOGRAM, TABLE)
              for view in ('csv', 'markdown', 'html')}

    def one(i):
        if i % 5 == 4:
            return s.post(('text', 'no result in it, number %d' % i))[0] == 422
        post, view = list(wanted)[i % len(wanted)]
        return s.shown(('text', corpus_file(post)), ('as', view))[1] == wanted[post, view]

    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        results = list(pool.map(one, range(10 if SLOW else 80)))
    assert all(results), [i for i, right in enumerate(results) if not right]


def check_nothing_kept(s):
    assert not s.left(), s.left()
    if os.path.exists('/proc'):
        files = os.listdir('/proc/%d/fd' % s.process.pid)
        assert len(files) < 24, '%d files are open' % len(files)


def check_local_only(s):
    """No other address of this machine reaches it."""
    for family, address in ((socket.AF_INET, '127.0.0.2'), (socket.AF_INET6, '::1')):
        try:
            with socket.socket(family) as c:
                c.settimeout(PATIENCE)
                c.connect((address, s.port))
        except OSError:
            continue
        raise AssertionError(address + ' reaches it')


# How it begins and ends

def check_ends(number):
    s = Server()
    assert s.ask('GET', '/')[0] == 200
    s.end(number)


def check_end_while_reading():
    """What is being read ends too, and its process with it."""
    s = Server()
    kind, body = form([('text', b''.join(b'%d ' % i + ROW for i in range(300000))), ('as', 'explain')])
    c = http.client.HTTPConnection('127.0.0.1', s.port, timeout=PATIENCE)
    c.request('POST', '/report', body, {'Content-Type': kind})
    children = '/proc/%d/task/%d/children' % (s.process.pid, s.process.pid)
    pids = []
    for _ in range(200):
        pids = open(children).read().split() if os.path.exists(children) else []
        if pids:
            break
        time.sleep(0.02)
    s.end()
    for pid in pids:
        assert not os.path.exists('/proc/%s' % pid), 'a reader goes on'
    c.close()


def check_once():
    s = Server('--once')
    assert s.ask('GET', '/')[0] == 200 and s.post(('text', 'nothing'))[0] == 422
    assert b'244' in s.shown(('text', ROW))[1]
    assert s.process.wait(PATIENCE) == 0, s.said()


def check_usage():
    with socket.socket() as taken:
        taken.bind(('127.0.0.1', 0))
        taken.listen()
        for args, words in ((['--port', str(taken.getsockname()[1])], '--port 0'), (['--port', '65536'], '65535'),
                            (['--port', 'x'], 'port'), (['file.txt'], 'file'), (['--unit', 'x'], 'unit'),
                            (['--from', 'x'], 'formats')):
            p = subprocess.run(PROGRAM + ['serve', *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=PATIENCE)
            assert p.returncode == 2 and words in p.stderr.decode() and not p.stdout, (args, p.returncode, p.stderr)


def main():
    os.environ['SOURCE_DATE_EPOCH'] = '1700000000'
    s = Server()
    for f in command('formats', '--written').decode().split():
        test('as ' + f, check_format, s, f)
    for check in (check_form, check_formats, check_pasted, check_urlencoded, check_inputs, check_explain, check_facts,
                  check_nothing, check_messages, check_bad_options, check_escapes, check_hosts, check_senders,
                  check_pages_and_methods, check_bodies, check_too_large, check_hostile,
                  check_idle_connections, check_parallel, check_local_only, check_nothing_kept):
        test(check.__name__[6:].replace('_', ' '), check, s)
    test('ends by SIGTERM', s.end)
    test('ends by SIGINT', check_ends, signal.SIGINT)
    for check in (check_end_while_reading, check_once, check_defaults, check_usage):
        test(check.__name__[6:].replace('_', ' '), check)


main()
end()
