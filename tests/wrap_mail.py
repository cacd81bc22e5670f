"""The same post in other containers gives the same record, its source and line numbers apart."""
import base64
import gzip
import html
import io
import lzma
import bz2
import os
import quopri
import tarfile
import zipfile

import suites

HEADER = ('From: Jane Doe <jane@example.org>\n'
          'To: list@example.org\n'
          'Date: Tue, 26 Nov 2013 10:21:34 +0100\n'
          'Message-ID: <wrapped.1@example.org>\n')


def eml(text, kind='text/plain; charset=UTF-8', encoding='8bit'):
    return ('%sMIME-Version: 1.0\nContent-Type: %s\nContent-Transfer-Encoding: %s\n\n' % (HEADER, kind, encoding)).encode() + text


def as_eml(text):
    return eml(text)


def as_mbox(text):
    """mboxrd, between two messages without results."""
    other = b'From a@example.org Mon Nov 25 10:00:00 2013\n' + eml(b'nothing here\n').replace(b'wrapped.1', b'%d') + b'\n'
    body = b''.join(b'>' + line if line.lstrip(b'>').startswith(b'From ') else line for line in text.splitlines(True))
    return other % 2 + b'From jane@example.org Tue Nov 26 10:21:34 2013\n' + eml(body) + b'\n' + other % 3


def as_base64(text):
    return eml(base64.encodebytes(text), encoding='base64')


def as_base64_crlf(text):
    return eml(base64.encodebytes(text.replace(b'\n', b'\r\n')), encoding='base64')


def as_quoted_printable(text):
    return eml(quopri.encodestring(text), encoding='quoted-printable')


def as_attachment(text):
    part = b'Content-Type: text/plain; name="run.log"\nContent-Disposition: attachment; filename="run.log"\nContent-Transfer-Encoding: base64\n\n'
    return eml(b'--b\n\nsee there\n--b\n' + part + base64.encodebytes(text) + b'--b--\n', 'multipart/mixed; boundary=b', '7bit')


def as_alternative(text):
    page = ('<html><body><pre>%s</pre></body></html>\n' % html.escape(text.decode('utf-8'))).encode('utf-8')
    return eml(b'--b\nContent-Type: text/plain; charset=utf-8\n\n' + text +
               b'\n--b\nContent-Type: text/html; charset=utf-8\n\n' + page + b'--b--\n', 'multipart/alternative; boundary=b', '8bit')


def as_flowed(text):
    """Space-stuffed, and no line ends in a blank: nothing flows."""
    out = []
    for line in text.split(b'\n'):
        line = line.rstrip(b' ')
        out.append(b' ' + line if line.startswith((b' ', b'From ')) else line)
    return eml(b'\n'.join(out), 'text/plain; charset=UTF-8; format=flowed')


def as_nested(text):
    return eml(b'--b\n\nforwarded\n--b\nContent-Type: message/rfc822\n\n' + eml(text).replace(b'wrapped.1', b'inner.1') + b'\n--b--\n',
               'multipart/mixed; boundary=b', '8bit')


def as_html(text):
    page = '<!DOCTYPE html>\n<html><head><title>a page</title></head><body>\n<pre>\n%s</pre></body></html>\n' % html.escape(text.decode('utf-8'))
    return page.encode('utf-8')


def as_gzip(text):
    return gzip.compress(text)


def as_xz(text):
    return lzma.compress(text)


def as_bzip2(text):
    return bz2.compress(text)


def as_tar(text):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode='w:gz') as tar:
        info = tarfile.TarInfo('posts/one.txt')
        info.size = len(text)
        tar.addfile(info, io.BytesIO(text))
    return out.getvalue()


def as_zip(text):
    out = io.BytesIO()
    with zipfile.ZipFile(out, 'w', zipfile.ZIP_DEFLATED) as z:
        z.writestr('posts/one.txt', text)
    return out.getvalue()


CONTAINERS = {f.__name__[3:].replace('_', '-'): f for f in (
    as_eml, as_mbox, as_base64, as_base64_crlf, as_quoted_printable, as_attachment, as_alternative, as_flowed, as_nested,
    as_html, as_gzip, as_xz, as_bzip2, as_tar, as_zip)}
# In these the bytes are the text file's own, so that even a text with remnants of a mail's encoding reads the same.
SAME_BYTES = ('gzip', 'xz', 'bzip2', 'tar', 'zip')


def plain(value):
    """A record without its places."""
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items() if k not in ('source', 'line', 'lines')}
    if isinstance(value, list):
        return [plain(v) for v in value]
    return value


def same(text, container, expected):
    got = [plain(r) for r in suites.parse(text=CONTAINERS[container](text))]
    assert len(got) == len(expected), '%d records instead of %d' % (len(got), len(expected))
    for i, (g, e) in enumerate(zip(got, expected)):
        for key in sorted(set(g) | set(e)):
            assert g.get(key) == e.get(key), 'record %d, %s: %.300r instead of %.300r' % (i, key, g.get(key), e.get(key))


def is_own_message(text):
    """Texts with a header or a page's fields of their own read otherwise inside another message."""
    head = text[:2000].split(b'\n\n')[0]
    return any(line.startswith((b'From:', b'Subject:', b'Date:', b'Message-ID:')) for line in text[:4000].split(b'\n')) or head.startswith(b'[')


def run_all(tally):
    for name, path in suites.cases():
        if not path.endswith('.txt'):
            continue
        with open(os.path.join(suites.CORPUS, path), 'rb') as f:
            text = f.read()
        try:
            text.decode('utf-8')
            expected = [plain(r) for r in suites.parse(path)]
        except (AssertionError, UnicodeDecodeError):
            continue
        damaged = b'=\n' in text or b'\r' in text or b'\0' in text or b'\x1b' in text or b'&' in text or not text.endswith(b'\n')
        except_file = os.path.join(suites.CORPUS, name + '.wrap')
        excepted = open(except_file).read().split() if os.path.exists(except_file) else []
        for c in CONTAINERS:
            if c in excepted or (c not in SAME_BYTES and (damaged or is_own_message(text))):
                continue
            tally.call('mail/%s/%s' % (c, name), same, text, c, expected)
