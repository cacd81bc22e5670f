#!/usr/bin/env python3
"""Measure `rtreport aggregate` beside what people would use instead, in one run.

usage: aggregate.py RTREPORT [-n PAIRS] [--records N] [--data DIR]

Each peer is run in turn with rtreport (A B A B ...) on the same file, after one run of each that does not count; the ratio is
the median of the ratios of the pairs, of the time on the wall and of the CPU. Peers that are not installed are skipped with a
word. All peers group by board, kernel and tool: least minimum, greatest maximum, mean weighted by count.
"""
import argparse
import os
import shutil
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SMALL = 100000          # records for the peers that hold everything in memory

PYTHON = r"""
import json, sys
groups = {}
for line in open(sys.argv[1], encoding="utf-8"):
    r = json.loads(line)
    e = r["environment"]
    g = groups.setdefault((e["board"], e["kernel"], r["tool"]), [0, float("inf"), float("-inf"), 0, 0])
    for s in r["series"]:
        g[0] += 1
        g[1] = min(g[1], s["min"])
        g[2] = max(g[2], s["max"])
        g[3] += s["avg"] * s["count"]
        g[4] += s["count"]
for k in sorted(groups):
    n, low, high, total, weight = groups[k]
    print(*k, n, low, high, total / weight, sep="\t")
"""

JQ = r"""group_by([.environment.board, .environment.kernel, .tool])[] | .[0] as $f | [.[].series[]] as $s
| [$f.environment.board, $f.environment.kernel, $f.tool, ($s | length), ($s | map(.min) | min), ($s | map(.max) | max),
   (($s | map(.avg * .count) | add) / ($s | map(.count) | add))] | @tsv"""

MILLER = ["mlr", "--ijsonl", "--ojson", "flatten", "then", "count-distinct", "-f", "environment.board,environment.kernel,tool"]


def run(command):
    """One run: seconds on the wall, seconds of CPU, peak memory in MiB. Output is read, never kept."""
    start = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.PIPE)
    while child.stdout.read(1 << 16):
        pass
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit("%s failed" % command[0])
    return time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def pairs(ours, theirs, count):
    run(ours)
    run(theirs)
    return [(run(theirs), run(ours)) for _ in range(count)]


def row(name, found, records):
    wall = statistics.median(t[0] / o[0] for t, o in found)
    cpu = statistics.median(t[1] / o[1] for t, o in found)
    print("| %-28s | %9d | %8.2f | %8.2f | %10.2f | %9.2f | %8.0f | %8.0f |" % (
        name, records, statistics.median(t[0] for t, _ in found), statistics.median(o[0] for _, o in found), wall, cpu,
        max(t[2] for t, _ in found), max(o[2] for _, o in found)), flush=True)


def data(directory, records):
    path = os.path.join(directory, "records-%d.jsonl" % records)
    if not os.path.exists(path):
        with open(path + ".new", "wb") as out:
            subprocess.run([sys.executable, os.path.join(HERE, "records.py"), str(records)], stdout=out, check=True)
        os.rename(path + ".new", path)
    return path


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("rtreport")
    parser.add_argument("-n", type=int, default=3, help="pairs that count")
    parser.add_argument("--records", type=int, default=1000000)
    parser.add_argument("--data", default="build/bench")
    args = parser.parse_args()
    os.makedirs(args.data, exist_ok=True)
    big, small = data(args.data, args.records), data(args.data, SMALL)
    peers = [
        ("Python, json", big, args.records, [sys.executable, "-c", PYTHON, big], sys.executable),
        ("jq -s, group_by", small, SMALL, ["jq", "-sr", JQ, small], "jq"),
        ("jq -c empty (reads only)", small, SMALL, ["jq", "-c", "empty", small], "jq"),
        ("Miller (counts only)", small, SMALL, MILLER + [small], "mlr"),
    ]
    print("| peer | records | peer, s | rtreport, s | ratio, wall | ratio, CPU | peer, MiB | rtreport, MiB |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |", flush=True)
    for name, path, records, command, program in peers:
        if not shutil.which(program):
            print("%s is not installed: skipped" % program, file=sys.stderr)
            continue
        ours = [args.rtreport, "aggregate", "--by", "board,kernel,tool", path]
        row(name, pairs(ours, command, args.n), records)


if __name__ == "__main__":
    main()
