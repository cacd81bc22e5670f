#!/usr/bin/env python3
"""Write N synthetic records, one a line, as `rtreport parse` writes them; the same bytes for the same arguments.

usage: records.py N [SEED] > records.jsonl
"""
import sys
from random import Random

BOARDS = ["board %c-%d" % ("abcdefgh"[i % 8], i) for i in range(40)]
KERNELS = ["%d.%d.%d-rt%d" % (3 + i % 3, i, 13 * i % 89, 7 + i) for i in range(25)]
LOADS = ["idle", "hackbench", "stress-ng --cpu 4", "ping -f"]


def series(draw, thread):
    low = 1 + int(draw() * 50)
    mean = low + int(draw() * 90)
    top = mean + 1 + int(draw() * draw() * 800)
    return ('{"name":null,"labels":{"thread":%d,"tid":%d,"priority":%d,"interval_ns":1000000},"quantity":"latency",'
            '"unit":"ns","resolution":1000,"min":%d,"avg":%d,"max":%d,"last":%d,"count":%d}'
            % (thread, 400 + int(draw() * 30000), 90 - thread, low * 1000, mean * 1000, top * 1000, mean * 1000,
               1000 * (1 + int(draw() * 900))))


def record(draw, number):
    threads = (1, 1, 2, 4)[int(draw() * 4)]
    board = int(draw() * len(BOARDS))
    return ('{"schema":"rtreport/1","kind":"run","id":"%016x","tool":"cyclictest","mode":null,"title":null,'
            '"command":"cyclictest -m -t%d -p 90 -i 1000","settings":{"period_ns":1000000,"priority":90},'
            '"environment":{"board":"%s","arch":"%s","kernel":"%s","rt":"PREEMPT_RT","load":"%s"},"series":[%s],'
            '"source":{"file":"archive.mbox","lines":[%d,%d],"message_id":"%d.%x@host%d.example.org","from":"Poster %d",'
            '"date":"20%02d-%02d-%02dT10:%02d:00Z","subject":"latency on %s","list":"list","quote_depth":0,"copies":%d},'
            '"flags":[]}\n'
            % (int(draw() * (1 << 52)), threads, BOARDS[board], ("arm", "arm64", "ppc", "x86_64")[board % 4],
               KERNELS[int(draw() * len(KERNELS))], LOADS[int(draw() * len(LOADS))],
               ",".join(series(draw, t) for t in range(threads)), number * 50 + 1, number * 50 + threads, number,
               int(draw() * (1 << 30)), int(draw() * 500), int(draw() * 300), 8 + int(draw() * 17), 1 + int(draw() * 12),
               1 + int(draw() * 28), int(draw() * 60), BOARDS[board], int(draw() * 3)))


def main():
    draw = Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1).random
    for number in range(int(sys.argv[1])):
        sys.stdout.write(record(draw, number))


if __name__ == "__main__":
    main()
