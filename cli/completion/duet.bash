# SPDX-License-Identifier: Apache-2.0
# Completion of duet for bash: asks `duet complete`, which knows commands, options and their values.

_duet() {
    local word words=() line files="" cut=""
    # Bash parts words at '=', duet does not.
    for word in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
        if ((${#words[@]} > 0)) && [[ $word == =* || ${words[-1]} == *= ]]; then
            words[-1]+=$word
        else
            words+=("$word")
        fi
    done
    word=${words[-1]}
    # And it replaces only what follows the last '='.
    if [[ $word == *=* && $COMP_WORDBREAKS == *=* ]]; then
        cut=${word%=*}=
    fi
    COMPREPLY=()
    while IFS=$'\t' read -r line _; do
        if [[ $line == :files ]]; then
            files=yes
        else
            COMPREPLY+=("${line#"$cut"}")
        fi
    done < <("${1/#\~/$HOME}" complete -- "${words[@]}" 2>/dev/null)
    if [[ $files ]]; then
        compopt -o filenames 2>/dev/null
        while IFS= read -r line; do
            COMPREPLY+=("$line")
        done < <(compgen -f -- "${word##*=}")
    elif ((${#COMPREPLY[@]} == 1)) && [[ ${COMPREPLY[0]} == *= ]]; then
        compopt -o nospace 2>/dev/null
    fi
}

complete -F _duet duet
