#!/bin/sh
# Writes the manual page of one command from its --help, so that both always say the same.
# usage: from-help.sh PROGRAM COMMAND
set -eu
program=$1
command=$2
"$program" "$command" --help | awk -v command="$command" '
function mdoc(s)
{
	gsub(/\\/, "\\e", s)
	if (s ~ /^[.\047]/)
		s = "\\\&" s
	return s
}
function close_list() { if (in_list) print ".El"; in_list = 0 }
function close_text() { if (in_text) print ".Ed"; in_text = 0 }
BEGIN {
	upper = toupper(command)
	print ".Dd $Mdocdate$"
	print ".Dt RTREPORT-" upper " 1"
	print ".Os rtreport"
	print ".Sh NAME"
	print ".Nm rtreport-" command
}
NR == 1 { next }                        # Usage:
NR == 2 { sub(/^ +/, ""); usage = $0; next }
NR == 4 {                               # the summary, behind an empty line
	summary = tolower(substr($0, 1, 1)) substr($0, 2)
	print ".Nd " mdoc(summary)
	print ".Sh SYNOPSIS"
	print ".Bd -literal"
	print mdoc(usage)
	print ".Ed"
	next
}
/^Options:$/ { close_text(); print ".Sh OPTIONS"; print ".Bl -tag -width Ds"; in_list = 1; next }
/^Examples?:$/ { close_list(); close_text(); print ".Sh EXAMPLES"; print ".Bd -literal"; in_text = 1; described = 1; next }
in_list && /^  -/ {
	line = $0
	sub(/^ +/, "", line)
	at = match(line, /   */)
	print ".It " (at ? "\\&" mdoc(substr(line, 1, at - 1)) : "\\&" mdoc(line))
	if (at)
		print mdoc(substr(line, at + RLENGTH))
	next
}
in_list && /^ / { line = $0; sub(/^ +/, "", line); print mdoc(line); next }
in_list && /^$/ { close_list(); next }
NR > 4 && !in_text && /[^ ]/ { print ".Sh DESCRIPTION"; print ".Bd -literal"; in_text = 1 }
in_text { print ($0 == "" ? "" : mdoc($0)) }
END {
	close_list()
	close_text()
	print ".Sh SEE ALSO"
	print ".Xr rtreport 1 ,"
	print ".Xr rtreport-json 5"
}'
