# bash completion of rtreport. Commands, options and formats are asked of the program itself.
_rtreport()
{
	local cur prev command option word i
	COMPREPLY=()
	cur=${COMP_WORDS[COMP_CWORD]}
	prev=${COMP_WORDS[COMP_CWORD-1]}
	# bash splits --option=value into three words
	if [[ $cur == = ]]; then
		option=$prev cur=
	elif [[ $prev == = ]]; then
		option=${COMP_WORDS[COMP_CWORD-2]}
	else
		option=$prev
	fi
	command=show
	if ((COMP_CWORD > 1)); then
		while IFS=$'\t' read -r word _; do
			[[ $word == "${COMP_WORDS[1]}" ]] && command=$word
		done < <(rtreport --list-commands 2>/dev/null)
	fi
	case $option in
	--from)
		mapfile -t COMPREPLY < <(compgen -W "$(rtreport formats --read 2>/dev/null)" -- "$cur")
		return ;;
	--to | -t)
		mapfile -t COMPREPLY < <(compgen -W "$(rtreport formats --written 2>/dev/null)" -- "$cur")
		return ;;
	--quoted) mapfile -t COMPREPLY < <(compgen -W "fold all skip" -- "$cur"); return ;;
	--samples) mapfile -t COMPREPLY < <(compgen -W "yes no all" -- "$cur"); return ;;
	--unit | -u) mapfile -t COMPREPLY < <(compgen -W "auto ns us ms s" -- "$cur"); return ;;
	--colour) mapfile -t COMPREPLY < <(compgen -W "auto always never" -- "$cur"); return ;;
	--csv-dialect) mapfile -t COMPREPLY < <(compgen -W "rfc excel excel-eu" -- "$cur"); return ;;
	esac
	if [[ $cur == -* ]]; then
		word=
		while IFS=$'\t' read -r i _; do
			word+="$i "
		done < <(rtreport "$command" --list-options 2>/dev/null)
		mapfile -t COMPREPLY < <(compgen -W "$word" -- "$cur")
		[[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace
		return
	fi
	mapfile -t COMPREPLY < <(compgen -f -- "$cur")
	if ((COMP_CWORD == 1)); then
		word=
		while IFS=$'\t' read -r i _; do
			word+="$i "
		done < <(rtreport --list-commands 2>/dev/null)
		mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -W "$word" -- "$cur")
	fi
}
complete -o filenames -F _rtreport rtreport
