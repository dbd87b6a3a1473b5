_memoir_completion() {
    local IFS=$'\n' words=() last=-1 word line=${COMP_LINE:0:COMP_POINT}
    # bash ends a word at each colon: join what the line has together, and answer with what follows the last colon.
    for word in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
        if [[ $last -ge 0 && $word${words[last]} == *[:=]* && $line == *"${words[last]}$word"* ]] &&
            [[ $word || $line != *" " ]]; then words[last]+=$word
        else words[++last]=$word
        fi
    done
    COMPREPLY=( $( env COMP_WORDS="${words[*]}" COMP_CWORD=$last _MEMOIR_COMPLETE=complete_bash $1 ) )
    [[ $COMP_WORDBREAKS != *:* || ${words[last]} != *:* ]] || COMPREPLY=( "${COMPREPLY[@]#"${words[last]%:*}:"}" )
}

complete -o default -F _memoir_completion memoir
