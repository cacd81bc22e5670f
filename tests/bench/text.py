#!/usr/bin/env python3
"""Measure `rtreport parse` on plain text without results, by kind of text.

usage: text.py RTREPORT [-n RUNS] [--size MB] [--data DIR]

The texts are synthetic, the same bytes for the same size. Rows: megabytes per second of CPU (median of the runs), and the
largest maximum resident set. Beside it `grep -c Max:` as the floor: what it costs to look at each byte.
"""
import argparse
import os
import random
import statistics
import subprocess
import sys

WORDS = ("the of and to in a is that for it as was with be by on not he his but at are this have from or had an they which "
         "one you were all her she there would their we him been has when who will more no if out so said what up its about "
         "into than them can only other new some could time these two may then do first any my now such like our over "
         "package source file license distribution software copies notice provided conditions").split()
LOG = ("usb 1-1.%d: new high-speed USB device number %d using xhci_hcd", "pci 0000:00:%d.0: [8086:1237] type 00 class 0x0%d",
       "EXT4-fs (sda%d): mounted filesystem with ordered data mode. Opts: %d", "BIOS-e820: [mem 0x%016x-0x%016x] usable")


def prose(r, i):
    return " ".join(r.choice(WORDS) for _ in range(r.randrange(4, 15))) if i % 9 else ""


def source(r, i):
    return r.choice(("", "}", "\tif (%s->%s < %d)", "\t\treturn %s(%s, %d);", "static int %s(struct %s *p)\t/* %d */")
                    ).replace("%s", r.choice(WORDS)).replace("%d", str(r.randrange(99)))


def kernel_log(r, i):
    return "[%12.6f] " % (i * .0137) + LOG[i % len(LOG)] % (r.randrange(30), r.randrange(1000))


def columns(r, i):
    return "  ".join("%8.3f" % r.uniform(0, 1000) for _ in range(6))


def readings(r, i):
    return "%d,%.2f,%.2f,%d" % (1600000000 + i, r.uniform(10, 30), r.uniform(0, 100), r.randrange(3))


def integers(r, i):
    return str(i + 1)


def durations(r, i):
    return "request %d took %d ms" % (i, r.randrange(300))


KINDS = (("prose", prose), ("source code", source), ("kernel log", kernel_log), ("columns of numbers", columns),
         ("sensor readings, CSV", readings), ("a number a line", integers), ("a duration a line", durations))


def write(path, line, size):
    r = random.Random(7)
    done = i = 0
    with open(path, "w", encoding="ascii") as out:
        while done < size:
            text = line(r, i) + "\n"
            out.write(text)
            done += len(text)
            i += 1


def cpu(command):
    """Seconds of CPU and MiB at most."""
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, usage = os.wait4(child.pid, 0)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("rtreport")
    parser.add_argument("-n", type=int, default=3, help="runs that count")
    parser.add_argument("--size", type=int, default=10, help="MB of each text")
    parser.add_argument("--data", default="build/bench")
    args = parser.parse_args()
    os.makedirs(args.data, exist_ok=True)
    print("| text | rtreport, MB/s of CPU | rtreport, MiB | grep -c, MB/s of CPU |")
    print("| --- | ---: | ---: | ---: |", flush=True)
    for name, line in KINDS:
        path = os.path.join(args.data, "text-%s-%d.txt" % (line.__name__, args.size))
        if not os.path.exists(path):
            write(path + ".new", line, args.size * 1000000)
            os.rename(path + ".new", path)
        size = os.path.getsize(path) / 1e6
        runs = [cpu([args.rtreport, "parse", path]) for _ in range(args.n + 1)][1:]
        peer = [cpu(["grep", "-c", "Max:", path])[0] for _ in range(args.n)]
        print("| %s | %.1f | %d | %.0f |" % (name, size / statistics.median(r[0] for r in runs), max(r[1] for r in runs),
                                             size / max(statistics.median(peer), .001)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
