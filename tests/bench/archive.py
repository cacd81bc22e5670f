#!/usr/bin/env python3
"""Measure `rtreport parse` on a mailing list's archive beside grep, which only counts lines with a literal.

usage: archive.py RTREPORT [-n PAIRS] [--megabytes N] [--rate SHARE] [--data DIR]

Method as in aggregate.py. The archive is made anew from a fixed seed: replies and patches of invented words, in plain text,
quoted-printable and base64, packed attachments, and as many posts of the corpus (--rate) as results. Searching tools do not
look into what is encoded: they find less.
"""
import argparse
import base64
import glob
import os
import quopri
import random
import shutil
import sys

from aggregate import HERE, pairs, row

HEAD = ("From user%(n)d@example.org Tue Nov 26 10:21:34 2013\nReceived: from host%(n)d ([10.0.0.1]) by list with ESMTP id %(n)08x\n"
        "Date: Tue, 26 Nov 2013 10:21:34 +0100\nFrom: user %(n)d <user%(n)d@example.org>\nTo: list@example.org\n"
        "Subject: Re: message %(n)d\nMessage-ID: <%(n)d@example.org>\nMIME-Version: 1.0\n"
        "Content-Type: %(type)s\nContent-Transfer-Encoding: %(encoding)s\n\n")
FRIENDS = ('"Act:%5ld Avg:%5ld Max:%8ld\\n",', "the RTD| column is the first", "Min: and Max: look odd to me",
           "took 100 ms at most")


def words(rng):
    return ["".join(rng.choice("bcdfglmnprst") + rng.choice("aeiou") for _ in range(rng.randint(1, 4))) for _ in range(3000)] + \
        "the of and kernel latency thread timer interrupt patch driver max min".split() * 40


def prose(rng, vocabulary, size):
    lines, left = [], size
    patch = rng.random() < 0.45
    while left > 0:
        line = " ".join(rng.choice(vocabulary) for _ in range(rng.randint(4, 10)))
        if patch:
            line = rng.choice(" +-") + "\t" + line.replace(" ", "_", 3) + "(%d);" % rng.randint(0, 4096)
        elif rng.random() < 0.4:
            line = "> " + line
        lines.append(line)
        left -= len(line) + 1
    if rng.random() < 0.05:
        lines.insert(rng.randrange(len(lines)), rng.choice(FRIENDS))
    return "\n".join(lines) + "\n"


def message(rng, n, text):
    kind, chance = "text/plain; charset=utf-8", rng.random()
    if chance < 0.01:
        kind, encoding = "application/octet-stream", "base64"
        body = base64.encodebytes(rng.randbytes(40000))
    elif chance < 0.05:
        encoding, body = "base64", base64.encodebytes(text.encode())
    elif chance < 0.13:
        encoding, body = "quoted-printable", quopri.encodestring(text.encode())
    else:
        encoding, body = "8bit", text.encode()
    return (HEAD % {"n": n, "type": kind, "encoding": encoding}).encode() + body.replace(b"\nFrom ", b"\n>From ") + b"\n"


def archive(directory, megabytes, rate):
    path = os.path.join(directory, "archive-%d-%g.mbox" % (megabytes, rate))
    if os.path.exists(path):
        return path
    rng = random.Random(1)
    vocabulary = words(rng)
    stock = [prose(rng, vocabulary, int(rng.lognormvariate(8.5, 0.9))) for _ in range(2000)]
    posts = []
    for name in sorted(glob.glob(os.path.join(HERE, "..", "..", "corpus", "*.txt"))):
        with open(name, encoding="utf-8", errors="replace") as f:
            posts.append(f.read())
    size = n = 0
    with open(path + ".new", "wb") as out:
        while size < megabytes << 20:
            n += 1
            size += out.write(message(rng, n, rng.choice(posts) if rng.random() < rate else rng.choice(stock)))
    os.rename(path + ".new", path)
    return path


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("rtreport")
    parser.add_argument("-n", type=int, default=3, help="pairs that count")
    parser.add_argument("--megabytes", type=int, default=256)
    parser.add_argument("--rate", type=float, default=0.02)
    parser.add_argument("--data", default="build/bench")
    args = parser.parse_args()
    os.makedirs(args.data, exist_ok=True)
    path = archive(args.data, args.megabytes, args.rate)
    print("| peer | MiB | peer, s | rtreport, s | ratio, wall | ratio, CPU | peer, MiB | rtreport, MiB |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |", flush=True)
    peers = [("grep -c -F Max:", ["env", "LC_ALL=C", "grep", "-c", "-F", "Max:", path]),
             ("rg -c -F, five literals", ["rg", "-c", "-F", "-e", "Act:", "-e", "RTD|", "-e", "RTS|", "-e", "jitter:",
                                          "-e", "Xenomai", path]),
             ("rtreport parse -j1", [args.rtreport, "parse", "-j1", path])]
    for name, command in peers:
        if not shutil.which(command[0]):
            print("%s is not installed: skipped" % command[0], file=sys.stderr)
            continue
        for jobs in ("-j1", "-j2") if name != "rtreport parse -j1" else ("-j2",):
            row("%s / parse %s" % (name, jobs), pairs([args.rtreport, "parse", jobs, path], command, args.n), args.megabytes)


if __name__ == "__main__":
    main()
