#!/usr/bin/env python3
"""Measure `rtreport render` beside Python's csv and XlsxWriter: the same 12 columns of the same records, in one run.

usage: render.py RTREPORT [-n PAIRS] [--csv-records N] [--xlsx-records N] [--data DIR]

Method as in aggregate.py. Both sides read the records as JSON and write a row per series (2 a record on the mean). Peers that are
not installed are skipped with a word.
"""
import argparse
import os
import subprocess
import sys

from aggregate import data, pairs, row

COLUMNS = ("tool,environment.board,environment.kernel,environment.load,labels.thread,labels.priority,count,min,avg,max,last,"
           "source.message_id")

ROWS = r"""
import json, sys
def rows():
    for line in open(sys.argv[1], encoding="utf-8"):
        r = json.loads(line)
        e = r["environment"]
        for s in r["series"]:
            l = s["labels"]
            yield (r["tool"], e["board"], e["kernel"], e["load"], l["thread"], l["priority"], s["count"], s["min"] / 1000,
                   s["avg"] / 1000, s["max"] / 1000, s["last"] / 1000, r["source"]["message_id"])
"""

CSV = ROWS + r"""
import csv
csv.writer(sys.stdout).writerows(rows())
"""

XLSX = ROWS + r"""
import xlsxwriter
book = xlsxwriter.Workbook("/dev/null", {"constant_memory": True, "strings_to_formulas": False})
sheet = book.add_worksheet()
for i, cells in enumerate(rows()):
    sheet.write_row(i, 0, cells)
book.close()
"""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("rtreport")
    parser.add_argument("-n", type=int, default=3, help="pairs that count")
    parser.add_argument("--csv-records", type=int, default=500000)
    parser.add_argument("--xlsx-records", type=int, default=100000)
    parser.add_argument("--data", default="build/bench")
    args = parser.parse_args()
    os.makedirs(args.data, exist_ok=True)
    print("| peer | records | peer, s | rtreport, s | ratio, wall | ratio, CPU | peer, MiB | rtreport, MiB |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |", flush=True)
    for name, form, module, program, records in (("Python, csv", "csv", "csv", CSV, args.csv_records),
                                                 ("XlsxWriter", "xlsx", "xlsxwriter", XLSX, args.xlsx_records)):
        if subprocess.run([sys.executable, "-c", "import " + module], stderr=subprocess.DEVNULL).returncode:
            print("%s is not installed: skipped" % module, file=sys.stderr)
            continue
        path = data(args.data, records)
        ours = [args.rtreport, "render", "--to", form, "--columns", COLUMNS, path]
        row(name, pairs(ours, [sys.executable, "-c", program, path], args.n), records)


if __name__ == "__main__":
    main()
