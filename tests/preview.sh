#!/bin/sh
# Pictures of what rtreport makes, from corpus/, to be looked at: make preview.
#
#   tests/preview.sh PROGRAM DIRECTORY
#
# Plots need gnuplot; pages of the workbook LibreOffice and pdftoppm; the HTML report chromium, the paste page curl too.
# What is missing is skipped with a word.
set -eu
program=$1
out=$2
corpus=$(dirname "$0")/../corpus

skip() { printf 'preview: skipped %s: %s\n' "$1" "$2"; }
have() { command -v "$1" >/dev/null 2>&1; }

# plot NAME ARGUMENT...
plot() {
	name=$1
	shift
	"$program" plot --export "svg=$out/$name.svg" -o "$out/$name.png" "$@"
}

plots() {
	plot histogram "$corpus/captures/cyclictest210-h-q.txt"
	plot histogram-overlay "$corpus/captures/cyclictest210-h-q.txt" "$corpus/captures/oslat210-default.txt"
	plot histogram-jitterdebugger "$corpus/captures/jitterdebugger-nsec.json.txt"
	plot tail --kind tail 2.4="$corpus/captures/cyclictest24-H-q.txt" 2.10="$corpus/captures/cyclictest210-H-q.txt"
	plot samples --kind samples "$corpus/latency-kvm-rows-left-out.txt"
	plot samples-values --kind samples "$corpus/captures/cyclictest210-v.txt"
	plot samples-hwlat --kind samples "$corpus/captures/hwlatdetect210-default.txt"
	plot bars "$corpus/seed-gpioirqbench-two-boards.txt"
	plot bars-kernels --kind bars "$corpus/jitterdebugger-many-kernels.txt"
	plot bars-load --kind bars "$corpus/seed-omap3530-load-and-idle.eml"
	plot bars-negative --kind bars "$corpus/seed-latency-ppc-and-x86.txt"
}

# pages FILE: a picture a page, by LibreOffice
pages() {
	soffice --headless --convert-to pdf --outdir "$out" "$1" >/dev/null 2>&1
	pdftoppm -r 60 -png "${1%.*}.pdf" "${1%.*}"
}

# page FILE: a picture of a page of HTML, by a browser that keeps nothing and asks nobody
page() {
	chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=1100,3000 \
		--screenshot="${1%.*}.png" "file://$1" >/dev/null 2>&1
}

# The paste page and what it shows, as a browser gets them.
served() {
	"$program" serve --port 0 >"$out/address" &
	server=$!
	while [ ! -s "$out/address" ] && kill -0 $server; do sleep 0.1; done
	address=$(cat "$out/address")
	curl -s -o "$out/serve.html" "$address"
	curl -s -o "$out/serve-formats.html" "${address}formats"
	curl -s -o "$out/serve-explain.html" -F as=explain -F "file=@$corpus/seed-omap3530-load-and-idle.eml" "${address}report"
	curl -s -o "$out/serve-nothing.html" -F "text=The worst latency was 27 us." "${address}report"
	kill $server
	wait $server
	rm "$out/address"
	for name in serve serve-formats serve-explain serve-nothing; do page "$out/$name.html"; done
}

mkdir -p "$out"
out=$(cd "$out" && pwd)
if have gnuplot; then plots; else skip plots "gnuplot is missing"; fi

set -- "$corpus/seed-gpioirqbench-two-boards.txt" "$corpus/seed-omap3530-load-and-idle.eml" \
	"$corpus/latency-kvm-rows-left-out.txt" "$corpus/captures/cyclictest210-h-q.txt" "$corpus/captures/oslat210-default.txt"
"$program" render --export "html=$out/report.html" -o "$out/results.xlsx" "$@"
if have soffice && have pdftoppm; then
	pages "$out/results.xlsx"
else
	skip "pages of results.xlsx" "LibreOffice (soffice) or pdftoppm is missing"
fi
if have chromium; then page "$out/report.html"; else skip report.html "chromium is missing"; fi
if have chromium && have curl; then served; else skip "the paste page" "chromium or curl is missing"; fi
printf 'preview: see %s\n' "$out"
