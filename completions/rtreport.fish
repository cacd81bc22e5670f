# fish completion of rtreport. Commands, options and formats are asked of the program itself.
function __rtreport_commands
	rtreport --list-commands 2>/dev/null
end

function __rtreport_command
	set -l words (commandline -opc)
	for line in (__rtreport_commands)
		set -l name (string split \t -- $line)[1]
		if test (count $words) -gt 1; and test "$words[2]" = "$name"
			echo $name
			return
		end
	end
	echo show
end

function __rtreport_options
	rtreport (__rtreport_command) --list-options 2>/dev/null
end

complete -c rtreport -n 'test (count (commandline -opc)) -eq 1' -a '(__rtreport_commands)'
complete -c rtreport -n 'string match -q -- "-*" (commandline -ct)' -a '(__rtreport_options)'
complete -c rtreport -l from -x -a '(rtreport formats --read 2>/dev/null)' -d 'Format of the input'
complete -c rtreport -l to -s t -x -a '(rtreport formats --written 2>/dev/null)' -d 'Format of the output'
complete -c rtreport -l quoted -x -a 'fold all skip' -d 'Quoted results'
complete -c rtreport -l samples -x -a 'yes no all' -d 'Rows over time'
complete -c rtreport -l unit -s u -x -a 'auto ns us ms s' -d 'Unit of times'
complete -c rtreport -l colour -x -a 'auto always never' -d 'Colours'
complete -c rtreport -l csv-dialect -x -a 'rfc excel excel-eu' -d 'Kind of CSV'
complete -c rtreport -l output -s o -r -d 'Write to a file'
